// SPDX-License-Identifier: GPL-3.0-or-later
/// Simulations of the scene: which one is chosen, and what is done with it.
#pragma once

#include "quaver/scene.h"

struct qvuiEditor;

/// The simulation that is chosen, or NULL.
const qvSceneSimulation* qvuiChosenSimulation(const struct qvuiEditor* editor);

/// The joint of it that is chosen, or NULL.
const qvSceneJoint* qvuiChosenJoint(const struct qvuiEditor* editor);

/// Joins two vertices of different parts in the chosen simulation; what stands in the way becomes a toast.
void qvuiAddJoint(struct qvuiEditor* editor, int a, int b);
void qvuiDeleteJoint(struct qvuiEditor* editor); ///< the chosen one

/// The part of it with a material of its own that is chosen, or NULL.
const qvScenePart* qvuiChosenPart(const struct qvuiEditor* editor);
void qvuiAddPart(struct qvuiEditor* editor);    ///< the first part of the mesh that has none yet, and chooses it
void qvuiDeletePart(struct qvuiEditor* editor); ///< the chosen one

/// When the keys have the body again, s: after its span and its fading back.
double qvuiSimulationOver(const qvSceneSimulation* simulation, const qvScene* scene);

/// Adds one like the template and chooses it. Returns its number; 0 on failure, which becomes a toast.
qvId qvuiAddSimulation(struct qvuiEditor* editor, const qvSceneSimulation* like);
