// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render_entry.h"

#include "ui/render/headless.h"
#include "ui/render/renderer.h"

#include <stdlib.h>

struct qvuiPainter
{
    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiTarget target;
    qvuiCamera camera;
    qvuiLook look;
};

qvuiPainterDef qvuiDefaultPainterDef(void)
{
    qvuiCamera camera = qvuiDefaultCamera();
    return (qvuiPainterDef){ .width = 1600,
                             .height = 900,
                             .samples = 8,
                             .yaw = camera.yaw,
                             .pitch = camera.pitch,
                             .grid = true,
                             .shadow = true,
                             .frame = { { 1, 1, 1 }, { -1, -1, -1 } } };
}

static void AimCamera(qvuiPainter* painter, const qvuiPainterDef* def)
{
    qvBox frame = def->frame.lower.x <= def->frame.upper.x ? def->frame : qvuiSurface_Bounds(painter->surface);
    painter->camera = qvuiDefaultCamera();
    painter->camera.yaw = def->yaw;
    painter->camera.pitch = def->pitch;
    painter->camera.orthographic = def->orthographic;
    qvuiCamera_Focus(&painter->camera, frame, (double)def->width / def->height);
}

static qvResult Prepare(qvuiPainter* painter, const qvMesh* mesh, const qvuiPainterDef* def, qvError* error)
{
    qvResult result = qvuiCreateHeadless(&painter->headless, error);
    if (result == qv_ok)
        result = qvuiCreateRenderer(&painter->renderer, error);
    if (result == qv_ok)
        result = qvuiCreateSurface(mesh, &painter->surface, error);
    if (result == qv_ok)
        result = qvuiTarget_Resize(&painter->target, def->width, def->height, def->samples, error);
    return result;
}

qvResult qvuiCreatePainter(const qvMesh* mesh, const qvuiPainterDef* def, qvuiPainter** painter, qvError* error)
{
    *painter = NULL;
    qvuiPainter* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    qvResult result = Prepare(made, mesh, def, error);
    if (result != qv_ok)
    {
        qvuiDestroyPainter(made);
        return result;
    }
    AimCamera(made, def);
    made->look = (qvuiLook){ .flat = def->flat,
                             .wireframe = def->wireframe,
                             .grid = def->grid && !def->transparent,
                             .shadow = def->shadow,
                             .backdrop = !def->transparent,
                             .pixelScale = def->height > 1080 ? def->height / 1080.0 : 1.0 };
    *painter = made;
    return qv_ok;
}

void qvuiDestroyPainter(qvuiPainter* painter)
{
    if (painter == NULL)
        return;
    if (painter->headless != NULL)
    {
        qvuiTarget_Free(&painter->target);
        qvuiDestroySurface(painter->surface);
        qvuiDestroyRenderer(painter->renderer);
    }
    qvuiDestroyHeadless(painter->headless);
    free(painter);
}

void qvuiPainter_Draw(qvuiPainter* painter, const qvVec3f* positions, double yaw, qvImage* image)
{
    if (positions != NULL)
        qvuiSurface_SetPositions(painter->surface, positions);
    qvuiCamera camera = painter->camera;
    qvuiCamera_Orbit(&camera, yaw, 0.0);
    qvuiRenderer_Draw(painter->renderer, &painter->target, &camera, &painter->look, painter->surface);
    qvuiTarget_Read(&painter->target, image);
}

qvResult qvuiRenderStill(const qvMesh* mesh, const qvuiPainterDef* def, qvImage* image, qvError* error)
{
    *image = (qvImage){ 0 };
    qvuiPainter* painter = NULL;
    qvResult result = qvuiCreatePainter(mesh, def, &painter, error);
    if (result == qv_ok)
        result = qvCreateImage(def->width, def->height, image, error);
    if (result == qv_ok)
        qvuiPainter_Draw(painter, NULL, 0.0, image);
    qvuiDestroyPainter(painter);
    return result;
}
