// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of plain values: numbers, vectors, texts, choices.
#include "base/hash.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void* Field(const qvRow* row, const void* object)
{
    return (void*)((uintptr_t)object + row->offset);
}

static bool* Presence(const qvRow* row, const void* object)
{
    return row->present != 0 ? (bool*)((uintptr_t)object + row->present - 1) : NULL;
}

static void MarkPresent(const qvRow* row, void* object)
{
    if (row->present != 0)
        *Presence(row, object) = true;
}

static bool IsAbsent(const qvRow* row, const void* object)
{
    return row->present != 0 && !*Presence(row, object);
}

static uint64_t HashNumber(uint64_t hash, double value)
{
    uint64_t bits = 0;
    if (!isnan(value)) // all of them are alike
        memcpy(&bits, &value, sizeof(bits));
    return qvHash_Combine(hash, isnan(value) ? UINT64_MAX : bits);
}

// --- Numbers -------------------------------------------------------------------------------------------------------

static qvResult CheckNumber(qvReader* reader, const qvRow* row, double value)
{
    double low = row->field.minimum, high = row->field.maximum;
    if (value >= low && value <= high)
        return qv_ok;
    if (value <= 0.0 && low > 0.0 && low <= 1e-6)
        return qvReader_Fail(reader, "is %g, must be positive", value);
    return qvReader_Fail(reader, "is %g, must be from %g to %g", value, low, high);
}

static qvResult ReadNumber(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (!qvJson_IsNumber(value))
        return qvReader_Fail(reader, "must be a number");
    double number = qvJson_Number(value);
    qvResult result = CheckNumber(reader, row, number);
    if (result == qv_ok)
        *(double*)Field(row, object) = number;
    return result;
}

static void PrintNumber(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumber(parent, name, *(const double*)Field(row, object));
}

static bool IsDefaultNumber(const qvRow* row, const void* object)
{
    double value = *(const double*)Field(row, object), usual = row->field.standard;
    return value == usual || (isnan(value) && isnan(usual));
}

static void ResetNumber(const qvRow* row, void* object)
{
    *(double*)Field(row, object) = row->field.standard;
}

static uint64_t HashNumberField(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumber(hash, *(const double*)Field(row, object));
}

static int GetNumber(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const double*)Field(row, object);
    return 1;
}

const qvCodec qvCodecNumber = { ReadNumber, PrintNumber, IsDefaultNumber, ResetNumber, HashNumberField, GetNumber };

// A number or "hard", which is INFINITY.
static qvResult ReadWeight(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (qvJson_IsString(value) && strcmp(qvJson_Text(value), "hard") == 0)
    {
        *(double*)Field(row, object) = INFINITY;
        return qv_ok;
    }
    if (!qvJson_IsNumber(value))
        return qvReader_Fail(reader, "must be \"hard\" or a number");
    return ReadNumber(reader, row, value, object);
}

const qvCodec qvCodecWeight = { ReadWeight, PrintNumber, IsDefaultNumber, ResetNumber, HashNumberField, GetNumber };

static qvResult ReadInt(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    double number = qvJson_Number(value);
    if (!qvJson_IsNumber(value) || number != floor(number))
        return qvReader_Fail(reader, "must be a whole number");
    qvResult result = CheckNumber(reader, row, number);
    if (result == qv_ok)
    {
        *(int*)Field(row, object) = (int)number;
        MarkPresent(row, object);
    }
    return result;
}

static void PrintInt(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumber(parent, name, *(const int*)Field(row, object));
}

static bool IsDefaultInt(const qvRow* row, const void* object)
{
    return IsAbsent(row, object) || *(const int*)Field(row, object) == (int)row->field.standard;
}

static void ResetInt(const qvRow* row, void* object)
{
    *(int*)Field(row, object) = (int)row->field.standard;
}

static uint64_t HashInt(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, (uint64_t) * (const int*)Field(row, object));
}

static int GetInt(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const int*)Field(row, object);
    return 1;
}

const qvCodec qvCodecInt = { ReadInt, PrintInt, IsDefaultInt, ResetInt, HashInt, GetInt };

static qvResult ReadBool(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (!qvJson_IsBool(value))
        return qvReader_Fail(reader, "must be true or false");
    *(bool*)Field(row, object) = qvJson_Bool(value);
    return qv_ok;
}

static void PrintBool(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddBool(parent, name, *(const bool*)Field(row, object));
}

static bool IsDefaultBool(const qvRow* row, const void* object)
{
    return *(const bool*)Field(row, object) == (row->field.standard != 0.0);
}

static void ResetBool(const qvRow* row, void* object)
{
    *(bool*)Field(row, object) = row->field.standard != 0.0;
}

static uint64_t HashBool(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, *(const bool*)Field(row, object));
}

static int GetBool(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const bool*)Field(row, object);
    return 1;
}

const qvCodec qvCodecBool = { ReadBool, PrintBool, IsDefaultBool, ResetBool, HashBool, GetBool };

// --- Several numbers ------------------------------------------------------------------------------------------------

// A list of exactly count numbers, each in the field's range.
static qvResult ReadNumbers(qvReader* reader, const qvRow* row, const qvJson* value, int count, double* numbers)
{
    if (!qvJson_IsArray(value) || qvJson_Count(value) != count)
        return qvReader_Fail(reader, "must be a list of %d numbers", count);
    const qvJson* item = qvJson_First(value);
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        if (!qvJson_IsNumber(item))
            return qvReader_Fail(reader, "must be a list of %d numbers", count);
        numbers[i] = qvJson_Number(item);
        qvResult result = CheckNumber(reader, row, numbers[i]);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static bool AreDefault(const qvRow* row, const void* object, int count)
{
    return IsAbsent(row, object) || memcmp(Field(row, object), row->standards, (size_t)count * sizeof(double)) == 0;
}

static uint64_t HashNumbers(const qvRow* row, const void* object, int count, uint64_t hash)
{
    for (int i = 0; i < count; i++)
        hash = HashNumber(hash, ((const double*)Field(row, object))[i]);
    return hash;
}

static qvResult ReadVector(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    double v[3];
    qvResult result = ReadNumbers(reader, row, value, 3, v);
    if (result != qv_ok)
        return result;
    *(qvVec3*)Field(row, object) = qvMakeVec3(v[0], v[1], v[2]);
    MarkPresent(row, object);
    return qv_ok;
}

static void PrintVector(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, Field(row, object), 3);
}

static bool IsDefaultVector(const qvRow* row, const void* object)
{
    return AreDefault(row, object, 3);
}

static void ResetVector(const qvRow* row, void* object)
{
    memcpy(Field(row, object), row->standards, sizeof(qvVec3));
}

static uint64_t HashVector(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 3, hash);
}

static int GetVector(const qvRow* row, const void* object, double* values)
{
    memcpy(values, Field(row, object), sizeof(qvVec3));
    return 3;
}

const qvCodec qvCodecVector = { ReadVector, PrintVector, IsDefaultVector, ResetVector, HashVector, GetVector };

static qvResult ReadRotation(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    double q[4];
    qvResult result = ReadNumbers(reader, row, value, 4, q);
    if (result != qv_ok)
        return result;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12))
        return qvReader_Fail(reader, "must not be zero; no rotation is [0, 0, 0, 1]");
    memcpy(Field(row, object), q, sizeof(q));
    MarkPresent(row, object);
    return qv_ok;
}

static void PrintRotation(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, Field(row, object), 4);
}

static bool IsDefaultRotation(const qvRow* row, const void* object)
{
    return AreDefault(row, object, 4);
}

static void ResetRotation(const qvRow* row, void* object)
{
    memcpy(Field(row, object), row->standards, sizeof(qvQuat));
}

static uint64_t HashRotation(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 4, hash);
}

static int GetRotation(const qvRow* row, const void* object, double* values)
{
    memcpy(values, Field(row, object), sizeof(qvQuat));
    return 4;
}

const qvCodec qvCodecRotation = { ReadRotation,  PrintRotation, IsDefaultRotation,
                                  ResetRotation, HashRotation,  GetRotation };

// A start and an end in time, or absent.
static qvResult ReadRange(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    double range[2];
    qvResult result = ReadNumbers(reader, row, value, 2, range);
    if (result != qv_ok)
        return result;
    if (!(range[0] < range[1]))
        return qvReader_Fail(reader, "is [%g, %g], must end after it starts", range[0], range[1]);
    memcpy(Field(row, object), range, sizeof(range));
    MarkPresent(row, object);
    return qv_ok;
}

static void PrintRange(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, Field(row, object), 2);
}

static bool IsAbsentRange(const qvRow* row, const void* object)
{
    return IsAbsent(row, object);
}

static void ResetRange(const qvRow* row, void* object)
{
    memset(Field(row, object), 0, 2 * sizeof(double));
    *Presence(row, object) = false;
}

static uint64_t HashRange(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 2, qvHash_Combine(hash, *Presence(row, object)));
}

static int GetRange(const qvRow* row, const void* object, double* values)
{
    memcpy(values, Field(row, object), 2 * sizeof(double));
    return 2;
}

const qvCodec qvCodecRange = { ReadRange, PrintRange, IsAbsentRange, ResetRange, HashRange, GetRange };

// --- Texts ----------------------------------------------------------------------------------------------------------

bool qvIsUtf8(const char* text)
{
    for (const unsigned char* c = (const unsigned char*)text; *c != 0;)
    {
        int size = *c < 0x80 ? 1 : *c >= 0xc2 && *c < 0xe0 ? 2 : *c >= 0xe0 && *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
        if (size == 0 || (*c >= 0x80 && *c < 0xc2))
            return false;
        for (int i = 1; i < size; i++)
        {
            if ((c[i] & 0xc0) != 0x80)
                return false;
        }
        bool isWrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                       (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
        if (isWrong)
            return false;
        c += size;
    }
    return true;
}

static qvResult CheckText(qvReader* reader, const qvJson* value, size_t capacity)
{
    if (!qvJson_IsString(value))
        return qvReader_Fail(reader, "must be a text in quotes");
    const char* text = qvJson_Text(value);
    if (strlen(text) >= capacity)
        return qvReader_Fail(reader, "has %zu bytes, must have at most %zu", strlen(text), capacity - 1);
    return qvIsUtf8(text) ? qv_ok : qvReader_Fail(reader, "must be UTF-8 text");
}

static qvResult ReadText(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvResult result = CheckText(reader, value, row->extent);
    if (result != qv_ok)
        return result;
    memset(Field(row, object), 0, row->extent);
    strcpy(Field(row, object), qvJson_Text(value));
    return qv_ok;
}

static void PrintText(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, Field(row, object));
}

static bool IsEmptyText(const qvRow* row, const void* object)
{
    return *(const char*)Field(row, object) == 0;
}

static void ResetText(const qvRow* row, void* object)
{
    memset(Field(row, object), 0, row->extent);
}

static uint64_t HashText(const qvRow* row, const void* object, uint64_t hash)
{
    const char* text = Field(row, object);
    return qvHash(text, strlen(text), hash);
}

const qvCodec qvCodecText = { ReadText, PrintText, IsEmptyText, ResetText, HashText, NULL };

// A text of any length, shared between snapshots; NULL when absent.
static qvResult ReadSharedText(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvResult result = CheckText(reader, value, row->extent);
    if (result != qv_ok)
        return result;
    if (*qvJson_Text(value) == 0)
        return qvReader_Fail(reader, "must not be empty");
    char* text = qvCreateSharedText(qvJson_Text(value));
    if (text == NULL)
        return qvReader_OutOfMemory(reader);
    qvReplaceShared(Field(row, object), text);
    return qv_ok;
}

static void PrintSharedText(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, *(const char* const*)Field(row, object));
}

static bool IsNullText(const qvRow* row, const void* object)
{
    return *(const char* const*)Field(row, object) == NULL;
}

static void ResetSharedText(const qvRow* row, void* object)
{
    qvReplaceShared(Field(row, object), NULL);
}

static uint64_t HashSharedText(const qvRow* row, const void* object, uint64_t hash)
{
    const char* text = *(const char* const*)Field(row, object);
    return text != NULL ? qvHash(text, strlen(text), hash) : qvHash_Combine(hash, 1);
}

const qvCodec qvCodecSharedText = {
    ReadSharedText, PrintSharedText, IsNullText, ResetSharedText, HashSharedText, NULL
};

static qvResult ReadAxes(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    unsigned axes = 0;
    for (const char* c = qvJson_Text(value); *c != 0; c++)
    {
        unsigned bit = *c >= 'x' && *c <= 'z' ? 1u << (*c - 'x') : 0;
        if (bit == 0 || (axes & bit) != 0)
            return qvReader_Fail(reader, "is \"%s\", must be some of the letters xyz, each once", qvJson_Text(value));
        axes |= bit;
    }
    if (!qvJson_IsString(value))
        return qvReader_Fail(reader, "must be a text in quotes, some of the letters xyz");
    *(unsigned*)Field(row, object) = axes;
    return qv_ok;
}

static void PrintAxes(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    char text[4];
    int length = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        if ((*(const unsigned*)Field(row, object) >> axis & 1) != 0)
            text[length++] = (char)('x' + axis);
    }
    text[length] = 0;
    qvJson_AddString(parent, name, text);
}

const qvCodec qvCodecAxes = { ReadAxes, PrintAxes, IsDefaultInt, ResetInt, HashInt, GetInt };

// --- Choices --------------------------------------------------------------------------------------------------------

// The index of a tag, or -1 with the error filled: it names what may be chosen.
static int FindChoice(qvReader* reader, const qvRow* row, const qvJson* value)
{
    char all[200] = "";
    size_t used = 0;
    for (int i = 0; row->field.tags[i] != NULL; i++)
    {
        if (qvJson_IsString(value) && strcmp(row->field.tags[i], qvJson_Text(value)) == 0)
            return i;
        if (used < sizeof(all))
            used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i > 0 ? ", " : "", row->field.tags[i]);
    }
    if (qvJson_IsString(value))
        qvReader_Fail(reader, "\"%.40s\" is unknown, must be one of %s", qvJson_Text(value), all);
    else
        qvReader_Fail(reader, "must be a text in quotes, one of %s", all);
    return -1;
}

static qvResult ReadChoice(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(int*)Field(row, object) = choice;
    return qv_ok;
}

static void PrintChoice(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, row->field.tags[*(const int*)Field(row, object)]);
}

const qvCodec qvCodecChoice = { ReadChoice, PrintChoice, IsDefaultInt, ResetInt, HashInt, GetInt };

// Of two, stored as a bool.
static qvResult ReadFlagChoice(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(bool*)Field(row, object) = choice != 0;
    return qv_ok;
}

static void PrintFlagChoice(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, row->field.tags[*(const bool*)Field(row, object)]);
}

const qvCodec qvCodecFlagChoice = { ReadFlagChoice, PrintFlagChoice, IsDefaultBool, ResetBool, HashBool, GetBool };

// How fast a key is passed. What belongs to another mode goes.
static void DropOtherSides(qvSceneKey* key)
{
    bool keeps = key->velocityMode == qv_velocityBroken;
    if (!keeps)
    {
        qvReplaceShared(&key->before.strokes.strokes, NULL);
        key->before = (qvSceneVelocity){ 0 };
    }
    if (!keeps && key->velocityMode != qv_velocitySet)
    {
        qvReplaceShared(&key->after.strokes.strokes, NULL);
        key->after = (qvSceneVelocity){ 0 };
    }
}

static qvResult ReadVelocityMode(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvResult result = ReadChoice(reader, row, value, object);
    if (result == qv_ok)
        DropOtherSides(object);
    return result;
}

static void ResetVelocityMode(const qvRow* row, void* object)
{
    ResetInt(row, object);
    DropOtherSides(object);
}

const qvCodec qvCodecVelocityMode = { ReadVelocityMode, PrintChoice, IsDefaultInt, ResetVelocityMode, HashInt, GetInt };

static const qvBrush** BrushSlot(const qvRow* row, const void* object)
{
    return Field(row, object);
}

// Values that were at the default of the old brush, or are out of range for the new one, go to its default.
static qvResult ReadBrush(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
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
    *(qvStroke*)Field(row, object) = qvDefaultStroke(qvFindBrush(row->field.tags[0]), 0.0);
}

static uint64_t HashBrush(const qvRow* row, const void* object, uint64_t hash)
{
    const char* tag = (*BrushSlot(row, object))->tag;
    return qvHash(tag, strlen(tag), hash);
}

const qvCodec qvCodecBrush = { ReadBrush, PrintBrush, IsDefaultBrush, ResetBrush, HashBrush, GetBrush };

// A built-in shape: the pointer is that of the shape's own tag.
static qvResult ReadPrimitive(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    int choice = FindChoice(reader, row, value);
    if (choice < 0)
        return qv_badInput;
    *(const char**)Field(row, object) = row->field.tags[choice];
    return qv_ok;
}

static void ResetPrimitive(const qvRow* row, void* object)
{
    *(const char**)Field(row, object) = NULL;
}

static int GetPrimitive(const qvRow* row, const void* object, double* values)
{
    const char* tag = *(const char* const*)Field(row, object);
    values[0] = -1.0;
    for (int i = 0; tag != NULL && row->field.tags[i] != NULL; i++)
    {
        if (strcmp(row->field.tags[i], tag) == 0)
            values[0] = i;
    }
    return tag != NULL;
}

const qvCodec qvCodecPrimitive = { ReadPrimitive,  PrintSharedText, IsNullText,
                                   ResetPrimitive, HashSharedText,  GetPrimitive };
