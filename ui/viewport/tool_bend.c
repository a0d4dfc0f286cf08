// SPDX-License-Identifier: GPL-3.0-or-later
// Bends limbs: the touched place follows the mouse as far as the limb lets it, about a joint that is found from the
// shape and shown before the press.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

#include <math.h>

enum
{
    SEARCHED_AT_ONCE = 10000 ///< points: a search takes about 15 ms
};

// Of the limb at a touched place of points. Where the shape says nothing, it begins a radius away.
static bool FindLimb(qvuiEditor* editor, const qvVec3f* points, qvVec3 touched, bool fixed, qvLimb* limb)
{
    const qvTopology* topology = editor->session.body->topology;
    double radius = qvuiTools_Radius(editor);
    qvError error;
    qvResult result = qvFindLimb(topology, points, touched, fixed ? radius : 0.0, limb, &error);
    if (result == qv_ok && !limb->found && !fixed)
        result = qvFindLimb(topology, points, touched, radius, limb, &error);
    return qvuiEditor_Did(editor, result, &error) && limb->found;
}

static qvVec3 PlaceIn(const qvuiEditor* editor, const qvVec3f* points, const qvHit* hit)
{
    const int32_t* v = editor->session.body->mesh->pointTriangles[hit->triangle].v;
    qvVec3 place = qvScale(1.0 - hit->u - hit->v, qvVec3_FromFloat(points[v[0]]));
    place = qvMulAdd(place, hit->u, qvVec3_FromFloat(points[v[1]]));
    return qvMulAdd(place, hit->v, qvVec3_FromFloat(points[v[2]]));
}

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiLive* live = &tools->live;
    qvLimb limb;
    if (!qvuiBrush_Begin(editor, "bend"))
        return false;
    if (!FindLimb(editor, live->before, PlaceIn(editor, live->before, &tools->hit), tools->control, &limb))
    {
        qvuiEditor_Notify(editor, false, "There is no limb to bend here");
        qvuiLive_Cancel(editor);
        return false;
    }
    live->stroke.at = qvBody_CarryBack(editor->session.body, live->before, limb.tip);
    live->stroke.joint = qvBody_CarryBack(editor->session.body, live->before, limb.joint);
    live->stroke.radius = limb.spread;
    tools->limbTip = limb.tip;
    tools->limbJoint = limb.joint;
    tools->limbMouse = tools->mouse;
    tools->arrow = qvMakeVec3(0.0, 0.0, 0.0);
    return true;
}

// Where the mouse has gone since the last time, in the plane of the picture.
static qvVec3 LastMove(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    ImVec2 start = tools->start;
    tools->start = tools->limbMouse;
    qvVec3 move = qvuiMouseMove(editor);
    tools->start = start;
    return move;
}

// The way along the limb, over its length now.
static double AlongLimb(const qvuiTools* tools, qvVec3 move)
{
    qvVec3 reach = qvSub(qvAdd(tools->limbTip, tools->live.stroke.drag), tools->limbJoint);
    double length = fmax(qvLength(reach), tools->live.stroke.radius);
    return qvDot(qvuiTurnBack(&tools->live.frame, move), qvNormalize(reach)) / length;
}

// Each modifier goes on from where the others have brought the limb.
static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvStroke* stroke = &tools->live.stroke;
    qvVec3 move = LastMove(editor);
    double right = (tools->mouse.x - tools->limbMouse.x) / editor->viewport.size.y;
    tools->limbMouse = tools->mouse;
    if (igGetIO()->KeyShift)
        stroke->amount = fmin(fmax(stroke->amount + AlongLimb(tools, move), -0.9), 10.0);
    else if (tools->control && tools->freed)
        stroke->angle = fmin(fmax(stroke->angle + QV_TWO_PI * right, -2.0 * QV_TWO_PI), 2.0 * QV_TWO_PI);
    else
        stroke->drag = qvAdd(stroke->drag, qvuiTurnBack(&tools->live.frame, move));
    qvuiLive_Show(editor);
}

void qvuiDrawChain(qvuiEditor* editor, ImDrawList* list, const qvAffine* frame, const qvStroke* placed)
{
    const qvuiStyle* style = &editor->kit.style;
    qvVec3 chain[qv_maxChain];
    ImVec2 pixels[qv_maxChain];
    int count = qvStroke_Chain(placed, chain);
    for (int i = 0; i < count; i++)
    {
        if (!qvuiProject(editor, qvuiToWorld(frame, chain[i]), &pixels[i]))
            return;
    }
    ImDrawList_AddPolyline(list, pixels, count, QVUI_RGBA(0x0f1114, 120), 0, qvuiPixels(style, 5));
    ImDrawList_AddPolyline(list, pixels, count, QVUI_AMBER, 0, qvuiPixels(style, 2));
    for (int i = 0; i < count; i++)
    {
        ImDrawList_AddCircleFilled(list, pixels[i], qvuiPixels(style, i == 0 ? 5 : 3.5), QVUI_AMBER, 20);
        ImDrawList_AddCircle(list, pixels[i], qvuiPixels(style, i == 0 ? 5 : 3.5), QVUI_LINE, 20, qvuiPixels(style, 1));
    }
}

// Found again only when something has changed, and on a large body only where the mouse rests.
static bool UpdateUnder(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiSession* session = &editor->session;
    qvuiLimbUnder* under = &tools->limb;
    ImVec2 moved = igGetIO()->MouseDelta;
    if (session->body->mesh->pointCount > SEARCHED_AT_ONCE && (moved.x != 0.0f || moved.y != 0.0f))
        return false;
    bool fixed = igGetIO()->KeyCtrl;
    double radius = qvuiTools_Radius(editor);
    if (under->triangle != tools->hover.triangle || under->fixed != fixed || under->distance != radius ||
        under->revision != session->shownRevision || under->time != session->shownTime)
    {
        *under = (qvuiLimbUnder){ .triangle = tools->hover.triangle,
                                  .fixed = fixed,
                                  .distance = radius,
                                  .revision = session->shownRevision,
                                  .time = session->shownTime };
        if (!FindLimb(editor, session->points, tools->hover.position, fixed, &under->limb))
            under->limb.found = false;
    }
    return under->limb.found;
}

static void Draw(qvuiEditor* editor, ImDrawList* list)
{
    static const qvAffine none = { .linear = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    qvuiTools* tools = &editor->viewport.tools;
    bool isMine = tools->active == qvuiGetTool(qvui_toolBend);
    if (!isMine && (tools->active != NULL || tools->hover.triangle < 0 || tools->overHandle || igGetIO()->KeyShift))
        return;
    if (!isMine && !UpdateUnder(editor))
        return;
    qvStroke stroke = isMine ? tools->live.stroke : qvuiNewStroke(editor, "bend");
    stroke.at = isMine ? tools->limbTip : tools->limb.limb.tip;
    stroke.joint = isMine ? tools->limbJoint : tools->limb.limb.joint;
    if (!isMine)
        stroke.radius = tools->limb.limb.spread;
    qvuiDrawChain(editor, list, isMine ? &tools->live.frame : &none, &stroke);
    ImVec2 joint;
    if (qvuiProject(editor, qvuiToWorld(isMine ? &tools->live.frame : &none, stroke.joint), &joint))
        qvuiNames_AddRect(&editor->kit.names, "Limb joint", joint, joint);
}

// One segment more.
static void Again(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->segments = tools->segments % 4 + 1;
}

// Two links with a joint, the second one turned up.
static void DrawIcon(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    const double jointX = 0.02, jointY = 0.26, ring = 0.13;
    qvuiIcon_Line(list, middle, size, (double[4]){ -0.5, jointY, jointX - ring, jointY }, color, line);
    ImDrawList_AddCircle(list, qvuiIcon_At(middle, size, jointX, jointY), (float)ring * size, color, 16, line);
    qvuiIcon_Line(list, middle, size, (double[4]){ jointX + 0.7 * ring, jointY - 0.7 * ring, 0.34, -0.08 }, color,
                  line);
    qvuiIcon_Head(list, middle, size, (double[4]){ 0.36, -0.46, -0.35, -0.937 }, color);
}

extern const qvuiTool qvuiToolBend;
const qvuiTool qvuiToolBend = {
    .id = "bend",
    .label = "Bend",
    .drawIcon = DrawIcon,
    .action = "tool.bend",
    .help = "Bends a limb about the joint that is shown; again for more segments, which follow like a chain.",
    .hint = "LMB\tdrag a limb|Ctrl\tjoint a radius away|B\tsegments|Shift\tsmooth|F\tradius|MMB / Alt\torbit|X Y "
            "Z\tsymmetry",
    .during = "Let go\tto finish|Ctrl\ttwist|Shift\tstretch|Esc\tcancel",
    .color = QVUI_AMBER,
    .hasBrush = true,
    .makesStroke = true,
    .ownMark = true,
    .begin = Begin,
    .drag = Drag,
    .end = qvuiBrush_End,
    .cancel = qvuiLive_Cancel,
    .draw = Draw,
    .again = Again,
};
