// SPDX-License-Identifier: GPL-3.0-or-later
// The imp: a little character with a big head, horns, ears, arms and legs, standing with its arms out.
#include "mesh/blob.h"
#include "mesh/implicit.h"
#include "quaver/primitive.h"

static const qvBlob parts[] = {
    // body: pear-shaped belly and chest
    { { 0.0, 0.58, 0.04 }, { 0.0, 0.90, 0.0 }, 0.31, 0.20, 0.12, 0 },
    // legs and feet
    { { 0.17, 0.48, 0.0 }, { 0.21, 0.14, 0.0 }, 0.15, 0.115, 0.12, 1 },
    { { 0.21, 0.12, 0.0 }, { 0.26, 0.125, 0.20 }, 0.12, 0.135, 0.08, 1 },
    // arms, hands and thumbs
    { { 0.20, 0.89, 0.0 }, { 0.68, 0.84, 0.0 }, 0.115, 0.10, 0.10, 1 },
    { { 0.73, 0.835, 0.0 }, { 0.85, 0.825, 0.0 }, 0.13, 0.12, 0.08, 1 },
    { { 0.72, 0.89, 0.03 }, { 0.73, 1.00, 0.09 }, 0.085, 0.075, 0.08, 1 },
    // ears and horns
    { { 0.40, 1.40, -0.02 }, { 0.72, 1.53, -0.08 }, 0.135, 0.08, 0.08, 1 },
    { { 0.20, 1.68, 0.02 }, { 0.285, 1.83, 0.0 }, 0.125, 0.095, 0.08, 1 },
    { { 0.285, 1.83, 0.0 }, { 0.30, 1.97, 0.04 }, 0.095, 0.08, 0.01, 1 },
    // eyes and nose
    { { 0.18, 1.46, 0.28 }, { 0.18, 1.46, 0.31 }, 0.125, 0.12, 0.05, 1 },
    { { 0.0, 1.30, 0.36 }, { 0.0, 1.31, 0.44 }, 0.09, 0.085, 0.06, 0 },
};

static double Imp(const void* context, qvVec3 p)
{
    (void)context;
    double head = qvEllipsoidDistance(p, qvMakeVec3(0.0, 1.37, 0.02), qvMakeVec3(0.48, 0.40, 0.39));
    return qvBlendBlobs(head, parts, (int)(sizeof(parts) / sizeof(parts[0])), p);
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    static const qvField field = { Imp, 1.5, { 0.0, -0.1, -0.6 }, { 1.05, 2.1, 0.6 }, NULL };
    qvShape shape = { 0 };
    qvShape_AddImplicit(&shape, &field, 2.0 / (22.5 + 0.54 * resolution));
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveImp = { "imp", "Imp", "A little character with arms, legs, ears and horns.", 20, Create };
