// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks: names of figures, who hears of them, texts.
#include "bench.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

static qvResult RunTwo(qvBenchSink* sink, qvError* error)
{
    (void)error;
    qvBench_Tell(sink, "counting", 1, 3);
    qvBench_Add(sink, "time", 2.0, "ms", 6.0);
    qvBench_Add(sink, "rate/of", 6.0, "MB/s", 2.0);
    qvBench_Add(sink, "alone", 1.0, "MB", 0.0);
    return qv_ok;
}

static qvResult RunBadly(qvBenchSink* sink, qvError* error)
{
    (void)sink;
    return qvError_Set(error, qv_ioFailed, "no wind");
}

static const qvBench two = { "hash-large", "two figures", RunTwo, "nothing", "with nothing" };
static const qvBench bad = { "bad", "fails", RunBadly, "nothing", "with nothing" };

typedef struct Heard
{
    char text[512];
} Heard;

static void Append(void* context, const char* text)
{
    Heard* heard = context;
    strncat(heard->text, text, sizeof(heard->text) - strlen(heard->text) - 1);
}

static void HearBegin(void* context, const qvBench* bench, int index, int count)
{
    char text[64];
    snprintf(text, sizeof(text), "%s %d/%d;", bench->name, index, count);
    Append(context, text);
}

static void HearStep(void* context, const char* what, int index, int count)
{
    char text[64];
    snprintf(text, sizeof(text), "%s %d/%d;", what, index, count);
    Append(context, text);
}

static void HearFigure(void* context, const qvJson* row)
{
    Append(context, qvJson_Text(qvJson_Find(row, "name")));
    Append(context, qvJson_Find(row, "ratio") != NULL ? " x;" : ";");
}

// The first part of a figure's name is its benchmark's, whatever others are called.
static void FiguresHaveTheirBenchmarksName(void** state)
{
    (void)state;
    Heard heard = { "" };
    const qvBenchListener listener = { HearBegin, HearStep, HearFigure, &heard };
    qvJson* report = qvRunBenchmarks("hash-large", &two, &listener);
    assert_string_equal(heard.text, "hash-large 0/1;counting 1/3;hash-large/time x;hash-large/rate/of x;"
                                    "hash-large/alone;");
    const qvJson* row = qvJson_First(qvJson_Find(report, "benchmarks"));
    assert_true(qvJson_Number(qvJson_Find(row, "ratio")) == 3.0);
    row = qvJson_Next(row);
    assert_true(qvJson_Number(qvJson_Find(row, "ratio")) == 3.0);
    assert_null(qvJson_Find(qvJson_Next(row), "baseline"));
    assert_string_equal(qvJson_Text(qvJson_Find(report, "cpu")), qvBench_CpuLevel());
    qvDestroyJson(report);
}

static void FailuresAreListed(void** state)
{
    (void)state;
    qvJson* report = qvRunBenchmarks("bad", &bad, NULL);
    assert_null(qvJson_First(qvJson_Find(report, "benchmarks")));
    const qvJson* row = qvJson_First(qvJson_Find(report, "failed"));
    assert_string_equal(qvJson_Text(qvJson_Find(row, "error")), "no wind");
    qvDestroyJson(report);
}

static bool Says(const char* name, const char* words)
{
    for (int i = 0; i < qvBenchCount(); i++)
    {
        if (strcmp(qvGetBench(i)->name, name) == 0)
            return strstr(qvGetBench(i)->baseline, words) != NULL;
    }
    return false;
}

static void TextsNameTheBaselines(void** state)
{
    (void)state;
    for (int i = 0; i < qvBenchCount(); i++)
    {
        const qvBench* bench = qvGetBench(i);
        assert_true(bench->baseline != NULL && bench->baseline[0] != 0);
        assert_true(bench->growth != NULL && bench->growth[0] != 0);
    }
    assert_true(Says("kelvinlet", "the paper's formulas as printed, on a single thread"));
    assert_true(Says("waves", "the paper's formulas as printed"));
    assert_true(Says("wiggly", "the 4m band system"));
    assert_true(Says("export", "per-frame morphs"));
    assert_true(Says("shell", "single thread"));
    assert_true(Says("spacetime", "single thread"));
}

static qvResult KeepLevel(qvBenchSink* sink, void* context, const char* suffix, qvError* error)
{
    (void)sink, (void)error;
    assert_string_equal(qvBench_CpuLevel(), suffix + 1);
    Append(context, suffix);
    return qv_ok;
}

static void LowerLevelsAreMeasuredOnce(void** state)
{
    (void)state;
    Heard heard = { "" };
    char before[16];
    snprintf(before, sizeof(before), "%s", qvBench_CpuLevel());
    assert_int_equal(qvBench_AtLowerLevels(NULL, KeepLevel, &heard, NULL), qv_ok);
    assert_string_equal(qvBench_CpuLevel(), before);
    if (strcmp(before, "avx512") == 0)
        assert_string_equal(heard.text, "/avx2/portable");
    else if (strcmp(before, "avx2") == 0)
        assert_string_equal(heard.text, "/portable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FiguresHaveTheirBenchmarksName),
        cmocka_unit_test(FailuresAreListed),
        cmocka_unit_test(TextsNameTheBaselines),
        cmocka_unit_test(LowerLevelsAreMeasuredOnce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
