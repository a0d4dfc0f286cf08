// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/delays.h"

static void Forget(qvuiDelays* delays, int count)
{
    for (int i = 0; i < count; i++)
        qvReleaseScene(delays->scenes[i]);
    delays->openCount -= count;
    for (int i = 0; i < delays->openCount; i++)
    {
        delays->scenes[i] = delays->scenes[i + count];
        delays->frames[i] = delays->frames[i + count];
    }
}

// The motion of an edit holds all edits before it too.
static int CountShown(const qvuiDelays* delays, const qvuiSession* session)
{
    bool shown = session->take != NULL && session->show == qvui_showTake;
    for (int i = delays->openCount; shown && i > 0; i--)
        if (qvTake_Scene(session->take) == delays->scenes[i - 1])
            return i;
    return 0;
}

void qvuiDelays_Count(qvuiDelays* delays, const qvuiSession* session, bool dragged, qvuiFrameTimes* times)
{
    delays->frame++;
    uint64_t revision = session->document != NULL ? qvDocument_Revision(session->document) : 0;
    int shown = CountShown(delays, session);
    for (int i = 0; i < shown && times->delayCount < times->capacity; i++)
        times->delays[times->delayCount++] = delays->frame - delays->frames[i];
    Forget(delays, shown);
    if (dragged && revision != delays->revision && session->document != NULL && delays->openCount < qvui_maxOpenEdits)
    {
        delays->scenes[delays->openCount] = qvRetainScene(qvuiSession_Scene(session));
        delays->frames[delays->openCount++] = delays->frame;
    }
    delays->revision = revision;
}

void qvuiDelays_Free(qvuiDelays* delays)
{
    Forget(delays, delays->openCount);
}
