// SPDX-License-Identifier: GPL-3.0-or-later
// Advection: points carried by RK4 through the frozen field of some loads over a unit of pseudo time.
#pragma once

#include "kelvinlet/kernel.h"
#include "kelvinlet/load.h"

/// Called before every RK4 stage with the centres where that stage has them; may change forces and affine parts.
typedef void qvFlowUpdateFcn(void* context, qvKelvinlet* loads, int loadCount);

/// Loads prepared for every stage. Row i of kernels has loadCount entries: stage i % 4 of substep i / 4; a flow whose
/// centres do not move has one row for all.
typedef struct qvFlow
{
    int loadCount;
    int substeps; ///< 0: linear
    int rowCount;
    qvKernelLoad* kernels;
    qvKernelLoadf* kernelsf;
    qvKelvinlet* loads; ///< with the centres at the start
    qvVec3* ends;       ///< where the centres arrive
    double* travels;    ///< length of each centre's path
    qvReach* reaches;   ///< distances from the centre where each load is visible
    double age;
    bool cull;
} qvFlow;

/// substeps as in qvAdvection; qv_estimateSubsteps is settled here.
QV_CHECKED qvResult qvFlow_Init(qvFlow* flow, const qvKelvinlet* loads, int loadCount, double age,
                                const qvAdvection* options, qvFlowUpdateFcn* update, void* context, qvError* error);
void qvFlow_Free(qvFlow* flow);

/// Whether no point in the sphere is moved visibly.
bool qvFlow_Misses(const qvFlow* flow, qvVec3 center, double radius);

/// Displacements of the first count points of a block. points is overwritten when there are several substeps.
void qvFlow_CarryBlockf(const qvFlow* flow, const qvKernelSetf* set, int count, qvBlockf* points, qvBlockf* out);
void qvFlow_CarryBlock(const qvFlow* flow, const qvKernelSet* set, int count, qvBlock* points, qvBlock* out);

/// Displacements of all points; culled blocks get zeros.
void qvFlow_Runf(const qvFlow* flow, const qvPointsf* points, qvPointsf* displacements, qvPool* pool);
void qvFlow_Run(const qvFlow* flow, const qvPoints* points, qvPoints* displacements, qvPool* pool);

/// Copies points [begin, begin + count) into a block and repeats the last one up to the next multiple of 16.
void qvBlock_Loadf(const qvPointsf* points, int begin, int count, qvBlockf* block);
void qvBlock_Load(const qvPoints* points, int begin, int count, qvBlock* block);

/// A sphere around the first count points.
typedef struct qvSphere
{
    qvVec3 center;
    double radius;
} qvSphere;

qvSphere qvBlock_Spheref(const qvKernelSetf* set, const qvBlockf* block, int count);
qvSphere qvBlock_Sphere(const qvKernelSet* set, const qvBlock* block, int count);
