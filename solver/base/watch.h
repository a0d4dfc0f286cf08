// SPDX-License-Identifier: GPL-3.0-or-later
// A job that several threads may ask at once: the caller's callbacks get one call at a time, and after the first
// refusal none.
#pragma once

#include "quaver/job.h"

#include <pthread.h>

typedef struct qvWatch
{
    const qvJob* job;
    qvJob shared; ///< what the threads ask
    pthread_mutex_t lock;
    bool isStopped;
} qvWatch;

/// job may be NULL. The watch must not move until qvWatch_End.
void qvWatch_Begin(qvWatch* watch, const qvJob* job);
void qvWatch_End(qvWatch* watch);

/// The same pool, but progress is only asked, not told: for a small call within a larger one that has told where
/// it is. job may be NULL and must outlive the quiet one.
qvJob qvQuietJob(const qvJob* job);

/// qvParallelFor that asks the job after each piece. After a refusal the pieces that are left are not begun, and the
/// result is qv_cancelled.
QV_CHECKED qvResult qvWatchedFor(const qvJob* job, int count, int grain, qvRangeFcn* fcn, void* context,
                                 qvError* error);
