// SPDX-License-Identifier: GPL-3.0-or-later
// A body of fewer points, which are some of its own: the motion of keys is solved on them, and a carrier
// (body/carrier.h) takes all others along. Unlike a proxy (body/proxy.h) it has the body's boundaries and loose parts.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/topology.h"

enum
{
    qv_thinFewest = 100, ///< points that may be asked for
};

/// Arrays belong to the caller and are needed only while it is made.
typedef struct qvThinDef
{
    const qvTopology* topology;
    const qvVec3f* rest; ///< of its points
    const bool* kept;    ///< points that must be among the few; NULL: none
    int detail;          ///< points that are wanted, beside those
} qvThinDef;

/// Read-only once made.
typedef struct qvThin
{
    qvMesh* mesh; ///< whose points are the few
    qvTopology* topology;
    int32_t* points;  ///< [mesh->pointCount] which points of the body they are, ascending
    int32_t* numbers; ///< [points of the body] the other way; -1: none of the few
    int32_t* near;    ///< [points of the body] the one of the few that is fewest edges away
} qvThin;

/// Thins a body out: evenly where it is flat, more densely where it is bent. qv_badInput says why it cannot be done.
QV_CHECKED qvResult qvCreateThin(const qvThinDef* def, const qvJob* job, qvThin** thin, qvError* error);
void qvDestroyThin(qvThin* thin); ///< NULL is allowed
