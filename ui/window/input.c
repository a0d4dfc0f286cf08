// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/input.h"

#include <float.h>

static bool IsTransition(const SDL_Event* event)
{
    return event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP || event->type == SDL_KEYDOWN ||
           event->type == SDL_KEYUP;
}

static bool Wait(SDL_Event* event, double seconds)
{
    if (seconds < 0.0)
        return SDL_WaitEvent(event) != 0;
    return SDL_WaitEventTimeout(event, (int)(1e3 * seconds + 0.5)) != 0;
}

bool qvuiInput_Next(qvuiInput* input, SDL_Event* event, double seconds)
{
    if (input->hasHeld)
    {
        *event = input->held;
        input->hasHeld = false;
        return true;
    }
    if (SDL_PollEvent(event) == 0 && (seconds == 0.0 || !Wait(event, seconds)))
        return false;
    if (input->moved && IsTransition(event))
    {
        input->held = *event;
        input->hasHeld = true;
        return false;
    }
    return true;
}

bool qvuiInput_HasMore(const qvuiInput* input)
{
    return input->hasHeld || SDL_PeepEvents(NULL, 0, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0;
}

static int ButtonIndex(Uint8 button)
{
    switch (button)
    {
    case SDL_BUTTON_LEFT:
        return 0;
    case SDL_BUTTON_RIGHT:
        return 1;
    case SDL_BUTTON_MIDDLE:
        return 2;
    case SDL_BUTTON_X1:
        return 3;
    case SDL_BUTTON_X2:
        return 4;
    default:
        return -1;
    }
}

static void TakeModifiers(qvuiInput* input, SDL_Keymod state)
{
    input->control = (state & KMOD_CTRL) != 0;
    input->shift = (state & KMOD_SHIFT) != 0;
    input->alt = (state & KMOD_ALT) != 0;
    input->super = (state & KMOD_GUI) != 0;
}

static void TakeButton(qvuiInput* input, const SDL_MouseButtonEvent* event)
{
    int index = ButtonIndex(event->button);
    if (index < 0)
        return;
    input->x = (float)event->x;
    input->y = (float)event->y;
    input->inside = true;
    input->down[index] = event->type == SDL_MOUSEBUTTONDOWN;
    if (event->type == SDL_MOUSEBUTTONDOWN)
        input->clicks = event->clicks;
}

static void TakeWindowEvent(qvuiInput* input, const SDL_WindowEvent* event)
{
    if (event->event == SDL_WINDOWEVENT_LEAVE)
        input->inside = false;
    if (event->event == SDL_WINDOWEVENT_FOCUS_LOST)
    {
        SDL_memset(input->down, 0, sizeof(input->down));
        TakeModifiers(input, KMOD_NONE);
    }
}

bool qvuiInput_Take(qvuiInput* input, const SDL_Event* event)
{
    switch (event->type)
    {
    case SDL_MOUSEMOTION:
        input->x = (float)event->motion.x;
        input->y = (float)event->motion.y;
        input->inside = true;
        input->moved = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        TakeButton(input, &event->button);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        TakeModifiers(input, (SDL_Keymod)event->key.keysym.mod);
        break;
    case SDL_WINDOWEVENT:
        TakeWindowEvent(input, &event->window);
        break;
    default:
        break;
    }
    return IsTransition(event);
}

void qvuiInput_WriteTo(qvuiInput* input, ImGuiIO* io)
{
    bool held = false;
    for (int i = 0; i < 5; i++)
    {
        io->MouseDown[i] = input->down[i];
        held |= input->down[i];
    }
    // SDL has counted the clicks when they came; ImGui would count by the time of frames, which may be late.
    io->MouseDoubleClickTime = input->clicks % 2 == 0 ? 3600.0f : 0.0f;
    bool known = input->inside || held;
    io->MousePos = known ? (ImVec2){ input->x, input->y } : (ImVec2){ -FLT_MAX, -FLT_MAX };
    io->KeyCtrl = input->control;
    io->KeyShift = input->shift;
    io->KeyAlt = input->alt;
    io->KeySuper = input->super;
    input->moved = false;
}

static const struct
{
    int key;
    SDL_Keycode code;
} keys[] = {
    { qvui_keyEscape, SDLK_ESCAPE },
    { qvui_keyEnter, SDLK_RETURN },
    { qvui_keyEnter, SDLK_KP_ENTER },
    { qvui_keyTab, SDLK_TAB },
    { qvui_keySpace, SDLK_SPACE },
    { qvui_keyBackspace, SDLK_BACKSPACE },
    { qvui_keyDelete, SDLK_DELETE },
    { qvui_keyHome, SDLK_HOME },
    { qvui_keyEnd, SDLK_END },
    { qvui_keyPageUp, SDLK_PAGEUP },
    { qvui_keyPageDown, SDLK_PAGEDOWN },
    { qvui_keyLeft, SDLK_LEFT },
    { qvui_keyRight, SDLK_RIGHT },
    { qvui_keyUp, SDLK_UP },
    { qvui_keyDown, SDLK_DOWN },
    { qvui_keyNumpad0, SDLK_KP_0 },
    { qvui_keyNumpad0 + 1, SDLK_KP_1 },
    { qvui_keyNumpad0 + 2, SDLK_KP_2 },
    { qvui_keyNumpad0 + 3, SDLK_KP_3 },
    { qvui_keyNumpad0 + 4, SDLK_KP_4 },
    { qvui_keyNumpad0 + 5, SDLK_KP_5 },
    { qvui_keyNumpad0 + 6, SDLK_KP_6 },
    { qvui_keyNumpad0 + 7, SDLK_KP_7 },
    { qvui_keyNumpad0 + 8, SDLK_KP_8 },
    { qvui_keyNumpad9, SDLK_KP_9 },
    { '.', SDLK_KP_PERIOD },
    { '=', SDLK_KP_PLUS },
    { '-', SDLK_KP_MINUS },
    { '=', SDLK_PLUS },
};

static int KeyFromSdl(SDL_Keycode code)
{
    if (code > ' ' && code < 127 && code != SDLK_PLUS)
        return (int)code;
    if (code >= SDLK_F1 && code <= SDLK_F12)
        return qvui_keyF1 + (int)(code - SDLK_F1);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (keys[i].code == code)
            return keys[i].key;
    return qvui_keyNone;
}

SDL_Keycode qvuiKeyToSdl(int key)
{
    if (key > ' ' && key < 127)
        return (SDL_Keycode)key;
    if (key >= qvui_keyF1 && key <= qvui_keyF12)
        return SDLK_F1 + (key - qvui_keyF1);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (keys[i].key == key)
            return keys[i].code;
    return SDLK_UNKNOWN;
}

bool qvuiInput_ToShortcut(const SDL_KeyboardEvent* event, qvuiShortcut* shortcut)
{
    SDL_Keymod state = (SDL_Keymod)event->keysym.mod;
    *shortcut = (qvuiShortcut){ .key = KeyFromSdl(event->keysym.sym),
                                .control = (state & KMOD_CTRL) != 0,
                                .shift = (state & KMOD_SHIFT) != 0,
                                .alt = (state & KMOD_ALT) != 0 };
    return shortcut->key != qvui_keyNone;
}
