// SPDX-License-Identifier: GPL-3.0-or-later
// A body filled with phyxels: what does not change while it moves. Immutable, one owner, shared by threads.
#pragma once

#include "quaver/job.h"

#include "phyxel/reference.h"

static const double qvPhyxel_Support = 1.75;          ///< spacings in the radius: 10 to 13 neighbours on a BCC lattice
static const double qvPhyxel_SmallestEvenness = 0.02; ///< of a neighbourhood at rest

enum
{
    qv_leastPhyxels = 4 ///< that span space
};

typedef struct qvPhyxelBody
{
    int count;
    qvVec3* points;   ///< rest positions
    double* volumes;  ///< their sum is the body's volume
    double* masses;   ///< volume times density
    double* depths;   ///< how far under the surface each is, at most half a spacing: the margin of contacts
    double spacing;   ///< (volume / count)^(1/3)
    double radius;    ///< h of the kernel
    double stepScale; ///< 1 for an even cloud; less where phyxels stand so close that steps must be shorter
    double stiffest;  ///< the largest stiffness of its neighbourhoods; see reference.h
    double density, volume;
    double height;      ///< the longest side of its box
    double restDensity; ///< of the spiky kernel, for pressure: 75th percentile, as at the boundary it is too low
    qvPhyxelReference reference;
} qvPhyxelBody;

/// Phyxels that are there already. Arrays are copied.
typedef struct qvPhyxelPoints
{
    int count;
    const qvVec3* points;
    const double* volumes; ///< positive
    const double* depths;  ///< under the surface, at least 0; NULL: half a spacing
    double density;        ///< positive
} qvPhyxelPoints;

/// qv_badInput: fewer than qv_leastPhyxels, one with a number that is not finite or no volume, or a place where
/// neighbours do not span space, which the message names.
QV_CHECKED qvResult qvCreatePhyxelBody(const qvPhyxelPoints* def, qvPhyxelBody** body, qvError* error);
void qvDestroyPhyxelBody(qvPhyxelBody* body); ///< NULL is allowed
