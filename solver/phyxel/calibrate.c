// SPDX-License-Identifier: GPL-3.0-or-later
// At rest, J = I and dP = la tr(D) I + mu (D + D^T) for a change D of J, whatever the law of the material. With
// d_k = A^-1 w_k x_ik of the neighbours k of phyxel i, and d_i = -sum d_k (equation 32 of the paper), its energy adds
// to the block (k, l):  v [la d_k d_l^T + mu d_l d_k^T + mu (d_k . d_l) I] + s_kl I, where s_kl = c (w_k delta_kl - w_k
// x_ik . d_l) is that of the fit penalty (cloud.h), with rows and columns that sum to zero over neighbours and i.
#include "phyxel/calibrate.h"

#include "quaver/math.h"
#include "quaver/modal.h"

#include "base/memory.h"
#include "math/mat3.h"
#include "phyxel/engine_state.h"
#include "phyxel/kernel.h"
#include "phyxel/material.h"

#include <math.h>
#include <stdlib.h>

enum
{
    RIGID_MODES = 6,
    MOST_NEIGHBOURS = 255,
    MOST_MODES = 600
};

// A phyxel's neighbourhood: itself first, then its neighbours.
typedef struct Around
{
    int count;
    int32_t index[MOST_NEIGHBOURS + 1];
    qvVec3 weighted[MOST_NEIGHBOURS + 1]; // w x_ik
    qvVec3 d[MOST_NEIGHBOURS + 1];
    double weight[MOST_NEIGHBOURS + 1];
} Around;

static void FillAround(const qvPhyxelReference* r, int i, Around* around)
{
    const double* a = r->inverse[i];
    qvMat3 inverse = { { { a[0], a[1], a[2] }, { a[1], a[3], a[4] }, { a[2], a[4], a[5] } } };
    int first = r->near.start[i], count = r->near.start[i + 1] - first;
    *around = (Around){ .count = 1 + (count < MOST_NEIGHBOURS ? count : MOST_NEIGHBOURS) };
    around->index[0] = i;
    for (int k = 1; k < around->count; k++)
    {
        const double* pair = r->pair[first + k - 1];
        around->index[k] = r->near.index[first + k - 1];
        around->weighted[k] = qvMakeVec3(pair[0], pair[1], pair[2]);
        around->weight[k] = pair[3];
        around->d[k] = qvMat3_Apply(&inverse, around->weighted[k]);
        around->d[0] = qvSub(around->d[0], around->d[k]);
    }
}

static qvSparsePattern* MakePattern(const qvPhyxelBody* body, qvResult* result, qvError* error)
{
    QV_ARRAY(int32_t) numbers = { 0 };
    const qvNearLists* near = &body->reference.near;
    qvSparsePattern* pattern = NULL;
    bool isWhole = true;
    for (int i = 0; i < body->count && isWhole; i++)
    {
        for (int a = near->start[i]; a < near->start[i + 1] && isWhole; a++)
        {
            int32_t j = near->index[a];
            if (j < i)
                isWhole = QV_PUSH(numbers, i) && QV_PUSH(numbers, j);
            for (int b = near->start[i]; b < a && isWhole; b++)
                isWhole = QV_PUSH(numbers, j) && QV_PUSH(numbers, near->index[b]);
        }
    }
    *result = isWhole ? qvCreateSparsePattern(body->count, 3, (const int32_t(*)[2])numbers.items,
                                              (size_t)numbers.count / 2, &pattern, error)
                      : qvError_OutOfMemory(error, 4.0 * numbers.count);
    free(numbers.items);
    return pattern;
}

// The fit penalty's factor of a pair of the neighbourhood, without c.
static double FitFactor(const Around* around, int k, int l)
{
    if (k > 0 && l > 0)
        return (k == l ? around->weight[k] : 0.0) - qvDot(around->weighted[k], around->d[l]);
    double sum = 0.0;
    for (int other = 1; other < around->count; other++)
    {
        if (k == 0 && l == 0)
        {
            for (int m = 1; m < around->count; m++)
                sum += FitFactor(around, other, m);
        }
        else
            sum -= FitFactor(around, k > 0 ? k : other, l > 0 ? l : other);
    }
    return sum;
}

static void AddBlock(const qvSparsePattern* pattern, int row, int column, const qvMat3* block, double* values)
{
    for (int b = 0; b < 3; b++)
    {
        for (int a = row == column ? b : 0; a < 3; a++)
            values[qvSparsePattern_Find(pattern, 3 * row + a, 3 * column + b)] += block->m[a][b];
    }
}

static void AddPhyxel(const qvPhyxelBody* body, const qvPhyxelMaterial* material, int i, const qvSparsePattern* pattern,
                      double* values)
{
    Around around;
    double v = body->volumes[i], c = qv_phyxelFit * material->young * body->reference.fitShare[i];
    FillAround(&body->reference, i, &around);
    for (int k = 0; k < around.count; k++)
    {
        for (int l = 0; l < around.count; l++)
        {
            if (around.index[k] < around.index[l])
                continue;
            qvMat3 spread = qvMat3_Outer(around.d[k], around.d[l]), shear = qvMat3_Outer(around.d[l], around.d[k]);
            qvMat3 block = qvMat3_Scaled(v * material->lambda, &spread);
            double even = v * material->mu * qvDot(around.d[k], around.d[l]) + c * FitFactor(&around, k, l);
            block = qvMat3_MulAdd(&block, v * material->mu, &shear);
            for (int a = 0; a < 3; a++)
                block.m[a][a] += even;
            AddBlock(pattern, around.index[k], around.index[l], &block, values);
        }
    }
}

qvResult qvPhyxelBody_Stiffness(const qvPhyxelBody* body, double poisson, qvSparsePattern** pattern, double** values,
                                qvError* error)
{
    qvResult result;
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelSnh, 1.0, poisson, 0.0, qv_phyxelFit);
    *values = NULL;
    *pattern = MakePattern(body, &result, error);
    if (result != qv_ok)
        return result;
    *values = qvAllocate((size_t)(*pattern)->entryCount, sizeof(double));
    if (*values == NULL)
    {
        qvDestroySparsePattern(*pattern);
        *pattern = NULL;
        return qvError_OutOfMemory(error, 8.0 * 9.0 * body->count);
    }
    for (int i = 0; i < body->count; i++)
        AddPhyxel(body, &material, i, *pattern, *values);
    return qv_ok;
}

static qvResult Solve(const qvPhyxelBody* body, qvSparse matrix, int count, const qvJob* job, qvModes** modes,
                      qvError* error)
{
    qvSymbolic* symbolic = NULL;
    qvFactor* factor = NULL;
    double* mass = qvAllocate((size_t)body->count, 3 * sizeof(double));
    qvResult result = mass != NULL ? qv_ok : qvError_OutOfMemory(error, 24.0 * body->count);
    for (int i = 0; result == qv_ok && i < 3 * body->count; i++)
        mass[i] = body->masses[i / 3];
    if (result == qv_ok)
        result = qvCreateSymbolic(matrix.pattern, NULL, 0, job, &symbolic, error);
    if (result == qv_ok)
        result = qvCreateFactor(symbolic, &factor, error);
    qvModesDef def = qvDefaultModesDef();
    def.matrix = matrix;
    def.mass = mass;
    def.count = count;
    if (result == qv_ok)
        result = qvComputeModes(&def, factor, job, modes, error);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    free(mass);
    return result;
}

qvResult qvPhyxelBody_Frequencies(const qvPhyxelBody* body, double poisson, int count, const qvJob* job,
                                  double* frequencies, qvError* error)
{
    qvSparsePattern* pattern = NULL;
    double* values = NULL;
    qvModes* modes = NULL;
    int rigid = RIGID_MODES * body->reference.partCount;
    if (rigid + count > MOST_MODES)
        return qvError_Set(error, qv_badInput, "the body has %d parts, too many to simulate as one: use fewer",
                           body->reference.partCount);
    qvResult result = qvPhyxelBody_Stiffness(body, poisson, &pattern, &values, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = Solve(body, (qvSparse){ pattern, values }, rigid + count, job, &modes, error);
    if (result == qv_ok && modes->count < rigid + count)
        result = qvError_Set(error, qv_badInput, "the body has too few phyxels to wobble: use more");
    for (int k = 0; result == qv_ok && k < count; k++)
        frequencies[k] = sqrt(fmax(modes->values[rigid + k], 0.0)) / (2.0 * QV_PI);
    qvDestroyModes(modes);
    qvDestroySparsePattern(pattern);
    free(values);
    return result;
}
