// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/watch.h"

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
