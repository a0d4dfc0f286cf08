// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family F: fundamental solutions, their integrals over triangles, convolution weights, free terms.
#include "eval/eval_bem.h"

#include "bem/cqm.h"
#include "bem/quadrature.h"
#include "bem/surface.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_STEPS = 100000,
    GAUSS = 40 // points per direction of triangle integrals
};

// --- Fundamental solutions ------------------------------------------------------------------------------------------

typedef struct Place
{
    qvBemMaterial material;
    double complex s;
    qvVec3 r, n;
} Place;

static qvResult ReadPlace(const qvJson* in, Place* place, qvError* error)
{
    qvResult result = qvEval_ReadVec3(in, "r", &place->r, error);
    if (result == qv_ok && qvJson_Find(in, "n") != NULL)
        result = qvEval_ReadVec3(in, "n", &place->n, error);
    if (result == qv_ok && !(qvLength(place->r) > 0.0))
        return qvError_Set(error, qv_badInput, "in.r: must not be zero");
    return result;
}

// The names of the outputs differ between the two sets of cases.
typedef struct KernelNames
{
    const char *u, *p, *d, *f, *shortF, *q;
} KernelNames;

static qvResult RunKernel(const qvJson* in, const KernelNames* names, qvJson* out, qvError* error)
{
    Place place = { 0 };
    qvVec3 arm;
    qvMat3c u, p, d, f, shortF, q;
    qvResult result = qvEval_ReadBemMaterial(in, true, &place.material, error);
    if (result == qv_ok)
        result = ReadPlace(in, &place, error);
    if (result == qv_ok)
        result = qvEval_ReadComplex(in, "s", &place.s, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "x_minus_xbar", &arm, error);
    if (result != qv_ok)
        return result;
    qvBemKernel(&place.material, place.s, place.r, place.n, &u, &p);
    qvBemBodyKernel(&place.material, place.s, place.r, place.n, &d, &f, &shortF);
    qvMat3 cross = qvMat3_Skew(arm);
    q = f;
    for (int i = 0; i < 9; i++) // q = f + d [x - xbar]x^T
    {
        for (int k = 0; k < 3; k++)
            q.m[i / 3][i % 3] += d.m[i / 3][k] * cross.m[i % 3][k];
    }
    double c1 = qvBemPressureSpeed(&place.material);
    qvJson_AddNumber(out, "c1", c1); // infinite: null
    qvJson_AddNumber(out, "c2", qvBemShearSpeed(&place.material));
    qvEval_AddComplex(out, names->u, &u);
    qvEval_AddComplex(out, names->p, &p);
    qvEval_AddComplex(out, names->d, &d);
    qvEval_AddComplex(out, names->f, &f);
    qvEval_AddComplex(out, names->shortF, &shortF);
    qvEval_AddComplex(out, names->q, &q);
    return qv_ok;
}

static qvResult RunFundamental(const qvJson* in, qvJson* out, qvError* error)
{
    static const KernelNames names = { "u", "p", "d", "f_eq21", "f_simple", "q" };
    return RunKernel(in, &names, out, error);
}

static qvResult RunKernels(const qvJson* in, qvJson* out, qvError* error)
{
    static const KernelNames names = { "u_hat", "p_hat", "d_hat", "f_hat", "f_hat_alt", "q_hat" };
    return RunKernel(in, &names, out, error);
}

static qvResult RunKelvin(const qvJson* in, qvJson* out, qvError* error)
{
    Place place = { 0 };
    qvMat3 u, p;
    qvResult result = qvEval_ReadBemMaterial(in, false, &place.material, error);
    if (result == qv_ok)
        result = ReadPlace(in, &place, error);
    if (result != qv_ok)
        return result;
    qvBemKelvin(place.material.shear, place.material.poisson, place.r, place.n, &u, &p);
    qvEval_AddMat3(out, "u", &u);
    qvEval_AddMat3(out, "p", &p);
    return qv_ok;
}

// --- Triangles ------------------------------------------------------------------------------------------------------

typedef struct Integrals
{
    qvMat3c g[3], h[3], d, f;
} Integrals;

static void AddScaled(qvMat3c* sum, double factor, const qvMat3c* part)
{
    for (int i = 0; i < 9; i++)
        sum->m[i / 3][i % 3] += factor * part->m[i / 3][i % 3];
}

static void Integrate(const qvBemMaterial* material, double complex s, qvVec3 x, const qvVec3 corners[3],
                      const qvTriangleRule* rule, Integrals* sums)
{
    qvVec3 twice = qvCross(qvSub(corners[1], corners[0]), qvSub(corners[2], corners[0])), n = qvNormalize(twice);
    for (int i = 0; i < rule->count; i++)
    {
        double shape[3] = { 1.0 - rule->x[i] - rule->y[i], rule->x[i], rule->y[i] };
        qvVec3 r = qvScale(-1.0, x);
        for (int k = 0; k < 3; k++)
            r = qvMulAdd(r, shape[k], corners[k]);
        qvMat3c u, p, d, f, shortF;
        qvBemKernel(material, s, r, n, &u, &p);
        qvBemBodyKernel(material, s, r, n, &d, &f, &shortF);
        double weight = 0.5 * qvLength(twice) * rule->weight[i];
        for (int k = 0; k < 3; k++)
        {
            AddScaled(&sums->g[k], weight * shape[k], &u);
            AddScaled(&sums->h[k], weight * shape[k], &p);
        }
        AddScaled(&sums->d, weight, &d);
        AddScaled(&sums->f, weight, &f);
    }
}

static void AddShapes(qvJson* out, const char* name, const qvMat3c* shapes, int count)
{
    qvJson* list = qvJson_AddArray(out, name);
    for (int k = 0; k < count; k++)
        qvEval_AddComplex(list, NULL, &shapes[k]);
}

static qvResult ReadPoints(const qvJson* in, const char* name, int count, qvVec3* points, qvError* error)
{
    int found;
    double* rows;
    qvResult result = qvEval_ReadRows(in, name, 3, count, &found, &rows, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < found; i++)
        points[i] = qvMakeVec3(rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]);
    free(rows);
    return found == count ? qv_ok : qvError_Set(error, qv_badInput, "in.%s: must be a list of %d points", name, count);
}

// x, or for a vertex of the triangle itself corner 0: then the integral with shape function 0 has no plain meaning.
static qvResult RunTriangle(const qvJson* in, bool singular, qvJson* out, qvError* error)
{
    qvBemMaterial material;
    double complex s;
    qvVec3 x, corners[3];
    qvResult result = qvEval_ReadBemMaterial(in, true, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadComplex(in, "s", &s, error);
    if (result == qv_ok)
        result = ReadPoints(in, "tri", 3, corners, error);
    if (result == qv_ok && !singular)
        result = qvEval_ReadVec3(in, "x", &x, error);
    if (result != qv_ok)
        return result;
    qvTriangleRule* rule = malloc(sizeof(*rule));
    if (rule == NULL)
        return qvError_OutOfMemory(error, sizeof(*rule));
    Integrals sums = { 0 };
    qvMakeDuffyRule(GAUSS, rule);
    Integrate(&material, s, singular ? corners[0] : x, corners, rule, &sums);
    free(rule);
    AddShapes(out, "G_shape", sums.g, 3);
    if (singular)
        AddShapes(out, "H_shape12", sums.h + 1, 2);
    else
        AddShapes(out, "H_shape", sums.h, 3);
    qvEval_AddComplex(out, "int_d", &sums.d);
    qvEval_AddComplex(out, "int_f", &sums.f);
    return qv_ok;
}

static qvResult RunRegular(const qvJson* in, qvJson* out, qvError* error)
{
    return RunTriangle(in, false, out, error);
}

static qvResult RunSingular(const qvJson* in, qvJson* out, qvError* error)
{
    return RunTriangle(in, true, out, error);
}

static qvResult RunTetrahedron(const qvJson* in, qvJson* out, qvError* error)
{
    qvBemMaterial material;
    double complex s;
    qvVec3 x, points[4], faces[4];
    qvTriangle triangles[4];
    qvResult result = qvEval_ReadBemMaterial(in, true, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadComplex(in, "s", &s, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "x", &x, error);
    if (result == qv_ok)
        result = ReadPoints(in, "tet", 4, points, error);
    if (result == qv_ok)
        result = ReadPoints(in, "faces_outward", 4, faces, error);
    if (result != qv_ok)
        return result;
    qvTriangleRule* rule = malloc(sizeof(*rule));
    if (rule == NULL)
        return qvError_OutOfMemory(error, sizeof(*rule));
    Integrals sums = { 0 };
    qvMakeDuffyRule(GAUSS, rule);
    for (int f = 0; f < 4; f++)
    {
        const double index[3] = { faces[f].x, faces[f].y, faces[f].z };
        qvVec3 corners[3];
        for (int k = 0; k < 3; k++)
        {
            triangles[f].v[k] = index[k] >= 0.0 && index[k] <= 3.0 ? (int)index[k] : 0;
            corners[k] = points[triangles[f].v[k]];
        }
        Integrate(&material, s, x, corners, rule, &sums);
    }
    free(rule);
    double volume;
    qvVec3 centroid;
    qvMat3 inertia;
    qvBemMassProperties(points, triangles, 4, &volume, &centroid, &inertia);
    qvEval_AddComplex(out, "sum_d", &sums.d);
    qvEval_AddComplex(out, "sum_f", &sums.f);
    qvJson_AddNumber(out, "volume", volume);
    return qv_ok;
}

// --- Convolution weights --------------------------------------------------------------------------------------------

typedef enum ScalarKind
{
    INVERSE_SHIFTED, // 1/(s + a)
    DELAY,           // exp(-s a)
    INVERSE_SQUARE,  // 1/s^2
} ScalarKind;

typedef struct Scalar
{
    ScalarKind kind;
    double a;
} Scalar;

static double complex EvaluateScalar(void* context, double complex s)
{
    const Scalar* scalar = context;
    return scalar->kind == INVERSE_SHIFTED ? 1.0 / (s + scalar->a)
           : scalar->kind == DELAY         ? cexp(-s * scalar->a)
                                           : 1.0 / (s * s);
}

static qvResult ReadMethod(const qvJson* in, const char* name, qvCqmMethod* method, qvError* error)
{
    const char* text = qvJson_Text(qvJson_Find(in, name));
    if (strcmp(text, "BDF1") != 0 && strcmp(text, "BDF2") != 0)
        return qvError_Set(error, qv_badInput, "in.%s: must be \"BDF1\" or \"BDF2\"", name);
    *method = strcmp(text, "BDF1") == 0 ? qv_bdf1 : qv_bdf2;
    return qv_ok;
}

static qvResult ReadScalar(const qvJson* in, const char* name, Scalar* scalar, qvError* error)
{
    const char* text = qvJson_Text(qvJson_Find(in, name));
    if (strcmp(text, "1/s^2") == 0)
    {
        scalar->kind = INVERSE_SQUARE;
        return qv_ok;
    }
    scalar->kind = strncmp(text, "exp", 3) == 0 ? DELAY : INVERSE_SHIFTED;
    if (scalar->kind == INVERSE_SHIFTED && strcmp(text, "1/(s+a)") != 0)
        return qvError_Set(error, qv_badInput, "in.%s: must be \"1/(s+a)\", \"exp(-s*tau)\" or \"1/s^2\"", name);
    return qvEval_ReadRange(in, qvJson_Find(in, "tau") != NULL ? "tau" : "a", -1e30, 1e30, &scalar->a, error);
}

// The contour of the case, or a good one.
static qvResult ReadContour(const qvJson* in, int last, qvCqmContour* contour, qvError* error)
{
    *contour = qvMakeCqmContour(last);
    if (qvJson_Find(in, "L") == NULL)
        return qv_ok;
    qvResult result = qvEval_ReadInt(in, "L", last + 1, MAX_STEPS, &contour->points, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "R", 1e-3, 1.0, &contour->radius, error);
    return result;
}

static qvResult RunCqmScalar(const qvJson* in, qvJson* out, qvError* error)
{
    bool contourGiven = qvJson_Find(in, "f_hat") != NULL;
    qvCqmMethod method = qv_bdf1;
    qvCqmContour contour;
    Scalar scalar = { 0 };
    double dt;
    int last;
    qvResult result = ReadMethod(in, contourGiven ? "multistep" : "method", &method, error);
    if (result == qv_ok)
        result = ReadScalar(in, contourGiven ? "f_hat" : "function", &scalar, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "dt", 1e-30, 1e30, &dt, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, contourGiven ? "n_max" : "K", 0, MAX_STEPS / 10, &last, error);
    if (result == qv_ok)
        result = ReadContour(in, last, &contour, error);
    if (result != qv_ok)
        return result;
    double* weights = malloc((size_t)(last + 1) * sizeof(double));
    if (weights == NULL)
        return qvError_OutOfMemory(error, 8.0 * last);
    qvCqmWeights(method, dt, last, contour, EvaluateScalar, &scalar, weights);
    qvJson_AddNumbers(out, contourGiven ? "weights_real" : "weights", weights, last + 1);
    if (contourGiven)
    {
        qvCqmWeights(method, dt, last, qvMakeCqmContour(last), EvaluateScalar, &scalar, weights);
        qvJson_AddNumbers(out, "exact_weights", weights, last + 1);
    }
    free(weights);
    return qv_ok;
}

typedef struct KernelEntry
{
    Place place;
    char kernel; // u, p, d or f
    int i, j;
} KernelEntry;

static double complex EvaluateEntry(void* context, double complex s)
{
    const KernelEntry* entry = context;
    const Place* place = &entry->place;
    qvMat3c first, second, third;
    if (entry->kernel == 'u' || entry->kernel == 'p')
        qvBemKernel(&place->material, s, place->r, place->n, &first, &second);
    else
        qvBemBodyKernel(&place->material, s, place->r, place->n, &first, &second, &third);
    bool isFirst = entry->kernel == 'u' || entry->kernel == 'd';
    return (isFirst ? &first : &second)->m[entry->i][entry->j];
}

static qvResult ReadWeights(const qvJson* in, const char* methodName, const char* lastName, Place* place,
                            qvCqmMethod* method, double* dt, int* last, qvError* error)
{
    qvResult result = ReadMethod(in, methodName, method, error);
    if (result == qv_ok)
        result = qvEval_ReadBemMaterial(in, true, &place->material, error);
    if (result == qv_ok)
        result = ReadPlace(in, place, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "dt", 1e-30, 1e30, dt, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, lastName, 0, MAX_STEPS / 10, last, error);
    return result;
}

static qvResult RunCqmKernel(const qvJson* in, qvJson* out, qvError* error)
{
    static const char* const names[] = { "u00", "u01", "p02", "p20", "d11", "f12" };
    KernelEntry entry = { 0 };
    qvCqmMethod method = qv_bdf1;
    double dt;
    int last;
    qvResult result = ReadWeights(in, "method", "K", &entry.place, &method, &dt, &last, error);
    if (result != qv_ok)
        return result;
    double* weights = malloc((size_t)(last + 1) * sizeof(double));
    if (weights == NULL)
        return qvError_OutOfMemory(error, 8.0 * last);
    qvJson* all = qvJson_AddObject(out, "weights");
    for (int n = 0; n < 6; n++)
    {
        entry.kernel = names[n][0];
        entry.i = names[n][1] - '0';
        entry.j = names[n][2] - '0';
        qvCqmWeights(method, dt, last, qvMakeCqmContour(last), EvaluateEntry, &entry, weights);
        qvJson_AddNumbers(all, names[n], weights, last + 1);
    }
    free(weights);
    return qv_ok;
}

static qvResult RunCqmDisplacement(const qvJson* in, qvJson* out, qvError* error)
{
    KernelEntry entry = { .kernel = 'u' };
    qvCqmMethod method = qv_bdf1;
    qvCqmContour contour;
    double dt;
    int last;
    qvResult result = ReadWeights(in, "multistep", "n_max", &entry.place, &method, &dt, &last, error);
    if (result == qv_ok)
        result = ReadContour(in, last, &contour, error);
    if (result != qv_ok)
        return result;
    double* weights = malloc((size_t)(last + 1) * sizeof(double));
    if (weights == NULL)
        return qvError_OutOfMemory(error, 8.0 * last);
    qvJson* rows = qvJson_AddArray(out, "weights_ij_k");
    for (entry.i = 0; entry.i < 3; entry.i++)
    {
        qvJson* row = qvJson_AddArray(rows, NULL);
        for (entry.j = 0; entry.j < 3; entry.j++)
        {
            qvCqmWeights(method, dt, last, contour, EvaluateEntry, &entry, weights);
            qvJson_AddNumbers(row, NULL, weights, last + 1);
        }
    }
    free(weights);
    return qv_ok;
}

// --- Free terms -----------------------------------------------------------------------------------------------------

static qvResult RunCorner(const qvJson* in, const char* edgesName, bool withNormals, qvJson* out, qvError* error)
{
    qvVec3 t[3], n[3];
    double poisson, flat[9];
    qvResult result = ReadPoints(in, edgesName, 3, t, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "nu", -0.99, 0.5, &poisson, error);
    if (result != qv_ok)
        return result;
    for (int k = 0; k < 3; k++)
        t[k] = qvNormalize(t[k]);
    double volume = qvDot(t[0], qvCross(t[1], t[2])), side = volume < 0.0 ? 1.0 : -1.0;
    for (int f = 0; f < 3; f++)
    {
        n[f] = qvScale(side, qvNormalize(qvCross(t[f], t[(f + 1) % 3])));
        flat[3 * f] = n[f].x;
        flat[3 * f + 1] = n[f].y;
        flat[3 * f + 2] = n[f].z;
    }
    // A. van Oosterom, J. Strackee, "The solid angle of a plane triangle", 1983.
    double angle = 2.0 * atan2(fabs(volume), 1.0 + qvDot(t[0], t[1]) + qvDot(t[1], t[2]) + qvDot(t[2], t[0]));
    qvMat3 c = qvBemFreeTerm(3, t, n, angle, poisson);
    if (withNormals)
        qvEval_AddRows(out, "outward_normals", flat, 3, 3);
    qvJson_AddNumber(out, "solid_angle", angle);
    qvEval_AddMat3(out, "c", &c);
    return qv_ok;
}

static qvResult RunFreeTerm(const qvJson* in, qvJson* out, qvError* error)
{
    return RunCorner(in, "edge_directions", true, out, error);
}

static qvResult RunTrihedral(const qvJson* in, qvJson* out, qvError* error)
{
    return RunCorner(in, "edge_dirs", false, out, error);
}

static const qvEvalOp ops[] = {
    { "fundamental", RunFundamental },
    { "kernels", RunKernels },
    { "static_kelvin", RunKelvin },
    { "kelvin_static", RunKelvin },
    { "triangle_regular", RunRegular },
    { "triangle_singular_vertex0", RunSingular },
    { "closed_tet_bodyforce", RunTetrahedron },
    { "cqm_scalar", RunCqmScalar },
    { "cqm_kernel", RunCqmKernel },
    { "cqm_uhat", RunCqmDisplacement },
    { "free_term", RunFreeTerm },
    { "free_term_trihedral", RunTrihedral },
};

const qvEvalTable qvEvalBemKernels = { ops, sizeof(ops) / sizeof(ops[0]) };
