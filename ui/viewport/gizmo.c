// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewport/viewport.h"

#include <math.h>

typedef struct Ball
{
    ImVec2 place; // relative to the middle, pixels
    double depth; // positive is nearer
    int axis;     // 0 to 2 positive x, y, z; 3 to 5 negative
} Ball;

static const ImU32 axisColors[3] = { QVUI_RGB(0xff6f5e), QVUI_RGB(0x8fd14f), QVUI_RGB(0x5b9dff) };
static const char* const axisNames[6] = { "X", "Y", "Z", "-X", "-Y", "-Z" };
static const char* const axisHints[6] = { "Look from the right", "Look from the top",    "Look from the front",
                                          "Look from the left",  "Look from the bottom", "Look from the back" };
static const qvuiAxisView axisViews[6] = { qvui_viewRight, qvui_viewTop,    qvui_viewFront,
                                           qvui_viewLeft,  qvui_viewBottom, qvui_viewBack };

// The six balls, farthest first.
static void PlaceBalls(const qvuiCamera* camera, float radius, Ball balls[6])
{
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    const double rights[3] = { frame.right.x, frame.right.y, frame.right.z };
    const double ups[3] = { frame.up.x, frame.up.y, frame.up.z };
    const double backs[3] = { frame.back.x, frame.back.y, frame.back.z };
    for (int i = 0; i < 6; i++)
    {
        double sign = i < 3 ? 1.0 : -1.0;
        Ball ball = { { (float)(sign * rights[i % 3]) * radius, (float)(-sign * ups[i % 3]) * radius },
                      sign * backs[i % 3],
                      i };
        int j = i;
        for (; j > 0 && balls[j - 1].depth > ball.depth; j--)
            balls[j] = balls[j - 1];
        balls[j] = ball;
    }
}

static float Distance(ImVec2 a, ImVec2 b)
{
    return hypotf(a.x - b.x, a.y - b.y);
}

// The nearest ball under the mouse, or -1.
static int FindBall(const Ball balls[6], ImVec2 middle, float reach)
{
    const ImGuiIO* io = igGetIO();
    for (int i = 5; i >= 0; i--)
    {
        ImVec2 place = { middle.x + balls[i].place.x, middle.y + balls[i].place.y };
        if (Distance(place, io->MousePos) <= reach)
            return i;
    }
    return -1;
}

static void DrawBall(const qvuiKit* kit, ImDrawList* list, const Ball* ball, ImVec2 middle, bool hovered)
{
    const qvuiStyle* style = &kit->style;
    ImVec2 place = { middle.x + ball->place.x, middle.y + ball->place.y };
    ImU32 color = axisColors[ball->axis % 3];
    float size = qvuiPixels(style, 7);
    if (ball->axis >= 3)
    {
        color = hovered ? QVUI_RGB(0xffffff) : (color & 0xffffff) | 0x50000000u;
        ImDrawList_AddCircleFilled(list, place, size - 2, color, 24);
        return;
    }
    ImDrawList_AddLine(list, middle, place, color, qvuiPixels(style, 2.4));
    ImDrawList_AddCircleFilled(list, place, size, hovered ? QVUI_RGB(0xffffff) : color, 24);
    if (hovered || ball->depth > -0.2)
    {
        const char* name = axisNames[ball->axis];
        float width = qvuiTextWidth(style->value, name);
        qvuiDrawText(list, style->value, (ImVec2){ place.x - 0.5f * width, place.y - size }, 2 * size, QVUI_WINDOW,
                     name);
    }
}

void qvuiAxisGizmo(qvuiViewport* viewport, qvuiKit* kit, ImVec2 middle)
{
    const qvuiStyle* style = &kit->style;
    float radius = qvuiPixels(style, 34);
    igSetCursorScreenPos((ImVec2){ middle.x - radius, middle.y - radius });
    bool pressed = igInvisibleButton("gizmo", (ImVec2){ 2 * radius, 2 * radius }, ImGuiButtonFlags_MouseButtonLeft);
    qvuiNames_AddArea(&kit->names, "Axes");
    bool hovered = igIsItemHovered(ImGuiHoveredFlags_None), active = igIsItemActive();
    Ball balls[6];
    PlaceBalls(&viewport->camera, qvuiPixels(style, 25), balls);
    int under = hovered ? FindBall(balls, middle, qvuiPixels(style, 8)) : -1;
    const ImGuiIO* io = igGetIO();
    bool moved = Distance(io->MousePos, io->MouseClickedPos[0]) > qvuiPixels(style, 4);
    if (active && moved)
        qvuiCamera_Orbit(&viewport->camera, -io->MouseDelta.x * 0.015, io->MouseDelta.y * 0.015);
    if (pressed && !moved && under >= 0)
        qvuiCamera_SetAxisView(&viewport->camera, axisViews[balls[under].axis]);
    if (under >= 0)
        qvuiTooltip(kit, axisHints[balls[under].axis], NULL);

    ImDrawList* list = igGetWindowDrawList();
    ImDrawList_AddCircleFilled(list, middle, radius, QVUI_RGBA(0x0f1114, hovered ? 220 : 170), 48);
    for (int i = 0; i < 6; i++)
    {
        ImVec2 place = { middle.x + balls[i].place.x, middle.y + balls[i].place.y };
        qvuiNames_AddRect(&kit->names, axisNames[balls[i].axis], place, place);
        DrawBall(kit, list, &balls[i], middle, i == under);
    }
}
