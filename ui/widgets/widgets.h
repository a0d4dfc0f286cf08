// SPDX-License-Identifier: GPL-3.0-or-later
/// Quaver's own widgets over ImGui's draw list. A row is a label at the left and a control at the right, 29 pixels
/// high. Each function that draws a named control reports it to the names, so that scripts find it.
#pragma once

#include "ui/widgets/names.h"
#include "ui/widgets/style.h"

#include <stdbool.h>

/// What widgets need to know; one per window.
typedef struct qvuiKit
{
    qvuiStyle style;
    qvuiNames names;     ///< of the frame being drawn
    char typed[64];      ///< text of the slider that is being typed into
    ImGuiID typing;      ///< that slider, or 0
    ImGuiID lastTyped;   ///< the slider that gets the keyboard's focus back, or 0
    char remark[192];    ///< what was wrong with a typed value; the editor shows and clears it
    double dragFraction; ///< place on the bar of the slider that is being dragged, 0 to 1; may lie beyond the ends
    double dragStart;    ///< value of what is being dragged when the drag began
    bool dragging;       ///< a value was dragged in this frame
    bool dragCancelled;  ///< it keeps its first value until the mouse lets go

    const char* hint; ///< what the mouse does with the control under it, for the status bar; NULL: nothing to say

    // A tooltip comes when the mouse has rested on its item.
    ImVec2 restItem;           ///< corner of the item
    double restStart;          ///< seconds of igGetTime
    bool restOver;             ///< the mouse is over an item with a tooltip in this frame
    bool restPending;          ///< a tooltip is due
    bool restPressed;          ///< the item was pressed since the mouse came: no tooltip until it has left
    ImVec2 boxLower, boxUpper; ///< the dialog that is being drawn, beside which tooltips go; the same point: none
} qvuiKit;

/// A header across the panel; remark (or NULL) stands at its right end. A click toggles *open. Returns *open.
bool qvuiSection(qvuiKit* kit, const char* label, const char* remark, const char* tooltip, bool* open);

/// A label and a text at the right end; a text too long for its place is shortened and shown whole in a tooltip.
void qvuiTextRow(qvuiKit* kit, const char* label, const char* text);

/// An icon in a colour and text that wraps.
void qvuiMessageRow(qvuiKit* kit, const char* icon, ImU32 color, const char* text);

/// A choice between few, as joined buttons; the chosen one has the colour. Returns true when *choice changed.
bool qvuiSegmentedRow(qvuiKit* kit, const char* label, const char* const* choices, int count, int* choice, ImU32 color,
                      const char* tooltip);

/// An on and off switch.
bool qvuiSwitchRow(qvuiKit* kit, const char* label, bool* on, const char* tooltip);

typedef struct qvuiSliderDef
{
    const char* label;
    const char* format; ///< of the value with its unit: "%.2f Hz"
    double minimum, maximum, standard;
    ImU32 color; ///< of the filled part
    const char* tooltip;
    double power; ///< above 1 gives small values more room on the bar; 0 and 1: even
    bool whole;   ///< whole numbers only
    bool* reset;  ///< becomes true when the menu asks for the default, instead of a change to it; NULL: a change
    bool dimmed;  ///< the value is that of something else
} qvuiSliderDef;

/// A filled bar: drag, Shift for fine, double click, Ctrl-click or Enter while hovered to type, right click to reset,
/// Alt and wheel. Returns true while the value changes.
bool qvuiSliderRow(qvuiKit* kit, const qvuiSliderDef* def, double* value);

typedef struct qvuiNumbersDef
{
    const char* label;
    const char* unit; ///< shown after each number; "": none
    int count;        ///< side by side, 3 for a vector
    double speed;     ///< change per pixel
    const char* tooltip;
    bool* reset;    ///< becomes true when the right button's menu asks for the default; NULL: there is none
    bool automatic; ///< the numbers are in effect without having been given
    bool dimmed;    ///< they are those of something else
} qvuiNumbersDef;

/// Numbers side by side, each dragged or typed like a slider; NAN is shown as free, and starts at 0. Returns true while
/// one changes; none is NAN then.
bool qvuiNumbersRow(qvuiKit* kit, const qvuiNumbersDef* def, double* values);

/// A text that a click lets type; Enter and a click elsewhere take it over. Returns true then.
bool qvuiTextFieldRow(qvuiKit* kit, const char* label, char* text, size_t capacity, const char* tooltip);

/// A choice among many, as a menu. Returns true when *choice changed.
bool qvuiChoiceRow(qvuiKit* kit, const char* label, const char* const* choices, int count, int* choice,
                   const char* tooltip);
/// The same where some cannot be taken: whyNot says for each why, NULL: it can.
bool qvuiSomeChoicesRow(qvuiKit* kit, const char* label, const char* const* choices, const char* const* whyNot,
                        int count, int* choice, const char* tooltip);

/// A line of a list: a dot in a colour, a name, a remark at the right. Returns true when clicked.
bool qvuiListRow(qvuiKit* kit, const char* name, const char* remark, ImU32 dot, bool selected, const char* tooltip);

/// A button with rounded ends; width 0 fits the label.
bool qvuiPill(qvuiKit* kit, const char* label, float width, const char* tooltip);
/// The one that a dialog is about.
bool qvuiMainPill(qvuiKit* kit, const char* label, float width, const char* tooltip);

/// The same in a row of its own, under the controls.
bool qvuiPillRow(qvuiKit* kit, const char* label, const char* tooltip);

/// A dark translucent label at a place; alpha 0 to 1. pivotX, pivotY: which of its corners is at the place. Returns the
/// size.
ImVec2 qvuiBadge(qvuiKit* kit, ImDrawList* list, ImVec2 place, float pivotX, float pivotY, const char* strong,
                 const char* text, float alpha);

/// A popup with the look of a menu, whatever the spacing around it. End only after Begin returned true.
bool qvuiBeginMenuPopup(qvuiKit* kit, const char* id);
/// The same for the choices of a control from lower to upper: below it, or above where there is no room. itemCount is
/// the number of choices.
bool qvuiBeginChoicePopup(qvuiKit* kit, const char* id, ImVec2 lower, ImVec2 upper, int itemCount);
void qvuiEndMenuPopup(void);

/// At the start of a frame, before anything that has a tooltip.
void qvuiBeginTooltips(qvuiKit* kit);

/// A tooltip for the last item, with its shortcut (or NULL) in muted text, after a pause. It says what the control does
/// to the motion, or that only the picture changes.
void qvuiTooltip(qvuiKit* kit, const char* text, const char* shortcut);

/// Seconds until a tooltip is due; negative: none is.
double qvuiTooltipWake(const qvuiKit* kit);

/// A curve through points from left to right. Those that lie within a fraction of a pixel of a straight line through
/// their neighbours are left out, because each one costs. The points are overwritten.
void qvuiDrawCurve(ImDrawList* list, ImVec2* points, int count, ImU32 color, float thickness);

/// Text in one of the style's fonts at a place, vertically centred in height.
void qvuiDrawText(ImDrawList* list, ImFont* font, ImVec2 place, float height, ImU32 color, const char* text);

/// Width of a text in a font.
float qvuiTextWidth(ImFont* font, const char* text);

/// Shortens text with "…" at its start or end so that it is no wider than width. Returns buffer or text.
const char* qvuiShorten(ImFont* font, const char* text, float width, bool keepEnd, char* buffer, size_t capacity);
