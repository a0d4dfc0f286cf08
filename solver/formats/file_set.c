// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/file_set.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/own_file.h"
#include "quaver/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool IsKept(const qvFileSet* files, const char* path)
{
    bool kept = false;
    for (int i = 0; i < files->keptCount && !kept; i++)
        kept = qvIsSameFile(files->kept[i], path);
    return kept;
}

qvResult qvFileSet_Check(const qvFileSet* files, const char* path, qvError* error)
{
    if (!IsKept(files, path))
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s is a file of the mesh itself and stays; choose another name",
                       qvPath_FileName(path));
}

qvResult qvFileSet_Add(qvFileSet* files, const char* path, FILE** stream, qvError* error)
{
    qvResult result = qvFileSet_Check(files, path, error);
    if (result != qv_ok)
        return result;
    if (!qvReserve(&files->writers, &files->capacity, files->count + 1, sizeof(qvFileWriter)))
        return qvError_OutOfMemory(error, (double)files->count * sizeof(qvFileWriter));
    result = qvFileWriter_OpenAmong(&files->writers[files->count], path, error);
    if (result == qv_ok && stream != NULL)
        *stream = files->writers[files->count].stream;
    files->count += result == qv_ok;
    return result;
}

static bool HasBytes(const char* path, const void* bytes, size_t size)
{
    qvBytes there = { 0 };
    bool same =
        qvReadFile(path, size, &there, NULL) == qv_ok && there.size == size && memcmp(there.data, bytes, size) == 0;
    qvFreeBytes(&there);
    return same;
}

qvResult qvFileSet_AddFolder(qvFileSet* files, const char* path, qvError* error)
{
    QV_ASSERT(files->folder == NULL);
    struct stat info;
    if (mkdir(path, 0777) == 0)
    {
        files->folder = strdup(path);
        return files->folder != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(path));
    }
    int code = errno;
    bool exists = lstat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return qv_ok;
    if (exists && S_ISLNK(info.st_mode))
        return qvError_Set(error, qv_badInput,
                           "%s: is a symbolic link, and what it leads to stays; name that folder itself, or remove the "
                           "link",
                           path);
    return qvError_Set(error, qv_ioFailed, "%s: a folder of this name cannot be made: %s", path, strerror(code));
}

qvResult qvFileSet_AddBytes(qvFileSet* files, const char* path, const void* bytes, size_t size, qvError* error)
{
    if (IsKept(files, path) && HasBytes(path, bytes, size))
        return qv_ok;
    FILE* stream = NULL;
    qvResult result = qvFileSet_Add(files, path, &stream, error);
    if (result != qv_ok)
        return result;
    fwrite(bytes, 1, size, stream);
    return qvFileSet_Close(files, files->count - 1, error);
}

// All bytes are on the disk afterwards.
static qvResult CloseWriter(qvFileSet* files, qvFileWriter* writer, qvError* error)
{
    if (writer->stream == NULL)
        return qv_ok;
    long size = ftell(writer->stream);
    files->bytes += size > 0 ? (double)size : 0.0;
    return qvFileWriter_Close(writer, error);
}

qvResult qvFileSet_Close(qvFileSet* files, int index, qvError* error)
{
    QV_ASSERT(0 <= index && index < files->count);
    return CloseWriter(files, &files->writers[index], error);
}

// The file that was asked for comes last: what it refers to is there by then.
static qvResult Rename(qvFileSet* files, qvError* error)
{
    for (int i = files->count - 1; i >= 0; i--)
    {
        qvResult result = qvFileWriter_Commit(&files->writers[i], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

qvResult qvFileSet_Commit(qvFileSet* files, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; i < files->count && result == qv_ok; i++)
        result = CloseWriter(files, &files->writers[i], error);
    if (result == qv_ok)
        result = Rename(files, error);
    qvFileSet done = { .bytes = files->bytes, .written = files->count };
    if (result == qv_ok)
    {
        free(files->folder);
        files->folder = NULL;
    }
    qvFileSet_Discard(files);
    if (result == qv_ok)
        *files = done;
    return result;
}

void qvFileSet_Discard(qvFileSet* files)
{
    for (int i = 0; i < files->count; i++)
        qvFileWriter_Discard(&files->writers[i]);
    free(files->writers);
    if (files->folder != NULL)
        rmdir(files->folder); // stays where other files came into it
    free(files->folder);
    *files = (qvFileSet){ 0 };
}
