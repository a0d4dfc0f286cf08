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
    double* eigenvalues; ///< [snapshotCount] of the Gram matrix, descending
    double* vectors;     ///< [snapshotCount][snapshotCount], one after the other, unit length
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
/// the largest number where none is enough. They are made.
QV_CHECKED qvResult qvMorphSpace_Choose(qvMorphSpace* space, double tolerance, int minRank, int maxRank,
                                        const qvJob* job, int* rank, qvError* error);
