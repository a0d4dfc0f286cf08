// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include "interrupt.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 0.5; // s before the line comes
static const double PACE = 0.1;     // s between its changes
static const double BEAT = 1.0;     // s between lines where there is no terminal

static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void BeginProgress(ProgressLine* line)
{
    double now = Seconds();
    *line = (ProgressLine){ .start = now, .next = now + PATIENCE, .terminal = isatty(STDERR_FILENO) == 1, .to = 1.0 };
}

void SetShare(ProgressLine* line, double from, double to)
{
    line->from = from, line->to = to;
}

static void ShowOnTerminal(ProgressLine* line, const char* stage, double fraction, double now)
{
    fprintf(stderr, "\r%s %.0f %%, %.0f s\033[K", stage, 100.0 * fraction, now - line->start);
    fflush(stderr);
    line->shown = true;
    line->next = now + PACE;
}

// Stages begin anew, the whole does not.
static void ShowShare(ProgressLine* line, double fraction, double now)
{
    double share = line->from + (line->to - line->from) * fmin(fraction, 1.0);
    line->reached = fmax(line->reached, share);
    if (now < line->next)
        return;
    fprintf(stderr, "Progress: %d%%\n", (int)(100.0 * line->reached));
    line->next = now + BEAT;
}

bool ShowProgress(void* context, const char* stage, double fraction)
{
    ProgressLine* line = context;
    double now = Seconds();
    if (fraction >= 0.0 && !line->terminal)
        ShowShare(line, fraction, now);
    else if (fraction >= 0.0 && now >= line->next)
        ShowOnTerminal(line, stage, fraction, now);
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
