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
    qvModes* modes; // NULL when everything is pinned; without the zero modes of a free body, which are the frame's.
                    // Once there is a basis, which holds them, the vectors are gone
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
    bool isBounded; // so many shapes that the basis does not hold all that they bring (space_bounded.c)
    double leftOut; // of the ways to the poses, the largest part outside of the basis, over the longest of them
    int window;     // keys on each side within which shapes see each other, of a bounded space
    bool pinned;
    bool keepsRigid; // in poses, with or without pins
    int pinCount;
    uint64_t mesh;                 // hash of rest shape, triangles and pins
    uint64_t body;                 // hash of everything that modes depend on but the poses
    struct qvElasticBody* elastic; // shared with other spaces
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

    qvWarp* warp; // shapes by rotations and strains (warp.h); NULL when nothing moves

    // The mixer: modes of the rest shape that are no rigid motion of the frame.
    qvShapeModes* restModes; // shared with other spaces
    int modeCount;
    double* modes; // [d x modeCount] reduced coordinates, orthonormal
    double* reach; // [modeCount] largest displacement of a point, scaled

    double* masses; // [pointCount]
    // Sums over points for rigid fits, of a body without pins; arms are those of the rest shape.
    double totalMass;
    double armMoment[9]; // mass arm arm^T, by rows
    double* moments;     // [9 x d] mass arm u^T of every basis vector u, by rows, in the mesh's units

    int heldCount; // directions of the reduced space that move pins: what poses do to them
    double* held;  // [d x heldCount] orthonormal

    // Pins that come and go: a space of its own per set, and nothing above but counts, scale and diagonal.
    int setCount; // 0: one set
    qvMotionSpace** sets;
    int** poseOf; // [setCount][poseCount] number of the pose in the set's space, -1 where it has none
};

/// A space with one set of pins. lowest: that of the body where it is known already, else negative.
QV_CHECKED qvResult qvCreateSubspace(const qvMotionSpaceDef* def, const qvMotionSpace* previous, double lowest,
                                     const qvJob* job, qvMotionSpace** space, qvError* error);

/// The space itself, or that of the first set of pins.
const qvMotionSpace* qvMotionSpace_Main(const qvMotionSpace* space);

/// The least eigenvalue that its motions have: where what is rigid is among the modes of a free body, nothing but this
/// leads it back.
double qvMotionSpace_LeastValue(const qvMotionSpace* space);

/// Whether so many shapes with so many modes are too many for a basis that holds all that they bring. space_bounded.c
bool qvMotionSpace_IsTooMuch(int shapes, int modes);

/// About what the space has in memory.
double qvMotionSpace_Bytes(const qvMotionSpace* space);

/// Puts what frames read into files of a folder, where it is large: for a space that is not in use but may come back.
/// One thread at a time; others may be reading.
void qvMotionSpace_Park(qvMotionSpace* space, const char* folder);

/// Gives back the memory of what is in a file and was read (qvMotionSpaceDef.folder). At any time.
void qvMotionSpace_Rest(const qvMotionSpace* space);

/// Coordinates of the rest shape's modes, directions that move pins and sums for rigid fits, once there is a basis.
/// previous: the space that the rest shape's modes come from, or NULL when they are new.
QV_CHECKED qvResult qvMotionSpace_FillModes(qvMotionSpace* space, const qvMotionSpace* previous,
                                            const qvMotionSpaceDef* def, const double* masses, const qvJob* job,
                                            qvError* error);
