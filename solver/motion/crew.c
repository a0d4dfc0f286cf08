// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/crew.h"

#include "base/watch.h"

#include <stdatomic.h>

typedef struct Crew
{
    int itemCount;
    qvCrewFcn* fcn;
    void* context;
    const qvJob* job;
    atomic_int next;
    pthread_mutex_t lock; // guards what follows
    int failedItem;       // itemCount: none
    qvResult result;
    qvError error;
} Crew;

static void NoteFailure(Crew* crew, int item, qvResult result, const qvError* error)
{
    pthread_mutex_lock(&crew->lock);
    if (item < crew->failedItem)
        crew->failedItem = item, crew->result = result, crew->error = *error;
    pthread_mutex_unlock(&crew->lock);
    crew->next = crew->itemCount;
}

static void Work(void* context, int begin, int end)
{
    Crew* crew = context;
    for (int worker = begin; worker < end; worker++)
    {
        for (int item = crew->next++; item < crew->itemCount; item = crew->next++)
        {
            qvError error;
            qvResult result = crew->fcn(crew->context, worker, item, crew->job, &error);
            if (result != qv_ok)
                NoteFailure(crew, item, result, &error);
        }
    }
}

static qvResult RunAlone(int itemCount, qvCrewFcn* fcn, void* context, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    for (int item = 0; result == qv_ok && item < itemCount; item++)
        result = fcn(context, 0, item, job, error);
    return result;
}

qvResult qvRunCrew(int workerCount, int itemCount, qvCrewFcn* fcn, void* context, const qvJob* job, qvError* error)
{
    if (workerCount <= 1)
        return RunAlone(itemCount, fcn, context, job, error);
    qvWatch watch;
    qvWatch_Begin(&watch, job);
    Crew crew = { .itemCount = itemCount, .fcn = fcn, .context = context, .job = &watch.shared };
    crew.failedItem = itemCount;
    pthread_mutex_init(&crew.lock, NULL);
    qvParallelFor(qvJob_Pool(job), workerCount, 1, Work, &crew);
    pthread_mutex_destroy(&crew.lock);
    qvWatch_End(&watch);
    if (crew.result != qv_ok && error != NULL)
        *error = crew.error;
    return crew.result;
}
