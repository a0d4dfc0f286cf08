// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a file and their numbers, in order of appearance. Looking one up takes constant time, because a hostile file
// may hold millions.
#pragma once

#include "base/memory.h"

#include <stdint.h>

typedef struct qvNames
{
    qvArena* arena; ///< holds the names; the caller's
    QV_ARRAY(const char*) list;
    int32_t* slots; ///< open addressing: number + 1, 0 when free
    int slotCount;  ///< a power of two, or 0
} qvNames;

/// The number of a name of length bytes, or -1.
int qvNames_Find(const qvNames* names, const char* name, int length);

/// The number of a name, added when it is new (its number is then the old list.count); -1 when memory runs out.
int qvNames_Add(qvNames* names, const char* name, int length);

void qvNames_Free(qvNames* names);
