// SPDX-License-Identifier: GPL-3.0-or-later
// Play and its neighbours, the time, and switches at the right.
#include "ui/editor/editor.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>

typedef struct Bar
{
    qvuiEditor* editor;
    float x, y, height;
} Bar;

static bool IconButton(Bar* bar, const char* icon, const char* name, const char* actionId, bool strong)
{
    const qvuiStyle* style = &bar->editor->kit.style;
    float width = qvuiPixels(style, strong ? 34 : 27), height = qvuiPixels(style, 22);
    ImVec2 place = { bar->x, bar->y + floorf(0.5f * (bar->height - height)) };
    igSetCursorScreenPos(place);
    bool pressed = igInvisibleButton(name, (ImVec2){ width, height }, ImGuiButtonFlags_MouseButtonLeft);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&bar->editor->kit.names, name);
    const qvuiAction* action = qvuiFindAction(actionId);
    char shortcut[64];
    qvuiTooltip(&bar->editor->kit, action->help, qvuiAction_Shortcut(bar->editor, action, shortcut, sizeof(shortcut)));
    ImDrawList* list = igGetWindowDrawList();
    if (strong)
        ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + width, place.y + height },
                                 hovered ? QVUI_RGB(0x58d6c4) : QVUI_TEAL, 0.5f * height, 0);
    ImU32 color = strong ? QVUI_RGB(0x10201d) : hovered ? QVUI_RGB(0xffffff) : QVUI_TEXT;
    float textWidth = qvuiTextWidth(style->body, icon);
    qvuiDrawText(list, style->body, (ImVec2){ place.x + 0.5f * (width - textWidth), place.y }, height, color, icon);
    bar->x += width + qvuiPixels(style, 6);
    if (pressed)
        qvuiEditor_Run(bar->editor, action);
    return pressed;
}

// A small pill that is lit when on; its shortcut is that of an action ("": none).
static bool Pill(Bar* bar, const char* name, const char* text, bool on, const char* tooltip, const char* actionId,
                 bool leftwards)
{
    const qvuiStyle* style = &bar->editor->kit.style;
    float width = qvuiTextWidth(style->value, text) + qvuiPixels(style, 20), height = qvuiPixels(style, 21);
    if (leftwards)
        bar->x -= width;
    ImVec2 place = { bar->x, bar->y + floorf(0.5f * (bar->height - height)) };
    igSetCursorScreenPos(place);
    bool pressed = igInvisibleButton(name, (ImVec2){ width, height }, ImGuiButtonFlags_MouseButtonLeft);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&bar->editor->kit.names, name);
    const qvuiAction* action = qvuiFindAction(actionId);
    char shortcut[64] = "";
    if (action != NULL)
        qvuiAction_Shortcut(bar->editor, action, shortcut, sizeof(shortcut));
    qvuiTooltip(&bar->editor->kit, action != NULL ? action->help : tooltip, shortcut);
    ImDrawList* list = igGetWindowDrawList();
    ImU32 color = on ? QVUI_RGB(0x1f5249) : hovered ? QVUI_HOVER : QVUI_CONTROL;
    ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + width, place.y + height }, color, 0.5f * height, 0);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + qvuiPixels(style, 10), place.y }, height,
                 on ? QVUI_RGB(0x8fe8da) : QVUI_TEXT, text);
    float gap = qvuiPixels(style, 7);
    bar->x += leftwards ? -gap : width + gap;
    return pressed;
}

// What is chosen among few, with a caret: a click opens the menu. Square corners, because pills are switches.
static bool BeginChoice(Bar* bar, const char* name, const char* text, const char* tooltip, int itemCount)
{
    qvuiKit* kit = &bar->editor->kit;
    const qvuiStyle* style = &kit->style;
    float pad = qvuiPixels(style, 8), height = qvuiPixels(style, 21);
    float caret = qvuiTextWidth(style->value, QVUI_ICON_CARET_DOWN), width = qvuiTextWidth(style->value, text);
    ImVec2 place = { bar->x, bar->y + floorf(0.5f * (bar->height - height)) };
    ImVec2 size = { 3 * pad + width + caret, height };
    igSetCursorScreenPos(place);
    igPushID_Str(name);
    if (igInvisibleButton("choice", size, ImGuiButtonFlags_MouseButtonLeft))
        igOpenPopup_Str("choices", ImGuiPopupFlags_None);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiNames_AddItem(&kit->names, name);
    qvuiTooltip(kit, tooltip, NULL);
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + size.x, place.y + height },
                             hovered ? QVUI_HOVER : QVUI_CONTROL, qvuiPixels(style, 5), 0);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + pad, place.y }, height, QVUI_TEXT, text);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + 2 * pad + width, place.y }, height, QVUI_MUTED,
                 QVUI_ICON_CARET_DOWN);
    bar->x += size.x + qvuiPixels(style, 7);
    bool open = qvuiBeginChoicePopup(kit, "choices", place, (ImVec2){ place.x + size.x, place.y + height }, itemCount);
    if (!open)
        igPopID();
    return open;
}

static bool ChoiceItem(Bar* bar, const char* text, const char* remark, bool chosen)
{
    bool pressed = igMenuItem_Bool(text, remark, chosen, true);
    qvuiNames_AddItem(&bar->editor->kit.names, text);
    qvuiTooltip(&bar->editor->kit, "Only about playing here; the motion stays as it is", NULL);
    return pressed;
}

static void EndChoice(void)
{
    qvuiEndMenuPopup();
    igPopID();
}

static void DrawSpeed(Bar* bar)
{
    static const double speeds[] = { 0.1, 0.25, 0.5, 1.0, 2.0 };
    qvuiPlayback* playback = &bar->editor->session.playback;
    char text[32];
    snprintf(text, sizeof(text), "%.3g\xc3\x97", playback->speed);
    if (!BeginChoice(bar, "Speed", text, "How fast it plays here; the motion and what is exported keep their time",
                     sizeof(speeds) / sizeof(speeds[0])))
        return;
    for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
    {
        snprintf(text, sizeof(text), "%.3g\xc3\x97", speeds[i]);
        if (ChoiceItem(bar, text, NULL, playback->speed == speeds[i]))
            playback->speed = speeds[i];
    }
    EndChoice();
}

// Fewer words where there is little room.
static void DrawPlayMode(Bar* bar, bool brief)
{
    static const char* const labels[qvui_playModeCount] = { "Repeat", "Once", "Ping-pong" };
    static const char* const remarks[qvui_playModeCount] = { "again from the start", "stop at the end",
                                                             "turn round at the ends" };
    static const char* const shown[2][qvui_playModeCount] = { { "plays on repeat", "plays once", "plays ping-pong" },
                                                              { "repeats", "once", "ping-pong" } };
    qvuiPlayback* playback = &bar->editor->session.playback;
    if (!BeginChoice(
            bar, "Play mode", shown[brief][playback->mode],
            "What playing does at the end; the motion itself does not change, \xe2\x80\x9cloop\xe2\x80\x9d does that",
            qvui_playModeCount))
        return;
    for (int i = 0; i < qvui_playModeCount; i++)
        if (ChoiceItem(bar, labels[i], remarks[i], (int)playback->mode == i))
            playback->mode = (qvuiPlayMode)i;
    EndChoice();
}

// Time and frame, as "0.92 s  frame 22 / 96".
static void DrawTime(Bar* bar, float right)
{
    const qvuiStyle* style = &bar->editor->kit.style;
    const qvScene* scene = qvuiSession_Scene(&bar->editor->session);
    double time = bar->editor->session.playback.time, range[2];
    qvScene_Range(scene, range);
    char seconds[48], frames[48];
    snprintf(seconds, sizeof(seconds), "%.2f s", time);
    snprintf(frames, sizeof(frames), "frame %.0f / %.0f", floor(time * scene->fps + 0.5),
             floor(range[1] * scene->fps + 0.5));
    ImDrawList* list = igGetWindowDrawList();
    float width = qvuiTextWidth(style->strong, seconds) + qvuiPixels(style, 8);
    if (bar->x + width > right)
        return;
    qvuiDrawText(list, style->strong, (ImVec2){ bar->x, bar->y }, bar->height, QVUI_TEXT, seconds);
    if (bar->x + width + qvuiTextWidth(style->body, frames) <= right)
        qvuiDrawText(list, style->body, (ImVec2){ bar->x + width, bar->y }, bar->height, QVUI_MUTED, frames);
}

static void DrawSeam(Bar* bar)
{
    const qvuiSession* session = &bar->editor->session;
    if (session->take == NULL || !qvTake_Scene(session->take)->loop || !bar->editor->findings.hasSeam)
        return;
    qvSeam seam = bar->editor->findings.seam;
    char tooltip[200];
    snprintf(tooltip, sizeof(tooltip),
             "The loop's end %s its start. Jump, of the body's size%s: position %.2g %%, velocity %.2g %%/s, "
             "acceleration %.2g %%/s\xc2\xb2",
             seam.closes ? "flows into" : "does not quite flow into", seam.atLeast ? ", at least" : "",
             100.0 * seam.position, 100.0 * seam.velocity, 100.0 * seam.acceleration);
    Pill(bar, seam.closes ? "Seam closes" : "Seam jumps", seam.closes ? "seam " QVUI_ICON_CHECK : "seam jumps",
         seam.closes, tooltip, "", true);
}

static void DrawLoop(Bar* bar)
{
    qvuiSession* session = &bar->editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    qvError error;
    qvRef ref = { qv_objectScene, 0 };
    if (Pill(bar, "Loop", "loop", scene->loop, NULL, "time.loop", false))
        qvuiEditor_Did(bar->editor, qvDocument_SetBool(session->document, ref, "loop", !scene->loop, &error), &error);
}

void qvuiDrawTransport(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiSession* session = &editor->session;
    float wanted = qvuiPixels(style, 560);
    Bar bar = { editor, place.x + fmaxf(qvuiPixels(style, 16), floorf(0.36f * (size.x - wanted))), place.y, size.y };
    IconButton(&bar, QVUI_ICON_FAST_BACK, "To the start", "time.start", false);
    IconButton(&bar, QVUI_ICON_BACK, "Previous key", "time.previousKey", false);
    IconButton(&bar, session->playback.playing ? QVUI_ICON_PAUSE : QVUI_ICON_PLAY,
               session->playback.playing ? "Pause" : "Play", "time.play", true);
    IconButton(&bar, QVUI_ICON_FORWARD, "Next key", "time.nextKey", false);
    IconButton(&bar, QVUI_ICON_FAST_FORWARD, "To the end", "time.end", false);
    bar.x += qvuiPixels(style, 4);
    DrawLoop(&bar);
    DrawPlayMode(&bar, size.x < qvuiPixels(style, 1200));
    DrawSpeed(&bar);
    Bar right = { editor, place.x + size.x - qvuiPixels(style, 12), place.y, size.y };
    if (Pill(&right, "Auto-key", "auto-key", session->autoKey,
             "A stroke where there is no key makes one; without, such strokes are refused", "", true))
        session->autoKey = !session->autoKey;
    qvuiOverlay* overlay = &editor->viewport.overlay;
    float needed = qvuiPixels(style, 340);
    if (right.x - bar.x > needed && Pill(&right, "Trails on", "trails", overlay->showTrails, NULL, "view.trails", true))
        overlay->showTrails = !overlay->showTrails;
    if (right.x - bar.x > needed && Pill(&right, "Ghosts on", "ghosts", overlay->showGhosts, NULL, "view.ghosts", true))
        overlay->showGhosts = !overlay->showGhosts;
    DrawSeam(&right);
    bar.x += qvuiPixels(style, 6);
    DrawTime(&bar, right.x);
}
