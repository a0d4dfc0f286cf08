// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row.h"

#include <math.h>

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

void qvuiEndMenuPopup(void)
{
    igEndPopup();
    igPopStyleVar(2);
}

void qvuiEndRow(const qvuiRow* row)
{
    igSetCursorScreenPos(row->place);
    igDummy((ImVec2){ row->fullWidth, row->fullHeight });
}
