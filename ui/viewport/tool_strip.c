// SPDX-License-Identifier: GPL-3.0-or-later
// The strip at the left: one button per tool with its key in the corner, and symmetry at the end.
#include "ui/editor/editor.h"

#include "ui/panels/frame.h"
#include "ui/viewport/tool_icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Slot
{
    ImVec2 place; // upper left corner of the button
    float size;   // of the button
    float step;   // from one button to the next
    float left;   // of the strip
    float width;
    int columns, column; // column: of the next button
} Slot;

// Below this, at scale 1, the buttons go side by side in a wider strip.
static const float SMALLEST = 28.0f;

static float Step(const qvuiEditor* editor, float height, int columns)
{
    const qvuiStyle* style = &editor->kit.style;
    int groups = 1, rows = (qvui_toolCount + columns) / columns;
    for (int i = 0; i < qvui_toolCount; i++)
        groups += qvuiGetTool((qvuiToolKind)i)->startsGroup;
    float lines = columns == 1 ? (float)groups * qvuiPixels(style, 8) : 0.0f;
    return floorf(
        fminf(qvuiPixels(style, columns == 1 ? 43 : 35), (height - qvuiPixels(style, 12) - lines) / (float)rows));
}

static int ColumnsFor(const qvuiEditor* editor, float height)
{
    return Step(editor, height, 1) < qvuiPixels(&editor->kit.style, SMALLEST) ? 2 : 1;
}

float qvuiToolStripWidth(const qvuiEditor* editor, float height)
{
    return qvuiPixels(&editor->kit.style, ColumnsFor(editor, height) == 1 ? 52 : 76);
}

static void Advance(Slot* slot)
{
    slot->column = (slot->column + 1) % slot->columns;
    if (slot->column == 0)
        slot->place.y += slot->step;
    float margin = 0.5f * (slot->width - (float)slot->columns * slot->step);
    slot->place.x = floorf(slot->left + margin + (float)slot->column * slot->step + 0.5f * (slot->step - slot->size));
}

// Returns whether it was pressed.
static bool DrawButton(qvuiEditor* editor, const Slot* slot, const char* name, bool chosen, ImU32 color)
{
    ImDrawList* list = igGetWindowDrawList();
    igSetCursorScreenPos(slot->place);
    igPushID_Str(name);
    bool pressed = igInvisibleButton("tool", (ImVec2){ slot->size, slot->size }, ImGuiButtonFlags_MouseButtonLeft);
    igPopID();
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    ImVec2 end = { slot->place.x + slot->size, slot->place.y + slot->size };
    float rounding = qvuiPixels(&editor->kit.style, 6);
    if (chosen)
    {
        ImDrawList_AddRectFilled(list, slot->place, end, (color & 0xffffff) | 0x30000000u, rounding, 0);
        ImDrawList_AddRect(list, slot->place, end, (color & 0xffffff) | 0xa0000000u, rounding, 0, 1);
    }
    else if (hovered)
        ImDrawList_AddRectFilled(list, slot->place, end, QVUI_CONTROL, rounding, 0);
    qvuiNames_AddItem(&editor->kit.names, name);
    return pressed;
}

// The action's first shortcut, "" without one.
static const char* KeyOf(const qvuiEditor* editor, const char* action, char* text, size_t capacity)
{
    const qvuiAction* found = qvuiFindAction(action);
    text[0] = 0;
    return found != NULL ? qvuiAction_Shortcut(editor, found, text, capacity) : text;
}

static void DrawCorner(qvuiEditor* editor, const Slot* slot, const char* key)
{
    const qvuiStyle* style = &editor->kit.style;
    const char* letter = strncmp(key, "Shift+", 6) == 0 ? "\xe2\x87\xa7" : key;
    // Where the button is small the letter would lie on the icon; the tooltip has it too.
    if (slot->size < qvuiPixels(style, 27) || key[0] == 0 || (letter == key && key[1] != 0))
        return;
    float size = floorf(0.64f * igGetFontSize());
    ImVec2 place = { slot->place.x + slot->size - size, slot->place.y + slot->size - 1.3f * size };
    ImDrawList_AddText_FontPtr(igGetWindowDrawList(), style->value, size, place, QVUI_MUTED, letter, NULL, 0.0f, NULL);
}

static void DrawIcon(qvuiEditor* editor, const Slot* slot, const qvuiTool* tool, ImU32 color)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 middle = { slot->place.x + 0.5f * slot->size, slot->place.y + 0.5f * slot->size };
    if (tool->drawIcon != NULL)
    {
        tool->drawIcon(list, middle, 0.5f * slot->size, color, qvuiPixels(style, 1.6));
        return;
    }
    float size = floorf(fminf(1.15f * igGetFontSize(), 0.6f * slot->size));
    ImVec2 extent;
    ImFont_CalcTextSizeA(&extent, style->body, size, 1e9f, 0.0f, tool->icon, NULL, NULL);
    ImVec2 place = { floorf(middle.x - 0.5f * extent.x), floorf(middle.y - 0.5f * extent.y) };
    ImDrawList_AddText_FontPtr(list, style->body, size, place, color, tool->icon, NULL, 0.0f, NULL);
}

// Groups need lines only where they stand below each other.
static void Separate(const qvuiEditor* editor, Slot* slot)
{
    if (slot->columns > 1)
        return;
    float gap = qvuiPixels(&editor->kit.style, 4), inset = qvuiPixels(&editor->kit.style, 14);
    float y = slot->place.y + gap - 0.5f * (slot->step - slot->size);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), (ImVec2){ slot->left + inset, y },
                             (ImVec2){ slot->left + slot->width - inset, y + 1 }, QVUI_CONTROL, 0, 0);
    slot->place.y += 2 * gap;
}

static void DrawTool(qvuiEditor* editor, Slot* slot, qvuiToolKind kind)
{
    const qvuiTool* tool = qvuiGetTool(kind);
    bool chosen = editor->viewport.tools.tool == kind;
    char key[64], help[256];
    if (tool->startsGroup)
        Separate(editor, slot);
    if (DrawButton(editor, slot, tool->label, chosen, tool->color))
        qvuiTools_Choose(editor, kind);
    snprintf(help, sizeof(help), "%s\n%s", tool->label, tool->help);
    qvuiTooltip(&editor->kit, help, KeyOf(editor, tool->action, key, sizeof(key)));
    ImU32 idle = tool->color == QVUI_CORAL ? QVUI_CORAL : QVUI_RGB(0xc9ced6);
    DrawIcon(editor, slot, tool, chosen ? tool->color : idle);
    DrawCorner(editor, slot, key);
    Advance(slot);
}

static void DrawSymmetry(qvuiEditor* editor, Slot* slot)
{
    qvuiTools* tools = &editor->viewport.tools;
    bool on = tools->mirror != 0;
    Separate(editor, slot);
    if (DrawButton(editor, slot, "Symmetry", on, QVUI_BLUE))
        tools->mirror = on ? 0 : 1;
    qvuiTooltip(&editor->kit, "Symmetry\nStrokes do the same on the other side; X, Y and Z switch the planes.", "X");
    ImDrawList* list = igGetWindowDrawList();
    ImU32 color = on ? QVUI_BLUE : QVUI_RGB(0xc9ced6);
    ImVec2 middle = { slot->place.x + 0.5f * slot->size, slot->place.y + 0.5f * slot->size };
    qvuiIcon_Symmetry(list, middle, 0.5f * slot->size, color, qvuiPixels(&editor->kit.style, 1.6));
    const unsigned mirror = tools->mirror;
    const char* key = mirror == 2 ? "Y" : mirror == 4 ? "Z" : "X";
    DrawCorner(editor, slot, key);
}

void qvuiDrawToolStrip(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiBeginArea("tools", place, size, QVUI_PANEL);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), (ImVec2){ place.x + size.x - 1, place.y },
                             (ImVec2){ place.x + size.x, place.y + size.y }, QVUI_LINE, 0, 0);
    // In a low window the buttons come closer, then go side by side, and shrink at last.
    Slot slot = { .left = place.x, .width = size.x, .columns = ColumnsFor(editor, size.y) };
    slot.step = Step(editor, size.y, slot.columns);
    slot.size = fminf(qvuiPixels(style, 38), slot.step - 1);
    slot.place.y = place.y + qvuiPixels(style, 8);
    slot.column = slot.columns - 1;
    slot.place.y -= slot.step;
    Advance(&slot);
    igBeginDisabled(editor->session.body == NULL);
    for (int i = 0; i < qvui_toolCount; i++)
        DrawTool(editor, &slot, (qvuiToolKind)i);
    DrawSymmetry(editor, &slot);
    igEndDisabled();
    qvuiEndArea();
}
