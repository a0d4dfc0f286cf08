// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of normals.c. LANES is 4 or 8: how many triangles are flattened at a time, in groups of four that do not
// mix. Nothing depends on the level but the speed, because no product is fused with a sum.
//
// With one shuffle per vector: the cross product of a and b, its components turned by one place, is
// a * b.yzx - a.yzx * b.
#include "mesh/normals.h"

#include <math.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t LaneBits __attribute__((vector_size(4 * LANES)));

static void Pad(void* context, int begin, int end)
{
    const qvNormalTask* task = context;
    for (int i = begin; i < end; i++)
        task->padded[i] = (qvFloat4){ task->points[i].x, task->points[i].y, task->points[i].z, 0.0f };
}

static qvFloat4 Turn(qvFloat4 v)
{
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

static qvVec3f Finish(const qvNormalTask* task, int point, float x, float y, float z)
{
    float square = x * x + y * y + z * z;
    if (!(square > 1e-30f && square < 1e30f))
        return qvSlowNormal(task, point);
    float scale = 1.0f / sqrtf(square);
    return (qvVec3f){ x * scale, y * scale, z * scale };
}

static void SumByArea(void* context, int begin, int end)
{
    const qvNormalTask* task = context;
    const qvFloat4* at = task->padded;
    const int32_t *start = task->topology->ringStart, *ring = task->topology->ring;
    for (int p = begin; p < end; p++)
    {
        qvFloat4 origin = at[p], sum = { 0.0f, 0.0f, 0.0f, 0.0f };
        qvFloat4 a = at[ring[start[p]]] - origin, turnedA = Turn(a);
        for (int i = start[p] + 1; i < start[p + 1]; i++)
        {
            qvFloat4 b = at[ring[i]] - origin, turnedB = Turn(b);
            sum += a * turnedB - turnedA * b;
            a = b;
            turnedA = turnedB;
        }
        task->normals[p] = Finish(task, p, sum[1], sum[2], sum[0]);
    }
}

// --- Angles ----------------------------------------------------------------------------------------------------------

static Lanes SqrtLanes(Lanes v)
{
#if LANES == 8
    return (Lanes)_mm256_sqrt_ps((__m256)v);
#elif defined(__SSE2__)
    return (Lanes)_mm_sqrt_ps((__m128)v);
#else
    return (Lanes){ sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3]) };
#endif
}

#if LANES == 8
#define INTERLEAVE_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define INTERLEAVE_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define JOIN_LOW(a, b)        __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define JOIN_HIGH(a, b)       __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define INTERLEAVE_LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define INTERLEAVE_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define JOIN_LOW(a, b)        __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define JOIN_HIGH(a, b)       __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

// Rows to columns, within each group of four lanes.
static void Transpose(Lanes rows[4])
{
    Lanes a = INTERLEAVE_LOW(rows[0], rows[1]), b = INTERLEAVE_HIGH(rows[0], rows[1]);
    Lanes c = INTERLEAVE_LOW(rows[2], rows[3]), d = INTERLEAVE_HIGH(rows[2], rows[3]);
    rows[0] = JOIN_LOW(a, c);
    rows[1] = JOIN_HIGH(a, c);
    rows[2] = JOIN_LOW(b, d);
    rows[3] = JOIN_HIGH(b, d);
}

static Lanes Select(LaneBits mask, Lanes yes, Lanes no)
{
    return (Lanes)((mask & (LaneBits)yes) | (~mask & (LaneBits)no));
}

// atan2(y, x) for y >= 0, to 2e-7. The polynomial is atan(t) / t in t^2, interpolated at Chebyshev points of [0, 1].
static Lanes Angle(Lanes y, Lanes x)
{
    Lanes size = (Lanes)((LaneBits)x & INT32_MAX);
    LaneBits isSteep = y > size;
    Lanes t = Select(isSteep, size, y) / (Select(isSteep, y, size) + 1e-38f);
    // In pairs and pairs of pairs, which the CPU computes side by side.
    Lanes u = t * t, u2 = u * u, u4 = u2 * u2;
    Lanes low = (0.999999882f - 0.333318127f * u) + (0.199669618f - 0.140032902f * u) * u2;
    Lanes high = (0.0986886546f - 0.0588297531f * u) + (0.0237805186f - 0.00455979199f * u) * u2;
    Lanes sum = low + high * u4;
    Lanes angle = sum * t;
    angle = Select(isSteep, 1.57079633f - angle, angle);
    return Select(x < 0.0f, 3.14159265f - angle, angle);
}

static Lanes Dot3(const Lanes a[4], const Lanes b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Triangles from their edges a = p1 - p0 and b = p2 - p1. Rows hold one triangle, or with eight lanes two.
static void Flatten(Lanes a[4], Lanes b[4], Lanes normals[4], Lanes angles[4])
{
    const Lanes zero = { 0.0f };
    Transpose(a);
    Transpose(b);
    normals[0] = a[1] * b[2] - a[2] * b[1];
    normals[1] = a[2] * b[0] - a[0] * b[2];
    normals[2] = a[0] * b[1] - a[1] * b[0];
    Lanes square = Dot3(normals, normals), length = SqrtLanes(square);
    // Squares that lose digits count as none; points that have no others are left to doubles.
    Lanes inverse = Select(square > 1e-36f, 1.0f / length, zero);
    for (int k = 0; k < 3; k++)
        normals[k] *= inverse;
    normals[3] = zero;
    // The third edge is -(a + b), and all three corners have the same cross product.
    Lanes ab = Dot3(a, b);
    angles[0] = Angle(length, Dot3(a, a) + ab);
    angles[1] = Angle(length, -ab);
    angles[2] = Angle(length, Dot3(b, b) + ab);
    angles[3] = zero;
    Transpose(normals);
    Transpose(angles);
}

// The edges of one triangle.
static void LoadEdges(const qvNormalTask* task, int t, qvFloat4* a, qvFloat4* b)
{
    const int32_t* v = task->topology->triangles[t].v;
    *a = task->padded[v[1]] - task->padded[v[0]];
    *b = task->padded[v[2]] - task->padded[v[1]];
}

// Row k holds triangle k of the LANES ones and, with eight lanes, triangle 4 + k.
static void LoadRow(const qvNormalTask* task, const int* triangles, int k, Lanes* a, Lanes* b)
{
#if LANES == 8
    qvFloat4 lowA, lowB, highA, highB;
    LoadEdges(task, triangles[k], &lowA, &lowB);
    LoadEdges(task, triangles[4 + k], &highA, &highB);
    *a = __builtin_shufflevector(lowA, highA, 0, 1, 2, 3, 4, 5, 6, 7);
    *b = __builtin_shufflevector(lowB, highB, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    LoadEdges(task, triangles[k], a, b);
#endif
}

static void StoreRow(const qvNormalTask* task, const int* triangles, int k, Lanes normal, Lanes angles)
{
#if LANES == 8
    task->flat[triangles[k]] = (qvFlatTriangle){ __builtin_shufflevector(normal, normal, 0, 1, 2, 3),
                                                 __builtin_shufflevector(angles, angles, 0, 1, 2, 3) };
    task->flat[triangles[4 + k]] = (qvFlatTriangle){ __builtin_shufflevector(normal, normal, 4, 5, 6, 7),
                                                     __builtin_shufflevector(angles, angles, 4, 5, 6, 7) };
#else
    task->flat[triangles[k]] = (qvFlatTriangle){ normal, angles };
#endif
}

static void FlattenTriangles(void* context, int begin, int end)
{
    const qvNormalTask* task = context;
    for (int first = begin; first < end; first += LANES)
    {
        // Past the end, the last one again.
        int triangles[LANES];
        for (int k = 0; k < LANES; k++)
            triangles[k] = first + k < end ? first + k : end - 1;
        Lanes a[4], b[4], normals[4], angles[4];
        for (int k = 0; k < 4; k++)
            LoadRow(task, triangles, k, &a[k], &b[k]);
        Flatten(a, b, normals, angles);
        for (int k = 0; k < 4; k++)
            StoreRow(task, triangles, k, normals[k], angles[k]);
    }
}

static void SumByAngle(void* context, int begin, int end)
{
    const qvNormalTask* task = context;
    const qvTopology* topology = task->topology;
    for (int p = begin; p < end; p++)
    {
        qvFloat4 sum = { 0.0f, 0.0f, 0.0f, 0.0f };
        for (int i = topology->fanStart[p]; i < topology->fanStart[p + 1]; i++)
        {
            const qvFlatTriangle* flat = &task->flat[topology->fan[i]];
            sum += flat->normal * ((const float*)&flat->angles)[topology->fanCorner[i]];
        }
        task->normals[p] = Finish(task, p, sum[0], sum[1], sum[2]);
    }
}
