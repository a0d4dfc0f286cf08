// SPDX-License-Identifier: GPL-3.0-or-later
// K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier, "Interactive spacetime control of deformable objects"
// (2012), sections 3.1 and 5: the space spanned by the vectors to the keyframes and the vibration modes at every
// keyframe.
//
// The paper takes one SVD of all vectors. Here each key's vectors are a block, and blocks are orthonormalised in key
// order, each by a SVD of what the blocks before leave of it: the span is the same, and an edit of one key leaves the
// blocks before it as they are, bit by bit. What changed is kept as new directions N and a small matrix Q,
// U = [U_previous N] Q, so that reduced matrices of other keys can follow with few products (reduce.c).
#include "modal/basis.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FIRST_SAMPLES = 32 // random combinations in the first search for new directions
};

// Directions of the change below this are rounding: all vectors involved have unit length.
static const double changeCutoff = 1e-13;

qvBasisDef qvDefaultBasisDef(void)
{
    return (qvBasisDef){ .tolerance = 1e-7 };
}

void qvDestroyBasis(qvBasis* basis)
{
    if (basis == NULL)
        return;
    free(basis->mass);
    free(basis->root);
    free(basis->inverseRoot);
    free(basis->first);
    free(basis->hashes);
    free(basis->u);
    free(basis->fresh);
    free(basis->turn);
    free(basis);
}

int qvBasis_Size(const qvBasis* basis)
{
    return basis->size;
}

int qvBasis_Dimension(const qvBasis* basis)
{
    return basis->dimension;
}

const double* qvBasis_Vectors(const qvBasis* basis)
{
    return basis->u;
}

void qvBasis_BlockRange(const qvBasis* basis, int block, int* first, int* count)
{
    QV_ASSERT(block >= 0 && block < basis->blockCount);
    *first = basis->first[block];
    *count = basis->first[block + 1] - basis->first[block];
}

// --- Orthonormalisation in the mass inner product
// ---------------------------------------------------------------------

// Multiplies row i of count columns by factor[i].
static void ScaleRows(const qvBasis* basis, double* w, int count, const double* factor)
{
    for (int c = 0; c < count; c++)
    {
        double* column = w + (size_t)c * (size_t)basis->size;
        for (int i = 0; i < basis->size; i++)
            column[i] *= factor[i];
    }
}

// w -= u u^T M w for `columns` mass-orthonormal columns u. massW [size x count] and part [columns x count] are scratch;
// sum (may be NULL) gets u^T M w added.
static void ProjectOut(const qvBasis* basis, const double* u, int columns, double* w, int count, double* massW,
                       double* part, double* sum)
{
    int n = basis->size;
    memcpy(massW, w, (size_t)n * (size_t)count * sizeof(double));
    ScaleRows(basis, massW, count, basis->mass);
    qvBlas_Multiply(true, false, columns, count, n, 1.0, u, n, massW, n, 0.0, part, columns > 0 ? columns : 1);
    qvBlas_Multiply(false, false, n, count, columns, -1.0, u, n, part, columns, 1.0, w, n);
    for (int i = 0; sum != NULL && i < columns * count; i++)
        sum[i] += part[i];
}

// Mass-orthonormal columns in place of count columns w: those with singular values above cutoff.
static qvResult OrthonormalizeMass(const qvBasis* basis, double* w, int count, double cutoff, int* rank, qvError* error)
{
    double* singular = qvAllocate((size_t)count, sizeof(*singular));
    if (singular == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*singular));
    ScaleRows(basis, w, count, basis->root);
    qvResult result = qvDense_Orthonormalize(basis->size, count, w, basis->size, cutoff, singular, rank, error);
    if (result == qv_ok)
        ScaleRows(basis, w, *rank, basis->inverseRoot);
    free(singular);
    return result;
}

// Copies those of the vectors [begin, end) of a block that are not zero, each at unit length.
static qvResult CopyUnit(const qvBasis* basis, const qvBasisBlock* block, int begin, int end, double* w, int* count,
                         qvError* error)
{
    size_t n = (size_t)basis->size;
    *count = 0;
    for (int c = begin; c < end; c++)
    {
        const double* from = block->vectors + (size_t)c * n;
        double* to = w + (size_t)*count * n;
        double largest = 0.0, sum = 0.0;
        for (size_t i = 0; i < n; i++)
        {
            if (!isfinite(from[i]))
                return qvError_Set(error, qv_badInput,
                                   "vector %d is not finite at degree of freedom %d; check the pose", c, (int)i);
            largest = fmax(largest, fabs(from[i]));
        }
        if (largest == 0.0)
            continue;
        for (size_t i = 0; i < n; i++)
        {
            to[i] = from[i] / largest;
            sum += basis->mass[i] * to[i] * to[i];
        }
        qvBlas_Scale((int)n, 1.0 / sqrt(sum), to);
        ++*count;
    }
    return qv_ok;
}

// Room for the work on one block of up to `count` columns beside a basis of up to `columns`.
typedef struct Scratch
{
    double *massW, *part;
} Scratch;

static bool AllocateScratch(int size, int count, int columns, Scratch* scratch)
{
    scratch->massW = qvAllocateRaw((size_t)size * (size_t)count, sizeof(double));
    scratch->part = qvAllocateRaw((size_t)columns * (size_t)count, sizeof(double));
    return scratch->massW != NULL && scratch->part != NULL;
}

static void FreeScratch(Scratch* scratch)
{
    free(scratch->massW);
    free(scratch->part);
}

// Appends what the vectors [begin, end) of a block add to the basis.
static qvResult AppendVectors(qvBasis* basis, const qvBasisDef* def, const qvBasisBlock* block, int begin, int end,
                              Scratch* scratch, qvError* error)
{
    int count, rank = 0, d = basis->dimension;
    double* w = basis->u + (size_t)d * (size_t)basis->size;
    qvResult result = CopyUnit(basis, block, begin, end, w, &count, error);
    if (result != qv_ok)
        return result;
    ProjectOut(basis, basis->u, d, w, count, scratch->massW, scratch->part, NULL);
    result = OrthonormalizeMass(basis, w, count, def->tolerance, &rank, error);
    if (result != qv_ok)
        return result;
    // Short remainders grew to unit length, and with them the rounding left in the blocks before.
    ProjectOut(basis, basis->u, d, w, rank, scratch->massW, scratch->part, NULL);
    ScaleRows(basis, w, rank, basis->root);
    result = qvDense_FastQR(basis->size, rank, w, basis->size, scratch->part, error);
    ScaleRows(basis, w, rank, basis->inverseRoot);
    basis->dimension += rank;
    return result;
}

static qvResult AppendBlock(qvBasis* basis, const qvBasisDef* def, int index, Scratch* scratch, qvError* error)
{
    const qvBasisBlock* block = &def->blocks[index];
    // The SVD wants a tall matrix: a body of few points takes its vectors in several goes.
    int step = basis->size > 0 ? basis->size : block->count + 1;
    qvResult result = qv_ok;
    for (int begin = 0; result == qv_ok && begin < block->count; begin += step)
    {
        int end = block->count - begin < step ? block->count : begin + step;
        result = AppendVectors(basis, def, block, begin, end, scratch, error);
    }
    basis->first[index + 1] = basis->dimension;
    if (result != qv_ok)
        qvError_Prefix(error, "pose %d", index);
    return result;
}

// --- What changed since the previous basis
// ----------------------------------------------------------------------------

// Blocks at the front that are those of the previous basis.
static int CommonBlocks(const qvBasis* basis, const qvBasis* previous)
{
    int count = 0;
    while (count < basis->blockCount && count < previous->blockCount && basis->hashes[count] == previous->hashes[count])
        count++;
    return count;
}

// Q for the columns from `common` on: coordinates of U in [U_previous N].
static void FillTurn(qvBasis* basis, int common, const double* inPrevious, const double* inFresh)
{
    int old = basis->previousDimension, rows = old + basis->freshCount;
    for (int j = 0; j < common; j++)
        basis->turn[(size_t)j * (size_t)rows + (size_t)j] = 1.0;
    for (int j = common; j < basis->dimension; j++)
    {
        double* column = basis->turn + (size_t)j * (size_t)rows;
        memcpy(column, inPrevious + (size_t)(j - common) * (size_t)old, (size_t)old * sizeof(double));
        memcpy(column + old, inFresh + (size_t)(j - common) * (size_t)basis->freshCount,
               (size_t)basis->freshCount * sizeof(double));
    }
}

// N [size x freshCount], mass-orthonormal, and inFresh = N^T M rest, such that rest = N inFresh to rounding. Of rest
// [size x count] few columns are independent (an edit brings few new directions): random combinations of it find them,
// more and more until nothing is left. massRest is M rest.
static qvResult FindFresh(qvBasis* basis, const double* rest, const double* massRest, int count, double* inFresh,
                          qvError* error)
{
    int n = basis->size;
    size_t items = (size_t)n * (size_t)count;
    double* left = qvAllocateRaw(items, sizeof(double));
    double* mix = qvAllocateRaw((size_t)count * (size_t)count, sizeof(double));
    qvResult result = qv_ok;
    if (left == NULL || mix == NULL)
        result = qvError_OutOfMemory(error, (double)items * sizeof(double));
    else
        qvFillRandom(mix, (size_t)count * (size_t)count, 3);
    double largest = 1.0;
    for (int columns = FIRST_SAMPLES; result == qv_ok && largest > changeCutoff; columns *= 2)
    {
        bool isAll = columns >= count;
        columns = isAll ? count : columns;
        qvBlas_Multiply(false, false, n, columns, count, 1.0, rest, n, mix, count, 0.0, basis->fresh, n);
        if (isAll)
            memcpy(basis->fresh, rest, items * sizeof(double));
        result = OrthonormalizeMass(basis, basis->fresh, columns, changeCutoff, &basis->freshCount, error);
        int fresh = basis->freshCount;
        qvBlas_Multiply(true, false, fresh, count, n, 1.0, basis->fresh, n, massRest, n, 0.0, inFresh,
                        fresh > 0 ? fresh : 1);
        memcpy(left, rest, items * sizeof(double));
        qvBlas_Multiply(false, false, n, count, fresh, -1.0, basis->fresh, n, inFresh, fresh, 1.0, left, n);
        ScaleRows(basis, left, count, basis->root);
        largest = 0.0;
        for (int c = 0; !isAll && c < count; c++)
            largest = fmax(largest, qvBlas_Norm(n, left + (size_t)c * (size_t)n));
    }
    free(left);
    free(mix);
    return result;
}

static qvResult FindChange(qvBasis* basis, const qvBasis* previous, qvError* error)
{
    int n = basis->size, old = previous->dimension, common = basis->first[CommonBlocks(basis, previous)];
    int count = basis->dimension - common;
    size_t items = (size_t)n * (size_t)count;
    Scratch scratch;
    bool ok = AllocateScratch(n, count, old, &scratch);
    double* rest = qvAllocateRaw(items, sizeof(double));
    double* inPrevious = qvAllocate((size_t)old * (size_t)count, sizeof(double));
    double* inFresh = qvAllocate((size_t)count * (size_t)count, sizeof(double));
    basis->fresh = qvAllocateRaw(items, sizeof(double));
    basis->turn = qvAllocate((size_t)(old + count) * (size_t)basis->dimension, sizeof(double));
    qvResult result = qv_ok;
    if (!ok || rest == NULL || inPrevious == NULL || inFresh == NULL || basis->fresh == NULL || basis->turn == NULL)
        result = qvError_OutOfMemory(error, 3.0 * (double)items * sizeof(double));
    if (result == qv_ok)
    {
        // U = U_previous (U_previous^T M U) + rest. N need not be orthogonal to U_previous, but times its coefficients
        // it must be the rest.
        memcpy(rest, basis->u + (size_t)common * (size_t)n, items * sizeof(double));
        ProjectOut(basis, previous->u, old, rest, count, scratch.massW, scratch.part, inPrevious);
        memcpy(scratch.massW, rest, items * sizeof(double));
        ScaleRows(basis, scratch.massW, count, basis->mass);
        result = FindFresh(basis, rest, scratch.massW, count, inFresh, error);
    }
    if (result == qv_ok)
    {
        basis->previousDimension = old;
        FillTurn(basis, common, inPrevious, inFresh);
    }
    FreeScratch(&scratch);
    free(rest);
    free(inPrevious);
    free(inFresh);
    return result;
}

// --- Making a basis
// ---------------------------------------------------------------------------------------------------

static int VectorCount(const qvBasisDef* def)
{
    int count = 0;
    for (int b = 0; b < def->blockCount; b++)
    {
        QV_ASSERT(def->blocks[b].count >= 0);
        count += def->blocks[b].count;
    }
    return count;
}

static int LargestBlock(const qvBasisDef* def)
{
    int count = 0;
    for (int b = 0; b < def->blockCount; b++)
        count = def->blocks[b].count > count ? def->blocks[b].count : count;
    return count;
}

static void HashBlocks(qvBasis* basis, const qvBasisDef* def)
{
    uint64_t seed = qvHash(&def->tolerance, sizeof(def->tolerance), (uint64_t)def->size);
    for (int b = 0; b < def->blockCount; b++)
    {
        size_t items = (size_t)def->size * (size_t)def->blocks[b].count;
        basis->hashes[b] = qvHash(def->blocks[b].vectors, items * sizeof(double), seed);
    }
}

static qvResult CopyMass(qvBasis* basis, const double* mass, qvError* error)
{
    for (int i = 0; i < basis->size; i++)
    {
        if (!(mass[i] > 0.0) || !isfinite(mass[i]))
            return qvError_Set(error, qv_badInput, "degree of freedom %d has mass %g; give every point a positive mass",
                               i, mass[i]);
        basis->root[i] = sqrt(mass[i]);
        basis->inverseRoot[i] = 1.0 / basis->root[i];
    }
    memcpy(basis->mass, mass, (size_t)basis->size * sizeof(double));
    return qv_ok;
}

// Takes over the blocks that are the same; the number of the first that is not.
static int CopyCommon(qvBasis* basis, const qvBasis* previous)
{
    int count = CommonBlocks(basis, previous);
    memcpy(basis->first, previous->first, (size_t)(count + 1) * sizeof(int));
    basis->dimension = basis->first[count];
    memcpy(basis->u, previous->u, (size_t)basis->size * (size_t)basis->dimension * sizeof(double));
    return count;
}

static bool AllocateBasis(qvBasis* basis, const qvBasisDef* def, int vectorCount)
{
    *basis = (qvBasis){ .size = def->size, .blockCount = def->blockCount, .previousDimension = -1 };
    basis->mass = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->root = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->inverseRoot = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->first = qvAllocate((size_t)def->blockCount + 1, sizeof(int));
    basis->hashes = qvAllocate((size_t)def->blockCount, sizeof(uint64_t));
    basis->u = qvAllocateRaw((size_t)def->size * (size_t)vectorCount, sizeof(double));
    return basis->mass != NULL && basis->root != NULL && basis->inverseRoot != NULL && basis->first != NULL &&
           basis->hashes != NULL && basis->u != NULL;
}

static qvResult Build(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job, qvError* error)
{
    qvResult result = CopyMass(basis, def->mass, error);
    if (result != qv_ok)
        return result;
    HashBlocks(basis, def);
    int block = previous != NULL ? CopyCommon(basis, previous) : 0;
    Scratch scratch;
    if (!AllocateScratch(def->size, LargestBlock(def), VectorCount(def), &scratch))
        result = qvError_OutOfMemory(error, (double)def->size * LargestBlock(def) * sizeof(double));
    for (; result == qv_ok && block < def->blockCount; block++)
    {
        result = qvJob_Progress(job, "basis", (double)block / def->blockCount, error);
        if (result == qv_ok)
            result = AppendBlock(basis, def, block, &scratch, error);
    }
    FreeScratch(&scratch);
    if (result == qv_ok && previous != NULL)
        result = FindChange(basis, previous, error);
    return result == qv_ok ? qvJob_Progress(job, "basis", 1.0, error) : result;
}

qvResult qvCreateBasis(const qvBasisDef* def, const qvBasis* previous, const qvJob* job, qvBasis** out, qvError* error)
{
    QV_ASSERT(def->size >= 0 && def->blockCount >= 0 && def->tolerance > 0.0 && def->tolerance < 1.0);
    QV_ASSERT(previous == NULL || (previous->size == def->size &&
                                   memcmp(previous->mass, def->mass, (size_t)def->size * sizeof(double)) == 0));
    *out = NULL;
    int vectorCount = VectorCount(def);
    qvBasis* basis = qvAllocate(1, sizeof(*basis));
    if (basis == NULL)
        return qvError_OutOfMemory(error, sizeof(*basis));
    qvResult result;
    if (AllocateBasis(basis, def, vectorCount))
        result = Build(basis, def, previous, job, error);
    else
        result = qvError_OutOfMemory(error, (double)def->size * vectorCount * sizeof(double));
    if (result != qv_ok)
    {
        qvDestroyBasis(basis);
        return result;
    }
    *out = basis;
    return qv_ok;
}
