// SPDX-License-Identifier: GPL-3.0-or-later
// Where a shape sees the others. Seen from shape j, the way to shape s starts along v, the derivative of the straight
// line in rotation-strain coordinates (warp.h): what a body bends by, without the shrinking of a straight line through
// space. The modal coordinates of s as seen from j are those of v, nearest in the norm of elastic energy: in stiff
// modes a body that merely turns has no part. Ways leave out the one from a shape to itself.
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

typedef struct Numbers
{
    double *ways, *forces, *loads;  // [3 pointCount x others], twice; [3 pointCount x 3] of the wind
    double *moved, *pushed, *blown; // [d x others], twice; [d x 3]: these in the basis
    double* modal;                  // [d x others]
    double* memory;
} Numbers;

static bool AllocateNumbers(const qvWarp* warp, Numbers* n)
{
    size_t size = 3 * (size_t)warp->body->pointCount, count = (size_t)warp->shapeCount - 1, d = (size_t)warp->dimension;
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
static void FillStiffness(const qvWarpShiftDef* def, int index, const Numbers* n)
{
    const qvWarp* warp = def->warp;
    size_t size = 3 * (size_t)warp->body->pointCount;
    double* out = warp->shapes[index].stiffness;
    out[index] = 0.0;
    for (int way = 0; way < warp->shapeCount - 1; way++)
    {
        double *v = n->ways + size * (size_t)way, energy = 0.0, mass = 0.0;
        const double* f = n->forces + size * (size_t)way;
        for (size_t i = 0; i < size; i++)
        {
            double weighed = def->masses[i] * v[i];
            energy += v[i] * f[i], mass += weighed * v[i];
            v[i] = weighed;
        }
        out[qvWarp_WayTo(index, way)] = mass > 0.0 ? fmax(energy / mass, 0.0) : 0.0;
    }
}

// Columns of the other shapes to their places among all [d x shapeCount]; that of the shape itself is zero.
static void Spread(const qvWarp* warp, int index, const double* columns, double* out)
{
    size_t d = (size_t)warp->dimension;
    memset(out + d * (size_t)index, 0, d * sizeof(double));
    for (int way = 0; way < warp->shapeCount - 1; way++)
        memcpy(out + d * (size_t)qvWarp_WayTo(index, way), columns + d * (size_t)way, d * sizeof(double));
}

// Omega_i = (phi_i K v + sigma phi_i M v) / (lambda_i + sigma), minus phi_i M (X_s - X_j).
static void FillShift(const qvWarpShiftDef* def, int index, const Numbers* n)
{
    const qvMotionShape* shape = &def->shapes[index];
    qvWarp* warp = def->warp;
    int d = warp->dimension, count = warp->shapeCount - 1;
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
    Spread(warp, index, paths, warp->shapes[index].paths);
    double* gaps = n->pushed; // the difference of the centres is that of the displacements
    for (int i = 0; i < d * count; i++)
        gaps[i] = def->shapes[qvWarp_WayTo(index, i / d)].center[i % d] - shape->center[i % d];
    qvBlas_Multiply(true, false, d, count, d, -1.0, shape->vectors, d, gaps, d, 1.0, omega, d);
    Spread(warp, index, omega, warp->shapes[index].shift);
}

// The wind comes along because the basis is large, and read once for all columns.
static qvResult FillShape(const qvWarpShiftDef* def, int index, const qvJob* job, qvError* error)
{
    qvWarp* warp = def->warp;
    qvMotionShape* shape = &def->shapes[index];
    int size = 3 * warp->body->pointCount, d = warp->dimension, count = warp->shapeCount - 1;
    Numbers n;
    if (!AllocateNumbers(warp, &n))
        return qvError_OutOfMemory(error, 2.0 * size * count * sizeof(double));
    qvResult result = qvWarp_FillWays(warp, index, job, n.ways, error);
    qvSparse matrix = qvElastic_Matrix(def->elastic);
    if (result == qv_ok)
        result = qvSparse_Multiply(&matrix, n.ways, count, n.forces, job, error);
    if (result == qv_ok)
    {
        FillStiffness(def, index, &n);
        qvElastic_WindLoads(def->elastic, shape->source->local, n.loads);
        result = qvTall_DotColumns(size, qvBasis_Columns(def->basis, 0), 2 * count + 3, n.ways, n.moved, d, job, error);
    }
    if (result == qv_ok)
    {
        FillShift(def, index, &n);
        qvBlas_Multiply(true, false, d, 3, d, 1.0, shape->vectors, d, n.blown, d, 0.0, shape->wind, d);
    }
    free(n.memory);
    return result;
}

void qvWarp_HoldPaths(qvWarp* warp, const qvMotionShape* shapes, int heldCount, const double* held)
{
    int d = warp->dimension;
    for (int i = 0; i < warp->shapeCount * warp->shapeCount; i++)
    {
        int from = i / warp->shapeCount, to = i % warp->shapeCount;
        double* path = warp->shapes[from].paths + (size_t)to * (size_t)d;
        for (int h = 0; h < heldCount; h++)
        {
            const double* direction = held + (size_t)h * (size_t)d;
            double lacks = 0.0;
            for (int k = 0; k < d; k++)
                lacks += direction[k] * (shapes[to].center[k] - shapes[from].center[k] - path[k]);
            qvBlas_AddScaled(d, lacks, direction, path);
            qvBlas_Multiply(true, false, d, 1, d, lacks, shapes[from].vectors, d, direction, d, 1.0,
                            warp->shapes[from].shift + (size_t)to * (size_t)d, d);
        }
    }
}

// --- In a space -----------------------------------------------------------------------------------------------------

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
    return qvCreateWarp(&def, &space->warp, error);
}

qvResult qvMotionSpace_FillShift(qvMotionSpace* space, const qvElastic* elastic, int index, const qvJob* job,
                                 qvError* error)
{
    qvWarpShiftDef def = { space->warp,  elastic,       qvElasticBody_DofMasses(space->elastic),
                           space->basis, space->shapes, fmax(1e-3 * space->lowest, 1e-9) };
    return space->dimension > 0 ? FillShape(&def, index, job, error) : qv_ok;
}
