// SPDX-License-Identifier: GPL-3.0-or-later
// Drags of events from what points should do: de Goes and James, "Dynamic Kelvinlets", 2018, section 5 (pointwise
// constraints). The solve is linear; advection is not, so what a solve misses is asked for once more.
#include "quaver/waves.h"

#include "base/memory.h"
#include "kelvinlet/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROUNDS = 24
};

// The events as waves on the body at rest.
typedef struct Solve
{
    qvWaveEvent* events;
    int eventCount;
    qvWave* waves;    // ascending by start
    int* order;       // the event of each wave
    qvVec3* material; // [eventCount]
    const qvWaveTarget* targets;
    qvWaveTarget* asked;
    qvVec3* misses;
    int targetCount;
    qvWave* bestWaves; // of the best round so far
    qvVec3* bestAsked;
    qvVec3* bestMisses;
} Solve;

static void FreeSolve(Solve* solve)
{
    free(solve->waves);
    free(solve->order);
    free(solve->material);
    free(solve->asked);
    free(solve->misses);
    free(solve->bestWaves);
    free(solve->bestAsked);
    free(solve->bestMisses);
}

static qvResult Allocate(Solve* solve, qvError* error)
{
    size_t events = (size_t)solve->eventCount, targets = (size_t)solve->targetCount;
    solve->waves = qvAllocate(events, sizeof(*solve->waves));
    solve->order = qvAllocate(events, sizeof(*solve->order));
    solve->material = qvAllocate(events, sizeof(*solve->material));
    solve->asked = qvAllocate(targets, sizeof(*solve->asked));
    solve->misses = qvAllocate(targets, sizeof(*solve->misses));
    solve->bestWaves = qvAllocate(events, sizeof(*solve->bestWaves));
    solve->bestAsked = qvAllocate(targets, sizeof(*solve->bestAsked));
    solve->bestMisses = qvAllocate(targets, sizeof(*solve->bestMisses));
    if (solve->waves != NULL && solve->order != NULL && solve->material != NULL && solve->asked != NULL &&
        solve->misses != NULL && solve->bestWaves != NULL && solve->bestAsked != NULL && solve->bestMisses != NULL)
        return qv_ok;
    return qvError_OutOfMemory(error, (double)events * sizeof(qvWave));
}

static qvResult CheckEvents(const Solve* solve, qvError* error)
{
    for (int i = 0; i < solve->eventCount; i++)
    {
        const qvWaveEvent* event = &solve->events[i];
        qvResult result = qvWaveEvent_Validate(event, error);
        if (result == qv_ok && (event->def.stroke.brush->measure != offsetof(qvStroke, drag) || event->path != NULL))
            result = qvError_Set(error, qv_badInput, "shape: only single grabs can be found from targets");
        if (result != qv_ok)
        {
            qvError_Prefix(error, "event %d", i);
            return result;
        }
    }
    return qv_ok;
}

// Sorted by start, as waves have to be; by insertion, since there are few.
static void MakeWaves(Solve* solve, const qvVec3f* rest)
{
    for (int i = 0; i < solve->eventCount; i++)
    {
        int place = i;
        for (; place > 0 && solve->events[solve->order[place - 1]].def.time > solve->events[i].def.time; place--)
            solve->order[place] = solve->order[place - 1];
        solve->order[place] = i;
    }
    for (int i = 0; i < solve->eventCount; i++)
    {
        const qvWaveEvent* event = &solve->events[solve->order[i]];
        qvWave* wave = &solve->waves[i];
        *wave = (qvWave){ .load = qvDefaultKelvinlet(), .start = event->def.time };
        wave->load.time = event->def.push ? qv_kelvinletPush : qv_kelvinletImpulse;
        wave->load.center = event->def.vertex >= 0 ? qvVec3_FromFloat(rest[event->def.vertex]) : event->def.stroke.at;
        wave->load.poisson = event->def.stroke.poisson;
        wave->load.fade = event->def.fade;
        qvKelvinlet_SetRadius(&wave->load, event->def.stroke.radius, event->def.stroke.scales);
        qvKelvinlet_SetSpeed(&wave->load, event->def.speed);
    }
}

// What the waves miss at every target, advected. Returns the largest.
static qvResult FindMisses(Solve* solve, double* largest, qvError* error)
{
    qvAdvection options = qvDefaultAdvection();
    options.cull = false;
    qvResult result = qv_ok;
    *largest = 0.0;
    for (int i = 0; result == qv_ok && i < solve->targetCount; i++)
    {
        const qvWaveTarget* target = &solve->targets[i];
        qvVec3 end = target->at;
        result = qvCarryPoint(solve->waves, solve->eventCount, &options, target->at, target->time, solve->material,
                              &end, error);
        solve->misses[i] = qvSub(target->displacement, qvSub(end, target->at));
        *largest = fmax(*largest, qvLength(solve->misses[i]));
    }
    return result;
}

// asked = best asked + step (what it missed)
static void AskAgain(Solve* solve, double step)
{
    for (int i = 0; i < solve->targetCount; i++)
    {
        qvVec3 more = qvMulAdd(solve->bestAsked[i], step, solve->bestMisses[i]);
        solve->asked[i].displacement = more;
    }
}

static void KeepBest(Solve* solve)
{
    for (int i = 0; i < solve->targetCount; i++)
    {
        solve->bestAsked[i] = solve->asked[i].displacement;
        solve->bestMisses[i] = solve->misses[i];
    }
    memcpy(solve->bestWaves, solve->waves, (size_t)solve->eventCount * sizeof(qvWave));
}

// Half the step whenever a step did not help.
static qvResult Iterate(Solve* solve, qvSolveReport* report, qvError* error)
{
    double size = 0.0, best = INFINITY, step = 1.0;
    for (int i = 0; i < solve->targetCount; i++)
    {
        solve->asked[i] = solve->targets[i];
        size = fmax(size, qvLength(solve->targets[i].displacement));
    }
    for (int round = 0; round < ROUNDS && best > 1e-6 * size; round++)
    {
        double miss;
        qvResult result =
            qvSolveWaves(solve->waves, solve->eventCount, solve->asked, solve->targetCount, report, error);
        if (result == qv_ok)
            result = FindMisses(solve, &miss, error);
        if (result != qv_ok)
            return result;
        bool better = miss < best;
        best = better ? miss : best;
        step *= better ? 1.0 : 0.5;
        if (better)
            KeepBest(solve);
        AskAgain(solve, step);
    }
    report->residual = best;
    if (best <= 1e-2 * size)
        return qv_ok;
    return qvError_Set(error, qv_notConverged,
                       "the targets are missed by %g: add events nearer to them, or ask for less, or when waves arrive",
                       best);
}

qvResult qvSolveWaveEvents(qvWaveEvent* events, int eventCount, const qvVec3f* rest, const qvWaveTarget* targets,
                           int targetCount, qvSolveReport* report, qvError* error)
{
    Solve solve = { .events = events, .eventCount = eventCount, .targets = targets, .targetCount = targetCount };
    qvResult result = CheckEvents(&solve, error);
    if (result == qv_ok)
        result = Allocate(&solve, error);
    if (result == qv_ok)
    {
        MakeWaves(&solve, rest);
        result = Iterate(&solve, report, error);
    }
    for (int i = 0; result == qv_ok && i < eventCount; i++)
    {
        const qvKelvinlet* load = &solve.bestWaves[i].load;
        events[solve.order[i]].def.stroke.drag = qvScale(qvKelvinlet_PeakCenterGain(load), load->force);
    }
    FreeSolve(&solve);
    return result;
}
