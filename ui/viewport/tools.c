// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tools, and which of them has the mouse.
#include "ui/editor/editor.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define TOOL(name) extern const qvuiTool qvuiTool##name;
#include "ui/viewport/tool_list.inl"
#undef TOOL

static const qvuiTool* const table[] = {
#define TOOL(name) &qvuiTool##name,
#include "ui/viewport/tool_list.inl"
#undef TOOL
};

const qvuiTool* qvuiGetTool(qvuiToolKind kind)
{
    return table[kind];
}

void qvuiTools_Init(qvuiTools* tools)
{
    *tools = (qvuiTools){ .tool = qvui_toolGrab,
                          .strength = 1.0,
                          .poisson = 0.45,
                          .segments = 1,
                          .pins = true,
                          .ground = true,
                          .ease = 30.0,
                          .limb = { .triangle = -1 },
                          .connected = true,
                          .hover = { .triangle = -1 } };
    // With one scale a grab carries the whole body along.
    for (int i = 0; i < qvui_toolCount; i++)
        tools->sizes[i] = (qvuiToolSize){ .strength = 1.0, .scales = i == qvui_toolGrab ? 2 : 1 };
    tools->scales = tools->sizes[tools->tool].scales;
}

void qvuiTools_DropBody(qvuiTools* tools)
{
    qvDestroyBvh(tools->bvh);
    qvuiMask_Drop(tools);
    qvDestroyJson(tools->velocity);
    tools->velocity = NULL;
    free(tools->values);
    free(tools->kept);
    qvuiTween_Drop(&tools->tween);
    free(tools->live.before);
    free(tools->live.points);
    free(tools->live.dabs);
    tools->live = (qvuiLive){ 0 };
    tools->bvh = NULL;
    tools->values = NULL;
    tools->kept = NULL;
    qvReleaseScene(tools->keptStamp.scene);
    qvReleaseScene(tools->centreStamp.scene);
    qvReleaseScene(tools->flow.stamp.scene);
    tools->keptStamp = tools->centreStamp = tools->flow.stamp = (qvuiKeyStamp){ NULL, NULL };
    tools->centreStroke = 0;
    tools->active = NULL;
    tools->body = NULL;
    tools->hover.triangle = -1;
    tools->limb.triangle = -1;
    tools->hasFocus = false;
    tools->radius = 0.0;
    for (int i = 0; i < qvui_toolCount; i++)
        tools->sizes[i].radius = 0.0;
}

double qvuiTools_Radius(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    double diagonal = editor->session.body != NULL ? editor->session.body->diagonal : 1.0;
    return tools->radius > 0.0 ? tools->radius : (table[tools->tool]->isFine ? 0.05 : 0.15) * diagonal;
}

const char* qvuiStrokeLabel(const qvStroke* stroke)
{
    static const char* const grabs[] = { "Grab", "Grab bi-scale", "Grab tri-scale" };
    bool hasScales = qvBrush_FindParameter(stroke->brush, offsetof(qvStroke, scales)) != NULL;
    if (stroke->brush->measure == offsetof(qvStroke, drag) && hasScales && stroke->scales >= 1 && stroke->scales <= 3)
        return grabs[stroke->scales - 1];
    return stroke->brush->label;
}

void qvuiTools_Choose(qvuiEditor* editor, qvuiToolKind kind)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiTools_Cancel(editor);
    tools->sizes[tools->tool] = (qvuiToolSize){ tools->radius, tools->strength, tools->scales };
    tools->tool = kind;
    tools->radius = tools->sizes[kind].radius;
    tools->strength = tools->sizes[kind].strength;
    tools->scales = tools->sizes[kind].scales;
}

bool qvuiTools_Cancel(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (tools->adjust != qvui_adjustNone)
    {
        double* value = tools->adjust == qvui_adjustRadius ? &tools->radius : &tools->strength;
        *value = tools->adjustStart;
        tools->adjust = qvui_adjustNone;
        return true;
    }
    if (qvuiTween_IsOpen(editor))
    {
        qvuiTween_Close(editor);
        return true;
    }
    if (tools->active == NULL)
        return false;
    const qvuiTool* tool = tools->active;
    tools->active = NULL;
    tool->cancel(editor);
    return true;
}

// --- Radius and strength by moving the mouse -----------------------------------------------------------------------

void qvuiTools_Adjust(qvuiEditor* editor, qvuiAdjust adjust)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (tools->active != NULL || editor->session.body == NULL)
        return;
    tools->adjust = adjust;
    tools->radius = qvuiTools_Radius(editor);
    tools->adjustStart = adjust == qvui_adjustRadius ? tools->radius : tools->strength;
    tools->adjustPlace = igGetIO()->MousePos;
}

static void AdjustFrame(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const ImGuiIO* io = igGetIO();
    double moved = (io->MousePos.x - tools->adjustPlace.x) / (160.0 * editor->kit.style.scale);
    double diagonal = editor->session.body->diagonal;
    if (tools->adjust == qvui_adjustRadius)
        tools->radius = fmin(fmax(tools->adjustStart * exp(moved), 1e-3 * diagonal), diagonal);
    else
        tools->strength = fmin(fmax(tools->adjustStart + moved, 0.0), 1.0);
    if (igIsMouseClicked(ImGuiMouseButton_Right, false))
        qvuiTools_Cancel(editor);
    else if (igIsMouseClicked(ImGuiMouseButton_Left, false))
        tools->adjust = qvui_adjustNone;
}

// --- Gestures ------------------------------------------------------------------------------------------------------

// Shift turns every brush into the one that smooths.
static const qvuiTool* ToolForPress(const qvuiTools* tools)
{
    const qvuiTool* tool = table[tools->tool];
    return tools->shift && tool->makesStroke ? &qvuiToolSmooth : tool;
}

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const ImGuiIO* io = igGetIO();
    tools->start = tools->mouse = io->MousePos;
    tools->control = io->KeyCtrl;
    tools->shift = io->KeyShift;
    tools->moved = false;
    tools->freed = !io->KeyCtrl;
    tools->typed[0] = 0;
    tools->amount = 0.0;
    const qvuiTool* tool = qvuiFindHandle(editor, io->MousePos);
    if (tool == NULL)
    {
        tools->hit = qvuiPick(editor, io->MousePos);
        tool = ToolForPress(tools);
        if (qvuiSession_Changed(&editor->session) != NULL && !tool->anywhere)
            qvuiEditor_Notify(editor, false, "The body has changed its topology; go back before %.2f s to shape it",
                              qvTake_ChangesFrom(editor->session.take));
        if (tools->hit.triangle < 0 && !tool->anywhere)
            return false;
        if (tools->hit.triangle >= 0)
        {
            tools->hitRest = qvuiRestPlace(editor, &tools->hit);
            tools->hitNormal = qvuiHitNormal(editor, &tools->hit);
        }
    }
    if (tool->begin == NULL || !tool->begin(editor))
        return false;
    tools->active = tool;
    return true;
}

static void Continue(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const ImGuiIO* io = igGetIO();
    const qvuiTool* tool = tools->active;
    bool same = io->MousePos.x == tools->mouse.x && io->MousePos.y == tools->mouse.y && tools->control == io->KeyCtrl;
    tools->control = io->KeyCtrl;
    tools->freed = tools->freed || !io->KeyCtrl;
    tools->mouse = io->MousePos;
    if (!same)
    {
        float far = hypotf(tools->mouse.x - tools->start.x, tools->mouse.y - tools->start.y);
        tools->moved = tools->moved || far >= 2.0f;
        if (tools->moved)
            tool->drag(editor);
    }
    // A motion that was being solved when the gesture began has come, and is shown instead.
    if (tools->moved && tools->live.points != NULL && editor->session.show == qvui_showTake)
        qvuiLive_ShowPoints(editor);
    if (igIsItemActive())
        return;
    tools->active = NULL;
    tool->end(editor);
}

bool qvuiTools_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    qvuiTools* tools = &editor->viewport.tools;
    const qvuiTool* tool = tools->active;
    if (tool == NULL || !tool->types)
        return false;
    if (shortcut->key == qvui_keyEnter)
    {
        tools->active = NULL;
        tool->end(editor);
        return true;
    }
    if (!qvuiShortcut_Type(shortcut, tools->typed, sizeof(tools->typed)))
        return false;
    tools->moved = true;
    tool->drag(editor);
    return true;
}

static void UpdateHover(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->hover.triangle = -1;
    tools->overHandle = qvuiFindHandle(editor, igGetIO()->MousePos) != NULL;
    bool wanted = table[tools->tool]->hasBrush || table[tools->tool]->begin != NULL;
    if (!wanted || !igIsItemHovered(ImGuiHoveredFlags_None) || editor->viewport.drag != qvui_dragNone ||
        editor->session.playback.playing)
        return;
    tools->hover = qvuiPick(editor, igGetIO()->MousePos);
    if (tools->hover.triangle >= 0)
        tools->normal = qvuiHitNormal(editor, &tools->hover);
}

bool qvuiTools_Mouse(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const ImGuiIO* io = igGetIO();
    if (editor->session.body == NULL)
        return false;
    // A move in time that a key has started takes the next click.
    if (editor->timeline.modal)
        return true;
    if (tools->adjust != qvui_adjustNone)
    {
        AdjustFrame(editor);
        return true;
    }
    if (tools->active != NULL)
    {
        Continue(editor);
        return true;
    }
    // The pose that the tween bar shows is not the document's yet.
    if (qvuiTween_IsOpen(editor))
    {
        tools->hover.triangle = -1;
        return false;
    }
    UpdateHover(editor);
    ImGuiMouseButton button = editor->viewport.leftOrbits ? ImGuiMouseButton_Right : ImGuiMouseButton_Left;
    bool pressed = igIsItemHovered(ImGuiHoveredFlags_None) && igIsMouseClicked(button, false);
    return pressed && !io->KeyAlt && Begin(editor);
}
