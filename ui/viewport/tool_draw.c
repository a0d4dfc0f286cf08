// SPDX-License-Identifier: GPL-3.0-or-later
// What tools draw over the picture: the brush on the surface, arrows and handles.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

enum
{
    CIRCLE_SEGMENTS = 64
};

void qvuiDrawArrow(const qvuiStyle* style, ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color)
{
    float x = to.x - from.x, y = to.y - from.y, length = hypotf(x, y), size = qvuiPixels(style, 9);
    if (length < 1.0f)
        return;
    x /= length, y /= length;
    ImVec2 neck = { to.x - x * fminf(size, length), to.y - y * fminf(size, length) };
    ImDrawList_AddLine(list, from, neck, color, qvuiPixels(style, 2));
    ImVec2 left = { neck.x - 0.45f * size * y, neck.y + 0.45f * size * x };
    ImVec2 right = { neck.x + 0.45f * size * y, neck.y - 0.45f * size * x };
    ImDrawList_AddTriangleFilled(list, to, left, right, color);
}

void qvuiDrawHandle(const qvuiStyle* style, ImDrawList* list, ImVec2 place, ImU32 color, bool hovered)
{
    float radius = qvuiPixels(style, hovered ? 7 : 5.5);
    ImDrawList_AddCircleFilled(list, place, radius, hovered ? QVUI_RGB(0xffffff) : color, 24);
    ImDrawList_AddCircle(list, place, radius, QVUI_LINE, 24, qvuiPixels(style, 1));
}

// An ellipse in the picture: a circle that lies on the surface.
static void DrawCircle(qvuiEditor* editor, ImDrawList* list, qvVec3 at, qvVec3 normal, ImU32 color)
{
    qvVec3 other = fabs(normal.y) < 0.9 ? qvMakeVec3(0, 1, 0) : qvMakeVec3(1, 0, 0);
    qvVec3 u = qvNormalize(qvCross(normal, other)), v = qvCross(normal, u);
    double radius = qvuiTools_Radius(editor);
    ImVec2 ring[CIRCLE_SEGMENTS + 1];
    for (int i = 0; i <= CIRCLE_SEGMENTS; i++)
    {
        double turn = QV_TWO_PI * i / CIRCLE_SEGMENTS;
        if (!qvuiProject(editor, qvMulAdd(qvMulAdd(at, radius * cos(turn), u), radius * sin(turn), v), &ring[i]))
            return;
    }
    float width = qvuiPixels(&editor->kit.style, 2);
    ImDrawList_AddPolyline(list, ring, CIRCLE_SEGMENTS + 1, QVUI_RGBA(0x0f1114, 90), 0, 2.0f * width);
    ImDrawList_AddPolyline(list, ring, CIRCLE_SEGMENTS + 1, color, 0, width);
}

static void DrawDot(qvuiEditor* editor, ImDrawList* list, qvVec3 at, ImU32 color)
{
    ImVec2 place;
    if (qvuiProject(editor, at, &place))
        ImDrawList_AddCircleFilled(list, place, qvuiPixels(&editor->kit.style, 3), color, 16);
}

// The number that F or Shift-F is setting, beside the mouse.
static void DrawAdjust(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    char text[48];
    if (tools->adjust == qvui_adjustRadius)
        snprintf(text, sizeof(text), "radius %.3g", tools->radius);
    else
        snprintf(text, sizeof(text), "strength %.2f", tools->strength);
    qvuiBadgeBeside(editor, list, igGetIO()->MousePos, NULL, text);
}

// While a stroke is dragged its circle goes along with the drag, and an arrow shows from where.
static void DrawActive(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiTool* tool = tools->active;
    if (!tool->hasBrush)
        return;
    bool pulls = tool == qvuiGetTool(qvui_toolGrab) && tools->moved;
    qvVec3 at = pulls ? qvMulAdd(tools->hit.position, tools->strength, tools->arrow) : tools->hit.position;
    if (!tool->ownMark)
        DrawCircle(editor, list, at, tools->hitNormal, tool->color);
    DrawDot(editor, list, tools->hit.position, tool->color);
    ImVec2 from, to;
    if (pulls && qvuiProject(editor, tools->hit.position, &from) && qvuiProject(editor, at, &to))
        qvuiDrawArrow(&editor->kit.style, list, from, to, tool->color);
}

void qvuiTools_Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiTool* tool = qvuiGetTool(tools->tool);
    if (editor->session.body == NULL || qvuiTween_IsOpen(editor))
        return;
    qvuiDrawHandles(editor, list);
    if (tools->active != NULL)
        DrawActive(editor, list);
    else if (tool->hasBrush && tools->hover.triangle >= 0 && (!tools->overHandle || tools->adjust != qvui_adjustNone))
    {
        ImU32 color = igGetIO()->KeyShift && tool->makesStroke ? QVUI_TEXT : tool->color;
        if (!tool->ownMark || igGetIO()->KeyCtrl || igGetIO()->KeyShift || tools->adjust != qvui_adjustNone)
            DrawCircle(editor, list, tools->hover.position, tools->normal, color);
        DrawDot(editor, list, tools->hover.position, color);
    }
    if (tool->draw != NULL && !editor->session.playback.playing)
        tool->draw(editor, list);
    if (tools->adjust != qvui_adjustNone)
        DrawAdjust(editor, list);
}
