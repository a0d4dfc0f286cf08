// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/surface.h"

#include "ui/render/texture_plan.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

// Triangles with one texture.
typedef struct Part
{
    int firstCorner, cornerCount;
    int material;   // index, or -1
    GLuint texture; // 0: none
} Part;

// Radii of the drawn vertices as they are now; found when somebody asks.
typedef struct Splats
{
    float* radii;
    bool known;
    unsigned int revision; // of the surface
} Splats;

struct qvuiSurface
{
    qvuiSplit split;
    int cornerCount;
    qvVec3f* positions; // of the drawn vertices
    qvVec3f* normals;
    qvVec3f* groupNormals;
    qvBox bounds, restBounds;
    unsigned int revision;

    int32_t* points; // mesh point of each drawn vertex, -1 for one without
    float* heat;     // of the drawn vertices
    bool hasHeat;
    uint8_t* colors; // of the drawn vertices, until they are uploaded
    qvVec2f* uvs;    // the same

    int partCount;
    Part* parts;
    int textureCount;
    GLuint* textures; // one for each part at most; several parts may show one

    GLuint arrays;
    GLuint positionBuffer, normalBuffer, colorBuffer, uvBuffer, heatBuffer, indexBuffer, edgeBuffer;
    GLuint siftedBuffer; // indices that a sieve picked
    int* siftedCounts;   // of them in each part
    GLuint radiusBuffer;
    Splats* splats;
    GLuint white; // a texture of one pixel
};

struct qvuiGhost
{
    const qvuiSurface* surface;
    qvVec3f* positions; // of the drawn vertices
    qvBox bounds;
    uint64_t revision;
    GLuint arrays, positionBuffer;
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

static void MovePositions(qvuiSurface* surface, const qvVec3f* vertices)
{
    int count = surface->split.drawnCount;
    for (int i = 0; i < count; i++)
        surface->positions[i] = vertices[surface->split.vertex[i]];
    ComputeNormals(surface);
    surface->bounds = qvComputeBounds(surface->positions, count);
    surface->revision++;
}

static void Upload(GLuint buffer, const void* data, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STREAM_DRAW);
}

static void UploadPositions(const qvuiSurface* surface)
{
    size_t size = (size_t)surface->split.drawnCount * sizeof(qvVec3f);
    Upload(surface->positionBuffer, surface->positions, size);
    Upload(surface->normalBuffer, surface->normals, size);
}

void qvuiSurface_SetPositions(qvuiSurface* surface, const qvVec3f* vertices)
{
    MovePositions(surface, vertices);
    UploadPositions(surface);
}

void qvuiSurface_SetHeat(qvuiSurface* surface, const float* values)
{
    if (values == NULL && !surface->hasHeat)
        return;
    surface->hasHeat = values != NULL;
    surface->revision++;
    if (values == NULL)
        return;
    for (int i = 0; i < surface->split.drawnCount; i++)
        surface->heat[i] = surface->points[i] >= 0 ? values[surface->points[i]] : 0.0f;
    Upload(surface->heatBuffer, surface->heat, (size_t)surface->split.drawnCount * sizeof(float));
}

bool qvuiSurface_HasHeat(const qvuiSurface* surface)
{
    return surface->hasHeat;
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
    return qvMesh_PlainColor(mesh);
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
static void FillColors(qvuiSurface* surface, const qvMesh* mesh)
{
    for (int s = 0; s < mesh->submeshCount; s++)
    {
        const qvSubmesh* submesh = &mesh->submeshes[s];
        qvColor base = BaseColor(mesh, submesh);
        int first = 3 * submesh->firstTriangle;
        for (int c = first; c < first + 3 * submesh->triangleCount; c++)
        {
            qvColor file = FileColor(mesh, c);
            uint8_t* out = surface->colors + 4 * (size_t)surface->split.corner[c];
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

// The lower left corner of an image is (0, 0), as OpenGL has it.
static void FillTexturePlaces(qvuiSurface* surface, const qvMesh* mesh)
{
    const qvuiSplit* split = &surface->split;
    for (int i = 0; i < split->drawnCount && mesh->uvDomain != qv_domainNone; i++)
        surface->uvs[i] = mesh->uvs[mesh->uvDomain == qv_domainCorner ? split->first[i] : split->vertex[i]];
}

static void FillParts(qvuiSurface* surface, const qvMesh* mesh)
{
    for (int s = 0; s < mesh->submeshCount; s++)
    {
        const qvSubmesh* submesh = &mesh->submeshes[s];
        Part* last = surface->partCount > 0 ? &surface->parts[surface->partCount - 1] : NULL;
        if (last != NULL && last->material == submesh->material)
            last->cornerCount += 3 * submesh->triangleCount;
        else
            surface->parts[surface->partCount++] = (Part){ .firstCorner = 3 * submesh->firstTriangle,
                                                           .cornerCount = 3 * submesh->triangleCount,
                                                           .material = submesh->material };
    }
}

static void FillPoints(qvuiSurface* surface, const qvMesh* mesh)
{
    for (int i = 0; i < surface->split.drawnCount; i++)
        surface->points[i] = mesh->vertexPoint[surface->split.vertex[i]];
}

static qvResult Allocate(qvuiSurface* surface, const qvMesh* mesh, qvError* error)
{
    size_t count = (size_t)surface->split.drawnCount, parts = (size_t)mesh->submeshCount + 1;
    surface->positions = calloc(count, sizeof(qvVec3f));
    surface->normals = calloc(count, sizeof(qvVec3f));
    surface->groupNormals = calloc((size_t)surface->split.groupCount, sizeof(qvVec3f));
    surface->points = calloc(count, sizeof(int32_t));
    surface->heat = calloc(count, sizeof(float));
    surface->colors = calloc(count, 4);
    surface->uvs = calloc(count, sizeof(qvVec2f));
    surface->parts = calloc(parts, sizeof(Part));
    surface->textures = calloc(parts, sizeof(GLuint));
    surface->siftedCounts = calloc(parts, sizeof(int));
    surface->splats = calloc(1, sizeof(Splats));
    if (surface->splats != NULL)
        surface->splats->radii = calloc(count, sizeof(float));
    if (surface->splats != NULL && surface->splats->radii != NULL && surface->positions != NULL &&
        surface->normals != NULL && surface->groupNormals != NULL && surface->points != NULL && surface->heat != NULL &&
        surface->colors != NULL && surface->uvs != NULL && surface->parts != NULL && surface->textures != NULL &&
        surface->siftedCounts != NULL)
        return qv_ok;
    return qvError_OutOfMemory(error, 5.0 * (double)count * sizeof(qvVec3f));
}

qvResult qvuiPrepareSurface(const qvMesh* mesh, qvuiSurface** surface, qvError* error)
{
    *surface = NULL;
    qvuiSurface* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->cornerCount = 3 * mesh->triangleCount;
    made->revision = (unsigned int)qvMesh_Hash(mesh); // so that a new surface at an old address is told apart
    qvResult result = qvuiSplit_Init(&made->split, mesh, error);
    if (result == qv_ok)
        result = Allocate(made, mesh, error);
    if (result != qv_ok)
    {
        qvuiDestroySurface(made);
        return result;
    }
    FillPoints(made, mesh);
    FillParts(made, mesh);
    FillColors(made, mesh);
    FillTexturePlaces(made, mesh);
    MovePositions(made, mesh->positions);
    made->restBounds = made->bounds;
    *surface = made;
    return qv_ok;
}

void qvuiSurface_Upload(qvuiSurface* surface)
{
    size_t count = (size_t)surface->split.drawnCount;
    glGenVertexArrays(1, &surface->arrays);
    glBindVertexArray(surface->arrays);
    GLuint* const buffers[] = { &surface->positionBuffer, &surface->normalBuffer, &surface->colorBuffer,
                                &surface->uvBuffer,       &surface->heatBuffer,   &surface->indexBuffer,
                                &surface->edgeBuffer,     &surface->siftedBuffer, &surface->radiusBuffer };
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
        glGenBuffers(1, buffers[i]);
    surface->white = qvuiCreateWhiteTexture();
    UploadPositions(surface);
    Upload(surface->colorBuffer, surface->colors, count * 4);
    Upload(surface->uvBuffer, surface->uvs, count * sizeof(qvVec2f));
    Upload(surface->heatBuffer, surface->heat, count * sizeof(float));
    free(surface->colors);
    free(surface->uvs);
    surface->colors = NULL;
    surface->uvs = NULL;
    Upload(surface->indexBuffer, surface->split.corner, (size_t)surface->cornerCount * sizeof(uint32_t));
    Upload(surface->edgeBuffer, surface->split.edge, (size_t)surface->split.edgeCount * 2 * sizeof(uint32_t));
    Attribute(0, surface->positionBuffer, 3, GL_FLOAT, GL_FALSE);
    Attribute(1, surface->normalBuffer, 3, GL_FLOAT, GL_FALSE);
    Attribute(2, surface->colorBuffer, 4, GL_UNSIGNED_BYTE, GL_TRUE);
    Attribute(3, surface->uvBuffer, 2, GL_FLOAT, GL_FALSE);
    Attribute(4, surface->heatBuffer, 1, GL_FLOAT, GL_FALSE);
    Attribute(5, surface->radiusBuffer, 1, GL_FLOAT, GL_FALSE);
    glDisableVertexAttribArray(5); // until there are radii
    glBindVertexArray(0);
}

qvResult qvuiCreateSurface(const qvMesh* mesh, qvuiSurface** surface, qvError* error)
{
    qvResult result = qvuiPrepareSurface(mesh, surface, error);
    if (result == qv_ok)
        qvuiSurface_Upload(*surface);
    return result;
}

void qvuiDestroySurface(qvuiSurface* surface)
{
    if (surface == NULL)
        return;
    if (surface->arrays != 0)
    {
        const GLuint buffers[] = { surface->positionBuffer, surface->normalBuffer, surface->colorBuffer,
                                   surface->uvBuffer,       surface->heatBuffer,   surface->indexBuffer,
                                   surface->edgeBuffer,     surface->siftedBuffer, surface->radiusBuffer };
        glDeleteTextures(surface->textureCount, surface->textures);
        glDeleteTextures(1, &surface->white);
        glDeleteBuffers(sizeof(buffers) / sizeof(buffers[0]), buffers);
        glDeleteVertexArrays(1, &surface->arrays);
    }
    free(surface->positions);
    free(surface->normals);
    free(surface->groupNormals);
    free(surface->points);
    free(surface->heat);
    free(surface->colors);
    free(surface->uvs);
    free(surface->parts);
    free(surface->textures);
    free(surface->siftedCounts);
    if (surface->splats != NULL)
        free(surface->splats->radii);
    free(surface->splats);
    qvuiSplit_Free(&surface->split);
    free(surface);
}

int qvuiSurface_TriangleCount(const qvuiSurface* surface)
{
    return surface->cornerCount / 3;
}

bool qvuiSurface_HasTextures(const qvuiSurface* surface)
{
    return surface->textureCount > 0;
}

bool qvuiSurface_IsSolid(const qvuiSurface* surface)
{
    return surface->split.solid;
}

qvBox qvuiSurface_Bounds(const qvuiSurface* surface)
{
    return surface->bounds;
}

qvBox qvuiSurface_RestBounds(const qvuiSurface* surface)
{
    return surface->restBounds;
}

unsigned int qvuiSurface_Revision(const qvuiSurface* surface)
{
    return surface->revision;
}

const uint16_t* qvuiSurface_Shadow(const qvuiSurface* surface, qvuiShadow* shadow, const qvuiShadowPlace* place)
{
    return qvuiShadow_Compute(shadow, place, surface->positions, surface->split.corner, surface->cornerCount);
}

static int PartTexture(const Part* part, const qvMesh* mesh)
{
    return part->material >= 0 && mesh->uvDomain != qv_domainNone ? mesh->materials[part->material].texture : -1;
}

void qvuiSurface_SetTexture(qvuiSurface* surface, const qvMesh* mesh, int texture, unsigned int name)
{
    bool used = false;
    for (int i = 0; i < surface->partCount; i++)
        if (PartTexture(&surface->parts[i], mesh) == texture && surface->parts[i].texture == 0)
        {
            surface->parts[i].texture = name;
            used = true;
        }
    if (used)
        surface->textures[surface->textureCount++] = name;
    else
        glDeleteTextures(1, &name);
    surface->revision++;
}

// Textures stay the other's.
static void BorrowTextures(qvuiSurface* surface, const qvuiSurface* from)
{
    for (int i = 0; i < surface->partCount; i++)
    {
        for (int k = 0; surface->parts[i].material >= 0 && k < from->partCount; k++)
        {
            if (from->parts[k].material == surface->parts[i].material)
                surface->parts[i].texture = from->parts[k].texture;
        }
    }
}

qvResult qvuiSurface_CreateLike(const qvuiSurface* other, const qvMesh* mesh, qvuiSurface** surface, qvError* error)
{
    qvResult result = qvuiCreateSurface(mesh, surface, error);
    if (result != qv_ok)
        return result;
    if (mesh->uvDomain != qv_domainNone)
        BorrowTextures(*surface, other);
    (*surface)->restBounds = other->restBounds;
    return qv_ok;
}

void qvuiSurface_TouchTextures(qvuiSurface* surface)
{
    surface->revision++;
}

qvResult qvuiSurface_LoadTextures(qvuiSurface* surface, const qvMesh* mesh, const char* folder, const qvJob* job,
                                  qvError* error)
{
    qvuiTexturePlan plan;
    qvuiReduction reduction = { 0 };
    qvError ignored;
    if (qvuiTexturePlan_Init(&plan, mesh, folder, qvui_pictureBytes, &ignored) != qv_ok)
        return qv_ok;
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < plan.count; i++)
    {
        qvuiPicture picture;
        if (!plan.used[i])
            continue;
        qvResult decoded = qvuiDecodeTexture(&mesh->textures[i], folder, plan.largest, job, &picture, &ignored);
        result = decoded == qv_cancelled ? qvError_Set(error, decoded, "%s", ignored.message) : qvJob_Ask(job, error);
        if (decoded == qv_ok)
            qvuiSurface_SetTexture(surface, mesh, i, qvuiUploadTexture(&picture));
        qvuiReduction_Add(&reduction, &mesh->textures[i], &picture);
        qvuiFreePicture(&picture);
    }
    char line[320];
    if (reduction.count > 0)
    {
        qvuiReduction_Tell(&reduction, line, sizeof(line));
        qvJob_Log(job, qv_logWarning, "%s", line);
    }
    qvuiTexturePlan_Free(&plan);
    return result;
}

// Brings the triangles that can be seen to the card, and says how many corners there are in each part.
static bool Sift(const qvuiSurface* surface, qvuiSieve* sieve, const qvuiSieveView* view, int* counts)
{
    if (!qvuiSieve_Begin(sieve, view, surface->positions, surface->split.drawnCount, surface->cornerCount))
        return false;
    for (int i = 0; i < surface->partCount; i++)
        counts[i] = qvuiSieve_Add(sieve, view, surface->split.corner + surface->parts[i].firstCorner,
                                  surface->parts[i].cornerCount);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->siftedBuffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)sieve->cornerCount * sizeof(uint32_t)), sieve->corners,
                 GL_STREAM_DRAW);
    return true;
}

void qvuiSurface_DrawParts(const qvuiSurface* surface, qvuiSieve* sieve, const qvuiSieveView* view)
{
    glBindVertexArray(surface->arrays);
    bool sifted = sieve != NULL && Sift(surface, sieve, view, surface->siftedCounts);
    if (!sifted)
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->indexBuffer);
    glActiveTexture(GL_TEXTURE0);
    size_t first = 0;
    for (int i = 0; i < surface->partCount; i++)
    {
        const Part* part = &surface->parts[i];
        int count = sifted ? surface->siftedCounts[i] : part->cornerCount;
        glBindTexture(GL_TEXTURE_2D, part->texture != 0 ? part->texture : surface->white);
        glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT,
                       (const void*)((sifted ? first : (size_t)part->firstCorner) * sizeof(uint32_t)));
        first += (size_t)count;
    }
    glBindVertexArray(0);
}

void qvuiSurface_DrawEdges(const qvuiSurface* surface)
{
    glBindVertexArray(surface->arrays);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->edgeBuffer);
    glDrawElements(GL_LINES, 2 * surface->split.edgeCount, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}

// Discs of this share of the longest edge at their vertices cover every triangle but the thinnest.
static const float SPLAT_SHARE = 0.6f;

static void FindRadii(const qvuiSurface* surface)
{
    Splats* splats = surface->splats;
    for (int i = 0; i < surface->split.drawnCount; i++)
        splats->radii[i] = 0.0f;
    for (int c = 0; c < surface->cornerCount; c++)
    {
        uint32_t a = surface->split.corner[c], b = surface->split.corner[c % 3 == 2 ? c - 2 : c + 1];
        qvVec3f e = Subtract(surface->positions[a], surface->positions[b]);
        float radius = SPLAT_SHARE * sqrtf(e.x * e.x + e.y * e.y + e.z * e.z);
        splats->radii[a] = fmaxf(splats->radii[a], radius);
        splats->radii[b] = fmaxf(splats->radii[b], radius);
    }
    splats->known = true;
    splats->revision = surface->revision;
    Upload(surface->radiusBuffer, splats->radii, (size_t)surface->split.drawnCount * sizeof(float));
}

void qvuiSurface_DrawSplats(const qvuiSurface* surface)
{
    if (!surface->splats->known || surface->splats->revision != surface->revision)
        FindRadii(surface);
    glBindVertexArray(surface->arrays);
    glEnableVertexAttribArray(5);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->indexBuffer);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_PROGRAM_POINT_SIZE);
    for (int i = 0; i < surface->partCount; i++)
    {
        const Part* part = &surface->parts[i];
        glBindTexture(GL_TEXTURE_2D, part->texture != 0 ? part->texture : surface->white);
        glDrawElements(GL_POINTS, part->cornerCount, GL_UNSIGNED_INT,
                       (const void*)((size_t)part->firstCorner * sizeof(uint32_t)));
    }
    glDisable(GL_PROGRAM_POINT_SIZE);
    glDisableVertexAttribArray(5);
    glBindVertexArray(0);
}

qvResult qvuiCreateGhost(const qvuiSurface* surface, qvuiGhost** ghost, qvError* error)
{
    *ghost = NULL;
    size_t size = (size_t)surface->split.drawnCount * sizeof(qvVec3f);
    qvuiGhost* made = calloc(1, sizeof(*made));
    if (made != NULL)
        made->positions = malloc(size);
    if (made == NULL || made->positions == NULL)
    {
        free(made);
        return qvError_OutOfMemory(error, (double)size);
    }
    made->surface = surface;
    made->bounds = surface->bounds;
    made->revision = (uint64_t)surface->revision << 32;
    glGenVertexArrays(1, &made->arrays);
    glGenBuffers(1, &made->positionBuffer);
    Upload(made->positionBuffer, surface->positions, size);
    glBindVertexArray(made->arrays);
    Attribute(0, made->positionBuffer, 3, GL_FLOAT, GL_FALSE);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->indexBuffer);
    glBindVertexArray(0);
    *ghost = made;
    return qv_ok;
}

void qvuiDestroyGhost(qvuiGhost* ghost)
{
    if (ghost == NULL)
        return;
    glDeleteBuffers(1, &ghost->positionBuffer);
    glDeleteVertexArrays(1, &ghost->arrays);
    free(ghost->positions);
    free(ghost);
}

void qvuiGhost_SetPositions(qvuiGhost* ghost, const qvVec3f* vertices)
{
    const qvuiSplit* split = &ghost->surface->split;
    for (int i = 0; i < split->drawnCount; i++)
        ghost->positions[i] = vertices[split->vertex[i]];
    ghost->bounds = qvComputeBounds(ghost->positions, split->drawnCount);
    ghost->revision++;
    Upload(ghost->positionBuffer, ghost->positions, (size_t)split->drawnCount * sizeof(qvVec3f));
}

qvBox qvuiGhost_Bounds(const qvuiGhost* ghost)
{
    return ghost->bounds;
}

bool qvuiGhost_IsSolid(const qvuiGhost* ghost)
{
    return ghost->surface->split.solid;
}

uint64_t qvuiGhost_Revision(const qvuiGhost* ghost)
{
    return ghost->revision;
}

void qvuiGhost_DrawTriangles(const qvuiGhost* ghost)
{
    glBindVertexArray(ghost->arrays);
    glDrawElements(GL_TRIANGLES, ghost->surface->cornerCount, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}
