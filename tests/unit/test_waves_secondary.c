// SPDX-License-Identifier: GPL-3.0-or-later
// Secondary motion: merging, momentum, budget, determinism; on primitives and on an imported rig.
#include "motion_testing.h"
#include "waves_testing.h"

#include "math/affine.h"
#include "mesh/rig.h"
#include "quaver/model.h"
#include "waves/merge.h"

static const double PI = 3.14159265358979323846;

// --- Merging ---------------------------------------------------------------------------------------------------------

// The equation that the regularizer solves: mass times the density at the centre is 1.
static void TestRadius(void** state)
{
    (void)state;
    for (double mass = 1e-6; mass < 1e3; mass *= 7.0)
    {
        double eps = qvImpulseRadius(mass);
        ASSERT_NEAR(mass * 15.0 * pow(eps, 4.0) / (8.0 * PI * pow(eps, 7.0)), 1.0, 1e-12);
    }
    ASSERT_NEAR(qvImpulseRadius(1.0), 0.8419, 1e-4); // the paper rounds to 0.8
}

static qvVec3 TotalForce(const qvImpulse* impulses, int count)
{
    qvVec3 sum = { 0 };
    for (int i = 0; i < count; i++)
        sum = qvAdd(sum, impulses[i].force);
    return sum;
}

static bool CouldMerge(const qvImpulse* a, const qvImpulse* b)
{
    double reach = sqrt(pow(0.1, -2.0 / 7.0) - 1.0) * (a->radius + b->radius);
    double cosine = qvDot(a->force, b->force) / (qvLength(a->force) * qvLength(b->force));
    return qvDistance(a->at, b->at) < 0.9999 * reach && cosine > 0.5001;
}

static int MakeImpulses(qvImpulse* impulses, int count, double spread, uint64_t seed)
{
    for (int i = 0; i < count; i++)
    {
        qvVec3 at = { RandomUnit(&seed), RandomUnit(&seed), RandomUnit(&seed) };
        qvVec3 force = { 1.0 + spread * (RandomUnit(&seed) - 0.5), spread * (RandomUnit(&seed) - 0.5),
                         spread * (RandomUnit(&seed) - 0.5) };
        impulses[i] = (qvImpulse){ .at = at, .rest = at, .force = force, .radius = 0.02 + 0.03 * RandomUnit(&seed) };
    }
    return count;
}

static void TestMerge(void** state)
{
    (void)state;
    enum
    {
        COUNT = 3000
    };
    qvImpulse* impulses = calloc(COUNT, sizeof(*impulses));
    qvError error;
    for (int round = 0; round < 3; round++)
    {
        int count = MakeImpulses(impulses, COUNT, round == 0 ? 0.2 : 40.0, 5 + (uint64_t)round);
        qvVec3 before = TotalForce(impulses, count);
        ASSERT_OK(qvMergeImpulses(impulses, &count, round == 2 ? 3 : COUNT, &error), error);
        ASSERT_NEAR(qvDistance(TotalForce(impulses, count), before), 0.0, 1e-9 * COUNT);
        assert_true(count >= 1 && count < COUNT / 4);
        if (round == 0)
            assert_true(count <= 5); // all parallel and close: few sources
        if (round == 2)
            assert_true(count <= 3);
        for (int i = 0; round < 2 && i < count; i++)
        {
            for (int j = 0; j < i; j++)
                assert_false(CouldMerge(&impulses[i], &impulses[j]));
        }
    }
    free(impulses);
}

// The paper's rules on two impulses.
static void TestMergePair(void** state)
{
    (void)state;
    qvError error;
    qvImpulse pair[2] = { { .at = { 0, 0, 0 }, .rest = { 1, 0, 0 }, .force = { 3, 0, 0 }, .radius = 0.5 },
                          { .at = { 0.4, 0, 0 }, .rest = { 2, 0, 0 }, .force = { 0.8, 0.6, 0 }, .radius = 0.3 } };
    int count = 2;
    ASSERT_OK(qvMergeImpulses(pair, &count, 10, &error), error);
    assert_int_equal(count, 1);
    ASSERT_NEAR(pair[0].force.x, 3.8, 1e-15);
    ASSERT_NEAR(pair[0].force.y, 0.6, 1e-15);
    ASSERT_NEAR(pair[0].at.x, 0.1, 1e-15);
    ASSERT_NEAR(pair[0].rest.x, 1.25, 1e-15);
    ASSERT_NEAR(pair[0].radius, (3.0 * 0.5 + 1.0 * 0.3 + 1.0 * 0.4) / 4.0, 1e-15);
    // Too far, too different in direction, or nothing at all.
    qvImpulse far[2] = { { .force = { 1, 0, 0 }, .radius = 0.1 },
                         { .at = { 0.2, 0, 0 }, .force = { 1, 0, 0 }, .radius = 0.1 } };
    count = 2;
    ASSERT_OK(qvMergeImpulses(far, &count, 10, &error), error);
    assert_int_equal(count, 2);
    qvImpulse across[2] = { { .force = { 1, 0, 0 }, .radius = 0.1 }, { .force = { 0.4, 0.9, 0 }, .radius = 0.1 } };
    count = 2;
    ASSERT_OK(qvMergeImpulses(across, &count, 10, &error), error);
    assert_int_equal(count, 2);
    qvImpulse none[2] = { { .radius = 0.1 }, { .radius = 0.1 } };
    count = 2;
    ASSERT_OK(qvMergeImpulses(none, &count, 10, &error), error);
    assert_int_equal(count, 0);
}

// --- Motions ---------------------------------------------------------------------------------------------------------

// A rigid body that accelerates along x, lands at 1.3 s (its velocity along y jumps) and does not turn.
static qvVec3 HopOffset(double time)
{
    return qvMakeVec3(0.4 * time * time * time, 1.0 - 0.7 * fmin(time, 1.3), 0.2 * sin(3.0 * time));
}

static qvVec3 HopVelocity(double time)
{
    return qvMakeVec3(1.2 * time * time, time < 1.3 ? -0.7 : 0.0, 0.6 * cos(3.0 * time));
}

static void HopPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const qvStillBase* still = context;
    qvVec3 offset = HopOffset(time);
    for (int i = 0; i < still->pointCount; i++)
        points[i] = qvVec3_ToFloat(qvAdd(qvVec3_FromFloat(still->points[i]), offset));
}

static void HopVelocities(const void* context, double time, void* scratch, double* velocities)
{
    (void)scratch;
    const qvStillBase* still = context;
    qvVec3 v = HopVelocity(time);
    for (int i = 0; i < still->pointCount; i++)
        velocities[3 * i] = v.x, velocities[3 * i + 1] = v.y, velocities[3 * i + 2] = v.z;
}

// A body that bends about its foot, each point on its own: many different directions.
static void SwayPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const qvStillBase* still = context;
    for (int i = 0; i < still->pointCount; i++)
    {
        qvVec3f p = still->points[i];
        double angle = 0.8 * p.y * sin(2.0 * PI * time), c = cos(angle), s = sin(angle);
        points[i] = (qvVec3f){ (float)(c * p.x - s * p.y), (float)(s * p.x + c * p.y),
                               (float)(p.z + 0.2 * sin(4.0 * PI * time + 3.0 * p.x)) };
    }
}

static qvSecondaryDef HopDef(const Body* body, bool closed)
{
    qvSecondaryDef def = qvDefaultSecondaryDef();
    def.topology = body->topology;
    def.rest = body->rest;
    def.base = qvMakeStillBase(&body->still);
    def.base.points = HopPoints;
    def.base.velocities = closed ? HopVelocities : NULL;
    def.end = 2.0;
    return def;
}

static qvWaveEvent* MustFind(const qvSecondaryDef* def, qvPool* pool, int* count, qvSecondaryReport* report)
{
    qvError error;
    qvWaveEvent* events;
    qvJob job = { .pool = pool };
    ASSERT_OK(qvCreateSecondaryEvents(def, &job, &events, count, report, &error), error);
    return events;
}

// The impulse of an event: what a load that does the same has as its force.
static qvVec3 ImpulseOf(const qvWaveEvent* event)
{
    qvError error;
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = qv_kelvinletImpulse;
    load.poisson = event->def.stroke.poisson;
    load.fade = event->def.fade;
    qvKelvinlet_SetRadius(&load, event->def.stroke.radius, event->def.stroke.scales);
    qvKelvinlet_SetSpeed(&load, event->def.speed);
    ASSERT_OK(qvKelvinlet_SetDisplacement(&load, event->def.stroke.drag, &error), error);
    return load.force;
}

static void TestMomentum(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 10);
    double volume = qvComputeVolume(body.topology, body.rest);
    for (int mode = 0; mode < 3; mode++)
    {
        qvSecondaryDef def = HopDef(&body, mode != 1);
        def.terms.threshold = 0.0;
        def.terms.max = 10000;
        def.fade = mode == 2 ? 3.0 : 0.0;
        def.terms.amount = mode == 2 ? -0.5 : 1.0;
        qvSecondaryReport report;
        int count;
        qvWaveEvent* events = MustFind(&def, NULL, &count, &report);
        ASSERT_NEAR(report.mass, volume, 1e-6 * volume);
        assert_int_equal(report.droppedCount, 0);
        assert_true(count > 50);
        qvVec3 sum = { 0 };
        for (int i = 0; i < count; i++)
            sum = qvAdd(sum, ImpulseOf(&events[i]));
        double half = 0.5 / 48.0;
        qvVec3 first = HopVelocity(half), last = HopVelocity(2.0 - half);
        if (mode == 1) // by differences: mean velocities between samples
        {
            first = qvScale(48.0, qvSub(HopOffset(2.0 * half), HopOffset(0.0)));
            last = qvScale(48.0, qvSub(HopOffset(2.0), HopOffset(2.0 - 2.0 * half)));
        }
        qvVec3 expected = qvScale(def.terms.amount * volume, qvSub(last, first));
        assert_true(qvLength(expected) > 0.4 * volume);
        ASSERT_NEAR(qvDistance(sum, expected), 0.0, 1e-4 * qvLength(expected));
        ASSERT_NEAR(qvDistance(report.momentum, expected), 0.0, 1e-4 * qvLength(expected));
        free(events);
    }
    FreeBody(&body);
}

// The landing is the strongest, points up, and is where the body is.
static void TestLanding(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 10);
    qvSecondaryDef def = HopDef(&body, true);
    int count, best = 0;
    qvWaveEvent* events = MustFind(&def, NULL, &count, NULL);
    for (int i = 1; i < count; i++)
    {
        assert_true(events[i].def.time >= events[i - 1].def.time);
        best = qvLength(events[i].def.stroke.drag) > qvLength(events[best].def.stroke.drag) ? i : best;
    }
    ASSERT_NEAR(events[best].def.time, 1.3, 1.0 / 48.0);
    qvVec3 drag = qvNormalize(events[best].def.stroke.drag);
    assert_true(drag.y > 0.95);
    assert_true(fabs(events[best].def.stroke.at.x) < 0.1 && events[best].def.stroke.at.y > 0.5 &&
                events[best].def.stroke.at.y < 1.5);
    free(events);
    FreeBody(&body);
}

static void TestStillness(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    qvSecondaryDef def = HopDef(&body, false);
    int count;
    def.base = qvMakeStillBase(&body.still);
    qvWaveEvent* events = MustFind(&def, NULL, &count, NULL);
    assert_int_equal(count, 0);
    free(events);
    // Below the threshold, without weight, or without time, there is nothing either.
    def = HopDef(&body, true);
    def.terms.threshold = 1e6;
    events = MustFind(&def, NULL, &count, NULL);
    assert_int_equal(count, 0);
    free(events);
    float* weights = calloc((size_t)body.count, sizeof(float));
    def = HopDef(&body, true);
    def.weights = weights;
    events = MustFind(&def, NULL, &count, NULL);
    assert_int_equal(count, 0);
    free(events);
    free(weights);
    def = HopDef(&body, true);
    def.end = def.begin;
    events = MustFind(&def, NULL, &count, NULL);
    assert_int_equal(count, 0);
    free(events);
    FreeBody(&body);
}

static int ActiveAt(const qvWaveEvent* events, int count, double time, double period)
{
    int active = 0;
    for (int i = 0; i < count; i++)
    {
        double age = time - events[i].def.time, life = events[i].def.until - events[i].def.time;
        age = period > 0.0 ? age - period * floor(age / period) : age;
        active += age >= 0.0 && age < life ? 1 : 0;
    }
    return active;
}

static void TestBudget(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "tentacle", 12);
    qvSecondaryDef def = HopDef(&body, false);
    def.base.points = SwayPoints;
    for (int loop = 0; loop < 2; loop++)
    {
        def.terms.max = 25;
        def.loop = loop != 0;
        int count, most = 0;
        qvSecondaryReport report;
        qvWaveEvent* events = MustFind(&def, NULL, &count, &report);
        assert_true(report.droppedCount > 0 && report.mergedCount == count + report.droppedCount);
        for (double time = 0.0; time < 2.0; time += 0.01)
        {
            int active = ActiveAt(events, count, time, loop ? 2.0 : 0.0);
            most = active > most ? active : most;
        }
        assert_true(most <= 25 && most > 20);
        if (!loop)
        {
            qvWaveLayerDef layerDef = StillDef(&body, events, count);
            layerDef.base = def.base;
            qvWaveLayer* layer = MustMake(&layerDef);
            for (double time = 0.0; time < 3.0; time += 0.1)
                assert_true(qvWaveLayer_ActiveCount(layer, time) <= 25);
            qvDestroyWaveLayer(layer);
        }
        free(events);
    }
    FreeBody(&body);
}

static void TestSameEvents(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "tentacle", 12);
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvSecondaryDef def = HopDef(&body, false);
    def.base.points = SwayPoints;
    int one, three;
    qvWaveEvent *a = MustFind(&def, NULL, &one, NULL), *b = MustFind(&def, pool, &three, NULL);
    assert_int_equal(one, three);
    assert_true(one > 20);
    for (int i = 0; i < one; i++)
    {
        assert_memory_equal(&a[i].def.stroke.drag, &b[i].def.stroke.drag, sizeof(qvVec3));
        assert_memory_equal(&a[i].def.stroke.at, &b[i].def.stroke.at, sizeof(qvVec3));
        assert_true(a[i].def.time == b[i].def.time && a[i].def.stroke.radius == b[i].def.stroke.radius);
    }
    // They make a layer that moves the body, and fades with the motion.
    qvWaveLayerDef layerDef = StillDef(&body, a, one);
    layerDef.base = def.base;
    qvWaveLayer* layer = MustMake(&layerDef);
    assert_true(LargestAt(layer, body.count, 1.0) > 1e-3 * body.diagonal);
    assert_true(LargestAt(layer, body.count, 1.0) < 0.5 * body.diagonal);
    assert_true(LargestAt(layer, body.count, 30.0) == 0.0);
    qvDestroyWaveLayer(layer);
    free(a);
    free(b);
    qvDestroyPool(pool);
    FreeBody(&body);
}

// The response converges as samples get denser: an impulse is force times the interval.
static void TestRate(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    double sizes[2];
    for (int i = 0; i < 2; i++)
    {
        qvSecondaryDef def = HopDef(&body, true);
        def.terms.rate = i == 0 ? 60.0 : 120.0;
        def.terms.radius = 0.5;
        def.terms.max = 10000;
        def.terms.threshold = 0.0;
        int count;
        qvWaveEvent* events = MustFind(&def, NULL, &count, NULL);
        qvWaveLayerDef layerDef = StillDef(&body, events, count);
        layerDef.base = def.base;
        qvWaveLayer* layer = MustMake(&layerDef);
        sizes[i] = LargestAt(layer, body.count, 1.9);
        qvDestroyWaveLayer(layer);
        free(events);
    }
    assert_true(sizes[0] > 1e-3);
    ASSERT_NEAR(sizes[1], sizes[0], 0.08 * sizes[0]);
    FreeBody(&body);
}

// The spacetime motion: its velocities are those of its points, and its frame turns the waves.
static void TestMotionBase(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[4];
    const double times[4] = { 0.0, 0.6, 1.1, 1.8 };
    qvMotionDef motionDef = MakeKeys(&actor, keys, 4, times);
    qvMotion* motion = MustMove(&actor, &motionDef);
    int n = actor.size / 3;
    qvBaseMotion base = qvMakeMotionBase(motion, n);
    void* scratch = malloc(base.scratchSize);
    qvVec3f *a = calloc((size_t)n, sizeof(qvVec3f)), *b = calloc((size_t)n, sizeof(qvVec3f));
    double *v = calloc((size_t)actor.size, sizeof(double)), h = 1e-3, fastest = 0.0;
    base.points(base.context, 0.8 - h, scratch, NULL, a);
    base.points(base.context, 0.8 + h, scratch, NULL, b);
    base.velocities(base.context, 0.8, scratch, v);
    for (int i = 0; i < n; i++)
    {
        ASSERT_NEAR((b[i].x - a[i].x) / (2.0 * h), v[3 * i], 5e-3);
        ASSERT_NEAR((b[i].z - a[i].z) / (2.0 * h), v[3 * i + 2], 5e-3);
        fastest = fmax(fastest, fabs(v[3 * i]));
    }
    assert_true(fastest > 0.1);
    qvVec3f* rest = calloc((size_t)n, sizeof(qvVec3f));
    qvMesh_GatherPoints(actor.mesh, actor.mesh->positions, rest);
    qvSecondaryDef def = qvDefaultSecondaryDef();
    def.topology = actor.topology, def.rest = rest, def.base = base, def.end = 1.8;
    int count;
    qvWaveEvent* events = MustFind(&def, NULL, &count, NULL);
    assert_true(count > def.terms.max); // the budget is used up, and still no moment is without
    for (int i = 1; i < count; i++)
        assert_true(events[i].def.time - events[i - 1].def.time < 0.05);
    qvWaveLayerDef layerDef = qvDefaultWaveLayerDef();
    layerDef.topology = actor.topology, layerDef.rest = rest, layerDef.base = base;
    layerDef.events = events, layerDef.eventCount = count;
    layerDef.hardKeys = times, layerDef.hardKeyCount = 4;
    qvWaveLayer* layer = MustMake(&layerDef);
    assert_true(LargestAt(layer, n, 0.75) > 1e-3);
    for (int i = 0; i < 4; i++)
        assert_true(LargestAt(layer, n, times[i]) == 0.0);
    assert_true(qvWaveLayer_KeyMiss(layer, 2) > 1e-3);
    qvDestroyWaveLayer(layer);
    free(events);
    free(rest);
    free(scratch);
    free(a);
    free(b);
    free(v);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// --- A rig -----------------------------------------------------------------------------------------------------------

static void TestRig(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(DataPath(path, sizeof(path), "gltf/skin.gltf"), NULL, &model, &error), error);
    Body body = { .mesh = model->mesh, .count = model->mesh->pointCount };
    ASSERT_OK(qvCreateTopology(model->mesh, &body.topology, &error), error);
    body.rest = calloc((size_t)body.count, sizeof(qvVec3f));
    qvMesh_GatherPoints(model->mesh, model->mesh->positions, body.rest);
    qvRigBase rig = { .rig = model->rig, .mesh = model->mesh, .clip = 0, .speed = 1.0 };
    qvSecondaryDef def = HopDef(&body, false);
    def.base = qvMakeRigBase(&rig);
    def.end = 1.0;
    int count;
    qvWaveEvent* events = MustFind(&def, NULL, &count, NULL);
    assert_true(count > 10);
    qvWaveLayerDef layerDef = StillDef(&body, events, count);
    layerDef.base = def.base;
    qvWaveLayer* layer = MustMake(&layerDef);
    qvVec3f* points = Displacements(layer, body.count, 0.6, NULL);
    assert_true(LargestSize(points, body.count) > 1e-3);

    // World displacements, brought back to the mesh's space and sent through the skin again.
    int n = model->mesh->vertexCount;
    qvVec3f *world = calloc((size_t)n, sizeof(qvVec3f)), *bind = calloc((size_t)n, sizeof(qvVec3f));
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    for (int i = 0; i < n; i++)
        world[i] = points[model->mesh->vertexPoint[i]];
    qvRig_ToBindSpace(model->rig, 0, 0.6, scratch, world, bind);
    assert_true(LargestDistance(world, bind, n) > 1e-4); // the skin turns them
    qvRigState posed = qvRig_ComputeState(model->rig, 0, 0.6, scratch);
    for (int p = 0; p < model->rig->partCount; p++)
    {
        const qvRigPart* part = &model->rig->parts[p];
        for (int i = 0; i < model->rig->geometries[part->geometry].vertexCount; i++)
        {
            qvAffine map = qvRig_VertexMap(model->rig, &posed, part, i);
            qvVec3 back = qvAffine_Vector(&map, qvVec3_FromFloat(bind[part->firstVertex + i]));
            ASSERT_NEAR(qvDistance(back, qvVec3_FromFloat(world[part->firstVertex + i])), 0.0, 1e-7);
        }
    }
    free(scratch);
    free(world);
    free(bind);
    free(points);
    free(events);
    qvDestroyWaveLayer(layer);
    free(body.rest);
    qvDestroyTopology(body.topology);
    qvDestroyModel(model);
}

// A node that squashes everything flat: what lies in the plane comes back exactly, the rest is left out.
static void TestSquashed(void** state)
{
    (void)state;
    qvRigNode node = { .parent = -1, .hasMatrix = true };
    node.matrix = (qvAffine){ .linear = { { 2, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0.5 } } };
    int order = 0;
    qvVec3f position = { 0 }, d = { 1.0f, 1.0f, 1.0f }, delta;
    qvRigGeometry geometry = { .vertexCount = 1, .positions = &position };
    qvRigPart part = { .skin = -1 };
    qvRig rig = { .nodeCount = 1,
                  .nodes = &node,
                  .order = &order,
                  .geometryCount = 1,
                  .geometries = &geometry,
                  .partCount = 1,
                  .parts = &part,
                  .vertexCount = 1 };
    void* scratch = malloc(qvRig_ScratchSize(&rig));
    qvRig_ToBindSpace(&rig, -1, 0.0, scratch, &d, &delta);
    ASSERT_NEAR(delta.x, 0.5, 1e-6);
    ASSERT_NEAR(delta.y, 0.0, 1e-6);
    ASSERT_NEAR(delta.z, 2.0, 1e-6);
    memset(node.matrix.linear, 0, sizeof(node.matrix.linear));
    qvRig_ToBindSpace(&rig, -1, 0.0, scratch, &d, &delta);
    assert_true(delta.x == 0.0f && delta.y == 0.0f && delta.z == 0.0f);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRadius),     cmocka_unit_test(TestMerge),      cmocka_unit_test(TestMergePair),
        cmocka_unit_test(TestMomentum),   cmocka_unit_test(TestLanding),    cmocka_unit_test(TestStillness),
        cmocka_unit_test(TestBudget),     cmocka_unit_test(TestSameEvents), cmocka_unit_test(TestRate),
        cmocka_unit_test(TestMotionBase), cmocka_unit_test(TestRig),        cmocka_unit_test(TestSquashed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
