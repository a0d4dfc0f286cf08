// SPDX-License-Identifier: GPL-3.0-or-later
// A surface on phyxels: affine motion is exact both ways, bends and twists nearly, and a start is the pose itself.
#include "phyxel_testing.h"

#include "math/mat3.h"
#include "phyxel/pose.h"
#include "phyxel/surface.h"

typedef struct Rig
{
    Surface surface;
    qvPhyxelBody* body;
    qvPhyxelPose* pose;
    qvPhyxelSurface* skin;
    qvVec3 *vertices, *phyxels, *carried;
    qvMat3* gradients;
    double diagonal;
} Rig;

static double* VertexAreas(const Surface* surface)
{
    double* areas = calloc((size_t)surface->pointCount, sizeof(double));
    assert_non_null(areas);
    for (int t = 0; t < surface->triangleCount; t++)
    {
        const int32_t* v = surface->triangles[t].v;
        qvVec3 a = surface->points[v[0]];
        qvVec3 n = qvCross(qvSub(surface->points[v[1]], a), qvSub(surface->points[v[2]], a));
        for (int k = 0; k < 3; k++)
            areas[v[k]] += qvLength(n) / 6.0;
    }
    return areas;
}

static Rig MakeRig(const char* tag)
{
    Rig rig = { .surface = MakeSurface(tag, 24, 1.0) };
    qvError error;
    ASSERT_OK(Sample(&rig.surface, 500, &rig.body, &error), error);
    double* areas = VertexAreas(&rig.surface);
    ASSERT_OK(qvCreatePhyxelPose(rig.body->count, rig.body->points, rig.body->spacing, rig.surface.pointCount,
                                 rig.surface.points, areas, NULL, &rig.pose, &error),
              error);
    qvPhyxelCarriers carriers = { rig.body->count, rig.body->points, rig.body->reference.part, rig.body->spacing };
    ASSERT_OK(qvCreatePhyxelSurface(&carriers, rig.surface.pointCount, rig.surface.points, &rig.skin, &error), error);
    rig.vertices = calloc((size_t)rig.surface.pointCount, sizeof(qvVec3));
    rig.carried = calloc((size_t)rig.surface.pointCount, sizeof(qvVec3));
    rig.phyxels = MakePoints(rig.body);
    rig.gradients = calloc((size_t)rig.body->count, sizeof(qvMat3));
    assert_true(rig.vertices != NULL && rig.carried != NULL && rig.gradients != NULL);
    rig.diagonal = rig.body->height * sqrt(3.0);
    free(areas);
    return rig;
}

static void FreeRig(Rig* rig)
{
    FreeSurface(&rig->surface);
    qvDestroyPhyxelBody(rig->body);
    qvDestroyPhyxelPose(rig->pose);
    qvDestroyPhyxelSurface(rig->skin);
    free(rig->vertices);
    free(rig->carried);
    free(rig->phyxels);
    free(rig->gradients);
}

static qvVec3 Affine(qvVec3 x)
{
    return qvMakeVec3(1.2 * x.x - 0.5 * x.y + 3.0, 0.7 * x.y + 0.6 * x.x - 1.0, 0.9 * x.z + 0.3 * x.y);
}

// A turn about z that grows with the height: 90 degrees over two units.
static qvVec3 Twist(qvVec3 x)
{
    double angle = 0.25 * QV_PI * x.y, c = cos(angle), s = sin(angle);
    return qvMakeVec3(c * x.x + s * x.z, x.y, c * x.z - s * x.x);
}

// Moves the vertices, the phyxels by them, and the vertices by the phyxels.
static void RoundTrip(Rig* rig, qvVec3 (*map)(qvVec3))
{
    for (int i = 0; i < rig->surface.pointCount; i++)
        rig->vertices[i] = map(rig->surface.points[i]);
    qvPhyxelPose_Apply(rig->pose, rig->vertices, rig->phyxels);
    qvPhyxelState* state = MakeState(rig->body, rig->phyxels, NULL);
    qvPhyxelState_Deformation(state, rig->gradients);
    qvDestroyPhyxelState(state);
    qvPhyxelSurface_Carry(rig->skin, rig->phyxels, rig->gradients, NULL, rig->carried);
}

static double RmsError(const qvVec3* a, const qvVec3* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += qvDot(qvSub(a[i], b[i]), qvSub(a[i], b[i])) / count;
    return sqrt(sum);
}

static void TestAffine(void** unused)
{
    (void)unused;
    Rig rig = MakeRig("imp");
    RoundTrip(&rig, Affine);
    for (int i = 0; i < rig.body->count; i++)
        ASSERT_NEAR(qvDistance(rig.phyxels[i], Affine(rig.body->points[i])), 0.0, 1e-10);
    for (int i = 0; i < rig.surface.pointCount; i++)
        ASSERT_NEAR(qvDistance(rig.carried[i], rig.vertices[i]), 0.0, 1e-9);
    FreeRig(&rig);
}

static void TestTwist(void** unused)
{
    (void)unused;
    Rig rig = MakeRig("sack");
    RoundTrip(&rig, Twist);
    double error = RmsError(rig.carried, rig.vertices, rig.surface.pointCount) / rig.diagonal;
    print_message("twist and back: %.2f %% of the diagonal\n", 100.0 * error);
    assert_true(error < 0.01);
    FreeRig(&rig);
}

// The start is the pose itself; turned as a whole, what is beyond the phyxels' reach turns along.
static void TestStart(void** unused)
{
    (void)unused;
    Rig rig = MakeRig("imp");
    RoundTrip(&rig, Twist);
    int n = rig.surface.pointCount;
    for (int i = 0; i < n; i++)
        rig.vertices[i].y += 0.01 * sin(40.0 * rig.vertices[i].x); // finer than phyxels are
    qvError error;
    ASSERT_OK(qvPhyxelSurface_StartFrom(rig.skin, rig.phyxels, rig.gradients, rig.vertices, &error), error);
    qvPhyxelSurface_Carry(rig.skin, rig.phyxels, rig.gradients, NULL, rig.carried);
    for (int i = 0; i < n; i++)
        ASSERT_NEAR(qvDistance(rig.carried[i], rig.vertices[i]), 0.0, 1e-12);
    qvMat3 turn = { { { 0.0, -1.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    for (int i = 0; i < rig.body->count; i++)
    {
        rig.phyxels[i] = qvMat3_Apply(&turn, rig.phyxels[i]);
        rig.gradients[i] = qvMat3_Product(&turn, &rig.gradients[i]);
    }
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvPhyxelSurface_Carry(rig.skin, rig.phyxels, rig.gradients, pool, rig.carried);
    qvDestroyPool(pool);
    for (int i = 0; i < n; i++)
        ASSERT_NEAR(qvDistance(rig.carried[i], qvMat3_Apply(&turn, rig.vertices[i])), 0.0, 1e-9);
    FreeRig(&rig);
}

// A long bar and a plate with vertices at their corners alone hand over all that eight vertices can say.
static void TestFewVertices(void** unused)
{
    (void)unused;
    const double sides[3][3] = { { 12.0, 1.0, 1.0 }, { 1.0, 1.0, 0.1 }, { 1.0, 0.02, 0.02 } };
    for (int k = 0; k < 3; k++)
    {
        Surface box = MakeBox(sides[k][0], sides[k][1], sides[k][2]);
        qvPhyxelBody* body;
        qvPhyxelPose* pose;
        qvError error;
        ASSERT_OK(Sample(&box, 2000, &body, &error), error);
        double areas[8] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
        qvVec3 moved[8], *phyxels = MakePoints(body);
        assert_int_equal(box.pointCount, 8);
        for (int i = 0; i < 8; i++)
            moved[i] = Affine(box.points[i]);
        ASSERT_OK(
            qvCreatePhyxelPose(body->count, body->points, body->spacing, 8, box.points, areas, NULL, &pose, &error),
            error);
        qvPhyxelPose_Apply(pose, moved, phyxels);
        double worst = 0.0;
        for (int i = 0; i < body->count; i++)
            worst = fmax(worst, qvDistance(phyxels[i], Affine(body->points[i])));
        print_message("%g x %g x %g: off by %.2g\n", sides[k][0], sides[k][1], sides[k][2], worst);
        assert_true(worst < 1e-9);
        qvDestroyPhyxelPose(pose);
        free(phyxels);
        qvDestroyPhyxelBody(body);
        FreeSurface(&box);
    }
}

// Vertices far from every phyxel are carried by the nearest four.
static void TestFarVertices(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(200);
    qvVec3 far[2] = { { 4.0, 0.0, 0.0 }, { 0.0, -30.0, 1.0 } }, carried[2], *moved = MakePoints(body);
    qvMat3* gradients = calloc((size_t)body->count, sizeof(qvMat3));
    qvPhyxelSurface* skin;
    qvError error;
    assert_non_null(gradients);
    qvPhyxelCarriers carriers = { body->count, body->points, body->reference.part, body->spacing };
    ASSERT_OK(qvCreatePhyxelSurface(&carriers, 2, far, &skin, &error), error);
    for (int i = 0; i < body->count; i++)
        moved[i] = Affine(body->points[i]);
    qvPhyxelState* state = MakeState(body, moved, NULL);
    qvPhyxelState_Deformation(state, gradients);
    qvPhyxelSurface_Carry(skin, moved, gradients, NULL, carried);
    for (int k = 0; k < 2; k++)
        ASSERT_NEAR(qvDistance(carried[k], Affine(far[k])), 0.0, 1e-9);
    qvDestroyPhyxelState(state);
    qvDestroyPhyxelSurface(skin);
    free(moved);
    free(gradients);
    qvDestroyPhyxelBody(body);
}

typedef struct Questions
{
    int asked, limit;
} Questions;

static bool GoOnUntilLimit(void* context, const char* stage, double fraction)
{
    Questions* questions = context;
    (void)stage;
    (void)fraction;
    return questions->asked++ < questions->limit;
}

// Filling a body with many phyxels takes seconds; at every moment it can be given up.
static void TestFillingCanBeStopped(void** unused)
{
    (void)unused;
    Surface surface = MakeBox(1.0, 1.0, 1.0);
    qvPhyxelSampling sampling = { .pointCount = surface.pointCount,
                                  .points = surface.points,
                                  .triangleCount = surface.triangleCount,
                                  .triangles = surface.triangles,
                                  .count = 300,
                                  .density = 1000.0 };
    Questions all = { .limit = 1000000 };
    qvJob job = { .progress = GoOnUntilLimit, .context = &all };
    qvPhyxelBody* body;
    qvError error;
    ASSERT_OK(qvSamplePhyxelBody(&sampling, &job, &body, &error), error);
    qvDestroyPhyxelBody(body);
    assert_true(all.asked > 20);
    for (int i = 0; i < all.asked; i++)
    {
        Questions some = { .limit = i };
        job.context = &some;
        assert_int_equal(qvSamplePhyxelBody(&sampling, &job, &body, &error), qv_cancelled);
        assert_null(body);
    }
    free(surface.points);
    free(surface.triangles);
}

// Where it looks for the vertices around each phyxel, too.
static void TestTakingOverCanBeStopped(void** state)
{
    (void)state;
    Rig rig = MakeRig("sack");
    double* areas = VertexAreas(&rig.surface);
    for (int i = 0; i < rig.body->count / 64; i++)
    {
        Answers some = { .allowed = i };
        qvJob job = { .progress = AnswerQuestion, .context = &some };
        qvPhyxelPose* pose;
        qvError error;
        assert_int_equal(qvCreatePhyxelPose(rig.body->count, rig.body->points, rig.body->spacing,
                                            rig.surface.pointCount, rig.surface.points, areas, &job, &pose, &error),
                         qv_cancelled);
        assert_null(pose);
    }
    free(areas);
    FreeRig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAffine),
        cmocka_unit_test(TestTwist),
        cmocka_unit_test(TestStart),
        cmocka_unit_test(TestFewVertices),
        cmocka_unit_test(TestFarVertices),
        cmocka_unit_test(TestFillingCanBeStopped),
        cmocka_unit_test(TestTakingOverCanBeStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
