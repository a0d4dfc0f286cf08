// SPDX-License-Identifier: GPL-3.0-or-later
// Values of partial keys, which leave the body some freedom. The least energy of a mode's spline is a quadratic form of
// its values at the keys. With H half its matrix (soft keys add their weight kappa), partial keys constrain A_k omega_k
// = z_k, where the rows of A_k are directions of the reduced space in modes:
//   omega = omega_0 + H^-1 A^T mu,   (A H^-1 A^T + D) mu = z - A omega_0
// D = 0 in firm directions of hard keys. Others have D = 1 / weight: soft keys theirs, and directions of small singular
// values s the weight k s^2, which adds k times the squared distance of the listed points from their targets. They are
// met as far as that is worth its force, and no closer than the points can be brought at all: with E the energy that
// the firm directions need, k = E / (residual^2 + (way / 1000)^2), where the way is what the points have to go. H is
// block diagonal in modes, a band in time; A H^-1 A^T is dense, one block per pair of partial keys. A key takes its
// value from the linearization that rules near it. A partial key also pulls what it does not list, gently, to where the
// other keys would have it (FindPull). Its linearization has its centre where the other keys
// would have the body at first, then at the pose that follows.
#include "motion/partial.h"
#include "motion/soft.h"

#include "base/label.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PULL = 0.1;  // of the energy of the least step over its squared length
static const double NEAR = 1e-3; // of the way: a distance that is worth as much energy as the way itself
enum
{
    MAX_DIRECTIONS = 4000,
    PASSES = 2
};

typedef struct Build
{
    qvMotion* motion;
    const qvMotionDef* def;
    const qvMotionSides* sides;
    const qvPartials* partials;
    qvError* error;
    int keys, dimension;
    double* weights; // per key: how strongly it pulls, a partial one to where the other keys would have the body
    int* source;     // per key: the track that its value comes from, SMOOTH, or NONE where it is given
    bool* wanted;    // per track, SMOOTH first: whether some key takes its value from it
    double* found;   // [keys x d] values of the unknown keys

    int total;   // constrained directions of all partial keys
    int* offset; // per partial key: the first of its rows

    // Of one shape at a time
    qvWigglyPlan* plan;
    double* rows;                // [total x d] A, one row after the other
    double* scaled;              // the same times a response
    double* schur;               // [total x total] A H^-1 A^T
    double* system;              // [total x total] what is solved
    double price;                // k of the track at hand; negative before its first pass
    double *right, *copy, *give; // [total]; give: D, negative for directions that are left out
    qvWigglySolution work;       // [keys x d] each
    double* given[2];            // [keys x d] velocities
    double* values;              // [keys x d]
    void* memory;
} Build;

enum
{
    NONE = -2,
    SMOOTH = -1
};

static const qvTrack* Track(const Build* b, int source)
{
    return source == SMOOTH ? &b->motion->smooth : &b->motion->tracks[source];
}

// --- Preparation ----------------------------------------------------------------------------------------------------

static bool IsWigglyNear(const qvMotion* motion, int key)
{
    bool loop = motion->period > 0.0;
    bool before = (loop || key > 0) && motion->knots[key].kind == qv_motionWiggly;
    bool after = (loop || key < motion->keyCount - 1) &&
                 motion->knots[qvSegmentEnd(key, motion->keyCount)].kind == qv_motionWiggly;
    return before || after;
}

static void FillWeights(Build* b)
{
    double anchor = qvMotion_Anchor(b->def);
    for (int i = 0; i < b->keys; i++)
    {
        const qvMotionKey* key = &b->def->keys[i];
        b->weights[i] = key->onlyCount > 0 ? anchor : b->motion->kappa != NULL ? b->motion->kappa[i] : INFINITY;
    }
    // A damped body that starts far out needs no force to be anywhere later: the first key must not be that free.
    if (b->def->keys[0].onlyCount > 0 && b->motion->period <= 0.0)
        b->weights[0] = qvMotion_SoftWeight(b->def, 1.0, anchor);
}

static void FillSources(Build* b)
{
    for (int i = 0; i < b->keys; i++)
    {
        const qvMotionKey* key = &b->def->keys[i];
        b->source[i] = key->onlyCount == 0 ? NONE : IsWigglyNear(b->motion, i) ? b->motion->trackOf[i] : SMOOTH;
    }
}

static double Dot(int count, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static qvResult CountRows(Build* b)
{
    for (int i = 0; i < b->partials->count; i++)
    {
        b->offset[i] = b->total;
        b->total += b->partials->items[i].rank;
        int key = b->partials->items[i].key;
        if (b->total > MAX_DIRECTIONS)
            return qvError_Set(b->error, qv_badInput,
                               "%s: partial keys up to here constrain more than %d directions; list fewer points",
                               qvMakeLabel(b->def->keys[key].label, "key", key).text, MAX_DIRECTIONS);
    }
    return qv_ok;
}

static qvResult Allocate(Build* b)
{
    size_t keys = (size_t)b->keys, d = (size_t)b->dimension, grid = keys * d, partials = (size_t)b->partials->count;
    b->weights = qvAllocate(keys, sizeof(double));
    b->source = qvAllocate(keys, sizeof(int));
    b->offset = qvAllocate(partials, sizeof(int));
    b->wanted = qvAllocate((size_t)b->motion->trackCount + 1, sizeof(bool));
    if (b->weights == NULL || b->source == NULL || b->offset == NULL || b->wanted == NULL)
        return qvError_OutOfMemory(b->error, (double)keys * sizeof(double));
    qvResult result = CountRows(b);
    if (result != qv_ok)
        return result;
    size_t total = (size_t)b->total, count = 7 * grid + total * (2 * d + 2 * total + 3);
    double* next = b->memory = qvAllocate(count, sizeof(double));
    if (next == NULL)
        return qvError_OutOfMemory(b->error, (double)count * sizeof(double));
    double** grids[] = { &b->work.values, &b->work.before, &b->work.after, &b->given[0],
                         &b->given[1],    &b->values,      &b->found };
    for (size_t k = 0; k < sizeof(grids) / sizeof(grids[0]); k++, next += grid)
        *grids[k] = next;
    b->rows = next, b->scaled = next + total * d, next += 2 * total * d;
    b->schur = next, b->system = next + total * total, next += 2 * total * total;
    b->right = next, b->copy = next + total, b->give = next + 2 * total;
    return qv_ok;
}

static void FreeBuild(Build* b)
{
    free(b->weights);
    free(b->source);
    free(b->offset);
    free(b->wanted);
    free(b->memory);
}

// --- One shape ------------------------------------------------------------------------------------------------------

// Into modes of the shape: out = Phi^T in for count columns.
static void ToModes(const Build* b, const qvMotionShape* shape, int count, const double* in, double* out)
{
    int d = b->dimension;
    if (shape == NULL)
        memcpy(out, in, (size_t)count * (size_t)d * sizeof(double));
    else
        qvBlas_Multiply(true, false, d, count, d, 1.0, shape->vectors, d, in, d, 0.0, out, d);
}

static qvResult MakePlan(Build* b, int source, const double* weights)
{
    const qvTrack* track = Track(b, source);
    const qvMotionSides* s = b->sides;
    const qvWigglySide* before = source == SMOOTH ? s->before : s->wigglyBefore;
    const qvWigglySide* after = source == SMOOTH ? s->after : s->wigglyAfter;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = b->keys, def.times = b->motion->times, def.period = b->motion->period;
    def.modeCount = b->dimension, def.lambda = track->lambda, def.delta = track->delta;
    def.segmentStride = b->motion->stride;
    def.first = after[0], def.last = before[b->keys - 1];
    def.before = before, def.after = after;
    def.weights = weights;
    return qvCreateWigglyPlan(&def, &b->plan, b->error);
}

// The least step of the body that brings the firm directions of all partial keys where they are wanted, into
// work.values. Returns its squared length.
static double LeastStep(Build* b)
{
    int d = b->dimension;
    double length = 0.0;
    memset(b->work.values, 0, (size_t)b->keys * (size_t)d * sizeof(double));
    for (int k = 0; k < b->partials->count; k++)
    {
        const qvPartial* p = &b->partials->items[k];
        double* step = b->work.values + (size_t)p->key * (size_t)d;
        for (int r = p->rank - p->firm; r < p->rank; r++)
        {
            double way = p->wanted[r] - Dot(d, p->directions + (size_t)r * (size_t)d, p->guess);
            qvBlas_AddScaled(d, way, p->directions + (size_t)r * (size_t)d, step);
            length += way * way;
        }
    }
    return length;
}

// How strongly partial keys pull the body to where the other keys would have it. Swinging at its own frequencies costs
// a body little force, and least force alone would let all of it swing wildly to move a hand. With a tenth of the
// energy of the least step, over its squared length, the body moves at most sqrt(11) times as far as it must.
static qvResult FindPull(Build* b, int source)
{
    size_t grid = (size_t)b->keys * (size_t)b->dimension;
    double length = LeastStep(b), energy = 0.0;
    if (length == 0.0)
        return qv_ok;
    qvResult result = MakePlan(b, source, NULL);
    if (result != qv_ok)
        return result;
    ToModes(b, Track(b, source)->shape, b->keys, b->work.values, b->values);
    qvWigglyData data = { .values = b->values };
    result = qvWigglyPlan_Solve(b->plan, &data, &b->work, b->error);
    if (result == qv_ok)
        qvWigglyPlan_Energy(b->plan, &b->work, NULL, b->given[0]);
    for (int i = 0; result == qv_ok && i < b->dimension; i++)
        energy += b->given[0][i];
    memset(b->given[0], 0, grid * sizeof(double));
    for (int k = 0; k < b->partials->count; k++)
    {
        double* weight = &b->weights[b->partials->items[k].key];
        *weight = fmax(*weight, PULL * energy / length);
    }
    qvDestroyWigglyPlan(b->plan);
    b->plan = NULL;
    return result;
}

// What a unit of force at partial key p does to every mode at every key: a column of H^-1, into work.values.
static qvResult Respond(Build* b, int p)
{
    size_t d = (size_t)b->dimension, grid = (size_t)b->keys * d;
    double* row = b->values + (size_t)b->partials->items[p].key * d;
    memset(b->values, 0, grid * sizeof(double));
    for (size_t i = 0; i < d; i++)
        row[i] = 1.0 / b->weights[b->partials->items[p].key];
    qvWigglyData data = { .values = b->values };
    return qvWigglyPlan_Solve(b->plan, &data, &b->work, b->error);
}

// Blocks of A H^-1 A^T for the columns of partial key p, from its own rows downwards.
static void FillColumns(Build* b, int p)
{
    size_t d = (size_t)b->dimension, total = (size_t)b->total;
    int columns = b->partials->items[p].rank;
    const double* own = b->rows + (size_t)b->offset[p] * d;
    for (int k = p; k < b->partials->count && columns > 0; k++)
    {
        const double* response = b->work.values + (size_t)b->partials->items[k].key * d;
        int rows = b->partials->items[k].rank;
        const double* other = b->rows + (size_t)b->offset[k] * d;
        for (size_t i = 0; i < (size_t)rows * d; i++)
            b->scaled[i] = response[i % d] * other[i];
        double* out = b->schur + (size_t)b->offset[k] * total + (size_t)b->offset[p];
        if (rows > 0)
            qvBlas_Multiply(true, false, columns, rows, b->dimension, 1.0, own, b->dimension, b->scaled, b->dimension,
                            0.0, out, b->total);
    }
}

// The dense matrix of one shape, for all partial keys.
static qvResult FillSchur(Build* b, const qvMotionShape* shape)
{
    for (int p = 0; p < b->partials->count; p++)
        ToModes(b, shape, b->partials->items[p].rank, b->partials->items[p].directions,
                b->rows + (size_t)b->offset[p] * (size_t)b->dimension);
    for (int p = 0; p < b->partials->count; p++)
    {
        qvResult result = Respond(b, p);
        if (result != qv_ok)
            return result;
        FillColumns(b, p);
    }
    for (int i = 0; i < b->total; i++) // symmetric but for rounding
    {
        for (int j = 0; j < i; j++)
            b->schur[(size_t)j * (size_t)b->total + (size_t)i] = b->schur[(size_t)i * (size_t)b->total + (size_t)j];
    }
    return qv_ok;
}

// --- One linearization ----------------------------------------------------------------------------------------------

// Values of all keys about the centre, and the velocities that they give.
static void FillModal(Build* b, int source, const double* center)
{
    size_t d = (size_t)b->dimension, grid = (size_t)b->keys * d;
    const qvTrack *track = Track(b, source), *smooth = &b->motion->smooth;
    memcpy(b->work.values, b->motion->values, grid * sizeof(double));
    for (int i = 0; i < b->partials->count; i++)
    {
        const qvPartial* p = &b->partials->items[i];
        memcpy(b->work.values + (size_t)p->key * d, p->guess, d * sizeof(double));
    }
    for (int i = 0; i < b->keys; i++)
        qvBlas_AddScaled(b->dimension, -1.0, center, b->work.values + (size_t)i * d);
    ToModes(b, track->shape, b->keys, b->work.values, b->values);
    ToModes(b, track->shape, b->keys, smooth->solution.before, b->given[0]);
    ToModes(b, track->shape, b->keys, smooth->solution.after, b->given[1]);
}

static qvResult Solve(Build* b, const qvTrack* track)
{
    qvWigglyData data = { b->values, b->given[0], b->given[1], track->force };
    return qvWigglyPlan_Solve(b->plan, &data, &b->work, b->error);
}

// z - A omega_0
static void FillRight(Build* b, const double* center)
{
    int d = b->dimension;
    for (int k = 0; k < b->partials->count; k++)
    {
        const qvPartial* p = &b->partials->items[k];
        double* right = b->copy + b->offset[k];
        memcpy(right, p->wanted, (size_t)p->rank * sizeof(double));
        if (p->rank == 0)
            continue;
        qvBlas_Multiply(true, false, p->rank, 1, d, -1.0, p->directions, d, center, d, 1.0, right, p->rank);
        qvBlas_Multiply(true, false, p->rank, 1, d, -1.0, b->rows + (size_t)b->offset[k] * (size_t)d, d,
                        b->work.values + (size_t)p->key * (size_t)d, d, 1.0, right, p->rank);
    }
}

// D for a price of distance; 0: only firm directions count.
static void FillGive(Build* b, double price)
{
    for (int k = 0; k < b->partials->count; k++)
    {
        const qvPartial* p = &b->partials->items[k];
        double weight = qvMotion_SoftWeight(b->def, b->def->keys[p->key].weight, 0.0), *give = b->give + b->offset[k];
        for (int r = 0; r < p->rank; r++)
        {
            bool firm = r >= p->rank - p->firm;
            give[r] = weight < INFINITY ? 1.0 / fmax(weight, 1e-9) : 0.0;
            if (!firm)
                give[r] = price > 0.0 ? give[r] + 1.0 / (price * p->singular[r] * p->singular[r]) : -1.0;
        }
    }
}

// mu, in b->right, for the right side in b->copy.
static qvResult SolveSystem(Build* b)
{
    size_t n = (size_t)b->total;
    memcpy(b->system, b->schur, n * n * sizeof(double));
    memcpy(b->right, b->copy, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
    {
        if (b->give[i] >= 0.0)
        {
            b->system[i * n + i] += b->give[i];
            continue;
        }
        for (size_t j = 0; j < n; j++)
            b->system[i * n + j] = b->system[j * n + i] = 0.0;
        b->system[i * n + i] = 1.0;
        b->right[i] = 0.0;
    }
    qvDenseReport report;
    qvResult result = qvDense_SolvePositive(b->total, b->system, b->right, &report, b->error);
    if (result == qv_notConverged) // nothing resists some direction, to rounding: the smallest forces
        result = qvDense_SolveLeastSquares(b->total, b->total, b->system, b->copy, 1e-12, b->right, &report, b->error);
    return result;
}

// What distance is worth: see the top of the file.
static double FindPrice(const Build* b)
{
    double energy = 0.0, distance = 0.0; // squared
    for (int i = 0; i < b->total; i++)
        energy += b->right[i] * b->copy[i];
    for (int k = 0; k < b->partials->count; k++)
    {
        const qvPartial* p = &b->partials->items[k];
        for (int r = 0; r < p->rank; r++)
        {
            const double* direction = p->directions + (size_t)r * (size_t)b->dimension;
            double step = p->wanted[r] - Dot(b->dimension, direction, p->guess);
            distance += NEAR * NEAR * step * step * p->singular[r] * p->singular[r];
        }
        distance += p->residual * p->residual;
    }
    return distance > 0.0 && energy > 0.0 ? energy / distance : 0.0;
}

// Forces mu that bring the partial keys where they are wanted.
static qvResult SolveForces(Build* b, const double* center)
{
    FillRight(b, center);
    qvResult result = qv_ok;
    if (b->price < 0.0)
    {
        FillGive(b, 0.0);
        result = SolveSystem(b);
        b->price = FindPrice(b);
    }
    if (result != qv_ok)
        return result;
    FillGive(b, b->price);
    return SolveSystem(b);
}

// Adds A^T mu to the forces on partial keys, as a shift of the value that the key pulls to.
static void ApplyForces(Build* b)
{
    int d = b->dimension;
    for (int k = 0; k < b->partials->count; k++)
    {
        const qvPartial* p = &b->partials->items[k];
        if (p->rank > 0)
            qvBlas_Multiply(false, false, d, 1, p->rank, 1.0 / b->weights[p->key],
                            b->rows + (size_t)b->offset[k] * (size_t)d, d, b->right + b->offset[k], p->rank, 1.0,
                            b->values + (size_t)p->key * (size_t)d, d);
    }
}

// Firm directions of a hard partial key, to the last digit.
static void Polish(const Build* b, int key, double* q)
{
    int d = b->dimension, index = qvPartials_Find(b->partials, key);
    if (index < 0 || b->def->keys[key].weight < INFINITY)
        return;
    const qvPartial* p = &b->partials->items[index];
    for (int r = p->rank - p->firm; r < p->rank; r++)
    {
        const double* direction = p->directions + (size_t)r * (size_t)d;
        qvBlas_AddScaled(d, p->wanted[r] - Dot(d, direction, q), direction, q);
    }
}

// q of a key from the modes.
static void StoreKey(Build* b, const qvTrack* track, const double* center, int key)
{
    int d = b->dimension;
    double *q = b->found + (size_t)key * (size_t)d, *omega = b->work.values + (size_t)key * (size_t)d;
    memcpy(q, center, (size_t)d * sizeof(double));
    if (track->shape == NULL)
        qvBlas_AddScaled(d, 1.0, omega, q);
    else
        qvBlas_Multiply(false, false, d, 1, d, 1.0, track->shape->vectors, d, omega, d, 1.0, q, d);
    Polish(b, key, q);
}

static qvResult SolveTrack(Build* b, int source)
{
    const qvTrack* track = Track(b, source);
    FillModal(b, source, track->center);
    qvResult result = Solve(b, track);
    if (result == qv_ok && b->total > 0)
    {
        result = SolveForces(b, track->center);
        if (result != qv_ok)
            return result;
        ApplyForces(b);
        result = Solve(b, track);
    }
    for (int i = 0; result == qv_ok && i < b->keys; i++)
    {
        if (b->source[i] == source)
            StoreKey(b, track, track->center, i);
    }
    return result;
}

// A partial key swings about the pose that it leads to, unless the body wants back to its rest shape anyway.
static qvResult SolveOwn(Build* b, int source, const qvPartial* p)
{
    size_t d = (size_t)b->dimension;
    double* center = b->motion->tracks[source].center;
    qvResult result = qv_ok;
    int passes = b->motion->space->model == qv_modelPose ? PASSES : 1;
    for (int pass = 0; result == qv_ok && pass < passes; pass++)
    {
        if (pass > 0)
            memcpy(center, b->found + (size_t)p->key * d, d * sizeof(double));
        result = SolveTrack(b, source);
    }
    return result;
}

// --- All ------------------------------------------------------------------------------------------------------------

// All tracks with the shape of this one that some key takes its value from; they are done then.
static qvResult SolveShape(Build* b, int first)
{
    const qvMotionShape* shape = Track(b, first)->shape;
    int shapes = b->motion->space->shapeCount;
    FillWeights(b);
    qvResult result = FindPull(b, first);
    if (result == qv_ok)
        result = MakePlan(b, first, b->weights);
    if (result == qv_ok && b->total > 0)
        result = FillSchur(b, shape);
    for (int i = first; result == qv_ok && i < b->motion->trackCount; i++)
    {
        if (!b->wanted[i + 1] || Track(b, i)->shape != shape)
            continue;
        b->wanted[i + 1] = false, b->price = -1.0;
        result = i < shapes ? SolveTrack(b, i) : SolveOwn(b, i, &b->partials->items[i - shapes]);
    }
    qvDestroyWigglyPlan(b->plan);
    b->plan = NULL;
    return result;
}

static qvResult SolveAll(Build* b)
{
    for (int i = 0; i < b->keys; i++)
    {
        if (b->source[i] != NONE)
            b->wanted[b->source[i] + 1] = true;
    }
    qvResult result = qv_ok;
    for (int i = SMOOTH; result == qv_ok && i < b->motion->trackCount; i++)
    {
        if (b->wanted[i + 1])
            result = SolveShape(b, i);
    }
    return result;
}

// A single key: nothing pulls but itself.
static void KeepGuess(Build* b)
{
    size_t bytes = (size_t)b->dimension * sizeof(double);
    memcpy(b->found, b->partials->items[0].guess, bytes);
    Polish(b, 0, b->found);
}

static void StoreValues(const Build* b)
{
    for (int i = 0; i < b->keys; i++)
    {
        size_t at = (size_t)i * (size_t)b->dimension;
        if (b->source[i] != NONE)
            memcpy(b->motion->values + at, b->found + at, (size_t)b->dimension * sizeof(double));
    }
}

qvResult qvMotion_SolveValues(qvMotion* motion, const qvMotionDef* def, const qvMotionSides* sides,
                              const qvPartials* partials, qvError* error)
{
    Build b = { .motion = motion,
                .def = def,
                .sides = sides,
                .partials = partials,
                .error = error,
                .keys = motion->keyCount,
                .dimension = motion->space->dimension };
    qvResult result = Allocate(&b);
    if (result == qv_ok)
    {
        FillSources(&b);
        if (qvSegmentCount(b.keys, motion->period) > 0)
            result = SolveAll(&b);
        else
            KeepGuess(&b);
    }
    if (result == qv_ok)
        StoreValues(&b);
    FreeBuild(&b);
    return result;
}
