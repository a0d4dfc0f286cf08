// SPDX-License-Identifier: GPL-3.0-or-later
// Linear blend skinning, as the glTF 2.0 specification (Khronos Group, 2021), sections 3.7.2 to 3.7.4, defines it:
//   x = sum_i w_i G(joint_i) B_i (p + sum_k m_k d_k)
// with p the rest position in mesh space, d_k the morph targets, m_k their weights, B_i the inverse bind matrices, G
// the global transforms of the joints. The node that carries a skinned mesh has no part in it.
#include "mesh/rig.h"

#include "base/assert.h"
#include "math/affine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvRig* qvCreateRig(void)
{
    qvRig* rig = qvAllocate(1, sizeof(qvRig));
    if (rig == NULL)
        return NULL;
    rig->arena = qvCreateArena();
    if (rig->arena != NULL)
        return rig;
    free(rig);
    return NULL;
}

void qvDestroyRig(qvRig* rig)
{
    if (rig == NULL)
        return;
    qvDestroyArena(rig->arena);
    free(rig);
}

int qvRig_ClipCount(const qvRig* rig)
{
    return rig->clipCount;
}

const char* qvRig_ClipName(const qvRig* rig, int clip)
{
    QV_ASSERT(clip >= 0 && clip < rig->clipCount);
    return rig->clips[clip].name;
}

double qvRig_ClipDuration(const qvRig* rig, int clip)
{
    QV_ASSERT(clip >= 0 && clip < rig->clipCount);
    return rig->clips[clip].duration;
}

double qvRig_ClipRate(const qvRig* rig, int clip)
{
    QV_ASSERT(clip >= 0 && clip < rig->clipCount);
    return rig->clips[clip].rate;
}

bool qvRig_ClipLoops(const qvRig* rig, int clip)
{
    QV_ASSERT(clip >= 0 && clip < rig->clipCount);
    return rig->clips[clip].loops;
}

static qvResult FailToFind(const qvRig* rig, const char* name, qvError* error)
{
    char list[512] = "";
    size_t length = 0;
    for (int i = 0; i < rig->clipCount && length < sizeof(list); i++)
        length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%d \"%.60s\"", i > 0 ? ", " : "", i + 1,
                                   rig->clips[i].name);
    return qvError_Set(error, qv_notFound, "there is no clip \"%.60s\"; the file has %s", name, list);
}

qvResult qvRig_FindClip(const qvRig* rig, const char* name, int* clip, qvError* error)
{
    *clip = 0;
    if (rig == NULL || rig->clipCount == 0)
        return qvError_Set(
            error, qv_notFound,
            "the file has no clip, and nothing else moves it; pose it in the window, or draw it without a time");
    if (name == NULL)
        return qv_ok;
    for (; *clip < rig->clipCount; (*clip)++)
    {
        if (strcmp(rig->clips[*clip].name, name) == 0)
            return qv_ok;
    }
    char* end;
    long number = strtol(name, &end, 10);
    *clip = (int)number - 1;
    return *end == 0 && number >= 1 && number <= rig->clipCount ? qv_ok : FailToFind(rig, name, error);
}

// The part that a vertex is of, if it is skinned; or NULL.
static const qvRigPart* SkinnedPartOf(const qvRig* rig, int vertex)
{
    for (int i = 0; i < rig->partCount; i++)
    {
        const qvRigPart* part = &rig->parts[i];
        const qvRigGeometry* geometry = &rig->geometries[part->geometry];
        if (vertex >= part->firstVertex && vertex < part->firstVertex + geometry->vertexCount)
            return part->skin >= 0 && geometry->influenceCount > 0 ? part : NULL;
    }
    return NULL;
}

int qvRig_MainJoint(const qvRig* rig, int vertex)
{
    const qvRigPart* part = SkinnedPartOf(rig, vertex);
    if (part == NULL)
        return -1;
    const qvRigGeometry* geometry = &rig->geometries[part->geometry];
    size_t first = (size_t)(vertex - part->firstVertex) * (size_t)geometry->influenceCount, best = first;
    for (int k = 1; k < geometry->influenceCount; k++)
        best = geometry->weights[first + k] > geometry->weights[best] ? first + k : best;
    return rig->skins[part->skin].firstJoint + geometry->joints[best];
}

void qvRig_JointWeights(const qvRig* rig, int joint, float* weights)
{
    for (int i = 0; i < rig->vertexCount; i++)
        weights[i] = 0.0f;
    for (int i = 0; i < rig->partCount; i++)
    {
        const qvRigPart* part = &rig->parts[i];
        const qvRigGeometry* geometry = &rig->geometries[part->geometry];
        if (part->skin < 0)
            continue;
        int count = geometry->influenceCount;
        for (int v = 0; v < geometry->vertexCount; v++)
        {
            for (int k = 0; k < count; k++)
            {
                size_t at = (size_t)v * (size_t)count + (size_t)k;
                if (rig->skins[part->skin].firstJoint + geometry->joints[at] == joint)
                    weights[part->firstVertex + v] += geometry->weights[at];
            }
        }
    }
}

int qvRig_JointCount(const qvRig* rig)
{
    return rig->jointCount;
}

int qvRig_VertexCount(const qvRig* rig)
{
    return rig->vertexCount;
}

// --- State -------------------------------------------------------------------------------------------------------

static size_t Take(size_t* offset, size_t count, size_t size)
{
    size_t start = *offset;
    *offset += (count * size + 15) / 16 * 16;
    return start;
}

// Lays the arrays of a state out in scratch (NULL: only counts) and returns the bytes.
static size_t LayOut(const qvRig* rig, char* scratch, qvRigState* state)
{
    size_t offset = 0, nodes = (size_t)rig->nodeCount;
    size_t poses = Take(&offset, nodes, sizeof(qvRigPose));
    size_t globals = Take(&offset, nodes, sizeof(qvAffine));
    size_t joints = Take(&offset, (size_t)rig->jointCount, sizeof(float[12]));
    size_t weights = Take(&offset, (size_t)rig->weightCount, sizeof(float));
    size_t moved = Take(&offset, nodes, sizeof(bool));
    if (scratch != NULL)
    {
        state->poses = (qvRigPose*)(void*)(scratch + poses);
        state->globals = (qvAffine*)(void*)(scratch + globals);
        state->joints = (float(*)[12])(void*)(scratch + joints);
        state->weights = (float*)(void*)(scratch + weights);
        state->moved = (bool*)(void*)(scratch + moved);
    }
    return offset;
}

size_t qvRig_ScratchSize(const qvRig* rig)
{
    size_t size = LayOut(rig, NULL, NULL);
    return size > 0 ? size : 16;
}

static void ApplyChannel(const qvRig* rig, const qvRigChannel* channel, double time, qvRigState* state)
{
    const qvRigNode* node = &rig->nodes[channel->node];
    qvRigPose* pose = &state->poses[channel->node];
    if (channel->path == qv_rigWeights)
    {
        qvRigSampler_Evaluate(&channel->sampler, false, time, state->weights + node->firstWeight);
        return;
    }
    float v[4];
    qvRigSampler_Evaluate(&channel->sampler, channel->path == qv_rigRotation, time, v);
    if (channel->path == qv_rigTranslation)
        pose->translation = qvMakeVec3(v[0], v[1], v[2]);
    else if (channel->path == qv_rigScale)
        pose->scale = qvMakeVec3(v[0], v[1], v[2]);
    else
        pose->rotation = qvQuat_Normalize((qvQuat){ v[0], v[1], v[2], v[3] });
    state->moved[channel->node] = true;
}

static void ComputeGlobals(const qvRig* rig, qvRigState* state)
{
    for (int i = 0; i < rig->nodeCount; i++)
    {
        int index = rig->order[i];
        const qvRigNode* node = &rig->nodes[index];
        const qvRigPose* pose = &state->poses[index];
        qvAffine local = node->hasMatrix && !state->moved[index]
                             ? node->matrix
                             : qvAffine_FromParts(pose->translation, pose->rotation, pose->scale);
        state->globals[index] = node->parent >= 0 ? qvAffine_Multiply(&state->globals[node->parent], &local) : local;
    }
}

static void ComputeJoints(const qvRig* rig, qvRigState* state)
{
    for (int s = 0; s < rig->skinCount; s++)
    {
        const qvRigSkin* skin = &rig->skins[s];
        for (int j = 0; j < skin->jointCount; j++)
        {
            qvAffine map = qvAffine_Multiply(&state->globals[skin->joints[j]], &skin->inverseBind[j]);
            const double offset[3] = { map.offset.x, map.offset.y, map.offset.z };
            float* rows = state->joints[skin->firstJoint + j];
            for (int row = 0; row < 3; row++)
            {
                for (int column = 0; column < 3; column++)
                    rows[4 * row + column] = (float)map.linear[row][column];
                rows[4 * row + 3] = (float)offset[row];
            }
        }
    }
}

qvRigState qvRig_ComputeState(const qvRig* rig, int clip, double time, void* scratch)
{
    QV_ASSERT(clip >= -1 && clip < rig->clipCount);
    qvRigState state = { 0 };
    LayOut(rig, scratch, &state);
    for (int i = 0; i < rig->nodeCount; i++)
    {
        state.poses[i] = rig->nodes[i].rest;
        state.moved[i] = false;
    }
    if (rig->weightCount > 0)
        memcpy(state.weights, rig->weights, (size_t)rig->weightCount * sizeof(float));
    const qvRigClip* channels = clip >= 0 ? &rig->clips[clip] : NULL;
    for (int i = 0; channels != NULL && i < channels->channelCount; i++)
        ApplyChannel(rig, &channels->channels[i], time, &state);
    ComputeGlobals(rig, &state);
    ComputeJoints(rig, &state);
    return state;
}

// --- Vertices ----------------------------------------------------------------------------------------------------

// sum_i w_i J_i at a vertex, three rows of four.
static void BlendJoints(const qvRigGeometry* geometry, float (*const joints)[12], int vertex, float rows[12])
{
    size_t first = (size_t)vertex * (size_t)geometry->influenceCount;
    const uint16_t* index = geometry->joints + first;
    const float* weight = geometry->weights + first;
    for (int k = 0; k < 12; k++)
        rows[k] = weight[0] * joints[index[0]][k];
    for (int i = 1; i < geometry->influenceCount; i++)
    {
        if (weight[i] == 0.0f)
            continue;
        for (int k = 0; k < 12; k++)
            rows[k] += weight[i] * joints[index[i]][k];
    }
}

qvAffine qvRig_VertexMap(const qvRig* rig, const qvRigState* state, const qvRigPart* part, int vertex)
{
    if (part->skin < 0)
        return state->globals[part->node];
    float r[12];
    BlendJoints(&rig->geometries[part->geometry], state->joints + rig->skins[part->skin].firstJoint, vertex, r);
    return (qvAffine){ .linear = { { r[0], r[1], r[2] }, { r[4], r[5], r[6] }, { r[8], r[9], r[10] } },
                       .offset = { r[3], r[7], r[11] } };
}

void qvRig_MorphPart(const qvRig* rig, const qvRigState* state, const qvRigPart* part, qvVec3f* positions)
{
    const qvRigGeometry* geometry = &rig->geometries[part->geometry];
    memcpy(positions, geometry->positions, (size_t)geometry->vertexCount * sizeof(qvVec3f));
    for (int k = 0; k < geometry->targetCount; k++)
    {
        float weight = state->weights[rig->nodes[part->node].firstWeight + k];
        const qvVec3f* deltas = geometry->targets[k];
        if (weight == 0.0f || deltas == NULL)
            continue;
        for (int i = 0; i < geometry->vertexCount; i++)
        {
            positions[i].x += weight * deltas[i].x;
            positions[i].y += weight * deltas[i].y;
            positions[i].z += weight * deltas[i].z;
        }
    }
}

static void SkinPart(const qvRig* rig, const qvRigState* state, const qvRigPart* part, qvVec3f* positions)
{
    const qvRigGeometry* geometry = &rig->geometries[part->geometry];
    float(*const joints)[12] = state->joints + rig->skins[part->skin].firstJoint;
    for (int i = 0; i < geometry->vertexCount; i++)
    {
        float r[12];
        BlendJoints(geometry, joints, i, r);
        qvVec3f p = positions[i];
        positions[i].x = r[0] * p.x + r[1] * p.y + r[2] * p.z + r[3];
        positions[i].y = r[4] * p.x + r[5] * p.y + r[6] * p.z + r[7];
        positions[i].z = r[8] * p.x + r[9] * p.y + r[10] * p.z + r[11];
    }
}

void qvRig_PosePart(const qvRig* rig, const qvRigState* state, const qvRigPart* part, qvVec3f* positions)
{
    qvRig_MorphPart(rig, state, part, positions);
    if (part->skin >= 0)
    {
        SkinPart(rig, state, part, positions);
        return;
    }
    const qvAffine* map = &state->globals[part->node];
    int count = rig->geometries[part->geometry].vertexCount;
    for (int i = 0; i < count; i++)
        positions[i] = qvVec3_ToFloat(qvAffine_Point(map, qvVec3_FromFloat(positions[i])));
}

void qvRig_Evaluate(const qvRig* rig, int clip, double time, void* scratch, qvVec3f* positions)
{
    qvRigState state = qvRig_ComputeState(rig, clip, time, scratch);
    for (int i = 0; i < rig->partCount; i++)
        qvRig_PosePart(rig, &state, &rig->parts[i], positions + rig->parts[i].firstVertex);
}
