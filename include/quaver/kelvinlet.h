// SPDX-License-Identifier: GPL-3.0-or-later
/// Kelvinlets: closed-form displacements of an infinite elastic body under a regularized load. Static ones pose a mesh,
/// dynamic ones send elastic waves through it.
///
///     qvKelvinlet load = qvDefaultKelvinlet();
///     load.time = qv_kelvinletImpulse;
///     load.center = qvMakeVec3(0, 1, 0);
///     qvKelvinlet_SetRadius(&load, 0.5, 1);
///     qvKelvinlet_SetSpeed(&load, 3);
///     if (qvKelvinlet_SetDisplacement(&load, qvMakeVec3(0, -0.2, 0), &error) != qv_ok) ...
///     qvVec3 u = qvKelvinlet_Displacement(&load, age, x);
///
/// Lengths are in scene units, times in seconds. A load has a force (a vector) and an affine part (a matrix); either
/// may be zero. Loads are meant to be set by what they do (SetDisplacement, SetGradient), not by force.
#pragma once

#include "quaver/job.h"
#include "quaver/mat3.h"
#include "quaver/math.h"
#include "quaver/result.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qvKelvinletTime
{
    qv_kelvinletStatic,    ///< at rest under a constant load; age is ignored
    qv_kelvinletImpulse,   ///< after a blow at age 0
    qv_kelvinletPush,      ///< under a load that starts at age 0 and stays; tends to the static field
    qv_kelvinletTransient, ///< push minus static, evaluated without cancellation; tends to zero
} qvKelvinletTime;

typedef struct qvKelvinlet
{
    qvKelvinletTime time;
    qvVec3 center;
    double radii[3];  ///< ascending, 1e-30 to 1e30; the first scaleCount count
    int scaleCount;   ///< 1, 2 or 3: the far field decays like r^-1, r^-3, r^-5 (affine: r^-2, r^-4, r^-6)
    double stiffness; ///< shear modulus over density, > 0: the square of the shear wave's speed
    double poisson;   ///< 0 to 0.5; at 0.5 the pressure wave is infinitely fast
    double fade;      ///< 1/s, >= 0: dynamic fields are multiplied by exp(-fade age), static ones are not
    qvVec3 force;
    qvMat3 affine;
    double dilation; ///< a part s I of the affine load, given as s (1 - 2 poisson) / (2 - 2 poisson), so that a
                     ///< change of size stays possible at poisson = 0.5, as the limit
} qvKelvinlet;

/// A static load without force: radius 1, one scale, stiffness 1, poisson 0.45, no fade, at the origin.
qvKelvinlet qvDefaultKelvinlet(void);

/// Radii radius, 1.1 radius, 1.21 radius.
void qvKelvinlet_SetRadius(qvKelvinlet* load, double radius, int scaleCount);

/// Sets the stiffness from the speed of the shear wave, in units per second.
void qvKelvinlet_SetSpeed(qvKelvinlet* load, double speed);

double qvKelvinlet_ShearSpeed(const qvKelvinlet* load);
double qvKelvinlet_PressureSpeed(const qvKelvinlet* load); ///< INFINITY at poisson = 0.5

/// Checks every field: finite, in range, radii ascending by at least 1e-6. The other functions assert what this
/// checks.
QV_CHECKED qvResult qvKelvinlet_Validate(const qvKelvinlet* load, qvError* error);

/// Sets the force such that the centre moves by this much: finally (static, push, transient: by the push that it
/// belongs to), or at the peak over time (impulse, with its fade). Fails on an invalid load.
QV_CHECKED qvResult qvKelvinlet_SetDisplacement(qvKelvinlet* load, qvVec3 displacement, qvError* error);

/// Sets the affine part such that the displacement gradient at the centre is this; for an impulse, the rotation,
/// the distortion and the dilation each have it at their own peak over time. A dilation works for every Poisson
/// ratio, save as an impulse at 0.5, which is an error.
QV_CHECKED qvResult qvKelvinlet_SetGradient(qvKelvinlet* load, qvMat3 gradient, qvError* error);

/// Peak over time of the displacement's length at the centre that the force makes (final one: static and push).
double qvKelvinlet_Peak(const qvKelvinlet* load);

/// Displacement at a point, in double. age is in seconds since the load's start; zero field for age <= 0 (a
/// transient is minus the static field then). Finite for every finite point and age, however far away.
qvVec3 qvKelvinlet_Displacement(const qvKelvinlet* load, double age, qvVec3 at);

/// Displacement gradient at a point: m[i][j] = du_i/dx_j. A dynamic load must have no affine part.
qvMat3 qvKelvinlet_Gradient(const qvKelvinlet* load, double age, qvVec3 at);

// --- Many points ---------------------------------------------------------------------------------------------

/// Points as one array per axis, caller-owned.
typedef struct qvPointsf
{
    float *x, *y, *z;
    int count;
} qvPointsf;

typedef struct qvPoints
{
    double *x, *y, *z;
    int count;
} qvPoints;

enum
{
    qv_estimateSubsteps = 0, ///< as many substeps as the error estimate asks for
    qv_linear = -1,          ///< no advection: the displacement itself
};

typedef struct qvAdvection
{
    int substeps;     ///< RK4 steps, 1 to 256, or one of the two values above
    double tolerance; ///< of the estimate, in radii
    bool travel;      ///< each centre moves along with the field, so that it ends exactly where it is pushed to
    bool cull;        ///< skip blocks of points where a load stays below 1e-7 of its peak
} qvAdvection;

/// Estimated substeps, 1e-3 radii, travelling centres, culling.
qvAdvection qvDefaultAdvection(void);

/// The number of substeps that qvAdvect… would take for these loads.
int qvEstimateSubsteps(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options);

/// Displacements of points carried through the sum of the loads' fields, frozen at an age, over a unit of pseudo
/// time. points and displacements may be the same arrays. The same bits for any pool.
QV_CHECKED qvResult qvAdvectf(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                              const qvPointsf* points, qvPointsf* displacements, qvPool* pool, qvError* error);
QV_CHECKED qvResult qvAdvect(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                             const qvPoints* points, qvPoints* displacements, qvPool* pool, qvError* error);

// --- Waves: loads in time ------------------------------------------------------------------------------------

typedef struct qvWave
{
    qvKelvinlet load;
    double start; ///< seconds
} qvWave;

/// Displacements at a time of points that every load finds at the same place: each load carries the points through
/// its own field, and the displacements add. Loads that have not started or whose wave has passed cost nothing.
QV_CHECKED qvResult qvAddWavesf(const qvWave* waves, int waveCount, double time, const qvAdvection* options,
                                const qvPointsf* points, qvPointsf* displacements, qvPool* pool, qvError* error);

/// A time series: every load meets a point where the loads before it have carried it by the load's start (de Goes
/// and James 2018, eq. 20). Those material points are found once; then any time can be evaluated in any order.
typedef struct qvWaveSeries qvWaveSeries;

/// waves ascending by start. bodies is NULL, or holds waveCount arrays: where the body itself has the points at
/// each load's start (else at points). Everything is copied.
QV_CHECKED qvResult qvCreateWaveSeries(const qvWave* waves, int waveCount, const qvAdvection* options,
                                       const qvPointsf* points, const qvPointsf* bodies, qvPool* pool,
                                       qvWaveSeries** series, qvError* error);
void qvDestroyWaveSeries(qvWaveSeries* series);

/// Sum of all displacements at a time; displacements has the points' count. The same bits for any pool.
QV_CHECKED qvResult qvWaveSeries_Evaluate(const qvWaveSeries* series, double time, qvPool* pool,
                                          qvPointsf* displacements, qvError* error);

/// The same for one point, in double: *end is where it is at a time, materialPoints (waveCount entries) where each
/// wave found it.
QV_CHECKED qvResult qvCarryPoint(const qvWave* waves, int waveCount, const qvAdvection* options, qvVec3 at, double time,
                                 qvVec3* materialPoints, qvVec3* end, qvError* error);

/// Keyframes with transients (eq. 21): where a point is at a time after the last key, given its place at every key
/// (keyPoints, count entries). waves are the pushes that made the keys.
qvVec3 qvAddTransients(const qvWave* waves, int count, const qvVec3* keyPoints, double time);

// --- Loads from what they should do --------------------------------------------------------------------------

typedef struct qvSolveReport
{
    int unknownCount;
    int rank;          ///< below unknownCount: some directions could not be told apart and were left at zero
    double condition;  ///< of the scaled matrix, estimated
    double residual;   ///< largest miss of a constraint, in units of displacement
    bool leastSquares; ///< the direct solve would have been ill-conditioned
} qvSolveReport;

typedef struct qvHandle
{
    qvVec3 at;
    double radius; ///< > 0
    bool moves;    ///< displacement counts
    bool turns;    ///< gradient counts
    qvVec3 displacement;
    qvMat3 gradient;
} qvHandle;

/// Static loads, one per handle, that together give every handle its displacement and gradient. like gives scale
/// count, stiffness and Poisson ratio. Nearly coincident handles are solved by least squares.
QV_CHECKED qvResult qvSolveHandles(const qvKelvinlet* like, const qvHandle* handles, int count, qvKelvinlet* loads,
                                   qvSolveReport* report, qvError* error);

typedef struct qvWaveTarget
{
    qvVec3 at;
    double time;
    qvVec3 displacement;
} qvWaveTarget;

/// Forces of the waves such that the sum of their displacements (not advected) meets the targets at their points
/// and times, in the sense of least squares; of several solutions the smallest.
QV_CHECKED qvResult qvSolveWaves(qvWave* waves, int waveCount, const qvWaveTarget* targets, int targetCount,
                                 qvSolveReport* report, qvError* error);

#ifdef __cplusplus
}
#endif
