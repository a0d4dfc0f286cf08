// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "formats/names.h"
#include "formats/print.h"
#include "formats/scan.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ScanFloat(const char* text, float* value)
{
    qvScan scan = qvMakeScan(text, strlen(text));
    return qvScan_Float(&scan, value);
}

static void CheckFloat(const char* text)
{
    float value = 0.0f, expected = strtof(text, NULL);
    if (!ScanFloat(text, &value) || memcmp(&value, &expected, sizeof(value)) != 0)
        fail_msg("%s gives %.9g, not %.9g", text, value, expected);
}

static void TestNumberForms(void** state)
{
    (void)state;
    static const char* const good[] = { "0",
                                        "-0",
                                        "1",
                                        "+.5",
                                        "1.",
                                        "-1.25e+2",
                                        "1E-3",
                                        "3.4e38",
                                        "1e-45",
                                        "7e-46",
                                        "1e39",
                                        "-1e400",
                                        "1e-400",
                                        "00012.50",
                                        "16777217",
                                        "0.1",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678901234567890",
                                        "0.000000000000000000000000000000000000000000001",
                                        "1e99999999999" };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        CheckFloat(good[i]);
    static const char* const bad[] = { "",     "-",    ".",   "+.",  "e5",  "1e", "1e+",
                                       "1.5x", "0x10", "1,5", "--1", "1/2", "n",  "1.#" };
    float value;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    {
        if (ScanFloat(bad[i], &value))
            fail_msg("\"%s\" is taken for %g", bad[i], value);
    }
}

static void TestNotFinite(void** state)
{
    (void)state;
    static const char* const nans[] = { "nan", "-NaN", "nan(ind)", "1.#QNAN", "-1.#IND" };
    float value;
    for (size_t i = 0; i < sizeof(nans) / sizeof(nans[0]); i++)
    {
        assert_true(ScanFloat(nans[i], &value));
        assert_true(isnan(value));
    }
    assert_true(ScanFloat("-inf", &value) && value == -INFINITY);
    assert_true(ScanFloat("1.#INF00", &value) && value == INFINITY);
}

// Random floats, and the hardest case: numbers at and right beside the middle between two floats.
static void TestRoundsCorrectly(void** state)
{
    (void)state;
    uint64_t random = 3;
    static const char* const formats[] = { "%.9g", "%.17g", "%.6f", "%.20g", "%.4e", "%.60g" };
    for (int i = 0; i < 20000; i++)
    {
        uint32_t bits = (uint32_t)RandomInt(&random, 1 << 30) << 1 ^ (uint32_t)RandomInt(&random, 2);
        if (i % 2 == 0) // of everyday size
            bits = (bits & 0x007fffff) | (uint32_t)(110 + RandomInt(&random, 30)) << 23;
        float value;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value) || value >= FLT_MAX)
            continue;
        double middle = 0.5 * ((double)value + (double)nextafterf(value, INFINITY));
        double numbers[4] = { value, middle, nextafter(middle, 0.0), nextafter(middle, INFINITY) };
        char text[256];
        snprintf(text, sizeof(text), formats[RandomInt(&random, 6)], numbers[i / 2 % 4]);
        CheckFloat(text);
    }
}

static const char* Print(float value, char* text)
{
    char* end = qvPrintFloat(text, value);
    assert_in_range(end - text, 1, qv_maxPrintedNumber - 1);
    *end = 0;
    return text;
}

static void TestPrintedFloatsComeBack(void** state)
{
    (void)state;
    uint64_t random = 11;
    char text[qv_maxPrintedNumber];
    for (int i = 0; i < 200000; i++)
    {
        uint32_t bits = (uint32_t)RandomInt(&random, 1 << 30) << 2 | (uint32_t)RandomInt(&random, 4);
        if (i % 4 != 0) // of everyday size
            bits = (bits & 0x807fffff) | (uint32_t)(110 + RandomInt(&random, 50)) << 23;
        float value, back;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value))
            continue;
        Print(value, text);
        back = strtof(text, NULL);
        if (memcmp(&back, &value, sizeof(value)) != 0)
            fail_msg("%.17g is printed as %s", value, text);
    }
}

static void TestPrintedFloatsAreShort(void** state)
{
    (void)state;
    static const struct
    {
        float value;
        const char* text;
    } cases[] = {
        { 0.0f, "0" },
        { -0.0f, "-0" },
        { 1.0f, "1" },
        { -10.0f, "-10" },
        { 0.5f, "0.5" },
        { 0.1f, "0.100000001" },
        { 1234.5f, "1234.5" },
        { 0.0625f, "0.0625" },
        { 1e8f, "100000000" },
        { 1.5e8f, "150000000" },
        { 1e-3f, "0.00100000005" },
        { 1e9f, "1e+09" },
        { 0.99999994f, "0.99999994" },
        { 9.99999905f, "9.99999905" },
        { 1e-7f, "1.00000001e-07" },
    };
    char text[qv_maxPrintedNumber];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(Print(cases[i].value, text), cases[i].text);
    static const int numbers[] = { 0, 7, -7, 10, 2147483647, -2147483647 - 1 };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        char expected[16];
        snprintf(expected, sizeof(expected), "%d", numbers[i]);
        *qvPrintInt(text, numbers[i]) = 0;
        assert_string_equal(text, expected);
    }
}

static void TestLineEndings(void** state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "a b\\\n c\r\nd\r\re\\\r\nf \\ g";
    qvScan scan = qvMakeScan(text, strlen(text));
    scan.joinsLines = true;
    static const struct
    {
        const char* word;
        int line;
    } expected[] = { { "a", 1 }, { "b", 1 }, { "c", 2 }, { "d", 3 }, { "e", 5 }, { "f", 6 }, { "\\", 6 }, { "g", 6 } };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
    {
        qvScan_SkipSpace(&scan);
        qvText word = qvScan_Word(&scan);
        assert_true(qvText_Is(word, expected[i].word));
        assert_int_equal(scan.line, expected[i].line);
    }
    qvScan_SkipSpace(&scan);
    assert_true(scan.at == scan.end && qvScan_Word(&scan).length == 0);
}

static void TestIntegers(void** state)
{
    (void)state;
    static const char text[] = "12 -7 +3 999999999999999999 1000000000000000000 x";
    static const int64_t expected[] = { 12, -7, 3, 999999999999999999 };
    qvScan scan = qvMakeScan(text, strlen(text));
    int64_t value;
    for (int i = 0; i < 4; i++)
    {
        qvScan_SkipBlanks(&scan);
        assert_true(qvScan_Integer(&scan, &value));
        assert_true(value == expected[i]);
    }
    qvScan_SkipBlanks(&scan);
    assert_false(qvScan_Integer(&scan, &value));
    qvScan_Word(&scan);
    qvScan_SkipBlanks(&scan);
    assert_false(qvScan_Integer(&scan, &value));
}

static void TestNames(void** state)
{
    (void)state;
    qvNames names = { .arena = qvCreateArena() };
    assert_non_null(names.arena);
    char text[32];
    for (int round = 0; round < 2; round++)
    {
        for (int i = 0; i < 1000; i++)
            assert_int_equal(qvNames_Add(&names, text, snprintf(text, sizeof(text), "name %d", i)), i);
    }
    assert_int_equal(names.list.count, 1000);
    assert_string_equal(names.list.items[17], "name 17");
    assert_int_equal(qvNames_Find(&names, "name 999 and more", 8), 999);
    assert_int_equal(qvNames_Find(&names, "name 1000", 9), -1);
    assert_int_equal(qvNames_Add(&names, "", 0), 1000);
    qvNames_Free(&names);
    qvDestroyArena(names.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNumberForms),
        cmocka_unit_test(TestNotFinite),
        cmocka_unit_test(TestRoundsCorrectly),
        cmocka_unit_test(TestPrintedFloatsComeBack),
        cmocka_unit_test(TestPrintedFloatsAreShort),
        cmocka_unit_test(TestLineEndings),
        cmocka_unit_test(TestIntegers),
        cmocka_unit_test(TestNames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
