// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The least and the most of the three corners of a triangle.
static inline float qvuiLeast(float a, float b, float c)
{
    float least = a < b ? a : b;
    return least < c ? least : c;
}

static inline float qvuiMost(float a, float b, float c)
{
    float most = a > b ? a : b;
    return most > c ? most : c;
}
