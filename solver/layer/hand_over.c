// SPDX-License-Identifier: GPL-3.0-or-later
// At the end of a span, t1, the body fades back to the motion below, B(t), within `blend` seconds. With D the rigid map
// that takes B(t1) nearest to the simulated points S(t1), F_i(t) the rotation of what is around a point in the motion
// below since t1, and s = (t - t1) / blend,
//     x_i(t) = D^p(s) [ B_i(t) + F_i(t) ( p(s) rho_i + blend q(s) sigma_i ) ],
//     rho_i = D^-1 S_i - B_i,  sigma_i = R_D^-1 S'_i - B'_i - F_i' rho_i   at t1,
// where p falls from 1 to 0 and q is 0 with slope 1 at the start, both quintic and flat at the end: positions and
// velocities agree at t1, and at the end two derivatives do. D^p turns by the share p of D's angle about the centre of
// the body and moves by the share p of its offset. F_i takes what is left along with a limb that bends.
#include "layer/hand_over.h"

#include "base/memory.h"
#include "layer/local_turn.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

enum
{
    GRAIN = 256, // points that a thread takes at a time
};

qvResult qvHandOver_Open(qvHandOver* handOver, const qvTopology* topology, qvError* error)
{
    size_t n = (size_t)topology->pointCount;
    handOver->topology = topology;
    handOver->offsets = qvAllocate(n, sizeof(qvVec3));
    handOver->rates = qvAllocate(n, sizeof(qvVec3));
    handOver->below = qvAllocate(n, sizeof(qvVec3f));
    bool made = handOver->offsets != NULL && handOver->rates != NULL && handOver->below != NULL;
    return made ? qv_ok : qvError_OutOfMemory(error, (double)n * (2 * sizeof(qvVec3) + sizeof(qvVec3f)));
}

void qvHandOver_Close(qvHandOver* handOver)
{
    free(handOver->offsets);
    free(handOver->rates);
    free(handOver->below);
    *handOver = (qvHandOver){ 0 };
}

// --- What is left ----------------------------------------------------------------------------------------------------

static void ToDoubles(const qvVec3f* points, int count, double* numbers)
{
    for (int i = 0; i < count; i++)
        numbers[3 * i] = points[i].x, numbers[3 * i + 1] = points[i].y, numbers[3 * i + 2] = points[i].z;
}

static qvVec3 Velocity(const qvHandOverMoment* moment, int point)
{
    qvVec3 way = qvSub(qvVec3_FromFloat(moment->at[2][point]), qvVec3_FromFloat(moment->at[0][point]));
    return qvScale(0.5 / qvHandOver_Near, way);
}

// D, and the centre about which it turns.
static void FitTurn(qvHandOver* handOver, const qvVec3f* simulated, const qvVec3f* below, double* work)
{
    int n = handOver->topology->pointCount;
    double *masses = work, *from = work + n, *to = from + 3 * (size_t)n;
    for (int i = 0; i < n; i++)
        masses[i] = 1.0;
    ToDoubles(below, n, from);
    ToDoubles(simulated, n, to);
    handOver->centre = qvMassCenter(n, masses, from);
    handOver->turn = qvFitRigid(n, masses, from, to);
}

qvResult qvHandOver_Measure(qvHandOver* handOver, const qvHandOverMoment* simulated, const qvHandOverMoment* below,
                            qvError* error)
{
    const qvTopology* topology = handOver->topology;
    int n = topology->pointCount;
    double* work = qvAllocateRaw(7 * (size_t)n, sizeof(*work));
    if (work == NULL)
        return qvError_OutOfMemory(error, 56.0 * n);
    FitTurn(handOver, simulated->at[1], below->at[1], work);
    free(work);
    qvQuat back = qvQuat_Conjugate(handOver->turn.rotation);
    memcpy(handOver->below, below->at[1], (size_t)n * sizeof(*handOver->below));
    for (int i = 0; i < n; i++)
    {
        qvVec3 away = qvSub(qvVec3_FromFloat(simulated->at[1][i]), handOver->turn.position);
        qvVec3 unturned = qvAdd(handOver->centre, qvQuat_Rotate(back, away));
        qvVec3 left = qvSub(unturned, qvVec3_FromFloat(below->at[1][i]));
        qvVec3 before = qvQuat_Rotate(qvFindLocalTurn(topology, i, below->at[1], below->at[0]), left);
        qvVec3 after = qvQuat_Rotate(qvFindLocalTurn(topology, i, below->at[1], below->at[2]), left);
        qvVec3 carried = qvScale(0.5 / qvHandOver_Near, qvSub(after, before));
        handOver->offsets[i] = left;
        handOver->rates[i] = qvSub(qvQuat_Rotate(back, Velocity(simulated, i)), qvAdd(Velocity(below, i), carried));
    }
    return qv_ok;
}

// --- Fading ----------------------------------------------------------------------------------------------------------

// p: from 1 to 0, both ends with two zero derivatives.
static double Fade(double s)
{
    return 1.0 - s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

// q: 0 with slope 1 and no curvature at the start, 0 with two zero derivatives at the end.
static double FadeRate(double s)
{
    double left = 1.0 - s;
    return s * left * left * left * (1.0 + 3.0 * s);
}

// The share of the rigid map D that is left, applied to a point.
static qvVec3 Turn(const qvHandOver* handOver, double share, qvVec3 point)
{
    qvQuat rotation = qvQuat_Exp(qvScale(share, qvQuat_Log(handOver->turn.rotation)));
    qvVec3 moved = qvScale(share, qvSub(handOver->turn.position, handOver->centre));
    return qvAdd(qvAdd(handOver->centre, moved), qvQuat_Rotate(rotation, qvSub(point, handOver->centre)));
}

typedef struct Fading
{
    const qvHandOver* handOver;
    double share, rate;
    const qvVec3f* below;
    qvVec3f* points;
} Fading;

static void FadePoints(void* context, int begin, int end)
{
    const Fading* fading = context;
    const qvHandOver* handOver = fading->handOver;
    for (int i = begin; i < end; i++)
    {
        qvQuat frame = qvFindLocalTurn(handOver->topology, i, handOver->below, fading->below);
        qvVec3 left = qvMulAdd(qvScale(fading->share, handOver->offsets[i]), fading->rate, handOver->rates[i]);
        qvVec3 point = qvAdd(qvVec3_FromFloat(fading->below[i]), qvQuat_Rotate(frame, left));
        fading->points[i] = qvVec3_ToFloat(Turn(handOver, fading->share, point));
    }
}

void qvHandOver_Fade(const qvHandOver* handOver, double since, double blend, const qvVec3f* below, qvPool* pool,
                     qvVec3f* points)
{
    double s = since / blend;
    Fading fading = { handOver, Fade(s), blend * FadeRate(s), below, points };
    qvParallelFor(pool, handOver->topology->pointCount, GRAIN, FadePoints, &fading);
}
