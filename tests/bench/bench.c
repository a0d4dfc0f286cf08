// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct qvBenchSink
{
    qvJson* list;
};

#define BENCH(name) extern const qvBench name;
#include "bench_list.inl"
#undef BENCH

static const qvBench* const benches[] = {
#define BENCH(name) &name,
#include "bench_list.inl"
#undef BENCH
};

int qvBenchCount(void)
{
    return (int)(sizeof(benches) / sizeof(benches[0]));
}

const qvBench* qvGetBench(int index)
{
    return benches[index];
}

static double Now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double qvBench_Time(void (*fcn)(void* context), void* context, int repeats)
{
    double best = 1e30, start = Now();
    for (int i = 0; i < repeats || Now() - start < 0.1; i++)
    {
        double before = Now();
        fcn(context);
        double seconds = Now() - before;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static double Ratio(double value, const char* unit, double baseline)
{
    bool lessIsBetter =
        strcmp(unit, "ms") == 0 || strcmp(unit, "s") == 0 || strcmp(unit, "of peak") == 0 || strcmp(unit, "MB") == 0;
    return lessIsBetter ? baseline / value : value / baseline;
}

void qvBench_Add(qvBenchSink* sink, const char* name, double value, const char* unit, double baseline)
{
    qvJson* row = qvJson_AddObject(sink->list, NULL);
    qvJson_AddString(row, "name", name);
    qvJson_AddNumber(row, "value", value);
    qvJson_AddString(row, "unit", unit);
    if (baseline > 0.0)
    {
        qvJson_AddNumber(row, "baseline", baseline);
        qvJson_AddNumber(row, "ratio", Ratio(value, unit, baseline));
    }
}

// Megabytes.
static double ReadStatus(const char* name)
{
    char line[256];
    double kilobytes = 0.0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name), NULL);
    }
    if (file != NULL)
        fclose(file);
    return kilobytes / 1024.0;
}

double qvBench_PeakMemory(void)
{
    return ReadStatus("VmHWM:");
}

double qvBench_ResidentMemory(void)
{
    return ReadStatus("VmRSS:");
}

void qvBench_ForgetPeakMemory(void)
{
    malloc_trim(0);
    FILE* file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL)
    {
        fputs("5", file);
        fclose(file);
    }
}

// The one of that name, or all; the last one is more.
static bool IsWanted(int index, const qvBench* more, const char* name)
{
    const qvBench* bench = index < qvBenchCount() ? benches[index] : more;
    return bench != NULL && (name == NULL || strcmp(name, bench->name) == 0);
}

static void AddFailure(qvJson* root, const qvBench* bench, const qvError* error)
{
    qvJson* list = qvJson_Find(root, "failed");
    qvJson* row = qvJson_AddObject(list != NULL ? list : qvJson_AddArray(root, "failed"), NULL);
    qvJson_AddString(row, "name", bench->name);
    qvJson_AddString(row, "error", error->message);
}

qvJson* qvRunBenchmarks(const char* name, const qvBench* more, qvBenchProgress* progress, void* context)
{
    qvJson* root = qvCreateJsonObject();
    qvBenchSink sink = { qvJson_AddArray(root, "benchmarks") };
    int count = 0, done = 0;
    for (int i = 0; i <= qvBenchCount(); i++)
        count += IsWanted(i, more, name);
    for (int i = 0; i <= qvBenchCount(); i++)
    {
        const qvBench* bench = i < qvBenchCount() ? benches[i] : more;
        if (!IsWanted(i, more, name))
            continue;
        if (progress != NULL)
            progress(context, bench, done++, count);
        qvBench_ForgetPeakMemory();
        qvError error;
        if (bench->run(&sink, &error) != qv_ok)
            AddFailure(root, bench, &error);
    }
    return root;
}
