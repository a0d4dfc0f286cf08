// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/scenery.h"

#include "base/memory.h"
#include "math/affine.h"
#include "quaver/model.h"
#include "quaver/primitive.h"
#include "scene/references.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SPHERE_RESOLUTION = 16,
};

// The triangles of all obstacles.
typedef struct Draft
{
    QV_ARRAY(qvVec3f) positions;
    QV_ARRAY(int32_t) corners;
} Draft;

static bool IsDrawn(const qvSceneObstacle* obstacle)
{
    return !obstacle->mute && !obstacle->inside;
}

// Adds a mesh, shifted and then made larger. False: out of memory.
static bool AddMesh(Draft* draft, const qvMesh* mesh, qvVec3 shift, double scale)
{
    int first = draft->positions.count;
    bool isAdded = true;
    for (int i = 0; isAdded && i < 3 * mesh->triangleCount; i++)
        isAdded = QV_PUSH(draft->corners, first + mesh->triangles[i / 3].v[i % 3]);
    for (int i = 0; isAdded && i < mesh->vertexCount; i++)
    {
        qvVec3 at = qvScale(scale, qvAdd(qvVec3_FromFloat(mesh->positions[i]), shift));
        isAdded = QV_PUSH(draft->positions, qvVec3_ToFloat(at));
    }
    return isAdded;
}

static bool AddBox(Draft* draft, qvVec3 size)
{
    static const int32_t sides[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                         { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
    static const int halves[6] = { 0, 1, 2, 0, 2, 3 };
    int first = draft->positions.count;
    bool isAdded = true;
    for (int i = 0; isAdded && i < 36; i++)
        isAdded = QV_PUSH(draft->corners, first + sides[i / 6][halves[i % 6]]);
    for (int c = 0; isAdded && c < 8; c++)
    {
        qvVec3 at = { c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, c & 4 ? 0.5 : -0.5 };
        at = qvMakeVec3(at.x * size.x, at.y * size.y, at.z * size.z);
        isAdded = QV_PUSH(draft->positions, qvVec3_ToFloat(at));
    }
    return isAdded;
}

static qvResult AddSphere(Draft* draft, double radius, qvError* error)
{
    qvMesh* mesh;
    qvResult result = qvCreatePrimitive("sphere", SPHERE_RESOLUTION, &mesh, error);
    if (result != qv_ok)
        return result;
    // Built-in shapes stand on the ground; this one has the radius 1.
    bool isAdded = AddMesh(draft, mesh, qvMakeVec3(0.0, -1.0, 0.0), radius);
    qvDestroyMesh(mesh);
    return isAdded ? qv_ok : qvError_OutOfMemory(error, 0.0);
}

static qvResult AddFile(Draft* draft, const qvSceneObstacle* obstacle, const char* folder, const qvJob* job,
                        qvError* error)
{
    qvModel* model;
    qvResult result = qvLoadObstacle(obstacle, folder, job, &model, error);
    if (result != qv_ok)
        return result;
    bool isAdded = AddMesh(draft, model->mesh, qvMakeVec3(0.0, 0.0, 0.0), 1.0);
    qvDestroyModel(model);
    return isAdded ? qv_ok : qvError_OutOfMemory(error, 0.0);
}

static qvResult AddObstacle(Draft* draft, const qvSceneObstacle* obstacle, const char* folder, const qvJob* job,
                            qvError* error)
{
    switch (obstacle->shape)
    {
    case qv_shapeSphere:
        return AddSphere(draft, obstacle->radius, error);
    case qv_shapeBox:
        return AddBox(draft, obstacle->size) ? qv_ok : qvError_OutOfMemory(error, 0.0);
    default:
        return obstacle->file != NULL ? AddFile(draft, obstacle, folder, job, error) : qv_ok;
    }
}

static qvResult MakeMesh(const Draft* draft, qvMesh** mesh, qvError* error)
{
    static const qvMaterial stone = { .baseColor = { 0.16f, 0.18f, 0.21f, 1.0f }, .roughness = 0.9f, .texture = -1 };
    const qvSubmeshDef all = { .name = "Obstacles", .material = 0, .faceCount = draft->corners.count / 3 };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = draft->positions.count;
    def.positions = draft->positions.items;
    def.faceCount = draft->corners.count / 3;
    def.corners = draft->corners.items;
    def.submeshCount = 1;
    def.submeshes = &all;
    def.materialCount = 1;
    def.materials = &stone;
    return qvCreateMesh(&def, mesh, NULL, error);
}

static qvResult Fill(qvScenery* scenery, Draft* draft, const char* folder, const qvJob* job, qvError* error)
{
    const qvScene* scene = scenery->scene;
    qvResult result = qv_ok;
    scenery->ends = qvAllocate((size_t)scene->obstacleCount, sizeof(*scenery->ends));
    if (scenery->ends == NULL)
        return qvError_OutOfMemory(error, 0.0);
    for (int i = 0; result == qv_ok && i < scene->obstacleCount; i++)
    {
        if (IsDrawn(scene->obstacles[i]))
            result = AddObstacle(draft, scene->obstacles[i], folder, job, error);
        scenery->ends[i] = draft->positions.count;
        scenery->moves = scenery->moves || (IsDrawn(scene->obstacles[i]) && scene->obstacles[i]->keyCount > 0);
    }
    if (result == qv_ok && draft->corners.count > 0)
        result = MakeMesh(draft, &scenery->mesh, error);
    if (result != qv_ok || scenery->mesh == NULL)
        return result;
    scenery->vertices = qvAllocate((size_t)scenery->mesh->vertexCount, sizeof(*scenery->vertices));
    return scenery->vertices != NULL ? qv_ok : qvError_OutOfMemory(error, 12.0 * scenery->mesh->vertexCount);
}

qvResult qvCreateScenery(const qvScene* scene, const char* folder, const qvJob* job, qvScenery** out, qvError* error)
{
    *out = NULL;
    if (scene->obstacleCount == 0)
        return qv_ok;
    qvScenery* scenery = qvAllocate(1, sizeof(*scenery));
    if (scenery == NULL)
        return qvError_OutOfMemory(error, sizeof(*scenery));
    scenery->scene = qvRetainScene(scene);
    Draft draft = { 0 };
    qvResult result = Fill(scenery, &draft, folder, job, error);
    free(draft.positions.items);
    free(draft.corners.items);
    if (result == qv_ok && scenery->mesh != NULL)
        *out = scenery;
    else
        qvDestroyScenery(scenery);
    return result;
}

void qvDestroyScenery(qvScenery* scenery)
{
    if (scenery == NULL)
        return;
    qvDestroyMesh(scenery->mesh);
    free(scenery->vertices);
    free(scenery->ends);
    qvReleaseScene(scenery->scene);
    free(scenery);
}

// Whether two obstacles look the same, wherever they are.
static bool HasShapeOf(const qvSceneObstacle* a, const qvSceneObstacle* b)
{
    bool isSameFile = a->file == b->file || (a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0);
    return IsDrawn(a) == IsDrawn(b) && a->shape == b->shape && a->radius == b->radius &&
           qvDistance(a->size, b->size) == 0.0 && isSameFile;
}

bool qvScenery_Follow(qvScenery* scenery, const qvScene* scene)
{
    const qvScene* old = scenery->scene;
    bool isSame = old->obstacleCount == scene->obstacleCount, moves = false;
    for (int i = 0; isSame && i < scene->obstacleCount; i++)
    {
        isSame = HasShapeOf(old->obstacles[i], scene->obstacles[i]);
        moves = moves || (IsDrawn(scene->obstacles[i]) && scene->obstacles[i]->keyCount > 0);
    }
    if (!isSame)
        return false;
    scenery->scene = qvRetainScene(scene);
    scenery->moves = moves;
    qvReleaseScene(old);
    return true;
}

qvResult qvScenery_Place(qvScenery* scenery, double time, qvError* error)
{
    int vertex = 0;
    for (int i = 0; i < scenery->scene->obstacleCount; i++)
    {
        qvObstaclePlace place;
        qvResult result = qvScene_PlaceObstacle(scenery->scene, scenery->scene->obstacles[i], time, &place, error);
        if (result != qv_ok)
            return result;
        qvAffine frame = qvAffine_FromParts(place.at, place.rotate, qvMakeVec3(1.0, 1.0, 1.0));
        for (; vertex < scenery->ends[i]; vertex++)
        {
            qvVec3 local = qvVec3_FromFloat(scenery->mesh->positions[vertex]);
            scenery->vertices[vertex] = qvVec3_ToFloat(qvAffine_Point(&frame, local));
        }
    }
    return qv_ok;
}
