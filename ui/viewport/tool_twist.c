// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the body about the line of sight, or with Ctrl about the normal.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

static bool Begin(qvuiEditor* editor)
{
    return qvuiBrush_Begin(editor, "twist");
}

// A drag over half the height of the picture is half a turn; to the right is clockwise.
static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvVec3 axis = tools->control ? tools->hitNormal : qvuiCamera_Frame(&editor->viewport.camera).back;
    double turns = (tools->start.x - tools->mouse.x) / editor->viewport.size.y;
    tools->live.stroke.axis = qvuiTurnBack(&tools->live.frame, axis);
    tools->live.stroke.angle = QV_TWO_PI * fmin(fmax(turns, -2.0), 2.0);
    qvuiLive_Show(editor);
}

static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    qvuiIcon_Arc(list, middle, size, (double[3]){ 0.36, 0.56, 0.92 }, color, line);
    qvuiIcon_Arc(list, middle, size, (double[3]){ 0.36, 0.06, 0.42 }, color, line);
    qvuiIcon_Head(list, middle, size, (double[4]){ 0.42, -0.02, 0.35, 0.937 }, color);
    qvuiIcon_Head(list, middle, size, (double[4]){ -0.42, 0.02, -0.35, -0.937 }, color);
}

extern const qvuiTool qvuiToolTwist;
const qvuiTool qvuiToolTwist = {
    .id = "twist",
    .label = "Twist",
    .drawIcon = DrawIcon,
    .action = "tool.twist",
    .help = "Turns the body about the line of sight, with Ctrl about its normal.",
    .hint = "LMB\tdrag sideways to turn|Ctrl\tabout the normal|Shift\tsmooth|F\tradius|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\tabout the normal|Esc\tcancel",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
};
