// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that compilers vectorize, compiled once per CPU level; see curve.h. exp, sin and cos are written out (Cody and
// Waite's argument reduction, Taylor polynomials up to rounding), because calls into libm stop vectorization.
#include "wiggly/curve.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t ToBits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline double FromBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// Adding it rounds to an integer, which then stands in the lowest bits.
static const double roundingShift = 6755399441055744.0; // 1.5 * 2^52

// exp(-x) for x >= 0; it stays at 3e-308 above 708
static inline double Decay(double x)
{
    // As integers, doubles of one sign are in order. A comparison of doubles would count as control flow.
    int64_t bits = (int64_t)ToBits(x), most = INT64_C(0x4086200000000000); // 708
    x = -FromBits((uint64_t)(bits > most ? most : bits));
    double shifted = x * 1.4426950408889634 + roundingShift, k = shifted - roundingShift;
    double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    return p * FromBits((ToBits(shifted) << 52) + (UINT64_C(1023) << 52));
}

// (exp(-z) - 1) / -z for 0 <= z < 0.5
static inline double SmallDecay(double z)
{
    double p = 1.0 / 87178291200.0;
    p = 1.0 / 6227020800.0 - p * z;
    p = 1.0 / 479001600.0 - p * z;
    p = 1.0 / 39916800.0 - p * z;
    p = 1.0 / 3628800.0 - p * z;
    p = 1.0 / 362880.0 - p * z;
    p = 1.0 / 40320.0 - p * z;
    p = 1.0 / 5040.0 - p * z;
    p = 1.0 / 720.0 - p * z;
    p = 1.0 / 120.0 - p * z;
    p = 1.0 / 24.0 - p * z;
    p = 1.0 / 6.0 - p * z;
    p = 0.5 - p * z;
    return 1.0 - p * z;
}

// sin and cos for |x| <= 1e5
static inline void SinCos(double x, double* sine, double* cosine)
{
    double shifted = x * 0.63661977236758134308 + roundingShift, k = shifted - roundingShift;
    // pi / 2 in three parts, the first two of 33 bits
    double r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
    double z = r * r, s = 1.0 / 355687428096000.0, c = -1.0 / 6402373705728000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = s * z * r + r;
    c = c * z + 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = (c * z - 0.5) * z + 1.0;
    // The quadrant: odd ones exchange sine and cosine; bits 1 of k and of k + 1 are the signs.
    uint64_t quadrant = ToBits(shifted), swap = 0 - (quadrant & 1), sb = ToBits(s), cb = ToBits(c);
    *sine = FromBits(((sb & ~swap) | (cb & swap)) ^ ((quadrant & 2) << 62));
    *cosine = FromBits(((cb & ~swap) | (sb & swap)) ^ (((quadrant + 1) & 2) << 62));
}

static void Series(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    const double* even = curve->as.series.even;
    const double* odd = curve->as.series.odd;
    for (int j = 0; j < count; j++)
    {
        double t = 0.5 * (p->x[j] - p->y[j]), s = t * t;
        double f = 0.0, f1 = 0.0, f2 = 0.0, g = 0.0, g1 = 0.0, g2 = 0.0;
        for (int k = qv_seriesTerms - 1; k >= 1; k--)
        {
            double n = 2.0 * k;
            f = f * s + even[k];
            f1 = f1 * s + n * even[k];
            f2 = f2 * s + n * (n - 1.0) * even[k];
            g = g * s + odd[k];
            g1 = g1 * s + (n + 1.0) * odd[k];
            g2 = g2 * s + (n + 1.0) * n * odd[k];
        }
        p->out[0][j] = curve->base + (f * s + even[0]) + t * (g * s + odd[0]);
        p->out[1][j] = t * f1 + (g1 * s + odd[0]);
        p->out[2][j] = f2 + t * g2;
    }
}

static void Waves(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    double u = curve->as.waves.u, r = curve->as.waves.r, s = curve->as.waves.sine, c = curve->as.waves.cosine;
    double a[2][3], b[2][3], base = curve->base;
    memcpy(a, curve->as.waves.cosines, sizeof(a));
    memcpy(b, curve->as.waves.sines, sizeof(b));
    for (int j = 0; j < count; j++)
    {
        double fromLeft = Decay(u * p->x[j]), fromRight = Decay(u * p->y[j]), sx, cx;
        SinCos(r * p->x[j], &sx, &cx);
        double sy = fromRight * (s * cx - c * sx), cy = fromRight * (c * cx + s * sx);
        sx *= fromLeft;
        cx *= fromLeft;
        p->out[0][j] = base + (a[0][0] * cy + b[0][0] * sy + a[1][0] * cx + b[1][0] * sx);
        p->out[1][j] = a[0][1] * cy + b[0][1] * sy + a[1][1] * cx + b[1][1] * sx;
        p->out[2][j] = a[0][2] * cy + b[0][2] * sy + a[1][2] * cx + b[1][2] * sx;
    }
}

// sinh(u x) / u and cosh(u x) for u x < 0.5
static inline void SmallHyperbolic(double u, double x, double* s, double* c)
{
    double z = u * x * u * x, p = 1.0 / 1307674368000.0, q = 1.0 / 87178291200.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z + 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z + 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z + 1.0 / 6.0;
    q = q * z + 1.0 / 479001600.0;
    q = q * z + 1.0 / 3628800.0;
    q = q * z + 1.0 / 40320.0;
    q = q * z + 1.0 / 720.0;
    q = q * z + 1.0 / 24.0;
    q = q * z + 0.5;
    *s = x + x * z * p;
    *c = 1.0 + z * q;
}

static void Gentle(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    double u = curve->as.product.u, r = curve->as.product.r, inverse = 1.0 / r, base = curve->base;
    double sine = curve->as.product.sine, cosine = curve->as.product.cosine;
    double alpha1 = curve->as.product.alpha1, alpha2 = curve->as.product.alpha2;
    double beta1 = curve->as.product.beta1, beta2 = curve->as.product.beta2;
    double kappa = curve->kappa, sum = 2.0 * u * u - kappa;
    for (int j = 0; j < count; j++)
    {
        double s, csx, shx, chx, shy, chy;
        SinCos(r * p->x[j], &s, &csx);
        double snx = s * inverse, sny = (sine * csx - cosine * s) * inverse, csy = cosine * csx + sine * s;
        SmallHyperbolic(u, p->x[j], &shx, &chx);
        SmallHyperbolic(u, p->y[j], &shy, &chy);
        double ss1 = shx * sny, ss2 = shy * snx;
        double d1 = chx * sny - shx * csy, d2 = shy * csx - chy * snx;                 // their derivatives
        double f1 = sum * ss1 - 2.0 * (chx * csy), f2 = sum * ss2 - 2.0 * (chy * csx); // and second ones
        p->out[0][j] =
            base + (alpha1 * (chx * sny + shx * csy) + alpha2 * (chy * snx + shy * csx) + beta1 * ss1 + beta2 * ss2);
        p->out[1][j] = kappa * (alpha1 * ss1 - alpha2 * ss2) + beta1 * d1 + beta2 * d2;
        p->out[2][j] = kappa * (alpha1 * d1 - alpha2 * d2) + beta1 * f1 + beta2 * f2;
    }
}

// small: |q| < 0.5, where exp(-|q| x) - 1 needs its own series
static inline __attribute__((always_inline)) void ModesLoop(const qvSegmentCurve* curve, qvCurvePlaces* restrict p,
                                                            int count, bool small)
{
    double rate = curve->as.modes.p, q = fabs(curve->as.modes.q), signedQ = curve->as.modes.q;
    double sign = signedQ < 0.0 ? -1.0 : 1.0, base = curve->base;
    double coshP = curve->as.modes.coshP, sinhP = curve->as.modes.sinhP;
    double coshQ = curve->as.modes.coshQ, slopeQ = curve->as.modes.slopeQ;
    // 1 - exp(-q x) is kept divided by q where q is small
    double scale = small ? q : 1.0, sinhQ = small ? slopeQ : slopeQ / q,
           restScale = -sign * coshQ * (small ? q : 1.0 / q);
    double z = curve->as.modes.z, even = curve->as.modes.even, wa = curve->as.modes.wa, odd = curve->as.modes.odd;
    for (int j = 0; j < count; j++)
    {
        double x = p->x[j], y = p->y[j], px = Decay(rate * x), py = Decay(rate * y);
        double mx = small ? x * SmallDecay(q * x) : 1.0 - Decay(q * x);
        double my = small ? y * SmallDecay(q * y) : 1.0 - Decay(q * y);
        double both = 2.0 - scale * (mx + my), apart = mx - my;
        // cosh and sinh from the middle, each divided by its value at the end, and their derivatives' shapes
        double cp = (py + px) * coshP, dp = (py - px) * coshP, sp = (py - px) * sinhP, tp = (py + px) * sinhP;
        double cq = both * coshQ, dq = scale * apart * coshQ, sq = apart * sinhQ, tq = both * slopeQ;
        double rest = restScale * mx * my; // (cq - 1) / q
        p->out[0][j] = base + (z * rest + even * (cp - cq) + wa * sq + odd * (sp - sq));
        p->out[1][j] = z * sign * dq + even * (rate * dp - q * dq) + wa * tq + odd * (rate * tp - tq);
        p->out[2][j] = z * signedQ * cq + even * (rate * rate * cp - q * q * cq) + wa * (q * q) * sq +
                       odd * (rate * rate * sp - q * q * sq);
    }
}

static void Modes(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    ModesLoop(curve, p, count, false);
}

static void SlowModes(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    ModesLoop(curve, p, count, true);
}

void KERNEL(const qvSegmentCurve* curve, qvCurvePlaces* places, int count)
{
    switch (curve->form)
    {
    case qv_curveSeries:
        Series(curve, places, count);
        break;
    case qv_curveGentle:
        Gentle(curve, places, count);
        break;
    case qv_curveWaves:
        Waves(curve, places, count);
        break;
    case qv_curveModes:
        Modes(curve, places, count);
        break;
    case qv_curveSlowModes:
        SlowModes(curve, places, count);
        break;
    case qv_curveProduct:
        for (int j = 0; j < count; j++)
        {
            double out[3];
            qvSegmentCurve_Products(curve, places->x[j], places->y[j], out);
            for (int n = 0; n < 3; n++)
                places->out[n][j] = out[n];
        }
        break;
    }
}
