// SPDX-License-Identifier: GPL-3.0-or-later
// What the operations on phyxels share: reading a case into an arena, and writing points and matrices. Reading goes on
// after a mistake, with zeros; the first one is the case's error.
#pragma once

#include "eval/eval.h"

#include "base/memory.h"
#include "math/mat3.h"
#include "phyxel/cloud.h"

typedef struct qvEvalCase
{
    const qvJson* in;
    qvJson* out;
    qvArena* arena;
    qvError* error;
    qvResult result;
} qvEvalCase;

/// Runs a function on a case with an arena of its own.
qvResult qvEvalCase_Run(void (*run)(qvEvalCase*), const qvJson* in, qvJson* out, qvError* error);

/// A table's row: EVAL_CASE_OP(RunKernel) makes the function OpRunKernel for it.
#define EVAL_CASE_OP(run)                                                  \
    static qvResult Op##run(const qvJson* in, qvJson* out, qvError* error) \
    {                                                                      \
        return qvEvalCase_Run(run, in, out, error);                        \
    }

bool qvEvalCase_IsOk(const qvEvalCase* c);
bool qvEvalCase_IsNull(const qvEvalCase* c, const char* name); ///< missing or null
void qvEvalCase_Fail(qvEvalCase* c, const char* format, ...) QV_PRINTF(2, 3);

/// count numbers of size bytes, zeroed; NULL once something failed.
void* qvEvalCase_Allocate(qvEvalCase* c, int count, size_t size);

double qvEvalCase_Number(qvEvalCase* c, const char* name, double minimum, double maximum);
int qvEvalCase_Int(qvEvalCase* c, const char* name, int minimum, int maximum);
const char* qvEvalCase_Text(qvEvalCase* c, const char* name);
int qvEvalCase_Count(qvEvalCase* c, const char* name); ///< of a list

double* qvEvalCase_Numbers(qvEvalCase* c, const char* name, int count);
qvVec3* qvEvalCase_Points(qvEvalCase* c, const char* name, int count);
qvMat3* qvEvalCase_Matrices(qvEvalCase* c, const char* name, int count);
qvVec3 qvEvalCase_Point(qvEvalCase* c, const char* name);
qvMat3 qvEvalCase_Matrix(qvEvalCase* c, const char* name);

/// x, h, m and vol of a case.
typedef struct qvEvalCloud
{
    int count;
    qvVec3* x;
    double *h, *m, *volumes;
    qvCloud cloud; ///< to be freed
} qvEvalCloud;

/// False when something is wrong; nothing is to be freed then.
bool qvEvalCase_Cloud(qvEvalCase* c, qvEvalCloud* cloud);

/// E, nu, kv, alpha and the law; those that a family leaves out have defaults. stiffer multiplies E.
qvPhyxelMaterial qvEvalCase_Material(qvEvalCase* c, qvPhyxelLaw law, double stiffer);
qvPhyxelLaw qvEvalCase_Law(qvEvalCase* c);

void qvEvalCase_AddPoint(qvEvalCase* c, const char* name, qvVec3 value);
void qvEvalCase_AddMatrix(qvEvalCase* c, const char* name, const qvMat3* value);
void qvEvalCase_AddPoints(qvEvalCase* c, const char* name, const qvVec3* values, int count);
void qvEvalCase_AddMatrices(qvEvalCase* c, const char* name, const qvMat3* values, int count);
