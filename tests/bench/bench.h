// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks of `quaver bench`. Each measures the product's code and a baseline in the same run, because machines are
// noisy; the minimum over repeated runs decides. To add one: write bench_x.c, add a line to bench_list.inl.
#pragma once

#include "quaver/json.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Where a benchmark puts its figures.
typedef struct qvBenchSink qvBenchSink;

/// Adds one figure. baseline is the same quantity of the baseline, 0 when there is none. ratio is value / baseline for
/// rates ("Meval/s", "MB/s") and baseline / value for times ("ms"), sizes ("MB") and errors ("of peak"): above 1 is
/// better than the baseline.
void qvBench_Add(qvBenchSink* sink, const char* name, double value, const char* unit, double baseline);

/// The peak of this process's memory in MB since the benchmark began, or since the last ForgetPeakMemory.
double qvBench_PeakMemory(void);
void qvBench_ForgetPeakMemory(void);

/// What of this process is in memory now, in MB.
double qvBench_ResidentMemory(void);

/// Seconds of one call: the minimum over at least repeats runs and 0.1 s.
double qvBench_Time(void (*fcn)(void* context), void* context, int repeats);

typedef struct qvBench
{
    const char* name; ///< "mesh"; figures are called "mesh/…"
    const char* description;
    qvResult (*run)(qvBenchSink* sink, qvError* error);
    const char* baseline; ///< what the baselines are, or NULL when there are none
    const char* growth;   ///< how the costs grow, or NULL
} qvBench;

int qvBenchCount(void);
const qvBench* qvGetBench(int index);

/// Told before each benchmark: the index-th of count.
typedef void qvBenchProgress(void* context, const qvBench* bench, int index, int count);

/// Runs the benchmark of that name, or all for NULL, and returns {"benchmarks": […], "failed": […]};
/// one that fails leaves its message in the second list (absent when it is empty) and the others go on. more (may be
/// NULL) is one that this list does not have; progress may be NULL.
qvJson* qvRunBenchmarks(const char* name, const qvBench* more, qvBenchProgress* progress, void* context);
