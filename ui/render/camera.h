// SPDX-License-Identifier: GPL-3.0-or-later
/// A camera that turns around a target point. A plain value: copy it, compare it, keep it in a scene.
#pragma once

#include "quaver/bvh.h"
#include "quaver/math.h"
#include "quaver/scene.h"
#include "ui/render/matrix.h"

#include <stdbool.h>

typedef struct qvuiCamera
{
    qvVec3 target;     ///< the point in the middle of the picture
    double yaw;        ///< radians about y; 0 looks along -z
    double pitch;      ///< radians, positive looks down; in [-pi/2, pi/2]
    double distance;   ///< from the eye to the target, scene units, > 0
    double angle;      ///< vertical angle of view, radians
    bool orthographic; ///< shows as much at the target as the perspective view does
} qvuiCamera;

typedef struct qvuiCameraFrame
{
    qvVec3 eye;
    qvVec3 right, up, back; ///< orthonormal; back points from the target to the eye
    double halfHeight;      ///< half of what is visible at the target, scene units
} qvuiCameraFrame;

/// Views along an axis, named for where the eye is.
typedef enum qvuiAxisView
{
    qvui_viewFront,  ///< from +z
    qvui_viewBack,   ///< from -z
    qvui_viewRight,  ///< from +x
    qvui_viewLeft,   ///< from -x
    qvui_viewTop,    ///< from +y
    qvui_viewBottom, ///< from -y
} qvuiAxisView;

/// Three quarters from the right, slightly from above; target at the origin, distance 5.
qvuiCamera qvuiDefaultCamera(void);

/// The camera of a scene, and back.
qvuiCamera qvuiCameraOfScene(const qvSceneCamera* camera);
qvSceneCamera qvuiCamera_ForScene(const qvuiCamera* camera);

qvuiCameraFrame qvuiCamera_Frame(const qvuiCamera* camera);

/// Turns by angles in radians; the pitch stops at the poles.
void qvuiCamera_Orbit(qvuiCamera* camera, double yaw, double pitch);

/// Turns about a place, which stays where it is in the picture.
void qvuiCamera_OrbitAbout(qvuiCamera* camera, qvVec3 pivot, double yaw, double pitch);

/// Moves the picture by fractions of its height, x to the right and y down, as a drag does.
void qvuiCamera_Pan(qvuiCamera* camera, double x, double y);

/// Divides the distance by factor (> 1 comes closer) and keeps what is at (x, y) in its place; x and y as in
/// qvuiCamera_Ray.
void qvuiCamera_Zoom(qvuiCamera* camera, double factor, double x, double y, double aspect);

/// Puts a box into the picture as seen from the present direction, with a margin. A box without size gets a view of
/// about 1 unit, an empty one of the room that shapes stand in.
void qvuiCamera_Focus(qvuiCamera* camera, qvBox box, double aspect);

void qvuiCamera_SetAxisView(qvuiCamera* camera, qvuiAxisView view);

/// The ray through a place in the picture; x and y in [-1, 1], y up. Its direction reaches the target's depth at 1.
qvRay qvuiCamera_Ray(const qvuiCamera* camera, double x, double y, double aspect);

/// View and projection matrices whose depth range holds bounds (which may be empty).
void qvuiCamera_Matrices(const qvuiCamera* camera, double aspect, qvBox bounds, qvuiMatrix* view,
                         qvuiMatrix* projection);
