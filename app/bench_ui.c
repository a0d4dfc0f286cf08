// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench ui: frame times of sessions that scripts play without a display, how soon a drag shows in the motion,
// and memory.
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

static const double DISPLAY_PACE = 1.0 / 60.0;

// Poses, scrubs, drags a slider and a key, plays, orbits: what a user does all the time.
static const char session[] = "size 1600 900\nclick Flour sack\nkey Shift+Right\nmove Viewport\nkey G\n"
                              "move 700 300\npress left\nmove 720 300\nmove 740 295\nmove 760 290\nmove 780 285\n"
                              "move 800 280\nmove 820 275\nrelease left\nmove Wobble\ndrag left 60 0\n"
                              "move Settle\ndrag left 60 0\nmove Tracks\nkey Shift+Left\nkey Space\nwait 60\n"
                              "key Space\nmove Viewport\ndrag middle 200 20\nclick Graph\nwait 5\nclick Timeline\n"
                              "key Ctrl+Z\nkey Ctrl+Z\nmove Tracks\nwait 30\nquit\n";

// A sack that dances through five keys, as the demo does.
static const char sack[] =
    "{\"quaver\": 1, \"range\": [0, 2], \"loop\": true, \"mesh\": {\"primitive\": \"sack\", \"resolution\": 18},"
    "\"keys\": [{\"id\": \"a\", \"time\": 0, \"strokes\": [{\"brush\": \"pinch\", \"at\": [0, 0, 0], \"axis\": [0, 1, "
    "0], \"amount\": -0.2, \"radius\": 2.5}]}, {\"id\": \"b\", \"time\": 0.5, \"strokes\": [{\"brush\": \"grab\", "
    "\"at\": [0, 1.75, 0], \"drag\": [0.75, -0.16, 0], \"radius\": 0.9}]}, {\"id\": \"c\", \"time\": 1},"
    "{\"id\": \"d\", \"time\": 1.5, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.75, 0], \"drag\": [-0.75, -0.16, "
    "0], \"radius\": 0.9}]}]}";

static const char sliderSession[] = "size 1600 900\nopen %s\nmove Wobble\ndrag left 60 0 40\ndrag left -40 0 40\n"
                                    "quit\n";
static const char keySession[] = "size 1600 900\nopen %s\nmove Key b\ndrag left 120 0 40\nmove Key b\n"
                                 "drag left -150 0 40\nquit\n";

// The demo with 28,000 vertices, up to a state that is at rest.
typedef struct State
{
    const char *name, *session;
} State;

#define OPEN_FINE "size 1600 900\nclick Rain on a pond\nwait 90\n"
#define POSE                                                                                                     \
    "key Shift+Left\nmove Viewport\nkey G\nmove 600 400\npress left\nmove 620 390\nmove 640 380\nmove 660 370\n" \
    "release left\nwait 90\n"

static const State states[] = {
    { "open", OPEN_FINE "quit\n" },
    { "playing", OPEN_FINE "key Space\nwait 90\nquit\n" },
    { "posed", OPEN_FINE POSE "quit\n" },
    { "undone", OPEN_FINE POSE "key Ctrl+Z\nwait 90\nquit\n" },
    { "graph", OPEN_FINE "click Graph\nwait 90\nquit\n" },
    { "exported", OPEN_FINE "save %s\naction file.export\nwait 5\nclick Export\nwait 5\nclick Close\nwait 90\nquit\n" },
    { "switched", OPEN_FINE "open %s\nwait 90\nquit\n" },
};

// A grab on 100,000 vertices.
static const char fine[] = "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 100}, \"material\": "
                           "{\"modes\": 1}, \"keys\": [{\"time\": 0}]}";
static const char strokeSession[] = "size 1600 900\nopen %s\nkey G\nmove 640 300\ndrag left 120 -60 40\nquit\n";

static int Compare(const void* a, const void* b)
{
    double d = *(const double*)a - *(const double*)b;
    return d < 0.0 ? -1 : d > 0.0;
}

static int CompareInts(const void* a, const void* b)
{
    return *(const int*)a - *(const int*)b;
}

static double Percentile(const double* values, int count, int percent)
{
    return 1e3 * values[(count - 1) * percent / 100];
}

// Beside the same of other values, which the baseline is.
static void AddPercentiles(qvBenchSink* sink, const char* name, const double* values, int count, const double* baseline,
                           int baselineCount)
{
    static const int percents[] = { 50, 95, 99, 100 };
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
    {
        char text[64], part[8] = "max";
        if (percents[i] < 100)
            snprintf(part, sizeof(part), "p%d", percents[i]);
        snprintf(text, sizeof(text), "ui/%s/%s", name, part);
        qvBench_Add(sink, text, Percentile(values, count, percents[i]), "ms",
                    baseline != NULL ? Percentile(baseline, baselineCount, percents[i]) : 0.0);
    }
}

static qvResult WriteTemporary(char* path, int endingLength, const char* text, qvError* error)
{
    int file = mkstemps(path, endingLength);
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written ? qv_ok : qvError_Set(error, qv_ioFailed, "%s: cannot write what the benchmark plays", path);
}

// Plays a session on a scene, whose path stands for its %s.
static qvResult Play(const char* text, const char* scene, qvuiFrameTimes* times, qvError* error)
{
    char path[] = "/tmp/quaver_bench_XXXXXX", scenePath[] = "/tmp/quaver_scene_XXXXXX.json", script[4096];
    qvResult result = WriteTemporary(scenePath, 5, scene, error);
    const char* name = strstr(text, "%s");
    int before = name != NULL ? (int)(name - text) : (int)strlen(text);
    snprintf(script, sizeof(script), "%.*s%s%s", before, text, name != NULL ? scenePath : "",
             name != NULL ? name + 2 : "");
    if (result == qv_ok)
        result = WriteTemporary(path, 0, script, error);
    if (result == qv_ok)
    {
        setenv("SDL_VIDEODRIVER", "offscreen", 1);
        qvuiWindowDef def = qvuiDefaultWindowDef();
        def.script = path;
        def.scale = 1.0;
        def.times = times;
        times->count = times->delayCount = 0;
        times->start = 0.0;
        result = qvuiRunWindow(&def, error);
    }
    unlink(path);
    unlink(scenePath);
    strcpy(strrchr(scenePath, '.'), ".glb"); // where a session exported it
    unlink(scenePath);
    return result;
}

static void Sort(qvuiFrameTimes* times)
{
    qsort(times->interface, (size_t)times->count, sizeof(double), Compare);
    qsort(times->total, (size_t)times->count, sizeof(double), Compare);
}

// Plays a session as it is, and once more with everything drawn in every frame, for the baseline.
static qvResult PlayTwice(const char* text, const char* scene, qvuiFrameTimes* times, qvuiFrameTimes* thorough,
                          qvError* error)
{
    qvResult result = Play(text, scene, times, error);
    thorough->thorough = true;
    thorough->strokesOnly = times->strokesOnly;
    if (result == qv_ok)
        result = Play(text, scene, thorough, error);
    if (result == qv_ok && (times->count == 0 || thorough->count == 0))
        result = qvError_Set(error, qv_notFound, "the session has no frame that counts");
    Sort(times);
    Sort(thorough);
    return result;
}

static qvResult RunDay(qvBenchSink* sink, qvuiFrameTimes* times, qvuiFrameTimes* thorough, qvError* error)
{
    qvBench_ForgetPeakMemory();
    qvResult result = PlayTwice(session, "", times, thorough, error);
    if (result != qv_ok)
        return result;
    qvBench_Add(sink, "ui/start", times->start, "s", 0.0);
    AddPercentiles(sink, "interface", times->interface, times->count, thorough->interface, thorough->count);
    AddPercentiles(sink, "frame", times->total, times->count, thorough->total, thorough->count);
    qvBench_Add(sink, "ui/memory", qvBench_PeakMemory(), "MB", 0.0);
    return qv_ok;
}

// Whole frames while a stroke drags.
static qvResult RunStroke(qvBenchSink* sink, qvuiFrameTimes* times, qvuiFrameTimes* thorough, qvError* error)
{
    times->strokesOnly = true;
    qvResult result = PlayTwice(strokeSession, fine, times, thorough, error);
    times->strokesOnly = false;
    if (result == qv_ok)
        AddPercentiles(sink, "100k/stroke", times->total, times->count, thorough->total, thorough->count);
    return result;
}

// Frames at the pace of a display, from a movement of the mouse to the motion that it made.
static qvResult RunDrag(qvBenchSink* sink, const char* name, const char* text, qvuiFrameTimes* times, qvError* error)
{
    times->pace = DISPLAY_PACE;
    qvResult result = Play(text, sack, times, error);
    times->pace = 0.0;
    if (result != qv_ok || times->delayCount == 0)
        return result;
    char row[64];
    qsort(times->delays, (size_t)times->delayCount, sizeof(int), CompareInts);
    snprintf(row, sizeof(row), "ui/%s/median", name);
    qvBench_Add(sink, row, times->delays[times->delayCount / 2], "frames", 0.0);
    snprintf(row, sizeof(row), "ui/%s/worst", name);
    qvBench_Add(sink, row, times->delays[times->delayCount - 1], "frames", 0.0);
    return qv_ok;
}

// What is resident in the last frame of each state, and the most there is on the way, nearly all of it for preparing
// the motion or the export.
static qvResult RunLarge(qvBenchSink* sink, qvuiFrameTimes* times, qvError* error)
{
    qvResult result = qv_ok;
    times->gauge = qvBench_ResidentMemory;
    times->pace = DISPLAY_PACE;
    for (size_t i = 0; result == qv_ok && i < sizeof(states) / sizeof(states[0]); i++)
    {
        char row[64];
        qvBench_ForgetPeakMemory();
        result = Play(states[i].session, sack, times, error);
        if (result != qv_ok)
            break;
        snprintf(row, sizeof(row), "ui/28k/%s", states[i].name);
        qvBench_Add(sink, row, times->gauged, "MB", 0.0);
        snprintf(row, sizeof(row), "ui/28k/%s/peak", states[i].name);
        qvBench_Add(sink, row, qvBench_PeakMemory(), "MB", 0.0);
    }
    times->gauge = NULL;
    times->pace = 0.0;
    return result;
}

static bool Allocate(qvuiFrameTimes* times)
{
    *times = (qvuiFrameTimes){ .capacity = MAX_FRAMES };
    times->interface = calloc(MAX_FRAMES, sizeof(double));
    times->total = calloc(MAX_FRAMES, sizeof(double));
    times->delays = calloc(MAX_FRAMES, sizeof(int));
    return times->interface != NULL && times->total != NULL && times->delays != NULL;
}

static void Free(qvuiFrameTimes* times)
{
    free(times->interface);
    free(times->total);
    free(times->delays);
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvuiFrameTimes times, thorough;
    bool allocated = Allocate(&times);
    allocated = Allocate(&thorough) && allocated;
    qvResult result = allocated ? qv_ok : qvError_OutOfMemory(error, 6.0 * MAX_FRAMES * sizeof(double));
    if (result == qv_ok)
        result = RunDay(sink, &times, &thorough, error);
    if (result == qv_ok)
        result = RunDrag(sink, "slider", sliderSession, &times, error);
    if (result == qv_ok)
        result = RunDrag(sink, "key", keySession, &times, error);
    if (result == qv_ok)
        result = RunLarge(sink, &times, error);
    if (result == qv_ok)
        result = RunStroke(sink, &times, &thorough, error);
    Free(&times);
    Free(&thorough);
    return result;
}

static const qvBench bench = { "ui", "frames, drags and memory of scripted sessions in the window, without a display",
                               Run, NULL, NULL };
const qvBench* const benchUi = &bench;

#else

const qvBench* const benchUi = NULL;

#endif
