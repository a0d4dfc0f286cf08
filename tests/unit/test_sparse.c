// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse symmetric matrices: patterns, products, norms.
#include "testing.h"

#include "quaver/sparse.h"

#include "base/cpu.h"
#include "math/sparse_select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvSparsePattern* MakePattern(int blockCount, int blockSize, const int32_t (*pairs)[2], size_t pairCount)
{
    qvError error;
    qvSparsePattern* pattern;
    ASSERT_OK(qvCreateSparsePattern(blockCount, blockSize, pairs, pairCount, &pattern, &error), error);
    return pattern;
}

static void TestPatternFromPairs(void** state)
{
    (void)state;
    const int32_t pairs[][2] = { { 2, 0 }, { 0, 2 }, { 1, 1 }, { 2, 0 }, { 1, 2 } };
    qvSparsePattern* pattern = MakePattern(3, 2, pairs, 5);
    assert_int_equal(pattern->size, 6);
    assert_int_equal(pattern->entryCount, 3 * 3 + 2 * 4);
    for (int j = 0; j < 6; j++)
    {
        assert_int_equal(pattern->row[pattern->columnStart[j]], j);
        for (int i = j; i < 6; i++)
        {
            bool coupled = i / 2 == j / 2 || i / 2 == 2; // blocks 0-2 and 1-2
            int entry = qvSparsePattern_Find(pattern, i, j);
            assert_true(coupled ? entry >= 0 && pattern->row[entry] == i : entry == -1);
        }
    }
    // The row view points at the same entries.
    for (int i = 0; i < 6; i++)
    {
        for (int32_t k = pattern->rowStart[i]; k < pattern->rowStart[i + 1]; k++)
            assert_int_equal(qvSparsePattern_Find(pattern, i, pattern->rowColumn[k]), pattern->rowEntry[k]);
    }
    assert_int_equal(pattern->rowStart[6], pattern->entryCount - 6);
    // On arrays of somebody else it is the same.
    qvError error;
    qvSparsePattern* wrapped;
    ASSERT_OK(qvWrapSparsePattern(6, pattern->columnStart, pattern->row, &wrapped, &error), error);
    assert_ptr_equal(wrapped->row, pattern->row);
    assert_int_equal(wrapped->entryCount, pattern->entryCount);
    assert_memory_equal(wrapped->rowStart, pattern->rowStart, 7 * sizeof(int32_t));
    size_t below = (size_t)(pattern->entryCount - 6) * sizeof(int32_t);
    assert_memory_equal(wrapped->rowColumn, pattern->rowColumn, below);
    assert_memory_equal(wrapped->rowEntry, pattern->rowEntry, below);
    qvDestroySparsePattern(wrapped);
    qvDestroySparsePattern(pattern);
}

static void TestEmptyPattern(void** state)
{
    (void)state;
    qvError error;
    qvSparsePattern* pattern = MakePattern(0, 3, NULL, 0);
    assert_int_equal(pattern->entryCount, 0);
    qvSparse matrix = { pattern, NULL };
    ASSERT_OK(qvSparse_Multiply(&matrix, NULL, 3, NULL, NULL, &error), error);
    assert_true(qvSparse_Norm(&matrix) == 0.0);
    qvDestroySparsePattern(pattern);
    qvDestroySparsePattern(NULL);
}

static void TestTooLarge(void** state)
{
    (void)state;
    qvError error;
    qvSparsePattern* pattern;
    assert_int_equal(qvCreateSparsePattern(40000, 400, NULL, 0, &pattern, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "too large");
    assert_null(pattern);
}

typedef struct Random
{
    int size;
    qvSparsePattern* pattern;
    double* values;
    double* dense; // both triangles
} Random;

static Random MakeRandom(int blocks, int pairCount)
{
    uint64_t seed = 5;
    int32_t(*pairs)[2] = calloc((size_t)pairCount, sizeof(*pairs));
    for (int k = 0; k < pairCount; k++)
    {
        pairs[k][0] = RandomInt(&seed, blocks);
        pairs[k][1] = RandomInt(&seed, blocks);
    }
    Random random = { .size = 3 * blocks,
                      .pattern = MakePattern(blocks, 3, (const int32_t(*)[2])pairs, (size_t)pairCount) };
    random.values = calloc((size_t)random.pattern->entryCount, sizeof(double));
    random.dense = calloc((size_t)random.size * (size_t)random.size, sizeof(double));
    for (int j = 0; j < random.size; j++)
    {
        for (int32_t k = random.pattern->columnStart[j]; k < random.pattern->columnStart[j + 1]; k++)
        {
            int i = random.pattern->row[k];
            random.values[k] = 2.0 * RandomUnit(&seed) - 1.0;
            random.dense[i * random.size + j] = random.dense[j * random.size + i] = random.values[k];
        }
    }
    free(pairs);
    return random;
}

static void FreeRandom(Random* random)
{
    qvDestroySparsePattern(random->pattern);
    free(random->values);
    free(random->dense);
}

// 800 blocks: several pieces of work for the pool.
static void TestProducts(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    Random random = MakeRandom(800, 4000);
    qvSparse matrix = { random.pattern, random.values };
    int n = random.size;
    enum
    {
        COLUMNS = 11
    };
    double* x = calloc((size_t)n * COLUMNS, sizeof(double));
    double* one = calloc((size_t)n * COLUMNS, sizeof(double));
    double* two = calloc((size_t)n * COLUMNS, sizeof(double));
    uint64_t seed = 9;
    for (int i = 0; i < n * COLUMNS; i++)
        x[i] = RandomUnit(&seed);
    ASSERT_OK(qvSparse_Multiply(&matrix, x, COLUMNS, one, NULL, &error), error);
    ASSERT_OK(qvSparse_Multiply(&matrix, x, COLUMNS, two, &(qvJob){ .pool = pool }, &error), error);
    assert_memory_equal(one, two, (size_t)n * COLUMNS * sizeof(double));
    double norm = 0.0;
    for (int i = 0; i < n; i++)
    {
        double rowSum = 0.0;
        for (int c = 0; c < COLUMNS; c++)
        {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += random.dense[i * n + j] * x[c * n + j];
            ASSERT_NEAR(one[c * n + i], sum, 1e-12);
        }
        for (int j = 0; j < n; j++)
            rowSum += fabs(random.dense[i * n + j]);
        norm = fmax(norm, rowSum);
    }
    ASSERT_NEAR(qvSparse_Norm(&matrix), norm, 1e-12);
    // One column alone, and the portable kernel, give the same bits.
    ASSERT_OK(qvSparse_Multiply(&matrix, x + n, 1, two, NULL, &error), error);
    assert_memory_equal(two, one + n, (size_t)n * sizeof(double));
    setenv("QUAVER_CPU", "portable", 1);
    ASSERT_OK(qvSparse_Multiply(&matrix, x, COLUMNS, two, NULL, &error), error);
    unsetenv("QUAVER_CPU");
    assert_memory_equal(one, two, (size_t)n * COLUMNS * sizeof(double));
    free(x);
    free(one);
    free(two);
    FreeRandom(&random);
    qvDestroyPool(pool);
}

static void TestNormSeesNan(void** state)
{
    (void)state;
    Random random = MakeRandom(5, 6);
    qvSparse matrix = { random.pattern, random.values };
    random.values[3] = NAN;
    assert_false(isfinite(qvSparse_Norm(&matrix)));
    FreeRandom(&random);
}

static void TestSelect(void** state)
{
    (void)state;
    qvError error;
    Random random = MakeRandom(20, 60);
    int32_t number[60], kept[60];
    int count = 0;
    for (int i = 0; i < 60; i++)
    {
        number[i] = i % 7 == 2 ? -1 : count;
        if (number[i] >= 0)
            kept[count++] = i;
    }
    qvSparsePattern* part;
    int32_t* entry = calloc((size_t)random.pattern->entryCount, sizeof(int32_t));
    ASSERT_OK(qvSelectSparsePattern(random.pattern, number, count, &part, entry, &error), error);
    assert_int_equal(part->size, count);
    for (int j = 0; j < count; j++)
    {
        for (int i = j; i < count; i++)
        {
            int there = qvSparsePattern_Find(random.pattern, kept[i], kept[j]);
            int here = qvSparsePattern_Find(part, i, j);
            assert_true(there < 0 ? here < 0 : here >= 0 && entry[here] == there);
        }
    }
    qvDestroySparsePattern(part);
    free(entry);
    FreeRandom(&random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPatternFromPairs), cmocka_unit_test(TestEmptyPattern), cmocka_unit_test(TestTooLarge),
        cmocka_unit_test(TestProducts),         cmocka_unit_test(TestNormSeesNan),  cmocka_unit_test(TestSelect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
