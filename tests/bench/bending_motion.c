// SPDX-License-Identifier: GPL-3.0-or-later
#include "bending_motion.h"

#include "math/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvAffine RigidAt(const qvBendingMotion* motion, double phase)
{
    if (motion->kind != qv_bendingWhole)
        return qvAffine_Identity();
    qvQuat turn = { 0.0, sin(0.5 * phase), 0.0, cos(0.5 * phase) };
    double size = qvBox_Diagonal(motion->mesh->bounds);
    qvVec3 place = qvMakeVec3(0.3 * size * sin(phase), 0.2 * size * (1.0 - cos(2.0 * phase)), 0.1 * size * cos(phase));
    return qvAffine_FromParts(place, turn, qvMakeVec3(1.0, 1.0, 1.0));
}

// h is the height in the body, 0 to 1.
static qvVec3 Deform(const qvBendingMotion* motion, double phase, qvVec3 p)
{
    qvBox box = motion->mesh->bounds;
    double height = (double)box.upper.y - box.lower.y, size = height > 0.0 ? height : 1.0, y = p.y - box.lower.y;
    double h = y / size, amount = 1.0;
    if (motion->kind == qv_bendingTop)
    {
        double s = fmax(0.0, (h - 0.7) / 0.3);
        amount = s * s * (3.0 - 2.0 * s);
    }
    double ripple = 1.0 + 0.06 * amount * sin(3.0 * phase - 5.0 * h);
    double twist = 0.5 * amount * h * sin(2.0 * phase);
    double x = ripple * (cos(twist) * p.x + sin(twist) * p.z), z = ripple * (cos(twist) * p.z - sin(twist) * p.x);
    double bend = 0.7 * amount * h * sin(phase), c = cos(bend), s = sin(bend);
    return qvMakeVec3(c * x + s * y, box.lower.y + c * y - s * x, z + 0.1 * size * amount * h * h * cos(phase));
}

void qvBendingMotion_Evaluate(const qvBendingMotion* motion, double time, qvVec3f* positions, qvAffine* rigid)
{
    double phase = 2.0 * 3.14159265358979323846 * time / motion->period;
    qvAffine map = RigidAt(motion, phase);
    for (int i = 0; i < motion->mesh->vertexCount; i++)
    {
        qvVec3 p = Deform(motion, phase, qvVec3_FromFloat(motion->mesh->positions[i]));
        positions[i] = qvVec3_ToFloat(motion->kind == qv_bendingWhole ? qvAffine_Point(&map, p) : p);
        if (motion->kind == qv_bendingTop &&
            motion->mesh->positions[i].y <
                motion->mesh->bounds.lower.y + 0.7f * (motion->mesh->bounds.upper.y - motion->mesh->bounds.lower.y))
            positions[i] = motion->mesh->positions[i]; // to the last bit
    }
    if (rigid != NULL)
        *rigid = map;
}

bool qvCreateBendingMotion(const qvMesh* mesh, qvBendingKind kind, int frameCount, double period,
                           qvBendingMotion* motion)
{
    size_t vertices = (size_t)mesh->vertexCount, frames = (size_t)frameCount;
    *motion = (qvBendingMotion){ .mesh = mesh, .kind = kind, .period = period, .frameCount = frameCount };
    motion->times = malloc(frames * sizeof(double));
    motion->frames = malloc(frames * vertices * sizeof(qvVec3f));
    motion->rigid = kind == qv_bendingWhole ? malloc(frames * sizeof(qvAffine)) : NULL;
    if (motion->times == NULL || motion->frames == NULL || (kind == qv_bendingWhole && motion->rigid == NULL))
    {
        qvDestroyBendingMotion(motion);
        return false;
    }
    for (int k = 0; k < frameCount; k++)
    {
        motion->times[k] = frameCount > 1 ? period * k / (frameCount - 1) : 0.0;
        qvBendingMotion_Evaluate(motion, k == frameCount - 1 ? 0.0 : motion->times[k],
                                 motion->frames + (size_t)k * vertices,
                                 motion->rigid != NULL ? motion->rigid + k : NULL);
    }
    return true;
}

void qvDestroyBendingMotion(qvBendingMotion* motion)
{
    free(motion->times);
    free(motion->frames);
    free(motion->rigid);
    *motion = (qvBendingMotion){ 0 };
}

qvAnimation qvBendingMotion_Animation(const qvBendingMotion* motion)
{
    qvAnimation animation = qvDefaultAnimation();
    animation.mesh = motion->mesh;
    animation.name = "bend";
    animation.frameCount = motion->frameCount;
    animation.times = motion->times;
    animation.fps = motion->frameCount > 1 ? (motion->frameCount - 1) / motion->period : 1.0;
    animation.loop = true;
    animation.frames = motion->frames;
    animation.rigid = motion->rigid;
    return animation;
}
