// SPDX-License-Identifier: GPL-3.0-or-later
// Stanford PLY: ASCII and both binary encodings, any order of elements and properties. Colours are taken as sRGB. Faces
// come from lists of vertices or from triangle strips.
#include "formats/ply.h"

#include "formats/srgb.h"
#include "quaver/path.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader
{
    const qvReadInput* input;
    qvPlyHeader header;
    qvScan scan;  ///< in binary files only at and end matter
    qvScan place; ///< for messages: where the row began

    int vertexCount;
    qvVec3f* positions;
    qvVec3f* normals; ///< NULL when the file has none; the same for uvs and colors
    qvVec2f* uvs;
    qvColor* colors;

    QV_ARRAY(int32_t) faceSizes;
    QV_ARRAY(int32_t) corners;
    bool hasCornerUvs;
    QV_ARRAY(int32_t) cornerUvIndices; ///< parallel to corners when faces have UVs
    QV_ARRAY(qvVec2f) cornerUvs;
    int smallFaces;

    // The row being read.
    double scalars[qv_plyScalarCount];
    QV_ARRAY(double) indices;
    QV_ARRAY(double) texcoords;
} Reader;

static size_t BytesLeft(const Reader* reader)
{
    return (size_t)(reader->scan.end - reader->scan.at);
}

static qvResult NoMemory(const Reader* reader, qvError* error)
{
    return qvError_OutOfMemory(error, 4.0 * (double)reader->input->size);
}

// qv_badInput with the place before the message.
static qvResult Fail(const Reader* reader, qvError* error, const char* format, ...) QV_PRINTF(3, 4);
static qvResult Fail(const Reader* reader, qvError* error, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    qvError_SetV(error, qv_badInput, format, args);
    va_end(args);
    if (reader->header.encoding == qv_plyAscii)
        qvError_Prefix(error, "line %d", reader->place.line);
    else
        qvError_Prefix(error, "byte %zu", (size_t)(reader->place.at - reader->input->data));
    return qv_badInput;
}

// What comes next is what messages are about.
static void MarkPlace(Reader* reader)
{
    if (reader->header.encoding == qv_plyAscii)
        qvScan_SkipSpace(&reader->scan);
    reader->place = reader->scan;
}

static bool ScanNumber(qvScan* scan, qvPlyType type, double* value)
{
    qvScan_SkipSpace(scan);
    const char* start = scan->at;
    int64_t whole;
    if (type < qv_plyFloat32 && qvScan_Integer(scan, &whole) && qvScan_IsBreak(scan, scan->at))
    {
        *value = (double)whole;
        return true;
    }
    scan->at = start;
    float real;
    bool found = qvScan_Float(scan, &real);
    *value = found ? (double)real : 0.0;
    return found;
}

static uint64_t GetBits(const char* bytes, int size, bool isBigEndian)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits |= (uint64_t)(uint8_t)bytes[isBigEndian ? size - 1 - i : i] << 8 * i;
    return bits;
}

static double DecodeBits(uint64_t bits, qvPlyType type)
{
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    switch (type)
    {
    case qv_plyInt8:
        return (int8_t)low;
    case qv_plyInt16:
        return (int16_t)low;
    case qv_plyInt32:
        return (int32_t)low;
    case qv_plyFloat32:
        memcpy(&single, &low, sizeof(single));
        return single;
    case qv_plyFloat64:
        memcpy(&wide, &bits, sizeof(wide));
        return wide;
    default:
        return low;
    }
}

// The next number of the data. False at the end of the file and where there is no number.
static bool ReadNumber(Reader* reader, qvPlyType type, double* value)
{
    if (reader->header.encoding == qv_plyAscii)
        return ScanNumber(&reader->scan, type, value);
    int size = qvPlyType_Size(type);
    if (BytesLeft(reader) < (size_t)size)
        return false;
    bool isBigEndian = reader->header.encoding == qv_plyBigEndian;
    *value = DecodeBits(GetBits(reader->scan.at, size, isBigEndian), type);
    reader->scan.at += size;
    return true;
}

static qvResult FailNumber(const Reader* reader, const qvPlyElement* element, int64_t row, qvError* error)
{
    qvScan scan = reader->scan;
    qvText word = reader->header.encoding == qv_plyAscii ? qvScan_Word(&scan) : (qvText){ "", 0 };
    if (word.length > 0)
        return Fail(reader, error, "%.*s %lld has \"%.*s\" where a number should be", QV_TEXT_ARGS(element->name),
                    (long long)row, QV_TEXT_ARGS(word));
    return Fail(reader, error, "the file ends in %.*s %lld of %lld; it is truncated", QV_TEXT_ARGS(element->name),
                (long long)row, (long long)element->count);
}

// The least a number takes: in ASCII a digit and a blank, save the blank after the very last one.
static size_t LeastBytes(const Reader* reader, qvPlyType type)
{
    return reader->header.encoding == qv_plyAscii ? 2 : (size_t)qvPlyType_Size(type);
}

static qvResult ReadList(Reader* reader, const qvPlyElement* element, const qvPlyProperty* property, int64_t row,
                         qvError* error)
{
    double said;
    if (!ReadNumber(reader, property->countType, &said))
        return FailNumber(reader, element, row, error);
    size_t held = (BytesLeft(reader) + 1) / LeastBytes(reader, property->type);
    if (!(said >= 0.0) || said > (double)held)
        return Fail(reader, error, "%.*s %lld has a list of %.0f, but the file has room for %zu",
                    QV_TEXT_ARGS(element->name), (long long)row, said, held);
    int count = (int)said;
    if (property->target == qv_plyNothing && reader->header.encoding != qv_plyAscii)
    {
        size_t bytes = (size_t)count * (size_t)qvPlyType_Size(property->type);
        if (bytes > BytesLeft(reader))
            return FailNumber(reader, element, row, error);
        reader->scan.at += bytes;
        return qv_ok;
    }
    for (int i = 0; i < count; i++)
    {
        double value;
        if (!ReadNumber(reader, property->type, &value))
            return FailNumber(reader, element, row, error);
        if ((property->target == qv_plyIndices && !QV_PUSH(reader->indices, value)) ||
            (property->target == qv_plyCornerUvs && !QV_PUSH(reader->texcoords, value)))
            return NoMemory(reader, error);
    }
    return qv_ok;
}

static qvResult ReadRow(Reader* reader, const qvPlyElement* element, int64_t row, qvError* error)
{
    const qvPlyProperty* property = reader->header.properties.items + element->firstProperty;
    MarkPlace(reader);
    reader->indices.count = 0;
    reader->texcoords.count = 0;
    for (int i = 0; i < element->propertyCount; i++, property++)
    {
        if (property->isList)
        {
            qvResult result = ReadList(reader, element, property, row, error);
            if (result != qv_ok)
                return result;
            continue;
        }
        double value;
        if (!ReadNumber(reader, property->type, &value))
            return FailNumber(reader, element, row, error);
        if (property->target < qv_plyScalarCount)
            reader->scalars[property->target] = value;
    }
    return qv_ok;
}

// A colour channel as 0 to 1. Whole numbers of other widths than 16 bits hold 0 to 255.
static float ScaleColor(double value, qvPlyType type)
{
    double scale = type >= qv_plyFloat32 ? 1.0 : type == qv_plyInt16 || type == qv_plyUint16 ? 65535.0 : 255.0;
    return (float)(value / scale);
}

static void ScaleColors(Reader* reader, const qvPlyElement* element)
{
    for (int i = 0; i < element->propertyCount; i++)
    {
        const qvPlyProperty* property = &reader->header.properties.items[element->firstProperty + i];
        if (property->target >= qv_plyRed && property->target <= qv_plyAlpha)
            reader->scalars[property->target] = ScaleColor(reader->scalars[property->target], property->type);
    }
}

static qvVec3f TakeVector(const double* numbers)
{
    return (qvVec3f){ (float)numbers[0], (float)numbers[1], (float)numbers[2] };
}

static qvResult TakeVertex(Reader* reader, const qvPlyElement* element, int row, qvError* error)
{
    const double* n = reader->scalars;
    qvVec3f position = TakeVector(n + qv_plyX);
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
        return Fail(reader, error, "vertex %d is not a finite number; export it again", row);
    reader->positions[row] = position;
    if (reader->normals != NULL)
        reader->normals[row] = TakeVector(n + qv_plyNormalX);
    if (reader->uvs != NULL)
    {
        qvVec2f uv = { (float)n[qv_plyU], (float)n[qv_plyV] };
        reader->uvs[row] = isfinite(uv.x) && isfinite(uv.y) ? uv : (qvVec2f){ 0.0f, 0.0f };
    }
    if (reader->colors != NULL)
    {
        ScaleColors(reader, element);
        reader->colors[row] =
            (qvColor){ qvSrgb_ToLinear((float)n[qv_plyRed]), qvSrgb_ToLinear((float)n[qv_plyGreen]),
                       qvSrgb_ToLinear((float)n[qv_plyBlue]), fminf(fmaxf((float)n[qv_plyAlpha], 0.0f), 1.0f) };
    }
    return qv_ok;
}

static qvResult CheckIndex(const Reader* reader, double index, const qvPlyElement* element, int64_t row, qvError* error)
{
    if (index >= 0.0 && index < reader->vertexCount && index == floor(index))
        return qv_ok;
    return Fail(reader, error, "%.*s %lld refers to vertex %.9g, but the file has %d (from 0)",
                QV_TEXT_ARGS(element->name), (long long)row, index, reader->vertexCount);
}

static bool TakeCornerUvs(Reader* reader)
{
    bool exist = reader->texcoords.count == 2 * reader->indices.count;
    for (int i = 0; i < reader->indices.count; i++)
    {
        if (!QV_PUSH(reader->cornerUvIndices, exist ? reader->cornerUvs.count : -1))
            return false;
        if (!exist)
            continue;
        qvVec2f uv = { (float)reader->texcoords.items[2 * i], (float)reader->texcoords.items[2 * i + 1] };
        uv = isfinite(uv.x) && isfinite(uv.y) ? uv : (qvVec2f){ 0.0f, 0.0f };
        if (!QV_PUSH(reader->cornerUvs, uv))
            return false;
    }
    return true;
}

static qvResult TakeFace(Reader* reader, const qvPlyElement* element, int64_t row, qvError* error)
{
    int count = reader->indices.count;
    if (count < 3)
    {
        reader->smallFaces++;
        return qv_ok;
    }
    for (int i = 0; i < count; i++)
    {
        double index = reader->indices.items[i];
        qvResult result = CheckIndex(reader, index, element, row, error);
        if (result != qv_ok)
            return result;
        if (!QV_PUSH(reader->corners, (int32_t)index))
            return NoMemory(reader, error);
    }
    if (!QV_PUSH(reader->faceSizes, count) || (reader->hasCornerUvs && !TakeCornerUvs(reader)))
        return NoMemory(reader, error);
    return qv_ok;
}

// Every vertex after the first two closes a triangle with the two before it; every other one is turned around. -1
// starts a new strip.
static qvResult TakeStrip(Reader* reader, const qvPlyElement* element, int64_t row, qvError* error)
{
    int length = 0;
    for (int i = 0; i < reader->indices.count; i++)
    {
        const double* v = reader->indices.items + i;
        length = *v == -1.0 ? 0 : length + 1;
        if (length == 0)
            continue;
        qvResult result = CheckIndex(reader, *v, element, row, error);
        if (result != qv_ok)
            return result;
        if (length < 3 || v[-2] == v[-1] || v[-1] == v[0] || v[-2] == v[0])
            continue;
        int turn = length % 2 == 0;
        if (!QV_PUSH(reader->corners, (int32_t)v[-2 + turn]) || !QV_PUSH(reader->corners, (int32_t)v[-1 - turn]) ||
            !QV_PUSH(reader->corners, (int32_t)v[0]) || !QV_PUSH(reader->faceSizes, 3))
            return NoMemory(reader, error);
        for (int k = 0; k < 3 && reader->hasCornerUvs; k++)
        {
            if (!QV_PUSH(reader->cornerUvIndices, -1))
                return NoMemory(reader, error);
        }
    }
    return qv_ok;
}

static qvResult AllocateVertices(Reader* reader, qvError* error)
{
    const qvPlyHeader* header = &reader->header;
    size_t count = (size_t)reader->vertexCount;
    bool hasNormals = qvPlyHeader_Has(header, qv_plyVertex, qv_plyNormalX) &&
                      qvPlyHeader_Has(header, qv_plyVertex, qv_plyNormalY) &&
                      qvPlyHeader_Has(header, qv_plyVertex, qv_plyNormalZ);
    bool hasUvs = qvPlyHeader_Has(header, qv_plyVertex, qv_plyU) && qvPlyHeader_Has(header, qv_plyVertex, qv_plyV);
    bool hasColors = qvPlyHeader_Has(header, qv_plyVertex, qv_plyRed) &&
                     qvPlyHeader_Has(header, qv_plyVertex, qv_plyGreen) &&
                     qvPlyHeader_Has(header, qv_plyVertex, qv_plyBlue);
    reader->positions = qvAllocateRaw(count, sizeof(*reader->positions));
    reader->normals = hasNormals ? qvAllocateRaw(count, sizeof(*reader->normals)) : NULL;
    reader->uvs = hasUvs ? qvAllocateRaw(count, sizeof(*reader->uvs)) : NULL;
    reader->colors = hasColors ? qvAllocateRaw(count, sizeof(*reader->colors)) : NULL;
    bool failed = reader->positions == NULL || (hasNormals && reader->normals == NULL) ||
                  (hasUvs && reader->uvs == NULL) || (hasColors && reader->colors == NULL);
    reader->scalars[qv_plyAlpha] = 1.0;
    return failed ? NoMemory(reader, error) : qv_ok;
}

// A count of the header against what the file can hold, before anything is allocated from it.
static qvResult CheckCount(const Reader* reader, const qvPlyElement* element, qvError* error)
{
    size_t least = 0;
    for (int i = 0; i < element->propertyCount; i++)
    {
        const qvPlyProperty* property = &reader->header.properties.items[element->firstProperty + i];
        least += LeastBytes(reader, property->isList ? property->countType : property->type);
    }
    size_t held = (BytesLeft(reader) + 1) / (least > 0 ? least : 1);
    if (least > 0 && (uint64_t)element->count > held)
        return Fail(reader, error, "the header says %lld of element %.*s, but the file has room for %zu",
                    (long long)element->count, QV_TEXT_ARGS(element->name), held);
    return qv_ok;
}

static qvResult ReadElement(Reader* reader, const qvPlyElement* element, qvError* error)
{
    MarkPlace(reader);
    qvResult result = CheckCount(reader, element, error);
    if (result == qv_ok && element->role == qv_plyVertex)
        result = AllocateVertices(reader, error);
    int64_t count = element->propertyCount > 0 ? element->count : 0;
    for (int64_t row = 0; row < count && result == qv_ok; row++)
    {
        result = ReadRow(reader, element, row, error);
        if (result == qv_ok && element->role == qv_plyVertex)
            result = TakeVertex(reader, element, (int)row, error);
        else if (result == qv_ok && element->role == qv_plyFace)
            result = TakeFace(reader, element, row, error);
        else if (result == qv_ok && element->role == qv_plyStrip)
            result = TakeStrip(reader, element, row, error);
        if (result == qv_ok && row % 65536 == 65535)
            result = qvJob_Progress(reader->input->options->job, "reading",
                                    0.5 - 0.5 * (double)BytesLeft(reader) / (double)reader->input->size, error);
    }
    return result;
}

static qvResult ReadElements(Reader* reader, qvError* error)
{
    const qvPlyHeader* header = &reader->header;
    reader->scan = header->data;
    reader->hasCornerUvs = qvPlyHeader_Has(header, qv_plyFace, qv_plyCornerUvs);
    for (int i = 0; i < header->elements.count; i++)
    {
        const qvPlyElement* element = &header->elements.items[i];
        if (element->role == qv_plyVertex)
            reader->vertexCount = element->count < INT_MAX ? (int)element->count : INT_MAX;
    }
    for (int i = 0; i < header->elements.count; i++)
    {
        qvResult result = ReadElement(reader, &header->elements.items[i], error);
        if (result != qv_ok)
            return result;
    }
    if (reader->faceSizes.count == 0)
        return Fail(reader, error, "the file has no faces; a point cloud has no surface to animate");
    if (reader->smallFaces > 0)
        qvNotes_Add(reader->input->notes, "skipped %d faces with fewer than three corners", reader->smallFaces);
    return qv_ok;
}

static qvResult CreateMesh(Reader* reader, const char* texturePath, qvModel* model, qvError* error)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = reader->vertexCount;
    def.positions = reader->positions;
    def.faceCount = reader->faceSizes.count;
    def.faceSizes = reader->faceSizes.items;
    def.corners = reader->corners.items;
    if (reader->normals != NULL)
        def.normals = (qvAttributeDef){ &reader->normals->x, reader->vertexCount, NULL };
    if (reader->colors != NULL)
        def.colors = (qvAttributeDef){ &reader->colors->r, reader->vertexCount, NULL };
    if (reader->cornerUvs.count > 0)
        def.uvs =
            (qvAttributeDef){ &reader->cornerUvs.items->x, reader->cornerUvs.count, reader->cornerUvIndices.items };
    else if (reader->uvs != NULL)
        def.uvs = (qvAttributeDef){ &reader->uvs->x, reader->vertexCount, NULL };

    const qvTexture texture = { .name = texturePath, .path = texturePath, .mimeType = "" };
    const qvMaterial material = {
        .name = "texture", .baseColor = { 1.0f, 1.0f, 1.0f, 1.0f }, .roughness = 0.5f, .doubleSided = true
    };
    const qvSubmeshDef submesh = { "", 0, def.faceCount };
    if (texturePath != NULL)
    {
        def.textureCount = def.materialCount = def.submeshCount = 1;
        def.textures = &texture;
        def.materials = &material;
        def.submeshes = &submesh;
    }
    return qvReadInput_CreateMesh(reader->input, &def, model, error);
}

static void FreeReader(Reader* reader)
{
    qvPlyHeader_Free(&reader->header);
    free(reader->positions);
    free(reader->normals);
    free(reader->uvs);
    free(reader->colors);
    free(reader->faceSizes.items);
    free(reader->corners.items);
    free(reader->cornerUvIndices.items);
    free(reader->cornerUvs.items);
    free(reader->indices.items);
    free(reader->texcoords.items);
}

static qvResult CreateMeshWithTexture(Reader* reader, qvModel* model, qvError* error)
{
    qvText file = reader->header.textureFile;
    char* path = strndup(file.start, (size_t)file.length);
    if (path == NULL)
        return NoMemory(reader, error);
    bool isInside = qvPath_IsInside(path);
    if (path[0] != 0 && !isInside)
        qvNotes_Add(reader->input->notes, "texture %.200s leaves the folder of the file and was left out", path);
    qvResult result = CreateMesh(reader, isInside ? path : NULL, model, error);
    free(path);
    return result;
}

static qvResult Read(const qvReadInput* input, qvModel* model, qvError* error)
{
    Reader reader = { .input = input };
    qvResult result = qvPlyHeader_Read(&reader.header, input, error);
    if (result == qv_ok)
        result = ReadElements(&reader, error);
    if (result == qv_ok)
        result = CreateMeshWithTexture(&reader, model, error);
    FreeReader(&reader);
    return result;
}

static bool Recognize(const char* data, size_t size)
{
    return size > 4 && memcmp(data, "ply", 3) == 0 && (data[3] == '\n' || data[3] == '\r' || data[3] == ' ');
}

const qvFormat qvFormatPly = {
    .info = { "ply", "Stanford PLY", "ply", true, true },
    .recognize = Recognize,
    .read = Read,
    .write = qvWritePly,
};
