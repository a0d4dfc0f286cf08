// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/camera.h"

// Room around what was focused on.
static const double FOCUS_MARGIN = 1.12;

qvuiCamera qvuiDefaultCamera(void)
{
    return (qvuiCamera){ .yaw = 0.5, .pitch = 0.22, .distance = 5.0, .angle = 0.6 };
}

qvuiCamera qvuiCameraOfScene(const qvSceneCamera* camera)
{
    return (qvuiCamera){ .target = camera->target,
                         .yaw = camera->yaw * QV_PI / 180.0,
                         .pitch = camera->pitch * QV_PI / 180.0,
                         .distance = camera->distance,
                         .angle = camera->lens * QV_PI / 180.0,
                         .orthographic = camera->ortho };
}

qvSceneCamera qvuiCamera_ForScene(const qvuiCamera* camera)
{
    return (qvSceneCamera){ .target = camera->target,
                            .yaw = camera->yaw * 180.0 / QV_PI,
                            .pitch = camera->pitch * 180.0 / QV_PI,
                            .distance = camera->distance,
                            .lens = camera->angle * 180.0 / QV_PI,
                            .ortho = camera->orthographic };
}

static double Clamp(double value, double lower, double upper)
{
    return fmin(fmax(value, lower), upper);
}

qvuiCameraFrame qvuiCamera_Frame(const qvuiCamera* camera)
{
    double cy = cos(camera->yaw), sy = sin(camera->yaw), cp = cos(camera->pitch), sp = sin(camera->pitch);
    qvuiCameraFrame frame;
    frame.back = qvMakeVec3(sy * cp, sp, cy * cp);
    frame.right = qvMakeVec3(cy, 0.0, -sy);
    frame.up = qvCross(frame.back, frame.right);
    frame.eye = qvMulAdd(camera->target, camera->distance, frame.back);
    frame.halfHeight = camera->distance * tan(0.5 * camera->angle);
    return frame;
}

void qvuiCamera_Orbit(qvuiCamera* camera, double yaw, double pitch)
{
    camera->yaw = remainder(camera->yaw + yaw, 2.0 * QV_PI);
    camera->pitch = Clamp(camera->pitch + pitch, -0.5 * QV_PI, 0.5 * QV_PI);
}

void qvuiCamera_OrbitAbout(qvuiCamera* camera, qvVec3 pivot, double yaw, double pitch)
{
    qvuiCameraFrame before = qvuiCamera_Frame(camera);
    qvVec3 offset = qvSub(camera->target, pivot);
    double x = qvDot(offset, before.right), y = qvDot(offset, before.up), z = qvDot(offset, before.back);
    qvuiCamera_Orbit(camera, yaw, pitch);
    qvuiCameraFrame after = qvuiCamera_Frame(camera);
    offset = qvAdd(qvAdd(qvScale(x, after.right), qvScale(y, after.up)), qvScale(z, after.back));
    camera->target = qvAdd(pivot, offset);
}

void qvuiCamera_Pan(qvuiCamera* camera, double x, double y)
{
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    camera->target = qvMulAdd(camera->target, -2.0 * x * frame.halfHeight, frame.right);
    camera->target = qvMulAdd(camera->target, 2.0 * y * frame.halfHeight, frame.up);
}

void qvuiCamera_Zoom(qvuiCamera* camera, double factor, double x, double y, double aspect)
{
    double before = camera->distance;
    camera->distance = Clamp(before / factor, 1e-6, 1e9);
    // The point at the target's depth under (x, y) moves by the change of the visible size.
    double slope = tan(0.5 * camera->angle) * (before - camera->distance);
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    camera->target = qvMulAdd(camera->target, x * aspect * slope, frame.right);
    camera->target = qvMulAdd(camera->target, y * slope, frame.up);
}

// A corner at offset o from the middle is inside the picture when |o.right| <= (d - o.back) tan(angle / 2) aspect, and
// likewise for up; in orthographic views without the o.back.
static double DistanceForCorner(const qvuiCamera* camera, const qvuiCameraFrame* frame, qvVec3 offset, double aspect)
{
    double slope = tan(0.5 * camera->angle);
    double across = fabs(qvDot(offset, frame->right)) / (slope * aspect);
    double along = fabs(qvDot(offset, frame->up)) / slope;
    double depth = camera->orthographic ? 0.0 : qvDot(offset, frame->back);
    return depth + FOCUS_MARGIN * fmax(across, along);
}

void qvuiCamera_Focus(qvuiCamera* camera, qvBox box, double aspect)
{
    qvVec3 lower = qvVec3_FromFloat(box.lower), upper = qvVec3_FromFloat(box.upper);
    if (!(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z))
        lower = qvMakeVec3(-1.0, 0.0, -1.0), upper = qvMakeVec3(1.0, 2.0, 1.0);
    camera->target = qvScale(0.5, qvAdd(lower, upper));
    qvVec3 half = qvScale(0.5, qvSub(upper, lower));
    if (!(qvLength(half) > 0.0))
        half = qvMakeVec3(0.5, 0.5, 0.5);
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    double distance = 0.0;
    for (int corner = 0; corner < 8; corner++)
    {
        qvVec3 offset = { corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z };
        distance = fmax(distance, DistanceForCorner(camera, &frame, offset, aspect));
    }
    camera->distance = Clamp(distance, 1e-6, 1e9);
}

void qvuiCamera_SetAxisView(qvuiCamera* camera, qvuiAxisView view)
{
    static const double yaws[] = { 0.0, 1.0, 0.5, -0.5, 0.0, 0.0 };
    static const double pitches[] = { 0.0, 0.0, 0.0, 0.0, 0.5, -0.5 };
    camera->yaw = yaws[view] * QV_PI;
    camera->pitch = pitches[view] * QV_PI;
}

qvRay qvuiCamera_Ray(const qvuiCamera* camera, double x, double y, double aspect)
{
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    qvVec3 offset = qvAdd(qvScale(x * aspect * frame.halfHeight, frame.right), qvScale(y * frame.halfHeight, frame.up));
    qvVec3 forward = qvScale(-camera->distance, frame.back);
    if (camera->orthographic)
        return (qvRay){ qvAdd(frame.eye, offset), forward };
    return (qvRay){ frame.eye, qvAdd(forward, offset) };
}

void qvuiCamera_Matrices(const qvuiCamera* camera, double aspect, qvBox bounds, qvuiMatrix* view,
                         qvuiMatrix* projection)
{
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    qvVec3 lower = qvVec3_FromFloat(bounds.lower), upper = qvVec3_FromFloat(bounds.upper);
    bool empty = !(lower.x <= upper.x);
    qvVec3 centre = empty ? camera->target : qvScale(0.5, qvAdd(lower, upper));
    double radius = empty ? camera->distance : 0.5 * qvDistance(lower, upper);
    double depth = qvDot(qvSub(frame.eye, centre), frame.back);
    double zFar = fmax(depth + 1.1 * radius, camera->distance) + 1e-6;
    double zNear = depth - 1.1 * radius;
    *view = qvuiMatrix_View(frame.eye, frame.right, frame.up, frame.back);
    if (camera->orthographic)
    {
        *projection = qvuiMatrix_Orthographic(frame.halfHeight, aspect, fmin(zNear, 0.0), zFar);
        return;
    }
    zNear = fmax(zNear, 1e-3 * zFar);
    *projection = qvuiMatrix_Perspective(tan(0.5 * camera->angle), aspect, zNear, fmax(zFar, 1.001 * zNear));
}
