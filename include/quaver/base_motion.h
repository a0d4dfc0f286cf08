// SPDX-License-Identifier: GPL-3.0-or-later
/// What a layer takes over from below: how a body moves, whatever moves it. Waves travel on such a motion, simulations
/// start from it, bakes sample it.
///
///     qvStillBase still = { rest, pointCount };
///     qvBaseMotion motion = qvMakeStillBase(&still);
///     motion.points(motion.context, 0.5, scratch, pool, points);
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/mesh.h"
#include "quaver/result.h"
#include "quaver/rig.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A motion of a body's points. The functions are thread-safe with one scratch per thread, allocate nothing unless they
/// say so, accept every finite time and give the same bits for any pool. What context points to must outlive everyone
/// who uses the motion.
typedef struct qvBaseMotion
{
    const void* context;
    int pointCount;
    size_t scratchSize; ///< bytes that the functions need, aligned for doubles

    /// World positions of all points at a time. pool may be NULL.
    void (*points)(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points);

    /// The rigid frame at a time: rest coordinates to the world. NULL: the one that fits the points best.
    qvAffine (*frame)(const void* context, double time);

    /// World velocities of all points at a time, [3 pointCount]. NULL: by differences.
    void (*velocities)(const void* context, double time, void* scratch, double* velocities);

    /// World positions at several times, [count][pointCount], the same bits as points gives one by one; allocates.
    /// NULL: one by one is as quick.
    qvResult (*frames)(const void* context, const double* times, int count, qvPool* pool, qvVec3f* points,
                       qvError* error);

    /// World positions of the file's vertices, from what points gave at that time, moved by what lies above. NULL: each
    /// vertex is its point.
    void (*vertices)(const void* context, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices);

    /// The mesh at a time, from what points gave then: one of its own in world space, which the caller destroys, or
    /// NULL: the body's mesh with these points. Allocates. NULL: the topology never changes.
    qvResult (*extract)(const void* context, double time, const qvVec3f* points, void* scratch, qvPool* pool,
                        qvMesh** mesh, qvError* error);
    double changesFrom; ///< with extract: it gives no mesh of its own before, s

    /// Displacements of the points at rest, as what is around each point carries them along at a time, to the world, or
    /// with toRest back; in place. NULL: they stay as they are.
    void (*turn)(const void* context, double time, bool toRest, void* scratch, qvVec3f* vectors);
} qvBaseMotion;

/// A clip of an imported rig, clamped to its keys, or repeated.
typedef struct qvRigBase
{
    const qvRig* rig;
    const qvMesh* mesh;
    int clip;     ///< -1: the file's rest state
    double start; ///< s; when the clip begins
    double speed; ///< seconds of the clip in one second
    bool repeat;  ///< the clip plays again and again, before its start too; where two meet, the end is shown
} qvRigBase;

/// The clip's own time at a time.
double qvRigBase_ClipTime(const qvRigBase* rig, double time);

/// Where the clip moves vertices apart that are one point at rest, each goes its own way.
qvBaseMotion qvMakeRigBase(const qvRigBase* rig);

/// A pose that does not move.
typedef struct qvStillBase
{
    const qvVec3f* points;
    int pointCount;
} qvStillBase;

qvBaseMotion qvMakeStillBase(const qvStillBase* still);

#ifdef __cplusplus
}
#endif
