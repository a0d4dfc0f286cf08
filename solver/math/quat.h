// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations as quaternions.
#pragma once

#include "quaver/math.h"

static inline qvQuat qvQuat_Identity(void)
{
    return (qvQuat){ 0.0, 0.0, 0.0, 1.0 };
}

static inline double qvQuat_Dot(qvQuat a, qvQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// The unit quaternion along q, or the identity for a zero quaternion.
static inline qvQuat qvQuat_Normalize(qvQuat q)
{
    double length = sqrt(qvQuat_Dot(q, q));
    if (!(length > 0.0))
        return qvQuat_Identity();
    return (qvQuat){ q.x / length, q.y / length, q.z / length, q.w / length };
}

/// a (1 - t) + b t at constant angular speed along the shorter arc; a and b have unit length, t is in [0, 1].
static inline qvQuat qvQuat_Slerp(qvQuat a, qvQuat b, double t)
{
    double cosine = qvQuat_Dot(a, b);
    double sign = cosine < 0.0 ? -1.0 : 1.0;
    cosine *= sign;
    double u = 1.0 - t, v = t;
    if (cosine < 0.9999995) // closer, the chord is as good as the arc and sin(angle) too small to divide by
    {
        double angle = acos(cosine), sine = sin(angle);
        u = sin(u * angle) / sine;
        v = sin(v * angle) / sine;
    }
    v *= sign;
    return qvQuat_Normalize((qvQuat){ u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z, u * a.w + v * b.w });
}
