// SPDX-License-Identifier: GPL-3.0-or-later
// Reference implementations of dynamic Kelvinlets that share nothing with the product's code: the stable form before it
// was made dimensionless for vectors (k, P, x, m, N as in solver/kelvinlet/formulas.md 5, one radius as the unit), in
// long double and summed over the scales with their weights; and the closed forms of the paper in any precision.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct ReferenceLoad
{
    bool push;
    long double mu, nu, t;
    int scaleCount;
    long double eps[3];
    long double f[3], F[3][3];
} ReferenceLoad;

/// U, S, V, DS of one speed and one radius, in real units.
static inline void ReferenceImpulse(long double r, long double g, long double t, long double eps, long double out[4])
{
    const long double pi = 3.14159265358979323846264338327950288L;
    long double a = g * t / eps, A2 = a * a, q = r / eps * r / eps;
    long double k = q + 1 - A2, P = sqrtl(k * k + 4 * A2);
    long double x = k >= 0 ? (P + k) / 2 : A2 / ((P - k) / 2);
    long double m2 = A2 + x, m = sqrtl(m2), N = 2 * (q + A2 + 1);
    long double nU = x * x * (2 * x + 3) + A2 * (6 * x - 1), nS = N * N + P * (N - P);
    long double P3 = P * P * P, P5 = P3 * P * P, P7 = P5 * P * P, e3 = eps * eps * eps, e5 = e3 * eps * eps;
    out[0] = t / (8 * pi * e3) * nU / (P3 * m * m2);
    out[1] = t / (8 * pi * e3) * 3 * nS / (P5 * m);
    out[2] =
        t / (8 * pi * e5) * 3 * (4 * P * m2 * x * (x * x + x + A2) - nU * (2 * k * m2 + x * P)) / (P5 * m * m2 * m2);
    out[3] = t / (8 * pi * e5) * 3 *
             (m2 * P * (8 * N * (P - k) + 4 * P * P + 6 * P * k) - 10 * N * N * k * m2 - P * x * nS) / (P7 * m * m2);
}

static inline void ReferencePush(long double r, long double g, long double t, long double eps, long double out[4])
{
    const long double pi = 3.14159265358979323846264338327950288L;
    long double a = g * t / eps, A2 = a * a, q = r / eps * r / eps;
    long double k = q + 1 - A2, P = sqrtl(k * k + 4 * A2);
    long double x = k >= 0 ? (P + k) / 2 : A2 / ((P - k) / 2);
    long double m2 = A2 + x, m = sqrtl(m2), R = 1 / sqrtl(q + 1), R3 = R * R * R;
    long double P2 = P * P, P3 = P2 * P, P5 = P3 * P2, m4 = m2 * m2;
    long double near = 1 / (8 * pi * eps * g * g), far = near / (eps * eps);
    out[0] = near * (R - x * x / (P * m * m2));
    out[1] = near * (R * (2 + R * R) - (2 * x + (2 * m2 * k - x * P) / P2) / (P * m));
    out[2] = far * (x * x * (3 * P * x - 2 * m2 * (2 * P - k)) / (P3 * m * m4) - R3);
    out[3] = far * ((2 * P3 * x * (x - 2 * m2) + P2 * (4 * k * m2 * x - 4 * m4 + 2 * m2 * x - x * x) -
                     6 * P * k * m2 * x + 12 * k * k * m4) /
                        (P5 * m * m2) -
                    R3 * (2 + 3 * R * R));
}

static inline void ReferenceWeights(int scaleCount, const long double eps[3], long double weights[3])
{
    weights[0] = 1;
    weights[1] = -1;
    if (scaleCount == 3)
    {
        long double last = eps[2] * eps[2] - eps[1] * eps[1];
        weights[1] = -(eps[2] * eps[2] - eps[0] * eps[0]) / last;
        weights[2] = (eps[1] * eps[1] - eps[0] * eps[0]) / last;
    }
}

/// Displacement at offset r from the centre.
static inline void ReferenceDisplacement(const ReferenceLoad* load, const long double r[3], long double u[3])
{
    long double beta = sqrtl(load->mu), q = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], weights[3];
    long double alpha = load->nu < 0.5L ? beta * sqrtl(1 + 1 / (1 - 2 * load->nu)) : 0;
    ReferenceWeights(load->scaleCount, load->eps, weights);
    long double al[4] = { 0 }, be[4] = { 0 };
    for (int i = 0; i < load->scaleCount; i++)
    {
        long double a[4] = { 0 }, b[4];
        void (*radial)(long double, long double, long double, long double, long double*) =
            load->push ? ReferencePush : ReferenceImpulse;
        if (alpha > 0)
            radial(sqrtl(q), alpha, load->t, load->eps[i], a);
        radial(sqrtl(q), beta, load->t, load->eps[i], b);
        for (int k = 0; k < 4; k++)
        {
            al[k] += weights[i] * a[k];
            be[k] += weights[i] * b[k];
        }
    }
    long double A = al[0] - be[0] + be[1], B = al[2] - be[2];
    long double square = q > 0 ? ((al[3] - be[3]) - 5 * B) / q : 0;
    long double rf = 0, rFr = 0, trace = load->F[0][0] + load->F[1][1] + load->F[2][2];
    for (int i = 0; i < 3; i++)
    {
        rf += r[i] * load->f[i];
        for (int j = 0; j < 3; j++)
            rFr += r[i] * load->F[i][j] * r[j];
    }
    for (int i = 0; i < 3; i++)
    {
        u[i] = A * load->f[i] + B * rf * r[i] + B * trace * r[i] + square * rFr * r[i];
        for (int j = 0; j < 3; j++)
            u[i] += (be[3] * load->F[i][j] + B * (load->F[i][j] + load->F[j][i])) * r[j];
    }
}

// The paper's closed forms for a vector load, as one would type them in. Real is float, double or long double.
#define DEFINE_PAPER_FORMS(Real, Name, Sqrt)                                                                      \
    static inline Real Name##W(Real r, Real s, Real eps)                                                          \
    {                                                                                                             \
        Real se = Sqrt(s * s + eps * eps);                                                                        \
        return (2 * s * s + eps * eps - 3 * r * s) / se + r * s * s * s / (se * se * se);                         \
    }                                                                                                             \
    static inline Real Name##DW(Real r, Real s, Real eps)                                                         \
    {                                                                                                             \
        Real se2 = s * s + eps * eps, se = Sqrt(se2);                                                             \
        return -3 * eps * eps * eps * eps * r / (se2 * se2 * se);                                                 \
    }                                                                                                             \
    static inline void Name##Radial(bool push, Real r, Real g, Real t, Real eps, Real* U, Real* dU)               \
    {                                                                                                             \
        const Real pi = (Real)3.14159265358979323846264338327950288L;                                             \
        Real s = r + g * t, w = r - g * t, X, dX, scale;                                                          \
        if (!push)                                                                                                \
        {                                                                                                         \
            X = Name##W(r, s, eps) - Name##W(r, w, eps);                                                          \
            dX = Name##DW(r, s, eps) - Name##DW(r, w, eps);                                                       \
            scale = 1 / (16 * pi * g * r * r * r);                                                                \
        }                                                                                                         \
        else                                                                                                      \
        {                                                                                                         \
            Real re = Sqrt(r * r + eps * eps), se = Sqrt(s * s + eps * eps), we = Sqrt(w * w + eps * eps);        \
            X = 2 * r * r * r / re - s * w * (s / se + w / we) + eps * eps * (s - r) * (1 / se - 1 / we);         \
            dX = 2 * r * r * (3 / re - r * r / (re * re * re)) - 2 * r * (s / se + w / we) -                      \
                 eps * eps * r * (s / (se * se * se) + w / (we * we * we));                                       \
            scale = 1 / (16 * pi * g * g * r * r * r);                                                            \
        }                                                                                                         \
        *U = scale * X;                                                                                           \
        *dU = scale * (dX - 3 * X / r);                                                                           \
    }                                                                                                             \
    static inline void Name(bool push, Real alpha, Real beta, Real t, Real eps, const Real f[3], const Real r[3], \
                            Real u[3])                                                                            \
    {                                                                                                             \
        Real length = Sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), Ua, dUa, Ub, dUb;                            \
        Name##Radial(push, length, alpha, t, eps, &Ua, &dUa);                                                     \
        Name##Radial(push, length, beta, t, eps, &Ub, &dUb);                                                      \
        Real A = Ua + 2 * Ub + length * dUb, B = (dUa - dUb) / length;                                            \
        Real along = B * (r[0] * f[0] + r[1] * f[1] + r[2] * f[2]);                                               \
        for (int i = 0; i < 3; i++)                                                                               \
            u[i] = A * f[i] + along * r[i];                                                                       \
    }
