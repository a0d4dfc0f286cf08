// SPDX-License-Identifier: GPL-3.0-or-later
// Vibration modes of Discrete Shells against what is known of rods and spheres, and the rigid motions of free parts.
#include "testing.h"

#include "modal_cases.h"

#include "quaver/primitive.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A shell with its mesh and what the modal solver wants of it.
typedef struct Elastic
{
    qvMesh* mesh;
    qvTopology* topology;
    qvShell* shell;
    double* state; // [3 pointCount]
    Body body;
} Elastic;

static Elastic MakeElastic(qvMesh* mesh, const qvShellMaterial* material)
{
    qvError error;
    Elastic elastic = { .mesh = mesh };
    int size = 3 * mesh->pointCount;
    qvVec3f* points = calloc((size_t)mesh->pointCount, sizeof(*points));
    qvMesh_GatherPoints(mesh, mesh->positions, points);
    elastic.state = calloc((size_t)size, sizeof(double));
    for (int i = 0; i < mesh->pointCount; i++)
    {
        elastic.state[3 * i] = points[i].x;
        elastic.state[3 * i + 1] = points[i].y;
        elastic.state[3 * i + 2] = points[i].z;
    }
    free(points);
    ASSERT_OK(qvCreateTopology(mesh, &elastic.topology, &error), error);
    ASSERT_OK(qvCreateShell(elastic.topology, elastic.state, NULL, &elastic.shell, &error), error);
    qvShellPattern pattern = qvShell_Pattern(elastic.shell);
    Body* body = &elastic.body;
    body->size = size;
    ASSERT_OK(qvCopySparsePattern(pattern.size, pattern.columnStart, pattern.rows, &body->pattern, &error), error);
    body->matrix = (qvSparse){ body->pattern, calloc((size_t)pattern.entryCount, sizeof(double)) };
    body->mass = calloc((size_t)size, sizeof(double));
    for (int i = 0; i < size; i++)
        body->mass[i] = qvShell_Masses(elastic.shell)[i / 3];
    qvShell_RestHessian(elastic.shell, material, elastic.state, NULL, body->matrix.values);
    return elastic;
}

static void FreeElastic(Elastic* elastic)
{
    FreeBody(&elastic->body);
    qvDestroyShell(elastic->shell);
    qvDestroyTopology(elastic->topology);
    qvDestroyMesh(elastic->mesh);
    free(elastic->state);
}

static Elastic MakePrimitive(const char* tag, int resolution, const qvShellMaterial* material)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    return MakeElastic(mesh, material);
}

// A strip of one row of `cells` squares along x, with alternating diagonals.
static Elastic MakeStrip(int cells, double length, const qvShellMaterial* material)
{
    qvError error;
    int columns = cells + 1, corner = 0;
    qvVec3f* positions = calloc(2 * (size_t)columns, sizeof(*positions));
    int32_t* corners = calloc(6 * (size_t)cells, sizeof(*corners));
    double step = length / cells;
    for (int i = 0; i < 2 * columns; i++)
        positions[i] = (qvVec3f){ (float)(i / 2 * step), (float)(i % 2 * step), 0.0f };
    for (int i = 0; i < cells; i++)
    {
        int32_t a = 2 * i, b = 2 * i + 2, c = 2 * i + 3, d = 2 * i + 1;
        int32_t even[6] = { a, b, c, a, c, d }, odd[6] = { a, b, d, b, c, d };
        memcpy(corners + corner, i % 2 == 0 ? even : odd, sizeof(even));
        corner += 6;
    }
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 2 * columns;
    def.positions = positions;
    def.faceCount = 2 * cells;
    def.corners = corners;
    qvMesh* mesh;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    assert_int_equal(mesh->pointCount, 2 * columns);
    free(positions);
    free(corners);
    return MakeElastic(mesh, material);
}

static qvModes* MustFind(const Elastic* elastic, int count, const int32_t* fixed, int fixedCount, qvModesMethod method)
{
    qvError error;
    qvModes* modes;
    qvModesDef def = DefFor(&elastic->body, count, method);
    ASSERT_OK(FindModes(&def, fixed, fixedCount, NULL, &modes, &error), error);
    return modes;
}

// A free part has the three translations and three rotations of its rest shape, and no other zero mode.
static void TestSixZeroModes(void** state)
{
    (void)state;
    const char* const tags[] = { "sphere", "sack", "torus", "sheet" };
    const int resolutions[] = { 8, 8, 8, 12 };
    qvShellMaterial material = qvDefaultShellMaterial();
    for (int t = 0; t < 4; t++)
    {
        Elastic elastic = MakePrimitive(tags[t], resolutions[t], &material);
        for (qvModesMethod method = qv_modesBlock; method <= qv_modesArpack; method++)
        {
            qvModes* modes = MustFind(&elastic, 16, NULL, 0, method);
            assert_int_equal(modes->zeroCount, 6);
            assert_true(modes->values[6] > 1.0);
            double* field = calloc((size_t)elastic.body.size * 6, sizeof(double));
            for (int i = 0; i < elastic.body.size / 3; i++)
            {
                const double* x = elastic.state + 3 * i;
                double values[6][3] = { { 1, 0, 0 },        { 0, 1, 0 },        { 0, 0, 1 },
                                        { 0, -x[2], x[1] }, { x[2], 0, -x[0] }, { -x[1], x[0], 0 } };
                for (int k = 0; k < 6; k++)
                    memcpy(field + k * elastic.body.size + 3 * i, values[k], sizeof(values[k]));
            }
            ASSERT_NEAR(SpaceDistance(elastic.body.size, elastic.body.mass, modes->vectors, 6, field, 6), 0.0, 1e-6);
            free(field);
            qvDestroyModes(modes);
        }
        FreeElastic(&elastic);
    }
}

// Appends three degrees of freedom without stiffness.
static void AddLoosePoint(Body* body)
{
    qvError error;
    int n = body->size, entries = body->pattern->entryCount;
    int32_t* columnStart = calloc((size_t)n + 4, sizeof(int32_t));
    int32_t* row = calloc((size_t)entries + 3, sizeof(int32_t));
    memcpy(columnStart, body->pattern->columnStart, ((size_t)n + 1) * sizeof(int32_t));
    memcpy(row, body->pattern->row, (size_t)entries * sizeof(int32_t));
    body->mass = realloc(body->mass, ((size_t)n + 3) * sizeof(double));
    body->matrix.values = realloc(body->matrix.values, ((size_t)entries + 3) * sizeof(double));
    for (int c = 0; c < 3; c++)
    {
        columnStart[n + 1 + c] = entries + 1 + c;
        row[entries + c] = n + c;
        body->mass[n + c] = 1e-9 * body->mass[0];
        body->matrix.values[entries + c] = 0.0;
    }
    qvDestroySparsePattern(body->pattern);
    ASSERT_OK(qvCopySparsePattern(n + 3, columnStart, row, &body->pattern, &error), error);
    body->matrix.pattern = body->pattern;
    body->size = n + 3;
    free(columnStart);
    free(row);
}

// Degenerate triangles leave points of next to no mass, and a point of no triangle has no stiffness either: three zero
// modes of its own. The rest of the body must not notice.
static void TestPointsOfNoMass(void** state)
{
    (void)state;
    qvShellMaterial material = qvDefaultShellMaterial();
    Elastic elastic = MakePrimitive("sack", 8, &material);
    qvModes* before = MustFind(&elastic, 16, NULL, 0, qv_modesAuto);
    Body* body = &elastic.body;
    for (int c = 0; c < 3; c++)
        body->mass[3 * 100 + c] *= 1e-9;
    qvModes* light = MustFind(&elastic, 16, NULL, 0, qv_modesAuto);
    assert_int_equal(light->zeroCount, 6);
    AddLoosePoint(body);
    qvModes* loose = MustFind(&elastic, 19, NULL, 0, qv_modesAuto);
    assert_int_equal(loose->zeroCount, 9);
    for (int k = 6; k < 16; k++)
    {
        ASSERT_NEAR(light->values[k] / before->values[k], 1.0, 0.03);
        // The light point's stiffness over its mass is 1e14 of these eigenvalues: they keep about eight digits.
        ASSERT_NEAR(loose->values[k + 3] / light->values[k], 1.0, 1e-7);
    }
    qvDestroyModes(before);
    qvDestroyModes(light);
    qvDestroyModes(loose);
    FreeElastic(&elastic);
}

static double MassOfFree(const Elastic* elastic, int firstPoint)
{
    // The hinge at the last clamped column stands for the bending of half a cell on both sides of it: the rod begins
    // half a cell before that column, and the column's mass is part of it.
    const double* masses = qvShell_Masses(elastic->shell);
    double sum = masses[firstPoint - 1] + masses[firstPoint - 2];
    for (int i = firstPoint; i < elastic->mesh->pointCount; i++)
        sum += masses[i];
    return sum;
}

// The rod's tip under a unit load across it.
static double TipDeflection(const Elastic* elastic, const int32_t* fixed, int fixedCount)
{
    qvError error;
    qvSymbolic* symbolic;
    qvFactor* factor;
    int size = elastic->body.size;
    double* load = calloc((size_t)size, sizeof(double));
    load[size - 1] = load[size - 4] = 0.5;
    ASSERT_OK(qvCreateSymbolic(elastic->body.pattern, fixed, fixedCount, NULL, &symbolic, &error), error);
    ASSERT_OK(qvCreateFactor(symbolic, &factor, &error), error);
    ASSERT_OK(qvFactor_Compute(factor, &elastic->body.matrix, elastic->body.mass, 0.0, NULL, &error), error);
    ASSERT_OK(qvFactor_Solve(factor, load, 1, load, NULL, &error), error);
    double deflection = 0.5 * (load[size - 1] + load[size - 4]);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    free(load);
    return deflection;
}

// A clamped rod: the lowest frequency is omega^2 = 1.8751^4 EI / (m L^4) and its tip gives way by L^3 / (3 EI) under a
// unit load, so omega^2 M deflection = 1.8751^4 / 3 whatever the stiffness, M = m L being its mass.
static void TestClampedStrip(void** state)
{
    (void)state;
    qvShellMaterial material = { .edge = 1000.0, .area = 1000.0, .bend = 1.0 };
    const int cells[] = { 20, 40, 80 };
    double errors[3];
    for (int c = 0; c < 3; c++)
    {
        Elastic elastic = MakeStrip(cells[c], 10.0, &material);
        int32_t fixed[12];
        for (int i = 0; i < 12; i++)
            fixed[i] = i; // two columns of two points: place and slope
        qvModes* modes = MustFind(&elastic, 8, fixed, 12, qv_modesAuto);
        // The lowest mode is bending out of the plane, both sides alike.
        const double* tip = modes->vectors + elastic.body.size - 6;
        assert_true(fabs(tip[2] - tip[5]) < 0.05 * fabs(tip[2]) && fabs(tip[1]) < 1e-6 * fabs(tip[2]));
        double known = pow(1.87510407, 4.0) / 3.0;
        double found = modes->values[0] * MassOfFree(&elastic, 4) * TipDeflection(&elastic, fixed, 12);
        errors[c] = fabs(found / known - 1.0);
        qvDestroyModes(modes);
        FreeElastic(&elastic);
    }
    assert_true(errors[0] < 0.005 && errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1]);
}

// H. Lamb, "On the vibrations of a spherical shell" (1882): the modes of a spherical membrane of degree l have
// W^2 - (1 + 3 nu + r) W + (r - 2)(1 - nu^2) = 0, r = l (l + 1), W = omega^2 R^2 (1 - nu^2) / E, for unit mass per
// area.
static double LambEigenvalue(int degree, double young, double poisson, double radius)
{
    double r = degree * (degree + 1.0), half = 0.5 * (1.0 + 3.0 * poisson + r);
    double w = half - sqrt(half * half - (r - 2.0) * (1.0 - poisson * poisson));
    return w * young / (radius * radius * (1.0 - poisson * poisson));
}

// Edges of nearly equilateral triangles with energy edge (strain)^2 L each are a membrane with both of Lamé's numbers
// equal to a quarter of the sum of edge L per area; the area term adds twice its stiffness to the first.
static void Moduli(const Elastic* elastic, const qvShellMaterial* material, double* young, double* poisson)
{
    double lengths = 0.0, area = 0.0;
    const qvTopology* topology = elastic->topology;
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const double* a = elastic->state + 3 * topology->edges[e].point[0];
        const double* b = elastic->state + 3 * topology->edges[e].point[1];
        lengths += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    }
    for (int i = 0; i < elastic->mesh->pointCount; i++)
        area += qvShell_Masses(elastic->shell)[i];
    double mu = 0.25 * material->edge * lengths / area, lambda = mu + 2.0 * material->area;
    *poisson = lambda / (lambda + 2.0 * mu);
    *young = 4.0 * mu * (lambda + mu) / (lambda + 2.0 * mu);
}

static double Mean(const double* values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i] / count;
    return sum;
}

// Edges of an icosphere differ by a sixth, and their stiffness with them, so that the limit of finer meshes is a few
// percent softer than the even membrane.
static void TestSphere(void** state)
{
    (void)state;
    qvShellMaterial material = { .edge = 1.0, .area = 0.5, .bend = 1e-6 };
    const int resolutions[] = { 5, 10, 20 };
    double two[3], three[3];
    for (int k = 0; k < 3; k++)
    {
        Elastic elastic = MakePrimitive("sphere", resolutions[k], &material);
        double young, poisson;
        Moduli(&elastic, &material, &young, &poisson);
        qvModes* modes = MustFind(&elastic, 6 + 5 + 7, NULL, 0, qv_modesAuto);
        assert_int_equal(modes->zeroCount, 6);
        two[k] = Mean(modes->values + 6, 5) / LambEigenvalue(2, young, poisson, 1.0);
        three[k] = Mean(modes->values + 11, 7) / LambEigenvalue(3, young, poisson, 1.0);
        ASSERT_NEAR(two[k], 1.0, 0.03);
        ASSERT_NEAR(three[k], 1.0, 0.06);
        // The icosahedron's symmetry keeps the five modes of degree 2 together, the seven of degree 3 nearly.
        ASSERT_NEAR(modes->values[10] / modes->values[6], 1.0, 1e-5);
        assert_true(modes->values[17] < 1.03 * modes->values[11] && modes->values[11] > 1.2 * modes->values[10]);
        qvDestroyModes(modes);
        FreeElastic(&elastic);
    }
    assert_true(fabs(two[2] - two[1]) < 0.7 * fabs(two[1] - two[0]));
    assert_true(fabs(three[2] - three[1]) < 0.8 * fabs(three[1] - three[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSixZeroModes),
        cmocka_unit_test(TestPointsOfNoMass),
        cmocka_unit_test(TestClampedStrip),
        cmocka_unit_test(TestSphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
