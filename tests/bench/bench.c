// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench.h"

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

qvResult qvRunBenchmarks(const char* name, const qvBench* more, qvJson** report, qvError* error)
{
    qvJson* root = qvCreateJsonObject();
    qvBenchSink sink = { qvJson_AddArray(root, "benchmarks") };
    for (int i = 0; i < qvBenchCount() + (more != NULL); i++)
    {
        const qvBench* bench = i < qvBenchCount() ? benches[i] : more;
        if (name != NULL && strcmp(name, bench->name) != 0)
            continue;
        qvResult result = bench->run(&sink, error);
        if (result != qv_ok)
        {
            qvDestroyJson(root);
            return result;
        }
    }
    *report = root;
    return qv_ok;
}
