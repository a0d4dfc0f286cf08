// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for vectors, texts, menus of choices, and lines of a list.
#include "ui/widgets/row.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One number of several: a small bar without fill.
static bool NumberCell(qvuiKit* kit, const char* label, ImVec2 place, ImVec2 size, double* value, double speed,
                       const char* tooltip)
{
    ImGuiID id = igGetID_Str("typed");
    const ImGuiIO* io = igGetIO();
    igSetCursorScreenPos(place);
    if (kit->typing == id)
    {
        bool first = kit->typed[0] == 0;
        if (first)
            snprintf(kit->typed, sizeof(kit->typed), "%.6g", *value);
        if (first)
            igSetKeyboardFocusHere(0);
        igSetNextItemWidth(size.x);
        bool entered = igInputText("##typed", kit->typed, sizeof(kit->typed),
                                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                                       ImGuiInputTextFlags_CharsScientific,
                                   NULL, NULL);
        if (!entered && (first || !igIsItemDeactivated()))
            return false;
        kit->typing = 0;
        double typed;
        if (!entered || !qvuiReadTyped(kit, label, &typed))
            return false;
        *value = typed;
        return true;
    }
    igInvisibleButton("cell", size, ImGuiButtonFlags_MouseButtonLeft);
    qvuiTooltip(kit, tooltip, "Drag, Shift for fine; double click to type");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    if (hovered || active)
        igSetMouseCursor(ImGuiMouseCursor_ResizeEW);
    bool clicked = hovered && igIsMouseClicked(ImGuiMouseButton_Left, false);
    bool enter = hovered && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false);
    if (enter || (clicked && (igIsMouseDoubleClicked(ImGuiMouseButton_Left) || io->KeyCtrl)))
    {
        kit->typing = id;
        kit->typed[0] = 0;
    }
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + size.x, place.y + size.y };
    ImDrawList_AddRectFilled(list, place, end, hovered || active ? QVUI_HOVER : QVUI_CONTROL,
                             qvuiPixels(&kit->style, 4), 0);
    char text[32], shortened[40];
    snprintf(text, sizeof(text), "%.4g", *value + 0.0);
    const char* shown = qvuiShorten(kit->style.value, text, size.x - 4, false, shortened, sizeof(shortened));
    float width = qvuiTextWidth(kit->style.value, shown);
    qvuiDrawText(list, kit->style.value, (ImVec2){ place.x + 0.5f * (size.x - width), place.y }, size.y, QVUI_TEXT,
                 shown);
    if (!active || io->MouseDelta.x == 0.0f)
        return false;
    *value += io->MouseDelta.x * speed * (io->KeyShift ? 0.1 : 1.0);
    return true;
}

bool qvuiNumbersRow(qvuiKit* kit, const char* label, double* values, int count, double speed, const char* tooltip)
{
    qvuiRow row = qvuiBeginRow(kit, label, 0.0f);
    float gap = qvuiPixels(&kit->style, 4), width = floorf((row.width - gap * (float)(count - 1)) / (float)count);
    bool changed = false;
    igPushID_Str(label);
    for (int i = 0; i < count; i++)
    {
        ImVec2 place = { row.control.x + (float)i * (width + gap), row.control.y };
        igPushID_Int(i);
        changed |= NumberCell(kit, label, place, (ImVec2){ width, row.height }, &values[i], speed, tooltip);
        igPopID();
        char name[96];
        snprintf(name, sizeof(name), "%s %c", label, "xyzw"[i & 3]);
        qvuiNames_AddRect(&kit->names, name, place, (ImVec2){ place.x + width, place.y + row.height });
    }
    igPopID();
    qvuiEndRow(&row);
    return changed;
}

bool qvuiTextFieldRow(qvuiKit* kit, const char* label, char* text, size_t capacity, const char* tooltip)
{
    qvuiRow row = qvuiBeginRow(kit, label, 0.0f);
    igPushID_Str(label);
    igSetCursorScreenPos(row.control);
    igSetNextItemWidth(row.width);
    igPushStyleVar_Vec2(ImGuiStyleVar_FramePadding,
                        (ImVec2){ qvuiPixels(&kit->style, 8), 0.5f * (row.height - igGetFontSize()) });
    bool entered = igInputText("##text", text, capacity, ImGuiInputTextFlags_EnterReturnsTrue, NULL, NULL);
    igPopStyleVar(1);
    qvuiNames_AddItem(&kit->names, label);
    bool left = igIsItemDeactivated();
    qvuiTooltip(kit, tooltip, NULL);
    igPopID();
    qvuiEndRow(&row);
    return entered || left;
}

bool qvuiChoiceRow(qvuiKit* kit, const char* label, const char* const* choices, int count, int* choice,
                   const char* tooltip)
{
    qvuiRow row = qvuiBeginRow(kit, label, 0.0f);
    bool changed = false;
    igPushID_Str(label);
    igSetCursorScreenPos(row.control);
    if (igInvisibleButton("menu", (ImVec2){ row.width, row.height }, ImGuiButtonFlags_MouseButtonLeft))
        igOpenPopup_Str("choices", ImGuiPopupFlags_None);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, label);
    qvuiTooltip(kit, tooltip, NULL);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { row.control.x + row.width, row.control.y + row.height };
    ImDrawList_AddRectFilled(list, row.control, end, hovered ? QVUI_HOVER : QVUI_CONTROL, qvuiPixels(&kit->style, 5),
                             0);
    float pad = qvuiPixels(&kit->style, 8);
    bool known = *choice >= 0 && *choice < count;
    qvuiDrawText(list, kit->style.value, (ImVec2){ row.control.x + pad, row.control.y }, row.height,
                 known ? QVUI_TEXT : QVUI_MUTED, known ? choices[*choice] : "choose\xe2\x80\xa6");
    qvuiDrawText(list, kit->style.body, (ImVec2){ end.x - 2 * pad, row.control.y }, row.height, QVUI_MUTED,
                 QVUI_ICON_CARET_DOWN);
    if (qvuiBeginMenuPopup(kit, "choices"))
    {
        for (int i = 0; i < count; i++)
        {
            if (igMenuItem_Bool(choices[i], NULL, *choice == i, true))
            {
                changed = *choice != i;
                *choice = i;
            }
            qvuiNames_AddItem(&kit->names, choices[i]);
        }
        qvuiEndMenuPopup();
    }
    igPopID();
    qvuiEndRow(&row);
    return changed;
}

bool qvuiPillRow(qvuiKit* kit, const char* label, const char* tooltip)
{
    qvuiRow row = qvuiBeginRow(kit, "", 0.0f);
    igSetCursorScreenPos(row.control);
    bool pressed = qvuiPill(kit, label, 0.0f, tooltip);
    qvuiEndRow(&row);
    return pressed;
}

bool qvuiListRow(qvuiKit* kit, const char* name, const char* remark, ImU32 dot, bool selected)
{
    const qvuiStyle* style = &kit->style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 29), pad = qvuiPixels(style, 14);
    bool pressed = igInvisibleButton(name, (ImVec2){ room.x, height }, ImGuiButtonFlags_MouseButtonLeft);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, name);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + room.x, place.y + height };
    if (selected || hovered)
        ImDrawList_AddRectFilled(list, place, end, selected ? QVUI_RGB(0x2e271d) : QVUI_HEADER, 0, 0);
    ImDrawList_AddCircleFilled(list, (ImVec2){ place.x + pad + qvuiPixels(style, 4), place.y + 0.5f * height },
                               qvuiPixels(style, 4.5), dot, 16);
    char text[qvui_maxNameLength];
    snprintf(text, sizeof(text), "%.*s", (int)(strstr(name, "##") != NULL ? strstr(name, "##") - name : 63), name);
    float remarkWidth = remark != NULL ? qvuiTextWidth(style->value, remark) : 0.0f;
    char shortened[96];
    float x = place.x + pad + qvuiPixels(style, 18);
    qvuiDrawText(
        list, style->body, (ImVec2){ x, place.y }, height, QVUI_TEXT,
        qvuiShorten(style->body, text, end.x - pad - remarkWidth - x - pad, false, shortened, sizeof(shortened)));
    if (remark != NULL)
        qvuiDrawText(list, style->value, (ImVec2){ end.x - pad - remarkWidth, place.y }, height, QVUI_MUTED, remark);
    return pressed;
}
