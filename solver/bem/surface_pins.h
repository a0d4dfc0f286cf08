// SPDX-License-Identifier: GPL-3.0-or-later
// What pins hold of bodies of boundary elements: vertices of the proxies follow the motion below, and the pinned points
// themselves are exactly where it has them. What vertices alone miss there fades out over the points around.
#pragma once

#include "bem/shape.h"
#include "layer/engine.h"

/// A part of the body, or a piece of one, and its place among all vertices.
typedef struct qvBemPart
{
    const qvBemShape* shape;
    int pointCount;
    int32_t* points; ///< of the body, in the shape's order
    int firstVertex;
    qvVec3* rests;    ///< what the pose at the start has beyond what vertices carry
    qvVec3* gaps;     ///< of each vertex: what it has beyond what modes show, in the body's axes
    double share;     ///< its lowest frequency over that of the whole part: 1 where it is that
    uint8_t* isExtra; ///< of a piece, per vertex: inside of an interface, or there in the piece before too; else NULL
} qvBemPart;

/// Where a point of the body hangs: on which part, and on which of its vertices. False: it is on none.
bool qvBemParts_Find(const qvBemPart* parts, int partCount, int32_t point, int* part, int* vertex);

/// A pin with the vertices that it holds.
typedef struct qvBemHold
{
    double from, to; ///< s
    bool fadesIn;    ///< it begins while the body moves
    int count;
    int32_t *body, *vertex;
} qvBemHold;

typedef struct qvBemPins qvBemPins;

/// start: the beginning of the span. rest: the body's points where nothing is strained. Points and pins of the input
/// must outlive the pins.
QV_CHECKED qvResult qvCreateBemPins(const qvEngineInput* input, const qvBemPart* parts, int partCount,
                                    const qvVec3* rest, qvBemPins** pins, qvError* error);
void qvDestroyBemPins(qvBemPins* pins); ///< NULL is allowed

int qvBemPins_Holds(const qvBemPins* pins, const qvBemHold** holds);

/// How much a hold counts at a time: 0 not at all, 1 fully.
double qvBemHold_Share(const qvBemHold* hold, double time);

/// Whether points are corrected at a time.
bool qvBemPins_IsActive(const qvBemPins* pins, double time);

/// Moves points that vertices carried to where the motion below has the pinned ones.
void qvBemPins_Apply(const qvBemPins* pins, double time, const qvVec3f* below, qvVec3f* points);
