// SPDX-License-Identifier: GPL-3.0-or-later
// The point of a triangle that is closest to a point (C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5),
// made safe for triangles without area.
#pragma once

#include "quaver/math.h"

/// The point of the segment from a to b that is closest to p.
static inline qvVec3 qvClosestOnSegment(qvVec3 p, qvVec3 a, qvVec3 b)
{
    qvVec3 ab = qvSub(b, a);
    double square = qvDot(ab, ab), along = qvDot(qvSub(p, a), ab);
    if (!(along > 0.0))
        return a;
    return along >= square ? b : qvMulAdd(a, along / square, ab);
}

static inline qvVec3 qvNearerOf(qvVec3 p, qvVec3 a, qvVec3 b)
{
    qvVec3 toA = qvSub(a, p), toB = qvSub(b, p);
    return qvDot(toB, toB) < qvDot(toA, toA) ? b : a;
}

/// The point of the triangle a, b, c that is closest to p.
static inline qvVec3 qvClosestOnTriangle(qvVec3 p, qvVec3 a, qvVec3 b, qvVec3 c)
{
    qvVec3 ab = qvSub(b, a), ac = qvSub(c, a), ap = qvSub(p, a);
    double d1 = qvDot(ab, ap), d2 = qvDot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0)
        return a;
    double bb = qvDot(ab, ab), cc = qvDot(ac, ac), bc = qvDot(ab, ac);
    double d3 = d1 - bb, d4 = d2 - bc; // ab and ac with p - b
    if (d3 >= 0.0 && d4 <= d3)
        return b;
    double d5 = d1 - bc, d6 = d2 - cc; // ab and ac with p - c
    if (d6 >= 0.0 && d5 <= d6)
        return c;
    // Weights of the corners, times four times the squared area. Of a sliver they are noise: its edges are all there
    // is.
    double area = bb * cc - bc * bc;
    double wc = d1 * d4 - d3 * d2, wb = d5 * d2 - d1 * d6, wa = d3 * d6 - d5 * d4;
    if (!(area > 1e-10 * bb * cc))
        return qvNearerOf(p, qvNearerOf(p, qvClosestOnSegment(p, a, b), qvClosestOnSegment(p, b, c)),
                          qvClosestOnSegment(p, c, a));
    if (wc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        return qvMulAdd(a, d1 / bb, ab);
    if (wb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        return qvMulAdd(a, d2 / cc, ac);
    if (wa <= 0.0 && d4 >= d3 && d5 >= d6)
        return qvMulAdd(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), qvSub(c, b));
    double scale = 1.0 / (wa + wb + wc);
    return qvMulAdd(qvMulAdd(a, wb * scale, ab), wc * scale, ac);
}
