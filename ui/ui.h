// SPDX-License-Identifier: GPL-3.0-or-later
/// The window, for the program: opens it, runs until the user quits.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>

/// What every frame took, for `quaver bench ui`. Memory is the caller's. A frame is timed from its events until it is
/// on the screen and all of its drawing is done. The mesh's part is evaluating the motion, the ghosts and a stroke,
/// uploading and drawing them; all else is the interface: building it, finding what changed, drawing that, copying the
/// picture of the mesh into it, showing it.
typedef struct qvuiFrameTimes
{
    double* interface; ///< [capacity] s: all work but the mesh's
    double* total;     ///< [capacity] s
    int count, capacity;
    double start; ///< s from the call to the first frame on the screen

    int* delays; ///< [capacity] frames from an edit by dragging to its motion on the screen
    int delayCount;
    double pace; ///< s: frames start no sooner after one another, as on a display; 0: at once

    bool strokesOnly; ///< only frames that show a step of a stroke are counted
    bool thorough;    ///< everything is drawn anew in every frame, also what cannot be seen, to compare with

    double (*gauge)(void); ///< read after every frame, or NULL
    double gauged;         ///< what it said last
} qvuiFrameTimes;

typedef struct qvuiWindowDef
{
    const char* path;   ///< scene or mesh file to open, or NULL
    const char* script; ///< file with input to play instead of a user, or NULL; see ui/window/script.h
    int width, height;  ///< of the window, pixels; default 1600 x 900
    double scale;       ///< of the interface, 0.75 to 3; default 0: from the display

    qvuiFrameTimes* times; ///< filled when given; default NULL

    /// Called once the window's library has its handlers of signals, which ask for the end; default NULL. Such an end
    /// comes without a question: what is not saved is offered at the next start.
    void (*catchSignals)(void);
} qvuiWindowDef;

qvuiWindowDef qvuiDefaultWindowDef(void);

/// Runs the window. Fails without a display, without OpenGL 3.3, without fonts, and when a script fails.
QV_CHECKED qvResult qvuiRunWindow(const qvuiWindowDef* def, qvError* error);
