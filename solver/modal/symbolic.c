// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic analysis by CHOLMOD.
//
// Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, "Algorithm 887: CHOLMOD, supernodal sparse Cholesky factorization
// and update/downdate", ACM TOMS 35 (2008).
//
// Ordering: nested dissection (METIS), which on shells needs a third of the operations and half of the memory that
// minimum degree does. CHOLMOD would by default try minimum degree first and stop there.
#include "modal/symbolic.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/sparse_select.h"
#include "modal/clock.h"

#include <stdlib.h>

enum
{
    SMALL_SIZE = 500 // below it minimum degree is good enough
};

static void StartCholmod(cholmod_common* common)
{
    cholmod_start(common);
    common->print = 0;
    common->error_handler = NULL;
}

static qvResult CholmodFailed(const cholmod_common* common, const char* what, qvError* error)
{
    switch (common->status)
    {
    case CHOLMOD_OUT_OF_MEMORY:
        return qvError_Set(error, qv_outOfMemory, "out of memory in the %s; use a mesh of fewer vertices", what);
    case CHOLMOD_TOO_LARGE:
        return qvError_Set(error, qv_badInput, "the matrix is too large for the %s; use a mesh of fewer vertices",
                           what);
    default:
        return qvError_Set(error, qv_notConverged, "the %s failed (CHOLMOD %d)", what, common->status);
    }
}

static cholmod_sparse CholmodView(const qvSparsePattern* pattern)
{
    // CHOLMOD does not write to its input; its struct only lacks the const.
    return (cholmod_sparse){ .nrow = (size_t)pattern->size,
                             .ncol = (size_t)pattern->size,
                             .nzmax = (size_t)pattern->entryCount,
                             .p = (void*)pattern->columnStart,
                             .i = (void*)pattern->row,
                             .stype = -1,
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_PATTERN,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1 };
}

static int32_t FindRoot(int32_t* parent, int32_t i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Parts that no entry connects. False when memory runs out.
static bool CountParts(const qvSparsePattern* pattern, int* partCount)
{
    int32_t* parent = qvAllocateRaw((size_t)pattern->size, sizeof(*parent));
    if (parent == NULL)
        return false;
    for (int i = 0; i < pattern->size; i++)
        parent[i] = i;
    *partCount = pattern->size;
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j] + 1; k < pattern->columnStart[j + 1]; k++)
        {
            int32_t a = FindRoot(parent, j), b = FindRoot(parent, pattern->row[k]);
            *partCount -= a != b;
            parent[b] = a;
        }
    }
    free(parent);
    return true;
}

static qvResult SelectFree(qvSymbolic* symbolic, const qvSparsePattern* whole, const int32_t* fixed, int fixedCount,
                           qvError* error)
{
    symbolic->freeDof = qvAllocateRaw((size_t)whole->size, sizeof(int32_t));
    symbolic->keptEntry = qvAllocateRaw((size_t)whole->entryCount, sizeof(int32_t));
    int32_t* number = qvAllocate((size_t)whole->size, sizeof(*number));
    qvResult result = qv_ok;
    if (symbolic->freeDof == NULL || symbolic->keptEntry == NULL || number == NULL)
    {
        result = qvError_OutOfMemory(error, (double)whole->entryCount * sizeof(int32_t));
        goto done;
    }
    for (int i = 0; i < fixedCount; i++)
    {
        QV_ASSERT(fixed[i] >= 0 && fixed[i] < whole->size);
        number[fixed[i]] = -1;
    }
    for (int i = 0; i < whole->size; i++)
    {
        if (number[i] < 0)
            continue;
        symbolic->freeDof[symbolic->freeCount] = i;
        number[i] = symbolic->freeCount++;
    }
    result = qvSelectSparsePattern(whole, number, symbolic->freeCount, &symbolic->pattern, symbolic->keptEntry, error);
    if (result == qv_ok && !CountParts(symbolic->pattern, &symbolic->partCount))
        result = qvError_OutOfMemory(error, (double)whole->size * sizeof(int32_t));
done:
    free(number);
    return result;
}

static qvResult FillTree(qvSymbolic* symbolic, qvError* error)
{
    const cholmod_factor* analysis = symbolic->analysis;
    symbolic->tree = (qvTree){ .size = symbolic->freeCount,
                               .nodeCount = (int)analysis->nsuper,
                               .valueCount = (int)analysis->xsize,
                               .first = analysis->super,
                               .rowStart = analysis->pi,
                               .valueStart = analysis->px,
                               .rows = analysis->s,
                               .order = analysis->Perm };
    if (qvTree_Fill(&symbolic->tree, symbolic->pattern))
        return qv_ok;
    return qvError_OutOfMemory(error, 4.0 * symbolic->entryCount * sizeof(int32_t));
}

static qvResult Analyze(qvSymbolic* symbolic, qvError* error)
{
    cholmod_common* common = &symbolic->common;
    common->nmethods = 1;
    common->method[0].ordering = symbolic->freeCount < SMALL_SIZE ? CHOLMOD_AMD : CHOLMOD_METIS;
    common->postorder = 1;
    common->supernodal = CHOLMOD_SUPERNODAL;
    common->final_ll = 1;
    cholmod_sparse view = CholmodView(symbolic->pattern);
    symbolic->analysis = cholmod_analyze(&view, common);
    if (symbolic->analysis == NULL || common->status < CHOLMOD_OK)
        return CholmodFailed(common, "analysis of the stiffness matrix", error);
    symbolic->flops = common->fl;
    return FillTree(symbolic, error);
}

qvResult qvCreateSymbolic(const qvSparsePattern* pattern, const int32_t* fixed, int fixedCount, const qvJob* job,
                          qvSymbolic** out, qvError* error)
{
    QV_ASSERT(fixedCount >= 0 && (fixed != NULL || fixedCount == 0));
    *out = NULL;
    double start = qvMilliseconds();
    qvSymbolic* symbolic = qvAllocate(1, sizeof(*symbolic));
    if (symbolic == NULL)
        return qvError_OutOfMemory(error, sizeof(*symbolic));
    StartCholmod(&symbolic->common);
    symbolic->size = pattern->size;
    symbolic->entryCount = pattern->entryCount;
    qvResult result = SelectFree(symbolic, pattern, fixed, fixedCount, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "analysis", 0.0, error);
    if (result == qv_ok && symbolic->freeCount > 0)
        result = Analyze(symbolic, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "analysis", 1.0, error);
    if (result != qv_ok)
    {
        qvDestroySymbolic(symbolic);
        return result;
    }
    symbolic->milliseconds = qvMilliseconds() - start;
    *out = symbolic;
    return qv_ok;
}

void qvDestroySymbolic(qvSymbolic* symbolic)
{
    if (symbolic == NULL)
        return;
    qvTree_Free(&symbolic->tree);
    cholmod_free_factor(&symbolic->analysis, &symbolic->common);
    cholmod_finish(&symbolic->common);
    qvDestroySparsePattern(symbolic->pattern);
    free(symbolic->freeDof);
    free(symbolic->keptEntry);
    free(symbolic);
}

qvSymbolicStats qvSymbolic_Stats(const qvSymbolic* symbolic)
{
    return (qvSymbolicStats){ symbolic->freeCount, symbolic->partCount,
                              (double)symbolic->tree.valueCount * sizeof(double), symbolic->flops,
                              symbolic->milliseconds };
}
