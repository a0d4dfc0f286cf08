// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvuiRow qvuiBeginRow(qvuiKit* kit, const char* label, float controlWidth)
{
    const qvuiStyle* style = &kit->style;
    ImVec2 room;
    qvuiRow row;
    igGetCursorScreenPos(&row.place);
    igGetContentRegionAvail(&room);
    float pad = qvuiPixels(style, 12);
    row.fullWidth = room.x;
    row.fullHeight = qvuiPixels(style, 29);
    row.height = qvuiPixels(style, 21);
    // Three eighths for the label; a little more when the inspector is narrow.
    float labels = floorf(fmaxf(0.375f * room.x, fminf(qvuiPixels(style, 106), 0.4f * room.x)));
    float labelWidth = controlWidth > 0.0f ? room.x - pad - controlWidth : labels;
    row.control = (ImVec2){ row.place.x + labelWidth, row.place.y + floorf(0.5f * (row.fullHeight - row.height)) };
    row.width = room.x - labelWidth - pad;
    char buffer[128];
    const char* text =
        qvuiShorten(style->body, label, labelWidth - pad - qvuiPixels(style, 4), false, buffer, sizeof(buffer));
    qvuiDrawText(igGetWindowDrawList(), style->body, (ImVec2){ row.place.x + pad, row.place.y }, row.fullHeight,
                 QVUI_TEXT, text);
    return row;
}

bool qvuiBeginMenuPopup(qvuiKit* kit, const char* id)
{
    const qvuiStyle* style = &kit->style;
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ qvuiPixels(style, 8), qvuiPixels(style, 8) });
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ qvuiPixels(style, 12), qvuiPixels(style, 8) });
    bool open = igBeginPopup(id, ImGuiWindowFlags_None);
    if (!open)
        igPopStyleVar(2);
    return open;
}

bool qvuiBeginChoicePopup(qvuiKit* kit, const char* id, ImVec2 lower, ImVec2 upper, int itemCount)
{
    float gap = qvuiPixels(&kit->style, 2), spacing = qvuiPixels(&kit->style, 8);
    float height = (float)itemCount * (igGetFontSize() + spacing) + spacing, window = igGetIO()->DisplaySize.y;
    bool below = upper.y + gap + height <= window;
    igSetNextWindowPos((ImVec2){ lower.x, below ? upper.y + gap : fmaxf(lower.y - gap - height, 0.0f) },
                       ImGuiCond_Always, (ImVec2){ 0, 0 });
    return qvuiBeginMenuPopup(kit, id);
}

void qvuiEndMenuPopup(void)
{
    igEndPopup();
    igPopStyleVar(2);
}

// Whether the keyboard is on the last item.
static bool IsFocused(void)
{
    return igIsItemFocused() && igGetIO()->NavVisible;
}

static void DrawRing(const qvuiKit* kit, ImVec2 lower, ImVec2 upper, float rounding)
{
    ImDrawList_AddRect(igGetWindowDrawList(), lower, upper, QVUI_BLUE, rounding, 0,
                       fmaxf(1.5f * kit->style.scale, 1.5f));
}

void qvuiDrawFocus(const qvuiKit* kit, ImVec2 lower, ImVec2 upper, float rounding)
{
    if (IsFocused())
        DrawRing(kit, lower, upper, rounding);
}

bool qvuiInputText(const qvuiKit* kit, const char* id, const char* hint, char* text, size_t capacity,
                   ImGuiInputTextFlags flags)
{
    ImVec2 lower, upper;
    igPushStyleColor_U32(ImGuiCol_NavHighlight, QVUI_RGBA(0, 0));
    bool entered = igInputTextWithHint(id, hint != NULL ? hint : "", text, capacity,
                                       flags | ImGuiInputTextFlags_EnterReturnsTrue, NULL, NULL);
    igPopStyleColor(1);
    igGetItemRectMin(&lower);
    igGetItemRectMax(&upper);
    if (igIsItemActive() || IsFocused())
        DrawRing(kit, lower, upper, igGetStyle()->FrameRounding);
    return entered;
}

void qvuiEndRow(const qvuiRow* row)
{
    igSetCursorScreenPos(row->place);
    igDummy((ImVec2){ row->fullWidth, row->fullHeight });
}

// --- Typed numbers --------------------------------------------------------------------------------------------------

void qvuiStartTyping(qvuiKit* kit, ImGuiID id)
{
    // The keyboard comes back from the field that was here.
    if (kit->lastTyped == id)
    {
        kit->lastTyped = 0;
        if (igGetIO()->NavVisible)
            igSetKeyboardFocusHere(-1);
    }
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    bool clicked = hovered && igIsMouseClicked(ImGuiMouseButton_Left, false);
    bool enter = (hovered || igIsItemActive() || IsFocused()) && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false);
    if (!enter && !(clicked && (igIsMouseDoubleClicked(ImGuiMouseButton_Left) || igGetIO()->KeyCtrl)))
        return;
    kit->typing = kit->lastTyped = id;
    kit->typed[0] = 0;
}

bool qvuiFollowDrag(qvuiKit* kit, double* value)
{
    if (igIsItemActivated())
    {
        kit->dragStart = *value;
        kit->dragCancelled = false;
    }
    if (!igIsItemActive())
        return false;
    kit->dragging = true;
    if (kit->dragCancelled)
        *value = kit->dragStart;
    return !kit->dragCancelled;
}

void qvuiValueHint(qvuiKit* kit, bool hovered, bool dragged)
{
    if (dragged)
        kit->hint = "Let go\tto finish|Shift\tfine|Esc\tcancel";
    else if (hovered)
        kit->hint = "Drag\tchange|Shift\tfine|Double click, Enter\ttype|Alt wheel\tstep|RMB\treset, copy";
}

static bool ReadNumber(const char** text, double* value)
{
    char* end;
    *value = strtod(*text, &end);
    bool read = end != *text;
    *text = end + strspn(end, " ");
    return read;
}

// Numbers with * and / between them.
static bool ReadProduct(const char** text, double* value)
{
    bool read = ReadNumber(text, value);
    while (read && (**text == '*' || **text == '/'))
    {
        char sign = *(*text)++;
        double next;
        read = ReadNumber(text, &next);
        *value = sign == '*' ? *value * next : *value / next;
    }
    return read;
}

// A number, or a sum of products such as 24/25 or 2*3-1.
static bool ReadSum(const char* text, double* value)
{
    bool read = ReadProduct(&text, value);
    while (read && (*text == '+' || *text == '-'))
    {
        char sign = *text++;
        double next;
        read = ReadProduct(&text, &next);
        *value += sign == '+' ? next : -next;
    }
    return read && *text == 0 && isfinite(*value);
}

static bool ReadTyped(qvuiKit* kit, const char* label, double* value)
{
    double typed;
    if (!ReadSum(kit->typed, &typed))
    {
        snprintf(kit->remark, sizeof(kit->remark),
                 "%.60s: \xe2\x80\x9c%.40s\xe2\x80\x9d is no number; write one like 0.5, 2e-3 or 24/25", label,
                 kit->typed);
        return false;
    }
    *value = typed;
    return true;
}

bool qvuiTypeNumber(qvuiKit* kit, const char* label, ImVec2 place, ImVec2 size, double* value)
{
    bool first = kit->typed[0] == 0;
    igSetCursorScreenPos(place);
    igSetNextItemWidth(size.x);
    igPushStyleVar_Vec2(ImGuiStyleVar_FramePadding,
                        (ImVec2){ qvuiPixels(&kit->style, 8), 0.5f * (size.y - igGetFontSize()) });
    if (first)
    {
        snprintf(kit->typed, sizeof(kit->typed), "%.6g", *value);
        igSetKeyboardFocusHere(0);
    }
    bool entered = qvuiInputText(kit, "##typed", NULL, kit->typed, sizeof(kit->typed),
                                 ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CharsScientific);
    igPopStyleVar(1);
    // Tab takes the number over and goes on.
    if (igIsItemActive() && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Tab), false))
    {
        entered = true;
        kit->lastTyped = 0;
    }
    if (!entered && (first || !igIsItemDeactivated()))
        return false;
    kit->typing = 0;
    return entered && ReadTyped(kit, label, value);
}
