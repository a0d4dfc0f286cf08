// SPDX-License-Identifier: GPL-3.0-or-later
// Vibration modes: closed forms, LAPACK, ARPACK and the block method against each other, and what can go wrong.
#include "testing.h"

#include "modal_cases.h"

#include "grid_shell.h"
#include "modal/parts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const qvModesMethod allMethods[] = { qv_modesAuto, qv_modesBlock, qv_modesArpack, qv_modesDense };

static qvModes* MustFind(const qvModesDef* def, const int32_t* fixed, int fixedCount)
{
    qvError error;
    qvModes* modes;
    ASSERT_OK(FindModes(def, fixed, fixedCount, NULL, &modes, &error), error);
    return modes;
}

static void CheckKnown(const Body* body, int count, double tolerance)
{
    for (int m = 0; m < 4; m++)
    {
        qvModesDef def = DefFor(body, count, allMethods[m]);
        qvModes* modes = MustFind(&def, NULL, 0);
        assert_int_equal(modes->count, count);
        for (int k = 0; k < count; k++)
            ASSERT_NEAR(modes->values[k], body->known[k], tolerance);
        ASSERT_NEAR(MassOrthonormalError(modes, body->mass), 0.0, 1e-12);
        assert_true(modes->report.residual <= def.tolerance && modes->report.backwardError < 1e-8);
        qvDestroyModes(modes);
    }
}

static void TestChains(void** state)
{
    (void)state;
    Body fixed = MakeSpringGrid(800, 1, true), free = MakeSpringGrid(800, 1, false);
    CheckKnown(&fixed, 12, 1e-12);
    CheckKnown(&free, 12, 1e-12);
    FreeBody(&fixed);
    FreeBody(&free);
}

// A square has every eigenvalue of an unequal pair of waves twice.
static void TestSquareRepeatsEigenvalues(void** state)
{
    (void)state;
    Body body = MakeSpringGrid(24, 24, true);
    CheckKnown(&body, 19, 1e-11);
    // The spaces of the first full shells of eigenvalues agree, whatever the basis in them.
    assert_true(body.known[18] - body.known[17] < 1e-12 && body.known[19] - body.known[18] > 1e-3);
    qvModesDef def = DefFor(&body, 19, qv_modesDense);
    qvModes* dense = MustFind(&def, NULL, 0);
    for (int m = 1; m < 3; m++)
    {
        def.method = allMethods[m];
        def.tolerance = 1e-10;
        qvModes* modes = MustFind(&def, NULL, 0);
        assert_int_equal(modes->report.method, allMethods[m]);
        ASSERT_NEAR(SpaceDistance(body.size, body.mass, dense->vectors, 19, modes->vectors, 19), 0.0, 1e-7);
        qvDestroyModes(modes);
    }
    qvDestroyModes(dense);
    FreeBody(&body);
}

static void TestPartsHaveTheirOwnZeroModes(void** state)
{
    (void)state;
    // More copies than the block method has columns: every eigenvalue is twelvefold.
    Body body = MakeChains(60, 12);
    CheckKnown(&body, 30, 1e-11);
    qvModesDef def = DefFor(&body, 30, qv_modesBlock);
    qvModes* modes = MustFind(&def, NULL, 0);
    assert_int_equal(modes->zeroCount, 12);
    qvDestroyModes(modes);
    FreeBody(&body);
    body = MakeChains(20, 40);
    def = DefFor(&body, 50, qv_modesBlock);
    modes = MustFind(&def, NULL, 0);
    assert_int_equal(modes->zeroCount, 40);
    for (int k = 0; k < 50; k++)
        ASSERT_NEAR(modes->values[k], body.known[k], 1e-11);
    qvDestroyModes(modes);
    FreeBody(&body);
}

static void TestPinsAreRemoved(void** state)
{
    (void)state;
    // A free chain of 602 with both ends pinned is one of 600 between walls.
    Body body = MakeSpringGrid(602, 1, false), walls = MakeSpringGrid(600, 1, true);
    int32_t fixed[] = { 601, 0, 0 };
    for (int m = 0; m < 4; m++)
    {
        qvModesDef def = DefFor(&body, 10, allMethods[m]);
        qvModes* modes = MustFind(&def, fixed, 3);
        for (int k = 0; k < 10; k++)
        {
            ASSERT_NEAR(modes->values[k], walls.known[k], 1e-12);
            assert_true(modes->vectors[k * 602] == 0.0 && modes->vectors[k * 602 + 601] == 0.0);
        }
        qvDestroyModes(modes);
    }
    FreeBody(&body);
    FreeBody(&walls);
}

static void TestEverythingPinned(void** state)
{
    (void)state;
    Body body = MakeSpringGrid(3, 1, false);
    int32_t fixed[] = { 0, 1, 2 };
    qvModesDef def = DefFor(&body, 5, qv_modesAuto);
    qvModes* modes = MustFind(&def, fixed, 3);
    assert_int_equal(modes->count, 0);
    qvDestroyModes(modes);
    FreeBody(&body);
}

static void TestTinyBodies(void** state)
{
    (void)state;
    for (int n = 1; n <= 3; n++)
    {
        for (int m = 0; m < 4; m++)
        {
            Body body = MakeSpringGrid(n, 1, false);
            qvModesDef def = DefFor(&body, 5, allMethods[m]);
            qvModes* modes = MustFind(&def, NULL, 0);
            assert_int_equal(modes->count, n);
            for (int k = 0; k < n; k++)
                ASSERT_NEAR(modes->values[k], body.known[k], 1e-14);
            assert_int_equal(modes->zeroCount, 1);
            qvDestroyModes(modes);
            FreeBody(&body);
        }
    }
}

static void TestNoStiffness(void** state)
{
    (void)state;
    Body body = MakeSpringGrid(400, 1, false);
    memset(body.matrix.values, 0, (size_t)body.pattern->entryCount * sizeof(double));
    qvModesDef def = DefFor(&body, 4, qv_modesAuto);
    qvModes* modes = MustFind(&def, NULL, 0);
    assert_int_equal(modes->zeroCount, 4);
    ASSERT_NEAR(MassOrthonormalError(modes, body.mass), 0.0, 1e-12);
    qvDestroyModes(modes);
    FreeBody(&body);
}

// Springs that push apart: the lowest eigenvalues are negative.
static void TestIndefiniteStiffness(void** state)
{
    (void)state;
    Body body = MakeSpringGrid(25, 20, true);
    uint64_t seed = 11;
    for (int i = 0; i < body.size; i++)
    {
        AddEntry(&body, i, i, -0.2);
        body.mass[i] = 0.5 + RandomUnit(&seed);
    }
    qvModesDef def = DefFor(&body, 12, qv_modesDense);
    qvModes* dense = MustFind(&def, NULL, 0);
    assert_true(dense->values[0] < -0.1 && dense->values[3] < -0.01 && dense->values[11] > 0.01);
    for (int m = 0; m < 3; m++)
    {
        def.method = allMethods[m];
        qvModes* modes = MustFind(&def, NULL, 0);
        assert_true(modes->report.shift > -dense->values[0] && modes->report.factorizations > 1);
        for (int k = 0; k < 12; k++)
            ASSERT_NEAR(modes->values[k], dense->values[k], 1e-11);
        qvDestroyModes(modes);
    }
    qvDestroyModes(dense);
    FreeBody(&body);
}

// Stiffness and mass of any size: the shift follows the spectrum, good or bad as the estimate may be.
static void TestScales(void** state)
{
    (void)state;
    const double scales[] = { 1e-12, 1.0, 1e12 };
    const double shifts[] = { 0.0, 1e-9, 1e3 };
    for (int s = 0; s < 3; s++)
    {
        for (int h = 0; h < 3; h++)
        {
            Body body = MakeSpringGrid(600, 1, false);
            for (int k = 0; k < body.pattern->entryCount; k++)
                body.matrix.values[k] *= scales[s];
            qvModesDef def = DefFor(&body, 8, qv_modesAuto);
            def.shift = shifts[h] * scales[s];
            qvModes* modes = MustFind(&def, NULL, 0);
            for (int k = 0; k < 8; k++)
                ASSERT_NEAR(modes->values[k] / scales[s], body.known[k], 1e-11);
            assert_int_equal(modes->zeroCount, 1);
            qvDestroyModes(modes);
            FreeBody(&body);
        }
    }
}

static void TestMethodsAgreeOnShells(void** state)
{
    (void)state;
    qvError error;
    GridShell shell;
    GridShellDef shape = { GRID_TORUS, 24, 10, 1, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &shell, &error), error);
    Body body = { .size = 3 * shell.vertexCount, .matrix = shell.matrix, .mass = shell.mass };
    qvModesDef def = DefFor(&body, 26, qv_modesDense);
    qvModes* dense = MustFind(&def, NULL, 0);
    assert_int_equal(dense->zeroCount, 6);
    assert_true(dense->values[6] > 0.01);
    for (int m = 1; m < 3; m++)
    {
        def.method = allMethods[m];
        qvModes* modes = MustFind(&def, NULL, 0);
        assert_int_equal(modes->zeroCount, 6);
        for (int k = 0; k < 26; k++)
            ASSERT_NEAR(modes->values[k], dense->values[k], 1e-9 * dense->values[25]);
        // The six rigid modes are the same space.
        ASSERT_NEAR(SpaceDistance(body.size, body.mass, dense->vectors, 6, modes->vectors, 6), 0.0, 1e-9);
        qvDestroyModes(modes);
    }
    qvDestroyModes(dense);
    FreeGridShell(&shell);
}

static void TestShellsInParts(void** state)
{
    (void)state;
    qvError error;
    GridShell shell;
    GridShellDef shape = { GRID_TORUS, 16, 8, 3, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &shell, &error), error);
    Body body = { .size = 3 * shell.vertexCount, .matrix = shell.matrix, .mass = shell.mass };
    qvModesDef def = DefFor(&body, 27, qv_modesBlock);
    qvModes* modes = MustFind(&def, NULL, 0);
    assert_int_equal(modes->zeroCount, 18);
    // The same body thrice: elastic eigenvalues come in threes.
    for (int k = 18; k < 27; k += 3)
        ASSERT_NEAR(modes->values[k + 2], modes->values[k], 1e-10 * modes->values[26]);
    qvDestroyModes(modes);
    FreeGridShell(&shell);
}

// Part by part the modes are those of the whole body, without the rigid ones. The second of three equal bodies is made
// stiffer, so that modes of different parts alternate.
static void TestModesByParts(void** state)
{
    (void)state;
    enum
    {
        ELASTIC = 12
    };
    qvError error;
    GridShell shell;
    GridShellDef shape = { GRID_TORUS, 16, 8, 3, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &shell, &error), error);
    Body body = { .size = 3 * shell.vertexCount, .matrix = shell.matrix, .mass = shell.mass };
    int part = body.size / 3;
    const int32_t* start = shell.matrix.pattern->columnStart;
    for (int32_t k = start[part]; k < start[2 * part]; k++)
        shell.matrix.values[k] *= 1.7;
    qvModesDef def = DefFor(&body, 18 + ELASTIC, qv_modesDense);
    qvModes* whole = MustFind(&def, NULL, 0);

    qvModalParts* parts;
    qvModes* modes;
    ASSERT_OK(qvCreateModalParts(shell.matrix.pattern, NULL, 0, NULL, &parts, &error), error);
    def = DefFor(&body, ELASTIC, qv_modesAuto);
    ASSERT_OK(qvModalParts_Compute(parts, &def, NULL, &modes, &error), error);
    assert_int_equal(modes->count, ELASTIC);
    assert_int_equal(modes->zeroCount, 0);
    int counts[3] = { 0 };
    for (int k = 0; k < ELASTIC; k++)
    {
        ASSERT_NEAR(modes->values[k], whole->values[18 + k], 1e-8 * whole->values[18 + ELASTIC - 1]);
        double mass[3] = { 0 };
        for (int i = 0; i < body.size; i++)
            mass[i / part] += body.mass[i] * modes->vectors[k * body.size + i] * modes->vectors[k * body.size + i];
        for (int p = 0; p < 3; p++)
        {
            counts[p] += mass[p] > 0.5;
            ASSERT_NEAR(mass[p], mass[p] > 0.5 ? 1.0 : 0.0, 1e-12);
        }
    }
    assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0 && counts[1] < counts[0]);
    qvDestroyModes(modes);
    qvDestroyModalParts(parts);
    qvDestroyModes(whole);

    // Pinned in the first part, the others keep their elastic modes and lose their rigid ones.
    int32_t fixed[] = { 0, 1, 2, 60, 61, 62, 120, 121, 122 };
    def = DefFor(&body, 12 + ELASTIC, qv_modesDense);
    whole = MustFind(&def, fixed, 9);
    ASSERT_OK(qvCreateModalParts(shell.matrix.pattern, fixed, 9, NULL, &parts, &error), error);
    def = DefFor(&body, ELASTIC, qv_modesAuto);
    ASSERT_OK(qvModalParts_Compute(parts, &def, NULL, &modes, &error), error);
    assert_int_equal(whole->zeroCount, 12);
    for (int k = 0; k < ELASTIC; k++)
        ASSERT_NEAR(modes->values[k], whole->values[12 + k], 1e-8 * whole->values[12 + ELASTIC - 1]);
    for (int k = 0; k < ELASTIC; k++)
        for (int i = 0; i < 9; i++)
            assert_true(modes->vectors[k * body.size + fixed[i]] == 0.0);
    qvDestroyModes(modes);
    qvDestroyModalParts(parts);
    qvDestroyModes(whole);
    FreeGridShell(&shell);
}

static void TestSameResultTwice(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    qvJob job = { .pool = pool };
    Body body = MakeSpringGrid(30, 17, false);
    qvModesDef def = DefFor(&body, 9, qv_modesBlock);
    qvModes *a = MustFind(&def, NULL, 0), *b;
    ASSERT_OK(FindModes(&def, NULL, 0, &job, &b, &error), error);
    assert_memory_equal(a->values, b->values, 9 * sizeof(double));
    for (int k = 0; k < 9; k++)
    {
        // Largest component positive; of several, the first.
        const double* column = a->vectors + k * body.size;
        double largest = 0.0;
        for (int i = 0; i < body.size; i++)
            largest = fmax(largest, fabs(column[i]));
        int first = 0;
        while (fabs(column[first]) < largest * (1.0 - 1e-6))
            first++;
        assert_true(column[first] > 0.0);
    }
    qvDestroyModes(a);
    qvDestroyModes(b);
    FreeBody(&body);
    qvDestroyPool(pool);
}

static void TestBadNumbers(void** state)
{
    (void)state;
    qvError error;
    qvModes* modes;
    for (int m = 0; m < 4; m++)
    {
        Body body = MakeSpringGrid(20, 20, true);
        qvModesDef def = DefFor(&body, 5, allMethods[m]);
        body.matrix.values[17] = NAN;
        assert_int_equal(FindModes(&def, NULL, 0, NULL, &modes, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "stiffness between degrees of freedom");
        assert_null(modes);
        body.matrix.values[17] = 1.0;
        body.mass[33] = 0.0;
        assert_int_equal(FindModes(&def, NULL, 0, NULL, &modes, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "degree of freedom 33 has mass 0");
        // What is pinned need not have a mass.
        int32_t fixed = 33;
        body.matrix.values[17] = 0.0;
        ASSERT_OK(FindModes(&def, &fixed, 1, NULL, &modes, &error), error);
        qvDestroyModes(modes);
        FreeBody(&body);
    }
}

static void TestGivesUp(void** state)
{
    (void)state;
    qvError error;
    qvModes* modes;
    Body body = MakeSpringGrid(40, 40, true);
    qvModesDef def = DefFor(&body, 30, qv_modesBlock);
    def.maxSteps = 2;
    assert_int_equal(FindModes(&def, NULL, 0, NULL, &modes, &error), qv_notConverged);
    ASSERT_CONTAINS(error.message, "in 2 steps");
    def.method = qv_modesArpack;
    def.maxSteps = 1;
    def.tolerance = 1e-15;
    assert_int_equal(FindModes(&def, NULL, 0, NULL, &modes, &error), qv_notConverged);
    FreeBody(&body);
}

typedef struct Countdown
{
    int left;
} Countdown;

static bool StopAfter(void* context, const char* stage, double fraction)
{
    assert_true(fraction < 0.0 ? stage[0] == 0 : strlen(stage) > 0 && fraction <= 1.0);
    return ((Countdown*)context)->left-- > 0;
}

// Cancelled at each of its progress reports in turn, the search stops, frees all and says so.
static void TestCancel(void** state)
{
    (void)state;
    Body body = MakeSpringGrid(25, 20, false);
    for (int m = 1; m < 3; m++)
    {
        int cancelled = 0;
        for (int stop = 0;; stop++)
        {
            qvError error;
            qvModes* modes;
            Countdown countdown = { stop };
            qvJob job = { .progress = StopAfter, .context = &countdown };
            qvModesDef def = DefFor(&body, 6, allMethods[m]);
            qvResult result = FindModes(&def, NULL, 0, &job, &modes, &error);
            if (result == qv_ok)
            {
                qvDestroyModes(modes);
                break;
            }
            assert_int_equal(result, qv_cancelled);
            cancelled++;
        }
        assert_true(cancelled > 5);
    }
    FreeBody(&body);
}

typedef struct Task
{
    const Body* body;
    qvModes* modes;
} Task;

static void* FindInThread(void* context)
{
    Task* task = context;
    qvError error;
    qvModesDef def = DefFor(task->body, 8, qv_modesArpack);
    for (int i = 0; i < 5; i++)
    {
        qvDestroyModes(task->modes);
        if (FindModes(&def, NULL, 0, NULL, &task->modes, &error) != qv_ok)
            return NULL;
    }
    return NULL;
}

static void TestArpackFromTwoThreads(void** state)
{
    (void)state;
    Body bodies[2] = { MakeSpringGrid(25, 20, true), MakeSpringGrid(31, 17, false) };
    Task tasks[2] = { { &bodies[0], NULL }, { &bodies[1], NULL } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, FindInThread, &tasks[i]), 0);
    for (int i = 0; i < 2; i++)
    {
        pthread_join(threads[i], NULL);
        assert_non_null(tasks[i].modes);
        for (int k = 0; k < 8; k++)
            ASSERT_NEAR(tasks[i].modes->values[k], bodies[i].known[k], 1e-12);
        qvDestroyModes(tasks[i].modes);
        FreeBody(&bodies[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestChains),
        cmocka_unit_test(TestSquareRepeatsEigenvalues),
        cmocka_unit_test(TestPartsHaveTheirOwnZeroModes),
        cmocka_unit_test(TestPinsAreRemoved),
        cmocka_unit_test(TestEverythingPinned),
        cmocka_unit_test(TestTinyBodies),
        cmocka_unit_test(TestNoStiffness),
        cmocka_unit_test(TestIndefiniteStiffness),
        cmocka_unit_test(TestScales),
        cmocka_unit_test(TestMethodsAgreeOnShells),
        cmocka_unit_test(TestShellsInParts),
        cmocka_unit_test(TestModesByParts),
        cmocka_unit_test(TestSameResultTwice),
        cmocka_unit_test(TestBadNumbers),
        cmocka_unit_test(TestGivesUp),
        cmocka_unit_test(TestCancel),
        cmocka_unit_test(TestArpackFromTwoThreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
