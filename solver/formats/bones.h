// SPDX-License-Identifier: GPL-3.0-or-later
// Skinning decomposition: a motion of points as bones that move rigidly, and four weights per point.
//
//     place of point i in frame f = sum_k weights[i][k] (R_bf rest_i + t_bf),  b = bones[i][k]
//
// Points whose motion is equal should be one point, so that a skin does not open at seams.
#pragma once

#include "quaver/animation.h"
#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
    QV_BONES_OF_POINT = 4,
    QV_MAX_BONES = qv_maxBones,
};

/// What is to be taken apart. Everything belongs to the caller.
typedef struct qvBoneTask
{
    int pointCount, frameCount;
    const qvVec3f* rest;        ///< [pointCount]
    const qvVec3f* restNormals; ///< [pointCount]; NULL: normals do not matter
    const qvVec3f* places;      ///< [pointCount][frameCount]
    const qvVec3f* normals;     ///< [pointCount][frameCount]; NULL with restNormals
    double normalLength;        ///< how far off a place counts like a normal that is off by 1, scene units
    double tolerance; ///< largest distance of a point from its place, scene units; bones are added until it holds
    int maxBones;     ///< 1 to QV_MAX_BONES
    const qvJob* job;
} qvBoneTask;

/// One rigid map of a bone, x_k = sum_j (rest, 1)_j m[3 j + k]: rows 0 to 2 the transposed rotation, row 3 the
/// translation.
typedef struct qvBoneMap
{
    double m[12];
} qvBoneMap;

typedef struct qvBoneSkin
{
    int boneCount;
    qvBoneMap* maps; ///< [boneCount][frameCount]
    int32_t* bones;  ///< [pointCount][QV_BONES_OF_POINT], the heaviest first; unused ones are 0 with weight 0
    double* weights; ///< [pointCount][QV_BONES_OF_POINT], not below 0; their sum is 1
    double maxError; ///< largest distance of a point from its place
} qvBoneSkin;

/// As few bones as keep the tolerance, as far as that was found, or maxBones. The same bits for any number of threads.
QV_CHECKED qvResult qvFindBones(const qvBoneTask* task, qvBoneSkin* skin, qvError* error);
void qvBoneSkin_Free(qvBoneSkin* skin);
