// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval.h"

#include <string.h>

#define EVAL(name) extern const qvEvalTable name;
#include "eval/eval_list.inl"
#undef EVAL

static const qvEvalTable* const tables[] = {
#define EVAL(name) &name,
#include "eval/eval_list.inl"
#undef EVAL
    NULL,
};

static const qvEvalOp* FindOp(const char* name)
{
    for (const qvEvalTable* const* table = tables; *table != NULL; table++)
    {
        for (int i = 0; i < (*table)->count; i++)
        {
            if (strcmp((*table)->ops[i].name, name) == 0)
                return &(*table)->ops[i];
        }
    }
    return NULL;
}

static qvResult RunCase(const qvJson* item, qvJson* out, qvError* error)
{
    const char* name = qvJson_Text(qvJson_Find(item, "op"));
    const qvEvalOp* op = FindOp(name);
    if (op == NULL)
        return qvError_Set(error, qv_unsupported, "unknown operation \"%s\"", name);
    const qvJson* in = qvJson_Find(item, "in");
    if (!qvJson_IsObject(in))
        return qvError_Set(error, qv_badInput, "in: must be an object");
    return op->run(in, out, error);
}

qvResult qvEvaluateCases(const qvJson* input, qvJson** output, int* failedCount, qvError* error)
{
    *output = NULL;
    *failedCount = 0;
    const qvJson* cases = qvJson_Find(input, "cases");
    if (!qvJson_IsArray(cases))
        return qvError_Set(error, qv_badInput, "cases: must be a list of cases with id, op and in");

    qvJson* root = qvCreateJsonObject();
    qvJson* list = qvJson_AddArray(root, "cases");
    for (const qvJson* item = qvJson_First(cases); item != NULL; item = qvJson_Next(item))
    {
        qvJson* row = qvJson_AddObject(list, NULL);
        qvJson_AddString(row, "id", qvJson_Text(qvJson_Find(item, "id")));
        qvJson_AddString(row, "op", qvJson_Text(qvJson_Find(item, "op")));
        qvJson* out = qvJson_AddObject(row, "out");
        qvError caseError;
        if (RunCase(item, out, &caseError) != qv_ok)
        {
            qvJson_Remove(row, out);
            qvJson_AddString(row, "error", caseError.message);
            (*failedCount)++;
        }
    }
    *output = root;
    return qv_ok;
}
