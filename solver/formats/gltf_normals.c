// SPDX-License-Identifier: GPL-3.0-or-later
// Normals for deformed meshes, weighted by the angle at the corner.
#include "formats/gltf.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Corners that are smoothed together.
typedef struct Group
{
    int32_t point;
    int16_t normal[3]; // of the file, rounded
    bool touched;
    qvVec3 sum;
} Group;

typedef struct Groups
{
    Group* items;
    int count;
    int32_t* slots; // group + 1, 0 when empty
    size_t mask;
    int32_t* ofCorner;
} Groups;

static qvResult MakeGroups(const qvMesh* mesh, Groups* groups, qvError* error)
{
    size_t corners = 3 * (size_t)mesh->triangleCount, slots = 16;
    while (slots < 2 * corners)
        slots *= 2;
    groups->mask = slots - 1;
    groups->items = qvAllocateRaw(corners, sizeof(Group));
    groups->slots = qvAllocate(slots, sizeof(int32_t));
    groups->ofCorner = qvAllocateRaw(corners, sizeof(int32_t));
    if (groups->items == NULL || groups->slots == NULL || groups->ofCorner == NULL)
        return qvError_OutOfMemory(error, (double)corners * sizeof(Group));
    return qv_ok;
}

static void FreeGroups(Groups* groups)
{
    free(groups->items);
    free(groups->slots);
    free(groups->ofCorner);
}

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

static bool SamePosition(qvVec3f a, qvVec3f b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void AddTriangle(const qvMesh* mesh, const qvVec3f* positions, int t, Groups* groups)
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
        size_t corner = 3 * (size_t)t + (size_t)k;
        qvVec3f own = mesh->normals[mesh->normalDomain == qv_domainVertex ? (size_t)v[k] : corner];
        int index = FindGroup(groups, mesh->pointTriangles[t].v[k], own);
        qvVec3 a = qvSub(p[(k + 1) % 3], p[k]), b = qvSub(p[(k + 2) % 3], p[k]);
        double angle = atan2(qvLength(qvCross(a, b)), qvDot(a, b));
        groups->ofCorner[corner] = index;
        groups->items[index].sum = qvMulAdd(groups->items[index].sum, angle, normal);
        groups->items[index].touched |= touched;
    }
}

qvResult qvGltf_RecomputeNormals(const qvMesh* mesh, const qvVec3f* positions, qvVec3f* normals, bool* touched,
                                 qvError* error)
{
    bool perVertex = mesh->normalDomain == qv_domainVertex;
    size_t corners = 3 * (size_t)mesh->triangleCount, count = perVertex ? (size_t)mesh->vertexCount : corners;
    memcpy(normals, mesh->normals, count * sizeof(qvVec3f));
    memset(touched, 0, count * sizeof(bool));
    Groups groups = { 0 };
    qvResult result = MakeGroups(mesh, &groups, error);
    for (int t = 0; t < mesh->triangleCount && result == qv_ok; t++)
        AddTriangle(mesh, positions, t, &groups);
    for (size_t c = 0; c < corners && result == qv_ok; c++)
    {
        const Group* group = &groups.items[groups.ofCorner[c]];
        size_t at = perVertex ? (size_t)mesh->triangles[c / 3].v[c % 3] : c;
        touched[at] = group->touched && qvLength(group->sum) > 1e-12;
        if (touched[at])
            normals[at] = qvVec3_ToFloat(qvNormalize(group->sum));
    }
    FreeGroups(&groups);
    return result;
}
