// SPDX-License-Identifier: GPL-3.0-or-later
// Playing, stepping through time, markers and the preview range.
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdio.h>

static const qvRef sceneRef = { qv_objectScene, 0 };

bool qvuiHasDocument(const qvuiEditor* editor)
{
    return editor->session.document != NULL;
}

bool qvuiIsPlaying(const qvuiEditor* editor)
{
    return editor->session.playback.playing;
}

bool qvuiIsLoop(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL && scene->loop;
}

void qvuiAction_Play(qvuiEditor* editor)
{
    qvuiSession_Play(&editor->session, !editor->session.playback.playing);
}

static void Step(qvuiEditor* editor, int frames)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    double frame = round(editor->session.playback.time * scene->fps) + frames;
    qvuiSession_Play(&editor->session, false);
    qvuiSession_Seek(&editor->session, frame / scene->fps);
}

void qvuiAction_PreviousFrame(qvuiEditor* editor)
{
    Step(editor, -1);
}

void qvuiAction_NextFrame(qvuiEditor* editor)
{
    Step(editor, 1);
}

static void SeekEnd(qvuiEditor* editor, int end)
{
    double range[2];
    qvuiSession_PlayRange(&editor->session, range);
    qvuiSession_Seek(&editor->session, range[end]);
}

void qvuiAction_Start(qvuiEditor* editor)
{
    SeekEnd(editor, 0);
}

void qvuiAction_End(qvuiEditor* editor)
{
    SeekEnd(editor, 1);
}

static void SeekKey(qvuiEditor* editor, int direction)
{
    qvId id = qvuiSession_NeighbourKey(&editor->session, direction);
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), id, NULL);
    if (key == NULL)
        return;
    qvuiSession_Play(&editor->session, false);
    qvuiSession_SelectKey(&editor->session, id, false);
    qvuiSession_Seek(&editor->session, key->time);
}

void qvuiAction_PreviousKey(qvuiEditor* editor)
{
    SeekKey(editor, -1);
}

void qvuiAction_NextKey(qvuiEditor* editor)
{
    SeekKey(editor, 1);
}

void qvuiAction_Loop(qvuiEditor* editor)
{
    qvError error;
    bool loop = qvuiIsLoop(editor);
    qvuiEditor_Did(editor, qvDocument_SetBool(editor->session.document, sceneRef, "loop", !loop, &error), &error);
}

void qvuiAction_FitTime(qvuiEditor* editor)
{
    editor->timeline.fitPending = true;
}

void qvuiAction_Marker(qvuiEditor* editor)
{
    qvJson* value = qvCreateJsonObject();
    qvJson_AddNumber(value, "time", qvuiSession_SnapTime(&editor->session, editor->session.playback.time));
    char name[32];
    snprintf(name, sizeof(name), "marker %d", qvuiSession_Scene(&editor->session)->markerCount + 1);
    qvJson_AddString(value, "name", name);
    qvEdit edit = { .kind = qv_editAdd, .object = { qv_objectMarker, 0 }, .value = qvJsonValue(value), .place = -1 };
    qvError error;
    qvuiEditor_Did(editor, qvDocument_Apply(editor->session.document, &edit, NULL, &error), &error);
    qvDestroyJson(value);
}

// The span of the selected keys, or from the playhead to the end.
void qvuiAction_Preview(qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    double range[2];
    if (!qvuiSession_SelectedRange(session, range))
    {
        qvScene_Range(qvuiSession_Scene(session), range);
        range[0] = fmin(qvuiSession_SnapTime(session, session->playback.time), range[1]);
    }
    qvError error;
    qvuiEditor_Did(editor, qvDocument_SetNumbers(session->document, sceneRef, "preview", range, 2, &error), &error);
}

void qvuiAction_ClearPreview(qvuiEditor* editor)
{
    qvError error;
    qvuiEditor_Did(editor, qvDocument_Reset(editor->session.document, sceneRef, "preview", &error), &error);
}
