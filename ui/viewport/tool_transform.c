// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and turns the whole body at a key, or the obstacle that is chosen: arrows along the axes, a disc in the middle
// that moves in the plane of the picture, and a ring about each axis, which can go round as often as one likes.
#include "ui/editor/editor.h"

#include "ui/actions/obstacles.h"
#include "ui/actions/state.h"
#include "ui/editor/key_place.h"
#include "ui/viewport/tool_icons.h"
#include "ui/viewport/whole_turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    HANDLE_NONE = -1,
    HANDLE_MIDDLE = 3, // 0 to 2: arrows
    HANDLE_RING = 4,   // to 6
    RING_SEGMENTS = 48,
};

static const double DEGREES = 57.29577951308232;

static const ImU32 colors[3] = { QVUI_RGB(0xff6f5e), QVUI_RGB(0x8fd14f), QVUI_RGB(0x5b9dff) };

static qvVec3 Axis(int index)
{
    return qvMakeVec3(index == 0, index == 1, index == 2);
}

// The middle of the chosen obstacle, or of the body as it is shown.
static qvVec3 FindPivot(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvAffine obstacle;
    if (qvuiObstacleFrame(editor, &obstacle))
        return obstacle.offset;
    if (tools->active != NULL)
        return qvuiToWorld(&tools->live.frame, tools->pivot);
    qvBox box = qvComputeBounds(editor->session.points, editor->session.body->mesh->pointCount);
    return qvScale(0.5, qvAdd(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper)));
}

static qvVec3 RingPlace(qvVec3 pivot, int axis, double radius, int step)
{
    double turn = QV_TWO_PI * step / RING_SEGMENTS;
    qvVec3 u = Axis((axis + 1) % 3), v = Axis((axis + 2) % 3);
    return qvMulAdd(qvMulAdd(pivot, radius * cos(turn), u), radius * sin(turn), v);
}

static float Distance(ImVec2 a, ImVec2 b)
{
    return hypotf(a.x - b.x, a.y - b.y);
}

static int FindPart(const qvuiEditor* editor, qvVec3 pivot, ImVec2 pixel)
{
    const qvuiStyle* style = &editor->kit.style;
    double unit = qvuiUnitsPerPixel(editor, pivot) * style->scale;
    ImVec2 place;
    if (qvuiProject(editor, pivot, &place) && Distance(place, pixel) < qvuiPixels(style, 11))
        return HANDLE_MIDDLE;
    for (int axis = 0; axis < 3; axis++)
        if (qvuiProject(editor, qvMulAdd(pivot, 96.0 * unit, Axis(axis)), &place) &&
            Distance(place, pixel) < qvuiPixels(style, 12))
            return axis;
    for (int axis = 0; axis < 3; axis++)
        for (int step = 0; step < RING_SEGMENTS; step++)
            if (qvuiProject(editor, RingPlace(pivot, axis, 70.0 * unit, step), &place) &&
                Distance(place, pixel) < qvuiPixels(style, 6))
                return HANDLE_RING + axis;
    return HANDLE_NONE;
}

// Where the mouse is round the pivot, counter-clockwise in the picture. False when it is on the pivot.
static bool MouseAngle(const qvuiEditor* editor, qvVec3 pivot, ImVec2 mouse, double* angle)
{
    ImVec2 middle;
    if (!qvuiProject(editor, pivot, &middle) || Distance(middle, mouse) < qvuiPixels(&editor->kit.style, 4))
        return false;
    *angle = atan2(middle.y - mouse.y, mouse.x - middle.x);
    return true;
}

// A press beside the handles chooses what is under it: an obstacle, or the body again.
static bool Choose(qvuiEditor* editor)
{
    qvId obstacle = qvuiPickObstacle(editor, editor->viewport.tools.start);
    if (obstacle != 0)
        qvuiSession_SelectObstacle(&editor->session, obstacle);
    else if (qvuiHasObstacle(editor) && editor->viewport.tools.hit.triangle >= 0)
        qvuiSession_SelectObstacle(&editor->session, 0);
    return false;
}

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvVec3 pivot = FindPivot(editor);
    tools->handle = FindPart(editor, pivot, tools->start);
    if (tools->handle == HANDLE_NONE)
        return Choose(editor);
    if (qvuiObstacleFrame(editor, &tools->startFrame))
        qvDocument_Begin(editor->session.document, tools->handle <= HANDLE_MIDDLE ? "Move obstacle" : "Turn obstacle",
                         0);
    else if (qvuiLive_Begin(editor))
        tools->startFrame = tools->live.frame;
    else
        return false;
    const qvAffine* frame = &tools->startFrame;
    tools->pivot = qvuiTurnBack(frame, qvSub(pivot, frame->offset));
    tools->hit.position = pivot;
    tools->turned = tools->mouseAngle = 0.0;
    MouseAngle(editor, pivot, tools->start, &tools->mouseAngle);
    return true;
}

// How far the mouse has gone along an axis.
static double AlongAxis(const qvuiEditor* editor, qvVec3 pivot, qvVec3 axis)
{
    const qvuiTools* tools = &editor->viewport.tools;
    double unit = 50.0 * qvuiUnitsPerPixel(editor, pivot);
    ImVec2 from, to;
    if (!qvuiProject(editor, pivot, &from) || !qvuiProject(editor, qvMulAdd(pivot, unit, axis), &to))
        return 0.0;
    double x = to.x - from.x, y = to.y - from.y, length2 = x * x + y * y;
    if (length2 < 1.0)
        return 0.0;
    return unit * (x * (tools->mouse.x - tools->start.x) + y * (tools->mouse.y - tools->start.y)) / length2;
}

// How far the mouse has gone round the pivot since the drag began, counter-clockwise seen from the tip of the axis.
static double AroundAxis(qvuiEditor* editor, qvVec3 pivot, qvVec3 axis)
{
    qvuiTools* tools = &editor->viewport.tools;
    double angle;
    if (MouseAngle(editor, pivot, tools->mouse, &angle))
    {
        tools->turned += remainder(angle - tools->mouseAngle, 360.0 / DEGREES);
        tools->mouseAngle = angle;
    }
    bool towards = qvDot(axis, qvuiCamera_Frame(&editor->viewport.camera).back) >= 0.0;
    return towards ? tools->turned : -tools->turned;
}

static qvAffine Product(const qvAffine* a, const qvAffine* b)
{
    qvAffine product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product.linear[i][j] = a->linear[i][0] * b->linear[0][j] + a->linear[i][1] * b->linear[1][j] +
                                   a->linear[i][2] * b->linear[2][j];
    product.offset = qvuiToWorld(a, b->offset);
    return product;
}

// Rodrigues: turns about an axis through the origin.
static qvAffine Rotation(qvVec3 axis, double angle)
{
    double c = cos(angle), s = sin(angle);
    const double a[3] = { axis.x, axis.y, axis.z };
    const double cross[3][3] = { { 0, -axis.z, axis.y }, { axis.z, 0, -axis.x }, { -axis.y, axis.x, 0 } };
    qvAffine rotation = { .offset = { 0, 0, 0 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rotation.linear[i][j] = (i == j ? c : 0.0) + s * cross[i][j] + (1.0 - c) * a[i] * a[j];
    return rotation;
}

// What was typed counts until it is taken away again.
static double Typed(const qvuiTools* tools, double otherwise)
{
    char* end;
    double value = strtod(tools->typed, &end);
    return end != tools->typed ? value : otherwise;
}

// How far the taken part has gone: scene units along an arrow, radians round a ring, not further than keys can go.
static double Amount(qvuiEditor* editor, qvVec3 pivot)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const double step = 15.0 / DEGREES;
    if (tools->handle < HANDLE_MIDDLE)
        return Typed(tools, AlongAxis(editor, pivot, Axis(tools->handle)));
    double angle = AroundAxis(editor, pivot, Axis(tools->handle - HANDLE_RING));
    angle = Typed(tools, DEGREES * (tools->control ? step * round(angle / step) : angle)) / DEGREES;
    return fmin(fmax(angle, -qvuiLargestTurn), qvuiLargestTurn);
}

// The unit quaternion of a rotation matrix, from its largest component.
static qvQuat ToQuat(const qvAffine* f)
{
    const double(*m)[3] = f->linear;
    double squares[4] = { 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2] };
    int k = 3;
    for (int i = 0; i < 3; i++)
        k = squares[i] > squares[k] ? i : k;
    double big = sqrt(squares[k]), s = 0.5 / big, q[4];
    double yz = m[2][1] + m[1][2], xz = m[0][2] + m[2][0], xy = m[1][0] + m[0][1];
    double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const double rows[4][4] = { { 0, xy, xz, wx }, { xy, 0, yz, wy }, { xz, yz, 0, wz }, { wx, wy, wz, 0 } };
    for (int i = 0; i < 4; i++)
        q[i] = i == k ? 0.5 * big : s * rows[k][i];
    return (qvQuat){ q[0], q[1], q[2], q[3] };
}

// Up or down, so that the lowest point of the pose is on the ground.
static void StandOn(const qvuiEditor* editor, qvAffine* frame)
{
    const qvuiSession* session = &editor->session;
    const qvuiLive* live = &editor->viewport.tools.live;
    double lowest = INFINITY, rest = INFINITY;
    for (int i = 0; i < session->body->mesh->pointCount; i++)
    {
        lowest = fmin(lowest, qvuiToWorld(frame, qvVec3_FromFloat(live->points[i])).y);
        rest = fmin(rest, (double)session->body->rest[i].y);
    }
    frame->offset.y += qvScene_GroundHeight(qvuiSession_Scene(session), rest) - lowest;
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvVec3 pivot = qvuiToWorld(&tools->startFrame, tools->pivot);
    qvAffine motion = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 } };
    tools->amount = tools->handle != HANDLE_MIDDLE ? Amount(editor, pivot) : 0.0;
    if (tools->handle == HANDLE_MIDDLE)
        motion.offset = qvuiMouseMove(editor);
    else if (tools->handle < HANDLE_MIDDLE)
        motion.offset = qvScale(tools->amount, Axis(tools->handle));
    else
    {
        motion = Rotation(Axis(tools->handle - HANDLE_RING), tools->amount);
        motion.offset = qvSub(pivot, qvuiTurn(&motion, pivot));
    }
    qvAffine frame = Product(&motion, &tools->startFrame);
    qvError error;
    if (qvuiHasObstacle(editor))
    {
        qvuiEditor_Did(editor, qvuiPlaceObstacle(editor, frame.offset, ToQuat(&frame), &error), &error);
        return;
    }
    if (tools->sticks)
        StandOn(editor, &frame);
    tools->live.frame = frame;
    qvuiLive_ShowPoints(editor);
}

// The key that the body comes from on its way to another one, in a loop perhaps the last. NULL: none.
static const qvSceneKey* TransformBefore(const qvScene* scene, qvId id)
{
    int index = 0;
    qvScene_FindKey(scene, id, &index);
    for (int i = 1; i < scene->keyCount; i++)
    {
        int before = index - i;
        if (before < 0 && !scene->loop)
            return NULL;
        const qvSceneKey* key = scene->keys[(before + scene->keyCount) % scene->keyCount];
        if (key->hasTransform)
            return key;
    }
    return NULL;
}

static qvQuat Unit(qvQuat q)
{
    double scale = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (qvQuat){ scale * q.x, scale * q.y, scale * q.z, scale * q.w };
}

// The rotation, and how often the ring was dragged round.
static qvResult StoreRotation(qvuiEditor* editor, qvRef ref, const qvAffine* frame, qvError* error)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneKey *key = qvScene_FindKey(scene, ref.id, NULL), *before = TransformBefore(scene, ref.id);
    qvDocument* document = editor->session.document;
    qvuiTurned turned = { ToQuat(frame), key->turns };
    if (tools->handle >= HANDLE_RING && before != NULL)
    {
        qvuiTurned start = { ToQuat(&tools->startFrame), key->turns };
        turned = qvuiTurnFurther(Unit(before->rotate), start, Axis(tools->handle - HANDLE_RING), tools->amount);
    }
    const double rotate[4] = { turned.rotation.x, turned.rotation.y, turned.rotation.z, turned.rotation.w };
    int turns = key->turns;
    qvResult result = qvDocument_SetNumbers(document, ref, "transform.rotate", rotate, 4, error);
    if (result == qv_ok && turned.turns != turns)
        result = qvDocument_SetNumber(document, ref, "transform.turns", turned.turns, error);
    return result;
}

static qvResult StoreTransform(qvuiEditor* editor, const qvAffine* frame, qvError* error)
{
    qvId key = 0;
    const double translate[3] = { frame->offset.x, frame->offset.y, frame->offset.z };
    qvResult result = qvuiSession_KeyForStroke(&editor->session, &key, error);
    qvRef ref = { qv_objectKey, key };
    if (result == qv_ok)
        result = qvuiSession_KeyPlace(&editor->session, key, error);
    if (result == qv_ok)
        result = qvDocument_SetNumbers(editor->session.document, ref, "transform.translate", translate, 3, error);
    if (result == qv_ok)
        result = StoreRotation(editor, ref, frame, error);
    return result;
}

// What an obstacle does is in the document at once: the motion follows while it is dragged.
static void Cancel(qvuiEditor* editor)
{
    if (qvuiHasObstacle(editor))
        qvDocument_Abort(editor->session.document);
    else
        qvuiLive_Cancel(editor);
}

static void End(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (qvuiHasObstacle(editor))
    {
        qvDocument_End(editor->session.document);
        return;
    }
    qvAffine frame = tools->live.frame;
    qvDocument* document = editor->session.document;
    qvError error;
    bool moved = tools->moved;
    qvuiShow show = editor->session.show;
    qvuiLive_Cancel(editor);
    if (!moved)
        return;
    editor->session.show = show; // until the motion has caught up
    qvDocument_Begin(document, tools->handle <= HANDLE_MIDDLE ? "Move body" : "Turn body", 0);
    qvResult result = StoreTransform(editor, &frame, &error);
    if (result == qv_ok)
        qvDocument_End(document);
    else
        qvDocument_Abort(document);
    if (!qvuiEditor_Did(editor, result, &error))
        editor->session.show = qvui_showTake;
}

static ImU32 PartColor(int part, int under, int axis)
{
    return part == under ? QVUI_RGB(0xffffff) : colors[axis];
}

static void DrawRing(qvuiEditor* editor, ImDrawList* list, qvVec3 pivot, int axis, double radius, ImU32 color)
{
    ImVec2 ring[RING_SEGMENTS + 1];
    for (int step = 0; step <= RING_SEGMENTS; step++)
        if (!qvuiProject(editor, RingPlace(pivot, axis, radius, step), &ring[step]))
            return;
    ImDrawList_AddPolyline(list, ring, RING_SEGMENTS + 1, (color & 0xffffff) | 0xb0000000u, 0,
                           qvuiPixels(&editor->kit.style, 2));
}

// How far it has gone, beside the mouse.
static void DrawAmount(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    char amount[48], whole[48] = "";
    if (tools->active == NULL || !tools->moved || tools->handle == HANDLE_MIDDLE)
        return;
    double degrees = DEGREES * tools->amount, turns = trunc(degrees / 360.0 + copysign(1e-9, degrees));
    if (tools->handle < HANDLE_MIDDLE)
        snprintf(amount, sizeof(amount), "%c %+.3g", "xyz"[tools->handle], tools -> amount);
    else
        snprintf(amount, sizeof(amount), "%c %+.1f\xc2\xb0", "xyz"[tools->handle - HANDLE_RING], degrees);
    if (tools->handle >= HANDLE_RING && turns != 0.0)
        snprintf(whole, sizeof(whole), "%.0f turn%s and %.1f\xc2\xb0", fabs(turns), fabs(turns) == 1.0 ? "" : "s",
                 fabs(degrees - 360.0 * turns));
    qvuiBadgeBeside(editor, list, tools->mouse, amount, whole[0] != 0 ? whole : NULL);
}

static void Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiStyle* style = &editor->kit.style;
    qvVec3 pivot = FindPivot(editor);
    double unit = qvuiUnitsPerPixel(editor, pivot) * style->scale;
    int under = tools->active != NULL ? tools->handle : FindPart(editor, pivot, igGetIO()->MousePos);
    ImVec2 middle, tip;
    if (!qvuiProject(editor, pivot, &middle))
        return;
    static const char* const names[3] = { "Move x", "Move y", "Move z" };
    static const char* const rings[3] = { "Turn x", "Turn y", "Turn z" };
    for (int axis = 0; axis < 3; axis++)
    {
        DrawRing(editor, list, pivot, axis, 70.0 * unit, PartColor(HANDLE_RING + axis, under, axis));
        if (qvuiProject(editor, RingPlace(pivot, axis, 70.0 * unit, RING_SEGMENTS / 8), &tip))
            qvuiNames_AddRect(&editor->kit.names, rings[axis], tip, tip);
    }
    for (int axis = 0; axis < 3; axis++)
        if (qvuiProject(editor, qvMulAdd(pivot, 104.0 * unit, Axis(axis)), &tip))
        {
            qvuiDrawArrow(style, list, middle, tip, PartColor(axis, under, axis));
            qvuiNames_AddRect(&editor->kit.names, names[axis], tip, tip);
        }
    ImDrawList_AddCircleFilled(list, middle, qvuiPixels(style, 7),
                               under == HANDLE_MIDDLE ? QVUI_RGB(0xffffff) : QVUI_AMBER, 24);
    qvuiNames_AddRect(&editor->kit.names, "Move body", middle, middle);
    DrawAmount(editor, list);
}

extern const qvuiTool qvuiToolTransform;
const qvuiTool qvuiToolTransform = {
    .id = "transform",
    .label = "Transform",
    .drawIcon = qvuiIcon_Transform,
    .action = "tool.transform",
    .help = "Keys where the whole body is and how it is turned at the playhead: hops, steps, somersaults. A chosen "
            "obstacle is moved instead; a click on another one chooses it.",
    .hint = "LMB\tdrag an arrow, a ring or the middle|Click\tan obstacle|Ctrl\tsteps of 15 degrees|0-9\ttype how "
            "far|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\tsteps of 15 degrees|0-9\ttype how far|Enter\ttake it|Esc\tcancel",
    .color = QVUI_AMBER,
    .types = true,
    .anywhere = true,
    .ownHandles = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = Cancel,
    .draw = Draw,
};
