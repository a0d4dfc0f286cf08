// SPDX-License-Identifier: GPL-3.0-or-later
// Also the radial functions themselves, for the reference fields.
#include "base/assert.h"
#include "kelvinlet/field.h"

#define REAL           double
#define REAL_IS_DOUBLE 1
#define LANES_LEVEL    0
#define KERNEL_SET     qvKernelsDoublePortable
#include "kelvinlet/kernel_body.inl"

static void StaticRadial(const KernelLoad* load, double q, double still[4], double* fifth, double* seventh)
{
    Scales scales = { load->e1, load->e2, load->e3 };
    q = fmin(q, FAR_AWAY * FAR_AWAY);
    if (load->scaleCount == 1)
        StaticRadial1(&scales, q, still, fifth, seventh);
    else if (load->scaleCount == 2)
        StaticRadial2(&scales, q, still, fifth, seventh);
    else
        StaticRadial3(&scales, q, still, fifth, seventh);
}

void qvEvaluateStaticPowers(const qvKernelLoad* load, double q, double powers[4])
{
    double still[4];
    StaticRadial(load, q, still, &powers[2], &powers[3]);
    powers[0] = still[0];
    powers[1] = -still[2];
}

static qvRadial StaticBoth(const KernelLoad* load, double q)
{
    double still[4], fifth, seventh;
    StaticRadial(load, q, still, &fifth, &seventh);
    qvRadial out;
    for (int g = 0; g < 2; g++)
    {
        out.u[g] = still[0];
        out.s[g] = still[1];
        out.v[g] = still[2];
        out.ds[g] = still[3];
    }
    return out;
}

qvRadial qvEvaluateRadial(const qvKernelLoad* load, double q)
{
    QV_ASSERT(load->scaleCount >= 1 && load->scaleCount <= 3 && q >= 0.0);
    Scales scales = { load->e1, load->e2, load->e3 };
    Speeds speeds = MakeSpeeds(load);
    q = fmin(q, FAR_AWAY * FAR_AWAY);
    speeds.alpha.gap = q - load->alpha2[0];
    speeds.beta.gap = q - load->beta2[0];
    double alpha[4], beta[4];
    if (load->time == qv_kernelStatic)
        return StaticBoth(load, q);
    if (load->scaleCount == 1)
        Radial1(&scales, &speeds, q, load->time, alpha, beta);
    else if (load->scaleCount == 2)
        Radial2(&scales, &speeds, q, load->time, alpha, beta);
    else
        Radial3(&scales, &speeds, q, load->time, alpha, beta);
    return (qvRadial){ { alpha[0], beta[0] }, { alpha[1], beta[1] }, { alpha[2], beta[2] }, { alpha[3], beta[3] } };
}
