// SPDX-License-Identifier: GPL-3.0-or-later
/// Colours, sizes and fonts of the interface. Colour has a meaning: amber is what the artist made, teal what physics
/// made, coral waves, events and errors, blue selection.
#pragma once

#include "quaver/result.h"
#include "ui/cimgui/cimgui.h"

/// 0xrrggbb to ImGui's packed colour, opaque or with an alpha of 0 to 255.
#define QVUI_RGBA(hex, alpha) \
    (((ImU32)(alpha) << 24) | (((ImU32)(hex)&0xff) << 16) | ((ImU32)(hex)&0xff00) | (((ImU32)(hex) >> 16) & 0xff))
#define QVUI_RGB(hex) QVUI_RGBA(hex, 255)

#define QVUI_AMBER    QVUI_RGB(0xf2a33a)
#define QVUI_TEAL     QVUI_RGB(0x3cc8b4)
#define QVUI_CORAL    QVUI_RGB(0xff6f5e)
#define QVUI_BLUE     QVUI_RGB(0x5b9dff)
#define QVUI_WINDOW   QVUI_RGB(0x17191d)
#define QVUI_PANEL    QVUI_RGB(0x1f2227)
#define QVUI_HEADER   QVUI_RGB(0x262a30)
#define QVUI_CONTROL  QVUI_RGB(0x30353c)
#define QVUI_HOVER    QVUI_RGB(0x3a4048)
#define QVUI_CHOSEN   QVUI_RGB(0x3d5f96) // blue, calm enough for large fills
#define QVUI_KEYED    QVUI_RGB(0x6f4a16) // amber, and teal and coral below, as calm
#define QVUI_SOLVED   QVUI_RGB(0x235c53)
#define QVUI_STRUCK   QVUI_RGB(0x6b3630)
#define QVUI_SWITCHED QVUI_RGB(0x4a7fd0)
#define QVUI_LINE     QVUI_RGB(0x0f1114)
#define QVUI_TEXT     QVUI_RGB(0xe4e7eb)
#define QVUI_MUTED    QVUI_RGB(0x8f97a3)

typedef struct qvuiStyle
{
    float scale; ///< 1 at 96 dots per inch
    ImFont* body;
    ImFont* strong; ///< semibold, for headers
    ImFont* value;  ///< smaller, digits of equal width
    ImFont* title;  ///< large, for welcome and about
} qvuiStyle;

/// Loads the fonts at the style's scale and sets ImGui's style. A font that is missing is replaced; only when there is
/// none at all does it fail, with a message that names the packages.
QV_CHECKED qvResult qvuiStyle_Apply(qvuiStyle* style, qvError* error);

/// Pixels at this scale, whole.
float qvuiPixels(const qvuiStyle* style, double pixels);
