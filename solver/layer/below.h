// SPDX-License-Identifier: GPL-3.0-or-later
// How engines ask for the motion below: the body's points with their velocities at a moment, and a guide, which knows
// where things of an engine's own are in that motion at any time without asking for it at every step.
#pragma once

#include "layer/engine.h"

static const double qvBelow_Near = 1e-4; ///< s to both sides, for velocities

/// Where things are and how fast, at a moment: the body's points, or what an engine moves.
typedef struct qvMoving
{
    qvVec3 *at, *velocity;
} qvMoving;

/// What asking takes. Start with all zero.
typedef struct qvBelow
{
    const qvBaseMotion* motion;
    qvVec3f* points; // at three times
    void* scratch;
} qvBelow;

/// The input must outlive it. False: out of memory.
bool qvBelow_Open(qvBelow* below, const qvEngineInput* input);
void qvBelow_Close(qvBelow* below);

/// The body's points at a time, until the next question.
const qvVec3f* qvBelow_Points(const qvBelow* below, double time);

/// The body's points and their velocities.
void qvBelow_Moving(const qvBelow* below, double time, const qvMoving* points);

/// How an engine finds its things in the motion below at a time.
typedef void qvFindMoving(void* context, double time, const qvMoving* moving);

/// Start with all zero.
typedef struct qvGuide
{
    int count;
    double start; // s
    double jump;
    qvFindMoving* find;
    void* context;
    qvMoving knots[2];
    double knot; // number of the first; NAN: none yet
    qvVec3* room;
} qvGuide;

/// start: the time of clock 0. jump: how far a thing may leave the even way between two knots without being at rest
/// before and after. False: out of memory.
bool qvGuide_Open(qvGuide* guide, int count, double start, double jump, qvFindMoving* find, void* context);
void qvGuide_Close(qvGuide* guide);

/// Where the things are at a clock.
void qvGuide_At(qvGuide* guide, double clock, const qvMoving* moving);
