// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies in motion on the reduced model: drops, slides, support, pins, joints, energy, resuming.
#include "testing.h"

#include "bem/system.h"
#include "math/quat.h"
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Models are slow to make: all tests share them.
typedef struct Models
{
    qvBemModel *ball, *cube, *rubber, *slab; // rubber: a cube that nearly keeps its volume
} Models;

static qvBemModel* MakeModel(qvSolid solid, double poisson)
{
    qvError error;
    qvBemModel* model;
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid.vertices;
    def.vertexCount = solid.vertexCount;
    def.triangles = solid.triangles;
    def.triangleCount = solid.triangleCount;
    def.poisson = poisson;
    ASSERT_OK(qvCreateBemModel(&def, NULL, &model, &error), error);
    qvFreeSolid(&solid);
    return model;
}

static int SetUp(void** state)
{
    static Models models;
    models.ball = MakeModel(qvMakeIcosphere(2, 1.0), 0.3);
    models.cube = MakeModel(qvMakeBlock(4, 4, 4, qvMakeVec3(1.0, 1.0, 1.0), 0.0), 0.3);
    models.rubber = MakeModel(qvMakeBlock(4, 4, 4, qvMakeVec3(1.0, 1.0, 1.0), 0.0), 0.45);
    models.slab = MakeModel(qvMakeBlock(6, 2, 6, qvMakeVec3(1.0, 0.33, 1.0), 0.0), 0.3);
    *state = &models;
    return 0;
}

static int TearDown(void** state)
{
    Models* models = *state;
    qvDestroyBemModel(models->ball);
    qvDestroyBemModel(models->cube);
    qvDestroyBemModel(models->rubber);
    qvDestroyBemModel(models->slab);
    return 0;
}

// A system of one body, its state and the world under it: ground at height 0.
typedef struct World
{
    qvBemSystem* system;
    double* state;
    double friction; // of the ground
    double time, step;
    qvVec3* points;
    int count;
} World;

static bool Ground(void* context, qvVec3 point, double time, qvBemTouch* touch)
{
    (void)time;
    *touch = (qvBemTouch){ .distance = point.y, .normal = { 0.0, 1.0, 0.0 }, .friction = *(double*)context };
    return true;
}

static World MakeSteppedWorld(const qvBemModel* model, double wobble, double settle, double friction, double drag,
                              double step)
{
    qvError error;
    World world = { .friction = friction, .step = 1.0 / 240.0, .count = model->surface->vertexCount };
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = model;
    body.wobble = wobble;
    body.settle = settle;
    body.friction = friction;
    body.drag = drag;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.step = world.step = step > 0.0 ? step : qvBemStepLength(&body, 1);
    ASSERT_OK(qvCreateBemSystem(&def, NULL, &world.system, &error), error);
    world.state = calloc((size_t)qvBemSystem_StateSize(world.system), sizeof(double));
    world.points = calloc((size_t)world.count, sizeof(qvVec3));
    qvBemSystem_Rest(world.system, world.state);
    return world;
}

static World MakeWorld(const qvBemModel* model, double wobble, double settle, double friction, double drag)
{
    return MakeSteppedWorld(model, wobble, settle, friction, drag, 0.0);
}

static void FreeWorld(World* world)
{
    qvDestroyBemSystem(world->system);
    free(world->state);
    free(world->points);
}

static qvBemStepReport StepWorld(World* world, const qvBemPin* pins, int pinCount)
{
    qvError error;
    qvBemStepReport report;
    world->time += world->step;
    qvBemStepDef def = {
        .time = world->time, .query = Ground, .context = &world->friction, .pins = pins, .pinCount = pinCount
    };
    ASSERT_OK(qvBemSystem_Step(world->system, &def, world->state, &report, &error), error);
    return report;
}

typedef struct Summary
{
    double penetration, growth, iterations, rebound;
    int maxIterations, steps, unconverged;
} Summary;

// Runs for some seconds: the deepest penetration, the largest growth of energy, iterations, the highest rise after the
// lowest point.
static Summary Run(World* world, double seconds)
{
    Summary sum = { 0 };
    double lowest = INFINITY, best = qvBemSystem_Energy(world->system, world->state), scale = fabs(best) + 1e-9;
    for (int n = 0; n < (int)(seconds / world->step + 0.5); n++)
    {
        qvBemStepReport report = StepWorld(world, NULL, 0);
        double energy = qvBemSystem_Energy(world->system, world->state), height = world->state[1];
        sum.penetration = fmax(sum.penetration, report.penetration);
        sum.growth = fmax(sum.growth, (energy - best) / scale);
        best = fmin(best, energy);
        sum.iterations += report.iterations;
        sum.maxIterations = report.iterations > sum.maxIterations ? report.iterations : sum.maxIterations;
        sum.rebound = height < lowest ? 0.0 : fmax(sum.rebound, height - lowest);
        lowest = fmin(lowest, height);
        sum.steps++;
    }
    print_message("penetration %.2g, energy growth %.2g, iterations %.1f mean %d max, rise %.3f\n", sum.penetration,
                  sum.growth, sum.iterations / sum.steps, sum.maxIterations, sum.rebound);
    return sum;
}

// A ball falls by its radius, a cube on its corner: they bounce, do not sink in and gain nothing.
static void TestDrops(void** state)
{
    Models* models = *state;
    for (int kind = 0; kind < 2; kind++)
    {
        World world = MakeWorld(kind == 0 ? models->ball : models->cube, 3.0, 1.0, 0.5, 0.0);
        qvQuat tilt = qvQuat_Normalize((qvQuat){ 0.3, 0.1, 0.2, 1.0 });
        qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, kind == 0 ? 2.0 : 1.8, 0.0),
                         kind == 0 ? qvQuat_Identity() : tilt, qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
        Summary sum = Run(&world, 2.0);
        assert_true(sum.penetration < 1e-4);
        assert_true(sum.growth < 1e-3);
        assert_true(sum.maxIterations <= 20);
        assert_true(sum.rebound > 0.1);
        FreeWorld(&world);
    }
}

// Cubes that tumble and come to rest never gain energy, with the steps that fit them, shorter ones, and long ones in
// which fast modes answer at once; those take more sweeps.
static void TestEnergy(void** state)
{
    static const double steps[] = { 0.0, 1.0 / 960.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0 };
    Models* models = *state;
    for (int n = 0; n < 20; n++)
    {
        double wobble = n % 2 == 0 ? 3.0 : 6.0, step = steps[n / 4];
        World world = MakeSteppedWorld(n / 2 % 2 == 0 ? models->cube : models->rubber, wobble, 1.0, 0.5, 0.0, step);
        qvQuat tilt = qvQuat_Normalize((qvQuat){ 0.3, 0.1, 0.2, 1.0 });
        qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, 1.8, 0.0), tilt, qvMakeVec3(0.5, 0.0, 0.0),
                         qvMakeVec3(1.0, 2.0, -1.0));
        print_message("%g Hz, Poisson %g, %g steps: ", wobble, n / 2 % 2 == 0 ? 0.3 : 0.45, 1.0 / world.step);
        Summary sum = Run(&world, 10.0);
        assert_true(sum.growth < 1e-3);
        assert_true(sum.maxIterations <= (n < 8 ? 20 : 100));
        assert_true(sum.penetration < 1e-4 && sum.rebound > 0.1);
        FreeWorld(&world);
    }
}

// How far a body slides that lies and is given 3 units a second.
static double Slide(const qvBemModel* model, double height, double wobble, double friction)
{
    World world = MakeWorld(model, wobble, 0.3, friction, 0.0);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, height, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
    Run(&world, 1.5); // settles under its weight
    double from = world.state[0];
    world.state[7] = 3.0;
    Summary sum = Run(&world, 2.5);
    double way = world.state[0] - from;
    assert_true(sum.penetration < 1e-4);
    assert_true(sum.maxIterations <= 20);
    FreeWorld(&world);
    return way;
}

// How far the centre of a body that sticks to the ground sways when a force like its friction's slowly grows and stays.
static double Sway(const qvBemModel* model, double height, double wobble, double friction)
{
    World world = MakeWorld(model, wobble, 0.3, 10.0, 0.0);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, height, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
    Run(&world, 1.5);
    double from = world.state[0];
    for (double t = 0.0; t < 3.0; t += world.step)
    {
        world.state[7] += fmin(t, 1.0) * friction * 9.81 * world.step;
        StepWorld(&world, NULL, 0);
    }
    double way = world.state[0] - from;
    FreeWorld(&world);
    return way;
}

// What slides comes to rest after v^2 / (2 mu g) if it is hard or flat. A soft cube is shorter on its way: friction at
// its foot bends it over, and rocks it on its front edge, when it sets in and when it ends, and what that takes each
// time, mu m g times half of how far the centre sways, fades inside: one sway in all.
static void TestSlides(void** state)
{
    Models* models = *state;
    static const double friction[] = { 0.3, 0.6 }, wobble[] = { 3.0, 6.0, 6.0, 12.0 };
    for (int n = 0; n < 8; n++)
    {
        bool isFlat = n / 2 < 2;
        double mu = friction[n % 2], theory = 9.0 / (2.0 * mu * 9.81), height = isFlat ? 0.165 : 0.5;
        const qvBemModel* model = isFlat ? models->slab : models->cube;
        double way = Slide(model, height, wobble[n / 2], mu), sway = Sway(model, height, wobble[n / 2], mu);
        print_message(
            "%s, %g Hz, friction %.1f: slides %.4f, sways %.4f, theory %.4f: %+.1f %%, with its sway %+.1f %%\n",
            isFlat ? "slab" : "cube", wobble[n / 2], mu, way, sway, theory, 100.0 * (way / theory - 1.0),
            100.0 * ((way + sway) / theory - 1.0));
        assert_true(fabs((way + sway) / theory - 1.0) < 0.03);
        if (wobble[n / 2] != 6.0 || isFlat)
            assert_true(fabs(way / theory - 1.0) < 0.04);
        assert_true(sway > 0.0 && (!isFlat || sway < 0.005));
    }
}

// The ground carries the weight; what lies flat comes to rest. (A ball of flat triangles rocks on for a while.)
static void CheckSupport(const qvBemModel* model, double height, bool liesFlat)
{
    World world = MakeWorld(model, 3.0, 0.3, 0.5, 0.0);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, height, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
    Run(&world, 3.0);
    double sum = 0.0, fastest = 0.0, weight = 9.81 * model->surface->volume;
    for (int n = 0; n < 240; n++)
    {
        StepWorld(&world, NULL, 0);
        qvBemSystem_Forces(world.system, world.state, 0, world.points);
        for (int v = 0; v < world.count; v++)
            sum += world.points[v].y / 240.0;
        fastest = fmax(fastest, fabs(world.state[8]));
    }
    print_message("support %.5f of the weight, speed at most %.2g\n", sum / weight, fastest);
    assert_true(fabs(sum / weight - 1.0) < 0.01);
    assert_true(!liesFlat || fastest < 1e-3);
    FreeWorld(&world);
}

static void TestSupport(void** state)
{
    Models* models = *state;
    CheckSupport(models->ball, 1.0, false);
    CheckSupport(models->cube, 0.5, true);
}

// A free body that spins keeps its angular momentum exactly and its energy nearly, at all speeds of wobble.
static void TestFreeSpin(void** state)
{
    Models* models = *state;
    World world = MakeWorld(models->cube, 6.0, 1000.0, 0.0, 0.0);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, 500.0, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(2.0, 1.0, -1.0));
    double before[3];
    memcpy(before, world.state + 10, sizeof(before));
    for (double t = 0.0; t < 1.0; t += world.step)
        StepWorld(&world, NULL, 0);
    assert_memory_equal(before, world.state + 10, sizeof(before));
    // What spins widens: points farthest from the axis move outwards.
    qvBemSystem_Positions(world.system, world.state, 0, world.points);
    double radius = 0.0;
    for (int v = 0; v < world.count; v++)
        radius = fmax(radius, qvDistance(world.points[v], qvMakeVec3(world.state[0], world.state[1], world.state[2])));
    assert_true(radius > sqrt(0.75) + 1e-4 && radius < 1.2);
    FreeWorld(&world);
}

// Pinned points stand where they are told, within rounding of the frame's turn.
static void TestPins(void** state)
{
    Models* models = *state;
    World world = MakeWorld(models->cube, 12.0, 0.5, 0.5, 1.0);
    qvBemSystem_Move(world.system, world.state, 0, qvMakeVec3(0.0, 5.0, 0.0), qvQuat_Identity(),
                     qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0));
    qvBemSystem_Positions(world.system, world.state, 0, world.points);
    qvBemPin pins[2] = { { 0, 0, world.points[0] }, { 0, 3, world.points[3] } };
    double worst = 0.0, start = world.state[1];
    for (double t = 0.0; t < 1.0; t += world.step)
    {
        pins[0].target.z += 0.2 * world.step; // moved slowly
        pins[1].target.z += 0.2 * world.step;
        StepWorld(&world, pins, 2);
        qvBemSystem_Positions(world.system, world.state, 0, world.points);
        for (int p = 0; p < 2; p++)
            worst = fmax(worst, qvDistance(world.points[pins[p].vertex], pins[p].target));
    }
    print_message("pins miss by %.2g\n", worst);
    assert_true(worst < 2e-5 * sqrt(3.0));
    qvVec3 centre = qvMakeVec3(world.state[0], world.state[1], world.state[2]);
    print_message("centre %.3f below, %.3f from the pin\n", start - centre.y, qvDistance(centre, pins[0].target));
    assert_true(centre.y < start && qvDistance(centre, pins[0].target) < 1.2); // it hangs
    FreeWorld(&world);
}

// Two cubes that share a corner fall on the ground and stay together.
static void TestJoint(void** state)
{
    Models* models = *state;
    qvError error;
    qvBemBodyDef bodies[2] = { qvDefaultBemBodyDef(), qvDefaultBemBodyDef() };
    bodies[0].model = bodies[1].model = models->cube;
    bodies[0].wobble = bodies[1].wobble = 4.0;
    bodies[1].density = 3.0;
    int high = 0, low = 0; // corners: nearest to (1, 1, 1) and to (-1, -1, -1)
    const qvBemSurface* surface = models->cube->surface;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        double sum = surface->vertices[v].x + surface->vertices[v].y + surface->vertices[v].z;
        high = sum > 1.49 ? v : high;
        low = sum < -1.49 ? v : low;
    }
    qvBemJoint joint = { .body = { 0, 1 }, .vertex = { high, low } };
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = bodies;
    def.bodyCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    qvBemSystem* system;
    ASSERT_OK(qvCreateBemSystem(&def, NULL, &system, &error), error);
    double* all = calloc((size_t)qvBemSystem_StateSize(system), sizeof(double));
    qvVec3* points = calloc((size_t)surface->vertexCount, sizeof(*points));
    qvBemSystem_Rest(system, all);
    qvVec3 none = { 0.0, 0.0, 0.0 };
    qvBemSystem_Move(system, all, 0, qvMakeVec3(0.0, 1.0, 0.0), qvQuat_Identity(), none, none);
    qvBemSystem_Move(system, all, 1, qvMakeVec3(1.0, 2.0, 1.0), qvQuat_Identity(), none, none);
    double worst = 0.0, friction = 0.5, step = qvBemStepLength(bodies, 2), deepest = 0.0;
    for (int n = 0; n < 360; n++)
    {
        qvBemStepReport report;
        qvBemStepDef stepDef = { .time = n * step, .query = Ground, .context = &friction };
        ASSERT_OK(qvBemSystem_Step(system, &stepDef, all, &report, &error), error);
        qvBemSystem_Positions(system, all, 0, points);
        qvVec3 end = points[high];
        qvBemSystem_Positions(system, all, 1, points);
        worst = fmax(worst, qvDistance(end, points[low]));
        deepest = fmax(deepest, report.penetration);
    }
    print_message("the joint opens by %.2g, penetration %.2g\n", worst, deepest);
    assert_true(worst < 1e-3);
    assert_true(deepest < 2e-3);
    joint.body[1] = 0;
    qvBemSystem* bad;
    assert_int_equal(qvCreateBemSystem(&def, NULL, &bad, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "both ends");
    qvDestroyBemSystem(system);
    free(all);
    free(points);
}

// A state that was kept goes on bit for bit.
static void TestResume(void** state)
{
    Models* models = *state;
    World a = MakeWorld(models->cube, 3.0, 1.0, 0.4, 0.0), b = MakeWorld(models->cube, 3.0, 1.0, 0.4, 0.0);
    size_t size = (size_t)qvBemSystem_StateSize(a.system) * sizeof(double);
    qvBemSystem_Move(a.system, a.state, 0, qvMakeVec3(0.0, 0.7, 0.0), qvQuat_Identity(), qvMakeVec3(1.0, 0.0, 0.0),
                     qvMakeVec3(0.0, 0.0, 1.0));
    for (int n = 0; n < 40; n++)
        StepWorld(&a, NULL, 0);
    memcpy(b.state, a.state, size);
    b.time = a.time;
    for (int n = 0; n < 80; n++)
    {
        StepWorld(&a, NULL, 0);
        StepWorld(&b, NULL, 0);
    }
    assert_memory_equal(a.state, b.state, size);
    FreeWorld(&a);
    FreeWorld(&b);
}

// Wrong materials are told; a body pulled apart stops the step and keeps its state.
static void TestBad(void** state)
{
    Models* models = *state;
    qvError error;
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = models->ball;
    body.wobble = 0.0;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    qvBemSystem* system;
    assert_int_equal(qvCreateBemSystem(&def, NULL, &system, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "wobble");
    World world = MakeWorld(models->ball, 1.0, 1.0, 0.5, 0.0);
    size_t size = (size_t)qvBemSystem_StateSize(world.system) * sizeof(double);
    double* copy = malloc(size);
    memcpy(copy, world.state, size);
    qvBemPin pins[2] = { { 0, 0, { 100.0, 0.0, 0.0 } }, { 0, 50, { -100.0, 0.0, 0.0 } } };
    qvBemStepDef step = { .time = 0.0, .pins = pins, .pinCount = 2 };
    qvBemStepReport report;
    assert_int_equal(qvBemSystem_Step(world.system, &step, world.state, &report, &error), qv_notConverged);
    ASSERT_CONTAINS(error.message, "pulled apart");
    assert_memory_equal(copy, world.state, size);
    free(copy);
    FreeWorld(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDrops),   cmocka_unit_test(TestEnergy),   cmocka_unit_test(TestSlides),
        cmocka_unit_test(TestSupport), cmocka_unit_test(TestFreeSpin), cmocka_unit_test(TestPins),
        cmocka_unit_test(TestJoint),   cmocka_unit_test(TestResume),   cmocka_unit_test(TestBad),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
