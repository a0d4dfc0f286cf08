// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks of `quaver bench`. Each measures the product's code and, where there is something to compare with, a
// baseline in the same run, because machines are noisy; the minimum over repeated runs decides. To add one: write
// bench_x.c, add a line to bench_list.inl.
#pragma once

#include "quaver/json.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Where a benchmark puts its figures.
typedef struct qvBenchSink qvBenchSink;

/// Adds one figure, which is called by the benchmark's name, a slash and this name. baseline is the same quantity of
/// the baseline, 0 when there is none. ratio is value / baseline for rates ("Meval/s", "MB/s") and baseline / value for
/// times ("ms"), sizes ("MB") and errors ("of peak", "% of size"): above 1 is better than the baseline.
void qvBench_Add(qvBenchSink* sink, const char* name, double value, const char* unit, double baseline);

/// Says how far a long measurement is: the index-th of count steps begins.
void qvBench_Tell(qvBenchSink* sink, const char* what, int index, int count);

/// The peak of this process's memory in MB since the benchmark began, or since the last ForgetPeakMemory.
double qvBench_PeakMemory(void);
void qvBench_ForgetPeakMemory(void);

/// What of this process is in memory now, in MB.
double qvBench_ResidentMemory(void);

/// The part of it that lies in files: the program and its libraries, and what it maps besides.
double qvBench_FileMemory(void);

/// Seconds of one call: the minimum over at least repeats runs and 0.1 s.
double qvBench_Time(void (*fcn)(void* context), void* context, int repeats);
/// The same in time of the processor, of all threads: what else the machine does hardly matters.
double qvBench_CpuTime(void (*fcn)(void* context), void* context, int repeats);

typedef struct qvBench
{
    const char* name; ///< "mesh"; figures are called "mesh/…"
    const char* description;
    qvResult (*run)(qvBenchSink* sink, qvError* error);
    const char* baseline; ///< what the baselines are, and of what, where not all figures have one
    const char* growth;   ///< how the costs grow: "with the bytes"
} qvBench;

int qvBenchCount(void);
const qvBench* qvGetBench(int index);

/// The kernels that the CPU allows: "avx2". QUAVER_CPU in the environment may name a lower level.
const char* qvBench_CpuLevel(void);

/// Measures something once more at each lower level of the CPU, with "/avx2" or "/portable" for the names of its
/// figures.
typedef qvResult qvBenchAtLevel(qvBenchSink* sink, void* context, const char* suffix, qvError* error);
qvResult qvBench_AtLowerLevels(qvBenchSink* sink, qvBenchAtLevel* measure, void* context, qvError* error);

/// Who hears of a run while it goes on. Each function may be NULL.
typedef struct qvBenchListener
{
    void (*begin)(void* context, const qvBench* bench, int index, int count); ///< the index-th of count benchmarks
    void (*tell)(void* context, const char* what, int index, int count);      ///< as qvBench_Tell
    void (*figure)(void* context, const qvJson* row);                         ///< with name, value, unit, …
    void* context;
} qvBenchListener;

/// Runs the benchmark of that name, or all for NULL, and returns {"cpu": "avx2", "benchmarks": […], "failed": […]};
/// one that fails leaves its message in the last list (absent when it is empty) and the others go on. more (may be
/// NULL) is one that this list does not have; listener may be NULL.
qvJson* qvRunBenchmarks(const char* name, const qvBench* more, const qvBenchListener* listener);
