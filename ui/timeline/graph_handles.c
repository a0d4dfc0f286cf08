// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities of a key as slopes of the picked point's curves: one handle to the right of the key for each axis; where
// the key is broken one to the left too, for the speed that the motion arrives with.
#include "ui/timeline/plot.h"

#include <math.h>
#include <stdio.h>

enum
{
    AXES = 3,
    SIDES = 2, // arriving, leaving
};

static const double REACH = 46.0; // pixels from the key to its handles
// A hold ends in a step: what arrives at a key is what is there this much earlier, seconds.
static const double JUST_BEFORE = 1e-6;

const qvSceneKey* qvuiGraph_HandleKey(const qvuiPlot* plot)
{
    const qvuiSession* session = &plot->editor->session;
    if (plot->editor->graph.point < 0 || plot->editor->graph.curveCount < AXES)
        return NULL;
    return qvScene_FindKey(qvuiSession_Scene(session), session->selection.key, NULL);
}

static const qvSceneVelocity* GetSide(const qvSceneKey* key, bool arriving)
{
    return arriving ? &key->before : &key->after;
}

static bool UsesSides(const qvSceneKey* key)
{
    return key->velocityMode == qv_velocitySet || key->velocityMode == qv_velocityBroken;
}

static bool IsSideStruck(const qvSceneKey* key, bool arriving)
{
    return UsesSides(key) && qvSceneVelocity_IsField(GetSide(key, arriving));
}

static bool HasHandle(const qvSceneKey* key, bool arriving)
{
    return (!arriving || key->velocityMode == qv_velocityBroken) && !IsSideStruck(key, arriving);
}

bool qvuiGraph_HasHandles(const qvSceneKey* key)
{
    return HasHandle(key, true) || HasHandle(key, false);
}

static double ReachSeconds(const qvuiPlot* plot)
{
    return REACH / plot->editor->timeline.perSecond;
}

static double KeyValue(const qvuiGraph* graph, const qvSceneKey* key, int axis, bool arriving)
{
    return qvuiGraph_Value(graph, axis, key->time - (arriving ? JUST_BEFORE : 0.0));
}

// As the motion has it now.
static double Slope(const qvuiGraph* graph, const qvSceneKey* key, int axis, bool arriving)
{
    double step = fmax((graph->times[graph->sampleCount - 1] - graph->times[0]) / graph->sampleCount, 1e-9);
    double there = qvuiGraph_Value(graph, axis, key->time + (arriving ? -step - JUST_BEFORE : step));
    return (there - KeyValue(graph, key, axis, arriving)) / (arriving ? -step : step);
}

// In the world: what the key says, or what physics has chosen where it says nothing.
static qvVec3 Velocity(const qvuiEditor* editor, const qvSceneKey* key, bool arriving)
{
    const qvSceneVelocity* side = GetSide(key, arriving);
    bool given = key->velocityMode == qv_velocitySet || (UsesSides(key) && side->given);
    qvAffine frame = qvuiVelocityFrame(editor, key);
    if (key->velocityMode == qv_velocityZero)
        return qvMakeVec3(0.0, 0.0, 0.0);
    if (given)
        return qvuiTurn(&frame, side->value);
    return qvMakeVec3(Slope(&editor->graph, key, 0, arriving), Slope(&editor->graph, key, 1, arriving),
                      Slope(&editor->graph, key, 2, arriving));
}

// Start and end of a handle. One that would leave the plot stays at its edge.
static void Place(const qvuiPlot* plot, const qvSceneKey* key, int axis, bool arriving, ImVec2* start, ImVec2* end)
{
    const qvuiGraph* graph = &plot->editor->graph;
    double value = KeyValue(graph, key, axis, arriving), reach = (arriving ? -1.0 : 1.0) * ReachSeconds(plot);
    float margin = qvuiPixels(&plot->editor->kit.style, 5);
    *start = (ImVec2){ qvuiTimeline_X(&plot->editor->timeline, &plot->editor->kit.style, key->time),
                       qvuiPlot_Y(plot, value) };
    qvVec3 velocity = Velocity(plot->editor, key, arriving);
    *end = (ImVec2){ qvuiTimeline_X(&plot->editor->timeline, &plot->editor->kit.style, key->time + reach),
                     qvuiPlot_Y(plot, value + (&velocity.x)[axis] * reach) };
    float y = fminf(fmaxf(end->y, plot->place.y + margin), plot->place.y + plot->size.y - margin);
    if (y != end->y)
        end->x = start->x + (end->x - start->x) * (y - start->y) / (end->y - start->y);
    end->y = y;
}

void qvuiGraph_DrawHandles(const qvuiPlot* plot)
{
    const qvSceneKey* key = qvuiGraph_HandleKey(plot);
    const qvuiStyle* style = &plot->editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    for (int i = 0; key != NULL && i < SIDES * AXES; i++)
    {
        int axis = i % AXES;
        bool arriving = i < AXES;
        ImVec2 start, end;
        if (!HasHandle(key, arriving))
            continue;
        Place(plot, key, axis, arriving, &start, &end);
        ImDrawList_AddLine(list, start, end, qvuiAxisColor(axis), 1.5f);
        ImDrawList_AddCircleFilled(list, end, qvuiPixels(style, 4), qvuiAxisColor(axis), 12);
        char name[32];
        snprintf(name, sizeof(name), "Slope %s %c", arriving ? "in" : "out", "xyz"[axis]);
        qvuiNames_AddRect(&plot->editor->kit.names, name, end, end);
    }
}

bool qvuiGraph_PressHandle(const qvuiPlot* plot, ImVec2 mouse)
{
    const qvSceneKey* key = qvuiGraph_HandleKey(plot);
    qvuiGraph* graph = &plot->editor->graph;
    float nearest = qvuiPixels(&plot->editor->kit.style, 7) + 0.5f;
    graph->handleKey = 0;
    for (int i = 0; key != NULL && i < SIDES * AXES; i++)
    {
        ImVec2 start, end;
        if (!HasHandle(key, i < AXES))
            continue;
        Place(plot, key, i % AXES, i < AXES, &start, &end);
        float distance = hypotf(end.x - mouse.x, end.y - mouse.y);
        if (distance >= nearest)
            continue;
        nearest = distance;
        graph->handleKey = key->id;
        graph->handleAxis = i % AXES;
        graph->handleArrives = i < AXES;
    }
    if (graph->handleKey == 0)
        return false;
    qvDocument_Begin(plot->editor->session.document, "Velocity", 0);
    return true;
}

// The slope under the mouse becomes this component of the key's velocity on that side; the other components stay as
// they are now, be they given or chosen by physics.
void qvuiGraph_DragHandle(const qvuiPlot* plot)
{
    qvuiEditor* editor = plot->editor;
    qvuiGraph* graph = &editor->graph;
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), graph->handleKey, NULL);
    const ImGuiIO* io = igGetIO();
    if (key == NULL || io->MouseDelta.y == 0.0f)
        return;
    bool broken = key->velocityMode == qv_velocityBroken, arriving = graph->handleArrives;
    qvAffine frame = qvuiVelocityFrame(editor, key);
    qvVec3 velocity = Velocity(editor, key, arriving);
    double change = io->MouseDelta.y * qvuiPlot_PerPixel(plot) / ReachSeconds(plot);
    (&velocity.x)[graph->handleAxis] += arriving ? change : -change;
    velocity = qvuiTurnBack(&frame, velocity);
    const double values[AXES] = { velocity.x, velocity.y, velocity.z };
    const char* field = !broken ? "velocity.value" : arriving ? "velocity.in" : "velocity.out";
    qvDocument* document = editor->session.document;
    qvRef object = { qv_objectKey, key->id };
    qvError error;
    qvResult result = UsesSides(key) ? qv_ok : qvDocument_SetText(document, object, "velocity.mode", "set", &error);
    if (result == qv_ok)
        result = qvDocument_SetNumbers(document, object, field, values, AXES, &error);
    qvuiEditor_Did(editor, result, &error);
}

void qvuiGraph_ReleaseHandle(const qvuiPlot* plot)
{
    qvDocument_End(plot->editor->session.document);
    plot->editor->graph.handleKey = 0;
}
