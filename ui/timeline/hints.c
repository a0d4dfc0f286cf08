// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar says about the mouse in the timeline, and what tracks say while they are empty.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

void qvuiTimeline_DragHint(qvuiEditor* editor)
{
    const qvuiTimeline* timeline = &editor->timeline;
    bool scales = timeline->drag == qvui_timelineScale;
    if (timeline->boxWaits)
        editor->hint = "Drag\ta box around keys|Shift\tadd to the selection|Esc\tback";
    else if (timeline->modal)
        editor->hint = scales ? "Move\tscale in time|0-9\ttype a factor|LMB, Enter\ttake it|Esc\tback"
                              : "Move\tin time|0-9\ttype frames|Ctrl\tfree of frames|LMB, Enter\ttake it|Esc\tback";
    else if (timeline->drag == qvui_timelineScrub)
        editor->hint = "Let go\tto stop|Ctrl\tsnap to frames|Esc\tback";
    else if (timeline->drag == qvui_timelineKnot)
        editor->hint = "Up, down\tmore liquid, more solid|Left, right\tin time|Ctrl\tfree of frames|Esc\tcancel";
    else if (timeline->drag == qvui_timelineBox)
        editor->hint = "Let go\tto select|Shift\tadd to the selection|Esc\tcancel";
    else
        editor->hint = "Let go\tto finish|Ctrl\tfree of frames|Esc\tcancel";
}

void qvuiTimeline_Hint(qvuiEditor* editor, qvRef found, int part)
{
    if (found.kind == qv_objectKey && part != 0)
    {
        editor->hint = "Drag\tscale the times of the selected keys|Ctrl\tfree of frames|Esc\tcancel";
        igSetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }
    else if (found.kind == qv_objectKey)
    {
        editor->hint = "Drag\tmove in time|Ctrl\tfree of frames|Alt drag\tripple|Shift\tadd to selection|RMB\tmenu";
        igSetMouseCursor(ImGuiMouseCursor_Hand);
    }
    else if (found.kind == qv_objectEvent)
    {
        editor->hint = part == 1 ? "Drag\tstretch" : "Drag\tmove in time|RMB\tmenu";
        igSetMouseCursor(part == 1 ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_Hand);
    }
    else if (found.kind == qv_objectSimulation && found.id == 0)
        editor->hint = "Drag\ta span in which physics moves the body|Ctrl\tfree of frames|RMB\tmenu";
    else if (found.kind == qv_objectSimulation && part >= qvui_meltEmpty)
    {
        editor->hint = part == qvui_meltEmpty ? "Click, drag\ta new point: up is liquid, down is solid"
                                              : "Drag\tmove|Double click\tremove|Ctrl\tfree of frames|Esc\tcancel";
        igSetMouseCursor(part == qvui_meltEmpty ? ImGuiMouseCursor_Arrow : ImGuiMouseCursor_Hand);
    }
    else if (found.kind == qv_objectSimulation)
    {
        editor->hint = part != 0 ? "Drag\tstretch|Ctrl\tfree of frames|Esc\tcancel"
                                 : "Drag\tmove in time|Alt drag\tcopy|Ctrl\tfree of frames|X\tdelete|RMB\tmenu";
        igSetMouseCursor(part != 0 ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_Hand);
    }
    else if (found.kind == qv_objectClip)
    {
        editor->hint = part != 0 ? "Drag\tplay faster or slower|Ctrl\tfree of frames|Esc\tcancel"
                                 : "Drag\tmove in time|Ctrl\tfree of frames|RMB\tmenu";
        igSetMouseCursor(part != 0 ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_Hand);
    }
    else if (igGetIO()->MousePos.y < editor->timeline.place.y)
        editor->hint =
            "Click\tgo to a frame|Drag\tscrub freely|Ctrl\tthe other way round|Shift drag\tpreview range|Wheel\tzoom";
    else
        editor->hint = "Drag\tbox select|I\tinsert key|Wheel\tzoom|Shift wheel\tpan|Home\tfit";
}

// The words of tracks that are empty; where they have no room they are left out.
void qvuiTimeline_DrawEmptyTracks(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    float y = timeline->place.y, pad = qvuiPixels(style, 4);
    for (int i = 0; i < qvuiTrackCount(); i++)
    {
        const qvuiTrack* track = qvuiGetTrack(i);
        float height = qvuiTrackHeight(editor, i), half = fminf(0.5f * height, qvuiPixels(style, 10));
        const char* text = track->empty != NULL ? track->empty(editor) : NULL;
        float width = text != NULL ? qvuiTextWidth(style->value, text) : 0.0f;
        if (text != NULL && width < 0.8f * timeline->size.x && height >= qvuiPixels(style, 14))
        {
            ImVec2 place = { floorf(timeline->place.x + 0.5f * (timeline->size.x - width)), y };
            float middle = y + 0.5f * height;
            ImDrawList_AddRectFilled(list, (ImVec2){ place.x - pad, middle - half },
                                     (ImVec2){ place.x + width + pad, middle + half }, QVUI_WINDOW, 0, 0);
            qvuiDrawText(list, style->value, place, height, QVUI_RGB(0x5f6772), text);
            char name[48];
            snprintf(name, sizeof(name), "Empty %s", track->label);
            qvuiNames_AddRect(&editor->kit.names, name, place, (ImVec2){ place.x + width, y + height });
        }
        y += height;
    }
}
