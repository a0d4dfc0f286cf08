// SPDX-License-Identifier: GPL-3.0-or-later
/// The inside of scripts. To add a command: a function qvuiPlay_X in the file of its kind, a line in script_list.inl,
/// and one in script.h that explains it.
#pragma once

#include "ui/window/script.h"

/// What a command works on.
typedef struct qvuiPlayer
{
    qvuiScript* script;
    qvuiEditor* editor;
    const qvuiInput* input;
    SDL_Window* window;
} qvuiPlayer;

/// Plays a command; rest is what follows its name on the line.
typedef void qvuiPlayFcn(qvuiPlayer* player, const char* rest);

#define COMMAND(tag, name) qvuiPlayFcn qvuiPlay_##name;
#include "ui/window/script_list.inl"
#undef COMMAND

/// Ends the script with a message about its line.
void qvuiPlayer_Fail(qvuiPlayer* player, const char* format, ...) QV_PRINTF(2, 3);

/// Clicks a place or a named control so many times.
void qvuiPlayer_ClickButton(qvuiPlayer* player, const char* where, Uint8 button, int count);

/// Whether a state has a value: "NAME VALUE". When it has not, complaining ends the script.
bool qvuiPlayer_HasValue(qvuiPlayer* player, const char* rest, bool complain);

/// One random deed anywhere in the window, menus included.
void qvuiPlayer_Monkey(qvuiPlayer* player);

/// The next one of all actions; before it, what the last one opened is closed.
void qvuiPlayer_NextAction(qvuiPlayer* player);
