// SPDX-License-Identifier: GPL-3.0-or-later
// Patches of a shell (see elastic/shell.h): recursive bisection along the longest axis, and the elements of each patch.
#include "elastic/shell.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PATCH_POINTS = 512 // at most; small enough for a core's cache, large enough that few elements are shared
};

typedef struct Item
{
    double key;
    int32_t point;
} Item;

static int CompareItems(const void* a, const void* b)
{
    const Item* x = a;
    const Item* y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static int LongestAxis(const Item* items, int count, const double* rest)
{
    double widest = -1.0;
    int best = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double low = rest[3 * (size_t)items[0].point + (size_t)axis], high = low;
        for (int i = 1; i < count; i++)
        {
            double x = rest[3 * (size_t)items[i].point + (size_t)axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > widest)
        {
            widest = high - low;
            best = axis;
        }
    }
    return best;
}

// Sorts the points into patches of at most PATCH_POINTS and closes each patch in the lists.
static void Bisect(qvShell* shell, Item* items, int count, const double* rest)
{
    if (count <= PATCH_POINTS)
    {
        int32_t* next = &shell->points.start[shell->patchCount + 1];
        *next = shell->points.start[shell->patchCount];
        for (int i = 0; i < count; i++)
        {
            shell->points.items[(*next)++] = items[i].point;
            shell->patchOf[items[i].point] = shell->patchCount;
        }
        shell->patchCount++;
        return;
    }
    int axis = LongestAxis(items, count, rest), half = count / 2;
    for (int i = 0; i < count; i++)
        items[i].key = rest[3 * (size_t)items[i].point + (size_t)axis];
    qsort(items, (size_t)count, sizeof(Item), CompareItems);
    Bisect(shell, items, half, rest);
    Bisect(shell, items + half, count - half, rest);
}

qvResult qvShell_MakePatches(qvShell* shell, const double* rest, qvError* error)
{
    size_t count = (size_t)shell->pointCount;
    Item* items = qvAllocate(count, sizeof(Item));
    shell->patchOf = qvAllocate(count, sizeof(int32_t));
    shell->points.items = qvAllocate(count, sizeof(int32_t));
    // Halves of more than PATCH_POINTS have at least PATCH_POINTS / 2 each.
    shell->points.start = qvAllocate(2 * count / (PATCH_POINTS / 2) + 3, sizeof(int32_t));
    if (!items || !shell->patchOf || !shell->points.items || !shell->points.start)
    {
        free(items);
        return qvError_OutOfMemory(error, (double)count * 24.0);
    }
    for (size_t i = 0; i < count; i++)
        items[i].point = (int32_t)i;
    if (count > 0)
        Bisect(shell, items, shell->pointCount, rest);
    free(items);
    return qv_ok;
}

// --- Elements of patches ---------------------------------------------------------------------------------------------

// The distinct patches of an element's points. Returns how many.
static int PatchesOf(const qvShell* shell, const int32_t* v, int count, int32_t patches[4])
{
    int distinct = 0;
    for (int i = 0; i < count; i++)
    {
        int32_t patch = shell->patchOf[v[i]];
        bool known = false;
        for (int j = 0; j < distinct; j++)
            known = known || patches[j] == patch;
        if (!known)
            patches[distinct++] = patch;
    }
    return distinct;
}

// elements: count records of `stride` bytes that start with `corners` point numbers
static bool MakeList(const qvShell* shell, const void* elements, int count, size_t stride, int corners,
                     qvShellList* list)
{
    int32_t patches[4];
    list->start = qvAllocate((size_t)shell->patchCount + 2, sizeof(int32_t));
    if (list->start == NULL)
        return false;
    int32_t* next = list->start + 1; // filled one place ahead, so that it ends as the start
    for (int e = 0; e < count; e++)
    {
        const int32_t* v = (const int32_t*)(const void*)((const char*)elements + (size_t)e * stride);
        int n = PatchesOf(shell, v, corners, patches);
        for (int i = 0; i < n; i++)
            next[patches[i] + 1]++;
    }
    for (int p = 0; p < shell->patchCount; p++)
        next[p + 1] += next[p];
    list->items = qvAllocate((size_t)next[shell->patchCount], sizeof(int32_t));
    if (list->items == NULL)
        return false;
    for (int e = 0; e < count; e++)
    {
        const int32_t* v = (const int32_t*)(const void*)((const char*)elements + (size_t)e * stride);
        int n = PatchesOf(shell, v, corners, patches);
        for (int i = 0; i < n; i++)
            list->items[next[patches[i]]++] = e;
    }
    return true;
}

qvResult qvShell_MakeLists(qvShell* shell, qvError* error)
{
    if (MakeList(shell, shell->edges, shell->edgeCount, sizeof(qvShellEdge), 2, &shell->edgeLists) &&
        MakeList(shell, shell->triangles, shell->triangleCount, sizeof(qvShellTriangle), 3, &shell->triangleLists) &&
        MakeList(shell, shell->hinges, shell->hingeCount, sizeof(qvShellHinge), 4, &shell->hingeLists))
        return qv_ok;
    return qvError_OutOfMemory(error, (double)shell->hingeCount * 8.0);
}
