// SPDX-License-Identifier: GPL-3.0-or-later
// A key's velocity that strokes give: it differs from place to place, so arrows are spread over the body.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Displacement of one second at some of the points, the still ones left out.
static void Sample(qvuiFlow* flow, int side, const qvVec3f* before, const qvVec3f* after, int count)
{
    double largest = 0.0;
    int stride = count / qvui_maxFlow + 1;
    for (int i = 0; i < count; i += stride)
        largest = fmax(largest, qvDistance(qvVec3_FromFloat(before[i]), qvVec3_FromFloat(after[i])));
    flow->count[side] = 0;
    for (int i = 0; i < count; i += stride)
    {
        qvVec3 at = qvVec3_FromFloat(before[i]), velocity = qvSub(qvVec3_FromFloat(after[i]), at);
        if (qvLength(velocity) <= 0.15 * largest)
            continue;
        flow->at[side][flow->count[side]] = at;
        flow->velocity[side][flow->count[side]++] = velocity;
    }
}

static const float* MaskOf(const qvBody* body, const qvSceneStroke* stroke)
{
    size_t size = (size_t)body->mesh->vertexCount * sizeof(float);
    return stroke->mask != NULL && stroke->mask->size == size ? stroke->mask->data : NULL;
}

static qvResult Measure(qvuiEditor* editor, const qvSceneKey* key, qvVec3f* pose, qvVec3f* moved, qvError* error)
{
    const qvuiSession* session = &editor->session;
    const qvBody* body = session->body;
    size_t size = (size_t)body->mesh->pointCount * sizeof(*pose);
    qvResult result = qvComputePose(qvuiSession_Scene(session), body, key->id, -1, session->pool, pose, error);
    for (int side = 0; result == qv_ok && side < 2; side++)
    {
        const qvStrokeStack* stack = side == 0 ? &key->before.strokes : &key->after.strokes;
        memcpy(moved, pose, size);
        for (int i = 0; result == qv_ok && i < stack->count; i++)
            result = qvScene_ApplyStroke(qvuiSession_Scene(session), body, key->time, &stack->strokes[i]->stroke,
                                         MaskOf(body, stack->strokes[i]), session->pool, moved, error);
        Sample(&editor->viewport.tools.flow, side, pose, moved, body->mesh->pointCount);
    }
    return result;
}

static bool Update(qvuiEditor* editor, const qvSceneKey* key)
{
    qvuiFlow* flow = &editor->viewport.tools.flow;
    if (qvuiKeyStamp_IsValid(&flow->stamp, editor, key->id))
        return true;
    size_t size = (size_t)editor->session.body->mesh->pointCount * sizeof(qvVec3f);
    qvVec3f *pose = malloc(size), *moved = malloc(size);
    qvError error;
    bool done = pose != NULL && moved != NULL && Measure(editor, key, pose, moved, &error) == qv_ok;
    if (done)
        qvuiKeyStamp_Set(&flow->stamp, editor, key->id);
    free(pose);
    free(moved);
    return done;
}

// Ends of one arrow in the window.
static bool Arrow(qvuiEditor* editor, const qvAffine* frame, int side, int i, ImVec2* from, ImVec2* to)
{
    const qvuiFlow* flow = &editor->viewport.tools.flow;
    qvVec3 at = qvuiToWorld(frame, flow->at[side][i]);
    qvVec3 arrow = qvScale(QVUI_VELOCITY_TIME, qvuiTurn(frame, flow->velocity[side][i]));
    return qvuiProject(editor, side == 0 ? qvSub(at, arrow) : at, from) &&
           qvuiProject(editor, side == 0 ? at : qvAdd(at, arrow), to);
}

// The free end of the longest arrow.
bool qvuiFlowHandle(qvuiEditor* editor, const qvSceneKey* key, bool arriving, ImVec2* root, ImVec2* handle)
{
    const qvuiFlow* flow = &editor->viewport.tools.flow;
    int side = arriving ? 0 : 1, longest = 0;
    if (!Update(editor, key) || flow->count[side] == 0)
        return false;
    for (int i = 1; i < flow->count[side]; i++)
        if (qvLength(flow->velocity[side][i]) > qvLength(flow->velocity[side][longest]))
            longest = i;
    qvAffine frame = qvuiKeyFrame(editor, key->id, key->time);
    if (!Arrow(editor, &frame, side, longest, arriving ? handle : root, arriving ? root : handle))
        return false;
    // One that points at the eye is pulled sideways.
    float least = qvuiPixels(&editor->kit.style, 18);
    if (hypotf(handle->x - root->x, handle->y - root->y) < least)
        handle->x = root->x + least;
    return true;
}

void qvuiDrawFlow(qvuiEditor* editor, ImDrawList* list, const qvSceneKey* key, bool arriving)
{
    const qvuiFlow* flow = &editor->viewport.tools.flow;
    int side = arriving ? 0 : 1;
    if (!Update(editor, key))
        return;
    qvAffine frame = qvuiKeyFrame(editor, key->id, key->time);
    for (int i = 0; i < flow->count[side]; i++)
    {
        ImVec2 from, to;
        if (Arrow(editor, &frame, side, i, &from, &to))
            qvuiDrawArrow(&editor->kit.style, list, from, to, QVUI_RGBA(0xf2a33a, 200));
    }
}
