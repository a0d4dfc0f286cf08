// SPDX-License-Identifier: GPL-3.0-or-later
#include "math/dense_lu.h"

#include "base/assert.h"
#include "math/blas.h"

#include <cblas.h>
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

// --- Factors of large matrices, panel by panel
// ------------------------------------------------------------------------

// What a step takes does not grow with the cube of the size. Smaller matrices are left to LAPACK as a whole.
enum
{
    WHOLE = 1600, // rows
    PANEL = 128,
    STRIP = 256, // columns that are updated between questions
};

// A matrix of doubles or of complex ones, whose pieces LAPACK and BLAS are handed.
typedef struct Panels
{
    bool isComplex;
    int size, ld;
    void* a;
} Panels;

static void* At(const Panels* m, int row, int column)
{
    size_t place = (size_t)column * (size_t)m->ld + (size_t)row;
    return (char*)m->a + place * (m->isComplex ? sizeof(double complex) : sizeof(double));
}

static int FactorPanel(const Panels* m, int first, int width, int* pivots)
{
    int rows = m->size - first;
    lapack_int info =
        m->isComplex ? LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, rows, width, At(m, first, first), m->ld, pivots + first)
                     : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, rows, width, At(m, first, first), m->ld, pivots + first);
    for (int i = first; i < first + width; i++)
        pivots[i] += first;
    return (int)(info > 0 ? info + first : info);
}

// The rows of the columns begin … end - 1 as the panel from `first` has exchanged its own.
static void Exchange(const Panels* m, int first, int width, const int* pivots, int begin, int end)
{
    if (begin >= end)
        return;
    if (m->isComplex)
        LAPACKE_zlaswp_work(LAPACK_COL_MAJOR, end - begin, At(m, 0, begin), m->ld, first + 1, first + width, pivots, 1);
    else
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, end - begin, At(m, 0, begin), m->ld, first + 1, first + width, pivots, 1);
}

// U = L^-1 A beside the panel, and below it A -= L U.
static void UpdateStrip(const Panels* m, int first, int width, int begin, int end)
{
    int below = m->size - first - width, columns = end - begin;
    const void *corner = At(m, first, first), *left = At(m, first + width, first);
    void *top = At(m, first, begin), *rest = At(m, first + width, begin);
    if (m->isComplex)
    {
        const double complex one = 1.0, minus = -1.0;
        cblas_ztrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, columns, &one, corner, m->ld,
                    top, m->ld);
        cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, columns, width, &minus, left, m->ld, top, m->ld,
                    &one, rest, m->ld);
        return;
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, columns, 1.0, corner, m->ld, top,
                m->ld);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, columns, width, -1.0, left, m->ld, top, m->ld, 1.0,
                rest, m->ld);
}

static qvResult FactorPanels(const Panels* m, int* pivots, int* info, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    *info = 0;
    for (int first = 0; result == qv_ok && first < m->size; first += PANEL)
    {
        int width = m->size - first < PANEL ? m->size - first : PANEL;
        int found = FactorPanel(m, first, width, pivots);
        *info = *info == 0 ? found : *info;
        Exchange(m, first, width, pivots, 0, first);
        result = qvJob_Ask(job, error);
        for (int begin = first + width; result == qv_ok && begin < m->size; begin += STRIP)
        {
            int end = begin + STRIP < m->size ? begin + STRIP : m->size;
            Exchange(m, first, width, pivots, begin, end);
            UpdateStrip(m, first, width, begin, end);
            result = qvJob_Ask(job, error);
        }
    }
    return result;
}

qvResult qvDense_Cholesky(int size, double* a, int ld, int* failed, const qvJob* job, qvError* error)
{
    Panels m = { false, size, ld, a };
    qvResult result = qv_ok;
    *failed = -1;
    for (int first = 0; result == qv_ok && *failed < 0 && first < size;)
    {
        int width = size <= WHOLE ? size : size - first < PANEL ? size - first : PANEL, end = first + width;
        int found = qvBlas_Cholesky(width, At(&m, first, first), ld);
        *failed = found >= 0 ? first + found : -1;
        if (*failed < 0 && end < size)
            qvBlas_SolveLower(size - end, width, At(&m, first, first), ld, At(&m, end, first), ld);
        for (int begin = end; *failed < 0 && result == qv_ok && begin < size; begin += STRIP)
        {
            int columns = size - begin < STRIP ? size - begin : STRIP;
            qvBlas_Multiply(false, true, size - begin, columns, width, -1.0, At(&m, begin, first), ld,
                            At(&m, begin, first), ld, 1.0, At(&m, begin, begin), ld);
            result = qvJob_Ask(job, error);
        }
        first = end;
    }
    return result;
}

// --- What is handed out ----------------------------------------------------------------------------------------------

// LAPACKE answers what is not a number with a negative norm.
static qvResult RefuseNorm(double norm, qvError* error)
{
    if (isfinite(norm) && norm >= 0.0)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "a dense matrix holds a value that is no finite number; check the shape");
}

qvResult qvDense_FactorLu(int size, double* a, int ld, int* pivots, const qvJob* job, qvError* error)
{
    QV_ASSERT(size > 0 && ld >= size);
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', size, size, a, ld), inverseCondition = 0.0;
    qvResult result = RefuseNorm(norm, error);
    if (result != qv_ok)
        return result;
    int info = 0;
    if (size <= WHOLE)
        info = (int)LAPACKE_dgetrf(LAPACK_COL_MAJOR, size, size, a, ld, pivots);
    else
        result = FactorPanels(&(Panels){ false, size, ld, a }, pivots, &info, job, error);
    if (result != qv_ok)
        return result;
    if (info == 0)
        info = (int)LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', size, a, ld, norm, &inverseCondition);
    return Judge(size, info, inverseCondition, error);
}

qvResult qvDense_FactorComplexLu(int size, double complex* a, int ld, int* pivots, const qvJob* job, qvError* error)
{
    QV_ASSERT(size > 0 && ld >= size);
    double norm = LAPACKE_zlange(LAPACK_COL_MAJOR, '1', size, size, a, ld), inverseCondition = 0.0;
    qvResult result = RefuseNorm(norm, error);
    if (result != qv_ok)
        return result;
    int info = 0;
    if (size <= WHOLE)
        info = (int)LAPACKE_zgetrf(LAPACK_COL_MAJOR, size, size, a, ld, pivots);
    else
        result = FactorPanels(&(Panels){ true, size, ld, a }, pivots, &info, job, error);
    if (result != qv_ok)
        return result;
    if (info == 0)
        info = (int)LAPACKE_zgecon(LAPACK_COL_MAJOR, '1', size, a, ld, norm, &inverseCondition);
    return Judge(size, info, inverseCondition, error);
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
