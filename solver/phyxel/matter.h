// SPDX-License-Identifier: GPL-3.0-or-later
// What an artist says of a material, and what the engine makes of it.
//
// wobble   Hz: the lowest frequency of the free body (calibrate.h)            E = youngPerHz2 wobble^2
// settle   s: a wobble is down to 5 % after it                                damping = 6 / settle, of the deformation
// melt     0 … 1: softer and more liquid                                      E 10^-melt, creep 10^(-1 + 2 melt) / s
// dent     0 … 1: keeps its dents                                             yield 0.6 (1 - dent)^2 (1 - melt)
// stick    0 … 1: how it holds on to what it touches                          friction 2 stick
// Melting and denting are two flows of one metric: the first relaxes all stress slowly, the second at once what is
// above the yield. Each of wobble, melt and dent may be a curve in time.
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"
#include "quaver/simulation.h"

#include <stdbool.h>

/// The value of a curve with at least one knot.
double qvPhyxelCurve_At(const qvCurve* curve, double time);

typedef struct qvPhyxelTerms
{
    qvCurve wobble, melt, dent;
    double settle, stick, poisson;
    double youngPerHz2; ///< of the body, see calibrate.h
    qvVec3 gravity;     ///< body units per s^2
    double follow;      ///< 0 … 1: a critically damped spring of 10 follow^2 Hz towards given positions
    bool forgetsStress; ///< on setting again, the shape it has then is free of stress
} qvPhyxelTerms;

/// 2.4 Hz, settled after 1.5 s, Poisson's ratio 0.35, gravity 9.81 along -y, all else 0. youngPerHz2 is to be set.
qvPhyxelTerms qvDefaultPhyxelTerms(void);

/// qv_badInput names what is out of range, a number that is not finite, or knots out of order.
QV_CHECKED qvResult qvPhyxelTerms_Check(const qvPhyxelTerms* terms, qvError* error);

/// The material at a moment.
typedef struct qvPhyxelMatter
{
    double young, lambda, mu;
    double damping; ///< 1/s of the deformation
    double creep;   ///< 1/s at which all stress relaxes; 0: it is no liquid
    double yield;   ///< above which stress is cut off; INFINITY: it keeps no dents
    double friction, follow;
    qvVec3 gravity;
    bool isLiquid; ///< parts may merge
    bool flows;    ///< the reference follows the shape; pressure, filter and fading act
} qvPhyxelMatter;

qvPhyxelMatter qvPhyxelTerms_At(const qvPhyxelTerms* terms, double time);

/// The first time after `time` at which a curve has a knot; INFINITY: never.
double qvPhyxelTerms_NextKnot(const qvPhyxelTerms* terms, double time);

/// How far the body would sag under gravity, g / (2 pi f)^2, at its softest, in body units. Above 15 % of the height is
/// worth a warning.
double qvPhyxelTerms_Sag(const qvPhyxelTerms* terms);
