// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/local_turn.h"

#include "math/rigid.h"

static void GetEdge(const qvVec3f* points, int from, int to, double edge[3])
{
    edge[0] = (double)points[to].x - points[from].x;
    edge[1] = (double)points[to].y - points[from].y;
    edge[2] = (double)points[to].z - points[from].z;
}

qvQuat qvFindLocalTurn(const qvTopology* topology, int point, const qvVec3f* from, const qvVec3f* to)
{
    double moment[9] = { 0 };
    for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
    {
        double a[3], b[3];
        GetEdge(from, point, topology->neighbors[k], a);
        GetEdge(to, point, topology->neighbors[k], b);
        for (int n = 0; n < 9; n++)
            moment[n] += a[n / 3] * b[n % 3];
    }
    return qvFitMoment(moment, qvMakeVec3(0.0, 0.0, 0.0)).rotation;
}
