// SPDX-License-Identifier: GPL-3.0-or-later
// How long something took.
#pragma once

#include <time.h>

/// Time of a steady clock, for reports.
static inline double qvMilliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
