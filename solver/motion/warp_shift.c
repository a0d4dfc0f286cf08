// SPDX-License-Identifier: GPL-3.0-or-later
// Where a shape sees the others. Seen from shape j, the way to shape s starts along v, the derivative of the straight
// line in rotation-strain coordinates (warp.h): what a body bends by, without the shrinking of a straight line through
// space. The modal coordinates of s as seen from j are those of v, nearest in the norm of elastic energy: in stiff
// modes a body that merely turns has no part.
#include "motion/warp.h"

#include "base/memory.h"
#include "math/blas.h"
#include "modal/basis.h"
#include "motion/elastic.h"

#include <math.h>
#include <stdlib.h>

typedef struct qvWarpShiftDef
{
    qvWarp* warp;
    const qvSparse* matrix; // stiffness at the shape
    const double* masses;   // [pointCount]
    const qvBasis* basis;
    const qvMotionShape* shapes;
    double sigma; // the smallest eigenvalue that counts
} qvWarpShiftDef;

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

// Pins go straight to where the other shape has them.
static void ClosePins(const qvWarp* warp, int from, int to, double* gaps, double* way)
{
    const qvWarpBody* body = warp->body;
    for (int i = 0; i < 3 * body->pinCount; i++)
        gaps[i] = warp->shapes[to].pins[i] - warp->shapes[from].pins[i] - way[3 * body->pins[i / 3] + i % 3];
    for (int i = 0; i < 3 * body->spreadCount; i++)
    {
        const qvWarpSpread* spread = &body->spreads[i / 3];
        way[3 * spread->point + i % 3] += spread->share * gaps[3 * spread->pin + i % 3];
    }
}

// The ways to all shapes.
static qvResult FillWays(const qvWarp* warp, int index, double* scratch, const qvJob* job, double* out, qvError* error)
{
    int count = warp->shapeCount;
    qvPool* pool = qvJob_Pool(job);
    qvResult result = qv_ok;
    for (int s = 0; result == qv_ok && s < count; s++)
    {
        double* blend = scratch;
        for (int k = 0; k < count; k++)
            blend[k] = k == index ? 1.0 : 0.0, blend[count + k] = (k == s ? 1.0 : 0.0) - blend[k];
        qvWarpInput input = { .order = 1, .blend = { blend, blend + count, NULL } };
        qvWarpMoment moment;
        qvWarp_Compute(warp, &input, scratch + 2 * count, pool, &moment);
        Ways ways = { warp, &input, &moment, out + 3 * (size_t)warp->body->pointCount * (size_t)s };
        qvParallelFor(pool, warp->body->pointCount, GRAIN, FillWay, &ways);
        ClosePins(warp, index, s, scratch + 2 * count, ways.way);
        result = qvJob_Ask(job, error);
    }
    return result;
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
    size_t scratch = 2 * count + qvWarp_MomentSize(warp, 1) + 3 * (size_t)warp->body->pinCount;
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
        out[i] += (pushed[i] - lambda * out[i]) / (fabs(lambda) + def->sigma);
    }
    qvBlas_Multiply(false, false, d, count, d, 1.0, shape->vectors, d, out, d, 0.0, warp->shapes[index].paths, d);
    for (int s = 0; s < count; s++) // the difference of the centres is that of the displacements
    {
        double *gap = n->pushed, *column = out + (size_t)s * (size_t)d;
        for (int i = 0; i < d; i++)
            gap[i] = def->shapes[s].center[i] - shape->center[i];
        qvBlas_Multiply(true, false, d, 1, d, -1.0, shape->vectors, d, gap, d, 1.0, column, d);
    }
}

// v K v / v M v of the ways.
static void FillStiffness(const qvWarpShiftDef* def, int index, const Numbers* n)
{
    const qvWarp* warp = def->warp;
    size_t size = 3 * (size_t)warp->body->pointCount;
    for (int s = 0; s < warp->shapeCount; s++)
    {
        const double *v = n->ways + size * (size_t)s, *f = n->forces + size * (size_t)s;
        double energy = 0.0, mass = 0.0;
        for (size_t i = 0; i < size; i++)
            energy += v[i] * f[i], mass += def->masses[i / 3] * v[i] * v[i];
        warp->shapes[index].stiffness[s] = mass > 0.0 ? fmax(energy / mass, 0.0) : 0.0;
    }
}

static qvResult FillShape(const qvWarpShiftDef* def, int index, const qvJob* job, qvError* error)
{
    qvWarp* warp = def->warp;
    int size = 3 * warp->body->pointCount, count = warp->shapeCount;
    Numbers n;
    if (!AllocateNumbers(warp, &n))
        return qvError_OutOfMemory(error, 2.0 * size * count * sizeof(double));
    qvResult result = FillWays(warp, index, n.scratch, job, n.ways, error);
    if (result == qv_ok)
        result = qvSparse_Multiply(def->matrix, n.ways, count, n.forces, job, error);
    if (result == qv_ok)
    {
        qvBasis_Project(def->basis, n.ways, count, n.moved);
        result = qvJob_Ask(job, error);
    }
    if (result == qv_ok)
    {
        qvBasis_Dot(def->basis, n.forces, count, n.pushed);
        FillStiffness(def, index, &n);
        FillShift(def, index, &n);
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
                                const qvMotionSpace* previous, const qvJob* job, qvError* error)
{
    if (space->dimension == 0)
        return qv_ok;
    qvWarpDef def = { .topology = from->topology, .masses = qvElasticBody_Masses(space->elastic), .rest = rest };
    def.pins = from->pins, def.pinCount = from->pinCount;
    def.pivot = qvScale(space->scale, space->pivot), def.scale = space->scale;
    def.basis = space->basis, def.shapes = space->shapes, def.shapeCount = space->shapeCount;
    def.previous = previous != NULL ? previous->warp : NULL;
    def.job = job;
    return qvCreateWarp(&def, &space->warp, error);
}

qvResult qvMotionSpace_FillShift(qvMotionSpace* space, const qvElastic* elastic, int index, const qvJob* job,
                                 qvError* error)
{
    qvSparse matrix = qvElastic_Matrix(elastic);
    qvWarpShiftDef def = { space->warp,  &matrix,       qvElasticBody_Masses(space->elastic),
                           space->basis, space->shapes, fmax(1e-3 * space->lowest, 1e-9) };
    return space->dimension > 0 ? FillShape(&def, index, job, error) : qv_ok;
}
