// SPDX-License-Identifier: GPL-3.0-or-later
// What the automatic secondary motion generated: a tick per impulse, as high as its drag.
#include "ui/editor/editor.h"

#include <math.h>

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvTake* take = editor->session.take;
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    int count = take != NULL ? qvTake_GeneratedCount(take) : 0;
    double peak = 1e-30;
    for (int i = 0; i < count; i++)
        peak = fmax(peak, qvLength(qvTake_GeneratedEvent(take, i)->def.stroke.drag));
    for (int i = 0; i < count; i++)
    {
        const qvSceneEvent* event = qvTake_GeneratedEvent(take, i);
        float x = floorf(qvuiTimeline_X(&editor->timeline, style, event->def.time)) + 0.5f;
        float half = size.y * (float)(0.08 + 0.25 * qvLength(event->def.stroke.drag) / peak);
        float middle = place.y + 0.5f * size.y;
        ImDrawList_AddLine(list, (ImVec2){ x, middle - half }, (ImVec2){ x, middle + half }, QVUI_RGB(0x9c4a42),
                           qvuiPixels(style, 2));
    }
}

static const char* Empty(const qvuiEditor* editor)
{
    bool enabled = qvuiSession_Scene(&editor->session)->secondary.enabled;
    return enabled ? NULL : "Secondary motion in the inspector lets waves swing from the motion";
}

const qvuiTrack qvuiTrackSecondary = { "Secondary", 34, Draw, NULL, Empty };
