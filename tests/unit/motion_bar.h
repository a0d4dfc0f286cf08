// SPDX-License-Identifier: GPL-3.0-or-later
// A thin bar of square rings along x for the tests of large rotations, and its length, area and girth.
#pragma once

#include "motion_testing.h"

enum
{
    BAR_RINGS = 41,
    BAR_SIDES = 8, // points of a ring
};

static const double BAR_LENGTH = 4.0, BAR_HALF = 0.1;

static inline Actor MakeBar(void)
{
    enum
    {
        POINTS = BAR_RINGS * BAR_SIDES + 2
    };
    static const float ring[BAR_SIDES][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 },
                                              { 1, 1 },   { 0, 1 },  { -1, 1 }, { -1, 0 } };
    qvVec3f positions[POINTS];
    int32_t corners[3 * 2 * BAR_RINGS * BAR_SIDES];
    int count = 0;
    for (int r = 0; r < BAR_RINGS; r++)
    {
        for (int s = 0; s < BAR_SIDES; s++)
        {
            positions[r * BAR_SIDES + s] = (qvVec3f){ (float)(BAR_LENGTH * r / (BAR_RINGS - 1)),
                                                      (float)BAR_HALF * ring[s][0], (float)BAR_HALF * ring[s][1] };
            int32_t a = r * BAR_SIDES + s, b = r * BAR_SIDES + (s + 1) % BAR_SIDES;
            const int32_t quad[6] = { a, a + BAR_SIDES, b, b, a + BAR_SIDES, b + BAR_SIDES };
            for (int k = 0; r + 1 < BAR_RINGS && k < 6; k++)
                corners[count++] = quad[k];
            int32_t tip = BAR_RINGS * BAR_SIDES + (r > 0);
            const int32_t cap[3] = { tip, r > 0 ? b : a, r > 0 ? a : b };
            for (int k = 0; (r == 0 || r + 1 == BAR_RINGS) && k < 3; k++)
                corners[count++] = cap[k];
        }
    }
    positions[BAR_RINGS * BAR_SIDES] = (qvVec3f){ 0.0f, 0.0f, 0.0f };
    positions[BAR_RINGS * BAR_SIDES + 1] = (qvVec3f){ (float)BAR_LENGTH, 0.0f, 0.0f };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = POINTS, def.positions = positions;
    def.faceCount = count / 3, def.corners = corners;
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    assert_int_equal(mesh->pointCount, POINTS);
    return MakeActorOf(mesh);
}

/// Bends by an angle to an arc of the same length, and twists by an angle, over the length.
static inline void BendBar(const Actor* actor, double* points, double bend, double twist)
{
    for (int i = 0; i < actor->size; i += 3)
    {
        double x = actor->rest[i], turn = twist * x / BAR_LENGTH, angle = bend * x / BAR_LENGTH;
        double y = cos(turn) * actor->rest[i + 1] - sin(turn) * actor->rest[i + 2];
        double z = sin(turn) * actor->rest[i + 1] + cos(turn) * actor->rest[i + 2];
        double radius = bend != 0.0 ? BAR_LENGTH / bend : 0.0;
        points[i] = bend != 0.0 ? (radius - y) * sin(angle) : x;
        points[i + 1] = bend != 0.0 ? radius - (radius - y) * cos(angle) : y;
        points[i + 2] = z;
    }
}

static inline qvVec3 BarPoint(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

/// Length of the line through the middles of the rings.
static inline double BarLength(const double* points)
{
    double sum = 0.0;
    qvVec3 last = { 0.0, 0.0, 0.0 };
    for (int r = 0; r < BAR_RINGS; r++)
    {
        qvVec3 middle = { 0.0, 0.0, 0.0 };
        for (int s = 0; s < BAR_SIDES; s++)
            middle = qvMulAdd(middle, 1.0 / BAR_SIDES, BarPoint(points, r * BAR_SIDES + s));
        sum += r > 0 ? qvDistance(middle, last) : 0.0;
        last = middle;
    }
    return sum;
}

static inline double BarArea(const Actor* actor, const double* points)
{
    double sum = 0.0;
    for (int t = 0; t < actor->topology->triangleCount; t++)
    {
        const int32_t* v = actor->topology->triangles[t].v;
        qvVec3 a = BarPoint(points, v[0]), b = BarPoint(points, v[1]), c = BarPoint(points, v[2]);
        sum += 0.5 * qvLength(qvCross(qvSub(b, a), qvSub(c, a)));
    }
    return sum;
}

/// The girth of the ring that differs most from the rest shape's, over that.
static inline double BarGirth(const double* points)
{
    double worst = 1.0;
    for (int r = 0; r < BAR_RINGS; r++)
    {
        double sum = 0.0;
        for (int s = 0; s < BAR_SIDES; s++)
            sum +=
                qvDistance(BarPoint(points, r * BAR_SIDES + s), BarPoint(points, r * BAR_SIDES + (s + 1) % BAR_SIDES));
        sum /= 8.0 * BAR_HALF;
        worst = fabs(sum - 1.0) > fabs(worst - 1.0) ? sum : worst;
    }
    return worst;
}
