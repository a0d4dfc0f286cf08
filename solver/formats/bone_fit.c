// SPDX-License-Identifier: GPL-3.0-or-later
// Bones for given weights. In every frame the bones are improved in turn: what the others leave of the places is a
// cloud of points that a rigid map fits best (B. K. P. Horn, "Closed-form solution of absolute orientation using unit
// quaternions", 1987). The sums that say so follow from those of the points,
//
//     moments of the remainder of bone b = sum_i w_ib h_if - sum_(c != b) (sum_i w_ib w_ic S_i) M_cf,
//
// so that a sweep touches no point.
#include "formats/bone_solve.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "math/rigid.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FRAMES_AT_ONCE = 2,
    POINTS_AT_ONCE = 4096, // after which one asks whether to go on: all points may be a single bone's
};

// --- Sums ----------------------------------------------------------------------------------------------------------

// Which entries of the points are a bone's.
static void ListUsers(qvBoneSolve* solve)
{
    int entries = QV_BONES_OF_POINT * solve->task->pointCount;
    memset(solve->starts, 0, ((size_t)solve->boneCount + 1) * sizeof(int32_t));
    for (int i = 0; i < entries; i++)
        solve->starts[solve->bones[i] + 1] += solve->weights[i] > 0.0;
    for (int b = 0; b < solve->boneCount; b++)
        solve->starts[b + 1] += solve->starts[b];
    for (int i = 0; i < entries; i++)
    {
        if (solve->weights[i] > 0.0)
            solve->users[solve->starts[solve->bones[i]]++] = i;
    }
    memmove(solve->starts + 1, solve->starts, (size_t)solve->boneCount * sizeof(int32_t));
    solve->starts[0] = 0;
}

static void SumMoments(void* context, int begin, int end)
{
    qvBoneSolve* solve = context;
    size_t size = QV_BONE_NUMBERS * (size_t)solve->task->frameCount;
    for (int b = begin; b < end; b++)
    {
        double* sum = solve->moments + (size_t)b * size;
        memset(sum, 0, size * sizeof(double));
        for (int32_t u = solve->starts[b]; u < solve->starts[b + 1]; u++)
        {
            int32_t entry = solve->users[u], point = entry / QV_BONES_OF_POINT;
            const float* importance = solve->importance + (size_t)point * (size_t)solve->task->frameCount;
            if ((u - solve->starts[b]) % POINTS_AT_ONCE == POINTS_AT_ONCE - 1 &&
                qvJob_Ask(&solve->watch.shared, NULL) != qv_ok)
                return;
            qvBoneTask_AddMoments(solve->task, point, solve->weights[entry], solve->isEven ? NULL : importance, sum);
        }
    }
}

// Bones that have a point in common. A pair has one sum, which is symmetric.
typedef struct Pairs
{
    int count;
    int32_t* slot;   // [boneCount][boneCount] of the pair's sum, -1: nothing in common
    int32_t* starts; // [boneCount + 1]
    int32_t* others; // the bones that a bone has points in common with
} Pairs;

static void FreePairs(Pairs* pairs)
{
    free(pairs->slot);
    free(pairs->starts);
    free(pairs->others);
}

static qvResult FindPairs(const qvBoneSolve* solve, Pairs* pairs, qvError* error)
{
    size_t n = (size_t)solve->boneCount;
    *pairs = (Pairs){ .slot = qvAllocateRaw(n * n, sizeof(int32_t)) };
    pairs->starts = qvAllocate(n + 1, sizeof(int32_t));
    pairs->others = qvAllocateRaw(n * n, sizeof(int32_t));
    if (pairs->slot == NULL || pairs->starts == NULL || pairs->others == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(n * n));
    memset(pairs->slot, -1, n * n * sizeof(int32_t));
    for (size_t i = 0; i < (size_t)solve->task->pointCount; i++)
    {
        const int32_t* bones = solve->bones + QV_BONES_OF_POINT * i;
        const double* weights = solve->weights + QV_BONES_OF_POINT * i;
        for (int k = 0; k < 16; k++)
        {
            size_t a = (size_t)bones[k / 4], b = (size_t)bones[k % 4];
            if (weights[k / 4] > 0.0 && weights[k % 4] > 0.0 && pairs->slot[a * n + b] < 0)
                pairs->slot[a * n + b] = pairs->slot[b * n + a] = pairs->count++;
        }
    }
    for (size_t b = 0; b < n; b++)
    {
        pairs->starts[b + 1] = pairs->starts[b];
        for (size_t c = 0; c < n; c++)
        {
            if (c != b && pairs->slot[b * n + c] >= 0)
                pairs->others[pairs->starts[b + 1]++] = (int32_t)c;
        }
    }
    return qv_ok;
}

// sums [pairs->count][16] in a frame, or in any of them where all count the same.
static void SumPairs(const qvBoneSolve* solve, const Pairs* pairs, int frame, double* sums)
{
    size_t n = (size_t)solve->boneCount, frames = (size_t)solve->task->frameCount;
    memset(sums, 0, (size_t)pairs->count * 16 * sizeof(double));
    for (size_t i = 0; i < (size_t)solve->task->pointCount; i++)
    {
        const int32_t* bones = solve->bones + QV_BONES_OF_POINT * i;
        const double* weights = solve->weights + QV_BONES_OF_POINT * i;
        double square[16], importance = solve->isEven ? 1.0 : solve->importance[i * frames + (size_t)frame];
        qvBoneTask_Square(solve->task, (int)i, square);
        for (int k = 0; k < QV_BONES_OF_POINT && weights[k] > 0.0; k++)
        {
            for (int l = 0; l <= k; l++)
            {
                double factor = importance * weights[k] * weights[l];
                double* sum = sums + 16 * (size_t)pairs->slot[(size_t)bones[k] * n + (size_t)bones[l]];
                for (int j = 0; j < 16; j++)
                    sum[j] += factor * square[j];
            }
        }
    }
}

// --- One bone in one frame -----------------------------------------------------------------------------------------

// The rotation R that makes <R, y> largest, y[3 r + c]; the one before where any would do.
static void Rotation(const double y[9], double m[12])
{
    qvMat3 a, r;
    double scale = 0.0;
    for (int i = 0; i < 9; i++)
        scale = fmax(scale, fabs(y[i]));
    if (!(scale > 0.0))
        return;
    for (int i = 0; i < 9; i++)
        a.m[i / 3][i % 3] = y[i] / scale;
    if (qvMat3_Determinant(&a) < 1e-6 || !qvPolarRotation(&a, &r))
    {
        double moment[9]; // of a flat or a mirrored cloud
        for (int i = 0; i < 9; i++)
            moment[i] = a.m[i % 3][i / 3];
        qvQuat q = qvFitMoment(moment, qvMakeVec3(0.0, 0.0, 0.0)).rotation;
        for (int c = 0; c < 3; c++)
        {
            qvVec3 v = qvQuat_Rotate(q, qvMakeVec3(c == 0, c == 1, c == 2));
            r.m[0][c] = v.x, r.m[1][c] = v.y, r.m[2][c] = v.z;
        }
    }
    for (int i = 0; i < 9; i++)
        m[i] = r.m[i % 3][i / 3]; // transposed
}

// The rigid map with the least square for the moments d (4 x 3) and the square s (4 x 4) of a cloud.
static void FitMap(const double s[16], const double d[12], double m[12])
{
    double mass = s[15], y[9];
    if (!(mass > 0.0))
        return;
    for (int j = 0; j < 3; j++)
    {
        for (int k = 0; k < 3; k++)
            y[3 * k + j] = d[3 * j + k] - s[12 + j] * d[9 + k] / mass;
    }
    Rotation(y, m);
    for (int k = 0; k < 3; k++)
        m[9 + k] = (d[9 + k] - s[12] * m[k] - s[13] * m[3 + k] - s[14] * m[6 + k]) / mass;
}

typedef struct Sweep
{
    qvBoneSolve* solve;
    const Pairs* pairs;
    const double* even; // sums for all frames, or NULL
    int sweeps;
    bool* failed; // per piece
} Sweep;

static void FitBone(const Sweep* sweep, const double* sums, int b, size_t frame)
{
    qvBoneSolve* solve = sweep->solve;
    size_t frames = (size_t)solve->task->frameCount;
    const int32_t* slots = sweep->pairs->slot + (size_t)b * (size_t)solve->boneCount;
    double d[12];
    if (slots[b] < 0)
        return;
    memcpy(d, solve->moments + ((size_t)b * frames + frame) * QV_BONE_NUMBERS, sizeof(d));
    for (int32_t i = sweep->pairs->starts[b]; i < sweep->pairs->starts[b + 1]; i++)
    {
        int32_t c = sweep->pairs->others[i];
        const double *row = sums + 16 * (size_t)slots[c], *other = solve->maps[(size_t)c * frames + frame].m;
        for (int j = 0; j < 4; j++, row += 4)
        {
            for (int k = 0; k < 3; k++)
                d[3 * j + k] -=
                    row[0] * other[k] + row[1] * other[3 + k] + row[2] * other[6 + k] + row[3] * other[9 + k];
        }
    }
    FitMap(sums + 16 * (size_t)slots[b], d, solve->maps[(size_t)b * frames + frame].m);
}

static void SweepFrames(void* context, int begin, int end)
{
    const Sweep* sweep = context;
    double* own = sweep->even == NULL ? qvAllocateRaw((size_t)sweep->pairs->count, 16 * sizeof(double)) : NULL;
    sweep->failed[begin / FRAMES_AT_ONCE] = sweep->even == NULL && own == NULL;
    for (int f = begin; f < end && !sweep->failed[begin / FRAMES_AT_ONCE]; f++)
    {
        if (own != NULL)
            SumPairs(sweep->solve, sweep->pairs, f, own);
        for (int i = 0; i < sweep->sweeps * sweep->solve->boneCount; i++)
            FitBone(sweep, own != NULL ? own : sweep->even, i % sweep->solve->boneCount, (size_t)f);
    }
    free(own);
}

static qvResult SweepAll(Sweep* sweep, qvError* error)
{
    qvBoneSolve* solve = sweep->solve;
    int frames = solve->task->frameCount, pieces = (frames + FRAMES_AT_ONCE - 1) / FRAMES_AT_ONCE;
    double size = 16.0 * sizeof(double) * sweep->pairs->count;
    double* even = solve->isEven ? qvAllocateRaw((size_t)sweep->pairs->count, 16 * sizeof(double)) : NULL;
    sweep->failed = qvAllocate((size_t)pieces, sizeof(bool));
    bool failed = sweep->failed == NULL || (solve->isEven && even == NULL);
    qvResult result = qv_ok;
    if (!failed)
    {
        if (even != NULL)
            SumPairs(solve, sweep->pairs, 0, even);
        sweep->even = even;
        result = qvWatchedFor(&solve->watch.shared, frames, FRAMES_AT_ONCE, SweepFrames, sweep, error);
        for (int i = 0; i < pieces; i++)
            failed |= sweep->failed[i];
    }
    free(even);
    free(sweep->failed);
    return failed ? qvError_OutOfMemory(error, size) : result;
}

qvResult qvBoneSolve_FitBones(qvBoneSolve* solve, int sweeps, qvError* error)
{
    Pairs pairs;
    qvResult result = FindPairs(solve, &pairs, error);
    if (result == qv_ok)
    {
        ListUsers(solve);
        result = qvWatchedFor(&solve->watch.shared, solve->boneCount, 1, SumMoments, solve, error);
    }
    if (result == qv_ok)
    {
        Sweep sweep = { .solve = solve, .pairs = &pairs, .sweeps = sweeps };
        result = SweepAll(&sweep, error);
    }
    FreePairs(&pairs);
    return result;
}

void qvBoneSolve_FollowPoints(qvBoneSolve* solve, int bone, const int32_t* points, int count)
{
    const qvBoneTask* task = solve->task;
    double square[16] = { 0.0 }, own[16];
    double* h = solve->moments; // as room
    memset(h, 0, QV_BONE_NUMBERS * (size_t)task->frameCount * sizeof(double));
    for (int i = 0; i < count; i++)
    {
        qvBoneTask_Square(task, points[i], own);
        for (int k = 0; k < 16; k++)
            square[k] += own[k];
        qvBoneTask_AddMoments(task, points[i], 1.0, NULL, h);
    }
    for (int f = 0; f < task->frameCount; f++)
    {
        double* m = solve->maps[(size_t)bone * (size_t)task->frameCount + (size_t)f].m;
        m[0] = m[4] = m[8] = 1.0;
        m[1] = m[2] = m[3] = m[5] = m[6] = m[7] = 0.0;
        FitMap(square, h + QV_BONE_NUMBERS * (size_t)f, m);
    }
}
