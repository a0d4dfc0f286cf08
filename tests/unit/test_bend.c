// SPDX-License-Identifier: GPL-3.0-or-later
// Limbs: found from the shape, bent without losing length or girth.
#include "random_vectors.h"
#include "testing.h"

#include "kelvinlet/rod.h"
#include "quaver/brush.h"
#include "quaver/limb.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Shape
{
    qvMesh* mesh;
    qvTopology* topology;
    qvVec3f *rest, *points;
    int count;
} Shape;

static Shape MakeShape(const char* primitive, int resolution)
{
    Shape shape;
    qvError error;
    ASSERT_OK(qvCreatePrimitive(primitive, resolution, &shape.mesh, &error), error);
    ASSERT_OK(qvCreateTopology(shape.mesh, &shape.topology, &error), error);
    shape.count = shape.topology->pointCount;
    shape.rest = calloc((size_t)shape.count, sizeof(qvVec3f));
    shape.points = calloc((size_t)shape.count, sizeof(qvVec3f));
    assert_true(shape.rest != NULL && shape.points != NULL);
    qvMesh_GatherPoints(shape.mesh, shape.mesh->positions, shape.rest);
    return shape;
}

static void DropShape(Shape* shape)
{
    free(shape->rest);
    free(shape->points);
    qvDestroyTopology(shape->topology);
    qvDestroyMesh(shape->mesh);
}

// points = rest with the stroke on it.
static void Apply(Shape* shape, const qvStroke* stroke)
{
    qvError error;
    qvStrokeTarget target = { .pointCount = shape->count, .topology = shape->topology };
    memcpy(shape->points, shape->rest, (size_t)shape->count * sizeof(qvVec3f));
    ASSERT_OK(qvStroke_Applyf(stroke, &target, NULL, shape->points, &error), error);
}

static qvVec3 Farthest(const Shape* shape, qvVec3 direction)
{
    qvVec3 best = qvVec3_FromFloat(shape->rest[0]);
    for (int i = 1; i < shape->count; i++)
    {
        qvVec3 at = qvVec3_FromFloat(shape->rest[i]);
        best = qvDot(at, direction) > qvDot(best, direction) ? at : best;
    }
    return best;
}

// A bend of the limb at a place of the rest shape.
static qvStroke MakeBend(const Shape* shape, qvVec3 at)
{
    qvError error;
    qvLimb limb;
    ASSERT_OK(qvFindLimb(shape->topology, shape->rest, at, 0.0, &limb, &error), error);
    assert_true(limb.found);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("bend"), 3.0);
    stroke.at = limb.tip;
    stroke.joint = limb.joint;
    stroke.radius = limb.spread;
    return stroke;
}

// --- The rod ---------------------------------------------------------------------------------------------------------

// The tip of a chain arrives where it can; that of one segment points there.
static void TestTipArrives(void** state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 200; round++)
    {
        qvRodDef def = { .joint = RandomVec3(&random), .segments = 1 + round % 4, .spread = 0.08, .stretch = 1.0 };
        def.tip = qvAdd(def.joint, qvMakeVec3(0.3, 0.9, -0.2));
        double length = qvDistance(def.tip, def.joint);
        qvVec3 way = qvNormalize(RandomVec3(&random));
        if (qvDot(way, qvSub(def.tip, def.joint)) < -0.5 * length)
            way = qvScale(-1.0, way);
        def.target = qvMulAdd(def.joint, length * (0.75 + 0.002 * (round % 100)), way);
        qvRod rod;
        qvRod_Init(&rod, &def);
        qvVec3 tip = qvSub(qvRod_Carry(&rod, def.tip), def.joint), wanted = qvSub(def.target, def.joint);
        ASSERT_NEAR(qvDistance(qvNormalize(tip), way), 0.0, 1e-6);
        if (def.segments > 1)
            ASSERT_NEAR(qvLength(tip), fmin(qvLength(wanted), length), 1e-3 * length);
    }
}

// Arc length, straight sections and their size, at any place of a rod.
static void TestRodKeepsLengthAndSections(void** state)
{
    (void)state;
    for (int segments = 1; segments <= 4; segments++)
    {
        qvRodDef def = { .tip = { 1.0, 0.0, 0.0 }, .target = { 0.2, 0.7, 0.1 }, .segments = segments, .spread = 0.1 };
        def.stretch = 1.0;
        def.twist = 0.8;
        qvRod rod;
        qvRod_Init(&rod, &def);
        double h = 1e-4;
        for (double s = -0.2; s < 1.2; s += 0.0137)
        {
            qvVec3 a = qvRod_Carry(&rod, qvMakeVec3(s - h, 0, 0)), b = qvRod_Carry(&rod, qvMakeVec3(s + h, 0, 0));
            qvVec3 middle = qvRod_Carry(&rod, qvMakeVec3(s, 0, 0)), along = qvScale(0.5 / h, qvSub(b, a));
            ASSERT_NEAR(qvLength(along), 1.0, 1e-5);
            qvVec3 off = qvSub(qvRod_Carry(&rod, qvMakeVec3(s, 0.06, 0.05)), middle);
            ASSERT_NEAR(qvLength(off), hypot(0.06, 0.05), 1e-12);
            ASSERT_NEAR(qvDot(off, along), 0.0, 1e-5);
        }
    }
}

// --- The imp's arm ---------------------------------------------------------------------------------------------------

// A section of the arm at rest, across x, and where a pose has it.
typedef struct Section
{
    double girth;
    qvVec3 middle;
} Section;

static Section CutArm(const Shape* shape, const qvVec3f* points, double x)
{
    Section section = { 0 };
    for (int t = 0; t < shape->topology->triangleCount; t++)
    {
        const int32_t* v = shape->topology->triangles[t].v;
        qvVec3 ends[3];
        int count = 0;
        for (int k = 0; k < 3; k++)
        {
            int32_t a = v[k], b = v[(k + 1) % 3];
            double from = shape->rest[a].x - x, to = shape->rest[b].x - x;
            // The arm alone: the leg is farther down, the head farther up, and so is the thumb.
            if ((from < 0.0) == (to < 0.0) || shape->rest[a].y < 0.7f || shape->rest[a].y > (x < 0.55 ? 1.0f : 1.12f))
                continue;
            qvVec3 p = qvVec3_FromFloat(points[a]), q = qvVec3_FromFloat(points[b]);
            ends[count++] = qvMulAdd(p, from / (from - to), qvSub(q, p));
        }
        if (count != 2)
            continue;
        double length = qvDistance(ends[0], ends[1]);
        section.girth += length;
        section.middle = qvMulAdd(section.middle, 0.5 * length, qvAdd(ends[0], ends[1]));
    }
    section.middle = qvScale(1.0 / section.girth, section.middle);
    return section;
}

// From the shoulder to the hand.
static void CompareArms(const Shape* shape, const qvStroke* stroke)
{
    enum
    {
        SECTIONS = 28
    };
    const double begin = 0.345, end = 0.92;
    double before = 0.0, after = 0.0;
    Section lastRest = { 0 }, lastPosed = { 0 };
    for (int i = 0; i <= SECTIONS; i++)
    {
        double x = begin + (end - begin) * i / SECTIONS;
        Section rest = CutArm(shape, shape->rest, x), posed = CutArm(shape, shape->points, x);
        ASSERT_NEAR(posed.girth / rest.girth, 1.0, 0.05);
        if (i > 0)
        {
            before += qvDistance(rest.middle, lastRest.middle);
            after += qvDistance(posed.middle, lastPosed.middle);
        }
        lastRest = rest;
        lastPosed = posed;
    }
    assert_true(before > 0.4);
    // At the second joint of a chain, the thumb draws the middle of the sections off the limb's own line.
    if (stroke->segments == 1)
        ASSERT_NEAR(after / before, 1.0, 0.02);
}

// Raised, lowered, forward, as one piece and as a chain; touched at its end, on top and in front.
static void TestArmOfImp(void** state)
{
    (void)state;
    static const qvVec3 touched[] = { { 0.97, 0.83, 0.0 }, { 0.85, 0.95, 0.0 }, { 0.85, 0.83, 0.12 } };
    static const qvVec3 drags[] = { { -0.25, 0.55, 0.0 }, { -0.2, -0.45, 0.1 }, { -0.2, 0.1, 0.5 } };
    Shape imp = MakeShape("imp", 40);
    for (int round = 0; round < 12; round++)
    {
        qvStroke stroke = MakeBend(&imp, touched[round % 3]);
        // In the arm, near the shoulder.
        assert_true(stroke.joint.x > 0.33 && stroke.joint.x < 0.45);
        ASSERT_NEAR(stroke.joint.y, 0.87, 0.06);
        assert_true(stroke.radius > 0.06 && stroke.radius < 0.2);
        stroke.segments = 1 + round / 3;
        stroke.drag = drags[(round + round / 3) % 3];
        Apply(&imp, &stroke);
        CompareArms(&imp, &stroke);
        double moved = 0.0;
        for (int i = 0; i < imp.count; i++)
        {
            double step = qvDistance(qvVec3_FromFloat(imp.points[i]), qvVec3_FromFloat(imp.rest[i]));
            moved = fmax(moved, step);
            // Legs, head and the other side stay to the bit.
            if (imp.rest[i].x < 0.2f || imp.rest[i].y < 0.6f || imp.rest[i].y > 1.2f)
                assert_true(step == 0.0);
        }
        assert_true(moved > 0.3);
    }
    DropShape(&imp);
}

// A joint that is moved into the shoulder takes neither head nor leg along, though they are beyond it too.
static void TestJointInShoulder(void** state)
{
    (void)state;
    Shape imp = MakeShape("imp", 30);
    qvStroke stroke = MakeBend(&imp, qvMakeVec3(0.97, 0.83, 0.0));
    stroke.joint = qvMakeVec3(0.29, 0.86, 0.0);
    stroke.drag = qvMakeVec3(-0.25, 0.55, 0.0);
    Apply(&imp, &stroke);
    for (int i = 0; i < imp.count; i++)
    {
        double step = qvDistance(qvVec3_FromFloat(imp.points[i]), qvVec3_FromFloat(imp.rest[i]));
        if (imp.rest[i].y < 0.6f || imp.rest[i].y > 1.15f)
            assert_true(step == 0.0);
        if (imp.rest[i].x > 0.8f && imp.rest[i].y > 0.6f && imp.rest[i].y < 1.1f)
            assert_true(step > 0.3);
    }
    DropShape(&imp);
}

static void TestMirroredAndMasked(void** state)
{
    (void)state;
    Shape imp = MakeShape("imp", 20);
    qvStroke stroke = MakeBend(&imp, Farthest(&imp, qvMakeVec3(1.0, 0.0, 0.0)));
    stroke.drag = qvMakeVec3(-0.2, 0.5, 0.1);
    stroke.angle = 0.7;
    Apply(&imp, &stroke);
    qvVec3f* right = malloc((size_t)imp.count * sizeof(qvVec3f));
    assert_non_null(right);
    memcpy(right, imp.points, (size_t)imp.count * sizeof(qvVec3f));
    stroke.mirror = 1;
    Apply(&imp, &stroke);
    for (int i = 0; i < imp.count; i++)
    {
        if (imp.rest[i].x > 0.0f)
            assert_memory_equal(&imp.points[i], &right[i], sizeof(qvVec3f));
        int twin = -1;
        for (int k = 0; k < imp.count; k++)
        {
            if (fabsf(imp.rest[k].x + imp.rest[i].x) < 1e-6f && fabsf(imp.rest[k].y - imp.rest[i].y) < 1e-6f &&
                fabsf(imp.rest[k].z - imp.rest[i].z) < 1e-6f)
                twin = k;
        }
        assert_true(twin >= 0);
        qvVec3 image = qvVec3_FromFloat(imp.points[twin]);
        image.x = -image.x;
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(imp.points[i]), image), 0.0, 1e-5);
    }
    // Pinned and masked points stay to the bit.
    float* weights = calloc((size_t)imp.count, sizeof(float));
    assert_non_null(weights);
    qvError error;
    qvStrokeTarget target = { .pointCount = imp.count, .weights = weights, .topology = imp.topology };
    memcpy(imp.points, imp.rest, (size_t)imp.count * sizeof(qvVec3f));
    ASSERT_OK(qvStroke_Applyf(&stroke, &target, NULL, imp.points, &error), error);
    assert_memory_equal(imp.points, imp.rest, (size_t)imp.count * sizeof(qvVec3f));
    free(weights);
    free(right);
    DropShape(&imp);
}

// A limb that reaches over the mirror plane meets its image without a jump, and both agree there.
static void TestImagesThatMeet(void** state)
{
    (void)state;
    Shape ball = MakeShape("sphere", 24);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("bend"), 3.0);
    stroke.mirror = 1;
    stroke.drag = qvMakeVec3(0.2, 0.0, 0.3);
    stroke.joint = qvMakeVec3(0.0, 0.6, 0.0);
    stroke.radius = 0.3;
    for (int round = 0; round < 2; round++)
    {
        stroke.at = qvMakeVec3(round == 0 ? 0.02 : 0.3, 1.9, 0.0);
        Apply(&ball, &stroke);
        for (int i = 0; i < ball.topology->edgeCount; i++)
        {
            const int32_t* p = ball.topology->edges[i].point;
            double before = qvDistance(qvVec3_FromFloat(ball.rest[p[0]]), qvVec3_FromFloat(ball.rest[p[1]]));
            double after = qvDistance(qvVec3_FromFloat(ball.points[p[0]]), qvVec3_FromFloat(ball.points[p[1]]));
            assert_true(after < 2.5 * before);
        }
    }
    DropShape(&ball);
}

// --- Twist, stretch, chains ------------------------------------------------------------------------------------------

static void TestTwistAndStretch(void** state)
{
    (void)state;
    Shape arm = MakeShape("tentacle", 24);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("bend"), 2.0);
    stroke.at = qvMakeVec3(0.0, 1.9, 0.0);
    stroke.joint = qvMakeVec3(0.0, 0.5, 0.0);
    stroke.radius = 0.2;
    stroke.poisson = 0.5;
    double volume = qvComputeVolume(arm.topology, arm.rest);
    for (int segments = 1; segments <= 4; segments++)
    {
        stroke.segments = segments;
        stroke.angle = 1.2;
        stroke.amount = 0.0;
        Apply(&arm, &stroke);
        for (int i = 0; i < arm.count; i++)
        {
            qvVec3 a = qvVec3_FromFloat(arm.rest[i]), b = qvVec3_FromFloat(arm.points[i]);
            ASSERT_NEAR(a.y, b.y, 1e-6);
            ASSERT_NEAR(hypot(a.x, a.z), hypot(b.x, b.z), 1e-6);
            if (a.y >= 1.9f && hypot(a.x, a.z) > 1e-3)
                ASSERT_NEAR(fabs(remainder(atan2(b.x, b.z) - atan2(a.x, a.z), QV_TWO_PI)), 1.2, 1e-3);
            if (a.y < 0.3f)
                assert_memory_equal(&arm.rest[i], &arm.points[i], sizeof(qvVec3f));
        }
        stroke.angle = 0.0;
        stroke.amount = 0.5;
        Apply(&arm, &stroke);
        double top = 0.0;
        for (int i = 0; i < arm.count; i++)
            top = fmax(top, arm.points[i].y);
        // Half as long again beyond the joint, the stretch about the joint halfway.
        ASSERT_NEAR(top, 2.0 + 0.5 * 1.5, 1e-3);
        ASSERT_NEAR(qvComputeVolume(arm.topology, arm.points) / volume, 1.0, 0.02);
    }
    DropShape(&arm);
}

// A chain curls: with more segments the tip of a tentacle gets to places that one piece cannot reach.
static void TestChainOfTentacle(void** state)
{
    (void)state;
    Shape arm = MakeShape("tentacle", 24);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("bend"), 2.0);
    stroke.at = Farthest(&arm, qvMakeVec3(0.0, 1.0, 0.0));
    stroke.joint = qvMakeVec3(0.0, 0.4, 0.0);
    stroke.radius = 0.2;
    stroke.drag = qvMakeVec3(0.9, -0.9, 0.0);
    for (int segments = 1; segments <= 4; segments++)
    {
        stroke.segments = segments;
        Apply(&arm, &stroke);
        double miss = INFINITY;
        for (int i = 0; i < arm.count; i++)
        {
            if (arm.rest[i].y > 1.99f)
                miss = fmin(miss, qvDistance(qvVec3_FromFloat(arm.points[i]), qvAdd(stroke.at, stroke.drag)));
        }
        assert_true(segments == 1 ? miss > 0.2 : miss < 0.03);
    }
    DropShape(&arm);
}

// A limb of no length does nothing, and inwards along itself a limb of one piece stays.
static void TestNoLimb(void** state)
{
    (void)state;
    Shape arm = MakeShape("tentacle", 12);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("bend"), 2.0);
    stroke.at = stroke.joint = qvMakeVec3(0.0, 1.0, 0.0);
    stroke.drag = qvMakeVec3(0.4, 0.0, 0.0);
    Apply(&arm, &stroke);
    assert_memory_equal(arm.points, arm.rest, (size_t)arm.count * sizeof(qvVec3f));
    for (int segments = 1; segments <= 4; segments++)
    {
        stroke.joint = qvMakeVec3(0.0, 0.0, 0.0);
        stroke.drag = qvMakeVec3(0.0, -2.5, 0.0);
        stroke.segments = segments;
        Apply(&arm, &stroke);
        for (int i = 0; i < arm.count; i++)
            assert_true(isfinite(arm.points[i].x) && isfinite(arm.points[i].y) && isfinite(arm.points[i].z));
    }
    DropShape(&arm);
}

// --- Finding ---------------------------------------------------------------------------------------------------------

static void TestFinding(void** state)
{
    (void)state;
    qvError error;
    qvLimb limb;
    Shape imp = MakeShape("imp", 30);
    // Touched in the middle of the forearm, the hand is no body.
    qvVec3 forearm = qvMakeVec3(0.55, 0.96, 0.0);
    ASSERT_OK(qvFindLimb(imp.topology, imp.rest, forearm, 0.0, &limb, &error), error);
    assert_true(limb.found && limb.joint.x > 0.2 && limb.joint.x < 0.5);
    // At a distance: nearer the hand, in the middle of the arm.
    qvVec3 hand = Farthest(&imp, qvMakeVec3(1.0, 0.0, 0.0));
    ASSERT_OK(qvFindLimb(imp.topology, imp.rest, hand, 0.42, &limb, &error), error);
    assert_true(limb.found && limb.joint.x > 0.5 && limb.joint.x < 0.75);
    ASSERT_NEAR(limb.joint.z, 0.0, 0.03);
    // A foot has its leg.
    ASSERT_OK(qvFindLimb(imp.topology, imp.rest, qvMakeVec3(0.26, 0.1, 0.33), 0.0, &limb, &error), error);
    assert_true(limb.found && limb.joint.y > 0.1 && limb.joint.y < 0.6 && limb.joint.x > 0.1);
    DropShape(&imp);
    // A ball has no limbs, but a ring at any distance.
    Shape ball = MakeShape("sphere", 24);
    ASSERT_OK(qvFindLimb(ball.topology, ball.rest, qvMakeVec3(0.0, 2.0, 0.0), 0.0, &limb, &error), error);
    assert_false(limb.found);
    ASSERT_OK(qvFindLimb(ball.topology, ball.rest, qvMakeVec3(0.0, 2.0, 0.0), 1.0, &limb, &error), error);
    assert_true(limb.found);
    ASSERT_NEAR(limb.joint.y, 1.54, 0.03);
    ASSERT_OK(qvFindLimb(ball.topology, ball.rest, qvMakeVec3(0.0, 2.0, 0.0), 1e9, &limb, &error), error);
    DropShape(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTipArrives),
        cmocka_unit_test(TestRodKeepsLengthAndSections),
        cmocka_unit_test(TestArmOfImp),
        cmocka_unit_test(TestJointInShoulder),
        cmocka_unit_test(TestMirroredAndMasked),
        cmocka_unit_test(TestImagesThatMeet),
        cmocka_unit_test(TestTwistAndStretch),
        cmocka_unit_test(TestChainOfTentacle),
        cmocka_unit_test(TestNoLimb),
        cmocka_unit_test(TestFinding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
