// SPDX-License-Identifier: GPL-3.0-or-later
// The manual: the text of manual.md, with its headings, paragraphs and lists.
#include "ui/panels/frame.h"

#include "quaver/file.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_MANUAL = 1 << 20 // bytes
};

static void Open(qvuiEditor* editor)
{
    if (editor->manual != NULL)
        return;
    char path[qvui_maxPath];
    qvError error;
    qvBytes bytes;
    if (!qvuiDataPath("manual.md", path, sizeof(path)))
        editor->manual = strdup("The manual is not installed: manual.md is missing beside the program's scenes.");
    else if (qvReadFile(path, MAX_MANUAL, &bytes, &error) == qv_ok)
        editor->manual = bytes.data; // ends in zero, freed with the editor
    else
        editor->manual = strdup(error.message);
}

static void Heading(const qvuiStyle* style, ImFont* font, const char* text, const char* end)
{
    igDummy((ImVec2){ 1, qvuiPixels(style, 8) });
    igPushFont(font);
    igTextUnformatted(text, end);
    igPopFont();
}

// Lines of one paragraph or list entry run on: their breaks are those of the file, not of the window.
static void Paragraph(const qvuiStyle* style, char* line, size_t length)
{
    bool entry = length > 2 && strncmp(line, "- ", 2) == 0;
    float indent = entry ? qvuiPixels(style, 14) : 0.0f;
    ImVec2 place;
    igGetCursorScreenPos(&place);
    if (entry)
    {
        line += 2, length -= 2;
        igTextUnformatted("\xe2\x80\xa2", NULL);
        igSetCursorScreenPos((ImVec2){ place.x + indent, place.y });
    }
    igTextUnformatted(line, line + length);
}

// The end of the block that starts at text: a heading is a line, a paragraph or entry lasts to the next one.
static size_t BlockLength(const char* text)
{
    size_t length = strcspn(text, "\n");
    while (text[0] != '#' && text[length] == '\n')
    {
        const char* next = text + length + 1;
        if (next[0] == '\n' || next[0] == 0 || next[0] == '#' || strncmp(next, "- ", 2) == 0)
            break;
        length += 1 + strcspn(next, "\n");
    }
    return length;
}

static void DrawBlock(const qvuiStyle* style, const char* text, size_t length)
{
    if (strncmp(text, "# ", 2) == 0)
        Heading(style, style->title, text + 2, text + length);
    else if (strncmp(text, "## ", 3) == 0)
        Heading(style, style->strong, text + 3, text + length);
    else
    {
        char joined[2048];
        size_t used = 0;
        for (size_t i = 0; i < length && used + 1 < sizeof(joined); i++)
        {
            bool blank = text[i] == '\n' || text[i] == ' ';
            if (!blank || (used > 0 && joined[used - 1] != ' '))
                joined[used++] = blank ? ' ' : text[i];
        }
        Paragraph(style, joined, used);
    }
}

static void Draw(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiDrawHelpPages(editor);
    igBeginChild_Str("text", (ImVec2){ 0, 0 }, false, ImGuiWindowFlags_None);
    igPushTextWrapPos(0.0f);
    for (const char* text = editor->manual != NULL ? editor->manual : ""; text[0] != 0;)
    {
        size_t length = BlockLength(text);
        if (length > 0)
            DrawBlock(style, text, length);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    igPopTextWrapPos();
    igEndChild();
}

const qvuiDialog qvuiDialogManual = { "manual", "Help", 760, 620, Open, Draw, false, true };
