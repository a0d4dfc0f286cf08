// SPDX-License-Identifier: GPL-3.0-or-later
// Motions against physics: least energy among many, the full space discretised by finite differences, and the ring-down
// integrated in small steps.
#include "motion_testing.h"

#include "modal_cases.h"

#include "math/dense.h"
#include "motion/motion.h"
#include "quaver/shell.h"

static const double PI = 3.14159265358979323846;

enum
{
    MAX_FREE = 64
};

// A small block that stands on its pinned base, in all its degrees of freedom, and its equation of motion
// u'' + 2 delta u' + stiffness u = force in mass-scaled coordinates, u from the pose.
typedef struct Stand
{
    Actor actor;
    int32_t pins[64];
    int free[MAX_FREE]; // degrees of freedom
    int count;
    double mass[MAX_FREE];
    double stiffness[MAX_FREE * MAX_FREE];
    double force[MAX_FREE]; // accelerations in mass-scaled coordinates, of gravity and of the energy at the pose
    double delta;
    double* field; // velocities of all degrees of freedom, zero where pinned
    qvMotionKey keys[4];
    qvMotionDef def;
} Stand;

static double Scale(const Stand* stand)
{
    return 10.0 / qvMotionSpace_Stats(stand->actor.space).diagonal;
}

// The matrix and the force of the energy at the pose, which replace those of the pose as rest shape.
static void UseState(Stand* stand, const qvShell* shell, const Body* body, double factor)
{
    qvShellMaterial material = qvDefaultShellMaterial();
    int size = stand->actor.size;
    double *pose = calloc((size_t)size, sizeof(double)), *gradient = calloc((size_t)size, sizeof(double));
    for (int i = 0; i < size; i++)
        pose[i] = Scale(stand) * stand->actor.points[0][i];
    qvShell_Hessian(shell, &material, pose, NULL, body->matrix.values);
    qvShell_Gradient(shell, &material, pose, NULL, gradient);
    for (int i = 0; i < stand->count; i++)
        stand->force[i] = -factor * gradient[stand->free[i]] / sqrt(body->mass[stand->free[i]]);
    free(pose);
    free(gradient);
}

// The matrix in mass-scaled coordinates, from the shell and its own free modes.
static void FillStiffness(Stand* stand, double frequency)
{
    Actor* actor = &stand->actor;
    qvError error;
    qvShell* shell;
    qvShellMaterial material = qvDefaultShellMaterial();
    double* rest = calloc((size_t)actor->size, sizeof(double));
    for (int i = 0; i < actor->size; i++)
        rest[i] = Scale(stand) * actor->rest[i];
    ASSERT_OK(qvCreateShell(actor->topology, rest, NULL, &shell, &error), error);
    qvShellPattern pattern = qvShell_Pattern(shell);
    Body body = { .size = actor->size, .mass = calloc((size_t)actor->size, sizeof(double)) };
    ASSERT_OK(qvCopySparsePattern(pattern.size, pattern.columnStart, pattern.rows, &body.pattern, &error), error);
    body.matrix = (qvSparse){ body.pattern, calloc((size_t)pattern.entryCount, sizeof(double)) };
    qvShell_RestHessian(shell, &material, rest, NULL, body.matrix.values);
    for (int i = 0; i < actor->size; i++)
        body.mass[i] = qvShell_Masses(shell)[i / 3];
    qvModesDef def = DefFor(&body, 7, qv_modesDense);
    qvModes* modes;
    ASSERT_OK(FindModes(&def, NULL, 0, NULL, &modes, &error), error);
    assert_int_equal(modes->zeroCount, 6);
    double factor = pow(2.0 * PI * frequency, 2.0) / modes->values[6];
    if (actor->def.model == qv_modelState)
        UseState(stand, shell, &body, factor);
    int n = stand->count;
    for (int i = 0; i < n * n; i++)
    {
        int a = stand->free[i / n], b = stand->free[i % n];
        int entry = qvSparsePattern_Find(body.pattern, a > b ? a : b, a > b ? b : a);
        double value = entry >= 0 ? body.matrix.values[entry] : 0.0;
        stand->stiffness[i] = factor * value / sqrt(body.mass[a] * body.mass[b]);
        stand->mass[i / n] = body.mass[a];
    }
    for (int i = 0; i < n; i++)
    {
        if (stand->free[i] % 3 == 1)
            stand->force[i] += Scale(stand) * stand->def.material.gravity.y * sqrt(stand->mass[i]);
    }
    qvDestroyModes(modes);
    FreeBody(&body);
    qvDestroyShell(shell);
    free(rest);
}

static void MakeStand(Stand* stand, qvMotionModel model, double gravity)
{
    memset(stand, 0, sizeof(*stand));
    stand->actor = MakeActor("block", 1);
    Actor* actor = &stand->actor;
    stand->field = calloc((size_t)actor->size, sizeof(double));
    for (int i = 0; i < actor->size; i++)
    {
        bool pinned = actor->rest[i - i % 3 + 1] < 0.5;
        if (pinned && i % 3 == 0)
            stand->pins[actor->def.pinCount++] = i / 3;
        else if (!pinned)
            stand->free[stand->count++] = i;
        stand->field[i] = pinned ? 0.0 : sin(1.7 * i + 0.3);
    }
    assert_true(stand->count >= 12 && stand->count <= MAX_FREE && actor->def.pinCount > 2);
    actor->def.pins = stand->pins;
    actor->def.material.modes = stand->count;
    actor->def.model = model;
    double* pose = AddPose(actor);
    for (int i = 0; model == qv_modelState && i < stand->count; i++)
        pose[stand->free[i]] += 0.1 * cos(2.3 * i);
    actor->poses[0].after = stand->field;
    MakeSpace(actor);
    assert_int_equal(qvMotionSpace_Stats(actor->space).dimension, stand->count);
    const double times[4] = { 0.0, 0.5, 1.1, 1.8 };
    stand->def = MakeKeys(actor, stand->keys, 4, times);
    stand->def.material.frequency = 0.3, stand->def.material.settle = 1.5, stand->def.material.maxWobble = INFINITY;
    stand->def.material.gravity.y = gravity;
    stand->def.warp = false; // the equation of motion is one of displacements
    stand->delta = 3.0 / stand->def.material.settle;
    stand->keys[1].mode = qv_velocitySet;
    stand->keys[3].mode = qv_velocityZero;
    FillStiffness(stand, stand->def.material.frequency);
}

static void FreeStand(Stand* stand)
{
    free(stand->field);
    FreeActor(&stand->actor);
}

// --- Finite differences in the full space --------------------------------------------------------------------------

// The first segment: at rest at its start, velocity `field` at its end, both in the rest pose. Least squares over the
// values at the inner nodes of N intervals; returns the largest distance from `evaluate` at the nodes.
static double DifferenceFrom(const Stand* stand, const qvMotion* motion, int intervals)
{
    int n = stand->count, columns = n * (intervals - 1), rows = n * (intervals + 1);
    double h = 0.5 / intervals, *a = calloc((size_t)rows * (size_t)columns, sizeof(double));
    double *b = calloc((size_t)rows, sizeof(double)), *u = calloc((size_t)columns, sizeof(double));
    double scale = Scale(stand), worst = 0.0;
    for (int node = 0; node <= intervals; node++)
    {
        double weight = sqrt(node == 0 || node == intervals ? 0.5 * h : h);
        for (int i = 0; i < n; i++)
        {
            b[node * n + i] += weight * stand->force[i];
            double* row = a + ((size_t)node * (size_t)n + (size_t)i) * (size_t)columns;
            for (int side = -1; side <= 1; side++)
            {
                int at = node + side;
                double factor = weight * (side == 0 ? -2.0 / (h * h) : 1.0 / (h * h) + side * stand->delta / h);
                if (at == intervals + 1) // beyond the end: the mirrored node plus what the velocity adds
                {
                    double velocity = scale * stand->field[stand->free[i]] * sqrt(stand->mass[i]);
                    b[node * n + i] -= factor * 2.0 * h * velocity;
                }
                at = at < 0 ? 1 : at > intervals ? intervals - 1 : at;
                if (at > 0 && at < intervals)
                    row[(at - 1) * n + i] += factor;
            }
            for (int k = 0; k < n && node > 0 && node < intervals; k++)
                row[(node - 1) * n + k] += weight * stand->stiffness[i * n + k];
        }
    }
    qvDenseReport report;
    qvError error;
    ASSERT_OK(qvDense_SolveLeastSquares(rows, columns, a, b, 1e-13, u, &report, &error), error);
    for (int node = 1; node < intervals; node++)
    {
        double* at = Look(&stand->actor, motion, node * h);
        for (int i = 0; i < n; i++)
        {
            double moved = at[stand->free[i]] - stand->actor.points[0][stand->free[i]];
            double expected = u[(node - 1) * n + i] / (scale * sqrt(stand->mass[i]));
            worst = fmax(worst, fabs(moved - expected));
        }
        free(at);
    }
    free(a);
    free(b);
    free(u);
    return worst;
}

static void CompareFullSpace(qvMotionModel model, double gravity)
{
    Stand stand;
    MakeStand(&stand, model, gravity);
    qvMotion* motion = MustMove(&stand.actor, &stand.def);
    double coarse = DifferenceFrom(&stand, motion, 16), fine = DifferenceFrom(&stand, motion, 32);
    double* at = Look(&stand.actor, motion, 0.35);
    double moved = LargestDifference(at, stand.actor.points[0], stand.actor.size);
    assert_true(moved > 0.02);
    ASSERT_NEAR(fine, 0.0, 0.03 * moved);
    assert_true(coarse > 3.0 * fine && coarse < 5.0 * fine);
    free(at);
    qvDestroyMotion(motion);
    FreeStand(&stand);
}

static void TestFullSpace(void** state)
{
    (void)state;
    CompareFullSpace(qv_modelPose, 0.0);
    CompareFullSpace(qv_modelPose, -30.0);
    CompareFullSpace(qv_modelState, 20.0);
}

// --- Ring-down -----------------------------------------------------------------------------------------------------

static void Accelerate(const Stand* stand, const double* u, const double* v, double* a)
{
    for (int i = 0; i < stand->count; i++)
    {
        a[i] = -2.0 * stand->delta * v[i];
        for (int k = 0; k < stand->count; k++)
            a[i] -= stand->stiffness[i * stand->count + k] * u[k];
    }
}

// One step of the classical Runge-Kutta method.
static void Step(const Stand* stand, double h, double* u, double* v)
{
    double du[4][MAX_FREE], dv[4][MAX_FREE], x[MAX_FREE], y[MAX_FREE];
    const double reach[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    int n = stand->count;
    for (int s = 0; s < 4; s++)
    {
        for (int i = 0; i < n; i++)
        {
            x[i] = u[i] + (s > 0 ? h * reach[s] * du[s - 1][i] : 0.0);
            y[i] = v[i] + (s > 0 ? h * reach[s] * dv[s - 1][i] : 0.0);
        }
        memcpy(du[s], y, (size_t)n * sizeof(double));
        Accelerate(stand, x, y, dv[s]);
    }
    for (int i = 0; i < n; i++)
    {
        for (int s = 0; s < 4; s++)
            u[i] += h * weight[s] * du[s][i], v[i] += h * weight[s] * dv[s][i];
    }
}

// After its last key the motion is that of the equation of motion from the rest pose with `speed` times the field.
static void CheckRingDown(Stand* stand, double speed)
{
    qvMotion* motion = MustMove(&stand->actor, &stand->def);
    double u[MAX_FREE] = { 0.0 }, v[MAX_FREE], farthest = 0.0;
    for (int i = 0; i < stand->count; i++)
        v[i] = speed * sqrt(stand->mass[i]) * stand->field[stand->free[i]];
    for (int k = 1; k <= 10; k++)
    {
        for (int s = 0; s < 400; s++)
            Step(stand, 0.1 / 400.0, u, v);
        double* at = Look(&stand->actor, motion, stand->keys[stand->def.keyCount - 1].time + 0.1 * k);
        for (int i = 0; i < stand->count; i++)
        {
            double moved = at[stand->free[i]] - stand->actor.rest[stand->free[i]];
            ASSERT_NEAR(moved, u[i] / sqrt(stand->mass[i]), 1e-7);
            farthest = fmax(farthest, fabs(moved));
        }
        free(at);
    }
    assert_true(farthest > 0.05 * fabs(speed));
    qvDestroyMotion(motion);
}

static void TestRingDown(void** state)
{
    (void)state;
    Stand stand;
    MakeStand(&stand, qv_modelPose, 0.0);
    stand.def.keyCount = 2;
    CheckRingDown(&stand, 1.0);
    FreeStand(&stand);
}

// So does a motion that arrives smoothly: a cubic that leaves a pose with a velocity and comes back to it without
// force does so with minus half of it.
static void TestSmoothRingDown(void** state)
{
    (void)state;
    Stand stand;
    MakeStand(&stand, qv_modelPose, 0.0);
    stand.def.keyCount = 3;
    stand.keys[2].kind = qv_motionSmooth;
    CheckRingDown(&stand, -0.5);
    FreeStand(&stand);
}

// --- Energy --------------------------------------------------------------------------------------------------------

enum
{
    PIECES = 64, // per segment, two Gauss points each
    POINTS = 3 * PIECES * 2
};

// The reduced curves at the points of a quadrature over all three segments.
typedef struct Samples
{
    double times[POINTS], weights[POINTS];
    double *q, *v, *a; // rows of d numbers
} Samples;

static void FillTimes(const Stand* stand, Samples* samples)
{
    for (int i = 0; i < POINTS; i++)
    {
        int segment = i / (2 * PIECES), piece = i % (2 * PIECES) / 2;
        double start = stand->keys[segment].time, length = stand->keys[segment + 1].time - start;
        double u = (piece + 0.5 + (i % 2 == 0 ? -0.5 : 0.5) / sqrt(3.0)) / PIECES;
        samples->times[i] = start + u * length;
        samples->weights[i] = 0.5 * length / PIECES;
    }
}

// A change of one segment that keeps values and velocities at keys, or of the velocity at the free key 2. Value and two
// derivatives of its course in time.
static void Course(const Stand* stand, int kind, double power, double t, double c[3])
{
    memset(c, 0, 3 * sizeof(double));
    int segment = kind < 3 ? kind : t < stand->keys[2].time ? 1 : 2;
    double start = stand->keys[segment].time, length = stand->keys[segment + 1].time - start;
    double u = (t - start) / length;
    if (u < 0.0 || u > 1.0)
        return;
    if (kind < 3) // u^p (1 - u)^2
    {
        double p = power, w = 1.0 - u;
        c[0] = pow(u, p) * w * w;
        c[1] = (p * pow(u, p - 1.0) * w * w - 2.0 * pow(u, p) * w) / length;
        c[2] = (p * (p - 1.0) * pow(u, p - 2.0) * w * w - 4.0 * p * pow(u, p - 1.0) * w + 2.0 * pow(u, p)) /
               (length * length);
        return;
    }
    bool left = segment == 1;
    c[0] = length * (left ? u * u * (u - 1.0) : u * (1.0 - u) * (1.0 - u));
    c[1] = left ? 3.0 * u * u - 2.0 * u : 1.0 - 4.0 * u + 3.0 * u * u;
    c[2] = (left ? 6.0 * u - 2.0 : 6.0 * u - 4.0) / length;
}

// Integrals of |L|^2 of the motion plus a change, of the change alone, and of the motion alone.
static void Energies(const Stand* stand, const Samples* s, const double* stiffness, const double* direction, int kind,
                     double power, double out[3])
{
    int d = stand->count;
    memset(out, 0, 3 * sizeof(double));
    for (int i = 0; i < POINTS; i++)
    {
        double c[3];
        Course(stand, kind, power, s->times[i], c);
        const double *q = s->q + (size_t)i * (size_t)d, *v = s->v + (size_t)i * (size_t)d;
        const double* a = s->a + (size_t)i * (size_t)d;
        for (int r = 0; r < d; r++)
        {
            double own = a[r] + 2.0 * stand->delta * v[r];
            double change = (c[2] + 2.0 * stand->delta * c[1]) * direction[r];
            for (int k = 0; k < d; k++)
            {
                own += stiffness[r * d + k] * q[k];
                change += stiffness[r * d + k] * c[0] * direction[k];
            }
            out[0] += s->weights[i] * (own + change) * (own + change);
            out[1] += s->weights[i] * change * change;
            out[2] += s->weights[i] * own * own;
        }
    }
}

// U^T M^(1/2) stiffness M^(1/2) U
static void ReducedStiffness(const Stand* stand, double* out)
{
    int d = stand->count;
    const double* u = qvBasis_Vectors(stand->actor.space->basis);
    for (int r = 0; r < d * d; r++)
    {
        out[r] = 0.0;
        for (int k = 0; k < d * d; k++)
        {
            int i = k / d, j = k % d;
            double x = u[(size_t)(r / d) * (size_t)stand->actor.size + (size_t)stand->free[i]];
            double y = u[(size_t)(r % d) * (size_t)stand->actor.size + (size_t)stand->free[j]];
            out[r] += x * sqrt(stand->mass[i]) * stand->stiffness[k] * sqrt(stand->mass[j]) * y;
        }
    }
}

// No admissible change needs less energy; to first order none changes it.
static void TestLeastEnergy(void** state)
{
    (void)state;
    Stand stand;
    MakeStand(&stand, qv_modelPose, 0.0);
    stand.keys[1].mode = qv_velocitySet;
    qvMotion* motion = MustMove(&stand.actor, &stand.def);
    int d = stand.count;
    Samples* samples = calloc(1, sizeof(*samples));
    FillTimes(&stand, samples);
    size_t rows = (size_t)POINTS * (size_t)d;
    samples->q = calloc(3 * rows, sizeof(double)), samples->v = samples->q + rows, samples->a = samples->v + rows;
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvMotion_Coordinates(motion, samples->times, POINTS, scratch, samples->q, samples->v, samples->a);
    double stiffness[MAX_FREE * MAX_FREE], direction[MAX_FREE], energies[3];
    ReducedStiffness(&stand, stiffness);
    uint64_t random = 23;
    for (int trial = 0; trial < 1000; trial++)
    {
        for (int i = 0; i < d; i++)
            direction[i] = 0.3 * (2.0 * RandomUnit(&random) - 1.0);
        Energies(&stand, samples, stiffness, direction, trial % 4, 2 + RandomInt(&random, 3), energies);
        assert_true(energies[2] > 1e-3);
        assert_true(energies[0] >= energies[2]);
        ASSERT_NEAR(energies[0] - energies[2] - energies[1], 0.0, 1e-6 * sqrt(energies[1] * energies[2]));
    }
    free(scratch);
    free(samples->q);
    free(samples);
    qvDestroyMotion(motion);
    FreeStand(&stand);
}

// --- Damping -------------------------------------------------------------------------------------------------------

// Rayleigh's damping of slow modes, at least critical damping of fast ones.
static void TestDamping(void** state)
{
    (void)state;
    Stand stand;
    MakeStand(&stand, qv_modelPose, 0.0);
    stand.def.material.stiffDamping = 0.01, stand.def.material.maxWobble = 1.0;
    qvMotion* motion = MustMove(&stand.actor, &stand.def);
    const qvTrack* track = &motion->tracks[0];
    int slow = 0, fast = 0;
    for (int i = 0; i < stand.count; i++)
    {
        double omega = sqrt(fmax(track->lambda[i], 0.0)), rayleigh = stand.delta + 0.005 * omega * omega;
        bool wobbles = omega > 2.0 * PI * stand.def.material.maxWobble;
        ASSERT_NEAR(track->delta[i], wobbles ? fmax(rayleigh, omega) : rayleigh, 1e-9 * (1.0 + rayleigh));
        slow += !wobbles;
        fast += wobbles && omega > rayleigh;
    }
    assert_true(slow > 0 && fast > 0);
    qvDestroyMotion(motion);
    FreeStand(&stand);
}

// --- Threads -------------------------------------------------------------------------------------------------------

static void TestSameBitsForAnyPool(void** state)
{
    (void)state;
    Actor actor = MakeActor("sack", 10);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.5, 0.7, 0.0);
    MakeSpace(&actor);
    qvMotionKey keys[3];
    const double times[] = { 0.0, 1.0, 2.0 };
    qvMotionDef def = MakeKeys(&actor, keys, 3, times);
    qvError error;
    qvPool* pool;
    qvMotion* motion;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    ASSERT_OK(qvCreateMotion(&def, actor.space, pool, &motion, &error), error);
    qvMotion* single = MustMove(&actor, &def);
    size_t bytes = (size_t)actor.size * sizeof(float);
    qvVec3f *a = malloc(bytes), *b = malloc(bytes);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    for (int k = 0; k < 10; k++)
    {
        qvMotion_EvaluateFloat(motion, 0.27 * k, scratch, pool, a);
        qvMotion_EvaluateFloat(single, 0.27 * k, scratch, NULL, b);
        assert_memory_equal(a, b, bytes);
    }
    free(a);
    free(b);
    free(scratch);
    qvDestroyMotion(motion);
    qvDestroyMotion(single);
    qvDestroyPool(pool);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFullSpace),   cmocka_unit_test(TestRingDown), cmocka_unit_test(TestSmoothRingDown),
        cmocka_unit_test(TestLeastEnergy), cmocka_unit_test(TestDamping),  cmocka_unit_test(TestSameBitsForAnyPool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
