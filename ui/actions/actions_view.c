// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>

void qvuiAction_Focus(qvuiEditor* editor)
{
    qvuiViewport_Focus(editor);
}

// All there is, from where the camera is.
void qvuiAction_ShowAll(qvuiEditor* editor)
{
    qvuiEditor_FrameMesh(editor);
}

void qvuiAction_Front(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewFront);
}

void qvuiAction_Back(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewBack);
}

void qvuiAction_Right(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewRight);
}

void qvuiAction_Left(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewLeft);
}

void qvuiAction_Top(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewTop);
}

void qvuiAction_Bottom(qvuiEditor* editor)
{
    qvuiCamera_SetAxisView(&editor->viewport.camera, qvui_viewBottom);
}

bool qvuiIsOrthographic(const qvuiEditor* editor)
{
    return editor->viewport.camera.orthographic;
}

void qvuiAction_Orthographic(qvuiEditor* editor)
{
    editor->viewport.camera.orthographic = !editor->viewport.camera.orthographic;
}

bool qvuiIsFlat(const qvuiEditor* editor)
{
    return editor->viewport.look.flat;
}

void qvuiAction_Flat(qvuiEditor* editor)
{
    editor->viewport.look.flat = !editor->viewport.look.flat;
}

bool qvuiIsWireframe(const qvuiEditor* editor)
{
    return editor->viewport.look.wireframe;
}

void qvuiAction_Wireframe(qvuiEditor* editor)
{
    editor->viewport.look.wireframe = !editor->viewport.look.wireframe;
}

bool qvuiIsGrid(const qvuiEditor* editor)
{
    return editor->viewport.look.grid;
}

void qvuiAction_Grid(qvuiEditor* editor)
{
    editor->viewport.look.grid = !editor->viewport.look.grid;
}

bool qvuiIsInspector(const qvuiEditor* editor)
{
    return editor->showInspector;
}

void qvuiAction_Inspector(qvuiEditor* editor)
{
    editor->showInspector = !editor->showInspector;
}

bool qvuiIsFullScreen(const qvuiEditor* editor)
{
    return editor->wantsFullScreen;
}

void qvuiAction_FullScreen(qvuiEditor* editor)
{
    editor->wantsFullScreen = !editor->wantsFullScreen;
}

void qvuiAction_Larger(qvuiEditor* editor)
{
    editor->wantedScale = editor->typedScale = fmin(editor->wantedScale + 0.25, 3.0);
}

void qvuiAction_Smaller(qvuiEditor* editor)
{
    editor->wantedScale = editor->typedScale = fmax(editor->wantedScale - 0.25, 0.75);
}

void qvuiAction_ResetLayout(qvuiEditor* editor)
{
    qvuiEditor_ResetLayout(editor);
}
