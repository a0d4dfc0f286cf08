// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/meshopt.h"

#include "base/memory.h"

#include <meshoptimizer.h>
#include <stdlib.h>

_Static_assert(sizeof(qvTriangle) == 3 * sizeof(unsigned int), "triangles are three indices");

int qvSimplify(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount, int targetCount,
               qvTriangle* simplified)
{
    const float ANY_ERROR = 1.0f; // of the size: the number of triangles alone decides
    targetCount = targetCount < triangleCount ? targetCount : triangleCount;
    qvVec3f* places = qvAllocateRaw((size_t)pointCount, sizeof(*places));
    if (places == NULL)
        return -1;
    for (int i = 0; i < pointCount; i++)
        places[i] = qvVec3_ToFloat(qvSub(points[i], points[0]));
    size_t count = meshopt_simplify((unsigned int*)simplified, (const unsigned int*)triangles,
                                    3 * (size_t)triangleCount, &places[0].x, (size_t)pointCount, sizeof(*places),
                                    3 * (size_t)targetCount, ANY_ERROR, 0, NULL);
    free(places);
    return (int)(count / 3);
}
