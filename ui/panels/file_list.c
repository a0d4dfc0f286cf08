// SPDX-License-Identifier: GPL-3.0-or-later
// The folder and its entries, as the dialogs that open and save show them.
#include "ui/panels/file_list.h"

#include "ui/cimgui/focus.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Why the list is empty.
static const char* EmptyMessage(const qvuiBrowser* browser)
{
    char path[2 * qvui_maxPath];
    if (browser->names)
        return "No folders here, and no files of this kind.";
    switch (qvuiBrowser_Typed(browser, path, sizeof(path)))
    {
    case qvui_typedFile:
        return "Press Enter to open this file.";
    case qvui_typedFolder:
        return "Press Enter to go to this folder.";
    case qvui_typedMissing:
        return "There is no such file.";
    default:
        return browser->count == 0 ? "No folders or mesh files here. Go up, or type a path."
                                   : "No name here contains what you typed.";
    }
}

void qvuiDrawPlaceRow(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    qvuiBrowser* browser = &editor->browser;
    if (qvuiPill(kit, QVUI_ICON_ARROW_UP "##up", 0.0f, "Goes to the folder above"))
        qvuiBrowser_Enter(browser, "..");
    igSameLine(0.0f, -1.0f);
    const char* home = getenv("HOME");
    if (home != NULL)
    {
        if (qvuiPill(kit, QVUI_ICON_HOME "##home", 0.0f, "Goes to your home folder"))
            qvuiBrowser_Enter(browser, home);
        igSameLine(0.0f, qvuiPixels(&kit->style, 12));
    }
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    char buffer[qvui_maxPath + 4];
    const char* text = qvuiShorten(kit->style.body, browser->folder, room.x, true, buffer, sizeof(buffer));
    qvuiDrawText(igGetWindowDrawList(), kit->style.body, place, qvuiPixels(&kit->style, 26), QVUI_TEXT, text);
    igDummy((ImVec2){ room.x, qvuiPixels(&kit->style, 26) });
}

bool qvuiDrawNameRow(qvuiEditor* editor, const char* hint, ImGuiInputTextFlags flags)
{
    qvuiBrowser* browser = &editor->browser;
    igSetNextItemWidth(-1.0f);
    if (browser->wantsKeyboard || igIsWindowAppearing())
        igSetKeyboardFocusHere(0);
    browser->wantsKeyboard = false;
    size_t length = strlen(browser->typed);
    igPushID_Int(browser->field);
    bool entered = qvuiInputText(&editor->kit, "##typed", hint, browser->typed, sizeof(browser->typed), flags);
    igPopID();
    qvuiNames_AddItem(&editor->kit.names, "File name");
    qvuiTooltip(&editor->kit, "A name in this folder, or a path: ../other, /tmp/a.json, ~/a.json", NULL);
    // What is typed counts from then on.
    if (strlen(browser->typed) != length)
        browser->selected = -1;
    return entered;
}

static void FormatSize(int64_t size, char* text, size_t capacity)
{
    if (size < 10000)
        snprintf(text, capacity, "%lld B", (long long)size);
    else if (size < 10000000)
        snprintf(text, capacity, "%.0f kB", (double)size / 1e3);
    else
        snprintf(text, capacity, "%.0f MB", (double)size / 1e6);
}

int qvuiArrowStep(void)
{
    int down = igIsKeyPressed(igGetKeyIndex(ImGuiKey_DownArrow), true);
    return down - igIsKeyPressed(igGetKeyIndex(ImGuiKey_UpArrow), true);
}

// The next entry that matches, from the selected one on; the first or last when none is selected.
static void StepSelection(qvuiBrowser* browser, int step)
{
    int start = browser->selected >= 0 ? browser->selected : step > 0 ? -1 : browser->count;
    for (int i = start + step; step != 0 && i >= 0 && i < browser->count; i += step)
        if (qvuiBrowser_Matches(browser, i))
        {
            qvuiBrowser_Select(browser, i);
            return;
        }
}

// One line of the list. Returns whether it was double-clicked.
static bool DrawEntry(qvuiEditor* editor, int index, float height)
{
    qvuiBrowser* browser = &editor->browser;
    const qvuiEntry* entry = &browser->entries[index];
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    igPushID_Int(index);
    bool pressed = igSelectable_Bool("##entry", browser->selected == index,
                                     ImGuiSelectableFlags_AllowDoubleClick | ImGuiSelectableFlags_DontClosePopups,
                                     (ImVec2){ room.x, height });
    igPopID();
    qvuiNames_AddItem(&editor->kit.names, entry->name);
    qvuiTooltip(&editor->kit, entry->isFolder ? "A double click goes there" : "A double click takes this file", NULL);
    if (pressed)
        qvuiBrowser_Select(browser, index);
    ImDrawList* list = igGetWindowDrawList();
    float pad = qvuiPixels(style, 8), indent = qvuiPixels(style, 30);
    qvuiDrawText(list, style->body, (ImVec2){ place.x + pad, place.y }, height,
                 entry->isFolder ? QVUI_AMBER : QVUI_MUTED, entry->isFolder ? QVUI_ICON_FOLDER : QVUI_ICON_CUBE);
    char name[300], size[32] = "";
    if (!entry->isFolder)
        FormatSize(entry->size, size, sizeof(size));
    float sizeWidth = qvuiTextWidth(style->value, size);
    qvuiDrawText(
        list, style->body, (ImVec2){ place.x + indent, place.y }, height, QVUI_TEXT,
        qvuiShorten(style->body, entry->name, room.x - indent - sizeWidth - 3 * pad, false, name, sizeof(name)));
    qvuiDrawText(list, style->value, (ImVec2){ place.x + room.x - pad - sizeWidth, place.y }, height, QVUI_MUTED, size);
    return pressed && igIsMouseDoubleClicked(ImGuiMouseButton_Left);
}

int qvuiDrawFileList(qvuiEditor* editor, float below)
{
    qvuiBrowser* browser = &editor->browser;
    const qvuiStyle* style = &editor->kit.style;
    float height = qvuiPixels(style, 26);
    ImVec2 room;
    igGetContentRegionAvail(&room);
    float listHeight = fmaxf(room.y - qvuiPixels(style, 26 + 10) - below, 1.0f);
    igPushStyleColor_U32(ImGuiCol_ChildBg, QVUI_PANEL);
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    igBeginChild_Str("entries", (ImVec2){ 0, listHeight }, false, ImGuiWindowFlags_NavFlattened);
    qvui_SkipTabStops();
    int shown = 0, opened = -1, step = qvuiArrowStep();
    StepSelection(browser, step);
    for (int i = 0; i < browser->count; i++)
    {
        if (!qvuiBrowser_Matches(browser, i))
            continue;
        shown++;
        if (!igIsRectVisible_Nil((ImVec2){ 1, height }))
            igDummy((ImVec2){ 1, height });
        else if (DrawEntry(editor, i, height))
            opened = i;
        if (step != 0 && i == browser->selected)
            igSetScrollHereY(0.5f);
    }
    if (browser->problem[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_CORAL, browser->problem);
    else if (shown == 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, EmptyMessage(browser));
    qvui_EndTabStops();
    igEndChild();
    igPopStyleVar(1);
    igPopStyleColor(1);
    return opened;
}
