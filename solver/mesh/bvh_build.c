// SPDX-License-Identifier: GPL-3.0-or-later
// Building the tree.
//
// Wald: On fast construction of SAH-based bounding volume hierarchies, IEEE Symposium on Interactive Ray Tracing 2007.
// Triangles are sorted into bins along the longest side of the box of their centres; the cut between bins with the
// least sum of surface area times number of triangles wins.
#include "base/memory.h"
#include "mesh/bvh.h"

#include <stdlib.h>

enum
{
    BINS = 16,
    MEDIAN_DEPTH = 56, // from here on halves, so that no tree is deeper than qv_bvhMaxDepth
};

typedef struct Item
{
    qvBvhBox box;
    int32_t triangle;
} Item;

typedef struct Builder
{
    Item* items;
    qvBvhNode* nodes;
    int nodeCount;
} Builder;

static const qvBvhBox emptyBox = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void Extend(qvBvhBox* box, const qvBvhBox* other)
{
    for (int a = 0; a < 3; a++)
    {
        box->lower[a] = other->lower[a] < box->lower[a] ? other->lower[a] : box->lower[a];
        box->upper[a] = other->upper[a] > box->upper[a] ? other->upper[a] : box->upper[a];
    }
}

static float HalfArea(const qvBvhBox* box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x >= 0.0f ? x * y + y * z + z * x : 0.0f;
}

// NaN for the empty box of a triangle that is not finite.
static float Center(const Item* item, int axis)
{
    return 0.5f * item->box.lower[axis] + 0.5f * item->box.upper[axis];
}

static qvBvhBox CenterBounds(const Item* items, int count)
{
    qvBvhBox bounds = emptyBox;
    for (int i = 0; i < count; i++)
    {
        for (int a = 0; a < 3; a++)
        {
            float center = Center(&items[i], a);
            bounds.lower[a] = center < bounds.lower[a] ? center : bounds.lower[a];
            bounds.upper[a] = center > bounds.upper[a] ? center : bounds.upper[a];
        }
    }
    return bounds;
}

// How centres map to bins along one axis.
typedef struct Cut
{
    int axis, bin; // triangles in bins below `bin` go left; 0: no cut
    float lower, scale;
} Cut;

static int BinOf(const Cut* cut, const Item* item)
{
    float t = (Center(item, cut->axis) - cut->lower) * cut->scale;
    return t > 0.0f ? t < (float)BINS ? (int)t : BINS - 1 : 0; // NaN goes to bin 0
}

typedef struct Bin
{
    qvBvhBox box;
    int count;
} Bin;

static void FindBestBin(const Bin bins[BINS], Cut* cut)
{
    // Costs of what lies right of each cut, then a sweep from the left.
    double rightCost[BINS];
    qvBvhBox box = emptyBox;
    int count = 0;
    for (int i = BINS - 1; i > 0; i--)
    {
        Extend(&box, &bins[i].box);
        count += bins[i].count;
        rightCost[i] = count > 0 ? (double)HalfArea(&box) * count : INFINITY;
    }
    double best = INFINITY;
    box = emptyBox;
    count = 0;
    for (int i = 1; i < BINS; i++)
    {
        Extend(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        double cost = count > 0 ? (double)HalfArea(&box) * count + rightCost[i] : INFINITY;
        if (cost < best)
        {
            best = cost;
            cut->bin = i;
        }
    }
}

static Cut FindCut(const Item* items, int count)
{
    qvBvhBox bounds = CenterBounds(items, count);
    Cut cut = { 0 };
    float size = 0.0f;
    for (int a = 0; a < 3; a++)
    {
        if (bounds.upper[a] - bounds.lower[a] > size)
        {
            size = bounds.upper[a] - bounds.lower[a];
            cut.axis = a;
        }
    }
    cut.lower = bounds.lower[cut.axis];
    cut.scale = (float)BINS / size;
    if (!isfinite(cut.scale) || !isfinite(cut.lower))
        return cut;
    Bin bins[BINS];
    for (int i = 0; i < BINS; i++)
        bins[i] = (Bin){ emptyBox, 0 };
    for (int i = 0; i < count; i++)
    {
        Bin* bin = &bins[BinOf(&cut, &items[i])];
        Extend(&bin->box, &items[i].box);
        bin->count++;
    }
    FindBestBin(bins, &cut);
    return cut;
}

// Returns how many items went left: at least one, and not all (a cut has triangles on both sides).
static int Split(Item* items, int count, int depth)
{
    Cut cut = { 0 };
    if (depth < MEDIAN_DEPTH)
        cut = FindCut(items, count);
    if (cut.bin == 0)
        return count / 2;
    int left = 0, right = count;
    while (left < right)
    {
        if (BinOf(&cut, &items[left]) < cut.bin)
        {
            left++;
            continue;
        }
        Item swapped = items[left];
        items[left] = items[--right];
        items[right] = swapped;
    }
    return left;
}

static void BuildNode(Builder* builder, int begin, int end, int depth)
{
    qvBvhNode* node = &builder->nodes[builder->nodeCount++];
    *node = (qvBvhNode){ emptyBox, begin, end - begin };
    if (end - begin <= qv_bvhLeafSize)
        return;
    int middle = begin + Split(builder->items + begin, end - begin, depth);
    node->count = 0;
    BuildNode(builder, begin, middle, depth + 1);
    node->first = builder->nodeCount;
    BuildNode(builder, middle, end, depth + 1);
}

qvResult qvBvh_Build(qvBvh* bvh, const qvTriangle* triangles, qvError* error)
{
    size_t count = (size_t)bvh->triangleCount;
    Builder builder = { .items = qvAllocateRaw(count, sizeof(Item)), .nodes = bvh->nodes };
    if (builder.items == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(Item));
    for (int i = 0; i < bvh->triangleCount; i++)
        builder.items[i] = (Item){ qvBvh_TriangleBox(bvh->points, triangles[i]), i };
    BuildNode(&builder, 0, bvh->triangleCount, 0);
    bvh->nodeCount = builder.nodeCount;
    for (int i = 0; i < bvh->triangleCount; i++)
    {
        bvh->order[i] = builder.items[i].triangle;
        bvh->triangles[i] = triangles[bvh->order[i]];
    }
    free(builder.items);
    return qv_ok;
}
