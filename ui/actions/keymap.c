// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own shortcuts, from a JSON file of action ids: { "edit.undo": "Ctrl+Z", "time.loop": "" }.
#include "ui/actions/action.h"

#include "quaver/file.h"
#include "quaver/json.h"
#include "ui/editor/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A shortcut that is given up explicitly.
static const char NONE[] = "-";

const char* qvuiKeymap_Shortcuts(const qvuiKeymap* keymap, const qvuiAction* action)
{
    const char* own = keymap->shortcuts != NULL ? keymap->shortcuts[action - qvuiGetAction(0)] : "";
    if (own[0] == 0)
        return action->shortcut;
    return strcmp(own, NONE) == 0 ? "" : own;
}

const char* qvuiKeymap_List(const qvuiKeymap* keymap, const qvuiAction* action, char* text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (const char* c = qvuiKeymap_Shortcuts(keymap, action); *c != 0 && used + 3 < capacity; c++)
    {
        text[used++] = *c == '|' ? ',' : *c;
        if (*c == '|')
            text[used++] = ' ';
        text[used] = 0;
    }
    return text;
}

void qvuiKeymap_Free(qvuiKeymap* keymap)
{
    free(keymap->shortcuts);
    keymap->shortcuts = NULL;
}

bool qvuiKeymap_Set(qvuiKeymap* keymap, const qvuiAction* action, const char* shortcuts)
{
    if (keymap->shortcuts == NULL)
        keymap->shortcuts = calloc((size_t)qvuiActionCount(), sizeof(keymap->shortcuts[0]));
    if (keymap->shortcuts == NULL)
        return false;
    bool isUsual = strcmp(shortcuts, action->shortcut) == 0;
    snprintf(keymap->shortcuts[action - qvuiGetAction(0)], sizeof(keymap->shortcuts[0]), "%s",
             isUsual             ? ""
             : shortcuts[0] != 0 ? shortcuts
                                 : NONE);
    return true;
}

void qvuiKeymap_Reset(qvuiKeymap* keymap, const qvuiAction* action)
{
    if (action == NULL)
        qvuiKeymap_Free(keymap);
    else if (keymap->shortcuts != NULL)
        keymap->shortcuts[action - qvuiGetAction(0)][0] = 0;
}

bool qvuiKeymap_IsOwn(const qvuiKeymap* keymap, const qvuiAction* action)
{
    return keymap->shortcuts != NULL && keymap->shortcuts[action - qvuiGetAction(0)][0] != 0;
}

// The next of several shortcuts in a text. False after the last.
static bool NextShortcut(const char** rest, qvuiShortcut* shortcut)
{
    char text[64];
    int length = (int)strcspn(*rest, "|");
    if (length == 0)
        return false;
    snprintf(text, sizeof(text), "%.*s", length, *rest);
    *rest += length;
    *rest += **rest == '|';
    return qvuiShortcut_Parse(text, shortcut);
}

static bool Has(const qvuiKeymap* keymap, const qvuiAction* action, const qvuiShortcut* shortcut)
{
    qvuiShortcut own;
    for (const char* rest = qvuiKeymap_Shortcuts(keymap, action); NextShortcut(&rest, &own);)
        if (qvuiShortcut_Equal(&own, shortcut))
            return true;
    return false;
}

bool qvuiKeymap_Remove(qvuiKeymap* keymap, const qvuiAction* action, const qvuiShortcut* shortcut)
{
    char left[sizeof(keymap->shortcuts[0])] = "";
    qvuiShortcut own;
    for (const char* rest = qvuiKeymap_Shortcuts(keymap, action); NextShortcut(&rest, &own);)
    {
        char text[64];
        size_t used = strlen(left);
        if (!qvuiShortcut_Equal(&own, shortcut))
            snprintf(left + used, sizeof(left) - used, "%s%s", used > 0 ? "|" : "",
                     qvuiShortcut_Print(&own, text, sizeof(text)));
    }
    return qvuiKeymap_Set(keymap, action, left);
}

// Letters of one area come before those that count anywhere, so that only the same area is a conflict.
const qvuiAction* qvuiKeymap_FindConflict(const qvuiKeymap* keymap, const qvuiAction* action,
                                          const qvuiShortcut* shortcut)
{
    for (int i = 0; i < qvuiActionCount(); i++)
    {
        const qvuiAction* other = qvuiGetAction(i);
        if (other != action && other->where == action->where && Has(keymap, other, shortcut))
            return other;
    }
    return NULL;
}

static qvResult CheckKeys(const char* id, const char* text, qvError* error)
{
    while (*text != 0)
    {
        char one[64];
        int length = (int)strcspn(text, "|");
        qvuiShortcut shortcut;
        snprintf(one, sizeof(one), "%.*s", length, text);
        if (!qvuiShortcut_Parse(one, &shortcut))
            return qvError_Set(error, qv_badInput, "%s: \"%s\" names no key; write it like \"Ctrl+Shift+S\"", id, one);
        text += length;
        text += *text == '|';
    }
    return qv_ok;
}

static qvResult ReadEntry(qvuiKeymap* keymap, const qvJson* entry, qvError* error)
{
    const char *id = qvJson_Name(entry), *text = qvJson_Text(entry);
    const qvuiAction* action = qvuiFindAction(id);
    if (action == NULL)
        return qvError_Set(error, qv_badInput, "%s: there is no such action; the command palette lists them", id);
    if (!qvJson_IsString(entry) || strlen(text) >= sizeof(keymap->shortcuts[0]))
        return qvError_Set(error, qv_badInput, "%s: must be a text of at most 63 letters", id);
    snprintf(keymap->shortcuts[action - qvuiGetAction(0)], sizeof(keymap->shortcuts[0]), "%s",
             text[0] != 0 ? text : NONE);
    return CheckKeys(id, text, error);
}

qvResult qvuiKeymap_Load(qvuiKeymap* keymap, const char* path, qvError* error)
{
    qvBytes bytes;
    qvJson* root = NULL;
    keymap->isUnread = false;
    qvResult result = qvReadFile(path, (size_t)1 << 20, &bytes, error);
    if (result == qv_notFound)
        return qv_ok;
    keymap->isUnread = true;
    if (result != qv_ok)
        return result;
    qvuiKeymap loaded = { .shortcuts = calloc((size_t)qvuiActionCount(), sizeof(loaded.shortcuts[0])) };
    result = loaded.shortcuts != NULL ? qvParseJson(bytes.data, bytes.size, NULL, &root, error)
                                      : qvError_OutOfMemory(error, 0.0);
    qvFreeBytes(&bytes);
    if (result == qv_ok && !qvJson_IsObject(root))
        result = qvError_Set(error, qv_badInput, "must be an object of actions and keys");
    for (const qvJson* entry = qvJson_First(root); result == qv_ok && entry != NULL; entry = qvJson_Next(entry))
        result = ReadEntry(&loaded, entry, error);
    qvDestroyJson(root);
    if (result != qv_ok)
    {
        qvError_Prefix(error, "%s", path);
        qvuiKeymap_Free(&loaded);
        return result;
    }
    qvuiKeymap_Free(keymap);
    *keymap = loaded;
    return qv_ok;
}

static qvResult Write(const qvuiKeymap* keymap, bool ownOnly, const char* path, qvError* error)
{
    qvJson* root = qvCreateJsonObject();
    for (int i = 0; i < qvuiActionCount(); i++)
        if (!ownOnly || qvuiKeymap_IsOwn(keymap, qvuiGetAction(i)))
            qvJson_AddString(root, qvuiGetAction(i)->id, qvuiKeymap_Shortcuts(keymap, qvuiGetAction(i)));
    char* text = qvJson_Print(root, true);
    qvDestroyJson(root);
    if (text == NULL)
        return qvError_OutOfMemory(error, 4096.0);
    qvResult result = qvuiWriteConfig(path, text, error);
    qvFreeText(text);
    return result;
}

qvResult qvuiKeymap_Save(const qvuiKeymap* keymap, const char* path, qvError* error)
{
    return Write(keymap, false, path, error);
}

qvResult qvuiKeymap_SaveOwn(const qvuiKeymap* keymap, const char* path, qvError* error)
{
    if (keymap->isUnread)
        return qvError_Set(error, qv_badInput,
                           "%s: could not be read, and is not replaced; mend or remove it, start again", path);
    return Write(keymap, true, path, error);
}
