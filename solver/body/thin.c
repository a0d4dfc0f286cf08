// SPDX-License-Identifier: GPL-3.0-or-later
#include "body/thin.h"

#include "base/memory.h"
#include "mesh/implicit.h"
#include "mesh/meshopt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_LEFT = 0.7;     // of the points: more are not worth a carrier
static const double MOST_MORE = 2.0;     // times what is wanted: the simplifier got stuck
static const double MOST_ERROR = 0.05;   // of the size, off the surface
static const double SHARP = 0.8;         // cosine between triangles: sharper edges stay
static const double LEAST_REGULAR = 0.1; // mean of triangles, of which 1 is the best

void qvDestroyThin(qvThin* thin)
{
    if (thin == NULL)
        return;
    qvDestroyTopology(thin->topology);
    qvDestroyMesh(thin->mesh);
    free(thin->points);
    free(thin->numbers);
    free(thin->near);
    free(thin);
}

// --- Simplifying ----------------------------------------------------------------------------------------------------

// Error that grows with the size of a triangle also where the body is flat: it is bent like a sphere around it.
static void Bulge(const qvThinDef* def, qvVec3* points)
{
    const qvTopology* topology = def->topology;
    int n = topology->pointCount;
    qvVec3* normals = points + n;
    qvVec3f low = def->rest[0], high = low;
    for (int i = 0; i < n; i++)
    {
        qvVec3f p = def->rest[i];
        low = (qvVec3f){ fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z) };
        high = (qvVec3f){ fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z) };
        normals[i] = qvMakeVec3(0.0, 0.0, 0.0);
    }
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        qvVec3 a = qvVec3_FromFloat(def->rest[v[0]]), b = qvVec3_FromFloat(def->rest[v[1]]);
        qvVec3 normal = qvCross(qvSub(b, a), qvSub(qvVec3_FromFloat(def->rest[v[2]]), a));
        for (int k = 0; k < 3; k++)
            normals[v[k]] = qvAdd(normals[v[k]], normal);
    }
    qvVec3 from = qvVec3_FromFloat(low), to = qvVec3_FromFloat(high), middle = qvScale(0.5, qvAdd(from, to));
    double bend = 1.0 / fmax(qvDistance(from, to), 1e-300);
    for (int i = 0; i < n; i++)
    {
        qvVec3 p = qvVec3_FromFloat(def->rest[i]), away = qvSub(p, middle);
        points[i] = qvMulAdd(p, -bend * qvDot(away, away), qvNormalize(normals[i]));
    }
}

// Its triangles in the body's points.
static qvResult Simplify(const qvThinDef* def, qvTriangle** out, int* count, qvError* error)
{
    const qvTopology* topology = def->topology;
    size_t n = (size_t)topology->pointCount;
    qvVec3* points = qvAllocateRaw(2 * n, sizeof(*points));
    qvTriangle* few = qvAllocateRaw((size_t)topology->triangleCount + n, sizeof(*few));
    *count = -1;
    if (points != NULL && few != NULL)
    {
        int kept = 0;
        for (size_t i = 0; def->kept != NULL && i < n; i++)
            kept += def->kept[i];
        Bulge(def, points);
        *count = qvSimplifyAround(points, topology->pointCount, topology->triangles, topology->triangleCount, def->kept,
                                  2 * (def->detail + kept), MOST_ERROR, few);
    }
    bool done = *count >= 0;
    if (done)
    {
        qvNet net = { .pointCount = topology->pointCount, .points = points, .triangleCount = *count, .triangles = few };
        for (size_t i = 0; i < n; i++)
            points[i] = qvVec3_FromFloat(def->rest[i]);
        done = qvNet_Flip(&net, SHARP);
    }
    free(points);
    *out = few;
    return !done ? qvError_OutOfMemory(error, 60.0 * topology->pointCount) : qv_ok;
}

// --- The mesh -------------------------------------------------------------------------------------------------------

// Twice the mean of the inscribed circle's radius over that of the circumscribed one.
static double Regularity(const qvThin* thin, const qvVec3f* rest)
{
    double sum = 0.0;
    for (int t = 0; t < thin->mesh->triangleCount; t++)
    {
        const int32_t* v = thin->mesh->pointTriangles[t].v;
        qvVec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = qvVec3_FromFloat(rest[thin->points[v[k]]]);
        double a = qvDistance(p[0], p[1]), b = qvDistance(p[1], p[2]), c = qvDistance(p[2], p[0]);
        sum += (b + c - a) * (c + a - b) * (a + b - c) / fmax(a * b * c, 1e-300);
    }
    return sum / thin->mesh->triangleCount;
}

// The mesh of few triangles; numbers holds those of its vertices.
static qvResult MakeMesh(const qvThinDef* def, qvTriangle* few, int count, qvThin* thin, qvError* error)
{
    int n = def->topology->pointCount, used = 0;
    for (int i = 0; i < n; i++)
        thin->numbers[i] = -1;
    for (int c = 0; c < 3 * count; c++)
        thin->numbers[few[c / 3].v[c % 3]] = 0;
    for (int i = 0; i < n; i++)
        used += thin->numbers[i] == 0;
    qvVec3f* places = qvAllocateRaw((size_t)used, sizeof(*places));
    thin->points = qvAllocateRaw((size_t)used, sizeof(*thin->points));
    if (places == NULL || thin->points == NULL)
    {
        free(places);
        return qvError_OutOfMemory(error, 16.0 * used);
    }
    used = 0;
    for (int i = 0; i < n; i++)
    {
        if (thin->numbers[i] < 0)
            continue;
        thin->numbers[i] = used;
        places[used] = def->rest[i];
        thin->points[used++] = i;
    }
    for (int c = 0; c < 3 * count; c++)
        few[c / 3].v[c % 3] = thin->numbers[few[c / 3].v[c % 3]];
    qvMeshDef mesh = qvDefaultMeshDef();
    mesh.vertexCount = used, mesh.positions = places;
    mesh.faceCount = count, mesh.corners = few[0].v;
    qvResult result = qvCreateMesh(&mesh, &thin->mesh, NULL, error);
    free(places);
    return result;
}

// Its points are the vertices that triangles have, in their order.
static qvResult NumberPoints(const qvThinDef* def, qvThin* thin, qvError* error)
{
    int n = def->topology->pointCount;
    for (int i = 0; i < n; i++)
        thin->numbers[i] = -1;
    for (int i = 0; i < thin->mesh->pointCount; i++)
    {
        int32_t vertex = thin->mesh->pointVertex[i];
        if (vertex < i || (i > 0 && vertex <= thin->mesh->pointVertex[i - 1]))
            return qvError_Set(error, qv_badInput, "its points cannot be told apart");
        thin->points[i] = thin->points[vertex];
        thin->numbers[thin->points[i]] = i;
    }
    for (int i = 0; def->kept != NULL && i < n; i++)
    {
        if (def->kept[i] && thin->numbers[i] < 0)
            return qvError_Set(error, qv_badInput, "a point that pins or keys need does not stay");
    }
    return qv_ok;
}

// From all of the few at once, edge by edge.
static qvResult FindNear(const qvTopology* topology, qvThin* thin, qvError* error)
{
    int n = topology->pointCount, begin = 0, end = 0;
    int32_t* queue = qvAllocateRaw((size_t)n, sizeof(*queue));
    if (queue == NULL)
        return qvError_OutOfMemory(error, 4.0 * n);
    for (int i = 0; i < n; i++)
    {
        thin->near[i] = thin->numbers[i];
        if (thin->near[i] >= 0)
            queue[end++] = i;
    }
    for (; begin < end; begin++)
    {
        int32_t from = queue[begin];
        for (int k = topology->neighborStart[from]; k < topology->neighborStart[from + 1]; k++)
        {
            int32_t to = topology->neighbors[k];
            if (thin->near[to] >= 0)
                continue;
            thin->near[to] = thin->near[from];
            queue[end++] = to;
        }
    }
    free(queue);
    return end == n ? qv_ok : qvError_Set(error, qv_badInput, "a loose part of it would be lost");
}

static qvResult Check(const qvThinDef* def, const qvThin* thin, qvError* error)
{
    int n = def->topology->pointCount, kept = 0, left = thin->mesh->pointCount;
    for (int i = 0; def->kept != NULL && i < n; i++)
        kept += def->kept[i];
    if (left > MOST_LEFT * n || left - kept > MOST_MORE * def->detail)
        return qvError_Set(error, qv_badInput,
                           "it cannot be simplified: of %d points %d are left, %d for pins and keys", n, left, kept);
    if (Regularity(thin, def->rest) < LEAST_REGULAR)
        return qvError_Set(error, qv_badInput, "simplified, it is all slivers");
    return qv_ok;
}

qvResult qvCreateThin(const qvThinDef* def, const qvJob* job, qvThin** out, qvError* error)
{
    *out = NULL;
    if (def->detail < qv_thinFewest)
        return qvError_Set(error, qv_badInput, "%d points are too few, at least %d are needed", def->detail,
                           qv_thinFewest);
    size_t n = (size_t)def->topology->pointCount;
    qvTriangle* few = NULL;
    int count = 0;
    qvThin* thin = qvAllocate(1, sizeof(*thin));
    if (thin == NULL)
        return qvError_OutOfMemory(error, sizeof(*thin));
    thin->numbers = qvAllocateRaw(n, sizeof(*thin->numbers));
    thin->near = qvAllocateRaw(n, sizeof(*thin->near));
    qvResult result = thin->numbers != NULL && thin->near != NULL ? Simplify(def, &few, &count, error)
                                                                  : qvError_OutOfMemory(error, 8.0 * (double)n);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok && count == 0)
        result = qvError_Set(error, qv_badInput, "nothing of it would be left");
    if (result == qv_ok)
        result = MakeMesh(def, few, count, thin, error);
    free(few);
    if (result == qv_ok)
        result = NumberPoints(def, thin, error);
    if (result == qv_ok)
        result = Check(def, thin, error);
    if (result == qv_ok)
        result = FindNear(def->topology, thin, error);
    if (result == qv_ok)
        result = qvCreateTopology(thin->mesh, &thin->topology, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        *out = thin;
    else
        qvDestroyThin(thin);
    return result;
}
