// SPDX-License-Identifier: GPL-3.0-or-later
// Moves a body of phyxels in time: M. Mueller et al., "Point based animation of elastic, plastic and melting objects",
// 2004, with what its clouds need to stay stable: the fit penalty (cloud.h), stable neo-Hookean stress and a plastic
// metric (material.h, plastic.h), damping of the deformation alone, and for what flows a velocity filter, the pressure
// of smoothed particles, a reference that follows lazily, and stress that fades where neighbourhoods degenerate.
//
//     qvPhyxelState* state;
//     qvCreatePhyxelState(body, NULL, NULL, &state, &error);
//     qvPhyxelScene scene = { .terms = &terms, .obstacles = obstacles };
//     for each frame of 1/120 s: qvPhyxelState_Advance(state, &scene, 1.0 / 120.0, pool, &error)
//
// A state is plain numbers (saved and loaded by a copy of them) beside what can be made from them again. The same bits
// for any number of threads, straight or resumed.
#pragma once

#include "quaver/job.h"
#include "quaver/mat3.h"
#include "quaver/obstacle.h"

#include "phyxel/body.h"
#include "phyxel/matter.h"

static const double qvPhyxel_HoldRamp = 1.0 / 60.0; ///< s in which what is held comes to where it is held

typedef struct qvPhyxelState qvPhyxelState;

/// Where the motion below has phyxels at a time of the state's clock: [count] positions and velocities.
typedef void qvPhyxelGuideFcn(void* context, double time, qvVec3* points, qvVec3* velocities);

/// Phyxels that the guide alone moves for a time of the state's clock.
typedef struct qvPhyxelHold
{
    double from, to; ///< s; may be infinite
    const int32_t* phyxels;
    int count;
} qvPhyxelHold;

/// How a phyxel last met ground or an obstacle that it had not touched for a while.
typedef struct qvPhyxelKnock
{
    double touched; ///< the state's clock when it touched anything last; -INFINITY: never
    double time;    ///< of the knock
    double speed;   ///< at which it came, units/s; 0: it met nothing. The caller sets it to 0 again
    qvVec3 normal;  ///< of what it met
} qvPhyxelKnock;

typedef struct qvPhyxelScene
{
    const qvPhyxelTerms* terms;   ///< checked
    double start;                 ///< of obstacles: their time when the state's clock is 0
    const qvObstacles* obstacles; ///< NULL: none
    qvPhyxelGuideFcn* guide;      ///< needed by holds and follow
    const qvPhyxelHold* holds;    ///< one that is elsewhere comes there within qvPhyxel_HoldRamp
    int holdCount;
    void* context;         ///< of the guide
    double largestStep;    ///< seconds, beside what the material allows; 0: no limit
    bool isImplicit;       ///< long steps: implicit_step.c
    qvPhyxelKnock* knocks; ///< [count] that are filled; NULL: nobody asks
} qvPhyxelScene;

/// At rest where the body is, or at given positions with given velocities ([count], may be NULL).
QV_CHECKED qvResult qvCreatePhyxelState(const qvPhyxelBody* body, const qvVec3* points, const qvVec3* velocities,
                                        qvPhyxelState** state, qvError* error);
void qvDestroyPhyxelState(qvPhyxelState* state); ///< NULL is allowed

/// The shape that it has becomes the one that it springs back to.
QV_CHECKED qvResult qvPhyxelState_KeepShape(qvPhyxelState* state, qvError* error);

/// All of the state in so many numbers.
size_t qvPhyxelState_NumberCount(const qvPhyxelState* state);
void qvPhyxelState_Save(const qvPhyxelState* state, double* numbers);
QV_CHECKED qvResult qvPhyxelState_Load(qvPhyxelState* state, const double* numbers, qvError* error);
/// Another time of a saved state's clock.
void qvPhyxelNumbers_SetTime(double* numbers, double time);

/// Steps of equal length, as many as the material at both ends needs. qv_notConverged when a number is not finite any
/// more or phyxels are very far away, with what to do.
QV_CHECKED qvResult qvPhyxelState_Advance(qvPhyxelState* state, const qvPhyxelScene* scene, double duration,
                                          qvPool* pool, qvError* error);

/// The longest step that is stable for a material.
double qvPhyxelBody_StableStep(const qvPhyxelBody* body, const qvPhyxelMatter* matter);

/// The speed that gravity gives within the body's height, or without gravity its shear waves: scales pressure, filter
/// and what counts as a knock with the size of the body.
double qvPhyxel_FlowSpeed(const qvPhyxelBody* body, const qvPhyxelMatter* matter);

typedef struct qvPhyxelCounts
{
    int steps, rereferences, solves; ///< since it was made or loaded; solves: of implicit steps
} qvPhyxelCounts;

double qvPhyxelState_Time(const qvPhyxelState* state); ///< seconds since the start
qvPhyxelCounts qvPhyxelState_Counts(const qvPhyxelState* state);
void qvPhyxelState_Points(const qvPhyxelState* state, qvVec3* points);
void qvPhyxelState_Velocities(const qvPhyxelState* state, qvVec3* velocities);

/// The reference shape, and J of each phyxel (columns are those of the reference's axes) at the current positions.
const qvVec3* qvPhyxelState_Reference(const qvPhyxelState* state);
int qvPhyxelState_ReferenceNumber(const qvPhyxelState* state); ///< how often it was moved since the start
void qvPhyxelState_Deformation(const qvPhyxelState* state, qvMat3* gradients);

/// How much strain has flowed away in each phyxel since the start, as that of a bar that is pulled: all of it, also
/// what flowed back.
void qvPhyxelState_Flowed(const qvPhyxelState* state, double* strains);

/// The stored energy of deformation, fit penalty included, of a material.
double qvPhyxelState_Energy(const qvPhyxelState* state, const qvPhyxelMatter* matter);
