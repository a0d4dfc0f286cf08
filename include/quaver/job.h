// SPDX-License-Identifier: GPL-3.0-or-later
/// What a long call gets from its caller: threads to run on, a place to report progress and to ask for a stop, and a
/// place for log lines. A NULL job means: this thread only, silent, never cancelled.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A fixed set of worker threads. One owner; may be used from several threads at once.
typedef struct qvPool qvPool;

/// Starts threadCount - 1 workers (the calling thread is the last one). 0 means one per core.
QV_CHECKED qvResult qvCreatePool(int threadCount, qvPool** pool, qvError* error);

/// Waits for the workers and frees the pool. NULL is allowed.
void qvDestroyPool(qvPool* pool);

/// Number of threads that work on a parallel loop, at least 1. NULL is a pool of one.
int qvPool_ThreadCount(const qvPool* pool);

/// Work on the half-open range [begin, end).
typedef void qvRangeFcn(void* context, int begin, int end);

/// Calls fcn over [0, count) in pieces of grain items (the last one may be shorter). The pieces depend on count and
/// grain only, never on the number of threads, so that partial results kept per piece (index begin / grain) and
/// summed in order are the same bits for any pool. Nested calls and calls while the pool is busy run on the calling
/// thread.
void qvParallelFor(qvPool* pool, int count, int grain, qvRangeFcn* fcn, void* context);

/// Progress of a named stage, fraction in [0, 1]. Returning false asks the call to stop soon with qv_cancelled. A call
/// that works on a pool may report from any of its threads, one report at a time. A negative fraction, with an empty
/// stage, is no news: the call merely asks, within a heavy step, whether to go on.
typedef bool qvProgressFcn(void* context, const char* stage, double fraction);

typedef enum qvLogLevel
{
    qv_logInfo,
    qv_logWarning,
} qvLogLevel;

/// One log line, without a newline at its end.
typedef void qvLogFcn(void* context, qvLogLevel level, const char* line);

typedef struct qvJob
{
    qvPool* pool;
    qvProgressFcn* progress;
    qvLogFcn* log;
    void* context; ///< handed to progress and log
} qvJob;

/// The pool of a job that may be NULL.
qvPool* qvJob_Pool(const qvJob* job);

/// A pool on the threads of a job's, which may be NULL, that asks the job after each piece of a loop; once it refuses,
/// no more pieces are begun and what the loops were to fill in is worth nothing. For long work that takes a pool only.
/// The job must outlive it. qvDestroyPool leaves the job's own pool alone.
QV_CHECKED qvResult qvCreateWatchedPool(const qvJob* job, qvPool** pool, qvError* error);

/// qv_cancelled once the job of a watched pool has refused; never of other pools.
QV_CHECKED qvResult qvPool_Verdict(const qvPool* pool, qvError* error);

/// The threads of a watched pool without the watch, for loops that must run to their end; other pools are their own.
qvPool* qvPool_Threads(qvPool* pool);

/// Reports progress; qv_cancelled (with error filled) when the caller wants to stop.
QV_CHECKED qvResult qvJob_Progress(const qvJob* job, const char* stage, double fraction, qvError* error);

/// Asks whether to go on without any news of the progress; qv_cancelled when not.
QV_CHECKED qvResult qvJob_Ask(const qvJob* job, qvError* error);

/// Sends a line to the job's log, if it has one.
void qvJob_Log(const qvJob* job, qvLogLevel level, const char* format, ...) QV_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
