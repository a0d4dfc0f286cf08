// SPDX-License-Identifier: GPL-3.0-or-later
// Long steps of stiff bodies: the solve against the plain cloud, what they keep of motion, and contact inside of them.
#include "phyxel_testing.h"

#include "phyxel/cloud.h"

// 4 numbers, then per phyxel reference and home (3 each), y, v (4 each), metric (8).
static double* MetricIn(double* numbers, int count, int phyxel)
{
    return numbers + 4 + 14 * count + 8 * phyxel;
}

static qvMat3 RandomMetric(uint64_t* seed)
{
    double a = 0.1 * RandomUnit(seed), b = 0.1 * RandomUnit(seed), c = 0.1 * RandomUnit(seed);
    return (qvMat3){ { { 1.1, a, b }, { a, 0.95, c }, { b, c, 1.0 } } };
}

// Takes from the first field its share in the others.
static void RemoveTurns(int count, qvVec3* left[4])
{
    qvMat3 square = { { { 0.0 } } };
    double along[3] = { 0.0 };
    for (int i = 0; i < count; i++)
    {
        for (int a = 0; a < 3; a++)
        {
            along[a] += qvDot(left[1 + a][i], left[0][i]);
            for (int b = 0; b < 3; b++)
                square.m[a][b] += qvDot(left[1 + a][i], left[1 + b][i]);
        }
    }
    qvMat3 inverse = qvMat3_Inverse(&square);
    qvVec3 share = qvMat3_Apply(&inverse, qvMakeVec3(along[0], along[1], along[2]));
    for (int i = 0; i < count; i++)
    {
        left[0][i] = qvMulAdd(left[0][i], -share.x, left[1][i]);
        left[0][i] = qvMulAdd(left[0][i], -share.y, left[2][i]);
        left[0][i] = qvMulAdd(left[0][i], -share.z, left[3][i]);
    }
}

// A stretched body, in which nothing has to be left out of the stiffness: M v' + dt^2 K v' = M v + dt f, with forces
// and stiffness of the plain cloud.
static void TestSolve(void** unused)
{
    (void)unused;
    static const double young = 1e7, step = 1.0 / 240.0;
    qvPhyxelBody* body = MakeBall(200);
    int n = body->count;
    uint64_t seed = 5;
    double *radii = calloc((size_t)n, sizeof(double)), worst = 0.0, size = 0.0;
    qvMat3 *metrics = calloc((size_t)n, sizeof(qvMat3)), *gradients = calloc((size_t)n, sizeof(qvMat3)),
           *room = calloc((size_t)n, sizeof(qvMat3));
    qvVec3 *x = MakePoints(body), *u = MakePoints(body), *v = MakePoints(body), *f = MakePoints(body),
           *after = MakePoints(body), *k = MakePoints(body), *wanted = MakePoints(body), *fields = MakePoints(body),
           *left[4] = { MakePoints(body), MakePoints(body), MakePoints(body), MakePoints(body) };
    for (int i = 0; i < n; i++)
    {
        radii[i] = body->radius;
        metrics[i] = RandomMetric(&seed);
        u[i] = qvScale(0.08, body->points[i]);
        u[i].x += 0.05 * body->points[i].y + 0.002 * (RandomUnit(&seed) - 0.5);
        x[i] = qvAdd(body->points[i], u[i]);
        v[i] = qvMakeVec3(RandomUnit(&seed), RandomUnit(&seed), RandomUnit(&seed));
    }
    qvPhyxelTerms terms = MakeTerms(young);
    terms.gravity = qvMakeVec3(1.0, -5.0, 0.0);
    qvPhyxelScene scene = { .terms = &terms, .isImplicit = true };
    qvPhyxelState* state = MakeState(body, x, v);
    double* numbers = calloc(qvPhyxelState_NumberCount(state), sizeof(double));
    qvPhyxelState_Save(state, numbers);
    for (int i = 0; i < n; i++)
    {
        const qvMat3* g = &metrics[i];
        double given[8] = {
            g->m[0][0], g->m[0][1], g->m[0][2], g->m[1][1], g->m[1][2], g->m[2][2], sqrt(qvMat3_Determinant(g))
        };
        memcpy(MetricIn(numbers, n, i), given, sizeof(given));
    }
    qvError error;
    ASSERT_OK(qvPhyxelState_Load(state, numbers, &error), error);
    ASSERT_OK(qvPhyxelState_Advance(state, &scene, step, NULL, &error), error);
    assert_int_equal(qvPhyxelState_Counts(state).steps, 1);
    qvPhyxelState_Velocities(state, after);
    qvCloud cloud;
    ASSERT_OK(qvCloud_Init(&cloud, n, body->points, radii, body->masses, body->volumes, &error), error);
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelSnh, young, terms.poisson, 0.0, 0.3);
    qvCloud_Deformation(&cloud, u, gradients);
    qvCloud_Forces(&cloud, &material, metrics, u, gradients, f);
    qvVec3 spin = { 0.0, 0.0, 0.0 }, given = spin; // angular momenta
    for (int i = 0; i < n; i++)
    {
        double m = body->masses[i];
        wanted[i] = qvMulAdd(qvScale(m, qvMulAdd(v[i], step, terms.gravity)), step, f[i]);
        given = qvAdd(given, qvCross(x[i], wanted[i]));
        spin = qvAdd(spin, qvCross(x[i], qvScale(m, after[i])));
        size = fmax(size, qvLength(wanted[i]));
    }
    ASSERT_NEAR(qvDistance(spin, given), 0.0, 1e-7 * qvLength(given));
    // What is left of the equations, and what turns about the axes leave: a turn is added after the solve.
    for (int t = 0; t < 4; t++)
    {
        qvVec3 axis = qvMakeVec3(t == 1, t == 2, t == 3);
        for (int i = 0; i < n; i++)
            fields[i] = t == 0 ? after[i] : qvCross(axis, x[i]);
        qvCloud_StiffnessTimes(&cloud, &material, metrics, gradients, fields, room, k);
        for (int i = 0; i < n; i++)
        {
            qvVec3 momentum = qvMulAdd(qvScale(body->masses[i], fields[i]), -step * step, k[i]);
            left[t][i] = t == 0 ? qvSub(momentum, wanted[i]) : momentum;
        }
    }
    double before = 0.0;
    for (int i = 0; i < n; i++)
        before = fmax(before, qvLength(left[0][i]));
    RemoveTurns(n, left);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, qvLength(left[0][i]));
    print_message("left of the momenta: %.2g, with the turn %.2g\n", worst / size, before / size);
    assert_true(worst < 1e-4 * size);
    qvCloud_Free(&cloud);
    qvDestroyPhyxelState(state);
    qvDestroyPhyxelBody(body);
    free(radii), free(metrics), free(gradients), free(room), free(numbers);
    free(x), free(u), free(v), free(f), free(after), free(k), free(wanted), free(fields);
    for (int t = 0; t < 4; t++)
        free(left[t]);
}

// What flies and spins freely goes on doing so.
static void TestFlight(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(200);
    qvPhyxelTerms terms = MakeTerms(1e8);
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    qvPhyxelScene scene = { .terms = &terms, .isImplicit = true };
    qvVec3* v = MakePoints(body);
    for (int i = 0; i < body->count; i++)
        v[i] = qvAdd(qvCross(qvMakeVec3(0.0, 0.0, 3.0), body->points[i]), qvMakeVec3(1.0, 2.0, 0.0));
    qvPhyxelState* state = MakeState(body, NULL, v);
    Motion before = MeasureMotion(body, state);
    Advance(state, &scene, 1.0, NULL);
    Motion after = MeasureMotion(body, state);
    double mass = body->volume * body->density;
    qvVec3 spin = qvSub(after.spin, qvCross(after.center, after.momentum));
    qvVec3 first = qvSub(before.spin, qvCross(before.center, before.momentum));
    print_message("momentum %.2g, %.2g off, spin %.5f of itself, %d solves in %d steps\n",
                  after.momentum.x / mass - 1.0, after.momentum.y / mass - 2.0 + 9.81, spin.z / first.z,
                  qvPhyxelState_Counts(state).solves, qvPhyxelState_Counts(state).steps);
    ASSERT_NEAR(after.momentum.x / mass, 1.0, 1e-3);
    ASSERT_NEAR(after.momentum.y / mass, 2.0 - 9.81, 1e-2);
    ASSERT_NEAR(spin.z / first.z, 1.0, 0.02);
    assert_int_equal(qvPhyxelState_Counts(state).steps, 240);
    qvDestroyPhyxelState(state);
    free(v);
    qvDestroyPhyxelBody(body);
}

// How a body of a stiffness comes down on the ground: how deep its phyxels get, how much they come nearer than they
// are, and where it lies in the end.
typedef struct Landing
{
    double deepest, squeezed, height;
} Landing;

static Landing Land(double young, double speed)
{
    qvPhyxelBody* body = MakeBlock(150);
    qvPhyxelTerms terms = MakeTerms(young);
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    terms.settle = 0.3;
    qvObstacleDef def = GroundAt(-0.6);
    qvObstacles* ground = MakeObstacles(&def, 1);
    qvPhyxelScene scene = { .terms = &terms, .obstacles = ground, .isImplicit = true };
    qvVec3 *v = MakePoints(body), *y = MakePoints(body);
    qvMat3* gradients = calloc((size_t)body->count, sizeof(qvMat3));
    for (int i = 0; i < body->count; i++)
        v[i] = qvMakeVec3(0.0, -speed, 0.0);
    qvPhyxelState* state = MakeState(body, NULL, v);
    Landing landing = { INFINITY, INFINITY, 0.0 };
    for (int k = 0; k < 60; k++)
    {
        Advance(state, &scene, 1.0 / 120.0, NULL);
        qvPhyxelState_Points(state, y);
        qvPhyxelState_Deformation(state, gradients);
        for (int i = 0; i < body->count; i++)
        {
            landing.deepest = fmin(landing.deepest, y[i].y + 0.6 - body->depths[i]);
            landing.squeezed = fmin(landing.squeezed, qvMat3_Determinant(&gradients[i]));
        }
    }
    landing.height = MeasureMotion(body, state).center.y + 0.6;
    print_message("E %.0e: deepest %.2g, least volume %.3f, centre at %.4f\n", young, landing.deepest, landing.squeezed,
                  landing.height);
    qvDestroyPhyxelState(state);
    qvDestroyObstacles(ground);
    free(v), free(y), free(gradients);
    qvDestroyPhyxelBody(body);
    return landing;
}

// Contact is in the solve: nothing is crushed against the ground, however stiff, and nothing goes into it.
static void TestLanding(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++)
    {
        Landing landing = Land(k == 0 ? 1e6 : 1e8, 5.0);
        assert_true(landing.deepest > -1e-6);
        assert_true(landing.squeezed > 0.5);
        ASSERT_NEAR(landing.height, 0.175, 0.01);
    }
}

// A block that slides: friction brakes it as it brakes a point of its mass.
static void TestSliding(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(150);
    qvPhyxelTerms terms = MakeTerms(1e7);
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    terms.settle = 0.3;
    terms.stick = 0.1; // 0.2, with the ground's 0.2 as well
    qvObstacleDef def = GroundAt(-0.175);
    def.friction = 0.2;
    qvObstacles* ground = MakeObstacles(&def, 1);
    qvPhyxelScene scene = { .terms = &terms, .obstacles = ground, .isImplicit = true };
    qvPhyxelState* state = MakeState(body, NULL, NULL);
    Advance(state, &scene, 0.3, NULL); // it comes to lie
    size_t count = qvPhyxelState_NumberCount(state);
    double* numbers = calloc(count, sizeof(double));
    qvError error;
    qvPhyxelState_Save(state, numbers);
    for (int i = 0; i < body->count; i++)
        numbers[4 + 10 * body->count + 4 * i] += 2.0; // velocities along x
    ASSERT_OK(qvPhyxelState_Load(state, numbers, &error), error);
    double mass = body->volume * body->density, first = MeasureMotion(body, state).momentum.x / mass;
    Advance(state, &scene, 0.25, NULL);
    double braked = first - MeasureMotion(body, state).momentum.x / mass;
    print_message("braked by %.4f of %.4f\n", braked, 0.2 * 9.81 * 0.25);
    ASSERT_NEAR(braked, 0.2 * 9.81 * 0.25, 0.05 * 0.2 * 9.81 * 0.25);
    free(numbers);
    qvDestroyPhyxelState(state);
    qvDestroyObstacles(ground);
    qvDestroyPhyxelBody(body);
}

static void TestThreads(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(2300);
    qvPhyxelTerms terms = MakeTerms(1e7);
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    qvObstacleDef def = GroundAt(-0.18);
    qvObstacles* ground = MakeObstacles(&def, 1);
    qvPhyxelScene scene = { .terms = &terms, .obstacles = ground, .isImplicit = true };
    qvPhyxelState *one = MakeState(body, NULL, NULL), *three = MakeState(body, NULL, NULL);
    size_t size = qvPhyxelState_NumberCount(one) * sizeof(double);
    double *a = calloc(1, size), *b = calloc(1, size);
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    Advance(one, &scene, 0.025, NULL);
    Advance(three, &scene, 0.025, pool);
    qvPhyxelState_Save(one, a);
    qvPhyxelState_Save(three, b);
    assert_memory_equal(a, b, size);
    free(a), free(b);
    qvDestroyPool(pool);
    qvDestroyPhyxelState(one);
    qvDestroyPhyxelState(three);
    qvDestroyObstacles(ground);
    qvDestroyPhyxelBody(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSolve),   cmocka_unit_test(TestFlight),  cmocka_unit_test(TestLanding),
        cmocka_unit_test(TestSliding), cmocka_unit_test(TestThreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
