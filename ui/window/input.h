// SPDX-License-Identifier: GPL-3.0-or-later
/// Mouse and modifiers from events alone. Dear ImGui's backend asks the system where the mouse is now, which loses fast
/// clicks and ignores injected events; here each frame sees at most one press or release, after the movement before it.
#pragma once

#include "ui/actions/shortcut.h"
#include "ui/cimgui/cimgui.h"

#include <SDL.h>
#include <stdbool.h>

typedef struct qvuiInput
{
    float x, y;
    bool inside;
    bool down[5]; ///< left, right, middle, two more
    int clicks;   ///< of the last press: 2 is a double click
    bool control, shift, alt, super;

    bool moved;   ///< the mouse moved in this frame's events
    bool hasHeld; ///< an event waits for the next frame
    SDL_Event held;
} qvuiInput;

/// The next event of this frame; false when the frame should be drawn first. Waits up to seconds for the first one
/// (negative: as long as it takes).
bool qvuiInput_Next(qvuiInput* input, SDL_Event* event, double seconds);

/// Takes an event in. Returns true when the frame should end here.
bool qvuiInput_Take(qvuiInput* input, const SDL_Event* event);

/// Whether events are waiting.
bool qvuiInput_HasMore(const qvuiInput* input);

/// Overwrites what the backend found, before igNewFrame.
void qvuiInput_WriteTo(qvuiInput* input, ImGuiIO* io);

/// The key press of an event as a shortcut; false for keys that cannot be one.
bool qvuiInput_ToShortcut(const SDL_KeyboardEvent* event, qvuiShortcut* shortcut);

/// The SDL key of a shortcut, for scripts; SDLK_UNKNOWN if there is none.
SDL_Keycode qvuiKeyToSdl(int key);
