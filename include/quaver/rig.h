// SPDX-License-Identifier: GPL-3.0-or-later
/// What moves a mesh in an imported file: morph targets, a tree of nodes, skins and animation clips. Evaluated by
/// linear blend skinning to vertex positions at any time. The rest state, which the mesh holds, is what the file shows
/// before any clip plays: nodes at their own transforms, morph targets at their default weights, and skinned vertices
/// where the joints put them (the node that carries a skinned mesh does not move it).
#pragma once

#include "quaver/math.h"
#include "quaver/mesh.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A shape of the mesh: rest + (w - weight) * deltas are the positions with this shape at weight w.
typedef struct qvMorph
{
    char* name;
    float weight;    ///< the file's default weight, which the rest positions include
    qvVec3f* deltas; ///< vertexCount entries, in the same space as the mesh's positions
} qvMorph;

typedef struct qvRig qvRig;

int qvRig_ClipCount(const qvRig* rig);
const char* qvRig_ClipName(const qvRig* rig, int clip); ///< "" when unnamed
double qvRig_ClipDuration(const qvRig* rig, int clip);  ///< seconds, time of the last key
double qvRig_ClipRate(const qvRig* rig, int clip);      ///< frames per second that the file notes; 0: it notes none
bool qvRig_ClipLoops(const qvRig* rig, int clip);       ///< the file notes that its end is its start
int qvRig_JointCount(const qvRig* rig);                 ///< joints of all skins
/// Which joint (of all skins) holds a vertex most; -1: none does.
int qvRig_MainJoint(const qvRig* rig, int vertex);
/// How much a joint holds each vertex, 0 to 1; weights has the vertices' count.
void qvRig_JointWeights(const qvRig* rig, int joint, float* weights);
int qvRig_VertexCount(const qvRig* rig); ///< that of the mesh it came with
void qvDestroyRig(qvRig* rig);

/// The clip of that name, or else of that number, counted from 1; NULL: the first. rig may be NULL, which has none.
/// Where there is no such clip, the message lists those that there are.
QV_CHECKED qvResult qvRig_FindClip(const qvRig* rig, const char* name, int* clip, qvError* error);

/// Scratch for qvRig_Evaluate, so that a frame allocates nothing.
size_t qvRig_ScratchSize(const qvRig* rig);

/// World-space positions of all vertices at a time of a clip (clamped to the clip's keys), or in the file's rest
/// state when clip is -1. scratch holds qvRig_ScratchSize() bytes, positions vertexCount entries. Thread-safe with
/// one scratch per thread.
void qvRig_Evaluate(const qvRig* rig, int clip, double time, void* scratch, qvVec3f* positions);

/// Displacements in the world brought back to the space of the mesh, where morph targets live: what qvRig_Evaluate
/// would have to find added to the unskinned vertices so that it ends up displaced by this much. Both arrays have
/// vertexCount entries and may be the same. Where a blended joint matrix squashes a vertex flat, what can be reached
/// is. scratch as above.
void qvRig_ToBindSpace(const qvRig* rig, int clip, double time, void* scratch, const qvVec3f* displacements,
                       qvVec3f* deltas);

/// The other way: what displacements in the space of the mesh are in the world. Both arrays may be the same.
void qvRig_FromBindSpace(const qvRig* rig, int clip, double time, void* scratch, const qvVec3f* deltas,
                         qvVec3f* displacements);

#ifdef __cplusplus
}
#endif
