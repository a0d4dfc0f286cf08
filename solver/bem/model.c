// SPDX-License-Identifier: GPL-3.0-or-later
// The reduced model (bem/model.h): probing the surface, modes, residual compliance.
//   responses    the surface at the real shifts s1 and s0, and with slopes at the complex shift s2
//   loads        P: tractions without resultant, from subspace iteration at s1
//   Phi^         Phi / sqrt(omega^2 + s0^2)
#include "bem/model.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "bem/frame.h"
#include "bem/loewner.h"
#include "bem/positive.h"
#include "bem/radial.h"
#include "bem/response.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "math/dense_lu.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHIFTS = 3,   // s1, s0, s2
    CHANNELS = 6, // s1, s0, both parts of s2 and of its slope
    MAX_PASSES = 3,
    ASKED_EVERY = 256,  // rows or columns
    ALL_AT_ONCE = 1600, // rows
};

static const double LOWEST_GUESS = 2.2; // omega_1 a/c2 of a sphere, about
static const double LOADS_AT = 0.6;     // s1, in lowest frequencies
// s2: far enough from the axis that overtones come out right too, near enough for modes that loads hardly tell apart.
static const double MODES_AT[2] = { 1.0, 1.2 };
static const double CLOSE_ENOUGH = 0.25; // of the guess: more takes another pass
static const double TABLE_STEP = 0.05;
static const double CUT = 1e-3; // of Loewner's directions
static const double HIGHEST_POISSON = 0.45;

qvBemModelDef qvDefaultBemModelDef(void)
{
    return (qvBemModelDef){ .poisson = 0.4,
                            .sharpAngle = 0.7,
                            .loads = 110,
                            .rounds = 4,
                            .band = 6.0,
                            .residualAt = 12.8,
                            .quadrature = qvFastQuadrature(),
                            .maxBytes = 6e9 };
}

typedef struct Build
{
    const qvBemModelDef* def;
    const qvJob* job;
    const qvBemSurface* surface;
    qvBemModel* model;
    int rows, columns, loads;
    double guess; // of the lowest frequency
    qvBemTable* table;
    qvBemMatrices* matrices;
    qvBemResponse soft, stiff;        // at s1 and s0
    qvBemComplexResponse among;       // at s2
    double complex* factors;          // [rows][rows]: of H at s2
    int* pivots;                      // [SHIFTS][rows]
    double *resultants, *tractions;   // [columns x 6], [columns x loads]
    double *forces, *u[2], *slope[2]; // [rows x loads]
    double *omega, *modes;            // [2 loads], [rows x 2 loads]
    int found;
    qvResult factored[SHIFTS];
    qvError errors[SHIFTS];
} Build;

static void FreePass(Build* build)
{
    qvDestroyBemTable(build->table);
    qvDestroyBemMatrices(build->matrices);
    build->table = NULL;
    build->matrices = NULL;
}

static void FreeBuild(Build* build)
{
    FreePass(build);
    free(build->factors);
    free(build->pivots);
    free(build->resultants); // one piece with all that follow
}

static qvResult AllocateBuild(Build* build, qvError* error)
{
    size_t rows = (size_t)build->rows, columns = (size_t)build->columns, loads = (size_t)build->loads;
    size_t size = columns * (6 + loads) + rows * loads * 7 + 2 * loads;
    build->factors = qvAllocateRaw(rows * rows, sizeof(double complex));
    build->pivots = qvAllocate(SHIFTS * rows, sizeof(int));
    build->resultants = qvAllocate(size, sizeof(double));
    if (build->factors == NULL || build->pivots == NULL || build->resultants == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(size + 2 * rows * rows));
    build->tractions = build->resultants + 6 * columns;
    build->forces = build->tractions + columns * loads;
    build->u[0] = build->forces + rows * loads;
    build->u[1] = build->u[0] + rows * loads;
    build->slope[0] = build->u[1] + rows * loads;
    build->slope[1] = build->slope[0] + rows * loads;
    build->modes = build->slope[1] + rows * loads;
    build->omega = build->modes + 2 * rows * loads;
    return qv_ok;
}

// --- The surface's answers ------------------------------------------------------------------------------------------

typedef struct Factoring
{
    Build* build;
    const qvJob* job; // that all threads may ask
} Factoring;

static void FactorRange(void* context, int begin, int end)
{
    const Factoring* factoring = context;
    Build* build = factoring->build;
    for (int i = begin; i < end; i++)
    {
        qvBemResponse* real = i == 1 ? &build->soft : &build->stiff;
        build->factored[i] = i == 0 ? qvBemComplexResponse_Factor(&build->among, factoring->job, &build->errors[i])
                                    : qvBemResponse_Factor(real, factoring->job, &build->errors[i]);
    }
}

static void PointAtMatrices(Build* build, double soft, double stiff, double complex among)
{
    int rows = build->rows, columns = build->columns;
    size_t h = (size_t)rows * (size_t)rows, g = (size_t)rows * (size_t)columns;
    double *hs[CHANNELS], *gs[CHANNELS];
    for (size_t c = 0; c < CHANNELS; c++)
    {
        hs[c] = build->matrices->h + c * h;
        gs[c] = build->matrices->g + c * g;
    }
    int* pivots = build->pivots;
    build->soft = (qvBemResponse){ rows, columns, soft, hs[0], pivots, gs[0], NULL, NULL };
    build->stiff = (qvBemResponse){ rows, columns, stiff, hs[1], pivots + rows, gs[1], NULL, NULL };
    build->among = (qvBemComplexResponse){ .rows = rows,
                                           .columns = columns,
                                           .s = among,
                                           .factors = build->factors,
                                           .pivots = pivots + 2 * rows,
                                           .h = { hs[2], hs[3] },
                                           .g = { gs[2], gs[3] },
                                           .dh = { hs[4], hs[5] },
                                           .dg = { gs[4], gs[5] } };
}

static qvResult MakeResponses(Build* build, qvError* error)
{
    double soft = LOADS_AT * build->guess, stiff = build->def->residualAt * build->guess;
    double complex among = qvComplex(MODES_AT[0] * build->guess, MODES_AT[1] * build->guess);
    const qvBemChannel channels[CHANNELS] = { { soft, qv_bemReal },        { stiff, qv_bemReal },
                                              { among, qv_bemReal },       { among, qv_bemImaginary },
                                              { among, qv_bemDerivative }, { among, qv_bemImaginaryDerivative } };
    qvResult result = qvCreateLaplaceTable(qvBemKappa(build->def->poisson), channels, CHANNELS,
                                           build->surface->diameter, TABLE_STEP, &build->table, error);
    if (result == qv_ok)
        result =
            qvAssembleBem(build->surface, build->table, &build->def->quadrature, build->job, &build->matrices, error);
    if (result != qv_ok)
        return result;
    PointAtMatrices(build, soft, stiff, among);
    result = qvJob_Progress(build->job, "factors", 0.0, error);
    if (result != qv_ok)
        return result;
    qvWatch watch;
    qvWatch_Begin(&watch, build->job);
    Factoring factoring = { build, &watch.shared };
    result = qvWatchedFor(&watch.shared, SHIFTS, 1, FactorRange, &factoring, error);
    qvWatch_End(&watch);
    for (int i = 0; result == qv_ok && i < SHIFTS; i++)
    {
        if (build->factored[i] != qv_ok)
        {
            *error = build->errors[i];
            return build->factored[i];
        }
    }
    return result;
}

// --- Modes ----------------------------------------------------------------------------------------------------------

// A plain sequence of numbers in [-1, 1): the same loads on any machine (D. E. Knuth's constants).
static double NextRandom(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

// Displacements of the vertices as tractions of their nodes.
static void CopyToNodes(const Build* build, int count, const double* u, double* tractions)
{
    for (int c = 0; c < count; c++)
    {
        for (int n = 0; n < build->surface->nodeCount; n++)
            memcpy(tractions + (size_t)c * (size_t)build->columns + 3 * n,
                   u + (size_t)c * (size_t)build->rows + 3 * build->surface->nodeVertex[n], 3 * sizeof(double));
    }
}

static qvResult Orthonormalize(Build* build, qvError* error)
{
    size_t loads = (size_t)build->loads;
    double* triangle = qvAllocate(loads * loads, sizeof(double));
    if (triangle == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(loads * loads));
    qvBemRemoveResultants(build->surface, build->resultants, build->loads, build->tractions);
    qvResult result = qvDense_QR(build->columns, build->loads, build->tractions, build->columns, triangle, error);
    free(triangle);
    return result;
}

static qvResult FindLoads(Build* build, qvError* error)
{
    uint64_t state = 1;
    for (size_t i = 0; i < (size_t)build->columns * (size_t)build->loads; i++)
        build->tractions[i] = NextRandom(&state);
    qvResult result = Orthonormalize(build, error);
    for (int round = 0; result == qv_ok && round < build->def->rounds; round++)
    {
        result = qvBemResponse_Answer(&build->soft, build->job, build->loads, build->tractions, build->u[0], error);
        CopyToNodes(build, build->loads, build->u[0], build->tractions);
        if (result == qv_ok)
            result = Orthonormalize(build, error);
        if (result == qv_ok)
            result = qvJob_Progress(build->job, "modes", (round + 1.0) / (build->def->rounds + 1.0), error);
    }
    return result;
}

// Six loads with resultants, and how the surface answers them at a shift.
typedef struct Pushes
{
    double *rigid, *tractions, *forces; // [rows x 6], [columns x 6], [rows x 6]
    double* answers[2];                 // [rows x 6], real and imaginary
    double* share;                      // [6 x loads]
    double factors[36];                 // of forces^T rigid
    int pivots[6];
} Pushes;

static qvResult MakePushes(const Build* build, Pushes* pushes, qvError* error)
{
    size_t rows = (size_t)build->rows, columns = (size_t)build->columns, loads = (size_t)build->loads;
    const qvBemSurface* surface = build->surface;
    pushes->rigid = qvAllocate(24 * rows + 6 * columns + 6 * loads, sizeof(double));
    if (pushes->rigid == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(24 * rows + 6 * columns + 6 * loads));
    pushes->forces = pushes->rigid + 6 * rows;
    pushes->answers[0] = pushes->forces + 6 * rows;
    pushes->answers[1] = pushes->answers[0] + 6 * rows;
    pushes->tractions = pushes->answers[1] + 6 * rows;
    pushes->share = pushes->tractions + 6 * columns;
    for (size_t m = 0; m < 6; m++)
    {
        for (size_t v = 0; v < (size_t)surface->vertexCount; v++)
        {
            qvVec3 motion = qvBemRigid(surface, (int)m, surface->vertices[v]);
            memcpy(pushes->rigid + m * rows + 3 * v, &motion, sizeof(motion));
        }
        CopyToNodes(build, 1, pushes->rigid + m * rows, pushes->tractions + m * columns);
    }
    qvBemNodalForces(surface, 6, pushes->tractions, pushes->forces);
    qvBlas_Multiply(true, false, 6, 6, build->rows, 1.0, pushes->forces, build->rows, pushes->rigid, build->rows, 0.0,
                    pushes->factors, 6);
    return qvDense_FactorLu(6, pushes->factors, 6, pushes->pivots, NULL, error);
}

// Rigid motions into answers u, so that pushes^T u is what loads^T (answers of the pushes) are.
static void TurnBack(const Build* build, const Pushes* pushes, const double* answers, double* u)
{
    int rows = build->rows, loads = build->loads;
    qvBlas_Multiply(true, false, 6, loads, rows, 1.0, answers, rows, build->forces, rows, 0.0, pushes->share, 6);
    qvBlas_Multiply(true, false, 6, loads, rows, -1.0, pushes->forces, rows, u, rows, 1.0, pushes->share, 6);
    qvDense_SolveLu(6, pushes->factors, 6, pushes->pivots, false, loads, pushes->share, 6);
    qvBlas_Multiply(false, false, rows, loads, 6, 1.0, pushes->rigid, rows, pushes->share, 6, 1.0, u, rows);
}

// Loads without resultant move no body as a whole, but collocation lets them, by R a/lambda: far, where lambda is
// small. Modes with that motion would answer every push with a resultant wrongly. Work is mutual (Betti): how a push
// with a resultant answers in the loads says what rigid motion belongs to their answers.
static qvResult RemoveDrift(Build* build, qvError* error)
{
    Pushes pushes = { 0 };
    qvResult result = MakePushes(build, &pushes, error);
    if (result == qv_ok)
        result =
            qvBemComplexResponse_Answer(&build->among, build->job, 6, pushes.tractions, pushes.answers, NULL, error);
    for (int a = 0; result == qv_ok && a < 2; a++)
        TurnBack(build, &pushes, pushes.answers[a], build->u[a]);
    free(pushes.rigid);
    return result;
}

static qvResult FindModes(Build* build, qvError* error)
{
    qvResult result = FindLoads(build, error);
    if (result != qv_ok)
        return result;
    double complex lambda = build->among.s * build->among.s;
    qvLoewnerData data = { .rows = build->rows,
                           .loads = build->loads,
                           .lambda = { lambda, conj(lambda) },
                           .metric = build->soft.s * build->soft.s,
                           .force = build->forces,
                           .u = { build->u[0], build->u[1] },
                           .slope = { build->slope[0], build->slope[1] },
                           .cut = CUT,
                           .scaled = true };
    qvBemNodalForces(build->surface, build->loads, build->tractions, build->forces);
    result = qvBemComplexResponse_Answer(&build->among, build->job, build->loads, build->tractions, build->u,
                                         build->slope, error);
    if (result == qv_ok)
        result = qvJob_Ask(build->job, error);
    if (result == qv_ok)
        result = RemoveDrift(build, error);
    if (result == qv_ok)
        result = qvJob_Ask(build->job, error);
    if (result != qv_ok)
        return result;
    return qvLoewnerModes(&data, &build->found, build->omega, build->modes, error);
}

// Keeps the modes of the band, without what rigid motion the discretization left in them.
static qvResult KeepModes(Build* build, qvError* error)
{
    qvBemModel* model = build->model;
    while (model->modeCount < build->found && build->omega[model->modeCount] < build->def->band * build->omega[0])
        model->modeCount++;
    size_t rows = (size_t)build->rows, count = (size_t)model->modeCount;
    model->omega = qvAllocate(count, sizeof(double));
    model->modes = qvAllocate(rows * count, sizeof(double));
    model->spin = qvAllocate(6 * count, sizeof(double));
    if (model->omega == NULL || model->modes == NULL || model->spin == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(rows * count));
    memcpy(model->omega, build->omega, count * sizeof(double));
    memcpy(model->modes, build->modes, rows * count * sizeof(double));
    return qv_ok;
}

static void FindSpinLoads(qvBemModel* model)
{
    static const int place[3][3] = { { 0, 1, 2 }, { 1, 3, 4 }, { 2, 4, 5 } };
    const qvBemSurface* surface = model->surface;
    for (int m = 0; m < model->modeCount; m++)
    {
        const double* phi = model->modes + (size_t)m * 3 * (size_t)surface->vertexCount;
        double *to = model->spin + 6 * (size_t)m, square = model->omega[m] * model->omega[m];
        for (int t = 0; t < surface->triangleCount; t++)
        {
            double n[3] = { surface->normals[t].x, surface->normals[t].y, surface->normals[t].z }, mean[3] = { 0.0 };
            for (int k = 0; k < 9; k++)
                mean[k % 3] += phi[3 * surface->triangles[t].v[k / 3] + k % 3] * surface->areas[t] / 3.0;
            for (int i = 0; i < 9; i++) // each entry off the diagonal gets both of its halves
                to[place[i / 3][i % 3]] += mean[i / 3] * n[i % 3] / square * (i / 3 == i % 3 ? 1.0 : 0.5);
        }
    }
}

// (C:M) : S with C:M = lambda tr(M) I + 2 mu M, mu = 1, for M = -[w]x^2 = |w|^2 I - w w^T.
double qvBemModel_SpinLoad(const qvBemModel* model, int mode, qvVec3 spin)
{
    const double* s = model->spin + 6 * (size_t)mode;
    double lame = 2.0 * model->poisson / (1.0 - 2.0 * model->poisson), square = qvDot(spin, spin);
    double xx = square - spin.x * spin.x, yy = square - spin.y * spin.y, zz = square - spin.z * spin.z;
    double cross = spin.x * spin.y * s[1] + spin.x * spin.z * s[2] + spin.y * spin.z * s[4];
    return lame * 2.0 * square * (s[0] + s[3] + s[5]) + 2.0 * (xx * s[0] + yy * s[3] + zz * s[5] - 2.0 * cross);
}

// --- Residual compliance --------------------------------------------------------------------------------------------

// C = H^-1 G T: displacements of nodal forces, which act as tractions f / area round their vertex.
static qvResult PlainCompliance(const Build* build, double* c, qvError* error)
{
    const qvBemSurface* surface = build->surface;
    const qvBemResponse* response = &build->stiff;
    size_t rows = (size_t)build->rows, columns = (size_t)build->columns;
    qvResult result = qvJob_Ask(build->job, error);
    memset(c, 0, rows * rows * sizeof(double));
    for (size_t i = 0; result == qv_ok && i < rows; i++) // column-major: c[column * rows + i]
    {
        for (int n = 0; n < surface->nodeCount; n++)
        {
            size_t v = (size_t)surface->nodeVertex[n];
            for (size_t k = 0; k < 3; k++)
                c[(3 * v + k) * rows + i] += response->g[i * columns + 3 * (size_t)n + k] / surface->vertexArea[v];
        }
        if (i % ASKED_EVERY == 0)
            result = qvJob_Ask(build->job, error);
    }
    return result;
}

typedef struct Solve
{
    const qvBemResponse* response;
    double* c;
} Solve;

static void SolveRange(void* context, int begin, int end)
{
    const Solve* solve = context;
    int rows = solve->response->rows;
    qvDense_SolveLu(rows, solve->response->factors, rows, solve->response->pivots, true, end - begin,
                    solve->c + (size_t)begin * (size_t)rows, rows);
}

// sym(C) minus what rigid motion does; says how far C was from symmetric.
static qvResult SymmetricPart(Build* build, double* c, qvError* error)
{
    qvResult result = qvJob_Ask(build->job, error);
    const qvBemSurface* surface = build->surface;
    size_t rows = (size_t)build->rows;
    double s = build->stiff.s, gap = 0.0, all = 0.0;
    qvMat3 inverse = qvInvertInertia(&surface->inertia);
    for (size_t j = 0; result == qv_ok && j < rows; j++)
    {
        if (j % ASKED_EVERY == 0)
            result = qvJob_Ask(build->job, error);
        for (size_t i = 0; i <= j; i++)
        {
            double a = c[j * rows + i], b = c[i * rows + j];
            gap += (a - b) * (a - b);
            all += a * a + b * b;
            c[j * rows + i] = c[i * rows + j] = 0.5 * (a + b);
        }
    }
    build->model->report.asymmetry = sqrt(gap / all);
    for (int v = 0; result == qv_ok && v < surface->vertexCount; v++)
    {
        if (v % ASKED_EVERY == 0)
            result = qvJob_Ask(build->job, error);
        qvMat3 left = qvMat3_Skew(qvSub(surface->vertices[v], surface->centroid));
        for (int w = 0; w < surface->vertexCount; w++)
        {
            qvMat3 right = qvMat3_Skew(qvSub(surface->vertices[w], surface->centroid));
            qvMat3 turn = qvMat3_Product(&left, &inverse);
            turn = qvMat3_Product(&turn, &right); // -[l]x I^-1 [r]x is the arm of both
            for (int n = 0; n < 9; n++)
            {
                double rigid = (n / 3 == n % 3) / surface->volume - turn.m[n / 3][n % 3];
                c[(3 * (size_t)w + (size_t)n % 3) * rows + 3 * (size_t)v + (size_t)n / 3] -= rigid / (s * s);
            }
        }
    }
    return result;
}

// Columns of a product between questions: small matrices are multiplied as a whole.
static int PieceOf(int rows, int left, int columns)
{
    return rows <= ALL_AT_ONCE || left < columns ? left : columns;
}

// C - Phi^ S^2 Phi^^T, S = Q min(1, sqrt(.98/e)) Q^T for E = Phi^^T C^-1 Phi^ = Q e Q^T: positive also where the modes
// have more compliance than C. The modes themselves stay what they are, since their vibrations are the better known.
static qvResult SubtractModes(Build* build, double* c, const double* l, qvError* error)
{
    qvBemModel* model = build->model;
    int rows = build->rows, count = model->modeCount;
    size_t tall = (size_t)rows * (size_t)count, square = (size_t)count * (size_t)count;
    double s = build->stiff.s, *hat = qvAllocate(2 * tall + 2 * square + (size_t)count, sizeof(double));
    if (hat == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)(2 * tall + 2 * square));
    double *solved = hat + tall, *e = solved + tall, *mix = e + square, *values = mix + square;
    for (int m = 0; m < count; m++)
    {
        double scale = 1.0 / sqrt(model->omega[m] * model->omega[m] + s * s);
        for (int i = 0; i < rows; i++)
            hat[(size_t)m * (size_t)rows + (size_t)i] = scale * model->modes[(size_t)m * (size_t)rows + (size_t)i];
    }
    memcpy(solved, hat, tall * sizeof(double));
    qvResult result = qv_ok;
    for (int m = 0, columns; result == qv_ok && m < count; m += columns)
    {
        columns = PieceOf(rows, count - m, 64);
        qvDense_SolveCholesky(rows, l, rows, columns, solved + (size_t)m * (size_t)rows, rows);
        result = qvJob_Ask(build->job, error);
    }
    qvBlas_Multiply(true, false, count, count, rows, 1.0, hat, rows, solved, rows, 0.0, e, count);
    if (result == qv_ok)
        result = qvDense_Eigen(count, e, count, values, e, error);
    if (result == qv_ok)
    {
        model->report.squeeze = values[count - 1];
        for (int m = 0; m < count; m++)
        {
            double shrink = values[m] > 0.98 ? sqrt(0.98 / values[m]) : 1.0;
            for (int i = 0; i < count; i++)
                mix[m * count + i] = shrink * e[m * count + i];
        }
        qvBlas_Multiply(false, true, count, count, count, 1.0, mix, count, e, count, 0.0, solved, count);
        memcpy(mix, solved, square * sizeof(double));
        qvBlas_Multiply(false, false, rows, count, count, 1.0, hat, rows, mix, count, 0.0, solved, rows);
    }
    for (int j = 0, columns; result == qv_ok && j < rows; j += columns)
    {
        columns = PieceOf(rows, rows - j, ASKED_EVERY);
        qvBlas_Multiply(false, true, rows, columns, count, -1.0, solved, rows, solved + j, rows, 1.0,
                        c + (size_t)j * (size_t)rows, rows);
        result = qvJob_Ask(build->job, error);
    }
    free(hat);
    return result;
}

static qvResult FindResidual(Build* build, qvError* error)
{
    size_t rows = (size_t)build->rows;
    double *c = qvAllocateRaw(2 * rows * rows, sizeof(double)), *l = c + rows * rows;
    build->model->residual = qvAllocateRaw(rows * rows, sizeof(float));
    qvResult result = qv_ok;
    if (c == NULL || build->model->residual == NULL)
        result = qvError_OutOfMemory(error, 20.0 * (double)(rows * rows));
    if (result == qv_ok)
        result = qvJob_Progress(build->job, "contact compliance", 0.0, error);
    if (result == qv_ok)
        result = PlainCompliance(build, c, error);
    Solve solve = { &build->stiff, c };
    if (result == qv_ok)
        result = qvWatchedFor(build->job, build->rows, 128, SolveRange, &solve, error);
    if (result == qv_ok)
        result = SymmetricPart(build, c, error);
    if (result == qv_ok)
        result = qvMakePositive(build->rows, c, l, &build->model->report.shift, build->job, error);
    if (result == qv_ok)
        result = qvJob_Progress(build->job, "contact compliance", 0.6, error);
    if (result == qv_ok)
        result = SubtractModes(build, c, l, error);
    for (size_t i = 0; result == qv_ok && i < rows * rows; i++)
    {
        build->model->residual[i] = (float)(0.5 * (c[i] + c[i % rows * rows + i / rows]));
        if (i % (ASKED_EVERY * rows) == 0)
            result = qvJob_Ask(build->job, error);
    }
    free(c);
    return result;
}

// --- Making one -----------------------------------------------------------------------------------------------------

static double FarthestFromCentroid(const qvBemSurface* surface)
{
    double farthest = 0.0;
    for (int v = 0; v < surface->vertexCount; v++)
        farthest = fmax(farthest, qvDistance(surface->vertices[v], surface->centroid));
    return farthest;
}

// Long bodies bend slowly: like the square of the ratio of their lengths.
static double GuessLowest(const qvBemSurface* surface)
{
    double radius = cbrt(3.0 * surface->volume / (4.0 * QV_PI));
    double slender = radius / FarthestFromCentroid(surface);
    return LOWEST_GUESS / radius * slender * slender;
}

static qvResult CheckDef(const qvBemModelDef* def, const qvBemSurface* surface, qvError* error)
{
    if (!(def->poisson >= 0.0 && def->poisson <= HIGHEST_POISSON))
        return qvError_Set(error, qv_badInput,
                           "a Poisson's ratio of %g cannot be solved by boundary elements; use 0 to %g", def->poisson,
                           HIGHEST_POISSON);
    double rows = 3.0 * surface->vertexCount, columns = 3.0 * surface->nodeCount;
    double bytes = 8.0 * (CHANNELS * rows * (rows + columns) + 4.5 * rows * rows);
    if (bytes > def->maxBytes)
        return qvError_Set(error, qv_outOfMemory,
                           "a body of %d points takes %.1f GB to prepare, %.1f GB are allowed; use fewer points",
                           surface->vertexCount, bytes / 1e9, def->maxBytes / 1e9);
    return qv_ok;
}

static qvResult RunPasses(Build* build, qvError* error)
{
    qvResult result = AllocateBuild(build, error);
    if (result == qv_ok)
        result = qvBemResultants(build->surface, build->resultants, error);
    build->guess = GuessLowest(build->surface);
    for (int pass = 0; result == qv_ok && pass < MAX_PASSES; pass++)
    {
        build->model->report.passes = pass + 1;
        result = MakeResponses(build, error);
        if (result == qv_ok)
            result = FindModes(build, error);
        if (result != qv_ok)
            break;
        double miss = fabs(build->omega[0] / build->guess - 1.0);
        if (miss < CLOSE_ENOUGH || pass == MAX_PASSES - 1)
            break;
        build->guess = build->omega[0];
        FreePass(build);
    }
    if (result == qv_ok)
        result = KeepModes(build, error);
    if (result == qv_ok)
        result = FindResidual(build, error);
    return result;
}

qvResult qvCreateBemModel(const qvBemModelDef* def, const qvJob* job, qvBemModel** out, qvError* error)
{
    *out = NULL;
    qvBemModel* model = qvAllocate(1, sizeof(*model));
    if (model == NULL)
        return qvError_OutOfMemory(error, sizeof(*model));
    qvResult result = qvCreateBemSurface(def->vertices, def->vertexCount, def->triangles, def->triangleCount,
                                         def->sharpAngle, &model->surface, error);
    if (result == qv_ok)
        result = CheckDef(def, model->surface, error);
    if (result == qv_ok)
    {
        Build build = { .def = def, .job = job, .surface = model->surface, .model = model };
        build.rows = 3 * model->surface->vertexCount;
        build.columns = 3 * model->surface->nodeCount;
        build.loads = def->loads < build.rows - 6 ? def->loads : build.rows - 6;
        model->poisson = def->poisson;
        result = RunPasses(&build, error);
        FreeBuild(&build);
    }
    if (result == qv_ok)
        FindSpinLoads(model);
    if (result != qv_ok)
    {
        qvDestroyBemModel(model);
        return result;
    }
    *out = model;
    return qv_ok;
}

void qvDestroyBemModel(qvBemModel* model)
{
    if (model == NULL)
        return;
    qvDestroyBemSurface(model->surface);
    free(model->omega);
    free(model->modes);
    free(model->spin);
    free(model->residual);
    free(model);
}
