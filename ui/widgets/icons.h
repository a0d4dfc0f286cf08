// SPDX-License-Identifier: GPL-3.0-or-later
/// Font Awesome 4.7 icons in UTF-8. They share the text fonts, so they can stand inside a label.
#pragma once

#define QVUI_ICON_FOLDER       "\xef\x81\xbb" // f07b
#define QVUI_ICON_FOLDER_OPEN  "\xef\x81\xbc" // f07c
#define QVUI_ICON_CUBE         "\xef\x86\xb2" // f1b2
#define QVUI_ICON_CHECK        "\xef\x80\x8c" // f00c
#define QVUI_ICON_TIMES        "\xef\x80\x8d" // f00d
#define QVUI_ICON_WARNING      "\xef\x81\xb1" // f071
#define QVUI_ICON_INFO         "\xef\x81\x9a" // f05a
#define QVUI_ICON_ARROW_UP     "\xef\x81\xa2" // f062
#define QVUI_ICON_HOME         "\xef\x80\x95" // f015
#define QVUI_ICON_CARET_DOWN   "\xef\x83\x97" // f0d7
#define QVUI_ICON_CARET_LEFT   "\xef\x83\x99" // f0d9
#define QVUI_ICON_CARET_RIGHT  "\xef\x83\x9a" // f0da
#define QVUI_ICON_FAST_BACK    "\xef\x81\x89" // f049
#define QVUI_ICON_BACK         "\xef\x81\x8a" // f04a
#define QVUI_ICON_PLAY         "\xef\x81\x8b" // f04b
#define QVUI_ICON_PAUSE        "\xef\x81\x8c" // f04c
#define QVUI_ICON_STOP         "\xef\x81\x8d" // f04d
#define QVUI_ICON_FORWARD      "\xef\x81\x8e" // f04e
#define QVUI_ICON_POINTER      "\xef\x89\x85" // f245
#define QVUI_ICON_PIN          "\xef\x82\x8d" // f08d
#define QVUI_ICON_MASK         "\xef\x81\x82" // f042
#define QVUI_ICON_WEIGHT       "\xef\x87\xbc" // f1fc
#define QVUI_ICON_FAST_FORWARD "\xef\x81\x90" // f050
