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
    bool goOn = !task->stops;
    pthread_mutex_unlock(&task->mutex);
    return goOn;
}

static void* Work(void* context)
{
    qvuiTask* task = context;
    qvJob job = { .progress = ReportProgress, .context = task };
    task->result = task->errand.work(task->errand.order, &job, &task->error);
    pthread_mutex_lock(&task->mutex);
    task->finished = true;
    pthread_mutex_unlock(&task->mutex);
    return NULL;
}

static void Drop(const qvuiErrand* errand)
{
    if (errand->work != NULL && errand->drop != NULL)
        errand->drop(errand->order);
}

static qvResult Begin(qvuiTask* task, const qvuiErrand* errand, qvError* error)
{
    *task = (qvuiTask){ .running = true, .errand = *errand };
    snprintf(task->stage, sizeof(task->stage), "%s", errand->stage);
    pthread_mutex_init(&task->mutex, NULL);
    if (pthread_create(&task->thread, NULL, Work, task) == 0)
        return qv_ok;
    pthread_mutex_destroy(&task->mutex);
    task->running = false;
    return qvError_Set(error, qv_outOfMemory, "cannot start a thread; close other programs");
}

qvResult qvuiTask_Start(qvuiTask* task, const qvuiErrand* errand, qvError* error)
{
    qvuiTask_Cancel(task);
    if (task->running)
    {
        task->next = *errand;
        return qv_ok;
    }
    qvResult result = Begin(task, errand, error);
    if (result != qv_ok)
        Drop(errand);
    return result;
}

void qvuiTask_Cancel(qvuiTask* task)
{
    if (!task->running)
        return;
    Drop(&task->next);
    task->next = (qvuiErrand){ 0 };
    task->cancelled = true;
    pthread_mutex_lock(&task->mutex);
    task->stops = true;
    pthread_mutex_unlock(&task->mutex);
}

static void Join(qvuiTask* task)
{
    pthread_join(task->thread, NULL);
    pthread_mutex_destroy(&task->mutex);
    task->running = false;
}

void qvuiTask_End(qvuiTask* task)
{
    if (!task->running)
        return;
    qvuiTask_Cancel(task);
    Join(task);
    Drop(&task->errand);
}

bool qvuiTask_IsWanted(const qvuiTask* task)
{
    return task->running && (!task->cancelled || task->next.work != NULL);
}

bool qvuiTask_Progress(qvuiTask* task, double* fraction, char* stage)
{
    if (!task->running)
        return false;
    pthread_mutex_lock(&task->mutex);
    *fraction = task->fraction;
    memcpy(stage, task->stage, sizeof(task->stage));
    pthread_mutex_unlock(&task->mutex);
    if (task->cancelled)
        snprintf(stage, sizeof(task->stage), "%s", task->next.work != NULL ? task->next.stage : "stopping");
    return true;
}

// What was waiting for the end of another. When it cannot begin, it has ended.
static void* BeginNext(qvuiTask* task)
{
    qvuiErrand next = task->next;
    qvError error;
    if (next.work == NULL)
        return NULL;
    task->result = Begin(task, &next, &error);
    if (task->result == qv_ok)
        return NULL;
    task->error = error;
    return next.order;
}

void* qvuiTask_Collect(qvuiTask* task)
{
    if (!task->running)
        return NULL;
    pthread_mutex_lock(&task->mutex);
    bool finished = task->finished;
    pthread_mutex_unlock(&task->mutex);
    if (!finished)
        return NULL;
    Join(task);
    if (!task->cancelled)
        return task->errand.order;
    Drop(&task->errand);
    return BeginNext(task);
}
