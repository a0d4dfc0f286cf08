// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves the body alone: the left button turns the view, handles can be taken.
#include "ui/viewport/tool.h"

#include "ui/widgets/icons.h"

extern const qvuiTool qvuiToolSelect;
const qvuiTool qvuiToolSelect = {
    .id = "select",
    .label = "Select",
    .icon = QVUI_ICON_POINTER,
    .action = "tool.select",
    .help = "Looks around and takes handles; the pose stays as it is.",
    .hint = "LMB / MMB\torbit|Shift MMB\tpan|Wheel\tzoom|Period\tfocus|G\tgrab",
    .color = QVUI_TEXT,
};
