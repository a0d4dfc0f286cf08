// SPDX-License-Identifier: GPL-3.0-or-later
// Writes PLY files. Vertex colours become sRGB bytes, UVs at corners MeshLab's texcoord lists; normals and colours at
// corners have no place in the format and are left out.
#include "formats/ply.h"

#include "formats/little_endian.h"
#include "formats/srgb.h"

#include <math.h>
#include <string.h>

// One row of data: up to 8 floats, 4 bytes and a face.
typedef struct Row
{
    uint8_t bytes[80];
    int size;
} Row;

static void PutByte(Row* row, int value)
{
    row->bytes[row->size++] = (uint8_t)value;
}

static void PutUint32(Row* row, uint32_t value)
{
    qvLittle_PutUint32(row->bytes + row->size, value);
    row->size += 4;
}

static void PutFloat(Row* row, float value)
{
    qvLittle_PutFloat(row->bytes + row->size, value);
    row->size += 4;
}

static void PutColor(Row* row, qvColor color)
{
    const float channels[4] = { qvSrgb_FromLinear(color.r), qvSrgb_FromLinear(color.g), qvSrgb_FromLinear(color.b),
                                color.a };
    for (int i = 0; i < 4; i++)
        PutByte(row, (int)lrintf(255.0f * fminf(fmaxf(channels[i], 0.0f), 1.0f)));
}

// The texture of the first material, the only one that the format can name; "" when there is none.
static const char* TexturePath(const qvMesh* mesh)
{
    int texture = mesh->materialCount > 0 ? mesh->materials[0].texture : -1;
    const char* path = texture >= 0 ? mesh->textures[texture].path : "";
    return strpbrk(path, "\r\n") == NULL ? path : "";
}

static void WriteHeader(const qvMesh* mesh, bool hasNormals, FILE* stream)
{
    fputs("ply\nformat binary_little_endian 1.0\ncomment Quaver\n", stream);
    if (TexturePath(mesh)[0] != 0)
        fprintf(stream, "comment TextureFile %s\n", TexturePath(mesh));
    fprintf(stream, "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n", mesh->vertexCount);
    if (hasNormals)
        fputs("property float nx\nproperty float ny\nproperty float nz\n", stream);
    if (mesh->uvDomain == qv_domainVertex)
        fputs("property float s\nproperty float t\n", stream);
    if (mesh->colorDomain == qv_domainVertex)
        fputs("property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n", stream);
    fprintf(stream, "element face %d\nproperty list uchar int vertex_indices\n", mesh->triangleCount);
    if (mesh->uvDomain == qv_domainCorner)
        fputs("property list uchar float texcoord\n", stream);
    fputs("end_header\n", stream);
}

static void WriteVertex(const qvMesh* mesh, qvVec3f position, bool hasNormals, int vertex, FILE* stream)
{
    Row row = { .size = 0 };
    PutFloat(&row, position.x);
    PutFloat(&row, position.y);
    PutFloat(&row, position.z);
    if (hasNormals)
    {
        PutFloat(&row, mesh->normals[vertex].x);
        PutFloat(&row, mesh->normals[vertex].y);
        PutFloat(&row, mesh->normals[vertex].z);
    }
    if (mesh->uvDomain == qv_domainVertex)
    {
        PutFloat(&row, mesh->uvs[vertex].x);
        PutFloat(&row, mesh->uvs[vertex].y);
    }
    if (mesh->colorDomain == qv_domainVertex)
        PutColor(&row, mesh->colors[vertex]);
    fwrite(row.bytes, 1, (size_t)row.size, stream);
}

static void WriteFace(const qvMesh* mesh, int triangle, FILE* stream)
{
    Row row = { .size = 0 };
    PutByte(&row, 3);
    for (int i = 0; i < 3; i++)
        PutUint32(&row, (uint32_t)mesh->triangles[triangle].v[i]);
    if (mesh->uvDomain == qv_domainCorner)
    {
        PutByte(&row, 6);
        for (int i = 0; i < 3; i++)
        {
            PutFloat(&row, mesh->uvs[3 * triangle + i].x);
            PutFloat(&row, mesh->uvs[3 * triangle + i].y);
        }
    }
    fwrite(row.bytes, 1, (size_t)row.size, stream);
}

static void WriteMesh(const qvMesh* mesh, const qvVec3f* positions, FILE* stream)
{
    bool hasNormals = mesh->normalDomain == qv_domainVertex && positions == mesh->positions;
    WriteHeader(mesh, hasNormals, stream);
    for (int i = 0; i < mesh->vertexCount; i++)
        WriteVertex(mesh, positions[i], hasNormals, i, stream);
    for (int i = 0; i < mesh->triangleCount; i++)
        WriteFace(mesh, i, stream);
}

qvResult qvWritePly(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error)
{
    (void)error;
    WriteMesh(model->mesh, positions, files->writers[0].stream);
    return qv_ok;
}

qvResult qvAddPly(const qvModel* model, const qvVec3f* positions, const char* path, const char* common,
                  qvFileSet* files, qvError* error)
{
    (void)common;
    FILE* stream = NULL;
    qvResult result = qvFileSet_Add(files, path, &stream, error);
    if (result != qv_ok)
        return result;
    WriteMesh(model->mesh, positions, stream);
    return qvFileSet_Close(files, files->count - 1, error);
}

double qvEstimatePly(const qvMesh* mesh)
{
    double vertex = 12.0 + (mesh->uvDomain == qv_domainVertex ? 8.0 : 0.0);
    vertex += mesh->colorDomain == qv_domainVertex ? 4.0 : 0.0;
    double face = 13.0 + (mesh->uvDomain == qv_domainCorner ? 25.0 : 0.0);
    return vertex * mesh->vertexCount + face * mesh->triangleCount;
}
