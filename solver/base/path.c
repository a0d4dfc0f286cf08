// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/path.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char* qvPath_FileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char* qvPath_Folder(const char* path)
{
    const char* name = qvPath_FileName(path);
    if (name == path)
        return strdup(".");
    size_t length = (size_t)(name - path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return strndup(path, length);
}

char* qvPath_Join(const char* folder, const char* name)
{
    size_t length = strlen(folder);
    const char* separator = length > 0 && folder[length - 1] != '/' ? "/" : "";
    size_t capacity = length + strlen(name) + 2;
    char* joined = malloc(capacity);
    if (joined != NULL)
        snprintf(joined, capacity, "%s%s%s", folder, separator, name);
    return joined;
}

const char* qvPath_Extension(const char* path)
{
    const char* name = qvPath_FileName(path);
    const char* dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot + 1 : "";
}

bool qvPath_HasExtension(const char* path, const char* extensions)
{
    const char* extension = qvPath_Extension(path);
    size_t length = strlen(extension);
    if (length == 0)
        return false;
    for (const char* word = extensions; *word != 0;)
    {
        size_t wordLength = strcspn(word, " ");
        if (wordLength == length && strncasecmp(word, extension, length) == 0)
            return true;
        word += wordLength;
        word += strspn(word, " ");
    }
    return false;
}

bool qvPath_IsInside(const char* path)
{
    if (path[0] == 0 || path[0] == '/' || path[0] == '\\')
        return false;
    // A scheme ("https:", "file:") or a drive letter ("C:").
    size_t scheme = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    if (scheme > 0 && path[scheme] == ':' && isalpha((unsigned char)path[0]))
        return false;
    for (const char* part = path; *part != 0;)
    {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return false;
        part += length;
        part += *part != 0;
    }
    return true;
}

void qvPath_Simplify(char* path)
{
    char* to = path + (path[0] == '/');
    for (const char* part = to; *part != 0;)
    {
        size_t length = strcspn(part, "/");
        bool isNothing = length == 0 || (length == 1 && part[0] == '.');
        bool hasSlash = part[length] == '/';
        if (!isNothing)
        {
            memmove(to, part, length + hasSlash);
            to += length + hasSlash;
        }
        part += length + hasSlash;
    }
    *to = 0;
}
