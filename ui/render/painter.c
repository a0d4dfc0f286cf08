// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render_entry.h"

#include "ui/render/headless.h"
#include "ui/render/renderer.h"

#include <math.h>
#include <stdlib.h>

enum
{
    TURNTABLE_SIDES = 32,  // from which a body that turns must fit; between them the margin suffices
    BAND_PIXELS = 1 << 21, // at a time: some tenths of a second without a graphics card
    BAND_STEP = 64,        // rows; whole tiles of llvmpipe
};

struct qvuiPainter
{
    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiSurface* other;   // shown instead; NULL: none
    qvuiSurface* scenery; // drawn beside it; NULL: none
    qvuiGhost* ghosts[2]; // before and after; made when needed
    bool showsGhost[2];
    qvuiExtra balls; // without points: none
    qvuiTarget target;
    qvuiCamera camera;
    qvuiLook look;
    const qvJob* job;
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
    if (def->camera != NULL)
    {
        painter->camera = qvuiCameraOfScene(def->camera);
        return;
    }
    qvBox frame = def->frame.lower.x <= def->frame.upper.x ? def->frame : qvuiSurface_Bounds(painter->surface);
    painter->camera = qvuiDefaultCamera();
    painter->camera.yaw = def->yaw;
    painter->camera.pitch = def->pitch;
    painter->camera.orthographic = def->orthographic;
    double distance = 0.0;
    for (int side = 0; side < (def->turns ? TURNTABLE_SIDES : 1); side++)
    {
        qvuiCamera turned = painter->camera;
        qvuiCamera_Orbit(&turned, 2.0 * QV_PI * side / TURNTABLE_SIDES, 0.0);
        qvuiCamera_Focus(&turned, frame, (double)def->width / def->height);
        distance = fmax(distance, turned.distance);
        painter->camera.target = turned.target;
    }
    painter->camera.distance = distance;
}

// Of a band of a picture, in whole tiles.
static int BandRows(int width)
{
    int rows = BAND_PIXELS / width / BAND_STEP * BAND_STEP;
    return rows < BAND_STEP ? BAND_STEP : rows;
}

static qvResult Prepare(qvuiPainter* painter, const qvMesh* mesh, const qvuiPainterDef* def, qvError* error)
{
    qvResult result = qvuiCreateHeadless(&painter->headless, error);
    if (result == qv_ok)
        result = qvuiCreateRenderer(&painter->renderer, error);
    if (result == qv_ok)
        result = qvJob_Ask(def->job, error);
    if (result == qv_ok)
        result = qvuiPrepareSurface(mesh, &painter->surface, error);
    if (result == qv_ok)
        result = qvJob_Ask(def->job, error);
    if (result == qv_ok)
        qvuiSurface_Upload(painter->surface);
    painter->target.storedRows = BandRows(def->width);
    if (result == qv_ok)
        result = qvJob_Ask(def->job, error);
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
    if (result == qv_ok && def->folder != NULL)
        result = qvuiSurface_LoadTextures(made->surface, mesh, def->folder, def->job, error);
    if (result != qv_ok)
    {
        qvuiDestroyPainter(made);
        return result;
    }
    AimCamera(made, def);
    made->job = def->job;
    made->look = (qvuiLook){ .flat = def->flat,
                             .wireframe = def->wireframe,
                             .splats = def->splats,
                             .grid = def->grid && !def->transparent,
                             .shadow = def->shadow,
                             .hasGround = def->hasGround,
                             .ground = def->ground,
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
        qvuiDestroyGhost(painter->ghosts[0]);
        qvuiDestroyGhost(painter->ghosts[1]);
        qvuiDestroySurface(painter->other);
        qvuiDestroySurface(painter->scenery);
        qvuiDestroySurface(painter->surface);
        qvuiDestroyRenderer(painter->renderer);
    }
    qvuiDestroyHeadless(painter->headless);
    free(painter);
}

qvResult qvuiPainter_SetGhosts(qvuiPainter* painter, const qvVec3f* before, const qvVec3f* after, qvError* error)
{
    const qvVec3f* positions[2] = { before, after };
    for (int i = 0; i < 2; i++)
    {
        painter->showsGhost[i] = positions[i] != NULL;
        if (positions[i] == NULL)
            continue;
        if (painter->ghosts[i] == NULL)
        {
            qvResult result = qvuiCreateGhost(painter->surface, &painter->ghosts[i], error);
            if (result != qv_ok)
                return result;
        }
        qvuiGhost_SetPositions(painter->ghosts[i], positions[i]);
    }
    return qv_ok;
}

qvResult qvuiPainter_SetMesh(qvuiPainter* painter, const qvMesh* mesh, qvError* error)
{
    qvuiDestroySurface(painter->other);
    painter->other = NULL;
    return mesh != NULL ? qvuiSurface_CreateLike(painter->surface, mesh, &painter->other, error) : qv_ok;
}

qvResult qvuiPainter_SetScenery(qvuiPainter* painter, const qvMesh* mesh, qvError* error)
{
    qvuiDestroySurface(painter->scenery);
    painter->scenery = NULL;
    qvResult result = mesh != NULL ? qvuiCreateSurface(mesh, &painter->scenery, error) : qv_ok;
    painter->look.scenery = painter->scenery;
    return result;
}

void qvuiPainter_MoveScenery(qvuiPainter* painter, const qvVec3f* positions)
{
    qvuiSurface_SetPositions(painter->scenery, positions);
}

void qvuiPainter_SetHeat(qvuiPainter* painter, const float* values, bool waves)
{
    painter->look.heat = waves ? qvui_heatWaves : qvui_heatScale;
    qvuiSurface_SetHeat(painter->surface, values);
}

void qvuiPainter_SetBalls(qvuiPainter* painter, const qvShownPoints* shown)
{
    painter->balls = qvuiShownBalls(shown);
    painter->look.hidden = shown->points != NULL;
}

// All of it at once, or bands of whole tiles, with a question after each.
static qvResult DrawBands(qvuiPainter* painter, const qvuiCamera* camera, const qvuiSurface* shown,
                          const qvuiExtra* extras, int extraCount, qvImage* image, qvError* error)
{
    qvuiTarget* target = &painter->target;
    int band = BandRows(target->width);
    qvResult result = qv_ok;
    for (int row = 0; result == qv_ok && row < target->height; row += band)
    {
        target->rows[0] = row;
        target->rows[1] = row + band < target->height ? row + band : target->height;
        qvuiRenderer_Draw(painter->renderer, target, camera, &painter->look, shown, extras, extraCount);
        qvuiTarget_ReadRows(target, image);
        result = qvJob_Ask(painter->job, error);
    }
    return result;
}

qvResult qvuiPainter_Draw(qvuiPainter* painter, const qvVec3f* positions, double yaw, qvImage* image, qvError* error)
{
    if (positions != NULL && painter->other == NULL)
        qvuiSurface_SetPositions(painter->surface, positions);
    const qvuiSurface* shown = painter->other != NULL ? painter->other : painter->surface;
    qvuiCamera camera = painter->camera;
    qvuiCamera_Orbit(&camera, yaw, 0.0);
    qvuiExtra extras[3];
    int count = 0;
    if (painter->balls.points != NULL)
        extras[count++] = painter->balls;
    for (int i = 0; i < 2; i++)
        if (painter->showsGhost[i])
            extras[count++] = i == 0 ? qvuiGhostBefore(painter->ghosts[0]) : qvuiGhostAfter(painter->ghosts[1]);
    return DrawBands(painter, &camera, shown, extras, count, image, error);
}

qvResult qvuiRenderStill(const qvMesh* mesh, const qvuiPainterDef* def, qvImage* image, qvError* error)
{
    *image = (qvImage){ 0 };
    qvuiPainter* painter = NULL;
    qvResult result = qvuiCreatePainter(mesh, def, &painter, error);
    if (result == qv_ok)
        result = qvCreateImage(def->width, def->height, image, error);
    if (result == qv_ok)
        result = qvuiPainter_Draw(painter, NULL, 0.0, image, error);
    qvuiDestroyPainter(painter);
    return result;
}
