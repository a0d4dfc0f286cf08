// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of the assembly: one point of a quadrature rule into the moments of its triangle.
#pragma once

enum
{
    qv_momentPa = 0, ///< 3: a rh_i
    qv_momentPb = 3, ///< 3: b rh_j
    qv_momentPd = 6, ///< 6: d rn rh_i rh_j; xx, xy, xz, yy, yz, zz
    qv_momentA = 12, ///< 1: A
    qv_momentB = 13, ///< 6: B rh_i rh_j
    qv_momentCount = 19,
};

/// What is the same for all channels at a point.
typedef struct qvBemPoint
{
    double weight[3];      ///< quadrature weight times shape function of each corner
    double dir[3], rn;     ///< direction from the vertex, its component along the normal
    double interpolate[4]; ///< weights of four nodes of the table
    double fixed[5];       ///< static radial functions over r and r^2
} qvBemPoint;

/// moments [3][qv_momentCount][stride] += the point; nodes is the first of the four in the table, values [5][stride] is
/// scratch. Channel number `channels` is the static part.
typedef void qvBemAddPoint(const qvBemPoint* point, const double* nodes, int stride, int channels, double* values,
                           double* moments);

qvBemAddPoint qvBemAddPoint_Portable;
#if defined(__x86_64__)
qvBemAddPoint qvBemAddPoint_Avx2;
qvBemAddPoint qvBemAddPoint_Avx512;
#endif
