// SPDX-License-Identifier: GPL-3.0-or-later
// Affine maps x -> linear x + offset.
#pragma once

#include "math/quat.h"
#include "quaver/math.h"

#include <stdbool.h>

static inline qvAffine qvAffine_Identity(void)
{
    return (qvAffine){ .linear = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
}

/// The linear part applied to v.
static inline qvVec3 qvAffine_Vector(const qvAffine* a, qvVec3 v)
{
    return qvMakeVec3(a->linear[0][0] * v.x + a->linear[0][1] * v.y + a->linear[0][2] * v.z,
                      a->linear[1][0] * v.x + a->linear[1][1] * v.y + a->linear[1][2] * v.z,
                      a->linear[2][0] * v.x + a->linear[2][1] * v.y + a->linear[2][2] * v.z);
}

/// The transpose of the linear part applied to v.
static inline qvVec3 qvAffine_TransposedVector(const qvAffine* a, qvVec3 v)
{
    return qvMakeVec3(a->linear[0][0] * v.x + a->linear[1][0] * v.y + a->linear[2][0] * v.z,
                      a->linear[0][1] * v.x + a->linear[1][1] * v.y + a->linear[2][1] * v.z,
                      a->linear[0][2] * v.x + a->linear[1][2] * v.y + a->linear[2][2] * v.z);
}

static inline qvVec3 qvAffine_Point(const qvAffine* a, qvVec3 p)
{
    return qvAdd(qvAffine_Vector(a, p), a->offset);
}

/// x -> a(b(x))
static inline qvAffine qvAffine_Multiply(const qvAffine* a, const qvAffine* b)
{
    qvAffine c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.linear[i][j] = a->linear[i][0] * b->linear[0][j] + a->linear[i][1] * b->linear[1][j] +
                             a->linear[i][2] * b->linear[2][j];
    c.offset = qvAffine_Point(a, b->offset);
    return c;
}

/// The matrix of cofactors: it takes normals where the linear part takes surfaces, up to their length, also when the
/// linear part is singular. The offset is zero.
static inline qvAffine qvAffine_Cofactors(const qvAffine* a)
{
    qvAffine c = { .offset = { 0.0, 0.0, 0.0 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c.linear[i][j] = a->linear[i1][j1] * a->linear[i2][j2] - a->linear[i1][j2] * a->linear[i2][j1];
        }
    return c;
}

/// Negative for a map that mirrors.
static inline double qvAffine_Determinant(const qvAffine* a)
{
    qvAffine c = qvAffine_Cofactors(a);
    return a->linear[0][0] * c.linear[0][0] + a->linear[0][1] * c.linear[0][1] + a->linear[0][2] * c.linear[0][2];
}

/// False for a singular map, or one whose inverse is not finite.
static inline bool qvAffine_Invert(const qvAffine* a, qvAffine* inverse)
{
    qvAffine c = qvAffine_Cofactors(a);
    double scale = 1.0 / qvAffine_Determinant(a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            inverse->linear[i][j] = scale * c.linear[j][i];
            if (!isfinite(inverse->linear[i][j]))
                return false;
        }
    inverse->offset = qvScale(-1.0, qvAffine_Vector(inverse, a->offset));
    return true;
}

/// Scales, then rotates by a unit quaternion, then moves.
static inline qvAffine qvAffine_FromParts(qvVec3 translation, qvQuat r, qvVec3 scale)
{
    qvAffine a = { .linear = { { 1.0 - 2.0 * (r.y * r.y + r.z * r.z), 2.0 * (r.x * r.y - r.z * r.w),
                                 2.0 * (r.x * r.z + r.y * r.w) },
                               { 2.0 * (r.x * r.y + r.z * r.w), 1.0 - 2.0 * (r.x * r.x + r.z * r.z),
                                 2.0 * (r.y * r.z - r.x * r.w) },
                               { 2.0 * (r.x * r.z - r.y * r.w), 2.0 * (r.y * r.z + r.x * r.w),
                                 1.0 - 2.0 * (r.x * r.x + r.y * r.y) } },
                   .offset = translation };
    for (int i = 0; i < 3; i++)
    {
        a.linear[i][0] *= scale.x;
        a.linear[i][1] *= scale.y;
        a.linear[i][2] *= scale.z;
    }
    return a;
}
