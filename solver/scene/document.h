// SPDX-License-Identifier: GPL-3.0-or-later
// What the files that implement documents share.
#pragma once

#include "quaver/document.h"

#include "scene/reader.h"

enum
{
    qv_maxLabel = 96
};

/// A state in the history: step 0 is how it began.
typedef struct qvStep
{
    const qvScene* scene;
    char label[qv_maxLabel];
    uint64_t mergeKey;
    size_t bytes;   ///< held by this step or the one before it alone
    unsigned epoch; ///< of the journal that knows the step; see journal.c
} qvStep;

typedef struct qvJournal qvJournal;
typedef struct qvLock qvLock;

/// A file as it was at a look.
typedef struct qvFileStamp
{
    uint64_t id;  ///< of the file and its last change; 0: not known
    int64_t size; ///< bytes
} qvFileStamp;

struct qvDocument
{
    const qvScene* scene; ///< that of the step, or ahead of it while a step is open
    uint64_t revision;
    qvId nextId;

    char* path;
    char* folder;
    char remark[qv_maxErrorLength];
    uint64_t savedHash; ///< of what is in the file, or was at the beginning
    qvFileStamp stamp;  ///< of the file when it was last known to hold that
    bool isGone;        ///< the file was not there at the last look
    qvLock* lock;
    qvJournal* journal;
    char* leftover;   ///< the journal that it was restored from, kept until it has one of its own or is saved
    int leftoverFile; ///< open, and locked, while there is one

    QV_ARRAY(qvStep) steps;
    int position;
    size_t held;  ///< sum of the steps' bytes
    size_t limit; ///< for held
    int depth;    ///< of open Begins
    char openLabel[qv_maxLabel];
    uint64_t openKey;
};

/// What an edit makes of a scene: a new one in *next, or NULL when nothing changes. The reader has the next id and the
/// place for the error. added (may be NULL) gets the id of a new object.
QV_CHECKED qvResult qvApplyEdit(const qvScene* scene, const qvEdit* edit, qvReader* reader, qvScene** next,
                                qvId* added);
/// Applies an edit as qvDocument_Apply does. end (may be NULL) is what the range then ends with: a journal says it,
/// because it depends on where the step began.
QV_CHECKED qvResult qvDocument_ApplyEnding(qvDocument* document, const qvEdit* edit, const double* end, qvId* added,
                                           qvError* error);
/// A label for the history: "Wobble", "Add key".
void qvEdit_Label(const qvEdit* edit, char* label, size_t capacity);

/// Takes the lock of the document's file, or leaves a remark why it cannot.
void qvDocument_Lock(qvDocument* document);

/// The file as it is now.
qvFileStamp qvStampFile(const char* path);

/// Saves; of a scene that is collected, the files lie beside it.
QV_CHECKED qvResult qvDocument_SaveWith(qvDocument* document, const char* path, bool collects, qvError* error);
/// A document that has a file (path "": none), whose lock it does not take.
QV_CHECKED qvResult qvCreateDocumentAt(const qvScene* scene, const char* path, const char* label, qvDocument** document,
                                       qvError* error);
/// Removes the journal that a document was restored from.
void qvDropLeftover(qvDocument* document);

/// Starts the history with the document's scene.
QV_CHECKED qvResult qvDocument_StartHistory(qvDocument* document, const char* label, qvError* error);
void qvDocument_FreeHistory(qvDocument* document);
/// Makes a scene (whose ownership it takes) the current one, and a step if none is open.
QV_CHECKED qvResult qvDocument_Advance(qvDocument* document, const qvScene* scene, const char* label, qvError* error);
