// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/reference.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "phyxel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DROPPED = 0.02; // eigenvalue of A over the largest, below which its direction is dropped
static const double FADING = 0.08;  // above it, over which the stress fades in

static bool Reserve(qvPhyxelReference* r, int count)
{
    if (r->inverse == NULL)
    {
        size_t n = (size_t)count;
        r->count = count;
        r->inverse = qvAllocate(n, sizeof(*r->inverse));
        r->weightSum = qvAllocate(n, 5 * sizeof(double));
        r->part = qvAllocate(n, sizeof(int32_t));
        if (r->inverse == NULL || r->weightSum == NULL || r->part == NULL)
            return false;
        r->fitShare = r->weightSum + n;
        r->evenness = r->weightSum + 2 * n;
        r->fade = r->weightSum + 3 * n;
        r->stiffness = r->weightSum + 4 * n;
    }
    return qvReserve(&r->pair, &r->pairCapacity, r->near.start[count], sizeof(*r->pair));
}

// sum over the directions that are kept of v v^T / lambda
static void Invert(const qvMat3* a, double inverse[8], double* evenness)
{
    double values[3];
    qvMat3 vectors, sum = { { { 0.0 } } };
    qvEigenSymmetric3(a, values, &vectors);
    *evenness = values[2] > 0.0 ? fmax(0.0, values[0] / values[2]) : 0.0;
    for (int k = 0; k < 3; k++)
    {
        if (!(values[k] > DROPPED * values[2]))
            continue;
        qvVec3 v = qvMakeVec3(vectors.m[0][k], vectors.m[1][k], vectors.m[2][k]);
        qvMat3 outer = qvMat3_Outer(v, v);
        sum = qvMat3_MulAdd(&sum, 1.0 / values[k], &outer);
    }
    memcpy(inverse, (double[8]){ sum.m[0][0], sum.m[0][1], sum.m[0][2], sum.m[1][1], sum.m[1][2], sum.m[2][2] },
           8 * sizeof(double));
}

// With d_j = A^-1 w x_ij, by which J depends on the neighbours (equation 15).
static double StiffnessOf(const qvPhyxelReference* r, int i, double volume)
{
    const double* a = r->inverse[i];
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double squares = 0.0;
    for (int n = r->near.start[i]; n < r->near.start[i + 1]; n++)
    {
        const double* x = r->pair[n];
        qvVec3 d = qvMakeVec3(a[0] * x[0] + a[1] * x[1] + a[2] * x[2], a[1] * x[0] + a[3] * x[1] + a[4] * x[2],
                              a[2] * x[0] + a[4] * x[1] + a[5] * x[2]);
        sum = qvAdd(sum, d);
        squares += qvDot(d, d);
    }
    return volume * (squares + qvDot(sum, sum));
}

static void MakePhyxel(qvPhyxelReference* r, int i, const qvVec3* points, double radius, double volume)
{
    qvMat3 a = { { { 0.0 } } };
    double sum = 0.0;
    for (int n = r->near.start[i]; n < r->near.start[i + 1]; n++)
    {
        qvVec3 x = qvSub(points[r->near.index[n]], points[i]);
        double w = qvKernel(qvDot(x, x), radius);
        qvMat3 outer = qvMat3_Outer(x, x);
        a = qvMat3_MulAdd(&a, w, &outer);
        sum += w;
        memcpy(r->pair[n], (double[4]){ w * x.x, w * x.y, w * x.z, w }, sizeof(*r->pair));
    }
    Invert(&a, r->inverse[i], &r->evenness[i]);
    double trace = qvMat3_Trace(&a);
    r->weightSum[i] = sum;
    r->fitShare[i] = sum > 0.0 ? volume / fmax(trace, radius * radius / 9.0 * sum) : 0.0;
    r->fade[i] = qvSmoothStep((r->evenness[i] - DROPPED) / FADING);
    r->stiffness[i] = StiffnessOf(r, i, volume);
}

// Flood fill; the stack is the array `part` of those that wait, kept in next[].
static void FindParts(qvPhyxelReference* r)
{
    int32_t* stack = r->near.order; // its search is over
    r->partCount = 0;
    memset(r->part, -1, (size_t)r->count * sizeof(int32_t));
    for (int first = 0; first < r->count; first++)
    {
        if (r->part[first] >= 0)
            continue;
        int waiting = 0;
        r->part[first] = r->partCount;
        stack[waiting++] = first;
        while (waiting > 0)
        {
            int i = stack[--waiting];
            for (int n = r->near.start[i]; n < r->near.start[i + 1]; n++)
            {
                int j = r->near.index[n];
                if (r->part[j] >= 0)
                    continue;
                r->part[j] = r->partCount;
                stack[waiting++] = j;
            }
        }
        r->partCount++;
    }
}

qvResult qvPhyxelReference_Build(qvPhyxelReference* reference, int count, const qvVec3* points, const qvVec3* homes,
                                 double radius, const double* volumes, qvError* error)
{
    qvNearQuery query = { .count = count,
                          .points = points,
                          .radius = radius,
                          .homes = homes,
                          .homeLimit = 2.0 * radius,
                          .onlyNearHomes = true };
    qvResult result = qvNearLists_Find(&reference->near, &query, error);
    if (result != qv_ok)
        return result;
    if (!Reserve(reference, count))
        return qvError_OutOfMemory(error, 100.0 * count + 32.0 * reference->near.start[count]);
    for (int i = 0; i < count; i++)
        MakePhyxel(reference, i, points, radius, volumes[i]);
    FindParts(reference);
    return qv_ok;
}

void qvPhyxelReference_Free(qvPhyxelReference* reference)
{
    qvNearLists_Free(&reference->near);
    free(reference->pair);
    free(reference->inverse);
    free(reference->weightSum);
    free(reference->part);
    *reference = (qvPhyxelReference){ 0 };
}

qvPhyxelListsD qvPhyxelReference_Lists(const qvPhyxelReference* reference)
{
    return (qvPhyxelListsD){ .start = reference->near.start,
                             .index = reference->near.index,
                             .pair = (const double(*)[4])reference->pair,
                             .inverse = (const double(*)[8])reference->inverse };
}
