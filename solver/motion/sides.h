// SPDX-License-Identifier: GPL-3.0-or-later
// What holds at the two sides of every key: how velocity modes, kinds of segments, ends and loops become the sides of
// a wiggly spline. Shared by the frame and the modes.
#pragma once

#include "quaver/motion.h"
#include "quaver/wiggly.h"

#include <stdbool.h>

typedef struct qvKnot
{
    double time;
    qvMotionKind kind; // of the segment that arrives here
    qvVelocityMode mode;
    bool given[2]; // of a broken knot: whether the velocity before and after is given
} qvKnot;

/// Number of segments: one fewer than knots, or as many in a loop.
int qvSegmentCount(int knotCount, double period);

/// The knot where segment ends.
int qvSegmentEnd(int segment, int knotCount);

/// Length of a segment in seconds.
double qvSegmentLength(const qvKnot* knots, int segment, int knotCount, double period);

/// The segment of a time inside the knots' range (in a loop: any time) and the time since its start. A time at a knot
/// belongs to the segment after it. times ascend.
int qvFindSegment(const double* times, int knotCount, double period, double time, double* since);

/// Sides of a smooth curve through the knots. Next to linear and hold segments the velocity is given (as zero, unless
/// the knot says otherwise). Whether gravity's flight spans a segment is for the caller to say.
void qvSmoothSides(const qvKnot* knots, int knotCount, double period, qvWigglySide* before, qvWigglySide* after);
