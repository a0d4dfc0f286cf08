// SPDX-License-Identifier: GPL-3.0-or-later
// One segment of a wiggly spline in units of its own length T: time x = tau / T in [0, 1], velocities times T,
// accelerations and the force times T^2.
//
// K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier, "Interactive spacetime control of deformable objects", 2012,
// section 4.2 and appendix; M. Kass, J. Anderson, "Animating oscillatory motion with overlap: wiggly splines", 2008.
//
//   minimise the integral of L^2,  L = w'' + 2 u w' + kappa w + g
//   u = |delta| T, kappa = lambda T^2 of either sign, Y = u^2 - kappa
//
// The six cases of the paper's appendix are limits of one set of entire functions. Everything here is written in
//   ws = (w0 + w1) / 2   wa = (w1 - w0) / 2   vs = (v1 - v0) / 2   va = (v0 + v1) / 2   z = kappa ws + g
// because the even part (ws, vs, z) and the odd part (wa, va) about the middle of the segment never mix.
#pragma once

#include <stdbool.h>

typedef enum qvSegmentRegime
{
    qv_segmentSeries,  ///< u^2 and |Y| below 1: Taylor series, good down to the cubic spline
    qv_segmentProduct, ///< products of exp(+-u x) and sin, cos or exp of sqrt(|Y|) x
    qv_segmentModes,   ///< two real exponentials of rates p = u + sqrt(Y) and q = kappa / p, |q| < p / 3
} qvSegmentRegime;

qvSegmentRegime qvClassifySegment(double u, double kappa);

/// The accelerations at the ends as functions of the end data:
///   w''(1) = even + odd, w''(0) = even - odd, even = as vs + gamma z, odd = aa va + ba wa
///   L(1) = (as + 2u) vs + (aa + 2u) va + gamma1 (z + ba wa)
///   L(0) = (as - 2u) vs - (aa - 2u) va + gamma1 (z - ba wa)
typedef struct qvSegmentMap
{
    double as, aa;
    double asExcess, aaExcess; ///< as - 2u and aa - 2u without cancellation
    double ba;
    double gamma, gamma1; ///< gamma1 = 1 + gamma without cancellation
} qvSegmentMap;

void qvSegmentMap_Init(qvSegmentMap* map, double u, double kappa);

/// How a curve is evaluated; the product regime has five forms.
typedef enum qvSegmentForm
{
    qv_curveSeries,
    qv_curveGentle,   ///< oscillation with hardly any damping
    qv_curveWaves,    ///< oscillation that decays from both ends
    qv_curveCritical, ///< decay from both ends near critical damping
    qv_curveDecays,   ///< two rates of decay from both ends
    qv_curveProduct,  ///< more than 1e5 radians of oscillation
    qv_curveModes,
    qv_curveSlowModes, ///< with |q| < 0.5
} qvSegmentForm;

enum
{
    qv_seriesTerms = 11 ///< up to t^21 / 21! with rates below 2 and |t| <= 1/2
};

/// The function on one segment, ready to be evaluated at many places.
typedef struct qvSegmentCurve
{
    qvSegmentForm form;
    double kappa;
    double base; ///< added to the value
    union
    {
        struct
        {
            double even[qv_seriesTerms], odd[qv_seriesTerms]; ///< powers of t^2 and t times powers of t^2, t = x - 1/2
        } series;
        struct
        {
            double u, r;         ///< r = sqrt(-Y)
            double sine, cosine; ///< of r, for qv_curveGentle
            double alpha1, alpha2, beta1, beta2;
        } product;
        struct
        {
            double u, r; ///< the carrier's rate; r of cos(r x), or Y for qv_curveCritical
            double sine, cosine;
            double even[2][3], odd[2][3]; ///< [wave from the right, from the left][derivative]
        } waves;
        struct
        {
            double slow, fast;
            double slowPart[2][3], fastPart[2][3]; ///< the same
        } decays;
        struct
        {
            double p, q; ///< q has the sign of kappa
            double z, even, wa, odd;
            double coshP, sinhP, coshQ; ///< 1 / (1 + e^-p), 1 / (1 - e^-p), 1 / (1 + e^-|q|)
            double slopeQ;              ///< |q| / (1 - e^-|q|)
        } modes;
    } as;
} qvSegmentCurve;

/// End data in units of the segment: values, velocities times T, force times T^2.
typedef struct qvSegmentEnds
{
    double w0, v0, w1, v1, g;
} qvSegmentEnds;

void qvSegmentCurve_Init(qvSegmentCurve* curve, double u, double kappa, const qvSegmentEnds* ends);

/// Value and its first two derivatives with respect to x, at x = 1 - y in [0, 1]. Both x and y are given because
/// neither end may lose digits.
void qvSegmentCurve_Evaluate(const qvSegmentCurve* curve, double x, double y, double out[3]);

/// The same for qv_curveProduct only.
void qvSegmentCurve_Products(const qvSegmentCurve* curve, double x, double y, double out[3]);
