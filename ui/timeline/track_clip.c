// SPDX-License-Identifier: GPL-3.0-or-later
// The mesh file's own animation: a bar from its start to its end, and paler ones where it repeats. A drag moves its
// start; one of its end makes it faster or slower.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

enum
{
    MOST_BARS = 2000, // of a very short animation only so many are drawn
    PART_END = 1,
    REACH = 5, // of the end, pixels
};

static const qvRef clipObject = { qv_objectClip, 0 };

// Seconds of the scene that it takes to play once.
static double Length(const qvuiEditor* editor, int index)
{
    return qvRig_ClipDuration(qvuiSession_Rig(&editor->session), index) /
           qvuiSession_Scene(&editor->session)->clip.speed;
}

static void DrawBar(const qvuiEditor* editor, double start, double end, ImVec2 place, ImVec2 size, bool isFirst)
{
    const qvuiStyle* style = &editor->kit.style;
    float inset = fminf(qvuiPixels(style, 4), floorf(0.12f * size.y)), gap = qvuiPixels(style, 1);
    ImVec2 lower = { qvuiTimeline_X(&editor->timeline, style, start), place.y + inset };
    ImVec2 upper = { fmaxf(qvuiTimeline_X(&editor->timeline, style, end) - gap, lower.x + gap),
                     place.y + size.y - inset };
    if (upper.x < place.x || lower.x > place.x + size.x)
        return;
    ImDrawList_AddRectFilled(igGetWindowDrawList(), lower, upper, QVUI_RGBA(0x2f5f63, isFirst ? 255 : 120),
                             qvuiPixels(style, 3), 0);
}

static void DrawName(qvuiEditor* editor, const char* name, double speed, double start, double end, ImVec2 place,
                     ImVec2 size)
{
    char text[160];
    int length = snprintf(text, sizeof(text), "%.100s", name);
    if (speed != 1.0)
        snprintf(text + length, sizeof(text) - (size_t)length, "%s\xc3\x97 %.3g", length > 0 ? "  " : "", speed);
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float left = qvuiTimeline_X(&editor->timeline, style, start), right = qvuiTimeline_X(&editor->timeline, style, end);
    ImVec2 lower = { fmaxf(left, place.x), place.y }, upper = { right, place.y + size.y };
    if (right <= place.x || left >= place.x + size.x)
        return;
    ImDrawList_PushClipRect(list, lower, upper, true);
    qvuiDrawText(list, style->value, (ImVec2){ lower.x + qvuiPixels(style, 8), place.y }, size.y, QVUI_TEXT, text);
    ImDrawList_PopClipRect(list);
    float reach = qvuiPixels(style, REACH);
    qvuiNames_AddRect(&editor->kit.names, "Clip bar", (ImVec2){ left, lower.y }, upper);
    qvuiNames_AddRect(&editor->kit.names, "Clip end", (ImVec2){ right - reach, lower.y },
                      (ImVec2){ right + reach, upper.y });
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    int index = qvuiSession_Clip(&editor->session);
    if (index < 0)
        return;
    const qvRig* rig = qvuiSession_Rig(&editor->session);
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    double length = Length(editor, index), start = scene->clip.start;
    const qvuiStyle* style = &editor->kit.style;
    double first = qvuiTimeline_Time(&editor->timeline, style, place.x);
    double last = qvuiTimeline_Time(&editor->timeline, style, place.x + size.x);
    double from = length > 0.0 ? floor((first - start) / length) : 0.0;
    for (int i = 0; scene->clip.repeat && length > 0.0 && i < MOST_BARS && start + (from + i) * length < last; i++)
        DrawBar(editor, start + (from + i) * length, start + (from + i + 1) * length, place, size, false);
    DrawBar(editor, start, start + length, place, size, true);
    DrawName(editor, qvRig_ClipName(rig, index), scene->clip.speed, start, start + length, place, size);
}

// What repeats is dragged anywhere, and stretched at the end of its first bar.
static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    (void)place, (void)size;
    const qvRef none = { qv_objectScene, 0 };
    int index = qvuiSession_Clip(&editor->session);
    if (index < 0)
        return none;
    const qvuiStyle* style = &editor->kit.style;
    const qvSceneClip* clip = &qvuiSession_Scene(&editor->session)->clip;
    double length = Length(editor, index);
    float reach = qvuiPixels(style, REACH), lower = qvuiTimeline_X(&editor->timeline, style, clip->start);
    float upper = qvuiTimeline_X(&editor->timeline, style, clip->start + length);
    if (!clip->repeat && (mouse.x < lower || mouse.x > upper + reach))
        return none;
    *part = length > 0.0 && fabsf(mouse.x - upper) < reach ? PART_END : 0;
    return clipObject;
}

static const char* Empty(const qvuiEditor* editor)
{
    if (qvuiSession_Rig(&editor->session) == NULL)
        return "";
    return qvuiSession_Clip(&editor->session) < 0 ? "Clip in the inspector lets the file's own animation play" : NULL;
}

const qvuiTrack qvuiTrackClip = { "Clip", 28, Draw, Find, Empty };

// --- The mouse ------------------------------------------------------------------------------------------------------

void qvuiTimeline_PressClip(qvuiEditor* editor, int part)
{
    editor->panelOpen[qvuiPanelClipIndex] = true;
    qvuiTimeline_BeginDrag(editor, part == PART_END ? qvui_timelineClipEnd : qvui_timelineClip, clipObject,
                           qvuiSession_Scene(&editor->session)->clip.start);
}

void qvuiTimeline_DragClip(qvuiEditor* editor, double start, double now)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    int index = qvuiSession_Clip(&editor->session);
    if (index < 0)
        return;
    bool atEnd = editor->timeline.drag == qvui_timelineClipEnd;
    const char* field = atEnd ? "speed" : "start";
    double value = start, frame = 1.0 / scene->fps;
    if (atEnd)
    {
        double length = fmax(qvuiTimeline_Snap(editor, now) - scene->clip.start, frame);
        value = qvRig_ClipDuration(qvuiSession_Rig(&editor->session), index) / length;
    }
    const qvField* info = qvFindField(qv_objectClip, field);
    value = fmin(fmax(value, info->minimum), info->maximum);
    qvError error;
    qvuiEditor_Did(editor, qvDocument_SetNumber(editor->session.document, clipObject, field, value, &error), &error);
    editor->timeline.moved = true;
}
