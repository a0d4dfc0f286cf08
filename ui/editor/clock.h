// SPDX-License-Identifier: GPL-3.0-or-later
/// Time of the interface.
#pragma once

#include <time.h>

/// Seconds of a clock that never goes back.
static inline double qvuiWallClock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
