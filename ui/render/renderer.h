// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws a surface on its ground into a target. Knows no window and no interface: the viewport and headless rendering
/// use the same code.
#pragma once

#include "ui/render/camera.h"
#include "ui/render/surface.h"
#include "ui/render/target.h"

typedef struct qvuiRenderer qvuiRenderer;

typedef struct qvuiLook
{
    bool flat;         ///< one shade per triangle
    bool wireframe;    ///< edges over the surface
    bool grid;         ///< lines on the ground
    bool shadow;       ///< soft contact shadow
    bool backdrop;     ///< false: transparent behind the surface
    double pixelScale; ///< width of lines, pixels
} qvuiLook;

/// Smooth, with grid, shadow and backdrop.
qvuiLook qvuiDefaultLook(void);

/// Compiles the shaders. Needs a current OpenGL 3.3 context, which must still be current when it is destroyed.
QV_CHECKED qvResult qvuiCreateRenderer(qvuiRenderer** renderer, qvError* error);
void qvuiDestroyRenderer(qvuiRenderer* renderer);

/// Draws into the target; surface may be NULL (only ground and backdrop).
void qvuiRenderer_Draw(qvuiRenderer* renderer, const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                       const qvuiSurface* surface);

/// Returns when all drawing so far is done, for measuring.
void qvuiWaitForDrawing(void);

/// Name of the graphics driver, for the about box. Valid while the context is.
const char* qvuiDriverName(void);
