// SPDX-License-Identifier: GPL-3.0-or-later
/// What the action table asks: check marks and whether an action is possible; and actions with an argument.
#pragma once

#include "quaver/scene.h"

#include <stdbool.h>

struct qvuiEditor;

bool qvuiHasMesh(const struct qvuiEditor* editor);
bool qvuiHasFile(const struct qvuiEditor* editor); ///< the document does
bool qvuiHasSceneCamera(const struct qvuiEditor* editor);
bool qvuiIsSceneView(const struct qvuiEditor* editor); ///< the view is the scene camera's
bool qvuiHasDocument(const struct qvuiEditor* editor);
bool qvuiHasSelectedKeys(const struct qvuiEditor* editor);
bool qvuiHasSelectedKey(const struct qvuiEditor* editor); ///< on a mesh
bool qvuiHasPartialKey(const struct qvuiEditor* editor);  ///< selected
bool qvuiHasSelection(const struct qvuiEditor* editor);
bool qvuiCanDuplicate(const struct qvuiEditor* editor);      ///< keys or a simulation are selected
bool qvuiHasSimulation(const struct qvuiEditor* editor);     ///< selected
bool qvuiIsSimulationMuted(const struct qvuiEditor* editor); ///< the selected one
bool qvuiCanCapture(const struct qvuiEditor* editor);        ///< what is simulated at the playhead
bool qvuiHasObstacle(const struct qvuiEditor* editor);       ///< chosen
bool qvuiHasContactBox(const struct qvuiEditor* editor);     ///< open
bool qvuiHasCopiedPose(const struct qvuiEditor* editor);
bool qvuiCanUndo(const struct qvuiEditor* editor);
bool qvuiCanRedo(const struct qvuiEditor* editor);
bool qvuiIsPlaying(const struct qvuiEditor* editor);
bool qvuiIsLoop(const struct qvuiEditor* editor);
bool qvuiHasOwnColors(const struct qvuiEditor* editor);
bool qvuiHasDisplacementColors(const struct qvuiEditor* editor);
bool qvuiShowsSimulatedPoints(const struct qvuiEditor* editor);
bool qvuiHasStrainColors(const struct qvuiEditor* editor);
bool qvuiHasWaveColors(const struct qvuiEditor* editor);
bool qvuiHasMask(const struct qvuiEditor* editor);
bool qvuiHasPainted(const struct qvuiEditor* editor); ///< a mask, or with the weight tool weights
bool qvuiHasPins(const struct qvuiEditor* editor);
bool qvuiIsSymmetricX(const struct qvuiEditor* editor);
bool qvuiIsSymmetricY(const struct qvuiEditor* editor);
bool qvuiIsSymmetricZ(const struct qvuiEditor* editor);

/// Which vertex is nearest to each one's mirror image in x, at rest. False when memory runs out.
bool qvuiMirrorVertices(const qvMesh* mesh, int* images);
/// Gives the selected keys an interpolation.
void qvuiSetInterpolation(struct qvuiEditor* editor, qvInterp interp);
/// Gives the key at the playhead (a new one where there is none) this pose: offsets per vertex. One undo step; a
/// failure becomes a toast. Returns whether it was done.
bool qvuiSetPose(struct qvuiEditor* editor, const char* label, const qvVec3f* offsets);
