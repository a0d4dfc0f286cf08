// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the moving frame of a body and of its oscillators.
#pragma once

#include "quaver/mat3.h"

/// The rotation by |v| radians about v (Rodrigues).
qvMat3 qvRotationOf(qvVec3 v);

/// The frame of R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method"
/// (2022), eq. 11: velocities in the world, accelerations in the body's axes.
typedef struct qvPaperFrame
{
    qvMat3 rotation;
    qvVec3 place, velocity, spin;
} qvPaperFrame;

void qvPaperFrame_Step(qvPaperFrame* frame, double dt, qvVec3 acceleration, qvVec3 angularAcceleration, qvVec3 gravity);

/// The angular velocity (world) half a step ahead of a free body with the angular momentum L (world) and the inertia in
/// its own axes; rotation turns them into the world. With it as the spin of the whole step, L is kept exactly and the
/// energy to third order (eq. 11 lacks the gyroscopic term).
qvVec3 qvMidpointSpin(const qvMat3* rotation, const qvMat3* inertia, qvVec3 momentum, double dt);

/// An oscillator's exact step (q, v) -> (a11 q + a12 v, a21 q + a22 v) without force.
typedef struct qvOscillator
{
    double a11, a12, a21, a22;
} qvOscillator;

/// omega > 0, damping (of critical) in [0, 1).
qvOscillator qvMakeOscillator(double omega, double damping, double dt);

/// The inverse of a symmetric positive definite matrix.
qvMat3 qvInvertInertia(const qvMat3* inertia);
