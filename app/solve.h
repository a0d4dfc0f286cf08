// SPDX-License-Identifier: GPL-3.0-or-later
// From a scene file to its take, for the commands that need one.
#pragma once

#include "clip.h"
#include "progress.h"
#include "quaver/part.h"
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

/// What --fps, --range, --preview and --frames ask for. Start from noMoments.
typedef struct Moments
{
    double fps;      ///< 0: the scene's
    double range[2]; ///< s, not numbers: the scene's
    bool preview;
    int frames[2]; ///< the first one above the last one of all numbers: all of them
} Moments;

extern const Moments noMoments;

qvBakeDef BakeMoments(const Moments* moments);
bool HasFrames(const Moments* moments);

/// What --cache and --cache-size ask for. Start from defaultCache.
typedef struct Cache
{
    const char* folder; ///< NULL: the user's own
    double bytes;       ///< not a number: the default
} Cache;

extern const Cache defaultCache;

/// What must hold of a scene before it is solved, which takes its time.
typedef qvResult SceneCheck(const qvScene* scene, const void* context, qvError* error);

typedef struct SolveDef
{
    SceneCheck* check; ///< NULL: none
    const void* context;
    Cache cache;
    const Clip* clip; ///< NULL: that of the scene
} SolveDef;

/// Fills what a part is made from, before its scene is solved. path: of its file.
QV_CHECKED qvResult DescribeSources(const char* path, const qvScene* scene, qvPart* part, qvError* error);
/// The same of what was solved. Fails when the files are others than in before (NULL: not known) by now: what was made
/// may be of either.
QV_CHECKED qvResult DescribeSolved(SolvedScene* solved, const qvPart* before, qvPart* part, qvError* error);

/// The options of all commands that solve: rows for their lists.
#define CACHE_OPTIONS(cache)                                                                                           \
    {                                                                                                                  \
        "--cache", OPTION_TEXT, &(cache).folder, "the folder of what is kept for the next time, also for others", 0, 0 \
    },                                                                                                                 \
    {                                                                                                                  \
        "--cache-size", OPTION_BYTES, &(cache).bytes,                                                                  \
            "bytes of modes and simulations on disk for the next time, as in 512M; 4G; 0: none", 0, 0                  \
    }
/// Those of the commands that write frames.
#define FRAMES_OPTION(moments)                                                                                         \
    {                                                                                                                  \
        "--frames", OPTION_FRAMES, (moments).frames, "only those from A:B, numbered from 0, with NAME.part.json", 0, 0 \
    }

/// The scene of a file with a clip that is asked for. The message starts with the path where the file is wrong.
QV_CHECKED qvResult LoadSceneFile(const char* path, const Clip* clip, const qvScene** scene, qvError* error);
/// Loads and solves with all cores. The message starts with the path. Catches interrupts from here on.
QV_CHECKED qvResult SolveSceneFile(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error);
/// The same of a mesh file that one of its clips moves, the first unless told: the scene that the editor makes of it.
QV_CHECKED qvResult SolveClip(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error);
/// Warns on standard error of what should be known of the scene's simulations.
void WarnOfSimulations(SolvedScene* solved);
void FreeSolvedScene(SolvedScene* solved);
