// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of choices from lists.
#include "base/hash.h"
#include "scene/codec.h"

#include <stdio.h>
#include <string.h>

// The index of a tag, or -1 with the error filled: it names what may be chosen.
static int FindChoice(qvReader* reader, const qvRow* row, const qvValue* value)
{
    char all[200] = "";
    size_t used = 0;
    for (int i = 0; row->field.tags[i] != NULL; i++)
    {
        if (value->kind == qv_valueText && strcmp(row->field.tags[i], value->data) == 0)
            return i;
        if (used < sizeof(all))
            used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i > 0 ? ", " : "", row->field.tags[i]);
    }
    if (value->kind == qv_valueText)
        qvReader_Fail(reader, "\"%.40s\" is unknown, must be one of %s", (const char*)value->data, all);
    else
        qvReader_Fail(reader, "must be a text in quotes, one of %s", all);
    return -1;
}

static qvResult ReadChoice(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(int*)qvRow_At(row, object) = choice;
    return qv_ok;
}

static void PrintChoice(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, row->field.tags[*(const int*)qvRow_At(row, object)]);
}

const qvCodec qvCodecChoice = { ReadChoice, PrintChoice, qvIsDefaultInt, qvResetInt, qvHashInt, qvGetInt };

// Of two, stored as a bool.
static qvResult ReadFlagChoice(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(bool*)qvRow_At(row, object) = choice != 0;
    return qv_ok;
}

static void PrintFlagChoice(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, row->field.tags[*(const bool*)qvRow_At(row, object)]);
}

const qvCodec qvCodecFlagChoice = {
    ReadFlagChoice, PrintFlagChoice, qvIsDefaultBool, qvResetBool, qvHashBool, qvGetBool
};

// How fast a key is passed. What belongs to another mode goes.
static void DropOtherSides(qvSceneKey* key)
{
    bool keeps = key->velocityMode == qv_velocityBroken;
    if (!keeps)
    {
        qvReplaceShared(&key->before.strokes.strokes, NULL);
        qvReplaceShared(&key->before.offsets, NULL);
        key->before = (qvSceneVelocity){ 0 };
    }
    if (!keeps && key->velocityMode != qv_velocitySet)
    {
        qvReplaceShared(&key->after.strokes.strokes, NULL);
        qvReplaceShared(&key->after.offsets, NULL);
        key->after = (qvSceneVelocity){ 0 };
    }
}

static qvResult ReadVelocityMode(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvResult result = ReadChoice(reader, row, value, object);
    if (result == qv_ok)
        DropOtherSides(object);
    return result;
}

static void ResetVelocityMode(const qvRow* row, void* object)
{
    qvResetInt(row, object);
    DropOtherSides(object);
}

const qvCodec qvCodecVelocityMode = { ReadVelocityMode,  PrintChoice, qvIsDefaultInt,
                                      ResetVelocityMode, qvHashInt,   qvGetInt };

static const qvBrush** BrushSlot(const qvRow* row, const void* object)
{
    return qvRow_At(row, object);
}

// Values that were at the default of the old brush, or are out of range for the new one, go to its default.
static qvResult ReadBrush(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    const qvKindInfo* info = qvGetKind(row->kind);
    const qvBrush *brush = qvFindBrush(row->field.tags[choice]), *old = *BrushSlot(row, object);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (info->rows[i].brush == 0)
            continue;
        qvRow before = qvRow_For(&info->rows[i], object);
        bool wasDefault = before.codec->isDefault(&before, object);
        *BrushSlot(row, object) = brush;
        qvRow after = qvRow_For(&info->rows[i], object);
        double values[4];
        int count = after.codec->get(&after, object, values);
        bool fits = true;
        for (int k = 0; k < count; k++)
            fits = fits && values[k] >= after.field.minimum && values[k] <= after.field.maximum;
        if (wasDefault || !fits)
            after.codec->reset(&after, object);
        *BrushSlot(row, object) = old;
    }
    *BrushSlot(row, object) = brush;
    return qv_ok;
}

static void PrintBrush(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, (*BrushSlot(row, object))->tag);
}

static int GetBrush(const qvRow* row, const void* object, double* values)
{
    values[0] = 0.0;
    while (strcmp(row->field.tags[(int)values[0]], (*BrushSlot(row, object))->tag) != 0)
        values[0] += 1.0;
    return 1;
}

static bool IsDefaultBrush(const qvRow* row, const void* object)
{
    double choice;
    GetBrush(row, object, &choice);
    return choice == 0.0;
}

// All of the stroke: an event has no rows for strength and mirror.
static void ResetBrush(const qvRow* row, void* object)
{
    _Static_assert(offsetof(qvStroke, brush) == 0, "the brush's place is the stroke's");
    *(qvStroke*)qvRow_At(row, object) = qvDefaultStroke(qvFindBrush(row->field.tags[0]), 0.0);
}

static uint64_t HashBrush(const qvRow* row, const void* object, uint64_t hash)
{
    const char* tag = (*BrushSlot(row, object))->tag;
    return qvHash(tag, strlen(tag), hash);
}

const qvCodec qvCodecBrush = { ReadBrush, PrintBrush, IsDefaultBrush, ResetBrush, HashBrush, GetBrush };

// A built-in shape: the pointer is that of the shape's own tag.
static qvResult ReadPrimitive(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(const char**)qvRow_At(row, object) = row->field.tags[choice];
    return qv_ok;
}

static void ResetPrimitive(const qvRow* row, void* object)
{
    *(const char**)qvRow_At(row, object) = NULL;
}

static int GetPrimitive(const qvRow* row, const void* object, double* values)
{
    const char* tag = *(const char* const*)qvRow_At(row, object);
    values[0] = -1.0;
    for (int i = 0; tag != NULL && row->field.tags[i] != NULL; i++)
    {
        if (strcmp(row->field.tags[i], tag) == 0)
            values[0] = i;
    }
    return tag != NULL;
}

const qvCodec qvCodecPrimitive = { ReadPrimitive,  qvPrintSharedText, qvIsNullText,
                                   ResetPrimitive, qvHashSharedText,  GetPrimitive };
