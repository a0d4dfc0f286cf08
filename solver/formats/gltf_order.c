// SPDX-License-Identifier: GPL-3.0-or-later
// The order of vertices and triangles in a packed document. Primitives that share an accessor of vertices are one
// group: all its vertices move together.
#include "formats/gltf_pack.h"
#include "mesh/meshopt.h"

#include <stdlib.h>
#include <string.h>

typedef struct Ordering
{
    qvGltfPacker* packer;
    int* parent; // [accessorCount] a forest: accessors whose items belong together have one root
    bool* stays; // of roots
} Ordering;

static int FindRoot(const Ordering* ordering, int accessor)
{
    while (ordering->parent[accessor] != accessor)
    {
        ordering->parent[accessor] = ordering->parent[ordering->parent[accessor]];
        accessor = ordering->parent[accessor];
    }
    return accessor;
}

static int CountOf(const qvGltfPackAccessor* accessor)
{
    return qvJson_Index(qvJson_Find(accessor->json, "count"));
}

static const qvGltfPackView* ViewOf(const qvGltfPacker* packer, const qvGltfPackAccessor* accessor)
{
    int index = qvJson_Index(qvJson_Find(accessor->json, "bufferView"));
    return index >= 0 && index < packer->builder->viewCount ? &packer->views[index] : NULL;
}

bool qvGltfPacker_IsAlone(const qvGltfPacker* packer, const qvGltfPackAccessor* accessor)
{
    const qvGltfPackView* view = ViewOf(packer, accessor);
    return view != NULL && view->sharers == 1 && !view->isOutside && view->use != qv_useMixed && view->stride > 0 &&
           !(qvJson_Number(qvJson_Find(accessor->json, "byteOffset")) > 0.0) &&
           view->size == view->stride * (size_t)CountOf(accessor);
}

// What has no view is zero everywhere.
static bool CanMove(const Ordering* ordering, int index)
{
    const qvGltfPackAccessor* accessor = &ordering->packer->accessors[index];
    bool isPlain =
        accessor->use == qv_useAttributes && !accessor->isOther && qvJson_Find(accessor->json, "sparse") == NULL;
    bool isAlone =
        qvJson_Find(accessor->json, "bufferView") == NULL || qvGltfPacker_IsAlone(ordering->packer, accessor);
    return isPlain && isAlone && CountOf(accessor) == CountOf(&ordering->packer->accessors[FindRoot(ordering, index)]);
}

// --- Groups --------------------------------------------------------------------------------------------------------

// Of what a primitive says of its vertices; *first is one of these accessors, or -1 so far.
static void JoinMembers(const Ordering* ordering, const qvJson* object, int* first)
{
    for (const qvJson* item = qvJson_First(object); item != NULL; item = qvJson_Next(item))
    {
        int index = qvJson_Index(item);
        if (index < 0 || index >= ordering->packer->builder->accessorCount)
            continue;
        *first = *first < 0 ? index : *first;
        ordering->parent[FindRoot(ordering, index)] = FindRoot(ordering, *first);
    }
}

static int IndicesOf(const Ordering* ordering, const qvJson* primitive)
{
    const qvJson* indices = qvJson_Find(primitive, "indices");
    int index = indices != NULL ? qvJson_Index(indices) : -1;
    return index < ordering->packer->builder->accessorCount ? index : -1;
}

// Triangles with indices that nobody else uses, and nothing in extensions, whatever that may refer to.
static bool IsOrdinary(const Ordering* ordering, const qvJson* primitive)
{
    int index = IndicesOf(ordering, primitive);
    const qvJson* mode = qvJson_Find(primitive, "mode");
    if (index < 0 || qvJson_Find(primitive, "extensions") != NULL || (mode != NULL && qvJson_Index(mode) != 4))
        return false;
    const qvGltfPackAccessor* accessor = &ordering->packer->accessors[index];
    const qvGltfPackView* view = ViewOf(ordering->packer, accessor);
    return accessor->use == qv_useTriangles && accessor->references == 1 &&
           qvGltfPacker_IsAlone(ordering->packer, accessor) && (view->stride == 2 || view->stride == 4) &&
           CountOf(accessor) % 3 == 0;
}

typedef void PrimitiveFcn(Ordering* ordering, const qvJson* primitive);

static void ForPrimitives(Ordering* ordering, PrimitiveFcn* visit)
{
    const qvJson* meshes = qvJson_Find(ordering->packer->builder->json, "meshes");
    for (const qvJson* mesh = qvJson_First(meshes); mesh != NULL; mesh = qvJson_Next(mesh))
    {
        const qvJson* primitive = qvJson_First(qvJson_Find(mesh, "primitives"));
        for (; primitive != NULL; primitive = qvJson_Next(primitive))
            visit(ordering, primitive);
    }
}

static int FirstVertices(const Ordering* ordering, const qvJson* primitive)
{
    const qvJson* first = qvJson_First(qvJson_Find(primitive, "attributes"));
    int index = first != NULL ? qvJson_Index(first) : -1;
    return index < ordering->packer->builder->accessorCount ? index : -1;
}

static void JoinPrimitive(Ordering* ordering, const qvJson* primitive)
{
    int first = -1;
    JoinMembers(ordering, qvJson_Find(primitive, "attributes"), &first);
    const qvJson* target = qvJson_First(qvJson_Find(primitive, "targets"));
    for (; target != NULL; target = qvJson_Next(target))
        JoinMembers(ordering, target, &first);
}

static void CheckPrimitive(Ordering* ordering, const qvJson* primitive)
{
    int first = FirstVertices(ordering, primitive);
    if (first >= 0 && !IsOrdinary(ordering, primitive))
        ordering->stays[FindRoot(ordering, first)] = true;
}

// --- The order -----------------------------------------------------------------------------------------------------

static uint32_t* ReadIndices(const qvGltfPackView* view, size_t count, size_t vertexCount)
{
    uint8_t* bytes = qvGltfPackView_Copy(view);
    uint32_t* indices = qvAllocateRaw(count, sizeof(uint32_t));
    bool good = bytes != NULL && indices != NULL;
    for (size_t i = 0; i < count && good; i++)
    {
        uint16_t number;
        if (view->stride == 2)
            memcpy(&number, bytes + 2 * i, 2), indices[i] = number;
        else
            memcpy(&indices[i], bytes + 4 * i, 4);
        good = indices[i] < vertexCount;
    }
    free(bytes);
    if (!good)
        free(indices);
    return good ? indices : NULL;
}

// Vertices in the order in which triangles meet them first.
static void OrderPrimitive(Ordering* ordering, const qvJson* primitive)
{
    qvGltfPacker* packer = ordering->packer;
    int first = FirstVertices(ordering, primitive), root = first >= 0 ? FindRoot(ordering, first) : -1;
    if (root < 0 || ordering->stays[root])
        return;
    qvGltfPackAccessor* accessor = &packer->accessors[IndicesOf(ordering, primitive)];
    size_t count = (size_t)CountOf(accessor), vertices = (size_t)CountOf(&packer->accessors[root]);
    if (packer->places[root] == NULL)
    {
        packer->places[root] = qvAllocateRaw(vertices + 1, sizeof(uint32_t)); // the last one counts
        if (packer->places[root] != NULL)
            memset(packer->places[root], 0xff, vertices * sizeof(uint32_t)), packer->places[root][vertices] = 0;
    }
    uint32_t* places = packer->places[root];
    uint32_t* indices = places != NULL ? ReadIndices(ViewOf(packer, accessor), count, vertices) : NULL;
    accessor->triangles = indices != NULL ? qvAllocateRaw(count, sizeof(uint32_t)) : NULL;
    if (accessor->triangles == NULL)
        ordering->stays[root] = true; // memory ran out, or indices lie: all stays as it is
    else
        qvOrderTriangles(indices, count, vertices, accessor->triangles);
    for (size_t i = 0; i < count && accessor->triangles != NULL; i++)
    {
        uint32_t* place = &places[accessor->triangles[i]];
        if (*place == UINT32_MAX)
            *place = places[vertices]++;
        accessor->triangles[i] = *place;
    }
    // Several primitives may share vertices, and only some of them have indices that reach all.
    if (places != NULL && ViewOf(packer, accessor)->stride == 2 && places[vertices] > UINT16_MAX)
        ordering->stays[root] = true;
    free(indices);
}

// What no triangle has comes last.
static void EndOrder(Ordering* ordering)
{
    qvGltfPacker* packer = ordering->packer;
    for (int i = 0; i < packer->builder->accessorCount; i++)
    {
        uint32_t* places = packer->places[i];
        for (int v = 0, count = CountOf(&packer->accessors[i]); v < count && places != NULL; v++)
        {
            if (places[v] == UINT32_MAX)
                places[v] = places[count]++;
        }
        int root = FindRoot(ordering, i);
        packer->accessors[i].group = packer->places[root] != NULL && !ordering->stays[root] ? root : -1;
    }
}

// Indices of a group that stays after all.
static void DropTriangles(Ordering* ordering, const qvJson* primitive)
{
    int first = FirstVertices(ordering, primitive), index = IndicesOf(ordering, primitive);
    if (first < 0 || index < 0 || !ordering->stays[FindRoot(ordering, first)])
        return;
    free(ordering->packer->accessors[index].triangles);
    ordering->packer->accessors[index].triangles = NULL;
}

void qvGltfPacker_Order(qvGltfPacker* packer)
{
    int count = packer->builder->accessorCount;
    Ordering ordering = { packer, qvAllocateRaw((size_t)count, sizeof(int)), qvAllocate((size_t)count, sizeof(bool)) };
    packer->places = qvAllocate((size_t)count, sizeof(uint32_t*));
    for (int i = 0; i < count; i++)
        packer->accessors[i].group = -1;
    if (ordering.parent != NULL && ordering.stays != NULL && packer->places != NULL)
    {
        for (int i = 0; i < count; i++)
            ordering.parent[i] = i;
        ForPrimitives(&ordering, JoinPrimitive);
        for (int i = 0; i < count; i++)
            ordering.stays[FindRoot(&ordering, i)] |= !CanMove(&ordering, i);
        ForPrimitives(&ordering, CheckPrimitive);
        ForPrimitives(&ordering, OrderPrimitive);
        ForPrimitives(&ordering, DropTriangles);
        EndOrder(&ordering);
    }
    free(ordering.parent);
    free(ordering.stays);
}

// --- Moving --------------------------------------------------------------------------------------------------------

static void MoveItems(qvGltfPacker* packer, const qvGltfPackView* view, const uint32_t* places, uint8_t* bytes)
{
    uint8_t* before = qvAllocateRaw(view->size, 1);
    packer->builder->failed |= before == NULL;
    if (before == NULL)
        return;
    memcpy(before, bytes, view->size);
    for (size_t i = 0; i < view->size / view->stride; i++)
        memcpy(bytes + places[i] * view->stride, before + i * view->stride, view->stride);
    free(before);
}

void qvGltfPacker_Move(qvGltfPacker* packer, const qvGltfPackView* view, uint8_t* bytes)
{
    if (view->sharers != 1 || view->users != 1 || view->size == 0)
        return;
    const qvGltfPackAccessor* accessor = &packer->accessors[view->accessor];
    if (accessor->group >= 0)
        MoveItems(packer, view, packer->places[accessor->group], bytes);
    // What nothing reads may have no stride.
    for (size_t i = 0; accessor->triangles != NULL && i < view->size / view->stride; i++)
    {
        uint16_t number = (uint16_t)accessor->triangles[i];
        if (view->stride == 2)
            memcpy(bytes + 2 * i, &number, 2);
        else
            memcpy(bytes + 4 * i, &accessor->triangles[i], 4);
    }
}

void qvGltfPacker_FreeOrder(qvGltfPacker* packer)
{
    for (int i = 0; i < packer->builder->accessorCount; i++)
    {
        free(packer->accessors[i].triangles);
        if (packer->places != NULL)
            free(packer->places[i]);
    }
    free(packer->places);
}
