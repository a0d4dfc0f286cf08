// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/cloud.h"

#include "base/memory.h"
#include "phyxel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST_SPAN = 1e-13; // of det A against (tr A / 3)^3, below which A has no inverse

static qvVec3 Between(const qvVec3* points, int i, int j)
{
    return qvSub(points[j], points[i]);
}

// --- Making ----------------------------------------------------------------------------------------------------------

static void Weigh(qvCloud* cloud, int i)
{
    double h = cloud->radii[i];
    cloud->density[i] = cloud->masses[i] * qvKernel(0.0, h);
    for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
    {
        int j = cloud->near.index[n];
        qvVec3 d = Between(cloud->points, i, j);
        cloud->weight[n] = qvKernel(qvDot(d, d), h);
        cloud->density[i] += cloud->masses[j] * cloud->weight[n];
    }
}

// A, its inverse and what of the fit penalty is the place's own. False: A has no inverse.
static bool MakeMoment(qvCloud* cloud, int i)
{
    qvMat3 a = { { { 0.0 } } };
    double sum = 0.0;
    for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
    {
        qvVec3 d = Between(cloud->points, i, cloud->near.index[n]);
        qvMat3 outer = qvMat3_Outer(d, d);
        a = qvMat3_MulAdd(&a, cloud->weight[n], &outer);
        sum += cloud->weight[n];
    }
    double mean = qvMat3_Trace(&a) / 3.0, h = cloud->radii[i];
    if (!(qvMat3_Determinant(&a) > SMALLEST_SPAN * mean * mean * mean))
        return false;
    cloud->inverse[i] = qvMat3_Inverse(&a);
    cloud->fitShare[i] = cloud->volume[i] / fmax(3.0 * mean, h * h / 9.0 * sum);
    return true;
}

qvResult qvCloud_Init(qvCloud* cloud, int count, const qvVec3* points, const double* radii, const double* masses,
                      const double* volumes, qvError* error)
{
    *cloud = (qvCloud){ .count = count, .points = points, .radii = radii, .masses = masses };
    qvNearQuery query = { .count = count, .points = points, .radii = radii };
    qvResult result = qvNearLists_Find(&cloud->near, &query, error);
    if (result != qv_ok)
        return result;
    size_t n = (size_t)count, pairs = (size_t)cloud->near.start[count];
    cloud->weight = qvAllocate(pairs, sizeof(double));
    cloud->density = qvAllocate(n, 3 * sizeof(double));
    cloud->inverse = qvAllocate(n, sizeof(qvMat3));
    if (cloud->weight == NULL || cloud->density == NULL || cloud->inverse == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)pairs + 96.0 * (double)n);
    cloud->volume = cloud->density + n;
    cloud->fitShare = cloud->density + 2 * n;
    for (int i = 0; i < count; i++)
    {
        Weigh(cloud, i);
        cloud->volume[i] = volumes != NULL ? volumes[i] : masses[i] / cloud->density[i];
        if (!MakeMoment(cloud, i))
            return qvError_Set(error, qv_badInput,
                               "phyxel %d: its %d neighbours do not span space; use a larger radius or more phyxels", i,
                               cloud->near.start[i + 1] - cloud->near.start[i]);
    }
    return qv_ok;
}

void qvCloud_Free(qvCloud* cloud)
{
    qvNearLists_Free(&cloud->near);
    free(cloud->weight);
    free(cloud->density);
    free(cloud->inverse);
}

// --- Gradients -------------------------------------------------------------------------------------------------------

void qvCloud_Gradients(const qvCloud* cloud, const qvVec3* field, qvMat3* gradients)
{
    for (int i = 0; i < cloud->count; i++)
    {
        qvMat3 sum = { { { 0.0 } } };
        for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
        {
            int j = cloud->near.index[n];
            qvMat3 outer = qvMat3_Outer(Between(field, i, j), Between(cloud->points, i, j));
            sum = qvMat3_MulAdd(&sum, cloud->weight[n], &outer);
        }
        gradients[i] = qvMat3_Product(&sum, &cloud->inverse[i]);
    }
}

void qvCloud_Deformation(const qvCloud* cloud, const qvVec3* u, qvMat3* gradients)
{
    qvCloud_Gradients(cloud, u, gradients);
    for (int i = 0; i < cloud->count; i++)
    {
        for (int k = 0; k < 3; k++)
            gradients[i].m[k][k] += 1.0;
    }
}

// --- Forces ----------------------------------------------------------------------------------------------------------

// The forces of phyxel i's energy: -v P A^-1 w x_ij - c w e_ij on j, the opposite on i.
static double ScatterForces(const qvCloud* cloud, int i, const qvMat3* stress, double penalty, const qvVec3* field,
                            const qvMat3* fieldGradient, qvVec3* forces)
{
    double sum = 0.0;
    qvMat3 b = qvMat3_Product(stress, &cloud->inverse[i]);
    for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
    {
        int j = cloud->near.index[n];
        qvVec3 x = Between(cloud->points, i, j);
        qvVec3 e = qvSub(Between(field, i, j), qvMat3_Apply(fieldGradient, x));
        qvVec3 f = qvScale(-cloud->volume[i] * cloud->weight[n], qvMat3_Apply(&b, x));
        f = qvMulAdd(f, -penalty * cloud->weight[n], e);
        sum += cloud->weight[n] * qvDot(e, e);
        if (forces != NULL)
        {
            forces[j] = qvAdd(forces[j], f);
            forces[i] = qvSub(forces[i], f);
        }
    }
    return 0.5 * penalty * sum;
}

static double Penalty(const qvCloud* cloud, const qvPhyxelMaterial* material, int i)
{
    return material->fit * material->young * cloud->fitShare[i];
}

double qvCloud_Forces(const qvCloud* cloud, const qvPhyxelMaterial* material, const qvMat3* flowed, const qvVec3* u,
                      const qvMat3* gradients, qvVec3* forces)
{
    double energy = 0.0;
    if (forces != NULL)
        memset(forces, 0, (size_t)cloud->count * sizeof(qvVec3));
    for (int i = 0; i < cloud->count; i++)
    {
        const qvMat3* own = flowed != NULL ? &flowed[i] : NULL;
        qvMat3 stress = qvPhyxelMaterial_Stress(material, &gradients[i], own), displacement = gradients[i];
        for (int k = 0; k < 3; k++)
            displacement.m[k][k] -= 1.0;
        energy += cloud->volume[i] * qvPhyxelMaterial_Energy(material, &gradients[i], own);
        energy += ScatterForces(cloud, i, &stress, Penalty(cloud, material, i), u, &displacement, forces);
    }
    return energy;
}

void qvCloud_StiffnessTimes(const qvCloud* cloud, const qvPhyxelMaterial* material, const qvMat3* flowed,
                            const qvMat3* gradients, const qvVec3* du, qvMat3* gradientsOfDu, qvVec3* change)
{
    qvCloud_Gradients(cloud, du, gradientsOfDu);
    memset(change, 0, (size_t)cloud->count * sizeof(qvVec3));
    for (int i = 0; i < cloud->count; i++)
    {
        const qvMat3* own = flowed != NULL ? &flowed[i] : NULL;
        qvMat3 stress = qvPhyxelMaterial_StressChange(material, &gradients[i], own, &gradientsOfDu[i]);
        ScatterForces(cloud, i, &stress, Penalty(cloud, material, i), du, &gradientsOfDu[i], change);
    }
}

void qvCloud_FilterVelocities(const qvCloud* cloud, double rate, double dt, const qvVec3* v, qvMat3* gradients,
                              qvVec3* filtered)
{
    qvCloud_Gradients(cloud, v, gradients);
    memcpy(filtered, v, (size_t)cloud->count * sizeof(qvVec3));
    for (int i = 0; i < cloud->count; i++)
    {
        double sum = 0.0;
        for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
            sum += cloud->weight[n];
        for (int n = cloud->near.start[i]; n < cloud->near.start[i + 1]; n++)
        {
            int j = cloud->near.index[n];
            qvVec3 affine = qvMat3_Apply(&gradients[i], Between(cloud->points, i, j));
            qvVec3 moved =
                qvScale(rate * dt * cloud->masses[i] * cloud->weight[n] / sum, qvSub(Between(v, i, j), affine));
            filtered[j] = qvMulAdd(filtered[j], -1.0 / cloud->masses[j], moved);
            filtered[i] = qvMulAdd(filtered[i], 1.0 / cloud->masses[i], moved);
        }
    }
}
