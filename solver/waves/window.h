// SPDX-License-Identifier: GPL-3.0-or-later
// How waves are brought to zero: a factor over their age that falls from 1 to 0 with two continuous derivatives.
#pragma once

#include <math.h>

/// 1 before begin, 0 after end. end may be INFINITY.
typedef struct qvWindow
{
    double begin, end;
} qvWindow;

/// Never closes.
static inline qvWindow qvOpenWindow(void)
{
    return (qvWindow){ INFINITY, INFINITY };
}

/// The quintic 1 - u^3 (10 - 15 u + 6 u^2), whose first and second derivatives are zero at both ends.
static inline double qvWindow_Factor(qvWindow window, double age)
{
    if (age <= window.begin)
        return 1.0;
    if (age >= window.end)
        return 0.0;
    double u = (age - window.begin) / (window.end - window.begin);
    return 1.0 - u * u * u * (10.0 + u * (6.0 * u - 15.0));
}
