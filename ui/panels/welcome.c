// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "quaver/path.h"
#include "quaver/primitive.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char welcomeTitle[] = "Open a demo, a shape, or drop a mesh here";

enum
{
    CARD_WIDTH = 150, // of a demo, at scale 1
    CARD_HEIGHT = 84,
    CARD_LABEL = 24,
    GAP = 10,
    RECENT_SHOWN = 4,
};

// Where things go, from top to bottom of a card in the middle of the viewport.
typedef struct Layout
{
    ImVec2 place, size; // of the card
    float width;        // of what is in it
    int columns, rows;  // of demos
    int recent;         // files shown
} Layout;

static float PillWidth(const qvuiStyle* style, const char* label)
{
    return qvuiTextWidth(style->body, label) + qvuiPixels(style, 26);
}

// The end of the row of shapes that starts with first, no wider than width, and its own width.
static int FindRowEnd(const qvuiStyle* style, int first, float limit, float* width)
{
    float gap = qvuiPixels(style, 8);
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

static int CountShapeRows(const qvuiStyle* style, float limit)
{
    int rows = 0;
    float width;
    for (int first = 0; first < qvPrimitiveCount(); rows++)
        first = FindRowEnd(style, first, limit, &width);
    return rows;
}

static Layout MakeLayout(const qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    float pad = qvuiPixels(style, 24), margin = qvuiPixels(style, 16), gap = qvuiPixels(style, GAP);
    Layout layout = { 0 };
    float room = viewport->size.x - 2 * (pad + margin), card = qvuiPixels(style, CARD_WIDTH);
    layout.columns = (int)fmaxf(1.0f, floorf((room + gap) / (card + gap)));
    if (layout.columns > 6)
        layout.columns = 6;
    layout.rows = (editor->demos.count + layout.columns - 1) / layout.columns;
    layout.width = fmaxf((float)layout.columns * (card + gap) - gap, fminf(room, qvuiPixels(style, 480)));
    while (layout.recent < RECENT_SHOWN && editor->recent[layout.recent][0] != 0)
        layout.recent++;
    float height = qvuiPixels(style, 40 + 36 + 8);
    height += (float)layout.rows * qvuiPixels(style, CARD_HEIGHT + CARD_LABEL + GAP);
    height += (float)CountShapeRows(style, layout.width) * qvuiPixels(style, 34);
    height += layout.recent > 0 ? qvuiPixels(style, 28) + (float)layout.recent * qvuiPixels(style, 24) : 0.0f;
    layout.size = (ImVec2){ layout.width + 2 * pad, fminf(height + 2 * pad, viewport->size.y - 2 * margin) };
    layout.place = (ImVec2){ viewport->place.x + floorf(0.5f * (viewport->size.x - layout.size.x)),
                             viewport->place.y + floorf(0.5f * (viewport->size.y - layout.size.y)) };
    return layout;
}

// The endings of files that can be read, ".json  .glb  .gltf  .obj".
static void ListEndings(char* text, size_t capacity)
{
    size_t used = (size_t)snprintf(text, capacity, ".json");
    for (int i = 0; i < qvFormatCount(); i++)
    {
        qvFormatInfo format = qvGetFormat(i);
        if (!format.canRead || used >= capacity)
            continue;
        int length = (int)strcspn(format.extensions, " ");
        used += (size_t)snprintf(text + used, capacity - used, "  .%.*s", length, format.extensions);
    }
}

static void DrawTitle(qvuiEditor* editor, const Layout* layout)
{
    const qvuiStyle* style = &editor->kit.style;
    char buffer[128], endings[192];
    ImVec2 place;
    igGetCursorScreenPos(&place);
    // Where there is no room for the large letters, the small ones do.
    ImFont* font = qvuiTextWidth(style->title, welcomeTitle) <= layout->width ? style->title : style->strong;
    const char* title = qvuiShorten(font, welcomeTitle, layout->width, false, buffer, sizeof(buffer));
    qvuiDrawText(igGetWindowDrawList(), font, place, qvuiPixels(style, 26), QVUI_TEXT, title);
    igSetCursorScreenPos((ImVec2){ place.x, place.y + qvuiPixels(style, 40) });
    if (qvuiPill(&editor->kit, QVUI_ICON_FOLDER_OPEN "  Open\xe2\x80\xa6", 0.0f,
                 "Opens a scene or a mesh file (Ctrl+O)"))
        qvuiEditor_SetDialog(editor, qvui_dialogOpen);
    float button = PillWidth(style, QVUI_ICON_FOLDER_OPEN "  Open\xe2\x80\xa6") + qvuiPixels(style, 12);
    ListEndings(endings, sizeof(endings));
    qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ place.x + button, place.y + qvuiPixels(style, 40) },
                 qvuiPixels(style, 26), QVUI_MUTED, endings);
    igSetCursorScreenPos((ImVec2){ place.x, place.y + qvuiPixels(style, 40 + 36 + 8) });
}

static void DrawDemo(qvuiEditor* editor, const qvuiDemo* demo, ImVec2 place)
{
    qvuiKit* kit = &editor->kit;
    const qvuiStyle* style = &kit->style;
    ImVec2 size = { qvuiPixels(style, CARD_WIDTH), qvuiPixels(style, CARD_HEIGHT) };
    float label = qvuiPixels(style, CARD_LABEL);
    igSetCursorScreenPos(place);
    if (igInvisibleButton(demo->name, (ImVec2){ size.x, size.y + label }, ImGuiButtonFlags_None))
        qvuiEditor_Request(editor, qvui_pendingFile, demo->path);
    bool marked = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, demo->name);
    qvuiTooltip(kit, demo->about[0] != 0 ? demo->about : demo->name, NULL);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + size.x, place.y + size.y };
    ImDrawList_AddRectFilled(list, place, end, QVUI_CONTROL, qvuiPixels(style, 4), 0);
    if (demo->picture != 0)
        ImDrawList_AddImage(list, (ImTextureID)(intptr_t)demo->picture, place, end, (ImVec2){ 0, 0 }, (ImVec2){ 1, 1 },
                            0xFFFFFFFFu);
    ImDrawList_AddRect(list, place, end, marked ? QVUI_BLUE : QVUI_LINE, qvuiPixels(style, 2), 0, marked ? 2.0f : 1.0f);
    char buffer[80];
    const char* name =
        qvuiShorten(style->value, demo->name, size.x - qvuiPixels(style, 8), false, buffer, sizeof(buffer));
    qvuiDrawText(list, style->value, (ImVec2){ place.x, end.y }, label, marked ? QVUI_TEXT : QVUI_MUTED, name);
}

static void DrawDemos(qvuiEditor* editor, const Layout* layout)
{
    const qvuiStyle* style = &editor->kit.style;
    float gap = qvuiPixels(style, GAP), width = qvuiPixels(style, CARD_WIDTH) + gap;
    float height = qvuiPixels(style, CARD_HEIGHT + CARD_LABEL + GAP);
    ImVec2 place;
    igGetCursorScreenPos(&place);
    for (int i = 0; i < editor->demos.count; i++)
    {
        int row = i / layout->columns, column = i % layout->columns;
        DrawDemo(editor, &editor->demos.items[i],
                 (ImVec2){ place.x + (float)column * width, place.y + (float)row * height });
    }
    igSetCursorScreenPos((ImVec2){ place.x, place.y + (float)layout->rows * height });
}

static void DrawShapes(qvuiEditor* editor, const Layout* layout)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 place;
    igGetCursorScreenPos(&place);
    float y = place.y;
    for (int first = 0; first < qvPrimitiveCount(); y += qvuiPixels(style, 34))
    {
        float width, x = place.x;
        int end = FindRowEnd(style, first, layout->width, &width);
        for (; first < end; first++)
        {
            const qvPrimitive* primitive = qvGetPrimitive(first);
            igSetCursorScreenPos((ImVec2){ x, y });
            if (qvuiPill(&editor->kit, primitive->label, 0.0f, primitive->description))
                qvuiEditor_Request(editor, qvui_pendingShape, primitive->tag);
            x += PillWidth(style, primitive->label) + qvuiPixels(style, 8);
        }
    }
    igSetCursorScreenPos((ImVec2){ place.x, y });
}

static void DrawRecent(qvuiEditor* editor, const Layout* layout)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 place;
    igGetCursorScreenPos(&place);
    qvuiDrawText(igGetWindowDrawList(), style->strong, place, qvuiPixels(style, 28), QVUI_TEXT, "Recent files");
    float y = place.y + qvuiPixels(style, 28), height = qvuiPixels(style, 24);
    for (int i = 0; i < layout->recent; i++, y += height)
    {
        char buffer[256];
        igSetCursorScreenPos((ImVec2){ place.x, y });
        igPushID_Int(i);
        if (igInvisibleButton("recent", (ImVec2){ layout->width, height }, ImGuiButtonFlags_None))
            qvuiEditor_Request(editor, qvui_pendingFile, editor->recent[i]);
        bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
        qvuiNames_AddItem(&editor->kit.names, qvPath_FileName(editor->recent[i]));
        qvuiTooltip(&editor->kit, "Opens this file again", NULL);
        igPopID();
        qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ place.x, y }, height,
                     hovered ? QVUI_TEXT : QVUI_MUTED,
                     qvuiShorten(style->value, editor->recent[i], layout->width, true, buffer, sizeof(buffer)));
    }
}

void qvuiDrawWelcome(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    if (qvuiTask_IsWanted(&editor->loader.task))
        return;
    qvuiDemos_Start(&editor->demos);
    Layout layout = MakeLayout(editor);
    float pad = qvuiPixels(style, 24);
    ImVec2 upper = { layout.place.x + layout.size.x, layout.place.y + layout.size.y };
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, layout.place, upper, QVUI_PANEL, qvuiPixels(style, 10), 0);
    ImDrawList_AddRect(list, layout.place, upper, QVUI_LINE, qvuiPixels(style, 10), 0, 1);
    // Scrolls where the window is too small for all of it.
    igSetCursorScreenPos((ImVec2){ layout.place.x + pad, layout.place.y + pad });
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ 0, 0 });
    igBeginChild_Str("welcome", (ImVec2){ layout.width + 0.5f * pad, layout.size.y - 2 * pad }, false,
                     ImGuiWindowFlags_NoBackground);
    igPopStyleVar(1);
    DrawTitle(editor, &layout);
    DrawDemos(editor, &layout);
    DrawShapes(editor, &layout);
    if (layout.recent > 0)
        DrawRecent(editor, &layout);
    igEndChild();
}
