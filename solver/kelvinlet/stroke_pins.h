// SPDX-License-Identifier: GPL-3.0-or-later
// Pins under a stroke: the points that it leaves where they are, and how the field bends around them.
#pragma once

#include "kelvinlet/held.h"
#include "quaver/brush.h"

typedef struct qvStrokePins
{
    qvHeld held;
    bool isBuried;   ///< the stroke's centre is on a pinned point: it does nothing
    double near;     ///< a centre that is moved slows down from this distance to a pin on
    double coarse;   ///< how far places are apart at most, of the distance to a centre and a radius together
    int rimCount;    ///< pinned points that others are next to, and then what stands on the ground
    int pinCount;    ///< how many of them are pinned
    qvVec3* rim;     ///< [rimCount]
    int32_t* points; ///< [rimCount] which they are
} qvStrokePins;

/// Chooses the places that are held for a stroke on these points. weights, per point: what the stroke moves without
/// its pins. sinks, per point: not 0 where the ground holds it (NULL: nowhere). *pins is NULL where nothing is held:
/// the stroke has no pins, or moves none of them. The caller frees it.
QV_CHECKED qvResult qvCreateStrokePins(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points,
                                       const float* weights, const uint8_t* sinks, qvStrokePins** pins, qvError* error);
void qvDestroyStrokePins(qvStrokePins* pins);

/// Makes pinned points heavy: their weights become 0, and rise from there to what they were over a length that the
/// held places do not resolve. pins may be NULL.
void qvStrokePins_Weigh(const qvStrokePins* pins, const qvStroke* stroke, const qvStrokeTarget* target,
                        const qvPoints* points, float* weights);

/// Distance of a place to the nearest pinned one.
double qvStrokePins_Distance(const qvStrokePins* pins, qvVec3 at);

/// For a brush that is not elastic: takes from moved (displacements of all points) the field that holds the places.
QV_CHECKED qvResult qvStrokePins_Hold(const qvStrokePins* pins, const qvPoints* points, qvPoints* moved, qvPool* pool,
                                      qvError* error);
