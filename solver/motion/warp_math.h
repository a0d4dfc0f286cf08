// SPDX-License-Identifier: GPL-3.0-or-later
// 3x3 matrices by rows in plain arrays, and values with two derivatives ("jets": index 0 the value, 1 and 2 the
// derivatives in time).
#pragma once

#include "math/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/// out = a b
static inline void qvWarp_Multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
}

/// out += factor a x
static inline void qvWarp_AddApplied(double factor, const double a[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] += factor * (a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2]);
}

/// out = a^T x
static inline void qvWarp_ApplyTransposed(const double a[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * x[0] + a[3 + i] * x[1] + a[6 + i] * x[2];
}

/// out = a [v]x
static inline void qvWarp_MultiplySkew(const double a[9], const double v[3], double out[9])
{
    const double skew[9] = { 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0 };
    qvWarp_Multiply(a, skew, out);
}

/// The inverse of a; false when it nearly has none.
static inline bool qvWarp_Invert(const double a[9], double out[9])
{
    const double c[9] = { a[4] * a[8] - a[5] * a[7], a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                          a[5] * a[6] - a[3] * a[8], a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                          a[3] * a[7] - a[4] * a[6], a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3] };
    double determinant = a[0] * c[0] + a[1] * c[3] + a[2] * c[6], size = 0.0;
    for (int i = 0; i < 9; i++)
        size += a[i] * a[i];
    if (!(fabs(determinant) > 1e-4 * size * sqrt(size)))
        return false;
    for (int i = 0; i < 9; i++)
        out[i] = c[i] / determinant;
    return true;
}

static inline void qvWarp_Matrix(qvQuat q, double m[9])
{
    const qvVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int c = 0; c < 3; c++)
    {
        qvVec3 column = qvQuat_Rotate(q, axes[c]);
        m[c] = column.x, m[3 + c] = column.y, m[6 + c] = column.z;
    }
}

static inline qvVec3 qvWarp_Vector(const double x[3])
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

/// exp(w) with `order` derivatives.
static inline void qvWarp_Exp(int order, const double w[3][3], double out[3][9])
{
    qvVec3 r = qvWarp_Vector(w[0]);
    qvWarp_Matrix(qvQuat_Exp(r), out[0]);
    if (order < 1)
        return;
    qvVec3 spin = qvRotation_Velocity(r, qvWarp_Vector(w[1]));
    const double s[3] = { spin.x, spin.y, spin.z };
    qvWarp_MultiplySkew(out[0], s, out[1]);
    if (order < 2)
        return;
    qvVec3 rate = qvAdd(qvRotation_Velocity(r, qvWarp_Vector(w[2])), qvRotation_Bend(r, qvWarp_Vector(w[1])));
    const double a[3] = { rate.x, rate.y, rate.z };
    double bent[9];
    qvWarp_MultiplySkew(out[0], a, out[2]);
    qvWarp_MultiplySkew(out[1], s, bent);
    for (int i = 0; i < 9; i++)
        out[2][i] += bent[i];
}

/// a b with `order` derivatives.
static inline void qvWarp_Product(int order, const double a[3][9], const double b[3][9], double out[3][9])
{
    double part[9];
    qvWarp_Multiply(a[0], b[0], out[0]);
    for (int k = 1; k <= order; k++)
    {
        memset(out[k], 0, sizeof(out[k]));
        for (int j = 0; j <= k; j++)
        {
            qvWarp_Multiply(a[j], b[k - j], part);
            for (int i = 0; i < 9; i++)
                out[k][i] += (k == 2 && j == 1 ? 2.0 : 1.0) * part[i];
        }
    }
}
