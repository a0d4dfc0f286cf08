// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse does in the timeline. A click on the ruler goes to a frame, a drag scrubs freely, Ctrl inverts both
// (Shift: preview range). A click selects, a drag moves: keys snap to frames, Ctrl inverts that, Alt ripples what comes
// after. An empty place starts a box.
#include "ui/editor/editor.h"
#include "ui/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Moving keys, events and markers in time -----------------------------------------------------------------------

static bool HoldTime(qvuiTimeline* timeline, qvObjectKind kind, qvId id, double time)
{
    if (!qvuiGrow(&timeline->times, &timeline->timeCapacity, timeline->timeCount + 1, sizeof(qvuiMovedTime)))
        return false;
    timeline->times[timeline->timeCount++] = (qvuiMovedTime){ { kind, id }, time };
    return true;
}

// Which keys take part: the selected ones, or with ripple everything from the held one on.
static void HoldKeys(qvuiEditor* editor, bool ripple)
{
    qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneKey* held = qvScene_FindKey(scene, timeline->held, NULL);
    timeline->timeCount = 0;
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        bool moves =
            ripple ? held != NULL && key->time >= held->time : qvuiSession_IsKeySelected(&editor->session, key->id);
        if (moves)
            HoldTime(timeline, qv_objectKey, key->id, key->time);
    }
    for (int i = 0; ripple && held != NULL && i < scene->eventCount; i++)
        if (scene->events[i]->def.time >= held->time)
            HoldTime(timeline, qv_objectEvent, scene->events[i]->id, scene->events[i]->def.time);
    for (int i = 0; ripple && held != NULL && i < scene->simulationCount; i++)
        if (scene->simulations[i]->def.time >= held->time)
            HoldTime(timeline, qv_objectSimulation, scene->simulations[i]->id, scene->simulations[i]->def.time);
    for (int i = 0; ripple && held != NULL && i < scene->markerCount; i++)
        if (scene->markers[i]->time >= held->time)
            HoldTime(timeline, qv_objectMarker, scene->markers[i]->id, scene->markers[i]->time);
}

static const char* DragLabel(qvuiTimelineDrag drag)
{
    switch (drag)
    {
    case qvui_timelineScale:
        return "Scale keys";
    case qvui_timelineRipple:
        return "Ripple keys";
    case qvui_timelineEvent:
        return "Move event";
    case qvui_timelineStretch:
        return "Stretch event";
    case qvui_timelineMarker:
        return "Move marker";
    case qvui_timelinePreview:
        return "Preview range";
    case qvui_timelineSpanNew:
        return "Add simulation";
    case qvui_timelineSpan:
        return "Move simulation";
    case qvui_timelineSpanStart:
    case qvui_timelineSpanEnd:
        return "Stretch simulation";
    case qvui_timelineKnot:
        return "Melt curve";
    case qvui_timelineClip:
        return "Move animation";
    case qvui_timelineClipEnd:
        return "Stretch animation";
    default:
        return "Move keys";
    }
}

static void Begin(qvuiEditor* editor, qvuiTimelineDrag drag, bool modal)
{
    qvuiTimeline* timeline = &editor->timeline;
    timeline->drag = drag;
    timeline->modal = modal;
    timeline->moved = false;
    timeline->typed[0] = 0;
    timeline->grabTime = qvuiTimeline_Time(timeline, &editor->kit.style, igGetIO()->MousePos.x);
    qvDocument_Begin(editor->session.document, DragLabel(drag), 0);
}

void qvuiTimeline_BeginDrag(qvuiEditor* editor, qvuiTimelineDrag drag, qvRef held, double time)
{
    editor->timeline.held = held.id;
    editor->timeline.timeCount = 0;
    if (drag == qvui_timelineSpanNew || HoldTime(&editor->timeline, held.kind, held.id, time))
        Begin(editor, drag, false);
}

// What a key starts needs the tracks to go on in.
static void ShowTracks(qvuiEditor* editor)
{
    editor->showBottom = true;
    if (editor->bottomTab == qvuiTabHistoryIndex)
        editor->bottomTab = qvuiTabTimelineIndex;
}

void qvuiTimeline_BeginMove(qvuiEditor* editor, qvuiTimelineDrag drag, double pivot, bool modal)
{
    if (modal)
        ShowTracks(editor);
    HoldKeys(editor, drag == qvui_timelineRipple);
    editor->timeline.pivot = pivot;
    if (editor->timeline.timeCount > 0)
        Begin(editor, drag, modal);
}

static bool Edits(qvuiTimelineDrag drag)
{
    return drag >= qvui_timelineMove;
}

void qvuiTimeline_BeginBox(qvuiEditor* editor)
{
    editor->showBottom = true;
    editor->bottomTab = qvuiTabTimelineIndex;
    editor->timeline.drag = qvui_timelineBox;
    editor->timeline.modal = editor->timeline.boxWaits = true;
}

void qvuiTimeline_BeginScrub(qvuiEditor* editor)
{
    editor->timeline.drag = qvui_timelineScrub;
    editor->timeline.moved = false;
    editor->timeline.scrubStart = editor->session.playback.time;
}

bool qvuiTimeline_Cancel(qvuiEditor* editor)
{
    qvuiTimeline* timeline = &editor->timeline;
    if (editor->graph.handleKey != 0)
    {
        editor->graph.handleKey = 0;
        qvDocument_Abort(editor->session.document);
        return true;
    }
    if (timeline->drag == qvui_timelineIdle)
        return false;
    if (Edits(timeline->drag))
        qvDocument_Abort(editor->session.document);
    else if (timeline->drag == qvui_timelineScrub)
        qvuiSession_Seek(&editor->session, timeline->scrubStart);
    timeline->drag = qvui_timelineIdle;
    timeline->modal = timeline->boxWaits = timeline->stretches = false;
    timeline->fitPending = timeline->fitPending || timeline->fittedWidth > 0.0f;
    return true;
}

static void End(qvuiEditor* editor)
{
    qvuiTimeline* timeline = &editor->timeline;
    if (Edits(timeline->drag))
        qvDocument_End(editor->session.document);
    timeline->drag = qvui_timelineIdle;
    timeline->modal = timeline->boxWaits = timeline->stretches = false;
}

double qvuiTimeline_Snap(const qvuiEditor* editor, double time)
{
    return igGetIO()->KeyCtrl ? time : qvuiSession_SnapTime(&editor->session, time);
}

static bool ReadTyped(const qvuiTimeline* timeline, double* value)
{
    char* end;
    *value = strtod(timeline->typed, &end);
    return end != timeline->typed;
}

static double NewTime(const qvuiEditor* editor, const qvuiMovedTime* moved, double now)
{
    const qvuiTimeline* timeline = &editor->timeline;
    double typed;
    bool hasTyped = ReadTyped(timeline, &typed);
    if (timeline->drag != qvui_timelineScale && hasTyped)
        return moved->time + typed / qvuiSession_Scene(&editor->session)->fps;
    if (timeline->drag != qvui_timelineScale)
        return qvuiTimeline_Snap(editor, moved->time + now - timeline->grabTime);
    double span = timeline->grabTime - timeline->pivot;
    double factor = fabs(span) > 1e-9 ? (now - timeline->pivot) / span : 1.0;
    if (hasTyped)
        return timeline->pivot + (moved->time - timeline->pivot) * fmax(typed, 0.0);
    return qvuiTimeline_Snap(editor, timeline->pivot + (moved->time - timeline->pivot) * fmax(factor, 0.0));
}

// All held objects move together. A place where two keys would meet is skipped: they stay where they were.
static void MoveTimes(qvuiEditor* editor, double now)
{
    qvuiTimeline* timeline = &editor->timeline;
    size_t count = (size_t)timeline->timeCount;
    qvRef* objects = malloc(count * sizeof(*objects));
    double* times = malloc(count * sizeof(*times));
    qvError ignored;
    for (size_t i = 0; objects != NULL && times != NULL && i < count; i++)
    {
        objects[i] = timeline->times[i].object;
        times[i] = NewTime(editor, &timeline->times[i], now);
    }
    if (objects != NULL && times != NULL &&
        qvDocument_SetTimes(editor->session.document, objects, times, (int)count, &ignored) == qv_ok)
        timeline->moved = true;
    free(objects);
    free(times);
}

static void SetNumber(qvuiEditor* editor, qvObjectKind kind, const char* field, double value)
{
    qvError error;
    qvRef object = { kind, editor->timeline.held };
    qvuiEditor_Did(editor, qvDocument_SetNumber(editor->session.document, object, field, value, &error), &error);
    editor->timeline.moved = true;
}

static void StretchEvent(qvuiEditor* editor, double now)
{
    const qvSceneEvent* event = qvScene_FindEvent(qvuiSession_Scene(&editor->session), editor->timeline.held, NULL);
    if (event != NULL)
        SetNumber(editor, qv_objectEvent, "until", fmax(qvuiTimeline_Snap(editor, now), event->def.time + 0.02));
}

static void SetPreview(qvuiEditor* editor, double now)
{
    double a = qvuiTimeline_Snap(editor, editor->timeline.grabTime), b = qvuiTimeline_Snap(editor, now);
    double range[2] = { fmin(a, b), fmax(a, b) };
    qvError error;
    qvRef scene = { qv_objectScene, 0 };
    if (range[1] - range[0] < 1e-6)
        return;
    qvuiEditor_Did(editor, qvDocument_SetNumbers(editor->session.document, scene, "preview", range, 2, &error), &error);
    editor->timeline.moved = true;
}

static void DragTo(qvuiEditor* editor, double now)
{
    qvuiTimeline* timeline = &editor->timeline;
    bool snaps = timeline->moved == igGetIO()->KeyCtrl; // of scrubbing, where a click has not moved
    switch (timeline->drag)
    {
    case qvui_timelineScrub:
        qvuiSession_Seek(&editor->session, snaps ? qvuiSession_SnapTime(&editor->session, now) : now);
        break;
    case qvui_timelineMove:
    case qvui_timelineScale:
    case qvui_timelineRipple:
    case qvui_timelineEvent:
    case qvui_timelineMarker:
    case qvui_timelineSpan:
        MoveTimes(editor, now);
        break;
    case qvui_timelineStretch:
        StretchEvent(editor, now);
        break;
    case qvui_timelinePreview:
        SetPreview(editor, now);
        break;
    case qvui_timelineSpanNew:
    case qvui_timelineSpanStart:
    case qvui_timelineSpanEnd:
        qvuiTimeline_DragSpan(editor, now);
        break;
    case qvui_timelineKnot:
        qvuiTimeline_DragKnot(editor, igGetIO()->MousePos);
        break;
    case qvui_timelineClip:
    case qvui_timelineClipEnd:
        qvuiTimeline_DragClip(editor, NewTime(editor, &timeline->times[0], now), now);
        break;
    case qvui_timelineIdle:
    case qvui_timelinePan:
    case qvui_timelineBox:
        break;
    }
}

// --- Clicks ---------------------------------------------------------------------------------------------------------

// The object under the mouse, and its track.
static qvRef Find(const qvuiEditor* editor, ImVec2 mouse, int* part)
{
    const qvuiTimeline* timeline = &editor->timeline;
    float y = timeline->place.y;
    *part = 0;
    for (int i = 0; i < qvuiTrackCount(); i++)
    {
        const qvuiTrack* track = qvuiGetTrack(i);
        float height = qvuiTrackHeight(editor, i);
        if (mouse.y >= y && mouse.y < y + height && track->find != NULL)
            return track->find(editor, (ImVec2){ timeline->place.x, y }, (ImVec2){ timeline->size.x, height }, mouse,
                               part);
        y += height;
    }
    return (qvRef){ qv_objectScene, 0 };
}

void qvuiTimeline_PressKey(qvuiEditor* editor, qvId id)
{
    const ImGuiIO* io = igGetIO();
    qvuiTimeline* timeline = &editor->timeline;
    timeline->held = id;
    if (io->KeyShift)
        qvuiSession_SelectKey(&editor->session, id, true);
    else if (!qvuiSession_IsKeySelected(&editor->session, id))
        qvuiSession_SelectKey(&editor->session, id, false);
    else
        editor->session.selection.key = id;
    qvuiTimeline_BeginMove(editor, io->KeyAlt ? qvui_timelineRipple : qvui_timelineMove, 0.0, false);
}

// The other end of the selection stays.
static void PressEdge(qvuiEditor* editor, int part)
{
    double range[2];
    if (qvuiSession_SelectedRange(&editor->session, range))
        qvuiTimeline_BeginMove(editor, qvui_timelineScale, range[part == qvui_keyFirstEdge], false);
}

static void PressEvent(qvuiEditor* editor, qvId id, int part)
{
    const qvSceneEvent* event = qvScene_FindEvent(qvuiSession_Scene(&editor->session), id, NULL);
    qvuiTimeline* timeline = &editor->timeline;
    qvuiSession_SelectEvent(&editor->session, id);
    timeline->held = id;
    timeline->timeCount = 0;
    if (event != NULL && HoldTime(timeline, qv_objectEvent, id, event->def.time))
        Begin(editor, part == 1 ? qvui_timelineStretch : qvui_timelineEvent, false);
}

static void PressMarker(qvuiEditor* editor, qvId id)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvuiTimeline* timeline = &editor->timeline;
    timeline->held = id;
    timeline->timeCount = 0;
    for (int i = 0; i < scene->markerCount; i++)
        if (scene->markers[i]->id == id && HoldTime(timeline, qv_objectMarker, id, scene->markers[i]->time))
            Begin(editor, qvui_timelineMarker, false);
}

static void PressRuler(qvuiEditor* editor)
{
    if (igGetIO()->KeyShift)
        Begin(editor, qvui_timelinePreview, false);
    else
        qvuiTimeline_BeginScrub(editor);
}

static void Press(qvuiEditor* editor, ImVec2 mouse)
{
    qvuiTimeline* timeline = &editor->timeline;
    int part;
    if (mouse.y < timeline->place.y)
    {
        PressRuler(editor);
        return;
    }
    qvRef found = Find(editor, mouse, &part);
    if (found.kind == qv_objectKey && part != 0)
        PressEdge(editor, part);
    else if (found.kind == qv_objectKey)
        qvuiTimeline_PressKey(editor, found.id);
    else if (found.kind == qv_objectEvent)
        PressEvent(editor, found.id, part);
    else if (found.kind == qv_objectMarker)
        PressMarker(editor, found.id);
    else if (found.kind == qv_objectSimulation && part >= qvui_meltEmpty)
        qvuiTimeline_PressMelt(editor, found.id, part, igIsMouseDoubleClicked(ImGuiMouseButton_Left));
    else if (found.kind == qv_objectSimulation)
        qvuiTimeline_PressSpan(editor, found.id, part);
    else if (found.kind == qv_objectClip)
        qvuiTimeline_PressClip(editor, part);
    else
    {
        timeline->drag = qvui_timelineBox;
        timeline->boxStart = mouse;
    }
}

static void SelectBox(qvuiEditor* editor)
{
    const ImGuiIO* io = igGetIO();
    const qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float lower = fminf(timeline->boxStart.x, io->MousePos.x), upper = fmaxf(timeline->boxStart.x, io->MousePos.x);
    if (!io->KeyShift)
        qvuiSession_SelectKey(&editor->session, 0, false);
    if (upper - lower < 3.0f)
        return;
    for (int i = 0; i < scene->keyCount; i++)
    {
        float x = qvuiTimeline_X(timeline, &editor->kit.style, scene->keys[i]->time);
        if (x >= lower && x <= upper && !qvuiSession_IsKeySelected(&editor->session, scene->keys[i]->id))
            qvuiSession_SelectKey(&editor->session, scene->keys[i]->id, true);
    }
}

static void Release(qvuiEditor* editor)
{
    qvuiTimeline* timeline = &editor->timeline;
    bool clicked = !timeline->moved && timeline->drag == qvui_timelineMove && !igGetIO()->KeyShift;
    if (timeline->drag == qvui_timelineBox)
        SelectBox(editor);
    End(editor);
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), timeline->held, NULL);
    if (!clicked || key == NULL)
        return;
    // A click without a drag goes there.
    qvuiSession_SelectKey(&editor->session, key->id, false);
    qvuiSession_Play(&editor->session, false);
    qvuiSession_Seek(&editor->session, key->time);
}

bool qvuiTimeline_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    qvuiTimeline* timeline = &editor->timeline;
    bool moves = timeline->drag == qvui_timelineMove || timeline->drag == qvui_timelineScale;
    if (!timeline->modal || !moves || shortcut->control || shortcut->alt)
        return false;
    if (shortcut->key == qvui_keyEnter)
        Release(editor);
    else if (!qvuiShortcut_Type(shortcut, timeline->typed, sizeof(timeline->typed)))
        return false;
    if (timeline->drag != qvui_timelineIdle)
        DragTo(editor, qvuiTimeline_Time(timeline, &editor->kit.style, igGetIO()->MousePos.x));
    return true;
}

// B, then a click: the box goes from there.
static void StartBox(qvuiTimeline* timeline)
{
    if (!igIsMouseClicked(ImGuiMouseButton_Left, false))
        return;
    timeline->boxStart = igGetIO()->MousePos;
    timeline->boxWaits = timeline->modal = false;
}

// What is dragged to the right end takes the end along: more and more time comes into the picture, because beyond the
// edge of the screen the mouse cannot go.
static void StretchAtEnd(qvuiEditor* editor)
{
    const ImGuiIO* io = igGetIO();
    qvuiTimeline* timeline = &editor->timeline;
    float end = timeline->place.x + timeline->size.x - qvuiPixels(&editor->kit.style, 12);
    timeline->stretches = Edits(timeline->drag) && io->MousePos.x >= end;
    if (timeline->stretches)
        timeline->perSecond = fmax(timeline->perSecond * exp(-0.2 * io->DeltaTime), 1.0);
}

static void FollowMouse(qvuiEditor* editor, bool active)
{
    qvuiTimeline* timeline = &editor->timeline;
    const ImGuiIO* io = igGetIO();
    qvuiTimeline_DragHint(editor);
    if (timeline->boxWaits)
    {
        StartBox(timeline);
        if (igIsMouseClicked(ImGuiMouseButton_Right, false))
            qvuiTimeline_Cancel(editor);
        return;
    }
    bool finished = timeline->modal ? igIsMouseClicked(ImGuiMouseButton_Left, false) : !active;
    if (finished)
    {
        Release(editor);
        return;
    }
    if (timeline->modal && igIsMouseClicked(ImGuiMouseButton_Right, false))
    {
        qvuiTimeline_Cancel(editor);
        return;
    }
    // A few pixels of slack, so that a click does not move anything.
    bool isPlane = timeline->drag == qvui_timelineKnot; // up and down as well
    float across = isPlane ? fabsf(io->MousePos.y - io->MouseClickedPos[0].y) : 0.0f;
    bool far = fmaxf(fabsf(io->MousePos.x - io->MouseClickedPos[0].x), across) > 3.0f * editor->kit.style.scale;
    bool starts = timeline->modal || timeline->moved || far || timeline->drag == qvui_timelineScrub;
    if (timeline->drag == qvui_timelineScrub)
        timeline->moved = timeline->moved || far;
    double typed;
    if (timeline->modal && ReadTyped(timeline, &typed))
        return;
    if (starts)
        StretchAtEnd(editor);
    bool hasMoved = io->MouseDelta.x != 0.0f || (isPlane && io->MouseDelta.y != 0.0f);
    if (starts && (hasMoved || timeline->drag == qvui_timelineScrub || timeline->stretches))
        DragTo(editor, qvuiTimeline_Time(timeline, &editor->kit.style, io->MousePos.x));
}

void qvuiTimeline_HandleMouse(qvuiEditor* editor, bool hovered, bool active)
{
    qvuiTimeline* timeline = &editor->timeline;
    const ImGuiIO* io = igGetIO();
    if (timeline->drag != qvui_timelineIdle && timeline->drag != qvui_timelinePan)
    {
        FollowMouse(editor, active);
        return;
    }
    if (!hovered || timeline->drag == qvui_timelinePan)
        return;
    int part;
    qvRef found = Find(editor, io->MousePos, &part);
    qvuiTimeline_Hint(editor, found, part);
    if (igIsMouseDoubleClicked(ImGuiMouseButton_Left) && found.kind == qv_objectMarker)
    {
        timeline->renamed = found.id;
        timeline->markerName[0] = 0;
    }
    else if (igIsMouseClicked(ImGuiMouseButton_Left, false))
    {
        Press(editor, io->MousePos);
        if (timeline->drag == qvui_timelineScrub)
            FollowMouse(editor, true);
    }
    else if (igIsMouseClicked(ImGuiMouseButton_Right, false))
        qvuiTimeline_OpenMenu(editor, found);
}
