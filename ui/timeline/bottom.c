// SPDX-License-Identifier: GPL-3.0-or-later
// The area at the foot of the window: its tabs, its upper edge, and where the transport goes.
#include "ui/editor/editor.h"
#include "ui/panels/frame.h"

#include <math.h>

// Room for the label of every track, at scale 1.
static const float LOWEST = 150.0f;

static const qvuiTab* const tabs[] = {
#define TAB(name) &name,
#include "ui/timeline/tab_list.inl"
#undef TAB
};

float qvuiBottomHeight(const qvuiEditor* editor, float windowHeight)
{
    const qvuiStyle* style = &editor->kit.style;
    if (!editor->showBottom || editor->session.document == NULL)
        return 0.0f;
    float logical = windowHeight / style->scale;
    float wanted = editor->bottomHeight > 0.0f ? editor->bottomHeight : logical >= 850.0f ? 244.0f : 190.0f;
    return qvuiPixels(style, fminf(fmaxf(wanted, LOWEST), fmaxf(LOWEST, 0.6f * logical)));
}

void qvuiDrawBottomSplitter(qvuiEditor* editor, ImVec2 edge, float width)
{
    const qvuiStyle* style = &editor->kit.style;
    const ImGuiIO* io = igGetIO();
    float grip = qvuiPixels(style, 4);
    ImVec2 place = { edge.x, edge.y - grip }, size = { width, 2 * grip };
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowMinSize, (ImVec2){ 1, 1 });
    qvuiBeginArea("bottomSplitter", place, size, 0);
    igPopStyleVar(1);
    igSetCursorScreenPos(place);
    igInvisibleButton("grip", size, ImGuiButtonFlags_MouseButtonLeft);
    if (editor->showBottom)
        qvuiNames_AddArea(&editor->kit.names, "Timeline edge");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    if (igIsItemActivated())
        editor->splitterStart = qvuiBottomHeight(editor, io->DisplaySize.y) / style->scale;
    if (active && io->MouseDelta.y != 0.0f)
        editor->bottomHeight =
            fmaxf(LOWEST, editor->splitterStart - (io->MousePos.y - io->MouseClickedPos[0].y) / style->scale);
    if (hovered && igIsMouseDoubleClicked(ImGuiMouseButton_Left))
        editor->bottomHeight = 0.0f;
    if (hovered || active)
    {
        igSetMouseCursor(ImGuiMouseCursor_ResizeNS);
        editor->hint = "Drag\tto resize the timeline|Double click\tto reset";
        ImDrawList_AddRectFilled(igGetWindowDrawList(), (ImVec2){ edge.x, edge.y - 1 },
                                 (ImVec2){ edge.x + width, edge.y + 1 }, QVUI_BLUE, 0, 0);
    }
    qvuiEndArea();
}

// Returns the width that the tabs take.
static float DrawTabs(qvuiEditor* editor, ImVec2 place, float height)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float x = place.x, pad = qvuiPixels(style, 12);
    for (int i = 0; i < qvui_tabCount; i++)
    {
        float width = qvuiTextWidth(style->body, tabs[i]->label) + 2 * pad;
        igSetCursorScreenPos((ImVec2){ x, place.y });
        if (igInvisibleButton(tabs[i]->id, (ImVec2){ width, height }, ImGuiButtonFlags_MouseButtonLeft))
            editor->bottomTab = i;
        qvuiNames_AddItem(&editor->kit.names, tabs[i]->label);
        qvuiTooltip(&editor->kit, tabs[i]->help, NULL);
        bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), chosen = editor->bottomTab == i;
        ImVec2 end = { x + width, place.y + height };
        if (chosen || hovered)
            ImDrawList_AddRectFilled(list, (ImVec2){ x, place.y }, end, chosen ? QVUI_HEADER : QVUI_CONTROL, 0, 0);
        if (chosen)
            ImDrawList_AddRectFilled(list, (ImVec2){ x, place.y }, (ImVec2){ end.x, place.y + qvuiPixels(style, 2) },
                                     QVUI_TEAL, 0, 0);
        qvuiDrawText(list, style->body, (ImVec2){ x + pad, place.y }, height, chosen ? QVUI_TEXT : QVUI_MUTED,
                     tabs[i]->label);
        ImDrawList_AddLine(list, (ImVec2){ end.x, place.y }, end, QVUI_LINE, 1);
        x += width + 1;
    }
    return x - place.x;
}

void qvuiDrawBottom(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    float header = qvuiPixels(style, 29);
    qvuiBeginArea("bottom", place, size, QVUI_PANEL);
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + size.x, place.y + 1 }, QVUI_LINE, 0, 0);
    float tabWidth = DrawTabs(editor, (ImVec2){ place.x, place.y + 1 }, header - 1);
    qvuiDrawTransport(editor, (ImVec2){ place.x + tabWidth, place.y + 1 }, (ImVec2){ size.x - tabWidth, header - 1 });
    ImDrawList_AddLine(list, (ImVec2){ place.x, place.y + header }, (ImVec2){ place.x + size.x, place.y + header },
                       QVUI_LINE, 1);
    ImVec2 inner = { place.x, place.y + header + 1 };
    tabs[editor->bottomTab]->draw(editor, inner, (ImVec2){ size.x, fmaxf(size.y - header - 1, 1.0f) });
    if (igIsWindowHovered(ImGuiHoveredFlags_ChildWindows))
        editor->where = qvui_whereTimeline;
    qvuiEndArea();
}
