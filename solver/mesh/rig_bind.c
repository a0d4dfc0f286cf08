// SPDX-License-Identifier: GPL-3.0-or-later
// The way back through linear blend skinning: a displacement d of a skinned vertex is A x, with A the linear part of
// its blended joint matrix and x the change of the unskinned vertex.
#include "mesh/rig.h"

#include "math/affine.h"

// A^T A + damping.
static qvAffine NormalMatrix(const qvAffine* a, double damping)
{
    qvAffine normal = { .offset = { 0.0, 0.0, 0.0 } };
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            normal.linear[i][j] = i == j ? damping : 0.0;
            for (int k = 0; k < 3; k++)
                normal.linear[i][j] += a->linear[k][i] * a->linear[k][j];
        }
    }
    return normal;
}

// Least squares with a damping of 1e-3 of the matrix's size, refined: each step takes what is left of a direction with
// singular value s down by 1e-6 / (1e-6 + s^2), so that three of them are exact for every matrix that does not squash,
// and a direction that is gone stays zero instead of exploding.
static qvVec3 SolveDamped(const qvAffine* a, qvVec3 d)
{
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size += a->linear[i / 3][i % 3] * a->linear[i / 3][i % 3];
    qvAffine normal = NormalMatrix(a, 1e-6 * size / 3.0), inverse;
    qvVec3 x = qvMakeVec3(0.0, 0.0, 0.0);
    if (!qvAffine_Invert(&normal, &inverse))
        return x;
    for (int step = 0; step < 3; step++)
    {
        qvVec3 left = qvSub(d, qvAffine_Vector(a, x));
        x = qvAdd(x, qvAffine_Vector(&inverse, qvAffine_TransposedVector(a, left)));
    }
    return x;
}

void qvRig_ToBindSpace(const qvRig* rig, int clip, double time, void* scratch, const qvVec3f* displacements,
                       qvVec3f* deltas)
{
    qvRigState state = qvRig_ComputeState(rig, clip, time, scratch);
    for (int p = 0; p < rig->partCount; p++)
    {
        const qvRigPart* part = &rig->parts[p];
        int count = rig->geometries[part->geometry].vertexCount;
        for (int i = 0; i < count; i++)
        {
            qvAffine map = qvRig_VertexMap(rig, &state, part, i);
            qvVec3 d = qvVec3_FromFloat(displacements[part->firstVertex + i]);
            deltas[part->firstVertex + i] = qvVec3_ToFloat(SolveDamped(&map, d));
        }
    }
}

void qvRig_FromBindSpace(const qvRig* rig, int clip, double time, void* scratch, const qvVec3f* deltas,
                         qvVec3f* displacements)
{
    qvRigState state = qvRig_ComputeState(rig, clip, time, scratch);
    for (int p = 0; p < rig->partCount; p++)
    {
        const qvRigPart* part = &rig->parts[p];
        int count = rig->geometries[part->geometry].vertexCount;
        for (int i = 0; i < count; i++)
        {
            qvAffine map = qvRig_VertexMap(rig, &state, part, i);
            qvVec3 x = qvVec3_FromFloat(deltas[part->firstVertex + i]);
            displacements[part->firstVertex + i] = qvVec3_ToFloat(qvAffine_Vector(&map, x));
        }
    }
}
