// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/script.h"

#include "quaver/file.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a command works on.
typedef struct Player
{
    qvuiScript* script;
    qvuiEditor* editor;
    const qvuiInput* input;
    SDL_Window* window;
} Player;

qvResult qvuiScript_Load(qvuiScript* script, const char* path, qvError* error)
{
    *script = (qvuiScript){ .path = path, .nextAction = -1, .waitStart = -1.0 };
    qvBytes bytes;
    qvResult result = qvReadFile(path, (size_t)1 << 24, &bytes, error);
    if (result != qv_ok)
        return result;
    script->text = strdup(bytes.data);
    qvFreeBytes(&bytes);
    if (script->text == NULL)
        return qvError_OutOfMemory(error, 0.0);
    script->next = script->text;
    return qv_ok;
}

void qvuiScript_Free(qvuiScript* script)
{
    free(script->text);
    *script = (qvuiScript){ 0 };
}

static void Fail(Player* player, const char* format, ...) QV_PRINTF(2, 3);

static void Fail(Player* player, const char* format, ...)
{
    qvuiScript* script = player->script;
    va_list args;
    va_start(args, format);
    script->result = qvError_SetV(&script->error, qv_badInput, format, args);
    va_end(args);
    qvError_Prefix(&script->error, "%s: line %d", script->path, script->line);
    player->editor->wantsQuit = true;
}

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
static bool BringIntoView(Player* player, const qvuiName* name)
{
    qvuiScript* script = player->script;
    int tries = script->scrolls;
    script->scrolls = 0;
    if (name->visible)
        return true;
    if (tries == 3)
    {
        Fail(player, "\"%s\" is out of view", name->text);
        return false;
    }
    memcpy(player->editor->kit.names.scrolled, name->text, sizeof(name->text));
    script->scrolls = tries + 1;
    script->waitFrames = 2;
    return false;
}

// A place in pixels, or the middle of a named control.
static bool FindPlace(Player* player, const char* where, ImVec2* place)
{
    char rest;
    if (sscanf(where, "%f %f %c", &place->x, &place->y, &rest) == 2)
        return true;
    const qvuiName* name = qvuiNames_Find(&player->editor->kit.names, where);
    if (name == NULL)
    {
        Fail(player, "no control is named \"%s\" now", where);
        return false;
    }
    *place = qvuiName_Middle(name);
    return BringIntoView(player, name);
}

// "Ctrl+Shift+middle" to modifiers and an SDL button.
static bool ParseButton(Player* player, const char* text, Uint8* button, SDL_Keymod* modifiers)
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
        Fail(player, "\"%s\" is no button; write left, middle or right", text);
    return *button != 0;
}

static void PlayClick(Player* player, const char* where, Uint8 button, int count)
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

static void PlaySize(Player* player, const char* rest)
{
    int width, height;
    if (sscanf(rest, "%d %d", &width, &height) == 2 && width > 0 && height > 0)
        SDL_SetWindowSize(player->window, width, height);
    else
        Fail(player, "size needs a width and a height");
}

static void PlayOpen(Player* player, const char* rest)
{
    qvuiEditor_Request(player->editor, qvui_pendingFile, rest);
}

static void PlayMove(Player* player, const char* rest)
{
    ImVec2 place;
    if (FindPlace(player, rest, &place))
        Move(place.x, place.y);
}

static void PlayPress(Player* player, const char* rest)
{
    Uint8 button;
    SDL_Keymod modifiers;
    if (!ParseButton(player, rest, &button, &modifiers))
        return;
    if (modifiers != KMOD_NONE)
        Key(SDLK_UNKNOWN, modifiers, true);
    Button(player->input->x, player->input->y, button, true, 1);
}

static void PlayRelease(Player* player, const char* rest)
{
    Uint8 button;
    SDL_Keymod modifiers;
    if (!ParseButton(player, rest, &button, &modifiers))
        return;
    Button(player->input->x, player->input->y, button, false, 1);
    Key(SDLK_UNKNOWN, KMOD_NONE, false);
}

static void PlayDrag(Player* player, const char* rest)
{
    char name[64];
    float dx, dy;
    int steps = 4;
    Uint8 button;
    SDL_Keymod modifiers;
    if (sscanf(rest, "%63s %f %f %d", name, &dx, &dy, &steps) < 3 || steps < 1 || steps > 1000)
    {
        Fail(player, "drag needs a button, a distance in x and y and at most 1000 frames");
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

static void PlayClickLeft(Player* player, const char* rest)
{
    PlayClick(player, rest, SDL_BUTTON_LEFT, 1);
}

static void PlayDouble(Player* player, const char* rest)
{
    PlayClick(player, rest, SDL_BUTTON_LEFT, 2);
}

static void PlayContext(Player* player, const char* rest)
{
    PlayClick(player, rest, SDL_BUTTON_RIGHT, 1);
}

static void PlayWheel(Player* player, const char* rest)
{
    (void)player;
    int steps = atoi(rest);
    SDL_Event event = { .wheel = { .type = SDL_MOUSEWHEEL, .y = steps, .preciseY = (float)steps } };
    SDL_PushEvent(&event);
}

static void PlayKey(Player* player, const char* rest)
{
    qvuiShortcut shortcut;
    if (!qvuiShortcut_Parse(rest, &shortcut) || qvuiKeyToSdl(shortcut.key) == SDLK_UNKNOWN)
    {
        Fail(player, "\"%s\" is no key", rest);
        return;
    }
    Key(qvuiKeyToSdl(shortcut.key), Modifiers(&shortcut), true);
    Key(qvuiKeyToSdl(shortcut.key), KMOD_NONE, false);
}

static void PlayText(Player* player, const char* rest)
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

static void PlayAction(Player* player, const char* rest)
{
    const qvuiAction* action = qvuiFindAction(rest);
    if (action == NULL)
        Fail(player, "no action is named \"%s\"", rest);
    else
        qvuiEditor_Run(player->editor, action);
}

static void PlayActions(Player* player, const char* rest)
{
    (void)rest;
    player->script->nextAction = 0;
}

// One action per step; before it, what the last one opened is closed.
static void ActionStep(Player* player)
{
    qvuiScript* script = player->script;
    qvuiEditor* editor = player->editor;
    if (editor->dialog != qvui_dialogNone)
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
    editor->pending.kind = qvui_pendingNone;
    if (script->nextAction == qvuiActionCount())
    {
        script->nextAction = -1;
        return;
    }
    const qvuiAction* action = qvuiGetAction(script->nextAction++);
    if (action->run != qvuiAction_Quit)
        qvuiEditor_Run(editor, action);
}

static void PlayPanels(Player* player, const char* rest)
{
    (void)rest;
    for (int i = 0; i < qvui_panelCount; i++)
        player->editor->panelOpen[i] = true;
}

static void PlaySave(Player* player, const char* rest)
{
    if (!qvuiEditor_Save(player->editor, rest))
        Fail(player, "cannot save: %.300s", player->editor->toast.text);
}

static void PlayNote(Player* player, const char* rest)
{
    if (!qvuiEditor_Query(player->editor, rest, player->script->noted, sizeof(player->script->noted)))
        Fail(player, "no state is named \"%s\"", rest);
}

static void PlayWait(Player* player, const char* rest)
{
    player->script->waitFrames = atoi(rest);
}

// "<2" and ">2" compare numbers, "!2" wants another value.
static bool SameValue(const char* wanted, const char* found)
{
    char *endA, *endB;
    if (wanted[0] == '<')
        return strtod(found, NULL) < strtod(wanted + 1, NULL);
    if (wanted[0] == '>')
        return strtod(found, NULL) > strtod(wanted + 1, NULL);
    if (wanted[0] == '!')
        return !SameValue(wanted + 1, found);
    double a = strtod(wanted, &endA), b = strtod(found, &endB);
    if (endA != wanted && *endA == 0 && endB != found && *endB == 0)
        return fabs(a - b) <= 1e-3 * fmax(1.0, fabs(a));
    return strcmp(wanted, found) == 0;
}

// What was noted, with a sign before it that compares.
static const char* Wanted(const qvuiScript* script, const char* text, char* buffer, size_t capacity)
{
    bool sign = text[0] != 0 && strchr("<>!", text[0]) != NULL;
    if (strcmp(text + sign, "noted") != 0)
        return text;
    snprintf(buffer, capacity, "%.1s%s", sign ? text : "", script->noted);
    return buffer;
}

// Whether a state has a value: "NAME VALUE". When it has not, complaining ends the script.
static bool HasValue(Player* player, const char* rest, bool complain)
{
    char name[64], found[1024], buffer[1100];
    int used = 0;
    if (sscanf(rest, "%63s %n", name, &used) != 1)
        Fail(player, "a name and a value are needed");
    else if (!qvuiEditor_Query(player->editor, name, found, sizeof(found)))
        Fail(player, "no state is named \"%s\"", name);
    else
    {
        const char* wanted = Wanted(player->script, rest + used, buffer, sizeof(buffer));
        if (SameValue(wanted, found))
            return true;
        if (complain)
            Fail(player, "%s is \"%s\", not \"%s\"", name, found, wanted);
    }
    return false;
}

static void PlayExpect(Player* player, const char* rest)
{
    HasValue(player, rest, true);
}

static void PlayUntil(Player* player, const char* rest)
{
    snprintf(player->script->until, sizeof(player->script->until), "%s", rest);
}

static void PlayScreenshot(Player* player, const char* rest)
{
    snprintf(player->script->screenshot, sizeof(player->script->screenshot), "%s", rest);
}

static void PlayPixel(Player* player, const char* rest)
{
    qvuiScript* script = player->script;
    script->wantsPixel = sscanf(rest, "%d %d %x", &script->pixelX, &script->pixelY, &script->pixelColor) == 3;
    if (!script->wantsPixel)
        Fail(player, "pixel needs a place and a colour as RRGGBB");
}

bool qvuiScript_WantsPicture(const qvuiScript* script)
{
    return script->screenshot[0] != 0 || script->wantsPixel;
}

static qvResult CheckPixel(const qvuiScript* script, const qvImage* image, qvError* error)
{
    int x = script->pixelX, y = script->pixelY;
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return qvError_Set(error, qv_badInput, "%s: line %d: %d %d is outside", script->path, script->line, x, y);
    const uint8_t* p = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    unsigned int color = (unsigned int)p[0] << 16 | (unsigned int)p[1] << 8 | p[2];
    if (color == script->pixelColor)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: line %d: the pixel at %d %d is %06x, not %06x", script->path,
                       script->line, x, y, color, script->pixelColor);
}

qvResult qvuiScript_TakePicture(qvuiScript* script, const qvImage* image, qvError* error)
{
    qvResult result =
        script->wantsPixel ? CheckPixel(script, image, error) : qvSaveImage(image, script->screenshot, error);
    script->screenshot[0] = 0;
    script->wantsPixel = false;
    return result;
}

static void PlayVerify(Player* player, const char* rest)
{
    (void)rest;
    player->script->verifies = true;
}

static void PlayJournal(Player* player, const char* rest)
{
    (void)rest;
    player->editor->keepsJournal = true;
}

static void PlayLeftovers(Player* player, const char* rest)
{
    (void)rest;
    qvuiEditor_LookForLeftovers(player->editor);
}

static void PlayCrash(Player* player, const char* rest)
{
    (void)player, (void)rest;
    raise(SIGKILL);
}

static void PlayHurry(Player* player, const char* rest)
{
    player->script->hurries = strcmp(rest, "off") != 0;
}

static void PlaySay(Player* player, const char* rest)
{
    (void)player;
    puts(rest);
    fflush(stdout);
}

static void PlayQuit(Player* player, const char* rest)
{
    (void)rest;
    player->editor->wantsQuit = true;
}

// A number in [0, bound), from a linear congruential generator.
static int Random(uint64_t* state, int bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)bound);
}

static void PlayMonkey(Player* player, const char* rest)
{
    int count = 0, seed = 0;
    if (sscanf(rest, "%d %d", &count, &seed) < 1)
        Fail(player, "monkey needs a count");
    player->script->monkeySteps = count;
    player->script->monkeyState = (uint64_t)seed;
}

// The first shortcut of a random action, or a key that belongs to none.
static void PlayRandomKey(Player* player, uint64_t* random)
{
    static const char* const others[] = { "Enter", "Tab", "Backspace", "Ctrl+A", "Down", "Up", "Esc", "Esc" };
    char shortcut[64];
    const qvuiAction* action = qvuiGetAction(Random(random, qvuiActionCount()));
    qvuiAction_Shortcut(player->editor, action, shortcut, sizeof(shortcut));
    if (Random(random, 4) == 0 || shortcut[0] == 0)
        PlayKey(player, others[Random(random, sizeof(others) / sizeof(others[0]))]);
    else if (action->run != qvuiAction_Quit)
        PlayKey(player, shortcut);
}

// A place in the window; half of the time that of a named control, so that small ones are met too.
static void RandomPlace(Player* player, uint64_t* random, char* text, size_t capacity)
{
    const ImGuiIO* io = igGetIO();
    const qvuiNames* names = &player->editor->kit.names;
    int x = Random(random, (int)io->DisplaySize.x), y = Random(random, (int)io->DisplaySize.y);
    if (Random(random, 2) == 0 && names->count > 0)
    {
        ImVec2 middle = qvuiName_Middle(&names->items[Random(random, names->count)]);
        x = (int)middle.x, y = (int)middle.y;
    }
    snprintf(text, capacity, "%d %d", x, y);
}

static void RandomDrag(Player* player, uint64_t* random)
{
    static const char* const buttons[] = { "left",  "left",     "left",        "Ctrl+left",    "Shift+left", "middle",
                                           "right", "Alt+left", "Ctrl+middle", "Shift+middle", "Alt+right" };
    char text[96];
    int reach = Random(random, 3) == 0 ? 60 : 400;
    snprintf(text, sizeof(text), "%s %d %d", buttons[Random(random, sizeof(buttons) / sizeof(buttons[0]))],
             Random(random, reach) - reach / 2, Random(random, reach) - reach / 2);
    PlayDrag(player, text);
}

// Dialogs that write a file, and what starts other programs, only get keys that cannot do it.
static bool IsHarmful(const qvuiEditor* editor)
{
    return editor->dialog == qvui_dialogSave || editor->dialog == qvui_dialogExport ||
           editor->dialog == qvui_dialogPreferences || editor->dialog == qvui_dialogUnsaved;
}

// One random deed anywhere in the window, menus included.
static void MonkeyStep(Player* player)
{
    static const char* const texts[] = { "1", "0.5", "-3", "1e9", "abc", "2", "0", "gr" };
    uint64_t* random = &player->script->monkeyState;
    const qvuiEditor* editor = player->editor;
    char text[96];
    RandomPlace(player, random, text, sizeof(text));
    int deed = Random(random, 12);
    if (editor->session.document == NULL && !editor->loader.task.running &&
        (deed < 4 || player->script->monkeySteps == 0))
        qvuiEditor_Request(player->editor, qvui_pendingShape, "torus");
    else if (IsHarmful(editor))
        deed % 2 == 0 ? PlayKey(player, "Esc") : PlayMove(player, text);
    else if (deed < 4)
        PlayClick(player, text, SDL_BUTTON_LEFT, deed < 3 ? 1 : 2);
    else if (deed < 5)
        PlayContext(player, text);
    else if (deed < 8)
        RandomDrag(player, random);
    else if (deed < 9)
        PlayWheel(player, Random(random, 2) == 0 ? "3" : "-3");
    else if (deed < 11)
        PlayRandomKey(player, random);
    else if (igGetIO()->WantTextInput)
        PlayText(player, texts[Random(random, sizeof(texts) / sizeof(texts[0]))]);
    else
        PlayMove(player, text);
}

static const struct
{
    const char* name;
    void (*play)(Player* player, const char* rest);
} commands[] = {
    { "size", PlaySize },     { "open", PlayOpen },       { "move", PlayMove },
    { "press", PlayPress },   { "release", PlayRelease }, { "click", PlayClickLeft },
    { "double", PlayDouble }, { "context", PlayContext }, { "drag", PlayDrag },
    { "wheel", PlayWheel },   { "key", PlayKey },         { "text", PlayText },
    { "action", PlayAction }, { "actions", PlayActions }, { "panels", PlayPanels },
    { "save", PlaySave },     { "note", PlayNote },       { "wait", PlayWait },
    { "expect", PlayExpect }, { "quit", PlayQuit },       { "screenshot", PlayScreenshot },
    { "monkey", PlayMonkey }, { "journal", PlayJournal }, { "leftovers", PlayLeftovers },
    { "crash", PlayCrash },   { "hurry", PlayHurry },     { "until", PlayUntil },
    { "verify", PlayVerify }, { "say", PlaySay },         { "pixel", PlayPixel },
};

static void PlayLine(Player* player, const char* line)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
    {
        size_t length = strlen(commands[i].name);
        if (strncmp(line, commands[i].name, length) != 0 || (line[length] != ' ' && line[length] != 0))
            continue;
        const char* rest = line + length;
        commands[i].play(player, rest + strspn(rest, " "));
        return;
    }
    Fail(player, "\"%.40s\" is no command; see ui/window/script.h", line);
}

// The next line that is neither empty nor a comment, without the blanks around it; NULL at the end.
static const char* NextLine(qvuiScript* script, char* line, size_t capacity)
{
    while (*script->next != 0)
    {
        size_t length = strcspn(script->next, "\n");
        snprintf(line, capacity, "%.*s", (int)length, script->next);
        script->next += length + (script->next[length] == '\n');
        script->line++;
        char* start = line + strspn(line, " \t");
        for (size_t end = strlen(start); end > 0 && strchr(" \t\r", start[end - 1]) != NULL; end--)
            start[end - 1] = 0;
        if (start[0] != 0 && start[0] != '#')
            return start;
    }
    return NULL;
}

// Whether the next command takes a picture, which then has its final quality.
static bool NextIsPicture(const qvuiScript* script)
{
    const char* next = script->next + strspn(script->next, " \t\n");
    return strncmp(next, "screenshot", 10) == 0 || strncmp(next, "pixel", 5) == 0;
}

// Nothing is being read, solved or faded.
static bool IsAtRest(const qvuiEditor* editor, bool forPicture)
{
    if (editor->loader.task.running || editor->exporter.task.running || editor->preparation.task.running ||
        qvuiDemos_IsBusy(&editor->demos) || qvuiPreparation_HasPictures(&editor->preparation) ||
        qvuiSession_IsSolving(&editor->session) || qvuiFindings_IsBusy(&editor->findings, &editor->session) ||
        igGetTime() - editor->dialogTime < 0.25 || qvuiEditor_DrawsGraph(editor))
        return false;
    if (editor->session.playback.playing)
        return true;
    return forPicture ? qvuiViewport_NextWake(&editor->viewport) < 0.0 : !qvuiViewport_IsMoving(&editor->viewport);
}

// Whether a minute of waiting is over. By the wall clock: a large file takes its time, however many frames are drawn.
static bool IsLate(qvuiScript* script)
{
    double now = 1e-3 * (double)SDL_GetTicks64();
    if (script->waitStart < 0.0)
        script->waitStart = now;
    return now - script->waitStart > 60.0;
}

void qvuiScript_Step(qvuiScript* script, qvuiEditor* editor, const qvuiInput* input, SDL_Window* window)
{
    if (script->waitFrames > 0)
    {
        script->waitFrames--;
        return;
    }
    Player player = { script, editor, input, window };
    if (script->monkeySteps > 0)
    {
        script->monkeySteps--;
        MonkeyStep(&player);
        return;
    }
    if (script->until[0] != 0 && !HasValue(&player, script->until, IsLate(script)))
        return;
    if (script->until[0] != 0)
        script->until[0] = 0, script->waitStart = -1.0;
    bool held = input->down[0] || input->down[1] || input->down[2];
    if (!held && !script->hurries && !IsAtRest(editor, NextIsPicture(script)))
    {
        if (IsLate(script))
            Fail(&player, "the editor has not come to rest for a minute");
        return;
    }
    script->waitStart = -1.0;
    if (script->nextAction >= 0)
    {
        ActionStep(&player);
        return;
    }
    char buffer[qvui_maxPath];
    const char* start = script->next;
    int before = script->line;
    const char* line = NextLine(script, buffer, sizeof(buffer));
    if (line != NULL)
        PlayLine(&player, line);
    else
        editor->wantsQuit = true;
    if (script->scrolls > 0)
        script->next = start, script->line = before;
}
