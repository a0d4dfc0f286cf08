// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/topology.h"

static qvVec3 TwiceArea(const qvVec3f* points, const int32_t* v)
{
    qvVec3 p = qvVec3_FromFloat(points[v[0]]);
    return qvCross(qvSub(qvVec3_FromFloat(points[v[1]]), p), qvSub(qvVec3_FromFloat(points[v[2]]), p));
}

void qvComputeMasses(const qvTopology* topology, const qvVec3f* points, double* masses)
{
    for (int p = 0; p < topology->pointCount; p++)
        masses[p] = 0.0;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        double third = qvLength(TwiceArea(points, v)) / 6.0;
        for (int k = 0; k < 3; k++)
            masses[v[k]] += third;
    }
}

double qvComputeVolume(const qvTopology* topology, const qvVec3f* points)
{
    if (topology->triangleCount == 0)
        return 0.0;
    // Any origin does for closed meshes; one on the mesh keeps the digits of meshes far away.
    qvVec3 origin = qvVec3_FromFloat(points[0]);
    double sum = 0.0;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        sum += qvDot(qvSub(qvVec3_FromFloat(points[v[0]]), origin), TwiceArea(points, v));
    }
    return sum / 6.0;
}
