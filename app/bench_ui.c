// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench ui: frame times of a session that a script plays without a display.
#include "bench_ui.h"

#include <stddef.h>

#ifdef QUAVER_UI

#include "ui/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_FRAMES = 20000
};

// Poses, scrubs, drags a slider and a key, plays, orbits: what a user does all the time.
static const char session[] = "size 1600 900\nclick Flour sack\nkey Shift+Right\nmove Viewport\nkey G\n"
                              "move 700 300\npress left\nmove 720 300\nmove 740 295\nmove 760 290\nmove 780 285\n"
                              "move 800 280\nmove 820 275\nrelease left\nmove Wobble\ndrag left 60 0\n"
                              "move Settle\ndrag left 60 0\nmove Tracks\nkey Shift+Left\nkey Space\nwait 60\n"
                              "key Space\nmove Viewport\ndrag middle 200 20\nclick Graph\nwait 5\nclick Timeline\n"
                              "key Ctrl+Z\nkey Ctrl+Z\nmove Tracks\nwait 30\nquit\n";

static int Compare(const void* a, const void* b)
{
    double d = *(const double*)a - *(const double*)b;
    return d < 0.0 ? -1 : d > 0.0;
}

static void AddPercentiles(qvBenchSink* sink, const char* name, double* values, int count)
{
    static const int percents[] = { 50, 95, 99 };
    qsort(values, (size_t)count, sizeof(*values), Compare);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
    {
        char text[64];
        snprintf(text, sizeof(text), "ui/%s/p%d", name, percents[i]);
        qvBench_Add(sink, text, 1e3 * values[(count - 1) * percents[i] / 100], "ms", 0.0);
    }
}

static qvResult Play(qvuiFrameTimes* times, qvError* error)
{
    char path[] = "/tmp/quaver_bench_XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, session, strlen(session)) != (ssize_t)strlen(session))
        return qvError_Set(error, qv_ioFailed, "%s: cannot write the session of the benchmark", path);
    close(file);
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    qvuiWindowDef def = qvuiDefaultWindowDef();
    def.script = path;
    def.scale = 1.0;
    def.times = times;
    qvResult result = qvuiRunWindow(&def, error);
    unlink(path);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvuiFrameTimes times = { .capacity = MAX_FRAMES };
    times.interface = calloc(MAX_FRAMES, sizeof(double));
    times.total = calloc(MAX_FRAMES, sizeof(double));
    qvResult result = qv_ok;
    if (times.interface == NULL || times.total == NULL)
        result = qvError_OutOfMemory(error, 2.0 * MAX_FRAMES * sizeof(double));
    if (result == qv_ok)
        result = Play(&times, error);
    if (result == qv_ok && times.count > 0)
    {
        qvBench_Add(sink, "ui/start", times.start, "s", 0.0);
        AddPercentiles(sink, "interface", times.interface, times.count);
        AddPercentiles(sink, "frame", times.total, times.count);
        qvBench_Add(sink, "ui/memory", qvBench_PeakMemory(), "MB", 0.0);
    }
    free(times.interface);
    free(times.total);
    return result;
}

static const qvBench bench = { "ui", "frame times of a scripted session in the window, without a display", Run, NULL,
                               NULL };
const qvBench* const benchUi = &bench;

#else

const qvBench* const benchUi = NULL;

#endif
