// SPDX-License-Identifier: GPL-3.0-or-later
// Files that belong together: a .gltf and its .bin, the frames of a sequence. Each is written under a temporary name;
// when all are complete they are renamed. Before that a failure leaves what was there.
#pragma once

#include "quaver/file.h"

typedef struct qvFileSet
{
    int count, capacity;
    qvFileWriter* writers; ///< the first one is the file that was asked for
    double bytes;          ///< of the files that are closed
    int written;           ///< files, after Commit
    char* const* kept;     ///< files that are not to be replaced
    int keptCount;
    char* folder; ///< that was made for them, and goes when they are given up; NULL: none
} qvFileSet;

/// Makes a folder for the files unless it is there; fails where something else has its name.
QV_CHECKED qvResult qvFileSet_AddFolder(qvFileSet* files, const char* path, qvError* error);

/// Fails for a file that is not to be replaced.
QV_CHECKED qvResult qvFileSet_Check(const qvFileSet* files, const char* path, qvError* error);

/// Starts a file. stream (may be NULL) is valid until Close, Commit or Discard.
QV_CHECKED qvResult qvFileSet_Add(qvFileSet* files, const char* path, FILE** stream, qvError* error);

/// Adds a file with these bytes.
QV_CHECKED qvResult qvFileSet_AddBytes(qvFileSet* files, const char* path, const void* bytes, size_t size,
                                       qvError* error);

/// Completes a file, so that a set may have more files than a process can hold open.
QV_CHECKED qvResult qvFileSet_Close(qvFileSet* files, int index, qvError* error);

/// Completes all files and gives them their names. On failure the set is discarded.
QV_CHECKED qvResult qvFileSet_Commit(qvFileSet* files, qvError* error);

/// Gives up and removes what was written. Harmless after Commit.
void qvFileSet_Discard(qvFileSet* files);
