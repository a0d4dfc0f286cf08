// SPDX-License-Identifier: GPL-3.0-or-later
// Fields at single points in double: the reference that the vector kernels are tested against, and the rows of the
// constraint solves. Formulas: formulas.md 2 to 5.
#include "kelvinlet/field.h"

#include "base/assert.h"
#include "kelvinlet/kernel.h"
#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>

qvVec3 qvKelvinlet_Displacement(const qvKelvinlet* load, double age, qvVec3 at)
{
    qvKernelLoad kernel;
    qvPrepareKernel(load, age, &kernel);
    return qvEvaluateKernel(&kernel, at);
}

qvVec3 qvEvaluateKernel(const qvKernelLoad* kernel, qvVec3 at)
{
    qvBlock origin, out;
    origin.axis[0][0] = at.x;
    origin.axis[1][0] = at.y;
    origin.axis[2][0] = at.z;
    const qvKernelSet* set = qvGetKernelSet(qv_cpuPortable);
    set->evaluate[kernel->time][kernel->scaleCount - 1][kernel->parts](kernel, 1, &origin, &origin, 0.0, &out, false);
    return qvMakeVec3(out.axis[0][0], out.axis[1][0], out.axis[2][0]);
}

// A load of unit force, and the factors that bring the radial functions back to real units.
typedef struct Unit
{
    qvKernelLoad kernel;
    double vector, affine; // of U, S and of V, DS
    double q;              // squared distance in squared units
} Unit;

static Unit MakeUnit(const qvKelvinlet* load, double age, double r)
{
    qvKelvinlet one = *load;
    one.fade = 0.0;
    one.force = qvMakeVec3(1.0, 0.0, 0.0);
    Unit unit;
    qvPrepareKernel(&one, age, &unit.kernel);
    double inverse = unit.kernel.inverseUnit;
    unit.vector = unit.kernel.force[0];
    unit.affine = unit.vector * inverse * inverse;
    unit.q = r * inverse * r * inverse;
    return unit;
}

qvProfile qvKelvinlet_Profile(const qvKelvinlet* load, double age, double r)
{
    Unit unit = MakeUnit(load, age, r);
    qvRadial f = qvEvaluateRadial(&unit.kernel, unit.q);
    double w = unit.kernel.alphaWeight;
    qvProfile profile;
    profile.A = unit.vector * (w * f.u[0] - f.u[1] + f.s[1]);
    profile.B = unit.affine * (w * f.v[0] - f.v[1]);
    profile.A1 = profile.B + unit.affine * f.ds[1];
    profile.qB1 = unit.affine * (w * f.ds[0] - f.ds[1]) - 5.0 * profile.B;
    return profile;
}

qvStaticProfile qvKelvinlet_StaticProfile(const qvKelvinlet* load, double r)
{
    qvKelvinlet still = *load;
    still.time = qv_kelvinletStatic;
    Unit unit = MakeUnit(&still, 0.0, r);
    double d[4], w = unit.kernel.alphaWeight, q = unit.q;
    qvEvaluateStaticPowers(&unit.kernel, q, d);
    double second = unit.affine * unit.kernel.inverseUnit * unit.kernel.inverseUnit;
    double third = second * unit.kernel.inverseUnit * unit.kernel.inverseUnit;
    return (qvStaticProfile){
        .A = unit.vector * ((2.0 + w) * d[0] - q * d[1]),
        .B = unit.affine * (1.0 - w) * d[1],
        .A1 = unit.affine * (3.0 * q * d[2] - (4.0 + w) * d[1]),
        .B1 = second * -3.0 * (1.0 - w) * d[2],
        .A2 = second * ((18.0 + 3.0 * w) * d[2] - 15.0 * q * d[3]),
        .B2 = third * 15.0 * (1.0 - w) * d[3],
    };
}

// grad u = (A'/r) f r^T + (B'/r)(r.f) r r^T + B [ (r.f) I + r f^T ], given r^2 B'/r.
static qvMat3 VectorGradient(const qvProfile* p, qvVec3 f, qvVec3 r)
{
    double along = qvDot(r, f);
    qvVec3 unit = qvNormalize(r);
    qvMat3 g = qvMat3_Diagonal(p->B * along, p->B * along, p->B * along);
    qvMat3 fr = qvMat3_Outer(f, r), rf = qvMat3_Outer(r, f), rr = qvMat3_Outer(unit, unit);
    g = qvMat3_MulAdd(&g, p->A1, &fr);
    g = qvMat3_MulAdd(&g, p->B, &rf);
    return qvMat3_MulAdd(&g, p->qB1 * along, &rr);
}

// Derivative of u = (A'/r - B) F r + B (F + F^T + tr F I) r + (B'/r)(r.F r) r.
static qvMat3 AffineGradient(const qvStaticProfile* p, const qvMat3* F, qvVec3 r)
{
    qvMat3 transposed = qvMat3_Transpose(F), S = qvMat3_MulAdd(F, 1.0, &transposed);
    double trace = qvMat3_Trace(F);
    qvMat3 trI = qvMat3_Diagonal(trace, trace, trace), M = qvMat3_MulAdd(&S, 1.0, &trI);
    qvVec3 Fr = qvMat3_Apply(F, r), Mr = qvMat3_Apply(&M, r), Sr = qvMat3_Apply(&S, r);
    double rFr = qvDot(r, Fr);
    qvMat3 g = qvMat3_Diagonal(p->B1 * rFr, p->B1 * rFr, p->B1 * rFr);
    qvMat3 a = qvMat3_Outer(Fr, r), b = qvMat3_Outer(Mr, r), c = qvMat3_Outer(r, r), d = qvMat3_Outer(r, Sr);
    g = qvMat3_MulAdd(&g, p->A2 - p->B1, &a);
    g = qvMat3_MulAdd(&g, p->A1 - p->B, F);
    g = qvMat3_MulAdd(&g, p->B1, &b);
    g = qvMat3_MulAdd(&g, p->B, &M);
    g = qvMat3_MulAdd(&g, p->B2 * rFr, &c);
    return qvMat3_MulAdd(&g, p->B1, &d);
}

// A dilation of amplitude s makes u = T s r / w with T = -(2 R^3 + 3 e R^5) in the units of the kernel: the field of a
// turn, A'/r - B, on r instead of F r.
static qvMat3 DilationGradient(const qvStaticProfile* p, double dilation, qvVec3 r)
{
    double T = (p->A1 - p->B) * dilation;
    qvMat3 g = qvMat3_Diagonal(T, T, T), rr = qvMat3_Outer(r, r);
    return qvMat3_MulAdd(&g, (p->A2 - p->B1) * dilation, &rr);
}

static qvMat3 StaticGradient(const qvKelvinlet* load, qvVec3 r)
{
    qvStaticProfile p = qvKelvinlet_StaticProfile(load, qvLength(r));
    qvProfile vector = { p.A, p.B, p.A1, p.B1 * qvDot(r, r) };
    qvMat3 a = VectorGradient(&vector, load->force, r), b = AffineGradient(&p, &load->affine, r);
    qvMat3 c = DilationGradient(&p, load->dilation, r);
    a = qvMat3_MulAdd(&a, 1.0, &b);
    return qvMat3_MulAdd(&a, 1.0, &c);
}

// From the load's centre; what is further than the kernels look has a gradient of zero anyway.
static qvVec3 Offset(const qvKelvinlet* load, qvVec3 at)
{
    double limit = 1e29 * load->radii[0];
    qvVec3 r = qvSub(at, load->center);
    return qvMakeVec3(fmax(-limit, fmin(limit, r.x)), fmax(-limit, fmin(limit, r.y)), fmax(-limit, fmin(limit, r.z)));
}

qvMat3 qvKelvinlet_Gradient(const qvKelvinlet* load, double age, qvVec3 at)
{
    qvVec3 r = Offset(load, at);
    if (load->time == qv_kelvinletStatic)
        return StaticGradient(load, r);
    QV_ASSERT(qvMat3_Norm(&load->affine) == 0.0 && load->dilation == 0.0);
    qvProfile p = qvKelvinlet_Profile(load, age, qvLength(r));
    qvMat3 g = VectorGradient(&p, load->force, r);
    return qvMat3_Scaled(age > 0.0 ? exp(-load->fade * age) : 1.0, &g);
}

// Sum of formulas.md 6 for B'/r of one speed: 2n (2n - 2) u_n r^(2n - 4), n >= 2, over 3 eps^4 / (8 pi).
static double SlopeSeries(bool push, double c, double eps, double r)
{
    enum
    {
        TERMS = 16
    };
    double ce = sqrt(c * c + eps * eps), X = c / ce, before = 1.0, now = 5.0 * X, sum = 0.0;
    double y2 = r * r / (ce * ce), power = 1.0 / pow(ce, push ? 9.0 : 10.0);
    // now is the Gegenbauer polynomial of degree `degree`.
    for (int n = 0, degree = 1; n < TERMS + 2; n++)
    {
        int wanted = push ? 2 * n : 2 * n + 1;
        double value = wanted == 0 ? 1.0 : now;
        if (n >= 2)
        {
            double divisor = push ? -(2.0 * n + 1.0) * (2.0 * n + 3.0) : 2.0 * n + 3.0;
            sum += 2.0 * n * (2.0 * n - 2.0) * value / divisor * power;
            power *= y2;
        }
        for (; degree < wanted + 2; degree++)
        {
            double next = ((2.0 * degree + 5.0) * X * now - (degree + 4.0) * before) / (degree + 1.0);
            before = now;
            now = next;
        }
    }
    return sum;
}

static double SeriesSlope(const qvKelvinlet* load, double age, double r)
{
    bool push = load->time == qv_kelvinletPush;
    double eps = load->radii[0], speeds[2] = { qvKelvinlet_PressureSpeed(load), qvKelvinlet_ShearSpeed(load) };
    double sum = 0.0, re = sqrt(r * r + eps * eps);
    for (int i = 0; i < 2; i++)
    {
        double g = speeds[i], sign = i == 0 ? 1.0 : -1.0;
        if (isinf(g))
            continue;
        double factor = eps * eps * eps * eps * 3.0 / (8.0 * QV_PI * (push ? g * g : g));
        sum += sign * factor * SlopeSeries(push, g * age, eps, r);
        if (push)
            sum += sign * 3.0 / (8.0 * QV_PI * g * g * pow(re, 5.0));
    }
    return sum;
}

double qvKelvinlet_SecondSlope(const qvKelvinlet* load, double age, double r)
{
    QV_ASSERT(load->scaleCount == 1);
    if (load->time == qv_kelvinletStatic)
        return qvKelvinlet_StaticProfile(load, r).B1;
    double c = qvKelvinlet_ShearSpeed(load) * age, eps = load->radii[0];
    if (r < 0.3 * sqrt(c * c + eps * eps))
        return SeriesSlope(load, age, r);
    return qvKelvinlet_Profile(load, age, r).qB1 / (r * r);
}
