// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/sample.h"

#include "base/memory.h"
#include "body/distance_grid.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_TRIES = 24, // of lattice constants
    MOST_NEAR = 64,
    SHARES = 40,      // sample points per phyxel
    MOST_DROPPED = 20 // one in so many phyxels
};

static const double COUNT_ERROR = 0.03;    // of the number of phyxels
static const double MOST_NODES = 3e8;      // of the distance grid
static const double MOST_LOOKS = 1e8;      // at points of lattices, until one fits
static const double INWARD = 0.35;         // spacings below a vertex that there should be a phyxel around
static const double SMALLEST_SHARE = 0.25; // of the mean volume

typedef struct Sampler
{
    const qvPhyxelSampling* def;
    const qvJob* job;
    qvDistanceGrid* grid;
    double volume, spacing;
    QV_ARRAY(qvVec3) points;
    bool isThin; // no lattice fits
} Sampler;

static double MeshVolume(const qvPhyxelSampling* def)
{
    double sum = 0.0;
    qvVec3 origin = def->points[0];
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = qvSub(def->points[v[0]], origin), b = qvSub(def->points[v[1]], origin);
        sum += qvDot(a, qvCross(b, qvSub(def->points[v[2]], origin))) / 6.0;
    }
    return sum;
}

static qvResult MakeGrid(Sampler* s, const qvJob* job, qvError* error)
{
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    def.pointCount = s->def->pointCount;
    def.points = s->def->points;
    def.triangleCount = s->def->triangleCount;
    def.triangles = s->def->triangles;
    qvDistanceGridDef_Fit(&def, 0.5 * s->spacing, 2.0);
    if ((double)def.counts[0] * def.counts[1] * def.counts[2] > MOST_NODES)
        return qvError_Set(error, qv_badInput, "the body is too thin for %d phyxels: use fewer", s->def->count);
    qvResult result = qvCreateDistanceGrid(&def, job, &s->grid, error);
    if (result == qv_badInput)
        qvError_Prefix(error, "phyxels need a closed body; simulate an open one by its keys' shell motion");
    return result;
}

// Calls for every point of a cubic lattice inside the surface. False when a call or the job wants no more.
typedef bool InsideFcn(Sampler* s, void* context, qvVec3 x, double depth);

static bool ForInside(Sampler* s, double step, double offset, InsideFcn* fcn, void* context)
{
    const qvDistanceGrid* grid = s->grid;
    double ends[3];
    for (int k = 0; k < 3; k++)
        ends[k] = (grid->counts[k] - 1) * grid->cellSize;
    for (double z = offset; z < ends[2]; z += step)
    {
        if (qvJob_Ask(s->job, NULL) != qv_ok)
            return false;
        for (double y = offset; y < ends[1]; y += step)
        {
            for (double x = offset; x < ends[0]; x += step)
            {
                qvVec3 p = qvAdd(grid->origin, qvMakeVec3(x, y, z));
                double distance = qvDistanceGrid_Sample(grid, p, NULL);
                if (distance < 0.0 && !fcn(s, context, p, -distance))
                    return false;
            }
        }
    }
    return true;
}

static bool KeepPoint(Sampler* s, void* context, qvVec3 x, double depth)
{
    (void)context;
    (void)depth;
    return QV_PUSH(s->points, x);
}

// How many points two cubic lattices of constant a have in the box of the grid.
static double LooksFor(const Sampler* s, double a)
{
    double looks = 2.0;
    for (int k = 0; k < 3; k++)
        looks *= 1.0 + (s->grid->counts[k] - 1) * s->grid->cellSize / a;
    return looks;
}

// Two cubic lattices of constant a, the second in the middle of the first's cells. Those that come near a body thinner
// than they are have no point in it, or far too many.
static bool FillLattice(Sampler* s)
{
    double a = cbrt(2.0 * s->volume / s->def->count), looks = 0.0;
    for (int n = 0; n < MOST_TRIES; n++)
    {
        s->points.count = 0;
        looks += LooksFor(s, a);
        if (looks > MOST_LOOKS)
        {
            s->isThin = true;
            break;
        }
        if (!ForInside(s, a, 0.25 * a, KeepPoint, NULL) || !ForInside(s, a, 0.75 * a, KeepPoint, NULL))
            return false;
        double ratio = fmax(s->points.count, 1.0) / s->def->count;
        if (fabs(ratio - 1.0) <= COUNT_ERROR)
            break;
        // Less than the whole correction, as the counts of thin bodies jump.
        a *= pow(ratio, n < 6 ? 1.0 / 3.0 : 0.2);
    }
    return true;
}

// --- Thin parts ------------------------------------------------------------------------------------------------------

static qvVec3* VertexNormals(const qvPhyxelSampling* def)
{
    qvVec3* normals = qvAllocate((size_t)def->pointCount, sizeof(qvVec3));
    for (int t = 0; normals != NULL && t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = def->points[v[0]];
        qvVec3 n = qvCross(qvSub(def->points[v[1]], a), qvSub(def->points[v[2]], a));
        for (int k = 0; k < 3; k++)
            normals[v[k]] = qvAdd(normals[v[k]], n);
    }
    return normals;
}

static bool IsNearOne(const Sampler* s, const qvNearLists* lists, int listed, qvVec3 x)
{
    int32_t found[1];
    qvNearQuery query = { .count = listed, .points = s->points.items };
    if (listed > 0 && qvNearLists_Around(lists, &query, x, s->spacing, found, 1) > 0)
        return true;
    for (int i = listed; i < s->points.count; i++)
    {
        if (qvDistance(s->points.items[i], x) < s->spacing)
            return true;
    }
    return false;
}

// A phyxel below every vertex that none is near.
static qvResult FillThinParts(Sampler* s, qvError* error)
{
    qvNearLists lists = { 0 };
    int listed = s->points.count;
    qvVec3* normals = VertexNormals(s->def);
    qvNearQuery query = { .count = listed, .points = s->points.items, .radius = s->spacing };
    qvResult result = normals != NULL ? qvNearLists_Find(&lists, &query, error)
                                      : qvError_OutOfMemory(error, 24.0 * s->def->pointCount);
    for (int i = 0; result == qv_ok && i < s->def->pointCount; i++)
    {
        qvVec3 x = qvMulAdd(s->def->points[i], -INWARD * s->spacing, qvNormalize(normals[i]));
        if (qvDistanceGrid_Sample(s->grid, x, NULL) < 0.0 && !IsNearOne(s, &lists, listed, x) && !QV_PUSH(s->points, x))
            result = qvError_OutOfMemory(error, 24.0 * s->points.count);
    }
    qvNearLists_Free(&lists);
    free(normals);
    return result;
}

// --- Degenerate neighbourhoods --------------------------------------------------------------------------------------

// A phyxel at the tip of a horn may have neighbours in a line only. Without it the tip hangs on the next ones; but what
// holds parts together is not left out.
static qvResult DropDegenerate(Sampler* s, qvError* error)
{
    qvPhyxelReference reference = { 0 };
    qvResult result = qv_ok;
    int most = s->points.count - s->points.count / MOST_DROPPED, parts = 0;
    bool isDone = false;
    for (int round = 0; result == qv_ok && !isDone; round++)
    {
        result = qvJob_Ask(s->job, error);
        if (result != qv_ok)
            break;
        int n = s->points.count, kept = 0;
        double* ones = qvAllocate((size_t)n, sizeof(double));
        qvPhyxelReference_Free(&reference);
        result = ones == NULL ? qvError_OutOfMemory(error, 8.0 * n)
                              : qvPhyxelReference_Build(&reference, n, s->points.items, NULL,
                                                        qvPhyxel_Support * s->spacing, ones, error);
        free(ones);
        if (result != qv_ok)
            break;
        isDone = (round > 0 && reference.partCount > parts) || n < most; // the body's own check names the place
        parts = reference.partCount;
        for (int i = 0; i < n && !isDone; i++)
        {
            if (reference.evenness[i] >= qvPhyxel_SmallestEvenness)
                s->points.items[kept++] = s->points.items[i];
        }
        isDone |= kept == n;
        s->points.count = isDone ? n : kept;
    }
    qvPhyxelReference_Free(&reference);
    return result;
}

// --- Volumes ---------------------------------------------------------------------------------------------------------

typedef struct Shares
{
    qvNearLists lists;
    qvNearQuery query;
    double* counts;
} Shares;

static bool CountShare(Sampler* s, void* context, qvVec3 x, double depth)
{
    Shares* shares = context;
    int32_t near[MOST_NEAR];
    (void)depth;
    int count = qvNearLists_Around(&shares->lists, &shares->query, x, shares->query.radius, near, MOST_NEAR), best = -1;
    for (int n = 0; n < count; n++)
    {
        if (best < 0 || qvDistance(s->points.items[near[n]], x) < qvDistance(s->points.items[best], x))
            best = near[n];
    }
    if (best >= 0)
        shares->counts[best] += 1.0;
    return true;
}

static qvResult FindVolumes(Sampler* s, double* volumes, qvError* error)
{
    int n = s->points.count;
    Shares shares = { .query = { .count = n, .points = s->points.items, .radius = 1.5 * s->spacing },
                      .counts = volumes };
    qvResult result = qvNearLists_Find(&shares.lists, &shares.query, error);
    double sum = 0.0, floor = 0.0;
    if (result == qv_ok && !ForInside(s, s->spacing / cbrt(SHARES), 0.1 * s->spacing, CountShare, &shares))
        result = qvJob_Ask(s->job, error);
    for (int i = 0; i < n; i++)
        floor += SMALLEST_SHARE * volumes[i] / n;
    for (int i = 0; i < n; i++)
    {
        volumes[i] = fmax(volumes[i], floor > 0.0 ? floor : 1.0);
        sum += volumes[i];
    }
    for (int i = 0; i < n; i++)
        volumes[i] *= s->volume / sum;
    qvNearLists_Free(&shares.lists);
    return result;
}

static qvResult MakeBody(Sampler* s, qvPhyxelBody** body, qvError* error)
{
    int n = s->points.count;
    double* numbers = qvAllocate((size_t)n, 2 * sizeof(double));
    if (numbers == NULL)
        return qvError_OutOfMemory(error, 16.0 * n);
    qvResult result = FindVolumes(s, numbers, error);
    for (int i = 0; i < n; i++)
        numbers[n + i] = fmax(0.0, -qvDistanceGrid_Sample(s->grid, s->points.items[i], NULL));
    qvPhyxelPoints def = {
        .count = n, .points = s->points.items, .volumes = numbers, .depths = numbers + n, .density = s->def->density
    };
    if (result == qv_ok)
        result = qvCreatePhyxelBody(&def, body, error);
    free(numbers);
    return result;
}

static qvResult Fill(Sampler* s, const qvJob* job, qvPhyxelBody** body, qvError* error)
{
    qvResult result = MakeGrid(s, job, error);
    bool isFilled = result == qv_ok && FillLattice(s);
    if (result == qv_ok)
        result = qvJob_Progress(job, "filling the body", 0.6, error);
    if (result == qv_ok && !isFilled)
        result = qvError_OutOfMemory(error, 24.0 * s->def->count);
    if (result == qv_ok && !s->isThin)
        result = FillThinParts(s, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "filling the body", 0.7, error);
    s->isThin |= s->points.count > 2 * qv_mostPhyxels;
    if (result == qv_ok && !s->isThin)
        result = DropDegenerate(s, error);
    if (result == qv_ok && (s->isThin || s->points.count < qv_leastPhyxels))
        result = qvError_Set(error, qv_badInput, "the body is too thin for %d phyxels: use more, or thicken it",
                             s->def->count);
    return result == qv_ok ? MakeBody(s, body, error) : result;
}

qvResult qvSamplePhyxelBody(const qvPhyxelSampling* sampling, const qvJob* job, qvPhyxelBody** body, qvError* error)
{
    *body = NULL;
    if (sampling->count < qv_fewestPhyxels || sampling->count > qv_mostPhyxels)
        return qvError_Set(error, qv_badInput, "detail: must be from %d to %d phyxels", qv_fewestPhyxels,
                           qv_mostPhyxels);
    Sampler s = { .def = sampling, .job = job, .volume = sampling->triangleCount > 0 ? MeshVolume(sampling) : 0.0 };
    if (!(s.volume > 0.0 && isfinite(s.volume)))
        return qvError_Set(error, qv_badInput,
                           "the body has no volume to fill with phyxels: close it, or turn its "
                           "triangles outwards; an open one moves by its keys' shell motion");
    s.spacing = cbrt(s.volume / sampling->count);
    qvResult result = Fill(&s, job, body, error);
    qvDestroyDistanceGrid(s.grid);
    free(s.points.items);
    return result;
}
