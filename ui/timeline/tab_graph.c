// SPDX-License-Identifier: GPL-3.0-or-later
// The graph: the strongest modes, or the place of a picked point, against time; the plain cubic motion beside it in
// grey. Keys are vertical lines that can be dragged in time; a selected key of a picked point shows its velocity.
#include "ui/timeline/plot.h"

#include <math.h>
#include <stdio.h>

static const ImU32 modeColors[qvui_maxCurves] = { QVUI_TEAL, QVUI_RGB(0x7aa7ff), QVUI_RGB(0xb48ae0),
                                                  QVUI_RGB(0x9aa3ad) };
static const ImU32 axisColors[3] = { QVUI_RGB(0xff6f5e), QVUI_RGB(0x8bd450), QVUI_RGB(0x5b9dff) };

ImU32 qvuiAxisColor(int axis)
{
    return axisColors[axis];
}

float qvuiPlot_Y(const qvuiPlot* plot, double value)
{
    const qvuiGraph* graph = &plot->editor->graph;
    double margin = 0.12 * (graph->high - graph->low);
    double fraction = (value - graph->low + margin) / (graph->high - graph->low + 2.0 * margin);
    return plot->place.y + plot->size.y * (float)(1.0 - fraction);
}

double qvuiPlot_PerPixel(const qvuiPlot* plot)
{
    const qvuiGraph* graph = &plot->editor->graph;
    return 1.24 * (graph->high - graph->low) / fmaxf(plot->size.y, 1.0f);
}

static ImU32 CurveColor(const qvuiGraph* graph, int curve)
{
    return graph->point >= 0 ? axisColors[curve] : modeColors[curve];
}

static void DrawCurve(const qvuiPlot* plot, const double* values, ImU32 color, float thickness)
{
    const qvuiGraph* graph = &plot->editor->graph;
    ImVec2 points[qvui_maxCurveSamples];
    int count = 0;
    for (int i = 0; i < graph->sampleCount; i++)
        if (graph->known[i])
            points[count++] =
                (ImVec2){ qvuiTimeline_X(&plot->editor->timeline, &plot->editor->kit.style, graph->times[i]),
                          qvuiPlot_Y(plot, values[i]) };
    qvuiDrawCurve(igGetWindowDrawList(), points, count, color, thickness);
}

static void DrawLegend(const qvuiPlot* plot, float width)
{
    qvuiEditor* editor = plot->editor;
    const qvuiStyle* style = &editor->kit.style;
    const qvuiGraph* graph = &editor->graph;
    ImDrawList* list = igGetWindowDrawList();
    float row = qvuiPixels(style, 20), x = plot->place.x - width + qvuiPixels(style, 14), y = plot->place.y;
    char text[64];
    for (int i = 0; i < graph->curveCount; i++)
    {
        if (graph->point >= 0)
            snprintf(text, sizeof(text), "point %d, %c", graph->point, "xyz"[i]);
        else
            snprintf(text, sizeof(text), "mode %d, %.1f Hz", graph->curves[i].mode + 1, graph->curves[i].frequency);
        qvuiDrawText(list, style->value, (ImVec2){ x, y }, row, CurveColor(graph, i), text);
        y += row;
    }
    qvuiDrawText(list, style->value, (ImVec2){ x, y }, row, QVUI_MUTED, "thin: without physics");
    if (graph->point < 0 && y + 2 * row < plot->place.y + plot->size.y)
        qvuiDrawText(list, style->value, (ImVec2){ x, y + row }, row, QVUI_MUTED, "pick a point for x, y, z");
}

static void DrawKeys(const qvuiPlot* plot)
{
    qvuiEditor* editor = plot->editor;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvuiGraph* graph = &editor->graph;
    ImDrawList* list = igGetWindowDrawList();
    float radius = qvuiPixels(&editor->kit.style, 4);
    for (int i = 0; i < scene->keyCount; i++)
    {
        float x = floorf(qvuiTimeline_X(&editor->timeline, &editor->kit.style, scene->keys[i]->time)) + 0.5f;
        bool selected = qvuiSession_IsKeySelected(&editor->session, scene->keys[i]->id);
        ImDrawList_AddLine(list, (ImVec2){ x, plot->place.y }, (ImVec2){ x, plot->place.y + plot->size.y },
                           selected ? QVUI_RGB(0xffe2b0) : QVUI_RGBA(0xf2a33a, 120), 1);
        for (int c = 0; c < graph->curveCount; c++)
        {
            float y = qvuiPlot_Y(plot, qvuiGraph_Value(graph, c, scene->keys[i]->time));
            ImDrawList_AddCircleFilled(list, (ImVec2){ x, y }, radius, QVUI_AMBER, 12);
        }
    }
}

// --- Mouse ---------------------------------------------------------------------------------------------------------

static qvId FindKey(const qvuiPlot* plot, float x)
{
    const qvScene* scene = qvuiSession_Scene(&plot->editor->session);
    const qvuiStyle* style = &plot->editor->kit.style;
    for (int i = 0; i < scene->keyCount; i++)
        if (fabsf(qvuiTimeline_X(&plot->editor->timeline, style, scene->keys[i]->time) - x) < qvuiPixels(style, 5))
            return scene->keys[i]->id;
    return 0;
}

static void Press(const qvuiPlot* plot)
{
    qvuiEditor* editor = plot->editor;
    ImVec2 mouse = igGetIO()->MousePos;
    qvId key = FindKey(plot, mouse.x);
    if (qvuiGraph_PressHandle(plot, mouse))
        return;
    if (key != 0)
        qvuiTimeline_PressKey(editor, key);
    else
        qvuiTimeline_BeginScrub(editor);
}

static const char* Hint(const qvuiPlot* plot)
{
    const qvSceneKey* key = qvuiGraph_HandleKey(plot);
    if (key != NULL && !qvuiGraph_HasHandles(key))
        return "Strokes\tgive this velocity: drag its arrows in the picture|Drag a line\tmove a key in "
               "time|Drag\tscrub";
    if (key != NULL && key->velocityMode == qv_velocityBroken)
        return "Drag a dot\tleft: the speed in, right: the speed out|Drag a line\tmove a key in time|Drag\tscrub";
    if (key != NULL)
        return "Drag a dot\tthe key's velocity|Drag a line\tmove a key in time|Drag\tscrub|Wheel\tzoom";
    if (plot->editor->graph.point >= 0)
        return "Click a line\tshow the key's velocity|Drag a line\tmove it in time|Drag\tscrub|Wheel\tzoom";
    return "Drag a line\tmove a key in time|Drag\tscrub|Wheel\tzoom|Pick a point\tfor its x, y, z and velocities";
}

static void HandleMouse(const qvuiPlot* plot, bool hovered, bool active)
{
    qvuiEditor* editor = plot->editor;
    qvuiGraph* graph = &editor->graph;
    if (graph->handleKey != 0)
    {
        if (active)
            qvuiGraph_DragHandle(plot);
        else
            qvuiGraph_ReleaseHandle(plot);
    }
    else if (editor->timeline.drag != qvui_timelineIdle)
        qvuiTimeline_HandleMouse(editor, hovered, active);
    else if (hovered && igIsMouseClicked(ImGuiMouseButton_Left, false))
        Press(plot);
    if (hovered)
        editor->hint = Hint(plot);
}

// Why there are no curves.
static void DrawEmpty(const qvuiPlot* plot)
{
    const qvuiSession* session = &plot->editor->session;
    const qvuiStyle* style = &plot->editor->kit.style;
    const char* text = "Curves appear when the motion is solved";
    if (session->take != NULL && !qvuiSession_IsSolving(session))
        text = "Nothing moves yet: pose the body at two times";
    qvuiBadge(&plot->editor->kit, igGetWindowDrawList(),
              (ImVec2){ plot->place.x + qvuiPixels(style, 20), plot->place.y + 0.5f * plot->size.y }, 0, 0.5f, NULL,
              text, 1.0f);
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    float labels = qvuiPixels(style, 140), ruler = qvuiPixels(style, 28);
    timeline->place = (ImVec2){ place.x + labels, place.y + ruler };
    timeline->size = (ImVec2){ fmaxf(size.x - labels, 1.0f), fmaxf(size.y - ruler, 1.0f) };
    qvuiTimeline_KeepFitted(editor);
    const qvuiSelection* selection = &editor->session.selection;
    int point = selection->trailCount > 0 ? selection->trails[0] : -1;
    editor->findings.wantsModes = point < 0;
    qvuiGraph_Update(&editor->graph, &editor->session, editor->findings.modes, point, 0.006);
    qvuiPlot plot = { editor, timeline->place, timeline->size };
    ImVec2 end = { place.x + size.x, place.y + size.y };
    igSetCursorScreenPos((ImVec2){ timeline->place.x, place.y });
    igInvisibleButton("graph", (ImVec2){ timeline->size.x, size.y },
                      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    qvuiNames_AddArea(&editor->kit.names, "Graph area");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    qvuiTimeline_Navigate(editor, hovered);
    HandleMouse(&plot, hovered, active);
    ImDrawList_PushClipRect(list, (ImVec2){ timeline->place.x, place.y }, end, true);
    ImDrawList_AddRectFilled(list, (ImVec2){ timeline->place.x, place.y }, end, QVUI_WINDOW, 0, 0);
    qvuiDrawRuler(editor, (ImVec2){ timeline->place.x, place.y }, (ImVec2){ timeline->size.x, ruler });
    qvuiTimeline_DrawRange(editor, (ImVec2){ timeline->place.x, place.y }, end);
    for (int i = 0; i < editor->graph.curveCount; i++)
    {
        ImU32 color = CurveColor(&editor->graph, i);
        DrawCurve(&plot, editor->graph.curves[i].smooth, (color & 0xffffff) | 0x60000000u, 1.0f);
        DrawCurve(&plot, editor->graph.curves[i].wiggly, color, 1.6f * style->scale);
    }
    DrawKeys(&plot);
    qvuiGraph_DrawHandles(&plot);
    qvuiTimeline_DrawPlayhead(editor, place.y, end.y);
    ImDrawList_PopClipRect(list);
    DrawLegend(&plot, labels);
    if (editor->graph.curveCount == 0 && !qvuiFindings_IsBusy(&editor->findings, &editor->session))
        DrawEmpty(&plot);
}

const qvuiTab qvuiTabGraph = {
    "graph", "Graph", "How each vibration swings through the keys; drag keys and slopes to retime and bend the motion",
    Draw
};
