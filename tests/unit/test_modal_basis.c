// SPDX-License-Identifier: GPL-3.0-or-later
// Reduced basis: orthonormality, what it spans, edits against rebuilds, reduced matrices.
#include "testing.h"

#include "modal_cases.h"

#include "grid_shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCKS = 5,
    VECTORS = 7 // of each block
};

// A shell, and poses each with its vector and the modes of the shell around that pose (here: random smooth fields).
typedef struct Fixture
{
    GridShell shell;
    int size;
    double* vectors[BLOCKS + 2];
    qvBasisBlock blocks[BLOCKS + 2];
} Fixture;

static Fixture MakeFixture(void)
{
    qvError error;
    Fixture fixture;
    GridShellDef shape = { GRID_TORUS, 20, 9, 1, 1.0, 1.0 };
    ASSERT_OK(MakeGridShell(&shape, &fixture.shell, &error), error);
    fixture.size = 3 * fixture.shell.vertexCount;
    uint64_t seed = 41;
    for (int b = 0; b < BLOCKS + 2; b++)
    {
        fixture.vectors[b] = calloc((size_t)(fixture.size * VECTORS), sizeof(double));
        for (int c = 0; c < VECTORS; c++)
        {
            double phase = 6.0 * RandomUnit(&seed), fx = RandomUnit(&seed), fy = RandomUnit(&seed);
            double length = pow(10.0, 6.0 * RandomUnit(&seed) - 3.0);
            for (int i = 0; i < fixture.size; i++)
            {
                qvVec3 p = fixture.shell.points[i / 3];
                fixture.vectors[b][c * fixture.size + i] = length * sin(fx * p.x + fy * p.y + phase + i % 3);
            }
        }
        fixture.blocks[b] = (qvBasisBlock){ fixture.vectors[b], VECTORS };
    }
    return fixture;
}

static void FreeFixture(Fixture* fixture)
{
    for (int b = 0; b < BLOCKS + 2; b++)
        free(fixture->vectors[b]);
    FreeGridShell(&fixture->shell);
}

static qvBasis* MakeBasis(const Fixture* fixture, const qvBasisBlock* blocks, int count, const qvBasis* previous)
{
    qvError error;
    qvBasisDef def = qvDefaultBasisDef();
    def.size = fixture->size;
    def.mass = fixture->shell.mass;
    def.blocks = blocks;
    def.blockCount = count;
    qvBasis* basis;
    ASSERT_OK(qvCreateBasis(&def, previous, NULL, &basis, &error), error);
    return basis;
}

static double* Reduce(const qvBasis* basis, const qvSparse* matrix, const double* before)
{
    qvError error;
    int d = qvBasis_Dimension(basis);
    double* reduced = calloc((size_t)(d * d), sizeof(double));
    ASSERT_OK(qvBasis_Reduce(basis, matrix, before, reduced, NULL, &error), error);
    return reduced;
}

static void AssertOrthonormal(const Fixture* fixture, const qvBasis* basis)
{
    int n = fixture->size, d = qvBasis_Dimension(basis);
    const double* u = qvBasis_Vectors(basis);
    for (int i = 0; i < d; i++)
    {
        for (int j = 0; j <= i; j++)
        {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += fixture->shell.mass[k] * u[i * n + k] * u[j * n + k];
            ASSERT_NEAR(sum, i == j, 1e-13);
        }
    }
}

static void TestSpansItsVectors(void** state)
{
    (void)state;
    Fixture fixture = MakeFixture();
    qvBasis* basis = MakeBasis(&fixture, fixture.blocks, BLOCKS, NULL);
    assert_int_equal(qvBasis_Size(basis), fixture.size);
    int d = qvBasis_Dimension(basis);
    assert_true(d > BLOCKS && d <= BLOCKS * VECTORS);
    AssertOrthonormal(&fixture, basis);
    int end = 0;
    for (int b = 0; b < BLOCKS; b++)
    {
        ASSERT_NEAR(
            SpaceDistance(fixture.size, fixture.shell.mass, qvBasis_Vectors(basis), d, fixture.vectors[b], VECTORS),
            0.0, 2e-7);
        int first, count;
        qvBasis_BlockRange(basis, b, &first, &count);
        assert_int_equal(first, end);
        end += count;
        // Each block lies in what the blocks up to it span: no more was added than was asked for.
        ASSERT_NEAR(
            SpaceDistance(fixture.size, fixture.shell.mass, qvBasis_Vectors(basis), end, fixture.vectors[b], VECTORS),
            0.0, 2e-7);
    }
    assert_int_equal(end, d);
    qvDestroyBasis(basis);
    FreeFixture(&fixture);
}

static void TestCoordinates(void** state)
{
    (void)state;
    Fixture fixture = MakeFixture();
    qvBasis* basis = MakeBasis(&fixture, fixture.blocks, BLOCKS, NULL);
    double q[BLOCKS * VECTORS * 2], back[BLOCKS * VECTORS * 2];
    double* x = calloc(2 * (size_t)fixture.size, sizeof(double));
    int d = qvBasis_Dimension(basis);
    for (int i = 0; i < 2 * d; i++)
        q[i] = sin(i + 1.0);
    qvBasis_Expand(basis, q, 2, x);
    qvBasis_Project(basis, x, 2, back);
    for (int i = 0; i < 2 * d; i++)
        ASSERT_NEAR(back[i], q[i], 1e-12);
    free(x);
    qvDestroyBasis(basis);
    FreeFixture(&fixture);
}

static void TestDependentVectorsAddNothing(void** state)
{
    (void)state;
    Fixture fixture = MakeFixture();
    qvBasis* once = MakeBasis(&fixture, fixture.blocks, 2, NULL);
    // Again the first block, and a block of zeros and of what is known but for less than the tolerance.
    memset(fixture.vectors[3], 0, (size_t)(fixture.size * VECTORS) * sizeof(double));
    for (int i = 0; i < fixture.size; i++)
        fixture.vectors[3][fixture.size + i] = 1e-30 * (fixture.vectors[1][i] + 1e-10 * fixture.vectors[5][i]);
    qvBasisBlock blocks[] = { fixture.blocks[0], fixture.blocks[1], fixture.blocks[0], fixture.blocks[3] };
    qvBasis* twice = MakeBasis(&fixture, blocks, 4, NULL);
    assert_int_equal(qvBasis_Dimension(twice), qvBasis_Dimension(once));
    int first, count;
    qvBasis_BlockRange(twice, 3, &first, &count);
    assert_int_equal(count, 0);
    qvDestroyBasis(once);
    qvDestroyBasis(twice);
    FreeFixture(&fixture);
}

static double* ReducedValues(const qvBasis* basis, const double* reduced)
{
    qvError error;
    size_t d = (size_t)qvBasis_Dimension(basis);
    double *values = calloc(d + 1, sizeof(double)), *vectors = calloc(d * d + 1, sizeof(double));
    ASSERT_OK(qvReducedModes((int)d, reduced, values, vectors, &error), error);
    free(vectors);
    return values;
}

// Two bases of one space: neither has a direction that the other has not, and the reduced matrices have the same
// eigenvalues to 1e-9 of the largest.
static void AssertSameSpace(const Fixture* fixture, const qvBasis* a, const double* reducedA, const qvBasis* b,
                            const double* reducedB)
{
    int d = qvBasis_Dimension(a);
    assert_int_equal(qvBasis_Dimension(b), d);
    if (d == 0)
        return;
    AssertOrthonormal(fixture, a);
    ASSERT_NEAR(SpaceDistance(fixture->size, fixture->shell.mass, qvBasis_Vectors(b), d, qvBasis_Vectors(a), d), 0.0,
                1e-8);
    double *valuesA = ReducedValues(a, reducedA), *valuesB = ReducedValues(b, reducedB);
    assert_true(valuesB[d - 1] > 0.1);
    for (int i = 0; i < d; i++)
        ASSERT_NEAR(valuesA[i], valuesB[i], 1e-9 * valuesB[d - 1]);
    free(valuesA);
    free(valuesB);
}

// An edited basis against one made from scratch. All three are freed.
static void CheckEdited(Fixture* fixture, qvBasis* old, qvBasis* edited, qvBasis* rebuilt, bool follows)
{
    assert_int_equal(qvBasis_HasFollowed(edited), follows);
    assert_false(qvBasis_HasFollowed(rebuilt));
    double* oldReduced = Reduce(old, &fixture->shell.matrix, NULL);
    double* editedReduced = Reduce(edited, &fixture->shell.matrix, follows ? oldReduced : NULL);
    double* rebuiltReduced = Reduce(rebuilt, &fixture->shell.matrix, NULL);
    AssertSameSpace(fixture, edited, editedReduced, rebuilt, rebuiltReduced);
    free(oldReduced);
    free(editedReduced);
    free(rebuiltReduced);
    qvDestroyBasis(old);
    qvDestroyBasis(edited);
    qvDestroyBasis(rebuilt);
}

static void CheckEdit(Fixture* fixture, const qvBasisBlock* before, int countBefore, const qvBasisBlock* after,
                      int countAfter, bool follows)
{
    qvBasis* old = MakeBasis(fixture, before, countBefore, NULL);
    qvBasis* edited = MakeBasis(fixture, after, countAfter, old);
    CheckEdited(fixture, old, edited, MakeBasis(fixture, after, countAfter, NULL), follows);
}

static void TestEditsEqualRebuilds(void** state)
{
    (void)state;
    Fixture f = MakeFixture();
    qvBasisBlock* b = f.blocks;
    for (int changed = 0; changed < BLOCKS; changed++)
    {
        qvBasisBlock after[BLOCKS];
        memcpy(after, b, sizeof(after));
        after[changed] = b[BLOCKS];
        CheckEdit(&f, b, BLOCKS, after, BLOCKS, true);
    }
    CheckEdit(&f, b, BLOCKS, b, BLOCKS + 1, true);     // a key added at the end
    CheckEdit(&f, b + 1, BLOCKS - 1, b, BLOCKS, true); // at the front
    CheckEdit(&f, b, BLOCKS, b, BLOCKS - 2, true);     // removed
    CheckEdit(&f, b, BLOCKS, b + 2, BLOCKS - 2, true); // removed at the front
    CheckEdit(&f, b, BLOCKS, b, BLOCKS, true);         // nothing
    CheckEdit(&f, b, 0, b, 2, false);                  // the first keys
    CheckEdit(&f, b, 2, b, 0, true);                   // all removed
    CheckEdit(&f, b, 1, b, BLOCKS, false);             // most are new
    CheckEdit(&f, (qvBasisBlock[]){ b[0], b[0], b[1] }, 3, (qvBasisBlock[]){ b[2], b[0], b[1] }, 3,
              true); // a twin shows up
    // One that was the same but for less than the tolerance counts again, once the other is gone.
    double* almost = f.vectors[BLOCKS + 1];
    for (int i = 0; i < f.size * VECTORS; i++)
        almost[i] = f.vectors[0][i] + 3e-8 * fabs(f.vectors[0][i / f.size * f.size]) * sin(i);
    qvBasisBlock nearly = { almost, VECTORS };
    CheckEdit(&f, (qvBasisBlock[]){ b[0], nearly, b[1], b[2] }, 4, (qvBasisBlock[]){ b[3], nearly, b[1], b[2] }, 4,
              true);
    FreeFixture(&f);
}

// Blocks whose vectors nobody has any more: the previous basis knows them. It has the first `known` blocks, and the new
// one these from `first` on and then others.
static void CheckForgotten(Fixture* f, int known, int first, int total, bool follows)
{
    qvError error;
    qvBasis *old = MakeBasis(f, f->blocks, known, NULL), *edited;
    qvBasisBlock blocks[BLOCKS + 2];
    int sameAs[BLOCKS + 2];
    for (int b = first; b < total; b++)
    {
        sameAs[b - first] = b < known ? b : -1;
        blocks[b - first] = b < known ? (qvBasisBlock){ NULL, qvBasis_VectorCount(old, b) } : f->blocks[b];
    }
    qvBasisDef def = qvDefaultBasisDef();
    def.size = f->size, def.mass = f->shell.mass;
    def.blocks = blocks, def.blockCount = total - first, def.sameAs = sameAs;
    ASSERT_OK(qvCreateBasis(&def, old, NULL, &edited, &error), error);
    CheckEdited(f, old, edited, MakeBasis(f, f->blocks + first, total - first, NULL), follows);
}

static void TestForgottenVectors(void** state)
{
    (void)state;
    Fixture f = MakeFixture();
    CheckForgotten(&f, BLOCKS, 0, BLOCKS, true);     // nothing new
    CheckForgotten(&f, BLOCKS, 1, BLOCKS + 1, true); // one gone, one new
    CheckForgotten(&f, 2, 1, BLOCKS + 1, false);     // most are new: made from what the old basis knows of the others
    FreeFixture(&f);
}

// Many edits, each from the one before: now and then the basis is made anew, and rounding does not add up.
static void TestManyEdits(void** state)
{
    (void)state;
    Fixture f = MakeFixture();
    qvBasis* basis = MakeBasis(&f, f.blocks, BLOCKS, NULL);
    double* reduced = Reduce(basis, &f.shell.matrix, NULL);
    int rebuilds = 0;
    for (int edit = 0; edit < 80; edit++)
    {
        for (int i = 0; i < f.size * VECTORS; i++)
            f.vectors[edit % BLOCKS][i] *= 1.0 + 0.1 * sin(i * (edit + 1.0));
        qvBasis* next = MakeBasis(&f, f.blocks, BLOCKS, basis);
        rebuilds += !qvBasis_HasFollowed(next);
        double* nextReduced = Reduce(next, &f.shell.matrix, qvBasis_HasFollowed(next) ? reduced : NULL);
        qvBasis_Forget(next);
        assert_false(qvBasis_HasFollowed(next));
        qvDestroyBasis(basis);
        free(reduced);
        basis = next, reduced = nextReduced;
    }
    assert_int_equal(rebuilds, 2);
    qvBasis* fresh = MakeBasis(&f, f.blocks, BLOCKS, NULL);
    double* freshReduced = Reduce(fresh, &f.shell.matrix, NULL);
    AssertSameSpace(&f, basis, reduced, fresh, freshReduced);
    free(reduced);
    free(freshReduced);
    qvDestroyBasis(basis);
    qvDestroyBasis(fresh);
    FreeFixture(&f);
}

static void TestReducedModes(void** state)
{
    (void)state;
    qvError error;
    Fixture fixture = MakeFixture();
    // In the space of the body's own modes the reduced problem has their eigenvalues.
    Body body = { .size = fixture.size, .matrix = fixture.shell.matrix, .mass = fixture.shell.mass };
    qvModesDef def = DefFor(&body, 12, qv_modesAuto);
    qvModes* modes;
    ASSERT_OK(FindModes(&def, NULL, 0, NULL, &modes, &error), error);
    qvBasisBlock blocks[] = { { modes->vectors + 9 * fixture.size, 3 }, { modes->vectors, 9 } };
    qvBasis* basis = MakeBasis(&fixture, blocks, 2, NULL);
    assert_int_equal(qvBasis_Dimension(basis), 12);
    double* reduced = Reduce(basis, &fixture.shell.matrix, NULL);
    double values[12], vectors[144];
    ASSERT_OK(qvReducedModes(12, reduced, values, vectors, &error), error);
    for (int k = 0; k < 12; k++)
        ASSERT_NEAR(values[k], modes->values[k], 1e-10);
    free(reduced);
    qvDestroyBasis(basis);
    qvDestroyModes(modes);
    FreeFixture(&fixture);
}

// More vectors than degrees of freedom.
static void TestFewPoints(void** state)
{
    (void)state;
    qvError error;
    const double mass[] = { 1.0, 2.0, 3.0 };
    const double vectors[] = { 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 5, 0, 1, 1, 0, 1, 1, 1, 0, 0, 7 };
    qvBasisBlock blocks[] = { { vectors, 7 }, { vectors, 2 } };
    qvBasisDef def = qvDefaultBasisDef();
    def.size = 3;
    def.mass = mass;
    def.blocks = blocks;
    def.blockCount = 2;
    qvBasis* basis;
    ASSERT_OK(qvCreateBasis(&def, NULL, NULL, &basis, &error), error);
    assert_int_equal(qvBasis_Dimension(basis), 3);
    qvDestroyBasis(basis);
}

static bool StopAfter(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return (*(int*)context)-- > 0;
}

static void TestBadInputAndCancel(void** state)
{
    (void)state;
    qvError error;
    qvBasis* basis;
    Fixture fixture = MakeFixture();
    qvBasisDef def = qvDefaultBasisDef();
    def.size = fixture.size;
    def.mass = fixture.shell.mass;
    def.blocks = fixture.blocks;
    def.blockCount = BLOCKS;
    for (int stop = 0; stop < BLOCKS + 1; stop++)
    {
        int left = stop;
        qvJob job = { .progress = StopAfter, .context = &left };
        assert_int_equal(qvCreateBasis(&def, NULL, &job, &basis, &error), qv_cancelled);
        assert_null(basis);
    }
    fixture.vectors[2][fixture.size + 4] = NAN;
    assert_int_equal(qvCreateBasis(&def, NULL, NULL, &basis, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "block 2: vector 1 is not finite at degree of freedom 4");
    fixture.shell.mass[1] = 0.0;
    assert_int_equal(qvCreateBasis(&def, NULL, NULL, &basis, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "mass 0");
    FreeFixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSpansItsVectors),  cmocka_unit_test(TestCoordinates),
        cmocka_unit_test(TestReducedModes),     cmocka_unit_test(TestDependentVectorsAddNothing),
        cmocka_unit_test(TestFewPoints),        cmocka_unit_test(TestEditsEqualRebuilds),
        cmocka_unit_test(TestManyEdits),        cmocka_unit_test(TestBadInputAndCancel),
        cmocka_unit_test(TestForgottenVectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
