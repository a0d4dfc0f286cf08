// SPDX-License-Identifier: GPL-3.0-or-later
// Products of tall matrices that are read by halves.
#include "testing.h"

#include "motion/expand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 1000, // not whole strips
    COLUMNS = 40,
    PADDED = (ROWS / qv_expandStrip + 1) * qv_expandStrip
};

typedef struct Example
{
    double values[COLUMNS * ROWS], vectors[2][COLUMNS];
    qvExpander expander;
} Example;

// Columns of a size of 1 but for one of zeros; the first vector has coordinates of all sizes.
static Example* MakeExample(void)
{
    qvError error;
    Example* e = calloc(1, sizeof(*e));
    for (int i = 0; i < COLUMNS * ROWS; i++)
        e->values[i] = i / ROWS == 7 ? 0.0 : sin(1.3 * i + 0.01 * i * i);
    for (int c = 0; c < COLUMNS; c++)
        e->vectors[0][c] = pow(0.6, c), e->vectors[1][c] = c == 5 ? 0.3 : 1e-5;
    ASSERT_OK(qvExpander_Init(&e->expander, ROWS, COLUMNS, &error), error);
    ASSERT_OK(qvExpander_SetColumns(&e->expander, e->values, NULL, &error), error);
    return e;
}

static void FreeExample(Example* e)
{
    qvExpander_Free(&e->expander);
    free(e);
}

static void AssertProduct(const Example* e, const double* vector, double factor, const float* product)
{
    double largest = 0.0;
    for (int i = 0; i < ROWS; i++)
    {
        double sum = 0.0;
        for (int c = 0; c < COLUMNS; c++)
            sum += factor * vector[c] * e->values[c * ROWS + i];
        ASSERT_NEAR(product[i], sum, 1e-6);
        largest = fmax(largest, fabs(sum));
    }
    assert_true(largest > 0.1);
}

// Both halves of columns that count much, high ones of those that count little, none of those that count nothing; the
// same bits at every level of the CPU.
static void TestProducts(void** state)
{
    (void)state;
    Example* e = MakeExample();
    float* memory = malloc(qvReading_Size(COLUMNS) * sizeof(float));
    const double* const vectors[] = { e->vectors[0], e->vectors[1] };
    static const char* const levels[] = { "portable", "avx2", "avx512" };
    for (int terms = 1; terms <= 2; terms++)
    {
        qvReading reading = qvExpander_Plan(&e->expander, terms, vectors, 0.5, memory);
        int low = 0;
        for (int i = 0; i < reading.count; i++)
            low += reading.columns[i] >= COLUMNS;
        assert_in_range(low, 5, 15);
        assert_in_range(reading.count - low, 25, terms == 1 ? COLUMNS - 5 : COLUMNS - 1);
        float out[3][2][PADDED];
        memset(out, 0, sizeof(out));
        for (int level = 0; level < 3; level++)
        {
            setenv("QUAVER_CPU", levels[level], 1);
            qvExpandKernel kernel = qvGetExpandKernel();
            unsetenv("QUAVER_CPU");
            for (int half = 0; half < 2; half++)
            {
                int first = half * 5 * qv_expandStrip, rows = half == 0 ? 5 * qv_expandStrip : ROWS - first;
                float* const to[qv_expandTerms] = { out[level][0] + first, out[level][1] + first };
                qvExpander_Multiply(&e->expander, &kernel, &reading, terms, first, rows, to);
            }
            assert_memory_equal(out[level], out[0], sizeof(out[0]));
        }
        for (int m = 0; m < terms; m++)
            AssertProduct(e, vectors[m], 0.5, out[0][m]);
        assert_true(out[0][0][ROWS] == 0.0f);
    }
    free(memory);
    FreeExample(e);
}

static void TestColumns(void** state)
{
    (void)state;
    Example* e = MakeExample();
    float* memory = malloc(qvReading_Size(COLUMNS) * sizeof(float));
    qvExpandKernel kernel = qvGetExpandKernel();
    for (int c = 5; c < 9; c++)
    {
        float out[PADDED], *const to[qv_expandTerms] = { out, NULL };
        qvReading reading = qvExpander_PlanColumn(&e->expander, c, 2.0, memory);
        qvExpander_Multiply(&e->expander, &kernel, &reading, 1, 0, ROWS, to);
        for (int i = 0; i < ROWS; i++)
            ASSERT_NEAR(out[i], 2.0 * e->values[c * ROWS + i], 2.5e-7);
    }
    free(memory);
    FreeExample(e);
}

// By strips on several threads, and all at once.
static void TestFill(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    Example* e = MakeExample();
    qvExpander other;
    ASSERT_OK(qvExpander_Init(&other, ROWS, COLUMNS, &error), error);
    memset(other.halves, 1, 2 * COLUMNS * PADDED * sizeof(int16_t)); // as memory may be that was in use
    ASSERT_OK(qvExpander_SetColumns(&other, e->values, &job, &error), error);
    assert_memory_equal(other.steps, e->expander.steps, COLUMNS * sizeof(double));
    assert_memory_equal(other.halves, e->expander.halves, 2 * COLUMNS * PADDED * sizeof(int16_t));
    qvExpander_Fill(&other, e->values);
    assert_memory_equal(other.halves, e->expander.halves, 2 * COLUMNS * PADDED * sizeof(int16_t));
    for (int c = 0; c < COLUMNS; c++)
    {
        double largest = 0.0;
        for (int i = 0; i < ROWS; i++)
            largest = fmax(largest, fabs(e->values[c * ROWS + i]));
        ASSERT_NEAR(other.steps[c], largest / INT16_MAX, 0.0);
    }
    qvExpander_Free(&other);
    qvDestroyPool(pool);
    FreeExample(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestProducts),
        cmocka_unit_test(TestColumns),
        cmocka_unit_test(TestFill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
