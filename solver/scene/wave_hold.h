// SPDX-License-Identifier: GPL-3.0-or-later
// What pins leave of waves: nothing where they hold, everything a tenth of the body's size away from them.
#pragma once

#include "base/memory.h"
#include "scene/pipeline.h"

typedef struct qvWaveHold
{
    const qvScene* scene;
    int pointCount;
    float** left;           // [pinCount] what each pin leaves, per point
    QV_ARRAY(float*) masks; // owned
    const float* lastOwn;   // what the last mask was made of
    const float* lastMask;  // NULL: none yet
    bool *pins, *lastPins;  // [pinCount] that counted for it
} qvWaveHold;

/// Free it also after a failure.
QV_CHECKED qvResult qvMakeWaveHold(const qvSolving* solving, qvWaveHold* hold, qvError* error);
void qvFreeWaveHold(qvWaveHold* hold);

/// The mask, which may be NULL, of a wave that starts at a time and has one of its own (NULL: all 1). It lives as long
/// as the hold and its own one do.
QV_CHECKED qvResult qvWaveHold_Mask(qvWaveHold* hold, double time, const float* own, const float** mask,
                                    qvError* error);
