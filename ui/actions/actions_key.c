// SPDX-License-Identifier: GPL-3.0-or-later
// Keys: insert, delete, duplicate, how they are arrived at.
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>

bool qvuiHasSelectedKeys(const qvuiEditor* editor)
{
    return editor->session.document != NULL && editor->session.selection.keyCount > 0;
}

static const qvSceneKey* SelectedKey(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindKey(scene, editor->session.selection.key, NULL) : NULL;
}

bool qvuiHasSelectedKey(const qvuiEditor* editor)
{
    return editor->session.body != NULL && SelectedKey(editor) != NULL;
}

bool qvuiHasPartialKey(const qvuiEditor* editor)
{
    return SelectedKey(editor) != NULL && SelectedKey(editor)->partial;
}

bool qvuiHasSelection(const qvuiEditor* editor)
{
    const qvuiSelection* selection = &editor->session.selection;
    return qvuiHasSelectedKeys(editor) || selection->stroke != 0 || selection->event != 0 ||
           selection->simulation != 0 || selection->obstacle != 0;
}

void qvuiAction_InsertKey(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvId key = qvuiSession_KeyAtTime(session);
    qvError error;
    if (key == 0)
    {
        double time = qvuiSession_SnapTime(session, session->playback.time);
        qvuiEditor_Did(editor, qvuiSession_InsertKey(session, time, &key, &error), &error);
        return;
    }
    qvuiSession_SelectKey(session, key, false);
    if (!session->playback.playing)
        qvuiSession_Seek(session, qvScene_FindKey(qvuiSession_Scene(session), key, NULL)->time);
}

static void RemoveKeys(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvDocument_Begin(session->document, session->selection.keyCount == 1 ? "Delete key" : "Delete keys", 0);
    for (int i = 0; i < session->selection.keyCount; i++)
    {
        qvError error;
        qvRef object = { qv_objectKey, session->selection.keys[i] };
        if (!qvuiEditor_Did(editor, qvDocument_Remove(session->document, object, &error), &error))
            break;
    }
    qvDocument_End(session->document);
}

// The stroke, event, simulation or obstacle that is selected goes first, because it is the smaller thing.
void qvuiAction_Delete(qvuiEditor* editor)
{
    const qvuiSelection* selection = &editor->session.selection;
    qvError error;
    qvRef object = { qv_objectStroke, selection->stroke };
    if (selection->stroke == 0)
        object = (qvRef){ qv_objectEvent, selection->event };
    if (object.id == 0)
        object = (qvRef){ qv_objectSimulation, selection->simulation };
    if (object.id == 0)
        object = (qvRef){ qv_objectObstacle, selection->obstacle };
    if (object.id != 0)
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
    else
        RemoveKeys(editor);
}

void qvuiAction_DeleteKeyHere(qvuiEditor* editor)
{
    qvId key = qvuiSession_KeyAtTime(&editor->session);
    if (key == 0)
    {
        qvuiEditor_Notify(editor, false, "There is no key at this time");
        return;
    }
    qvuiSession_SelectKey(&editor->session, key, false);
    RemoveKeys(editor);
}

void qvuiAction_MoveKeys(qvuiEditor* editor)
{
    qvuiTimeline_BeginMove(editor, qvui_timelineMove, 0.0, true);
}

// About the first selected key, or the last one when the mouse is left of the middle.
void qvuiAction_ScaleKeys(qvuiEditor* editor)
{
    double range[2];
    if (!qvuiSession_SelectedRange(&editor->session, range))
    {
        qvuiEditor_Notify(editor, false, "Select two keys or more to scale their times");
        return;
    }
    double at = qvuiTimeline_Time(&editor->timeline, &editor->kit.style, igGetIO()->MousePos.x);
    qvuiTimeline_BeginMove(editor, qvui_timelineScale, at < 0.5 * (range[0] + range[1]) ? range[1] : range[0], true);
}

// Copies come two frames later; they are selected, and in the timeline they follow the mouse.
void qvuiAction_DuplicateKeys(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    if (session->selection.simulation != 0)
    {
        qvuiAction_DuplicateSimulation(editor);
        return;
    }
    const qvScene* scene = qvRetainScene(qvuiSession_Scene(session));
    int count = session->selection.keyCount, made = 0;
    qvId* copies = calloc((size_t)count, sizeof(*copies));
    double shift = 2.0 / scene->fps;
    qvDocument_Begin(session->document, "Duplicate keys", 0);
    for (int i = 0; copies != NULL && i < count; i++)
    {
        const qvSceneKey* key = qvScene_FindKey(scene, session->selection.keys[i], NULL);
        if (key == NULL)
            continue;
        qvSceneKey copy = *key;
        qvError error;
        copy.time += shift;
        if (!qvuiEditor_Did(editor, qvDocument_AddKey(session->document, &copy, &copies[made], &error), &error))
            break;
        made++;
    }
    qvDocument_End(session->document);
    if (made > 0)
        qvuiSession_SelectKey(session, 0, false);
    for (int i = 0; i < made; i++)
        qvuiSession_SelectKey(session, copies[i], true);
    if (made > 0 && editor->where == qvui_whereTimeline)
        qvuiAction_MoveKeys(editor);
    free(copies);
    qvReleaseScene(scene);
}

void qvuiAction_BoxSelect(qvuiEditor* editor)
{
    qvuiTimeline_BeginBox(editor);
}

void qvuiAction_SelectAll(qvuiEditor* editor)
{
    qvuiSession_SelectAllKeys(&editor->session);
}

void qvuiAction_SelectNone(qvuiEditor* editor)
{
    qvuiSession_SelectKey(&editor->session, 0, false);
}

static void SetChoice(qvuiEditor* editor, const char* label, const char* field, const char* tag)
{
    qvuiSession* session = &editor->session;
    qvDocument_Begin(session->document, label, 0);
    for (int i = 0; i < session->selection.keyCount; i++)
    {
        qvError error;
        qvRef object = { qv_objectKey, session->selection.keys[i] };
        if (!qvuiEditor_Did(editor, qvDocument_SetText(session->document, object, field, tag, &error), &error))
            break;
    }
    qvDocument_End(session->document);
}

void qvuiSetInterpolation(qvuiEditor* editor, qvInterp interp)
{
    SetChoice(editor, "Interpolation", "interp", qvInterp_Tag(interp));
}

void qvuiAction_Interpolation(qvuiEditor* editor)
{
    const qvSceneKey* key = SelectedKey(editor);
    if (key != NULL)
        qvuiSetInterpolation(editor, (qvInterp)((key->interp + 1) % qv_interpCount));
}

void qvuiAction_Velocity(qvuiEditor* editor)
{
    const qvSceneKey* key = SelectedKey(editor);
    const qvField* field = qvFindField(qv_objectKey, "velocity.mode");
    if (key == NULL || field == NULL)
        return;
    int next = (int)key->velocityMode + 1;
    SetChoice(editor, "Velocity", "velocity.mode", field->tags[next] != NULL ? field->tags[next] : field->tags[0]);
}

// The selected keys in reverse order, within their span.
void qvuiAction_ReverseKeys(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    size_t count = (size_t)session->selection.keyCount;
    qvRef* objects = malloc(count * sizeof(*objects));
    double *times = malloc(count * sizeof(*times)), low = INFINITY, high = -INFINITY;
    qvError error;
    for (size_t i = 0; objects != NULL && times != NULL && i < count; i++)
    {
        objects[i] = (qvRef){ qv_objectKey, session->selection.keys[i] };
        const qvSceneKey* key = qvScene_FindKey(scene, objects[i].id, NULL);
        times[i] = key != NULL ? key->time : 0.0;
        low = fmin(low, times[i]), high = fmax(high, times[i]);
    }
    for (size_t i = 0; times != NULL && i < count; i++)
        times[i] = low + high - times[i];
    if (objects != NULL && times != NULL)
    {
        qvDocument_Begin(session->document, "Reverse keys", 0);
        qvuiEditor_Did(editor, qvDocument_SetTimes(session->document, objects, times, (int)count, &error), &error);
        qvDocument_End(session->document);
    }
    free(objects);
    free(times);
}

// --- Part of the body -----------------------------------------------------------------------------------------------

// What is masked becomes what the key holds, and the mask goes, so that the next strokes can pose it.
void qvuiAction_HoldPart(qvuiEditor* editor)
{
    const qvMesh* mesh = editor->session.body->mesh;
    const float* mask = editor->viewport.tools.mask;
    if (mask == NULL)
    {
        qvuiTools_Choose(editor, qvui_toolMask);
        qvuiEditor_Notify(editor, false,
                          "Paint the part that this key holds, then choose \xe2\x80\x9cmasked part\xe2\x80\x9d again");
        return;
    }
    qvRef object = { qv_objectKey, editor->session.selection.key };
    qvError error;
    int count;
    int32_t* vertices = qvuiPaintedVertices(mesh, mask, true, &count, &error);
    qvDocument_Begin(editor->session.document, "Hold a part", 0);
    qvResult result = vertices != NULL
                          ? qvDocument_SetVertices(editor->session.document, object, "only", vertices, count, &error)
                          : qv_outOfMemory;
    qvDocument_End(editor->session.document);
    free(vertices);
    if (!qvuiEditor_Did(editor, result, &error))
        return;
    qvuiMask_Drop(&editor->viewport.tools);
    qvuiOverlay_Touch(&editor->viewport.overlay);
}

void qvuiAction_HoldWhole(qvuiEditor* editor)
{
    qvRef object = { qv_objectKey, editor->session.selection.key };
    qvError error;
    qvuiEditor_Did(editor, qvDocument_Reset(editor->session.document, object, "only", &error), &error);
}
