// SPDX-License-Identifier: GPL-3.0-or-later
// The stages that depend on shapes: poses of the keys, and the space that they span.
#include "base/hash.h"
#include "base/memory.h"
#include "motion/space.h"
#include "scene/fields.h"
#include "scene/labels.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Poses ---------------------------------------------------------------------------------------------------------

// Poses of earlier scenes that are kept.
static const double SPARE_BYTES = 5e6;
static const double SPARE_POSES = 64;

static bool GivesVelocity(const qvSceneKey* key, int side)
{
    if (key->velocityMode == qv_velocitySet)
        return side == 1 && qvSceneVelocity_IsField(&key->after);
    const qvSceneVelocity* velocity = side == 0 ? &key->before : &key->after;
    return key->velocityMode == qv_velocityBroken && velocity->given && qvSceneVelocity_IsField(velocity);
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
        char label[sizeof(qvLabel) + 24];
        snprintf(label, sizeof(label), "%s: velocity.%s.", qvSceneKey_Label(key).text,
                 key->velocityMode == qv_velocitySet ? "value" : sides[side]);
        const qvSceneVelocity* velocity = side == 0 ? &key->before : &key->after;
        qvResult result =
            velocity->offsets != NULL
                ? qvPoseMaker_Moved(maker, slot->pose, velocity->offsets, &slot->moved[side], error)
                : qvPoseMaker_Stack(maker, slot->pose, key->time, &velocity->strokes, label, &slot->moved[side], error);
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

static uint64_t HashOf(const qvStaged* staged)
{
    return staged != NULL ? staged->hash : 0;
}

static bool SameSlot(const qvPoseSlot* a, const qvPoseSlot* b)
{
    return a->pose->hash == b->pose->hash && HashOf(a->moved[0]) == HashOf(b->moved[0]) &&
           HashOf(a->moved[1]) == HashOf(b->moved[1]);
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
    double spare = SPARE_BYTES / fmax((double)solving->body->mesh->pointCount * sizeof(qvVec3f), 1.0);
    qvStageCache_SetCapacity(cache, (int)fmin(spare, SPARE_POSES) + 6 * scene->keyCount);
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
    qvFreePinSets(&solving->pins);
    qvReleaseStaged(solving->space);
    qvReleaseStaged(solving->rests);
    qvReleaseStaged(solving->detail);
    qvFreeKeysDraft(solving->draft);
}

// --- Space ---------------------------------------------------------------------------------------------------------

// Those of the points in `few`, or of all.
static void ToDoubles(const qvVec3f* from, const int32_t* few, int count, double* to)
{
    for (int i = 0; i < count; i++)
    {
        qvVec3f p = from[few != NULL ? few[i] : i];
        to[3 * i] = p.x, to[3 * i + 1] = p.y, to[3 * i + 2] = p.z;
    }
}

// to = moved - from
static void Difference(const qvVec3f* moved, const int32_t* few, const double* from, int count, double* to)
{
    ToDoubles(moved, few, count, to);
    for (int i = 0; i < 3 * count; i++)
        to[i] -= from[i];
}

// What messages call the poses: by the first key that has each.
static void LabelPoses(const qvSolving* solving, qvMotionPose* poses, qvLabel* labels)
{
    for (int i = solving->scene->keyCount - 1; i >= 0; i--)
    {
        int slot = solving->list.slotOfKey[i];
        labels[slot] = qvSceneKey_Label(solving->scene->keys[i]);
        poses[slot].label = labels[slot].text;
    }
}

// How many points keys are solved on.
static int PointCount(const qvSolving* solving)
{
    const qvDetail* detail = qvSolving_DetailOf(solving);
    return detail != NULL ? qvDetail_Thin(detail)->mesh->pointCount : solving->body->mesh->pointCount;
}

// Rest, and up to three arrays per slot, in one piece of memory; *poses gets pointers into it.
static double* MakeArrays(const qvSolving* solving, qvMotionPose* poses)
{
    const qvPoseList* list = &solving->list;
    const qvDetail* detail = qvSolving_DetailOf(solving);
    const int32_t* few = detail != NULL ? qvDetail_Thin(detail)->points : NULL;
    int n = PointCount(solving);
    size_t size = 3 * (size_t)n;
    double* numbers = qvAllocateRaw(size * (1 + 3 * (size_t)list->count), sizeof(double));
    if (numbers == NULL)
        return NULL;
    ToDoubles(solving->body->rest, few, n, numbers);
    double* next = numbers + size;
    for (int i = 0; i < list->count; i++)
    {
        const qvPoseSlot* slot = &list->slots[i];
        double* points = next;
        ToDoubles(slot->pose->object, few, n, points);
        next += size;
        double* fields[2] = { NULL, NULL };
        for (int side = 0; side < 2; side++)
        {
            if (slot->moved[side] == NULL)
                continue;
            fields[side] = next;
            Difference(slot->moved[side]->object, few, points, n, fields[side]);
            next += size;
        }
        poses[i] = (qvMotionPose){ .points = points, .before = fields[0], .after = fields[1] };
    }
    return numbers;
}

static uint64_t HashPins(const qvMotionPins* pins, int poseCount, uint64_t hash)
{
    hash =
        qvHash(pins->points, (size_t)pins->count * sizeof(*pins->points), qvHash_Combine(hash, (uint64_t)pins->count));
    return qvHash(pins->poses, (size_t)poseCount * sizeof(*pins->poses), hash);
}

enum
{
    MOST_SEEN = 64 // keys on each side
};

// Keys whose poses see each other: about as many as a damped motion feels at a time (motion/tracks.c), in steps, so
// that moved keys seldom change it.
static int FindWindow(const qvScene* scene)
{
    double range[2], settle = scene->material.settle;
    qvScene_Range(scene, range);
    for (int i = 0; i < scene->keyCount; i++)
        settle = fmax(settle, scene->keys[i]->settle);
    double step = (range[1] - range[0]) / fmax(scene->keyCount, 1.0), wanted = step > 0.0 ? 2.3 * settle / step : 0.0;
    int window = 9;
    while (window < wanted && window < MOST_SEEN)
        window += (window + 1) / 2;
    return window < MOST_SEEN ? window : MOST_SEEN;
}

uint64_t qvSolving_HashPoses(const qvSolving* solving)
{
    uint64_t hash = solving->body->hash;
    if (qvSolving_DetailOf(solving) != NULL)
        hash = qvHash_Combine(hash, solving->detail->hash);
    for (int i = 0; i < solving->list.count; i++)
    {
        const qvPoseSlot* slot = &solving->list.slots[i];
        hash = qvHash_Combine(hash, slot->pose->hash);
        for (int side = 0; side < 2; side++)
            hash = qvHash_Combine(hash, HashOf(slot->moved[side]));
    }
    return hash;
}

static uint64_t HashSpace(const qvSolving* solving, const qvMotionSpaceDef* def)
{
    uint64_t hash = qvSolving_HashPoses(solving);
    hash = qvHashInputs(qv_objectMaterial, &solving->scene->material, qv_stageSpace, hash);
    hash = qvHash_Combine(hash, (uint64_t)def->keepsRigid);
    hash = qvHash_Combine(hash, (uint64_t)def->pinCount);
    hash = qvHash(def->pins, (size_t)def->pinCount * sizeof(*def->pins), hash);
    for (int i = 0; i < def->pinSetCount; i++)
        hash = HashPins(&def->pinSets[i], solving->list.count, hash);
    if (def->order != NULL)
        hash = qvHash(def->order, (size_t)def->orderCount * sizeof(*def->order),
                      qvHash_Combine(hash, 2 * (uint64_t)def->window + def->isLoop));
    return hash;
}

static qvResult MakeSpace(qvSolving* solving, qvMotionSpaceDef* def, uint64_t hash, qvError* error)
{
    qvPipeline* pipeline = solving->pipeline;
    qvMotionPose* poses = qvAllocate((size_t)solving->list.count, sizeof(*poses));
    qvLabel* labels = qvAllocate((size_t)solving->list.count, sizeof(*labels));
    double* numbers = poses != NULL && labels != NULL ? MakeArrays(solving, poses) : NULL;
    if (numbers == NULL)
    {
        free(poses);
        free(labels);
        return qvError_OutOfMemory(error, 24.0 * PointCount(solving) * (1.0 + 3.0 * solving->list.count));
    }
    LabelPoses(solving, poses, labels);
    const qvDetail* detail = qvSolving_DetailOf(solving);
    def->topology = detail != NULL ? qvDetail_Thin(detail)->topology : solving->body->topology;
    def->rest = numbers;
    def->poses = poses, def->poseCount = solving->list.count;
    if (pipeline->disk != NULL)
        def->store = &pipeline->store, def->folder = qvDiskCache_Folder(pipeline->disk);
    qvStaged* last = qvPipeline_LastSpace(pipeline);
    qvMotionSpace* space;
    qvResult result = qvCreateMotionSpace(def, last != NULL ? last->object : NULL, solving->job, &space, error);
    if (last != NULL)
        qvMotionSpace_Rest(last->object);
    qvReleaseStaged(last);
    free(poses);
    free(labels);
    free(numbers);
    if (result != qv_ok)
        return result;
    solving->madeSpace = true;
    return qvPipeline_AddSpace(pipeline, hash, space, &solving->space, error);
}

// Poses that keys at the ends of a set's segments have.
static void MarkPoses(const qvSolving* solving, int set, bool* poses)
{
    int keys = solving->scene->keyCount;
    for (int i = 0; i < keys; i++)
    {
        if (solving->pins.setOfKey[i] != set)
            continue;
        poses[solving->list.slotOfKey[i]] = true;
        if (i > 0 || solving->scene->loop)
            poses[solving->list.slotOfKey[i > 0 ? i - 1 : keys - 1]] = true;
    }
}

// Sets of pins that come and go, in one piece of memory.
static qvMotionPins* MakeSets(const qvSolving* solving, qvError* error)
{
    const qvPinSets* pins = &solving->pins;
    size_t count = (size_t)pins->count, poses = (size_t)solving->list.count;
    qvMotionPins* sets = qvAllocate(count * (sizeof(*sets) + poses * sizeof(bool)), 1);
    if (sets == NULL)
    {
        qvError_OutOfMemory(error, (double)(count * poses));
        return NULL;
    }
    bool* marks = (bool*)(sets + count);
    for (int i = 0; i < pins->count; i++, marks += poses)
    {
        MarkPoses(solving, i, marks);
        sets[i] = (qvMotionPins){ pins->sets[i], pins->sizes[i], marks };
    }
    return sets;
}

static qvResult FindSpace(qvSolving* solving, qvMotionSpaceDef* def, qvError* error)
{
    qvPipeline* pipeline = solving->pipeline;
    uint64_t hash = HashSpace(solving, def);
    solving->space = qvStageCache_Find(&pipeline->caches[qv_stageSpace], hash);
    qvResult result = solving->space != NULL ? qv_ok : MakeSpace(solving, def, hash, error);
    if (result != qv_ok)
        return result;
    qvPipeline_SetLastSpace(pipeline, solving->space);
    return qvSolving_Rests(solving, error);
}

qvResult qvSolving_Space(qvSolving* solving, qvError* error)
{
    qvMotionSpaceDef def = qvDefaultMotionSpaceDef();
    def.material = solving->scene->material;
    def.keepsRigid = qvTake_Clip(solving->take) >= 0;
    if (qvMotionSpace_IsTooMuch(solving->list.count, def.material.modes))
    {
        def.order = solving->list.slotOfKey, def.orderCount = solving->scene->keyCount;
        def.isLoop = solving->scene->loop, def.window = FindWindow(solving->scene);
    }
    qvResult result = qvMakePinSets(solving->scene, solving->body, &solving->pins, error);
    if (result == qv_ok)
        result = qvSolving_Detail(solving, error);
    if (result != qv_ok)
        return result;
    if (solving->pins.count == 1)
    {
        def.pins = solving->pins.sets[0], def.pinCount = solving->pins.sizes[0];
        return FindSpace(solving, &def, error);
    }
    qvMotionPins* sets = MakeSets(solving, error);
    if (sets == NULL)
        return qv_outOfMemory;
    def.pinSets = sets, def.pinSetCount = solving->pins.count;
    result = FindSpace(solving, &def, error);
    free(sets);
    return result;
}
