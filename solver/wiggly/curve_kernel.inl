// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that compilers vectorize, compiled once per CPU level; see curve.h.
#include "wiggly/curve.h"

#include "wiggly/fast_functions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
    memcpy(a, curve->as.waves.even, sizeof(a));
    memcpy(b, curve->as.waves.odd, sizeof(b));
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

static void Decays(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    double slow = curve->as.decays.slow, fast = curve->as.decays.fast, a[2][3], b[2][3], base = curve->base;
    memcpy(a, curve->as.decays.slowPart, sizeof(a));
    memcpy(b, curve->as.decays.fastPart, sizeof(b));
    for (int j = 0; j < count; j++)
    {
        double sx = Decay(slow * p->x[j]), sy = Decay(slow * p->y[j]);
        double fx = Decay(fast * p->x[j]), fy = Decay(fast * p->y[j]);
        p->out[0][j] = base + (a[0][0] * sy + b[0][0] * fy + a[1][0] * sx + b[1][0] * fx);
        p->out[1][j] = a[0][1] * sy + b[0][1] * fy + a[1][1] * sx + b[1][1] * fx;
        p->out[2][j] = a[0][2] * sy + b[0][2] * fy + a[1][2] * sx + b[1][2] * fx;
    }
}

// cosh(sqrt z) and sinh(sqrt z) / sqrt z for |z| <= 0.25, of either sign
static inline void EntirePair(double z, double* c, double* s)
{
    double p = 1.0 / 1307674368000.0, q = 1.0 / 87178291200.0;
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
    *c = 1.0 + z * q;
    *s = 1.0 + z * p;
}

static void Critical(const qvSegmentCurve* curve, qvCurvePlaces* restrict p, int count)
{
    double u = curve->as.waves.u, square = curve->as.waves.r, a[2][3], b[2][3], base = curve->base;
    // Beyond 40 decay times nothing is left; |square| limit^2 stays below 0.25 there.
    double limit = 40.0 / u;
    memcpy(a, curve->as.waves.even, sizeof(a));
    memcpy(b, curve->as.waves.odd, sizeof(b));
    for (int j = 0; j < count; j++)
    {
        double x = Least(p->x[j], limit), y = Least(p->y[j], limit), sx, cx, sy, cy;
        double fromLeft = Decay(u * p->x[j]), fromRight = Decay(u * p->y[j]);
        EntirePair(square * x * x, &cx, &sx);
        EntirePair(square * y * y, &cy, &sy);
        cx *= fromLeft;
        sx *= fromLeft * x;
        cy *= fromRight;
        sy *= fromRight * y;
        p->out[0][j] = base + (a[0][0] * cy + b[0][0] * sy + a[1][0] * cx + b[1][0] * sx);
        p->out[1][j] = a[0][1] * cy + b[0][1] * sy + a[1][1] * cx + b[1][1] * sx;
        p->out[2][j] = a[0][2] * cy + b[0][2] * sy + a[1][2] * cx + b[1][2] * sx;
    }
}

// sinh(u x) / u and cosh(u x) for u x < 0.5
static inline void SmallHyperbolic(double u, double x, double* s, double* c)
{
    EntirePair(u * x * u * x, c, s);
    *s *= x;
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

void QV_KERNEL(const qvSegmentCurve* curve, qvCurvePlaces* places, int count)
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
    case qv_curveCritical:
        Critical(curve, places, count);
        break;
    case qv_curveDecays:
        Decays(curve, places, count);
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
