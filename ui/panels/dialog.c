// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "ui/cimgui/focus.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <math.h>

static const qvuiDialog noDialog = { .id = "none" };

static const qvuiDialog* const dialogs[] = {
    &noDialog,
#define DIALOG(kind, descriptor) &descriptor,
#include "ui/panels/dialog_list.inl"
#undef DIALOG
};

const qvuiDialog* qvuiGetDialog(qvuiDialogKind kind)
{
    return dialogs[kind];
}

// The title and a cross that closes.
static void DrawTitle(qvuiEditor* editor, const char* title)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 22);
    ImDrawList* list = igGetWindowDrawList();
    qvuiDrawText(list, style->strong, place, height, QVUI_TEXT, title);
    igSetCursorScreenPos((ImVec2){ place.x + room.x - height, place.y });
    if (igInvisibleButton("close", (ImVec2){ height, height }, ImGuiButtonFlags_MouseButtonLeft) ||
        qvui_IsItemEntered())
        qvuiEditor_LeaveDialog(editor);
    qvuiDrawFocus(&editor->kit, (ImVec2){ place.x + room.x - height, place.y },
                  (ImVec2){ place.x + room.x, place.y + height }, qvuiPixels(style, 5));
    qvuiNames_AddItem(&editor->kit.names, "Close dialog");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiTooltip(&editor->kit, "Closes this box", "Esc");
    float width = qvuiTextWidth(style->body, QVUI_ICON_TIMES);
    qvuiDrawText(list, style->body, (ImVec2){ place.x + room.x - 0.5f * (height + width), place.y }, height,
                 hovered ? QVUI_TEXT : QVUI_MUTED, QVUI_ICON_TIMES);
    igDummy((ImVec2){ 1, qvuiPixels(style, 4) });
}

void qvuiDrawHelpPages(qvuiEditor* editor)
{
    static const char* const pages[] = { "Shortcuts", "Manual" };
    int page = editor->dialog == qvui_dialogManual;
    if (qvuiSegmentedRow(&editor->kit, "Page", pages, 2, &page, QVUI_CHOSEN,
                         "All keys, or how to pose, time, wobble, send waves and export"))
        qvuiEditor_SetDialog(editor, page == 1 ? qvui_dialogManual : qvui_dialogShortcuts);
    igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 2) });
}

// What a dialog without a height of its own needs is known once it has been drawn; until then it is a square at most.
static float WantedHeight(const qvuiEditor* editor, const qvuiDialog* dialog)
{
    if (dialog->height > 0.0f)
        return qvuiPixels(&editor->kit.style, dialog->height);
    return editor->dialogNeeds > 0.0f ? editor->dialogNeeds : qvuiPixels(&editor->kit.style, dialog->width);
}

void qvuiDrawDialog(qvuiEditor* editor, float width, float height)
{
    if (editor->dialog == qvui_dialogNone)
        return;
    const qvuiStyle* style = &editor->kit.style;
    const qvuiDialog* dialog = dialogs[editor->dialog];
    if (!editor->dialogOpened || editor->popupLost)
        igOpenPopup_Str(dialog->id, ImGuiPopupFlags_None);
    editor->popupLost = false;
    if (!editor->dialogOpened && dialog->open != NULL)
        dialog->open(editor);
    editor->dialogOpened = true;
    float margin = qvuiPixels(style, 24), pad = qvuiPixels(style, 16);
    ImVec2 size = { fminf(qvuiPixels(style, dialog->width), width - 2 * margin),
                    floorf(fminf(WantedHeight(editor, dialog), height - 2 * margin)) };
    // In the middle at first; when it grows or shrinks, its rows stay where they are under the mouse.
    if (editor->dialogTop <= 0.0f || editor->dialogWindow != height)
        editor->dialogTop = floorf(0.5f * (height - size.y));
    editor->dialogWindow = height;
    ImVec2 end, place = { floorf(0.5f * (width - size.x)), fminf(editor->dialogTop, height - margin - size.y) };
    igSetNextWindowPos(place, ImGuiCond_Always, (ImVec2){ 0, 0 });
    igSetNextWindowSize(size, ImGuiCond_Always);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ qvuiPixels(style, 20), pad });
    igPushStyleVar_Float(ImGuiStyleVar_WindowRounding, qvuiPixels(style, 8));
    igPushStyleVar_Float(ImGuiStyleVar_WindowBorderSize, 1);
    bool shown = igBeginPopupModal(
        dialog->id, NULL, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    igPopStyleVar(3);
    if (!shown)
    {
        // ImGui closes popups of its own accord, at the latest when the window gets the keyboard; what is open is for
        // the editor to say.
        editor->popupLost = true;
        return;
    }
    qvuiDialogKind before = editor->dialog;
    editor->kit.boxLower = place;
    editor->kit.boxUpper = (ImVec2){ place.x + size.x, place.y + size.y };
    editor->dialogEnds[0] = place.y, editor->dialogEnds[1] = place.y + size.y;
    DrawTitle(editor, dialog->title);
    qvui_BeginTabStops(dialog->arrows);
    dialog->draw(editor);
    qvui_EndTabStops();
    editor->kit.boxUpper = editor->kit.boxLower;
    igGetCursorScreenPos(&end);
    float needs = end.y - igGetStyle()->ItemSpacing.y + pad - place.y;
    if (editor->dialogNeeds <= 0.0f)
        editor->dialogTop = 0.0f;
    editor->dialogGrows = needs != editor->dialogNeeds;
    editor->dialogNeeds = needs;
    // The dialog is a popup itself: what counts is one above it.
    editor->popupOpen = editor->dialog == before && igIsPopupOpen_Str("", ImGuiPopupFlags_AnyPopupId);
    if (editor->dialog != before)
        igCloseCurrentPopup();
    igEndPopup();
}
