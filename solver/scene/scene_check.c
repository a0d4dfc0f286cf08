// SPDX-License-Identifier: GPL-3.0-or-later
// The rules that hold for a scene as a whole.
#include "scene/labels.h"
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

static int CompareTags(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static qvResult CheckTags(const qvSceneList* list, qvError* error)
{
    size_t offset = qvGetKind(list->kind)->tag, count = (size_t)list->count;
    if (offset == 0)
        return qv_ok;
    const char** tags = qvAllocateRaw(count, sizeof(*tags));
    if (tags == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*tags));
    for (size_t i = 0; i < count; i++)
        tags[i] = (const char*)list->items[i] + offset - 1;
    qsort(tags, count, sizeof(*tags), CompareTags);
    qvResult result = qv_ok;
    for (size_t i = 1; i < count && result == qv_ok; i++)
    {
        if (strcmp(tags[i - 1], tags[i]) == 0)
            result = qvError_Set(error, qv_badInput, "%s: two have the id \"%s\", each needs its own",
                                 list->row->field.tag, tags[i]);
    }
    free(tags);
    return result;
}

#define LEAST_GAP 1e-9 // s between keys, as the motion needs it

static qvResult CheckTimes(const qvScene* scene, qvError* error)
{
    for (int i = 1; i < scene->keyCount; i++)
    {
        const qvSceneKey *a = scene->keys[i - 1], *b = scene->keys[i];
        if (b->time - a->time < LEAST_GAP)
            return qvError_Set(error, qv_badInput, "keys \"%s\" and \"%s\" are both at %g s; move one of them", a->tag,
                               b->tag, a->time);
    }
    return qv_ok;
}

static qvResult CheckLoop(const qvScene* scene, qvError* error)
{
    if (!scene->loop || scene->keyCount == 0)
        return qv_ok;
    const qvSceneKey* key = scene->keys[scene->keyCount - 1];
    double range[2];
    qvScene_Range(scene, range);
    if (key->time < range[1])
        return qv_ok;
    if (!scene->hasRange)
        return qvError_Set(error, qv_badInput, "loop: needs a range that ends after the last key at %g s", key->time);
    return qvError_Set(error, qv_badInput,
                       "%s is at or beyond the end of the loop at %g s; move it or make the range longer",
                       qvSceneKey_Label(key).text, range[1]);
}

// In a loop the keys of obstacles go round with it.
static qvResult CheckObstacles(const qvScene* scene, qvError* error)
{
    double range[2];
    qvScene_Range(scene, range);
    for (int i = 0; scene->loop && i < scene->obstacleCount; i++)
    {
        const qvSceneObstacle* obstacle = scene->obstacles[i];
        for (int k = 0; k < obstacle->keyCount; k++)
        {
            double time = obstacle->keys[k]->time;
            if (!(time >= range[0] && time < range[1]))
                return qvError_Set(error, qv_badInput,
                                   "obstacle \"%s\" has a key at %g s, outside the loop from %g s to %g s (its end is "
                                   "its start); move it or make the range longer",
                                   obstacle->tag, time, range[0], range[1]);
        }
    }
    return qv_ok;
}

// Follows bases from each key once. marks[k] is 1 + the key where the walk that met k began.
static qvResult CheckCycles(const qvScene* scene, qvError* error)
{
    int* marks = qvAllocate((size_t)scene->keyCount, sizeof(*marks));
    if (marks == NULL)
        return qvError_OutOfMemory(error, scene->keyCount * sizeof(*marks));
    qvResult result = qv_ok;
    for (int i = 0; i < scene->keyCount && result == qv_ok; i++)
    {
        int at = i;
        while (marks[at] == 0)
        {
            marks[at] = i + 1;
            const qvSceneKey* key = scene->keys[at];
            if (key->base != qv_baseKey || qvScene_FindKey(scene, key->baseKey, &at) == NULL)
                break;
            if (marks[at] == i + 1)
                result =
                    qvError_Set(error, qv_badInput, "%s is%s its own base; name another key or \"rest\"",
                                qvSceneKey_Label(scene->keys[at]).text, scene->keys[at] == key ? "" : ", over others,");
        }
    }
    free(marks);
    return result;
}

static qvResult CheckStrips(const qvScene* scene, qvError* error)
{
    bool used[200] = { false };
    for (int i = 0; i < scene->stripCount; i++)
    {
        int mode = scene->strips[i]->def.mode;
        if (used[mode])
            return qvError_Set(error, qv_badInput, "mixer[%d].mode: mode %d has a strip already", i, mode);
        used[mode] = true;
    }
    return qv_ok;
}

qvResult qvCheckScene(const qvScene* scene, qvError* error)
{
    qvResult result = qv_ok;
    for (qvSceneList list = { 0 }; result == qv_ok && qvScene_NextList(scene, &list);)
        result = CheckTags(&list, error);
    if (result == qv_ok)
        result = CheckTimes(scene, error);
    if (result == qv_ok)
        result = CheckLoop(scene, error);
    if (result == qv_ok)
        result = CheckObstacles(scene, error);
    if (result == qv_ok)
        result = CheckCycles(scene, error);
    return result == qv_ok ? CheckStrips(scene, error) : result;
}
