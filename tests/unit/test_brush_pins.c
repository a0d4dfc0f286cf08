// SPDX-License-Identifier: GPL-3.0-or-later
// Pins under strokes: pinned points stay exactly where they are, and the field bends around them.
#include "random_vectors.h"
#include "testing.h"

#include "quaver/brush.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Body
{
    qvMesh* mesh;
    qvTopology* topology;
    int count;
    qvVec3f *rest, *points;
    uint8_t* pinned;
} Body;

static Body MakeBody(const char* primitive, int resolution)
{
    Body body;
    qvError error;
    ASSERT_OK(qvCreatePrimitive(primitive, resolution, &body.mesh, &error), error);
    ASSERT_OK(qvCreateTopology(body.mesh, &body.topology, &error), error);
    body.count = body.topology->pointCount;
    body.rest = calloc((size_t)body.count, sizeof(qvVec3f));
    body.points = calloc((size_t)body.count, sizeof(qvVec3f));
    body.pinned = calloc((size_t)body.count, 1);
    assert_true(body.rest != NULL && body.points != NULL && body.pinned != NULL);
    qvMesh_GatherPoints(body.mesh, body.mesh->positions, body.rest);
    return body;
}

static void DropBody(Body* body)
{
    free(body->rest);
    free(body->points);
    free(body->pinned);
    qvDestroyTopology(body->topology);
    qvDestroyMesh(body->mesh);
}

// Pins what is below a height; returns how many.
static int PinBelow(Body* body, double height)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
    {
        body->pinned[i] = body->rest[i].y < height;
        count += body->pinned[i];
    }
    return count;
}

static void Apply(Body* body, const qvStroke* stroke, const qvStrokeWave* wave)
{
    qvError error;
    const qvStrokeGround ground = { .up = { 0.0, 1.0, 0.0 } };
    qvStrokeTarget target = {
        .pointCount = body->count, .topology = body->topology, .pinned = body->pinned, .ground = &ground
    };
    memcpy(body->points, body->rest, (size_t)body->count * sizeof(qvVec3f));
    ASSERT_OK(qvStroke_Applyf(stroke, &target, wave, body->points, &error), error);
}

static qvVec3 PlaceOf(const qvVec3f* points, int i)
{
    return qvVec3_FromFloat(points[i]);
}

static int TopOf(const Body* body)
{
    int top = 0;
    for (int i = 0; i < body->count; i++)
        top = body->rest[i].y > body->rest[top].y ? i : top;
    return top;
}

static void AssertHeld(const Body* body)
{
    for (int i = 0; i < body->count; i++)
    {
        if (body->pinned[i] != 0)
            assert_memory_equal(&body->points[i], &body->rest[i], sizeof(qvVec3f));
    }
}

// The longest that an edge has become, over what it was.
static double LongestStretch(const Body* body)
{
    double longest = 0.0;
    for (int e = 0; e < body->topology->edgeCount; e++)
    {
        const int32_t* p = body->topology->edges[e].point;
        double before = qvDistance(PlaceOf(body->rest, p[0]), PlaceOf(body->rest, p[1]));
        double after = qvDistance(PlaceOf(body->points, p[0]), PlaceOf(body->points, p[1]));
        longest = fmax(longest, after / before);
    }
    return longest;
}

// The most by which displacements differ along an edge, over the edge's length.
static double SteepestAlongEdges(const Body* body)
{
    double steepest = 0.0;
    for (int e = 0; e < body->topology->edgeCount; e++)
    {
        const int32_t* p = body->topology->edges[e].point;
        qvVec3 a = qvSub(PlaceOf(body->points, p[0]), PlaceOf(body->rest, p[0]));
        qvVec3 b = qvSub(PlaceOf(body->points, p[1]), PlaceOf(body->rest, p[1]));
        double length = qvDistance(PlaceOf(body->rest, p[0]), PlaceOf(body->rest, p[1]));
        steepest = fmax(steepest, qvDistance(a, b) / length);
    }
    return steepest;
}

// Any brush, any radius, one side or both: what is pinned has the same bits afterwards, and the rest moves.
static void TestPinnedStay(void** state)
{
    (void)state;
    Body body = MakeBody("sack", 24);
    assert_true(PinBelow(&body, 0.5) > 20);
    static const double radii[] = { 0.1, 0.45, 2.0, 6.0 };
    for (int i = 0; i < qvBrushCount(); i++)
    {
        for (int r = 0; r < 4; r++)
        {
            for (int scales = 1; scales <= 3; scales++)
            {
                qvStroke stroke = qvDefaultStroke(qvGetBrush(i), 3.0);
                stroke.at = PlaceOf(body.rest, TopOf(&body));
                stroke.joint = qvMakeVec3(0.0, 0.9, 0.0);
                stroke.drag = qvMakeVec3(0.5, 0.2, 0.1);
                stroke.angle = 1.0;
                stroke.amount = 0.4;
                stroke.radius = radii[r];
                stroke.scales = scales;
                stroke.mirror = scales == 2 ? 1 : 0;
                stroke.pins = true;
                Apply(&body, &stroke, NULL);
                AssertHeld(&body);
                assert_true(isfinite(LongestStretch(&body)));
                assert_true(memcmp(body.points, body.rest, (size_t)body.count * sizeof(qvVec3f)) != 0);
            }
        }
    }
    DropBody(&body);
}

// Pulled at its top with a brush that is as large as the body, a sack that stands on pins stretches evenly: the top
// arrives, and no edge takes much more of it than its share.
static void TestFieldBendsAround(void** state)
{
    (void)state;
    Body body = MakeBody("sack", 24);
    PinBelow(&body, 0.3);
    for (int scales = 1; scales <= 2; scales++)
    {
        qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 3.0);
        int top = TopOf(&body);
        stroke.at = PlaceOf(body.rest, top);
        stroke.radius = 2.0;
        stroke.scales = scales;
        stroke.drag = qvMakeVec3(0.0, 0.6, 0.0);
        stroke.pins = true;
        Apply(&body, &stroke, NULL);
        AssertHeld(&body);
        ASSERT_NEAR(qvDistance(PlaceOf(body.points, top), qvAdd(stroke.at, stroke.drag)), 0.0, 2e-3);
        // 0.6 over 1.7 is 0.35 everywhere if it were quite even.
        assert_true(SteepestAlongEdges(&body) < 1.2);
        stroke.pins = false;
        Apply(&body, &stroke, NULL);
        assert_true(memcmp(body.points, body.rest, sizeof(qvVec3f)) != 0);
    }
    DropBody(&body);
}

// A single pinned point holds, and so does a row of them between two parts of a sheet.
static void TestFewPins(void** state)
{
    (void)state;
    Body body = MakeBody("sheet", 32);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 3.0);
    int middle = 0;
    for (int i = 0; i < body.count; i++)
        middle =
            hypot(body.rest[i].x, body.rest[i].z - 0.0) < hypot(body.rest[middle].x, body.rest[middle].z) ? i : middle;
    body.pinned[middle] = 1;
    stroke.at = qvAdd(PlaceOf(body.rest, middle), qvMakeVec3(0.4, 0.0, 0.0));
    stroke.radius = 0.6;
    stroke.drag = qvMakeVec3(0.0, 0.4, 0.0);
    stroke.pins = true;
    Apply(&body, &stroke, NULL);
    AssertHeld(&body);
    assert_true(SteepestAlongEdges(&body) < 3.0);
    DropBody(&body);
}

// Nothing pinned: the same bits with and without. On a pinned point a stroke does nothing.
static void TestWithoutPins(void** state)
{
    (void)state;
    Body body = MakeBody("imp", 0);
    qvVec3f* plain = calloc((size_t)body.count, sizeof(*plain));
    assert_non_null(plain);
    for (int i = 0; i < qvBrushCount(); i++)
    {
        qvStroke stroke = qvDefaultStroke(qvGetBrush(i), 3.0);
        stroke.at = PlaceOf(body.rest, TopOf(&body));
        stroke.joint = qvMakeVec3(0.0, 1.0, 0.0);
        stroke.drag = qvMakeVec3(0.3, 0.1, 0.0);
        stroke.angle = stroke.amount = 0.5;
        Apply(&body, &stroke, NULL);
        memcpy(plain, body.points, (size_t)body.count * sizeof(*plain));
        stroke.pins = true;
        Apply(&body, &stroke, NULL);
        assert_memory_equal(plain, body.points, (size_t)body.count * sizeof(*plain));
        body.pinned[TopOf(&body)] = 1;
        Apply(&body, &stroke, NULL);
        assert_memory_equal(body.rest, body.points, (size_t)body.count * sizeof(*plain));
        // A scene without the field does not know of pins.
        stroke.pins = false;
        Apply(&body, &stroke, NULL);
        assert_memory_equal(plain, body.points, (size_t)body.count * sizeof(*plain));
        body.pinned[TopOf(&body)] = 0;
    }
    free(plain);
    DropBody(&body);
}

// A centre that is pulled towards pins does not go through them.
static void TestPulledTowardsPins(void** state)
{
    (void)state;
    Body body = MakeBody("sack", 24);
    PinBelow(&body, 0.5);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 3.0);
    int top = TopOf(&body);
    stroke.at = PlaceOf(body.rest, top);
    stroke.radius = 1.0;
    stroke.scales = 2;
    stroke.drag = qvMakeVec3(0.0, -2.5, 0.0);
    stroke.pins = true;
    Apply(&body, &stroke, NULL);
    AssertHeld(&body);
    for (int i = 0; i < body.count; i++)
        assert_true(isfinite(body.points[i].y) && fabsf(body.points[i].x) < 4.0f);
    DropBody(&body);
}

// As a wave the stroke tends to the pose that has the pins, and leaves them where they are at the end.
static void TestPushTendsToThePose(void** state)
{
    (void)state;
    Body body = MakeBody("sack", 16);
    PinBelow(&body, 0.4);
    qvVec3f* pose = calloc((size_t)body.count, sizeof(*pose));
    assert_non_null(pose);
    static const char* const tags[] = { "grab", "twist", "bend" };
    for (int t = 0; t < 3; t++)
    {
        qvStroke stroke = qvDefaultStroke(qvFindBrush(tags[t]), 3.0);
        stroke.at = PlaceOf(body.rest, TopOf(&body));
        stroke.joint = qvMakeVec3(0.0, 0.9, 0.0);
        stroke.drag = qvMakeVec3(0.5, 0.1, 0.0);
        stroke.angle = 0.8;
        stroke.pins = true;
        Apply(&body, &stroke, NULL);
        memcpy(pose, body.points, (size_t)body.count * sizeof(*pose));
        qvStrokeWave wave = { .age = 200.0, .speed = 3.0 };
        Apply(&body, &stroke, &wave);
        AssertHeld(&body);
        for (int i = 0; i < body.count; i++)
            ASSERT_NEAR(qvDistance(PlaceOf(body.points, i), PlaceOf(pose, i)), 0.0, 1e-4);
    }
    free(pose);
    DropBody(&body);
}

static double LowestOf(const Body* body)
{
    double lowest = INFINITY;
    for (int i = 0; i < body->count; i++)
        lowest = fmin(lowest, (double)body->points[i].y);
    return lowest;
}

// Squashed from above with a brush that reaches the whole body, its feet stay where they stand: nothing sinks, and what
// stood still does. Without the ground it sinks.
static void TestFeetStayOnGround(void** state)
{
    (void)state;
    Body body = MakeBody("imp", 0);
    for (int i = 0; i < qvBrushCount(); i++)
    {
        qvStroke stroke = qvDefaultStroke(qvGetBrush(i), 3.0);
        stroke.at = PlaceOf(body.rest, TopOf(&body));
        stroke.joint = qvMakeVec3(0.0, 1.0, 0.0);
        stroke.drag = qvMakeVec3(0.1, -0.6, 0.0);
        stroke.angle = 0.6;
        stroke.amount = strcmp(stroke.brush->tag, "smooth") == 0 ? 0.3 : -0.3;
        stroke.radius = 2.0;
        Apply(&body, &stroke, NULL);
        bool sinks = LowestOf(&body) < -0.01;
        assert_true(sinks || strcmp(stroke.brush->tag, "grab") != 0);
        stroke.ground = true;
        Apply(&body, &stroke, NULL);
        assert_true(LowestOf(&body) >= -1e-6);
        for (int k = 0; sinks && k < body.count; k++)
        {
            if (body.rest[k].y < 0.005f)
                assert_true(body.points[k].y < 0.05f);
        }
        assert_true(LongestStretch(&body) < 6.0);
    }
    DropBody(&body);
}

// A hand that is dragged through the ground lies on it; feet can be lifted off.
static void TestGroundStopsAndLetsGo(void** state)
{
    (void)state;
    Body body = MakeBody("sack", 20);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 3.0);
    int side = 0;
    for (int i = 0; i < body.count; i++)
        side = body.rest[i].x > body.rest[side].x ? i : side;
    stroke.at = PlaceOf(body.rest, side);
    stroke.drag = qvMakeVec3(0.3, -4.0, 0.0);
    stroke.radius = 0.3;
    stroke.ground = true;
    Apply(&body, &stroke, NULL);
    assert_true(LowestOf(&body) >= -1e-6);
    ASSERT_NEAR(body.points[side].y, 0.0, 1e-3);
    stroke.at = qvMakeVec3(0.0, 0.0, 0.0);
    stroke.drag = qvMakeVec3(0.0, 0.5, 0.0);
    stroke.radius = 2.0;
    Apply(&body, &stroke, NULL);
    qvVec3f* held = malloc((size_t)body.count * sizeof(*held));
    assert_non_null(held);
    memcpy(held, body.points, (size_t)body.count * sizeof(*held));
    stroke.ground = false;
    Apply(&body, &stroke, NULL);
    assert_memory_equal(held, body.points, (size_t)body.count * sizeof(*held));
    free(held);
    DropBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPinnedStay),        cmocka_unit_test(TestFieldBendsAround),
        cmocka_unit_test(TestFewPins),           cmocka_unit_test(TestWithoutPins),
        cmocka_unit_test(TestPulledTowardsPins), cmocka_unit_test(TestPushTendsToThePose),
        cmocka_unit_test(TestFeetStayOnGround),  cmocka_unit_test(TestGroundStopsAndLetsGo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
