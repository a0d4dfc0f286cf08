// SPDX-License-Identifier: GPL-3.0-or-later
// Soft keys and keys of some points, against a dense minimisation, against perturbed motions, and with blends, loops,
// velocities, kinds of segments and the mixer.
#include "motion_testing.h"

#include "math/dense.h"
#include "motion/motion.h"

static const double TIMES[6] = { 0.0, 0.7, 1.1, 2.3, 2.9, 4.0 };
static const double TWO_PI = 6.28318530717958647692;

static unsigned Random(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static double Uniform(unsigned* seed)
{
    return (double)Random(seed) / 8388608.0 - 1.0;
}

// A sheet that hangs from its upper edge, with one shape only.
static Actor MakeCurtain(int32_t* pins)
{
    Actor actor = MakeActor("sheet", 6);
    AddPose(&actor);
    for (int i = 0; i < actor.size / 3; i++)
    {
        if (actor.rest[3 * i + 1] > 1.99)
            pins[actor.def.pinCount++] = i;
    }
    actor.def.pins = pins;
    actor.def.material.modes = 20;
    actor.def.model = qv_modelState;
    MakeSpace(&actor);
    return actor;
}

// Two points near the lower corners.
static void FindCorners(const Actor* actor, int32_t corner[2])
{
    double best[2] = { 1e9, 1e9 };
    for (int i = 0; i < actor->size / 3; i++)
    {
        const double* p = actor->rest + 3 * i;
        for (int k = 0; k < 2; k++)
        {
            double distance = p[1] + fabs(p[0] - (k == 0 ? -1.0 : 1.0));
            if (distance < best[k])
                best[k] = distance, corner[k] = i;
        }
    }
}

// Keys 1 and 3 say where two points are, key 2 is soft. targets: 2 x 6 numbers.
static qvMotionDef MakeCurtainKeys(const Actor* actor, qvMotionKey* keys, const int32_t* corner, double* targets)
{
    qvMotionDef def = MakeKeys(actor, keys, 5, TIMES);
    const double moved[2][6] = { { 0.1, 0.2, 0.3, -0.1, 0.0, 0.4 }, { -0.2, 0.1, -0.3, 0.0, 0.1, 0.2 } };
    for (int k = 0; k < 2; k++)
    {
        qvMotionKey* key = &keys[1 + 2 * k];
        for (int i = 0; i < 6; i++)
            targets[6 * k + i] = actor->rest[3 * corner[i / 3] + i % 3] + moved[k][i];
        key->only = corner, key->onlyCount = 2, key->targets = targets + 6 * k;
    }
    keys[2].weight = 0.7;
    def.material.gravity = qvMakeVec3(0.0, 0.0, -2.0);
    return def;
}

// Rows of the listed points in modes: [6 x d], by columns.
static double* CornerRows(const Actor* actor, const qvMotionShape* shape, const int32_t* corner)
{
    int d = actor->space->dimension;
    double* rows = calloc(6 * (size_t)d, sizeof(double));
    const double* u = qvBasis_Vectors(actor->space->basis);
    for (int i = 0; i < 6 * d; i++)
    {
        for (int c = 0; c < d; c++)
            rows[i] += u[(size_t)c * (size_t)actor->size + (size_t)(3 * corner[i % 6 / 3] + i % 3)] *
                       shape->vectors[(size_t)(i / 6) * (size_t)d + (size_t)c];
    }
    return rows;
}

// The smallest x with rows x = y [6].
static void LeastStep(int d, const double* rows, const double* y, double* x)
{
    double gram[36], factor[6];
    memcpy(factor, y, sizeof(factor));
    for (int a = 0; a < 36; a++)
    {
        gram[a] = 0.0;
        for (int i = 0; i < d; i++)
            gram[a] += rows[6 * i + a / 6] * rows[6 * i + a % 6];
    }
    qvDenseReport report;
    qvError error;
    ASSERT_OK(qvDense_SolvePositive(6, gram, factor, &report, &error), error);
    for (int i = 0; i < d; i++)
    {
        x[i] = 0.0;
        for (int r = 0; r < 6; r++)
            x[i] += rows[6 * i + r] * factor[r];
    }
}

// What keeps the rest of the curtain near its rest shape at partial keys: a tenth of the energy of the least steps of
// keys 1 and 3 over their squared length.
static double FindPull(const Actor* actor, const qvTrack* track, const int32_t* corner, const double* targets)
{
    int d = actor->space->dimension;
    double *rows = CornerRows(actor, track->shape, corner), *step = calloc(2 * (size_t)d, sizeof(double));
    double energy = 0.0, length = 0.0, y[6];
    qvWigglyData data = { .values = track->solution.values };
    for (int k = 0; k < 2; k++)
    {
        for (int r = 0; r < 6; r++)
            y[r] = actor->space->scale * (targets[6 * k + r] - actor->rest[3 * corner[r / 3] + r % 3]);
        LeastStep(d, rows, y, step + k * d);
    }
    for (int i = 0; i < d; i++)
    {
        double form[25], linear[5], constant, a = step[i], b = step[d + i];
        qvError error;
        ASSERT_OK(qvWigglyPlan_QuadraticForm(track->plan, &data, i, form, linear, &constant, &error), error);
        energy += a * a * form[6] + 2.0 * a * b * form[8] + b * b * form[18];
        length += a * a + b * b;
    }
    free(rows);
    free(step);
    return 0.1 * energy / length;
}

// Unknowns: omega of keys 1, 2, 3, then 12 multipliers. Everything in one matrix.
static void TestBruteForce(void** state)
{
    (void)state;
    int32_t pins[64], corner[2];
    Actor actor = MakeCurtain(pins);
    FindCorners(&actor, corner);
    qvMotionKey keys[5];
    double targets[12];
    for (int loop = 0; loop < 2; loop++)
    {
        qvMotionDef def = MakeCurtainKeys(&actor, keys, corner, targets);
        def.period = loop ? 3.5 : 0.0;
        qvMotion* motion = MustMove(&actor, &def);
        const qvTrack* track = &motion->tracks[0];
        int d = actor.space->dimension, n = 3 * d + 12;
        double* matrix = calloc((size_t)n * (size_t)n, sizeof(double));
        double *x = calloc((size_t)n, sizeof(double)), *rows = CornerRows(&actor, track->shape, corner);
        double kappa = 0.7 * pow(TWO_PI * def.material.frequency, 3.0), pull = FindPull(&actor, track, corner, targets);
        qvWigglyData data = { track->solution.values, NULL, NULL, track->force };
        qvError error;
        for (int i = 0; i < d; i++)
        {
            double form[25], linear[5], constant;
            ASSERT_OK(qvWigglyPlan_QuadraticForm(track->plan, &data, i, form, linear, &constant, &error), error);
            for (int a = 0; a < 3; a++)
            {
                x[a * d + i] = -linear[a + 1]; // keys 0 and 4 are at rest: omega = 0
                for (int b = 0; b < 3; b++)
                    matrix[(a * d + i) * n + b * d + i] = form[(a + 1) * 5 + b + 1] + (a != b   ? 0.0
                                                                                       : a == 1 ? kappa
                                                                                                : pull);
            }
            for (int r = 0; r < 12; r++)
            {
                int unknown = (r < 6 ? 0 : 2) * d + i;
                matrix[unknown * n + 3 * d + r] = matrix[(3 * d + r) * n + unknown] = rows[6 * i + r % 6];
            }
        }
        for (int r = 0; r < 12; r++)
            x[3 * d + r] = actor.space->scale * (targets[r] - actor.rest[3 * corner[r % 6 / 3] + r % 3]);
        qvDenseReport report;
        ASSERT_OK(qvDense_SolveGeneral(n, matrix, x, &report, &error), error);
        double largest = 0.0;
        for (int k = 0; k < 3; k++)
        {
            // The tracks of partial keys share shape and centre here
            const double* found = track->solution.values + (size_t)(k + 1) * (size_t)d;
            ASSERT_NEAR(LargestDifference(found, x + k * d, d), 0.0, 1e-6);
            for (int i = 0; i < d; i++)
                largest = fmax(largest, fabs(found[i]));
        }
        assert_true(largest > 0.1);
        qvMotionKeyReport partial = qvMotion_KeyReport(motion, 1), soft = qvMotion_KeyReport(motion, 2);
        assert_int_equal(partial.directions, 6);
        ASSERT_NEAR(partial.error, 0.0, 1e-9);
        ASSERT_NEAR(partial.residual, 0.0, 1e-9);
        assert_true(soft.error > 1e-3 && soft.directions == d);
        free(matrix);
        free(rows);
        free(x);
        qvDestroyMotion(motion);
    }
    FreeActor(&actor);
}

// Energy of a track with the pull of soft and partial keys to the centre.
static double Energy(const qvMotion* motion, const qvTrack* track, const qvWigglySolution* solution, double kappa,
                     double pull)
{
    int d = motion->space->dimension;
    double sum = 0.0, *energies = calloc((size_t)d, sizeof(double));
    qvWigglyPlan_Energy(track->plan, solution, track->force, energies);
    for (int i = 0; i < d; i++)
        sum += energies[i] + kappa * pow(solution->values[2 * d + i], 2.0) +
               pull * (pow(solution->values[d + i], 2.0) + pow(solution->values[3 * d + i], 2.0));
    free(energies);
    return sum;
}

// Takes what moves the corners out of a row.
static void Project(int d, const double* rows, double* x)
{
    double seen[6] = { 0.0 }, *part = calloc((size_t)d, sizeof(double));
    for (int r = 0; r < 6; r++)
    {
        for (int i = 0; i < d; i++)
            seen[r] += rows[6 * i + r] * x[i];
    }
    LeastStep(d, rows, seen, part);
    for (int i = 0; i < d; i++)
        x[i] -= part[i];
    free(part);
}

// No perturbation of free values and velocities needs less force.
static void TestLeastEnergy(void** state)
{
    (void)state;
    int32_t pins[64], corner[2];
    Actor actor = MakeCurtain(pins);
    FindCorners(&actor, corner);
    qvMotionKey keys[5];
    double targets[12];
    qvMotionDef def = MakeCurtainKeys(&actor, keys, corner, targets);
    qvMotion* motion = MustMove(&actor, &def);
    const qvTrack* track = &motion->tracks[0];
    int d = actor.space->dimension, count = 5 * d;
    double kappa = 0.7 * pow(TWO_PI * def.material.frequency, 3.0), *rows = CornerRows(&actor, track->shape, corner);
    double* numbers = calloc(3 * (size_t)count, sizeof(double));
    qvWigglySolution other = { numbers, numbers + count, numbers + 2 * count };
    double pull = FindPull(&actor, track, corner, targets);
    double least = Energy(motion, track, &track->solution, kappa, pull), most = least;
    unsigned seed = 1;
    for (int trial = 0; trial < 1000; trial++)
    {
        memcpy(other.values, track->solution.values, (size_t)count * sizeof(double));
        memcpy(other.before, track->solution.before, (size_t)count * sizeof(double));
        memcpy(other.after, track->solution.after, (size_t)count * sizeof(double));
        double size = pow(10.0, -4.0 + trial % 5);
        for (int k = 1; k < 5; k++)
        {
            double* row = other.values + k * d;
            memset(row, 0, (size_t)d * sizeof(double));
            for (int i = 0; i < d; i++)
            {
                double change = size * Uniform(&seed);
                other.before[k * d + i] += change, other.after[k * d + i] += change;
                row[i] = k < 4 ? size * Uniform(&seed) : 0.0;
            }
            if (k % 2 == 1)
                Project(d, rows, row);
            for (int i = 0; i < d; i++)
                row[i] += track->solution.values[k * d + i];
        }
        double energy = Energy(motion, track, &other, kappa, pull);
        assert_true(energy >= least * (1.0 - 1e-12));
        most = fmax(most, energy);
    }
    assert_true(least > 0.0 && most > 2.0 * least);
    free(numbers);
    free(rows);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

static int FindTop(const Actor* actor, int32_t* only, double height)
{
    int count = 0;
    for (int i = 0; i < actor->size / 3 && count < 64; i++)
    {
        if (actor->rest[3 * i + 1] > height)
            only[count++] = i;
    }
    return count;
}

static double LargestMiss(const Actor* actor, const qvMotion* motion, const qvMotionKey* key)
{
    double *at = Look(actor, motion, key->time), largest = 0.0;
    for (int i = 0; i < key->onlyCount; i++)
    {
        const double *p = at + 3 * key->only[i], *t = key->targets + 3 * i;
        double distance = sqrt(pow(p[0] - t[0], 2.0) + pow(p[1] - t[1], 2.0) + pow(p[2] - t[2], 2.0));
        if (!(distance <= largest))
            largest = distance;
    }
    free(at);
    return largest;
}

// A free body with three shapes: listed points are where the report says, with blends, loops, kinds, velocities and the
// mixer, and other keys are still hit.
static void TestBlendedMotion(void** state)
{
    (void)state;
    Actor actors[2];
    for (int k = 0; k < 2; k++)
    {
        actors[k] = MakeDancer();
        actors[k].def.material.modes = 20;
        actors[k].def.model = k == 0 ? qv_modelPose : qv_modelState;
        MakeSpace(&actors[k]);
    }
    for (int trial = 0; trial < 12; trial++)
    {
        Actor actor = actors[trial % 2];
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        def.period = trial / 2 % 2 == 1 ? 5.0 : 0.0;
        int32_t only[64];
        int count = FindTop(&actor, only, 1.7);
        assert_true(count > 3);
        double targets[2][3 * 64];
        for (int k = 0; k < 2; k++)
        {
            qvMotionKey* key = &keys[2 + 3 * k];
            for (int i = 0; i < 3 * count; i++)
                targets[k][i] = actor.points[key->pose][3 * only[i / 3] + i % 3] + (i % 3 == 0 ? 0.2 : 0.0);
            key->only = only, key->onlyCount = count, key->targets = targets[k];
        }
        keys[3].weight = trial == 4 ? 2.0 : INFINITY;
        if (trial >= 6)
            keys[3].kind = qv_motionSmooth;
        if (trial >= 8)
            keys[2].kind = keys[4].kind = trial == 8 ? qv_motionLinear : qv_motionSmooth;
        keys[2].mode = trial == 10 ? qv_velocityZero : trial == 11 ? qv_velocityBroken : qv_velocityFree;
        qvMixerStrip strip = { .mode = 0, .gain = 2.5 };
        if (trial % 3 == 1)
            def.strips = &strip, def.stripCount = 1;
        qvMotion* motion = MustMove(&actor, &def);
        double diagonal = qvMotionSpace_Stats(actor.space).diagonal;
        for (int i = 0; i < 6; i++)
        {
            qvMotionKeyReport report = qvMotion_KeyReport(motion, i);
            if (keys[i].onlyCount > 0)
            {
                ASSERT_NEAR(LargestMiss(&actor, motion, &keys[i]), report.error, 1e-9 * diagonal);
                assert_true(report.residual > 0.0 && report.error < 2.0 * report.residual);
                assert_true(report.error < 0.01 * diagonal && report.directions > 20);
                continue;
            }
            double* at = Look(&actor, motion, TIMES[i]);
            double miss = LargestDifference(at, actor.points[keys[i].pose], actor.size);
            assert_true(keys[i].weight < INFINITY ? miss > 1e-6 && miss <= report.error * 1.001
                                                  : miss < 1e-9 * diagonal);
            free(at);
        }
        for (double t = 0.0; t < 5.0; t += 0.23) // it stays near the body, and jumps nowhere
        {
            double *a = Look(&actor, motion, t), *b = Look(&actor, motion, t + 1e-7);
            ASSERT_NEAR(LargestDifference(a, b, actor.size), 0.0, 1e-5 * diagonal);
            ASSERT_NEAR(LargestDifference(a, actor.rest, actor.size), 0.0, 3.0 * diagonal);
            free(a);
            free(b);
        }
        qvDestroyMotion(motion);
    }
    FreeActor(&actors[0]);
    FreeActor(&actors[1]);
}

// A partial key is met when it is the only key, too.
static void TestOnlyKey(void** state)
{
    (void)state;
    int32_t pins[64], corner[2];
    Actor actor = MakeCurtain(pins);
    FindCorners(&actor, corner);
    qvMotionKey keys[5];
    double targets[12];
    qvMotionDef def = MakeCurtainKeys(&actor, keys, corner, targets);
    def.keys = &keys[1], def.keyCount = 1;
    qvMotion* motion = MustMove(&actor, &def);
    ASSERT_NEAR(LargestMiss(&actor, motion, &keys[1]), 0.0, 1e-9);
    ASSERT_NEAR(qvMotion_KeyReport(motion, 0).error, 0.0, 1e-9);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// A key that lists every point is a key of the whole body, and the pose that it led to is its own.
static void TestAllPointsListed(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    int n = actor.size / 3;
    int32_t* only = calloc((size_t)n, sizeof(*only));
    for (int i = 0; i < n; i++)
        only[i] = i;
    qvMotionKey keys[5];
    qvMotionDef def = MakeKeys(&actor, keys, 5, TIMES);
    qvMotion* whole = MustMove(&actor, &def);
    keys[2].only = keys[3].only = only, keys[2].onlyCount = keys[3].onlyCount = n;
    qvMotion* listed = MustMove(&actor, &def);
    double* pose = calloc((size_t)actor.size, sizeof(double));
    for (int i = 0; i < 5; i++)
    {
        qvMotion_KeyPose(listed, i, pose);
        ASSERT_NEAR(LargestDifference(pose, actor.points[keys[i].pose], actor.size), 0.0, 1e-6);
    }
    for (double t = 0.05; t < 4.0; t += 0.17)
    {
        double *a = Look(&actor, whole, t), *b = Look(&actor, listed, t);
        ASSERT_NEAR(LargestDifference(a, b, actor.size), 0.0, 1e-5);
        free(a);
        free(b);
    }
    free(pose);
    free(only);
    qvDestroyMotion(whole);
    qvDestroyMotion(listed);
    FreeActor(&actor);
}

// A wave of a small part hardly moves the rest of a free body.
static void TestFrameStays(void** state)
{
    (void)state;
    Actor actor = MakeActor("imp", 6);
    actor.def.material.modes = 20;
    AddPose(&actor);
    double* walked = AddPose(&actor);
    for (int i = 0; i < actor.size; i += 3)
        walked[i] += 4.0;
    double farthest = 0.0;
    for (int i = 0; i < actor.size; i += 3)
        farthest = fmax(farthest, actor.rest[i]);
    int32_t hand[64];
    int count = 0;
    double targets[3 * 64];
    for (int i = 0; i < actor.size / 3 && count < 64; i++)
    {
        if (actor.rest[3 * i] > farthest - 0.15)
            hand[count++] = i;
    }
    double* raised = AddPose(&actor); // as posed at the start of the walk
    for (int i = 0; i < actor.size; i += 3)
        raised[i + 1] += 0.3 * exp(-6.0 * pow(farthest - actor.rest[i], 2.0));
    MakeSpace(&actor);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    keys[1].pose = 2, keys[2].pose = 1;
    for (int i = 0; i < 3 * count; i++) // where the walk has the hand at that time, but raised
        targets[i] = raised[3 * hand[i / 3] + i % 3];
    keys[1].only = hand, keys[1].onlyCount = count, keys[1].targets = targets;
    qvMotionKey two[2] = { keys[0], keys[2] };
    qvMotionDef without = def;
    without.keys = two, without.keyCount = 2;
    qvMotion* walk = MustMove(&actor, &without);
    double* plain = Look(&actor, walk, TIMES[1]);
    for (int i = 0; i < count; i++)
        targets[3 * i] = plain[3 * hand[i]];

    qvMotion* wave = MustMove(&actor, &def);
    double change[2];
    unsigned seed = 3;
    for (int k = 0; k < 2; k++) // the second time with targets that no motion can reach
    {
        double* at = Look(&actor, wave, TIMES[1]);
        change[k] = 0.0;
        for (int i = 0; i < actor.size; i++)
            change[k] += fabs(at[i] - plain[i]) / actor.size;
        assert_true(LargestMiss(&actor, wave, &keys[1]) < (k == 0 ? 0.001 : 0.03));
        qvVec3 a = qvMotion_Frame(wave, TIMES[1]).offset, b = qvMotion_Frame(walk, TIMES[1]).offset;
        ASSERT_NEAR(qvLength(qvSub(a, b)), 0.0, 0.02);
        qvDestroyMotion(wave);
        for (int i = 0; i < 3 * count; i++)
            targets[i] += 0.01 * Uniform(&seed);
        wave = MustMove(&actor, &def);
        free(at);
    }
    assert_true(plain[0] - actor.rest[0] > 1.0); // it walks
    assert_true(change[0] < 0.03);               // goes on walking with a hand 0.3 higher
    assert_true(change[1] < 0.03);               // and does not go out of its way for details of 0.01
    free(plain);
    qvDestroyMotion(walk);
    qvDestroyMotion(wave);
    FreeActor(&actor);
}

// So many listed points that samples of them decide: all of them are where they should be, and the report says so.
static void TestManyListed(void** state)
{
    (void)state;
    Actor actor = MakeActor("block", 12);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.5, 0.3, 0.1);
    actor.def.material.modes = 6;
    MakeSpace(&actor);
    int n = actor.size / 3, count = 0;
    int32_t* only = calloc((size_t)n, sizeof(*only));
    double* targets = calloc((size_t)actor.size, sizeof(double));
    for (int i = 0; i < n; i++)
    {
        if (actor.rest[3 * i + 1] < 0.7)
            continue;
        memcpy(targets + 3 * count, actor.points[1] + 3 * i, 3 * sizeof(double));
        only[count++] = i;
    }
    assert_true(count > 800);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    keys[1].only = only, keys[1].onlyCount = count, keys[1].targets = targets;
    qvMotion* motion = MustMove(&actor, &def);
    qvMotionKeyReport report = qvMotion_KeyReport(motion, 1);
    ASSERT_NEAR(LargestMiss(&actor, motion, &keys[1]), report.error, 1e-9);
    assert_true(report.error < 0.03 && report.error < 1.01 * report.residual);
    free(only);
    free(targets);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Weights from nothing to everything: from the motion without the key to the one through it.
static void TestWeights(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    double last = INFINITY;
    const double weights[5] = { 0.0, 0.01, 1.0, 100.0, 1e12 };
    for (int k = 0; k < 5; k++)
    {
        keys[1].weight = weights[k];
        qvMotion* motion = MustMove(&actor, &def);
        double error = qvMotion_KeyReport(motion, 1).error;
        assert_true(error < last);
        last = error;
        qvDestroyMotion(motion);
    }
    ASSERT_NEAR(last, 0.0, 1e-6);
    FreeActor(&actor);
}

// The same for a key of two points: at weight 0 they are where the other keys have them.
static void TestPartialWeights(void** state)
{
    (void)state;
    int32_t pins[64], corner[2];
    Actor actor = MakeCurtain(pins);
    FindCorners(&actor, corner);
    qvMotionKey keys[5];
    double targets[12];
    qvMotionDef def = MakeCurtainKeys(&actor, keys, corner, targets);
    keys[1].onlyCount = 0;
    def.material.gravity = qvMakeVec3(0.0, 0.0, 0.0);
    qvMotionKey others[4] = { keys[0], keys[1], keys[2], keys[4] };
    qvMotionDef withoutDef = def;
    withoutDef.keys = others, withoutDef.keyCount = 4;
    qvMotion* without = MustMove(&actor, &withoutDef);
    double last = LargestMiss(&actor, without, &keys[3]) * (1.0 + 1e-6);
    assert_true(last > 0.1);
    const double weights[5] = { 0.0, 0.1, 1.0, 10.0, 1e12 };
    for (int k = 0; k < 5; k++)
    {
        keys[3].weight = weights[k];
        qvMotion* motion = MustMove(&actor, &def);
        double miss = LargestMiss(&actor, motion, &keys[3]);
        ASSERT_NEAR(qvMotion_KeyReport(motion, 3).error, miss, 1e-9);
        assert_true(k == 0 ? miss > 0.99 * last : miss < 0.95 * last);
        assert_true(miss < last);
        last = miss;
        qvDestroyMotion(motion);
    }
    ASSERT_NEAR(last, 0.0, 1e-6);
    qvDestroyMotion(without);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBruteForce),      cmocka_unit_test(TestLeastEnergy), cmocka_unit_test(TestBlendedMotion),
        cmocka_unit_test(TestAllPointsListed), cmocka_unit_test(TestFrameStays),  cmocka_unit_test(TestWeights),
        cmocka_unit_test(TestManyListed),      cmocka_unit_test(TestOnlyKey),     cmocka_unit_test(TestPartialWeights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
