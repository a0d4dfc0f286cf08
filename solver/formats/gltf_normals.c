// SPDX-License-Identifier: GPL-3.0-or-later
// Normals for deformed meshes, weighted by the angle at the corner.
#include "formats/gltf.h"

#include "base/assert.h"
#include "base/hash.h"
#include "quaver/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Corners that are smoothed together.
typedef struct Group
{
    int32_t point;
    int16_t normal[3]; // of the file, rounded
} Group;

typedef struct Groups
{
    Group* items;
    int count;
    int32_t* slots; // group + 1, 0 when empty
    size_t mask;
} Groups;

typedef struct Sum
{
    qvVec3 normal; // weighted by the angle
    bool touched;
} Sum;

// The group of a point and a normal, made when it is new.
static int FindGroup(Groups* groups, int32_t point, qvVec3f normal)
{
    Group key = { .point = point,
                  .normal = { (int16_t)lrintf(normal.x * 100.0f), (int16_t)lrintf(normal.y * 100.0f),
                              (int16_t)lrintf(normal.z * 100.0f) } };
    uint64_t hash = qvHash_Combine((uint64_t)(uint32_t)point, (uint64_t)(uint16_t)key.normal[0] << 32 |
                                                                  (uint64_t)(uint16_t)key.normal[1] << 16 |
                                                                  (uint16_t)key.normal[2]);
    for (size_t i = hash & groups->mask;; i = (i + 1) & groups->mask)
    {
        if (groups->slots[i] == 0)
        {
            groups->items[groups->count++] = key;
            groups->slots[i] = groups->count;
            return groups->count - 1;
        }
        const Group* group = &groups->items[groups->slots[i] - 1];
        if (group->point == point && memcmp(group->normal, key.normal, sizeof(key.normal)) == 0)
            return groups->slots[i] - 1;
    }
}

qvResult qvGltf_GroupCorners(const qvMesh* mesh, int32_t* ofCorner, int* groupCount, qvError* error)
{
    QV_ASSERT(mesh->normalDomain != qv_domainNone);
    size_t corners = 3 * (size_t)mesh->triangleCount, slots = 16;
    while (slots < 2 * corners)
        slots *= 2;
    Groups groups = { .mask = slots - 1 };
    groups.items = qvAllocateRaw(corners, sizeof(Group));
    groups.slots = qvAllocate(slots, sizeof(int32_t));
    bool enough = groups.items != NULL && groups.slots != NULL;
    for (size_t c = 0; c < corners && enough; c++)
    {
        size_t vertex = (size_t)mesh->triangles[c / 3].v[c % 3];
        qvVec3f normal = mesh->normals[mesh->normalDomain == qv_domainVertex ? vertex : c];
        ofCorner[c] = FindGroup(&groups, mesh->pointTriangles[c / 3].v[c % 3], normal);
    }
    *groupCount = groups.count;
    free(groups.items);
    free(groups.slots);
    return enough ? qv_ok : qvError_OutOfMemory(error, (double)corners * sizeof(Group));
}

static bool SamePosition(qvVec3f a, qvVec3f b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void AddTriangle(const qvMesh* mesh, const qvVec3f* positions, int t, const int32_t* groups, Sum* sums)
{
    const int32_t* v = mesh->triangles[t].v;
    bool touched = false;
    qvVec3 p[3];
    for (int k = 0; k < 3; k++)
    {
        touched |= !SamePosition(positions[v[k]], mesh->positions[v[k]]);
        p[k] = qvVec3_FromFloat(positions[v[k]]);
    }
    qvVec3 normal = qvNormalize(qvCross(qvSub(p[1], p[0]), qvSub(p[2], p[0])));
    for (int k = 0; k < 3; k++)
    {
        qvVec3 a = qvSub(p[(k + 1) % 3], p[k]), b = qvSub(p[(k + 2) % 3], p[k]);
        double angle = atan2(qvLength(qvCross(a, b)), qvDot(a, b));
        Sum* sum = &sums[groups[k]];
        sum->normal = qvMulAdd(sum->normal, angle, normal);
        sum->touched |= touched;
    }
}

qvResult qvGltf_RecomputeNormals(const qvMesh* mesh, const qvVec3f* positions, qvVec3f* normals, bool* touched,
                                 qvError* error)
{
    bool perVertex = mesh->normalDomain == qv_domainVertex;
    size_t corners = 3 * (size_t)mesh->triangleCount, count = perVertex ? (size_t)mesh->vertexCount : corners;
    memcpy(normals, mesh->normals, count * sizeof(qvVec3f));
    memset(touched, 0, count * sizeof(bool));
    int32_t* ofCorner = qvAllocateRaw(corners, sizeof(int32_t));
    int groupCount = 0;
    qvResult result = ofCorner != NULL ? qvGltf_GroupCorners(mesh, ofCorner, &groupCount, error)
                                       : qvError_OutOfMemory(error, (double)corners * sizeof(int32_t));
    Sum* sums = result == qv_ok ? qvAllocate((size_t)groupCount, sizeof(Sum)) : NULL;
    if (result == qv_ok && sums == NULL)
        result = qvError_OutOfMemory(error, (double)groupCount * sizeof(Sum));
    for (int t = 0; t < mesh->triangleCount && result == qv_ok; t++)
        AddTriangle(mesh, positions, t, ofCorner + 3 * (size_t)t, sums);
    for (size_t c = 0; c < corners && result == qv_ok; c++)
    {
        const Sum* sum = &sums[ofCorner[c]];
        size_t at = perVertex ? (size_t)mesh->triangles[c / 3].v[c % 3] : c;
        touched[at] = sum->touched && qvLength(sum->normal) > 1e-12;
        if (touched[at])
            normals[at] = qvVec3_ToFloat(qvNormalize(sum->normal));
    }
    free(ofCorner);
    free(sums);
    return result;
}

qvResult qvGltf_SmoothNormals(const qvMesh* mesh, const qvVec3f* positions, qvVec3f* normals, qvError* error)
{
    qvTopology* topology = NULL;
    qvResult result = qvCreateTopology(mesh, &topology, error);
    if (result != qv_ok)
        return result;
    size_t n = (size_t)mesh->pointCount;
    qvVec3f* points = qvAllocateRaw(2 * n, sizeof(qvVec3f));
    void* scratch = qvAllocateRaw(qvNormalScratchSize(topology, qv_weightByAngle), 1);
    if (points == NULL || scratch == NULL)
        result = qvError_OutOfMemory(error, mesh->pointCount * 64.0);
    if (result == qv_ok)
    {
        const qvVec3f up = { 0.0f, 1.0f, 0.0f };
        qvMesh_GatherPoints(mesh, positions, points);
        qvComputeNormals(topology, points, qv_weightByAngle, scratch, NULL, points + n);
        for (int i = 0; i < mesh->vertexCount; i++)
            normals[i] = mesh->vertexPoint[i] >= 0 ? points[n + (size_t)mesh->vertexPoint[i]] : up;
    }
    free(points);
    free(scratch);
    qvDestroyTopology(topology);
    return result;
}
