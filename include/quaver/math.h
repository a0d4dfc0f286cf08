// SPDX-License-Identifier: GPL-3.0-or-later
/// Small vectors, quaternions and matrices. Doubles for solving, floats (…f) for meshes and the GPU.
#pragma once

#include <math.h>

#define QV_PI     3.14159265358979323846
#define QV_TWO_PI 6.28318530717958647692

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvVec2f
{
    float x, y;
} qvVec2f;

typedef struct qvVec3f
{
    float x, y, z;
} qvVec3f;

typedef struct qvColor
{
    float r, g, b, a;
} qvColor;

typedef struct qvVec3
{
    double x, y, z;
} qvVec3;

/// x, y, z is the vector part, w the scalar part.
typedef struct qvQuat
{
    double x, y, z, w;
} qvQuat;

/// Affine map x -> linear x + offset; linear is stored by rows: linear[row][column].
typedef struct qvAffine
{
    double linear[3][3];
    qvVec3 offset;
} qvAffine;

typedef struct qvBox
{
    qvVec3f lower, upper; ///< lower > upper in every axis when empty
} qvBox;

static inline qvVec3 qvMakeVec3(double x, double y, double z)
{
    qvVec3 v = { x, y, z };
    return v;
}

static inline qvVec3 qvVec3_FromFloat(qvVec3f v)
{
    return qvMakeVec3(v.x, v.y, v.z);
}

static inline qvVec3f qvVec3_ToFloat(qvVec3 v)
{
    qvVec3f f = { (float)v.x, (float)v.y, (float)v.z };
    return f;
}

static inline qvVec3 qvAdd(qvVec3 a, qvVec3 b)
{
    return qvMakeVec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline qvVec3 qvSub(qvVec3 a, qvVec3 b)
{
    return qvMakeVec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline qvVec3 qvScale(double s, qvVec3 v)
{
    return qvMakeVec3(s * v.x, s * v.y, s * v.z);
}

/// a + s b
static inline qvVec3 qvMulAdd(qvVec3 a, double s, qvVec3 b)
{
    return qvMakeVec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double qvDot(qvVec3 a, qvVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline qvVec3 qvCross(qvVec3 a, qvVec3 b)
{
    return qvMakeVec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double qvLength(qvVec3 v)
{
    return sqrt(qvDot(v, v));
}

static inline double qvDistance(qvVec3 a, qvVec3 b)
{
    return qvLength(qvSub(a, b));
}

/// The unit vector along v, or zero for a zero vector.
static inline qvVec3 qvNormalize(qvVec3 v)
{
    double length = qvLength(v);
    return length > 0.0 ? qvScale(1.0 / length, v) : qvMakeVec3(0.0, 0.0, 0.0);
}

#ifdef __cplusplus
}
#endif
