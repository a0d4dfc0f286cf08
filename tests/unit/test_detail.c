// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that are solved on fewer points: the others are carried along, every key is met, pins and partial keys too, and
// where that cannot be done all points are solved.
#include "scene_testing.h"

#include "motion/detail.h"
#include "quaver/primitive.h"
#include "scene/take.h"

#define BODY "{\"quaver\": 2, \"mesh\": {\"primitive\": \"sack\", \"resolution\": 40}, \"material\": {\"modes\": 8}"
// The last strokes are smaller than the cells of what is solved.
#define POKE "{\"brush\": \"grab\", \"at\": [0.1, 1, 0.3], \"drag\": [0.05, 0.03, 0.1], \"radius\": 0.05}"
#define LEAN "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0.1, 0.1], \"radius\": 0.6}"
#define TURN "{\"brush\": \"twist\", \"at\": [0, 1, 0], \"axis\": [0, 1, 0], \"angle\": 0.5, \"radius\": 0.8}"
#define KEYS                                                                           \
    "{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": 0.4, \"strokes\": [" LEAN \
    "]}, {\"id\": \"c\", \"time\": 0.8, \"strokes\": [" TURN "," POKE                  \
    "]}, {\"id\": \"d\", \"time\": 1.3, \"base\": {\"key\": \"c\"}, \"strokes\": [" LEAN "]}"
#define DETAIL ", \"detail\": 400"

static void ExpectKeysMet(const qvTake* take)
{
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    int count = body->mesh->pointCount;
    qvVec3f* pose = calloc((size_t)count, sizeof(*pose));
    for (int i = 0; i < scene->keyCount; i++)
    {
        qvError error;
        ASSERT_OK(qvComputePose(scene, body, scene->keys[i]->id, -1, NULL, pose, &error), error);
        qvAffine frame = qvTake_KeyFrame(take, i);
        qvKeysToWorld(&frame, pose, count);
        qvVec3f* points = PointsOf(take, scene->keys[i]->time, qv_layersAll, NULL);
        double far = Farthest(points, pose, count);
        if (!scene->keys[i]->partial && !(far < 1e-6 * body->diagonal))
            fail_msg("key %d is missed by %g of the diagonal", i, far / body->diagonal);
        assert_true(scene->keys[i]->partial || qvTake_KeyReport(take, i).error < 1e-6);
        free(points);
    }
    free(pose);
}

static qvTake* MustBeCarried(const char* text)
{
    qvTake* take = SolveAlone(text);
    char remark[qv_maxRemark];
    if (qvTake_DetailRemark(take, remark))
        fail_msg("%s", remark);
    assert_true(qvTake_DetailPoints(take) < 0.7 * qvTake_Body(take)->mesh->pointCount);
    return take;
}

static void EveryKeyIsMet(void** state)
{
    (void)state;
    qvTake* take = MustBeCarried(BODY DETAIL ", \"keys\": [" KEYS "]}");
    ExpectKeysMet(take);
    qvReleaseTake(take);
    // Whatever the keys are like, turned and in places of their own.
    take = MustBeCarried(BODY DETAIL ", \"keys\": [{\"id\": \"a\", \"time\": 0, \"strokes\": [" POKE
                                     "]}, {\"id\": \"b\", \"time\": 0.3, \"interp\": \"linear\", \"strokes\": [" LEAN
                                     "]}, {\"id\": \"c\", \"time\": 0.7, \"velocity\": {\"mode\": \"zero\"}, "
                                     "\"transform\": {\"translate\": [1, 2, 3], \"rotate\": [0, 0.6, 0, 0.8]}, "
                                     "\"strokes\": [" TURN "]}, {\"id\": \"d\", \"time\": 1, \"interp\": \"hold\", "
                                     "\"strokes\": [" POKE "," TURN "]}]}");
    ExpectKeysMet(take);
    qvReleaseTake(take);
    // A body that is pressed flat, where local frames have no inverse.
    take = MustBeCarried(BODY DETAIL
                         ", \"keys\": [{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": 0.5, \"strokes\": "
                         "[{\"brush\": \"scale\", \"at\": [0, 1.2, 0], \"amount\": -0.95, \"radius\": 0.3}, "
                         "{\"brush\": \"scale\", \"at\": [0, 1.2, 0], \"amount\": -0.95, \"radius\": 0.3}]}]}");
    ExpectKeysMet(take);
    qvReleaseTake(take);
}

// Mean square and largest distance over time, of the diagonal.
static void Compare(const qvTake* a, const qvTake* b, double end, double* mean, double* largest)
{
    const qvBody* body = qvTake_Body(a);
    int count = body->mesh->pointCount;
    double sum = 0.0;
    *largest = 0.0;
    for (int f = 0; f <= 40; f++)
    {
        qvVec3f* first = PointsOf(a, f * end / 40.0, qv_layersAll, NULL);
        qvVec3f* second = PointsOf(b, f * end / 40.0, qv_layersAll, NULL);
        *largest = fmax(*largest, Farthest(first, second, count) / body->diagonal);
        for (int i = 0; i < count; i++)
        {
            double far = qvDistance(qvVec3_FromFloat(first[i]), qvVec3_FromFloat(second[i])) / body->diagonal;
            sum += far * far;
        }
        free(first);
        free(second);
    }
    *mean = sqrt(sum / (41.0 * count));
}

static void TheMotionIsNearThatOfAllPoints(void** state)
{
    (void)state;
    qvTake* few = MustBeCarried(BODY ", \"detail\": 700, \"keys\": [" KEYS "]}");
    qvTake* all = SolveAlone(BODY ", \"keys\": [" KEYS "]}");
    double mean, largest, moved, farthest;
    Compare(few, all, 1.6, &mean, &largest);
    print_message("%d of %d points: mean %.4f, largest %.4f\n", qvTake_DetailPoints(few),
                  qvTake_Body(few)->mesh->pointCount, mean, largest);
    assert_true(mean < 0.01 && largest < 0.04);
    qvTake* still = SolveAlone(BODY ", \"keys\": [{\"time\": 0}]}");
    Compare(few, still, 1.6, &moved, &farthest);
    assert_true(moved > 0.02);
    qvReleaseTake(still);
    qvReleaseTake(few);
    qvReleaseTake(all);
}

static void RigidMotionIsExact(void** state)
{
    (void)state;
#define PLACES                                                                                                       \
    "\"keys\": [{\"time\": 0}, {\"time\": 0.5, \"transform\": {\"translate\": [1, 0.2, 0], \"rotate\": [0.6, 0, 0, " \
    "0.8]}}, {\"time\": 1, \"transform\": {\"translate\": [0, 2, 1]}}]}"
    qvTake* few = MustBeCarried(BODY DETAIL ", " PLACES);
    ExpectKeysMet(few);
    for (int f = 0; f < 10; f++)
    {
        const qvBody* body = qvTake_Body(few);
        qvAffine frame = qvTake_Frame(few, 0.13 * f);
        qvVec3f* points = PointsOf(few, 0.13 * f, qv_layersAll, NULL);
        qvVec3f* placed = calloc((size_t)body->mesh->pointCount, sizeof(*placed));
        memcpy(placed, body->rest, (size_t)body->mesh->pointCount * sizeof(*placed));
        qvKeysToWorld(&frame, placed, body->mesh->pointCount);
        assert_true(Farthest(points, placed, body->mesh->pointCount) < 2e-6 * body->diagonal);
        free(points);
        free(placed);
    }
    qvReleaseTake(few);
}

static void LoopsClose(void** state)
{
    (void)state;
    qvTake* take = MustBeCarried(BODY DETAIL ", \"loop\": true, \"range\": [0, 1.7], \"keys\": [" KEYS "]}");
    ExpectKeysMet(take);
    qvSeam seam = qvTake_Seam(take);
    assert_true(seam.position < 1e-6 && seam.closes);
    qvVec3f* before = PointsOf(take, 1.7 - 1e-5, qv_layersAll, NULL);
    qvVec3f* after = PointsOf(take, 0.0, qv_layersAll, NULL);
    assert_true(Farthest(before, after, qvTake_Body(take)->mesh->pointCount) < 5e-4 * qvTake_Body(take)->diagonal);
    free(before);
    free(after);
    qvReleaseTake(take);
}

// With all points, and with more than there are, the same bits as without the field.
static void AllIsAsBefore(void** state)
{
    (void)state;
    qvTake* plain = SolveAlone(BODY ", \"keys\": [" KEYS "]}");
    const char* same[] = { BODY ", \"detail\": \"all\", \"keys\": [" KEYS "]}",
                           BODY ", \"detail\": 0, \"keys\": [" KEYS "]}",
                           BODY ", \"detail\": 100000, \"keys\": [" KEYS "]}" };
    size_t size = (size_t)qvTake_Body(plain)->mesh->pointCount * sizeof(qvVec3f);
    for (int i = 0; i < 3; i++)
    {
        qvTake* take = SolveAlone(same[i]);
        for (int f = 0; f < 8; f++)
        {
            qvVec3f* first = PointsOf(plain, 0.23 * f, qv_layersAll, NULL);
            qvVec3f* second = PointsOf(take, 0.23 * f, qv_layersAll, NULL);
            assert_memory_equal(first, second, size);
            free(first);
            free(second);
        }
        qvReleaseTake(take);
    }
    qvReleaseTake(plain);
}

static void PinsAndPartialKeysAreExact(void** state)
{
    (void)state;
#define PINNED                                                                                                \
    ", \"pins\": [{\"box\": [[-9, -9, -9], [9, 0.05, 9]]}], \"keys\": [{\"id\": \"a\", \"time\": 0}, "        \
    "{\"id\": \"b\", \"time\": 0.4, \"strokes\": [" LEAN                                                      \
    "]}, {\"id\": \"p\", \"time\": 0.7, \"only\": {\"box\": [[-9, 1.8, -9], [9, 9, 9]]}, \"strokes\": [" TURN \
    "]}, {\"id\": \"c\", \"time\": 1.1, \"strokes\": [" POKE "]}]}"
    qvTake* take = MustBeCarried(BODY ", \"detail\": 600" PINNED);
    qvTake* all = SolveAlone(BODY PINNED);
    ExpectKeysMet(take);
    assert_true(fabs(qvTake_KeyReport(take, 2).error - qvTake_KeyReport(all, 2).error) < 2e-3);
    const qvBody* body = qvTake_Body(take);
    double apart = 0.0, moved = 0.0;
    for (int f = 0; f < 24; f++)
    {
        qvVec3f* points = PointsOf(take, 0.05 * f, qv_layersAll, NULL);
        qvVec3f* wanted = PointsOf(all, 0.05 * f, qv_layersAll, NULL);
        for (int i = 0; i < body->mesh->pointCount; i++)
        {
            if (body->rest[i].y > 0.05f)
                continue;
            qvVec3 there = qvVec3_FromFloat(wanted[i]);
            apart = fmax(apart, qvDistance(qvVec3_FromFloat(points[i]), there));
            moved = fmax(moved, qvDistance(qvVec3_FromFloat(body->rest[i]), there));
        }
        free(points);
        free(wanted);
    }
    print_message("pins move by %.2e, off by %.2e\n", moved / body->diagonal, apart / body->diagonal);
    assert_true(moved > 1e-3 * body->diagonal && apart < 1e-4 * body->diagonal);
    qvReleaseTake(take);
    qvReleaseTake(all);
}

// Velocities that keys give, with strokes smaller than the cells, just before and after them.
static void VelocitiesAreMet(void** state)
{
    (void)state;
    qvTake* take = MustBeCarried(
        BODY DETAIL
        ", \"keys\": [{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": 0.5, \"velocity\": {\"mode\": "
        "\"set\", \"value\": {\"strokes\": [" POKE "]}}, \"strokes\": [" POKE "," LEAN
        "]}, {\"id\": \"c\", \"time\": 1, \"strokes\": [" TURN "]}]}");
    ExpectKeysMet(take);
    const qvBody* body = qvTake_Body(take);
    int n = body->mesh->pointCount;
    qvError error;
    qvVec3f* pose = calloc((size_t)n, sizeof(*pose));
    qvVec3f* moved = calloc((size_t)n, sizeof(*moved));
    const qvScene* scene = qvTake_Scene(take);
    ASSERT_OK(qvComputePose(scene, body, scene->keys[1]->id, -1, NULL, pose, &error), error);
    memcpy(moved, pose, (size_t)n * sizeof(*moved));
    const qvStrokeStack* strokes = &scene->keys[1]->after.strokes;
    assert_int_equal(strokes->count, 1);
    ASSERT_OK(qvApplyStroke(body, &strokes->strokes[0]->stroke, NULL, NULL, moved, &error), error);
    const double h = 1e-3;
    double worst = 0.0, fastest = 0.0;
    for (int side = -1; side <= 1; side += 2)
    {
        qvVec3f* near = PointsOf(take, 0.5 + side * h, qv_layersAll, NULL);
        qvVec3f* far = PointsOf(take, 0.5 + 2.0 * side * h, qv_layersAll, NULL);
        qvVec3f* farther = PointsOf(take, 0.5 + 3.0 * side * h, qv_layersAll, NULL);
        for (int i = 0; i < n; i++)
        {
            qvVec3 x[4] = { qvVec3_FromFloat(pose[i]), qvVec3_FromFloat(near[i]), qvVec3_FromFloat(far[i]),
                            qvVec3_FromFloat(farther[i]) };
            qvVec3 wanted = qvSub(qvVec3_FromFloat(moved[i]), x[0]);
            qvVec3 found = qvScale(-11.0 / 6.0, x[0]);
            found = qvMulAdd(qvMulAdd(qvMulAdd(found, 3.0, x[1]), -1.5, x[2]), 1.0 / 3.0, x[3]);
            worst = fmax(worst, qvDistance(qvScale(side / h, found), wanted));
            fastest = fmax(fastest, qvLength(wanted));
        }
        free(near);
        free(far);
        free(farther);
    }
    print_message("velocity off by %.2e of %.2e\n", worst / body->diagonal, fastest / body->diagonal);
    assert_true(fastest > 0.01 * body->diagonal);
    assert_true(worst < 1.5e-3 * body->diagonal); // as fine as differences of floats are
    // And in closed form.
    double exact = 0.0, *velocities = calloc(3 * (size_t)n, sizeof(*velocities));
    void* scratch = malloc(take->base.scratchSize);
    take->base.velocities(take->base.context, 0.5, scratch, velocities);
    for (int i = 0; i < n; i++)
    {
        qvVec3 wanted = qvSub(qvVec3_FromFloat(moved[i]), qvVec3_FromFloat(pose[i]));
        qvVec3 found = { velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2] };
        exact = fmax(exact, qvDistance(found, wanted));
    }
    print_message("in closed form by %.2e\n", exact / body->diagonal);
    assert_true(exact < 1e-4 * body->diagonal);
    free(scratch);
    free(velocities);
    free(pose);
    free(moved);
    qvReleaseTake(take);
}

static void TheSameForAnyPool(void** state)
{
    (void)state;
    qvTake* take = MustBeCarried(BODY DETAIL ", \"keys\": [" KEYS "]}");
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(4, &pool, &error), error);
    for (int f = 0; f < 6; f++)
    {
        qvVec3f* one = PointsOf(take, 0.31 * f, qv_layersAll, NULL);
        qvVec3f* many = PointsOf(take, 0.31 * f, qv_layersAll, pool);
        assert_memory_equal(one, many, (size_t)qvTake_Body(take)->mesh->pointCount * sizeof(*one));
        free(one);
        free(many);
    }
    qvDestroyPool(pool);
    qvReleaseTake(take);
}

static void ExpectRemark(const char* text, const char* part)
{
    qvTake* take = SolveAlone(text);
    char remark[qv_maxRemark];
    assert_true(qvTake_DetailRemark(take, remark));
    if (strstr(remark, part) == NULL || strchr(remark, '\n') != NULL)
        fail_msg("\"%s\" does not say \"%s\"", remark, part);
    assert_int_equal(qvTake_DetailPoints(take), qvTake_Body(take)->mesh->pointCount);
    ExpectKeysMet(take);
    qvReleaseTake(take);
}

static void WhatCannotBeDoneIsSaid(void** state)
{
    (void)state;
    ExpectRemark(BODY ", \"detail\": 20, \"keys\": [" KEYS "]}", "20 points are too few, at least 100 are needed");
    ExpectRemark(BODY DETAIL ", \"pins\": [{\"box\": [[-9, -9, -9], [9, 1.7, 9]]}], \"keys\": [" KEYS "]}",
                 "for pins and keys");
}

// A mesh of `count` triangles or of a tube of that many rings.
static void ExpectNoThin(const float* positions, int vertexCount, const int32_t* corners, int faceCount, int detail,
                         const char* part)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount, def.positions = (const qvVec3f*)(const void*)positions;
    def.faceCount = faceCount, def.corners = corners;
    qvMesh* mesh;
    qvTopology* topology;
    qvThin* thin;
    qvError error;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    qvVec3f* rest = calloc((size_t)mesh->pointCount, sizeof(*rest));
    qvMesh_GatherPoints(mesh, mesh->positions, rest);
    qvThinDef thinDef = { .topology = topology, .rest = rest, .detail = detail };
    assert_int_equal(qvCreateThin(&thinDef, NULL, &thin, &error), qv_badInput);
    if (strstr(error.message, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    assert_null(thin);
    free(rest);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

static void BodiesThatCannotBeThinned(void** state)
{
    (void)state;
    enum
    {
        LOOSE = 3000,
        RINGS = 4000
    };
    const float one[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const int32_t corners[3] = { 0, 1, 2 };
    ExpectNoThin(one, 3, corners, 1, 100, "of 3 points 3 are left");
    // Thousands of loose parts.
    float* places = calloc(9 * LOOSE, sizeof(*places));
    int32_t* faces = calloc(6 * RINGS * 3, sizeof(*faces));
    for (int i = 0; i < LOOSE; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            places[9 * i + 3 * k] = (float)(i % 60) + 0.5f * one[3 * k];
            places[9 * i + 3 * k + 1] = (float)(i / 60) + 0.5f * one[3 * k + 1];
            faces[3 * i + k] = 3 * i + k;
        }
    }
    ExpectNoThin(places, 3 * LOOSE, faces, LOOSE, 500, "");
    free(places);
    // A hair.
    places = calloc(9 * RINGS, sizeof(*places));
    for (int i = 0; i < RINGS; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            places[9 * i + 3 * k] = 0.001f * (float)cos(2.1 * k), places[9 * i + 3 * k + 1] = 0.01f * (float)i;
            places[9 * i + 3 * k + 2] = 0.001f * (float)sin(2.1 * k);
        }
    }
    int count = 0;
    for (int i = 0; i + 1 < RINGS; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            int a = 3 * i + k, b = 3 * i + (k + 1) % 3;
            int32_t quad[6] = { a, b, a + 3, b, b + 3, a + 3 };
            memcpy(faces + 3 * count, quad, sizeof(quad));
            count += 2;
        }
    }
    ExpectNoThin(places, 3 * RINGS, faces, count, 500, "slivers");
    free(places);
    free(faces);
}

// What is kept stays, in an open mesh, and its boundary stays one.
static void KeptPointsStay(void** state)
{
    (void)state;
    qvMesh* mesh;
    qvTopology* topology;
    qvThin* thin;
    qvError error;
    ASSERT_OK(qvCreatePrimitive("sheet", 60, &mesh, &error), error);
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    int n = mesh->pointCount, kept = 0;
    qvVec3f* rest = calloc((size_t)n, sizeof(*rest));
    bool* marks = calloc((size_t)n, sizeof(*marks));
    qvMesh_GatherPoints(mesh, mesh->positions, rest);
    for (int i = 0; i < n; i += 37)
        marks[i] = true, kept++;
    qvThinDef def = { .topology = topology, .rest = rest, .kept = marks, .detail = 300 };
    ASSERT_OK(qvCreateThin(&def, NULL, &thin, &error), error);
    assert_true(thin->mesh->pointCount < 600 + kept && thin->mesh->pointCount > 200);
    double longest = 0.0;
    for (int i = 0; i < n; i++)
    {
        assert_true(!marks[i] || thin->numbers[i] >= 0);
        assert_true(thin->near[i] >= 0 && thin->near[i] < thin->mesh->pointCount);
    }
    for (int i = 0; i < thin->topology->edgeCount; i++)
    {
        const int32_t* v = thin->topology->edges[i].point;
        longest = fmax(longest, qvDistance(qvVec3_FromFloat(rest[thin->points[v[0]]]),
                                           qvVec3_FromFloat(rest[thin->points[v[1]]])));
    }
    // Even where it is flat: no cell is much larger than the mean.
    double even = qvBox_Diagonal(mesh->bounds) / sqrt(2.0 * thin->mesh->pointCount);
    print_message("%d points, longest edge %.2f of an even one\n", thin->mesh->pointCount, longest / even);
    assert_true(longest < 5.0 * even);
    for (int i = 0; i < thin->mesh->pointCount; i++)
        assert_true(!thin->topology->onBoundary[i] || topology->onBoundary[thin->points[i]]);
    qvDestroyThin(thin);
    free(rest);
    free(marks);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// A key that moves in time needs nothing but its curves; another stroke neither the points nor the carrier.
static void EditsRedoWhatTheyTouch(void** state)
{
    (void)state;
#define TWO(time, stroke)                                                                                              \
    BODY DETAIL ", \"keys\": [{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": " time ", \"strokes\": [" stroke \
                "]}]}"
    qvPipeline* pipeline = MustPipeline();
    qvReleaseTake(MustSolve(pipeline, TWO("0.5", LEAN)));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageDetail), 1);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageRests), 1);
    qvReleaseTake(MustSolve(pipeline, TWO("0.7", LEAN)));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageRests), 1);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageSpace), 1);
    qvReleaseTake(MustSolve(pipeline, TWO("0.7", POKE)));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageDetail), 1);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageRests), 2);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryKeyIsMet),          cmocka_unit_test(TheMotionIsNearThatOfAllPoints),
        cmocka_unit_test(RigidMotionIsExact),     cmocka_unit_test(LoopsClose),
        cmocka_unit_test(AllIsAsBefore),          cmocka_unit_test(PinsAndPartialKeysAreExact),
        cmocka_unit_test(VelocitiesAreMet),       cmocka_unit_test(TheSameForAnyPool),
        cmocka_unit_test(WhatCannotBeDoneIsSaid), cmocka_unit_test(BodiesThatCannotBeThinned),
        cmocka_unit_test(KeptPointsStay),         cmocka_unit_test(EditsRedoWhatTheyTouch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
