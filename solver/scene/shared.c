// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/shared.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Stands before every part.
typedef struct Header
{
    atomic_size_t owners;
    size_t size; // of what follows
    const qvSharedType* type;
    _Atomic uint64_t hash; // of a blob's bytes, or of what a finished part says
} Header;

_Static_assert(sizeof(Header) % _Alignof(max_align_t) == 0, "what follows the header must be aligned");

#define PART(type, member) offsetof(type, member)
#define TYPE(name, ofType)                              \
    const qvSharedType name = { .size = sizeof(ofType), \
                                .parts = name##Parts,   \
                                .partCount = sizeof(name##Parts) / sizeof(name##Parts[0]) }

static const size_t qvSharedSceneParts[] = {
    PART(qvScene, mesh.file),   PART(qvScene, clip.name), PART(qvScene, weights),   PART(qvScene, pins),
    PART(qvScene, strips),      PART(qvScene, markers),   PART(qvScene, keys),      PART(qvScene, events),
    PART(qvScene, simulations), PART(qvScene, extra),     PART(qvScene, obstacles),
};
static const size_t qvSharedPinParts[] = { PART(qvScenePin, where.vertices), PART(qvScenePin, extra) };
static const size_t qvSharedStripParts[] = { PART(qvSceneStrip, extra) };
static const size_t qvSharedMarkerParts[] = { PART(qvSceneMarker, extra) };
static const size_t qvSharedStrokeParts[] = { PART(qvSceneStroke, mask), PART(qvSceneStroke, extra) };
static const size_t qvSharedKeyParts[] = {
    PART(qvSceneKey, offsets),
    PART(qvSceneKey, strokes.strokes),
    PART(qvSceneKey, before.strokes.strokes),
    PART(qvSceneKey, after.strokes.strokes),
    PART(qvSceneKey, before.offsets),
    PART(qvSceneKey, after.offsets),
    PART(qvSceneKey, only.vertices),
    PART(qvSceneKey, extra),
};
static const size_t qvSharedEventParts[] = { PART(qvSceneEvent, mask), PART(qvSceneEvent, path),
                                             PART(qvSceneEvent, extra) };
static const size_t qvSharedSimulationParts[] = { PART(qvSceneSimulation, wobble), PART(qvSceneSimulation, melt),
                                                  PART(qvSceneSimulation, dent),   PART(qvSceneSimulation, joints),
                                                  PART(qvSceneSimulation, parts),  PART(qvSceneSimulation, extra) };
static const size_t qvSharedJointParts[] = { PART(qvSceneJoint, extra) };
static const size_t qvSharedPartParts[] = { PART(qvScenePart, extra) };
static const size_t qvSharedObstacleParts[] = { PART(qvSceneObstacle, file), PART(qvSceneObstacle, keys),
                                                PART(qvSceneObstacle, extra) };
static const size_t qvSharedObstacleKeyParts[] = { PART(qvSceneObstacleKey, extra) };

TYPE(qvSharedScene, qvScene);
TYPE(qvSharedPin, qvScenePin);
TYPE(qvSharedStrip, qvSceneStrip);
TYPE(qvSharedMarker, qvSceneMarker);
TYPE(qvSharedStroke, qvSceneStroke);
TYPE(qvSharedKey, qvSceneKey);
TYPE(qvSharedEvent, qvSceneEvent);
TYPE(qvSharedSimulation, qvSceneSimulation);
TYPE(qvSharedJoint, qvSceneJoint);
TYPE(qvSharedPart, qvScenePart);
TYPE(qvSharedObstacle, qvSceneObstacle);
TYPE(qvSharedObstacleKey, qvSceneObstacleKey);

// Texts and blobs hold no parts, lists nothing else.
static const qvSharedType plainType = { 0 };
static const qvSharedType listType = { 0 };

static Header* HeaderOf(const void* object)
{
    return (Header*)(uintptr_t)object - 1;
}

static void* Create(const qvSharedType* type, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    Header* header = calloc(1, sizeof(Header) + size);
    if (header == NULL)
        return NULL;
    atomic_init(&header->owners, 1);
    header->size = size;
    header->type = type;
    return header + 1;
}

void* qvCreateShared(const qvSharedType* type)
{
    return Create(type, type->size);
}

static const void** PartSlot(const void* object, size_t offset)
{
    return (const void**)((uintptr_t)object + offset);
}

void* qvCloneShared(const qvSharedType* type, const void* object)
{
    void* copy = Create(type, type->size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, object, type->size);
    for (int i = 0; i < type->partCount; i++)
        qvRetainShared(*PartSlot(copy, type->parts[i]));
    return copy;
}

char* qvCreateSharedText(const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = Create(&plainType, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

const void** qvCreateSharedList(int count)
{
    return Create(&listType, (size_t)count * sizeof(void*));
}

const qvBlob* qvCreateBlob(const void* data, size_t size)
{
    qvBlob* blob = size < SIZE_MAX / 2 ? Create(&plainType, sizeof(qvBlob) + size) : NULL;
    if (blob == NULL)
        return NULL;
    if (size > 0)
        memcpy(blob + 1, data, size);
    blob->size = size;
    blob->data = blob + 1;
    qvShared_SetHash(blob, qvHash(blob->data, size, size));
    return blob;
}

const void* qvRetainShared(const void* object)
{
    if (object != NULL)
        atomic_fetch_add_explicit(&HeaderOf(object)->owners, 1, memory_order_relaxed);
    return object;
}

static void ReleaseParts(const Header* header, const void* object)
{
    const qvSharedType* type = header->type;
    for (int i = 0; i < type->partCount; i++)
        qvReleaseShared(*PartSlot(object, type->parts[i]));
    if (type == &listType)
    {
        for (size_t i = 0; i < header->size / sizeof(void*); i++)
            qvReleaseShared(((void* const*)object)[i]);
    }
}

void qvReleaseShared(const void* object)
{
    if (object == NULL)
        return;
    Header* header = HeaderOf(object);
    // Whoever frees must see what the other owners did before they let go.
    if (atomic_fetch_sub_explicit(&header->owners, 1, memory_order_acq_rel) > 1)
        return;
    ReleaseParts(header, object); // scene, list, key, list, stroke, blob: no deeper
    free(header);
}

void qvReplaceShared(void* slot, const void* object)
{
    const void** part = slot;
    qvReleaseShared(*part);
    *part = object;
}

// The item of a list with the same id as this one; *hint is where to look first.
static const void* FindVersion(const void* list, const void* item, size_t* hint)
{
    if (list == NULL)
        return NULL;
    size_t count = HeaderOf(list)->size / sizeof(void*);
    const void* const* items = list;
    for (size_t i = 0; i < count; i++)
    {
        size_t at = (*hint + i) % count;
        if (*(const qvId*)items[at] == *(const qvId*)item)
        {
            *hint = at + 1;
            return items[at];
        }
    }
    return NULL;
}

size_t qvShared_OwnBytes(const void* a, const void* b)
{
    if (a == NULL || a == b)
        return 0;
    const Header* header = HeaderOf(a);
    size_t bytes = sizeof(Header) + header->size, hint = 0;
    for (int i = 0; i < header->type->partCount; i++)
    {
        size_t offset = header->type->parts[i];
        bytes += qvShared_OwnBytes(*PartSlot(a, offset), b != NULL ? *PartSlot(b, offset) : NULL);
    }
    for (size_t i = 0; header->type == &listType && i < header->size / sizeof(void*); i++)
    {
        const void* item = ((const void* const*)a)[i];
        bytes += qvShared_OwnBytes(item, FindVersion(b, item, &hint));
    }
    return bytes;
}

uint64_t qvShared_GetHash(const void* object)
{
    return atomic_load_explicit(&HeaderOf(object)->hash, memory_order_relaxed);
}

void qvShared_SetHash(const void* object, uint64_t hash)
{
    atomic_store_explicit(&HeaderOf(object)->hash, hash, memory_order_relaxed);
}

uint64_t qvBlob_Hash(const qvBlob* blob)
{
    return blob != NULL ? qvShared_GetHash(blob) : 0;
}
