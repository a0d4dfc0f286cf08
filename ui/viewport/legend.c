// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours of the body mean: a bar with numbers, below the axes.
#include "ui/editor/editor.h"
#include "ui/render/heat.h"

#include <math.h>
#include <stdio.h>

#define STOP(r, g, b) \
    {                 \
        r, g, b       \
    }
#define COMMA ,

enum
{
    STOPS = 5,
    CELLS = 48,
};

typedef struct Legend
{
    const char* title;
    const char* marks[3]; // at the left end, in the middle, at the right end
} Legend;

typedef struct LegendRoom
{
    Legend legend;
    int count;
    char title[96], marks[3][24];
} LegendRoom;

// Of what is shown of simulations, into room.
static const Legend* ChannelLegend(const qvChannel* channel, LegendRoom* room)
{
    snprintf(room->title, sizeof(room->title), "%s, %d points", channel->label, room->count);
    for (int i = 0; i < 3; i++)
    {
        double value = channel->range[0] + 0.5 * i * (channel->range[1] - channel->range[0]);
        snprintf(room->marks[i], sizeof(room->marks[i]), i < 2 || channel->unit[0] == 0 ? "%g" : "%g %s", value,
                 channel->unit);
        room->legend.marks[i] = room->marks[i];
    }
    room->legend.title = room->title;
    return &room->legend;
}

static const Legend* FindLegend(const qvuiEditor* editor, LegendRoom* room)
{
    const qvShownPoints* shown = &editor->viewport.overlay.shown;
    room->count = shown->count;
    if (shown->count > 0)
        return ChannelLegend(shown->channel, room);
    static const Legend legends[] = {
        [qvui_colorsDisplacement] = { "Displacement, of the body's size", { "0", "7.5", "15 %" } },
        [qvui_colorsStrain] = { "Strain, mean of the edges", { "0", "15", "30 %" } },
        [qvui_colorsWaves] = { "Waves", { "still", "", "strong" } },
        [qvui_colorsWeight] = { "Weight of secondary motion", { "0", "0.5", "1" } },
    };
    int colors = editor->viewport.overlay.colors;
    bool known = colors > 0 && colors < (int)(sizeof(legends) / sizeof(legends[0]));
    return known && legends[colors].title != NULL ? &legends[colors] : NULL;
}

// The shader's colours in full light.
static ImU32 RampColor(double t, bool waves)
{
    static const double scale[STOPS][3] = { QVUI_HEAT_STOPS(STOP, COMMA) };
    static const double surf[STOPS][3] = {
        { 0.60, 0.45, 0.30 }, { 0.66, 0.28, 0.19 }, { 0.72, 0.10, 0.07 }, { 0.86, 0.45, 0.35 }, { 1.0, 0.80, 0.62 }
    };
    double x = fmin(fmax(t, 0.0), 0.9999) * (STOPS - 1), f = x - floor(x);
    int i = (int)x;
    const double *a = (waves ? surf : scale)[i], *b = (waves ? surf : scale)[i + 1];
    ImU32 color = 0xff000000u;
    for (int c = 0; c < 3; c++)
        color |= (ImU32)(255.0 * pow(a[c] + f * (b[c] - a[c]), 1.0 / 2.2) + 0.5) << (8 * c);
    return color;
}

void qvuiDrawLegend(qvuiEditor* editor, ImVec2 corner)
{
    LegendRoom room;
    const Legend* legend = FindLegend(editor, &room);
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    if (legend == NULL || !editor->viewport.showBadges)
        return;
    bool waves = legend != &room.legend && editor->viewport.overlay.colors == qvui_colorsWaves;
    float pad = qvuiPixels(style, 9), row = qvuiPixels(style, 18), bar = qvuiPixels(style, 8);
    float width = fmaxf(qvuiTextWidth(style->value, legend->title), qvuiPixels(style, 150));
    ImVec2 lower = { corner.x - width - 2 * pad, corner.y }, inner = { lower.x + pad, lower.y + row };
    ImVec2 upper = { corner.x, inner.y + bar + row };
    ImDrawList_AddRectFilled(list, lower, upper, QVUI_RGBA(0x0f1114, 190), qvuiPixels(style, 5), 0);
    qvuiDrawText(list, style->value, (ImVec2){ inner.x, lower.y }, row, QVUI_TEXT, legend->title);
    for (int i = 0; i < CELLS; i++)
        ImDrawList_AddRectFilled(list, (ImVec2){ floorf(inner.x + width * (float)i / CELLS), inner.y },
                                 (ImVec2){ floorf(inner.x + width * (float)(i + 1) / CELLS), inner.y + bar },
                                 RampColor((i + 0.5) / CELLS, waves), 0, 0);
    for (int i = 0; i < 3; i++)
    {
        float x = inner.x + 0.5f * (float)i * (width - qvuiTextWidth(style->value, legend->marks[i]));
        qvuiDrawText(list, style->value, (ImVec2){ floorf(x), inner.y + bar }, row, QVUI_MUTED, legend->marks[i]);
    }
    qvuiNames_AddRect(&editor->kit.names, "Legend", lower, upper);
}
