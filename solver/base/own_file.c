// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/own_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum
{
    TEMPORARY_NAMES = 100, // that are tried
    RANDOM_LETTERS = 6,
    MAX_HOST = 32, // characters of a host's name that are kept
};

static const double OLD = 24.0 * 3600.0; // s

static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567"; // 32, of which 5 bits choose one

static int OpenRegular(int folder, const char* path, int flags, mode_t mode)
{
    struct stat info;
    int file = openat(folder, path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
    if (file < 0 || (fstat(file, &info) == 0 && S_ISREG(info.st_mode)))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

int qvOpenOwn(const char* path, int flags, mode_t mode)
{
    return OpenRegular(AT_FDCWD, path, flags, mode);
}

// What temporaries of a host begin with.
static void TemporaryStart(const char* host, char start[MAX_HOST + 16])
{
    char own[256] = "";
    if (host == NULL && gethostname(own, sizeof(own) - 1) != 0)
        own[0] = 0;
    int length = snprintf(start, MAX_HOST + 16, ".quaver-%.*s-", MAX_HOST, host != NULL ? host : own);
    for (int i = 1; i < length; i++)
    {
        if (start[i] == '/' || (unsigned char)start[i] <= ' ')
            start[i] = '_';
    }
}

char* qvTemporaryPath(const char* folder, const char* host)
{
    char start[MAX_HOST + 16];
    TemporaryStart(host, start);
    size_t size = strlen(folder) + strlen(start) + RANDOM_LETTERS + 2;
    char* path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%sXXXXXX", folder, folder[0] != 0 && folder[strlen(folder) - 1] == '/' ? "" : "/",
                 start);
    return path;
}

// Unlike with mkstemp the system gives the file the permissions of any new one: nobody else can ask for the mask of
// those without changing it for all threads.
int qvCreateTemporary(char* path, int flags, mode_t mode)
{
    char* end = path + strlen(path) - RANDOM_LETTERS;
    for (int i = 0; i < TEMPORARY_NAMES; i++)
    {
        unsigned char random[RANDOM_LETTERS];
        if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
            return -1;
        for (int k = 0; k < RANDOM_LETTERS; k++)
            end[k] = letters[random[k] % 32];
        int file = open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0)
            (void)!flock(file, LOCK_EX | LOCK_NB); // some file systems have no locks; age protects it there
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool IsTemporary(const char* name, const char* start)
{
    size_t length = strlen(start);
    return strncmp(name, start, length) == 0 && strlen(name) == length + RANDOM_LETTERS &&
           strspn(name + length, letters) == RANDOM_LETTERS;
}

void qvSweepTemporaries(const char* folder, const char* host)
{
    char start[MAX_HOST + 16];
    TemporaryStart(host, start);
    DIR* list = opendir(folder);
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
    {
        struct stat info;
        int file = IsTemporary(item->d_name, start) ? OpenRegular(dirfd(list), item->d_name, O_RDONLY, 0) : -1;
        if (file < 0)
            continue;
        if (fstat(file, &info) == 0 && info.st_uid == geteuid() && difftime(time(NULL), info.st_mtime) > OLD &&
            flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(list), item->d_name, 0);
        close(file);
    }
    if (list != NULL)
        closedir(list);
}
