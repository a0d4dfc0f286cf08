// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "motion/warp.h"

/// How the way from a shape to each of those listed in `to` starts: the derivative of the points along the straight
/// line in rotation-strain coordinates. Pins go straight to where the other shape has them. ways [3 pointCount x
/// count].
QV_CHECKED qvResult qvWarp_FillWays(const qvWarp* warp, int index, const int32_t* to, int count, const qvJob* job,
                                    double* ways, qvError* error);
