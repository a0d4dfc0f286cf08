// SPDX-License-Identifier: GPL-3.0-or-later
// Baked frames as a rigid motion, morph targets and weights in [0, 1]:
//
//     vertex = R(t) (rest - pivot + sum_i w_i(t) target_i) + T(t)
//
// Targets are scaled shapes of a qvMorphSpace. A coordinate c in [low, low + range] is folded into the weight
// (c - low) / range; what the lows add up to, and the mean of the frames, is one more target of weight 1, "offset". The
// base shape stays the rest shape, and all weights zero show it.
#pragma once

#include "formats/clip_curves.h"
#include "formats/export.h"
#include "formats/morph_space.h"

#include "quaver/math.h"

typedef struct qvMorphTargets
{
    const qvExportTask* task;
    bool moves;    ///< there is a rigid motion
    bool turns;    ///< it turns
    qvVec3f pivot; ///< about which it turns; 0 when it does not
    float* rigid;  ///< [frameCount][7] translation and rotation, as written

    float* displacements; ///< [frameCount][3 vertexCount] from rest, without the rigid motion
    qvMorphFrames frames;
    qvMorphSpace* space; ///< NULL: one target per frame
    int rank;            ///< shapes in use

    qvClipCurves curves;
    int targetCount;
    bool hasOffset;
    double *low, *range; ///< [rank]
    float* weights;      ///< [frameCount][targetCount] that a viewer has at the frames
} qvMorphTargets;

/// Takes the rigid motion out and prepares the shapes. bindMaps (may be NULL): per vertex of the mesh the map whose
/// linear part takes displacements in bind space to the world. Free it in any case.
QV_CHECKED qvResult qvMorphTargets_Start(qvMorphTargets* targets, const qvExportTask* task, const qvAffine* bindMaps,
                                         qvError* error);
/// Only takes the rigid motion out: there are no targets. Free it in any case.
QV_CHECKED qvResult qvMorphTargets_StartRigid(qvMorphTargets* targets, const qvExportTask* task, qvError* error);
void qvMorphTargets_Free(qvMorphTargets* targets);

/// Chooses as few targets as reach tolerance (scene units), with at least minRank shapes and at most maxTargets targets
/// (0: no limit), and finds weights. cubicTolerance 0: lines. *atLimit: more shapes are not possible.
QV_CHECKED qvResult qvMorphTargets_Choose(qvMorphTargets* targets, double tolerance, int minRank, int maxTargets,
                                          double cubicTolerance, bool* atLimit, qvError* error);

/// Once the choice is final: frees the shapes, of which targets are made (qvMorphTargets_Get).
void qvMorphTargets_DropShapes(qvMorphTargets* targets);

/// Once nothing is left to be made of the frames: frees the displacements.
void qvMorphTargets_DropFrames(qvMorphTargets* targets);

/// Displacements of a target, [3 vertexCount], in rest coordinates of the world.
void qvMorphTargets_Get(const qvMorphTargets* targets, int target, float* out);

/// The rigid motion at a frame as a viewer shows it, less the pivot: takes rest coordinates to the world.
qvAffine qvMorphTargets_Rigid(const qvMorphTargets* targets, int frame);

/// Numbers of a key as they are written: side 0 the value, -1 and 1 the arriving and leaving tangent of cubic keys.
void qvMorphTargets_KeyRigid(const qvMorphTargets* targets, int key, int side, float numbers[7]);
void qvMorphTargets_KeyWeights(const qvMorphTargets* targets, int key, int side, float* weights);
