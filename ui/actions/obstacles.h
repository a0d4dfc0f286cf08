// SPDX-License-Identifier: GPL-3.0-or-later
/// Obstacles of the scene: which one is chosen, and what is done with it.
#pragma once

#include "quaver/scene.h"
#include "ui/cimgui/cimgui.h"

struct qvuiEditor;

/// The obstacle that is chosen, or NULL.
const qvSceneObstacle* qvuiChosenObstacle(const struct qvuiEditor* editor);
/// Its key at the playhead, or NULL.
const qvSceneObstacleKey* qvuiObstacleKeyHere(const struct qvuiEditor* editor, const qvSceneObstacle* obstacle);

/// The obstacle under a pixel, if nothing of the body is before it; 0: none.
qvId qvuiPickObstacle(struct qvuiEditor* editor, ImVec2 pixel);
/// Where the chosen obstacle is at the playhead: its own coordinates to the world. False when none is chosen.
bool qvuiObstacleFrame(const struct qvuiEditor* editor, qvAffine* frame);
/// Puts the chosen obstacle there: its key at the playhead, which is made where it has keys but none here.
QV_CHECKED qvResult qvuiPlaceObstacle(struct qvuiEditor* editor, qvVec3 at, qvQuat rotate, qvError* error);

/// Obstacles as lines over the picture, at the playhead.
void qvuiObstacles_Draw(struct qvuiEditor* editor, ImDrawList* list);

void qvuiAction_AddSphere(struct qvuiEditor* editor);
void qvuiAction_AddBox(struct qvuiEditor* editor);
void qvuiAction_DuplicateObstacle(struct qvuiEditor* editor);
void qvuiAction_DeleteObstacle(struct qvuiEditor* editor);
void qvuiAction_ObstacleKey(struct qvuiEditor* editor); ///< makes one at the playhead, or takes it away
