// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, eq. 11 (bem/frame.h), and the midpoint rule that replaces it here.
#include "bem/frame.h"

#include "math/mat3.h"

#include <math.h>

qvMat3 qvRotationOf(qvVec3 v)
{
    double angle = qvLength(v), half = 0.5 * angle;
    double first = angle > 1e-8 ? sin(angle) / angle : 1.0;
    double second = angle > 1e-8 ? 0.5 * (sin(half) / half) * (sin(half) / half) : 0.5;
    qvMat3 cross = qvMat3_Skew(v), square = qvMat3_Product(&cross, &cross), sum = qvMat3_Diagonal(1.0, 1.0, 1.0);
    sum = qvMat3_MulAdd(&sum, first, &cross);
    return qvMat3_MulAdd(&sum, second, &square);
}

void qvPaperFrame_Step(qvPaperFrame* frame, double dt, qvVec3 acceleration, qvVec3 angularAcceleration, qvVec3 gravity)
{
    qvVec3 pull = qvAdd(gravity, qvMat3_Apply(&frame->rotation, acceleration)); // 11a, 11b, in the world
    frame->velocity = qvMulAdd(frame->velocity, dt, pull);                      // 11d
    frame->spin = qvMulAdd(frame->spin, dt, qvMat3_Apply(&frame->rotation, angularAcceleration)); // 11e
    frame->place = qvMulAdd(frame->place, dt, frame->velocity);                                   // 11f
    qvMat3 turn = qvRotationOf(qvScale(dt, frame->spin));                                         // 11g
    frame->rotation = qvMat3_Product(&turn, &frame->rotation);
}

qvMat3 qvInvertInertia(const qvMat3* inertia)
{
    const double(*m)[3] = inertia->m;
    double inverse = 1.0 / qvMat3_Determinant(inertia);
    qvMat3 out;
    for (int i = 0; i < 3; i++)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out.m[j][i] = inverse * (m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1]);
        }
    }
    return out;
}

static qvVec3 SpinOf(const qvMat3* rotation, const qvMat3* inverse, qvVec3 momentum)
{
    qvMat3 back = qvMat3_Transpose(rotation);
    return qvMat3_Apply(rotation, qvMat3_Apply(inverse, qvMat3_Apply(&back, momentum)));
}

qvVec3 qvMidpointSpin(const qvMat3* rotation, const qvMat3* inertia, qvVec3 momentum, double dt)
{
    qvMat3 inverse = qvInvertInertia(inertia);
    qvMat3 half = qvRotationOf(qvScale(0.5 * dt, SpinOf(rotation, &inverse, momentum)));
    half = qvMat3_Product(&half, rotation);
    return SpinOf(&half, &inverse, momentum);
}

qvOscillator qvMakeOscillator(double omega, double damping, double dt)
{
    double damped = omega * sqrt(1.0 - damping * damping), decay = exp(-damping * omega * dt);
    double cosine = decay * cos(damped * dt), sine = decay * sin(damped * dt) / damped, drag = damping * omega;
    return (qvOscillator){
        .a11 = cosine + drag * sine, .a12 = sine, .a21 = -omega * omega * sine, .a22 = cosine - drag * sine
    };
}
