// SPDX-License-Identifier: GPL-3.0-or-later
// KHR_draco_mesh_compression (Khronos Group, 2018): accessors that say nothing but type and count get the bytes that a
// primitive's Draco mesh has for them. A document that does not require the extension holds everything plainly, too,
// and is read so.
#include "formats/draco.h"
#include "formats/gltf_unpack.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static const char NAME[] = "KHR_draco_mesh_compression";

typedef struct Primitive
{
    qvJson* json;
    const qvJson* attributes; // of the extension: numbers in the Draco mesh
    char place[QV_GLTF_MAX_PLACE];
    const uint8_t* bytes;
    size_t size;
} Primitive;

// --- The header ----------------------------------------------------------------------------------------------------

// Draco's bitstream 2.2: "DRACO", version, kind, method, flags, and how large the mesh is.
enum
{
    HEADER_SIZE = 11,
    IS_MESH = 1,
    EDGEBREAKER = 1,
    METADATA_FLAG = 0x80, // of the upper byte
    ROOM = 8,             // bytes for one that is kept, while a mesh is decoded
    SEAM_BYTES = 20,      // that each further attribute takes in a triangle, for where its values change
};

static size_t Limit(const qvGltf* gltf)
{
    return gltf->budget < SIZE_MAX / ROOM ? gltf->budget * ROOM : SIZE_MAX;
}

static bool ReadVarint(const uint8_t** at, const uint8_t* end, uint64_t* value)
{
    *value = 0;
    for (int shift = 0; *at < end && shift < 35; shift += 7)
    {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

// libdraco makes room for as much as the header says; that must be what the document says.
static qvResult CheckHeader(const qvGltf* gltf, const Primitive* primitive, int pointCount, int triangleCount,
                            qvError* error)
{
    const uint8_t *bytes = primitive->bytes, *at = bytes + HEADER_SIZE, *end = bytes + primitive->size;
    if (primitive->size < HEADER_SIZE || memcmp(bytes, "DRACO", 5) != 0 || bytes[7] != IS_MESH)
        return qvError_Set(error, qv_badInput, "%s: its bytes are no mesh of Draco", primitive->place);
    if (bytes[5] != 2 || bytes[6] != 2 || (bytes[10] & METADATA_FLAG) != 0)
        return qvError_Set(error, qv_unsupported,
                           "%s: is version %d.%d of Draco%s, plain 2.2 can be read; export the file anew or without "
                           "compression",
                           primitive->place, bytes[5], bytes[6], bytes[10] & METADATA_FLAG ? " with metadata" : "");
    bool isEdgebreaker = bytes[8] == EDGEBREAKER;
    uint64_t points = 0, triangles = 0;
    at += isEdgebreaker; // how it goes through the mesh
    bool good = at < end && ReadVarint(&at, end, isEdgebreaker ? &points : &triangles) &&
                ReadVarint(&at, end, isEdgebreaker ? &triangles : &points);
    if (!good || points > (uint64_t)pointCount || triangles != (uint64_t)triangleCount)
        return qvError_Set(error, qv_badInput,
                           "%s: holds %.0f points and %.0f triangles, but its accessors have %d and %d",
                           primitive->place, (double)points, (double)triangles, pointCount, triangleCount);
    int seams = isEdgebreaker && at < end ? *at : 0;
    if ((double)SEAM_BYTES * seams * triangleCount > (double)Limit(gltf))
        return qvError_Set(error, qv_badInput, "%s: its %zu bytes have seams of %d attributes, far too many",
                           primitive->place, primitive->size, seams);
    return qv_ok;
}

// --- Accessors -----------------------------------------------------------------------------------------------------

// Appends a view of what was unpacked and gives it to an accessor.
static void Attach(qvGltf* gltf, qvJson* accessor, size_t offset, size_t size, size_t stride)
{
    qvJson* views = qvJson_Find(gltf->json, "bufferViews");
    qvJson_AddNumber(accessor, "bufferView", qvJson_Count(views));
    qvJson_Remove(accessor, qvJson_Find(accessor, "byteOffset"));
    qvJson* view = qvJson_AddObject(views, NULL);
    qvJson_AddNumber(view, "buffer", gltf->bufferCount);
    qvJson_AddNumber(view, "byteOffset", (double)offset);
    qvJson_AddNumber(view, "byteLength", (double)size);
    if (stride > 0)
        qvJson_AddNumber(view, "byteStride", (double)stride);
}

// Whether an accessor still waits for its bytes; they may be there through another primitive.
static bool Waits(const qvGltf* gltf, const qvJson* reference)
{
    int index = reference != NULL ? qvJson_Index(reference) : -1;
    return index >= 0 && index < gltf->accessors.count &&
           qvJson_Find(gltf->accessors.items[index], "bufferView") == NULL;
}

static qvResult FindAccessor(const qvGltf* gltf, const qvJson* object, const char* place, const char* name,
                             qvGltfAccessor* accessor, qvError* error)
{
    qvResult result = qvGltf_GetAccessor(gltf, object, place, name, accessor, error);
    if (result == qv_ok && accessor->index < 0)
        return qvError_Set(error, qv_badInput, "%s.%s: is missing", place, name);
    if (result == qv_ok && accessor->columns > 1)
        return qvError_Set(error, qv_badInput, "%s.%s: accessors[%d] must hold vectors", place, name, accessor->index);
    return result;
}

static qvResult UnpackAttribute(qvGltf* gltf, const Primitive* primitive, const qvDraco* draco, const qvJson* item,
                                qvGltfUnpacked* unpacked, qvError* error)
{
    const qvJson* attributes = qvJson_Find(primitive->json, "attributes");
    qvGltfAccessor accessor;
    size_t offset;
    if (!Waits(gltf, qvJson_Find(attributes, qvJson_Name(item))))
        return qv_ok;
    qvResult result = FindAccessor(gltf, attributes, primitive->place, qvJson_Name(item), &accessor, error);
    if (result != qv_ok)
        return result;
    if (accessor.count != qvDraco_PointCount(draco))
        return qvError_Set(error, qv_badInput, "%s: holds %.0f points, but accessors[%d] has %d", primitive->place,
                           (double)qvDraco_PointCount(draco), accessor.index, accessor.count);
    size_t stride = (accessor.elementSize + 3) / 4 * 4, size = (size_t)accessor.count * stride;
    result = qvGltfUnpacked_Extend(unpacked, gltf, size, primitive->place, &offset, error);
    if (result != qv_ok)
        return result;
    int id = qvJson_Index(item);
    if (id < 0 || !qvDraco_Attribute(draco, (uint32_t)id, accessor.componentType, accessor.rows, stride,
                                     (uint8_t*)unpacked->bytes.data + offset))
        return qvError_Set(error, qv_badInput, "%s.attributes.%.40s: is nothing that fits accessors[%d]",
                           primitive->place, qvJson_Name(item), accessor.index);
    Attach(gltf, gltf->accessors.items[accessor.index], offset, size, stride);
    return qv_ok;
}

static qvResult UnpackIndices(qvGltf* gltf, const Primitive* primitive, const qvDraco* draco, qvGltfUnpacked* unpacked,
                              qvError* error)
{
    qvGltfAccessor accessor;
    size_t offset;
    if (!Waits(gltf, qvJson_Find(primitive->json, "indices")))
        return qv_ok;
    qvResult result = FindAccessor(gltf, primitive->json, primitive->place, "indices", &accessor, error);
    if (result != qv_ok)
        return result;
    if (accessor.rows != 1 || accessor.count != 3 * qvDraco_TriangleCount(draco))
        return qvError_Set(error, qv_badInput, "%s: holds %.0f triangles, but accessors[%d] has %d numbers",
                           primitive->place, (double)qvDraco_TriangleCount(draco), accessor.index, accessor.count);
    size_t size = (size_t)accessor.count * accessor.elementSize;
    result = qvGltfUnpacked_Extend(unpacked, gltf, size, primitive->place, &offset, error);
    if (result != qv_ok)
        return result;
    char* at = unpacked->bytes.data + offset;
    for (int i = 0; i < accessor.count / 3; i++)
    {
        uint32_t points[3];
        qvDraco_Triangle(draco, i, points);
        for (int k = 0; k < 3; k++, at += accessor.elementSize)
            memcpy(at, &points[k], accessor.elementSize); // as many of its lower bytes as there is room for
    }
    Attach(gltf, gltf->accessors.items[accessor.index], offset, size, 0);
    return qv_ok;
}

// --- Primitives ----------------------------------------------------------------------------------------------------

static qvResult FindBytes(const qvGltf* gltf, const qvJson* extension, Primitive* primitive, qvError* error)
{
    int index;
    qvGltfView view;
    qvJson* attributes = NULL;
    qvResult result = qvGltf_GetView(gltf, extension, primitive->place, "bufferView", &index, &view, error);
    if (result == qv_ok && index < 0)
        return qvError_Set(error, qv_badInput, "%s.bufferView: is missing", primitive->place);
    if (result == qv_ok)
        result = qvJson_ReadObject(extension, primitive->place, "attributes", &attributes, error);
    if (result != qv_ok)
        return result;
    primitive->attributes = attributes;
    primitive->bytes = view.bytes;
    primitive->size = view.size;
    return qv_ok;
}

static bool AnyWaits(const qvGltf* gltf, const Primitive* primitive)
{
    const qvJson* attributes = qvJson_Find(primitive->json, "attributes");
    bool any = Waits(gltf, qvJson_Find(primitive->json, "indices"));
    for (const qvJson* item = qvJson_First(primitive->attributes); item != NULL; item = qvJson_Next(item))
        any |= Waits(gltf, qvJson_Find(attributes, qvJson_Name(item)));
    return any;
}

// How many elements an accessor has, 0 where there is none.
static int CountOf(const qvGltf* gltf, const qvJson* reference)
{
    int index = reference != NULL ? qvJson_Index(reference) : -1;
    bool exists = index >= 0 && index < gltf->accessors.count;
    return exists ? qvJson_Index(qvJson_Find(gltf->accessors.items[index], "count")) : 0;
}

static qvResult CheckSize(const qvGltf* gltf, const Primitive* primitive, qvError* error)
{
    const qvJson* mode = qvJson_Find(primitive->json, "mode");
    if (mode != NULL && qvJson_Index(mode) != 4)
        return qvError_Set(error, qv_unsupported, "%s: strips cannot be read; export triangles", primitive->place);
    int points = CountOf(gltf, qvJson_Find(qvJson_Find(primitive->json, "attributes"), "POSITION"));
    int indices = CountOf(gltf, qvJson_Find(primitive->json, "indices"));
    if (points < 1 || indices < 1)
        return qvError_Set(error, qv_badInput, "%s: needs accessors of positions and indices", primitive->place);
    double bytes = 12.0 * points + 4.0 * indices;
    if (bytes > (double)gltf->budget)
        return qvError_Set(error, qv_badInput, "%s: unpacks to %.3g MB, far more than the file holds", primitive->place,
                           bytes / 1e6);
    return CheckHeader(gltf, primitive, points, indices / 3, error);
}

static qvResult UnpackPrimitive(qvGltf* gltf, Primitive* primitive, qvGltfUnpacked* unpacked, qvError* error)
{
    const qvJson* extension = qvJson_Find(qvJson_Find(primitive->json, "extensions"), NAME);
    qvResult result = FindBytes(gltf, extension, primitive, error);
    if (result != qv_ok || !AnyWaits(gltf, primitive))
        return result;
    result = CheckSize(gltf, primitive, error);
    if (result != qv_ok)
        return result;
    qvDraco* draco = qvCreateDraco(primitive->bytes, primitive->size, Limit(gltf));
    if (draco == NULL)
        return qvError_Set(error, qv_badInput, "%s: its %zu bytes are damaged, or unpack to far more than that",
                           primitive->place, primitive->size);
    for (const qvJson* item = qvJson_First(primitive->attributes); item != NULL && result == qv_ok;
         item = qvJson_Next(item))
        result = UnpackAttribute(gltf, primitive, draco, item, unpacked, error);
    if (result == qv_ok)
        result = UnpackIndices(gltf, primitive, draco, unpacked, error);
    qvDestroyDraco(draco);
    return result;
}

static bool IsRequired(const qvGltf* gltf)
{
    const qvJson* item = qvJson_First(qvJson_Find(gltf->json, "extensionsRequired"));
    while (item != NULL && strcmp(qvJson_Text(item), NAME) != 0)
        item = qvJson_Next(item);
    return item != NULL;
}

qvResult qvGltf_UnpackDraco(qvGltf* gltf, qvGltfUnpacked* unpacked, qvError* error)
{
    if (!IsRequired(gltf))
        return qv_ok;
    qvResult result = qv_ok;
    for (int i = 0; i < gltf->meshes.count && result == qv_ok; i++)
    {
        int index = 0;
        qvJson* item = qvJson_First(qvJson_Find(gltf->meshes.items[i], "primitives"));
        for (; item != NULL && result == qv_ok; item = qvJson_Next(item), index++)
        {
            Primitive primitive = { .json = item };
            if (qvJson_Find(qvJson_Find(item, "extensions"), NAME) == NULL)
                continue;
            snprintf(primitive.place, sizeof(primitive.place), "meshes[%d].primitives[%d].extensions.%s", i, index,
                     NAME);
            result = UnpackPrimitive(gltf, &primitive, unpacked, error);
            qvGltf_DropExtension(item, NAME);
        }
    }
    qvGltf_DropName(gltf, NAME);
    return result;
}
