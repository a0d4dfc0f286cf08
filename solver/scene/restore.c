// SPDX-License-Identifier: GPL-3.0-or-later
// Journals that a program left behind.
#include "base/own_file.h"
#include "quaver/path.h"
#include "scene/edit_text.h"
#include "scene/journal.h"
#include "scene/migrate.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_JOURNAL ((size_t)2 << 30) // bytes

// --- Reading --------------------------------------------------------------------------------------------------------

// The next complete line of a journal as a tree; NULL at the end, or where it is torn.
static qvJson* NextLine(const qvBytes* bytes, size_t* at)
{
    const char* start = bytes->data + *at;
    const char* end = memchr(start, '\n', bytes->size - *at);
    qvJson* tree = NULL;
    qvJsonLimits limits = { .maxValues = 16000000, .maxDepth = 80 }; // more than a scene file, which is inside
    if (end == NULL || qvParseJson(start, (size_t)(end - start), &limits, &tree, NULL) != qv_ok)
        return NULL;
    *at += (size_t)(end - start) + 1;
    return tree;
}

static uint64_t ReadHex(const qvJson* tree, const char* name)
{
    return strtoull(qvJson_Text(qvJson_Find(tree, name)), NULL, 16);
}

// Bytes of history; what makes no sense leaves them as they were.
static size_t ReadLimit(const qvJson* number, size_t before)
{
    double limit = qvJson_Number(number);
    return limit >= 0.0 && limit < 1e15 ? (size_t)limit : before;
}

// Of a document without a file, files are looked up where its program did.
static qvResult SetFolder(qvDocument* document, const char* path, qvError* error)
{
    char* folder = *document->path == 0 && *path != 0 ? strdup(path) : strdup(document->folder);
    if (folder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    free(document->folder);
    document->folder = folder;
    return qv_ok;
}

static qvResult ReadBase(const qvJson* header, const qvJson* base, qvDocument** document, qvError* error)
{
    int version = qvJson_Index(qvJson_Find(header, "quaver_journal"));
    if (version < 1 || version > qv_journalVersion || base == NULL)
        return qvError_Set(error, qv_badInput, "is not a journal of unsaved changes");
    const qvScene* scene;
    qvResult result = qvReadSceneTree(qvJson_Find(base, "scene"), &scene, error);
    if (result != qv_ok)
        return result;
    result = qvReadIds(qvJson_Find(base, "ids"), scene, error);
    if (result == qv_ok)
        result = qvCreateDocumentAt(scene, qvJson_Text(qvJson_Find(header, "path")), "Restore", document, error);
    if (result == qv_ok)
    {
        qvDocument* made = *document;
        double next = qvJson_Number(qvJson_Find(header, "next"));
        made->savedHash = ReadHex(header, "saved");
        result = SetFolder(made, qvJson_Text(qvJson_Find(header, "folder")), error);
        made->nextId = next > made->nextId && next <= UINT32_MAX ? (qvId)next : made->nextId;
        made->limit = ReadLimit(qvJson_Find(header, "limit"), made->limit);
    }
    qvReleaseScene(scene);
    return result;
}

static bool Step(qvDocument* document, double delta)
{
    double to = document->position + delta;
    if (!(to >= 0.0 && to < document->steps.count))
        return false;
    qvDocument_GoTo(document, (int)to);
    return true;
}

// Does what a line says; false when it makes no sense.
static bool Replay(qvDocument* document, const qvJson* line)
{
    const qvJson* what = qvJson_First(line);
    const char* name = qvJson_Name(what);
    qvEdit edit;
    const qvJson* end = qvJson_Find(line, "end");
    double seconds = qvJson_Number(end);
    if (strcmp(name, "edit") == 0)
        return qvReadEditTree(what, document->scene, &edit, NULL) == qv_ok &&
               qvDocument_ApplyEnding(document, &edit, end != NULL ? &seconds : NULL, NULL, NULL) == qv_ok;
    if (strcmp(name, "begin") == 0)
        qvDocument_Begin(document, qvJson_Text(what), ReadHex(line, "key"));
    else if (strcmp(name, "end") == 0)
        qvDocument_End(document);
    else if (strcmp(name, "abort") == 0)
        qvDocument_Abort(document);
    else if (strcmp(name, "seal") == 0)
        qvDocument_Seal(document);
    else if (strcmp(name, "limit") == 0)
        qvDocument_SetHistoryLimit(document, ReadLimit(what, document->limit));
    else if (strcmp(name, "step") == 0)
        return Step(document, qvJson_Number(what));
    else
        return false;
    return true;
}

// What keys did to a clip in version 1: they replaced it.
static bool StopClip(qvDocument* document)
{
    const qvScene* scene = document->scene;
    const qvRef clip = { qv_objectClip, 0 };
    bool isReplaced = scene->keyCount > 0 && scene->mesh.file != NULL && scene->clip.on;
    return !isReplaced || qvDocument_SetBool(document, clip, "on", false, NULL) == qv_ok;
}

// Does what a line of version 1 says; what has to go along is part of the same step.
static bool ReplayOld(qvDocument* document, qvJson* line)
{
    qvJson* tree = qvJson_Find(line, "edit");
    if (tree == NULL)
        return Replay(document, line);
    qvMigrateEdit(tree);
    qvEdit edit;
    if (qvReadEditTree(tree, document->scene, &edit, NULL) != qv_ok)
        return false;
    bool isAlone = document->depth == 0;
    char label[qv_maxLabel];
    qvEdit_Label(&edit, label, sizeof(label));
    if (isAlone)
        qvDocument_Begin(document, label, 0);
    bool isDone = Replay(document, line) && StopClip(document);
    if (isAlone)
        qvDocument_End(document);
    return isDone;
}

qvResult qvReplayJournal(const char* path, qvDocument** document, qvError* error)
{
    *document = NULL;
    qvBytes bytes;
    size_t at = 0;
    qvResult result = qvReadFile(path, MAX_JOURNAL, &bytes, error);
    if (result != qv_ok)
        return result;
    qvJson* header = NextLine(&bytes, &at);
    qvJson* base = header != NULL ? NextLine(&bytes, &at) : NULL;
    result = ReadBase(header, base, document, error);
    bool isOld = qvJson_Index(qvJson_Find(header, "quaver_journal")) < qv_journalVersion;
    qvDestroyJson(header);
    qvDestroyJson(base);
    bool goesOn = result == qv_ok;
    while (goesOn)
    {
        qvJson* line = NextLine(&bytes, &at);
        goesOn = line != NULL && (isOld ? ReplayOld(*document, line) : Replay(*document, line));
        qvDestroyJson(line);
    }
    while (result == qv_ok && (*document)->depth > 0)
        qvDocument_End(*document);
    qvFreeBytes(&bytes);
    if (result != qv_ok)
    {
        qvCloseDocument(*document);
        *document = NULL;
        qvError_Prefix(error, "%s", path);
    }
    return result;
}

// --- Leftovers ------------------------------------------------------------------------------------------------------

// Opens and locks a file whose program is gone; -1 when it lives.
static int OpenAbandoned(const char* path)
{
    int file = qvOpenOwn(path, O_RDONLY, 0);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0)
    {
        close(file);
        file = -1;
    }
    return file;
}

// Fills a leftover from its journal. False when that cannot be read or holds nothing that is unsaved; *isSaved tells
// these apart.
static bool DescribeDocument(const char* path, const struct stat* info, qvLeftover* leftover, bool* isSaved)
{
    qvDocument* document;
    *isSaved = false;
    if (qvReplayJournal(path, &document, NULL) != qv_ok)
        return false;
    *isSaved = !qvDocument_IsDirty(document);
    *leftover = (qvLeftover){ .age = difftime(time(NULL), info->st_mtime) };
    snprintf(leftover->journal, sizeof(leftover->journal), "%s", path);
    snprintf(leftover->path, sizeof(leftover->path), "%s", document->path);
    snprintf(leftover->name, sizeof(leftover->name), "%s", document->scene->name);
    qvCloseDocument(document);
    return !*isSaved;
}

// Looks at one file of the folder. A journal of what is saved is removed, as is one that never got its name; one that
// cannot be read stays, for a program that can.
static bool Describe(const char* path, bool isJournal, qvLeftover* leftover)
{
    struct stat info;
    int file = strlen(path) < sizeof(leftover->journal) ? OpenAbandoned(path) : -1;
    if (file < 0 || fstat(file, &info) != 0)
        return false;
    bool isUseless = !isJournal && difftime(time(NULL), info.st_mtime) > 60.0; // else it may be in the making
    bool isLeft = isJournal && DescribeDocument(path, &info, leftover, &isUseless);
    if (isUseless)
        unlink(path);
    close(file);
    return isLeft;
}

static int CompareAge(const void* a, const void* b)
{
    double ageA = ((const qvLeftover*)a)->age, ageB = ((const qvLeftover*)b)->age;
    return (ageA > ageB) - (ageA < ageB);
}

int qvFindLeftovers(const char* folder, qvLeftover* leftovers, int capacity)
{
    DIR* dir = opendir(folder);
    int count = 0;
    for (struct dirent* entry; dir != NULL && count < capacity && (entry = readdir(dir)) != NULL;)
    {
        bool isJournal = qvPath_HasExtension(entry->d_name, "journal");
        bool isTemporary = strncmp(entry->d_name, ".quaver-", 8) == 0;
        char* path = isJournal || isTemporary ? qvPath_Join(folder, entry->d_name) : NULL;
        count += path != NULL && Describe(path, isJournal, &leftovers[count]);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
    qsort(leftovers, (size_t)count, sizeof(*leftovers), CompareAge);
    return count;
}

qvResult qvRestoreLeftover(const qvLeftover* leftover, qvDocument** document, qvError* error)
{
    *document = NULL;
    int file = OpenAbandoned(leftover->journal);
    if (file < 0)
        return qvError_Set(error, qv_notFound, "%s: is gone or restored by another program", leftover->journal);
    qvResult result = qvReplayJournal(leftover->journal, document, error);
    char* path = result == qv_ok ? strdup(leftover->journal) : NULL;
    if (result == qv_ok && path == NULL)
    {
        qvCloseDocument(*document);
        *document = NULL;
        result = qvError_OutOfMemory(error, 0.0);
    }
    if (result != qv_ok)
    {
        close(file);
        return result;
    }
    (*document)->leftover = path;
    (*document)->leftoverFile = file;
    if (*(*document)->path != 0)
        qvDocument_Lock(*document);
    return qv_ok;
}

void qvDocument_LeaveLeftover(qvDocument* document)
{
    if (document->leftover == NULL)
        return;
    close(document->leftoverFile);
    free(document->leftover);
    document->leftover = NULL;
}

void qvDropLeftover(qvDocument* document)
{
    if (document->leftover != NULL)
        unlink(document->leftover);
    qvDocument_LeaveLeftover(document);
}

void qvDiscardLeftover(const qvLeftover* leftover)
{
    unlink(leftover->journal);
}
