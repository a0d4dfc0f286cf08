// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bench ui: frame times of sessions that scripts play without a display, how soon a drag shows in the motion,
// and memory. What the program keeps on disk lies in a folder of its own meanwhile, empty at first, so that the figures
// do not depend on what was opened before.
#include "bench_ui.h"

#include <stddef.h>

#ifdef QUAVER_UI

#include "bench_place.h"
#include "quaver/document.h"
#include "quaver/take.h"
#include "ui/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_FRAMES = 20000,
    MAX_PATH = 256,
    MOVES = 200 // of the mouse in a measured drag of a key
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

static const char emptySession[] = "size 1600 900\nwait 60\nquit\n";

// The demo with 28,000 vertices, up to a state that is at rest. It is opened without modes on disk, then with.
typedef struct State
{
    const char *name, *session;
} State;

#define OPEN_FINE "size 1600 900\nclick Rain on a pond\nwait 90\n"
#define POSE                                                                                                     \
    "key Shift+Left\nmove Viewport\nkey G\nmove 600 400\npress left\nmove 620 390\nmove 640 380\nmove 660 370\n" \
    "release left\nwait 90\n"

static const State states[] = {
    { "first-open", OPEN_FINE "quit\n" },
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
        snprintf(text, sizeof(text), "%s/%s", name, part);
        qvBench_Add(sink, text, Percentile(values, count, percents[i]), "ms",
                    baseline != NULL ? Percentile(baseline, baselineCount, percents[i]) : 0.0);
    }
}

// --- Playing --------------------------------------------------------------------------------------------------------

// Where everything lies that is written meanwhile.
typedef struct Player
{
    qvBenchSink* sink;
    qvError* error;
    char folder[MAX_PATH];
    char* cache; // what XDG_CACHE_HOME was, or NULL
    qvuiFrameTimes times, thorough;
} Player;

static qvResult WriteText(const char* path, const char* text, qvError* error)
{
    FILE* file = fopen(path, "w");
    bool written = file != NULL && fputs(text, file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written ? qv_ok : qvError_Set(error, qv_ioFailed, "%s: cannot write what the benchmark plays", path);
}

// Plays a session on a scene, whose path stands for its %s.
static qvResult Play(Player* player, const char* text, const char* scene, qvuiFrameTimes* times)
{
    char path[MAX_PATH + 16], scenePath[MAX_PATH + 16], script[4096];
    snprintf(path, sizeof(path), "%s/script", player->folder);
    snprintf(scenePath, sizeof(scenePath), "%s/scene.json", player->folder);
    const char* name = strstr(text, "%s");
    int before = name != NULL ? (int)(name - text) : (int)strlen(text);
    snprintf(script, sizeof(script), "%.*s%s%s", before, text, name != NULL ? scenePath : "",
             name != NULL ? name + 2 : "");
    qvResult result = WriteText(scenePath, scene, player->error);
    if (result == qv_ok)
        result = WriteText(path, script, player->error);
    if (result != qv_ok)
        return result;
    qvuiWindowDef def = qvuiDefaultWindowDef();
    def.script = path;
    def.scale = 1.0;
    def.times = times;
    times->count = times->delayCount = 0;
    times->start = 0.0;
    return qvuiRunWindow(&def, player->error);
}

static void Sort(qvuiFrameTimes* times)
{
    qsort(times->interface, (size_t)times->count, sizeof(double), Compare);
    qsort(times->total, (size_t)times->count, sizeof(double), Compare);
}

// Plays a session as it is, and once more with everything drawn in every frame, for the baseline.
static qvResult PlayTwice(Player* player, const char* text, const char* scene)
{
    qvuiFrameTimes *times = &player->times, *thorough = &player->thorough;
    qvResult result = Play(player, text, scene, times);
    thorough->thorough = true;
    thorough->strokesOnly = times->strokesOnly;
    if (result == qv_ok)
        result = Play(player, text, scene, thorough);
    if (result == qv_ok && (times->count == 0 || thorough->count == 0))
        result = qvError_Set(player->error, qv_notFound, "the session has no frame that counts");
    Sort(times);
    Sort(thorough);
    return result;
}

// --- Figures --------------------------------------------------------------------------------------------------------

// The window with the welcome screen: what every scene adds to.
static qvResult RunEmpty(Player* player)
{
    player->times.gauge = qvBench_ResidentMemory;
    qvResult result = Play(player, emptySession, "", &player->times);
    double start = player->times.start, resident = player->times.gauged;
    player->times.gauge = qvBench_FileMemory;
    if (result == qv_ok)
        result = Play(player, emptySession, "", &player->times);
    player->times.gauge = NULL;
    if (result != qv_ok)
        return result;
    qvBench_Add(player->sink, "start", start, "s", 0.0);
    qvBench_Add(player->sink, "empty", resident, "MB", 0.0);
    qvBench_Add(player->sink, "empty/libraries", player->times.gauged, "MB", 0.0);
    return qv_ok;
}

static qvResult RunDay(Player* player)
{
    qvBench_ForgetPeakMemory();
    qvResult result = Play(player, session, "", &player->times); // so that its modes are on disk
    double peak = qvBench_PeakMemory();
    if (result == qv_ok)
        result = PlayTwice(player, session, "");
    if (result != qv_ok)
        return result;
    const qvuiFrameTimes *times = &player->times, *thorough = &player->thorough;
    AddPercentiles(player->sink, "interface", times->interface, times->count, thorough->interface, thorough->count);
    AddPercentiles(player->sink, "frame", times->total, times->count, thorough->total, thorough->count);
    qvBench_Add(player->sink, "memory", peak, "MB", 0.0);
    return qv_ok;
}

// Solves a scene, so that its modes are on disk: sessions wait a minute at most.
static qvResult PrepareModes(Player* player, const char* text)
{
    const qvScene* scene = NULL;
    qvPipeline* pipeline = NULL;
    qvTake* take = NULL;
    qvPool* pool = NULL;
    char cache[MAX_PATH + 16];
    qvPipelineDef def = qvDefaultPipelineDef();
    if (qvCacheFolder(cache, sizeof(cache)))
        def.cacheFolder = cache;
    qvResult result = qvParseScene(text, strlen(text), "bench", &scene, player->error);
    if (result == qv_ok)
        result = qvCreatePool(0, &pool, player->error);
    if (result == qv_ok)
        result = qvCreatePipeline(&def, &pipeline, player->error);
    if (result == qv_ok)
        result = qvPipeline_Solve(pipeline, scene, "", &(qvJob){ .pool = pool }, &take, player->error);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
    qvDestroyPool(pool);
    qvReleaseScene(scene);
    return result;
}

// Whole frames while a stroke drags.
static qvResult RunStroke(Player* player)
{
    player->times.strokesOnly = true;
    qvResult result = PrepareModes(player, fine);
    if (result == qv_ok)
        result = PlayTwice(player, strokeSession, fine);
    player->times.strokesOnly = false;
    if (result == qv_ok)
        AddPercentiles(player->sink, "100k/stroke", player->times.total, player->times.count, player->thorough.total,
                       player->thorough.count);
    return result;
}

// Frames at the pace of a display, from a movement of the mouse to the motion that it made.
static qvResult RunDrag(Player* player, const char* name, const char* text)
{
    qvuiFrameTimes* times = &player->times;
    times->pace = DISPLAY_PACE;
    qvResult result = Play(player, text, sack, times);
    times->pace = 0.0;
    if (result != qv_ok || times->delayCount == 0)
        return result;
    char row[64];
    qsort(times->delays, (size_t)times->delayCount, sizeof(int), CompareInts);
    snprintf(row, sizeof(row), "%s/median", name);
    qvBench_Add(player->sink, row, times->delays[times->delayCount / 2], "frames", 0.0);
    snprintf(row, sizeof(row), "%s/worst", name);
    qvBench_Add(player->sink, row, times->delays[times->delayCount - 1], "frames", 0.0);
    return qv_ok;
}

// A key that goes to and fro; every movement becomes part of one step, and a line of the journal.
static void MoveKey(void* context)
{
    qvDocument* document = context;
    qvRef key = { qv_objectKey, qvDocument_Scene(document)->keys[1]->id };
    qvDocument_Begin(document, "Move in time", 1);
    for (int i = 0; i < MOVES; i++)
    {
        double time = 0.5 + 0.001 * (i % 7);
        qvError ignored;
        if (qvDocument_SetTimes(document, &key, &time, 1, &ignored) != qv_ok)
            break;
    }
    qvDocument_End(document);
}

// What the document does for one movement, without the motion and the screen.
static qvResult RunDocument(Player* player)
{
    const qvScene* scene;
    qvDocument* document;
    qvResult result = qvParseScene(sack, strlen(sack), "sack", &scene, player->error);
    if (result != qv_ok)
        return result;
    result = qvCreateDocument(scene, &document, player->error);
    qvReleaseScene(scene);
    if (result != qv_ok)
        return result;
    result = qvDocument_StartJournal(document, player->folder, player->error);
    if (result == qv_ok)
        qvBench_Add(player->sink, "key/document", 1e3 / MOVES * qvBench_Time(MoveKey, document, 20), "ms", 0.0);
    qvCloseDocument(document);
    return result;
}

static qvResult RunDrags(Player* player)
{
    qvResult result = RunDocument(player);
    if (result == qv_ok)
        result = RunDrag(player, "slider", sliderSession);
    return result == qv_ok ? RunDrag(player, "key", keySession) : result;
}

// What is resident in the last frame of each state, and the most there is on the way, nearly all of it for preparing
// the motion or the export.
static qvResult RunLarge(Player* player)
{
    qvResult result = qv_ok;
    int count = (int)(sizeof(states) / sizeof(states[0]));
    player->times.gauge = qvBench_ResidentMemory;
    player->times.pace = DISPLAY_PACE;
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        char row[64];
        qvBench_Tell(player->sink, "memory of 28k vertices", i, count);
        qvBench_ForgetPeakMemory();
        result = Play(player, states[i].session, sack, &player->times);
        if (result != qv_ok)
            break;
        snprintf(row, sizeof(row), "28k/%s", states[i].name);
        qvBench_Add(player->sink, row, player->times.gauged, "MB", 0.0);
        snprintf(row, sizeof(row), "28k/%s/peak", states[i].name);
        qvBench_Add(player->sink, row, qvBench_PeakMemory(), "MB", 0.0);
    }
    player->times.gauge = NULL;
    player->times.pace = 0.0;
    return result;
}

// --- Everything -----------------------------------------------------------------------------------------------------

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

static char* CopyVariable(const char* name)
{
    const char* value = getenv(name);
    return value != NULL ? strdup(value) : NULL;
}

static void RestoreVariable(const char* name, char* value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
    free(value);
}

static qvResult MakePlace(Player* player)
{
    const char* base = getenv("TMPDIR");
    snprintf(player->folder, sizeof(player->folder), "%s/quaver_bench_XXXXXX",
             base != NULL && base[0] == '/' && strlen(base) < MAX_PATH / 2 ? base : "/tmp");
    player->cache = CopyVariable("XDG_CACHE_HOME");
    if (mkdtemp(player->folder) == NULL)
    {
        free(player->cache);
        return qvError_Set(player->error, qv_ioFailed, "%s: cannot make a folder for the benchmark", player->folder);
    }
    setenv("XDG_CACHE_HOME", player->folder, 1);
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    return qv_ok;
}

static void RemovePlace(Player* player)
{
    RestoreVariable("XDG_CACHE_HOME", player->cache);
    RemoveFolder(player->folder);
}

static qvResult RunSessions(Player* player)
{
    static const struct
    {
        const char* what;
        qvResult (*run)(Player* player);
    } parts[] = { { "start", RunEmpty },
                  { "frames of a session", RunDay },
                  { "drags", RunDrags },
                  { "memory", RunLarge },
                  { "strokes", RunStroke } };
    qvResult result = qv_ok;
    int count = (int)(sizeof(parts) / sizeof(parts[0]));
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        qvBench_Tell(player->sink, parts[i].what, i, count);
        result = parts[i].run(player);
    }
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Player player = { .sink = sink, .error = error };
    bool allocated = Allocate(&player.times);
    allocated = Allocate(&player.thorough) && allocated;
    qvResult result = allocated ? MakePlace(&player) : qvError_OutOfMemory(error, 6.0 * MAX_FRAMES * sizeof(double));
    if (result == qv_ok)
    {
        result = RunSessions(&player);
        RemovePlace(&player);
    }
    Free(&player.times);
    Free(&player.thorough);
    return result;
}

static const qvBench bench = {
    "ui", "frames, drags and memory of scripted sessions in the window, without a display", Run,
    "for interface, frame and stroke the same session with everything drawn anew in every frame, also what cannot be "
    "seen; nothing for start, drags and memory",
    "in the interface with what has changed on the screen; in a whole frame also with the vertices; in memory with the "
    "vertices, most while poses are prepared"
};
const qvBench* const benchUi = &bench;

#else

const qvBench* const benchUi = NULL;

#endif
