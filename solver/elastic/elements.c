// SPDX-License-Identifier: GPL-3.0-or-later
// Edge, area and hinge terms of Discrete Shells (see elements.h).
#include "elastic/elements.h"

#include <math.h>
#include <stddef.h>

// A triangle whose height is below this part of its size, and an edge below this part of its rest length, have no
// direction that rounding would not decide.
static const double DEGENERATE = 1e-9;

static double Larger(double a, double b)
{
    return a > b ? a : b;
}

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
    bool hasDirection = length > DEGENERATE * rest;
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
        longest = Larger(longest, qvDot(t.side[i], t.side[i]));
    }
    qvVec3 n = qvCross(t.side[2], qvScale(-1.0, t.side[1]));
    t.twice = qvLength(n);
    t.inverse = t.twice > DEGENERATE * longest ? 1.0 / t.twice : 0.0;
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

// One side of a hinge: its triangle has the edge x0 x1 and the corner c. Its normal is e x d for the first side and d x
// e for the second.
typedef struct Wing
{
    qvVec3 d;        // from x0 to c
    qvVec3 unit;     // unit normal
    double inverse;  // 1 / |n|
    double along;    // d . e / |e|
    double slope[3]; // gradient of the angle in x0, x1 and c: so many unit normals
} Wing;

static bool InitWing(Wing* w, qvVec3 e, double length, qvVec3 d, double sign)
{
    qvVec3 n = qvScale(sign, qvCross(e, d)), other = qvSub(d, e);
    double longest = Larger(length * length, Larger(qvDot(d, d), qvDot(other, other))), size = qvLength(n);
    if (!(size > DEGENERATE * longest))
        return false;
    w->d = d;
    w->inverse = 1.0 / size;
    w->unit = qvScale(w->inverse, n);
    w->along = qvDot(d, e) / length;
    w->slope[0] = (length - w->along) * w->inverse;
    w->slope[1] = w->along * w->inverse;
    w->slope[2] = -length * w->inverse;
    return true;
}

// block += p u^T + u q^T
static void AddPair(qvBlock* block, qvVec3 p, qvVec3 u, qvVec3 q)
{
    double px[3] = { p.x, p.y, p.z }, ux[3] = { u.x, u.y, u.z }, qx[3] = { q.x, q.y, q.z };
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            block->m[i][j] += px[i] * ux[j] + ux[i] * qx[j];
    }
}

// A wing's share of the blocks of second * Hessian of the angle + first * gradient gradient^T. When x moves, n changes
// by a x dx with a in the triangle's plane, and n / |n|^2 by -(b u^T + u b^T) dx / |n|^2 with the unit normal u, b = u
// x a. So every block is p u^T + u q^T. The angle does not change when everything moves: rows and columns of blocks add
// up to zero, which gives those of x0.
static void AddWing(const Wing* w, qvVec3 e, double length, double sign, double first, double second,
                    const qvVec3 gradient[2], const int index[6], qvBlock* blocks)
{
    double scale = second * w->inverse, square = scale * w->inverse;
    qvVec3 u = w->unit, alongEdge = qvScale(scale / length, e), zero = { 0.0, 0.0, 0.0 };
    qvVec3 byCorner = qvScale(sign * square, qvCross(u, e)), byEdge = qvScale(-sign * square, qvCross(u, w->d));
    qvVec3 turn = qvScale(scale / length, qvMulAdd(w->d, -w->along / length, e)); // gradient of `along` in x1, over |n|
    qvVec3 pcc = qvScale(length, byCorner), pc1 = qvScale(length, byEdge), qc1 = qvSub(pc1, alongEdge);
    qvVec3 p11 = qvScale(-w->along, byEdge), q11 = qvAdd(p11, turn);
    qvVec3 pc0 = qvSub(zero, qvAdd(pc1, pcc)), qc0 = qvSub(zero, qvAdd(qc1, pcc));
    qvVec3 p10 = qvSub(zero, qvAdd(p11, qc1)), q10 = qvSub(zero, qvAdd(q11, pc1));
    qvVec3 p00 = qvSub(zero, qvAdd(p10, pc0)), q00 = qvSub(zero, qvAdd(q10, qc0));
    const double* slope = w->slope;
    AddPair(&blocks[index[0]], p00, u, qvMulAdd(q00, first * slope[0], gradient[0]));
    AddPair(&blocks[index[1]], p11, u, qvMulAdd(q11, first * slope[1], gradient[1]));
    AddPair(&blocks[index[2]], pcc, u, qvMulAdd(pcc, first * slope[2] * slope[2], u));
    AddPair(&blocks[index[3]], p10, u, qvMulAdd(q10, first * slope[1], gradient[0]));
    AddPair(&blocks[index[4]], pc0, u, qvMulAdd(qc0, first * slope[2], gradient[0]));
    AddPair(&blocks[index[5]], pc1, u, qvMulAdd(qc1, first * slope[2], gradient[1]));
}

// The two wings of a hinge and the gradient of its angle.
typedef struct Hinge
{
    qvVec3 e;
    double length;
    Wing a, b;
    double angle;
    qvVec3 gradient[4];
} Hinge;

static bool InitHinge(Hinge* h, const qvVec3 x[4])
{
    h->e = qvSub(x[1], x[0]);
    h->length = qvLength(h->e);
    if (!InitWing(&h->a, h->e, h->length, qvSub(x[2], x[0]), 1.0) ||
        !InitWing(&h->b, h->e, h->length, qvSub(x[3], x[0]), -1.0))
        return false;
    qvVec3 u = h->a.unit, v = h->b.unit;
    h->angle = atan2(qvDot(qvCross(u, v), h->e) / h->length, qvDot(u, v));
    h->gradient[0] = qvMulAdd(qvScale(h->a.slope[0], u), h->b.slope[0], v);
    h->gradient[1] = qvMulAdd(qvScale(h->a.slope[1], u), h->b.slope[1], v);
    h->gradient[2] = qvScale(h->a.slope[2], u);
    h->gradient[3] = qvScale(h->b.slope[2], v);
    return true;
}

// first * gradient gradient^T + second * Hessian of the angle
static void FillHinge(const Hinge* h, double first, double second, qvBlock* blocks)
{
    static const int indexA[6] = { H00, H11, H22, H10, H20, H21 }, indexB[6] = { H00, H11, H33, H10, H30, H31 };
    Clear(blocks, qv_hingeBlocks);
    AddWing(&h->a, h->e, h->length, 1.0, first, second, h->gradient, indexA, blocks);
    AddWing(&h->b, h->e, h->length, -1.0, first, second, h->gradient, indexB, blocks);
    blocks[H32] = Outer(first, h->gradient[3], h->gradient[2]);
}

static void ClearHinge(qvVec3* gradient, qvBlock* blocks)
{
    for (int i = 0; gradient != NULL && i < 4; i++)
        gradient[i] = qvMakeVec3(0.0, 0.0, 0.0);
    if (blocks != NULL)
        Clear(blocks, qv_hingeBlocks);
}

bool qvHingeAngle(const qvVec3 x[4], double* angle, qvVec3* gradient, qvBlock* blocks)
{
    Hinge h;
    if (!InitHinge(&h, x))
    {
        *angle = 0.0;
        ClearHinge(gradient, blocks);
        return false;
    }
    *angle = h.angle;
    for (int i = 0; gradient != NULL && i < 4; i++)
        gradient[i] = h.gradient[i];
    if (blocks != NULL)
        FillHinge(&h, 0.0, 1.0, blocks);
    return true;
}

double qvHingeCoefficient(const qvVec3 x[4])
{
    qvVec3 e = qvSub(x[1], x[0]);
    double areas = 0.5 * (qvLength(qvCross(e, qvSub(x[2], x[0]))) + qvLength(qvCross(e, qvSub(x[3], x[0]))));
    return 3.0 * qvDot(e, e) / areas;
}

// The same angle in (-QV_PI, QV_PI], for sums of two such
static double ShortWay(double angle)
{
    return angle > QV_PI ? angle - 2.0 * QV_PI : angle < -QV_PI ? angle + 2.0 * QV_PI : angle;
}

double qvHingeTerm(const qvVec3 x[4], double rest, double k, qvVec3* gradient, qvBlock* blocks)
{
    Hinge h;
    if (!InitHinge(&h, x))
    {
        ClearHinge(gradient, blocks);
        return 0.0;
    }
    double miss = ShortWay(h.angle - rest), twice = 2.0 * k * miss;
    for (int i = 0; gradient != NULL && i < 4; i++)
        gradient[i] = qvScale(twice, h.gradient[i]);
    if (blocks != NULL)
        FillHinge(&h, 2.0 * k, twice, blocks);
    return k * miss * miss;
}

void qvHingeAtRest(const qvVec3 x[4], double k, qvBlock* blocks)
{
    Hinge h;
    if (!InitHinge(&h, x))
    {
        ClearHinge(NULL, blocks);
        return;
    }
    for (int p = 0; p < qv_hingeBlocks; p++)
        blocks[p] = Outer(2.0 * k, h.gradient[hingePairs[p][0]], h.gradient[hingePairs[p][1]]);
}
