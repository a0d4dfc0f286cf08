// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/actions/state.h"

#include <stddef.h>
#include <string.h>

static const qvuiAction actions[] = {
#define ACTION(id, label, menu, group, shortcut, run, isOn, isPossible) \
    { id, label, menu, group, shortcut, run, isOn, isPossible },
#include "ui/actions/action_list.inl"
#undef ACTION
};

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

bool qvuiRunShortcut(struct qvuiEditor* editor, const qvuiShortcut* shortcut, bool typing)
{
    if (typing && !WorksWhileTyping(shortcut))
        return false;
    for (int i = 0; i < qvuiActionCount(); i++)
    {
        qvuiShortcut own;
        if (!qvuiShortcut_Parse(actions[i].shortcut, &own) || !qvuiShortcut_Equal(&own, shortcut))
            continue;
        if (actions[i].isPossible == NULL || actions[i].isPossible(editor))
            actions[i].run(editor);
        return true;
    }
    return false;
}
