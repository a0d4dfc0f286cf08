// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family G beside assembly: Lamb's frequencies, steps of frame and oscillators, contact, wavelets, modes.
#include "eval/eval_bem.h"

#include "base/memory.h"
#include "bem/frame.h"
#include "bem/haar.h"
#include "bem/lamb.h"
#include "bem/loewner.h"
#include "bem/pgs.h"
#include "bem/radial.h"
#include "bem/response.h"
#include "math/dense_eigen.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_CONTACTS = 300,
    MAX_MATRIX = 1024,
    MAX_ITERATIONS = 1000000,
    LOWEST = 6 // modes that are written
};

static qvResult RunLamb(const qvJson* in, qvJson* out, qvError* error)
{
    bool torsional = strcmp(qvJson_Text(qvJson_Find(in, "type")), "T") == 0;
    double poisson = 0.0;
    int l, n;
    qvResult result = qvEval_ReadInt(in, "l", torsional ? 1 : 0, 50, &l, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "n", 1, 100, &n, error);
    if (result == qv_ok && !torsional)
        result = qvEval_ReadRange(in, "nu", -0.99, 0.499999, &poisson, error);
    if (result == qv_ok)
        qvJson_AddNumber(out, "eta", qvLambFrequency(torsional, l, n, poisson));
    return result;
}

// --- Steps ----------------------------------------------------------------------------------------------------------

static qvResult RunPaperFrame(const qvJson* in, qvJson* out, qvError* error)
{
    qvPaperFrame frame;
    qvVec3 acceleration, angular, gravity;
    double dt;
    qvResult result = qvEval_ReadRange(in, "dt", 0.0, 1e30, &dt, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "R", &frame.rotation, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "T", &frame.place, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "v", &frame.velocity, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "omega", &frame.spin, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "a_ext", &acceleration, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "alpha_ext", &angular, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "g", &gravity, error);
    if (result != qv_ok)
        return result;
    qvPaperFrame_Step(&frame, dt, acceleration, angular, gravity);
    qvEval_AddVec3(out, "v", frame.velocity);
    qvEval_AddVec3(out, "omega", frame.spin);
    qvEval_AddVec3(out, "T", frame.place);
    qvEval_AddMat3(out, "R", &frame.rotation);
    return qv_ok;
}

static qvResult RunMomentumFrame(const qvJson* in, qvJson* out, qvError* error)
{
    qvMat3 rotation, inertia;
    qvVec3 momentum, torque;
    double dt;
    qvResult result = qvEval_ReadRange(in, "dt", 0.0, 1e30, &dt, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "R", &rotation, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "I_body", &inertia, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "L", &momentum, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "torque", &torque, error);
    if (result != qv_ok)
        return result;
    momentum = qvMulAdd(momentum, dt, torque);
    qvVec3 spin = qvMidpointSpin(&rotation, &inertia, momentum, dt);
    qvMat3 turn = qvRotationOf(qvScale(dt, spin));
    rotation = qvMat3_Product(&turn, &rotation);
    qvEval_AddVec3(out, "L", momentum);
    qvEval_AddVec3(out, "omega_mid", spin);
    qvEval_AddMat3(out, "R", &rotation);
    return qv_ok;
}

static qvResult RunModeStep(const qvJson* in, qvJson* out, qvError* error)
{
    double omega, damping, h, q, v, f;
    qvResult result = qvEval_ReadRange(in, "omega", 1e-30, 1e30, &omega, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "zeta", 0.0, 0.999999, &damping, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "h", 0.0, 1e30, &h, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "q", -1e30, 1e30, &q, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "qd", -1e30, 1e30, &v, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "f", -1e30, 1e30, &f, error);
    if (result != qv_ok)
        return result;
    qvOscillator step = qvMakeOscillator(omega, damping, h);
    v += h * f;
    qvJson_AddNumber(out, "q", step.a11 * q + step.a12 * v);
    qvJson_AddNumber(out, "qd", step.a21 * q + step.a22 * v);
    return qv_ok;
}

static qvResult RunMaterial(const qvJson* in, qvJson* out, qvError* error)
{
    double hertz, settle, factor, omega, density;
    qvResult result = qvEval_ReadRange(in, "lowest_hz", 1e-30, 1e30, &hertz, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "settle_s", 1e-30, 1e30, &settle, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "settle_factor", 1.0, 1e30, &factor, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "omega1_unit_c2", 1e-30, 1e30, &omega, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "rho", 1e-30, 1e30, &density, error);
    if (result != qv_ok)
        return result;
    double c2 = 2.0 * QV_PI * hertz / omega, decay = log(factor) / settle;
    qvJson_AddNumber(out, "c2", c2);
    qvJson_AddNumber(out, "mu", density * c2 * c2);
    qvJson_AddNumber(out, "decay_rate", decay);
    qvJson_AddNumber(out, "zeta1", decay / (2.0 * QV_PI * hertz));
    return qv_ok;
}

// --- Contact --------------------------------------------------------------------------------------------------------

// The place of row n (normal, tangent, tangent) of a case whose normal is another axis.
static int PlaceOf(int n, int axis)
{
    static const int order[3][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 1 } };
    return n / 3 * 3 + order[axis][n % 3];
}

static qvResult RunContact(const qvJson* in, qvJson* out, qvError* error)
{
    double friction, *a = NULL, *memory = NULL;
    int axis, size = qvJson_Count(qvJson_Find(in, "r_free")), rows;
    if (size == 0 || size % 3 != 0 || size > 3 * MAX_CONTACTS)
        return qvError_Set(error, qv_badInput, "in.r_free: must be a list of 3 numbers per contact");
    qvResult result = qvEval_ReadRange(in, "mu", 0.0, 1e6, &friction, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "normal_axis", 0, 2, &axis, error);
    if (result == qv_ok)
        result = qvEval_ReadRows(in, "A", size, size, &rows, &a, error);
    if (result == qv_ok && rows != size)
        result = qvError_Set(error, qv_badInput, "in.A: must be a square matrix");
    if (result == qv_ok && (memory = qvAllocate((size_t)size * (size_t)(size + 11), sizeof(double))) == NULL)
        result = qvError_OutOfMemory(error, 8.0 * size * size);
    double *b = memory, *given = b + size * size, *free0 = given + size, *force = free0 + size, *r = force + size,
           *mu = r + size, *work = mu + size;
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", "r_free", size, given, error);
    if (result == qv_ok)
    {
        for (int i = 0; i < size; i++)
        {
            free0[i] = given[PlaceOf(i, axis)];
            mu[i / 3] = friction;
            for (int j = 0; j < size; j++)
                b[i * size + j] = a[PlaceOf(i, axis) * size + PlaceOf(j, axis)];
        }
        int32_t all[MAX_CONTACTS], first[MAX_CONTACTS + 1] = { 0 };
        qvContactPlace places[MAX_CONTACTS];
        for (int i = 0; i < size / 3; i++)
        {
            all[i] = i;
            first[i + 1] = i + 1;
            places[i] = (qvContactPlace){ 0, i };
        }
        qvContactGroup group = { size / 3, all, b };
        qvContactProblem problem = { .count = size / 3,
                                     .groupCount = 1,
                                     .groups = &group,
                                     .firstPlace = first,
                                     .places = places,
                                     .free = free0,
                                     .friction = mu,
                                     .tolerance = 1e-13,
                                     .maxIterations = MAX_ITERATIONS };
        (void)qvSolveContact(&problem, work, force, r);
        for (int i = 0; i < size; i++)
            given[PlaceOf(i, axis)] = force[i];
        qvJson_AddNumbers(out, "lam", given, size);
        for (int i = 0; i < size; i++)
            given[PlaceOf(i, axis)] = r[i];
        qvJson_AddNumbers(out, "r", given, size);
    }
    free(memory);
    free(a);
    return result;
}

static qvResult RunHaar(const qvJson* in, qvJson* out, qvError* error)
{
    double* matrix = NULL;
    int size = qvJson_Count(qvJson_Find(in, "matrix")), rows, keep;
    if (size == 0 || size > MAX_MATRIX || (size & (size - 1)) != 0)
        return qvError_Set(error, qv_badInput, "in.matrix: its size must be a power of two up to %d", (int)MAX_MATRIX);
    qvResult result = qvEval_ReadInt(in, "keep", 0, size * size, &keep, error);
    if (result == qv_ok)
        result = qvEval_ReadRows(in, "matrix", size, size, &rows, &matrix, error);
    if (result == qv_ok)
        result = qvHaar_Forward(size, matrix, error);
    if (result == qv_ok)
    {
        qvEval_AddRows(out, "transform", matrix, size, size);
        result = qvHaar_Keep(size, matrix, keep, error);
    }
    if (result == qv_ok)
        result = qvHaar_Backward(size, matrix, error);
    if (result == qv_ok)
        qvEval_AddRows(out, "reconstructed", matrix, size, size);
    free(matrix);
    return result;
}

// --- Modes ----------------------------------------------------------------------------------------------------------

typedef struct ModesCase
{
    qvBemSurface* surface;
    qvBemTable* table;
    qvBemMatrices* matrices;
    double shifts[2], *memory;
} ModesCase;

// All loads without force and torque: an orthonormal basis of the complement of the resultants.
static qvResult AllLoads(const qvBemSurface* surface, double* resultants, double* loads, double* values, qvError* error)
{
    size_t size = 3 * (size_t)surface->nodeCount;
    qvResult result = qvBemResultants(surface, resultants, error);
    if (result != qv_ok)
        return result;
    memset(loads, 0, size * size * sizeof(double));
    for (size_t m = 0; m < 6; m++)
    {
        for (size_t i = 0; i < size * size; i++)
            loads[i] += resultants[m * size + i / size] * resultants[m * size + i % size];
    }
    return qvDense_Eigen((int)size, loads, (int)size, values, loads, error); // zeros first, then six ones
}

static qvResult SolveModes(ModesCase* item, double cut, double speed, qvJson* out, qvError* error)
{
    const qvBemSurface* surface = item->surface;
    size_t rows = 3 * (size_t)surface->vertexCount, square = rows * rows;
    item->memory = qvAllocate(6 * square + 12 * rows, sizeof(double));
    int* pivots = qvAllocate(2 * rows, sizeof(int));
    if (item->memory == NULL || pivots == NULL)
    {
        free(pivots);
        return qvError_OutOfMemory(error, 48.0 * (double)square);
    }
    double *loads = item->memory, *forces = loads + square, *u[2], *slope[2], *rest;
    u[0] = forces + square;
    u[1] = u[0] + square;
    slope[0] = u[1] + square;
    slope[1] = slope[0] + square;
    rest = slope[1] + square;
    qvLoewnerData data = { .rows = (int)rows, .loads = (int)rows - 6, .force = forces, .cut = cut };
    qvResult result = AllLoads(surface, rest, loads, rest + 6 * rows, error);
    if (result == qv_ok)
        qvBemNodalForces(surface, data.loads, loads, forces);
    for (int a = 0; result == qv_ok && a < 2; a++)
    {
        const double *h = item->matrices->h + 2 * (size_t)a * square, *g = item->matrices->g + 2 * (size_t)a * square;
        qvBemResponse response = { .rows = (int)rows,
                                   .columns = (int)rows,
                                   .s = item->shifts[a],
                                   .factors = (double*)h,
                                   .pivots = pivots + (size_t)a * rows,
                                   .g = g,
                                   .dh = h + square,
                                   .dg = g + square };
        result = qvBemResponse_Factor(&response, NULL, error);
        if (result == qv_ok)
            result = qvBemResponse_Answer(&response, NULL, data.loads, loads, u[a], error);
        if (result == qv_ok)
            result = qvBemResponse_Slope(&response, NULL, data.loads, loads, u[a], slope[a], error);
        data.u[a] = u[a];
        data.slope[a] = slope[a];
        data.lambda[a] = response.s * response.s;
        data.metric = a == 0 ? response.s * response.s : data.metric;
    }
    double* omega = rest;
    int count = 0;
    if (result == qv_ok)
        result = qvLoewnerModes(&data, &count, omega, NULL, error);
    for (int i = 0; i < count; i++)
        omega[i] *= speed;
    if (result == qv_ok)
        qvJson_AddNumbers(out, "omega_lowest6", omega, count < LOWEST ? count : LOWEST);
    free(pivots);
    return result;
}

static qvResult RunModes(const qvJson* in, qvJson* out, qvError* error)
{
    ModesCase item = { 0 };
    qvBemMaterial material;
    double cut;
    qvResult result = qvEval_ReadBemMaterial(in, true, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "rel_cut", 0.0, 1.0, &cut, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", "shifts", 2, item.shifts, error);
    if (result == qv_ok && !(item.shifts[0] > 0.0 && item.shifts[1] > 0.0 && item.shifts[0] != item.shifts[1]))
        result = qvError_Set(error, qv_badInput, "in.shifts: must be two different positive numbers");
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &item.surface, error);
    double speed = result == qv_ok ? qvBemShearSpeed(&material) : 1.0;
    if (result == qv_ok)
    {
        qvBemChannel channels[4];
        for (int c = 0; c < 4; c++)
        {
            item.shifts[c / 2] /= c % 2 == 0 ? speed : 1.0; // with a shear speed of 1
            channels[c] = (qvBemChannel){ item.shifts[c / 2], c % 2 == 0 ? qv_bemReal : qv_bemDerivative };
        }
        result = qvCreateLaplaceTable(qvBemKappa(material.poisson), channels, 4, item.surface->diameter, 0.01,
                                      &item.table, error);
    }
    qvBemQuadrature fine = qvFineQuadrature();
    if (result == qv_ok)
        result = qvAssembleBem(item.surface, item.table, &fine, NULL, &item.matrices, error);
    if (result == qv_ok)
        result = SolveModes(&item, cut, speed, out, error);
    free(item.memory);
    qvDestroyBemMatrices(item.matrices);
    qvDestroyBemTable(item.table);
    qvDestroyBemSurface(item.surface);
    return result;
}

static const qvEvalOp ops[] = {
    { "lamb_sphere", RunLamb },
    { "frame_step_eq11", RunPaperFrame },
    { "frame_step_momentum", RunMomentumFrame },
    { "mode_step_kick_drift", RunModeStep },
    { "material_map", RunMaterial },
    { "contact_solve", RunContact },
    { "haar2d", RunHaar },
    { "bem_loewner_modes", RunModes },
};

const qvEvalTable qvEvalBemMotion = { ops, sizeof(ops) / sizeof(ops[0]) };
