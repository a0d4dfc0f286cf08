// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/buttons.h"

#include "quaver/file.h"

#include <math.h>
#include <sys/stat.h>

enum
{
    MAX_BUTTONS = 4
};

int qvuiDrawButtons(qvuiKit* kit, const qvuiButton* buttons, int count, const char* remark, float inset)
{
    const qvuiStyle* style = &kit->style;
    float gap = qvuiPixels(style, 8), margin = qvuiPixels(style, inset), widths[MAX_BUTTONS], total = -gap;
    for (int i = 0; i < count; i++)
    {
        widths[i] = fmaxf(qvuiPixels(style, 84), qvuiTextWidth(style->body, buttons[i].label) + qvuiPixels(style, 26));
        total += widths[i] + gap;
    }
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    place.x += margin, room.x -= 2 * margin;
    char buffer[128];
    if (remark != NULL)
        qvuiDrawText(igGetWindowDrawList(), style->body, place, qvuiPixels(style, 26), QVUI_CORAL,
                     qvuiShorten(style->body, remark, fmaxf(room.x - total - gap, gap), false, buffer, sizeof(buffer)));
    igSetCursorScreenPos((ImVec2){ place.x + fmaxf(room.x - total, 0.0f), place.y });
    int pressed = -1;
    for (int i = 0; i < count; i++)
    {
        if (i > 0)
            igSameLine(0.0f, gap);
        igBeginDisabled(buttons[i].disabled);
        bool isMain = i > 0 && i == count - 1 && !buttons[i].disabled;
        if ((isMain ? qvuiMainPill : qvuiPill)(kit, buttons[i].label, widths[i], buttons[i].tooltip))
            pressed = i;
        igEndDisabled();
    }
    return pressed;
}

int qvuiDrawWriteButtons(qvuiKit* kit, const qvuiButton* buttons, int count, bool replaces, float inset)
{
    qvuiButton shown[MAX_BUTTONS];
    for (int i = 0; i < count; i++)
        shown[i] = buttons[i];
    if (replaces)
    {
        shown[count - 1].label = "Replace";
        shown[count - 1].tooltip = "Writes over the file of this name";
    }
    return qvuiDrawButtons(kit, shown, count, replaces ? "There is a file of this name." : NULL, inset);
}

bool qvuiReplaces(const char* path, const char* own)
{
    struct stat file;
    return stat(path, &file) == 0 && !qvIsSameFile(path, own);
}
