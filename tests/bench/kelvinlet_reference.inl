// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of kelvinlet_reference.h in one precision: REAL, SQRT and REFERENCE(name) are defined before including.

/// U, S, V, DS of one speed and one radius, in real units.
static inline void REFERENCE(Impulse)(REAL r, REAL g, REAL t, REAL eps, REAL out[4])
{
    const REAL pi = (REAL)QUAD_PI_HIGH + (REAL)QUAD_PI_LOW;
    REAL a = g * t / eps, A2 = a * a, q = r / eps * r / eps;
    REAL k = q + 1 - A2, P = SQRT(k * k + 4 * A2);
    REAL x = k >= 0 ? (P + k) / 2 : A2 / ((P - k) / 2);
    REAL m2 = A2 + x, m = SQRT(m2), N = 2 * (q + A2 + 1);
    REAL nU = x * x * (2 * x + 3) + A2 * (6 * x - 1), nS = N * N + P * (N - P);
    REAL P3 = P * P * P, P5 = P3 * P * P, P7 = P5 * P * P, near = t / (8 * pi * eps * eps * eps);
    REAL far = near / (eps * eps);
    out[0] = near * nU / (P3 * m * m2);
    out[1] = near * 3 * nS / (P5 * m);
    out[2] = far * 3 * (4 * P * m2 * x * (x * x + x + A2) - nU * (2 * k * m2 + x * P)) / (P5 * m * m2 * m2);
    out[3] = far * 3 * (m2 * P * (8 * N * (P - k) + 4 * P * P + 6 * P * k) - 10 * N * N * k * m2 - P * x * nS) /
             (P7 * m * m2);
}

static inline void REFERENCE(Static)(REAL r, REAL g, REAL eps, REAL out[4])
{
    const REAL pi = (REAL)QUAD_PI_HIGH + (REAL)QUAD_PI_LOW;
    REAL q = r / eps * r / eps, R = 1 / SQRT(q + 1), R3 = R * R * R;
    REAL near = 1 / (8 * pi * eps * g * g), far = near / (eps * eps);
    out[0] = near * R;
    out[1] = near * R * (2 + R * R);
    out[2] = -far * R3;
    out[3] = -far * R3 * (2 + 3 * R * R);
}

static inline void REFERENCE(Push)(REAL r, REAL g, REAL t, REAL eps, REAL out[4])
{
    const REAL pi = (REAL)QUAD_PI_HIGH + (REAL)QUAD_PI_LOW;
    REAL a = g * t / eps, A2 = a * a, q = r / eps * r / eps;
    REAL k = q + 1 - A2, P = SQRT(k * k + 4 * A2);
    REAL x = k >= 0 ? (P + k) / 2 : A2 / ((P - k) / 2);
    REAL m2 = A2 + x, m = SQRT(m2);
    REAL P2 = P * P, P3 = P2 * P, P5 = P3 * P2, m4 = m2 * m2;
    REAL near = 1 / (8 * pi * eps * g * g), far = near / (eps * eps);
    REFERENCE(Static)(r, g, eps, out);
    out[0] -= near * x * x / (P * m * m2);
    out[1] -= near * (2 * x + (2 * m2 * k - x * P) / P2) / (P * m);
    out[2] += far * x * x * (3 * P * x - 2 * m2 * (2 * P - k)) / (P3 * m * m4);
    out[3] += far *
              (2 * P3 * x * (x - 2 * m2) + P2 * (4 * k * m2 * x - 4 * m4 + 2 * m2 * x - x * x) - 6 * P * k * m2 * x +
               12 * k * k * m4) /
              (P5 * m * m2);
}

static inline void REFERENCE(Weights)(int scaleCount, const REAL eps[3], REAL weights[3])
{
    weights[0] = 1;
    weights[1] = -1;
    if (scaleCount == 3)
    {
        REAL last = eps[2] * eps[2] - eps[1] * eps[1];
        weights[1] = -(eps[2] * eps[2] - eps[0] * eps[0]) / last;
        weights[2] = (eps[1] * eps[1] - eps[0] * eps[0]) / last;
    }
}

/// U, S, V, DS of one speed, summed over the scales with their weights; zero for an infinitely fast wave (g = 0).
static inline void REFERENCE(Radial)(const ReferenceLoad* load, REAL r, REAL g, REAL sum[4])
{
    REAL eps[3] = { load->eps[0], load->eps[1], load->eps[2] }, weights[3];
    REFERENCE(Weights)(load->scaleCount, eps, weights);
    for (int k = 0; k < 4; k++)
        sum[k] = 0;
    for (int i = 0; g > 0 && i < load->scaleCount; i++)
    {
        REAL one[4];
        if (load->time == qv_kelvinletStatic)
            REFERENCE(Static)(r, g, eps[i], one);
        else if (load->time == qv_kelvinletImpulse)
            REFERENCE(Impulse)(r, g, load->t, eps[i], one);
        else
            REFERENCE(Push)(r, g, load->t, eps[i], one);
        for (int k = 0; k < 4; k++)
            sum[k] += weights[i] * one[k];
    }
}

/// Displacement at offset r from the centre.
static inline void REFERENCE(Displacement)(const ReferenceLoad* load, const REAL r[3], REAL u[3])
{
    REAL beta = SQRT((REAL)load->mu), q = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], length = SQRT(q);
    REAL alpha = load->nu < 0.5L ? beta * SQRT(1 + 1 / (1 - 2 * (REAL)load->nu)) : 0;
    REAL al[4], be[4];
    REFERENCE(Radial)(load, length, alpha, al);
    REFERENCE(Radial)(load, length, beta, be);
    REAL A = al[0] - be[0] + be[1], B = al[2] - be[2];
    REAL square = q > 0 ? ((al[3] - be[3]) - 5 * B) / q : 0;
    REAL rf = 0, rFr = 0, trace = load->F[0][0] + load->F[1][1] + load->F[2][2];
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
            u[i] += (be[3] * load->F[i][j] + B * ((REAL)load->F[i][j] + load->F[j][i])) * r[j];
    }
}

#undef REFERENCE
#undef REAL
#undef SQRT
