// SPDX-License-Identifier: GPL-3.0-or-later
// With weights a_k of the vertices r_k around a phyxel x, their mean m and moment A = sum a_k (r_k - m)(r_k - m)^T, the
// best affine map takes x to sum_k c_k r_k', c_k = a_k [1 / sum a + (r_k - m)^T A^-1 (x - m)].
#include "phyxel/pose.h"

#include "base/memory.h"
#include "math/decompose3.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_TRIES = 12,     // of larger and larger radii
    MOST_VERTICES = 512, // around a phyxel; of more, every second, third, …
    ASK_EVERY = 64,      // phyxels: some 10 ms where there are many vertices
};

static const double GOOD_SPREAD = 0.02;  // of A's smallest eigenvalue against its largest, to be content with
static const double LEAST_SPREAD = 1e-8; // where no radius has more: long bodies that have vertices at their ends only

typedef struct Term
{
    int32_t vertex;
    double factor;
} Term;

struct qvPhyxelPose
{
    int phyxelCount;
    int32_t* start;
    QV_ARRAY(Term) terms;
};

typedef struct Fit
{
    const qvVec3* vertices;
    const double* areas;
    int vertexCount;
    qvPhyxelPose* pose;
} Fit;

// Weighs the vertices within a radius. False: out of memory.
static bool Weigh(const Fit* fit, qvVec3 x, double radius, int first)
{
    int inside = 0, seen = 0;
    fit->pose->terms.count = first;
    for (int k = 0; k < fit->vertexCount; k++)
        inside += qvDistance(fit->vertices[k], x) < radius;
    int every = inside / MOST_VERTICES + 1;
    for (int k = 0; k < fit->vertexCount; k++)
    {
        double q = qvDistance(fit->vertices[k], x) / radius;
        if (!(q < 1.0) || seen++ % every != 0)
            continue;
        double rest = 1.0 - q * q;
        if (!QV_PUSH(fit->pose->terms, ((Term){ k, fit->areas[k] * rest * rest * rest })))
            return false;
    }
    return true;
}

// Turns weights into factors where the vertices spread more than so much; returns how much they do, 0 where they lie in
// a plane.
static double MakeFactors(const Fit* fit, qvVec3 x, int first, double least)
{
    qvVec3 mean = { 0.0, 0.0, 0.0 };
    qvMat3 moment = { { { 0.0 } } }, vectors;
    double sum = 0.0, values[3];
    int end = fit->pose->terms.count;
    Term* terms = fit->pose->terms.items;
    for (int n = first; n < end; n++)
    {
        mean = qvMulAdd(mean, terms[n].factor, fit->vertices[terms[n].vertex]);
        sum += terms[n].factor;
    }
    mean = qvScale(1.0 / sum, mean);
    for (int n = first; n < end; n++)
    {
        qvVec3 d = qvSub(fit->vertices[terms[n].vertex], mean);
        qvMat3 outer = qvMat3_Outer(d, d);
        moment = qvMat3_MulAdd(&moment, terms[n].factor, &outer);
    }
    qvEigenSymmetric3(&moment, values, &vectors);
    double spread = end - first >= 4 && values[0] > 0.0 ? values[0] / values[2] : 0.0;
    if (!(spread > least))
        return spread;
    qvMat3 inverse = qvMat3_Inverse(&moment);
    qvVec3 slope = qvMat3_Apply(&inverse, qvSub(x, mean));
    for (int n = first; n < end; n++)
        terms[n].factor *= 1.0 / sum + qvDot(slope, qvSub(fit->vertices[terms[n].vertex], mean));
    return spread;
}

static qvResult AddPhyxel(const Fit* fit, int i, qvVec3 x, double spacing, qvError* error)
{
    double nearest = INFINITY, best = 0.0, bestRadius = 0.0;
    int first = fit->pose->terms.count;
    for (int k = 0; k < fit->vertexCount; k++)
        nearest = fmin(nearest, qvDistance(fit->vertices[k], x));
    double radius = fmax(2.0 * nearest, 3.0 * spacing);
    for (int n = 0; n <= MOST_TRIES; n++, radius *= 1.5)
    {
        bool isLast = n == MOST_TRIES; // the best of those that there were
        double least = isLast ? LEAST_SPREAD : GOOD_SPREAD;
        if (!Weigh(fit, x, isLast ? bestRadius : radius, first))
            return qvError_OutOfMemory(error, 16.0 * fit->pose->terms.count);
        double spread = MakeFactors(fit, x, first, least);
        if (spread > least)
        {
            fit->pose->start[i + 1] = fit->pose->terms.count;
            return qv_ok;
        }
        if (spread > best)
            best = spread, bestRadius = radius;
    }
    return qvError_Set(error, qv_badInput, "the body is flat around (%.4g, %.4g, %.4g): simulate it as a shell by keys",
                       x.x, x.y, x.z);
}

qvResult qvCreatePhyxelPose(int phyxelCount, const qvVec3* phyxels, double spacing, int vertexCount,
                            const qvVec3* vertices, const double* areas, const qvJob* job, qvPhyxelPose** pose,
                            qvError* error)
{
    *pose = NULL;
    qvPhyxelPose* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->phyxelCount = phyxelCount;
    made->start = qvAllocate((size_t)phyxelCount + 1, sizeof(int32_t));
    qvResult result = made->start != NULL ? qv_ok : qvError_OutOfMemory(error, 4.0 * phyxelCount);
    Fit fit = { vertices, areas, vertexCount, made };
    for (int i = 0; result == qv_ok && i < phyxelCount; i++)
    {
        if (i % ASK_EVERY == 0)
            result = qvJob_Ask(job, error);
        if (result == qv_ok)
            result = AddPhyxel(&fit, i, phyxels[i], spacing, error);
    }
    if (result == qv_ok)
        *pose = made;
    else
        qvDestroyPhyxelPose(made);
    return result;
}

void qvDestroyPhyxelPose(qvPhyxelPose* pose)
{
    if (pose == NULL)
        return;
    free(pose->start);
    free(pose->terms.items);
    free(pose);
}

void qvPhyxelPose_Apply(const qvPhyxelPose* pose, const qvVec3* vertices, qvVec3* phyxels)
{
    for (int i = 0; i < pose->phyxelCount; i++)
    {
        qvVec3 x = { 0.0, 0.0, 0.0 };
        for (int n = pose->start[i]; n < pose->start[i + 1]; n++)
            x = qvMulAdd(x, pose->terms.items[n].factor, vertices[pose->terms.items[n].vertex]);
        phyxels[i] = x;
    }
}
