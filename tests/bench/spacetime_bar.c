// SPDX-License-Identifier: GPL-3.0-or-later
// Ghosts are keys that hold nothing: partial ones of a single point with weight 0. The motion is linearized there about
// the pose that it passes anyway, with the modes of the shape that the bar should have at that time.
#include "spacetime_bar.h"

#include "bar.h"
#include "quaver/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    GHOSTS = 3,
    SAMPLES = 60,
    POINTS = qv_barRings * qv_barSides + 2
};

typedef struct Bar
{
    qvMesh* mesh;
    qvTopology* topology;
    double rest[3 * POINTS], end[3 * POINTS], ghosts[GHOSTS][3 * POINTS];
    double area;
    bool held; // by the first ring
    qvMotionSpace* space;
    qvMotion* motion;
    void* scratch;
} Bar;

typedef struct Stretch
{
    double length, area, girth; // largest on the way, of 1
} Stretch;

static void Release(Bar* bar)
{
    qvDestroyMotion(bar->motion);
    qvDestroyMotionSpace(bar->space);
    free(bar->scratch);
    bar->motion = NULL, bar->space = NULL, bar->scratch = NULL;
}

// A motion in one second from the rest shape to the end, past some ghosts.
static qvResult Move(Bar* bar, int ghosts, bool warp, qvError* error)
{
    static const int32_t middle = qv_barSides * (qv_barRings / 2), ring[qv_barSides] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    double targets[GHOSTS][3];
    qvMotionPose poses[GHOSTS + 2] = { { .points = bar->rest } };
    qvMotionKey keys[GHOSTS + 2];
    for (int k = 0; k < ghosts + 2; k++)
    {
        keys[k] = qvDefaultMotionKey();
        keys[k].pose = k, keys[k].time = (double)k / (ghosts + 1);
        if (k == 0 || k == ghosts + 1)
            continue;
        poses[k].points = bar->ghosts[k - 1];
        for (int c = 0; c < 3; c++)
            targets[k - 1][c] = bar->ghosts[k - 1][3 * middle + c];
        keys[k].only = &middle, keys[k].onlyCount = 1, keys[k].targets = targets[k - 1], keys[k].weight = 0.0;
    }
    poses[ghosts + 1].points = bar->end;
    Release(bar);
    qvMotionSpaceDef spaceDef = qvDefaultMotionSpaceDef();
    spaceDef.topology = bar->topology, spaceDef.rest = bar->rest;
    spaceDef.poses = poses, spaceDef.poseCount = ghosts + 2;
    spaceDef.pins = ring, spaceDef.pinCount = bar->held ? qv_barSides : 0;
    qvResult result = qvCreateMotionSpace(&spaceDef, NULL, NULL, &bar->space, error);
    if (result != qv_ok)
        return result;
    qvMotionDef def = qvDefaultMotionDef();
    def.keys = keys, def.keyCount = ghosts + 2, def.warp = warp;
    result = qvCreateMotion(&def, bar->space, NULL, &bar->motion, error);
    if (result != qv_ok)
        return result;
    bar->scratch = malloc(qvMotion_ScratchSize(bar->motion));
    return bar->scratch != NULL ? qv_ok : qvError_OutOfMemory(error, (double)qvMotion_ScratchSize(bar->motion));
}

static Stretch Measure(const Bar* bar)
{
    Stretch worst = { 0.0, 0.0, 0.0 };
    double points[3 * POINTS];
    for (int i = 0; i <= SAMPLES; i++)
    {
        qvMotion_Evaluate(bar->motion, (double)i / SAMPLES, bar->scratch, points, NULL, NULL);
        worst.length = fmax(worst.length, fabs(qvBar_Length(points) / qv_barLength - 1.0));
        worst.area = fmax(worst.area, fabs(qvBar_Area(bar->topology, points) / bar->area - 1.0));
        worst.girth = fmax(worst.girth, fabs(qvBar_Girth(points) - 1.0));
    }
    return worst;
}

static void Add(qvBenchSink* sink, const Bar* bar, const char* name, const char* kind, bool twist)
{
    Stretch worst = Measure(bar);
    const char* const tags[3] = { "length", "area", "girth" };
    const double values[3] = { worst.length, worst.area, worst.girth };
    for (int i = twist ? 2 : 0; i < (twist ? 3 : 2); i++)
    {
        char text[96];
        snprintf(text, sizeof(text), "%s%s/%s/%s", name, bar->held ? "-held" : "", kind, tags[i]);
        qvBench_Add(sink, text, 100.0 * values[i], "%", 0.0);
    }
}

static qvResult BenchTurn(qvBenchSink* sink, Bar* bar, const char* name, double bend, double twist, qvError* error)
{
    qvBar_Bend(bar->rest, POINTS, bend, twist, bar->end);
    qvResult result = Move(bar, 0, false, error);
    if (result != qv_ok)
        return result;
    Add(sink, bar, name, "plain", twist != 0.0);
    for (int k = 0; k < GHOSTS; k++)
    {
        double t = (k + 1.0) / (GHOSTS + 1), part = 0.5 * t * t * (3.0 - t); // of the cubic spline
        qvBar_Bend(bar->rest, POINTS, part * bend, part * twist, bar->ghosts[k]);
    }
    result = Move(bar, GHOSTS, false, error);
    if (result != qv_ok)
        return result;
    Add(sink, bar, name, "ghosts", twist != 0.0);
    result = Move(bar, 0, true, error);
    if (result == qv_ok)
        Add(sink, bar, name, "warped", twist != 0.0);
    return result;
}

qvResult qvBenchBar(qvBenchSink* sink, qvError* error)
{
    const double pi = 3.14159265358979323846;
    Bar* bar = calloc(1, sizeof(*bar));
    if (bar == NULL)
        return qvError_OutOfMemory(error, sizeof(*bar));
    qvResult result = qvCreateBar(&bar->mesh, error);
    if (result == qv_ok)
        result = qvCreateTopology(bar->mesh, &bar->topology, error);
    for (int i = 0; result == qv_ok && i < 3 * POINTS; i++)
        bar->rest[i] = (double)(&bar->mesh->positions[bar->mesh->pointVertex[i / 3]].x)[i % 3];
    for (int held = 0; result == qv_ok && held < 2; held++)
    {
        bar->area = qvBar_Area(bar->topology, bar->rest), bar->held = held == 1;
        result = BenchTurn(sink, bar, "bend-120", 2.0 * pi / 3.0, 0.0, error);
        if (result == qv_ok)
            result = BenchTurn(sink, bar, "twist-180", 0.0, pi, error);
    }
    Release(bar);
    qvDestroyTopology(bar->topology);
    qvDestroyMesh(bar->mesh);
    free(bar);
    return result;
}
