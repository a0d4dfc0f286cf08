// SPDX-License-Identifier: GPL-3.0-or-later
#include "math/dense.h"

#include "base/assert.h"
#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double LargestMiss(int rows, int columns, const double* a, const double* b, const double* x)
{
    double largest = 0.0;
    for (int i = 0; i < rows; i++)
    {
        double sum = -b[i];
        for (int j = 0; j < columns; j++)
            sum += a[(size_t)i * columns + j] * x[j];
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

// Copies of the matrix and of the right side, and room for pivots.
typedef struct Work
{
    double *a, *b;
    lapack_int* pivots;
} Work;

static void FreeWork(Work* work)
{
    free(work->a);
    free(work->b);
    free(work->pivots);
}

static qvResult MakeWork(int rows, int columns, const double* a, const double* b, Work* work, qvError* error)
{
    size_t size = (size_t)rows * columns, right = rows > columns ? rows : columns;
    work->a = qvAllocateRaw(size, sizeof(double));
    work->b = qvAllocate(right, sizeof(double));
    work->pivots = qvAllocateRaw(right, sizeof(lapack_int));
    if (work->a == NULL || work->b == NULL || work->pivots == NULL)
    {
        FreeWork(work);
        return qvError_OutOfMemory(error, (double)size * sizeof(double));
    }
    memcpy(work->a, a, size * sizeof(double));
    memcpy(work->b, b, (size_t)rows * sizeof(double));
    return qv_ok;
}

static void Report(int n, const double* a, const Work* work, double inverseCondition, double* x, qvDenseReport* report)
{
    report->rank = n;
    report->condition = inverseCondition > 0.0 ? 1.0 / inverseCondition : INFINITY;
    report->residual = LargestMiss(n, n, a, x, work->b);
    memcpy(x, work->b, (size_t)n * sizeof(double));
}

qvResult qvDense_SolveGeneral(int n, const double* a, double* x, qvDenseReport* report, qvError* error)
{
    QV_ASSERT(n > 0);
    Work work;
    qvResult result = MakeWork(n, n, a, x, &work, error);
    if (result != qv_ok)
        return result;
    double norm = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, work.a, n), inverseCondition = 0.0;
    lapack_int info = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, work.a, n, work.pivots);
    if (info == 0)
        info = LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', n, work.a, n, norm, &inverseCondition);
    if (info == 0)
        info = LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, 1, work.a, n, work.pivots, work.b, 1);
    if (info == 0)
        Report(n, a, &work, inverseCondition, x, report);
    else
        result = qvError_Set(error, qv_notConverged, "the %d equations have no unique solution", n);
    FreeWork(&work);
    return result;
}

qvResult qvDense_SolvePositive(int n, const double* a, double* x, qvDenseReport* report, qvError* error)
{
    QV_ASSERT(n > 0);
    Work work;
    qvResult result = MakeWork(n, n, a, x, &work, error);
    if (result != qv_ok)
        return result;
    double norm = LAPACKE_dlansy(LAPACK_ROW_MAJOR, '1', 'L', n, work.a, n), inverseCondition = 0.0;
    lapack_int info = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, work.a, n);
    if (info == 0)
        info = LAPACKE_dpocon(LAPACK_ROW_MAJOR, 'L', n, work.a, n, norm, &inverseCondition);
    if (info == 0)
        info = LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', n, 1, work.a, n, work.b, 1);
    if (info == 0)
        Report(n, a, &work, inverseCondition, x, report);
    else
        result = qvError_Set(error, qv_notConverged, "the matrix of %d unknowns is not positive definite", n);
    FreeWork(&work);
    return result;
}

qvResult qvDense_SolveLeastSquares(int rows, int columns, const double* a, const double* b, double cutoff, double* x,
                                   qvDenseReport* report, qvError* error)
{
    QV_ASSERT(rows > 0 && columns > 0 && cutoff >= 0.0);
    Work work;
    qvResult result = MakeWork(rows, columns, a, b, &work, error);
    if (result != qv_ok)
        return result;
    int smaller = rows < columns ? rows : columns;
    lapack_int rank = 0, info = 1;
    double* values = qvAllocate((size_t)smaller, sizeof(double));
    if (values != NULL)
        info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, columns, 1, work.a, columns, work.b, 1, values, cutoff, &rank);
    if (values == NULL)
        result = qvError_OutOfMemory(error, (double)smaller * sizeof(double));
    else if (info != 0)
        result = qvError_Set(error, qv_notConverged, "the singular values of a %d x %d matrix were not found", rows,
                             columns);
    else
    {
        memcpy(x, work.b, (size_t)columns * sizeof(double));
        report->rank = rank;
        report->condition = values[smaller - 1] > 0.0 ? values[0] / values[smaller - 1] : INFINITY;
        report->residual = LargestMiss(rows, columns, a, b, x);
    }
    free(values);
    FreeWork(&work);
    return result;
}
