// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/places.h"

#include "quaver/file.h"
#include "ui/editor/demos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool qvuiCanWriteTo(const char* folder)
{
    struct stat info;
    return stat(folder, &info) == 0 && S_ISDIR(info.st_mode) && access(folder, W_OK | X_OK) == 0;
}

static bool IsOfDemos(const char* folder)
{
    char demos[qvui_maxPath];
    return qvuiDataPath("scenes", demos, sizeof(demos)) && qvIsSameFile(folder, demos);
}

bool qvuiIsDemo(const qvDocument* document)
{
    const char* path = qvDocument_Path(document);
    char picture[qvui_maxPath];
    int stem = (int)strlen(path) - (int)strlen(".json");
    int length = stem > 0 ? snprintf(picture, sizeof(picture), "%.*s.png", stem, path) : -1;
    return length > 0 && length < (int)sizeof(picture) && access(picture, F_OK) == 0 &&
           IsOfDemos(qvDocument_Folder(document));
}

bool qvuiDocumentFolder(const qvDocument* document, char* folder, size_t capacity)
{
    char* real = qvDocument_Path(document)[0] != 0 ? realpath(qvDocument_Folder(document), NULL) : NULL;
    bool own = real != NULL && strlen(real) < capacity && qvuiCanWriteTo(real) && !IsOfDemos(real);
    if (own)
        memcpy(folder, real, strlen(real) + 1);
    free(real);
    return own;
}

void qvuiStartFolder(const char* last, char* folder, size_t capacity)
{
    const char* home = getenv("HOME");
    bool found = qvuiCanWriteTo(last);
    if (found)
        snprintf(folder, capacity, "%s", last);
    else if (home != NULL && home[0] == '/')
    {
        snprintf(folder, capacity, "%s/Documents", home);
        found = qvuiCanWriteTo(folder);
        if (!found)
            snprintf(folder, capacity, "%s", home);
        found = found || qvuiCanWriteTo(folder);
    }
    if (!found && getcwd(folder, capacity) == NULL)
        snprintf(folder, capacity, "/tmp");
}
