// SPDX-License-Identifier: GPL-3.0-or-later
// Dense eigenproblems, orthonormal bases, products, and the choice of BLAS kernels.
#include "testing.h"

#include "quaver/blas.h"

#include "math/blas.h"
#include "math/dense_eigen.h"

#include <math.h>
#include <string.h>

enum
{
    N = 12,
    ROWS = 1300, // more than one block of rows
    COLUMNS = 7
};

static void TestEigenOfChain(void** state)
{
    (void)state;
    qvError error;
    double a[N * N] = { 0 }, values[N], vectors[N * N];
    for (int i = 0; i < N; i++)
    {
        a[i * N + i] = 2.0;
        if (i + 1 < N)
            a[i * N + i + 1] = -1.0; // the lower triangle only
    }
    ASSERT_OK(qvDense_Eigen(N, a, N, values, vectors, &error), error);
    for (int k = 0; k < N; k++)
    {
        double s = sin((k + 1) * M_PI / (2.0 * (N + 1)));
        ASSERT_NEAR(values[k], 4.0 * s * s, 1e-14);
        double largest = 0.0;
        for (int i = 0; i < N; i++)
            largest = fabs(vectors[k * N + i]) > fabs(largest) * (1.0 + 1e-6) ? vectors[k * N + i] : largest;
        assert_true(largest > 0.0);
    }
    a[5] = NAN;
    assert_int_equal(qvDense_Eigen(N, a, N, values, vectors, &error), qv_badInput);
    ASSERT_OK(qvDense_Eigen(0, a, 1, values, vectors, &error), error);
}

static void TestSignsIgnoreRounding(void** state)
{
    (void)state;
    double vectors[6] = { -0.5, 0.5 + 1e-12, 0.1, 0.2, -0.9, 0.3 };
    qvFixSigns(3, 2, vectors, 3);
    assert_true(vectors[0] == 0.5 && vectors[1] < 0.0 && vectors[2] == -0.1);
    assert_true(vectors[3] == -0.2 && vectors[4] == 0.9);
}

static void FillTall(double* matrix)
{
    uint64_t seed = 3;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i] = RandomUnit(&seed) - 0.5;
}

static double OrthonormalError(const double* matrix, int columns)
{
    double gram[COLUMNS * COLUMNS], worst = 0.0;
    qvBlas_Gram(ROWS, columns, matrix, ROWS, gram, COLUMNS);
    for (int i = 0; i < columns; i++)
    {
        for (int j = 0; j < columns; j++)
            worst = fmax(worst, fabs(gram[i * COLUMNS + j] - (i == j)));
    }
    return worst;
}

static void TestQR(void** state)
{
    (void)state;
    static double matrix[ROWS * COLUMNS], old[ROWS * COLUMNS];
    double triangle[COLUMNS * COLUMNS];
    qvError error;
    FillTall(matrix);
    memcpy(old, matrix, sizeof(old));
    ASSERT_OK(qvDense_QR(ROWS, COLUMNS, matrix, ROWS, triangle, &error), error);
    ASSERT_NEAR(OrthonormalError(matrix, COLUMNS), 0.0, 1e-14);
    assert_true(triangle[1] == 0.0 && triangle[COLUMNS] != 0.0);
    qvBlas_Multiply(false, false, ROWS, COLUMNS, COLUMNS, -1.0, matrix, ROWS, triangle, COLUMNS, 1.0, old, ROWS);
    ASSERT_NEAR(qvBlas_Norm(ROWS * COLUMNS, old), 0.0, 1e-13);
}

static void TestRankIsFound(void** state)
{
    (void)state;
    static double matrix[ROWS * COLUMNS], old[ROWS * COLUMNS];
    double singular[COLUMNS], coordinates[COLUMNS * COLUMNS];
    qvError error;
    int rank;
    FillTall(matrix);
    // Column 2 is a sum of others but for 1e-9, column 5 is zero.
    for (int i = 0; i < ROWS; i++)
    {
        matrix[2 * ROWS + i] = matrix[i] + 2.0 * matrix[ROWS + i] + 1e-9 * matrix[2 * ROWS + i];
        matrix[5 * ROWS + i] = 0.0;
    }
    memcpy(old, matrix, sizeof(old));
    ASSERT_OK(qvDense_Orthonormalize(ROWS, COLUMNS, matrix, ROWS, 1e-6, singular, &rank, &error), error);
    assert_int_equal(rank, COLUMNS - 2);
    ASSERT_NEAR(OrthonormalError(matrix, rank), 0.0, 1e-14);
    assert_true(singular[4] > 1.0 && singular[5] < 1e-7 && singular[5] > 1e-10 && singular[6] < 1e-12);
    qvBlas_Multiply(true, false, rank, COLUMNS, ROWS, 1.0, matrix, ROWS, old, ROWS, 0.0, coordinates, COLUMNS);
    qvBlas_Multiply(false, false, ROWS, COLUMNS, rank, -1.0, matrix, ROWS, coordinates, COLUMNS, 1.0, old, ROWS);
    ASSERT_NEAR(qvBlas_Norm(ROWS * COLUMNS, old), 0.0, 1e-7);
}

static void TestBlasSetUp(void** state)
{
    (void)state;
    qvBlas_UseOneThread();
    assert_true(strlen(qvBlas_CoreName()) > 0);
    const char* core = qvBlas_WantedCore();
    assert_true(core == NULL || strcmp(core, "SKYLAKEX") == 0 || strcmp(core, "HASWELL") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEigenOfChain), cmocka_unit_test(TestSignsIgnoreRounding), cmocka_unit_test(TestQR),
        cmocka_unit_test(TestRankIsFound),  cmocka_unit_test(TestBlasSetUp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
