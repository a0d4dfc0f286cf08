// SPDX-License-Identifier: GPL-3.0-or-later
// What a load does at its centre, and how far it reaches.
#pragma once

#include "quaver/kelvinlet.h"

/// A and B of u = (A I + B r r^T) f with their derivatives over r, for the compound of all scales. qB1 is r^2 B'/r.
typedef struct qvProfile
{
    double A, B, A1, qB1;
} qvProfile;

/// At distance r >= 0 and an age; without the fade.
qvProfile qvKelvinlet_Profile(const qvKelvinlet* load, double age, double r);

/// B'/r of one radius at any distance, by the series of formulas.md 6 where the closed form would divide noise.
double qvKelvinlet_SecondSlope(const qvKelvinlet* load, double age, double r);

/// The parts of an affine load that the body answers separately.
typedef enum qvGradientPart
{
    qv_gradientTurn,       ///< skew
    qv_gradientDistortion, ///< symmetric without trace
    qv_gradientDilation,   ///< trace, per unit of the load's dilation
    qv_gradientPartCount,
} qvGradientPart;

/// Displacement of the centre per unit force, without the fade.
double qvKelvinlet_CenterGain(const qvKelvinlet* load, double age);

/// Gradient at the centre per unit of a part, without the fade.
double qvKelvinlet_GradientGain(const qvKelvinlet* load, qvGradientPart part, double age);

/// The same gains with fade, at their peak over time (impulse) or finally (all others).
double qvKelvinlet_PeakCenterGain(const qvKelvinlet* load);
double qvKelvinlet_PeakGradientGain(const qvKelvinlet* load, qvGradientPart part);

/// When an impulse displaces its centre most.
double qvKelvinlet_PeakAge(const qvKelvinlet* load);

/// The displacement stays below a limit at distances below inner and above outer.
typedef struct qvReach
{
    double inner, outer;
} qvReach;

qvReach qvKelvinlet_Reach(const qvKelvinlet* load, double age, double limit);

/// Below this a displacement of the load is invisible: 1e-7 of its peak.
double qvKelvinlet_Threshold(const qvKelvinlet* load);
