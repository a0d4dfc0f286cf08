// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "base/base64.h"

#include <string.h>

static void Check(const char* text, const char* expected)
{
    uint8_t bytes[64] = { 0 };
    size_t bad, size = qvBase64_DecodedSize(text, strlen(text));
    assert_int_equal(size, strlen(expected));
    assert_true(qvBase64_Decode(text, strlen(text), bytes, &bad));
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(bytes[size], 0);
}

// The examples of RFC 4648, section 10, with and without padding.
static void TestExamples(void** state)
{
    (void)state;
    Check("", "");
    Check("Zg==", "f");
    Check("Zg", "f");
    Check("Zm8=", "fo");
    Check("Zm8", "fo");
    Check("Zm9v", "foo");
    Check("Zm9vYg==", "foob");
    Check("Zm9vYmE=", "fooba");
    Check("Zm9vYmFy", "foobar");
}

static void TestAllDigits(void** state)
{
    (void)state;
    uint8_t bytes[48];
    size_t bad;
    const char* text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert_true(qvBase64_Decode(text, 64, bytes, &bad));
    for (int i = 0; i < 64; i++)
    {
        int bit = 6 * i, value = (bytes[bit / 8] << 8 | (bit / 8 + 1 < 48 ? bytes[bit / 8 + 1] : 0)) >> (10 - bit % 8);
        assert_int_equal(value & 63, i);
    }
}

static void TestMistakes(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        size_t offset;
    } cases[] = { { "Zm9*", 3 }, { "Z", 1 }, { "Zm9vY", 5 }, { "Zm=v", 2 }, { "Zm 9v", 2 }, { "Z===", 1 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        uint8_t bytes[16];
        size_t bad = 99;
        assert_false(qvBase64_Decode(cases[i].text, strlen(cases[i].text), bytes, &bad));
        assert_int_equal(bad, cases[i].offset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestExamples),
        cmocka_unit_test(TestAllDigits),
        cmocka_unit_test(TestMistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
