// SPDX-License-Identifier: GPL-3.0-or-later
// A flour sack, the animator's first character: a full pillow, wider at the bottom, with four corners to act with.
#include "mesh/blob.h"
#include "mesh/implicit.h"
#include "quaver/primitive.h"

static const qvBlob ears[] = {
    { { 0.46, 1.72, 0.0 }, { 0.66, 1.90, 0.0 }, 0.15, 0.12, 0.07, 1 }, // top corners
    { { 0.58, 0.25, 0.0 }, { 0.80, 0.12, 0.0 }, 0.17, 0.13, 0.07, 1 }, // bottom corners
};

// The pillow: rounder than a box and boxier than an ellipsoid seen from the front, a lens seen from the side. Width and
// depth grow towards the bottom, where the flour is.
static double Body(qvVec3 p)
{
    double y = (p.y - 0.96) / 0.95; // -1 at the bottom seam, 1 at the top seam
    double low = fmin(fmax(0.5 - 0.5 * y, 0.0), 1.0);
    double fullness = low * low * (3.0 - 2.0 * low); // 0 at the top, 1 at the bottom
    double x = p.x / (0.64 + 0.13 * fullness), z = p.z / (0.38 + 0.20 * fullness);
    double xx = x * x, yy = y * y;
    double front = sqrt(sqrt(xx * xx + yy * yy));
    return (pow(pow(front, 2.5) + pow(fabs(z), 2.5), 0.4) - 1.0) * 0.45;
}

static double Sack(const void* context, qvVec3 p)
{
    (void)context;
    return qvBlendBlobs(Body(p), ears, (int)(sizeof(ears) / sizeof(ears[0])), p);
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    static const qvField field = { Sack, 1.5, { 0.0, -0.1, -0.65 }, { 0.95, 2.1, 0.65 }, NULL };
    qvShape shape = { 0 };
    qvShape_AddImplicit(&shape, &field, 2.0 / (14.0 + 0.44 * resolution));
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveSack = { "sack", "Flour sack", "A full flour sack with four corners to act with.", 24,
                                      Create };
