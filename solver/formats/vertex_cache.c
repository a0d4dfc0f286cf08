// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex caches put together; what they look like is in export_cache.c.
#include "formats/vertex_cache.h"

#include "formats/little_endian.h"
#include "quaver/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    PC2_HEADER = 32,
    PC2_POINTS = 16, // offsets in it
    PC2_SAMPLES = 28,
    MDD_HEADER = 8,
    BLOCK = 1 << 20,
};

static uint32_t GetBig(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void PutBig(uint8_t* bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> 8 * (3 - i));
}

typedef struct Header
{
    uint8_t bytes[PC2_HEADER];
    size_t size;
    uint32_t points, samples;
    bool isMdd;
} Header;

// Whether the bytes of a whole file are those of a cache.
static bool IsWhole(const Header* header, double size)
{
    static const char start[16] = "POINTCACHE2\0\1"; // and the version
    double times = header->isMdd ? 4.0 * header->samples : 0.0;
    bool isCache = header->isMdd || memcmp(header->bytes, start, sizeof(start)) == 0;
    return isCache && size == (double)header->size + times + 12.0 * header->points * header->samples;
}

static qvResult ReadHeader(FILE* file, const char* path, bool isMdd, Header* header, qvError* error)
{
    struct stat about = { 0 };
    *header = (Header){ .isMdd = isMdd, .size = isMdd ? MDD_HEADER : PC2_HEADER };
    bool isRead = fread(header->bytes, 1, header->size, file) == header->size && fstat(fileno(file), &about) == 0;
    header->samples = isMdd ? GetBig(header->bytes) : qvLittle_GetUint32(header->bytes + PC2_SAMPLES);
    header->points = isMdd ? GetBig(header->bytes + 4) : qvLittle_GetUint32(header->bytes + PC2_POINTS);
    if (isRead && IsWhole(header, (double)about.st_size))
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: is no vertex cache, or is truncated; make the part again", path);
}

static qvResult Copy(FILE* from, const char* path, double bytes, FILE* to, const qvJob* job, qvError* error)
{
    char* block = malloc(BLOCK);
    bool copied = block != NULL;
    qvResult result = qv_ok;
    while (copied && bytes > 0.0 && (result = qvJob_Ask(job, error)) == qv_ok)
    {
        size_t some = bytes < BLOCK ? (size_t)bytes : BLOCK;
        copied = fread(block, 1, some, from) == some;
        fwrite(block, 1, copied ? some : 0, to); // what cannot be written is told when the file is closed
        bytes -= (double)some;
    }
    bool hadMemory = block != NULL;
    free(block);
    if (!hadMemory)
        return qvError_OutOfMemory(error, BLOCK);
    return copied ? result : qvError_Set(error, qv_ioFailed, "%s: cannot be read to its end; check the disk", path);
}

// What is copied of a part: its header is looked at each time.
typedef enum Section
{
    SECTION_NONE,
    SECTION_TIMES,
    SECTION_FRAMES,
} Section;

static qvResult AddSection(const qvVertexCachePart* part, Section section, Header* header, FILE* stream,
                           const qvJob* job, qvError* error)
{
    FILE* file;
    qvResult result = qvOpenToRead(part->path, &file, error);
    if (result != qv_ok)
        return result;
    result = ReadHeader(file, part->path, header->isMdd, header, error);
    if (result == qv_ok && header->samples != (uint32_t)part->frames)
        result = qvError_Set(error, qv_badInput, "%s: has %u frames instead of %d; make the part again", part->path,
                             header->samples, part->frames);
    double times = header->isMdd ? 4.0 * header->samples : 0.0, frames = 12.0 * header->points * header->samples;
    if (result == qv_ok && section == SECTION_TIMES)
        result = Copy(file, part->path, times, stream, job, error);
    if (result == qv_ok && section == SECTION_FRAMES)
    {
        fseeko(file, (off_t)((double)header->size + times), SEEK_SET);
        result = Copy(file, part->path, frames, stream, job, error);
    }
    fclose(file);
    return result;
}

qvResult qvVertexCache_Join(const qvVertexCachePart* parts, int count, bool isMdd, FILE* stream, const qvJob* job,
                            qvError* error)
{
    Header first = { .isMdd = isMdd };
    uint32_t total = 0;
    qvResult result = AddSection(&parts[0], SECTION_NONE, &first, stream, job, error);
    for (int i = 0; i < count; i++)
        total += (uint32_t)parts[i].frames;
    if (isMdd)
        PutBig(first.bytes, total);
    else
        qvLittle_PutUint32(first.bytes + PC2_SAMPLES, total);
    fwrite(first.bytes, 1, first.size, stream);
    for (int section = isMdd ? SECTION_TIMES : SECTION_FRAMES; section <= SECTION_FRAMES; section++)
    {
        for (int i = 0; result == qv_ok && i < count; i++)
        {
            Header header = { .isMdd = isMdd };
            result = AddSection(&parts[i], section, &header, stream, job, error);
            if (result == qv_ok && header.points != first.points)
                result = qvError_Set(error, qv_badInput, "%s: has %u vertices, %s %u; make the parts again",
                                     parts[i].path, header.points, parts[0].path, first.points);
        }
    }
    return result;
}
