// SPDX-License-Identifier: GPL-3.0-or-later
/// Relaxing a pose: less strain in it, at little cost in likeness.
///
///     qvRelaxDef def = { .share = 0.5 };                      // half of the strain's energy goes
///     qvResult result = qvRelaxPose(body, &def, &job, points, &report, &error);
#pragma once

#include "quaver/take.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvRelaxDef
{
    double share;         ///< of the elastic energy that is to go, 0 to 1
    double stretch, bend; ///< the material's weights; 0: 1
    const uint8_t* held;  ///< not 0: such points stay where they are; NULL: none
} qvRelaxDef;

typedef struct qvRelaxReport
{
    double before, after; ///< energies, of a body with a diagonal of 10
    int steps;
} qvRelaxReport;

/// Lowers the energy of a body's shell (against its shape at rest) in a pose, in place, down to the share that is to be
/// left. The points go down the energy's slope, each as slowly as it is heavy, in implicit steps: bumps go first, and
/// the pose as a whole last. Where less can go (what is held keeps it strained) it ends with what there is.
QV_CHECKED qvResult qvRelaxPose(const qvBody* body, const qvRelaxDef* def, const qvJob* job, qvVec3f* points,
                                qvRelaxReport* report, qvError* error);

#ifdef __cplusplus
}
#endif
