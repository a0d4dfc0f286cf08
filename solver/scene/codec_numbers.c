// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of numbers, one or several.
#include "base/hash.h"
#include "scene/codec.h"

#include <math.h>
#include <string.h>

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

static qvResult ReadNumber(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (!qvValue_IsNumber(value))
        return qvReader_Fail(reader, "must be a number");
    double number = qvPlain(value->numbers[0]);
    qvResult result = CheckNumber(reader, row, number);
    if (result == qv_ok)
    {
        *(double*)qvRow_At(row, object) = number;
        qvRow_MarkPresent(row, object);
    }
    return result;
}

static void PrintNumber(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumber(parent, name, *(const double*)qvRow_At(row, object));
}

static bool IsDefaultNumber(const qvRow* row, const void* object)
{
    double value = *(const double*)qvRow_At(row, object), usual = row->field.standard;
    return qvRow_IsAbsent(row, object) || value == usual || (isnan(value) && isnan(usual));
}

static void ResetNumber(const qvRow* row, void* object)
{
    *(double*)qvRow_At(row, object) = row->field.standard;
}

static uint64_t HashNumberField(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumber(hash, *(const double*)qvRow_At(row, object));
}

static int GetNumber(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const double*)qvRow_At(row, object);
    return 1;
}

const qvCodec qvCodecNumber = { ReadNumber, PrintNumber, IsDefaultNumber, ResetNumber, HashNumberField, GetNumber };

// A number or "hard", which is INFINITY.
static qvResult ReadWeight(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind == qv_valueText && strcmp(value->data, "hard") == 0)
    {
        *(double*)qvRow_At(row, object) = INFINITY;
        return qv_ok;
    }
    if (!qvValue_IsNumber(value))
        return qvReader_Fail(reader, "must be \"hard\" or a number");
    return ReadNumber(reader, row, value, object);
}

const qvCodec qvCodecWeight = { ReadWeight, PrintNumber, IsDefaultNumber, ResetNumber, HashNumberField, GetNumber };

static qvResult ReadInt(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    double number = value->numbers[0];
    if (!qvValue_IsNumber(value) || number != floor(number))
        return qvReader_Fail(reader, "must be a whole number");
    qvResult result = CheckNumber(reader, row, number);
    if (result == qv_ok)
    {
        *(int*)qvRow_At(row, object) = (int)number;
        qvRow_MarkPresent(row, object);
    }
    return result;
}

static void PrintInt(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumber(parent, name, *(const int*)qvRow_At(row, object));
}

bool qvIsDefaultInt(const qvRow* row, const void* object)
{
    return qvRow_IsAbsent(row, object) || *(const int*)qvRow_At(row, object) == (int)row->field.standard;
}

void qvResetInt(const qvRow* row, void* object)
{
    *(int*)qvRow_At(row, object) = (int)row->field.standard;
}

uint64_t qvHashInt(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, (uint64_t) * (const int*)qvRow_At(row, object));
}

int qvGetInt(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const int*)qvRow_At(row, object);
    return 1;
}

const qvCodec qvCodecInt = { ReadInt, PrintInt, qvIsDefaultInt, qvResetInt, qvHashInt, qvGetInt };

// A whole number or "all", which is 0.
static qvResult ReadDetail(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind == qv_valueText && strcmp(value->data, "all") == 0)
    {
        *(int*)qvRow_At(row, object) = 0;
        return qv_ok;
    }
    if (!qvValue_IsNumber(value))
        return qvReader_Fail(reader, "must be \"all\" or a whole number");
    return ReadInt(reader, row, value, object);
}

const qvCodec qvCodecDetail = { ReadDetail, PrintInt, qvIsDefaultInt, qvResetInt, qvHashInt, qvGetInt };

static qvResult ReadBool(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind != qv_valueBool)
        return qvReader_Fail(reader, "must be true or false");
    *(bool*)qvRow_At(row, object) = value->numbers[0] != 0.0;
    qvRow_MarkPresent(row, object);
    return qv_ok;
}

static void PrintBool(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddBool(parent, name, *(const bool*)qvRow_At(row, object));
}

bool qvIsDefaultBool(const qvRow* row, const void* object)
{
    return qvRow_IsAbsent(row, object) || *(const bool*)qvRow_At(row, object) == (row->field.standard != 0.0);
}

void qvResetBool(const qvRow* row, void* object)
{
    *(bool*)qvRow_At(row, object) = row->field.standard != 0.0;
}

uint64_t qvHashBool(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, *(const bool*)qvRow_At(row, object));
}

int qvGetBool(const qvRow* row, const void* object, double* values)
{
    values[0] = *(const bool*)qvRow_At(row, object);
    return 1;
}

const qvCodec qvCodecBool = { ReadBool, PrintBool, qvIsDefaultBool, qvResetBool, qvHashBool, qvGetBool };

// --- Several numbers ------------------------------------------------------------------------------------------------

// A list of exactly count numbers, each in the field's range.
static qvResult ReadNumbers(qvReader* reader, const qvRow* row, const qvValue* value, int count, double* numbers)
{
    const qvJson* list = qvValue_List(value);
    if (list != NULL ? qvJson_Count(list) != count : value->kind != qv_valueNumbers || value->count != count)
        return qvReader_Fail(reader, "must be a list of %d numbers", count);
    const qvJson* item = qvJson_First(list);
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        if (list != NULL ? !qvJson_IsNumber(item) : !isfinite(value->numbers[i]))
            return qvReader_Fail(reader, "must be a list of %d numbers", count);
        numbers[i] = qvPlain(list != NULL ? qvJson_Number(item) : value->numbers[i]);
        qvResult result = CheckNumber(reader, row, numbers[i]);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static bool AreDefault(const qvRow* row, const void* object, int count)
{
    return qvRow_IsAbsent(row, object) ||
           memcmp(qvRow_At(row, object), row->standards, (size_t)count * sizeof(double)) == 0;
}

static uint64_t HashNumbers(const qvRow* row, const void* object, int count, uint64_t hash)
{
    for (int i = 0; i < count; i++)
        hash = HashNumber(hash, ((const double*)qvRow_At(row, object))[i]);
    return hash;
}

static qvResult ReadVector(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    double v[3];
    qvResult result = ReadNumbers(reader, row, value, 3, v);
    if (result != qv_ok)
        return result;
    *(qvVec3*)qvRow_At(row, object) = qvMakeVec3(v[0], v[1], v[2]);
    qvRow_MarkPresent(row, object);
    return qv_ok;
}

static void PrintVector(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, qvRow_At(row, object), 3);
}

static bool IsDefaultVector(const qvRow* row, const void* object)
{
    return AreDefault(row, object, 3);
}

static void ResetVector(const qvRow* row, void* object)
{
    memcpy(qvRow_At(row, object), row->standards, sizeof(qvVec3));
}

static uint64_t HashVector(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 3, hash);
}

static int GetVector(const qvRow* row, const void* object, double* values)
{
    memcpy(values, qvRow_At(row, object), sizeof(qvVec3));
    return 3;
}

const qvCodec qvCodecVector = { ReadVector, PrintVector, IsDefaultVector, ResetVector, HashVector, GetVector };

static qvResult ReadRotation(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    double q[4];
    qvResult result = ReadNumbers(reader, row, value, 4, q);
    if (result != qv_ok)
        return result;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12))
        return qvReader_Fail(reader, "must not be zero; no rotation is [0, 0, 0, 1]");
    memcpy(qvRow_At(row, object), q, sizeof(q));
    qvRow_MarkPresent(row, object);
    return qv_ok;
}

static void PrintRotation(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, qvRow_At(row, object), 4);
}

static bool IsDefaultRotation(const qvRow* row, const void* object)
{
    return AreDefault(row, object, 4);
}

static void ResetRotation(const qvRow* row, void* object)
{
    memcpy(qvRow_At(row, object), row->standards, sizeof(qvQuat));
}

static uint64_t HashRotation(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 4, hash);
}

static int GetRotation(const qvRow* row, const void* object, double* values)
{
    memcpy(values, qvRow_At(row, object), sizeof(qvQuat));
    return 4;
}

const qvCodec qvCodecRotation = { ReadRotation,  PrintRotation, IsDefaultRotation,
                                  ResetRotation, HashRotation,  GetRotation };

// A start and an end in time, or absent.
static qvResult ReadRange(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    double range[2];
    qvResult result = ReadNumbers(reader, row, value, 2, range);
    if (result != qv_ok)
        return result;
    if (!(range[0] < range[1]))
        return qvReader_Fail(reader, "is [%g, %g], must end after it starts", range[0], range[1]);
    memcpy(qvRow_At(row, object), range, sizeof(range));
    qvRow_MarkPresent(row, object);
    return qv_ok;
}

static void PrintRange(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddNumbers(parent, name, qvRow_At(row, object), 2);
}

static bool IsAbsentRange(const qvRow* row, const void* object)
{
    return qvRow_IsAbsent(row, object);
}

static void ResetRange(const qvRow* row, void* object)
{
    memset(qvRow_At(row, object), 0, 2 * sizeof(double));
    *qvRow_Presence(row, object) = false;
}

static uint64_t HashRange(const qvRow* row, const void* object, uint64_t hash)
{
    return HashNumbers(row, object, 2, qvHash_Combine(hash, *qvRow_Presence(row, object)));
}

static int GetRange(const qvRow* row, const void* object, double* values)
{
    memcpy(values, qvRow_At(row, object), 2 * sizeof(double));
    return 2;
}

const qvCodec qvCodecRange = { ReadRange, PrintRange, IsAbsentRange, ResetRange, HashRange, GetRange };
