// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a value per point: pins, masks, weights.
#include "ui/editor/editor.h"

#include <stdlib.h>

bool qvuiPaint_Begin(qvuiEditor* editor, const float* start, float standard)
{
    qvuiTools* tools = &editor->viewport.tools;
    int count = editor->session.body->mesh->pointCount;
    qvError error;
    free(tools->values);
    tools->values = malloc((size_t)count * sizeof(float));
    if (tools->values == NULL)
        return qvuiEditor_Did(editor, qvError_OutOfMemory(&error, (double)count * sizeof(float)), &error);
    for (int i = 0; i < count; i++)
        tools->values[i] = start != NULL ? start[i] : standard;
    qvuiOverlay_Touch(&editor->viewport.overlay);
    return true;
}

static double Distance2(qvVec3f p, qvVec3 at)
{
    qvVec3 d = qvSub(qvVec3_FromFloat(p), at);
    return qvDot(d, d);
}

static void PaintAround(qvuiEditor* editor, qvVec3 at, float to, bool soft)
{
    qvuiTools* tools = &editor->viewport.tools;
    double radius2 = qvuiTools_Radius(editor) * qvuiTools_Radius(editor);
    for (int i = 0; i < editor->session.body->mesh->pointCount; i++)
    {
        double share = Distance2(editor->session.points[i], at) / radius2;
        if (share >= 1.0)
            continue;
        double amount = soft ? tools->strength * (1.0 - share) * (1.0 - share) * 0.5 : 1.0;
        tools->values[i] += (float)amount * (to - tools->values[i]);
    }
}

// Where the mirror planes are: those of the body at the playhead.
static void PaintMirrored(qvuiEditor* editor, qvVec3 at, float to, bool soft)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvuiSession* session = &editor->session;
    qvAffine frame = qvuiKeyFrame(editor, qvuiSession_KeyAtTime(session), session->playback.time);
    qvVec3 local = qvuiTurnBack(&frame, qvSub(at, frame.offset));
    for (unsigned copy = 0; copy < 8; copy++)
    {
        if ((copy & ~tools->mirror) != 0)
            continue;
        qvVec3 image = { copy & 1 ? -local.x : local.x, copy & 2 ? -local.y : local.y, copy & 4 ? -local.z : local.z };
        PaintAround(editor, qvuiToWorld(&frame, image), to, soft);
    }
}

void qvuiPaint_Dab(qvuiEditor* editor, float to, bool soft)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle < 0)
        return;
    PaintMirrored(editor, hit.position, to, soft);
    qvuiOverlay_Touch(&editor->viewport.overlay);
}

void qvuiPaint_Cancel(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    free(tools->values);
    tools->values = NULL;
    qvuiOverlay_Touch(&editor->viewport.overlay);
}

void qvuiPaint_Commit(qvuiEditor* editor, const char* label, qvResult (*store)(qvuiEditor* editor, qvError* error))
{
    qvError error;
    qvDocument_Begin(editor->session.document, label, 0);
    qvResult result = store(editor, &error);
    qvDocument_End(editor->session.document);
    qvuiEditor_Did(editor, result, &error);
    qvuiPaint_Cancel(editor);
}

float* qvuiVertexValues(const qvMesh* mesh, const float* values, float standard, qvError* error)
{
    float* made = malloc((size_t)mesh->vertexCount * sizeof(*made));
    if (made == NULL)
        qvError_OutOfMemory(error, (double)mesh->vertexCount * sizeof(*made));
    for (int i = 0; made != NULL && i < mesh->vertexCount; i++)
        made[i] = mesh->vertexPoint[i] >= 0 ? values[mesh->vertexPoint[i]] : standard;
    return made;
}

int32_t* qvuiPaintedVertices(const qvMesh* mesh, const float* values, bool below, int* count, qvError* error)
{
    int32_t* vertices = malloc((size_t)mesh->vertexCount * sizeof(*vertices));
    if (vertices == NULL)
        qvError_OutOfMemory(error, (double)mesh->vertexCount * sizeof(*vertices));
    *count = 0;
    for (int i = 0; vertices != NULL && i < mesh->vertexCount; i++)
    {
        int point = mesh->vertexPoint[i];
        if (point >= 0 && (below ? values[point] < 0.5f : values[point] > 0.5f))
            vertices[(*count)++] = i;
    }
    return vertices;
}
