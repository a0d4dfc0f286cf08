// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval_bem.h"

#include "base/memory.h"
#include "bem/radial.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MAX_VERTICES = 400, // of cases: they are solved with the finest quadrature
    MAX_TRIANGLES = 2 * MAX_VERTICES,
};

static const double ONE_NODE = 10.0; // above pi: one traction node per vertex

qvResult qvEval_ReadRange(const qvJson* in, const char* name, double minimum, double maximum, double* value,
                          qvError* error)
{
    if (!qvJson_IsNumber(qvJson_Find(in, name)))
        return qvError_Set(error, qv_badInput, "in.%s: must be a number", name);
    return qvJson_ReadNumber(in, "in", name, minimum, maximum, value, error);
}

qvResult qvEval_ReadInt(const qvJson* in, const char* name, int minimum, int maximum, int* value, qvError* error)
{
    if (!qvJson_IsNumber(qvJson_Find(in, name)))
        return qvError_Set(error, qv_badInput, "in.%s: must be a number", name);
    return qvJson_ReadInt(in, "in", name, minimum, maximum, value, error);
}

static bool ReadRow(const qvJson* row, int columns, double* values)
{
    if (!qvJson_IsArray(row) || qvJson_Count(row) != columns)
        return false;
    int i = 0;
    for (const qvJson* item = qvJson_First(row); item != NULL; item = qvJson_Next(item), i++)
    {
        values[i] = qvJson_Number(item);
        if (!qvJson_IsNumber(item) || !(fabs(values[i]) < 1e60))
            return false;
    }
    return true;
}

qvResult qvEval_ReadRows(const qvJson* in, const char* name, int columns, int maxRows, int* count, double** values,
                         qvError* error)
{
    const qvJson* list = qvJson_Find(in, name);
    *values = NULL;
    *count = qvJson_Count(list);
    if (!qvJson_IsArray(list) || *count == 0 || *count > maxRows)
        return qvError_Set(error, qv_badInput, "in.%s: must be a list of 1 to %d rows", name, maxRows);
    *values = qvAllocate((size_t)*count * (size_t)columns, sizeof(double));
    if (*values == NULL)
        return qvError_OutOfMemory(error, 8.0 * *count * columns);
    int i = 0;
    for (const qvJson* row = qvJson_First(list); row != NULL; row = qvJson_Next(row), i++)
    {
        if (!ReadRow(row, columns, *values + (size_t)i * (size_t)columns))
        {
            free(*values);
            *values = NULL;
            return qvError_Set(error, qv_badInput, "in.%s[%d]: must be a list of %d numbers", name, i, columns);
        }
    }
    return qv_ok;
}

qvResult qvEval_ReadComplex(const qvJson* in, const char* name, double complex* value, qvError* error)
{
    double parts[2];
    if (qvJson_Find(in, name) == NULL)
        return qvError_Set(error, qv_badInput, "in.%s: must be a list of 2 numbers", name);
    qvResult result = qvJson_ReadNumbers(in, "in", name, 2, parts, error);
    if (result == qv_ok)
        *value = qvComplex(parts[0], parts[1]);
    if (result == qv_ok && parts[0] == 0.0 && parts[1] == 0.0)
        return qvError_Set(error, qv_badInput, "in.%s: must not be 0", name);
    return result;
}

qvResult qvEval_ReadBemMaterial(const qvJson* in, bool withDensity, qvBemMaterial* material, qvError* error)
{
    material->density = 1.0;
    qvResult result = withDensity ? qvEval_ReadRange(in, "rho", 1e-30, 1e30, &material->density, error) : qv_ok;
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "mu", 1e-30, 1e30, &material->shear, error);
    if (result == qv_ok)
        result = qvEval_ReadRange(in, "nu", -0.99, 0.5, &material->poisson, error);
    return result;
}

qvResult qvEval_ReadSurface(const qvJson* in, qvBemSurface** surface, qvError* error)
{
    int vertexCount = 0, triangleCount = 0;
    double *rows = NULL, *faces = NULL;
    qvVec3* vertices = NULL;
    qvTriangle* triangles = NULL;
    *surface = NULL;
    qvResult result = qvEval_ReadRows(in, "V", 3, MAX_VERTICES, &vertexCount, &rows, error);
    if (result == qv_ok)
        result = qvEval_ReadRows(in, "F", 3, MAX_TRIANGLES, &triangleCount, &faces, error);
    if (result == qv_ok)
    {
        vertices = qvAllocate((size_t)vertexCount, sizeof(*vertices));
        triangles = qvAllocate((size_t)triangleCount, sizeof(*triangles));
        if (vertices == NULL || triangles == NULL)
            result = qvError_OutOfMemory(error, 24.0 * vertexCount);
    }
    if (result == qv_ok)
    {
        for (int i = 0; i < vertexCount; i++)
            vertices[i] = qvMakeVec3(rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]);
        for (int i = 0; i < 3 * triangleCount; i++)
            triangles[i / 3].v[i % 3] = fabs(faces[i]) < 1e9 ? (int32_t)faces[i] : -1;
        result = qvCreateBemSurface(vertices, vertexCount, triangles, triangleCount, ONE_NODE, surface, error);
    }
    free(rows);
    free(faces);
    free(vertices);
    free(triangles);
    return result;
}

void qvEval_AddRows(qvJson* out, const char* name, const double* values, int rows, int columns)
{
    qvJson* list = qvJson_AddArray(out, name);
    for (int i = 0; i < rows; i++)
        qvJson_AddNumbers(list, NULL, values + (size_t)i * (size_t)columns, columns);
}

void qvEval_AddComplex(qvJson* out, const char* name, const qvMat3c* value)
{
    qvJson* list = qvJson_AddArray(out, name);
    for (int i = 0; i < 3; i++)
    {
        qvJson* row = qvJson_AddArray(list, NULL);
        for (int j = 0; j < 3; j++)
            qvJson_AddNumbers(row, NULL, (double[]){ creal(value->m[i][j]), cimag(value->m[i][j]) }, 2);
    }
}
