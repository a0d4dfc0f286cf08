// SPDX-License-Identifier: GPL-3.0-or-later
// Where a shape sees the others. Seen from shape j, the way to shape s starts along v, the derivative of the straight
// line in rotation-strain coordinates (warp.h): what a body bends by, without the shrinking of a straight line through
// space. The modal coordinates of s as seen from j are those of v, nearest in the norm of elastic energy: in stiff
// modes a body that merely turns has no part.
#include "motion/warp.h"

#include "base/memory.h"
#include "math/blas.h"

#include <math.h>
#include <stdlib.h>

typedef struct Ways
{
    const qvWarp* warp;
    const qvWarpInput* input;
    const qvWarpMoment* moment;
    double* way;
} Ways;

enum
{
    GRAIN = 256
};

static void FillWay(void* context, int begin, int end)
{
    const Ways* ways = context;
    double unused[3 * GRAIN];
    const double* const none[qv_warpTerms][3] = { { NULL } };
    double* const out[3] = { unused, ways->way + 3 * (size_t)begin, NULL };
    qvWarp_Points(ways->warp, ways->input, ways->moment, begin, end - begin, none, out);
}

// The ways to all shapes.
static void FillWays(const qvWarp* warp, int index, double* scratch, qvPool* pool, double* out)
{
    int count = warp->shapeCount;
    for (int s = 0; s < count; s++)
    {
        double* blend = scratch;
        for (int k = 0; k < count; k++)
            blend[k] = k == index ? 1.0 : 0.0, blend[count + k] = (k == s ? 1.0 : 0.0) - blend[k];
        qvWarpInput input = { .order = 1, .blend = { blend, blend + count, NULL } };
        qvWarpMoment moment;
        qvWarp_Compute(warp, &input, scratch + 2 * count, pool, &moment);
        Ways ways = { warp, &input, &moment, out + 3 * (size_t)warp->body->pointCount * (size_t)s };
        qvParallelFor(pool, warp->body->pointCount, GRAIN, FillWay, &ways);
    }
}

typedef struct Numbers
{
    double *ways, *forces;  // [3 pointCount x shapeCount]
    double *moved, *pushed; // [d x shapeCount] in the basis
    double *scratch, *memory;
} Numbers;

static bool AllocateNumbers(const qvWarp* warp, Numbers* n)
{
    size_t size = 3 * (size_t)warp->body->pointCount, count = (size_t)warp->shapeCount, d = (size_t)warp->dimension;
    size_t scratch = 2 * count + qvWarp_MomentSize(warp, 1);
    n->memory = qvAllocateRaw(2 * size * count + 2 * d * count + scratch, sizeof(double));
    if (n->memory == NULL)
        return false;
    n->ways = n->memory, n->forces = n->ways + size * count;
    n->moved = n->forces + size * count, n->pushed = n->moved + d * count;
    n->scratch = n->pushed + d * count;
    return true;
}

// Omega_i = (phi_i K v + sigma phi_i M v) / (lambda_i + sigma), minus phi_i M (X_s - X_j).
static void FillShift(const qvWarpShiftDef* def, int index, const Numbers* n)
{
    const qvMotionShape* shape = &def->shapes[index];
    qvWarp* warp = def->warp;
    int d = warp->dimension, count = warp->shapeCount;
    double* out = warp->shapes[index].shift;
    qvBlas_Multiply(true, false, d, count, d, 1.0, shape->vectors, d, n->moved, d, 0.0, out, d);
    double* pushed = n->moved; // overwritten by its modal part
    qvBlas_Multiply(true, false, d, count, d, 1.0, shape->vectors, d, n->pushed, d, 0.0, pushed, d);
    for (int i = 0; i < d * count; i++)
    {
        double lambda = shape->values[i % d];
        out[i] += (pushed[i] - lambda * out[i]) / (fmax(lambda, 0.0) + def->sigma);
    }
    for (int s = 0; s < count; s++) // the difference of the centres is that of the displacements
    {
        double *gap = n->pushed, *column = out + (size_t)s * (size_t)d;
        for (int i = 0; i < d; i++)
            gap[i] = def->shapes[s].center[i] - shape->center[i];
        qvBlas_Multiply(true, false, d, 1, d, -1.0, shape->vectors, d, gap, d, 1.0, column, d);
    }
}

qvResult qvWarp_FillShift(const qvWarpShiftDef* def, int index, const qvJob* job, qvError* error)
{
    qvWarp* warp = def->warp;
    int size = 3 * warp->body->pointCount, d = warp->dimension, count = warp->shapeCount;
    Numbers n;
    if (!AllocateNumbers(warp, &n))
        return qvError_OutOfMemory(error, 2.0 * size * count * sizeof(double));
    FillWays(warp, index, n.scratch, qvJob_Pool(job), n.ways);
    qvResult result = qv_ok;
    if (!qvSparse_Multiply(def->matrix, n.ways, count, n.forces, qvJob_Pool(job)))
        result = qvError_OutOfMemory(error, (double)size * count * sizeof(double));
    if (result == qv_ok)
    {
        qvBasis_Project(def->basis, n.ways, count, n.moved);
        qvBlas_Multiply(true, false, d, count, size, 1.0, qvBasis_Vectors(def->basis), size, n.forces, size, 0.0,
                        n.pushed, d);
        FillShift(def, index, &n);
    }
    free(n.memory);
    return result;
}
