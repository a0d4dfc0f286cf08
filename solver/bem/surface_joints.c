// SPDX-License-Identifier: GPL-3.0-or-later
// Joints between parts of a body: each end hangs on the vertex that its point moves with most.
#include "bem/surface_model.h"

#include "base/memory.h"
#include "math/rotation.h"

#include <stdlib.h>

qvResult qvSurfaceModel_FindJoints(qvSurfaceModel* model, qvError* error)
{
    const qvEngineInput* input = model->input;
    model->jointCount = input->jointCount + model->seamCount;
    model->joints = qvAllocate((size_t)model->jointCount, sizeof(*model->joints));
    if (model->joints == NULL)
        return qvError_OutOfMemory(error, 64.0 * model->jointCount);
    for (int j = 0; j < model->seamCount; j++)
        model->joints[input->jointCount + j] = model->seams[j];
    for (int j = 0; j < input->jointCount; j++)
    {
        qvBemJoint* joint = &model->joints[j];
        for (int e = 0; e < 2; e++)
            qvBemParts_Find(model->parts, model->partCount, input->joints[j].points[e], &joint->body[e],
                            &joint->vertex[e]);
        for (int other = 0; other < j; other++)
        {
            const qvBemJoint* o = &model->joints[other];
            for (int e = 0; e < 2; e++)
            {
                if (o->body[0] == joint->body[e] && o->vertex[0] == joint->vertex[e] &&
                    o->body[1] == joint->body[1 - e] && o->vertex[1] == joint->vertex[1 - e])
                    return qvError_Set(error, qv_badInput,
                                       "joints %d and %d hold the same places together; remove one of them or "
                                       "raise detail",
                                       other, j);
            }
        }
    }
    return qv_ok;
}

// Whether the span before has it too: then it goes on as it is.
static bool TakeOver(const qvSurfaceModel* model, qvBemJoint* joint)
{
    const qvSurfaceModel* before = model->input->before;
    for (int j = 0; before != NULL && j < before->jointCount; j++)
    {
        const qvBemJoint* o = &before->joints[j];
        if (o->body[0] != joint->body[0] || o->vertex[0] != joint->vertex[0] || o->body[1] != joint->body[1] ||
            o->vertex[1] != joint->vertex[1])
            continue;
        *joint = *o;
        return true;
    }
    return false;
}

qvResult qvSurfaceModel_HangJoints(qvSurfaceModel* model, qvError* error)
{
    int count = model->jointCount;
    if (count == 0)
        return qv_ok;
    qvVec3* positions = qvAllocateRaw((size_t)model->vertexCount, sizeof(*positions));
    if (positions == NULL)
        return qvError_OutOfMemory(error, 24.0 * model->vertexCount);
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Positions(model->system, model->start + 1, b, positions + model->parts[b].firstVertex);
    for (int j = 0; j < count; j++)
    {
        qvBemJoint* joint = &model->joints[j];
        qvVec3 ends[2];
        for (int e = 0; e < 2; e++)
            ends[e] = positions[model->parts[joint->body[e]].firstVertex + joint->vertex[e]];
        qvVec3 middle = qvScale(0.5, qvAdd(ends[0], ends[1]));
        for (int e = 0; e < 2 && !TakeOver(model, joint); e++)
        {
            qvQuat turn = qvBemSystem_Pose(model->system, model->start + 1, joint->body[e]).rotation;
            joint->offset[e] = qvQuat_Rotate(qvQuat_Conjugate(turn), qvSub(middle, ends[e]));
        }
        qvBemSystem_HangJoint(model->system, j, joint->offset);
    }
    free(positions);
    return qv_ok;
}
