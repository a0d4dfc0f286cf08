// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "quaver/primitive.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char welcomeTitle[] = "Drop a mesh here, or pick a shape";

static void CentredText(const qvuiEditor* editor, ImFont* font, float y, ImU32 color, const char* text)
{
    const qvuiViewport* viewport = &editor->viewport;
    float x = viewport->place.x + 0.5f * (viewport->size.x - qvuiTextWidth(font, text));
    igPushFont(font);
    qvuiDrawText(igGetWindowDrawList(), font, (ImVec2){ x, y }, igGetFontSize(), color, text);
    igPopFont();
}

// The endings of files that can be read, ".glb  .gltf  .obj".
static void ListEndings(char* text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < qvFormatCount(); i++)
    {
        qvFormatInfo format = qvGetFormat(i);
        if (!format.canRead || used >= capacity)
            continue;
        int length = (int)strcspn(format.extensions, " ");
        used +=
            (size_t)snprintf(text + used, capacity - used, "%s.%.*s", used > 0 ? "  " : "", length, format.extensions);
    }
}

static float PillWidth(const qvuiStyle* style, const char* label)
{
    return qvuiTextWidth(style->body, label) + qvuiPixels(style, 26);
}

static float RowLimit(const qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    return fminf(editor->viewport.size.x - qvuiPixels(style, 80), qvuiPixels(style, 640));
}

// The end of the row of shapes that starts with first, no wider than the viewport allows, and its width.
static int FindRowEnd(const qvuiEditor* editor, int first, float* width)
{
    const qvuiStyle* style = &editor->kit.style;
    float gap = qvuiPixels(style, 8), limit = RowLimit(editor);
    *width = PillWidth(style, qvGetPrimitive(first)->label);
    int end = first + 1;
    for (; end < qvPrimitiveCount(); end++)
    {
        float wider = *width + gap + PillWidth(style, qvGetPrimitive(end)->label);
        if (wider > limit)
            break;
        *width = wider;
    }
    return end;
}

// Shapes in centred rows.
static void DrawShapes(qvuiEditor* editor, float y)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    for (int first = 0; first < qvPrimitiveCount();)
    {
        float width;
        int end = FindRowEnd(editor, first, &width);
        float x = viewport->place.x + floorf(0.5f * (viewport->size.x - width));
        for (; first < end; first++)
        {
            const qvPrimitive* primitive = qvGetPrimitive(first);
            igSetCursorScreenPos((ImVec2){ x, y });
            if (qvuiPill(&editor->kit, primitive->label, 0.0f, primitive->description))
                qvuiEditor_Request(editor, qvui_pendingShape, primitive->tag);
            x += PillWidth(style, primitive->label) + qvuiPixels(style, 8);
        }
        y += qvuiPixels(style, 34);
    }
}

// A card that keeps the ground's lines away from the text. y is the top of the title.
static void DrawCard(const qvuiEditor* editor, float y)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    float pad = qvuiPixels(style, 28), rowWidth, width = qvuiTextWidth(style->title, welcomeTitle), end = y;
    for (int first = 0; first < qvPrimitiveCount();)
    {
        first = FindRowEnd(editor, first, &rowWidth);
        width = fmaxf(width, rowWidth);
        end += qvuiPixels(style, 34);
    }
    end += qvuiPixels(style, 118 - 8) + pad;
    float middle = viewport->place.x + 0.5f * viewport->size.x, half = 0.5f * width + pad;
    ImVec2 lower = { floorf(middle - half), y - pad }, upper = { floorf(middle + half), end };
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, lower, upper, QVUI_PANEL, qvuiPixels(style, 10), 0);
    ImDrawList_AddRect(list, lower, upper, QVUI_LINE, qvuiPixels(style, 10), 0, 1);
}

void qvuiDrawWelcome(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    if (editor->loader.running)
        return;
    float y = viewport->place.y + floorf(0.36f * viewport->size.y);
    DrawCard(editor, y);
    CentredText(editor, style->title, y, QVUI_TEXT, welcomeTitle);
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
