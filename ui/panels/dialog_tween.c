// SPDX-License-Identifier: GPL-3.0-or-later
// The tween bar: a pose between the neighbouring keys.
#include "ui/actions/state.h"
#include "ui/editor/editor.h"

static void Opened(qvuiEditor* editor)
{
    editor->tween = 50.0;
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    qvuiSliderDef def = { .label = "Towards next",
                          .format = "%.0f %%",
                          .minimum = -20.0,
                          .maximum = 120.0,
                          .standard = 50.0,
                          .color = QVUI_AMBER,
                          .tooltip =
                              "Where between its neighbours the pose lies: 0 is the key before, 100 the one after" };
    qvuiSliderRow(kit, &def, &editor->tween);
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 12) });
    if (qvuiPill(kit, "Tween", 0.0f, "Gives the body that pose at the playhead; a key is made where there is none"))
    {
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
        qvuiTweenPose(editor, 0.01 * editor->tween);
    }
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "Cancel", 0.0f, "The pose stays as it is"))
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
}

const qvuiDialog qvuiDialogTween = { "tween", "Tween", 400, 0, Opened, Draw, true };
