// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/positive.h"

#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POWER_ROUNDS = 40
};

static qvResult LargestEigenvalue(int rows, const double* c, double* x, double* y, double* value, const qvJob* job,
                                  qvError* error)
{
    qvResult result = qv_ok;
    *value = 1.0;
    for (int i = 0; i < rows; i++)
        x[i] = 1.0 + 0.5 * sin(i + 1.0);
    for (int round = 0; result == qv_ok && round < POWER_ROUNDS; round++)
    {
        double norm = qvBlas_Norm(rows, x);
        qvBlas_Scale(rows, 1.0 / norm, x);
        qvBlas_Multiply(false, false, rows, 1, rows, 1.0, c, rows, x, rows, 0.0, y, rows);
        *value = qvBlas_Norm(rows, y);
        memcpy(x, y, (size_t)rows * sizeof(double));
        result = qvJob_Ask(job, error);
    }
    return result;
}

qvResult qvMakePositive(int count, double* c, double* l, double* used, const qvJob* job, qvError* error)
{
    size_t rows = (size_t)count;
    double* vectors = qvAllocate(2 * rows, sizeof(double));
    if (vectors == NULL)
        return qvError_OutOfMemory(error, 16.0 * (double)rows);
    double largest, before = 0.0;
    qvResult result = LargestEigenvalue(count, c, vectors, vectors + rows, &largest, job, error);
    free(vectors);
    for (double shift = 1e-3; result == qv_ok && shift < 0.5; shift *= 2.0)
    {
        for (size_t i = 0; i < rows; i++)
            c[i * (rows + 1)] += (shift - before) * largest;
        before = shift;
        memcpy(l, c, rows * rows * sizeof(double));
        int failed;
        result = qvDense_Cholesky(count, l, count, &failed, job, error);
        *used = shift;
        if (result == qv_ok && failed < 0)
            return qv_ok;
    }
    if (result != qv_ok)
        return result;
    return qvError_Set(error, qv_notConverged,
                       "the body's compliance is not positive; its mesh is too coarse or too distorted for boundary "
                       "elements, use more points");
}
