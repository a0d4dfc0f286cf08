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
    qvuiEditor_FrameMotion(editor);
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

// --- The scene's camera ----------------------------------------------------------------------------------------------

bool qvuiHasSceneCamera(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL && scene->hasCamera;
}

bool qvuiIsSceneView(const qvuiEditor* editor)
{
    if (!qvuiHasSceneCamera(editor))
        return false;
    qvuiCamera kept = qvuiCameraOfScene(&qvuiSession_Scene(&editor->session)->camera);
    const qvuiCamera* view = &editor->viewport.camera;
    double reach = 1e-6 * kept.distance;
    return kept.orthographic == view->orthographic && qvDistance(kept.target, view->target) <= reach &&
           fabs(kept.distance - view->distance) <= reach && fabs(kept.pitch - view->pitch) <= 1e-6 &&
           fabs(sin(0.5 * (kept.yaw - view->yaw))) <= 1e-6 && fabs(kept.angle - view->angle) <= 1e-6;
}

void qvuiAction_KeepView(qvuiEditor* editor)
{
    qvSceneCamera camera = qvuiCamera_ForScene(&editor->viewport.camera);
    qvJson* value = qvCreateJsonObject();
    qvJson_AddNumbers(value, "target", (double[]){ camera.target.x, camera.target.y, camera.target.z }, 3);
    qvJson_AddNumber(value, "yaw", camera.yaw);
    qvJson_AddNumber(value, "pitch", camera.pitch);
    qvJson_AddNumber(value, "distance", camera.distance);
    qvJson_AddNumber(value, "lens", camera.lens);
    qvJson_AddBool(value, "ortho", camera.ortho);
    qvEdit edit = {
        .kind = qv_editSet, .object = { qv_objectScene, 0 }, .field = "camera", .value = qvJsonValue(value)
    };
    qvDocument* document = editor->session.document;
    qvError error;
    qvDocument_Begin(document, "Keep view in scene", 0);
    qvuiEditor_Did(editor, qvDocument_Apply(document, &edit, NULL, &error), &error);
    qvDocument_End(document);
    qvDestroyJson(value);
}

void qvuiAction_SceneView(qvuiEditor* editor)
{
    editor->viewport.camera = qvuiCameraOfScene(&qvuiSession_Scene(&editor->session)->camera);
}

void qvuiAction_ForgetView(qvuiEditor* editor)
{
    qvDocument* document = editor->session.document;
    qvError error;
    qvDocument_Begin(document, "Forget scene camera", 0);
    qvuiEditor_Did(editor, qvDocument_Reset(document, (qvRef){ qv_objectScene, 0 }, "camera", &error), &error);
    qvDocument_End(document);
}

// --- How the body is drawn -------------------------------------------------------------------------------------------

// --- Overlays ------------------------------------------------------------------------------------------------------

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

enum
{
    MOST_CHANNELS = 8
};

// By the first channel that there is something of now; again: the body.
void qvuiAction_SimulatedPoints(qvuiEditor* editor)
{
    const qvChannel *channels[MOST_CHANNELS], *first = NULL;
    int count = qvFindChannels(channels, MOST_CHANNELS);
    qvuiOverlay* overlay = &editor->viewport.overlay;
    count = overlay->channel != NULL ? 0 : count < MOST_CHANNELS ? count : MOST_CHANNELS;
    for (int i = count - 1; i >= 0; i--)
    {
        qvShownPoints shown;
        bool isThere = overlay->view.take != NULL &&
                       qvTakeView_ShowChannel(&overlay->view, channels[i]->tag, editor->session.playback.time, &shown);
        first = isThere || (i == 0 && first == NULL) ? channels[i] : first;
    }
    overlay->channel = first;
}

bool qvuiShowsSimulatedPoints(const qvuiEditor* editor)
{
    return editor->viewport.overlay.channel != NULL;
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
