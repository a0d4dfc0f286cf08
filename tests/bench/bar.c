// SPDX-License-Identifier: GPL-3.0-or-later
#include "bar.h"

#include <math.h>

qvResult qvCreateBar(qvMesh** mesh, qvError* error)
{
    enum
    {
        POINTS = qv_barRings * qv_barSides + 2
    };
    static const float ring[qv_barSides][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 },
                                                { 1, 1 },   { 0, 1 },  { -1, 1 }, { -1, 0 } };
    qvVec3f positions[POINTS];
    int32_t corners[3 * 2 * qv_barRings * qv_barSides];
    int count = 0;
    for (int r = 0; r < qv_barRings; r++)
    {
        for (int s = 0; s < qv_barSides; s++)
        {
            positions[r * qv_barSides + s] =
                (qvVec3f){ (float)(qv_barLength * r / (qv_barRings - 1)), (float)qv_barHalf * ring[s][0],
                           (float)qv_barHalf * ring[s][1] };
            int32_t a = r * qv_barSides + s, b = r * qv_barSides + (s + 1) % qv_barSides;
            const int32_t quad[6] = { a, a + qv_barSides, b, b, a + qv_barSides, b + qv_barSides };
            for (int k = 0; r + 1 < qv_barRings && k < 6; k++)
                corners[count++] = quad[k];
            int32_t tip = qv_barRings * qv_barSides + (r > 0);
            const int32_t cap[3] = { tip, r > 0 ? b : a, r > 0 ? a : b };
            for (int k = 0; (r == 0 || r + 1 == qv_barRings) && k < 3; k++)
                corners[count++] = cap[k];
        }
    }
    positions[qv_barRings * qv_barSides] = (qvVec3f){ 0.0f, 0.0f, 0.0f };
    positions[qv_barRings * qv_barSides + 1] = (qvVec3f){ (float)qv_barLength, 0.0f, 0.0f };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = POINTS, def.positions = positions;
    def.faceCount = count / 3, def.corners = corners;
    return qvCreateMesh(&def, mesh, NULL, error);
}

void qvBar_Bend(const double* rest, int pointCount, double bend, double twist, double* points)
{
    for (int i = 0; i < 3 * pointCount; i += 3)
    {
        double x = rest[i], turn = twist * x / qv_barLength, angle = bend * x / qv_barLength;
        double y = cos(turn) * rest[i + 1] - sin(turn) * rest[i + 2];
        double z = sin(turn) * rest[i + 1] + cos(turn) * rest[i + 2];
        double radius = bend != 0.0 ? qv_barLength / bend : 0.0;
        points[i] = bend != 0.0 ? (radius - y) * sin(angle) : x;
        points[i + 1] = bend != 0.0 ? radius - (radius - y) * cos(angle) : y;
        points[i + 2] = z;
    }
}

static qvVec3 Point(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

double qvBar_Length(const double* points)
{
    double sum = 0.0;
    qvVec3 last = { 0.0, 0.0, 0.0 };
    for (int r = 0; r < qv_barRings; r++)
    {
        qvVec3 middle = { 0.0, 0.0, 0.0 };
        for (int s = 0; s < qv_barSides; s++)
            middle = qvMulAdd(middle, 1.0 / qv_barSides, Point(points, r * qv_barSides + s));
        sum += r > 0 ? qvDistance(middle, last) : 0.0;
        last = middle;
    }
    return sum;
}

double qvBar_Area(const qvTopology* topology, const double* points)
{
    double sum = 0.0;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        qvVec3 a = Point(points, v[0]), b = Point(points, v[1]), c = Point(points, v[2]);
        sum += 0.5 * qvLength(qvCross(qvSub(b, a), qvSub(c, a)));
    }
    return sum;
}

double qvBar_Girth(const double* points)
{
    double worst = 1.0;
    for (int r = 0; r < qv_barRings; r++)
    {
        double sum = 0.0;
        for (int s = 0; s < qv_barSides; s++)
            sum +=
                qvDistance(Point(points, r * qv_barSides + s), Point(points, r * qv_barSides + (s + 1) % qv_barSides));
        sum /= 8.0 * qv_barHalf;
        worst = fabs(sum - 1.0) > fabs(worst - 1.0) ? sum : worst;
    }
    return worst;
}
