// SPDX-License-Identifier: GPL-3.0-or-later
// Where an export goes: a folder and a name in it.
#include "ui/panels/buttons.h"
#include "ui/panels/file_list.h"

#include "quaver/path.h"

#include <stdio.h>
#include <stdlib.h>

static void Opened(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    const qvuiExportForm* form = &editor->exportForm;
    browser->kind = qvuiGetExportFormat(form->request.format).tag;
    browser->names = true;
    char path[2 * qvui_maxPath];
    qvuiExportForm_Path(form, path, sizeof(path));
    char* folder = qvPath_Folder(path);
    qvuiBrowser_Enter(browser, folder != NULL ? folder : form->folder);
    if (browser->problem[0] != 0)
        qvuiBrowser_Refresh(browser);
    free(folder);
    snprintf(browser->typed, sizeof(browser->typed), "%s", qvPath_FileName(path));
}

// The path that was typed becomes the folder and the name of the export.
static void Choose(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    char path[2 * qvui_maxPath];
    qvuiBrowser_Typed(&editor->browser, path, sizeof(path));
    char *folder = qvPath_Folder(path), *real = folder != NULL ? realpath(folder, NULL) : NULL;
    if (folder != NULL && path[0] != 0)
    {
        snprintf(form->folder, sizeof(form->folder), "%s", real != NULL ? real : folder);
        snprintf(form->name, sizeof(form->name), "%s", qvPath_FileName(path));
        qvuiExportForm_FollowName(form);
    }
    free(folder);
    free(real);
    qvuiEditor_LeaveDialog(editor);
}

// A folder is gone to, by what is selected or typed; anything else is the file's name.
static void Enter(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    char path[2 * qvui_maxPath];
    if (qvuiBrowser_EnterSelected(browser))
        return;
    if (qvuiBrowser_Typed(browser, path, sizeof(path)) == qvui_typedFolder)
        qvuiBrowser_Enter(browser, path);
    else
        Choose(editor);
}

static void Draw(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiDrawPlaceRow(editor);
    bool entered = qvuiDrawNameRow(editor, "Name of the file", ImGuiInputTextFlags_AutoSelectAll);
    int opened = qvuiDrawFileList(editor, 0.0f);
    igDummy((ImVec2){ 1, qvuiPixels(style, 1) });
    const qvuiButton buttons[] = {
        { "Cancel", "Back to the export as it was; Esc does the same", false },
        { "Choose", "Back to the export, with this folder and name", editor->browser.typed[0] == 0 },
    };
    int pressed = qvuiDrawButtons(&editor->kit, buttons, 2, NULL, 0);
    if (pressed == 0)
        qvuiEditor_LeaveDialog(editor);
    else if (pressed == 1)
        Choose(editor);
    else if (entered || opened >= 0)
        Enter(editor);
}

const qvuiDialog qvuiDialogPlace = { "place", "Where to export", 640, 480, Opened, Draw, true, false };
