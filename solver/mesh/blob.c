// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/blob.h"

double qvBlend(double a, double b, double reach)
{
    // A polynomial that leaves both alone where they differ by more than the reach.
    double overlap = reach - fabs(a - b);
    double low = a < b ? a : b;
    return overlap > 0.0 ? low - overlap * overlap / (4.0 * reach) : low;
}

static double Larger(double a, double b)
{
    return a > b ? a : b;
}

static double RoundConeDistance(const qvBlob* blob, qvVec3 p)
{
    // In the plane through the axis and p: x along the axis, y away from it. The cone's normal leans by
    // (startRadius - endRadius) / length.
    qvVec3 axis = qvSub(blob->end, blob->start), offset = qvSub(p, blob->start);
    double length = qvLength(axis);
    double x = length > 0.0 ? qvDot(offset, axis) / length : 0.0;
    double y = sqrt(Larger(0.0, qvDot(offset, offset) - x * x));
    double lean = length > 0.0 ? (blob->startRadius - blob->endRadius) / length : 0.0;
    double upright = sqrt(Larger(0.0, 1.0 - lean * lean));
    double foot = x * upright - y * lean; // along the cone's side
    if (foot <= 0.0)
        return sqrt(x * x + y * y) - blob->startRadius;
    if (foot >= length * upright)
        return sqrt((x - length) * (x - length) + y * y) - blob->endRadius;
    return x * lean + y * upright - blob->startRadius;
}

static double BlobDistance(const qvBlob* blob, qvVec3 p)
{
    if (!blob->mirrored)
        return RoundConeDistance(blob, p);
    // Mirrored blobs are given at x > 0; the image at -x is farther away, mostly out of the joint's reach.
    double x = fabs(p.x);
    double distance = RoundConeDistance(blob, qvMakeVec3(x, p.y, p.z));
    double clearance = -Larger(blob->startRadius - blob->start.x, blob->endRadius - blob->end.x);
    if (x + clearance > distance + blob->blend)
        return distance;
    return qvBlend(distance, RoundConeDistance(blob, qvMakeVec3(-x, p.y, p.z)), blob->blend);
}

double qvEllipsoidDistance(qvVec3 p, qvVec3 center, qvVec3 radii)
{
    // |q| (|q| - 1) / |gradient of |q||, with q = offset / radii: exact to first order on the surface.
    qvVec3 d = qvSub(p, center);
    qvVec3 q = { d.x / radii.x, d.y / radii.y, d.z / radii.z };
    qvVec3 g = { q.x / radii.x, q.y / radii.y, q.z / radii.z };
    double length = qvLength(q), slope = qvLength(g);
    return slope > 0.0 ? length * (length - 1.0) / slope : -fmin(radii.x, fmin(radii.y, radii.z));
}

double qvBlendBlobs(double distance, const qvBlob* blobs, int count, qvVec3 p)
{
    for (int i = 0; i < count; i++)
    {
        // A blob whose ball around it is out of reach changes nothing.
        const qvBlob* blob = &blobs[i];
        qvVec3 middle = qvScale(0.5, qvAdd(blob->start, blob->end));
        qvVec3 near = { blob->mirrored ? fabs(p.x) : p.x, p.y, p.z };
        double radius = 0.5 * qvDistance(blob->start, blob->end) + Larger(blob->startRadius, blob->endRadius);
        // Between mirror images the blend may come closer than either, by a quarter of its reach.
        if (qvDistance(near, middle) - radius - 0.25 * blob->blend < distance + blob->blend)
            distance = qvBlend(distance, BlobDistance(blob, p), blob->blend);
    }
    return distance;
}
