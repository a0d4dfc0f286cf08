// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a rig, for the reader that fills it and the writer that looks back through it.
#pragma once

#include "base/memory.h"
#include "quaver/rig.h"

#include <stdbool.h>
#include <stdint.h>

/// The place of a node relative to its parent.
typedef struct qvRigPose
{
    qvVec3 translation;
    qvQuat rotation; ///< unit length
    qvVec3 scale;
} qvRigPose;

typedef struct qvRigNode
{
    int parent; ///< -1 for a root
    qvRigPose rest;
    bool hasMatrix; ///< then matrix stands in place of the pose
    qvAffine matrix;
    int firstWeight, weightCount; ///< morph weights of its mesh
} qvRigNode;

typedef struct qvRigSkin
{
    int jointCount;
    int firstJoint;              ///< where its joints are among those of all skins
    const int* joints;           ///< nodes
    const qvAffine* inverseBind; ///< mesh space to the joint's space
} qvRigSkin;

/// A set of vertices in mesh space. Several parts may share one.
typedef struct qvRigGeometry
{
    int vertexCount;
    const qvVec3f* positions;
    int targetCount;
    const qvVec3f** targets; ///< position deltas; NULL for a target that moves nothing here
    int influenceCount;      ///< joints per vertex; 0 when not skinned
    const uint16_t* joints;  ///< indices into the skin's joints
    const float* weights;    ///< sum to 1 at every vertex
} qvRigGeometry;

/// A geometry in a place: its vertices are firstVertex and following.
typedef struct qvRigPart
{
    int node;
    int skin; ///< -1: moved by its node; otherwise by the skin's joints alone
    int geometry;
    int firstVertex;
} qvRigPart;

typedef enum qvRigInterpolation
{
    qv_rigStep,
    qv_rigLinear,
    qv_rigCubic,
} qvRigInterpolation;

typedef enum qvRigPath
{
    qv_rigTranslation,
    qv_rigRotation,
    qv_rigScale,
    qv_rigWeights,
} qvRigPath;

typedef struct qvRigSampler
{
    qvRigInterpolation interpolation;
    int keyCount; ///< at least 1
    int width;    ///< numbers per value
    const float* times;
    const float* values; ///< per key one value, or in-tangent, value, out-tangent with qv_rigCubic
} qvRigSampler;

typedef struct qvRigChannel
{
    int node;
    qvRigPath path;
    qvRigSampler sampler;
} qvRigChannel;

typedef struct qvRigClip
{
    const char* name;
    double duration, rate; ///< s, frames per second (0: not noted)
    bool loops;
    int channelCount;
    qvRigChannel* channels;
} qvRigClip;

struct qvRig
{
    qvArena* arena; ///< owns all below
    int nodeCount;
    qvRigNode* nodes;
    int* order; ///< nodes, parents before children
    int weightCount;
    float* weights; ///< the file's default morph weights of all nodes
    int skinCount;
    qvRigSkin* skins;
    int jointCount; ///< of all skins
    int geometryCount;
    qvRigGeometry* geometries;
    int partCount;
    qvRigPart* parts;
    int vertexCount; ///< of all parts
    int clipCount;
    qvRigClip* clips;
};

/// Everything that depends on time but the vertices. Points into a scratch.
typedef struct qvRigState
{
    qvRigPose* poses;
    bool* moved; ///< nodes that the clip moves: their pose counts, not their matrix
    qvAffine* globals;
    float (*joints)[12]; ///< of all skins: mesh space to world, three rows of four
    float* weights;
} qvRigState;

/// An empty rig; NULL when memory runs out.
qvRig* qvCreateRig(void);

/// Poses the nodes and joints. The state lives in scratch (qvRig_ScratchSize bytes).
qvRigState qvRig_ComputeState(const qvRig* rig, int clip, double time, void* scratch);

/// The map from mesh space to world at a vertex of a part (counted from the part's first).
qvAffine qvRig_VertexMap(const qvRig* rig, const qvRigState* state, const qvRigPart* part, int vertex);

/// Mesh-space positions of a part: rest plus weighted morph targets.
void qvRig_MorphPart(const qvRig* rig, const qvRigState* state, const qvRigPart* part, qvVec3f* positions);

/// World-space positions of a part; positions has the part's vertexCount entries.
void qvRig_PosePart(const qvRig* rig, const qvRigState* state, const qvRigPart* part, qvVec3f* positions);

/// The value of a sampler at a time, width numbers. isRotation: quaternions, slerped and normalised.
void qvRigSampler_Evaluate(const qvRigSampler* sampler, bool isRotation, double time, float* value);
