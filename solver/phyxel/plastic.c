// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/plastic.h"

#include "math/decompose3.h"

static const double SMALLEST_VOLUME = 0.05; // of det J, below which nothing flows

static qvMat3 Limited(const qvMat3* plastic, double largest)
{
    double size = qvMat3_Norm(plastic);
    return size > largest ? qvMat3_Scaled(largest / size, plastic) : *plastic;
}

qvMat3 qvPlastic_OBrien(const qvMat3* strain, const qvMat3* plastic, double yield, double largest)
{
    qvMat3 d = qvMat3_MulAdd(strain, -1.0, plastic);
    double mean = qvMat3_Trace(&d) / 3.0;
    for (int i = 0; i < 3; i++)
        d.m[i][i] -= mean;
    double size = qvMat3_Norm(&d);
    if (!(size > yield))
        return *plastic;
    qvMat3 moved = qvMat3_MulAdd(plastic, (size - yield) / size, &d);
    return Limited(&moved, largest);
}

qvMat3 qvPlastic_Creep(const qvMat3* strain, const qvMat3* plastic, double yield, double creep, double largest,
                       double dt)
{
    qvMat3 elastic = qvMat3_MulAdd(strain, -1.0, plastic), moved = *plastic;
    if (qvMat3_Norm(&elastic) > yield)
        moved = qvMat3_MulAdd(plastic, dt * creep, &elastic);
    return Limited(&moved, largest);
}

double qvPlastic_Relaxed(double creep, double dt)
{
    return -expm1(-dt * creep);
}

double qvPlastic_FlowTensor(qvMat3* b, double yield, double relaxed)
{
    double determinant = qvMat3_Determinant(b), mean = qvMat3_Trace(b) / 3.0;
    qvMat3 d = *b;
    for (int i = 0; i < 3; i++)
        d.m[i][i] -= mean;
    double size = qvMat3_Norm(&d) / cbrt(determinant);
    if (!(size > yield))
        return 0.0;
    double kept = 1.0 - relaxed * (1.0 - yield / size);
    qvMat3 next = qvMat3_Scaled(kept, &d);
    for (int i = 0; i < 3; i++)
        next.m[i][i] += mean;
    double scale = cbrt(determinant / qvMat3_Determinant(&next));
    *b = qvMat3_Scaled(scale, &next);
    return size * (1.0 - kept * scale) / sqrt(6.0);
}

double qvPlastic_FlowMetric(const qvMat3* gradient, qvMat3* metric, double yield, double relaxed)
{
    if (!(qvMat3_Determinant(gradient) > SMALLEST_VOLUME))
        return 0.0;
    qvMat3 b = qvMat3_Congruence(gradient, metric);
    double flowed = qvPlastic_FlowTensor(&b, yield, relaxed);
    if (!(flowed > 0.0))
        return 0.0;
    qvMat3 inverse = qvMat3_Inverse(gradient), g = qvMat3_Congruence(&inverse, &b);
    *metric = qvMat3_Symmetrized(&g);
    return flowed;
}

qvMat3 qvPlastic_Rereference(qvRereference way, const qvMat3* gradient, const qvMat3* flowed)
{
    if (way == qv_rereferenceMetric)
    {
        qvMat3 b = qvMat3_Congruence(gradient, flowed);
        return qvMat3_Symmetrized(&b);
    }
    qvMat3 t = qvMat3_Transpose(gradient), strain = qvMat3_Product(&t, gradient);
    for (int i = 0; i < 3; i++)
        strain.m[i][i] -= 1.0;
    qvMat3 moved = qvMat3_MulAdd(flowed, -1.0, &strain), rotation;
    if (way == qv_rereferencePaper || !qvPolarRotation(gradient, &rotation))
        return moved;
    return qvMat3_Congruence(&rotation, &moved);
}
