// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric factors of K' + shift I and solves with them (see factor.h for the coordinates). The analysis is CHOLMOD's
// (symbolic.c), the numbers are ours (numeric.c, supernodal.h), so that a cancel is heard and threads share the work.
#include "modal/factor.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "modal/numeric.h"
#include "modal/supernodal.h"
#include "modal/symbolic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PACK_GRAIN = 4096 // unknowns
};

struct qvFactor
{
    const qvSymbolic* symbolic;
    double* values; // K' in the pattern of the free degrees of freedom
    double* scale;  // M^-1/2
    double shift;
    bool isReady;
    double* l;       // [valueCount], NULL until the first factorization
    double* wide;    // right-hand sides side by side, spread over the tree; NULL until the first solve
    double* scratch; // rows of one node, for each branch and the top
};

qvResult qvCreateFactor(const qvSymbolic* symbolic, qvFactor** out, qvError* error)
{
    *out = NULL;
    qvFactor* factor = qvAllocate(1, sizeof(*factor));
    if (factor == NULL)
        return qvError_OutOfMemory(error, sizeof(*factor));
    factor->symbolic = symbolic;
    factor->values = qvAllocate((size_t)symbolic->pattern->entryCount, sizeof(double));
    factor->scale = qvAllocate((size_t)symbolic->freeCount, sizeof(double));
    if (factor->values == NULL || factor->scale == NULL)
    {
        qvDestroyFactor(factor);
        return qvError_OutOfMemory(error, (double)symbolic->pattern->entryCount * sizeof(double));
    }
    *out = factor;
    return qv_ok;
}

void qvDestroyFactor(qvFactor* factor)
{
    if (factor == NULL)
        return;
    free(factor->values);
    free(factor->scale);
    free(factor->l);
    free(factor->wide);
    free(factor->scratch);
    free(factor);
}

const qvSymbolic* qvFactor_Symbolic(const qvFactor* factor)
{
    return factor->symbolic;
}

qvSparse qvFactor_Scaled(const qvFactor* factor)
{
    return (qvSparse){ factor->symbolic->pattern, factor->values };
}

qvResult qvFactor_Load(qvFactor* factor, const qvSparse* matrix, const double* mass, qvError* error)
{
    const qvSymbolic* symbolic = factor->symbolic;
    const qvSparsePattern* pattern = symbolic->pattern;
    QV_ASSERT(matrix->pattern->size == symbolic->size && matrix->pattern->entryCount == symbolic->entryCount);
    factor->isReady = false;
    for (int i = 0; i < symbolic->freeCount; i++)
    {
        double m = mass != NULL ? mass[symbolic->freeDof[i]] : 1.0;
        if (!(m > 0.0) || !isfinite(m))
            return qvError_Set(error, qv_badInput,
                               "degree of freedom %d has mass %g; give every point a positive mass or pin it",
                               symbolic->freeDof[i], m);
        factor->scale[i] = 1.0 / sqrt(m);
    }
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j]; k < pattern->columnStart[j + 1]; k++)
        {
            double value = matrix->values[symbolic->keptEntry[k]] * factor->scale[j] * factor->scale[pattern->row[k]];
            if (!isfinite(value))
                return qvError_Set(error, qv_badInput,
                                   "the stiffness between degrees of freedom %d and %d is %g; check the shape there",
                                   symbolic->freeDof[pattern->row[k]], symbolic->freeDof[j], value);
            factor->values[k] = value;
        }
    }
    return qv_ok;
}

// Memory that AVX-512 can load from. NULL when it runs out.
static double* AllocateAligned(size_t count)
{
    size_t bytes = (count * sizeof(double) + 63) / 64 * 64;
    return aligned_alloc(64, bytes > 0 ? bytes : 64);
}

qvResult qvFactor_Shift(qvFactor* factor, double shift, const qvJob* job, qvError* error)
{
    QV_ASSERT(isfinite(shift));
    const qvTree* tree = &factor->symbolic->tree;
    factor->isReady = false;
    factor->shift = shift;
    qvResult result = qvJob_Progress(job, "factorization", 0.0, error);
    if (result != qv_ok)
        return result;
    if (factor->l == NULL)
        factor->l = AllocateAligned((size_t)tree->valueCount);
    if (factor->l == NULL)
        return qvError_OutOfMemory(error, (double)tree->valueCount * sizeof(double));
    int failed;
    result = qvFactorizeTree(tree, factor->values, shift, factor->l, job, &failed, error);
    if (result == qv_notConverged)
        return qvError_Set(error, qv_notConverged, "K + %g M is not positive definite (at degree of freedom %d)", shift,
                           factor->symbolic->freeDof[failed]);
    factor->isReady = result == qv_ok;
    return result == qv_ok ? qvJob_Progress(job, "factorization", 1.0, error) : result;
}

qvResult qvFactor_Compute(qvFactor* factor, const qvSparse* matrix, const double* mass, double shift, const qvJob* job,
                          qvError* error)
{
    qvResult result = qvFactor_Load(factor, matrix, mass, error);
    return result == qv_ok ? qvFactor_Shift(factor, shift, job, error) : result;
}

// --- Solves ---------------------------------------------------------------------------------------------------------

typedef struct Solve
{
    qvFactor* factor;
    const qvTree* tree;
    const double* b;
    double* x;
    int count; // columns at hand, at most the kernel's lanes
    const qvSupernodalKernel* kernel;
} Solve;

// The unknowns [begin, end) of the columns at hand, side by side.
static void Pack(void* context, int begin, int end)
{
    const Solve* solve = context;
    size_t n = (size_t)solve->tree->size, lanes = (size_t)solve->kernel->lanes;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
    {
        double* row = solve->factor->wide + (size_t)solve->tree->slot[i] * lanes;
        for (size_t c = 0; c < lanes; c++)
            row[c] = c < (size_t)solve->count ? solve->b[c * n + i] : 0.0;
    }
}

static void Unpack(void* context, int begin, int end)
{
    const Solve* solve = context;
    size_t n = (size_t)solve->tree->size, lanes = (size_t)solve->kernel->lanes;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
    {
        const double* row = solve->factor->wide + (size_t)solve->tree->slot[i] * lanes;
        for (size_t c = 0; c < (size_t)solve->count; c++)
            solve->x[c * n + i] = row[c];
    }
}

static double* Wide(const Solve* solve, int row)
{
    return solve->factor->wide + (size_t)row * (size_t)solve->kernel->lanes;
}

// The copy of the top's columns that belongs to a branch.
static double* TopOf(const Solve* solve, const qvBranch* branch)
{
    return Wide(solve, branch->base + branch->endColumn - branch->firstColumn);
}

static double* Scratch(const Solve* solve, int index)
{
    return solve->factor->scratch + (size_t)index * (size_t)solve->tree->maxRows * (size_t)solve->kernel->lanes;
}

static size_t TopBytes(const Solve* solve)
{
    return (size_t)solve->tree->topColumnCount * (size_t)solve->kernel->lanes * sizeof(double);
}

static void ForwardBranches(void* context, int begin, int end)
{
    const Solve* solve = context;
    for (int i = begin; i < end; i++)
    {
        const qvBranch* branch = &solve->tree->branches[i];
        memset(TopOf(solve, branch), 0, TopBytes(solve));
        solve->kernel->forward(solve->tree, solve->factor->l, branch->firstNode, branch->endNode,
                               Wide(solve, branch->base), Scratch(solve, i));
    }
}

static void BackwardBranches(void* context, int begin, int end)
{
    const Solve* solve = context;
    for (int i = begin; i < end; i++)
    {
        const qvBranch* branch = &solve->tree->branches[i];
        memcpy(TopOf(solve, branch), Wide(solve, solve->tree->topBase), TopBytes(solve));
        solve->kernel->backward(solve->tree, solve->factor->l, branch->firstNode, branch->endNode,
                                Wide(solve, branch->base), Scratch(solve, i));
    }
}

static void SolveTop(const Solve* solve)
{
    const qvTree* tree = solve->tree;
    double *top = Wide(solve, tree->topBase), *scratch = Scratch(solve, tree->branchCount);
    size_t items = TopBytes(solve) / sizeof(double);
    for (int i = 0; i < tree->branchCount; i++)
    {
        const double* part = TopOf(solve, &tree->branches[i]);
        for (size_t k = 0; k < items; k++)
            top[k] += part[k];
    }
    for (int i = 0; i < tree->topCount; i++)
        solve->kernel->forward(tree, solve->factor->l, tree->topNodes[i], tree->topNodes[i] + 1, top, scratch);
    for (int i = tree->topCount - 1; i >= 0; i--)
        solve->kernel->backward(tree, solve->factor->l, tree->topNodes[i], tree->topNodes[i] + 1, top, scratch);
}

static bool AllocateWide(qvFactor* factor)
{
    const qvTree* tree = &factor->symbolic->tree;
    if (factor->wide == NULL)
        factor->wide = AllocateAligned((size_t)tree->spread * QV_MAX_LANES);
    if (factor->scratch == NULL)
        factor->scratch = AllocateAligned((size_t)(tree->branchCount + 1) * (size_t)tree->maxRows * QV_MAX_LANES);
    return factor->wide != NULL && factor->scratch != NULL;
}

qvResult qvFactor_SolveFree(qvFactor* factor, const double* b, int columnCount, double* x, const qvJob* job,
                            qvError* error)
{
    QV_ASSERT(factor->isReady && columnCount >= 0);
    const qvTree* tree = &factor->symbolic->tree;
    if (!AllocateWide(factor))
        return qvError_OutOfMemory(error, (double)tree->spread * QV_MAX_LANES * sizeof(double));
    Solve solve = { .factor = factor, .tree = tree, .kernel = qvGetSupernodalKernel() };
    qvPool* pool = qvJob_Pool(job);
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < columnCount; first += solve.count)
    {
        int lanes = solve.kernel->lanes;
        solve.count = columnCount - first < lanes ? columnCount - first : lanes;
        solve.b = b + (size_t)first * (size_t)tree->size;
        solve.x = x + (size_t)first * (size_t)tree->size;
        qvParallelFor(pool, tree->size, PACK_GRAIN, Pack, &solve);
        result = qvWatchedFor(job, tree->branchCount, 1, ForwardBranches, &solve, error);
        if (result != qv_ok)
            break;
        SolveTop(&solve);
        result = qvWatchedFor(job, tree->branchCount, 1, BackwardBranches, &solve, error);
        qvParallelFor(pool, tree->size, PACK_GRAIN, Unpack, &solve);
    }
    return result;
}

void qvFactor_Expand(const qvFactor* factor, const double* y, int columnCount, double* x)
{
    const qvSymbolic* symbolic = factor->symbolic;
    memset(x, 0, (size_t)symbolic->size * (size_t)columnCount * sizeof(double));
    for (int c = 0; c < columnCount; c++)
    {
        const double* from = y + (size_t)c * (size_t)symbolic->freeCount;
        double* to = x + (size_t)c * (size_t)symbolic->size;
        for (int i = 0; i < symbolic->freeCount; i++)
            to[symbolic->freeDof[i]] = factor->scale[i] * from[i];
    }
}

// y = M^-1/2 b without the fixed entries: how a right-hand side gets into scaled coordinates.
static void Restrict(const qvFactor* factor, const double* b, int columnCount, double* y)
{
    const qvSymbolic* symbolic = factor->symbolic;
    for (int c = 0; c < columnCount; c++)
    {
        const double* from = b + (size_t)c * (size_t)symbolic->size;
        double* to = y + (size_t)c * (size_t)symbolic->freeCount;
        for (int i = 0; i < symbolic->freeCount; i++)
            to[i] = factor->scale[i] * from[symbolic->freeDof[i]];
    }
}

qvResult qvFactor_Solve(qvFactor* factor, const double* b, int columnCount, double* x, const qvJob* job, qvError* error)
{
    size_t items = (size_t)factor->symbolic->freeCount * (size_t)columnCount;
    double* y = qvAllocateRaw(items, sizeof(*y));
    if (y == NULL)
        return qvError_OutOfMemory(error, (double)items * sizeof(*y));
    Restrict(factor, b, columnCount, y);
    qvResult result = qvFactor_SolveFree(factor, y, columnCount, y, job, error);
    if (result == qv_ok)
        qvFactor_Expand(factor, y, columnCount, x);
    free(y);
    return result;
}
