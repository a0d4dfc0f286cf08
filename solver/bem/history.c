// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, eq. 9, with the bordered step of bem/history.h.
//   matrices     H_k, G_k: [k][rows][…]
//   body         D_k and Q_k: [k][rows][6]
//   past         a ring of the last steps: u, p and (a, alpha)
#include "bem/history.h"

#include "base/assert.h"
#include "base/memory.h"
#include "bem/radial.h"
#include "math/blas.h"
#include "math/dense_lu.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct qvBemHistory
{
    int rows, columns, last, size; // size of the system: rows, and 6 when bordered
    bool bordered;
    qvBemMatrices* matrices;
    double *body, *factors, *right;
    int* pivots;
    double *pastU, *pastP, *pastA; // [last + 1][…]
    long step;
};

qvBemHistoryDef qvDefaultBemHistoryDef(void)
{
    return (qvBemHistoryDef){ .material = { 1.0, 1.0, 0.3 },
                              .bordered = true,
                              .quadrature = qvStandardQuadrature(),
                              .tableStep = 0.05,
                              .maxBytes = 2e9 };
}

void qvBemBodyRows(const qvBemSurface* surface, const qvBemMatrices* matrices, double dt, double* out)
{
    size_t rows = (size_t)matrices->rows;
    for (size_t k = 0; k < (size_t)matrices->channels; k++)
    {
        for (size_t i = 0; i < rows; i++)
        {
            const double* h = matrices->h + (k * rows + i) * rows;
            double* to = out + (k * rows + i) * 6;
            for (int m = 0; m < 6; m++)
            {
                double sum = 0.0;
                for (int v = 0; v < surface->vertexCount; v++)
                {
                    qvVec3 rigid = qvBemRigid(surface, m, surface->vertices[v]);
                    sum += h[3 * v] * rigid.x + h[3 * v + 1] * rigid.y + h[3 * v + 2] * rigid.z;
                }
                to[m] = -dt * dt * sum;
            }
        }
    }
    for (int round = 0; round < 2; round++)
    {
        for (size_t i = rows * 6; i < (size_t)matrices->channels * rows * 6; i++)
            out[i] += out[i - rows * 6];
    }
}

// Rows 1 to 3: (1/V) integral of (x - centroid)(u.n), exact for linear elements; rows 4 to 6: sum of A_i (x_i -
// centroid) x u_i.
void qvBemRigidRows(const qvBemSurface* surface, double* rows)
{
    size_t width = 3 * (size_t)surface->vertexCount;
    memset(rows, 0, 6 * width * sizeof(double));
    for (int t = 0; t < surface->triangleCount; t++)
    {
        const int32_t* v = surface->triangles[t].v;
        double n[3] = { surface->normals[t].x, surface->normals[t].y, surface->normals[t].z };
        for (int a = 0; a < 9; a++)
        {
            qvVec3 arm = qvSub(surface->vertices[v[a / 3]], surface->centroid);
            double weight = surface->areas[t] / 12.0 * (a / 3 == a % 3 ? 2.0 : 1.0) / surface->volume;
            for (size_t j = 0; j < 3; j++)
            {
                size_t column = 3 * (size_t)v[a % 3] + j;
                rows[column] += weight * arm.x * n[j];
                rows[width + column] += weight * arm.y * n[j];
                rows[2 * width + column] += weight * arm.z * n[j];
            }
        }
    }
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvMat3 cross = qvMat3_Skew(qvSub(surface->vertices[v], surface->centroid));
        for (int i = 0; i < 9; i++)
            rows[(3 + (size_t)i / 3) * width + 3 * (size_t)v + (size_t)i % 3] =
                surface->vertexArea[v] * cross.m[i / 3][i % 3];
    }
}

// The bordered system by rows, which LAPACK reads as its transpose.
static qvResult FactorSystem(qvBemHistory* history, const qvBemSurface* surface, qvError* error)
{
    size_t rows = (size_t)history->rows, size = (size_t)history->size;
    for (size_t i = 0; i < rows; i++)
    {
        memcpy(history->factors + i * size, history->matrices->h + i * rows, rows * sizeof(double));
        for (size_t m = 0; history->bordered && m < 6; m++)
            history->factors[i * size + rows + m] = -history->body[i * 6 + m];
    }
    if (history->bordered)
    {
        double* border = qvAllocate(6 * rows, sizeof(double));
        if (border == NULL)
            return qvError_OutOfMemory(error, 48.0 * (double)rows);
        qvBemRigidRows(surface, border);
        for (size_t m = 0; m < 6; m++)
            memcpy(history->factors + (rows + m) * size, border + m * rows, rows * sizeof(double));
        free(border);
    }
    return qvDense_FactorLu((int)size, history->factors, (int)size, history->pivots, error);
}

static bool AllocateHistory(qvBemHistory* history)
{
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns, size = (size_t)history->size;
    size_t steps = (size_t)history->last + 1;
    history->body = qvAllocate(steps * rows, 6 * sizeof(double));
    history->factors = qvAllocate(size * size, sizeof(double));
    history->pivots = qvAllocate(size, sizeof(int));
    history->right = qvAllocate(size, sizeof(double));
    history->pastU = qvAllocate(steps * rows, sizeof(double));
    history->pastP = qvAllocate(steps * columns, sizeof(double));
    history->pastA = qvAllocate(steps * 6, sizeof(double));
    return history->body != NULL && history->factors != NULL && history->pivots != NULL && history->right != NULL &&
           history->pastU != NULL && history->pastP != NULL && history->pastA != NULL;
}

static qvResult AssembleHistory(qvBemHistory* history, const qvBemHistoryDef* def, const qvJob* job, qvError* error)
{
    const qvBemSurface* surface = def->surface;
    double bytes = 8.0 * (history->last + 1) * (double)history->rows * (history->rows + history->columns);
    if (bytes > def->maxBytes)
        return qvError_Set(error, qv_outOfMemory,
                           "the full history of %d points over %d steps takes %.1f GB, %.1f GB are allowed; use fewer "
                           "points, larger steps or the reduced method",
                           surface->vertexCount, history->last, bytes / 1e9, def->maxBytes / 1e9);
    qvBemTable* table;
    double shearStep = qvBemShearSpeed(&def->material) * def->dt;
    qvResult result = qvCreateBdf1Table(qvBemKappa(def->material.poisson), shearStep, history->last, surface->diameter,
                                        def->tableStep, &table, error);
    if (result != qv_ok)
        return result;
    result = qvAssembleBem(surface, table, &def->quadrature, job, &history->matrices, error);
    qvDestroyBemTable(table);
    if (result != qv_ok)
        return result;
    size_t entries = (size_t)history->matrices->channels * (size_t)history->rows * (size_t)history->columns;
    for (size_t i = 0; i < entries; i++)
        history->matrices->g[i] /= def->material.shear;
    if (!AllocateHistory(history))
        return qvError_OutOfMemory(error, bytes);
    qvBemBodyRows(surface, history->matrices, def->dt, history->body);
    return FactorSystem(history, surface, error);
}

qvResult qvCreateBemHistory(const qvBemHistoryDef* def, const qvJob* job, qvBemHistory** out, qvError* error)
{
    QV_ASSERT(def->surface != NULL && def->dt > 0.0 && def->last >= 0);
    *out = NULL;
    qvBemHistory* history = qvAllocate(1, sizeof(*history));
    if (history == NULL)
        return qvError_OutOfMemory(error, sizeof(*history));
    history->rows = 3 * def->surface->vertexCount;
    history->columns = 3 * def->surface->nodeCount;
    history->bordered = def->bordered;
    history->size = history->rows + (def->bordered ? 6 : 0);
    double shearStep = qvBemShearSpeed(&def->material) * def->dt;
    history->last = def->last > 0 ? def->last : qvBemHistoryLength(def->surface->diameter, shearStep);
    qvResult result = AssembleHistory(history, def, job, error);
    if (result != qv_ok)
    {
        qvDestroyBemHistory(history);
        return result;
    }
    *out = history;
    return qv_ok;
}

void qvDestroyBemHistory(qvBemHistory* history)
{
    if (history == NULL)
        return;
    qvDestroyBemMatrices(history->matrices);
    free(history->body);
    free(history->factors);
    free(history->pivots);
    free(history->right);
    free(history->pastU);
    free(history->pastP);
    free(history->pastA);
    free(history);
}

// right += factor times a matrix by rows times a vector.
static void AddProduct(qvBemHistory* history, double factor, const double* matrix, int width, const double* vector)
{
    qvBlas_Multiply(true, false, history->rows, 1, width, factor, matrix, width, vector, width, 1.0, history->right,
                    history->rows);
}

void qvBemHistory_Step(qvBemHistory* history, const double* traction, double* u, double* acceleration)
{
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns, ring = (size_t)history->last + 1;
    size_t now = (size_t)history->step % ring;
    memset(history->right, 0, (size_t)history->size * sizeof(double));
    memcpy(history->pastP + now * columns, traction, columns * sizeof(double));
    for (size_t k = 0; k < ring && (long)k <= history->step; k++)
    {
        size_t then = (now + ring - k) % ring;
        AddProduct(history, 1.0, history->matrices->g + k * rows * columns, (int)columns,
                   history->pastP + then * columns);
        if (k == 0)
            continue;
        AddProduct(history, -1.0, history->matrices->h + k * rows * rows, (int)rows, history->pastU + then * rows);
        if (history->bordered)
            AddProduct(history, 1.0, history->body + k * rows * 6, 6, history->pastA + then * 6);
    }
    qvDense_SolveLu(history->size, history->factors, history->size, history->pivots, true, 1, history->right,
                    history->size);
    memcpy(u, history->right, rows * sizeof(double));
    memcpy(history->pastU + now * rows, u, rows * sizeof(double));
    double none[6] = { 0.0 };
    const double* found = history->bordered ? history->right + rows : none;
    memcpy(history->pastA + now * 6, found, sizeof(none));
    if (acceleration != NULL)
        memcpy(acceleration, found, sizeof(none));
    history->step++;
}
