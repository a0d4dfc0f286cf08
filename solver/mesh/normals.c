// SPDX-License-Identifier: GPL-3.0-or-later
// Normals of points. Nothing is scattered: every point is its own sum, in a fixed order, and so has the same bits for
// any pool. Points are padded to four floats first, which makes each of them one aligned load.
//
// Area weights: the sum of (a - p) x (b - p) along the point's ring (topology.h); no triangle is stored.
// Angle weights: the triangles' unit normals and angles, four triangles at a time, and then the sum over the point's
// fan of normal times angle. G. Thuermer, C. A. Wuethrich, Computing vertex normals from polygonal facets, 1998.
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
    POINTS_PER_PIECE = 2048,
    TRIANGLES_PER_PIECE = 4096,
};

typedef struct FlatTriangle
{
    Float4 normal; // unit length, zero for a triangle without area
    Float4 angles; // radians, at each corner
} FlatTriangle;

typedef struct NormalTask
{
    const qvTopology* topology;
    const qvVec3f* points;
    qvNormalWeight weight;
    Float4* padded;
    FlatTriangle* flat; // by angle only
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
    // In pairs and pairs of pairs, which the CPU computes side by side.
    Float4 u = t * t, u2 = u * u, u4 = u2 * u2;
    Float4 low = (0.999999882f - 0.333318127f * u) + (0.199669618f - 0.140032902f * u) * u2;
    Float4 high = (0.0986886546f - 0.0588297531f * u) + (0.0237805186f - 0.00455979199f * u) * u2;
    Float4 sum = low + high * u4;
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

static Float4 Dot3(const Float4 a[4], const Float4 b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Four triangles from their edges a = p1 - p0 and b = p2 - p1, one triangle a row; leaves a normal a row and the angles
// at one triangle a row.
static void Flatten(Float4 a[4], Float4 b[4], Float4 normals[4], Float4 angles[4])
{
    Transpose(a);
    Transpose(b);
    normals[0] = a[1] * b[2] - a[2] * b[1];
    normals[1] = a[2] * b[0] - a[0] * b[2];
    normals[2] = a[0] * b[1] - a[1] * b[0];
    Float4 square = Dot3(normals, normals), length = Sqrt4(square);
    Float4 inverse = Select(square > 0.0f, 1.0f / length, Splat(0.0f));
    for (int k = 0; k < 3; k++)
        normals[k] *= inverse;
    normals[3] = Splat(0.0f);
    // The third edge is -(a + b), and all three corners have the same cross product.
    Float4 ab = Dot3(a, b);
    angles[0] = Angle(length, Dot3(a, a) + ab);
    angles[1] = Angle(length, -ab);
    angles[2] = Angle(length, Dot3(b, b) + ab);
    angles[3] = Splat(0.0f);
    Transpose(normals);
    Transpose(angles);
}

static void FlattenTriangles(void* context, int begin, int end)
{
    const NormalTask* task = context;
    for (int first = begin; first < end; first += 4)
    {
        Float4 a[4], b[4], normals[4], angles[4];
        int rows[4];
        for (int k = 0; k < 4; k++)
        {
            // Past the end, the last one again.
            rows[k] = first + k < end ? first + k : end - 1;
            const int32_t* v = task->topology->triangles[rows[k]].v;
            a[k] = task->padded[v[1]] - task->padded[v[0]];
            b[k] = task->padded[v[2]] - task->padded[v[1]];
        }
        Flatten(a, b, normals, angles);
        for (int k = 0; k < 4; k++)
            task->flat[rows[k]] = (FlatTriangle){ normals[k], angles[k] };
    }
}

static void SumByAngle(void* context, int begin, int end)
{
    const NormalTask* task = context;
    const qvTopology* topology = task->topology;
    for (int p = begin; p < end; p++)
    {
        Float4 sum = { 0.0f, 0.0f, 0.0f, 0.0f };
        for (int i = topology->fanStart[p]; i < topology->fanStart[p + 1]; i++)
        {
            const FlatTriangle* flat = &task->flat[topology->fan[i]];
            sum += flat->normal * ((const float*)&flat->angles)[topology->fanCorner[i]];
        }
        task->normals[p] = Finish(task, p, sum[0], sum[1], sum[2]);
    }
}

size_t qvNormalScratchSize(const qvTopology* topology, qvNormalWeight weight)
{
    size_t triangles = weight == qv_weightByAngle ? (size_t)topology->triangleCount : 0;
    return ((size_t)topology->pointCount + 1) * sizeof(Float4) + triangles * sizeof(FlatTriangle);
}

void qvComputeNormals(const qvTopology* topology, const qvVec3f* points, qvNormalWeight weight, void* scratch,
                      qvPool* pool, qvVec3f* normals)
{
    QV_ASSERT(topology != NULL && points != NULL && scratch != NULL && normals != NULL);
    uintptr_t aligned = ((uintptr_t)scratch + sizeof(Float4) - 1) / sizeof(Float4) * sizeof(Float4);
    NormalTask task = { .topology = topology, .points = points, .weight = weight, .normals = normals };
    task.padded = (Float4*)aligned;
    qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, Pad, &task);
    if (weight == qv_weightByAngle)
    {
        task.flat = (FlatTriangle*)(task.padded + topology->pointCount);
        qvParallelFor(pool, topology->triangleCount, TRIANGLES_PER_PIECE, FlattenTriangles, &task);
        qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, SumByAngle, &task);
    }
    else
        qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, SumByArea, &task);
}
