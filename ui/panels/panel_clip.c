// SPDX-License-Identifier: GPL-3.0-or-later
// Which animation of the mesh's file moves the body, from when, how fast and how often.
#include "ui/panels/fields.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    NAME = 96, // bytes of a choice
};

static const qvRef clipObject = { qv_objectClip, 0 };

static bool IsShown(const qvuiEditor* editor)
{
    return qvuiSession_Rig(&editor->session) != NULL;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvRig* rig = qvuiSession_Rig(&editor->session);
    int clip = qvuiSession_Clip(&editor->session);
    if (clip >= 0)
        snprintf(text, capacity, "%s, %.3g s", qvRig_ClipName(rig, clip), qvRig_ClipDuration(rig, clip));
}

// None, then those of the file; numbers tell those of one name apart.
static void Chooser(qvuiEditor* editor)
{
    const qvRig* rig = qvuiSession_Rig(&editor->session);
    int count = qvRig_ClipCount(rig) + 1, choice = qvuiSession_Clip(&editor->session) + 1;
    char(*names)[NAME] = malloc((size_t)count * sizeof(*names));
    const char** choices = malloc((size_t)count * sizeof(*choices));
    for (int i = 0; names != NULL && choices != NULL && i < count; i++)
    {
        if (i == 0)
            snprintf(names[i], NAME, "None");
        else
            snprintf(names[i], NAME, "%d %.60s", i, qvRig_ClipName(rig, i - 1));
        choices[i] = names[i];
    }
    if (names != NULL && choices != NULL &&
        qvuiChoiceRow(&editor->kit, "Animation", choices, count, &choice,
                      "Which animation of the mesh's file moves the body"))
    {
        qvError error;
        qvuiEditor_Did(editor, qvDocument_SetClip(editor->session.document, rig, choice - 1, &error), &error);
    }
    free(names);
    free(choices);
}

static void Draw(qvuiEditor* editor)
{
    Chooser(editor);
    if (qvuiSession_Clip(&editor->session) < 0)
        return;
    qvuiFieldRow(editor, clipObject, "start", QVUI_SOLVED);
    qvuiFieldRow(editor, clipObject, "speed", QVUI_SOLVED);
    qvuiFieldRow(editor, clipObject, "repeat", QVUI_SOLVED);
}

const qvuiPanel qvuiPanelClip = {
    "clip", "Clip", IsShown, Remark, Draw, false, "The mesh file's own animation: which one, from when and how fast"
};
