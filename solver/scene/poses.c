// SPDX-License-Identifier: GPL-3.0-or-later
// Poses: the base of a key with its strokes applied in order, in float as the evaluator is.
#include "scene/poses.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "scene/body.h"
#include "scene/clip_pose.h"
#include "scene/fields.h"
#include "scene/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Strokes -------------------------------------------------------------------------------------------------------

float* qvMaskOfPoints(const qvBody* body, const float* mask)
{
    const qvMesh* mesh = body->mesh;
    float* weights = qvAllocateRaw((size_t)mesh->pointCount, sizeof(*weights));
    for (int i = 0; weights != NULL && i < mesh->pointCount; i++)
        weights[i] = mask[mesh->pointVertex[i]];
    return weights;
}

qvStroke qvPlaceStroke(const qvBody* body, const qvVec3f* points, const qvStroke* stroke)
{
    qvStroke placed = *stroke;
    placed.at = qvBody_Carry(body, points, stroke->at);
    if (qvBrush_FindParameter(stroke->brush, offsetof(qvStroke, joint)) != NULL)
        placed.joint = qvBody_Carry(body, points, stroke->joint);
    if (!(placed.radius > 0.0))
        placed.radius = QV_DEFAULT_RADIUS * body->diagonal;
    return placed;
}

// What holds the strokes of a key: what is pinned at its time, and the ground where the key has the body.
typedef struct Holds
{
    uint8_t* pinned; // per point; NULL: none is
    bool hasGround;
    qvStrokeGround ground;
} Holds;

static qvResult ApplyHeld(const qvBody* body, const qvStroke* stroke, const float* mask, const Holds* holds,
                          qvPool* pool, qvVec3f* points, qvError* error)
{
    qvStroke placed = qvPlaceStroke(body, points, stroke);
    qvStrokeTarget target = { .pointCount = body->mesh->pointCount,
                              .topology = body->topology,
                              .pool = pool,
                              .pinned = holds->pinned,
                              .ground = holds->hasGround ? &holds->ground : NULL };
    float* weights = NULL;
    if (mask != NULL)
    {
        target.weights = weights = qvMaskOfPoints(body, mask);
        if (weights == NULL)
            return qvError_OutOfMemory(error, (double)target.pointCount * sizeof(*weights));
    }
    qvResult result = qvStroke_Applyf(&placed, &target, NULL, points, error);
    free(weights);
    return result;
}

qvResult qvApplyStroke(const qvBody* body, const qvStroke* stroke, const float* mask, qvPool* pool, qvVec3f* points,
                       qvError* error)
{
    return ApplyHeld(body, stroke, mask, &(Holds){ 0 }, pool, points, error);
}

qvResult qvFindPinned(const qvScene* scene, const qvBody* body, double time, uint8_t** pinned, qvError* error)
{
    *pinned = NULL;
    for (int i = 0; i < scene->pinCount; i++)
    {
        int32_t* held = NULL;
        int count = 0;
        if (time < scene->pins[i]->from || time > scene->pins[i]->to)
            continue;
        qvResult result = qvVertexSet_Points(&scene->pins[i]->where, body, &held, &count, error);
        if (result == qv_ok && *pinned == NULL)
            *pinned = qvAllocate((size_t)body->mesh->pointCount, 1);
        if (result == qv_ok && *pinned == NULL)
            result = qvError_OutOfMemory(error, body->mesh->pointCount);
        for (int k = 0; result == qv_ok && k < count; k++)
            (*pinned)[held[k]] = 1;
        free(held);
        if (result != qv_ok)
        {
            free(*pinned);
            *pinned = NULL;
            return result;
        }
    }
    return qv_ok;
}

static double LowestAtRest(const qvBody* body)
{
    double lowest = INFINITY;
    for (int i = 0; i < body->mesh->pointCount; i++)
        lowest = fmin(lowest, (double)body->rest[i].y);
    return lowest;
}

// The ground in the coordinates of a pose. A key that leaves open where the body is while others say it is no place to
// know it from, and a wave that travels cannot stop at it.
static bool FindGround(const qvScene* scene, const qvBody* body, double time, qvStrokeGround* ground)
{
    const qvSceneKey* key = NULL;
    for (int i = 0; i < scene->keyCount; i++)
        key = scene->keys[i]->time == time ? scene->keys[i] : key;
    bool isKnown = !qvScene_KeysFrame(scene) || (key != NULL && key->hasTransform);
    if (!scene->ground.on || !isKnown || (key != NULL && key->interp == qv_interpWave) || body->mesh->pointCount == 0)
        return false;
    double height = qvScene_GroundHeight(scene, LowestAtRest(body));
    *ground = (qvStrokeGround){ .up = { 0.0, 1.0, 0.0 }, .height = height };
    if (key == NULL || !key->hasTransform)
        return true;
    qvAffine frame = qvSceneKey_Frame(key);
    ground->up = qvMakeVec3(frame.linear[1][0], frame.linear[1][1], frame.linear[1][2]);
    ground->height = height - frame.offset.y;
    return true;
}

// What of it a stroke asks for.
static qvResult FindHolds(const qvScene* scene, const qvBody* body, double time, bool pins, bool ground, Holds* holds,
                          qvError* error)
{
    *holds = (Holds){ 0 };
    holds->hasGround = ground && FindGround(scene, body, time, &holds->ground);
    return pins ? qvFindPinned(scene, body, time, &holds->pinned, error) : qv_ok;
}

qvResult qvScene_ApplyStroke(const qvScene* scene, const qvBody* body, double time, const qvStroke* stroke,
                             const float* mask, qvPool* pool, qvVec3f* points, qvError* error)
{
    Holds holds;
    qvResult result = FindHolds(scene, body, time, stroke->pins, stroke->ground, &holds, error);
    if (result == qv_ok)
        result = ApplyHeld(body, stroke, mask, &holds, pool, points, error);
    free(holds.pinned);
    return result;
}

// The strokes of a key: what holds does so for all of them.
typedef struct StackPlace
{
    const qvBody* body;
    const Holds* holds;
    const char* label;
} StackPlace;

static qvResult ApplyStack(const StackPlace* place, const qvStrokeStack* stack, int first, int end, const qvJob* job,
                           qvVec3f* points, qvError* error)
{
    for (int i = first; i < end; i++)
    {
        const qvSceneStroke* stroke = stack->strokes[i];
        qvResult result = qvJob_Progress(job, "poses", (double)i / stack->count, error);
        if (result != qv_ok)
            return result;
        const float* mask = stroke->mask != NULL ? stroke->mask->data : NULL;
        result = ApplyHeld(place->body, &stroke->stroke, mask, place->holds, qvJob_Pool(job), points, error);
        if (result != qv_ok)
        {
            qvError_Prefix(error, "%sstrokes[%d]", place->label, i);
            return result;
        }
    }
    return qv_ok;
}

static void AddOffsets(const qvBody* body, const qvBlob* offsets, qvVec3f* points)
{
    const qvVec3f* vectors = offsets->data;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        qvVec3f offset = vectors[body->mesh->pointVertex[i]];
        points[i].x += offset.x, points[i].y += offset.y, points[i].z += offset.z;
    }
}

static qvResult TooDeep(const qvSceneKey* key, qvError* error)
{
    return qvError_Set(error, qv_badInput, "%s: its base leads back to it, over others; set one of them to rest",
                       qvSceneKey_Label(key).text);
}

static qvResult NoSuchBase(const qvSceneKey* key, qvError* error)
{
    return qvError_Set(error, qv_badInput, "%s: its base is a key that does not exist; set it to rest",
                       qvSceneKey_Label(key).text);
}

// A pose without the clip below, but for the last one, on which the strokes act where the clip has the body.
static qvResult ComputePose(const qvScene* scene, const qvBody* body, int index, int strokeCount, int depth,
                            qvPool* pool, qvVec3f* points, qvError* error)
{
    const qvSceneKey* key = scene->keys[index];
    if (depth > scene->keyCount)
        return TooDeep(key, error);
    memcpy(points, body->rest, (size_t)body->mesh->pointCount * sizeof(*points));
    if (key->base == qv_baseOffsets)
        AddOffsets(body, key->offsets, points);
    else if (key->base == qv_baseKey)
    {
        int base;
        if (qvScene_FindKey(scene, key->baseKey, &base) == NULL)
            return NoSuchBase(key, error);
        qvResult result = ComputePose(scene, body, base, -1, depth + 1, pool, points, error);
        if (result == qv_ok)
            result = qvPose_OffClip(scene, body, scene->keys[base]->time, points, error);
        if (result != qv_ok)
            return result;
    }
    qvResult moved = qvPose_OnClip(scene, body, key->time, points, error);
    if (moved != qv_ok)
        return moved;
    char label[sizeof(qvLabel) + 2];
    snprintf(label, sizeof(label), "%s: ", qvSceneKey_Label(key).text);
    qvJob job = { .pool = pool };
    int end = strokeCount < 0 || strokeCount > key->strokes.count ? key->strokes.count : strokeCount;
    Holds holds;
    qvResult result = FindHolds(scene, body, key->time, true, true, &holds, error);
    StackPlace place = { body, &holds, label };
    if (result == qv_ok)
        result = ApplyStack(&place, &key->strokes, 0, end, &job, points, error);
    free(holds.pinned);
    return result;
}

qvResult qvComputePose(const qvScene* scene, const qvBody* body, qvId key, int strokeCount, qvPool* pool,
                       qvVec3f* points, qvError* error)
{
    int index = -1;
    bool found = qvScene_FindKey(scene, key, &index) != NULL;
    QV_ASSERT(found);
    return ComputePose(scene, body, index, strokeCount, 0, pool, points, error);
}

// --- Cached --------------------------------------------------------------------------------------------------------

static qvVec3f* CopyPoints(const qvPoseMaker* maker, const qvVec3f* from, qvError* error)
{
    size_t n = (size_t)maker->body->mesh->pointCount;
    qvVec3f* points = qvAllocateRaw(n, sizeof(*points));
    if (points == NULL)
        qvError_OutOfMemory(error, (double)n * sizeof(*points));
    else
        memcpy(points, from, n * sizeof(*points));
    return points;
}

// Takes over the points.
static qvResult Keep(qvPoseMaker* maker, uint64_t hash, qvVec3f* points, qvStaged** pose, qvError* error)
{
    const qvStagedDef def = { .hash = hash, .object = points, .destroy = free };
    return qvStageCache_Add(maker->cache, &def, pose, error);
}

static qvResult MakeStack(qvPoseMaker* maker, qvStaged* base, const qvStrokeStack* strokes, const StackPlace* place,
                          qvStaged** pose, qvError* error)
{
    *pose = NULL;
    uint64_t* hashes = qvAllocate((size_t)strokes->count + 1, sizeof(*hashes));
    if (hashes == NULL)
        return qvError_OutOfMemory(error, (double)strokes->count * sizeof(*hashes));
    hashes[0] = base->hash;
    const Holds* holds = place->holds;
    uint64_t held = holds->pinned != NULL ? qvHash(holds->pinned, (size_t)maker->body->mesh->pointCount, 3) : 0;
    uint64_t ground = holds->hasGround ? qvHash(&holds->ground, sizeof(holds->ground), 4) : 0;
    for (int i = 0; i < strokes->count; i++)
    {
        hashes[i + 1] = qvHashInputs(qv_objectStroke, strokes->strokes[i], qv_stagePoses, hashes[i]);
        if (strokes->strokes[i]->stroke.pins)
            hashes[i + 1] = qvHash_Combine(hashes[i + 1], held);
        if (strokes->strokes[i]->stroke.ground)
            hashes[i + 1] = qvHash_Combine(hashes[i + 1], ground);
    }
    // The longest beginning of the stack that is known.
    int first = strokes->count;
    qvStaged* known = NULL;
    while (first > 0 && (known = qvStageCache_Find(maker->cache, hashes[first])) == NULL)
        first--;
    if (known == NULL)
        known = qvRetainStaged(base);
    uint64_t hash = hashes[strokes->count];
    free(hashes);
    if (first == strokes->count)
    {
        *pose = known;
        return qv_ok;
    }
    qvVec3f* points = CopyPoints(maker, known->object, error);
    qvReleaseStaged(known);
    if (points == NULL)
        return qv_outOfMemory;
    qvResult result = ApplyStack(place, strokes, first, strokes->count, maker->job, points, error);
    if (result == qv_ok)
        return Keep(maker, hash, points, pose, error);
    free(points);
    return result;
}

qvResult qvPoseMaker_Stack(qvPoseMaker* maker, qvStaged* base, double time, const qvStrokeStack* strokes,
                           const char* label, qvStaged** pose, qvError* error)
{
    bool pins = false, ground = false;
    *pose = NULL;
    for (int i = 0; i < strokes->count; i++)
    {
        pins = pins || strokes->strokes[i]->stroke.pins;
        ground = ground || strokes->strokes[i]->stroke.ground;
    }
    Holds holds;
    qvResult result = FindHolds(maker->scene, maker->body, time, pins, ground, &holds, error);
    StackPlace place = { maker->body, &holds, label };
    if (result == qv_ok)
        result = MakeStack(maker, base, strokes, &place, pose, error);
    free(holds.pinned);
    return result;
}

qvResult qvPoseMaker_Moved(qvPoseMaker* maker, qvStaged* base, const qvBlob* velocities, qvStaged** pose,
                           qvError* error)
{
    uint64_t hash = qvHash(velocities->data, velocities->size, qvHash_Combine(base->hash, 2));
    *pose = qvStageCache_Find(maker->cache, hash);
    if (*pose != NULL)
        return qv_ok;
    qvVec3f* points = CopyPoints(maker, base->object, error);
    if (points == NULL)
        return qv_outOfMemory;
    AddOffsets(maker->body, velocities, points);
    return Keep(maker, hash, points, pose, error);
}

// Rest, or captured displacements.
static qvResult PlainBase(qvPoseMaker* maker, const qvSceneKey* key, qvStaged** pose, qvError* error)
{
    uint64_t hash = qvHash_Combine(maker->body->hash, 1);
    if (key->base == qv_baseOffsets)
        hash = qvHash(key->offsets->data, key->offsets->size, hash);
    *pose = qvStageCache_Find(maker->cache, hash);
    if (*pose != NULL)
        return qv_ok;
    qvVec3f* points = CopyPoints(maker, maker->body->rest, error);
    if (points == NULL)
        return qv_outOfMemory;
    if (key->base == qv_baseOffsets)
        AddOffsets(maker->body, key->offsets, points);
    return Keep(maker, hash, points, pose, error);
}

// A pose on the clip at a time, or back from it.
static qvResult ChangeClip(qvPoseMaker* maker, qvStaged* from, double time, bool isOn, qvStaged** pose, qvError* error)
{
    uint64_t hash = qvHashInputs(qv_objectClip, &maker->scene->clip, qv_stageMotion, from->hash);
    hash = qvHash_Combine(qvHash(&time, sizeof(time), hash), isOn);
    *pose = qvStageCache_Find(maker->cache, hash);
    if (*pose != NULL)
        return qv_ok;
    qvVec3f* points = CopyPoints(maker, from->object, error);
    if (points == NULL)
        return qv_outOfMemory;
    qvResult result = isOn ? qvPose_OnClip(maker->scene, maker->body, time, points, error)
                           : qvPose_OffClip(maker->scene, maker->body, time, points, error);
    if (result == qv_ok)
        return Keep(maker, hash, points, pose, error);
    free(points);
    return result;
}

// Strokes of a key act where the clip below has the body at its time.
static qvResult StackOnClip(qvPoseMaker* maker, const qvSceneKey* key, qvStaged* base, const char* label,
                            qvStaged** pose, qvError* error)
{
    qvStaged *on = NULL, *posed = NULL;
    qvResult result = ChangeClip(maker, base, key->time, true, &on, error);
    if (result == qv_ok)
        result = qvPoseMaker_Stack(maker, on, key->time, &key->strokes, label, &posed, error);
    if (result == qv_ok)
        result = ChangeClip(maker, posed, key->time, false, pose, error);
    qvReleaseStaged(on);
    qvReleaseStaged(posed);
    return result;
}

// The pose of a key, or only its base. Base keys come first.
static qvResult PoseOfKey(qvPoseMaker* maker, int index, bool whole, int depth, qvStaged** pose, qvError* error)
{
    const qvSceneKey* key = maker->scene->keys[index];
    qvStaged* base = NULL;
    qvResult result;
    int other;
    *pose = NULL;
    if (depth > maker->scene->keyCount)
        return TooDeep(key, error);
    if (key->base != qv_baseKey)
        result = PlainBase(maker, key, &base, error);
    else if (qvScene_FindKey(maker->scene, key->baseKey, &other) != NULL)
        result = PoseOfKey(maker, other, true, depth + 1, &base, error);
    else
        result = NoSuchBase(key, error);
    if (result != qv_ok)
        return result;
    if (!whole)
    {
        *pose = base;
        return qv_ok;
    }
    char label[sizeof(qvLabel) + 2];
    snprintf(label, sizeof(label), "%s: ", qvSceneKey_Label(key).text);
    qvRigBase clip;
    bool isMoved = key->strokes.count > 0 && qvScene_ClipBase(maker->scene, maker->body, &clip);
    result = isMoved ? StackOnClip(maker, key, base, label, pose, error)
                     : qvPoseMaker_Stack(maker, base, key->time, &key->strokes, label, pose, error);
    qvReleaseStaged(base);
    return result;
}

qvResult qvPoseMaker_Base(qvPoseMaker* maker, int key, qvStaged** pose, qvError* error)
{
    return PoseOfKey(maker, key, false, 0, pose, error);
}

qvResult qvPoseMaker_Pose(qvPoseMaker* maker, int key, qvStaged** pose, qvError* error)
{
    return PoseOfKey(maker, key, true, 0, pose, error);
}
