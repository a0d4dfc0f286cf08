// SPDX-License-Identifier: GPL-3.0-or-later
// Morph targets in a document (glTF 2.0, section 3.7.2.2). All primitives of a mesh have the same number of them.
#include "formats/gltf_stage.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Where the targets of a body are.
typedef struct Accessors
{
    int* positions; // [targetCount], NULL until written
    int* normals;   // NULL: none
    int base;       // of rounded base positions, -1: stay
} Accessors;

qvJson* qvGltfStage_Item(const qvGltfStage* stage, const char* list, int index)
{
    return qvJson_At(qvJson_Find(stage->builder->json, list), index);
}

// --- Accessors ---------------------------------------------------------------------------------------------------

// Floats, rounded.
static int AddBase(const qvGltfStage* stage, const qvGltfBody* body)
{
    qvVec3f* rounded = qvAllocateRaw((size_t)body->vertexCount, sizeof(*rounded));
    stage->builder->failed |= rounded == NULL;
    for (int i = 0; i < body->vertexCount && rounded != NULL; i++)
        rounded[i] = qvGltfBody_Base(body, i);
    int index = rounded != NULL ? qvGltfBuilder_AddFloats(stage->builder, &rounded[0].x, 3, body->vertexCount,
                                                          QV_GLTF_VERTICES, true)
                                : -1;
    free(rounded);
    return index;
}

static void WriteBody(const qvGltfStage* stage, const qvGltfBody* body, Accessors* accessors)
{
    size_t count = (size_t)body->targetCount, stride = 3 * (size_t)body->vertexCount;
    accessors->base = -1;
    accessors->positions = qvAllocate(count, sizeof(int));
    accessors->normals = body->normals != NULL ? qvAllocate(count, sizeof(int)) : NULL;
    stage->builder->failed |= accessors->positions == NULL || (body->normals != NULL && accessors->normals == NULL);
    if (stage->builder->failed)
        return;
    if (body->grid.scale > 0.0 && stage->back != NULL)
        accessors->base =
            qvGltfBuilder_AddGridPositions(stage->builder, &body->base[0].x, body->vertexCount, &body->grid);
    else if (body->unit > 0.0 && stage->back != NULL)
        accessors->base = AddBase(stage, body);
    qvGltfDeltaCoding coding = qvGltfBody_Coding(body, stage->task->sparse);
    for (size_t t = 0; t < count; t++)
    {
        accessors->positions[t] =
            qvGltfBuilder_AddDeltas(stage->builder, body->shapes + t * stride, body->vertexCount, &coding);
        if (body->normals == NULL)
            continue;
        qvGltfDeltaCoding bytes = { .sparse = stage->task->sparse,
                                    .scale = body->byteNormals[t] ? 1.0 : 0.0,
                                    .bytes = true };
        accessors->normals[t] =
            qvGltfBuilder_AddDeltas(stage->builder, body->normals + t * stride, body->vertexCount, &bytes);
    }
}

// --- Primitives --------------------------------------------------------------------------------------------------

static void AddBodyTargets(const qvGltfStage* stage, qvJson* primitive, const Accessors* accessors)
{
    qvJson* list = qvJson_Find(primitive, "targets");
    list = list != NULL ? list : qvJson_AddArray(primitive, "targets");
    for (int t = 0; t < stage->targets->targetCount; t++)
    {
        qvJson* target = qvJson_AddObject(list, NULL);
        qvJson_AddNumber(target, "POSITION", accessors->positions[t]);
        if (accessors->normals != NULL)
            qvJson_AddNumber(target, "NORMAL", accessors->normals[t]);
        stage->builder->failed |= target == NULL;
    }
    qvJson* attributes = qvJson_Find(primitive, "attributes");
    if (accessors->base < 0)
        return;
    qvGltfBuilder_Replaced(stage->builder, qvJson_Index(qvJson_Find(attributes, "POSITION")));
    qvGltfBuilder_SetNumber(attributes, "POSITION", accessors->base);
}

// Lines and points beside the triangles stay where they are, but need as many targets.
static void AddZeroTargets(const qvGltfStage* stage, qvJson* primitive)
{
    const double zero[3] = { 0.0, 0.0, 0.0 };
    int position = qvJson_Index(qvJson_Find(qvJson_Find(primitive, "attributes"), "POSITION")), index;
    const qvJson* points = position >= 0 ? qvGltfStage_Item(stage, "accessors", position) : NULL;
    int count = qvJson_Index(qvJson_Find(points, "count"));
    if (count <= 0)
        return; // nothing there that could have targets
    qvJson* accessor = qvGltfBuilder_AddAccessor(stage->builder, -1, QV_GLTF_FLOAT, "VEC3", count, &index);
    qvJson_AddNumbers(accessor, "min", zero, 3);
    qvJson_AddNumbers(accessor, "max", zero, 3);
    qvJson* list = qvJson_Find(primitive, "targets");
    list = list != NULL ? list : qvJson_AddArray(primitive, "targets");
    for (int t = 0; t < stage->targets->targetCount; t++)
        qvJson_AddNumber(qvJson_AddObject(list, NULL), "POSITION", index);
}

// The body of a primitive of an actor's mesh, or -1 for lines and points.
static int BodyOf(const qvGltfStage* stage, const qvGltfActor* actor, int primitive)
{
    if (stage->back == NULL)
        return 0;
    const qvGltfRun* run = &stage->back->runs[actor->run];
    for (int i = run->firstPiece; i < run->firstPiece + run->pieceCount; i++)
    {
        if (stage->back->gltf->pieces[i].primitive == primitive)
            return stage->back->gltf->pieces[i].part;
    }
    return -1;
}

// --- Meshes ------------------------------------------------------------------------------------------------------

static void ExtendWeights(qvJson* object, int count)
{
    qvJson* weights = qvJson_Find(object, "weights");
    for (int i = 0; i < count && weights != NULL; i++)
        qvJson_AddNumber(weights, NULL, 0.0);
}

static void AddNames(const qvGltfStage* stage, qvJson* mesh, int oldCount)
{
    qvJson* extras = qvJson_Find(mesh, "extras");
    if (!qvJson_IsObject(extras))
    {
        qvJson_Remove(mesh, extras);
        extras = qvJson_AddObject(mesh, "extras");
    }
    qvJson* names = qvJson_Find(extras, "targetNames");
    names = names != NULL ? names : qvJson_AddArray(extras, "targetNames");
    char text[64];
    for (int i = qvJson_Count(names); i < oldCount; i++)
    {
        snprintf(text, sizeof(text), "target %d", i + 1);
        qvJson_AddString(names, NULL, text);
    }
    const qvMorphTargets* targets = stage->targets;
    for (int t = 0; t < targets->targetCount; t++)
    {
        if (targets->space == NULL)
            snprintf(text, sizeof(text), "frame %d", t);
        else if (targets->hasOffset && t == 0)
            snprintf(text, sizeof(text), "offset");
        else
            snprintf(text, sizeof(text), "shape %d", t + 1 - targets->hasOffset);
        qvJson_AddString(names, NULL, text);
    }
}

// Gives the actor a mesh that no other node shows, and returns it.
static qvJson* OwnMesh(const qvGltfStage* stage, const qvGltfActor* actor)
{
    qvJson* node = qvGltfStage_Item(stage, "nodes", actor->node);
    int index = qvJson_Index(qvJson_Find(node, "mesh")), users = 0;
    qvJson* nodes = qvJson_Find(stage->builder->json, "nodes");
    for (const qvJson* item = qvJson_First(nodes); item != NULL; item = qvJson_Next(item))
    {
        const qvJson* mesh = qvJson_Find(item, "mesh");
        users += mesh != NULL && qvJson_Index(mesh) == index;
    }
    qvJson* mesh = qvGltfStage_Item(stage, "meshes", index);
    if (users == 1)
        return mesh;
    qvJson* copy = qvJson_Copy(mesh);
    stage->builder->failed |= copy == NULL;
    qvJson* meshes = qvGltfBuilder_List(stage->builder, "meshes");
    qvGltfBuilder_SetNumber(node, "mesh", qvJson_Count(meshes));
    qvJson_AddNode(meshes, NULL, copy);
    return copy;
}

static void AnimateMesh(const qvGltfStage* stage, const qvGltfActor* actor, Accessors* accessors)
{
    qvJson* mesh = OwnMesh(stage, actor);
    int number = 0;
    qvJson* primitives = qvJson_Find(mesh, "primitives");
    for (qvJson* item = qvJson_First(primitives); item != NULL && !stage->builder->failed;
         item = qvJson_Next(item), number++)
    {
        int body = BodyOf(stage, actor, number);
        if (body < 0)
        {
            AddZeroTargets(stage, item);
            continue;
        }
        if (accessors[body].positions == NULL)
            WriteBody(stage, &stage->bodies->items[body], &accessors[body]);
        if (!stage->builder->failed)
            AddBodyTargets(stage, item, &accessors[body]);
    }
    ExtendWeights(mesh, stage->targets->targetCount);
    ExtendWeights(qvGltfStage_Item(stage, "nodes", actor->node), stage->targets->targetCount);
    AddNames(stage, mesh, actor->oldTargetCount);
}

qvResult qvGltfStage_AddTargets(qvGltfStage* stage, qvError* error)
{
    if (stage->targets->targetCount == 0)
        return qv_ok;
    Accessors* accessors = qvAllocate((size_t)stage->bodies->count, sizeof(Accessors));
    if (accessors == NULL)
        return qvError_OutOfMemory(error, (double)stage->bodies->count * sizeof(Accessors));
    qvResult result = qv_ok;
    for (int i = 0; i < stage->actorCount && result == qv_ok; i++)
    {
        AnimateMesh(stage, &stage->actors[i], accessors);
        result = qvJob_Progress(stage->task->options.job, "writing", 0.9 + 0.05 * i / stage->actorCount, error);
    }
    for (int i = 0; i < stage->bodies->count; i++)
    {
        free(accessors[i].positions);
        free(accessors[i].normals);
    }
    free(accessors);
    return result;
}
