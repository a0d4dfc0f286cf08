// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/places.h"
#include "ui/panels/buttons.h"
#include "ui/panels/file_list.h"

#include <stdio.h>
#include <string.h>

// Starts with the name that the document has, in the folder that it is in. A new scene goes to where the last one went,
// and so do changes of a demo, whose own folder is the program's.
static void Opened(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    const qvDocument* document = editor->session.document;
    qvuiEditor_LookAtFile(editor);
    browser->kind = "json";
    browser->names = true;
    char folder[qvui_maxPath];
    if (!qvuiDocumentFolder(document, folder, sizeof(folder)))
        qvuiStartFolder(editor->saveFolder, folder, sizeof(folder));
    qvuiBrowser_Enter(browser, folder);
    char name[256];
    qvuiSession_FileStem(&editor->session, name, sizeof(name));
    snprintf(browser->typed, sizeof(browser->typed), "%s.json", name);
    browser->selected = -1;
}

// The path that was typed, with ".json" at its end. False when nothing was.
static bool TargetPath(const qvuiBrowser* browser, char* path, size_t capacity)
{
    if (browser->typed[0] == 0)
        return false;
    qvuiBrowser_Typed(browser, path, capacity);
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 5, ".json") != 0)
        snprintf(path + length, capacity - length, ".json");
    return true;
}

static bool Replaces(const qvuiEditor* editor, const char* path)
{
    // Its own file, too, where that is no longer what was opened or saved.
    bool own = editor->fileNews == qv_fileSame;
    return qvuiReplaces(path, own ? qvDocument_Path(editor->session.document) : "");
}

static void SaveTyped(qvuiEditor* editor)
{
    char path[2 * qvui_maxPath];
    if (!TargetPath(&editor->browser, path, sizeof(path)))
        return;
    // Replacing another file takes a second Enter.
    if (Replaces(editor, path) && strcmp(editor->replacedPath, path) != 0)
    {
        snprintf(editor->replacedPath, sizeof(editor->replacedPath), "%s", path);
        editor->browser.wantsKeyboard = true;
        return;
    }
    if (!qvuiEditor_Save(editor, path))
        return;
    qvuiEditor_SetDialog(editor, qvui_dialogNone);
    qvuiEditor_RunPending(editor);
}

// A folder that is selected is gone to; else what is typed is the scene's name.
static void Enter(qvuiEditor* editor)
{
    if (!qvuiBrowser_EnterSelected(&editor->browser))
        SaveTyped(editor);
}

static void DrawButtons(qvuiEditor* editor)
{
    char path[2 * qvui_maxPath] = "";
    bool possible = TargetPath(&editor->browser, path, sizeof(path));
    const qvuiButton buttons[] = {
        { "Cancel", "Saves nothing; Esc does the same", false },
        { "Save", "Writes the scene; Enter does the same", !possible },
    };
    int pressed = qvuiDrawWriteButtons(&editor->kit, buttons, 2, possible && Replaces(editor, path), 0);
    if (pressed == 0)
    {
        editor->pending.kind = qvui_pendingNone;
        qvuiEditor_LeaveDialog(editor);
    }
    else if (pressed == 1)
    {
        snprintf(editor->replacedPath, sizeof(editor->replacedPath), "%s", path);
        SaveTyped(editor);
    }
}

static void Draw(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiDrawPlaceRow(editor);
    bool entered = qvuiDrawNameRow(editor, "Name of the scene", ImGuiInputTextFlags_AutoSelectAll);
    bool hasFiles = qvDocument_Scene(editor->session.document)->mesh.file != NULL;
    int opened = qvuiDrawFileList(editor, hasFiles ? qvuiPixels(style, 35) : 0.0f);
    if (hasFiles)
        qvuiSwitchRow(&editor->kit, "Collect files", &editor->collects,
                      "Copies the mesh and what it refers to beside the scene, so that the folder can travel");
    igDummy((ImVec2){ 1, qvuiPixels(style, 1) });
    DrawButtons(editor);
    if ((entered || opened >= 0) && editor->dialog == qvui_dialogSave)
        Enter(editor);
}

const qvuiDialog qvuiDialogSave = { "save", "Save the scene", 640, 480, Opened, Draw, true, false };
