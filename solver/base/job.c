// SPDX-License-Identifier: GPL-3.0-or-later
// A pool runs one loop at a time. Pieces are handed out by an atomic counter; which thread gets which piece varies, the
// pieces themselves do not.
#include "quaver/job.h"

#include "base/assert.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_THREADS = 256
};

typedef struct Loop
{
    qvRangeFcn* fcn;
    void* context;
    int count, grain;
    atomic_int next; // number of the next piece
} Loop;

struct qvPool
{
    int workerCount;
    pthread_t* workers;

    pthread_mutex_t busy; // held by the thread whose loop runs

    pthread_mutex_t lock; // guards what follows
    pthread_cond_t wake, done;
    Loop* loop;
    unsigned generation; // counts loops, so that a worker takes each once
    int active;          // workers that still hold the loop
    bool stop;
};

static int PieceCount(int count, int grain)
{
    return count / grain + (count % grain != 0);
}

static void RunPieces(Loop* loop)
{
    int pieces = PieceCount(loop->count, loop->grain);
    for (;;)
    {
        int piece = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
        if (piece >= pieces)
            return;
        int begin = piece * loop->grain;
        int end = loop->count - begin < loop->grain ? loop->count : begin + loop->grain;
        loop->fcn(loop->context, begin, end);
    }
}

static void* WorkerMain(void* argument)
{
    qvPool* pool = argument;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;)
    {
        while (!pool->stop && pool->generation == seen)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->generation;
        Loop* loop = pool->loop;
        if (loop == NULL) // woken too late: it is done
            continue;
        pool->active++;
        pthread_mutex_unlock(&pool->lock);
        RunPieces(loop);
        pthread_mutex_lock(&pool->lock);
        if (--pool->active == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

qvResult qvCreatePool(int threadCount, qvPool** out, qvError* error)
{
    QV_ASSERT(threadCount >= 0);
    *out = NULL;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = threadCount > 0 ? threadCount : cores > 0 ? (int)cores : 1;
    threads = threads > MAX_THREADS ? MAX_THREADS : threads;

    qvPool* pool = qvAllocate(1, sizeof(*pool));
    pthread_t* workers = qvAllocate((size_t)threads, sizeof(*workers));
    if (pool == NULL || workers == NULL)
    {
        free(pool);
        free(workers);
        return qvError_OutOfMemory(error, (double)sizeof(*pool));
    }
    pool->workers = workers;
    pthread_mutex_init(&pool->busy, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (; pool->workerCount < threads - 1; pool->workerCount++)
    {
        int code = pthread_create(&workers[pool->workerCount], NULL, WorkerMain, pool);
        if (code != 0)
        {
            qvDestroyPool(pool);
            return qvError_Set(error, qv_outOfMemory, "cannot start a thread: %s", strerror(code));
        }
    }
    *out = pool;
    return qv_ok;
}

void qvDestroyPool(qvPool* pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->workerCount; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->busy);
    free(pool->workers);
    free(pool);
}

int qvPool_ThreadCount(const qvPool* pool)
{
    return pool != NULL ? pool->workerCount + 1 : 1;
}

static void RunOnPool(qvPool* pool, Loop* loop)
{
    pthread_mutex_lock(&pool->lock);
    pool->loop = loop;
    pool->generation++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    RunPieces(loop);

    pthread_mutex_lock(&pool->lock);
    pool->loop = NULL; // workers that have not begun are not waited for
    while (pool->active > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void qvParallelFor(qvPool* pool, int count, int grain, qvRangeFcn* fcn, void* context)
{
    QV_ASSERT(count >= 0 && grain > 0);
    Loop loop = { .fcn = fcn, .context = context, .count = count, .grain = grain };
    // A nested loop finds the pool busy, as does one from another thread: it runs here, over the same pieces.
    bool useful = pool != NULL && pool->workerCount > 0 && count > grain;
    if (useful && pthread_mutex_trylock(&pool->busy) == 0)
    {
        RunOnPool(pool, &loop);
        pthread_mutex_unlock(&pool->busy);
    }
    else
    {
        RunPieces(&loop);
    }
}

qvPool* qvJob_Pool(const qvJob* job)
{
    return job != NULL ? job->pool : NULL;
}

qvResult qvJob_Progress(const qvJob* job, const char* stage, double fraction, qvError* error)
{
    if (job == NULL || job->progress == NULL || job->progress(job->context, stage, fraction))
        return qv_ok;
    return qvError_Set(error, qv_cancelled, "%s: stopped on request", stage);
}

qvResult qvJob_Ask(const qvJob* job, qvError* error)
{
    if (job == NULL || job->progress == NULL || job->progress(job->context, "", -1.0))
        return qv_ok;
    return qvError_Set(error, qv_cancelled, "stopped on request");
}

void qvJob_Log(const qvJob* job, qvLogLevel level, const char* format, ...)
{
    if (job == NULL || job->log == NULL)
        return;
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    job->log(job->context, level, line);
}
