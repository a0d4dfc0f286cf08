// SPDX-License-Identifier: GPL-3.0-or-later
// A rounded box, 1 wide and deep and 2 high, with edge loops all around so that it bends, twists and squashes.
//
// Its points are those of a lattice's surface: n cells wide and deep, 2 n high. A lattice plane lies where the arc over
// the middle of a face has a whole number of steps, so that the cells along flats and rounded edges have equal length.
#include "mesh/shape.h"
#include "quaver/primitive.h"

#include <stdlib.h>

static const double QUARTER_PI = 0.78539816339744830962;
static const double ROUNDNESS = 0.15; // radius of the rounded edges

typedef struct Lattice
{
    int counts[3];      // cells per axis
    double halfSize[3]; // of the box
} Lattice;

// Coordinate of a lattice plane on the box before rounding.
static double Plane(const Lattice* lattice, int axis, int index)
{
    int count = lattice->counts[axis];
    int steps = abs(2 * index - count); // from the middle, of count
    double flat = lattice->halfSize[axis] - ROUNDNESS, arc = QUARTER_PI * ROUNDNESS;
    double s = (flat + arc) * steps / count;
    double x = s <= flat ? s : flat + ROUNDNESS * tan((s - flat) / ROUNDNESS);
    if (steps == count)
        x = lattice->halfSize[axis];
    return 2 * index < count ? -x : x;
}

static double Clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

static qvVec3 RoundedPoint(const Lattice* lattice, const int index[3])
{
    qvVec3 p = { Plane(lattice, 0, index[0]), Plane(lattice, 1, index[1]), Plane(lattice, 2, index[2]) };
    qvVec3 core = { Clamp(p.x, lattice->halfSize[0] - ROUNDNESS), Clamp(p.y, lattice->halfSize[1] - ROUNDNESS),
                    Clamp(p.z, lattice->halfSize[2] - ROUNDNESS) };
    return qvMulAdd(core, ROUNDNESS, qvNormalize(qvSub(p, core)));
}

// One side of the lattice with its chart in the texture.
typedef struct Side
{
    int right, up, out; // axes
    int rightSign;      // +1 or -1: where the chart's u axis points; the u, v and outward axes are right-handed
    bool far;           // the side at the lattice's upper end of axis `out`
    double u, v;        // lower left corner of the chart, which is a quarter wide
} Side;

static const Side sides[6] = {
    { 0, 1, 2, +1, true, 0.00, 0.0 },  // front, facing +z
    { 2, 1, 0, -1, true, 0.25, 0.0 },  // right, facing +x
    { 0, 1, 2, -1, false, 0.50, 0.0 }, // back
    { 2, 1, 0, +1, false, 0.75, 0.0 }, // left
    { 0, 2, 1, +1, true, 0.00, 0.5 },  // top: v runs towards -z
    { 0, 2, 1, +1, false, 0.25, 0.5 }, // bottom: v runs towards +z
};

static void AddSide(qvShape* shape, const Lattice* lattice, const Side* side)
{
    int width = lattice->counts[side->right], height = lattice->counts[side->up];
    bool flipUp = side->up == 2 && side->far;
    int first = shape->vertexCount;
    for (int j = 0; j <= height; j++)
    {
        for (int i = 0; i <= width; i++)
        {
            int index[3];
            index[side->right] = side->rightSign > 0 ? i : width - i;
            index[side->up] = flipUp ? height - j : j;
            index[side->out] = side->far ? lattice->counts[side->out] : 0;
            qvShape_AddVertex(shape, RoundedPoint(lattice, index), side->u + 0.25 * i / width,
                              side->v + 0.25 * j / width);
        }
    }
    for (int j = 0; j < height; j++)
    {
        for (int i = 0; i < width; i++)
        {
            int a = first + j * (width + 1) + i, b = a + 1, c = b + width + 1, d = c - 1;
            // Diagonals of equal length run away from the middle, mirrored in both directions.
            if ((2 * i < width) == (2 * j < height))
                qvShape_AddQuad(shape, a, b, c, d);
            else
                qvShape_AddQuad(shape, b, c, d, a);
        }
    }
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    Lattice lattice = { { resolution, 2 * resolution, resolution }, { 0.5, 1.0, 0.5 } };
    qvShape shape = { 0 };
    for (int i = 0; i < 6; i++)
        AddSide(&shape, &lattice, &sides[i]);
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveBlock = { "block", "Block",
                                       "A box with rounded edges, twice as high as wide, with edge loops to bend.", 14,
                                       Create };
