// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of the history has changed, found by comparing its scene with the one before: snapshots share what did
// not change, so that addresses tell.
#include "scene/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A list of a scene; every object in one begins with its id.
typedef struct List
{
    qvObjectKind kind;
    int counts[2]; // before, after
    const void* const* items[2];
} List;

// Objects of one kind that a step has changed, added or taken away.
typedef struct Changed
{
    qvObjectKind kind;
    int count;
    int side; // 1: it is there afterwards
    int index;
    qvId id;
} Changed;

static qvId IdOf(const void* object)
{
    return *(const qvId*)object;
}

static const void* Find(const List* list, int side, qvId id)
{
    for (int i = 0; i < list->counts[side]; i++)
    {
        if (IdOf(list->items[side][i]) == id)
            return list->items[side][i];
    }
    return NULL;
}

static void Compare(const List* list, Changed* changed)
{
    *changed = (Changed){ .kind = list->kind };
    for (int side = 0; side < 2; side++)
    {
        for (int i = 0; i < list->counts[side]; i++)
        {
            const void* object = list->items[side][i];
            const void* other = Find(list, 1 - side, IdOf(object));
            if (other == object || (side == 0 && other != NULL))
                continue;
            changed->count++;
            changed->side = side;
            changed->index = i;
            changed->id = IdOf(object);
        }
    }
}

// The first kind of which anything has changed. False: none.
static bool FindChanged(const qvScene* a, const qvScene* b, Changed* changed)
{
#define LIST(kind, name)                                                   \
    {                                                                      \
        kind, { a->name##Count, b->name##Count },                          \
        {                                                                  \
            (const void* const*)a->name##s, (const void* const*)b->name##s \
        }                                                                  \
    }
    const List lists[] = {
        LIST(qv_objectKey, key),           LIST(qv_objectEvent, event), LIST(qv_objectSimulation, simulation),
        LIST(qv_objectObstacle, obstacle), LIST(qv_objectPin, pin),     LIST(qv_objectStrip, strip),
        LIST(qv_objectMarker, marker),
    };
#undef LIST
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
    {
        Compare(&lists[i], changed);
        if (changed->count > 0)
            return true;
    }
    return false;
}

static void Append(char* text, size_t capacity, const char* more)
{
    size_t length = strlen(text);
    snprintf(text + length, capacity - length, "%s", more);
}

// ", key 2 at 0.42 s", ", 3 keys".
static void AppendWhere(const qvScene* scene, const Changed* changed, char* text, size_t capacity)
{
    const char* word = changed->kind == qv_objectEvent   ? "wave"
                       : changed->kind == qv_objectStrip ? "mode"
                       : changed->kind == qv_objectPin   ? "pin set"
                                                         : qvObjectKind_Word(changed->kind);
    char where[2 * qv_maxName] = "";
    double time = NAN;
    if (changed->kind == qv_objectKey)
        time = scene->keys[changed->index]->time;
    else if (changed->kind == qv_objectEvent)
        time = scene->events[changed->index]->def.time;
    else if (changed->kind == qv_objectSimulation)
        time = scene->simulations[changed->index]->def.time;
    else if (changed->kind == qv_objectMarker)
        time = scene->markers[changed->index]->time;
    if (changed->count > 1)
        snprintf(where, sizeof(where), ", %d %ss", changed->count, word);
    else if (changed->kind == qv_objectKey)
        snprintf(where, sizeof(where), ", key %d at %.2f s", changed->index + 1, time);
    else if (isfinite(time))
        snprintf(where, sizeof(where), ", %s at %.2f s", word, time);
    else if (changed->kind == qv_objectStrip)
        snprintf(where, sizeof(where), ", mode %d", scene->strips[changed->index]->def.mode + 1);
    else
        snprintf(where, sizeof(where), ", %s %d", word, changed->index + 1);
    Append(text, capacity, where);
}

// " zero", " 0.5 Hz": what a field has become.
static void AppendValue(const qvScene* scene, qvRef object, const qvField* field, char* text, size_t capacity)
{
    double values[4];
    char value[qv_maxName + 32] = "";
    if (!qvReadField(scene, object, field->tag, values) || isnan(values[0]))
        return;
    if (field->type == qv_fieldChoice)
        snprintf(value, sizeof(value), " %s", field->names[(int)values[0]]);
    else if (field->type == qv_fieldBool)
        snprintf(value, sizeof(value), " %s", values[0] != 0.0 ? "on" : "off");
    else if (field->type == qv_fieldNumber || field->type == qv_fieldInt)
        snprintf(value, sizeof(value), " %.4g%s%s", values[0], field->unit[0] != 0 ? " " : "", field->unit);
    if (field->type == qv_fieldChoice && value[1] >= 'A' && value[1] <= 'Z')
        value[1] = (char)(value[1] - 'A' + 'a');
    Append(text, capacity, value);
}

static bool IsOther(const double* a, const double* b)
{
    for (int i = 0; i < 4; i++)
    {
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return true;
    }
    return false;
}

// Whether a step's label is that of a field which it has changed for this object.
static bool AppendField(const qvStep* before, const qvStep* after, qvRef object, char* text, size_t capacity)
{
    for (int i = 0; i < qvFieldCount(object.kind); i++)
    {
        const qvField* field = qvGetField(object.kind, i);
        double a[4] = { 0 }, b[4] = { 0 };
        bool isThere = strcmp(field->label, after->label) == 0 && qvReadField(after->scene, object, field->tag, b);
        if (!isThere || !qvReadField(before->scene, object, field->tag, a) || !IsOther(a, b))
            continue;
        AppendValue(after->scene, object, field, text, capacity);
        return true;
    }
    return false;
}

void qvDocument_DescribeStep(const qvDocument* document, int step, char* text, size_t capacity)
{
    const qvStep* after = &document->steps.items[step];
    snprintf(text, capacity, "%s", after->label);
    if (step == 0)
        return;
    const qvStep* before = after - 1;
    Changed changed;
    if (FindChanged(before->scene, after->scene, &changed))
    {
        const qvStep* side = changed.side == 1 ? after : before;
        if (changed.count == 1 && changed.side == 1)
            AppendField(before, after, (qvRef){ changed.kind, changed.id }, text, capacity);
        AppendWhere(side->scene, &changed, text, capacity);
        return;
    }
    for (int kind = 0; kind < qv_objectKindCount; kind++)
    {
        if (AppendField(before, after, (qvRef){ (qvObjectKind)kind, 0 }, text, capacity))
            return;
    }
}
