// SPDX-License-Identifier: GPL-3.0-or-later
// An open square of cloth that stands upright in the xy plane and faces +z, as if on a washing line: 2 wide and 2 high.
//
// Rows of nearly equilateral triangles: every other row is shifted by half a triangle, with points at its ends.
#include "mesh/shape.h"
#include "quaver/primitive.h"

// Even rows have points at 0, 1, … n; odd rows at 0, 1/2, 3/2, … n - 1/2, n.
static int AddRow(qvShape* shape, int row, int rowCount, int n)
{
    int first = shape->vertexCount;
    bool odd = row % 2 == 1;
    for (int i = 0; i <= (odd ? n + 1 : n); i++)
    {
        double step = !odd || i == 0 ? i : i == n + 1 ? n : i - 0.5;
        // Counted from the middle: exactly symmetric.
        double x = (2.0 * step - n) / n, y = (double)row / rowCount;
        qvShape_AddVertex(shape, qvMakeVec3(x, 2.0 * y, 0.0), step / n, y);
    }
    return first;
}

// The triangles between an even row and an odd one, which lies above or below.
static void AddRowTriangles(qvShape* shape, int even, int odd, int n, bool oddAbove)
{
    for (int i = 0; i <= n; i++)
    {
        int a = even + i, b = odd + i, c = odd + i + 1;
        if (oddAbove)
            qvShape_AddTriangle(shape, a, c, b);
        else
            qvShape_AddTriangle(shape, a, b, c);
        if (i == n)
            continue;
        if (oddAbove)
            qvShape_AddTriangle(shape, a, a + 1, c);
        else
            qvShape_AddTriangle(shape, a, c, a + 1);
    }
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    qvShape shape = { 0 };
    int n = resolution, rowCount = 2 * (int)fmax(1.0, round(n / sqrt(3.0)));
    int below = AddRow(&shape, 0, rowCount, n);
    for (int row = 1; row <= rowCount; row++)
    {
        int above = AddRow(&shape, row, rowCount, n);
        bool odd = row % 2 == 1;
        AddRowTriangles(&shape, odd ? below : above, odd ? above : below, n, odd);
        below = above;
    }
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveSheet = { "sheet", "Sheet",
                                       "An open square of cloth, upright in the xy plane and facing +z.", 40, Create };
