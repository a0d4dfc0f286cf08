// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that move the whole body.
#include "ui/editor/editor.h"

#include <math.h>

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float middle = place.y + floorf(0.5f * size.y), radius = fminf(qvuiPixels(style, 6), 0.36f * size.y), last = -1.0f;
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (!scene->keys[i]->hasTransform)
            continue;
        float x = floorf(qvuiTimeline_X(&editor->timeline, style, scene->keys[i]->time)) + 0.5f;
        if (last >= 0.0f)
            ImDrawList_AddLine(list, (ImVec2){ last + radius, middle }, (ImVec2){ x - radius, middle },
                               QVUI_RGB(0x4a5058), 1);
        ImU32 color = qvuiSession_IsKeySelected(&editor->session, scene->keys[i]->id) ? QVUI_RGB(0xffffff) : QVUI_MUTED;
        ImDrawList_AddQuadFilled(list, (ImVec2){ x, middle - radius }, (ImVec2){ x + radius, middle },
                                 (ImVec2){ x, middle + radius }, (ImVec2){ x - radius, middle }, color);
        last = x;
    }
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    (void)place, (void)size, (void)part;
    for (int i = 0; i < scene->keyCount; i++)
    {
        float x = qvuiTimeline_X(&editor->timeline, &editor->kit.style, scene->keys[i]->time);
        if (scene->keys[i]->hasTransform && fabsf(x - mouse.x) <= qvuiPixels(&editor->kit.style, 8))
            return (qvRef){ qv_objectKey, scene->keys[i]->id };
    }
    return (qvRef){ qv_objectScene, 0 };
}

static const char* Empty(const qvuiEditor* editor)
{
    return qvScene_KeysFrame(qvuiSession_Scene(&editor->session)) ? NULL : "T moves and turns the whole body";
}

const qvuiTrack qvuiTrackFrame = { "Body frame", 32, Draw, Find, Empty };
