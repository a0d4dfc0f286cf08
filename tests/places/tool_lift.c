// SPDX-License-Identifier: GPL-3.0-or-later
// The brush of brush_lift.c in the window: how the mouse becomes a stroke, and its icon.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

static bool Begin(qvuiEditor* editor)
{
    return qvuiBrush_Begin(editor, "lift");
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    double unit = qvuiUnitsPerPixel(editor, tools->hit.position);
    tools->live.stroke.amount = fmax(unit * (double)(tools->start.y - tools->mouse.y), 0.0);
    qvuiLive_Show(editor);
}

static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    qvuiIcon_Line(list, middle, size, (double[4]){ 0.0, 0.4, 0.0, -0.2 }, color, line);
    qvuiIcon_Head(list, middle, size, (double[4]){ 0.0, -0.4, 0.0, -1.0 }, color);
}

extern const qvuiTool qvuiToolLift;
const qvuiTool qvuiToolLift = {
    .id = "lift",
    .label = "Lift",
    .drawIcon = DrawIcon,
    .action = "tool.lift",
    .help = "Moves the body up.",
    .hint = "LMB\tdrag up to lift",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
};
