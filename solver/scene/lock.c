// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/lock.h"

#include "base/own_file.h"
#include "quaver/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct qvLock
{
    int file;
    char* path;
};

// folder/.name.lock
static char* LockPath(const char* path)
{
    char* real = realpath(path, NULL); // one lock, whichever link was opened
    const char* target = real != NULL ? real : path;
    char* folder = qvPath_Folder(target);
    const char* name = qvPath_FileName(target);
    size_t capacity = folder != NULL ? strlen(folder) + strlen(name) + 16 : 0;
    char* lock = capacity > 0 ? malloc(capacity) : NULL;
    if (lock != NULL)
        snprintf(lock, capacity, "%s/.%s.lock", folder, name);
    free(folder);
    free(real);
    return lock;
}

static const char OWNER[] = "program "; // what every lock starts with

typedef enum State
{
    LOCKED,     // for us
    HELD,       // by another
    FOREIGN,    // no lock of ours: a link, or a file with something else in it
    IMPOSSIBLE, // in a folder that cannot be written, or that has no locks
} State;

// What is in the file as one line; "" when it is no lock.
static void ReadOwner(int file, char* owner, size_t capacity)
{
    ssize_t length = pread(file, owner, capacity - 1, 0);
    owner[length > 0 ? length : 0] = 0;
    if (strncmp(owner, OWNER, sizeof(OWNER) - 1) != 0)
        owner[0] = 0;
    for (char* c = owner; *c != 0; c++)
        *c = (unsigned char)*c < 32 ? ' ' : *c;
}

// A file with one name that is empty or says who has, or had, the lock.
static bool IsLock(int file)
{
    struct stat info;
    char owner[200];
    ReadOwner(file, owner, sizeof(owner));
    return fstat(file, &info) == 0 && info.st_nlink == 1 &&
           (info.st_size == 0 || (owner[0] != 0 && info.st_size < (off_t)sizeof(owner)));
}

static bool IsStillThere(int file, const char* path)
{
    struct stat mine, there;
    return fstat(file, &mine) == 0 && lstat(path, &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

// Opens the file and locks it; the file may have been removed by its last owner in between. owner is who has it.
static State OpenLocked(const char* path, int* opened, char* owner, size_t capacity)
{
    for (int attempt = 0; attempt < 10; attempt++)
    {
        int file = qvOpenOwn(path, O_RDWR | O_CREAT, 0666);
        if (file < 0)
            return errno == ELOOP || errno == EINVAL || errno == EISDIR || errno == ENXIO ? FOREIGN : IMPOSSIBLE;
        bool isHeld = flock(file, LOCK_EX | LOCK_NB) != 0, isThere = isHeld || IsStillThere(file, path);
        bool isLock = isHeld || IsLock(file);
        if (isHeld)
            ReadOwner(file, owner, capacity);
        if (!isHeld && isThere && isLock)
        {
            *opened = file;
            return LOCKED;
        }
        close(file);
        if (isThere)
            return isHeld ? HELD : FOREIGN;
    }
    return IMPOSSIBLE;
}

static void WriteOwner(int file)
{
    char host[128] = "this computer", text[200];
    gethostname(host, sizeof(host) - 1);
    int length = snprintf(text, sizeof(text), "%s%ld on %s", OWNER, (long)getpid(), host);
    // The text is for people only: without it the lock still holds.
    if (ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)length, 0) < 0)
        return;
}

static void Say(State state, const char* path, const char* lockPath, const char* owner, char* remark, size_t capacity)
{
    if (state == HELD)
        snprintf(remark, capacity, "%s is also open in %s; whoever saves last wins, so better save under another name",
                 qvPath_FileName(path), owner[0] != 0 ? owner : "another program");
    else if (state == FOREIGN)
        snprintf(remark, capacity,
                 "%s is no lock of Quaver's and stays as it is, so other windows are not told that %s is open here; "
                 "better remove it",
                 qvPath_FileName(lockPath), qvPath_FileName(path));
}

qvLock* qvAcquireLock(const char* path, char* remark, size_t capacity)
{
    char* lockPath = LockPath(path);
    qvLock* lock = lockPath != NULL ? malloc(sizeof(*lock)) : NULL;
    if (lock != NULL)
    {
        char owner[200] = "";
        *lock = (qvLock){ -1, lockPath };
        State state = OpenLocked(lockPath, &lock->file, owner, sizeof(owner));
        if (state == LOCKED)
        {
            WriteOwner(lock->file);
            return lock;
        }
        Say(state, path, lockPath, owner, remark, capacity);
    }
    free(lock);
    free(lockPath);
    return NULL;
}

void qvReleaseLock(qvLock* lock)
{
    if (lock == NULL)
        return;
    unlink(lock->path); // before it is unlocked: who opened it meanwhile finds that it is not the one on disk
    close(lock->file);
    free(lock->path);
    free(lock);
}
