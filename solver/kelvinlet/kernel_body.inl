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

/// Squared radii.
typedef struct Scales
{
    lanes e1, e2, e3;
} Scales;

/// One speed: the squared distance a2 that its wave has travelled, what rounding lost of it, and gap = q - a2. In
/// float, far from the centre, the gap decides the accuracy: it is formed by adding squares to -a2, not from q.
typedef struct Wave
{
    lanes a2, low, gap;
} Wave;

typedef struct Speeds
{
    Wave alpha, beta;
    lanes alphaWeight, waveAlpha, staticPart;
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

/// q - a2 for both speeds, by adding the squares to -a2: the error falls with the sum.
static inline __attribute__((always_inline)) void SetGaps(const lanes r[3], Speeds* speeds)
{
#if LANES_LEVEL == 0 && !REAL_IS_DOUBLE
    double q = (double)r[0] * r[0] + (double)r[1] * r[1] + (double)r[2] * r[2];
    speeds->alpha.gap = (float)(q - speeds->alpha.a2);
    speeds->beta.gap = (float)(q - speeds->beta.a2);
#else
    lanes fromAlpha = LanesFma(r[2], r[2], -speeds->alpha.a2), fromBeta = LanesFma(r[2], r[2], -speeds->beta.a2);
    speeds->alpha.gap = LanesFma(r[0], r[0], LanesFma(r[1], r[1], fromAlpha));
    speeds->beta.gap = LanesFma(r[0], r[0], LanesFma(r[1], r[1], fromBeta));
#endif
}

#if LANES_LEVEL != 0 && !REAL_IS_DOUBLE
/// a + b and what rounding lost of it.
static inline __attribute__((always_inline)) lanes TwoSum(lanes a, lanes b, lanes* lost)
{
    lanes sum = a + b, part = sum - a;
    *lost = (a - (sum - part)) + (b - part);
    return sum;
}

/// The same with the rounding of all squares and sums carried along: affine and multi-scale fields are
/// steeper, and feel it.
static inline __attribute__((always_inline)) void SetExactGaps(const lanes r[3], Speeds* speeds)
{
    lanes square[3], lost[3], lost01, lost2;
    for (int c = 0; c < 3; c++)
    {
        square[c] = r[c] * r[c];
        lost[c] = LanesFma(r[c], r[c], -square[c]);
    }
    lanes q = TwoSum(TwoSum(square[0], square[1], &lost01), square[2], &lost2);
    lanes low = (lost[0] + lost[1]) + (lost[2] + (lost01 + lost2));
    speeds->alpha.gap = (q - speeds->alpha.a2) + low;
    speeds->beta.gap = (q - speeds->beta.a2) + low;
}
#else
#define SetExactGaps SetGaps
#endif

/// The largest coordinate, in units, that the kernels look at. Its fourth power and that of the longest travel stay
/// finite, and every field has vanished there in the precision at hand. A point beyond is taken for one at that
/// distance, so that its displacement is a finite number next to zero.
#if REAL_IS_DOUBLE
#define FAR_AWAY 5e29
#else
#define FAR_AWAY 5e8f
#endif

static inline Speeds MakeSpeeds(const KernelLoad* load)
{
    Wave alpha = { LanesSet(load->alpha2[0]), LanesSet(load->alpha2[1]), LanesSet((REAL)0) };
    Wave beta = { LanesSet(load->beta2[0]), LanesSet(load->beta2[1]), LanesSet((REAL)0) };
    return (Speeds){ alpha, beta, LanesSet(load->alphaWeight), LanesSet(load->waveAlpha), LanesSet(load->staticPart) };
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

static void Bounds(int count, const KernelBlock* block, double low[3], double high[3])
{
    alignas(64) REAL lows[3][LANES_WIDTH], highs[3][LANES_WIDTH];
    lanes least[3], most[3];
    for (int c = 0; c < 3; c++)
        least[c] = most[c] = LanesLoad(block->axis[c]);
    for (int i = LANES_WIDTH; i < count; i += LANES_WIDTH)
    {
        for (int c = 0; c < 3; c++)
        {
            lanes value = LanesLoad(block->axis[c] + i);
            least[c] = LanesMin(least[c], value);
            most[c] = LanesMax(most[c], value);
        }
    }
    for (int c = 0; c < 3; c++)
    {
        LanesStore(lows[c], least[c]);
        LanesStore(highs[c], most[c]);
        for (int half = LANES_WIDTH / 2; half > 0; half /= 2)
        {
            for (int k = 0; k < half; k++)
            {
                lows[c][k] = lows[c][k + half] < lows[c][k] ? lows[c][k + half] : lows[c][k];
                highs[c][k] = highs[c][k + half] > highs[c][k] ? highs[c][k + half] : highs[c][k];
            }
        }
        low[c] = lows[c][0];
        high[c] = highs[c][0];
    }
}

#define KERNELS(Time)                                                              \
    {                                                                              \
        { Kernel##Time##Vector1, Kernel##Time##Affine1, Kernel##Time##Both1 },     \
            { Kernel##Time##Vector2, Kernel##Time##Affine2, Kernel##Time##Both2 }, \
            { Kernel##Time##Vector3, Kernel##Time##Affine3, Kernel##Time##Both3 }, \
    }

const KernelSet KERNEL_SET = { { KERNELS(Static), KERNELS(Impulse), KERNELS(Push) }, Advance, Bounds };
