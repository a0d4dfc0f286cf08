// SPDX-License-Identifier: GPL-3.0-or-later
// A knock that a simulated body takes from the ground or an obstacle.
#pragma once

#include "quaver/math.h"

enum
{
    qv_mostImpacts = 4, ///< of a frame
};

typedef struct qvImpact
{
    double time;   ///< s
    int point;     ///< of the body's mesh, where it is strongest
    qvVec3 normal; ///< out of what it met, in the world
    double speed;  ///< at which they met, units/s
} qvImpact;
