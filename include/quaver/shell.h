// SPDX-License-Identifier: GPL-3.0-or-later
/// Discrete Shells (Grinspun et al. 2003): the elastic energy of a triangle mesh that resists stretching of its edges,
/// change of its areas and bending at its edges, with exact derivatives.
///
///     E = sum over edges      edge (1 - l / L)^2 L
///       + sum over triangles  area (1 - A / A0)^2 A0
///       + sum over hinges     bend (angle - angle0)^2 3 L^2 / (A1 + A2)
///
/// States are 3 * pointCount doubles, x y z of each point of the mesh's topology. A shell is immutable once made and
/// may be used from several threads at once; results are the same bits for any pool.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"
#include "quaver/topology.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvShell qvShell;

/// Stiffness of the three terms, at least 0. Energies, gradients and Hessians are linear in them.
typedef struct qvShellMaterial
{
    double edge; ///< default 1, for meshes with a bounding-box diagonal of 10
    double area; ///< default 1
    double bend; ///< default 1
} qvShellMaterial;

qvShellMaterial qvDefaultShellMaterial(void);

/// The lower triangle of a symmetric matrix in compressed columns, rows ascending, as CHOLMOD takes it (stype -1).
typedef struct qvShellPattern
{
    int32_t size;               ///< rows and columns: 3 * pointCount
    int32_t entryCount;         ///< columnStart[size]
    const int32_t* columnStart; ///< size + 1 entries
    const int32_t* rows;        ///< entryCount entries
} qvShellPattern;

/// rest is the shape without energy. Nothing of the topology is needed afterwards. Fails for positions that are not
/// finite and for meshes too large for 32-bit indices. Triangles and edges without size get a small one, so that
/// they neither matter nor divide by zero.
QV_CHECKED qvResult qvCreateShell(const qvTopology* topology, const double* rest, const qvJob* job, qvShell** shell,
                                  qvError* error);
void qvDestroyShell(qvShell* shell);

int qvShell_PointCount(const qvShell* shell);

/// Lumped masses of unit density, one per point: a third of the rest area of every triangle at the point, and at
/// least a billionth of the mean.
const double* qvShell_Masses(const qvShell* shell);

/// The three terms, each times its stiffness.
typedef struct qvShellEnergy
{
    double edge, area, bend;
    double total;
} qvShellEnergy;

qvShellEnergy qvShell_Energy(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool);

/// Derivative of the total energy: minus the elastic force. 3 * pointCount numbers.
void qvShell_Gradient(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                      double* gradient);

/// The pattern of all Hessians of this shell; lives as long as the shell.
qvShellPattern qvShell_Pattern(const qvShell* shell);

/// Exact second derivative of the energy at a state, in the pattern's order. It may be indefinite away from rest.
void qvShell_Hessian(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                     double* values);

/// The second derivative of the energy whose rest shape is the state itself, for vibration modes about a pose:
/// positive semidefinite, with the rigid motions in its kernel.
void qvShell_RestHessian(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                         double* values);

#ifdef __cplusplus
}
#endif
