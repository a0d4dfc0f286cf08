// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022 (bem/kernel.h): eqs. 16, 17, 20, 21 from the radial functions of bem/radial.h.
#include "bem/kernel.h"

#include "bem/radial.h"

#include <math.h>

static const double FOUR_PI = 12.566370614359172954;

double qvBemShearSpeed(const qvBemMaterial* material)
{
    return sqrt(material->shear / material->density);
}

double qvBemPressureSpeed(const qvBemMaterial* material)
{
    double kappa = qvBemKappa(material->poisson);
    return kappa > 0.0 ? qvBemShearSpeed(material) / sqrt(kappa) : INFINITY;
}

static void Split(qvVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void Assemble(double shear, qvVec3 r, qvVec3 n, const double complex f[qv_radialCount], qvMat3c* u, qvMat3c* p)
{
    double length = qvLength(r), dir[3], normal[3];
    Split(qvScale(1.0 / length, r), dir);
    Split(n, normal);
    double rn = dir[0] * normal[0] + dir[1] * normal[1] + dir[2] * normal[2];
    double us = 1.0 / (FOUR_PI * shear * length), ps = 1.0 / (FOUR_PI * length * length);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            double same = i == j;
            u->m[i][j] = us * (f[qv_radialA] * same + f[qv_radialB] * dir[i] * dir[j]);
            p->m[i][j] = ps * (f[qv_radialPa] * dir[i] * normal[j] + f[qv_radialPb] * (dir[j] * normal[i] + same * rn) +
                               f[qv_radialPd] * dir[i] * dir[j] * rn);
        }
    }
}

void qvBemKernel(const qvBemMaterial* material, double complex s, qvVec3 r, qvVec3 n, qvMat3c* u, qvMat3c* p)
{
    double complex radial[qv_radialCount];
    qvBemRadial_Laplace(qvBemKappa(material->poisson), s * qvLength(r) / qvBemShearSpeed(material), radial);
    Assemble(material->shear, r, n, radial, u, p);
}

void qvBemKelvin(double shear, double poisson, qvVec3 r, qvVec3 n, qvMat3* u, qvMat3* p)
{
    double fixed[qv_radialCount];
    double complex radial[qv_radialCount];
    qvMat3c cu, cp;
    qvBemRadial_Static(qvBemKappa(poisson), fixed);
    for (int f = 0; f < qv_radialCount; f++)
        radial[f] = fixed[f];
    Assemble(shear, r, n, radial, &cu, &cp);
    for (int i = 0; i < 9; i++)
    {
        u->m[i / 3][i % 3] = creal(cu.m[i / 3][i % 3]);
        p->m[i / 3][i % 3] = creal(cp.m[i / 3][i % 3]);
    }
}

// With E_k = (1 + s r/c_k) e_k: (E_1 - E_2)/s^2 = (r/c2)^2 w, (1 - E_2)/s^2 the same for kappa = 0, and
// (e_1 - e_2)/(r s^2) = r/c2^2 v/zeta with v the moment 0.
void qvBemBodyKernel(const qvBemMaterial* material, double complex s, qvVec3 r, qvVec3 n, qvMat3c* d, qvMat3c* f,
                     qvMat3c* shortF)
{
    double kappa = qvBemKappa(material->poisson), length = qvLength(r), c2 = qvBemShearSpeed(material);
    double complex zeta = s * length / c2, w = qvBemMoment(kappa, 1, zeta), w0 = qvBemMoment(0.0, 1, zeta);
    double complex shear = length / (c2 * c2) * cexp(-zeta) / zeta;                // e_2/(c2 s)
    double complex both = length / (c2 * c2) * qvBemMoment(kappa, 0, zeta) / zeta; // (e_1 - e_2)/(r s^2)
    double dir[3], normal[3], scale = 1.0 / (c2 * c2);
    Split(qvScale(1.0 / length, r), dir);
    Split(n, normal);
    double rn = dir[0] * normal[0] + dir[1] * normal[1] + dir[2] * normal[2];
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double same = i == j, turn = (i == j1) * normal[j2] - (i == j2) * normal[j1]; // -eps_ijl n_l
            d->m[i][j] = scale / FOUR_PI * (dir[i] * normal[j] * w - same * rn * w0);
            double twist = dir[i] * (dir[j1] * normal[j2] - dir[j2] * normal[j1]);
            f->m[i][j] = (scale * length * twist * w - turn * shear) / FOUR_PI;
            shortF->m[i][j] = turn * (both - shear) / FOUR_PI;
        }
    }
}
