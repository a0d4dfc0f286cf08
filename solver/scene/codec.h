// SPDX-License-Identifier: GPL-3.0-or-later
// What codecs share.
#pragma once

#include "scene/reader.h"

#include <math.h>

/// Where the field is in the object.
static inline void* qvRow_At(const qvRow* row, const void* object)
{
    return (void*)((uintptr_t)object + row->offset);
}

/// The flag of a field that may be absent, or of the group it is in.
static inline bool* qvRow_Presence(const qvRow* row, const void* object)
{
    return row->present != 0 ? (bool*)((uintptr_t)object + row->present - 1) : NULL;
}

static inline void qvRow_MarkPresent(const qvRow* row, void* object)
{
    if (row->present != 0)
        *qvRow_Presence(row, object) = true;
}

static inline bool qvRow_IsAbsent(const qvRow* row, const void* object)
{
    return row->present != 0 && !*qvRow_Presence(row, object);
}

/// Zero without a sign: -0 equals the default 0, and would not be written.
static inline double qvPlain(double value)
{
    return value == 0.0 ? 0.0 : value;
}

/// NaN and infinities stand for the default, as in JSON.
static inline qvValue qvNumberValue(double value)
{
    return isfinite(value) ? (qvValue){ qv_valueNumbers, 1, { value }, NULL } : (qvValue){ 0 };
}

static inline bool qvValue_IsNumber(const qvValue* value)
{
    return value->kind == qv_valueNumbers && value->count == 1;
}

/// The list or the object that it is in JSON; NULL for anything else.
static inline const qvJson* qvValue_List(const qvValue* value)
{
    return value->kind == qv_valueJson && qvJson_IsArray(value->data) ? value->data : NULL;
}

static inline const qvJson* qvValue_Members(const qvValue* value)
{
    return value->kind == qv_valueJson && qvJson_IsObject(value->data) ? value->data : NULL;
}

// --- Of ints, bools and shared texts, for other codecs that store these

bool qvIsDefaultInt(const qvRow* row, const void* object);
void qvResetInt(const qvRow* row, void* object);
uint64_t qvHashInt(const qvRow* row, const void* object, uint64_t hash);
int qvGetInt(const qvRow* row, const void* object, double* values);

bool qvIsDefaultBool(const qvRow* row, const void* object);
void qvResetBool(const qvRow* row, void* object);
uint64_t qvHashBool(const qvRow* row, const void* object, uint64_t hash);
int qvGetBool(const qvRow* row, const void* object, double* values);

void qvPrintSharedText(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name);
const char* qvAxesText(unsigned axes); ///< "xz"
bool qvIsNullText(const qvRow* row, const void* object);
uint64_t qvHashSharedText(const qvRow* row, const void* object, uint64_t hash);

// --- Arrays

/// A blob of floats, which JSON has in base64, a multiple of `tuple` many, each in range; none give NULL.
QV_CHECKED qvResult qvReadFloats(qvReader* reader, const qvValue* value, int tuple, double low, double high,
                                 const qvBlob** blob);
void qvAddFloats(qvPrinter* printer, qvJson* parent, const char* name, const qvBlob* blob);
qvValue qvBlobValue(qvValueKind kind, const qvBlob* blob, size_t itemSize); ///< NULL: none
void qvAddVertices(qvJson* parent, const char* name, const int32_t* vertices, size_t count);
void qvAddPoints(qvJson* parent, const char* name, const qvVec3* points, size_t count);
