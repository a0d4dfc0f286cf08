// SPDX-License-Identifier: GPL-3.0-or-later
// A limb as a rod: a straight centre line that bends at joints and takes its cross-sections along. Sections turn but
// keep their shape, and the line keeps its length, so that neither girth nor length of the limb changes.
#pragma once

#include "quaver/math.h"

enum
{
    qv_maxRodJoints = 4,
    qv_rodKnots = 40, ///< of the centre line through a joint
};

typedef struct qvRodDef
{
    qvVec3 joint;   ///< where the limb begins to turn
    qvVec3 tip;     ///< the place on the centre line that is taken
    qvVec3 target;  ///< where the tip should go; it gets as near as the lengths allow
    int segments;   ///< 1 to 4 of one length, from the joint to the tip
    double spread;  ///< of the bend to each side of a joint; at most half a segment counts
    double stretch; ///< length over length before, > 0
    double poisson; ///< sections get thinner by stretch^-poisson
    double twist;   ///< radians about the limb, at the tip
} qvRodDef;

typedef struct qvRod
{
    qvRodDef def;
    qvVec3 along;   ///< unit, from the joint to the tip
    double segment; ///< length of one
    double spread;
    qvQuat turns[qv_maxRodJoints + 1]; ///< of the straight parts; the first is the body's: none
    qvVec3 bends[qv_maxRodJoints];     ///< rotation vector of each joint
    qvVec3 lines[qv_maxRodJoints][qv_rodKnots + 1];
} qvRod;

/// The tip may not be at the joint.
void qvRod_Init(qvRod* rod, const qvRodDef* def);

/// How far along the limb a point is: 0 at the joint. What is not beyond -spread stays where it is.
double qvRod_Along(const qvRod* rod, qvVec3 at);

/// How much of the first joint's bend a point has: 0 on the body, 1 on the limb.
double qvRod_Share(const qvRod* rod, qvVec3 at);

/// Where a point of the limb goes.
qvVec3 qvRod_Carry(const qvRod* rod, qvVec3 at);
