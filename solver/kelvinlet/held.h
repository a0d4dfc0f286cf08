// SPDX-License-Identifier: GPL-3.0-or-later
// Places that loads leave where they are: each has a load of its own, which answers whatever the others do there. What
// the places do to each other is factored once, so that the forces of a stroke can be found many times around them.
#pragma once

#include "quaver/kelvinlet.h"

enum
{
    qv_maxHeld = 48,
};

typedef struct qvHeldPlace
{
    qvVec3 at;
    double radius;
    bool oneWay;  ///< held along one direction alone
    qvVec3 along; ///< of length 1
    int point;    ///< which point of the body it is
} qvHeldPlace;

typedef struct qvHeld
{
    int count;
    qvHeldPlace places[qv_maxHeld];
    qvKelvinlet like; ///< what their loads are made of
    int equationCount;
    double* lu; ///< column-major
    int* pivots;
} qvHeld;

/// Factors what the places do to each other. like gives scale count and Poisson ratio. Free it with qvHeld_Free, also
/// after a failure.
QV_CHECKED qvResult qvHeld_Factor(qvHeld* held, const qvKelvinlet* like, qvError* error);
void qvHeld_Free(qvHeld* held);

/// Static loads of the places [held->count] that move them by minus what moves has for them.
QV_CHECKED qvResult qvHeld_Answer(const qvHeld* held, const qvVec3* moves, qvKelvinlet* loads, qvError* error);

/// As qvSolveHandles, with the places staying where they are: loads has count entries for the handles and
/// held->count more.
QV_CHECKED qvResult qvSolveHandlesAround(const qvHeld* held, const qvKelvinlet* like, const qvHandle* handles,
                                         int count, qvKelvinlet* loads, qvError* error);
