// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates in the reduced basis and reduced matrices: sections 3.1 and 4.4 of the paper named in basis.c.
#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/basis.h"
#include "modal/tall.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CHUNK = 32,     // columns multiplied at a time, which bounds the memory
    ROW_CHUNK = 512 // rows of a vector on the stack
};

void qvBasis_Project(const qvBasis* basis, const double* x, int columnCount, double* q)
{
    int n = basis->size, d = basis->dimension;
    double massX[ROW_CHUNK];
    memset(q, 0, (size_t)d * (size_t)columnCount * sizeof(double));
    for (int c = 0; c < columnCount; c++)
    {
        const double* column = x + (size_t)c * (size_t)n;
        for (int begin = 0; begin < n; begin += ROW_CHUNK)
        {
            int height = n - begin < ROW_CHUNK ? n - begin : ROW_CHUNK;
            for (int i = 0; i < height; i++)
                massX[i] = basis->mass[begin + i] * column[begin + i];
            qvBlas_Multiply(true, false, d, 1, height, 1.0, basis->u + begin, n, massX, ROW_CHUNK, 1.0,
                            q + (size_t)c * (size_t)d, d);
        }
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

// K times count columns v, multiplied from the left with U^T into withU [dimension x count] and, unless NULL, with v^T
// into withSelf [count x count].
static qvResult MultiplyBoth(const qvBasis* basis, const qvSparse* matrix, const double* v, int count, double* withU,
                             double* withSelf, const qvJob* job, qvError* error)
{
    int n = basis->size, d = basis->dimension;
    double* kv = qvAllocateRaw((size_t)n * CHUNK, sizeof(*kv));
    if (kv == NULL)
        return qvError_OutOfMemory(error, (double)n * CHUNK * sizeof(*kv));
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < count; first += CHUNK)
    {
        int width = count - first < CHUNK ? count - first : CHUNK;
        result = qvJob_Progress(job, "reduction", (double)first / count, error);
        if (result != qv_ok)
            break;
        qvPool* pool = qvJob_Pool(job);
        bool ok = qvSparse_Multiply(matrix, v + (size_t)first * (size_t)n, width, kv, pool) &&
                  qvTall_Dot(n, d, width, basis->u, kv, withU + (size_t)first * (size_t)d, d, pool) &&
                  (withSelf == NULL ||
                   qvTall_Dot(n, count, width, v, kv, withSelf + (size_t)first * (size_t)count, count, pool));
        if (!ok)
            result = qvError_OutOfMemory(error, (double)n * CHUNK * sizeof(*kv));
    }
    free(kv);
    return result;
}

// With U = U_p Q1 + N Q2, P = U^T K N and C = N^T K N:
//     U^T K U = Q1^T (U_p^T K U_p) Q1 + P Q2 + (P Q2)^T - Q2^T C Q2.
static qvResult ReduceChange(const qvBasis* basis, const qvSparse* matrix, const double* before, double* reduced,
                             const qvJob* job, qvError* error)
{
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
        result = MultiplyBoth(basis, matrix, basis->fresh, fresh, p, c, job, error);
    if (result == qv_ok)
    {
        qvBlas_Multiply(false, false, old, d, old, 1.0, before, old, q1, rows, 0.0, product, old > 0 ? old : 1);
        qvBlas_Multiply(true, false, d, d, old, 1.0, q1, rows, product, old, 0.0, reduced, d);
        // 2 P Q2 - Q2^T C Q2, of which the symmetric part is what is wanted
        for (int i = 0; i < d * fresh; i++)
            p[i] *= 2.0;
        qvBlas_Multiply(true, false, d, fresh, fresh, -1.0, q2, rows, c, fresh, 1.0, p, d);
        qvBlas_Multiply(false, false, d, d, fresh, 1.0, p, d, q2, rows, 1.0, reduced, d);
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
    qvResult result;
    if (previousReduced != NULL)
        result = ReduceChange(basis, matrix, previousReduced, reduced, job, error);
    else
        result = MultiplyBoth(basis, matrix, basis->u, basis->dimension, reduced, NULL, job, error);
    if (result == qv_ok)
        Symmetrize(basis->dimension, reduced);
    return result;
}

qvResult qvReducedModes(int dimension, const double* reduced, double* values, double* vectors, qvError* error)
{
    return qvDense_Eigen(dimension, reduced, dimension > 0 ? dimension : 1, values, vectors, error);
}
