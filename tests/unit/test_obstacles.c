// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles and the rigid paths that move them: distances against closed forms, normals and velocities against finite
// differences, and two continuous derivatives at keys.
#include "testing.h"

#include "body/rigid_path.h"
#include "math/rotation.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/obstacle.h"
#include "quaver/primitive.h"
#include "random_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    KEYS = 5
};

static qvQuat RandomQuat(uint64_t* random)
{
    qvQuat q = { RandomSigned(random), RandomSigned(random), RandomSigned(random), RandomSigned(random) };
    return qvQuat_Normalize(q);
}

static void MakeKeys(uint64_t* random, double times[KEYS], qvRigid poses[KEYS])
{
    double time = 0.3;
    for (int i = 0; i < KEYS; i++)
    {
        times[i] = time;
        time += 0.1 + RandomUnit(random);
        poses[i] = (qvRigid){ RandomQuat(random), RandomVec3(random) };
    }
}

static double RotationApart(qvQuat a, qvQuat b)
{
    return qvLength(qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(a), b)));
}

static void CompareStates(const qvRigidState* a, const qvRigidState* b, double tolerance)
{
    ASSERT_NEAR(qvDistance(a->pose.position, b->pose.position), 0.0, tolerance);
    ASSERT_NEAR(RotationApart(a->pose.rotation, b->pose.rotation), 0.0, tolerance);
    ASSERT_NEAR(qvDistance(a->velocity, b->velocity), 0.0, tolerance);
    ASSERT_NEAR(qvDistance(a->spin, b->spin), 0.0, tolerance);
    ASSERT_NEAR(qvDistance(a->acceleration, b->acceleration), 0.0, tolerance);
    ASSERT_NEAR(qvDistance(a->spinRate, b->spinRate), 0.0, tolerance);
}

// The velocities that a path states are those of its poses, and the accelerations those of its velocities.
static void CheckRates(const qvRigidPath* path, double time)
{
    double h = 1e-6;
    qvRigidState a = qvRigidPath_Evaluate(path, time - h), s = qvRigidPath_Evaluate(path, time);
    qvRigidState b = qvRigidPath_Evaluate(path, time + h);
    qvVec3 turn = qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(a.pose.rotation), b.pose.rotation));
    ASSERT_NEAR(qvDistance(qvScale(0.5 / h, qvSub(b.pose.position, a.pose.position)), s.velocity), 0.0, 1e-7);
    ASSERT_NEAR(qvDistance(qvScale(0.5 / h, turn), s.spin), 0.0, 1e-6);
    ASSERT_NEAR(qvDistance(qvScale(0.5 / h, qvSub(b.velocity, a.velocity)), s.acceleration), 0.0, 1e-5);
    ASSERT_NEAR(qvDistance(qvScale(0.5 / h, qvSub(b.spin, a.spin)), s.spinRate), 0.0, 1e-5);
}

static void TestPath(void** state)
{
    uint64_t random = 11;
    for (int round = 0; round < 12; round++)
    {
        double times[KEYS];
        qvRigid poses[KEYS];
        qvError error;
        qvRigidPath* path;
        MakeKeys(&random, times, poses);
        double period = round % 2 == 0 ? 0.0 : times[KEYS - 1] - times[0] + 0.2 + RandomUnit(&random);
        ASSERT_OK(qvCreateRigidPath(times, poses, KEYS, period, &path, &error), error);
        for (int i = 0; i < KEYS; i++)
        {
            qvRigidState before = qvRigidPath_Evaluate(path, times[i] - 1e-12);
            qvRigidState after = qvRigidPath_Evaluate(path, times[i] + 1e-12);
            ASSERT_NEAR(qvDistance(after.pose.position, poses[i].position), 0.0, 1e-10);
            ASSERT_NEAR(RotationApart(after.pose.rotation, poses[i].rotation), 0.0, 1e-10);
            bool isEnd = i == 0 || i == KEYS - 1;
            if (period > 0.0 || !isEnd)
            {
                CompareStates(&before, &after, 1e-7);
                assert_true(qvLength(after.velocity) > 1e-3 && qvLength(after.acceleration) > 1e-3);
            }
            else
            {
                ASSERT_NEAR(qvLength(before.velocity) + qvLength(after.velocity), 0.0, 1e-9);
                ASSERT_NEAR(qvLength(before.spin) + qvLength(after.spin), 0.0, 1e-9);
            }
        }
        for (int i = 0; i < 40; i++)
        {
            double time = times[0] + (times[KEYS - 1] - times[0]) * (i + 0.37) / 40.0;
            CheckRates(path, time);
            if (period > 0.0)
            {
                qvRigidState one = qvRigidPath_Evaluate(path, time);
                qvRigidState later = qvRigidPath_Evaluate(path, time + 3.0 * period);
                qvRigidState earlier = qvRigidPath_Evaluate(path, time - 2.0 * period);
                CompareStates(&one, &later, 1e-9);
                CompareStates(&one, &earlier, 1e-9);
            }
        }
        if (period == 0.0)
        {
            qvRigidState late = qvRigidPath_Evaluate(path, times[KEYS - 1] + 5.0);
            assert_true(qvDistance(late.pose.position, poses[KEYS - 1].position) == 0.0);
            assert_true(qvLength(late.velocity) == 0.0 && qvLength(late.spin) == 0.0);
        }
        qvDestroyRigidPath(path);
    }
    (void)state;
}

// Turns about one axis are the cubic spline of the angle; a loop of whole turns goes on at constant speed.
static void TestTurning(void** state)
{
    double times[4];
    qvRigid poses[4];
    qvError error;
    qvRigidPath* path;
    for (int i = 0; i < 4; i++)
    {
        times[i] = 1.0 + 0.5 * i;
        poses[i] = (qvRigid){ qvQuat_Exp(qvMakeVec3(0.0, 0.5 * 3.14159265358979323846 * i, 0.0)), { 1.0, 2.0, 3.0 } };
    }
    ASSERT_OK(qvCreateRigidPath(times, poses, 4, 2.0, &path, &error), error);
    for (int i = 0; i < 50; i++)
    {
        qvRigidState s = qvRigidPath_Evaluate(path, -3.0 + 0.171 * i);
        ASSERT_NEAR(s.spin.y, 3.14159265358979323846, 1e-12);
        ASSERT_NEAR(qvLength(s.spinRate), 0.0, 1e-10);
        ASSERT_NEAR(qvDistance(s.pose.position, poses[0].position), 0.0, 1e-12);
    }
    qvDestroyRigidPath(path);
    // One key, in a loop and not: it stands still.
    for (int i = 0; i < 2; i++)
    {
        ASSERT_OK(qvCreateRigidPath(times, poses, 1, i, &path, &error), error);
        qvRigidState s = qvRigidPath_Evaluate(path, 1.7);
        ASSERT_NEAR(qvLength(s.velocity) + qvLength(s.spin), 0.0, 1e-12);
        ASSERT_NEAR(qvDistance(s.pose.position, poses[0].position), 0.0, 1e-12);
        qvDestroyRigidPath(path);
    }
    (void)state;
}

// Ground, sphere, box and mesh, all turned, moving, some of them vessels.
typedef struct Course
{
    qvObstacleDef defs[8];
    qvObstacleKey keys[8][3];
    qvMesh* mesh;
    qvObstacles* obstacles;
} Course;

static void MakeCourse(Course* course, const double* loop, bool moves)
{
    uint64_t random = 5;
    qvError error;
    ASSERT_OK(qvCreatePrimitive("torus", 24, &course->mesh, &error), error);
    for (int i = 0; i < 8; i++)
    {
        qvObstacleDef* def = &course->defs[i];
        *def = qvDefaultObstacleDef();
        def->shape = (qvObstacleShape)(i / 2);
        def->inside = i % 2 == 1;
        def->radius = 0.6;
        def->size = qvMakeVec3(0.8, 1.4, 1.0);
        def->mesh = course->mesh;
        def->friction = 0.1 * i;
        def->at = RandomVec3(&random);
        def->rotate = RandomQuat(&random);
        for (int k = 0; k < 3; k++)
            course->keys[i][k] = (qvObstacleKey){ 0.2 + 0.5 * k, RandomVec3(&random), RandomQuat(&random) };
        def->keyCount = moves ? 3 : 0;
        def->keys = course->keys[i];
    }
    ASSERT_OK(qvCreateObstacles(course->defs, 8, loop, NULL, &course->obstacles, &error), error);
    assert_int_equal(qvObstacles_Count(course->obstacles), 8);
}

static void FreeCourse(Course* course)
{
    qvDestroyObstacles(course->obstacles);
    qvDestroyMesh(course->mesh);
}

// In the obstacle's own axes.
static double ClosedForm(const qvObstacleDef* def, qvVec3 p)
{
    double across = hypot(p.x, p.z), x = fabs(p.x) - 0.4, y = fabs(p.y) - 0.7, z = fabs(p.z) - 0.5;
    double distance = p.y;
    if (def->shape == qv_shapeSphere)
        distance = qvLength(p) - 0.6;
    else if (def->shape == qv_shapeBox)
        distance = qvLength(qvMakeVec3(fmax(x, 0), fmax(y, 0), fmax(z, 0))) + fmin(0.0, fmax(x, fmax(y, z)));
    else if (def->shape == qv_shapeMesh)
    {
        qvVec3f lower = def->mesh->bounds.lower, upper = def->mesh->bounds.upper;
        double tube = 0.5 * (upper.y - lower.y), ring = upper.x - tube;
        distance = hypot(across - ring, p.y - 0.5 * (upper.y + lower.y)) - tube;
    }
    return def->inside ? -distance : distance;
}

static void TestDistances(void** state)
{
    Course course;
    qvObstaclePlace places[8];
    MakeCourse(&course, NULL, false);
    qvObstacles_Place(course.obstacles, 0.7, places);
    uint64_t random = 9;
    for (int n = 0; n < 4000; n++)
    {
        int i = n % 8;
        const qvObstacleDef* def = &course.defs[i];
        qvVec3 p = qvScale(2.0, RandomVec3(&random)), own;
        own = qvQuat_Rotate(qvQuat_Conjugate(def->rotate), qvSub(p, def->at));
        qvObstacleTouch touch = qvObstacles_Touch(course.obstacles, places, i, p);
        bool isMesh = def->shape == qv_shapeMesh;
        double exact = ClosedForm(def, own);
        ASSERT_NEAR(touch.distance, exact, isMesh ? 0.01 + 0.01 * fabs(exact) : 1e-12);
        ASSERT_NEAR(qvLength(touch.normal), 1.0, 1e-12);
        ASSERT_NEAR(qvLength(touch.velocity), 0.0, 0.0);
        assert_true(touch.obstacle == i && touch.friction == def->friction);
        qvVec3 slope; // of the distance, but where two ways out meet
        double h = 1e-6, *slopes = &slope.x;
        for (int k = 0; k < 3; k++)
        {
            const double step[3] = { k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0 };
            qvVec3 d = qvMakeVec3(step[0], step[1], step[2]);
            slopes[k] = (qvObstacles_Touch(course.obstacles, places, i, qvAdd(p, d)).distance -
                         qvObstacles_Touch(course.obstacles, places, i, qvSub(p, d)).distance) /
                        (2.0 * h);
        }
        if (!isMesh && fabs(qvLength(slope) - 1.0) < 1e-6)
            ASSERT_NEAR(qvDistance(slope, touch.normal), 0.0, 1e-5);
        if (isMesh && fabs(touch.distance) < 0.1)
            assert_true(qvDot(slope, touch.normal) > 0.99 * qvLength(slope));
        if (n % 9 != 0) // one of each
            continue;
        qvObstacleTouch nearest = qvObstacles_Nearest(course.obstacles, places, p);
        for (int k = 0; k < 8; k++)
            assert_true(nearest.distance <= qvObstacles_Touch(course.obstacles, places, k, p).distance);
    }
    FreeCourse(&course);
    (void)state;
}

// --- Out of all of them --------------------------------------------------------------------------------------------

enum
{
    MOST_PARTS = 6,
    UNIONS = 300,
    POINTS = 8,
    SAMPLES = 1000
};

// Ground, boxes and spheres that overlap, here and there with one around all of them.
typedef struct Union
{
    int count;
    qvObstacleDef defs[MOST_PARTS];
    qvObstacles* obstacles;
    qvObstaclePlace places[MOST_PARTS];
} Union;

static void MakeUnion(uint64_t* random, Union* made)
{
    qvError error;
    made->count = 2 + (int)(RandomUnit(random) * (MOST_PARTS - 1.001));
    bool isUpright = RandomUnit(random) < 0.5, hasVessel = RandomUnit(random) < 0.2;
    for (int i = 0; i < made->count; i++)
    {
        qvObstacleDef* def = &made->defs[i];
        *def = qvDefaultObstacleDef();
        def->radius = 0.3 + 0.7 * RandomUnit(random);
        def->size = qvMakeVec3(0.4 + RandomUnit(random), 0.4 + RandomUnit(random), 0.4 + RandomUnit(random));
        def->shape = i == 0 ? qv_shapeGround : RandomUnit(random) < 0.5 ? qv_shapeBox : qv_shapeSphere;
        if (i > 0)
            def->at = RandomVec3(random);
        if (i > 0 && isUpright) // stands on the ground
            def->at.y = def->shape == qv_shapeBox ? 0.5 * def->size.y : 0.5 * def->radius;
        if (i > 0 && !isUpright)
            def->rotate = RandomQuat(random);
        if (i == 1 && hasVessel)
        {
            def->inside = true;
            def->at = qvMakeVec3(0.0, 0.0, 0.0);
            def->radius = 2.0;
            def->size = qvMakeVec3(3.0, 4.0, 5.0);
        }
    }
    ASSERT_OK(qvCreateObstacles(made->defs, made->count, NULL, NULL, &made->obstacles, &error), error);
    qvObstacles_Place(made->obstacles, 0.0, made->places);
}

// From all that the defs say, in their own words.
static double UnionDistance(const Union* from, qvVec3 p)
{
    double least = INFINITY;
    for (int i = 0; i < from->count; i++)
    {
        const qvObstacleDef* def = &from->defs[i];
        qvVec3 own = qvQuat_Rotate(qvQuat_Conjugate(def->rotate), qvSub(p, def->at));
        double x = fabs(own.x) - 0.5 * def->size.x, y = fabs(own.y) - 0.5 * def->size.y;
        double z = fabs(own.z) - 0.5 * def->size.z, distance = own.y;
        if (def->shape == qv_shapeSphere)
            distance = qvLength(own) - def->radius;
        else if (def->shape == qv_shapeBox)
            distance = qvLength(qvMakeVec3(fmax(x, 0), fmax(y, 0), fmax(z, 0))) + fmin(0.0, fmax(x, fmax(y, z)));
        least = fmin(least, def->inside ? -distance : distance);
    }
    return least;
}

// The shortest way to a free place that is found by looking at very many, half of them near the shell of that length.
static double SampledWay(const Union* from, uint64_t* random, qvVec3 p, double margin, double most)
{
    double shortest = INFINITY;
    for (int n = 0; n < SAMPLES; n++)
    {
        double share = RandomUnit(random);
        double length = most * (n % 2 == 0 ? cbrt(share) : 1.0 - 0.1 * share);
        qvVec3 way = qvScale(length, qvNormalize(RandomVec3(random)));
        if (length < shortest && UnionDistance(from, qvAdd(p, way)) >= margin)
            shortest = length;
    }
    return shortest;
}

// Whether some step leads off, as none does from between a box and the ground that it stands on.
static bool HasRoom(const Union* from, uint64_t* random, qvVec3 p, double margin)
{
    const double step = 1e-6;
    qvVec3 best = { 0.0, 1.0, 0.0 };
    double most = -INFINITY;
    for (int n = 0; n < SAMPLES && most < margin; n++) // pockets may be narrow: near the best one so far
    {
        double spread = n < SAMPLES / 4 ? 10.0 : pow(0.97, n - SAMPLES / 4);
        qvVec3 direction = qvNormalize(qvMulAdd(best, spread, RandomVec3(random)));
        double distance = UnionDistance(from, qvMulAdd(p, step, direction));
        if (distance > most)
            most = distance, best = direction;
    }
    return most >= margin;
}

// The way out of a union ends outside all of it, and none is shorter.
static void TestWayOut(void** state)
{
    uint64_t random = 77;
    int tried = 0, around = 0, shorter = 0;
    for (int u = 0; u < UNIONS; u++)
    {
        Union made;
        MakeUnion(&random, &made);
        double margin = u % 3 == 0 ? 0.1 * RandomUnit(&random) : 0.0;
        for (int n = 0; n < POINTS; n++)
        {
            qvVec3 p = RandomVec3(&random);
            p.y = n % 2 == 0 ? 0.2 * p.y : p.y;
            double deep = UnionDistance(&made, p);
            qvObstacleTouch touch = qvObstacles_WayOut(made.obstacles, made.places, margin, p);
            ASSERT_NEAR(qvLength(touch.normal), 1.0, 1e-12);
            assert_in_range(touch.obstacle, 0, made.count - 1);
            if (deep >= margin)
            {
                ASSERT_NEAR(touch.distance, deep, 1e-12);
                continue;
            }
            double length = margin - touch.distance;
            assert_true(length > 0.0 && length < 10.0);
            qvVec3 out = qvMulAdd(p, length, touch.normal);
            assert_true(UnionDistance(&made, out) >= margin - 1e-9);
            if (!HasRoom(&made, &random, out, margin))
                fail_msg("union %d: the way ends between obstacles", u);
            // It is a place to stay.
            ASSERT_NEAR(qvObstacles_WayOut(made.obstacles, made.places, margin, out).distance, margin, 1e-9);
            double sampled = SampledWay(&made, &random, p, margin, length);
            shorter += sampled < 0.999 * length ? 1 : 0;
            around += length > 1.001 * (margin - deep) ? 1 : 0;
            tried++;
        }
        qvDestroyObstacles(made.obstacles);
    }
    print_message("%d ways, %d around something, %d too long\n", tried, around, shorter);
    assert_int_equal(shorter, 0);
    assert_true(tried > 1000 && around > 300);
    (void)state;
}

// What lies between a box and the ground that it stands on is in both, however exactly it lies there; a corner is not.
static void TestBetween(void** state)
{
    qvObstacleDef defs[2] = { qvDefaultObstacleDef(), qvDefaultObstacleDef() };
    defs[0].shape = qv_shapeGround;
    defs[1].shape = qv_shapeBox;
    defs[1].size = qvMakeVec3(2.0, 1.0, 2.0);
    defs[1].at = qvMakeVec3(0.0, 0.5, 0.0);
    qvObstacles* obstacles;
    qvObstaclePlace places[2];
    qvError error;
    ASSERT_OK(qvCreateObstacles(defs, 2, NULL, NULL, &obstacles, &error), error);
    qvObstacles_Place(obstacles, 0.0, places);
    const double heights[] = { 0.0, 1e-14, -1e-14, 1e-6, -1e-6, 0.02, -0.02 };
    for (int i = 0; i < 7; i++)
    {
        qvObstacleTouch touch = qvObstacles_WayOut(obstacles, places, 0.0, qvMakeVec3(0.9, heights[i], 0.1));
        ASSERT_NEAR(touch.distance, -hypot(0.1, fmin(heights[i], 0.0)), 1e-12);
        ASSERT_NEAR(0.9 - touch.distance * touch.normal.x, 1.0, 1e-12);
    }
    ASSERT_NEAR(qvObstacles_WayOut(obstacles, places, 0.0, qvMakeVec3(1.0, 0.0, 0.1)).distance, 0.0, 1e-15);
    ASSERT_NEAR(qvObstacles_WayOut(obstacles, places, 0.0, qvMakeVec3(1.5, 0.0, 0.1)).distance, 0.0, 1e-15);
    ASSERT_NEAR(qvObstacles_WayOut(obstacles, places, 0.0, qvMakeVec3(0.5, 1.0, 0.1)).distance, 0.0, 1e-15);
    qvDestroyObstacles(obstacles);
    (void)state;
}

// A round bowl that stands on y = 0: rings of points, each with its radius and height, closed by discs.
static qvMesh* MakeBowl(void)
{
    static const double rings[6][2] = { { 0.0, 0.0 }, { 1.0, 0.0 }, { 1.0, 0.7 },
                                        { 0.8, 0.7 }, { 0.6, 0.2 }, { 0.0, 0.2 } };
    enum
    {
        SIDES = 24
    };
    qvVec3f points[6 * SIDES];
    int32_t corners[5 * SIDES * 6];
    int count = 0;
    for (int r = 0; r < 6; r++)
    {
        for (int k = 0; k < SIDES; k++)
        {
            double angle = QV_TWO_PI * k / SIDES;
            points[r * SIDES + k] =
                (qvVec3f){ (float)(rings[r][0] * sin(angle)), (float)rings[r][1], (float)(rings[r][0] * cos(angle)) };
        }
    }
    for (int r = 0; r < 5; r++)
    {
        for (int k = 0; k < SIDES; k++)
        {
            int a = r * SIDES + k, b = r * SIDES + (k + 1) % SIDES, c = a + SIDES, d = b + SIDES;
            const int32_t both[6] = { a, b, d, a, d, c };
            // The discs' middles are one point each, so that half of their squares have no area.
            for (int t = r == 0 ? 3 : 0; t < (r == 4 ? 3 : 6); t++)
                corners[count++] = both[t];
        }
    }
    for (int i = 0; i < count; i++)
        corners[i] = corners[i] < SIDES ? 0 : corners[i] >= 5 * SIDES ? 5 * SIDES : corners[i];
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 6 * SIDES;
    def.positions = points;
    def.faceCount = count / 3;
    def.corners = corners;
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    return mesh;
}

// Out of the walls of a mesh it is not far, at its inner edges too, where distances from its grid are flat.
static void TestWayOutOfMesh(void** state)
{
    qvError error;
    qvMesh* bowl = MakeBowl();
    qvObstacleDef defs[2] = { qvDefaultObstacleDef(), qvDefaultObstacleDef() };
    defs[0].shape = qv_shapeGround;
    defs[1].shape = qv_shapeMesh;
    defs[1].mesh = bowl;
    defs[1].at.y = 0.9;
    qvObstacles* obstacles;
    ASSERT_OK(qvCreateObstacles(defs, 2, NULL, NULL, &obstacles, &error), error);
    qvObstaclePlace places[2];
    qvObstacles_Place(obstacles, 0.0, places);
    uint64_t random = 3;
    int inside = 0;
    double farthest = 0.0;
    for (int n = 0; n < 20000; n++)
    {
        qvVec3 p = qvAdd(RandomVec3(&random), qvMakeVec3(0.0, 1.25, 0.0));
        double depth = -qvObstacles_Touch(obstacles, places, 1, p).distance;
        if (!(depth > 0.0))
            continue;
        qvObstacleTouch out = qvObstacles_Nearest(obstacles, places, p);
        farthest = fmax(farthest, -out.distance);
        assert_true(qvObstacles_Nearest(obstacles, places, qvMulAdd(p, -out.distance, out.normal)).distance > -1e-6);
        inside++;
    }
    print_message("%d inside, the farthest way out %.3f\n", inside, farthest);
    assert_true(inside > 2000 && farthest < 0.5);
    qvDestroyObstacles(obstacles);
    qvDestroyMesh(bowl);
    (void)state;
}

// A point that is carried along by an obstacle keeps its distance, and moves as the obstacle says.
static void TestVelocities(void** state)
{
    const double loop[2] = { 0.0, 1.6 };
    for (int isLoop = 0; isLoop < 2; isLoop++)
    {
        Course course;
        MakeCourse(&course, isLoop ? loop : NULL, true);
        uint64_t random = 21;
        double fastest = 0.0;
        for (int n = 0; n < 400; n++)
        {
            int i = n % 8;
            double time = 0.25 + 0.9 * RandomUnit(&random) + (isLoop ? 1.6 * (n % 5) : 0.0), h = 1e-6;
            qvVec3 own = RandomVec3(&random), at[3];
            qvObstacleTouch touch[3];
            for (int k = 0; k < 3; k++)
            {
                qvObstaclePlace places[8];
                qvObstacles_Place(course.obstacles, time + (k - 1) * h, places);
                at[k] = qvAdd(places[i].at, qvQuat_Rotate(places[i].rotate, own));
                touch[k] = qvObstacles_Touch(course.obstacles, places, i, at[k]);
            }
            ASSERT_NEAR(qvDistance(qvScale(0.5 / h, qvSub(at[2], at[0])), touch[1].velocity), 0.0, 1e-6);
            ASSERT_NEAR(touch[0].distance, touch[2].distance, 1e-12);
            fastest = fmax(fastest, qvLength(touch[1].velocity));
        }
        assert_true(fastest > 1.0);
        FreeCourse(&course);
    }
    (void)state;
}

static void TestBadObstacles(void** state)
{
    const double loop[2] = { 0.0, 1.0 };
    qvError error;
    qvObstacles* obstacles;
    qvObstacleKey keys[2] = { { 0.5, { 0, 0, 0 }, { 0, 0, 0, 1 } }, { 1.0, { 0, 0, 0 }, { 0, 0, 0, 1 } } };
    qvObstacleDef defs[2] = { qvDefaultObstacleDef(), qvDefaultObstacleDef() };
    defs[1].keyCount = 2, defs[1].keys = keys;
    assert_int_equal(qvCreateObstacles(defs, 2, loop, NULL, &obstacles, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "obstacle 1: the key at 1 s lies outside the loop");
    keys[1].time = 0.5;
    assert_int_equal(qvCreateObstacles(defs, 2, NULL, NULL, &obstacles, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "two keys at 0.5 s");
    defs[0].shape = qv_shapeMesh;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive("sheet", 4, &mesh, &error), error);
    defs[0].mesh = mesh;
    assert_int_equal(qvCreateObstacles(defs, 1, NULL, NULL, &obstacles, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "obstacle 0: The mesh is not closed");
    qvDestroyMesh(mesh);
    ASSERT_OK(qvCreateObstacles(NULL, 0, NULL, NULL, &obstacles, &error), error);
    qvObstacleTouch none = qvObstacles_Nearest(obstacles, NULL, qvMakeVec3(0.0, 0.0, 0.0));
    assert_true(none.obstacle == -1 && none.distance == INFINITY);
    qvDestroyObstacles(obstacles);
    (void)state;
}

static qvVec3 ReadVector(const qvJson* list)
{
    return qvMakeVec3(qvJson_Number(qvJson_At(list, 0)), qvJson_Number(qvJson_At(list, 1)),
                      qvJson_Number(qvJson_At(list, 2)));
}

// The obstacle of a reference case: a plane n x = offset is a ground that is turned.
static qvObstacleDef ReadObstacle(const qvJson* in)
{
    qvObstacleDef def = qvDefaultObstacleDef();
    const char* kind = qvJson_Text(qvJson_Find(in, "kind"));
    def.friction = qvJson_Number(qvJson_Find(in, "friction"));
    if (strcmp(kind, "plane") == 0)
    {
        qvVec3 n = ReadVector(qvJson_Find(in, "n")), up = { 0.0, 1.0, 0.0 };
        def.at = qvScale(qvJson_Number(qvJson_Find(in, "offset")), n);
        qvVec3 axis = qvCross(up, n);
        def.rotate = (qvQuat){ axis.x, axis.y, axis.z, 1.0 + qvDot(up, n) };
        return def;
    }
    def.shape = qv_shapeSphere;
    def.inside = strcmp(kind, "inside_sphere") == 0;
    def.at = ReadVector(qvJson_Find(in, "center"));
    def.radius = qvJson_Number(qvJson_Find(in, "radius"));
    return def;
}

// One step of contact by projection with what the query says, against reference values.
static void TestReference(void** state)
{
    char path[512];
    qvBytes bytes;
    qvError error;
    qvJson* root;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), "reference/H_contact.json"), 1 << 20, &bytes, &error), error);
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &root, &error), error);
    int caseCount = 0;
    for (const qvJson* c = qvJson_First(qvJson_Find(root, "cases")); c != NULL; c = qvJson_Next(c))
    {
        if (strcmp(qvJson_Text(qvJson_Find(c, "op")), "obstacle_project") != 0)
            continue;
        const qvJson *in = qvJson_Find(c, "in"), *out = qvJson_Find(c, "out");
        qvObstacleDef def = ReadObstacle(qvJson_Find(in, "obstacle"));
        qvVec3 y = ReadVector(qvJson_Find(in, "y")), v = ReadVector(qvJson_Find(in, "v"));
        double dt = qvJson_Number(qvJson_Find(in, "dt")), margin = qvJson_Number(qvJson_Find(in, "margin"));
        qvObstacles* obstacles;
        qvObstaclePlace place;
        ASSERT_OK(qvCreateObstacles(&def, 1, NULL, NULL, &obstacles, &error), error);
        qvObstacles_Place(obstacles, 0.0, &place);
        qvObstacleTouch touch = qvObstacles_Nearest(obstacles, &place, qvMulAdd(y, dt, v));
        double deep = touch.distance - margin;
        ASSERT_NEAR(deep, qvJson_Number(qvJson_Find(out, "phi_predicted")), 1e-12);
        if (deep < 0.0)
        {
            double push = -deep / dt, along = qvDot(v, touch.normal);
            qvVec3 slide = qvMulAdd(v, -along, touch.normal);
            slide = qvScale(fmax(0.0, 1.0 - touch.friction * push / qvLength(slide)), slide);
            v = qvMulAdd(slide, along + push, touch.normal);
        }
        ASSERT_NEAR(qvDistance(v, ReadVector(qvJson_Find(out, "v_new"))), 0.0, 1e-9);
        qvDestroyObstacles(obstacles);
        caseCount++;
    }
    assert_int_equal(caseCount, 4);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPath),       cmocka_unit_test(TestTurning),      cmocka_unit_test(TestDistances),
        cmocka_unit_test(TestVelocities), cmocka_unit_test(TestBadObstacles), cmocka_unit_test(TestReference),
        cmocka_unit_test(TestWayOut),     cmocka_unit_test(TestBetween),      cmocka_unit_test(TestWayOutOfMesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
