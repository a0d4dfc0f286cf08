// SPDX-License-Identifier: GPL-3.0-or-later
// Saint Venant-Kirchhoff membrane of one triangle, plane stress: Green strain E = (F^T F - 1) / 2 of the 3 x 2
// deformation gradient F, second Piola-Kirchhoff stress S = la tr(E) + 2 mu E.
#include "elastic/elements.h"

#include <math.h>

typedef struct Vec2
{
    double x, y;
} Vec2;

typedef struct Membrane
{
    double volume, la, mu;
    Vec2 d[3];   // rows of the inverse of the rest edges: F = sum x_k d_k^T
    qvVec3 f[2]; // columns of F
    double e[3]; // Green strain: xx, yy, xy
    double s[3]; // stress
} Membrane;

// Rest edges in a frame of the rest triangle, inverted.
static bool InitRest(Membrane* m, const qvVec3 rest[3])
{
    qvVec3 a = qvSub(rest[1], rest[0]), b = qvSub(rest[2], rest[0]);
    double length = qvLength(a), twice = qvLength(qvCross(a, b));
    if (!(twice > 0.0))
        return false;
    double x = qvDot(a, b) / length, y = twice / length; // b in the frame; a is (length, 0)
    m->d[1] = (Vec2){ 1.0 / length, -x / (length * y) };
    m->d[2] = (Vec2){ 0.0, 1.0 / y };
    m->d[0] = (Vec2){ -m->d[1].x - m->d[2].x, -m->d[1].y - m->d[2].y };
    m->volume = 0.5 * twice;
    return true;
}

static void InitStrain(Membrane* m, const qvVec3 x[3])
{
    qvVec3 a = qvSub(x[1], x[0]), b = qvSub(x[2], x[0]);
    m->f[0] = qvMulAdd(qvScale(m->d[1].x, a), m->d[2].x, b);
    m->f[1] = qvMulAdd(qvScale(m->d[1].y, a), m->d[2].y, b);
    m->e[0] = 0.5 * (qvDot(m->f[0], m->f[0]) - 1.0);
    m->e[1] = 0.5 * (qvDot(m->f[1], m->f[1]) - 1.0);
    m->e[2] = 0.5 * qvDot(m->f[0], m->f[1]);
    double trace = m->la * (m->e[0] + m->e[1]);
    m->s[0] = trace + 2.0 * m->mu * m->e[0];
    m->s[1] = trace + 2.0 * m->mu * m->e[1];
    m->s[2] = 2.0 * m->mu * m->e[2];
}

static qvVec3 TimesF(const Membrane* m, Vec2 v)
{
    return qvMulAdd(qvScale(v.x, m->f[0]), v.y, m->f[1]);
}

static Vec2 TimesStress(const Membrane* m, Vec2 v)
{
    return (Vec2){ m->s[0] * v.x + m->s[2] * v.y, m->s[2] * v.x + m->s[1] * v.y };
}

static double Get(qvVec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

// volume ((d_k S d_l) 1 + la (F d_k)(F d_l)^T + mu ((d_k . d_l) F F^T + (F d_l)(F d_k)^T))
static qvBlock MembraneBlock(const Membrane* m, int k, int l)
{
    Vec2 dk = m->d[k], dl = m->d[l], sl = TimesStress(m, dl);
    qvVec3 fk = TimesF(m, dk), fl = TimesF(m, dl);
    double stress = dk.x * sl.x + dk.y * sl.y, dot = dk.x * dl.x + dk.y * dl.y;
    qvBlock block;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            double square = Get(m->f[0], i) * Get(m->f[0], j) + Get(m->f[1], i) * Get(m->f[1], j);
            block.m[i][j] = m->volume * ((i == j ? stress : 0.0) + m->la * Get(fk, i) * Get(fl, j) +
                                         m->mu * (dot * square + Get(fl, i) * Get(fk, j)));
        }
    }
    return block;
}

bool qvStvkTerm(const qvVec3 x[3], const qvVec3 rest[3], double young, double poisson, double thickness, double* energy,
                qvVec3* gradient, qvBlock* blocks)
{
    static const int pairs[qv_triangleBlocks][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 0 }, { 2, 0 }, { 2, 1 } };
    Membrane m;
    if (!InitRest(&m, rest))
        return false;
    m.volume *= thickness;
    m.la = young * poisson / (1.0 - poisson * poisson);
    m.mu = 0.5 * young / (1.0 + poisson);
    InitStrain(&m, x);
    double trace = m.e[0] + m.e[1], square = m.e[0] * m.e[0] + m.e[1] * m.e[1] + 2.0 * m.e[2] * m.e[2];
    *energy = m.volume * (0.5 * m.la * trace * trace + m.mu * square);
    for (int k = 0; k < 3; k++)
        gradient[k] = qvScale(m.volume, TimesF(&m, TimesStress(&m, m.d[k])));
    for (int p = 0; p < qv_triangleBlocks; p++)
        blocks[p] = MembraneBlock(&m, pairs[p][0], pairs[p][1]);
    return true;
}
