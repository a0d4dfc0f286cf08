// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewport/viewport.h"
#include "ui/actions/obstacles.h"

#include "ui/editor/clock.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <string.h>

// Smooth edges cost three times as much without a graphics card, so they wait for the end of a movement.
static const double REFINE_PAUSE = 0.15;

void qvuiViewport_Init(qvuiViewport* viewport)
{
    *viewport = (qvuiViewport){ .camera = qvuiDefaultCamera(), .badgeAlpha = 1.0f };
    qvuiTools_Init(&viewport->tools);
    qvuiOverlay_Init(&viewport->overlay);
    qvuiViewport_Reset(viewport);
}

void qvuiViewport_Reset(qvuiViewport* viewport)
{
    viewport->look = qvuiDefaultLook();
    viewport->smoothEdges = qvui_smoothAtRest;
    viewport->showBadges = true;
    viewport->overlay.showGhosts = viewport->overlay.showTrails = true;
    viewport->overlay.showPlain = false;
    viewport->overlay.heat = qvui_colorsOwn;
}

void qvuiViewport_DropBody(qvuiViewport* viewport)
{
    qvuiTools_DropBody(&viewport->tools);
    qvuiOverlay_Drop(&viewport->overlay);
    viewport->look.scenery = NULL;
}

void qvuiViewport_Free(qvuiViewport* viewport)
{
    qvuiViewport_DropBody(viewport);
    qvuiTarget_Free(&viewport->target);
}

double qvuiViewport_Aspect(const qvuiViewport* viewport)
{
    return viewport->size.y > 0.0f ? (double)viewport->size.x / viewport->size.y : 16.0 / 9.0;
}

// memset first, so that padding compares equal.
static void MakeKey(const qvuiViewport* viewport, const qvuiSurface* surface, qvuiPictureKey* key)
{
    memset(key, 0, sizeof(*key));
    memcpy(&key->camera, &viewport->camera, sizeof(key->camera));
    memcpy(&key->look, &viewport->look, sizeof(key->look));
    key->width = (int)fmaxf(viewport->size.x, 1.0f);
    key->height = (int)fmaxf(viewport->size.y, 1.0f);
    key->surface = surface;
    key->revision = surface != NULL ? qvuiSurface_Revision(surface) : 0;
    key->overlayRevision = viewport->overlay.revision;
}

static bool IsDragged(const qvuiViewport* viewport)
{
    return viewport->drag != qvui_dragNone || viewport->tools.active != NULL;
}

// Samples per pixel that the picture should have now.
static int WantedSamples(const qvuiViewport* viewport, bool hasBody, bool changed)
{
    // The ground looks the same with any.
    if (!hasBody)
        return 0;
    if (viewport->smoothEdges != qvui_smoothAtRest)
        return viewport->smoothEdges == qvui_smoothAlways ? 4 : 0;
    // A still picture with smooth edges stays until something changes.
    if (!changed && viewport->drawn.samples > 0)
        return viewport->drawn.samples;
    return !IsDragged(viewport) && igGetTime() - viewport->changeTime >= REFINE_PAUSE ? 4 : 0;
}

// Without a graphics card smooth edges at rest come a band at a time, so that no frame waits for all of them.
static void ChooseRows(qvuiViewport* viewport, const qvuiRenderer* renderer, const qvuiPictureKey* key)
{
    int band = viewport->smoothEdges == qvui_smoothAtRest ? qvuiRenderer_BandRows(renderer) : 0;
    int* rows = viewport->target.rows;
    rows[0] = rows[1] = 0;
    if (key->samples == 0 || band == 0)
        viewport->refinedRows = key->samples > 0 ? key->height : 0;
    else
    {
        rows[0] = viewport->refinedRows;
        rows[1] = viewport->refinedRows = rows[0] + band < key->height ? rows[0] + band : key->height;
    }
}

static qvResult DrawPicture(qvuiViewport* viewport, qvuiRenderer* renderer, const qvuiSurface* surface,
                            const qvuiPictureKey* key, qvError* error)
{
    double start = qvuiWallClock();
    qvResult result = qvuiTarget_Resize(&viewport->target, key->width, key->height, key->samples, error);
    viewport->pictureRevision++;
    if (result != qv_ok)
        return result;
    ChooseRows(viewport, renderer, key);
    qvuiLook look = viewport->look;
    look.hasty = viewport->smoothEdges == qvui_smoothAtRest && key->samples == 0;
    qvuiRenderer_Draw(renderer, &viewport->target, &viewport->camera, &look, surface, viewport->overlay.extras,
                      surface != NULL ? viewport->overlay.extraCount : 0);
    qvuiWaitForDrawing();
    viewport->pictureSeconds = qvuiWallClock() - start;
    // The first picture of a kind compiles shaders and allocates, and the one at rest may take its time; they say
    // nothing about speed.
    const qvuiPictureKey* before = &viewport->drawn;
    bool warm = (key->samples == 0 || viewport->smoothEdges == qvui_smoothAlways) && key->surface == before->surface &&
                key->width == before->width && key->height == before->height && key->samples == before->samples;
    if (warm)
        viewport->drawSeconds = viewport->pictureSeconds;
    memcpy(&viewport->drawn, key, sizeof(*key));
    return qv_ok;
}

static qvResult UpdatePicture(qvuiViewport* viewport, qvuiRenderer* renderer, const qvuiSurface* surface,
                              qvError* error)
{
    qvuiPictureKey key;
    qvResult result = qv_ok;
    viewport->pictureSeconds = 0.0;
    MakeKey(viewport, surface, &key);
    key.samples = viewport->drawn.samples;
    bool changed = memcmp(&key, &viewport->drawn, sizeof(key)) != 0;
    if (changed)
        viewport->changeTime = igGetTime();
    key.samples = WantedSamples(viewport, surface != NULL, changed);
    bool isNew = memcmp(&key, &viewport->drawn, sizeof(key)) != 0;
    if (isNew)
        viewport->refinedRows = 0;
    bool goesOn = key.samples > 0 && viewport->refinedRows < key.height && !IsDragged(viewport);
    if (isNew || goesOn)
        result = DrawPicture(viewport, renderer, surface, &key, error);
    viewport->refinePending =
        surface != NULL && viewport->smoothEdges == qvui_smoothAtRest && viewport->refinedRows < key.height;
    return result;
}

static void FadeBadges(qvuiViewport* viewport)
{
    // Within 120 ms.
    bool busy = viewport->drag != qvui_dragNone || (viewport->tools.active != NULL && viewport->tools.moved);
    float wanted = busy ? 0.35f : 1.0f, step = igGetIO()->DeltaTime / 0.12f;
    viewport->badgeAlpha += fmaxf(-step, fminf(step, wanted - viewport->badgeAlpha));
}

qvResult qvuiViewport_Draw(qvuiEditor* editor, qvError* error)
{
    qvuiViewport* viewport = &editor->viewport;
    qvuiKit* kit = &editor->kit;
    igGetCursorScreenPos(&viewport->place);
    igGetContentRegionAvail(&viewport->size);
    viewport->size.x = fmaxf(viewport->size.x, 1.0f);
    viewport->size.y = fmaxf(viewport->size.y, 1.0f);
    viewport->look.pixelScale = fmax(1.0, kit->style.scale);
    igInvisibleButton("picture", viewport->size,
                      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                          ImGuiButtonFlags_MouseButtonRight);
    igSetItemAllowOverlap();
    qvuiNames_AddArea(&kit->names, "Viewport");
    bool busy = qvuiTools_Mouse(editor);
    qvuiNavigate(editor, busy);
    double start = qvuiWallClock();
    qvuiOverlay_Update(editor);
    qvResult result = UpdatePicture(viewport, editor->renderer, qvuiEditor_Shown(editor), error);
    editor->meshSeconds += qvuiWallClock() - start;
    FadeBadges(viewport);
    ImDrawList* list = igGetWindowDrawList();
    qvuiOverlay_Draw(editor, list);
    qvuiDrawSafe(editor, list);
    qvuiJoints_Draw(editor, list);
    qvuiObstacles_Draw(editor, list);
    qvuiTools_Draw(editor, list);
    return result;
}

bool qvuiViewport_IsMoving(const qvuiViewport* viewport)
{
    return (viewport->badgeAlpha < 1.0f && !IsDragged(viewport)) || qvuiOverlay_IsBusy(&viewport->overlay);
}

double qvuiViewport_NextWake(const qvuiViewport* viewport)
{
    bool busy = IsDragged(viewport);
    if (qvuiViewport_IsMoving(viewport))
        return 0.0;
    if (!viewport->refinePending || busy)
        return -1.0;
    return fmax(0.0, viewport->changeTime + REFINE_PAUSE - igGetTime());
}

const char* qvuiViewport_Hint(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    if (tools->adjust == qvui_adjustRadius)
        return "Move\tright for a larger brush|LMB\ttake it|Esc\tback";
    if (tools->adjust == qvui_adjustStrength)
        return "Move\tright for a stronger brush|LMB\ttake it|Esc\tback";
    if (tools->active != NULL)
        return tools->active->during != NULL ? tools->active->during : "Let go\tto finish|Esc\tcancel";
    return qvuiGetTool(tools->tool)->hint;
}
