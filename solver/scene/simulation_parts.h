// SPDX-License-Identifier: GPL-3.0-or-later
// Where the frames of a simulation are kept. Of two simulations whose curves or pins differ only after a time, what is
// before it has the same keys, and so the same files; how long a span lasts does not matter at all.
#pragma once

#include "layer/step_cache.h"
#include "scene/pipeline.h"

typedef struct qvSimulationParts
{
    int count;
    qvStepPart parts[qv_maxStepParts];
    char paths[qv_maxStepParts][4096];
} qvSimulationParts;

/// resolved: the simulation with a definition that leaves nothing open. constant: hash of what all of its frames depend
/// on beside the simulation's own fields and the scene's pins.
void qvFindSimulationParts(const qvSolving* solving, const qvSceneSimulation* resolved, uint64_t constant,
                           qvSimulationParts* parts);
