// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench.h"

#include "base/cpu.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct qvBenchSink
{
    qvJson* list;
    const qvBench* bench; // whose figures come
    qvBenchListener listener;
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

static double Read(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double Best(clockid_t clock, void (*fcn)(void* context), void* context, int repeats)
{
    double best = 1e30, start = Read(clock);
    for (int i = 0; i < repeats || Read(clock) - start < 0.1; i++)
    {
        double before = Read(clock);
        fcn(context);
        double seconds = Read(clock) - before;
        best = seconds < best ? seconds : best;
    }
    return best;
}

double qvBench_Time(void (*fcn)(void* context), void* context, int repeats)
{
    return Best(CLOCK_MONOTONIC, fcn, context, repeats);
}

double qvBench_CpuTime(void (*fcn)(void* context), void* context, int repeats)
{
    return Best(CLOCK_PROCESS_CPUTIME_ID, fcn, context, repeats);
}

static double Ratio(double value, const char* unit, double baseline)
{
    bool lessIsBetter = strcmp(unit, "ms") == 0 || strcmp(unit, "s") == 0 || strcmp(unit, "of peak") == 0 ||
                        strcmp(unit, "% of size") == 0 || strcmp(unit, "MB") == 0;
    return lessIsBetter ? baseline / value : value / baseline;
}

void qvBench_Add(qvBenchSink* sink, const char* name, double value, const char* unit, double baseline)
{
    char whole[160];
    snprintf(whole, sizeof(whole), "%s/%s", sink->bench->name, name);
    qvJson* row = qvJson_AddObject(sink->list, NULL);
    qvJson_AddString(row, "name", whole);
    qvJson_AddNumber(row, "value", value);
    qvJson_AddString(row, "unit", unit);
    if (baseline > 0.0)
    {
        qvJson_AddNumber(row, "baseline", baseline);
        qvJson_AddNumber(row, "ratio", Ratio(value, unit, baseline));
    }
    if (sink->listener.figure != NULL)
        sink->listener.figure(sink->listener.context, row);
}

void qvBench_Tell(qvBenchSink* sink, const char* what, int index, int count)
{
    if (sink->listener.tell != NULL)
        sink->listener.tell(sink->listener.context, what, index, count);
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

double qvBench_FileMemory(void)
{
    return ReadStatus("RssFile:");
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

const char* qvBench_CpuLevel(void)
{
    return qvCpuLevel_Name(qvGetCpuLevel());
}

// The level is the environment's: the same switch that a user has.
qvResult qvBench_AtLowerLevels(qvBenchSink* sink, qvBenchAtLevel* measure, void* context, qvError* error)
{
    qvResult result = qv_ok;
    const char* kept = getenv("QUAVER_CPU");
    char* before = kept != NULL ? strdup(kept) : NULL;
    for (int level = (int)qvGetCpuLevel() - 1; result == qv_ok && level >= 0; level--)
    {
        char suffix[32];
        snprintf(suffix, sizeof(suffix), "/%s", qvCpuLevel_Name((qvCpuLevel)level));
        setenv("QUAVER_CPU", suffix + 1, 1);
        result = measure(sink, context, suffix, error);
    }
    if (before != NULL)
        setenv("QUAVER_CPU", before, 1);
    else
        unsetenv("QUAVER_CPU");
    free(before);
    return result;
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

qvJson* qvRunBenchmarks(const char* name, const qvBench* more, const qvBenchListener* listener)
{
    qvJson* root = qvCreateJsonObject();
    qvJson_AddString(root, "cpu", qvBench_CpuLevel());
    qvBenchSink sink = { .list = qvJson_AddArray(root, "benchmarks") };
    if (listener != NULL)
        sink.listener = *listener;
    int count = 0, done = 0;
    for (int i = 0; i <= qvBenchCount(); i++)
        count += IsWanted(i, more, name);
    for (int i = 0; i <= qvBenchCount(); i++)
    {
        if (!IsWanted(i, more, name))
            continue;
        sink.bench = i < qvBenchCount() ? benches[i] : more;
        if (sink.listener.begin != NULL)
            sink.listener.begin(sink.listener.context, sink.bench, done++, count);
        qvBench_ForgetPeakMemory();
        qvError error;
        if (sink.bench->run(&sink, &error) != qv_ok)
            AddFailure(root, sink.bench, &error);
    }
    return root;
}
