// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline tab: labels at the left, ruler above, a track below the other, the playhead over all.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>

static const qvuiTrack* const tracks[] = {
#define TRACK(name) &name,
#include "ui/timeline/track_list.inl"
#undef TRACK
};

int qvuiTrackCount(void)
{
    return sizeof(tracks) / sizeof(tracks[0]);
}

const qvuiTrack* qvuiGetTrack(int index)
{
    return tracks[index];
}

static bool IsShown(const qvuiEditor* editor, int index)
{
    const char* empty = tracks[index]->empty != NULL ? tracks[index]->empty(editor) : NULL;
    return empty == NULL || *empty != 0;
}

float qvuiTrackHeight(const qvuiEditor* editor, int index)
{
    const qvuiStyle* style = &editor->kit.style;
    float wanted = 0.0f, room = editor->timeline.size.y;
    for (int i = 0; i < qvuiTrackCount(); i++)
        wanted += IsShown(editor, i) ? qvuiPixels(style, tracks[i]->height) : 0.0f;
    float height = IsShown(editor, index) ? qvuiPixels(style, tracks[index]->height) : 0.0f;
    return wanted > room ? floorf(height * room / wanted) : height;
}

void qvuiTimeline_Init(qvuiTimeline* timeline)
{
    *timeline = (qvuiTimeline){ .perSecond = 300.0 };
}

void qvuiTimeline_Free(qvuiTimeline* timeline)
{
    free(timeline->times);
}

float qvuiTimeline_X(const qvuiTimeline* timeline, const qvuiStyle* style, double time)
{
    double x = timeline->place.x + (time - timeline->start) * timeline->perSecond * style->scale;
    return (float)fmin(fmax(x, -1e5), 1e5);
}

double qvuiTimeline_Time(const qvuiTimeline* timeline, const qvuiStyle* style, float x)
{
    return timeline->start + (x - timeline->place.x) / (timeline->perSecond * style->scale);
}

// The play range and all keys.
static void FindAll(const qvScene* scene, double all[2])
{
    qvScene_Range(scene, all);
    if (scene->keyCount > 0)
    {
        all[0] = fmin(all[0], scene->keys[0]->time);
        all[1] = fmax(all[1], scene->keys[scene->keyCount - 1]->time);
    }
}

// Puts the play range, or all keys, into the picture.
static void Fit(qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvuiTimeline* timeline = &editor->timeline;
    if (scene == NULL || timeline->size.x <= 0.0f)
        return;
    FindAll(scene, timeline->all);
    double length = fmax(timeline->all[1] - timeline->all[0], 0.1), margin = 0.03 * length;
    timeline->start = timeline->all[0] - margin;
    timeline->perSecond = timeline->size.x / editor->kit.style.scale / (length + 3.0 * margin);
    timeline->fitPending = false;
    timeline->fittedWidth = timeline->size.x;
}

bool qvuiTimeline_ShowsEnd(const qvuiEditor* editor)
{
    const qvuiTimeline* timeline = &editor->timeline;
    double x = (timeline->all[1] - timeline->start) * timeline->perSecond * editor->kit.style.scale;
    return x >= 0.0 && x <= timeline->size.x;
}

// What shows all of the time still does so in a window of another size, and when there is another time to show. Nothing
// moves under a mouse that drags.
void qvuiTimeline_KeepFitted(qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvuiTimeline* timeline = &editor->timeline;
    bool fitted = timeline->fittedWidth > 0.0f, seen = qvuiTimeline_ShowsEnd(editor);
    double before[2] = { timeline->all[0], timeline->all[1] };
    bool changed = false;
    if (scene != NULL && timeline->drag == qvui_timelineIdle)
    {
        FindAll(scene, timeline->all);
        changed = timeline->all[0] != before[0] || timeline->all[1] != before[1];
    }
    if (timeline->fitPending || (fitted && (changed || timeline->fittedWidth != timeline->size.x)))
        Fit(editor);
    else if (changed && seen && !qvuiTimeline_ShowsEnd(editor))
        timeline->perSecond = 0.97 * timeline->size.x / editor->kit.style.scale / (timeline->all[1] - timeline->start);
}

void qvuiTimeline_DrawRange(qvuiEditor* editor, ImVec2 lower, ImVec2 upper)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    double range[2];
    qvuiSession_PlayRange(&editor->session, range);
    float a = fminf(fmaxf(qvuiTimeline_X(timeline, style, range[0]), lower.x), upper.x);
    float b = fminf(fmaxf(qvuiTimeline_X(timeline, style, range[1]), lower.x), upper.x);
    ImU32 shade = QVUI_RGBA(0x0f1114, 110);
    ImDrawList_AddRectFilled(list, lower, (ImVec2){ a, upper.y }, shade, 0, 0);
    ImDrawList_AddRectFilled(list, (ImVec2){ b, lower.y }, upper, shade, 0, 0);
    if (qvuiSession_Scene(&editor->session)->hasPreview)
    {
        ImDrawList_AddLine(list, (ImVec2){ a, lower.y }, (ImVec2){ a, upper.y }, QVUI_BLUE, 1);
        ImDrawList_AddLine(list, (ImVec2){ b, lower.y }, (ImVec2){ b, upper.y }, QVUI_BLUE, 1);
    }
}

void qvuiTimeline_DrawPlayhead(qvuiEditor* editor, float top, float bottom)
{
    const qvuiStyle* style = &editor->kit.style;
    float x = floorf(qvuiTimeline_X(&editor->timeline, style, editor->session.playback.time)) + 0.5f;
    float half = qvuiPixels(style, 6), height = qvuiPixels(style, 10);
    ImDrawList* list = igGetWindowDrawList();
    ImU32 white = QVUI_RGB(0xffffff);
    // A box, because a line of one pixel is smoothed over two.
    ImDrawList_AddRectFilled(list, (ImVec2){ x - 0.5f, top }, (ImVec2){ x + 0.5f, bottom }, white, 0, 0);
    ImDrawList_AddRectFilled(list, (ImVec2){ x - half, top }, (ImVec2){ x + half, top + height }, white, 2, 0);
    ImDrawList_AddTriangleFilled(list, (ImVec2){ x - half, top + height }, (ImVec2){ x + half, top + height },
                                 (ImVec2){ x, top + 1.5f * height }, white);
}

void qvuiTimeline_Navigate(qvuiEditor* editor, bool hovered)
{
    const ImGuiIO* io = igGetIO();
    const qvuiStyle* style = &editor->kit.style;
    qvuiTimeline* timeline = &editor->timeline;
    if ((hovered && io->MouseWheel != 0.0f) || timeline->drag == qvui_timelinePan)
        timeline->fittedWidth = 0.0f;
    if (hovered && io->MouseWheel != 0.0f && io->KeyShift)
        timeline->start -= 60.0 * io->MouseWheel / timeline->perSecond;
    else if (hovered && io->MouseWheel != 0.0f)
    {
        double at = qvuiTimeline_Time(timeline, style, io->MousePos.x);
        timeline->perSecond = fmin(fmax(timeline->perSecond * exp(0.16 * io->MouseWheel), 1.0), 50000.0);
        timeline->start = at - (io->MousePos.x - timeline->place.x) / (timeline->perSecond * style->scale);
    }
    if (hovered && igIsMouseClicked(ImGuiMouseButton_Middle, false))
        timeline->drag = qvui_timelinePan;
    if (timeline->drag == qvui_timelinePan && !igIsMouseDown(ImGuiMouseButton_Middle))
        timeline->drag = qvui_timelineIdle;
    if (timeline->drag == qvui_timelinePan)
        timeline->start -= io->MouseDelta.x / (timeline->perSecond * style->scale);
    timeline->start = fmin(fmax(timeline->start, -1e7), 1e7);
}

static void DrawLabels(qvuiEditor* editor, ImVec2 place, float width, float top, float bottom)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddRectFilled(list, place, (ImVec2){ place.x + width, bottom }, QVUI_PANEL, 0, 0);
    float y = top;
    for (int i = 0; i < qvuiTrackCount(); i++)
    {
        float height = qvuiTrackHeight(editor, i);
        if (height > 0.0f)
            qvuiDrawText(list, style->body, (ImVec2){ place.x + qvuiPixels(style, 14), y }, height, QVUI_TEXT,
                         tracks[i]->label);
        y += height;
    }
    ImDrawList_AddLine(list, (ImVec2){ place.x + width, place.y }, (ImVec2){ place.x + width, bottom }, QVUI_LINE, 1);
}

static void DrawTracks(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    ImDrawList* list = igGetWindowDrawList();
    float y = place.y;
    for (int i = 0; i < qvuiTrackCount(); i++)
    {
        float height = qvuiTrackHeight(editor, i);
        if (!(height > 0.0f))
            continue;
        tracks[i]->draw(editor, (ImVec2){ place.x, y }, (ImVec2){ size.x, height });
        y += height;
        ImDrawList_AddLine(list, (ImVec2){ place.x, y }, (ImVec2){ place.x + size.x, y }, QVUI_RGB(0x1a1c20), 1);
    }
}

static void DrawBox(const qvuiTimeline* timeline)
{
    const ImGuiIO* io = igGetIO();
    if (timeline->drag != qvui_timelineBox)
        return;
    ImVec2 a = timeline->boxStart, b = io->MousePos;
    ImVec2 lower = { fminf(a.x, b.x), fminf(a.y, b.y) }, upper = { fmaxf(a.x, b.x), fmaxf(a.y, b.y) };
    ImDrawList_AddRectFilled(igGetWindowDrawList(), lower, upper, QVUI_RGBA(0x5b9dff, 40), 0, 0);
    ImDrawList_AddRect(igGetWindowDrawList(), lower, upper, QVUI_BLUE, 0, 0, 1);
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    float labels = qvuiPixels(style, 140), ruler = qvuiPixels(style, 28);
    timeline->place = (ImVec2){ place.x + labels, place.y + ruler };
    timeline->size = (ImVec2){ fmaxf(size.x - labels, 1.0f), fmaxf(size.y - ruler, 1.0f) };
    qvuiTimeline_KeepFitted(editor);
    ImVec2 end = { place.x + size.x, place.y + size.y };
    igSetCursorScreenPos((ImVec2){ timeline->place.x, place.y });
    igInvisibleButton("tracks", (ImVec2){ timeline->size.x, size.y },
                      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                          ImGuiButtonFlags_MouseButtonRight);
    qvuiNames_AddArea(&editor->kit.names, "Tracks");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    qvuiTimeline_Navigate(editor, hovered);
    qvuiTimeline_HandleMouse(editor, hovered, active);
    DrawLabels(editor, place, labels, timeline->place.y, end.y);
    ImDrawList_PushClipRect(list, (ImVec2){ timeline->place.x, place.y }, end, true);
    ImDrawList_AddRectFilled(list, (ImVec2){ timeline->place.x, place.y }, end, QVUI_WINDOW, 0, 0);
    qvuiDrawRuler(editor, (ImVec2){ timeline->place.x, place.y }, (ImVec2){ timeline->size.x, ruler });
    qvuiTimeline_DrawRange(editor, (ImVec2){ timeline->place.x, place.y }, end);
    DrawTracks(editor, timeline->place, timeline->size);
    qvuiTimeline_DrawFirstStep(editor);
    qvuiTimeline_DrawEmptyTracks(editor);
    qvuiTimeline_DrawPlayhead(editor, place.y, end.y);
    qvuiDrawHeldTime(editor, (ImVec2){ timeline->place.x, place.y }, (ImVec2){ timeline->size.x, ruler });
    DrawBox(timeline);
    ImDrawList_PopClipRect(list);
    qvuiTimeline_DrawMenu(editor);
}

const qvuiTab qvuiTabTimeline = { "timeline", "Timeline",
                                  "When each pose comes, and the waves; drag keys to retime the motion", Draw };
