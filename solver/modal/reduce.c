// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates in the reduced basis and reduced matrices: sections 3.1 and 4.4 of the paper named in basis.c.
#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/basis.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CHUNK = 32,           // columns multiplied at a time, which bounds the memory; of a large body half as many
    LARGE = 50000,        // coordinates
    ROW_CHUNK = 512,      // rows of vectors on the stack
    COLUMN_CHUNK = 8,     // vectors side by side there: the basis is read once for all of them
    REST = 32 * ROW_CHUNK // rows after which the memory of a parked basis is given back
};

void qvBasis_Project(const qvBasis* basis, const double* x, int columnCount, double* q)
{
    int n = basis->size, d = basis->dimension;
    double massX[COLUMN_CHUNK * ROW_CHUNK];
    memset(q, 0, (size_t)d * (size_t)columnCount * sizeof(double));
    for (int first = 0; first < columnCount; first += COLUMN_CHUNK)
    {
        int width = columnCount - first < COLUMN_CHUNK ? columnCount - first : COLUMN_CHUNK;
        for (int begin = 0; begin < n; begin += ROW_CHUNK)
        {
            int height = n - begin < ROW_CHUNK ? n - begin : ROW_CHUNK;
            for (int c = 0; c < width; c++)
            {
                const double* column = x + (size_t)(first + c) * (size_t)n + begin;
                for (int i = 0; i < height; i++)
                    massX[c * ROW_CHUNK + i] = basis->mass[begin + i] * column[i];
            }
            qvBlas_Multiply(true, false, d, width, height, 1.0, basis->u + begin, n, massX, ROW_CHUNK, 1.0,
                            q + (size_t)first * (size_t)d, d);
            if ((begin + height) % REST == 0 || begin + height == n)
                qvBasis_Rest(basis);
        }
    }
}

void qvBasis_Dot(const qvBasis* basis, const double* x, int columnCount, double* q)
{
    int n = basis->size, d = basis->dimension;
    for (int first = 0; first < d; first += CHUNK / 2)
    {
        int width = d - first < CHUNK / 2 ? d - first : CHUNK / 2;
        qvBlas_Multiply(true, false, width, columnCount, n, 1.0, basis->u + (size_t)first * (size_t)n, n, x, n, 0.0,
                        q + first, d);
        qvBasis_Rest(basis);
    }
}

void qvBasis_Expand(const qvBasis* basis, const double* q, int columnCount, double* x)
{
    int n = basis->size, d = basis->dimension;
    qvBlas_Multiply(false, false, n, columnCount, d, 1.0, basis->u, n, q, d, 0.0, x, n);
}

static void Symmetrize(int size, double* a)
{
    for (int j = 0; j < size; j++)
    {
        for (int i = 0; i < j; i++)
        {
            double mean = 0.5 * (a[(size_t)j * (size_t)size + (size_t)i] + a[(size_t)i * (size_t)size + (size_t)j]);
            a[(size_t)j * (size_t)size + (size_t)i] = a[(size_t)i * (size_t)size + (size_t)j] = mean;
        }
    }
}

typedef struct Reduction
{
    const qvBasis* basis;
    const qvSparse* matrix;
    const qvJob* job;
    int chunk;
    double* kv; // [size x chunk] K times the columns at hand
} Reduction;

// kv for `width` of the columns v.
static qvResult MultiplyChunk(const Reduction* r, const double* v, int width, double progress, qvError* error)
{
    qvResult result = qvJob_Progress(r->job, "reduction", progress, error);
    return result == qv_ok ? qvSparse_Multiply(r->matrix, v, width, r->kv, r->job, error) : result;
}

// U^T K U: of each chunk of columns the rows from there on, then the rest by symmetry.
static qvResult ReduceAll(const Reduction* r, double* reduced, qvError* error)
{
    int n = r->basis->size, d = r->basis->dimension;
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < d; first += r->chunk)
    {
        int width = d - first < r->chunk ? d - first : r->chunk;
        const double* u = r->basis->u + (size_t)first * (size_t)n;
        result = MultiplyChunk(r, u, width, (double)first / d, error);
        if (result == qv_ok)
            result = qvTall_DotColumns(n, qvBasis_Columns(r->basis, first), width, r->kv,
                                       reduced + (size_t)first * (size_t)(d + 1), d, r->job, error);
    }
    for (int j = 0; j < d; j++)
    {
        for (int i = 0; i < j; i++)
            reduced[(size_t)j * (size_t)d + (size_t)i] = reduced[(size_t)i * (size_t)d + (size_t)j];
    }
    return result;
}

// P = U^T K N and C = N^T K N for the new directions N.
static qvResult ReduceFresh(const Reduction* r, double* p, double* c, qvError* error)
{
    int n = r->basis->size, d = r->basis->dimension, count = r->basis->freshCount;
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < count; first += r->chunk)
    {
        int width = count - first < r->chunk ? count - first : r->chunk;
        const double* v = r->basis->fresh + (size_t)first * (size_t)n;
        result = MultiplyChunk(r, v, width, (double)first / count, error);
        if (result == qv_ok)
            result = qvTall_DotColumns(n, qvBasis_Columns(r->basis, 0), width, r->kv, p + (size_t)first * (size_t)d, d,
                                       r->job, error);
        if (result == qv_ok)
            result = qvTall_DotColumns(n, (qvTallColumns){ r->basis->fresh, count, r->basis->isFreshParked }, width,
                                       r->kv, c + (size_t)first * (size_t)count, count, r->job, error);
    }
    return result;
}

// With U = U_p Q1 + N Q2, P = U^T K N and C = N^T K N:
//     U^T K U = Q1^T (U_p^T K U_p) Q1 + P Q2 + (P Q2)^T - Q2^T C Q2.
static qvResult ReduceChange(const Reduction* r, const double* before, double* reduced, qvError* error)
{
    const qvBasis* basis = r->basis;
    int d = basis->dimension, old = basis->previousDimension, fresh = basis->freshCount, rows = old + fresh;
    const double *q1 = basis->turn, *q2 = basis->turn + old;
    size_t bigItems = (size_t)d * (size_t)(old > fresh ? old : fresh);
    double* p = qvAllocate((size_t)d * (size_t)fresh, sizeof(double));
    double* c = qvAllocate((size_t)fresh * (size_t)fresh, sizeof(double));
    double* product = qvAllocate(bigItems, sizeof(double));
    qvResult result = qv_ok;
    if (p == NULL || c == NULL || product == NULL)
        result = qvError_OutOfMemory(error, (double)bigItems * sizeof(double));
    else
        result = ReduceFresh(r, p, c, error);
    if (result == qv_ok)
    {
        qvBlas_Multiply(false, false, old, d, old, 1.0, before, old, q1, rows, 0.0, product, old > 0 ? old : 1);
        qvBlas_Multiply(true, false, d, d, old, 1.0, q1, rows, product, old, 0.0, reduced, d);
        // 2 P Q2 - Q2^T C Q2, of which the symmetric part is what is wanted
        for (int i = 0; i < d * fresh; i++)
            p[i] *= 2.0;
        qvBlas_Multiply(true, false, d, fresh, fresh, -1.0, q2, rows, c, fresh, 1.0, p, d);
        qvBlas_Multiply(false, false, d, d, fresh, 1.0, p, d, q2, rows, 1.0, reduced, d);
        Symmetrize(d, reduced);
    }
    free(p);
    free(c);
    free(product);
    return result;
}

qvResult qvBasis_Reduce(const qvBasis* basis, const qvSparse* matrix, const double* previousReduced, double* reduced,
                        const qvJob* job, qvError* error)
{
    QV_ASSERT(matrix->pattern->size == basis->size);
    QV_ASSERT(previousReduced == NULL || basis->previousDimension >= 0);
    Reduction r = { .basis = basis, .matrix = matrix, .job = job };
    r.chunk = basis->size > LARGE ? CHUNK / 2 : CHUNK;
    r.kv = qvAllocateRaw((size_t)basis->size * (size_t)r.chunk, sizeof(double));
    qvResult result = r.kv != NULL ? qv_ok : qvError_OutOfMemory(error, (double)basis->size * r.chunk * sizeof(double));
    if (result == qv_ok && previousReduced != NULL)
        result = ReduceChange(&r, previousReduced, reduced, error);
    else if (result == qv_ok)
        result = ReduceAll(&r, reduced, error);
    free(r.kv);
    return result;
}

qvResult qvReducedModes(int dimension, const double* reduced, double* values, double* vectors, qvError* error)
{
    return qvDense_Eigen(dimension, reduced, dimension > 0 ? dimension : 1, values, vectors, error);
}
