// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/lock.h"

#include "quaver/path.h"

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

// Opens the file and locks it; the file may have been removed by its last owner in between.
static int OpenLocked(const char* path, bool* isHeld)
{
    *isHeld = false;
    for (int attempt = 0; attempt < 10; attempt++)
    {
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        if (flock(file, LOCK_EX | LOCK_NB) != 0)
        {
            close(file);
            *isHeld = true;
            return -1;
        }
        struct stat mine, there;
        if (fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino)
            return file;
        close(file);
    }
    return -1;
}

static void WriteOwner(int file)
{
    char host[128] = "this computer", text[200];
    gethostname(host, sizeof(host) - 1);
    int length = snprintf(text, sizeof(text), "program %ld on %s", (long)getpid(), host);
    // The text is for people only: without it the lock still holds.
    if (ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)length, 0) < 0)
        return;
}

static void ReadOwner(const char* path, char* owner, size_t capacity)
{
    FILE* stream = fopen(path, "re");
    size_t length = stream != NULL ? fread(owner, 1, capacity - 1, stream) : 0;
    owner[length] = 0;
    if (stream != NULL)
        fclose(stream);
    for (char* c = owner; *c != 0; c++)
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    if (length == 0)
        snprintf(owner, capacity, "another program");
}

qvLock* qvAcquireLock(const char* path, char* owner, size_t capacity)
{
    owner[0] = 0;
    char* lockPath = LockPath(path);
    bool isHeld = false;
    int file = lockPath != NULL ? OpenLocked(lockPath, &isHeld) : -1;
    qvLock* lock = file >= 0 ? malloc(sizeof(*lock)) : NULL;
    if (lock != NULL)
    {
        *lock = (qvLock){ file, lockPath };
        WriteOwner(file);
        return lock;
    }
    if (isHeld)
        ReadOwner(lockPath, owner, capacity);
    if (file >= 0)
        close(file);
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
