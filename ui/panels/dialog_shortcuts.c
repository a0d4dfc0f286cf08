// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include <math.h>

static const char* const mouseRows[][2] = {
    { "Orbit", "LMB beside the body, MMB, Alt+LMB" },
    { "Pan", "Shift+MMB, Alt+MMB" },
    { "Zoom", "Wheel, Ctrl+MMB, Alt+RMB" },
    { "Along the normal, smooth", "Ctrl, Shift with a brush" },
    { "Scrub", "Drag the ruler" },
    { "Select keys in a box", "Drag beside them" },
    { "Key between frames", "Ctrl while dragging it" },
    { "Later keys along", "Alt while dragging it" },
    { "Fine slider", "Shift+drag" },
    { "Type a value", "Double click, Ctrl+click" },
    { "Reset, copy a value", "Right click" },
    { "In dialogs: on, back, press", "Tab, Shift+Tab, Space" },
};

static const char* const groupLabels[qvui_menuCount] = { "Anywhere", "File", "Edit",   "Pose", "Tools",
                                                         "Motion",   "View", "Window", "Help" };

static void Heading(qvuiKit* kit, const char* text)
{
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 10) });
    igPushFont(kit->style.strong);
    igTextUnformatted(text, NULL);
    igPopFont();
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 3) });
}

static void Row(qvuiKit* kit, const char* label, const char* keys)
{
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(&kit->style, 22);
    ImDrawList* list = igGetWindowDrawList();
    qvuiDrawText(list, kit->style.body, place, height, QVUI_TEXT, label);
    float width = qvuiTextWidth(kit->style.value, keys);
    qvuiDrawText(list, kit->style.value, (ImVec2){ place.x + room.x - width - qvuiPixels(&kit->style, 4), place.y },
                 height, QVUI_MUTED, keys);
    igDummy((ImVec2){ room.x, height });
}

static void Group(qvuiEditor* editor, qvuiMenu menu)
{
    qvuiKit* kit = &editor->kit;
    Heading(kit, groupLabels[menu]);
    for (int i = 0; i < qvuiActionCount(); i++)
    {
        const qvuiAction* action = qvuiGetAction(i);
        char text[128];
        if (action->menu == menu && qvuiKeymap_List(&editor->keymap, action, text, sizeof(text))[0] != 0)
            Row(kit, action->label, text);
    }
}

static void LeftColumn(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    Heading(kit, "Mouse");
    for (size_t i = 0; i < sizeof(mouseRows) / sizeof(mouseRows[0]); i++)
        Row(kit, mouseRows[i][0], mouseRows[i][1]);
    Group(editor, qvui_menuFile);
    Group(editor, qvui_menuEdit);
    Group(editor, qvui_menuPose);
    Group(editor, qvui_menuTools);
}

static void RightColumn(qvuiEditor* editor)
{
    Group(editor, qvui_menuMotion);
    Group(editor, qvui_menuView);
    Group(editor, qvui_menuWindow);
    Group(editor, qvui_menuHelp);
    Group(editor, qvui_menuNone);
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    ImVec2 room;
    qvuiDrawHelpPages(editor);
    igGetContentRegionAvail(&room);
    float gap = qvuiPixels(&kit->style, 32), width = floorf(0.5f * (room.x - gap));
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    if (igBeginChild_Str("left", (ImVec2){ width, room.y }, false, ImGuiWindowFlags_None))
        LeftColumn(editor);
    igEndChild();
    igSameLine(0.0f, gap);
    if (igBeginChild_Str("right", (ImVec2){ width, room.y }, false, ImGuiWindowFlags_None))
        RightColumn(editor);
    igEndChild();
    igPopStyleVar(1);
}

const qvuiDialog qvuiDialogShortcuts = { "shortcuts", "Help", 760, 620, NULL, Draw, false, true };
