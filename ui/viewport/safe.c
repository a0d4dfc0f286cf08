// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <math.h>

static void Frame(const qvuiViewport* viewport, ImDrawList* list, float aspect, float part, ImU32 color, float line)
{
    ImVec2 middle = { viewport->place.x + 0.5f * viewport->size.x, viewport->place.y + 0.5f * viewport->size.y };
    // A lens is an angle from top to bottom: a film is as high as the picture, and as wide as its sides have it.
    float height = 0.5f * part * viewport->size.y, width = aspect * height;
    ImVec2 from = { floorf(middle.x - width) + 0.5f, floorf(middle.y - height) + 0.5f };
    ImVec2 to = { floorf(middle.x + width) - 0.5f, floorf(middle.y + height) - 0.5f };
    ImDrawList_AddRect(list, from, to, color, 0.0f, 0, line);
}

void qvuiDrawSafe(const qvuiEditor* editor, ImDrawList* list)
{
    const qvuiViewport* viewport = &editor->viewport;
    const qvuiPainterDef* film = &editor->exportForm.request.film.look;
    if (!viewport->showSafe || editor->session.body == NULL)
        return;
    float aspect = film->height > 0 ? (float)film->width / (float)film->height : 16.0f / 9.0f,
          line = fmaxf(1.0f, qvuiPixels(&editor->kit.style, 1));
    ImVec2 end = { viewport->place.x + viewport->size.x, viewport->place.y + viewport->size.y };
    ImDrawList_PushClipRect(list, viewport->place, end, true);
    Frame(viewport, list, aspect, 1.0f, QVUI_RGBA(0xe4e7eb, 90), line);
    Frame(viewport, list, aspect, 0.9f, QVUI_RGBA(0xe4e7eb, 60), line);
    Frame(viewport, list, aspect, 0.8f, QVUI_RGBA(0xe4e7eb, 60), line);
    ImDrawList_PopClipRect(list);
}
