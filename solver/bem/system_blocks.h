// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of a step share: forces that are unknown, in blocks of three rows (a pin or a joint along three axes,
// a contact along its normal and two tangents).
#pragma once

#include "base/memory.h"
#include "bem/system_build.h"

enum
{
    qv_bemMaxEnds = 4, ///< a vertex, and the three of the triangle that it meets
    qv_bemObstacle = -1,
    qv_bemHeld = -2,
};

/// A vertex on which a block's force acts, times the weight.
typedef struct qvBemEnd
{
    int body, vertex;
    double weight;
} qvBemEnd;

typedef struct qvBemBlock
{
    bool isContact;
    int partner; ///< of a contact: the other body or qv_bemObstacle; else qv_bemHeld
    int next;    ///< the next block whose first end is the same vertex, or -1
    int joint;   ///< or -1
    int endCount;
    qvBemEnd ends[qv_bemMaxEnds];
    qvVec3 dir[3];   ///< world
    qvVec3 place;    ///< on which the force acts on all bodies, at the start of the step
    qvVec3 target;   ///< of a pin
    qvVec3 velocity; ///< of an obstacle
    double allowed;  ///< gap: below 0 where the step starts deep inside
    double friction;
    double lambda[3]; ///< forces along the rows
} qvBemBlock;

/// The blocks on one body: a part of the compliance.
typedef struct qvBemGroup
{
    int body, count, capacity; ///< capacity: blocks that a has room for
    int32_t* blocks;
    double* a; ///< [3 count][3 count], symmetric
} qvBemGroup;

typedef struct qvBemStep
{
    const qvBemSystem* system;
    const qvBemStepDef* def;
    const double* before;
    double *after, *forces;       ///< the new state; forces [3 vertices] of all bodies
    qvVec3* torques;              ///< of the bodies
    qvVec3 *start, *end;          ///< of all vertices
    int32_t* blockOf;             ///< the first of the blocks whose first end is this vertex, or -1
    QV_ARRAY(qvBemBlock) blocks;  ///< pins and joints first
    int fixedCount;               ///< of those
    qvBemGroup* groups;           ///< of the bodies
    double *right, *r, *friction; ///< of all rows
    qvBemFit* fits;               ///< of the bodies; boxes of one piece
    bool* isFitted;
    int32_t* order; ///< of the bodies along x
    qvBemBox* around;
} qvBemStep;

static inline int qvBemStep_Number(const qvBemStep* step, const qvBemEnd* end)
{
    return step->system->bodies[end->body].firstVertex + end->vertex;
}

/// Where the end of a joint is: at the start of the step, or in the motion so far.
qvVec3 qvBemStep_Anchor(const qvBemStep* step, const qvBemBlock* block, int end, bool atStart);

/// --- system_contacts.c ---

QV_CHECKED qvResult qvBemStep_AddFixed(qvBemStep* step, qvError* error);

/// Adds the contacts with a gap below margin that are not there yet; *deepest is how far any point is inside.
QV_CHECKED qvResult qvBemStep_FindContacts(qvBemStep* step, double margin, bool* added, double* deepest,
                                           qvError* error);

/// --- system_compliance.c ---

QV_CHECKED qvResult qvBemStep_BuildCompliance(qvBemStep* step, qvError* error);

/// r += A lambda.
void qvBemStep_AddCompliance(const qvBemStep* step, double sign, double* r);

/// Forces of all blocks for step->right (rows without forces); step->r receives where the rows end.
QV_CHECKED qvResult qvBemStep_Solve(qvBemStep* step, qvBemStepReport* report, qvError* error);

/// --- system_rest.c ---

/// Brakes what lies.
QV_CHECKED qvResult qvBemStep_BringToRest(qvBemStep* step, qvError* error);
