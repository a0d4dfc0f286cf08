// SPDX-License-Identifier: GPL-3.0-or-later
// Events as clips, and the transients of keys.
#include "ui/editor/editor.h"

#include <math.h>
#include <string.h>

// An event without an end shows for as long as its wave takes to cross the body.
static double EventEnd(const qvuiEditor* editor, const qvSceneEvent* event)
{
    if (isfinite(event->def.until))
        return event->def.until;
    double diagonal = editor->session.body != NULL ? editor->session.body->diagonal : 1.0;
    return event->def.time +
           fmin(fmax(2.0 * diagonal * qvuiSession_Scene(&editor->session)->unit / fmax(event->def.speed, 1e-3), 0.15),
                2.0);
}

// A clip ends with the motion: after that there is no time in which it could move anything.
static void ClipRect(const qvuiEditor* editor, double start, double end, ImVec2 place, ImVec2 size, ImVec2* lower,
                     ImVec2* upper)
{
    const qvuiStyle* style = &editor->kit.style;
    double range[2];
    qvScene_Range(qvuiSession_Scene(&editor->session), range);
    end = fmin(end, range[1]);
    float inset = fminf(qvuiPixels(style, 4), floorf(0.12f * size.y));
    *lower = (ImVec2){ qvuiTimeline_X(&editor->timeline, style, start), place.y + inset };
    *upper = (ImVec2){ fmaxf(qvuiTimeline_X(&editor->timeline, style, end), lower->x + qvuiPixels(style, 8)),
                       place.y + size.y - inset };
}

static void DrawClip(const qvuiEditor* editor, ImVec2 lower, ImVec2 upper, const char* label, bool strong, bool muted)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float radius = qvuiPixels(style, 3), edge = qvuiPixels(style, 4);
    ImU32 alpha = muted ? 70 : 255;
    ImDrawList_AddRectFilled(list, lower, upper, QVUI_RGBA(0x5a3231, alpha), radius, 0);
    ImDrawList_AddRectFilled(list, lower, (ImVec2){ lower.x + edge, upper.y }, QVUI_RGBA(0xff6f5e, alpha), radius, 0);
    if (strong)
        ImDrawList_AddRect(list, lower, upper, QVUI_RGB(0xffffff), radius, 0, 1);
    ImDrawList_PushClipRect(list, lower, upper, true);
    qvuiDrawText(list, style->value, (ImVec2){ lower.x + edge + qvuiPixels(style, 6), lower.y }, upper.y - lower.y,
                 muted ? QVUI_MUTED : QVUI_TEXT, label);
    ImDrawList_PopClipRect(list);
}

// In a loop, what does not fit before the end goes on from the start.
static void DrawRest(const qvuiEditor* editor, const qvSceneEvent* event, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    double range[2], end = EventEnd(editor, event);
    qvScene_Range(scene, range);
    if (!scene->loop || end <= range[1])
        return;
    ImVec2 lower, upper;
    ClipRect(editor, range[0], range[0] + end - range[1], place, size, &lower, &upper);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), lower, upper, QVUI_RGBA(0x5a3231, event->def.mute ? 35 : 120),
                             qvuiPixels(&editor->kit.style, 3), 0);
}

static const char* EventLabel(const qvSceneEvent* event)
{
    if (event->name[0] != 0)
        return event->name;
    return event->def.push ? "push" : "wave";
}

static void DrawKeyWaves(const qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        if (key->interp != qv_interpWave && !key->ripple)
            continue;
        ImVec2 lower, upper;
        double end = i + 1 < scene->keyCount ? scene->keys[i + 1]->time : key->time + 1.0;
        ClipRect(editor, key->time, fmin(end, key->time + 1.0), place, size, &lower, &upper);
        DrawClip(editor, lower, upper, key->ripple ? "ripple" : "wave", false, false);
    }
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    DrawKeyWaves(editor, place, size);
    for (int i = 0; i < scene->eventCount; i++)
    {
        const qvSceneEvent* event = scene->events[i];
        ImVec2 lower, upper;
        DrawRest(editor, event, place, size);
        ClipRect(editor, event->def.time, EventEnd(editor, event), place, size, &lower, &upper);
        DrawClip(editor, lower, upper, EventLabel(event), editor->session.selection.event == event->id,
                 event->def.mute);
        char name[qv_maxTag + 8] = "Event ";
        strncat(name, event->tag, qv_maxTag);
        qvuiNames_AddRect(&editor->kit.names, name, lower, upper);
    }
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float reach = qvuiPixels(&editor->kit.style, 5);
    for (int i = scene->eventCount - 1; i >= 0; i--)
    {
        ImVec2 lower, upper;
        ClipRect(editor, scene->events[i]->def.time, EventEnd(editor, scene->events[i]), place, size, &lower, &upper);
        if (mouse.x < lower.x || mouse.x > upper.x + reach)
            continue;
        *part = mouse.x > upper.x - reach;
        return (qvRef){ qv_objectEvent, scene->events[i]->id };
    }
    return (qvRef){ qv_objectScene, 0 };
}

static const char* Empty(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    for (int i = 0; i < scene->keyCount; i++)
        if (scene->keys[i]->interp == qv_interpWave || scene->keys[i]->ripple)
            return NULL;
    return scene->eventCount == 0 ? "W and a click on the body send a wave through it" : NULL;
}

const qvuiTrack qvuiTrackWaves = { "Waves", 34, Draw, Find, Empty };
