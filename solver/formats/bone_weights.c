// SPDX-License-Identifier: GPL-3.0-or-later
// Weights for given bones. With e_b the way from the place of a point to where bone b alone would carry it, in all
// frames at once, the weights minimize |sum_b w_b e_b|^2 over w >= 0, sum w = 1, with at most four of them above 0.
// Bones are taken one by one, each the one towards which the remainder shrinks most (M. Frank, P. Wolfe, "An algorithm
// for quadratic programming", 1956), with the exact weights in between; then the lightest are exchanged.
#include "formats/bone_solve.h"

#include "base/memory.h"
#include "math/blas.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    EXCHANGES = 4,
};

// h += P v^T for the first rows of P.
static void AddProducts(const double* p, int rows, const qvVec3f* v, const float* importance, int frames, double* h)
{
    for (int f = 0; f < frames; f++, h += QV_BONE_NUMBERS)
    {
        double factor = importance != NULL ? importance[f] : 1.0;
        double x = factor * v[f].x, y = factor * v[f].y, z = factor * v[f].z;
        for (int j = 0; j < rows; j++)
        {
            h[3 * j] += p[j] * x;
            h[3 * j + 1] += p[j] * y;
            h[3 * j + 2] += p[j] * z;
        }
    }
}

void qvBoneTask_AddMoments(const qvBoneTask* task, int point, double factor, const float* importance, double* h)
{
    size_t first = (size_t)point * (size_t)task->frameCount;
    qvVec3f r = task->rest[point];
    const double p[4] = { factor * r.x, factor * r.y, factor * r.z, factor };
    AddProducts(p, 4, task->places + first, importance, task->frameCount, h);
    if (task->restNormals == NULL)
        return;
    qvVec3f n = task->restNormals[point];
    double square = factor * task->normalLength * task->normalLength;
    const double q[3] = { square * n.x, square * n.y, square * n.z };
    AddProducts(q, 3, task->normals + first, importance, task->frameCount, h);
}

// --- One point -----------------------------------------------------------------------------------------------------

typedef struct Point
{
    const qvBoneSolve* solve;
    double square[16];
    double length;      // sum of squares of its places and normals
    const double* dots; // [boneCount] <M_b, h>
    double* own;        // [boneCount] |e_b|^2
    double* rows;       // [5][boneCount] e_b . e_c of the bones in hand
    int count;          // of them
    int bones[QV_BONES_OF_POINT + 1];
    double weights[QV_BONES_OF_POINT + 1];
    double rest; // |sum w e|^2
} Point;

static double Product(const Point* point, int b, int c)
{
    const double* s = point->square;
    size_t stride = 4 * (size_t)point->solve->boneCount;
    const double* q = point->solve->products + 4 * (size_t)b * stride + 4 * (size_t)c;
    double sum = 0.0;
    for (int j = 0; j < 4; j++, q += stride)
        sum += s[4 * j] * q[0] + s[4 * j + 1] * q[1] + s[4 * j + 2] * q[2] + s[4 * j + 3] * q[3];
    return sum;
}

static void FillRow(const Point* point, int bone, double* row)
{
    for (int c = 0; c < point->solve->boneCount; c++)
        row[c] = Product(point, bone, c) - point->dots[bone] - point->dots[c] + point->length;
}

// The weights of the bones in hand that leave least, where all of them are positive; false where they are not.
static bool SolveWeights(const double e[5][5], const int* chosen, int count, double* weights)
{
    double a[25], trace = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++)
        trace += e[chosen[i]][chosen[i]];
    double ridge = 1e-9 * trace + DBL_MIN;
    for (int i = 0; i < count; i++)
    {
        weights[i] = 1.0;
        for (int j = 0; j <= i; j++)
        {
            double value = e[chosen[i]][chosen[j]] + (i == j ? ridge : 0.0);
            for (int k = 0; k < j; k++)
                value -= a[5 * i + k] * a[5 * j + k];
            if (i == j && !(value > 0.0))
                return false;
            a[5 * i + j] = i == j ? sqrt(value) : value / a[5 * j + j];
        }
    }
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < i; k++)
            weights[i] -= a[5 * i + k] * weights[k];
        weights[i] /= a[5 * i + i];
    }
    for (int i = count - 1; i >= 0; i--)
    {
        for (int k = i + 1; k < count; k++)
            weights[i] -= a[5 * k + i] * weights[k];
        weights[i] /= a[5 * i + i];
        sum += weights[i];
    }
    bool positive = sum > 0.0;
    for (int i = 0; i < count; i++)
    {
        weights[i] /= sum;
        positive &= weights[i] > 0.0;
    }
    return positive;
}

// Leaves out of hand what has no positive weight.
static void Weigh(Point* point)
{
    size_t n = (size_t)point->solve->boneCount;
    double e[5][5], weights[5];
    int chosen[5], count = point->count;
    for (int i = 0; i < count; i++)
    {
        chosen[i] = i;
        for (int j = 0; j < count; j++)
            e[i][j] = point->rows[(size_t)i * n + (size_t)point->bones[j]];
    }
    while (!SolveWeights((const double(*)[5])e, chosen, count, weights) && count > 1)
    {
        int out = 0;
        for (int i = 1; i < count; i++)
            out = weights[i] < weights[out] ? i : out;
        memmove(chosen + out, chosen + out + 1, (size_t)(--count - out) * sizeof(int));
    }
    if (count == 1)
        weights[0] = 1.0;
    point->rest = 0.0;
    for (int i = 0; i < count; i++)
    {
        for (int j = 0; j < count; j++)
            point->rest += weights[i] * weights[j] * e[chosen[i]][chosen[j]];
    }
    for (int i = 0; i < count; i++)
    {
        point->bones[i] = point->bones[chosen[i]];
        point->weights[i] = weights[i];
        if (chosen[i] != i)
            memcpy(point->rows + (size_t)i * n, point->rows + (size_t)chosen[i] * n, n * sizeof(double));
    }
    point->count = count;
}

// The bone towards which what remains shrinks most, -1 where it shrinks towards none.
static int FindNext(const Point* point)
{
    int n = point->solve->boneCount, best = -1;
    double most = 1e-9 * point->rest;
    for (int c = 0; c < n; c++)
    {
        double dot = 0.0;
        for (int i = 0; i < point->count; i++)
            dot += point->weights[i] * point->rows[(size_t)i * (size_t)n + (size_t)c];
        double slope = point->rest - dot, length = point->rest - 2.0 * dot + point->own[c];
        if (!(slope > 0.0 && length > 0.0))
            continue;
        double gain = slope >= length ? 2.0 * slope - length : slope * slope / length;
        if (gain > most)
            best = c, most = gain;
    }
    return best;
}

static void Take(Point* point, int bone)
{
    FillRow(point, bone, point->rows + (size_t)point->count * (size_t)point->solve->boneCount);
    point->bones[point->count++] = bone;
    Weigh(point);
}

static void DropLightest(Point* point)
{
    size_t n = (size_t)point->solve->boneCount;
    int out = 0, last = point->count - 1;
    for (int i = 1; i < point->count; i++)
        out = point->weights[i] < point->weights[out] ? i : out;
    point->bones[out] = point->bones[last];
    if (out != last)
        memcpy(point->rows + (size_t)out * n, point->rows + (size_t)last * n, n * sizeof(double));
    point->count--;
    Weigh(point);
}

static void Start(Point* point)
{
    int n = point->solve->boneCount, best = 0;
    for (int b = 0; b < n; b++)
    {
        point->own[b] = Product(point, b, b) - 2.0 * point->dots[b] + point->length;
        best = point->own[b] < point->own[best] ? b : best;
    }
    point->count = 0;
    Take(point, best);
}

static void Keep(const Point* point, int32_t* bones, double* weights)
{
    for (int k = 0; k < QV_BONES_OF_POINT; k++)
    {
        bones[k] = k < point->count ? point->bones[k] : 0;
        weights[k] = k < point->count ? point->weights[k] : 0.0;
        for (int i = k; i > 0 && weights[i] > weights[i - 1]; i--)
        {
            int32_t bone = bones[i];
            double weight = weights[i];
            bones[i] = bones[i - 1], weights[i] = weights[i - 1];
            bones[i - 1] = bone, weights[i - 1] = weight;
        }
    }
}

static void FindBonesOf(Point* point, int32_t* bones, double* weights)
{
    Start(point);
    for (int next; point->count < point->solve->most && (next = FindNext(point)) >= 0;)
    {
        int before = point->count;
        Take(point, next);
        if (point->count <= before)
            break;
    }
    double least = point->rest;
    Keep(point, bones, weights);
    for (int i = 0; i < EXCHANGES && point->count > 1 && point->solve->most > 1; i++)
    {
        int next = FindNext(point);
        if (next < 0)
            return;
        Take(point, next);
        if (point->count > QV_BONES_OF_POINT)
            DropLightest(point);
        if (!(point->rest < (1.0 - 1e-6) * least))
            return;
        least = point->rest;
        Keep(point, bones, weights);
    }
}

// --- All points ----------------------------------------------------------------------------------------------------

typedef struct Work
{
    qvBoneSolve* solve;
    bool* failed; // per block
} Work;

static double SumOfSquares(const qvBoneTask* task, int point)
{
    const qvVec3f* v = task->places + (size_t)point * (size_t)task->frameCount;
    double sum = 0.0, normals = 0.0;
    for (int f = 0; f < task->frameCount; f++)
        sum += (double)v[f].x * v[f].x + (double)v[f].y * v[f].y + (double)v[f].z * v[f].z;
    if (task->restNormals == NULL)
        return sum;
    v = task->normals + (size_t)point * (size_t)task->frameCount;
    for (int f = 0; f < task->frameCount; f++)
        normals += (double)v[f].x * v[f].x + (double)v[f].y * v[f].y + (double)v[f].z * v[f].z;
    return sum + task->normalLength * task->normalLength * normals;
}

// Where a map takes a row of four numbers.
static inline void Apply(const double* m, const double p[4], double weight, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] += weight * (p[0] * m[k] + p[1] * m[3 + k] + p[2] * m[6 + k] + p[3] * m[9 + k]);
}

static void MeasurePoint(qvBoneSolve* solve, int point)
{
    const qvBoneTask* task = solve->task;
    size_t first = (size_t)point * (size_t)task->frameCount;
    const double p[4] = { task->rest[point].x, task->rest[point].y, task->rest[point].z, 1.0 };
    const int32_t* bones = solve->bones + QV_BONES_OF_POINT * (size_t)point;
    const double* weights = solve->weights + QV_BONES_OF_POINT * (size_t)point;
    double worst = 0.0;
    for (int f = 0; f < task->frameCount; f++)
    {
        qvVec3f v = task->places[first + (size_t)f];
        double x[3] = { -v.x, -v.y, -v.z };
        for (int k = 0; k < QV_BONES_OF_POINT && weights[k] > 0.0; k++)
            Apply(solve->maps[(size_t)bones[k] * (size_t)task->frameCount + (size_t)f].m, p, weights[k], x);
        double distance = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        solve->errors[first + (size_t)f] = (float)distance;
        worst = fmax(worst, distance);
    }
    solve->worst[point] = worst;
}

static void WeighBlock(void* context, int begin, int end)
{
    const Work* work = context;
    qvBoneSolve* solve = work->solve;
    int size = QV_BONE_NUMBERS * solve->task->frameCount, n = solve->boneCount, count = end - begin;
    double* h = qvAllocate((size_t)count, (size_t)size * sizeof(double));
    double* dots = qvAllocateRaw((size_t)n, (size_t)(count + 6) * sizeof(double));
    work->failed[begin / QV_BONE_POINTS] = h == NULL || dots == NULL;
    if (h != NULL && dots != NULL)
    {
        for (int i = 0; i < count; i++)
            qvBoneTask_AddMoments(solve->task, begin + i, 1.0, NULL, h + (size_t)i * (size_t)size);
        qvBlas_Multiply(true, false, n, count, size, 1.0, solve->maps[0].m, size, h, size, 0.0, dots, n);
        Point point = { .solve = solve, .own = dots + (size_t)n * (size_t)count };
        point.rows = point.own + n;
        for (int i = 0; i < count; i++)
        {
            size_t at = QV_BONES_OF_POINT * (size_t)(begin + i);
            qvBoneTask_Square(solve->task, begin + i, point.square);
            point.length = SumOfSquares(solve->task, begin + i);
            point.dots = dots + (size_t)i * (size_t)n;
            FindBonesOf(&point, solve->bones + at, solve->weights + at);
            MeasurePoint(solve, begin + i);
        }
    }
    free(h);
    free(dots);
}

// Q, from rows of three numbers per frame.
static bool FindProducts(qvBoneSolve* solve)
{
    size_t frames = (size_t)solve->task->frameCount, n = (size_t)solve->boneCount;
    double* columns = qvAllocateRaw(4 * n, 3 * frames * sizeof(double));
    for (size_t b = 0; b < n && columns != NULL; b++)
    {
        for (size_t i = 0; i < 12 * frames; i++)
        {
            size_t f = i / 12, j = i % 12 / 3, k = i % 3;
            columns[(4 * b + j) * 3 * frames + 3 * f + k] = solve->maps[b * frames + f].m[3 * j + k];
        }
    }
    if (columns != NULL)
        qvBlas_Gram((int)(3 * frames), (int)(4 * n), columns, (int)(3 * frames), solve->products, (int)(4 * n));
    free(columns);
    return columns != NULL;
}

qvResult qvBoneSolve_FindWeights(qvBoneSolve* solve, qvError* error)
{
    int points = solve->task->pointCount, blocks = (points + QV_BONE_POINTS - 1) / QV_BONE_POINTS;
    qvResult result = qv_ok;
    bool *failed = qvAllocate((size_t)blocks, sizeof(bool)), bad = failed == NULL || !FindProducts(solve);
    if (!bad)
    {
        Work work = { solve, failed };
        result = qvWatchedFor(&solve->watch.shared, points, QV_BONE_POINTS, WeighBlock, &work, error);
        for (int i = 0; i < blocks; i++)
            bad |= failed[i];
    }
    free(failed);
    return bad ? qvError_OutOfMemory(error, 96.0 * QV_BONE_POINTS * solve->task->frameCount) : result;
}

// --- Weights of chosen bones ---------------------------------------------------------------------------------------

// Adds the products of the ways e from where a row should be to where each bone takes it.
static void AddWays(const double ways[QV_BONES_OF_POINT][3], int count, double factor, double e[5][5])
{
    for (int i = 0; i < count; i++)
    {
        for (int j = 0; j <= i; j++)
        {
            double dot = ways[i][0] * ways[j][0] + ways[i][1] * ways[j][1] + ways[i][2] * ways[j][2];
            e[i][j] += factor * dot;
            e[j][i] = e[i][j];
        }
    }
}

static void SumWays(const qvBoneSolve* solve, int point, int count, double e[5][5])
{
    const qvBoneTask* task = solve->task;
    size_t first = (size_t)point * (size_t)task->frameCount;
    const int32_t* bones = solve->bones + QV_BONES_OF_POINT * (size_t)point;
    const double p[4] = { task->rest[point].x, task->rest[point].y, task->rest[point].z, 1.0 };
    qvVec3f normal = task->restNormals != NULL ? task->restNormals[point] : (qvVec3f){ 0.0f, 0.0f, 0.0f };
    const double n[4] = { normal.x, normal.y, normal.z, 0.0 };
    double square = task->normalLength * task->normalLength;
    for (int f = 0; f < task->frameCount; f++)
    {
        double ways[QV_BONES_OF_POINT][3], turns[QV_BONES_OF_POINT][3], factor = solve->importance[first + (size_t)f];
        qvVec3f v = task->places[first + (size_t)f],
                w = task->restNormals != NULL ? task->normals[first + (size_t)f] : v;
        for (int k = 0; k < count; k++)
        {
            const double* m = solve->maps[(size_t)bones[k] * (size_t)task->frameCount + (size_t)f].m;
            ways[k][0] = -v.x, ways[k][1] = -v.y, ways[k][2] = -v.z;
            turns[k][0] = -w.x, turns[k][1] = -w.y, turns[k][2] = -w.z;
            Apply(m, p, 1.0, ways[k]);
            Apply(m, n, 1.0, turns[k]);
        }
        AddWays((const double(*)[3])ways, count, factor, e);
        if (task->restNormals != NULL)
            AddWays((const double(*)[3])turns, count, factor * square, e);
    }
}

static void RefineBlock(void* context, int begin, int end)
{
    qvBoneSolve* solve = context;
    for (int i = begin; i < end; i++)
    {
        double e[5][5] = { { 0.0 } }, weights[5];
        double* old = solve->weights + QV_BONES_OF_POINT * (size_t)i;
        int chosen[QV_BONES_OF_POINT] = { 0, 1, 2, 3 }, count = 0;
        while (count < QV_BONES_OF_POINT && old[count] > 0.0)
            count++;
        SumWays(solve, i, count, e);
        if (count > 1 && SolveWeights((const double(*)[5])e, chosen, count, weights))
            memcpy(old, weights, (size_t)count * sizeof(double));
        MeasurePoint(solve, i);
    }
}

qvResult qvBoneSolve_RefineWeights(qvBoneSolve* solve, qvError* error)
{
    return qvWatchedFor(&solve->watch.shared, solve->task->pointCount, QV_BONE_POINTS, RefineBlock, solve, error);
}

static void MeasureBlock(void* context, int begin, int end)
{
    for (int i = begin; i < end; i++)
        MeasurePoint(context, i);
}

qvResult qvBoneSolve_Measure(qvBoneSolve* solve, qvError* error)
{
    return qvWatchedFor(&solve->watch.shared, solve->task->pointCount, QV_BONE_POINTS, MeasureBlock, solve, error);
}
