// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/positive.h"

#include "base/memory.h"
#include "math/blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POWER_ROUNDS = 40
};

static double LargestEigenvalue(int rows, const double* c, double* x, double* y)
{
    double value = 1.0;
    for (int i = 0; i < rows; i++)
        x[i] = 1.0 + 0.5 * sin(i + 1.0);
    for (int round = 0; round < POWER_ROUNDS; round++)
    {
        double norm = qvBlas_Norm(rows, x);
        qvBlas_Scale(rows, 1.0 / norm, x);
        qvBlas_Multiply(false, false, rows, 1, rows, 1.0, c, rows, x, rows, 0.0, y, rows);
        value = qvBlas_Norm(rows, y);
        memcpy(x, y, (size_t)rows * sizeof(double));
    }
    return value;
}

qvResult qvMakePositive(int count, double* c, double* l, double* used, qvError* error)
{
    size_t rows = (size_t)count;
    double* vectors = qvAllocate(2 * rows, sizeof(double));
    if (vectors == NULL)
        return qvError_OutOfMemory(error, 16.0 * (double)rows);
    double largest = LargestEigenvalue(count, c, vectors, vectors + rows), before = 0.0;
    free(vectors);
    for (double shift = 1e-3; shift < 0.5; shift *= 2.0)
    {
        for (size_t i = 0; i < rows; i++)
            c[i * (rows + 1)] += (shift - before) * largest;
        before = shift;
        memcpy(l, c, rows * rows * sizeof(double));
        if (qvBlas_Cholesky(count, l, count) < 0)
        {
            *used = shift;
            return qv_ok;
        }
    }
    return qvError_Set(error, qv_notConverged,
                       "the body's compliance is not positive; its mesh is too coarse or too distorted for boundary "
                       "elements, use more points");
}
