// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/file_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Starts with the name that the document has, in the folder that it is in.
static void Opened(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    const char* path = qvDocument_Path(editor->session.document);
    // The document's folder may be given relative to where the program was started, not to the browser's.
    char* folder = path[0] != 0 ? realpath(qvDocument_Folder(editor->session.document), NULL) : NULL;
    if (folder != NULL)
        qvuiBrowser_Enter(browser, folder);
    else
        qvuiBrowser_Refresh(browser);
    free(folder);
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
    char *target = realpath(path, NULL), *own = realpath(qvDocument_Path(editor->session.document), NULL);
    bool replaces = target != NULL && (own == NULL || strcmp(target, own) != 0);
    free(target);
    free(own);
    return replaces;
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

static void ChooseEntry(qvuiEditor* editor, int index)
{
    qvuiBrowser* browser = &editor->browser;
    char path[2 * qvui_maxPath];
    qvuiBrowser_Path(browser, index, path, sizeof(path));
    if (browser->entries[index].isFolder)
    {
        char name[qvui_maxPath];
        snprintf(name, sizeof(name), "%s", browser->typed);
        qvuiBrowser_Enter(browser, path);
        snprintf(browser->typed, sizeof(browser->typed), "%s", name);
    }
    else
        snprintf(browser->typed, sizeof(browser->typed), "%s", browser->entries[index].name);
}

static void DrawButtons(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    float width = qvuiPixels(&kit->style, 84), gap = qvuiPixels(&kit->style, 8);
    char path[2 * qvui_maxPath] = "";
    bool possible = TargetPath(&editor->browser, path, sizeof(path)), replaces = possible && Replaces(editor, path);
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    if (replaces)
        qvuiDrawText(igGetWindowDrawList(), kit->style.body, place, qvuiPixels(&kit->style, 26), QVUI_CORAL,
                     "There is a file of this name.");
    igSetCursorPosX(igGetCursorPosX() + room.x - 2 * width - gap);
    if (qvuiPill(kit, "Cancel", width, "Saves nothing; Esc does the same"))
    {
        editor->pending.kind = qvui_pendingNone;
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
    }
    igSameLine(0.0f, gap);
    igBeginDisabled(!possible);
    if (qvuiPill(kit, replaces ? "Replace" : "Save", width,
                 replaces ? "Writes the scene over the file of this name" : "Writes the scene; Enter does the same"))
    {
        snprintf(editor->replacedPath, sizeof(editor->replacedPath), "%s", path);
        SaveTyped(editor);
    }
    igEndDisabled();
}

static void Draw(qvuiEditor* editor)
{
    qvuiBrowser* browser = &editor->browser;
    const qvuiStyle* style = &editor->kit.style;
    qvuiDrawPlaceRow(editor);
    if (qvuiDrawNameRow(editor, "Name of the scene", ImGuiInputTextFlags_AutoSelectAll))
        SaveTyped(editor);
    ImVec2 room;
    igGetContentRegionAvail(&room);
    char typed[sizeof(browser->typed)];
    memcpy(typed, browser->typed, sizeof(typed));
    browser->typed[0] = 0; // a name to save under is no filter
    bool hasFiles = qvDocument_Scene(editor->session.document)->mesh.file != NULL;
    float below = qvuiPixels(style, 26 + 10) + (hasFiles ? qvuiPixels(style, 35) : 0.0f);
    int chosen = qvuiDrawFileList(editor, fmaxf(room.y - below, 1.0f));
    memcpy(browser->typed, typed, sizeof(typed));
    if (chosen >= 0)
        ChooseEntry(editor, chosen);
    if (hasFiles)
        qvuiSwitchRow(&editor->kit, "Collect files", &editor->collects,
                      "Copies the mesh and what it refers to beside the scene, so that the folder can travel");
    igDummy((ImVec2){ 1, qvuiPixels(style, 1) });
    DrawButtons(editor);
}

const qvuiDialog qvuiDialogSave = { "save", "Save the scene", 640, 480, Opened, Draw, true };
