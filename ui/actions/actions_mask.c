// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and weights as a whole: fill, invert, smooth, grow, shrink, mirror.
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>

bool qvuiHasPainted(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    if (editor->session.body == NULL || scene == NULL)
        return false;
    return editor->viewport.tools.tool == qvui_toolWeight ? scene->weights != NULL : qvuiHasMask(editor);
}

void qvuiAction_FillMask(qvuiEditor* editor)
{
    float* painted = qvuiPainted_Get(editor);
    for (int i = 0; painted != NULL && i < editor->session.body->mesh->pointCount; i++)
        painted[i] = 1.0f;
    if (painted != NULL)
        qvuiPainted_Set(editor, "Fill weights", painted);
}

void qvuiAction_InvertMask(qvuiEditor* editor)
{
    float* painted = qvuiPainted_Get(editor);
    for (int i = 0; painted != NULL && i < editor->session.body->mesh->pointCount; i++)
        painted[i] = 1.0f - painted[i];
    if (painted != NULL)
        qvuiPainted_Set(editor, "Invert weights", painted);
}

// What a point gets from itself and those next to it.
typedef float CombineFcn(const qvTopology* topology, const float* from, int point);

static float Mean(const qvTopology* topology, const float* from, int point)
{
    int begin = topology->neighborStart[point], end = topology->neighborStart[point + 1];
    float sum = from[point];
    for (int k = begin; k < end; k++)
        sum += from[topology->neighbors[k]];
    return sum / (float)(end - begin + 1);
}

static float Largest(const qvTopology* topology, const float* from, int point)
{
    float best = from[point];
    for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
        best = fmaxf(best, from[topology->neighbors[k]]);
    return best;
}

static float Smallest(const qvTopology* topology, const float* from, int point)
{
    float best = from[point];
    for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
        best = fminf(best, from[topology->neighbors[k]]);
    return best;
}

static void Combine(qvuiEditor* editor, const char* label, int passes, CombineFcn* combine)
{
    const qvTopology* topology = editor->session.body->topology;
    float *from = qvuiPainted_Get(editor), *to = malloc((size_t)topology->pointCount * sizeof(*to));
    for (int pass = 0; from != NULL && to != NULL && pass < passes; pass++)
    {
        for (int i = 0; i < topology->pointCount; i++)
            to[i] = combine(topology, from, i);
        float* last = from;
        from = to, to = last;
    }
    free(to);
    if (from != NULL)
        qvuiPainted_Set(editor, label, from);
}

void qvuiAction_SmoothMask(qvuiEditor* editor)
{
    Combine(editor, "Smooth weights", 4, Mean);
}

void qvuiAction_GrowMask(qvuiEditor* editor)
{
    Combine(editor, "Grow weights", 1, Largest);
}

void qvuiAction_ShrinkMask(qvuiEditor* editor)
{
    Combine(editor, "Shrink weights", 1, Smallest);
}

void qvuiAction_MirrorMask(qvuiEditor* editor)
{
    const qvMesh* mesh = editor->session.body->mesh;
    float *from = qvuiPainted_Get(editor), *to = qvuiPainted_Get(editor);
    int* images = malloc((size_t)mesh->vertexCount * sizeof(*images));
    bool done = from != NULL && to != NULL && images != NULL && qvuiMirrorVertices(mesh, images);
    for (int i = 0; done && i < mesh->pointCount; i++)
    {
        int image = mesh->vertexPoint[images[mesh->pointVertex[i]]];
        to[i] = image >= 0 ? fmaxf(from[i], from[image]) : from[i];
    }
    if (done)
        qvuiPainted_Set(editor, "Mirror weights", to);
    else
        free(to);
    free(from);
    free(images);
}
