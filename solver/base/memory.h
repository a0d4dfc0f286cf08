// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that grow and arenas that free everything at once. Sizes are checked for overflow; failure is a NULL or false
// that the caller turns into qvError_OutOfMemory.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/// count items of size bytes, zeroed. NULL when that overflows or memory runs out; a count of 0 gives a valid pointer.
void* qvAllocate(size_t count, size_t size);

/// The same without zeroing, for memory that is filled at once.
void* qvAllocateRaw(size_t count, size_t size);

/// The same in large pages, if it is much and the system can: for what is read over and over, or filled at once by
/// several threads, which then share the work of getting the memory, too.
void* qvAllocateLarge(size_t count, size_t size);

/// Grows an array to hold at least needed items of size bytes (doubling). items is the address of the pointer to it;
/// *capacity counts items. False leaves all as is.
bool qvReserve(void* items, int* capacity, int needed, size_t size);

/// Gives memory that was freed back to the system, after work that needed much more than its result.
void qvReturnFreeMemory(void);

/// A growing array of T: QV_ARRAY(int) stack = { 0 }; if (!QV_PUSH(stack, 3)) …; free(stack.items);
#define QV_ARRAY(T)   \
    struct            \
    {                 \
        T* items;     \
        int count;    \
        int capacity; \
    }

/// Appends one value; false when memory or the range of int runs out.
#define QV_PUSH(array, value)                                                                       \
    (((array).count < (array).capacity ||                                                           \
      ((array).count < INT_MAX &&                                                                   \
       qvReserve(&(array).items, &(array).capacity, (array).count + 1, sizeof(*(array).items)))) && \
     ((array).items[(array).count++] = (value), true))

/// A bump allocator: many small pieces, one owner, freed together.
typedef struct qvArena qvArena;

qvArena* qvCreateArena(void); ///< NULL when memory runs out
void qvDestroyArena(qvArena* arena);

/// size bytes aligned for any type, not zeroed. NULL when memory runs out.
void* qvArena_Allocate(qvArena* arena, size_t size);

/// A copy of a string (NULL counts as ""). NULL when memory runs out.
char* qvArena_CopyText(qvArena* arena, const char* text);
