// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing that the Kelvinlet operations share.
#pragma once

#include "eval/eval.h"
#include "quaver/kelvinlet.h"

/// A required vector or matrix.
QV_CHECKED qvResult qvEval_ReadVec3(const qvJson* in, const char* name, qvVec3* value, qvError* error);
QV_CHECKED qvResult qvEval_ReadMat3(const qvJson* in, const char* name, qvMat3* value, qvError* error);

/// A required number.
QV_CHECKED qvResult qvEval_ReadNumber(const qvJson* in, const char* name, double* value, qvError* error);

/// mu, nu and eps (a list of 1 to 3 radii, or one number), checked.
QV_CHECKED qvResult qvEval_ReadMaterial(const qvJson* in, qvKelvinlet* load, qvError* error);

/// Numbers that are finite by themselves may make a load that is not.
QV_CHECKED qvResult qvEval_AddDisplacement(qvJson* out, const char* name, const qvKelvinlet* load, double age, qvVec3 r,
                                           qvError* error);
void qvEval_AddVec3(qvJson* out, const char* name, qvVec3 value);
void qvEval_AddMat3(qvJson* out, const char* name, const qvMat3* value);

/// The weights of kelvinlet/formulas.md 3.
void qvEval_AddWeights(qvJson* out, const qvKelvinlet* load);
