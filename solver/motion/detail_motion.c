// SPDX-License-Identifier: GPL-3.0-or-later
// Rests over time, and all points of a motion that is solved on few.
#include "base/memory.h"
#include "math/mat3.h"
#include "motion/detail_build.h"
#include "motion/motion.h"
#include "motion/soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GRAIN = 1024,
    TOGETHER = 32, // fields whose shares are solved for together
};

static const double LITTLE = 1e-6;       // of the largest share in a rate: what is less is left out
static const double STEP = 1e-4;         // of the size that points move in a difference
static const double LONGEST_STEP = 1e-3; // s

// The keys of the whole body, with the rests there. A field that is NULL is zero.
struct qvDetailMotion
{
    const qvDetail* detail;
    const qvDetailRests* rests;
    int count;
    double* times;
    qvKnot* knots;
    double* kappa; // how soft keys attract; NULL without
    qvWigglySide* sides[2];
    const qvVec3f** given[3]; // the pose's rests, and rates that are given before and after
    double period, rate;      // 1/s, how fast rests come to a stop after the last key
    const qvVec3f** values;
    const qvVec3f** rates[2];
    QV_ARRAY(qvVec3f*) owned;
};

void qvDestroyDetailMotion(qvDetailMotion* motion)
{
    if (motion == NULL)
        return;
    for (int i = 0; i < motion->owned.count; i++)
        free(motion->owned.items[i]);
    free(motion->owned.items);
    free(motion->times);
    free(motion->knots);
    free(motion->kappa);
    free(motion->sides[0]);
    for (int k = 0; k < 3; k++)
        free(motion->given[k]);
    free(motion->values);
    free(motion->rates[0]);
    free(motion->rates[1]);
    free(motion);
}

// --- Knots ----------------------------------------------------------------------------------------------------------

static bool Allocate(size_t count, qvDetailMotion* motion)
{
    motion->times = qvAllocate(count, sizeof(*motion->times));
    motion->knots = qvAllocate(count, sizeof(*motion->knots));
    motion->sides[0] = qvAllocate(2 * count, sizeof(*motion->sides[0]));
    motion->values = qvAllocate(count, sizeof(*motion->values));
    bool done = motion->times != NULL && motion->knots != NULL && motion->sides[0] != NULL && motion->values != NULL;
    for (int k = 0; k < 3; k++)
    {
        motion->given[k] = qvAllocate(count, sizeof(*motion->given[k]));
        done = done && motion->given[k] != NULL;
    }
    for (int k = 0; k < 2; k++)
    {
        motion->rates[k] = qvAllocate(count, sizeof(*motion->rates[k]));
        done = done && motion->rates[k] != NULL;
    }
    return done;
}

// A key that breaks only the path of the body says nothing of its shape.
static qvKnot ShapeKnot(const qvMotionKey* key)
{
    qvKnot knot = qvMotion_Knot(key);
    if (knot.mode == qv_velocityBroken && key->breaksFrame)
        knot.mode = qv_velocityFree;
    return knot;
}

static void AddKnot(const qvMotionKey* key, qvDetailMotion* motion)
{
    int i = motion->count++;
    const qvVec3f* const* fields = (const qvVec3f* const*)motion->rests->fields + 3 * (size_t)key->pose;
    motion->times[i] = key->time;
    motion->knots[i] = ShapeKnot(key);
    motion->given[0][i] = fields[0];
    if (motion->knots[i].mode == qv_velocitySet)
        motion->given[1][i] = motion->given[2][i] = fields[2];
    for (int side = 0; side < 2 && motion->knots[i].mode == qv_velocityBroken; side++)
        motion->given[1 + side][i] = motion->knots[i].given[side] ? fields[1 + side] : NULL;
}

static bool AddSoftness(const qvMotionDef* def, qvDetailMotion* motion)
{
    double anchor = qvMotion_Anchor(def);
    bool any = false;
    motion->kappa = qvAllocate((size_t)def->keyCount, sizeof(*motion->kappa));
    for (int i = 0, k = 0; motion->kappa != NULL && i < def->keyCount; i++)
    {
        const qvMotionKey* key = &def->keys[i];
        if (key->onlyCount > 0)
            continue;
        bool isSoft = qvMotion_IsSoft(key);
        any = any || isSoft;
        motion->kappa[k] = isSoft ? qvMotion_SoftWeight(def, key->weight, anchor) : INFINITY;
        if (isSoft && k == 0 && motion->period <= 0.0)
            motion->kappa[k] = fmax(motion->kappa[k], qvMotion_SoftWeight(def, 1.0, anchor));
        k++;
    }
    bool done = motion->kappa != NULL;
    if (!any)
    {
        free(motion->kappa);
        motion->kappa = NULL;
    }
    return done;
}

// --- Shares ---------------------------------------------------------------------------------------------------------

// to += share from
typedef struct Sum
{
    qvVec3f* to;
    const qvVec3f* from;
    float share;
} Sum;

typedef struct Sums
{
    QV_ARRAY(Sum) list;
} Sums;

static void AddUp(void* context, int begin, int end)
{
    const Sums* sums = context;
    for (int i = 0; i < sums->list.count; i++)
    {
        const Sum* sum = &sums->list.items[i];
        for (int p = begin; p < end; p++)
        {
            sum->to[p].x += sum->share * sum->from[p].x;
            sum->to[p].y += sum->share * sum->from[p].y;
            sum->to[p].z += sum->share * sum->from[p].z;
        }
    }
}

static bool AddShare(qvDetailMotion* motion, const qvVec3f** field, const qvVec3f* from, double share, Sums* sums)
{
    if (*field == NULL)
    {
        qvVec3f* made = qvAllocate((size_t)motion->detail->pointCount, sizeof(*made));
        if (made == NULL || !QV_PUSH(motion->owned, made))
        {
            free(made);
            return false;
        }
        *field = made;
    }
    Sum sum = { (qvVec3f*)(uintptr_t)*field, from, (float)share };
    return QV_PUSH(sums->list, sum);
}

// What fields are given at knots, each once.
static bool ListFields(const qvDetailMotion* motion, const qvVec3f** fields, int* count)
{
    *count = 0;
    for (int f = 0; f < 3 * motion->rests->poseCount; f++)
    {
        const qvVec3f* field = motion->rests->fields[f];
        bool isGiven = false;
        for (int i = 0; field != NULL && !isGiven && i < motion->count; i++)
            isGiven = motion->given[0][i] == field || motion->given[1][i] == field || motion->given[2][i] == field;
        if (isGiven)
            fields[(*count)++] = field;
    }
    return *count > 0;
}

static qvResult SolveShares(const qvDetailMotion* motion, int width, const qvWigglySolution* s, qvError* error)
{
    double zeros[TOGETHER] = { 0.0 };
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = motion->count, def.times = motion->times, def.period = motion->period;
    def.modeCount = width, def.lambda = zeros, def.delta = zeros;
    def.first = motion->sides[1][0], def.last = motion->sides[0][motion->count - 1];
    def.before = motion->sides[0], def.after = motion->sides[1];
    def.weights = motion->kappa;
    qvWigglyPlan* plan;
    qvResult result = qvCreateWigglyPlan(&def, &plan, error);
    if (result != qv_ok)
        return result;
    qvWigglyData data = { s->values, s->before, s->after, NULL };
    result = qvWigglyPlan_Solve(plan, &data, s, error);
    qvDestroyWigglyPlan(plan);
    return result;
}

static double LargestShare(const double* row, int width)
{
    double largest = 0.0;
    for (int c = 0; c < width; c++)
        largest = fmax(largest, fabs(row[c]));
    return largest;
}

// Rests and rates at the knots from a few of the fields.
static bool AddFields(qvDetailMotion* motion, const qvVec3f* const* fields, int width, const qvWigglySolution* s,
                      Sums* sums)
{
    const double* rows[3] = { s->values, s->before, s->after };
    for (int i = 0; i < motion->count; i++)
    {
        bool isSmooth = motion->sides[0][i] == qv_sideSmooth && motion->sides[1][i] == qv_sideSmooth;
        bool isSoft = motion->kappa != NULL && motion->kappa[i] < INFINITY;
        for (int k = isSoft ? 0 : 1; k < (isSmooth ? 2 : 3); k++)
        {
            const double* row = rows[k] + (size_t)i * (size_t)width;
            const qvVec3f** field = k == 0 ? &motion->values[i] : &motion->rates[k - 1][i];
            double least = LITTLE * LargestShare(row, width);
            for (int c = 0; c < width; c++)
            {
                if (fabs(row[c]) > least && !AddShare(motion, field, fields[c], row[c], sums))
                    return false;
            }
        }
    }
    return true;
}

static qvResult MakeTogether(qvDetailMotion* motion, const qvVec3f* const* fields, int width, qvPool* pool,
                             qvError* error)
{
    size_t rows = (size_t)motion->count * (size_t)width;
    double* numbers = qvAllocate(3 * rows, sizeof(*numbers));
    if (numbers == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)rows);
    qvWigglySolution s = { numbers, numbers + rows, numbers + 2 * rows };
    double* given[3] = { s.values, s.before, s.after };
    for (int i = 0; i < motion->count; i++)
    {
        for (int c = 0; c < width; c++)
        {
            for (int k = 0; k < 3; k++)
                given[k][(size_t)i * (size_t)width + (size_t)c] = motion->given[k][i] == fields[c];
        }
    }
    Sums sums = { 0 };
    qvResult result = SolveShares(motion, width, &s, error);
    if (result == qv_ok && !AddFields(motion, fields, width, &s, &sums))
        result = qvError_OutOfMemory(error, 12.0 * motion->detail->pointCount);
    if (result == qv_ok)
        qvParallelFor(pool, motion->detail->pointCount, GRAIN, AddUp, &sums);
    free(sums.list.items);
    free(numbers);
    return result;
}

static qvResult MakeFields(qvDetailMotion* motion, qvPool* pool, qvError* error)
{
    const qvVec3f** fields = qvAllocate(3 * (size_t)motion->rests->poseCount, sizeof(*fields));
    if (fields == NULL)
        return qvError_OutOfMemory(error, 24.0 * motion->rests->poseCount);
    int count = 0;
    qvResult result = qv_ok;
    bool any = ListFields(motion, fields, &count) && (motion->count > 1 || motion->period > 0.0);
    for (int from = 0; any && result == qv_ok && from < count; from += TOGETHER)
    {
        int width = count - from < TOGETHER ? count - from : TOGETHER;
        result = MakeTogether(motion, fields + from, width, pool, error);
    }
    free(fields);
    for (int i = 0; i < motion->count; i++)
    {
        bool isSoft = any && motion->kappa != NULL && motion->kappa[i] < INFINITY;
        if (!isSoft)
            motion->values[i] = motion->given[0][i];
        if (motion->sides[0][i] == qv_sideSmooth && motion->sides[1][i] == qv_sideSmooth)
            motion->rates[1][i] = motion->rates[0][i];
    }
    return result;
}

qvResult qvCreateDetailMotion(const qvDetail* detail, const qvDetailRests* rests, const qvMotionDef* def, qvPool* pool,
                              qvDetailMotion** out, qvError* error)
{
    *out = NULL;
    qvDetailMotion* motion = qvAllocate(1, sizeof(*motion));
    if (motion == NULL)
        return qvError_OutOfMemory(error, sizeof(*motion));
    motion->detail = detail, motion->rests = rests, motion->period = def->period;
    motion->rate = fmax(QV_TWO_PI * def->material.frequency, 3.0 / def->material.settle);
    bool done = Allocate((size_t)def->keyCount, motion) && AddSoftness(def, motion);
    for (int i = 0; done && i < def->keyCount; i++)
    {
        if (def->keys[i].onlyCount == 0)
            AddKnot(&def->keys[i], motion);
    }
    qvResult result = done ? qv_ok : qvError_OutOfMemory(error, 100.0 * def->keyCount);
    if (result == qv_ok && motion->count > 0)
    {
        motion->sides[1] = motion->sides[0] + motion->count;
        qvSmoothSides(motion->knots, motion->count, motion->period, motion->sides[0], motion->sides[1]);
        result = MakeFields(motion, pool, error);
    }
    if (result == qv_ok)
        *out = motion;
    else
        qvDestroyDetailMotion(motion);
    return result;
}

// --- At a time ------------------------------------------------------------------------------------------------------

static void AddTerm(const qvVec3f* field, double share, double rate, qvCarrierRests* rests, double* rates)
{
    if (field == NULL)
        return;
    rests->fields[rests->count] = field;
    rests->shares[rests->count] = (float)share;
    rates[rests->count++] = rate;
}

static bool IsCurve(qvMotionKind kind)
{
    return kind == qv_motionWiggly || kind == qv_motionSmooth;
}

// After the last key rests come to a stop with what is around them.
static void FindAfter(const qvDetailMotion* motion, double since, qvCarrierRests* rests, double* rates)
{
    int last = motion->count - 1;
    double fade = exp(-motion->rate * since);
    AddTerm(motion->values[last], 1.0, 0.0, rests, rates);
    if (last > 0 && IsCurve(motion->knots[last].kind))
        AddTerm(motion->rates[0][last], since * fade, (1.0 - motion->rate * since) * fade, rests, rates);
}

// The rests at a time as shares of fields, and the derivatives of these shares.
static void FindTerms(const qvDetailMotion* motion, double time, qvCarrierRests* rests, double* rates)
{
    *rests = (qvCarrierRests){ 0 };
    int count = motion->count;
    if (count == 0)
        return;
    bool loops = motion->period > 0.0;
    if (!loops && (count == 1 || time < motion->times[0]))
    {
        AddTerm(motion->values[0], 1.0, 0.0, rests, rates);
        return;
    }
    if (!loops && time >= motion->times[count - 1])
    {
        FindAfter(motion, time - motion->times[count - 1], rests, rates);
        return;
    }
    double since, u;
    int from = qvFindSegment(motion->times, count, motion->period, time, &since), to = qvSegmentEnd(from, count);
    double length = qvSegmentLength(motion->knots, from, count, motion->period), way[4], speed[4];
    u = since / length;
    memcpy(way, (double[4]){ 1.0, 0.0, 0.0, 0.0 }, sizeof(way));
    memset(speed, 0, sizeof(speed));
    if (motion->knots[to].kind == qv_motionLinear)
    {
        way[0] = 1.0 - u, way[2] = u;
        speed[0] = -1.0 / length, speed[2] = 1.0 / length;
    }
    else if (motion->knots[to].kind != qv_motionHold)
    {
        way[0] = (1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u), way[1] = u * (1.0 - u) * (1.0 - u) * length;
        way[2] = u * u * (3.0 - 2.0 * u), way[3] = u * u * (u - 1.0) * length;
        speed[0] = 6.0 * u * (u - 1.0) / length, speed[1] = 1.0 - 4.0 * u + 3.0 * u * u;
        speed[2] = -speed[0], speed[3] = 3.0 * u * u - 2.0 * u;
    }
    const qvVec3f* fields[4] = { motion->values[from], motion->rates[1][from], motion->values[to],
                                 motion->rates[0][to] };
    for (int k = 0; k < 4; k++)
    {
        if (way[k] != 0.0 || speed[k] != 0.0)
            AddTerm(fields[k], way[k], speed[k], rests, rates);
    }
}

// --- All points -----------------------------------------------------------------------------------------------------

static size_t RoundUp(size_t size)
{
    return (size + 15) / 16 * 16;
}

// Where things are in the scratch; the motion's own comes first.
typedef struct Room
{
    void* motion;
    qvVec3* vertices;
    double* few; // positions and velocities [6 count]; or positions in float
    void* carrier;
    void* maps;
    size_t size;
} Room;

static Room MakeRoom(const qvDetail* detail, const qvMotion* motion, void* scratch)
{
    char* at = scratch;
    size_t count = (size_t)detail->count, used = RoundUp(qvMotion_ScratchSize(motion));
    Room room = { .motion = scratch };
    room.vertices = (qvVec3*)(void*)(at + used), used += RoundUp(count * sizeof(qvVec3));
    room.few = (double*)(void*)(at + used), used += RoundUp(6 * count * sizeof(double));
    room.carrier = at + used, used += RoundUp(qvCarrier_ScratchSize(detail->carrier));
    room.maps = at + used, used += RoundUp(qvCarrier_FloatScratchSize(detail->carrier));
    room.size = used;
    return room;
}

size_t qvDetailMotion_ScratchSize(const qvDetailMotion* carried, const qvMotion* motion)
{
    static char nowhere[1];
    return MakeRoom(carried->detail, motion, nowhere).size;
}

static qvVec3 SumOfTerms(const qvCarrierRests* rests, int point)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < rests->count; k++)
        sum = qvMulAdd(sum, rests->shares[k], qvVec3_FromFloat(rests->fields[k][point]));
    return sum;
}

// What has its rests in the axes of the body.
static void PlaceFirm(const qvDetailMotion* carried, const qvCarrierMoment* moment, const qvCarrierRests* rests,
                      qvVec3f* points)
{
    qvMat3 turn, frame;
    if (carried->rests->firmCount == 0)
        return;
    qvDetail_Turn(moment, &turn);
    for (int i = 0; i < carried->rests->firmCount; i++)
    {
        int p = carried->rests->firm[i];
        qvVec3 rest = SumOfTerms(rests, p);
        points[p] = qvVec3_ToFloat(qvAdd(qvCarrierMoment_Place(moment, p, &frame), qvMat3_Apply(&turn, rest)));
    }
}

void qvDetailMotion_Points(const qvDetailMotion* carried, const qvMotion* motion, double time, void* scratch,
                           qvPool* pool, qvVec3f* points)
{
    const qvDetail* detail = carried->detail;
    Room room = MakeRoom(detail, motion, scratch);
    qvVec3f* few = (qvVec3f*)(void*)room.few;
    qvMotion_EvaluateFloat(motion, time, room.motion, pool, few);
    for (int v = 0; v < detail->count; v++)
        room.vertices[v] = qvVec3_FromFloat(few[v]);
    qvCarrierMoment moment;
    qvCarrierRests rests;
    double rates[qv_carrierTerms];
    qvCarrier_Prepare(detail->carrier, room.vertices, room.carrier, pool, &moment);
    FindTerms(carried, time, &rests, rates);
    qvCarrierMoment_Points(&moment, &rests, room.maps, pool, points);
    PlaceFirm(carried, &moment, &rests, points);
    for (int i = 0; i < detail->keptCount; i++)
        points[detail->thin->points[detail->kept[i]]] = few[detail->kept[i]];
}

// Adds a side of a difference over a step, with the rests then.
static void AddSide(const qvDetailMotion* carried, const qvCarrierMoment* moment, const qvCarrierRests* rests,
                    const double* rates, double side, double step, double* velocities)
{
    qvMat3 turn;
    qvDetail_Turn(moment, &turn);
    for (int p = 0; p < carried->detail->pointCount; p++)
    {
        qvMat3 frame;
        qvVec3 x = qvCarrierMoment_Place(moment, p, &frame), rest = SumOfTerms(rests, p);
        for (int k = 0; k < rests->count; k++)
            rest = qvMulAdd(rest, side * step * rates[k], qvVec3_FromFloat(rests->fields[k][p]));
        x = qvAdd(x, qvMat3_Apply(carried->rests->isFirm[p] ? &turn : &frame, rest));
        x = qvScale(0.5 * side / step, x);
        double* to = velocities + 3 * (size_t)p;
        if (side < 0.0)
            to[0] = x.x, to[1] = x.y, to[2] = x.z;
        else
            to[0] += x.x, to[1] += x.y, to[2] += x.z;
    }
}

void qvDetailMotion_Velocities(const qvDetailMotion* carried, const qvMotion* motion, double time, void* scratch,
                               double* velocities)
{
    const qvDetail* detail = carried->detail;
    Room room = MakeRoom(detail, motion, scratch);
    double *speeds = room.few + 3 * (size_t)detail->count, largest = 0.0;
    qvMotion_Evaluate(motion, time, room.motion, room.few, speeds, NULL);
    for (int i = 0; i < 3 * detail->count; i++)
        largest = fmax(largest, fabs(speeds[i]));
    double step = fmin(LONGEST_STEP, STEP * detail->size / fmax(largest, 1e-300));
    qvCarrierRests rests;
    double rates[qv_carrierTerms];
    FindTerms(carried, time, &rests, rates);
    for (int side = -1; side <= 1; side += 2)
    {
        for (int v = 0; v < detail->count; v++)
        {
            const double *x = room.few + 3 * v, *s = speeds + 3 * v;
            room.vertices[v] =
                qvMakeVec3(x[0] + side * step * s[0], x[1] + side * step * s[1], x[2] + side * step * s[2]);
        }
        qvCarrierMoment moment;
        qvCarrier_Prepare(detail->carrier, room.vertices, room.carrier, NULL, &moment);
        AddSide(carried, &moment, &rests, rates, side, step, velocities);
    }
    for (int i = 0; i < detail->keptCount; i++)
    {
        int v = detail->kept[i];
        memcpy(velocities + 3 * (size_t)detail->thin->points[v], speeds + 3 * v, 3 * sizeof(*velocities));
    }
}
