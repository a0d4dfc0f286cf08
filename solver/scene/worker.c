// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that keep a take up to date with the newest scene, and one that computes on what is simulated in it. Most of
// a solve stops soon when it is superseded, but a step inside a library cannot be stopped, such as the ordering of a
// large mesh. There are two threads, so that the newest scene need not wait for it: when the one at work does not stop
// in time, the other takes over, and the newest scene is begun within 50 ms whatever the old one does.
#include "base/clock.h"
#include "base/memory.h"
#include "quaver/take.h"
#include "scene/pipeline.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// What is superseded may still finish within this time, so that a slider that is dragged shows motions on the way.
static const double GRACE = 0.02; // s
// Then it is asked to stop; what goes on for so long since it was superseded is left behind.
static const double PATIENCE = 0.03; // s
// What solves have freed goes back to the system when there was none for so long.
static const double TIDY_AFTER = 1.0; // s
// Simulations go on in pieces of so much film, between which a newer take is looked for.
static const double PIECE = 0.1; // s

static const int LOW_PRIORITY = 10; // of the thread that simulates: solving and drawing come first

enum
{
    RUNNERS = 2,
    MOST_REPAIRS = 8,
    STAGE_LENGTH = 64
};

typedef struct Runner
{
    qvWorker* worker;
    pthread_t thread;
    bool started;
    uint64_t serial;   // of the scene it works on; 0: none
    double superseded; // s, when a newer scene came; 0: it is the newest
} Runner;

struct qvWorker
{
    qvPipeline* pipeline;
    qvPool* pool;
    Runner runners[RUNNERS];
    pthread_mutex_t lock; // guards what follows and the runners
    pthread_cond_t changed;
    bool stop;

    const qvScene* next; // waits to be solved; NULL: none
    char* nextFolder;
    double nextSince; // s, when it came
    double tidyTime;  // s, when memory is to be given back; INFINITY: nothing is left
    uint64_t posted;  // number of the newest scene; they count from 1
    uint64_t done;    // of the newest that is solved or failed
    uint64_t newest;  // of the newest that was begun
    uint64_t begun, stopped;
    int running, mostAtOnce;

    double fraction; // of the newest
    char stage[STAGE_LENGTH];

    const qvTake* take;    // finished, not collected
    const qvTake* current; // the newest, whose simulations go on; NULL: none
    pthread_t simulator;
    bool simulates;  // the thread was started
    bool isComplete; // nothing of the newest is left to compute
    bool isWhole;    // because all of it was there
    int repairs;     // of the newest scene: frames that were made again since they got lost
    bool failed;
    qvError error;
};

static double Now(void) // s
{
    return 1e-3 * qvMilliseconds();
}

// --- Solving -------------------------------------------------------------------------------------------------------

// Called by the stages: notes where they are, and stops what is superseded.
static bool Progress(void* context, const char* stage, double fraction)
{
    Runner* runner = context;
    qvWorker* worker = runner->worker;
    pthread_mutex_lock(&worker->lock);
    if (runner->superseded <= 0.0 && fraction >= 0.0)
    {
        snprintf(worker->stage, sizeof(worker->stage), "%s", stage);
        worker->fraction = fraction;
    }
    bool late = runner->superseded > 0.0 && Now() - runner->superseded > GRACE;
    bool goOn = !worker->stop && !late;
    pthread_mutex_unlock(&worker->lock);
    return goOn;
}

// With the lock held: a take to be collected, whose simulations go on. Takes over its ownership.
static void Show(qvWorker* worker, const qvTake* take)
{
    qvReleaseTake(worker->take);
    worker->take = take;
    qvReleaseTake(worker->current);
    worker->current = qvRetainTake(take);
    worker->isComplete = worker->isWhole = false;
}

// Keeps a result, unless a newer scene has one already.
static void Keep(qvWorker* worker, uint64_t serial, qvResult result, const qvTake* take, const qvError* error)
{
    if (result == qv_cancelled || serial <= worker->done)
    {
        qvReleaseTake(take);
        return;
    }
    worker->done = serial;
    worker->failed = result != qv_ok;
    if (worker->failed)
        worker->error = *error;
    else
        Show(worker, take);
    worker->repairs = 0;
}

// With the lock held, which is given up while solving.
static void SolveNext(Runner* runner)
{
    qvWorker* worker = runner->worker;
    const qvScene* scene = worker->next;
    char* folder = worker->nextFolder;
    worker->next = NULL, worker->nextFolder = NULL;
    worker->fraction = 0.0, worker->stage[0] = 0;
    runner->serial = worker->newest = worker->posted, runner->superseded = 0.0;
    worker->begun++;
    worker->running++;
    worker->mostAtOnce = worker->running > worker->mostAtOnce ? worker->running : worker->mostAtOnce;
    pthread_mutex_unlock(&worker->lock);

    qvJob job = { .pool = worker->pool, .progress = Progress, .context = runner };
    qvTake* take;
    qvError error;
    qvResult result = qvPipeline_SolveKnown(worker->pipeline, scene, folder, &job, &take, &error);
    qvReleaseScene(scene);
    free(folder);

    pthread_mutex_lock(&worker->lock);
    Keep(worker, runner->serial, result, take, &error);
    runner->serial = 0;
    worker->running--;
    worker->stopped += result == qv_cancelled;
    worker->tidyTime = Now() + TIDY_AFTER;
    pthread_cond_broadcast(&worker->changed);
}

static bool OthersAreIdle(const Runner* runner)
{
    for (int i = 0; i < RUNNERS; i++)
    {
        const Runner* other = &runner->worker->runners[i];
        if (other != runner && other->serial != 0)
            return false;
    }
    return true;
}

static void WaitUntil(qvWorker* worker, double time)
{
    struct timespec until = { .tv_sec = (time_t)time, .tv_nsec = (long)(1e9 * (time - (double)(time_t)time)) };
    pthread_cond_timedwait(&worker->changed, &worker->lock, &until);
}

// With the lock held, which is given up meanwhile. By now the caller has let go of the take before the last one, too.
static void Tidy(qvWorker* worker)
{
    worker->tidyTime = INFINITY;
    pthread_mutex_unlock(&worker->lock);
    qvReturnFreeMemory();
    pthread_mutex_lock(&worker->lock);
}

static void* RunnerMain(void* argument)
{
    Runner* runner = argument;
    qvWorker* worker = runner->worker;
    pthread_mutex_lock(&worker->lock);
    while (!worker->stop)
    {
        if (worker->next == NULL && worker->tidyTime == INFINITY)
            pthread_cond_wait(&worker->changed, &worker->lock);
        else if (worker->next == NULL && Now() < worker->tidyTime)
            WaitUntil(worker, worker->tidyTime);
        else if (worker->next == NULL)
            Tidy(worker);
        else if (OthersAreIdle(runner) || Now() - worker->nextSince > PATIENCE)
            SolveNext(runner);
        else
            WaitUntil(worker, worker->nextSince + PATIENCE + 1e-3);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

// --- Simulating ----------------------------------------------------------------------------------------------------

typedef struct Piece
{
    qvWorker* worker;
    const qvTake* take;
} Piece;

// Stops what a newer take supersedes; what it has computed stays in its cache.
static bool GoesOn(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    const Piece* piece = context;
    pthread_mutex_lock(&piece->worker->lock);
    bool goesOn = !piece->worker->stop && piece->worker->current == piece->take;
    pthread_mutex_unlock(&piece->worker->lock);
    return goesOn;
}

// With what has become known: the take of the same scene with more of what lies above its simulations. NULL: it is not
// worth it yet.
static qvResult SolveAgain(qvWorker* worker, const qvTake* take, const qvJob* job, qvTake** again, qvError* error)
{
    double known = qvTake_StepsUntil(take);
    *again = NULL;
    if (isinf(take->missing.from) || !(isinf(known) || known >= take->missing.worthAt))
        return qv_ok;
    return qvPipeline_SolveKnown(worker->pipeline, take->scene, take->folder, job, again, error);
}

// With the lock held, which is given up meanwhile.
static void SimulatePiece(qvWorker* worker)
{
    const qvTake* take = qvRetainTake(worker->current);
    pthread_mutex_unlock(&worker->lock);
    Piece piece = { worker, take };
    qvJob job = { .progress = GoesOn, .context = &piece };
    qvError error;
    qvTake* again = NULL;
    double known = qvTake_StepsUntil(take);
    qvResult result = isinf(known) ? qv_ok : qvTake_Advance(take, known + PIECE, &job, &error);
    if (result == qv_ok)
        result = SolveAgain(worker, take, &job, &again, &error);
    bool isDone = isinf(qvTake_ValidUntil(take)) || (result != qv_ok && result != qv_cancelled);
    pthread_mutex_lock(&worker->lock);
    if (worker->current == take)
    {
        worker->isComplete = isDone, worker->isWhole = isDone && result == qv_ok;
        if (isDone && result != qv_ok)
            worker->failed = true, worker->error = error;
        if (again != NULL)
            Show(worker, again);
    }
    else
        qvReleaseTake(again);
    qvReleaseTake(take);
}

static void* SimulatorMain(void* argument)
{
    qvWorker* worker = argument;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), LOW_PRIORITY);
    pthread_mutex_lock(&worker->lock);
    while (!worker->stop)
    {
        if (worker->current == NULL || worker->isComplete)
            pthread_cond_wait(&worker->changed, &worker->lock);
        else
            SimulatePiece(worker);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

// --- Making --------------------------------------------------------------------------------------------------------

static void StartLocks(qvWorker* worker)
{
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->changed, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&worker->lock, NULL);
}

static qvResult StartRunners(qvWorker* worker, qvError* error)
{
    for (int i = 0; i < RUNNERS; i++)
    {
        Runner* runner = &worker->runners[i];
        runner->worker = worker;
        int code = pthread_create(&runner->thread, NULL, RunnerMain, runner);
        if (code != 0)
            return qvError_Set(error, qv_outOfMemory, "cannot start a thread: %s", strerror(code));
        runner->started = true;
    }
    int code = pthread_create(&worker->simulator, NULL, SimulatorMain, worker);
    worker->simulates = code == 0;
    return code == 0 ? qv_ok : qvError_Set(error, qv_outOfMemory, "cannot start a thread: %s", strerror(code));
}

qvResult qvCreateWorker(const qvPipelineDef* def, qvWorker** out, qvError* error)
{
    *out = NULL;
    qvWorker* worker = qvAllocate(1, sizeof(*worker));
    if (worker == NULL)
        return qvError_OutOfMemory(error, sizeof(*worker));
    StartLocks(worker);
    worker->tidyTime = INFINITY;
    qvResult result = qvCreatePipeline(def, &worker->pipeline, error);
    if (result == qv_ok)
        result = qvCreatePool(0, &worker->pool, error);
    if (result == qv_ok)
        result = StartRunners(worker, error);
    if (result == qv_ok)
        *out = worker;
    else
        qvDestroyWorker(worker);
    return result;
}

void qvDestroyWorker(qvWorker* worker)
{
    if (worker == NULL)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->stop = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    for (int i = 0; i < RUNNERS; i++)
    {
        if (worker->runners[i].started)
            pthread_join(worker->runners[i].thread, NULL);
    }
    if (worker->simulates)
        pthread_join(worker->simulator, NULL);
    qvReleaseScene(worker->next);
    free(worker->nextFolder);
    qvReleaseTake(worker->take);
    qvReleaseTake(worker->current);
    qvDestroyPool(worker->pool);
    qvDestroyPipeline(worker->pipeline);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

// --- The other side ------------------------------------------------------------------------------------------------

const qvBody* qvWorker_ShareBody(qvWorker* worker, const qvBody* body)
{
    return qvPipeline_ShareBody(worker->pipeline, body);
}

void qvWorker_Post(qvWorker* worker, const qvScene* scene, const char* folder)
{
    char* copy = strdup(folder);
    pthread_mutex_lock(&worker->lock);
    double now = Now();
    worker->posted++;
    for (int i = 0; i < RUNNERS; i++)
    {
        Runner* runner = &worker->runners[i];
        runner->superseded = runner->superseded > 0.0 ? runner->superseded : now;
    }
    // Patience counts from the first scene that superseded the one at work, however many follow.
    worker->nextSince = worker->next != NULL ? worker->nextSince : now;
    qvReleaseScene(worker->next);
    free(worker->nextFolder);
    worker->next = copy != NULL ? qvRetainScene(scene) : NULL;
    worker->nextFolder = copy;
    if (copy == NULL)
    {
        worker->done = worker->posted;
        worker->failed = true;
        qvError_OutOfMemory(&worker->error, (double)strlen(folder));
    }
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

qvPipeline* qvWorker_Pipeline(qvWorker* worker)
{
    return worker->pipeline;
}

void qvWorker_Forget(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->done = worker->posted;
    worker->failed = false;
    qvReleaseTake(worker->take);
    qvReleaseTake(worker->current);
    worker->take = worker->current = NULL;
    qvReleaseScene(worker->next);
    free(worker->nextFolder);
    worker->next = NULL, worker->nextFolder = NULL;
    // Without grace: the next report of progress stops them.
    for (int i = 0; i < RUNNERS; i++)
        worker->runners[i].superseded = DBL_MIN;
    pthread_mutex_unlock(&worker->lock);
}

// With the lock held: whoever looked at the newest take may have found that a frame of it cannot be read any more.
static void LookForLost(qvWorker* worker)
{
    if (worker->current == NULL || !worker->isComplete || !worker->isWhole || worker->repairs >= MOST_REPAIRS ||
        isinf(qvTake_StepsUntil(worker->current)))
        return;
    worker->repairs++;
    worker->isComplete = worker->isWhole = false;
    pthread_cond_broadcast(&worker->changed);
}

const qvTake* qvWorker_Collect(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    const qvTake* take = worker->take;
    worker->take = NULL;
    pthread_mutex_unlock(&worker->lock);
    return take;
}

bool qvWorker_HasNews(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    bool news = worker->take != NULL || worker->failed;
    pthread_mutex_unlock(&worker->lock);
    return news;
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
    bool busy = worker->done < worker->posted;
    *fraction = worker->fraction;
    memcpy(stage, worker->stage, sizeof(worker->stage));
    pthread_mutex_unlock(&worker->lock);
    return busy;
}

bool qvWorker_IsSimulating(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    LookForLost(worker);
    bool simulating = worker->current != NULL && !worker->isComplete;
    pthread_mutex_unlock(&worker->lock);
    return simulating;
}

qvWorkerStats qvWorker_Stats(qvWorker* worker)
{
    pthread_mutex_lock(&worker->lock);
    qvWorkerStats stats = { worker->posted, worker->begun, worker->stopped, worker->newest, worker->mostAtOnce };
    pthread_mutex_unlock(&worker->lock);
    return stats;
}
