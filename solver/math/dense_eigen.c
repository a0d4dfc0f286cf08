// SPDX-License-Identifier: GPL-3.0-or-later
// Dense symmetric eigenproblems and orthonormal bases by LAPACK.
#include "math/dense_eigen.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool IsFinite(int rows, int columns, const double* matrix, int ld, bool lowerOnly)
{
    for (int j = 0; j < columns; j++)
    {
        for (int i = lowerOnly ? j : 0; i < rows; i++)
        {
            if (!isfinite(matrix[(size_t)j * (size_t)ld + (size_t)i]))
                return false;
        }
    }
    return true;
}

static qvResult NotFinite(qvError* error)
{
    return qvError_Set(error, qv_badInput, "a dense matrix holds a value that is no finite number; check the shape");
}

static qvResult Failed(qvError* error, const char* what, lapack_int info)
{
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return qvError_Set(error, qv_outOfMemory, "out of memory in a dense %s", what);
    return qvError_Set(error, qv_notConverged, "a dense %s did not converge (LAPACK %d)", what, (int)info);
}

void qvFixSigns(int rows, int columns, double* matrix, int ld)
{
    for (int j = 0; j < columns; j++)
    {
        double* column = matrix + (size_t)j * (size_t)ld;
        double largest = 0.0;
        for (int i = 0; i < rows; i++)
            largest = fmax(largest, fabs(column[i]));
        int decides = 0;
        while (decides < rows && fabs(column[decides]) < largest * (1.0 - 1e-6))
            decides++;
        if (decides < rows && column[decides] < 0.0)
        {
            for (int i = 0; i < rows; i++)
                column[i] = -column[i];
        }
    }
}

qvResult qvDense_Eigen(int size, const double* matrix, int ld, double* values, double* vectors, qvError* error)
{
    QV_ASSERT(size >= 0 && ld >= size);
    if (size == 0)
        return qv_ok;
    if (!IsFinite(size, size, matrix, ld, true))
        return NotFinite(error);
    for (int j = 0; j < size; j++)
        memmove(vectors + (size_t)j * (size_t)size, matrix + (size_t)j * (size_t)ld, (size_t)size * sizeof(double));
    lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size, vectors, size, values);
    if (info != 0)
        return Failed(error, "eigenproblem", info);
    qvFixSigns(size, size, vectors, size);
    return qv_ok;
}

qvResult qvDense_QR(int rows, int columns, double* matrix, int ld, double* triangle, qvError* error)
{
    QV_ASSERT(columns >= 0 && rows >= columns && ld >= rows);
    if (columns == 0)
        return qv_ok;
    if (!IsFinite(rows, columns, matrix, ld, false))
        return NotFinite(error);
    double* tau = qvAllocate((size_t)columns, sizeof(*tau));
    if (tau == NULL)
        return qvError_OutOfMemory(error, (double)columns * sizeof(*tau));
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, columns, matrix, ld, tau);
    for (int j = 0; info == 0 && j < columns; j++)
    {
        for (int i = 0; i < columns; i++)
            triangle[(size_t)j * (size_t)columns + (size_t)i] =
                i <= j ? matrix[(size_t)j * (size_t)ld + (size_t)i] : 0.0;
    }
    if (info == 0)
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, rows, columns, columns, matrix, ld, tau);
    free(tau);
    return info == 0 ? qv_ok : Failed(error, "QR factorization", info);
}

// Rows at a time when a tall matrix is multiplied in place.
enum
{
    ROW_BLOCK = 512
};

bool qvDense_MultiplyInPlace(int rows, int columns, double* matrix, int ld, const double* factor, int ldFactor,
                             int count)
{
    QV_ASSERT(count <= columns);
    double* block = qvAllocateRaw((size_t)ROW_BLOCK * (size_t)columns, sizeof(*block));
    if (block == NULL)
        return false;
    for (int begin = 0; begin < rows; begin += ROW_BLOCK)
    {
        int height = rows - begin < ROW_BLOCK ? rows - begin : ROW_BLOCK;
        for (int j = 0; j < columns; j++)
            memcpy(block + (size_t)j * ROW_BLOCK, matrix + (size_t)j * (size_t)ld + begin,
                   (size_t)height * sizeof(double));
        qvBlas_Multiply(false, false, height, count, columns, 1.0, block, ROW_BLOCK, factor, ldFactor, 0.0,
                        matrix + begin, ld);
    }
    free(block);
    return true;
}

qvResult qvDense_Orthonormalize(int rows, int columns, double* matrix, int ld, double cutoff, double* singular,
                                int* rank, qvError* error)
{
    *rank = 0;
    if (columns == 0)
        return qv_ok;
    size_t square = (size_t)columns * (size_t)columns;
    double* work = qvAllocate(3 * square, sizeof(*work));
    if (work == NULL)
        return qvError_OutOfMemory(error, 3.0 * (double)square * sizeof(*work));
    double *triangle = work, *left = work + square, *rightT = work + 2 * square;
    qvResult result = qvDense_QR(rows, columns, matrix, ld, triangle, error);
    if (result != qv_ok)
        goto done;
    lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', columns, columns, triangle, columns, singular, left,
                                     columns, rightT, columns);
    if (info != 0)
    {
        result = Failed(error, "singular value decomposition", info);
        goto done;
    }
    while (*rank < columns && singular[*rank] > cutoff)
        ++*rank;
    if (!qvDense_MultiplyInPlace(rows, columns, matrix, ld, left, columns, *rank))
        result = qvError_OutOfMemory(error, (double)ROW_BLOCK * columns * sizeof(double));
done:
    free(work);
    return result;
}
