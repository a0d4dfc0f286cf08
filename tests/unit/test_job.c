// SPDX-License-Identifier: GPL-3.0-or-later
// Thread pool, progress and cancel.
#include "testing.h"

#include "base/rouse.h"
#include "base/watch.h"
#include "quaver/job.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    COUNT = 10007,
    GRAIN = 64,
    PIECES = COUNT / GRAIN + 1
};

typedef struct Sum
{
    double partial[PIECES];
    atomic_int visits[COUNT];
    qvPool* pool;
} Sum;

static void AddPiece(void* context, int begin, int end)
{
    Sum* sum = context;
    assert_int_equal(begin % GRAIN, 0);
    assert_true(end - begin == GRAIN || end == COUNT);
    for (int i = begin; i < end; i++)
    {
        sum->partial[begin / GRAIN] += 1.0 / (i + 1);
        atomic_fetch_add(&sum->visits[i], 1);
    }
}

static double SumWith(int threads)
{
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(threads, &pool, &error), error);
    assert_int_equal(qvPool_ThreadCount(pool), threads);
    Sum* sum = calloc(1, sizeof(*sum));
    qvParallelFor(pool, COUNT, GRAIN, AddPiece, sum);
    double total = 0.0;
    for (int i = 0; i < PIECES; i++)
        total += sum->partial[i];
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(sum->visits[i], 1);
    free(sum);
    qvDestroyPool(pool);
    return total;
}

static void TestSameBitsForAnyPool(void** state)
{
    (void)state;
    double one = SumWith(1);
    assert_true(one == SumWith(2) && one == SumWith(3) && one == SumWith(8));
    ASSERT_NEAR(one, 9.788, 1e-3);
}

static void Nested(void* context, int begin, int end)
{
    Sum* sum = context;
    for (int i = begin; i < end; i++)
        qvParallelFor(sum->pool, COUNT, GRAIN, AddPiece, sum);
}

static void TestNestedLoopsRun(void** state)
{
    (void)state;
    qvError error;
    Sum* sum = calloc(1, sizeof(*sum));
    ASSERT_OK(qvCreatePool(2, &sum->pool, &error), error);
    qvParallelFor(sum->pool, 2, 1, Nested, sum);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(sum->visits[i], 2);
    qvDestroyPool(sum->pool);
    free(sum);
}

static void* LoopOften(void* context)
{
    Sum* sum = context;
    for (int i = 0; i < 200; i++)
        qvParallelFor(sum->pool, COUNT, GRAIN, AddPiece, sum);
    return NULL;
}

static void TestPoolIsShared(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    Sum* sums[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
    {
        sums[i] = calloc(1, sizeof(*sums[i]));
        sums[i]->pool = pool;
        assert_int_equal(pthread_create(&threads[i], NULL, LoopOften, sums[i]), 0);
    }
    for (int i = 0; i < 2; i++)
    {
        pthread_join(threads[i], NULL);
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(sums[i]->visits[k], 200);
        free(sums[i]);
    }
    qvDestroyPool(pool);
}

static double ProcessorSeconds(void)
{
    struct timespec used;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Roused workers take their share of close loops, as do those that have gone to sleep again; none stays awake.
static void TestRousedWorkers(void** state)
{
    (void)state;
    qvError error;
    Sum* sum = calloc(1, sizeof(*sum));
    ASSERT_OK(qvCreatePool(4, &sum->pool, &error), error);
    for (int frame = 0; frame < 50; frame++)
    {
        qvPool_Rouse(sum->pool);
        for (int loop = 0; loop < 4; loop++)
            qvParallelFor(sum->pool, COUNT, GRAIN, AddPiece, sum);
        if (frame % 2 == 0)
            usleep(500);
        qvParallelFor(sum->pool, COUNT, GRAIN, AddPiece, sum);
        qvPool_Rest(sum->pool);
    }
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(sum->visits[i], 250);
    qvPool_Rouse(sum->pool);
    usleep(50000);
    double before = ProcessorSeconds();
    usleep(200000);
    assert_true(ProcessorSeconds() - before < 0.1); // of 0.6 s of three workers
    qvPool_Rest(sum->pool);
    qvDestroyPool(sum->pool);
    qvPool_Rouse(NULL);
    qvPool_Rest(NULL);
    free(sum);
}

static void TestEmptyLoops(void** state)
{
    (void)state;
    qvParallelFor(NULL, 0, 1, AddPiece, NULL);
    assert_int_equal(qvPool_ThreadCount(NULL), 1);
    qvDestroyPool(NULL);
}

typedef struct Listener
{
    double fraction;
    char line[64];
} Listener;

static bool StopHalfway(void* context, const char* stage, double fraction)
{
    assert_string_equal(stage, "modes");
    ((Listener*)context)->fraction = fraction;
    return fraction < 0.5;
}

static void KeepLine(void* context, qvLogLevel level, const char* line)
{
    assert_int_equal(level, qv_logWarning);
    snprintf(((Listener*)context)->line, sizeof(((Listener*)context)->line), "%s", line);
}

static void TestProgressCancels(void** state)
{
    (void)state;
    qvError error;
    Listener listener = { 0 };
    qvJob job = { .progress = StopHalfway, .log = KeepLine, .context = &listener };
    ASSERT_OK(qvJob_Progress(&job, "modes", 0.25, &error), error);
    assert_int_equal(qvJob_Progress(&job, "modes", 0.75, &error), qv_cancelled);
    ASSERT_CONTAINS(error.message, "modes");
    assert_true(listener.fraction == 0.75);
    ASSERT_OK(qvJob_Progress(NULL, "modes", 1.0, &error), error);
    qvJob_Log(&job, qv_logWarning, "%d modes", 12);
    assert_string_equal(listener.line, "12 modes");
    qvJob_Log(NULL, qv_logInfo, "nobody");
    assert_null(qvJob_Pool(NULL));
}

typedef struct Questions
{
    int asked, limit, told;
    atomic_int pieces;
    qvPool* watched;
} Questions;

static bool GoOnUntilLimit(void* context, const char* stage, double fraction)
{
    Questions* q = context;
    assert_true((fraction < 0.0) == (stage[0] == 0));
    q->told += fraction >= 0.0;
    return q->asked++ < q->limit;
}

static void CountPiece(void* context, int begin, int end)
{
    assert_int_equal(end - begin, 1);
    atomic_fetch_add(&((Questions*)context)->pieces, 1);
}

// Asked after each piece; after the first refusal nobody asks again, and of the pieces only those under way end.
static void TestWatchedLoopsStop(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    for (int threads = 1; threads <= 3; threads += 2)
    {
        Questions all = { .limit = 1000 }, some = { .limit = 20 };
        qvJob job = { .pool = threads > 1 ? pool : NULL, .progress = GoOnUntilLimit, .context = &all };
        ASSERT_OK(qvWatchedFor(&job, 100, 1, CountPiece, &all, &error), error);
        assert_int_equal(all.pieces, 100);
        assert_int_equal(all.asked, 100);
        job.context = &some;
        assert_int_equal(qvWatchedFor(&job, 100, 1, CountPiece, &some, &error), qv_cancelled);
        assert_int_equal(some.asked, 21);
        assert_in_range(some.pieces, 21, 21 + threads - 1);
        assert_int_equal(all.told + some.told, 0);
    }
    ASSERT_OK(qvWatchedFor(NULL, 0, 1, CountPiece, NULL, &error), error);
    qvDestroyPool(pool);
}

static void CountNested(void* context, int begin, int end)
{
    Questions* q = context;
    (void)begin;
    (void)end;
    qvParallelFor(q->watched, 10, 1, CountPiece, q);
}

// Loops know nothing of the job; once it refuses, they and those in them are left, and later ones are not begun.
static void TestWatchedPoolsStop(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    Questions q = { .limit = 50 };
    qvJob job = { .pool = pool, .progress = GoOnUntilLimit, .context = &q };
    ASSERT_OK(qvCreateWatchedPool(&job, &q.watched, &error), error);
    assert_ptr_equal(qvPool_Threads(q.watched), pool);
    assert_ptr_equal(qvPool_Threads(pool), pool);
    assert_int_equal(qvPool_ThreadCount(q.watched), 3);
    qvParallelFor(q.watched, 5, 1, CountPiece, &q);
    assert_int_equal(q.pieces, 5);
    ASSERT_OK(qvPool_Verdict(q.watched, &error), error);
    qvParallelFor(q.watched, 100, 1, CountNested, &q);
    assert_int_equal(qvPool_Verdict(q.watched, &error), qv_cancelled);
    assert_int_equal(q.asked, 51);
    int pieces = q.pieces;
    assert_in_range(pieces, 20, 60); // of 1005; asked between them as well
    qvParallelFor(q.watched, 100, 1, CountPiece, &q);
    assert_int_equal(q.pieces, pieces);
    assert_int_equal(q.asked, 51);
    qvDestroyPool(q.watched);
    ASSERT_OK(qvPool_Verdict(pool, &error), error);
    qvDestroyPool(pool);
}

// Without anybody to ask it is as many threads as it has.
static void TestWatchedPoolsOfNobody(void** state)
{
    (void)state;
    qvError error;
    Questions q = { 0 };
    ASSERT_OK(qvCreateWatchedPool(NULL, &q.watched, &error), error);
    qvParallelFor(q.watched, 10, 1, CountNested, &q);
    assert_int_equal(q.pieces, 100);
    assert_int_equal(qvPool_ThreadCount(q.watched), 1);
    ASSERT_OK(qvPool_Verdict(q.watched, &error), error);
    ASSERT_OK(qvPool_Verdict(NULL, &error), error);
    qvDestroyPool(q.watched);
}

static void TestQuietJobsOnlyAsk(void** state)
{
    (void)state;
    qvError error;
    Questions q = { .limit = 1 };
    qvJob job = { .progress = GoOnUntilLimit, .context = &q }, quiet = qvQuietJob(&job), none = qvQuietJob(NULL);
    ASSERT_OK(qvJob_Progress(&quiet, "modes", 0.5, &error), error);
    assert_int_equal(qvJob_Progress(&quiet, "modes", 0.5, &error), qv_cancelled);
    assert_int_equal(q.asked, 2);
    assert_int_equal(q.told, 0);
    ASSERT_OK(qvJob_Ask(&none, &error), error);
    ASSERT_OK(qvJob_Ask(NULL, &error), error);
    assert_int_equal(qvJob_Ask(&job, &error), qv_cancelled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSameBitsForAnyPool), cmocka_unit_test(TestNestedLoopsRun),
        cmocka_unit_test(TestPoolIsShared),       cmocka_unit_test(TestRousedWorkers),
        cmocka_unit_test(TestEmptyLoops),         cmocka_unit_test(TestProgressCancels),
        cmocka_unit_test(TestWatchedPoolsStop),   cmocka_unit_test(TestWatchedPoolsOfNobody),
        cmocka_unit_test(TestWatchedLoopsStop),   cmocka_unit_test(TestQuietJobsOnlyAsk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
