// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewport/whole_turns.h"

#include <math.h>

const double qvuiLargestTurn = 1000 * QV_TWO_PI;
static const double LARGEST_STEP = 0.1; // radians
static const double NUDGE = 1e-6;       // radians

static qvQuat Multiply(qvQuat a, qvQuat b)
{
    return (qvQuat){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static qvQuat About(qvVec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (qvQuat){ s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle) };
}

// The shortest way from one rotation to another: its axis times its angle, at most half a turn.
static qvVec3 ShortestWay(qvQuat from, qvQuat to)
{
    qvQuat q = Multiply((qvQuat){ -from.x, -from.y, -from.z, from.w }, to);
    qvVec3 vector = { q.x, q.y, q.z };
    double sine = qvLength(vector);
    if (sine < 1e-12)
        return qvMakeVec3(0.0, 0.0, 0.0);
    return qvScale(copysign(2.0, q.w) * atan2(sine, fabs(q.w)) / sine, vector);
}

// About which whole turns go; the scene's rule for a way that has no axis.
static qvVec3 AxisOf(qvVec3 way)
{
    return qvLength(way) > 1e-9 ? qvNormalize(way) : qvMakeVec3(0.0, 1.0, 0.0);
}

// How many whole turns beyond a way come nearest to where the body has got to.
static int CountTurns(qvVec3 way, qvVec3 whole)
{
    return (int)round((qvDot(whole, AxisOf(way)) - qvLength(way)) / QV_TWO_PI);
}

// A way of nothing has no axis for its whole turns, and one of half a turn has two; both are gone a little beside.
static qvVec3 StepTo(qvQuat from, qvQuat start, qvVec3 axis, double angle, double sign, qvQuat* rotation)
{
    *rotation = Multiply(About(axis, angle), start);
    qvVec3 way = ShortestWay(from, *rotation);
    double length = qvLength(way);
    if (length > NUDGE && length < 0.5 * QV_TWO_PI - NUDGE)
        return way;
    *rotation = Multiply(About(axis, angle + (length < 1.0 ? 2.0 : -2.0) * sign * NUDGE), start);
    return ShortestWay(from, *rotation);
}

qvuiTurned qvuiTurnFurther(qvQuat from, qvuiTurned key, qvVec3 axis, double angle)
{
    int steps = (int)fmax(ceil(fabs(angle) / LARGEST_STEP), 1.0);
    qvVec3 way = ShortestWay(from, key.rotation);
    qvVec3 whole = qvMulAdd(way, QV_TWO_PI * key.turns, AxisOf(way));
    qvuiTurned turned = key;
    for (int i = 1; i <= steps; i++)
    {
        way = StepTo(from, key.rotation, axis, angle * i / steps, copysign(1.0, angle), &turned.rotation);
        turned.turns = CountTurns(way, whole);
        whole = qvMulAdd(way, QV_TWO_PI * turned.turns, AxisOf(way));
    }
    // Back where it began without a turn, there is no axis to keep.
    if (turned.turns == 0 && qvLength(way) < 4.0 * NUDGE)
        turned.rotation = from;
    return turned;
}
