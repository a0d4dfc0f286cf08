// SPDX-License-Identifier: GPL-3.0-or-later
// Writing JSON text, with the shortest numbers that read back as the same doubles.
#include "quaver/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Text that grows; failed once memory ran out.
typedef struct Text
{
    char* data;
    size_t size, capacity;
    bool failed;
} Text;

static void Append(Text* text, const char* bytes, size_t count)
{
    if (text->capacity - text->size <= count)
    {
        size_t capacity = text->capacity * 2 + count + 256;
        char* data = text->failed ? NULL : realloc(text->data, capacity);
        if (data == NULL)
        {
            text->failed = true;
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, bytes, count);
    text->size += count;
}

static void AppendText(Text* text, const char* string)
{
    Append(text, string, strlen(string));
}

// A whole number below 1e15 in digits, with `decimals` of them behind the point.
static void AppendDigits(Text* text, bool isNegative, uint64_t digits, int decimals)
{
    char buffer[24];
    size_t first = sizeof(buffer);
    for (int i = 0; i <= decimals || digits > 0; i++)
    {
        if (i == decimals && i > 0)
            buffer[--first] = '.';
        buffer[--first] = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (isNegative)
        buffer[--first] = '-';
    Append(text, buffer + first, sizeof(buffer) - first);
}

// Numbers of up to six digits, as most are that people type and programs round; false for others. A quotient of numbers
// that doubles hold exactly is the double next to what the digits say, which is what reading them gives.
static bool AppendShort(Text* text, double value)
{
    double size = fabs(value), scale = 1.0;
    for (int decimals = 1; size >= 1e-4 && decimals <= 9; decimals++)
    {
        scale *= 10.0;
        double digits = nearbyint(size * scale);
        if (digits >= 1e6)
            return false;
        if (digits / scale != size)
            continue;
        AppendDigits(text, value < 0.0, (uint64_t)digits, decimals);
        return true;
    }
    return false;
}

static void AppendNumber(Text* text, double value)
{
    char buffer[40];
    if (!isfinite(value))
    {
        AppendText(text, "null");
        return;
    }
    // Many readers of counts and offsets take digits only, so that a million is 1000000 and not 1e+06.
    if (value == floor(value) && fabs(value) < 1e15)
    {
        AppendDigits(text, signbit(value), (uint64_t)fabs(value), 0);
        return;
    }
    if (AppendShort(text, value))
        return;
    // The shortest of the precisions that read back as the same double.
    static const int precisions[] = { 6, 9, 12, 15, 16, 17 };
    for (size_t i = 0; i < sizeof(precisions) / sizeof(precisions[0]); i++)
    {
        snprintf(buffer, sizeof(buffer), "%.*g", precisions[i], value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    // A host program may have set a locale with a decimal comma.
    char* comma = strchr(buffer, ',');
    if (comma != NULL)
        *comma = '.';
    AppendText(text, buffer);
}

// Bytes of the UTF-8 character at c (RFC 3629, section 4), or 0 where there is none: names in files and of files may
// hold any bytes, JSON may not.
static int CharacterSize(const unsigned char* c)
{
    if (c[0] < 0x80)
        return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    int size = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    // Too long a form, a surrogate, or beyond the last character.
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
        (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    for (int i = 1; i < size; i++)
    {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    return size;
}

// How many characters from here on stand for themselves.
static size_t PlainSize(const char* string)
{
    const unsigned char* c = (const unsigned char*)string;
    while (*c >= 32 && *c < 0x80 && *c != '"' && *c != '\\')
        c++;
    return (size_t)((const char*)c - string);
}

static void AppendString(Text* text, const char* string)
{
    Append(text, "\"", 1);
    for (const char* c = string; *c != 0; c++)
    {
        char buffer[8];
        size_t plain = PlainSize(c);
        if (plain > 0)
        {
            Append(text, c, plain);
            c += plain - 1;
            continue;
        }
        int size = CharacterSize((const unsigned char*)c);
        if (size > 1)
        {
            Append(text, c, (size_t)size);
            c += size - 1;
            continue;
        }
        if (size == 0)
            snprintf(buffer, sizeof(buffer), "\\ufffd");
        else if (*c == '"' || *c == '\\')
            snprintf(buffer, sizeof(buffer), "\\%c", *c);
        else if (*c == '\n')
            snprintf(buffer, sizeof(buffer), "\\n");
        else
            snprintf(buffer, sizeof(buffer), "\\u%04x", (unsigned)*c);
        AppendText(text, buffer);
    }
    Append(text, "\"", 1);
}

static void AppendNewLine(Text* text, int depth)
{
    Append(text, "\n", 1);
    for (int i = 0; i < depth; i++)
        Append(text, "  ", 2);
}

// Arrays of plain values stay on one line.
static bool IsFlat(const cJSON* node)
{
    for (const cJSON* item = node->child; item != NULL; item = item->next)
    {
        if (item->child != NULL || cJSON_IsString(item) || cJSON_IsObject(item))
            return false;
    }
    return cJSON_IsArray(node) || node->child == NULL;
}

static void AppendNode(Text* text, const cJSON* node, bool indented, int depth);

static void AppendContainer(Text* text, const cJSON* node, bool indented, int depth)
{
    bool isObject = cJSON_IsObject(node);
    bool broken = indented && !IsFlat(node);
    Append(text, isObject ? "{" : "[", 1);
    for (const cJSON* item = node->child; item != NULL; item = item->next)
    {
        if (broken)
            AppendNewLine(text, depth + 1);
        if (isObject)
        {
            AppendString(text, item->string);
            AppendText(text, indented ? ": " : ":");
        }
        AppendNode(text, item, indented, depth + 1);
        if (item->next != NULL)
            AppendText(text, broken || !indented ? "," : ", ");
    }
    if (broken)
        AppendNewLine(text, depth);
    Append(text, isObject ? "}" : "]", 1);
}

// Recursion is bounded by the depth limit of the parser, or by the code that built the tree.
static void AppendNode(Text* text, const cJSON* node, bool indented, int depth)
{
    if (cJSON_IsArray(node) || cJSON_IsObject(node))
        AppendContainer(text, node, indented, depth);
    else if (cJSON_IsString(node))
        AppendString(text, node->valuestring);
    else if (cJSON_IsNumber(node))
        AppendNumber(text, node->valuedouble);
    else
        AppendText(text, cJSON_IsTrue(node) ? "true" : cJSON_IsFalse(node) ? "false" : "null");
}

char* qvJson_Print(const qvJson* node, bool indented)
{
    if (node == NULL)
        return NULL;
    Text text = { 0 };
    AppendNode(&text, node, indented, 0);
    Append(&text, "", 1);
    if (text.failed)
    {
        free(text.data);
        return NULL;
    }
    return text.data;
}

void qvFreeText(char* text)
{
    free(text);
}
