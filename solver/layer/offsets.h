// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that are offsets from a motion, kept in the frames that it carries along. With P(t) where it has a point, R
// the point's place at rest and A(t) the linear map that it carries vectors along with from rest, a shape X is at P + A
// (X - R).
#pragma once

#include "quaver/base_motion.h"

/// Where offsets from a motion are at a time: its points, and on them those of a shape less those at rest, turned
/// along. points holds the shape and gets the result; work has as many entries, scratch what the motion needs.
void qvAddOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvPool* pool,
                  qvVec3f* work, qvVec3f* points);
/// The other way.
void qvRemoveOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvVec3f* work,
                     qvVec3f* points);
