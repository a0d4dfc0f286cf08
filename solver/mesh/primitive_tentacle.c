// SPDX-License-Identifier: GPL-3.0-or-later
// A tapered tentacle, 2 high, with a flat foot and a round tip.
//
// Its outline, from the foot's disc to the tip's cap: the arc of the rounded foot, a straight taper, and a part of the
// round tip; each tangent to the next. Rings stand along it as far apart as their own points are, every other ring
// shifted by half a step, so that the triangles are nearly equilateral; disc and cap are made of rings of 6, 12, 18, …
// points.
#include "mesh/shape.h"
#include "quaver/math.h"
#include "quaver/primitive.h"

static const double FOOT_RADIUS = 0.26, FOOT_ROUNDNESS = 0.1, TIP_RADIUS = 0.09;
static const double CAP_ANGLE = 0.75; // of the round tip, from its pole, in radians

enum
{
    SAMPLES = 2048 // of the outline
};

typedef struct OutlinePoint
{
    double radius, height;
} OutlinePoint;

typedef struct Outline
{
    OutlinePoint points[SAMPLES + 1];
    double conformal[SAMPLES + 1]; // integral of ds / radius from the foot
} Outline;

static OutlinePoint ArcPoint(double centerRadius, double centerHeight, double radius, double angle)
{
    return (OutlinePoint){ centerRadius + radius * cos(angle), centerHeight + radius * sin(angle) };
}

static void MakeOutline(Outline* outline)
{
    // The taper's normal angle: the line touches the foot's arc and the tip's.
    double tipHeight = 2.0 - TIP_RADIUS, rise = tipHeight - FOOT_ROUNDNESS;
    double taperAngle = atan2(FOOT_RADIUS, rise) + asin((FOOT_ROUNDNESS - TIP_RADIUS) / hypot(FOOT_RADIUS, rise));
    OutlinePoint foot = ArcPoint(FOOT_RADIUS, FOOT_ROUNDNESS, FOOT_ROUNDNESS, taperAngle);
    OutlinePoint tip = ArcPoint(0.0, tipHeight, TIP_RADIUS, taperAngle);
    int third = SAMPLES / 4;
    for (int i = 0; i <= SAMPLES; i++)
    {
        if (i <= third)
        {
            double t = (double)i / third;
            outline->points[i] =
                ArcPoint(FOOT_RADIUS, FOOT_ROUNDNESS, FOOT_ROUNDNESS, -QV_PI / 2 + t * (taperAngle + QV_PI / 2));
        }
        else if (i <= SAMPLES - third)
        {
            double t = (double)(i - third) / (SAMPLES - 2 * third);
            outline->points[i] = (OutlinePoint){ foot.radius + t * (tip.radius - foot.radius),
                                                 foot.height + t * (tip.height - foot.height) };
        }
        else
        {
            double t = (double)(i - SAMPLES + third) / third;
            outline->points[i] =
                ArcPoint(0.0, tipHeight, TIP_RADIUS, taperAngle + t * (QV_PI / 2 - CAP_ANGLE - taperAngle));
        }
    }
    outline->points[0] = (OutlinePoint){ FOOT_RADIUS, 0.0 };
    outline->conformal[0] = 0.0;
    for (int i = 0; i < SAMPLES; i++)
    {
        OutlinePoint a = outline->points[i], b = outline->points[i + 1];
        double length = hypot(b.radius - a.radius, b.height - a.height);
        outline->conformal[i + 1] = outline->conformal[i] + 2.0 * length / (a.radius + b.radius);
    }
}

// The point at a conformal coordinate; *sample walks upwards from call to call.
static OutlinePoint FindOutlinePoint(const Outline* outline, double conformal, int* sample)
{
    while (*sample < SAMPLES - 1 && outline->conformal[*sample + 1] < conformal)
        ++*sample;
    OutlinePoint a = outline->points[*sample], b = outline->points[*sample + 1];
    double low = outline->conformal[*sample], high = outline->conformal[*sample + 1];
    double t = (conformal - low) / (high - low);
    return (OutlinePoint){ a.radius + t * (b.radius - a.radius), a.height + t * (b.height - a.height) };
}

static qvVec3 RingPoint(OutlinePoint point, qvUnitCircle circle)
{
    return qvMakeVec3(point.radius * circle.sine, point.height, point.radius * circle.cosine);
}

static void AddTube(qvShape* shape, const Outline* outline, int count, int ringCount)
{
    int first = shape->vertexCount, sample = 0;
    for (int ring = 0; ring <= ringCount; ring++)
    {
        double t = (double)ring / ringCount;
        OutlinePoint point = FindOutlinePoint(outline, t * outline->conformal[SAMPLES], &sample);
        if (ring == 0 || ring == ringCount)
            point = outline->points[ring == 0 ? 0 : SAMPLES];
        int ahead = ring % 2;
        for (int i = 0; i <= count; i++)
            qvShape_AddVertex(shape, RingPoint(point, qvMakeUnitCircle(2 * i + ahead, 2 * count)),
                              (i + 0.5 * ahead) / (count + 0.5), 0.25 + 0.75 * t);
    }
    for (int ring = 0; ring < ringCount; ring++)
        qvShape_AddBand(shape, first + ring * (count + 1), first + (ring + 1) * (count + 1), count, ring % 2 == 0);
}

// The disc under the foot or the cap of the tip, whose outermost ring is the tube's end.
static void AddEnd(qvShape* shape, const Outline* outline, int ringCount, bool tip)
{
    int first = shape->vertexCount;
    for (int ring = 0; ring <= ringCount; ring++)
    {
        double t = (double)ring / ringCount;
        OutlinePoint point = { t * FOOT_RADIUS, 0.0 };
        if (tip)
            point = ArcPoint(0.0, 2.0 - TIP_RADIUS, TIP_RADIUS, QV_PI / 2 - t * CAP_ANGLE);
        if (ring == 0)
            point = (OutlinePoint){ 0.0, tip ? 2.0 : 0.0 };
        if (ring == ringCount)
            point = outline->points[tip ? SAMPLES : 0];
        int count = ring > 0 ? 6 * ring : 1;
        for (int i = 0; i < count; i++)
        {
            // Seen from below, the foot's rings run the other way round.
            qvUnitCircle circle = qvMakeUnitCircle(tip ? i : -i, count);
            double u = (tip ? 0.375 : 0.125) + 0.12 * t * (tip ? circle.sine : -circle.sine);
            qvShape_AddVertex(shape, RingPoint(point, circle), u, 0.125 - 0.12 * t * circle.cosine);
        }
    }
    qvShape_AddDisc(shape, first, ringCount);
}

static qvResult Create(int resolution, qvMesh** mesh, qvError* error)
{
    Outline outline;
    MakeOutline(&outline);
    int endRings = (int)fmax(1.0, round(resolution / 3.0)), count = 6 * endRings;
    double ideal = outline.conformal[SAMPLES] * 6.0 / (2.0 * QV_PI) * 2.0 / sqrt(3.0); // rings for resolution 3
    int ringCount = 2 * (int)round(0.5 * ideal * fmax(resolution, 1.4 + 0.53 * resolution) / 3.0);
    qvShape shape = { 0 };
    AddTube(&shape, &outline, count, ringCount);
    AddEnd(&shape, &outline, endRings, false);
    AddEnd(&shape, &outline, endRings, true);
    return qvShape_Finish(&shape, qv_fitHeight, mesh, error);
}

const qvPrimitive qvPrimitiveTentacle = { "tentacle", "Tentacle", "A tapered arm with a flat foot and a round tip.", 15,
                                          Create };
