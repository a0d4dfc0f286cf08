// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "motion/warp.h"

/// Fills the turns of all shapes from the mean gradients of their nodes [9 nodeCount x shapeCount].
QV_CHECKED qvResult qvWarp_FindTurns(qvWarp* warp, const double* gradients, const qvJob* job, qvError* error);

/// psi (by rows) for a unit change of each of the nine numbers of a node's gradient.
void qvWarp_Measure(const double plane[11], const double gradient[9], const double rotation[9], double out[27]);
