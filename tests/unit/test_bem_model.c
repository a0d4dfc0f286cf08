// SPDX-License-Identifier: GPL-3.0-or-later
// Boundary elements of whole bodies: patch tests, poles and modes of the sphere against Lamb, the reduced model against
// the full history, threads, cancelling, bytes and bad input.
#include "testing.h"

#include "bem/history.h"
#include "bem/lamb.h"
#include "bem/model.h"
#include "bem/radial.h"
#include "bem/response.h"
#include "math/dense_lu.h"
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ONE_NODE = 10.0, CORNERS = 0.7;

static qvBemSurface* SurfaceOf(qvSolid* solid, double sharpAngle)
{
    qvError error;
    qvBemSurface* surface;
    ASSERT_OK(qvCreateBemSurface(solid->vertices, solid->vertexCount, solid->triangles, solid->triangleCount,
                                 sharpAngle, &surface, &error),
              error);
    qvFreeSolid(solid);
    return surface;
}

// The largest entry of H u - G t over that of H u's diagonal part, for a linear displacement and its tractions.
static double PatchError(const qvBemSurface* surface, const qvBemQuadrature* quadrature, const double gradient[3][3],
                         double poisson)
{
    qvError error;
    size_t rows = 3 * (size_t)surface->vertexCount, columns = 3 * (size_t)surface->nodeCount;
    double *h = calloc(rows * rows, sizeof(double)), *g = calloc(rows * columns, sizeof(double));
    double *u = calloc(rows, sizeof(double)), *t = calloc(columns, sizeof(double)), worst = 0.0, size = 0.0;
    ASSERT_OK(qvAssembleBemStatic(surface, qvBemKappa(poisson), quadrature, NULL, h, g, &error), error);
    double lame = 2.0 * poisson / (1.0 - 2.0 * poisson), trace = gradient[0][0] + gradient[1][1] + gradient[2][2];
    for (int v = 0; v < surface->vertexCount; v++)
    {
        const double x[3] = { surface->vertices[v].x, surface->vertices[v].y, surface->vertices[v].z };
        for (int i = 0; i < 9; i++)
            u[3 * v + i / 3] += gradient[i / 3][i % 3] * x[i % 3];
    }
    for (int c = 0; c < 3 * surface->triangleCount; c++)
    {
        qvVec3 n = surface->normals[c / 3];
        const double normal[3] = { n.x, n.y, n.z };
        for (int i = 0; i < 3; i++)
        {
            double sum = lame * trace * normal[i];
            for (int j = 0; j < 3; j++)
                sum += (gradient[i][j] + gradient[j][i]) * normal[j];
            t[3 * surface->cornerNode[c] + i] = sum;
        }
    }
    for (size_t i = 0; i < rows; i++)
    {
        double sum = 0.0;
        for (size_t j = 0; j < rows; j++)
            sum += h[i * rows + j] * u[j];
        for (size_t j = 0; j < columns; j++)
            sum -= g[i * columns + j] * t[j];
        worst = fmax(worst, fabs(sum));
        size = fmax(size, fabs(u[i]));
    }
    free(h);
    free(g);
    free(u);
    free(t);
    return worst / size;
}

// Flat patches of a cube have one traction each, so that any linear displacement is met; a rotation has none at all.
static void TestPatch(void** state)
{
    (void)state;
    static const double gradient[3][3] = { { 0.3, -0.5, 0.2 }, { 0.7, 0.1, -0.4 }, { -0.2, 0.6, -0.8 } };
    static const double turn[3][3] = { { 0.0, -0.7, 0.4 }, { 0.7, 0.0, -0.9 }, { -0.4, 0.9, 0.0 } };
    qvSolid cube = qvMakeBlock(4, 4, 4, qvMakeVec3(1.0, 1.0, 1.0), 0.0), ball = qvMakeIcosphere(1, 1.0);
    qvBemSurface *box = SurfaceOf(&cube, CORNERS), *sphere = SurfaceOf(&ball, ONE_NODE);
    qvBemQuadrature fast = qvFastQuadrature(), fine = qvFineQuadrature();
    double quick = PatchError(box, &fast, gradient, 0.3), exact = PatchError(box, &fine, gradient, 0.3);
    double turnQuick = PatchError(box, &fast, turn, 0.3), turnSphere = PatchError(sphere, &fine, turn, 0.45);
    print_message("patch %.2g fast, %.2g fine; rotation %.2g fast, %.2g fine\n", quick, exact, turnQuick, turnSphere);
    assert_int_equal(box->nodeCount, 98 + 2 * 8 + 12 * 3);
    assert_true(quick < 3e-4);
    assert_true(exact < 1e-12);
    assert_true(turnQuick < 1e-5);
    assert_true(turnSphere < 1e-12);
    qvDestroyBemSurface(box);
    qvDestroyBemSurface(sphere);
}

// --- Poles ----------------------------------------------------------------------------------------------------------

// H(s) and H(s + delta) as real matrices of twice the size, by rows.
static void MakePair(const qvBemSurface* surface, double complex s, double delta, double* at, double* slope)
{
    qvError error;
    qvBemTable* table;
    qvBemMatrices* m;
    const qvBemChannel channels[4] = {
        { s, qv_bemReal }, { s, qv_bemImaginary }, { s + delta, qv_bemReal }, { s + delta, qv_bemImaginary }
    };
    qvBemQuadrature quadrature = qvStandardQuadrature();
    ASSERT_OK(qvCreateLaplaceTable(qvBemKappa(0.3), channels, 4, surface->diameter, 0.02, &table, &error), error);
    ASSERT_OK(qvAssembleBem(surface, table, &quadrature, NULL, &m, &error), error);
    size_t n = (size_t)m->rows, size = 2 * n;
    for (size_t i = 0; i < n * n; i++)
    {
        size_t row = i / n, column = i % n;
        double re = m->h[i], im = m->h[n * n + i], dre = (m->h[2 * n * n + i] - re) / delta;
        double dim = (m->h[3 * n * n + i] - im) / delta;
        at[row * size + column] = at[(row + n) * size + column + n] = re;
        at[row * size + column + n] = -im;
        at[(row + n) * size + column] = im;
        slope[row * size + column] = slope[(row + n) * size + column + n] = dre;
        slope[row * size + column + n] = -dim;
        slope[(row + n) * size + column] = dim;
    }
    qvDestroyBemMatrices(m);
    qvDestroyBemTable(table);
}

// The pole of H next to s: H(s) x = theta H'(s) x by inverse iteration, then s - theta.
static double complex NextPole(const qvBemSurface* surface, double complex s)
{
    qvError error;
    size_t n = 3 * (size_t)surface->vertexCount, size = 2 * n;
    double *h = calloc(2 * size * size, sizeof(double)), *slope = h + size * size;
    double *x = calloc(2 * size, sizeof(double)), *y = x + size;
    int* pivots = calloc(size, sizeof(int));
    MakePair(surface, s, 1e-5, h, slope);
    ASSERT_OK(qvDense_FactorLu((int)size, h, (int)size, pivots, NULL, &error), error);
    double complex theta = 0.0;
    for (size_t i = 0; i < size; i++)
        x[i] = sin(3.0 * (double)i + 1.0);
    for (int round = 0; round < 12; round++)
    {
        for (size_t i = 0; i < size; i++)
        {
            y[i] = 0.0;
            for (size_t j = 0; j < size; j++)
                y[i] += slope[i * size + j] * x[j];
        }
        qvDense_SolveLu((int)size, h, (int)size, pivots, true, 1, y, (int)size);
        double complex along = 0.0;
        double norm = 0.0, own = 0.0;
        for (size_t i = 0; i < n; i++)
        {
            double complex a = qvComplex(x[i], x[i + n]), b = qvComplex(y[i], y[i + n]);
            along += conj(a) * b;
            own += creal(conj(a) * a);
            norm += creal(conj(b) * b);
        }
        theta = own / along;
        for (size_t i = 0; i < size; i++)
            x[i] = y[i] / sqrt(norm);
    }
    free(h);
    free(x);
    free(pivots);
    return s - theta;
}

// The full method's lowest frequencies of the sphere, within 1.5 %.
static void TestPoles(void** state)
{
    (void)state;
    qvSolid ball = qvMakeIcosphere(2, 1.0);
    qvBemSurface* sphere = SurfaceOf(&ball, ONE_NODE);
    static const struct
    {
        bool torsional;
        int l;
    } modes[3] = { { true, 2 }, { false, 2 }, { false, 1 } };
    for (int k = 0; k < 3; k++)
    {
        double truth = qvLambFrequency(modes[k].torsional, modes[k].l, 1, 0.3);
        double complex s = qvComplex(0.0, truth);
        for (int round = 0; round < 2; round++)
            s = NextPole(sphere, s);
        print_message("%c%d: %.4f%+.4fi, Lamb %.4f\n", modes[k].torsional ? 'T' : 'S', modes[k].l, creal(s), cimag(s),
                      truth);
        assert_true(fabs(cimag(s) / truth - 1.0) < 0.015);
        assert_true(fabs(creal(s)) < 0.03);
    }
    qvDestroyBemSurface(sphere);
}

// --- The reduced model ----------------------------------------------------------------------------------------------

static qvResult MakeModel(const qvSolid* solid, double poisson, double residualAt, const qvJob* job, qvBemModel** model,
                          qvError* error)
{
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid->vertices;
    def.vertexCount = solid->vertexCount;
    def.triangles = solid->triangles;
    def.triangleCount = solid->triangleCount;
    def.poisson = poisson;
    def.sharpAngle = CORNERS;
    if (residualAt > 0.0)
        def.residualAt = residualAt;
    return qvCreateBemModel(&def, job, model, error);
}

static void TestModes(void** state)
{
    (void)state;
    qvError error;
    qvBemModel* model;
    qvSolid ball = qvMakeIcosphere(2, 1.0);
    ASSERT_OK(MakeModel(&ball, 0.3, 0.0, NULL, &model, &error), error);
    static const struct
    {
        bool torsional;
        int l, first, count;
        double tolerance;
    } sets[3] = { { true, 2, 0, 5, 0.02 }, { false, 2, 5, 5, 0.02 }, { false, 1, 10, 3, 0.05 } };
    for (int k = 0; k < 3; k++)
    {
        double truth = qvLambFrequency(sets[k].torsional, sets[k].l, 1, 0.3);
        for (int m = sets[k].first; m < sets[k].first + sets[k].count; m++)
            assert_true(fabs(model->omega[m] / truth - 1.0) < sets[k].tolerance);
    }
    assert_true(model->modeCount > 60);
    assert_int_equal(model->report.passes, 1);
    // Spin loads hold what a spin does to a ball: nothing to torsion, much to spheroidal modes of degree 2 and 0.
    double all = 0.0, torsion = 0.0;
    for (int m = 0; m < model->modeCount; m++)
    {
        double load = qvBemModel_SpinLoad(model, m, qvMakeVec3(0.0, 0.0, 1.0));
        all += load * load;
        torsion += m < 5 ? load * load : 0.0;
    }
    double exact = 8.0 * 3.14159265358979 / 15.0; // integral of x^2 + y^2 over the ball
    print_message("spin loads %.4f of %.4f, %.2g of it torsion\n", all, exact, torsion / all);
    assert_true(fabs(all / exact - 1.0) < 0.08 && torsion < 1e-3 * all);
    qvDestroyBemModel(model);
    qvFreeSolid(&ball);
}

// Takes the rigid motion that the rows B see out of a displacement.
static void RemoveRigid(const qvBemSurface* surface, const double* rows, double* u)
{
    qvError error;
    size_t width = 3 * (size_t)surface->vertexCount;
    double small[36], share[6];
    int pivots[6];
    for (int i = 0; i < 6; i++)
    {
        share[i] = 0.0;
        for (size_t c = 0; c < width; c++)
            share[i] += rows[(size_t)i * width + c] * u[c];
        for (int m = 0; m < 6; m++)
        {
            small[m * 6 + i] = 0.0; // column-major
            for (int v = 0; v < surface->vertexCount; v++)
            {
                qvVec3 rigid = qvBemRigid(surface, m, surface->vertices[v]);
                const double* row = rows + (size_t)i * width + 3 * (size_t)v;
                small[m * 6 + i] += row[0] * rigid.x + row[1] * rigid.y + row[2] * rigid.z;
            }
        }
    }
    ASSERT_OK(qvDense_FactorLu(6, small, 6, pivots, NULL, &error), error);
    qvDense_SolveLu(6, small, 6, pivots, false, 1, share, 6);
    for (int v = 0; v < surface->vertexCount; v++)
    {
        for (int m = 0; m < 6; m++)
        {
            qvVec3 rigid = qvBemRigid(surface, m, surface->vertices[v]);
            u[3 * v] -= share[m] * rigid.x;
            u[3 * v + 1] -= share[m] * rigid.y;
            u[3 * v + 2] -= share[m] * rigid.z;
        }
    }
}

// The same pulse on the reduced model, stepped by backward Euler like the history, and on the full history: two routes
// that share the integrals only.
static void TestAgainstHistory(void** state)
{
    (void)state;
    enum
    {
        LOAD = 3,
        STEPS = 40
    };
    qvError error;
    qvBemModel* model;
    qvBemHistory* history;
    qvSolid ball = qvMakeIcosphere(2, 1.0);
    double dt = 0.126, unit = 0.1326; // "3 Hz": a/c2 in seconds
    ASSERT_OK(MakeModel(&ball, 0.3, 1.0 / (dt * 2.2), NULL, &model, &error), error);
    const qvBemSurface* surface = model->surface;
    qvBemHistoryDef def = qvDefaultBemHistoryDef();
    def.surface = surface;
    def.dt = dt;
    ASSERT_OK(qvCreateBemHistory(&def, NULL, &history, &error), error);
    size_t rows = 3 * (size_t)surface->vertexCount, modes = (size_t)model->modeCount;
    double *traction = calloc(rows, sizeof(double)), *force = calloc(rows, sizeof(double));
    double *none = calloc(rows, sizeof(double)), *full = calloc(rows, sizeof(double)),
           *u = calloc(rows, sizeof(double));
    double *q = calloc(modes, sizeof(double)), *v = calloc(modes, sizeof(double)), *border = calloc(6 * rows, 8);
    for (int i = 0; i < surface->vertexCount; i++)
        traction[3 * i + 1] = -pow(fmax(surface->vertices[i].y, 0.0), 2.0); // a push from above
    qvBemNodalForces(surface, 1, traction, force);
    qvBemRigidRows(surface, border);
    double peak = 0.0, afterLoad = 0.0, late = 0.0, *past = calloc((size_t)qvBemHistory_PastSize(history), 8);
    for (int n = 0; n < STEPS; n++)
    {
        bool loaded = n < LOAD;
        ASSERT_OK(qvBemHistory_Step(history, past, loaded ? traction : none, full, NULL, &error), error);
        memset(u, 0, rows * sizeof(double));
        for (size_t m = 0; m < modes; m++)
        {
            const double* phi = model->modes + m * rows;
            double load = 0.0, w2 = model->omega[m] * model->omega[m];
            for (size_t i = 0; loaded && i < rows; i++)
                load += phi[i] * force[i];
            v[m] = (v[m] + dt * (load - w2 * q[m])) / (1.0 + dt * dt * w2);
            q[m] += dt * v[m];
            for (size_t i = 0; i < rows; i++)
                u[i] += phi[i] * q[m];
        }
        for (size_t i = 0; loaded && i < rows * rows; i++)
            u[i / rows] += model->residual[i] * traction[i % rows] * surface->vertexArea[i % rows / 3];
        RemoveRigid(surface, border, u);
        double miss = 0.0, size = 0.0;
        for (size_t i = 0; i < rows; i++)
        {
            miss += (u[i] - full[i]) * (u[i] - full[i]);
            size += full[i] * full[i];
        }
        miss = sqrt(miss); // over all points
        peak = fmax(peak, sqrt(size));
        afterLoad = n >= LOAD ? fmax(afterLoad, miss) : 0.0;
        late = (n + 1) * dt * unit > 0.5 ? fmax(late, miss) : 0.0;
    }
    print_message("reduced against history: %.2f %% of the peak after the load, %.2f %% after 0.5 s\n",
                  100.0 * afterLoad / peak, 100.0 * late / peak);
    // Of the deformation; 0.24 with the drift that collocation puts into the modes, 0.09 with modes from real shifts.
    assert_true(afterLoad < 0.06 * peak);
    assert_true(late < 0.02 * peak);
    free(traction);
    free(force);
    free(none);
    free(full);
    free(u);
    free(q);
    free(v);
    free(border);
    free(past);
    qvDestroyBemHistory(history);
    qvDestroyBemModel(model);
    qvFreeSolid(&ball);
}

// The same bits on one thread and on three, through bytes, and a stop that is heard.
static void TestThreadsAndBytes(void** state)
{
    (void)state;
    qvError error;
    qvBemModel *one, *three, *copy, *stopped;
    qvPool* pool;
    qvSolid ball = qvMakeIcosphere(1, 1.0);
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    ASSERT_OK(MakeModel(&ball, 0.4, 0.0, NULL, &one, &error), error);
    ASSERT_OK(MakeModel(&ball, 0.4, 0.0, &job, &three, &error), error);
    void *first, *second, *third;
    size_t size, other;
    ASSERT_OK(qvBemModel_Write(one, &first, &size, &error), error);
    ASSERT_OK(qvBemModel_Write(three, &second, &other, &error), error);
    assert_int_equal(size, other);
    assert_memory_equal(first, second, size);
    ASSERT_OK(qvReadBemModel(first, size, &copy, &error), error);
    ASSERT_OK(qvBemModel_Write(copy, &third, &other, &error), error);
    assert_int_equal(size, other);
    assert_memory_equal(first, third, size);
    qvBemModel* none;
    assert_int_equal(qvReadBemModel(first, size - 1, &none, &error), qv_badInput);
    ((char*)first)[size / 2] ^= 1;
    assert_int_equal(qvReadBemModel(first, size, &none, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "damaged");
    // At the first questions, and at one of each step behind the integrals.
    Answers all = { .allowed = 1000000 };
    qvJob stop = { .progress = AnswerQuestion, .context = &all };
    ASSERT_OK(MakeModel(&ball, 0.4, 0.0, &stop, &stopped, &error), error);
    qvDestroyBemModel(stopped);
    assert_true(all.asked > 30); // of 41
    for (int i = 0; i < all.asked; i += i < 2 ? 1 : 3)
    {
        Answers some = { .allowed = i };
        stop.context = &some;
        assert_int_equal(MakeModel(&ball, 0.4, 0.0, &stop, &stopped, &error), qv_cancelled);
        assert_int_equal(some.asked, i + 1);
    }
    free(first);
    free(second);
    free(third);
    qvDestroyBemModel(one);
    qvDestroyBemModel(three);
    qvDestroyBemModel(copy);
    qvDestroyPool(pool);
    qvFreeSolid(&ball);
}

static void ExpectBad(qvSolid* solid, double poisson, const char* message)
{
    qvError error;
    qvBemModel* model;
    assert_int_equal(MakeModel(solid, poisson, 0.0, NULL, &model, &error), qv_badInput);
    print_message("%s\n", error.message);
    ASSERT_CONTAINS(error.message, message);
}

static void TestBadInput(void** state)
{
    (void)state;
    qvSolid ball = qvMakeIcosphere(1, 1.0);
    ExpectBad(&ball, 0.5, "Poisson");
    ball.triangleCount--;
    ExpectBad(&ball, 0.3, "open");
    ball.triangleCount++;
    for (int t = 0; t < ball.triangleCount; t++)
    {
        int32_t swap = ball.triangles[t].v[0];
        ball.triangles[t].v[0] = ball.triangles[t].v[1];
        ball.triangles[t].v[1] = swap;
    }
    ExpectBad(&ball, 0.3, "inside out");
    for (int v = 0; v < ball.vertexCount; v++)
        ball.vertices[v].y *= 1e-12;
    ExpectBad(&ball, 0.3, "no ");
    ball.vertices[3].x = NAN;
    ExpectBad(&ball, 0.3, "finite");
    qvFreeSolid(&ball);
    // Two balls in one list of triangles.
    qvSolid left = qvMakeIcosphere(1, 1.0), both = { 0 };
    both.vertices = calloc(2 * (size_t)left.vertexCount, sizeof(qvVec3));
    both.triangles = calloc(2 * (size_t)left.triangleCount, sizeof(qvTriangle));
    both.vertexCount = 2 * left.vertexCount;
    both.triangleCount = 2 * left.triangleCount;
    for (int v = 0; v < both.vertexCount; v++)
        both.vertices[v] =
            qvAdd(left.vertices[v % left.vertexCount], qvMakeVec3(v < left.vertexCount ? 0.0 : 5.0, 0.0, 0.0));
    for (int c = 0; c < 3 * both.triangleCount; c++)
        both.triangles[c / 3].v[c % 3] =
            left.triangles[c / 3 % left.triangleCount].v[c % 3] + (c / 3 < left.triangleCount ? 0 : left.vertexCount);
    ExpectBad(&both, 0.3, "more than one piece");
    qvFreeSolid(&both);
    qvFreeSolid(&left);
}

// A full history that would take more than is allowed is refused before it is begun.
static void TestHistoryLimit(void** state)
{
    (void)state;
    qvError error;
    qvBemHistory* history;
    qvSolid ball = qvMakeIcosphere(2, 1.0);
    qvBemSurface* sphere = SurfaceOf(&ball, ONE_NODE);
    qvBemHistoryDef def = qvDefaultBemHistoryDef();
    def.surface = sphere;
    def.dt = 0.001;
    assert_int_equal(qvCreateBemHistory(&def, NULL, &history, &error), qv_outOfMemory);
    ASSERT_CONTAINS(error.message, "GB");
    qvDestroyBemSurface(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPatch),          cmocka_unit_test(TestPoles),           cmocka_unit_test(TestModes),
        cmocka_unit_test(TestAgainstHistory), cmocka_unit_test(TestThreadsAndBytes), cmocka_unit_test(TestBadInput),
        cmocka_unit_test(TestHistoryLimit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
