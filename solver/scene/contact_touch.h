// SPDX-License-Identifier: GPL-3.0-or-later
// Moments at which a body touches an obstacle, as they are found, and the keys that they become.
#pragma once

#include "quaver/contact.h"

#include <stdbool.h>

typedef struct qvTouch
{
    double time;
    int born; // round
    int count, capacity;
    int32_t* points; // that touch, ascending
    qvVec3* targets; // where, in the world

    // Of one that lifts the body as a whole.
    bool lifts;
    qvVec3 lift;     // in the world
    qvAffine frame;  // keyed, before the lift
    qvQuat rotation; // of it
    qvVec3f* pose;   // [pointCount] in the coordinates of keys
} qvTouch;

typedef struct qvTouches
{
    qvTouch* items; // ascending in time
    int count, capacity;
} qvTouches;

void qvFreeTouches(qvTouches* touches);

/// The nearest touch within `near` seconds of a time of the take, in a loop also over its seam, or NULL.
qvTouch* qvTouches_Find(const qvTouches* touches, const qvTake* take, double time, double near);

/// A touch without points yet; NULL when memory runs out.
qvTouch* qvTouches_Add(qvTouches* touches, double time, int round);

/// Makes a touch lift the whole body from where the take has it. False when memory runs out.
bool qvTouch_Lift(qvTouch* touch, const qvTake* take);

/// Looks at where a take has the body at some moments near the touch: what is inside joins the points, and each target
/// moves out by as much as its point is inside at most, at any of these moments.
QV_CHECKED qvResult qvTouch_Learn(qvTouch* touch, const qvTake* take, const qvContactDef* def, const double* times,
                                  const double* allowed, int count, qvError* error);

/// A key per touch. What they do not list is as the take has it.
QV_CHECKED qvResult qvTouches_MakeKeys(const qvTouches* touches, const qvTake* take, qvDocument* document,
                                       qvError* error);

/// How far out the deepest point has to go at a time, in the world; zero when nothing is inside.
QV_CHECKED qvResult qvFindLack(const qvTake* take, const qvContactDef* def, double time, qvVec3* lack, qvError* error);

/// Whether a key at that time may key the frame: extra turns on the way cannot be divided. True without any transform.
bool qvCanKeyFrame(const qvScene* scene, double time);

QV_CHECKED qvResult qvSetKeyTransform(qvDocument* document, qvId key, qvVec3 translate, qvQuat rotate, qvError* error);

/// Where no key keys the frame, the first one that does would move the body at all times: all get what they have had.
QV_CHECKED qvResult qvKeyFrames(qvDocument* document, qvError* error);

/// The frame that a key has in a take, moved.
QV_CHECKED qvResult qvMoveKey(const qvTake* take, const qvSceneKey* key, qvVec3 by, qvDocument* document,
                              qvError* error);

/// Moves keys out that are inside themselves; the document holds the take's scene.
QV_CHECKED qvResult qvLiftKeys(const qvTake* take, const qvContactDef* def, qvDocument* document, bool* moved,
                               qvError* error);
