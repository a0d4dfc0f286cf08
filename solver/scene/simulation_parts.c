// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/simulation_parts.h"

#include "base/hash.h"
#include "scene/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_TIMES = qv_maxStepParts - 1,
};

// --- Until when what is the same -------------------------------------------------------------------------------------

// What a curve is until a time. Constant ends say nothing: a number is a curve that is constant everywhere.
static uint64_t HashCurve(const qvCurve* curve, double number, double until, uint64_t hash)
{
    if (curve->count == 0)
        return qvHash(&number, sizeof(number), hash);
    int count = 1;
    while (count < curve->count && curve->knots[count - 1][0] < until)
        count++;
    while (count > 1 && curve->knots[count - 1][1] == curve->knots[count - 2][1])
        count--;
    if (count == 1)
        return qvHash(&curve->knots[0][1], sizeof(double), hash);
    return qvHash(curve->knots, (size_t)count * sizeof(*curve->knots), hash);
}

// Whether it is above 0 at some time, for which engines keep more of their points, in all frames.
static bool IsEverAbove(const qvCurve* curve, double number)
{
    bool isAbove = curve->count == 0 && number > 0.0;
    for (int k = 0; k < curve->count; k++)
        isAbove = isAbove || curve->knots[k][1] > 0.0;
    return isAbove;
}

// What is held until a time. Engines tell bodies that are held at some time from those that never are.
static uint64_t HashPins(const qvScene* scene, double until, uint64_t hash)
{
    hash = qvHash_Combine(hash, scene->pinCount > 0);
    for (int i = 0; i < scene->pinCount; i++)
    {
        qvScenePin pin = *scene->pins[i];
        if (pin.from >= until)
            continue;
        pin.to = pin.to < until ? pin.to : INFINITY;
        hash = qvHash_Combine(hash, qvHashFields(qv_objectPin, &pin));
    }
    return hash;
}

// Of everything that a run depends on until so many seconds from its start.
static uint64_t HashUntil(const qvScene* scene, const qvSceneSimulation* resolved, double until, uint64_t hash)
{
    const qvSimulationDef* def = &resolved->def;
    qvSceneSimulation same = *resolved;
    same.def.until = INFINITY, same.def.hold = false, same.def.blend = 0.0; // what comes afterwards
    same.wobble = same.melt = same.dent = NULL;
    same.def.wobble = same.def.melt = same.def.dent = 0.0;
    hash = qvHashInputs(qv_objectSimulation, &same, qv_stageWaves, hash);
    hash = HashCurve(&def->wobbleCurve, def->wobble, until, hash);
    hash = HashCurve(&def->meltCurve, def->melt, until, hash);
    hash = HashCurve(&def->dentCurve, def->dent, until, hash);
    hash = qvHash_Combine(hash, IsEverAbove(&def->meltCurve, def->melt));
    hash = qvHash_Combine(hash, IsEverAbove(&def->dentCurve, def->dent));
    return HashPins(scene, def->time + until, hash);
}

// --- Times at which parts end ----------------------------------------------------------------------------------------

// From the start of the span, ascending.
typedef struct Times
{
    int count;
    double times[MOST_TIMES];
} Times;

// The latest go where there are too many.
static void AddTime(Times* times, double time)
{
    if (!(time > 0.0 && isfinite(time)))
        return;
    int at = 0;
    while (at < times->count && times->times[at] < time)
        at++;
    if (at == MOST_TIMES || (at < times->count && times->times[at] == time))
        return;
    times->count += times->count < MOST_TIMES ? 1 : 0;
    memmove(times->times + at + 1, times->times + at, (size_t)(times->count - at - 1) * sizeof(double));
    times->times[at] = time;
}

static void AddKnots(Times* times, const qvCurve* curve)
{
    for (int k = 0; k < curve->count; k++)
        AddTime(times, curve->knots[k][0]);
}

static Times FindTimes(const qvScene* scene, const qvSimulationDef* def)
{
    Times times = { 0 };
    AddKnots(&times, &def->wobbleCurve);
    AddKnots(&times, &def->meltCurve);
    AddKnots(&times, &def->dentCurve);
    for (int i = 0; i < scene->pinCount; i++)
    {
        AddTime(&times, scene->pins[i]->from - def->time);
        AddTime(&times, scene->pins[i]->to - def->time);
    }
    return times;
}

// --- Parts -----------------------------------------------------------------------------------------------------------

static void AddPart(const qvSolving* solving, int first, uint64_t key, qvSimulationParts* parts)
{
    if (parts->count > 0 && parts->parts[parts->count - 1].key == key)
        return;
    char* path = parts->paths[parts->count];
    qvStepPart* part = &parts->parts[parts->count++];
    *part = (qvStepPart){ .first = first, .key = key };
    if (solving->pipeline->disk == NULL)
        return;
    const char* folder = qvDiskCache_Folder(solving->pipeline->disk);
    int length = snprintf(path, sizeof(parts->paths[0]), "%s/%016llx.steps", folder, (unsigned long long)key);
    part->path = length < (int)sizeof(parts->paths[0]) ? path : NULL;
}

void qvFindSimulationParts(const qvSolving* solving, const qvSceneSimulation* resolved, uint64_t constant,
                           qvSimulationParts* parts)
{
    const qvSimulationDef* def = &resolved->def;
    Times times = FindTimes(solving->scene, def);
    double begin = 0.0;
    parts->count = 0;
    for (int i = 0; i <= times.count && (i == 0 || begin < def->until - def->time); i++)
    {
        double end = i < times.count ? times.times[i] : INFINITY;
        int first = i == 0 ? 0 : qvStepped_FrameAfter(begin);
        AddPart(solving, first, HashUntil(solving->scene, resolved, end, constant), parts);
        begin = end;
    }
}
