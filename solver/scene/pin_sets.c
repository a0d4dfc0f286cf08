// SPDX-License-Identifier: GPL-3.0-or-later
// Pins that come and go: which points are held in each segment between keys. A pin holds a segment when the segment's
// middle lies in the pin's time; the first segment's pins also hold before it, the last one's after it.
#include "base/memory.h"
#include "scene/pipeline.h"

#include <stdlib.h>
#include <string.h>

// The middle of the segment that arrives at a key.
static double MiddleBefore(const qvScene* scene, int key)
{
    double time = scene->keys[key]->time, range[2];
    if (scene->keyCount == 1)
        return time;
    if (key > 0)
        return 0.5 * (scene->keys[key - 1]->time + time);
    if (!scene->loop)
        return 0.5 * (time + scene->keys[1]->time);
    qvScene_Range(scene, range);
    double middle = 0.5 * (scene->keys[scene->keyCount - 1]->time - (range[1] - range[0]) + time);
    return middle < range[0] ? middle + (range[1] - range[0]) : middle;
}

// marks [pinCount]: pins that hold at a time.
static void MarkActive(const qvScene* scene, double time, bool* marks)
{
    for (int i = 0; i < scene->pinCount; i++)
        marks[i] = time >= scene->pins[i]->from && time <= scene->pins[i]->to;
}

static qvResult GatherPoints(const qvScene* scene, const qvBody* body, const bool* active, int32_t** points, int* count,
                             qvError* error)
{
    int n = body->mesh->pointCount;
    bool* marks = qvAllocate((size_t)n, sizeof(*marks));
    *points = qvAllocateRaw((size_t)n, sizeof(**points));
    *count = 0;
    qvResult result =
        marks != NULL && *points != NULL ? qv_ok : qvError_OutOfMemory(error, (double)n * sizeof(int32_t));
    for (int i = 0; result == qv_ok && i < scene->pinCount; i++)
    {
        int32_t* own = NULL;
        int ownCount = 0;
        if (active[i])
            result = qvVertexSet_Points(&scene->pins[i]->where, body, &own, &ownCount, error);
        for (int k = 0; k < ownCount; k++)
            marks[own[k]] = true;
        free(own);
    }
    for (int i = 0; result == qv_ok && i < n; i++)
    {
        if (marks[i])
            (*points)[(*count)++] = i;
    }
    free(marks);
    return result;
}

// The set of a segment: one that is there already, or a new one at the end.
static qvResult AddSet(const qvScene* scene, const qvBody* body, const bool* active, qvPinSets* sets, int* set,
                       qvError* error)
{
    int32_t** points = &sets->sets[sets->count];
    int* size = &sets->sizes[sets->count];
    qvResult result = GatherPoints(scene, body, active, points, size, error);
    int same = 0;
    while (result == qv_ok && same < sets->count &&
           (sets->sizes[same] != *size || memcmp(sets->sets[same], *points, (size_t)*size * sizeof(**points)) != 0))
        same++;
    *set = same;
    if (result == qv_ok && same == sets->count)
    {
        sets->count++;
        return qv_ok;
    }
    free(*points);
    *points = NULL;
    return result;
}

static bool SamePins(const bool* a, const bool* b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof(*a)) == 0;
}

qvResult qvMakePinSets(const qvScene* scene, const qvBody* body, qvPinSets* sets, qvError* error)
{
    size_t keys = (size_t)scene->keyCount, pins = (size_t)scene->pinCount;
    *sets = (qvPinSets){ 0 };
    sets->sets = qvAllocate(keys, sizeof(*sets->sets));
    sets->sizes = qvAllocate(keys, sizeof(*sets->sizes));
    sets->setOfKey = qvAllocate(keys, sizeof(*sets->setOfKey));
    bool* active = qvAllocate(2 * pins, sizeof(*active));
    qvResult result = qv_ok;
    if (sets->sets == NULL || sets->sizes == NULL || sets->setOfKey == NULL || active == NULL)
        result = qvError_OutOfMemory(error, (double)keys * sizeof(*sets->sets));
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
    {
        bool *now = active + (i % 2 == 0 ? 0 : pins), *before = active + (i % 2 == 0 ? pins : 0);
        MarkActive(scene, MiddleBefore(scene, i), now);
        if (i > 0 && SamePins(now, before, scene->pinCount))
            sets->setOfKey[i] = sets->setOfKey[i - 1];
        else
            result = AddSet(scene, body, now, sets, &sets->setOfKey[i], error);
    }
    free(active);
    return result;
}

void qvFreePinSets(qvPinSets* sets)
{
    for (int i = 0; i < sets->count; i++)
        free(sets->sets[i]);
    free(sets->sets);
    free(sets->sizes);
    free(sets->setOfKey);
    *sets = (qvPinSets){ 0 };
}
