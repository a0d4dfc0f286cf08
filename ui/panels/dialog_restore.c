// SPDX-License-Identifier: GPL-3.0-or-later
// After a crash: work that was not saved.
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/panels/buttons.h"

#include <stdio.h>
#include <string.h>

void qvuiEditor_LookForLeftovers(qvuiEditor* editor)
{
    char folder[qvui_maxPath];
    if (!qvStateFolder(folder, sizeof(folder)))
        return;
    editor->leftoverCount = qvFindLeftovers(folder, editor->leftovers, qvui_maxLeftovers);
    if (editor->leftoverCount > 0)
        qvuiEditor_SetDialog(editor, qvui_dialogRestore);
}

static void Drop(qvuiEditor* editor, int index)
{
    for (int i = index; i + 1 < editor->leftoverCount; i++)
        editor->leftovers[i] = editor->leftovers[i + 1];
    editor->leftoverCount--;
    if (editor->leftoverCount == 0)
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
}

static void Restore(qvuiEditor* editor, int index)
{
    qvError error;
    if (qvuiEditor_Did(editor, qvuiLoader_Restore(&editor->loader, &editor->leftovers[index], &error), &error))
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
}

static void FormatAge(double age, char* text, size_t capacity)
{
    if (age < 120.0)
        snprintf(text, capacity, "a moment ago");
    else if (age < 7200.0)
        snprintf(text, capacity, "%.0f minutes ago", age / 60.0);
    else if (age < 172800.0)
        snprintf(text, capacity, "%.0f hours ago", age / 3600.0);
    else
        snprintf(text, capacity, "%.0f days ago", age / 86400.0);
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    igTextUnformatted("Quaver did not close properly. These scenes have changes that were not saved:", NULL);
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 8) });
    for (int i = 0; i < editor->leftoverCount; i++)
    {
        const qvLeftover* leftover = &editor->leftovers[i];
        char age[64], text[256];
        FormatAge(leftover->age, age, sizeof(age));
        const char* file = qvPath_FileName(leftover->path);
        const char* name = file[0] != 0 ? file : leftover->name[0] != 0 ? leftover->name : "a new scene";
        snprintf(text, sizeof(text), "%.100s, %s", name, age);
        igPushID_Int(i);
        igAlignTextToFramePadding();
        igTextUnformatted(text, NULL);
        igSameLine(0.0f, qvuiPixels(&kit->style, 12));
        bool restore = qvuiPill(kit, "Restore", 0.0f, leftover->path);
        restore |= i == 0 && !igGetIO()->NavVisible && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false);
        igSameLine(0.0f, qvuiPixels(&kit->style, 6));
        bool discard = qvuiPill(kit, "Discard", 0.0f, "Delete these changes for good");
        igPopID();
        if (restore)
            Restore(editor, i);
        else if (discard)
        {
            qvDiscardLeftover(leftover);
            Drop(editor, i);
        }
        if (restore || discard)
            return;
    }
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 8) });
    static const qvuiButton later = { "Decide later", "Ask again at the next start", false };
    if (qvuiDrawButtons(kit, &later, 1, NULL, 0) == 0)
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
}

const qvuiDialog qvuiDialogRestore = { "restore", "Unsaved work", 560, 200, NULL, Draw, true, true };
