// SPDX-License-Identifier: GPL-3.0-or-later
// Reference implementations of Kelvinlets that share nothing with the product's code: the stable form before it was
// made dimensionless for vectors (k, P, x, m, N as in solver/kelvinlet/formulas.md 5, one radius as the unit), summed
// over the scales with their weights, in long double and in quad (113 bits); and the papers' closed forms in any
// precision.
#pragma once

#include "quaver/kelvinlet.h"

#include <math.h>
#include <stdbool.h>

// pi to 36 digits: the long double next to it, and what that lacks.
#define QUAD_PI_HIGH 3.14159265358979323846264338327950288L
#define QUAD_PI_LOW  -5.01655761266833202355732708e-20L

/// Inputs are doubles at heart, so that long double holds them exactly.
typedef struct ReferenceLoad
{
    qvKelvinletTime time; ///< static, impulse or push
    long double mu, nu, t;
    int scaleCount;
    long double eps[3];
    long double f[3], F[3][3];
} ReferenceLoad;

static inline ReferenceLoad MakeReferenceLoad(const qvKelvinlet* load, double age)
{
    ReferenceLoad reference = {
        .time = load->time, .mu = load->stiffness, .nu = load->poisson, .t = age, .scaleCount = load->scaleCount
    };
    const double force[3] = { load->force.x, load->force.y, load->force.z };
    for (int i = 0; i < 3; i++)
    {
        reference.eps[i] = load->radii[i];
        reference.f[i] = force[i];
        for (int j = 0; j < 3; j++)
            reference.F[i][j] = load->affine.m[i][j];
    }
    return reference;
}

#define REAL            long double
#define SQRT            sqrtl
#define REFERENCE(name) Reference##name
#include "kelvinlet_reference.inl"

#ifdef __SIZEOF_FLOAT128__
#define QUAD_REFERENCE 1
__extension__ typedef __float128 quad;

/// Square root to 113 bits: two Newton steps from the long double one.
static inline quad QuadSqrt(quad a)
{
    if (!(a > 0))
        return 0;
    quad root = sqrtl((long double)a);
    root = (root + a / root) / 2;
    return (root + a / root) / 2;
}

#define REAL            quad
#define SQRT            QuadSqrt
#define REFERENCE(name) Quad##name
#include "kelvinlet_reference.inl"
#endif

/// Displacement to more digits than any kernel has. Of static compounds of several radii a weighted sum in long double
/// keeps too few, but those need no sweep over time, so that quad is fast enough.
static inline void BestDisplacement(const ReferenceLoad* load, const long double r[3], long double u[3])
{
#ifdef QUAD_REFERENCE
    if (load->time == qv_kelvinletStatic)
    {
        quad at[3] = { r[0], r[1], r[2] }, exact[3];
        QuadDisplacement(load, at, exact);
        for (int i = 0; i < 3; i++)
            u[i] = (long double)exact[i];
        return;
    }
#endif
    ReferenceDisplacement(load, r, u);
}
