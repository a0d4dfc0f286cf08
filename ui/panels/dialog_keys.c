// SPDX-License-Identifier: GPL-3.0-or-later
// Shortcuts: find a command, press its new keys. Keys that another command of the same area has are named, and go over
// only when that is wanted. What is changed is written at once.
#include "ui/editor/editor.h"

#include "ui/editor/settings.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void Opened(qvuiEditor* editor)
{
    editor->keysFilter[0] = 0;
    editor->keysAsked = editor->keysTaken = NULL;
}

static void Keep(qvuiEditor* editor)
{
    char path[qvui_maxPath];
    qvError error;
    if (!qvuiKeymapPath(path, sizeof(path)))
        return;
    qvuiMakeFolders(path);
    qvuiEditor_Did(editor, qvuiKeymap_SaveOwn(&editor->keymap, path, &error), &error);
}

static void Give(qvuiEditor* editor, const qvuiAction* action, const qvuiShortcut* shortcut)
{
    char text[64];
    if (qvuiKeymap_Set(&editor->keymap, action, qvuiShortcut_Print(shortcut, text, sizeof(text))))
        Keep(editor);
    editor->keysAsked = editor->keysTaken = NULL;
}

bool qvuiDialogKeys_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    if (editor->dialog != qvui_dialogKeys || editor->keysAsked == NULL)
        return false;
    if (shortcut->key == qvui_keyEscape && !shortcut->control && !shortcut->shift && !shortcut->alt)
    {
        editor->keysAsked = editor->keysTaken = NULL;
        return true;
    }
    editor->keysPressed = *shortcut;
    editor->keysTaken = qvuiKeymap_FindConflict(&editor->keymap, editor->keysAsked, shortcut);
    if (editor->keysTaken == NULL)
        Give(editor, editor->keysAsked, shortcut);
    return true;
}

static bool Contains(const char* text, const char* part)
{
    size_t length = strlen(part);
    for (; *text != 0; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

static bool IsFound(const qvuiEditor* editor, const qvuiAction* action)
{
    const char* filter = editor->keysFilter;
    return Contains(action->label, filter) || Contains(action->help, filter) ||
           Contains(qvuiKeymap_Shortcuts(&editor->keymap, action), filter);
}

// What the row has at its right: its keys, or that they are to be pressed.
static void KeysOf(const qvuiEditor* editor, const qvuiAction* action, char* text, size_t capacity)
{
    if (editor->keysAsked == action)
    {
        snprintf(text, capacity, "%s", editor->keysTaken != NULL ? "taken" : "press the new keys, or Esc");
        return;
    }
    qvuiKeymap_List(&editor->keymap, action, text, capacity);
}

static void DrawRow(qvuiEditor* editor, const qvuiAction* action)
{
    char name[128], keys[128];
    KeysOf(editor, action, keys, sizeof(keys));
    bool asked = editor->keysAsked == action, own = qvuiKeymap_IsOwn(&editor->keymap, action);
    const char* where = action->where == qvui_whereTimeline ? " (timeline)" : "";
    snprintf(name, sizeof(name), "%s%s##%s", action->label, where, action->id);
    if (!qvuiListRow(&editor->kit, name, keys, asked || own ? QVUI_AMBER : QVUI_MUTED, asked, action->help))
        return;
    editor->keysAsked = asked ? NULL : action;
    editor->keysTaken = NULL;
}

// Who has the keys that were pressed, and what to do about it.
static void DrawConflict(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    char keys[64], text[256];
    qvuiShortcut_Print(&editor->keysPressed, keys, sizeof(keys));
    snprintf(text, sizeof(text), "%s is \"%s\" already.", keys, editor->keysTaken->label);
    qvuiMessageRow(kit, QVUI_ICON_INFO, QVUI_AMBER, text);
    qvuiNames_AddArea(&kit->names, "Keys taken");
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    if (qvuiPill(kit, "Take them over", 0.0f, "The other command has these keys no longer"))
    {
        qvuiKeymap_Remove(&editor->keymap, editor->keysTaken, &editor->keysPressed);
        Give(editor, editor->keysAsked, &editor->keysPressed);
    }
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "Leave them", 0.0f, "Both commands keep the keys that they have"))
        editor->keysAsked = editor->keysTaken = NULL;
}

static void DrawButtons(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    const qvuiAction* asked = editor->keysAsked;
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    igBeginDisabled(asked == NULL);
    if (qvuiPill(kit, "No keys", 0.0f, "The marked command has no keys; the menus and the search still have it"))
    {
        if (qvuiKeymap_Set(&editor->keymap, asked, ""))
            Keep(editor);
        editor->keysAsked = NULL;
    }
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "Usual keys", 0.0f, "The marked command has the keys again that it comes with"))
    {
        qvuiKeymap_Reset(&editor->keymap, asked);
        Keep(editor);
        editor->keysAsked = NULL;
    }
    igEndDisabled();
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "All usual keys", 0.0f, "Every command has the keys again that it comes with"))
    {
        qvuiKeymap_Reset(&editor->keymap, NULL);
        Keep(editor);
        editor->keysAsked = NULL;
    }
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    igSetNextItemWidth(-1.0f);
    if (igIsWindowAppearing())
        igSetKeyboardFocusHere(0);
    qvuiInputText(kit, "##keys", "Find a command or a key", editor->keysFilter, sizeof(editor->keysFilter),
                  ImGuiInputTextFlags_None);
    qvuiNames_AddItem(&kit->names, "Find keys");
    qvuiTooltip(kit, "Letters of a command, of what it does or of its keys", NULL);
    if (editor->keysTaken != NULL)
        DrawConflict(editor);
    else
        DrawButtons(editor);
    if (igBeginChild_Str("keys", (ImVec2){ 0, 0 }, false, ImGuiWindowFlags_None))
    {
        for (int i = 0; i < qvuiActionCount(); i++)
            if (IsFound(editor, qvuiGetAction(i)))
                DrawRow(editor, qvuiGetAction(i));
    }
    igEndChild();
}

const qvuiDialog qvuiDialogKeys = { "keys", "Keys", 560, 560, Opened, Draw, false, false };
