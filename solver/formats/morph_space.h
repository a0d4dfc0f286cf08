// SPDX-License-Identifier: GPL-3.0-or-later
// The best few shapes for many frames: the singular vectors of all frames, found by the method of snapshots.
//
//     frame k = mean + sum_i coordinates[k][i] shapes[i]
//
// is exact with all shapes, and with the first r of them closest in the sum of squares. How far the worst vertex is off
// is measured, and as few shapes are taken as keep it within a tolerance.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Displacements of vertices from their rest positions.
typedef struct qvMorphFrames
{
    int frameCount, vertexCount;
    const float* values; ///< [frameCount][3 vertexCount]
} qvMorphFrames;

typedef struct qvMorphSpace
{
    qvMorphFrames frames;
    float* mean;         ///< [3 vertexCount]; zero unless centered
    int snapshotCount;   ///< frames that the shapes are made of: all of them, or evenly spread ones of a long clip
    double* gram;        ///< [snapshotCount][snapshotCount] products of the snapshots
    double* weights;     ///< [snapshotCount] how much each snapshot counts, in (0, 1]
    bool isWeighted;     ///< not all of them are 1
    double* eigenvalues; ///< [snapshotCount] of the weighted Gram matrix, descending
    double* vectors;     ///< [snapshotCount][snapshotCount] its eigenvectors, one after the other, unit length
    int rank;            ///< shapes that are made already
    int maxRank;         ///< shapes that there are
    float* shapes;       ///< [rank][3 vertexCount]
    double* coordinates; ///< [rank][frameCount]
} qvMorphSpace;

/// Prepares the shapes. centered: frames are about their mean, not about rest. The frames must outlive the space.
QV_CHECKED qvResult qvCreateMorphSpace(const qvMorphFrames* frames, bool centered, const qvJob* job,
                                       qvMorphSpace** space, qvError* error);
void qvDestroyMorphSpace(qvMorphSpace* space); ///< NULL is allowed

/// Makes shapes and coordinates, as far as there are, until there are rank of them.
QV_CHECKED qvResult qvMorphSpace_Extend(qvMorphSpace* space, int rank, const qvJob* job, qvError* error);

/// The least number of shapes, between minRank and maxRank, with which every vertex of every frame is within tolerance;
/// the largest number where none is enough. They are made. *worst is the largest distance of a vertex then.
QV_CHECKED qvResult qvMorphSpace_Choose(qvMorphSpace* space, double tolerance, int minRank, int maxRank,
                                        const qvJob* job, int* rank, double* worst, qvError* error);

/// The largest distance of a vertex in each frame, with the first rank shapes: errors has frameCount entries.
QV_CHECKED qvResult qvMorphSpace_FrameErrors(qvMorphSpace* space, int rank, const qvJob* job, double* errors,
                                             qvError* error);

/// Shapes for other weights of the snapshots, from the Gram matrix; those that were made are forgotten.
QV_CHECKED qvResult qvMorphSpace_Weigh(qvMorphSpace* space, const double* weights, qvError* error);

/// After a choice: weighs frames by how far they are off, which takes fewer shapes to the same tolerance where a few
/// frames are unlike the others (an impact, a wave), or gets closer with as many. Better choices replace *rank and
/// *worst.
QV_CHECKED qvResult qvMorphSpace_Improve(qvMorphSpace* space, double tolerance, const qvJob* job, int* rank,
                                         double* worst, qvError* error);
