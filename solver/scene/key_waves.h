// SPDX-License-Identifier: GPL-3.0-or-later
// Keys whose change travels as a wave, or which send a ripple.
#pragma once

#include "scene/labels.h"
#include "scene/wave_hold.h"

typedef struct qvKeyWaves
{
    int count;       // of keys; 0 when none of them sends waves
    qvKeyWave* keys; // [count]
    qvLabel* labels; // [count]
    double** shapes; // [2 count] bases and poses
    float** weights; // masks of all strokes
    int weightCount;
    uint8_t** pinned;       // [count] what holds the strokes of a key; NULL: nothing
    qvWaveStroke** strokes; // [count]
} qvKeyWaves;

/// Whether changes that travel lie below simulations, in a layer of their own, and not among the other waves.
bool qvTransientsAreBelow(const qvSolving* solving);

/// Those of one kind (qv_keyWaveNone: of both); of ripples, those that start where the motion below is known. The take
/// has its motion already. The hold lives longer. Free it also after a failure.
QV_CHECKED qvResult qvMakeKeyWaves(qvSolving* solving, qvKeyWaveKind kind, qvWaveHold* hold, qvKeyWaves* waves,
                                   qvError* error);
void qvFreeKeyWaves(qvKeyWaves* waves);
