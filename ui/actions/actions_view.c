// SPDX-License-Identifier: GPL-3.0-or-later
// The camera, what the viewport shows, and the window.
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

// --- Overlays ------------------------------------------------------------------------------------------------------

bool qvuiShowsGhosts(const qvuiEditor* editor)
{
    return editor->viewport.overlay.showGhosts;
}

void qvuiAction_Ghosts(qvuiEditor* editor)
{
    editor->viewport.overlay.showGhosts = !editor->viewport.overlay.showGhosts;
}

bool qvuiShowsTrails(const qvuiEditor* editor)
{
    return editor->viewport.overlay.showTrails;
}

void qvuiAction_Trails(qvuiEditor* editor)
{
    editor->viewport.overlay.showTrails = !editor->viewport.overlay.showTrails;
}

bool qvuiShowsPlain(const qvuiEditor* editor)
{
    return editor->viewport.overlay.showPlain;
}

void qvuiAction_Plain(qvuiEditor* editor)
{
    editor->viewport.overlay.showPlain = !editor->viewport.overlay.showPlain;
}

// Again: back to the body's own colours.
static void SetColors(qvuiEditor* editor, qvuiHeatKind heat)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    overlay->heat = overlay->heat == heat ? qvui_colorsOwn : heat;
}

void qvuiAction_OwnColors(qvuiEditor* editor)
{
    SetColors(editor, qvui_colorsOwn);
}

void qvuiAction_DisplacementColors(qvuiEditor* editor)
{
    SetColors(editor, qvui_colorsDisplacement);
}

void qvuiAction_StrainColors(qvuiEditor* editor)
{
    SetColors(editor, qvui_colorsStrain);
}

void qvuiAction_WaveColors(qvuiEditor* editor)
{
    SetColors(editor, qvui_colorsWaves);
}

bool qvuiHasOwnColors(const qvuiEditor* editor)
{
    return editor->viewport.overlay.heat == qvui_colorsOwn;
}

bool qvuiHasDisplacementColors(const qvuiEditor* editor)
{
    return editor->viewport.overlay.heat == qvui_colorsDisplacement;
}

bool qvuiHasStrainColors(const qvuiEditor* editor)
{
    return editor->viewport.overlay.heat == qvui_colorsStrain;
}

bool qvuiHasWaveColors(const qvuiEditor* editor)
{
    return editor->viewport.overlay.heat == qvui_colorsWaves;
}

// --- The window ------------------------------------------------------------------------------------------------------

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
