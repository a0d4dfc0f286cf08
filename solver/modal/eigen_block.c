// SPDX-License-Identifier: GPL-3.0-or-later
// Block Krylov method with full orthogonalisation and thick restart.
//
// K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J. Matrix Anal. 22
// (2000); in blocks, because a factor solves eight columns in little more time than two, and because a block of eight
// sees eigenvalues of up to that multiplicity.
//
// At all times OP V(:, 1..done) = V H, where V = [v_1 … v_total] is orthonormal and H (total x done) holds the
// coefficients; below row `done` only the last block of columns is not zero: R, the triangle of the newest block. Ritz
// pairs are those of the square part of H, the residual of (theta, V s) is |R s_last|.
#include "modal/eigen.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/factor.h"
#include "modal/tall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 8,
    FIRST_STEPS = 6,  // beyond the wanted number of columns before convergence is looked at
    CONFIRM_STEPS = 3 // with fresh random vectors after convergence, when parts may repeat eigenvalues
};

// Below this length, relative to what it was, a vector is all rounding.
static const double DEFICIENT = 1e-11;

typedef struct Krylov
{
    const qvEigenProblem* problem;
    int n;
    int limit;                      // columns of V at most
    int done;                       // columns that OP was applied to
    int total;                      // columns of V
    int kept;                       // Ritz vectors at its front since the last restart
    double* v;                      // [n x limit]
    double* h;                      // [limit x limit]
    double* theta;                  // [limit] Ritz values, descending
    double* ritz;                   // [limit x limit] their vectors s in V
    double* work;                   // [limit x limit] scratch
    double* residual;               // [limit] of the Ritz pairs, over the Ritz value
    double* confirmed;              // [limit] Ritz values before a confirmation
    double triangle[BLOCK * BLOCK]; // R
    uint64_t seed;
    int solves;
    double progress; // part of the wanted pairs that have converged
} Krylov;

static double* Column(const Krylov* krylov, int index)
{
    return krylov->v + (size_t)index * (size_t)krylov->n;
}

static double* Coefficient(const Krylov* krylov, int row, int column)
{
    return krylov->h + (size_t)column * (size_t)krylov->limit + (size_t)row;
}

void qvFillRandom(double* values, size_t count, uint64_t seed)
{
    // splitmix64
    for (size_t i = 0; i < count; i++)
    {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t z = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        values[i] = (double)(z >> 11) * 0x1p-52 - 1.0;
    }
}

// Takes out of the BLOCK columns after V their part in the columns of V from `first` on, and adds that part to
// coefficients (leading dimension: limit) unless NULL. The columns stand for themselves times scale (BLOCK x BLOCK;
// NULL: themselves).
static qvResult ProjectOut(Krylov* krylov, int first, double* coefficients, const double* scale, qvError* error)
{
    const qvJob* job = krylov->problem->job;
    int n = krylov->n, count = krylov->total - first;
    double *v = Column(krylov, first), *w = Column(krylov, krylov->total), *part = krylov->work;
    qvResult result = qvTall_Dot(n, count, BLOCK, v, w, part, count, job, error);
    if (result == qv_ok)
        result = qvTall_Multiply(n, count, BLOCK, -1.0, v, part, count, 1.0, w, job, error);
    if (result != qv_ok || coefficients == NULL)
        return result;
    if (scale != NULL)
        qvBlas_Multiply(false, false, count, BLOCK, BLOCK, 1.0, part, count, scale, BLOCK, 1.0, coefficients + first,
                        krylov->limit);
    for (int j = 0; scale == NULL && j < BLOCK; j++)
        qvBlas_AddScaled(count, 1.0, part + (size_t)j * (size_t)count,
                         coefficients + (size_t)j * (size_t)krylov->limit + first);
    return qv_ok;
}

// Puts random directions in place of the columns that were nearly all in V (the triangle's diagonal says what is left
// of their lengths), and makes the triangle forget them.
static int ReplaceDeficient(Krylov* krylov, double* triangle, const double* lengths)
{
    int replaced = 0;
    for (int j = 0; j < BLOCK; j++)
    {
        if (fabs(triangle[j * BLOCK + j]) > DEFICIENT * lengths[j])
            continue;
        qvFillRandom(Column(krylov, krylov->total + j), (size_t)krylov->n, ++krylov->seed << 32);
        for (int i = j; i < BLOCK; i++)
            triangle[i * BLOCK + j] = 0.0;
        replaced++;
    }
    return replaced;
}

// Makes the BLOCK columns after V orthonormal, to V and among themselves: old columns = V coefficients + new columns
// times triangle. coefficients may be NULL. Only the columns of V from `first` on have a share worth noting in exact
// arithmetic.
static qvResult Orthonormalize(Krylov* krylov, int first, double* coefficients, double* triangle, qvError* error)
{
    double lengths[BLOCK], second[BLOCK * BLOCK], product[BLOCK * BLOCK];
    double* w = Column(krylov, krylov->total);
    for (int j = 0; j < BLOCK; j++)
        lengths[j] = qvBlas_Norm(krylov->n, w + (size_t)j * (size_t)krylov->n);
    const qvJob* job = krylov->problem->job;
    qvResult result = ProjectOut(krylov, first, coefficients, NULL, error);
    if (result == qv_ok)
        result = qvTall_QR(krylov->n, BLOCK, w, triangle, job, error);
    if (result != qv_ok)
        return result;
    // A second pass, over all of V, makes up for rounding and what cancelled in the first; random columns have their
    // own first and second.
    int passes = ReplaceDeficient(krylov, triangle, lengths) > 0 ? 3 : 1;
    for (int pass = 0; pass < passes; pass++)
    {
        result = ProjectOut(krylov, 0, coefficients, triangle, error);
        if (result == qv_ok)
            result = qvTall_FastQR(krylov->n, BLOCK, w, second, job, error);
        if (result != qv_ok)
            return result;
        qvBlas_Multiply(false, false, BLOCK, BLOCK, BLOCK, 1.0, second, BLOCK, triangle, BLOCK, 0.0, product, BLOCK);
        memcpy(triangle, product, sizeof(product));
    }
    return qv_ok;
}

// Appends a random block that nothing couples to V.
static qvResult AppendRandom(Krylov* krylov, qvError* error)
{
    double triangle[BLOCK * BLOCK];
    qvFillRandom(Column(krylov, krylov->total), (size_t)krylov->n * BLOCK, ++krylov->seed << 32);
    qvResult result = Orthonormalize(krylov, 0, NULL, triangle, error);
    krylov->total += BLOCK;
    return result;
}

// One step: OP times the newest block, its coefficients in V, and what is left as the next block.
static qvResult Step(Krylov* krylov, qvError* error)
{
    QV_ASSERT(krylov->total + BLOCK <= krylov->limit);
    const qvEigenProblem* problem = krylov->problem;
    int done = krylov->done, total = krylov->total;
    qvResult result =
        qvFactor_SolveFree(problem->factor, Column(krylov, done), BLOCK, Column(krylov, total), problem->job, error);
    if (result != qv_ok)
        return result;
    krylov->solves += BLOCK;
    result = qvJob_Progress(problem->job, "modes", krylov->progress, error);
    if (result != qv_ok)
        return result;
    for (int j = done; j < total; j++)
        memset(Coefficient(krylov, 0, j), 0, (size_t)krylov->limit * sizeof(double));
    // OP V couples a block with the one before and the one after it, but the first after a restart with all of V.
    int first = done - BLOCK > krylov->kept ? done - BLOCK : 0;
    result = Orthonormalize(krylov, first, Coefficient(krylov, 0, done), krylov->triangle, error);
    // Symmetric: the rows of the new columns are the columns of the rows.
    for (int j = done; j < total; j++)
    {
        for (int i = 0; i < j; i++)
            *Coefficient(krylov, j, i) = *Coefficient(krylov, i, j);
    }
    krylov->done += BLOCK;
    krylov->total += BLOCK;
    return result;
}

// Ritz values, largest first, and vectors of the square part of H; the residual of each over its value.
static qvResult FindRitzPairs(Krylov* krylov, qvError* error)
{
    int done = krylov->done;
    qvResult result = qvDense_Eigen(done, krylov->h, krylov->limit, krylov->theta, krylov->work, error);
    if (result != qv_ok)
        return result;
    for (int k = 0; k < done; k++)
        memcpy(krylov->ritz + (size_t)k * (size_t)done, krylov->work + (size_t)(done - 1 - k) * (size_t)done,
               (size_t)done * sizeof(double));
    for (int k = 0; k < done / 2; k++)
    {
        double swap = krylov->theta[k];
        krylov->theta[k] = krylov->theta[done - 1 - k];
        krylov->theta[done - 1 - k] = swap;
    }
    for (int k = 0; k < done; k++)
    {
        double rest[BLOCK];
        qvBlas_Multiply(false, false, BLOCK, 1, BLOCK, 1.0, krylov->triangle, BLOCK,
                        krylov->ritz + (size_t)k * (size_t)done + (done - BLOCK), BLOCK, 0.0, rest, BLOCK);
        krylov->residual[k] = qvBlas_Norm(BLOCK, rest) / fabs(krylov->theta[k]);
    }
    return qv_ok;
}

static int CountConverged(const Krylov* krylov)
{
    int count = 0;
    while (count < krylov->problem->count && count < krylov->done &&
           krylov->residual[count] <= krylov->problem->tolerance)
        count++;
    return count;
}

// Shrinks V to the first kept Ritz vectors and the newest block, or a random one in place of it.
static qvResult Restart(Krylov* krylov, int kept, bool forget, qvError* error)
{
    int n = krylov->n, done = krylov->done;
    QV_ASSERT(kept <= done && kept + BLOCK <= krylov->limit);
    qvResult result = qvTall_Turn(n, done, krylov->v, krylov->ritz, kept, krylov->problem->job, error);
    if (result != qv_ok)
        return result;
    memmove(Column(krylov, kept), Column(krylov, done), (size_t)n * BLOCK * sizeof(double));
    memset(krylov->h, 0, (size_t)krylov->limit * (size_t)krylov->limit * sizeof(double));
    for (int k = 0; k < kept; k++)
        *Coefficient(krylov, k, k) = krylov->theta[k];
    krylov->done = krylov->total = krylov->kept = kept;
    if (forget)
        return AppendRandom(krylov, error);
    krylov->total += BLOCK;
    return qv_ok;
}

// Where many parts repeat an eigenvalue more often than a block is wide, copies can stay hidden from the Krylov space.
// A few steps from fresh random vectors bring them up; true when they show nothing new.
static qvResult Confirm(Krylov* krylov, bool* isSame, qvError* error)
{
    int count = krylov->problem->count;
    double* before = krylov->confirmed;
    memcpy(before, krylov->theta, (size_t)count * sizeof(double));
    qvResult result = Restart(krylov, count, true, error);
    for (int i = 0; result == qv_ok && i < CONFIRM_STEPS; i++)
        result = Step(krylov, error);
    if (result == qv_ok)
        result = FindRitzPairs(krylov, error);
    *isSame = true;
    for (int k = 0; result == qv_ok && k < count; k++)
        *isSame = *isSame && fabs(krylov->theta[k] - before[k]) <= 1e-7 * fabs(before[k]);
    return result;
}

// One more step, after a restart where V is full. Ritz pairs are not looked for while nothing can have converged,
// because the small eigenproblem is not free; *isKnown says whether they were.
static qvResult Advance(Krylov* krylov, bool isLast, bool* isKnown, qvError* error)
{
    int count = krylov->problem->count;
    qvResult result = qv_ok;
    if (krylov->total + BLOCK > krylov->limit)
        result = Restart(krylov, (count + krylov->done) / 2, false, error);
    if (result == qv_ok)
        result = Step(krylov, error);
    bool isFull = krylov->total + BLOCK > krylov->limit;
    *isKnown = isFull || isLast || krylov->done >= count + FIRST_STEPS * BLOCK;
    return result == qv_ok && *isKnown ? FindRitzPairs(krylov, error) : result;
}

static qvResult Iterate(Krylov* krylov, qvEigenResult* result, qvError* error)
{
    const qvEigenProblem* problem = krylov->problem;
    int count = problem->count;
    bool isConfirmed = problem->partCount == 1, isKnown = false;
    qvResult status = AppendRandom(krylov, error);
    while (status == qv_ok)
    {
        bool isLast = ++result->steps >= problem->maxSteps;
        status = Advance(krylov, isLast, &isKnown, error);
        int converged = status == qv_ok && isKnown ? CountConverged(krylov) : 0;
        if (converged == count && isConfirmed)
            break;
        if (converged == count)
            status = Confirm(krylov, &isConfirmed, error);
        else if (status == qv_ok && isLast)
            status = qvError_Set(error, qv_notConverged, "%d of %d vibration modes converged in %d steps", converged,
                                 count, result->steps);
        krylov->progress = (double)converged / count;
        if (status == qv_ok)
            status = qvJob_Progress(problem->job, "modes", krylov->progress, error);
    }
    return status;
}

static bool AllocateKrylov(const qvEigenProblem* problem, Krylov* krylov)
{
    // Room for the wanted vectors, those kept beside them at a restart, and some steps more.
    int limit = problem->count + (problem->count > 128 ? problem->count : 128) + 2 * BLOCK;
    limit = limit < problem->n ? limit : problem->n;
    size_t square = (size_t)limit * (size_t)limit;
    *krylov = (Krylov){ .problem = problem, .n = problem->n, .limit = limit };
    krylov->v = qvAllocateRaw((size_t)problem->n * (size_t)limit, sizeof(double));
    krylov->h = qvAllocate(square, sizeof(double));
    krylov->ritz = qvAllocate(square, sizeof(double));
    krylov->work = qvAllocate(square, sizeof(double));
    krylov->theta = qvAllocate((size_t)limit, sizeof(double));
    krylov->residual = qvAllocate((size_t)limit, sizeof(double));
    krylov->confirmed = qvAllocate((size_t)limit, sizeof(double));
    return krylov->v != NULL && krylov->h != NULL && krylov->ritz != NULL && krylov->work != NULL &&
           krylov->theta != NULL && krylov->residual != NULL && krylov->confirmed != NULL;
}

static void FreeKrylov(Krylov* krylov)
{
    free(krylov->v);
    free(krylov->h);
    free(krylov->ritz);
    free(krylov->work);
    free(krylov->theta);
    free(krylov->residual);
    free(krylov->confirmed);
}

qvResult qvSolveEigenBlock(const qvEigenProblem* problem, qvEigenResult* result, qvError* error)
{
    QV_ASSERT(problem->count > 0 && problem->n >= qvEigenBlock_Smallest(problem->count));
    Krylov krylov;
    qvResult status;
    if (AllocateKrylov(problem, &krylov))
        status = Iterate(&krylov, result, error);
    else
        status = qvError_OutOfMemory(error, (double)problem->n * krylov.limit * sizeof(double));
    if (status == qv_ok)
        status = qvTall_Multiply(problem->n, krylov.done, problem->count, 1.0, krylov.v, krylov.ritz, krylov.done, 0.0,
                                 result->vectors, problem->job, error);
    result->residual = 0.0;
    for (int k = 0; status == qv_ok && k < problem->count; k++)
        result->residual = fmax(result->residual, krylov.residual[k]);
    result->solves += krylov.solves;
    FreeKrylov(&krylov);
    return status;
}

int qvEigenBlock_Smallest(int count)
{
    return count + (CONFIRM_STEPS + 3) * BLOCK;
}
