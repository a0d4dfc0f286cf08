// SPDX-License-Identifier: GPL-3.0-or-later
// Winding, and what is wrong with edges and parts.
//
// A patch is what hangs together over edges with exactly two triangles; within it the winding of one triangle decides
// all others. The winding that more triangles of the patch have stays (the first triangle's when as many have either);
// the others are turned. A patch that closes on itself against its winding, as a Moebius strip does, is left as it is.
// A part is what hangs together over points.
#include "mesh/build.h"

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
    bool hasOrigin;
    qvVec3 origin; // a point of it, so that volumes of parts far away keep their digits
    double volume, area;
} Part;

typedef struct Orienter
{
    qvMeshBuild* build;
    qvTriangle* triangles; // in points
    int count;
    int32_t* twins;    // half-edge on the other side, BOUNDARY or NON_MANIFOLD
    bool isConsistent; // no two triangles face against each other
    int32_t* queue;    // triangles of a patch in the order of the walk
    uint8_t* isWalked; // per triangle
    int32_t* pointPart;
    Part* parts;
    int partCount;
} Orienter;

static void FindTwins(Orienter* o)
{
    const qvEdgeTable* table = &o->build->edges;
    o->isConsistent = true;
    for (int low = 0; low < o->build->mesh->pointCount; low++)
    {
        int rowEnd = table->start[low + 1];
        for (int begin = table->start[low], end; begin < rowEnd; begin = end)
        {
            end = qvEdgeTable_RunEnd(table, begin, rowEnd);
            int first = qvEdgeKey_HalfEdge(table->keys[begin]), last = qvEdgeKey_HalfEdge(table->keys[end - 1]);
            if (end - begin == 2)
            {
                o->twins[first] = last;
                o->twins[last] = first;
                bool isAgainst = qvHalfEdge_From(o->triangles, first) == qvHalfEdge_From(o->triangles, last);
                o->isConsistent = o->isConsistent && !isAgainst;
                continue;
            }
            if (end - begin > 2)
                qvMeshBuild_Note(o->build, qv_healthNonManifold, o->build->faces[first / 3]);
            o->build->report.boundaryEdgeCount += end - begin == 1;
            for (int i = begin; i < end; i++)
                o->twins[qvEdgeKey_HalfEdge(table->keys[i])] = end - begin == 1 ? BOUNDARY : NON_MANIFOLD;
        }
    }
}

// Walks over one patch from a seed and counts its triangles. flipped says which have another winding than the seed.
static int WalkPatch(Orienter* o, int seed, bool* isOrientable)
{
    uint8_t* flipped = o->build->flipped;
    int count = 0;
    o->queue[count++] = seed;
    o->isWalked[seed] = 1;
    *isOrientable = true;
    for (int i = 0; i < count; i++)
    {
        int t = o->queue[i];
        for (int h = 3 * t; h < 3 * t + 3; h++)
        {
            int twin = o->twins[h], other = twin / 3;
            if (twin < 0)
                continue;
            bool isAgainst = qvHalfEdge_From(o->triangles, h) == qvHalfEdge_From(o->triangles, twin);
            uint8_t wanted = flipped[t] ^ isAgainst;
            if (!o->isWalked[other])
            {
                o->isWalked[other] = 1;
                flipped[other] = wanted;
                o->queue[count++] = other;
            }
            else if (flipped[other] != wanted)
                *isOrientable = false;
        }
    }
    return count;
}

static void ChooseWinding(Orienter* o, int count, bool isOrientable)
{
    uint8_t* flipped = o->build->flipped;
    int against = 0;
    for (int i = 0; i < count; i++)
        against += flipped[o->queue[i]];
    uint8_t turn = 2 * against > count;
    for (int i = 0; i < count; i++)
    {
        int t = o->queue[i];
        flipped[t] = isOrientable ? flipped[t] ^ turn : 0;
        if (flipped[t])
            qvMeshBuild_Note(o->build, qv_healthWinding, o->build->faces[t]);
    }
    if (!isOrientable)
        o->parts[o->pointPart[o->triangles[o->queue[0]].v[0]]].isNotOrientable = true;
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
    {
        if (o->isWalked[t])
            continue;
        bool isOrientable;
        int count = WalkPatch(o, t, &isOrientable);
        ChooseWinding(o, count, isOrientable);
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

static qvVec3 PointPosition(const Orienter* o, int point)
{
    return qvVec3_FromFloat(o->build->def->positions[o->build->mesh->pointVertex[point]]);
}

static Part* PartOf(const Orienter* o, int t)
{
    return &o->parts[o->pointPart[o->triangles[t].v[0]]];
}

static bool IsSolid(const Part* part)
{
    return !part->isOpen && !part->isNonManifold && !part->isNotOrientable;
}

static void MeasureTriangle(const Orienter* o, Part* part, int t)
{
    const int32_t* v = o->triangles[t].v;
    qvVec3 p = PointPosition(o, v[0]);
    part->origin = part->hasOrigin ? part->origin : p;
    part->hasOrigin = true;
    qvVec3 normal = qvCross(qvSub(PointPosition(o, v[1]), p), qvSub(PointPosition(o, v[2]), p));
    part->volume += qvDot(qvSub(p, part->origin), normal) / 6.0;
    part->area += 0.5 * qvLength(normal);
}

static void ReportPart(qvMeshBuild* build, const Part* part, int index)
{
    build->report.closedPartCount += !part->isOpen;
    if (part->isNotOrientable)
        qvMeshBuild_Note(build, qv_healthNotOrientable, index);
    if (!IsSolid(part))
        return;
    // A ball has 0.094 area^1.5; a plate a millionth as thick as wide 5e-7.
    if (fabs(part->volume) <= 1e-10 * part->area * sqrt(part->area))
        qvMeshBuild_Note(build, qv_healthZeroVolume, index);
    else if (part->volume < 0.0)
        qvMeshBuild_Note(build, qv_healthInsideOut, index);
}

static void MeasureParts(Orienter* o)
{
    for (int h = 0; h < 3 * o->count; h++)
    {
        if (o->twins[h] >= 0)
            continue;
        Part* part = PartOf(o, h / 3);
        part->isOpen = part->isOpen || o->twins[h] == BOUNDARY;
        part->isNonManifold = part->isNonManifold || o->twins[h] == NON_MANIFOLD;
    }
    for (int t = 0; t < o->count; t++)
    {
        Part* part = PartOf(o, t);
        if (IsSolid(part))
            MeasureTriangle(o, part, t);
    }
    for (int i = 0; i < o->partCount; i++)
        ReportPart(o->build, &o->parts[i], i);
    o->build->report.partCount = o->partCount;
}

static qvResult MakeParts(Orienter* o, qvError* error)
{
    int pointCount = o->build->mesh->pointCount;
    o->pointPart = qvAllocateRaw((size_t)pointCount, sizeof(*o->pointPart));
    if (o->pointPart == NULL)
        return qvError_OutOfMemory(error, 4.0 * pointCount);
    o->partCount = qvFindParts(o->triangles, o->count, pointCount, o->pointPart);
    o->parts = qvAllocate((size_t)o->partCount, sizeof(*o->parts));
    return o->parts != NULL ? qv_ok : qvError_OutOfMemory(error, (double)sizeof(*o->parts) * o->partCount);
}

static qvResult Allocate(Orienter* o, qvError* error)
{
    size_t count = (size_t)o->count;
    o->twins = qvAllocateRaw(3 * count, sizeof(*o->twins));
    o->queue = qvAllocateRaw(count, sizeof(*o->queue));
    o->isWalked = qvAllocate(count, 1);
    o->build->flipped = qvAllocate(count, 1);
    bool isAllocated = o->twins != NULL && o->queue != NULL && o->isWalked != NULL && o->build->flipped != NULL;
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, 18.0 * o->count);
}

qvResult qvMeshBuild_Orient(qvMeshBuild* build, qvError* error)
{
    Orienter o = { .build = build, .triangles = build->mesh->pointTriangles, .count = build->triangleCount };
    qvResult result = Allocate(&o, error);
    if (result == qv_ok)
        result = MakeParts(&o, error);
    if (result == qv_ok)
    {
        FindTwins(&o);
        if (!o.isConsistent)
            FixWinding(&o);
        MeasureParts(&o);
    }
    free(o.twins);
    free(o.queue);
    free(o.isWalked);
    free(o.pointPart);
    free(o.parts);
    return result;
}
