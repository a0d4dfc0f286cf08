// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench: measures the product's kernels, each against a baseline in the same run.
#include "command.h"

#include "bench.h"
#include "bench_ui.h"

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

// Figures are called by the benchmark's name and a slash. The large one of spacetime shares the name of the small one.
static bool BelongsTo(const qvJson* row, const char* name)
{
    size_t length = strlen(name);
    const char* text = qvJson_Text(qvJson_Find(row, "name"));
    return strncmp(text, name, length) == 0 && text[length] == '/';
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

static void PrintTable(const qvJson* report)
{
    const qvJson* rows = qvJson_Find(report, "benchmarks");
    for (int i = 0; i < BenchCount(); i++)
    {
        const qvBench* bench = GetBench(i);
        bool begun = false;
        for (const qvJson* row = qvJson_First(rows); row != NULL; row = qvJson_Next(row))
        {
            if (!BelongsTo(row, bench->name))
                continue;
            if (!begun)
                printf("\n%s: %s\n", bench->name, bench->description);
            if (!begun && bench->baseline != NULL)
                printf("  baseline: %s\n", bench->baseline);
            if (!begun)
                printf("  %-60s %10s %-10s %10s %10s\n", "figure", "value", "unit", "baseline", "ratio");
            begun = true;
            PrintRow(row);
        }
        if (begun && bench->growth != NULL)
            printf("  grows %s\n", bench->growth);
    }
    puts("\nA ratio above 1 is better than the baseline, which was measured in the same run.");
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

static void TellProgress(void* context, const qvBench* bench, int index, int count)
{
    (void)context;
    if (count > 1)
        fprintf(stderr, "quaver: %d of %d, %s: %s\n", index + 1, count, bench->name, bench->description);
}

static int Run(int argumentCount, char** arguments)
{
    const char* name = NULL;
    bool all = false, json = false;
    const Option options[] = {
        { NULL, OPTION_TEXT, &name, "which benchmark", 0, 0 },
        { "--all", OPTION_FLAG, &all, "run every benchmark, about a quarter of an hour", 0, 0 },
        { "--json", OPTION_FLAG, &json, "print one JSON object", 0, 0 },
    };
    int status;
    if (!ParseOptions(&commandBench, options, 3, argumentCount, arguments, &status))
        return status;
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
    qvJson* report = qvRunBenchmarks(name, benchUi, TellProgress, NULL);
    status = PrintFailures(report);
    if (!json)
        PrintTable(report);
    int printed = json ? PrintJson(report) : EXIT_DONE;
    if (!json)
        qvDestroyJson(report);
    return status != EXIT_DONE ? status : printed;
}

const Command commandBench = { "bench", "[NAME] [--all] [--json]",
                               "measures the solver, each figure with its baseline from the same run", Run };
