// SPDX-License-Identifier: GPL-3.0-or-later
/// The picture of the body inside the window: camera, navigation, tools, overlays, badges and the axis gizmo. The
/// picture is drawn again only when something in it changed; what tools show lies over it.
#pragma once

#include "quaver/result.h"
#include "ui/render/renderer.h"
#include "ui/viewport/overlay.h"
#include "ui/viewport/tool.h"
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
    uint64_t overlayRevision;
} qvuiPictureKey;

typedef struct qvuiViewport
{
    qvuiCamera camera;
    bool fromScene; ///< the camera was that of the document when it was opened
    qvuiLook look;
    qvuiSmoothEdges smoothEdges;
    bool showBadges;
    bool showSafe;   ///< what a film shows, and where its titles are safe
    bool leftOrbits; ///< the left button orbits on the body too; tools then use the right one
    qvuiTools tools;
    qvuiOverlay overlay;

    qvuiTarget target;
    qvuiPictureKey drawn;     ///< what the target shows
    uint64_t pictureRevision; ///< grows with each picture
    double drawSeconds;       ///< time the last picture of a movement took; 0: not known yet
    double pictureSeconds;    ///< of this frame's picture; 0 when it was not drawn anew
    double changeTime;        ///< when the camera or the mesh last moved, seconds of igGetTime
    bool refinePending;       ///< a picture with smooth edges is due after a pause, or the rest of it
    int refinedRows;          ///< of the picture that have them
    qvuiDrag drag;
    qvVec3 pivot; ///< what the view turns about while it is dragged
    bool hovered;
    float badgeAlpha;
    ImVec2 place, size; ///< of the picture in the window, pixels
} qvuiViewport;

void qvuiViewport_Init(qvuiViewport* viewport);
void qvuiViewport_Free(qvuiViewport* viewport);

/// Display and tools as they are at first; the camera stays.
void qvuiViewport_Reset(qvuiViewport* viewport);

/// Forgets what belongs to the body; call it before its surface goes.
void qvuiViewport_DropBody(qvuiViewport* viewport);

/// Width over height of the picture, for qvuiCamera_Focus.
double qvuiViewport_Aspect(const qvuiViewport* viewport);

/// Fills the rest of the current ImGui window, which has no background: tools and navigation, then the picture into the
/// target, which the window copies to place before it draws the interface, then what lies over it.
QV_CHECKED qvResult qvuiViewport_Draw(struct qvuiEditor* editor, qvError* error);

/// The frame of a film seen from here, and within it where action (90 %) and titles (80 %) are safe.
void qvuiDrawSafe(const struct qvuiEditor* editor, ImDrawList* list);
/// Facts in the corners of the picture.
void qvuiDrawBadges(struct qvuiEditor* editor);
/// A badge beside the mouse, on the side where the picture has room for it. Either text may be NULL.
void qvuiBadgeBeside(struct qvuiEditor* editor, ImDrawList* list, ImVec2 mouse, const char* strong, const char* text);
/// What the colours of the body mean, with its upper right corner there.
void qvuiDrawLegend(struct qvuiEditor* editor, ImVec2 corner);

/// The strip of tools.
void qvuiDrawToolStrip(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
/// Width of the strip in pixels where it is that high: two columns where one would be too small.
float qvuiToolStripWidth(const struct qvuiEditor* editor, float height);

/// What the mouse does in the picture now, for the status bar.
const char* qvuiViewport_Hint(const struct qvuiEditor* editor);

/// Puts what is under the mouse, or the last stroke, or else the whole body into the middle.
void qvuiViewport_Focus(struct qvuiEditor* editor);

/// State of tools and overlays by name, see qvuiEditor_Query.
bool qvuiViewport_Query(const struct qvuiEditor* editor, const char* name, char* text, size_t capacity);

/// Seconds until the viewport wants to draw again by itself; negative: not before the next event.
double qvuiViewport_NextWake(const qvuiViewport* viewport);

/// Whether something in the viewport changes by itself: badges that fade, trails that grow.
bool qvuiViewport_IsMoving(const qvuiViewport* viewport);

/// Reads the mouse over the picture (the ImGui item drawn last) and moves the camera. busy: a tool has the mouse.
void qvuiNavigate(struct qvuiEditor* editor, bool busy);

/// The axis gizmo with its middle at a place; a click on an axis turns the camera to it, a drag orbits.
void qvuiAxisGizmo(qvuiViewport* viewport, qvuiKit* kit, ImVec2 middle);
