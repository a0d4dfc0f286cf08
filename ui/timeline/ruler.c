// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

// The smallest of 1, 2, 5, 10, … that keeps labels apart.
static double LabelStep(double perUnit, double wanted)
{
    double step = pow(10.0, floor(log10(wanted / perUnit)));
    if (step * perUnit < wanted)
        step *= step * perUnit * 2.0 >= wanted ? 2.0 : step * perUnit * 5.0 >= wanted ? 5.0 : 10.0;
    return step;
}

typedef struct Scale
{
    double unit; // seconds per unit of the ruler: 1, or the length of a frame
    double step; // units between labels
    int parts;   // small ticks per label
} Scale;

static Scale ChooseScale(const qvuiEditor* editor)
{
    const qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    Scale scale = { timeline->showFrames ? 1.0 / scene->fps : 1.0, 1.0, 1 };
    double perUnit = timeline->perSecond * scale.unit;
    scale.step = LabelStep(perUnit, 76.0);
    if (timeline->showFrames)
        scale.step = fmax(scale.step, 1.0);
    // Small ticks are frames where there is room for them.
    double frames = scale.step * scale.unit * scene->fps;
    scale.parts = frames * 5.0 <= scale.step * perUnit && fabs(frames - round(frames)) < 1e-6 ? (int)round(frames) : 5;
    if (scale.parts < 1)
        scale.parts = 1;
    return scale;
}

static void DrawLabel(const qvuiEditor* editor, const Scale* scale, double value, ImVec2 place, float height)
{
    char text[32];
    int decimals = scale->step >= 1.0 ? (editor->timeline.showFrames ? 0 : 1) : (int)ceil(-log10(scale->step) - 1e-9);
    if (editor->timeline.showFrames)
        snprintf(text, sizeof(text), "%.0f", value);
    else
        snprintf(text, sizeof(text), "%.*f s", decimals, value + 0.0);
    // Beside the playhead's handle, when that is here.
    qvuiDrawText(igGetWindowDrawList(), editor->kit.style.value,
                 (ImVec2){ place.x + qvuiPixels(&editor->kit.style, 9), place.y }, 0.6f * height, QVUI_MUTED, text);
}

// What the mouse has of all that is dragged; where times are scaled, what goes farthest.
static qvRef FindHeld(const qvuiTimeline* timeline)
{
    int held = 0;
    for (int i = 1; i < timeline->timeCount; i++)
    {
        double far = fabs(timeline->times[i].time - timeline->pivot);
        bool scales = timeline->drag == qvui_timelineScale;
        if (scales ? far > fabs(timeline->times[held].time - timeline->pivot)
                   : timeline->times[i].object.id == timeline->held)
            held = i;
    }
    return timeline->times[held].object;
}

static bool FindHeldTime(const qvuiEditor* editor, double* time)
{
    const qvuiTimeline* timeline = &editor->timeline;
    bool moves = timeline->drag >= qvui_timelineMove && timeline->drag != qvui_timelinePreview;
    if (!moves || !timeline->moved || timeline->timeCount == 0)
        return false;
    bool atEnd = timeline->drag == qvui_timelineStretch || timeline->drag == qvui_timelineSpanEnd;
    const char* field = atEnd ? "until" : timeline->drag == qvui_timelineClip ? "start" : "time";
    if (timeline->drag == qvui_timelineClipEnd)
        return false; // what changes is a speed, which the bar says
    if (timeline->drag == qvui_timelineKnot)
        return qvuiTimeline_KnotTime(editor, time);
    return qvReadField(qvuiSession_Scene(&editor->session), FindHeld(timeline), field, time);
}

void qvuiDrawHeldTime(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    double time[4];
    char text[32];
    if (!FindHeldTime(editor, time))
        return;
    if (timeline->showFrames)
        snprintf(text, sizeof(text), "%.6g", time[0] * qvuiSession_Scene(&editor->session)->fps);
    else
        snprintf(text, sizeof(text), "%.3f s", time[0]);
    float pad = qvuiPixels(style, 6), width = qvuiTextWidth(style->value, text) + 2 * pad;
    float x = qvuiTimeline_X(timeline, style, time[0]) - 0.5f * width;
    x = floorf(fmaxf(fminf(x, place.x + size.x - width), place.x));
    ImVec2 end = { x + width, place.y + 0.7f * size.y };
    ImDrawList_AddRectFilled(list, (ImVec2){ x, place.y }, end, QVUI_AMBER, qvuiPixels(style, 3), 0);
    qvuiDrawText(list, style->value, (ImVec2){ x + pad, place.y }, 0.7f * size.y, QVUI_LINE, text);
    qvuiNames_AddRect(&editor->kit.names, "Held time", (ImVec2){ x, place.y }, end);
}

void qvuiDrawRuler(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    ImDrawList* list = igGetWindowDrawList();
    ImVec2 end = { place.x + size.x, place.y + size.y };
    ImDrawList_AddRectFilled(list, place, end, QVUI_HEADER, 0, 0);
    Scale scale = ChooseScale(editor);
    double first = floor(timeline->start / scale.unit / scale.step) * scale.step;
    double last = qvuiTimeline_Time(timeline, style, end.x) / scale.unit;
    float bottom = timeline->place.y + timeline->size.y;
    for (int i = 0; i < 2000; i++)
    {
        double value = first + i * scale.step;
        if (value > last)
            break;
        float x = floorf(qvuiTimeline_X(timeline, style, value * scale.unit)) + 0.5f;
        ImDrawList_AddLine(list, (ImVec2){ x, place.y }, (ImVec2){ x, end.y }, QVUI_RGB(0x4a5058), 1);
        ImDrawList_AddLine(list, (ImVec2){ x, end.y }, (ImVec2){ x, bottom }, QVUI_RGB(0x202328), 1);
        DrawLabel(editor, &scale, value, (ImVec2){ x, place.y }, size.y);
        for (int part = 1; part < scale.parts; part++)
        {
            double between = (value + scale.step * part / scale.parts) * scale.unit;
            float tick = floorf(qvuiTimeline_X(timeline, style, between)) + 0.5f;
            ImDrawList_AddLine(list, (ImVec2){ tick, end.y - qvuiPixels(style, 6) }, (ImVec2){ tick, end.y },
                               QVUI_RGB(0x40464e), 1);
        }
    }
    ImDrawList_AddLine(list, (ImVec2){ place.x, end.y }, end, QVUI_LINE, 1);
}
