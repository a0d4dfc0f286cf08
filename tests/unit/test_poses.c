// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies, poses and what carries a stroke's centre along.
#include "scene_testing.h"

#include "scene/body.h"
#include "scene/take.h"

static const qvBody* MustLoad(const char* primitive, int resolution)
{
    qvError error;
    const qvBody* body;
    qvSceneMesh mesh = { .primitive = primitive, .resolution = resolution };
    ASSERT_OK(qvLoadBody(&mesh, ".", NULL, &body, &error), error);
    return body;
}

static qvVec3f* RestOf(const qvBody* body)
{
    size_t size = (size_t)body->mesh->pointCount * sizeof(qvVec3f);
    qvVec3f* points = malloc(size);
    memcpy(points, body->rest, size);
    return points;
}

static void BodiesHaveTheirReport(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 5);
    assert_int_equal(body->report.partCount, 1);
    assert_int_equal(body->report.closedPartCount, 1);
    assert_null(body->model);
    assert_true(body->diagonal > 1.0);
    assert_true(qvRetainBody(body) == body);
    qvReleaseBody(body);
    qvReleaseBody(body);
    qvError error;
    qvSceneMesh mesh = { .file = "glb/skin.glb" };
    ASSERT_OK(qvLoadBody(&mesh, QUAVER_TEST_DATA, NULL, &body, &error), error);
    assert_non_null(body->model);
    qvReleaseBody(body);
}

static qvVec3 Bend(qvVec3 p)
{
    double angle = 0.4 * p.y;
    return qvMakeVec3(cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y, 1.2 * p.z);
}

// On the surface a place goes along with its triangle; inside and outside it follows an affine change exactly, and a
// smooth one closely.
static void CentresAreCarried(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 8);
    qvVec3f *affine = RestOf(body), *bent = RestOf(body);
    const double m[3][3] = { { 1.3, 0.2, -0.4 }, { 0.1, 0.8, 0.3 }, { -0.2, 0.5, 1.1 } };
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        qvVec3 p = qvVec3_FromFloat(body->rest[i]);
        affine[i] = qvVec3_ToFloat(qvMakeVec3(m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + 1.0,
                                              m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                                              m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z - 2.0));
        bent[i] = qvVec3_ToFloat(Bend(p));
    }
    for (int t = 0; t < body->mesh->triangleCount; t += 17)
    {
        const int32_t* v = body->mesh->pointTriangles[t].v;
        qvVec3 at = { 0.0, 0.0, 0.0 }, to = at;
        const double weights[3] = { 0.2, 0.3, 0.5 };
        for (int k = 0; k < 3; k++)
        {
            at = qvMulAdd(at, weights[k], qvVec3_FromFloat(body->rest[v[k]]));
            to = qvMulAdd(to, weights[k], qvVec3_FromFloat(bent[v[k]]));
        }
        ASSERT_NEAR(qvDistance(qvBody_Carry(body, bent, at), to), 0.0, 1e-6);
    }
    const qvVec3 places[] = { { 0.0, 1.0, 0.0 }, { 0.1, 0.6, -0.2 }, { 1.5, 1.0, 0.3 }, { 0.0, 2.2, 0.0 } };
    for (int i = 0; i < 4; i++)
    {
        qvVec3 p = places[i];
        assert_true(qvDistance(qvBody_Carry(body, body->rest, p), p) == 0.0);
        qvVec3 wanted = qvMakeVec3(m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + 1.0,
                                   m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                                   m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z - 2.0);
        ASSERT_NEAR(qvDistance(qvBody_Carry(body, affine, p), wanted), 0.0, 1e-5);
        // An affine fit to a bend with a second derivative of 0.8 (and 0.16 times the height) misses half of that
        // times the square of the distance to the surface, which is below 0.45.
        if (i < 2)
            ASSERT_NEAR(qvDistance(qvBody_Carry(body, bent, p), Bend(p)), 0.0, 0.5 * (0.8 + 0.16 * p.y) * 0.45 * 0.45);
    }
    // And back, on the surface and off it.
    for (int i = 0; i < 4; i++)
    {
        qvVec3 to = qvBody_Carry(body, bent, places[i]), back = qvBody_CarryBack(body, bent, to);
        ASSERT_NEAR(qvDistance(qvBody_Carry(body, bent, back), to), 0.0, 1e-6 * body->diagonal);
        qvVec3 corner = qvVec3_FromFloat(bent[7 * i]);
        ASSERT_NEAR(qvDistance(qvBody_CarryBack(body, bent, corner), qvVec3_FromFloat(body->rest[7 * i])), 0.0, 1e-5);
    }
    // Far away nothing overflows.
    qvVec3 far = qvBody_Carry(body, bent, qvMakeVec3(1e90, 0.0, 0.0));
    assert_true(isfinite(far.x) && isfinite(far.y) && isfinite(far.z));
    free(affine);
    free(bent);
    qvReleaseBody(body);
}

// The jump from one way of carrying to the other would show as a jerk while a handle is dragged.
static void CarryingIsContinuous(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 8);
    qvVec3f* bent = RestOf(body);
    for (int i = 0; i < body->mesh->pointCount; i++)
        bent[i] = qvVec3_ToFloat(Bend(qvVec3_FromFloat(bent[i])));
    qvVec3 last = { 0.0, 0.0, 0.0 };
    for (int i = 0; i <= 2000; i++)
    {
        qvVec3 moved = qvBody_Carry(body, bent, qvMakeVec3(-0.9 + 0.0009 * i, 1.0, 0.05));
        assert_true(i == 0 || qvDistance(moved, last) < 0.006);
        last = moved;
    }
    free(bent);
    qvReleaseBody(body);
}

static void StrokesStack(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 8);
    int point = PointNear(body, qvMakeVec3(0.3, 1.7, 0.2));
    qvVec3f* points = RestOf(body);
    qvVec3 at = qvVec3_FromFloat(body->rest[point]);
    qvError error;
    const qvVec3 drags[] = { { 0.3, 0.1, 0.0 }, { -0.1, 0.0, 0.4 } };
    for (int i = 0; i < 2; i++)
    {
        qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), body->diagonal);
        stroke.at = at, stroke.drag = drags[i], stroke.radius = 0.0; // 0.15 of the diagonal
        ASSERT_OK(qvApplyStroke(body, &stroke, NULL, NULL, points, &error), error);
    }
    qvVec3 wanted = qvAdd(at, qvAdd(drags[0], drags[1]));
    ASSERT_NEAR(qvDistance(qvVec3_FromFloat(points[point]), wanted), 0.0, 2e-6);

    // The same with the radius written out.
    qvVec3f* other = RestOf(body);
    for (int i = 0; i < 2; i++)
    {
        qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), body->diagonal);
        stroke.at = at, stroke.drag = drags[i], stroke.radius = 0.15 * body->diagonal;
        ASSERT_OK(qvApplyStroke(body, &stroke, NULL, NULL, other, &error), error);
    }
    assert_memory_equal(points, other, (size_t)body->mesh->pointCount * sizeof(*points));
    free(points);
    free(other);
    qvReleaseBody(body);
}

static void MasksHold(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("sack", 6);
    float* mask = calloc((size_t)body->mesh->vertexCount, sizeof(*mask));
    for (int i = 0; i < body->mesh->vertexCount; i++)
        mask[i] = body->mesh->positions[i].x > 0.0f ? 1.0f : 0.0f;
    qvVec3f* points = RestOf(body);
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), body->diagonal);
    stroke.at = qvMakeVec3(0.0, 2.0, 0.0), stroke.drag = qvMakeVec3(0.0, 0.3, 0.0);
    qvError error;
    ASSERT_OK(qvApplyStroke(body, &stroke, mask, NULL, points, &error), error);
    double held = 0.0, moved = 0.0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        double distance = qvDistance(qvVec3_FromFloat(points[i]), qvVec3_FromFloat(body->rest[i]));
        if (body->rest[i].x > 0.0f)
            moved = fmax(moved, distance);
        else
            held = fmax(held, distance);
    }
    assert_true(held == 0.0 && moved > 0.1);
    free(points);
    free(mask);
    qvReleaseBody(body);
}

// The pose of a key, part of its stack, and the cached one of the pipeline agree to the bit.
static void PosesAgree(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCE);
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    size_t size = (size_t)body->mesh->pointCount * sizeof(qvVec3f);
    qvVec3f *pose = malloc(size), *part = malloc(size);
    qvError error;
    for (int i = 0; i < scene->keyCount; i++)
    {
        ASSERT_OK(qvComputePose(scene, body, scene->keys[i]->id, -1, NULL, pose, &error), error);
        assert_memory_equal(pose, take->poses[i]->object, size);
    }
    const qvSceneKey* key = scene->keys[1];
    ASSERT_OK(qvComputePose(scene, body, key->id, 0, NULL, part, &error), error);
    assert_memory_equal(part, body->rest, size);
    for (int i = 0; i < key->strokes.count; i++)
        ASSERT_OK(qvApplyStroke(body, &key->strokes.strokes[i]->stroke, NULL, NULL, part, &error), error);
    assert_memory_equal(part, take->poses[1]->object, size);
    free(pose);
    free(part);
    qvReleaseTake(take);
}

// A velocity by strokes is their displacement per second.
static void StrokesGiveVelocities(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(
        SCENE(FEW_MODES
              ", \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"velocity\": {\"mode\": \"set\", \"value\": {\"strokes\": "
              "[{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0, 0, 1.5], \"radius\": 0.5}]}}},"
              "{\"time\": 1, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.3, 0, 0], "
              "\"radius\": 0.6}]}]"));
    const qvBody* body = qvTake_Body(take);
    size_t n = (size_t)body->mesh->pointCount;
    double* numbers = calloc(6 * n, sizeof(double));
    void* scratch = malloc(qvTake_ScratchSize(take));
    qvMotion_Evaluate(take->curves->motion, 0.5, scratch, numbers, numbers + 3 * n, NULL);
    qvVec3f* moved = RestOf(body);
    qvError error;
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), body->diagonal);
    stroke.at = qvMakeVec3(0.0, 1.9, 0.0), stroke.drag = qvMakeVec3(0.0, 0.0, 1.5), stroke.radius = 0.5;
    ASSERT_OK(qvApplyStroke(body, &stroke, NULL, NULL, moved, &error), error);
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
    {
        const double* v = numbers + 3 * n + 3 * i;
        qvVec3 field = qvSub(qvVec3_FromFloat(moved[i]), qvVec3_FromFloat(body->rest[i]));
        ASSERT_NEAR(qvDistance(field, qvMakeVec3(v[0], v[1], v[2])), 0.0, 1e-5);
        largest = fmax(largest, qvLength(field));
    }
    assert_true(largest > 1.0);
    free(moved);
    free(scratch);
    free(numbers);
    qvReleaseTake(take);
}

static void SetsOfVertices(void** state)
{
    (void)state;
    const qvBody* body = MustLoad("block", 3);
    const int32_t vertices[] = { 5, 0, 5 };
    qvBlob blob = { sizeof(vertices), vertices };
    qvVertexSet set = { .vertices = &blob, .hasBox = true, .lower = { -9.0, 1.9, -9.0 }, .upper = { 9.0, 9.0, 9.0 } };
    int32_t* points;
    int count;
    qvError error;
    ASSERT_OK(qvVertexSet_Points(&set, body, &points, &count, &error), error);
    bool found = false;
    for (int i = 0; i < count; i++)
    {
        assert_true(i == 0 || points[i] > points[i - 1]);
        found = found || points[i] == body->mesh->vertexPoint[5];
        assert_true(body->rest[points[i]].y > 1.9f || points[i] == body->mesh->vertexPoint[5] ||
                    points[i] == body->mesh->vertexPoint[0]);
    }
    assert_true(found && count > 4 && count < body->mesh->pointCount);
    free(points);
    qvReleaseBody(body);
}

// Without keys the file's own clip plays.
static void ClipsMoveBodiesWithoutKeys(void** state)
{
    (void)state;
    qvTake* take = SolveAlone("{\"quaver\": 1, \"mesh\": {\"file\": \"glb/skin.glb\"}, \"keys\": []}");
    const qvBody* body = qvTake_Body(take);
    const qvRig* rig = body->model->rig;
    assert_non_null(rig);
    double time = 0.5 * qvRig_ClipDuration(rig, 0);
    qvVec3f* vertices = calloc((size_t)body->mesh->vertexCount, sizeof(*vertices));
    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvRig_Evaluate(rig, 0, time, scratch, vertices);
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    for (int i = 0; i < body->mesh->vertexCount; i++)
    {
        int32_t point = body->mesh->vertexPoint[i];
        assert_true(point < 0 ||
                    memcmp(&points[point], &vertices[body->mesh->pointVertex[point]], sizeof(*points)) == 0);
    }
    assert_true(Farthest(points, body->rest, body->mesh->pointCount) > 0.01);
    free(points);
    free(scratch);
    free(vertices);
    qvReleaseTake(take);
}

// Two triangles that touch in a point at rest; the clip moves one of them away. With a wave the touching vertices go on
// from their own places.
static void ClipsMoveVerticesApart(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "{\"quaver\": 1, \"mesh\": {\"file\": \"gltf/apart.gltf\"}, \"keys\": []}",
        "{\"quaver\": 1, \"mesh\": {\"file\": \"gltf/apart.gltf\"}, \"keys\": [], \"events\": [{\"time\": 0, \"at\": "
        "[1, 0, 0], \"load\": \"push\", \"shape\": \"grab\", \"drag\": [0, 0.5, 0], \"radius\": 1}]}",
    };
    for (int wave = 0; wave < 2; wave++)
    {
        qvTake* take = SolveAlone(texts[wave]);
        const qvMesh* mesh = qvTake_Body(take)->mesh;
        assert_int_equal(mesh->vertexCount, 6);
        assert_int_equal(mesh->pointCount, 5);
        void* scratch = malloc(qvTake_ScratchSize(take));
        qvVec3f* points = PointsOf(take, 0.75, qv_layersAll, NULL);
        qvVec3f vertices[6];
        qvTake_Vertices(take, 0.75, points, scratch, vertices);
        ASSERT_NEAR(vertices[3].z - vertices[1].z, 0.75, 1e-6);
        ASSERT_NEAR(vertices[3].y - vertices[1].y, 0.0, 1e-6);
        assert_true(wave ? vertices[3].y > 0.05 : vertices[3].y == 0.0f);
        assert_true(wave || vertices[5].z == 0.75f);
        free(points);
        free(scratch);
        qvReleaseTake(take);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BodiesHaveTheirReport),
        cmocka_unit_test(CentresAreCarried),
        cmocka_unit_test(CarryingIsContinuous),
        cmocka_unit_test(StrokesStack),
        cmocka_unit_test(MasksHold),
        cmocka_unit_test(PosesAgree),
        cmocka_unit_test(StrokesGiveVelocities),
        cmocka_unit_test(SetsOfVertices),
        cmocka_unit_test(ClipsMoveBodiesWithoutKeys),
        cmocka_unit_test(ClipsMoveVerticesApart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
