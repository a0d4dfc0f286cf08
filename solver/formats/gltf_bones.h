// SPDX-License-Identifier: GPL-3.0-or-later
// Baked motion as a skin: joints with four weights per vertex instead of morph targets. Engines skin thousands of
// bodies on the graphics card where they morph a few.
#pragma once

#include "formats/bones.h"
#include "formats/gltf_fresh.h"
#include "formats/gltf_out.h"
#include "formats/morph_normals.h"
#include "formats/morph_targets.h"

/// A skin as it is written, and the document around it.
typedef struct qvGltfBones
{
    const qvExportTask* task;
    qvMesh shown;    // the task's mesh, with normals of its own where it has none
    qvVec3f* smooth; // those normals
    qvGltfFresh fresh;
    qvMorphTargets motion; // the rigid motion and what is left of the frames
    int frameCount;        // of the bones: a loop's end is its start

    bool hasNormals;
    qvNormalGroups groups;
    int32_t* group;  // [fresh.split.count] -1: no triangle
    float* normals;  // [frameCount][3 groups.count] of the frames
    int pointCount;  // places with a motion of their own
    int32_t* point;  // [vertexCount] -1: a vertex that no triangle uses
    int32_t* vertex; // [pointCount] the first one there

    int boneCount;
    uint8_t* joints;   // [pointCount][4]
    uint16_t* weights; // [pointCount][4], the sum is 65535
    qvVec3f* centers;  // [boneCount] where bones turn about, at rest
    float* keys;       // [boneCount][frameCount][7] translation and rotation below the root
} qvGltfBones;

/// Places points, finds the bones and rounds them as they are written; the report has the error of that then. Free it
/// in any case.
QV_CHECKED qvResult qvGltfBones_Start(qvGltfBones* bones, const qvExportTask* task, qvError* error);
void qvGltfBones_Free(qvGltfBones* bones);

/// Where joints are below the root when nothing plays: of a root that turns, less its pivot.
static inline qvVec3 qvGltfBones_Rest(const qvGltfBones* bones, int bone)
{
    return qvSub(qvVec3_FromFloat(bones->centers[bone]), qvVec3_FromFloat(bones->motion.pivot));
}

/// Adds skin, nodes and clip to the document (gltf_skin.c).
void qvGltfBones_Build(qvGltfBones* bones);

/// An export of glTF with bones, from the beginning to the end.
QV_CHECKED qvResult qvExportGltfBones(const qvExportTask* task, qvGltfForm form, qvError* error);
