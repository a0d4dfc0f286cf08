// SPDX-License-Identifier: GPL-3.0-or-later
/// Wiggly splines: the curves w(t) through given knots that need the least force, where the force is that of a damped
/// spring, L = w'' + 2 delta w' + lambda w + g. They minimise the integral of L^2. With lambda = delta = 0 they are
/// cubic splines; with lambda > 0 they anticipate, overshoot and settle.
///
/// Many modes (each with its own lambda, delta and g) share the same knot times and are solved together. What depends
/// on times, lambda and delta alone lives in a plan; moving a key's value only repeats qvWigglyPlan_Solve.
///
///     qvWigglyDef def = qvDefaultWigglyDef();
///     def.knotCount = 3, def.times = times, def.modeCount = 200, def.lambda = lambda, def.delta = delta;
///     def.last = qv_sideForceFree;
///     if (qvCreateWigglyPlan(&def, &plan, &error) == qv_ok &&
///         qvWigglyPlan_Solve(plan, &data, &solution, &error) == qv_ok)
///         qvWigglyPlan_Evaluate(plan, &solution, data.force, frames, 300, pool, w, NULL, NULL);
///
/// Arrays with one row per knot have modeCount numbers a row: item[knot * modeCount + mode]. Times are in seconds;
/// values may have any unit.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What holds at one side of a knot.
typedef enum qvWigglySide
{
    qv_sideSmooth,       ///< velocity and force are continuous (with one lambda and delta: the curve is C2)
    qv_sideVelocity,     ///< the velocity is given
    qv_sideAcceleration, ///< the second derivative is given
    qv_sideForceFree,    ///< L = 0: the velocity is whatever needs the least force
} qvWigglySide;

/// What a plan is made from. Arrays belong to the caller and are copied. Start from qvDefaultWigglyDef().
typedef struct qvWigglyDef
{
    int knotCount;       ///< at least 2; at least 1 when circular
    const double* times; ///< strictly ascending

    int modeCount;        ///< at least 1
    const double* lambda; ///< squared angular frequency of each mode, 1/s^2, any sign
    const double* delta;  ///< damping rate of each mode, 1/s, any sign
    int segmentStride;    ///< 0: the same on every segment; modeCount: lambda and delta have a row per segment

    double period; ///< above 0: circular, knot 0 follows the last knot at times[0] + period. Default 0

    qvWigglySide first, last; ///< at the two ends, not smooth; unused when circular. Default qv_sideVelocity

    /// Where the spline is split: one entry per knot, for the side before and after it. Both smooth, or neither.
    /// Different velocities before and after are an impact. NULL (the default): smooth everywhere. Entries of the
    /// two ends count only when circular.
    const qvWigglySide* before;
    const qvWigglySide* after;

    /// How strongly the value of each knot attracts: INFINITY passes through it, a finite weight adds
    /// weight (w - value)^2 to the integral, 0 leaves the value free. NULL (the default): INFINITY everywhere.
    /// Finite weights exclude qv_sideAcceleration.
    const double* weights;
} qvWigglyDef;

qvWigglyDef qvDefaultWigglyDef(void);

/// Immutable once made; may be used from several threads at once.
typedef struct qvWigglyPlan qvWigglyPlan;

/// Fails with qv_badInput for times that do not ascend, numbers that are not finite and spacings whose products
/// with lambda and delta leave the range of doubles. An undamped circular spline is undetermined when every segment
/// is a multiple of half a period of the mode: such a mode gets a damping of 1e-4 over the longest segment. Avoid
/// qv_sideForceFree at the start of a strongly damped spline: the curve of least force may leave far outside its
/// values there.
QV_CHECKED qvResult qvCreateWigglyPlan(const qvWigglyDef* def, qvWigglyPlan** plan, qvError* error);
void qvDestroyWigglyPlan(qvWigglyPlan* plan);

/// What changes without a new plan.
typedef struct qvWigglyData
{
    const double* values; ///< a row per knot; rows of knots with weight 0 are not read
    const double* before; ///< given velocities and accelerations of sides before knots; NULL: all zero
    const double* after;  ///< the same after knots; NULL: all zero
    const double* force;  ///< g, laid out like lambda; NULL: zero
} qvWigglyData;

/// Caller-owned arrays, a row per knot each.
typedef struct qvWigglySolution
{
    double* values;
    double* before; ///< velocities just before the knots; of the first knot (not circular) the same as after
    double* after;  ///< velocities just after the knots; of the last knot (not circular) the same as before
} qvWigglySolution;

/// Allocation-free unless some knots are soft or free, and then small. Fails only when memory runs out. data and
/// solution may share arrays.
QV_CHECKED qvResult qvWigglyPlan_Solve(const qvWigglyPlan* plan, const qvWigglyData* data,
                                       const qvWigglySolution* solution, qvError* error);

/// Values and first and second derivatives of all modes at timeCount times in any order (ascending is fastest): a
/// row of modeCount numbers per time. Each output may be NULL. A time at a split knot means just after it; times
/// outside wrap around when circular, else they mean the nearer end. Allocation-free; the same bits for any pool.
void qvWigglyPlan_Evaluate(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                           const double* times, int timeCount, qvPool* pool, double* values, double* velocities,
                           double* accelerations);

/// Lets go of everything but what qvWigglyPlan_Evaluate needs, which alone may be called from then on. rowOf, one entry
/// per knot, says which row of solutions has a knot, and of the force the segment that starts there: rowCount rows in
/// all, -1 for knots that nobody asks for; it stays the caller's as long as the plan lives. NULL: a row per knot, as
/// before.
void qvWigglyPlan_Settle(qvWigglyPlan* plan, const int32_t* rowOf, int rowCount);

/// Second derivatives at the knots from the left and from the right, a row per knot. Entries without a segment on
/// that side are those of the other side.
void qvWigglyPlan_KnotAccelerations(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                                    double* before, double* after);

/// The integral of L^2 of each mode, without the soft keys' part.
void qvWigglyPlan_Energy(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                         double* energies);

/// The least energy of one mode as a function of its values W at the knots (weights and data->values play no role):
///     E(W) = W^T matrix W + 2 linear . W + constant
/// matrix has knotCount x knotCount numbers and is symmetric, linear has knotCount. Needs a plan without
/// qv_sideAcceleration. Fails only when memory runs out.
QV_CHECKED qvResult qvWigglyPlan_QuadraticForm(const qvWigglyPlan* plan, const qvWigglyData* data, int mode,
                                               double* matrix, double* linear, double* constant, qvError* error);

/// Free motion w'' + 2 delta w' + lambda (w - center) = 0 from value and velocity at time 0: value, velocity and
/// acceleration at time t >= 0. Oscillation decays to 5 % in a time of 3 / delta.
void qvFreeVibration(double lambda, double delta, double center, double value, double velocity, double t,
                     double out[3]);

#ifdef __cplusplus
}
#endif
