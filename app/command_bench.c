// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench: measures the product's kernels, against a baseline in the same run where there is something to compare
// with. Figures are printed as they come, below their benchmark's heading.
#include "command.h"

#include "bench.h"
#include "bench_place.h"
#include "bench_progress.h"
#include "bench_ui.h"

#include "quaver/blas.h"
#include "quaver/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const qvBench* GetBench(int index)
{
    return index < qvBenchCount() ? qvGetBench(index) : benchUi;
}

static int BenchCount(void)
{
    return qvBenchCount() + (benchUi != NULL);
}

static void ListBenchmarks(FILE* stream)
{
    for (int i = 0; i < BenchCount(); i++)
        fprintf(stream, "  %-16s %s\n", GetBench(i)->name, GetBench(i)->description);
}

static bool IsKnown(const char* name)
{
    for (int i = 0; i < BenchCount(); i++)
    {
        if (strcmp(GetBench(i)->name, name) == 0)
            return true;
    }
    return false;
}

// --- The table -----------------------------------------------------------------------------------------------------

// Four digits that count, without an exponent where a person can read the number without.
static const char* Digits(double value, char text[32])
{
    double size = fabs(value);
    if (size >= 1e-3 && size < 1e7)
    {
        int before = size >= 1.0 ? (int)floor(log10(size)) + 1 : 1;
        int decimals = size < 0.1 ? 5 : before < 4 ? 4 - before : 0;
        snprintf(text, 32, "%.*f", decimals, value);
    }
    else
        snprintf(text, 32, "%.3g", value);
    return text;
}

static void PrintRow(const qvJson* row)
{
    char value[32], baseline[32], ratio[32];
    printf("  %-60s %10s %-10s", qvJson_Text(qvJson_Find(row, "name")),
           Digits(qvJson_Number(qvJson_Find(row, "value")), value), qvJson_Text(qvJson_Find(row, "unit")));
    if (qvJson_Find(row, "ratio") != NULL)
        printf(" %10s %9sx", Digits(qvJson_Number(qvJson_Find(row, "baseline")), baseline),
               Digits(qvJson_Number(qvJson_Find(row, "ratio")), ratio));
    putchar('\n');
}

static void PrintHeading(const qvBench* bench)
{
    printf("\n%s: %s\n  baseline: %s\n  grows %s\n", bench->name, bench->description, bench->baseline, bench->growth);
    printf("  %-60s %10s %-10s %10s %10s\n", "figure", "value", "unit", "baseline", "ratio");
}

// --- While it runs -------------------------------------------------------------------------------------------------

typedef struct Watch
{
    BenchProgress progress;
    bool json;      // no table
    char place[64]; // "3 of 16, bvh"
} Watch;

static void Begin(void* context, const qvBench* bench, int index, int count)
{
    Watch* watch = context;
    int length = count > 1 ? snprintf(watch->place, sizeof(watch->place), "%d of %d, ", index + 1, count) : 0;
    snprintf(watch->place + length, sizeof(watch->place) - (size_t)length, "%s", bench->name);
    TellBenchProgress(&watch->progress, "%s", watch->place);
    if (watch->json)
        return;
    HideBenchProgress(&watch->progress);
    PrintHeading(bench);
    fflush(stdout);
    ShowBenchProgress(&watch->progress);
}

static void Tell(void* context, const char* what, int index, int count)
{
    Watch* watch = context;
    TellBenchProgress(&watch->progress, "%s: %s, %d of %d", watch->place, what, index + 1, count);
}

static void PrintFigure(void* context, const qvJson* row)
{
    Watch* watch = context;
    if (watch->json)
        return;
    HideBenchProgress(&watch->progress);
    PrintRow(row);
    fflush(stdout);
    ShowBenchProgress(&watch->progress);
}

static qvJson* Measure(const char* name, bool json)
{
    Watch watch = { .json = json };
    BeginBenchProgress(&watch.progress);
    const qvBenchListener listener = { Begin, Tell, PrintFigure, &watch };
    qvJson* report = qvRunBenchmarks(name, benchUi, &listener);
    EndBenchProgress(&watch.progress);
    return report;
}

// For as many threads as the largest pool of a benchmark has: two, or all cores.
static qvResult ClaimMemory(qvError* error)
{
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    if (result != qv_ok)
        return result;
    int threads = qvPool_ThreadCount(pool);
    qvDestroyPool(pool);
    return qvBlas_Claim(threads > 2 ? threads : 2, error);
}

static int PrintFailures(const qvJson* report)
{
    int status = EXIT_DONE;
    for (const qvJson* row = qvJson_First(qvJson_Find(report, "failed")); row != NULL; row = qvJson_Next(row))
    {
        fprintf(stderr, "quaver: bench %s: %s\n", qvJson_Text(qvJson_Find(row, "name")),
                qvJson_Text(qvJson_Find(row, "error")));
        status = EXIT_FAILED;
    }
    return status;
}

static int Run(int argumentCount, char** arguments)
{
    const char* name = NULL;
    bool all = false, json = false;
    const Option options[] = {
        { NULL, OPTION_TEXT, &name, "which benchmark", 0, 0 },
        { "--all", OPTION_FLAG, &all, "run every benchmark, a quarter to half an hour", 0, 0 },
        { "--json", OPTION_FLAG, &json, "print one JSON object", 0, 0 },
    };
    int status;
    if (!ParseOptions(&commandBench, options, 3, argumentCount, arguments, &status))
        return status;
    if (name != NULL && all)
        return FailUsage(&commandBench, "name a benchmark or say --all, not both");
    if (name == NULL && !all)
    {
        puts("benchmarks (or --all):");
        ListBenchmarks(stdout);
        return EXIT_DONE;
    }
    if (name != NULL && !IsKnown(name))
    {
        fprintf(stderr, "quaver: no benchmark \"%s\"; 'quaver bench' lists them\n", name);
        return EXIT_USAGE;
    }
    qvError error;
    BenchPlace place;
    if (MakeBenchPlace(&place, &error) != qv_ok)
        return FailCommand(&error);
    if (ClaimMemory(&error) != qv_ok)
    {
        RemoveBenchPlace(&place);
        return FailCommand(&error);
    }
    qvJson* report = Measure(name, json);
    RemoveBenchPlace(&place);
    if (!json)
        printf("\nA ratio above 1 is better than the baseline, which was measured in the same run. Kernels: %s.\n",
               qvBench_CpuLevel());
    status = PrintFailures(report);
    int printed = json ? PrintJson(report) : EXIT_DONE;
    if (!json)
        qvDestroyJson(report);
    return status != EXIT_DONE ? status : printed;
}

const Command commandBench = {
    "bench", "[NAME | --all] [--json]",
    "measures speed and memory, against a baseline of the same run where there is something to compare with", Run
};
