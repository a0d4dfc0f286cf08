// SPDX-License-Identifier: GPL-3.0-or-later
// Pulls the body: the place under the mouse follows it.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

static bool Begin(qvuiEditor* editor)
{
    return qvuiBrush_Begin(editor, "grab");
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvVec3 move = qvuiMouseMove(editor);
    if (tools->control)
    {
        double unit = qvuiUnitsPerPixel(editor, tools->hit.position);
        move = qvScale(unit * (double)(tools->start.y - tools->mouse.y), tools->hitNormal);
    }
    tools->arrow = move;
    tools->live.stroke.drag = qvuiTurnBack(&tools->live.frame, move);
    qvuiLive_Show(editor);
}

// The next scale.
static void Again(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->scales = tools->scales % 3 + 1;
}

static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 ring = qvuiIcon_At(middle, size, -0.1, 0.12);
    ImDrawList_AddCircle(list, ring, 0.3f * size, color, 24, line);
    qvuiIcon_Line(list, middle, size, (double[4]){ -0.02, 0.04, 0.34, -0.32 }, color, line);
    qvuiIcon_Head(list, middle, size, (double[4]){ 0.46, -0.44, 0.7071, -0.7071 }, color);
}

extern const qvuiTool qvuiToolGrab;
const qvuiTool qvuiToolGrab = {
    .id = "grab",
    .label = "Grab",
    .drawIcon = DrawIcon,
    .action = "tool.grab",
    .help = "Pulls the body; again for bi-scale and tri-scale, which stay more local.",
    .hint = "LMB\tdrag to pose|Ctrl\talong the normal|Shift\tsmooth|F\tradius|MMB / Alt\torbit|X Y Z\tsymmetry",
    .during = "Let go\tto finish|Ctrl\talong the normal|Esc\tcancel",
    .color = QVUI_AMBER,
    .startsGroup = true,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
    .again = Again,
};
