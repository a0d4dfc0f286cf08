// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a step over all phyxels, in gathered form: each phyxel sums what its neighbours give it, in the order
// of its list, so that any number of threads makes the same bits. With one radius for the body the weights of a pair
// are the same from both ends, and the forces of cloud.h become
//
//     f_i = sum_j [ (c_i + c_j) w y_ij - (H_i + H_j) w x_ij ],   H = c J - v P A^-1,   y_ij = y_j - y_i
//
// The velocity filter has the same form with c_i = rate dt m_i / sum_j w_ij, H = c L, and v for y.
//
// A point or a column of a matrix is four numbers, the last of them zero, which is one vector of the machine; a pair is
// w x_ij and w. The functions exist in double and float, and for each level of the CPU (base/cpu.h), with the same bits
// for all levels.
#pragma once

#include <stdint.h>

#define PHYXEL_KERNEL_TYPES(suffix, real)                                                                        \
    typedef struct qvPhyxelLists##suffix                                                                         \
    {                                                                                                            \
        const int32_t *start, *index; /* as in neighbours.h */                                                   \
        const real (*pair)[4];        /* w x_ij, w of each pair */                                               \
        const real (*inverse)[8];     /* A^-1 of each phyxel: xx, xy, xz, yy, yz, zz */                          \
    } qvPhyxelLists##suffix;                                                                                     \
    typedef struct qvPhyxelStress##suffix                                                                        \
    {                                                                                                            \
        real mu, lambda2, rest;  /* mu, la + mu, 1 + mu / (la + mu) */                                           \
        real penalty;            /* alpha E */                                                                   \
        const real (*metric)[8]; /* G of each phyxel: xx, xy, xz, yy, yz, zz, sqrt(det G) */                     \
        const real (*share)[2];  /* of each phyxel: volume with its fading, c / penalty */                       \
    } qvPhyxelStress##suffix;                                                                                    \
    typedef void qvGradientsFcn##suffix(const qvPhyxelLists##suffix*, int begin, int end, const real(*field)[4], \
                                        real(*gradients)[3][4]);                                                 \
    typedef void qvStressesFcn##suffix(const qvPhyxelLists##suffix*, const qvPhyxelStress##suffix*, int begin,   \
                                       int end, const real(*gradients)[3][4], real* c, real(*h)[3][4]);          \
    typedef void qvGatherFcn##suffix(const qvPhyxelLists##suffix*, int begin, int end, const real* c,            \
                                     const real(*field)[4], const real(*h)[3][4], real(*sums)[4]);               \
    typedef struct qvPhyxelKernel##suffix                                                                        \
    {                                                                                                            \
        qvGradientsFcn##suffix* gradients; /* columns of sum_j field_ij w x_ij^T A^-1 */                         \
        qvStressesFcn##suffix* stresses;   /* c and H of every phyxel from its J */                              \
        qvGatherFcn##suffix* gather;                                                                             \
    } qvPhyxelKernel##suffix;                                                                                    \
    extern const qvPhyxelKernel##suffix qvPhyxelKernel##suffix##_Portable;                                       \
    extern const qvPhyxelKernel##suffix qvPhyxelKernel##suffix##_Avx2;                                           \
    const qvPhyxelKernel##suffix* qvGetPhyxelKernel##suffix(void); /* of this machine */

PHYXEL_KERNEL_TYPES(D, double)
PHYXEL_KERNEL_TYPES(F, float)
