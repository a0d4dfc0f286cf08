// SPDX-License-Identifier: GPL-3.0-or-later
// What applying a stroke consists of, for those who apply the same stroke many times: its flow and its weights.
#pragma once

#include "kelvinlet/flow.h"
#include "kelvinlet/stroke_pins.h"
#include "quaver/brush.h"

/// The flow of an elastic stroke, at rest or (with a wave) at its age. substeps: how many, or qv_estimateSubsteps for
/// as many as it needs. pins: what the field leaves where it is, or NULL. The stroke and the wave must be valid. Free
/// it with qvFlow_Free.
QV_CHECKED qvResult qvStroke_InitFlow(const qvStroke* stroke, const qvStrokePins* pins, const qvStrokeWave* wave,
                                      int substeps, qvFlow* flow, qvError* error);

/// Per point how much of the stroke's displacement counts: mask, connected parts, distances along the surface, and
/// pins. *weights is the caller's to free, also after a failure, and so is *pins: for the flow, or NULL where none
/// holds. With pins NULL pinned points have no weight, and nothing else is held.
QV_CHECKED qvResult qvStroke_MakeWeights(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points,
                                         float** weights, qvStrokePins** pins, qvError* error);
