// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the chosen brush.
#include "ui/editor/editor.h"

#include <stdio.h>

static bool IsShown(const qvuiEditor* editor)
{
    return editor->session.body != NULL && qvuiGetTool(editor->viewport.tools.tool)->hasBrush;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    snprintf(text, capacity, "%s", qvuiGetTool(editor->viewport.tools.tool)->label);
}

static void DrawSymmetry(qvuiEditor* editor)
{
    static const char* const choices[] = { "none", "x", "y", "z" };
    qvuiTools* tools = &editor->viewport.tools;
    int choice = tools->mirror == 0 ? 0 : tools->mirror == 1 ? 1 : tools->mirror == 2 ? 2 : tools->mirror == 4 ? 3 : -1;
    if (qvuiSegmentedRow(&editor->kit, "Symmetry", choices, 4, &choice, QVUI_CHOSEN,
                         "Strokes do the same on the other side; the keys X, Y and Z combine planes"))
        tools->mirror = choice > 0 ? 1u << (choice - 1) : 0;
}

// What only strokes have.
static void DrawStroke(qvuiEditor* editor)
{
    static const char* const scales[] = { "one", "bi", "tri" };
    static const char* const segments[] = { "1", "2", "3", "4" };
    qvuiTools* tools = &editor->viewport.tools;
    int scale = tools->scales - 1, segment = tools->segments - 1;
    if (tools->tool == qvui_toolBend)
    {
        if (qvuiSegmentedRow(&editor->kit, "Segments", segments, 4, &segment, QVUI_KEYED,
                             "In how many parts a limb follows: 1 turns as one piece, more curl like a chain"))
            tools->segments = segment + 1;
    }
    else if (qvuiSegmentedRow(&editor->kit, "Scales", scales, 3, &scale, QVUI_KEYED,
                              "How far the next strokes carry: one moves much of the body, tri stays local"))
        tools->scales = scale + 1;
    const qvuiSliderDef volume = { .label = "Volume",
                                   .format = "%.2f",
                                   .maximum = 0.5,
                                   .standard = 0.45,
                                   .color = QVUI_KEYED,
                                   .tooltip = "How much the body bulges under the next strokes to keep its volume" };
    qvuiSliderRow(&editor->kit, &volume, &tools->poisson);
    qvuiSwitchRow(&editor->kit, "Connected only", &tools->connected,
                  "The next strokes leave parts of the mesh alone that do not hang together with the brushed one");
    qvuiSwitchRow(&editor->kit, "Pins hold", &tools->pins,
                  "Under the next strokes pinned points stay exactly where they are; the body bends around them");
    qvuiSwitchRow(&editor->kit, "Ground holds", &tools->ground,
                  "The next strokes push nothing through the ground; feet stay on it when the body is squashed");
}

static void Draw(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    double diagonal = editor->session.body->diagonal, radius = qvuiTools_Radius(editor);
    double usual = qvuiGetTool(tools->tool)->isFine ? 0.05 : 0.15;
    const qvuiSliderDef radiusDef = {
        .label = "Radius",
        .format = "%.3g",
        .minimum = 0.005 * diagonal,
        .maximum = 0.5 * diagonal,
        .standard = usual * diagonal,
        .color = QVUI_KEYED,
        .tooltip = "How much of the body the next strokes move; F and the brackets change it too"
    };
    const qvuiSliderDef strengthDef = { .label = "Strength",
                                        .format = "%.2f",
                                        .maximum = 1.0,
                                        .standard = 1.0,
                                        .color = QVUI_KEYED,
                                        .tooltip = "How much of a drag the next strokes do; Shift+F changes it too" };
    if (qvuiSliderRow(&editor->kit, &radiusDef, &radius))
        tools->radius = radius;
    qvuiSliderRow(&editor->kit, &strengthDef, &tools->strength);
    if (qvuiGetTool(tools->tool)->makesStroke)
        DrawStroke(editor);
    DrawSymmetry(editor);
}

const qvuiPanel qvuiPanelBrush = {
    "brush", "Brush", IsShown, Remark, Draw, true, "The next strokes: what they do to the pose and how far they reach"
};
