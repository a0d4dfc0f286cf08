// SPDX-License-Identifier: GPL-3.0-or-later
// How far benchmarks are, in a line on the terminal that a thread of its own keeps up to date: they measure for minutes
// without a word. Nothing is written where standard error is no terminal, nor for work of less than half a second.
#pragma once

#include "quaver/result.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct BenchProgress
{
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ending;
    char text[160];
    double start; // s, of the beginning
    bool terminal, ended, shown;
} BenchProgress;

void BeginBenchProgress(BenchProgress* progress);
/// What is measured from now on. The seconds of the line are those since the beginning.
void TellBenchProgress(BenchProgress* progress, const char* format, ...) QV_PRINTF(2, 3);
/// Takes the line away while something else is printed.
void HideBenchProgress(BenchProgress* progress);
void ShowBenchProgress(BenchProgress* progress);
void EndBenchProgress(BenchProgress* progress);
