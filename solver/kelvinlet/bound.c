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

static const double pi = 3.14159265358979323846;

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

// |weight| of a scale of the compound, physics.md A.3.
static double WeightSize(const qvKelvinlet* load, int scale)
{
    const double* r = load->radii;
    if (load->scaleCount < 3 || scale == 0)
        return 1.0;
    double last = r[2] * r[2] - r[1] * r[1];
    return scale == 1 ? (r[2] * r[2] - r[0] * r[0]) / last : (r[1] * r[1] - r[0] * r[0]) / last;
}

// Sum over the scales of |f| 15 eps^4 / (8 pi d_e^n) and |F| 105 eps^4 / (8 pi d_e^(n+1)).
static double Tail(const qvKelvinlet* load, Sizes sizes, double d, int n)
{
    double sum = 0.0;
    for (int i = 0; i < load->scaleCount; i++)
    {
        double eps = load->radii[i], de = sqrt(d * d + eps * eps), eps4 = eps * eps * eps * eps;
        double tail = WeightSize(load, i) * eps4 / (8.0 * pi * pow(de, n));
        sum += tail * (15.0 * sizes.vector + 105.0 * sizes.affine / de);
    }
    return sum;
}

static double StaticBound(const qvKelvinlet* load, double nearest)
{
    if (!(nearest > 3.0 * load->radii[load->scaleCount - 1]))
        return INFINITY;
    qvStaticProfile p = qvKelvinlet_StaticProfile(load, nearest);
    double q = nearest * nearest;
    double vector = fabs(p.A) + q * fabs(p.B);
    double affine = nearest * (fabs(p.A1 - p.B) + 4.0 * fabs(p.B) + q * fabs(p.B1));
    // Where the profile of a compound changes sign its size is not that of the field farther out.
    double slack = load->scaleCount > 1 ? 10.0 : 1.0;
    return slack *
           (vector * qvLength(load->force) + affine * (qvMat3_Norm(&load->affine) + sqrt(3.0) * fabs(load->dilation)));
}

// Behind the shear wave: the integral over all later times of the impulse's bound.
static double TransientBound(const qvKelvinlet* load, double d, double r)
{
    double beta2 = load->stiffness;
    if (!(d > load->radii[load->scaleCount - 1]))
        return INFINITY;
    Sizes sizes = LoadSizes(load);
    return 4.0 / beta2 * (Tail(load, sizes, d, 5) / 5.0 + sqrt(2.0) * r * Tail(load, sizes, d, 6) / 6.0);
}

double qvKelvinlet_Bound(const qvKelvinlet* load, double age, double nearest, double farthest)
{
    if (load->time == qv_kelvinletStatic)
        return StaticBound(load, nearest);
    if (!(age > 0.0))
        return load->time == qv_kelvinletTransient ? StaticBound(load, nearest) : 0.0;
    double alpha = qvKelvinlet_PressureSpeed(load), beta = qvKelvinlet_ShearSpeed(load);
    double ahead = nearest - alpha * age, behind = beta * age - farthest, fade = exp(-load->fade * age);
    bool compressible = isfinite(alpha);
    double spread = 2.0 + 2.0 * fmin(compressible ? log(alpha / beta) : 1.0, ahead > 0.0 ? INFINITY : 1.0);
    switch (load->time)
    {
    case qv_kelvinletImpulse:
    {
        double d = fmax(ahead, behind);
        return d > 0.0 ? fade * spread * age * Tail(load, LoadSizes(load), d, 7) : INFINITY;
    }
    case qv_kelvinletPush:
        if (!(ahead > 0.0))
            return fade * INFINITY;
        return fade * spread * 0.5 * age * age * Tail(load, LoadSizes(load), ahead, 7);
    default:
        return fade * TransientBound(load, behind, farthest);
    }
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
