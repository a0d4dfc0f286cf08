// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family H: clouds with the fit penalty, steps of them, and what flows.
#include "eval/eval_phyxel.h"

#include "math/dense.h"
#include "math/dense_eigen.h"
#include "phyxel/plastic.h"
#include "phyxel/pressure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RIGID_MODES = 6,
    MOST_STEPS = 100000,
    MOST_DENSE = 100 // phyxels of an op that needs the whole matrix
};

// A cloud that moves: what all the ops with steps read.
typedef struct Moving
{
    qvEvalCloud cloud;
    qvPhyxelMaterial material;
    qvMat3* flowed; // may be NULL
    qvVec3 *u, *v, *forces;
    qvMat3* gradients;
    qvVec3 gravity;
    double damping, dt;
    int steps;
} Moving;

static int CompareNumbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// --- Starting as the paper does --------------------------------------------------------------------------------------

static double MeanNearest(qvEvalCase* c, const qvVec3* x, int count, int i, int k)
{
    double *distances = qvEvalCase_Allocate(c, count, sizeof(double)), sum = 0.0;
    if (distances == NULL)
        return 0.0;
    for (int j = 0; j < count; j++)
        distances[j] = j != i ? qvDistance(x[i], x[j]) : INFINITY;
    qsort(distances, (size_t)count, sizeof(double), CompareNumbers);
    for (int n = 0; n < k; n++)
        sum += distances[n];
    return sum / k;
}

// Section 3.2: m_i = s rbar^3 rho, with the s that makes the mean density rho.
static void RunInit(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "x"), k = qvEvalCase_Int(c, "k", 1, n > 1 ? n - 1 : 1);
    qvVec3* x = qvEvalCase_Points(c, "x", n);
    double factor = qvEvalCase_Number(c, "h_factor", 1e-3, 1e3), rho = qvEvalCase_Number(c, "rho", 1e-30, 1e30);
    double *rbar = qvEvalCase_Allocate(c, n, sizeof(double)), *h = qvEvalCase_Allocate(c, n, sizeof(double));
    double *m = qvEvalCase_Allocate(c, n, sizeof(double)), *density = qvEvalCase_Allocate(c, n, sizeof(double));
    double *v = qvEvalCase_Allocate(c, n, sizeof(double)), mean = 0.0;
    qvCloud cloud;
    if (!qvEvalCase_IsOk(c))
        return;
    for (int i = 0; i < n; i++)
    {
        rbar[i] = MeanNearest(c, x, n, i, k);
        h[i] = factor * rbar[i];
        m[i] = rbar[i] * rbar[i] * rbar[i] * rho;
    }
    c->result = qvCloud_Init(&cloud, n, x, h, m, NULL, c->error);
    for (int i = 0; qvEvalCase_IsOk(c) && i < n; i++)
        mean += cloud.density[i] / n;
    for (int i = 0; qvEvalCase_IsOk(c) && i < n; i++)
    {
        m[i] *= rho / mean;
        density[i] = cloud.density[i] * (rho / mean);
        v[i] = m[i] / density[i];
    }
    qvCloud_Free(&cloud);
    qvJson_AddNumbers(c->out, "rbar", rbar, n);
    qvJson_AddNumbers(c->out, "h", h, n);
    qvJson_AddNumbers(c->out, "m", m, n);
    qvJson_AddNumbers(c->out, "rho_i", density, n);
    qvJson_AddNumbers(c->out, "v", v, n);
}

// --- Steps -----------------------------------------------------------------------------------------------------------

// False: nothing is to be freed.
static bool ReadMoving(qvEvalCase* c, Moving* s)
{
    *s = (Moving){ .material = qvEvalCase_Material(c, qvEvalCase_Law(c), 1.0) };
    if (!qvEvalCase_Cloud(c, &s->cloud))
        return false;
    int n = s->cloud.count;
    s->u = qvEvalCase_IsNull(c, "u") ? qvEvalCase_Allocate(c, n, sizeof(qvVec3)) : qvEvalCase_Points(c, "u", n);
    s->v = qvEvalCase_IsNull(c, "v") ? qvEvalCase_Allocate(c, n, sizeof(qvVec3)) : qvEvalCase_Points(c, "v", n);
    s->flowed = qvEvalCase_IsNull(c, "G") ? NULL : qvEvalCase_Matrices(c, "G", n);
    s->forces = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    s->gradients = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    if (!qvEvalCase_IsNull(c, "steps"))
    {
        s->gravity = qvEvalCase_Point(c, "gravity");
        s->damping = qvEvalCase_Number(c, "damping", 0.0, 1e30);
        s->dt = qvEvalCase_Number(c, "dt", 0.0, 1e30);
        s->steps = qvEvalCase_Int(c, "steps", 0, MOST_STEPS);
    }
    if (!qvEvalCase_IsOk(c))
        qvCloud_Free(&s->cloud.cloud);
    return qvEvalCase_IsOk(c);
}

static double Forces(Moving* s)
{
    qvCloud_Deformation(&s->cloud.cloud, s->u, s->gradients);
    return qvCloud_Forces(&s->cloud.cloud, &s->material, s->flowed, s->u, s->gradients, s->forces);
}

static void StepExplicit(Moving* s)
{
    Forces(s);
    for (int i = 0; i < s->cloud.count; i++)
    {
        qvVec3 v = qvMulAdd(s->v[i], s->dt, qvMulAdd(s->gravity, 1.0 / s->cloud.m[i], s->forces[i]));
        s->v[i] = qvScale(1.0 / (1.0 + s->dt * s->damping), v);
        s->u[i] = qvMulAdd(s->u[i], s->dt, s->v[i]);
    }
}

static void RunStabilized(qvEvalCase* c)
{
    Moving s;
    if (!ReadMoving(c, &s))
        return;
    qvVec3* dx = qvEvalCase_Points(c, "dx", s.cloud.count);
    qvMat3* room = qvEvalCase_Allocate(c, s.cloud.count, sizeof(qvMat3));
    if (qvEvalCase_IsOk(c))
    {
        qvJson_AddNumber(c->out, "energy", Forces(&s));
        qvEvalCase_AddPoints(c, "force", s.forces, s.cloud.count);
        qvCloud_StiffnessTimes(&s.cloud.cloud, &s.material, s.flowed, s.gradients, dx, room, s.forces);
        qvEvalCase_AddPoints(c, "K_times_dx", s.forces, s.cloud.count);
    }
    qvCloud_Free(&s.cloud.cloud);
}

static void RunExplicit(qvEvalCase* c)
{
    Moving s;
    if (!ReadMoving(c, &s))
        return;
    for (int k = 0; k < s.steps; k++)
        StepExplicit(&s);
    qvEvalCase_AddPoints(c, "u", s.u, s.cloud.count);
    qvEvalCase_AddPoints(c, "v", s.v, s.cloud.count);
    qvJson_AddNumber(c->out, "energy", Forces(&s));
    qvCloud_Free(&s.cloud.cloud);
}

// The whole matrix K, by columns, from products with unit vectors.
static double* FullStiffness(qvEvalCase* c, const Moving* s)
{
    int n = s->cloud.count, size = 3 * n;
    double* k = n <= MOST_DENSE ? qvEvalCase_Allocate(c, size * size, sizeof(double)) : NULL;
    qvVec3 *unit = qvEvalCase_Allocate(c, n, sizeof(qvVec3)), *column = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    qvMat3* room = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    if (n > MOST_DENSE)
        qvEvalCase_Fail(c, "in.x: must be at most %d phyxels", MOST_DENSE);
    for (int j = 0; qvEvalCase_IsOk(c) && j < size; j++)
    {
        memset(unit, 0, (size_t)n * sizeof(qvVec3));
        unit[j / 3] = qvMakeVec3(j % 3 == 0, j % 3 == 1, j % 3 == 2);
        qvCloud_StiffnessTimes(&s->cloud.cloud, &s->material, s->flowed, s->gradients, unit, room, column);
        for (int i = 0; i < n; i++)
            memcpy(k + (size_t)j * size + 3 * i, (double[]){ column[i].x, column[i].y, column[i].z },
                   3 * sizeof(double));
    }
    return qvEvalCase_IsOk(c) ? k : NULL;
}

// (M (1 + dt d) - dt^2 K) v' = M v + dt (f + M g), u += dt v'
static void StepImplicit(qvEvalCase* c, Moving* s, double* rhs)
{
    Forces(s);
    int size = 3 * s->cloud.count;
    double* k = FullStiffness(c, s);
    qvDenseReport report;
    if (k == NULL)
        return;
    for (int i = 0; i < size * size; i++)
        k[i] *= -s->dt * s->dt;
    for (int i = 0; i < size; i++)
    {
        double m = s->cloud.m[i / 3];
        const double *v = &s->v[i / 3].x, *f = &s->forces[i / 3].x, *g = &s->gravity.x;
        k[i * size + i] += m * (1.0 + s->dt * s->damping);
        rhs[i] = m * v[i % 3] + s->dt * (f[i % 3] + m * g[i % 3]);
    }
    c->result = qvDense_SolveGeneral(size, k, rhs, &report, c->error);
    for (int i = 0; i < s->cloud.count; i++)
    {
        s->v[i] = qvMakeVec3(rhs[3 * i], rhs[3 * i + 1], rhs[3 * i + 2]);
        s->u[i] = qvMulAdd(s->u[i], s->dt, s->v[i]);
    }
}

static void RunImplicit(qvEvalCase* c)
{
    Moving s;
    if (!ReadMoving(c, &s))
        return;
    double* rhs = qvEvalCase_Allocate(c, 3 * s.cloud.count, sizeof(double));
    for (int k = 0; k < s.steps && qvEvalCase_IsOk(c); k++)
        StepImplicit(c, &s, rhs);
    qvEvalCase_AddPoints(c, "u", s.u, s.cloud.count);
    qvEvalCase_AddPoints(c, "v", s.v, s.cloud.count);
    qvCloud_Free(&s.cloud.cloud);
}

// Eigenvalues of -M^-1 K without the six rigid ones.
static void RunModes(qvEvalCase* c)
{
    Moving s;
    if (!ReadMoving(c, &s))
        return;
    int size = 3 * s.cloud.count;
    double* values = qvEvalCase_Allocate(c, size, sizeof(double));
    Forces(&s);
    double* k = FullStiffness(c, &s);
    for (int i = 0; k != NULL && i < size * size; i++)
        k[i] /= -sqrt(s.cloud.m[i % size / 3] * s.cloud.m[i / size / 3]);
    if (k != NULL)
        c->result = qvDense_Eigen(size, k, size, values, k, c->error);
    if (qvEvalCase_IsOk(c) && size > RIGID_MODES)
        qvJson_AddNumbers(c->out, "omega2_from_7th", values + RIGID_MODES, size - RIGID_MODES);
    qvCloud_Free(&s.cloud.cloud);
}

// --- What flows ------------------------------------------------------------------------------------------------------

static void RunPath(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "strain_path");
    qvMat3* strain = qvEvalCase_Matrices(c, "strain_path", n);
    double g1 = qvEvalCase_Number(c, "gamma1_yield", 0.0, 1e30), g2 = qvEvalCase_Number(c, "gamma2_max", 0.0, 1e30);
    double yield = qvEvalCase_Number(c, "c_yield", 0.0, 1e30), creep = qvEvalCase_Number(c, "c_creep", 0.0, 1e30);
    double largest = qvEvalCase_Number(c, "c_max", 0.0, 1e30), dt = qvEvalCase_Number(c, "dt", 0.0, 1e30);
    qvMat3 *first = qvEvalCase_Allocate(c, n, sizeof(qvMat3)), *second = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    qvMat3 none = { { { 0.0 } } };
    if (!qvEvalCase_IsOk(c))
        return;
    for (int i = 0; i < n; i++)
    {
        first[i] = qvPlastic_OBrien(&strain[i], i > 0 ? &first[i - 1] : &none, g1, g2);
        second[i] = qvPlastic_Creep(&strain[i], i > 0 ? &second[i - 1] : &none, yield, creep, largest, dt);
    }
    qvEvalCase_AddMatrices(c, "plastic_obrien", first, n);
    qvEvalCase_AddMatrices(c, "plastic_creep", second, n);
}

static void RunMetricFlow(qvEvalCase* c)
{
    qvMat3 j = qvEvalCase_Matrix(c, "J"), g = qvEvalCase_Matrix(c, "G");
    double yield = qvEvalCase_Number(c, "yield_", 0.0, 1e30), creep = qvEvalCase_Number(c, "creep", 0.0, 1e30);
    double dt = qvEvalCase_Number(c, "dt", 0.0, 1e30);
    if (!qvEvalCase_IsOk(c))
        return;
    qvMat3 b = qvMat3_Congruence(&j, &g);
    qvEvalCase_AddMatrix(c, "b", &b);
    qvJson_AddNumber(c->out, "det_b", qvMat3_Determinant(&b));
    qvPlastic_FlowTensor(&b, yield, qvPlastic_Relaxed(creep, dt));
    qvEvalCase_AddMatrix(c, "b_new", &b);
    qvPlastic_FlowMetric(&j, &g, yield, qvPlastic_Relaxed(creep, dt));
    qvEvalCase_AddMatrix(c, "G_new", &g);
}

// The deformed shape becomes the reference; the lists are made anew.
static void MoveReference(qvEvalCase* c, qvEvalCloud* cloud, qvVec3* u)
{
    for (int i = 0; i < cloud->count; i++)
    {
        cloud->x[i] = qvAdd(cloud->x[i], u[i]);
        u[i] = qvMakeVec3(0.0, 0.0, 0.0);
    }
    qvCloud_Free(&cloud->cloud);
    c->result = qvCloud_Init(&cloud->cloud, cloud->count, cloud->x, cloud->h, cloud->m, cloud->volumes, c->error);
}

static void RunRereference(qvEvalCase* c)
{
    static const char* const names[] = { "paper", "rotated", "metric" };
    qvEvalCloud cloud;
    int way = 0;
    while (way < 3 && strcmp(names[way], qvEvalCase_Text(c, "mode")) != 0)
        way++;
    if (way == 3)
        qvEvalCase_Fail(c, "in.mode: must be \"paper\", \"rotated\" or \"metric\"");
    if (!qvEvalCase_Cloud(c, &cloud))
        return;
    bool isMetric = way == qv_rereferenceMetric;
    int n = cloud.count;
    qvVec3* u = qvEvalCase_Points(c, "u", n);
    qvMat3* flowed = qvEvalCase_Matrices(c, isMetric ? "G" : "plastic", n);
    qvMat3* gradients = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    if (qvEvalCase_IsOk(c))
    {
        qvCloud_Deformation(&cloud.cloud, u, gradients);
        for (int i = 0; i < n; i++)
            flowed[i] = qvPlastic_Rereference((qvRereference)way, &gradients[i], &flowed[i]);
        MoveReference(c, &cloud, u);
    }
    if (qvEvalCase_IsOk(c))
    {
        qvEvalCase_AddPoints(c, "x_new", cloud.x, n);
        qvJson_AddNumbers(c->out, "rho_new", cloud.cloud.density, n);
        qvJson_AddNumbers(c->out, "v_new", cloud.cloud.volume, n);
        qvEvalCase_AddMatrices(c, isMetric ? "G_new" : "plastic_new", flowed, n);
    }
    qvCloud_Free(&cloud.cloud);
}

static void RunFlow(qvEvalCase* c)
{
    Moving s;
    double yield = qvEvalCase_Number(c, "yield_", 0.0, 1e30), creep = qvEvalCase_Number(c, "creep", 0.0, 1e30);
    qvMat3 unit = qvMat3_Diagonal(1.0, 1.0, 1.0);
    if (!ReadMoving(c, &s))
        return;
    int n = s.cloud.count;
    s.flowed = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    for (int i = 0; s.flowed != NULL && i < n; i++)
        s.flowed[i] = unit;
    for (int k = 0; qvEvalCase_IsOk(c) && k < s.steps; k++)
    {
        StepExplicit(&s);
        qvCloud_Deformation(&s.cloud.cloud, s.u, s.gradients);
        for (int i = 0; i < n; i++)
        {
            s.flowed[i] = qvPlastic_Rereference(qv_rereferenceMetric, &s.gradients[i], &s.flowed[i]);
            qvPlastic_FlowMetric(&unit, &s.flowed[i], yield, qvPlastic_Relaxed(creep, s.dt));
        }
        MoveReference(c, &s.cloud, s.u);
    }
    qvEvalCase_AddPoints(c, "x", s.cloud.x, n);
    qvEvalCase_AddPoints(c, "v", s.v, n);
    if (s.flowed != NULL)
        qvEvalCase_AddMatrices(c, "G", s.flowed, n);
    qvCloud_Free(&s.cloud.cloud);
}

static void RunPressure(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "x");
    qvVec3 *x = qvEvalCase_Points(c, "x", n), *forces = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    double *m = qvEvalCase_Numbers(c, "m", n), *h = qvEvalCase_Numbers(c, "h", n), k, largest = 0.0;
    double *rest = qvEvalCase_Numbers(c, "rho0", n), *density = qvEvalCase_Allocate(c, n, sizeof(double));
    double* pressure = qvEvalCase_Allocate(c, n, sizeof(double));
    qvNearLists lists = { 0 };
    k = qvEvalCase_Number(c, "k", 0.0, 1e30);
    for (int i = 0; qvEvalCase_IsOk(c) && i < n; i++)
    {
        if (!(h[i] > 0.0 && m[i] > 0.0))
            qvEvalCase_Fail(c, "in: h and m of phyxel %d must be positive", i);
        largest = fmax(largest, h[i]);
    }
    if (!qvEvalCase_IsOk(c))
        return;
    c->result = qvNearLists_Find(&lists, &(qvNearQuery){ .count = n, .points = x, .radius = largest }, c->error);
    double* slopes = qvEvalCase_Allocate(c, qvEvalCase_IsOk(c) ? lists.start[n] : 0, sizeof(double));
    if (qvEvalCase_IsOk(c))
    {
        qvPressure p = { .lists = &lists,
                         .points = x,
                         .masses = m,
                         .radii = h,
                         .restDensities = rest,
                         .stiffness = k,
                         .densities = density,
                         .shares = pressure,
                         .slopes = slopes };
        qvPressure_Densities(&p, 0, n);
        for (int i = 0; i < n; i++)
            forces[i] = qvPressure_Force(&p, i);
        for (int i = 0; i < n; i++)
            pressure[i] *= density[i] * density[i];
    }
    qvNearLists_Free(&lists);
    qvJson_AddNumbers(c->out, "rho", density, n);
    qvJson_AddNumbers(c->out, "p", pressure, n);
    qvEvalCase_AddPoints(c, "force", forces, n);
}

static void RunFilter(qvEvalCase* c)
{
    qvEvalCloud cloud;
    double rate = qvEvalCase_Number(c, "rate", 0.0, 1e30), dt = qvEvalCase_Number(c, "dt", 0.0, 1e30);
    if (!qvEvalCase_Cloud(c, &cloud))
        return;
    qvVec3 *v = qvEvalCase_Points(c, "v", cloud.count), *moved = qvEvalCase_Allocate(c, cloud.count, sizeof(qvVec3));
    qvMat3* gradients = qvEvalCase_Allocate(c, cloud.count, sizeof(qvMat3));
    if (qvEvalCase_IsOk(c))
    {
        qvCloud_FilterVelocities(&cloud.cloud, rate, dt, v, gradients, moved);
        qvEvalCase_AddPoints(c, "v_new", moved, cloud.count);
        qvEvalCase_AddMatrices(c, "grad_v", gradients, cloud.count);
    }
    qvCloud_Free(&cloud.cloud);
}

EVAL_CASE_OP(RunInit)
EVAL_CASE_OP(RunStabilized)
EVAL_CASE_OP(RunExplicit)
EVAL_CASE_OP(RunImplicit)
EVAL_CASE_OP(RunModes)
EVAL_CASE_OP(RunPath)
EVAL_CASE_OP(RunMetricFlow)
EVAL_CASE_OP(RunRereference)
EVAL_CASE_OP(RunFlow)
EVAL_CASE_OP(RunPressure)
EVAL_CASE_OP(RunFilter)

static const qvEvalOp ops[] = {
    { "init_paper", OpRunInit },         { "cloud_stab", OpRunStabilized },   { "explicit_steps", OpRunExplicit },
    { "implicit_steps", OpRunImplicit }, { "rest_modes", OpRunModes },        { "plastic_path", OpRunPath },
    { "metric_flow", OpRunMetricFlow },  { "rereference", OpRunRereference }, { "flow_steps", OpRunFlow },
    { "sph_pressure", OpRunPressure },   { "velocity_filter", OpRunFilter },
};

const qvEvalTable qvEvalPhyxelSim = { ops, sizeof(ops) / sizeof(ops[0]) };
