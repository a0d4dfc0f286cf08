// SPDX-License-Identifier: GPL-3.0-or-later
// Paints how much of the secondary motion each vertex gets.
#include "ui/editor/editor.h"

#include "ui/widgets/icons.h"

#include <stdlib.h>

static bool Begin(qvuiEditor* editor)
{
    if (editor->viewport.tools.shift)
    {
        qvuiPainted_AddRegion(editor, &editor->viewport.tools.hit, editor->viewport.tools.control ? 0.0f : 1.0f);
        return false;
    }
    qvuiTools* tools = &editor->viewport.tools;
    const qvMesh* mesh = editor->session.body->mesh;
    const qvBlob* weights = qvuiSession_Scene(&editor->session)->weights;
    if (!qvuiPaint_Begin(editor, NULL, 1.0f))
        return false;
    bool fits = weights != NULL && weights->size == (size_t)mesh->vertexCount * sizeof(float);
    const float* values = fits ? weights->data : NULL;
    for (int i = 0; values != NULL && i < mesh->pointCount; i++)
        tools->values[i] = values[mesh->pointVertex[i]];
    qvuiPaint_Dab(editor, tools->control ? 1.0f : 0.0f, true);
    return true;
}

static void Drag(qvuiEditor* editor)
{
    qvuiPaint_Dab(editor, editor->viewport.tools.control ? 1.0f : 0.0f, true);
}

static qvResult Store(qvuiEditor* editor, qvError* error)
{
    const qvMesh* mesh = editor->session.body->mesh;
    qvRef scene = { qv_objectScene, 0 };
    float* weights = qvuiVertexValues(mesh, editor->viewport.tools.values, 1.0f, error);
    qvResult result = weights != NULL ? qvDocument_SetFloats(editor->session.document, scene, "weights", weights,
                                                             mesh->vertexCount, error)
                                      : qv_outOfMemory;
    free(weights);
    return result;
}

static void End(qvuiEditor* editor)
{
    qvuiPaint_Commit(editor, "Paint weights", Store);
}

extern const qvuiTool qvuiToolWeight;
const qvuiTool qvuiToolWeight = {
    .id = "weight",
    .label = "Weight",
    .icon = QVUI_ICON_WEIGHT,
    .action = "tool.weight",
    .help = "Paints how much secondary motion each place gets: light is all, dark is none.",
    .hint = "LMB\tpaint less secondary motion|Ctrl\tmore|F\tradius|Shift F\tstrength|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\tmore|Esc\tcancel",
    .color = QVUI_TEAL,
    .hasBrush = true,
    .isFine = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = qvuiPaint_Cancel,
};
