// SPDX-License-Identifier: GPL-3.0-or-later
// Handles of what is selected, at its key: the selected stroke's centre with its drag or amount, and the arrows of the
// key's velocity.
#include "ui/editor/editor.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// Pixels per unit of angle or amount.
static const double PIXELS_PER_AMOUNT = 60.0;

typedef enum VelocitySide
{
    SIDE_SET,
    SIDE_IN,
    SIDE_OUT,
} VelocitySide;

static float Distance(ImVec2 a, ImVec2 b)
{
    return hypotf(a.x - b.x, a.y - b.y);
}

// --- The selected stroke -------------------------------------------------------------------------------------------

// Whether the tool leaves room for them.
static bool AreShown(const qvuiEditor* editor)
{
    return !qvuiGetTool(editor->viewport.tools.tool)->ownHandles;
}

// The selected stroke when its key is under the playhead.
static const qvSceneStroke* SelectedStroke(const qvuiEditor* editor, const qvSceneKey** key, int* place)
{
    const qvuiSession* session = &editor->session;
    if (!AreShown(editor) || session->document == NULL || session->body == NULL || session->selection.stroke == 0 ||
        session->playback.playing)
        return NULL;
    const qvSceneStroke* stroke = qvScene_FindStroke(qvuiSession_Scene(session), session->selection.stroke, key, place);
    return stroke != NULL && (*key)->id == qvuiSession_KeyAtTime(session) ? stroke : NULL;
}

// Where the stroke's centre is before the stroke moves it; computed again only when the document has changed.
static bool FindCentre(qvuiEditor* editor, const qvSceneKey* key, int place, const qvSceneStroke* stroke)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiSession* session = &editor->session;
    if (tools->centreStroke == stroke->id && qvuiKeyStamp_IsValid(&tools->centreStamp, editor, key->id))
        return true;
    size_t size = (size_t)session->body->mesh->pointCount * sizeof(qvVec3f);
    qvVec3f* points = malloc(size);
    qvError error;
    if (points == NULL)
        return false;
    qvResult result =
        qvComputePose(qvuiSession_Scene(session), session->body, key->id, place, session->pool, points, &error);
    if (result == qv_ok)
        qvuiKeepCentre(editor, key->id, stroke->id, &stroke->stroke, points);
    free(points);
    return result == qv_ok;
}

// Which way the handle of a number lies in the window: that of a stretch along an axis lies there, others to the right.
static ImVec2 NumberDirection(qvuiEditor* editor, const qvAffine* frame, const qvStroke* stroke)
{
    const ImVec2 right = { 1, 0 };
    qvVec3 at = qvuiToWorld(frame, editor->viewport.tools.centre);
    qvVec3 axis = qvScale(stroke->radius, qvuiTurn(frame, stroke->axis));
    ImVec2 from, to;
    const qvBrush* brush = stroke->brush;
    bool isAlong =
        brush->measure != offsetof(qvStroke, angle) && qvBrush_FindParameter(brush, offsetof(qvStroke, axis)) != NULL;
    if (!isAlong || !qvuiProject(editor, at, &from) || !qvuiProject(editor, qvAdd(at, axis), &to))
        return right;
    // Seen along the axis, it has no direction.
    float length = Distance(from, to);
    return length > qvuiPixels(&editor->kit.style, 4) ? (ImVec2){ (to.x - from.x) / length, (to.y - from.y) / length }
                                                      : right;
}

// Centre and tip in the window.
static bool StrokeHandle(qvuiEditor* editor, ImVec2* centre, ImVec2* tip)
{
    const qvSceneKey* key;
    int place;
    const qvuiTools* tools = &editor->viewport.tools;
    const qvSceneStroke* found = SelectedStroke(editor, &key, &place);
    if (found == NULL || !FindCentre(editor, key, place, found))
        return false;
    qvStroke stroke = tools->active != NULL && tools->live.edited == found->id ? tools->live.stroke : found->stroke;
    qvAffine frame = qvuiKeyFrame(editor, key->id, key->time);
    qvVec3 at = qvuiToWorld(&frame, tools->centre);
    qvVec3 drag = qvScale(stroke.strength, qvuiTurn(&frame, stroke.drag));
    const double* number = qvStroke_Measure(&stroke);
    if (!qvuiProject(editor, at, centre) || !qvuiProject(editor, number == NULL ? qvAdd(at, drag) : at, tip))
        return false;
    if (number != NULL)
    {
        ImVec2 direction = NumberDirection(editor, &frame, &stroke);
        float length = (float)((30.0 + PIXELS_PER_AMOUNT * *number) * editor->kit.style.scale);
        tip->x += length * direction.x;
        tip->y += length * direction.y;
    }
    return true;
}

static bool BeginStroke(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiLive_BeginEdit(editor, editor->session.selection.stroke))
        return false;
    const qvStroke* stroke = &tools->live.stroke;
    qvVec3 drag = qvScale(stroke->strength, stroke->drag);
    tools->hit.position = qvuiToWorld(&tools->live.frame, qvAdd(tools->centre, drag));
    tools->arrow = qvuiTurn(&tools->live.frame, stroke->drag);
    tools->pivot.x = qvStroke_Measure(&tools->live.stroke) != NULL ? *qvStroke_Measure(&tools->live.stroke) : 0.0;
    return true;
}

static void DragStroke(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvStroke* stroke = &tools->live.stroke;
    double* number = qvStroke_Measure(stroke);
    if (number == NULL)
    {
        qvVec3 move = qvScale(1.0 / fmax(stroke->strength, 0.01), qvuiMouseMove(editor));
        stroke->drag = qvuiTurnBack(&tools->live.frame, qvAdd(tools->arrow, move));
    }
    else
    {
        ImVec2 direction = NumberDirection(editor, &tools->live.frame, stroke);
        double along =
            (tools->mouse.x - tools->start.x) * direction.x + (tools->mouse.y - tools->start.y) * direction.y;
        double change = along / (PIXELS_PER_AMOUNT * editor->kit.style.scale);
        const qvParameter* parameter = qvBrush_FindParameter(stroke->brush, stroke->brush->measure);
        *number = fmin(fmax(tools->pivot.x + change, parameter->minimum), parameter->maximum);
    }
    qvuiLive_Show(editor);
}

static void EndStroke(qvuiEditor* editor)
{
    if (editor->viewport.tools.moved)
        qvuiLive_Commit(editor, "Change stroke");
    else
        qvuiLive_Cancel(editor);
}

static const qvuiTool strokeHandle = {
    .id = "stroke handle",
    .label = "Change stroke",
    .color = QVUI_AMBER,
    .begin = BeginStroke,
    .drag = DragStroke,
    .end = EndStroke,
    .cancel = qvuiLive_Cancel,
};

// --- The joint of a bend --------------------------------------------------------------------------------------------

// The selected bend as it is now, its centre and joint where the pose before it has them.
static bool PlacedBend(qvuiEditor* editor, qvStroke* placed, qvAffine* frame)
{
    const qvSceneKey* key;
    int place;
    const qvuiTools* tools = &editor->viewport.tools;
    const qvSceneStroke* found = SelectedStroke(editor, &key, &place);
    if (found == NULL || qvBrush_FindParameter(found->stroke.brush, offsetof(qvStroke, joint)) == NULL ||
        !FindCentre(editor, key, place, found))
        return false;
    bool isLive = tools->active != NULL && tools->live.edited == found->id;
    *placed = isLive ? tools->live.stroke : found->stroke;
    placed->at = tools->centre;
    placed->joint = tools->joint;
    *frame = qvuiKeyFrame(editor, key->id, key->time);
    return true;
}

static bool JointHandle(qvuiEditor* editor, ImVec2* pixel)
{
    qvStroke placed;
    qvAffine frame;
    return PlacedBend(editor, &placed, &frame) && qvuiProject(editor, qvuiToWorld(&frame, placed.joint), pixel);
}

static bool BeginJoint(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiLive_BeginEdit(editor, editor->session.selection.stroke))
        return false;
    tools->hit.position = qvuiToWorld(&tools->live.frame, tools->joint);
    tools->pivot = tools->joint;
    return true;
}

static void DragJoint(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->joint = qvAdd(tools->pivot, qvuiTurnBack(&tools->live.frame, qvuiMouseMove(editor)));
    tools->live.stroke.joint = qvBody_CarryBack(editor->session.body, tools->live.before, tools->joint);
    qvuiLive_Show(editor);
}

static void CancelJoint(qvuiEditor* editor)
{
    editor->viewport.tools.joint = editor->viewport.tools.pivot;
    qvuiLive_Cancel(editor);
}

static const qvuiTool jointHandle = {
    .id = "joint handle",
    .label = "Move joint",
    .color = QVUI_AMBER,
    .begin = BeginJoint,
    .drag = DragJoint,
    .end = EndStroke,
    .cancel = CancelJoint,
};

// --- The selected key's velocity ------------------------------------------------------------------------------------

// The selected key when it is under the playhead and has a velocity of its own.
static const qvSceneKey* VelocityKey(const qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    if (!AreShown(editor) || session->document == NULL || session->body == NULL || session->playback.playing)
        return NULL;
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(session), session->selection.key, NULL);
    if (key == NULL || key->id != qvuiSession_KeyAtTime(session))
        return NULL;
    return key->velocityMode == qv_velocitySet || key->velocityMode == qv_velocityBroken ? key : NULL;
}

static const char* const sideFields[] = { "velocity.value", "velocity.in", "velocity.out" };

static bool HasSide(const qvSceneKey* key, VelocitySide side)
{
    return (key->velocityMode == qv_velocitySet) == (side == SIDE_SET);
}

static const qvSceneVelocity* GetSide(const qvSceneKey* key, VelocitySide side)
{
    return side == SIDE_IN ? &key->before : &key->after;
}

// Root and handle of one arrow in the window. Speeds in come from the left when they are not given yet.
static bool VelocityHandle(qvuiEditor* editor, const qvSceneKey* key, VelocitySide side, ImVec2* root, ImVec2* handle)
{
    const qvSceneVelocity* velocity = GetSide(key, side);
    if (!HasSide(key, side) || velocity->offsets != NULL) // what was captured has no single arrow
        return false;
    if (velocity->strokes.count > 0)
        return qvuiFlowHandle(editor, key, side == SIDE_IN, root, handle);
    qvAffine frame = qvuiVelocityFrame(editor, key);
    qvBox box = qvComputeBounds(editor->session.points, editor->session.body->mesh->pointCount);
    qvVec3 middle = qvScale(0.5, qvAdd(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper)));
    qvVec3 arrow =
        qvuiTurn(&frame, qvScale(side == SIDE_IN ? -QVUI_VELOCITY_TIME : QVUI_VELOCITY_TIME, velocity->value));
    if (!qvuiProject(editor, middle, root) || !qvuiProject(editor, qvAdd(middle, arrow), handle))
        return false;
    if (Distance(*root, *handle) < qvuiPixels(&editor->kit.style, 12))
        handle->x = root->x + qvuiPixels(&editor->kit.style, side == SIDE_IN ? -18 : 18);
    return true;
}

// A velocity that strokes give: kept as it was, so that every move of the mouse scales the same.
static bool BeginFlow(qvuiEditor* editor, const qvSceneKey* key)
{
    qvuiTools* tools = &editor->viewport.tools;
    ImVec2 root, handle;
    if (!qvuiFlowHandle(editor, key, tools->handle == SIDE_IN, &root, &handle))
        return false;
    tools->velocity = qvuiReadVelocity(editor, key->id, sideFields[tools->handle]);
    tools->pivot = qvMakeVec3(handle.x - root.x, handle.y - root.y, 0.0);
    return tools->velocity != NULL;
}

// The whole gesture is one step of undo, which Esc takes back.
static bool BeginVelocity(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const qvSceneKey* key = VelocityKey(editor);
    qvBox box = qvComputeBounds(editor->session.points, editor->session.body->mesh->pointCount);
    tools->hit.position = qvScale(0.5, qvAdd(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper)));
    const qvSceneVelocity* velocity = GetSide(key, (VelocitySide)tools->handle);
    tools->arrow = velocity->value;
    if (velocity->strokes.count > 0 && !BeginFlow(editor, key))
        return false;
    qvDocument_Begin(editor->session.document, "Velocity", 0);
    return true;
}

// Strokes grow with the length of the arrow; pulled through its root it turns round.
static qvResult ScaleVelocity(qvuiEditor* editor, const qvSceneKey* key, qvError* error)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvVec3 moved = { tools->mouse.x - tools->start.x, tools->mouse.y - tools->start.y, 0.0 };
    double factor = 1.0 + qvDot(moved, tools->pivot) / fmax(qvDot(tools->pivot, tools->pivot), 1.0);
    // Nothing would be left to take hold of.
    factor = fabs(factor) < 0.02 ? copysign(0.02, factor) : factor;
    return qvuiSetVelocity(editor, key->id, sideFields[tools->handle], tools->velocity, factor, error);
}

static void DragVelocity(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const qvSceneKey* key = VelocityKey(editor);
    qvError error;
    if (key == NULL)
        return;
    qvAffine frame = qvuiVelocityFrame(editor, key);
    double scale = (tools->handle == SIDE_IN ? -1.0 : 1.0) / QVUI_VELOCITY_TIME;
    qvVec3 value = qvMulAdd(tools->arrow, scale, qvuiTurnBack(&frame, qvuiMouseMove(editor)));
    const double numbers[3] = { value.x, value.y, value.z };
    qvRef ref = { qv_objectKey, key->id };
    qvResult result = tools->velocity != NULL ? ScaleVelocity(editor, key, &error)
                                              : qvDocument_SetNumbers(editor->session.document, ref,
                                                                      sideFields[tools->handle], numbers, 3, &error);
    qvuiEditor_Did(editor, result, &error);
}

static void DropFlow(qvuiTools* tools)
{
    qvDestroyJson(tools->velocity);
    tools->velocity = NULL;
}

static void EndVelocity(qvuiEditor* editor)
{
    DropFlow(&editor->viewport.tools);
    qvDocument_End(editor->session.document);
}

static void CancelVelocity(qvuiEditor* editor)
{
    DropFlow(&editor->viewport.tools);
    qvDocument_Abort(editor->session.document);
}

static const qvuiTool velocityHandle = {
    .id = "velocity handle",
    .label = "Velocity",
    .color = QVUI_AMBER,
    .begin = BeginVelocity,
    .drag = DragVelocity,
    .end = EndVelocity,
    .cancel = CancelVelocity,
};

// --- All of them ---------------------------------------------------------------------------------------------------

const qvuiTool* qvuiFindHandle(qvuiEditor* editor, ImVec2 pixel)
{
    float reach = qvuiPixels(&editor->kit.style, 9);
    ImVec2 from, to;
    if (StrokeHandle(editor, &from, &to) && Distance(to, pixel) <= reach)
        return &strokeHandle;
    if (JointHandle(editor, &to) && Distance(to, pixel) <= reach)
        return &jointHandle;
    const qvSceneKey* key = VelocityKey(editor);
    for (int side = SIDE_SET; key != NULL && side <= SIDE_OUT; side++)
        if (VelocityHandle(editor, key, (VelocitySide)side, &from, &to) && Distance(to, pixel) <= reach)
        {
            editor->viewport.tools.handle = side;
            return &velocityHandle;
        }
    return NULL;
}

static void DrawVelocity(qvuiEditor* editor, ImDrawList* list, const qvSceneKey* key)
{
    static const char* const names[] = { "Velocity handle", "Velocity in", "Velocity out" };
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 root, handle;
    for (int side = SIDE_SET; side <= SIDE_OUT; side++)
    {
        if (HasSide(key, (VelocitySide)side) && GetSide(key, (VelocitySide)side)->strokes.count > 0)
            qvuiDrawFlow(editor, list, key, side == SIDE_IN);
        if (!VelocityHandle(editor, key, (VelocitySide)side, &root, &handle))
            continue;
        bool single = GetSide(key, (VelocitySide)side)->strokes.count == 0;
        if (single && side == SIDE_IN)
            qvuiDrawArrow(style, list, handle, root, QVUI_AMBER);
        else if (single)
            qvuiDrawArrow(style, list, root, handle, QVUI_AMBER);
        bool under = Distance(handle, igGetIO()->MousePos) <= qvuiPixels(style, 9);
        qvuiDrawHandle(style, list, handle, QVUI_AMBER, under);
        qvuiNames_AddRect(&editor->kit.names, names[side], handle, handle);
    }
}

void qvuiDrawHandles(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiTool* active = tools->active;
    bool posing = active != NULL && active != &strokeHandle && active != &jointHandle && active != &velocityHandle;
    qvStroke placed;
    qvAffine frame;
    ImVec2 centre, tip;
    if (posing)
        return;
    if (PlacedBend(editor, &placed, &frame))
    {
        qvuiDrawChain(editor, list, &frame, &placed);
        if (JointHandle(editor, &tip))
        {
            qvuiDrawHandle(style, list, tip, QVUI_AMBER, Distance(tip, igGetIO()->MousePos) <= qvuiPixels(style, 9));
            qvuiNames_AddRect(&editor->kit.names, "Joint handle", tip, tip);
        }
    }
    if (StrokeHandle(editor, &centre, &tip))
    {
        if (Distance(centre, tip) > qvuiPixels(style, 12))
            qvuiDrawArrow(style, list, centre, tip, QVUI_AMBER);
        ImDrawList_AddCircleFilled(list, centre, qvuiPixels(style, 3), QVUI_AMBER, 16);
        qvuiDrawHandle(style, list, tip, QVUI_AMBER, Distance(tip, igGetIO()->MousePos) <= qvuiPixels(style, 9));
        qvuiNames_AddRect(&editor->kit.names, "Stroke handle", tip, tip);
    }
    const qvSceneKey* key = VelocityKey(editor);
    if (key != NULL)
        DrawVelocity(editor, list, key);
}
