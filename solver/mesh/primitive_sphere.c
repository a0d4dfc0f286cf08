// SPDX-License-Identifier: GPL-3.0-or-later
// An icosphere: every edge of an icosahedron that stands on a corner is cut into `resolution` parts of equal angle.
//
// The twenty faces form five strips from pole to pole. A strip is a parallelogram of resolution x 2 resolution cells,
// sheared so that its UVs are those of the unfolded icosahedron.
#include "mesh/shape.h"
#include "quaver/primitive.h"

// The corners of the icosahedron: south pole, lower ring, upper ring (half a step ahead), north pole.
static qvVec3 Corner(int row, int step)
{
    if (row == 0 || row == 3)
        return qvMakeVec3(0.0, row == 0 ? -1.0 : 1.0, 0.0);
    double height = 1.0 / sqrt(5.0);
    // Steps of a tenth of a turn, measured from the z axis towards x, so that x = 0 is a mirror plane.
    qvUnitCircle circle = qvMakeUnitCircle(2 * step + (row == 2), 10);
    return qvMakeVec3(2.0 * height * circle.sine, row == 1 ? -height : height, 2.0 * height * circle.cosine);
}

// The point with weights a, b, c (integers that add up to n) on a face. On an edge, slerp; two terms commute, so that
// both faces of an edge get the same bits.
static qvVec3 FacePoint(const qvVec3 corners[3], int a, int b, int c, int n)
{
    double angle = atan(2.0); // between neighbouring corners
    int weights[3] = { a, b, c };
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; i++)
        sum = qvAdd(sum, qvScale(weights[i] == n ? 1.0 : sin(angle * weights[i] / n), corners[i]));
    return weights[0] == n || weights[1] == n || weights[2] == n ? sum : qvNormalize(sum);
}

// Point of a strip at (i, j), 0 <= i <= n and 0 <= j <= 2 n. The corners of the strip's two rhombi, and where they are
// cut into faces:
//
//     north ---- upper next      j = 2 n
//       |     /      |
//     upper ---- lower next      j = n
//       |     /      |
//     lower ------ south         j = 0, i from left to right
static qvVec3 StripPoint(int strip, int i, int j, int n)
{
    bool high = j > n;
    int y = high ? j - n : j;
    qvVec3 origin = high ? Corner(2, strip) : Corner(1, strip);
    qvVec3 right = high ? Corner(1, strip + 1) : Corner(0, 0);
    qvVec3 opposite = high ? Corner(2, strip + 1) : Corner(1, strip + 1);
    qvVec3 up = high ? Corner(3, 0) : Corner(2, strip);
    if (y <= i)
        return FacePoint((qvVec3[3]){ origin, right, opposite }, n - i, i - y, y, n);
    return FacePoint((qvVec3[3]){ origin, opposite, up }, n - y, i, y - i, n);
}

static void AddStrip(qvShape* shape, int strip, int n)
{
    int first = shape->vertexCount;
    for (int j = 0; j <= 2 * n; j++)
    {
        for (int i = 0; i <= n; i++)
        {
            double u = (strip + 0.5 * (i + j) / n) / 5.5, v = (1.0 + (double)(j - i) / n) / 3.0;
            qvShape_AddVertex(shape, StripPoint(strip, i, j, n), u, v);
        }
    }
    for (int j = 0; j < 2 * n; j++)
    {
        for (int i = 0; i < n; i++)
        {
            int a = first + j * (n + 1) + i, b = a + 1, c = b + n + 1, d = c - 1;
            qvShape_AddTriangle(shape, a, b, c);
            qvShape_AddTriangle(shape, a, c, d);
        }
    }
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    qvShape shape = { 0 };
    for (int strip = 0; strip < 5; strip++)
        AddStrip(&shape, strip, resolution);
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveSphere = { "sphere", "Sphere", "An icosphere: triangles of nearly equal size and shape.",
                                        14, Create };
