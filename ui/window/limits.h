// SPDX-License-Identifier: GPL-3.0-or-later
/// Rounding and comparing for what runs over every corner of a frame: those of the C library are calls. What is not a
/// number counts as the lower limit.
#pragma once

static inline float qvuiLower(float a, float b)
{
    return a < b ? a : b;
}

static inline float qvuiHigher(float a, float b)
{
    return a > b ? a : b;
}

/// Far away places are cut off before they overflow.
static inline float qvuiWithin(float x, float limit)
{
    return x > -limit ? x < limit ? x : limit : -limit;
}

/// Of numbers that fit into an int.
static inline int qvuiFloor(float x)
{
    int i = (int)x;
    return i - ((float)i > x);
}

static inline int qvuiCeil(float x)
{
    int i = (int)x;
    return i + ((float)i < x);
}
