// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of tracks. Every track is solved over all keys but read beside its own only: with as many shapes as keys,
// keeping all rows would take memory with the square of their number.
#include "motion/motion.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

qvResult qvTrack_Allocate(qvTrack* track, int keyCount, int width, int stride, qvError* error)
{
    size_t row = (size_t)width, rows = (size_t)keyCount * row, material = stride > 0 ? rows : row;
    size_t count = 3 * rows + 3 * material;
    double* next = track->rows = qvAllocate(count, sizeof(double));
    track->numbers = qvAllocate(3 * row, sizeof(double));
    if (next == NULL || track->numbers == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(double));
    track->solution = (qvWigglySolution){ next, next + rows, next + 2 * rows };
    next += 3 * rows;
    track->force = next, track->lambda = next + material, track->delta = next + 2 * material;
    track->center = track->numbers, track->ringLambda = track->center + row, track->ringDelta = track->center + 2 * row;
    return qv_ok;
}

void qvTrack_Free(qvTrack* track)
{
    qvDestroyWigglyPlan(track->plan);
    free(track->rowOf);
    free(track->numbers);
    free(track->rows);
}

// The rows of the keys that are kept.
static void CopyRows(int keyCount, size_t width, const int32_t* rowOf, const double* from, double* to)
{
    for (int i = 0; i < keyCount; i++)
    {
        if (rowOf[i] >= 0)
            memcpy(to + (size_t)rowOf[i] * width, from + (size_t)i * width, width * sizeof(double));
    }
}

qvResult qvTrack_Settle(qvTrack* track, int keyCount, int width, int stride, const int32_t* rowOf, int rowCount,
                        qvError* error)
{
    if (rowCount == keyCount)
        return qv_ok;
    size_t row = (size_t)width, rows = (size_t)rowCount * row;
    size_t count = 3 * rows + (stride > 0 ? rows : row);
    double* kept = qvAllocateRaw(count, sizeof(double));
    if (kept == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(double));
    const qvWigglySolution* whole = &track->solution;
    const double* from[] = { whole->values, whole->before, whole->after };
    for (size_t i = 0; i < 3; i++)
        CopyRows(keyCount, row, rowOf, from[i], kept + i * rows);
    if (stride > 0)
        CopyRows(keyCount, row, rowOf, track->force, kept + 3 * rows);
    else
        memcpy(kept + 3 * rows, track->force, row * sizeof(double));
    free(track->rows);
    track->rows = kept;
    track->solution = (qvWigglySolution){ kept, kept + rows, kept + 2 * rows };
    track->force = kept + 3 * rows;
    track->lambda = track->delta = NULL;
    if (track->plan != NULL)
        qvWigglyPlan_Settle(track->plan, rowOf, rowCount);
    return qv_ok;
}
