// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/json.h"

#include "base/assert.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_DEPTH = 500
};

qvJsonLimits qvDefaultJsonLimits(void)
{
    return (qvJsonLimits){ .maxValues = 4000000, .maxDepth = 64 };
}

// --- Parsing -----------------------------------------------------------------------------------------------------

static qvResult FailAt(const char* text, size_t offset, qvError* error, const char* what)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < offset; i++)
    {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    return qvError_Set(error, qv_badInput, "line %d, column %d: %s", line, column, what);
}

// Bounds the memory that the tree can take before cJSON builds it: a value needs a comma, a colon or a bracket.
static qvResult CheckLimits(const char* text, size_t size, const qvJsonLimits* limits, qvError* error)
{
    size_t values = 1;
    int depth = 0;
    bool inString = false;
    for (size_t i = 0; i < size; i++)
    {
        char c = text[i];
        if (inString)
        {
            i += c == '\\';
            inString = c != '"';
            continue;
        }
        inString = c == '"';
        if (c == '[' || c == '{')
            depth++;
        if (c == ']' || c == '}')
            depth--;
        values += c == ',' || c == '[' || c == '{';
        if (depth > limits->maxDepth)
            return FailAt(text, i, error, "nested too deeply");
        if (values > limits->maxValues)
            return FailAt(text, i, error, "too many values");
    }
    return qv_ok;
}

// A node on the way down from the root, and its number among its siblings.
typedef struct Step
{
    const cJSON* node;
    int index;
} Step;

static qvResult FailInfinite(const Step* steps, int depth, qvError* error)
{
    char path[256] = "";
    size_t used = 0;
    for (int i = 1; i <= depth && used < sizeof(path); i++)
    {
        const char* name = steps[i].node->string;
        used += (size_t)(name != NULL ? snprintf(path + used, sizeof(path) - used, "%s%s", i > 1 ? "." : "", name)
                                      : snprintf(path + used, sizeof(path) - used, "[%d]", steps[i].index));
    }
    return qvError_Set(error, qv_badInput, "%s: the number is too large for a double", path);
}

// Walks the tree without recursion and looks for numbers such as 1e999.
static qvResult CheckFinite(const cJSON* root, qvError* error)
{
    Step steps[MAX_DEPTH + 2];
    int depth = 0;
    steps[0] = (Step){ root, 0 };
    while (depth >= 0)
    {
        const cJSON* node = steps[depth].node;
        if (cJSON_IsNumber(node) && !isfinite(node->valuedouble))
            return FailInfinite(steps, depth, error);
        if (node->child != NULL)
        {
            steps[++depth] = (Step){ node->child, 0 };
            continue;
        }
        while (depth > 0 && steps[depth].node->next == NULL)
            depth--;
        if (depth == 0)
            break;
        steps[depth] = (Step){ steps[depth].node->next, steps[depth].index + 1 };
    }
    return qv_ok;
}

qvResult qvParseJson(const char* text, size_t size, const qvJsonLimits* limits, qvJson** root, qvError* error)
{
    *root = NULL;
    qvJsonLimits defaults = qvDefaultJsonLimits();
    limits = limits != NULL ? limits : &defaults;
    QV_ASSERT(limits->maxDepth > 0 && limits->maxDepth <= MAX_DEPTH);

    qvResult result = CheckLimits(text, size, limits, error);
    if (result != qv_ok)
        return result;
    const char* end = NULL;
    cJSON* tree = size > 0 ? cJSON_ParseWithLengthOpts(text, size, &end, 0) : NULL;
    if (tree == NULL)
        return FailAt(text, end != NULL && end >= text ? (size_t)(end - text) : 0, error, "not valid JSON");
    size_t rest = (size_t)(end - text);
    while (rest < size && strchr(" \t\r\n", text[rest]) != NULL)
        rest++; // strchr also accepts the zero byte with which some writers pad a chunk
    if (rest < size)
        result = FailAt(text, rest, error, "unexpected text after the JSON value");
    else
        result = CheckFinite(tree, error);
    if (result != qv_ok)
    {
        cJSON_Delete(tree);
        return result;
    }
    *root = tree;
    return qv_ok;
}

void qvDestroyJson(qvJson* root)
{
    cJSON_Delete(root);
}

qvJson* qvJson_Copy(const qvJson* node)
{
    return cJSON_Duplicate(node, true);
}

// --- Printing ----------------------------------------------------------------------------------------------------

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
        snprintf(buffer, sizeof(buffer), "%.0f", value);
        AppendText(text, buffer);
        return;
    }
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

// --- Looking -----------------------------------------------------------------------------------------------------

bool qvJson_IsObject(const qvJson* node)
{
    return cJSON_IsObject(node);
}

bool qvJson_IsArray(const qvJson* node)
{
    return cJSON_IsArray(node);
}

bool qvJson_IsNumber(const qvJson* node)
{
    return cJSON_IsNumber(node);
}

bool qvJson_IsString(const qvJson* node)
{
    return cJSON_IsString(node);
}

bool qvJson_IsBool(const qvJson* node)
{
    return cJSON_IsBool(node);
}

bool qvJson_IsNull(const qvJson* node)
{
    return cJSON_IsNull(node);
}

int qvJson_Count(const qvJson* node)
{
    return node != NULL ? cJSON_GetArraySize(node) : 0;
}

const char* qvJson_Name(const qvJson* node)
{
    return node != NULL && node->string != NULL ? node->string : "";
}

const char* qvJson_Text(const qvJson* node)
{
    return cJSON_IsString(node) ? node->valuestring : "";
}

double qvJson_Number(const qvJson* node)
{
    return cJSON_IsNumber(node) ? node->valuedouble : 0.0;
}

int qvJson_Index(const qvJson* node)
{
    double value = qvJson_IsNumber(node) ? qvJson_Number(node) : -1.0;
    return value >= 0.0 && value <= INT_MAX ? (int)value : -1;
}

bool qvJson_Bool(const qvJson* node)
{
    return cJSON_IsTrue(node);
}

qvJson* qvJson_First(const qvJson* node)
{
    return node != NULL ? node->child : NULL;
}

qvJson* qvJson_Next(const qvJson* node)
{
    return node != NULL ? node->next : NULL;
}

qvJson* qvJson_At(const qvJson* array, int index)
{
    return array != NULL ? cJSON_GetArrayItem(array, index) : NULL;
}

qvJson* qvJson_Find(const qvJson* object, const char* name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

// --- Reading members ---------------------------------------------------------------------------------------------

static qvResult FailField(qvError* error, const char* path, const char* name, const char* what)
{
    return qvError_Set(error, qv_badInput, "%s%s%s: %s", path, *path != 0 ? "." : "", name, what);
}

qvResult qvJson_ReadNumber(const qvJson* object, const char* path, const char* name, double minimum, double maximum,
                           double* value, qvError* error)
{
    const cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!cJSON_IsNumber(node))
        return FailField(error, path, name, "must be a number");
    if (node->valuedouble < minimum || node->valuedouble > maximum)
    {
        char what[120];
        snprintf(what, sizeof(what), "is %g, must be from %g to %g", node->valuedouble, minimum, maximum);
        return FailField(error, path, name, what);
    }
    *value = node->valuedouble;
    return qv_ok;
}

qvResult qvJson_ReadInt(const qvJson* object, const char* path, const char* name, int minimum, int maximum, int* value,
                        qvError* error)
{
    double number = *value;
    qvResult result = qvJson_ReadNumber(object, path, name, minimum, maximum, &number, error);
    if (result != qv_ok)
        return result;
    if (number != floor(number))
        return FailField(error, path, name, "must be a whole number");
    *value = (int)number;
    return qv_ok;
}

qvResult qvJson_ReadBool(const qvJson* object, const char* path, const char* name, bool* value, qvError* error)
{
    const cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!cJSON_IsBool(node))
        return FailField(error, path, name, "must be true or false");
    *value = cJSON_IsTrue(node);
    return qv_ok;
}

qvResult qvJson_ReadString(const qvJson* object, const char* path, const char* name, const char** value, qvError* error)
{
    const cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!cJSON_IsString(node))
        return FailField(error, path, name, "must be a text in quotes");
    *value = node->valuestring;
    return qv_ok;
}

qvResult qvJson_ReadNumbers(const qvJson* object, const char* path, const char* name, int count, double* values,
                            qvError* error)
{
    const cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    char what[60];
    snprintf(what, sizeof(what), "must be a list of %d numbers", count);
    if (!cJSON_IsArray(node) || cJSON_GetArraySize(node) != count)
        return FailField(error, path, name, what);
    const cJSON* item = node->child;
    for (int i = 0; i < count; i++, item = item->next)
    {
        if (!cJSON_IsNumber(item))
            return FailField(error, path, name, what);
        values[i] = item->valuedouble;
    }
    return qv_ok;
}

qvResult qvJson_ReadArray(const qvJson* object, const char* path, const char* name, qvJson** value, qvError* error)
{
    cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!cJSON_IsArray(node))
        return FailField(error, path, name, "must be a list");
    *value = node;
    return qv_ok;
}

qvResult qvJson_ReadObject(const qvJson* object, const char* path, const char* name, qvJson** value, qvError* error)
{
    cJSON* node = qvJson_Find(object, name);
    if (node == NULL)
        return qv_ok;
    if (!cJSON_IsObject(node))
        return FailField(error, path, name, "must be an object");
    *value = node;
    return qv_ok;
}

// --- Building ----------------------------------------------------------------------------------------------------

qvJson* qvCreateJsonObject(void)
{
    return cJSON_CreateObject();
}

qvJson* qvCreateJsonArray(void)
{
    return cJSON_CreateArray();
}

static qvJson* Add(qvJson* parent, const char* name, qvJson* node)
{
    if (parent == NULL || node == NULL)
    {
        cJSON_Delete(node);
        return NULL;
    }
    bool added = name != NULL ? cJSON_AddItemToObject(parent, name, node) : cJSON_AddItemToArray(parent, node);
    if (added)
        return node;
    cJSON_Delete(node);
    return NULL;
}

qvJson* qvJson_AddObject(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateObject());
}

qvJson* qvJson_AddArray(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateArray());
}

qvJson* qvJson_AddNumber(qvJson* object, const char* name, double value)
{
    return Add(object, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

qvJson* qvJson_AddString(qvJson* object, const char* name, const char* value)
{
    return Add(object, name, cJSON_CreateString(value));
}

qvJson* qvJson_AddBool(qvJson* object, const char* name, bool value)
{
    return Add(object, name, cJSON_CreateBool(value));
}

qvJson* qvJson_AddNull(qvJson* object, const char* name)
{
    return Add(object, name, cJSON_CreateNull());
}

qvJson* qvJson_AddNumbers(qvJson* object, const char* name, const double* values, int count)
{
    return Add(object, name, cJSON_CreateDoubleArray(values, count));
}

void qvJson_AddNode(qvJson* object, const char* name, qvJson* node)
{
    Add(object, name, node);
}

void qvJson_Remove(qvJson* parent, qvJson* node)
{
    if (parent != NULL && node != NULL)
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, node));
}
