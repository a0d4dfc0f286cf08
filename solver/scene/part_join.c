// SPDX-License-Identifier: GPL-3.0-or-later
// From parts to the whole: that they are one, and the files that one bake would have written.
#include "base/memory.h"
#include "formats/file_set.h"
#include "formats/obj.h"
#include "formats/vertex_cache.h"
#include "quaver/numbered.h"
#include "quaver/path.h"
#include "scene/part.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t MAX_FILE = (size_t)4 << 30; // bytes of a frame

// --- That they are one ---------------------------------------------------------------------------------------------

static int ByFrame(const void* a, const void* b)
{
    const qvPartFile *x = a, *y = b;
    int first = x->part.moments.first, other = y->part.moments.first;
    return first != other ? (first > other) - (first < other) : strcmp(x->path, y->path);
}

static qvResult CheckKin(const qvParts* parts, qvError* error)
{
    for (int i = 1; i < parts->count; i++)
    {
        const char* why = qvPart_WhyForeign(&parts->items[0], &parts->items[i]);
        if (why != NULL)
            return qvError_Set(error, qv_badInput, "%s: %s than %s; join only parts of one bake", parts->items[i].path,
                               why, qvPath_FileName(parts->items[0].path));
    }
    return qv_ok;
}

static qvResult FailMissing(const char* path, int first, int last, qvError* error)
{
    if (first == last)
        return qvError_Set(error, qv_badInput, "%s: frame %d is missing; name the part that has it too", path, first);
    return qvError_Set(error, qv_badInput, "%s: frames %d to %d are missing; name the parts that have them too", path,
                       first, last);
}

static qvResult CheckCover(const qvParts* parts, qvError* error)
{
    int next = 0, total = parts->items[0].part.moments.total;
    for (int i = 0; i < parts->count; i++)
    {
        const qvPartFile* file = &parts->items[i];
        const qvMoments* moments = &file->part.moments;
        if (moments->first < next)
            return qvError_Set(error, qv_badInput, "%s: has frame %d, which %s has already; leave one of them out",
                               file->path, moments->first, qvPath_FileName(parts->items[i - 1].path));
        if (moments->first > next)
            return FailMissing(file->path, next, moments->first - 1, error);
        next = moments->first + moments->count;
    }
    return next == total ? qv_ok : FailMissing(parts->items[parts->count - 1].path, next, total - 1, error);
}

static qvResult CheckFiles(const qvPartFile* file, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < file->fileCount; i++)
    {
        uint64_t checksum = 0;
        result = qvHashFile(file->entries[i].path, job, &checksum, error);
        if (result == qv_ok && checksum != file->entries[i].checksum)
            result = qvError_Set(error, qv_badInput,
                                 "%s: is truncated or was changed after %s was written; make the part again",
                                 file->entries[i].path, qvPath_FileName(file->path));
    }
    return result;
}

qvResult qvReadParts(const char* const* paths, int count, const qvJob* job, qvParts* parts, qvError* error)
{
    *parts = (qvParts){ .items = qvAllocate((size_t)count, sizeof(*parts->items)) };
    qvResult result = parts->items != NULL ? qv_ok : qvError_OutOfMemory(error, (double)count * sizeof(qvPartFile));
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvReadPart(paths[i], &parts->items[i], error);
        parts->count++;
    }
    if (result == qv_ok)
    {
        qsort(parts->items, (size_t)count, sizeof(*parts->items), ByFrame);
        result = CheckKin(parts, error);
    }
    if (result == qv_ok)
        result = CheckCover(parts, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvJob_Progress(job, "reading parts", (double)i / count, error);
        if (result == qv_ok)
            result = CheckFiles(&parts->items[i], job, error);
    }
    return result;
}

void qvFreeParts(qvParts* parts)
{
    for (int i = 0; i < parts->count; i++)
        qvFreePart(&parts->items[i]);
    free(parts->items);
    *parts = (qvParts){ 0 };
}

// --- The whole -----------------------------------------------------------------------------------------------------

typedef struct Join
{
    const qvParts* parts;
    const char* path;
    const qvJob* job;
    qvExportReport* report;
    qvFileSet files;
} Join;

static int TotalOf(const qvParts* parts)
{
    return parts->items[0].part.moments.total;
}

const char* qvParts_FramePath(const qvParts* parts, int frame)
{
    int part = 0;
    while (frame >= parts->items[part].part.moments.first + parts->items[part].part.moments.count)
        part++;
    return parts->items[part].entries[frame - parts->items[part].part.moments.first].path;
}

// A file of a part at the place that it has in the whole; library: the name of its material library, NULL: it has none.
static qvResult AddCopy(Join* join, const char* from, const char* to, const char* library, qvError* error)
{
    if (qvIsSameFile(from, to))
        return qv_ok;
    qvBytes bytes;
    FILE* stream;
    qvResult result = qvReadFile(from, MAX_FILE, &bytes, error);
    if (result != qv_ok)
        return result;
    result = qvFileSet_Add(&join->files, to, &stream, error);
    if (result == qv_ok && library != NULL)
        qvObj_Rename(&bytes, library, stream);
    else if (result == qv_ok)
        fwrite(bytes.data, 1, bytes.size, stream);
    qvFreeBytes(&bytes);
    return result == qv_ok ? qvFileSet_Close(&join->files, join->files.count - 1, error) : result;
}

static qvResult AddFrame(Join* join, int frame, const char* library, qvError* error)
{
    char* to = qvNumberedPath(join->path, frame);
    if (to == NULL)
        return qvError_OutOfMemory(error, (double)strlen(join->path));
    qvResult result = AddCopy(join, qvParts_FramePath(join->parts, frame), to, library, error);
    free(to);
    return result;
}

static qvResult JoinSequence(Join* join, qvError* error)
{
    qvNumberField field;
    const qvPartFile* first = &join->parts->items[0];
    qvResult result = qvFindNumberField(join->path, &field, error);
    if (result != qv_ok)
        return result;
    char* common = qvUnnumberedPath(join->path);
    char* library = common != NULL && first->fileCount > first->frameFileCount ? qvObj_LibraryPath(common) : NULL;
    if (common == NULL || (library == NULL && first->fileCount > first->frameFileCount))
        result = qvError_OutOfMemory(error, (double)strlen(join->path));
    for (int i = 0, total = TotalOf(join->parts); result == qv_ok && i < total; i++)
    {
        result = qvJob_Progress(join->job, "joining", (double)i / total, error);
        if (result == qv_ok)
            result = AddFrame(join, i, library, error);
    }
    if (result == qv_ok && library != NULL)
        result = AddCopy(join, first->entries[first->frameFileCount].path, library, NULL, error);
    free(common);
    free(library);
    return result;
}

// The mesh of the first part beside the whole cache, with its material library.
static qvResult AddMesh(Join* join, qvError* error)
{
    bool isOther;
    const qvPartFile* first = &join->parts->items[0];
    if (first->fileCount < 2)
        return qvError_Set(error, qv_badInput, "%s: names no mesh; make the part again", first->path);
    char* mesh = qvVertexCache_MeshPath(join->path, &isOther);
    char* library = mesh != NULL ? qvObj_LibraryPath(mesh) : NULL;
    qvResult result = library != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(join->path));
    if (result == qv_ok && isOther)
        qvVertexCache_WarnOfMesh(mesh, join->report);
    if (result == qv_ok)
        result = AddCopy(join, first->entries[1].path, mesh, library, error);
    if (result == qv_ok && first->fileCount > 2)
        result = AddCopy(join, first->entries[2].path, library, NULL, error);
    free(mesh);
    free(library);
    return result;
}

static qvResult CheckIsNoPart(const Join* join, qvError* error)
{
    for (int i = 0; i < join->parts->count; i++)
    {
        if (qvIsSameFile(join->path, join->parts->items[i].output))
            return qvError_Set(error, qv_badInput, "is one of the parts and stays; choose another name");
    }
    return qv_ok;
}

static qvResult JoinCaches(Join* join, qvError* error)
{
    int count = join->parts->count;
    qvVertexCachePart* caches = qvAllocate((size_t)count, sizeof(*caches));
    qvResult result = caches != NULL ? CheckIsNoPart(join, error) : qvError_OutOfMemory(error, count * 16.0);
    for (int i = 0; result == qv_ok && i < count; i++)
        caches[i] = (qvVertexCachePart){ join->parts->items[i].output, join->parts->items[i].part.moments.count };
    FILE* stream;
    if (result == qv_ok)
        result = qvFileSet_Add(&join->files, join->path, &stream, error);
    if (result == qv_ok)
        result = qvVertexCache_Join(caches, count, qvPath_HasExtension(join->path, "mdd"), stream, join->job, error);
    free(caches);
    return result == qv_ok ? AddMesh(join, error) : result;
}

qvResult qvJoinParts(const qvParts* parts, const char* path, const qvJob* job, qvExportReport* report, qvError* error)
{
    Join join = { parts, path, job, report, { 0 } };
    const char* format = qvPath_Extension(parts->items[0].output);
    *report = (qvExportReport){ .frames = TotalOf(parts) };
    qvResult result = qv_ok;
    if (strcasecmp(format, qvPath_Extension(path)) != 0)
        result = qvError_Set(error, qv_badInput, "the parts are .%s files; name one that ends so", format);
    else
        result = parts->items[0].part.isSequence ? JoinSequence(&join, error) : JoinCaches(&join, error);
    if (result == qv_ok)
        result = qvFileSet_Commit(&join.files, error);
    else
    {
        qvFileSet_Discard(&join.files);
        if (result != qv_cancelled && strncmp(error->message, path, strlen(path)) != 0)
            qvError_Prefix(error, "%s", path);
    }
    report->bytes = join.files.bytes, report->fileCount = join.files.written;
    return result;
}
