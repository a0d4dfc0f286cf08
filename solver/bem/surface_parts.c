// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/surface_model.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double USUAL_POISSON = 0.4, MOST_POISSON = 0.45; // beyond it coarse bodies are unstable

void qvSurfaceModel_FreeParts(qvSurfaceModel* model)
{
    for (int b = 0; model->parts != NULL && b < model->partCount; b++)
    {
        free(model->parts[b].points);
        free(model->parts[b].rests);
        free(model->parts[b].gaps);
        free(model->parts[b].isExtra);
    }
    for (int w = 0; model->wholes != NULL && w < model->wholeCount; w++)
    {
        qvDestroyCarrier(model->wholes[w].out);
        free(model->wholes[w].copies);
    }
    free(model->wholes);
    free(model->seams);
    for (int s = 0; model->shapes != NULL && s < model->shapeCount; s++)
        qvDestroyBemShape(model->shapes[s]);
    free(model->parts);
    free(model->shapes);
}

// The points of a part, and its triangles in them; numbers has a place for every point of the body.
static qvResult FindPart(const qvTopology* topology, int index, int32_t* numbers, qvBemPart* part,
                         qvTriangle** triangles, int* triangleCount, qvError* error)
{
    for (int i = 0; i < topology->pointCount; i++)
        part->pointCount += topology->pointPart[i] == index;
    for (int t = 0; t < topology->triangleCount; t++)
        *triangleCount += topology->trianglePart[t] == index;
    part->points = qvAllocate((size_t)part->pointCount, sizeof(int32_t));
    part->rests = qvAllocate((size_t)part->pointCount, sizeof(qvVec3));
    *triangles = qvAllocate((size_t)*triangleCount, sizeof(qvTriangle));
    if (part->points == NULL || part->rests == NULL || *triangles == NULL)
        return qvError_OutOfMemory(error, 28.0 * part->pointCount);
    int count = 0;
    for (int i = 0; i < topology->pointCount; i++)
    {
        if (topology->pointPart[i] != index)
            continue;
        numbers[i] = count;
        part->points[count++] = i;
    }
    count = 0;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        if (topology->trianglePart[t] != index)
            continue;
        for (int k = 0; k < 3; k++)
            (*triangles)[count].v[k] = numbers[topology->triangles[t].v[k]];
        count++;
    }
    return qv_ok;
}

qvEnginePart qvSurfaceModel_MaterialOf(const qvSurfaceModel* model, int part)
{
    const qvEngineInput* input = model->input;
    qvEnginePart own = { .part = part, .wobble = NAN, .settle = NAN, .poisson = NAN, .friction = NAN, .density = 1.0 };
    for (int i = 0; i < input->partCount; i++)
        own = input->parts[i].part == part ? input->parts[i] : own;
    own.wobble = isnan(own.wobble) ? input->def.wobble : own.wobble;
    own.settle = isnan(own.settle) ? input->def.settle : own.settle;
    own.friction = isnan(own.friction) ? input->def.friction : own.friction;
    own.poisson = isnan(own.poisson) ? input->def.poisson : own.poisson;
    own.poisson = isnan(own.poisson) ? USUAL_POISSON : fmin(own.poisson, MOST_POISSON);
    return own;
}

// The shape of a part: that of one before which is the same, or its own.
static qvResult FindShape(qvSurfaceModel* model, const qvBemShapeDef* def, qvBemPart* part, const qvJob* job,
                          qvError* error)
{
    for (int s = 0; s < model->shapeCount && part->shape == NULL; s++)
    {
        if (qvBemShape_IsSame(model->shapes[s], def))
            part->shape = model->shapes[s];
    }
    if (part->shape != NULL)
        return qv_ok;
    qvBemShape* shape;
    qvResult result = qvCreateBemShape(def, job, &shape, error);
    if (result == qv_ok)
    {
        model->shapes[model->shapeCount++] = shape;
        part->shape = shape;
    }
    return result;
}

// The vertices of a part begin where those before it end.
static qvResult PlaceVertices(qvSurfaceModel* model, qvBemPart* part, qvError* error)
{
    part->gaps = qvAllocate((size_t)part->shape->proxy->vertexCount, sizeof(qvVec3));
    if (part->gaps == NULL)
        return qvError_OutOfMemory(error, 24.0 * part->shape->proxy->vertexCount);
    part->firstVertex = model->vertexCount;
    model->vertexCount += part->shape->proxy->vertexCount;
    return qv_ok;
}

static qvResult MakePart(qvSurfaceModel* model, int index, const qvVec3* shape, int32_t* numbers, const qvJob* job,
                         qvError* error)
{
    const qvEngineInput* input = model->input;
    qvSurfaceWhole* whole = &model->wholes[index];
    whole->firstPart = model->partCount;
    whole->partCount = input->def.pieces > 1 ? input->def.pieces : 1;
    model->partCount += whole->partCount;
    qvBemPart* part = &model->parts[whole->firstPart];
    part->share = 1.0;
    qvTriangle* triangles = NULL;
    int triangleCount = 0, detail = input->def.detail > 0 ? input->def.detail : qv_proxyUsual;
    qvResult result = FindPart(input->topology, index, numbers, part, &triangles, &triangleCount, error);
    qvVec3* points = qvAllocateRaw((size_t)part->pointCount, sizeof(*points));
    if (result == qv_ok && points == NULL)
        result = qvError_OutOfMemory(error, 24.0 * part->pointCount);
    if (result == qv_ok)
    {
        for (int i = 0; i < part->pointCount; i++)
            points[i] = shape[part->points[i]];
        qvBemShapeDef def = { .pointCount = part->pointCount,
                              .points = points,
                              .triangleCount = triangleCount,
                              .triangles = triangles,
                              .detail = detail,
                              .poisson = qvSurfaceModel_MaterialOf(model, index).poisson,
                              .store = input->store };
        result = whole->partCount > 1 ? qvSurfaceModel_CutPart(model, whole, &def, job, error)
                                      : FindShape(model, &def, part, job, error);
        if (result == qv_badInput && input->topology->partCount > 1)
            qvError_Prefix(error, "the part with point %d", (int)part->points[0]);
    }
    free(triangles);
    free(points);
    for (int p = 0; result == qv_ok && p < whole->partCount; p++)
        result = PlaceVertices(model, &part[p], error);
    return result;
}

qvResult qvSurfaceModel_MakeParts(qvSurfaceModel* model, const qvVec3* shape, const qvJob* job, qvError* error)
{
    const qvTopology* topology = model->input->topology;
    int mostDetail = qv_proxyMost;
    if (model->input->def.detail > mostDetail)
        return qvError_Set(error, qv_badInput, "detail is %d, and the engine of surfaces takes %d vertices at most",
                           model->input->def.detail, mostDetail);
    int pieces = model->input->def.pieces > 1 ? model->input->def.pieces : 1;
    if (pieces > 1 && model->input->def.byHistory)
        return qvError_Set(error, qv_badInput,
                           "the method \"history\" takes a body in one piece; choose modes, or leave pieces out");
    size_t most = (size_t)topology->partCount * (size_t)pieces;
    model->wholeCount = topology->partCount;
    model->wholes = qvAllocate((size_t)model->wholeCount, sizeof(*model->wholes));
    model->parts = qvAllocate(most, sizeof(*model->parts));
    model->shapes = qvAllocate(most, sizeof(*model->shapes));
    int32_t* numbers = qvAllocate((size_t)topology->pointCount, sizeof(*numbers));
    qvResult result = qv_ok;
    if (model->parts == NULL || model->shapes == NULL || model->wholes == NULL || numbers == NULL)
        result = qvError_OutOfMemory(error, 4.0 * topology->pointCount);
    for (int w = 0; result == qv_ok && w < model->wholeCount; w++)
        result = MakePart(model, w, shape, numbers, job, error);
    free(numbers);
    return result;
}

const qvCarrier* qvSurfaceModel_Carrier(const qvSurfaceModel* model, const qvSurfaceWhole* whole)
{
    return whole->out != NULL ? whole->out : model->parts[whole->firstPart].shape->out;
}

const qvVec3* qvSurfaceModel_Surface(const qvSurfaceModel* model, const qvSurfaceWhole* whole, const qvVec3* vertices,
                                     qvVec3* room)
{
    if (whole->copies == NULL)
        return vertices + model->parts[whole->firstPart].firstVertex;
    for (int v = 0; v < whole->vertexCount; v++)
        room[v] = qvScale(0.5, qvAdd(vertices[whole->copies[v][0]], vertices[whole->copies[v][1]]));
    return room;
}

int qvSurfaceModel_RoomCount(const qvSurfaceModel* model)
{
    int most = 0;
    for (int w = 0; w < model->wholeCount; w++)
        most = model->wholes[w].vertexCount > most ? model->wholes[w].vertexCount : most;
    return most;
}
