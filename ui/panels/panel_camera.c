// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/state.h"
#include "ui/panels/fields.h"

#include <math.h>
#include <stdio.h>

static const double DEGREES_PER_RADIAN = 57.29577951308232;

// Keeps the size of what is at the target while the angle changes.
static void SetAngle(qvuiCamera* camera, double angle)
{
    double half = camera->distance * tan(0.5 * camera->angle);
    camera->angle = angle;
    camera->distance = half / tan(0.5 * angle);
}

// The camera that the scene keeps. Who changes a number wants to see what it does: the view goes there.
static void DrawSceneCamera(qvuiEditor* editor)
{
    static const char* const shown[] = { "camera.target",   "camera.yaw",  "camera.pitch",
                                         "camera.distance", "camera.lens", "camera.ortho" };
    if (qvuiPillRow(&editor->kit, "Keep view in scene",
                    "Stores this view in the scene: films and whoever opens it begin with it"))
        qvuiEditor_Run(editor, qvuiFindAction("view.keep"));
    if (!qvuiHasSceneCamera(editor))
        return;
    uint64_t before = qvDocument_Revision(editor->session.document);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        qvuiFieldRow(editor, (qvRef){ qv_objectScene, 0 }, shown[i], QVUI_CHOSEN);
    if (qvDocument_Revision(editor->session.document) != before)
        qvuiAction_SceneView(editor);
    if (!qvuiIsSceneView(editor) &&
        qvuiPillRow(&editor->kit, "Look through", "Shows what pictures and films of the scene show"))
        qvuiEditor_Run(editor, qvuiFindAction("view.scene"));
    if (qvuiPillRow(&editor->kit, "Forget scene camera", "Pictures and films show the whole motion again"))
        qvuiEditor_Run(editor, qvuiFindAction("view.forget"));
}

static void Draw(qvuiEditor* editor)
{
    static const char* const projections[] = { "perspective", "ortho" };
    static const qvuiSliderDef angleDef = {
        .label = "Angle of view",
        .format = "%.0f\xc2\xb0",
        .minimum = 10.0,
        .maximum = 100.0,
        .standard = 34.0,
        .color = QVUI_CHOSEN,
        .tooltip = "A small one flattens, a large one exaggerates depth; changes only the picture"
    };
    qvuiCamera* camera = &editor->viewport.camera;
    int projection = camera->orthographic;
    if (qvuiSegmentedRow(&editor->kit, "Projection", projections, 2, &projection, QVUI_CHOSEN,
                         "Perspective shows near things larger; changes only the picture"))
        camera->orthographic = projection == 1;
    double degrees = camera->angle * DEGREES_PER_RADIAN;
    // An orthographic picture does not depend on it.
    igBeginDisabled(camera->orthographic);
    if (qvuiSliderRow(&editor->kit, &angleDef, &degrees))
        SetAngle(camera, degrees / DEGREES_PER_RADIAN);
    igEndDisabled();
    if (editor->session.document != NULL)
        DrawSceneCamera(editor);
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvuiCamera* camera = &editor->viewport.camera;
    // Adding zero turns -0 into 0.
    snprintf(text, capacity, "%.0f\xc2\xb0, %.0f\xc2\xb0", round(camera->yaw * DEGREES_PER_RADIAN) + 0.0,
             round(camera->pitch * DEGREES_PER_RADIAN) + 0.0);
}

const qvuiPanel qvuiPanelCamera = {
    "camera", "Camera", NULL, Remark, Draw, false, "Where you look from; changes only the picture"
};
