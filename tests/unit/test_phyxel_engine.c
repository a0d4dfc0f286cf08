// SPDX-License-Identifier: GPL-3.0-or-later
// Elastic bodies of phyxels: forces against plain code, frequencies against theory, conservation, damping, contact.
#include "phyxel_testing.h"

#include "quaver/modal.h"

#include "math/dense_eigen.h"
#include "phyxel/cloud.h"
#include "phyxel/plastic.h"

static qvMat3 Rotation(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (qvMat3){ { { c, -s, 0.0 }, { s, c, 0.0 }, { 0.0, 0.0, 1.0 } } };
}

static qvVec3* Deformed(const qvPhyxelBody* body, uint64_t seed)
{
    qvVec3* points = MakePoints(body);
    qvMat3 turn = Rotation(0.7);
    for (int i = 0; i < body->count; i++)
    {
        qvVec3 x = qvMat3_Apply(&turn, body->points[i]);
        double shake = 0.1 * body->spacing;
        points[i] = qvAdd(qvMakeVec3(1.2 * x.x, 0.9 * x.y + 0.2 * x.x * x.x, x.z),
                          qvMakeVec3(shake * (RandomUnit(&seed) - 0.5), shake * (RandomUnit(&seed) - 0.5),
                                     shake * (RandomUnit(&seed) - 0.5)));
    }
    return points;
}

// --- Forces ----------------------------------------------------------------------------------------------------------

// The gathered step against the forces of the plain cloud, and the energies of both.
static void TestForces(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(400);
    int n = body->count;
    qvVec3 *points = Deformed(body, 3), *u = MakePoints(body), *f = MakePoints(body), *v = MakePoints(body);
    double* radii = calloc((size_t)n, sizeof(double));
    qvMat3* gradients = calloc((size_t)n, sizeof(qvMat3));
    qvCloud cloud;
    qvError error;
    for (int i = 0; i < n; i++)
    {
        radii[i] = body->radius;
        u[i] = qvSub(points[i], body->points[i]);
    }
    ASSERT_OK(qvCloud_Init(&cloud, n, body->points, radii, body->masses, body->volumes, &error), error);
    qvPhyxelTerms terms = MakeTerms(1e5);
    terms.settle = 1e6;
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelSnh, 1e5, terms.poisson, 0.0, 0.3);
    qvCloud_Deformation(&cloud, u, gradients);
    double energy = qvCloud_Forces(&cloud, &material, NULL, u, gradients, f);

    qvPhyxelState* state = MakeState(body, points, NULL);
    qvPhyxelMatter matter = qvPhyxelTerms_At(&terms, 0.0);
    ASSERT_NEAR(qvPhyxelState_Energy(state, &matter), energy, 1e-11 * energy);
    qvPhyxelScene scene = { .terms = &terms };
    double dt = 1e-6, largest = 0.0, difference = 0.0;
    ASSERT_OK(qvPhyxelState_Advance(state, &scene, dt, NULL, &error), error);
    qvPhyxelState_Velocities(state, v);
    for (int i = 0; i < n; i++)
    {
        qvVec3 mine = qvScale(body->masses[i] / dt, v[i]);
        largest = fmax(largest, qvLength(f[i]));
        difference = fmax(difference, qvDistance(mine, f[i]));
    }
    print_message("forces: %.2g of %.3g\n", difference, largest);
    assert_true(largest > 1.0);
    assert_true(difference < 1e-10 * largest); // the damping of 6e-6 / s takes 6e-12
    qvDestroyPhyxelState(state);
    qvCloud_Free(&cloud);
    free(points);
    free(u);
    free(f);
    free(v);
    free(radii);
    free(gradients);
    qvDestroyPhyxelBody(body);
}

// Every level of the CPU makes the same bits, and floats are near.
static void TestLevels(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(300);
    qvVec3* points = Deformed(body, 5);
    int n = body->count, pairs = body->reference.near.start[n];
    double(*field)[4] = calloc((size_t)n, sizeof(*field)), (*first)[3][4] = calloc((size_t)n, sizeof(*first)),
    (*second)[3][4] = calloc((size_t)n, sizeof(*second));
    float(*fieldF)[4] = calloc((size_t)n, sizeof(*fieldF)), (*inverse)[8] = calloc((size_t)n, sizeof(*inverse)),
    (*pair)[4] = calloc((size_t)pairs, sizeof(*pair)), (*third)[3][4] = calloc((size_t)n, sizeof(*third));
    for (int i = 0; i < n; i++)
    {
        for (int k = 0; k < 3; k++)
            fieldF[i][k] = (float)(field[i][k] = (&points[i].x)[k]);
        for (int k = 0; k < 8; k++)
            inverse[i][k] = (float)body->reference.inverse[i][k];
    }
    for (int k = 0; k < 4 * pairs; k++)
        pair[k / 4][k % 4] = (float)body->reference.pair[k / 4][k % 4];
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&body->reference);
    qvPhyxelListsF listsF = { lists.start, lists.index, (const float(*)[4])pair, (const float(*)[8])inverse };
    qvPhyxelKernelD_Portable.gradients(&lists, 0, n, (const double(*)[4])field, first);
    qvGetPhyxelKernelD()->gradients(&lists, 0, n, (const double(*)[4])field, second);
    qvGetPhyxelKernelF()->gradients(&listsF, 0, n, (const float(*)[4])fieldF, third);
    assert_memory_equal(first, second, (size_t)n * sizeof(*first));
    for (int k = 0; k < 12 * n; k++)
        ASSERT_NEAR((double)third[k / 12][k / 4 % 3][k % 4], first[k / 12][k / 4 % 3][k % 4], 1e-5);
    free(field);
    free(first);
    free(second);
    free(fieldF);
    free(inverse);
    free(pair);
    free(third);
    free(points);
    qvDestroyPhyxelBody(body);
}

// The assembled stiffness at rest against the plain cloud's product.
static void TestStiffness(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(150);
    int n = body->count;
    double *radii = calloc((size_t)n, sizeof(double)), *values, *product = calloc((size_t)n, 3 * sizeof(double));
    qvVec3 *du = MakePoints(body), *change = MakePoints(body);
    qvMat3 *unit = calloc((size_t)n, sizeof(qvMat3)), *room = calloc((size_t)n, sizeof(qvMat3));
    uint64_t seed = 9;
    qvSparsePattern* pattern;
    qvCloud cloud;
    qvError error;
    for (int i = 0; i < n; i++)
    {
        radii[i] = body->radius;
        unit[i] = qvMat3_Diagonal(1.0, 1.0, 1.0);
        du[i] = qvMakeVec3(RandomUnit(&seed) - 0.5, RandomUnit(&seed) - 0.5, RandomUnit(&seed) - 0.5);
    }
    ASSERT_OK(qvCloud_Init(&cloud, n, body->points, radii, body->masses, body->volumes, &error), error);
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelStvk, 1.0, 0.3, 0.0, 0.3);
    qvCloud_StiffnessTimes(&cloud, &material, NULL, unit, du, room, change);
    ASSERT_OK(qvPhyxelBody_Stiffness(body, 0.3, &pattern, &values, &error), error);
    qvSparse matrix = { pattern, values };
    ASSERT_OK(qvSparse_Multiply(&matrix, &du[0].x, 1, product, NULL, &error), error);
    double largest = 0.0, difference = 0.0;
    for (int i = 0; i < 3 * n; i++)
    {
        largest = fmax(largest, fabs(product[i]));
        difference = fmax(difference, fabs(product[i] + (&change[i / 3].x)[i % 3]));
    }
    assert_true(largest > 0.0);
    assert_true(difference < 1e-12 * largest);
    qvCloud_Free(&cloud);
    qvDestroySparsePattern(pattern);
    free(values);
    free(product);
    free(radii);
    free(du);
    free(change);
    free(unit);
    free(room);
    qvDestroyPhyxelBody(body);
}

// --- Frequencies -----------------------------------------------------------------------------------------------------

// H. Lamb, "On the vibrations of an elastic sphere", 1882: omega R / c_s = 2.5011 (five torsional modes), then 2.640
// for a Poisson ratio of 1/4.
static void TestBallFrequencies(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeSampled(MakeSurface("sphere", 40, 0.5), 600);
    double found[6], slow = sqrt(1.0 / 2.5 / body->density) / 0.5;
    qvError error;
    ASSERT_OK(qvPhyxelBody_Frequencies(body, 0.25, 6, NULL, found, &error), error);
    for (int k = 0; k < 6; k++)
    {
        double theory = (k < 5 ? 2.5011 : 2.640) * slow / (2.0 * QV_PI);
        print_message("ball of %d, mode %d: %+.2f %%\n", body->count, k, 100.0 * (found[k] / theory - 1.0));
        ASSERT_NEAR(found[k] / theory, 1.0, 0.06);
    }
    qvDestroyPhyxelBody(body);
}

// Legendre polynomials of unit norm on [-1, 1] at a point, and their derivatives.
static void Legendre(double x, int count, double* p, double* d)
{
    p[0] = 1.0;
    p[1] = x;
    for (int n = 2; n < count; n++)
        p[n] = ((2 * n - 1) * x * p[n - 1] - (n - 1) * p[n - 2]) / n;
    for (int n = 0; n < count; n++)
        d[n] = n == 0 ? 0.0 : n == 1 ? 1.0 : d[n - 2] + (2 * n - 1) * p[n - 1];
    for (int n = 0; n < count; n++)
    {
        p[n] *= sqrt(n + 0.5);
        d[n] *= sqrt(n + 0.5);
    }
}

enum
{
    DEGREE = 8,
    TERMS = (DEGREE + 1) * (DEGREE + 2) * (DEGREE + 3) / 6,
    NODES = 2000 // of the integrals, by the middle points of even pieces
};

// table[a][b][m][n] = integral of the a-th derivative of P_m times the b-th of P_n
static void LegendreIntegrals(double table[2][2][DEGREE + 1][DEGREE + 1])
{
    memset(table, 0, 4 * (DEGREE + 1) * (DEGREE + 1) * sizeof(double));
    for (int k = 0; k < NODES; k++)
    {
        double values[2][DEGREE + 1];
        Legendre((2.0 * k + 1.0) / NODES - 1.0, DEGREE + 1, values[0], values[1]);
        for (int ab = 0; ab < 4; ab++)
        {
            for (int m = 0; m <= DEGREE; m++)
            {
                for (int n = 0; n <= DEGREE; n++)
                    table[ab / 2][ab % 2][m][n] += 2.0 / NODES * values[ab / 2][m] * values[ab % 2][n];
            }
        }
    }
}

// The free block by Rayleigh's and Ritz's method (H. H. Demarest, "Cube-resonance method", 1971), E = 1.
static void BlockFrequencies(const double sides[3], double poisson, double density, int count, double* found)
{
    static double table[2][2][DEGREE + 1][DEGREE + 1], k[9 * TERMS * TERMS], values[3 * TERMS];
    static int powers[TERMS][3];
    double la = poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), mu = 0.5 / (1.0 + poisson);
    int terms = 0, size = 3 * TERMS;
    LegendreIntegrals(table);
    for (int n = 0; n < (DEGREE + 1) * (DEGREE + 1) * (DEGREE + 1); n++)
    {
        int a = n % (DEGREE + 1), b = n / (DEGREE + 1) % (DEGREE + 1), c = n / ((DEGREE + 1) * (DEGREE + 1));
        if (a + b + c <= DEGREE)
            memcpy(powers[terms++], (int[3]){ a, b, c }, sizeof(powers[0]));
    }
    for (int row = 0; row < TERMS; row++)
    {
        for (int column = 0; column < TERMS; column++)
        {
            double t[3][3], laplace = 0.0; // integrals of d_p f d_q g
            for (int pq = 0; pq < 9; pq++)
            {
                t[pq / 3][pq % 3] = 1.0;
                for (int axis = 0; axis < 3; axis++)
                {
                    int first = axis == pq / 3, second = axis == pq % 3;
                    t[pq / 3][pq % 3] *= table[first][second][powers[row][axis]][powers[column][axis]] *
                                         pow(2.0 / sides[axis], first + second);
                }
            }
            for (int p = 0; p < 3; p++)
                laplace += t[p][p];
            for (int pq = 0; pq < 9; pq++)
            {
                int p = pq / 3, q = pq % 3;
                k[(size_t)(q * TERMS + column) * size + p * TERMS + row] =
                    (la * t[p][q] + mu * t[q][p] + (p == q ? mu * laplace : 0.0)) / density;
            }
        }
    }
    qvError error;
    ASSERT_OK(qvDense_Eigen(size, k, size, values, k, &error), error);
    for (int n = 0; n < count; n++)
        found[n] = sqrt(values[6 + n]) / (2.0 * QV_PI);
}

static void TestBlockFrequencies(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeSampled(MakeBox(1.0, 0.35, 0.25), 660);
    double found[6], theory[6];
    qvError error;
    BlockFrequencies((double[3]){ 1.0, 0.35, 0.25 }, 0.3, body->density, 6, theory);
    ASSERT_OK(qvPhyxelBody_Frequencies(body, 0.3, 6, NULL, found, &error), error);
    for (int k = 0; k < 6; k++)
    {
        print_message("block of %d, mode %d: %+.2f %%\n", body->count, k, 100.0 * (found[k] / theory[k] - 1.0));
        ASSERT_NEAR(found[k] / theory[k], 1.0, 0.09);
    }
    qvDestroyPhyxelBody(body);
}

// --- Motion ----------------------------------------------------------------------------------------------------------

// A stretched, spinning ball in free flight keeps both momenta to rounding and its energy.
static void TestFreeFlight(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(585);
    qvPhyxelTerms terms = MakeTerms(1e5);
    qvPhyxelScene scene = { .terms = &terms };
    qvVec3 *points = MakePoints(body), *velocities = MakePoints(body);
    for (int i = 0; i < body->count; i++)
    {
        points[i] = qvMakeVec3(1.2 * body->points[i].x, body->points[i].y, body->points[i].z);
        velocities[i] = qvAdd(qvMakeVec3(0.3, -0.2, 0.1), qvCross(qvMakeVec3(0.5, 3.0, 1.0), points[i]));
    }
    qvPhyxelState* state = MakeState(body, points, velocities);
    qvPhyxelMatter matter = qvPhyxelTerms_At(&terms, 0.0);
    Motion before = MeasureMotion(body, state);
    double energies[680], mean = 0.0, worst = 0.0;
    for (int k = 0; k < 680; k++)
    {
        // Velocities stand between positions: those of a position are the mean of the ones before and after.
        qvError error;
        double stored = qvPhyxelState_Energy(state, &matter), kinetic = 0.0;
        qvPhyxelState_Velocities(state, velocities);
        ASSERT_OK(qvPhyxelState_Advance(state, &scene, 1.0 / 340.0, NULL, &error), error);
        qvPhyxelState_Velocities(state, points);
        for (int i = 0; i < body->count; i++)
        {
            qvVec3 v = qvScale(0.5, qvAdd(velocities[i], points[i]));
            kinetic += 0.5 * body->masses[i] * qvDot(v, v);
        }
        energies[k] = kinetic + stored;
        mean += energies[k] / 680.0;
    }
    assert_int_equal(qvPhyxelState_Counts(state).steps, 680); // as long as they may be: the stable step is 3.0 ms
    for (int k = 1; k < 680; k++)                             // at the start velocities stand at positions
        worst = fmax(worst, fabs(energies[k] / mean - 1.0));
    Motion after = MeasureMotion(body, state);
    double p = qvDistance(after.momentum, before.momentum) / qvLength(before.momentum);
    double l = qvDistance(after.spin, before.spin) / qvLength(before.spin);
    print_message("free flight: momentum %.2g, spin %.2g, energy %.2g\n", p, l, worst);
    assert_true(p < 1e-12);
    assert_true(l < 1e-12);
    assert_true(worst < 0.015);
    qvDestroyPhyxelState(state);
    free(points);
    free(velocities);
    qvDestroyPhyxelBody(body);
}

// Damping takes the deformation alone: a fall is a fall, and a spin stays.
static void TestDampedFall(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(200);
    qvPhyxelTerms terms = MakeTerms(1e5);
    terms.settle = 1.0;
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    qvPhyxelScene scene = { .terms = &terms };
    qvVec3* velocities = MakePoints(body);
    for (int i = 0; i < body->count; i++)
        velocities[i] = qvCross(qvMakeVec3(0.0, 2.0, 0.0), body->points[i]);
    qvPhyxelState* state = MakeState(body, NULL, velocities);
    Motion before = MeasureMotion(body, state);
    double mass = body->density * body->volume;
    Advance(state, &scene, 1.0, NULL);
    Motion after = MeasureMotion(body, state);
    ASSERT_NEAR(-after.momentum.y / mass, 9.81, 0.001 * 9.81);
    ASSERT_NEAR(before.center.y - after.center.y, 4.905, 0.01 * 4.905);
    ASSERT_NEAR(after.spin.y / before.spin.y, 1.0, 1e-6);
    qvDestroyPhyxelState(state);
    free(velocities);
    qvDestroyPhyxelBody(body);
}

// Bends the block as its lowest mode does and listens. *half: how often the amplitude fits into what is left after a
// second.
static double RingDown(const qvPhyxelBody* body, double young, double settle, double* left)
{
    qvPhyxelTerms terms = MakeTerms(young);
    terms.settle = settle;
    qvPhyxelScene scene = { .terms = &terms };
    qvVec3 *velocities = MakePoints(body), *points = MakePoints(body);
    double mean = 0.0;
    for (int i = 0; i < body->count; i++)
        mean += body->points[i].x * body->points[i].x / body->count;
    for (int i = 0; i < body->count; i++)
        velocities[i].z = 0.3 * (body->points[i].x * body->points[i].x - mean);
    qvPhyxelState* state = MakeState(body, NULL, velocities);
    double before = 0.0, first = 0.0, last = 0.0, early = 0.0, late = 0.0;
    int crossings = 0;
    for (int k = 1; k <= 480; k++)
    {
        qvError error;
        ASSERT_OK(qvPhyxelState_Advance(state, &scene, 1.0 / 240.0, NULL, &error), error);
        qvPhyxelState_Points(state, points);
        double bend = 0.0, time = k / 240.0;
        for (int i = 0; i < body->count; i++)
            bend += points[i].z * (body->points[i].x * body->points[i].x - mean);
        if (before < 0.0 && bend >= 0.0)
        {
            last = time - bend / (bend - before) / 240.0;
            first = crossings++ == 0 ? last : first;
        }
        before = bend;
        early = k < 72 ? fmax(early, fabs(bend)) : early;
        late = k >= 240 && k < 312 ? fmax(late, fabs(bend)) : late;
    }
    *left = late / early;
    qvDestroyPhyxelState(state);
    free(velocities);
    free(points);
    return (crossings - 1) / (last - first);
}

static void TestRingDown(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(400);
    double frequency, left;
    qvError error;
    ASSERT_OK(qvPhyxelBody_Frequencies(body, 0.35, 1, NULL, &frequency, &error), error);
    double young = 2.4 * 2.4 / (frequency * frequency); // 2.4 Hz
    double heard = RingDown(body, young, 1e6, &left);
    print_message("ring-down: %.3f Hz of 2.4\n", heard);
    ASSERT_NEAR(heard, 2.4, 0.03 * 2.4);
    assert_true(left > 0.9);
    RingDown(body, young, 1.0, &left);
    print_message("left after settling: %.3f\n", left);
    assert_true(left > 0.03 && left < 0.07);
    qvDestroyPhyxelBody(body);
}

// --- Contact ---------------------------------------------------------------------------------------------------------

// The ground, a sphere, a box, and a torus that lies there, as a mesh.
static qvObstacles* MakeObstacleCourse(void)
{
    qvMesh* torus;
    qvError error;
    ASSERT_OK(qvCreatePrimitive("torus", 24, &torus, &error), error);
    qvObstacleDef defs[4] = { GroundAt(-1.0), SphereAt(qvMakeVec3(0.2, -0.9, 0.1), 0.3),
                              BoxAt(qvMakeVec3(-0.6, -1.0, 0.0), qvMakeVec3(0.5, 0.5, 0.5)), qvDefaultObstacleDef() };
    defs[3].shape = qv_shapeMesh;
    defs[3].mesh = torus;
    defs[3].at = qvMakeVec3(0.0, -1.2, 0.0);
    qvObstacles* obstacles = MakeObstacles(defs, 4);
    qvDestroyMesh(torus);
    return obstacles;
}

static void TestContact(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(400);
    qvPhyxelTerms terms = MakeTerms(3e4);
    terms.settle = 1.0;
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    qvObstacles* obstacles = MakeObstacleCourse();
    qvObstaclePlace places[4];
    qvObstacles_Place(obstacles, 0.0, places);
    qvPhyxelScene scene = { .terms = &terms, .obstacles = obstacles };
    qvPhyxelState* state = MakeState(body, NULL, NULL);
    qvVec3* y = MakePoints(body);
    double deepest = INFINITY, lowest = INFINITY;
    for (int k = 0; k < 240; k++)
    {
        Advance(state, &scene, 1.0 / 120.0, NULL);
        qvPhyxelState_Points(state, y);
        for (int i = 0; i < body->count; i++)
        {
            for (int o = 0; o < 4; o++)
                deepest = fmin(deepest, qvObstacles_Touch(obstacles, places, o, y[i]).distance - body->depths[i]);
            lowest = fmin(lowest, y[i].y);
        }
    }
    print_message("deepest beyond the margin: %.3g\n", deepest);
    assert_true(deepest > -1e-6);
    assert_true(lowest < -0.5); // it did fall on them
    qvDestroyObstacles(obstacles);
    qvDestroyPhyxelState(state);
    free(y);
    qvDestroyPhyxelBody(body);
}

// A plate that is keyed upwards throws the ball, and never goes through it.
static void TestMovingObstacle(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(200);
    qvPhyxelTerms terms = MakeTerms(3e4);
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    terms.settle = 1.0;
    qvObstacleKey keys[2] = { { 10.0, { 0.0, -0.8, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } },
                              { 10.5, { 0.0, 0.2, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } } };
    qvObstacleDef def = BoxAt(qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(4.0, 0.4, 4.0));
    def.keyCount = 2;
    def.keys = keys;
    qvObstacles* plate = MakeObstacles(&def, 1);
    qvPhyxelScene scene = { .terms = &terms, .start = 10.0, .obstacles = plate };
    qvPhyxelState* state = MakeState(body, NULL, NULL);
    qvVec3* y = MakePoints(body);
    double deepest = INFINITY, highest = -INFINITY;
    for (int k = 1; k <= 120; k++)
    {
        qvObstaclePlace place;
        Advance(state, &scene, 1.0 / 120.0, NULL);
        qvObstacles_Place(plate, 10.0 + k / 120.0, &place);
        qvPhyxelState_Points(state, y);
        for (int i = 0; i < body->count; i++)
            deepest = fmin(deepest, qvObstacles_Touch(plate, &place, 0, y[i]).distance - body->depths[i]);
        highest = fmax(highest, MeasureMotion(body, state).center.y);
    }
    print_message("thrown to %.3f, deepest beyond the margin %.2g\n", highest, deepest);
    assert_true(deepest > -1e-6 && deepest < 1e-6); // it lies on the plate, at the plate's velocity
    assert_true(highest > 1.0);
    qvDestroyPhyxelState(state);
    qvDestroyObstacles(plate);
    free(y);
    qvDestroyPhyxelBody(body);
}

// Two parts of a body that meet do not go through each other.
static void TestSelfContact(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBody(TwoBalls, 8.0 * QV_PI / 3.0 * 0.027, 400, 1.0, 1000.0);
    assert_int_equal(body->reference.partCount, 2);
    qvPhyxelTerms terms = MakeTerms(1e5);
    terms.settle = 2.0;
    qvPhyxelScene scene = { .terms = &terms };
    qvVec3 *velocities = MakePoints(body), *y = MakePoints(body);
    for (int i = 0; i < body->count; i++)
        velocities[i].x = body->points[i].x < 0.0 ? 1.0 : -1.0;
    qvPhyxelState* state = MakeState(body, NULL, velocities);
    double nearest = INFINITY;
    for (int k = 0; k < 12; k++)
    {
        Advance(state, &scene, 0.1, NULL);
        qvPhyxelState_Points(state, y);
        for (int i = 0; i < body->count; i++)
        {
            for (int j = 0; j < body->count; j++)
            {
                if (body->points[i].x < 0.0 && body->points[j].x > 0.0)
                    nearest = fmin(nearest, qvDistance(y[i], y[j]));
            }
        }
    }
    double left = 0.0, right = 0.0;
    for (int i = 0; i < body->count; i++)
        *(body->points[i].x < 0.0 ? &left : &right) += y[i].x / body->count;
    print_message("parts: nearest %.2f spacings, centres %.3f and %.3f\n", nearest / body->spacing, 2 * left,
                  2 * right);
    assert_true(nearest > 0.3 * body->spacing);
    assert_true(nearest < 0.9 * body->spacing); // they did meet
    assert_true(left < -0.12 && right > 0.12);
    qvDestroyPhyxelState(state);
    free(velocities);
    free(y);
    qvDestroyPhyxelBody(body);
}

// A bar that is bent double: both arms along x, joined at the left.
static double Fork(qvVec3 x)
{
    double arms = fmin(0.12 - fabs(fabs(x.y) - 0.25), 0.5 - fabs(x.x));
    double joint = fmin(0.37 - fabs(x.y), fmin(0.5 - fabs(x.x), -0.26 - x.x));
    return fmin(fmax(arms, joint), 0.12 - fabs(x.z));
}

// How near the phyxels of one arm, beyond the joint, come to the other's when the arms are thrown at each other; and
// how far apart the middles of the arms are at least. Both in spacings.
static double Clap(double dent, double* apart)
{
    qvPhyxelBody* body = MakeBody(Fork, 2.0 * 0.24 * 0.24 + 0.24 * 0.26 * 0.24, 500, 1.0, 1000.0);
    assert_int_equal(body->reference.partCount, 1);
    double knots[1][2] = { { 0.0, dent } }, nearest = INFINITY;
    qvPhyxelTerms terms = MakeTerms(1e5);
    terms.settle = 0.3;
    terms.dent = (qvCurve){ (const double(*)[2])knots, 1 };
    qvPhyxelScene scene = { .terms = &terms };
    qvVec3 *velocities = MakePoints(body), *y = MakePoints(body);
    for (int i = 0; i < body->count; i++)
        velocities[i].y = -8.0 * copysign(fmax(0.0, body->points[i].x + 0.26), body->points[i].y);
    qvPhyxelState* state = MakeState(body, NULL, velocities);
    *apart = INFINITY;
    for (int k = 0; k < 120; k++)
    {
        double middles[2] = { 0.0, 0.0 };
        int counts[2] = { 0, 0 };
        Advance(state, &scene, 1.0 / 120.0, NULL);
        qvPhyxelState_Points(state, y);
        for (int i = 0; i < body->count; i++)
        {
            if (body->points[i].x < 0.2)
                continue;
            middles[body->points[i].y > 0.0] += y[i].y, counts[body->points[i].y > 0.0]++;
            for (int j = 0; j < body->count && body->points[i].y > 0.0; j++)
            {
                if (body->points[j].x > 0.0 && body->points[j].y < 0.0)
                    nearest = fmin(nearest, qvDistance(y[i], y[j]) / body->spacing);
            }
        }
        *apart = fmin(*apart, (middles[1] / counts[1] - middles[0] / counts[0]) / body->spacing);
    }
    qvDestroyPhyxelState(state);
    free(velocities);
    free(y);
    qvDestroyPhyxelBody(body);
    return nearest;
}

// An arm does not sink into another part of the same body, which is 0.24 thick, 3 spacings: elastic and dented.
static void TestArms(void** unused)
{
    (void)unused;
    for (int dented = 0; dented < 2; dented++)
    {
        double apart, nearest = Clap(0.6 * dented, &apart);
        print_message("arms: nearest %.2f spacings, middles %.2f\n", nearest, apart);
        assert_true(nearest > 0.3 && nearest < 1.0); // they did meet
        assert_true(apart > 2.0);
    }
}

// A body that starts inside an obstacle comes out of it without being shot away.
static void TestStartInside(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBall(200);
    qvPhyxelTerms terms = MakeTerms(3e4);
    terms.settle = 1.0;
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    qvObstacleDef def = GroundAt(-1.0);
    qvObstacles* ground = MakeObstacles(&def, 1);
    qvPhyxelScene scene = { .terms = &terms, .obstacles = ground };
    qvVec3* y = MakePoints(body);
    for (int i = 0; i < body->count; i++)
        y[i] = qvAdd(body->points[i], qvMakeVec3(0.0, -1.2, 0.0));
    qvPhyxelState* state = MakeState(body, y, NULL);
    double highest = -INFINITY, lowest = INFINITY;
    for (int k = 0; k < 30; k++)
    {
        Advance(state, &scene, 0.1, NULL);
        qvPhyxelState_Points(state, y);
        lowest = INFINITY;
        for (int i = 0; i < body->count; i++)
        {
            highest = fmax(highest, y[i].y);
            lowest = fmin(lowest, y[i].y);
        }
    }
    print_message("started inside: highest %.3f, at last lowest %.3f\n", highest, lowest);
    assert_true(highest < 1.5);
    assert_true(lowest > -1.0);
    qvDestroyObstacles(ground);
    qvDestroyPhyxelState(state);
    free(y);
    qvDestroyPhyxelBody(body);
}

// --- What the artist holds -------------------------------------------------------------------------------------------

// The rest shape, moved up and down.
static void Guide(void* context, double time, qvVec3* points, qvVec3* velocities)
{
    const qvPhyxelBody* body = context;
    for (int i = 0; i < body->count; i++)
    {
        points[i] = qvAdd(body->points[i], qvMakeVec3(0.0, 0.2 * sin(6.0 * time), 0.0));
        velocities[i] = qvMakeVec3(0.0, 1.2 * cos(6.0 * time), 0.0);
    }
}

static void TestPinsAndFollow(void** unused)
{
    (void)unused;
    qvPhyxelBody* body = MakeBlock(200);
    qvPhyxelTerms terms = MakeTerms(1e5);
    terms.settle = 0.5;
    terms.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    int32_t* pinned = calloc((size_t)body->count, sizeof(*pinned));
    qvVec3 *y = MakePoints(body), *v = MakePoints(body), *guide = MakePoints(body), *speed = MakePoints(body);
    qvPhyxelHold hold = { -INFINITY, INFINITY, pinned, 0 };
    for (int i = 0; i < body->count; i++)
    {
        if (body->points[i].x < -0.35)
            pinned[hold.count++] = i;
    }
    qvPhyxelScene scene = { .terms = &terms, .guide = Guide, .holds = &hold, .holdCount = 1, .context = body };
    qvPhyxelState* state = MakeState(body, NULL, NULL);
    Advance(state, &scene, 1.0, NULL);
    qvPhyxelState_Points(state, y);
    qvPhyxelState_Velocities(state, v);
    Guide(body, 1.0, guide, speed);
    double sag = 0.0;
    for (int k = 0; k < hold.count; k++)
    {
        ASSERT_NEAR(qvDistance(y[pinned[k]], guide[pinned[k]]), 0.0, 1e-12);
        ASSERT_NEAR(qvDistance(v[pinned[k]], speed[pinned[k]]), 0.0, 1e-12);
    }
    for (int i = 0; i < body->count; i++)
        sag = fmax(sag, guide[i].y - y[i].y);
    assert_true(sag > 0.02);
    qvDestroyPhyxelState(state);

    // What is caught on its way comes to where it is held within a sixtieth of a second, and is let go again.
    hold.from = 0.2, hold.to = 0.5;
    state = MakeState(body, NULL, NULL);
    Advance(state, &scene, 0.2 + 1.0 / 120.0, NULL);
    qvPhyxelState_Points(state, y);
    Guide(body, 0.2 + 1.0 / 120.0, guide, speed);
    double away = qvDistance(y[pinned[0]], guide[pinned[0]]);
    assert_true(away > 0.05 && away < 0.4); // half of the way
    Advance(state, &scene, 1.0 / 120.0, NULL);
    qvPhyxelState_Points(state, y);
    Guide(body, 0.2 + 2.0 / 120.0, guide, speed);
    ASSERT_NEAR(qvDistance(y[pinned[0]], guide[pinned[0]]), 0.0, 1e-12);
    Advance(state, &scene, 0.5, NULL);
    qvPhyxelState_Points(state, y);
    Guide(body, 0.2 + 2.0 / 120.0 + 0.5, guide, speed);
    assert_true(guide[pinned[0]].y - y[pinned[0]].y > 0.1);
    qvDestroyPhyxelState(state);

    // The spring of 10 follow^2 Hz sags by force / (m omega^2).
    scene.holdCount = 0;
    terms.follow = 0.5;
    state = MakeState(body, NULL, NULL);
    Advance(state, &scene, 2.0, NULL);
    Motion motion = MeasureMotion(body, state);
    double rate = 2.0 * QV_PI * 2.5;
    Guide(body, 2.0, guide, speed);
    double pull = 9.81 - 0.2 * 36.0 * sin(6.0 * 2.0); // gravity and what moving along takes
    ASSERT_NEAR(guide[0].y - body->points[0].y - motion.center.y, pull / (rate * rate), 0.01);
    qvDestroyPhyxelState(state);
    terms.follow = 1.0;
    state = MakeState(body, NULL, NULL);
    Advance(state, &scene, 0.5, NULL);
    qvPhyxelState_Points(state, y);
    Guide(body, 0.5, guide, speed);
    for (int i = 0; i < body->count; i++)
        ASSERT_NEAR(qvDistance(y[i], guide[i]), 0.0, 1e-12);
    qvDestroyPhyxelState(state);
    free(pinned);
    free(y);
    free(v);
    free(guide);
    free(speed);
    qvDestroyPhyxelBody(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestForces),           cmocka_unit_test(TestLevels),
        cmocka_unit_test(TestStiffness),        cmocka_unit_test(TestBallFrequencies),
        cmocka_unit_test(TestBlockFrequencies), cmocka_unit_test(TestFreeFlight),
        cmocka_unit_test(TestDampedFall),       cmocka_unit_test(TestRingDown),
        cmocka_unit_test(TestContact),          cmocka_unit_test(TestMovingObstacle),
        cmocka_unit_test(TestSelfContact),      cmocka_unit_test(TestStartInside),
        cmocka_unit_test(TestPinsAndFollow),    cmocka_unit_test(TestArms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
