// SPDX-License-Identifier: GPL-3.0-or-later
// The command that does whatever comes to mind.
#include "ui/window/script_play.h"

#include <stdio.h>

// A number in [0, bound), from a linear congruential generator.
static int Random(uint64_t* state, int bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)bound);
}

void qvuiPlay_Monkey(qvuiPlayer* player, const char* rest)
{
    int count = 0, seed = 0;
    if (sscanf(rest, "%d %d", &count, &seed) < 1)
        qvuiPlayer_Fail(player, "monkey needs a count");
    player->script->monkeySteps = count;
    player->script->monkeyState = (uint64_t)seed;
}

// The first shortcut of a random action, or a key that belongs to none.
static void RandomKey(qvuiPlayer* player, uint64_t* random)
{
    static const char* const others[] = { "Enter", "Tab", "Backspace", "Ctrl+A", "Down", "Up", "Esc", "Esc" };
    char shortcut[64];
    const qvuiAction* action = qvuiGetAction(Random(random, qvuiActionCount()));
    qvuiAction_Shortcut(player->editor, action, shortcut, sizeof(shortcut));
    if (Random(random, 4) == 0 || shortcut[0] == 0)
        qvuiPlay_Key(player, others[Random(random, sizeof(others) / sizeof(others[0]))]);
    else if (action->run != qvuiAction_Quit)
        qvuiPlay_Key(player, shortcut);
}

// A place in the window; half of the time that of a named control, so that small ones are met too.
static void RandomPlace(qvuiPlayer* player, uint64_t* random, char* text, size_t capacity)
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

static void RandomDrag(qvuiPlayer* player, uint64_t* random)
{
    static const char* const buttons[] = { "left",  "left",     "left",        "Ctrl+left",    "Shift+left", "middle",
                                           "right", "Alt+left", "Ctrl+middle", "Shift+middle", "Alt+right" };
    char text[96];
    int reach = Random(random, 3) == 0 ? 60 : 400;
    snprintf(text, sizeof(text), "%s %d %d", buttons[Random(random, sizeof(buttons) / sizeof(buttons[0]))],
             Random(random, reach) - reach / 2, Random(random, reach) - reach / 2);
    qvuiPlay_Drag(player, text);
}

// Dialogs that write a file, and what starts other programs, only get keys that cannot do it.
static bool IsHarmful(const qvuiEditor* editor)
{
    return editor->dialog == qvui_dialogSave || editor->dialog == qvui_dialogExport ||
           editor->dialog == qvui_dialogPreferences || editor->dialog == qvui_dialogUnsaved ||
           editor->dialog == qvui_dialogChanged;
}

void qvuiPlayer_Monkey(qvuiPlayer* player)
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
        deed % 2 == 0 ? qvuiPlay_Key(player, "Esc") : qvuiPlay_Move(player, text);
    else if (deed < 4)
        qvuiPlayer_ClickButton(player, text, SDL_BUTTON_LEFT, deed < 3 ? 1 : 2);
    else if (deed < 5)
        qvuiPlay_Context(player, text);
    else if (deed < 8)
        RandomDrag(player, random);
    else if (deed < 9)
        qvuiPlay_Wheel(player, Random(random, 2) == 0 ? "3" : "-3");
    else if (deed < 11)
        RandomKey(player, random);
    else if (igGetIO()->WantTextInput)
        qvuiPlay_Text(player, texts[Random(random, sizeof(texts) / sizeof(texts[0]))]);
    else
        qvuiPlay_Move(player, text);
}
