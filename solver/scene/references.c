// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/references.h"

#include "quaver/path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Removes "." and ".." from a path from the root, in place, without asking the disk.
static void Normalize(char* path)
{
    char* to = path;
    for (const char* part = path; *part != 0;)
    {
        part += strspn(part, "/");
        size_t length = strcspn(part, "/");
        bool isUp = length == 2 && part[0] == '.' && part[1] == '.';
        if (isUp)
        {
            while (to > path && *--to != '/')
                ;
        }
        else if (length > 0 && !(length == 1 && part[0] == '.'))
        {
            *to++ = '/';
            memmove(to, part, length);
            to += length;
        }
        part += length;
    }
    if (to == path)
        *to++ = '/';
    *to = 0;
}

char* qvResolveFolder(const char* folder)
{
    char* real = realpath(folder, NULL);
    if (real != NULL)
        return real;
    char here[PATH_MAX];
    char* path = folder[0] == '/' || getcwd(here, sizeof(here)) == NULL ? strdup(folder) : qvPath_Join(here, folder);
    if (path != NULL)
        Normalize(path);
    return path;
}

char* qvResolvePath(const char* folder, const char* path)
{
    char* joined = path[0] == '/' ? strdup(path) : qvPath_Join(folder, path);
    char* inside = joined != NULL ? qvPath_Folder(joined) : NULL;
    char* absolute = inside != NULL ? qvResolveFolder(inside) : NULL;
    // The file itself may be a link with a name of its own.
    char* file = absolute != NULL ? qvPath_Join(absolute, qvPath_FileName(joined)) : NULL;
    free(joined);
    free(inside);
    free(absolute);
    return file;
}

// The path to a file from a folder, both from the root: "../meshes/sack.obj".
static char* RelativePath(const char* folder, const char* path)
{
    // What both have in common, up to a slash.
    size_t common = 0, length = strlen(folder), ups = 0;
    for (size_t i = 0; i <= length; i++)
    {
        bool folderEnds = folder[i] == '/' || folder[i] == 0;
        if (folderEnds && path[i] == '/' && i > 0)
            common = i;
        if (folder[i] != path[i])
            break;
    }
    for (size_t i = common; i < length; i++)
        ups += folder[i] == '/' && i + 1 < length;
    size_t capacity = 3 * ups + strlen(path + common) + 1;
    char* relative = malloc(capacity);
    if (relative == NULL)
        return NULL;
    char* to = relative;
    for (size_t i = 0; i < ups; i++, to += 3)
        memcpy(to, "../", 3);
    strcpy(to, path + common + (path[common] == '/'));
    return relative;
}

char* qvRebasePath(const char* path, const char* fromFolder, const char* toFolder)
{
    char *file = qvResolvePath(fromFolder, path), *from = qvResolveFolder(fromFolder), *to = qvResolveFolder(toFolder);
    bool isSame = path[0] != '/' && from != NULL && to != NULL && strcmp(from, to) == 0;
    char* relative = NULL;
    if (file != NULL && from != NULL && to != NULL)
        relative = isSame ? strdup(path) : RelativePath(to, file);
    free(file);
    free(from);
    free(to);
    return relative;
}
