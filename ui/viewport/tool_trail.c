// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the vertices that leave trails; a click on one that does takes it away.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <string.h>

static void Toggle(qvuiSelection* selection, int point)
{
    for (int i = 0; i < selection->trailCount; i++)
        if (selection->trails[i] == point)
        {
            selection->trailCount--;
            memmove(selection->trails + i, selection->trails + i + 1,
                    (size_t)(selection->trailCount - i) * sizeof(selection->trails[0]));
            return;
        }
    // The oldest goes when there is no room.
    if (selection->trailCount == qvui_maxTrails)
        memmove(selection->trails, selection->trails + 1, (qvui_maxTrails - 1) * sizeof(selection->trails[0]));
    else
        selection->trailCount++;
    selection->trails[selection->trailCount - 1] = point;
}

static bool Begin(qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvMesh* mesh = editor->session.body->mesh;
    Toggle(&editor->session.selection, qvuiNearestCorner(&tools->hit, &mesh->pointTriangles[tools->hit.triangle]));
    editor->viewport.overlay.showTrails = true;
    qvuiOverlay_Touch(&editor->viewport.overlay);
    return true;
}

static void Nothing(qvuiEditor* editor)
{
    (void)editor;
}

extern const qvuiTool qvuiToolTrail;
const qvuiTool qvuiToolTrail = {
    .id = "trail",
    .label = "Trail",
    .drawIcon = qvuiIcon_Trail,
    .action = "tool.trail",
    .help = "Picks points whose path is drawn, a dot per frame; changes only the picture.",
    .hint = "LMB\tpick a vertex, again to drop it|Shift O\ttrails on and off|MMB / Alt\torbit",
    .color = QVUI_TEAL,
    .begin = Begin,
    .drag = Nothing,
    .end = Nothing,
    .cancel = Nothing,
};
