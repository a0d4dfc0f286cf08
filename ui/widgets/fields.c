// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for vectors, texts, menus of choices, and lines of a list.
#include "ui/widgets/row.h"

#include "ui/cimgui/focus.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// With as many digits as there is room for. NAN is a number that is left free.
static void DrawNumber(qvuiKit* kit, ImDrawList* list, ImVec2 place, ImVec2 size, double value, const char* unit,
                       ImU32 color)
{
    char text[48];
    float width = 0.0f;
    for (int digits = 4; digits > 0; digits--)
    {
        snprintf(text, sizeof(text), "%.*g%s", digits, value + 0.0, unit);
        if (isnan(value))
            snprintf(text, sizeof(text), "free");
        width = qvuiTextWidth(kit->style.value, text);
        if (width <= size.x - qvuiPixels(&kit->style, 4))
            break;
    }
    qvuiDrawText(list, kit->style.value, (ImVec2){ place.x + 0.5f * (size.x - width), place.y }, size.y, color, text);
}

// One number of several: a small bar without fill.
static bool NumberCell(qvuiKit* kit, const qvuiNumbersDef* def, const char* name, ImVec2 place, ImVec2 size,
                       double* value)
{
    ImGuiID id = igGetID_Str("typed");
    const ImGuiIO* io = igGetIO();
    if (kit->typing == id)
    {
        double typed = isnan(*value) ? 0.0 : *value;
        bool entered = qvuiTypeNumber(kit, def->label, place, size, &typed);
        *value = entered ? typed : *value;
        return entered;
    }
    igSetCursorScreenPos(place);
    igInvisibleButton("cell", size, ImGuiButtonFlags_MouseButtonLeft);
    double number = isnan(*value) ? 0.0 : *value, before = number;
    bool follows = qvuiFollowDrag(kit, &number);
    qvuiNames_AddItem(&kit->names, name);
    qvuiTooltip(kit, def->tooltip,
                def->reset != NULL ? "Drag, Shift for fine; double click to type; right click: reset, copy"
                                   : "Drag, Shift for fine; double click to type");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    qvuiValueHint(kit, hovered, active);
    if (hovered || active)
        igSetMouseCursor(ImGuiMouseCursor_ResizeEW);
    qvuiStartTyping(kit, id);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + size.x, place.y + size.y };
    ImDrawList_AddRectFilled(list, place, end, hovered || active ? QVUI_HOVER : QVUI_CONTROL,
                             qvuiPixels(&kit->style, 4), 0);
    DrawNumber(kit, list, place, size, *value, def->automatic ? " auto" : def->unit,
               def->automatic || def->dimmed || isnan(*value) ? QVUI_MUTED : QVUI_TEXT);
    qvuiDrawFocus(kit, place, end, qvuiPixels(&kit->style, 4));
    double moves = (follows ? io->MouseDelta.x : 0.0) + (hovered && io->KeyAlt ? io->MouseWheel : 0.0);
    number += moves * def->speed * (io->KeyShift ? 0.1 : 1.0);
    if (def->reset != NULL)
        *def->reset |= qvuiResetMenu(kit, "", number);
    if (number != before)
        *value = number;
    return number != before;
}

bool qvuiNumbersRow(qvuiKit* kit, const qvuiNumbersDef* def, double* values)
{
    qvuiRow row = qvuiBeginRow(kit, def->label, 0.0f);
    float gap = qvuiPixels(&kit->style, 4);
    float width = floorf((row.width - gap * (float)(def->count - 1)) / (float)def->count);
    bool changed = false;
    igPushID_Str(def->label);
    for (int i = 0; i < def->count; i++)
    {
        ImVec2 place = { row.control.x + (float)i * (width + gap), row.control.y };
        char name[96];
        snprintf(name, sizeof(name), "%s %c", def->label, "xyzw"[i & 3]);
        igPushID_Int(i);
        changed |= NumberCell(kit, def, name, place, (ImVec2){ width, row.height }, &values[i]);
        igPopID();
    }
    igPopID();
    qvuiEndRow(&row);
    for (int i = 0; changed && i < def->count; i++)
        values[i] = isnan(values[i]) ? 0.0 : values[i];
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
    bool entered = qvuiInputText(kit, "##text", NULL, text, capacity, ImGuiInputTextFlags_None);
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
    return qvuiSomeChoicesRow(kit, label, choices, NULL, count, choice, tooltip);
}

bool qvuiSomeChoicesRow(qvuiKit* kit, const char* label, const char* const* choices, const char* const* whyNot,
                        int count, int* choice, const char* tooltip)
{
    qvuiRow row = qvuiBeginRow(kit, label, 0.0f);
    bool changed = false;
    igPushID_Str(label);
    igSetCursorScreenPos(row.control);
    if (igInvisibleButton("menu", (ImVec2){ row.width, row.height }, ImGuiButtonFlags_MouseButtonLeft) ||
        qvui_IsItemEntered())
        igOpenPopup_Str("choices", ImGuiPopupFlags_None);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, label);
    qvuiTooltip(kit, tooltip, NULL);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { row.control.x + row.width, row.control.y + row.height };
    ImDrawList_AddRectFilled(list, row.control, end, hovered ? QVUI_HOVER : QVUI_CONTROL, qvuiPixels(&kit->style, 5),
                             0);
    qvuiDrawFocus(kit, row.control, end, qvuiPixels(&kit->style, 5));
    float pad = qvuiPixels(&kit->style, 8);
    bool known = *choice >= 0 && *choice < count;
    qvuiDrawText(list, kit->style.value, (ImVec2){ row.control.x + pad, row.control.y }, row.height,
                 known ? QVUI_TEXT : QVUI_MUTED, known ? choices[*choice] : "choose\xe2\x80\xa6");
    qvuiDrawText(list, kit->style.body, (ImVec2){ end.x - 2 * pad, row.control.y }, row.height, QVUI_MUTED,
                 QVUI_ICON_CARET_DOWN);
    if (qvuiBeginChoicePopup(kit, "choices", row.control, end, count))
    {
        for (int i = 0; i < count; i++)
        {
            bool can = whyNot == NULL || whyNot[i] == NULL;
            bool taken = igMenuItem_Bool(choices[i], NULL, *choice == i, can), entered = can && qvui_IsItemEntered();
            if (*choice == i && igIsWindowAppearing())
                igSetItemDefaultFocus();
            if (entered)
                igCloseCurrentPopup();
            if (taken || entered)
            {
                changed = *choice != i;
                *choice = i;
            }
            qvuiNames_AddItem(&kit->names, choices[i]);
            qvuiTooltip(kit, can ? tooltip : whyNot[i], NULL);
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

bool qvuiListRow(qvuiKit* kit, const char* name, const char* remark, ImU32 dot, bool selected, const char* tooltip)
{
    const qvuiStyle* style = &kit->style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 29), pad = qvuiPixels(style, 14);
    bool pressed = igInvisibleButton(name, (ImVec2){ room.x, height }, ImGuiButtonFlags_MouseButtonLeft);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, name);
    qvuiTooltip(kit, tooltip, NULL);
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
