// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles: adding, copying, keying, deleting.
#include "ui/editor/editor.h"

#include "ui/actions/obstacles.h"
#include "ui/actions/state.h"

#include <math.h>
#include <stdio.h>

const qvSceneObstacle* qvuiChosenObstacle(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindObstacle(scene, editor->session.selection.obstacle, NULL) : NULL;
}

bool qvuiHasObstacle(const qvuiEditor* editor)
{
    return qvuiChosenObstacle(editor) != NULL;
}

const qvSceneObstacleKey* qvuiObstacleKeyHere(const qvuiEditor* editor, const qvSceneObstacle* obstacle)
{
    double half = 0.5 / qvuiSession_Scene(&editor->session)->fps;
    for (int i = 0; i < obstacle->keyCount; i++)
        if (fabs(obstacle->keys[i]->time - editor->session.playback.time) < half)
            return obstacle->keys[i];
    return NULL;
}

static void AddVector(qvJson* object, const char* name, qvVec3 v)
{
    const double numbers[3] = { v.x, v.y, v.z };
    qvJson_AddNumbers(object, name, numbers, 3);
}

static void AddRotation(qvJson* object, qvQuat q)
{
    const double numbers[4] = { q.x, q.y, q.z, q.w };
    qvJson_AddNumbers(object, "rotate", numbers, 4);
}

// Adds what the fields say; they are destroyed. Returns its number, 0 on failure.
static qvId Add(qvuiEditor* editor, qvObjectKind kind, qvId parent, qvJson* fields)
{
    qvId added = 0;
    qvError error;
    qvEdit edit = {
        .kind = qv_editAdd, .object = { kind, 0 }, .value = qvJsonValue(fields), .parent = parent, .place = -1
    };
    qvuiEditor_Did(editor, qvDocument_Apply(editor->session.document, &edit, &added, &error), &error);
    qvDestroyJson(fields);
    return added;
}

// Beside the body and what was added before, on the ground.
static void AddShape(qvuiEditor* editor, const char* shape, const char* name)
{
    const qvBody* body = editor->session.body;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvBox box = body->mesh->bounds;
    double half = 0.15 * body->diagonal, aside = (1.5 + 2.4 * scene->obstacleCount) * half;
    double ground = qvScene_GroundHeight(scene, box.lower.y);
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddString(fields, "name", name);
    qvJson_AddString(fields, "shape", shape);
    qvJson_AddNumber(fields, "radius", half);
    AddVector(fields, "size", qvMakeVec3(2.0 * half, 2.0 * half, 2.0 * half));
    AddVector(fields, "at", qvMakeVec3(box.upper.x + aside, ground + half, 0.5 * (box.lower.z + box.upper.z)));
    qvId added = Add(editor, qv_objectObstacle, 0, fields);
    if (added != 0)
        qvuiSession_SelectObstacle(&editor->session, added);
    editor->panelOpen[qvuiPanelObstaclesIndex] = true;
}

void qvuiAction_AddSphere(qvuiEditor* editor)
{
    AddShape(editor, "sphere", "Sphere");
}

void qvuiAction_AddBox(qvuiEditor* editor)
{
    AddShape(editor, "box", "Box");
}

void qvuiAction_DuplicateObstacle(qvuiEditor* editor)
{
    static const char* const shapes[] = { "sphere", "box", "mesh" };
    const qvSceneObstacle* like = qvuiChosenObstacle(editor);
    if (like == NULL)
        return;
    qvVec3 aside = qvMakeVec3(like->shape == qv_shapeBox ? like->size.x : 2.0 * like->radius, 0.0, 0.0);
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddString(fields, "name", like->name);
    qvJson_AddString(fields, "shape", shapes[like->shape]);
    qvJson_AddNumber(fields, "radius", like->radius);
    AddVector(fields, "size", like->size);
    if (like->file != NULL)
        qvJson_AddString(fields, "file", like->file);
    AddVector(fields, "at", qvAdd(like->at, aside));
    AddRotation(fields, like->rotate);
    qvJson_AddNumber(fields, "friction", like->friction);
    qvJson_AddBool(fields, "inside", like->inside);
    qvJson_AddBool(fields, "mute", like->mute);
    qvJson* keys = qvJson_AddArray(fields, "keys");
    for (int i = 0; i < like->keyCount; i++)
    {
        qvJson* key = qvJson_AddObject(keys, NULL);
        qvJson_AddNumber(key, "time", like->keys[i]->time);
        AddVector(key, "at", qvAdd(like->keys[i]->at, aside));
        AddRotation(key, like->keys[i]->rotate);
    }
    qvId added = Add(editor, qv_objectObstacle, 0, fields);
    if (added != 0)
        qvuiSession_SelectObstacle(&editor->session, added);
}

void qvuiAction_DeleteObstacle(qvuiEditor* editor)
{
    qvRef object = { qv_objectObstacle, editor->session.selection.obstacle };
    qvError error;
    qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
}

void qvuiAction_ObstacleKey(qvuiEditor* editor)
{
    const qvSceneObstacle* obstacle = qvuiChosenObstacle(editor);
    const qvSceneObstacleKey* here = obstacle != NULL ? qvuiObstacleKeyHere(editor, obstacle) : NULL;
    double time = editor->session.playback.time;
    qvObstaclePlace place;
    qvError error;
    if (obstacle == NULL)
        return;
    if (here != NULL)
    {
        qvRef key = { qv_objectObstacleKey, here->id };
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, key, &error), &error);
        return;
    }
    if (!qvuiEditor_Did(
            editor, qvScene_PlaceObstacle(qvuiSession_Scene(&editor->session), obstacle, time, &place, &error), &error))
        return;
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddNumber(fields, "time", time);
    AddVector(fields, "at", place.at);
    AddRotation(fields, place.rotate);
    Add(editor, qv_objectObstacleKey, obstacle->id, fields);
}
