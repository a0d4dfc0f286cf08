// SPDX-License-Identifier: GPL-3.0-or-later
// K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier, "Interactive spacetime control of deformable objects"
// (2012), sections 3.1 and 5: the space spanned by the vectors to the keyframes and the vibration modes at every
// keyframe.
//
// The paper takes one SVD of all vectors. Here each key's vectors are a block, and blocks are orthonormalised in key
// order, each by a SVD of what the blocks before leave of it: the span is the same, and the coordinates of each block's
// vectors are known, so that after an edit the next basis follows from this one (follow.c).
#include "modal/basis.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parked.h"
#include "math/blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

qvBasisDef qvDefaultBasisDef(void)
{
    return (qvBasisDef){ .tolerance = 1e-7 };
}

static size_t VectorBytes(const qvBasis* basis)
{
    return (size_t)basis->size * (size_t)basis->dimension * sizeof(double);
}

static size_t FreshBytes(const qvBasis* basis)
{
    return (size_t)basis->size * (size_t)basis->freshCount * sizeof(double);
}

static void FreeFresh(qvBasis* basis)
{
    if (basis->isFreshParked)
        qvUnpark(basis->fresh, FreshBytes(basis));
    else
        free(basis->fresh);
    basis->fresh = NULL;
    basis->isFreshParked = false;
}

void qvDestroyBasis(qvBasis* basis)
{
    if (basis == NULL || atomic_fetch_sub(&basis->owners, 1) > 1)
        return;
    free(basis->mass);
    free(basis->root);
    free(basis->inverseRoot);
    free(basis->first);
    free(basis->hashes);
    if (basis->isParked)
        qvUnpark(basis->u, VectorBytes(basis));
    else
        free(basis->u);
    free(basis->firstVector);
    free(basis->coefficients);
    free(basis->isWhole);
    FreeFresh(basis);
    free(basis->turn);
    free(basis);
}

qvBasis* qvShareBasis(qvBasis* basis)
{
    atomic_fetch_add(&basis->owners, 1);
    return basis;
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

qvTallColumns qvBasis_Columns(const qvBasis* basis, int first)
{
    size_t at = (size_t)first * (size_t)basis->size;
    return (qvTallColumns){ basis->u + at, basis->dimension - first, basis->isParked };
}

void qvBasis_BlockRange(const qvBasis* basis, int block, int* first, int* count)
{
    QV_ASSERT(block >= 0 && block < basis->blockCount);
    *first = basis->first[block];
    *count = basis->first[block + 1] - basis->first[block];
}

int qvBasis_VectorCount(const qvBasis* basis, int block)
{
    QV_ASSERT(block >= 0 && block < basis->blockCount);
    return basis->firstVector[block + 1] - basis->firstVector[block];
}

// The block of the previous basis whose vectors are meant, or -1.
static int SameAs(const qvBasisDef* def, int block)
{
    return def->sameAs != NULL ? def->sameAs[block] : -1;
}

bool qvBasis_HasFollowed(const qvBasis* basis)
{
    return basis->previousDimension >= 0;
}

void qvBasis_Forget(qvBasis* basis)
{
    FreeFresh(basis);
    free(basis->turn);
    basis->turn = NULL;
    basis->previousDimension = -1;
    basis->freshCount = 0;
}

static bool Park(const char* folder, double** vectors, size_t bytes)
{
    double* parked = qvPark(folder, *vectors, bytes);
    if (parked == NULL)
        return false;
    free(*vectors);
    *vectors = parked;
    return true;
}

void qvBasis_Park(qvBasis* basis, const char* folder)
{
    basis->isParked = basis->isParked || Park(folder, &basis->u, VectorBytes(basis));
    basis->isFreshParked = basis->isFreshParked || Park(folder, &basis->fresh, FreshBytes(basis));
}

void qvBasis_Rest(const qvBasis* basis)
{
    if (basis->isParked)
        qvRestParked(basis->u, VectorBytes(basis));
    if (basis->isFreshParked)
        qvRestParked(basis->fresh, FreshBytes(basis));
}

// --- Orthonormalisation in the mass inner product -------------------------------------------------------------------

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

qvResult qvBasis_Measure(const qvBasis* basis, qvTallColumns u, const double* w, int count, double* massW, double* r,
                         int ld, const qvJob* job, qvError* error)
{
    for (int c = 0; c < count; c++)
    {
        size_t at = (size_t)c * (size_t)basis->size;
        for (int i = 0; i < basis->size; i++)
            massW[at + (size_t)i] = basis->mass[i] * w[at + (size_t)i];
    }
    return qvTall_DotColumns(basis->size, u, count, massW, r, ld, job, error);
}

// w -= u u^T M w for mass-orthonormal columns u.
static qvResult ProjectOut(const qvBasis* basis, qvTallColumns u, double* w, int count, double* massW, double* part,
                           const qvJob* job, qvError* error)
{
    qvResult result = qvBasis_Measure(basis, u, w, count, massW, part, u.count > 0 ? u.count : 1, job, error);
    return result == qv_ok ? qvTall_MultiplyColumns(basis->size, u, count, -1.0, part, u.count, 1.0, w, job, error)
                           : result;
}

// Mass-orthonormal columns in place of count columns w: those with singular values above cutoff.
static qvResult OrthonormalizeMass(const qvBasis* basis, double* w, int count, double cutoff, int* rank, double* left,
                                   const qvJob* job, qvError* error)
{
    double* singular = qvAllocate((size_t)count + 1, sizeof(*singular));
    if (singular == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*singular));
    ScaleRows(basis, w, count, basis->root);
    qvResult result = qvTall_Orthonormalize(basis->size, count, w, cutoff, singular, rank, job, error);
    if (result == qv_ok)
        ScaleRows(basis, w, *rank, basis->inverseRoot);
    *left = singular[*rank];
    free(singular);
    return result;
}

qvResult qvBasis_Orthonormalize(const qvBasis* basis, qvTallColumns u, double* w, int count, double cutoff,
                                double* massW, double* part, int* rank, double* left, const qvJob* job, qvError* error)
{
    qvResult result = ProjectOut(basis, u, w, count, massW, part, job, error);
    if (result == qv_ok)
        result = OrthonormalizeMass(basis, w, count, cutoff, rank, left, job, error);
    // Short remainders grew to unit length, and with them the rounding left in the blocks before.
    if (result == qv_ok)
        result = ProjectOut(basis, u, w, *rank, massW, part, job, error);
    if (result != qv_ok)
        return result;
    ScaleRows(basis, w, *rank, basis->root);
    result = qvTall_FastQR(basis->size, *rank, w, part, job, error);
    ScaleRows(basis, w, *rank, basis->inverseRoot);
    return result;
}

static qvResult CopyVectors(const qvBasis* basis, const qvBasisBlock* block, int begin, int end, double* w, int* count,
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

qvResult qvBasis_CopyUnit(const qvBasis* basis, const qvBasisDef* def, int block, const qvBasis* previous, int begin,
                          int end, double* w, int* count, const qvJob* job, qvError* error)
{
    int same = SameAs(def, block);
    if (same < 0)
        return CopyVectors(basis, &def->blocks[block], begin, end, w, count, error);
    const double* r = previous->coefficients + (size_t)(previous->firstVector[same] + begin) * (size_t)previous->ld;
    *count = end - begin;
    return qvTall_MultiplyColumns(basis->size, qvBasis_Columns(previous, 0), *count, 1.0, r, previous->ld, 0.0, w, job,
                                  error);
}

// --- Making a basis -------------------------------------------------------------------------------------------------

// Room for the work on one block of up to `count` columns beside a basis of up to `columns`.
typedef struct Scratch
{
    double *w, *massW, *part;
} Scratch;

static bool AllocateScratch(int size, int count, int columns, Scratch* scratch)
{
    scratch->w = qvAllocateRaw((size_t)size * (size_t)count, sizeof(double));
    scratch->massW = qvAllocateRaw((size_t)size * (size_t)count, sizeof(double));
    scratch->part = qvAllocateRaw((size_t)(columns + count) * (size_t)count, sizeof(double));
    return scratch->w != NULL && scratch->massW != NULL && scratch->part != NULL;
}

static void FreeScratch(Scratch* scratch)
{
    free(scratch->w);
    free(scratch->massW);
    free(scratch->part);
}

// Appends what the vectors [begin, end) of a block add to the basis, and notes their coordinates in it.
static qvResult AppendVectors(qvBasis* basis, const qvBasisDef* def, int index, const qvBasis* previous, int begin,
                              int end, Scratch* scratch, const qvJob* job, qvError* error)
{
    int count, rank = 0, d = basis->dimension;
    size_t n = (size_t)basis->size;
    double left = 0.0, *u = basis->u + (size_t)d * n;
    qvResult result = qvBasis_CopyUnit(basis, def, index, previous, begin, end, scratch->w, &count, job, error);
    if (result != qv_ok)
        return result;
    memcpy(u, scratch->w, n * (size_t)count * sizeof(double));
    result = qvBasis_Orthonormalize(basis, qvBasis_Columns(basis, 0), u, count, def->tolerance, scratch->massW,
                                    scratch->part, &rank, &left, job, error);
    if (result != qv_ok)
        return result;
    basis->dimension += rank;
    basis->isWhole[index] = basis->isWhole[index] && left <= QV_BASIS_ROUNDING;
    double* r = basis->coefficients + (size_t)basis->firstVector[index + 1] * (size_t)basis->ld;
    basis->firstVector[index + 1] += count;
    return qvBasis_Measure(basis, qvBasis_Columns(basis, 0), scratch->w, count, scratch->massW, r, basis->ld, job,
                           error);
}

static qvResult AppendBlock(qvBasis* basis, const qvBasisDef* def, int index, const qvBasis* previous, Scratch* scratch,
                            const qvJob* job, qvError* error)
{
    const qvBasisBlock* block = &def->blocks[index];
    // The SVD wants a tall matrix: a body of few points takes its vectors in several goes.
    int step = basis->size > 0 ? basis->size : block->count + 1;
    qvResult result = qv_ok;
    basis->isWhole[index] = true;
    basis->firstVector[index + 1] = basis->firstVector[index];
    for (int begin = 0; result == qv_ok && begin < block->count; begin += step)
    {
        int end = block->count - begin < step ? block->count : begin + step;
        result = AppendVectors(basis, def, index, previous, begin, end, scratch, job, error);
    }
    basis->first[index + 1] = basis->dimension;
    if (result != qv_ok && result != qv_cancelled)
        qvError_Prefix(error, "block %d", index);
    return result;
}

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

static qvResult HashBlocks(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job,
                           qvError* error)
{
    qvResult result = qv_ok;
    uint64_t seed = qvHash(&def->tolerance, sizeof(def->tolerance), (uint64_t)def->size);
    for (int b = 0; result == qv_ok && b < def->blockCount; b++)
    {
        size_t items = (size_t)def->size * (size_t)def->blocks[b].count;
        int same = SameAs(def, b);
        basis->hashes[b] =
            same < 0 ? qvHash(def->blocks[b].vectors, items * sizeof(double), seed) : previous->hashes[same];
        result = qvJob_Ask(job, error);
    }
    return result;
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

static bool AllocateBasis(qvBasis* basis, const qvBasisDef* def)
{
    size_t blocks = (size_t)def->blockCount;
    *basis = (qvBasis){ .size = def->size, .blockCount = def->blockCount, .previousDimension = -1 };
    atomic_init(&basis->owners, 1);
    basis->mass = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->root = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->inverseRoot = qvAllocateRaw((size_t)def->size, sizeof(double));
    basis->first = qvAllocate(blocks + 1, sizeof(int));
    basis->firstVector = qvAllocate(blocks + 1, sizeof(int));
    basis->hashes = qvAllocate(blocks, sizeof(uint64_t));
    basis->isWhole = qvAllocate(blocks, sizeof(bool));
    return basis->mass != NULL && basis->root != NULL && basis->inverseRoot != NULL && basis->first != NULL &&
           basis->firstVector != NULL && basis->hashes != NULL && basis->isWhole != NULL;
}

// From the vectors alone.
static qvResult BuildAll(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job,
                         qvError* error)
{
    int vectorCount = VectorCount(def);
    basis->ld = vectorCount > 0 ? vectorCount : 1;
    basis->u = qvAllocateRaw((size_t)def->size * (size_t)vectorCount, sizeof(double));
    basis->coefficients = qvAllocate((size_t)basis->ld * (size_t)basis->ld, sizeof(double));
    Scratch scratch;
    qvResult result = qv_ok;
    if (!AllocateScratch(def->size, LargestBlock(def), vectorCount, &scratch) || basis->u == NULL ||
        basis->coefficients == NULL)
        result = qvError_OutOfMemory(error, (double)def->size * vectorCount * sizeof(double));
    for (int block = 0; result == qv_ok && block < def->blockCount; block++)
    {
        result = qvJob_Progress(job, "basis", (double)block / def->blockCount, error);
        if (result == qv_ok)
            result = AppendBlock(basis, def, block, previous, &scratch, job, error);
    }
    FreeScratch(&scratch);
    return result;
}

static qvResult Build(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job, qvError* error)
{
    bool isDone = false;
    qvResult result = CopyMass(basis, def->mass, error);
    if (result == qv_ok)
        result = HashBlocks(basis, def, previous, job, error);
    if (result == qv_ok && previous != NULL)
        result = qvBasis_Follow(basis, def, previous, job, &isDone, error);
    if (result == qv_ok && !isDone)
        result = BuildAll(basis, def, previous, job, error);
    return result == qv_ok ? qvJob_Progress(job, "basis", 1.0, error) : result;
}

qvResult qvCreateBasis(const qvBasisDef* def, const qvBasis* previous, const qvJob* job, qvBasis** out, qvError* error)
{
    QV_ASSERT(def->size >= 0 && def->blockCount >= 0 && def->tolerance > 0.0 && def->tolerance < 1.0);
    QV_ASSERT(previous == NULL || (previous->size == def->size &&
                                   memcmp(previous->mass, def->mass, (size_t)def->size * sizeof(double)) == 0));
    for (int b = 0; def->sameAs != NULL && b < def->blockCount; b++)
        QV_ASSERT(def->sameAs[b] < 0 ||
                  (previous != NULL && def->blocks[b].count == qvBasis_VectorCount(previous, def->sameAs[b])));
    *out = NULL;
    qvBasis* basis = qvAllocate(1, sizeof(*basis));
    if (basis == NULL)
        return qvError_OutOfMemory(error, sizeof(*basis));
    qvResult result;
    if (AllocateBasis(basis, def))
        result = Build(basis, def, previous, job, error);
    else
        result = qvError_OutOfMemory(error, 3.0 * def->size * sizeof(double));
    if (result != qv_ok)
    {
        qvDestroyBasis(basis);
        return result;
    }
    *out = basis;
    return qv_ok;
}
