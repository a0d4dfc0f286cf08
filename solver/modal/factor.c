// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric factors of K' + shift I by CHOLMOD (see symbolic.c for the paper, factor.h for the coordinates).
#include "modal/factor.h"

#include "base/assert.h"
#include "base/memory.h"
#include "modal/supernodal.h"
#include "modal/symbolic.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SLOT_COUNT = 2,  // threads that can solve at a time
    WIDE_COLUMNS = 3 // from this number of columns on the solve of supernodal.h is faster than CHOLMOD's
};

// What is kept between solves.
typedef struct Slot
{
    cholmod_common common;
    cholmod_dense *x, *y, *e;
    double* wide;    // right-hand sides side by side, eliminated in order
    double* scratch; // the rows of one supernode
} Slot;

struct qvFactor
{
    const qvSymbolic* symbolic;
    double* values; // K' in the pattern of the free degrees of freedom
    double* scale;  // M^-1/2
    double shift;
    bool isReady;
    cholmod_common common;
    cholmod_factor* factor; // NULL when nothing is free
    Slot slots[SLOT_COUNT];
};

qvResult qvCreateFactor(const qvSymbolic* symbolic, qvFactor** out, qvError* error)
{
    *out = NULL;
    qvFactor* factor = qvAllocate(1, sizeof(*factor));
    if (factor == NULL)
        return qvError_OutOfMemory(error, sizeof(*factor));
    factor->symbolic = symbolic;
    qvStartCholmod(&factor->common);
    factor->common.final_ll = 1;
    factor->common.quick_return_if_not_posdef = 1;
    for (int i = 0; i < SLOT_COUNT; i++)
        qvStartCholmod(&factor->slots[i].common);
    factor->values = qvAllocate((size_t)symbolic->pattern->entryCount, sizeof(double));
    factor->scale = qvAllocate((size_t)symbolic->freeCount, sizeof(double));
    if (symbolic->analysis != NULL)
        factor->factor = cholmod_copy_factor(symbolic->analysis, &factor->common);
    if (factor->values == NULL || factor->scale == NULL || (symbolic->analysis != NULL && factor->factor == NULL))
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
    for (int i = 0; i < SLOT_COUNT; i++)
    {
        Slot* slot = &factor->slots[i];
        cholmod_free_dense(&slot->x, &slot->common);
        cholmod_free_dense(&slot->y, &slot->common);
        cholmod_free_dense(&slot->e, &slot->common);
        cholmod_finish(&slot->common);
        free(slot->wide);
        free(slot->scratch);
    }
    cholmod_free_factor(&factor->factor, &factor->common);
    cholmod_finish(&factor->common);
    free(factor->values);
    free(factor->scale);
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

// The degree of freedom at which the elimination met a pivot that is not positive.
static int FailedDof(const qvFactor* factor)
{
    const int32_t* order = factor->factor->Perm;
    size_t minor = factor->factor->minor;
    return factor->symbolic->freeDof[minor < factor->factor->n ? order[minor] : 0];
}

// CHOLMOD may be built to assemble supernodes with four OpenMP threads, which on busy cores wait for each other more
// than they work. Without active levels a parallel region runs on the calling thread. Returns the old number of levels.
static int LimitOpenMp(int levels)
{
    int (*get)(void);
    void (*set)(int);
    *(void**)&get = dlsym(RTLD_DEFAULT, "omp_get_max_active_levels");
    *(void**)&set = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");
    if (get == NULL || set == NULL)
        return 0;
    int old = get();
    set(levels);
    return old;
}

qvResult qvFactor_Shift(qvFactor* factor, double shift, const qvJob* job, qvError* error)
{
    QV_ASSERT(isfinite(shift));
    factor->isReady = false;
    factor->shift = shift;
    qvResult result = qvJob_Progress(job, "factorization", 0.0, error);
    if (result != qv_ok)
        return result;
    if (factor->factor != NULL)
    {
        cholmod_sparse view = qvCholmodView(factor->symbolic->pattern, factor->values);
        double beta[2] = { shift, 0.0 };
        int levels = LimitOpenMp(0);
        cholmod_factorize_p(&view, beta, NULL, 0, factor->factor, &factor->common);
        LimitOpenMp(levels);
        if (factor->common.status < CHOLMOD_OK)
            return qvCholmodFailed(&factor->common, "factorization of the stiffness matrix", error);
        if (factor->common.status == CHOLMOD_NOT_POSDEF || factor->factor->minor != factor->factor->n)
            return qvError_Set(error, qv_notConverged,
                               "K + %g M is not positive definite (at degree of freedom %d); use a larger shift", shift,
                               FailedDof(factor));
    }
    factor->isReady = true;
    return qvJob_Progress(job, "factorization", 1.0, error);
}

qvResult qvFactor_Compute(qvFactor* factor, const qvSparse* matrix, const double* mass, double shift, const qvJob* job,
                          qvError* error)
{
    qvResult result = qvFactor_Load(factor, matrix, mass, error);
    return result == qv_ok ? qvFactor_Shift(factor, shift, job, error) : result;
}

// --- Solves
// -----------------------------------------------------------------------------------------------------------

typedef struct Solve
{
    qvFactor* factor;
    const double* b;
    double* x;
    int columnCount;
    const qvSupernodalKernel* kernel;
    qvSupernodes nodes;
} Solve;

// One or two columns, or a small factor without supernodes.
static qvResult SolvePlain(Solve* solve, qvError* error)
{
    Slot* slot = &solve->factor->slots[0];
    size_t n = solve->factor->factor->n, items = n * (size_t)solve->columnCount;
    cholmod_dense b = { .nrow = n,
                        .ncol = (size_t)solve->columnCount,
                        .nzmax = items,
                        .d = n,
                        .x = (void*)solve->b,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE };
    int ok =
        cholmod_solve2(CHOLMOD_A, solve->factor->factor, &b, NULL, &slot->x, NULL, &slot->y, &slot->e, &slot->common);
    if (!ok || slot->common.status < CHOLMOD_OK)
        return qvCholmodFailed(&slot->common, "solve with the stiffness matrix", error);
    memcpy(solve->x, slot->x->x, items * sizeof(double));
    return qv_ok;
}

// As many columns from `first` on as the kernel takes side by side.
static void SolveLanes(Solve* solve, Slot* slot, int first)
{
    int lanes = solve->kernel->lanes;
    int count = solve->columnCount - first < lanes ? solve->columnCount - first : lanes;
    const int32_t* order = solve->factor->factor->Perm;
    size_t n = solve->factor->factor->n;
    for (size_t i = 0; i < n; i++)
    {
        for (int c = 0; c < lanes; c++)
            slot->wide[i * (size_t)lanes + (size_t)c] =
                c < count ? solve->b[(size_t)(first + c) * n + (size_t)order[i]] : 0.0;
    }
    solve->kernel->solve(&solve->nodes, slot->wide, slot->scratch);
    for (size_t i = 0; i < n; i++)
    {
        for (int c = 0; c < count; c++)
            solve->x[(size_t)(first + c) * n + (size_t)order[i]] = slot->wide[i * (size_t)lanes + (size_t)c];
    }
}

// Every SLOT_COUNT-th group of columns, for each of the slots [begin, end).
static void SolveSlots(void* context, int begin, int end)
{
    Solve* solve = context;
    int lanes = solve->kernel->lanes;
    for (int slot = begin; slot < end; slot++)
    {
        for (int first = slot * lanes; first < solve->columnCount; first += SLOT_COUNT * lanes)
            SolveLanes(solve, &solve->factor->slots[slot], first);
    }
}

static bool AllocateWide(qvFactor* factor, int slotCount)
{
    for (int i = 0; i < slotCount; i++)
    {
        Slot* slot = &factor->slots[i];
        size_t row = QV_MAX_LANES * sizeof(double);
        if (slot->wide == NULL)
            slot->wide = aligned_alloc(64, factor->factor->n * row);
        if (slot->scratch == NULL)
            slot->scratch = aligned_alloc(64, factor->factor->n * row);
        if (slot->wide == NULL || slot->scratch == NULL)
            return false;
    }
    return true;
}

static qvResult SolveWide(Solve* solve, qvPool* pool, qvError* error)
{
    const cholmod_factor* factor = solve->factor->factor;
    int groups = (solve->columnCount + solve->kernel->lanes - 1) / solve->kernel->lanes;
    int slots = groups < SLOT_COUNT ? groups : SLOT_COUNT;
    if (!AllocateWide(solve->factor, slots))
        return qvError_OutOfMemory(error, (double)factor->n * 2 * QV_MAX_LANES * sizeof(double));
    solve->nodes = (qvSupernodes){ (int)factor->nsuper, factor->super, factor->pi, factor->px, factor->s, factor->x };
    qvParallelFor(pool, slots, 1, SolveSlots, solve);
    return qv_ok;
}

qvResult qvFactor_SolveFree(qvFactor* factor, const double* b, int columnCount, double* x, qvPool* pool, qvError* error)
{
    QV_ASSERT(factor->isReady && columnCount >= 0);
    if (factor->factor == NULL || columnCount == 0)
        return qv_ok;
    Solve solve = { .factor = factor, .b = b, .x = x, .columnCount = columnCount, .kernel = qvGetSupernodalKernel() };
    if (columnCount < WIDE_COLUMNS || !factor->factor->is_super)
        return SolvePlain(&solve, error);
    return SolveWide(&solve, pool, error);
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

void qvFactor_Restrict(const qvFactor* factor, const double* b, int columnCount, double* y)
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

qvResult qvFactor_Solve(qvFactor* factor, const double* b, int columnCount, double* x, qvPool* pool, qvError* error)
{
    size_t items = (size_t)factor->symbolic->freeCount * (size_t)columnCount;
    double* y = qvAllocateRaw(items, sizeof(*y));
    if (y == NULL)
        return qvError_OutOfMemory(error, (double)items * sizeof(*y));
    qvFactor_Restrict(factor, b, columnCount, y);
    qvResult result = qvFactor_SolveFree(factor, y, columnCount, y, pool, error);
    if (result == qv_ok)
        qvFactor_Expand(factor, y, columnCount, x);
    free(y);
    return result;
}
