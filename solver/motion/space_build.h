// SPDX-License-Identifier: GPL-3.0-or-later
// The steps from poses to a reduced space, in the order in which space.c takes them.
#pragma once

#include "motion/elastic.h"
#include "motion/space.h"

#define QV_SPACE_DIAGONAL 10.0 ///< of the scaled body

enum
{
    qv_spaceWorkers = 16
};

/// What the construction works with.
typedef struct qvSpaceBuild
{
    const qvMotionSpaceDef* def;
    const qvJob* job;
    qvError* error;
    int size; // 3 pointCount
    qvMotionSpace* space;
    const qvMotionSpace* previous; // of the same body, or NULL
    const qvMotionSpace* related;  // of the same mesh and pins, whatever the material, or NULL
    double lowest;                 // eigenvalue that the frequency refers to, where it is known; else negative
    int workerLimit;               // threads that may work on shapes at a time
    int workerCount;               // those that there are
    uint64_t forces;               // hash under which the store has the forces
    bool isLarge;                  // the modes are found for one shape after the other
    bool keepsBasis;               // of a bounded space: the previous one's does for these poses, too
    qvElastic* workers[qv_spaceWorkers];
    double* rest;         // [size] scaled
    double** local;       // [poseCount] scaled poses in body axes
    double** fields[2];   // [poseCount] scaled velocities before and after in body axes, NULL where zero
    int* known;           // [shapeCount] number of the shape in the previous space, -1 if it is new
    bool* isMissing;      // [shapeCount] modes are to be computed
    bool* isChosen;       // [shapeCount] of a bounded space: the basis gets the modes of this shape
    double** arrows;      // [poseCount] vector to the pose and velocities
    qvBasisBlock* blocks; // [2 poseCount + 1]: the rest shape's modes, then two per pose
    int* sameAs;          // [2 poseCount + 1] blocks of the previous basis, -1 for others
} qvSpaceBuild;

/// Whether the definition makes sense; *diagonal is that of the rest shape.
QV_CHECKED qvResult qvCheckMotionSpaceDef(const qvMotionSpaceDef* def, double* diagonal, qvError* error);

/// Poses and velocities in body axes, and which of them have the same shape.
QV_CHECKED qvResult qvSpaceBuild_PlacePoses(qvSpaceBuild* build);

/// Vectors of a bounded basis, without what velocities add to it. space_bounded.c
int qvSpaceBuild_Bound(int modes);

/// Of a bounded space: whether the basis of the previous one does, and if not, the shapes that lend it their modes.
/// The ways to the poses are filled in.
QV_CHECKED qvResult qvSpaceBuild_Choose(qvSpaceBuild* build);

/// The same as qvSpaceBuild_MakeBasis for a bounded space.
QV_CHECKED qvResult qvSpaceBuild_MakeBoundedBasis(qvSpaceBuild* build);

/// Notes how much of the ways to the poses, which are reduced, the basis does not hold.
void qvSpaceBuild_MeasureLeft(qvSpaceBuild* build);

/// The vector to a pose and, behind it, its velocities; *count of them.
QV_CHECKED qvResult qvSpaceBuild_MakeArrows(qvSpaceBuild* build, int pose, int* count);

/// Names the pose of a shape in the error of what was computed for it. Returns the result.
qvResult qvSpaceBuild_BlameShape(const qvSpaceBuild* b, int shape, qvResult result, qvError* error);

/// The modes of the rest shape and of every shape: from the previous space, from the store, or computed.
QV_CHECKED qvResult qvSpaceBuild_FindModes(qvSpaceBuild* build);

/// What poses, velocities and modes span.
QV_CHECKED qvResult qvSpaceBuild_MakeBasis(qvSpaceBuild* build);

/// Frees the vectors of the modes found: the basis has what they span, and their coordinates. Of a large body they are
/// as much again.
void qvSpaceBuild_DropVectors(qvSpaceBuild* build);

/// Coordinates of poses and velocities in the basis.
QV_CHECKED qvResult qvSpaceBuild_ReducePoses(qvSpaceBuild* build);

/// Elastic forces about every shape.
QV_CHECKED qvResult qvSpaceBuild_Linearize(qvSpaceBuild* build);

/// The forces about every shape from the store, if that has them, and into it. Both do nothing for small bodies and
/// for what follows an earlier space. Load comes first.
bool qvSpaceBuild_LoadForces(qvSpaceBuild* build);
void qvSpaceBuild_SaveForces(const qvSpaceBuild* build);

/// Sees to it that there are `count` workers.
QV_CHECKED qvResult qvSpaceBuild_MakeWorkers(qvSpaceBuild* build, int count);
void qvSpaceBuild_DropWorkers(qvSpaceBuild* build);

/// Takes what moves the mass centre out of a vector, so that the frame alone does, to the last digit.
void qvSpaceBuild_RemoveMean(const qvSpaceBuild* build, double* vector);

/// The last owner frees them; NULL is allowed.
void qvReleaseShapeModes(qvShapeModes* modes);

static inline qvVec3 qvGetPoint(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

static inline void qvSetPoint(double* points, int i, qvVec3 x)
{
    points[3 * i] = x.x, points[3 * i + 1] = x.y, points[3 * i + 2] = x.z;
}
