// SPDX-License-Identifier: GPL-3.0-or-later
// The mesh file's own animation: a bar from its start to its end, and paler ones where it repeats.
#include "ui/editor/editor.h"

#include <math.h>

enum
{
    MOST_BARS = 2000, // of a very short animation only so many are drawn
};

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

static void DrawName(qvuiEditor* editor, const char* name, double start, double end, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float left = qvuiTimeline_X(&editor->timeline, style, start), right = qvuiTimeline_X(&editor->timeline, style, end);
    ImVec2 lower = { fmaxf(left, place.x), place.y }, upper = { right, place.y + size.y };
    if (right <= place.x || left >= place.x + size.x)
        return;
    ImDrawList_PushClipRect(list, lower, upper, true);
    qvuiDrawText(list, style->value, (ImVec2){ lower.x + qvuiPixels(style, 8), place.y }, size.y, QVUI_TEXT, name);
    ImDrawList_PopClipRect(list);
    qvuiNames_AddRect(&editor->kit.names, "Clip bar", (ImVec2){ left, lower.y }, upper);
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    int index = qvuiSession_Clip(&editor->session);
    if (index < 0)
        return;
    const qvRig* rig = qvuiSession_Rig(&editor->session);
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    double length = qvRig_ClipDuration(rig, index) / scene->clip.speed, start = scene->clip.start;
    const qvuiStyle* style = &editor->kit.style;
    double first = qvuiTimeline_Time(&editor->timeline, style, place.x);
    double last = qvuiTimeline_Time(&editor->timeline, style, place.x + size.x);
    double from = length > 0.0 ? floor((first - start) / length) : 0.0;
    for (int i = 0; scene->clip.repeat && length > 0.0 && i < MOST_BARS && start + (from + i) * length < last; i++)
        DrawBar(editor, start + (from + i) * length, start + (from + i + 1) * length, place, size, false);
    DrawBar(editor, start, start + length, place, size, true);
    DrawName(editor, qvRig_ClipName(rig, index), start, start + length, place, size);
}

static const char* Empty(const qvuiEditor* editor)
{
    if (qvuiSession_Rig(&editor->session) == NULL)
        return "";
    return qvuiSession_Clip(&editor->session) < 0 ? "Clip in the inspector lets the file's own animation play" : NULL;
}

const qvuiTrack qvuiTrackClip = { "Clip", 28, Draw, NULL, Empty };
