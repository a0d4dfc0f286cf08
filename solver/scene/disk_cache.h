// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in files of a folder, the oldest of which go when they become too many. Whatever fails only costs time.
#pragma once

#include "quaver/motion.h"

#include <sys/types.h>

typedef struct qvDiskCache qvDiskCache;

/// Files go to FOLDER/modes-VERSION; it is made when first needed. limit: bytes of all files. NULL when memory runs
/// out.
qvDiskCache* qvCreateDiskCache(const char* folder, size_t limit);
/// Another limit from now on; what is too much goes at once. Thread-safe.
void qvDiskCache_SetLimit(qvDiskCache* cache, size_t limit);
qvDiskCache* qvRetainDiskCache(qvDiskCache* cache); // NULL is allowed
void qvDestroyDiskCache(qvDiskCache* cache);        // the last owner; NULL is allowed

/// Deletes the oldest files until so many bytes more fit, for files of steps as they grow. Thread-safe.
void qvDiskCache_MakeRoom(void* cache, size_t bytes);

/// Bytes that all its files may take. Thread-safe.
size_t qvDiskCache_Limit(qvDiskCache* cache);

/// Where its files are, made by now.
const char* qvDiskCache_Folder(qvDiskCache* cache);

/// Who may read and write its files: whom its folder allows.
mode_t qvDiskCache_FileMode(const qvDiskCache* cache);

/// A store that keeps its numbers here, for as long as the cache lives.
qvNumberStore qvDiskCache_Store(qvDiskCache* cache);
