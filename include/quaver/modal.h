// SPDX-License-Identifier: GPL-3.0-or-later
/// Sparse factorization, vibration modes and the reduced basis of a body with stiffness K (quaver/sparse.h) and lumped
/// mass M (one positive number per degree of freedom). Vectors have one number per degree of freedom of the whole body;
/// many vectors are stored column after column.
///
///     qvSymbolic* symbolic;                          // once per mesh and set of pins
///     qvCreateSymbolic(pattern, fixed, fixedCount, NULL, &symbolic, &error);
///     qvFactor* factor;                              // one per thread that works on keys
///     qvCreateFactor(symbolic, &factor, &error);
///     qvModesDef def = qvDefaultModesDef();
///     def.matrix = (qvSparse){ pattern, values };
///     def.mass = mass;
///     qvModes* modes;
///     qvComputeModes(&def, factor, NULL, &modes, &error);
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"
#include "quaver/sparse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Factorization ----------------------------------------------------------------------------------------------

/// The analysis of a pattern without its fixed degrees of freedom: elimination order and structure of the factor.
/// Shared by all matrices with that pattern. Immutable, one owner, must outlive the factors made from it.
typedef struct qvSymbolic qvSymbolic;

typedef struct qvSymbolicStats
{
    int freeCount;       ///< degrees of freedom that are not fixed
    int partCount;       ///< parts of the body that nothing connects, counted without the fixed ones
    double factorBytes;  ///< memory of one numeric factor
    double factorFlops;  ///< floating-point operations of one factorization
    double milliseconds; ///< what the analysis took
} qvSymbolicStats;

/// fixed lists degrees of freedom (repeats allowed) whose displacement is zero; they are removed from the system.
/// Copies what it needs of the pattern. Free with qvDestroySymbolic.
QV_CHECKED qvResult qvCreateSymbolic(const qvSparsePattern* pattern, const int32_t* fixed, int fixedCount,
                                     const qvJob* job, qvSymbolic** symbolic, qvError* error);
void qvDestroySymbolic(qvSymbolic* symbolic); ///< NULL is allowed

qvSymbolicStats qvSymbolic_Stats(const qvSymbolic* symbolic);

/// A numeric factor of K + shift M. One thread at a time; its memory is kept from one matrix to the next.
typedef struct qvFactor qvFactor;

QV_CHECKED qvResult qvCreateFactor(const qvSymbolic* symbolic, qvFactor** factor, qvError* error);
void qvDestroyFactor(qvFactor* factor); ///< NULL is allowed

/// Factorizes K + shift M. mass [size] must be positive and finite where free; NULL means 1. qv_badInput when an
/// entry is no finite number; qv_notConverged when the matrix is not positive definite (the message names the
/// degree of freedom where it failed). Copies the matrix. The job is asked about once per millisecond of work, from any
/// thread of its pool, one at a time; the numbers are the same for any pool.
QV_CHECKED qvResult qvFactor_Compute(qvFactor* factor, const qvSparse* matrix, const double* mass, double shift,
                                     const qvJob* job, qvError* error);

/// x = (K + shift M)^-1 b for columnCount vectors, with zeros where fixed. x may be b. Needs a successful
/// qvFactor_Compute. Many columns at once are several times cheaper than one by one.
QV_CHECKED qvResult qvFactor_Solve(qvFactor* factor, const double* b, int columnCount, double* x, const qvJob* job,
                                   qvError* error);

// --- Vibration modes --------------------------------------------------------------------------------------------

typedef enum qvModesMethod
{
    qv_modesAuto,   ///< dense for tiny problems, otherwise block, and ARPACK should that fail
    qv_modesBlock,  ///< block Krylov method with thick restart
    qv_modesArpack, ///< implicitly restarted Lanczos of ARPACK-ng; one problem at a time in the process
    qv_modesDense,  ///< LAPACK, on the full matrix
} qvModesMethod;

typedef struct qvModesDef
{
    qvSparse matrix;    ///< stiffness K; may be singular (free bodies) or indefinite
    const double* mass; ///< [size] lumped mass, positive and finite where free
    int count;          ///< number of modes wanted, zero modes included; default 20
    double shift;       ///< estimate of the shift, > 0 in units of lambda: that of another key's report; 0 = none
    double tolerance;   ///< largest residual accepted (see qvModesReport); default 1e-8
    int maxSteps;       ///< block steps, or restarts of ARPACK, before giving up; default 500
    qvModesMethod method;
} qvModesDef;

qvModesDef qvDefaultModesDef(void);

typedef struct qvModesReport
{
    qvModesMethod method; ///< what was used in the end
    double shift;         ///< K + shift M was factorized; a good estimate for other keys of the same body
    int factorizations;   ///< tries until a shift was good
    int steps;            ///< block steps, or restarts of ARPACK
    int solves;           ///< vectors solved for
    double residual;      ///< largest |A^-1 phi - phi / a| a, where A = K + shift M in mass-scaled coordinates and a
                          ///< the mode's lambda + shift: bounds the relative error of a, to first order of phi
    double backwardError; ///< largest |K phi - lambda M phi| in mass-scaled coordinates, over the norm of K there
    double milliseconds;  ///< time in all
} qvModesReport;

/// The lowest modes of K phi = lambda M phi. One owner, plain memory, free with qvDestroyModes.
typedef struct qvModes
{
    int size;        ///< degrees of freedom, fixed ones included
    int count;       ///< at most the number wanted: a body has no more modes than free degrees of freedom
    int zeroCount;   ///< how many |lambda| are zero to rounding: six per free part of a shell at rest
    double* values;  ///< [count] lambda = (2 pi frequency)^2, ascending; may be negative
    double* vectors; ///< [size x count] phi, mass-orthonormal, zero where fixed, largest component positive
    qvModesReport report;
} qvModes;

/// The factor's symbolic analysis says what is fixed; the factor is left in an unspecified state. The start vectors
/// are always the same, so that the result is, too. Several threads may work at once, each with its own factor;
/// beside the factor each needs room for about 150 + count vectors.
///
/// The shift makes K + shift M positive definite: a small fraction of the mean eigenvalue, raised until the
/// factorization succeeds (so that negative eigenvalues down to -shift are found), and chosen anew when the first
/// estimates of the eigenvalues show that it is far from their scale.
///
/// qv_badInput: a number that is not finite or a mass that is not positive, with its place. qv_notConverged:
/// neither method reached the tolerance.
QV_CHECKED qvResult qvComputeModes(const qvModesDef* def, qvFactor* factor, const qvJob* job, qvModes** modes,
                                   qvError* error);
void qvDestroyModes(qvModes* modes); ///< NULL is allowed

// --- Reduced basis ----------------------------------------------------------------------------------------------

/// The vectors that one distinct pose contributes: the vector to it, its modes, its velocities.
typedef struct qvBasisBlock
{
    const double* vectors; ///< [size x count], of any length; zero vectors count for nothing
    int count;
} qvBasisBlock;

typedef struct qvBasisDef
{
    int size;                   ///< degrees of freedom
    const double* mass;         ///< [size] positive; a fixed degree of freedom is one where all vectors are zero
    const qvBasisBlock* blocks; ///< [blockCount], in key order
    int blockCount;
    const int* sameAs; ///< [blockCount] -1, or the block of the previous basis whose vectors are meant, as it knows
                       ///< them; vectors are then not looked at, and count is qvBasis_VectorCount. NULL: all -1
    double tolerance;  ///< directions whose share outside the blocks before is below this are left out; default 1e-7
} qvBasisDef;

qvBasisDef qvDefaultBasisDef(void);

/// Mass-orthonormal basis U of everything the blocks span: U^T M U = I. Immutable, one owner.
typedef struct qvBasis qvBasis;

/// Each block in turn: its vectors at unit length, minus their part in the blocks before, then the left singular
/// vectors (in the mass inner product) whose singular value is above the tolerance. previous (may be NULL) is a basis
/// of the same body and mass. Where at least half of the blocks are in it, the new basis follows from it: the same
/// space to rounding, but other vectors than without, and qvBasis_Reduce can start from its reduced matrices. It is not
/// kept.
QV_CHECKED qvResult qvCreateBasis(const qvBasisDef* def, const qvBasis* previous, const qvJob* job, qvBasis** basis,
                                  qvError* error);
void qvDestroyBasis(qvBasis* basis); ///< NULL is allowed

/// Whether the basis followed from the previous one, so that qvBasis_Reduce may start from its matrices.
bool qvBasis_HasFollowed(const qvBasis* basis);

/// Frees what only qvBasis_Reduce from previous matrices needs; qvBasis_HasFollowed is false afterwards.
void qvBasis_Forget(qvBasis* basis);

/// How many of a block's vectors were not zero.
int qvBasis_VectorCount(const qvBasis* basis, int block);

int qvBasis_Size(const qvBasis* basis);
int qvBasis_Dimension(const qvBasis* basis);
const double* qvBasis_Vectors(const qvBasis* basis); ///< U [size x dimension]

/// Where the vectors of a block are in U: the first column and their number (less than the block's where some
/// directions were known already).
void qvBasis_BlockRange(const qvBasis* basis, int block, int* first, int* count);

/// U^T M x: the coordinates of x, of the part of it that lies in the space.
void qvBasis_Project(const qvBasis* basis, const double* x, int columnCount, double* q);

/// x = U q
void qvBasis_Expand(const qvBasis* basis, const double* q, int columnCount, double* x);

/// reduced [dimension x dimension] = U^T K U, both triangles. previousReduced (may be NULL) is the reduced matrix
/// of the same K in the previous basis that this one followed from: then K is multiplied with the new directions only.
QV_CHECKED qvResult qvBasis_Reduce(const qvBasis* basis, const qvSparse* matrix, const double* previousReduced,
                                   double* reduced, const qvJob* job, qvError* error);

/// All eigenpairs of a reduced matrix: values [dimension] ascending, vectors [dimension x dimension] orthonormal,
/// largest component positive. As the mass is the identity in the basis, these are the modes of the reduced body.
QV_CHECKED qvResult qvReducedModes(int dimension, const double* reduced, double* values, double* vectors,
                                   qvError* error);

#ifdef __cplusplus
}
#endif
