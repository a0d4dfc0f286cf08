// SPDX-License-Identifier: GPL-3.0-or-later
// The stages that depend on shapes: poses of the keys, and the space that they span.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Poses ---------------------------------------------------------------------------------------------------------

static bool GivesVelocity(const qvSceneKey* key, int side)
{
    if (key->velocityMode == qv_velocitySet)
        return side == 1 && key->after.strokes.count > 0;
    const qvSceneVelocity* velocity = side == 0 ? &key->before : &key->after;
    return key->velocityMode == qv_velocityBroken && velocity->given && velocity->strokes.count > 0;
}

static qvResult MakeSlot(qvSolving* solving, qvPoseMaker* maker, int index, qvPoseSlot* slot, qvError* error)
{
    static const char* const sides[] = { "in", "out" };
    const qvSceneKey* key = solving->scene->keys[index];
    *slot = (qvPoseSlot){ .pose = qvRetainStaged(solving->take->poses[index]) };
    for (int side = 0; side < 2; side++)
    {
        if (!GivesVelocity(key, side))
            continue;
        char label[64];
        snprintf(label, sizeof(label), "keys[%d].velocity.%s", index, sides[side]);
        const qvStrokeStack* strokes = side == 0 ? &key->before.strokes : &key->after.strokes;
        qvResult result = qvPoseMaker_Stack(maker, slot->pose, strokes, label, &slot->moved[side], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static void FreeSlot(qvPoseSlot* slot)
{
    qvReleaseStaged(slot->pose);
    qvReleaseStaged(slot->moved[0]);
    qvReleaseStaged(slot->moved[1]);
}

// Results of one cache are the same exactly when they are one object.
static bool SameSlot(const qvPoseSlot* a, const qvPoseSlot* b)
{
    return a->pose == b->pose && a->moved[0] == b->moved[0] && a->moved[1] == b->moved[1];
}

static qvResult AddToList(qvSolving* solving, qvPoseMaker* maker, int key, qvError* error)
{
    qvPoseList* list = &solving->list;
    qvPoseSlot* slot = &list->slots[list->count];
    qvResult result = MakeSlot(solving, maker, key, slot, error);
    int same = 0;
    while (result == qv_ok && same < list->count && !SameSlot(&list->slots[same], slot))
        same++;
    if (result != qv_ok || same < list->count)
        FreeSlot(slot);
    else
        list->count++;
    list->slotOfKey[key] = same;
    return result;
}

// Keys by their id: the order in which they were made.
static void OrderKeys(const qvScene* scene, int* order)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        int place = i;
        for (; place > 0 && scene->keys[order[place - 1]]->id > scene->keys[i]->id; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

qvResult qvSolving_Poses(qvSolving* solving, qvError* error)
{
    const qvScene* scene = solving->scene;
    qvPipeline* pipeline = solving->pipeline;
    qvStageCache* cache = &pipeline->caches[qv_stagePoses];
    size_t keys = (size_t)scene->keyCount;
    // Room for the poses and velocities of this scene and of the last ones.
    cache->capacity = 64 + 6 * scene->keyCount;
    qvPoseMaker maker = { scene, solving->body, solving->job, cache };
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
        result = qvPoseMaker_Pose(&maker, i, &solving->take->poses[i], error);
    if (result != qv_ok)
        return result;
    int* order = qvAllocate(keys, sizeof(*order));
    solving->list.slots = qvAllocate(keys, sizeof(*solving->list.slots));
    solving->list.slotOfKey = qvAllocate(keys, sizeof(*solving->list.slotOfKey));
    if (order == NULL || solving->list.slots == NULL || solving->list.slotOfKey == NULL)
        result = qvError_OutOfMemory(error, (double)keys * sizeof(qvPoseSlot));
    else
        OrderKeys(scene, order);
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
        result = AddToList(solving, &maker, order[i], error);
    free(order);
    return result;
}

void qvSolving_Free(qvSolving* solving)
{
    for (int i = 0; i < solving->list.count; i++)
        FreeSlot(&solving->list.slots[i]);
    free(solving->list.slots);
    free(solving->list.slotOfKey);
    qvReleaseStaged(solving->space);
}

// --- Pins ----------------------------------------------------------------------------------------------------------

// Points of all pins, ascending.
static qvResult GatherPins(const qvScene* scene, const qvBody* body, int32_t** pins, int* count, qvError* error)
{
    int n = body->mesh->pointCount;
    bool* marks = qvAllocate((size_t)n, sizeof(*marks));
    *pins = qvAllocateRaw((size_t)n, sizeof(**pins));
    *count = 0;
    qvResult result = marks != NULL && *pins != NULL ? qv_ok : qvError_OutOfMemory(error, (double)n * sizeof(**pins));
    for (int i = 0; result == qv_ok && i < scene->pinCount; i++)
    {
        int32_t* points;
        int own;
        result = qvVertexSet_Points(&scene->pins[i]->where, body, &points, &own, error);
        for (int k = 0; result == qv_ok && k < own; k++)
            marks[points[k]] = true;
        free(points);
    }
    for (int i = 0; result == qv_ok && i < n; i++)
    {
        if (marks[i])
            (*pins)[(*count)++] = i;
    }
    free(marks);
    return result;
}

// --- Space ---------------------------------------------------------------------------------------------------------

static void ToDoubles(const qvVec3f* from, int count, double* to)
{
    for (int i = 0; i < count; i++)
        to[3 * i] = from[i].x, to[3 * i + 1] = from[i].y, to[3 * i + 2] = from[i].z;
}

// to = moved - from
static void Difference(const qvVec3f* moved, const double* from, int count, double* to)
{
    ToDoubles(moved, count, to);
    for (int i = 0; i < 3 * count; i++)
        to[i] -= from[i];
}

// Rest, and up to three arrays per slot, in one piece of memory; *poses gets pointers into it.
static double* MakeArrays(const qvSolving* solving, qvMotionPose* poses)
{
    const qvPoseList* list = &solving->list;
    int n = solving->body->mesh->pointCount;
    size_t size = 3 * (size_t)n;
    double* numbers = qvAllocateRaw(size * (1 + 3 * (size_t)list->count), sizeof(double));
    if (numbers == NULL)
        return NULL;
    ToDoubles(solving->body->rest, n, numbers);
    double* next = numbers + size;
    for (int i = 0; i < list->count; i++)
    {
        const qvPoseSlot* slot = &list->slots[i];
        double* points = next;
        ToDoubles(slot->pose->object, n, points);
        next += size;
        double* fields[2] = { NULL, NULL };
        for (int side = 0; side < 2; side++)
        {
            if (slot->moved[side] == NULL)
                continue;
            fields[side] = next;
            Difference(slot->moved[side]->object, points, n, fields[side]);
            next += size;
        }
        poses[i] = (qvMotionPose){ .points = points, .before = fields[0], .after = fields[1] };
    }
    return numbers;
}

static uint64_t HashSpace(const qvSolving* solving, const qvMotionSpaceDef* def)
{
    uint64_t hash = solving->body->hash;
    for (int i = 0; i < solving->list.count; i++)
    {
        const qvPoseSlot* slot = &solving->list.slots[i];
        hash = qvHash_Combine(hash, slot->pose->hash);
        for (int side = 0; side < 2; side++)
            hash = qvHash_Combine(hash, slot->moved[side] != NULL ? slot->moved[side]->hash : 0);
    }
    double numbers[] = { def->stretch, def->bend, def->modes, def->pinCount };
    hash = qvHash(numbers, sizeof(numbers), hash);
    return qvHash(def->pins, (size_t)def->pinCount * sizeof(*def->pins), hash);
}

static void DestroySpace(void* space)
{
    qvDestroyMotionSpace(space);
}

static qvResult MakeSpace(qvSolving* solving, qvMotionSpaceDef* def, uint64_t hash, qvError* error)
{
    qvPipeline* pipeline = solving->pipeline;
    qvMotionPose* poses = qvAllocate((size_t)solving->list.count, sizeof(*poses));
    double* numbers = poses != NULL ? MakeArrays(solving, poses) : NULL;
    if (numbers == NULL)
    {
        free(poses);
        return qvError_OutOfMemory(error, 24.0 * solving->body->mesh->pointCount * (1.0 + 3.0 * solving->list.count));
    }
    def->topology = solving->body->topology, def->rest = numbers;
    def->poses = poses, def->poseCount = solving->list.count;
    const qvMotionSpace* previous = pipeline->lastSpace != NULL ? pipeline->lastSpace->object : NULL;
    qvMotionSpace* space;
    qvResult result = qvCreateMotionSpace(def, previous, solving->job, &space, error);
    free(poses);
    free(numbers);
    if (result != qv_ok)
        return result;
    return qvStageCache_Add(&pipeline->caches[qv_stageSpace], hash, space, DestroySpace, &solving->space, error);
}

qvResult qvSolving_Space(qvSolving* solving, qvError* error)
{
    qvPipeline* pipeline = solving->pipeline;
    const qvSceneMaterial* material = &solving->scene->material;
    qvMotionSpaceDef def = qvDefaultMotionSpaceDef();
    def.stretch = material->stretch, def.bend = material->bend, def.modes = material->modes;
    int32_t* pins;
    qvResult result = GatherPins(solving->scene, solving->body, &pins, &def.pinCount, error);
    def.pins = pins;
    if (result == qv_ok)
    {
        uint64_t hash = HashSpace(solving, &def);
        solving->space = qvStageCache_Find(&pipeline->caches[qv_stageSpace], hash);
        if (solving->space == NULL)
            result = MakeSpace(solving, &def, hash, error);
    }
    free(pins);
    if (result != qv_ok)
        return result;
    qvReleaseStaged(pipeline->lastSpace);
    pipeline->lastSpace = qvRetainStaged(solving->space);
    return qv_ok;
}
