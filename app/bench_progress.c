// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum
{
    PACE = 500000000 // ns before the line comes, and between its changes: seldom enough to disturb no measurement
};

static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Draw(BenchProgress* progress)
{
    fprintf(stderr, "\r%s, %.0f s\033[K", progress->text, Seconds() - progress->start);
    fflush(stderr);
    progress->shown = true;
}

static void* KeepDrawing(void* context)
{
    BenchProgress* progress = context;
    pthread_mutex_lock(&progress->mutex);
    while (!progress->ended)
    {
        struct timespec due;
        clock_gettime(CLOCK_REALTIME, &due);
        due.tv_nsec += PACE;
        due.tv_sec += due.tv_nsec / 1000000000;
        due.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&progress->ending, &progress->mutex, &due) == ETIMEDOUT && !progress->ended)
            Draw(progress);
    }
    pthread_mutex_unlock(&progress->mutex);
    return NULL;
}

void BeginBenchProgress(BenchProgress* progress)
{
    *progress = (BenchProgress){ .start = Seconds(), .terminal = isatty(STDERR_FILENO) == 1 };
    pthread_mutex_init(&progress->mutex, NULL);
    pthread_cond_init(&progress->ending, NULL);
    // Without a thread there is no line, and all else as it is.
    progress->terminal = progress->terminal && pthread_create(&progress->thread, NULL, KeepDrawing, progress) == 0;
}

void TellBenchProgress(BenchProgress* progress, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&progress->mutex);
    vsnprintf(progress->text, sizeof(progress->text), format, arguments);
    pthread_mutex_unlock(&progress->mutex);
    va_end(arguments);
}

void HideBenchProgress(BenchProgress* progress)
{
    pthread_mutex_lock(&progress->mutex);
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

void ShowBenchProgress(BenchProgress* progress)
{
    pthread_mutex_unlock(&progress->mutex);
}

void EndBenchProgress(BenchProgress* progress)
{
    HideBenchProgress(progress);
    progress->ended = true;
    pthread_cond_signal(&progress->ending);
    ShowBenchProgress(progress);
    if (progress->terminal)
        pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->ending);
    pthread_mutex_destroy(&progress->mutex);
}
