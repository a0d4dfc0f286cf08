// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/blob.h"

#include <math.h>
#include <stddef.h>

enum
{
    STEPS_PER_RADIUS = 64, // of the search for the first change of sign
    MAX_STEPS = 64 * 64,
    BISECTIONS = 100
};

qvBlobs qvMakeBlobs(const qvVec3* points, int count, double iso, double blobiness, double radius)
{
    return (qvBlobs){
        .count = count, .points = points, .iso = iso, .a = -blobiness / (radius * radius), .b = iso * exp(-blobiness)
    };
}

double qvBlobs_Field(const qvBlobs* blobs, qvVec3 x, qvVec3* gradient)
{
    double sum = 0.0;
    qvVec3 slope = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < blobs->count; i++)
    {
        qvVec3 d = qvSub(x, blobs->points[i]);
        double f = blobs->b * exp(-blobs->a * qvDot(d, d));
        sum += f;
        slope = qvMulAdd(slope, -2.0 * blobs->a * f, d);
    }
    if (gradient != NULL)
        *gradient = slope;
    return sum;
}

static double Excess(const qvBlobs* blobs, qvVec3 x, qvVec3 direction, double s)
{
    return qvBlobs_Field(blobs, qvMulAdd(x, s, direction), NULL) - blobs->iso;
}

bool qvBlobs_Project(const qvBlobs* blobs, qvVec3 x, double* distance, qvVec3* projected)
{
    qvVec3 gradient;
    double here = qvBlobs_Field(blobs, x, &gradient) - blobs->iso, steepness = qvLength(gradient);
    *distance = 0.0;
    *projected = x;
    if (here == 0.0)
        return true;
    if (!(steepness > 0.0 && blobs->a > 0.0))
        return false;
    // Up the gradient where the field is too low, down it where it is too high, in steps that are small beside a blob.
    qvVec3 direction = qvScale((here < 0.0 ? 1.0 : -1.0) / steepness, gradient);
    double step = 1.0 / (sqrt(blobs->a) * STEPS_PER_RADIUS), inner = 0.0, outer = 0.0;
    int n = 1;
    for (; n <= MAX_STEPS; n++)
    {
        outer = n * step;
        double there = Excess(blobs, x, direction, outer);
        if (there == 0.0 || (there < 0.0) != (here < 0.0))
            break;
        inner = outer;
    }
    if (n > MAX_STEPS)
        return false;
    for (int k = 0; k < BISECTIONS; k++)
    {
        double middle = 0.5 * (inner + outer);
        bool isBefore = (Excess(blobs, x, direction, middle) < 0.0) == (here < 0.0);
        *(isBefore ? &inner : &outer) = middle;
    }
    *projected = qvMulAdd(x, outer, direction);
    *distance = here < 0.0 ? outer : -outer;
    return true;
}
