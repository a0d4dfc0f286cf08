// SPDX-License-Identifier: GPL-3.0-or-later
// The mode mixer, as on an audio desk: a strip per mode with its level, frequency, gain, damping, solo and mute. A gain
// acts on what physics adds to the smooth motion, so keys stay where they are.
#include "ui/editor/editor.h"

#include "ui/actions/state.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MAX_STRIPS = 200 // as many as strips can be about
};

static const qvSceneStrip* FindStrip(const qvScene* scene, int mode)
{
    for (int i = 0; i < scene->stripCount; i++)
        if (scene->strips[i]->def.mode == mode)
            return scene->strips[i];
    return NULL;
}

static void SetStrip(qvuiEditor* editor, int mode, const char* field, double value, bool isBool)
{
    qvDocument* document = editor->session.document;
    const qvSceneStrip* strip = FindStrip(qvDocument_Scene(document), mode);
    qvRef object = { qv_objectStrip, strip != NULL ? strip->id : 0 };
    qvError error;
    qvResult result = qv_ok;
    qvuiEditor_HoldStep(editor, "Mixer");
    qvDocument_Begin(document, "Mixer", 0);
    if (strip == NULL)
    {
        qvJson* node = qvCreateJsonObject();
        qvJson_AddNumber(node, "mode", mode);
        qvEdit edit = { .kind = qv_editAdd, .object = object, .value = qvJsonValue(node), .place = -1 };
        result = qvDocument_Apply(document, &edit, &object.id, &error);
        qvDestroyJson(node);
    }
    if (result == qv_ok)
        result = isBool ? qvDocument_SetBool(document, object, field, value != 0.0, &error)
                        : qvDocument_SetNumber(document, object, field, value, &error);
    qvDocument_End(document);
    qvuiEditor_Did(editor, result, &error);
}

typedef struct Strip
{
    qvuiEditor* editor;
    int mode;
    ImVec2 place, size;
    double gain, damping;
    bool mute, solo, silent;
    float level; // 0 to 1
} Strip;

// Gain 0 to 4, with 1 at two thirds of the height.
static double GainToHeight(double gain)
{
    return pow(fmin(fmax(gain / 4.0, 0.0), 1.0), 0.2925);
}

static double HeightToGain(double height)
{
    return 4.0 * pow(fmin(fmax(height, 0.0), 1.0), 1.0 / 0.2925);
}

static void DrawFader(const Strip* strip)
{
    qvuiEditor* editor = strip->editor;
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    char name[32], tooltip[128];
    snprintf(name, sizeof(name), "Mode %d", strip->mode + 1);
    igSetCursorScreenPos(strip->place);
    igInvisibleButton("fader", strip->size, ImGuiButtonFlags_MouseButtonLeft);
    qvuiNames_AddItem(&editor->kit.names, name);
    snprintf(tooltip, sizeof(tooltip),
             "How strongly vibration %d swings between the keys: %.2f. Drag; double click for 1", strip->mode + 1,
             strip->gain);
    qvuiTooltip(&editor->kit, tooltip, NULL);
    const ImGuiIO* io = igGetIO();
    ImVec2 end = { strip->place.x + strip->size.x, strip->place.y + strip->size.y };
    double gain = strip->gain;
    bool follows = qvuiFollowDrag(&editor->kit, &gain);
    if (igIsItemHovered(ImGuiHoveredFlags_None) && igIsMouseDoubleClicked(ImGuiMouseButton_Left))
        SetStrip(editor, strip->mode, "gain", 1.0, false);
    else if (follows && io->MouseDelta.y != 0.0f)
        SetStrip(editor, strip->mode, "gain", HeightToGain((end.y - io->MousePos.y) / strip->size.y), false);
    ImDrawList_AddRectFilled(list, strip->place, end, QVUI_CONTROL, qvuiPixels(style, 3), 0);
    float level = strip->size.y * strip->level;
    if (level > 1.0f)
        ImDrawList_AddRectFilled(list, (ImVec2){ strip->place.x, end.y - level }, end,
                                 strip->silent ? QVUI_RGB(0x5a616b) : QVUI_RGB(0x2f9e8e), qvuiPixels(style, 3), 0);
    float y = end.y - strip->size.y * (float)GainToHeight(strip->gain), half = qvuiPixels(style, 2.5);
    ImDrawList_AddRectFilled(list, (ImVec2){ strip->place.x - half, y - half }, (ImVec2){ end.x + half, y + half },
                             QVUI_RGB(0xf2f4f6), half, 0);
}

// A small bar: how much faster than the material says the mode fades, 0 to 100 per second with more room for the small.
static void DrawDamping(const Strip* strip, float y)
{
    qvuiEditor* editor = strip->editor;
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 size = { strip->size.x + qvuiPixels(style, 8), qvuiPixels(style, 9) };
    ImVec2 place = { strip->place.x - qvuiPixels(style, 4), y + qvuiPixels(style, 3) };
    ImVec2 end = { place.x + size.x, place.y + size.y };
    char text[128];
    igSetCursorScreenPos(place);
    igInvisibleButton("damping", size, ImGuiButtonFlags_MouseButtonLeft);
    double damping = strip->damping, fraction = cbrt(0.01 * damping);
    if (igIsItemActivated())
        editor->kit.dragFraction = fraction;
    bool follows = qvuiFollowDrag(&editor->kit, &damping), hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    snprintf(text, sizeof(text), "Damping mode %d", strip->mode + 1);
    qvuiNames_AddItem(&editor->kit.names, text);
    snprintf(text, sizeof(text),
             "Fades vibration %d sooner: %.2f 1/s more than the material. Drag to the right; double click for none",
             strip->mode + 1, strip->damping);
    qvuiTooltip(&editor->kit, text, NULL);
    if (hovered && igIsMouseDoubleClicked(ImGuiMouseButton_Left))
        SetStrip(editor, strip->mode, "damping", 0.0, false);
    else if (follows && igGetIO()->MouseDelta.x != 0.0f)
    {
        editor->kit.dragFraction += igGetIO()->MouseDelta.x / qvuiPixels(style, 100);
        double moved = fmin(fmax(editor->kit.dragFraction, 0.0), 1.0);
        SetStrip(editor, strip->mode, "damping", 100.0 * moved * moved * moved, false);
    }
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, place, end, hovered || follows ? QVUI_HOVER : QVUI_CONTROL, qvuiPixels(style, 3), 0);
    if (fraction > 0.0)
        ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + size.x * (float)fmin(fraction, 1.0), end.y },
                                 QVUI_RGB(0x2f9e8e), qvuiPixels(style, 3), 0);
}

static bool Letter(const Strip* strip, const char* letter, bool on, ImU32 color, float y, const char* what,
                   const char* tooltip)
{
    const qvuiStyle* style = &strip->editor->kit.style;
    ImVec2 size = { strip->size.x + qvuiPixels(style, 8), qvuiPixels(style, 15) };
    ImVec2 place = { strip->place.x - qvuiPixels(style, 4), y };
    igSetCursorScreenPos(place);
    bool pressed = igInvisibleButton(letter, size, ImGuiButtonFlags_MouseButtonLeft);
    char name[32];
    snprintf(name, sizeof(name), "%s %d", what, strip->mode + 1);
    qvuiNames_AddItem(&strip->editor->kit.names, name);
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    qvuiTooltip(&strip->editor->kit, tooltip, NULL);
    float width = qvuiTextWidth(style->value, letter);
    qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ place.x + 0.5f * (size.x - width), y }, size.y,
                 on        ? color
                 : hovered ? QVUI_TEXT
                           : QVUI_MUTED,
                 letter);
    return pressed;
}

static void DrawStrip(const Strip* strip)
{
    qvuiEditor* editor = strip->editor;
    const qvuiStyle* style = &editor->kit.style;
    igPushID_Int(strip->mode);
    DrawFader(strip);
    char text[16];
    snprintf(text, sizeof(text), "%.1f", qvTake_ModeFrequency(editor->session.take, strip->mode));
    float y = strip->place.y + strip->size.y + qvuiPixels(style, 5), row = qvuiPixels(style, 15);
    float width = qvuiTextWidth(style->value, text);
    qvuiDrawText(igGetWindowDrawList(), style->value, (ImVec2){ strip->place.x + 0.5f * (strip->size.x - width), y },
                 row, QVUI_MUTED, text);
    DrawDamping(strip, y + row);
    if (Letter(strip, "S", strip->solo, QVUI_TEAL, y + 2 * row, "Solo mode",
               "Leaves only this vibration, and others that are solo, in the motion"))
        SetStrip(editor, strip->mode, "solo", !strip->solo, true);
    if (Letter(strip, "M", strip->mute, QVUI_AMBER, y + 3 * row, "Mute mode", "Takes this vibration out of the motion"))
        SetStrip(editor, strip->mode, "mute", !strip->mute, true);
    bool playing = editor->session.playback.previewMode == strip->mode;
    if (Letter(strip, playing ? QVUI_ICON_STOP : QVUI_ICON_PLAY, playing, QVUI_TEAL, y + 4 * row, "Play mode",
               "Swings this vibration alone, to look at it; the motion stays as it is"))
        editor->session.playback.previewMode = playing ? -1 : strip->mode;
    igPopID();
}

// Levels of all modes now, against the largest that the meter shows.
static void ReadLevels(qvuiEditor* editor, int count, float* levels)
{
    qvuiSession* session = &editor->session;
    int all = qvTake_ModeCount(session->take);
    float* values = calloc((size_t)all, sizeof(*values));
    if (values == NULL || session->view.take == NULL)
    {
        free(values);
        return;
    }
    qvTakeView_Levels(&session->view, session->playback.time, values);
    for (int i = 0; i < count; i++)
        levels[i] = fminf(sqrtf(fmaxf(values[i], 0.0f) / 0.1f), 1.0f);
    free(values);
}

static void DrawStrips(qvuiEditor* editor, int count, float pitch)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvScene* scene = qvRetainScene(qvuiSession_Scene(&editor->session));
    float levels[MAX_STRIPS] = { 0 }, height = qvuiPixels(style, 104);
    ImVec2 place;
    igGetCursorScreenPos(&place);
    ReadLevels(editor, count, levels);
    bool anySolo = false;
    for (int i = 0; i < scene->stripCount; i++)
        anySolo |= scene->strips[i]->def.solo;
    for (int i = 0; i < count; i++)
    {
        const qvSceneStrip* own = FindStrip(scene, i);
        Strip strip = { .editor = editor, .mode = i, .gain = own != NULL ? own->def.gain : 1.0, .level = levels[i] };
        strip.damping = own != NULL ? own->def.damping : 0.0;
        strip.mute = own != NULL && own->def.mute, strip.solo = own != NULL && own->def.solo;
        strip.silent = strip.mute || (anySolo && !strip.solo);
        strip.place = (ImVec2){ place.x + qvuiPixels(style, 20) + pitch * (float)i, place.y + qvuiPixels(style, 8) };
        strip.size = (ImVec2){ qvuiPixels(style, 18), height };
        DrawStrip(&strip);
    }
    qvReleaseScene(scene);
    igSetCursorScreenPos(place);
    igDummy((ImVec2){ qvuiPixels(style, 16) + pitch * (float)count, height + qvuiPixels(style, 8 + 5 + 5 * 15) });
}

// Strips that do not fit side by side are scrolled to.
static void Draw(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvTake* take = editor->session.take;
    if (take == NULL || qvTake_ModeCount(take) == 0)
    {
        const qvScene* scene = qvuiSession_Scene(&editor->session);
        bool clip = scene->keyCount == 0 && qvuiSession_Clip(&editor->session) >= 0;
        qvuiTextRow(&editor->kit,
                    clip ? "A clip has no modes; a key over it brings them" : "Modes appear when the motion is solved",
                    "");
        return;
    }
    ImVec2 room;
    igGetContentRegionAvail(&room);
    float pitch = qvuiPixels(style, 34);
    int count = qvTake_ModeCount(take) < MAX_STRIPS ? qvTake_ModeCount(take) : MAX_STRIPS;
    bool fits = qvuiPixels(style, 16) + pitch * (float)count <= room.x;
    float height = qvuiPixels(style, 104 + 8 + 5 + 5 * 15 + 4) + (fits ? 0.0f : qvuiPixels(style, 12));
    igBeginChild_Str("strips", (ImVec2){ room.x, height }, false,
                     fits ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_HorizontalScrollbar);
    DrawStrips(editor, count, pitch);
    igEndChild();
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    if (editor->session.take != NULL)
        snprintf(text, capacity, "%d modes", qvTake_ModeCount(editor->session.take));
}

const qvuiPanel qvuiPanelMixer = { "mixer",
                                   "Mode mixer",
                                   qvuiHasDocument,
                                   Remark,
                                   Draw,
                                   true,
                                   "How much of each vibration of the body is in the motion: gain, damping, solo and "
                                   "mute; keys stay exact" };
