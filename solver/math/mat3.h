// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on 3x3 matrices.
#pragma once

#include "quaver/mat3.h"

static inline qvMat3 qvMat3_Diagonal(double x, double y, double z)
{
    return (qvMat3){ { { x, 0.0, 0.0 }, { 0.0, y, 0.0 }, { 0.0, 0.0, z } } };
}

/// [v]x: the matrix with [v]x r = v x r.
static inline qvMat3 qvMat3_Skew(qvVec3 v)
{
    return (qvMat3){ { { 0.0, -v.z, v.y }, { v.z, 0.0, -v.x }, { -v.y, v.x, 0.0 } } };
}

/// a b^T
static inline qvMat3 qvMat3_Outer(qvVec3 a, qvVec3 b)
{
    return (qvMat3){ { { a.x * b.x, a.x * b.y, a.x * b.z },
                       { a.y * b.x, a.y * b.y, a.y * b.z },
                       { a.z * b.x, a.z * b.y, a.z * b.z } } };
}

static inline qvVec3 qvMat3_Apply(const qvMat3* a, qvVec3 v)
{
    return qvMakeVec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

static inline qvMat3 qvMat3_Transpose(const qvMat3* a)
{
    qvMat3 t;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            t.m[i][j] = a->m[j][i];
    }
    return t;
}

/// a + s b
static inline qvMat3 qvMat3_MulAdd(const qvMat3* a, double s, const qvMat3* b)
{
    qvMat3 c;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][j] + s * b->m[i][j];
    }
    return c;
}

static inline qvMat3 qvMat3_Scaled(double s, const qvMat3* a)
{
    qvMat3 c = { { { 0.0 } } };
    return qvMat3_MulAdd(&c, s, a);
}

static inline qvMat3 qvMat3_Product(const qvMat3* a, const qvMat3* b)
{
    qvMat3 c;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    }
    return c;
}

static inline double qvMat3_Trace(const qvMat3* a)
{
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

static inline double qvMat3_Determinant(const qvMat3* a)
{
    const double(*m)[3] = a->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Square root of the sum of squares.
static inline double qvMat3_Norm(const qvMat3* a)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += a->m[i / 3][i % 3] * a->m[i / 3][i % 3];
    return sqrt(sum);
}

static inline double qvMat3_Dot(const qvMat3* a, const qvMat3* b)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += a->m[i / 3][i % 3] * b->m[i / 3][i % 3];
    return sum;
}

/// The matrix of cofactors: det(a) a^-T, also where a is singular. Its rows are cross products of the rows of a.
static inline qvMat3 qvMat3_Cofactors(const qvMat3* a)
{
    qvMat3 c;
    for (int i = 0; i < 3; i++)
    {
        const double *p = a->m[(i + 1) % 3], *q = a->m[(i + 2) % 3];
        for (int j = 0; j < 3; j++)
            c.m[i][j] = p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3];
    }
    return c;
}

/// Not finite where a is singular.
static inline qvMat3 qvMat3_Inverse(const qvMat3* a)
{
    qvMat3 cofactors = qvMat3_Cofactors(a), adjugate = qvMat3_Transpose(&cofactors);
    return qvMat3_Scaled(1.0 / qvMat3_Determinant(a), &adjugate);
}

/// a b a^T
static inline qvMat3 qvMat3_Congruence(const qvMat3* a, const qvMat3* b)
{
    qvMat3 ab = qvMat3_Product(a, b), t = qvMat3_Transpose(a);
    return qvMat3_Product(&ab, &t);
}

/// (a + a^T) / 2
static inline qvMat3 qvMat3_Symmetrized(const qvMat3* a)
{
    qvMat3 s;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            s.m[i][j] = 0.5 * (a->m[i][j] + a->m[j][i]);
    }
    return s;
}
