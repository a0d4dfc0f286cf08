// SPDX-License-Identifier: GPL-3.0-or-later
// The reduced model of a body: its vibration modes and what is left of its compliance, from its surface alone.
//
// Modes come from the surface's answers to loads at a complex shift (bem/loewner.h). What they leave out is a
// compliance without memory, made positive so that contact on it is well posed:
//     C_res = sym(C(s0)) - rigid(s0) - Phi diag(1/(omega^2 + s0^2)) Phi^T, as far as that is positive
// Everything is for a shear speed and a density of 1 in the lengths of the mesh, and depends on the mesh and on
// Poisson's ratio only: frequency, damping, density and steps are chosen later (bem/body.h). Immutable once made.
#pragma once

#include "bem/quadrature.h"
#include "bem/surface.h"

#include <stddef.h>

typedef struct qvBemModelDef
{
    const qvVec3* vertices; ///< of a closed surface (bem/surface.h)
    int vertexCount;
    const qvTriangle* triangles;
    int triangleCount;
    double poisson;    ///< 0 to 0.45
    double sharpAngle; ///< radians between normals: tractions may jump there
    int loads;         ///< with which the surface is probed: about as many modes are found
    int rounds;        ///< of subspace iteration
    double band;       ///< modes up to that many times the lowest frequency are kept
    double residualAt; ///< s0, in lowest frequencies
    qvBemQuadrature quadrature;
    double maxBytes; ///< of working memory; more is refused
} qvBemModelDef;

/// 110 loads, 4 rounds, a band of 6, s0 at 12.8 (3 Hz at 240 steps a second), fast quadrature, 6 GB.
qvBemModelDef qvDefaultBemModelDef(void);

/// How well the discretization did.
typedef struct qvBemModelReport
{
    double asymmetry; ///< of the compliance at s0, relative
    double shift;     ///< that made it positive, relative to its largest eigenvalue
    double squeeze;   ///< the largest share of it that modes have; above 1 is more than all
    int passes;       ///< 2 when the lowest frequency was not where it was expected
} qvBemModelReport;

typedef struct qvBemModel
{
    qvBemSurface* surface;
    double poisson;
    int modeCount;
    double* omega;   ///< ascending
    double* modes;   ///< [3 vertices x modeCount], column-major, of unit mass
    double* spin;    ///< [modeCount][6]: integral of sym(phi n^T)/omega^2: xx, xy, xz, yy, yz, zz
    float* residual; ///< C_res [3 vertices][3 vertices], symmetric
    qvBemModelReport report;
} qvBemModel;

QV_CHECKED qvResult qvCreateBemModel(const qvBemModelDef* def, const qvJob* job, qvBemModel** model, qvError* error);
void qvDestroyBemModel(qvBemModel* model); ///< NULL is allowed

/// The model as bytes, for a cache of the same machine; free() them.
QV_CHECKED qvResult qvBemModel_Write(const qvBemModel* model, void** bytes, size_t* size, qvError* error);
/// qv_badInput for bytes that are none.
QV_CHECKED qvResult qvReadBemModel(const void* bytes, size_t size, qvBemModel** model, qvError* error);

/// The modal load of a spin (angular velocity in the body's axes), per unit of density: integral of phi.(-[w]x^2 x).
double qvBemModel_SpinLoad(const qvBemModel* model, int mode, qvVec3 spin);
