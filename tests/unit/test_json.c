// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "quaver/json.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static qvJson* Parse(const char* text)
{
    qvError error;
    qvJson* root;
    ASSERT_OK(qvParseJson(text, strlen(text), NULL, &root, &error), error);
    return root;
}

static void TestMistakesHaveAPlace(void** state)
{
    (void)state;
    static const struct
    {
        const char *text, *place;
    } cases[] = {
        { "", "line 1, column 1" },
        { "{\"a\": 1,\n \"b\": }", "line 2, column 7" },
        { "[1, 2] x", "line 1, column 8: unexpected text" },
        { "[1, 1e999]", "[1]: the number is too large" },
        { "{\"a\": [{}, {\"b\": [0, 1, -1e999]}]}", "a[1].b[2]: the number is too large" },
        { "1e999", ": the number is too large" },
        { "[1,", "line 1" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvError error;
        qvJson* root;
        assert_int_equal(qvParseJson(cases[i].text, strlen(cases[i].text), NULL, &root, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, cases[i].place);
        assert_null(root);
    }
}

static void TestLimits(void** state)
{
    (void)state;
    qvError error;
    qvJson* root;
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    assert_int_equal(qvParseJson(deep, 200, NULL, &root, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "nested too deeply");
    qvJsonLimits limits = { .maxValues = 4, .maxDepth = 100 };
    assert_int_equal(qvParseJson("[1,2,3,4]", 9, &limits, &root, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "too many values");
    ASSERT_OK(qvParseJson("[1,2,\",[,[,\"]", 13, &limits, &root, &error), error);
    qvDestroyJson(root);
    limits.maxValues = 1000;
    ASSERT_OK(qvParseJson(deep, 200, &limits, &root, &error), error);
    qvDestroyJson(root);
}

static void TestNumbersRoundTrip(void** state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 20000; i++)
    {
        double value = ldexp(RandomUnit(&random) - 0.5, RandomInt(&random, 2000) - 1000);
        qvJson* array = qvCreateJsonArray();
        qvJson_AddNumber(array, NULL, value);
        char* text = qvJson_Print(array, false);
        qvJson* again = Parse(text);
        assert_true(qvJson_Number(qvJson_First(again)) == value);
        qvDestroyJson(array);
        qvDestroyJson(again);
        qvFreeText(text);
    }
}

// Numbers of few digits are written as C writes them in six, whatever their sign and size.
static void TestShortNumbers(void** state)
{
    (void)state;
    const double scales[] = { 1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9, 1e10 };
    for (int i = 0; i < 20000; i++)
    {
        double digits = (i * 7919 + 1) % 999983, scale = scales[i % 10];
        double value = (i % 3 == 0 ? -1.0 : 1.0) * (i % 4 == 0 ? fmod(digits, 1000.0) : digits) / scale;
        char wanted[32];
        snprintf(wanted, sizeof(wanted), "[%.6g]", value);
        qvJson* array = qvCreateJsonArray();
        qvJson_AddNumber(array, NULL, value);
        char* text = qvJson_Print(array, false);
        assert_string_equal(text, wanted);
        qvFreeText(text);
        qvDestroyJson(array);
    }
}

static void TestLayout(void** state)
{
    (void)state;
    static const char* const text = "{\n"
                                    "  \"name\": \"a\\\"b\\\\\\n\\u0001\",\n"
                                    "  \"range\": [0, 4.5, 0.1],\n"
                                    "  \"keys\": [\n"
                                    "    {\n"
                                    "      \"on\": true,\n"
                                    "      \"off\": null\n"
                                    "    }\n"
                                    "  ],\n"
                                    "  \"empty\": []\n"
                                    "}";
    qvJson* root = Parse(text);
    char* printed = qvJson_Print(root, true);
    assert_string_equal(printed, text);
    qvFreeText(printed);
    char* compact = qvJson_Print(root, false);
    ASSERT_CONTAINS(compact, "\"range\":[0,4.5,0.1],\"keys\":[{\"on\":true");
    qvFreeText(compact);
    qvDestroyJson(root);
}

static void TestWholeNumbersHaveNoExponent(void** state)
{
    (void)state;
    qvJson* root = Parse("[1200000, -3e7, 0, -0.0, 123456789012345, 1e15, 2.5e6]");
    char* text = qvJson_Print(root, false);
    assert_string_equal(text, "[1200000,-30000000,0,-0,123456789012345,1e+15,2500000]");
    qvFreeText(text);
    qvDestroyJson(root);
}

// What is no UTF-8 becomes U+FFFD byte by byte; what is stays.
static void TestTextIsUtf8(void** state)
{
    (void)state;
    static const char* const texts[][2] = {
        { "\xff", "[\"\\ufffd\"]" },
        { "a\xc3", "[\"a\\ufffd\"]" },
        { "\xc0\xaf", "[\"\\ufffd\\ufffd\"]" },
        { "\xe2\x98", "[\"\\ufffd\\ufffd\"]" },
        { "\xed\xa0\x80", "[\"\\ufffd\\ufffd\\ufffd\"]" },
        { "\xf4\x90\x80\x80", "[\"\\ufffd\\ufffd\\ufffd\\ufffd\"]" },
        { "\xc3\xa4\xe2\x98\xba\xf0\x9f\x98\x80", "[\"\xc3\xa4\xe2\x98\xba\xf0\x9f\x98\x80\"]" },
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
    {
        qvJson* array = qvCreateJsonArray();
        qvJson_AddString(array, NULL, texts[i][0]);
        char* text = qvJson_Print(array, false);
        assert_string_equal(text, texts[i][1]);
        qvFreeText(text);
        qvDestroyJson(array);
    }
}

static void TestLocaleWithComma(void** state)
{
    (void)state;
    SetLocaleWithComma();
    qvJson* root = Parse("[0.5, 1.25e-3]");
    char* text = qvJson_Print(root, false);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "[0.5,0.00125]");
    qvFreeText(text);
    qvDestroyJson(root);
}

static void TestReadingNamesTheField(void** state)
{
    (void)state;
    qvError error;
    qvJson* root = Parse("{\"radius\": -1, \"count\": 2.5, \"flag\": 1, \"name\": 3, \"at\": [1, 2], \"list\": {}}");
    double number = 7;
    int count = 7;
    bool flag = true;
    const char* name = "default";
    double at[3];
    qvJson* node = NULL;
    assert_int_equal(qvJson_ReadNumber(root, "strokes[0]", "radius", 0, 9, &number, &error), qv_badInput);
    assert_string_equal(error.message, "strokes[0].radius: is -1, must be from 0 to 9");
    assert_int_equal(qvJson_ReadInt(root, "", "count", 0, 9, &count, &error), qv_badInput);
    assert_string_equal(error.message, "count: must be a whole number");
    assert_int_equal(qvJson_ReadBool(root, "", "flag", &flag, &error), qv_badInput);
    assert_int_equal(qvJson_ReadString(root, "", "name", &name, &error), qv_badInput);
    assert_int_equal(qvJson_ReadNumbers(root, "k", "at", 3, at, &error), qv_badInput);
    assert_string_equal(error.message, "k.at: must be a list of 3 numbers");
    assert_int_equal(qvJson_ReadArray(root, "", "list", &node, &error), qv_badInput);
    ASSERT_OK(qvJson_ReadObject(root, "", "list", &node, &error), error);
    ASSERT_OK(qvJson_ReadNumber(root, "", "missing", 0, 1, &number, &error), error);
    ASSERT_OK(qvJson_ReadNumbers(root, "", "at", 2, at, &error), error);
    assert_true(number == 7 && count == 7 && flag && strcmp(name, "default") == 0 && at[1] == 2);
    qvDestroyJson(root);
}

// Every node is of exactly one kind, a missing one of none.
static void AssertKinds(void)
{
    typedef bool IsFcn(const qvJson* node);
    static IsFcn* const kinds[] = { qvJson_IsObject, qvJson_IsArray, qvJson_IsNumber,
                                    qvJson_IsString, qvJson_IsBool,  qvJson_IsNull };
    qvJson* root = Parse("[{}, [], 1, \"1\", true, null]");
    for (int node = 0; node <= 6; node++)
    {
        for (int kind = 0; kind < 6; kind++)
            assert_int_equal(kinds[kind](qvJson_At(root, node)), node == kind);
    }
    qvDestroyJson(root);
}

static void TestMissingNodes(void** state)
{
    (void)state;
    AssertKinds();
    assert_int_equal(qvJson_Count(NULL), 0);
    assert_string_equal(qvJson_Text(NULL), "");
    assert_true(qvJson_Number(NULL) == 0.0);
    assert_null(qvJson_Find(NULL, "x"));
    assert_null(qvJson_AddNumber(NULL, "x", 1));
    assert_null(qvJson_Print(NULL, true));
    qvJson* object = qvCreateJsonObject();
    qvJson_AddNumber(object, "nan", NAN);
    assert_true(qvJson_IsNull(qvJson_Find(object, "nan")));
    qvJson_Remove(object, qvJson_Find(object, "nan"));
    assert_int_equal(qvJson_Count(object), 0);
    qvDestroyJson(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMistakesHaveAPlace),   cmocka_unit_test(TestLimits),
        cmocka_unit_test(TestNumbersRoundTrip),     cmocka_unit_test(TestLayout),
        cmocka_unit_test(TestReadingNamesTheField), cmocka_unit_test(TestLocaleWithComma),
        cmocka_unit_test(TestMissingNodes),         cmocka_unit_test(TestWholeNumbersHaveNoExponent),
        cmocka_unit_test(TestTextIsUtf8),           cmocka_unit_test(TestShortNumbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
