// SPDX-License-Identifier: GPL-3.0-or-later
/// Reading whole files with a size limit, and writing that never leaves half a file.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvBytes
{
    char* data; ///< size bytes and a terminating zero; free with qvFreeBytes
    size_t size;
} qvBytes;

/// Reads a regular file. Missing, unreadable, a directory or a device, or larger than maxSize: an error that starts
/// with the path.
QV_CHECKED qvResult qvReadFile(const char* path, size_t maxSize, qvBytes* bytes, qvError* error);
void qvFreeBytes(qvBytes* bytes);

/// The same file for who reads it piece by piece, to be closed with fclose. Fails as qvReadFile does, and never waits
/// for whoever might write into a pipe of that name.
QV_CHECKED qvResult qvOpenToRead(const char* path, FILE** stream, qvError* error);

/// Whether a file may be written, or replaced, under a name. A folder from elsewhere may carry a symbolic link to any
/// file of the user's: like what is write-protected or no regular file it is an error that starts with the path.
QV_CHECKED qvResult qvCheckTarget(const char* path, qvError* error);

/// What a symbolic link leads to, for those who know that file as their own; malloc'ed. NULL: no link, or to nothing.
char* qvLinkTarget(const char* path);

/// A file that takes its name only when it is complete: written beside its target under a temporary name, synced,
/// and renamed. What was there before stays until then. Write to stream with stdio; write errors surface in Commit.
typedef struct qvFileWriter
{
    FILE* stream;
    char* path;
    char* temporaryPath;
} qvFileWriter;

/// Fails as qvCheckTarget does. Temporary files in the same folder that writers left behind a day ago or more are
/// removed.
QV_CHECKED qvResult qvFileWriter_Open(qvFileWriter* writer, const char* path, qvError* error);

/// Everything that was written is on the disk afterwards, still under the temporary name, and the stream is closed.
QV_CHECKED qvResult qvFileWriter_Close(qvFileWriter* writer, qvError* error);

/// Closes and renames. On failure the temporary file is removed and the target is as before.
QV_CHECKED qvResult qvFileWriter_Commit(qvFileWriter* writer, qvError* error);

/// Gives up and removes the temporary file. Harmless after Commit.
void qvFileWriter_Discard(qvFileWriter* writer);

/// Whether both paths lead to one file.
bool qvIsSameFile(const char* a, const char* b);

/// Open, write and commit in one.
QV_CHECKED qvResult qvWriteFile(const char* path, const void* data, size_t size, qvError* error);

#ifdef __cplusplus
}
#endif
