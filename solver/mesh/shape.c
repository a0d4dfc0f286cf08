// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/shape.h"

#include "base/memory.h"

#include <stdlib.h>

static const double HALF_PI = 1.57079632679489661923;

int qvShape_AddVertex(qvShape* shape, qvVec3 position, double u, double v)
{
    int index = shape->vertexCount;
    if (shape->outOfMemory || !qvReserve(&shape->vertices, &shape->vertexCapacity, index + 1, sizeof(*shape->vertices)))
    {
        shape->outOfMemory = true;
        return 0;
    }
    shape->vertices[shape->vertexCount++] = (qvShapeVertex){ position, (float)u, (float)v };
    return index;
}

void qvShape_AddTriangle(qvShape* shape, int a, int b, int c)
{
    if (shape->outOfMemory ||
        !qvReserve(&shape->triangles, &shape->triangleCapacity, shape->triangleCount + 1, sizeof(*shape->triangles)))
    {
        shape->outOfMemory = true;
        return;
    }
    shape->triangles[shape->triangleCount++] = (qvTriangle){ { a, b, c } };
}

void qvShape_AddQuad(qvShape* shape, int a, int b, int c, int d)
{
    if (shape->outOfMemory)
        return;
    const qvShapeVertex* vertices = shape->vertices;
    double ac = qvDistance(vertices[a].position, vertices[c].position);
    double bd = qvDistance(vertices[b].position, vertices[d].position);
    // Rounding must not decide between equal diagonals: mirrored quads would be split differently.
    if (ac <= bd * (1.0 + 1e-9))
    {
        qvShape_AddTriangle(shape, a, b, c);
        qvShape_AddTriangle(shape, a, c, d);
    }
    else
    {
        qvShape_AddTriangle(shape, a, b, d);
        qvShape_AddTriangle(shape, b, c, d);
    }
}

void qvShape_AddBand(qvShape* shape, int lowerRing, int upperRing, int count, bool upperAhead)
{
    for (int i = 0; i < count; i++)
    {
        int a = lowerRing + i, b = a + 1, c = upperRing + i, d = c + 1;
        qvShape_AddTriangle(shape, a, b, upperAhead ? c : d);
        if (upperAhead)
            qvShape_AddTriangle(shape, b, d, c);
        else
            qvShape_AddTriangle(shape, a, d, c);
    }
}

// First vertex of ring j of a disc, counted from the centre.
static int DiscRing(int j)
{
    return j == 0 ? 0 : 1 + 3 * j * (j - 1);
}

void qvShape_AddDisc(qvShape* shape, int first, int ringCount)
{
    for (int j = 1; j <= ringCount; j++)
    {
        int outer = first + DiscRing(j), inner = first + DiscRing(j - 1);
        int outerCount = 6 * j, innerCount = j > 1 ? 6 * (j - 1) : 1;
        for (int sextant = 0; sextant < 6; sextant++)
        {
            for (int i = 0; i < j; i++)
            {
                int a = outer + sextant * j + i, b = outer + (sextant * j + i + 1) % outerCount;
                int c = inner + (sextant * (j - 1) + i) % innerCount;
                qvShape_AddTriangle(shape, a, b, c);
                if (i + 1 < j)
                    qvShape_AddTriangle(shape, b, inner + (sextant * (j - 1) + i + 1) % innerCount, c);
            }
        }
    }
}

qvUnitCircle qvMakeUnitCircle(int step, int stepCount)
{
    step = (step % stepCount + stepCount) % stepCount;
    int quadrant = 4 * step / stepCount, rest = 4 * step - quadrant * stepCount;
    // Only angles up to an eighth of a turn are evaluated; the others are mirror images.
    bool mirrored = 2 * rest > stepCount;
    double angle = HALF_PI * (mirrored ? stepCount - rest : rest) / stepCount;
    double near = cos(angle), far = 2 * rest == stepCount ? near : sin(angle);
    qvUnitCircle first = { mirrored ? far : near, mirrored ? near : far };
    switch (quadrant)
    {
    case 0:
        return first;
    case 1:
        return (qvUnitCircle){ -first.sine, first.cosine };
    case 2:
        return (qvUnitCircle){ -first.cosine, -first.sine };
    default:
        return (qvUnitCircle){ first.sine, -first.cosine };
    }
}

// Zero gets one sign, so that equal positions are equal bits.
static float PositiveZero(double x)
{
    return (float)x + 0.0f;
}

static void Place(const qvShape* shape, qvShapeFit fit, qvVec3f* positions)
{
    double lowest = INFINITY, highest = -INFINITY, widest = 0.0;
    for (int i = 0; i < shape->vertexCount; i++)
    {
        qvVec3 p = shape->vertices[i].position;
        lowest = fmin(lowest, p.y);
        highest = fmax(highest, p.y);
        widest = fmax(widest, fabs(p.x));
    }
    // A quotient first: the extreme points then land on exactly 2 or 1.
    double size = fit == qv_fitHeight ? 0.5 * (highest - lowest) : widest;
    for (int i = 0; i < shape->vertexCount; i++)
    {
        qvVec3 p = shape->vertices[i].position;
        positions[i].x = PositiveZero(p.x / size);
        positions[i].y = PositiveZero((p.y - lowest) / size);
        positions[i].z = PositiveZero(p.z / size);
    }
}

static qvResult MakeMesh(const qvShape* shape, qvShapeFit fit, qvMesh** mesh, qvError* error)
{
    size_t count = (size_t)shape->vertexCount;
    qvVec3f* positions = qvAllocateRaw(count, sizeof(*positions));
    float* uvs = qvAllocateRaw(count, 2 * sizeof(*uvs));
    qvResult result;
    if (shape->outOfMemory || positions == NULL || uvs == NULL)
    {
        result = qvError_OutOfMemory(error, (double)count * sizeof(qvShapeVertex));
    }
    else
    {
        Place(shape, fit, positions);
        for (size_t i = 0; i < count; i++)
        {
            uvs[2 * i] = shape->vertices[i].u;
            uvs[2 * i + 1] = shape->vertices[i].v;
        }
        qvMeshDef def = qvDefaultMeshDef();
        def.vertexCount = shape->vertexCount;
        def.positions = positions;
        def.faceCount = shape->triangleCount;
        def.corners = shape->triangles[0].v;
        def.uvs = (qvAttributeDef){ uvs, shape->vertexCount, NULL };
        result = qvCreateMesh(&def, mesh, NULL, error);
    }
    free(positions);
    free(uvs);
    return result;
}

qvResult qvShape_Finish(qvShape* shape, qvShapeFit fit, qvMesh** mesh, qvError* error)
{
    qvResult result = MakeMesh(shape, fit, mesh, error);
    free(shape->vertices);
    free(shape->triangles);
    *shape = (qvShape){ 0 };
    return result;
}
