// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that keeps a take up to date with the newest scene.
#include "base/memory.h"
#include "quaver/take.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What is superseded may still finish within this time, so that a slider that is dragged shows motions on the way.
static const double GRACE = 0.03; // s
enum
{
    STAGE_LENGTH = 64
};

struct qvWorker
{
    qvPipeline* pipeline;
    qvPool* pool;
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t posted;
    bool stop;

    const qvScene* next; // waits to be solved
    char* nextFolder;
    double nextSince; // s, when it came

    bool busy;
    double fraction;
    char stage[STAGE_LENGTH];

    const qvTake* take; // finished, not collected
    bool failed;
    qvError error;

    void (*wake)(void* context);
    void* wakeContext;
};

static double Now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Called by the stages: notes where they are, and stops what is superseded.
static bool Progress(void* context, const char* stage, double fraction)
{
    qvWorker* worker = context;
    pthread_mutex_lock(&worker->lock);
    snprintf(worker->stage, sizeof(worker->stage), "%s", stage);
    worker->fraction = fraction;
    bool late = worker->next != NULL && Now() - worker->nextSince > GRACE;
    bool goOn = !worker->stop && !late;
    pthread_mutex_unlock(&worker->lock);
    return goOn;
}

static void Store(qvWorker* worker, qvResult result, const qvTake* take, const qvError* error)
{
    if (result == qv_ok)
    {
        qvReleaseTake(worker->take);
        worker->take = take;
        worker->failed = false;
    }
    else if (result != qv_cancelled)
    {
        worker->failed = true;
        worker->error = *error;
    }
}

// With the lock held, which is given up while solving.
static void SolveNext(qvWorker* worker)
{
    const qvScene* scene = worker->next;
    char* folder = worker->nextFolder;
    worker->next = NULL, worker->nextFolder = NULL;
    worker->busy = true, worker->fraction = 0.0, worker->stage[0] = 0;
    pthread_mutex_unlock(&worker->lock);

    qvJob job = { .pool = worker->pool, .progress = Progress, .context = worker };
    qvTake* take;
    qvError error;
    qvResult result = qvPipeline_Solve(worker->pipeline, scene, folder, &job, &take, &error);
    qvReleaseScene(scene);
    free(folder);

    pthread_mutex_lock(&worker->lock);
    Store(worker, result, take, &error);
    worker->busy = worker->next != NULL;
    void (*wake)(void*) = result != qv_cancelled ? worker->wake : NULL;
    void* context = worker->wakeContext;
    if (wake == NULL)
        return;
    pthread_mutex_unlock(&worker->lock);
    wake(context);
    pthread_mutex_lock(&worker->lock);
}

static void* Main(void* argument)
{
    qvWorker* worker = argument;
    pthread_mutex_lock(&worker->lock);
    while (!worker->stop)
    {
        if (worker->next != NULL)
            SolveNext(worker);
        else
            pthread_cond_wait(&worker->posted, &worker->lock);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

qvResult qvCreateWorker(const qvPipelineDef* def, qvWorker** out, qvError* error)
{
    *out = NULL;
    qvWorker* worker = qvAllocate(1, sizeof(*worker));
    if (worker == NULL)
        return qvError_OutOfMemory(error, sizeof(*worker));
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->posted, NULL);
    qvResult result = qvCreatePipeline(def, &worker->pipeline, error);
    if (result == qv_ok)
        result = qvCreatePool(0, &worker->pool, error);
    if (result == qv_ok)
    {
        int code = pthread_create(&worker->thread, NULL, Main, worker);
        if (code == 0)
        {
            *out = worker;
            return qv_ok;
        }
        result = qvError_Set(error, qv_outOfMemory, "cannot start a thread: %s", strerror(code));
    }
    qvDestroyPool(worker->pool);
    qvDestroyPipeline(worker->pipeline);
    pthread_cond_destroy(&worker->posted);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
    return result;
}

void qvDestroyWorker(qvWorker* worker)
{
    if (worker == NULL)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->stop = true;
    pthread_cond_signal(&worker->posted);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    qvReleaseScene(worker->next);
    free(worker->nextFolder);
    qvReleaseTake(worker->take);
    qvDestroyPool(worker->pool);
    qvDestroyPipeline(worker->pipeline);
    pthread_cond_destroy(&worker->posted);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

void qvWorker_Post(qvWorker* worker, const qvScene* scene, const char* folder)
{
    char* copy = strdup(folder);
    pthread_mutex_lock(&worker->lock);
    if (copy == NULL)
    {
        worker->failed = true;
        qvError_OutOfMemory(&worker->error, (double)strlen(folder));
        pthread_mutex_unlock(&worker->lock);
        return;
    }
    // Time counts from the first scene that superseded the one at work, however many follow.
    if (worker->next == NULL)
        worker->nextSince = Now();
    qvReleaseScene(worker->next);
    free(worker->nextFolder);
    worker->next = qvRetainScene(scene);
    worker->nextFolder = copy;
    worker->busy = true;
    pthread_cond_signal(&worker->posted);
    pthread_mutex_unlock(&worker->lock);
}

const qvTake* qvWorker_Collect(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    const qvTake* take = worker->take;
    worker->take = NULL;
    pthread_mutex_unlock(&worker->lock);
    return take;
}

bool qvWorker_CollectError(qvWorker* worker, qvError* error)
{
    pthread_mutex_lock(&worker->lock);
    bool failed = worker->failed;
    if (failed)
        *error = worker->error;
    worker->failed = false;
    pthread_mutex_unlock(&worker->lock);
    return failed;
}

bool qvWorker_Progress(qvWorker* worker, double* fraction, char* stage)
{
    pthread_mutex_lock(&worker->lock);
    bool busy = worker->busy;
    *fraction = worker->fraction;
    memcpy(stage, worker->stage, sizeof(worker->stage));
    pthread_mutex_unlock(&worker->lock);
    return busy;
}

void qvWorker_SetWake(qvWorker* worker, void (*wake)(void* context), void* context)
{
    pthread_mutex_lock(&worker->lock);
    worker->wake = wake, worker->wakeContext = context;
    pthread_mutex_unlock(&worker->lock);
}
