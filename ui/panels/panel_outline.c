// SPDX-License-Identifier: GPL-3.0-or-later
// The outline: all keys in order of time with their strokes below them, then the events, the simulations and the
// obstacles. A click selects and goes there, Shift adds keys to the selection, the right button has a menu. Rows out of
// sight cost nothing.
#include "ui/panels/fields.h"

#include "ui/actions/state.h"

#include <math.h>
#include <stdio.h>

enum
{
    MAX_ROWS = 8 // that are seen at once
};

typedef struct Rows
{
    qvuiEditor* editor;
    float height, top;  // of a row, and of the first one on the screen
    float lower, upper; // what is seen, on the screen
    int count;          // so far
} Rows;

// Whether the next row is seen; if not, it is passed over.
static bool NextRow(Rows* rows)
{
    float y = rows->top + rows->height * (float)rows->count++;
    return y + rows->height > rows->lower && y < rows->upper;
}

static bool DrawRow(const Rows* rows, float indent, const char* name, const char* remark, ImU32 dot, bool selected)
{
    ImVec2 place;
    igGetCursorScreenPos(&place);
    place.y = rows->top + rows->height * (float)(rows->count - 1);
    place.x += indent;
    igSetCursorScreenPos(place);
    return qvuiListRow(&rows->editor->kit, name, remark, dot, selected,
                       "Selects it and goes there; Shift adds keys, the right button has a menu");
}

static void GoTo(qvuiEditor* editor, double time)
{
    qvuiSession_Play(&editor->session, false);
    qvuiSession_Seek(&editor->session, time);
}

static void OpenMenu(const Rows* rows, qvRef object)
{
    if (igIsItemHovered(ImGuiHoveredFlags_None) && igIsMouseClicked(ImGuiMouseButton_Right, false))
        qvuiTimeline_OpenMenu(rows->editor, object);
}

static void KeyRow(Rows* rows, const qvSceneKey* key, int index)
{
    qvuiSession* session = &rows->editor->session;
    char name[qv_maxName + 32], remark[64];
    snprintf(name, sizeof(name), "Key %d%s%.60s##o%u", index + 1, key->name[0] != 0 ? "  " : "", key->name, key->id);
    snprintf(remark, sizeof(remark), "%.2f s", key->time);
    bool selected = qvuiSession_IsKeySelected(session, key->id);
    bool pressed = DrawRow(rows, 0.0f, name, remark, QVUI_AMBER, selected && session->selection.stroke == 0);
    OpenMenu(rows, (qvRef){ qv_objectKey, key->id });
    if (!pressed)
        return;
    bool add = igGetIO()->KeyShift;
    qvuiSession_SelectKey(session, key->id, add);
    if (!add)
        GoTo(rows->editor, key->time);
}

static void StrokeRow(Rows* rows, const qvSceneKey* key, const qvSceneStroke* stroke)
{
    qvuiSession* session = &rows->editor->session;
    char name[96];
    snprintf(name, sizeof(name), "%s##o%u", qvuiStrokeLabel(&stroke->stroke), stroke->id);
    bool selected = session->selection.stroke == stroke->id;
    float indent = qvuiPixels(&rows->editor->kit.style, 18);
    bool pressed = DrawRow(rows, indent, name, NULL, selected ? QVUI_AMBER : QVUI_MUTED, selected);
    OpenMenu(rows, (qvRef){ qv_objectStroke, stroke->id });
    if (!pressed)
        return;
    qvuiSession_SelectStroke(session, stroke->id);
    GoTo(rows->editor, key->time);
}

static void EventRow(Rows* rows, const qvSceneEvent* event)
{
    qvuiSession* session = &rows->editor->session;
    char name[qv_maxName + 32], remark[64];
    snprintf(name, sizeof(name), "%.60s##o%u", event->name[0] != 0 ? event->name : "Wave event", event->id);
    snprintf(remark, sizeof(remark), "%.2f s", event->def.time);
    bool pressed = DrawRow(rows, 0.0f, name, remark, QVUI_CORAL, session->selection.event == event->id);
    OpenMenu(rows, (qvRef){ qv_objectEvent, event->id });
    if (!pressed)
        return;
    qvuiSession_SelectEvent(session, event->id);
    GoTo(rows->editor, event->def.time);
}

static void SimulationRow(Rows* rows, const qvSceneSimulation* simulation)
{
    qvuiSession* session = &rows->editor->session;
    char name[qv_maxName + 32], remark[64];
    snprintf(name, sizeof(name), "%.60s##o%u", simulation->name[0] != 0 ? simulation->name : "Simulation",
             simulation->id);
    snprintf(remark, sizeof(remark), "%s%.2f s", simulation->mute ? "muted " : "", simulation->def.time);
    bool isChosen = session->selection.simulation == simulation->id;
    bool pressed = DrawRow(rows, 0.0f, name, remark, QVUI_TEAL, isChosen);
    OpenMenu(rows, (qvRef){ qv_objectSimulation, simulation->id });
    if (!pressed)
        return;
    qvuiSession_SelectSimulation(session, simulation->id);
    GoTo(rows->editor, simulation->def.time);
}

static void ObstacleRow(Rows* rows, const qvSceneObstacle* obstacle)
{
    qvuiSession* session = &rows->editor->session;
    char name[qv_maxName + 32];
    snprintf(name, sizeof(name), "%.60s##o%u", obstacle->name[0] != 0 ? obstacle->name : obstacle->tag, obstacle->id);
    bool isChosen = session->selection.obstacle == obstacle->id;
    if (DrawRow(rows, 0.0f, name, obstacle->mute ? "muted" : "obstacle", QVUI_TEAL, isChosen))
        qvuiSession_SelectObstacle(session, obstacle->id);
}

static int StrokeCount(const qvScene* scene)
{
    int count = 0;
    for (int i = 0; i < scene->keyCount; i++)
        count += scene->keys[i]->strokes.count;
    return count;
}

// Scrolls to the key when it was selected elsewhere.
static void FollowSelection(Rows* rows, qvId key, float y)
{
    qvuiEditor* editor = rows->editor;
    if (key != editor->session.selection.key || key == editor->outlineKey)
        return;
    editor->outlineKey = key;
    if (y < rows->lower || y + rows->height > rows->upper)
        igSetScrollY_Float(igGetScrollY() + y - 0.5f * (rows->lower + rows->upper));
}

static void DrawRows(qvuiEditor* editor, float height)
{
    const qvScene* scene = qvRetainScene(qvuiSession_Scene(&editor->session));
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    Rows rows = { .editor = editor, .height = height, .top = place.y };
    rows.lower = place.y + igGetScrollY();
    rows.upper = rows.lower + room.y;
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        FollowSelection(&rows, key->id, rows.top + height * (float)rows.count);
        if (NextRow(&rows))
            KeyRow(&rows, key, i);
        for (int k = 0; k < key->strokes.count; k++)
            if (NextRow(&rows))
                StrokeRow(&rows, key, key->strokes.strokes[k]);
    }
    for (int i = 0; i < scene->eventCount; i++)
        if (NextRow(&rows))
            EventRow(&rows, scene->events[i]);
    for (int i = 0; i < scene->simulationCount; i++)
        if (NextRow(&rows))
            SimulationRow(&rows, scene->simulations[i]);
    for (int i = 0; i < scene->obstacleCount; i++)
        if (NextRow(&rows))
            ObstacleRow(&rows, scene->obstacles[i]);
    igSetCursorScreenPos(place);
    igDummy((ImVec2){ 1, height * (float)rows.count });
    qvReleaseScene(scene);
}

static void Draw(qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    int count =
        scene->keyCount + StrokeCount(scene) + scene->eventCount + scene->simulationCount + scene->obstacleCount;
    if (count == 0)
    {
        qvuiTextRow(&editor->kit, "No keys yet: pose with a brush, or press I", "");
        return;
    }
    float height = qvuiPixels(&editor->kit.style, 29);
    ImVec2 size = { 0, height * (float)(count < MAX_ROWS ? count : MAX_ROWS) };
    if (igBeginChild_Str("outline", size, false, ImGuiWindowFlags_None))
        DrawRows(editor, height);
    qvuiTimeline_DrawMenu(editor);
    igEndChild();
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    int strokes = StrokeCount(scene);
    snprintf(text, capacity, "%d key%s \xe2\x80\xa2 %d stroke%s", scene->keyCount, scene->keyCount == 1 ? "" : "s",
             strokes, strokes == 1 ? "" : "s");
}

const qvuiPanel qvuiPanelOutline = {
    "outline",
    "Outline",
    qvuiHasDocument,
    Remark,
    Draw,
    false,
    "All keys with their strokes, the waves, simulations and obstacles; a click goes there"
};
