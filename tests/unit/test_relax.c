// SPDX-License-Identifier: GPL-3.0-or-later
// Relaxed poses: the energy falls by what was asked, bumps before the pose as a whole, and what is held stays.
#include "random_vectors.h"
#include "scene_testing.h"

#include "quaver/relax.h"

static const qvBody* MustLoad(const char* primitive, int resolution)
{
    qvError error;
    const qvBody* body;
    qvSceneMesh mesh = { .primitive = primitive, .resolution = resolution };
    ASSERT_OK(qvLoadBody(&mesh, ".", NULL, &body, &error), error);
    return body;
}

// The rest shape bent by a brush, with noise on it.
static qvVec3f* MakePose(const qvBody* body, double noise)
{
    qvVec3f* points = malloc((size_t)body->mesh->pointCount * sizeof(*points));
    assert_non_null(points);
    memcpy(points, body->rest, (size_t)body->mesh->pointCount * sizeof(*points));
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), body->diagonal);
    stroke.at = qvMakeVec3(0.0, 1.9, 0.0);
    stroke.drag = qvMakeVec3(0.6, -0.1, 0.0);
    stroke.radius = 0.8;
    qvError error;
    ASSERT_OK(qvApplyStroke(body, &stroke, NULL, NULL, points, &error), error);
    uint64_t random = 3;
    for (int i = 0; i < body->mesh->pointCount; i++)
        points[i] = qvVec3_ToFloat(qvMulAdd(qvVec3_FromFloat(points[i]), noise, RandomVec3(&random)));
    return points;
}

static void EnergyFallsByTheShare(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 12);
    static const double shares[] = { 0.0, 0.2, 0.5, 0.9 };
    for (int i = 0; i < 4; i++)
    {
        qvError error;
        qvRelaxReport report;
        qvVec3f *points = MakePose(body, 0.0), *before = MakePose(body, 0.0);
        qvRelaxDef def = { .share = shares[i] };
        ASSERT_OK(qvRelaxPose(body, &def, NULL, points, &report, &error), error);
        assert_true(report.before > 0.0);
        ASSERT_NEAR(report.after / report.before, 1.0 - shares[i], 1e-3);
        double moved = Farthest(points, before, body->mesh->pointCount);
        assert_true(shares[i] > 0.0 ? moved > 1e-4 && moved < 0.6 : moved < 1e-6);
        free(points);
        free(before);
    }
    qvReleaseBody(body);
}

// Of a pose with noise on it the noise goes: the points come near to the pose without.
static void BumpsGoFirst(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 12);
    qvError error;
    qvRelaxReport report;
    qvVec3f *clean = MakePose(body, 0.0), *noisy = MakePose(body, 0.02), *relaxed = MakePose(body, 0.02);
    int n = body->mesh->pointCount;
    qvRelaxDef def = { .share = 0.9 };
    ASSERT_OK(qvRelaxPose(body, &def, NULL, relaxed, &report, &error), error);
    double before = 0.0, after = 0.0;
    for (int i = 0; i < n; i++)
    {
        before += pow(qvDistance(qvVec3_FromFloat(noisy[i]), qvVec3_FromFloat(clean[i])), 2.0);
        after += pow(qvDistance(qvVec3_FromFloat(relaxed[i]), qvVec3_FromFloat(clean[i])), 2.0);
    }

    assert_true(after < 0.75 * before);
    free(clean);
    free(noisy);
    free(relaxed);
    qvReleaseBody(body);
}

static void HeldPointsStay(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 12);
    qvError error;
    qvRelaxReport report;
    int n = body->mesh->pointCount;
    qvVec3f *points = MakePose(body, 0.01), *before = MakePose(body, 0.01);
    uint8_t* held = calloc((size_t)n, 1);
    assert_non_null(held);
    for (int i = 0; i < n; i++)
        held[i] = body->rest[i].y < 0.8f;
    qvRelaxDef def = { .share = 0.5, .held = held };
    ASSERT_OK(qvRelaxPose(body, &def, NULL, points, &report, &error), error);
    assert_true(report.after < report.before);
    for (int i = 0; i < n; i++)
    {
        if (held[i] != 0)
            assert_memory_equal(&points[i], &before[i], sizeof(*points));
    }
    assert_true(Farthest(points, before, n) > 1e-4);
    def.share = 1.5;
    assert_int_equal(qvRelaxPose(body, &def, NULL, points, &report, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "share");
    free(held);
    free(points);
    free(before);
    qvReleaseBody(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EnergyFallsByTheShare),
        cmocka_unit_test(BumpsGoFirst),
        cmocka_unit_test(HeldPointsStay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
