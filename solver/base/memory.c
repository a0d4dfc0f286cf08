// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"

#include "base/assert.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void* qvAllocate(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return calloc(1, bytes > 0 ? bytes : 1);
}

void* qvAllocateRaw(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return malloc(bytes > 0 ? bytes : 1);
}

void* qvAllocateLarge(size_t count, size_t size)
{
    const size_t page = (size_t)1 << 21;
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - page)
        return NULL;
    if (bytes < 2 * page)
        return qvAllocateRaw(count, size);
    bytes = (bytes + page - 1) / page * page;
    void* memory = aligned_alloc(page, bytes);
    if (memory == NULL)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

bool qvReserve(void* items, int* capacity, int needed, size_t size)
{
    QV_ASSERT(needed >= 0);
    if (needed <= *capacity)
        return true;
    int wanted = *capacity > INT_MAX / 2 ? INT_MAX : *capacity * 2;
    wanted = wanted < needed ? needed : wanted;
    wanted = wanted < 16 ? 16 : wanted;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)wanted, size, &bytes))
        return false;
    void* held; // a pointer of another type may not be read as one to void, but its bytes may
    memcpy(&held, items, sizeof(held));
    void* grown = realloc(held, bytes);
    if (grown == NULL)
        return false;
    memcpy(items, &grown, sizeof(grown));
    *capacity = wanted;
    return true;
}

void qvReturnFreeMemory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

enum
{
    BLOCK_SIZE = 16 * 1024
};

typedef struct Block
{
    struct Block* next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
} Block;

struct qvArena
{
    Block* blocks;
};

qvArena* qvCreateArena(void)
{
    return qvAllocate(1, sizeof(qvArena));
}

void qvDestroyArena(qvArena* arena)
{
    if (arena == NULL)
        return;
    for (Block* block = arena->blocks; block != NULL;)
    {
        Block* next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

void* qvArena_Allocate(qvArena* arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    Block* block = arena->blocks;
    if (block == NULL || block->size - block->used < size)
    {
        size_t blockSize = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = malloc(sizeof(Block) + blockSize);
        if (block == NULL)
            return NULL;
        *block = (Block){ .next = arena->blocks, .size = blockSize };
        arena->blocks = block;
    }
    void* piece = block->bytes + block->used;
    block->used += size;
    return piece;
}

char* qvArena_CopyText(qvArena* arena, const char* text)
{
    size_t size = text != NULL ? strlen(text) + 1 : 1;
    char* copy = qvArena_Allocate(arena, size);
    if (copy != NULL)
        memcpy(copy, text != NULL ? text : "", size);
    return copy;
}
