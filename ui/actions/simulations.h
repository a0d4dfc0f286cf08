// SPDX-License-Identifier: GPL-3.0-or-later
/// Simulations of the scene: which one is chosen, and what is done with it.
#pragma once

#include "quaver/scene.h"

struct qvuiEditor;

/// The simulation that is chosen, or NULL.
const qvSceneSimulation* qvuiChosenSimulation(const struct qvuiEditor* editor);

/// When the keys have the body again, s: after its span and its fading back.
double qvuiSimulationOver(const qvSceneSimulation* simulation, const qvScene* scene);

/// Adds one like the template and chooses it. Returns its number; 0 on failure, which becomes a toast.
qvId qvuiAddSimulation(struct qvuiEditor* editor, const qvSceneSimulation* like);
