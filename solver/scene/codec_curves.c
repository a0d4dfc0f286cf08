// SPDX-License-Identifier: GPL-3.0-or-later
// The codec of values over time: a number, or a list of [seconds, value] with ascending seconds. The number is at the
// row's offset, the knots are a blob at its extent; of a curve the number is the first value, so that what shows and
// edits numbers shows one, and setting a number makes it constant again.
#include "base/hash.h"
#include "scene/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_KNOTS = 10000
};

static const double LATEST = 1e6; // s, as of times in scenes

static const qvBlob** KnotsOf(const qvRow* row, const void* object)
{
    return (const qvBlob**)((uintptr_t)object + row->extent);
}

static bool ParseKnot(const qvJson* item, double* knot)
{
    const qvJson *time = qvJson_First(item), *value = qvJson_Next(time);
    knot[0] = qvPlain(qvJson_Number(time));
    knot[1] = qvPlain(qvJson_Number(value));
    return qvJson_IsArray(item) && qvJson_Count(item) == 2 && qvJson_IsNumber(time) && qvJson_IsNumber(value);
}

static qvResult CheckKnot(qvReader* reader, const qvRow* row, int i, const double* before, const double* knot)
{
    if (!(fabs(knot[0]) <= LATEST))
        return qvReader_Fail(reader, "item %d is at %g s, must be from %g to %g", i, knot[0], -LATEST, LATEST);
    if (before != NULL && !(knot[0] > before[0]))
        return qvReader_Fail(reader, "item %d at %g s comes after one at %g s; put them in the order of time", i,
                             knot[0], before[0]);
    if (!(knot[1] >= row->field.minimum && knot[1] <= row->field.maximum))
        return qvReader_Fail(reader, "item %d is %g, must be from %g to %g", i, knot[1], row->field.minimum,
                             row->field.maximum);
    return qv_ok;
}

static qvResult ReadKnots(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    const qvJson* list = qvValue_List(value);
    const qvBlob* given = value->kind == qv_valueObject ? *KnotsOf(row, value->data) : NULL;
    int count = given != NULL ? (int)(given->size / (2 * sizeof(double))) : qvJson_Count(list);
    if (count == 0 || count > MOST_KNOTS)
        return qvReader_Fail(reader, "must be a number or a list of 1 to %d times [seconds from the start, value]",
                             MOST_KNOTS);
    double(*knots)[2] = qvAllocateRaw((size_t)count, sizeof(*knots));
    if (knots == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = qv_ok;
    const qvJson* item = qvJson_First(list);
    if (given != NULL)
        memcpy(knots, given->data, given->size);
    for (int i = 0; i < count && result == qv_ok; i++, item = qvJson_Next(item))
    {
        if (given == NULL && !ParseKnot(item, knots[i]))
            result = qvReader_Fail(reader, "item %d must be [seconds from the start, value]", i);
        else
            result = CheckKnot(reader, row, i, i > 0 ? knots[i - 1] : NULL, knots[i]);
    }
    const qvBlob* blob = result == qv_ok ? qvCreateBlob(knots, (size_t)count * sizeof(*knots)) : NULL;
    if (result == qv_ok && blob == NULL)
        result = qvReader_OutOfMemory(reader);
    if (result == qv_ok)
    {
        *(double*)qvRow_At(row, object) = knots[0][1];
        qvReplaceShared(KnotsOf(row, object), blob);
    }
    free(knots);
    return result;
}

static qvResult ReadCurve(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (qvValue_List(value) != NULL || value->kind == qv_valueObject)
        return ReadKnots(reader, row, value, object);
    if (!qvValue_IsNumber(value))
        return qvReader_Fail(reader, "must be a number or a list of [seconds from the start, value]");
    qvResult result = qvCodecNumber.read(reader, row, value, object);
    if (result == qv_ok)
        qvReplaceShared(KnotsOf(row, object), NULL);
    return result;
}

static void PrintCurve(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    const qvBlob* blob = *KnotsOf(row, object);
    if (blob == NULL)
    {
        qvCodecNumber.print(printer, row, object, parent, name);
        return;
    }
    const double(*knots)[2] = blob->data;
    qvJson* list = qvJson_AddArray(parent, name);
    for (size_t i = 0; i < blob->size / sizeof(*knots); i++)
        qvJson_AddNumbers(list, NULL, knots[i], 2);
}

static bool IsDefaultCurve(const qvRow* row, const void* object)
{
    return *KnotsOf(row, object) == NULL && qvCodecNumber.isDefault(row, object);
}

static void ResetCurve(const qvRow* row, void* object)
{
    qvReplaceShared(KnotsOf(row, object), NULL);
    qvCodecNumber.reset(row, object);
}

static uint64_t HashCurve(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(qvCodecNumber.hash(row, object, hash), qvBlob_Hash(*KnotsOf(row, object)));
}

static int GetCurve(const qvRow* row, const void* object, double* values)
{
    return qvCodecNumber.get(row, object, values);
}

const qvCodec qvCodecCurve = { ReadCurve, PrintCurve, IsDefaultCurve, ResetCurve, HashCurve, GetCurve };
