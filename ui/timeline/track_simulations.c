// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations as spans: filled as far as they are computed, hatched beyond, with the fading back as a tail; and what
// the mouse does with them.
#include "ui/actions/simulations.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    TAIL_STEPS = 12,
    PART_END = 1,
    PART_START = 2,
};

typedef struct Bar
{
    ImVec2 lower, upper; // of the span
    float known;         // x up to which it is computed
    float tail;          // x where the body is back at its keys
} Bar;

static Bar FindBar(const qvuiEditor* editor, const qvSceneSimulation* simulation, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvSimulationDef def = qvSceneSimulation_Resolve(simulation, scene);
    float inset = fminf(qvuiPixels(style, 4), floorf(0.12f * size.y));
    Bar bar;
    bar.lower = (ImVec2){ qvuiTimeline_X(timeline, style, def.time), place.y + inset };
    bar.upper = (ImVec2){ fmaxf(qvuiTimeline_X(timeline, style, def.until), bar.lower.x + qvuiPixels(style, 8)),
                          place.y + size.y - inset };
    double until = editor->session.take != NULL ? qvTake_ValidUntil(editor->session.take) : def.time;
    float known = qvuiTimeline_X(timeline, style, fmin(until, def.until));
    bar.known = until >= def.until ? bar.upper.x : fminf(fmaxf(known, bar.lower.x), bar.upper.x);
    bar.tail = def.hold ? bar.upper.x : fmaxf(qvuiTimeline_X(timeline, style, def.until + def.blend), bar.upper.x);
    return bar;
}

// Slanted lines where nothing is computed yet.
static void Hatch(const qvuiStyle* style, ImDrawList* list, ImVec2 lower, ImVec2 upper, ImU32 color)
{
    float step = qvuiPixels(style, 7), height = upper.y - lower.y;
    if (upper.x - lower.x < 1.0f)
        return;
    ImDrawList_PushClipRect(list, lower, upper, true);
    for (float x = floorf(lower.x / step) * step - height; x < upper.x; x += step)
        ImDrawList_AddLine(list, (ImVec2){ x, upper.y }, (ImVec2){ x + height, lower.y }, color, 1);
    ImDrawList_PopClipRect(list);
}

// What is left of the simulation fades out.
static void DrawTail(ImDrawList* list, const Bar* bar, bool muted)
{
    float width = (bar->tail - bar->upper.x) / TAIL_STEPS, height = bar->upper.y - bar->lower.y;
    for (int i = 0; width > 0.0f && i < TAIL_STEPS; i++)
    {
        float left = 1.0f - ((float)i + 0.5f) / TAIL_STEPS, inset = 0.35f * height * (1.0f - left);
        ImDrawList_AddRectFilled(list, (ImVec2){ bar->upper.x + (float)i * width, bar->lower.y + inset },
                                 (ImVec2){ bar->upper.x + (float)(i + 1) * width, bar->upper.y - inset },
                                 QVUI_RGBA(0x235c53, (ImU32)((muted ? 60.0f : 220.0f) * left)), 0, 0);
    }
}

static const char* LabelOf(const qvSceneSimulation* simulation, bool* known)
{
    qvEngineInfo info;
    *known = false;
    for (int i = 0; qvGetEngineInfo(i, &info); i++)
        if (strcmp(info.tag, simulation->engine) == 0)
        {
            *known = true;
            return simulation->name[0] != 0 ? simulation->name : info.label;
        }
    return simulation->name[0] != 0 ? simulation->name : simulation->engine;
}

// What is wrong with it, in the bar and behind it, as far as there is room.
static void DrawText(const qvuiEditor* editor, const Bar* bar, bool hasCurve, const char* text, ImU32 color, float end)
{
    const qvuiStyle* style = &editor->kit.style;
    char shortened[512];
    float x = bar->lower.x + qvuiPixels(style, 10), room = end - x - qvuiPixels(style, 4);
    if (!(room > qvuiPixels(style, 16)))
        return;
    const char* drawn = qvuiShorten(style->value, text, room, false, shortened, sizeof(shortened));
    ImDrawList* list = igGetWindowDrawList();
    float margin = qvuiPixels(style, 3), width = qvuiTextWidth(style->value, drawn);
    // Curves end beside it.
    if (hasCurve)
        ImDrawList_AddRectFilled(list, (ImVec2){ x - margin, bar->lower.y + 1 },
                                 (ImVec2){ x + width + margin, bar->upper.y - 1 }, QVUI_RGB(0x235c53), margin, 0);
    qvuiDrawText(list, style->value, (ImVec2){ x, bar->lower.y }, bar->upper.y - bar->lower.y, color, drawn);
}

// How far it melts in the course of time, where that is a curve.
static void DrawMelt(const qvuiEditor* editor, const qvSceneSimulation* simulation, const Bar* bar)
{
    const qvuiStyle* style = &editor->kit.style;
    qvSimulationDef def = qvSceneSimulation_Resolve(simulation, qvuiSession_Scene(&editor->session));
    const qvCurve* curve = &def.meltCurve;
    ImDrawList* list = igGetWindowDrawList();
    float inset = qvuiPixels(style, 3), height = bar->upper.y - bar->lower.y - 2 * inset;
    ImVec2 last = { bar->lower.x, bar->upper.y - inset };
    ImDrawList_PushClipRect(list, bar->lower, bar->upper, true);
    for (int i = 0; i <= curve->count && curve->count > 0; i++)
    {
        const double* knot = curve->knots[i < curve->count ? i : curve->count - 1];
        ImVec2 at = { qvuiTimeline_X(&editor->timeline, style, simulation->def.time + knot[0]),
                      bar->upper.y - inset - height * (float)knot[1] };
        if (i == 0)
            last.y = at.y;
        if (i == curve->count)
            at.x = bar->upper.x;
        ImDrawList_AddLine(list, last, at, QVUI_RGBA(0xffffff, 150), 1.4f * style->scale);
        last = at;
    }
    ImDrawList_PopClipRect(list);
}

static void DrawSpan(qvuiEditor* editor, const qvSceneSimulation* simulation, ImVec2 place, ImVec2 size, float end)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    Bar bar = FindBar(editor, simulation, place, size);
    float radius = qvuiPixels(style, 3), edge = qvuiPixels(style, 4);
    qvError error;
    bool isKnown;
    const char* label = LabelOf(simulation, &isKnown);
    bool fails = qvScene_CheckSimulation(qvuiSession_Scene(&editor->session), simulation, &error) != qv_ok;
    bool dim = simulation->mute || !isKnown;
    ImU32 alpha = dim ? 70 : 255;
    DrawTail(list, &bar, dim);
    ImDrawList_AddRectFilled(list, bar.lower, bar.upper, fails ? QVUI_RGB(0x3a2423) : QVUI_RGBA(0x1c3431, alpha),
                             radius, 0);
    if (!fails && !dim)
    {
        ImDrawList_AddRectFilled(list, bar.lower, (ImVec2){ bar.known, bar.upper.y }, QVUI_RGB(0x235c53), radius, 0);
        Hatch(style, list, (ImVec2){ bar.known, bar.lower.y }, bar.upper, QVUI_RGBA(0x3cc8b4, 90));
    }
    ImDrawList_AddRectFilled(list, bar.lower, (ImVec2){ bar.lower.x + edge, bar.upper.y },
                             fails ? QVUI_CORAL : QVUI_RGBA(0x3cc8b4, alpha), radius, 0);
    if (fails || editor->session.selection.simulation == simulation->id)
        ImDrawList_AddRect(list, bar.lower, bar.upper, fails ? QVUI_CORAL : QVUI_RGB(0xffffff), radius, 0, 1);
    DrawMelt(editor, simulation, &bar);
    char text[768];
    if (fails)
        snprintf(text, sizeof(text), "%s", error.message);
    else
        snprintf(text, sizeof(text), "%s%s", label,
                 simulation->mute ? " (muted)"
                 : !isKnown       ? ": this program has no such engine"
                                  : "");
    DrawText(editor, &bar, simulation->melt != NULL && !fails && !dim, text,
             fails ? QVUI_CORAL
             : dim ? QVUI_MUTED
                   : QVUI_TEXT,
             fails || !isKnown ? end : fminf(bar.upper.x, end));
    char name[qv_maxTag + 16];
    snprintf(name, sizeof(name), "Span %s", simulation->tag);
    qvuiNames_AddRect(&editor->kit.names, name, bar.lower, bar.upper);
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    for (int i = 0; i < scene->simulationCount; i++)
    {
        bool isLast = i + 1 == scene->simulationCount;
        float next = isLast ? INFINITY : qvuiTimeline_X(&editor->timeline, style, scene->simulations[i + 1]->def.time);
        DrawSpan(editor, scene->simulations[i], place, size, fminf(next, place.x + size.x));
    }
    qvuiNames_AddRect(&editor->kit.names, "Simulations", place, (ImVec2){ place.x + size.x, place.y + size.y });
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float reach = qvuiPixels(&editor->kit.style, 5);
    for (int i = scene->simulationCount - 1; i >= 0; i--)
    {
        Bar bar = FindBar(editor, scene->simulations[i], place, size);
        if (mouse.x < bar.lower.x - reach || mouse.x > bar.upper.x + reach)
            continue;
        *part = mouse.x > bar.upper.x - reach ? PART_END : mouse.x < bar.lower.x + reach ? PART_START : 0;
        return (qvRef){ qv_objectSimulation, scene->simulations[i]->id };
    }
    return (qvRef){ qv_objectSimulation, 0 };
}

static const char* Empty(const qvuiEditor* editor)
{
    return qvuiSession_Scene(&editor->session)->simulationCount == 0 ? "Drag here to let the body fall and bounce"
                                                                     : NULL;
}

const qvuiTrack qvuiTrackSimulations = { "Simulation", 34, Draw, Find, Empty };

// --- The mouse ------------------------------------------------------------------------------------------------------

void qvuiTimeline_PressSpan(qvuiEditor* editor, qvId id, int part)
{
    const qvSceneSimulation* simulation = qvScene_FindSimulation(qvuiSession_Scene(&editor->session), id, NULL);
    qvRef held = { qv_objectSimulation, id };
    qvuiTimelineDrag drag = part == PART_END     ? qvui_timelineSpanEnd
                            : part == PART_START ? qvui_timelineSpanStart
                                                 : qvui_timelineSpan;
    qvuiSession_SelectSimulation(&editor->session, id);
    if (simulation == NULL)
    {
        qvuiTimeline_BeginDrag(editor, qvui_timelineSpanNew, (qvRef){ qv_objectSimulation, 0 }, 0.0);
        return;
    }
    editor->panelOpen[qvuiPanelSimulationIndex] = true;
    double time = simulation->def.time;
    if (part == 0 && igGetIO()->KeyAlt)
    {
        // The copy goes with the mouse; both are one step, which the copy opens.
        qvSceneSimulation copy = *simulation;
        qvDocument_Begin(editor->session.document, "Copy simulation", 0);
        copy.def.until = qvSceneSimulation_Resolve(simulation, qvuiSession_Scene(&editor->session)).until;
        held.id = qvuiAddSimulation(editor, &copy);
        qvuiTimeline_BeginDrag(editor, drag, held, time);
        qvDocument_End(editor->session.document); // the drag has opened it once more
        return;
    }
    qvuiTimeline_BeginDrag(editor, drag, held, time);
}

// A new one begins once the mouse has gone a frame, and stays in the range.
static void DragNew(qvuiEditor* editor, double now)
{
    qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvSceneSimulation like = qvDefaultSceneSimulation();
    double range[2], frame = 1.0 / scene->fps;
    qvScene_Range(scene, range);
    double last = scene->loop ? range[1] - like.def.blend : range[1];
    double a = fmin(fmax(qvuiTimeline_Snap(editor, timeline->grabTime), range[0]), last);
    double b = fmin(fmax(qvuiTimeline_Snap(editor, now), range[0]), last);
    like.def.time = fmin(a, b);
    like.def.until = fmax(a, b);
    if (like.def.until - like.def.time < 0.5 * frame)
        return;
    qvError error;
    if (timeline->held == 0)
        timeline->held = qvuiAddSimulation(editor, &like);
    else
        qvuiEditor_Did(
            editor, qvDocument_SetSpan(editor->session.document, timeline->held, like.def.time, like.def.until, &error),
            &error);
    timeline->moved = true;
}

void qvuiTimeline_DragSpan(qvuiEditor* editor, double now)
{
    qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    if (timeline->drag == qvui_timelineSpanNew)
    {
        DragNew(editor, now);
        return;
    }
    const qvSceneSimulation* simulation = qvScene_FindSimulation(scene, timeline->held, NULL);
    if (simulation == NULL)
        return;
    double frame = 1.0 / scene->fps, at = qvuiTimeline_Snap(editor, now);
    double from = simulation->def.time, to = simulation->def.until;
    double end = qvSceneSimulation_Resolve(simulation, scene).until;
    if (timeline->drag == qvui_timelineSpanStart)
        from = fmin(at, end - frame);
    else
        to = fmax(at, from + frame);
    qvError error;
    qvuiEditor_Did(editor, qvDocument_SetSpan(editor->session.document, simulation->id, from, to, &error), &error);
    timeline->moved = true;
}
