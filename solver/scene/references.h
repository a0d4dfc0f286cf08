// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of files that a scene refers to. Results are malloc'ed; NULL when memory runs out.
#pragma once

#include "quaver/model.h"
#include "quaver/scene.h"

#include <stdint.h>

/// A folder from the root, whether it exists or not.
char* qvResolveFolder(const char* folder);
/// The file that a path means when it is looked up in folder, from the root, with links of folders resolved.
char* qvResolvePath(const char* folder, const char* path);
/// What a path looked up in one folder must be called in another. A path from the root becomes a relative one too.
char* qvRebasePath(const char* path, const char* fromFolder, const char* toFolder);

/// The mesh file of an obstacle; messages name the obstacle.
QV_CHECKED qvResult qvLoadObstacle(const qvSceneObstacle* obstacle, const char* folder, const qvJob* job,
                                   qvModel** model, qvError* error);
/// A hash of what that file holds now, for caches; of one that cannot be read, the hash as it was.
uint64_t qvHashObstacleFile(const qvSceneObstacle* obstacle, const char* folder, uint64_t hash);

/// A scene with its files as they are called from another folder; the same one when nothing changes.
QV_CHECKED qvResult qvRebaseScene(const qvScene* scene, const char* fromFolder, const char* toFolder,
                                  const qvScene** moved, qvError* error);
