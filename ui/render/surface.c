// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/surface.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

// What a mesh without materials or colours looks like: warm clay, linear.
static const qvColor Clay = { 0.80f, 0.595f, 0.355f, 1.0f };

struct qvuiSurface
{
    qvuiSplit split;
    int cornerCount;
    qvVec3f* positions; // of the drawn vertices
    qvVec3f* normals;
    qvVec3f* groupNormals;
    qvBox bounds;
    unsigned int revision;

    GLuint arrays;
    GLuint positionBuffer, normalBuffer, colorBuffer, indexBuffer, edgeBuffer;
};

static void AddTo(qvVec3f* sum, float scale, qvVec3f v)
{
    sum->x += scale * v.x;
    sum->y += scale * v.y;
    sum->z += scale * v.z;
}

static qvVec3f Subtract(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x - b.x, a.y - b.y, a.z - b.z };
}

// Normals weighted by area: the cross product is twice the area long.
static void ComputeNormals(qvuiSurface* surface)
{
    const qvuiSplit* split = &surface->split;
    for (int i = 0; i < split->groupCount; i++)
        surface->groupNormals[i] = (qvVec3f){ 0 };
    for (int c = 0; c < surface->cornerCount; c += 3)
    {
        const uint32_t* v = split->corner + c;
        qvVec3f a = surface->positions[v[0]];
        qvVec3f e = Subtract(surface->positions[v[1]], a), f = Subtract(surface->positions[v[2]], a);
        qvVec3f n = { e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x };
        for (int k = 0; k < 3; k++)
            AddTo(&surface->groupNormals[split->group[v[k]]], 1.0f, n);
    }
    for (int i = 0; i < split->groupCount; i++)
    {
        qvVec3f* n = &surface->groupNormals[i];
        float length = sqrtf(n->x * n->x + n->y * n->y + n->z * n->z);
        *n = length > 0.0f ? (qvVec3f){ n->x / length, n->y / length, n->z / length } : (qvVec3f){ 0, 0, 1 };
    }
    for (int i = 0; i < split->drawnCount; i++)
        surface->normals[i] = surface->groupNormals[split->group[i]];
}

static void Upload(GLuint buffer, const void* data, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STREAM_DRAW);
}

void qvuiSurface_SetPositions(qvuiSurface* surface, const qvVec3f* vertices)
{
    int count = surface->split.drawnCount;
    for (int i = 0; i < count; i++)
        surface->positions[i] = vertices[surface->split.vertex[i]];
    ComputeNormals(surface);
    surface->bounds = qvComputeBounds(surface->positions, count);
    surface->revision++;
    Upload(surface->positionBuffer, surface->positions, (size_t)count * sizeof(qvVec3f));
    Upload(surface->normalBuffer, surface->normals, (size_t)count * sizeof(qvVec3f));
}

static uint8_t EncodeChannel(float value)
{
    float clamped = fminf(fmaxf(value, 0.0f), 1.0f);
    return (uint8_t)(sqrtf(clamped) * 255.0f + 0.5f);
}

static qvColor BaseColor(const qvMesh* mesh, const qvSubmesh* submesh)
{
    if (submesh->material >= 0)
        return mesh->materials[submesh->material].baseColor;
    return mesh->colorDomain != qv_domainNone ? (qvColor){ 1, 1, 1, 1 } : Clay;
}

static qvColor FileColor(const qvMesh* mesh, int corner)
{
    if (mesh->colorDomain == qv_domainCorner)
        return mesh->colors[corner];
    if (mesh->colorDomain == qv_domainVertex)
        return mesh->colors[mesh->triangles[corner / 3].v[corner % 3]];
    return (qvColor){ 1, 1, 1, 1 };
}

// Base colour times the file's colour per drawn vertex. Where several corners share one, the last one counts.
static void FillColors(const qvuiSurface* surface, const qvMesh* mesh, uint8_t* colors)
{
    for (int s = 0; s < mesh->submeshCount; s++)
    {
        const qvSubmesh* submesh = &mesh->submeshes[s];
        qvColor base = BaseColor(mesh, submesh);
        int first = 3 * submesh->firstTriangle;
        for (int c = first; c < first + 3 * submesh->triangleCount; c++)
        {
            qvColor file = FileColor(mesh, c);
            uint8_t* out = colors + 4 * (size_t)surface->split.corner[c];
            out[0] = EncodeChannel(base.r * file.r);
            out[1] = EncodeChannel(base.g * file.g);
            out[2] = EncodeChannel(base.b * file.b);
            out[3] = 255;
        }
    }
}

static void Attribute(GLuint index, GLuint buffer, GLint size, GLenum type, GLboolean normalized)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, size, type, normalized, 0, NULL);
}

static qvResult CreateBuffers(qvuiSurface* surface, const qvMesh* mesh, qvError* error)
{
    uint8_t* colors = calloc((size_t)surface->split.drawnCount, 4);
    if (colors == NULL)
        return qvError_OutOfMemory(error, 4.0 * surface->split.drawnCount);
    FillColors(surface, mesh, colors);
    glGenVertexArrays(1, &surface->arrays);
    glBindVertexArray(surface->arrays);
    glGenBuffers(1, &surface->positionBuffer);
    glGenBuffers(1, &surface->normalBuffer);
    glGenBuffers(1, &surface->colorBuffer);
    glGenBuffers(1, &surface->indexBuffer);
    glGenBuffers(1, &surface->edgeBuffer);
    Upload(surface->colorBuffer, colors, (size_t)surface->split.drawnCount * 4);
    free(colors);
    Upload(surface->indexBuffer, surface->split.corner, (size_t)surface->cornerCount * sizeof(uint32_t));
    Upload(surface->edgeBuffer, surface->split.edge, (size_t)surface->split.edgeCount * 2 * sizeof(uint32_t));
    qvuiSurface_SetPositions(surface, mesh->positions);
    Attribute(0, surface->positionBuffer, 3, GL_FLOAT, GL_FALSE);
    Attribute(1, surface->normalBuffer, 3, GL_FLOAT, GL_FALSE);
    Attribute(2, surface->colorBuffer, 4, GL_UNSIGNED_BYTE, GL_TRUE);
    glBindVertexArray(0);
    return qv_ok;
}

qvResult qvuiCreateSurface(const qvMesh* mesh, qvuiSurface** surface, qvError* error)
{
    *surface = NULL;
    qvuiSurface* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->cornerCount = 3 * mesh->triangleCount;
    made->revision = (unsigned int)qvMesh_Hash(mesh); // so that a new surface at an old address is told apart
    qvResult result = qvuiSplit_Init(&made->split, mesh, error);
    if (result == qv_ok)
    {
        size_t count = (size_t)made->split.drawnCount;
        made->positions = calloc(count, sizeof(qvVec3f));
        made->normals = calloc(count, sizeof(qvVec3f));
        made->groupNormals = calloc((size_t)made->split.groupCount, sizeof(qvVec3f));
        if (made->positions == NULL || made->normals == NULL || made->groupNormals == NULL)
            result = qvError_OutOfMemory(error, 3.0 * (double)count * sizeof(qvVec3f));
    }
    if (result == qv_ok)
        result = CreateBuffers(made, mesh, error);
    if (result != qv_ok)
    {
        qvuiDestroySurface(made);
        return result;
    }
    *surface = made;
    return qv_ok;
}

void qvuiDestroySurface(qvuiSurface* surface)
{
    if (surface == NULL)
        return;
    if (surface->arrays != 0)
    {
        const GLuint buffers[] = { surface->positionBuffer, surface->normalBuffer, surface->colorBuffer,
                                   surface->indexBuffer, surface->edgeBuffer };
        glDeleteBuffers(sizeof(buffers) / sizeof(buffers[0]), buffers);
        glDeleteVertexArrays(1, &surface->arrays);
    }
    free(surface->positions);
    free(surface->normals);
    free(surface->groupNormals);
    qvuiSplit_Free(&surface->split);
    free(surface);
}

qvBox qvuiSurface_Bounds(const qvuiSurface* surface)
{
    return surface->bounds;
}

unsigned int qvuiSurface_Revision(const qvuiSurface* surface)
{
    return surface->revision;
}

void qvuiSurface_DrawTriangles(const qvuiSurface* surface)
{
    glBindVertexArray(surface->arrays);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->indexBuffer);
    glDrawElements(GL_TRIANGLES, surface->cornerCount, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}

void qvuiSurface_DrawEdges(const qvuiSurface* surface)
{
    glBindVertexArray(surface->arrays);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->edgeBuffer);
    glDrawElements(GL_LINES, 2 * surface->split.edgeCount, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}
