// SPDX-License-Identifier: GPL-3.0-or-later
// A torus that lies flat, 2 wide and 0.7 high.
//
// The rings are spaced conformally (as far apart as their own points are), with every other ring shifted by half a
// step: the triangles are nearly equilateral everywhere, smaller inside than outside.
#include "mesh/shape.h"
#include "quaver/primitive.h"

static const double RING_RADIUS = 0.65, TUBE_RADIUS = 0.35;

// Angle around the tube of one of the rings. The conformal coordinate w runs evenly over a turn:
// tan(angle / 2) = sqrt((R + r) / (R - r)) tan(w / 2).
static qvUnitCircle TubeAngle(int ring, int ringCount)
{
    int mirrored = 2 * ring > ringCount ? ringCount - ring : ring;
    double stretch = sqrt((RING_RADIUS + TUBE_RADIUS) / (RING_RADIUS - TUBE_RADIUS));
    qvUnitCircle half = qvMakeUnitCircle(mirrored, 2 * ringCount);
    double x = half.cosine, y = stretch * half.sine, square = x * x + y * y;
    qvUnitCircle angle = { (x * x - y * y) / square, 2.0 * x * y / square };
    if (mirrored != ring)
        angle.sine = -angle.sine;
    return angle;
}

static void AddRing(qvShape* shape, int ring, int ringCount, int count)
{
    qvUnitCircle tube = TubeAngle(ring % ringCount, ringCount);
    double radius = RING_RADIUS + TUBE_RADIUS * tube.cosine;
    int ahead = ring % 2;
    for (int i = 0; i <= count; i++)
    {
        qvUnitCircle circle = qvMakeUnitCircle(2 * i + ahead, 2 * count);
        qvVec3 position = { radius * circle.cosine, TUBE_RADIUS * tube.sine, -radius * circle.sine };
        qvShape_AddVertex(shape, position, (i + 0.5 * ahead) / (count + 0.5), (double)ring / ringCount);
    }
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    int count = 4 * resolution;
    double conformalHeight = TUBE_RADIUS / sqrt(RING_RADIUS * RING_RADIUS - TUBE_RADIUS * TUBE_RADIUS);
    int ringCount = 2 * (int)fmax(2.0, round(count * conformalHeight / sqrt(3.0)));
    qvShape shape = { 0 };
    for (int ring = 0; ring <= ringCount; ring++)
        AddRing(&shape, ring, ringCount, count);
    for (int ring = 0; ring < ringCount; ring++)
        qvShape_AddBand(&shape, ring * (count + 1), (ring + 1) * (count + 1), count, ring % 2 == 0);
    return qvShape_Finish(&shape, qv_fitWidth, mesh, error);
}

const qvPrimitive qvPrimitiveTorus = { "torus", "Torus", "A ring that lies flat on the ground.", 13, Create };
