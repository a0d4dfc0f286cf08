// SPDX-License-Identifier: GPL-3.0-or-later
/// The window, for the program: opens it, runs until the user quits.
#pragma once

#include "quaver/result.h"

/// What every frame took, for `quaver bench ui`. Memory is the caller's.
typedef struct qvuiFrameTimes
{
    double* interface; ///< [capacity] s: all work but the picture of the mesh
    double* total;     ///< [capacity] s
    int count, capacity;
    double start; ///< s from the call to the first frame on the screen
} qvuiFrameTimes;

typedef struct qvuiWindowDef
{
    const char* path;   ///< scene or mesh file to open, or NULL
    const char* script; ///< file with input to play instead of a user, or NULL; see ui/window/script.h
    int width, height;  ///< of the window, pixels; default 1600 x 900
    double scale;       ///< of the interface, 0.75 to 3; default 0: from the display

    qvuiFrameTimes* times; ///< filled when given; default NULL
} qvuiWindowDef;

qvuiWindowDef qvuiDefaultWindowDef(void);

/// Runs the window. Fails without a display, without OpenGL 3.3, without fonts, and when a script fails.
QV_CHECKED qvResult qvuiRunWindow(const qvuiWindowDef* def, qvError* error);
