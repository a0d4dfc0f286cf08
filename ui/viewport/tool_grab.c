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

extern const qvuiTool qvuiToolGrab;
const qvuiTool qvuiToolGrab = {
    .id = "grab",
    .label = "Grab",
    .drawIcon = qvuiIcon_Grab,
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
};
