// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of tracks, and the keys over which they are solved: all, or a window about their own (tracks.c). Every
// track is read beside its own keys only: with as many shapes as keys, keeping all rows would take memory with the
// square of their number.
#include "motion/motion.h"

#include "base/memory.h"

#include <math.h>
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

double qvTrack_Time(const qvTrack* track, double period, double time)
{
    return track->knotCount > 0 && period > 0.0 ? time - period * floor((time - track->begin) / period) : time;
}

qvResult qvTrack_Cut(const qvMotion* motion, const qvTrack* track, const qvWigglySide* before,
                     const qvWigglySide* after, qvWigglyDef* def, void** memory, qvError* error)
{
    int count = track->knotCount > 0 ? track->knotCount : motion->keyCount;
    *memory = NULL;
    def->knotCount = count, def->times = motion->times, def->period = motion->period;
    def->before = before, def->after = after;
    def->first = after[0], def->last = before[count - 1];
    if (track->knotCount == 0)
        return qv_ok;
    double* times = *memory = qvAllocate((size_t)count, sizeof(double) + 2 * sizeof(qvWigglySide));
    if (times == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(double));
    qvWigglySide* sides[2] = { (qvWigglySide*)(times + count), (qvWigglySide*)(times + count) + count };
    for (int i = 0; i < count; i++)
    {
        int key = qvTrack_Key(track, i, motion->keyCount), round = (track->first + i - key) / motion->keyCount;
        times[i] = motion->times[key] + motion->period * round;
        sides[0][i] = before[key], sides[1][i] = after[key];
    }
    bool loop = motion->period > 0.0;
    if (loop || track->first > 0)
        sides[0][0] = sides[1][0] = qv_sideVelocity;
    if (loop || track->first + count < motion->keyCount)
        sides[0][count - 1] = sides[1][count - 1] = qv_sideVelocity;
    def->times = times, def->period = 0.0, def->before = sides[0], def->after = sides[1];
    def->first = sides[1][0], def->last = sides[0][count - 1];
    return qv_ok;
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
