// SPDX-License-Identifier: GPL-3.0-or-later
/// Looks for contacts of the shown motion with an obstacle, and for keys that keep it out, on a thread of its own.
#pragma once

#include "quaver/contact.h"
#include "ui/editor/session.h"
#include "ui/editor/task.h"

typedef struct qvuiContacts
{
    bool open; ///< the box is shown
    qvContactDef def;
    qvuiTask task;
    bool plans;         ///< the task looks for keys, else for contacts
    const qvTake* take; ///< what it looks at; retained while it runs
    qvPipeline* pipeline;
    qvContactDef asked;      ///< what it was asked
    uint64_t askedRevision;  ///< of the session's takes
    qvContactReport* report; ///< of the last search; NULL: none yet
    qvContactReport* found;  ///< the task's
    qvContactPlan* plan;     ///< the same
    char remark[256];        ///< what came of the last try
    bool isProblem;          ///< it did not go as wanted
    uint64_t remarkRevision; ///< of the document that it is about
} qvuiContacts;

void qvuiContacts_Init(qvuiContacts* contacts);
/// Closes, stops and forgets; the sphere stays.
void qvuiContacts_Close(qvuiContacts* contacts);

/// Once per frame: starts a search when the motion or the obstacle has changed, and takes over what is done. Keys go
/// into the session's document.
void qvuiContacts_Update(qvuiContacts* contacts, qvuiSession* session);

/// Starts to look for keys.
void qvuiContacts_Plan(qvuiContacts* contacts, qvuiSession* session);
/// Gives that up.
void qvuiContacts_Stop(qvuiContacts* contacts);
