// SPDX-License-Identifier: GPL-3.0-or-later
// Paints which vertices are held in place. What is painted belongs to the selected pin set, or to the first one that
// holds all the time, or to a new one.
#include "ui/editor/editor.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdlib.h>

static const qvScenePin* FindPin(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    for (int i = 0; i < scene->pinCount; i++)
        if (scene->pins[i]->id == editor->session.selection.pin)
            return scene->pins[i];
    for (int i = 0; i < scene->pinCount; i++)
        if (isinf(scene->pins[i]->from) && isinf(scene->pins[i]->to) && !scene->pins[i]->where.hasBox)
            return scene->pins[i];
    return NULL;
}

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    const qvMesh* mesh = editor->session.body->mesh;
    const qvScenePin* pin = FindPin(editor);
    if (!qvuiPaint_Begin(editor, NULL, 0.0f))
        return false;
    const qvBlob* held = pin != NULL ? pin->where.vertices : NULL;
    const int32_t* vertices = held != NULL ? held->data : NULL;
    for (size_t i = 0; held != NULL && i < held->size / sizeof(int32_t); i++)
        if (vertices[i] < mesh->vertexCount && mesh->vertexPoint[vertices[i]] >= 0)
            tools->values[mesh->vertexPoint[vertices[i]]] = 1.0f;
    qvuiPaint_Dab(editor, tools->control ? 0.0f : 1.0f, false);
    return true;
}

static void Drag(qvuiEditor* editor)
{
    qvuiPaint_Dab(editor, editor->viewport.tools.control ? 0.0f : 1.0f, false);
}

static qvResult SetPins(qvuiEditor* editor, const int32_t* vertices, int count, qvError* error)
{
    qvDocument* document = editor->session.document;
    const qvScenePin* pin = FindPin(editor);
    qvId added;
    if (pin == NULL)
        return count > 0 ? qvDocument_AddPin(document, vertices, count, &added, error) : qv_ok;
    qvRef ref = { qv_objectPin, pin->id };
    if (count == 0 && !pin->where.hasBox)
        return qvDocument_Remove(document, ref, error);
    return qvDocument_SetVertices(document, ref, "vertices", vertices, count, error);
}

static qvResult Store(qvuiEditor* editor, qvError* error)
{
    int count;
    int32_t* vertices =
        qvuiPaintedVertices(editor->session.body->mesh, editor->viewport.tools.values, false, &count, error);
    qvResult result = vertices != NULL ? SetPins(editor, vertices, count, error) : qv_outOfMemory;
    free(vertices);
    return result;
}

static void End(qvuiEditor* editor)
{
    qvuiPaint_Commit(editor, editor->viewport.tools.control ? "Unpin" : "Pin", Store);
}

extern const qvuiTool qvuiToolPin;
const qvuiTool qvuiToolPin = {
    .id = "pin",
    .label = "Pin",
    .icon = QVUI_ICON_PIN,
    .action = "tool.pin",
    .help = "Paints points that the motion holds where the keys have them; M again paints a mask, then weights.",
    .hint = "LMB\tpaint pins|Ctrl\ttake away|F\tradius|M\tmask, weight|MMB / Alt\torbit",
    .during = "Let go\tto finish|Ctrl\ttake away|Esc\tcancel",
    .color = QVUI_AMBER,
    .startsGroup = true,
    .hasBrush = true,
    .isFine = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = qvuiPaint_Cancel,
};
