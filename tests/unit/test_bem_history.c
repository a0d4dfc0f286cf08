// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that answer forces by the full history of their surface: beside modes, momenta, support, resuming, threads,
// compression.
#include "testing.h"

#include "bem/response.h"
#include "bem/squeeze.h"
#include "bem/system.h"
#include "math/dense_eigen.h"
#include "math/quat.h"
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WOBBLE = 3.0, STEP = 1.0 / 60.0;

typedef struct Shapes
{
    qvBemModel* ball;
    qvBemHistory* history; // of the ball
} Shapes;

static qvBemHistory* MakeHistory(const qvBemModel* model, double ratio)
{
    qvError error;
    qvBemHistory* history;
    qvBemHistoryDef def = qvDefaultBemHistoryDef();
    def.surface = model->surface;
    def.material = qvBemMaterialOf(model, WOBBLE, 1.0);
    def.dt = STEP;
    def.onVertices = true;
    def.ratio = ratio;
    ASSERT_OK(qvCreateBemHistory(&def, NULL, &history, &error), error);
    return history;
}

static int SetUp(void** state)
{
    static Shapes shapes;
    qvError error;
    qvSolid solid = qvMakeIcosphere(2, 1.0);
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid.vertices;
    def.vertexCount = solid.vertexCount;
    def.triangles = solid.triangles;
    def.triangleCount = solid.triangleCount;
    def.poisson = 0.3;
    ASSERT_OK(qvCreateBemModel(&def, NULL, &shapes.ball, &error), error);
    qvFreeSolid(&solid);
    shapes.history = MakeHistory(shapes.ball, 1.0);
    *state = &shapes;
    return 0;
}

static int TearDown(void** state)
{
    Shapes* shapes = *state;
    qvDestroyBemHistory(shapes->history);
    qvDestroyBemModel(shapes->ball);
    return 0;
}

// A body without gravity or over ground at height 0.
typedef struct World
{
    qvBemSystem* system;
    double* state;
    qvVec3 *forces, *u;
    int count;
    bool hasGround;
    qvPool* pool;
} World;

static bool Ground(void* context, qvVec3 point, double time, qvBemTouch* touch)
{
    (void)context;
    (void)time;
    *touch = (qvBemTouch){ .distance = point.y, .normal = { 0.0, 1.0, 0.0 }, .friction = 0.5 };
    return true;
}

static World MakeWorld(const qvBemModel* model, const qvBemHistory* history, bool hasGround)
{
    qvError error;
    World world = { .count = model->surface->vertexCount, .hasGround = hasGround };
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = model;
    body.wobble = WOBBLE;
    body.history = history;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.step = STEP;
    if (!hasGround)
        def.gravity = qvMakeVec3(0.0, 0.0, 0.0);
    ASSERT_OK(qvCreateBemSystem(&def, NULL, &world.system, &error), error);
    world.state = calloc((size_t)qvBemSystem_StateSize(world.system), sizeof(double));
    world.forces = calloc(2 * (size_t)world.count, sizeof(qvVec3));
    world.u = world.forces + world.count;
    qvBemSystem_Rest(world.system, world.state);
    return world;
}

static void FreeWorld(World* world)
{
    qvDestroyBemSystem(world->system);
    free(world->state);
    free(world->forces);
}

static qvBemStepReport StepWorld(World* world)
{
    qvError error;
    qvBemStepReport report;
    qvBemStepDef def = { .query = world->hasGround ? Ground : NULL, .forces = world->forces, .pool = world->pool };
    ASSERT_OK(qvBemSystem_Step(world->system, &def, world->state, &report, &error), error);
    qvBemSystem_Displacements(world->system, world->state, 0, world->u);
    return report;
}

// A push from above, which comes as forces of its traction over the area of a vertex; consistent receives what the same
// traction does to a mode, [3 vertices].
static void Push(World* world, const qvBemModel* model, bool isOn, double* consistent)
{
    const qvBemSurface* surface = model->surface;
    double* traction = calloc(3 * (size_t)surface->nodeCount, sizeof(double));
    for (int n = 0; isOn && n < surface->nodeCount; n++)
        traction[3 * n + 1] = -100.0 * pow(fmax(surface->vertices[surface->nodeVertex[n]].y, 0.0), 2.0);
    for (int v = 0; v < surface->vertexCount; v++)
        world->forces[v].y = surface->vertexArea[v] * traction[3 * v + 1]; // the ball has no edges: nodes are vertices
    if (consistent != NULL)
        qvBemNodalForces(surface, 1, traction, consistent);
    free(traction);
}

// The norm of what is left of displacements without their rigid part; rigid: an orthonormal basis.
static double SizeOf(const double* rigid, const double* u, const double* less, int rows)
{
    double all = 0.0, shares[6] = { 0.0 };
    for (int i = 0; i < rows; i++)
    {
        double d = u[i] - (less != NULL ? less[i] : 0.0);
        all += d * d;
        for (int m = 0; m < 6; m++)
            shares[m] += rigid[m * rows + i] * d;
    }
    for (int m = 0; m < 6; m++)
        all -= shares[m] * shares[m];
    return sqrt(fmax(all, 0.0));
}

static double* RigidBasis(const qvBemSurface* surface)
{
    qvError error;
    int rows = 3 * surface->vertexCount;
    double *basis = calloc(6 * (size_t)rows, sizeof(double)), triangle[36];
    for (int i = 0; i < 6 * surface->vertexCount; i++)
    {
        qvVec3 motion = qvBemRigid(surface, i / surface->vertexCount, surface->vertices[i % surface->vertexCount]);
        memcpy(basis + 3 * i, &motion, sizeof(motion));
    }
    ASSERT_OK(qvDense_QR(rows, 6, basis, rows, triangle, &error), error);
    return basis;
}

// Modes under the same push, by backward Euler as the history has it.
typedef struct Modes
{
    const qvBemModel* model;
    double *q, *v, *u;
} Modes;

static void StepModes(const Modes* modes, const double* forces)
{
    const qvBemModel* model = modes->model;
    size_t rows = 3 * (size_t)model->surface->vertexCount;
    memset(modes->u, 0, rows * sizeof(double));
    for (int m = 0; m < model->modeCount; m++)
    {
        const double* phi = model->modes + (size_t)m * rows;
        double load = 0.0, w = 2.0 * QV_PI * WOBBLE * model->omega[m] / model->omega[0];
        for (size_t i = 0; i < rows; i++)
            load += phi[i] * forces[i];
        modes->v[m] = (modes->v[m] + STEP * (load - w * w * modes->q[m])) / (1.0 + STEP * STEP * w * w);
        modes->q[m] += STEP * modes->v[m];
        for (size_t i = 0; i < rows; i++)
            modes->u[i] += phi[i] * modes->q[m];
    }
}

// After the same push the body in its system deforms as modes do, and moves as Newton says.
static void TestBesideModes(void** state)
{
    enum
    {
        LOAD = 3,
        STEPS = 40
    };
    Shapes* shapes = *state;
    const qvBemSurface* surface = shapes->ball->surface;
    int rows = 3 * surface->vertexCount;
    World full = MakeWorld(shapes->ball, shapes->history, false);
    double *rigid = RigidBasis(surface),
           *room = calloc((size_t)(2 * rows + 2 * shapes->ball->modeCount), sizeof(double));
    double* consistent = room + rows + 2 * shapes->ball->modeCount;
    Modes modes = { shapes->ball, room + rows, room + rows + shapes->ball->modeCount, room };
    double peak = 0.0, after = 0.0, late = 0.0, impulse = 0.0;
    for (int n = 0; n < STEPS; n++)
    {
        Push(&full, shapes->ball, n < LOAD, consistent);
        StepWorld(&full);
        StepModes(&modes, consistent);
        for (int v = 0; v < full.count; v++)
            impulse += STEP * full.forces[v].y;
        double miss = SizeOf(rigid, &full.u->x, modes.u, rows);
        peak = fmax(peak, SizeOf(rigid, &full.u->x, NULL, rows));
        after = n >= LOAD ? fmax(after, miss) : 0.0;
        late = (n + 1) * STEP > 0.5 ? fmax(late, miss) : 0.0;
    }
    qvBemPose pose = qvBemSystem_Pose(full.system, full.state, 0);
    print_message("history beside modes: %.2f %% of the peak after the push, %.2f %% after 0.5 s; speed %.3f\n",
                  100.0 * after / peak, 100.0 * late / peak, pose.velocity.y);
    assert_true(pose.velocity.y < -1.0);
    ASSERT_NEAR(pose.velocity.y, impulse / surface->volume, 1e-12);
    assert_true(after < 0.06 * peak);
    assert_true(late < 0.02 * peak);
    free(rigid);
    free(room);
    FreeWorld(&full);
}

// A ball falls, bounces lower, and lies with its weight on the ground, which nothing of it enters.
static void TestDrop(void** state)
{
    Shapes* shapes = *state;
    World world = MakeWorld(shapes->ball, shapes->history, true);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, 1.5, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
    double deepest = 0.0, highest = 0.0, support = 0.0;
    int most = 0;
    for (int n = 0; n < 420; n++)
    {
        qvBemStepReport report = StepWorld(&world);
        deepest = fmax(deepest, report.penetration);
        most = report.iterations > most ? report.iterations : most;
        highest = n > 60 ? fmax(highest, qvBemSystem_Pose(world.system, world.state, 0).place.y) : 0.0;
        qvBemSystem_Forces(world.system, world.state, 0, world.u);
        for (int v = 0; n >= 300 && v < world.count; v++)
            support += world.u[v].y / 120.0;
    }
    double weight = 9.81 * shapes->ball->surface->volume;
    print_message("by history: %.1e deep, at most %d iterations, up to %.3f again, lies with %.4f of its weight\n",
                  deepest, most, highest, support / weight);
    assert_true(deepest < 1e-4 * shapes->ball->surface->diameter);
    assert_true(highest > 0.8 && highest < 1.4);
    ASSERT_NEAR(support / weight, 1.0, 0.01);
    FreeWorld(&world);
}

// A state that was kept goes on bit for bit, and so does one on several threads.
static void TestResume(void** state)
{
    Shapes* shapes = *state;
    qvError error;
    World a = MakeWorld(shapes->ball, shapes->history, true), b = MakeWorld(shapes->ball, shapes->history, true);
    size_t size = (size_t)qvBemSystem_StateSize(a.system) * sizeof(double);
    qvBemSystem_Move(a.system, a.state, 0, qvMakeVec3(0.0, 1.05, 0.0), qvQuat_Identity(), qvMakeVec3(1.0, -2.0, 0.0),
                     qvMakeVec3(0.0, 0.0, 1.0));
    for (int n = 0; n < 12; n++)
        StepWorld(&a);
    memcpy(b.state, a.state, size);
    ASSERT_OK(qvCreatePool(3, &b.pool, &error), error);
    for (int n = 0; n < 20; n++)
    {
        StepWorld(&a);
        StepWorld(&b);
    }
    assert_memory_equal(a.state, b.state, size);
    qvDestroyPool(b.pool);
    FreeWorld(&a);
    FreeWorld(&b);
}

// --- Compression ----------------------------------------------------------------------------------------------------

// The basis is orthonormal for any number of vertices, and all entries together are the matrix.
static void TestBasis(void** state)
{
    (void)state;
    enum
    {
        COUNT = 13,
        SIZE = 3 * COUNT
    };
    qvError error;
    qvVec3 places[COUNT];
    qvSqueezeBasis basis;
    qvSqueezed whole, half;
    double x[SIZE], y[SIZE], forward[SIZE], other[SIZE], matrix[SIZE * SIZE], plain = 0.0, turned = 0.0;
    for (int i = 0; i < SIZE * SIZE; i++)
        matrix[i] = sin(1.7 * i * i);
    for (int i = 0; i < SIZE; i++)
        (&places[0].x)[i] = x[i] = cos(2.3 * i * i), y[i] = sin(0.7 * i * i);
    ASSERT_OK(qvMakeSqueezeBasis(places, COUNT, &basis, &error), error);
    qvSqueezeBasis_Forward(&basis, x, forward);
    qvSqueezeBasis_Forward(&basis, y, other);
    for (int i = 0; i < SIZE; i++)
    {
        plain += x[i] * y[i];
        turned += forward[i] * other[i];
    }
    ASSERT_NEAR(turned, plain, 1e-13);
    ASSERT_OK(qvMakeSqueezed(&basis, matrix, 1.0, &whole, &error), error);
    ASSERT_OK(qvMakeSqueezed(&basis, matrix, 2.0, &half, &error), error);
    assert_true(whole.rowStart[SIZE] == SIZE * SIZE && half.rowStart[SIZE] == SIZE * SIZE / 2);
    assert_true(whole.error == 0.0 && half.error > 0.01 && half.error < 0.7);
    for (int i = 0; i < SIZE; i++)
        other[i] = qvSqueezed_Row(&whole, i, forward);
    qvSqueezeBasis_Backward(&basis, other, y);
    for (int i = 0; i < SIZE; i++)
    {
        double exact = 0.0;
        for (int j = 0; j < SIZE; j++)
            exact += matrix[i * SIZE + j] * x[j];
        ASSERT_NEAR(y[i], exact, 1e-6);
    }
    qvFreeSqueezed(&whole);
    qvFreeSqueezed(&half);
    qvFreeSqueezeBasis(&basis);
}

// Compressed, a free body still comes to rest in its frame, in a few parts of the memory and not far from the motion.
static void TestCompressed(void** state)
{
    Shapes* shapes = *state;
    int rows = 3 * shapes->ball->surface->vertexCount;
    double* rigid = RigidBasis(shapes->ball->surface);
    qvBemHistory* squeezed = MakeHistory(shapes->ball, 8.0);
    World full = MakeWorld(shapes->ball, shapes->history, false), less = MakeWorld(shapes->ball, squeezed, false);
    double peak = 0.0, worst = 0.0, end = 0.0;
    for (int n = 0; n < 600; n++)
    {
        Push(&full, shapes->ball, n < 3, NULL);
        Push(&less, shapes->ball, n < 3, NULL);
        StepWorld(&less);
        if (n < 60)
        {
            StepWorld(&full);
            peak = fmax(peak, SizeOf(rigid, &full.u->x, NULL, rows));
            worst = fmax(worst, SizeOf(rigid, &full.u->x, &less.u->x, rows));
        }
        end = SizeOf(rigid, &less.u->x, NULL, rows);
    }
    print_message(
        "compressed 8 times: %.2f %% of H_1 lost, motion %.1f %% off, %.1e of the peak after 10 s, %.1f of %.1f MB\n",
        100.0 * qvBemHistory_Error(squeezed), 100.0 * worst / peak, end / peak, 1e-6 * qvBemHistory_Bytes(squeezed),
        1e-6 * qvBemHistory_Bytes(shapes->history));
    assert_true(qvBemHistory_Bytes(squeezed) < 0.6 * qvBemHistory_Bytes(shapes->history));
    assert_true(worst < 0.25 * peak);
    assert_true(end < 1e-2 * peak);
    free(rigid);
    qvDestroyBemHistory(squeezed);
    FreeWorld(&full);
    FreeWorld(&less);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBesideModes), cmocka_unit_test(TestDrop),       cmocka_unit_test(TestResume),
        cmocka_unit_test(TestBasis),       cmocka_unit_test(TestCompressed),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
