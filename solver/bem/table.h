// SPDX-License-Identifier: GPL-3.0-or-later
// Tables over the distance of the bounded part of the kernels: (A - A0)/r, (B - B0)/r, (a - a0)/r^2, …
//
// Every kernel that is assembled is a channel: a convolution weight, a real Laplace variable, its derivative, or the
// real or imaginary part at a complex one. What is singular is the same for all of them (the static part, bem/radial.h)
// and is left out here. Channels are contiguous, so that the inner loop runs over them.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <complex.h>

typedef struct qvBemTable
{
    double kappa;
    int channels;
    int stride;          ///< channels and the static part, rounded up to whole vectors
    double spacing;      ///< of the distances
    int count;           ///< of distances, at least 4
    double* values;      ///< [distance][function][stride]
    double* staticShare; ///< per channel: how often the static part belongs to it
} qvBemTable;

/// A kernel in the Laplace domain, c2 = 1: share value of real(f(s)), or of the part or derivative of it.
typedef enum qvBemChannelPart
{
    qv_bemReal,
    qv_bemImaginary,
    qv_bemDerivative,          ///< df/ds: its real part
    qv_bemImaginaryDerivative, ///< and its imaginary one
} qvBemChannelPart;

typedef struct qvBemChannel
{
    double complex s;
    qvBemChannelPart part;
} qvBemChannel;

/// Kernels in the Laplace domain with a shear speed of 1, for distances up to reach. step is the spacing times |s|:
/// 0.05 is exact to 1e-7, 0.01 to 1e-10.
QV_CHECKED qvResult qvCreateLaplaceTable(double kappa, const qvBemChannel* channels, int count, double reach,
                                         double step, qvBemTable** table, qvError* error);

/// The weights k = 0..last of backward Euler with the distance shearStep = c2 dt per step.
QV_CHECKED qvResult qvCreateBdf1Table(double kappa, double shearStep, int last, double reach, double step,
                                      qvBemTable** table, qvError* error);

/// Some of a table's channels as a table of their own.
QV_CHECKED qvResult qvCreateBemTablePart(const qvBemTable* table, int first, int count, qvBemTable** part,
                                         qvError* error);

void qvDestroyBemTable(qvBemTable* table); ///< NULL is allowed

/// Weights that matter: tau + 4 sqrt(tau) + 4 for tau = diameter/(c2 dt), since backward Euler smears a delay of tau
/// steps over about sqrt(tau) of them.
int qvBemHistoryLength(double diameter, double shearStep);
