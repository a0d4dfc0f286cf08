// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.3 (bem/haar.h).
#include "bem/haar.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HALF_ROOT = 0.70710678118654752440;

// One level of a whole row of the matrix against its neighbour: columns are transformed together, row by row.
static void ColumnsForward(int size, double* matrix, double* scratch)
{
    size_t row = (size_t)size;
    for (int length = size; length > 1; length /= 2)
    {
        for (size_t i = 0; i < (size_t)length / 2; i++)
        {
            const double *a = matrix + 2 * i * row, *b = a + row;
            double *sum = scratch + i * row, *gap = scratch + (i + (size_t)length / 2) * row;
            for (size_t j = 0; j < row; j++)
            {
                sum[j] = HALF_ROOT * (a[j] + b[j]);
                gap[j] = HALF_ROOT * (a[j] - b[j]);
            }
        }
        memcpy(matrix, scratch, (size_t)length * row * sizeof(double));
    }
}

static void ColumnsBackward(int size, double* matrix, double* scratch)
{
    size_t row = (size_t)size;
    for (int length = 2; length <= size; length *= 2)
    {
        for (size_t i = 0; i < (size_t)length / 2; i++)
        {
            const double *sum = matrix + i * row, *gap = matrix + (i + (size_t)length / 2) * row;
            double *a = scratch + 2 * i * row, *b = a + row;
            for (size_t j = 0; j < row; j++)
            {
                a[j] = HALF_ROOT * (sum[j] + gap[j]);
                b[j] = HALF_ROOT * (sum[j] - gap[j]);
            }
        }
        memcpy(matrix, scratch, (size_t)length * row * sizeof(double));
    }
}

static void Transpose(int size, double* matrix)
{
    for (size_t i = 0; i < (size_t)size; i++)
    {
        for (size_t j = i + 1; j < (size_t)size; j++)
        {
            double swap = matrix[i * (size_t)size + j];
            matrix[i * (size_t)size + j] = matrix[j * (size_t)size + i];
            matrix[j * (size_t)size + i] = swap;
        }
    }
}

typedef void Columns(int size, double* matrix, double* scratch);

static qvResult Both(int size, double* matrix, Columns* columns, qvError* error)
{
    QV_ASSERT(size > 0 && (size & (size - 1)) == 0);
    double* scratch = qvAllocateRaw((size_t)size * (size_t)size, sizeof(double));
    if (scratch == NULL)
        return qvError_OutOfMemory(error, 8.0 * size * size);
    columns(size, matrix, scratch);
    Transpose(size, matrix);
    columns(size, matrix, scratch);
    Transpose(size, matrix);
    free(scratch);
    return qv_ok;
}

qvResult qvHaar_Forward(int size, double* matrix, qvError* error)
{
    return Both(size, matrix, ColumnsForward, error);
}

qvResult qvHaar_Backward(int size, double* matrix, qvError* error)
{
    return Both(size, matrix, ColumnsBackward, error);
}

static int CompareDown(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x < y) - (x > y);
}

qvResult qvHaar_Keep(int size, double* matrix, int keep, qvError* error)
{
    size_t count = (size_t)size * (size_t)size;
    if ((size_t)keep >= count)
        return qv_ok;
    double* sizes = qvAllocateRaw(count, sizeof(double));
    if (sizes == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)count);
    for (size_t i = 0; i < count; i++)
        sizes[i] = fabs(matrix[i]);
    qsort(sizes, count, sizeof(double), CompareDown);
    double limit = keep > 0 ? sizes[keep - 1] : INFINITY;
    int ties = 0; // of the limit itself that may stay
    for (int i = keep - 1; i >= 0 && sizes[i] == limit; i--)
        ties++;
    for (size_t i = 0; i < count; i++)
    {
        double here = fabs(matrix[i]);
        if (here < limit || (here == limit && ties-- <= 0))
            matrix[i] = 0.0;
    }
    free(sizes);
    return qv_ok;
}
