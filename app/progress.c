// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include "interrupt.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 0.5, PACE = 0.1; // s before the line comes, and between its changes

static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void BeginProgress(ProgressLine* line)
{
    double now = Seconds();
    *line = (ProgressLine){ .start = now, .next = now + PATIENCE, .terminal = isatty(STDERR_FILENO) == 1 };
}

bool ShowProgress(void* context, const char* stage, double fraction)
{
    ProgressLine* line = context;
    double now = line->terminal ? Seconds() : 0.0;
    if (line->terminal && fraction >= 0.0 && now >= line->next)
    {
        fprintf(stderr, "\r%s %.0f %%, %.0f s\033[K", stage, 100.0 * fraction, now - line->start);
        fflush(stderr);
        line->shown = true;
        line->next = now + PACE;
    }
    return InterruptSignal() == 0;
}

void PrintWarning(void* context, qvLogLevel level, const char* line)
{
    if (level != qv_logWarning)
        return;
    EndProgress(context);
    fprintf(stderr, "quaver: warning: %s\n", line);
}

void EndProgress(ProgressLine* line)
{
    if (line->shown)
        fputs("\r\033[K", stderr);
    line->shown = false;
}
