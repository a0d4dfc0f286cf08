// SPDX-License-Identifier: GPL-3.0-or-later
// Ground, spheres, boxes and closed meshes in one query, each in its own axes and moved by a rigid path.
#include "quaver/obstacle.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/obstacle_shape.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>

static const double CELLS = 80.0;  // of a mesh's grid along its longest side
static const double PADDING = 4.0; // cells around it

qvObstacleDef qvDefaultObstacleDef(void)
{
    return (qvObstacleDef){
        .shape = qv_shapeGround, .radius = 1.0, .size = { 1.0, 1.0, 1.0 }, .rotate = qvQuat_Identity(), .friction = 0.5
    };
}

// --- Making --------------------------------------------------------------------------------------------------------

static qvResult MakeGrid(const qvMesh* mesh, const qvJob* job, qvDistanceGrid** grid, qvError* error)
{
    qvVec3* points = qvAllocateRaw((size_t)mesh->pointCount, sizeof(*points));
    if (points == NULL)
        return qvError_OutOfMemory(error, (double)mesh->pointCount * sizeof(*points));
    for (int p = 0; p < mesh->pointCount; p++)
        points[p] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p]]);
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    def.pointCount = mesh->pointCount;
    def.points = points;
    def.triangleCount = mesh->triangleCount;
    def.triangles = mesh->pointTriangles;
    qvVec3 sides = qvSub(qvVec3_FromFloat(mesh->bounds.upper), qvVec3_FromFloat(mesh->bounds.lower));
    double longest = fmax(sides.x, fmax(sides.y, sides.z));
    qvResult result = qv_ok;
    if (!(longest > 0.0))
        result = qvError_Set(error, qv_badInput, "The mesh encloses no volume");
    if (result == qv_ok)
    {
        qvDistanceGridDef_Fit(&def, longest / CELLS, PADDING);
        result = qvCreateDistanceGrid(&def, job, grid, error);
    }
    free(points);
    return result;
}

static qvResult MakePath(const qvObstacleDef* def, const double* loop, qvRigidPath** path, qvError* error)
{
    qvRigid still = { def->rotate, def->at };
    if (def->keyCount == 0)
        return qvCreateRigidPath((double[1]){ 0.0 }, &still, 1, 0.0, path, error);
    size_t n = (size_t)def->keyCount;
    double* times = qvAllocateRaw(n, sizeof(*times));
    qvRigid* poses = qvAllocateRaw(n, sizeof(*poses));
    qvResult result = times != NULL && poses != NULL ? qv_ok : qvError_OutOfMemory(error, (double)n * sizeof(*poses));
    for (int i = 0; result == qv_ok && i < def->keyCount; i++)
    {
        const qvObstacleKey* key = &def->keys[i];
        times[i] = key->time;
        poses[i] = (qvRigid){ key->rotate, key->at };
        if (loop != NULL && !(key->time >= loop[0] && key->time < loop[1]))
            result =
                qvError_Set(error, qv_badInput,
                            "the key at %g s lies outside the loop from %g s to %g s (its end is its start): move it",
                            key->time, loop[0], loop[1]);
        else if (i > 0 && !(times[i] > times[i - 1]))
            result = qvError_Set(error, qv_badInput, "two keys at %g s: move one of them", key->time);
    }
    if (result == qv_ok)
        result = qvCreateRigidPath(times, poses, def->keyCount, loop != NULL ? loop[1] - loop[0] : 0.0, path, error);
    free(times);
    free(poses);
    return result;
}

static qvResult MakeObstacle(const qvObstacleDef* def, const double* loop, const qvJob* job, qvObstacleItem* made,
                             qvError* error)
{
    QV_ASSERT(def->shape != qv_shapeMesh || def->mesh != NULL);
    *made = (qvObstacleItem){ .shape = def->shape,
                              .radius = def->shape == qv_shapeSphere ? def->radius : 0.0,
                              .half = qvScale(def->shape == qv_shapeBox ? 0.5 : 0.0, def->size),
                              .friction = def->friction,
                              .inside = def->inside };
    qvResult result = MakePath(def, loop, &made->path, error);
    if (result == qv_ok && def->shape == qv_shapeMesh)
        result = MakeGrid(def->mesh, job, &made->grid, error);
    return result;
}

qvResult qvCreateObstacles(const qvObstacleDef* defs, int count, const double loop[2], const qvJob* job,
                           qvObstacles** obstacles, qvError* error)
{
    QV_ASSERT(count == 0 || defs != NULL);
    qvObstacles* made = qvAllocate(1, sizeof(*made));
    qvObstacleItem* items = qvAllocate((size_t)count, sizeof(*items));
    if (made == NULL || items == NULL)
    {
        free(made);
        free(items);
        return qvError_OutOfMemory(error, (double)count * sizeof(*items));
    }
    *made = (qvObstacles){ count, items };
    for (int i = 0; i < count; i++)
    {
        qvResult result = MakeObstacle(&defs[i], loop, job, &items[i], error);
        if (result == qv_ok)
            continue;
        if (result == qv_badInput && defs[i].name != NULL)
            qvError_Prefix(error, "obstacle \"%s\"", defs[i].name);
        else if (result == qv_badInput)
            qvError_Prefix(error, "obstacle %d", i);
        qvDestroyObstacles(made);
        return result;
    }
    *obstacles = made;
    return qv_ok;
}

void qvDestroyObstacles(qvObstacles* obstacles)
{
    if (obstacles == NULL)
        return;
    for (int i = 0; i < obstacles->count; i++)
    {
        qvDestroyRigidPath(obstacles->items[i].path);
        qvDestroyDistanceGrid(obstacles->items[i].grid);
    }
    free(obstacles->items);
    free(obstacles);
}

int qvObstacles_Count(const qvObstacles* obstacles)
{
    return obstacles->count;
}

// --- Asking --------------------------------------------------------------------------------------------------------

void qvObstacles_Place(const qvObstacles* obstacles, double time, qvObstaclePlace* places)
{
    for (int i = 0; i < obstacles->count; i++)
    {
        qvRigidState s = qvRigidPath_Evaluate(obstacles->items[i].path, time);
        places[i] =
            (qvObstaclePlace){ s.pose.position, s.pose.rotation, s.velocity, qvQuat_Rotate(s.pose.rotation, s.spin) };
    }
}

static double Signed(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

// Of a box about the origin: outside the way from its nearest point, inside the way through the nearest face.
static double BoxDistance(qvVec3 half, qvVec3 p, qvVec3* normal)
{
    qvVec3 beyond = qvMakeVec3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
    qvVec3 out = qvMakeVec3(fmax(beyond.x, 0.0), fmax(beyond.y, 0.0), fmax(beyond.z, 0.0));
    double distance = qvLength(out);
    if (distance == 0.0)
    {
        distance = fmax(beyond.x, fmax(beyond.y, beyond.z));
        out = qvMakeVec3(beyond.x == distance, 0.0, 0.0);
        if (out.x == 0.0)
            out = beyond.y == distance ? qvMakeVec3(0.0, 1.0, 0.0) : qvMakeVec3(0.0, 0.0, 1.0);
    }
    *normal = qvNormalize(qvMakeVec3(Signed(p.x) * out.x, Signed(p.y) * out.y, Signed(p.z) * out.z));
    return distance;
}

// In the obstacle's own axes; a point from which every way out is as good goes up.
static double OwnDistance(const qvObstacleItem* obstacle, qvVec3 p, qvVec3* normal)
{
    const qvVec3 up = { 0.0, 1.0, 0.0 };
    double distance = p.y;
    *normal = up;
    if (obstacle->shape == qv_shapeSphere)
    {
        distance = qvLength(p) - obstacle->radius;
        *normal = qvNormalize(p);
    }
    else if (obstacle->shape == qv_shapeBox)
        distance = BoxDistance(obstacle->half, p, normal);
    else if (obstacle->shape == qv_shapeMesh)
    {
        distance = qvDistanceGrid_Sample(obstacle->grid, p, normal);
        *normal = qvNormalize(*normal);
    }
    if (qvDot(*normal, *normal) == 0.0)
        *normal = up;
    return distance;
}

qvObstacleTouch qvObstacles_Touch(const qvObstacles* obstacles, const qvObstaclePlace* places, int index, qvVec3 point)
{
    const qvObstacleItem* obstacle = &obstacles->items[index];
    const qvObstaclePlace* place = &places[index];
    qvVec3 arm = qvSub(point, place->at), normal;
    double distance = OwnDistance(obstacle, qvQuat_Rotate(qvQuat_Conjugate(place->rotate), arm), &normal);
    normal = qvQuat_Rotate(place->rotate, normal);
    return (qvObstacleTouch){ .obstacle = index,
                              .distance = obstacle->inside ? -distance : distance,
                              .normal = obstacle->inside ? qvScale(-1.0, normal) : normal,
                              .velocity = qvAdd(place->velocity, qvCross(place->spin, arm)),
                              .friction = obstacle->friction };
}
