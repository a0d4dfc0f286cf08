// SPDX-License-Identifier: GPL-3.0-or-later
// Tall matrices in pieces: products, QR and singular vectors against their definitions, the same bits for any pool.
#include "testing.h"

#include "math/blas.h"
#include "modal/tall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 13001, // three pieces and some rows
    COLUMNS = 5,
    SMALL = COLUMNS * COLUMNS
};

static double* MakeColumns(uint64_t seed)
{
    double* w = calloc((size_t)ROWS * COLUMNS, sizeof(double));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        w[i] = RandomUnit(&seed) - 0.5;
    return w;
}

static double* Copy(const double* w)
{
    double* copy = calloc((size_t)ROWS * COLUMNS, sizeof(double));
    memcpy(copy, w, (size_t)ROWS * COLUMNS * sizeof(double));
    return copy;
}

// Largest difference of w^T w from the unit matrix of that size.
static double NotOrthonormal(const double* w, int columns)
{
    double gram[SMALL], worst = 0.0;
    qvBlas_Multiply(true, false, columns, columns, ROWS, 1.0, w, ROWS, w, ROWS, 0.0, gram, columns);
    for (int i = 0; i < columns * columns; i++)
        worst = fmax(worst, fabs(gram[i] - (i / columns == i % columns)));
    return worst;
}

// Largest difference of old from q times triangle.
static double NotTheProduct(const double* old, const double* q, const double* triangle)
{
    double* rest = Copy(old);
    qvBlas_Multiply(false, false, ROWS, COLUMNS, COLUMNS, -1.0, q, ROWS, triangle, COLUMNS, 1.0, rest, ROWS);
    double worst = 0.0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        worst = fmax(worst, fabs(rest[i]));
    free(rest);
    return worst;
}

static void TestProducts(void** state)
{
    (void)state;
    qvError error;
    double *a = MakeColumns(1), *b = MakeColumns(2), c[SMALL], expected[SMALL];
    qvBlas_Multiply(true, false, COLUMNS, COLUMNS, ROWS, 1.0, a, ROWS, b, ROWS, 0.0, expected, COLUMNS);
    ASSERT_OK(qvTall_Dot(ROWS, COLUMNS, COLUMNS, a, b, c, COLUMNS, NULL, &error), error);
    for (int i = 0; i < SMALL; i++)
        ASSERT_NEAR(c[i], expected[i], 1e-11);
    double *sum = Copy(b), *turned = Copy(a);
    ASSERT_OK(qvTall_Multiply(ROWS, COLUMNS, COLUMNS, 2.0, a, c, COLUMNS, 3.0, sum, NULL, &error), error);
    ASSERT_OK(qvTall_Turn(ROWS, COLUMNS, turned, c, COLUMNS, NULL, &error), error);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ASSERT_NEAR(sum[i], 3.0 * b[i] + 2.0 * turned[i], 1e-10);
    qvBlas_Multiply(false, false, ROWS, COLUMNS, COLUMNS, -1.0, a, ROWS, c, COLUMNS, 1.0, turned, ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ASSERT_NEAR(turned[i], 0.0, 1e-10);
    free(a);
    free(b);
    free(sum);
    free(turned);
}

// The fast way is for columns that are nearly orthonormal, and gives way where they are nearly dependent.
static void TestQR(void** state)
{
    (void)state;
    qvError error;
    double triangle[SMALL];
    for (int round = 0; round < 3; round++)
    {
        double *old = MakeColumns(3), apart = round == 0 ? 1e-9 : 1e-6;
        for (int i = 0; i < ROWS * COLUMNS; i++)
            old[i] /= sqrt(ROWS / 12.0); // nearly orthonormal
        for (int i = 0; round != 1 && i < ROWS; i++)
            old[3 * ROWS + i] = 2.0 * old[i] - old[ROWS + i] + apart * old[3 * ROWS + i]; // nearly dependent
        double* w = Copy(old);
        if (round == 0)
            ASSERT_OK(qvTall_QR(ROWS, COLUMNS, w, triangle, NULL, &error), error);
        else
            ASSERT_OK(qvTall_FastQR(ROWS, COLUMNS, w, triangle, NULL, &error), error);
        ASSERT_NEAR(NotOrthonormal(w, COLUMNS), 0.0, 1e-13);
        ASSERT_NEAR(NotTheProduct(old, w, triangle), 0.0, 1e-12);
        for (int i = 0; i < SMALL; i++)
            assert_true(i % COLUMNS <= i / COLUMNS || triangle[i] == 0.0);
        free(old);
        free(w);
    }
    double* bad = MakeColumns(4);
    bad[5000] = NAN;
    assert_int_equal(qvTall_QR(ROWS, COLUMNS, bad, triangle, NULL, &error), qv_badInput);
    free(bad);
}

static void TestSingularVectors(void** state)
{
    (void)state;
    qvError error;
    double* old = MakeColumns(5);
    for (int i = 0; i < ROWS; i++)
        old[2 * ROWS + i] = old[i] + old[ROWS + i]; // one direction less
    double *w = Copy(old), singular[COLUMNS], coefficients[SMALL];
    int rank;
    ASSERT_OK(qvTall_Orthonormalize(ROWS, COLUMNS, w, 1e-9, singular, &rank, NULL, &error), error);
    assert_int_equal(rank, COLUMNS - 1);
    assert_true(singular[COLUMNS - 1] < 1e-12 && singular[COLUMNS - 2] > 1.0);
    ASSERT_NEAR(NotOrthonormal(w, rank), 0.0, 1e-13);
    // What it spans is what was there: old = w w^T old.
    ASSERT_OK(qvTall_Dot(ROWS, rank, COLUMNS, w, old, coefficients, rank, NULL, &error), error);
    ASSERT_OK(qvTall_Multiply(ROWS, rank, COLUMNS, -1.0, w, coefficients, rank, 1.0, old, NULL, &error), error);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ASSERT_NEAR(old[i], 0.0, 1e-12);
    free(old);
    free(w);
}

static void TestAnyPool(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob jobs[] = { { .pool = NULL }, { .pool = pool } };
    double *w[2], dots[2][SMALL], triangles[2][SMALL];
    for (int i = 0; i < 2; i++)
    {
        w[i] = MakeColumns(6);
        ASSERT_OK(qvTall_Dot(ROWS, COLUMNS, COLUMNS, w[i], w[i], dots[i], COLUMNS, &jobs[i], &error), error);
        ASSERT_OK(qvTall_QR(ROWS, COLUMNS, w[i], triangles[i], &jobs[i], &error), error);
    }
    assert_memory_equal(w[0], w[1], (size_t)ROWS * COLUMNS * sizeof(double));
    assert_memory_equal(dots[0], dots[1], sizeof(dots[0]));
    assert_memory_equal(triangles[0], triangles[1], sizeof(triangles[0]));
    free(w[0]);
    free(w[1]);
    qvDestroyPool(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestProducts),
        cmocka_unit_test(TestQR),
        cmocka_unit_test(TestSingularVectors),
        cmocka_unit_test(TestAnyPool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
