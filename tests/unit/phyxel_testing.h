// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of phyxels without a mesh: the points of a body-centred cubic lattice inside a shape.
#pragma once

#include "testing.h"

#include "phyxel/calibrate.h"
#include "phyxel/engine.h"
#include "phyxel/kernel.h"
#include "phyxel/sample.h"

#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_POINTS = 30000
};

/// Depth of a point below the surface; negative outside.
typedef double ShapeFcn(qvVec3 x);

static inline double Ball(qvVec3 x)
{
    return 0.5 - qvLength(x);
}

static inline double Block(qvVec3 x)
{
    return fmin(0.5 - fabs(x.x), fmin(0.175 - fabs(x.y), 0.125 - fabs(x.z)));
}

/// Two balls side by side that do not touch.
static inline double TwoBalls(qvVec3 x)
{
    return 0.3 - fmin(qvDistance(x, qvMakeVec3(-0.6, 0.0, 0.0)), qvDistance(x, qvMakeVec3(0.6, 0.0, 0.0)));
}

/// About `count` phyxels of equal volume (their sum is given) that fill a shape, everything scaled by `size`.
static inline qvPhyxelBody* MakeBody(ShapeFcn* shape, double volume, int count, double size, double density)
{
    static qvVec3 points[MOST_POINTS];
    static double volumes[MOST_POINTS], depths[MOST_POINTS];
    double a = cbrt(2.0 * volume / count);
    int found = 0;
    for (int n = 0; n < 8; n++, a *= cbrt((double)found / count))
    {
        int reach = (int)(1.5 / a) + 1;
        found = 0;
        for (int k = 0; k < 2 * (2 * reach + 1) * (2 * reach + 1) * (2 * reach + 1); k++)
        {
            int side = 2 * reach + 1, half = k % 2, cell = k / 2;
            double shift = half == 0 ? 0.25 : 0.75;
            qvVec3 x = qvScale(a, qvMakeVec3(cell % side - reach + shift, cell / side % side - reach + shift,
                                             cell / (side * side) - reach + shift));
            if (shape(x) > 0.0 && found < MOST_POINTS)
            {
                depths[found] = size * shape(x);
                points[found++] = qvScale(size, x);
            }
        }
        if (abs(found - count) * 100 <= 3 * count)
            break;
    }
    for (int i = 0; i < found; i++)
        volumes[i] = volume * size * size * size / found;
    qvPhyxelPoints def = { .count = found, .points = points, .volumes = volumes, .depths = depths, .density = density };
    qvPhyxelBody* body;
    qvError error;
    ASSERT_OK(qvCreatePhyxelBody(&def, &body, &error), error);
    return body;
}

static inline qvPhyxelBody* MakeBall(int count)
{
    return MakeBody(Ball, QV_PI / 6.0, count, 1.0, 1000.0);
}

static inline qvPhyxelBody* MakeBlock(int count)
{
    return MakeBody(Block, 0.35 * 0.25, count, 1.0, 1000.0);
}

/// A closed mesh with points in doubles.
typedef struct Surface
{
    int pointCount, triangleCount;
    qvVec3* points;
    qvTriangle* triangles;
} Surface;

static inline void FreeSurface(Surface* surface)
{
    free(surface->points);
    free(surface->triangles);
}

/// A built-in shape, scaled.
static inline Surface MakeSurface(const char* tag, int resolution, double scale)
{
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    Surface surface = { .pointCount = mesh->pointCount, .triangleCount = mesh->triangleCount };
    surface.points = calloc((size_t)mesh->pointCount, sizeof(qvVec3));
    surface.triangles = calloc((size_t)mesh->triangleCount, sizeof(qvTriangle));
    assert_true(surface.points != NULL && surface.triangles != NULL);
    for (int i = 0; i < mesh->pointCount; i++)
        surface.points[i] = qvScale(scale, qvVec3_FromFloat(mesh->positions[mesh->pointVertex[i]]));
    memcpy(surface.triangles, mesh->pointTriangles, (size_t)mesh->triangleCount * sizeof(qvTriangle));
    qvDestroyMesh(mesh);
    return surface;
}

static inline Surface MakeBox(double x, double y, double z)
{
    static const int32_t corners[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
                                            { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
                                            { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
    Surface surface = { .pointCount = 8, .triangleCount = 12 };
    surface.points = calloc(8, sizeof(qvVec3));
    surface.triangles = calloc(12, sizeof(qvTriangle));
    assert_true(surface.points != NULL && surface.triangles != NULL);
    for (int i = 0; i < 8; i++)
        surface.points[i] = qvMakeVec3(x * (i % 2), y * (i / 2 % 2), z * (i / 4));
    for (int t = 0; t < 12; t++)
        memcpy(surface.triangles[t].v, corners[t], sizeof(corners[t]));
    return surface;
}

static inline qvResult Sample(const Surface* surface, int count, qvPhyxelBody** body, qvError* error)
{
    qvPhyxelSampling sampling = { .pointCount = surface->pointCount,
                                  .points = surface->points,
                                  .triangleCount = surface->triangleCount,
                                  .triangles = surface->triangles,
                                  .count = count,
                                  .density = 1000.0 };
    return qvSamplePhyxelBody(&sampling, NULL, body, error);
}

static inline qvPhyxelBody* MakeSampled(Surface surface, int count)
{
    qvPhyxelBody* body;
    qvError error;
    ASSERT_OK(Sample(&surface, count, &body, &error), error);
    FreeSurface(&surface);
    return body;
}

/// Terms of a material with that Young modulus, without gravity and damping.
static inline qvPhyxelTerms MakeTerms(double young)
{
    qvPhyxelTerms terms = qvDefaultPhyxelTerms();
    static const double one[1][2] = { { 0.0, 1.0 } };
    terms.wobble = (qvCurve){ one, 1 };
    terms.youngPerHz2 = young;
    terms.gravity = qvMakeVec3(0.0, 0.0, 0.0);
    terms.settle = 1e6;
    terms.stick = 0.25; // a friction of 0.5 like that of obstacles, and so of contacts
    return terms;
}

static inline void Advance(qvPhyxelState* state, const qvPhyxelScene* scene, double seconds, qvPool* pool)
{
    qvError error;
    int frames = (int)lround(seconds * 120.0);
    for (int k = 0; k < frames; k++)
        ASSERT_OK(qvPhyxelState_Advance(state, scene, 1.0 / 120.0, pool, &error), error);
}

static inline qvPhyxelState* MakeState(const qvPhyxelBody* body, const qvVec3* points, const qvVec3* velocities)
{
    qvPhyxelState* state;
    qvError error;
    ASSERT_OK(qvCreatePhyxelState(body, points, velocities, &state, &error), error);
    return state;
}

/// Room for a point per phyxel.
static inline qvVec3* MakePoints(const qvPhyxelBody* body)
{
    qvVec3* points = calloc((size_t)body->count, sizeof(qvVec3));
    assert_non_null(points);
    return points;
}

/// Momentum, angular momentum about the origin and kinetic energy.
typedef struct Motion
{
    qvVec3 momentum, spin, center;
    double kinetic;
} Motion;

static inline Motion MeasureMotion(const qvPhyxelBody* body, const qvPhyxelState* state)
{
    Motion motion = { 0 };
    qvVec3 *y = MakePoints(body), *v = MakePoints(body);
    double mass = 0.0;
    qvPhyxelState_Points(state, y);
    qvPhyxelState_Velocities(state, v);
    for (int i = 0; i < body->count; i++)
    {
        double m = body->masses[i];
        mass += m;
        motion.momentum = qvMulAdd(motion.momentum, m, v[i]);
        motion.spin = qvMulAdd(motion.spin, m, qvCross(y[i], v[i]));
        motion.center = qvMulAdd(motion.center, m, y[i]);
        motion.kinetic += 0.5 * m * qvDot(v[i], v[i]);
    }
    motion.center = qvScale(1.0 / mass, motion.center);
    free(y);
    free(v);
    return motion;
}

/// The ground at a height.
static inline qvObstacleDef GroundAt(double height)
{
    qvObstacleDef def = qvDefaultObstacleDef();
    def.shape = qv_shapeGround;
    def.at = qvMakeVec3(0.0, height, 0.0);
    return def;
}

static inline qvObstacleDef SphereAt(qvVec3 at, double radius)
{
    qvObstacleDef def = qvDefaultObstacleDef();
    def.shape = qv_shapeSphere;
    def.at = at;
    def.radius = radius;
    return def;
}

static inline qvObstacleDef BoxAt(qvVec3 at, qvVec3 size)
{
    qvObstacleDef def = qvDefaultObstacleDef();
    def.shape = qv_shapeBox;
    def.at = at;
    def.size = size;
    return def;
}

static inline qvObstacles* MakeObstacles(const qvObstacleDef* defs, int count)
{
    qvObstacles* obstacles;
    qvError error;
    ASSERT_OK(qvCreateObstacles(defs, count, NULL, NULL, &obstacles, &error), error);
    return obstacles;
}
