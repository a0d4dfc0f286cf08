// SPDX-License-Identifier: GPL-3.0-or-later
// The ground and the obstacles: what there is, and the fields of the one that is chosen.
#include "ui/panels/fields.h"

#include "ui/actions/obstacles.h"
#include "ui/actions/state.h"

#include <stdio.h>

static const qvRef sceneObject = { qv_objectScene, 0 };

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    int count = qvuiSession_Scene(&editor->session)->obstacleCount;
    if (count > 0)
        snprintf(text, capacity, "%d obstacle%s", count, count == 1 ? "" : "s");
}

static void ObstacleList(qvuiEditor* editor)
{
    static const char* const shapes[] = { "sphere", "box", "mesh" };
    const qvScene* scene = qvRetainScene(qvuiSession_Scene(&editor->session));
    qvuiSelection* selection = &editor->session.selection;
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        const qvSceneObstacle* obstacle = scene->obstacles[i];
        char name[qv_maxName + 32];
        snprintf(name, sizeof(name), "%.60s##b%u", obstacle->name[0] != 0 ? obstacle->name : obstacle->tag,
                 obstacle->id);
        if (qvuiListRow(&editor->kit, name, obstacle->mute ? "muted" : shapes[obstacle->shape],
                        obstacle->mute ? QVUI_MUTED : QVUI_TEAL, selection->obstacle == obstacle->id,
                        "Chooses it: its place, size and friction stand below; T moves and turns it in the picture"))
            qvuiSession_SelectObstacle(&editor->session, obstacle->id);
    }
    qvReleaseScene(scene);
}

static bool Button(qvuiEditor* editor, const char* label, const char* tooltip, bool isFirst)
{
    if (isFirst)
        igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    else
        igSameLine(0.0f, qvuiPixels(&editor->kit.style, 6));
    return qvuiPill(&editor->kit, label, 0.0f, tooltip);
}

static void Space(qvuiEditor* editor)
{
    igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 6) });
}

// Where it is: the key at the playhead if it has keys, else it stands still.
static void PlaceRows(qvuiEditor* editor, const qvSceneObstacle* obstacle)
{
    qvRef object = { qv_objectObstacle, obstacle->id };
    const qvSceneObstacleKey* key = qvuiObstacleKeyHere(editor, obstacle);
    char text[64];
    if (key != NULL)
        object = (qvRef){ qv_objectObstacleKey, key->id };
    if (key != NULL || obstacle->keyCount == 0)
    {
        if (key != NULL)
            qvuiFieldRow(editor, object, "time", QVUI_SOLVED);
        qvuiFieldRow(editor, object, "at", QVUI_SOLVED);
        qvuiFieldRow(editor, object, "rotate", QVUI_SOLVED);
        return;
    }
    snprintf(text, sizeof(text), "by %d key%s", obstacle->keyCount, obstacle->keyCount == 1 ? "" : "s");
    qvuiTextRow(&editor->kit, "Moved", text);
}

static void ChosenRows(qvuiEditor* editor, const qvSceneObstacle* obstacle)
{
    static const char* const sizes[] = { "radius", "size", "file" };
    qvRef object = { qv_objectObstacle, obstacle->id };
    bool hasKey = qvuiObstacleKeyHere(editor, obstacle) != NULL;
    qvuiFieldRow(editor, object, "name", QVUI_SOLVED);
    if (obstacle->shape != qv_shapeMesh)
        qvuiFieldRow(editor, object, "shape", QVUI_SOLVED);
    qvuiFieldRow(editor, object, sizes[obstacle->shape], QVUI_SOLVED);
    PlaceRows(editor, obstacle);
    qvuiFieldRow(editor, object, "friction", QVUI_SOLVED);
    qvuiFieldRow(editor, object, "inside", QVUI_SOLVED);
    qvuiFieldRow(editor, object, "mute", QVUI_SOLVED);
    Space(editor);
    if (Button(editor, hasKey ? "Delete its key" : "Key it here",
               hasKey ? "Takes away the obstacle's key at the playhead"
                      : "Makes a key of where the obstacle is at the playhead: it moves smoothly from key to key",
               true))
        qvuiAction_ObstacleKey(editor);
    if (Button(editor, "Duplicate", "Makes another one like it beside it", false))
        qvuiAction_DuplicateObstacle(editor);
    if (Button(editor, "Delete", "Takes the obstacle out of the scene", false))
        qvuiAction_DeleteObstacle(editor);
}

static void Draw(qvuiEditor* editor)
{
    qvuiFieldRow(editor, sceneObject, "ground.on", QVUI_SOLVED);
    qvuiFieldRow(editor, sceneObject, "ground.height", QVUI_SOLVED);
    qvuiFieldRow(editor, sceneObject, "ground.friction", QVUI_SOLVED);
    ObstacleList(editor);
    Space(editor);
    if (Button(editor, "Add sphere", "Puts a sphere beside the body that it may not go through", true))
        qvuiAction_AddSphere(editor);
    if (Button(editor, "Add box", "Puts a box beside the body that it may not go through", false))
        qvuiAction_AddBox(editor);
    const qvSceneObstacle* chosen = qvuiChosenObstacle(editor);
    if (chosen != NULL)
    {
        Space(editor);
        ChosenRows(editor, chosen);
    }
}

const qvuiPanel qvuiPanelObstacles = {
    "obstacles",
    "Ground and obstacles",
    qvuiHasMesh,
    Remark,
    Draw,
    false,
    "What the body stands on and may not go through, for contact keys and simulations"
};
