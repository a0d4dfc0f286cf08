// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles over the picture, at the playhead: the edges of boxes, circles of spheres, and the axes of meshes.
#include "ui/editor/editor.h"

#include "ui/actions/obstacles.h"

#include <math.h>

enum
{
    ARC = 48
};

typedef struct Pen
{
    const qvuiEditor* editor;
    ImDrawList* list;
    const qvObstaclePlace* place;
    ImU32 color;
    float width;
} Pen;

// From the obstacle's own axes to the world: r + 2 w (q x r) + 2 q x (q x r).
static qvVec3 ToWorld(const Pen* pen, qvVec3 r)
{
    qvQuat q = pen->place->rotate;
    qvVec3 axis = qvMakeVec3(q.x, q.y, q.z), once = qvScale(2.0, qvCross(axis, r));
    return qvAdd(pen->place->at, qvAdd(qvMulAdd(r, q.w, once), qvCross(axis, once)));
}

static void Line(const Pen* pen, qvVec3 a, qvVec3 b)
{
    ImVec2 from, to;
    if (qvuiProject(pen->editor, ToWorld(pen, a), &from) && qvuiProject(pen->editor, ToWorld(pen, b), &to))
        ImDrawList_AddLine(pen->list, from, to, pen->color, pen->width);
}

static void Circle(const Pen* pen, qvVec3 x, qvVec3 y)
{
    qvVec3 last = x;
    for (int i = 1; i <= ARC; i++)
    {
        double angle = 6.28318530717958647692 * i / ARC;
        qvVec3 next = qvMulAdd(qvScale(cos(angle), x), sin(angle), y);
        Line(pen, last, next);
        last = next;
    }
}

static void Box(const Pen* pen, qvVec3 size)
{
    for (int c = 0; c < 8; c++)
    {
        const double at[3] = { (c & 1 ? 0.5 : -0.5) * size.x, (c & 2 ? 0.5 : -0.5) * size.y,
                               (c & 4 ? 0.5 : -0.5) * size.z };
        for (int k = 0; k < 3; k++)
        {
            double other[3] = { at[0], at[1], at[2] };
            other[k] = -other[k];
            if ((c >> k & 1) == 0)
                Line(pen, qvMakeVec3(at[0], at[1], at[2]), qvMakeVec3(other[0], other[1], other[2]));
        }
    }
}

static void DrawOne(const Pen* pen, const qvSceneObstacle* obstacle)
{
    double r = obstacle->shape == qv_shapeSphere ? obstacle->radius : 0.1 * pen->editor->session.body->diagonal;
    qvVec3 x = { r, 0.0, 0.0 }, y = { 0.0, r, 0.0 }, z = { 0.0, 0.0, r };
    if (obstacle->shape == qv_shapeBox)
        Box(pen, obstacle->size);
    else if (obstacle->shape == qv_shapeSphere)
    {
        Circle(pen, x, y);
        Circle(pen, y, z);
        Circle(pen, z, x);
    }
    else
    {
        Line(pen, qvScale(-1.0, x), x);
        Line(pen, qvScale(-1.0, y), y);
        Line(pen, qvScale(-1.0, z), z);
    }
}

void qvuiObstacles_Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    for (int i = 0; scene != NULL && editor->session.body != NULL && i < scene->obstacleCount; i++)
    {
        const qvSceneObstacle* obstacle = scene->obstacles[i];
        bool isChosen = obstacle->id == editor->session.selection.obstacle;
        qvObstaclePlace place;
        if (qvScene_PlaceObstacle(scene, obstacle, editor->session.playback.time, &place, NULL) != qv_ok)
            continue;
        ImU32 color = isChosen ? QVUI_AMBER : obstacle->mute ? QVUI_RGBA(0x9aa0a8, 90) : QVUI_RGBA(0x5b9dff, 190);
        Pen pen = { editor, list, &place, color, qvuiPixels(&editor->kit.style, isChosen ? 2 : 1) };
        DrawOne(&pen, obstacle);
    }
}
