// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/graph.h"

#include "ui/editor/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of a frame: the fastest modes swing several times in one.
static const int STEPS_PER_FRAME = 8;
// A hold ends in a step: the moment before a key is this much earlier, seconds.
static const double JUST_BEFORE = 1e-6;

static int CompareTimes(const void* a, const void* b)
{
    double d = *(const double*)a - *(const double*)b;
    return d < 0.0 ? -1 : d > 0.0;
}

// Even steps, and the keys with the moments just before them, so that the curves go through them.
static void SetTimes(qvuiGraph* graph, const qvTake* take)
{
    const qvScene* scene = qvTake_Scene(take);
    double range[2];
    qvScene_Range(scene, range);
    int steps = (int)fmin(fmax(ceil((range[1] - range[0]) * scene->fps) * STEPS_PER_FRAME, 16.0), qvui_maxCurveSteps);
    int count = 0;
    for (int i = 0; i <= steps; i++)
        graph->times[count++] = range[0] + (range[1] - range[0]) * i / steps;
    for (int i = 0; i < scene->keyCount && count + 2 <= qvui_maxCurveSamples; i++)
        for (int side = 0; side < 2; side++)
        {
            double time = scene->keys[i]->time - (side == 0 ? JUST_BEFORE : 0.0);
            if (time > range[0] && time < range[1])
                graph->times[count++] = time;
        }
    qsort(graph->times, (size_t)count, sizeof(graph->times[0]), CompareTimes);
    graph->sampleCount = count;
}

static double Span(const double* values, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++)
        low = fmin(low, values[i]), high = fmax(high, values[i]);
    return high - low;
}

// One mode out of rows of all of them.
static void FillCurve(qvuiCurve* curve, int mode, int modes, int count, const double* wiggly, const double* smooth)
{
    curve->mode = mode;
    for (int i = 0; i < count; i++)
    {
        curve->wiggly[i] = wiggly[i * modes + mode];
        curve->smooth[i] = smooth[i * modes + mode];
    }
}

static void ReadStrongest(qvuiGraph* graph, const qvTake* take)
{
    int modes = qvTake_ModeCount(take), count = graph->sampleCount;
    double spans[qvui_maxCurves], *rows = malloc(2 * (size_t)count * (size_t)modes * sizeof(*rows));
    qvuiCurve* candidate = malloc(sizeof(*candidate));
    graph->curveCount = 0;
    bool ready = modes > 0 && rows != NULL && candidate != NULL &&
                 qvTake_ModeCurves(take, graph->times, count, rows, rows + (size_t)count * (size_t)modes);
    for (int mode = 0; ready && mode < modes; mode++)
    {
        FillCurve(candidate, mode, modes, count, rows, rows + (size_t)count * (size_t)modes);
        candidate->frequency = qvTake_ModeFrequency(take, mode);
        double span = Span(candidate->wiggly, count);
        int place = graph->curveCount;
        while (place > 0 && spans[place - 1] < span)
            place--;
        if (place >= qvui_maxCurves)
            continue;
        int last = graph->curveCount < qvui_maxCurves ? graph->curveCount++ : qvui_maxCurves - 1;
        for (int i = last; i > place; i--)
        {
            graph->curves[i] = graph->curves[i - 1];
            spans[i] = spans[i - 1];
        }
        graph->curves[place] = *candidate;
        spans[place] = span;
    }
    free(candidate);
    free(rows);
}

// The ends and the keys, then the rest ever closer.
static void SetOrder(qvuiGraph* graph, const qvScene* scene)
{
    int count = 0, last = graph->sampleCount - 1, key = 0;
    bool queued[qvui_maxCurveSamples] = { false };
    for (int i = 0; i <= last; i++)
    {
        while (key < scene->keyCount && scene->keys[key]->time < graph->times[i])
            key++;
        queued[i] = i == 0 || i == last || (key < scene->keyCount && scene->keys[key]->time == graph->times[i]);
        if (queued[i])
            graph->order[count++] = (int16_t)i;
    }
    for (int stride = 64; stride >= 1; stride /= 2)
        for (int i = 0; i <= last; i += stride)
        {
            if (!queued[i])
                graph->order[count++] = (int16_t)i;
            queued[i] = true;
        }
}

static void ReadSample(qvuiGraph* graph, qvuiSession* session, int sample, qvTakeView* view)
{
    for (int layer = 0; layer < 2; layer++)
    {
        qvTakeView_Evaluate(view, graph->times[sample], layer == 0 ? qv_layersAll : qv_layersSmooth, session->pool);
        const float* at = &view->points[graph->point].x;
        for (int axis = 0; axis < 3; axis++)
            (layer == 0 ? graph->curves[axis].wiggly : graph->curves[axis].smooth)[sample] = at[axis];
    }
    graph->known[sample] = true;
}

static void ReadPoint(qvuiGraph* graph, qvuiSession* session, double seconds)
{
    qvTakeView view = { 0 };
    qvError ignored;
    double start = qvuiWallClock();
    bool ready = qvTakeView_SetTake(&view, session->take, &ignored) == qv_ok;
    do
    {
        if (ready)
            ReadSample(graph, session, graph->order[graph->doneCount++], &view);
    } while (ready && qvuiGraph_IsBusy(graph) && qvuiWallClock() - start < seconds);
    qvTakeView_Free(&view);
}

static void FindBounds(qvuiGraph* graph)
{
    graph->low = INFINITY, graph->high = -INFINITY;
    for (int c = 0; c < graph->curveCount; c++)
        for (int i = 0; i < graph->sampleCount; i++)
        {
            if (!graph->known[i])
                continue;
            double a = graph->curves[c].wiggly[i], b = graph->curves[c].smooth[i];
            graph->low = fmin(graph->low, fmin(a, b));
            graph->high = fmax(graph->high, fmax(a, b));
        }
    if (!(graph->high - graph->low > 1e-12))
        graph->low -= 1.0, graph->high += 1.0;
}

bool qvuiGraph_IsBusy(const qvuiGraph* graph)
{
    return graph->curveCount > 0 && graph->doneCount < graph->sampleCount;
}

void qvuiGraph_ReadModes(qvuiGraph* graph, const qvTake* take)
{
    SetTimes(graph, take);
    graph->point = -1;
    graph->doneCount = graph->sampleCount;
    memset(graph->known, true, sizeof(graph->known));
    ReadStrongest(graph, take);
    FindBounds(graph);
}

// Of the newest take that they were read from.
static void ShowModes(qvuiGraph* graph, const qvuiGraph* modes)
{
    graph->curveCount = modes != NULL ? modes->curveCount : 0;
    if (graph->curveCount == 0)
        return;
    size_t count = (size_t)modes->sampleCount;
    graph->sampleCount = graph->doneCount = modes->sampleCount;
    graph->low = modes->low, graph->high = modes->high;
    memcpy(graph->times, modes->times, count * sizeof(graph->times[0]));
    memcpy(graph->known, modes->known, count * sizeof(graph->known[0]));
    for (int i = 0; i < modes->curveCount; i++)
    {
        const qvuiCurve* from = &modes->curves[i];
        qvuiCurve* to = &graph->curves[i];
        to->mode = from->mode, to->frequency = from->frequency;
        memcpy(to->wiggly, from->wiggly, count * sizeof(to->wiggly[0]));
        memcpy(to->smooth, from->smooth, count * sizeof(to->smooth[0]));
    }
}

static void Start(qvuiGraph* graph, const qvTake* take)
{
    SetTimes(graph, take);
    graph->doneCount = 0;
    memset(graph->known, false, sizeof(graph->known));
    SetOrder(graph, qvTake_Scene(take));
    graph->curveCount = 3;
    for (int axis = 0; axis < 3; axis++)
        graph->curves[axis].mode = axis;
}

void qvuiGraph_Update(qvuiGraph* graph, qvuiSession* session, const qvuiGraph* modes, int point, double seconds)
{
    const qvTake* take = session->take;
    bool known = take != NULL && session->body == qvTake_Body(take);
    if (known && point >= session->body->mesh->pointCount)
        point = -1;
    bool changed = graph->takeRevision != session->takeRevision || graph->point != point;
    graph->takeRevision = session->takeRevision;
    graph->point = point;
    if (!known)
        graph->curveCount = 0;
    else if (point < 0)
    {
        ShowModes(graph, modes);
        return;
    }
    else if (changed)
        Start(graph, take);
    if (qvuiGraph_IsBusy(graph))
        ReadPoint(graph, session, seconds);
    else if (!changed)
        return;
    FindBounds(graph);
}

double qvuiGraph_Value(const qvuiGraph* graph, int curve, double time)
{
    const double* values = graph->curves[curve].wiggly;
    // times[a] <= time < times[b], both there already.
    int a = -1, b = graph->sampleCount;
    while (b - a > 1)
    {
        int middle = (a + b) / 2;
        if (graph->times[middle] <= time)
            a = middle;
        else
            b = middle;
    }
    while (a >= 0 && !graph->known[a])
        a--;
    while (b < graph->sampleCount && !graph->known[b])
        b++;
    if (a < 0 || b == graph->sampleCount)
        return a >= 0 ? values[a] : b < graph->sampleCount ? values[b] : 0.0;
    double f = (time - graph->times[a]) / (graph->times[b] - graph->times[a]);
    return values[a] + f * (values[b] - values[a]);
}
