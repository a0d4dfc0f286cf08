// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const qvuiAction actions[] = {
#define ACTION(id, label, menu, group, where, shortcut, run, isOn, isPossible, help) \
    { id, label, menu, group, where, shortcut, run, isOn, isPossible, help, 0 },
#define TOGGLE(id, label, menu, group, where, shortcut, member, isPossible, help) \
    { id, label, menu, group, where, shortcut, NULL, NULL, isPossible, help, offsetof(qvuiEditor, member) },
#include "ui/actions/action_list.inl"
#undef ACTION
#undef TOGGLE
};

void qvuiAction_Do(const qvuiAction* action, qvuiEditor* editor)
{
    if (action->run != NULL)
    {
        action->run(editor);
        return;
    }
    bool* toggled = (bool*)((char*)editor + action->toggle);
    *toggled = !*toggled;
}

bool qvuiAction_IsOn(const qvuiAction* action, const qvuiEditor* editor)
{
    if (action->run == NULL)
        return *(const bool*)((const char*)editor + action->toggle);
    return action->isOn != NULL && action->isOn(editor);
}

int qvuiActionCount(void)
{
    return sizeof(actions) / sizeof(actions[0]);
}

const qvuiAction* qvuiGetAction(int index)
{
    return &actions[index];
}

const qvuiAction* qvuiFindAction(const char* id)
{
    for (int i = 0; i < qvuiActionCount(); i++)
        if (strcmp(actions[i].id, id) == 0)
            return &actions[i];
    return NULL;
}

// Keys that a text field has no use for.
static bool WorksWhileTyping(const qvuiShortcut* shortcut)
{
    bool function = shortcut->key >= qvui_keyF1 && shortcut->key <= qvui_keyF12;
    return function || shortcut->key == qvui_keyEscape || (shortcut->control && shortcut->key == 'q');
}

const char* qvuiAction_Shortcut(const qvuiEditor* editor, const qvuiAction* action, char* text, size_t capacity)
{
    const char* shortcuts = qvuiKeymap_Shortcuts(&editor->keymap, action);
    snprintf(text, capacity, "%.*s", (int)strcspn(shortcuts, "|"), shortcuts);
    return text;
}

static bool HasShortcut(const qvuiEditor* editor, const qvuiAction* action, const qvuiShortcut* shortcut)
{
    for (const char* rest = qvuiKeymap_Shortcuts(&editor->keymap, action); *rest != 0;)
    {
        char text[64];
        int length = (int)strcspn(rest, "|");
        snprintf(text, sizeof(text), "%.*s", length, rest);
        qvuiShortcut own;
        if (qvuiShortcut_Parse(text, &own) && qvuiShortcut_Equal(&own, shortcut))
            return true;
        rest += length;
        rest += *rest == '|';
    }
    return false;
}

static bool RunIn(struct qvuiEditor* editor, const qvuiShortcut* shortcut, qvuiWhere where)
{
    for (int i = 0; i < qvuiActionCount(); i++)
    {
        if (actions[i].where != where || !HasShortcut(editor, &actions[i], shortcut))
            continue;
        // In the middle of a gesture only giving it up counts.
        if (!qvuiEditor_InGesture(editor) || actions[i].run == qvuiAction_Cancel)
            qvuiEditor_Run(editor, &actions[i]);
        return true;
    }
    return false;
}

bool qvuiRunShortcut(struct qvuiEditor* editor, const qvuiShortcut* shortcut, bool typing)
{
    if (typing && !WorksWhileTyping(shortcut))
        return false;
    if (editor->where != qvui_whereAny && RunIn(editor, shortcut, editor->where))
        return true;
    return RunIn(editor, shortcut, qvui_whereAny);
}
