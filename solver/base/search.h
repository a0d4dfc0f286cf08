// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdint.h>

/// The first place in [begin, end) of ascending values that is not below value, or end.
static inline int32_t qvLowerBound(const int32_t* values, int32_t begin, int32_t end, int32_t value)
{
    while (begin < end)
    {
        int32_t middle = begin + (end - begin) / 2;
        if (values[middle] < value)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}
