// SPDX-License-Identifier: GPL-3.0-or-later
// Fields at single points in double.
#pragma once

#include "kelvinlet/kernel.h"

/// Displacement by a prepared load.
qvVec3 qvEvaluateKernel(const qvKernelLoad* kernel, qvVec3 at);

/// Highest divided differences of r_e^-1, r_e^-3, r_e^-5, r_e^-7 (formulas.md 3), in the kernel's unit.
void qvEvaluateStaticPowers(const qvKernelLoad* load, double q, double powers[4]);

/// The static A and B with their derivatives: A1 = A'/r, A2 = A1'/r, and so on.
typedef struct qvStaticProfile
{
    double A, B, A1, B1, A2, B2;
} qvStaticProfile;

qvStaticProfile qvKelvinlet_StaticProfile(const qvKelvinlet* load, double r);
