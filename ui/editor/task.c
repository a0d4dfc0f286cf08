// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/task.h"

#include <stdio.h>
#include <string.h>

static bool ReportProgress(void* context, const char* stage, double fraction)
{
    qvuiTask* task = context;
    pthread_mutex_lock(&task->mutex);
    if (fraction >= 0.0)
    {
        task->fraction = fraction;
        snprintf(task->stage, sizeof(task->stage), "%s", stage);
    }
    bool goOn = !task->cancelled;
    pthread_mutex_unlock(&task->mutex);
    return goOn;
}

static void* Work(void* context)
{
    qvuiTask* task = context;
    qvJob job = { .progress = ReportProgress, .context = task };
    task->result = task->work(task->context, &job, &task->error);
    pthread_mutex_lock(&task->mutex);
    task->finished = true;
    pthread_mutex_unlock(&task->mutex);
    return NULL;
}

qvResult qvuiTask_Start(qvuiTask* task, qvuiWorkFcn* work, void* context, const char* stage, qvError* error)
{
    *task = (qvuiTask){ .running = true, .work = work, .context = context };
    snprintf(task->stage, sizeof(task->stage), "%s", stage);
    pthread_mutex_init(&task->mutex, NULL);
    if (pthread_create(&task->thread, NULL, Work, task) == 0)
        return qv_ok;
    pthread_mutex_destroy(&task->mutex);
    task->running = false;
    return qvError_Set(error, qv_outOfMemory, "cannot start a thread; close other programs");
}

static void Join(qvuiTask* task)
{
    pthread_join(task->thread, NULL);
    pthread_mutex_destroy(&task->mutex);
    task->running = false;
}

bool qvuiTask_Cancel(qvuiTask* task)
{
    if (!task->running)
        return false;
    pthread_mutex_lock(&task->mutex);
    task->cancelled = true;
    pthread_mutex_unlock(&task->mutex);
    Join(task);
    return true;
}

bool qvuiTask_Progress(qvuiTask* task, double* fraction, char* stage)
{
    if (!task->running)
        return false;
    pthread_mutex_lock(&task->mutex);
    *fraction = task->fraction;
    memcpy(stage, task->stage, sizeof(task->stage));
    pthread_mutex_unlock(&task->mutex);
    return true;
}

bool qvuiTask_Collect(qvuiTask* task)
{
    if (!task->running)
        return false;
    pthread_mutex_lock(&task->mutex);
    bool finished = task->finished;
    pthread_mutex_unlock(&task->mutex);
    if (finished)
        Join(task);
    return finished;
}
