// SPDX-License-Identifier: GPL-3.0-or-later
// A motion in closed form for tests and benchmarks of export: a body that bends, twists and ripples while it turns once
// and travels, and is back where it was after one period.
#pragma once

#include "quaver/animation.h"

typedef enum qvBendingKind
{
    qv_bendingWhole, ///< everything moves, and turns and travels
    qv_bendingStill, ///< the same without turning and travelling
    qv_bendingTop,   ///< only the upper third deforms; no turning
} qvBendingKind;

typedef struct qvBendingMotion
{
    const qvMesh* mesh;
    qvBendingKind kind;
    double period; ///< s
    int frameCount;
    double* times;
    qvVec3f* frames;
    qvAffine* rigid; ///< NULL without turning
} qvBendingMotion;

/// Samples one period; the last frame is the first one again. False when memory runs out.
QV_CHECKED bool qvCreateBendingMotion(const qvMesh* mesh, qvBendingKind kind, int frameCount, double period,
                                      qvBendingMotion* motion);
void qvDestroyBendingMotion(qvBendingMotion* motion);

/// World-space positions and the rigid part at a time.
void qvBendingMotion_Evaluate(const qvBendingMotion* motion, double time, qvVec3f* positions, qvAffine* rigid);

/// The motion as an animation of its mesh.
qvAnimation qvBendingMotion_Animation(const qvBendingMotion* motion);
