// SPDX-License-Identifier: GPL-3.0-or-later
#include "math/decompose3.h"

enum
{
    MAX_SWEEPS = 30,
    MAX_NEWTON_STEPS = 40
};

// A rotation in the plane of axes p and q that makes a[p][q] zero.
static void Rotate(qvMat3* a, qvMat3* v, int p, int q)
{
    double off = a->m[p][q];
    if (off == 0.0)
        return;
    double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * off);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double x = a->m[k][p], y = a->m[k][q];
        a->m[k][p] = c * x - s * y;
        a->m[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++)
    {
        double x = a->m[p][k], y = a->m[q][k];
        a->m[p][k] = c * x - s * y;
        a->m[q][k] = s * x + c * y;
        x = v->m[k][p];
        y = v->m[k][q];
        v->m[k][p] = c * x - s * y;
        v->m[k][q] = s * x + c * y;
    }
    a->m[p][q] = a->m[q][p] = 0.0;
}

void qvEigenSymmetric3(const qvMat3* a, double values[3], qvMat3* vectors)
{
    qvMat3 d = *a, v = qvMat3_Diagonal(1.0, 1.0, 1.0);
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++)
    {
        double off = fabs(d.m[0][1]) + fabs(d.m[0][2]) + fabs(d.m[1][2]);
        if (!(off > 1e-17 * (fabs(d.m[0][0]) + fabs(d.m[1][1]) + fabs(d.m[2][2]))))
            break;
        Rotate(&d, &v, 0, 1);
        Rotate(&d, &v, 0, 2);
        Rotate(&d, &v, 1, 2);
    }
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 2; i++)
    {
        for (int j = 0; j < 2 - i; j++)
        {
            if (d.m[order[j]][order[j]] > d.m[order[j + 1]][order[j + 1]])
            {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
        }
    }
    for (int j = 0; j < 3; j++)
    {
        values[j] = d.m[order[j]][order[j]];
        for (int i = 0; i < 3; i++)
            vectors->m[i][j] = v.m[i][order[j]];
    }
}

bool qvPolarRotation(const qvMat3* a, qvMat3* rotation)
{
    double determinant = qvMat3_Determinant(a);
    *rotation = qvMat3_Diagonal(1.0, 1.0, 1.0);
    if (!(determinant > 0.0 && determinant < INFINITY))
        return false;
    qvMat3 x = *a;
    for (int step = 0; step < MAX_NEWTON_STEPS; step++)
    {
        qvMat3 inverse = qvMat3_Inverse(&x), y = qvMat3_Transpose(&inverse);
        double scale = sqrt(qvMat3_Norm(&y) / qvMat3_Norm(&x));
        qvMat3 scaled = qvMat3_Scaled(0.5 * scale, &x), next = qvMat3_MulAdd(&scaled, 0.5 / scale, &y);
        qvMat3 change = qvMat3_MulAdd(&next, -1.0, &x);
        x = next;
        double size = qvMat3_Norm(&change);
        if (!(size < INFINITY))
            return false;
        if (size < 1e-15)
            break;
    }
    *rotation = x;
    return true;
}
