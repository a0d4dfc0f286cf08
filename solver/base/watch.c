// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/watch.h"

#include <stdatomic.h>

static bool Ask(void* context, const char* stage, double fraction)
{
    qvWatch* watch = context;
    const qvJob* job = watch->job;
    pthread_mutex_lock(&watch->lock);
    if (!watch->isStopped)
        watch->isStopped = !job->progress(job->context, stage, fraction);
    bool goesOn = !watch->isStopped;
    pthread_mutex_unlock(&watch->lock);
    return goesOn;
}

static void Log(void* context, qvLogLevel level, const char* line)
{
    qvWatch* watch = context;
    pthread_mutex_lock(&watch->lock);
    watch->job->log(watch->job->context, level, line);
    pthread_mutex_unlock(&watch->lock);
}

void qvWatch_Begin(qvWatch* watch, const qvJob* job)
{
    *watch = (qvWatch){ .job = job };
    pthread_mutex_init(&watch->lock, NULL);
    watch->shared = (qvJob){ .pool = qvJob_Pool(job), .context = watch };
    if (job != NULL && job->progress != NULL)
        watch->shared.progress = Ask;
    if (job != NULL && job->log != NULL)
        watch->shared.log = Log;
}

void qvWatch_End(qvWatch* watch)
{
    pthread_mutex_destroy(&watch->lock);
}

static bool AskQuietly(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return qvJob_Ask(context, NULL) == qv_ok;
}

qvJob qvQuietJob(const qvJob* job)
{
    return (qvJob){ .pool = qvJob_Pool(job), .progress = AskQuietly, .context = (void*)job };
}

typedef struct WatchedLoop
{
    qvRangeFcn* fcn;
    void* context;
    const qvJob* job;
    atomic_bool isStopped;
} WatchedLoop;

static void RunPiece(void* context, int begin, int end)
{
    WatchedLoop* loop = context;
    if (loop->isStopped)
        return;
    loop->fcn(loop->context, begin, end);
    if (qvJob_Ask(loop->job, NULL) != qv_ok)
        loop->isStopped = true;
}

qvResult qvWatchedFor(const qvJob* job, int count, int grain, qvRangeFcn* fcn, void* context, qvError* error)
{
    if (job == NULL || job->progress == NULL)
    {
        qvParallelFor(qvJob_Pool(job), count, grain, fcn, context);
        return qv_ok;
    }
    qvWatch watch;
    qvWatch_Begin(&watch, job);
    WatchedLoop loop = { .fcn = fcn, .context = context, .job = &watch.shared };
    qvParallelFor(qvJob_Pool(job), count, grain, RunPiece, &loop);
    qvWatch_End(&watch);
    return loop.isStopped ? qvError_Set(error, qv_cancelled, "stopped on request") : qv_ok;
}
