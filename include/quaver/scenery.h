// SPDX-License-Identifier: GPL-3.0-or-later
/// What is drawn of a scene's obstacles: one mesh of all that are not mute, whose vertices follow their keys. Vessels
/// are left out, because they would hide what is in them.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvScenery
{
    const qvScene* scene; ///< retained
    qvMesh* mesh;         ///< each obstacle in its own axes
    qvVec3f* vertices;    ///< [mesh->vertexCount] where qvScenery_Place has put them, world
    int* ends;            ///< [scene->obstacleCount] of each obstacle's vertices
    bool moves;           ///< an obstacle has keys
} qvScenery;

/// Meshes of obstacles are looked up in folder. A scene without obstacles gives NULL.
QV_CHECKED qvResult qvCreateScenery(const qvScene* scene, const char* folder, const qvJob* job, qvScenery** scenery,
                                    qvError* error);
void qvDestroyScenery(qvScenery* scenery); ///< NULL is allowed

/// Takes over another state of the scene, in which obstacles may stand elsewhere. False when they have other shapes:
/// then it stays as it was, and another one is to be made.
bool qvScenery_Follow(qvScenery* scenery, const qvScene* scene);

/// Moves the vertices to where the obstacles are at a time.
QV_CHECKED qvResult qvScenery_Place(qvScenery* scenery, double time, qvError* error);

#ifdef __cplusplus
}
#endif
