// SPDX-License-Identifier: GPL-3.0-or-later
// Loads: checking them, preparing them for the kernels, and setting them by what they do at their centre.
//
// F. de Goes and D. L. James, "Regularized Kelvinlets: Sculpting Brushes based on Fundamental Solutions of Elasticity",
// ACM Trans. Graph. 36(4), 2017, and "Dynamic Kelvinlets: Secondary Motions based on Fundamental Solutions of
// Elastodynamics", ACM Trans. Graph. 37(4), 2018. Limits at the centre: formulas.md 4.
//     alpha, beta     speeds of the pressure and the shear wave
//     w = (beta/alpha)^2 = (1 - 2 poisson) / (2 - 2 poisson)
#include "kelvinlet/load.h"

#include "base/assert.h"
#include "kelvinlet/kernel.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

qvKelvinlet qvDefaultKelvinlet(void)
{
    qvKelvinlet load = { .time = qv_kelvinletStatic, .stiffness = 1.0, .poisson = 0.45 };
    qvKelvinlet_SetRadius(&load, 1.0, 1);
    return load;
}

void qvKelvinlet_SetRadius(qvKelvinlet* load, double radius, int scaleCount)
{
    load->scaleCount = scaleCount;
    load->radii[0] = radius;
    load->radii[1] = 1.1 * radius;
    load->radii[2] = 1.21 * radius;
}

void qvKelvinlet_SetSpeed(qvKelvinlet* load, double speed)
{
    load->stiffness = speed * speed;
}

double qvKelvinlet_ShearSpeed(const qvKelvinlet* load)
{
    return sqrt(load->stiffness);
}

static double SpeedRatio2(const qvKelvinlet* load)
{
    return (1.0 - 2.0 * load->poisson) / (2.0 - 2.0 * load->poisson);
}

double qvKelvinlet_PressureSpeed(const qvKelvinlet* load)
{
    return load->poisson < 0.5 ? sqrt(load->stiffness / SpeedRatio2(load)) : INFINITY;
}

static bool IsFinite3(qvVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool IsFiniteMatrix(const qvMat3* a)
{
    return isfinite(qvMat3_Norm(a));
}

static qvResult ValidateRadii(const qvKelvinlet* load, qvError* error)
{
    if (load->scaleCount < 1 || load->scaleCount > 3)
        return qvError_Set(error, qv_badInput, "scales: %d is not 1, 2 or 3", load->scaleCount);
    for (int i = 0; i < load->scaleCount; i++)
    {
        if (!(load->radii[i] >= 1e-30 && load->radii[i] <= 1e30))
            return qvError_Set(error, qv_badInput, "radius: %g must be a positive number from 1e-30 to 1e30",
                               load->radii[i]);
        if (i > 0 && !(load->radii[i] >= (1.0 + 1e-6) * load->radii[i - 1]))
            return qvError_Set(error, qv_badInput, "radius: the radii %g and %g of a multi-scale load must grow",
                               load->radii[i - 1], load->radii[i]);
    }
    return qv_ok;
}

qvResult qvKelvinlet_Validate(const qvKelvinlet* load, qvError* error)
{
    if (load->time < qv_kelvinletStatic || load->time > qv_kelvinletTransient)
        return qvError_Set(error, qv_badInput, "load: unknown kind %d", (int)load->time);
    qvResult result = ValidateRadii(load, error);
    if (result != qv_ok)
        return result;
    if (!(load->poisson >= 0.0 && load->poisson <= 0.5))
        return qvError_Set(error, qv_badInput, "poisson: %g must be in 0 to 0.5", load->poisson);
    if (!(load->stiffness > 0.0 && isfinite(load->stiffness)))
        return qvError_Set(error, qv_badInput, "stiffness: %g must be a positive number (the wave speed squared)",
                           load->stiffness);
    if (!(load->fade >= 0.0 && isfinite(load->fade)))
        return qvError_Set(error, qv_badInput, "fade: %g must be a number from 0", load->fade);
    if (!IsFinite3(load->center))
        return qvError_Set(error, qv_badInput, "at: the load's centre is not a finite point");
    if (!IsFinite3(load->force) || !IsFiniteMatrix(&load->affine) || !isfinite(load->dilation))
        return qvError_Set(error, qv_badInput, "load: the force is not finite");
    return qv_ok;
}

// Factor that turns the highest divided difference into the compound of formulas.md 3.
static double CompoundFactor(const qvKernelLoad* kernel)
{
    double d2 = kernel->e2 - kernel->e1, d3 = kernel->e3 - kernel->e1;
    return kernel->scaleCount == 1 ? 1.0 : kernel->scaleCount == 2 ? -d2 : d2 * d3;
}

static qvKernelParts PartsOf(const qvKelvinlet* load)
{
    bool vector = load->force.x != 0.0 || load->force.y != 0.0 || load->force.z != 0.0;
    bool affine = load->dilation != 0.0 || qvMat3_Norm(&load->affine) != 0.0;
    return !affine ? qv_kernelVector : vector ? qv_kernelBoth : qv_kernelAffine;
}

// Factor of U and S: formulas.md 5 with the unit in place of the radius, times the fade.
static double Amplitude(const qvKelvinlet* load, double unit, double age)
{
    double still = 1.0 / (8.0 * QV_PI * unit * load->stiffness);
    switch (load->time)
    {
    case qv_kelvinletStatic:
        return still;
    case qv_kelvinletImpulse:
        return age > 0.0 ? exp(-load->fade * age) * age / (8.0 * QV_PI * unit * unit * unit) : 0.0;
    case qv_kelvinletPush:
        return age > 0.0 ? exp(-load->fade * age) * still : 0.0;
    default:
        return age > 0.0 ? exp(-load->fade * age) * still : -still;
    }
}

// A pressure wave beyond maxTravel2 is infinitely fast for the arithmetic at hand.
static void SetSpeeds(const qvKelvinlet* load, double age, double maxTravel2, qvKernelLoad* kernel)
{
    double ratio2 = SpeedRatio2(load), travel = age > 0.0 ? age * kernel->inverseUnit : 0.0;
    kernel->beta2[0] = fmin(load->stiffness * travel * travel, maxTravel2);
    bool slow = kernel->beta2[0] < ratio2 * maxTravel2;
    kernel->waveAlpha = slow ? 1.0 : 0.0;
    kernel->alpha2[0] = slow ? kernel->beta2[0] / ratio2 : 0.0;
    if (kernel->time == qv_kernelImpulse)
        kernel->alphaWeight = kernel->waveAlpha;
    else
        kernel->alphaWeight = ratio2;
}

static void SetAmplitudes(const qvKelvinlet* load, double factor, qvKernelLoad* kernel)
{
    const double force[3] = { load->force.x, load->force.y, load->force.z };
    double affine = factor * kernel->inverseUnit, third = qvMat3_Trace(&load->affine) / 3.0;
    for (int i = 0; i < 3; i++)
    {
        kernel->force[i] = factor * force[i];
        for (int j = 0; j < 3; j++)
        {
            kernel->affine[i][j] = affine * (load->affine.m[i][j] - (i == j ? third : 0.0));
            kernel->strain[i][j] =
                affine * (load->affine.m[i][j] + load->affine.m[j][i] - (i == j ? 2.0 * third : 0.0));
        }
    }
    double ratio2 = SpeedRatio2(load);
    if (kernel->time != qv_kernelImpulse)
        kernel->dilation = affine * (load->dilation + ratio2 * third);
    else
        kernel->dilation = kernel->waveAlpha != 0.0 ? affine * (load->dilation / ratio2 + third) : 0.0;
}

static void Prepare(const qvKelvinlet* load, double age, double maxTravel2, qvKernelLoad* kernel)
{
    static const qvKernelTime times[] = { qv_kernelStatic, qv_kernelImpulse, qv_kernelPush, qv_kernelPush };
    bool minusStatic = load->time == qv_kelvinletTransient && !(age > 0.0);
    memset(kernel, 0, sizeof(*kernel));
    kernel->time = minusStatic ? qv_kernelStatic : times[load->time];
    kernel->parts = PartsOf(load);
    kernel->scaleCount = load->scaleCount;
    kernel->center[0] = load->center.x;
    kernel->center[1] = load->center.y;
    kernel->center[2] = load->center.z;
    double unit = exp2(rint(log2(load->radii[0])));
    kernel->inverseUnit = 1.0 / unit;
    double e[3] = { 0 };
    for (int i = 0; i < load->scaleCount; i++)
        e[i] = (load->radii[i] / unit) * (load->radii[i] / unit);
    kernel->e1 = e[0];
    kernel->e2 = e[1];
    kernel->e3 = e[2];
    kernel->staticPart = load->time == qv_kelvinletPush ? 1.0 : 0.0;
    SetSpeeds(load, age, maxTravel2, kernel);
    // An impulse that has gone beyond the longest travel has left nothing behind.
    bool gone = kernel->time == qv_kernelImpulse && kernel->beta2[0] >= maxTravel2;
    SetAmplitudes(load, gone ? 0.0 : CompoundFactor(kernel) * Amplitude(load, unit, age), kernel);
}

void qvPrepareKernel(const qvKelvinlet* load, double age, qvKernelLoad* kernel)
{
    QV_ASSERT(qvKelvinlet_Validate(load, NULL) == qv_ok && !isnan(age));
    Prepare(load, age, 1e60, kernel);
}

void qvPrepareKernelf(const qvKelvinlet* load, double age, qvKernelLoadf* kernel)
{
    QV_ASSERT(qvKelvinlet_Validate(load, NULL) == qv_ok && !isnan(age));
    qvKernelLoad d;
    Prepare(load, age, 1e12, &d);
    *kernel = (qvKernelLoadf){ .time = d.time, .parts = d.parts, .scaleCount = d.scaleCount };
    kernel->inverseUnit = (float)d.inverseUnit;
    kernel->e1 = (float)d.e1;
    kernel->e2 = (float)d.e2;
    kernel->e3 = (float)d.e3;
    kernel->alpha2[0] = (float)d.alpha2[0];
    kernel->alpha2[1] = (float)(d.alpha2[0] - kernel->alpha2[0]);
    kernel->beta2[0] = (float)d.beta2[0];
    kernel->beta2[1] = (float)(d.beta2[0] - kernel->beta2[0]);
    kernel->alphaWeight = (float)d.alphaWeight;
    kernel->waveAlpha = (float)d.waveAlpha;
    kernel->staticPart = (float)d.staticPart;
    kernel->dilation = (float)d.dilation;
    for (int i = 0; i < 3; i++)
    {
        kernel->center[i] = (float)d.center[i];
        kernel->force[i] = (float)d.force[i];
        for (int j = 0; j < 3; j++)
        {
            kernel->affine[i][j] = (float)d.affine[i][j];
            kernel->strain[i][j] = (float)d.strain[i][j];
        }
    }
}

// --- What a load does at its centre ----------------------------------------------------------------------------------

// A load of unit force, unit affine entry [0][1] and unit dilation, prepared without the fade.
static qvKernelLoad PrepareUnit(const qvKelvinlet* load, double age)
{
    qvKelvinlet unit = *load;
    unit.fade = 0.0;
    unit.force = qvMakeVec3(1.0, 0.0, 0.0);
    unit.affine = (qvMat3){ { { 0.0, 1.0, 0.0 } } };
    unit.dilation = 1.0;
    qvKernelLoad kernel;
    qvPrepareKernel(&unit, age, &kernel);
    return kernel;
}

double qvKelvinlet_CenterGain(const qvKelvinlet* load, double age)
{
    qvKernelLoad kernel = PrepareUnit(load, age);
    qvRadial radial = qvEvaluateRadial(&kernel, 0.0);
    return kernel.force[0] * (kernel.alphaWeight * radial.u[0] - radial.u[1] + radial.s[1]);
}

double qvKelvinlet_GradientGain(const qvKelvinlet* load, qvGradientPart part, double age)
{
    qvKernelLoad kernel = PrepareUnit(load, age);
    qvRadial radial = qvEvaluateRadial(&kernel, 0.0);
    double affine = kernel.affine[0][1] * kernel.inverseUnit;
    if (part == qv_gradientTurn)
        return affine * radial.ds[1];
    if (part == qv_gradientDistortion)
        return affine * (radial.ds[1] + 2.0 * (kernel.alphaWeight * radial.v[0] - radial.v[1]));
    return kernel.dilation * kernel.inverseUnit * radial.ds[0];
}

// The gain of a part, or of the force for part = qv_gradientPartCount, with fade, at an age.
static double FadedGain(const qvKelvinlet* load, qvGradientPart part, double age)
{
    double gain =
        part == qv_gradientPartCount ? qvKelvinlet_CenterGain(load, age) : qvKelvinlet_GradientGain(load, part, age);
    return gain * exp(-load->fade * age);
}

// Golden section over log age in [low, high], which brackets one maximum of |gain|.
static double RefinePeakAge(const qvKelvinlet* load, qvGradientPart part, double low, double high)
{
    const double ratio = 0.6180339887498949;
    for (int i = 0; i < 60; i++)
    {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (fabs(FadedGain(load, part, exp(a))) > fabs(FadedGain(load, part, exp(b))))
            high = b;
        else
            low = a;
    }
    return exp(0.5 * (low + high));
}

// When an impulse's gain is largest. Each speed peaks near age = radius / speed / 3.
static double SearchPeakAge(const qvKelvinlet* load, qvGradientPart part)
{
    enum
    {
        SAMPLES = 240
    };
    double fastest = fmin(qvKelvinlet_PressureSpeed(load), 1e4 * qvKelvinlet_ShearSpeed(load));
    double first = 0.03 * load->radii[0] / fastest;
    double last = 20.0 * load->radii[load->scaleCount - 1] / qvKelvinlet_ShearSpeed(load);
    if (load->fade > 0.0)
        first = fmin(first, 0.01 / load->fade);
    double low = log(first), step = (log(last) - low) / (SAMPLES - 1), best = -1.0;
    int at = 0;
    for (int i = 0; i < SAMPLES; i++)
    {
        double gain = fabs(FadedGain(load, part, exp(low + i * step)));
        at = gain > best ? i : at;
        best = fmax(gain, best);
    }
    return RefinePeakAge(load, part, low + (at - 1) * step, low + (at + 1) * step);
}

static double PeakGain(const qvKelvinlet* load, qvGradientPart part)
{
    if (load->time == qv_kelvinletImpulse)
        return FadedGain(load, part, SearchPeakAge(load, part));
    qvKelvinlet still = *load;
    still.time = qv_kelvinletStatic;
    return part == qv_gradientPartCount ? qvKelvinlet_CenterGain(&still, 0.0)
                                        : qvKelvinlet_GradientGain(&still, part, 0.0);
}

double qvKelvinlet_PeakCenterGain(const qvKelvinlet* load)
{
    return PeakGain(load, qv_gradientPartCount);
}

double qvKelvinlet_PeakAge(const qvKelvinlet* load)
{
    QV_ASSERT(load->time == qv_kelvinletImpulse);
    return SearchPeakAge(load, qv_gradientPartCount);
}

double qvKelvinlet_PeakGradientGain(const qvKelvinlet* load, qvGradientPart part)
{
    return PeakGain(load, part);
}

double qvKelvinlet_Peak(const qvKelvinlet* load)
{
    return fabs(qvKelvinlet_PeakCenterGain(load)) * qvLength(load->force);
}

qvResult qvKelvinlet_SetDisplacement(qvKelvinlet* load, qvVec3 displacement, qvError* error)
{
    if (!IsFinite3(displacement))
        return qvError_Set(error, qv_badInput, "drag: not a finite vector");
    load->force = qvMakeVec3(0.0, 0.0, 0.0);
    qvResult result = qvKelvinlet_Validate(load, error);
    if (result == qv_ok)
        load->force = qvScale(1.0 / qvKelvinlet_PeakCenterGain(load), displacement);
    return result;
}

// formulas.md 4: the three parts of the gradient are answered separately.
static void InvertGradient(qvKelvinlet* load, const qvMat3* gradient, double third)
{
    double turn = 0.5 / qvKelvinlet_PeakGradientGain(load, qv_gradientTurn);
    double distortion = 0.5 / qvKelvinlet_PeakGradientGain(load, qv_gradientDistortion);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            double a = gradient->m[i][j], b = gradient->m[j][i];
            load->affine.m[i][j] = turn * (a - b) + distortion * (a + b - (i == j ? 2.0 * third : 0.0));
        }
    }
    if (third != 0.0)
        load->dilation = third / qvKelvinlet_PeakGradientGain(load, qv_gradientDilation);
}

qvResult qvKelvinlet_SetGradient(qvKelvinlet* load, qvMat3 gradient, qvError* error)
{
    if (!IsFiniteMatrix(&gradient))
        return qvError_Set(error, qv_badInput, "gradient: not finite");
    load->affine = (qvMat3){ 0 };
    load->dilation = 0.0;
    qvResult result = qvKelvinlet_Validate(load, error);
    if (result != qv_ok)
        return result;
    double third = qvMat3_Trace(&gradient) / 3.0;
    // A trace of rounding, as a distortion may have, is none.
    if (fabs(third) <= 1e-14 * qvMat3_Norm(&gradient))
        third = 0.0;
    if (third != 0.0 && load->time == qv_kelvinletImpulse && load->poisson == 0.5)
        return qvError_Set(error, qv_badInput,
                           "poisson: an incompressible body has no pressure wave; use less than 0.5, or a push");
    InvertGradient(load, &gradient, third);
    return qv_ok;
}
