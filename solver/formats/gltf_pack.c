// SPDX-License-Identifier: GPL-3.0-or-later
// EXT_meshopt_compression (Khronos Group, 2020): every view becomes a run of packed bytes where these are fewer. What
// the accessors say decides how a view is packed; views that no accessor uses (images) stay as they are.
#include "formats/gltf_pack.h"

#include "mesh/meshopt.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_ITEM = 256, // bytes
};

// --- Who uses what -------------------------------------------------------------------------------------------------

static int Components(const char* type)
{
    static const struct
    {
        const char* name;
        int count;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 } };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    {
        if (strcmp(type, types[i].name) == 0)
            return types[i].count;
    }
    return 0; // small matrices have padding and are rare
}

static size_t ElementSize(const qvJson* accessor)
{
    size_t size = qvGltf_ComponentSize(qvJson_Index(qvJson_Find(accessor, "componentType")));
    return size * (size_t)Components(qvJson_Text(qvJson_Find(accessor, "type")));
}

static qvGltfPackAccessor* FindAccessor(const qvGltfPacker* packer, const qvJson* reference)
{
    int index = reference != NULL ? qvJson_Index(reference) : -1;
    return index >= 0 && index < packer->builder->accessorCount ? &packer->accessors[index] : NULL;
}

static void Mark(const qvGltfPacker* packer, const qvJson* reference, qvGltfUse use, size_t items)
{
    qvGltfPackAccessor* accessor = FindAccessor(packer, reference);
    if (accessor == NULL)
        return;
    accessor->references++;
    size_t stride = items * ElementSize(accessor->json);
    bool same = accessor->use == qv_useUnused || (accessor->use == use && accessor->stride == stride);
    accessor->use = same ? use : qv_useMixed;
    accessor->stride = stride;
}

static void MarkMembers(const qvGltfPacker* packer, const qvJson* object)
{
    for (const qvJson* item = qvJson_First(object); item != NULL; item = qvJson_Next(item))
        Mark(packer, item, qv_useAttributes, 1);
}

static qvGltfRole RoleOf(const qvJson* attributes, const char* name)
{
    if (strcmp(name, "NORMAL") == 0 || strcmp(name, "TANGENT") == 0)
        return qv_roleDirection;
    return strcmp(name, "WEIGHTS_0") == 0 && qvJson_Find(attributes, "WEIGHTS_1") == NULL ? qv_roleWeights
                                                                                          : qv_roleOther;
}

static void MarkRoles(const qvGltfPacker* packer, const qvJson* object, bool isTarget)
{
    for (const qvJson* item = qvJson_First(object); item != NULL; item = qvJson_Next(item))
    {
        qvGltfPackAccessor* accessor = FindAccessor(packer, item);
        qvGltfRole role = isTarget ? qv_roleOther : RoleOf(object, qvJson_Name(item));
        if (accessor != NULL)
            accessor->role = accessor->role == qv_roleNone || accessor->role == role ? role : qv_roleOther;
    }
}

static void MarkMeshes(const qvGltfPacker* packer)
{
    const qvJson* meshes = qvJson_Find(packer->builder->json, "meshes");
    for (const qvJson* mesh = qvJson_First(meshes); mesh != NULL; mesh = qvJson_Next(mesh))
    {
        const qvJson* primitive = qvJson_First(qvJson_Find(mesh, "primitives"));
        for (; primitive != NULL; primitive = qvJson_Next(primitive))
        {
            const qvJson* mode = qvJson_Find(primitive, "mode");
            bool isList = mode == NULL || qvJson_Index(mode) == 4;
            Mark(packer, qvJson_Find(primitive, "indices"), isList ? qv_useTriangles : qv_useIndices, 1);
            MarkMembers(packer, qvJson_Find(primitive, "attributes"));
            MarkRoles(packer, qvJson_Find(primitive, "attributes"), false);
            const qvJson* target = qvJson_First(qvJson_Find(primitive, "targets"));
            for (; target != NULL; target = qvJson_Next(target))
            {
                MarkMembers(packer, target);
                MarkRoles(packer, target, true);
            }
        }
    }
}

// As many numbers as one key has, so that each is packed after the same number of the key before.
static size_t NumbersPerKey(const qvGltfPacker* packer, const qvJson* sampler)
{
    const qvGltfPackAccessor* input = FindAccessor(packer, qvJson_Find(sampler, "input"));
    const qvGltfPackAccessor* output = FindAccessor(packer, qvJson_Find(sampler, "output"));
    int keys = input != NULL ? qvJson_Index(qvJson_Find(input->json, "count")) : 0;
    int numbers = output != NULL ? qvJson_Index(qvJson_Find(output->json, "count")) : 0;
    size_t count = keys > 0 && numbers > keys && numbers % keys == 0 ? (size_t)(numbers / keys) : 1;
    while (output != NULL && (count * ElementSize(output->json) > MAX_ITEM || (size_t)numbers % count != 0))
        count--;
    return count > 0 ? count : 1;
}

// What is no part of a mesh.
static void MarkOther(const qvGltfPacker* packer, const qvJson* reference, size_t items)
{
    qvGltfPackAccessor* accessor = FindAccessor(packer, reference);
    Mark(packer, reference, qv_useAttributes, items);
    if (accessor != NULL)
        accessor->isOther = true;
}

static void MarkClips(const qvGltfPacker* packer)
{
    const qvJson* clips = qvJson_Find(packer->builder->json, "animations");
    for (const qvJson* clip = qvJson_First(clips); clip != NULL; clip = qvJson_Next(clip))
    {
        const qvJson* sampler = qvJson_First(qvJson_Find(clip, "samplers"));
        for (; sampler != NULL; sampler = qvJson_Next(sampler))
        {
            MarkOther(packer, qvJson_Find(sampler, "input"), 1);
            MarkOther(packer, qvJson_Find(sampler, "output"), NumbersPerKey(packer, sampler));
        }
    }
    const qvJson* skins = qvJson_Find(packer->builder->json, "skins");
    for (const qvJson* skin = qvJson_First(skins); skin != NULL; skin = qvJson_Next(skin))
        MarkOther(packer, qvJson_Find(skin, "inverseBindMatrices"), 1);
}

// What an accessor wants of its view; several must agree.
static void MarkView(const qvGltfPacker* packer, const qvGltfPackAccessor* accessor)
{
    int index = qvJson_Index(qvJson_Find(accessor->json, "bufferView"));
    if (index < 0 || index >= packer->builder->viewCount)
        return;
    qvGltfPackView* view = &packer->views[index];
    view->sharers++;
    if (accessor->use == qv_useUnused)
        return;
    bool isFloat = qvJson_Index(qvJson_Find(accessor->json, "componentType")) == QV_GLTF_FLOAT;
    const qvJson* stride =
        qvJson_Find(qvJson_At(qvJson_Find(packer->builder->json, "bufferViews"), index), "byteStride");
    size_t bytes = stride != NULL ? (size_t)qvJson_Number(stride) : accessor->stride;
    bool same = view->use == qv_useUnused || (view->use == accessor->use && view->stride == bytes);
    view->users++;
    view->accessor = (int)(accessor - packer->accessors);
    view->isFloat = isFloat && (view->use == qv_useUnused || view->isFloat);
    view->use = same ? accessor->use : qv_useMixed;
    view->stride = bytes;
}

static void FindUses(qvGltfPacker* packer)
{
    const qvJson* item = qvJson_First(qvJson_Find(packer->builder->json, "accessors"));
    for (int i = 0; i < packer->builder->accessorCount && item != NULL; i++, item = qvJson_Next(item))
        packer->accessors[i].json = item;
    MarkMeshes(packer);
    MarkClips(packer);
    qvGltfPacker_Drop(packer);
    for (int i = 0; i < packer->builder->accessorCount; i++)
        MarkView(packer, &packer->accessors[i]);
}

// --- Bytes ---------------------------------------------------------------------------------------------------------

// Places in the buffer count what is made later, places among the bytes that are there do not.
static void FindBytes(qvGltfPacker* packer)
{
    qvGltfBuilder* builder = packer->builder;
    for (int i = 0; i < builder->laterCount; i++)
        packer->views[builder->later[i].view].later = &builder->later[i];
    const qvJson* item = qvJson_First(qvJson_Find(builder->json, "bufferViews"));
    for (int i = 0; item != NULL && i < builder->viewCount; i++, item = qvJson_Next(item))
    {
        double offset = qvJson_Number(qvJson_Find(item, "byteOffset"));
        double size = qvJson_Number(qvJson_Find(item, "byteLength"));
        packer->views[i].isOutside = qvJson_Number(qvJson_Find(item, "buffer")) != 0.0 || !(offset >= 0.0) ||
                                     !(size >= 0.0) || offset + size > (double)builder->size;
        if (packer->views[i].isOutside)
            continue;
        size_t start = (size_t)offset, before = 0;
        for (int k = 0; k < builder->laterCount && builder->later[k].heldBefore + before <= start; k++)
            before += builder->later[k].size;
        packer->views[i].size = (size_t)size;
        if (packer->views[i].later != NULL)
            continue;
        // Views that nothing uses may lie anywhere in documents that were read, also across what is made later.
        packer->views[i].isOutside = start < before || start - before + (size_t)size > builder->held;
        if (!packer->views[i].isOutside)
            packer->views[i].bytes = builder->bytes + (start - before);
    }
}

// --- Packing -------------------------------------------------------------------------------------------------------

static bool Reserve(qvGltfPacker* packer, size_t room)
{
    if (room <= packer->packedRoom)
        return true;
    free(packer->packed);
    packer->packed = qvAllocateRaw(room, 1);
    packer->packedRoom = packer->packed != NULL ? room : 0;
    return packer->packed != NULL;
}

static size_t Try(qvGltfPacker* packer, const qvPacking* packing, const void* bytes)
{
    size_t room = qvPacking_Bound(packing);
    bool enough = Reserve(packer, room);
    packer->builder->failed |= !enough;
    return enough ? qvPacking_Pack(packing, bytes, packer->packed, room) : 0;
}

// Floats that share an exponent have a byte that is always the same then, and others that hardly change.
static size_t TryFloats(qvGltfPacker* packer, const qvGltfPackView* view, const void* bytes, qvPacking* packing)
{
    uint32_t* filtered = qvAllocateRaw(view->size, 1);
    packer->builder->failed |= filtered == NULL;
    size_t size = 0;
    if (filtered != NULL && qvFilterFloats(bytes, view->size / sizeof(float), filtered))
    {
        packing->filter = qv_packExponential;
        size = Try(packer, packing, filtered);
    }
    free(filtered);
    return size;
}

static size_t PackBytes(qvGltfPacker* packer, const qvGltfPackView* view, const void* bytes, qvPacking* packing)
{
    *packing = (qvPacking){ .mode = view->use == qv_useAttributes  ? qv_packAttributes
                                    : view->use == qv_useTriangles ? qv_packTriangles
                                                                   : qv_packIndices,
                            .stride = view->stride };
    if (view->use == qv_useUnused || view->use == qv_useMixed || view->size == 0 || view->stride == 0 ||
        view->size % view->stride != 0)
        return 0;
    packing->count = view->size / view->stride;
    if (view->use == qv_useTriangles && (view->users > 1 || packing->count % 3 != 0))
        packing->mode = qv_packIndices; // which triangles there are is not known
    if (!qvPacking_IsValid(packing))
        return 0;
    size_t filtered = view->use == qv_useAttributes && view->isFloat ? TryFloats(packer, view, bytes, packing) : 0;
    qvPacking plain = *packing;
    plain.filter = qv_packPlain;
    size_t size = Try(packer, &plain, bytes);
    if (filtered > 0 && filtered < size)
        return TryFloats(packer, view, bytes, packing); // the last try is what is there
    *packing = plain;
    return size;
}

static void Describe(qvJson* view, const qvPacking* packing, size_t offset, size_t size)
{
    static const char* const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES" };
    qvJson* extensions = qvJson_Find(view, "extensions");
    extensions = extensions != NULL ? extensions : qvJson_AddObject(view, "extensions");
    qvJson* json = qvJson_AddObject(extensions, "EXT_meshopt_compression");
    qvJson_AddNumber(json, "buffer", 0);
    if (offset > 0)
        qvJson_AddNumber(json, "byteOffset", (double)offset);
    qvJson_AddNumber(json, "byteLength", (double)size);
    qvJson_AddNumber(json, "byteStride", (double)packing->stride);
    qvJson_AddNumber(json, "count", (double)packing->count);
    qvJson_AddString(json, "mode", modes[packing->mode]);
    if (packing->filter == qv_packExponential)
        qvJson_AddString(json, "filter", "EXPONENTIAL");
}

// A copy of a view's bytes, aligned: views of documents that were read may start anywhere.
uint8_t* qvGltfPackView_Copy(const qvGltfPackView* view)
{
    uint8_t* bytes = qvAllocate(view->size, 1);
    if (bytes != NULL && view->later != NULL)
        view->later->put(view->later, bytes);
    else if (bytes != NULL && view->size > 0)
        memcpy(bytes, view->bytes, view->size);
    return bytes;
}

// Returns whether the view was packed.
static bool PackView(qvGltfPacker* packer, const qvGltfPackView* view, qvJson* json, qvGltfBuilder* builder)
{
    uint8_t* bytes = qvGltfPackView_Copy(view);
    builder->failed |= bytes == NULL;
    if (bytes == NULL)
        return false;
    qvGltfPacker_Move(packer, view, bytes);
    qvPacking packing;
    size_t size = PackBytes(packer, view, bytes, &packing);
    bool isPacked = size > 0 && size < view->size;
    size_t offset =
        qvGltfBuilder_AddBytes(&packer->out, isPacked ? packer->packed : bytes, isPacked ? size : view->size);
    if (isPacked)
    {
        Describe(json, &packing, offset, size);
        qvGltfBuilder_SetNumber(json, "buffer", 1);
        qvGltfBuilder_SetNumber(json, "byteOffset", (double)builder->fallbackSize);
        builder->fallbackSize += (view->size + 3) / 4 * 4;
    }
    else
    {
        qvGltfBuilder_SetNumber(json, "buffer", 0);
        qvGltfBuilder_SetNumber(json, "byteOffset", (double)offset);
    }
    free(bytes);
    return isPacked;
}

static void PackViews(qvGltfPacker* packer)
{
    qvGltfBuilder* builder = packer->builder;
    bool any = false;
    qvJson* item = qvJson_First(qvJson_Find(builder->json, "bufferViews"));
    for (int i = 0; item != NULL && i < builder->viewCount && !builder->failed; i++, item = qvJson_Next(item))
        any |= !packer->views[i].isOutside && PackView(packer, &packer->views[i], item, builder);
    builder->failed |= packer->out.failed;
    free(builder->bytes);
    builder->bytes = packer->out.bytes, builder->held = packer->out.held, builder->capacity = packer->out.capacity;
    builder->size = packer->out.size;
    builder->laterCount = 0;
    if (any)
        qvGltfBuilder_Require(builder, "EXT_meshopt_compression");
}

qvResult qvGltfBuilder_Pack(qvGltfBuilder* builder, qvError* error)
{
    qvGltfPacker packer = { .builder = builder,
                            .views = qvAllocate((size_t)builder->viewCount, sizeof(qvGltfPackView)),
                            .accessors = qvAllocate((size_t)builder->accessorCount, sizeof(qvGltfPackAccessor)) };
    if (packer.views != NULL && packer.accessors != NULL && !builder->failed)
    {
        FindUses(&packer);
        FindBytes(&packer);
        qvGltfPacker_Shrink(&packer);
        qvGltfPacker_Order(&packer);
        PackViews(&packer);
        qvGltfPacker_FreeOrder(&packer);
    }
    for (int i = 0; i < builder->viewCount && packer.views != NULL; i++)
        free(packer.views[i].own);
    bool failed = packer.views == NULL || packer.accessors == NULL || builder->failed;
    free(packer.views);
    free(packer.accessors);
    free(packer.packed);
    return failed ? qvError_OutOfMemory(error, (double)builder->size) : qv_ok;
}
