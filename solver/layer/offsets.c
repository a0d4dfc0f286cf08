// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/offsets.h"

static qvVec3f Less(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static qvVec3f Plus(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x + b.x, a.y + b.y, a.z + b.z };
}

void qvAddOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvPool* pool,
                  qvVec3f* work, qvVec3f* points)
{
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Less(points[i], rest[i]);
    if (below->turn != NULL)
        below->turn(below->context, time, false, scratch, points);
    below->points(below->context, time, scratch, pool, work);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Plus(work[i], points[i]);
}

void qvRemoveOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvVec3f* work,
                     qvVec3f* points)
{
    below->points(below->context, time, scratch, NULL, work);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Less(points[i], work[i]);
    if (below->turn != NULL)
        below->turn(below->context, time, true, scratch, points);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Plus(rest[i], points[i]);
}
