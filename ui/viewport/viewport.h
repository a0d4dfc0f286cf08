// SPDX-License-Identifier: GPL-3.0-or-later
/// The picture of the mesh inside the window: camera, navigation, badges and the axis gizmo. The picture is drawn again
/// only when something in it changed.
#pragma once

#include "quaver/result.h"
#include "ui/render/renderer.h"
#include "ui/widgets/widgets.h"

typedef enum qvuiSmoothEdges
{
    qvui_smoothNever,
    qvui_smoothAtRest, ///< the last picture after a movement
    qvui_smoothAlways,
} qvuiSmoothEdges;

typedef enum qvuiDrag
{
    qvui_dragNone,
    qvui_dragOrbit,
    qvui_dragPan,
    qvui_dragZoom,
} qvuiDrag;

/// Everything the picture depends on; compared bytewise to find out whether it is still valid.
typedef struct qvuiPictureKey
{
    qvuiCamera camera;
    qvuiLook look;
    int width, height, samples;
    const qvuiSurface* surface;
    unsigned int revision;
} qvuiPictureKey;

typedef struct qvuiViewport
{
    qvuiCamera camera;
    qvuiLook look;
    qvuiSmoothEdges smoothEdges;
    bool showBadges;
    bool leftOrbits; ///< the left button orbits on the body too; brushes then need the middle of the strip

    qvuiTarget target;
    qvuiPictureKey drawn; ///< what the target shows
    double drawSeconds;   ///< time the last picture of a movement took; 0: not known yet
    double changeTime;    ///< when the camera or the mesh last moved, seconds of igGetTime
    bool refinePending;   ///< a picture with smooth edges is due after a pause
    qvuiDrag drag;
    bool hovered;
    float badgeAlpha;
    ImVec2 place, size; ///< of the picture in the window, pixels
} qvuiViewport;

void qvuiViewport_Init(qvuiViewport* viewport);
void qvuiViewport_Free(qvuiViewport* viewport);

/// Width over height of the picture, for qvuiCamera_Focus.
double qvuiViewport_Aspect(const qvuiViewport* viewport);

/// Fills the rest of the current ImGui window, which has no background: navigation, then the picture into the target,
/// which the window copies to place before it draws the interface. The surface may be NULL.
QV_CHECKED qvResult qvuiViewport_Draw(qvuiViewport* viewport, qvuiKit* kit, qvuiRenderer* renderer,
                                      const qvuiSurface* surface, qvError* error);

/// Seconds until the viewport wants to draw again by itself; negative: not before the next event.
double qvuiViewport_NextWake(const qvuiViewport* viewport);

/// Reads the mouse over the picture (the ImGui item drawn last) and moves the camera.
void qvuiNavigate(qvuiViewport* viewport);

/// The axis gizmo with its middle at a place; a click on an axis turns the camera to it, a drag orbits.
void qvuiAxisGizmo(qvuiViewport* viewport, qvuiKit* kit, ImVec2 middle);
