// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the engine share.
#pragma once

#include "phyxel/engine.h"

static const double qv_phyxelFit = 0.3; // alpha of the fit penalty

enum
{
    qv_phyxelGrain = 512 // phyxels of a piece of work
};

typedef struct qvImplicitRoom qvImplicitRoom;     // of implicit_step.c
void qvDestroyImplicitRoom(qvImplicitRoom* room); // NULL is allowed

struct qvPhyxelState
{
    const qvPhyxelBody* body;
    int count;

    // The numbers that are saved, in one block.
    double* numbers;
    size_t numberCount;
    double* clock;         // time
    double* moved;         // how often the reference was moved
    double* wasLiquid;     // 1 when the last step was one of a liquid
    double* isMerged;      // 1 when the lists of the reference may join what only touches
    qvVec3 *points, *home; // reference positions; those that self-contact measures by
    double (*y)[4];        // positions
    double (*v)[4];        // velocities
    double (
        *metric)[8]; // G as the kernels want it: xx, xy, xz, yy, yz, zz, sqrt(det G); then the strain that has flowed

    // What is made from them.
    const qvPhyxelReference* reference; // the body's, or own
    qvPhyxelReference own;
    double longestStep; // that is stable with that reference, for a wave that crosses a spacing in a second; 0: unknown
    const qvPhyxelKernelD* kernel;
    double (*gradients)[3][4];
    double (*columns)[3][4];
    double* coefficients;
    double (*shares)[2];
    double (*sums)[4];
    double (*guide)[8];            // positions and velocities of the motion below
    double* heldSince;             // since when a phyxel is held; INFINITY: it is free
    double *densities, *pressures; // of what flows: rho_i, p_i / rho_i^2
    double* slopes;                // of its pairs
    int slopeCapacity;
    qvNearLists touching;   // pairs that are near now: of what flows, or of parts that touch
    qvVec3* touchingPoints; // where phyxels were when they were found; also room for current positions
    double touchingRadius;  // 0: to be found again
    bool isTouchingFlow;
    qvObstaclePlace* places; // of obstacles: at the start of the step, then at its end
    int placeCapacity;
    void* partSums; // of rigid motions
    int partCapacity;
    qvImplicitRoom* implicit; // NULL: no such step was made
    qvPhyxelCounts counts;
};

/// One step.
typedef struct qvPhyxelStep
{
    qvPhyxelState* state;
    const qvPhyxelScene* scene;
    qvPhyxelMatter matter;
    double dt;
    qvPool* pool;
} qvPhyxelStep;

/// Calls over all phyxels in pieces, on the pool when that is worth it.
void qvPhyxelStep_ForAll(qvPhyxelStep* step, qvRangeFcn* fcn);
qvPool* qvPhyxelStep_Pool(const qvPhyxelStep* step); // NULL: it is not worth it

/// J of all phyxels into state->gradients.
void qvPhyxelStep_Gradients(qvPhyxelStep* step);

/// What flows of the metrics, and a reference that follows when the deformation has become large.
QV_CHECKED qvResult qvPhyxelStep_Flow(qvPhyxelStep* step, qvError* error);

/// Pressure of what flows, or repulsion of parts that touch, added to state->sums.
QV_CHECKED qvResult qvPhyxelStep_AddNearForces(qvPhyxelStep* step, qvError* error);

/// The filter of what flows.
void qvPhyxelStep_FilterVelocities(qvPhyxelStep* step);

/// Velocities keep the rigid motion of each part and lose of the rest what the damping takes.
QV_CHECKED qvResult qvPhyxelStep_Damp(qvPhyxelStep* step, qvError* error);

/// Adds to velocities the rigid motion that each part has with others.
QV_CHECKED qvResult qvPhyxelStep_AddRigid(qvPhyxelStep* step, const double (*from)[4], double (*to)[4], qvError* error);

/// Where obstacles are at the start and at the end of the step, and what of that phyxels hear.
QV_CHECKED qvResult qvPhyxelStep_PlaceObstacles(qvPhyxelStep* step, qvError* error);

/// A phyxel that was inside an obstacle before the step, as it started there or is pressed between two.
bool qvPhyxelStep_WasInside(const qvPhyxelStep* step, int obstacle, qvVec3 y, double margin);

/// Velocities at the end of the step from those at its start, with gravity, and the forces at its start; contact
/// included.
QV_CHECKED qvResult qvPhyxelStep_SolveVelocities(qvPhyxelStep* step, qvError* error);

/// Velocities that would take phyxels into obstacles.
void qvPhyxelStep_Touch(qvPhyxelStep* step);

/// The current shape becomes the reference. mayMerge: parts that touch grow together.
QV_CHECKED qvResult qvPhyxelState_MoveReference(qvPhyxelState* state, bool mayMerge, qvError* error);

/// qv_ok, or the reference is made again from the saved numbers.
QV_CHECKED qvResult qvPhyxelState_Restore(qvPhyxelState* state, qvError* error);

/// The longest step that is stable about the reference, as far as the forces within the body go; INFINITY: any.
QV_CHECKED qvResult qvPhyxelState_LongestStep(const qvPhyxelState* state, const qvPhyxelMatter* matter, double* seconds,
                                              qvError* error);
