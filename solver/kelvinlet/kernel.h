// SPDX-License-Identifier: GPL-3.0-or-later
// The vector kernels: displacements of one load at a block of points, in float and in double, one version per CPU
// level. All versions are compiled from kernel_body.inl.
#pragma once

#include "base/cpu.h"
#include "quaver/kelvinlet.h"

#include <stdalign.h>
#include <stdbool.h>

enum
{
    qv_blockSize = 256, ///< points per block, a multiple of every vector width
};

/// What the kernels know of time. A transient is a push without its static part.
typedef enum qvKernelTime
{
    qv_kernelStatic,
    qv_kernelImpulse,
    qv_kernelPush,
    qv_kernelTimeCount,
} qvKernelTime;

/// Which parts of the load are there.
typedef enum qvKernelParts
{
    qv_kernelVector,
    qv_kernelAffine,
    qv_kernelBoth,
    qv_kernelPartsCount,
} qvKernelParts;

/// A load at one moment, ready for the kernels. Lengths are in units of the power of two next to the first radius, so
/// that scaling is exact; the amplitude and the factor of the divided difference (see jet.inl) are folded into force,
/// affine and dilation.
#define QV_KERNEL_LOAD(Real, Name)                                                                                \
    typedef struct Name                                                                                           \
    {                                                                                                             \
        qvKernelTime time;                                                                                        \
        qvKernelParts parts;                                                                                      \
        int scaleCount;                                                                                           \
        Real center[3];                                                                                           \
        Real inverseUnit;                                                                                         \
        Real e1, e2, e3;   /* squared radii */                                                                    \
        Real alpha2[2];    /* squared distance that the pressure wave has travelled, and what rounding lost */    \
        Real beta2[2];     /* the same of the shear wave */                                                       \
        Real alphaWeight;  /* impulse: 1; push and static: (beta/alpha)^2; incompressible: 0 */                   \
        Real waveAlpha;    /* 0 when the pressure wave is infinitely fast, else 1 */                              \
        Real staticPart;   /* push: 1, transient: 0 */                                                            \
        Real force[3];     /* vector load */                                                                      \
        Real affine[3][3]; /* affine load without its trace */                                                    \
        Real strain[3][3]; /* affine + its transpose */                                                           \
        Real dilation;     /* trace/3 of the affine load times alphaWeight: finite in the incompressible limit */ \
    } Name;

QV_KERNEL_LOAD(float, qvKernelLoadf)
QV_KERNEL_LOAD(double, qvKernelLoad)
#undef QV_KERNEL_LOAD

/// Points or displacements of a block, one array per axis. Aligned for every level.
typedef struct qvBlockf
{
    alignas(64) float axis[3][qv_blockSize];
} qvBlockf;

typedef struct qvBlock
{
    alignas(64) double axis[3][qv_blockSize];
} qvBlock;

/// Displacement at origin + step slope for the first count points (count is rounded up to the vector width; what lies
/// beyond must hold finite numbers). Written to out, or added to it.
typedef void qvKernelFcnf(const qvKernelLoadf* load, int count, const qvBlockf* origin, const qvBlockf* slope,
                          float step, qvBlockf* out, bool add);
typedef void qvKernelFcn(const qvKernelLoad* load, int count, const qvBlock* origin, const qvBlock* slope, double step,
                         qvBlock* out, bool add);

/// points += step/6 (k[0] + 2 k[1] + 2 k[2] + k[3]), the last line of RK4.
typedef void qvKernelAdvanceFcnf(int count, float step, const qvBlockf k[4], qvBlockf* points);
typedef void qvKernelAdvanceFcn(int count, double step, const qvBlock k[4], qvBlock* points);

/// The box of the first count points (count rounded up to the vector width).
typedef void qvKernelBoundsFcnf(int count, const qvBlockf* points, double low[3], double high[3]);
typedef void qvKernelBoundsFcn(int count, const qvBlock* points, double low[3], double high[3]);

typedef struct qvKernelSetf
{
    qvKernelFcnf* evaluate[qv_kernelTimeCount][3][qv_kernelPartsCount]; ///< [time][scaleCount - 1][parts]
    qvKernelAdvanceFcnf* advance;
    qvKernelBoundsFcnf* bounds;
} qvKernelSetf;

typedef struct qvKernelSet
{
    qvKernelFcn* evaluate[qv_kernelTimeCount][3][qv_kernelPartsCount];
    qvKernelAdvanceFcn* advance;
    qvKernelBoundsFcn* bounds;
} qvKernelSet;

/// The kernels of a level, which this machine must have.
const qvKernelSetf* qvGetKernelSetf(qvCpuLevel level);
const qvKernelSet* qvGetKernelSet(qvCpuLevel level);

extern const qvKernelSetf qvKernelsFloatPortable, qvKernelsFloatAvx2, qvKernelsFloatAvx512;
extern const qvKernelSet qvKernelsDoublePortable, qvKernelsDoubleAvx2, qvKernelsDoubleAvx512;

/// The radial functions of formulas.md 5 for the compound of all scales, at squared distance q (in squared units).
/// [0] pressure wave, [1] shear wave; static: [0] and [1] without the weight of [0].
typedef struct qvRadial
{
    double u[2], s[2], v[2], ds[2];
} qvRadial;

/// In double, with the portable kernel's arithmetic.
qvRadial qvEvaluateRadial(const qvKernelLoad* load, double q);

/// Prepares a load at an age (seconds since its start; ignored by static loads). A load that has not started gives
/// zero amplitudes.
void qvPrepareKernel(const qvKelvinlet* load, double age, qvKernelLoad* kernel);
void qvPrepareKernelf(const qvKelvinlet* load, double age, qvKernelLoadf* kernel);
