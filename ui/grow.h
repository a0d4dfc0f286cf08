// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Room for at least so many items; it doubles when it is full. items is the address of the pointer to them. False when
/// memory runs out, and nothing changes.
static inline bool qvuiGrow(void* items, int* capacity, int wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    int grown = 2 * *capacity > wanted ? 2 * *capacity : wanted + 256;
    void* held; // a pointer of another type may not be read as one to void, but its bytes may
    memcpy(&held, items, sizeof(held));
    void* moved = realloc(held, (size_t)grown * size);
    if (moved == NULL)
        return false;
    memcpy(items, &moved, sizeof(moved));
    *capacity = grown;
    return true;
}
