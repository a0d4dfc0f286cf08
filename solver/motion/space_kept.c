// SPDX-License-Identifier: GPL-3.0-or-later
// The forces about every shape from one run of the program to the next. They are numbers of the reduced space, few
// beside the modes, but each product of the stiffness matrix with the basis that they take costs as much as a solve.
#include "motion/space_build.h"

#include "base/hash.h"
#include "base/memory.h"
#include "modal/basis.h"
#include "motion/store.h"
#include "motion/warp.h"

#include <stdlib.h>
#include <string.h>

enum
{
    FORCES_VERSION = 1 // counts up when the same space gets other forces: stores have older ones
};

// Everything that they depend on: the basis to the last digit, since another machine may round another one.
static uint64_t HashForces(const qvSpaceBuild* b)
{
    const qvMotionSpace* space = b->space;
    size_t size = (size_t)b->size, d = (size_t)space->dimension;
    uint64_t hash = qvHash_Combine(space->body, FORCES_VERSION);
    hash = qvHash_Combine(hash, (uint64_t)space->model);
    hash = qvHash(&space->lowest, sizeof(space->lowest), hash);
    hash = qvHash(qvBasis_Vectors(space->basis), size * d * sizeof(double), hash);
    for (int i = 0; space->isBounded && space->warp != NULL && i < space->shapeCount; i++)
    {
        const qvWarpShape* shape = &space->warp->shapes[i];
        hash = qvHash(shape->seen, (size_t)shape->seenCount * sizeof(*shape->seen), hash);
    }
    for (int i = 0; i < space->shapeCount; i++)
    {
        hash = qvHash(space->shapes[i].source->local, size * sizeof(double), hash);
        hash = qvHash(space->shapes[i].center, d * sizeof(double), hash);
    }
    return hash;
}

// A stretch of numbers in the space and in the store.
typedef struct Stretch
{
    double* place;
    size_t count;
} Stretch;

enum
{
    STRETCHES = 4 // of a shape
};

// Returns how many; the first alone where shapes are not warped.
static int ListStretches(const qvMotionSpace* space, int index, Stretch out[STRETCHES])
{
    size_t d = (size_t)space->dimension;
    out[0] = (Stretch){ space->shapes[index].values, (d + 8) * d }; // and all that follows them, see AllocateNumbers
    if (space->warp == NULL)
        return 1;
    const qvWarpShape* warped = &space->warp->shapes[index];
    size_t shapes = (size_t)warped->seenCount;
    out[1] = (Stretch){ warped->shift, d * shapes };
    out[2] = (Stretch){ warped->paths, d * shapes };
    out[3] = (Stretch){ warped->stiffness, shapes };
    return STRETCHES;
}

static size_t CountNumbers(const qvMotionSpace* space)
{
    size_t count = 0;
    for (int i = 0; i < space->shapeCount; i++)
    {
        Stretch stretches[STRETCHES];
        for (int k = ListStretches(space, i, stretches) - 1; k >= 0; k--)
            count += stretches[k].count;
    }
    return count;
}

static void CopyNumbers(const qvMotionSpace* space, double* numbers, bool isLoading)
{
    for (int i = 0; i < space->shapeCount; i++)
    {
        Stretch stretches[STRETCHES];
        int stretchCount = ListStretches(space, i, stretches);
        for (int k = 0; k < stretchCount; k++)
        {
            const Stretch* s = &stretches[k];
            memcpy(isLoading ? s->place : numbers, isLoading ? numbers : s->place, s->count * sizeof(double));
            numbers += s->count;
        }
    }
}

// What follows an earlier space is found from that one, faster than it is read.
static bool IsKept(const qvSpaceBuild* b)
{
    return b->def->store != NULL && b->previous == NULL && b->size >= QV_WORTH_KEEPING && b->space->dimension > 0;
}

bool qvSpaceBuild_LoadForces(qvSpaceBuild* b)
{
    if (!IsKept(b))
        return false;
    size_t count = 0;
    b->forces = HashForces(b);
    double* numbers = b->def->store->load(b->def->store->context, b->forces, &count);
    bool isFound = numbers != NULL && count == CountNumbers(b->space);
    if (isFound)
        CopyNumbers(b->space, numbers, true);
    free(numbers);
    return isFound;
}

void qvSpaceBuild_SaveForces(const qvSpaceBuild* b)
{
    size_t count = CountNumbers(b->space);
    double* numbers = IsKept(b) ? qvAllocateRaw(count, sizeof(double)) : NULL;
    if (numbers == NULL)
        return;
    CopyNumbers(b->space, numbers, false);
    b->def->store->save(b->def->store->context, b->forces, numbers, count);
    free(numbers);
}
