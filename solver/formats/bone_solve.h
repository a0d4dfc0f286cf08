// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of a skinning decomposition: weights for given bones (bone_weights.c), bones for given weights
// (bone_fit.c), both least squares from sums that are the same for all sweeps. With P = (rest, 1), and the normal n as
// another row (normalLength n, 0) with the normal of the frame as its place,
//
//     moments of a point   h_f = P v_f^T  (4 x 3)      square of a point  S = P P^T  (4 x 4)
//     products of bones    Q_bc = sum_f M_bf M_cf^T
//     sum over frames      x_b . v = <M_b, h>,   x_b . x_c = <S, Q_bc>
#pragma once

#include "base/watch.h"
#include "formats/bones.h"

enum
{
    QV_BONE_NUMBERS = 12, // of a map, and of the moments of a point in a frame
    QV_BONE_POINTS = 32,  // points at a time
};

typedef struct qvBoneSolve
{
    const qvBoneTask* task;
    qvWatch watch;        // of its job: loops ask after each piece, and what they were to fill in is worth nothing then
    int boneCount, limit; // the limit: not more for now
    double progress;      // as far as was told
    qvBoneMap* maps;      // [maxBones][frameCount]
    int32_t* bones;       // [pointCount][4]
    double* weights;      // [pointCount][4]
    double* worst;        // [pointCount] largest distance from its place
    float* errors;        // [pointCount][frameCount] the distances
    float* importance;    // [pointCount][frameCount] how much a point counts in a frame
    int most;             // bones of a point
    bool isEven;          // all of them are 1
    double* products;     // [4 maxBones][4 maxBones] Q
    double* moments;      // [maxBones][frameCount][12] of all points of a bone, weighted
    int32_t* starts;      // [maxBones + 1] of the bones' lists in users
    int32_t* users;       // [4 pointCount] entry 4 i + k of the points' bones
} qvBoneSolve;

QV_CHECKED qvResult qvBoneSolve_Start(qvBoneSolve* solve, const qvBoneTask* task, qvError* error);
void qvBoneSolve_Free(qvBoneSolve* solve);

/// Rest and place of a point, and what it has to do with its normal, as the sums want them.
static inline void qvBoneTask_Square(const qvBoneTask* task, int point, double s[16])
{
    qvVec3f r = task->rest[point];
    const double p[4] = { r.x, r.y, r.z, 1.0 };
    double n[4] = { 0.0, 0.0, 0.0, 0.0 };
    if (task->restNormals != NULL)
    {
        qvVec3f normal = task->restNormals[point];
        n[0] = task->normalLength * normal.x, n[1] = task->normalLength * normal.y,
        n[2] = task->normalLength * normal.z;
    }
    for (int i = 0; i < 16; i++)
        s[i] = p[i / 4] * p[i % 4] + n[i / 4] * n[i % 4];
}

/// h += factor times the moments of a point, [frameCount][12], each times its importance unless that is NULL.
void qvBoneTask_AddMoments(const qvBoneTask* task, int point, double factor, const float* importance, double* h);

/// The best bones and weights of every point, and how far it is off then.
QV_CHECKED qvResult qvBoneSolve_FindWeights(qvBoneSolve* solve, qvError* error);

/// The best weights of the bones that every point has, where frames count by their importance.
QV_CHECKED qvResult qvBoneSolve_RefineWeights(qvBoneSolve* solve, qvError* error);

/// How far points are off.
QV_CHECKED qvResult qvBoneSolve_Measure(qvBoneSolve* solve, qvError* error);

/// The best rigid maps for the weights, by sweeps over the bones.
QV_CHECKED qvResult qvBoneSolve_FitBones(qvBoneSolve* solve, int sweeps, qvError* error);

/// The maps of a bone that follows some points alone.
void qvBoneSolve_FollowPoints(qvBoneSolve* solve, int bone, const int32_t* points, int count);
