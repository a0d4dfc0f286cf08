// SPDX-License-Identifier: GPL-3.0-or-later
// A pool runs one loop at a time. Pieces are handed out by an atomic counter; which thread gets which piece varies, the
// pieces themselves do not.
#include "quaver/job.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/rouse.h"
#include "base/watch.h"

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

static const double AWAKE = 0.1; // ms that a thread waits for others before it sleeps: to wake it takes half of that

typedef struct Loop
{
    qvRangeFcn* fcn;
    void* context;
    int count, grain;
    atomic_int next; // number of the next piece
} Loop;

struct qvPool
{
    qvWatch* watch; // NULL: it has threads of its own

    int workerCount;
    pthread_t* workers;

    pthread_mutex_t busy; // held by the thread whose loop runs

    _Atomic(Loop*) loop;    // NULL: nothing to join any more
    atomic_uint generation; // counts loops, so that workers notice the next one
    atomic_int active;      // workers that may hold the loop: each counts itself before it looks for one
    atomic_int roused;      // callers who want the workers to wait awake
    atomic_bool stop;

    pthread_mutex_t lock; // for those who sleep; they count themselves before they look for a reason not to
    pthread_cond_t wake, done;
    atomic_int sleepers;
    atomic_bool waiting; // the thread whose loop runs sleeps until no worker is active
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

static inline void Pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void JoinLoop(qvPool* pool)
{
    pool->active++;
    Loop* loop = pool->loop;
    if (loop != NULL) // else woken too late: it is done
        RunPieces(loop);
    if (--pool->active == 0 && pool->waiting)
    {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

static bool IsNews(qvPool* pool, unsigned seen)
{
    return pool->generation != seen || pool->stop;
}

static void WaitAwake(qvPool* pool, unsigned seen)
{
    double start = qvMilliseconds();
    while (pool->roused > 0 && !IsNews(pool, seen) && qvMilliseconds() - start < AWAKE)
        Pause();
}

static void WaitAsleep(qvPool* pool, unsigned seen)
{
    if (IsNews(pool, seen))
        return;
    pthread_mutex_lock(&pool->lock);
    pool->sleepers++;
    while (!IsNews(pool, seen))
        pthread_cond_wait(&pool->wake, &pool->lock);
    pool->sleepers--;
    pthread_mutex_unlock(&pool->lock);
}

static void* WorkerMain(void* argument)
{
    qvPool* pool = argument;
    unsigned seen = 0;
    while (!pool->stop)
    {
        WaitAwake(pool, seen);
        WaitAsleep(pool, seen);
        seen = pool->generation;
        JoinLoop(pool);
    }
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

// For a worker that is about to sleep either the lock is too late, or it sees the news that came before.
static void Wake(qvPool* pool)
{
    if (pool->sleepers == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

qvResult qvCreateWatchedPool(const qvJob* job, qvPool** out, qvError* error)
{
    qvPool* pool = qvAllocate(1, sizeof(*pool));
    qvWatch* watch = qvAllocate(1, sizeof(*watch));
    *out = NULL;
    if (pool == NULL || watch == NULL)
    {
        free(pool);
        free(watch);
        return qvError_OutOfMemory(error, (double)(sizeof(*pool) + sizeof(*watch)));
    }
    qvWatch_Begin(watch, job);
    pool->watch = watch;
    *out = pool;
    return qv_ok;
}

qvResult qvPool_Verdict(const qvPool* pool, qvError* error)
{
    bool isWatched = pool != NULL && pool->watch != NULL;
    return isWatched ? qvJob_Ask(&pool->watch->shared, error) : qv_ok;
}

qvPool* qvPool_Threads(qvPool* pool)
{
    return pool != NULL && pool->watch != NULL ? pool->watch->shared.pool : pool;
}

static void DestroyWatched(qvPool* pool)
{
    qvWatch_End(pool->watch);
    free(pool->watch);
    free(pool);
}

void qvDestroyPool(qvPool* pool)
{
    if (pool == NULL)
        return;
    if (pool->watch != NULL)
    {
        DestroyWatched(pool);
        return;
    }
    pool->stop = true;
    Wake(pool);
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
    pool = qvPool_Threads((qvPool*)pool);
    return pool != NULL ? pool->workerCount + 1 : 1;
}

// Workers that have not begun are not waited for.
static void WaitForWorkers(qvPool* pool)
{
    pool->loop = NULL;
    double start = qvMilliseconds();
    while (pool->active > 0 && qvMilliseconds() - start < AWAKE)
        Pause();
    if (pool->active == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->waiting = true;
    while (pool->active > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->waiting = false;
    pthread_mutex_unlock(&pool->lock);
}

static void RunOnPool(qvPool* pool, Loop* loop)
{
    pool->loop = loop;
    pool->generation++;
    Wake(pool);
    RunPieces(loop);
    WaitForWorkers(pool);
}

void qvPool_Rouse(qvPool* pool)
{
    pool = qvPool_Threads(pool);
    if (pool == NULL)
        return;
    pool->roused++;
    pool->generation++; // of no loop
    Wake(pool);
}

void qvPool_Rest(qvPool* pool)
{
    pool = qvPool_Threads(pool);
    if (pool != NULL)
        pool->roused--;
}

void qvParallelFor(qvPool* pool, int count, int grain, qvRangeFcn* fcn, void* context)
{
    QV_ASSERT(count >= 0 && grain > 0);
    if (pool != NULL && pool->watch != NULL)
    {
        if (qvPool_Verdict(pool, NULL) == qv_ok)
            (void)!qvWatchedFor(&pool->watch->shared, count, grain, fcn, context, NULL); // the verdict tells the same
        return;
    }
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
