// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing that the operations of families F and G share.
#pragma once

#include "eval/eval_kelvinlet.h"

#include "bem/kernel.h"
#include "bem/surface.h"

/// A number of the case that must be there.
QV_CHECKED qvResult qvEval_ReadRange(const qvJson* in, const char* name, double minimum, double maximum, double* value,
                                     qvError* error);
QV_CHECKED qvResult qvEval_ReadInt(const qvJson* in, const char* name, int minimum, int maximum, int* value,
                                   qvError* error);
/// A list of rows of `columns` finite numbers each, at most maxRows; *values is a new array.
QV_CHECKED qvResult qvEval_ReadRows(const qvJson* in, const char* name, int columns, int maxRows, int* count,
                                    double** values, qvError* error);
QV_CHECKED qvResult qvEval_ReadComplex(const qvJson* in, const char* name, double complex* value, qvError* error);
/// rho (1 where withDensity is false), mu and nu.
QV_CHECKED qvResult qvEval_ReadBemMaterial(const qvJson* in, bool withDensity, qvBemMaterial* material, qvError* error);

/// The closed mesh V, F with a traction node per vertex.
QV_CHECKED qvResult qvEval_ReadSurface(const qvJson* in, qvBemSurface** surface, qvError* error);

void qvEval_AddComplex(qvJson* out, const char* name, const qvMat3c* value);
/// rows x columns numbers by rows.
void qvEval_AddRows(qvJson* out, const char* name, const double* values, int rows, int columns);
