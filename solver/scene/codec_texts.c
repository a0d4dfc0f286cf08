// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of texts.
#include "base/hash.h"
#include "scene/codec.h"

#include <string.h>

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

static qvResult CheckText(qvReader* reader, const qvValue* value, size_t capacity)
{
    if (value->kind != qv_valueText)
        return qvReader_Fail(reader, "must be a text in quotes");
    const char* text = value->data;
    if (strlen(text) >= capacity)
        return qvReader_Fail(reader, "has %zu bytes, must have at most %zu", strlen(text), capacity - 1);
    return qvIsUtf8(text) ? qv_ok : qvReader_Fail(reader, "must be UTF-8 text");
}

static qvResult ReadText(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvResult result = CheckText(reader, value, row->extent);
    if (result != qv_ok)
        return result;
    memset(qvRow_At(row, object), 0, row->extent);
    strcpy(qvRow_At(row, object), value->data);
    return qv_ok;
}

static void PrintText(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, qvRow_At(row, object));
}

static bool IsEmptyText(const qvRow* row, const void* object)
{
    return *(const char*)qvRow_At(row, object) == 0;
}

static void ResetText(const qvRow* row, void* object)
{
    memset(qvRow_At(row, object), 0, row->extent);
}

static uint64_t HashText(const qvRow* row, const void* object, uint64_t hash)
{
    const char* text = qvRow_At(row, object);
    return qvHash(text, strlen(text), hash);
}

const qvCodec qvCodecText = { ReadText, PrintText, IsEmptyText, ResetText, HashText, NULL };

// A text of any length, shared between snapshots; NULL when absent.
static qvResult ReadSharedText(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvResult result = CheckText(reader, value, row->extent);
    if (result != qv_ok)
        return result;
    if (*(const char*)value->data == 0)
        return qvReader_Fail(reader, "must not be empty");
    char* text = qvCreateSharedText(value->data);
    if (text == NULL)
        return qvReader_OutOfMemory(reader);
    qvReplaceShared(qvRow_At(row, object), text);
    return qv_ok;
}

void qvPrintSharedText(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, *(const char* const*)qvRow_At(row, object));
}

bool qvIsNullText(const qvRow* row, const void* object)
{
    return *(const char* const*)qvRow_At(row, object) == NULL;
}

static void ResetSharedText(const qvRow* row, void* object)
{
    qvReplaceShared(qvRow_At(row, object), NULL);
}

uint64_t qvHashSharedText(const qvRow* row, const void* object, uint64_t hash)
{
    const char* text = *(const char* const*)qvRow_At(row, object);
    return text != NULL ? qvHash(text, strlen(text), hash) : qvHash_Combine(hash, 1);
}

const qvCodec qvCodecSharedText = { ReadSharedText,  qvPrintSharedText, qvIsNullText,
                                    ResetSharedText, qvHashSharedText,  NULL };

static qvResult ReadAxes(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    unsigned axes = 0;
    if (value->kind != qv_valueText)
        return qvReader_Fail(reader, "must be a text in quotes, some of the letters xyz");
    for (const char* c = value->data; *c != 0; c++)
    {
        unsigned bit = *c >= 'x' && *c <= 'z' ? 1u << (*c - 'x') : 0;
        if (bit == 0 || (axes & bit) != 0)
            return qvReader_Fail(reader, "is \"%s\", must be some of the letters xyz, each once",
                                 (const char*)value->data);
        axes |= bit;
    }
    *(unsigned*)qvRow_At(row, object) = axes;
    return qv_ok;
}

const char* qvAxesText(unsigned axes)
{
    static const char* const texts[] = { "", "x", "y", "xy", "z", "xz", "yz", "xyz" };
    return texts[axes & 7];
}

static void PrintAxes(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson_AddString(parent, name, qvAxesText(*(const unsigned*)qvRow_At(row, object)));
}

const qvCodec qvCodecAxes = { ReadAxes, PrintAxes, qvIsDefaultInt, qvResetInt, qvHashInt, qvGetInt };
