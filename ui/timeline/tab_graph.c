// SPDX-License-Identifier: GPL-3.0-or-later
// The graph: the strongest modes, or the place of a picked point, against time; the plain cubic motion beside it in
// grey. Keys are vertical lines that can be dragged in time; a selected key of a picked point shows its velocity.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

static const ImU32 modeColors[qvui_maxCurves] = { QVUI_TEAL, QVUI_RGB(0x7aa7ff), QVUI_RGB(0xb48ae0),
                                                  QVUI_RGB(0x9aa3ad) };
static const ImU32 axisColors[3] = { QVUI_RGB(0xff6f5e), QVUI_RGB(0x8bd450), QVUI_RGB(0x5b9dff) };

typedef struct Plot
{
    qvuiEditor* editor;
    ImVec2 place, size;
} Plot;

static float ToY(const Plot* plot, double value)
{
    const qvuiGraph* graph = &plot->editor->graph;
    double margin = 0.12 * (graph->high - graph->low);
    double fraction = (value - graph->low + margin) / (graph->high - graph->low + 2.0 * margin);
    return plot->place.y + plot->size.y * (float)(1.0 - fraction);
}

static double PerPixel(const Plot* plot)
{
    const qvuiGraph* graph = &plot->editor->graph;
    return 1.24 * (graph->high - graph->low) / fmaxf(plot->size.y, 1.0f);
}

static ImU32 CurveColor(const qvuiGraph* graph, int curve)
{
    return graph->point >= 0 ? axisColors[curve] : modeColors[curve];
}

static void DrawCurve(const Plot* plot, const double* values, ImU32 color, float thickness)
{
    const qvuiGraph* graph = &plot->editor->graph;
    ImVec2 points[qvui_maxCurveSamples];
    int count = 0;
    for (int i = 0; i < graph->sampleCount; i++)
        if (graph->known[i])
            points[count++] =
                (ImVec2){ qvuiTimeline_X(&plot->editor->timeline, &plot->editor->kit.style, graph->times[i]),
                          ToY(plot, values[i]) };
    qvuiDrawCurve(igGetWindowDrawList(), points, count, color, thickness);
}

static void DrawLegend(const Plot* plot, float width)
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
            snprintf(text, sizeof(text), "mode %d, %.1f Hz", graph->curves[i].mode + 1,
                     qvTake_ModeFrequency(editor->session.take, graph->curves[i].mode));
        qvuiDrawText(list, style->value, (ImVec2){ x, y }, row, CurveColor(graph, i), text);
        y += row;
    }
    qvuiDrawText(list, style->value, (ImVec2){ x, y }, row, QVUI_MUTED, "thin: without physics");
    if (graph->point < 0 && y + 2 * row < plot->place.y + plot->size.y)
        qvuiDrawText(list, style->value, (ImVec2){ x, y + row }, row, QVUI_MUTED, "pick a point for x, y, z");
}

static void DrawKeys(const Plot* plot)
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
            float y = ToY(plot, qvuiGraph_Value(graph, c, scene->keys[i]->time));
            ImDrawList_AddCircleFilled(list, (ImVec2){ x, y }, radius, QVUI_AMBER, 12);
        }
    }
}

// --- Velocity handles ----------------------------------------------------------------------------------------------

static double SlopeAt(const qvuiGraph* graph, int axis, double time)
{
    double step = (graph->times[graph->sampleCount - 1] - graph->times[0]) / graph->sampleCount;
    return (qvuiGraph_Value(graph, axis, time + step) - qvuiGraph_Value(graph, axis, time)) / fmax(step, 1e-9);
}

static ImVec2 HandlePlace(const Plot* plot, const qvSceneKey* key, int axis)
{
    const qvuiGraph* graph = &plot->editor->graph;
    const qvuiStyle* style = &plot->editor->kit.style;
    double reach = 46.0 / plot->editor->timeline.perSecond;
    double velocity = SlopeAt(graph, axis, key->time);
    if (key->velocityMode == qv_velocitySet)
        velocity = (&key->after.value.x)[axis];
    else if (key->velocityMode == qv_velocityBroken && key->after.given)
        velocity = (&key->after.value.x)[axis];
    return (ImVec2){ qvuiTimeline_X(&plot->editor->timeline, style, key->time + reach),
                     ToY(plot, qvuiGraph_Value(graph, axis, key->time) + velocity * reach) };
}

static const qvSceneKey* HandleKey(const Plot* plot)
{
    const qvuiSession* session = &plot->editor->session;
    if (plot->editor->graph.point < 0 || plot->editor->graph.curveCount < 3)
        return NULL;
    return qvScene_FindKey(qvuiSession_Scene(session), session->selection.key, NULL);
}

static void DrawHandles(const Plot* plot)
{
    const qvSceneKey* key = HandleKey(plot);
    ImDrawList* list = igGetWindowDrawList();
    for (int axis = 0; key != NULL && axis < 3; axis++)
    {
        ImVec2 end = HandlePlace(plot, key, axis);
        ImVec2 start = { qvuiTimeline_X(&plot->editor->timeline, &plot->editor->kit.style, key->time),
                         ToY(plot, qvuiGraph_Value(&plot->editor->graph, axis, key->time)) };
        ImDrawList_AddLine(list, start, end, axisColors[axis], 1.5f);
        ImDrawList_AddCircleFilled(list, end, qvuiPixels(&plot->editor->kit.style, 4), axisColors[axis], 12);
    }
}

static int FindHandle(const Plot* plot, ImVec2 mouse)
{
    const qvSceneKey* key = HandleKey(plot);
    for (int axis = 0; key != NULL && axis < 3; axis++)
    {
        ImVec2 place = HandlePlace(plot, key, axis);
        if (hypotf(place.x - mouse.x, place.y - mouse.y) <= qvuiPixels(&plot->editor->kit.style, 7))
            return axis;
    }
    return -1;
}

// The slope under the mouse becomes this component of the key's velocity; a free key's other components stay as they
// are now.
static void DragHandle(const Plot* plot)
{
    qvuiEditor* editor = plot->editor;
    qvuiGraph* graph = &editor->graph;
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), graph->handleKey, NULL);
    const ImGuiIO* io = igGetIO();
    if (key == NULL || io->MouseDelta.y == 0.0f)
        return;
    bool broken = key->velocityMode == qv_velocityBroken, known = broken || key->velocityMode == qv_velocitySet;
    double values[3];
    for (int axis = 0; axis < 3; axis++)
        values[axis] = known ? (&key->after.value.x)[axis] : SlopeAt(graph, axis, key->time);
    double reach = 46.0 / editor->timeline.perSecond;
    values[graph->handleAxis] -= io->MouseDelta.y * PerPixel(plot) / reach;
    qvDocument* document = editor->session.document;
    qvRef object = { qv_objectKey, key->id };
    qvError error;
    qvResult result = known ? qv_ok : qvDocument_SetText(document, object, "velocity.mode", "set", &error);
    if (result == qv_ok)
        result = qvDocument_SetNumbers(document, object, broken ? "velocity.out" : "velocity.value", values, 3, &error);
    qvuiEditor_Did(editor, result, &error);
}

// --- Mouse ---------------------------------------------------------------------------------------------------------

static qvId FindKey(const Plot* plot, float x)
{
    const qvScene* scene = qvuiSession_Scene(&plot->editor->session);
    const qvuiStyle* style = &plot->editor->kit.style;
    for (int i = 0; i < scene->keyCount; i++)
        if (fabsf(qvuiTimeline_X(&plot->editor->timeline, style, scene->keys[i]->time) - x) < qvuiPixels(style, 5))
            return scene->keys[i]->id;
    return 0;
}

static void Press(const Plot* plot)
{
    qvuiEditor* editor = plot->editor;
    ImVec2 mouse = igGetIO()->MousePos;
    int handle = FindHandle(plot, mouse);
    qvId key = FindKey(plot, mouse.x);
    if (handle >= 0)
    {
        editor->graph.handleKey = editor->session.selection.key;
        editor->graph.handleAxis = handle;
        qvDocument_Begin(editor->session.document, "Velocity", 0);
    }
    else if (key != 0)
        qvuiTimeline_PressKey(editor, key);
    else
        qvuiTimeline_BeginScrub(editor);
}

static const char* Hint(const Plot* plot)
{
    if (HandleKey(plot) != NULL)
        return "Drag a dot\tthe key's velocity|Drag a line\tmove a key in time|Drag\tscrub|Wheel\tzoom";
    if (plot->editor->graph.point >= 0)
        return "Click a line\tshow the key's velocity|Drag a line\tmove it in time|Drag\tscrub|Wheel\tzoom";
    return "Drag a line\tmove a key in time|Drag\tscrub|Wheel\tzoom|Pick a point\tfor its x, y, z and velocities";
}

static void HandleMouse(const Plot* plot, bool hovered, bool active)
{
    qvuiEditor* editor = plot->editor;
    qvuiGraph* graph = &editor->graph;
    if (graph->handleKey != 0)
    {
        if (active)
            DragHandle(plot);
        else
        {
            qvDocument_End(editor->session.document);
            graph->handleKey = 0;
        }
    }
    else if (editor->timeline.drag != qvui_timelineIdle)
        qvuiTimeline_HandleMouse(editor, hovered, active);
    else if (hovered && igIsMouseClicked(ImGuiMouseButton_Left, false))
        Press(plot);
    if (hovered)
        editor->hint = Hint(plot);
}

// Why there are no curves.
static void DrawEmpty(const Plot* plot)
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
    qvuiGraph_Update(&editor->graph, &editor->session, selection->trailCount > 0 ? selection->trails[0] : -1, 0.006);
    Plot plot = { editor, timeline->place, timeline->size };
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
    DrawHandles(&plot);
    qvuiTimeline_DrawPlayhead(editor, place.y, end.y);
    ImDrawList_PopClipRect(list);
    DrawLegend(&plot, labels);
    if (editor->graph.curveCount == 0)
        DrawEmpty(&plot);
}

const qvuiTab qvuiTabGraph = {
    "graph", "Graph", "How each vibration swings through the keys; drag keys and slopes to retime and bend the motion",
    Draw
};
