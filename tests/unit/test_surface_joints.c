// SPDX-License-Identifier: GPL-3.0-or-later
// Joints of the engine of surfaces: momenta across them, how far they open, spans that go on, threads, and what cannot
// be joined.
#include "scene_testing.h"

#include "bem/system.h"
#include "math/rotation.h"
#include "solid.h"

#define CHAIN_OF(more, spans)                                                                               \
    "{\"quaver\": 2, \"mesh\": {\"file\": \"../../scenes/chain.obj\"}, \"range\": [0, 0.5], \"material\": " \
    "{\"modes\": 4, \"frequency\": 0}, \"ground\": {\"on\": false}, \"keys\": [{\"time\": 0}]" more ", "    \
    "\"simulations\": [" spans "]}"
#define SPAN(time, until, joints)                                                                                \
    "{\"engine\": \"surface\", \"time\": " time ", \"until\": " until ", \"after\": \"hold\", \"detail\": 100, " \
    "\"wobble\": 20, \"settle\": 4, \"joints\": [" joints "]}"
// The tips of links are their points 0 and 81, the poles of the ball are 0 and 127.
#define JOINTS                                                                                                 \
    "{\"a\": 81, \"b\": 82}, {\"a\": 163, \"b\": 164}, {\"a\": 245, \"b\": 246}, {\"a\": 327, \"b\": 328}, "   \
    "{\"a\": 409, \"b\": 410}, {\"a\": 491, \"b\": 492}, {\"a\": 573, \"b\": 574}, {\"a\": 655, \"b\": 656}, " \
    "{\"a\": 737, \"b\": 738}"
#define PINNED ", \"pins\": [{\"box\": [[-0.3, 5, -0.2], [0.3, 5.4, 0.2]]}]"

static qvTake* Ready(const char* text, qvPool* pool)
{
    qvError error;
    qvJob job = { .pool = pool };
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, &job, &take, &error), error);
    ASSERT_OK(qvTake_Advance(take, INFINITY, &job, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

// A pinned chain swings down: its tips stay as far apart as they were, but for what carries them between vertices.
// Without joints it falls apart.
static void ChainsHang(void** state)
{
    (void)state;
    qvTake *chain = Ready(CHAIN_OF(PINNED, SPAN("0", "0.5", JOINTS)), NULL),
           *loose = Ready(CHAIN_OF(PINNED, SPAN("0", "0.5", "")), NULL);
    const double gap = 0.04; // the mesh has between tips
    double widest = 0.0, narrowest = INFINITY, apart = 0.0;
    for (double time = 0.0; time <= 0.5; time += 0.05)
    {
        qvVec3f *x = PointsOf(chain, time, qv_layersAll, NULL), *y = PointsOf(loose, time, qv_layersAll, NULL);
        for (int n = 0; n < 9; n++)
        {
            double distance = qvDistance(qvVec3_FromFloat(x[82 * n + 81]), qvVec3_FromFloat(x[82 * n + 82]));
            widest = fmax(widest, distance);
            narrowest = fmin(narrowest, distance);
        }
        apart = fmax(apart, qvDistance(qvVec3_FromFloat(y[81]), qvVec3_FromFloat(y[82])));
        free(x);
        free(y);
    }
    print_message("tips are %.4f to %.4f apart, %.2f without joints\n", narrowest, widest, apart);
    assert_true(widest < gap + 0.01 && narrowest > 0.0); // a pull at one vertex is smoothed where points are carried
    assert_true(apart > 0.9);
    qvReleaseTake(chain);
    qvReleaseTake(loose);
}

// --- Bodies ---------------------------------------------------------------------------------------------------------

typedef struct Bodies
{
    qvBemModel* model;
    qvBemSystem* system;
    double* state;
    qvVec3* points;
    qvBemJoint joints[2];
} Bodies;

static qvBemModel* MakeBall(void)
{
    qvError error;
    qvBemModel* model;
    qvSolid ball = qvMakeIcosphere(1, 1.0);
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = ball.vertices;
    def.vertexCount = ball.vertexCount;
    def.triangles = ball.triangles;
    def.triangleCount = ball.triangleCount;
    def.loads = ball.vertexCount;
    ASSERT_OK(qvCreateBemModel(&def, NULL, &model, &error), error);
    qvFreeSolid(&ball);
    return model;
}

static qvVec3 VertexOf(const Bodies* made, int joint, int end)
{
    const qvBemJoint* j = &made->joints[joint];
    qvBemSystem_Positions(made->system, made->state, j->body[end], made->points);
    return made->points[j->vertex[end]];
}

// Each joint hangs on the middle between its ends.
static void Hang(Bodies* made)
{
    for (int j = 0; j < 2; j++)
    {
        qvVec3 ends[2] = { VertexOf(made, j, 0), VertexOf(made, j, 1) };
        qvVec3 half = qvScale(0.5, qvSub(ends[1], ends[0]));
        made->joints[j].offset[0] = half; // nothing is turned yet
        made->joints[j].offset[1] = qvScale(-1.0, half);
        qvBemSystem_HangJoint(made->system, j, made->joints[j].offset);
    }
}

// Three balls in a row, each with a joint to the next: of other densities, flying and turning.
static Bodies MakeBodies(void)
{
    qvError error;
    Bodies made = { .model = MakeBall() };
    const qvBemSurface* surface = made.model->surface;
    int left = 0, right = 0;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        left = surface->vertices[v].x < surface->vertices[left].x ? v : left;
        right = surface->vertices[v].x > surface->vertices[right].x ? v : right;
    }
    qvBemBodyDef bodies[3];
    for (int b = 0; b < 3; b++)
    {
        bodies[b] = qvDefaultBemBodyDef();
        bodies[b].model = made.model;
        bodies[b].wobble = 5.0;
        bodies[b].settle = 4.0;
        bodies[b].density = 1.0 + b;
    }
    for (int j = 0; j < 2; j++)
        made.joints[j] = (qvBemJoint){ .body = { j, j + 1 }, .vertex = { right, left } };
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = bodies;
    def.bodyCount = 3;
    def.joints = made.joints;
    def.jointCount = 2;
    def.gravity.y = 0.0;
    ASSERT_OK(qvCreateBemSystem(&def, NULL, &made.system, &error), error);
    made.state = calloc((size_t)qvBemSystem_StateSize(made.system), sizeof(double));
    made.points = calloc((size_t)surface->vertexCount, sizeof(qvVec3));
    qvBemSystem_Rest(made.system, made.state);
    for (int b = 0; b < 3; b++)
        qvBemSystem_Move(made.system, made.state, b, qvMakeVec3(2.2 * b, 0.1 * b, 0.0), qvQuat_Identity(),
                         qvMakeVec3(0.3 * b, b == 1 ? 1.0 : -0.5, 0.4), qvMakeVec3(0.0, 1.0 - b, 0.5));
    Hang(&made);
    return made;
}

static qvVec3 EndOf(const Bodies* made, int joint, int end)
{
    const qvBemJoint* j = &made->joints[joint];
    qvQuat turn = qvBemSystem_Pose(made->system, made->state, j->body[end]).rotation;
    return qvAdd(VertexOf(made, joint, end), qvQuat_Rotate(turn, j->offset[end]));
}

// Linear momentum, and angular momentum about the origin.
static void Momenta(const Bodies* made, qvVec3* linear, qvVec3* angular)
{
    *linear = *angular = qvMakeVec3(0.0, 0.0, 0.0);
    for (int b = 0; b < 3; b++)
    {
        qvBemPose pose = qvBemSystem_Pose(made->system, made->state, b);
        double mass = (1.0 + b) * made->model->surface->volume;
        const double* own = pose.q - 13; // the body's part: place, rotation, velocity, angular momentum
        *linear = qvMulAdd(*linear, mass, pose.velocity);
        *angular = qvAdd(*angular, qvMakeVec3(own[10], own[11], own[12]));
        *angular = qvMulAdd(*angular, mass, qvCross(pose.place, pose.velocity));
    }
}

// What joints give to one body they take from the other, to rounding; they open by less than 1e-4 of the size.
static void JointsKeepMomenta(void** state)
{
    (void)state;
    Bodies made = MakeBodies();
    qvVec3 linear, angular, linearAfter, angularAfter;
    double widest = 0.0, energy = 0.0, most = 0.0;
    Momenta(&made, &linear, &angular);
    for (int n = 0; n < 480; n++)
    {
        qvError error;
        qvBemStepReport report;
        qvBemStepDef def = { .time = n / 240.0 };
        ASSERT_OK(qvBemSystem_Step(made.system, &def, made.state, &report, &error), error);
        for (int j = 0; j < 2; j++)
            widest = fmax(widest, qvDistance(EndOf(&made, j, 0), EndOf(&made, j, 1)));
        double now = qvBemSystem_Energy(made.system, made.state);
        energy = n == 0 ? now : energy; // the first step brings speeds together that do not fit
        most = fmax(most, now / energy - 1.0);
    }
    Momenta(&made, &linearAfter, &angularAfter);
    double size = made.model->surface->diameter;
    print_message("momenta %.1e and %.1e off, joints open by %.1e of the size, energy +%.1e\n",
                  qvDistance(linear, linearAfter), qvDistance(angular, angularAfter), widest / size, most);
    assert_true(qvLength(linear) > 1.0 && qvLength(angular) > 1.0);
    assert_true(qvDistance(linear, linearAfter) < 1e-12 * qvLength(linear));
    assert_true(qvDistance(angular, angularAfter) < 1e-12 * qvLength(angular));
    assert_true(widest < 1e-4 * size);
    assert_true(most < 1e-3);
    qvDestroyBemSystem(made.system);
    qvDestroyBemModel(made.model);
    free(made.state);
    free(made.points);
}

// --- Spans ----------------------------------------------------------------------------------------------------------

static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

// Threads do not matter, and a span that takes over goes on with the joints as they hang.
static void JointsGoOn(void** state)
{
    (void)state;
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvTake *one = Ready(CHAIN_OF(PINNED, SPAN("0", "0.5", JOINTS)), NULL),
           *threads = Ready(CHAIN_OF(PINNED, SPAN("0", "0.5", JOINTS)), pool),
           *two = Ready(CHAIN_OF(PINNED, SPAN("0", "0.25", JOINTS) ", " SPAN("0.25", "0.5", JOINTS)), NULL);
    ASSERT_NEAR(Apart(one, threads, 0.47), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 0.23), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 0.47), 0.0, 1e-5);
    // New ones begin where the ends are: nothing jumps.
    qvTake* new_ = Ready(CHAIN_OF("", SPAN("0", "0.25", "") ", " SPAN("0.25", "0.5", JOINTS)), NULL);
    qvVec3f *before = PointsOf(new_, 0.25, qv_layersAll, NULL), *after = PointsOf(new_, 0.26, qv_layersAll, NULL);
    assert_true(Farthest(before, after, qvTake_Body(new_)->mesh->pointCount) < 0.03); // 2.5 m/s by then
    free(before);
    free(after);
    qvReleaseTake(one);
    qvReleaseTake(threads);
    qvReleaseTake(two);
    qvReleaseTake(new_);
    qvDestroyPool(pool);
}

static void ExpectRefused(const char* text, const char* part)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, part);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void BadJointsAreNamed(void** state)
{
    (void)state;
    ExpectRefused(CHAIN_OF("", SPAN("0", "0.5", "{\"a\": 81, \"b\": 82}, {\"a\": 5, \"b\": 9000}")),
                  "\"s1\" at 0 s: joints[1]: the mesh has no vertex 9000");
    ExpectRefused(CHAIN_OF("", SPAN("0", "0.5", "{\"a\": 5, \"b\": 6}")), "of the same part");
    ExpectRefused(CHAIN_OF("", SPAN("0", "0.5", "{\"a\": 81, \"b\": 82}, {\"a\": 82, \"b\": 81}")),
                  "hold the same places together");
    // Vertices along a seam of the texture are one point.
    qvTake* take = SolveAlone("{\"quaver\": 2, \"mesh\": {\"primitive\": \"sphere\"}, \"keys\": [{\"time\": 0}]}");
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    int seam = 0;
    while (mesh->pointVertex[mesh->vertexPoint[seam]] == seam)
        seam++;
    char text[1000];
    snprintf(text, sizeof(text),
             "{\"quaver\": 2, \"mesh\": {\"primitive\": \"sphere\"}, \"range\": [0, 1], \"keys\": [{\"time\": 0}], "
             "\"simulations\": [" SPAN("0", "0.5", "{\"a\": %d, \"b\": %d}") "]}",
             mesh->pointVertex[mesh->vertexPoint[seam]], seam);
    ExpectRefused(text, "are the same point");
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChainsHang),
        cmocka_unit_test(JointsKeepMomenta),
        cmocka_unit_test(JointsGoOn),
        cmocka_unit_test(BadJointsAreNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
