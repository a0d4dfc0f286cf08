// SPDX-License-Identifier: GPL-3.0-or-later
// Wavefront OBJ. The mesh's vertices are the file's v lines in their order. Groups, objects and materials make
// submeshes; smoothing groups are ignored, because normals come from the file or from the shape. Curves, surfaces,
// points and lines are skipped with a note.
#include "formats/obj.h"

#include "formats/srgb.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Indices may point forward, so that they can be checked at the end only: the largest one and where it was.
typedef struct Reach
{
    int index; ///< -1: none points forward
    int line;
} Reach;

// One entry per corner in each of the three arrays; -1 where a corner has no UV or normal.
typedef struct Corners
{
    int32_t *positions, *uvs, *normals;
    int count, capacity;
} Corners;

typedef struct Skipped
{
    int count;
    int line; ///< of the first one
    qvText word;
} Skipped;

typedef struct Reader
{
    qvScan scan;
    const qvReadInput* input;
    QV_ARRAY(qvVec3f) positions;
    QV_ARRAY(qvColor) colors; ///< empty, or as many as positions
    QV_ARRAY(qvVec2f) uvs;
    QV_ARRAY(qvVec3f) normals;
    Corners corners;
    QV_ARRAY(int32_t) faceSizes;
    Reach positionReach, uvReach, normalReach;
    QV_ARRAY(qvSubmeshDef) submeshes;
    qvNames groupNames;
    const char *object, *group;
    int material;
    qvObjMaterials materials;
    Skipped elements, unknown, smallFaces, badUvs;
} Reader;

static qvResult NoMemory(const Reader* reader, qvError* error)
{
    return qvError_OutOfMemory(error, 2.0 * (double)reader->input->size);
}

static void CountSkipped(Reader* reader, Skipped* skipped, qvText word)
{
    if (skipped->count++ == 0)
        *skipped = (Skipped){ 1, reader->scan.line, word };
}

// Numbers up to the end of the line or a comment. Returns how many (the rest is not read), or -1 for something else.
static int ScanNumbers(Reader* reader, float* numbers, int capacity)
{
    qvScan* scan = &reader->scan;
    for (int count = 0; count < capacity; count++)
    {
        qvScan_SkipBlanks(scan);
        if (qvScan_AtLineEnd(scan) || *scan->at == '#')
            return count;
        if (!qvScan_Float(scan, &numbers[count]))
            return -1;
    }
    return capacity;
}

static qvResult FailNumbers(Reader* reader, const char* what, qvError* error)
{
    qvScan_SkipBlanks(&reader->scan);
    if (qvScan_AtLineEnd(&reader->scan))
        return qvScan_Fail(&reader->scan, error, "%s has too few numbers", what);
    qvText word = qvScan_Word(&reader->scan);
    return qvScan_Fail(&reader->scan, error, "%s has \"%.*s\" where a number should be", what, QV_TEXT_ARGS(word));
}

// Colours begin anywhere in the file; the vertices before are white.
static bool AddColor(Reader* reader, const float* rgb, float alpha)
{
    const qvColor white = { 1.0f, 1.0f, 1.0f, 1.0f };
    while (reader->colors.count < reader->positions.count - 1)
    {
        if (!QV_PUSH(reader->colors, white))
            return false;
    }
    if (rgb == NULL)
        return QV_PUSH(reader->colors, white);
    qvColor color = { qvSrgb_ToLinear(rgb[0]), qvSrgb_ToLinear(rgb[1]), qvSrgb_ToLinear(rgb[2]), alpha };
    return QV_PUSH(reader->colors, color);
}

// v x y z, v x y z w, v x y z r g b, v x y z r g b a. The weight w is for curves.
static qvResult ReadPosition(Reader* reader, qvText word, qvError* error)
{
    (void)word;
    float n[7];
    int count = ScanNumbers(reader, n, 7);
    if (count < 3)
        return FailNumbers(reader, "vertex", error);
    if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]))
        return qvScan_Fail(&reader->scan, error, "vertex %d is not a finite number; export it again",
                           reader->positions.count + 1);
    qvVec3f position = { n[0], n[1], n[2] };
    if (!QV_PUSH(reader->positions, position))
        return NoMemory(reader, error);
    bool hasColor = count >= 6;
    float alpha = count == 7 ? fminf(fmaxf(n[6], 0.0f), 1.0f) : 1.0f;
    if ((hasColor || reader->colors.count > 0) && !AddColor(reader, hasColor ? n + 3 : NULL, alpha))
        return NoMemory(reader, error);
    return qv_ok;
}

static qvResult ReadUv(Reader* reader, qvText word, qvError* error)
{
    float n[2] = { 0.0f, 0.0f };
    if (ScanNumbers(reader, n, 2) < 1)
        return FailNumbers(reader, "texture coordinate", error);
    qvVec2f uv = { n[0], n[1] };
    if (!isfinite(uv.x) || !isfinite(uv.y))
    {
        CountSkipped(reader, &reader->badUvs, word);
        uv = (qvVec2f){ 0.0f, 0.0f };
    }
    return QV_PUSH(reader->uvs, uv) ? qv_ok : NoMemory(reader, error);
}

// Lengths and what is not finite are the mesh's concern.
static qvResult ReadNormal(Reader* reader, qvText word, qvError* error)
{
    (void)word;
    float n[3];
    if (ScanNumbers(reader, n, 3) != 3)
        return FailNumbers(reader, "normal", error);
    qvVec3f normal = { n[0], n[1], n[2] };
    return QV_PUSH(reader->normals, normal) ? qv_ok : NoMemory(reader, error);
}

// A file's index (from 1, or backwards from -1) as one from 0.
static qvResult ScanIndex(Reader* reader, int count, Reach* reach, const char* what, int32_t* index, qvError* error)
{
    int64_t raw;
    if (!qvScan_Integer(&reader->scan, &raw))
    {
        qvText word = qvScan_Word(&reader->scan);
        return qvScan_Fail(&reader->scan, error, "face has \"%.*s\" where a number of a %s should be",
                           QV_TEXT_ARGS(word), what);
    }
    int64_t absolute = raw > 0 ? raw - 1 : count + raw;
    if (raw == 0 || absolute < 0 || absolute >= INT_MAX)
        return qvScan_Fail(&reader->scan, error, "face refers to %s %lld, but there are %d so far", what,
                           (long long)raw, count);
    if (absolute >= count && absolute > reach->index)
        *reach = (Reach){ (int)absolute, reader->scan.line };
    *index = (int32_t)absolute;
    return qv_ok;
}

static bool GrowCorners(Corners* corners)
{
    int capacities[3] = { corners->capacity, corners->capacity, corners->capacity };
    bool grown = qvReserve(&corners->positions, &capacities[0], corners->count + 1, sizeof(*corners->positions)) &&
                 qvReserve(&corners->uvs, &capacities[1], corners->count + 1, sizeof(*corners->uvs)) &&
                 qvReserve(&corners->normals, &capacities[2], corners->count + 1, sizeof(*corners->normals));
    corners->capacity = grown ? capacities[0] : corners->capacity;
    return grown;
}

// v, v/vt, v//vn or v/vt/vn
static qvResult ReadCorner(Reader* reader, qvError* error)
{
    qvScan* scan = &reader->scan;
    Corners* corners = &reader->corners;
    if (corners->count == corners->capacity && !GrowCorners(corners))
        return NoMemory(reader, error);
    int32_t position, uv = -1, normal = -1;
    qvResult result = ScanIndex(reader, reader->positions.count, &reader->positionReach, "vertex", &position, error);
    if (result == qv_ok && *scan->at == '/')
    {
        scan->at++;
        if (*scan->at != '/' && !qvScan_IsBreak(scan, scan->at))
            result = ScanIndex(reader, reader->uvs.count, &reader->uvReach, "texture coordinate", &uv, error);
        if (result == qv_ok && *scan->at == '/')
        {
            scan->at++;
            if (!qvScan_IsBreak(scan, scan->at))
                result = ScanIndex(reader, reader->normals.count, &reader->normalReach, "normal", &normal, error);
        }
    }
    if (result != qv_ok)
        return result;
    if (!qvScan_IsBreak(scan, scan->at))
    {
        qvText tail = qvScan_Word(scan);
        return qvScan_Fail(scan, error, "face has a corner that ends in \"%.*s\"", QV_TEXT_ARGS(tail));
    }
    corners->positions[corners->count] = position;
    corners->uvs[corners->count] = uv;
    corners->normals[corners->count++] = normal;
    return qv_ok;
}

// Counts a face in the submesh of the current name and material.
static bool AddFace(Reader* reader, int cornerCount)
{
    const char* name = reader->group[0] != 0 ? reader->group : reader->object;
    int count = reader->submeshes.count;
    qvSubmeshDef* last = count > 0 ? &reader->submeshes.items[count - 1] : NULL;
    if (last == NULL || last->name != name || last->material != reader->material)
    {
        qvSubmeshDef fresh = { name, reader->material, 0 };
        if (!QV_PUSH(reader->submeshes, fresh))
            return false;
        last = &reader->submeshes.items[count];
    }
    last->faceCount++;
    return QV_PUSH(reader->faceSizes, cornerCount);
}

static qvResult ReadFace(Reader* reader, qvText word, qvError* error)
{
    int first = reader->corners.count;
    for (;;)
    {
        qvScan_SkipBlanks(&reader->scan);
        if (qvScan_AtLineEnd(&reader->scan) || *reader->scan.at == '#')
            break;
        qvResult result = ReadCorner(reader, error);
        if (result != qv_ok)
            return result;
    }
    int cornerCount = reader->corners.count - first;
    if (cornerCount < 3)
    {
        reader->corners.count = first;
        CountSkipped(reader, &reader->smallFaces, word);
        return qv_ok;
    }
    return AddFace(reader, cornerCount) ? qv_ok : NoMemory(reader, error);
}

// Names are interned, so that equal ones are equal pointers.
static const char* InternName(Reader* reader, qvText text)
{
    int number = qvNames_Add(&reader->groupNames, text.start, text.length);
    return number >= 0 ? reader->groupNames.list.items[number] : NULL;
}

static qvResult ReadGroup(Reader* reader, qvText word, qvError* error)
{
    const char* name = InternName(reader, qvScan_RestOfLine(&reader->scan));
    if (name == NULL)
        return NoMemory(reader, error);
    if (qvText_Is(word, "o"))
        reader->object = name;
    reader->group = qvText_Is(word, "g") ? name : reader->groupNames.list.items[0];
    return qv_ok;
}

static qvResult ReadMaterial(Reader* reader, qvText word, qvError* error)
{
    (void)word;
    qvText name = qvScan_RestOfLine(&reader->scan);
    reader->material = name.length > 0 ? qvObjMaterials_Find(&reader->materials, name) : -1;
    return name.length == 0 || reader->material >= 0 ? qv_ok : NoMemory(reader, error);
}

static qvResult ReadLibraries(Reader* reader, qvText word, qvError* error)
{
    (void)word;
    qvText names = qvScan_RestOfLine(&reader->scan);
    return names.length > 0 ? qvObjMaterials_ReadLibraries(&reader->materials, reader->input, names, error) : qv_ok;
}

static qvResult SkipSmoothing(Reader* reader, qvText word, qvError* error)
{
    (void)reader, (void)word, (void)error;
    return qv_ok;
}

static qvResult SkipElement(Reader* reader, qvText word, qvError* error)
{
    (void)error;
    CountSkipped(reader, &reader->elements, word);
    return qv_ok;
}

static qvResult ReadStatement(Reader* reader, qvError* error)
{
    static const struct
    {
        const char* word;
        qvResult (*read)(Reader* reader, qvText word, qvError* error);
    } statements[] = {
        { "v", ReadPosition },       { "f", ReadFace },    { "vt", ReadUv },     { "vn", ReadNormal },
        { "usemtl", ReadMaterial },  { "g", ReadGroup },   { "o", ReadGroup },   { "s", SkipSmoothing },
        { "mtllib", ReadLibraries }, { "l", SkipElement }, { "p", SkipElement }, { "fo", ReadFace },
    };
    qvText word = qvScan_Word(&reader->scan);
    if (word.length == 0)
        return qv_ok;
    if (word.start[0] == '#')
    {
        // A comment may end in a backslash without meaning it.
        qvScan_RestOfLine(&reader->scan);
        return qv_ok;
    }
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
    {
        if (qvText_Is(word, statements[i].word))
            return statements[i].read(reader, word, error);
    }
    CountSkipped(reader, &reader->unknown, word);
    return qv_ok;
}

static qvResult ReadStatements(Reader* reader, qvError* error)
{
    const qvReadInput* input = reader->input;
    for (int count = 1; reader->scan.at < reader->scan.end; count++)
    {
        qvResult result = ReadStatement(reader, error);
        if (result == qv_ok && count % 65536 == 0)
            result = qvJob_Progress(input->options->job, "reading",
                                    0.5 * (double)(reader->scan.at - input->data) / (double)input->size, error);
        if (result != qv_ok)
            return result;
        qvScan_NextLine(&reader->scan);
    }
    return qv_ok;
}

static qvResult CheckReach(const Reach* reach, int count, const char* what, qvError* error)
{
    if (reach->index < count)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "line %d: face refers to %s %d, but the file has %d", reach->line, what,
                       reach->index + 1, count);
}

static qvResult CheckFaces(const Reader* reader, qvError* error)
{
    qvResult result = CheckReach(&reader->positionReach, reader->positions.count, "vertex", error);
    if (result == qv_ok)
        result = CheckReach(&reader->uvReach, reader->uvs.count, "texture coordinate", error);
    if (result == qv_ok)
        result = CheckReach(&reader->normalReach, reader->normals.count, "normal", error);
    if (result == qv_ok && reader->faceSizes.count == 0)
        return qvScan_Fail(&reader->scan, error, "the file ends without a face; it needs \"f\" lines");
    return result;
}

static void AddNotes(Reader* reader)
{
    qvNotes* notes = reader->input->notes;
    const Skipped* unknown = &reader->unknown;
    if (reader->elements.count > 0)
        qvNotes_Add(notes, "line %d: points and lines are not read; skipped %d statements", reader->elements.line,
                    reader->elements.count);
    if (unknown->count > 0)
        qvNotes_Add(notes, "line %d: \"%.*s\" is not read; skipped %d statements of this or other kinds", unknown->line,
                    QV_TEXT_ARGS(unknown->word), unknown->count);
    if (reader->smallFaces.count > 0)
        qvNotes_Add(notes, "line %d: skipped %d faces with fewer than three corners", reader->smallFaces.line,
                    reader->smallFaces.count);
    if (reader->badUvs.count > 0)
        qvNotes_Add(notes, "line %d: replaced %d texture coordinates that are not finite by 0", reader->badUvs.line,
                    reader->badUvs.count);
    qvObjMaterials_NoteMissing(&reader->materials, notes);
}

// Files whose corners all use the number of their vertex have values per vertex.
static qvAttributeDef MakeAttribute(const Reader* reader, const void* values, int count, const int32_t* indices)
{
    if (count == 0)
        return (qvAttributeDef){ 0 };
    size_t size = (size_t)reader->corners.count * sizeof(*indices);
    bool isPerVertex = count == reader->positions.count && memcmp(indices, reader->corners.positions, size) == 0;
    return (qvAttributeDef){ values, count, isPerVertex ? NULL : indices };
}

static qvResult CreateMesh(Reader* reader, qvModel* model, qvError* error)
{
    const qvObjMaterials* materials = &reader->materials;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = reader->positions.count;
    def.positions = reader->positions.items;
    def.faceCount = reader->faceSizes.count;
    def.faceSizes = reader->faceSizes.items;
    def.corners = reader->corners.positions;
    def.uvs = MakeAttribute(reader, reader->uvs.items, reader->uvs.count, reader->corners.uvs);
    def.normals = MakeAttribute(reader, reader->normals.items, reader->normals.count, reader->corners.normals);
    if (reader->colors.count > 0)
        def.colors = (qvAttributeDef){ &reader->colors.items->r, reader->colors.count, NULL };
    def.submeshCount = reader->submeshes.count;
    def.submeshes = reader->submeshes.items;
    def.materialCount = materials->list.count;
    def.materials = materials->list.items;
    def.textureCount = materials->texturePaths.list.count;
    def.textures = qvObjMaterials_Textures(materials);
    if (def.textures == NULL)
        return NoMemory(reader, error);
    return qvReadInput_CreateMesh(reader->input, &def, model, error);
}

static void FreeReader(Reader* reader)
{
    free(reader->positions.items);
    free(reader->colors.items);
    free(reader->uvs.items);
    free(reader->normals.items);
    free(reader->corners.positions);
    free(reader->corners.uvs);
    free(reader->corners.normals);
    free(reader->faceSizes.items);
    free(reader->submeshes.items);
    qvNames_Free(&reader->groupNames);
    qvObjMaterials_Free(&reader->materials);
}

static qvResult ReadWithArena(const qvReadInput* input, qvArena* arena, qvModel* model, qvError* error)
{
    Reader reader = { .scan = qvMakeScan(input->data, input->size),
                      .input = input,
                      .positionReach.index = -1,
                      .uvReach.index = -1,
                      .normalReach.index = -1,
                      .material = -1,
                      .groupNames.arena = arena,
                      .materials.names.arena = arena,
                      .materials.texturePaths.arena = arena,
                      .materials.libraries.arena = arena };
    reader.scan.joinsLines = true;
    reader.object = reader.group = InternName(&reader, (qvText){ "", 0 });
    qvResult result = reader.group != NULL ? ReadStatements(&reader, error) : NoMemory(&reader, error);
    if (result == qv_ok)
        result = CheckFaces(&reader, error);
    if (result == qv_ok)
    {
        AddNotes(&reader);
        result = CreateMesh(&reader, model, error);
    }
    FreeReader(&reader);
    return result;
}

static qvResult Read(const qvReadInput* input, qvModel* model, qvError* error)
{
    qvArena* arena = qvCreateArena();
    if (arena == NULL)
        return qvError_OutOfMemory(error, (double)input->size);
    qvResult result = ReadWithArena(input, arena, model, error);
    qvDestroyArena(arena);
    return result;
}

// The first statements say it: after comments comes one of a few words. Lines are looked at up to a limit, because a
// comment block can be long but a recogniser should not read a whole file.
static bool Recognize(const char* data, size_t size)
{
    static const char* const words[] = { "v", "vt", "vn", "f", "g", "o", "s", "mtllib", "usemtl" };
    qvScan scan = qvMakeScan(data, size);
    for (int line = 0; line < 1000 && scan.at < scan.end; line++)
    {
        qvText word = qvScan_Word(&scan);
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        {
            if (qvText_Is(word, words[i]))
                return true;
        }
        if (word.length > 0 && word.start[0] != '#')
            return false;
        qvScan_NextLine(&scan);
    }
    return false;
}

const qvFormat qvFormatObj = {
    .info = { "obj", "Wavefront OBJ", "obj", true, true },
    .recognize = Recognize,
    .read = Read,
    .write = qvWriteObj,
};
