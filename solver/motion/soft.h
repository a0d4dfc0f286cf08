// SPDX-License-Identifier: GPL-3.0-or-later
// Soft keys of the whole body: how strongly they attract, and how much the motion near them is theirs.
#pragma once

#include "motion/motion.h"

/// The least kappa, so that something decides where nothing else does.
double qvMotion_Anchor(const qvMotionDef* def);

/// kappa, the weight of a soft key's squared distance in the integral of the squared force.
double qvMotion_SoftWeight(const qvMotionDef* def, double weight, double anchor);

/// What a knot of the frame's path has for a key.
double qvMotion_Softness(const qvMotionDef* def, const qvMotionKey* key, double anchor);

bool qvMotion_IsSoft(const qvMotionKey* key); ///< and for the whole body

/// kappa and presence of the keys, where any is soft.
QV_CHECKED qvResult qvMotion_BuildSoft(qvMotion* motion, const qvMotionDef* def, qvError* error);

/// Where the keys have the pins, once their values are known.
QV_CHECKED qvResult qvMotion_BuildHeld(qvMotion* motion, const qvMotionDef* def, qvError* error);

/// Between two keys a segment lies in a span from one key that is present to the next: those about which the motion
/// is linearized.
typedef struct qvSpan
{
    int from, to;
    double since, length; // seconds since its start, and its length
} qvSpan;

qvSpan qvMotion_Span(const qvMotion* motion, int segment, double since);

/// Whether more than two keys have a share in a segment.
bool qvMotion_IsMixed(const qvMotion* motion, int segment);

/// A key's share in the motion at a time of a segment, with two derivatives. Shares sum up to 1.
typedef struct qvKeyShare
{
    int key;
    double share[3];
} qvKeyShare;

/// Keys that have a share: before and after the time.
int qvMotion_ShareCount(const qvMotion* motion, int segment, int side);

/// ease: the part of a span over which the share of its end grows, in the middle of it.
qvKeyShare qvMotion_Share(const qvMotion* motion, int segment, double since, double ease, int side, int number);

/// The quintic from 0 to 1 with flat ends over the middle part of a span, with two derivatives in time.
void qvSpan_Ease(double since, double length, double part, double out[3]);
