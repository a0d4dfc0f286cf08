// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted as a whole: the mask of the next strokes, or the weights of secondary motion, by the tool that is
// chosen. Both have 0 where something is painted; here it is the other way round.
#include "ui/editor/editor.h"

#include <stdlib.h>
#include <string.h>

static bool PaintsWeights(const qvuiEditor* editor)
{
    return editor->viewport.tools.tool == qvui_toolWeight;
}

static const float* Weights(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvMesh* mesh = editor->session.body->mesh;
    bool fits = scene->weights != NULL && scene->weights->size == (size_t)mesh->vertexCount * sizeof(float);
    return fits ? scene->weights->data : NULL;
}

float* qvuiPainted_Get(qvuiEditor* editor)
{
    const qvMesh* mesh = editor->session.body->mesh;
    const float *mask = editor->viewport.tools.mask, *weights = Weights(editor);
    float* painted = malloc((size_t)mesh->pointCount * sizeof(*painted));
    if (painted == NULL)
        qvuiEditor_Notify(editor, true, "out of memory; close other programs");
    for (int i = 0; painted != NULL && i < mesh->pointCount; i++)
    {
        float free = 1.0f;
        if (PaintsWeights(editor))
            free = weights != NULL ? weights[mesh->pointVertex[i]] : 1.0f;
        else if (mask != NULL)
            free = mask[i];
        painted[i] = 1.0f - free;
    }
    return painted;
}

static bool IsAny(const float* painted, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (painted[i] > 0.005f)
            return true;
    }
    return false;
}

static qvResult StoreWeights(qvuiEditor* editor, const char* label, const float* values, qvError* error)
{
    const qvMesh* mesh = editor->session.body->mesh;
    qvDocument* document = editor->session.document;
    float* weights = qvuiVertexValues(mesh, values, 1.0f, error);
    if (weights == NULL)
        return qv_outOfMemory;
    qvDocument_Begin(document, label, 0);
    qvResult result =
        qvDocument_SetFloats(document, (qvRef){ qv_objectScene, 0 }, "weights", weights, mesh->vertexCount, error);
    qvDocument_End(document);
    free(weights);
    return result;
}

void qvuiPainted_Set(qvuiEditor* editor, const char* label, float* painted)
{
    int count = editor->session.body->mesh->pointCount;
    bool any = IsAny(painted, count);
    for (int i = 0; i < count; i++)
        painted[i] = 1.0f - painted[i];
    if (PaintsWeights(editor))
    {
        qvError error;
        qvuiEditor_Did(editor, StoreWeights(editor, label, painted, &error), &error);
        free(painted);
        return;
    }
    qvuiMask_Set(editor, any ? painted : NULL);
    if (!any)
        free(painted);
}

// Share of a bone at each vertex, or NULL where no bone holds the vertex.
static float* BoneOf(const qvuiEditor* editor, int vertex)
{
    const qvBody* body = editor->session.body;
    const qvRig* rig = body->model != NULL ? body->model->rig : NULL;
    if (rig == NULL || qvRig_VertexCount(rig) != body->mesh->vertexCount)
        return NULL;
    int joint = qvRig_MainJoint(rig, vertex);
    float* shares = joint >= 0 ? malloc((size_t)body->mesh->vertexCount * sizeof(*shares)) : NULL;
    if (shares != NULL)
        qvRig_JointWeights(rig, joint, shares);
    return shares;
}

void qvuiPainted_AddRegion(qvuiEditor* editor, const qvHit* hit, float to)
{
    const qvBody* body = editor->session.body;
    float* painted = qvuiPainted_Get(editor);
    if (painted == NULL)
        return;
    int point = qvuiNearestCorner(hit, &body->mesh->pointTriangles[hit->triangle]);
    float* shares = BoneOf(editor, body->mesh->pointVertex[point]);
    const int32_t* part = body->topology->pointPart;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        float share = shares != NULL ? shares[body->mesh->pointVertex[i]] : part[i] == part[point] ? 1.0f : 0.0f;
        painted[i] += share * (to - painted[i]);
    }
    qvuiPainted_Set(editor, shares != NULL ? "Paint a bone" : "Paint a part", painted);
    free(shares);
}
