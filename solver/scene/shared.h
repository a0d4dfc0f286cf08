// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of scenes: immutable once they are in a scene, counted, and shared between snapshots. A part is a plain struct
// (or text, or list of parts) with its count of owners hidden before it.
#pragma once

#include "quaver/scene.h"

#include <stddef.h>
#include <stdint.h>

/// What a struct holds: the offsets of its pointers to other parts.
typedef struct qvSharedType
{
    size_t size; ///< of the struct; 0: it varies
    const size_t* parts;
    int partCount;
} qvSharedType;

/// Of the scene, and of every kind of object that is not embedded in it.
#define QV_OBJECT(word, name) extern const qvSharedType qvShared##name;
#include "quaver/object_list.inl"
#undef QV_OBJECT

/// A zeroed struct with one owner; NULL when memory runs out.
void* qvCreateShared(const qvSharedType* type);
/// A copy that shares the parts.
void* qvCloneShared(const qvSharedType* type, const void* object);
/// A text; a list of count parts, all NULL, to be filled before it is shared.
char* qvCreateSharedText(const char* text);
const void** qvCreateSharedList(int count);
/// Copies size bytes.
const qvBlob* qvCreateBlob(const void* data, size_t size);

/// One owner more or fewer; NULL is allowed. Thread-safe.
const void* qvRetainShared(const void* object);
void qvReleaseShared(const void* object);
/// Puts a part (or NULL), whose ownership it takes, where another was.
void qvReplaceShared(void* slot, const void* object);

/// Bytes of a part, its header and the parts inside that an older or newer version b of it (or NULL) does not share.
size_t qvShared_OwnBytes(const void* a, const void* b);
/// A hash kept with a part once it is known; 0: not known. Thread-safe.
uint64_t qvShared_GetHash(const void* object);
void qvShared_SetHash(const void* object, uint64_t hash);
/// Hash of a blob's bytes.
uint64_t qvBlob_Hash(const qvBlob* blob);
