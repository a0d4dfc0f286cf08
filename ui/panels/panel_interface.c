// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <math.h>

static void Draw(qvuiEditor* editor)
{
    static const qvuiSliderDef scaleDef = { .label = "Interface size",
                                            .format = "%.0f %%",
                                            .minimum = 75.0,
                                            .maximum = 300.0,
                                            .standard = 100.0,
                                            .color = QVUI_CHOSEN,
                                            .tooltip = "Text and controls; takes effect when let go" };
    double percent = 100.0 * editor->typedScale;
    if (qvuiSliderRow(&editor->kit, &scaleDef, &percent))
        editor->typedScale = 0.01 * percent;
    // A new size moves the slider from under the mouse, so it waits for the button; steps of 5 % keep fonts crisp.
    if (!igIsMouseDown(ImGuiMouseButton_Left))
        editor->wantedScale = editor->typedScale = 0.05 * floor(20.0 * editor->typedScale + 0.5);
}

const qvuiPanel qvuiPanelInterface = { "interface", "Interface", NULL, NULL, Draw, false };
