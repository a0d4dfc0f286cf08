// SPDX-License-Identifier: GPL-3.0-or-later
// Limbs as rods. The chain of segments is found by A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the
// inverse kinematics problem", 2011. Between two segments the centre line c turns over a stretch of twice the spread
// with the profile W: c' = stretch R a with R = exp(W b) times the turn before, a the direction at rest and b the
// joint's rotation vector. A point at c(s) + p goes to c'(s) + R p. Nothing folds while |b| W' times the limb's radius
// stays below 1, that is for angles up to 1.6 spread / radius.
#include "kelvinlet/rod.h"

#include "base/assert.h"
#include "math/rotation.h"

#include <math.h>

static const int CHAIN_ROUNDS = 64;
static const int TIP_ROUNDS = 24;

// W: from 0 to 1, its slope 1.25 (1 - (2t - 1)^4) starts and ends at zero and is nowhere much above 1.
static double Profile(double t)
{
    double u = fmin(fmax(2.0 * t - 1.0, -1.0), 1.0), u2 = u * u;
    return 0.5 + 0.625 * u - 0.125 * u * u2 * u2;
}

// The shortest rotation between two unit vectors, as its rotation vector.
static qvVec3 Between(qvVec3 a, qvVec3 b)
{
    qvVec3 axis = qvCross(a, b);
    double sine = qvLength(axis), cosine = qvDot(a, b);
    if (sine > 1e-12)
        return qvScale(atan2(sine, cosine) / sine, axis);
    if (cosine > 0.0)
        return qvMakeVec3(0.0, 0.0, 0.0);
    qvVec3 other = fabs(a.x) < 0.6 ? qvMakeVec3(1.0, 0.0, 0.0) : qvMakeVec3(0.0, 1.0, 0.0);
    return qvScale(QV_PI, qvNormalize(qvCross(a, other)));
}

static double Stretch(const qvRod* rod, double s)
{
    return 1.0 + (rod->def.stretch - 1.0) * Profile(0.5 * (s + rod->spread) / rod->spread);
}

// c' in the stretch about joint i, at a share of it.
static qvVec3 Slope(const qvRod* rod, int i, double share)
{
    qvQuat bend = qvQuat_Exp(qvScale(Profile(share), rod->bends[i]));
    qvVec3 along = qvQuat_Rotate(bend, qvQuat_Rotate(rod->turns[i], rod->along));
    double s = i * rod->segment + (2.0 * share - 1.0) * rod->spread;
    return qvScale(Stretch(rod, s), along);
}

// Simpson's rule from knot to knot.
static void DrawLine(qvRod* rod, int i, qvVec3 start)
{
    qvVec3* line = rod->lines[i];
    double step = 2.0 * rod->spread / qv_rodKnots;
    line[0] = start;
    for (int k = 0; k < qv_rodKnots; k++)
    {
        qvVec3 sum = qvAdd(Slope(rod, i, (double)k / qv_rodKnots), Slope(rod, i, (k + 1.0) / qv_rodKnots));
        sum = qvMulAdd(sum, 4.0, Slope(rod, i, (k + 0.5) / qv_rodKnots));
        line[k + 1] = qvMulAdd(line[k], step / 6.0, sum);
    }
}

// A place on the centre line beyond the stretch about joint i.
static qvVec3 Beyond(const qvRod* rod, int i, double s)
{
    qvVec3 along = qvQuat_Rotate(rod->turns[i + 1], rod->along);
    double length = rod->def.stretch * (s - i * rod->segment - rod->spread);
    return qvMulAdd(rod->lines[i][qv_rodKnots], length, along);
}

// Bends such that the segments run along the links of a chain. Returns where the tip gets.
static qvVec3 Follow(qvRod* rod, const qvVec3* chain)
{
    int n = rod->def.segments;
    qvVec3 before = rod->along;
    rod->turns[0] = qvQuat_Identity();
    for (int i = 0; i < n; i++)
    {
        qvVec3 link = qvNormalize(qvSub(chain[i + 1], chain[i]));
        rod->bends[i] = Between(before, link);
        rod->turns[i + 1] = qvQuat_Multiply(qvQuat_Exp(rod->bends[i]), rod->turns[i]);
        before = link;
        DrawLine(rod, i,
                 i == 0 ? qvMulAdd(rod->def.joint, -rod->spread, rod->along)
                        : Beyond(rod, i - 1, i * rod->segment - rod->spread));
    }
    return Beyond(rod, n - 1, n * rod->segment);
}

// A bow over the way to the target, on the side where the limb was: there the chain is nearly right already.
static void Bow(const qvRod* rod, qvVec3 towards, qvVec3* chain)
{
    int n = rod->def.segments;
    double distance = qvLength(towards), length = n * rod->segment * rod->def.stretch, ratio = distance / length;
    qvVec3 way = distance > 0.0 ? qvScale(1.0 / distance, towards) : rod->along;
    qvVec3 other = fabs(way.x) < 0.6 ? qvMakeVec3(1.0, 0.0, 0.0) : qvMakeVec3(0.0, 1.0, 0.0);
    qvVec3 side = qvMulAdd(rod->along, -qvDot(rod->along, way), way);
    side = qvNormalize(qvMulAdd(side, 0.02, qvNormalize(qvCross(way, other))));
    double height = 0.5 * length * sqrt(fmax(1.0 - ratio * ratio, 0.0));
    for (int i = 0; i <= n; i++)
    {
        qvVec3 at = qvMulAdd(rod->def.joint, distance * i / n, way);
        chain[i] = qvMulAdd(at, height * sin(QV_PI * i / n), side);
    }
}

// Links of one length from the joint to the target, or straight towards it where it is out of reach.
static void Reach(const qvRod* rod, qvVec3 target, qvVec3* chain)
{
    int n = rod->def.segments;
    double link = rod->segment * rod->def.stretch;
    qvVec3 root = rod->def.joint, towards = qvSub(target, root);
    if (qvLength(towards) >= n * link * (1.0 - 1e-9) || n == 1)
    {
        for (int i = 0; i <= n; i++)
            chain[i] = qvMulAdd(root, i * link, qvNormalize(towards));
        return;
    }
    Bow(rod, towards, chain);
    for (int round = 0; round < CHAIN_ROUNDS; round++)
    {
        chain[n] = target;
        for (int i = n - 1; i >= 0; i--)
            chain[i] = qvMulAdd(chain[i + 1], link, qvNormalize(qvSub(chain[i], chain[i + 1])));
        chain[0] = root;
        for (int i = 0; i < n; i++)
            chain[i + 1] = qvMulAdd(chain[i], link, qvNormalize(qvSub(chain[i + 1], chain[i])));
    }
}

// Rounded joints bring the tip beside the end of the chain: the chain's target is moved until the tip is right. One
// segment has no choice but its direction.
void qvRod_Init(qvRod* rod, const qvRodDef* def)
{
    QV_ASSERT(def->segments >= 1 && def->segments <= qv_maxRodJoints && def->stretch > 0.0);
    qvVec3 limb = qvSub(def->tip, def->joint), towards = qvSub(def->target, def->joint);
    *rod = (qvRod){ .def = *def, .along = qvNormalize(limb), .segment = qvLength(limb) / def->segments };
    rod->spread = fmin(def->spread, 0.5 * rod->segment);
    qvVec3 chain[qv_maxRodJoints + 1];
    for (int i = 0; i <= def->segments; i++)
        chain[i] = qvMulAdd(def->joint, i * rod->segment * def->stretch, rod->along);
    qvVec3 tip = Follow(rod, chain);
    double reach = qvDistance(tip, def->joint);
    if (!(qvLength(towards) > 1e-9 * rod->segment) || qvDistance(tip, def->target) <= 1e-12 * reach)
        return;
    qvVec3 wanted = def->target, aim = def->target;
    for (int round = 0; round < TIP_ROUNDS; round++)
    {
        Reach(rod, aim, chain);
        tip = Follow(rod, chain);
        double length = def->segments == 1 ? qvDistance(tip, def->joint) : fmin(qvLength(towards), reach);
        wanted = qvMulAdd(def->joint, length, qvNormalize(towards));
        aim = qvAdd(aim, qvSub(wanted, tip));
    }
}

double qvRod_Along(const qvRod* rod, qvVec3 at)
{
    return qvDot(qvSub(at, rod->def.joint), rod->along);
}

double qvRod_Share(const qvRod* rod, qvVec3 at)
{
    return Profile(0.5 * (qvRod_Along(rod, at) + rod->spread) / rod->spread);
}

// Cubic through the knots with their slopes.
static qvVec3 LineAt(const qvRod* rod, int i, double share)
{
    double place = share * qv_rodKnots, step = 2.0 * rod->spread / qv_rodKnots;
    int k = (int)fmin(fmax(place, 0.0), qv_rodKnots - 1.0);
    double u = place - k, v = 1.0 - u;
    qvVec3 a = rod->lines[i][k], b = rod->lines[i][k + 1];
    qvVec3 leaves = Slope(rod, i, (double)k / qv_rodKnots), arrives = Slope(rod, i, (k + 1.0) / qv_rodKnots);
    qvVec3 sum = qvMulAdd(qvScale(v * v * (1.0 + 2.0 * u), a), u * u * (3.0 - 2.0 * u), b);
    sum = qvMulAdd(sum, step * u * v * v, leaves);
    return qvMulAdd(sum, -step * u * u * v, arrives);
}

qvVec3 qvRod_Carry(const qvRod* rod, qvVec3 at)
{
    double s = qvRod_Along(rod, at), h = rod->spread;
    if (!(s > -h))
        return at;
    int i = (int)fmin(floor((s + h) / rod->segment), rod->def.segments - 1.0);
    double share = 0.5 * (s - i * rod->segment + h) / h, end = rod->def.segments * rod->segment;
    qvVec3 off = qvSub(qvSub(at, rod->def.joint), qvScale(s, rod->along));
    qvQuat twist = qvQuat_Exp(qvScale(rod->def.twist * Profile((s + h) / (end + h)), rod->along));
    off = qvScale(pow(Stretch(rod, s), -rod->def.poisson), qvQuat_Rotate(twist, off));
    if (share >= 1.0)
        return qvAdd(Beyond(rod, i, s), qvQuat_Rotate(rod->turns[i + 1], off));
    qvQuat bend = qvQuat_Exp(qvScale(Profile(share), rod->bends[i]));
    return qvAdd(LineAt(rod, i, share), qvQuat_Rotate(bend, qvQuat_Rotate(rod->turns[i], off)));
}
