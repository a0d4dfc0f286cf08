// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "motion/warp.h"

/// How the way from a shape to each of the others starts: the derivative of the points along the straight line in
/// rotation-strain coordinates. Pins go straight to where the other shape has them. ways [3 pointCount x shapeCount -
/// 1], without the shape itself.
QV_CHECKED qvResult qvWarp_FillWays(const qvWarp* warp, int index, const qvJob* job, double* ways, qvError* error);

/// The shape to which the way with this number leads.
static inline int qvWarp_WayTo(int index, int way)
{
    return way < index ? way : way + 1;
}
