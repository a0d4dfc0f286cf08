// SPDX-License-Identifier: GPL-3.0-or-later
// What is parked in files reads the same, before and after it rests, and motions do not notice.
#include "scene_testing.h"

#include "base/parked.h"
#include "modal/basis.h"
#include "motion/space.h"
#include "scene/take.h"

enum
{
    LARGE = 5 << 20
};

static void BytesStay(void** state)
{
    (void)state;
    char* bytes = malloc(LARGE);
    assert_non_null(bytes);
    for (int i = 0; i < LARGE; i++)
        bytes[i] = (char)(i * 31 >> 3);
    char* parked = qvPark(QUAVER_TEST_OUTPUT, bytes, LARGE);
    assert_non_null(parked);
    assert_memory_equal(parked, bytes, LARGE);
    qvRestParked(parked, LARGE);
    assert_memory_equal(parked, bytes, LARGE);
    qvUnpark(parked, LARGE);
    assert_null(qvMapLarge(SIZE_MAX - 3));
    char* large = qvMapLarge(LARGE);
    assert_non_null(large);
    for (int i = 0; i < LARGE; i++)
    {
        assert_int_equal(large[i], 0);
        large[i] = bytes[i];
    }
    assert_false(qvParkInPlace(QUAVER_TEST_OUTPUT "/not/there", large, LARGE));
    assert_true(qvParkInPlace(QUAVER_TEST_OUTPUT, large, LARGE));
    assert_memory_equal(large, bytes, LARGE);
    qvRestParked(large, LARGE);
    assert_memory_equal(large, bytes, LARGE);
    qvUnpark(large, LARGE);
    assert_null(qvPark(QUAVER_TEST_OUTPUT, bytes, 1000));
    assert_null(qvPark(QUAVER_TEST_OUTPUT "/not/there", bytes, LARGE));
    free(bytes);
}

// Kilobytes of a parked array that are in memory.
static int CountResident(const void* parked, size_t size)
{
    int count = 0, part = 0;
    FILE* file = fopen("/proc/self/smaps", "r");
    assert_non_null(file);
    char line[512];
    bool inside = false;
    while (fgets(line, sizeof(line), file) != NULL)
    {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            inside = begin <= (uintptr_t)parked && (uintptr_t)parked + size <= end;
        if (inside && sscanf(line, "Rss: %d kB", &part) == 1)
            count += part;
    }
    fclose(file);
    return count;
}

// Products with tall columns have the same bits, and nothing of a parked one is in memory afterwards.
static void ProductsDoNotNotice(void** state)
{
    (void)state;
    enum
    {
        ROWS = 50000,
        COLUMNS = 21,
        OTHERS = 3
    };
    size_t size = (size_t)ROWS * COLUMNS * sizeof(double);
    double* columns = malloc(size);
    double *others = malloc((size_t)ROWS * OTHERS * sizeof(double)), *back[2];
    assert_true(columns != NULL && others != NULL);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        columns[i] = (double)(i % 1013 - 500) / 7.0;
    for (int i = 0; i < ROWS * OTHERS; i++)
        others[i] = (double)(i % 311 - 150) / 3.0;
    double* parked = qvPark(QUAVER_TEST_OUTPUT, columns, size);
    assert_non_null(parked);
    double dots[2][COLUMNS * OTHERS];
    qvError error;
    for (int i = 0; i < 2; i++)
    {
        qvTallColumns a = { i == 0 ? columns : parked, COLUMNS, i == 1 };
        back[i] = calloc((size_t)ROWS * OTHERS, sizeof(double));
        assert_non_null(back[i]);
        ASSERT_OK(qvTall_DotColumns(ROWS, a, OTHERS, others, dots[i], COLUMNS, NULL, &error), error);
        assert_int_equal(CountResident(parked, size), 0);
        ASSERT_OK(qvTall_MultiplyColumns(ROWS, a, OTHERS, 2.0, dots[0], COLUMNS, 1.0, back[i], NULL, &error), error);
        assert_int_equal(CountResident(parked, size), 0);
    }
    assert_memory_equal(dots[0], dots[1], sizeof(dots[0]));
    assert_memory_equal(back[0], back[1], (size_t)ROWS * OTHERS * sizeof(double));
    qvUnpark(parked, size);
    free(columns);
    free(others);
    free(back[0]);
    free(back[1]);
}

#define FINE(drag)                                                                                              \
    "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sheet\", \"resolution\": 72}, \"material\": {\"modes\": 30}, " \
    "\"keys\": ["                                                                                               \
    "{\"time\": 0}, {\"time\": 1, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [" #drag   \
    ", 0, 0.2], \"radius\": 0.6}]}]}"

static void AssertSameFrames(const qvTake* a, const qvTake* b)
{
    size_t count = (size_t)qvTake_Body(a)->mesh->pointCount;
    for (int i = 0; i < 5; i++)
    {
        qvVec3f* x = PointsOf(a, 0.3 * i, qv_layersAll, NULL);
        qvVec3f* y = PointsOf(b, 0.3 * i, qv_layersAll, NULL);
        assert_memory_equal(x, y, count * sizeof(*x));
        free(x);
        free(y);
    }
}

// Also when the next space follows from one whose basis is in a file, and when what was undone comes back.
static void MotionsDoNotNotice(void** state)
{
    (void)state;
    char folder[] = QUAVER_TEST_OUTPUT "/parked-XXXXXX";
    assert_non_null(mkdtemp(folder));
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder;
    qvError error;
    qvPipeline *parking, *plain = MustPipeline();
    ASSERT_OK(qvCreatePipeline(&def, &parking, &error), error);
    static const char* const texts[] = { FINE(0.3), FINE(-0.3), FINE(0.3) };
    qvTake *before = NULL, *beforeOther = NULL;
    for (int i = 0; i < 3; i++)
    {
        qvTake *take = MustSolve(parking, texts[i]), *other = MustSolve(plain, texts[i]);
        const qvMotionSpace* space = take->curves->space->object;
        size_t size = (size_t)space->basis->size * (size_t)space->basis->dimension * sizeof(double);
        assert_true(space->basis->isParked);
        assert_false(((const qvMotionSpace*)other->curves->space->object)->basis->isParked);
        assert_int_equal(CountResident(space->basis->u, size), 0);
        AssertSameFrames(take, other);
        assert_int_equal(qvPipeline_Runs(parking, qv_stageSpace), i < 2 ? i + 1 : 2);
        if (i > 0) // another space came after it, and before it came back
        {
            const qvMotionSpace* last = before->curves->space->object;
            assert_true(last->expander.isParked && space->expander.isParked == (i == 2));
            AssertSameFrames(before, beforeOther);
            qvMotionSpace_Park((qvMotionSpace*)last, folder); // which it is: rests
            assert_int_equal(CountResident(last->expander.halves, last->expander.mapped), 0);
        }
        qvReleaseTake(before);
        qvReleaseTake(beforeOther);
        before = take, beforeOther = other;
    }
    qvReleaseTake(before);
    qvReleaseTake(beforeOther);
    qvDestroyPipeline(parking);
    qvDestroyPipeline(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BytesStay),
        cmocka_unit_test(ProductsDoNotNotice),
        cmocka_unit_test(MotionsDoNotNotice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
