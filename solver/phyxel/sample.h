// SPDX-License-Identifier: GPL-3.0-or-later
// Fills a closed mesh with phyxels: a body-centred cubic lattice inside the surface, more phyxels where a part is too
// thin to have any, and for each its share of the volume (the part of the body that is nearest to it).
#pragma once

#include "quaver/mesh.h"

#include "phyxel/body.h"

enum
{
    qv_fewestPhyxels = 100,
    qv_mostPhyxels = 50000
};

typedef struct qvPhyxelSampling
{
    int pointCount;
    const qvVec3* points;
    int triangleCount;
    const qvTriangle* triangles; ///< welded and closed
    int count;                   ///< of phyxels, about; qv_fewestPhyxels … qv_mostPhyxels
    double density;              ///< mass per volume
} qvPhyxelSampling;

/// qv_badInput: a surface that is open (the message names the shell motion as the way), has no volume, or is so thin
/// that so many phyxels cannot fill it, or so few do not hold together there.
QV_CHECKED qvResult qvSamplePhyxelBody(const qvPhyxelSampling* sampling, const qvJob* job, qvPhyxelBody** body,
                                       qvError* error);
