// SPDX-License-Identifier: GPL-3.0-or-later
// What pins hold of a body of phyxels: the phyxels around the pinned vertices follow the motion below, and the pinned
// vertices are exactly where it has them. What phyxels alone miss there fades out over the vertices around.
#pragma once

#include "layer/engine.h"
#include "phyxel/engine.h"

typedef struct qvPhyxelPins qvPhyxelPins;

/// Phyxels and vertices in the shape that the body springs back to; start: the time of the state's clock 0.
QV_CHECKED qvResult qvCreatePhyxelPins(const qvEnginePin* pins, int pinCount, double start, const qvPhyxelBody* body,
                                       const qvVec3* vertices, int vertexCount, qvPhyxelPins** made, qvError* error);
void qvDestroyPhyxelPins(qvPhyxelPins* pins); ///< NULL is allowed

/// For qvPhyxelScene.
int qvPhyxelPins_Holds(const qvPhyxelPins* pins, const qvPhyxelHold** holds);

/// Whether vertices are corrected at a time of the state's clock.
bool qvPhyxelPins_IsActive(const qvPhyxelPins* pins, double time);

/// Moves vertices that phyxels carried to where the motion below has the pinned ones.
void qvPhyxelPins_Apply(const qvPhyxelPins* pins, double time, const qvVec3f* below, qvVec3f* vertices);
