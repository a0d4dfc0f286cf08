// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/body.h"

#include "base/memory.h"
#include "phyxel/cloud.h"
#include "phyxel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POWER_STEPS = 30
};

static const double UNSCALED_STEP = 0.4, STABLE_SHARE = 0.6; // steps of an even cloud, in spacings over the speed of
                                                             // waves, and the most of the stable step that is used
static const double TYPICAL_POISSON = 0.35, TYPICAL_FIT = 0.3;

static qvResult Check(const qvPhyxelPoints* def, qvError* error)
{
    if (def->count < qv_leastPhyxels)
        return qvError_Set(error, qv_badInput, "the body has %d phyxels, and at least %d are needed", def->count,
                           qv_leastPhyxels);
    for (int i = 0; i < def->count; i++)
    {
        qvVec3 x = def->points[i];
        if (!isfinite(x.x + x.y + x.z) || !(def->volumes[i] > 0.0 && isfinite(def->volumes[i])))
            return qvError_Set(error, qv_badInput, "phyxel %d has no finite place or no volume", i);
    }
    return qv_ok;
}

static bool Copy(qvPhyxelBody* body, const qvPhyxelPoints* def)
{
    size_t n = (size_t)def->count;
    qvVec3 lower = def->points[0], upper = lower;
    body->points = qvAllocate(n, sizeof(qvVec3));
    body->volumes = qvAllocate(n, 3 * sizeof(double));
    if (body->points == NULL || body->volumes == NULL)
        return false;
    body->masses = body->volumes + n;
    body->depths = body->volumes + 2 * n;
    body->count = def->count;
    body->density = def->density;
    for (int i = 0; i < def->count; i++)
    {
        qvVec3 x = body->points[i] = def->points[i];
        body->volumes[i] = def->volumes[i];
        body->masses[i] = def->density * def->volumes[i];
        body->volume += def->volumes[i];
        lower = qvMakeVec3(fmin(lower.x, x.x), fmin(lower.y, x.y), fmin(lower.z, x.z));
        upper = qvMakeVec3(fmax(upper.x, x.x), fmax(upper.y, x.y), fmax(upper.z, x.z));
    }
    body->spacing = cbrt(body->volume / def->count);
    body->radius = qvPhyxel_Support * body->spacing;
    for (int i = 0; i < def->count; i++)
        body->depths[i] = def->depths != NULL ? fmin(def->depths[i], 0.5 * body->spacing) : 0.5 * body->spacing;
    qvVec3 sides = qvSub(upper, lower);
    body->height = fmax(sides.x, fmax(sides.y, sides.z)) + body->spacing;
    return true;
}

static qvResult CheckNeighbourhoods(const qvPhyxelBody* body, qvError* error)
{
    for (int i = 0; i < body->count; i++)
    {
        qvVec3 x = body->points[i];
        if (!(body->reference.evenness[i] >= qvPhyxel_SmallestEvenness))
            return qvError_Set(error, qv_badInput,
                               "the body is too thin for its phyxels at (%.4g, %.4g, %.4g): use more phyxels, or close "
                               "and thicken it there",
                               x.x, x.y, x.z);
    }
    return qv_ok;
}

static int CompareNumbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool FindRestDensity(qvPhyxelBody* body)
{
    const qvNearLists* near = &body->reference.near;
    double* densities = qvAllocate((size_t)body->count, sizeof(double));
    if (densities == NULL)
        return false;
    for (int i = 0; i < body->count; i++)
    {
        densities[i] = body->masses[i] * qvSpikyKernel(0.0, body->radius);
        for (int n = near->start[i]; n < near->start[i + 1]; n++)
        {
            int j = near->index[n];
            densities[i] += body->masses[j] * qvSpikyKernel(qvDistance(body->points[i], body->points[j]), body->radius);
        }
    }
    qsort(densities, (size_t)body->count, sizeof(double), CompareNumbers);
    body->restDensity = densities[3 * (body->count - 1) / 4];
    free(densities);
    return true;
}

// The highest frequency at rest by power iteration on -M^-1 K, against that of an even cloud of this spacing: phyxels
// that stand closer than the rest need shorter steps.
static qvResult FindStepScale(qvPhyxelBody* body, qvError* error)
{
    int n = body->count;
    double* radii = qvAllocate((size_t)n, sizeof(double));
    qvMat3* matrices = qvAllocate((size_t)n, 2 * sizeof(qvMat3));
    qvVec3* vectors = qvAllocate((size_t)n, 2 * sizeof(qvVec3));
    qvCloud cloud = { 0 };
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelSnh, 1.0, TYPICAL_POISSON, 0.0, TYPICAL_FIT);
    qvResult result = qv_ok;
    if (radii == NULL || matrices == NULL || vectors == NULL)
        result = qvError_OutOfMemory(error, 200.0 * n);
    for (int i = 0; result == qv_ok && i < n; i++)
    {
        radii[i] = body->radius;
        matrices[i] = qvMat3_Diagonal(1.0, 1.0, 1.0);
        vectors[i] = qvMakeVec3((i * 7 % 11) - 5.0, (i * 5 % 13) - 6.0, (i * 3 % 7) - 3.0);
    }
    if (result == qv_ok)
        result = qvCloud_Init(&cloud, n, body->points, radii, body->masses, body->volumes, error);
    double highest = 0.0;
    for (int step = 0; result == qv_ok && step < POWER_STEPS; step++)
    {
        qvVec3* out = vectors + n;
        double before = 0.0, after = 0.0;
        qvCloud_StiffnessTimes(&cloud, &material, NULL, matrices, vectors, matrices + n, out);
        for (int i = 0; i < n; i++)
        {
            before += body->masses[i] * qvDot(vectors[i], vectors[i]);
            after -= qvDot(vectors[i], out[i]);
        }
        highest = fmax(highest, after / before);
        double scale = -1.0 / sqrt(before);
        for (int i = 0; i < n; i++)
            vectors[i] = qvScale(scale / body->masses[i], out[i]);
    }
    if (result == qv_ok)
    {
        double speed = sqrt((material.lambda + 2.0 * material.mu) / body->density);
        double stable = 2.0 / sqrt(highest);
        body->stepScale = fmin(1.0, STABLE_SHARE * stable / (UNSCALED_STEP * body->spacing / speed));
    }
    qvCloud_Free(&cloud);
    free(radii);
    free(matrices);
    free(vectors);
    return result;
}

static qvResult Fill(qvPhyxelBody* body, const qvPhyxelPoints* def, qvError* error)
{
    if (!Copy(body, def))
        return qvError_OutOfMemory(error, 50.0 * def->count);
    qvResult result =
        qvPhyxelReference_Build(&body->reference, body->count, body->points, NULL, body->radius, body->volumes, error);
    if (result == qv_ok)
        result = CheckNeighbourhoods(body, error);
    if (result == qv_ok && !FindRestDensity(body))
        result = qvError_OutOfMemory(error, 8.0 * body->count);
    for (int i = 0; result == qv_ok && i < body->count; i++)
        body->stiffest = fmax(body->stiffest, body->reference.stiffness[i]);
    return result == qv_ok ? FindStepScale(body, error) : result;
}

qvResult qvCreatePhyxelBody(const qvPhyxelPoints* def, qvPhyxelBody** body, qvError* error)
{
    *body = NULL;
    qvResult result = Check(def, error);
    if (result != qv_ok)
        return result;
    qvPhyxelBody* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    result = Fill(made, def, error);
    if (result == qv_ok)
        *body = made;
    else
        qvDestroyPhyxelBody(made);
    return result;
}

void qvDestroyPhyxelBody(qvPhyxelBody* body)
{
    if (body == NULL)
        return;
    qvPhyxelReference_Free(&body->reference);
    free(body->points);
    free(body->volumes);
    free(body);
}
