// SPDX-License-Identifier: GPL-3.0-or-later
// Stretches the body along the drag and narrows it across; with Ctrl along the normal, down is flatter.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

static bool Begin(qvuiEditor* editor)
{
    return qvuiBrush_Begin(editor, "pinch");
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvVec3 move = qvuiMouseMove(editor), axis = tools->hitNormal;
    double amount = 3.0 * (tools->start.y - tools->mouse.y) / editor->viewport.size.y;
    if (!tools->control)
    {
        axis = move;
        amount = qvLength(move) / tools->live.stroke.radius;
    }
    if (!(qvLength(axis) > 0.0))
        return;
    tools->live.stroke.axis = qvuiTurnBack(&tools->live.frame, qvNormalize(axis));
    tools->live.stroke.amount = fmin(fmax(amount, -0.95), 10.0);
    qvuiLive_Show(editor);
}

static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    for (int i = 0; i < 4; i++)
    {
        double x = (i == 0) - (i == 2), y = (i == 1) - (i == 3);
        qvuiIcon_Line(list, middle, size, (double[4]){ 0.5 * x, 0.5 * y, 0.3 * x, 0.3 * y }, color, line);
        qvuiIcon_Head(list, middle, size, (double[4]){ 0.1 * x, 0.1 * y, -x, -y }, color);
    }
}

extern const qvuiTool qvuiToolPinch;
const qvuiTool qvuiToolPinch = {
    .id = "pinch",
    .label = "Pinch",
    .drawIcon = DrawIcon,
    .action = "tool.pinch",
    .help = "Stretches the body along the drag and narrows it across.",
    .hint = "LMB\tdrag along the stretch|Ctrl\talong the normal|Shift\tsmooth|F\tradius|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\talong the normal|Esc\tcancel",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
};
