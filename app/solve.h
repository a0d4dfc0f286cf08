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

/// What --fps, --range and --preview ask for. Start from noMoments.
typedef struct Moments
{
    double fps;      ///< 0: the scene's
    double range[2]; ///< s, not numbers: the scene's
    bool preview;
} Moments;

extern const Moments noMoments;

qvBakeDef BakeMoments(const Moments* moments);

/// What must hold of a scene before it is solved, which takes its time.
typedef qvResult SceneCheck(const qvScene* scene, const void* context, qvError* error);

typedef struct SolveDef
{
    SceneCheck* check; ///< NULL: none
    const void* context;
    double cacheBytes; ///< of --cache-size; not a number: the default
} SolveDef;

/// The option of all commands that solve: a row for their lists.
#define CACHE_OPTION(bytes)                                                                                            \
    {                                                                                                                  \
        "--cache-size", OPTION_BYTES, bytes, "what may be kept on disk for the next time, as in 512M; 4G; 0: nothing", \
            0, 0                                                                                                       \
    }

/// Loads and solves with all cores. The message starts with the path. Catches interrupts from here on.
QV_CHECKED qvResult SolveSceneFile(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error);
/// The same of a mesh file that one of its clips moves, see qvRig_FindClip: the scene that the editor makes of it.
QV_CHECKED qvResult SolveClip(const char* path, const char* clip, const SolveDef* def, SolvedScene* solved,
                              qvError* error);
/// Warns on standard error of what should be known of the scene's simulations.
void WarnOfSimulations(SolvedScene* solved);
void FreeSolvedScene(SolvedScene* solved);
