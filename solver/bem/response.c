// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/response.h"

#include "base/memory.h"
#include "base/watch.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "math/dense_lu.h"

#include <stdlib.h>
#include <string.h>

// Columns of one piece of work: BLAS packs the matrix anew for each, and the job is asked after each.
enum
{
    COLUMNS = 56,
    FEW_COLUMNS = 16, // where the matrix is large
    LARGE = 1600,     // rows
};

static int Grain(int rows)
{
    return rows <= LARGE ? COLUMNS : FEW_COLUMNS;
}

void qvBemNodalForces(const qvBemSurface* surface, int count, const double* tractions, double* forces)
{
    size_t rows = 3 * (size_t)surface->vertexCount, columns = 3 * (size_t)surface->nodeCount;
    memset(forces, 0, rows * (size_t)count * sizeof(double));
    for (int t = 0; t < surface->triangleCount; t++)
    {
        for (int pair = 0; pair < 9; pair++)
        {
            size_t to = 3 * (size_t)surface->triangles[t].v[pair / 3];
            size_t from = 3 * (size_t)surface->cornerNode[3 * t + pair % 3];
            double weight = surface->areas[t] / 12.0 * (pair / 3 == pair % 3 ? 2.0 : 1.0);
            for (size_t c = 0; c < (size_t)count; c++)
            {
                for (size_t k = 0; k < 3; k++)
                    forces[c * rows + to + k] += weight * tractions[c * columns + from + k];
            }
        }
    }
}

qvResult qvBemResultants(const qvBemSurface* surface, double* basis, qvError* error)
{
    double triangle[36];
    size_t columns = 3 * (size_t)surface->nodeCount;
    memset(basis, 0, 6 * columns * sizeof(double));
    for (int t = 0; t < surface->triangleCount; t++)
    {
        for (int pair = 0; pair < 9; pair++)
        {
            qvVec3 place = surface->vertices[surface->triangles[t].v[pair / 3]];
            double weight = surface->areas[t] / 12.0 * (pair / 3 == pair % 3 ? 2.0 : 1.0);
            for (int m = 0; m < 6; m++)
            {
                qvVec3 rigid = qvBemRigid(surface, m, place);
                double* to = basis + (size_t)m * columns + 3 * (size_t)surface->cornerNode[3 * t + pair % 3];
                to[0] += weight * rigid.x;
                to[1] += weight * rigid.y;
                to[2] += weight * rigid.z;
            }
        }
    }
    return qvDense_QR((int)columns, 6, basis, (int)columns, triangle, error);
}

void qvBemRemoveResultants(const qvBemSurface* surface, const double* basis, int count, double* tractions)
{
    int columns = 3 * surface->nodeCount;
    for (int c = 0; c < count; c++)
    {
        double* load = tractions + (size_t)c * (size_t)columns;
        double share[6];
        qvBlas_Multiply(true, false, 6, 1, columns, 1.0, basis, columns, load, columns, 0.0, share, 6);
        qvBlas_Multiply(false, false, columns, 1, 6, -1.0, basis, columns, share, 6, 1.0, load, columns);
    }
}

// The matrix by rows is to LAPACK the transpose of H.
qvResult qvBemResponse_Factor(qvBemResponse* response, const qvJob* job, qvError* error)
{
    return qvDense_FactorLu(response->rows, response->factors, response->rows, response->pivots, job, error);
}

typedef struct Columns
{
    const qvBemResponse* response;
    const double *tractions, *u;
    double* out;
} Columns;

static void AnswerRange(void* context, int begin, int end)
{
    const Columns* work = context;
    const qvBemResponse* r = work->response;
    const double* from = work->tractions + (size_t)begin * (size_t)r->columns;
    double* to = work->out + (size_t)begin * (size_t)r->rows;
    qvBlas_Multiply(true, false, r->rows, end - begin, r->columns, 1.0, r->g, r->columns, from, r->columns, 0.0, to,
                    r->rows);
    qvDense_SolveLu(r->rows, r->factors, r->rows, r->pivots, true, end - begin, to, r->rows);
}

qvResult qvBemResponse_Answer(const qvBemResponse* response, const qvJob* job, int count, const double* tractions,
                              double* u, qvError* error)
{
    Columns work = { .response = response, .tractions = tractions, .out = u };
    return qvWatchedFor(job, count, Grain(response->rows), AnswerRange, &work, error);
}

// dU/ds = H^-1 (dG P - dH U), and d/dlambda = d/ds / (2 s).
static void SlopeRange(void* context, int begin, int end)
{
    const Columns* work = context;
    const qvBemResponse* r = work->response;
    const double* from = work->tractions + (size_t)begin * (size_t)r->columns;
    const double* u = work->u + (size_t)begin * (size_t)r->rows;
    double *to = work->out + (size_t)begin * (size_t)r->rows, half = 0.5 / r->s;
    qvBlas_Multiply(true, false, r->rows, end - begin, r->columns, half, r->dg, r->columns, from, r->columns, 0.0, to,
                    r->rows);
    qvBlas_Multiply(true, false, r->rows, end - begin, r->rows, -half, r->dh, r->rows, u, r->rows, 1.0, to, r->rows);
    qvDense_SolveLu(r->rows, r->factors, r->rows, r->pivots, true, end - begin, to, r->rows);
}

qvResult qvBemResponse_Slope(const qvBemResponse* response, const qvJob* job, int count, const double* tractions,
                             const double* u, double* slope, qvError* error)
{
    Columns work = { .response = response, .tractions = tractions, .u = u, .out = slope };
    return qvWatchedFor(job, count, Grain(response->rows), SlopeRange, &work, error);
}

qvResult qvBemComplexResponse_Factor(qvBemComplexResponse* response, const qvJob* job, qvError* error)
{
    size_t size = (size_t)response->rows * (size_t)response->rows;
    for (size_t i = 0; i < size; i++)
        response->factors[i] = response->h[0][i] + I * response->h[1][i];
    return qvDense_FactorComplexLu(response->rows, response->factors, response->rows, response->pivots, job, error);
}

typedef struct ComplexColumns
{
    const qvBemComplexResponse* response;
    const double* tractions;
    double *const *u, *const *slope;
    double complex* right; // [rows x count]
} ComplexColumns;

// out = H^-1 (real + i imaginary), which lie in out.
static void SolveParts(const ComplexColumns* work, int begin, int end, double* const out[2])
{
    const qvBemComplexResponse* r = work->response;
    size_t first = (size_t)begin * (size_t)r->rows, last = (size_t)end * (size_t)r->rows;
    for (size_t i = first; i < last; i++)
        work->right[i] = out[0][i] + I * out[1][i];
    qvDense_SolveComplexLu(r->rows, r->factors, r->rows, r->pivots, true, end - begin, work->right + first, r->rows);
    for (size_t i = first; i < last; i++)
    {
        out[0][i] = creal(work->right[i]);
        out[1][i] = cimag(work->right[i]);
    }
}

// As SlopeRange, by parts.
static void ComplexRange(void* context, int begin, int end)
{
    const ComplexColumns* work = context;
    const qvBemComplexResponse* r = work->response;
    int rows = r->rows, columns = r->columns, count = end - begin;
    const double* from = work->tractions + (size_t)begin * (size_t)columns;
    size_t at = (size_t)begin * (size_t)rows;
    for (int k = 0; k < 2; k++)
        qvBlas_Multiply(true, false, rows, count, columns, 1.0, r->g[k], columns, from, columns, 0.0, work->u[k] + at,
                        rows);
    SolveParts(work, begin, end, work->u);
    for (int k = 0; work->slope != NULL && k < 2; k++)
    {
        double* to = work->slope[k] + at;
        qvBlas_Multiply(true, false, rows, count, columns, 1.0, r->dg[k], columns, from, columns, 0.0, to, rows);
        for (int a = 0; a < 2; a++) // (dH_0 + i dH_1)(U_0 + i U_1)
            qvBlas_Multiply(true, false, rows, count, rows, a == 1 && k == 0 ? 1.0 : -1.0, r->dh[a], rows,
                            work->u[a ^ k] + at, rows, 1.0, to, rows);
    }
    if (work->slope == NULL)
        return;
    SolveParts(work, begin, end, work->slope);
    double complex half = 0.5 / r->s;
    for (size_t i = at; i < at + (size_t)count * (size_t)rows; i++)
    {
        double complex scaled = half * (work->slope[0][i] + I * work->slope[1][i]);
        work->slope[0][i] = creal(scaled);
        work->slope[1][i] = cimag(scaled);
    }
}

qvResult qvBemComplexResponse_Answer(const qvBemComplexResponse* response, const qvJob* job, int count,
                                     const double* tractions, double* const u[2], double* const slope[2],
                                     qvError* error)
{
    ComplexColumns work = { .response = response, .tractions = tractions, .u = u, .slope = slope };
    work.right = qvAllocateRaw((size_t)response->rows * (size_t)count, sizeof(double complex));
    if (work.right == NULL)
        return qvError_OutOfMemory(error, 16.0 * response->rows * count);
    qvResult result = qvWatchedFor(job, count, Grain(response->rows), ComplexRange, &work, error);
    free(work.right);
    return result;
}
