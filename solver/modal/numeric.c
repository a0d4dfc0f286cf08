// SPDX-License-Identifier: GPL-3.0-or-later
// Supernodal left-looking Cholesky factorization, after E. G. Ng, B. W. Peyton, "Block sparse Cholesky algorithms on
// advanced uniprocessor computers", SIAM J. Sci. Comput. 14 (1993), sections 3 and 4.
//
// Each node takes from its columns what the nodes below contribute (products of dense pieces), then its trapezoid is
// factorized as a dense matrix, PANEL columns at a time. Branches of the tree run in parallel, one thread each; then
// the few nodes that join them, large ones, each in parallel over panels and rows. Every number is summed in an order
// that the tree alone decides, so that the result does not depend on the number of threads. Between nodes, and every
// few million operations within one, the job is asked whether to go on.
#include "modal/numeric.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/watch.h"
#include "math/blas.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PANEL = 96,      // columns
    ROW_CHUNK = 256, // rows of a panel that one thread finishes at a time
    ALL_FINE = INT32_MAX
};

static const double OPERATIONS_PER_QUESTION = 4e7; // about a millisecond
static const double OPERATIONS_PER_VALUE = 30.0;   // what loading one costs beside
static const double OPERATIONS_PER_PRODUCT = 1e4;  // what a product costs beside

typedef struct Numeric
{
    const qvTree* tree;
    const double* entries;
    double shift;
    double* values;
    const qvJob* job;
    double total; // columns that are done decide the progress
    atomic_int done;
    atomic_int failedColumn; // the first pivot that is not positive, or ALL_FINE
    atomic_bool isStopped, isOutOfMemory;
} Numeric;

// What one thread works with.
typedef struct Worker
{
    Numeric* numeric;
    double* product; // [maxRows x PANEL]
    int32_t* rowAt;  // [size] where a row is in the node at hand
    double operations;
} Worker;

static bool StartWorker(Worker* worker, Numeric* numeric)
{
    const qvTree* tree = numeric->tree;
    *worker = (Worker){ .numeric = numeric };
    worker->product = qvAllocateRaw((size_t)tree->maxRows * PANEL, sizeof(double));
    worker->rowAt = qvAllocateRaw((size_t)tree->size, sizeof(int32_t));
    if (worker->product == NULL || worker->rowAt == NULL)
        numeric->isOutOfMemory = true;
    return !numeric->isOutOfMemory;
}

static void EndWorker(Worker* worker)
{
    free(worker->product);
    free(worker->rowAt);
}

static bool GoesOn(const Numeric* numeric)
{
    return !numeric->isStopped && !numeric->isOutOfMemory && numeric->failedColumn == ALL_FINE;
}

// Counts operations and asks the job now and then.
static bool Count(Worker* worker, double operations)
{
    Numeric* numeric = worker->numeric;
    worker->operations += operations;
    if (worker->operations > OPERATIONS_PER_QUESTION)
    {
        qvError ignored;
        worker->operations = 0.0;
        if (qvJob_Progress(numeric->job, "factorization", numeric->done / numeric->total, &ignored) != qv_ok)
            numeric->isStopped = true;
    }
    return GoesOn(numeric);
}

static void NoteFailure(Numeric* numeric, int column)
{
    int first = numeric->failedColumn;
    while (column < first && !atomic_compare_exchange_weak(&numeric->failedColumn, &first, column))
        ;
}

// --- What other nodes contribute ----------------------------------------------------------------------------------

// The matrix in a node's trapezoid.
static void Load(const Numeric* numeric, int node)
{
    const qvTree* tree = numeric->tree;
    double* l = numeric->values + tree->valueStart[node];
    size_t columns = (size_t)qvTree_Columns(tree, node), ld = (size_t)qvTree_Rows(tree, node);
    memset(l, 0, columns * ld * sizeof(double));
    for (int32_t k = tree->entryStart[node]; k < tree->entryStart[node + 1]; k++)
        numeric->values[tree->place[k]] = numeric->entries[tree->entry[k]];
    for (size_t j = 0; j < columns; j++)
        l[j * ld + j] += numeric->shift;
}

// Takes the product of `count` columns of `rows` rows from where these rows are in the node's columns.
static void Scatter(const Worker* worker, const int32_t* sourceRows, int rows, int count, int firstColumn, int ld,
                    double* node)
{
    for (int j = 0; j < count; j++)
    {
        double* column = node + (size_t)(sourceRows[j] - firstColumn) * (size_t)ld;
        const double* product = worker->product + (size_t)j * (size_t)rows;
        for (int i = j; i < rows; i++)
            column[worker->rowAt[sourceRows[i]]] -= product[i];
    }
}

// For the columns [begin, end) of a node.
static void Pull(Worker* worker, int node, int begin, int end)
{
    const qvTree* tree = worker->numeric->tree;
    double* values = worker->numeric->values;
    int first = tree->first[node], ld = qvTree_Rows(tree, node);
    const int32_t* own = tree->rows + tree->rowStart[node];
    for (int i = begin; i < ld; i++)
        worker->rowAt[own[i]] = i;
    for (int32_t u = tree->updateStart[node]; u < tree->updateStart[node + 1]; u++)
    {
        const qvNodeUpdate* update = &tree->updates[u];
        const int32_t* rows = tree->rows + tree->rowStart[update->source];
        int from = qvLowerBound(rows, update->begin, update->end, first + begin);
        int to = qvLowerBound(rows, from, update->end, first + end);
        if (from == to)
            continue;
        int sourceLd = qvTree_Rows(tree, update->source), inner = qvTree_Columns(tree, update->source);
        int height = sourceLd - from;
        const double* l = values + tree->valueStart[update->source] + from;
        qvBlas_Multiply(false, true, height, to - from, inner, 1.0, l, sourceLd, l, sourceLd, 0.0, worker->product,
                        height);
        Scatter(worker, rows + from, height, to - from, first, ld, values + tree->valueStart[node]);
        if (!Count(worker, OPERATIONS_PER_PRODUCT + 2.0 * height * (to - from) * inner))
            return;
    }
}

// --- The dense trapezoid --------------------------------------------------------------------------------------------

// Columns [begin, end) of a trapezoid of ld rows.
typedef struct Panel
{
    double* l;
    int ld, begin, end;
} Panel;

// Rows [top, bottom) of the panel minus what its columns share with those before it.
static void TakeColumnsBefore(const Panel* panel, int top, int bottom)
{
    double* target = panel->l + (size_t)panel->begin * (size_t)panel->ld + top;
    qvBlas_Multiply(false, true, bottom - top, panel->end - panel->begin, panel->begin, -1.0, panel->l + top, panel->ld,
                    panel->l + panel->begin, panel->ld, 1.0, target, panel->ld);
}

static double* Corner(const Panel* panel)
{
    return panel->l + (size_t)panel->begin * (size_t)panel->ld + panel->begin;
}

// The square at the top. The place of the first pivot that is not positive, or -1.
static int FactorizeSquare(const Panel* panel)
{
    int width = panel->end - panel->begin;
    TakeColumnsBefore(panel, panel->begin, panel->end);
    int failed = qvBlas_Cholesky(width, Corner(panel), panel->ld);
    for (int j = 0; failed < 0 && j < width; j++)
    {
        double pivot = Corner(panel)[(size_t)j * (size_t)panel->ld + (size_t)j];
        failed = pivot > 0.0 && isfinite(pivot) ? -1 : j;
    }
    return failed;
}

// Rows below the square, counted from it.
static void FinishRows(void* context, int begin, int end)
{
    const Panel* panel = context;
    int top = panel->end + begin, width = panel->end - panel->begin;
    TakeColumnsBefore(panel, top, panel->end + end);
    qvBlas_SolveLower(end - begin, width, Corner(panel), panel->ld,
                      panel->l + (size_t)panel->begin * (size_t)panel->ld + top, panel->ld);
}

// pool may be NULL. All that was to be taken from the node has been.
static void FactorizeNode(Worker* worker, int node, qvPool* pool)
{
    Numeric* numeric = worker->numeric;
    const qvTree* tree = numeric->tree;
    int columns = qvTree_Columns(tree, node);
    Panel panel = { .l = numeric->values + tree->valueStart[node], .ld = qvTree_Rows(tree, node) };
    for (panel.begin = 0; panel.begin < columns; panel.begin = panel.end)
    {
        panel.end = columns - panel.begin < PANEL ? columns : panel.begin + PANEL;
        int failed = FactorizeSquare(&panel);
        if (failed >= 0)
        {
            NoteFailure(numeric, tree->first[node] + panel.begin + failed);
            return;
        }
        qvParallelFor(pool, panel.ld - panel.end, ROW_CHUNK, FinishRows, &panel);
        double width = panel.end - panel.begin, height = panel.ld - panel.begin;
        if (!Count(worker, width * height * (OPERATIONS_PER_VALUE + 2.0 * panel.begin + width)))
            return;
    }
    numeric->done += columns;
}

// --- The tree -------------------------------------------------------------------------------------------------------

static void FactorizeBranches(void* context, int begin, int end)
{
    Numeric* numeric = context;
    const qvTree* tree = numeric->tree;
    Worker worker;
    if (StartWorker(&worker, numeric))
    {
        for (int b = begin; b < end; b++)
        {
            for (int s = tree->branches[b].firstNode; s < tree->branches[b].endNode && GoesOn(numeric); s++)
            {
                int columns = qvTree_Columns(tree, s);
                Load(numeric, s);
                for (int first = 0; first < columns; first += PANEL)
                    Pull(&worker, s, first, columns - first < PANEL ? columns : first + PANEL);
                if (GoesOn(numeric))
                    FactorizeNode(&worker, s, NULL);
            }
        }
    }
    EndWorker(&worker);
}

typedef struct TopNode
{
    Numeric* numeric;
    int node;
} TopNode;

static void PullPanels(void* context, int begin, int end)
{
    TopNode* top = context;
    Worker worker;
    if (StartWorker(&worker, top->numeric))
        Pull(&worker, top->node, begin, end);
    EndWorker(&worker);
}

static void FactorizeTop(Numeric* numeric)
{
    const qvTree* tree = numeric->tree;
    Worker worker = { .numeric = numeric };
    for (int i = 0; i < tree->topCount && GoesOn(numeric); i++)
    {
        TopNode top = { numeric, tree->topNodes[i] };
        qvPool* pool = qvJob_Pool(numeric->job);
        Load(numeric, top.node);
        qvParallelFor(pool, qvTree_Columns(tree, top.node), PANEL, PullPanels, &top);
        if (GoesOn(numeric))
            FactorizeNode(&worker, top.node, pool);
    }
}

qvResult qvFactorizeTree(const qvTree* tree, const double* entries, double shift, double* values, const qvJob* job,
                         int* failed, qvError* error)
{
    qvWatch watch;
    qvWatch_Begin(&watch, job);
    Numeric numeric = { .tree = tree, .entries = entries, .shift = shift, .values = values };
    numeric.job = &watch.shared, numeric.total = tree->size;
    numeric.failedColumn = ALL_FINE;
    qvParallelFor(qvJob_Pool(job), tree->branchCount, 1, FactorizeBranches, &numeric);
    if (GoesOn(&numeric))
        FactorizeTop(&numeric);
    qvWatch_End(&watch);
    *failed = -1;
    if (numeric.isStopped)
        return qvError_Set(error, qv_cancelled, "factorization: stopped on request");
    if (numeric.isOutOfMemory)
        return qvError_OutOfMemory(error, (double)tree->maxRows * PANEL * sizeof(double));
    if (numeric.failedColumn == ALL_FINE)
        return qv_ok;
    *failed = tree->order[numeric.failedColumn];
    return qvError_Set(error, qv_notConverged, "the matrix is not positive definite");
}
