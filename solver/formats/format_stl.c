// SPDX-License-Identifier: GPL-3.0-or-later
// STL, ASCII and binary. The mesh has three vertices per facet, as the file has; welding makes a surface of them. Facet
// normals and colours are ignored: normals follow from the shape, and many files have wrong ones or zeros. Each solid
// of an ASCII file becomes a submesh.
#include "formats/format.h"

#include "base/memory.h"
#include "formats/little_endian.h"
#include "formats/names.h"
#include "formats/scan.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    HEADER_SIZE = 84, // 80 bytes of anything, then the number of triangles
    FACET_SIZE = 50   // normal, three vertices, two bytes
};

static qvResult CreateSoup(const qvReadInput* input, const qvVec3f* vertices, int triangleCount,
                           const qvSubmeshDef* submeshes, int submeshCount, qvModel* model, qvError* error)
{
    int32_t* corners = qvAllocateRaw(3 * (size_t)triangleCount, sizeof(*corners));
    if (corners == NULL)
        return qvError_OutOfMemory(error, 12.0 * triangleCount);
    for (int i = 0; i < 3 * triangleCount; i++)
        corners[i] = i;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 3 * triangleCount;
    def.positions = vertices;
    def.faceCount = triangleCount;
    def.corners = corners;
    def.submeshCount = submeshCount;
    def.submeshes = submeshes;
    qvResult result = qvReadInput_CreateMesh(input, &def, model, error);
    free(corners);
    return result;
}

// --- Binary ----------------------------------------------------------------------------------------------------------

static qvResult ReadFacets(const char* data, int triangleCount, qvVec3f* vertices, qvError* error)
{
    for (int i = 0; i < 3 * triangleCount; i++)
    {
        size_t offset = HEADER_SIZE + (size_t)(i / 3) * FACET_SIZE + 12 * (size_t)(1 + i % 3);
        const char* at = data + offset;
        vertices[i] = (qvVec3f){ qvLittle_GetFloat(at), qvLittle_GetFloat(at + 4), qvLittle_GetFloat(at + 8) };
        if (!isfinite(vertices[i].x) || !isfinite(vertices[i].y) || !isfinite(vertices[i].z))
            return qvError_Set(error, qv_badInput,
                               "byte %zu: triangle %d has a position that is not finite; export it again", offset,
                               i / 3);
    }
    return qv_ok;
}

static qvResult ReadBinary(const qvReadInput* input, qvModel* model, qvError* error)
{
    if (input->size < HEADER_SIZE)
        return qvError_Set(error, qv_badInput, "byte %zu: too short for an STL file, which has at least %d bytes",
                           input->size, HEADER_SIZE);
    uint32_t said = qvLittle_GetUint32(input->data + 80);
    size_t held = (input->size - HEADER_SIZE) / FACET_SIZE;
    if (said > held)
        return qvError_Set(error, qv_badInput,
                           "byte 80: says %u triangles, but the file has room for %zu; it is truncated or no STL file",
                           said, held);
    if (said == 0)
        return qvError_Set(error, qv_badInput, "byte 80: says 0 triangles; export it again");
    if (input->size != HEADER_SIZE + (size_t)said * FACET_SIZE)
        qvNotes_Add(input->notes, "byte %zu: ignored what follows the last triangle",
                    HEADER_SIZE + (size_t)said * FACET_SIZE);
    qvVec3f* vertices = qvAllocateRaw(3 * (size_t)said, sizeof(*vertices));
    if (vertices == NULL)
        return qvError_OutOfMemory(error, 36.0 * said);
    qvResult result = ReadFacets(input->data, (int)said, vertices, error);
    if (result == qv_ok)
        result = CreateSoup(input, vertices, (int)said, NULL, 0, model, error);
    free(vertices);
    return result;
}

// --- ASCII -----------------------------------------------------------------------------------------------------------

typedef struct Solids
{
    qvScan scan;
    QV_ARRAY(qvVec3f) vertices;
    QV_ARRAY(qvSubmeshDef) submeshes;
    qvNames names;
    bool isOpen; ///< between solid and endsolid
} Solids;

static qvResult Expect(Solids* solids, const char* wanted, qvError* error)
{
    qvScan_SkipSpace(&solids->scan);
    qvText word = qvScan_Word(&solids->scan);
    if (word.length == 0)
        return qvScan_Fail(&solids->scan, error, "the file ends where \"%s\" should be; it is truncated", wanted);
    if (!qvText_IsNoCase(word, wanted))
        return qvScan_Fail(&solids->scan, error, "\"%.*s\" where \"%s\" should be", QV_TEXT_ARGS(word), wanted);
    return qv_ok;
}

static qvResult ReadVertex(Solids* solids, qvError* error)
{
    qvResult result = Expect(solids, "vertex", error);
    if (result != qv_ok)
        return result;
    float n[3];
    for (int i = 0; i < 3; i++)
    {
        if (!qvScan_Float(&solids->scan, &n[i]))
        {
            qvText word = qvScan_Word(&solids->scan);
            if (word.length == 0)
                return qvScan_Fail(&solids->scan, error, "vertex has too few numbers");
            return qvScan_Fail(&solids->scan, error, "vertex has \"%.*s\" where a number should be",
                               QV_TEXT_ARGS(word));
        }
        if (!isfinite(n[i]))
            return qvScan_Fail(&solids->scan, error, "vertex is not a finite number; export it again");
    }
    qvVec3f position = { n[0], n[1], n[2] };
    return QV_PUSH(solids->vertices, position) ? qv_ok : qvError_OutOfMemory(error, 12.0 * solids->vertices.count);
}

// After "facet": "normal x y z", of which nothing is needed.
static void SkipNormal(qvScan* scan)
{
    for (int i = 0; i < 4; i++)
    {
        qvScan ahead = *scan;
        qvScan_SkipSpace(&ahead);
        if (qvText_IsNoCase(qvScan_Word(&ahead), "outer"))
            return;
        *scan = ahead;
    }
}

// After "facet": the normal, "outer loop", three vertices, "endloop", "endfacet", on lines of their own or not.
static qvResult ReadFacet(Solids* solids, qvError* error)
{
    SkipNormal(&solids->scan);
    qvResult result = Expect(solids, "outer", error);
    if (result == qv_ok)
        result = Expect(solids, "loop", error);
    for (int i = 0; i < 3 && result == qv_ok; i++)
        result = ReadVertex(solids, error);
    if (result == qv_ok)
        result = Expect(solids, "endloop", error);
    if (result == qv_ok)
        result = Expect(solids, "endfacet", error);
    if (result == qv_ok)
        solids->submeshes.items[solids->submeshes.count - 1].faceCount++;
    return result;
}

static qvResult BeginSolid(Solids* solids, qvError* error)
{
    if (solids->isOpen)
        return qvScan_Fail(&solids->scan, error, "\"solid\" before the \"endsolid\" of the last one");
    qvText text = qvScan_RestOfLine(&solids->scan);
    int number = qvNames_Add(&solids->names, text.start, text.length);
    if (number < 0)
        return qvError_OutOfMemory(error, text.length);
    qvSubmeshDef submesh = { solids->names.list.items[number], -1, 0 };
    solids->isOpen = true;
    return QV_PUSH(solids->submeshes, submesh) ? qv_ok : qvError_OutOfMemory(error, sizeof(submesh));
}

static qvResult ReadSolids(Solids* solids, qvError* error)
{
    for (;;)
    {
        qvScan_SkipSpace(&solids->scan);
        qvText word = qvScan_Word(&solids->scan);
        qvResult result = qv_ok;
        if (word.length == 0)
            break;
        if (qvText_IsNoCase(word, "solid"))
            result = BeginSolid(solids, error);
        else if (!solids->isOpen)
            return qvScan_Fail(&solids->scan, error, "\"%.*s\" where \"solid\" should be", QV_TEXT_ARGS(word));
        else if (qvText_IsNoCase(word, "facet"))
            result = ReadFacet(solids, error);
        else if (qvText_IsNoCase(word, "endsolid"))
        {
            solids->isOpen = false;
            qvScan_NextLine(&solids->scan);
        }
        else
            return qvScan_Fail(&solids->scan, error, "\"%.*s\" where \"facet\" or \"endsolid\" should be",
                               QV_TEXT_ARGS(word));
        if (result != qv_ok)
            return result;
    }
    if (solids->isOpen)
        return qvScan_Fail(&solids->scan, error, "the file ends without \"endsolid\"; it is truncated");
    if (solids->vertices.count == 0)
        return qvScan_Fail(&solids->scan, error, "the file has no facet");
    return qv_ok;
}

static qvResult ReadAscii(const qvReadInput* input, qvModel* model, qvError* error)
{
    qvArena* arena = qvCreateArena();
    if (arena == NULL)
        return qvError_OutOfMemory(error, (double)input->size);
    Solids solids = { .scan = qvMakeScan(input->data, input->size), .names.arena = arena };
    qvResult result = ReadSolids(&solids, error);
    if (result == qv_ok)
        result = CreateSoup(input, solids.vertices.items, solids.vertices.count / 3, solids.submeshes.items,
                            solids.submeshes.count, model, error);
    free(solids.vertices.items);
    free(solids.submeshes.items);
    qvNames_Free(&solids.names);
    qvDestroyArena(arena);
    return result;
}

// --- Which of the two -----------------------------------------------------------------------------------------------

// Exporters begin binary files with "solid" too, so that the size decides first.
static bool HasBinarySize(const char* data, size_t size)
{
    return size > HEADER_SIZE && size == HEADER_SIZE + (uint64_t)qvLittle_GetUint32(data + 80) * FACET_SIZE;
}

static bool IsText(const char* data, size_t size)
{
    qvScan scan = qvMakeScan(data, size);
    qvScan_SkipSpace(&scan);
    if (!qvText_IsNoCase(qvScan_Word(&scan), "solid"))
        return false;
    qvScan_NextLine(&scan);
    qvScan_SkipSpace(&scan);
    qvText next = qvScan_Word(&scan);
    return qvText_IsNoCase(next, "facet") || qvText_IsNoCase(next, "endsolid") ||
           memchr(data, 0, size < 1024 ? size : 1024) == NULL;
}

static bool Recognize(const char* data, size_t size)
{
    return HasBinarySize(data, size) || IsText(data, size);
}

static qvResult Read(const qvReadInput* input, qvModel* model, qvError* error)
{
    bool isAscii = !HasBinarySize(input->data, input->size) && IsText(input->data, input->size);
    return isAscii ? ReadAscii(input, model, error) : ReadBinary(input, model, error);
}

// --- Writing --------------------------------------------------------------------------------------------------------

static void PutVector(uint8_t* to, qvVec3f v)
{
    qvLittle_PutFloat(to, v.x);
    qvLittle_PutFloat(to + 4, v.y);
    qvLittle_PutFloat(to + 8, v.z);
}

static qvResult Write(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error)
{
    FILE* stream = files->writers[0].stream;
    (void)error;
    const qvMesh* mesh = model->mesh;
    uint8_t header[HEADER_SIZE] = "Quaver binary STL";
    qvLittle_PutUint32(header + 80, (uint32_t)mesh->triangleCount);
    fwrite(header, 1, sizeof(header), stream);
    for (int i = 0; i < mesh->triangleCount; i++)
    {
        qvVec3f v[3];
        for (int k = 0; k < 3; k++)
            v[k] = positions[mesh->triangles[i].v[k]];
        qvVec3 a = qvVec3_FromFloat(v[0]);
        qvVec3 normal = qvNormalize(qvCross(qvSub(qvVec3_FromFloat(v[1]), a), qvSub(qvVec3_FromFloat(v[2]), a)));
        uint8_t facet[FACET_SIZE] = { 0 };
        PutVector(facet, qvVec3_ToFloat(normal));
        for (int k = 0; k < 3; k++)
            PutVector(facet + 12 * (1 + k), v[k]);
        fwrite(facet, 1, sizeof(facet), stream);
    }
    return qv_ok;
}

const qvFormat qvFormatStl = {
    .info = { "stl", "Stereolithography STL", "stl", true, true },
    .recognize = Recognize,
    .read = Read,
    .write = Write,
};
