// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete Shells on meshes: derivatives against finite differences, rigid motions, the pattern, threads, degenerate
// states.
#include "testing.h"

#include "quaver/primitive.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Body
{
    qvMesh* mesh;
    qvTopology* topology;
    qvShell* shell;
    int size; // numbers in a state
    double* rest;
    double* state;
    double* gradient;
    double* values;
} Body;

static double* Allocate(size_t count)
{
    double* items = calloc(count > 0 ? count : 1, sizeof(double));
    assert_non_null(items);
    return items;
}

static Body BodyOfMesh(qvMesh* mesh)
{
    qvError error;
    Body b = { .mesh = mesh, .size = 3 * mesh->pointCount };
    ASSERT_OK(qvCreateTopology(mesh, &b.topology, &error), error);
    b.rest = Allocate((size_t)b.size);
    for (int p = 0; p < mesh->pointCount; p++)
    {
        qvVec3f x = mesh->positions[mesh->pointVertex[p]];
        b.rest[3 * p] = 5.0 * x.x, b.rest[3 * p + 1] = 5.0 * x.y, b.rest[3 * p + 2] = 5.0 * x.z;
    }
    ASSERT_OK(qvCreateShell(b.topology, b.rest, NULL, &b.shell, &error), error);
    b.state = Allocate((size_t)b.size);
    memcpy(b.state, b.rest, (size_t)b.size * sizeof(double));
    b.gradient = Allocate((size_t)b.size);
    b.values = Allocate((size_t)qvShell_Pattern(b.shell).entryCount);
    return b;
}

static Body MakeBody(const char* tag, int resolution)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    return BodyOfMesh(mesh);
}

static Body BodyOfTriangles(const qvVec3f* positions, int vertexCount, const int32_t* corners, int faceCount)
{
    qvError error;
    qvMesh* mesh;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.positions = positions;
    def.faceCount = faceCount;
    def.corners = corners;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    return BodyOfMesh(mesh);
}

static void DestroyBody(Body* b)
{
    qvDestroyShell(b->shell);
    qvDestroyTopology(b->topology);
    qvDestroyMesh(b->mesh);
    free(b->rest);
    free(b->state);
    free(b->gradient);
    free(b->values);
}

// --- States ----------------------------------------------------------------------------------------------------------

typedef enum Pose
{
    ROTATED,   // turned, moved and slightly shaken
    STRETCHED, // 1.6 times as long, sheared and shaken
    FOLDED,    // the upper half folded over by 150 degrees around a crease
    CRUMPLED,  // shaken by a fifth of an edge
    POSES
} Pose;

static void Shake(Body* b, double amount, uint64_t* random)
{
    for (int i = 0; i < b->size; i++)
        b->state[i] += amount * (2.0 * RandomUnit(random) - 1.0);
}

static void Rotate(double* x, double angle)
{
    double c = cos(angle), s = sin(angle), y = x[1];
    x[1] = c * y - s * x[2], x[2] = s * y + c * x[2];
    double z = x[0];
    x[0] = c * z + s * x[2], x[2] = -s * z + c * x[2];
}

static double MeanEdge(const Body* b)
{
    double sum = 0.0;
    for (int e = 0; e < b->topology->edgeCount; e++)
    {
        const int32_t* v = b->topology->edges[e].point;
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = b->rest[3 * v[0] + k] - b->rest[3 * v[1] + k];
        sum += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sum / b->topology->edgeCount;
}

static void SetPose(Body* b, Pose pose, uint64_t* random)
{
    double edge = MeanEdge(b);
    memcpy(b->state, b->rest, (size_t)b->size * sizeof(double));
    for (int p = 0; p < b->size; p += 3)
    {
        double* x = b->state + p;
        if (pose == ROTATED)
        {
            Rotate(x, 1.1);
            x[0] += 3.0, x[1] -= 7.0;
        }
        else if (pose == STRETCHED)
        {
            x[0] = 1.6 * x[0] + 0.3 * x[1], x[1] *= 0.8, x[2] *= 1.2;
        }
        else if (pose == FOLDED && x[0] > 0.1)
        {
            double angle = 2.6, r = x[0] - 0.1, y = x[1];
            x[0] = 0.1 + r * cos(angle) - 0.05 * y * sin(angle);
            x[1] = y + r * sin(angle);
        }
    }
    Shake(b, (pose == CRUMPLED ? 0.2 : 0.03) * edge, random);
}

// --- Derivatives -----------------------------------------------------------------------------------------------------

static double Total(const Body* b, const qvShellMaterial* material)
{
    return qvShell_Energy(b->shell, material, b->state, NULL).total;
}

static void CheckGradient(Body* b, const qvShellMaterial* material, const double* direction)
{
    static const double weight[] = { 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0 };
    double h = 1e-3 * MeanEdge(b), numeric = 0.0, exact = 0.0, size = 0.0;
    double* saved = Allocate((size_t)b->size);
    memcpy(saved, b->state, (size_t)b->size * sizeof(double));
    qvShell_Gradient(b->shell, material, b->state, NULL, b->gradient);
    for (int i = 0; i < b->size; i++)
    {
        exact += b->gradient[i] * direction[i];
        size += fabs(b->gradient[i] * direction[i]);
    }
    for (int n = -4; n <= 4; n++)
    {
        if (n == 0)
            continue;
        for (int i = 0; i < b->size; i++)
            b->state[i] = saved[i] + n * h * direction[i];
        numeric += (n > 0 ? 1.0 : -1.0) * weight[abs(n) - 1] * Total(b, material) / h;
    }
    memcpy(b->state, saved, (size_t)b->size * sizeof(double));
    free(saved);
    assert_true(size > 1e-3);
    ASSERT_NEAR(exact, numeric, 1e-8 * size);
}

// out = H direction with the lower triangle
static void Multiply(const Body* b, const double* values, const double* direction, double* out)
{
    qvShellPattern p = qvShell_Pattern(b->shell);
    memset(out, 0, (size_t)b->size * sizeof(double));
    for (int j = 0; j < p.size; j++)
    {
        for (int n = p.columnStart[j]; n < p.columnStart[j + 1]; n++)
        {
            int i = p.rows[n];
            out[i] += values[n] * direction[j];
            if (i != j)
                out[j] += values[n] * direction[i];
        }
    }
}

static double Largest(const double* items, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(items[i]));
    return largest;
}

static void CheckHessian(Body* b, const qvShellMaterial* material, const double* direction)
{
    static const double weight[] = { 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0 };
    double h = 1e-3 * MeanEdge(b);
    double* saved = Allocate((size_t)b->size);
    double* numeric = Allocate((size_t)b->size);
    double* product = Allocate((size_t)b->size);
    memcpy(saved, b->state, (size_t)b->size * sizeof(double));
    qvShell_Hessian(b->shell, material, b->state, NULL, b->values);
    Multiply(b, b->values, direction, product);
    for (int n = -4; n <= 4; n++)
    {
        if (n == 0)
            continue;
        for (int i = 0; i < b->size; i++)
            b->state[i] = saved[i] + n * h * direction[i];
        qvShell_Gradient(b->shell, material, b->state, NULL, b->gradient);
        for (int i = 0; i < b->size; i++)
            numeric[i] += (n > 0 ? 1.0 : -1.0) * weight[abs(n) - 1] * b->gradient[i] / h;
    }
    memcpy(b->state, saved, (size_t)b->size * sizeof(double));
    double size = Largest(numeric, b->size);
    assert_true(size > 1e-2);
    for (int i = 0; i < b->size; i++)
        ASSERT_NEAR(product[i], numeric[i], 1e-7 * size);
    free(saved);
    free(numeric);
    free(product);
}

// Each term alone, in rotated, stretched, folded and crumpled states; the terms are not zero there.
static void TestDerivatives(void** state)
{
    (void)state;
    static const qvShellMaterial materials[] = {
        { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 }, { 2.0, 0.7, 0.3 }
    };
    static const char* const tags[] = { "sheet", "sphere", "block" };
    uint64_t random = 1;
    for (int t = 0; t < 3; t++)
    {
        Body b = MakeBody(tags[t], 4);
        double* direction = Allocate((size_t)b.size);
        for (int n = 0; n < POSES * 4; n++)
        {
            for (int i = 0; i < b.size; i++)
                direction[i] = 2.0 * RandomUnit(&random) - 1.0;
            SetPose(&b, (Pose)(n / 4), &random);
            assert_true(Total(&b, &materials[n % 4]) > 1e-4);
            CheckGradient(&b, &materials[n % 4], direction);
            CheckHessian(&b, &materials[n % 4], direction);
        }
        free(direction);
        DestroyBody(&b);
    }
}

// Every entry: columns of the Hessian of a small sheet against differences of the gradient, both triangles.
static void TestSymmetry(void** state)
{
    (void)state;
    uint64_t random = 2;
    qvShellMaterial material = { 1.0, 1.0, 1.0 };
    Body b = MakeBody("sheet", 2);
    SetPose(&b, FOLDED, &random);
    double* direction = Allocate((size_t)b.size);
    for (int i = 0; i < b.size; i++)
    {
        memset(direction, 0, (size_t)b.size * sizeof(double));
        direction[i] = 1.0;
        CheckHessian(&b, &material, direction);
    }
    free(direction);
    DestroyBody(&b);
}

// --- Rigid motions ---------------------------------------------------------------------------------------------------

static void TestRigidMotion(void** state)
{
    (void)state;
    uint64_t random = 3;
    qvShellMaterial material = qvDefaultShellMaterial();
    Body b = MakeBody("torus", 8);
    for (int p = 0; p < b.size; p += 3)
    {
        Rotate(b.state + p, 0.8);
        b.state[p] += 2.0;
    }
    ASSERT_NEAR(Total(&b, &material), 0.0, 1e-20);
    qvShell_Gradient(b.shell, &material, b.state, NULL, b.gradient);
    ASSERT_NEAR(Largest(b.gradient, b.size), 0.0, 1e-12);

    // The force on a deformed body turns with it and does not push or turn the whole.
    SetPose(&b, CRUMPLED, &random);
    qvShell_Gradient(b.shell, &material, b.state, NULL, b.gradient);
    double* turned = Allocate((size_t)b.size);
    double push[3] = { 0.0 }, turn[3] = { 0.0 }, size = Largest(b.gradient, b.size), energy = Total(&b, &material);
    assert_true(size > 0.1);
    for (int p = 0; p < b.size; p += 3)
    {
        double *x = b.state + p, *g = b.gradient + p;
        for (int k = 0; k < 3; k++)
        {
            push[k] += g[k];
            turn[k] += x[(k + 1) % 3] * g[(k + 2) % 3] - x[(k + 2) % 3] * g[(k + 1) % 3];
        }
    }
    ASSERT_NEAR(Largest(push, 3), 0.0, 1e-11 * size);
    ASSERT_NEAR(Largest(turn, 3), 0.0, 1e-10 * size);
    for (int p = 0; p < b.size; p += 3)
        Rotate(b.state + p, 2.0);
    ASSERT_NEAR(Total(&b, &material), energy, 1e-12 * energy);
    qvShell_Gradient(b.shell, &material, b.state, NULL, turned);
    for (int p = 0; p < b.size; p += 3)
    {
        Rotate(b.gradient + p, 2.0);
        for (int k = 0; k < 3; k++)
            ASSERT_NEAR(turned[p + k], b.gradient[p + k], 1e-11 * size);
    }
    free(turned);
    DestroyBody(&b);
}

// The Hessian with the state as rest shape is the Hessian of a shell made at that state; rigid motions are free,
// nothing has negative energy.
static void TestRestHessian(void** state)
{
    (void)state;
    uint64_t random = 4;
    qvError error;
    qvShellMaterial material = { 1.3, 0.8, 0.4 };
    Body b = MakeBody("sphere", 6);
    SetPose(&b, STRETCHED, &random);
    qvShell* made;
    ASSERT_OK(qvCreateShell(b.topology, b.state, NULL, &made, &error), error);
    int count = qvShell_Pattern(b.shell).entryCount;
    double* expected = Allocate((size_t)count);
    double* direction = Allocate((size_t)b.size);
    double* product = Allocate((size_t)b.size);
    qvShell_RestHessian(b.shell, &material, b.state, NULL, b.values);
    qvShell_Hessian(made, &material, b.state, NULL, expected);
    double size = Largest(expected, count);
    for (int i = 0; i < count; i++)
        ASSERT_NEAR(b.values[i], expected[i], 1e-12 * size);
    for (int n = 0; n < 6; n++)
    {
        for (int p = 0; p < b.size; p += 3)
        {
            double* d = direction + p;
            d[0] = d[1] = d[2] = 0.0;
            if (n < 3)
                d[n] = 1.0;
            else
                d[(n + 1) % 3] = b.state[p + (n + 2) % 3], d[(n + 2) % 3] = -b.state[p + (n + 1) % 3];
        }
        Multiply(&b, b.values, direction, product);
        ASSERT_NEAR(Largest(product, b.size), 0.0, 1e-11 * size);
    }
    for (int n = 0; n < 200; n++)
    {
        double sum = 0.0;
        for (int i = 0; i < b.size; i++)
            direction[i] = 2.0 * RandomUnit(&random) - 1.0;
        Multiply(&b, b.values, direction, product);
        for (int i = 0; i < b.size; i++)
            sum += direction[i] * product[i];
        assert_true(sum > 1e-3);
    }
    free(expected);
    free(direction);
    free(product);
    qvDestroyShell(made);
    DestroyBody(&b);
}

// --- Structure -------------------------------------------------------------------------------------------------------

static void CheckPattern(const Body* b)
{
    qvShellPattern p = qvShell_Pattern(b->shell);
    assert_int_equal(p.size, b->size);
    assert_int_equal(p.columnStart[0], 0);
    assert_int_equal(p.columnStart[p.size], p.entryCount);
    for (int j = 0; j < p.size; j++)
    {
        assert_int_equal(p.rows[p.columnStart[j]], j);
        for (int n = p.columnStart[j] + 1; n < p.columnStart[j + 1]; n++)
            assert_true(p.rows[n] > p.rows[n - 1] && p.rows[n] < p.size);
    }
}

// Points in random order, so that every patch is scattered over the arrays.
static Body ShuffledBody(const char* tag, int resolution)
{
    qvError error;
    qvMesh* source;
    uint64_t random = 5;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &source, &error), error);
    int count = source->pointCount;
    int32_t* place = malloc((size_t)count * sizeof(int32_t));
    int32_t* corners = malloc((size_t)source->triangleCount * 3 * sizeof(int32_t));
    qvVec3f* positions = malloc((size_t)count * sizeof(qvVec3f));
    assert_true(place && corners && positions);
    for (int i = 0; i < count; i++)
    {
        int j = RandomInt(&random, i + 1);
        place[i] = place[j];
        place[j] = i;
    }
    for (int i = 0; i < count; i++)
        positions[place[i]] = source->positions[source->pointVertex[i]];
    for (int i = 0; i < source->triangleCount * 3; i++)
        corners[i] = place[source->pointTriangles[i / 3].v[i % 3]];
    Body b = BodyOfTriangles(positions, count, corners, source->triangleCount);
    free(place);
    free(corners);
    free(positions);
    qvDestroyMesh(source);
    return b;
}

// The same bits with one, two and three threads, on a mesh of many patches; and finite differences there too.
static void TestThreads(void** state)
{
    (void)state;
    uint64_t random = 6;
    qvError error;
    qvShellMaterial material = { 1.0, 0.5, 2.0 };
    for (int shuffled = 0; shuffled < 2; shuffled++)
    {
        Body b = shuffled ? ShuffledBody("torus", 14) : MakeBody("torus", 14);
        assert_true(b.mesh->pointCount > 1500);
        CheckPattern(&b);
        SetPose(&b, CRUMPLED, &random);
        int count = qvShell_Pattern(b.shell).entryCount;
        double* gradient = Allocate((size_t)b.size);
        double* values = Allocate((size_t)count);
        double* direction = Allocate((size_t)b.size);
        for (int i = 0; i < b.size; i++)
            direction[i] = 2.0 * RandomUnit(&random) - 1.0;
        CheckGradient(&b, &material, direction);
        CheckHessian(&b, &material, direction);
        qvShellEnergy energy = qvShell_Energy(b.shell, &material, b.state, NULL);
        qvShell_Gradient(b.shell, &material, b.state, NULL, b.gradient);
        for (int rest = 0; rest < 2; rest++)
        {
            for (int threads = 1; threads <= 3; threads++)
            {
                qvPool* pool;
                ASSERT_OK(qvCreatePool(threads, &pool, &error), error);
                qvShellEnergy again = qvShell_Energy(b.shell, &material, b.state, pool);
                assert_memory_equal(&energy, &again, sizeof(energy));
                qvShell_Gradient(b.shell, &material, b.state, pool, gradient);
                assert_memory_equal(gradient, b.gradient, (size_t)b.size * sizeof(double));
                (rest ? qvShell_RestHessian : qvShell_Hessian)(b.shell, &material, b.state, NULL, b.values);
                (rest ? qvShell_RestHessian : qvShell_Hessian)(b.shell, &material, b.state, pool, values);
                assert_memory_equal(values, b.values, (size_t)count * sizeof(double));
                qvDestroyPool(pool);
            }
        }
        free(gradient);
        free(values);
        free(direction);
        DestroyBody(&b);
    }
}

static void TestMasses(void** state)
{
    (void)state;
    Body b = MakeBody("sphere", 30);
    const double* masses = qvShell_Masses(b.shell);
    double sum = 0.0;
    for (int p = 0; p < qvShell_PointCount(b.shell); p++)
    {
        assert_true(masses[p] > 0.0);
        sum += masses[p];
    }
    double sphere = 4.0 * 3.14159265358979 * 25.0; // radius 1, scaled by 5
    ASSERT_NEAR(sum, sphere, 0.02 * sphere);
    DestroyBody(&b);
}

// --- Meshes that are not nice ----------------------------------------------------------------------------------------

static void ExpectFinite(Body* b)
{
    qvShellMaterial material = { 1.0, 1.0, 1.0 };
    int count = qvShell_Pattern(b->shell).entryCount;
    assert_true(isfinite(Total(b, &material)));
    qvShell_Gradient(b->shell, &material, b->state, NULL, b->gradient);
    assert_true(isfinite(Largest(b->gradient, b->size)));
    for (int i = 0; i < b->size; i++)
        assert_true(isfinite(b->gradient[i]));
    for (int rest = 0; rest < 2; rest++)
    {
        (rest ? qvShell_RestHessian : qvShell_Hessian)(b->shell, &material, b->state, NULL, b->values);
        for (int i = 0; i < count; i++)
            assert_true(isfinite(b->values[i]));
    }
}

static const qvVec3f pair[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5f, 1, 0 }, { 0.5f, -1, 0 } };
static const int32_t pairCorners[] = { 0, 1, 2, 1, 0, 3 };

static void TestDegenerateStates(void** state)
{
    (void)state;
    Body b = BodyOfTriangles(pair, 4, pairCorners, 2);
    int top = 3 * b.mesh->vertexPoint[2], left = 3 * b.mesh->vertexPoint[0], right = 3 * b.mesh->vertexPoint[1];
    static const double heights[] = { 0.0, 1e-300, 1e-160, 1e-20, 1e-12, 1e-9, 1e-8, 1e-4, 1.0 };
    for (int n = 0; n < 9; n++)
    {
        memcpy(b.state, b.rest, (size_t)b.size * sizeof(double));
        b.state[top + 1] = heights[n]; // a triangle collapses onto the hinge
        ExpectFinite(&b);
        b.state[top + 1] = -5.0; // folded shut, then nearly so
        b.state[top + 2] = heights[n];
        ExpectFinite(&b);
        b.state[right] = b.state[left] + heights[n]; // the hinge's edge collapses
        ExpectFinite(&b);
    }
    memset(b.state, 0, (size_t)b.size * sizeof(double));
    ExpectFinite(&b);
    DestroyBody(&b);
}

// A hinge that is folded shut at rest stays near zero energy when it opens a little on either side.
static void TestFoldedRest(void** state)
{
    (void)state;
    qvError error;
    qvShellMaterial bend = { 0.0, 0.0, 1.0 };
    Body b = BodyOfTriangles(pair, 4, pairCorners, 2);
    int top = 3 * b.mesh->vertexPoint[2];
    qvShell* folded;
    b.state[top + 1] = -5.0;
    b.state[top + 2] = 1e-3;
    ASSERT_OK(qvCreateShell(b.topology, b.state, NULL, &folded, &error), error);
    double energy[2];
    for (int n = 0; n < 2; n++)
    {
        b.state[top + 2] = n == 0 ? 2e-3 : -1e-3;
        energy[n] = qvShell_Energy(folded, &bend, b.state, NULL).total;
        assert_true(energy[n] > 0.0 && energy[n] < 1e-5);
    }
    ASSERT_NEAR(energy[1] / energy[0], 4.0, 0.01); // twice the angle
    qvDestroyShell(folded);
    DestroyBody(&b);
}

// One triangle; three triangles on an edge; two parts; slivers; a collapsed rest triangle. Derivatives hold.
static void TestOddMeshes(void** state)
{
    (void)state;
    static const qvVec3f positions[] = { { 0, 0, 0 },    { 1, 0, 0 }, { 0.5f, 1, 0 }, { 0.5f, -1, 0 },
                                         { 0.4f, 0, 1 }, { 3, 0, 0 }, { 4, 0, 0.1f }, { 3.5f, 1e-3f, 0 } };
    static const int32_t one[] = { 0, 1, 2 }, three[] = { 0, 1, 2, 1, 0, 3, 0, 1, 4 }, parts[] = { 0, 1, 2, 5, 6, 7 };
    struct
    {
        const int32_t* corners;
        int faces;
    } cases[] = { { one, 1 }, { three, 3 }, { parts, 2 } };
    qvShellMaterial material = { 1.0, 1.0, 1.0 };
    uint64_t random = 7;
    for (int n = 0; n < 3; n++)
    {
        Body b = BodyOfTriangles(positions, 8, cases[n].corners, cases[n].faces);
        double direction[24];
        CheckPattern(&b);
        ExpectFinite(&b);
        ASSERT_NEAR(Total(&b, &material), 0.0, 1e-20);
        Shake(&b, 1e-3, &random);
        for (int i = 0; i < b.size; i++)
            direction[i] = 0.01 * (2.0 * RandomUnit(&random) - 1.0);
        // An edge of three triangles has one length: its energy alone tells.
        qvShellMaterial edge = { 1.0, 0.0, 0.0 };
        double sum = 0.0, expected = Total(&b, &edge);
        for (int i = 0; i < b.mesh->pointCount; i++)
        {
            for (int j = b.topology->neighborStart[i]; j < b.topology->neighborStart[i + 1]; j++)
            {
                int other = b.topology->neighbors[j];
                double l = 0.0, rest = 0.0;
                for (int k = 0; k < 3; k++)
                {
                    l += pow(b.state[3 * i + k] - b.state[3 * other + k], 2.0);
                    rest += pow(b.rest[3 * i + k] - b.rest[3 * other + k], 2.0);
                }
                sum += 0.5 * pow(1.0 - sqrt(l / rest), 2.0) * sqrt(rest);
            }
        }
        ASSERT_NEAR(sum, expected, 1e-10 * sum);
        SetPose(&b, CRUMPLED, &random);
        qvShell_Hessian(b.shell, &material, b.state, NULL, b.values);
        CheckGradient(&b, &edge, direction);
        DestroyBody(&b);
    }
}

static void TestBadInput(void** state)
{
    (void)state;
    qvError error;
    qvShell* shell;
    Body b = BodyOfTriangles(pair, 4, pairCorners, 2);
    b.state[7] = NAN;
    assert_int_equal(qvCreateShell(b.topology, b.state, NULL, &shell, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "point 2");
    memset(b.state, 0, (size_t)b.size * sizeof(double)); // everything in one place
    ASSERT_OK(qvCreateShell(b.topology, b.state, NULL, &shell, &error), error);
    qvDestroyShell(b.shell);
    b.shell = shell;
    ExpectFinite(&b);
    DestroyBody(&b);
}

static void TestCanBeStopped(void** state)
{
    (void)state;
    qvError error;
    Body b = BodyOfTriangles(pair, 4, pairCorners, 2);
    for (int i = 0; i < 2; i++)
    {
        Answers some = { .allowed = i };
        qvJob job = { .progress = AnswerQuestion, .context = &some };
        qvShell* shell;
        assert_int_equal(qvCreateShell(b.topology, b.rest, &job, &shell, &error), qv_cancelled);
        assert_null(shell);
    }
    DestroyBody(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDerivatives),      cmocka_unit_test(TestSymmetry),     cmocka_unit_test(TestRigidMotion),
        cmocka_unit_test(TestRestHessian),      cmocka_unit_test(TestThreads),      cmocka_unit_test(TestMasses),
        cmocka_unit_test(TestDegenerateStates), cmocka_unit_test(TestFoldedRest),   cmocka_unit_test(TestOddMeshes),
        cmocka_unit_test(TestBadInput),         cmocka_unit_test(TestCanBeStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
