// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/browser.h"

#include "quaver/model.h"
#include "quaver/path.h"
#include "ui/grow.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static void ClearEntries(qvuiBrowser* browser)
{
    for (int i = 0; i < browser->count; i++)
        free(browser->entries[i].name);
    browser->count = 0;
    browser->selected = -1;
}

void qvuiBrowser_Free(qvuiBrowser* browser)
{
    ClearEntries(browser);
    free(browser->entries);
    *browser = (qvuiBrowser){ 0 };
}

static bool IsListed(const char* name, const char* kind)
{
    if (kind != NULL)
        return qvPath_HasExtension(name, kind);
    bool can = qvPath_HasExtension(name, "json");
    for (int i = 0; !can && i < qvFormatCount(); i++)
        can = qvGetFormat(i).canRead && qvPath_HasExtension(name, qvGetFormat(i).extensions);
    return can;
}

static bool Reserve(qvuiBrowser* browser)
{
    return qvuiGrow(&browser->entries, &browser->capacity, browser->count + 1, sizeof(qvuiEntry));
}

static void AddEntry(qvuiBrowser* browser, DIR* folder, const char* name)
{
    struct stat info;
    if (name[0] == '.' || fstatat(dirfd(folder), name, &info, 0) != 0)
        return;
    bool isFolder = S_ISDIR(info.st_mode);
    if ((!isFolder && (!S_ISREG(info.st_mode) || !IsListed(name, browser->kind))) || !Reserve(browser))
        return;
    char* copy = strdup(name);
    if (copy != NULL)
        browser->entries[browser->count++] = (qvuiEntry){ copy, isFolder, (int64_t)info.st_size };
}

static int CompareEntries(const void* left, const void* right)
{
    const qvuiEntry *a = left, *b = right;
    if (a->isFolder != b->isFolder)
        return a->isFolder ? -1 : 1;
    int order = strcasecmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static void ReadFolder(qvuiBrowser* browser)
{
    ClearEntries(browser);
    browser->problem[0] = 0;
    DIR* folder = opendir(browser->folder);
    if (folder == NULL)
    {
        snprintf(browser->problem, sizeof(browser->problem), "This folder cannot be read: %s.", strerror(errno));
        return;
    }
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
        AddEntry(browser, folder, entry->d_name);
    closedir(folder);
    if (browser->count > 0)
        qsort(browser->entries, (size_t)browser->count, sizeof(*browser->entries), CompareEntries);
}

void qvuiBrowser_Enter(qvuiBrowser* browser, const char* folder)
{
    char joined[2 * qvui_maxPath];
    if (folder[0] == '/')
        snprintf(joined, sizeof(joined), "%s", folder);
    else
        snprintf(joined, sizeof(joined), "%s/%s", browser->folder, folder);
    char* real = realpath(joined, NULL);
    if (real == NULL || strlen(real) >= sizeof(browser->folder))
    {
        snprintf(browser->problem, sizeof(browser->problem), "This folder cannot be read: %s.", strerror(errno));
    }
    else
    {
        memcpy(browser->folder, real, strlen(real) + 1);
        if (!browser->names)
            browser->typed[0] = 0;
        browser->wantsKeyboard = true;
        ReadFolder(browser);
    }
    free(real);
}

void qvuiBrowser_Refresh(qvuiBrowser* browser)
{
    if (browser->folder[0] == 0 && getcwd(browser->folder, sizeof(browser->folder)) == NULL)
        snprintf(browser->folder, sizeof(browser->folder), "/");
    browser->typed[0] = 0;
    browser->wantsKeyboard = true;
    ReadFolder(browser);
}

void qvuiBrowser_Path(const qvuiBrowser* browser, int index, char* path, size_t capacity)
{
    bool root = strcmp(browser->folder, "/") == 0;
    snprintf(path, capacity, "%s/%s", root ? "" : browser->folder, browser->entries[index].name);
}

bool qvuiBrowser_EnterSelected(qvuiBrowser* browser)
{
    if (browser->selected < 0 || !browser->entries[browser->selected].isFolder)
        return false;
    char path[2 * qvui_maxPath];
    qvuiBrowser_Path(browser, browser->selected, path, sizeof(path));
    qvuiBrowser_Enter(browser, path);
    return true;
}

void qvuiBrowser_Select(qvuiBrowser* browser, int index)
{
    browser->selected = index;
    browser->wantsKeyboard = true;
    if (!browser->names || browser->entries[index].isFolder)
        return;
    snprintf(browser->typed, sizeof(browser->typed), "%s", browser->entries[index].name);
    browser->field++;
}

bool qvuiBrowser_Matches(const qvuiBrowser* browser, int index)
{
    return browser->names || browser->typed[0] == 0 || strcasestr(browser->entries[index].name, browser->typed) != NULL;
}

static bool IsAtHome(const char* typed)
{
    return typed[0] == '~' && (typed[1] == '/' || typed[1] == 0) && getenv("HOME") != NULL;
}

qvuiTyped qvuiBrowser_Typed(const qvuiBrowser* browser, char* path, size_t capacity)
{
    const char* typed = browser->typed;
    bool atHome = IsAtHome(typed);
    path[0] = 0;
    if (typed[0] == 0)
        return qvui_typedFilter;
    int length;
    if (atHome)
        length = snprintf(path, capacity, "%s%s", getenv("HOME"), typed + 1);
    else if (typed[0] == '/')
        length = snprintf(path, capacity, "%s", typed);
    else
        length = snprintf(path, capacity, "%s/%s", strcmp(browser->folder, "/") == 0 ? "" : browser->folder, typed);
    struct stat info;
    if (length >= 0 && (size_t)length < capacity && stat(path, &info) == 0)
        return S_ISDIR(info.st_mode) ? qvui_typedFolder : qvui_typedFile;
    return atHome || strchr(typed, '/') != NULL ? qvui_typedMissing : qvui_typedFilter;
}
