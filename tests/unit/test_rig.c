// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "math/affine.h"
#include "mesh/rig.h"
#include "quaver/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double QUARTER_TURN = 1.5707963267948966;

// --- Quaternions and maps

static void TestSlerp(void** state)
{
    (void)state;
    qvQuat a = qvQuat_Identity(), b = { 0.0, 0.0, sin(0.6), cos(0.6) };
    for (int i = 0; i <= 10; i++)
    {
        double t = i / 10.0;
        qvQuat q = qvQuat_Slerp(a, b, t);
        ASSERT_NEAR(q.z, sin(0.6 * t), 1e-15);
        ASSERT_NEAR(q.w, cos(0.6 * t), 1e-15);
    }
    // The other sign of a quaternion is the same rotation: the short way is taken.
    qvQuat opposite = { -b.x, -b.y, -b.z, -b.w };
    qvQuat q = qvQuat_Slerp(a, opposite, 0.5);
    ASSERT_NEAR(q.z / q.w, tan(0.3), 1e-15);
    // Nearly equal ones do not divide by zero.
    qvQuat close = { 0.0, 0.0, 1e-9, 1.0 };
    ASSERT_NEAR(qvQuat_Slerp(a, close, 0.5).z, 5e-10, 1e-15);
}

static void TestAffine(void** state)
{
    (void)state;
    qvQuat r = qvQuat_Normalize((qvQuat){ 0.3, -0.5, 0.2, 0.7 });
    qvAffine a = qvAffine_FromParts(qvMakeVec3(1, 2, 3), r, qvMakeVec3(2, -3, 0.5));
    ASSERT_NEAR(qvAffine_Determinant(&a), -3.0, 1e-14);
    qvAffine inverse;
    assert_true(qvAffine_Invert(&a, &inverse));
    qvAffine product = qvAffine_Multiply(&a, &inverse), identity = qvAffine_Identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            ASSERT_NEAR(product.linear[i][j], identity.linear[i][j], 1e-15);
    ASSERT_NEAR(qvLength(product.offset), 0.0, 1e-15);
    // Cofactors carry normals: they stay orthogonal to the surface.
    qvVec3 u = qvMakeVec3(1, 2, -1), v = qvMakeVec3(0.5, -1, 2);
    qvAffine cofactors = qvAffine_Cofactors(&a);
    qvVec3 expected = qvCross(qvAffine_Vector(&a, u), qvAffine_Vector(&a, v));
    ASSERT_NEAR(qvDistance(qvAffine_Vector(&cofactors, qvCross(u, v)), expected), 0.0, 1e-14);
    qvAffine flat = qvAffine_FromParts(qvMakeVec3(0, 0, 0), r, qvMakeVec3(1, 0, 1));
    assert_false(qvAffine_Invert(&flat, &inverse));
}

// --- Samplers

static void TestStepAndLinear(void** state)
{
    (void)state;
    const float times[] = { 1.0f, 2.0f, 4.0f }, values[] = { 0.0f, 10.0f, 1.0f, 20.0f, 5.0f, 0.0f };
    qvRigSampler sampler = { qv_rigLinear, 3, 2, times, values };
    float v[2];
    qvRigSampler_Evaluate(&sampler, false, 1.25, v);
    ASSERT_NEAR(v[0], 0.25, 1e-7);
    ASSERT_NEAR(v[1], 12.5, 1e-6);
    qvRigSampler_Evaluate(&sampler, false, 3.0, v);
    ASSERT_NEAR(v[0], 3.0, 1e-6);
    qvRigSampler_Evaluate(&sampler, false, -7.0, v); // before the first key
    ASSERT_NEAR(v[1], 10.0, 0.0);
    qvRigSampler_Evaluate(&sampler, false, 99.0, v); // after the last one
    ASSERT_NEAR(v[0], 5.0, 0.0);
    qvRigSampler_Evaluate(&sampler, false, NAN, v); // any answer, but no access outside
    sampler.interpolation = qv_rigStep;
    qvRigSampler_Evaluate(&sampler, false, 3.9999, v);
    ASSERT_NEAR(v[0], 1.0, 0.0);
    qvRigSampler_Evaluate(&sampler, false, 4.0, v);
    ASSERT_NEAR(v[0], 5.0, 0.0);
}

// Hermite basis as a polynomial through value and slope at both ends, written independently of the code's form.
static double Hermite(double a, double slopeA, double b, double slopeB, double span, double t)
{
    double c1 = slopeA * span, c2 = 3.0 * (b - a) - (2.0 * slopeA + slopeB) * span,
           c3 = 2.0 * (a - b) + (slopeA + slopeB) * span;
    return a + t * (c1 + t * (c2 + t * c3));
}

static void TestCubic(void** state)
{
    (void)state;
    const float times[] = { 0.0f, 2.0f, 2.5f };
    // in-tangent, value, out-tangent per key
    const float values[] = { 9.0f, 1.0f, 2.0f, -1.0f, 4.0f, 3.0f, 0.5f, -2.0f, 7.0f };
    qvRigSampler sampler = { qv_rigCubic, 3, 1, times, values };
    for (int i = 0; i <= 25; i++)
    {
        double time = i * 0.1;
        float v;
        qvRigSampler_Evaluate(&sampler, false, time, &v);
        double expected = time < 2.0 ? Hermite(1.0, 2.0, 4.0, -1.0, 2.0, time / 2.0)
                                     : Hermite(4.0, 3.0, -2.0, 0.5, 0.5, (time - 2.0) / 0.5);
        ASSERT_NEAR(v, expected, 1e-6);
    }
}

// --- Files

static qvModel* Load(const char* name)
{
    char path[512];
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(DataPath(path, sizeof(path), name), NULL, &model, &error), error);
    assert_non_null(model->rig);
    assert_int_equal(qvRig_VertexCount(model->rig), model->mesh->vertexCount);
    return model;
}

static qvVec3f* Pose(const qvModel* model, int clip, double time)
{
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    qvVec3f* positions = malloc((size_t)model->mesh->vertexCount * sizeof(qvVec3f));
    assert_non_null(scratch);
    assert_non_null(positions);
    memset(scratch, 0xff, qvRig_ScratchSize(model->rig)); // what was there before must not matter
    qvRig_Evaluate(model->rig, clip, time, scratch, positions);
    free(scratch);
    return positions;
}

static void AssertPosition(qvVec3f p, double x, double y, double z, double tolerance)
{
    ASSERT_NEAR(p.x, x, tolerance);
    ASSERT_NEAR(p.y, y, tolerance);
    ASSERT_NEAR(p.z, z, tolerance);
}

// A bar along y from 0 to 2: the lower ring follows the lower bone, the upper ring the upper one, which turns about
// (0, 1, 0) by 90 degrees in a second; the ring between follows both by half.
static void CheckBar(const char* name, double tolerance)
{
    qvModel* model = Load(name);
    assert_int_equal(model->mesh->vertexCount, 12);
    assert_int_equal(qvRig_JointCount(model->rig), 2);
    assert_int_equal(qvRig_ClipCount(model->rig), 2);
    assert_string_equal(qvRig_ClipName(model->rig, 0), "bend");
    ASSERT_NEAR(qvRig_ClipDuration(model->rig, 0), 1.0, 0.0);
    // The node's own place, 100 along x, has no part in it.
    AssertPosition(model->mesh->positions[0], -0.25, 0.0, -0.25, 1e-7);
    for (int i = 0; i <= 8; i++)
    {
        double time = i / 8.0, angle = time * QUARTER_TURN, c = cos(angle), s = sin(angle);
        qvVec3f* p = Pose(model, 0, time);
        for (int v = 0; v < 12; v++)
        {
            qvVec3f rest = model->mesh->positions[v];
            double x = rest.x, y = rest.y - 1.0, w = v < 4 ? 0.0 : v < 8 ? 0.5 : 1.0;
            AssertPosition(p[v], (1.0 - w) * x + w * (c * x - s * y), 1.0 + (1.0 - w) * y + w * (s * x + c * y), rest.z,
                           tolerance);
        }
        free(p);
    }
    qvVec3f* p = Pose(model, 1, 0.5);
    AssertPosition(p[3], -0.25, 0.0, 0.25, 1e-6);
    free(p);
    p = Pose(model, 1, 1.0);
    AssertPosition(p[3], -0.25, 0.0, 4.25, 1e-6);
    AssertPosition(p[11], -0.25, 2.0, 4.25, 1e-6);
    free(p);
    qvDestroyModel(model);
}

static void TestSkin(void** state)
{
    (void)state;
    CheckBar("gltf/skin.gltf", 1e-6);
    CheckBar("gltf/skin_short_rotation.gltf", 1e-4); // quaternions of 16 bits
    CheckBar("glb/skin.glb", 5e-3);                  // weights of 8 bits: 128/255
}

// The joints share every vertex, and the one that holds it most is named.
static void TestJointWeights(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/skin.gltf");
    int vertices = qvRig_VertexCount(model->rig), joints = qvRig_JointCount(model->rig);
    float *weights = calloc((size_t)vertices, sizeof(float)), *sums = calloc((size_t)vertices, sizeof(float)),
          *most = calloc((size_t)vertices, sizeof(float));
    assert_true(weights != NULL && sums != NULL && most != NULL && joints > 1);
    for (int j = 0; j < joints; j++)
    {
        qvRig_JointWeights(model->rig, j, weights);
        for (int v = 0; v < vertices; v++)
        {
            sums[v] += weights[v];
            most[v] = fmaxf(most[v], weights[v]);
            if (qvRig_MainJoint(model->rig, v) == j)
                assert_true(weights[v] >= 1.0f / (float)joints - 1e-6f);
        }
    }
    for (int v = 0; v < vertices; v++)
    {
        ASSERT_NEAR(sums[v], 1.0, 1e-5);
        qvRig_JointWeights(model->rig, qvRig_MainJoint(model->rig, v), weights);
        assert_true(weights[v] == most[v]);
    }
    assert_int_equal(qvRig_MainJoint(model->rig, vertices), -1);
    free(weights);
    free(sums);
    free(most);
    qvDestroyModel(model);
}

static void TestFindClip(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/skin.gltf");
    qvError error;
    static const struct
    {
        const char* name;
        int clip;
    } found[] = { { NULL, 0 }, { "bend", 0 }, { "slide", 1 }, { "1", 0 }, { "2", 1 } };
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
    {
        int clip = -1;
        ASSERT_OK(qvRig_FindClip(model->rig, found[i].name, &clip, &error), error);
        assert_int_equal(clip, found[i].clip);
    }
    static const char* const missing[] = { "", "0", "3", "-1", "2x", "Bend", "4294967297" };
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
    {
        int clip;
        assert_int_equal(qvRig_FindClip(model->rig, missing[i], &clip, &error), qv_notFound);
        assert_non_null(strstr(error.message, "; the file has 1 \"bend\", 2 \"slide\""));
    }
    int clip;
    assert_int_equal(qvRig_FindClip(NULL, NULL, &clip, &error), qv_notFound);
    assert_non_null(strstr(error.message, "has no clip"));
    assert_true(qvRig_ClipRate(model->rig, 0) == 0.0 && !qvRig_ClipLoops(model->rig, 0));
    qvDestroyModel(model);
}

// Before its first key and after its last one a clip stands still, however far away the time is.
static void TestOutsideTimes(void** state)
{
    (void)state;
    static const char* const names[] = { "gltf/skin.gltf", "gltf/morph.gltf", "gltf/cubic.gltf", "gltf/apart.gltf" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        qvModel* model = Load(names[i]);
        size_t size = (size_t)model->mesh->vertexCount * sizeof(qvVec3f);
        for (int clip = 0; clip < qvRig_ClipCount(model->rig); clip++)
        {
            static const double before[] = { -1e-3, -1e6, -1e300 };
            qvVec3f *first = Pose(model, clip, 0.0), *last = Pose(model, clip, qvRig_ClipDuration(model->rig, clip));
            for (int k = 0; k < 3; k++)
            {
                qvVec3f *early = Pose(model, clip, before[k]), *late = Pose(model, clip, 3.0 - before[k]);
                assert_memory_equal(early, first, size);
                assert_memory_equal(late, last, size);
                free(early);
                free(late);
            }
            free(first);
            free(last);
        }
        qvDestroyModel(model);
    }
}

static void TestRestIsMesh(void** state)
{
    (void)state;
    static const char* const names[] = { "gltf/skin.gltf", "gltf/morph.gltf", "gltf/cubic.gltf" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        qvModel* model = Load(names[i]);
        qvVec3f* p = Pose(model, -1, 123.0);
        assert_memory_equal(p, model->mesh->positions, (size_t)model->mesh->vertexCount * sizeof(qvVec3f));
        free(p);
        qvDestroyModel(model);
    }
}

// Targets: vertex 1 by +1 in x, vertex 2 by +2 in y; the node doubles everything.
static void TestMorphWeights(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/morph.gltf");
    static const double times[] = { 0.0, 0.5, 1.0, 1.7, 3.0 };
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
    {
        double t = times[i];
        double wide = t < 1.0 ? t : 1.0, tall = t < 1.0 ? 0.0 : (t - 1.0) / 2.0;
        qvVec3f* p = Pose(model, 0, t);
        AssertPosition(p[0], 0.0, 0.0, 0.0, 1e-7);
        AssertPosition(p[1], 2.0 + 2.0 * wide, 0.0, 0.0, 1e-6);
        AssertPosition(p[2], 0.0, 2.0 + 4.0 * tall, 0.0, 1e-6);
        free(p);
        wide = t < 1.0 ? Hermite(0.0, 1.0, 1.0, 0.0, 1.0, t) : Hermite(1.0, 0.0, 0.0, 3.0, 2.0, (t - 1.0) / 2.0);
        tall = t < 1.0 ? Hermite(0.0, 2.0, 0.5, 0.0, 1.0, t) : Hermite(0.5, -1.0, 1.0, 1.0, 2.0, (t - 1.0) / 2.0);
        p = Pose(model, 1, t);
        AssertPosition(p[1], 2.0 + 2.0 * wide, 0.0, 0.0, 1e-6);
        AssertPosition(p[2], 0.0, 2.0 + 4.0 * tall, 0.0, 1e-6);
        free(p);
        p = Pose(model, 2, t);
        AssertPosition(p[1], t < 1.0 ? 2.0 : 4.0, 0.0, 0.0, 1e-6);
        free(p);
    }
    qvDestroyModel(model);
}

static void TestCubicNode(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/cubic.gltf");
    ASSERT_NEAR(qvRig_ClipDuration(model->rig, 0), 2.0, 0.0);
    for (int i = 0; i <= 10; i++)
    {
        double time = 0.2 * i, t = time / 2.0;
        double x = Hermite(1, 1, 5, 0, 2.0, t), y = Hermite(2, 0, 5, 2, 2.0, t), z = Hermite(3, -1, 5, 0, 2.0, t);
        double qz = Hermite(0, 0.5, 1, 0, 2.0, t), qw = Hermite(1, 0, 0, -0.5, 2.0, t), angle = 2.0 * atan2(qz, qw);
        double stretch = 1.0 + 2.0 * t;
        qvVec3f* p = Pose(model, 0, time);
        AssertPosition(p[0], x, y, z, 1e-6);
        AssertPosition(p[1], x + stretch * cos(angle), y + stretch * sin(angle), z, 2e-6);
        AssertPosition(p[2], x - sin(angle), y + cos(angle), z, 2e-6);
        free(p);
    }
    qvDestroyModel(model);
}

typedef struct Frames
{
    const qvModel* model;
    qvVec3f* positions;
} Frames;

static void PoseRange(void* context, int begin, int end)
{
    Frames* frames = context;
    size_t count = (size_t)frames->model->mesh->vertexCount;
    for (int i = begin; i < end; i++)
    {
        void* scratch = malloc(qvRig_ScratchSize(frames->model->rig));
        qvRig_Evaluate(frames->model->rig, 0, i / 64.0, scratch, frames->positions + (size_t)i * count);
        free(scratch);
    }
}

static void TestThreads(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/skin.gltf");
    size_t bytes = 64 * (size_t)model->mesh->vertexCount * sizeof(qvVec3f);
    Frames one = { model, malloc(bytes) }, four = { model, malloc(bytes) };
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(4, &pool, &error), error);
    qvParallelFor(NULL, 64, 1, PoseRange, &one);
    qvParallelFor(pool, 64, 1, PoseRange, &four);
    assert_memory_equal(one.positions, four.positions, bytes);
    qvDestroyPool(pool);
    free(one.positions);
    free(four.positions);
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlerp),        cmocka_unit_test(TestAffine),     cmocka_unit_test(TestStepAndLinear),
        cmocka_unit_test(TestCubic),        cmocka_unit_test(TestSkin),       cmocka_unit_test(TestFindClip),
        cmocka_unit_test(TestOutsideTimes), cmocka_unit_test(TestRestIsMesh), cmocka_unit_test(TestMorphWeights),
        cmocka_unit_test(TestCubicNode),    cmocka_unit_test(TestThreads),    cmocka_unit_test(TestJointWeights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
