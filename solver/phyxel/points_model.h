// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the engine "points" share: its model, and what stands in a frame.
#pragma once

#include "layer/engine.h"
#include "phyxel/engine.h"
#include "phyxel/flow_surface.h"
#include "phyxel/pins.h"
#include "phyxel/pose.h"
#include "phyxel/surface.h"

#include "layer/below.h"

typedef struct qvSetShapes qvSetShapes; // that have been drawn; see points_draw.c

typedef struct qvPointsModel
{
    const qvEngineInput* input;
    qvPhyxelBody* body;
    qvPhyxelSurface* surface;
    qvPhyxelPose* pose;
    qvPhyxelPins* pins;
    qvFlowSurface* flow;  // its own; NULL: its topology stays
    qvSetShapes* shapes;  // its own; NULL: it never sets
    qvVec3* shape;        // of the body's points, to which it springs back
    bool isBorrowed;      // body, surface, pose and shape are those of the span before
    bool isTorn;          // by that one
    bool startsInside;    // most of it, of obstacles
    qvMoving start;       // of the phyxels
    double* startNumbers; // the state that was taken over; NULL: none
    int32_t* nearest;     // of each phyxel: the point of the mesh next to it; NULL: nobody asks for impacts
    double (*knots)[2];   // of all curves
    qvPhyxelTerms terms;
    size_t numberCount; // of a state's phyxels; what has been drawn of them follows
} qvPointsModel;

/// What of a body's history is drawn. In frames it is floats, in saved states doubles.
//
//     frame    positions of phyxels, [flowed strain: when any may flow], [tears: when it may tear], [set, since,
//              positions then: when it may set], [impacts: when they send waves]
//     state    numbers of the engine, tears, set, since, positions then, when each touched anything last
//
// set is 1 from the frame on in which the body is solid again, since the scene's time then; in states -1 while it is
// liquid.
typedef struct qvPointsFrame
{
    int flowed, tears, set, impacts, count; ///< where they begin; 0: there are none
} qvPointsFrame;

enum
{
    qv_setPlace = 2,     ///< of the positions behind `set`
    qv_impactNumbers = 6 ///< time since the start, speed, point, normal
};

/// What can be shown of it.
enum
{
    qv_channelStretch,
    qv_channelPlastic,
    qv_channelMelt,
    qv_channelCount
};

qvPointsFrame qvPointsModel_Frame(const qvPointsModel* model);

QV_CHECKED qvResult qvCreateSetShapes(qvSetShapes** shapes, qvError* error);
void qvDestroySetShapes(qvSetShapes* shapes); ///< NULL is allowed

// points_impacts.c
QV_CHECKED qvResult qvPoints_FindNearest(qvPointsModel* model, qvError* error);
void qvPoints_SampleImpacts(const qvPointsModel* model, const qvPhyxelState* state, const qvPhyxelKnock* knocks,
                            float* values);
int qvPoints_Impacts(const void* model, const float* values, qvImpact impacts[qv_mostImpacts]);

// Of the engine's descriptor.
size_t qvPoints_ScratchSize(const void* model);
void qvPoints_Draw(const void* model, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points);
void qvPoints_Show(const void* model, int channel, double time, const float* values, void* scratch, qvVec3f* points,
                   float* shown, qvVec3f* arrows);
qvResult qvPoints_Extract(const void* model, double time, const float* values, const qvVec3f* points, qvPool* pool,
                          qvMesh** mesh, qvError* error);
