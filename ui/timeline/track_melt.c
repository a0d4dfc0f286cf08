// SPDX-License-Identifier: GPL-3.0-or-later
// How liquid the chosen simulation is in the course of time: a curve of points from solid at the foot to liquid at the
// top. A click in it makes a point, a drag moves one, a double click removes it. It is there as soon as something
// melts.
#include "ui/actions/simulations.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double NEAREST = 1e-3;  // s between two points
static const double SMALLEST = 0.01; // steps of the value

// The chosen simulation, when it melts.
static const qvSceneSimulation* Melting(const qvuiEditor* editor)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    bool isPoints = simulation != NULL && strcmp(simulation->engine, "points") == 0;
    return isPoints && (simulation->melt != NULL || simulation->def.melt > 0.0) ? simulation : NULL;
}

static qvSimulationDef DefOf(const qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    return qvSceneSimulation_Resolve(simulation, qvuiSession_Scene(&editor->session));
}

// --- Places ---------------------------------------------------------------------------------------------------------

typedef struct Lane
{
    const qvuiTimeline* timeline;
    const qvuiStyle* style;
    double start;    // of the span
    float top, foot; // y of liquid and of solid
} Lane;

static Lane LaneOf(const qvuiEditor* editor, const qvSceneSimulation* simulation, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    float inset = fminf(qvuiPixels(style, 8), 0.2f * size.y);
    return (Lane){ &editor->timeline, style, simulation->def.time, place.y + inset, place.y + size.y - inset };
}

static ImVec2 Place(const Lane* lane, const double* knot)
{
    return (ImVec2){ qvuiTimeline_X(lane->timeline, lane->style, lane->start + knot[0]),
                     lane->foot + (float)knot[1] * (lane->top - lane->foot) };
}

static double ValueAt(const Lane* lane, float y)
{
    double value = (y - lane->foot) / (lane->top - lane->foot);
    return fmin(fmax(SMALLEST * floor(value / SMALLEST + 0.5), 0.0), 1.0);
}

// Where the lane lies in the window.
static bool FindLane(const qvuiEditor* editor, const qvSceneSimulation* simulation, Lane* lane)
{
    float y = editor->timeline.place.y;
    for (int i = 0; i < qvuiTrackCount(); i++)
    {
        float height = qvuiTrackHeight(editor, i);
        if (qvuiGetTrack(i) == &qvuiTrackMelt)
        {
            *lane = LaneOf(editor, simulation, (ImVec2){ editor->timeline.place.x, y },
                           (ImVec2){ editor->timeline.size.x, height });
            return height > 0.0f;
        }
        y += height;
    }
    return false;
}

// --- Drawing --------------------------------------------------------------------------------------------------------

// A constant is a line from end to end.
static void DrawLine(const Lane* lane, const qvSimulationDef* def, ImDrawList* list)
{
    double length = def->until - def->time, constant[2] = { 0.0, def->melt };
    const qvCurve* curve = &def->meltCurve;
    ImVec2 last = Place(lane, curve->count > 0 ? curve->knots[0] : constant);
    last.x = qvuiTimeline_X(lane->timeline, lane->style, lane->start);
    for (int i = 0; i <= curve->count; i++)
    {
        const double* knot = curve->count == 0 ? constant : curve->knots[i < curve->count ? i : i - 1];
        ImVec2 at = Place(lane, knot);
        if (i == curve->count)
            at.x = qvuiTimeline_X(lane->timeline, lane->style, lane->start + length);
        ImDrawList_AddLine(list, last, at, QVUI_TEAL, 1.5f * lane->style->scale);
        last = at;
    }
}

static void DrawValue(const Lane* lane, ImDrawList* list, ImVec2 at, double value)
{
    char text[16];
    snprintf(text, sizeof(text), "%.0f %%", 100.0 * value);
    float width = qvuiTextWidth(lane->style->value, text), line = qvuiPixels(lane->style, 16);
    qvuiDrawText(list, lane->style->value, (ImVec2){ at.x - width - qvuiPixels(lane->style, 9), at.y - 0.5f * line },
                 line, QVUI_TEXT, text);
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvSceneSimulation* simulation = Melting(editor);
    if (simulation == NULL)
        return;
    Lane lane = LaneOf(editor, simulation, place, size);
    qvSimulationDef def = DefOf(editor, simulation);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 lower = { qvuiTimeline_X(lane.timeline, lane.style, def.time), place.y };
    ImVec2 upper = { qvuiTimeline_X(lane.timeline, lane.style, def.until), place.y + size.y };
    float radius = qvuiPixels(lane.style, 4);
    ImDrawList_AddRectFilled(list, lower, upper, QVUI_RGBA(0x1c3431, 110), 0, 0);
    ImDrawList_PushClipRect(list, lower, upper, true);
    DrawLine(&lane, &def, list);
    ImDrawList_PopClipRect(list);
    for (int i = 0; i < def.meltCurve.count; i++)
    {
        ImVec2 at = Place(&lane, def.meltCurve.knots[i]), reach = { at.x + radius, at.y + radius };
        bool isHeld = editor->timeline.drag == qvui_timelineKnot && editor->timeline.knot == i;
        char name[48];
        ImDrawList_AddCircleFilled(list, at, radius, isHeld ? QVUI_RGB(0xffffff) : QVUI_TEAL, 0);
        if (isHeld)
            DrawValue(&lane, list, at, def.meltCurve.knots[i][1]);
        snprintf(name, sizeof(name), "Melt point %d", i);
        qvuiNames_AddRect(&editor->kit.names, name, (ImVec2){ at.x - radius, at.y - radius }, reach);
    }
    qvuiNames_AddRect(&editor->kit.names, "Melt curve", lower, upper);
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvSceneSimulation* simulation = Melting(editor);
    float reach = qvuiPixels(&editor->kit.style, 7);
    if (simulation == NULL)
        return (qvRef){ qv_objectScene, 0 };
    Lane lane = LaneOf(editor, simulation, place, size);
    qvSimulationDef def = DefOf(editor, simulation);
    for (int i = 0; i < def.meltCurve.count; i++)
    {
        ImVec2 at = Place(&lane, def.meltCurve.knots[i]);
        if (hypotf(at.x - mouse.x, at.y - mouse.y) <= reach)
        {
            *part = qvui_meltKnot + i;
            return (qvRef){ qv_objectSimulation, simulation->id };
        }
    }
    double time = qvuiTimeline_Time(&editor->timeline, &editor->kit.style, mouse.x);
    *part = qvui_meltEmpty;
    bool isWithin = time >= def.time && time <= def.until;
    return isWithin ? (qvRef){ qv_objectSimulation, simulation->id } : (qvRef){ qv_objectScene, 0 };
}

// Not shown where nothing melts.
static const char* Empty(const qvuiEditor* editor)
{
    return Melting(editor) != NULL ? NULL : "";
}

const qvuiTrack qvuiTrackMelt = { "Melt", 64, Draw, Find, Empty };

// --- The mouse ------------------------------------------------------------------------------------------------------

static void SetKnots(qvuiEditor* editor, qvId id, double (*knots)[2], int count)
{
    qvRef object = { qv_objectSimulation, id };
    qvCurve curve = { (const double(*)[2])knots, count };
    qvError error;
    qvuiEditor_Did(editor, qvDocument_SetCurve(editor->session.document, object, "melt", &curve, &error), &error);
}

// The curve's points with room for one more; a constant becomes one at the start. The caller frees them.
static double (*CopyKnots(const qvSimulationDef* def, int* count))[2]
{
    const qvCurve* curve = &def->meltCurve;
    *count = curve->count > 0 ? curve->count : 1;
    double(*knots)[2] = malloc(((size_t)*count + 1) * sizeof(*knots));
    if (knots != NULL && curve->count > 0)
        memcpy(knots, curve->knots, (size_t)curve->count * sizeof(*knots));
    else if (knots != NULL)
        knots[0][0] = 0.0, knots[0][1] = def->melt;
    return knots;
}

// Seconds from the span's start under the mouse, between two others.
static double TimeAt(const qvuiEditor* editor, const qvSimulationDef* def, float x, double after, double before)
{
    double time = qvuiTimeline_Snap(editor, qvuiTimeline_Time(&editor->timeline, &editor->kit.style, x)) - def->time;
    time = fmin(fmax(time, 0.0), def->until - def->time);
    return fmin(fmax(time, after + NEAREST), before - NEAREST);
}

static void AddKnot(qvuiEditor* editor, const qvSceneSimulation* simulation, const qvSimulationDef* def, ImVec2 mouse)
{
    Lane lane;
    int count, at = 0;
    double(*knots)[2] = CopyKnots(def, &count);
    if (knots == NULL || !FindLane(editor, simulation, &lane))
    {
        free(knots);
        return;
    }
    double time = qvuiTimeline_Time(&editor->timeline, &editor->kit.style, mouse.x) - def->time;
    while (at < count && knots[at][0] <= time)
        at++;
    double after = at > 0 ? knots[at - 1][0] : -INFINITY, before = at < count ? knots[at][0] : INFINITY;
    memmove(knots + at + 1, knots + at, (size_t)(count - at) * sizeof(*knots));
    knots[at][0] = TimeAt(editor, def, mouse.x, after, before);
    knots[at][1] = ValueAt(&lane, mouse.y);
    if (before - after > 2.0 * NEAREST)
        SetKnots(editor, simulation->id, knots, count + 1);
    editor->timeline.knot = at;
    free(knots);
}

// The last one leaves its value as a constant.
static void RemoveKnot(qvuiEditor* editor, const qvSceneSimulation* simulation, const qvSimulationDef* def, int at)
{
    int count;
    double(*knots)[2] = CopyKnots(def, &count);
    qvRef object = { qv_objectSimulation, simulation->id };
    qvError error;
    if (knots == NULL)
        return;
    if (count == 1)
        qvuiEditor_Did(editor, qvDocument_SetNumber(editor->session.document, object, "melt", knots[0][1], &error),
                       &error);
    else
    {
        memmove(knots + at, knots + at + 1, (size_t)(count - at - 1) * sizeof(*knots));
        SetKnots(editor, simulation->id, knots, count - 1);
    }
    free(knots);
}

void qvuiTimeline_PressMelt(qvuiEditor* editor, qvId id, int part, bool twice)
{
    const qvSceneSimulation* simulation = qvScene_FindSimulation(qvuiSession_Scene(&editor->session), id, NULL);
    if (simulation == NULL)
        return;
    qvSimulationDef def = DefOf(editor, simulation);
    int knot = part - qvui_meltKnot;
    if (twice && knot >= 0 && knot < def.meltCurve.count)
    {
        RemoveKnot(editor, simulation, &def, knot);
        return;
    }
    editor->timeline.knot = knot;
    qvuiTimeline_BeginDrag(editor, qvui_timelineKnot, (qvRef){ qv_objectSimulation, id }, def.time);
    if (part == qvui_meltEmpty && editor->timeline.drag == qvui_timelineKnot)
        AddKnot(editor, simulation, &def, igGetIO()->MousePos);
}

void qvuiTimeline_DragKnot(qvuiEditor* editor, ImVec2 mouse)
{
    qvuiTimeline* timeline = &editor->timeline;
    const qvSceneSimulation* simulation =
        qvScene_FindSimulation(qvuiSession_Scene(&editor->session), timeline->held, NULL);
    Lane lane;
    int count, at = timeline->knot;
    if (simulation == NULL || !FindLane(editor, simulation, &lane))
        return;
    qvSimulationDef def = DefOf(editor, simulation);
    double(*knots)[2] = CopyKnots(&def, &count);
    if (knots != NULL && at >= 0 && at < count)
    {
        double after = at > 0 ? knots[at - 1][0] : -INFINITY, before = at + 1 < count ? knots[at + 1][0] : INFINITY;
        knots[at][0] = TimeAt(editor, &def, mouse.x, after, before);
        knots[at][1] = ValueAt(&lane, mouse.y);
        SetKnots(editor, simulation->id, knots, count);
        timeline->moved = true;
    }
    free(knots);
}

bool qvuiTimeline_KnotTime(const qvuiEditor* editor, double* time)
{
    const qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneSimulation* simulation = qvScene_FindSimulation(scene, timeline->held, NULL);
    if (simulation == NULL)
        return false;
    qvSimulationDef def = DefOf(editor, simulation);
    if (timeline->knot < 0 || timeline->knot >= def.meltCurve.count)
        return false;
    *time = def.time + def.meltCurve.knots[timeline->knot][0];
    return true;
}
