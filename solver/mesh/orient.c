// SPDX-License-Identifier: GPL-3.0-or-later
// Winding, and what is wrong with edges and parts.
//
// A patch is what hangs together over edges with exactly two triangles; within it the winding of one triangle decides
// all others. The winding that more triangles of the patch have stays (the first triangle's when as many have either);
// the others are turned. A patch that closes on itself against its winding, as a Moebius strip does, is left as it is.
// A part is what hangs together over points.
#include "mesh/build.h"
#include "mesh/edges.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum
{
    BOUNDARY = -1,     // of twins: an edge with one triangle
    NON_MANIFOLD = -2, // more than two
};

typedef struct Part
{
    bool isOpen, isNonManifold, isNotOrientable;
    qvVec3 origin; // a point of it, so that volumes of parts far away keep their digits
    double volume, area;
    bool hasOrigin;
} Part;

typedef struct Orienter
{
    qvMeshBuild* build;
    qvTriangle* triangles; // in points
    int count;
    int32_t* twins;       // half-edge on the other side, BOUNDARY or NON_MANIFOLD
    int32_t* patches;     // per triangle
    int32_t* queue;       // triangles in the order of the walk
    int32_t* patchParent; // per patch: union-find; then its part
    uint8_t* isBadPatch;  // not orientable
    int patchCount;
    Part* parts;
    int partCount;
} Orienter;

static qvResult FindTwins(Orienter* o, qvError* error)
{
    int pointCount = o->build->mesh->pointCount;
    qvEdgeTable table;
    qvResult result = qvCreateEdgeTable(o->triangles, o->count, pointCount, &table, error);
    if (result != qv_ok)
        return result;
    for (int low = 0; low < pointCount; low++)
    {
        int rowEnd = table.start[low + 1];
        for (int begin = table.start[low], end; begin < rowEnd; begin = end)
        {
            end = qvEdgeTable_RunEnd(&table, begin, rowEnd);
            int first = qvEdgeKey_HalfEdge(table.keys[begin]), last = qvEdgeKey_HalfEdge(table.keys[end - 1]);
            if (end - begin > 2)
                qvMeshBuild_Note(o->build, qv_healthNonManifold, o->build->faces[first / 3]);
            o->build->report.boundaryEdgeCount += end - begin == 1;
            for (int i = begin; i < end; i++)
                o->twins[qvEdgeKey_HalfEdge(table.keys[i])] = end - begin == 1 ? BOUNDARY : NON_MANIFOLD;
            if (end - begin == 2)
            {
                o->twins[first] = last;
                o->twins[last] = first;
            }
        }
    }
    qvDestroyEdgeTable(&table);
    return qv_ok;
}

// Walks over one patch from a seed. flipped says which triangles have another winding than the seed.
static int WalkPatch(Orienter* o, int seed, int patch)
{
    uint8_t* flipped = o->build->flipped;
    int count = 0;
    o->queue[count++] = seed;
    o->patches[seed] = patch;
    for (int i = 0; i < count; i++)
    {
        int t = o->queue[i];
        for (int h = 3 * t; h < 3 * t + 3; h++)
        {
            int twin = o->twins[h];
            if (twin < 0)
                continue;
            bool isAgainst = qvHalfEdge_From(o->triangles, h) == qvHalfEdge_From(o->triangles, twin);
            uint8_t wanted = flipped[t] ^ isAgainst;
            if (o->patches[twin / 3] < 0)
            {
                o->patches[twin / 3] = patch;
                flipped[twin / 3] = wanted;
                o->queue[count++] = twin / 3;
            }
            else if (flipped[twin / 3] != wanted)
                o->isBadPatch[patch] = 1;
        }
    }
    return count;
}

static void ChooseWinding(Orienter* o, int patch, int count)
{
    uint8_t* flipped = o->build->flipped;
    int against = 0;
    for (int i = 0; i < count; i++)
        against += flipped[o->queue[i]];
    if (against == 0)
        return;
    uint8_t turn = 2 * against > count;
    for (int i = 0; i < count; i++)
    {
        int t = o->queue[i];
        flipped[t] = o->isBadPatch[patch] ? 0 : flipped[t] ^ turn;
        if (flipped[t])
            qvMeshBuild_Note(o->build, qv_healthWinding, o->build->faces[t]);
    }
}

static void FlipTriangle(qvTriangle* t)
{
    int32_t v = t->v[1];
    t->v[1] = t->v[2];
    t->v[2] = v;
}

static void FixWinding(Orienter* o)
{
    for (int t = 0; t < o->count; t++)
        o->patches[t] = -1;
    for (int t = 0; t < o->count; t++)
    {
        if (o->patches[t] >= 0)
            continue;
        int patch = o->patchCount++;
        ChooseWinding(o, patch, WalkPatch(o, t, patch));
    }
    // The twins keep the half-edges of the old winding, of which only the signs are needed from here.
    for (int t = 0; t < o->count; t++)
    {
        if (o->build->flipped[t])
        {
            FlipTriangle(&o->triangles[t]);
            FlipTriangle(&o->build->corners[t]);
        }
    }
}

static int FindRoot(int32_t* parent, int i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Joins patches that share a point; pointPatch is one patch of each point.
static void JoinPatches(Orienter* o, int32_t* pointPatch)
{
    for (int p = 0; p < o->build->mesh->pointCount; p++)
        pointPatch[p] = -1;
    for (int i = 0; i < o->patchCount; i++)
        o->patchParent[i] = i;
    for (int t = 0; t < o->count; t++)
    {
        int patch = o->patches[t];
        for (int k = 0; k < 3; k++)
        {
            int32_t* other = &pointPatch[o->triangles[t].v[k]];
            if (*other < 0)
                *other = patch;
            else if (*other != patch)
            {
                int a = FindRoot(o->patchParent, *other), b = FindRoot(o->patchParent, patch);
                o->patchParent[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

// Numbers parts by their lowest point and replaces patchParent by the part of each patch.
static qvResult NumberParts(Orienter* o, qvError* error)
{
    int pointCount = o->build->mesh->pointCount;
    int32_t* pointPatch = qvAllocateRaw((size_t)pointCount, sizeof(*pointPatch));
    int32_t* partOf = qvAllocateRaw((size_t)o->patchCount, sizeof(*partOf));
    if (pointPatch == NULL || partOf == NULL)
    {
        free(pointPatch);
        free(partOf);
        return qvError_OutOfMemory(error, 4.0 * pointCount + 4.0 * o->patchCount);
    }
    JoinPatches(o, pointPatch);
    for (int i = 0; i < o->patchCount; i++)
        partOf[i] = -1;
    for (int p = 0; p < pointCount; p++)
    {
        int root = FindRoot(o->patchParent, pointPatch[p]);
        if (partOf[root] < 0)
            partOf[root] = o->partCount++;
    }
    for (int i = 0; i < o->patchCount; i++)
        partOf[i] = partOf[FindRoot(o->patchParent, i)];
    free(o->patchParent);
    o->patchParent = partOf;
    free(pointPatch);
    return qv_ok;
}

static qvVec3 PointPosition(const Orienter* o, int point)
{
    return qvVec3_FromFloat(o->build->def->positions[o->build->mesh->pointVertex[point]]);
}

static void MeasureTriangle(Orienter* o, int t)
{
    Part* part = &o->parts[o->patchParent[o->patches[t]]];
    qvVec3 p = PointPosition(o, o->triangles[t].v[0]);
    part->origin = part->hasOrigin ? part->origin : p;
    part->hasOrigin = true;
    qvVec3 q = PointPosition(o, o->triangles[t].v[1]), r = PointPosition(o, o->triangles[t].v[2]);
    qvVec3 normal = qvCross(qvSub(q, p), qvSub(r, p));
    part->volume += qvDot(qvSub(p, part->origin), normal) / 6.0;
    part->area += 0.5 * qvLength(normal);
    for (int h = 3 * t; h < 3 * t + 3; h++)
    {
        part->isOpen = part->isOpen || o->twins[h] == BOUNDARY;
        part->isNonManifold = part->isNonManifold || o->twins[h] == NON_MANIFOLD;
    }
    part->isNotOrientable = part->isNotOrientable || o->isBadPatch[o->patches[t]];
}

static void ReportPart(qvMeshBuild* build, const Part* part, int index)
{
    build->report.closedPartCount += !part->isOpen;
    if (part->isNotOrientable)
        qvMeshBuild_Note(build, qv_healthNotOrientable, index);
    if (part->isOpen || part->isNonManifold || part->isNotOrientable)
        return;
    // A ball has 0.094 area^1.5; a plate a millionth as thick as wide 5e-7.
    if (fabs(part->volume) <= 1e-10 * part->area * sqrt(part->area))
        qvMeshBuild_Note(build, qv_healthZeroVolume, index);
    else if (part->volume < 0.0)
        qvMeshBuild_Note(build, qv_healthInsideOut, index);
}

static qvResult MeasureParts(Orienter* o, qvError* error)
{
    qvResult result = NumberParts(o, error);
    if (result != qv_ok)
        return result;
    o->parts = qvAllocate((size_t)o->partCount, sizeof(*o->parts));
    if (o->parts == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*o->parts) * o->partCount);
    for (int t = 0; t < o->count; t++)
        MeasureTriangle(o, t);
    for (int i = 0; i < o->partCount; i++)
        ReportPart(o->build, &o->parts[i], i);
    o->build->report.partCount = o->partCount;
    return qv_ok;
}

static qvResult Allocate(Orienter* o, qvError* error)
{
    size_t count = (size_t)o->count;
    o->twins = qvAllocateRaw(3 * count, sizeof(*o->twins));
    o->patches = qvAllocateRaw(count, sizeof(*o->patches));
    o->queue = qvAllocateRaw(count, sizeof(*o->queue));
    o->patchParent = qvAllocateRaw(count, sizeof(*o->patchParent));
    o->isBadPatch = qvAllocate(count, 1);
    o->build->flipped = qvAllocate(count, 1);
    bool isAllocated = o->twins != NULL && o->patches != NULL && o->queue != NULL && o->patchParent != NULL &&
                       o->isBadPatch != NULL && o->build->flipped != NULL;
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, 26.0 * o->count);
}

qvResult qvMeshBuild_Orient(qvMeshBuild* build, qvError* error)
{
    Orienter o = { .build = build, .triangles = build->mesh->pointTriangles, .count = build->triangleCount };
    qvResult result = Allocate(&o, error);
    if (result == qv_ok)
        result = FindTwins(&o, error);
    if (result == qv_ok)
    {
        FixWinding(&o);
        result = MeasureParts(&o, error);
    }
    free(o.twins);
    free(o.patches);
    free(o.queue);
    free(o.patchParent);
    free(o.isBadPatch);
    free(o.parts);
    return result;
}
