// SPDX-License-Identifier: GPL-3.0-or-later
// A basis that follows from the one before an edit.
//
// Of the blocks most are the same, and what the previous basis knows of them are their coordinates r: w = U_previous r.
// The vectors w of the others bring new directions N, orthonormal and orthogonal to U_previous. In the coordinates of
// [U_previous N] all blocks are short vectors; a basis Q of these, made in the same way as the large one, gives
// U = [U_previous N] Q. The span is that of the blocks to rounding, and reduced matrices can follow with products of K
// and N alone (reduce.c).
#include "modal/basis.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "math/blas.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_GENERATIONS = 32 // before rounding has added up so far that a basis is made anew
};

typedef struct Change
{
    qvBasis* basis;
    const qvBasisDef* def;
    const qvBasis* previous;
    int* same;        // [blockCount] number of the block in the previous basis, -1 if it is not there
    int foreignCount; // vectors of other blocks
    double* foreign;  // [size x foreignCount] at unit length, without those that are zero
    double *massW, *part;
    int rows;             // previous dimension and new directions
    double* all;          // [rows x vectors] coordinates in [U_previous N]
    qvBasisBlock* blocks; // in these coordinates
} Change;

static void FindSame(Change* change)
{
    const qvBasis* previous = change->previous;
    for (int b = 0; b < change->def->blockCount; b++)
    {
        int k = 0;
        while (k < previous->blockCount && (previous->hashes[k] != change->basis->hashes[b] || !previous->isWhole[k]))
            k++;
        change->same[b] = k < previous->blockCount ? k : -1;
        change->foreignCount += change->same[b] < 0 ? change->def->blocks[b].count : 0;
    }
}

// Less than half is new, and rounding has not added up.
static bool IsWorthwhile(const Change* change)
{
    int count = 0;
    for (int b = 0; b < change->def->blockCount; b++)
        count += change->def->blocks[b].count;
    return change->previous->dimension > 0 && change->foreignCount <= change->basis->size &&
           2 * change->foreignCount <= count && change->previous->generation < MAX_GENERATIONS;
}

static bool Allocate(Change* change)
{
    qvBasis* basis = change->basis;
    int d = change->previous->dimension, count = change->foreignCount;
    size_t items = (size_t)basis->size * (size_t)count;
    change->foreign = qvAllocateRaw(items, sizeof(double));
    change->massW = qvAllocateRaw(items, sizeof(double));
    change->part = qvAllocateRaw((size_t)(d + count) * (size_t)count, sizeof(double));
    basis->fresh = qvAllocateRaw(items, sizeof(double));
    return change->foreign != NULL && change->massW != NULL && change->part != NULL && basis->fresh != NULL;
}

// The vectors of the new blocks one after the other, and where each block's begin.
static qvResult CollectForeign(Change* change, int* begin, int* count, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    *count = 0;
    for (int b = 0; result == qv_ok && b < change->def->blockCount; b++)
    {
        int added = 0;
        begin[b] = *count;
        if (change->same[b] < 0)
            result =
                qvBasis_CopyUnit(change->basis, change->def, b, change->previous, 0, change->def->blocks[b].count,
                                 change->foreign + (size_t)*count * (size_t)change->basis->size, &added, job, error);
        if (result != qv_ok && result != qv_cancelled)
            qvError_Prefix(error, "block %d", b);
        *count += added;
    }
    begin[change->def->blockCount] = *count;
    return result;
}

static qvResult FindFresh(Change* change, int count, const qvJob* job, qvError* error)
{
    qvBasis* basis = change->basis;
    double left;
    memcpy(basis->fresh, change->foreign, (size_t)basis->size * (size_t)count * sizeof(double));
    return qvBasis_Orthonormalize(basis, qvBasis_Columns(change->previous, 0), basis->fresh, count, QV_BASIS_ROUNDING,
                                  change->massW, change->part, &basis->freshCount, &left, job, error);
}

// The columns of one block: those that the previous basis has, or those measured just now, from `begin` on.
static void CopyColumns(Change* change, int block, const double* measured, int begin, int end, double* to)
{
    const qvBasis* previous = change->previous;
    int d = previous->dimension, same = change->same[block];
    size_t rows = (size_t)change->rows;
    if (same < 0)
    {
        memcpy(to, measured + (size_t)begin * rows, rows * (size_t)(end - begin) * sizeof(double));
        return;
    }
    for (int c = previous->firstVector[same]; c < previous->firstVector[same + 1]; c++, to += rows)
    {
        memcpy(to, previous->coefficients + (size_t)c * (size_t)previous->ld, (size_t)d * sizeof(double));
        memset(to + d, 0, (rows - (size_t)d) * sizeof(double));
    }
}

static qvResult GatherCoordinates(Change* change, const int* begin, const qvJob* job, qvError* error)
{
    const qvBasis *basis = change->basis, *previous = change->previous;
    int d = previous->dimension, blockCount = change->def->blockCount, foreign = begin[blockCount], total = 0;
    change->rows = d + basis->freshCount;
    change->blocks = qvAllocate((size_t)blockCount, sizeof(*change->blocks));
    for (int b = 0; change->blocks != NULL && b < blockCount; b++)
    {
        int same = change->same[b];
        change->blocks[b].count =
            same < 0 ? begin[b + 1] - begin[b] : previous->firstVector[same + 1] - previous->firstVector[same];
        total += change->blocks[b].count;
    }
    double* measured = qvAllocateRaw((size_t)change->rows * (size_t)foreign, sizeof(double));
    double* to = change->all = qvAllocateRaw((size_t)change->rows * (size_t)total, sizeof(double));
    qvResult result = qv_ok;
    if (change->blocks == NULL || measured == NULL || to == NULL)
        result = qvError_OutOfMemory(error, (double)change->rows * total * sizeof(double));
    if (result == qv_ok)
        result = qvBasis_Measure(basis, qvBasis_Columns(previous, 0), change->foreign, foreign, change->massW, measured,
                                 change->rows, job, error);
    if (result == qv_ok)
        result = qvTall_Dot(basis->size, basis->freshCount, foreign, basis->fresh, change->massW, measured + d,
                            change->rows, job, error);
    for (int b = 0; result == qv_ok && b < blockCount; b++)
    {
        CopyColumns(change, b, measured, begin[b], begin[b + 1], to);
        change->blocks[b].vectors = to;
        to += (size_t)change->blocks[b].count * (size_t)change->rows;
    }
    free(measured);
    return result;
}

// Q, and what the small basis knows of the blocks, which is the same in the large one.
static qvResult Turn(Change* change, const qvJob* job, qvError* error)
{
    qvBasis *basis = change->basis, *small;
    double* ones = qvAllocateRaw((size_t)change->rows, sizeof(double));
    if (ones == NULL)
        return qvError_OutOfMemory(error, (double)change->rows * sizeof(double));
    for (int i = 0; i < change->rows; i++)
        ones[i] = 1.0;
    qvBasisDef def = { .size = change->rows, .mass = ones, .blocks = change->blocks };
    def.blockCount = basis->blockCount, def.tolerance = change->def->tolerance;
    qvJob quiet = qvQuietJob(job);
    qvResult result = qvCreateBasis(&def, NULL, &quiet, &small, error);
    free(ones);
    if (result != qv_ok)
        return result;
    size_t blocks = (size_t)basis->blockCount;
    memcpy(basis->first, small->first, (blocks + 1) * sizeof(int));
    memcpy(basis->firstVector, small->firstVector, (blocks + 1) * sizeof(int));
    memcpy(basis->isWhole, small->isWhole, blocks * sizeof(bool));
    basis->dimension = small->dimension, basis->ld = small->ld;
    basis->coefficients = small->coefficients, small->coefficients = NULL;
    basis->turn = small->u, small->u = NULL;
    qvDestroyBasis(small);
    return qv_ok;
}

static qvResult Expand(Change* change, const qvJob* job, qvError* error)
{
    qvBasis* basis = change->basis;
    const qvBasis* previous = change->previous;
    int d = previous->dimension;
    basis->u = qvAllocateRaw((size_t)basis->size * (size_t)basis->dimension, sizeof(double));
    if (basis->u == NULL)
        return qvError_OutOfMemory(error, (double)basis->size * basis->dimension * sizeof(double));
    qvResult result = qvTall_MultiplyColumns(basis->size, qvBasis_Columns(previous, 0), basis->dimension, 1.0,
                                             basis->turn, change->rows, 0.0, basis->u, job, error);
    if (result == qv_ok)
        result = qvTall_Multiply(basis->size, basis->freshCount, basis->dimension, 1.0, basis->fresh, basis->turn + d,
                                 change->rows, 1.0, basis->u, job, error);
    basis->previousDimension = d;
    basis->generation = previous->generation + 1;
    return result;
}

static void FreeVectors(Change* change)
{
    free(change->foreign);
    free(change->massW);
    free(change->part);
    change->foreign = change->massW = change->part = NULL;
}

static qvResult Run(Change* change, int* begin, const qvJob* job, qvError* error)
{
    int count;
    if (!Allocate(change))
        return qvError_OutOfMemory(error, 3.0 * change->basis->size * change->foreignCount * sizeof(double));
    qvResult result = CollectForeign(change, begin, &count, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "basis", 0.1, error);
    if (result == qv_ok)
        result = FindFresh(change, count, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "basis", 0.3, error);
    if (result == qv_ok)
        result = GatherCoordinates(change, begin, job, error);
    if (result == qv_ok)
        result = Turn(change, job, error);
    FreeVectors(change); // as much as what follows takes
    if (result == qv_ok)
        result = qvJob_Progress(job, "basis", 0.6, error);
    return result == qv_ok ? Expand(change, job, error) : result;
}

qvResult qvBasis_Follow(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job, bool* isDone,
                        qvError* error)
{
    Change change = { .basis = basis, .def = def, .previous = previous };
    change.same = qvAllocate((size_t)def->blockCount, sizeof(int));
    int* begin = qvAllocate((size_t)def->blockCount + 1, sizeof(int));
    qvResult result = qv_ok;
    if (change.same == NULL || begin == NULL)
        result = qvError_OutOfMemory(error, (double)def->blockCount * sizeof(int));
    else
        FindSame(&change);
    *isDone = result == qv_ok && IsWorthwhile(&change);
    if (*isDone)
        result = Run(&change, begin, job, error);
    free(change.same);
    free(begin);
    FreeVectors(&change);
    free(change.all);
    free(change.blocks);
    return result;
}

void qvBasis_Carry(const qvBasis* basis, const double* previous, int count, double* coordinates)
{
    int old = basis->previousDimension, d = basis->dimension;
    QV_ASSERT(old >= 0);
    qvBlas_Multiply(true, false, d, count, old, 1.0, basis->turn, old + basis->freshCount, previous, old, 0.0,
                    coordinates, d);
}
