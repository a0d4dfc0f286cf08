// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic analysis by CHOLMOD.
//
// Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, "Algorithm 887: CHOLMOD, supernodal sparse Cholesky factorization
// and update/downdate", ACM TOMS 35 (2008).
//
// Ordering: nested dissection (order.c), which on shells needs a third of the operations and half of the memory that
// minimum degree does. The coordinates of a point are coupled to the same others: order and supernodes are found for
// groups of such unknowns, a ninth of the entries, and then spelled out.
#include "modal/symbolic.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "math/sparse_select.h"
#include "modal/order.h"

#include <suitesparse/cholmod.h>

#include <limits.h>
#include <stdlib.h>

enum
{
    SMALL_SIZE = 500 // below it minimum degree is good enough
};

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

static int32_t FindRoot(int32_t* parent, int32_t i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

int qvLabelParts(const qvSparsePattern* pattern, int32_t* part)
{
    int count = 0;
    for (int i = 0; i < pattern->size; i++)
        part[i] = i;
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j] + 1; k < pattern->columnStart[j + 1]; k++)
        {
            int32_t a = FindRoot(part, j), b = FindRoot(part, pattern->row[k]);
            part[a < b ? b : a] = a < b ? a : b;
        }
    }
    for (int i = 0; i < pattern->size; i++)
        part[i] = FindRoot(part, i);
    // A root is the first of its part, so its number is known before the others ask for it.
    for (int i = 0; i < pattern->size; i++)
        part[i] = part[i] == i ? count++ : part[part[i]];
    return count;
}

static qvResult SelectFree(qvSymbolic* symbolic, const qvSparsePattern* whole, const int32_t* fixed, int fixedCount,
                           const qvJob* job, qvError* error)
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
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        symbolic->partCount = qvLabelParts(symbolic->pattern, number);
done:
    free(number);
    return result;
}

// The lower triangle of the graph of the groups, as CHOLMOD wants it. NULL when memory runs out.
static cholmod_sparse* GraphOf(const qvGroups* groups, cholmod_common* common)
{
    size_t count = (size_t)groups->count;
    cholmod_sparse* graph = cholmod_allocate_sparse(count, count, count + (size_t)groups->start[count] / 2, 1, 1, -1,
                                                    CHOLMOD_PATTERN, common);
    if (graph == NULL)
        return NULL;
    int32_t *start = graph->p, *row = graph->i, entry = 0;
    for (int g = 0; g < groups->count; g++)
    {
        start[g] = entry;
        row[entry++] = g;
        for (int32_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        {
            if (groups->neighbors[k] > g)
                row[entry++] = groups->neighbors[k];
        }
    }
    start[count] = entry;
    return graph;
}

static qvResult AllocateTree(qvSymbolic* symbolic, const cholmod_factor* analysis, const int32_t* begin, qvError* error)
{
    const int32_t *super = analysis->super, *pi = analysis->pi, *rows = analysis->s;
    qvTree* tree = &symbolic->tree;
    double rowCount = 0.0, valueCount = 0.0;
    for (size_t s = 0; s < analysis->nsuper; s++)
    {
        double columns = begin[super[s + 1]] - begin[super[s]], height = 0.0;
        for (int32_t k = pi[s]; k < pi[s + 1]; k++)
            height += begin[rows[k] + 1] - begin[rows[k]];
        rowCount += height, valueCount += columns * height;
        for (double c = 0.0; c < columns; c += 1.0)
            symbolic->flops += (height - c) * (height - c);
    }
    if (valueCount >= INT_MAX)
        return qvError_Set(error, qv_badInput, "a factor of %.3g numbers is too large; use a mesh of fewer vertices",
                           valueCount);
    tree->size = symbolic->freeCount, tree->nodeCount = (int)analysis->nsuper, tree->valueCount = (int)valueCount;
    size_t nodes = analysis->nsuper;
    tree->first = qvAllocateRaw(nodes + 1, sizeof(int32_t));
    tree->rowStart = qvAllocateRaw(nodes + 1, sizeof(int32_t));
    tree->valueStart = qvAllocateRaw(nodes + 1, sizeof(int32_t));
    tree->rows = qvAllocateRaw((size_t)rowCount, sizeof(int32_t));
    tree->order = qvAllocateRaw((size_t)tree->size, sizeof(int32_t));
    if (tree->first == NULL || tree->rowStart == NULL || tree->valueStart == NULL || tree->rows == NULL ||
        tree->order == NULL)
        return qvError_OutOfMemory(error, rowCount * sizeof(int32_t));
    return qv_ok;
}

// The supernodes with all unknowns of their groups. begin [groups + 1]: where each group's columns begin in the order
// of elimination.
static void SpellOut(qvTree* tree, const cholmod_factor* analysis, const qvGroups* groups, const int32_t* begin)
{
    const int32_t *super = analysis->super, *pi = analysis->pi, *rows = analysis->s, *order = analysis->Perm;
    int32_t row = 0, value = 0, column = 0;
    for (int s = 0; s < tree->nodeCount; s++)
    {
        tree->first[s] = begin[super[s]], tree->rowStart[s] = row, tree->valueStart[s] = value;
        for (int32_t k = pi[s]; k < pi[s + 1]; k++)
        {
            for (int32_t c = begin[rows[k]]; c < begin[rows[k] + 1]; c++)
                tree->rows[row++] = c;
        }
        value += (begin[super[s + 1]] - begin[super[s]]) * (row - tree->rowStart[s]);
    }
    tree->first[tree->nodeCount] = tree->size;
    tree->rowStart[tree->nodeCount] = row, tree->valueStart[tree->nodeCount] = value;
    for (int k = 0; k < groups->count; k++)
    {
        for (int32_t j = groups->first[order[k]]; j < groups->first[order[k] + 1]; j++)
            tree->order[column++] = j;
    }
}

static qvResult FillTree(qvSymbolic* symbolic, const cholmod_factor* analysis, const qvGroups* groups, const qvJob* job,
                         qvError* error)
{
    const int32_t* order = analysis->Perm;
    int32_t* begin = qvAllocate((size_t)groups->count + 1, sizeof(*begin));
    if (begin == NULL)
        return qvError_OutOfMemory(error, (double)groups->count * sizeof(*begin));
    for (int k = 0; k < groups->count; k++)
        begin[k + 1] = begin[k] + groups->first[order[k] + 1] - groups->first[order[k]];
    qvResult result = AllocateTree(symbolic, analysis, begin, error);
    if (result == qv_ok)
        SpellOut(&symbolic->tree, analysis, groups, begin);
    free(begin);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    return result == qv_ok ? qvTree_Fill(&symbolic->tree, symbolic->pattern, job, error) : result;
}

// order: that of the groups, NULL for minimum degree.
static qvResult AnalyzeGroups(qvSymbolic* symbolic, const qvGroups* groups, int32_t* order, const qvJob* job,
                              qvError* error)
{
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = order != NULL ? CHOLMOD_GIVEN : CHOLMOD_AMD;
    common.postorder = 1;
    common.supernodal = CHOLMOD_SUPERNODAL;
    // Small supernodes are merged at the price of some zeros; these numbers of columns are meant for single unknowns.
    for (int i = 0; i < 3; i++)
        common.nrelax[i] = common.nrelax[i] * (size_t)groups->count / (size_t)symbolic->freeCount;
    cholmod_sparse* graph = GraphOf(groups, &common);
    cholmod_factor* analysis = graph != NULL ? cholmod_analyze_p(graph, order, NULL, 0, &common) : NULL;
    qvResult result;
    if (analysis == NULL || common.status < CHOLMOD_OK)
        result = CholmodFailed(&common, "analysis of the stiffness matrix", error);
    else
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = FillTree(symbolic, analysis, groups, job, error);
    cholmod_free_factor(&analysis, &common);
    cholmod_free_sparse(&graph, &common);
    cholmod_finish(&common);
    return result;
}

static qvResult Analyze(qvSymbolic* symbolic, const qvJob* job, qvError* error)
{
    qvGroups groups = { 0 };
    int32_t* order = NULL;
    qvResult result = qv_ok;
    if (!qvGroups_Fill(&groups, symbolic->pattern))
        result = qvError_OutOfMemory(error, 2.0 * symbolic->entryCount * sizeof(int32_t));
    else if (symbolic->freeCount >= SMALL_SIZE)
    {
        order = qvAllocateRaw((size_t)groups.count, sizeof(int32_t));
        result = order != NULL ? qvGroups_Dissect(&groups, job, order, error)
                               : qvError_OutOfMemory(error, (double)groups.count * sizeof(int32_t));
    }
    if (result == qv_ok)
        result = qvJob_Progress(job, "analysis", 1.0, error);
    if (result == qv_ok)
        result = AnalyzeGroups(symbolic, &groups, order, job, error);
    free(order);
    qvGroups_Free(&groups);
    return result;
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
    symbolic->size = pattern->size;
    symbolic->entryCount = pattern->entryCount;
    qvResult result = SelectFree(symbolic, pattern, fixed, fixedCount, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "analysis", 0.0, error);
    if (result == qv_ok && symbolic->freeCount > 0)
        result = Analyze(symbolic, job, error);
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
