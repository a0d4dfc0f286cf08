// SPDX-License-Identifier: GPL-3.0-or-later
// Where a shape sees the others. Seen from shape j, the way to shape s starts along v, the derivative of the straight
// line in rotation-strain coordinates (warp.h): what a body bends by, without the shrinking of a straight line through
// space. The modal coordinates of s as seen from j are those of v, nearest in the norm of elastic energy: in stiff
// modes a body that merely turns has no part. Ways leave out the one from a shape to itself. In a bounded space a shape
// sees those alone that are shown near it: beyond, keys have no part in its curves.
#include "motion/warp.h"

#include "base/memory.h"
#include "math/blas.h"
#include "modal/basis.h"
#include "motion/elastic.h"
#include "motion/warp_ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct qvWarpShiftDef
{
    qvWarp* warp;
    const qvElastic* elastic; // has the stiffness at the shape
    const double* masses;     // [3 pointCount]
    const qvBasis* basis;
    qvMotionShape* shapes;
    double sigma; // the smallest eigenvalue that counts
} qvWarpShiftDef;

// The shapes to which ways are asked for.
typedef struct Asked
{
    int count;
    const int32_t* to;
} Asked;

typedef struct Numbers
{
    double *ways, *forces, *loads;  // [3 pointCount x asked], twice; [3 pointCount x 3] of the wind
    double *moved, *pushed, *blown; // [d x asked], twice; [d x 3]: these in the basis
    double* modal;                  // [d x asked]
    double* memory;
} Numbers;

static bool AllocateNumbers(const qvWarp* warp, int asked, Numbers* n)
{
    size_t size = 3 * (size_t)warp->body->pointCount, count = (size_t)asked, d = (size_t)warp->dimension;
    double* next = n->memory = qvAllocateLarge((size + d) * (2 * count + 3) + d * count, sizeof(double));
    if (next == NULL)
        return false;
    n->ways = next, n->forces = next + size * count, n->loads = next + 2 * size * count;
    next += size * (2 * count + 3);
    n->moved = next, n->pushed = next + d * count, n->blown = next + 2 * d * count;
    n->modal = n->blown + 3 * d;
    return true;
}

// v K v / v M v of the ways, of which M v is left.
static void FillStiffness(const qvWarpShiftDef* def, int index, const Asked* asked, const Numbers* n)
{
    const qvWarp* warp = def->warp;
    size_t size = 3 * (size_t)warp->body->pointCount;
    const qvWarpShape* shape = &warp->shapes[index];
    for (int way = 0; way < asked->count; way++)
    {
        double *v = n->ways + size * (size_t)way, energy = 0.0, mass = 0.0;
        const double* f = n->forces + size * (size_t)way;
        for (size_t i = 0; i < size; i++)
        {
            double weighed = def->masses[i] * v[i];
            energy += v[i] * f[i], mass += weighed * v[i];
            v[i] = weighed;
        }
        shape->stiffness[qvWarpShape_Column(shape, asked->to[way])] = mass > 0.0 ? fmax(energy / mass, 0.0) : 0.0;
    }
}

// Columns of the asked shapes to their places among all that the shape sees [d x seenCount].
static void Spread(const qvWarp* warp, int index, const Asked* asked, const double* columns, double* out)
{
    size_t d = (size_t)warp->dimension;
    for (int way = 0; way < asked->count; way++)
        memcpy(out + d * (size_t)qvWarpShape_Column(&warp->shapes[index], asked->to[way]), columns + d * (size_t)way,
               d * sizeof(double));
}

// The way to the shape itself.
static void ClearOwn(const qvWarp* warp, int index)
{
    size_t d = (size_t)warp->dimension;
    qvWarpShape* shape = &warp->shapes[index];
    size_t own = (size_t)qvWarpShape_Column(shape, index);
    memset(shape->shift + d * own, 0, d * sizeof(double));
    memset(shape->paths + d * own, 0, d * sizeof(double));
    shape->stiffness[own] = 0.0;
}

// Omega_i = (phi_i K v + sigma phi_i M v) / (lambda_i + sigma), minus phi_i M (X_s - X_j).
static void FillShift(const qvWarpShiftDef* def, int index, const Asked* asked, const Numbers* n)
{
    const qvMotionShape* shape = &def->shapes[index];
    qvWarp* warp = def->warp;
    int d = warp->dimension, count = asked->count;
    double* omega = n->modal;
    qvBlas_Multiply(true, false, d, count, d, 1.0, shape->vectors, d, n->moved, d, 0.0, omega, d);
    double* pushed = n->moved; // overwritten by its modal part
    qvBlas_Multiply(true, false, d, count, d, 1.0, shape->vectors, d, n->pushed, d, 0.0, pushed, d);
    for (int i = 0; i < d * count; i++)
    {
        double lambda = shape->values[i % d];
        omega[i] += (pushed[i] - lambda * omega[i]) / (fabs(lambda) + def->sigma);
    }
    double* paths = n->moved;
    qvBlas_Multiply(false, false, d, count, d, 1.0, shape->vectors, d, omega, d, 0.0, paths, d);
    Spread(warp, index, asked, paths, warp->shapes[index].paths);
    double* gaps = n->pushed; // the difference of the centres is that of the displacements
    for (int i = 0; i < d * count; i++)
        gaps[i] = def->shapes[asked->to[i / d]].center[i % d] - shape->center[i % d];
    qvBlas_Multiply(true, false, d, count, d, -1.0, shape->vectors, d, gaps, d, 1.0, omega, d);
    Spread(warp, index, asked, omega, warp->shapes[index].shift);
}

// The wind comes along because the basis is large, and read once for all columns.
static qvResult FillShape(const qvWarpShiftDef* def, int index, const Asked* asked, const qvJob* job, qvError* error)
{
    qvWarp* warp = def->warp;
    qvMotionShape* shape = &def->shapes[index];
    int size = 3 * warp->body->pointCount, d = warp->dimension, count = asked->count;
    Numbers n;
    if (!AllocateNumbers(warp, count, &n))
        return qvError_OutOfMemory(error, 2.0 * size * count * sizeof(double));
    qvResult result = qvWarp_FillWays(warp, index, asked->to, count, job, n.ways, error);
    qvSparse matrix = qvElastic_Matrix(def->elastic);
    if (result == qv_ok)
        result = qvSparse_Multiply(&matrix, n.ways, count, n.forces, job, error);
    if (result == qv_ok)
    {
        FillStiffness(def, index, asked, &n);
        qvElastic_WindLoads(def->elastic, shape->source->local, n.loads);
        result = qvTall_DotColumns(size, qvBasis_Columns(def->basis, 0), 2 * count + 3, n.ways, n.moved, d, job, error);
    }
    if (result == qv_ok)
    {
        ClearOwn(warp, index);
        FillShift(def, index, asked, &n);
        qvBlas_Multiply(true, false, d, 3, d, 1.0, shape->vectors, d, n.blown, d, 0.0, shape->wind, d);
    }
    free(n.memory);
    return result;
}

void qvWarp_HoldPaths(qvWarp* warp, const qvMotionShape* shapes, int heldCount, const double* held)
{
    int d = warp->dimension;
    for (int from = 0; from < warp->shapeCount; from++)
    {
        const qvWarpShape* shape = &warp->shapes[from];
        for (int i = 0; i < shape->seenCount * heldCount; i++)
        {
            int to = shape->seen[i / heldCount], column = i / heldCount;
            double *path = shape->paths + (size_t)column * (size_t)d, lacks = 0.0;
            const double* direction = held + (size_t)(i % heldCount) * (size_t)d;
            for (int k = 0; k < d; k++)
                lacks += direction[k] * (shapes[to].center[k] - shapes[from].center[k] - path[k]);
            qvBlas_AddScaled(d, lacks, direction, path);
            qvBlas_Multiply(true, false, d, 1, d, lacks, shapes[from].vectors, d, direction, d, 1.0,
                            shape->shift + (size_t)column * (size_t)d, d);
        }
    }
}

// --- In a space -----------------------------------------------------------------------------------------------------

// Which shapes each of them sees: all, or in a bounded space those of poses that are shown within so many keys of it.
static void MarkSeen(const qvMotionSpace* space, const qvMotionSpaceDef* from, int shape, bool* marks)
{
    int count = from->order != NULL ? from->orderCount : space->poseCount, window = space->window;
    memset(marks, !space->isBounded, (size_t)space->shapeCount * sizeof(*marks));
    marks[shape] = true;
    for (int i = 0; space->isBounded && i < count; i++)
    {
        if (space->poses[from->order != NULL ? from->order[i] : i].shape != shape)
            continue;
        for (int k = i - window; k <= i + window; k++)
        {
            int other = from->isLoop ? (k % count + count) % count : k;
            if (other >= 0 && other < count)
                marks[space->poses[from->order != NULL ? from->order[other] : other].shape] = true;
        }
    }
}

static qvResult ListSeen(const qvMotionSpace* space, const qvMotionSpaceDef* from, int32_t** start, int32_t** seen,
                         qvError* error)
{
    int shapes = space->shapeCount, capacity = 0, count = 0;
    *seen = NULL;
    *start = qvAllocate((size_t)shapes + 1, sizeof(**start));
    bool* marks = qvAllocate((size_t)shapes, sizeof(*marks));
    bool ok = *start != NULL && marks != NULL;
    for (int s = 0; ok && s < shapes; s++)
    {
        MarkSeen(space, from, s, marks);
        ok = qvReserve(seen, &capacity, count + shapes, sizeof(**seen));
        for (int i = 0; ok && i < shapes; i++)
        {
            if (marks[i])
                (*seen)[count++] = i;
        }
        (*start)[s + 1] = count;
    }
    free(marks);
    return ok ? qv_ok : qvError_OutOfMemory(error, (double)(count + shapes) * sizeof(**seen));
}

qvResult qvMotionSpace_MakeWarp(qvMotionSpace* space, const qvMotionSpaceDef* from, const double* rest,
                                const qvMotionSpace* related, const qvJob* job, qvError* error)
{
    if (space->dimension == 0)
        return qv_ok;
    qvWarpDef def = { .topology = from->topology, .masses = qvElasticBody_Masses(space->elastic), .rest = rest };
    def.pins = from->pins, def.pinCount = from->pinCount;
    def.pivot = qvScale(space->scale, space->pivot), def.scale = space->scale;
    def.basis = space->basis, def.shapes = space->shapes, def.shapeCount = space->shapeCount;
    def.body = related != NULL && related->warp != NULL ? related->warp->body : NULL;
    def.store = from->store, def.mesh = space->mesh, def.job = job;
    def.isBounded = space->isBounded;
    int32_t *start, *seen;
    qvResult result = ListSeen(space, from, &start, &seen, error);
    def.seenStart = start, def.seen = seen;
    if (result == qv_ok)
        result = qvCreateWarp(&def, &space->warp, error);
    free(start);
    free(seen);
    return result;
}

qvResult qvMotionSpace_FillSome(qvMotionSpace* space, const qvElastic* elastic, int index, const int32_t* to, int count,
                                const qvJob* job, qvError* error)
{
    qvWarpShiftDef def = { space->warp,  elastic,       qvElasticBody_DofMasses(space->elastic),
                           space->basis, space->shapes, fmax(1e-3 * space->lowest, 1e-9) };
    Asked asked = { count, to };
    return FillShape(&def, index, &asked, job, error);
}

qvResult qvMotionSpace_FillShift(qvMotionSpace* space, const qvElastic* elastic, int index, const qvJob* job,
                                 qvError* error)
{
    if (space->dimension == 0)
        return qv_ok;
    const qvWarpShape* shape = &space->warp->shapes[index];
    int32_t* others = qvAllocateRaw((size_t)shape->seenCount, sizeof(*others));
    if (others == NULL)
        return qvError_OutOfMemory(error, (double)shape->seenCount * sizeof(*others));
    int count = 0;
    for (int i = 0; i < shape->seenCount; i++)
    {
        if (shape->seen[i] != index)
            others[count++] = shape->seen[i];
    }
    qvResult result = qvMotionSpace_FillSome(space, elastic, index, others, count, job, error);
    free(others);
    return result;
}
