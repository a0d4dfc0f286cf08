// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads a mesh file on a thread of its own, so that the window never waits.
#pragma once

#include "quaver/model.h"
#include "ui/editor/document.h"

#include <pthread.h>
#include <stdbool.h>

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
    qvModel* model;
} qvuiLoader;

/// Starts to read; what is being read is given up first.
QV_CHECKED qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error);

/// Asks the thread to stop and waits for it.
void qvuiLoader_Cancel(qvuiLoader* loader);

/// Progress for the status bar. stage has at least 64 characters. False when nothing is being read.
bool qvuiLoader_Progress(qvuiLoader* loader, double* fraction, char* stage);

/// True once when the file has been read: *result and, with qv_ok, *model (the caller's then).
bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvModel** model, qvError* error);
