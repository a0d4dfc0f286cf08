// SPDX-License-Identifier: GPL-3.0-or-later
// Normals of points. Each point walks once along its ring (topology.h), so that nothing is scattered, no triangle is
// stored, and every point is its own sum: the same bits for any pool. Points are padded to four floats first, which
// makes each of them one aligned load.
//
// Area weights: the sum over the ring of (a - p) x (b - p). Angle weights: each of these has unit length times the
// angle at p. G. Thuermer, C. A. Wuethrich, Computing vertex normals from polygonal facets, 1998.
//
// With one shuffle per vector: the cross product of a and b, its components turned by one place, is
// a * b.yzx - a.yzx * b.
#include "quaver/topology.h"

#include "base/assert.h"

#include <math.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));

enum
{
    POINTS_PER_PIECE = 2048
};

typedef struct NormalTask
{
    const qvTopology* topology;
    const qvVec3f* points;
    qvNormalWeight weight;
    Float4* padded;
    qvVec3f* normals;
} NormalTask;

static void Pad(void* context, int begin, int end)
{
    const NormalTask* task = context;
    for (int i = begin; i < end; i++)
        task->padded[i] = (Float4){ task->points[i].x, task->points[i].y, task->points[i].z, 0.0f };
}

static Float4 Turn(Float4 v)
{
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

// For sums that are too small or too large for floats, and for points without any.
static qvVec3f SlowNormal(const NormalTask* task, int point)
{
    const qvTopology* topology = task->topology;
    qvVec3 origin = qvVec3_FromFloat(task->points[point]), sum = { 0.0, 0.0, 0.0 };
    for (int i = topology->ringStart[point] + 1; i < topology->ringStart[point + 1]; i++)
    {
        qvVec3 a = qvSub(qvVec3_FromFloat(task->points[topology->ring[i - 1]]), origin);
        qvVec3 b = qvSub(qvVec3_FromFloat(task->points[topology->ring[i]]), origin);
        qvVec3 n = qvCross(a, b);
        double length = qvLength(n);
        double angle = atan2(length, qvDot(a, b));
        if (length > 0.0)
            sum = qvMulAdd(sum, task->weight == qv_weightByAngle ? angle / length : 1.0, n);
    }
    double length = qvLength(sum);
    return length > 0.0 ? qvVec3_ToFloat(qvScale(1.0 / length, sum)) : (qvVec3f){ 0.0f, 0.0f, 1.0f };
}

static qvVec3f Finish(const NormalTask* task, int point, float x, float y, float z)
{
    float square = x * x + y * y + z * z;
    if (!(square > 1e-30f && square < 1e30f))
        return SlowNormal(task, point);
    float scale = 1.0f / sqrtf(square);
    return (qvVec3f){ x * scale, y * scale, z * scale };
}

static void SumByArea(void* context, int begin, int end)
{
    const NormalTask* task = context;
    const Float4* at = task->padded;
    const int32_t *start = task->topology->ringStart, *ring = task->topology->ring;
    for (int p = begin; p < end; p++)
    {
        Float4 origin = at[p], sum = { 0.0f, 0.0f, 0.0f, 0.0f };
        Float4 a = at[ring[start[p]]] - origin, turnedA = Turn(a);
        for (int i = start[p] + 1; i < start[p + 1]; i++)
        {
            Float4 b = at[ring[i]] - origin, turnedB = Turn(b);
            sum += a * turnedB - turnedA * b;
            a = b;
            turnedA = turnedB;
        }
        task->normals[p] = Finish(task, p, sum[1], sum[2], sum[0]);
    }
}

// --- Angles ----------------------------------------------------------------------------------------------------------

static Float4 Sqrt4(Float4 v)
{
#ifdef __SSE2__
    return (Float4)_mm_sqrt_ps((__m128)v);
#else
    return (Float4){ sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3]) };
#endif
}

static Float4 Select(Int4 mask, Float4 yes, Float4 no)
{
    return (Float4)((mask & (Int4)yes) | (~mask & (Int4)no));
}

static Float4 Splat(float value)
{
    return (Float4){ value, value, value, value };
}

// atan2(y, x) for y >= 0, to 2e-7. The polynomial is atan(t) / t in t^2, interpolated at Chebyshev points of [0, 1].
static Float4 Angle(Float4 y, Float4 x)
{
    Float4 size = (Float4)((Int4)x & (Int4){ INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX });
    Int4 isSteep = y > size;
    Float4 t = Select(isSteep, size, y) / (Select(isSteep, y, size) + 1e-38f);
    Float4 u = t * t;
    Float4 sum = Splat(-0.00455979199f);
    sum = sum * u + 0.0237805186f;
    sum = sum * u - 0.0588297531f;
    sum = sum * u + 0.0986886546f;
    sum = sum * u - 0.140032902f;
    sum = sum * u + 0.199669618f;
    sum = sum * u - 0.333318127f;
    sum = sum * u + 0.999999882f;
    Float4 angle = sum * t;
    angle = Select(isSteep, 1.57079633f - angle, angle);
    return Select(x < 0.0f, 3.14159265f - angle, angle);
}

static void Transpose(Float4 rows[4])
{
    Float4 a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    Float4 b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    Float4 c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    Float4 d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Adds four triangles: rows of cross products (turned by one place) and of products whose sum is the dot product.
static void AddAngles(Float4 crosses[4], Float4 products[4], Float4 sums[3])
{
    Transpose(crosses);
    Transpose(products);
    Float4 dot = products[0] + products[1] + products[2];
    Float4 square = crosses[0] * crosses[0] + crosses[1] * crosses[1] + crosses[2] * crosses[2];
    Float4 length = Sqrt4(square);
    Float4 weight = Select(square > 0.0f, Angle(length, dot) / length, Splat(0.0f));
    for (int k = 0; k < 3; k++)
        sums[k] += crosses[k] * weight;
}

static float Total(Float4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static void SumByAngle(void* context, int begin, int end)
{
    const NormalTask* task = context;
    const Float4* at = task->padded;
    const int32_t *start = task->topology->ringStart, *ring = task->topology->ring;
    for (int p = begin; p < end; p++)
    {
        Float4 origin = at[p], sums[3] = { Splat(0.0f), Splat(0.0f), Splat(0.0f) };
        Float4 a = at[ring[start[p]]] - origin, turnedA = Turn(a);
        for (int i = start[p] + 1; i < start[p + 1]; i += 4)
        {
            Float4 crosses[4], products[4];
            for (int k = 0; k < 4; k++)
            {
                // Past the end, the last entry again: a triangle without area.
                int index = i + k < start[p + 1] ? i + k : start[p + 1] - 1;
                Float4 b = at[ring[index]] - origin, turnedB = Turn(b);
                crosses[k] = a * turnedB - turnedA * b;
                products[k] = a * b;
                a = b;
                turnedA = turnedB;
            }
            AddAngles(crosses, products, sums);
        }
        task->normals[p] = Finish(task, p, Total(sums[1]), Total(sums[2]), Total(sums[0]));
    }
}

size_t qvNormalScratchSize(const qvTopology* topology, qvNormalWeight weight)
{
    (void)weight;
    return ((size_t)topology->pointCount + 1) * sizeof(Float4);
}

void qvComputeNormals(const qvTopology* topology, const qvVec3f* points, qvNormalWeight weight, void* scratch,
                      qvPool* pool, qvVec3f* normals)
{
    QV_ASSERT(topology != NULL && points != NULL && scratch != NULL && normals != NULL);
    uintptr_t aligned = ((uintptr_t)scratch + sizeof(Float4) - 1) / sizeof(Float4) * sizeof(Float4);
    NormalTask task = { topology, points, weight, (Float4*)aligned, normals };
    qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, Pad, &task);
    qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, weight == qv_weightByAngle ? SumByAngle : SumByArea,
                  &task);
}
