// SPDX-License-Identifier: GPL-3.0-or-later
#include "math/dense_lu.h"

#include "base/assert.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are handed to LAPACK as they are");

// What LAPACK said of a factorization.
static qvResult Judge(int size, int info, double inverseCondition, qvError* error)
{
    if (info < 0)
        return qvError_Set(error, qv_outOfMemory, "out of memory in a dense factorization (LAPACK %d)", info);
    if (info > 0 || !(inverseCondition > 1e-15))
        return qvError_Set(error, qv_notConverged, "a system of %d equations is singular", size);
    return qv_ok;
}

static qvResult RefuseNorm(double norm, qvError* error)
{
    if (isfinite(norm))
        return qv_ok;
    return qvError_Set(error, qv_badInput, "a dense matrix holds a value that is no finite number; check the shape");
}

qvResult qvDense_FactorLu(int size, double* a, int ld, int* pivots, qvError* error)
{
    QV_ASSERT(size > 0 && ld >= size);
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', size, size, a, ld), inverseCondition = 0.0;
    qvResult result = RefuseNorm(norm, error);
    if (result != qv_ok)
        return result;
    lapack_int info = LAPACKE_dgetrf(LAPACK_COL_MAJOR, size, size, a, ld, pivots);
    if (info == 0)
        info = LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', size, a, ld, norm, &inverseCondition);
    return Judge(size, (int)info, inverseCondition, error);
}

qvResult qvDense_FactorComplexLu(int size, double complex* a, int ld, int* pivots, qvError* error)
{
    QV_ASSERT(size > 0 && ld >= size);
    double norm = LAPACKE_zlange(LAPACK_COL_MAJOR, '1', size, size, a, ld), inverseCondition = 0.0;
    qvResult result = RefuseNorm(norm, error);
    if (result != qv_ok)
        return result;
    lapack_int info = LAPACKE_zgetrf(LAPACK_COL_MAJOR, size, size, a, ld, pivots);
    if (info == 0)
        info = LAPACKE_zgecon(LAPACK_COL_MAJOR, '1', size, a, ld, norm, &inverseCondition);
    return Judge(size, (int)info, inverseCondition, error);
}

void qvDense_SolveLu(int size, const double* lu, int ld, const int* pivots, bool transposed, int count, double* b,
                     int ldb)
{
    // The plain call looks for values that are not numbers in all factors, each time.
    lapack_int info =
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', size, count, lu, ld, pivots, b, ldb);
    QV_ASSERT(info == 0);
}

void qvDense_SolveComplexLu(int size, const double complex* lu, int ld, const int* pivots, bool transposed, int count,
                            double complex* b, int ldb)
{
    lapack_int info =
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', size, count, lu, ld, pivots, b, ldb);
    QV_ASSERT(info == 0);
}

void qvDense_SolveCholesky(int size, const double* l, int ld, int count, double* b, int ldb)
{
    lapack_int info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', size, count, l, ld, b, ldb);
    QV_ASSERT(info == 0);
}
