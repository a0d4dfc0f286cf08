// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves the body alone: the left button turns the view, handles can be taken, obstacles chosen.
#include "ui/actions/obstacles.h"
#include "ui/editor/editor.h"
#include "ui/widgets/icons.h"

// A press on an obstacle chooses it; the view turns with it all the same.
static bool Begin(qvuiEditor* editor)
{
    qvId obstacle = qvuiPickObstacle(editor, editor->viewport.tools.start);
    if (obstacle != 0)
        qvuiSession_SelectObstacle(&editor->session, obstacle);
    return false;
}

extern const qvuiTool qvuiToolSelect;
const qvuiTool qvuiToolSelect = {
    .id = "select",
    .label = "Select",
    .icon = QVUI_ICON_POINTER,
    .action = "tool.select",
    .help = "Looks around, takes handles and chooses obstacles; the pose stays as it is.",
    .hint = "LMB / MMB\torbit|Click\tan obstacle|Shift MMB\tpan|Wheel\tzoom|Period\tfocus|G\tgrab",
    .color = QVUI_TEXT,
    .anywhere = true,
    .begin = Begin,
};
