// SPDX-License-Identifier: GPL-3.0-or-later
// Family A: static Kelvinlets.
#include "base/memory.h"
#include "eval/eval_kelvinlet.h"
#include "kelvinlet/field.h"
#include "kelvinlet/load.h"

#include <math.h>
#include <stdlib.h>

static void AddStaticProfile(qvJson* out, const qvKelvinlet* load, double r)
{
    qvStaticProfile p = qvKelvinlet_StaticProfile(load, r);
    double eps2 = load->radii[0] * load->radii[0];
    qvJson_AddNumber(out, "A", p.A);
    qvJson_AddNumber(out, "B", p.B);
    qvJson_AddNumber(out, "A1_over_r", p.A1);
    qvJson_AddNumber(out, "B1_over_r", p.B1);
    qvJson_AddNumber(out, "rho", 15.0 * eps2 * eps2 / (8.0 * QV_PI * pow(r * r + eps2, 3.5)));
}

static qvResult RunVector(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    qvVec3 r = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "f", &load.force, error);
    if (result == qv_ok)
        result = qvKelvinlet_Validate(&load, error);
    if (result != qv_ok)
        return result;
    if (load.scaleCount == 1)
        AddStaticProfile(out, &load, qvLength(r));
    else
        qvEval_AddWeights(out, &load);
    qvMat3 gradient = qvKelvinlet_Gradient(&load, 0.0, r);
    qvEval_AddVec3(out, "u", qvKelvinlet_Displacement(&load, 0.0, r));
    qvEval_AddMat3(out, "grad_u", &gradient);
    return qv_ok;
}

static qvResult RunAffine(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    qvVec3 r = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "F", &load.affine, error);
    if (result != qv_ok)
        return result;
    if (load.scaleCount > 1)
        qvEval_AddWeights(out, &load);
    return qvEval_AddDisplacement(out, "u", &load, 0.0, r, error);
}

static qvResult RunTipForce(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    qvVec3 r = { 0 }, tip = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "u_center", &tip, error);
    if (result == qv_ok)
        result = qvKelvinlet_SetDisplacement(&load, tip, error);
    if (result != qv_ok)
        return result;
    qvEval_AddVec3(out, "f", load.force);
    return qvEval_AddDisplacement(out, "u_at_r", &load, 0.0, r, error);
}

static qvResult RunCenterGradient(const qvJson* in, qvJson* out, qvError* error)
{
    qvKelvinlet load;
    qvVec3 r = { 0 };
    qvMat3 gradient = { 0 };
    qvResult result = qvEval_ReadMaterial(in, &load, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "r", &r, error);
    if (result == qv_ok)
        result = qvEval_ReadMat3(in, "G_center", &gradient, error);
    if (result == qv_ok && load.poisson == 0.5)
        result = qvError_Set(error, qv_badInput, "in.nu: at 0.5 no load makes a trace; use less");
    if (result == qv_ok)
        result = qvKelvinlet_SetGradient(&load, gradient, error);
    if (result != qv_ok)
        return result;
    double ratio2 = (1.0 - 2.0 * load.poisson) / (2.0 - 2.0 * load.poisson);
    qvMat3 F = load.affine;
    for (int i = 0; i < 3; i++)
        F.m[i][i] += load.dilation / ratio2;
    qvEval_AddMat3(out, "F", &F);
    return qvEval_AddDisplacement(out, "u_at_r", &load, 0.0, r, error);
}

// Lists of the same length: centers, eps_each, targets_at_centers.
static qvResult ReadHandles(const qvJson* in, qvHandle* handles, int count, qvError* error)
{
    const qvJson* at = qvJson_First(qvJson_Find(in, "centers"));
    const qvJson* radius = qvJson_First(qvJson_Find(in, "eps_each"));
    const qvJson* target = qvJson_First(qvJson_Find(in, "targets_at_centers"));
    for (int i = 0; i < count; i++)
    {
        if (qvJson_Count(at) != 3 || qvJson_Count(target) != 3 || !qvJson_IsNumber(radius))
            return qvError_Set(error, qv_badInput,
                               "in: centers, eps_each and targets_at_centers must be lists of one length");
        const qvJson *a = qvJson_First(at), *b = qvJson_First(target);
        qvVec3* to[2] = { &handles[i].at, &handles[i].displacement };
        const qvJson* from[2] = { a, b };
        for (int k = 0; k < 2; k++)
        {
            const qvJson* y = qvJson_Next(from[k]);
            *to[k] = qvMakeVec3(qvJson_Number(from[k]), qvJson_Number(y), qvJson_Number(qvJson_Next(y)));
        }
        handles[i].radius = qvJson_Number(radius);
        handles[i].moves = true;
        at = qvJson_Next(at);
        radius = qvJson_Next(radius);
        target = qvJson_Next(target);
    }
    return qv_ok;
}

static qvResult AddForces(qvJson* out, const qvKelvinlet* loads, int count, qvVec3 x, qvError* error)
{
    qvJson* list = qvJson_AddArray(out, "forces");
    qvVec3 sum = { 0 };
    for (int i = 0; i < count; i++)
    {
        qvResult result = qvKelvinlet_Validate(&loads[i], error);
        if (result != qv_ok)
            return result;
        qvEval_AddVec3(list, NULL, loads[i].force);
        sum = qvAdd(sum, qvKelvinlet_Displacement(&loads[i], 0.0, x));
    }
    qvEval_AddVec3(out, "u_at_x", sum);
    return qv_ok;
}

static qvResult RunPointConstraints(const qvJson* in, qvJson* out, qvError* error)
{
    enum
    {
        MAX_HANDLES = 256
    };
    qvKelvinlet like = qvDefaultKelvinlet();
    qvVec3 x = { 0 };
    qvResult result = qvEval_ReadNumber(in, "mu", &like.stiffness, error);
    if (result == qv_ok)
        result = qvEval_ReadNumber(in, "nu", &like.poisson, error);
    if (result == qv_ok)
        result = qvEval_ReadVec3(in, "x", &x, error);
    if (result != qv_ok)
        return result;
    int count = qvJson_Count(qvJson_Find(in, "centers"));
    if (count > MAX_HANDLES)
        return qvError_Set(error, qv_badInput, "in.centers: %d are too many, use at most %d", count, MAX_HANDLES);
    qvHandle* handles = qvAllocate((size_t)count, sizeof(*handles));
    qvKelvinlet* loads = qvAllocate((size_t)count, sizeof(*loads));
    if (handles == NULL || loads == NULL)
        result = qvError_OutOfMemory(error, (double)count * sizeof(*loads));
    if (result == qv_ok)
        result = ReadHandles(in, handles, count, error);
    qvSolveReport report;
    if (result == qv_ok)
        result = qvSolveHandles(&like, handles, count, loads, &report, error);
    if (result == qv_ok)
        result = AddForces(out, loads, count, x, error);
    free(handles);
    free(loads);
    return result;
}

static const qvEvalOp ops[] = {
    { "vec", RunVector },
    { "affine", RunAffine },
    { "tip_force", RunTipForce },
    { "center_gradient", RunCenterGradient },
    { "point_constraints", RunPointConstraints },
};

const qvEvalTable qvEvalStatic = { ops, sizeof(ops) / sizeof(ops[0]) };
