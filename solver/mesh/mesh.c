// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/mesh.h"

#include "mesh/build.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Beyond this many diagonals from the origin, the step of a float is more than 1e-4 of the diagonal.
static const double FAR_DIAGONALS = 1000.0;

qvMeshDef qvDefaultMeshDef(void)
{
    return (qvMeshDef){ 0 };
}

qvResult qvMeshBuild_NumberPoints(qvMeshBuild* build, qvError* error)
{
    qvMesh* mesh = build->mesh;
    free(mesh->vertexPoint);
    free(mesh->pointTriangles);
    free(mesh->pointVertex);
    mesh->pointCount = 0;
    build->report.items[qv_healthUnreferenced] = (qvHealthItem){ 0 };
    mesh->vertexPoint = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(*mesh->vertexPoint));
    mesh->pointTriangles = qvAllocateRaw((size_t)build->triangleCount, sizeof(*mesh->pointTriangles));
    for (int v = 0; v < mesh->vertexCount; v++)
        mesh->pointCount += build->places[v] == v;
    mesh->pointVertex = qvAllocateRaw((size_t)mesh->pointCount, sizeof(*mesh->pointVertex));
    if (mesh->vertexPoint == NULL || mesh->pointTriangles == NULL || mesh->pointVertex == NULL)
        return qvError_OutOfMemory(error, 8.0 * mesh->vertexCount + 12.0 * build->triangleCount);
    for (int v = 0, point = 0; v < mesh->vertexCount; v++)
    {
        // The first vertex of a place comes before the others.
        int place = build->places[v];
        if (place == v)
        {
            mesh->pointVertex[point] = v;
            mesh->vertexPoint[v] = point++;
        }
        else
            mesh->vertexPoint[v] = place >= 0 ? mesh->vertexPoint[place] : -1;
        if (place < 0)
            qvMeshBuild_Note(build, qv_healthUnreferenced, v);
    }
    for (int t = 0; t < build->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            mesh->pointTriangles[t].v[k] = mesh->vertexPoint[build->def->corners[build->corners[t].v[k]]];
    }
    return qv_ok;
}

static qvResult CopyPositions(qvMeshBuild* build, qvError* error)
{
    qvMesh* mesh = build->mesh;
    mesh->vertexCount = build->def->vertexCount;
    mesh->positions = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(*mesh->positions));
    if (mesh->positions == NULL)
        return qvError_OutOfMemory(error, 12.0 * mesh->vertexCount);
    memcpy(mesh->positions, build->def->positions, (size_t)mesh->vertexCount * sizeof(*mesh->positions));
    return qv_ok;
}

static qvResult CopyTriangles(qvMeshBuild* build, qvError* error)
{
    qvMesh* mesh = build->mesh;
    mesh->triangleCount = build->triangleCount;
    mesh->triangles = qvAllocateRaw((size_t)mesh->triangleCount, sizeof(*mesh->triangles));
    if (mesh->triangles == NULL)
        return qvError_OutOfMemory(error, 12.0 * mesh->triangleCount);
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            mesh->triangles[t].v[k] = build->def->corners[build->corners[t].v[k]];
    }
    return qv_ok;
}

static float LargestCoordinate(qvVec3f p)
{
    return fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
}

static qvBox EmptyBox(void)
{
    return (qvBox){ { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
}

static void GrowBox(qvBox* box, qvVec3f p)
{
    box->lower.x = p.x < box->lower.x ? p.x : box->lower.x;
    box->lower.y = p.y < box->lower.y ? p.y : box->lower.y;
    box->lower.z = p.z < box->lower.z ? p.z : box->lower.z;
    box->upper.x = p.x > box->upper.x ? p.x : box->upper.x;
    box->upper.y = p.y > box->upper.y ? p.y : box->upper.y;
    box->upper.z = p.z > box->upper.z ? p.z : box->upper.z;
}

static void FindBounds(qvMeshBuild* build)
{
    qvMesh* mesh = build->mesh;
    mesh->bounds = EmptyBox();
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        if (mesh->vertexPoint[v] >= 0)
            GrowBox(&mesh->bounds, mesh->positions[v]);
    }
    double limit = FAR_DIAGONALS * qvBox_Diagonal(mesh->bounds);
    if (LargestCoordinate(mesh->bounds.lower) <= limit && LargestCoordinate(mesh->bounds.upper) <= limit)
        return;
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        if (mesh->vertexPoint[v] >= 0 && LargestCoordinate(mesh->positions[v]) > limit)
            qvMeshBuild_Note(build, qv_healthFarFromOrigin, v);
    }
}

static qvResult RunBuild(qvMeshBuild* build, qvError* error)
{
    typedef qvResult StepFcn(qvMeshBuild * build, qvError * error);
    static StepFcn* const steps[] = {
        qvMeshBuild_Check,  CopyPositions, qvMeshBuild_Triangulate,    qvMeshBuild_Weld,          qvMeshBuild_Clean,
        qvMeshBuild_Orient, CopyTriangles, qvMeshBuild_CopyAttributes, qvMeshBuild_CopyMaterials,
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
    {
        qvResult result = steps[i](build, error);
        if (result == qv_ok)
            result = qvJob_Ask(build->def->job, error);
        if (result != qv_ok)
            return result;
    }
    FindBounds(build);
    return qv_ok;
}

qvResult qvCreateMesh(const qvMeshDef* def, qvMesh** mesh, qvMeshReport* report, qvError* error)
{
    QV_ASSERT(def != NULL && mesh != NULL);
    *mesh = NULL;
    qvMeshBuild build = { .def = def, .mesh = qvAllocate(1, sizeof(qvMesh)) };
    if (build.mesh == NULL)
        return qvError_OutOfMemory(error, sizeof(qvMesh));
    qvResult result = RunBuild(&build, error);
    free(build.corners);
    free(build.faces);
    free(build.flipped);
    free(build.places);
    qvDestroyEdgeTable(&build.edges);
    if (report != NULL)
        *report = build.report;
    if (result == qv_ok)
        *mesh = build.mesh;
    else
        qvDestroyMesh(build.mesh);
    return result;
}

void qvDestroyMesh(qvMesh* mesh)
{
    if (mesh == NULL)
        return;
    free(mesh->positions);
    free(mesh->triangles);
    free(mesh->normals);
    free(mesh->uvs);
    free(mesh->colors);
    free(mesh->submeshes);
    free(mesh->materials);
    free(mesh->textures);
    free(mesh->vertexPoint);
    free(mesh->pointVertex);
    free(mesh->pointTriangles);
    qvDestroyArena(mesh->arena);
    free(mesh);
}

void qvMesh_GatherPoints(const qvMesh* mesh, const qvVec3f* vertices, qvVec3f* points)
{
    for (int p = 0; p < mesh->pointCount; p++)
        points[p] = vertices[mesh->pointVertex[p]];
}

void qvMesh_ScatterPoints(const qvMesh* mesh, const qvVec3f* points, qvVec3f* vertices)
{
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int point = mesh->vertexPoint[v];
        vertices[v] = point >= 0 ? points[point] : mesh->positions[v];
    }
}

qvBox qvComputeBounds(const qvVec3f* positions, int count)
{
    qvBox box = EmptyBox();
    for (int i = 0; i < count; i++)
        GrowBox(&box, positions[i]);
    return box;
}

double qvBox_Diagonal(qvBox box)
{
    if (box.lower.x > box.upper.x)
        return 0.0;
    return qvDistance(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper));
}

uint64_t qvMesh_Hash(const qvMesh* mesh)
{
    uint64_t hash = qvHash(mesh->positions, (size_t)mesh->vertexCount * sizeof(*mesh->positions), 1);
    hash = qvHash(mesh->triangles, (size_t)mesh->triangleCount * sizeof(*mesh->triangles), hash);
    return qvHash(mesh->vertexPoint, (size_t)mesh->vertexCount * sizeof(*mesh->vertexPoint), hash);
}

qvColor qvMesh_PlainColor(const qvMesh* mesh)
{
    return mesh->colorDomain != qv_domainNone ? (qvColor){ 1, 1, 1, 1 } : (qvColor){ 0.80f, 0.595f, 0.355f, 1.0f };
}
