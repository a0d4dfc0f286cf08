// SPDX-License-Identifier: GPL-3.0-or-later
/// One long call on a thread of its own, so that the window never waits. Start it, ask for its progress each frame, and
/// collect it once; its owner leaves what the work reads and writes alone while it runs.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <pthread.h>
#include <stdbool.h>

/// The call. It gives the job on, so that the task hears of progress and can be cancelled.
typedef qvResult qvuiWorkFcn(void* context, qvJob* job, qvError* error);

typedef struct qvuiTask
{
    bool running;    ///< a thread is at work or waits to be collected
    qvResult result; ///< once collected
    qvError error;   ///< once collected

    qvuiWorkFcn* work;
    void* context;
    pthread_t thread;
    pthread_mutex_t mutex; ///< guards the fields below while running
    bool cancelled, finished;
    double fraction;
    char stage[64];
} qvuiTask;

/// Starts work(context, …). The task must not be running; stage is shown until the work says more.
QV_CHECKED qvResult qvuiTask_Start(qvuiTask* task, qvuiWorkFcn* work, void* context, const char* stage, qvError* error);

/// Asks the work to stop and waits for it. False when none was running.
bool qvuiTask_Cancel(qvuiTask* task);

/// stage has at least 64 characters. False when nothing runs.
bool qvuiTask_Progress(qvuiTask* task, double* fraction, char* stage);

/// True once when the work has ended: result and error hold then.
bool qvuiTask_Collect(qvuiTask* task);
