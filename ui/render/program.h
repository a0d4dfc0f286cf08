// SPDX-License-Identifier: GPL-3.0-or-later
/// Shader programs and their uniforms.
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"
#include "ui/render/matrix.h"

/// Compiles and links; name stands in messages.
QV_CHECKED qvResult qvuiCreateProgram(const char* name, const char* vertexText, const char* fragmentText,
                                      unsigned int* program, qvError* error);

// These set a uniform of the program in use; names that a driver optimized away are ignored.
void qvuiSetInt(unsigned int program, const char* name, int value);
void qvuiSetFloat(unsigned int program, const char* name, double value);
void qvuiSetVec2(unsigned int program, const char* name, double x, double y);
void qvuiSetVec3(unsigned int program, const char* name, qvVec3 value);
void qvuiSetColor(unsigned int program, const char* name, qvColor value);
void qvuiSetMatrix(unsigned int program, const char* name, const qvuiMatrix* value);
