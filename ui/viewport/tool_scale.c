// SPDX-License-Identifier: GPL-3.0-or-later
// Swells or shrinks the body around a place.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

static bool Begin(qvuiEditor* editor)
{
    return qvuiBrush_Begin(editor, "scale");
}

// As much to the left halves as to the right doubles.
static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    double growth = 3.0 * (tools->mouse.x - tools->start.x) / editor->viewport.size.y;
    tools->live.stroke.amount = fmin(fmax(exp(growth) - 1.0, -0.95), 10.0);
    qvuiLive_Show(editor);
}

// Out of the middle to two corners, so that it is no cross like those that move and pinch.
static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImDrawList_AddCircle(list, middle, 0.14f * size, color, 16, line);
    for (int side = -1; side <= 1; side += 2)
    {
        qvuiIcon_Line(list, middle, size, (double[4]){ 0.14 * side, -0.14 * side, 0.34 * side, -0.34 * side }, color,
                      line);
        qvuiIcon_Head(list, middle, size, (double[4]){ 0.47 * side, -0.47 * side, 0.7071 * side, -0.7071 * side },
                      color);
    }
}

extern const qvuiTool qvuiToolScale;
const qvuiTool qvuiToolScale = {
    .id = "scale",
    .label = "Scale",
    .drawIcon = DrawIcon,
    .action = "tool.scale",
    .help = "Swells the body, or shrinks it when dragged to the left.",
    .hint = "LMB\tdrag right to swell, left to shrink|Shift\tsmooth|F\tradius|MMB / Alt\torbit",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
};
