// SPDX-License-Identifier: GPL-3.0-or-later
// glTF 2.0 (Khronos Group, 2021; ISO/IEC 12113:2022) to a mesh. Its vertices are those of all primitives of all nodes
// of the default scene, in the order of the nodes and primitives in the file, in world space. Neighbouring primitives
// of a mesh that share all attributes share their vertices here too. The rest positions are what a viewer shows before
// any animation plays: nodes at their own transforms, morph targets at their default weights, skins posed by their
// joints.
#include "formats/gltf.h"

#include "math/affine.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reader
{
    const qvReadInput* input;
    qvGltf* gltf;
    qvRig* rig;
    qvArena* arena;              // what is needed until the mesh is made
    int* firstPrimitive;         // per mesh: where its primitives are, -1 while unread
    qvGltfPrimitive* primitives; // of all meshes that the scene uses
    int primitiveCount;
    bool* inScene;                     // per node
    const qvGltfPrimitive** pieceData; // per piece
    qvRigState rest;
} Reader;

// --- Meshes and parts --------------------------------------------------------------------------------------------

static const qvJson* Primitives(const Reader* reader, int mesh)
{
    return qvJson_Find(reader->gltf->meshes.items[mesh], "primitives");
}

// The mesh of a node in the scene, or -1. The indices were checked when the nodes were read.
static int MeshOf(const Reader* reader, int node)
{
    const qvJson* mesh = qvJson_Find(reader->gltf->nodes.items[node], "mesh");
    return reader->inScene[node] && mesh != NULL ? (int)qvJson_Number(mesh) : -1;
}

// Rooms for all primitives of used meshes and for all their appearances.
static qvResult Prepare(Reader* reader, qvError* error)
{
    qvGltf* gltf = reader->gltf;
    size_t meshCount = (size_t)gltf->meshes.count, primitives = 0, pieces = 0;
    int* counts;
    qvResult result = qvGltf_Allocate(gltf, reader->arena, meshCount, sizeof(int), "meshes", &counts, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, reader->arena, meshCount, sizeof(int), "meshes", &reader->firstPrimitive, error);
    if (result != qv_ok)
        return result;
    for (size_t i = 0; i < meshCount; i++)
    {
        counts[i] = qvJson_Count(Primitives(reader, (int)i));
        primitives += (size_t)counts[i];
        reader->firstPrimitive[i] = -1;
    }
    for (int i = 0; i < gltf->nodes.count; i++)
        pieces += MeshOf(reader, i) >= 0 ? (size_t)counts[MeshOf(reader, i)] : 0;
    result =
        qvGltf_Allocate(gltf, reader->arena, primitives, sizeof(qvGltfPrimitive), "meshes", &reader->primitives, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, reader->rig->arena, primitives, sizeof(qvRigGeometry), "meshes",
                                 &reader->rig->geometries, error);
    if (result == qv_ok)
        result =
            qvGltf_AllocateForScene(gltf, reader->rig->arena, pieces, sizeof(qvRigPart), &reader->rig->parts, error);
    if (result == qv_ok)
        result = qvGltf_AllocateForScene(gltf, reader->arena, pieces, sizeof(void*), &reader->pieceData, error);
    return result;
}

static qvResult ReadMesh(Reader* reader, int mesh, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "meshes[%d]", mesh);
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(reader->gltf->meshes.items[mesh], place, "primitives", &array, error);
    reader->firstPrimitive[mesh] = reader->primitiveCount;
    const qvJson* previous = NULL;
    int index = 0;
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item), index++)
    {
        snprintf(place, sizeof(place), "meshes[%d].primitives[%d]", mesh, index);
        qvGltfPrimitive* primitive = &reader->primitives[reader->primitiveCount];
        result = qvGltf_ReadPrimitive(reader->gltf, reader->rig, reader->arena, item, place, previous,
                                      previous != NULL ? primitive - 1 : NULL, reader->input->notes, primitive, error);
        reader->primitiveCount++;
        previous = item;
    }
    return result;
}

// The skin of a node, if it moves this geometry; its joints must exist.
static qvResult FindSkin(const Reader* reader, int node, const qvRigGeometry* geometry, int* skin, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "nodes[%d]", node);
    *skin = -1;
    const qvRig* rig = reader->rig;
    qvResult result = qvJson_ReadInt(reader->gltf->nodes.items[node], place, "skin", 0, 0x7fffffff, skin, error);
    if (result != qv_ok || *skin < 0)
        return result;
    if (*skin >= rig->skinCount)
        return qvError_Set(error, qv_badInput, "%s.skin: there is no skins[%d]", place, *skin);
    size_t count = (size_t)geometry->vertexCount * (size_t)geometry->influenceCount;
    for (size_t i = 0; i < count; i++)
    {
        if (geometry->joints[i] >= rig->skins[*skin].jointCount)
            return qvError_Set(error, qv_badInput, "%s.skin: a vertex follows joint %d, but skins[%d] has %d joints",
                               place, geometry->joints[i], *skin, rig->skins[*skin].jointCount);
    }
    if (geometry->influenceCount == 0)
        *skin = -1;
    return qv_ok;
}

static qvResult AddPart(Reader* reader, int node, int geometry, qvError* error)
{
    qvRig* rig = reader->rig;
    const qvRigGeometry* vertices = &rig->geometries[geometry];
    if (vertices->targetCount != rig->nodes[node].weightCount)
        return qvError_Set(error, qv_badInput,
                           "nodes[%d].mesh: its primitives have different numbers of morph targets, %d and %d", node,
                           rig->nodes[node].weightCount, vertices->targetCount);
    if (vertices->vertexCount > QV_GLTF_MAX_VERTICES - rig->vertexCount)
        return qvError_Set(error, qv_badInput, "nodes[%d].mesh: the scene has more than %d vertices", node,
                           QV_GLTF_MAX_VERTICES);
    qvRigPart part = { .node = node, .geometry = geometry, .firstVertex = rig->vertexCount };
    qvResult result = FindSkin(reader, node, vertices, &part.skin, error);
    rig->vertexCount += vertices->vertexCount;
    rig->parts[rig->partCount++] = part;
    return result;
}

static qvResult AddNode(Reader* reader, int node, int mesh, qvError* error)
{
    qvGltf* gltf = reader->gltf;
    qvResult result = reader->firstPrimitive[mesh] < 0 ? ReadMesh(reader, mesh, error) : qv_ok;
    int count = qvJson_Count(Primitives(reader, mesh));
    for (int i = 0; i < count && result == qv_ok; i++)
    {
        const qvGltfPrimitive* primitive = &reader->primitives[reader->firstPrimitive[mesh] + i];
        if (primitive->geometry < 0)
            continue;
        if (!primitive->sharesVertices)
            result = AddPart(reader, node, primitive->geometry, error);
        if (!qvReserve(&gltf->pieces, &gltf->pieceCapacity, gltf->pieceCount + 1, sizeof(qvGltfPiece)))
            return qvError_OutOfMemory(error, (double)gltf->pieceCount * sizeof(qvGltfPiece));
        reader->pieceData[gltf->pieceCount] = primitive;
        gltf->pieces[gltf->pieceCount++] =
            (qvGltfPiece){ .node = node, .mesh = mesh, .primitive = i, .part = reader->rig->partCount - 1 };
    }
    return result;
}

static qvResult ReadScene(Reader* reader, qvError* error)
{
    qvGltf* gltf = reader->gltf;
    qvResult result = qvGltf_ReadNodes(gltf, reader->rig, error);
    if (result == qv_ok)
        result = qvGltf_ReadSkins(gltf, reader->rig, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, reader->arena, (size_t)gltf->nodes.count, sizeof(bool), "nodes",
                                 &reader->inScene, error);
    if (result == qv_ok)
        result = qvGltf_MarkScene(gltf, reader->rig, reader->input->notes, reader->inScene, error);
    if (result == qv_ok)
        result = Prepare(reader, error);
    for (int i = 0; i < gltf->nodes.count && result == qv_ok; i++)
    {
        int mesh = MeshOf(reader, i);
        if (mesh >= 0)
            result = AddNode(reader, i, mesh, error);
    }
    if (result == qv_ok)
        result = qvGltf_ReadAnimations(gltf, reader->rig, reader->input->notes, error);
    return result;
}

// --- The mesh ----------------------------------------------------------------------------------------------------

// Nodes, or joints, that mirror turn triangles inside out.
static void MarkMirrored(Reader* reader)
{
    for (int i = 0; i < reader->gltf->pieceCount; i++)
    {
        qvGltfPiece* piece = &reader->gltf->pieces[i];
        qvAffine map = qvRig_VertexMap(reader->rig, &reader->rest, &reader->rig->parts[piece->part], 0);
        piece->mirrored = qvAffine_Determinant(&map) < 0.0;
    }
}

static qvResult MakeTriangles(Reader* reader, qvMeshDef* def, qvError* error)
{
    qvGltf* gltf = reader->gltf;
    size_t count = 0;
    for (int i = 0; i < gltf->pieceCount; i++)
        count += (size_t)reader->pieceData[i]->triangleCount;
    if (count > QV_GLTF_MAX_TRIANGLES)
        return qvError_Set(error, qv_badInput, "nodes: the scene has %zu triangles, at most %d can be read", count,
                           QV_GLTF_MAX_TRIANGLES);
    if (count == 0)
        return qvError_Set(error, qv_badInput, "scenes: the default scene has no mesh with triangles");
    def->faceCount = (int)count;
    if (gltf->pieceCount == 1 && !gltf->pieces[0].mirrored)
    {
        def->corners = reader->pieceData[0]->triangles[0].v; // the common case needs no copy
        return qv_ok;
    }
    int32_t* corners;
    qvResult result = qvGltf_AllocateForScene(gltf, reader->arena, count, sizeof(qvTriangle), &corners, error);
    if (result != qv_ok)
        return result;
    def->corners = corners;
    for (int i = 0; i < gltf->pieceCount; i++)
    {
        const qvGltfPiece* piece = &gltf->pieces[i];
        int32_t first = reader->rig->parts[piece->part].firstVertex;
        for (int k = 0; k < reader->pieceData[i]->triangleCount; k++)
        {
            qvTriangle t = reader->pieceData[i]->triangles[k];
            *corners++ = first + t.v[0];
            *corners++ = first + t.v[piece->mirrored ? 2 : 1];
            *corners++ = first + t.v[piece->mirrored ? 1 : 2];
        }
    }
    return qv_ok;
}

static qvResult MakeSubmeshes(Reader* reader, qvMeshDef* def, qvError* error)
{
    qvGltf* gltf = reader->gltf;
    qvSubmeshDef* submeshes;
    qvResult result =
        qvGltf_AllocateForScene(gltf, reader->arena, (size_t)gltf->pieceCount, sizeof(qvSubmeshDef), &submeshes, error);
    def->submeshes = submeshes;
    def->submeshCount = gltf->pieceCount;
    for (int i = 0; i < gltf->pieceCount && result == qv_ok; i++)
    {
        const qvGltfPiece* piece = &gltf->pieces[i];
        const char* name = qvJson_Text(qvJson_Find(gltf->meshes.items[piece->mesh], "name"));
        name = name[0] != 0 ? name : qvJson_Text(qvJson_Find(gltf->nodes.items[piece->node], "name"));
        const qvGltfPrimitive* primitive = reader->pieceData[i];
        if (primitive->material >= def->materialCount)
            return qvError_Set(error, qv_badInput, "meshes[%d].primitives[%d].material: there is no materials[%d]",
                               piece->mesh, piece->primitive, primitive->material);
        submeshes[i] = (qvSubmeshDef){ name, primitive->material, primitive->triangleCount };
        void* counted; // the mesh keeps a copy of the name
        result = qvGltf_AllocateForScene(gltf, reader->arena, strlen(name), 1, &counted, error);
    }
    return result;
}

static void PlaceNormals(const Reader* reader, const qvRigPart* part, const float* normals, float* out)
{
    qvAffine map = { 0 };
    double sign = 1.0;
    int count = reader->rig->geometries[part->geometry].vertexCount;
    for (int i = 0; i < count; i++)
    {
        if (i == 0 || part->skin >= 0)
        {
            qvAffine vertex = qvRig_VertexMap(reader->rig, &reader->rest, part, i);
            map = qvAffine_Cofactors(&vertex);
            sign = qvAffine_Determinant(&vertex) < 0.0 ? -1.0 : 1.0;
        }
        const float* n = normals + 3 * (size_t)i;
        qvVec3 placed = qvNormalize(qvScale(sign, qvAffine_Vector(&map, qvMakeVec3(n[0], n[1], n[2]))));
        out[3 * (size_t)i] = (float)placed.x;
        out[3 * (size_t)i + 1] = (float)placed.y;
        out[3 * (size_t)i + 2] = (float)placed.z;
    }
}

// An attribute of the pieces; the offset of its pointer in qvGltfPrimitive names it.
static const float* PieceValues(const Reader* reader, int piece, size_t member)
{
    const float* values;
    memcpy(&values, (const char*)reader->pieceData[piece] + member, sizeof(values));
    return values;
}

// Room for an attribute of all vertices, filled with ones, when any piece has it.
static qvResult MakeAttribute(Reader* reader, size_t member, int width, qvAttributeDef* attribute, float** values,
                              bool* complete, qvError* error)
{
    *values = NULL;
    *complete = true;
    bool any = false;
    for (int i = 0; i < reader->gltf->pieceCount; i++)
    {
        bool has = PieceValues(reader, i, member) != NULL;
        any |= has;
        *complete &= has;
    }
    if (!any)
        return qv_ok;
    size_t count = (size_t)reader->rig->vertexCount;
    if (reader->gltf->pieceCount == 1)
    {
        memcpy(values, (const char*)reader->pieceData[0] + member, sizeof(*values)); // used in place
        *attribute = (qvAttributeDef){ .values = *values, .count = (int)count };
        return qv_ok;
    }
    qvResult result =
        qvGltf_AllocateForScene(reader->gltf, reader->arena, count, (size_t)width * sizeof(float), values, error);
    for (size_t i = 0; !*complete && result == qv_ok && i < count * (size_t)width; i++)
        (*values)[i] = 1.0f;
    *attribute = (qvAttributeDef){ .values = *values, .count = (int)count };
    return result;
}

static void CopyAttribute(const Reader* reader, size_t member, int width, float* values)
{
    for (int i = 0; values != NULL && i < reader->gltf->pieceCount; i++)
    {
        const float* from = PieceValues(reader, i, member);
        const qvRigPart* part = &reader->rig->parts[reader->gltf->pieces[i].part];
        size_t count = (size_t)reader->rig->geometries[part->geometry].vertexCount * (size_t)width;
        float* to = values + (size_t)part->firstVertex * (size_t)width;
        if (from != NULL && from != to && !reader->pieceData[i]->sharesVertices)
            memcpy(to, from, count * sizeof(float));
    }
}

// Corners of pieces without normals say so, so that these are not taken for bad ones.
static qvResult MarkMissingNormals(Reader* reader, qvMeshDef* def, qvError* error)
{
    int32_t* indices;
    qvResult result = qvGltf_AllocateForScene(reader->gltf, reader->arena, (size_t)def->faceCount, sizeof(qvTriangle),
                                              &indices, error);
    if (result != qv_ok)
        return result;
    size_t at = 0;
    for (int i = 0; i < reader->gltf->pieceCount; i++)
    {
        bool has = reader->pieceData[i]->normals != NULL;
        for (int k = 0; k < 3 * reader->pieceData[i]->triangleCount; k++, at++)
            indices[at] = has ? def->corners[at] : -1;
    }
    def->normals.indices = indices;
    return qv_ok;
}

static qvResult MakeAttributes(Reader* reader, qvMeshDef* def, qvError* error)
{
    float *normals, *uvs, *colors;
    bool allNormals, allUvs, allColors;
    const size_t normalMember = offsetof(qvGltfPrimitive, normals), uvMember = offsetof(qvGltfPrimitive, uvs),
                 colorMember = offsetof(qvGltfPrimitive, colors);
    qvResult result = MakeAttribute(reader, normalMember, 3, &def->normals, &normals, &allNormals, error);
    if (result == qv_ok)
        result = MakeAttribute(reader, uvMember, 2, &def->uvs, &uvs, &allUvs, error);
    if (result == qv_ok)
        result = MakeAttribute(reader, colorMember, 4, &def->colors, &colors, &allColors, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; normals != NULL && i < reader->gltf->pieceCount; i++)
    {
        const qvGltfPrimitive* primitive = reader->pieceData[i];
        const qvRigPart* part = &reader->rig->parts[reader->gltf->pieces[i].part];
        if (primitive->normals != NULL && !primitive->sharesVertices)
            PlaceNormals(reader, part, primitive->normals, normals + 3 * (size_t)part->firstVertex);
    }
    CopyAttribute(reader, uvMember, 2, uvs);
    CopyAttribute(reader, colorMember, 4, colors);
    return normals != NULL && !allNormals ? MarkMissingNormals(reader, def, error) : qv_ok;
}

static qvResult MakePositions(Reader* reader, qvMeshDef* def, qvError* error)
{
    qvRig* rig = reader->rig;
    qvVec3f* positions;
    void* scratch;
    qvResult result = qvGltf_AllocateForScene(reader->gltf, reader->arena, (size_t)rig->vertexCount, sizeof(qvVec3f),
                                              &positions, error);
    if (result == qv_ok)
        result = qvGltf_AllocateForScene(reader->gltf, reader->arena, qvRig_ScratchSize(rig), 1, &scratch, error);
    if (result != qv_ok)
        return result;
    reader->rest = qvRig_ComputeState(rig, -1, 0.0, scratch);
    for (int i = 0; i < rig->partCount; i++)
        qvRig_PosePart(rig, &reader->rest, &rig->parts[i], positions + rig->parts[i].firstVertex);
    def->vertexCount = rig->vertexCount;
    def->positions = positions;
    return qv_ok;
}

static qvResult MakeMesh(Reader* reader, qvModel* model, qvError* error)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.isFlat = true; // section 3.7.2.1
    qvResult result = MakePositions(reader, &def, error);
    if (result != qv_ok)
        return result;
    MarkMirrored(reader);
    result = MakeTriangles(reader, &def, error);
    if (result == qv_ok)
        result = MakeAttributes(reader, &def, error);
    if (result == qv_ok)
        result = qvGltf_ReadMaterials(reader->gltf, reader->arena, reader->input->notes, &def, error);
    if (result == qv_ok)
        result = MakeSubmeshes(reader, &def, error);
    if (result == qv_ok)
        result = qvReadInput_CreateMesh(reader->input, &def, model, error);
    if (result == qv_ok)
        result = qvGltf_MakeMorphs(reader->gltf, reader->rig, model, error);
    return result;
}

qvResult qvReadGltf(const qvReadInput* input, qvModel* model, qvError* error)
{
    qvResult result = qvOpenGltf(input, &model->source, error);
    if (result != qv_ok)
        return result;
    Reader reader = { .input = input, .gltf = model->source, .arena = qvCreateArena(), .rig = qvCreateRig() };
    if (reader.arena == NULL || reader.rig == NULL)
        result = qvError_OutOfMemory(error, sizeof(qvRig));
    if (result == qv_ok)
        result = ReadScene(&reader, error);
    if (result == qv_ok)
        result = MakeMesh(&reader, model, error);
    qvDestroyArena(reader.arena);
    bool moves = reader.rig != NULL && (reader.rig->skinCount > 0 || reader.rig->clipCount > 0);
    *(moves ? &model->rig : &model->source->staticRig) = reader.rig;
    return result;
}
