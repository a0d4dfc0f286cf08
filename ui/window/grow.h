// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/// Room for at least so many items; it doubles when it is full. False when memory runs out, and nothing changes.
static inline bool qvuiGrow(void** items, int* capacity, int wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    int grown = 2 * *capacity > wanted ? 2 * *capacity : wanted + 256;
    void* moved = realloc(*items, (size_t)grown * size);
    if (moved == NULL)
        return false;
    *items = moved;
    *capacity = grown;
    return true;
}
