// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices, modes and forces of a shell at a pose. The paper named in space.c, sections 3, 3.1 and 5: modes are those
// of the pose as rest shape; K and g of the equation of motion (3) are reduced to the basis.
#include "motion/elastic.h"

#include "base/memory.h"
#include "math/blas.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct qvElasticBody
{
    atomic_int owners;
    qvShell* shell;
    int pointCount, size, partCount;
    bool pinned;
    double* dofMasses; // [size]
    qvSparsePattern* pattern;
    qvSymbolic* symbolic; // without the pins
};

struct qvElastic
{
    const qvElasticBody* body;
    qvShellMaterial material;
    int triangleCount;
    const qvTriangle* triangles; // the topology's
    qvSparse matrix;
    qvFactor* factor; // NULL until needed
    double* work;     // [size x 3]
};

// --- The body -------------------------------------------------------------------------------------------------------

static qvResult Analyze(qvElasticBody* body, const int32_t* pins, int pinCount, const qvJob* job, qvError* error)
{
    int32_t* fixed = qvAllocate((size_t)pinCount * 3, sizeof(*fixed));
    if (fixed == NULL)
        return qvError_OutOfMemory(error, 3.0 * pinCount * sizeof(*fixed));
    for (int i = 0; i < 3 * pinCount; i++)
        fixed[i] = 3 * pins[i / 3] + i % 3;
    qvResult result = qvCreateSymbolic(body->pattern, fixed, 3 * pinCount, job, &body->symbolic, error);
    free(fixed);
    return result;
}

static qvResult FillBody(qvElasticBody* body, const qvMotionSpaceDef* def, const double* rest, const qvJob* job,
                         qvError* error)
{
    qvResult result = qvCreateShell(def->topology, rest, &body->shell, error);
    if (result != qv_ok)
        return result;
    result = qvJob_Progress(job, "analysis", 0.0, error);
    if (result != qv_ok)
        return result;
    qvShellPattern pattern = qvShell_Pattern(body->shell);
    result = qvCopySparsePattern(pattern.size, pattern.columnStart, pattern.rows, &body->pattern, error);
    if (result != qv_ok)
        return result;
    body->dofMasses = qvAllocate((size_t)body->size, sizeof(double));
    if (body->dofMasses == NULL)
        return qvError_OutOfMemory(error, (double)body->size * sizeof(double));
    for (int i = 0; i < body->size; i++)
        body->dofMasses[i] = qvShell_Masses(body->shell)[i / 3];
    return Analyze(body, def->pins, def->pinCount, job, error);
}

qvResult qvCreateElasticBody(const qvMotionSpaceDef* def, const double* rest, const qvJob* job, qvElasticBody** out,
                             qvError* error)
{
    *out = NULL;
    qvElasticBody* body = qvAllocate(1, sizeof(*body));
    if (body == NULL)
        return qvError_OutOfMemory(error, sizeof(*body));
    atomic_init(&body->owners, 1);
    body->pointCount = def->topology->pointCount, body->size = 3 * body->pointCount;
    body->partCount = def->topology->partCount, body->pinned = def->pinCount > 0;
    qvResult result = FillBody(body, def, rest, job, error);
    if (result == qv_ok)
        *out = body;
    else
        qvReleaseElasticBody(body);
    return result;
}

qvElasticBody* qvShareElasticBody(qvElasticBody* body)
{
    atomic_fetch_add(&body->owners, 1);
    return body;
}

void qvReleaseElasticBody(qvElasticBody* body)
{
    if (body == NULL || atomic_fetch_sub(&body->owners, 1) > 1)
        return;
    qvDestroySymbolic(body->symbolic);
    qvDestroySparsePattern(body->pattern);
    qvDestroyShell(body->shell);
    free(body->dofMasses);
    free(body);
}

const double* qvElasticBody_Masses(const qvElasticBody* body)
{
    return qvShell_Masses(body->shell);
}

const double* qvElasticBody_DofMasses(const qvElasticBody* body)
{
    return body->dofMasses;
}

double qvElasticBody_BytesForModes(const qvElasticBody* body, int count)
{
    // See qvComputeModes.
    return qvSymbolic_Stats(body->symbolic).factorBytes + (150.0 + count) * body->size * sizeof(double);
}

// --- Modes ----------------------------------------------------------------------------------------------------------

qvResult qvCreateElastic(const qvMotionSpaceDef* def, const qvElasticBody* body, qvElastic** out, qvError* error)
{
    *out = NULL;
    size_t entries = (size_t)body->pattern->entryCount;
    qvElastic* e = qvAllocate(1, sizeof(*e));
    if (e == NULL)
        return qvError_OutOfMemory(error, sizeof(*e));
    e->body = body;
    e->material = (qvShellMaterial){ def->stretch, def->stretch, def->bend };
    e->triangleCount = def->topology->triangleCount, e->triangles = def->topology->triangles;
    e->work = qvAllocate((size_t)body->size, 3 * sizeof(double));
    e->matrix = (qvSparse){ body->pattern, qvAllocate(entries, sizeof(double)) };
    if (e->work == NULL || e->matrix.values == NULL)
    {
        qvDestroyElastic(e);
        return qvError_OutOfMemory(error, (double)entries * sizeof(double));
    }
    *out = e;
    return qv_ok;
}

void qvDestroyElastic(qvElastic* e)
{
    if (e == NULL)
        return;
    qvDestroyFactor(e->factor);
    free(e->matrix.values);
    free(e->work);
    free(e);
}

void qvElastic_DropFactor(qvElastic* e)
{
    qvDestroyFactor(e->factor);
    e->factor = NULL;
}

qvSparse qvElastic_Matrix(const qvElastic* e)
{
    return e->matrix;
}

// Modes of the matrix as it is, zero modes included in the count.
static qvResult Solve(qvElastic* e, qvFactor* factor, int count, double shift, const qvJob* job, qvModes** modes,
                      qvError* error)
{
    qvModesDef def = qvDefaultModesDef();
    def.matrix = e->matrix, def.mass = e->body->dofMasses;
    def.count = count, def.shift = shift;
    return qvComputeModes(&def, factor, job, modes, error);
}

static qvResult LowestFree(qvElastic* e, qvFactor* factor, const qvJob* job, double* lambda, qvError* error)
{
    qvModes* modes;
    qvResult result = Solve(e, factor, 6 * e->body->partCount + 1, 0.0, job, &modes, error);
    if (result != qv_ok)
        return result;
    *lambda = modes->zeroCount < modes->count ? fmax(modes->values[modes->zeroCount], 0.0) : 0.0;
    qvDestroyModes(modes);
    return qv_ok;
}

qvResult qvElastic_Lowest(qvElastic* e, const double* rest, const qvJob* job, double* lambda, qvError* error)
{
    qvElastic_DropFactor(e);
    qvShell_RestHessian(e->body->shell, &e->material, rest, qvJob_Pool(job), e->matrix.values);
    qvSymbolic* symbolic;
    qvFactor* factor = NULL;
    qvResult result = qvCreateSymbolic(e->body->pattern, NULL, 0, job, &symbolic, error);
    if (result == qv_ok)
        result = qvCreateFactor(symbolic, &factor, error);
    if (result == qv_ok)
        result = LowestFree(e, factor, job, lambda, error);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    return result;
}

qvResult qvElastic_Modes(qvElastic* e, const double* state, int count, double shift, const qvJob* job, qvModes** modes,
                         qvError* error)
{
    *modes = NULL;
    const qvElasticBody* body = e->body;
    if (qvSymbolic_Stats(body->symbolic).freeCount == 0)
        return qv_ok;
    qvResult result = e->factor == NULL ? qvCreateFactor(body->symbolic, &e->factor, error) : qv_ok;
    if (result != qv_ok)
        return result;
    qvShell_RestHessian(body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    result = qvJob_Progress(job, "modes", 0.0, error);
    if (result != qv_ok)
        return result;
    return Solve(e, e->factor, body->pinned ? count : count + 6 * body->partCount, shift, job, modes, error);
}

// --- Linearization --------------------------------------------------------------------------------------------------

// M n n^T e for the three axes e, where n is the unit normal of each point.
static void WindLoads(const qvElastic* e, const double* state, double* loads)
{
    double* normals = loads; // the first column holds the normals until it is overwritten, point by point
    memset(loads, 0, 3 * (size_t)e->body->size * sizeof(double));
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
    for (int i = 0; i < e->body->pointCount; i++)
    {
        qvVec3 n = qvNormalize(qvMakeVec3(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        const double* a = &n.x;
        for (int k = 0; k < 9; k++)
            loads[(size_t)(k / 3) * (size_t)e->body->size + (size_t)(3 * i + k % 3)] = a[k / 3] * a[k % 3];
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
        qvShell_Gradient(e->body->shell, &e->material, state, qvJob_Pool(job), e->work);
        const double* u = qvBasis_Vectors(basis);
        qvBlas_Multiply(true, false, d, 1, e->body->size, 1.0, u, e->body->size, e->work, e->body->size, 0.0, reduced,
                        d);
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
        qvShell_Hessian(e->body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    else
        qvShell_RestHessian(e->body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    double* reduced = qvAllocate((size_t)d * (size_t)d, sizeof(double));
    if (reduced == NULL)
        return qvError_OutOfMemory(error, (double)d * d * sizeof(double));
    qvResult result = qvBasis_Reduce(basis, &e->matrix, before, reduced, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "reduction", 1.0, error);
    if (result == qv_ok)
        result = qvReducedModes(d, reduced, shape->values, shape->vectors, error);
    free(reduced);
    if (result == qv_ok)
        result = qvJob_Progress(job, "reduction", 1.0, error);
    if (result == qv_ok)
        result = ReduceForces(e, state, model, basis, uniform, shape, job, error);
    return result;
}
