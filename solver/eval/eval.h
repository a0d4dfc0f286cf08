// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of `quaver eval`. To add some: write eval_x.c with a table, add a line to eval_list.inl.
#pragma once

#include "quaver/eval.h"

typedef struct qvEvalOp
{
    const char* name;
    qvResult (*run)(const qvJson* in, qvJson* out, qvError* error);
} qvEvalOp;

typedef struct qvEvalTable
{
    const qvEvalOp* ops;
    int count;
} qvEvalTable;
