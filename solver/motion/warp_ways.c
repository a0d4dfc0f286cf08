// SPDX-License-Identifier: GPL-3.0-or-later
// The first derivative of qvWarp_Compute and qvWarp_Points at a shape, towards all others at once: turns, matrices and
// the small system are the same for all of them. The equations are in warp.h; R' = R [spin]x.
#include "motion/warp_ways.h"

#include "base/memory.h"
#include "math/blas.h"
#include "motion/warp_math.h"

#include <stdlib.h>

enum
{
    POINT_GRAIN = 512
};

typedef struct Ways
{
    const qvWarp* warp;
    int index, count;      // of the shape, of the others
    const int32_t* to;     // [count] these
    double *sums, *solved; // [nodeCount x 3 count] right-hand sides and velocities of the nodes, axis after axis
    double* maps;          // [12 x count x nodeCount] change of the affine maps of the nodes
    double* out;           // [3 pointCount x count]
} Ways;

static const qvWarpShape* Here(const Ways* ways)
{
    return &ways->warp->shapes[ways->index];
}

static const qvWarpShape* There(const Ways* ways, int way)
{
    return &ways->warp->shapes[ways->to[way]];
}

// A rotation exp(r), about which it changes.
typedef struct Turning
{
    qvVec3 r;
    double value[2];
} Turning;

static Turning MakeTurning(qvVec3 r)
{
    double slope[2];
    Turning turning = { .r = r };
    qvRotation_Coefficients(qvLength(r), turning.value, slope);
    return turning;
}

static qvVec3 Spin(const Turning* turning, qvVec3 rate)
{
    return qvRotation_Polynomial(turning->r, 1.0, -turning->value[0], turning->value[1], rate);
}

// The rotation vector in the middle between two nodes.
static qvVec3 MeanTurn(const qvWarpShape* shape, int a, int b)
{
    return qvScale(0.5,
                   qvAdd(qvWarp_Vector(shape->turns + 3 * (size_t)a), qvWarp_Vector(shape->turns + 3 * (size_t)b)));
}

// R (spin x l + l'): how an edge changes on a way.
static void ChangeEdge(const Ways* ways, int e, int way, const Turning* turning, double out[3])
{
    const qvWarpEdge* edge = &ways->warp->body->edges[e];
    const qvWarpShape *here = Here(ways), *there = There(ways, way);
    qvVec3 spin = Spin(turning, qvSub(MeanTurn(there, edge->from, edge->turn), turning->r));
    qvVec3 l = qvWarp_Vector(here->edges + 3 * (size_t)e);
    qvVec3 sum = qvAdd(qvCross(spin, l), qvSub(qvWarp_Vector(there->edges + 3 * (size_t)e), l));
    const double change[3] = { sum.x, sum.y, sum.z };
    out[0] = out[1] = out[2] = 0.0;
    qvWarp_AddApplied(1.0, here->edgeRotations + 9 * (size_t)e, change, out);
}

static void SumEdges(const Ways* ways)
{
    const qvWarpBody* body = ways->warp->body;
    size_t n = (size_t)body->nodeCount;
    for (int e = 0; e < body->edgeCount; e++)
    {
        const qvWarpEdge* edge = &body->edges[e];
        Turning turning = MakeTurning(MeanTurn(Here(ways), edge->from, edge->turn));
        for (int way = 0; way < ways->count; way++)
        {
            double change[3], *sums = ways->sums + 3 * n * (size_t)way;
            ChangeEdge(ways, e, way, &turning, change);
            for (int i = 0; i < 3; i++, sums += n)
            {
                sums[edge->from] -= edge->stiffness * change[i];
                if (edge->to < body->nodeCount)
                    sums[edge->to] += edge->stiffness * change[i];
                else // an anchor, which goes straight
                    sums[edge->from] += edge->stiffness * (There(ways, way)->places[3 * edge->to + i] -
                                                           Here(ways)->places[3 * edge->to + i]);
            }
        }
    }
}

// Parts without anchors go with their mean place.
static void AddMeans(const Ways* ways, double* means)
{
    const qvWarpBody* body = ways->warp->body;
    size_t n = (size_t)body->nodeCount;
    for (int way = 0; way < ways->count; way++)
    {
        const double *from = Here(ways)->places, *to = There(ways, way)->places;
        double* sums = ways->sums + 3 * n * (size_t)way;
        memset(means, 0, 3 * (size_t)body->partCount * sizeof(double));
        for (size_t i = 0; i < 3 * n; i++)
            means[3 * body->nodePart[i / 3] + (int)(i % 3)] += body->nodeShare[i / 3] * (to[i] - from[i]);
        for (size_t i = 0; i < 3 * n; i++)
        {
            int part = body->nodePart[i / 3];
            sums[n * (i % 3) + i / 3] += body->pull[part] * body->nodeShare[i / 3] * means[3 * part + (int)(i % 3)];
        }
    }
}

// x -> R' (x - p) + position' of every node.
static void FillMaps(const Ways* ways)
{
    const qvWarpBody* body = ways->warp->body;
    size_t n = (size_t)body->nodeCount;
    for (size_t c = 0; c < n; c++)
    {
        Turning turning = MakeTurning(qvWarp_Vector(Here(ways)->turns + 3 * c));
        double* map = ways->maps + 12 * (size_t)ways->count * c;
        for (int way = 0; way < ways->count; way++, map += 12)
        {
            const double* solved = ways->solved + 3 * n * (size_t)way + c;
            qvVec3 spin = Spin(&turning, qvSub(qvWarp_Vector(There(ways, way)->turns + 3 * c), turning.r));
            const double axis[3] = { spin.x, spin.y, spin.z };
            double turn[9], offset[3] = { solved[0], solved[n], solved[2 * n] };
            qvWarp_MultiplySkew(Here(ways)->rotations + 9 * c, axis, turn);
            qvWarp_AddApplied(-1.0, turn, body->centers + 3 * c, offset);
            for (int k = 0; k < 12; k++)
                map[k] = k % 4 == 3 ? offset[k / 4] : turn[3 * (k / 4) + k % 4];
        }
    }
}

// (map' z + map z')
static void MovePoints(void* context, int begin, int end)
{
    const Ways* ways = context;
    const qvWarp* warp = ways->warp;
    size_t size = 3 * (size_t)warp->body->pointCount, stride = 12 * (size_t)ways->count;
    for (int i = begin; i < end; i++)
    {
        const int32_t* links = warp->body->links[i];
        const double *weights = warp->weights[i], *z = Here(ways)->points + 3 * (size_t)i;
        double still[9];
        qvWarp_MeanRotation(warp, Here(ways)->rotations, i, still);
        for (int way = 0; way < ways->count; way++)
        {
            double map[12] = { 0.0 }, *out = ways->out + size * (size_t)way + 3 * (size_t)i;
            const double* to = There(ways, way)->points + 3 * (size_t)i;
            const double gap[3] = { to[0] - z[0], to[1] - z[1], to[2] - z[2] };
            for (int l = 0; l < qv_warpLinks; l++)
            {
                const double* from = ways->maps + stride * (size_t)links[l] + 12 * (size_t)way;
                for (int k = 0; k < 12; k++)
                    map[k] += weights[l] * from[k];
            }
            for (int k = 0; k < 3; k++)
                out[k] = map[4 * k] * z[0] + map[4 * k + 1] * z[1] + map[4 * k + 2] * z[2] + map[4 * k + 3];
            qvWarp_AddApplied(1.0, still, gap, out);
        }
    }
}

// Pins go straight to where the other shape has them.
static void ClosePins(const Ways* ways, int way, double* gaps)
{
    const qvWarpBody* body = ways->warp->body;
    double* out = ways->out + 3 * (size_t)body->pointCount * (size_t)way;
    for (int i = 0; i < 3 * body->pinCount; i++)
        gaps[i] = There(ways, way)->pins[i] - Here(ways)->pins[i] - out[3 * body->pins[i / 3] + i % 3];
    for (int i = 0; i < 3 * body->spreadCount; i++)
    {
        const qvWarpSpread* spread = &body->spreads[i / 3];
        out[3 * spread->point + i % 3] += spread->share * gaps[3 * spread->pin + i % 3];
    }
}

qvResult qvWarp_FillWays(const qvWarp* warp, int index, const int32_t* to, int count, const qvJob* job, double* out,
                         qvError* error)
{
    const qvWarpBody* body = warp->body;
    int nodes = body->nodeCount;
    size_t columns = (size_t)nodes * 3 * (size_t)count, parts = 3 * (size_t)body->partCount;
    double* memory = qvAllocateRaw(6 * columns + parts + 3 * (size_t)body->pinCount, sizeof(double));
    if (memory == NULL)
        return qvError_OutOfMemory(error, 6.0 * (double)columns * sizeof(double));
    Ways ways = { .warp = warp, .index = index, .count = count, .to = to, .out = out };
    ways.sums = memory, ways.solved = memory + columns, ways.maps = memory + 2 * columns;
    double *means = memory + 6 * columns, *gaps = means + parts;
    memset(ways.sums, 0, columns * sizeof(double));
    SumEdges(&ways);
    AddMeans(&ways, means);
    qvBlas_Multiply(false, false, nodes, 3 * count, nodes, 1.0, body->inverse, nodes, ways.sums, nodes, 0.0,
                    ways.solved, nodes);
    FillMaps(&ways);
    qvParallelFor(qvJob_Pool(job), body->pointCount, POINT_GRAIN, MovePoints, &ways);
    for (int way = 0; way < count; way++)
        ClosePins(&ways, way, gaps);
    free(memory);
    return qvJob_Ask(job, error);
}
