// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what the next strokes leave alone.
#include "ui/editor/editor.h"

#include "ui/widgets/icons.h"

#include <stdlib.h>

static bool Begin(qvuiEditor* editor)
{
    if (editor->viewport.tools.shift)
    {
        qvuiPainted_AddRegion(editor, &editor->viewport.tools.hit, editor->viewport.tools.control ? 0.0f : 1.0f);
        return false;
    }
    qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiPaint_Begin(editor, tools->mask, 1.0f))
        return false;
    qvuiPaint_Dab(editor, tools->control ? 1.0f : 0.0f, true);
    return true;
}

static void Drag(qvuiEditor* editor)
{
    qvuiPaint_Dab(editor, editor->viewport.tools.control ? 1.0f : 0.0f, true);
}

// A mask without a dark place is none.
static void End(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    bool masks = false;
    for (int i = 0; i < editor->session.body->mesh->pointCount; i++)
        masks = masks || tools->values[i] < 0.995f;
    qvuiMask_Set(editor, masks ? tools->values : NULL);
    if (masks)
        tools->values = NULL;
    qvuiPaint_Cancel(editor);
}

extern const qvuiTool qvuiToolMask;
const qvuiTool qvuiToolMask = {
    .id = "mask",
    .label = "Mask",
    .icon = QVUI_ICON_MASK,
    .action = "tool.mask",
    .help = "Paints what strokes leave alone and what a partial key holds; dark is masked.",
    .hint = "LMB\tpaint the mask|Ctrl\ttake away|Shift\ta bone or part|Alt M\tclear|F\tradius|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\ttake away|Esc\tcancel",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .isFine = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = qvuiPaint_Cancel,
};
