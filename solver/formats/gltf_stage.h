// SPDX-License-Identifier: GPL-3.0-or-later
// A document that is being animated: morph targets (gltf_targets.c), the nodes that move (gltf_nodes.c) and the clip
// (gltf_clip.c).
#pragma once

#include "formats/gltf_body.h"

/// A node whose mesh is animated.
typedef struct qvGltfActor
{
    int node;           ///< that shows the mesh, in the new document
    int run;            ///< of the document that was read, -1 in a new one
    int oldTargetCount; ///< targets that the mesh has already
    int firstOldWeight; ///< in the rig
} qvGltfActor;

typedef struct qvGltfStage
{
    const qvExportTask* task;
    const qvMorphTargets* targets;
    const qvGltfBodies* bodies;
    qvGltfBuilder* builder;
    qvGltfBack* back; ///< NULL: a new document
    int actorCount;
    qvGltfActor* actors;
    int root; ///< the node that carries the rigid motion, -1: none
} qvGltfStage;

/// An item of one of the document's lists, NULL when there is none.
qvJson* qvGltfStage_Item(const qvGltfStage* stage, const char* list, int index);

/// Adds the targets to the meshes of all actors; meshes that several nodes show are copied.
QV_CHECKED qvResult qvGltfStage_AddTargets(qvGltfStage* stage, qvError* error);

/// Adds the nodes for quantized meshes and for the rigid motion.
QV_CHECKED qvResult qvGltfStage_AddNodes(qvGltfStage* stage, qvError* error);

/// Adds the clip, or its weights to a clip of the document. Clips that would move the mesh a second time go.
QV_CHECKED qvResult qvGltfStage_AddClip(qvGltfStage* stage, qvError* error);
