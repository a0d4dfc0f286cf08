// SPDX-License-Identifier: GPL-3.0-or-later
/// Symmetric sparse matrices with a fixed pattern, as finite elements and shells assemble them: a pattern that is made
/// once per mesh and shared, and plain arrays of values that belong to whoever fills them.
///
///     qvSparsePattern* pattern;                      // 3 x 3 blocks for every vertex and every coupled pair
///     qvCreateSparsePattern(vertexCount, 3, pairs, pairCount, &pattern, &error);
///     double* values = calloc(pattern->entryCount, sizeof(double));
///     values[qvSparsePattern_Find(pattern, row, column)] += stiffness;   // row >= column
///     qvSparse matrix = { pattern, values };
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the entries of a symmetric matrix are: the lower triangle (row >= column) in compressed columns, rows
/// ascending. Every diagonal entry exists and is the first of its column. Immutable once made; one owner; may be
/// read by any number of threads.
typedef struct qvSparsePattern
{
    int size;                   ///< rows and columns
    int entryCount;             ///< entries of the lower triangle with the diagonal
    const int32_t* columnStart; ///< [size + 1]: entries of column j are columnStart[j] … columnStart[j + 1] - 1
    const int32_t* row;         ///< [entryCount]

    // The strict lower triangle by rows, which lets every row of a product be gathered by one thread.
    const int32_t* rowStart;  ///< [size + 1]
    const int32_t* rowColumn; ///< [entryCount - size]: the columns of a row, ascending
    const int32_t* rowEntry;  ///< [entryCount - size]: where that entry is in the column order
} qvSparsePattern;

/// A matrix: the pattern and the values of its entries, both owned by the caller.
typedef struct qvSparse
{
    const qvSparsePattern* pattern;
    double* values; ///< [pattern->entryCount]
} qvSparse;

/// Pattern of blockCount x blockCount blocks of blockSize x blockSize entries. pairs holds pairCount pairs of block
/// numbers in [0, blockCount), in any order and with repeats; diagonal blocks are always there. Entries of a block
/// below the diagonal are consecutive in each of its columns. qv_badInput when there would be more than 2^31 - 1
/// entries. Free with qvDestroySparsePattern.
QV_CHECKED qvResult qvCreateSparsePattern(int blockCount, int blockSize, const int32_t (*pairs)[2], size_t pairCount,
                                          qvSparsePattern** pattern, qvError* error);

/// A copy of a pattern that is laid out like this already: values in its order are values of the new pattern. size
/// + 1 starts of columns; rows ascending in each column, the diagonal first.
QV_CHECKED qvResult qvCopySparsePattern(int size, const int32_t* columnStart, const int32_t* row,
                                        qvSparsePattern** pattern, qvError* error);

/// The same on the arrays as they are, which must outlive the pattern.
QV_CHECKED qvResult qvWrapSparsePattern(int size, const int32_t* columnStart, const int32_t* row,
                                        qvSparsePattern** pattern, qvError* error);

/// NULL is allowed.
void qvDestroySparsePattern(qvSparsePattern* pattern);

/// Index of the entry (row, column), row >= column, or -1 when it is not in the pattern.
int qvSparsePattern_Find(const qvSparsePattern* pattern, int row, int column);

/// y = A x for columnCount vectors, column after column (leading dimension: the size). x and y must not overlap.
/// The same bits for any number of threads. The job is asked every few vectors.
QV_CHECKED qvResult qvSparse_Multiply(const qvSparse* matrix, const double* x, int columnCount, double* y,
                                      const qvJob* job, qvError* error);

/// The largest sum of |entries| of a row: a bound of the largest |eigenvalue|. NaN or infinite when an entry is.
double qvSparse_Norm(const qvSparse* matrix);

#ifdef __cplusplus
}
#endif
