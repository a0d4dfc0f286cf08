// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the system share.
#pragma once

#include "bem/frame.h"
#include "bem/skin.h"
#include "bem/system.h"

/// A body with its scale: frequencies, damping and compliance in the world's units.
typedef struct qvBemBody
{
    qvBemBodyDef def;
    const qvBemModel* model;
    int vertexCount, modeCount;
    int firstVertex; ///< among all bodies'
    int start;       ///< of its part of the state
    double mass;
    qvMat3 inertia;        ///< in its own axes
    qvMat3 inverse;        ///< of the inertia
    double shear;          ///< rho c2^2: the compliance is that of the model over this
    int answering;         ///< modes that answer forces with inertia: the slow ones, or none where a history does
    const float* residual; ///< [3 vertices][3 vertices], over shear: how vertices answer forces in their own step
    float* own;            ///< of a history, or with fast modes: that
    const qvBemSkin* skin; ///< of the system; shared by bodies of the same model. NULL: there is one body only
    double* omega;         ///< 1/s
    qvOscillator* oscillators;
} qvBemBody;

/// Offsets within a body's part of the state; then come q, the velocities of q, the forces on the vertices (world), and
/// of these what obstacles and what other bodies push vertices with: where the next step begins to look. Of a body with
/// a history also its answer in this step, that of the next one without forces, and its past.
enum
{
    qv_statePlace = 0,     ///< 3: of the centroid
    qv_stateRotation = 3,  ///< 4: a quaternion
    qv_stateVelocity = 7,  ///< 3
    qv_stateMomentum = 10, ///< 3: angular, in the world's axes
    qv_stateModes = 13,
};

struct qvBemSystem
{
    qvBemSystemDef def;
    qvBemBody* bodies;
    qvBemJoint* joints;
    qvBemSkin** skins;
    int skinCount;
    double step, tolerance; ///< seconds, lengths
    int vertexCount, stateSize;
};

static inline qvVec3 qvBemGet(const double* from)
{
    return qvMakeVec3(from[0], from[1], from[2]);
}

static inline void qvBemPut(double* to, qvVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/// The rotation of a body as a matrix.
qvMat3 qvBemRotation(const double* state);

/// Displacements [3 vertices] in the body's axes of its part of a state.
void qvBemDisplacements(const qvBemBody* body, const double* own, double* u);

/// The state of a body after a step under forces on its vertices, which have that torque in all. Both states are the
/// body's part; the forces are written into the new one.
void qvBemAdvance(const qvBemSystem* system, const qvBemBody* body, const double* before, const double* forces,
                  qvVec3 torque, double* after);

/// In a body's part of a state: forces on its vertices, or what pushes them (world, [3 vertices]).
static inline size_t qvBemForcesAt(const qvBemBody* body)
{
    return qv_stateModes + 2 * (size_t)body->modeCount;
}

/// Of a body with a history.
static inline size_t qvBemAnswerAt(const qvBemBody* body)
{
    return qvBemForcesAt(body) + 9 * (size_t)body->vertexCount;
}

static inline size_t qvBemNextAt(const qvBemBody* body)
{
    return qvBemAnswerAt(body) + (size_t)qvBemHistory_AnswerSize(body->def.history);
}

static inline size_t qvBemPastAt(const qvBemBody* body)
{
    return qvBemNextAt(body) + (size_t)qvBemHistory_AnswerSize(body->def.history);
}

/// Adds the step from one part of a state to the other to the past.
QV_CHECKED qvResult qvBemRemember(const qvBemBody* body, const double* before, qvPool* pool, double* after,
                                  qvError* error);

static inline size_t qvBemPushAt(const qvBemBody* body, bool isByBody)
{
    return qvBemForcesAt(body) + (isByBody ? 6 : 3) * (size_t)body->vertexCount;
}
