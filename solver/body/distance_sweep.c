// SPDX-License-Identifier: GPL-3.0-or-later
// Distances far from the surface: nearest triangles are handed on from node to node (P.-E. Danielsson, Euclidean
// distance mapping, 1980) in six sweeps, one along each axis and direction. A node looks at the nine behind it, takes
// the triangle whose closest point there is nearest, and finds its own closest point on it. A straight way from the
// surface to a node stays within the nine of the sweep along its longest component. The nodes of a plane do not see
// each other, so threads share a plane and the result does not depend on them.
#include "body/distance_build.h"

#include <math.h>

enum
{
    CHUNK = 128, // nodes of a row that are looked at together
    ROWS = 8,    // of a plane for a thread at a time
    PLANES = 64, // between two reports
};

typedef struct Sweep
{
    qvDistanceBuild* build;
    int axis, across, along; // of the sweep; rows of a plane run along the last
    int plane, behind;       // coordinates on the axis
    float exact;             // squares up to this are right already
} Sweep;

// Looks from some nodes of a row, the first of which has the coordinate u, at the nine behind each. pick is the number
// of the best of them, for those that find a nearer point there than they know, or -1. The stride is that of the row.
static inline void Choose(const Sweep* sweep, int v, int u, int count, size_t stride, int32_t* pick)
{
    const qvDistanceBuild* build = sweep->build;
    int at[3];
    at[sweep->axis] = sweep->plane, at[sweep->across] = v, at[sweep->along] = u;
    const float* squares = build->squares + qvDistanceBuild_Node(build, at[0], at[1], at[2]);
    float best[CHUNK];
    for (int i = 0; i < count; i++)
    {
        float square = squares[(size_t)i * stride];
        best[i] = square <= sweep->exact ? 0.0f : square;
        pick[i] = -1;
    }
    at[sweep->axis] = sweep->behind;
    for (int n = 0; n < 9; n++)
    {
        int side = v + n / 3 - 1, shift = n % 3 - 1;
        if (side < 0 || side >= build->counts[sweep->across])
            continue;
        int begin = u + shift < 0 ? 1 : 0;
        int end = u + count - 1 + shift < build->counts[sweep->along] ? count : count - 1;
        at[sweep->across] = side;
        size_t first = qvDistanceBuild_Node(build, at[0], at[1], at[2]);
        const float* x = build->closest[sweep->along] + first;
        const float* y = build->closest[sweep->across] + first;
        const float* z = build->closest[sweep->axis] + first;
        for (int i = begin; i < end; i++)
        {
            ptrdiff_t m = (i + shift) * (ptrdiff_t)stride;
            float dx = x[m] - (float)(u + i), dy = y[m] - (float)v, dz = z[m] - (float)sweep->plane;
            float square = dx * dx + dy * dy + dz * dz;
            pick[i] = square < best[i] ? n : pick[i];
            best[i] = square < best[i] ? square : best[i];
        }
    }
}

// Takes what was picked over.
static void Adopt(const Sweep* sweep, int v, int u, int count, const int32_t* pick)
{
    const qvDistanceBuild* build = sweep->build;
    for (int i = 0; i < count; i++)
    {
        if (pick[i] < 0)
            continue;
        int at[3], other[3];
        at[sweep->axis] = sweep->plane, at[sweep->across] = v, at[sweep->along] = u + i;
        other[sweep->axis] = sweep->behind;
        other[sweep->across] = v + pick[i] / 3 - 1;
        other[sweep->along] = u + i + pick[i] % 3 - 1;
        qvDistanceBuild_Take(build, build->nearest[qvDistanceBuild_Node(build, other[0], other[1], other[2])], at);
    }
}

static void SweepRows(void* context, int begin, int end)
{
    const Sweep* sweep = context;
    int length = sweep->build->counts[sweep->along];
    for (int v = begin; v < end; v++)
    {
        for (int u = 0; u < length; u += CHUNK)
        {
            int32_t pick[CHUNK];
            int count = length - u < CHUNK ? length - u : CHUNK;
            if (sweep->along == 0) // a stride that the compiler knows lets it use vectors
                Choose(sweep, v, u, count, 1, pick);
            else
                Choose(sweep, v, u, count, (size_t)sweep->build->counts[0], pick);
            Adopt(sweep, v, u, count, pick);
        }
    }
}

// A grid that no triangle comes near to starts from its corners.
static void SeedCorners(qvDistanceBuild* build)
{
    for (int c = 0; c < 8; c++)
    {
        int at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (c >> k & 1) * (build->counts[k] - 1);
        for (int t = 0; t < build->triangleCount; t++)
            qvDistanceBuild_Take(build, t, at);
    }
}

static bool IsAnyKnown(const qvDistanceBuild* build)
{
    size_t end = qvDistanceBuild_Node(build, 0, 0, build->counts[2]);
    for (size_t n = 0; n < end; n++)
    {
        if (build->nearest[n] >= 0)
            return true;
    }
    return false;
}

qvResult qvDistanceBuild_Sweep(qvDistanceBuild* build, const qvJob* job, qvError* error)
{
    static const int axes[6] = { 2, 2, 1, 1, 0, 0 };
    if (!IsAnyKnown(build))
        SeedCorners(build);
    for (int s = 0; s < 6; s++)
    {
        int axis = axes[s], step = s % 2 == 0 ? 1 : -1, count = build->counts[axis];
        Sweep sweep = { .build = build, .axis = axis, .exact = (float)(build->band * build->band) };
        sweep.across = axis == 2 ? 1 : 2;
        sweep.along = axis == 0 ? 1 : 0;
        for (int p = 1; p < count; p++)
        {
            sweep.plane = step > 0 ? p : count - 1 - p;
            sweep.behind = sweep.plane - step;
            qvResult result =
                p % PLANES == 1 ? qvJob_Progress(job, "distances", 0.5 + (s + (double)p / count) / 12.0, error) : qv_ok;
            if (result != qv_ok)
                return result;
            qvParallelFor(qvJob_Pool(job), build->counts[sweep.across], ROWS, SweepRows, &sweep);
        }
    }
    return qv_ok;
}
