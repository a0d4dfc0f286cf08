// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/names.h"

#include "base/hash.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The slot that holds the name, or the free one where it belongs.
static int FindSlot(const qvNames* names, const char* name, int length)
{
    unsigned mask = (unsigned)names->slotCount - 1;
    for (unsigned slot = (unsigned)qvHash(name, (size_t)length, 0) & mask;; slot = (slot + 1) & mask)
    {
        int32_t number = names->slots[slot];
        if (number == 0)
            return (int)slot;
        const char* known = names->list.items[number - 1];
        if (strncmp(known, name, (size_t)length) == 0 && known[length] == 0)
            return (int)slot;
    }
}

int qvNames_Find(const qvNames* names, const char* name, int length)
{
    return names->slotCount > 0 ? names->slots[FindSlot(names, name, length)] - 1 : -1;
}

static bool Grow(qvNames* names)
{
    if (names->slotCount > INT_MAX / 2)
        return false;
    int slotCount = names->slotCount > 0 ? names->slotCount * 2 : 16;
    int32_t* slots = qvAllocate((size_t)slotCount, sizeof(*slots));
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slotCount = slotCount;
    for (int i = 0; i < names->list.count; i++)
    {
        const char* name = names->list.items[i];
        names->slots[FindSlot(names, name, (int)strlen(name))] = i + 1;
    }
    return true;
}

int qvNames_Add(qvNames* names, const char* name, int length)
{
    // A zero byte would end the copy early and make two names of one.
    length = (int)strnlen(name, (size_t)length);
    int known = qvNames_Find(names, name, length);
    if (known >= 0)
        return known;
    if (names->list.count >= names->slotCount / 2 && !Grow(names))
        return -1;
    char* copy = qvArena_Allocate(names->arena, (size_t)length + 1);
    if (copy == NULL)
        return -1;
    memcpy(copy, name, (size_t)length);
    copy[length] = 0;
    int slot = FindSlot(names, copy, length);
    if (!QV_PUSH(names->list, copy))
        return -1;
    names->slots[slot] = names->list.count;
    return names->list.count - 1;
}

void qvNames_Free(qvNames* names)
{
    free(names->list.items);
    free(names->slots);
    *names = (qvNames){ .arena = names->arena };
}
