// SPDX-License-Identifier: GPL-3.0-or-later
// What a partial key observes. Rows B of the basis belong to its listed points, y is where it wants them in the axes of
// the body, both times the roots of the masses. Of the singular value decomposition B = X S V^T the directions with S
// above 1e-3 of the largest are constrained: V^T q = S^-1 X^T y. Those above 0.1 are met exactly; the others would ask
// for large motions of the rest of the body for the sake of details, and are met as far as that is worth its force
// (values.c). Without pins the body's frame at the key is fitted to the body as the other keys would have it, with the
// listed points moved to their targets: a small part hardly moves it, the whole body all of it.
#include "motion/partial.h"
#include "motion/soft.h"

#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CUT = 1e-3, FIRM = 0.1; // of the largest singular value
enum
{
    SAMPLES = 600 // of a longer list of points
};

static bool IsPartial(const qvMotionKey* key)
{
    return key->onlyCount > 0;
}

int qvPartials_Find(const qvPartials* partials, int key)
{
    for (int i = 0; i < partials->count; i++)
    {
        if (partials->items[i].key == key)
            return i;
    }
    return -1;
}

void qvDestroyPartials(qvPartials* partials)
{
    for (int i = 0; i < partials->count; i++)
    {
        qvPartial* p = &partials->items[i];
        free(p->guess);
        free(p->directions);
        free(p->rows);
        free(p->list);
    }
    free(partials->items);
    *partials = (qvPartials){ 0 };
}

// --- Where the other keys would have the body ------------------------------------------------------------------------

// The keys of the whole body.
typedef struct Others
{
    int count;
    int* keys;
    qvKnot* knots;
    double* times;
    double* weights; // kappa, INFINITY for hard keys
} Others;

static qvResult FindOthers(const qvMotion* motion, const qvMotionDef* def, Others* others, qvError* error)
{
    size_t n = (size_t)def->keyCount;
    others->keys = qvAllocate(n, sizeof(int));
    others->knots = qvAllocate(n, sizeof(qvKnot));
    others->times = qvAllocate(n, sizeof(double));
    others->weights = qvAllocate(n, sizeof(double));
    if (others->keys == NULL || others->knots == NULL || others->times == NULL || others->weights == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(qvKnot));
    double anchor = qvMotion_Anchor(def);
    for (int i = 0; i < def->keyCount; i++)
    {
        if (IsPartial(&def->keys[i]))
            continue;
        others->keys[others->count] = i;
        others->knots[others->count] = motion->knots[i];
        others->weights[others->count] = qvMotion_SoftWeight(def, def->keys[i].weight, anchor);
        others->times[others->count++] = motion->times[i];
    }
    return qv_ok;
}

static void FreeOthers(Others* others)
{
    free(others->keys);
    free(others->knots);
    free(others->times);
    free(others->weights);
}

// Times before the first and after the last of the other keys are those keys'.
static double Clamped(const Others* others, double period, double time)
{
    return period > 0.0 ? time : fmin(fmax(time, others->times[0]), others->times[others->count - 1]);
}

typedef struct Cubic
{
    qvWigglyPlan* plan;
    qvWigglySolution solution;
    double* numbers;
} Cubic;

// The cubic spline of reduced coordinates through the other keys.
static qvResult MakeCubic(const qvMotion* motion, const qvMotionDef* def, const Others* others, Cubic* cubic,
                          qvError* error)
{
    size_t d = (size_t)motion->space->dimension, n = (size_t)others->count, rows = n * d;
    qvWigglySide* sides = qvAllocate(2 * n, sizeof(*sides));
    double* next = cubic->numbers = qvAllocate(3 * rows + d, sizeof(double));
    if (sides == NULL || next == NULL)
    {
        free(sides);
        return qvError_OutOfMemory(error, (double)(3 * rows + d) * sizeof(double));
    }
    cubic->solution = (qvWigglySolution){ next, next + rows, next + 2 * rows };
    for (int i = 0; i < others->count; i++)
    {
        int key = others->keys[i];
        size_t row = (size_t)i * d;
        memcpy(cubic->solution.values + row, motion->space->poses[motion->poses[key]].center, d * sizeof(double));
        qvMotion_GivenVelocity(motion, def, key, 0, cubic->solution.before + row);
        qvMotion_GivenVelocity(motion, def, key, 1, cubic->solution.after + row);
    }
    qvSmoothSides(others->knots, others->count, motion->period, sides, sides + n);
    qvWigglyDef plan = qvDefaultWigglyDef();
    plan.knotCount = others->count, plan.times = others->times, plan.period = motion->period;
    plan.modeCount = motion->space->dimension, plan.lambda = plan.delta = next + 3 * rows;
    plan.first = sides[n], plan.last = sides[n - 1], plan.before = sides, plan.after = sides + n;
    plan.weights = others->weights;
    qvResult result = qvCreateWigglyPlan(&plan, &cubic->plan, error);
    free(sides);
    if (result != qv_ok)
        return result;
    qvWigglyData data = { cubic->solution.values, cubic->solution.before, cubic->solution.after, NULL };
    return qvWigglyPlan_Solve(cubic->plan, &data, &cubic->solution, error);
}

static qvResult GuessCoordinates(const qvMotion* motion, const qvMotionDef* def, const Others* others,
                                 qvPartials* partials, qvError* error)
{
    size_t d = (size_t)motion->space->dimension;
    Cubic cubic = { 0 };
    qvResult result = qv_ok;
    if (others->count > 1)
        result = MakeCubic(motion, def, others, &cubic, error);
    for (int i = 0; result == qv_ok && i < partials->count; i++)
    {
        qvPartial* p = &partials->items[i];
        int key = others->count > 0 ? others->keys[0] : p->key;
        p->guess = qvAllocate(d + 1, sizeof(double));
        if (p->guess == NULL)
            result = qvError_OutOfMemory(error, (double)d * sizeof(double));
        else if (others->count > 1)
        {
            double time = Clamped(others, motion->period, motion->times[p->key]);
            qvWigglyPlan_Evaluate(cubic.plan, &cubic.solution, NULL, &time, 1, NULL, p->guess, NULL, NULL);
        }
        else
            memcpy(p->guess, motion->space->poses[motion->poses[key]].center, d * sizeof(double));
    }
    qvDestroyWigglyPlan(cubic.plan);
    free(cubic.numbers);
    return result;
}

static qvResult GuessFrames(const qvMotion* motion, const Others* others, qvPartials* partials, qvError* error)
{
    const qvMotionSpace* space = motion->space;
    if (space->pinned || others->count == 0)
    {
        for (int i = 0; i < partials->count; i++)
            partials->items[i].frame = space->poses[motion->poses[partials->items[i].key]].frame;
        return qv_ok;
    }
    qvFrameKnot* knots = qvAllocate((size_t)others->count, sizeof(*knots));
    if (knots == NULL)
        return qvError_OutOfMemory(error, (double)others->count * sizeof(*knots));
    for (int i = 0; i < others->count; i++)
        knots[i] = (qvFrameKnot){ .knot = others->knots[i],
                                  .pose = space->poses[motion->poses[others->keys[i]]].frame,
                                  .softness = 1.0 / others->weights[i] };
    qvFramePathDef def = { .count = others->count, .knots = knots, .period = motion->period };
    qvFramePath* path;
    qvResult result = qvCreateFramePath(&def, &path, error);
    for (int i = 0; result == qv_ok && i < partials->count; i++)
    {
        double time = Clamped(others, motion->period, motion->times[partials->items[i].key]);
        partials->items[i].frame = qvFramePath_Evaluate(path, time).pose;
    }
    qvDestroyFramePath(path);
    free(knots);
    return result;
}

// --- Observation ----------------------------------------------------------------------------------------------------

static qvVec3 Triple(const double* x)
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

void qvMoveListed(const qvMotionSpace* space, const qvMotionKey* key, const double* q, double* out)
{
    const double* u = qvBasis_Vectors(space->basis);
    memset(out, 0, 3 * (size_t)key->onlyCount * sizeof(double));
    for (int c = 0; c < space->dimension; c++)
    {
        const double* column = u + 3 * (size_t)space->pointCount * (size_t)c;
        double factor = q[c] / space->scale;
        for (int i = 0; i < key->onlyCount; i++)
        {
            const double* row = column + 3 * (size_t)key->only[i];
            double* x = out + 3 * (size_t)i;
            x[0] += factor * row[0], x[1] += factor * row[1], x[2] += factor * row[2];
        }
    }
}

// Where the key wants the listed points, in its world before the keyed transform.
static void FillTargets(const qvMotionSpace* space, const qvMotionKey* key, qvPartial* p)
{
    if (key->targets != NULL)
    {
        memcpy(p->list, key->targets, 3 * (size_t)key->onlyCount * sizeof(double));
        return;
    }
    const qvPoseData* pose = &space->poses[key->pose];
    qvMoveListed(space, key, pose->center, p->list);
    for (int i = 0; i < key->onlyCount; i++)
    {
        qvVec3 arm = qvAdd(Triple(space->arms + 3 * (size_t)key->only[i]), Triple(p->list + 3 * (size_t)i));
        qvVec3 x = qvAdd(pose->frame.position, qvQuat_Rotate(pose->frame.rotation, arm));
        p->list[3 * i] = x.x, p->list[3 * i + 1] = x.y, p->list[3 * i + 2] = x.z;
    }
}

// Turns the targets into the axes of a frame, about the pivot.
static void SeeTargets(const qvRigid* frame, int count, double* list)
{
    qvQuat back = qvQuat_Conjugate(frame->rotation);
    for (int i = 0; i < 3 * count; i += 3)
    {
        qvVec3 x = qvQuat_Rotate(back, qvSub(Triple(list + i), frame->position));
        list[i] = x.x, list[i + 1] = x.y, list[i + 2] = x.z;
    }
}

// The frame of the guessed body with the listed points at their targets, seen from the guessed frame. moved: scratch.
static qvRigid FitFrame(const qvMotionSpace* space, const qvMotionKey* key, const qvPartial* p, double* moved)
{
    double moment[9];
    memcpy(moment, space->armMoment, sizeof(moment));
    qvBlas_Multiply(false, false, 9, 1, space->dimension, 1.0, space->moments, 9, p->guess, space->dimension, 1.0,
                    moment, 9);
    qvMoveListed(space, key, p->guess, moved);
    qvVec3 shift = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < key->onlyCount; i++)
    {
        const double* arm = space->arms + 3 * (size_t)key->only[i];
        double mass = space->masses[key->only[i]];
        qvVec3 step = qvSub(qvSub(Triple(p->list + 3 * (size_t)i), Triple(moved + 3 * (size_t)i)), Triple(arm));
        shift = qvMulAdd(shift, mass / space->totalMass, step);
        const double* s = &step.x;
        for (int k = 0; k < 9; k++)
            moment[k] += mass * arm[k / 3] * s[k % 3];
    }
    return qvFitMoment(moment, shift);
}

static qvRigid Compose(const qvRigid* outer, const qvRigid* inner)
{
    return (qvRigid){ qvQuat_Normalize(qvQuat_Multiply(outer->rotation, inner->rotation)),
                      qvAdd(outer->position, qvQuat_Rotate(outer->rotation, inner->position)) };
}

// How many of n squared singular values, ascending, are above the cut, and the values themselves. Returns the first.
static int CountRank(qvPartial* p, const double* squares, int n)
{
    int first = n;
    while (first > 0 && squares[first - 1] > CUT * CUT * squares[n - 1])
        first--;
    p->rank = n - first;
    for (int i = 0; i < p->rank; i++)
    {
        p->singular[i] = sqrt(squares[first + i]);
        p->firm += p->singular[i] >= FIRM * sqrt(squares[n - 1]) ? 1 : 0;
    }
    return first;
}

// B = U S V^T. From V [d x rank]: wanted = S^-2 V^T B^T target. work has d entries.
static void WantFromRight(qvPartial* p, int d, const double* v, double* work)
{
    int m = p->rowCount;
    memcpy(p->directions, v, (size_t)d * (size_t)p->rank * sizeof(double));
    qvBlas_Multiply(true, false, d, 1, m, 1.0, p->rows, m, p->target, m, 0.0, work, d);
    qvBlas_Multiply(true, false, p->rank, 1, d, 1.0, v, d, work, d, 0.0, p->wanted, p->rank);
    for (int i = 0; i < p->rank; i++)
        p->wanted[i] /= p->singular[i] * p->singular[i];
}

// From U [m x rank]: V = B^T U S^-1 and wanted = S^-1 U^T target.
static void WantFromLeft(qvPartial* p, int d, const double* u)
{
    int m = p->rowCount;
    qvBlas_Multiply(true, false, p->rank, 1, m, 1.0, u, m, p->target, m, 0.0, p->wanted, p->rank);
    qvBlas_Multiply(true, false, d, p->rank, m, 1.0, p->rows, m, u, m, 0.0, p->directions, d);
    for (int i = 0; i < p->rank; i++)
    {
        qvBlas_Scale(d, 1.0 / p->singular[i], p->directions + (size_t)i * (size_t)d);
        p->wanted[i] /= p->singular[i];
    }
}

// What no coordinates can reach of the target.
static double FindResidual(const qvPartial* p)
{
    double left = 0.0;
    for (int i = 0; i < p->rowCount; i++)
        left += p->target[i] * p->target[i];
    for (int i = 0; i < p->rank; i++)
        left -= p->wanted[i] * p->wanted[i] * p->singular[i] * p->singular[i];
    return sqrt(fmax(left, 0.0));
}

// Directions and their values from eigenvectors of B^T B or B B^T, whichever is smaller.
static qvResult Decompose(const qvMotionSpace* space, qvPartial* p, qvError* error)
{
    int d = space->dimension, m = p->rowCount, n = m < d ? m : d;
    size_t side = (size_t)n;
    double* gram = qvAllocate(side * side + side + (size_t)d, sizeof(double));
    p->directions = qvAllocate((size_t)d * side + 2 * side, sizeof(double));
    if (gram == NULL || p->directions == NULL)
    {
        free(gram);
        return qvError_OutOfMemory(error, (double)(side + (size_t)d) * (double)side * sizeof(double));
    }
    double *values = gram + side * side, *work = values + side;
    p->wanted = p->directions + (size_t)d * side, p->singular = p->wanted + side;
    if (n == d)
        qvBlas_Gram(m, d, p->rows, m, gram, d);
    else
        qvBlas_Multiply(false, true, m, m, d, 1.0, p->rows, m, p->rows, m, 0.0, gram, m);
    qvResult result = qvDense_Eigen(n, gram, n, values, gram, error);
    int first = result == qv_ok ? CountRank(p, values, n) : n;
    const double* vectors = gram + (size_t)first * side;
    if (p->rank > 0 && n == d)
        WantFromRight(p, d, vectors, work);
    else if (p->rank > 0)
        WantFromLeft(p, d, vectors);
    p->residual = FindResidual(p);
    free(gram);
    return result;
}

// Rows and targets of the listed points, or of evenly spread ones of many: the directions are the same. Their masses
// count, so that a fine mesh is seen like a coarse one.
static void FillRows(const qvMotionSpace* space, const qvMotionKey* key, qvPartial* p)
{
    const double* u = qvBasis_Vectors(space->basis);
    int samples = p->rowCount / 3;
    double all = 0.0, seen = 0.0;
    for (int i = 0; i < key->onlyCount; i++)
        all += space->masses[key->only[i]];
    for (int i = 0; i < samples; i++)
        seen += space->masses[key->only[(size_t)i * (size_t)key->onlyCount / (size_t)samples]];
    for (int i = 0; i < p->rowCount; i++)
    {
        size_t number = (size_t)(i / 3) * (size_t)key->onlyCount / (size_t)samples;
        int point = key->only[number];
        double root = sqrt(space->masses[point] * all / seen);
        p->target[i] = root * space->scale * (p->list[3 * number + (size_t)(i % 3)] - space->arms[3 * point + i % 3]);
        for (int c = 0; c < space->dimension; c++)
            p->rows[(size_t)c * (size_t)p->rowCount + (size_t)i] =
                root * u[3 * ((size_t)c * (size_t)space->pointCount + (size_t)point) + (size_t)(i % 3)];
    }
}

// The frame with which a key without pins would meet its targets.
static qvResult WantFrame(const qvMotionSpace* space, const qvMotionKey* key, qvPartial* p, qvError* error)
{
    size_t listed = 3 * (size_t)key->onlyCount;
    p->list = qvAllocate(2 * listed, sizeof(double));
    if (p->list == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)listed * sizeof(double));
    if (space->pinned)
        return qv_ok;
    FillTargets(space, key, p);
    SeeTargets(&p->frame, key->onlyCount, p->list);
    qvRigid moved = FitFrame(space, key, p, p->list + listed);
    p->frame = Compose(&p->frame, &moved);
    return qv_ok;
}

static qvResult Observe(const qvMotionSpace* space, const qvMotionKey* key, qvPartial* p, qvError* error)
{
    size_t m = 3 * (size_t)(key->onlyCount < SAMPLES ? key->onlyCount : SAMPLES), d = (size_t)space->dimension;
    p->rowCount = (int)m;
    p->rows = qvAllocate(m * d + m, sizeof(double));
    if (p->rows == NULL)
        return qvError_OutOfMemory(error, (double)(m * (d + 1)) * sizeof(double));
    p->target = p->rows + m * d;
    FillTargets(space, key, p);
    SeeTargets(&p->frame, key->onlyCount, p->list);
    FillRows(space, key, p);
    return Decompose(space, p, error);
}

qvResult qvObservePartials(const qvMotion* motion, const qvMotionDef* def, qvPartials* partials, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < partials->count; i++)
    {
        qvPartial* p = &partials->items[i];
        if (motion->inner != NULL)
            p->frame = qvFramePath_Pose(motion->inner, p->key);
        result = Observe(motion->space, &def->keys[p->key], p, error);
    }
    return result;
}

qvResult qvCreatePartials(const qvMotion* motion, const qvMotionDef* def, qvPartials* partials, qvError* error)
{
    *partials = (qvPartials){ 0 };
    int count = 0;
    for (int i = 0; i < def->keyCount; i++)
        count += IsPartial(&def->keys[i]) ? 1 : 0;
    if (count == 0 || motion->space->dimension == 0)
        return qv_ok;
    partials->items = qvAllocate((size_t)count, sizeof(*partials->items));
    if (partials->items == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*partials->items));
    for (int i = 0; i < def->keyCount; i++)
    {
        if (IsPartial(&def->keys[i]))
            partials->items[partials->count++].key = i;
    }
    Others others = { 0 };
    qvResult result = FindOthers(motion, def, &others, error);
    if (result == qv_ok)
        result = GuessCoordinates(motion, def, &others, partials, error);
    if (result == qv_ok)
        result = GuessFrames(motion, &others, partials, error);
    for (int i = 0; result == qv_ok && i < partials->count; i++)
        result = WantFrame(motion->space, &def->keys[partials->items[i].key], &partials->items[i], error);
    FreeOthers(&others);
    return result;
}
