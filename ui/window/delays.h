// SPDX-License-Identifier: GPL-3.0-or-later
/// Counts, for `quaver bench ui`, after how many frames what a drag has changed is to be seen in the motion.
#pragma once

#include "ui/editor/session.h"
#include "ui/ui.h"

enum
{
    qvui_maxOpenEdits = 64
};

typedef struct qvuiDelays
{
    int frame;
    uint64_t revision; ///< of the document in the last frame
    int openCount;     ///< edits that are not shown yet, oldest first
    const qvScene* scenes[qvui_maxOpenEdits];
    int frames[qvui_maxOpenEdits]; ///< in which they were made
} qvuiDelays;

/// After each frame. dragged: a button is down.
void qvuiDelays_Count(qvuiDelays* delays, const qvuiSession* session, bool dragged, qvuiFrameTimes* times);
void qvuiDelays_Free(qvuiDelays* delays);
