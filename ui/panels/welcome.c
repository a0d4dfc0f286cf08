// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "quaver/primitive.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void CentredText(const qvuiEditor* editor, ImFont* font, float y, ImU32 color, const char* text)
{
    const qvuiViewport* viewport = &editor->viewport;
    float x = viewport->place.x + 0.5f * (viewport->size.x - qvuiTextWidth(font, text));
    igPushFont(font);
    qvuiDrawText(igGetWindowDrawList(), font, (ImVec2){ x, y }, igGetFontSize(), color, text);
    igPopFont();
}

// The endings of files that can be read, "glb, gltf, obj".
static void ListEndings(char* text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < qvFormatCount(); i++)
    {
        qvFormatInfo format = qvGetFormat(i);
        if (!format.canRead || used >= capacity)
            continue;
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", used > 0 ? ", " : "", format.label);
    }
}

static float PillWidth(const qvuiStyle* style, const char* label)
{
    return qvuiTextWidth(style->body, label) + qvuiPixels(style, 26);
}

// Shapes in centred rows no wider than the viewport allows.
static void DrawShapes(qvuiEditor* editor, float y)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    float gap = qvuiPixels(style, 8), limit = fminf(viewport->size.x - 4 * gap, qvuiPixels(style, 640));
    int count = qvPrimitiveCount();
    for (int first = 0; first < count;)
    {
        float width = 0.0f;
        int end = first;
        for (; end < count; end++)
        {
            float wider = width + (end > first ? gap : 0.0f) + PillWidth(style, qvGetPrimitive(end)->label);
            if (end > first && wider > limit)
                break;
            width = wider;
        }
        float x = viewport->place.x + floorf(0.5f * (viewport->size.x - width));
        for (; first < end; first++)
        {
            const qvPrimitive* primitive = qvGetPrimitive(first);
            igSetCursorScreenPos((ImVec2){ x, y });
            if (qvuiPill(&editor->kit, primitive->label, 0.0f, primitive->description))
                qvuiEditor_OpenShape(editor, primitive->tag);
            x += PillWidth(style, primitive->label) + gap;
        }
        y += qvuiPixels(style, 34);
    }
}

void qvuiDrawWelcome(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    if (editor->loader.running)
        return;
    float y = viewport->place.y + floorf(0.36f * viewport->size.y);
    CentredText(editor, style->title, y, QVUI_TEXT, "Drop a mesh here, or pick a shape");
    char endings[192];
    ListEndings(endings, sizeof(endings));
    CentredText(editor, style->body, y + qvuiPixels(style, 36), QVUI_MUTED, endings);
    static const char openLabel[] = QVUI_ICON_FOLDER_OPEN "  Open\xe2\x80\xa6";
    float width = PillWidth(style, openLabel);
    igSetCursorScreenPos(
        (ImVec2){ viewport->place.x + floorf(0.5f * (viewport->size.x - width)), y + qvuiPixels(style, 72) });
    if (qvuiPill(&editor->kit, openLabel, width, "Choose a mesh file (Ctrl+O)"))
        qvuiEditor_SetDialog(editor, qvui_dialogOpen);
    DrawShapes(editor, y + qvuiPixels(style, 118));
}
