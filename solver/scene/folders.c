// SPDX-License-Identifier: GPL-3.0-or-later
// The user's folders, as the XDG base directory specification places them.
#include "scene/folders.h"

#include "quaver/document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool UserFolder(const char* variable, const char* below, char* path, size_t capacity)
{
    const char *given = getenv(variable), *home = getenv("HOME");
    int length = -1;
    if (given != NULL && given[0] == '/') // others are to be ignored, says the specification
        length = snprintf(path, capacity, "%s/quaver", given);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, capacity, "%s/%s/quaver", home, below);
    return length > 0 && (size_t)length < capacity;
}

bool qvStateFolder(char* path, size_t capacity)
{
    return UserFolder("XDG_STATE_HOME", ".local/state", path, capacity);
}

bool qvCacheFolder(char* path, size_t capacity)
{
    return UserFolder("XDG_CACHE_HOME", ".cache", path, capacity);
}

qvResult qvMakeFolder(const char* path, qvError* error)
{
    char part[4096];
    if (strlen(path) >= sizeof(part) || path[0] == 0)
        return qvError_Set(error, qv_ioFailed, "%.200s...: the name of the folder is too long", path);
    int code = 0;
    for (size_t i = 1; i <= strlen(path); i++)
    {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        code = mkdir(part, 0777) == 0 || errno == EEXIST ? 0 : errno;
    }
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return qv_ok;
    return qvError_Set(error, qv_ioFailed, "%s: cannot make the folder: %s", path,
                       strerror(code != 0 ? code : ENOTDIR));
}
