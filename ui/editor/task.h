// SPDX-License-Identifier: GPL-3.0-or-later
/// One long call after the other on a thread of its own, so that the window never waits. Start it, ask for its progress
/// each frame, and collect it once. What is started while another call runs asks that one to stop and begins when it
/// has: some steps cannot be stopped, and nobody waits for them. What was asked to stop is never collected.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <pthread.h>
#include <stdbool.h>

/// The call. It gives the job on, so that the task hears of progress and can be cancelled. Nobody else touches the
/// order while it runs.
typedef qvResult qvuiWorkFcn(void* order, qvJob* job, qvError* error);

/// What is to be done.
typedef struct qvuiErrand
{
    qvuiWorkFcn* work;
    void* order;               ///< what it reads and writes
    void (*drop)(void* order); ///< frees an order that nobody collects; NULL: it is its owner's
    const char* stage;         ///< shown until the work says more
} qvuiErrand;

typedef struct qvuiTask
{
    bool running;    ///< a thread is at work or waits to be collected
    bool cancelled;  ///< it was asked to stop
    qvResult result; ///< once collected
    qvError error;   ///< once collected

    qvuiErrand errand;
    qvuiErrand next; ///< begins when the one before it has stopped; without work: none
    pthread_t thread;
    pthread_mutex_t mutex; ///< guards the fields below while running
    bool stops, finished;
    double fraction;
    char stage[64];
} qvuiTask;

/// Starts an errand, or has it start once what is running has stopped. The order is the task's until it is collected;
/// when it cannot be started, it is dropped.
QV_CHECKED qvResult qvuiTask_Start(qvuiTask* task, const qvuiErrand* errand, qvError* error);

/// Asks what is running to stop, and drops what was to begin after it. Returns at once.
void qvuiTask_Cancel(qvuiTask* task);

/// The same, but waits: for the end of the program.
void qvuiTask_End(qvuiTask* task);

/// Whether what was started last is under way or about to begin: not when it was asked to stop.
bool qvuiTask_IsWanted(const qvuiTask* task);

/// stage has at least 64 characters; "stopping" when it was asked to, and nothing comes after it. False when nothing
/// runs.
bool qvuiTask_Progress(qvuiTask* task, double* fraction, char* stage);

/// Once a frame: the order, once when its work has ended, and the caller's then; result and error hold. Else NULL.
void* qvuiTask_Collect(qvuiTask* task);
