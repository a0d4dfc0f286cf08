// SPDX-License-Identifier: GPL-3.0-or-later
// A segment of a path through rigid poses: exp(whole turns, at constant speed) exp(r(t)) with a quintic r(t) that meets
// angular velocities and accelerations at both ends, so that a chain of them is C2 in translation and rotation.
#include "math/rigid_segment.h"

#include "math/rotation.h"

static qvVec3 Triple(const double* x)
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

// The quintic with value, slope and second derivative p, v, a at 0 and q, w, z at T.
static void Quintic(double length, const double start[3], const double end[3], double c[6])
{
    double t = length, t2 = t * t;
    double rise = end[0] - start[0] - (start[1] + 0.5 * start[2] * t) * t;
    double slope = (end[1] - start[1] - start[2] * t) * t;
    double bend = (end[2] - start[2]) * t2;
    c[0] = start[0], c[1] = start[1], c[2] = 0.5 * start[2];
    c[3] = (10.0 * rise - 4.0 * slope + 0.5 * bend) / (t2 * t);
    c[4] = (-15.0 * rise + 7.0 * slope - bend) / (t2 * t2);
    c[5] = (6.0 * rise - 3.0 * slope + 0.5 * bend) / (t2 * t2 * t);
}

// r(t) of a segment from angular velocities and accelerations at its ends. About the whole turns' spin s:
// omega = R(r)^T s + J(r) r', and s has the direction of r at both ends.
static void RotationShape(qvRigidSegment* segment, qvVec3 turn, const double* velocity[2],
                          const double* acceleration[2])
{
    qvVec3 s = segment->spin, rate[2], second[2];
    for (int side = 0; side < 2; side++)
    {
        qvVec3 r = side == 0 ? qvMakeVec3(0.0, 0.0, 0.0) : turn;
        qvVec3 omega = qvSub(Triple(velocity[side] + 3), s);
        rate[side] = qvRotation_Rate(r, omega);
        qvVec3 rest = qvAdd(Triple(acceleration[side] + 3), qvCross(omega, s));
        second[side] = qvRotation_Rate(r, qvSub(rest, qvRotation_Bend(r, rate[side])));
    }
    const double *v0 = &rate[0].x, *v1 = &rate[1].x, *a0 = &second[0].x, *a1 = &second[1].x, *way = &turn.x;
    for (int c = 0; c < 3; c++)
    {
        double start[3] = { 0.0, v0[c], a0[c] }, end[3] = { way[c], v1[c], a1[c] };
        Quintic(segment->length, start, end, segment->shape[3 + c]);
    }
}

void qvShapeRigidSegment(qvRigidSegment* segment, qvVec3 from, qvVec3 to, qvVec3 turn, const double* velocity[2],
                         const double* acceleration[2])
{
    const double starts[3] = { from.x, from.y, from.z }, ends[3] = { to.x, to.y, to.z };
    for (int c = 0; c < 3; c++)
    {
        double first[3] = { starts[c], velocity[0][c], acceleration[0][c] };
        double last[3] = { ends[c], velocity[1][c], acceleration[1][c] };
        Quintic(segment->length, first, last, segment->shape[c]);
    }
    RotationShape(segment, turn, velocity, acceleration);
}

// Value and two derivatives of a row's polynomials.
static void Powers(const qvRigidSegment* segment, int first, double t, qvVec3 out[3])
{
    double x[3][3];
    for (int k = 0; k < 3; k++)
    {
        const double* c = segment->shape[first + k];
        x[0][k] = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
        x[1][k] = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5])));
        x[2][k] = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * 20.0 * c[5]));
    }
    for (int k = 0; k < 3; k++)
        out[k] = Triple(x[k]);
}

qvRigidState qvRigidState_AtRest(const qvRigid* pose)
{
    qvVec3 zero = { 0.0, 0.0, 0.0 };
    return (qvRigidState){ *pose, zero, zero, zero, zero };
}

qvRigidState qvRigidSegment_Evaluate(const qvRigidSegment* segment, qvQuat start, double t)
{
    qvVec3 x[3], r[3];
    Powers(segment, 0, t, x);
    Powers(segment, 3, t, r);
    qvQuat inner = qvQuat_Exp(r[0]), back = qvQuat_Conjugate(inner);
    qvQuat spun = qvQuat_Multiply(start, qvQuat_Exp(qvScale(t, segment->spin)));
    qvRigidState s = { .pose = { qvQuat_Normalize(qvQuat_Multiply(spun, inner)), x[0] },
                       .velocity = x[1],
                       .acceleration = x[2] };
    qvVec3 seen = qvQuat_Rotate(back, segment->spin), own = qvRotation_Velocity(r[0], r[1]);
    s.spin = qvAdd(seen, own);
    s.spinRate = qvAdd(qvRotation_Velocity(r[0], r[2]), qvRotation_Bend(r[0], r[1]));
    s.spinRate = qvAdd(s.spinRate, qvCross(seen, own));
    return s;
}
