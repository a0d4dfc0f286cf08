// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: what the mouse does now at the left, what the program does at the right.
#include "ui/panels/frame.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* qvuiFindHint(const qvuiEditor* editor)
{
    if (editor->hint != NULL)
        return editor->hint;
    if (editor->kit.hint != NULL)
        return editor->kit.hint;
    switch (editor->viewport.drag)
    {
    case qvui_dragOrbit:
        return "Orbiting\tlet go to stop";
    case qvui_dragPan:
        return "Panning\tlet go to stop";
    case qvui_dragZoom:
        return "Zooming\tright or up comes closer";
    case qvui_dragNone:
        break;
    }
    if (editor->session.document == NULL)
        return "Drop\ta scene or mesh file into the window|Ctrl+O\topen";
    // Over a panel the brushes have nothing to do.
    bool inside = igGetIO()->MousePos.x > -1e30f && editor->viewport.tools.active == NULL;
    if (inside && editor->where == qvui_whereAny && editor->viewport.tools.adjust == qvui_adjustNone)
        return "Rest\ton a control for its help|F3\tsearch commands|N\tshow or hide the inspector";
    return qvuiViewport_Hint(editor);
}

// Pairs "keys<tab>what they do", separated by bars; keys are drawn in semibold. Pairs that do not fit are left out.
static void DrawHint(const qvuiStyle* style, const char* hint, ImVec2 place, float height, float right)
{
    ImDrawList* list = igGetWindowDrawList();
    float x = place.x;
    while (*hint != 0)
    {
        char keys[64], what[96];
        int used = 0;
        if (sscanf(hint, "%63[^\t]\t%95[^|]%n", keys, what, &used) != 2)
            return;
        float keyWidth = qvuiTextWidth(style->strong, keys) + qvuiPixels(style, 5);
        float width = keyWidth + qvuiTextWidth(style->value, what);
        if (x + width > right)
            return;
        qvuiDrawText(list, style->strong, (ImVec2){ x, place.y }, height, QVUI_TEXT, keys);
        qvuiDrawText(list, style->value, (ImVec2){ x + keyWidth, place.y }, height, QVUI_MUTED, what);
        x += width + qvuiPixels(style, 16);
        hint += used;
        hint += *hint == '|';
    }
}

// How long ago the document was saved; seconds in tens, so that an idle window need not draw for each.
static void DescribeSaving(const qvuiEditor* editor, char* text, size_t capacity)
{
    double ago = igGetTime() - editor->savedTime;
    text[0] = 0;
    if (editor->session.document == NULL || editor->savedTime <= 0.0)
        return;
    if (ago < 10.0)
        snprintf(text, capacity, "saved just now");
    else if (ago < 60.0)
        snprintf(text, capacity, "saved %.0f s ago", 10.0 * floor(ago / 10.0));
    else if (ago < 3600.0)
        snprintf(text, capacity, "saved %.0f min ago", floor(ago / 60.0));
    else
        snprintf(text, capacity, "saved %.0f h ago", floor(ago / 3600.0));
}

// A stage of the solver in the words of who waits for it.
static const char* NameStage(const char* stage)
{
    static const char* const names[][2] = {
        { "analysis", "preparing the body" },    { "factorization", "preparing the body" },
        { "modes", "finding how it swings" },    { "basis", "preparing the motion" },
        { "reduction", "preparing the motion" }, { "linearizations", "preparing the motion" },
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        if (strcmp(stage, names[i][0]) == 0)
            return names[i][1];
    }
    return stage;
}

// What the program does, and its colour.
static ImU32 DescribeState(qvuiEditor* editor, char* text, size_t capacity)
{
    const qvuiSession* session = &editor->session;
    double fraction;
    char stage[64];
    text[0] = 0;
    if (qvuiEditor_Progress(editor, &fraction, stage))
        snprintf(text, capacity, "%s %.0f %%", NameStage(stage), 100.0 * fraction);
    else if (session->problem[0] != 0)
    {
        snprintf(text, capacity, QVUI_ICON_WARNING "  %s", session->problem);
        return QVUI_CORAL;
    }
    else if (session->take != NULL)
        snprintf(text, capacity, "solved " QVUI_ICON_CHECK);
    return QVUI_TEAL;
}

// The whole text on hovering; a click shows it again over the viewport.
static void ProblemButton(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    igSetCursorScreenPos(place);
    if (igInvisibleButton("problem", size, ImGuiButtonFlags_MouseButtonLeft))
        qvuiEditor_Notify(editor, true, "%s", editor->session.problem);
    qvuiNames_AddItem(&editor->kit.names, "Problem");
    qvuiTooltip(&editor->kit, editor->session.problem, "Click to keep it in sight");
}

// Returns the left end of what was drawn.
static float DrawState(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float right = place.x + size.x - qvuiPixels(style, 12);
    right -= qvuiTextWidth(style->value, "F1 help");
    qvuiDrawText(list, style->value, (ImVec2){ right, place.y }, size.y, QVUI_MUTED, "F1 help");
    char text[640], buffer[640];
    DescribeSaving(editor, text, sizeof(text));
    if (text[0] != 0)
        right -= qvuiTextWidth(style->value, text) + qvuiPixels(style, 16);
    qvuiDrawText(list, style->value, (ImVec2){ right, place.y }, size.y, QVUI_MUTED, text);
    ImU32 color = DescribeState(editor, text, sizeof(text));
    const char* shown = qvuiShorten(style->value, text, 0.45f * size.x, false, buffer, sizeof(buffer));
    float width = qvuiTextWidth(style->value, shown);
    right -= width + qvuiPixels(style, 16);
    qvuiDrawText(list, style->value, (ImVec2){ right, place.y }, size.y, color, shown);
    if (color == QVUI_CORAL)
        ProblemButton(editor, (ImVec2){ right, place.y }, (ImVec2){ width, size.y });
    return right;
}

double qvuiStatusWake(const qvuiEditor* editor)
{
    if (editor->session.document == NULL || editor->savedTime <= 0.0)
        return -1.0;
    double ago = igGetTime() - editor->savedTime, step = ago < 60.0 ? 10.0 : ago < 3600.0 ? 60.0 : 3600.0;
    return step * (floor(ago / step) + 1.0) - ago + 0.02;
}

void qvuiDrawStatusBar(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiBeginArea("status", place, size, QVUI_PANEL);
    ImDrawList_AddRectFilled(igGetWindowDrawList(), place, (ImVec2){ place.x + size.x, place.y + 1 }, QVUI_LINE, 0, 0);
    float right = DrawState(editor, place, size);
    DrawHint(style, qvuiFindHint(editor), (ImVec2){ place.x + qvuiPixels(style, 12), place.y }, size.y,
             right - qvuiPixels(style, 16));
    qvuiEndArea();
}
