// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/buttons.h"
#include "ui/panels/file_list.h"

#include <stdio.h>

static void Opened(qvuiEditor* editor)
{
    editor->browser.kind = NULL;
    editor->browser.names = false;
    qvuiBrowser_Refresh(&editor->browser);
}

static void OpenPath(qvuiEditor* editor, const char* path)
{
    qvuiEditor_SetDialog(editor, qvui_dialogNone);
    qvuiEditor_Request(editor, qvui_pendingFile, path);
}

static void OpenEntry(qvuiEditor* editor, int index)
{
    char path[2 * qvui_maxPath];
    qvuiBrowser_Path(&editor->browser, index, path, sizeof(path));
    if (editor->browser.entries[index].isFolder)
        qvuiBrowser_Enter(&editor->browser, path);
    else
        OpenPath(editor, path);
}

// The first entry that matches what was typed, or -1.
static int FirstMatch(const qvuiBrowser* browser)
{
    for (int i = 0; browser->typed[0] != 0 && i < browser->count; i++)
        if (qvuiBrowser_Matches(browser, i))
            return i;
    return -1;
}

// Enter: what the arrows have selected, a name or path that is there, otherwise the first match.
static void OpenTyped(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    char path[2 * qvui_maxPath];
    qvuiTyped typed = qvuiBrowser_Typed(browser, path, sizeof(path));
    int match = FirstMatch(browser);
    if (browser->selected >= 0 && qvuiBrowser_Matches(browser, browser->selected))
        OpenEntry(editor, browser->selected);
    else if (typed == qvui_typedFile)
        OpenPath(editor, path);
    else if (typed == qvui_typedFolder)
        qvuiBrowser_Enter(browser, path);
    else if (match >= 0)
        OpenEntry(editor, match);
    else
        browser->wantsKeyboard = true;
}

static void DrawButtons(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    char path[2 * qvui_maxPath];
    qvuiTyped typed = qvuiBrowser_Typed(browser, path, sizeof(path));
    bool selected = browser->selected >= 0 && qvuiBrowser_Matches(browser, browser->selected);
    bool found = typed == qvui_typedFile || typed == qvui_typedFolder || FirstMatch(browser) >= 0;
    const qvuiButton buttons[] = {
        { "Cancel", "Opens nothing; Esc does the same", false },
        { "Open", "Opens what is selected or typed; Enter does the same", !selected && !found },
    };
    int pressed = qvuiDrawButtons(&editor->kit, buttons, 2, NULL, 0);
    if (pressed == 0)
        qvuiEditor_LeaveDialog(editor);
    else if (pressed == 1)
        OpenTyped(editor);
}

static void Draw(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiDrawPlaceRow(editor);
    if (qvuiDrawNameRow(editor, "Type part of a name, or a path, and press Enter", ImGuiInputTextFlags_None))
        OpenTyped(editor);
    int opened = qvuiDrawFileList(editor, 0.0f);
    if (opened >= 0)
        OpenEntry(editor, opened);
    igDummy((ImVec2){ 1, qvuiPixels(style, 1) });
    DrawButtons(editor);
}

const qvuiDialog qvuiDialogOpen = { "open", "Open a scene or a mesh", 640, 480, Opened, Draw, true, false };
