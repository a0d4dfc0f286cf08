// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/script.h"

#include "quaver/file.h"
#include "ui/window/script_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
    const char* name;
    qvuiPlayFcn* play;
} commands[] = {
#define COMMAND(tag, name) { tag, qvuiPlay_##name },
#include "ui/window/script_list.inl"
#undef COMMAND
};

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

void qvuiPlayer_Fail(qvuiPlayer* player, const char* format, ...)
{
    qvuiScript* script = player->script;
    va_list args;
    va_start(args, format);
    script->result = qvError_SetV(&script->error, qv_badInput, format, args);
    va_end(args);
    qvError_Prefix(&script->error, "%s: line %d", script->path, script->line);
    player->editor->wantsQuit = true;
}

static void PlayLine(qvuiPlayer* player, const char* line)
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
    qvuiPlayer_Fail(player, "\"%.40s\" is no command; see ui/window/script.h", line);
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

// Whether five minutes of waiting are over. By the wall clock: a large file takes its time, however many frames are
// drawn, and a busy machine takes several times as long.
static bool IsLate(qvuiScript* script)
{
    double now = 1e-3 * (double)SDL_GetTicks64();
    if (script->waitStart < 0.0)
        script->waitStart = now;
    return now - script->waitStart > 300.0;
}

void qvuiScript_Step(qvuiScript* script, qvuiEditor* editor, const qvuiInput* input, SDL_Window* window)
{
    if (script->waitFrames > 0)
    {
        script->waitFrames--;
        return;
    }
    qvuiPlayer player = { script, editor, input, window };
    if (script->monkeySteps > 0)
    {
        script->monkeySteps--;
        qvuiPlayer_Monkey(&player);
        return;
    }
    if (script->until[0] != 0 && !qvuiPlayer_HasValue(&player, script->until, IsLate(script)))
        return;
    if (script->until[0] != 0)
        script->until[0] = 0, script->waitStart = -1.0;
    bool held = input->down[0] || input->down[1] || input->down[2];
    if (!held && !script->hurries && !IsAtRest(editor, NextIsPicture(script)))
    {
        if (IsLate(script))
            qvuiPlayer_Fail(&player, "the editor has not come to rest for five minutes");
        return;
    }
    script->waitStart = -1.0;
    if (script->nextAction >= 0)
    {
        qvuiPlayer_NextAction(&player);
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
