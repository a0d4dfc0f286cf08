// SPDX-License-Identifier: GPL-3.0-or-later
// The map from the end data of a segment to the accelerations at its ends (see segment.h). With the entire functions
//   C(z) = cosh sqrt z,  S(z) = sinh sqrt z / sqrt z  (cos and sin / sqrt(-z) for z < 0),  X = u^2,  Y = X - kappa
//   Sp = S(X) + S(Y),  Cp = C(X) + C(Y),  Sd = (S(X) - S(Y)) / kappa,  Cd = (C(X) - C(Y)) / kappa
// it is as = 2 Cp / Sp, aa = 2 Cd / Sd, ba = -Sp / Sd, gamma = -kappa Sd / Sp, gamma1 = 2 S(Y) / Sp. Only ratios occur,
// so a common factor exp(-max(u, sqrt Y)) is taken out of all of them.
#include "wiggly/segment.h"

#include <math.h>

// Below this a quotient such as sinh(x) / x is replaced by its limit, before its parts underflow.
static const double TINY = 1e-150;

qvSegmentRegime qvClassifySegment(double u, double kappa)
{
    double x = u * u, y = x - kappa;
    double size = fabs(y), larger = x > size ? x : size, smaller = x > size ? size : x;
    if (larger < 1.0)
        return qv_segmentSeries;
    return y > 0.0 && smaller > 0.25 * larger ? qv_segmentModes : qv_segmentProduct;
}

static void InitSeries(qvSegmentMap* map, double u, double kappa)
{
    // Divided differences through the complete homogeneous polynomials h of X and Y.
    double x = u * u, y = x - kappa;
    double sum = x + y, product = x * y;
    double h = 1.0, previous = 0.0, factor = 1.0; // factor = 1 / (2k)!
    double sd = 0.0, cd = 0.0;
    for (int k = 1; k <= 12; k++)
    {
        factor /= (2 * k - 1) * (2 * k);
        cd += h * factor;
        sd += h * factor / (2 * k + 1);
        double next = sum * h - product * previous;
        previous = h;
        h = next;
    }
    double sx = u < TINY ? 1.0 : sinh(u) / u;
    double sp = 2.0 * sx - kappa * sd, cp = 2.0 * cosh(u) - kappa * cd;
    map->as = 2.0 * cp / sp;
    map->aa = 2.0 * cd / sd;
    map->asExcess = map->as - 2.0 * u;
    map->aaExcess = map->aa - 2.0 * u;
    map->ba = -sp / sd;
    map->gamma = -kappa * sd / sp;
    map->gamma1 = 2.0 * (sx - kappa * sd) / sp;
}

// S(X), S(Y), C(X) + C(Y), C(X) - C(Y) and C(Y), all times exp(-scale).
typedef struct Products
{
    double sx, sy, cy, cp, cd;
    double rest; // C(X) - u S(X) = exp(-u)
    double scale;
} Products;

// exp(-u) and exp(-u) - 1, both to full relative accuracy with one call
static void Decay(double u, double* decay, double* minusOne)
{
    if (u < 0.5)
    {
        *minusOne = expm1(-u);
        *decay = 1.0 + *minusOne;
    }
    else
    {
        *decay = exp(-u);
        *minusOne = *decay - 1.0;
    }
}

static void InitOscillating(Products* f, double u, double theta)
{
    // Half-angle forms: sums of squares.
    double decay, minusOne, s = sin(0.5 * theta), c = cos(0.5 * theta);
    Decay(u, &decay, &minusOne);
    double square = 0.25 * minusOne * minusOne;
    f->scale = u;
    f->rest = decay * decay;
    f->sx = u < TINY ? decay : -0.5 * minusOne * (2.0 + minusOne) / u;
    f->sy = theta < TINY ? decay : decay * (2.0 * s * c / theta);
    f->cy = decay * (c - s) * (c + s);
    f->cp = 2.0 * (square + decay * c * c);
    f->cd = 2.0 * (square + decay * s * s);
}

static double ScaledSinhc(double u, double scale)
{
    return u < TINY ? exp(-scale) : exp(u - scale) * -expm1(-2.0 * u) / (2.0 * u);
}

static double ScaledCosh(double u, double scale)
{
    return 0.5 * (exp(u - scale) + exp(-u - scale));
}

static void InitHyperbolic(Products* f, double u, double v)
{
    f->scale = u > v ? u : v;
    f->rest = exp(-u - f->scale);
    f->sx = ScaledSinhc(u, f->scale);
    f->sy = ScaledSinhc(v, f->scale);
    f->cy = ScaledCosh(v, f->scale);
    double cx = ScaledCosh(u, f->scale);
    f->cp = cx + f->cy;
    f->cd = cx - f->cy;
}

static void InitProducts(Products* f, double u, double y)
{
    if (y <= 0.0)
        InitOscillating(f, u, sqrt(-y));
    else
        InitHyperbolic(f, u, sqrt(y));
}

static void InitProduct(qvSegmentMap* map, double u, double kappa)
{
    Products f;
    InitProducts(&f, u, u * u - kappa);
    double sp = f.sx + f.sy, sd = f.sx - f.sy;
    double twoOverSum = 2.0 / sp, twoOverDifference = 2.0 / sd;
    map->as = f.cp * twoOverSum;
    map->aa = f.cd * twoOverDifference;
    map->asExcess = (f.rest + f.cy - u * f.sy) * twoOverSum;
    map->aaExcess = (f.rest - f.cy + u * f.sy) * twoOverDifference;
    map->ba = -0.5 * kappa * sp * twoOverDifference;
    map->gamma = -0.5 * sd * twoOverSum;
    map->gamma1 = f.sy * twoOverSum;
}

// What both the map and the curve need of the regime with two real exponentials.
typedef struct Modes
{
    double p, q;           // q signed
    double decayP, minusP; // exp(-p) and exp(-p) - 1
    double decayQ, minusQ; // the same of |q|
    double tanhP, tanhQ;   // tanh(p / 2) and tanh(q / 2), the latter with the sign of q
    double cothQ;          // q coth(q / 2), 2 at 0
    double evenSolve;      // p tanh(p / 2) - q tanh(q / 2)
    double oddSolve;       // p coth(p / 2) - q coth(q / 2)
} Modes;

static void InitRates(Modes* m, double u, double kappa)
{
    m->p = u + sqrt(u * u - kappa);
    m->q = kappa / m->p;
    double size = fabs(m->q);
    Decay(m->p, &m->decayP, &m->minusP);
    Decay(size, &m->decayQ, &m->minusQ);
    m->tanhP = -m->minusP / (2.0 + m->minusP);
    m->tanhQ = copysign(m->minusQ / (2.0 + m->minusQ), m->q);
    m->cothQ = size < TINY ? 2.0 : -size * (2.0 + m->minusQ) / m->minusQ;
    m->evenSolve = m->p * m->tanhP - m->q * m->tanhQ;
    m->oddSolve = m->p / m->tanhP - m->cothQ;
}

static void InitModes(qvSegmentMap* map, double u, double kappa)
{
    Modes m;
    InitRates(&m, u, kappa);
    double p = m.p, q = m.q, size = fabs(q);
    double square = (p - q) * (p + q), even = 1.0 / m.evenSolve, odd = 1.0 / m.oddSolve;
    map->as = square * even;
    map->aa = square * odd;
    map->ba = (q * q * p / m.tanhP - p * p * m.cothQ) * odd;
    map->gamma = (q * m.tanhP - p * m.tanhQ) * even;
    map->gamma1 = (p + q) * (m.tanhP - m.tanhQ) * even;
    // 1 - tanh(x / 2) = 2 e^-x / (1 + e^-x);  x (1 - coth(x / 2)) = -2 x e^-x / (1 - e^-x), -2 at 0
    double evenRest = 2.0 * p * m.decayP / (1.0 + m.decayP) - 2.0 * size * m.decayQ / (1.0 + m.decayQ);
    double oddRest = 2.0 * p * m.decayP / m.minusP - (size < TINY ? -2.0 : 2.0 * size * m.decayQ / m.minusQ);
    // as = p + |q| + excess, and 2u = p + q.
    map->asExcess = (p + size) * evenRest * even + (size - q);
    map->aaExcess = (p + size) * oddRest * odd + (size - q);
}

void qvSegmentMap_Init(qvSegmentMap* map, double u, double kappa)
{
    switch (qvClassifySegment(u, kappa))
    {
    case qv_segmentSeries:
        InitSeries(map, u, kappa);
        break;
    case qv_segmentProduct:
        InitProduct(map, u, kappa);
        break;
    case qv_segmentModes:
        InitModes(map, u, kappa);
        break;
    }
}

// --- The curve -------------------------------------------------------------------------------------------------------

// Taylor coefficients (of t^2k, or of t^(2k + 1) with odd = 1) of the solution of
// f'''' = 2 (X + Y) f'' - kappa^2 f - source with the given first two.
static void FillTaylor(double first, double second, double sum, double kappa, double source, int odd, double* out)
{
    out[0] = first;
    out[1] = second;
    for (int k = 2; k < qv_seriesTerms; k++)
    {
        int n = 2 * k + odd;
        double a = (n - 1) * n, b = a * (n - 3) * (n - 2);
        out[k] = 2.0 * sum * out[k - 1] / a - kappa * kappa * out[k - 2] / b - (k == 2 ? source / b : 0.0);
    }
}

// Value and slope at t = 1/2.
static void EndOfTaylor(const double* c, int odd, double* value, double* slope)
{
    double f = 0.0, d = 0.0;
    for (int k = qv_seriesTerms - 1; k >= 0; k--)
    {
        f = f * 0.25 + c[k];
        d = d * 0.25 + (2 * k + odd) * c[k];
    }
    *value = odd ? 0.5 * f : f;
    *slope = odd ? d : 2.0 * d;
}

// c = first basis + second basis + particular part, fitted to value and slope at t = 1/2.
static void FitTaylor(double sum, double kappa, double source, int odd, double value, double slope, double* c)
{
    double one[qv_seriesTerms], two[qv_seriesTerms], f1, d1, f2, d2, f3, d3;
    FillTaylor(1.0, 0.0, sum, kappa, 0.0, odd, one);
    FillTaylor(0.0, 1.0, sum, kappa, 0.0, odd, two);
    FillTaylor(0.0, 0.0, sum, kappa, source, odd, c);
    EndOfTaylor(one, odd, &f1, &d1);
    EndOfTaylor(two, odd, &f2, &d2);
    EndOfTaylor(c, odd, &f3, &d3);
    double det = f1 * d2 - f2 * d1;
    double a = ((value - f3) * d2 - f2 * (slope - d3)) / det;
    double b = (f1 * (slope - d3) - (value - f3) * d1) / det;
    for (int k = 0; k < qv_seriesTerms; k++)
        c[k] += a * one[k] + b * two[k];
}

// The end data, split into even and odd parts.
typedef struct Parts
{
    double ws, wa, vs, va, z;
} Parts;

static void InitSeriesCurve(qvSegmentCurve* curve, double u, double kappa, const Parts* d)
{
    double sum = 2.0 * u * u - kappa;
    curve->form = qv_curveSeries;
    curve->base = d->ws;
    FitTaylor(sum, kappa, kappa * d->z, 0, 0.0, d->vs, curve->as.series.even);
    FitTaylor(sum, kappa, 0.0, 1, d->wa, d->va, curve->as.series.odd);
}

// The curve as waves that decay from both ends: with C(x) = cos(r x), S(x) = sin(r x) / r (or cosh, sinh of rates below
// the carrier's)
//   exp(-carrier y) (even[0] C(y) + odd[0] S(y)) + exp(-carrier x) (even[1] C(x) + odd[1] S(x))
// and its two derivatives. A well-conditioned basis when waves have lost some height at the other end.
typedef struct Waves
{
    double even[2][3], odd[2][3]; // [from the right, from the left][derivative]
} Waves;

// square: -r^2 or r^2 of the functions C and S; s1, c1: exp(-carrier) times S(1), C(1)
static void InitWaves(Waves* w, double carrier, double square, double s1, double c1, const double alpha[2],
                      const double beta[2])
{
    double half = 0.5 / carrier;
    for (int end = 0; end < 2; end++)
    {
        double a1 = alpha[end], a2 = alpha[1 - end], b1 = beta[end], b2 = beta[1 - end];
        double back = 0.5 * a2 - half * b2, sign = end == 0 ? -1.0 : 1.0; // of dy/dx and of dx/dx
        double* even = w->even[end];
        double* odd = w->odd[end];
        even[0] = half * a1 + s1 * back - half * c1 * a2;
        odd[0] = 0.5 * a1 + half * b1 - c1 * back + half * square * s1 * a2;
        for (int d = 0; d < 2; d++)
        {
            even[d + 1] = sign * (odd[d] - carrier * even[d]);
            odd[d + 1] = sign * (square * even[d] - carrier * odd[d]);
        }
    }
}

// Where S is a sine or a difference of exponentials worth the name; otherwise S is nearly x and needs its series.
static bool IsDistinct(double rate, double carrier)
{
    return rate >= 0.5 && rate >= 0.01 * carrier;
}

static void InitOscillatingWaves(qvSegmentCurve* curve, const Waves* w, double u, double r)
{
    curve->form = qv_curveWaves;
    curve->as.waves.u = u;
    curve->as.waves.r = r;
    curve->as.waves.sine = sin(r);
    curve->as.waves.cosine = cos(r);
    for (int i = 0; i < 6; i++)
    {
        curve->as.waves.even[i / 3][i % 3] = w->even[i / 3][i % 3];
        curve->as.waves.odd[i / 3][i % 3] = w->odd[i / 3][i % 3] / r;
    }
}

static void InitDecays(qvSegmentCurve* curve, const Waves* w, double carrier, double rate)
{
    curve->form = qv_curveDecays;
    curve->as.decays.slow = carrier - rate;
    curve->as.decays.fast = carrier + rate;
    for (int i = 0; i < 6; i++)
    {
        double even = w->even[i / 3][i % 3], odd = w->odd[i / 3][i % 3] / rate;
        curve->as.decays.slowPart[i / 3][i % 3] = 0.5 * (even + odd);
        curve->as.decays.fastPart[i / 3][i % 3] = 0.5 * (even - odd);
    }
}

static void InitCritical(qvSegmentCurve* curve, const Waves* w, double carrier, double square)
{
    curve->form = qv_curveCritical;
    curve->as.waves.u = carrier;
    curve->as.waves.r = square;
    for (int i = 0; i < 6; i++)
    {
        curve->as.waves.even[i / 3][i % 3] = w->even[i / 3][i % 3];
        curve->as.waves.odd[i / 3][i % 3] = w->odd[i / 3][i % 3];
    }
}

// The carrier is the larger of the rates u and sqrt(Y); where that is sqrt(Y), both ends exchange their roles.
static void InitDecayingCurve(qvSegmentCurve* curve, const Products* f, double u, double y, const double alpha[2],
                              const double beta[2])
{
    Waves w;
    double r = sqrt(fabs(y));
    if (y > u * u)
    {
        double swapped[2][2] = { { alpha[1], alpha[0] }, { beta[1], beta[0] } };
        InitWaves(&w, r, u * u, f->sx, f->cp - f->cy, swapped[0], swapped[1]);
        if (IsDistinct(u, r))
            InitDecays(curve, &w, r, u);
        else
            InitCritical(curve, &w, r, u * u);
        return;
    }
    InitWaves(&w, u, y, f->sy, f->cy, alpha, beta);
    if (!IsDistinct(r, u))
        InitCritical(curve, &w, u, y);
    else if (y < 0.0)
        InitOscillatingWaves(curve, &w, u, r);
    else
        InitDecays(curve, &w, u, r);
}

static void InitGentle(qvSegmentCurve* curve, double u, double r, const double alpha[2], const double beta[2])
{
    double factor = exp(-u); // what the general form takes out of its products
    curve->form = qv_curveGentle;
    curve->as.product.sine = sin(r);
    curve->as.product.cosine = cos(r);
    curve->as.product.u = u;
    curve->as.product.r = r;
    curve->as.product.alpha1 = alpha[0] * factor;
    curve->as.product.alpha2 = alpha[1] * factor;
    curve->as.product.beta1 = beta[0] * factor;
    curve->as.product.beta2 = beta[1] * factor;
}

static void InitProductCurve(qvSegmentCurve* curve, double u, double kappa, const Parts* d)
{
    Products f;
    double y = u * u - kappa, r = sqrt(fabs(y));
    InitProducts(&f, u, y);
    double ip = 1.0 / (f.sx + f.sy), im = 1.0 / (f.sx - f.sy);
    double rest = d->z / kappa; // |kappa| is at least 3/4 here
    double alpha[2] = { rest * ip + d->wa * im, rest * ip - d->wa * im };
    double beta[2] = { -d->vs * ip - d->va * im, -d->vs * ip + d->va * im };
    bool tooFast = y < 0.0 && r > 1e5; // for the fast sine
    curve->base = d->ws - rest;
    if (y < 0.0 && u < 0.5 && !tooFast)
    {
        InitGentle(curve, u, r, alpha, beta);
    }
    else if (!tooFast)
    {
        InitDecayingCurve(curve, &f, u, y, alpha, beta);
    }
    else
    {
        curve->form = qv_curveProduct;
        curve->as.product.u = u;
        curve->as.product.r = r;
        curve->as.product.alpha1 = alpha[0];
        curve->as.product.alpha2 = alpha[1];
        curve->as.product.beta1 = beta[0];
        curve->as.product.beta2 = beta[1];
    }
}

static void InitModesCurve(qvSegmentCurve* curve, double u, double kappa, const Parts* d)
{
    Modes m;
    InitRates(&m, u, kappa);
    curve->form = fabs(m.q) < 0.5 ? qv_curveSlowModes : qv_curveModes;
    curve->base = d->ws;
    curve->as.modes.p = m.p;
    curve->as.modes.q = m.q;
    curve->as.modes.z = d->z / m.p;
    curve->as.modes.even = (d->vs - d->z * m.tanhQ / m.p) / m.evenSolve;
    curve->as.modes.wa = d->wa;
    curve->as.modes.odd = (d->va - d->wa * m.cothQ) / m.oddSolve;
    curve->as.modes.coshP = 1.0 / (1.0 + m.decayP);
    curve->as.modes.sinhP = -1.0 / m.minusP;
    curve->as.modes.coshQ = 1.0 / (1.0 + m.decayQ);
    curve->as.modes.slopeQ = fabs(m.q) < TINY ? 1.0 : -fabs(m.q) / m.minusQ;
}

void qvSegmentCurve_Init(qvSegmentCurve* curve, double u, double kappa, const qvSegmentEnds* ends)
{
    Parts d = { 0.5 * (ends->w0 + ends->w1), 0.5 * (ends->w1 - ends->w0), 0.5 * (ends->v1 - ends->v0),
                0.5 * (ends->v0 + ends->v1), 0.0 };
    d.z = kappa * d.ws + ends->g;
    curve->kappa = kappa;
    switch (qvClassifySegment(u, kappa))
    {
    case qv_segmentSeries:
        InitSeriesCurve(curve, u, kappa, &d);
        break;
    case qv_segmentProduct:
        InitProductCurve(curve, u, kappa, &d);
        break;
    case qv_segmentModes:
        InitModesCurve(curve, u, kappa, &d);
        break;
    }
}

// sinh(r x) / r and cosh(r x) without their factor exp(r x)
static void HyperbolicPair(double r, double x, double* s, double* c)
{
    double decay = expm1(-2.0 * r * x);
    *s = r < TINY ? x : -decay / (2.0 * r);
    *c = 1.0 + 0.5 * decay;
}

// The products of functions of u x and r y (with their common exponential), and of u y and r x.
typedef struct Pairs
{
    double ss1, sc1, cs1, cc1; // sinh(u x) sn(r y), sinh(u x) cs(r y), cosh(u x) sn(r y), cosh(u x) cs(r y)
    double ss2, sc2, cs2, cc2; // the same with x and y exchanged
} Pairs;

static void InitPairs(Pairs* a, const qvSegmentCurve* curve, double x, double y)
{
    double u = curve->as.product.u, r = curve->as.product.r;
    double shx, chx, shy, chy, snx = sin(r * x) / r, csx = cos(r * x), sny = sin(r * y) / r, csy = cos(r * y);
    HyperbolicPair(u, x, &shx, &chx);
    HyperbolicPair(u, y, &shy, &chy);
    double factor1 = exp(-u * y), factor2 = exp(-u * x);
    shx *= factor1;
    chx *= factor1;
    shy *= factor2;
    chy *= factor2;
    *a = (Pairs){ shx * sny, shx * csy, chx * sny, chx * csy, shy * snx, shy * csx, chy * snx, chy * csx };
}

void qvSegmentCurve_Products(const qvSegmentCurve* curve, double x, double y, double out[3])
{
    Pairs a;
    InitPairs(&a, curve, x, y);
    double alpha1 = curve->as.product.alpha1, alpha2 = curve->as.product.alpha2;
    double beta1 = curve->as.product.beta1, beta2 = curve->as.product.beta2;
    double u = curve->as.product.u, kappa = curve->kappa, sum = 2.0 * u * u - kappa; // X + Y
    double d1 = a.cs1 - a.sc1, d2 = a.sc2 - a.cs2;                                   // derivatives of ss1 and ss2
    double f1 = sum * a.ss1 - 2.0 * a.cc1, f2 = sum * a.ss2 - 2.0 * a.cc2;           // and second derivatives
    out[0] = curve->base + alpha1 * (a.cs1 + a.sc1) + alpha2 * (a.cs2 + a.sc2) + beta1 * a.ss1 + beta2 * a.ss2;
    out[1] = kappa * (alpha1 * a.ss1 - alpha2 * a.ss2) + beta1 * d1 + beta2 * d2;
    out[2] = kappa * (alpha1 * d1 - alpha2 * d2) + beta1 * f1 + beta2 * f2;
}
