// SPDX-License-Identifier: GPL-3.0-or-later
// What is simulated at the playhead as an ordinary key.
#include "ui/editor/session.h"

#include <stdlib.h>
#include <string.h>

#define CAPTURE_STEP (1.0 / 240.0) // s before and after, from which captured velocities come: half a frame of steps

const char* qvuiSession_CannotCapture(const qvuiSession* session)
{
    double time = session->playback.time;
    if (session->take == NULL || qvTake_Scene(session->take) != qvuiSession_Scene(session))
        return "The motion is still being solved";
    if (!qvTake_IsSimulated(session->take, time))
        return "There is no simulation at the playhead";
    if (qvTake_ValidUntil(session->take) < time + CAPTURE_STEP)
        return "The simulation is not computed that far yet";
    if (time + CAPTURE_STEP >= qvTake_ChangesFrom(session->take))
        return "The body has changed its topology here, which no key can hold";
    return NULL;
}

// Velocities of the points in the coordinates of keys, per vertex, from where they are right before and after.
static qvResult CaptureVelocities(const qvuiSession* session, double time, qvVec3f* velocities, qvError* error)
{
    const qvMesh* mesh = session->body->mesh;
    qvTakeView view = { 0 };
    size_t count = (size_t)mesh->pointCount;
    qvVec3f* before = malloc(count * sizeof(*before));
    if (before == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*before));
    qvResult result = qvTakeView_SetTake(&view, session->take, error);
    if (result == qv_ok)
    {
        qvAffine frame = qvTake_KeyedFrame(session->take, time);
        qvTakeView_Evaluate(&view, time - CAPTURE_STEP, qv_layersMotion, session->pool);
        memcpy(before, view.points, count * sizeof(*before));
        qvTakeView_Evaluate(&view, time + CAPTURE_STEP, qv_layersMotion, session->pool);
        qvWorldToKeys(&frame, before, mesh->pointCount);
        qvWorldToKeys(&frame, view.points, mesh->pointCount);
        // Over a clip, how fast the offset from it changes.
        const qvScene* scene = qvuiSession_Scene(session);
        result = qvPose_OffClip(scene, session->body, time - CAPTURE_STEP, before, error);
        if (result == qv_ok)
            result = qvPose_OffClip(scene, session->body, time + CAPTURE_STEP, view.points, error);
        const float rate = (float)(0.5 / CAPTURE_STEP);
        for (int v = 0; v < mesh->vertexCount; v++)
        {
            int i = mesh->vertexPoint[v];
            qvVec3f a = i >= 0 ? before[i] : (qvVec3f){ 0 }, b = i >= 0 ? view.points[i] : (qvVec3f){ 0 };
            velocities[v] = (qvVec3f){ rate * (b.x - a.x), rate * (b.y - a.y), rate * (b.z - a.z) };
        }
    }
    qvTakeView_Free(&view);
    free(before);
    return result;
}

static qvResult StoreCapture(qvuiSession* session, double time, const qvVec3f* offsets, const qvVec3f* velocities,
                             qvId* key, qvError* error)
{
    int vertices = session->body->mesh->vertexCount;
    *key = qvuiSession_KeyAtTime(session);
    qvResult result = qv_ok;
    if (*key == 0)
        result = qvuiSession_InsertKey(session, time, key, error);
    if (result == qv_ok)
        result = qvDocument_SetOffsets(session->document, *key, offsets, vertices, error);
    if (result == qv_ok)
        result = qvDocument_SetVelocities(session->document, *key, velocities, vertices, error);
    return result;
}

qvResult qvuiSession_CaptureKey(qvuiSession* session, qvId* key, qvError* error)
{
    const char* reason = qvuiSession_CannotCapture(session);
    *key = 0;
    if (reason != NULL)
        return qvError_Set(error, qv_notFound, "%s", reason);
    size_t vertices = (size_t)session->body->mesh->vertexCount;
    qvVec3f* numbers = malloc(2 * vertices * sizeof(*numbers));
    if (numbers == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)vertices * sizeof(*numbers));
    // A key that is there already says when.
    const qvSceneKey* here = qvScene_FindKey(qvuiSession_Scene(session), qvuiSession_KeyAtTime(session), NULL);
    double time = here != NULL ? here->time : session->playback.time;
    qvuiSession_CaptureOffsets(session, time, numbers);
    qvResult result = CaptureVelocities(session, time, numbers + vertices, error);
    qvDocument_Begin(session->document, "Capture as key", 0);
    if (result == qv_ok)
        result = StoreCapture(session, time, numbers, numbers + vertices, key, error);
    if (result == qv_ok)
        qvDocument_End(session->document);
    else
        qvDocument_Abort(session->document);
    free(numbers);
    if (result == qv_ok)
        qvuiSession_SelectKey(session, *key, false);
    return result;
}
