// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations by their rotation vector (axis times angle), and how its rate relates to the angular velocity.
// J. Sola, J. Deray, D. Atchuthan, "A micro Lie theory for state estimation in robotics", 2018: the right Jacobian
// (143), its inverse (144). Angular velocities are in the body's own axes: q' = q (0, omega) / 2.
#pragma once

#include "math/quat.h"

static inline qvQuat qvQuat_Multiply(qvQuat a, qvQuat b)
{
    return (qvQuat){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline qvQuat qvQuat_Conjugate(qvQuat q)
{
    return (qvQuat){ -q.x, -q.y, -q.z, q.w };
}

static inline qvVec3 qvQuat_Rotate(qvQuat q, qvVec3 v)
{
    qvVec3 axis = qvMakeVec3(q.x, q.y, q.z);
    qvVec3 t = qvScale(2.0, qvCross(axis, v));
    return qvAdd(qvMulAdd(v, q.w, t), qvCross(axis, t));
}

/// The rotation by |r| radians about r.
static inline qvQuat qvQuat_Exp(qvVec3 r)
{
    double half = 0.5 * qvLength(r);
    double factor = half > 1e-8 ? 0.5 * sin(half) / half : 0.5;
    return (qvQuat){ factor * r.x, factor * r.y, factor * r.z, cos(half) };
}

/// Of a rotation matrix; S. W. Shepperd, "Quaternion from rotation matrix", 1978.
static inline qvQuat qvQuat_FromMatrix(const double m[3][3])
{
    double trace = m[0][0] + m[1][1] + m[2][2];
    int i = m[1][1] > m[0][0] ? 1 : 0;
    i = m[2][2] > m[i][i] ? 2 : i;
    double q[4];
    if (trace > m[i][i])
    {
        q[3] = 1.0 + trace;
        q[0] = m[2][1] - m[1][2];
        q[1] = m[0][2] - m[2][0];
        q[2] = m[1][0] - m[0][1];
    }
    else
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    return qvQuat_Normalize((qvQuat){ q[0], q[1], q[2], q[3] });
}

/// The shortest rotation vector of a unit quaternion, at most pi long.
static inline qvVec3 qvQuat_Log(qvQuat q)
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    qvVec3 v = qvMakeVec3(sign * q.x, sign * q.y, sign * q.z);
    double sine = qvLength(v);
    double factor = sine > 1e-8 ? 2.0 * atan2(sine, sign * q.w) / sine : 2.0;
    return qvScale(factor, v);
}

/// a x + b r x x + c r x (r x x)
static inline qvVec3 qvRotation_Polynomial(qvVec3 r, double a, double b, double c, qvVec3 x)
{
    qvVec3 once = qvCross(r, x);
    return qvMulAdd(qvMulAdd(qvScale(a, x), b, once), c, qvCross(r, once));
}

/// (1 - cos t) / t^2 and (t - sin t) / t^3, and their derivatives divided by t.
static inline void qvRotation_Coefficients(double angle, double value[2], double slope[2])
{
    double t2 = angle * angle;
    if (angle < 0.02)
    {
        value[0] = 0.5 - t2 / 24.0 + t2 * t2 / 720.0;
        value[1] = 1.0 / 6.0 - t2 / 120.0 + t2 * t2 / 5040.0;
        slope[0] = -1.0 / 12.0 + t2 / 180.0;
        slope[1] = -1.0 / 60.0 + t2 / 1260.0;
        return;
    }
    double sine = sin(angle), half = sin(0.5 * angle), versine = 2.0 * half * half;
    value[0] = versine / t2;
    value[1] = (angle - sine) / (t2 * angle);
    slope[0] = (angle * sine - 2.0 * versine) / (t2 * t2);
    slope[1] = (sine - angle * cos(angle) - 2.0 * (angle - sine)) / (t2 * t2 * angle);
}

/// Angular velocity of exp(r) when r changes at the given rate.
static inline qvVec3 qvRotation_Velocity(qvVec3 r, qvVec3 rate)
{
    double value[2], slope[2];
    qvRotation_Coefficients(qvLength(r), value, slope);
    return qvRotation_Polynomial(r, 1.0, -value[0], value[1], rate);
}

/// The rate of r that gives an angular velocity; |r| < 2 pi.
static inline qvVec3 qvRotation_Rate(qvVec3 r, qvVec3 velocity)
{
    double angle = qvLength(r), half = 0.5 * angle;
    double c = angle < 0.02 ? 1.0 / 12.0 + angle * angle / 720.0 : (1.0 - half / tan(half)) / (angle * angle);
    return qvRotation_Polynomial(r, 1.0, 0.5, c, velocity);
}

/// What the angular acceleration has beyond the Jacobian times the second derivative of r.
static inline qvVec3 qvRotation_Bend(qvVec3 r, qvVec3 rate)
{
    double value[2], slope[2];
    qvRotation_Coefficients(qvLength(r), value, slope);
    double along = qvDot(r, rate);
    qvVec3 once = qvCross(r, rate);
    qvVec3 sum = qvScale(-slope[0] * along, once);
    sum = qvMulAdd(sum, slope[1] * along, qvCross(r, once));
    return qvMulAdd(sum, value[1], qvCross(rate, once));
}
