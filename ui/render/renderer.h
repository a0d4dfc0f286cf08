// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws a surface on its ground into a target. Knows no window and no interface: the viewport and headless rendering
/// use the same code.
#pragma once

#include "ui/render/camera.h"
#include "ui/render/extra.h"
#include "ui/render/surface.h"
#include "ui/render/target.h"

typedef struct qvuiRenderer qvuiRenderer;

/// How the values of qvuiSurface_SetHeat become colours.
typedef enum qvuiHeatRamp
{
    qvui_heatNone,
    qvui_heatScale, ///< from dark blue to straw, for quantities
    qvui_heatWaves, ///< the body's own colour at 0, coral at 1
    qvui_heatMask,  ///< the body's own colour at 1, dark at 0
} qvuiHeatRamp;

typedef struct qvuiLook
{
    bool flat;                  ///< one shade per triangle
    bool wireframe;             ///< edges over the surface
    bool splats;                ///< round discs at its vertices instead of its triangles
    bool hidden;                ///< the surface itself is not drawn; its edges and its shadow are
    bool grid;                  ///< lines on the ground
    bool shadow;                ///< soft contact shadow
    bool backdrop;              ///< false: transparent behind the surface
    bool hasty;                 ///< a picture of a movement, which the next one replaces soon: insides may be left out
    qvuiHeatRamp heat;          ///< for a surface that has heat
    double pixelScale;          ///< width of lines, pixels
    bool hasGround;             ///< the ground is at `ground`; else where qvuiGroundHeight has it
    double ground;              ///< y
    const qvuiSurface* scenery; ///< drawn with the surface, plainly; NULL: none
} qvuiLook;

/// Smooth, with grid, shadow and backdrop.
qvuiLook qvuiDefaultLook(void);

/// Where the ground is drawn, along y, under a body with these bounds at rest: at 0, or at the feet of what floats or
/// sinks.
double qvuiGroundHeight(qvBox rest);

/// Compiles the shaders. Needs a current OpenGL 3.3 context, which must still be current when it is destroyed.
QV_CHECKED qvResult qvuiCreateRenderer(qvuiRenderer** renderer, qvError* error);
void qvuiDestroyRenderer(qvuiRenderer* renderer);

/// Rows of a target with samples that one frame has time for, as many as they are; 0: all of them.
int qvuiRenderer_BandRows(const qvuiRenderer* renderer);

/// Draws into the target; surface may be NULL (only ground and backdrop). extras come with the surface.
void qvuiRenderer_Draw(qvuiRenderer* renderer, const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                       const qvuiSurface* surface, const qvuiExtra* extras, int extraCount);

/// Draws a little of one kind, so that no picture has to wait for shaders; from step 0 on. False when there is nothing
/// left to do.
bool qvuiRenderer_WarmUp(qvuiRenderer* renderer, int step);

/// From here on all triangles are drawn, as with a graphics card, for measuring.
void qvuiRenderer_BeThorough(qvuiRenderer* renderer);

/// Returns when all drawing so far is done, for measuring.
void qvuiWaitForDrawing(void);

/// Whether the processor draws, without a graphics card. Needs a current OpenGL context.
bool qvuiDrawsInSoftware(void);

/// Name of the graphics driver, for the about box. Valid while the context is.
const char* qvuiDriverName(void);
