// SPDX-License-Identifier: GPL-3.0-or-later
// The picture that a page shows until its animation is there: seen through the camera with which the viewer of
// page.html begins, drawn without a graphics card, so that a farm can write pages too.
#include "base/memory.h"
#include "formats/page.h"
#include "formats/srgb.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 72, // pixels; the page shows it large and soft
    FINE = 4   // samples along a pixel's side
};

static const double LENS = 35.0 * QV_PI / 180.0; // as in page.html, with the angles below
static const double YAW = 0.35, PITCH = 0.2, ROOM = 1.08;

typedef struct Poster
{
    qvExportFrame shown;
    qvVec3 target, right, up, back;
    double distance;
    float depth[SIDE * FINE * SIDE * FINE]; // inverse distances, 0: nothing
    qvColor color[SIDE * FINE * SIDE * FINE];
} Poster;

// Of the whole motion, so that the picture is framed as the viewer frames it.
static void Aim(Poster* poster, const qvExportTask* task)
{
    bool isWorld = task->animation->space == qv_framesWorld;
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < (isWorld ? task->animation->frameCount : 1); i++)
    {
        qvExportFrame any = isWorld ? qvExportTask_Any(task, i) : poster->shown;
        for (int v = 0; v < any.model.mesh->vertexCount; v++)
        {
            const double p[3] = { any.positions[v].x, any.positions[v].y, any.positions[v].z };
            for (int k = 0; k < 3; k++)
                low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
        }
    }
    qvVec3 lower = { low[0], low[1], low[2] }, upper = { high[0], high[1], high[2] };
    double radius = 0.5 * qvDistance(lower, upper);
    poster->target = qvScale(0.5, qvAdd(lower, upper));
    poster->back = (qvVec3){ sin(YAW) * cos(PITCH), sin(PITCH), cos(YAW) * cos(PITCH) };
    poster->right = (qvVec3){ cos(YAW), 0.0, -sin(YAW) };
    poster->up = (qvVec3){ -sin(YAW) * sin(PITCH), cos(PITCH), -cos(YAW) * sin(PITCH) };
    poster->distance = ROOM * (radius > 0.0 ? radius : 1.0) / sin(0.5 * LENS);
}

// Samples to the right and down, and the inverse of the distance; 0 behind the camera.
static qvVec3 Project(const Poster* poster, qvVec3f position)
{
    qvVec3 p = qvSub(qvVec3_FromFloat(position), poster->target);
    double away = poster->distance - qvDot(p, poster->back);
    if (!(away > 1e-3 * poster->distance))
        return (qvVec3){ 0 };
    double scale = 0.5 * SIDE * FINE / (tan(0.5 * LENS) * away), middle = 0.5 * SIDE * FINE;
    return (qvVec3){ middle + scale * qvDot(p, poster->right), middle - scale * qvDot(p, poster->up), 1.0 / away };
}

static qvColor ColorOf(const qvMesh* mesh, const qvSubmesh* part)
{
    return part->material >= 0 ? mesh->materials[part->material].baseColor : qvMesh_PlainColor(mesh);
}

static qvColor Shade(const Poster* poster, qvTriangle triangle, qvColor color)
{
    const qvVec3f* p = poster->shown.positions;
    qvVec3 a = qvVec3_FromFloat(p[triangle.v[0]]);
    qvVec3 n = qvNormalize(
        qvCross(qvSub(qvVec3_FromFloat(p[triangle.v[1]]), a), qvSub(qvVec3_FromFloat(p[triangle.v[2]]), a)));
    const qvVec3 sun = { -0.45, 0.7, 0.55 };
    double toSun = qvDot(n, qvNormalize(sun)), light = 0.32 + 0.1 * n.y + 0.85 * fmax(0.0, (toSun + 0.25) / 1.25);
    float scale = isfinite(light) ? (float)light : 0.3f;
    return (qvColor){ scale * color.r, scale * color.g, scale * color.b, 1.0f };
}

static void DrawTriangle(Poster* poster, qvTriangle triangle, qvColor color)
{
    const qvVec3f* p = poster->shown.positions;
    qvVec3 a = Project(poster, p[triangle.v[0]]), b = Project(poster, p[triangle.v[1]]),
           c = Project(poster, p[triangle.v[2]]);
    double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    const int size = SIDE * FINE;
    if (a.z <= 0.0 || b.z <= 0.0 || c.z <= 0.0 || area == 0.0)
        return;
    int left = (int)fmax(0.0, floor(fmin(a.x, fmin(b.x, c.x)))), top = (int)fmax(0.0, floor(fmin(a.y, fmin(b.y, c.y))));
    int right = (int)fmin(size - 1.0, fmax(a.x, fmax(b.x, c.x))),
        low = (int)fmin(size - 1.0, fmax(a.y, fmax(b.y, c.y)));
    qvColor shade = Shade(poster, triangle, color);
    for (int y = top; y <= low; y++)
        for (int x = left; x <= right; x++)
        {
            double px = x + 0.5, py = y + 0.5;
            double u = ((b.x - px) * (c.y - py) - (c.x - px) * (b.y - py)) / area;
            double v = ((c.x - px) * (a.y - py) - (a.x - px) * (c.y - py)) / area;
            double near = u * a.z + v * b.z + (1.0 - u - v) * c.z;
            int at = y * size + x;
            if (u < 0.0 || v < 0.0 || u + v > 1.0 || near <= poster->depth[at])
                continue;
            poster->depth[at] = (float)near;
            poster->color[at] = shade;
        }
}

static void Average(const Poster* poster, qvImage* image)
{
    for (int i = 0; i < SIDE * SIDE; i++)
    {
        float sum[4] = { 0.0f };
        for (int k = 0; k < FINE * FINE; k++)
        {
            int at = (i / SIDE * FINE + k / FINE) * SIDE * FINE + i % SIDE * FINE + k % FINE;
            const float channels[4] = { poster->color[at].r, poster->color[at].g, poster->color[at].b,
                                        poster->color[at].a };
            for (int c = 0; c < 4; c++)
                sum[c] += channels[c];
        }
        for (int c = 0; c < 3 && sum[3] > 0.0f; c++)
            image->pixels[4 * i + c] = (uint8_t)lrintf(255.0f * qvSrgb_FromLinear(sum[c] / sum[3]));
        image->pixels[4 * i + 3] = (uint8_t)lrintf(255.0f * sum[3] / (FINE * FINE));
    }
}

qvResult qvDrawPoster(const qvExportTask* task, qvImage* image, qvError* error)
{
    Poster* poster = qvAllocate(1, sizeof(Poster));
    if (poster == NULL)
        return qvError_OutOfMemory(error, sizeof(Poster));
    poster->shown = qvExportTask_Any(task, 0);
    if (task->animation->space != qv_framesWorld)
        poster->shown.positions = task->mesh->positions;
    Aim(poster, task);
    const qvMesh* mesh = poster->shown.model.mesh;
    for (int i = 0; i < mesh->submeshCount; i++)
    {
        const qvSubmesh* part = &mesh->submeshes[i];
        for (int k = 0; k < part->triangleCount; k++)
            DrawTriangle(poster, mesh->triangles[part->firstTriangle + k], ColorOf(mesh, part));
    }
    qvResult result = qvCreateImage(SIDE, SIDE, image, error);
    if (result == qv_ok)
        Average(poster, image);
    free(poster);
    return result;
}
