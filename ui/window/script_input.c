// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the mouse and the keyboard: events as SDL would send them.
#include "ui/window/script_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Move(float x, float y)
{
    SDL_Event event = { .motion = { .type = SDL_MOUSEMOTION, .x = (int)x, .y = (int)y } };
    SDL_PushEvent(&event);
}

static void Button(float x, float y, Uint8 button, bool down, int clicks)
{
    SDL_Event event = { .button = { .type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                    .button = button,
                                    .state = down ? SDL_PRESSED : SDL_RELEASED,
                                    .clicks = (Uint8)clicks,
                                    .x = (int)x,
                                    .y = (int)y } };
    SDL_PushEvent(&event);
}

static void Key(SDL_Keycode code, SDL_Keymod modifiers, bool down)
{
    SDL_Event event = { .key = { .type = down ? SDL_KEYDOWN : SDL_KEYUP, .state = down ? SDL_PRESSED : SDL_RELEASED } };
    event.key.keysym = (SDL_Keysym){ .scancode = SDL_GetScancodeFromKey(code), .sym = code, .mod = (Uint16)modifiers };
    SDL_PushEvent(&event);
}

static SDL_Keymod Modifiers(const qvuiShortcut* shortcut)
{
    return (SDL_Keymod)((shortcut->control ? KMOD_LCTRL : 0) | (shortcut->shift ? KMOD_LSHIFT : 0) |
                        (shortcut->alt ? KMOD_LALT : 0));
}

// What is scrolled out of view would leave the mouse on something else. False until it is there. In an area within an
// area it takes a second try: ImGui knows no places in one that is not seen at all.
static bool BringIntoView(qvuiPlayer* player, const qvuiName* name)
{
    qvuiScript* script = player->script;
    int tries = script->scrolls;
    script->scrolls = 0;
    if (name->visible)
        return true;
    if (tries == 3)
    {
        qvuiPlayer_Fail(player, "\"%s\" is out of view", name->text);
        return false;
    }
    memcpy(player->editor->kit.names.scrolled, name->text, sizeof(name->text));
    script->scrolls = tries + 1;
    script->waitFrames = 2;
    return false;
}

// A place in pixels, or the middle of a named control.
static bool FindPlace(qvuiPlayer* player, const char* where, ImVec2* place)
{
    char rest;
    if (sscanf(where, "%f %f %c", &place->x, &place->y, &rest) == 2)
        return true;
    const qvuiName* name = qvuiNames_Find(&player->editor->kit.names, where);
    if (name == NULL)
    {
        qvuiPlayer_Fail(player, "no control is named \"%s\" now", where);
        return false;
    }
    *place = qvuiName_Middle(name);
    return BringIntoView(player, name);
}

// "Ctrl+Shift+middle" to modifiers and an SDL button.
static bool ParseButton(qvuiPlayer* player, const char* text, Uint8* button, SDL_Keymod* modifiers)
{
    qvuiShortcut parsed = { 0 };
    const char* name = strrchr(text, '+');
    name = name != NULL ? name + 1 : text;
    parsed.control = strstr(text, "Ctrl+") != NULL;
    parsed.shift = strstr(text, "Shift+") != NULL;
    parsed.alt = strstr(text, "Alt+") != NULL;
    *modifiers = Modifiers(&parsed);
    *button = strcmp(name, "left") == 0     ? SDL_BUTTON_LEFT
              : strcmp(name, "middle") == 0 ? SDL_BUTTON_MIDDLE
              : strcmp(name, "right") == 0  ? SDL_BUTTON_RIGHT
                                            : 0;
    if (*button == 0)
        qvuiPlayer_Fail(player, "\"%s\" is no button; write left, middle or right", text);
    return *button != 0;
}

void qvuiPlayer_ClickButton(qvuiPlayer* player, const char* where, Uint8 button, int count)
{
    ImVec2 place;
    if (!FindPlace(player, where, &place))
        return;
    Move(place.x, place.y);
    for (int i = 0; i < count; i++)
    {
        Button(place.x, place.y, button, true, i + 1);
        Button(place.x, place.y, button, false, i + 1);
    }
}

void qvuiPlay_Move(qvuiPlayer* player, const char* rest)
{
    ImVec2 place;
    if (FindPlace(player, rest, &place))
        Move(place.x, place.y);
}

void qvuiPlay_Press(qvuiPlayer* player, const char* rest)
{
    Uint8 button;
    SDL_Keymod modifiers;
    if (!ParseButton(player, rest, &button, &modifiers))
        return;
    if (modifiers != KMOD_NONE)
        Key(SDLK_UNKNOWN, modifiers, true);
    Button(player->input->x, player->input->y, button, true, 1);
}

void qvuiPlay_Release(qvuiPlayer* player, const char* rest)
{
    Uint8 button;
    SDL_Keymod modifiers;
    if (!ParseButton(player, rest, &button, &modifiers))
        return;
    Button(player->input->x, player->input->y, button, false, 1);
    Key(SDLK_UNKNOWN, KMOD_NONE, false);
}

void qvuiPlay_Drag(qvuiPlayer* player, const char* rest)
{
    char name[64];
    float dx, dy;
    int steps = 4;
    Uint8 button;
    SDL_Keymod modifiers;
    if (sscanf(rest, "%63s %f %f %d", name, &dx, &dy, &steps) < 3 || steps < 1 || steps > 1000)
    {
        qvuiPlayer_Fail(player, "drag needs a button, a distance in x and y and at most 1000 frames");
        return;
    }
    if (!ParseButton(player, name, &button, &modifiers))
        return;
    float x = player->input->x, y = player->input->y;
    if (modifiers != KMOD_NONE)
        Key(SDLK_UNKNOWN, modifiers, true);
    Button(x, y, button, true, 1);
    // ImGui tells a drag from a click by the movement of several frames.
    for (int i = 1; i <= steps; i++)
    {
        float share = (float)i / (float)steps;
        Move(x + dx * share, y + dy * share);
        SDL_Event pause = { .user = { .type = SDL_USEREVENT } };
        SDL_PushEvent(&pause);
    }
    Button(x + dx, y + dy, button, false, 1);
    if (modifiers != KMOD_NONE)
        Key(SDLK_UNKNOWN, KMOD_NONE, false);
}

void qvuiPlay_Click(qvuiPlayer* player, const char* rest)
{
    qvuiPlayer_ClickButton(player, rest, SDL_BUTTON_LEFT, 1);
}

void qvuiPlay_Double(qvuiPlayer* player, const char* rest)
{
    qvuiPlayer_ClickButton(player, rest, SDL_BUTTON_LEFT, 2);
}

void qvuiPlay_Context(qvuiPlayer* player, const char* rest)
{
    qvuiPlayer_ClickButton(player, rest, SDL_BUTTON_RIGHT, 1);
}

void qvuiPlay_Wheel(qvuiPlayer* player, const char* rest)
{
    (void)player;
    int steps = atoi(rest);
    SDL_Event event = { .wheel = { .type = SDL_MOUSEWHEEL, .y = steps, .preciseY = (float)steps } };
    SDL_PushEvent(&event);
}

void qvuiPlay_Key(qvuiPlayer* player, const char* rest)
{
    qvuiShortcut shortcut;
    if (!qvuiShortcut_Parse(rest, &shortcut) || qvuiKeyToSdl(shortcut.key) == SDLK_UNKNOWN)
    {
        qvuiPlayer_Fail(player, "\"%s\" is no key", rest);
        return;
    }
    Key(qvuiKeyToSdl(shortcut.key), Modifiers(&shortcut), true);
    Key(qvuiKeyToSdl(shortcut.key), KMOD_NONE, false);
}

void qvuiPlay_Text(qvuiPlayer* player, const char* rest)
{
    (void)player;
    SDL_Event event = { .text = { .type = SDL_TEXTINPUT } };
    const size_t piece = sizeof(event.text.text) - 1;
    while (*rest != 0)
    {
        size_t length = strlen(rest) < piece ? strlen(rest) : piece;
        memcpy(event.text.text, rest, length);
        event.text.text[length] = 0;
        SDL_PushEvent(&event);
        rest += length;
    }
}
