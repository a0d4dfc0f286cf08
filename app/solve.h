// SPDX-License-Identifier: GPL-3.0-or-later
// From a scene file to its take, for the commands that need one.
#pragma once

#include "progress.h"
#include "quaver/take.h"

typedef struct SolvedScene
{
    qvPool* pool;
    qvPipeline* pipeline;
    const qvScene* scene;
    qvTake* take;
    ProgressLine line;
} SolvedScene;

/// All cores, a line of progress, and a stop when the user interrupts the program.
qvJob SceneJob(SolvedScene* solved);

/// What --fps, --range (not numbers: not given) and --preview ask for.
qvBakeDef BakeMoments(double fps, const double range[2], bool preview);

/// Loads and solves with all cores. The message starts with the path. Catches interrupts from here on.
QV_CHECKED qvResult SolveSceneFile(const char* path, SolvedScene* solved, qvError* error);
void FreeSolvedScene(SolvedScene* solved);
