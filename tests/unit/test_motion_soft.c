// SPDX-License-Identifier: GPL-3.0-or-later
// Soft keys of the whole body: between the motion without them and the motion through them.
#include "math/rotation.h"
#include "motion_testing.h"

static const double TIMES[4] = { 0.0, 0.8, 1.9, 2.6 };

// --- A translation by hand ------------------------------------------------------------------------------------------

static double Kappa(double weight)
{
    double omega = 2.0 * 3.14159265358979323846 * 2.0;
    return weight * omega * omega * omega;
}

// 2 / h^3 times the integral of x''^2 over a cubic with values a, b and slopes u, v at its ends:
// (b - a)^2 - (b - a) h (u + v) + h^2 (u^2 + u v + v^2) / 3, times 12 / h^3. Adds half its derivatives by x1, v1 and
// v2, where the unknowns of a segment are columns of the system (-1: known).
static void AddSegment(double system[3][4], double h, const int columns[4], const double known[4])
{
    double f = 12.0 / (h * h * h);
    const double form[4][4] = { { f, 0.5 * f * h, -f, 0.5 * f * h },
                                { 0.5 * f * h, f * h * h / 3.0, -0.5 * f * h, f * h * h / 6.0 },
                                { -f, -0.5 * f * h, f, -0.5 * f * h },
                                { 0.5 * f * h, f * h * h / 6.0, -0.5 * f * h, f * h * h / 3.0 } };
    for (int i = 0; i < 16; i++)
    {
        int row = columns[i / 4], column = columns[i % 4];
        if (row >= 0 && column >= 0)
            system[row][column] += form[i / 4][i % 4];
        else if (row >= 0)
            system[row][3] -= form[i / 4][i % 4] * known[i % 4];
    }
}

static void Eliminate(double a[3][4], double x[3])
{
    for (int c = 0; c < 3; c++)
    {
        for (int r = c + 1; r < 3; r++)
        {
            double factor = a[r][c] / a[c][c];
            for (int k = c; k < 4; k++)
                a[r][k] -= factor * a[c][k];
        }
    }
    for (int r = 2; r >= 0; r--)
    {
        x[r] = a[r][3];
        for (int c = r + 1; c < 3; c++)
            x[r] -= a[r][c] * x[c];
        x[r] /= a[r][r];
    }
}

static double Cubic(double h, double t, const double end[4])
{
    double s = t / h, a = (2.0 * s - 3.0) * s * s;
    return end[0] * (1.0 + a) + end[1] * h * s * (1.0 - s) * (1.0 - s) - end[2] * a + end[3] * h * s * s * (s - 1.0);
}

// Value at a time of the curve through 0, softly past `wanted`, to `last`: starts at rest, ends without force.
static double ByHand(double weight, double wanted, double last, double time)
{
    double system[3][4] = { { Kappa(weight), 0.0, 0.0, Kappa(weight) * wanted } }, x[3]; // x1, v1, v2
    double h[2] = { TIMES[1], TIMES[2] - TIMES[1] };
    AddSegment(system, h[0], (const int[4]){ -1, -1, 0, 1 }, (const double[4]){ 0.0, 0.0, 0.0, 0.0 });
    AddSegment(system, h[1], (const int[4]){ 0, 1, -1, 2 }, (const double[4]){ 0.0, 0.0, last, 0.0 });
    Eliminate(system, x);
    if (time < TIMES[1])
        return Cubic(h[0], time, (const double[4]){ 0.0, 0.0, x[0], x[1] });
    return Cubic(h[1], time - TIMES[1], (const double[4]){ x[0], x[1], last, x[2] });
}

static const double WAYS[2][3] = { { 0.7, -1.1, 2.0 }, { -0.4, 0.9, 0.3 } };

// Poses that are moved, and keys that are: the least of the integral of x''^2 and kappa (x - X)^2.
static void TestTranslation(void** state)
{
    (void)state;
    Actor actor = MakeActor("sack", 6);
    AddPose(&actor);
    for (int k = 0; k < 2; k++)
    {
        double* points = AddPose(&actor);
        for (int i = 0; i < actor.size; i++)
            points[i] += WAYS[k][i % 3];
    }
    MakeSpace(&actor);
    const double weights[4] = { 1e-6, 1e-3, 1.0, 1e3 };
    for (int trial = 0; trial < 8; trial++)
    {
        qvMotionKey keys[3];
        qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
        double weight = keys[1].weight = weights[trial % 4];
        for (int k = 0; trial >= 4 && k < 3; k++)
        {
            const double* way = k > 0 ? WAYS[k - 1] : (const double[3]){ 0.0, 0.0, 0.0 };
            keys[k].pose = 0, keys[k].hasTransform = true;
            keys[k].translation = qvMakeVec3(way[0], way[1], way[2]);
        }
        qvMotion* motion = MustMove(&actor, &def);
        double miss = 0.0;
        for (double t = 0.0; t < TIMES[2]; t += 0.05)
        {
            double* at = Look(&actor, motion, t);
            for (int i = 0; i < actor.size; i++)
                ASSERT_NEAR(at[i] - actor.rest[i], ByHand(weight, WAYS[0][i % 3], WAYS[1][i % 3], t), 1e-7);
            free(at);
        }
        for (int c = 0; c < 3; c++)
            miss += pow(ByHand(weight, WAYS[0][c], WAYS[1][c], TIMES[1]) - WAYS[0][c], 2.0);
        ASSERT_NEAR(qvMotion_KeyReport(motion, 1).error, sqrt(miss), 1e-7);
        assert_true(weight > 1e-5 || sqrt(miss) > 1.0);
        qvDestroyMotion(motion);
    }
    FreeActor(&actor);
}

// --- Limits ---------------------------------------------------------------------------------------------------------

typedef struct Stage
{
    Actor actor;
    int32_t pins[128];
    qvMotionKey keys[6];
    qvMotionDef def;
} Stage;

static void MakeStage(Stage* stage, bool pinned)
{
    Actor* actor = &stage->actor;
    *actor = MakeActor("sack", 3);
    AddPose(actor);
    Deform(actor, AddPose(actor), 0.6, 0.4, 0.1);
    Deform(actor, AddPose(actor), -0.4, 0.0, -0.15);
    double* turned = AddPose(actor);
    Deform(actor, turned, 0.6, 0.4, 0.1);
    for (int i = 0; i < actor->size; i += 3)
    {
        double x = turned[i], z = turned[i + 2];
        turned[i] = 0.6 * x - 0.8 * z + 3.0, turned[i + 2] = 0.8 * x + 0.6 * z;
    }
    int count = 0;
    for (int i = 0; i < actor->size / 3 && count < 128; i++)
    {
        if (actor->rest[3 * i + 1] < 0.2)
            stage->pins[count++] = i;
    }
    assert_true(count > 3 && count < 128);
    if (pinned)
        actor->def.pins = stage->pins, actor->def.pinCount = count;
    MakeSpace(actor);
}

// With transforms or not, a loop or not, by rotations or by displacements; key 1 is the soft one.
static void MakeStageKeys(Stage* stage, int number)
{
    stage->def = MakeKeys(&stage->actor, stage->keys, 4, TIMES);
    stage->keys[3].pose = 0;
    for (int i = 0; number % 2 == 1 && i < 4; i++)
    {
        stage->keys[i].hasTransform = true;
        stage->keys[i].translation = qvMakeVec3(0.3 * i, sin(2.0 * i), 0.0);
        stage->keys[i].rotation = (qvQuat){ 0.0, sin(0.3 * i * i), 0.0, cos(0.3 * i * i) };
    }
    stage->def.period = number == 2 || number == 3 ? 3.5 : 0.0;
    stage->def.warp = number != 4;
    stage->keys[1].pose = number < 2 ? 3 : 1;
}

static double* Positions(const Stage* stage, const qvMotion* motion, double time)
{
    double* out = calloc((size_t)stage->actor.size, sizeof(double));
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvMotion_Evaluate(motion, time, scratch, out, NULL, NULL);
    free(scratch);
    return out;
}

static double GapAt(const Stage* stage, const qvMotion* a, const qvMotion* b, double time)
{
    double *x = Positions(stage, a, time), *y = Positions(stage, b, time);
    double gap = LargestDifference(x, y, stage->actor.size);
    free(x);
    free(y);
    return gap;
}

static double Gap(const Stage* stage, const qvMotion* a, const qvMotion* b)
{
    double largest = 0.0;
    for (double t = -0.1; t < 4.0; t += 0.09)
        largest = fmax(largest, GapAt(stage, a, b, t));
    return largest;
}

static qvMotion* WithWeight(Stage* stage, double weight)
{
    stage->keys[1].weight = weight;
    return MustMove(&stage->actor, &stage->def);
}

// Weight 0: the motion without the key. A large one: through it. In between: steadily from the one to the other.
static void TestLimits(void** state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++)
    {
        Stage stage;
        MakeStage(&stage, pinned == 1);
        for (int number = 0; number < 5; number++)
        {
            MakeStageKeys(&stage, number);
            qvMotionKey without[3] = { stage.keys[0], stage.keys[2], stage.keys[3] };
            qvMotionDef def = stage.def;
            def.keys = without, def.keyCount = 3;
            qvMotion *none = MustMove(&stage.actor, &def), *hard = WithWeight(&stage, INFINITY);
            double size = Gap(&stage, none, hard), last = 0.0, lastError = INFINITY;
            assert_true(size > 0.1);
            const double weights[7] = { 0.0, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e12 };
            for (int k = 0; k < 7; k++)
            {
                qvMotion* soft = WithWeight(&stage, weights[k]);
                double far = Gap(&stage, soft, none), near = Gap(&stage, soft, hard);
                double error = qvMotion_KeyReport(soft, 1).error;
                assert_true(far > last && error < lastError);
                assert_true(weights[k] > 0.0 || far < 1e-9 * size);
                assert_true(weights[k] > 1e-6 || far < 2e-4 * size);
                assert_true(weights[k] < 1e12 || (near < 1e-9 * size && error < 1e-9 * size));
                last = far, lastError = error;
                qvDestroyMotion(soft);
            }
            qvDestroyMotion(none);
            qvDestroyMotion(hard);
        }
        FreeActor(&stage.actor);
    }
}

// --- Turns ----------------------------------------------------------------------------------------------------------

// Whole turns on the way to a soft key are kept, however weak it is, and those about one axis are a cubic spline.
static void TestTurns(void** state)
{
    (void)state;
    Stage stage;
    MakeStage(&stage, false);
    stage.def = MakeKeys(&stage.actor, stage.keys, 3, TIMES);
    const double angles[3] = { 0.0, 0.9 + 4.0 * 3.14159265358979323846, 1.7 + 4.0 * 3.14159265358979323846 };
    for (int i = 0; i < 3; i++)
    {
        stage.keys[i].pose = 0, stage.keys[i].hasTransform = true;
        stage.keys[i].rotation = (qvQuat){ 0.0, sin(0.5 * angles[i]), 0.0, cos(0.5 * angles[i]) };
    }
    stage.keys[1].turns = 2;
    const double weights[4] = { 0.0, 1e-3, 1.0, 1e9 };
    for (int k = 0; k < 4; k++)
    {
        qvMotion* motion = WithWeight(&stage, weights[k]);
        for (double t = 0.02; t < TIMES[2]; t += 0.06)
        {
            double angle = ByHand(weights[k] > 0.0 ? weights[k] : 1e-12, angles[1], angles[2], t);
            qvAffine frame = qvMotion_Frame(motion, t);
            ASSERT_NEAR(frame.linear[0][0], cos(angle), 1e-6);
            ASSERT_NEAR(frame.linear[0][2], sin(angle), 1e-6);
        }
        qvDestroyMotion(motion);
    }
    FreeActor(&stage.actor);
}

// Turns about different axes: through a strong key, and without it where it has no weight, on the shortest way.
static void TestAxes(void** state)
{
    (void)state;
    Stage stage;
    MakeStage(&stage, false);
    stage.def = MakeKeys(&stage.actor, stage.keys, 3, TIMES);
    for (int i = 0; i < 3; i++)
        stage.keys[i].pose = 0, stage.keys[i].hasTransform = true;
    stage.keys[1].rotation = (qvQuat){ sin(0.7), 0.0, 0.0, cos(0.7) };
    stage.keys[2].rotation = (qvQuat){ 0.0, sin(0.8), 0.0, cos(0.8) };
    qvMotionKey without[2] = { stage.keys[0], stage.keys[2] };
    qvMotionDef def = stage.def;
    def.keys = without, def.keyCount = 2;
    qvMotion *none = MustMove(&stage.actor, &def), *hard = WithWeight(&stage, INFINITY);
    qvMotion *weak = WithWeight(&stage, 0.0), *strong = WithWeight(&stage, 1e12);
    for (double t = 0.0; t < 3.0; t += 0.1)
    {
        ASSERT_NEAR(GapAt(&stage, weak, none, t), 0.0, 1e-6);
        ASSERT_NEAR(GapAt(&stage, strong, hard, t), 0.0, 1e-6);
    }
    qvDestroyMotion(none);
    qvDestroyMotion(hard);
    qvDestroyMotion(weak);
    qvDestroyMotion(strong);
    FreeActor(&stage.actor);
}

// --- Everything at once ---------------------------------------------------------------------------------------------

static const double MANY[6] = { 0.0, 0.5, 1.3, 1.8, 2.6, 3.1 };

// Keys of all kinds, some soft, some partial, alone and in runs, with transforms, mixers and weights of points.
static void MakeMedley(Stage* stage, int trial, int32_t* only, qvMixerStrip* strip, float* weights)
{
    const double choices[5] = { INFINITY, 0.0, 1e-3, 1.0, 40.0 };
    const qvMotionKind kinds[5] = { qv_motionWiggly, qv_motionWiggly, qv_motionWiggly, qv_motionSmooth,
                                    qv_motionLinear };
    stage->def = MakeKeys(&stage->actor, stage->keys, 6, MANY);
    for (int i = 0; i < 6; i++)
    {
        qvMotionKey* key = &stage->keys[i];
        int random = (trial * 31 + i * 17) * 7919 % 1009;
        key->weight = choices[random % 5];
        key->kind = trial % 3 == 0 ? qv_motionWiggly : kinds[random / 5 % 5];
        key->mode = random % 7 == 0 ? qv_velocityZero : qv_velocityFree;
        if (random % 11 == 0)
            key->only = only, key->onlyCount = 5;
        if (trial % 4 == 1)
        {
            key->hasTransform = i % 2 == 0;
            key->translation = qvMakeVec3(0.1 * i, 0.0, sin(i));
            key->rotation = (qvQuat){ 0.2 * sin(i), 0.3 * cos(i), 0.1, 1.0 };
        }
    }
    stage->def.period = trial % 5 == 2 ? 3.6 : 0.0;
    stage->def.warp = trial % 7 != 3;
    stage->def.strips = strip, stage->def.stripCount = trial % 6 == 4 ? 1 : 0;
    stage->def.weights = trial % 6 == 5 ? weights : NULL;
}

// Nothing jumps, velocities are derivatives, accelerations are continuous across wiggly soft keys.
static void AssertContinuous(const Stage* stage, const qvMotion* motion, double time, bool twice)
{
    double h = 1e-7; // stiff modes take 1e-4 s to follow
    int size = stage->actor.size;
    double *a = Look(&stage->actor, motion, time - h), *b = Look(&stage->actor, motion, time + h);
    double *before = Look(&stage->actor, motion, time - 2.0 * h), *after = Look(&stage->actor, motion, time + 2.0 * h);
    for (int i = 0; i < size; i++)
    {
        ASSERT_NEAR(b[i] - a[i], h * (a[size + i] + b[size + i]), 1e-9 + 1e-3 * fabs(b[i] - a[i]));
        ASSERT_NEAR(a[i] - before[i], h * a[size + i], 1e-9 + 1e-3 * fabs(b[i] - a[i]));
        ASSERT_NEAR(after[i] - b[i], h * b[size + i], 1e-9 + 1e-3 * fabs(b[i] - a[i]));
    }
    double *left = Look(&stage->actor, motion, time - 1e-11), *right = Look(&stage->actor, motion, time + 1e-11);
    for (int i = 2 * size; twice && i < 3 * size; i++)
        ASSERT_NEAR(left[i], right[i], 1e-3 + 1e-4 * fabs(left[i]));
    free(a);
    free(b);
    free(before);
    free(after);
    free(left);
    free(right);
}

static void AssertReport(const Stage* stage, const qvMotion* motion, int index)
{
    const qvMotionKey* key = &stage->keys[index];
    qvMotionKeyReport report = qvMotion_KeyReport(motion, index);
    double *at = Positions(stage, motion, key->time), largest = 0.0;
    const double* wanted = stage->actor.points[key->pose];
    for (int i = 0; i < (key->onlyCount > 0 ? key->onlyCount : stage->actor.size / 3); i++)
    {
        int point = key->onlyCount > 0 ? key->only[i] : i;
        qvVec3 x = qvMakeVec3(wanted[3 * point], wanted[3 * point + 1], wanted[3 * point + 2]);
        if (key->hasTransform)
            x = qvAdd(qvQuat_Rotate(qvQuat_Normalize(key->rotation), x), key->translation);
        largest = fmax(largest, qvDistance(x, qvMakeVec3(at[3 * point], at[3 * point + 1], at[3 * point + 2])));
    }
    ASSERT_NEAR(report.error, largest, 1e-7 + 1e-6 * largest);
    free(at);
}

static void TestMedley(void** state)
{
    (void)state;
    const int32_t only[5] = { 3, 9, 20, 31, 44 };
    float weights[1024];
    qvMixerStrip strip = { .mode = 1, .gain = 0.3 };
    for (int pinned = 0; pinned < 2; pinned++)
    {
        Stage stage;
        MakeStage(&stage, pinned == 1);
        assert_true(stage.actor.size / 3 <= 1024);
        for (int i = 0; i < 1024; i++)
            weights[i] = (float)(i % 4) / 3.0f;
        for (int trial = 0; trial < 20; trial++)
        {
            MakeMedley(&stage, trial, (int32_t*)only, &strip, weights);
            qvMotion* motion = MustMove(&stage.actor, &stage.def);
            for (int i = 0; i < 6; i++)
            {
                // The frame jumps in acceleration where its path ends, which may be before the last key
                bool wiggly =
                    trial % 3 == 0 && trial % 4 != 1 && i > 0 && i < 5 && stage.keys[i].mode == qv_velocityFree;
                bool hard = stage.keys[i].weight == INFINITY || stage.keys[i].onlyCount > 0;
                AssertContinuous(&stage, motion, MANY[i], wiggly && !hard);
                AssertContinuous(&stage, motion, MANY[i] + 0.17, true);
                if (trial % 4 == 1 ? stage.keys[i].hasTransform : true)
                    AssertReport(&stage, motion, i);
            }
            AssertContinuous(&stage, motion, 3.8, true);
            qvDestroyMotion(motion);
        }
        FreeActor(&stage.actor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestTranslation), cmocka_unit_test(TestLimits),
                                        cmocka_unit_test(TestTurns), cmocka_unit_test(TestAxes),
                                        cmocka_unit_test(TestMedley) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
