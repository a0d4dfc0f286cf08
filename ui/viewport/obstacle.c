// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles over the picture, at the playhead, where it does not show them or one is chosen: the edges of boxes,
// circles of spheres, and the axes of meshes.
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

// r + 2 w (q x r) + 2 q x (q x r).
static qvVec3 Turn(qvQuat q, qvVec3 r)
{
    qvVec3 axis = qvMakeVec3(q.x, q.y, q.z), once = qvScale(2.0, qvCross(axis, r));
    return qvAdd(qvMulAdd(r, q.w, once), qvCross(axis, once));
}

// From the obstacle's own axes to the world.
static qvVec3 ToWorld(const Pen* pen, qvVec3 r)
{
    return qvAdd(pen->place->at, Turn(pen->place->rotate, r));
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
        double angle = QV_TWO_PI * i / ARC;
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
        bool isShaded = !obstacle->mute && !obstacle->inside; // in the picture itself
        qvObstaclePlace place;
        if (isShaded && !isChosen)
            continue;
        if (qvScene_PlaceObstacle(scene, obstacle, editor->session.playback.time, &place, NULL) != qv_ok)
            continue;
        ImU32 color = isChosen ? QVUI_AMBER : obstacle->mute ? QVUI_RGBA(0x9aa0a8, 90) : QVUI_RGBA(0x5b9dff, 190);
        Pen pen = { editor, list, &place, color, qvuiPixels(&editor->kit.style, isChosen ? 2 : 1) };
        DrawOne(&pen, obstacle);
    }
}

// --- Picking and placing ---------------------------------------------------------------------------------------------

// Where a ray in the obstacle's own coordinates first meets it, in lengths of its direction; INFINITY: nowhere.
static double MeetSphere(qvRay ray, double radius)
{
    double a = qvDot(ray.direction, ray.direction), b = qvDot(ray.origin, ray.direction);
    double c = qvDot(ray.origin, ray.origin) - radius * radius, root = b * b - a * c;
    return root >= 0.0 && b < 0.0 ? (-b - sqrt(root)) / a : INFINITY;
}

static double MeetBox(qvRay ray, qvVec3 size)
{
    const double o[3] = { ray.origin.x, ray.origin.y, ray.origin.z };
    const double d[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
    const double half[3] = { 0.5 * size.x, 0.5 * size.y, 0.5 * size.z };
    double enter = 0.0, leave = INFINITY;
    for (int k = 0; k < 3; k++)
    {
        double a = (-half[k] - o[k]) / d[k], b = (half[k] - o[k]) / d[k];
        if (d[k] == 0.0 && fabs(o[k]) > half[k])
            return INFINITY;
        if (d[k] == 0.0)
            continue;
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave ? enter : INFINITY;
}

// A mesh is taken by the axes that stand for it.
static double Meet(const qvuiEditor* editor, const qvSceneObstacle* obstacle, qvRay ray)
{
    if (obstacle->shape == qv_shapeBox)
        return MeetBox(ray, obstacle->size);
    return MeetSphere(ray, obstacle->shape == qv_shapeSphere ? obstacle->radius : 0.1 * editor->session.body->diagonal);
}

qvId qvuiPickObstacle(qvuiEditor* editor, ImVec2 pixel)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvRay ray = qvuiMouseRay(editor, pixel);
    qvHit hit = qvuiPick(editor, pixel);
    double nearest = hit.triangle >= 0 ? hit.distance : INFINITY;
    qvId found = 0;
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        qvObstaclePlace place;
        if (qvScene_PlaceObstacle(scene, scene->obstacles[i], editor->session.playback.time, &place, NULL) != qv_ok)
            continue;
        qvQuat back = { -place.rotate.x, -place.rotate.y, -place.rotate.z, place.rotate.w };
        qvRay own = { Turn(back, qvSub(ray.origin, place.at)), Turn(back, ray.direction) };
        double at = Meet(editor, scene->obstacles[i], own);
        found = at < nearest ? scene->obstacles[i]->id : found;
        nearest = fmin(nearest, at);
    }
    return found;
}

bool qvuiObstacleFrame(const qvuiEditor* editor, qvAffine* frame)
{
    const qvSceneObstacle* obstacle = qvuiChosenObstacle(editor);
    qvObstaclePlace place;
    if (obstacle == NULL || qvScene_PlaceObstacle(qvuiSession_Scene(&editor->session), obstacle,
                                                  editor->session.playback.time, &place, NULL) != qv_ok)
        return false;
    for (int k = 0; k < 3; k++)
    {
        qvVec3 column = Turn(place.rotate, qvMakeVec3(k == 0, k == 1, k == 2));
        frame->linear[0][k] = column.x;
        frame->linear[1][k] = column.y;
        frame->linear[2][k] = column.z;
    }
    frame->offset = place.at;
    return true;
}

qvResult qvuiPlaceObstacle(qvuiEditor* editor, qvVec3 at, qvQuat rotate, qvError* error)
{
    const qvSceneObstacle* obstacle = qvuiChosenObstacle(editor);
    qvDocument* document = editor->session.document;
    if (obstacle->keyCount > 0 && qvuiObstacleKeyHere(editor, obstacle) == NULL)
        qvuiAction_ObstacleKey(editor);
    obstacle = qvuiChosenObstacle(editor);
    const qvSceneObstacleKey* key = qvuiObstacleKeyHere(editor, obstacle);
    qvRef object = { qv_objectObstacle, obstacle->id };
    if (key != NULL)
        object = (qvRef){ qv_objectObstacleKey, key->id };
    const double place[3] = { at.x, at.y, at.z }, turn[4] = { rotate.x, rotate.y, rotate.z, rotate.w };
    qvResult result = qvDocument_SetNumbers(document, object, "at", place, 3, error);
    return result == qv_ok ? qvDocument_SetNumbers(document, object, "rotate", turn, 4, error) : result;
}
