// SPDX-License-Identifier: GPL-3.0-or-later
// Edge, area and hinge terms of Discrete Shells (see elements.h).
#include "elastic/elements.h"

#include <math.h>
#include <stddef.h>

// A triangle whose height is below this part of its size, and an edge below this part of its rest length, have no
// direction that rounding would not decide.
static const double degenerate = 1e-9;

// s a b^T
static qvBlock Outer(double s, qvVec3 a, qvVec3 b)
{
    double x = s * a.x, y = s * a.y, z = s * a.z;
    return (qvBlock){ { { x * b.x, x * b.y, x * b.z }, { y * b.x, y * b.y, y * b.z }, { z * b.x, z * b.y, z * b.z } } };
}

static void AddOuter(qvBlock* block, double s, qvVec3 a, qvVec3 b)
{
    qvBlock outer = Outer(s, a, b);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            block->m[i][j] += outer.m[i][j];
    }
}

static void AddScaled(qvBlock* block, double s, const qvBlock* other)
{
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            block->m[i][j] += s * other->m[i][j];
    }
}

// s [a]x: the matrix of v -> s a x v
static void AddCross(qvBlock* block, double s, qvVec3 a)
{
    block->m[0][1] -= s * a.z;
    block->m[0][2] += s * a.y;
    block->m[1][0] += s * a.z;
    block->m[1][2] -= s * a.x;
    block->m[2][0] -= s * a.y;
    block->m[2][1] += s * a.x;
}

static qvBlock Transpose(const qvBlock* block)
{
    qvBlock t;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            t.m[i][j] = block->m[j][i];
    }
    return t;
}

static void Clear(qvBlock* blocks, int count)
{
    for (int i = 0; i < count; i++)
        blocks[i] = (qvBlock){ 0 };
}

// --- Edges -----------------------------------------------------------------------------------------------------------

double qvEdgeTerm(qvVec3 x0, qvVec3 x1, double rest, double k, qvVec3* gradient, qvBlock* block)
{
    qvVec3 d = qvSub(x1, x0);
    double length = qvLength(d), miss = 1.0 - length / rest;
    bool hasDirection = length > degenerate * rest;
    double slope = -2.0 * k * miss, inverse = hasDirection ? 1.0 / length : 0.0;
    d = qvScale(inverse, d);
    if (gradient != NULL)
        *gradient = qvScale(slope, d);
    if (block != NULL)
    {
        double across = slope * inverse;
        *block = Outer(2.0 * k / rest - across, d, d);
        for (int i = 0; i < 3; i++)
            block->m[i][i] += across;
    }
    return k * miss * miss * rest;
}

void qvEdgeAtRest(qvVec3 x0, qvVec3 x1, double rest, double k, qvBlock* block)
{
    qvVec3 d = qvNormalize(qvSub(x1, x0));
    *block = Outer(2.0 * k / rest, d, d);
}

// --- Triangles -------------------------------------------------------------------------------------------------------

typedef struct Triangle
{
    qvVec3 side[3];  // side i is opposite to corner i
    qvVec3 normal;   // unit, or 0
    double twice;    // twice the area
    double inverse;  // 1 / twice, or 0 when the triangle has no plane
    qvVec3 slope[3]; // gradient of the area
} Triangle;

static Triangle GetTriangle(const qvVec3 x[3])
{
    Triangle t;
    double longest = 0.0;
    for (int i = 0; i < 3; i++)
    {
        t.side[i] = qvSub(x[(i + 2) % 3], x[(i + 1) % 3]);
        longest = fmax(longest, qvDot(t.side[i], t.side[i]));
    }
    qvVec3 n = qvCross(t.side[2], qvScale(-1.0, t.side[1]));
    t.twice = qvLength(n);
    t.inverse = t.twice > degenerate * longest ? 1.0 / t.twice : 0.0;
    t.normal = qvScale(t.inverse, n);
    for (int i = 0; i < 3; i++)
        t.slope[i] = qvScale(0.5, qvCross(t.normal, t.side[i]));
    return t;
}

double qvTriangleArea(const qvVec3 x[3])
{
    return 0.5 * qvLength(qvCross(qvSub(x[1], x[0]), qvSub(x[2], x[0])));
}

static const int trianglePairs[qv_triangleBlocks][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 0 }, { 2, 0 }, { 2, 1 } };

static void FillSlopes(const Triangle* t, double scale, qvBlock* blocks)
{
    for (int p = 0; p < qv_triangleBlocks; p++)
        blocks[p] = Outer(scale, t->slope[trianglePairs[p][0]], t->slope[trianglePairs[p][1]]);
}

double qvAreaTerm(const qvVec3 x[3], double rest, double k, qvVec3* gradient, qvBlock* blocks)
{
    Triangle t = GetTriangle(x);
    double miss = 1.0 - 0.5 * t.twice / rest, slope = -2.0 * k * miss;
    if (gradient != NULL)
    {
        for (int i = 0; i < 3; i++)
            gradient[i] = qvScale(slope, t.slope[i]);
    }
    if (blocks != NULL)
    {
        FillSlopes(&t, 2.0 * k / rest, blocks);
        // Hessian of the area: (side_i . side_j / |n| n n^T + s [n]x) / 2, s = 1 if j = i + 2 (mod 3), -1 if j = i + 1
        for (int p = 0; p < qv_triangleBlocks; p++)
        {
            int i = trianglePairs[p][0], j = trianglePairs[p][1];
            AddOuter(&blocks[p], 0.5 * slope * t.inverse * qvDot(t.side[i], t.side[j]), t.normal, t.normal);
            if (i != j)
                AddCross(&blocks[p], j == (i + 2) % 3 ? 0.5 * slope : -0.5 * slope, t.normal);
        }
    }
    return k * miss * miss * rest;
}

void qvAreaAtRest(const qvVec3 x[3], double rest, double k, qvBlock* blocks)
{
    Triangle t = GetTriangle(x);
    FillSlopes(&t, 2.0 * k / rest, blocks);
}

// --- Hinges ----------------------------------------------------------------------------------------------------------

static const int hingePairs[qv_hingeBlocks][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 0 },
                                                   { 2, 0 }, { 3, 0 }, { 2, 1 }, { 3, 1 }, { 3, 2 } };

// Indices into a hinge's list of blocks
enum
{
    H00,
    H11,
    H22,
    H33,
    H10,
    H20,
    H30,
    H21,
    H31,
    H32,
};

// One side of a hinge. Its normal n is e x d for the first triangle and d x e for the second.
typedef struct Wing
{
    qvVec3 d;     // from x0 to the opposite corner
    qvVec3 unit;  // unit normal
    double size;  // |n|
    qvVec3 over;  // n / |n|^2
    double along; // d . e / |e|
    qvVec3 turn;  // gradient of `along` in x1
} Wing;

static bool InitWing(Wing* w, qvVec3 e, double length, qvVec3 d, double sign)
{
    qvVec3 n = qvScale(sign, qvCross(e, d)), other = qvSub(d, e);
    double longest = fmax(length * length, fmax(qvDot(d, d), qvDot(other, other)));
    w->d = d;
    w->size = qvLength(n);
    if (!(w->size > degenerate * longest))
        return false;
    w->unit = qvScale(1.0 / w->size, n);
    w->over = qvScale(1.0 / w->size, w->unit);
    w->along = qvDot(d, e) / length;
    w->turn = qvScale(1.0 / length, qvMulAdd(d, -w->along / length, e));
    return true;
}

// Adds s d(n / |n|^2) where dn = [a]x dx: s / |n|^2 ([a]x - 2 u (u x a)^T), u the unit normal.
static void AddNormalChange(qvBlock* block, double s, const Wing* w, qvVec3 a)
{
    double scale = s / (w->size * w->size);
    AddCross(block, scale, a);
    AddOuter(block, -2.0 * scale, w->unit, qvCross(w->unit, a));
}

// Blocks of one wing: (opposite, opposite), (opposite, 1), and its share of (1, 1). sign as in InitWing.
static void AddWing(const Wing* w, qvVec3 e, double length, double sign, qvBlock* own, qvBlock* cross, qvBlock* shared)
{
    qvVec3 unit = qvScale(1.0 / length, e);
    qvVec3 byCorner = qvScale(sign, e), byEdge = qvScale(-sign, w->d);
    AddNormalChange(own, -length, w, byCorner);
    AddNormalChange(cross, -length, w, byEdge);
    AddOuter(cross, -1.0, w->over, unit);
    AddNormalChange(shared, w->along, w, byEdge);
    AddOuter(shared, 1.0, w->over, w->turn);
}

// The angle does not change when everything moves: rows of blocks add up to zero, which gives those of x0.
static void CompleteHinge(qvBlock* b)
{
    qvBlock cross2 = Transpose(&b[H21]), cross3 = Transpose(&b[H31]);
    AddScaled(&b[H20], -1.0, &b[H21]);
    AddScaled(&b[H20], -1.0, &b[H22]);
    AddScaled(&b[H30], -1.0, &b[H31]);
    AddScaled(&b[H30], -1.0, &b[H33]);
    AddScaled(&b[H10], -1.0, &b[H11]);
    AddScaled(&b[H10], -1.0, &cross2);
    AddScaled(&b[H10], -1.0, &cross3);
    AddScaled(&b[H00], -1.0, &b[H10]);
    AddScaled(&b[H00], -1.0, &b[H20]);
    AddScaled(&b[H00], -1.0, &b[H30]);
}

bool qvHingeAngle(const qvVec3 x[4], double* angle, qvVec3* gradient, qvBlock* blocks)
{
    qvVec3 e = qvSub(x[1], x[0]), zero = { 0.0, 0.0, 0.0 };
    double length = qvLength(e);
    Wing a, b;
    *angle = 0.0;
    for (int i = 0; gradient != NULL && i < 4; i++)
        gradient[i] = zero;
    if (blocks != NULL)
        Clear(blocks, qv_hingeBlocks);
    if (!InitWing(&a, e, length, qvSub(x[2], x[0]), 1.0) || !InitWing(&b, e, length, qvSub(x[3], x[0]), -1.0))
        return false;
    *angle = atan2(qvDot(qvCross(a.unit, b.unit), e) / length, qvDot(a.unit, b.unit));
    if (gradient != NULL)
    {
        gradient[2] = qvScale(-length, a.over);
        gradient[3] = qvScale(-length, b.over);
        gradient[1] = qvMulAdd(qvScale(a.along, a.over), b.along, b.over);
        gradient[0] = qvMulAdd(qvScale(length - a.along, a.over), length - b.along, b.over);
    }
    if (blocks != NULL)
    {
        AddWing(&a, e, length, 1.0, &blocks[H22], &blocks[H21], &blocks[H11]);
        AddWing(&b, e, length, -1.0, &blocks[H33], &blocks[H31], &blocks[H11]);
        CompleteHinge(blocks);
    }
    return true;
}

double qvHingeCoefficient(const qvVec3 x[4])
{
    qvVec3 e = qvSub(x[1], x[0]);
    double areas = 0.5 * (qvLength(qvCross(e, qvSub(x[2], x[0]))) + qvLength(qvCross(e, qvSub(x[3], x[0]))));
    return 3.0 * qvDot(e, e) / areas;
}

double qvHingeTerm(const qvVec3 x[4], double rest, double k, qvVec3* gradient, qvBlock* blocks)
{
    qvVec3 slope[4];
    double angle;
    bool ok = qvHingeAngle(x, &angle, slope, blocks);
    double miss = ok ? remainder(angle - rest, 2.0 * 3.14159265358979323846) : 0.0, twice = 2.0 * k * miss;
    for (int i = 0; gradient != NULL && i < 4; i++)
        gradient[i] = qvScale(twice, slope[i]);
    for (int p = 0; blocks != NULL && p < qv_hingeBlocks; p++)
    {
        for (int i = 0; i < 9; i++)
            blocks[p].m[i / 3][i % 3] *= twice;
        AddOuter(&blocks[p], 2.0 * k, slope[hingePairs[p][0]], slope[hingePairs[p][1]]);
    }
    return k * miss * miss;
}

void qvHingeAtRest(const qvVec3 x[4], double k, qvBlock* blocks)
{
    qvVec3 slope[4];
    double angle;
    if (!qvHingeAngle(x, &angle, slope, NULL))
        k = 0.0;
    for (int p = 0; p < qv_hingeBlocks; p++)
        blocks[p] = Outer(2.0 * k, slope[hingePairs[p][0]], slope[hingePairs[p][1]]);
}
