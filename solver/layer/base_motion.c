// SPDX-License-Identifier: GPL-3.0-or-later
// Motions that need no solving: a clip of the mesh file, and a pose.
#include "quaver/base_motion.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

static size_t RoundUp(size_t size)
{
    return (size + 15) / 16 * 16;
}

// --- A clip of a rig -------------------------------------------------------------------------------------------------

// A clip that is repeated ends each time as it does when it plays once; only its very start is its first pose.
double qvRigBase_ClipTime(const qvRigBase* rig, double time)
{
    double since = (time - rig->start) * rig->speed;
    if (rig->clip < 0 || !rig->repeat)
        return since;
    double duration = qvRig_ClipDuration(rig->rig, rig->clip);
    if (!(duration > 0.0))
        return 0.0;
    if (since >= 0.0 && since <= duration)
        return since;
    double within = since - duration * floor(since / duration);
    return within > 0.0 ? within : duration;
}

static void RigPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)pool;
    const qvRigBase* rig = context;
    qvVec3f* vertices = (qvVec3f*)(void*)((char*)scratch + RoundUp(qvRig_ScratchSize(rig->rig)));
    qvRig_Evaluate(rig->rig, rig->clip, qvRigBase_ClipTime(rig, time), scratch, vertices);
    qvMesh_GatherPoints(rig->mesh, vertices, points);
}

// Vertices that the clip keeps together are their point; others differ from it as the clip has them.
static void RigVertices(const void* context, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    const qvRigBase* rig = context;
    const qvMesh* mesh = rig->mesh;
    qvRig_Evaluate(rig->rig, rig->clip, qvRigBase_ClipTime(rig, time), scratch, vertices);
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int32_t p = mesh->vertexPoint[v], first = p >= 0 ? mesh->pointVertex[p] : v;
        if (first == v)
            continue;
        qvVec3f apart = { vertices[v].x - vertices[first].x, vertices[v].y - vertices[first].y,
                          vertices[v].z - vertices[first].z };
        vertices[v] = (qvVec3f){ points[p].x + apart.x, points[p].y + apart.y, points[p].z + apart.z };
    }
    for (int p = 0; p < mesh->pointCount; p++)
        vertices[mesh->pointVertex[p]] = points[p];
}

// By way of the space in which the file's own shapes are: below the skin.
static void RigTurn(const void* context, double time, bool toRest, void* scratch, qvVec3f* vectors)
{
    const qvRigBase* rig = context;
    const qvMesh* mesh = rig->mesh;
    double clipTime = qvRigBase_ClipTime(rig, time);
    qvVec3f* vertices = (qvVec3f*)(void*)((char*)scratch + RoundUp(qvRig_ScratchSize(rig->rig)));
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int32_t p = mesh->vertexPoint[v];
        vertices[v] = p >= 0 ? vectors[p] : (qvVec3f){ 0.0f, 0.0f, 0.0f };
    }
    if (toRest)
    {
        qvRig_ToBindSpace(rig->rig, rig->clip, clipTime, scratch, vertices, vertices);
        qvRig_FromBindSpace(rig->rig, -1, 0.0, scratch, vertices, vertices);
    }
    else
    {
        qvRig_ToBindSpace(rig->rig, -1, 0.0, scratch, vertices, vertices);
        qvRig_FromBindSpace(rig->rig, rig->clip, clipTime, scratch, vertices, vertices);
    }
    qvMesh_GatherPoints(mesh, vertices, vectors);
}

qvBaseMotion qvMakeRigBase(const qvRigBase* rig)
{
    QV_ASSERT(qvRig_VertexCount(rig->rig) == rig->mesh->vertexCount);
    size_t vertices = (size_t)rig->mesh->vertexCount * sizeof(qvVec3f);
    return (qvBaseMotion){ .context = rig,
                           .pointCount = rig->mesh->pointCount,
                           .scratchSize = RoundUp(qvRig_ScratchSize(rig->rig)) + vertices,
                           .points = RigPoints,
                           .vertices = RigVertices,
                           .turn = RigTurn };
}

// --- A pose ----------------------------------------------------------------------------------------------------------

static void StillPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)time, (void)scratch, (void)pool;
    const qvStillBase* still = context;
    memcpy(points, still->points, (size_t)still->pointCount * sizeof(*points));
}

qvBaseMotion qvMakeStillBase(const qvStillBase* still)
{
    return (qvBaseMotion){ .context = still, .pointCount = still->pointCount, .points = StillPoints };
}
