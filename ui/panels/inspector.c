// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include <math.h>

static const qvuiPanel* const panels[] = {
#define PANEL(name) &name,
#include "ui/panels/panel_list.inl"
#undef PANEL
};

const qvuiPanel* qvuiGetPanel(int index)
{
    return panels[index];
}

// Room for every label beside its control, at scale 1.
static const float NARROWEST = 264.0f;

float qvuiInspectorWidth(const qvuiEditor* editor, float windowWidth)
{
    const qvuiStyle* style = &editor->kit.style;
    if (!editor->showInspector)
        return 0.0f;
    float logical = windowWidth / style->scale;
    float wanted = editor->inspectorWidth > 0.0f ? editor->inspectorWidth : logical >= 1500.0f ? 330.0f : 280.0f;
    return qvuiPixels(style, fminf(fmaxf(wanted, NARROWEST), fmaxf(NARROWEST, 0.5f * logical)));
}

static void DrawPanel(qvuiEditor* editor, int index)
{
    const qvuiPanel* panel = panels[index];
    if (panel->isShown != NULL && !panel->isShown(editor))
        return;
    char remark[256] = "";
    if (panel->remark != NULL)
        panel->remark(editor, remark, sizeof(remark));
    igPushID_Str(panel->id);
    if (qvuiSection(&editor->kit, panel->label, remark[0] != 0 ? remark : NULL, panel->help, &editor->panelOpen[index]))
    {
        igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 4) });
        panel->draw(editor);
        igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 6) });
    }
    igPopID();
}

static float ClampWidth(float width)
{
    const ImGuiIO* io = igGetIO();
    return fminf(fmaxf(width, NARROWEST), fmaxf(NARROWEST, 0.5f * io->DisplaySize.x));
}

void qvuiDrawSplitter(qvuiEditor* editor, ImVec2 edge, float height)
{
    const qvuiStyle* style = &editor->kit.style;
    const ImGuiIO* io = igGetIO();
    float grip = qvuiPixels(style, 5);
    ImVec2 place = { edge.x - grip, edge.y }, size = { 2 * grip + 1, height };
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowMinSize, (ImVec2){ 1, 1 });
    qvuiBeginArea("splitter", place, size, 0);
    igPopStyleVar(1);
    igSetCursorScreenPos(place);
    igInvisibleButton("grip", size, ImGuiButtonFlags_MouseButtonLeft);
    if (editor->showInspector)
        qvuiNames_AddArea(&editor->kit.names, "Splitter");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    if (igIsItemActivated())
        editor->splitterStart = qvuiInspectorWidth(editor, io->DisplaySize.x) / style->scale;
    if (active && io->MouseDelta.x != 0.0f)
        editor->inspectorWidth =
            ClampWidth(editor->splitterStart - (io->MousePos.x - io->MouseClickedPos[0].x) / style->scale);
    if (hovered && igIsMouseDoubleClicked(ImGuiMouseButton_Left))
        editor->inspectorWidth = 0.0f;
    if (hovered || active)
    {
        igSetMouseCursor(ImGuiMouseCursor_ResizeEW);
        editor->hint = "Drag\tto resize the inspector|Double click\tto reset";
        ImDrawList_AddRectFilled(igGetWindowDrawList(), (ImVec2){ edge.x - 1, edge.y },
                                 (ImVec2){ edge.x + 2, edge.y + height }, QVUI_BLUE, 0, 0);
    }
    qvuiEndArea();
}

// While nothing is open: what there is to do, one after the other.
static void DrawFirstSteps(qvuiEditor* editor)
{
    static const char* const steps[][2] = {
        { "1", "Open a demo or a shape, or drop a mesh into the window." },
        { "2", "Pose: click the ruler of the timeline at about 0.3 s, then drag the body. That makes a key." },
        { "3", "Watch: Space plays what physics makes between the poses. Wobble and Settle are its material." },
        { "4", "Export: Ctrl+Shift+E writes the motion for Blender, game engines and the web." },
    };
    qvuiKit* kit = &editor->kit;
    ImVec2 place;
    float pad = qvuiPixels(&kit->style, 12), height = qvuiPixels(&kit->style, 29);
    igDummy((ImVec2){ 1, pad });
    igGetCursorScreenPos(&place);
    qvuiDrawText(igGetWindowDrawList(), kit->style.strong, (ImVec2){ place.x + pad, place.y }, height, QVUI_TEXT,
                 "First steps");
    igDummy((ImVec2){ 1, height });
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        qvuiMessageRow(kit, steps[i][0], QVUI_AMBER, steps[i][1]);
}

void qvuiDrawInspector(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    qvuiBeginArea("inspector", place, size, QVUI_PANEL);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), place, (ImVec2){ place.x + 1, place.y + size.y }, QVUI_LINE, 0, 0);
    igSetCursorScreenPos((ImVec2){ place.x + 1, place.y });
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    if (igBeginChild_Str("sections", (ImVec2){ size.x - 1, size.y }, false, ImGuiWindowFlags_None))
    {
        for (int i = 0; i < qvui_panelCount; i++)
            DrawPanel(editor, i);
        if (editor->session.document == NULL)
            DrawFirstSteps(editor);
    }
    igEndChild();
    igPopStyleVar(1);
    qvuiEndArea();
}
