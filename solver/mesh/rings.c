// SPDX-License-Identifier: GPL-3.0-or-later
// The neighbours of each point in the order of its triangles. A triangle p, a, b is a link from a to b; links are
// chained where one ends where another begins. Where three triangles meet at an edge, the first comers are chained and
// the others start chains of their own. The time is linear in the size of the fans.
#include "mesh/topology.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct Link
{
    int32_t from, to;
    int32_t next;     // link that goes on from here, -1 for none
    bool hasPrevious; // some link goes on here
    bool isDone;
} Link;

typedef struct RingMaker
{
    const qvTopology* topology;
    Link* links;     // of one point
    int32_t* linkAt; // per point: the link that begins there, valid when stamp is the current point
    int32_t* stamp;  // per point
    int32_t* ring;
    int ringCount;
} RingMaker;

static int LargestFan(const qvTopology* topology)
{
    int largest = 0;
    for (int p = 0; p < topology->pointCount; p++)
    {
        int count = topology->fanStart[p + 1] - topology->fanStart[p];
        largest = count > largest ? count : largest;
    }
    return largest;
}

static int CollectLinks(RingMaker* maker, int point)
{
    const qvTopology* topology = maker->topology;
    int begin = topology->fanStart[point], count = topology->fanStart[point + 1] - begin;
    for (int i = 0; i < count; i++)
    {
        const int32_t* v = topology->triangles[topology->fan[begin + i]].v;
        int k = topology->fanCorner[begin + i];
        Link link = { .from = v[(k + 1) % 3], .to = v[(k + 2) % 3], .next = -1 };
        maker->links[i] = link;
        if (maker->stamp[link.from] != point)
        {
            maker->stamp[link.from] = point;
            maker->linkAt[link.from] = i;
        }
    }
    return count;
}

static void ChainLinks(RingMaker* maker, int point, int count)
{
    for (int i = 0; i < count; i++)
    {
        Link* link = &maker->links[i];
        if (maker->stamp[link->to] != point)
            continue;
        Link* next = &maker->links[maker->linkAt[link->to]];
        if (!next->hasPrevious)
        {
            next->hasPrevious = true;
            link->next = maker->linkAt[link->to];
        }
    }
}

static void WriteChain(RingMaker* maker, int point, int firstEntry, int start)
{
    if (maker->ringCount > firstEntry)
        maker->ring[maker->ringCount++] = point;
    maker->ring[maker->ringCount++] = maker->links[start].from;
    for (int i = start; i >= 0 && !maker->links[i].isDone; i = maker->links[i].next)
    {
        maker->links[i].isDone = true;
        maker->ring[maker->ringCount++] = maker->links[i].to;
    }
}

static void WriteRing(RingMaker* maker, int point, int count)
{
    int firstEntry = maker->ringCount;
    for (int i = 0; i < count; i++)
    {
        if (!maker->links[i].hasPrevious)
            WriteChain(maker, point, firstEntry, i);
    }
    // What is left goes round.
    for (int i = 0; i < count; i++)
    {
        if (!maker->links[i].isDone)
            WriteChain(maker, point, firstEntry, i);
    }
}

// A fan of n triangles takes n + 1 entries when it is one chain, and 3 n - 1 at most.
static qvResult Allocate(RingMaker* maker, qvTopology* topology, qvError* error)
{
    size_t points = (size_t)topology->pointCount;
    maker->links = qvAllocateRaw((size_t)LargestFan(topology), sizeof(*maker->links));
    maker->linkAt = qvAllocateRaw(points, sizeof(*maker->linkAt));
    maker->stamp = qvAllocateRaw(points, sizeof(*maker->stamp));
    maker->ring = qvAllocateRaw(9 * (size_t)topology->triangleCount, sizeof(*maker->ring));
    topology->ringStart = qvAllocateRaw(points + 1, sizeof(*topology->ringStart));
    bool isAllocated = maker->links != NULL && maker->linkAt != NULL && maker->stamp != NULL && maker->ring != NULL &&
                       topology->ringStart != NULL;
    return isAllocated ? qv_ok
                       : qvError_OutOfMemory(error, 12.0 * topology->pointCount + 36.0 * topology->triangleCount);
}

qvResult qvTopology_MakeRings(qvTopology* topology, qvError* error)
{
    RingMaker maker = { .topology = topology };
    qvResult result = Allocate(&maker, topology, error);
    if (result == qv_ok)
    {
        for (int p = 0; p < topology->pointCount; p++)
            maker.stamp[p] = -1;
        for (int p = 0; p < topology->pointCount; p++)
        {
            topology->ringStart[p] = maker.ringCount;
            int count = CollectLinks(&maker, p);
            ChainLinks(&maker, p, count);
            WriteRing(&maker, p, count);
        }
        topology->ringStart[topology->pointCount] = maker.ringCount;
        int32_t* shrunk = realloc(maker.ring, ((size_t)maker.ringCount + 1) * sizeof(*maker.ring));
        topology->ring = shrunk != NULL ? shrunk : maker.ring;
        maker.ring = NULL;
    }
    free(maker.links);
    free(maker.linkAt);
    free(maker.stamp);
    free(maker.ring);
    return result;
}
