// SPDX-License-Identifier: GPL-3.0-or-later
// A path through rigid keys. Translations are the cubic spline through them. For rotations the cubic spline of the
// turns from key to key (rotation vectors in body axes) gives angular velocities and accelerations at the keys, which
// the segments of math/rigid.h meet: C2 everywhere, and the cubic spline itself where all turns have the same axis.
//
// The spline's velocities v solve, with the ways d_i and times h_i from key i to the next,
//     v_{i-1} / h_{i-1} + 2 (1 / h_{i-1} + 1 / h_i) v_i + v_{i+1} / h_i = 3 (d_{i-1} / h_{i-1}^2 + d_i / h_i^2),
// in which a loop's turns need not add up to nothing. The diagonal is twice the rest, so that going round the keys
// halves the error at least each time.
#include "body/rigid_path.h"

#include "base/memory.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIX = qv_rigidRow,
    ROUNDS = 120,
};

struct qvRigidPath
{
    int count, segmentCount;
    double period;
    double* times;
    qvRigid* poses;
    qvRigidSegment* segments; // from each key to the next
};

// Rows of six numbers per key.
typedef struct Spline
{
    double (*ways)[SIX];
    double (*velocities)[SIX];
} Spline;

static int NextKey(const qvRigidPath* path, int key)
{
    return key + 1 < path->count ? key + 1 : 0;
}

static void FillWays(const qvRigidPath* path, Spline* spline)
{
    for (int i = 0; i < path->segmentCount; i++)
    {
        const qvRigid *from = &path->poses[i], *to = &path->poses[NextKey(path, i)];
        qvVec3 move = qvSub(to->position, from->position);
        qvVec3 turn = qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(from->rotation), to->rotation));
        const double row[SIX] = { move.x, move.y, move.z, turn.x, turn.y, turn.z };
        for (int c = 0; c < SIX; c++)
            spline->ways[i][c] = row[c];
    }
}

// One round over the keys; returns the largest step in proportion to what stands there.
static double Relax(const qvRigidPath* path, Spline* spline)
{
    double worst = 0.0;
    bool isLoop = path->period > 0.0;
    for (int i = isLoop ? 0 : 1; i < (isLoop ? path->count : path->count - 1); i++)
    {
        int before = i > 0 ? i - 1 : path->count - 1, after = NextKey(path, i);
        double h0 = path->segments[before].length, h1 = path->segments[i].length;
        for (int c = 0; c < SIX; c++)
        {
            double right = 3.0 * (spline->ways[before][c] / (h0 * h0) + spline->ways[i][c] / (h1 * h1));
            double rest = spline->velocities[before][c] / h0 + spline->velocities[after][c] / h1;
            double found = (right - rest) / (2.0 * (1.0 / h0 + 1.0 / h1));
            double step = fabs(found - spline->velocities[i][c]);
            worst = fmax(worst, step > 1e-300 ? step / (fabs(found) + fabs(right) / (1.0 / h0 + 1.0 / h1)) : 0.0);
            spline->velocities[i][c] = found;
        }
    }
    return worst;
}

static void ShapeSegments(const qvRigidPath* path, const Spline* spline)
{
    for (int i = 0; i < path->segmentCount; i++)
    {
        qvRigidSegment* segment = &path->segments[i];
        int next = NextKey(path, i);
        const double *d = spline->ways[i], h = segment->length;
        const double* velocity[2] = { spline->velocities[i], spline->velocities[next] };
        double first[SIX], last[SIX];
        for (int c = 0; c < SIX; c++)
        {
            first[c] = 6.0 * d[c] / (h * h) - (4.0 * velocity[0][c] + 2.0 * velocity[1][c]) / h;
            last[c] = -6.0 * d[c] / (h * h) + (2.0 * velocity[0][c] + 4.0 * velocity[1][c]) / h;
        }
        const double* acceleration[2] = { first, last };
        qvShapeRigidSegment(segment, path->poses[i].position, path->poses[next].position, qvMakeVec3(d[3], d[4], d[5]),
                            velocity, acceleration);
    }
}

static void FillPath(const double* times, const qvRigid* poses, qvRigidPath* path)
{
    for (int i = 0; i < path->count; i++)
    {
        path->times[i] = times[i];
        path->poses[i] = (qvRigid){ qvQuat_Normalize(poses[i].rotation), poses[i].position };
        double end = i + 1 < path->count ? times[i + 1] : times[0] + path->period;
        path->segments[i].length = end - times[i];
    }
}

qvResult qvCreateRigidPath(const double* times, const qvRigid* poses, int count, double period, qvRigidPath** out,
                           qvError* error)
{
    size_t n = (size_t)count;
    qvRigidPath* path = qvAllocate(1, sizeof(*path));
    Spline spline = { qvAllocate(n, sizeof(*spline.ways)), qvAllocate(n, sizeof(*spline.velocities)) };
    if (path != NULL)
    {
        *path = (qvRigidPath){ .count = count, .segmentCount = period > 0.0 ? count : count - 1, .period = period };
        path->times = qvAllocate(n, sizeof(*path->times));
        path->poses = qvAllocate(n, sizeof(*path->poses));
        path->segments = qvAllocate(n, sizeof(*path->segments));
    }
    bool isAllocated = path != NULL && path->times != NULL && path->poses != NULL && path->segments != NULL &&
                       spline.ways != NULL && spline.velocities != NULL;
    if (isAllocated)
    {
        FillPath(times, poses, path);
        FillWays(path, &spline);
        double step = 1.0;
        for (int round = 0; round < ROUNDS && step > 1e-16; round++)
            step = Relax(path, &spline);
        ShapeSegments(path, &spline);
        *out = path;
        path = NULL;
    }
    free(spline.ways);
    free(spline.velocities);
    qvDestroyRigidPath(path);
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, (double)n * sizeof(qvRigidSegment));
}

void qvDestroyRigidPath(qvRigidPath* path)
{
    if (path == NULL)
        return;
    free(path->times);
    free(path->poses);
    free(path->segments);
    free(path);
}

qvRigidState qvRigidPath_Evaluate(const qvRigidPath* path, double time)
{
    int last = path->count - 1;
    if (path->period > 0.0)
    {
        double since = fmod(time - path->times[0], path->period);
        time = path->times[0] + (since < 0.0 ? since + path->period : since);
    }
    else if (time <= path->times[0] || time >= path->times[last])
        return qvRigidState_AtRest(&path->poses[time <= path->times[0] ? 0 : last]);
    int low = 0, high = last; // the last key at or before the time
    while (low < high)
    {
        int middle = (low + high + 1) / 2;
        if (path->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return qvRigidSegment_Evaluate(&path->segments[low], path->poses[low].rotation, time - path->times[low]);
}
