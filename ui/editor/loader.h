// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads a scene or a mesh file on a thread of its own, so that the window never waits.
#pragma once

#include "quaver/document.h"
#include "quaver/take.h"
#include "ui/editor/path.h"

#include <pthread.h>
#include <stdbool.h>

/// What was read. The caller closes and releases.
typedef struct qvuiLoaded
{
    qvDocument* document; ///< NULL: the file is a mesh
    const qvBody* body;   ///< NULL: the scene's mesh could not be read
    qvError problem;      ///< then why
} qvuiLoaded;

typedef struct qvuiLoader
{
    bool running; ///< a thread is at work or waits to be collected
    pthread_t thread;
    pthread_mutex_t mutex; ///< guards the fields below while running

    char path[qvui_maxPath];
    bool cancelled;
    bool finished;
    double fraction;
    char stage[64];
    qvResult result;
    qvError error;
    qvuiLoaded loaded;
} qvuiLoader;

/// Starts to read; what is being read is given up first.
QV_CHECKED qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error);

/// Asks the thread to stop and waits for it.
void qvuiLoader_Cancel(qvuiLoader* loader);

/// Progress for the status bar. stage has at least 64 characters. False when nothing is being read.
bool qvuiLoader_Progress(qvuiLoader* loader, double* fraction, char* stage);

/// True once when the file has been read: *result and, with qv_ok, *loaded (the caller's then).
bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvuiLoaded* loaded, qvError* error);
