// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

static const double DegreesPerRadian = 57.29577951308232;

// Keeps the size of what is at the target while the angle changes.
static void SetAngle(qvuiCamera* camera, double angle)
{
    double half = camera->distance * tan(0.5 * camera->angle);
    camera->angle = angle;
    camera->distance = half / tan(0.5 * angle);
}

static void Draw(qvuiEditor* editor)
{
    static const char* const projections[] = { "perspective", "ortho" };
    static const qvuiSliderDef angleDef = { .label = "Angle of view",
                                            .format = "%.0f\xc2\xb0",
                                            .minimum = 10.0,
                                            .maximum = 100.0,
                                            .standard = 34.0,
                                            .color = QVUI_CHOSEN,
                                            .tooltip =
                                                "Vertical; a small one flattens, a large one exaggerates depth" };
    qvuiCamera* camera = &editor->viewport.camera;
    int projection = camera->orthographic;
    if (qvuiSegmentedRow(&editor->kit, "Projection", projections, 2, &projection, QVUI_CHOSEN, NULL))
        camera->orthographic = projection == 1;
    double degrees = camera->angle * DegreesPerRadian;
    // An orthographic picture does not depend on it.
    igBeginDisabled(camera->orthographic);
    if (qvuiSliderRow(&editor->kit, &angleDef, &degrees))
        SetAngle(camera, degrees / DegreesPerRadian);
    igEndDisabled();
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvuiCamera* camera = &editor->viewport.camera;
    // Adding zero turns -0 into 0.
    snprintf(text, capacity, "%.0f\xc2\xb0, %.0f\xc2\xb0", round(camera->yaw * DegreesPerRadian) + 0.0,
             round(camera->pitch * DegreesPerRadian) + 0.0);
}

const qvuiPanel qvuiPanelCamera = { "camera", "Camera", NULL, Remark, Draw, false };
