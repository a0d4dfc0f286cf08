// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers and vectors of either sign, for tests.
#pragma once

#include "quaver/math.h"
#include "testing.h"

/// In [-1, 1).
static inline double RandomSigned(uint64_t* random)
{
    return 2.0 * RandomUnit(random) - 1.0;
}

/// Each component in [-1, 1).
static inline qvVec3 RandomVec3(uint64_t* random)
{
    double x = RandomSigned(random), y = RandomSigned(random), z = RandomSigned(random);
    return qvMakeVec3(x, y, z);
}
