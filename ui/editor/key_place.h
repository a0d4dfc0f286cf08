// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the whole body is at a key: what the key says itself, or what it takes over from the keys around it.
#pragma once

#include "ui/editor/session.h"

typedef struct qvuiPlace
{
    qvVec3 translate;
    qvQuat rotate;
} qvuiPlace;

/// Where the keys have the body at a time: on its way, or before there is a motion where the first key is.
qvuiPlace qvuiSession_PlaceAt(const qvuiSession* session, double time);

/// The place of a key that does not say it itself. False when it does.
bool qvuiSession_TakesPlaceOver(const qvuiSession* session, qvId key, qvuiPlace* place);

/// Makes a key say where the body is, which stays there. While no other key says it, the first one that does would move
/// the body at all times; so the key before it then says it too.
QV_CHECKED qvResult qvuiSession_KeyPlace(qvuiSession* session, qvId key, qvError* error);
