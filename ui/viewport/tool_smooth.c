// SPDX-License-Identifier: GPL-3.0-or-later
// Evens out where the mouse passes: one dab per third of a radius, all of them one step.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

static bool Dab(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle < 0)
        return false;
    tools->live.stroke.at = qvuiRestPlace(editor, &hit);
    tools->hit = hit;
    qvuiLive_AddDab(editor);
    return true;
}

static bool Begin(qvuiEditor* editor)
{
    if (!qvuiBrush_Begin(editor, "smooth"))
        return false;
    if (Dab(editor))
        return true;
    qvuiLive_Cancel(editor);
    return false;
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle >= 0 && qvDistance(hit.position, tools->hit.position) > tools->live.stroke.radius / 3.0)
        Dab(editor);
}

// A click is a dab too.
static void End(qvuiEditor* editor)
{
    editor->viewport.tools.moved = true;
    qvuiBrush_End(editor);
}

enum
{
    WAVE_POINTS = 17
};

static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 wave[WAVE_POINTS];
    for (int i = 0; i < WAVE_POINTS; i++)
    {
        double t = (double)i / (WAVE_POINTS - 1);
        wave[i] = qvuiIcon_At(middle, size, t - 0.5, -0.28 * (1.0 - 0.6 * t) * sin(9.42477796 * t));
    }
    ImDrawList_AddPolyline(list, wave, WAVE_POINTS, color, 0, line);
}

extern const qvuiTool qvuiToolSmooth;
const qvuiTool qvuiToolSmooth = {
    .id = "smooth",
    .label = "Smooth",
    .drawIcon = DrawIcon,
    .action = "tool.smooth",
    .help = "Evens out bumps where it passes; Shift does the same with every brush.",
    .hint = "LMB\tpaint to even out|F\tradius|Shift F\tstrength|MMB / Alt\torbit",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = qvuiLive_Cancel,
};
