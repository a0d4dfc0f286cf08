// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/response.h"

#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "math/dense_lu.h"

#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 56 // of one piece of work: BLAS packs the matrix anew for each
};

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
qvResult qvBemResponse_Factor(qvBemResponse* response, qvError* error)
{
    return qvDense_FactorLu(response->rows, response->factors, response->rows, response->pivots, error);
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

void qvBemResponse_Answer(const qvBemResponse* response, const qvJob* job, int count, const double* tractions,
                          double* u)
{
    Columns work = { .response = response, .tractions = tractions, .out = u };
    qvParallelFor(qvJob_Pool(job), count, COLUMNS, AnswerRange, &work);
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

void qvBemResponse_Slope(const qvBemResponse* response, const qvJob* job, int count, const double* tractions,
                         const double* u, double* slope)
{
    Columns work = { .response = response, .tractions = tractions, .u = u, .out = slope };
    qvParallelFor(qvJob_Pool(job), count, COLUMNS, SlopeRange, &work);
}
