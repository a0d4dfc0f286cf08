// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/widgets.h"

#include "ui/cimgui/focus.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

float qvuiTextWidth(ImFont* font, const char* text)
{
    ImVec2 size;
    igPushFont(font);
    igCalcTextSize(&size, text, NULL, false, -1.0f);
    igPopFont();
    return size.x;
}

// From the last point kept, all slopes between low and high pass the points since within the tolerance.
void qvuiDrawCurve(ImDrawList* list, ImVec2* points, int count, ImU32 color, float thickness)
{
    const float tolerance = 0.12f; // pixels
    int kept = count > 0 ? 1 : 0;
    ImVec2 from = count > 0 ? points[0] : (ImVec2){ 0, 0 };
    float low = -INFINITY, high = INFINITY;
    for (int i = 1; i < count; i++)
    {
        ImVec2 p = points[i];
        float run = p.x - from.x, slope = (p.y - from.y) / run;
        if (i > 1 && !(slope >= low && slope <= high))
        {
            from = points[kept++] = points[i - 1];
            run = p.x - from.x;
            low = -INFINITY, high = INFINITY;
        }
        low = fmaxf(low, (p.y - from.y - tolerance) / run);
        high = fminf(high, (p.y - from.y + tolerance) / run);
    }
    if (count > 1)
        points[kept++] = points[count - 1];
    ImDrawList_AddPolyline(list, points, kept, color, 0, thickness);
}

void qvuiDrawText(ImDrawList* list, ImFont* font, ImVec2 place, float height, ImU32 color, const char* text)
{
    igPushFont(font);
    float y = place.y + floorf(0.5f * (height - igGetFontSize()));
    ImDrawList_AddText_Vec2(list, (ImVec2){ floorf(place.x), y }, igGetColorU32_U32(color), text, NULL);
    igPopFont();
}

// The next place where a UTF-8 character starts.
static const char* NextCharacter(const char* text)
{
    do
        text++;
    while ((*text & 0xc0) == 0x80);
    return text;
}

const char* qvuiShorten(ImFont* font, const char* text, float width, bool keepEnd, char* buffer, size_t capacity)
{
    if (qvuiTextWidth(font, text) <= width)
        return text;
    static const char dots[] = "\xe2\x80\xa6";
    const char* best = dots;
    for (const char* cut = text; *cut != 0; cut = NextCharacter(cut))
    {
        if (keepEnd)
            snprintf(buffer, capacity, "%s%s", dots, cut);
        else
            snprintf(buffer, capacity, "%.*s%s", (int)(cut - text), text, dots);
        bool fits = qvuiTextWidth(font, buffer) <= width;
        if (keepEnd && fits)
            return buffer;
        if (!keepEnd && !fits)
        {
            // One character fewer than what was too wide.
            size_t length = (size_t)(cut - text);
            while (length > 0 && ((unsigned char)text[--length] & 0xc0) == 0x80)
                continue;
            snprintf(buffer, capacity, "%.*s%s", (int)length, text, dots);
            return buffer;
        }
    }
    return best;
}

bool qvuiSection(qvuiKit* kit, const char* label, const char* remark, const char* tooltip, bool* open)
{
    const qvuiStyle* style = &kit->style;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 29), pad = qvuiPixels(style, 12);
    igPushID_Str(label);
    if (igInvisibleButton("section", (ImVec2){ room.x, height }, ImGuiButtonFlags_MouseButtonLeft))
        *open = !*open;
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, label);
    qvuiTooltip(kit, tooltip, NULL);
    igPopID();
    ImVec2 end = { place.x + room.x, place.y + height };
    ImDrawList_AddRectFilled(list, place, end, hovered ? QVUI_CONTROL : QVUI_HEADER, 0, 0);
    ImDrawList_AddRectFilled(list, (ImVec2){ place.x, end.y - 1 }, end, QVUI_LINE, 0, 0);
    float x = place.x + pad;
    qvuiDrawText(list, style->strong, (ImVec2){ x, place.y }, height, QVUI_TEXT, label);
    float right = end.x - pad;
    if (!*open || hovered)
    {
        const char* caret = *open ? QVUI_ICON_CARET_DOWN : QVUI_ICON_CARET_RIGHT;
        float width = qvuiTextWidth(style->body, caret);
        qvuiDrawText(list, style->body, (ImVec2){ right - width, place.y }, height, QVUI_MUTED, caret);
        right -= width + qvuiPixels(style, 7);
    }
    if (remark != NULL)
    {
        char buffer[128];
        float labelEnd = x + qvuiTextWidth(style->strong, label) + pad;
        const char* text = qvuiShorten(style->value, remark, right - labelEnd, false, buffer, sizeof(buffer));
        float left = right - qvuiTextWidth(style->value, text);
        qvuiDrawText(list, style->value, (ImVec2){ left, place.y }, height, QVUI_MUTED, text);
        char name[qvui_maxNameLength]; // with as much of the remark as is seen
        snprintf(name, sizeof(name), "%s: %s", label, text);
        qvuiNames_AddRect(&kit->names, name, (ImVec2){ left, place.y }, (ImVec2){ right, end.y });
    }
    return *open;
}

void qvuiTextRow(qvuiKit* kit, const char* label, const char* text)
{
    const qvuiStyle* style = &kit->style;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 25), pad = qvuiPixels(style, 12);
    qvuiDrawText(list, style->body, (ImVec2){ place.x + pad, place.y }, height, QVUI_TEXT, label);
    float labelWidth = qvuiTextWidth(style->body, label);
    char buffer[512];
    const char* shown = qvuiShorten(style->value, text, room.x - 3 * pad - labelWidth, true, buffer, sizeof(buffer));
    float width = qvuiTextWidth(style->value, shown);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + room.x - pad - width, place.y }, height, QVUI_MUTED, shown);
    igDummy((ImVec2){ room.x, height });
    if (shown != text)
        qvuiTooltip(kit, text, NULL);
}

void qvuiMessageRow(qvuiKit* kit, const char* icon, ImU32 color, const char* text)
{
    const qvuiStyle* style = &kit->style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float pad = qvuiPixels(style, 12), indent = qvuiPixels(style, 34), gap = qvuiPixels(style, 6);
    igPushFont(style->body);
    float wrap = room.x - indent - pad;
    ImVec2 size;
    igCalcTextSize(&size, text, NULL, false, wrap);
    ImDrawList* list = igGetWindowDrawList();
    qvuiDrawText(list, style->body, (ImVec2){ place.x + pad, place.y + gap }, igGetFontSize(), color, icon);
    ImDrawList_AddText_FontPtr(list, style->body, igGetFontSize(), (ImVec2){ place.x + indent, place.y + gap },
                               QVUI_TEXT, text, NULL, wrap, NULL);
    igPopFont();
    igDummy((ImVec2){ room.x, size.y + 2 * gap });
}

// One button of a segmented row, from x to end; color 0: not the chosen one. Returns whether it was pressed.
static bool Segment(qvuiKit* kit, const qvuiRow* row, const char* text, float x, float end, ImU32 color,
                    ImDrawFlags corners)
{
    const qvuiStyle* style = &kit->style;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 lower = { x, row->control.y }, upper = { end, row->control.y + row->height };
    igSetCursorScreenPos(lower);
    bool pressed = igInvisibleButton(text, (ImVec2){ end - x, row->height }, ImGuiButtonFlags_None);
    pressed |= qvui_IsItemEntered();
    qvuiNames_AddItem(&kit->names, text);
    if (color != 0 || igIsItemHovered(ImGuiHoveredFlags_None))
        ImDrawList_AddRectFilled(list, lower, upper, color != 0 ? color : QVUI_HOVER, qvuiPixels(style, 5), corners);
    if (x > row->control.x)
        ImDrawList_AddLine(list, lower, (ImVec2){ x, upper.y }, QVUI_PANEL, 1);
    float width = qvuiTextWidth(style->value, text);
    qvuiDrawText(list, style->value, (ImVec2){ 0.5f * (x + end - width), lower.y }, row->height,
                 color != 0 ? QVUI_RGB(0xffffff) : QVUI_TEXT, text);
    qvuiDrawFocus(kit, lower, upper, qvuiPixels(style, 5));
    return pressed;
}

bool qvuiSegmentedRow(qvuiKit* kit, const char* label, const char* const* choices, int count, int* choice, ImU32 color,
                      const char* tooltip)
{
    float total = 0.0f, margins = qvuiPixels(&kit->style, 8);
    ImVec2 room;
    igGetContentRegionAvail(&room);
    for (int i = 0; i < count; i++)
        total += qvuiTextWidth(kit->style.value, choices[i]) + margins;
    // Where there is no room for all side by side, they become a menu.
    if (total > 0.625f * room.x - qvuiPixels(&kit->style, 12))
        return qvuiChoiceRow(kit, label, choices, count, choice, tooltip);
    total -= (float)count * margins;
    qvuiRow row = qvuiBeginRow(kit, label, 0.0f);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), row.control,
                             (ImVec2){ row.control.x + row.width, row.control.y + row.height }, QVUI_CONTROL,
                             qvuiPixels(&kit->style, 5), 0);
    // Every text gets the same margin.
    float x = row.control.x, margin = (row.width - total) / (float)count;
    bool changed = false;
    igPushID_Str(label);
    for (int i = 0; i < count; i++)
    {
        float end = i == count - 1 ? row.control.x + row.width
                                   : floorf(x + qvuiTextWidth(kit->style.value, choices[i]) + margin);
        ImDrawFlags corners = i == 0           ? ImDrawFlags_RoundCornersLeft
                              : i == count - 1 ? ImDrawFlags_RoundCornersRight
                                               : ImDrawFlags_RoundCornersNone;
        if (Segment(kit, &row, choices[i], x, end, *choice == i ? color : 0, corners) && *choice != i)
        {
            *choice = i;
            changed = true;
        }
        qvuiTooltip(kit, tooltip, NULL);
        x = end;
    }
    igPopID();
    qvuiEndRow(&row);
    return changed;
}

bool qvuiSwitchRow(qvuiKit* kit, const char* label, bool* on, const char* tooltip)
{
    const qvuiStyle* style = &kit->style;
    float width = qvuiPixels(style, 30), height = qvuiPixels(style, 17);
    qvuiRow row = qvuiBeginRow(kit, label, width);
    // The whole row can be clicked.
    igSetCursorScreenPos(row.place);
    bool pressed = igInvisibleButton(label, (ImVec2){ row.fullWidth, row.fullHeight }, ImGuiButtonFlags_None);
    pressed |= qvui_IsItemEntered();
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, label);
    qvuiTooltip(kit, tooltip, NULL);
    if (pressed)
        *on = !*on;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 lower = { row.control.x + row.width - width, row.place.y + floorf(0.5f * (row.fullHeight - height)) };
    ImVec2 upper = { lower.x + width, lower.y + height };
    ImU32 color = *on ? QVUI_SWITCHED : hovered ? QVUI_HOVER : QVUI_CONTROL;
    ImDrawList_AddRectFilled(list, lower, upper, color, 0.5f * height, 0);
    float knob = 0.5f * height - qvuiPixels(style, 2.5);
    float x = *on ? upper.x - 0.5f * height : lower.x + 0.5f * height;
    ImDrawList_AddCircleFilled(list, (ImVec2){ x, lower.y + 0.5f * height }, knob,
                               *on ? QVUI_RGB(0xffffff) : QVUI_MUTED, 24);
    qvuiDrawFocus(kit, lower, upper, 0.5f * height);
    qvuiEndRow(&row);
    return pressed;
}

static bool Pill(qvuiKit* kit, const char* label, float width, const char* tooltip, bool isMain)
{
    const qvuiStyle* style = &kit->style;
    float height = qvuiPixels(style, 26);
    char text[128];
    snprintf(text, sizeof(text), "%.*s", (int)(strstr(label, "##") != NULL ? strstr(label, "##") - label : 127), label);
    float textWidth = qvuiTextWidth(style->body, text);
    if (width <= 0.0f)
        width = textWidth + qvuiPixels(style, 26);
    ImVec2 place;
    igGetCursorScreenPos(&place);
    bool pressed = igInvisibleButton(label, (ImVec2){ width, height }, ImGuiButtonFlags_None);
    pressed |= qvui_IsItemEntered();
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    qvuiNames_AddItem(&kit->names, label);
    qvuiTooltip(kit, tooltip, NULL);
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + width, place.y + height };
    ImU32 color = active ? QVUI_HEADER : hovered ? QVUI_HOVER : QVUI_CONTROL;
    if (isMain && !active)
        color = hovered ? QVUI_SWITCHED : QVUI_CHOSEN;
    ImDrawList_AddRectFilled(list, place, end, igGetColorU32_U32(color), 0.5f * height, 0);
    qvuiDrawFocus(kit, place, end, 0.5f * height);
    qvuiDrawText(list, style->body, (ImVec2){ place.x + 0.5f * (width - textWidth), place.y }, height, QVUI_TEXT, text);
    return pressed;
}

bool qvuiPill(qvuiKit* kit, const char* label, float width, const char* tooltip)
{
    return Pill(kit, label, width, tooltip, false);
}

bool qvuiMainPill(qvuiKit* kit, const char* label, float width, const char* tooltip)
{
    return Pill(kit, label, width, tooltip, true);
}

static ImU32 Fade(ImU32 color, float alpha)
{
    ImU32 a = (ImU32)((float)(color >> 24) * alpha + 0.5f);
    return (color & 0xffffff) | a << 24;
}

ImVec2 qvuiBadge(qvuiKit* kit, ImDrawList* list, ImVec2 place, float pivotX, float pivotY, const char* strong,
                 const char* text, float alpha)
{
    const qvuiStyle* style = &kit->style;
    float pad = qvuiPixels(style, 9), height = qvuiPixels(style, 23), gap = qvuiPixels(style, 8);
    float strongWidth = strong != NULL ? qvuiTextWidth(style->strong, strong) + gap : 0.0f;
    float textWidth = text != NULL ? qvuiTextWidth(style->value, text) : -gap;
    ImVec2 size = { 2 * pad + strongWidth + textWidth, height };
    ImVec2 lower = { floorf(place.x - pivotX * size.x), floorf(place.y - pivotY * size.y) };
    ImDrawList_AddRectFilled(list, lower, (ImVec2){ lower.x + size.x, lower.y + size.y },
                             Fade(QVUI_RGBA(0x0f1114, 190), alpha), qvuiPixels(style, 5), 0);
    if (strong != NULL)
        qvuiDrawText(list, style->strong, (ImVec2){ lower.x + pad, lower.y }, height, Fade(QVUI_AMBER, alpha), strong);
    if (text != NULL)
        qvuiDrawText(list, style->value, (ImVec2){ lower.x + pad + strongWidth, lower.y }, height,
                     Fade(QVUI_RGB(0xc9ced6), alpha), text);
    return size;
}
