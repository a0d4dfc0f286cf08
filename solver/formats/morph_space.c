// SPDX-License-Identifier: GPL-3.0-or-later
// L. Sirovich, "Turbulence and the dynamics of coherent structures", 1987: with the frames y_k (about their mean) as
// columns of Y, the eigenvectors u_i of the small matrix G = Y^T Y, with eigenvalues s_i^2, give the left singular
// vectors Y u_i / s_i. Here a shape is Y u_i, of length s_i, so that the coordinates of the snapshots are u_i itself.
// Squaring halves the digits: what is below 1e-7 of the first singular value is noise and left out.
//
// Work goes by blocks of vertices that fit into a core's cache, in a few fixed pieces, so that the bits do not depend
// on the number of threads.
#include "formats/morph_space.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SNAPSHOTS = 480, // the eigenproblem takes 0.2 s at this size, and grows with the third power
    PIECES = 8,
    BLOCK = 96,         // vertices
    RANKS_AT_ONCE = 12, // whose errors are measured in one pass
};

// What a piece of vertices works with.
typedef struct Task
{
    qvMorphSpace* space;
    int first, last; // shapes
    double* sums;    // [PIECES][sumSize]
    size_t sumSize;
    bool failed[PIECES]; // memory ran out
} Task;

typedef struct Block
{
    int first, rows;  // coordinates
    double* values;   // [frames or snapshots][rows]
    double* products; // as large as the caller needs
} Block;

static int SnapshotFrame(const qvMorphSpace* space, int i)
{
    int last = space->frames.frameCount - 1;
    return space->snapshotCount > 1 ? (int)((long long)i * last / (space->snapshotCount - 1)) : 0;
}

// --- Blocks ------------------------------------------------------------------------------------------------------

static void GetColumn(const qvMorphSpace* space, const Block* block, int frame, double* column)
{
    const float* values = space->frames.values + (size_t)frame * 3 * (size_t)space->frames.vertexCount + block->first;
    const float* mean = space->mean + block->first;
    for (int i = 0; i < block->rows; i++)
        column[i] = (double)values[i] - mean[i];
}

static void GetSnapshots(const qvMorphSpace* space, Block* block)
{
    for (int k = 0; k < space->snapshotCount; k++)
        GetColumn(space, block, SnapshotFrame(space, k), block->values + (size_t)k * (size_t)block->rows);
}

static void GetFrames(const qvMorphSpace* space, Block* block)
{
    for (int k = 0; k < space->frames.frameCount; k++)
        GetColumn(space, block, k, block->values + (size_t)k * (size_t)block->rows);
}

// Walks over the blocks of a piece with room for that many columns, and calls work for each.
static void ForBlocks(Task* task, int piece, int columns, size_t products, void (*work)(Task*, Block*, double*))
{
    const qvMorphSpace* space = task->space;
    long long count = space->frames.vertexCount;
    int begin = (int)(count * piece / PIECES), end = (int)(count * (piece + 1) / PIECES);
    Block block = { .values = qvAllocateRaw((size_t)columns * 3 * BLOCK, sizeof(double)),
                    .products = qvAllocateRaw(products, sizeof(double)) };
    double* sums = task->sums != NULL ? task->sums + (size_t)piece * task->sumSize : NULL;
    task->failed[piece] = block.values == NULL || block.products == NULL;
    for (int v = begin; v < end && !task->failed[piece]; v += BLOCK)
    {
        block.first = 3 * v;
        block.rows = 3 * (end - v < BLOCK ? end - v : BLOCK);
        work(task, &block, sums);
    }
    free(block.values);
    free(block.products);
}

static qvResult RunPieces(Task* task, qvRangeFcn* fcn, const qvJob* job, qvError* error)
{
    qvParallelFor(qvJob_Pool(job), PIECES, 1, fcn, task);
    for (int i = 0; i < PIECES; i++)
    {
        if (task->failed[i])
            return qvError_OutOfMemory(error, 3.0 * BLOCK * task->space->frames.frameCount * sizeof(double));
    }
    return qv_ok;
}

// --- The Gram matrix ---------------------------------------------------------------------------------------------

static void AddGram(Task* task, Block* block, double* sums)
{
    int n = task->space->snapshotCount;
    GetSnapshots(task->space, block);
    qvBlas_Gram(block->rows, n, block->values, block->rows, block->products, n);
    for (size_t i = 0; i < task->sumSize; i++)
        sums[i] += block->products[i];
}

static void GramPieces(void* context, int begin, int end)
{
    Task* task = context;
    for (int i = begin; i < end; i++)
        ForBlocks(task, i, task->space->snapshotCount, task->sumSize, AddGram);
}

static void FindMean(qvMorphSpace* space)
{
    size_t count = 3 * (size_t)space->frames.vertexCount;
    for (size_t start = 0; start < count; start += 256)
    {
        size_t rows = count - start < 256 ? count - start : 256;
        double sums[256] = { 0.0 };
        for (int k = 0; k < space->snapshotCount; k++)
        {
            const float* values = space->frames.values + (size_t)SnapshotFrame(space, k) * count + start;
            for (size_t i = 0; i < rows; i++)
                sums[i] += values[i];
        }
        for (size_t i = 0; i < rows; i++)
            space->mean[start + i] = (float)(sums[i] / space->snapshotCount);
    }
}

// The largest first; what is noise does not count as a shape.
static void SortEigen(qvMorphSpace* space, const double* values, const double* vectors)
{
    int n = space->snapshotCount;
    double largest = n > 0 ? values[n - 1] : 0.0;
    space->maxRank = 0;
    for (int i = 0; i < n; i++)
    {
        space->eigenvalues[i] = fmax(values[n - 1 - i], 0.0);
        memcpy(space->vectors + (size_t)i * (size_t)n, vectors + (size_t)(n - 1 - i) * (size_t)n,
               (size_t)n * sizeof(double));
        if (space->eigenvalues[i] > 1e-14 * largest && largest > 0.0)
            space->maxRank = i + 1;
    }
}

// With weights W the eigenvectors u of W G W make the shapes Y W u; coordinates are W^-1 u.
qvResult qvMorphSpace_Weigh(qvMorphSpace* space, const double* weights, qvError* error)
{
    size_t n = (size_t)space->snapshotCount;
    double* values = qvAllocate(n, sizeof(double));
    double* matrix = qvAllocateRaw(n * n, sizeof(double));
    qvResult result = qv_ok;
    if (values == NULL || matrix == NULL)
        result = qvError_OutOfMemory(error, (double)(n * n * sizeof(double)));
    space->isWeighted = false;
    for (size_t i = 0; i < n && result == qv_ok; i++)
    {
        space->weights[i] = weights[i];
        space->isWeighted |= weights[i] != 1.0;
        for (size_t k = 0; k < n; k++)
            matrix[i * n + k] = weights[i] * space->gram[i * n + k] * weights[k];
    }
    if (result == qv_ok)
        result = qvDense_Eigen((int)n, matrix, (int)n, values, matrix, error);
    if (result == qv_ok)
        SortEigen(space, values, matrix);
    space->rank = 0;
    free(values);
    free(matrix);
    return result;
}

static qvResult SolveGram(qvMorphSpace* space, Task* task, const qvJob* job, qvError* error)
{
    size_t n = (size_t)space->snapshotCount;
    qvResult result = RunPieces(task, GramPieces, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "finding shapes", 0.3, error);
    for (int piece = 0; piece < PIECES; piece++)
    {
        for (size_t i = 0; i < n * n; i++)
            space->gram[i] += task->sums[(size_t)piece * n * n + i];
    }
    for (size_t i = 0; i < n; i++)
        space->weights[i] = 1.0;
    return result == qv_ok ? qvMorphSpace_Weigh(space, space->weights, error) : result;
}

qvResult qvCreateMorphSpace(const qvMorphFrames* frames, bool centered, const qvJob* job, qvMorphSpace** out,
                            qvError* error)
{
    *out = NULL;
    QV_ASSERT(frames->frameCount > 0 && frames->vertexCount > 0);
    qvMorphSpace* space = qvAllocate(1, sizeof(*space));
    if (space == NULL)
        return qvError_OutOfMemory(error, sizeof(*space));
    space->frames = *frames;
    space->snapshotCount = frames->frameCount < MAX_SNAPSHOTS ? frames->frameCount : MAX_SNAPSHOTS;
    size_t n = (size_t)space->snapshotCount;
    space->mean = qvAllocate(3 * (size_t)frames->vertexCount, sizeof(float));
    space->eigenvalues = qvAllocate(n, sizeof(double));
    space->vectors = qvAllocateRaw(n * n, sizeof(double));
    space->gram = qvAllocate(n * n, sizeof(double));
    space->weights = qvAllocate(n, sizeof(double));
    Task task = { .space = space, .sumSize = n * n, .sums = qvAllocate(PIECES * n * n, sizeof(double)) };
    qvResult result = qv_ok;
    if (space->mean == NULL || space->eigenvalues == NULL || space->vectors == NULL || space->gram == NULL ||
        space->weights == NULL || task.sums == NULL)
        result = qvError_OutOfMemory(error, (double)(n * n * PIECES * sizeof(double)));
    if (result == qv_ok && centered)
        FindMean(space);
    if (result == qv_ok)
        result = SolveGram(space, &task, job, error);
    free(task.sums);
    if (result != qv_ok)
        qvDestroyMorphSpace(space);
    else
        *out = space;
    return result;
}

void qvDestroyMorphSpace(qvMorphSpace* space)
{
    if (space == NULL)
        return;
    free(space->mean);
    free(space->gram);
    free(space->weights);
    free(space->eigenvalues);
    free(space->vectors);
    free(space->shapes);
    free(space->coordinates);
    free(space);
}

// --- Shapes ------------------------------------------------------------------------------------------------------

static void MakeBlockShapes(Task* task, Block* block, double* sums)
{
    (void)sums;
    qvMorphSpace* space = task->space;
    int n = space->snapshotCount, count = task->last - task->first;
    GetSnapshots(space, block);
    for (int k = 0; k < n && space->isWeighted; k++)
        qvBlas_Scale(block->rows, space->weights[k], block->values + (size_t)k * (size_t)block->rows);
    qvBlas_Multiply(false, false, block->rows, count, n, 1.0, block->values, block->rows,
                    space->vectors + (size_t)task->first * (size_t)n, n, 0.0, block->products, block->rows);
    for (int i = 0; i < count; i++)
    {
        float* shape = space->shapes + (size_t)(task->first + i) * 3 * (size_t)space->frames.vertexCount + block->first;
        for (int row = 0; row < block->rows; row++)
            shape[row] = (float)block->products[(size_t)i * (size_t)block->rows + (size_t)row];
    }
}

static void ShapePieces(void* context, int begin, int end)
{
    Task* task = context;
    for (int i = begin; i < end; i++)
        ForBlocks(task, i, task->space->snapshotCount, (size_t)(task->last - task->first) * 3 * BLOCK, MakeBlockShapes);
}

// The products of frames and shapes: coordinates times eigenvalues.
static void ProjectBlock(Task* task, Block* block, double* sums)
{
    const qvMorphSpace* space = task->space;
    int count = task->last - task->first, frames = space->frames.frameCount;
    GetFrames(space, block);
    for (int i = 0; i < count; i++)
    {
        const float* shape =
            space->shapes + (size_t)(task->first + i) * 3 * (size_t)space->frames.vertexCount + block->first;
        for (int row = 0; row < block->rows; row++)
            block->products[(size_t)i * (size_t)block->rows + (size_t)row] = shape[row];
    }
    qvBlas_Multiply(true, false, frames, count, block->rows, 1.0, block->values, block->rows, block->products,
                    block->rows, 1.0, sums, frames);
}

static void ProjectPieces(void* context, int begin, int end)
{
    Task* task = context;
    for (int i = begin; i < end; i++)
        ForBlocks(task, i, task->space->frames.frameCount, (size_t)(task->last - task->first) * 3 * BLOCK,
                  ProjectBlock);
}

// Coordinates of all frames, where not all of them are snapshots.
static qvResult Project(Task* task, const qvJob* job, qvError* error)
{
    qvMorphSpace* space = task->space;
    size_t frames = (size_t)space->frames.frameCount;
    task->sumSize = frames * (size_t)(task->last - task->first);
    task->sums = qvAllocate(PIECES * task->sumSize, sizeof(double));
    if (task->sums == NULL)
        return qvError_OutOfMemory(error, (double)task->sumSize * sizeof(double));
    qvResult result = RunPieces(task, ProjectPieces, job, error);
    for (size_t i = 0; i < task->sumSize && result == qv_ok; i++)
    {
        double sum = 0.0;
        for (int piece = 0; piece < PIECES; piece++)
            sum += task->sums[(size_t)piece * task->sumSize + i];
        int shape = task->first + (int)(i / frames);
        space->coordinates[(size_t)task->first * frames + i] = sum / space->eigenvalues[shape];
    }
    free(task->sums);
    return result;
}

qvResult qvMorphSpace_Extend(qvMorphSpace* space, int rank, const qvJob* job, qvError* error)
{
    rank = rank < space->maxRank ? rank : space->maxRank;
    if (rank <= space->rank)
        return qv_ok;
    size_t frames = (size_t)space->frames.frameCount, coordinates = 3 * (size_t)space->frames.vertexCount;
    float* shapes = realloc(space->shapes, (size_t)rank * coordinates * sizeof(float));
    space->shapes = shapes != NULL ? shapes : space->shapes;
    double* curves = realloc(space->coordinates, (size_t)rank * frames * sizeof(double));
    space->coordinates = curves != NULL ? curves : space->coordinates;
    if (shapes == NULL || curves == NULL)
        return qvError_OutOfMemory(error, (double)((size_t)rank * coordinates * sizeof(float)));
    Task task = { .space = space, .first = space->rank, .last = rank };
    qvResult result = RunPieces(&task, ShapePieces, job, error);
    if (result == qv_ok && space->snapshotCount == space->frames.frameCount)
    {
        for (size_t i = (size_t)space->rank * frames; i < (size_t)rank * frames; i++)
            curves[i] = space->vectors[i] / space->weights[i % frames];
    }
    else if (result == qv_ok)
        result = Project(&task, job, error);
    if (result == qv_ok)
        space->rank = rank;
    return result;
}

// --- Errors ------------------------------------------------------------------------------------------------------

// The largest square of a vertex's distance in a block.
static double LargestSquare(const double* values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i += 3)
    {
        double square = values[i] * values[i] + values[i + 1] * values[i + 1] + values[i + 2] * values[i + 2];
        largest = square > largest ? square : largest;
    }
    return largest;
}

// What the first `first` shapes leave of the frames; all shapes of the task are in products.
static void GetRest(const Task* task, Block* block)
{
    const qvMorphSpace* space = task->space;
    int frames = space->frames.frameCount, rows = block->rows;
    size_t stride = 3 * (size_t)space->frames.vertexCount;
    GetFrames(space, block);
    for (int i = 0; i < task->last; i++)
        for (int row = 0; row < rows; row++)
            block->products[(size_t)i * (size_t)rows + (size_t)row] =
                space->shapes[(size_t)i * stride + (size_t)block->first + (size_t)row];
    qvBlas_Multiply(false, true, rows, frames, task->first, -1.0, block->products, rows, space->coordinates, frames,
                    1.0, block->values, rows);
}

// The rest of the frames without `first` shapes, without one more, and so on.
static void MeasureBlock(Task* task, Block* block, double* sums)
{
    const qvMorphSpace* space = task->space;
    int frames = space->frames.frameCount, rows = block->rows;
    GetRest(task, block);
    for (int rank = task->first; rank <= task->last; rank++)
    {
        double square = LargestSquare(block->values, (size_t)rows * (size_t)frames);
        sums[rank - task->first] = fmax(sums[rank - task->first], square);
        if (rank == task->last)
            break;
        const double* shape = block->products + (size_t)rank * (size_t)rows;
        for (int k = 0; k < frames; k++)
        {
            double c = space->coordinates[(size_t)rank * (size_t)frames + (size_t)k];
            double* column = block->values + (size_t)k * (size_t)rows;
            for (int row = 0; row < rows; row++)
                column[row] -= c * shape[row];
        }
    }
}

static void MeasurePieces(void* context, int begin, int end)
{
    Task* task = context;
    for (int i = begin; i < end; i++)
        ForBlocks(task, i, task->space->frames.frameCount, (size_t)(task->last > 0 ? task->last : 1) * 3 * BLOCK,
                  MeasureBlock);
}

static void MeasureFrames(Task* task, Block* block, double* sums)
{
    GetRest(task, block);
    for (int k = 0; k < task->space->frames.frameCount; k++)
        sums[k] = fmax(sums[k], LargestSquare(block->values + (size_t)k * (size_t)block->rows, (size_t)block->rows));
}

static void FramePieces(void* context, int begin, int end)
{
    Task* task = context;
    for (int i = begin; i < end; i++)
        ForBlocks(task, i, task->space->frames.frameCount, (size_t)(task->last > 0 ? task->last : 1) * 3 * BLOCK,
                  MeasureFrames);
}

qvResult qvMorphSpace_FrameErrors(qvMorphSpace* space, int rank, const qvJob* job, double* errors, qvError* error)
{
    size_t frames = (size_t)space->frames.frameCount;
    qvResult result = qvMorphSpace_Extend(space, rank, job, error);
    if (result != qv_ok)
        return result;
    rank = rank < space->rank ? rank : space->rank;
    Task task = { .space = space, .first = rank, .last = rank, .sumSize = frames };
    task.sums = qvAllocate(PIECES * frames, sizeof(double));
    result = task.sums != NULL ? RunPieces(&task, FramePieces, job, error)
                               : qvError_OutOfMemory(error, (double)(PIECES * frames * sizeof(double)));
    for (size_t k = 0; k < frames && result == qv_ok; k++)
    {
        double square = 0.0;
        for (int piece = 0; piece < PIECES; piece++)
            square = fmax(square, task.sums[(size_t)piece * frames + k]);
        errors[k] = sqrt(square);
    }
    free(task.sums);
    return result;
}

// No vertex is closer than the root of the mean square, which the eigenvalues that are left out tell.
static int LeastRank(const qvMorphSpace* space, double tolerance)
{
    double count = (double)space->snapshotCount * space->frames.vertexCount, sum = 0.0;
    int rank = space->isWeighted ? 0 : space->maxRank;
    while (rank > 0 && sum + space->eigenvalues[rank - 1] <= tolerance * tolerance * count)
        sum += space->eigenvalues[--rank];
    return rank;
}

qvResult qvMorphSpace_Choose(qvMorphSpace* space, double tolerance, int minRank, int maxRank, const qvJob* job,
                             int* rank, double* worst, qvError* error)
{
    maxRank = maxRank < space->maxRank ? maxRank : space->maxRank;
    minRank = minRank < maxRank ? minRank : maxRank;
    int least = LeastRank(space, tolerance), first = least > minRank ? least : minRank;
    qvResult result = qv_ok;
    double sums[PIECES * (RANKS_AT_ONCE + 1)];
    for (first = first < maxRank ? first : maxRank; result == qv_ok; first += RANKS_AT_ONCE + 1)
    {
        int last = first + RANKS_AT_ONCE < maxRank ? first + RANKS_AT_ONCE : maxRank;
        memset(sums, 0, sizeof(sums));
        Task task = { .space = space, .first = first, .last = last, .sums = sums, .sumSize = RANKS_AT_ONCE + 1 };
        result = qvJob_Progress(job, "finding shapes", 0.35, error);
        if (result == qv_ok)
            result = qvMorphSpace_Extend(space, last, job, error);
        if (result == qv_ok)
            result = RunPieces(&task, MeasurePieces, job, error);
        for (*rank = first; result == qv_ok && *rank <= last; ++*rank)
        {
            double square = 0.0;
            for (int piece = 0; piece < PIECES; piece++)
                square = fmax(square, sums[piece * (RANKS_AT_ONCE + 1) + *rank - first]);
            *worst = sqrt(square);
            if (*worst <= tolerance || *rank == maxRank)
                return qv_ok;
        }
    }
    return result;
}
