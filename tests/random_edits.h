// SPDX-License-Identifier: GPL-3.0-or-later
// Random edits of a document from the tables of fields, for property tests and the fuzzer.
#pragma once

#include "quaver/document.h"
#include "scene/fields.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t RandomBits(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline int RandomBelow(uint64_t* state, int bound)
{
    return bound > 0 ? (int)(RandomBits(state) % (uint64_t)bound) : 0;
}

static inline double RandomIn(uint64_t* state, double low, double high)
{
    return low + (high - low) * (double)(RandomBits(state) >> 11) * 0x1p-53;
}

// Any object of the document; id 0 when there is none of the kind.
static inline qvRef RandomObject(const qvScene* scene, uint64_t* state)
{
    qvRef ref = { (qvObjectKind)RandomBelow(state, qv_objectKindCount), 0 };
    const qvSceneKey* key = scene->keyCount > 0 ? scene->keys[RandomBelow(state, scene->keyCount)] : NULL;
    if (ref.kind == qv_objectKey && key != NULL)
        ref.id = key->id;
    else if (ref.kind == qv_objectStroke && key != NULL && key->strokes.count > 0)
        ref.id = key->strokes.strokes[RandomBelow(state, key->strokes.count)]->id;
    const qvSceneObstacle* obstacle =
        scene->obstacleCount > 0 ? scene->obstacles[RandomBelow(state, scene->obstacleCount)] : NULL;
    if (ref.kind == qv_objectObstacleKey && obstacle != NULL && obstacle->keyCount > 0)
        ref.id = obstacle->keys[RandomBelow(state, obstacle->keyCount)]->id;
    const qvSceneSimulation* simulation =
        scene->simulationCount > 0 ? scene->simulations[RandomBelow(state, scene->simulationCount)] : NULL;
    if (ref.kind == qv_objectJoint && simulation != NULL && simulation->jointCount > 0)
        ref.id = simulation->joints[RandomBelow(state, simulation->jointCount)]->id;
    if (ref.kind == qv_objectPart && simulation != NULL && simulation->partCount > 0)
        ref.id = simulation->parts[RandomBelow(state, simulation->partCount)]->id;
    for (qvSceneList list = { 0 }; ref.id == 0 && qvScene_NextList(scene, &list);)
    {
        if (list.kind == ref.kind && list.count > 0)
            ref.id = *(const qvId*)list.items[RandomBelow(state, list.count)];
    }
    return ref;
}

// A number that is mostly in the field's range.
static inline double RandomNumber(const qvField* field, uint64_t* state)
{
    if (RandomBelow(state, 20) == 0)
        return RandomIn(state, -1e7, 1e7);
    bool isTime = strcmp(field->unit, "s") == 0;
    double low = fmax(field->minimum, isTime ? -1.0 : -10.0), high = fmin(field->maximum, isTime ? 3.0 : 10.0);
    double value = RandomIn(state, low, high);
    return RandomBelow(state, 3) == 0 ? round(value) : value;
}

// A value for structures of their own.
static inline const char* RandomStructure(const qvField* field, uint64_t* state)
{
    static const char* const values[][7] = {
        { "base", "\"rest\"", "{\"key\":\"start\"}", "{\"key\":\"mid\"}", "{\"offsets\":\"AAAAAAAAgD8AAABA\"}", NULL },
        { "strokes", "[]", "[{\"brush\":\"grab\",\"drag\":[1,0,0]},{\"brush\":\"smooth\"}]", "null", NULL },
        { "velocity", "null", "{\"mode\":\"zero\"}",
          "{\"mode\":\"broken\",\"in\":[1,0,0],\"out\":{\"strokes\":[{\"brush\":\"twist\",\"angle\":1}]}}",
          "{\"mode\":\"set\",\"value\":[0,1,0]}", "{\"mode\":\"set\",\"value\":{\"offsets\":\"AAAAAAAAgD8AAABA\"}}",
          NULL },
        { "transform", "null", "{}", "{\"translate\":[1,2,3],\"turns\":1}", NULL },
        { "camera", "null", "{}", "{\"target\":[1,2,3],\"lens\":20,\"ortho\":true}", NULL },
        { "ground", "null", "{}", "{\"height\":-1,\"friction\":1}", NULL },
        { "keys", "null", "[]", "[{\"time\":0},{\"time\":0.5,\"at\":[1,2,3],\"n\":1}]", NULL },
        { "wave", "null", "{\"kind\":\"ripple\"}", "{\"speed\":2}", NULL },
        { "only", "null", "{\"vertices\":[1,2,3]}", "{\"box\":[[0,0,0],[1,1,1]]}", NULL },
        { "vertices", "[0,1]", "[]", "[7]", NULL },
        { "box", "[[0,0,0],[1,1,1]]", "null", NULL },
        { "mask", "null", "\"AACAPwAAAAA=\"", NULL },
        { "weights", "null", "\"AACAPwAAAAA=\"", NULL },
        { "path", "null", "[[0,0,0],[1,2,3]]", NULL },
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
    {
        int count = 0;
        while (values[i][count + 1] != NULL)
            count++;
        if (strcmp(values[i][0], field->tag) == 0)
            return values[i][1 + RandomBelow(state, count)];
    }
    return "null";
}

// A text that means something to a field.
static inline const char* RandomName(const qvField* field)
{
    return strcmp(field->tag, "id") == 0 ? "start" : strcmp(field->tag, "engine") == 0 ? "points" : "";
}

static inline void AddRandomValue(qvJson* list, const qvField* field, uint64_t* state)
{
    static const char* const axes[] = { "", "x", "yz", "xyz", "w" };
    double v[4] = { RandomNumber(field, state), RandomNumber(field, state), RandomNumber(field, state),
                    RandomNumber(field, state) };
    int count = 0;
    switch (field->type)
    {
    case qv_fieldNumber:
        if (strcmp(field->tag, "melt") == 0 && v[1] > v[2])
        {
            qvJson* knots = qvJson_AddArray(list, NULL);
            qvJson_AddNumbers(knots, NULL, (double[2]){ 0.0, v[0] }, 2);
            qvJson_AddNumbers(knots, NULL, (double[2]){ v[1] - v[2], v[3] }, 2);
        }
        else
            qvJson_AddNumber(list, NULL, v[0]);
        break;
    case qv_fieldInt:
        qvJson_AddNumber(list, NULL, round(v[0]));
        break;
    case qv_fieldBool:
        qvJson_AddBool(list, NULL, v[0] > v[1]);
        break;
    case qv_fieldText:
        qvJson_AddString(list, NULL, v[0] > v[1] ? "some text" : RandomName(field));
        break;
    case qv_fieldVector:
    case qv_fieldPoint:
        qvJson_AddNumbers(list, NULL, v, 3);
        break;
    case qv_fieldRotation:
        qvJson_AddNumbers(list, NULL, v, 4);
        break;
    case qv_fieldRange:
        qvJson_AddNumbers(list, NULL, v, 2);
        break;
    case qv_fieldAxes:
        qvJson_AddString(list, NULL, axes[RandomBelow(state, 5)]);
        break;
    case qv_fieldChoice:
        while (field->tags[count] != NULL)
            count++;
        qvJson_AddString(list, NULL, field->tags[RandomBelow(state, count)]);
        break;
    case qv_fieldOther:
    {
        const char* text = RandomStructure(field, state);
        qvJson* value;
        if (qvParseJson(text, strlen(text), NULL, &value, NULL) == qv_ok)
            qvJson_AddNode(list, NULL, value);
        break;
    }
    }
}

// Values for several fields of a new object.
static inline qvJson* RandomObjectJson(qvObjectKind kind, uint64_t* state)
{
    qvJson* json = qvCreateJsonObject();
    for (int i = 0; i < qvFieldCount(kind); i++)
    {
        const qvField* field = qvGetField(kind, i);
        bool needed = strcmp(field->tag, "time") == 0 || strcmp(field->tag, "brush") == 0 ||
                      strcmp(field->tag, "mode") == 0 || strcmp(field->tag, "engine") == 0;
        if (strchr(field->tag, '.') != NULL || (!needed && RandomBelow(state, 3) > 0))
            continue;
        qvJson* list = qvCreateJsonArray();
        AddRandomValue(list, field, state);
        if (qvJson_First(list) != NULL && !qvJson_IsNull(qvJson_First(list)))
            qvJson_AddNode(json, field->tag, qvJson_Copy(qvJson_First(list)));
        qvDestroyJson(list);
    }
    return json;
}

// A copy of an object of a list, at another time and without its id in files; NULL when there is none of the kind.
static inline void* RandomLike(const qvScene* scene, qvRef object, uint64_t* state)
{
    const qvKindInfo* info = qvGetKind(object.kind);
    const void* found = info->type != NULL ? qvFindObject(scene, object) : NULL;
    char* copy = found != NULL ? malloc(info->type->size) : NULL;
    if (copy == NULL)
        return NULL;
    memcpy(copy, found, info->type->size);
    double time = RandomIn(state, -1.0, 3.0);
    if (info->time != 0)
        memcpy(copy + info->time - 1, &time, sizeof(time));
    if (info->tag != 0)
        copy[info->tag - 1] = 0;
    return copy;
}

// An edit whose value is typed: a field as another object has it, an object like one that is there, times.
static inline bool RandomTypedEdit(qvDocument* document, uint64_t* state)
{
    const qvScene* scene = qvDocument_Scene(document);
    qvEdit edit = { .object = RandomObject(scene, state), .place = RandomBelow(state, 5) - 1 };
    qvRef other = RandomObject(scene, state);
    qvError error;
    const qvRef both[2] = { edit.object, other };
    const double times[2] = { RandomIn(state, -1.0, 3.0), RandomIn(state, -1.0, 3.0) };
    int choice = RandomBelow(state, 3), owner = 0;
    if (choice == 0)
        return qvDocument_SetTimes(document, both, times, 1 + RandomBelow(state, 2), &error) == qv_ok;
    for (int i = 0; i < 100 && other.kind != edit.object.kind; i++)
        other = RandomObject(scene, state);
    bool isThere = other.kind == edit.object.kind && qvFindObject(scene, other) != NULL;
    void* like = choice == 1 && isThere ? RandomLike(scene, other, state) : NULL;
    edit.value = (qvValue){ qv_valueObject, .data = like != NULL ? like : qvFindObject(scene, other) };
    edit.kind = like != NULL ? qv_editAdd : qv_editSet;
    if (like != NULL)
        edit.object.id = 0;
    else
        edit.field = qvGetField(edit.object.kind, RandomBelow(state, qvFieldCount(edit.object.kind)))->tag;
    bool isOwned = like != NULL && qvGetKind(other.kind)->owner != qv_objectScene;
    if (isOwned)
        edit.parent = *(const qvId*)qvFindOwner(scene, other, &owner);
    bool done = isThere && qvDocument_Apply(document, &edit, NULL, &error) == qv_ok;
    free(like);
    return done;
}

// One random edit; false when it was refused.
static inline bool RandomEdit(qvDocument* document, uint64_t* state)
{
    const qvScene* scene = qvDocument_Scene(document);
    qvEdit edit = { .object = RandomObject(scene, state), .place = RandomBelow(state, 5) - 1 };
    qvJson* list = qvCreateJsonArray();
    int choice = RandomBelow(state, 13);
    if (choice > 9)
    {
        qvDestroyJson(list);
        return RandomTypedEdit(document, state);
    }
    if (choice < 6)
    {
        const qvField* field = qvGetField(edit.object.kind, RandomBelow(state, qvFieldCount(edit.object.kind)));
        AddRandomValue(list, field, state);
        edit.kind = qv_editSet;
        edit.field = field->tag;
        edit.value = qvJsonValue(choice > 0 ? qvJson_First(list) : NULL);
    }
    else if (choice < 8)
    {
        qvJson_AddNode(list, NULL, RandomObjectJson(edit.object.kind, state));
        edit.kind = qv_editAdd;
        edit.object.id = 0;
        edit.parent = scene->keyCount > 0 ? scene->keys[RandomBelow(state, scene->keyCount)]->id : 1;
        if (edit.object.kind == qv_objectObstacleKey && scene->obstacleCount > 0)
            edit.parent = scene->obstacles[RandomBelow(state, scene->obstacleCount)]->id;
        if ((edit.object.kind == qv_objectJoint || edit.object.kind == qv_objectPart) && scene->simulationCount > 0)
            edit.parent = scene->simulations[RandomBelow(state, scene->simulationCount)]->id;
        edit.value = qvJsonValue(qvJson_First(list));
    }
    else if (choice == 8)
        edit.kind = qv_editRemove;
    else
    {
        edit.kind = RandomBelow(state, 2) == 0 ? qv_editMove : qv_editTimes;
        const double pair[2] = { edit.object.id, RandomIn(state, -1.0, 3.0) };
        qvJson* pairs = qvJson_AddArray(list, NULL);
        qvJson_AddNumbers(pairs, NULL, pair, 2);
        edit.value = qvJsonValue(pairs);
    }
    qvError error;
    bool done = qvDocument_Apply(document, &edit, NULL, &error) == qv_ok;
    qvDestroyJson(list);
    return done;
}
