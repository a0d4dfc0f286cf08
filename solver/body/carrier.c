// SPDX-License-Identifier: GPL-3.0-or-later
#include "body/carrier_build.h"

#include "base/memory.h"
#include "body/triangle.h"
#include "math/decompose3.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_WEIGHTS = 48, // of a point
    RINGS = 2,         // around the triangle of its foot
    GRAIN = 256,
    MOST_TOGETHER = 1 << 15, // points, which bounds the memory
};

static const double REACH = 1.3;   // longest edges of a vertex: its weight has faded out
static const double ACROSS = 0.05; // of the ring's: how much a turned normal counts beside vertices off the plane
static const double FLAT = 1e-6;   // of the largest: a second moment that is none
static const double WORST = 1e-3;  // determinant of a local frame that is still a frame

void qvDestroyCarrier(qvCarrier* carrier)
{
    if (carrier == NULL)
        return;
    free(carrier->vertices);
    free(carrier->points);
    free(carrier->ringStart);
    free(carrier->ring);
    free(carrier->normals);
    free(carrier->spans);
    free(carrier->solids);
    free(carrier->first);
    free(carrier->weights);
    free(carrier);
}

// --- The coarse mesh ------------------------------------------------------------------------------------------------

static int CompareInts(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

// Vertices that share a triangle, ascending, each once. False: out of memory.
static bool MakeRings(const qvCarrierDef* def, qvCarrier* carrier)
{
    int32_t* start = carrier->ringStart;
    for (int c = 0; c < 3 * def->triangleCount; c++)
        start[def->triangles[c / 3].v[c % 3] + 1] += 2;
    for (int v = 0; v < def->vertexCount; v++)
        start[v + 1] += start[v];
    int32_t* fill = qvAllocate((size_t)def->vertexCount, sizeof(*fill));
    if (fill == NULL)
        return false;
    for (int c = 0; c < 3 * def->triangleCount; c++)
    {
        const int32_t* v = def->triangles[c / 3].v;
        int32_t own = v[c % 3];
        carrier->ring[start[own] + fill[own]++] = v[(c + 1) % 3];
        carrier->ring[start[own] + fill[own]++] = v[(c + 2) % 3];
    }
    int kept = 0, begin = 0;
    for (int v = 0; v < def->vertexCount; v++)
    {
        int end = start[v + 1];
        int32_t previous = -1;
        qsort(carrier->ring + begin, (size_t)(end - begin), sizeof(int32_t), CompareInts);
        start[v] = kept;
        for (int i = begin; i < end; i++)
        {
            int32_t other = carrier->ring[i];
            if (other != previous)
                carrier->ring[kept++] = other;
            previous = other;
        }
        begin = end;
    }
    start[def->vertexCount] = kept;
    free(fill);
    return true;
}

static void MakeNormals(const qvCarrierDef* def, qvCarrier* carrier)
{
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = def->vertices[v[0]];
        qvVec3 normal = qvCross(qvSub(def->vertices[v[1]], a), qvSub(def->vertices[v[2]], a));
        for (int k = 0; k < 3; k++)
            carrier->normals[v[k]] = qvAdd(carrier->normals[v[k]], normal);
    }
    for (int v = 0; v < def->vertexCount; v++)
    {
        qvVec3 normal = qvNormalize(carrier->normals[v]);
        carrier->normals[v] = qvLength(normal) > 0.5 ? normal : qvMakeVec3(0.0, 0.0, 1.0);
    }
}

static qvVec3 Along(qvVec3 normal, qvVec3 d)
{
    return qvMulAdd(d, -qvDot(normal, d), normal);
}

// Of d d^T over the ring: in the plane of the surface, across it anything that can be inverted; and in space.
static void MakeSpans(qvCarrier* carrier)
{
    for (int v = 0; v < carrier->vertexCount; v++)
    {
        qvVec3 n = carrier->normals[v];
        qvMat3 sum = { { { 0.0 } } }, solid = sum;
        for (int i = carrier->ringStart[v]; i < carrier->ringStart[v + 1]; i++)
        {
            qvVec3 d = qvSub(carrier->vertices[carrier->ring[i]], carrier->vertices[v]), flat = Along(n, d);
            qvMat3 one = qvMat3_Outer(flat, flat), whole = qvMat3_Outer(d, d);
            sum = qvMat3_MulAdd(&sum, 1.0, &one);
            solid = qvMat3_MulAdd(&solid, 1.0, &whole);
        }
        double trace = qvMat3_Trace(&sum);
        // A ring along one line says nothing across it: a little of everything keeps that small.
        qvMat3 across = qvMat3_Outer(n, n), little = qvMat3_Diagonal(1.0, 1.0, 1.0);
        sum = qvMat3_MulAdd(&sum, trace, &across);
        sum = qvMat3_MulAdd(&sum, 1e-9 * trace, &little);
        solid = qvMat3_MulAdd(&solid, ACROSS * trace, &across);
        solid = qvMat3_MulAdd(&solid, 1e-9 * trace, &little);
        carrier->solids[v] = trace > 0.0 ? qvMat3_Inverse(&solid) : (qvMat3){ { { 0.0 } } };
        carrier->spans[v] = trace > 0.0 ? qvMat3_Inverse(&sum) : (qvMat3){ { { 0.0 } } };
    }
}

static qvResult MakeMoments(qvCarrier* carrier, qvError* error)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    qvMat3 moments = { { { 0.0 } } };
    for (int v = 0; v < carrier->vertexCount; v++)
        sum = qvAdd(sum, carrier->vertices[v]);
    carrier->middle = qvScale(1.0 / carrier->vertexCount, sum);
    for (int v = 0; v < carrier->vertexCount; v++)
    {
        qvVec3 d = qvSub(carrier->vertices[v], carrier->middle);
        qvMat3 one = qvMat3_Outer(d, d);
        moments = qvMat3_MulAdd(&moments, 1.0, &one);
    }
    double values[3];
    qvMat3 axes;
    qvEigenSymmetric3(&moments, values, &axes);
    if (!(values[1] > FLAT * values[2]))
        return qvError_Set(error, qv_badInput, "it lies on a line");
    carrier->isFlat = values[0] <= FLAT * values[2];
    carrier->across = qvMakeVec3(axes.m[0][0], axes.m[1][0], axes.m[2][0]);
    qvMat3 thick = qvMat3_Outer(carrier->across, carrier->across);
    if (carrier->isFlat)
        moments = qvMat3_MulAdd(&moments, values[2], &thick);
    carrier->moments = qvMat3_Inverse(&moments);
    return qv_ok;
}

// --- Weights --------------------------------------------------------------------------------------------------------

typedef struct Binding
{
    const qvCarrierDef* def;
    const qvCarrier* carrier;
    double* reach;   // of each vertex
    qvVec3* centres; // of each triangle, and how far its corners are from there
    double* radii;
    int32_t* fanStart; // [vertexCount + 1], where points have a vertex near them: triangles at each
    int32_t* fan;
    int from;               // points that are bound together: the first of them
    qvCarrierWeight* found; // [MOST_TOGETHER][MOST_WEIGHTS]
    int32_t* counts;        // [MOST_TOGETHER]
} Binding;

// The triangle that is nearest to a point; of equals the first.
static int FindFoot(const Binding* binding, qvVec3 p, qvVec3* foot)
{
    const qvCarrierDef* def = binding->def;
    double least = INFINITY;
    int best = 0;
    for (int t = 0; t < def->triangleCount; t++)
    {
        qvVec3 way = qvSub(binding->centres[t], p);
        double bound = least + binding->radii[t];
        if (qvDot(way, way) >= bound * bound)
            continue;
        const int32_t* v = def->triangles[t].v;
        qvVec3 q = qvClosestOnTriangle(p, def->vertices[v[0]], def->vertices[v[1]], def->vertices[v[2]]);
        double distance = qvDistance(p, q);
        if (distance < least)
        {
            least = distance;
            best = t;
            *foot = q;
        }
    }
    return best;
}

// The nearest of the triangles at a vertex and at those around it.
static int FindFootNear(const Binding* binding, int32_t near, qvVec3 p, qvVec3* foot)
{
    const qvCarrierDef* def = binding->def;
    const qvCarrier* carrier = binding->carrier;
    double least = INFINITY;
    int best = binding->fan[binding->fanStart[near]];
    for (int i = carrier->ringStart[near] - 1; i < carrier->ringStart[near + 1]; i++)
    {
        int32_t around = i < carrier->ringStart[near] ? near : carrier->ring[i];
        for (int k = binding->fanStart[around]; k < binding->fanStart[around + 1]; k++)
        {
            const int32_t* v = def->triangles[binding->fan[k]].v;
            qvVec3 q = qvClosestOnTriangle(p, def->vertices[v[0]], def->vertices[v[1]], def->vertices[v[2]]);
            double distance = qvDistance(p, q);
            if (distance < least)
                least = distance, best = binding->fan[k], *foot = q;
        }
    }
    return best;
}

static bool IsIn(const int32_t* list, int count, int32_t vertex)
{
    for (int i = 0; i < count; i++)
    {
        if (list[i] == vertex)
            return true;
    }
    return false;
}

// The corners of a triangle and what lies around them.
static int Gather(const Binding* binding, int triangle, int32_t* list)
{
    const qvCarrier* carrier = binding->carrier;
    int count = 3, begin = 0;
    memcpy(list, binding->def->triangles[triangle].v, 3 * sizeof(*list));
    for (int ring = 0; ring < RINGS; ring++)
    {
        int end = count;
        for (int i = begin; i < end; i++)
        {
            for (int k = carrier->ringStart[list[i]]; k < carrier->ringStart[list[i] + 1]; k++)
            {
                if (count < MOST_WEIGHTS && !IsIn(list, count, carrier->ring[k]))
                    list[count++] = carrier->ring[k];
            }
        }
        begin = end;
    }
    return count;
}

static void BindPoints(void* context, int begin, int end)
{
    const Binding* binding = context;
    const int32_t* near = binding->def->near;
    for (int i = begin; i < end; i++)
    {
        int p = binding->from + i;
        qvVec3 foot = { 0.0, 0.0, 0.0 }, at = binding->def->points[p];
        int32_t list[MOST_WEIGHTS];
        int triangle = near != NULL ? FindFootNear(binding, near[p], at, &foot) : FindFoot(binding, at, &foot);
        int count = Gather(binding, triangle, list), kept = 0;
        qvCarrierWeight* weights = binding->found + (size_t)i * MOST_WEIGHTS;
        double sum = 0.0;
        for (int k = 0; k < count; k++)
        {
            double far = qvDistance(foot, binding->def->vertices[list[k]]) / binding->reach[list[k]];
            double weight = far < 1.0 ? pow(1.0 - far * far, 3.0) : 0.0;
            if (weight > 0.0)
                weights[kept++] = (qvCarrierWeight){ list[k], weight };
            sum += weight;
        }
        for (int k = 0; k < kept; k++)
            weights[k].weight /= sum;
        binding->counts[i] = kept;
    }
}

static void SetUpBinding(Binding* binding)
{
    const qvCarrierDef* def = binding->def;
    const qvCarrier* carrier = binding->carrier;
    for (int v = 0; v < def->vertexCount; v++)
    {
        double longest = 0.0;
        for (int i = carrier->ringStart[v]; i < carrier->ringStart[v + 1]; i++)
            longest = fmax(longest, qvDistance(def->vertices[v], def->vertices[carrier->ring[i]]));
        binding->reach[v] = fmax(REACH * longest, 1e-300);
    }
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = def->vertices[v[0]], b = def->vertices[v[1]], c = def->vertices[v[2]];
        qvVec3 centre = qvScale(1.0 / 3.0, qvAdd(a, qvAdd(b, c)));
        binding->centres[t] = centre;
        binding->radii[t] = fmax(qvDistance(centre, a), fmax(qvDistance(centre, b), qvDistance(centre, c)));
    }
}

static bool MakeFans(Binding* binding)
{
    const qvCarrierDef* def = binding->def;
    int n = def->vertexCount;
    binding->fanStart = qvAllocate((size_t)n + 2, sizeof(*binding->fanStart));
    binding->fan = qvAllocateRaw(3 * (size_t)def->triangleCount, sizeof(*binding->fan));
    if (binding->fanStart == NULL || binding->fan == NULL)
        return false;
    int32_t* next = binding->fanStart + 1; // in the end, where each fan ends
    for (int c = 0; c < 3 * def->triangleCount; c++)
        next[def->triangles[c / 3].v[c % 3] + 1]++;
    for (int v = 0; v < n; v++)
        next[v + 1] += next[v];
    for (int c = 0; c < 3 * def->triangleCount; c++)
        binding->fan[next[def->triangles[c / 3].v[c % 3]]++] = c / 3;
    return true;
}

// Adds the weights of the points that were bound together.
static bool PackWeights(const Binding* binding, int count, int* capacity, qvCarrier* carrier)
{
    int32_t* first = carrier->first + binding->from;
    for (int i = 0; i < count; i++)
        first[i + 1] = first[i] + binding->counts[i];
    if (!qvReserve(&carrier->weights, capacity, first[count], sizeof(*carrier->weights)))
        return false;
    for (int i = 0; i < count; i++)
        memcpy(carrier->weights + first[i], binding->found + (size_t)i * MOST_WEIGHTS,
               (size_t)binding->counts[i] * sizeof(qvCarrierWeight));
    return true;
}

static bool Bind(Binding* binding, const qvJob* job, qvCarrier* carrier)
{
    int capacity = 0, n = carrier->pointCount;
    for (; binding->from < n; binding->from += MOST_TOGETHER)
    {
        int count = n - binding->from < MOST_TOGETHER ? n - binding->from : MOST_TOGETHER;
        qvParallelFor(qvJob_Pool(job), count, GRAIN, BindPoints, binding);
        if (!PackWeights(binding, count, &capacity, carrier))
            return false;
    }
    return true;
}

static qvResult MakeWeights(const qvCarrierDef* def, const qvJob* job, qvCarrier* carrier, qvError* error)
{
    size_t together = def->pointCount < MOST_TOGETHER ? (size_t)def->pointCount : MOST_TOGETHER;
    Binding binding = { .def = def, .carrier = carrier };
    binding.reach = qvAllocateRaw((size_t)def->vertexCount, sizeof(*binding.reach));
    binding.centres = qvAllocateRaw((size_t)def->triangleCount, sizeof(*binding.centres));
    binding.radii = qvAllocateRaw((size_t)def->triangleCount, sizeof(*binding.radii));
    binding.found = qvAllocateRaw(together, MOST_WEIGHTS * sizeof(*binding.found));
    binding.counts = qvAllocate(together, sizeof(*binding.counts));
    bool done = binding.reach != NULL && binding.centres != NULL && binding.radii != NULL && binding.found != NULL &&
                binding.counts != NULL && (def->near == NULL || MakeFans(&binding));
    if (done)
    {
        SetUpBinding(&binding);
        done = Bind(&binding, job, carrier);
    }
    free(binding.reach);
    free(binding.centres);
    free(binding.radii);
    free(binding.fanStart);
    free(binding.fan);
    free(binding.found);
    free(binding.counts);
    return done ? qvJob_Ask(job, error) : qvError_OutOfMemory(error, 200.0 * def->pointCount);
}

// --- Making ---------------------------------------------------------------------------------------------------------

static bool Allocate(const qvCarrierDef* def, qvCarrier* carrier)
{
    size_t vertices = (size_t)def->vertexCount, points = (size_t)def->pointCount;
    carrier->vertexCount = def->vertexCount;
    carrier->pointCount = def->pointCount;
    carrier->vertices = qvAllocateRaw(vertices, sizeof(qvVec3));
    carrier->points = qvAllocateRaw(points, sizeof(qvVec3));
    carrier->ringStart = qvAllocate(vertices + 1, sizeof(int32_t));
    carrier->ring = qvAllocate(6 * (size_t)def->triangleCount, sizeof(int32_t));
    carrier->normals = qvAllocate(vertices, sizeof(qvVec3));
    carrier->spans = qvAllocate(vertices, sizeof(qvMat3));
    carrier->solids = qvAllocate(vertices, sizeof(qvMat3));
    carrier->first = qvAllocate(points + 1, sizeof(int32_t));
    return carrier->vertices != NULL && carrier->points != NULL && carrier->ringStart != NULL &&
           carrier->ring != NULL && carrier->normals != NULL && carrier->spans != NULL && carrier->solids != NULL &&
           carrier->first != NULL;
}

qvResult qvCreateCarrier(const qvCarrierDef* def, const qvJob* job, qvCarrier** out, qvError* error)
{
    *out = NULL;
    qvCarrier* carrier = qvAllocate(1, sizeof(*carrier));
    if (carrier == NULL || !Allocate(def, carrier) || !MakeRings(def, carrier))
    {
        qvDestroyCarrier(carrier);
        return qvError_OutOfMemory(error, 150.0 * def->vertexCount + 28.0 * def->pointCount);
    }
    memcpy(carrier->vertices, def->vertices, (size_t)def->vertexCount * sizeof(qvVec3));
    memcpy(carrier->points, def->points, (size_t)def->pointCount * sizeof(qvVec3));
    MakeNormals(def, carrier);
    MakeSpans(carrier);
    qvResult result = MakeMoments(carrier, error);
    if (result == qv_ok)
        result = MakeWeights(def, job, carrier, error);
    if (result == qv_ok)
        *out = carrier;
    else
        qvDestroyCarrier(carrier);
    return result;
}

int qvCarrier_MainVertex(const qvCarrier* carrier, int point)
{
    int best = carrier->first[point];
    for (int i = best + 1; i < carrier->first[point + 1]; i++)
    {
        if (carrier->weights[i].weight > carrier->weights[best].weight)
            best = i;
    }
    return carrier->weights[best].vertex;
}

// --- Carrying -------------------------------------------------------------------------------------------------------

typedef struct Carrying
{
    qvCarrierMoment moment;
    const qvVec3 *rests, *pose;
    qvVec3* points;
} Carrying;

size_t qvCarrier_ScratchSize(const qvCarrier* carrier)
{
    return (size_t)carrier->vertexCount * (sizeof(qvVec3) + sizeof(qvMat3));
}

// Across a plane the map is as along it, and normals stay normal.
static void CompleteFlat(qvCarrierMoment* work)
{
    qvVec3 n = work->carrier->across;
    qvMat3 across = qvMat3_Outer(qvMat3_Apply(&work->affine, n), n);
    qvMat3 along = qvMat3_MulAdd(&work->affine, -1.0, &across);
    qvMat3 cofactors = qvMat3_Cofactors(&along);
    qvVec3 area = qvMat3_Apply(&cofactors, n);
    across = qvMat3_Outer(qvNormalize(area), n);
    work->affine = qvMat3_MulAdd(&along, sqrt(qvLength(area)), &across);
}

static void FitAffine(qvCarrierMoment* work)
{
    const qvCarrier* carrier = work->carrier;
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    qvMat3 products = { { { 0.0 } } };
    for (int v = 0; v < carrier->vertexCount; v++)
        sum = qvAdd(sum, work->vertices[v]);
    work->middle = qvScale(1.0 / carrier->vertexCount, sum);
    for (int v = 0; v < carrier->vertexCount; v++)
    {
        qvMat3 one = qvMat3_Outer(qvSub(work->vertices[v], work->middle), qvSub(carrier->vertices[v], carrier->middle));
        products = qvMat3_MulAdd(&products, 1.0, &one);
    }
    work->affine = qvMat3_Product(&products, &carrier->moments);
    if (carrier->isFlat)
        CompleteFlat(work);
    work->scale = cbrt(fabs(qvMat3_Determinant(&work->affine)));
}

static void FindLeft(void* context, int begin, int end)
{
    qvCarrierMoment* work = context;
    const qvCarrier* carrier = work->carrier;
    for (int v = begin; v < end; v++)
    {
        qvVec3 fitted = qvMat3_Apply(&work->affine, qvSub(carrier->vertices[v], carrier->middle));
        work->left[v] = qvSub(work->vertices[v], qvAdd(work->middle, fitted));
    }
}

// Where a normal goes under a map of the surface.
static qvVec3 TurnNormal(const qvMat3* map, qvVec3 normal)
{
    qvMat3 cofactors = qvMat3_Cofactors(map);
    return qvNormalize(qvMat3_Apply(&cofactors, normal));
}

static void FindGradients(void* context, int begin, int end)
{
    qvCarrierMoment* work = context;
    const qvCarrier* carrier = work->carrier;
    for (int v = begin; v < end; v++)
    {
        qvVec3 n = carrier->normals[v];
        qvMat3 sum = { { { 0.0 } } }, solid = sum;
        double trace = 0.0;
        for (int i = carrier->ringStart[v]; i < carrier->ringStart[v + 1]; i++)
        {
            int other = carrier->ring[i];
            qvVec3 d = qvSub(carrier->vertices[other], carrier->vertices[v]), flat = Along(n, d);
            qvVec3 more = qvSub(work->left[other], work->left[v]);
            qvMat3 one = qvMat3_Outer(more, flat), whole = qvMat3_Outer(more, d);
            sum = qvMat3_MulAdd(&sum, 1.0, &one);
            solid = qvMat3_MulAdd(&solid, 1.0, &whole);
            trace += qvDot(flat, flat);
        }
        qvMat3 along = qvMat3_Product(&sum, &carrier->spans[v]);
        qvMat3 whole = qvMat3_MulAdd(&work->affine, 1.0, &along);
        qvVec3 turn = qvSub(TurnNormal(&whole, n), TurnNormal(&work->affine, n));
        qvMat3 across = qvMat3_Outer(turn, n);
        solid = qvMat3_MulAdd(&solid, ACROSS * trace * work->scale, &across);
        work->gradients[v] = qvMat3_Product(&solid, &carrier->solids[v]);
    }
}

qvVec3 qvCarrierMoment_Place(const qvCarrierMoment* work, int point, qvMat3* frame)
{
    const qvCarrier* carrier = work->carrier;
    qvVec3 p = carrier->points[point];
    qvVec3 x = qvAdd(work->middle, qvMat3_Apply(&work->affine, qvSub(p, carrier->middle)));
    *frame = work->affine;
    for (int i = carrier->first[point]; i < carrier->first[point + 1]; i++)
    {
        const qvCarrierWeight* weight = &carrier->weights[i];
        const qvMat3* gradient = &work->gradients[weight->vertex];
        qvVec3 more = qvMat3_Apply(gradient, qvSub(p, carrier->vertices[weight->vertex]));
        x = qvMulAdd(x, weight->weight, qvAdd(work->left[weight->vertex], more));
        *frame = qvMat3_MulAdd(frame, weight->weight, gradient);
    }
    return x;
}

static void PlacePoints(void* context, int begin, int end)
{
    const Carrying* work = context;
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        qvVec3 x = qvCarrierMoment_Place(&work->moment, p, &frame);
        if (work->rests != NULL)
            x = qvAdd(x, qvMat3_Apply(&frame, work->rests[p]));
        work->points[p] = x;
    }
}

static void FindRests(void* context, int begin, int end)
{
    const Carrying* work = context;
    double volume = work->moment.scale * work->moment.scale * work->moment.scale;
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        qvVec3 miss = qvSub(work->pose[p], qvCarrierMoment_Place(&work->moment, p, &frame));
        bool isFrame = fabs(qvMat3_Determinant(&frame)) > WORST * volume;
        qvMat3 back = isFrame ? qvMat3_Inverse(&frame) : (qvMat3){ { { 0.0 } } };
        work->points[p] = qvMat3_Apply(&back, miss);
    }
}

void qvCarrier_Prepare(const qvCarrier* carrier, const qvVec3* vertices, void* scratch, qvPool* pool,
                       qvCarrierMoment* moment)
{
    *moment = (qvCarrierMoment){ .carrier = carrier, .vertices = vertices, .left = scratch };
    moment->gradients = (qvMat3*)(moment->left + carrier->vertexCount);
    FitAffine(moment);
    qvParallelFor(pool, carrier->vertexCount, GRAIN, FindLeft, moment);
    qvParallelFor(pool, carrier->vertexCount, GRAIN, FindGradients, moment);
}

void qvCarrier_Carry(const qvCarrier* carrier, const qvVec3* vertices, const qvVec3* rests, void* scratch, qvPool* pool,
                     qvVec3* points)
{
    Carrying work = { .rests = rests, .points = points };
    qvCarrier_Prepare(carrier, vertices, scratch, pool, &work.moment);
    qvParallelFor(pool, carrier->pointCount, GRAIN, PlacePoints, &work);
}

void qvCarrier_FindRests(const qvCarrier* carrier, const qvVec3* vertices, const qvVec3* pose, void* scratch,
                         qvPool* pool, qvVec3* rests)
{
    Carrying work = { .pose = pose, .points = rests };
    qvCarrier_Prepare(carrier, vertices, scratch, pool, &work.moment);
    qvParallelFor(pool, carrier->pointCount, GRAIN, FindRests, &work);
}
