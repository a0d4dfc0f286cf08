// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/journal.h"

#include "base/own_file.h"
#include "quaver/path.h"
#include "scene/edit_text.h"
#include "scene/folders.h"
#include "scene/references.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    LEAST_GROWTH = 1 << 20, // bytes of lines before the file is written anew
    GROWTH = 4,             // times the size of the scene
    MOST_LINES = 1 << 30,   // bytes that wait to be written
};

struct qvJournal
{
    char* folder;
    char* path;           // NULL: not written yet
    int file;             // -1: none
    QV_ARRAY(char) lines; // that are not in the file yet
    size_t baseSize, size;
    unsigned epoch;
    bool isStale;   // must be written anew
    bool hasFailed; // the last time, and it was said
    bool hasBegun;  // the line of the open step is written
    bool isSplit;   // the file was written anew while a step was open
    bool stays;     // when the document is closed
};

// --- Lines ----------------------------------------------------------------------------------------------------------

// Appends a tree as a line and frees it. What cannot be kept makes the file stale, so nothing is lost.
static void AddLine(qvJournal* journal, qvJson* tree)
{
    char* text = journal->isStale ? NULL : qvJson_Print(tree, false);
    size_t length = text != NULL ? strlen(text) : 0;
    int needed = length < MOST_LINES ? journal->lines.count + (int)length + 1 : INT_MAX;
    if (text == NULL || needed > MOST_LINES || !qvReserve(&journal->lines.items, &journal->lines.capacity, needed, 1))
        journal->isStale = true;
    else
    {
        memcpy(journal->lines.items + journal->lines.count, text, length);
        journal->lines.items[needed - 1] = '\n';
        journal->lines.count = needed;
    }
    if (journal->isStale)
        journal->lines.count = 0;
    qvFreeText(text);
    qvDestroyJson(tree);
}

static void AddMark(qvJournal* journal, const char* name, double value)
{
    qvJson* tree = qvCreateJsonObject();
    qvJson_AddNumber(tree, name, value);
    AddLine(journal, tree);
}

static void AddBegin(qvDocument* document)
{
    char key[20];
    snprintf(key, sizeof(key), "%llx", (unsigned long long)document->openKey);
    qvJson* tree = qvCreateJsonObject();
    qvJson_AddString(tree, "begin", document->openLabel);
    qvJson_AddString(tree, "key", key);
    AddLine(document->journal, tree);
    document->journal->hasBegun = true;
}

void qvJournal_Edit(qvDocument* document, const qvEdit* edit, qvId added)
{
    qvJournal* journal = document->journal;
    if (journal == NULL)
        return;
    if (document->depth > 0 && !journal->hasBegun)
        AddBegin(document);
    qvJson* tree = qvCreateJsonObject();
    qvJson_AddNode(tree, "edit", qvPrintEditTree(edit, document->scene, added != 0 ? added : edit->object.id));
    if (document->scene->hasRange)
        qvJson_AddNumber(tree, "end", document->scene->range[1]);
    AddLine(journal, tree);
}

void qvJournal_End(qvDocument* document)
{
    qvJournal* journal = document->journal;
    if (journal == NULL)
        return;
    if (journal->hasBegun)
        AddMark(journal, "end", 1);
    journal->hasBegun = journal->isSplit = false;
}

void qvJournal_Abort(qvDocument* document)
{
    qvJournal* journal = document->journal;
    if (journal == NULL)
        return;
    if (journal->isSplit)
        qvJournal_Renew(document);
    else if (journal->hasBegun)
        AddMark(journal, "abort", 1);
    journal->hasBegun = journal->isSplit = false;
}

void qvJournal_Seal(qvDocument* document)
{
    if (document->journal != NULL)
        AddMark(document->journal, "seal", 1);
}

void qvJournal_Step(qvDocument* document, int from, int to)
{
    if (document->journal == NULL || from == to)
        return;
    if (document->steps.items[to].epoch == document->journal->epoch)
        AddMark(document->journal, "step", to - from);
    else
        qvJournal_Renew(document);
}

void qvJournal_Limit(qvDocument* document)
{
    if (document->journal != NULL)
        AddMark(document->journal, "limit", (double)document->limit);
}

void qvJournal_Renew(qvDocument* document)
{
    if (document->journal == NULL)
        return;
    document->journal->isStale = true;
    document->journal->lines.count = 0;
}

void qvJournal_Retry(qvDocument* document)
{
    if (document->journal != NULL)
        document->journal->hasFailed = false;
}

unsigned qvJournal_Epoch(const qvDocument* document)
{
    return document->journal != NULL ? document->journal->epoch : 0;
}

// --- File -----------------------------------------------------------------------------------------------------------

static bool WriteAll(int file, const char* data, size_t size)
{
    while (size > 0)
    {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

// The first line: what is needed beside the scene.
static char* PrintHeader(const qvDocument* document)
{
    char saved[20];
    snprintf(saved, sizeof(saved), "%llx", (unsigned long long)document->savedHash);
    // From the root: the next program may run elsewhere.
    char* path = *document->path != 0 ? qvResolvePath(".", document->path) : strdup("");
    char* folder = qvResolveFolder(document->folder);
    qvJson* tree = path != NULL && folder != NULL ? qvCreateJsonObject() : NULL;
    qvJson_AddNumber(tree, "quaver_journal", qv_journalVersion);
    qvJson_AddString(tree, "path", path);
    qvJson_AddString(tree, "folder", folder);
    qvJson_AddString(tree, "name", document->scene->name);
    qvJson_AddString(tree, "saved", saved);
    qvJson_AddNumber(tree, "next", document->nextId);
    qvJson_AddNumber(tree, "limit", (double)document->limit);
    char* text = qvJson_Print(tree, false);
    qvDestroyJson(tree);
    free(path);
    free(folder);
    return text;
}

static char* PrintBase(const qvScene* scene)
{
    qvJson* tree = qvCreateJsonObject();
    qvJson* root = qvPrintSceneTree(scene);
    if (root != NULL)
        qvJson_AddNode(tree, "scene", root);
    qvJson_AddNode(tree, "ids", qvPrintIds(scene));
    char* text = root != NULL ? qvJson_Print(tree, false) : NULL;
    qvDestroyJson(tree);
    return text;
}

static qvResult FailFile(const qvJournal* journal, qvError* error, int code)
{
    return qvError_Set(error, qv_ioFailed,
                       "%s: unsaved changes cannot be kept for a restart: %s; save the scene or make room",
                       journal->folder, strerror(code));
}

// Fills the new file and gives it its name. On failure errno says why.
static bool WriteBase(qvJournal* journal, int file, const char* temporary, const char* header, const char* base)
{
    // The name of the first file comes from the temporary one: folder/.quaver-abc123 gives folder/abc123.journal.
    if (journal->path == NULL)
    {
        size_t capacity = strlen(temporary) + 16;
        journal->path = malloc(capacity);
        if (journal->path == NULL)
            return false;
        snprintf(journal->path, capacity, "%s/%s.journal", journal->folder, strrchr(temporary, '-') + 1);
    }
    size_t headerSize = strlen(header), baseSize = strlen(base);
    bool done = WriteAll(file, header, headerSize) && WriteAll(file, "\n", 1) && WriteAll(file, base, baseSize) &&
                WriteAll(file, "\n", 1) && fdatasync(file) == 0 && rename(temporary, journal->path) == 0;
    if (done)
        journal->size = journal->baseSize = headerSize + baseSize + 2;
    return done;
}

// The document's step is what the new file starts with, unless edits of an open step are in it already.
static void StartEpoch(qvDocument* document, int file)
{
    qvJournal* journal = document->journal;
    if (journal->file >= 0)
        close(journal->file);
    journal->file = file;
    journal->isStale = journal->hasBegun = false;
    journal->isSplit = document->depth > 0;
    journal->lines.count = 0;
    journal->epoch++;
    qvStep* step = &document->steps.items[document->position];
    if (step->scene == document->scene)
        step->epoch = journal->epoch;
}

static qvResult Renew(qvDocument* document, qvError* error)
{
    qvJournal* journal = document->journal;
    char *header = PrintHeader(document), *base = PrintBase(document->scene);
    char* temporary = qvTemporaryPath(journal->folder, NULL);
    qvResult result = qv_ok;
    if (header == NULL || base == NULL || temporary == NULL)
        result = qvError_OutOfMemory(error, 0.0);
    int file = result == qv_ok ? qvCreateTemporary(temporary, O_RDWR | O_APPEND, 0600) : -1;
    if (result == qv_ok && file < 0)
        result = FailFile(journal, error, errno);
    if (file >= 0 && !WriteBase(journal, file, temporary, header, base))
    {
        result = FailFile(journal, error, errno);
        unlink(temporary);
        close(file);
    }
    else if (file >= 0)
        StartEpoch(document, file);
    qvFreeText(header);
    qvFreeText(base);
    free(temporary);
    return result;
}

static qvResult Append(qvJournal* journal, qvError* error)
{
    if (journal->lines.count == 0)
        return qv_ok;
    size_t size = (size_t)journal->lines.count;
    if (!WriteAll(journal->file, journal->lines.items, size) || fdatasync(journal->file) != 0)
    {
        int code = errno;
        // Half a line would hide those that come after it.
        if (ftruncate(journal->file, (off_t)journal->size) != 0)
            journal->isStale = true;
        return FailFile(journal, error, code);
    }
    journal->size += size;
    journal->lines.count = 0;
    size_t growth = journal->size - journal->baseSize;
    journal->isStale = growth > LEAST_GROWTH && growth > GROWTH * journal->baseSize;
    return qv_ok;
}

qvResult qvDocument_Flush(qvDocument* document, qvError* error)
{
    qvJournal* journal = document->journal;
    if (journal == NULL)
        return qv_ok;
    qvResult result = journal->isStale ? Renew(document, error) : Append(journal, error);
    bool isNews = result == qv_ok || !journal->hasFailed;
    journal->hasFailed = result != qv_ok;
    if (result == qv_ok)
        qvDropLeftover(document); // the new file holds all that the old one did
    return isNews ? result : qv_ok;
}

qvResult qvDocument_StartJournal(qvDocument* document, const char* folder, qvError* error)
{
    qvJournal_Close(document);
    qvResult result = qvMakeFolder(folder, error);
    if (result != qv_ok)
        return result;
    qvJournal* journal = qvAllocate(1, sizeof(*journal));
    if (journal != NULL)
    {
        journal->folder = strdup(folder);
        journal->file = -1;
        journal->isStale = true;
    }
    if (journal == NULL || journal->folder == NULL)
    {
        free(journal);
        return qvError_OutOfMemory(error, sizeof(*journal));
    }
    document->journal = journal;
    return qvDocument_Flush(document, error);
}

qvResult qvDocument_LeaveJournal(qvDocument* document, qvError* error)
{
    qvResult result = qvDocument_Flush(document, error);
    if (document->journal != NULL)
        document->journal->stays = true;
    return result;
}

bool qvJournal_Close(qvDocument* document)
{
    qvJournal* journal = document->journal;
    if (journal == NULL)
        return false;
    bool stays = journal->path != NULL && journal->stays;
    if (journal->path != NULL && !stays)
        unlink(journal->path);
    if (journal->file >= 0)
        close(journal->file);
    free(journal->path);
    free(journal->folder);
    free(journal->lines.items);
    free(journal);
    document->journal = NULL;
    return stays;
}
