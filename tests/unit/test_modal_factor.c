// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse factorization: solves, pins, what is not positive definite.
#include "testing.h"

#include "modal_cases.h"

#include "grid_shell.h"
#include "modal/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 11
};

typedef struct Solver
{
    qvSymbolic* symbolic;
    qvFactor* factor;
} Solver;

static Solver MakeSolver(const qvSparsePattern* pattern, const int32_t* fixed, int fixedCount)
{
    qvError error;
    Solver solver;
    ASSERT_OK(qvCreateSymbolic(pattern, fixed, fixedCount, NULL, &solver.symbolic, &error), error);
    ASSERT_OK(qvCreateFactor(solver.symbolic, &solver.factor, &error), error);
    return solver;
}

static void FreeSolver(Solver* solver)
{
    qvDestroyFactor(solver->factor);
    qvDestroySymbolic(solver->symbolic);
}

// Largest |(K + shift M) x - b| over the free degrees of freedom, b being random; also that x is zero where fixed.
static double SolveError(Solver* solver, const qvSparse* matrix, const double* mass, double shift, const bool* isFixed,
                         int columns, qvPool* pool)
{
    int n = matrix->pattern->size;
    qvError error;
    qvJob job = { .pool = pool };
    double* b = calloc((size_t)(n * columns), sizeof(double));
    double* x = calloc((size_t)(n * columns), sizeof(double));
    double* kx = calloc((size_t)(n * columns), sizeof(double));
    uint64_t seed = 77;
    for (int i = 0; i < n * columns; i++)
        b[i] = RandomUnit(&seed) - 0.5;
    ASSERT_OK(qvFactor_Solve(solver->factor, b, columns, x, &job, &error), error);
    ASSERT_OK(qvSparse_Multiply(matrix, x, columns, kx, NULL, &error), error);
    double worst = 0.0;
    for (int i = 0; i < n * columns; i++)
    {
        if (isFixed != NULL && isFixed[i % n])
            assert_true(x[i] == 0.0);
        else
            worst = fmax(worst, fabs(kx[i] + shift * mass[i % n] * x[i] - b[i]));
    }
    free(b);
    free(x);
    free(kx);
    return worst;
}

// Minimum degree below 500 unknowns, nested dissection above, with the kernels of every CPU level.
static void CheckSolves(void)
{
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    const int widths[] = { 1, 7, 60 };
    for (int w = 0; w < 3; w++)
    {
        Body body = MakeSpringGrid(widths[w], 40, true);
        uint64_t seed = 2;
        for (int i = 0; i < body.size; i++)
            body.mass[i] = 0.1 + RandomUnit(&seed);
        Solver solver = MakeSolver(body.pattern, NULL, 0);
        const double shifts[] = { 0.0, 3.0 };
        for (int s = 0; s < 2; s++)
        {
            ASSERT_OK(qvFactor_Compute(solver.factor, &body.matrix, body.mass, shifts[s], NULL, &error), error);
            for (int columns = 1; columns <= COLUMNS; columns += 5)
                ASSERT_NEAR(SolveError(&solver, &body.matrix, body.mass, shifts[s], NULL, columns, pool), 0.0, 1e-12);
        }
        FreeSolver(&solver);
        FreeBody(&body);
    }
    qvDestroyPool(pool);
}

static void TestSolves(void** state)
{
    (void)state;
    const char* const levels[] = { "portable", "avx2", "avx512" };
    for (int i = 0; i < 3; i++)
    {
        setenv("QUAVER_CPU", levels[i], 1);
        CheckSolves();
    }
    unsetenv("QUAVER_CPU");
}

static void TestPinnedShell(void** state)
{
    (void)state;
    qvError error;
    GridShell shell;
    GridShellDef shape = { GRID_TUBE, 20, 14, 1, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &shell, &error), error);
    int n = 3 * shell.vertexCount, fixedCount = 0;
    int32_t fixed[3 * 14 + 1];
    bool* isFixed = calloc((size_t)n, sizeof(bool));
    for (int i = 0; i < 3 * 14; i++)
        fixed[fixedCount++] = i;
    fixed[fixedCount++] = n - 2; // one coordinate of one vertex
    for (int i = 0; i < fixedCount; i++)
        isFixed[fixed[i]] = true;
    Solver solver = MakeSolver(shell.pattern, fixed, fixedCount);
    assert_int_equal(qvSymbolic_Stats(solver.symbolic).freeCount, n - fixedCount);
    assert_int_equal(qvSymbolic_Stats(solver.symbolic).partCount, 1);
    ASSERT_OK(qvFactor_Compute(solver.factor, &shell.matrix, shell.mass, 0.0, NULL, &error), error);
    ASSERT_NEAR(SolveError(&solver, &shell.matrix, shell.mass, 0.0, isFixed, 3, NULL), 0.0, 1e-9);
    FreeSolver(&solver);
    FreeGridShell(&shell);
    free(isFixed);
}

static void TestNotPositiveDefinite(void** state)
{
    (void)state;
    qvError error;
    const int sizes[] = { 12, 40 };
    for (int s = 0; s < 2; s++)
    {
        Body body = MakeSpringGrid(sizes[s], sizes[s], true);
        Solver solver = MakeSolver(body.pattern, NULL, 0);
        assert_int_equal(qvFactor_Compute(solver.factor, &body.matrix, body.mass, -1.0, NULL, &error), qv_notConverged);
        ASSERT_CONTAINS(error.message, "not positive definite");
        // The same object works again with a matrix that is.
        ASSERT_OK(qvFactor_Compute(solver.factor, &body.matrix, body.mass, 0.5, NULL, &error), error);
        ASSERT_NEAR(SolveError(&solver, &body.matrix, body.mass, 0.5, NULL, COLUMNS, NULL), 0.0, 1e-12);
        FreeSolver(&solver);
        FreeBody(&body);
    }
}

static void TestBadNumbers(void** state)
{
    (void)state;
    qvError error;
    Body body = MakeSpringGrid(9, 9, true);
    Solver solver = MakeSolver(body.pattern, NULL, 0);
    body.matrix.values[4] = INFINITY;
    assert_int_equal(qvFactor_Compute(solver.factor, &body.matrix, NULL, 0.0, NULL, &error), qv_badInput);
    body.matrix.values[4] = 1.0;
    body.mass[2] = -1.0;
    assert_int_equal(qvFactor_Compute(solver.factor, &body.matrix, body.mass, 0.0, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "degree of freedom 2 has mass -1");
    FreeSolver(&solver);
    FreeBody(&body);
}

static void TestEmptyAndAllPinned(void** state)
{
    (void)state;
    qvError error;
    Body body = MakeSpringGrid(2, 1, false);
    int32_t fixed[] = { 1, 0 };
    Solver solver = MakeSolver(body.pattern, fixed, 2);
    ASSERT_OK(qvFactor_Compute(solver.factor, &body.matrix, body.mass, 0.0, NULL, &error), error);
    double b[2] = { 1.0, 2.0 }, x[2] = { 3.0, 4.0 };
    ASSERT_OK(qvFactor_Solve(solver.factor, b, 1, x, NULL, &error), error);
    assert_true(x[0] == 0.0 && x[1] == 0.0);
    FreeSolver(&solver);
    FreeBody(&body);
}

static void TestPartsAreCounted(void** state)
{
    (void)state;
    Body body = MakeChains(5, 3);
    Solver solver = MakeSolver(body.pattern, NULL, 0);
    assert_int_equal(qvSymbolic_Stats(solver.symbolic).partCount, 3);
    FreeSolver(&solver);
    int32_t middle = 7; // cuts the second chain
    solver = MakeSolver(body.pattern, &middle, 1);
    assert_int_equal(qvSymbolic_Stats(solver.symbolic).partCount, 4);
    FreeSolver(&solver);
    FreeBody(&body);
}

static bool StopAtOnce(void* context, const char* stage, double fraction)
{
    (void)context;
    (void)stage;
    (void)fraction;
    return false;
}

static void TestCancel(void** state)
{
    (void)state;
    qvError error;
    qvJob job = { .progress = StopAtOnce };
    Body body = MakeSpringGrid(9, 9, true);
    qvSymbolic* symbolic;
    assert_int_equal(qvCreateSymbolic(body.pattern, NULL, 0, &job, &symbolic, &error), qv_cancelled);
    Solver solver = MakeSolver(body.pattern, NULL, 0);
    assert_int_equal(qvFactor_Compute(solver.factor, &body.matrix, NULL, 0.0, &job, &error), qv_cancelled);
    FreeSolver(&solver);
    FreeBody(&body);
}

// Large enough for branches of the tree that threads share. Free with FreeGridShell.
static GridShell MakeLargeShell(void)
{
    qvError error;
    GridShell shell;
    GridShellDef shape = { GRID_TORUS, 96, 36, 1, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &shell, &error), error);
    return shell;
}

// The same bits for any number of threads.
static void TestAnyPool(void** state)
{
    (void)state;
    GridShell shell = MakeLargeShell();
    Solver solver = MakeSolver(shell.pattern, NULL, 0);
    size_t items = 3 * (size_t)shell.vertexCount * COLUMNS;
    double* b = calloc(items, sizeof(double));
    double* x[3];
    uint64_t seed = 5;
    for (size_t i = 0; i < items; i++)
        b[i] = RandomUnit(&seed) - 0.5;
    for (int threads = 1; threads <= 3; threads++)
    {
        qvError error;
        qvPool* pool;
        ASSERT_OK(qvCreatePool(threads, &pool, &error), error);
        qvJob job = { .pool = pool };
        ASSERT_OK(qvFactor_Compute(solver.factor, &shell.matrix, shell.mass, 0.1, &job, &error), error);
        x[threads - 1] = calloc(items, sizeof(double));
        ASSERT_OK(qvFactor_Solve(solver.factor, b, COLUMNS, x[threads - 1], &job, &error), error);
        qvDestroyPool(pool);
    }
    assert_memory_equal(x[0], x[1], items * sizeof(double));
    assert_memory_equal(x[0], x[2], items * sizeof(double));
    ASSERT_NEAR(SolveError(&solver, &shell.matrix, shell.mass, 0.1, NULL, COLUMNS, NULL), 0.0, 1e-9);
    for (int i = 0; i < 3; i++)
        free(x[i]);
    free(b);
    FreeSolver(&solver);
    FreeGridShell(&shell);
}

typedef struct Countdown
{
    int left, asked;
} Countdown;

static bool StopAfter(void* context, const char* stage, double fraction)
{
    Countdown* countdown = context;
    assert_true(fraction < 0.0 ? stage[0] == 0 : strlen(stage) > 0 && fraction <= 1.0);
    countdown->asked++;
    return countdown->left-- > 0;
}

// A cancel is heard while the factorization and the ordering run; afterwards the factor is as good as new.
static void TestCancelInside(void** state)
{
    (void)state;
    qvError error;
    GridShell shell = MakeLargeShell();
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    Countdown countdown = { 1000, 0 };
    qvJob job = { .pool = pool, .progress = StopAfter, .context = &countdown };
    Solver solver = MakeSolver(shell.pattern, NULL, 0);
    ASSERT_OK(qvFactor_Compute(solver.factor, &shell.matrix, shell.mass, 0.1, &job, &error), error);
    int asked = countdown.asked;
    assert_true(asked > 3);
    for (int left = 0; left < asked - 1; left++)
    {
        countdown = (Countdown){ left, 0 };
        qvResult result = qvFactor_Compute(solver.factor, &shell.matrix, shell.mass, 0.1, &job, &error);
        assert_int_equal(result, qv_cancelled);
        assert_int_equal(countdown.asked, left + 1);
    }
    ASSERT_OK(qvFactor_Compute(solver.factor, &shell.matrix, shell.mass, 0.1, NULL, &error), error);
    ASSERT_NEAR(SolveError(&solver, &shell.matrix, shell.mass, 0.1, NULL, 3, pool), 0.0, 1e-9);
    FreeSolver(&solver);
    qvDestroyPool(pool);
    FreeGridShell(&shell);
}

// The three coordinates of a point are one group; a graph that is cut before METIS gets it is ordered well, too.
static void TestOrdering(void** state)
{
    (void)state;
    qvError error;
    GridShell shell = MakeLargeShell();
    qvGroups groups = { 0 };
    assert_true(qvGroups_Fill(&groups, shell.pattern));
    assert_int_equal(groups.count, shell.vertexCount);
    for (int i = 0; i <= groups.count; i++)
        assert_int_equal(groups.first[i], 3 * i);
    qvGroups_Free(&groups);
    FreeGridShell(&shell);

    Body body = MakeSpringGrid(120, 130, true);
    qvSymbolic* symbolic;
    Countdown countdown = { 1000, 0 };
    qvJob job = { .progress = StopAfter, .context = &countdown };
    ASSERT_OK(qvCreateSymbolic(body.pattern, NULL, 0, &job, &symbolic, &error), error);
    // Nested dissection of a square grid of n points: 31 n log2 n / 4 numbers and 829 n^1.5 / 84 operations
    // (A. George, "Nested dissection of a regular finite element mesh", 1973); a band would take 120 n numbers.
    double n = body.size;
    qvSymbolicStats stats = qvSymbolic_Stats(symbolic);
    assert_true(stats.factorBytes < 8.0 * 31.0 / 4.0 * n * log2(n));
    assert_true(stats.factorFlops < 2.0 * 829.0 / 84.0 * pow(n, 1.5));
    qvDestroySymbolic(symbolic);
    int asked = countdown.asked;
    assert_true(asked > 8);
    for (int left = 0; left < asked; left++)
    {
        countdown = (Countdown){ left, 0 };
        assert_int_equal(qvCreateSymbolic(body.pattern, NULL, 0, &job, &symbolic, &error), qv_cancelled);
        assert_null(symbolic);
    }
    FreeBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSolves),          cmocka_unit_test(TestPinnedShell),
        cmocka_unit_test(TestBadNumbers),      cmocka_unit_test(TestNotPositiveDefinite),
        cmocka_unit_test(TestPartsAreCounted), cmocka_unit_test(TestEmptyAndAllPinned),
        cmocka_unit_test(TestCancel),          cmocka_unit_test(TestAnyPool),
        cmocka_unit_test(TestCancelInside),    cmocka_unit_test(TestOrdering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
