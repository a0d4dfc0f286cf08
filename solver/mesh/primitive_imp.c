// SPDX-License-Identifier: GPL-3.0-or-later
// The imp: a little character with a big head, horns, ears, arms and legs, standing with its arms out.
#include "mesh/blob.h"
#include "mesh/implicit.h"
#include "quaver/primitive.h"

static const qvBlob parts[] = {
    // body: pear-shaped belly and chest
    { { 0.0, 0.58, 0.03 }, { 0.0, 0.90, 0.0 }, 0.29, 0.20, 0.12, 0 },
    // legs and feet
    { { 0.16, 0.48, 0.0 }, { 0.20, 0.14, 0.0 }, 0.15, 0.115, 0.12, 1 },
    { { 0.20, 0.12, 0.0 }, { 0.25, 0.115, 0.20 }, 0.12, 0.13, 0.08, 1 },
    // arms, hands and thumbs
    { { 0.18, 0.88, 0.0 }, { 0.66, 0.84, 0.0 }, 0.115, 0.095, 0.10, 1 },
    { { 0.70, 0.835, 0.0 }, { 0.83, 0.825, 0.0 }, 0.125, 0.12, 0.08, 1 },
    { { 0.71, 0.88, 0.03 }, { 0.72, 0.99, 0.08 }, 0.085, 0.075, 0.08, 1 },
    // ears and horns
    { { 0.38, 1.36, 0.0 }, { 0.66, 1.48, -0.05 }, 0.14, 0.07, 0.10, 1 },
    { { 0.20, 1.66, 0.02 }, { 0.28, 1.80, 0.0 }, 0.11, 0.085, 0.08, 1 },
    { { 0.28, 1.80, 0.0 }, { 0.27, 1.93, 0.03 }, 0.085, 0.068, 0.04, 1 },
    // eyes and nose
    { { 0.17, 1.45, 0.30 }, { 0.17, 1.45, 0.32 }, 0.125, 0.12, 0.04, 1 },
    { { 0.0, 1.29, 0.34 }, { 0.0, 1.29, 0.43 }, 0.095, 0.085, 0.06, 0 },
};

static double Imp(qvVec3 p)
{
    double head = qvEllipsoidDistance(p, qvMakeVec3(0.0, 1.36, 0.02), qvMakeVec3(0.46, 0.40, 0.39));
    return qvBlendBlobs(head, parts, (int)(sizeof(parts) / sizeof(parts[0])), p);
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    static const qvField field = { Imp, 1.3, { 0.0, -0.1, -0.6 }, { 1.05, 2.1, 0.6 } };
    qvShape shape = { 0 };
    qvShape_AddImplicit(&shape, &field, 2.0 / (24.0 + 0.5 * resolution));
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveImp = { "imp", "Imp", "A little character with arms, legs, ears and horns.", 24, Create };
