// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/graph.h"

#include "ui/editor/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void SetTimes(qvuiGraph* graph, const qvTake* take, int count)
{
    double range[2];
    qvScene_Range(qvTake_Scene(take), range);
    graph->sampleCount = count;
    for (int i = 0; i < count; i++)
        graph->times[i] = range[0] + (range[1] - range[0]) * i / (count - 1);
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

// The modes that move most, strongest first.
static void ReadModes(qvuiGraph* graph, const qvTake* take)
{
    SetTimes(graph, take, qvui_maxCurveSamples);
    int modes = qvTake_ModeCount(take), count = graph->sampleCount;
    double spans[qvui_maxCurves], *rows = malloc(2 * (size_t)count * (size_t)modes * sizeof(*rows));
    qvuiCurve* candidate = malloc(sizeof(*candidate));
    graph->curveCount = 0;
    bool ready = modes > 0 && rows != NULL && candidate != NULL &&
                 qvTake_ModeCurves(take, graph->times, count, rows, rows + (size_t)count * (size_t)modes);
    for (int mode = 0; ready && mode < modes; mode++)
    {
        FillCurve(candidate, mode, modes, count, rows, rows + (size_t)count * (size_t)modes);
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

// As many samples as fit into a frame or two.
static int AffordableSamples(qvuiSession* session, qvVec3f* points)
{
    double start = qvuiWallClock();
    qvTake_Evaluate(session->take, 0.0, qv_layersAll, session->scratch, session->pool, points);
    double cost = fmax(qvuiWallClock() - start, 1e-6);
    return (int)fmin(fmax(0.02 / cost, 40.0), qvui_maxCurveSamples);
}

static void ReadPoint(qvuiGraph* graph, qvuiSession* session, int point)
{
    qvVec3f* points = malloc((size_t)session->body->mesh->pointCount * sizeof(*points));
    graph->curveCount = 0;
    if (points == NULL || session->scratch == NULL)
    {
        free(points);
        return;
    }
    SetTimes(graph, session->take, AffordableSamples(session, points));
    graph->curveCount = 3;
    for (int i = 0; i < graph->sampleCount; i++)
        for (int layer = 0; layer < 2; layer++)
        {
            qvTake_Evaluate(session->take, graph->times[i], layer == 0 ? qv_layersAll : qv_layersSmooth,
                            session->scratch, session->pool, points);
            const float* at = &points[point].x;
            for (int axis = 0; axis < 3; axis++)
            {
                qvuiCurve* curve = &graph->curves[axis];
                curve->mode = axis;
                (layer == 0 ? curve->wiggly : curve->smooth)[i] = at[axis];
            }
        }
    free(points);
}

static void FindBounds(qvuiGraph* graph)
{
    graph->low = INFINITY, graph->high = -INFINITY;
    for (int c = 0; c < graph->curveCount; c++)
        for (int i = 0; i < graph->sampleCount; i++)
        {
            double a = graph->curves[c].wiggly[i], b = graph->curves[c].smooth[i];
            graph->low = fmin(graph->low, fmin(a, b));
            graph->high = fmax(graph->high, fmax(a, b));
        }
    if (!(graph->high - graph->low > 1e-12))
        graph->low -= 1.0, graph->high += 1.0;
}

void qvuiGraph_Update(qvuiGraph* graph, qvuiSession* session, int point)
{
    const qvTake* take = session->take;
    bool known = take != NULL && session->body == qvTake_Body(take);
    if (known && point >= session->body->mesh->pointCount)
        point = -1;
    if (graph->revision == session->revision && graph->shownPoint == point)
        return;
    graph->revision = session->revision;
    graph->shownPoint = graph->point = point;
    graph->curveCount = 0;
    if (!known)
        return;
    if (point >= 0)
        ReadPoint(graph, session, point);
    else
        ReadModes(graph, take);
    FindBounds(graph);
}

double qvuiGraph_Value(const qvuiGraph* graph, int curve, double time)
{
    const double* values = graph->curves[curve].wiggly;
    int last = graph->sampleCount - 1;
    double start = graph->times[0], end = graph->times[last];
    double place = end > start ? (time - start) / (end - start) * last : 0.0;
    int i = (int)fmin(fmax(floor(place), 0.0), fmax(last - 1, 0));
    double f = fmin(fmax(place - i, 0.0), 1.0);
    return values[i] + f * (values[i < last ? i + 1 : i] - values[i]);
}
