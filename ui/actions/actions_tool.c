// SPDX-License-Identifier: GPL-3.0-or-later
// Tools and brushes.
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>

// --- Tools ---------------------------------------------------------------------------------------------------------

void qvuiAction_ToolSelect(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolSelect);
}

// A brush. Again: what the tool has for that.
static void ChooseBrush(qvuiEditor* editor, qvuiToolKind kind)
{
    const qvuiTools* tools = &editor->viewport.tools;
    if (tools->tool == kind && tools->active == NULL && qvuiGetTool(kind)->again != NULL)
        qvuiGetTool(kind)->again(editor);
    qvuiTools_Choose(editor, kind);
}

#define ELASTIC_BRUSH(name, ...)                   \
    void qvuiAction_Tool##name(qvuiEditor* editor) \
    {                                              \
        ChooseBrush(editor, qvui_tool##name);      \
    }
#define OTHER_BRUSH ELASTIC_BRUSH
#include "quaver/brush_list.inl"

// Again: mask, then weight.
void qvuiAction_ToolPin(qvuiEditor* editor)
{
    qvuiToolKind now = editor->viewport.tools.tool;
    qvuiToolKind next = now == qvui_toolPin ? qvui_toolMask : now == qvui_toolMask ? qvui_toolWeight : qvui_toolPin;
    qvuiTools_Choose(editor, next);
}

void qvuiAction_ToolMask(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolMask);
}

void qvuiAction_ToolWeight(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolWeight);
}

void qvuiAction_ToolWave(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolWave);
}

void qvuiAction_ToolTransform(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolTransform);
}

void qvuiAction_ToolJoint(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolJoint);
}

void qvuiAction_ToolTrail(qvuiEditor* editor)
{
    qvuiTools_Choose(editor, qvui_toolTrail);
}

bool qvuiHasMask(const qvuiEditor* editor)
{
    return editor->viewport.tools.mask != NULL;
}

void qvuiAction_ClearMask(qvuiEditor* editor)
{
    qvuiTools_Cancel(editor);
    qvuiMask_Set(editor, NULL);
}

bool qvuiHasPins(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL && scene->pinCount > 0;
}

void qvuiAction_ClearPins(qvuiEditor* editor)
{
    qvDocument* document = editor->session.document;
    qvResult result = qv_ok;
    qvError error;
    qvDocument_Begin(document, "Remove pins", 0);
    while (result == qv_ok && qvDocument_Scene(document)->pinCount > 0)
    {
        qvRef pin = { qv_objectPin, qvDocument_Scene(document)->pins[0]->id };
        result = qvDocument_Remove(document, pin, &error);
    }
    qvDocument_End(document);
    qvuiEditor_Did(editor, result, &error);
}

// --- Brush ---------------------------------------------------------------------------------------------------------

static void ToggleSymmetry(qvuiEditor* editor, unsigned axis)
{
    editor->viewport.tools.mirror ^= axis;
}

void qvuiAction_SymmetryX(qvuiEditor* editor)
{
    ToggleSymmetry(editor, 1);
}

void qvuiAction_SymmetryY(qvuiEditor* editor)
{
    ToggleSymmetry(editor, 2);
}

void qvuiAction_SymmetryZ(qvuiEditor* editor)
{
    ToggleSymmetry(editor, 4);
}

bool qvuiIsSymmetricX(const qvuiEditor* editor)
{
    return editor->viewport.tools.mirror & 1;
}

bool qvuiIsSymmetricY(const qvuiEditor* editor)
{
    return editor->viewport.tools.mirror & 2;
}

bool qvuiIsSymmetricZ(const qvuiEditor* editor)
{
    return editor->viewport.tools.mirror & 4;
}

void qvuiAction_Radius(qvuiEditor* editor)
{
    qvuiTools_Adjust(editor, qvui_adjustRadius);
}

void qvuiAction_Strength(qvuiEditor* editor)
{
    qvuiTools_Adjust(editor, qvui_adjustStrength);
}

static void MultiplyRadius(qvuiEditor* editor, double factor)
{
    double diagonal = editor->session.body->diagonal;
    editor->viewport.tools.radius = fmin(fmax(factor * qvuiTools_Radius(editor), 1e-3 * diagonal), diagonal);
}

void qvuiAction_SmallerBrush(qvuiEditor* editor)
{
    MultiplyRadius(editor, 1.0 / 1.15);
}

void qvuiAction_LargerBrush(qvuiEditor* editor)
{
    MultiplyRadius(editor, 1.15);
}
