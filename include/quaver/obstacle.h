// SPDX-License-Identifier: GPL-3.0-or-later
/// What a body may not go through: the ground, spheres, boxes and closed meshes that stand still or are moved by rigid
/// keys. One question for all of them: how far is a point at a time, which way is out, and how fast moves what it
/// meets?
///
///     qvObstacles* obstacles;
///     if (qvCreateObstacles(defs, count, NULL, job, &obstacles, &error) != qv_ok) …
///     qvObstacles_Place(obstacles, time, places);                       // once for all points of a moment
///     qvObstacleTouch touch = qvObstacles_Nearest(obstacles, places, point);
///     if (touch.distance < 0.0) …
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qvObstacleShape
{
    qv_shapeSphere,
    qv_shapeBox,
    qv_shapeMesh,
    qv_shapeGround, ///< what lies below the plane y = 0 of its own axes
} qvObstacleShape;

/// Where an obstacle is at a time. Its own axes are turned by rotate and then moved to at.
typedef struct qvObstacleKey
{
    double time; ///< s
    qvVec3 at;
    qvQuat rotate; ///< any length but zero
} qvObstacleKey;

/// Arrays and the mesh belong to the caller and are needed only while obstacles are made. Start from
/// qvDefaultObstacleDef().
typedef struct qvObstacleDef
{
    const char* name; ///< in messages; NULL: its number
    qvObstacleShape shape;
    double radius;      ///< of a sphere, about its origin, above 0
    qvVec3 size;        ///< of a box, about its origin, each above 0
    const qvMesh* mesh; ///< closed, facing outwards
    qvVec3 at;          ///< without keys
    qvQuat rotate;      ///< without keys; any length but zero
    int keyCount;
    const qvObstacleKey* keys; ///< ascending in time, no two at the same
    double friction;           ///< Coulomb's coefficient, 0 to 2; default 0.5
    bool inside;               ///< a vessel: what it holds is free, and what is outside is not
} qvObstacleDef;

qvObstacleDef qvDefaultObstacleDef(void);

typedef struct qvObstacles qvObstacles;

/// loop (may be NULL) is the range over which keys repeat: all must lie in [loop[0], loop[1]), or qv_badInput says
/// which does not. Meshes that are not closed are qv_badInput; the message starts with "obstacle 2: " or its
/// name.
QV_CHECKED qvResult qvCreateObstacles(const qvObstacleDef* defs, int count, const double loop[2], const qvJob* job,
                                      qvObstacles** obstacles, qvError* error);
void qvDestroyObstacles(qvObstacles* obstacles); ///< NULL is allowed
int qvObstacles_Count(const qvObstacles* obstacles);

/// How an obstacle stands and moves at a moment.
typedef struct qvObstaclePlace
{
    qvVec3 at;
    qvQuat rotate;   ///< unit length
    qvVec3 velocity; ///< of its origin, units/s
    qvVec3 spin;     ///< angular velocity, rad/s, in the world's axes
} qvObstaclePlace;

/// Fills one place per obstacle. Keys make a path that is C2 in translation and rotation; it starts and ends without
/// velocity and holds before the first and after the last key, or repeats in a loop. Any thread, any order.
void qvObstacles_Place(const qvObstacles* obstacles, double time, qvObstaclePlace* places);

/// What a point meets.
typedef struct qvObstacleTouch
{
    int obstacle;    ///< its number, -1 where there is none
    double distance; ///< units; negative inside, INFINITY where there is none
    qvVec3 normal;   ///< the way out, of length 1
    qvVec3 velocity; ///< of the obstacle there, units/s
    double friction;
} qvObstacleTouch;

/// One of the obstacles at its place. The distance is exact for ground, spheres and boxes, and read from a grid for
/// meshes.
qvObstacleTouch qvObstacles_Touch(const qvObstacles* obstacles, const qvObstaclePlace* places, int obstacle,
                                  qvVec3 point);

/// Out of all of them at once, by at least margin. Where the point is that far from all, what it is nearest to.
/// Elsewhere the shortest way to a place that is: point + (margin - distance) normal. It may be far from the nearest
/// side of one obstacle, as what leaves one may enter another: out of the ground below a box that stands on it, it goes
/// around the box. Exact where ground, spheres and boxes meet, but for boxes' edges that a margin rounds; next to
/// meshes nearly so. obstacle, velocity and friction are those of the side that the way leaves most straight. Vessels
/// may leave no way out: then it is that out of the one in which the point is deepest.
qvObstacleTouch qvObstacles_WayOut(const qvObstacles* obstacles, const qvObstaclePlace* places, double margin,
                                   qvVec3 point);

/// The nearest of all; inside, the way out of all of them.
qvObstacleTouch qvObstacles_Nearest(const qvObstacles* obstacles, const qvObstaclePlace* places, qvVec3 point);

#ifdef __cplusplus
}
#endif
