// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/file.h"

#include "base/memory.h"
#include "base/own_file.h"
#include "quaver/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static qvResult Fail(qvError* error, const char* path, const char* doing, int code)
{
    qvResult result = code == ENOENT ? qv_notFound : qv_ioFailed;
    const char* hint = code == ENOENT ? "check the path" : code == EACCES ? "check the permissions" : "";
    if (code == ENOSPC || code == EDQUOT)
        hint = "free some space";
    qvError_Set(error, result, "cannot %s: %s%s%s", doing, strerror(code), *hint ? "; " : "", hint);
    qvError_Prefix(error, "%s", path); // may be longer than a message
    return result;
}

// Reads until the end of the file or until the buffer is full.
static ssize_t ReadAll(int file, char* data, size_t size)
{
    size_t done = 0;
    while (done < size)
    {
        ssize_t got = read(file, data + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

// Opens a regular file. Non-blocking, so that opening a pipe that nobody writes to returns at once.
static qvResult OpenRegular(const char* path, int* file, size_t* size, qvError* error)
{
    struct stat info;
    *size = 0;
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return Fail(error, path, "open", errno);
    qvResult result = qv_ok;
    if (fstat(*file, &info) != 0)
        result = Fail(error, path, "read", errno);
    else if (S_ISDIR(info.st_mode))
        result = qvError_Set(error, qv_badInput, "%s: is a folder; name a file in it", path);
    else if (!S_ISREG(info.st_mode))
        result = qvError_Set(error, qv_badInput, "%s: is not a regular file; copy it to one first", path);
    else
        *size = (size_t)info.st_size;
    if (result != qv_ok)
        close(*file);
    return result;
}

static qvResult ReadOpenFile(int file, const char* path, size_t size, size_t maxSize, qvBytes* bytes, qvError* error)
{
    if (size > maxSize)
        return qvError_Set(error, qv_badInput, "%s: has %.1f MB, more than the %.1f MB that can be read here", path,
                           (double)size / 1e6, (double)maxSize / 1e6);

    char* data = qvAllocateRaw(size + 1, 1);
    if (data == NULL)
        return qvError_OutOfMemory(error, (double)size);
    ssize_t got = ReadAll(file, data, size);
    if (got < 0)
    {
        int code = errno;
        free(data);
        return Fail(error, path, "read", code);
    }
    data[got] = 0;
    *bytes = (qvBytes){ data, (size_t)got };
    return qv_ok;
}

qvResult qvReadFile(const char* path, size_t maxSize, qvBytes* bytes, qvError* error)
{
    *bytes = (qvBytes){ 0 };
    int file;
    size_t size;
    qvResult result = OpenRegular(path, &file, &size, error);
    if (result != qv_ok)
        return result;
    result = ReadOpenFile(file, path, size, maxSize, bytes, error);
    close(file);
    return result;
}

qvResult qvOpenToRead(const char* path, FILE** stream, qvError* error)
{
    *stream = NULL;
    int file;
    size_t size;
    qvResult result = OpenRegular(path, &file, &size, error);
    if (result != qv_ok)
        return result;
    *stream = fdopen(file, "rb");
    if (*stream != NULL)
        return qv_ok;
    close(file);
    return qvError_OutOfMemory(error, BUFSIZ);
}

void qvFreeBytes(qvBytes* bytes)
{
    free(bytes->data);
    *bytes = (qvBytes){ 0 };
}

// A file that is replaced leaves its permissions to the new one.
static bool KeepMode(int file, const char* path)
{
    struct stat info;
    return stat(path, &info) != 0 || fchmod(file, info.st_mode & 0777) == 0;
}

char* qvLinkTarget(const char* path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? realpath(path, NULL) : NULL;
}

// Nobody may write to it: this holds for the superuser too, who would be allowed all the same.
static bool IsProtected(const char* path, const struct stat* info)
{
    return (info->st_mode & 0222) == 0 || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0;
}

qvResult qvCheckTarget(const char* path, qvError* error)
{
    struct stat info, link;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return qvError_Set(error, qv_badInput, "%s: is a folder; name a file", path);
    if (exists && !S_ISREG(info.st_mode))
        return qvError_Set(error, qv_badInput, "%s: is not a regular file; choose another name", path);
    if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
        return qvError_Set(error, qv_badInput,
                           "%s: is a symbolic link, and what it leads to stays; name that file itself, or remove the "
                           "link",
                           path);
    if (exists && IsProtected(path, &info))
        return qvError_Set(error, qv_ioFailed, "%s: is write-protected; choose another name, or allow writing to it",
                           path);
    return qv_ok;
}

qvResult qvFileWriter_OpenAmong(qvFileWriter* writer, const char* path, qvError* error)
{
    *writer = (qvFileWriter){ 0 };
    qvResult result = qvCheckTarget(path, error);
    if (result != qv_ok)
        return result;

    char* folder = qvPath_Folder(path);
    writer->path = strdup(path);
    writer->temporaryPath = folder != NULL && writer->path != NULL ? qvTemporaryPath(folder, NULL) : NULL;
    free(folder);
    if (writer->temporaryPath == NULL)
    {
        qvFileWriter_Discard(writer);
        return qvError_OutOfMemory(error, (double)strlen(path));
    }
    int file = qvCreateTemporary(writer->temporaryPath, O_WRONLY, 0666);
    if (file < 0)
    {
        int code = errno;
        free(writer->temporaryPath);
        writer->temporaryPath = NULL;
        qvFileWriter_Discard(writer);
        return Fail(error, path, "write", code);
    }
    writer->stream = fdopen(file, "wb");
    if (writer->stream == NULL || !KeepMode(file, writer->path))
    {
        int code = errno;
        if (writer->stream == NULL)
            close(file);
        qvFileWriter_Discard(writer);
        return Fail(error, path, "write", code);
    }
    return qv_ok;
}

qvResult qvFileWriter_Open(qvFileWriter* writer, const char* path, qvError* error)
{
    qvResult result = qvFileWriter_OpenAmong(writer, path, error);
    char* folder = result == qv_ok ? qvPath_Folder(path) : NULL;
    if (folder != NULL)
        qvSweepTemporaries(folder, NULL);
    free(folder);
    return result;
}

// Makes the rename itself survive a power cut. Some file systems cannot sync a folder; the data is safe even then.
static void SyncFolder(const char* path)
{
    char* folder = qvPath_Folder(path);
    int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (file >= 0)
    {
        fsync(file);
        close(file);
    }
}

// Why an earlier write failed: a stream keeps the fact but not the cause. A full disk has no room now either.
static int CauseOfError(FILE* stream)
{
    struct stat info;
    int file = fileno(stream);
    int code = fstat(file, &info) == 0 ? posix_fallocate(file, info.st_size, 1 << 16) : EIO;
    return code == ENOSPC || code == EDQUOT || code == EFBIG ? code : EIO;
}

qvResult qvFileWriter_Close(qvFileWriter* writer, qvError* error)
{
    int code = 0;
    if (writer->stream == NULL)
        return qv_ok;
    if (ferror(writer->stream))
        code = CauseOfError(writer->stream);
    else if (fflush(writer->stream) != 0 || fsync(fileno(writer->stream)) != 0)
        code = errno;
    if (fclose(writer->stream) != 0 && code == 0)
        code = errno;
    writer->stream = NULL;
    return code == 0 ? qv_ok : Fail(error, writer->path, "write", code);
}

qvResult qvFileWriter_Commit(qvFileWriter* writer, qvError* error)
{
    qvResult result = qvFileWriter_Close(writer, error);
    if (result == qv_ok && rename(writer->temporaryPath, writer->path) != 0)
        result = Fail(error, writer->path, "write", errno);
    if (result != qv_ok)
    {
        qvFileWriter_Discard(writer);
        return result;
    }
    SyncFolder(writer->path);
    free(writer->temporaryPath);
    free(writer->path);
    *writer = (qvFileWriter){ 0 };
    return qv_ok;
}

void qvFileWriter_Discard(qvFileWriter* writer)
{
    if (writer->stream != NULL)
        fclose(writer->stream);
    if (writer->temporaryPath != NULL)
        unlink(writer->temporaryPath);
    free(writer->temporaryPath);
    free(writer->path);
    *writer = (qvFileWriter){ 0 };
}

qvResult qvWriteFile(const char* path, const void* data, size_t size, qvError* error)
{
    qvFileWriter writer;
    qvResult result = qvFileWriter_Open(&writer, path, error);
    if (result != qv_ok)
        return result;
    fwrite(data, 1, size, writer.stream);
    return qvFileWriter_Commit(&writer, error);
}

bool qvIsSameFile(const char* a, const char* b)
{
    struct stat infoA, infoB;
    return stat(a, &infoA) == 0 && stat(b, &infoB) == 0 && infoA.st_dev == infoB.st_dev && infoA.st_ino == infoB.st_ino;
}
