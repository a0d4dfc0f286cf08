// SPDX-License-Identifier: GPL-3.0-or-later
// What a scene's body may not go through: its ground and its obstacles, with their meshes loaded.
#include "scene/references.h"

#include "base/hash.h"
#include "base/memory.h"
#include "quaver/file.h"
#include "quaver/model.h"
#include "quaver/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t MAX_FILE = (size_t)1 << 30; // bytes

// What definitions borrow until the obstacles are made.
typedef struct Draft
{
    qvObstacleDef* defs;
    qvModel** models;     // of those that are meshes
    qvObstacleKey** keys; // of those that have some
    int count;
} Draft;

static void FreeDraft(Draft* draft)
{
    for (int i = 0; i < draft->count; i++)
    {
        qvDestroyModel(draft->models[i]);
        free(draft->keys[i]);
    }
    free(draft->defs);
    free(draft->models);
    free(draft->keys);
}

qvResult qvLoadObstacle(const qvSceneObstacle* obstacle, const char* folder, const qvJob* job, qvModel** model,
                        qvError* error)
{
    char* path = qvResolvePath(folder, obstacle->file);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(obstacle->file));
    qvLoadOptions options = qvDefaultLoadOptions();
    options.job = job;
    qvResult result = qvLoadModel(path, &options, model, error);
    if (result != qv_ok)
        qvError_Prefix(error, "obstacle \"%s\"", obstacle->tag);
    free(path);
    return result;
}

// The bytes tell enough, and are read faster than a mesh is made; those of .gltf are in other files too.
uint64_t qvHashObstacleFile(const qvSceneObstacle* obstacle, const char* folder, uint64_t hash)
{
    qvModel* model = NULL;
    qvBytes bytes = { 0 };
    char* path = qvResolvePath(folder, obstacle->file);
    if (path == NULL)
        return hash;
    if (!qvPath_HasExtension(path, "gltf") && qvReadFile(path, MAX_FILE, &bytes, NULL) == qv_ok)
        hash = qvHash(bytes.data, bytes.size, hash);
    else if (qvPath_HasExtension(path, "gltf") && qvLoadObstacle(obstacle, folder, NULL, &model, NULL) == qv_ok)
        hash = qvHash_Combine(hash, qvMesh_Hash(model->mesh));
    qvDestroyModel(model);
    qvFreeBytes(&bytes);
    free(path);
    return hash;
}

static void SetKeys(const qvSceneObstacle* obstacle, qvObstacleKey* keys)
{
    for (int i = 0; i < obstacle->keyCount; i++)
        keys[i] = (qvObstacleKey){ obstacle->keys[i]->time, obstacle->keys[i]->at, obstacle->keys[i]->rotate };
}

static qvObstacleDef DefOf(const qvSceneObstacle* obstacle, const qvObstacleKey* keys)
{
    qvObstacleDef def = qvDefaultObstacleDef();
    def.name = obstacle->tag;
    def.shape = obstacle->shape;
    def.radius = obstacle->radius, def.size = obstacle->size;
    def.at = obstacle->at, def.rotate = obstacle->rotate;
    def.keyCount = obstacle->keyCount, def.keys = keys;
    def.friction = obstacle->friction, def.inside = obstacle->inside;
    return def;
}

static qvResult AddObstacle(Draft* draft, const qvSceneObstacle* obstacle, const char* folder, const qvJob* job,
                            qvError* error)
{
    int index = draft->count++;
    draft->keys[index] = qvAllocateRaw((size_t)obstacle->keyCount, sizeof(**draft->keys));
    if (draft->keys[index] == NULL)
        return qvError_OutOfMemory(error, (double)obstacle->keyCount * sizeof(**draft->keys));
    SetKeys(obstacle, draft->keys[index]);
    draft->defs[index] = DefOf(obstacle, draft->keys[index]);
    if (obstacle->shape != qv_shapeMesh)
        return qv_ok;
    qvResult result = qvLoadObstacle(obstacle, folder, job, &draft->models[index], error);
    if (result == qv_ok)
        draft->defs[index].mesh = draft->models[index]->mesh;
    return result;
}

double qvScene_GroundHeight(const qvScene* scene, double lowest)
{
    return isnan(scene->ground.height) ? lowest : scene->ground.height;
}

static void AddGround(Draft* draft, const qvScene* scene, double lowest)
{
    qvObstacleDef* def = &draft->defs[draft->count++];
    *def = qvDefaultObstacleDef();
    def->name = "ground";
    def->at.y = qvScene_GroundHeight(scene, lowest);
    def->friction = scene->ground.friction;
}

qvResult qvCreateSceneObstacles(const qvScene* scene, const char* folder, double lowest, const qvJob* job,
                                qvObstacles** obstacles, qvError* error)
{
    size_t most = (size_t)scene->obstacleCount + 1;
    Draft draft = { qvAllocate(most, sizeof(*draft.defs)), qvAllocate(most, sizeof(*draft.models)),
                    qvAllocate(most, sizeof(*draft.keys)), 0 };
    qvResult result = qv_ok;
    if (draft.defs == NULL || draft.models == NULL || draft.keys == NULL)
        result = qvError_OutOfMemory(error, (double)most * sizeof(*draft.defs));
    if (result == qv_ok && scene->ground.on)
        AddGround(&draft, scene, lowest);
    for (int i = 0; result == qv_ok && i < scene->obstacleCount; i++)
    {
        if (!scene->obstacles[i]->mute)
            result = AddObstacle(&draft, scene->obstacles[i], folder, job, error);
    }
    double range[2];
    qvScene_Range(scene, range);
    if (result == qv_ok)
        result = qvCreateObstacles(draft.defs, draft.count, scene->loop ? range : NULL, job, obstacles, error);
    FreeDraft(&draft);
    return result;
}

qvResult qvScene_PlaceObstacle(const qvScene* scene, const qvSceneObstacle* obstacle, double time,
                               qvObstaclePlace* place, qvError* error)
{
    double range[2];
    qvObstacles* one;
    qvScene_Range(scene, range);
    qvObstacleKey* keys = qvAllocateRaw((size_t)obstacle->keyCount, sizeof(*keys));
    if (keys == NULL)
        return qvError_OutOfMemory(error, (double)obstacle->keyCount * sizeof(*keys));
    SetKeys(obstacle, keys);
    qvObstacleDef def = DefOf(obstacle, keys);
    def.shape = qv_shapeBox; // where it is does not depend on its shape
    qvResult result = qvCreateObstacles(&def, 1, scene->loop ? range : NULL, NULL, &one, error);
    if (result == qv_ok)
    {
        qvObstacles_Place(one, time, place);
        qvDestroyObstacles(one);
    }
    free(keys);
    return result;
}
