// SPDX-License-Identifier: GPL-3.0-or-later
// Tooltips: when they come, and where they hide the least.
#include "ui/widgets/widgets.h"

#include <math.h>

static const double TOOLTIP_PAUSE = 0.5;
static const double TOOLTIP_WIDTH = 300.0; // pixels at scale 1, of the text

double qvuiTooltipWake(const qvuiKit* kit)
{
    return kit->restPending ? fmax(0.0, kit->restStart + TOOLTIP_PAUSE - igGetTime()) : -1.0;
}

// Beside the dialog, on the side that the item is nearer to, level with it. Where the window is too narrow for that as
// much of it as there is room for, and the item itself stays in sight.
static ImVec2 PlaceBesideBox(const qvuiKit* kit, ImVec2 lower, ImVec2 upper, ImVec2 size)
{
    ImVec2 display = igGetIO()->DisplaySize;
    float gap = qvuiPixels(&kit->style, 6);
    bool right = lower.x + upper.x >= kit->boxLower.x + kit->boxUpper.x - 1.0f;
    float x = right ? fminf(kit->boxUpper.x + gap, display.x - size.x) : fmaxf(kit->boxLower.x - gap - size.x, 0.0f);
    bool over = x < upper.x && x + size.x > lower.x;
    float y = over ? upper.y + gap : lower.y;
    if (y + size.y > display.y)
        y = over ? lower.y - gap - size.y : display.y - size.y;
    return (ImVec2){ floorf(x), floorf(y) };
}

// Beside narrow areas (the inspector, the tools, a menu), otherwise below or above the item.
static ImVec2 PlaceBesideArea(const qvuiKit* kit, ImVec2 lower, ImVec2 upper, ImVec2 size)
{
    ImVec2 window, area, display = igGetIO()->DisplaySize;
    igGetWindowPos(&window);
    igGetWindowSize(&area);
    float gap = qvuiPixels(&kit->style, 6);
    if (area.x < qvuiPixels(&kit->style, 400))
    {
        bool right = window.x + area.x + gap + size.x < display.x;
        bool down = lower.y + size.y < display.y;
        return (ImVec2){ right ? window.x + area.x + gap : window.x - gap - size.x, down ? lower.y : upper.y - size.y };
    }
    bool left = lower.x + size.x < display.x, below = upper.y + gap + size.y < display.y;
    return (ImVec2){ left ? lower.x : upper.x - size.x, below ? upper.y + gap : lower.y - gap - size.y };
}

// What belongs to the control, its row and those next to it, stays in sight. Items that are large have it at the mouse.
static void PlaceTooltip(const qvuiKit* kit, ImVec2 size)
{
    ImVec2 lower, upper;
    igGetItemRectMin(&lower);
    igGetItemRectMax(&upper);
    bool inBox = kit->boxUpper.x > kit->boxLower.x;
    if (inBox || upper.y - lower.y <= qvuiPixels(&kit->style, 160))
        igSetNextWindowPos(inBox ? PlaceBesideBox(kit, lower, upper, size) : PlaceBesideArea(kit, lower, upper, size),
                           ImGuiCond_Always, (ImVec2){ 0, 0 });
}

// With its margins; shortcut is "" where there is none.
static ImVec2 MeasureTooltip(const char* text, const char* shortcut, float wrap, ImVec2 margin)
{
    ImVec2 size, last = { 0, 0 };
    igCalcTextSize(&size, text, NULL, false, wrap);
    if (shortcut[0] != 0)
    {
        igCalcTextSize(&last, shortcut, NULL, false, wrap);
        last.y += igGetStyle()->ItemSpacing.y;
    }
    return (ImVec2){ fmaxf(size.x, last.x) + 2 * margin.x, size.y + last.y + 2 * margin.y };
}

static void DrawTooltip(qvuiKit* kit, const char* text, const char* shortcut)
{
    ImVec2 margin = { qvuiPixels(&kit->style, 9), qvuiPixels(&kit->style, 6) };
    float wrap = qvuiPixels(&kit->style, TOOLTIP_WIDTH);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, margin);
    igPushStyleVar_Float(ImGuiStyleVar_Alpha, 1.0f); // also where the control itself is dimmed
    ImVec2 place, size = MeasureTooltip(text, shortcut, wrap, margin);
    PlaceTooltip(kit, size);
    igBeginTooltip();
    igGetWindowPos(&place);
    qvuiNames_AddRect(&kit->names, "Tooltip", place, (ImVec2){ place.x + size.x, place.y + size.y });
    igPushTextWrapPos(margin.x + wrap);
    igTextUnformatted(text, NULL);
    if (shortcut[0] != 0)
    {
        igPushStyleColor_U32(ImGuiCol_Text, QVUI_MUTED);
        igTextUnformatted(shortcut, NULL);
        igPopStyleColor(1);
    }
    igPopTextWrapPos();
    igEndTooltip();
    igPopStyleVar(2);
}

void qvuiBeginTooltips(qvuiKit* kit)
{
    if (!kit->restOver)
        kit->restItem = (ImVec2){ -1, -1 }; // whoever comes back to an item rests there anew
    kit->restOver = kit->restPending = false;
}

// Notes on which item the mouse is, and since when it rests there. True when it has rested for long enough.
static bool HasRested(qvuiKit* kit)
{
    ImVec2 corner;
    const ImGuiIO* io = igGetIO();
    igGetItemRectMin(&corner);
    bool down = io->MouseDown[0] || io->MouseDown[1] || io->MouseDown[2];
    bool moved = io->MouseDelta.x != 0.0f || io->MouseDelta.y != 0.0f || down;
    bool shown = igGetTime() - kit->restStart >= TOOLTIP_PAUSE;
    bool entered = corner.x != kit->restItem.x || corner.y != kit->restItem.y;
    if (entered || (moved && !shown))
    {
        kit->restItem = corner;
        kit->restStart = igGetTime();
    }
    // Who presses it knows what it does, and wants to see what came of it.
    kit->restPressed = (kit->restPressed && !entered) || (down && igIsItemHovered(0));
    kit->restOver = true;
    kit->restPending = !kit->restPressed && igGetTime() - kit->restStart < TOOLTIP_PAUSE;
    return !kit->restPressed && !kit->restPending;
}

void qvuiTooltip(qvuiKit* kit, const char* text, const char* shortcut)
{
    if (text == NULL || text[0] == 0)
        return;
    qvuiNames_Explain(&kit->names, text);
    // What cannot be clicked now explains itself all the more.
    if (igIsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && HasRested(kit) && !igIsItemActive())
        DrawTooltip(kit, text, shortcut != NULL ? shortcut : "");
}
