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
    bool plans;              ///< the task looks for keys, else for contacts
    qvContactDef asked;      ///< what it was asked
    uint64_t askedRevision;  ///< of the session's takes
    qvContactReport* report; ///< of the last search; NULL: none yet
    char remark[256];        ///< what came of the last try
    bool isProblem;          ///< it did not go as wanted
    uint64_t remarkRevision; ///< of the document that it is about
} qvuiContacts;

void qvuiContacts_Init(qvuiContacts* contacts);
void qvuiContacts_Free(qvuiContacts* contacts); ///< waits for what is under way
/// Closes, asks what is under way to stop, and forgets; the sphere stays.
void qvuiContacts_Close(qvuiContacts* contacts);

/// Once per frame: starts a search when the motion or the obstacle has changed, and takes over what is done. Keys go
/// into the session's document.
void qvuiContacts_Update(qvuiContacts* contacts, qvuiSession* session);

/// Starts to look for keys.
void qvuiContacts_Plan(qvuiContacts* contacts, qvuiSession* session);
/// Gives that up: it stops when it can, and nothing comes of it.
void qvuiContacts_Stop(qvuiContacts* contacts);
/// Whether keys are being looked for, and nobody has given that up.
bool qvuiContacts_IsPlanning(const qvuiContacts* contacts);

/// What keys came to, in two lines.
void qvuiDescribeContacts(const qvContactReport* left, int added, int lifted, char* text, size_t capacity);
