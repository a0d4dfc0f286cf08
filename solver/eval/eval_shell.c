// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family D: the terms of Discrete Shells ("hinge", "edge", "area", "stvk_triangle") and a whole shell of
// two triangles ("shell_two_triangles").
#include "eval/eval.h"

#include "quaver/shell.h"

#include "elastic/elements.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MAX_CORNERS = 4,
    MAX_SIZE = 3 * MAX_CORNERS
};

static qvResult ReadNumber(const qvJson* in, const char* name, double minimum, double* value, qvError* error)
{
    if (!qvJson_IsNumber(qvJson_Find(in, name)))
        return qvError_Set(error, qv_badInput, "in.%s: must be a number", name);
    return qvJson_ReadNumber(in, "in", name, minimum, 1e60, value, error);
}

static qvResult ReadPoints(const qvJson* in, const char* name, int count, qvVec3* points, qvError* error)
{
    const qvJson* array = qvJson_Find(in, name);
    if (!qvJson_IsArray(array) || qvJson_Count(array) != count)
        return qvError_Set(error, qv_badInput, "in.%s: must be a list of %d points", name, count);
    int i = 0;
    for (const qvJson* item = qvJson_First(array); item != NULL; item = qvJson_Next(item), i++)
    {
        if (!qvJson_IsArray(item) || qvJson_Count(item) != 3)
            return qvError_Set(error, qv_badInput, "in.%s[%d]: must be a list of 3 numbers", name, i);
        double x[3];
        for (int k = 0; k < 3; k++)
        {
            const qvJson* number = qvJson_At(item, k);
            x[k] = qvJson_Number(number);
            if (!qvJson_IsNumber(number) || !(fabs(x[k]) < 1e60))
                return qvError_Set(error, qv_badInput, "in.%s[%d]: must be a list of 3 numbers", name, i);
        }
        points[i] = qvMakeVec3(x[0], x[1], x[2]);
    }
    return qv_ok;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

static void Flatten(const qvVec3* points, int count, double* flat)
{
    for (int i = 0; i < count; i++)
    {
        flat[3 * i] = points[i].x;
        flat[3 * i + 1] = points[i].y;
        flat[3 * i + 2] = points[i].z;
    }
}

static void AddFlat(qvJson* out, const char* name, const qvVec3* points, int count)
{
    double flat[MAX_SIZE];
    Flatten(points, count, flat);
    qvJson_AddNumbers(out, name, flat, 3 * count);
}

static void AddRows(qvJson* out, const char* name, const double* values, int rows, int columns)
{
    qvJson* array = qvJson_AddArray(out, name);
    for (int i = 0; i < rows; i++)
        qvJson_AddNumbers(array, NULL, values + i * columns, columns);
}

// A list of blocks (see elements.h) as a full matrix.
static void AddHessian(qvJson* out, const char* name, const qvBlock* blocks, int corners)
{
    double full[MAX_SIZE * MAX_SIZE];
    int size = 3 * corners;
    const qvBlock* below = blocks + corners;
    for (int j = 0; j < corners; j++)
    {
        for (int i = j; i < corners; i++)
        {
            const qvBlock* block = i == j ? &blocks[j] : below++;
            for (int n = 0; n < 9; n++)
            {
                int row = 3 * i + n / 3, column = 3 * j + n % 3;
                full[row * size + column] = full[column * size + row] = block->m[n / 3][n % 3];
            }
        }
    }
    AddRows(out, name, full, size, size);
}

// --- Single terms ----------------------------------------------------------------------------------------------------

static qvResult RunHinge(const qvJson* in, qvJson* out, qvError* error)
{
    qvVec3 x[4], rest[4], gradient[4];
    qvBlock blocks[qv_hingeBlocks];
    double angle, restAngle, flat[12];
    qvResult result = ReadPoints(in, "x", 4, x, error);
    if (result == qv_ok)
        result = ReadPoints(in, "x_rest", 4, rest, error);
    if (result != qv_ok)
        return result;
    if (!qvHingeAngle(x, &angle, gradient, blocks) || !qvHingeAngle(rest, &restAngle, NULL, NULL))
        return qvError_Set(error, qv_badInput, "in: a triangle of the hinge has no area");
    qvJson_AddNumber(out, "theta", angle);
    qvJson_AddNumber(out, "theta_rest", restAngle);
    Flatten(gradient, 4, flat);
    AddRows(out, "grad_theta", flat, 4, 3);
    AddHessian(out, "hess_theta", blocks, 4);
    double coefficient = qvHingeCoefficient(rest);
    qvJson_AddNumber(out, "coef_3e2_over_A", coefficient);
    qvJson_AddNumber(out, "E_bend", qvHingeTerm(x, restAngle, coefficient, gradient, blocks));
    AddFlat(out, "grad_E", gradient, 4);
    AddHessian(out, "hess_E", blocks, 4);
    return qv_ok;
}

static qvResult RunEdge(const qvJson* in, qvJson* out, qvError* error)
{
    qvVec3 x[2], gradient[2];
    qvBlock blocks[3];
    double rest, k;
    qvResult result = ReadPoints(in, "x", 2, x, error);
    if (result == qv_ok)
        result = ReadNumber(in, "L_rest", 1e-60, &rest, error);
    if (result == qv_ok)
        result = ReadNumber(in, "k", 0.0, &k, error);
    if (result != qv_ok)
        return result;
    qvJson_AddNumber(out, "E", qvEdgeTerm(x[0], x[1], rest, k, &gradient[1], &blocks[0]));
    gradient[0] = qvScale(-1.0, gradient[1]);
    blocks[1] = blocks[0];
    for (int i = 0; i < 9; i++)
        blocks[2].m[i / 3][i % 3] = -blocks[0].m[i / 3][i % 3];
    AddFlat(out, "grad", gradient, 2);
    AddHessian(out, "hess", blocks, 2);
    return qv_ok;
}

static qvResult RunArea(const qvJson* in, qvJson* out, qvError* error)
{
    qvVec3 x[3], gradient[3];
    qvBlock blocks[qv_triangleBlocks];
    double rest, k;
    qvResult result = ReadPoints(in, "x", 3, x, error);
    if (result == qv_ok)
        result = ReadNumber(in, "A_rest", 1e-60, &rest, error);
    if (result == qv_ok)
        result = ReadNumber(in, "k", 0.0, &k, error);
    if (result != qv_ok)
        return result;
    qvJson_AddNumber(out, "A", qvTriangleArea(x));
    qvJson_AddNumber(out, "E", qvAreaTerm(x, rest, k, gradient, blocks));
    AddFlat(out, "grad", gradient, 3);
    AddHessian(out, "hess", blocks, 3);
    return qv_ok;
}

static qvResult RunStvk(const qvJson* in, qvJson* out, qvError* error)
{
    qvVec3 x[3], rest[3], gradient[3];
    qvBlock blocks[qv_triangleBlocks];
    double young, poisson, thickness, energy;
    qvResult result = ReadPoints(in, "x", 3, x, error);
    if (result == qv_ok)
        result = ReadPoints(in, "x_rest", 3, rest, error);
    if (result == qv_ok)
        result = ReadNumber(in, "young", 0.0, &young, error);
    if (result == qv_ok)
        result = ReadNumber(in, "nu", -0.999, &poisson, error);
    if (result == qv_ok)
        result = ReadNumber(in, "thickness", 0.0, &thickness, error);
    if (result != qv_ok)
        return result;
    if (!(poisson < 1.0))
        return qvError_Set(error, qv_badInput, "in.nu: must be below 1");
    if (!qvStvkTerm(x, rest, young, poisson, thickness, &energy, gradient, blocks))
        return qvError_Set(error, qv_badInput, "in.x_rest: the triangle has no area");
    qvJson_AddNumber(out, "A_rest", qvTriangleArea(rest));
    qvJson_AddNumber(out, "E", energy);
    AddFlat(out, "grad", gradient, 3);
    AddHessian(out, "hess", blocks, 3);
    return qv_ok;
}

// --- A shell ---------------------------------------------------------------------------------------------------------

typedef struct Sheet
{
    qvMesh* mesh;
    qvTopology* topology;
    qvShell* shell;
    double state[MAX_SIZE];
} Sheet;

static void DestroySheet(Sheet* sheet)
{
    qvDestroyShell(sheet->shell);
    qvDestroyTopology(sheet->topology);
    qvDestroyMesh(sheet->mesh);
}

// Two triangles over an edge, as a mesh in floats for its topology and in doubles for its rest shape.
static qvResult MakeSheet(const qvVec3 x[4], const qvVec3 rest[4], Sheet* sheet, qvError* error)
{
    static const int32_t corners[] = { 0, 1, 2, 1, 0, 3 };
    qvVec3f positions[4];
    double restState[MAX_SIZE];
    for (int i = 0; i < 4; i++)
        positions[i] = qvVec3_ToFloat(rest[i]);
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 4;
    def.positions = positions;
    def.faceCount = 2;
    def.corners = corners;
    qvResult result = qvCreateMesh(&def, &sheet->mesh, NULL, error);
    if (result != qv_ok)
        return result;
    result = qvCreateTopology(sheet->mesh, &sheet->topology, error);
    if (result != qv_ok)
        return result;
    if (sheet->mesh->pointCount != 4)
        return qvError_Set(error, qv_badInput, "in.x_rest: must be four different points");
    for (int i = 0; i < 4; i++)
    {
        int point = sheet->mesh->vertexPoint[i];
        Flatten(&rest[i], 1, restState + 3 * point);
        Flatten(&x[i], 1, sheet->state + 3 * point);
    }
    return qvCreateShell(sheet->topology, restState, NULL, &sheet->shell, error);
}

static void AddSheet(qvJson* out, const Sheet* sheet, const qvShellMaterial* material)
{
    static const qvShellMaterial unit = { 1.0, 1.0, 1.0 };
    qvShellPattern pattern = qvShell_Pattern(sheet->shell);
    double flat[MAX_SIZE], gradient[MAX_SIZE], values[MAX_SIZE * MAX_SIZE], full[MAX_SIZE * MAX_SIZE] = { 0.0 };
    int place[MAX_SIZE]; // of the shell's numbers in the case's order
    for (int i = 0; i < MAX_SIZE; i++)
        place[3 * sheet->mesh->vertexPoint[i / 3] + i % 3] = i;
    qvShellEnergy parts = qvShell_Energy(sheet->shell, &unit, sheet->state, NULL);
    qvJson_AddNumber(out, "E_length", parts.edge);
    qvJson_AddNumber(out, "E_area", parts.area);
    qvJson_AddNumber(out, "E_bend", parts.bend);
    qvJson_AddNumber(out, "E", qvShell_Energy(sheet->shell, material, sheet->state, NULL).total);
    qvShell_Gradient(sheet->shell, material, sheet->state, NULL, flat);
    qvShell_Hessian(sheet->shell, material, sheet->state, NULL, values);
    for (int column = 0; column < MAX_SIZE; column++)
    {
        gradient[place[column]] = flat[column];
        for (int n = pattern.columnStart[column]; n < pattern.columnStart[column + 1]; n++)
        {
            int i = place[pattern.rows[n]], j = place[column];
            full[i * MAX_SIZE + j] = full[j * MAX_SIZE + i] = values[n];
        }
    }
    qvJson_AddNumbers(out, "grad", gradient, MAX_SIZE);
    AddRows(out, "hess", full, MAX_SIZE, MAX_SIZE);
}

static qvResult RunSheet(const qvJson* in, qvJson* out, qvError* error)
{
    qvVec3 x[4], rest[4];
    qvShellMaterial material;
    Sheet sheet = { 0 };
    qvResult result = ReadPoints(in, "x", 4, x, error);
    if (result == qv_ok)
        result = ReadPoints(in, "x_rest", 4, rest, error);
    if (result == qv_ok)
        result = ReadNumber(in, "kL", 0.0, &material.edge, error);
    if (result == qv_ok)
        result = ReadNumber(in, "kA", 0.0, &material.area, error);
    if (result == qv_ok)
        result = ReadNumber(in, "kB", 0.0, &material.bend, error);
    if (result != qv_ok)
        return result;
    result = MakeSheet(x, rest, &sheet, error);
    if (result == qv_ok)
        AddSheet(out, &sheet, &material);
    DestroySheet(&sheet);
    return result;
}

static const qvEvalOp ops[] = {
    { "hinge", RunHinge },
    { "edge", RunEdge },
    { "area", RunArea },
    { "stvk_triangle", RunStvk },
    { "shell_two_triangles", RunSheet },
};

const qvEvalTable qvEvalShell = { ops, sizeof(ops) / sizeof(ops[0]) };
