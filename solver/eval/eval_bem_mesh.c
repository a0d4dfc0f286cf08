// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family G on meshes: mass, static rows, blocks in the Laplace domain and in time, histories, modes.
#include "eval/eval_bem.h"

#include "base/memory.h"
#include "bem/history.h"
#include "bem/radial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_STEPS = 10000
};

static const double TABLE_STEP = 0.01; // exact to 1e-10

static qvResult ReadVertex(const qvJson* in, const char* name, const qvBemSurface* surface, int* vertex, qvError* error)
{
    return qvEval_ReadInt(in, name, 0, surface->vertexCount - 1, vertex, error);
}

static qvResult RunMass(const qvJson* in, qvJson* out, qvError* error)
{
    qvBemSurface* surface;
    double density;
    qvResult result = qvEval_ReadRange(in, "rho", 1e-30, 1e30, &density, error);
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &surface, error);
    if (result != qv_ok)
        return result;
    qvMat3 inertia = surface->inertia;
    for (int i = 0; i < 9; i++)
        inertia.m[i / 3][i % 3] *= density;
    qvJson_AddNumber(out, "mass", density * surface->volume);
    qvEval_AddVec3(out, "cm", surface->centroid);
    qvEval_AddMat3(out, "inertia", &inertia);
    qvDestroyBemSurface(surface);
    return qv_ok;
}

// --- Static ---------------------------------------------------------------------------------------------------------

static void AddStatic(const qvBemSurface* surface, const qvBemMaterial* material, int vertex, const double* h,
                      double* g, qvJson* out)
{
    int rows = 3 * surface->vertexCount;
    qvMat3 diagonal, c = qvBemVertexFreeTerm(surface, vertex, material->poisson);
    for (int i = 0; i < rows * rows; i++)
        g[i] /= material->shear;
    for (int i = 0; i < 9; i++)
        diagonal.m[i / 3][i % 3] = h[(3 * vertex + i / 3) * rows + 3 * vertex + i % 3];
    qvEval_AddRows(out, "H_rows", h + 3 * vertex * rows, 3, rows);
    qvEval_AddRows(out, "G_rows", g + 3 * vertex * rows, 3, rows);
    qvEval_AddMat3(out, "diag_block", &diagonal);
    qvEval_AddMat3(out, "free_term", &c);
    qvJson_AddNumber(out, "solid_angle", qvBemSolidAngle(surface, vertex));
}

static qvResult RunStatic(const qvJson* in, qvJson* out, qvError* error)
{
    qvBemMaterial material;
    qvBemSurface* surface = NULL;
    int vertex;
    qvResult result = qvEval_ReadBemMaterial(in, false, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &surface, error);
    if (result == qv_ok)
        result = ReadVertex(in, "vertex", surface, &vertex, error);
    if (result != qv_ok)
        goto done;
    size_t rows = 3 * (size_t)surface->vertexCount;
    double *h = qvAllocate(2 * rows * rows, sizeof(double)), *g = h + rows * rows;
    qvBemQuadrature fine = qvFineQuadrature();
    if (h == NULL)
        result = qvError_OutOfMemory(error, 16.0 * (double)(rows * rows));
    else
        result = qvAssembleBemStatic(surface, qvBemKappa(material.poisson), &fine, NULL, h, g, error);
    if (result == qv_ok)
        AddStatic(surface, &material, vertex, h, g, out);
    free(h);
done:
    qvDestroyBemSurface(surface);
    return result;
}

// --- Laplace domain -------------------------------------------------------------------------------------------------

// Block (i, j) of a complex matrix whose real and imaginary parts are two channels.
static qvMat3c ComplexBlock(const double* channels, int rows, int i, int j, double factor)
{
    qvMat3c block;
    for (int n = 0; n < 9; n++)
    {
        size_t at = (size_t)(3 * i + n / 3) * (size_t)rows + (size_t)(3 * j + n % 3);
        block.m[n / 3][n % 3] = factor * qvComplex(channels[at], channels[(size_t)rows * (size_t)rows + at]);
    }
    return block;
}

// -H(s) [rigid motions about xbar]/s^2 in the rows of a vertex.
static void AddBody(const qvBemSurface* surface, const double* h, double complex s, int vertex, qvVec3 xbar,
                    qvJson* out)
{
    qvMat3c sums[2] = { { { { 0.0 } } }, { { { 0.0 } } } };
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvMat3c block = ComplexBlock(h, 3 * surface->vertexCount, vertex, v, 1.0);
        qvVec3 arm = qvSub(surface->vertices[v], xbar);
        for (int n = 0; n < 9; n++)
        {
            int i = n / 3, m = n % 3;
            qvVec3 axis = qvMakeVec3(m == 0, m == 1, m == 2), turn = qvCross(axis, arm);
            sums[0].m[i][m] -= block.m[i][m] / (s * s);
            sums[1].m[i][m] -= (block.m[i][0] * turn.x + block.m[i][1] * turn.y + block.m[i][2] * turn.z) / (s * s);
        }
    }
    qvEval_AddComplex(out, "D_i", &sums[0]);
    qvEval_AddComplex(out, "Q_i", &sums[1]);
}

static qvResult RunFrequency(const qvJson* in, qvJson* out, qvError* error)
{
    qvBemMaterial material;
    qvBemSurface* surface = NULL;
    qvBemTable* table = NULL;
    qvBemMatrices* matrices = NULL;
    double complex s;
    qvVec3 xbar;
    int i, j;
    qvResult result = qvEval_ReadBemMaterial(in, true, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &surface, error);
    if (result == qv_ok)
        result = ReadVertex(in, "i", surface, &i, error);
    if (result == qv_ok)
        result = ReadVertex(in, "j", surface, &j, error);
    if (result == qv_ok)
        result = qvEval_ReadComplex(in, "s", &s, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "xbar", &xbar, error);
    if (result == qv_ok)
    {
        double complex reduced = s / qvBemShearSpeed(&material);
        const qvBemChannel channels[2] = { { reduced, qv_bemReal }, { reduced, qv_bemImaginary } };
        result = qvCreateLaplaceTable(qvBemKappa(material.poisson), channels, 2, surface->diameter, TABLE_STEP, &table,
                                      error);
    }
    qvBemQuadrature fine = qvFineQuadrature();
    if (result == qv_ok)
        result = qvAssembleBem(surface, table, &fine, NULL, &matrices, error);
    if (result == qv_ok)
    {
        qvMat3c hii = ComplexBlock(matrices->h, matrices->rows, i, i, 1.0);
        qvMat3c hij = ComplexBlock(matrices->h, matrices->rows, i, j, 1.0);
        qvMat3c gii = ComplexBlock(matrices->g, matrices->rows, i, i, 1.0 / material.shear);
        qvMat3c gij = ComplexBlock(matrices->g, matrices->rows, i, j, 1.0 / material.shear);
        qvEval_AddComplex(out, "H_ii", &hii);
        qvEval_AddComplex(out, "H_ij", &hij);
        qvEval_AddComplex(out, "G_ii", &gii);
        qvEval_AddComplex(out, "G_ij", &gij);
        AddBody(surface, matrices->h, s, i, xbar, out);
    }
    qvDestroyBemMatrices(matrices);
    qvDestroyBemTable(table);
    qvDestroyBemSurface(surface);
    return result;
}

// --- Time -----------------------------------------------------------------------------------------------------------

static qvResult RunRadial(const qvJson* in, qvJson* out, qvError* error)
{
    static const char* const names[qv_radialCount] = { "A", "B", "a", "b", "d" };
    double poisson, xi;
    int last;
    qvResult result = qvEval_ReadRange(in, "nu", -0.99, 0.5, &poisson, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "xi", 1e-6, 1e5, &xi, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "K", 0, MAX_STEPS, &last, error);
    if (result != qv_ok)
        return result;
    size_t scratch = (size_t)qvBemRadial_Bdf1Scratch(xi, last), count = (size_t)last + 1;
    double* memory = qvAllocate(scratch + qv_radialCount * count, sizeof(double));
    if (memory == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)scratch);
    qvBemRadial_Bdf1(qvBemKappa(poisson), xi, last, memory + scratch, memory);
    for (size_t f = 0; f < qv_radialCount; f++)
        qvJson_AddNumbers(out, names[f], memory + scratch + f * count, (int)count);
    free(memory);
    return qv_ok;
}

static void AddWeights(qvJson* out, const char* name, const double* matrices, int steps, int rows, int width, int row,
                       int column)
{
    qvJson* list = qvJson_AddArray(out, name);
    for (int k = 0; k < steps; k++)
    {
        qvMat3 block;
        for (int n = 0; n < 9; n++)
            block.m[n / 3][n % 3] =
                matrices[((size_t)k * (size_t)rows + (size_t)(row + n / 3)) * (size_t)width + (size_t)(column + n % 3)];
        qvEval_AddMat3(list, NULL, &block);
    }
}

static qvResult RunBlocks(const qvJson* in, qvJson* out, qvError* error)
{
    qvBemMaterial material;
    qvBemSurface* surface = NULL;
    qvBemTable* table = NULL;
    qvBemMatrices* matrices = NULL;
    double dt, *body = NULL;
    int i, j, last;
    qvResult result = qvEval_ReadBemMaterial(in, true, &material, error);
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &surface, error);
    if (result == qv_ok)
        result = ReadVertex(in, "i", surface, &i, error);
    if (result == qv_ok)
        result = ReadVertex(in, "j", surface, &j, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "dt", 1e-30, 1e30, &dt, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "K", 0, MAX_STEPS, &last, error);
    if (result == qv_ok)
        result = qvCreateBdf1Table(qvBemKappa(material.poisson), qvBemShearSpeed(&material) * dt, last,
                                   surface->diameter, TABLE_STEP, &table, error);
    qvBemQuadrature fine = qvFineQuadrature();
    if (result == qv_ok)
        result = qvAssembleBem(surface, table, &fine, NULL, &matrices, error);
    if (result == qv_ok)
    {
        body = qvAllocate((size_t)(last + 1) * (size_t)matrices->rows, 6 * sizeof(double));
        if (body == NULL)
            result = qvError_OutOfMemory(error, 48.0 * last * matrices->rows);
    }
    if (result == qv_ok)
    {
        int rows = matrices->rows;
        qvBemBodyRows(surface, matrices, dt, body);
        for (size_t n = 0; n < (size_t)(last + 1) * (size_t)rows * (size_t)rows; n++)
            matrices->g[n] /= material.shear;
        AddWeights(out, "H_ii", matrices->h, last + 1, rows, rows, 3 * i, 3 * i);
        AddWeights(out, "H_ij", matrices->h, last + 1, rows, rows, 3 * i, 3 * j);
        AddWeights(out, "G_ii", matrices->g, last + 1, rows, rows, 3 * i, 3 * i);
        AddWeights(out, "G_ij", matrices->g, last + 1, rows, rows, 3 * i, 3 * j);
        AddWeights(out, "D_i", body, last + 1, rows, 6, 3 * i, 0);
        AddWeights(out, "Q_i", body, last + 1, rows, 6, 3 * i, 3);
    }
    free(body);
    qvDestroyBemMatrices(matrices);
    qvDestroyBemTable(table);
    qvDestroyBemSurface(surface);
    return result;
}

typedef struct HistoryCase
{
    qvBemSurface* surface;
    qvBemHistoryDef def;
    double *traction, *none, *u; // [3 vertices] each
    int loadSteps, steps, watched[2];
} HistoryCase;

static qvResult ReadHistory(const qvJson* in, HistoryCase* item, qvError* error)
{
    int rows;
    double watched[2];
    item->def = qvDefaultBemHistoryDef();
    item->def.quadrature = qvFineQuadrature();
    item->def.tableStep = TABLE_STEP;
    qvResult result = qvEval_ReadBemMaterial(in, true, &item->def.material, error);
    if (result == qv_ok)
        result = qvEval_ReadSurface(in, &item->surface, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "dt", 1e-30, 1e30, &item->def.dt, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "K", 1, MAX_STEPS, &item->def.last, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "load_steps", 0, MAX_STEPS, &item->loadSteps, error);
    if (result == qv_ok)
        result = qvEval_ReadInt(in, "steps", 1, MAX_STEPS, &item->steps, error);
    if (result == qv_ok)
        result = qvEval_ReadRows(in, "traction", 3, item->surface->vertexCount, &rows, &item->traction, error);
    if (result == qv_ok && rows != item->surface->vertexCount)
        result =
            qvError_Set(error, qv_badInput, "in.traction: must be a list of %d vectors", item->surface->vertexCount);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", "vertices", 2, watched, error);
    if (result != qv_ok)
        return result;
    for (int k = 0; k < 2; k++)
    {
        if (!(watched[k] >= 0.0 && watched[k] < item->surface->vertexCount))
            return qvError_Set(error, qv_badInput, "in.vertices: must be two vertices");
        item->watched[k] = (int)watched[k];
    }
    item->def.surface = item->surface;
    item->none = qvAllocate(3 * (size_t)rows, sizeof(double));
    item->u = qvAllocate(3 * (size_t)rows, sizeof(double));
    return item->none != NULL && item->u != NULL ? qv_ok : qvError_OutOfMemory(error, 48.0 * rows);
}

static qvResult RunSteps(const HistoryCase* item, const qvBemHistory* history, qvJson* out, qvError* error)
{
    qvResult result = qv_ok;
    double* past = qvAllocate((size_t)qvBemHistory_PastSize(history), sizeof(double));
    if (past == NULL)
        return qvError_OutOfMemory(error, 8.0 * qvBemHistory_PastSize(history));
    qvJson* u = qvJson_AddArray(out, "u");
    qvJson* a = item->def.bordered ? qvJson_AddArray(out, "a") : NULL;
    qvJson* alpha = item->def.bordered ? qvJson_AddArray(out, "alpha") : NULL;
    for (int n = 0; result == qv_ok && n < item->steps; n++)
    {
        double acceleration[6];
        result = qvBemHistory_Step(history, past, n < item->loadSteps ? item->traction : item->none, item->u,
                                   acceleration, error);
        qvJson* row = qvJson_AddArray(u, NULL);
        for (int k = 0; k < 2; k++)
            qvJson_AddNumbers(row, NULL, item->u + 3 * item->watched[k], 3);
        if (a != NULL)
        {
            qvJson_AddNumbers(a, NULL, acceleration, 3);
            qvJson_AddNumbers(alpha, NULL, acceleration + 3, 3);
        }
    }
    free(past);
    return result;
}

static qvResult RunHistory(const qvJson* in, bool bordered, qvJson* out, qvError* error)
{
    HistoryCase item = { 0 };
    qvBemHistory* history = NULL;
    qvResult result = ReadHistory(in, &item, error);
    item.def.bordered = bordered;
    if (result == qv_ok)
        result = qvCreateBemHistory(&item.def, NULL, &history, error);
    if (result == qv_ok)
        result = RunSteps(&item, history, out, error);
    qvDestroyBemHistory(history);
    qvDestroyBemSurface(item.surface);
    free(item.traction);
    free(item.none);
    free(item.u);
    return result;
}

static qvResult RunInertial(const qvJson* in, qvJson* out, qvError* error)
{
    return RunHistory(in, false, out, error);
}

static qvResult RunBordered(const qvJson* in, qvJson* out, qvError* error)
{
    return RunHistory(in, true, out, error);
}

static const qvEvalOp ops[] = {
    { "mass_props", RunMass },
    { "bem_static_rows", RunStatic },
    { "bem_freq_blocks", RunFrequency },
    { "bem_bdf1_radial", RunRadial },
    { "bem_bdf1_blocks", RunBlocks },
    { "bem_history_inertial", RunInertial },
    { "bem_history_bordered", RunBordered },
};

const qvEvalTable qvEvalBemMesh = { ops, sizeof(ops) / sizeof(ops[0]) };
