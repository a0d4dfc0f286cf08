// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/material.h"

#include <stddef.h>

qvPhyxelMaterial qvMakePhyxelMaterial(qvPhyxelLaw law, double young, double poisson, double volume, double fit)
{
    return (qvPhyxelMaterial){ .law = law,
                               .young = young,
                               .lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
                               .mu = young / (2.0 * (1.0 + poisson)),
                               .volume = volume,
                               .fit = fit };
}

// cof(J + D) - cof J - cof D: what is linear in D.
static qvMat3 CofactorsChange(const qvMat3* j, const qvMat3* d)
{
    qvMat3 sum = qvMat3_MulAdd(j, 1.0, d), all = qvMat3_Cofactors(&sum);
    qvMat3 a = qvMat3_Cofactors(j), b = qvMat3_Cofactors(d);
    all = qvMat3_MulAdd(&all, -1.0, &a);
    return qvMat3_MulAdd(&all, -1.0, &b);
}

// --- Saint-Venant-Kirchhoff ------------------------------------------------------------------------------------------

static qvMat3 ElasticStrain(const qvMat3* j, const qvMat3* plastic)
{
    qvMat3 t = qvMat3_Transpose(j), e = qvMat3_Product(&t, j);
    for (int i = 0; i < 3; i++)
        e.m[i][i] -= 1.0;
    if (plastic != NULL)
        e = qvMat3_MulAdd(&e, -1.0, plastic);
    return qvMat3_Scaled(0.5, &e);
}

// la tr e I + 2 mu e
static qvMat3 HookeStress(const qvPhyxelMaterial* material, const qvMat3* e)
{
    qvMat3 s = qvMat3_Scaled(2.0 * material->mu, e);
    for (int i = 0; i < 3; i++)
        s.m[i][i] += material->lambda * qvMat3_Trace(e);
    return s;
}

static double StvkEnergy(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* plastic)
{
    qvMat3 e = ElasticStrain(j, plastic), s = HookeStress(material, &e);
    double swelling = qvMat3_Determinant(j) - 1.0;
    return 0.5 * qvMat3_Dot(&e, &s) + 0.5 * material->volume * swelling * swelling;
}

static qvMat3 StvkStress(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* plastic)
{
    qvMat3 e = ElasticStrain(j, plastic), s = HookeStress(material, &e), p = qvMat3_Product(j, &s);
    qvMat3 c = qvMat3_Cofactors(j);
    return qvMat3_MulAdd(&p, material->volume * (qvMat3_Determinant(j) - 1.0), &c);
}

static qvMat3 StvkStressChange(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* plastic,
                               const qvMat3* d)
{
    qvMat3 t = qvMat3_Transpose(j), jd = qvMat3_Product(&t, d);
    qvMat3 e = ElasticStrain(j, plastic), s = HookeStress(material, &e);
    qvMat3 de = qvMat3_Symmetrized(&jd), ds = HookeStress(material, &de);
    qvMat3 dp = qvMat3_Product(d, &s), more = qvMat3_Product(j, &ds);
    qvMat3 c = qvMat3_Cofactors(j), dc = CofactorsChange(j, d);
    dp = qvMat3_MulAdd(&dp, 1.0, &more);
    dp = qvMat3_MulAdd(&dp, material->volume * qvMat3_Dot(&c, d), &c);
    return qvMat3_MulAdd(&dp, material->volume * (qvMat3_Determinant(j) - 1.0), &dc);
}

// --- Stable neo-Hookean ----------------------------------------------------------------------------------------------

// l2 = la + mu, al = 1 + mu / l2, root = sqrt(det G), excess = det J root - al
typedef struct Snh
{
    double l2, al, root, excess;
} Snh;

static Snh MakeSnh(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* metric)
{
    Snh s = { .l2 = material->lambda + material->mu, .root = 1.0 };
    s.al = 1.0 + material->mu / s.l2;
    if (metric != NULL)
        s.root = sqrt(qvMat3_Determinant(metric));
    s.excess = qvMat3_Determinant(j) * s.root - s.al;
    return s;
}

static double SnhEnergy(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* metric)
{
    Snh s = MakeSnh(material, j, metric);
    qvMat3 jg = metric != NULL ? qvMat3_Product(j, metric) : *j;
    double rest = 1.0 - s.al;
    return 0.5 * material->mu * (qvMat3_Dot(&jg, j) - 3.0) + 0.5 * s.l2 * (s.excess * s.excess - rest * rest);
}

static qvMat3 SnhStress(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* metric)
{
    Snh s = MakeSnh(material, j, metric);
    qvMat3 p = metric != NULL ? qvMat3_Product(j, metric) : *j, c = qvMat3_Cofactors(j);
    p = qvMat3_Scaled(material->mu, &p);
    return qvMat3_MulAdd(&p, s.l2 * s.excess * s.root, &c);
}

static qvMat3 SnhStressChange(const qvPhyxelMaterial* material, const qvMat3* j, const qvMat3* metric, const qvMat3* d)
{
    Snh s = MakeSnh(material, j, metric);
    qvMat3 dp = metric != NULL ? qvMat3_Product(d, metric) : *d;
    qvMat3 c = qvMat3_Cofactors(j), dc = CofactorsChange(j, d);
    dp = qvMat3_Scaled(material->mu, &dp);
    dp = qvMat3_MulAdd(&dp, s.l2 * s.root * s.root * qvMat3_Dot(&c, d), &c);
    return qvMat3_MulAdd(&dp, s.l2 * s.excess * s.root, &dc);
}

double qvPhyxelMaterial_Energy(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed)
{
    return material->law == qv_phyxelStvk ? StvkEnergy(material, gradient, flowed)
                                          : SnhEnergy(material, gradient, flowed);
}

qvMat3 qvPhyxelMaterial_Stress(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed)
{
    return material->law == qv_phyxelStvk ? StvkStress(material, gradient, flowed)
                                          : SnhStress(material, gradient, flowed);
}

qvMat3 qvPhyxelMaterial_StressChange(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed,
                                     const qvMat3* change)
{
    return material->law == qv_phyxelStvk ? StvkStressChange(material, gradient, flowed, change)
                                          : SnhStressChange(material, gradient, flowed, change);
}
