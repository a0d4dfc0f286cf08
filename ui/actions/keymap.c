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

void qvuiKeymap_Free(qvuiKeymap* keymap)
{
    free(keymap->shortcuts);
    keymap->shortcuts = NULL;
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
    qvResult result = qvReadFile(path, (size_t)1 << 20, &bytes, error);
    if (result == qv_notFound)
        return qv_ok;
    if (result != qv_ok)
        return result;
    qvuiKeymap loaded = { calloc((size_t)qvuiActionCount(), sizeof(loaded.shortcuts[0])) };
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

qvResult qvuiKeymap_Save(const qvuiKeymap* keymap, const char* path, qvError* error)
{
    qvJson* root = qvCreateJsonObject();
    for (int i = 0; i < qvuiActionCount(); i++)
        qvJson_AddString(root, qvuiGetAction(i)->id, qvuiKeymap_Shortcuts(keymap, qvuiGetAction(i)));
    char* text = qvJson_Print(root, true);
    qvDestroyJson(root);
    if (text == NULL)
        return qvError_OutOfMemory(error, 4096.0);
    qvResult result = qvuiWriteConfig(path, text, error);
    qvFreeText(text);
    return result;
}
