// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>

static ImVec2 FlagSize(const qvuiEditor* editor, const qvSceneMarker* marker)
{
    const qvuiStyle* style = &editor->kit.style;
    return (ImVec2){ qvuiTextWidth(style->value, marker->name) + qvuiPixels(style, 16), qvuiPixels(style, 15) };
}

// A text field in the flag's place; Enter takes the name over.
static void Rename(qvuiEditor* editor, const qvSceneMarker* marker, ImVec2 place)
{
    qvuiTimeline* timeline = &editor->timeline;
    igSetCursorScreenPos(place);
    igSetNextItemWidth(qvuiPixels(&editor->kit.style, 140));
    bool first = timeline->markerName[0] == 0;
    if (first)
    {
        snprintf(timeline->markerName, sizeof(timeline->markerName), "%s", marker->name[0] != 0 ? marker->name : " ");
        igSetKeyboardFocusHere(0);
    }
    bool entered = qvuiInputText(&editor->kit, "##marker", NULL, timeline->markerName, sizeof(timeline->markerName),
                                 ImGuiInputTextFlags_AutoSelectAll);
    if (!entered && (first || !igIsItemDeactivated()))
        return;
    qvError error;
    qvRef object = { qv_objectMarker, marker->id };
    if (entered)
        qvuiEditor_Did(
            editor, qvDocument_SetText(editor->session.document, object, "name", timeline->markerName, &error), &error);
    timeline->renamed = 0;
}

static void DrawMarker(qvuiEditor* editor, const qvSceneMarker* marker, ImVec2 place)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 size = FlagSize(editor, marker);
    float tip = qvuiPixels(style, 5);
    ImVec2 flag[] = { { place.x, place.y },
                      { place.x + size.x - tip, place.y },
                      { place.x + size.x, place.y + 0.5f * size.y },
                      { place.x + size.x - tip, place.y + size.y },
                      { place.x, place.y + size.y } };
    ImDrawList_AddConvexPolyFilled(list, flag, 5, QVUI_RGB(0x24344f));
    ImDrawList_AddPolyline(list, flag, 5, QVUI_BLUE, ImDrawFlags_Closed, 1);
    ImDrawList_AddLine(list, place, (ImVec2){ place.x, place.y + size.y + tip }, QVUI_BLUE, 1);
    qvuiDrawText(list, style->value, (ImVec2){ place.x + qvuiPixels(style, 6), place.y }, size.y, QVUI_TEXT,
                 marker->name);
    qvuiNames_AddRect(&editor->kit.names, "Marker", place, (ImVec2){ place.x + size.x, place.y + size.y });
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float inset = fmaxf(
        0.0f, fminf(qvuiPixels(&editor->kit.style, 6), floorf(0.5f * size.y - qvuiPixels(&editor->kit.style, 8))));
    for (int i = 0; i < scene->markerCount; i++)
    {
        const qvSceneMarker* marker = scene->markers[i];
        float x = floorf(qvuiTimeline_X(&editor->timeline, &editor->kit.style, marker->time)) + 0.5f;
        ImVec2 corner = { x, place.y + inset };
        if (editor->timeline.renamed == marker->id)
            Rename(editor, marker, corner);
        else
            DrawMarker(editor, marker, corner);
    }
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    (void)place, (void)size, (void)part;
    for (int i = scene->markerCount - 1; i >= 0; i--)
    {
        float x = qvuiTimeline_X(&editor->timeline, &editor->kit.style, scene->markers[i]->time);
        if (mouse.x >= x - 3.0f && mouse.x <= x + FlagSize(editor, scene->markers[i]).x)
            return (qvRef){ qv_objectMarker, scene->markers[i]->id };
    }
    return (qvRef){ qv_objectScene, 0 };
}

static const char* Empty(const qvuiEditor* editor)
{
    return qvuiSession_Scene(&editor->session)->markerCount == 0 ? "M over the tracks names a moment" : NULL;
}

const qvuiTrack qvuiTrackMarkers = { "Markers", 32, Draw, Find, Empty };
