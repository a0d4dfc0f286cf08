// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that say where some points are: what they observe and the values that follow.
#pragma once

#include "motion/motion.h"

/// What a partial key says of the reduced coordinates q: directions^T q = wanted.
typedef struct qvPartial
{
    int key;
    qvRigid frame;      // of the body at that key, without the keyed transform: the one wanted, then the one found
    double* guess;      // [d] where the other keys would have the body
    int rank;           // directions that are constrained, those of small singular values first
    int firm;           // the last of them, which are met exactly
    double* directions; // [d x rank] orthonormal
    double* wanted;     // [rank]
    double* singular;   // [rank]
    double* list;       // [3 listed points] where they are wanted in the axes of the frame, about its pivot, units
    int rowCount;       // 3 per listed point, or per sample of many
    double* rows;       // [rowCount x d] displacement of the points, scaled, times the roots of their masses
    double* target;     // [rowCount] alike
    double residual;    // length of what the target has beyond the directions
} qvPartial;

/// All partial keys of a definition, in order.
typedef struct qvPartials
{
    int count;
    qvPartial* items;
} qvPartials;

/// What the keys want. Needs knots, times and poses of the motion only.
QV_CHECKED qvResult qvCreatePartials(const qvMotion* motion, const qvMotionDef* def, qvPartials* partials,
                                     qvError* error);
void qvDestroyPartials(qvPartials* partials);

/// What they observe, once the path of the frame is known.
QV_CHECKED qvResult qvObservePartials(const qvMotion* motion, const qvMotionDef* def, qvPartials* partials,
                                      qvError* error);

/// The number among the partial keys, or -1.
int qvPartials_Find(const qvPartials* partials, int key);

/// How soft and partial keys were met, once the values of the keys are known.
QV_CHECKED qvResult qvMotion_FillReports(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials,
                                         qvPool* pool, qvError* error);

/// Displacements [3 listed points] of a key's listed points under q, units.
void qvMoveListed(const qvMotionSpace* space, const qvMotionKey* key, const double* q, double* out);

/// Conditions at the sides of all keys: of the cubic spline, and of the wiggly ones.
typedef struct qvMotionSides
{
    qvWigglySide *before, *after;
    qvWigglySide *wigglyBefore, *wigglyAfter;
} qvMotionSides;

/// Values of partial keys of least energy, written to the motion's values, and the centres of their tracks. The smooth
/// track is solved through a guess of the values, the other tracks have their material.
QV_CHECKED qvResult qvMotion_SolveValues(qvMotion* motion, const qvMotionDef* def, const qvMotionSides* sides,
                                         const qvPartials* partials, qvError* error);
