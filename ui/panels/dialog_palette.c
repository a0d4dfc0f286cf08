// SPDX-License-Identifier: GPL-3.0-or-later
// Every action by name or by what it does: type a few letters; Enter runs the first one, or the one that the arrows
// have gone to.
#include "ui/cimgui/focus.h"
#include "ui/panels/file_list.h"
#include "ui/widgets/row.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum
{
    MAX_ENTRIES = 256
};

static void Opened(qvuiEditor* editor)
{
    editor->palette[0] = 0;
    editor->paletteChoice = 0;
}

// How well letters that come in this order match, with gaps between them; smaller is better, -1: they do not.
static int ScoreGaps(const char* text, const char* typed)
{
    const char* at = text;
    int gaps = 0;
    for (; *typed != 0; typed++)
    {
        const char* start = at;
        while (*at != 0 && tolower((unsigned char)*at) != tolower((unsigned char)*typed))
            at++;
        if (*at == 0)
            return -1;
        gaps += (int)(at - start);
        at++;
    }
    return gaps;
}

enum
{
    STEP = 1000
};

// Where the letters stand together: whole words come first, then starts of words, then the rest. -1: nowhere.
static int ScoreTogether(const char* text, const char* typed)
{
    size_t length = strlen(typed);
    int best = -1;
    for (const char* at = text; *at != 0; at++)
    {
        if (strncasecmp(at, typed, length) != 0)
            continue;
        bool starts = at == text || !isalnum((unsigned char)at[-1]), ends = !isalnum((unsigned char)at[length]);
        int score = starts && ends ? 0 : starts ? STEP : 2 * STEP;
        best = best < 0 || score < best ? score : best;
    }
    return best;
}

// The name, then the description from starts of words on, and last letters of the name with gaps between them.
static int ScoreMatch(const qvuiAction* action, const char* typed)
{
    int name = ScoreTogether(action->label, typed), help = ScoreTogether(action->help, typed);
    if (name >= 0)
        return name;
    if (help >= 0 && help <= STEP)
        return 3 * STEP + help;
    int gaps = ScoreGaps(action->label, typed);
    return gaps >= 0 ? 5 * STEP + gaps : -1;
}

static bool IsPossible(const qvuiEditor* editor, const qvuiAction* action)
{
    return action->menu != qvui_menuNone && (action->isPossible == NULL || action->isPossible(editor));
}

static void RunAction(qvuiEditor* editor, const qvuiAction* action)
{
    qvuiEditor_SetDialog(editor, qvui_dialogNone);
    qvuiEditor_Run(editor, action);
}

static bool DrawEntry(qvuiEditor* editor, const qvuiAction* action, bool marked)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(style, 25), pad = qvuiPixels(style, 8);
    igPushID_Str(action->id);
    bool pressed =
        igSelectable_Bool("##action", marked, ImGuiSelectableFlags_DontClosePopups, (ImVec2){ room.x, height });
    igPopID();
    qvuiNames_AddItem(&editor->kit.names, action->label);
    qvuiTooltip(&editor->kit, action->help, NULL);
    ImDrawList* list = igGetWindowDrawList();
    char shortcut[64];
    qvuiAction_Shortcut(editor, action, shortcut, sizeof(shortcut));
    qvuiDrawText(list, style->body, (ImVec2){ place.x + pad, place.y }, height, QVUI_TEXT, action->label);
    float width = qvuiTextWidth(style->value, shortcut);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + room.x - pad - width, place.y }, height, QVUI_MUTED, shortcut);
    return pressed;
}

// What matches: the best first, equal ones as in the menus.
static int FindEntries(const qvuiEditor* editor, const qvuiAction** entries)
{
    int count = 0, scores[MAX_ENTRIES];
    for (int i = 0; i < qvuiActionCount() && count < MAX_ENTRIES; i++)
    {
        const qvuiAction* action = qvuiGetAction(i);
        int score = ScoreMatch(action, editor->palette), place = count;
        if (score < 0 || !IsPossible(editor, action))
            continue;
        for (; place > 0 && scores[place - 1] > score; place--)
            entries[place] = entries[place - 1], scores[place] = scores[place - 1];
        entries[place] = action, scores[place] = score;
        count++;
    }
    return count;
}

static void Draw(qvuiEditor* editor)
{
    igSetNextItemWidth(-1.0f);
    if (igIsWindowAppearing())
        igSetKeyboardFocusHere(0);
    char before[sizeof(editor->palette)];
    memcpy(before, editor->palette, sizeof(before));
    bool entered = qvuiInputText(&editor->kit, "##palette", "What do you want to do?", editor->palette,
                                 sizeof(editor->palette), ImGuiInputTextFlags_None);
    qvuiNames_AddItem(&editor->kit.names, "Command");
    qvuiTooltip(&editor->kit,
                "A few letters of a command, in their order, or a word of what it does; Enter runs the marked one",
                NULL);
    if (strcmp(before, editor->palette) != 0)
        editor->paletteChoice = 0;
    const qvuiAction* entries[MAX_ENTRIES];
    int count = FindEntries(editor, entries), *choice = &editor->paletteChoice;
    int step = qvuiArrowStep();
    *choice = *choice + step >= 0 && *choice + step < count ? *choice + step : *choice;
    const qvuiAction* chosen = entered && *choice < count ? entries[*choice] : NULL;
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    igBeginChild_Str("actions", (ImVec2){ 0, 0 }, false, ImGuiWindowFlags_NavFlattened);
    qvui_SkipTabStops();
    for (int i = 0; i < count; i++)
    {
        if (DrawEntry(editor, entries[i], i == *choice))
            chosen = entries[i];
        if (i == *choice && step != 0)
            igSetScrollHereY(0.5f);
    }
    if (count == 0)
        igTextUnformatted("No command has these letters in this order, or this word in its help.", NULL);
    qvui_EndTabStops();
    igEndChild();
    igPopStyleVar(1);
    if (chosen != NULL)
        RunAction(editor, chosen);
}

const qvuiDialog qvuiDialogPalette = { "palette", "Commands", 460, 420, Opened, Draw, false, false };
