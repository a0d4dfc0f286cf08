// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices, modes and forces of a shell at a pose. The paper named in space.c, sections 3, 3.1 and 5: modes are those
// of the pose as rest shape; K and g of the equation of motion (3) are reduced to the basis.
#include "motion/elastic.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "modal/basis.h"
#include "modal/parts.h"
#include "quaver/shell.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Bytes of shell, pattern and analysis up to which a body keeps them for its next pose. With more of them it takes far
// longer to find modes than to make them again.
static const double KEPT_BYTES = 3.0e7;

enum
{
    BYTES_PER_ENTRY = 12 * sizeof(int32_t) // of the matrix: its places by columns and by rows, in matrix and factor
};

struct qvElasticBody
{
    atomic_int owners;
    int pointCount, size, partCount;
    bool pinned;
    double* rest;      // [size]
    double* masses;    // [pointCount]
    double* dofMasses; // [size]
    int32_t* fixed;    // coordinates of the pins
    int fixedCount;

    pthread_mutex_t lock;     // of what follows
    int userCount;            // qvElastics
    qvShell* shell;           // NULL until used
    qvSparsePattern* pattern; // the same
    qvSymbolic* symbolic;     // without the pins; NULL until modes are computed
    qvModalParts* parts;      // instead of it, of a body in several parts
};

struct qvElastic
{
    qvElasticBody* body;
    qvShellMaterial material;
    int triangleCount;
    const qvTriangle* triangles; // the topology's
    qvSparse matrix;
    qvFactor* factor; // NULL until needed
    double* work;     // [size]
};

// --- The body -------------------------------------------------------------------------------------------------------

// With the lock held.
static qvResult MakeMatrices(qvElasticBody* body, const qvTopology* topology, const qvJob* job, qvError* error)
{
    qvResult result = body->shell == NULL ? qvCreateShell(topology, body->rest, job, &body->shell, error) : qv_ok;
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result != qv_ok || body->pattern != NULL)
        return result;
    qvShellPattern pattern = qvShell_Pattern(body->shell);
    return qvWrapSparsePattern(pattern.size, pattern.columnStart, pattern.rows, &body->pattern, error);
}

// Shell and pattern for one more user.
static qvResult UseBody(qvElasticBody* body, const qvTopology* topology, const qvJob* job, qvError* error)
{
    pthread_mutex_lock(&body->lock);
    qvResult result = MakeMatrices(body, topology, job, error);
    body->userCount += result == qv_ok;
    pthread_mutex_unlock(&body->lock);
    return result;
}

static void DropMatrices(qvElasticBody* body)
{
    qvDestroyModalParts(body->parts);
    qvDestroySymbolic(body->symbolic);
    qvDestroySparsePattern(body->pattern);
    qvDestroyShell(body->shell);
    body->parts = NULL;
    body->symbolic = NULL;
    body->pattern = NULL;
    body->shell = NULL;
}

// With the lock held.
static void DropUnused(qvElasticBody* body)
{
    if (body->userCount == 0 && (double)body->pattern->entryCount * BYTES_PER_ENTRY > KEPT_BYTES)
        DropMatrices(body);
}

static void LeaveBody(qvElasticBody* body)
{
    pthread_mutex_lock(&body->lock);
    body->userCount--;
    DropUnused(body);
    pthread_mutex_unlock(&body->lock);
}

// The analysis, which stays as long as there is a user.
static qvResult Analyze(qvElasticBody* body, const qvJob* job, qvError* error)
{
    pthread_mutex_lock(&body->lock);
    qvResult result = qv_ok;
    if (body->symbolic == NULL && body->parts == NULL)
    {
        result = qvJob_Progress(job, "analysis", 0.0, error);
        if (result == qv_ok && body->partCount > 1)
            result = qvCreateModalParts(body->pattern, body->fixed, body->fixedCount, job, &body->parts, error);
        else if (result == qv_ok)
            result = qvCreateSymbolic(body->pattern, body->fixed, body->fixedCount, job, &body->symbolic, error);
    }
    pthread_mutex_unlock(&body->lock);
    return result;
}

static bool AllocateBody(qvElasticBody* body)
{
    body->rest = qvAllocateRaw((size_t)body->size, sizeof(double));
    body->masses = qvAllocateRaw((size_t)body->pointCount, sizeof(double));
    body->dofMasses = qvAllocateRaw((size_t)body->size, sizeof(double));
    body->fixed = qvAllocateRaw((size_t)body->fixedCount, sizeof(*body->fixed));
    return body->rest != NULL && body->masses != NULL && body->dofMasses != NULL && body->fixed != NULL;
}

static qvResult FillBody(qvElasticBody* body, const qvMotionSpaceDef* def, const double* rest, const qvJob* job,
                         qvError* error)
{
    body->fixedCount = 3 * def->pinCount;
    if (!AllocateBody(body))
        return qvError_OutOfMemory(error, 3.0 * body->size * sizeof(double));
    memcpy(body->rest, rest, (size_t)body->size * sizeof(double));
    for (int i = 0; i < body->fixedCount; i++)
        body->fixed[i] = 3 * def->pins[i / 3] + i % 3;
    qvResult result = MakeMatrices(body, def->topology, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "analysis", 0.0, error);
    if (result != qv_ok)
        return result;
    memcpy(body->masses, qvShell_Masses(body->shell), (size_t)body->pointCount * sizeof(double));
    for (int i = 0; i < body->size; i++)
        body->dofMasses[i] = body->masses[i / 3];
    DropUnused(body);
    return qv_ok;
}

qvResult qvCreateElasticBody(const qvMotionSpaceDef* def, const double* rest, const qvJob* job, qvElasticBody** out,
                             qvError* error)
{
    *out = NULL;
    qvElasticBody* body = qvAllocate(1, sizeof(*body));
    if (body == NULL)
        return qvError_OutOfMemory(error, sizeof(*body));
    atomic_init(&body->owners, 1);
    pthread_mutex_init(&body->lock, NULL);
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
    QV_ASSERT(body->userCount == 0);
    DropMatrices(body);
    pthread_mutex_destroy(&body->lock);
    free(body->fixed);
    free(body->rest);
    free(body->masses);
    free(body->dofMasses);
    free(body);
}

const double* qvElasticBody_Masses(const qvElasticBody* body)
{
    return body->masses;
}

const double* qvElasticBody_DofMasses(const qvElasticBody* body)
{
    return body->dofMasses;
}

qvResult qvElasticBody_BytesForModes(qvElasticBody* body, int count, const qvJob* job, double* bytes, qvError* error)
{
    qvResult result = Analyze(body, job, error);
    if (result == qv_ok && body->parts != NULL)
        *bytes = qvModalParts_Bytes(body->parts, count);
    else if (result == qv_ok) // see qvComputeModes
        *bytes = qvSymbolic_Stats(body->symbolic).factorBytes + (150.0 + count) * body->size * sizeof(double);
    return result;
}

// --- Modes ----------------------------------------------------------------------------------------------------------

qvResult qvCreateElastic(const qvMotionSpaceDef* def, qvElasticBody* body, const qvJob* job, qvElastic** out,
                         qvError* error)
{
    *out = NULL;
    qvElastic* e = qvAllocate(1, sizeof(*e));
    if (e == NULL)
        return qvError_OutOfMemory(error, sizeof(*e));
    qvResult result = UseBody(body, def->topology, job, error);
    if (result != qv_ok)
    {
        free(e);
        return result;
    }
    size_t entries = (size_t)body->pattern->entryCount;
    e->body = body;
    e->material = (qvShellMaterial){ def->material.stretch, def->material.stretch, def->material.bend };
    e->triangleCount = def->topology->triangleCount, e->triangles = def->topology->triangles;
    e->work = qvAllocate((size_t)body->size, sizeof(double));
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
    LeaveBody(e->body);
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

static qvModesDef ModesDef(const qvElastic* e, int count, double shift)
{
    qvModesDef def = qvDefaultModesDef();
    def.matrix = e->matrix;
    def.mass = e->body->dofMasses;
    def.count = count;
    def.shift = shift;
    return def;
}

qvResult qvElastic_Lowest(qvElastic* e, const double* rest, const qvJob* job, double* lambda, qvError* error)
{
    qvElastic_DropFactor(e); // two would be too large
    qvShell_RestHessian(e->body->shell, &e->material, rest, qvJob_Pool(job), e->matrix.values);
    qvModalParts* parts;
    qvModes* modes = NULL;
    qvModesDef def = ModesDef(e, 1, 0.0);
    qvResult result = qvCreateModalParts(e->body->pattern, NULL, 0, job, &parts, error);
    if (result == qv_ok)
        result = qvModalParts_Compute(parts, &def, job, &modes, error);
    if (result == qv_ok)
        *lambda = modes->count > 0 ? fmax(modes->values[0], 0.0) : 0.0;
    qvDestroyModes(modes);
    qvDestroyModalParts(parts);
    return result;
}

// Modes of the matrix as it is: so many that are elastic, after the rigid ones of a free body. These are six, whatever
// rounding makes of their values.
static qvResult SolveWhole(qvElastic* e, int count, double shift, const qvJob* job, qvModes** modes, qvError* error)
{
    int rigid = e->body->pinned ? 0 : 6;
    qvModesDef def = ModesDef(e, count + rigid, shift);
    qvResult result = qv_ok;
    if (e->factor == NULL)
        result = qvCreateFactor(e->body->symbolic, &e->factor, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = qvComputeModes(&def, e->factor, job, modes, error);
    if (result == qv_ok && (*modes)->zeroCount < rigid)
        (*modes)->zeroCount = rigid < (*modes)->count ? rigid : (*modes)->count;
    return result;
}

qvResult qvElastic_Modes(qvElastic* e, const double* state, int count, double shift, const qvJob* job, qvModes** modes,
                         qvError* error)
{
    *modes = NULL;
    qvElasticBody* body = e->body;
    qvResult result = Analyze(body, job, error);
    if (result != qv_ok || (body->symbolic != NULL && qvSymbolic_Stats(body->symbolic).freeCount == 0))
        return result;
    qvShell_RestHessian(body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    result = qvJob_Progress(job, "modes", 0.0, error);
    if (result != qv_ok)
        return result;
    if (body->parts == NULL)
        return SolveWhole(e, count, shift, job, modes, error);
    qvModesDef def = ModesDef(e, count, shift);
    return qvModalParts_Compute(body->parts, &def, job, modes, error);
}

// --- Linearization --------------------------------------------------------------------------------------------------

void qvElastic_WindLoads(const qvElastic* e, const double* state, double* loads)
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
            loads[(size_t)(k / 3) * (size_t)e->body->size + (size_t)(3 * i + k % 3)] =
                e->body->masses[i] * (a[k / 3] * a[k % 3]);
    }
}

static qvResult ReduceForces(qvElastic* e, const double* state, qvMotionModel model, const qvBasis* basis,
                             const double* uniform, qvMotionShape* shape, const qvJob* job, qvError* error)
{
    int d = qvBasis_Dimension(basis);
    qvBlas_Multiply(true, false, d, 3, d, 1.0, shape->vectors, d, uniform, d, 0.0, shape->pull, d);
    if (model != qv_modelState)
        return qv_ok;
    double* reduced = qvAllocate((size_t)d, sizeof(double));
    if (reduced == NULL)
        return qvError_OutOfMemory(error, (double)d * sizeof(double));
    qvShell_Gradient(e->body->shell, &e->material, state, qvJob_Pool(job), e->work);
    qvBasis_Dot(basis, e->work, 1, reduced);
    qvBlas_Multiply(true, false, d, 1, d, 1.0, shape->vectors, d, reduced, d, 0.0, shape->force, d);
    free(reduced);
    return qv_ok;
}

qvResult qvElastic_MoveTo(qvElastic* e, const double* state, qvMotionModel model, const qvJob* job, qvError* error)
{
    if (model == qv_modelState)
        qvShell_Hessian(e->body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    else
        qvShell_RestHessian(e->body->shell, &e->material, state, qvJob_Pool(job), e->matrix.values);
    return qvJob_Ask(job, error);
}

qvResult qvElastic_Reduce(qvElastic* e, const double* state, qvMotionModel model, const qvBasis* basis,
                          const double* before, const double* uniform, qvMotionShape* shape, const qvJob* job,
                          qvError* error)
{
    int d = qvBasis_Dimension(basis);
    if (d == 0)
        return qv_ok;
    qvResult result = qvElastic_MoveTo(e, state, model, job, error);
    if (result != qv_ok)
        return result;
    double* reduced = qvAllocate((size_t)d * (size_t)d, sizeof(double));
    if (reduced == NULL)
        return qvError_OutOfMemory(error, (double)d * d * sizeof(double));
    result = qvBasis_Reduce(basis, &e->matrix, before, reduced, job, error);
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
