// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of one precision and one CPU level: included by kernel_*.c, which define REAL, REAL_IS_DOUBLE and
// LANES_LEVEL. jet.inl has the arithmetic, radial.inl the formulas, evaluate.inl the loop over points.
#include "kelvinlet/kernel.h"

#include "kelvinlet/lanes.h"

#if REAL_IS_DOUBLE
typedef qvKernelLoad KernelLoad;
typedef qvBlock KernelBlock;
typedef qvKernelSet KernelSet;
#else
typedef qvKernelLoadf KernelLoad;
typedef qvBlockf KernelBlock;
typedef qvKernelSetf KernelSet;
#endif

/// Squared radii in units of the first.
typedef struct Scales
{
    lanes e2, e3;
} Scales;

typedef struct Speeds
{
    lanes alpha2, beta2, alphaWeight, waveAlpha, staticPart;
} Speeds;

/// u = A f + B (r.f) r + turn F r + B (F + F^T) r + square (r.F r) r + dilation r
typedef struct Profile
{
    lanes A, B, turn, square, dilation;
} Profile;

static inline __attribute__((always_inline)) lanes Dot(const lanes a[3], const lanes b[3])
{
    return LanesFma(a[0], b[0], LanesFma(a[1], b[1], a[2] * b[2]));
}

static inline __attribute__((always_inline)) void Assemble(const KernelLoad* load, const Profile* p, const lanes r[3],
                                                           qvKernelParts parts, lanes u[3])
{
    lanes along = LanesSet((REAL)0);
    if (parts != qv_kernelAffine)
    {
        lanes f[3] = { LanesSet(load->force[0]), LanesSet(load->force[1]), LanesSet(load->force[2]) };
        along = p->B * Dot(r, f);
        for (int c = 0; c < 3; c++)
            u[c] = p->A * f[c];
    }
    if (parts != qv_kernelVector)
    {
        lanes Fr[3];
        along = LanesFma(p->dilation, LanesSet(load->dilation), along);
        for (int c = 0; c < 3; c++)
        {
            lanes F[3] = { LanesSet(load->affine[c][0]), LanesSet(load->affine[c][1]), LanesSet(load->affine[c][2]) };
            lanes S[3] = { LanesSet(load->strain[c][0]), LanesSet(load->strain[c][1]), LanesSet(load->strain[c][2]) };
            Fr[c] = Dot(F, r);
            lanes part = LanesFma(p->turn, Fr[c], p->B * Dot(S, r));
            if (parts == qv_kernelBoth)
                part += u[c];
            u[c] = part;
        }
        along = LanesFma(p->square, Dot(r, Fr), along);
    }
    for (int c = 0; c < 3; c++)
        u[c] = LanesFma(along, r[c], u[c]);
}

#define SCALES 1
#include "kelvinlet/kernel_scales.inl"
#define SCALES 2
#include "kelvinlet/kernel_scales.inl"
#define SCALES 3
#include "kelvinlet/kernel_scales.inl"

static void Advance(int count, REAL step, const KernelBlock k[4], KernelBlock* points)
{
    lanes sixth = LanesSet(step / (REAL)6), two = LanesSet((REAL)2);
    for (int c = 0; c < 3; c++)
    {
        for (int i = 0; i < count; i += LANES_WIDTH)
        {
            lanes ends = LanesLoad(k[0].axis[c] + i) + LanesLoad(k[3].axis[c] + i);
            lanes middle = LanesLoad(k[1].axis[c] + i) + LanesLoad(k[2].axis[c] + i);
            lanes sum = LanesFma(two, middle, ends);
            LanesStore(points->axis[c] + i, LanesFma(sixth, sum, LanesLoad(points->axis[c] + i)));
        }
    }
}

#define KERNELS(Time)                                                              \
    {                                                                              \
        { Kernel##Time##Vector1, Kernel##Time##Affine1, Kernel##Time##Both1 },     \
            { Kernel##Time##Vector2, Kernel##Time##Affine2, Kernel##Time##Both2 }, \
            { Kernel##Time##Vector3, Kernel##Time##Affine3, Kernel##Time##Both3 }, \
    }

const KernelSet KERNEL_SET = { { KERNELS(Static), KERNELS(Impulse), KERNELS(Push) }, Advance };
