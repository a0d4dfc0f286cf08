// SPDX-License-Identifier: GPL-3.0-or-later
// Reading JSON text: cJSON builds the tree, after a look at how large that can get.
#include "quaver/json.h"

#include "base/assert.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MAX_DEPTH = 500
};

qvJsonLimits qvDefaultJsonLimits(void)
{
    return (qvJsonLimits){ .maxValues = 4000000, .maxDepth = 64 };
}

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
