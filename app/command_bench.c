// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench: measures the product's kernels, each against a baseline in the same run.
#include "command.h"

#include "bench.h"
#include "bench_ui.h"

#include <stdio.h>
#include <string.h>

static void ListBenchmarks(FILE* stream)
{
    for (int i = 0; i < qvBenchCount(); i++)
        fprintf(stream, "  %-12s %s\n", qvGetBench(i)->name, qvGetBench(i)->description);
    if (benchUi != NULL)
        fprintf(stream, "  %-12s %s\n", benchUi->name, benchUi->description);
}

static bool IsKnown(const char* name)
{
    for (int i = 0; i < qvBenchCount(); i++)
    {
        if (strcmp(qvGetBench(i)->name, name) == 0)
            return true;
    }
    return benchUi != NULL && strcmp(benchUi->name, name) == 0;
}

static void PrintTable(const qvJson* report)
{
    printf("%-54s %12s %-10s %12s %8s\n", "benchmark", "value", "unit", "baseline", "ratio");
    for (const qvJson* row = qvJson_First(qvJson_Find(report, "benchmarks")); row != NULL; row = qvJson_Next(row))
    {
        printf("%-54s %12.4g %-10s", qvJson_Text(qvJson_Find(row, "name")), qvJson_Number(qvJson_Find(row, "value")),
               qvJson_Text(qvJson_Find(row, "unit")));
        if (qvJson_Find(row, "ratio") != NULL)
            printf(" %12.4g %7.3gx", qvJson_Number(qvJson_Find(row, "baseline")),
                   qvJson_Number(qvJson_Find(row, "ratio")));
        putchar('\n');
    }
}

static int Run(int argumentCount, char** arguments)
{
    const char* name = NULL;
    bool all = false, json = false;
    const Option options[] = {
        { NULL, OPTION_TEXT, &name, "which benchmark", 0, 0 },
        { "--all", OPTION_FLAG, &all, "run every benchmark", 0, 0 },
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
    qvError error;
    qvJson* report;
    if (qvRunBenchmarks(name, benchUi, &report, &error) != qv_ok)
        return FailCommand(&error);
    if (json)
        return PrintJson(report);
    PrintTable(report);
    qvDestroyJson(report);
    return EXIT_DONE;
}

const Command commandBench = { "bench", "[NAME] [--all] [--json]",
                               "measures the solver, each figure with its baseline from the same run", Run };
