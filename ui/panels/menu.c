// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "quaver/primitive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const menuLabels[qvui_menuCount] = { NULL,     "File", "Edit",   "Pose", "Tools",
                                                        "Motion", "View", "Window", "Help" };

static void DrawShapes(qvuiEditor* editor)
{
    bool open = igBeginMenu("New from shape", true);
    qvuiNames_AddArea(&editor->kit.names, "New from shape");
    if (!open)
        return;
    for (int i = 0; i < qvPrimitiveCount(); i++)
    {
        const qvPrimitive* primitive = qvGetPrimitive(i);
        if (igMenuItem_Bool(primitive->label, NULL, false, true))
            qvuiEditor_Request(editor, qvui_pendingShape, primitive->tag);
        qvuiNames_AddItem(&editor->kit.names, primitive->label);
        qvuiTooltip(&editor->kit, primitive->description, NULL);
    }
    igEndMenu();
}

static void DrawRecent(qvuiEditor* editor)
{
    bool open = igBeginMenu("Open recent", editor->recent[0][0] != 0);
    qvuiNames_AddArea(&editor->kit.names, "Open recent");
    if (!open)
        return;
    for (int i = 0; i < qvui_maxRecent && editor->recent[i][0] != 0; i++)
        if (igMenuItem_Bool(editor->recent[i], NULL, false, true))
            qvuiEditor_Request(editor, qvui_pendingFile, editor->recent[i]);
    igEndMenu();
}

static void DrawItem(qvuiEditor* editor, const qvuiAction* action)
{
    bool on = qvuiAction_IsOn(action, editor);
    bool possible = action->isPossible == NULL || action->isPossible(editor);
    char shortcut[64];
    qvuiAction_Shortcut(editor, action, shortcut, sizeof(shortcut));
    if (igMenuItem_Bool(action->label, shortcut[0] != 0 ? shortcut : NULL, on, possible))
        qvuiEditor_Run(editor, action);
    qvuiNames_AddItem(&editor->kit.names, action->label);
    qvuiTooltip(&editor->kit, action->help, NULL);
}

void qvuiMenuItems(qvuiEditor* editor, const char* const* ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        DrawItem(editor, qvuiFindAction(ids[i]));
}

// Pixels between the lines of a menu: fewer where all of it would not fit into a height otherwise.
static float LineGap(const qvuiStyle* style, qvuiMenu menu, float height)
{
    int lines = menu == qvui_menuFile ? 2 : 0, gaps; // shapes and recent files
    for (int i = gaps = 0; i < qvuiActionCount(); i++)
    {
        const qvuiAction* action = qvuiGetAction(i);
        lines += action->menu == menu;
        gaps += action->menu == menu && action->startsGroup;
    }
    gaps += lines;
    float room = height - qvuiPixels(style, 18) - (float)lines * igGetFontSize();
    return fminf(fmaxf(floorf(room / (float)gaps), 1.0f), qvuiPixels(style, 8));
}

// A menu that is longer than the window all the same scrolls below the bar. top: the bar's lower edge.
static void DrawMenu(qvuiEditor* editor, qvuiMenu menu, float top)
{
    const qvuiStyle* style = &editor->kit.style;
    float height = igGetIO()->DisplaySize.y - top - qvuiPixels(style, 4);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ qvuiPixels(style, 8), qvuiPixels(style, 8) });
    igSetNextWindowSizeConstraints((ImVec2){ 0, 0 }, (ImVec2){ 1e6f, height }, NULL, NULL);
    bool open = igBeginMenu(menuLabels[menu], true);
    qvuiNames_AddArea(&editor->kit.names, menuLabels[menu]);
    if (open)
    {
        igPushStyleVar_Vec2(ImGuiStyleVar_FramePadding, (ImVec2){ qvuiPixels(style, 9), qvuiPixels(style, 4) });
        igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ qvuiPixels(style, 12), LineGap(style, menu, height) });
        for (int i = 0; i < qvuiActionCount(); i++)
        {
            const qvuiAction* action = qvuiGetAction(i);
            if (action->menu != menu)
                continue;
            if (action->startsGroup)
                igSeparator();
            DrawItem(editor, action);
            if (strcmp(action->id, "file.new") == 0)
                DrawShapes(editor);
            if (strcmp(action->id, "file.open") == 0)
                DrawRecent(editor);
        }
        igPopStyleVar(2);
        igEndMenu();
    }
    igPopStyleVar(1);
}

static void DrawDocumentName(const qvuiEditor* editor, ImVec2 place, ImVec2 size, float menuEnd)
{
    const qvuiStyle* style = &editor->kit.style;
    float pad = qvuiPixels(style, 12);
    char buffer[256];
    const qvuiSession* session = &editor->session;
    char name[300] = "nothing open";
    if (session->document != NULL)
        snprintf(name, sizeof(name), "%s%s", session->name, qvuiSession_IsDirty(session) ? " \xe2\x80\xa2 edited" : "");
    const char* text =
        qvuiShorten(style->value, name, place.x + size.x - menuEnd - 3 * pad, false, buffer, sizeof(buffer));
    float width = qvuiTextWidth(style->value, text), right = place.x + size.x - pad;
    static const char search[] = "F3 search commands";
    float searchWidth = qvuiTextWidth(style->value, search) + 2 * pad;
    if (right - menuEnd - width > searchWidth + 2 * pad)
    {
        qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ right - searchWidth + 2 * pad, place.y }, size.y,
                     QVUI_MUTED, search);
        right -= searchWidth;
    }
    qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ right - width, place.y }, size.y, QVUI_MUTED, text);
}

void qvuiDrawMenuBar(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    float pad = qvuiPixels(style, 12);
    float inner = floorf(0.5f * (size.y - 1 - igGetFontSize()));
    igSetNextWindowPos(place, ImGuiCond_Always, (ImVec2){ 0, 0 });
    igSetNextWindowSize(size, ImGuiCond_Always);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ pad, 0 });
    igPushStyleVar_Vec2(ImGuiStyleVar_FramePadding, (ImVec2){ qvuiPixels(style, 10), inner });
    igBegin("menu", NULL,
            ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollWithMouse);
    ImVec2 cursor;
    if (igBeginMenuBar())
    {
        ImDrawList* list = igGetWindowDrawList();
        qvuiDrawText(list, style->strong, (ImVec2){ place.x + pad, place.y }, size.y - 1, QVUI_TEXT, "Quaver");
        igSetCursorPosX(pad + qvuiTextWidth(style->strong, "Quaver") + qvuiPixels(style, 12));
        igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ qvuiPixels(style, 12), qvuiPixels(style, 8) });
        for (int menu = qvui_menuFile; menu < qvui_menuCount; menu++)
            DrawMenu(editor, (qvuiMenu)menu, place.y + size.y);
        igPopStyleVar(1);
        igGetCursorScreenPos(&cursor);
        DrawDocumentName(editor, place, (ImVec2){ size.x, size.y - 1 }, cursor.x);
        ImDrawList_AddRectFilled(list, (ImVec2){ place.x, place.y + size.y - 1 },
                                 (ImVec2){ place.x + size.x, place.y + size.y }, QVUI_LINE, 0, 0);
        igEndMenuBar();
    }
    igPopStyleVar(2);
    igEnd();
}
