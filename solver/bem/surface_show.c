// SPDX-License-Identifier: GPL-3.0-or-later
// What can be seen of a simulation by surfaces beside the body: the forces on the vertices of its proxies, of contact,
// pins and joints, as arrows and as pressure. Both are told in parts of the weight of the part that they act on, which
// what lies still can be checked by: its forces are one weight in all.
#include "bem/surface_model.h"

#include <math.h>

static const double EARTH = 9.81; // where there is no gravity
static const double FILL = 0.6;   // of the distance between vertices that balls take

const qvChannel qvSurfaceChannels[qv_surfaceChannels] = {
    [qv_surfacePressure] = { "pressure",
                             "Pressure",
                             "",
                             "How hard what it touches presses on the surface; 1 is its weight on all of its surface",
                             { 0.0, 20.0 },
                             false },
    [qv_surfaceForce] = { "force",
                          "Force",
                          "%",
                          "Forces of contact, pins and joints as arrows, in parts of its weight: a whole one is as "
                          "long as the body, a quarter half as long",
                          { 0.0, 20.0 },
                          true },
};

static double AreaOf(const qvBemSurface* surface)
{
    double area = 0.0;
    for (int i = 0; i < surface->triangleCount; i++)
        area += surface->areas[i];
    return area;
}

int qvSurfaceModel_ShownCount(const void* object)
{
    return ((const qvSurfaceModel*)object)->vertexCount;
}

double qvSurfaceModel_ShownRadius(const void* object)
{
    const qvSurfaceModel* model = object;
    double area = 0.0;
    for (int b = 0; b < model->partCount; b++)
        area += AreaOf(model->parts[b].shape->model->surface);
    return 0.5 * FILL * sqrt(area / model->vertexCount);
}

// The weight of a part, as bodies have it: with a density of 1.
static double WeightOf(const qvSurfaceModel* model, int body)
{
    double gravity = qvLength(model->input->def.gravity);
    return (gravity > 0.0 ? gravity : EARTH) * model->bodies[body].density *
           model->parts[body].shape->model->surface->volume;
}

static qvVec3 At(const float* values, int vertex)
{
    return qvMakeVec3(values[3 * vertex], values[3 * vertex + 1], values[3 * vertex + 2]);
}

// Out of the surface round a vertex, as large as the triangles there are together.
static qvVec3 NormalOf(const qvBemSurface* surface, const float* vertices, int vertex)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = surface->fanStart[vertex]; i < surface->fanStart[vertex + 1]; i++)
    {
        const int32_t* v = surface->triangles[surface->fan[i]].v;
        qvVec3 a = At(vertices, v[0]);
        sum = qvMulAdd(sum, 0.5, qvCross(qvSub(At(vertices, v[1]), a), qvSub(At(vertices, v[2]), a)));
    }
    return sum;
}

// Forces as parts of the weight.
static void ShowPart(const qvSurfaceModel* model, int body, int channel, const float* vertices, const float* forces,
                     float* shown, qvVec3f* arrows)
{
    const qvBemSurface* surface = model->parts[body].shape->model->surface;
    double weight = WeightOf(model, body), area = AreaOf(surface);
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvVec3 force = qvScale(1.0 / weight, At(forces, v));
        double size = qvLength(force), press = -qvDot(force, qvNormalize(NormalOf(surface, vertices, v)));
        if (channel == qv_surfacePressure)
            shown[v] = (float)(fmax(press, 0.0) * area / surface->vertexArea[v]);
        else
        {
            shown[v] = (float)(100.0 * size);
            arrows[v] = qvVec3_ToFloat(qvScale(surface->diameter * fmin(sqrt(size), 1.0), qvNormalize(force)));
        }
    }
}

void qvSurfaceModel_Show(const void* object, int channel, double time, const float* values, void* scratch,
                         qvVec3f* points, float* shown, qvVec3f* arrows)
{
    const qvSurfaceModel* model = object;
    const float* forces = values + 3 * (size_t)model->vertexCount;
    (void)time;
    (void)scratch;
    for (int v = 0; v < model->vertexCount; v++)
        points[v] = qvVec3_ToFloat(At(values, v));
    for (int b = 0; b < model->partCount; b++)
    {
        int first = model->parts[b].firstVertex;
        ShowPart(model, b, channel, values + 3 * (size_t)first, forces + 3 * (size_t)first, shown + first,
                 arrows != NULL ? arrows + first : NULL);
    }
}
