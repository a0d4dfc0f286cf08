// SPDX-License-Identifier: GPL-3.0-or-later
// Joins parts of the body in the chosen simulation: from the point where the button goes down to the one where it comes
// up. Joints of the chosen simulation are drawn whatever the tool is.
#include "ui/editor/editor.h"

#include "ui/actions/simulations.h"
#include "ui/viewport/tool_icons.h"

// The vertex of the mesh that is nearest to a hit.
static int VertexOf(const qvuiEditor* editor, const qvHit* hit)
{
    const qvMesh* mesh = editor->session.body->mesh;
    return mesh->pointVertex[qvuiNearestCorner(hit, &mesh->pointTriangles[hit->triangle])];
}

// Where a vertex is in the window; false: behind the eye, or there is no such vertex.
static bool Place(const qvuiEditor* editor, int vertex, ImVec2* place)
{
    const qvMesh* mesh = editor->session.body->mesh;
    if (vertex < 0 || vertex >= mesh->vertexCount || mesh->vertexPoint[vertex] < 0)
        return false;
    return qvuiProject(editor, qvVec3_FromFloat(editor->session.points[mesh->vertexPoint[vertex]]), place);
}

static void DrawLink(const qvuiEditor* editor, ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList_AddLine(list, from, to, color, qvuiPixels(style, 2));
    ImDrawList_AddCircleFilled(list, from, qvuiPixels(style, 3.5), color, 12);
    ImDrawList_AddCircleFilled(list, to, qvuiPixels(style, 3.5), color, 12);
}

void qvuiJoints_Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiSession* session = &editor->session;
    const qvSceneSimulation* simulation = session->body != NULL ? qvuiChosenSimulation(editor) : NULL;
    if (simulation == NULL || qvuiSession_Changed(session) != NULL)
        return;
    for (int j = 0; j < simulation->jointCount; j++)
    {
        const qvSceneJoint* joint = simulation->joints[j];
        ImVec2 from, to;
        if (Place(editor, joint->a, &from) && Place(editor, joint->b, &to))
            DrawLink(editor, list, from, to, joint->id == session->selection.joint ? QVUI_AMBER : QVUI_TEAL);
    }
}

static bool Begin(qvuiEditor* editor)
{
    (void)editor;
    return true;
}

static void Nothing(qvuiEditor* editor)
{
    (void)editor;
}

static void End(qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle >= 0)
        qvuiAddJoint(editor, VertexOf(editor, &tools->hit), VertexOf(editor, &hit));
    else
        qvuiEditor_Notify(editor, false, "Let go on another part of the body to join both");
}

// The link in the making, or the point that a press would take.
static void Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    ImVec2 from, to;
    if (editor->session.body == NULL)
        return;
    if (tools->active == NULL)
    {
        if (tools->hover.triangle >= 0 && Place(editor, VertexOf(editor, &tools->hover), &from))
            DrawLink(editor, list, from, from, QVUI_AMBER);
        return;
    }
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle < 0 || !Place(editor, VertexOf(editor, &hit), &to))
        to = tools->mouse;
    if (Place(editor, VertexOf(editor, &tools->hit), &from))
        DrawLink(editor, list, from, to, QVUI_AMBER);
}

extern const qvuiTool qvuiToolJoint;
const qvuiTool qvuiToolJoint = {
    .id = "joint",
    .label = "Joint",
    .drawIcon = qvuiIcon_Joint,
    .action = "tool.joint",
    .help = "Joins points of two parts in the chosen simulation of surfaces; its inspector lists them.",
    .hint = "LMB\tdrag from part to part|MMB / Alt\torbit",
    .during = "Let go\ton another part|Esc\tcancel",
    .color = QVUI_TEAL,
    .begin = Begin,
    .drag = Nothing,
    .end = End,
    .cancel = Nothing,
    .draw = Draw,
};
