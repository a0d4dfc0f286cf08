// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex caches: the positions of all vertices at every sample, exactly as they were evaluated.
//
// PC2 ("Point Cache 2", Hans Gåfvels, 2002), little-endian: "POINTCACHE2", a zero, version 1, points, first frame,
// samples per frame, samples; then the samples.
// MDD (LightWave's motion designer), big-endian: samples, points, the time of every sample in seconds; then the
// samples.
//
// A cache means nothing without the mesh, which comes along as an OBJ file with the same vertices in the same order.
#include "formats/export.h"

#include "base/memory.h"
#include "base/own_file.h"
#include "formats/little_endian.h"
#include "formats/obj.h"
#include "formats/vertex_cache.h"
#include "quaver/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Header
{
    const char* text; // at the start, 12 bytes; NULL: none
    bool isBigEndian;
    int wordCount;
    uint32_t words[5];
} Header;

static uint32_t FloatBits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void PutWord(uint8_t* bytes, uint32_t word, bool isBigEndian)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * (isBigEndian ? 3 - i : i));
}

// --- The mesh ----------------------------------------------------------------------------------------------------

// Whether a file is there that Quaver has not written: somebody's own mesh, perhaps the one that was imported.
static bool IsForeign(const char* path)
{
    static const char first[] = "# Quaver\n";
    char line[sizeof(first)] = "";
    int file = qvOpenOwn(path, O_RDONLY, 0);
    if (file < 0)
        return errno != ENOENT;
    bool foreign = read(file, line, sizeof(first) - 1) != (ssize_t)sizeof(first) - 1 || strcmp(line, first) != 0;
    close(file);
    return foreign;
}

// "a/b.pc2" with "_mesh" gives "a/b_mesh.obj"; malloc'ed.
static char* MeshPath(const char* path, const char* suffix)
{
    size_t length = (size_t)(qvPath_Extension(path) - path) - 1, size = length + strlen(suffix) + sizeof(".obj");
    char* made = qvAllocate(size, 1);
    if (made != NULL)
        snprintf(made, size, "%.*s%s.obj", (int)length, path, suffix);
    return made;
}

char* qvVertexCache_MeshPath(const char* path, bool* isOther)
{
    char* mesh = MeshPath(path, "");
    *isOther = mesh != NULL && IsForeign(mesh);
    if (!*isOther)
        return mesh;
    free(mesh);
    return MeshPath(path, "_mesh");
}

void qvVertexCache_WarnOfMesh(const char* path, qvExportReport* report)
{
    qvExportReport_Warn(report, "a mesh of that name is not from here and stays; the mesh is in %s",
                        qvPath_FileName(path));
}

static qvResult AddMesh(const qvExportTask* task, qvError* error)
{
    bool isOther;
    char* path = qvVertexCache_MeshPath(task->path, &isOther);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(task->path));
    if (isOther)
        qvVertexCache_WarnOfMesh(path, task->report);
    qvResult result = qvAddObj(task->model, task->mesh->positions, path, NULL, task->files, error);
    free(path);
    return result;
}

// --- The cache ---------------------------------------------------------------------------------------------------

static void WriteHeader(const Header* header, FILE* stream)
{
    if (header->text != NULL)
        fwrite(header->text, 1, 12, stream);
    for (int i = 0; i < header->wordCount; i++)
    {
        uint8_t bytes[4];
        PutWord(bytes, header->words[i], header->isBigEndian);
        fwrite(bytes, 1, 4, stream);
    }
}

static void WriteTimes(const qvExportTask* task, FILE* stream)
{
    for (int i = 0; i < task->animation->frameCount; i++)
    {
        uint8_t bytes[4];
        PutWord(bytes, FloatBits((float)task->times[i]), true);
        fwrite(bytes, 1, 4, stream);
    }
}

static qvResult WriteFrames(const qvExportTask* task, bool isBigEndian, FILE* stream, qvError* error)
{
    size_t count = 3 * (size_t)task->mesh->vertexCount;
    int frames = task->animation->frameCount;
    uint8_t* bytes = qvAllocateRaw(count, 4);
    if (bytes == NULL)
        return qvError_OutOfMemory(error, (double)count * 4.0);
    qvResult result = qv_ok;
    for (int k = 0; k < frames && result == qv_ok; k++)
    {
        const float* values = &qvExportTask_Frame(task, k)->x;
        for (size_t i = 0; i < count; i++)
            PutWord(bytes + 4 * i, FloatBits(values[i]), isBigEndian);
        fwrite(bytes, 4, count, stream);
        result = qvJob_Progress(task->options.job, "writing", (k + 1.0) / frames, error);
    }
    free(bytes);
    return result;
}

static qvResult WriteCache(const qvExportTask* task, const Header* header, qvError* error)
{
    double size = (header->text != NULL ? 12.0 : 0.0) + 4.0 * header->wordCount;
    size += (12.0 * task->mesh->vertexCount + (header->isBigEndian ? 4.0 : 0.0)) * task->animation->frameCount;
    if (task->animation->space != qv_framesWorld)
        return qvError_Set(error, qv_unsupported, "vertex caches hold world space; write .glb or .gltf for a skin");
    if (task->files == NULL)
    {
        task->report->bytes = size + qvEstimateObj(task->mesh);
        return qv_ok;
    }
    FILE* stream = NULL;
    qvResult result = qvFileSet_Add(task->files, task->path, &stream, error);
    if (result == qv_ok)
    {
        WriteHeader(header, stream);
        if (header->isBigEndian)
            WriteTimes(task, stream);
        result = WriteFrames(task, header->isBigEndian, stream, error);
    }
    return result == qv_ok ? AddMesh(task, error) : result;
}

static qvResult WritePc2(const qvExportTask* task, qvError* error)
{
    const Header header = { .text = "POINTCACHE2",
                            .wordCount = 5,
                            .words = { 1, (uint32_t)task->mesh->vertexCount,
                                       FloatBits((float)task->animation->firstFrame), FloatBits(1.0f),
                                       (uint32_t)task->animation->frameCount } };
    return WriteCache(task, &header, error);
}

static qvResult WriteMdd(const qvExportTask* task, qvError* error)
{
    const Header header = { .isBigEndian = true,
                            .wordCount = 2,
                            .words = { (uint32_t)task->animation->frameCount, (uint32_t)task->mesh->vertexCount } };
    return WriteCache(task, &header, error);
}

const qvExporter qvExporterPc2 = {
    .info = { .tag = "pc2", .label = "Point cache (PC2) and OBJ", .extensions = "pc2", .parts = true },
    .write = WritePc2,
};

const qvExporter qvExporterMdd = {
    .info = { .tag = "mdd", .label = "Motion designer cache (MDD) and OBJ", .extensions = "mdd", .parts = true },
    .write = WriteMdd,
};
