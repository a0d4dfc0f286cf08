// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/here.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>

bool qvuiIsKeyElsewhere(const qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    const qvSceneKey* key = scene != NULL ? qvScene_FindKey(scene, session->selection.key, NULL) : NULL;
    return key != NULL && !session->playback.playing && fabs(key->time - session->playback.time) >= 0.5 / scene->fps;
}

// What there is at the playhead: the shown key, another one, or none.
static void Describe(const qvuiEditor* editor, const qvSceneKey* here, int index, char* text, size_t capacity)
{
    const qvuiSession* session = &editor->session;
    double time = session->playback.time, fps = qvuiSession_Scene(session)->fps;
    if (session->playback.playing)
        snprintf(text, capacity, "Playing");
    else if (here != NULL && here->id == session->selection.key)
        snprintf(text, capacity, "At the playhead");
    else if (here != NULL)
        snprintf(text, capacity, "Playhead on key %d", index + 1);
    else if (editor->timeline.showFrames)
        snprintf(text, capacity, "No key at frame %.0f", round(time * fps));
    else
        snprintf(text, capacity, "No key at %.2f s", time);
}

// Filled for the key that is shown, as in the timeline; an outline for another one or none.
static void DrawDiamond(const qvuiStyle* style, ImVec2 middle, bool filled)
{
    const float radii[] = { qvuiPixels(style, 5.5), filled ? 0.0f : qvuiPixels(style, 4) };
    const ImU32 colors[] = { filled ? QVUI_AMBER : QVUI_MUTED, QVUI_PANEL };
    for (int i = 0; i < 2; i++)
        ImDrawList_AddQuadFilled(igGetWindowDrawList(), (ImVec2){ middle.x, middle.y - radii[i] },
                                 (ImVec2){ middle.x + radii[i], middle.y }, (ImVec2){ middle.x, middle.y + radii[i] },
                                 (ImVec2){ middle.x - radii[i], middle.y }, colors[i]);
}

// The button ends at *right, which moves on to the left.
static bool Button(qvuiEditor* editor, ImVec2 place, float* right, const char* label, const char* name, bool enabled,
                   const char* tooltip)
{
    qvuiKit* kit = &editor->kit;
    float width = qvuiTextWidth(kit->style.body, name != NULL ? QVUI_ICON_CARET_LEFT : label);
    width += qvuiPixels(&kit->style, 18);
    *right -= width;
    igSetCursorScreenPos((ImVec2){ *right, place.y });
    igBeginDisabled(!enabled);
    bool pressed = qvuiPill(kit, label, width, tooltip);
    igEndDisabled();
    if (name != NULL)
        qvuiNames_AddArea(&kit->names, name);
    *right -= qvuiPixels(&kit->style, 4);
    return pressed;
}

// What is missing at the playhead: a key, or that it is shown.
static void ButtonForHere(qvuiEditor* editor, const qvSceneKey* here, ImVec2 place, float* right)
{
    qvuiSession* session = &editor->session;
    if (session->playback.playing || (here != NULL && here->id == session->selection.key))
        return;
    if (here != NULL && Button(editor, place, right, "Show", NULL, true, "Shows the key at the playhead, to change it"))
        qvuiSession_SelectKey(session, here->id, false);
    else if (here == NULL && Button(editor, place, right, "Insert", NULL, editor->session.body != NULL,
                                    "Makes a key here from the pose that is shown, as I does; the first stroke does so "
                                    "by itself while auto-key is on"))
        qvuiEditor_Run(editor, qvuiFindAction("key.insert"));
}

void qvuiDrawHereRow(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiSession* session = &editor->session;
    int index = 0;
    const qvSceneKey* here = qvScene_FindKey(qvuiSession_Scene(session), qvuiSession_KeyAtTime(session), &index);
    ImVec2 place, room;
    char text[64], buffer[64];
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float pad = qvuiPixels(style, 12), height = qvuiPixels(style, 29), right = place.x + room.x - pad;
    bool shown = here != NULL && here->id == session->selection.key && !session->playback.playing;
    Describe(editor, here, index, text, sizeof(text));
    if (Button(editor, place, &right, QVUI_ICON_CARET_RIGHT "##next", "To the next key",
               qvuiSession_NeighbourKey(session, 1) != 0, "Goes to the next key and shows it, as Up does"))
        qvuiEditor_Run(editor, qvuiFindAction("time.nextKey"));
    if (Button(editor, place, &right, QVUI_ICON_CARET_LEFT "##previous", "To the key before",
               qvuiSession_NeighbourKey(session, -1) != 0, "Goes to the key before and shows it, as Down does"))
        qvuiEditor_Run(editor, qvuiFindAction("time.previousKey"));
    ButtonForHere(editor, here, place, &right);
    DrawDiamond(style, (ImVec2){ place.x + pad + qvuiPixels(style, 6), place.y + 0.45f * height }, shown);
    float x = place.x + pad + qvuiPixels(style, 18);
    qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ x, place.y }, qvuiPixels(style, 26),
                 shown || session->playback.playing ? QVUI_MUTED : QVUI_TEXT,
                 qvuiShorten(style->value, text, right - x, false, buffer, sizeof(buffer)));
    qvuiNames_AddRect(&editor->kit.names, text, place, (ImVec2){ right, place.y + height });
    igSetCursorScreenPos(place);
    igDummy((ImVec2){ room.x, height });
}

void qvuiDimElsewhere(qvuiEditor* editor, ImVec2 start)
{
    ImVec2 end, room, mouse = igGetIO()->MousePos;
    igGetCursorScreenPos(&end);
    igGetContentRegionAvail(&room);
    bool over = mouse.x >= start.x && mouse.x < start.x + room.x && mouse.y >= start.y && mouse.y < end.y;
    if (qvuiIsKeyElsewhere(editor) && !over)
        ImDrawList_AddRectFilled(igGetWindowDrawList(), start, (ImVec2){ start.x + room.x, end.y },
                                 QVUI_RGBA(0x1f2227, 90), 0, 0);
}
