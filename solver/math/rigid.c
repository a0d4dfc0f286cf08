// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid fit of two point clouds. B. K. P. Horn, "Closed-form solution of absolute orientation using unit quaternions",
// 1987, section 4: the rotation is the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix.
#include "math/rigid.h"

#include "math/rotation.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

qvVec3 qvMassCenter(int count, const double* masses, const double* points)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double total = 0.0;
    for (int i = 0; i < count; i++)
    {
        sum = qvMulAdd(sum, masses[i], qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
        total += masses[i];
    }
    return total > 0.0 ? qvScale(1.0 / total, sum) : sum;
}

// Eigenvalues on the diagonal of a, eigenvectors in the columns of v, by Jacobi's rotations. What is nothing beside
// scale is left.
static void Eigen4(double a[4][4], double scale, double v[4][4])
{
    double nothing = fmax(1e-3 * DBL_EPSILON * scale, DBL_MIN);
    bool isDone = false;
    for (int i = 0; i < 16; i++)
        v[i / 4][i % 4] = i / 4 == i % 4 ? 1.0 : 0.0;
    for (int sweep = 0; !isDone && sweep < 30; sweep++)
    {
        isDone = true;
        for (int p = 0; p < 3; p++)
        {
            for (int q = p + 1; q < 4; q++)
            {
                if (fabs(a[p][q]) <= nothing)
                    continue;
                isDone = false;
                double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 4; k++)
                {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 4; k++)
                {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                }
            }
        }
    }
}

// The unit quaternion in the space of the largest eigenvalue that is nearest to no rotation. w is component 0.
static qvQuat LargestNearIdentity(double a[4][4], double v[4][4], double scale)
{
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = a[k][k] > a[best][best] ? k : best;
    double sum[4] = { 0.0, 0.0, 0.0, 0.0 }, length = 0.0;
    for (int k = 0; k < 4; k++)
    {
        if (a[k][k] < a[best][best] - 1e-12 * scale)
            continue;
        for (int i = 0; i < 4; i++)
            sum[i] += v[0][k] * v[i][k];
    }
    for (int i = 0; i < 4; i++)
        length += sum[i] * sum[i];
    if (length < 1e-24) // a turn by pi
    {
        for (int i = 0; i < 4; i++)
            sum[i] = v[i][best];
    }
    return qvQuat_Normalize((qvQuat){ sum[1], sum[2], sum[3], sum[0] });
}

qvRigid qvFitMoment(const double moment[9], qvVec3 to)
{
    double s[3][3], scale = 0.0;
    for (int i = 0; i < 9; i++)
    {
        s[i / 3][i % 3] = moment[i];
        scale += fabs(moment[i]);
    }
    double m[4][4] = { { s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0] },
                       { 0.0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] },
                       { 0.0, 0.0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1] },
                       { 0.0, 0.0, 0.0, s[2][2] - s[0][0] - s[1][1] } };
    for (int r = 1; r < 4; r++)
    {
        for (int c = 0; c < r; c++)
            m[r][c] = m[c][r];
    }
    double v[4][4];
    Eigen4(m, scale, v);
    return (qvRigid){ LargestNearIdentity(m, v, scale), to };
}

qvRigid qvFitRigid(int count, const double* masses, const double* rest, const double* pose)
{
    qvVec3 from = qvMassCenter(count, masses, rest), to = qvMassCenter(count, masses, pose);
    double moment[9] = { 0.0 };
    const double a[3] = { from.x, from.y, from.z }, b[3] = { to.x, to.y, to.z };
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < 9; k++)
            moment[k] += masses[i] * (rest[3 * i + k / 3] - a[k / 3]) * (pose[3 * i + k % 3] - b[k % 3]);
    }
    return qvFitMoment(moment, to);
}

qvRigidState qvComposeRigid(const qvRigidState* outer, qvVec3 outerPivot, const qvRigidState* inner)
{
    qvQuat back = qvQuat_Conjugate(inner->pose.rotation), turn = outer->pose.rotation;
    qvVec3 arm = qvSub(inner->pose.position, outerPivot);
    qvRigidState s;
    s.pose.rotation = qvQuat_Normalize(qvQuat_Multiply(turn, inner->pose.rotation));
    s.pose.position = qvAdd(qvQuat_Rotate(turn, arm), outer->pose.position);

    // The inner pivot is a point that moves in the outer body's axes.
    qvVec3 carried = qvAdd(qvCross(outer->spin, arm), inner->velocity);
    s.velocity = qvAdd(outer->velocity, qvQuat_Rotate(turn, carried));
    qvVec3 bent = qvAdd(qvCross(outer->spinRate, arm), qvCross(outer->spin, qvCross(outer->spin, arm)));
    bent = qvAdd(qvMulAdd(bent, 2.0, qvCross(outer->spin, inner->velocity)), inner->acceleration);
    s.acceleration = qvAdd(outer->acceleration, qvQuat_Rotate(turn, bent));

    qvVec3 seen = qvQuat_Rotate(back, outer->spin);
    s.spin = qvAdd(seen, inner->spin);
    s.spinRate = qvAdd(qvQuat_Rotate(back, outer->spinRate), inner->spinRate);
    s.spinRate = qvAdd(s.spinRate, qvCross(seen, inner->spin));
    return s;
}
