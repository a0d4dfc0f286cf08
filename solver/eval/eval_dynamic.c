// SPDX-License-Identifier: GPL-3.0-or-later
// Family B: dynamic Kelvinlets.
#include "base/memory.h"
#include "eval/eval_kelvinlet.h"
#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>

static void AddProfile(qvJson* out, const qvKelvinlet* load, double age, double r)
{
    qvProfile p = qvKelvinlet_Profile(load, age, r);
    qvJson_AddNumber(out, "alpha", qvKelvinlet_PressureSpeed(load));
    qvJson_AddNumber(out, "beta", qvKelvinlet_ShearSpeed(load));
    qvJson_AddNumber(out, "A", p.A);
    qvJson_AddNumber(out, "B", p.B);
    qvJson_AddNumber(out, "A1_over_r", p.A1);
    qvJson_AddNumber(out, "B1_over_r", qvKelvinlet_SecondSlope(load, age, r));
}

static qvResult RunField(const qvJson* in, qvJson* out, qvKelvinletTime time, qvError* error)
{
    qvKelvinlet load;
    double age = 0.0;
    qvVec3 r = { 0 }, f = { 0 };
    qvMat3 F = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t", &age, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "f", &f, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "F", &F, error);
    load.force = f;
    if (result == qv_ok)
        result = qvKelvinlet_Validate(&load, error);
    if (result != qv_ok)
        return result;
    load.time = time;
    if (load.scaleCount == 1)
        AddProfile(out, &load, age, qvLength(r));
    else
        qvEval_AddWeights(out, &load);
    qvMat3 gradient = qvKelvinlet_Gradient(&load, age, r);
    qvEval_AddVec3(out, "u", qvKelvinlet_Displacement(&load, age, r));
    qvEval_AddMat3(out, "grad_u", &gradient);
    load.force = qvMakeVec3(0.0, 0.0, 0.0);
    load.affine = F;
    return qvEval_AddDisplacement(out, "u_affine", &load, age, r, error);
}

static qvResult RunImpulse(const qvJson* in, qvJson* out, qvError* error)
{
    return RunField(in, out, qv_kelvinletImpulse, error);
}

static qvResult RunPush(const qvJson* in, qvJson* out, qvError* error)
{
    return RunField(in, out, qv_kelvinletPush, error);
}

static qvKelvinletTime TimeOf(const qvJson* in)
{
    return qvJson_Bool(qvJson_Find(in, "push")) ? qv_kelvinletPush : qv_kelvinletImpulse;
}

// Twist, scale and pinch differ in F only.
static qvResult RunAffineLoad(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    double age = 0.0;
    qvVec3 r = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t", &age, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "F", &load.affine, error);
    if (result != qv_ok)
        return result;
    load.time = TimeOf(in);
    return qvEval_AddDisplacement(out, "u", &load, age, r, error);
}

static qvResult RunAdvect(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    double age = 0.0;
    qvVec3 x = { 0 }, u;
    qvAdvection options = qvDefaultAdvection();
    options.substeps = 1;
    options.travel = false;
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t", &age, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "center", &load.center, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "x0", &x, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "f", &load.force, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "F", &load.affine, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(in, "in", "steps", 1, 256, &options.substeps, error);
    load.time = TimeOf(in);
    if (result == qv_ok)
        result = qvKelvinlet_Validate(&load, error);
    if (result == qv_ok)
        result = qvAdvect(&load, 1, age, &options, &(qvPoints){ &x.x, &x.y, &x.z, 1 },
                          &(qvPoints){ &u.x, &u.y, &u.z, 1 }, NULL, error);
    if (result != qv_ok)
        return result;
    qvEval_AddVec3(out, "x", qvAdd(x, u));
    qvEval_AddVec3(out, "euler_x", qvAdd(x, qvKelvinlet_Displacement(&load, age, x)));
    return qv_ok;
}

static qvResult ReadWave(const qvJson* in, qvWave* wave, qvError* error)
{
    qvResult result = qvEval_ReadMaterial(in, &wave->load, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "center", &wave->load.center, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "f", &wave->load.force, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t0", &wave->start, error);
    wave->load.time = TimeOf(in);
    return result == qv_ok ? qvKelvinlet_Validate(&wave->load, error) : result;
}

// The waves of a list, and as many points for results. Free both.
static qvResult ReadWaves(const qvJson* list, qvWave** waves, qvVec3** points, int* count, qvError* error)
{
    *count = qvJson_Count(list);
    *waves = qvAllocate((size_t)*count, sizeof(**waves));
    *points = qvAllocate((size_t)*count, sizeof(**points));
    if (*waves == NULL || *points == NULL)
        return qvError_OutOfMemory(error, (double)*count * sizeof(**waves));
    const qvJson* item = qvJson_First(list);
    for (int i = 0; i < *count; i++, item = qvJson_Next(item))
    {
        qvResult result = ReadWave(item, &(*waves)[i], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static qvResult RunTimeSeries(const qvJson* in, qvJson* out, qvError* error)
{
    qvWave* waves = NULL;
    qvVec3 *points = NULL, x = { 0 }, end = { 0 };
    int count = 0;
    double time = 0.0;
    qvAdvection options = qvDefaultAdvection();
    options.substeps = qv_linear;
    qvResult result = ReadWaves(qvJson_Find(in, "loads"), &waves, &points, &count, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "x0", &x, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t", &time, error);
    if (result == qv_ok)
        result = qvCarryPoint(waves, count, &options, x, time, points, &end, error);
    if (result == qv_ok)
    {
        qvJson* list = qvJson_AddArray(out, "material_points");
        for (int i = 0; i < count; i++)
            qvEval_AddVec3(list, NULL, points[i]);
        qvEval_AddVec3(out, "x", end);
    }
    free(waves);
    free(points);
    return result;
}

static qvResult ReadKeyPoints(const qvJson* in, int count, qvVec3* points, qvError* error)
{
    const qvJson* item = qvJson_First(qvJson_Find(in, "keyframe_points_y"));
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        const qvJson *x = qvJson_First(item), *y = qvJson_Next(x), *z = qvJson_Next(y);
        if (!qvJson_IsNumber(x) || !qvJson_IsNumber(y) || !qvJson_IsNumber(z))
            return qvError_Set(error, qv_badInput, "in.keyframe_points_y: must hold one point per load");
        points[i] = qvMakeVec3(qvJson_Number(x), qvJson_Number(y), qvJson_Number(z));
    }
    return count > 0 ? qv_ok : qvError_Set(error, qv_badInput, "in.push_loads: must not be empty");
}

static qvResult RunTransient(const qvJson* in, qvJson* out, qvError* error)
{
    qvWave* waves = NULL;
    qvVec3* points = NULL;
    int count = 0;
    double time = 0.0;
    qvResult result = ReadWaves(qvJson_Find(in, "push_loads"), &waves, &points, &count, error);
    if (result == qv_ok)
        result = ReadKeyPoints(in, count, points, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "t", &time, error);
    if (result == qv_ok)
        qvEval_AddVec3(out, "x", qvAddTransients(waves, count, points, time));
    free(waves);
    free(points);
    return result;
}

static const qvEvalOp ops[] = {
    { "impulse", RunImpulse },
    { "push", RunPush },
    { "twist", RunAffineLoad },
    { "scale", RunAffineLoad },
    { "pinch", RunAffineLoad },
    { "rk4_advect", RunAdvect },
    { "time_series_eq20", RunTimeSeries },
    { "transient_eq21", RunTransient },
};

const qvEvalTable qvEvalDynamic = { ops, sizeof(ops) / sizeof(ops[0]) };
