// SPDX-License-Identifier: GPL-3.0-or-later
/// 4x4 matrices as OpenGL wants them: column-major, m[4 * column + row], right-handed, looking along -z.
#pragma once

#include "quaver/math.h"

typedef struct qvuiMatrix
{
    float m[16];
} qvuiMatrix;

/// a b
qvuiMatrix qvuiMatrix_Multiply(const qvuiMatrix* a, const qvuiMatrix* b);

/// The view of an eye with the orthonormal axes right, up and back (towards the viewer).
qvuiMatrix qvuiMatrix_View(qvVec3 eye, qvVec3 right, qvVec3 up, qvVec3 back);

/// halfHeight is the tangent of half the vertical angle of view.
qvuiMatrix qvuiMatrix_Perspective(double halfHeight, double aspect, double zNear, double zFar);

/// halfHeight in scene units.
qvuiMatrix qvuiMatrix_Orthographic(double halfHeight, double aspect, double zNear, double zFar);
