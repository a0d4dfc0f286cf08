// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices, modes and forces of a shell at a pose. The paper named in space.c, sections 3, 3.1 and 5: modes are those
// of the pose as rest shape; K and g of the equation of motion (3) are reduced to the basis.
#include "motion/elastic.h"

#include "base/memory.h"
#include "math/blas.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct qvElastic
{
    qvShell* shell;
    qvShellMaterial material;
    int pointCount, size, partCount;
    int triangleCount;
    const qvTriangle* triangles; // the topology's; needed while the space is made only
    double* dofMasses;           // [size]
    qvSparsePattern* pattern;
    qvSparse matrix;
    qvSymbolic* symbolic; // without the pins
    qvFactor* factor;
    bool pinned;
    double shift; // that worked last, 0 at first
    double* work; // [size x 3]
};

static qvResult Analyze(qvElastic* e, const int32_t* pins, int pinCount, const qvJob* job, qvError* error)
{
    int32_t* fixed = qvAllocate((size_t)pinCount * 3, sizeof(*fixed));
    if (fixed == NULL)
        return qvError_OutOfMemory(error, 3.0 * pinCount * sizeof(*fixed));
    for (int i = 0; i < 3 * pinCount; i++)
        fixed[i] = 3 * pins[i / 3] + i % 3;
    qvResult result = qvCreateSymbolic(e->pattern, fixed, 3 * pinCount, job, &e->symbolic, error);
    free(fixed);
    if (result == qv_ok)
        result = qvCreateFactor(e->symbolic, &e->factor, error);
    return result;
}

static qvResult Fill(qvElastic* e, const qvMotionSpaceDef* def, const double* rest, const qvJob* job, qvError* error)
{
    qvResult result = qvCreateShell(def->topology, rest, &e->shell, error);
    if (result != qv_ok)
        return result;
    qvShellPattern pattern = qvShell_Pattern(e->shell);
    result = qvCopySparsePattern(pattern.size, pattern.columnStart, pattern.rows, &e->pattern, error);
    if (result != qv_ok)
        return result;
    e->dofMasses = qvAllocate((size_t)e->size, sizeof(double));
    e->work = qvAllocate((size_t)e->size, 3 * sizeof(double));
    e->matrix = (qvSparse){ e->pattern, qvAllocate((size_t)pattern.entryCount, sizeof(double)) };
    if (e->dofMasses == NULL || e->work == NULL || e->matrix.values == NULL)
        return qvError_OutOfMemory(error, (double)pattern.entryCount * sizeof(double));
    for (int i = 0; i < e->size; i++)
        e->dofMasses[i] = qvShell_Masses(e->shell)[i / 3];
    return Analyze(e, def->pins, def->pinCount, job, error);
}

qvResult qvCreateElastic(const qvMotionSpaceDef* def, const double* rest, const qvJob* job, qvElastic** out,
                         qvError* error)
{
    *out = NULL;
    qvElastic* e = qvAllocate(1, sizeof(*e));
    if (e == NULL)
        return qvError_OutOfMemory(error, sizeof(*e));
    e->material = (qvShellMaterial){ def->stretch, def->stretch, def->bend };
    e->pointCount = def->topology->pointCount, e->size = 3 * e->pointCount, e->partCount = def->topology->partCount;
    e->triangleCount = def->topology->triangleCount, e->triangles = def->topology->triangles;
    e->pinned = def->pinCount > 0;
    qvResult result = Fill(e, def, rest, job, error);
    if (result == qv_ok)
        *out = e;
    else
        qvDestroyElastic(e);
    return result;
}

void qvDestroyElastic(qvElastic* e)
{
    if (e == NULL)
        return;
    qvDestroyFactor(e->factor);
    qvDestroySymbolic(e->symbolic);
    qvDestroySparsePattern(e->pattern);
    qvDestroyShell(e->shell);
    free(e->dofMasses);
    free(e->matrix.values);
    free(e->work);
    free(e);
}

const double* qvElastic_Masses(const qvElastic* e)
{
    return qvShell_Masses(e->shell);
}

const double* qvElastic_DofMasses(const qvElastic* e)
{
    return e->dofMasses;
}

qvSparse qvElastic_Matrix(const qvElastic* e)
{
    return e->matrix;
}

// Modes of the matrix as it is, zero modes included in the count.
static qvResult Solve(qvElastic* e, qvFactor* factor, int count, const qvJob* job, qvModes** modes, qvError* error)
{
    qvModesDef def = qvDefaultModesDef();
    def.matrix = e->matrix, def.mass = e->dofMasses;
    def.count = count, def.shift = e->shift;
    qvResult result = qvComputeModes(&def, factor, job, modes, error);
    if (result == qv_ok)
        e->shift = (*modes)->report.shift;
    return result;
}

static qvResult LowestFree(qvElastic* e, qvFactor* factor, const qvJob* job, double* lambda, qvError* error)
{
    qvModes* modes;
    qvResult result = Solve(e, factor, 6 * e->partCount + 1, job, &modes, error);
    if (result != qv_ok)
        return result;
    *lambda = modes->zeroCount < modes->count ? fmax(modes->values[modes->zeroCount], 0.0) : 0.0;
    qvDestroyModes(modes);
    return qv_ok;
}

qvResult qvElastic_Lowest(qvElastic* e, const double* rest, const qvJob* job, double* lambda, qvError* error)
{
    qvShell_RestHessian(e->shell, &e->material, rest, qvJob_Pool(job), e->matrix.values);
    if (!e->pinned)
        return LowestFree(e, e->factor, job, lambda, error);
    qvSymbolic* symbolic;
    qvFactor* factor = NULL;
    qvResult result = qvCreateSymbolic(e->pattern, NULL, 0, job, &symbolic, error);
    if (result == qv_ok)
        result = qvCreateFactor(symbolic, &factor, error);
    if (result == qv_ok)
        result = LowestFree(e, factor, job, lambda, error);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    return result;
}

qvResult qvElastic_Modes(qvElastic* e, const double* state, int count, const qvJob* job, qvModes** modes,
                         qvError* error)
{
    *modes = NULL;
    qvSymbolicStats stats = qvSymbolic_Stats(e->symbolic);
    if (stats.freeCount == 0)
        return qv_ok;
    qvShell_RestHessian(e->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    return Solve(e, e->factor, e->pinned ? count : count + 6 * e->partCount, job, modes, error);
}

// M n n^T e for the three axes e, where n is the unit normal of each point.
static void WindLoads(const qvElastic* e, const double* state, double* loads)
{
    double* normals = loads; // the first column holds the normals until it is overwritten, point by point
    memset(loads, 0, 3 * (size_t)e->size * sizeof(double));
    for (int t = 0; t < e->triangleCount; t++)
    {
        const int32_t* v = e->triangles[t].v;
        qvVec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = qvMakeVec3(state[3 * v[k]], state[3 * v[k] + 1], state[3 * v[k] + 2]);
        qvVec3 n = qvCross(qvSub(p[1], p[0]), qvSub(p[2], p[0]));
        for (int k = 0; k < 3; k++)
        {
            normals[3 * v[k]] += n.x;
            normals[3 * v[k] + 1] += n.y;
            normals[3 * v[k] + 2] += n.z;
        }
    }
    for (int i = 0; i < e->pointCount; i++)
    {
        qvVec3 n = qvNormalize(qvMakeVec3(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        const double* a = &n.x;
        for (int k = 0; k < 9; k++)
            loads[(size_t)(k / 3) * (size_t)e->size + (size_t)(3 * i + k % 3)] = a[k / 3] * a[k % 3];
    }
}

// out [d x 3] = Phi^T in [d x 3]
static void ToModes(int d, const double* vectors, const double* in, double* out)
{
    qvBlas_Multiply(true, false, d, 3, d, 1.0, vectors, d, in, d, 0.0, out, d);
}

static qvResult ReduceForces(qvElastic* e, const double* state, qvMotionModel model, const qvBasis* basis,
                             const double* uniform, qvMotionShape* shape, const qvJob* job, qvError* error)
{
    int d = qvBasis_Dimension(basis);
    double* reduced = qvAllocate((size_t)d, 3 * sizeof(double));
    if (reduced == NULL)
        return qvError_OutOfMemory(error, (double)d * 3 * sizeof(double));
    ToModes(d, shape->vectors, uniform, shape->pull);
    WindLoads(e, state, e->work);
    qvBasis_Project(basis, e->work, 3, reduced);
    ToModes(d, shape->vectors, reduced, shape->wind);
    if (model == qv_modelState)
    {
        qvShell_Gradient(e->shell, &e->material, state, qvJob_Pool(job), e->work);
        const double* u = qvBasis_Vectors(basis);
        qvBlas_Multiply(true, false, d, 1, e->size, 1.0, u, e->size, e->work, e->size, 0.0, reduced, d);
        qvBlas_Multiply(true, false, d, 1, d, 1.0, shape->vectors, d, reduced, d, 0.0, shape->force, d);
    }
    free(reduced);
    return qv_ok;
}

qvResult qvElastic_Reduce(qvElastic* e, const double* state, qvMotionModel model, const qvBasis* basis,
                          const double* before, const double* uniform, qvMotionShape* shape, const qvJob* job,
                          qvError* error)
{
    int d = qvBasis_Dimension(basis);
    if (d == 0)
        return qv_ok;
    if (model == qv_modelState)
        qvShell_Hessian(e->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    else
        qvShell_RestHessian(e->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    double* reduced = qvAllocate((size_t)d * (size_t)d, sizeof(double));
    if (reduced == NULL)
        return qvError_OutOfMemory(error, (double)d * d * sizeof(double));
    qvResult result = qvBasis_Reduce(basis, &e->matrix, before, reduced, job, error);
    if (result == qv_ok)
        result = qvReducedModes(d, reduced, shape->values, shape->vectors, error);
    free(reduced);
    if (result == qv_ok)
        result = ReduceForces(e, state, model, basis, uniform, shape, job, error);
    return result;
}
