// SPDX-License-Identifier: GPL-3.0-or-later
/// The soft shadow of a body on the ground: how near its lowest side is above each place, narrowly and widely blurred.
/// Made without OpenGL, whose renderers without a card take longer for triangles this small.
#pragma once

#include "quaver/mesh.h"

#include <stdint.h>

enum
{
    qvui_shadowSize = 128 ///< texels along a side
};

typedef struct qvuiShadow qvuiShadow;

/// The square on the ground that a shadow covers, scene units.
typedef struct qvuiShadowPlace
{
    double centreX, centreZ;
    double extent; ///< half a side; holds the whole body and a margin
    double height; ///< of the ground
    double size;   ///< of the body: heights count as parts of it
} qvuiShadowPlace;

/// NULL when memory runs out.
qvuiShadow* qvuiCreateShadow(void);
void qvuiDestroyShadow(qvuiShadow* shadow); ///< NULL is allowed

/// Two values of 16 bits per texel, rows along x from the lowest z on: contact, and the wide shadow. Triangles are
/// three indices each. The answer is the shadow's and lasts until the next call.
const uint16_t* qvuiShadow_Compute(qvuiShadow* shadow, const qvuiShadowPlace* place, const qvVec3f* positions,
                                   const uint32_t* corners, int cornerCount);
