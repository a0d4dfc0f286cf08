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

extern const qvuiTool qvuiToolScale;
const qvuiTool qvuiToolScale = {
    .id = "scale",
    .label = "Scale",
    .drawIcon = qvuiIcon_Scale,
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
