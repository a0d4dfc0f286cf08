// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/shape.h"

#include "base/hash.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_lu.h"
#include "math/mat3.h"
#include "math/rigid.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    VERSION = 3, // of stored models
    ROUNDS = 4,  // of fitting the frame
};

static const double SAME = 1e-5;       // of the size: parts that differ by less share a shape
static const double RIDGE = 1e-6;      // of the mean diagonal: modes that the vertices hardly show stay small
static const double SLENDER = 1.0 / 3; // of the size: what is thinner bends as a whole
static const double CORNERS = 0.7;     // radians: sharper edges have tractions of their own
static const double MOST_BYTES = 4e9;  // of working memory

void qvDestroyBemShape(qvBemShape* shape)
{
    if (shape == NULL)
        return;
    qvDestroyProxy(shape->proxy);
    qvDestroyBemModel(shape->model);
    qvDestroyCarrier(shape->out);
    qvDestroyCarrier(shape->in);
    free(shape->points);
    free(shape->triangles);
    free(shape->thickness);
    free(shape->factor);
    free(shape);
}

// --- The model, which takes long ------------------------------------------------------------------------------------

static uint64_t HashProxy(const qvProxy* proxy, double poisson)
{
    uint64_t hash = qvHash(proxy->vertices, (size_t)proxy->vertexCount * sizeof(qvVec3), 0x42454d + VERSION);
    hash = qvHash(proxy->triangles, (size_t)proxy->triangleCount * sizeof(qvTriangle), hash);
    return qvHash(&poisson, sizeof(poisson), hash);
}

// The bytes of a model with their number before them, as numbers.
static void Store(const qvNumberStore* store, uint64_t hash, const qvBemModel* model)
{
    void* bytes;
    size_t size;
    qvError ignored; // failing costs time only
    if (qvBemModel_Write(model, &bytes, &size, &ignored) != qv_ok)
        return;
    size_t count = 1 + (size + sizeof(double) - 1) / sizeof(double);
    double* numbers = qvAllocate(count, sizeof(double));
    if (numbers != NULL)
    {
        numbers[0] = (double)size;
        memcpy(numbers + 1, bytes, size);
        store->save(store->context, hash, numbers, count);
    }
    free(numbers);
    free(bytes);
}

static qvBemModel* Load(const qvNumberStore* store, uint64_t hash)
{
    size_t count;
    double* numbers = store->load(store->context, hash, &count);
    qvBemModel* model = NULL;
    qvError ignored;
    if (numbers != NULL && count > 1 && numbers[0] > 0.0 && numbers[0] <= (double)((count - 1) * sizeof(double)) &&
        qvReadBemModel(numbers + 1, (size_t)numbers[0], &model, &ignored) != qv_ok)
        model = NULL;
    free(numbers);
    return model;
}

static qvResult MakeModel(const qvProxy* proxy, const qvBemShapeDef* def, const qvJob* job, qvBemModel** model,
                          qvError* error)
{
    uint64_t hash = HashProxy(proxy, def->poisson);
    if (def->store != NULL)
        *model = Load(def->store, hash);
    if (*model != NULL)
        return qv_ok;
    qvBemModelDef models = qvDefaultBemModelDef();
    models.vertices = proxy->vertices;
    models.vertexCount = proxy->vertexCount;
    models.triangles = proxy->triangles;
    models.triangleCount = proxy->triangleCount;
    models.poisson = def->poisson;
    models.sharpAngle = CORNERS;
    models.maxBytes = MOST_BYTES;
    models.loads = models.loads < proxy->vertexCount ? models.loads : proxy->vertexCount;
    qvResult result = qvCreateBemModel(&models, job, model, error);
    if (result == qv_ok && def->store != NULL)
        Store(def->store, hash, *model);
    return result;
}

qvResult qvBemLowest(const qvProxy* proxy, const qvBemShapeDef* def, const qvJob* job, double* omega, qvError* error)
{
    qvBemModel* model = NULL;
    qvResult result = MakeModel(proxy, def, job, &model, error);
    if (result == qv_ok)
        *omega = model->omega[0];
    qvDestroyBemModel(model);
    return result;
}

// Takes inertia from modes that are faster, but for the lowest: what they give goes into the compliance.
static void DropFast(qvBemModel* model, double highest)
{
    size_t rows = 3 * (size_t)model->surface->vertexCount;
    while (model->modeCount > 1 && model->omega[model->modeCount - 1] > highest)
    {
        int m = --model->modeCount;
        const double* phi = model->modes + (size_t)m * rows;
        for (size_t i = 0; i < rows; i++)
        {
            double gain = phi[i] / (model->omega[m] * model->omega[m]);
            for (size_t j = 0; j < rows; j++)
                model->residual[i * rows + j] += (float)(gain * phi[j]);
        }
    }
}

// --- Thickness ------------------------------------------------------------------------------------------------------

static double HitAt(qvVec3 from, qvVec3 way, qvVec3 a, qvVec3 b, qvVec3 c)
{
    qvVec3 e1 = qvSub(b, a), e2 = qvSub(c, a), normal = qvCross(e1, e2), start = qvSub(from, a);
    double along = -qvDot(normal, way);
    if (!(along < 0.0)) // only where the ray leaves the body
        return INFINITY;
    qvVec3 turn = qvCross(way, start);
    double t = qvDot(normal, start) / along, u = -qvDot(e2, turn) / along, v = qvDot(e1, turn) / along;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 ? t : INFINITY;
}

// How far it is through the body from a vertex against its normal.
static void MeasureThickness(qvBemShape* shape)
{
    const qvBemSurface* surface = shape->model->surface;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvVec3 normal = { 0.0, 0.0, 0.0 };
        for (int i = surface->fanStart[v]; i < surface->fanStart[v + 1]; i++)
            normal = qvMulAdd(normal, surface->areas[surface->fan[i]], surface->normals[surface->fan[i]]);
        qvVec3 way = qvScale(-1.0, qvNormalize(normal));
        double least = surface->diameter;
        for (int t = 0; t < surface->triangleCount; t++)
        {
            const int32_t* w = surface->triangles[t].v;
            if (w[0] == v || w[1] == v || w[2] == v)
                continue;
            double hit = HitAt(surface->vertices[v], way, surface->vertices[w[0]], surface->vertices[w[1]],
                               surface->vertices[w[2]]);
            if (hit > 1e-9 * surface->diameter)
                least = fmin(least, hit);
        }
        shape->thickness[v] = fmax(least, SLENDER * surface->diameter);
    }
}

// --- Fits -----------------------------------------------------------------------------------------------------------

// One of the columns of a fit at a vertex: six rigid motions about the centroid, then the modes.
static qvVec3 ColumnAt(const qvBemShape* shape, int column, int vertex)
{
    const qvBemSurface* surface = shape->model->surface;
    if (column < 6)
        return qvBemRigid(surface, column, surface->vertices[vertex]);
    const double* mode = shape->model->modes + (size_t)(column - 6) * 3 * (size_t)surface->vertexCount;
    return qvMakeVec3(mode[3 * vertex], mode[3 * vertex + 1], mode[3 * vertex + 2]);
}

static qvResult FactorFit(qvBemShape* shape, qvError* error)
{
    const qvBemSurface* surface = shape->model->surface;
    int size = 6 + shape->model->modeCount;
    double trace = 0.0;
    shape->factor = qvAllocate((size_t)size * (size_t)size, sizeof(double));
    if (shape->factor == NULL)
        return qvError_OutOfMemory(error, 8.0 * size * size);
    for (int i = 0; i < size; i++)
    {
        for (int j = 0; j <= i; j++)
        {
            double sum = 0.0;
            for (int v = 0; v < surface->vertexCount; v++)
                sum += surface->vertexArea[v] * qvDot(ColumnAt(shape, i, v), ColumnAt(shape, j, v));
            shape->factor[(size_t)j * (size_t)size + (size_t)i] = sum;
            shape->factor[(size_t)i * (size_t)size + (size_t)j] = sum;
        }
        trace += i >= 6 ? shape->factor[(size_t)i * (size_t)(size + 1)] : 0.0;
    }
    for (int i = 6; i < size; i++)
        shape->factor[(size_t)i * (size_t)(size + 1)] += RIDGE * trace / (size - 6);
    if (qvBlas_Cholesky(size, shape->factor, size) >= 0)
        return qvError_Set(error, qv_notConverged, "the modes of its proxy are not independent; change its detail");
    return qv_ok;
}

// Rigid motions and modes that make up vectors on the vertices best.
static void Solve(const qvBemShape* shape, const qvVec3* vectors, double* solution)
{
    const qvBemSurface* surface = shape->model->surface;
    int size = 6 + shape->model->modeCount;
    for (int i = 0; i < size; i++)
    {
        double sum = 0.0;
        for (int v = 0; v < surface->vertexCount; v++)
            sum += surface->vertexArea[v] * qvDot(ColumnAt(shape, i, v), vectors[v]);
        solution[i] = sum;
    }
    qvDense_SolveCholesky(size, shape->factor, size, 1, solution, size);
}

double qvBemShape_StrainOf(const qvBemShape* shape, const qvVec3* displacements)
{
    double largest = 0.0;
    for (int v = 0; v < shape->proxy->vertexCount; v++)
        largest = fmax(largest, qvLength(displacements[v]) / shape->thickness[v]);
    return largest;
}

double qvBemShape_Strain(const qvBemShape* shape, const double* q)
{
    double largest = 0.0;
    for (int v = 0; v < shape->proxy->vertexCount; v++)
    {
        qvVec3 u = { 0.0, 0.0, 0.0 };
        for (int m = 0; m < shape->model->modeCount; m++)
            u = qvMulAdd(u, q[m], ColumnAt(shape, 6 + m, v));
        largest = fmax(largest, qvLength(u) / shape->thickness[v]);
    }
    return largest;
}

double qvBemShape_Fit(const qvBemShape* shape, const qvVec3* vertices, const qvVec3* velocities, double limit,
                      double* work, qvBemPose* fit)
{
    const qvBemSurface* surface = shape->model->surface;
    int count = surface->vertexCount, modes = shape->model->modeCount;
    qvVec3* vectors = (qvVec3*)work;
    double* solution = work + 3 * (size_t)count;
    qvRigid rigid = qvFitRigid(count, surface->vertexArea, &surface->vertices[0].x, &vertices[0].x);
    // Its pivot is the centre of the vertices, ours that of the volume.
    qvVec3 pivot = qvMassCenter(count, surface->vertexArea, &surface->vertices[0].x);
    fit->rotation = rigid.rotation;
    fit->place = qvAdd(rigid.position, qvQuat_Rotate(rigid.rotation, qvSub(surface->centroid, pivot)));
    for (int round = 0; round < ROUNDS; round++)
    {
        qvQuat back = qvQuat_Conjugate(fit->rotation);
        for (int v = 0; v < count; v++)
            vectors[v] = qvSub(qvQuat_Rotate(back, qvSub(vertices[v], fit->place)),
                               qvSub(surface->vertices[v], surface->centroid));
        Solve(shape, vectors, solution);
        fit->place = qvAdd(fit->place, qvQuat_Rotate(fit->rotation, qvMakeVec3(solution[0], solution[1], solution[2])));
        qvQuat turn = qvQuat_Exp(qvMakeVec3(solution[3], solution[4], solution[5]));
        fit->rotation = qvQuat_Normalize(qvQuat_Multiply(fit->rotation, turn));
    }
    memcpy(fit->q, solution + 6, (size_t)modes * sizeof(double));
    qvQuat back = qvQuat_Conjugate(fit->rotation);
    for (int v = 0; v < count; v++)
        vectors[v] = qvQuat_Rotate(back, velocities[v]);
    Solve(shape, vectors, solution);
    fit->velocity = qvQuat_Rotate(fit->rotation, qvMakeVec3(solution[0], solution[1], solution[2]));
    fit->spin = qvQuat_Rotate(fit->rotation, qvMakeVec3(solution[3], solution[4], solution[5]));
    memcpy(fit->rates, solution + 6, (size_t)modes * sizeof(double));
    double strain = qvBemShape_Strain(shape, fit->q), share = strain > limit ? limit / strain : 1.0;
    for (int m = 0; m < modes; m++)
        fit->q[m] *= share;
    return strain;
}

// --- Making ---------------------------------------------------------------------------------------------------------

static qvResult MakeCarriers(qvBemShape* shape, const qvBemShapeDef* def, const qvJob* job, qvError* error)
{
    qvCarrierDef out = { .vertexCount = shape->proxy->vertexCount,
                         .vertices = shape->proxy->vertices,
                         .triangleCount = shape->proxy->triangleCount,
                         .triangles = shape->proxy->triangles,
                         .pointCount = shape->pointCount,
                         .points = shape->points };
    qvCarrierDef in = { .vertexCount = shape->pointCount,
                        .vertices = shape->points,
                        .triangleCount = shape->triangleCount,
                        .triangles = shape->triangles,
                        .pointCount = shape->proxy->vertexCount,
                        .points = shape->proxy->vertices };
    qvResult result = def->proxy == NULL ? qvCreateCarrier(&out, job, &shape->out, error) : qv_ok;
    return result == qv_ok ? qvCreateCarrier(&in, job, &shape->in, error) : result;
}

static qvResult CopyProxy(const qvProxy* from, qvProxy** to, qvError* error)
{
    qvProxy* made = *to = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->vertexCount = from->vertexCount;
    made->triangleCount = from->triangleCount;
    made->vertices = qvAllocate((size_t)from->vertexCount, sizeof(*made->vertices));
    made->triangles = qvAllocate((size_t)from->triangleCount, sizeof(*made->triangles));
    if (made->vertices == NULL || made->triangles == NULL)
        return qvError_OutOfMemory(error, 40.0 * from->vertexCount);
    memcpy(made->vertices, from->vertices, (size_t)from->vertexCount * sizeof(*made->vertices));
    memcpy(made->triangles, from->triangles, (size_t)from->triangleCount * sizeof(*made->triangles));
    return qv_ok;
}

static qvResult Fill(qvBemShape* shape, const qvBemShapeDef* def, const qvJob* job, qvError* error)
{
    qvProxyDef proxy = { def->pointCount, def->points, def->triangleCount, def->triangles, def->detail };
    qvResult result = def->proxy != NULL ? CopyProxy(def->proxy, &shape->proxy, error)
                                         : qvCreateProxy(&proxy, job, &shape->proxy, error);
    if (result == qv_ok)
        result = MakeModel(shape->proxy, def, job, &shape->model, error);
    if (result == qv_ok && def->highest > 0.0)
        DropFast(shape->model, def->highest);
    if (result == qv_ok)
        result = MakeCarriers(shape, def, job, error);
    if (result != qv_ok)
        return result;
    shape->thickness = qvAllocate((size_t)shape->proxy->vertexCount, sizeof(double));
    if (shape->thickness == NULL)
        return qvError_OutOfMemory(error, 8.0 * shape->proxy->vertexCount);
    MeasureThickness(shape);
    return FactorFit(shape, error);
}

qvResult qvCreateBemShape(const qvBemShapeDef* def, const qvJob* job, qvBemShape** out, qvError* error)
{
    *out = NULL;
    qvBemShape* shape = qvAllocate(1, sizeof(*shape));
    if (shape == NULL)
        return qvError_OutOfMemory(error, sizeof(*shape));
    shape->pointCount = def->pointCount;
    shape->triangleCount = def->triangleCount;
    shape->points = qvAllocateRaw((size_t)def->pointCount, sizeof(qvVec3));
    shape->triangles = qvAllocateRaw((size_t)def->triangleCount, sizeof(qvTriangle));
    qvResult result = qv_ok;
    if (shape->points == NULL || shape->triangles == NULL)
        result = qvError_OutOfMemory(error, 24.0 * def->pointCount + 12.0 * def->triangleCount);
    if (result == qv_ok)
    {
        memcpy(shape->points, def->points, (size_t)def->pointCount * sizeof(qvVec3));
        memcpy(shape->triangles, def->triangles, (size_t)def->triangleCount * sizeof(qvTriangle));
        result = Fill(shape, def, job, error);
    }
    if (result == qv_ok)
        *out = shape;
    else
        qvDestroyBemShape(shape);
    return result;
}

bool qvBemShape_IsSame(const qvBemShape* shape, const qvBemShapeDef* def)
{
    if (shape->model->poisson != def->poisson || shape->pointCount != def->pointCount ||
        shape->triangleCount != def->triangleCount ||
        memcmp(shape->triangles, def->triangles, (size_t)def->triangleCount * sizeof(qvTriangle)) != 0)
        return false;
    double* ones = qvAllocateRaw((size_t)def->pointCount, sizeof(double));
    if (ones == NULL)
        return false;
    for (int i = 0; i < def->pointCount; i++)
        ones[i] = 1.0;
    qvVec3 middle = qvMassCenter(def->pointCount, ones, &shape->points[0].x);
    qvRigid rigid = qvFitRigid(def->pointCount, ones, &shape->points[0].x, &def->points[0].x);
    free(ones);
    double apart = 0.0;
    for (int i = 0; i < def->pointCount; i++)
    {
        qvVec3 moved = qvAdd(rigid.position, qvQuat_Rotate(rigid.rotation, qvSub(shape->points[i], middle)));
        apart = fmax(apart, qvDistance(moved, def->points[i]));
    }
    return apart <= SAME * shape->model->surface->diameter;
}
