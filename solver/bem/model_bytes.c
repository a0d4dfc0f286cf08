// SPDX-License-Identifier: GPL-3.0-or-later
// Models as bytes: a header, then vertices, triangles, frequencies, modes, spin loads and the residual compliance as
// they lie in memory. What follows from vertices and triangles is made again.
#include "bem/model.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "qvBEM01";

typedef struct Header
{
    char magic[8];
    int32_t vertexCount, triangleCount, modeCount, headerSize;
    double poisson, sharpAngle;
    qvBemModelReport report;
    uint64_t hash; // of all that follows
} Header;

typedef struct Parts
{
    size_t vertices, triangles, omega, modes, spin, residual, total; // bytes
} Parts;

static Parts PartsOf(const Header* header)
{
    size_t n = (size_t)header->vertexCount, t = (size_t)header->triangleCount, m = (size_t)header->modeCount;
    Parts parts = { n * sizeof(qvVec3),     t * sizeof(qvTriangle),    m * sizeof(double), 3 * n * m * sizeof(double),
                    6 * m * sizeof(double), 9 * n * n * sizeof(float), sizeof(Header) };
    parts.total += parts.vertices + parts.triangles + parts.omega + parts.modes + parts.spin + parts.residual;
    return parts;
}

static char* Put(char* to, const void* from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

qvResult qvBemModel_Write(const qvBemModel* model, void** bytes, size_t* size, qvError* error)
{
    const qvBemSurface* surface = model->surface;
    Header header;
    memset(&header, 0, sizeof(header));
    memcpy(header.magic, MAGIC, sizeof(MAGIC));
    header.vertexCount = surface->vertexCount;
    header.triangleCount = surface->triangleCount;
    header.modeCount = model->modeCount;
    header.headerSize = sizeof(Header);
    header.poisson = model->poisson;
    header.sharpAngle = surface->sharpAngle;
    header.report = model->report;
    Parts parts = PartsOf(&header);
    *bytes = qvAllocateRaw(parts.total, 1);
    *size = parts.total;
    if (*bytes == NULL)
        return qvError_OutOfMemory(error, (double)parts.total);
    char* at = (char*)*bytes + sizeof(Header);
    at = Put(at, surface->vertices, parts.vertices);
    at = Put(at, surface->triangles, parts.triangles);
    at = Put(at, model->omega, parts.omega);
    at = Put(at, model->modes, parts.modes);
    at = Put(at, model->spin, parts.spin);
    (void)Put(at, model->residual, parts.residual);
    header.hash = qvHash((char*)*bytes + sizeof(Header), parts.total - sizeof(Header), 0);
    memcpy(*bytes, &header, sizeof(header));
    return qv_ok;
}

static void* Take(const char** from, size_t size)
{
    void* copy = qvAllocateRaw(size, 1);
    if (copy != NULL)
        memcpy(copy, *from, size);
    *from += size;
    return copy;
}

static qvResult ReadHeader(const void* bytes, size_t size, Header* header, qvError* error)
{
    if (size >= sizeof(*header))
        memcpy(header, bytes, sizeof(*header));
    if (size < sizeof(*header) || memcmp(header->magic, MAGIC, sizeof(MAGIC)) != 0 ||
        header->headerSize != (int32_t)sizeof(*header) || header->vertexCount < 4 || header->triangleCount < 4 ||
        header->modeCount < 1 || header->vertexCount > (1 << 15) || header->triangleCount > (1 << 16) ||
        header->modeCount > 6 * header->vertexCount || PartsOf(header).total != size)
        return qvError_Set(error, qv_badInput, "the bytes are no model of a body; make it again");
    if (header->hash != qvHash((const char*)bytes + sizeof(*header), size - sizeof(*header), 0))
        return qvError_Set(error, qv_badInput, "the model of a body is damaged; make it again");
    return qv_ok;
}

qvResult qvReadBemModel(const void* bytes, size_t size, qvBemModel** out, qvError* error)
{
    Header header;
    *out = NULL;
    qvResult result = ReadHeader(bytes, size, &header, error);
    if (result != qv_ok)
        return result;
    Parts parts = PartsOf(&header);
    const char* at = (const char*)bytes + sizeof(header);
    qvBemModel* model = qvAllocate(1, sizeof(*model));
    qvVec3* vertices = Take(&at, parts.vertices);
    qvTriangle* triangles = Take(&at, parts.triangles);
    if (model != NULL && vertices != NULL && triangles != NULL)
    {
        model->poisson = header.poisson;
        model->modeCount = header.modeCount;
        model->report = header.report;
        model->omega = Take(&at, parts.omega);
        model->modes = Take(&at, parts.modes);
        model->spin = Take(&at, parts.spin);
        model->residual = Take(&at, parts.residual);
        result = qvCreateBemSurface(vertices, header.vertexCount, triangles, header.triangleCount, header.sharpAngle,
                                    &model->surface, error);
    }
    free(vertices);
    free(triangles);
    if (result == qv_ok && (model == NULL || model->surface == NULL || model->omega == NULL || model->modes == NULL ||
                            model->spin == NULL || model->residual == NULL))
        result = qvError_OutOfMemory(error, (double)size);
    if (result != qv_ok)
    {
        qvDestroyBemModel(model);
        return result;
    }
    *out = model;
    return qv_ok;
}
