// SPDX-License-Identifier: GPL-3.0-or-later
// An engine for tests, which has a closed form: every point of the body is a damped spring that pulls it to its place
// at rest, under gravity. x'' + 2 d x' + w^2 (x - rest) = gravity with w = 2 pi wobble and d = 3 / settle < w.
#pragma once

#include "layer/engine.h"

extern const qvEngine swarmEngine;

/// The same springs, whose body bursts: from Swarm_BurstTime on every point is a tetrahedron, and after as long again
/// two of them, side by side. With `follow` 1 it never does.
extern const qvEngine burstEngine;
double Swarm_BurstTime(const qvSimulationDef* def);

/// Where a point is so long after the start, and how fast.
qvVec3 Swarm_Position(const qvSimulationDef* def, qvVec3 rest, qvVec3 start, qvVec3 velocity, double since);
