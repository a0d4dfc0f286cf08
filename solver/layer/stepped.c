// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/stepped.h"

#include "base/assert.h"
#include "base/memory.h"
#include "layer/hand_over.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    CHECKPOINT_FRAMES = qv_stepFrameRate / 2, // between saved states
    ALIGNMENT = 64,
    PATIENCE = 20000000, // ns between looks at what another program writes
    NONE = INT_MAX,
};

struct qvStepped
{
    const qvEngine* engine;
    qvEngineInput input;
    qvStepped* before; // NULL: none
    void* startState;  // of that one at its end
    void* model;
    qvStepCache* cache;
    int values, frames; // of a frame; of the whole span, with one beyond its end

    pthread_mutex_t lock; // of the run
    void* run;            // NULL: not begun
    int runFrame;
    qvHandOver handOver;   // at the end of the span
    atomic_bool handsOver; // that is measured
    atomic_bool isDone;    // all frames are there, and what to hand over
    atomic_int* lost;      // the first frame that could not be read although it is there; NONE: all could
};

static size_t Aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int qvStepped_FrameAfter(double seconds)
{
    double frame = floor(seconds * qv_stepFrameRate - 1e-9) + 1.0;
    return frame < 0.0 ? 0 : (int)fmin(frame, INT_MAX);
}

static double End(const qvStepped* stepped)
{
    return stepped->input.def.until;
}

// The last frame that is not beyond the end of the span.
static int EndFrame(const qvStepped* stepped)
{
    const qvSimulationDef* def = &stepped->input.def;
    return (int)floor((def->until - def->time) * qv_stepFrameRate + 1e-9);
}

// --- Between frames ------------------------------------------------------------------------------------------------

static size_t FrameBytes(const qvStepped* stepped)
{
    return Aligned(2 * (size_t)stepped->values * sizeof(float));
}

// The disk may fail later, or somebody change the file: from this frame on the motion is not known any more.
static void Lose(const qvStepped* stepped, int frame)
{
    int before = atomic_load(stepped->lost);
    while (frame < before && !atomic_compare_exchange_weak(stepped->lost, &before, frame))
        ;
}

static bool Read(const qvStepped* stepped, int frame, float* numbers)
{
    bool isRead = qvStepCache_Read(stepped->cache, frame, numbers);
    if (!isRead)
        Lose(stepped, frame);
    return isRead;
}

// Values at a time of the span from the frames on both sides, which go into scratch. False when they are not there.
static bool Interpolate(const qvStepped* stepped, double time, void* scratch, float* values)
{
    double at = (time - stepped->input.def.time) * qv_stepFrameRate;
    int count = qvStepCache_Count(stepped->cache), last = stepped->frames - 2;
    int frame = at < 0.0 ? 0 : at > last ? last : (int)at;
    if (frame + 1 >= count)
        return false;
    float *a = scratch, *b = (float*)((char*)scratch + FrameBytes(stepped));
    if (!Read(stepped, frame, a) || !Read(stepped, frame + 1, b))
        return false;
    double u = at - frame, v = 1.0 - u, step = 1.0 / qv_stepFrameRate;
    double ofA = v * v * (1.0 + 2.0 * u), ofB = u * u * (1.0 + 2.0 * v);
    double ofRateA = step * u * v * v, ofRateB = -step * u * u * v;
    int n = stepped->values;
    for (int i = 0; i < n; i++)
        values[i] = (float)(ofA * a[i] + ofB * b[i] + ofRateA * a[n + i] + ofRateB * b[n + i]);
    return true;
}

// Scratch: two frames, values, then what the engine or the motion below needs.
static bool Simulated(const qvStepped* stepped, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    float* values = (float*)((char*)scratch + 2 * FrameBytes(stepped));
    void* own = (char*)scratch + 3 * FrameBytes(stepped);
    if (!Interpolate(stepped, time, scratch, values))
        return false;
    stepped->engine->points(stepped->model, time, values, own, pool, points);
    return true;
}

// --- Fading back ---------------------------------------------------------------------------------------------------

// points: of the motion below, which go to scratch.
static void FadeBack(const qvStepped* stepped, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    qvVec3f* below = (qvVec3f*)(void*)((char*)scratch + 3 * FrameBytes(stepped));
    memcpy(below, points, (size_t)stepped->input.mesh->pointCount * sizeof(*below));
    qvHandOver_Fade(&stepped->handOver, time - End(stepped), stepped->input.def.blend, below, pool, points);
}

// --- The motion ----------------------------------------------------------------------------------------------------

static bool IsBelow(const qvStepped* stepped, double time)
{
    const qvSimulationDef* def = &stepped->input.def;
    return time < def->time || (!def->hold && time >= def->until + def->blend);
}

static void Points(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points);

static void Below(const qvStepped* stepped, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    if (stepped->before != NULL && time < stepped->input.def.time)
    {
        Points(stepped->before, time, scratch, pool, points);
        return;
    }
    const qvBaseMotion* below = &stepped->input.below;
    below->points(below->context, time, (char*)scratch + 3 * FrameBytes(stepped), pool, points);
}

static void Points(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    const qvStepped* stepped = context;
    bool fades = time > End(stepped) && !stepped->input.def.hold;
    if (!IsBelow(stepped, time) && !fades && Simulated(stepped, fmin(time, End(stepped)), scratch, pool, points))
        return;
    Below(stepped, time, scratch, pool, points);
    if (!IsBelow(stepped, time) && fades && atomic_load(&stepped->handsOver))
        FadeBack(stepped, time, scratch, pool, points);
}

static void Vertices(const void* context, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    const qvStepped* stepped = context;
    const qvBaseMotion* below = &stepped->input.below;
    if (stepped->before != NULL && time < stepped->input.def.time)
        Vertices(stepped->before, time, points, scratch, vertices);
    else if (below->vertices != NULL && IsBelow(stepped, time))
        below->vertices(below->context, time, points, (char*)scratch + 3 * FrameBytes(stepped), vertices);
    else
        qvMesh_ScatterPoints(stepped->input.mesh, points, vertices);
}

static double OwnChange(const qvStepped* stepped)
{
    const qvEngine* engine = stepped->engine;
    if (engine->extract == NULL)
        return INFINITY;
    return engine->changesFrom != NULL ? engine->changesFrom(stepped->model) : stepped->input.def.time;
}

double qvStepped_ChangesFrom(const qvStepped* stepped)
{
    double before = stepped->before != NULL ? qvStepped_ChangesFrom(stepped->before) : INFINITY;
    return fmin(OwnChange(stepped), before);
}

// Where frames are missing the motion is the one below, with the body's mesh.
static qvResult Extract(const void* context, double time, const qvVec3f* points, void* scratch, qvPool* pool,
                        qvMesh** mesh, qvError* error)
{
    const qvStepped* stepped = context;
    *mesh = NULL;
    if (stepped->before != NULL && time < stepped->input.def.time)
        return Extract(stepped->before, time, points, scratch, pool, mesh, error);
    bool isOver = time > End(stepped) && !stepped->input.def.hold;
    if (time < OwnChange(stepped) || IsBelow(stepped, time) || isOver)
        return qv_ok;
    float* values = (float*)((char*)scratch + 2 * FrameBytes(stepped));
    double at = fmin(time, End(stepped));
    if (!Interpolate(stepped, at, scratch, values))
        return qv_ok;
    return stepped->engine->extract(stepped->model, at, values, points, pool, mesh, error);
}

qvBaseMotion qvStepped_Motion(const qvStepped* stepped)
{
    size_t own = stepped->engine->scratchSize(stepped->model), below = stepped->input.below.scratchSize;
    size_t fading = (size_t)stepped->input.mesh->pointCount * sizeof(qvVec3f);
    size_t most = own > below ? own : below;
    size_t size = 3 * FrameBytes(stepped) + (most > fading ? most : fading);
    size_t before = stepped->before != NULL ? qvStepped_Motion(stepped->before).scratchSize : 0;
    return (qvBaseMotion){ .context = stepped,
                           .pointCount = stepped->input.mesh->pointCount,
                           .scratchSize = size > before ? size : before,
                           .points = Points,
                           .vertices = Vertices,
                           .extract = isfinite(qvStepped_ChangesFrom(stepped)) ? Extract : NULL,
                           .changesFrom = qvStepped_ChangesFrom(stepped) };
}

// --- Channels --------------------------------------------------------------------------------------------------------

static int ChannelOf(const qvEngine* engine, const char* tag)
{
    for (int i = 0; i < engine->channelCount; i++)
    {
        if (strcmp(engine->channels[i].tag, tag) == 0)
            return i;
    }
    return -1;
}

// Whether the body is where the engine has it: in the span, and afterwards while it holds.
static bool IsIn(const qvStepped* stepped, double time)
{
    const qvSimulationDef* def = &stepped->input.def;
    return time >= def->time && (def->hold || time <= def->until);
}

int qvStepped_ShownCount(const qvStepped* stepped, const char* tag, double time)
{
    bool isThere = IsIn(stepped, time) && ChannelOf(stepped->engine, tag) >= 0;
    return isThere ? stepped->engine->shownCount(stepped->model) : 0;
}

bool qvStepped_Show(const qvStepped* stepped, const char* tag, double time, void* scratch, qvShownPoints* shown)
{
    const qvEngine* engine = stepped->engine;
    int channel = ChannelOf(engine, tag);
    float* values = (float*)((char*)scratch + 2 * FrameBytes(stepped));
    double at = fmin(time, End(stepped));
    QV_ASSERT(channel >= 0);
    if (!Interpolate(stepped, at, scratch, values))
        return false;
    shown->channel = &engine->channels[channel];
    shown->count = engine->shownCount(stepped->model);
    shown->radius = engine->shownRadius(stepped->model);
    shown->arrows = engine->channels[channel].hasArrows ? shown->arrows : NULL;
    engine->show(stepped->model, channel, at, values, (char*)scratch + 3 * FrameBytes(stepped), shown->points,
                 shown->values, shown->arrows);
    return true;
}

// --- The end of the span -------------------------------------------------------------------------------------------

// From where the simulation and the motion below are around the end.
static qvResult MeasureEnd(qvStepped* stepped, qvError* error)
{
    size_t n = (size_t)stepped->input.mesh->pointCount;
    qvVec3f* points = qvAllocateRaw(6 * n, sizeof(*points));
    void* scratch = qvAllocateRaw(1, qvStepped_Motion(stepped).scratchSize);
    qvResult result = qv_ok;
    if (points == NULL || scratch == NULL)
        result = qvError_OutOfMemory(error, 72.0 * (double)n);
    qvHandOverMoment simulated, below;
    for (size_t i = 0; result == qv_ok && i < 3; i++)
    {
        double time = End(stepped) + ((double)i - 1.0) * qvHandOver_Near;
        simulated.at[i] = points + i * n, below.at[i] = points + (3 + i) * n;
        Below(stepped, time, scratch, NULL, below.at[i]);
        if (!Simulated(stepped, time, scratch, NULL, simulated.at[i]))
            result = qvError_Set(error, qv_ioFailed,
                                 "the frames of a simulation were changed by another program while it ran; try again");
    }
    if (result == qv_ok)
        result = qvHandOver_Measure(&stepped->handOver, &simulated, &below, error);
    free(points);
    free(scratch);
    return result;
}

// --- Stepping ------------------------------------------------------------------------------------------------------

static void EndRun(qvStepped* stepped)
{
    if (stepped->run != NULL)
        stepped->engine->end(stepped->run);
    stepped->run = NULL;
}

// A run at the newest state that was saved, or at the start.
static qvResult Begin(qvStepped* stepped, void* state, qvError* error)
{
    stepped->run = stepped->engine->begin(stepped->model);
    if (stepped->run == NULL)
        return qvError_OutOfMemory(error, (double)stepped->engine->stateSize(stepped->model));
    int frame = qvStepCache_LoadState(stepped->cache, state);
    stepped->runFrame = frame > 0 ? frame : 0;
    qvResult result = frame > 0 ? stepped->engine->load(stepped->run, state, error) : qv_ok;
    if (result != qv_ok)
        EndRun(stepped);
    return result;
}

// Adds the frame that the run is at, unless a cache had it already.
static qvResult Keep(qvStepped* stepped, float* frame, void* state, qvError* error)
{
    if (stepped->runFrame < qvStepCache_Count(stepped->cache))
        return qv_ok;
    stepped->engine->sample(stepped->run, frame, frame + stepped->values);
    for (int i = 0; i < 2 * stepped->values; i++)
    {
        if (!isfinite(frame[i]))
            return qvError_Set(
                error, qv_badInput,
                "the %s simulation broke down %g s after its start; make it softer or calmer, or give it "
                "more detail",
                stepped->engine->label, (double)stepped->runFrame / qv_stepFrameRate);
    }
    qvResult result = qvStepCache_Append(stepped->cache, frame, error);
    if (result == qv_ok && stepped->runFrame > 0 && stepped->runFrame % CHECKPOINT_FRAMES == 0 &&
        stepped->runFrame <= EndFrame(stepped))
    {
        stepped->engine->save(stepped->run, state);
        qvStepCache_SaveState(stepped->cache, stepped->runFrame, state);
    }
    return result;
}

// A step of the run, and its frame.
static qvResult StepOnce(qvStepped* stepped, float* numbers, void* state, const qvJob* job, qvError* error)
{
    qvResult result =
        qvJob_Progress(job, stepped->engine->label, (double)stepped->runFrame / (stepped->frames - 1), error);
    if (result == qv_ok)
        result = stepped->engine->step(stepped->run, 1.0 / qv_stepFrameRate, job, error);
    if (result == qv_ok)
    {
        stepped->runFrame++;
        return Keep(stepped, numbers, state, error);
    }
    if (result != qv_cancelled)
        EndRun(stepped);
    return result;
}

// Waits until another program that writes the frames has come as far, or has ended.
static qvResult WaitForOthers(qvStepped* stepped, int frame, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    while (result == qv_ok && !qvStepCache_Claim(stepped->cache))
    {
        qvStepCache_Refresh(stepped->cache);
        int count = qvStepCache_Count(stepped->cache);
        if (count > frame)
            return qv_ok;
        result = qvJob_Progress(job, stepped->engine->label, (double)count / stepped->frames, error);
        nanosleep(&(struct timespec){ .tv_nsec = PATIENCE }, NULL);
    }
    int before = qvStepCache_Count(stepped->cache);
    qvStepCache_Refresh(stepped->cache);
    if (qvStepCache_Count(stepped->cache) > before)
        EndRun(stepped); // the other's state is newer than this run
    return result;
}

static qvResult StepTo(qvStepped* stepped, int frame, const qvJob* job, qvError* error)
{
    float* numbers = qvAllocateRaw(2 * (size_t)stepped->values, sizeof(*numbers));
    void* state = qvAllocateRaw(1, stepped->engine->stateSize(stepped->model));
    qvResult result = WaitForOthers(stepped, frame, job, error);
    bool steps = qvStepCache_Count(stepped->cache) <= frame;
    if (result == qv_ok && (numbers == NULL || state == NULL))
        result = qvError_OutOfMemory(error, (double)stepped->engine->stateSize(stepped->model));
    if (result == qv_ok && steps && stepped->run == NULL)
        result = Begin(stepped, state, error);
    if (result == qv_ok && steps)
        result = Keep(stepped, numbers, state, error);
    while (result == qv_ok && qvStepCache_Count(stepped->cache) <= frame)
        result = StepOnce(stepped, numbers, state, job, error);
    qvStepCache_Release(stepped->cache);
    free(numbers);
    free(state);
    return result;
}

static bool HasLost(const qvStepped* stepped)
{
    return atomic_load(stepped->lost) != NONE;
}

// What has been lost is stepped again.
static void FindLost(qvStepped* stepped)
{
    if (!HasLost(stepped))
        return;
    EndRun(stepped);
    atomic_store(&stepped->isDone, false);
    qvStepCache_Recount(stepped->cache);
    atomic_store(stepped->lost, NONE);
}

// At the last frame.
static qvResult Finish(qvStepped* stepped, qvError* error)
{
    qvResult result = atomic_load(&stepped->handsOver) ? qv_ok : MeasureEnd(stepped, error);
    if (result == qv_ok)
        atomic_store(&stepped->handsOver, true);
    atomic_store(&stepped->isDone, result == qv_ok);
    EndRun(stepped);
    return result;
}

qvResult qvStepped_Advance(qvStepped* stepped, double time, const qvJob* job, qvError* error)
{
    if (atomic_load(&stepped->isDone) && !HasLost(stepped))
        return qv_ok;
    double at = ceil((time - stepped->input.def.time) * qv_stepFrameRate);
    int last = stepped->frames - 1, frame = at < 0.0 ? 0 : at > last ? last : (int)at;
    if (time > End(stepped))
        frame = last;
    pthread_mutex_lock(&stepped->lock);
    FindLost(stepped);
    qvResult result = qv_ok;
    if (qvStepCache_Count(stepped->cache) <= frame)
        result = StepTo(stepped, frame, job, error);
    if (result == qv_ok && frame == last && !atomic_load(&stepped->isDone))
        result = Finish(stepped, error);
    pthread_mutex_unlock(&stepped->lock);
    return result;
}

// The state at the very end of the span, from the newest one that was saved.
static qvResult FindEndState(qvStepped* stepped, void* state, const qvJob* job, qvError* error)
{
    const qvEngine* engine = stepped->engine;
    const qvSimulationDef* def = &stepped->input.def;
    int last = EndFrame(stepped);
    double rest = def->until - def->time - (double)last / qv_stepFrameRate;
    pthread_mutex_lock(&stepped->lock);
    EndRun(stepped);
    qvResult result = Begin(stepped, state, error);
    for (; result == qv_ok && stepped->runFrame < last; stepped->runFrame++)
        result = engine->step(stepped->run, 1.0 / qv_stepFrameRate, job, error);
    if (result == qv_ok && rest > 1e-9)
        result = engine->step(stepped->run, rest, job, error);
    if (result == qv_ok)
        engine->save(stepped->run, state);
    EndRun(stepped);
    pthread_mutex_unlock(&stepped->lock);
    return result;
}

qvBaseMotion qvStepped_Below(const qvStepped* stepped)
{
    return stepped->input.below;
}

double qvStepped_ValidUntil(const qvStepped* stepped)
{
    int count = qvStepCache_Count(stepped->cache), lost = atomic_load(stepped->lost);
    if (atomic_load(&stepped->isDone) && lost == NONE)
        return INFINITY;
    count = count < lost ? count : lost;
    double known = stepped->input.def.time + (double)(count > 0 ? count - 1 : 0) / qv_stepFrameRate;
    return fmin(known, End(stepped));
}

void qvStepped_Span(const qvStepped* stepped, double span[2])
{
    const qvSimulationDef* def = &stepped->input.def;
    span[0] = def->time, span[1] = def->hold ? INFINITY : def->until + def->blend;
}

double qvStepped_ImpactWaves(const qvStepped* stepped)
{
    return stepped->input.def.impacts;
}

qvResult qvStepped_Impacts(const qvStepped* stepped, double until, qvImpact** impacts, int* count, qvError* error)
{
    QV_ARRAY(qvImpact) found = { 0 };
    int frames = qvStepCache_Count(stepped->cache), end = EndFrame(stepped) + 1;
    float* values = qvAllocateRaw(2 * (size_t)stepped->values, sizeof(*values));
    qvResult result = values != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * stepped->values);
    for (int i = 0; result == qv_ok && stepped->engine->impacts != NULL && i < frames && i < end; i++)
    {
        qvImpact some[qv_mostImpacts];
        bool isRead = qvStepCache_Read(stepped->cache, i, values); // else what follows is not known either
        int more = isRead ? stepped->engine->impacts(stepped->model, values, some) : 0;
        for (int k = 0; result == qv_ok && k < more; k++)
        {
            if (some[k].time < until && !QV_PUSH(found, some[k]))
                result = qvError_OutOfMemory(error, sizeof(*some));
        }
    }
    free(values);
    if (result != qv_ok)
        free(found.items);
    *impacts = result == qv_ok ? found.items : NULL, *count = result == qv_ok ? found.count : 0;
    return result;
}

double qvStepped_Bytes(const qvStepped* stepped)
{
    return qvStepCache_Bytes(stepped->cache);
}

// --- Making --------------------------------------------------------------------------------------------------------

// Takes over the state of the simulation before.
static qvResult Follow(qvStepped* stepped, const qvJob* job, qvError* error)
{
    qvStepped* before = stepped->before;
    if (before == NULL)
        return qv_ok;
    QV_ASSERT(before->engine == stepped->engine && before->input.def.until == stepped->input.def.time);
    size_t size = before->engine->stateSize(before->model);
    stepped->startState = qvAllocate(1, size);
    if (stepped->startState == NULL)
        return qvError_OutOfMemory(error, (double)size);
    stepped->input.before = before->model, stepped->input.beforeState = stepped->startState;
    return FindEndState(before, stepped->startState, job, error);
}

// A body that has changed does not come back to its mesh.
static qvResult CheckChange(const qvStepped* stepped, qvError* error)
{
    const qvSimulationDef* def = &stepped->input.def;
    if (stepped->before == NULL || OwnChange(stepped) <= def->time ||
        !(qvStepped_ChangesFrom(stepped->before) < def->time))
        return qv_ok;
    return qvError_Set(error, qv_badInput,
                       "it takes over a body that has changed its topology at %g s and must be free to change it too",
                       qvStepped_ChangesFrom(stepped->before));
}

static const double GIGABYTE = 1024.0 * 1024.0 * 1024.0;

// The frames of the whole run must have room.
static qvResult CheckRoom(const qvStepped* stepped, const qvSteppedDef* from, qvError* error)
{
    double most = from->mostBytes;
    const qvSimulationDef* def = &stepped->input.def;
    double bytes = (double)stepped->frames * 2.0 * stepped->values * sizeof(float);
    if (!(most > 0.0) || bytes <= most)
        return qv_ok;
    return qvError_Set(error, qv_badInput,
                       "its %g s would take %.1f GB of frames, and there is room for %.1f GB; end it %g s after its "
                       "start, lower its detail, or %s",
                       def->until - def->time, bytes / GIGABYTE, most / GIGABYTE,
                       floor((def->until - def->time) * most / bytes), from->moreRoom);
}

qvResult qvCreateStepped(const qvSteppedDef* def, const qvJob* job, qvStepped** out, qvError* error)
{
    const qvSimulationDef* span = &def->input.def;
    QV_ASSERT(isfinite(span->time) && isfinite(span->until) && span->until > span->time);
    *out = NULL;
    qvStepped* stepped = qvAllocate(1, sizeof(*stepped));
    if (stepped == NULL)
        return qvError_OutOfMemory(error, sizeof(*stepped));
    stepped->engine = def->engine, stepped->input = def->input, stepped->before = def->before;
    pthread_mutex_init(&stepped->lock, NULL);
    stepped->lost = qvAllocate(1, sizeof(*stepped->lost));
    if (stepped->lost != NULL)
        atomic_init(stepped->lost, NONE);
    // The end, and a frame beyond it: velocities there need both sides.
    stepped->frames = (int)ceil((span->until - span->time) * qv_stepFrameRate - 1e-9) + 2;
    qvResult result = stepped->lost != NULL ? Follow(stepped, job, error) : qvError_OutOfMemory(error, sizeof(int));
    if (result == qv_ok)
        result = def->engine->create(&stepped->input, job, &stepped->model, error);
    if (result == qv_ok)
        result = CheckChange(stepped, error);
    if (result == qv_ok)
        result = qvHandOver_Open(&stepped->handOver, stepped->input.topology, error);
    if (result == qv_ok)
    {
        stepped->values = def->engine->valueCount(stepped->model);
        result = CheckRoom(stepped, def, error);
    }
    if (result == qv_ok)
    {
        qvStepCacheDef cache = { .parts = def->parts,
                                 .partCount = def->partCount,
                                 .frameSize = 2 * stepped->values,
                                 .frameLimit = stepped->frames,
                                 .stateSize = def->engine->stateSize(stepped->model),
                                 .stateEvery = CHECKPOINT_FRAMES,
                                 .fileMode = def->fileMode,
                                 .makeRoom = def->makeRoom,
                                 .roomContext = def->roomContext };
        result = qvCreateStepCache(&cache, &stepped->cache, error);
    }
    if (result == qv_ok)
        *out = stepped;
    else
        qvDestroyStepped(stepped);
    return result;
}

void qvDestroyStepped(qvStepped* stepped)
{
    if (stepped == NULL)
        return;
    EndRun(stepped);
    qvDestroyStepCache(stepped->cache);
    if (stepped->model != NULL)
        stepped->engine->destroy(stepped->model);
    qvHandOver_Close(&stepped->handOver);
    free(stepped->startState);
    free(stepped->lost);
    pthread_mutex_destroy(&stepped->lock);
    free(stepped);
}
