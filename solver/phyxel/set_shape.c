// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/set_shape.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct qvSetShape
{
    const qvPhyxelBody* body;
    qvPhyxelReference reference;
    double (*missing)[3][4]; // I minus the gradients of no deformation: directions in which there are no neighbours
    qvPhyxelSurface *points, *vertices;
    qvMesh* mesh;
};

static qvResult FindMissing(qvSetShape* s, const qvVec3* phyxels, qvError* error)
{
    size_t n = (size_t)s->body->count;
    s->missing = qvAllocate(n, sizeof(*s->missing));
    double(*positions)[4] = qvAllocate(n, sizeof(*positions));
    double(*known)[3][4] = qvAllocate(n, sizeof(*known));
    bool isMade = s->missing != NULL && positions != NULL && known != NULL;
    for (size_t i = 0; isMade && i < n; i++)
        memcpy(positions[i], (const double[4]){ phyxels[i].x, phyxels[i].y, phyxels[i].z, 0.0 }, sizeof(*positions));
    if (isMade)
        qvSetShape_Gradients(s, (const double(*)[4])positions, known);
    for (size_t k = 0; isMade && k < 9 * n; k++)
        s->missing[k / 9][k % 3][k / 3 % 3] = (k % 3 == k / 3 % 3 ? 1.0 : 0.0) - known[k / 9][k % 3][k / 3 % 3];
    free(positions);
    free(known);
    return isMade ? qv_ok : qvError_OutOfMemory(error, 224.0 * (double)n);
}

static qvResult CarryMesh(qvSetShape* s, const qvVec3* phyxels, qvError* error)
{
    int count = s->mesh != NULL ? s->mesh->vertexCount : 0;
    if (count == 0)
        return qv_ok;
    qvVec3* vertices = qvAllocateRaw((size_t)count, sizeof(*vertices));
    if (vertices == NULL)
        return qvError_OutOfMemory(error, 24.0 * count);
    for (int v = 0; v < count; v++)
        vertices[v] = qvVec3_FromFloat(s->mesh->positions[v]);
    qvPhyxelCarriers carriers = { s->body->count, phyxels, s->reference.part, s->body->spacing };
    qvResult result = qvCreatePhyxelSurface(&carriers, count, vertices, &s->vertices, error);
    free(vertices);
    return result;
}

qvResult qvCreateSetShape(const qvPhyxelBody* body, const qvVec3* phyxels, int pointCount, const qvVec3* points,
                          qvMesh* torn, qvSetShape** shape, qvError* error)
{
    *shape = NULL;
    qvSetShape* s = qvAllocate(1, sizeof(*s));
    if (s == NULL)
    {
        qvDestroyMesh(torn);
        return qvError_OutOfMemory(error, sizeof(*s));
    }
    s->body = body;
    s->mesh = torn;
    qvResult result =
        qvPhyxelReference_Build(&s->reference, body->count, phyxels, NULL, body->radius, body->volumes, error);
    if (result == qv_ok)
        result = FindMissing(s, phyxels, error);
    qvPhyxelCarriers carriers = { body->count, phyxels, s->reference.part, body->spacing };
    if (result == qv_ok)
        result = qvCreatePhyxelSurface(&carriers, pointCount, points, &s->points, error);
    if (result == qv_ok)
        result = CarryMesh(s, phyxels, error);
    if (result == qv_ok)
        *shape = s;
    else
        qvDestroySetShape(s);
    return result;
}

void qvDestroySetShape(qvSetShape* shape)
{
    if (shape == NULL)
        return;
    qvPhyxelReference_Free(&shape->reference);
    qvDestroyPhyxelSurface(shape->points);
    qvDestroyPhyxelSurface(shape->vertices);
    qvDestroyMesh(shape->mesh);
    free(shape->missing);
    free(shape);
}

void qvSetShape_Gradients(const qvSetShape* shape, const double (*positions)[4], double (*columns)[3][4])
{
    int count = shape->body->count;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&shape->reference);
    qvGetPhyxelKernelD()->gradients(&lists, 0, count, positions, columns);
    for (int k = 0; k < 9 * count; k++)
        columns[k / 9][k % 3][k / 3 % 3] += shape->missing[k / 9][k % 3][k / 3 % 3];
}

const qvPhyxelSurface* qvSetShape_Points(const qvSetShape* shape)
{
    return shape->points;
}

const qvMesh* qvSetShape_Mesh(const qvSetShape* shape)
{
    return shape->mesh;
}

const qvPhyxelSurface* qvSetShape_Vertices(const qvSetShape* shape)
{
    return shape->vertices;
}

// Values per vertex or per corner, as the mesh has them.
static qvAttributeDef AttributeOf(const qvMesh* mesh, qvDomain domain, const float* values, const int32_t* corners)
{
    if (domain == qv_domainNone)
        return (qvAttributeDef){ 0 };
    bool isOfCorners = domain == qv_domainCorner;
    return (qvAttributeDef){ values, isOfCorners ? 3 * mesh->triangleCount : mesh->vertexCount,
                             isOfCorners ? corners : NULL };
}

qvResult qvSetShape_MoveMesh(const qvSetShape* shape, const qvVec3f* vertices, qvMesh** mesh, qvError* error)
{
    const qvMesh* from = shape->mesh;
    size_t runs = (size_t)from->submeshCount;
    qvSubmeshDef* submeshes = qvAllocate(runs + 1, sizeof(*submeshes));
    int32_t* corners = qvAllocateRaw(3 * (size_t)from->triangleCount, sizeof(*corners));
    qvMeshDef def = qvDefaultMeshDef();
    qvResult result = qv_ok;
    if (submeshes == NULL || corners == NULL)
        result = qvError_OutOfMemory(error, 12.0 * from->triangleCount);
    for (int c = 0; result == qv_ok && c < 3 * from->triangleCount; c++)
        corners[c] = c;
    for (size_t s = 0; result == qv_ok && s < runs; s++)
        submeshes[s] =
            (qvSubmeshDef){ from->submeshes[s].name, from->submeshes[s].material, from->submeshes[s].triangleCount };
    if (result == qv_ok)
    {
        def.vertexCount = from->vertexCount;
        def.positions = vertices;
        def.faceCount = from->triangleCount;
        def.corners = from->triangles[0].v;
        def.uvs = AttributeOf(from, from->uvDomain, (const float*)from->uvs, corners);
        def.colors = AttributeOf(from, from->colorDomain, (const float*)from->colors, corners);
        def.submeshCount = from->submeshCount;
        def.submeshes = submeshes;
        def.materialCount = from->materialCount;
        def.materials = from->materials;
        def.textureCount = from->textureCount;
        def.textures = from->textures;
        result = qvCreateMesh(&def, mesh, NULL, error);
    }
    free(submeshes);
    free(corners);
    return result;
}
