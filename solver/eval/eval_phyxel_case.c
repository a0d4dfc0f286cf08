// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval_phyxel.h"

#include <math.h>
#include <string.h>

static const double LARGEST = 1e30; // of an input
static const int MOST = 2000;       // items of a list

qvResult qvEvalCase_Run(void (*run)(qvEvalCase*), const qvJson* in, qvJson* out, qvError* error)
{
    qvEvalCase c = { .in = in, .out = out, .arena = qvCreateArena(), .error = error, .result = qv_ok };
    if (c.arena == NULL)
        return qvError_OutOfMemory(error, sizeof(c));
    run(&c);
    qvDestroyArena(c.arena);
    return c.result;
}

bool qvEvalCase_IsOk(const qvEvalCase* c)
{
    return c->result == qv_ok;
}

bool qvEvalCase_IsNull(const qvEvalCase* c, const char* name)
{
    const qvJson* node = qvJson_Find(c->in, name);
    return node == NULL || qvJson_IsNull(node);
}

void qvEvalCase_Fail(qvEvalCase* c, const char* format, ...)
{
    if (c->result != qv_ok)
        return;
    va_list args;
    va_start(args, format);
    c->result = qvError_SetV(c->error, qv_badInput, format, args);
    va_end(args);
}

void* qvEvalCase_Allocate(qvEvalCase* c, int count, size_t size)
{
    if (c->result != qv_ok)
        return NULL;
    size_t bytes = (size_t)count * size;
    void* memory = qvArena_Allocate(c->arena, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        c->result = qvError_OutOfMemory(c->error, (double)bytes);
    else
        memset(memory, 0, bytes);
    return memory;
}

double qvEvalCase_Number(qvEvalCase* c, const char* name, double minimum, double maximum)
{
    double value = 0.0;
    if (c->result != qv_ok)
        return value;
    if (!qvJson_IsNumber(qvJson_Find(c->in, name)))
        qvEvalCase_Fail(c, "in.%s: must be a number", name);
    else
        c->result = qvJson_ReadNumber(c->in, "in", name, minimum, maximum, &value, c->error);
    return value;
}

int qvEvalCase_Int(qvEvalCase* c, const char* name, int minimum, int maximum)
{
    int value = minimum;
    if (c->result != qv_ok)
        return value;
    if (!qvJson_IsNumber(qvJson_Find(c->in, name)))
        qvEvalCase_Fail(c, "in.%s: must be a number", name);
    else
        c->result = qvJson_ReadInt(c->in, "in", name, minimum, maximum, &value, c->error);
    return value;
}

const char* qvEvalCase_Text(qvEvalCase* c, const char* name)
{
    return qvJson_Text(qvJson_Find(c->in, name));
}

int qvEvalCase_Count(qvEvalCase* c, const char* name)
{
    const qvJson* list = qvJson_Find(c->in, name);
    if (!qvJson_IsArray(list) || qvJson_Count(list) < 1 || qvJson_Count(list) > MOST)
    {
        qvEvalCase_Fail(c, "in.%s: must be a list of 1 to %d items", name, MOST);
        return 0;
    }
    return qvJson_Count(list);
}

// Numbers of nested lists with the given lengths, outermost first.
static bool Flatten(const qvJson* node, const int* lengths, int depth, double** values)
{
    if (depth == 0)
    {
        double value = qvJson_Number(node);
        *(*values)++ = value;
        return qvJson_IsNumber(node) && fabs(value) < LARGEST;
    }
    if (!qvJson_IsArray(node) || qvJson_Count(node) != lengths[0])
        return false;
    for (const qvJson* item = qvJson_First(node); item != NULL; item = qvJson_Next(item))
    {
        if (!Flatten(item, lengths + 1, depth - 1, values))
            return false;
    }
    return true;
}

static double* ReadNested(qvEvalCase* c, const char* name, const int* lengths, int depth, const char* what)
{
    int count = 1;
    for (int k = 0; k < depth; k++)
        count *= lengths[k];
    double *values = qvEvalCase_Allocate(c, count, sizeof(double)), *end = values;
    if (values != NULL && !Flatten(qvJson_Find(c->in, name), lengths, depth, &end))
        qvEvalCase_Fail(c, "in.%s: must be %s", name, what);
    return values;
}

double* qvEvalCase_Numbers(qvEvalCase* c, const char* name, int count)
{
    return ReadNested(c, name, (int[]){ count }, 1, "a list of as many numbers as there are points");
}

qvVec3* qvEvalCase_Points(qvEvalCase* c, const char* name, int count)
{
    double* flat = ReadNested(c, name, (int[]){ count, 3 }, 2, "a list of points");
    qvVec3* points = qvEvalCase_Allocate(c, count, sizeof(qvVec3));
    for (int i = 0; points != NULL && i < count; i++)
        points[i] = qvMakeVec3(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]);
    return points;
}

qvMat3* qvEvalCase_Matrices(qvEvalCase* c, const char* name, int count)
{
    double* flat = ReadNested(c, name, (int[]){ count, 3, 3 }, 3, "a list of 3 x 3 matrices");
    qvMat3* matrices = qvEvalCase_Allocate(c, count, sizeof(qvMat3));
    for (int i = 0; matrices != NULL && i < 9 * count; i++)
        matrices[i / 9].m[i / 3 % 3][i % 3] = flat[i];
    return matrices;
}

qvVec3 qvEvalCase_Point(qvEvalCase* c, const char* name)
{
    double* flat = ReadNested(c, name, (int[]){ 3 }, 1, "a list of 3 numbers");
    return flat != NULL ? qvMakeVec3(flat[0], flat[1], flat[2]) : qvMakeVec3(0.0, 0.0, 0.0);
}

qvMat3 qvEvalCase_Matrix(qvEvalCase* c, const char* name)
{
    qvMat3 matrix = { { { 0.0 } } };
    double* flat = ReadNested(c, name, (int[]){ 3, 3 }, 2, "a 3 x 3 matrix");
    for (int i = 0; flat != NULL && i < 9; i++)
        matrix.m[i / 3][i % 3] = flat[i];
    return matrix;
}

bool qvEvalCase_Cloud(qvEvalCase* c, qvEvalCloud* cloud)
{
    int count = qvEvalCase_Count(c, "x");
    *cloud = (qvEvalCloud){ .count = count };
    cloud->x = qvEvalCase_Points(c, "x", count);
    cloud->h = qvEvalCase_Numbers(c, "h", count);
    // The op "surfel" has no masses: its phyxels' volumes are not asked for.
    cloud->m =
        qvEvalCase_IsNull(c, "m") ? qvEvalCase_Allocate(c, count, sizeof(double)) : qvEvalCase_Numbers(c, "m", count);
    if (!qvEvalCase_IsNull(c, "vol"))
        cloud->volumes = qvEvalCase_Numbers(c, "vol", count);
    for (int i = 0; c->result == qv_ok && i < count; i++)
    {
        if (!(cloud->h[i] > 0.0 && (cloud->m[i] > 0.0 || qvEvalCase_IsNull(c, "m"))))
            qvEvalCase_Fail(c, "in: h and m of phyxel %d must be positive", i);
    }
    if (c->result != qv_ok)
        return false;
    c->result = qvCloud_Init(&cloud->cloud, count, cloud->x, cloud->h, cloud->m, cloud->volumes, c->error);
    if (c->result != qv_ok)
        qvCloud_Free(&cloud->cloud);
    return c->result == qv_ok;
}

qvPhyxelLaw qvEvalCase_Law(qvEvalCase* c)
{
    const char* name = qvEvalCase_Text(c, "material");
    if (strcmp(name, "snh") == 0)
        return qv_phyxelSnh;
    if (strcmp(name, "stvk") != 0)
        qvEvalCase_Fail(c, "in.material: must be \"stvk\" or \"snh\"");
    return qv_phyxelStvk;
}

qvPhyxelMaterial qvEvalCase_Material(qvEvalCase* c, qvPhyxelLaw law, double stiffer)
{
    double young = qvEvalCase_Number(c, "E", 1e-30, LARGEST), poisson = qvEvalCase_Number(c, "nu", 0.0, 0.4999);
    double volume = qvEvalCase_IsNull(c, "kv") ? 0.0 : qvEvalCase_Number(c, "kv", 0.0, LARGEST);
    double fit = qvEvalCase_IsNull(c, "alpha") ? 0.0 : qvEvalCase_Number(c, "alpha", 0.0, LARGEST);
    return qvMakePhyxelMaterial(law, stiffer * young, poisson, volume, fit);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

void qvEvalCase_AddPoint(qvEvalCase* c, const char* name, qvVec3 value)
{
    qvJson_AddNumbers(c->out, name, (double[]){ value.x, value.y, value.z }, 3);
}

static void AddRows(qvJson* parent, const char* name, const qvMat3* value)
{
    qvJson* rows = qvJson_AddArray(parent, name);
    for (int i = 0; i < 3; i++)
        qvJson_AddNumbers(rows, NULL, value->m[i], 3);
}

void qvEvalCase_AddMatrix(qvEvalCase* c, const char* name, const qvMat3* value)
{
    AddRows(c->out, name, value);
}

void qvEvalCase_AddPoints(qvEvalCase* c, const char* name, const qvVec3* values, int count)
{
    qvJson* list = qvJson_AddArray(c->out, name);
    for (int i = 0; i < count; i++)
        qvJson_AddNumbers(list, NULL, (double[]){ values[i].x, values[i].y, values[i].z }, 3);
}

void qvEvalCase_AddMatrices(qvEvalCase* c, const char* name, const qvMat3* values, int count)
{
    qvJson* list = qvJson_AddArray(c->out, name);
    for (int i = 0; i < count; i++)
        AddRows(list, NULL, &values[i]);
}
