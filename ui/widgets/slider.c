// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>

static double Clamp(const qvuiSliderDef* def, double value)
{
    value = fmin(fmax(value, def->minimum), def->maximum);
    return def->whole ? round(value) : value;
}

// Place on the bar, 0 to 1, and back.
static double ToFraction(const qvuiSliderDef* def, double value)
{
    double fraction = fmin(fmax((value - def->minimum) / (def->maximum - def->minimum), 0.0), 1.0);
    return def->power > 1.0 ? pow(fraction, 1.0 / def->power) : fraction;
}

static double FromFraction(const qvuiSliderDef* def, double fraction)
{
    fraction = fmin(fmax(fraction, 0.0), 1.0);
    return def->minimum + (def->maximum - def->minimum) * (def->power > 1.0 ? pow(fraction, def->power) : fraction);
}

// A number that lies outside, or is no whole one where it should be, is changed, with a word about it.
static bool TypeValue(qvuiKit* kit, const qvuiSliderDef* def, const qvuiRow* row, double* value)
{
    double typed = *value;
    if (!qvuiTypeNumber(kit, def->label, row->control, (ImVec2){ row->width, row->height }, &typed))
        return false;
    *value = Clamp(def, typed);
    if (typed < def->minimum || typed > def->maximum)
        snprintf(kit->remark, sizeof(kit->remark), "%.60s: %.6g lies outside %.6g to %.6g; it is %.6g now", def->label,
                 typed, def->minimum, def->maximum, *value);
    else if (*value != typed)
        snprintf(kit->remark, sizeof(kit->remark), "%.60s: takes whole numbers; %.6g is %.6g now", def->label, typed,
                 *value);
    return true;
}

static void DrawBar(qvuiKit* kit, const qvuiSliderDef* def, const qvuiRow* row, double value, bool hovered)
{
    ImDrawList* list = igGetWindowDrawList();
    float radius = qvuiPixels(&kit->style, 5);
    ImVec2 end = { row->control.x + row->width, row->control.y + row->height };
    ImDrawList_AddRectFilled(list, row->control, end, igGetColorU32_U32(hovered ? QVUI_HOVER : QVUI_CONTROL), radius,
                             0);
    float x = row->control.x + row->width * (float)ToFraction(def, value);
    ImDrawList_PushClipRect(list, row->control, (ImVec2){ x, end.y }, true);
    ImDrawList_AddRectFilled(list, row->control, end, igGetColorU32_U32(def->color), radius, 0);
    ImDrawList_PopClipRect(list);
    char text[64];
    snprintf(text, sizeof(text), def->format, value);
    float width = qvuiTextWidth(kit->style.value, text);
    qvuiDrawText(list, kit->style.value, (ImVec2){ end.x - qvuiPixels(&kit->style, 8) - width, row->control.y },
                 row->height, def->dimmed ? QVUI_MUTED : QVUI_TEXT, text);
}

bool qvuiResetMenu(qvuiKit* kit, const char* standard, double value)
{
    bool resets = false;
    if (igIsItemHovered(ImGuiHoveredFlags_None) && igIsMouseClicked(ImGuiMouseButton_Right, false))
        igOpenPopup_Str("value", ImGuiPopupFlags_None);
    if (qvuiBeginMenuPopup(kit, "value"))
    {
        resets = igMenuItem_Bool("Reset", standard, false, true);
        qvuiNames_AddItem(&kit->names, "Reset");
        qvuiTooltip(kit, "The value that a new scene has", NULL);
        ImGuiIO* io = igGetIO();
        char text[32];
        snprintf(text, sizeof(text), "%.9g", value);
        if (igMenuItem_Bool("Copy", text, false, true) && io->SetClipboardTextFn != NULL)
            io->SetClipboardTextFn(io->ClipboardUserData, text);
        qvuiNames_AddItem(&kit->names, "Copy");
        qvuiTooltip(kit, "The number goes to the clipboard", NULL);
        qvuiEndMenuPopup();
    }
    return resets;
}

static bool Reset(qvuiKit* kit, const qvuiSliderDef* def, double* value)
{
    char text[96];
    snprintf(text, sizeof(text), def->format, def->standard);
    if (!qvuiResetMenu(kit, text, *value))
        return false;
    if (def->reset != NULL)
        *def->reset = true;
    else
        *value = def->standard;
    return def->reset == NULL;
}

// The fraction is kept while dragging, so that whole numbers and the ends do not swallow small movements.
static bool DragValue(qvuiKit* kit, const qvuiSliderDef* def, const qvuiRow* row, double* value)
{
    const ImGuiIO* io = igGetIO();
    double before = *value;
    if (igIsItemActivated())
        kit->dragFraction = ToFraction(def, *value);
    if (qvuiFollowDrag(kit, value) && io->MouseDelta.x != 0.0f)
    {
        kit->dragFraction += io->MouseDelta.x / row->width * (io->KeyShift ? 0.1 : 1.0);
        *value = Clamp(def, FromFraction(def, kit->dragFraction));
    }
    if (igIsItemHovered(ImGuiHoveredFlags_None) && io->KeyAlt && io->MouseWheel != 0.0f)
        *value =
            Clamp(def, FromFraction(def, ToFraction(def, *value) + io->MouseWheel * (io->KeyShift ? 0.001 : 0.01)));
    return *value != before;
}

bool qvuiSliderRow(qvuiKit* kit, const qvuiSliderDef* def, double* value)
{
    qvuiRow row = qvuiBeginRow(kit, def->label, 0.0f);
    bool changed;
    igPushID_Str(def->label);
    ImGuiID id = igGetID_Str("typed");
    if (kit->typing == id)
    {
        changed = TypeValue(kit, def, &row, value);
    }
    else
    {
        igSetCursorScreenPos(row.control);
        igInvisibleButton("bar", (ImVec2){ row.width, row.height }, ImGuiButtonFlags_MouseButtonLeft);
        qvuiNames_AddItem(&kit->names, def->label);
        qvuiTooltip(kit, def->tooltip, "Drag, Shift for fine; double click to type; right click: reset, copy");
        bool hovered = igIsItemHovered(ImGuiHoveredFlags_None) || igIsItemActive();
        qvuiValueHint(kit, hovered, igIsItemActive());
        if (hovered)
            igSetMouseCursor(ImGuiMouseCursor_ResizeEW);
        qvuiStartTyping(kit, id);
        changed = DragValue(kit, def, &row, value);
        DrawBar(kit, def, &row, *value, hovered);
        qvuiDrawFocus(kit, row.control, (ImVec2){ row.control.x + row.width, row.control.y + row.height },
                      qvuiPixels(&kit->style, 5));
        changed |= Reset(kit, def, value);
    }
    igPopID();
    qvuiEndRow(&row);
    return changed;
}
