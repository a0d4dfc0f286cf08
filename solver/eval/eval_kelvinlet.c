// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval_kelvinlet.h"

#include <float.h>

static qvResult Require(const qvJson* in, const char* name, const qvJson** node, qvError* error)
{
    *node = qvJson_Find(in, name);
    return *node != NULL ? qv_ok : qvError_Set(error, qv_badInput, "in.%s: missing", name);
}

qvResult qvEval_ReadNumber(const qvJson* in, const char* name, double* value, qvError* error)
{
    const qvJson* node;
    qvResult result = Require(in, name, &node, error);
    return result == qv_ok ? qvJson_ReadNumber(in, "in", name, -DBL_MAX, DBL_MAX, value, error) : result;
}

qvResult qvEval_ReadVec3(const qvJson* in, const char* name, qvVec3* value, qvError* error)
{
    const qvJson* node;
    double v[3];
    qvResult result = Require(in, name, &node, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", name, 3, v, error);
    if (result == qv_ok)
        *value = qvMakeVec3(v[0], v[1], v[2]);
    return result;
}

qvResult qvEval_ReadMat3(const qvJson* in, const char* name, qvMat3* value, qvError* error)
{
    const qvJson* node;
    qvResult result = Require(in, name, &node, error);
    if (result != qv_ok)
        return result;
    const qvJson* row = qvJson_First(node);
    for (int i = 0; i < 3; i++, row = qvJson_Next(row))
    {
        const qvJson* item = qvJson_First(row);
        for (int j = 0; j < 3; j++, item = qvJson_Next(item))
        {
            if (!qvJson_IsNumber(item))
                return qvError_Set(error, qv_badInput, "in.%s: must be 3 rows of 3 numbers", name);
            value->m[i][j] = qvJson_Number(item);
        }
    }
    return qv_ok;
}

static qvResult ReadRadii(const qvJson* in, qvKelvinlet* load, qvError* error)
{
    const qvJson* node;
    qvResult result = Require(in, "eps", &node, error);
    if (result != qv_ok)
        return result;
    load->scaleCount = qvJson_IsArray(node) ? qvJson_Count(node) : 1;
    if (load->scaleCount < 1 || load->scaleCount > 3)
        return qvError_Set(error, qv_badInput, "in.eps: must hold 1 to 3 radii");
    if (!qvJson_IsArray(node))
        return qvEval_ReadNumber(in, "eps", &load->radii[0], error);
    return qvJson_ReadNumbers(in, "in", "eps", load->scaleCount, load->radii, error);
}

qvResult qvEval_ReadMaterial(const qvJson* in, qvKelvinlet* load, qvError* error)
{
    *load = qvDefaultKelvinlet();
    qvResult result = qvEval_ReadNumber(in, "mu", &load->stiffness, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "nu", &load->poisson, error);
    if (result == qv_ok)
        result = ReadRadii(in, load, error);
    return result == qv_ok ? qvKelvinlet_Validate(load, error) : result;
}

void qvEval_AddVec3(qvJson* out, const char* name, qvVec3 value)
{
    const double v[3] = { value.x, value.y, value.z };
    qvJson_AddNumbers(out, name, v, 3);
}

qvResult qvEval_AddDisplacement(qvJson* out, const char* name, const qvKelvinlet* load, double age, qvVec3 r,
                                qvError* error)
{
    qvResult result = qvKelvinlet_Validate(load, error);
    if (result == qv_ok)
        qvEval_AddVec3(out, name, qvKelvinlet_Displacement(load, age, r));
    return result;
}

void qvEval_AddMat3(qvJson* out, const char* name, const qvMat3* value)
{
    qvJson* rows = qvJson_AddArray(out, name);
    for (int i = 0; i < 3; i++)
        qvJson_AddNumbers(rows, NULL, value->m[i], 3);
}

void qvEval_AddWeights(qvJson* out, const qvKelvinlet* load)
{
    const double* eps = load->radii;
    double weights[3] = { 1.0, -1.0, 0.0 };
    if (load->scaleCount == 3)
    {
        double last = (eps[2] - eps[1]) * (eps[2] + eps[1]);
        weights[1] = -(eps[2] - eps[0]) * (eps[2] + eps[0]) / last;
        weights[2] = (eps[1] - eps[0]) * (eps[1] + eps[0]) / last;
    }
    qvJson_AddNumbers(out, "weights", weights, load->scaleCount);
}
