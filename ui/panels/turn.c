// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/turn.h"

#include <math.h>

static const double DEGREES = 57.29577951308232;

// The product of the three quaternions, the one about z first.
void qvuiAnglesToTurn(const double angles[3], double turn[4])
{
    double c[3], s[3];
    for (int i = 0; i < 3; i++)
    {
        double half = 0.5 * remainder(angles[i], 720.0) / DEGREES;
        c[i] = cos(half), s[i] = sin(half);
    }
    turn[0] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    turn[1] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    turn[2] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    turn[3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
}

bool qvuiAnglesMean(const double angles[3], const double turn[4])
{
    double own[4], dot = 0.0, length = 0.0, apart = 0.0;
    qvuiAnglesToTurn(angles, own);
    for (int i = 0; i < 4; i++)
        dot += own[i] * turn[i], length += turn[i] * turn[i];
    // A quaternion and its negative are one rotation.
    double scale = copysign(1.0 / sqrt(length), dot);
    for (int i = 0; i < 4; i++)
        apart = fmax(apart, fabs(own[i] - scale * turn[i]));
    return apart < 1e-10;
}

// Into (-180, 180], without the dust that rounding leaves.
static double Wrap(double angle)
{
    double wrapped = remainder(round(1e9 * angle) / 1e9, 360.0);
    return wrapped <= -180.0 ? wrapped + 360.0 : wrapped;
}

static double Distance(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += fabs(remainder(a[i] - b[i], 360.0));
    return sum;
}

// From the rotation's matrix Z(z) Y(y) X(x). Where y is a right angle only one of x and z can be told apart; x stays.
void qvuiTurnToAngles(const double turn[4], double angles[3])
{
    if (qvuiAnglesMean(angles, turn))
        return;
    double x = turn[0], y = turn[1], z = turn[2], w = turn[3], n = x * x + y * y + z * z + w * w;
    double ahead = w * w + x * x - y * y - z * z, left = 2.0 * (x * y + w * z), down = 2.0 * (w * y - x * z);
    double first[3] = { angles[0], DEGREES * atan2(down, hypot(ahead, left)), 0.0 };
    double sign = copysign(1.0, down);
    if (hypot(ahead, left) > 1e-6 * n)
    {
        first[0] = DEGREES * atan2(2.0 * (y * z + w * x), w * w - x * x - y * y + z * z);
        first[2] = DEGREES * atan2(left, ahead);
    }
    else
        first[2] = sign * first[0] + 2.0 * DEGREES * atan2(z - sign * x, w + sign * y);
    double second[3] = { first[0] + 180.0, 180.0 - first[1], first[2] + 180.0 };
    const double* nearer = Distance(second, angles) < Distance(first, angles) ? second : first;
    for (int i = 0; i < 3; i++)
        angles[i] = Wrap(nearer[i]);
}
