// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that the editor, its window and the script itself do.
#include "ui/window/script_play.h"

#include "quaver/file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qvuiPlay_Size(qvuiPlayer* player, const char* rest)
{
    int width, height;
    if (sscanf(rest, "%d %d", &width, &height) == 2 && width > 0 && height > 0)
        SDL_SetWindowSize(player->window, width, height);
    else
        qvuiPlayer_Fail(player, "size needs a width and a height");
}

void qvuiPlay_Open(qvuiPlayer* player, const char* rest)
{
    qvuiEditor_Request(player->editor, qvui_pendingFile, rest);
}

void qvuiPlay_Action(qvuiPlayer* player, const char* rest)
{
    const qvuiAction* action = qvuiFindAction(rest);
    if (action == NULL)
        qvuiPlayer_Fail(player, "no action is named \"%s\"", rest);
    else
        qvuiEditor_Run(player->editor, action);
}

void qvuiPlay_Actions(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    player->script->nextAction = 0;
}

void qvuiPlayer_NextAction(qvuiPlayer* player)
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

void qvuiPlay_Panels(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    for (int i = 0; i < qvui_panelCount; i++)
        player->editor->panelOpen[i] = true;
}

void qvuiPlay_Save(qvuiPlayer* player, const char* rest)
{
    if (!qvuiEditor_Save(player->editor, rest))
        qvuiPlayer_Fail(player, "cannot save: %.300s", player->editor->toast.text);
}

void qvuiPlay_Wait(qvuiPlayer* player, const char* rest)
{
    player->script->waitFrames = atoi(rest);
}

void qvuiPlay_Verify(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    player->script->verifies = true;
}

void qvuiPlay_Copy(qvuiPlayer* player, const char* rest)
{
    char from[512], to[512];
    qvBytes bytes = { 0 };
    qvError error;
    qvResult result = sscanf(rest, "%511s %511s", from, to) == 2
                          ? qvReadFile(from, (size_t)64 << 20, &bytes, &error)
                          : qvError_Set(&error, qv_badInput, "copy needs two files");
    if (result == qv_ok)
        result = qvWriteFile(to, bytes.data, bytes.size, &error);
    if (result != qv_ok)
        qvuiPlayer_Fail(player, "%.300s", error.message);
    qvFreeBytes(&bytes);
}

void qvuiPlay_Delete(qvuiPlayer* player, const char* rest)
{
    if (remove(rest) != 0)
        qvuiPlayer_Fail(player, "cannot delete %.300s", rest);
}

void qvuiPlay_Focus(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    SDL_Event event = { .window = { .type = SDL_WINDOWEVENT,
                                    .windowID = SDL_GetWindowID(player->window),
                                    .event = SDL_WINDOWEVENT_FOCUS_GAINED } };
    if (SDL_PushEvent(&event) < 0)
        qvuiPlayer_Fail(player, "no more events fit into the queue");
}

void qvuiPlay_Journal(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    player->editor->keepsJournal = true;
}

void qvuiPlay_Leftovers(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    qvuiEditor_LookForLeftovers(player->editor);
}

void qvuiPlay_Crash(qvuiPlayer* player, const char* rest)
{
    (void)player, (void)rest;
    raise(SIGKILL);
}

void qvuiPlay_Hurry(qvuiPlayer* player, const char* rest)
{
    player->script->hurries = strcmp(rest, "off") != 0;
}

void qvuiPlay_Say(qvuiPlayer* player, const char* rest)
{
    (void)player;
    puts(rest);
    fflush(stdout);
}

void qvuiPlay_Quit(qvuiPlayer* player, const char* rest)
{
    (void)rest;
    player->editor->wantsQuit = true;
}
