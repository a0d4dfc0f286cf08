// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that look at the state of the editor.
#include "ui/window/script_play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qvuiPlay_Note(qvuiPlayer* player, const char* rest)
{
    if (!qvuiEditor_Query(player->editor, rest, player->script->noted, sizeof(player->script->noted)))
        qvuiPlayer_Fail(player, "no state is named \"%s\"", rest);
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

bool qvuiPlayer_HasValue(qvuiPlayer* player, const char* rest, bool complain)
{
    char name[64], found[1024], buffer[1100];
    int used = 0;
    if (sscanf(rest, "%63s %n", name, &used) != 1)
        qvuiPlayer_Fail(player, "a name and a value are needed");
    else if (!qvuiEditor_Query(player->editor, name, found, sizeof(found)))
        qvuiPlayer_Fail(player, "no state is named \"%s\"", name);
    else
    {
        const char* wanted = Wanted(player->script, rest + used, buffer, sizeof(buffer));
        if (SameValue(wanted, found))
            return true;
        if (complain)
            qvuiPlayer_Fail(player, "%s is \"%s\", not \"%s\"", name, found, wanted);
    }
    return false;
}

void qvuiPlay_Expect(qvuiPlayer* player, const char* rest)
{
    qvuiPlayer_HasValue(player, rest, true);
}

void qvuiPlay_Until(qvuiPlayer* player, const char* rest)
{
    snprintf(player->script->until, sizeof(player->script->until), "%s", rest);
}
