// SPDX-License-Identifier: GPL-3.0-or-later
// Whole poses: copy, paste, mirror, reset; tween, push and relax against the neighbouring keys.
#include "ui/actions/action.h"

#include "quaver/contact.h"
#include "quaver/relax.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool qvuiHasCopiedPose(const qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    return session->body != NULL && session->copiedPose != NULL &&
           session->copiedCount == session->body->mesh->vertexCount;
}

static qvVec3f* MakeOffsets(qvuiEditor* editor)
{
    qvVec3f* offsets = calloc((size_t)editor->session.body->mesh->vertexCount, sizeof(*offsets));
    if (offsets == NULL)
        qvuiEditor_Notify(editor, true, "out of memory; close other programs");
    return offsets;
}

void qvuiAction_CopyPose(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvError error;
    if (!qvuiEditor_Did(editor, qvuiSession_CheckCapture(session, session->playback.time, &error), &error))
        return;
    qvVec3f* offsets = MakeOffsets(editor);
    if (offsets == NULL)
        return;
    qvuiSession_CaptureOffsets(session, session->playback.time, offsets);
    free(session->copiedPose);
    session->copiedPose = offsets;
    session->copiedCount = session->body->mesh->vertexCount;
    qvuiEditor_Notify(editor, false, "Pose copied");
}

bool qvuiSetPose(qvuiEditor* editor, const char* label, const qvVec3f* offsets)
{
    qvuiSession* session = &editor->session;
    qvError error;
    qvId key;
    qvDocument_Begin(session->document, label, 0);
    bool done =
        qvuiEditor_Did(editor, qvuiSession_KeyForStroke(session, &key, &error), &error) &&
        qvuiEditor_Did(editor,
                       qvDocument_SetOffsets(session->document, key, offsets, session->body->mesh->vertexCount, &error),
                       &error);
    if (done)
        qvDocument_End(session->document);
    else
        qvDocument_Abort(session->document);
    if (done)
        qvuiSession_SelectKey(session, key, false);
    return done;
}

void qvuiAction_PastePose(qvuiEditor* editor)
{
    qvuiSetPose(editor, "Paste pose", editor->session.copiedPose);
}

void qvuiAction_ResetPose(qvuiEditor* editor)
{
    qvVec3f* offsets = MakeOffsets(editor);
    if (offsets != NULL)
        qvuiSetPose(editor, "Reset pose", offsets);
    free(offsets);
}

typedef struct Place
{
    qvVec3f at;
    int vertex;
} Place;

static int ComparePlaces(const void* a, const void* b)
{
    float d = ((const Place*)a)->at.x - ((const Place*)b)->at.x;
    return d < 0.0f ? -1 : d > 0.0f;
}

// The vertex nearest to a point among those sorted by x.
static int NearestVertex(const Place* places, int count, qvVec3f at)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = (low + high) / 2;
        if (places[middle].at.x < at.x)
            low = middle + 1;
        else
            high = middle;
    }
    double best = INFINITY;
    int found = 0;
    for (int direction = -1; direction <= 1; direction += 2)
    {
        for (int i = direction < 0 ? low - 1 : low; i >= 0 && i < count; i += direction)
        {
            double dx = (double)places[i].at.x - at.x;
            if (dx * dx > best)
                break;
            double distance = qvDistance(qvVec3_FromFloat(places[i].at), qvVec3_FromFloat(at));
            if (distance * distance < best)
                best = distance * distance, found = places[i].vertex;
        }
    }
    return found;
}

bool qvuiMirrorVertices(const qvMesh* mesh, int* images)
{
    Place* places = malloc((size_t)mesh->vertexCount * sizeof(*places));
    if (places == NULL)
        return false;
    for (int i = 0; i < mesh->vertexCount; i++)
        places[i] = (Place){ mesh->positions[i], i };
    qsort(places, (size_t)mesh->vertexCount, sizeof(*places), ComparePlaces);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3f at = { -mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z };
        images[i] = NearestVertex(places, mesh->vertexCount, at);
    }
    free(places);
    return true;
}

void qvuiAction_PasteMirrored(qvuiEditor* editor)
{
    const qvMesh* mesh = editor->session.body->mesh;
    int* images = malloc((size_t)mesh->vertexCount * sizeof(*images));
    qvVec3f* mirrored = MakeOffsets(editor);
    if (images != NULL && mirrored != NULL && qvuiMirrorVertices(mesh, images))
    {
        // Left and right change places.
        for (int i = 0; i < mesh->vertexCount; i++)
        {
            qvVec3f other = editor->session.copiedPose[images[i]];
            mirrored[i] = (qvVec3f){ -other.x, other.y, other.z };
        }
        qvuiSetPose(editor, "Paste mirrored", mirrored);
    }
    free(images);
    free(mirrored);
}

// --- Between the neighbours ----------------------------------------------------------------------------------------

// Offsets of a key's pose per vertex.
static bool KeyOffsets(qvuiEditor* editor, qvId key, qvVec3f* points, qvVec3f* offsets)
{
    const qvuiSession* session = &editor->session;
    qvError error;
    if (!qvuiEditor_Did(
            editor, qvComputePose(qvuiSession_Scene(session), session->body, key, -1, session->pool, points, &error),
            &error))
        return false;
    double time = qvScene_FindKey(qvuiSession_Scene(session), key, NULL)->time;
    if (!qvuiEditor_Did(editor, qvPose_OffClip(qvuiSession_Scene(session), session->body, time, points, &error),
                        &error))
        return false;
    qvBody_Offsets(session->body, points, offsets);
    return true;
}

// own + share (line - own), where line is the neighbours' pose at this time.
static void Pull(qvuiEditor* editor, const char* label, double share)
{
    qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    const qvSceneKey* before = qvScene_FindKey(scene, qvuiSession_NeighbourKey(session, -1), NULL);
    const qvSceneKey* after = qvScene_FindKey(scene, qvuiSession_NeighbourKey(session, 1), NULL);
    if (before == NULL || after == NULL)
    {
        qvuiEditor_Notify(editor, false, "%s needs a key before and one after the playhead", label);
        return;
    }
    qvVec3f *points = malloc((size_t)session->body->mesh->pointCount * sizeof(*points)), *a = MakeOffsets(editor),
            *b = MakeOffsets(editor), *own = MakeOffsets(editor);
    float f = (float)((session->playback.time - before->time) / (after->time - before->time)), pull = (float)share;
    if (points != NULL && a != NULL && b != NULL && own != NULL && KeyOffsets(editor, before->id, points, a) &&
        KeyOffsets(editor, after->id, points, b))
    {
        qvuiSession_CaptureOffsets(session, session->playback.time, own);
        for (int v = 0; v < session->body->mesh->vertexCount; v++)
        {
            qvVec3f line = { a[v].x + f * (b[v].x - a[v].x), a[v].y + f * (b[v].y - a[v].y),
                             a[v].z + f * (b[v].z - a[v].z) };
            own[v] = (qvVec3f){ own[v].x + pull * (line.x - own[v].x), own[v].y + pull * (line.y - own[v].y),
                                own[v].z + pull * (line.z - own[v].z) };
        }
        qvuiSetPose(editor, label, own);
    }
    free(points);
    free(a);
    free(b);
    free(own);
}

void qvuiAction_Tween(qvuiEditor* editor)
{
    qvuiTween_Open(editor);
}

void qvuiAction_ContactKeys(qvuiEditor* editor)
{
    qvuiContact_Toggle(editor);
}

bool qvuiHasContactBox(const qvuiEditor* editor)
{
    return editor->contacts.open;
}

// --- Strain --------------------------------------------------------------------------------------------------------

// What stays where it is: pinned at that time, or masked. NULL: out of memory.
static uint8_t* FindHeld(const qvuiEditor* editor, double time)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvBody* body = editor->session.body;
    const float* mask = editor->viewport.tools.mask;
    uint8_t* held = calloc((size_t)body->mesh->pointCount, 1);
    for (int i = 0; held != NULL && mask != NULL && i < body->mesh->pointCount; i++)
        held[i] = mask[i] < 0.5f;
    for (int i = 0; held != NULL && i < scene->pinCount; i++)
    {
        const qvScenePin* pin = scene->pins[i];
        int32_t* points = NULL;
        int count = 0;
        qvError ignored;
        if (time < pin->from || time > pin->to ||
            qvVertexSet_Points(&pin->where, body, &points, &count, &ignored) != qv_ok)
            continue;
        for (int k = 0; k < count; k++)
            held[points[k]] = 1;
        free(points);
    }
    return held;
}

void qvuiAction_EasePose(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiTools_Cancel(editor);
    if (!qvuiLive_Begin(editor))
        return;
    const qvBodyMaterial* material = &qvuiSession_Scene(&editor->session)->material;
    uint8_t* held = FindHeld(editor, tools->live.time);
    qvRelaxDef def = { 0.01 * tools->ease, material->stretch, material->bend, held };
    const qvJob job = { .pool = editor->session.pool };
    qvRelaxReport report;
    qvError error;
    bool done = held != NULL &&
                qvuiEditor_Did(
                    editor, qvRelaxPose(editor->session.body, &def, &job, tools->live.points, &report, &error), &error);
    free(held);
    if (!done || !(report.after < report.before))
    {
        qvuiLive_Cancel(editor);
        if (done)
            qvuiEditor_Notify(editor, false, "There is no strain in this pose");
        return;
    }
    qvuiLive_CommitPose(editor, "Ease the strain");
    qvuiEditor_Notify(editor, false, "%.0f %% of the strain went", 100.0 * (1.0 - report.after / report.before));
}

// --- On the ground -------------------------------------------------------------------------------------------------

static void Stand(qvuiEditor* editor, qvStandMode mode)
{
    qvuiSession* session = &editor->session;
    qvId here = qvuiSession_KeyAtTime(session);
    const qvId* keys = session->selection.keyCount > 0 ? session->selection.keys : &here;
    int count = session->selection.keyCount > 0 ? session->selection.keyCount : 1, moved = 0;
    qvError error;
    if (session->selection.keyCount == 0 && here == 0)
    {
        qvuiEditor_Notify(editor, false, "There is no key here; select keys, or insert one (I)");
        return;
    }
    if (session->take == NULL || qvTake_Scene(session->take) != qvuiSession_Scene(session))
    {
        qvuiEditor_Notify(editor, false, "The motion is still being solved; try again in a moment");
        return;
    }
    qvResult result = qvStandKeys(session->take, keys, count, mode, session->document, &moved, &error);
    if (qvuiEditor_Did(editor, result, &error))
        qvuiEditor_Notify(editor, false,
                          moved == 0   ? "Nothing to move: it stands where it should"
                          : moved == 1 ? "Moved one key"
                                       : "Moved %d keys",
                          moved);
}

void qvuiAction_Stand(qvuiEditor* editor)
{
    Stand(editor, qv_standDrop);
}

void qvuiAction_LiftOut(qvuiEditor* editor)
{
    Stand(editor, qv_standKeep);
}

void qvuiAction_PushPose(qvuiEditor* editor)
{
    Pull(editor, "Push pose", -0.2);
}

void qvuiAction_RelaxPose(qvuiEditor* editor)
{
    Pull(editor, "Relax pose", 0.2);
}
