// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/surface.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "phyxel/kernel.h"
#include "phyxel/neighbours.h"

#include <stdlib.h>

enum
{
    FEWEST = 4, // phyxels that carry a vertex
    MOST = 64,
    GRAIN = 1024
};

static const double REACH = 2.0; // spacings: h_s

// A phyxel's part of a vertex.
typedef struct Share
{
    int32_t phyxel;
    double weight;
    qvVec3 arm; // weight times (x_s - x_i)
} Share;

struct qvPhyxelSurface
{
    int vertexCount;
    int32_t* start; // [vertexCount + 1] of the shares
    QV_ARRAY(Share) shares;
    qvVec3* residuals; // in the turned frame of each vertex; NULL: none
};

// --- Making ----------------------------------------------------------------------------------------------------------

typedef struct Near
{
    const qvPhyxelCarriers* carriers;
    qvNearQuery query;
    qvNearLists lists;
} Near;

// The four nearest of all, for a vertex that is far from the phyxels, as a thin tip may be.
static int FindNearest(const Near* near, qvVec3 x, int32_t* found)
{
    double distances[FEWEST];
    int count = 0;
    for (int i = 0; i < near->carriers->count; i++)
    {
        double distance = qvDistance(near->carriers->points[i], x);
        if (count == FEWEST && !(distance < distances[FEWEST - 1]))
            continue;
        int at = count < FEWEST ? count++ : FEWEST - 1;
        for (; at > 0 && distance < distances[at - 1]; at--)
        {
            distances[at] = distances[at - 1];
            found[at] = found[at - 1];
        }
        distances[at] = distance;
        found[at] = i;
    }
    return count;
}

static bool AddVertex(qvPhyxelSurface* s, const Near* near, qvVec3 x)
{
    const qvPhyxelCarriers* carriers = near->carriers;
    int32_t found[MOST], part = 0;
    double h = REACH * carriers->spacing, nearest = INFINITY, sum = 0.0;
    int first = s->shares.count, count = qvNearLists_Around(&near->lists, &near->query, x, h, found, MOST);
    if (count < FEWEST)
        count = FindNearest(near, x, found);
    for (int n = 0; n < count; n++)
    {
        double distance = qvDistance(carriers->points[found[n]], x);
        part = distance < nearest ? carriers->parts[found[n]] : part;
        nearest = fmin(nearest, distance);
    }
    for (int n = 0; n < count; n++)
    {
        if (carriers->parts[found[n]] != part)
            continue;
        // Relative to the nearest, so that no vertex is too far away for its weights.
        qvVec3 arm = qvSub(x, carriers->points[found[n]]);
        double weight = exp((nearest * nearest - qvDot(arm, arm)) / (h * h));
        if (!QV_PUSH(s->shares, ((Share){ found[n], weight, arm })))
            return false;
        sum += weight;
    }
    for (int n = first; n < s->shares.count; n++)
    {
        Share* share = &s->shares.items[n];
        share->weight /= sum;
        share->arm = qvScale(share->weight, share->arm);
    }
    return true;
}

static qvResult Fill(qvPhyxelSurface* s, Near* near, const qvVec3* vertices, qvError* error)
{
    s->start = qvAllocate((size_t)s->vertexCount + 1, sizeof(int32_t));
    if (s->start == NULL)
        return qvError_OutOfMemory(error, 4.0 * s->vertexCount);
    qvResult result = qvNearLists_Find(&near->lists, &near->query, error);
    for (int v = 0; result == qv_ok && v < s->vertexCount; v++)
    {
        if (!AddVertex(s, near, vertices[v]))
            result = qvError_OutOfMemory(error, 40.0 * s->shares.count);
        s->start[v + 1] = s->shares.count;
    }
    qvNearLists_Free(&near->lists);
    return result;
}

qvResult qvCreatePhyxelSurface(const qvPhyxelCarriers* carriers, int vertexCount, const qvVec3* vertices,
                               qvPhyxelSurface** surface, qvError* error)
{
    *surface = NULL;
    Near near = { .carriers = carriers };
    near.query =
        (qvNearQuery){ .count = carriers->count, .points = carriers->points, .radius = REACH * carriers->spacing };
    qvPhyxelSurface* s = qvAllocate(1, sizeof(*s));
    if (s == NULL)
        return qvError_OutOfMemory(error, sizeof(*s));
    s->vertexCount = vertexCount;
    qvResult result = Fill(s, &near, vertices, error);
    if (result == qv_ok)
        *surface = s;
    else
        qvDestroyPhyxelSurface(s);
    return result;
}

void qvDestroyPhyxelSurface(qvPhyxelSurface* surface)
{
    if (surface == NULL)
        return;
    free(surface->start);
    free(surface->shares.items);
    free(surface->residuals);
    free(surface);
}

// --- Carrying --------------------------------------------------------------------------------------------------------

static qvVec3 CarryOne(const qvPhyxelSurface* s, int v, const qvVec3* phyxels, const qvMat3* gradients)
{
    qvVec3 x = { 0.0, 0.0, 0.0 };
    for (int n = s->start[v]; n < s->start[v + 1]; n++)
    {
        const Share* share = &s->shares.items[n];
        x = qvMulAdd(x, share->weight, phyxels[share->phyxel]);
        x = qvAdd(x, qvMat3_Apply(&gradients[share->phyxel], share->arm));
    }
    return x;
}

// How the body around a vertex has turned.
static qvMat3 TurnOf(const qvPhyxelSurface* s, int v, const qvMat3* gradients)
{
    qvMat3 mean = { { { 0.0 } } }, turn;
    for (int n = s->start[v]; n < s->start[v + 1]; n++)
        mean = qvMat3_MulAdd(&mean, s->shares.items[n].weight, &gradients[s->shares.items[n].phyxel]);
    if (!qvPolarRotation(&mean, &turn))
        turn = qvMat3_Diagonal(1.0, 1.0, 1.0);
    return turn;
}

typedef struct Carrying
{
    const qvPhyxelSurface* surface;
    const qvVec3* phyxels;
    const qvMat3* gradients;
    qvVec3* vertices;
} Carrying;

static void CarryOf(void* context, int begin, int end)
{
    const Carrying* c = context;
    for (int v = begin; v < end; v++)
    {
        c->vertices[v] = CarryOne(c->surface, v, c->phyxels, c->gradients);
        if (c->surface->residuals == NULL)
            continue;
        qvVec3 residual = c->surface->residuals[v];
        if (qvDot(residual, residual) > 0.0)
        {
            qvMat3 turn = TurnOf(c->surface, v, c->gradients);
            c->vertices[v] = qvAdd(c->vertices[v], qvMat3_Apply(&turn, residual));
        }
    }
}

void qvPhyxelSurface_Carry(const qvPhyxelSurface* surface, const qvVec3* phyxels, const qvMat3* gradients, qvPool* pool,
                           qvVec3* vertices)
{
    Carrying carrying = { surface, phyxels, gradients, vertices };
    qvParallelFor(pool, surface->vertexCount, GRAIN, CarryOf, &carrying);
}

qvResult qvPhyxelSurface_StartFrom(qvPhyxelSurface* surface, const qvVec3* phyxels, const qvMat3* gradients,
                                   const qvVec3* vertices, qvError* error)
{
    if (surface->residuals == NULL)
        surface->residuals = qvAllocate((size_t)surface->vertexCount, sizeof(qvVec3));
    if (surface->residuals == NULL)
        return qvError_OutOfMemory(error, 24.0 * surface->vertexCount);
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvMat3 turn = TurnOf(surface, v, gradients), back = qvMat3_Transpose(&turn);
        qvVec3 miss = qvSub(vertices[v], CarryOne(surface, v, phyxels, gradients));
        surface->residuals[v] = qvMat3_Apply(&back, miss);
    }
    return qv_ok;
}
