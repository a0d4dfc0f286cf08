// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of the keys. Poses and the space of deformations come from their own stages; what depends on times and
// material is here: the curves.
#include "base/hash.h"
#include "base/memory.h"
#include "layer/offsets.h"
#include "math/affine.h"
#include "math/rotation.h"
#include "motion/motion.h"
#include "scene/fields.h"
#include "scene/labels.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- The definition ------------------------------------------------------------------------------------------------

// A motion's definition and what it points to.
struct qvKeysDraft
{
    qvMotionDef def;
    qvMotionKey* keys;    // [keyCount]
    qvLabel* labels;      // [keyCount]
    int32_t** only;       // [keyCount] points of partial keys
    qvMixerStrip* strips; // of the scene
    float* weights;       // per point; NULL: all 1
};

static qvMotionKind KindOf(qvInterp interp)
{
    static const qvMotionKind kinds[qv_interpCount] = {
        [qv_interpWiggly] = qv_motionWiggly, [qv_interpSmooth] = qv_motionSmooth, [qv_interpLinear] = qv_motionLinear,
        [qv_interpHold] = qv_motionHold,     [qv_interpWave] = qv_motionHold, // the waves do the rest
    };
    return kinds[interp];
}

// The velocity of the whole body that one side gives; one of every point is in the pose.
static qvVec3 Uniform(const qvSceneVelocity* velocity)
{
    return velocity->given && !qvSceneVelocity_IsField(velocity) ? velocity->value : qvMakeVec3(0.0, 0.0, 0.0);
}

static qvMotionKey MakeKey(const qvSceneKey* from)
{
    qvMotionKey key = qvDefaultMotionKey();
    key.time = from->time;
    key.kind = KindOf(from->interp), key.mode = from->velocityMode;
    if (key.mode == qv_velocitySet || key.mode == qv_velocityBroken)
    {
        key.before = Uniform(&from->before), key.after = Uniform(&from->after);
        key.givenBefore = from->before.given, key.givenAfter = from->after.given;
        key.breaksFrame = from->breaksFrame;
    }
    key.hasTransform = from->hasTransform;
    if (from->hasTransform)
        key.rotation = from->rotate, key.translation = from->translate, key.turns = from->turns;
    key.frequency = from->frequency, key.settle = from->settle;
    key.weight = from->weight;
    return key;
}

static qvResult AddOnly(const qvSolving* solving, int index, qvKeysDraft* draft, qvError* error)
{
    const qvSceneKey* from = solving->scene->keys[index];
    qvMotionKey* key = &draft->keys[index];
    qvResult result = qvVertexSet_Points(&from->only, solving->body, &draft->only[index], &key->onlyCount, error);
    if (result == qv_ok && key->onlyCount == 0)
        return qvError_Set(error, qv_badInput, "%s: only: no vertex of the mesh is in it; add some",
                           qvSceneKey_Label(from).text);
    qvSolving_Number(solving, draft->only[index], key->onlyCount);
    key->only = draft->only[index];
    return result;
}

static void AddMaterial(const qvScene* scene, qvMotionDef* def)
{
    def->material = scene->material;
    def->material.gravity = qvScale(1.0 / scene->unit, scene->material.gravity);
    def->material.wind = qvScale(1.0 / scene->unit, scene->material.wind);
    double range[2];
    qvScene_Range(scene, range);
    def->period = scene->loop ? range[1] - range[0] : 0.0;
}

// Where pins come or go the curves are split, which only a hard key of the whole body can do.
static qvResult CheckSplits(const qvSolving* solving, qvError* error)
{
    const qvScene* scene = solving->scene;
    for (int i = 0; i < scene->keyCount; i++)
    {
        bool inside = scene->loop || (i > 0 && i < scene->keyCount - 1);
        int next = (i + 1) % scene->keyCount;
        if (!inside || solving->pins.setOfKey[i] == solving->pins.setOfKey[next])
            continue;
        const qvSceneKey* key = scene->keys[i];
        if (key->partial || key->weight < INFINITY)
            return qvError_Set(error, qv_badInput,
                               "%s: %s: pins come or go at this key, which must be hard and for the whole body; "
                               "leave it out, or move the pin's from or to",
                               qvSceneKey_Label(key).text, key->partial ? "only" : "weight");
    }
    return qv_ok;
}

static qvResult FillDraft(const qvSolving* solving, qvKeysDraft* draft, qvError* error)
{
    const qvScene* scene = solving->scene;
    size_t keys = (size_t)scene->keyCount;
    draft->def = qvDefaultMotionDef();
    draft->keys = qvAllocate(keys, sizeof(*draft->keys));
    draft->only = qvAllocate(keys, sizeof(*draft->only));
    draft->labels = qvAllocate(keys, sizeof(*draft->labels));
    draft->strips = qvAllocate((size_t)scene->stripCount, sizeof(*draft->strips));
    if (draft->keys == NULL || draft->only == NULL || draft->labels == NULL || draft->strips == NULL)
        return qvError_OutOfMemory(error, (double)keys * sizeof(*draft->keys));
    for (int i = 0; i < scene->stripCount; i++)
        draft->strips[i] = scene->strips[i]->def;
    draft->def.strips = draft->strips, draft->def.stripCount = scene->stripCount;
    draft->def.keys = draft->keys, draft->def.keyCount = scene->keyCount;
    AddMaterial(scene, &draft->def);
    if (scene->weights != NULL)
    {
        draft->def.weights = draft->weights = qvMaskOfPoints(solving->body, scene->weights->data);
        if (draft->weights == NULL)
            return qvError_OutOfMemory(error, (double)solving->body->mesh->pointCount * sizeof(float));
        const qvDetail* detail = qvSolving_DetailOf(solving);
        for (int i = 0; detail != NULL && i < qvDetail_Thin(detail)->mesh->pointCount; i++)
            draft->weights[i] = draft->weights[qvDetail_Thin(detail)->points[i]];
    }
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
    {
        draft->keys[i] = MakeKey(scene->keys[i]);
        draft->labels[i] = qvSceneKey_Label(scene->keys[i]);
        draft->keys[i].label = draft->labels[i].text;
        draft->keys[i].pose = solving->list.slotOfKey[i];
        draft->keys[i].pinSet = solving->pins.setOfKey[i];
        if (scene->keys[i]->partial)
            result = AddOnly(solving, i, draft, error);
    }
    return result == qv_ok ? CheckSplits(solving, error) : result;
}

void qvFreeKeysDraft(qvKeysDraft* draft)
{
    if (draft == NULL)
        return;
    for (int i = 0; draft->only != NULL && i < draft->def.keyCount; i++)
        free(draft->only[i]);
    free(draft->only);
    free(draft->keys);
    free(draft->labels);
    free(draft->strips);
    free(draft->weights);
    free(draft);
}

// --- Its hash ------------------------------------------------------------------------------------------------------

// What a motion is made from beside the space.
static uint64_t HashMotion(const qvSolving* solving, uint64_t hash)
{
    const qvScene* scene = solving->scene;
    double period = solving->draft->def.period;
    hash = qvHash(&period, sizeof(period), hash);
    hash = qvHashField(qv_objectScene, scene, "unit", hash);
    hash = qvHashField(qv_objectScene, scene, "weights", hash);
    hash = qvHashInputs(qv_objectMaterial, &scene->material, qv_stageMotion, hash);
    for (int i = 0; i < scene->keyCount; i++)
    {
        hash = qvHashInputs(qv_objectKey, scene->keys[i], qv_stageMotion, hash);
        hash = qvHash_Combine(hash, (uint64_t)solving->list.slotOfKey[i]);
        hash = qvHash_Combine(hash, (uint64_t)solving->pins.setOfKey[i]);
    }
    for (int i = 0; i < scene->stripCount; i++)
        hash = qvHashInputs(qv_objectStrip, scene->strips[i], qv_stageMotion, qvHash_Combine(hash, (uint64_t)i));
    return hash;
}

// --- The curves ----------------------------------------------------------------------------------------------------

static void DestroyCurves(void* object)
{
    qvTakeMotion* curves = object;
    qvDestroyMotion(curves->motion);
    qvDestroyMotion(curves->smooth);
    qvFreeKeysDraft(curves->draft);
    qvDestroyDetailMotion(curves->carried);
    qvReleaseStaged(curves->rests);
    qvReleaseStaged(curves->detail);
    qvReleaseStaged(curves->space);
    pthread_mutex_destroy(&curves->lock);
    pthread_mutex_destroy(&curves->making);
    free(curves);
}

// The same keys with every strip of the mixer mute.
static qvResult MakeSmooth(qvTakeMotion* curves, qvError* error)
{
    int count = qvMotionSpace_ModeCount(curves->space->object);
    qvMixerStrip* strips = qvAllocate((size_t)count, sizeof(*strips));
    if (strips == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*strips));
    for (int i = 0; i < count; i++)
    {
        strips[i] = qvDefaultMixerStrip();
        strips[i].mode = i, strips[i].mute = true;
    }
    qvMotionDef smooth = curves->draft->def;
    smooth.strips = strips, smooth.stripCount = count;
    // On this thread: those of a pool may be waiting for what is made here.
    qvResult result = qvCreateMotion(&smooth, curves->space->object, NULL, &curves->smooth, error);
    free(strips);
    return result;
}

const qvMotion* qvTakeMotion_Smooth(const qvTakeMotion* constant)
{
    qvTakeMotion* curves = (qvTakeMotion*)constant;
    qvError error;
    pthread_mutex_lock(&curves->making);
    if (curves->smooth == NULL && MakeSmooth(curves, &error) == qv_ok)
    {
        qvFreeKeysDraft(curves->draft);
        curves->draft = NULL;
    }
    const qvMotion* smooth = curves->smooth;
    pthread_mutex_unlock(&curves->making);
    return smooth;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    qvTakeMotion* curves = qvAllocate(1, sizeof(*curves));
    if (curves == NULL)
        return qvError_OutOfMemory(error, sizeof(*curves));
    *object = curves;
    pthread_mutex_init(&curves->lock, NULL);
    pthread_mutex_init(&curves->making, NULL);
    curves->space = qvRetainStaged(solving->space);
    curves->body = solving->body;
    curves->pointCount = solving->body->mesh->pointCount;
    curves->hasBelow = qvTake_Clip(solving->take) >= 0;
    curves->below = *below;
    curves->draft = solving->draft;
    solving->draft = NULL;
    qvResult result =
        qvCreateMotion(&curves->draft->def, curves->space->object, qvJob_Pool(solving->job), &curves->motion, error);
    if (result != qv_ok || qvSolving_DetailOf(solving) == NULL)
        return result;
    curves->detail = qvRetainStaged(solving->detail);
    curves->rests = qvRetainStaged(solving->rests);
    return qvCreateDetailMotion(qvSolving_DetailOf(solving), curves->rests->object, &curves->draft->def,
                                qvJob_Pool(solving->job), &curves->carried, error);
}

void qvTakeMotion_Points(const qvTakeMotion* curves, const qvMotion* motion, double time, void* scratch, qvPool* pool,
                         qvVec3f* points)
{
    if (curves->carried != NULL)
        qvDetailMotion_Points(curves->carried, motion, time, scratch, pool, points);
    else
        qvMotion_EvaluateFloat(motion, time, scratch, pool, points);
}

size_t qvTakeMotion_ScratchSize(const qvTakeMotion* curves)
{
    return curves->carried != NULL ? qvDetailMotion_ScratchSize(curves->carried, curves->motion)
                                   : qvMotion_ScratchSize(curves->motion);
}

// --- Over a clip -----------------------------------------------------------------------------------------------------

// The frame that the keys say, without what is rigid in the poses.
static qvAffine KeyedFrame(const qvMotion* whole, double time)
{
    const qvMotion* motion = qvMotion_SectionAt(whole, &time);
    qvRigid pose = qvMotion_KeyedPose(motion, time);
    qvVec3 offset = qvSub(pose.position, qvQuat_Rotate(pose.rotation, motion->space->pivot));
    return qvAffine_FromParts(offset, pose.rotation, qvMakeVec3(1.0, 1.0, 1.0));
}

// What lies below uses the front of the scratch, the points of a frame its end.
static size_t RoundUp(size_t size)
{
    return (size + 15) / 16 * 16;
}

static size_t FrontSize(const qvTakeMotion* curves)
{
    size_t size = qvTakeMotion_ScratchSize(curves); // of the smooth ones too
    return RoundUp(curves->below.scratchSize > size ? curves->below.scratchSize : size);
}

// The curves are those of the offsets in the frame that the keys say; that acts on top.
static void OffsetPoints(const qvTakeMotion* curves, const qvMotion* motion, double time, void* scratch, qvPool* pool,
                         qvVec3f* points)
{
    qvVec3f* work = (qvVec3f*)(void*)((char*)scratch + FrontSize(curves));
    qvTakeMotion_Points(curves, motion, time, scratch, pool, points);
    qvAffine frame = KeyedFrame(motion, time);
    qvWorldToKeys(&frame, points, curves->pointCount);
    qvAddOffsets(&curves->below, curves->body->rest, time, scratch, pool, work, points);
    qvKeysToWorld(&frame, points, curves->pointCount);
}

static void WigglyPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    const qvTakeMotion* curves = context;
    OffsetPoints(curves, curves->motion, time, scratch, pool, points);
}

// Where there is no memory for the smooth curves they are not told apart from the others.
static const qvMotion* SmoothOrOwn(const qvTakeMotion* curves)
{
    const qvMotion* smooth = qvTakeMotion_Smooth(curves);
    return smooth != NULL ? smooth : curves->motion;
}

static void SmoothPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    const qvTakeMotion* curves = context;
    OffsetPoints(curves, SmoothOrOwn(curves), time, scratch, pool, points);
}

static qvAffine OffsetFrame(const void* context, double time)
{
    const qvTakeMotion* curves = context;
    return KeyedFrame(curves->motion, time);
}

static void OffsetVertices(const void* context, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    const qvTakeMotion* curves = context;
    qvVec3f* work = (qvVec3f*)(void*)((char*)scratch + FrontSize(curves));
    qvAffine frame = KeyedFrame(curves->motion, time);
    memcpy(work, points, (size_t)curves->pointCount * sizeof(*work));
    qvWorldToKeys(&frame, work, curves->pointCount);
    curves->below.vertices(curves->below.context, time, work, scratch, vertices);
    qvKeysToWorld(&frame, vertices, curves->body->mesh->vertexCount);
}

static qvBaseMotion OffsetMotion(const qvTakeMotion* curves, bool isSmooth)
{
    return (qvBaseMotion){ .context = curves,
                           .pointCount = curves->pointCount,
                           .scratchSize = FrontSize(curves) + (size_t)curves->pointCount * sizeof(qvVec3f),
                           .points = isSmooth ? SmoothPoints : WigglyPoints,
                           .frame = OffsetFrame,
                           .vertices = curves->below.vertices != NULL ? OffsetVertices : NULL };
}

// --- The layer -----------------------------------------------------------------------------------------------------

static qvResult CheckLoop(const qvScene* scene, qvError* error)
{
    double range[2];
    qvScene_Range(scene, range);
    for (int i = 0; scene->loop && i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        if (key->time < range[0] || key->time >= range[1])
            return qvError_Set(error, qv_badInput,
                               "%s is not inside the loop, which starts at %g s and repeats at %g s; move the key "
                               "or change the range",
                               qvSceneKey_Label(key).text, range[0], range[1]);
    }
    return qv_ok;
}

static int CountIn(const qvSolving* solving)
{
    return solving->scene->keyCount > 0;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index;
    qvResult result = qvSolving_Poses(solving, error);
    if (result == qv_ok)
        result = qvSolving_Space(solving, error);
    if (result == qv_ok)
        result = CheckLoop(solving->scene, error);
    if (result != qv_ok)
        return result;
    solving->draft = qvAllocate(1, sizeof(*solving->draft));
    if (solving->draft == NULL)
        return qvError_OutOfMemory(error, sizeof(*solving->draft));
    result = FillDraft(solving, solving->draft, error);
    if (result == qv_ok)
        *hash = HashMotion(solving, qvHash_Combine(*hash, solving->space->hash));
    return result;
}

static void CarriedPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    const qvTakeMotion* curves = context;
    qvTakeMotion_Points(curves, curves->motion, time, scratch, pool, points);
}

static qvAffine CarriedFrame(const void* context, double time)
{
    const qvTakeMotion* curves = context;
    return qvMotion_Frame(curves->motion, time);
}

static void CarriedVelocities(const void* context, double time, void* scratch, double* velocities)
{
    const qvTakeMotion* curves = context;
    qvDetailMotion_Velocities(curves->carried, curves->motion, time, scratch, velocities);
}

static qvBaseMotion Motion(const void* object)
{
    const qvTakeMotion* curves = object;
    if (curves->hasBelow)
        return OffsetMotion(curves, false);
    if (curves->carried == NULL)
        return qvMakeMotionBase(curves->motion, curves->pointCount);
    return (qvBaseMotion){ .context = curves,
                           .pointCount = curves->pointCount,
                           .scratchSize = qvTakeMotion_ScratchSize(curves),
                           .points = CarriedPoints,
                           .frame = CarriedFrame,
                           .velocities = CarriedVelocities };
}

static void PlainPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    qvTakeMotion_Points(context, SmoothOrOwn(context), time, scratch, pool, points);
}

static qvAffine PlainFrame(const void* context, double time)
{
    return qvMotion_Frame(SmoothOrOwn(context), time);
}

static qvBaseMotion Plain(const void* object)
{
    const qvTakeMotion* curves = object;
    if (curves->hasBelow)
        return OffsetMotion(curves, true);
    return (qvBaseMotion){ .context = curves,
                           .pointCount = curves->pointCount,
                           .scratchSize = qvTakeMotion_ScratchSize(curves),
                           .points = PlainPoints,
                           .frame = PlainFrame };
}

const qvLayerKind qvKeysLayer = {
    .tag = "keys",
    .label = "Keys",
    .help = "The physically best motion through the poses.",
    .version = 1,
    .traits = qv_layerBase,
    .stage = qv_stageMotion,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = DestroyCurves,
    .motion = Motion,
    .plain = Plain,
};
