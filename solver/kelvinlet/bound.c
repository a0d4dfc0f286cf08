// SPDX-License-Identifier: GPL-3.0-or-later
// How far a load reaches, so that work that is invisibly zero can be skipped.
//
// An impulse f rho delta(t) is answered by Stokes' solution: spherical means of rho, of radius alpha t and beta t with
// weights of total at most t each, and over all radii between with weight t dr/r and a tensor of norm 2. So with
// C = 2 + 2 log(alpha/beta) and d the smallest distance of those spheres from the load's centre,
//     |u| <= C t |f| rho(d),   d = max(r - alpha t, beta t - r),
// where rho(d) = 15 eps^4 / (8 pi d_e^7) falls with d. An affine load has |grad rho| <= 105 eps^4 / (8 pi d_e^8) in its
// place. Ahead of the wave a push is the integral of this over [0, t], and behind it a transient that over [t, inf).
#include "kelvinlet/field.h"
#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>

// Sizes of the vector and of the affine load.
typedef struct Sizes
{
    double vector, affine;
} Sizes;

static Sizes LoadSizes(const qvKelvinlet* load)
{
    double ratio2 = (1.0 - 2.0 * load->poisson) / (2.0 - 2.0 * load->poisson);
    double dilation = load->dilation != 0.0 ? sqrt(3.0) * fabs(load->dilation) / ratio2 : 0.0;
    return (Sizes){ qvLength(load->force), qvMat3_Norm(&load->affine) + dilation };
}

// |weight| of a scale of the compound, formulas.md 3.
static double WeightSize(const qvKelvinlet* load, int scale)
{
    const double* r = load->radii;
    if (load->scaleCount < 3 || scale == 0)
        return 1.0;
    double last = r[2] * r[2] - r[1] * r[1];
    return scale == 1 ? (r[2] * r[2] - r[0] * r[0]) / last : (r[1] * r[1] - r[0] * r[0]) / last;
}

// Sum over the scales of |weight| eps^4 / (8 pi).
static double TailFactor(const qvKelvinlet* load)
{
    double sum = 0.0;
    for (int i = 0; i < load->scaleCount; i++)
        sum += WeightSize(load, i) * pow(load->radii[i], 4.0) / (8.0 * QV_PI);
    return sum;
}

// Smallest d with factor (15 |f| d^-n + 105 |F| d^-(n+1)) <= limit, up to a little more: each half of the limit.
static double TailReach(Sizes sizes, double factor, int n, double limit)
{
    double vector = sizes.vector > 0.0 ? pow(30.0 * sizes.vector * factor / limit, 1.0 / n) : 0.0;
    double affine = sizes.affine > 0.0 ? pow(210.0 * sizes.affine * factor / limit, 1.0 / (n + 1)) : 0.0;
    return fmax(vector, affine);
}

// At a distance r of at least three radii.
static double StaticSize(const qvKelvinlet* load, double r)
{
    qvStaticProfile p = qvKelvinlet_StaticProfile(load, r);
    double q = r * r;
    double vector = fabs(p.A) + q * fabs(p.B);
    double affine = r * (fabs(p.A1 - p.B) + 4.0 * fabs(p.B) + q * fabs(p.B1));
    return vector * qvLength(load->force) + affine * (qvMat3_Norm(&load->affine) + sqrt(3.0) * fabs(load->dilation));
}

// A compound's profile may change sign: the field is small beyond r only if it is at some distance after r too.
static double StaticReach(const qvKelvinlet* load, double limit)
{
    double r = 3.0 * load->radii[load->scaleCount - 1];
    for (int i = 0; i < 200; i++, r *= 1.1)
    {
        if (StaticSize(load, r) <= limit && StaticSize(load, 1.3 * r) <= limit && StaticSize(load, 1.7 * r) <= limit)
            return r;
    }
    return INFINITY;
}

static qvReach ImpulseReach(const qvKelvinlet* load, double age, double alpha, double beta, double limit)
{
    Sizes sizes = LoadSizes(load);
    double spread = 2.0 + 2.0 * log(alpha / beta), factor = age * TailFactor(load);
    double outer = isfinite(alpha) ? alpha * age + TailReach(sizes, spread * factor, 7, limit) : INFINITY;
    return (qvReach){ beta * age - TailReach(sizes, 4.0 * factor, 7, limit), outer };
}

static qvReach PushReach(const qvKelvinlet* load, double age, double alpha, double beta, double limit)
{
    double spread = 2.0 + 2.0 * log(alpha / beta), factor = 0.5 * age * age * TailFactor(load);
    double outer = isfinite(alpha) ? alpha * age + TailReach(LoadSizes(load), spread * factor, 7, limit) : INFINITY;
    return (qvReach){ -1.0, outer };
}

// Integrated from now on, the impulse's bound behind the shear wave gives, for s = beta t - r >= d >= eps and r <= beta
// t,
//     4/beta^2 (integral of (s + r) rho(s) ds) <= 4/beta^2 ( tail_5/5 + sqrt(2) r tail_6/6 ).
static qvReach TransientReach(const qvKelvinlet* load, double age, double beta, double limit)
{
    Sizes sizes = LoadSizes(load);
    double factor = 4.0 / load->stiffness * TailFactor(load), travelled = beta * age;
    double first = TailReach(sizes, factor / 5.0, 5, 0.5 * limit);
    double second = TailReach(sizes, factor * sqrt(2.0) * travelled / 6.0, 6, 0.5 * limit);
    double d = fmax(fmax(first, second), load->radii[load->scaleCount - 1]);
    return (qvReach){ travelled - d, INFINITY };
}

qvReach qvKelvinlet_Reach(const qvKelvinlet* load, double age, double limit)
{
    double alpha = qvKelvinlet_PressureSpeed(load), beta = qvKelvinlet_ShearSpeed(load);
    if (!(limit > 0.0))
        return (qvReach){ -1.0, INFINITY };
    if (load->time == qv_kelvinletStatic || (load->time == qv_kelvinletTransient && !(age > 0.0)))
        return (qvReach){ -1.0, StaticReach(load, limit) };
    if (!(age > 0.0))
        return (qvReach){ INFINITY, -1.0 };
    double faded = limit * exp(fmin(load->fade * age, 700.0));
    if (load->time == qv_kelvinletImpulse)
        return ImpulseReach(load, age, alpha, beta, faded);
    if (load->time == qv_kelvinletPush)
        return PushReach(load, age, alpha, beta, faded);
    return TransientReach(load, age, beta, faded);
}

// Gain near its peak over time, never above it: an impulse's centre peaks near beta t = eps / sqrt(6), its gradient
// near a quarter of the radius.
static double NearPeakGain(const qvKelvinlet* load, qvGradientPart part)
{
    if (load->time != qv_kelvinletImpulse)
        return part == qv_gradientPartCount ? qvKelvinlet_PeakCenterGain(load)
                                            : qvKelvinlet_PeakGradientGain(load, part);
    bool dilation = part == qv_gradientDilation;
    double speed = dilation ? qvKelvinlet_PressureSpeed(load) : qvKelvinlet_ShearSpeed(load);
    double age = (part == qv_gradientPartCount ? 0.4 : 0.25) * load->radii[0] / speed;
    if (!(age > 0.0))
        return 0.0;
    double gain =
        part == qv_gradientPartCount ? qvKelvinlet_CenterGain(load, age) : qvKelvinlet_GradientGain(load, part, age);
    return gain * exp(-load->fade * age);
}

double qvKelvinlet_Threshold(const qvKelvinlet* load)
{
    double norm = qvMat3_Norm(&load->affine), radius = load->radii[0];
    double size = qvLength(load->force) * fabs(NearPeakGain(load, qv_gradientPartCount));
    if (norm > 0.0)
        size = fmax(size, radius * norm * fabs(NearPeakGain(load, qv_gradientTurn)));
    if (load->dilation != 0.0)
        size = fmax(size, radius * fabs(load->dilation * NearPeakGain(load, qv_gradientDilation)));
    return 1e-7 * size;
}
