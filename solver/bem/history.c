// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, eq. 9, with the bordered step of bem/history.h.
//   h, g         H_k, G_k for k >= 1: [k - 1][rows][...] as floats, or squeezed
//   repair       dH_k R of the orthonormal rigid motions R: [k - 1][rows][6]
//   body         D_k and Q_k: [k][rows][6]
//   now          what loads of the step do: [answer x columns]
//   past         how many steps, then a ring of the last ones: u, loads and (a, alpha)
#include "bem/history.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "bem/positive.h"
#include "bem/radial.h"
#include "bem/squeeze.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "math/dense_lu.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TOGETHER = 16, // channels that are assembled at once
    GRAIN = 16,    // rows per piece of work
    LANES = 8,
    SOLVED = 128, // columns between questions to the job
};

struct qvBemHistory
{
    qvBemHistoryDef def;
    int rows, columns, last, size; // size of the system: rows, and 6 when bordered
    int nodeColumns;               // of G as it is assembled
    double *body, *factors, *now, *basis, *repair;
    int* pivots;
    float *h, *g;
    qvSqueezeBasis order;
    qvSqueezed *squeezedH, *squeezedG;
    qvBemMatrices* matrices; // those that are in work
};

qvBemHistoryDef qvDefaultBemHistoryDef(void)
{
    return (qvBemHistoryDef){ .material = { 1.0, 1.0, 0.3 },
                              .bordered = true,
                              .ratio = 1.0,
                              .quadrature = qvStandardQuadrature(),
                              .tableStep = 0.05,
                              .maxBytes = 2e9 };
}

static bool IsSqueezed(const qvBemHistory* history)
{
    return history->def.ratio > 1.0;
}

// --- Rigid motions --------------------------------------------------------------------------------------------------

// H times the rigid motions: out [rows][6]. A row h of a vertex at the arm r gives h and, for e x r with the axes e, r
// x h.
static void RigidProduct(const qvBemSurface* surface, const double* h, double* out)
{
    size_t rows = 3 * (size_t)surface->vertexCount;
    for (size_t i = 0; i < rows; i++)
    {
        qvVec3 shift = { 0.0, 0.0, 0.0 }, turn = { 0.0, 0.0, 0.0 };
        for (int v = 0; v < surface->vertexCount; v++)
        {
            const double* entry = h + i * rows + 3 * (size_t)v;
            qvVec3 here = qvMakeVec3(entry[0], entry[1], entry[2]);
            shift = qvAdd(shift, here);
            turn = qvAdd(turn, qvCross(qvSub(surface->vertices[v], surface->centroid), here));
        }
        const double six[6] = { shift.x, shift.y, shift.z, turn.x, turn.y, turn.z };
        memcpy(out + 6 * i, six, sizeof(six));
    }
}

// From H_k times rigid motions to D_k and Q_k.
static void SumTwice(size_t rows, int last, double dt, double* out)
{
    for (size_t i = 0; i < (size_t)(last + 1) * rows * 6; i++)
        out[i] *= -dt * dt;
    for (int round = 0; round < 2; round++)
    {
        for (size_t i = rows * 6; i < (size_t)(last + 1) * rows * 6; i++)
            out[i] += out[i - rows * 6];
    }
}

void qvBemBodyRows(const qvBemSurface* surface, const qvBemMatrices* matrices, double dt, double* out)
{
    size_t rows = (size_t)matrices->rows;
    for (size_t k = 0; k < (size_t)matrices->channels; k++)
        RigidProduct(surface, matrices->h + k * rows * rows, out + k * rows * 6);
    SumTwice(rows, matrices->channels - 1, dt, out);
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

static qvResult MakeBasis(qvBemHistory* history, qvError* error)
{
    const qvBemSurface* surface = history->def.surface;
    double triangle[36];
    for (int v = 0; v < surface->vertexCount; v++)
    {
        for (int m = 0; m < 6; m++)
        {
            qvVec3 rigid = qvBemRigid(surface, m, surface->vertices[v]);
            double* to = history->basis + (size_t)m * (size_t)history->rows + 3 * v;
            to[0] = rigid.x;
            to[1] = rigid.y;
            to[2] = rigid.z;
        }
    }
    return qvDense_QR(history->rows, 6, history->basis, history->rows, triangle, error);
}

// --- Products -------------------------------------------------------------------------------------------------------

// Sums of lanes that do not depend on each other: fast without another order of additions.
static double Dot(const float* a, const double* b, int count)
{
    double lanes[LANES] = { 0.0 }, sum = 0.0;
    int i = 0;
    for (; i + LANES <= count; i += LANES)
    {
        for (int k = 0; k < LANES; k++)
            lanes[k] += (double)a[i + k] * b[i + k];
    }
    for (; i < count; i++)
        sum += (double)a[i] * b[i];
    for (int k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

// --- Making ---------------------------------------------------------------------------------------------------------

// Of channel c of those that are in work: G for the loads that are wanted, by rows.
static void GatherLoads(const qvBemHistory* history, int c, double* g)
{
    const qvBemSurface* surface = history->def.surface;
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns, wide = (size_t)history->nodeColumns;
    const double *from = history->matrices->g + (size_t)c * rows * wide, share = 1.0 / history->def.material.shear;
    memset(g, 0, rows * columns * sizeof(double));
    for (size_t i = 0; i < rows; i++)
    {
        for (size_t n = 0; n < wide; n++)
        {
            size_t node = n / 3, vertex = (size_t)surface->nodeVertex[node];
            if (history->def.onVertices)
                g[i * columns + 3 * vertex + n % 3] += share * from[i * wide + n] / surface->vertexArea[vertex];
            else
                g[i * columns + n] = share * from[i * wide + n];
        }
    }
}

// The bordered system by rows, which LAPACK reads as its transpose, and what loads do in their own step.
static qvResult FactorSystem(qvBemHistory* history, const double* h, const double* g, const qvJob* job, qvError* error)
{
    size_t rows = (size_t)history->rows, size = (size_t)history->size, columns = (size_t)history->columns;
    for (size_t i = 0; i < rows; i++)
    {
        memcpy(history->factors + i * size, h + i * rows, rows * sizeof(double));
        for (size_t m = 0; history->def.bordered && m < 6; m++) // D_0, Q_0
            history->factors[i * size + rows + m] = history->def.dt * history->def.dt * history->body[i * 6 + m];
    }
    if (history->def.bordered)
    {
        double* border = qvAllocate(6 * rows, sizeof(double));
        if (border == NULL)
            return qvError_OutOfMemory(error, 48.0 * (double)rows);
        qvBemRigidRows(history->def.surface, border);
        for (size_t m = 0; m < 6; m++)
            memcpy(history->factors + (rows + m) * size, border + m * rows, rows * sizeof(double));
        free(border);
    }
    qvResult result = qvDense_FactorLu((int)size, history->factors, (int)size, history->pivots, job, error);
    for (size_t j = 0; result == qv_ok && j < columns; j++)
    {
        for (size_t i = 0; i < rows; i++)
            history->now[j * size + i] = g[i * columns + j];
    }
    for (size_t j = 0; result == qv_ok && j < columns; j += SOLVED)
    {
        size_t count = columns - j < SOLVED ? columns - j : SOLVED;
        qvDense_SolveLu((int)size, history->factors, (int)size, history->pivots, true, (int)count,
                        history->now + j * size, (int)size);
        result = qvJob_Ask(job, error);
    }
    return result;
}

// Keeps H_k and G_k for the past, and what that does to rigid motions.
static qvResult KeepPlain(qvBemHistory* history, size_t k, const double* h, const double* g)
{
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns;
    float *toH = history->h + (k - 1) * rows * rows, *toG = history->g + (k - 1) * rows * columns;
    for (size_t i = 0; i < rows * rows; i++)
        toH[i] = (float)h[i];
    for (size_t i = 0; i < rows * columns; i++)
        toG[i] = (float)g[i];
    return qv_ok;
}

static qvResult KeepSqueezed(qvBemHistory* history, size_t k, const double* h, const double* g, qvError* error)
{
    double ratio = history->def.ratio;
    qvResult result = qvMakeSqueezed(&history->order, h, ratio, &history->squeezedH[k - 1], error);
    return result == qv_ok ? qvMakeSqueezed(&history->order, g, ratio, &history->squeezedG[k - 1], error) : result;
}

// dH R: what is kept times the basis, less what H does to it.
static qvResult FindRepair(qvBemHistory* history, size_t k, const double* h, qvError* error)
{
    size_t rows = (size_t)history->rows;
    double *scratch = qvAllocate(3 * rows, sizeof(double)), *repair = history->repair + (k - 1) * rows * 6;
    if (scratch == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)rows);
    for (size_t m = 0; m < 6; m++)
    {
        const double* motion = history->basis + m * rows;
        double *kept = scratch + rows, *turned = scratch + 2 * rows;
        if (IsSqueezed(history))
        {
            qvSqueezeBasis_Forward(&history->order, motion, scratch);
            for (size_t i = 0; i < rows; i++)
                turned[i] = qvSqueezed_Row(&history->squeezedH[k - 1], (int)i, scratch);
            qvSqueezeBasis_Backward(&history->order, turned, kept);
        }
        for (size_t i = 0; i < rows; i++)
        {
            double exact = 0.0;
            for (size_t j = 0; j < rows; j++)
                exact += h[i * rows + j] * motion[j];
            if (!IsSqueezed(history))
                kept[i] = Dot(history->h + (k - 1) * rows * rows + i * rows, motion, (int)rows);
            repair[i * 6 + m] = kept[i] - exact;
        }
    }
    free(scratch);
    return qv_ok;
}

static qvResult TakeChannel(qvBemHistory* history, int c, size_t k, double* g, const qvJob* job, qvError* error)
{
    size_t rows = (size_t)history->rows;
    const double* h = history->matrices->h + (size_t)c * rows * rows;
    GatherLoads(history, c, g);
    RigidProduct(history->def.surface, h, history->body + k * rows * 6);
    if (k == 0)
        return FactorSystem(history, h, g, job, error);
    qvResult result = IsSqueezed(history) ? KeepSqueezed(history, k, h, g, error) : KeepPlain(history, k, h, g);
    return result == qv_ok ? FindRepair(history, k, h, error) : result;
}

// Some channels of the table, of which the first is weight k.
static qvResult TakeChannels(qvBemHistory* history, const qvBemTable* all, int k, const qvJob* job, qvError* error)
{
    int count = history->last + 1 - k < TOGETHER ? history->last + 1 - k : TOGETHER;
    qvBemTable* table;
    qvJob quiet = qvQuietJob(job);
    qvResult result = qvCreateBemTablePart(all, k, count, &table, error);
    if (result != qv_ok)
        return result;
    result = qvJob_Progress(job, "history of the surface", (double)k / (history->last + 1), error);
    if (result == qv_ok)
        result =
            qvAssembleBem(history->def.surface, table, &history->def.quadrature, &quiet, &history->matrices, error);
    qvDestroyBemTable(table);
    double* g = qvAllocateRaw((size_t)history->rows * (size_t)history->columns, sizeof(double));
    if (result == qv_ok && g == NULL)
        result = qvError_OutOfMemory(error, 8.0 * history->rows * history->columns);
    for (int c = 0; result == qv_ok && c < count; c++)
    {
        result = TakeChannel(history, c, (size_t)(k + c), g, job, error);
        if (result == qv_ok)
            result = qvJob_Ask(job, error);
    }
    free(g);
    qvDestroyBemMatrices(history->matrices);
    history->matrices = NULL;
    return result;
}

static bool AllocateHistory(qvBemHistory* history)
{
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns, size = (size_t)history->size;
    size_t steps = (size_t)history->last;
    history->body = qvAllocate((steps + 1) * rows, 6 * sizeof(double));
    history->factors = qvAllocate(size * size, sizeof(double));
    history->pivots = qvAllocate(size, sizeof(int));
    history->now = qvAllocate(size * columns, sizeof(double));
    history->basis = qvAllocate(6 * rows, sizeof(double));
    history->repair = qvAllocate(steps * rows, 6 * sizeof(double));
    if (IsSqueezed(history))
    {
        history->squeezedH = qvAllocate(steps, sizeof(*history->squeezedH));
        history->squeezedG = qvAllocate(steps, sizeof(*history->squeezedG));
    }
    else
    {
        history->h = qvAllocateRaw(steps * rows * rows, sizeof(float));
        history->g = qvAllocateRaw(steps * rows * columns, sizeof(float));
    }
    return history->body != NULL && history->factors != NULL && history->pivots != NULL && history->now != NULL &&
           history->basis != NULL && history->repair != NULL &&
           (IsSqueezed(history) ? history->squeezedH != NULL && history->squeezedG != NULL
                                : history->h != NULL && history->g != NULL);
}

static double BytesOf(const qvBemHistory* history)
{
    double rows = history->rows, each = IsSqueezed(history) ? 6.0 / history->def.ratio : 4.0;
    return each * history->last * rows * (rows + history->columns) + 96.0 * history->last * rows +
           8.0 * history->size * ((double)history->size + history->columns);
}

static qvResult CheckSize(const qvBemHistory* history, qvError* error)
{
    double bytes = BytesOf(history);
    if (bytes <= history->def.maxBytes)
        return qv_ok;
    return qvError_Set(error, qv_outOfMemory,
                       "the full history of %d points over %d steps takes %.1f GB, and %.1f GB are allowed; lower "
                       "detail below %d, compress it, or let modes move the body",
                       history->def.surface->vertexCount, history->last, bytes / 1e9, history->def.maxBytes / 1e9,
                       (int)(history->def.surface->vertexCount * sqrt(history->def.maxBytes / bytes)));
}

static qvResult Fill(qvBemHistory* history, const qvJob* job, qvError* error)
{
    const qvBemHistoryDef* def = &history->def;
    qvResult result = CheckSize(history, error);
    if (result == qv_ok && !AllocateHistory(history))
        result = qvError_OutOfMemory(error, BytesOf(history));
    if (result == qv_ok && IsSqueezed(history))
        result = qvMakeSqueezeBasis(def->surface->vertices, def->surface->vertexCount, &history->order, error);
    if (result == qv_ok)
        result = MakeBasis(history, error);
    qvBemTable* table = NULL;
    if (result == qv_ok)
        result = qvCreateBdf1Table(qvBemKappa(def->material.poisson), qvBemShearSpeed(&def->material) * def->dt,
                                   history->last, def->surface->diameter, def->tableStep, &table, error);
    for (int k = 0; result == qv_ok && k <= history->last; k += TOGETHER)
        result = TakeChannels(history, table, k, job, error);
    qvDestroyBemTable(table);
    if (result == qv_ok)
        SumTwice((size_t)history->rows, history->last, def->dt, history->body);
    return result;
}

qvResult qvCreateBemHistory(const qvBemHistoryDef* def, const qvJob* job, qvBemHistory** out, qvError* error)
{
    QV_ASSERT(def->surface != NULL && def->dt > 0.0 && def->last >= 0 && def->ratio >= 1.0);
    QV_ASSERT(def->ratio == 1.0 || def->onVertices);
    *out = NULL;
    qvBemHistory* history = qvAllocate(1, sizeof(*history));
    if (history == NULL)
        return qvError_OutOfMemory(error, sizeof(*history));
    history->def = *def;
    history->rows = 3 * def->surface->vertexCount;
    history->nodeColumns = 3 * def->surface->nodeCount;
    history->columns = def->onVertices ? history->rows : history->nodeColumns;
    history->size = history->rows + (def->bordered ? 6 : 0);
    double shearStep = qvBemShearSpeed(&def->material) * def->dt;
    history->last = def->last > 0 ? def->last : qvBemHistoryLength(def->surface->diameter, shearStep);
    qvResult result = Fill(history, job, error);
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
    for (int k = 0; history->squeezedH != NULL && history->squeezedG != NULL && k < history->last; k++)
    {
        qvFreeSqueezed(&history->squeezedH[k]);
        qvFreeSqueezed(&history->squeezedG[k]);
    }
    qvFreeSqueezeBasis(&history->order);
    free(history->squeezedH);
    free(history->squeezedG);
    free(history->h);
    free(history->g);
    free(history->body);
    free(history->factors);
    free(history->pivots);
    free(history->now);
    free(history->basis);
    free(history->repair);
    free(history);
}

// --- What it is -----------------------------------------------------------------------------------------------------

double qvBemHistory_TimeStep(const qvBemHistory* history)
{
    return history->def.dt;
}

double qvBemHistory_Bytes(const qvBemHistory* history)
{
    return BytesOf(history);
}

double qvBemHistory_Error(const qvBemHistory* history)
{
    return IsSqueezed(history) ? history->squeezedH[0].error : 0.0;
}

int qvBemHistory_AnswerSize(const qvBemHistory* history)
{
    return history->size;
}

const double* qvBemHistory_Now(const qvBemHistory* history)
{
    return history->now;
}

qvResult qvBemHistory_Compliance(const qvBemHistory* history, float* compliance, const qvJob* job, qvError* error)
{
    QV_ASSERT(history->def.onVertices);
    size_t rows = (size_t)history->rows, size = (size_t)history->size;
    double* c = qvAllocateRaw(2 * rows * rows, sizeof(double));
    if (c == NULL)
        return qvError_OutOfMemory(error, 16.0 * (double)(rows * rows));
    for (size_t i = 0; i < rows * rows; i++)
        c[i] = 0.5 * (history->now[i / rows * size + i % rows] + history->now[i % rows * size + i / rows]);
    double shift;
    qvResult result = qvMakePositive(history->rows, c, c + rows * rows, &shift, job, error);
    for (size_t i = 0; i < rows * rows; i++)
        compliance[i] = (float)c[i];
    free(c);
    return result;
}

// --- Steps ----------------------------------------------------------------------------------------------------------

// The parts of a past.
typedef struct Past
{
    double *steps, *u, *loads, *bodies; // [1], [last][...]
} Past;

static Past Divide(const qvBemHistory* history, double* past)
{
    size_t last = (size_t)history->last;
    Past parts = { .steps = past, .u = past + 1 };
    parts.loads = parts.u + last * (size_t)history->rows;
    parts.bodies = parts.loads + last * (size_t)history->columns;
    return parts;
}

int qvBemHistory_PastSize(const qvBemHistory* history)
{
    return 1 + history->last * (history->rows + history->columns + 6);
}

typedef struct Recall
{
    const qvBemHistory* history;
    Past past;
    size_t steps;            // that count
    const double *u, *loads; // [k - 1][...] as the matrices want them
    const double* shares;    // [k - 1][6] of rigid motions in u
    double* right;           // [rows]: in the basis of compression where there is one
    double* plain;           // [rows]: what is not compressed
} Recall;

static size_t Slot(const Recall* recall, size_t k)
{
    return ((size_t)recall->past.steps[0] - k) % (size_t)recall->history->last;
}

static void RecallRows(void* context, int begin, int end)
{
    const Recall* recall = context;
    const qvBemHistory* history = recall->history;
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns;
    for (size_t k = 1; k <= recall->steps; k++)
    {
        const double *u = recall->u + (k - 1) * rows, *loads = recall->loads + (k - 1) * columns;
        const double *shares = recall->shares + (k - 1) * 6, *a = recall->past.bodies + Slot(recall, k) * 6;
        for (size_t i = (size_t)begin; i < (size_t)end; i++)
        {
            const double *repair = history->repair + ((k - 1) * rows + i) * 6,
                         *body = history->body + (k * rows + i) * 6;
            if (IsSqueezed(history))
                recall->right[i] += qvSqueezed_Row(&history->squeezedG[k - 1], (int)i, loads) -
                                    qvSqueezed_Row(&history->squeezedH[k - 1], (int)i, u);
            else
                recall->right[i] += Dot(history->g + ((k - 1) * rows + i) * columns, loads, (int)columns) -
                                    Dot(history->h + ((k - 1) * rows + i) * rows, u, (int)rows);
            for (int m = 0; m < 6; m++)
                recall->plain[i] += repair[m] * shares[m] + (history->def.bordered ? body[m] * a[m] : 0.0);
        }
    }
}

// The vectors of the past in the order of the matrices, and their rigid shares.
static void Gather(const Recall* recall, double* u, double* loads, double* shares)
{
    const qvBemHistory* history = recall->history;
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns;
    for (size_t k = 1; k <= recall->steps; k++)
    {
        const double* fromU = recall->past.u + Slot(recall, k) * rows;
        const double* fromLoads = recall->past.loads + Slot(recall, k) * columns;
        for (size_t m = 0; m < 6; m++)
        {
            const double* motion = history->basis + m * rows;
            double sum = 0.0;
            for (size_t i = 0; i < rows; i++)
                sum += motion[i] * fromU[i];
            shares[(k - 1) * 6 + m] = sum;
        }
        if (IsSqueezed(history))
        {
            qvSqueezeBasis_Forward(&history->order, fromU, u + (k - 1) * rows);
            qvSqueezeBasis_Forward(&history->order, fromLoads, loads + (k - 1) * columns);
        }
        else
        {
            memcpy(u + (k - 1) * rows, fromU, rows * sizeof(double));
            memcpy(loads + (k - 1) * columns, fromLoads, columns * sizeof(double));
        }
    }
}

qvResult qvBemHistory_Recall(const qvBemHistory* history, const double* past, qvPool* pool, double* answer,
                             qvError* error)
{
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns, last = (size_t)history->last;
    size_t room = last * (rows + columns + 6) + 2 * rows;
    double* u = qvAllocate(room, sizeof(double));
    if (u == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)room);
    double *loads = u + last * rows, *shares = loads + last * columns, *right = shares + last * 6;
    Recall recall = { .history = history,
                      .past = Divide(history, (double*)past), // read only
                      .steps = (size_t)fmin(past[0], (double)last),
                      .u = u,
                      .loads = loads,
                      .shares = shares,
                      .right = right,
                      .plain = right + rows };
    Gather(&recall, u, loads, shares);
    qvParallelFor(pool, history->rows, GRAIN, RecallRows, &recall);
    memset(answer, 0, (size_t)history->size * sizeof(double));
    if (IsSqueezed(history))
        qvSqueezeBasis_Backward(&history->order, right, answer);
    else
        memcpy(answer, right, rows * sizeof(double));
    for (size_t i = 0; i < rows; i++)
        answer[i] += recall.plain[i];
    free(u);
    qvDense_SolveLu(history->size, history->factors, history->size, history->pivots, true, 1, answer, history->size);
    return qv_ok;
}

void qvBemHistory_Remember(const qvBemHistory* history, double* past, const double* loads, const double* answer)
{
    Past parts = Divide(history, past);
    size_t rows = (size_t)history->rows, columns = (size_t)history->columns;
    size_t slot = (size_t)parts.steps[0] % (size_t)history->last;
    memcpy(parts.u + slot * rows, answer, rows * sizeof(double));
    memcpy(parts.loads + slot * columns, loads, columns * sizeof(double));
    if (history->def.bordered)
        memcpy(parts.bodies + slot * 6, answer + rows, 6 * sizeof(double));
    parts.steps[0] += 1.0;
}

void qvBemHistory_Last(const qvBemHistory* history, const double* past, const double** u, const double** before)
{
    size_t steps = (size_t)past[0], last = (size_t)history->last, rows = (size_t)history->rows;
    *u = steps > 0 ? past + 1 + (steps - 1) % last * rows : NULL;
    *before = steps > 1 && last > 1 ? past + 1 + (steps - 2) % last * rows : NULL;
}

qvResult qvBemHistory_Step(const qvBemHistory* history, double* past, const double* loads, double* u,
                           double* acceleration, qvError* error)
{
    size_t size = (size_t)history->size, rows = (size_t)history->rows;
    double* answer = qvAllocate(size, sizeof(double));
    if (answer == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)size);
    qvResult result = qvBemHistory_Recall(history, past, NULL, answer, error);
    if (result == qv_ok)
    {
        qvBlas_Multiply(false, false, history->size, 1, history->columns, 1.0, history->now, history->size, loads,
                        history->columns, 1.0, answer, history->size);
        qvBemHistory_Remember(history, past, loads, answer);
        memcpy(u, answer, rows * sizeof(double));
        for (size_t m = 0; acceleration != NULL && m < 6; m++)
            acceleration[m] = history->def.bordered ? answer[rows + m] : 0.0;
    }
    free(answer);
    return result;
}
