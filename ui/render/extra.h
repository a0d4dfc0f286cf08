// SPDX-License-Identifier: GPL-3.0-or-later
/// What is drawn around a surface: ghosts of it at other times, marked points, planes.
#pragma once

#include "quaver/math.h"
#include "quaver/simulation.h"
#include "ui/render/surface.h"

typedef enum qvuiExtraKind
{
    qvui_extraGhost,  ///< silhouette of the surface elsewhere: filled, outlined, or dashed
    qvui_extraPoints, ///< round dots on the surface, hidden where the surface hides them
    qvui_extraPlane,  ///< a translucent square that cuts the surface
    qvui_extraBalls,  ///< shaded balls that hide each other, coloured by values on the scale of quantities; with arrows
} qvuiExtraKind;

typedef struct qvuiExtra
{
    qvuiExtraKind kind;
    qvColor color; ///< sRGB

    const qvuiGhost* ghost;
    float fill;    ///< opacity of a ghost's inside
    float outline; ///< opacity of its edge
    bool dashed;
    bool inFront; ///< over the surface instead of behind it

    const qvVec3f* points;
    int pointCount;
    float size;            ///< of dots, pixels
    const float* values;   ///< of balls, 0 to 1: [pointCount]
    double radius;         ///< of balls, scene units
    const qvVec3f* arrows; ///< from the balls, scene units, in front of them; NULL: none

    qvVec3 origin, axisU, axisV; ///< of a plane: unit axes
    double extent;               ///< half a side
} qvuiExtra;

/// Ghosts as they look everywhere: the pose before in blue, the one after in amber dashes, the plain motion in teal.
qvuiExtra qvuiGhostBefore(const qvuiGhost* ghost);
qvuiExtra qvuiGhostAfter(const qvuiGhost* ghost);
qvuiExtra qvuiGhostPlain(const qvuiGhost* ghost);

/// What a simulation shows, with values of 0 to 1; its arrays are needed until it is drawn.
qvuiExtra qvuiShownBalls(const qvShownPoints* shown);
