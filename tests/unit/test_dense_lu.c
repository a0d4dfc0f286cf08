// SPDX-License-Identifier: GPL-3.0-or-later
// Factors of dense matrices: as a whole, and panel by panel where that takes long, with questions to the job on the
// way.
#include "testing.h"

#include "math/blas.h"
#include "math/dense_lu.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SMALL = 60,
    LARGE = 1800, // factored panel by panel, the last of which is not full
};

typedef struct Patience
{
    int asked, last; // the question that is refused; 0: none
} Patience;

static bool AskPatience(void* context, const char* stage, double fraction)
{
    Patience* patience = context;
    (void)stage, (void)fraction;
    return ++patience->asked != patience->last;
}

static void* Room(size_t bytes)
{
    void* room = malloc(bytes);
    assert_non_null(room);
    return room;
}

// Rows must change places: the diagonal is the smallest of each column.
static double* MakeMatrix(int size)
{
    double* a = Room((size_t)size * (size_t)size * sizeof(*a));
    uint64_t seed = 5;
    for (size_t i = 0; i < (size_t)size * (size_t)size; i++)
        a[i] = RandomUnit(&seed) - 0.5;
    for (size_t i = 0; i < (size_t)size; i++)
        a[i * (size_t)(size + 1)] = 1e-9;
    return a;
}

static void TestSolves(void** state)
{
    (void)state;
    const int sizes[] = { SMALL, LARGE };
    for (int s = 0; s < 2; s++)
    {
        int n = sizes[s];
        qvError error;
        double *a = MakeMatrix(n), *lu = MakeMatrix(n);
        double *x = Room((size_t)n * sizeof(*x)), *b = Room((size_t)n * sizeof(*b));
        int* pivots = Room((size_t)n * sizeof(*pivots));
        for (int i = 0; i < n; i++)
            x[i] = sin(i + 1.0);
        ASSERT_OK(qvDense_FactorLu(n, lu, n, pivots, NULL, &error), error);
        for (int transposed = 0; transposed < 2; transposed++)
        {
            qvBlas_Multiply(transposed, false, n, 1, n, 1.0, a, n, x, n, 0.0, b, n);
            qvDense_SolveLu(n, lu, n, pivots, transposed, 1, b, n);
            for (int i = 0; i < n; i++)
                ASSERT_NEAR(b[i], x[i], 1e-8);
        }
        free(a), free(lu), free(x), free(b), free(pivots);
    }
}

static void TestComplexSolves(void** state)
{
    (void)state;
    qvError error;
    double *real = MakeMatrix(LARGE), *b = Room(LARGE * sizeof(*b));
    double complex* lu = Room((size_t)LARGE * LARGE * sizeof(*lu));
    double complex* c = Room(LARGE * sizeof(*c));
    int* pivots = Room(LARGE * sizeof(*pivots));
    // (1 + 2i) A, whose answers are those of A over 1 + 2i
    for (size_t i = 0; i < (size_t)LARGE * LARGE; i++)
        lu[i] = (1.0 + 2.0 * I) * real[i];
    double x[LARGE];
    for (int i = 0; i < LARGE; i++)
        x[i] = cos(i + 1.0);
    qvBlas_Multiply(false, false, LARGE, 1, LARGE, 1.0, real, LARGE, x, LARGE, 0.0, b, LARGE);
    for (int i = 0; i < LARGE; i++)
        c[i] = b[i];
    ASSERT_OK(qvDense_FactorComplexLu(LARGE, lu, LARGE, pivots, NULL, &error), error);
    qvDense_SolveComplexLu(LARGE, lu, LARGE, pivots, false, 1, c, LARGE);
    for (int i = 0; i < LARGE; i++)
        assert_true(cabs((1.0 + 2.0 * I) * c[i] - x[i]) < 1e-8);
    free(real), free(b), free(lu), free(c), free(pivots);
}

static void TestSingular(void** state)
{
    (void)state;
    qvError error;
    double* a = MakeMatrix(LARGE);
    int* pivots = Room(LARGE * sizeof(*pivots));
    memcpy(a + (size_t)1500 * LARGE, a, LARGE * sizeof(*a));
    assert_int_equal(qvDense_FactorLu(LARGE, a, LARGE, pivots, NULL, &error), qv_notConverged);
    a[7] = NAN;
    assert_int_equal(qvDense_FactorLu(LARGE, a, LARGE, pivots, NULL, &error), qv_badInput);
    free(a), free(pivots);
}

// -1, 2, -1 along the diagonals is positive; L L^T must give it again. The factor stays a band, so that the product is
// short.
static double* MakeChain(void)
{
    double* a = Room((size_t)LARGE * LARGE * sizeof(*a));
    memset(a, 0, (size_t)LARGE * LARGE * sizeof(*a));
    for (size_t i = 0; i < LARGE; i++)
    {
        a[i * (LARGE + 1)] = 2.0;
        for (size_t k = 1; k < 4 && i + k < LARGE; k++)
            a[i * LARGE + i + k] = k == 1 ? -1.0 : 0.1 / (double)k;
    }
    return a;
}

static void TestCholesky(void** state)
{
    (void)state;
    qvError error;
    double *a = MakeChain(), *l = MakeChain();
    int failed;
    ASSERT_OK(qvDense_Cholesky(LARGE, l, LARGE, &failed, NULL, &error), error);
    assert_int_equal(failed, -1);
    for (size_t j = 0; j < LARGE; j++)
    {
        for (size_t i = j; i < j + 6 && i < LARGE; i++)
        {
            double sum = 0.0;
            for (size_t k = j < 6 ? 0 : j - 6; k <= j; k++)
                sum += l[k * LARGE + i] * l[k * LARGE + j];
            ASSERT_NEAR(sum, a[j * LARGE + i], 1e-12);
        }
    }
    memcpy(l, a, (size_t)LARGE * LARGE * sizeof(*a));
    l[(size_t)1400 * (LARGE + 1)] = -1.0;
    ASSERT_OK(qvDense_Cholesky(LARGE, l, LARGE, &failed, NULL, &error), error);
    assert_int_equal(failed, 1400);
    free(a), free(l);
}

// Large ones ask often, and a refusal ends them at once.
static void TestStopped(void** state)
{
    (void)state;
    qvError error;
    int failed, *pivots = Room(LARGE * sizeof(*pivots));
    for (int last = 0; last < 60; last += 20)
    {
        Patience patience = { .last = last };
        qvJob job = { .progress = AskPatience, .context = &patience };
        double *a = MakeMatrix(LARGE), *l = MakeChain();
        assert_int_equal(qvDense_FactorLu(LARGE, a, LARGE, pivots, &job, &error), last > 0 ? qv_cancelled : qv_ok);
        assert_true(last > 0 ? patience.asked == last : patience.asked > 50);
        patience.asked = 0;
        assert_int_equal(qvDense_Cholesky(LARGE, l, LARGE, &failed, &job, &error), last > 0 ? qv_cancelled : qv_ok);
        assert_true(last > 0 ? patience.asked == last : patience.asked > 50);
        free(a), free(l);
    }
    free(pivots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSolves),   cmocka_unit_test(TestComplexSolves), cmocka_unit_test(TestSingular),
        cmocka_unit_test(TestCholesky), cmocka_unit_test(TestStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
