// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvMotionSpace is made of. Scaled coordinates: the rest shape has a bounding-box diagonal of 10.
#pragma once

#include "motion/expand.h"
#include "motion/frame.h"
#include "quaver/modal.h"
#include "quaver/motion.h"

#include <stdatomic.h>

/// The modes of a shape, shared by the spaces that have it.
typedef struct qvShapeModes
{
    atomic_int owners;
    double* local;  // [3 pointCount] the shape, in body axes
    qvModes* modes; // NULL when everything is pinned
} qvShapeModes;

/// The elastic forces about one distinct shape, in the modes of the reduced body (section 3.1 of the paper). Stiffness
/// is that of the shell; a motion scales it. q = center + vectors omega.
typedef struct qvMotionShape
{
    qvShapeModes* source; // shared with other spaces
    int pose;             // the first that has this shape
    double* center;       // [d] reduced coordinates of the pose; belongs to the pose
    double* values;       // [d] lambda
    double* vectors;      // [d x d] Phi
    double* force;        // [d] g: gradient of the elastic energy at the centre
    double* pull;         // [d x 3] modal acceleration for a unit acceleration along x, y, z
    double* wind;         // [d x 3] the same for a unit wind
} qvMotionShape;

typedef struct qvPoseData
{
    int shape;
    qvRigid frame;              // rigid part, about the pivot, in the mesh's units
    double* center;             // [d]
    double* velocity[2];        // [d] before and after, in body axes
    double rigidVelocity[2][6]; // of the frame before and after: pivot (world), spin (body)
} qvPoseData;

typedef struct qvWarp qvWarp;

struct qvMotionSpace
{
    int pointCount, poseCount, shapeCount, dimension;
    bool pinned;
    uint64_t body; // hash of everything that modes depend on but the poses
    qvMotionModel model;
    double scale;    // from the mesh's units to scaled ones
    double diagonal; // of the rest shape, in the mesh's units
    double lowest;   // smallest elastic eigenvalue of the free rest shape
    double milliseconds;
    qvVec3 pivot;   // mass centre of the rest shape, or the origin with pins
    double* arms;   // [3n] rest shape about the pivot, in the mesh's units
    qvBasis* basis; // of scaled displacements
    qvExpander expander;
    qvPoseData* poses;
    qvMotionShape* shapes;
    double* uniform; // [d x 3] reduced coordinates of unit translations
    double* numbers; // owns the arrays of poses and shapes
    qvWarp* warp;    // shapes by rotations and strains (warp.h); NULL when nothing moves
};
