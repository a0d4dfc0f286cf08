// SPDX-License-Identifier: GPL-3.0-or-later
// Bends a limb about a joint, as a rod (rod.h): the limb is what hangs together with the centre beyond the joint.
#include "base/memory.h"
#include "kelvinlet/brush_parameters.h"
#include "kelvinlet/rod.h"
#include "kelvinlet/stroke_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const qvBrush qvBrushBend;

// What a point of another part may be off the limb's axis, over the farthest that the limb is.
static const double AROUND = 1.25;
// About the joint, what is farther off the axis than the limb is at the end of the bend belongs to the body: from the
// first of these factors on it follows less, from the second on not at all.
static const double FADES = 1.3;
static const double ENDS = 1.8;

// Scratch for all points.
typedef struct Bending
{
    const qvTopology* topology;
    const qvPoints* points;
    bool connected;
    double radius; // of the limb where its bend ends
    uint8_t* onLimb;
    int32_t* queue;
    qvVec3* moves;  // sums of displacements times shares
    double* shares; // sums
} Bending;

static qvVec3 PointAt(const qvPoints* points, int i)
{
    return qvMakeVec3(points->x[i], points->y[i], points->z[i]);
}

static qvVec3 Mirrored(qvVec3 signs, qvVec3 v)
{
    return qvMakeVec3(signs.x * v.x, signs.y * v.y, signs.z * v.z);
}

static int NearestPoint(const qvPoints* points, qvVec3 at)
{
    int nearest = 0;
    double best = INFINITY;
    for (int i = 0; i < points->count; i++)
    {
        double distance = qvDistance(PointAt(points, i), at);
        nearest = distance < best ? i : nearest;
        best = fmin(distance, best);
    }
    return nearest;
}

static double OffAxis(const qvRod* rod, qvVec3 at)
{
    return qvDistance(at, qvMulAdd(rod->def.joint, qvRod_Along(rod, at), rod->along));
}

// Whether a flood may go on from one point to another: beyond the bend everywhere, about the joint only near the axis.
static bool MayEnter(const Bending* bending, const qvRod* rod, int from, int to)
{
    qvVec3 a = PointAt(bending->points, from), b = PointAt(bending->points, to);
    double s = qvRod_Along(rod, b), end = rod->spread;
    if (s > end && qvRod_Along(rod, a) > end)
        return true;
    return s > -end && OffAxis(rod, b) <= (s > end ? FADES : ENDS) * bending->radius;
}

// Marks what hangs together with a point. Returns how many points.
static int Flood(const Bending* bending, const qvRod* rod, int start)
{
    const qvTopology* topology = bending->topology;
    int end = 0;
    memset(bending->onLimb, 0, (size_t)bending->points->count);
    bending->onLimb[start] = 1;
    bending->queue[end++] = start;
    for (int at = 0; at < end; at++)
    {
        int point = bending->queue[at];
        for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
        {
            int next = topology->neighbors[k];
            if (bending->onLimb[next] || !MayEnter(bending, rod, point, next))
                continue;
            bending->onLimb[next] = 1;
            bending->queue[end++] = next;
        }
    }
    return end;
}

// How far off the axis the limb is where the bend ends: with no radius yet, a flood stays beyond that.
static double MeasureRadius(const Bending* bending, const qvRod* rod, int count)
{
    const qvTopology* topology = bending->topology;
    double radius = 0.0;
    for (int at = 0; at < count; at++)
    {
        int point = bending->queue[at];
        for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
        {
            if (!bending->onLimb[topology->neighbors[k]])
                radius = fmax(radius, OffAxis(rod, PointAt(bending->points, point)));
        }
    }
    return radius;
}

static int MarkLimb(Bending* bending, const qvRod* rod, int start)
{
    bending->radius = -1.0;
    int count = Flood(bending, rod, start);
    bending->radius = MeasureRadius(bending, rod, count);
    return Flood(bending, rod, start);
}

// How much of the bend a point of the limb takes part in.
static double PartOf(const Bending* bending, const qvRod* rod, qvVec3 at)
{
    if (qvRod_Along(rod, at) > rod->spread || !(bending->radius > 0.0))
        return 1.0;
    double t = (OffAxis(rod, at) / bending->radius - FADES) / (ENDS - FADES), u = fmin(fmax(t, 0.0), 1.0);
    return 1.0 - u * u * (3.0 - 2.0 * u);
}

// Parts of their own (a glove, a claw) go along where they lie around the limb.
static void MarkAround(Bending* bending, const qvRod* rod, int start, int count)
{
    double radius = 0.0, length = 0.0;
    for (int k = 0; k < count; k++)
    {
        qvVec3 at = PointAt(bending->points, bending->queue[k]);
        radius = fmax(radius, OffAxis(rod, at));
        length = fmax(length, qvRod_Along(rod, at));
    }
    const int32_t* part = bending->topology->pointPart;
    for (int i = 0; i < bending->points->count; i++)
    {
        qvVec3 at = PointAt(bending->points, i);
        double s = qvRod_Along(rod, at);
        bool isBeside = s > -rod->spread && s < length + radius && OffAxis(rod, at) <= AROUND * radius;
        if (part[i] != part[start] && isBeside)
            bending->onLimb[i] = 1;
    }
}

// Where limbs of two images overlap, each counts by how far the point is on it: both bends begin at zero, so that
// nothing jumps.
static void AddLimb(Bending* bending, const qvRod* rod)
{
    int start = NearestPoint(bending->points, rod->def.tip);
    int count = MarkLimb(bending, rod, start);
    if (!bending->connected)
        MarkAround(bending, rod, start, count);
    for (int i = 0; i < bending->points->count; i++)
    {
        if (!bending->onLimb[i])
            continue;
        qvVec3 at = PointAt(bending->points, i);
        double share = qvRod_Share(rod, at), part = PartOf(bending, rod, at);
        bending->moves[i] = qvMulAdd(bending->moves[i], share * part, qvSub(qvRod_Carry(rod, at), at));
        bending->shares[i] += share;
    }
}

// The limb of an image of the stroke.
static void MakeRod(const qvStroke* stroke, double strength, qvVec3 center, qvRod* rod)
{
    qvVec3 signs = qvStroke_ImageSigns(stroke->at, center);
    qvVec3 joint = Mirrored(signs, stroke->joint), drag = Mirrored(signs, stroke->drag);
    qvVec3 reach = qvSub(qvMulAdd(center, strength, drag), joint);
    double stretch = 1.0 + strength * stroke->amount;
    qvRodDef def = { .joint = joint,
                     .tip = center,
                     .target = qvMulAdd(joint, stretch, reach),
                     .segments = stroke->segments,
                     .spread = stroke->radius,
                     .stretch = stretch,
                     .poisson = stroke->poisson,
                     .twist = strength * stroke->angle * signs.x * signs.y * signs.z };
    qvRod_Init(rod, &def);
}

// A limb without a length has no direction to turn from.
static bool HasLength(const qvStroke* stroke)
{
    return qvDistance(stroke->at, stroke->joint) > 1e-6 * stroke->radius;
}

static void AddLimbs(Bending* bending, const qvStroke* stroke, double strength)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    for (int i = 0; i < count; i++)
    {
        qvRod rod;
        MakeRod(stroke, strength, centers[i], &rod);
        AddLimb(bending, &rod);
    }
}

int qvStroke_Chain(const qvStroke* stroke, qvVec3 points[qv_maxChain])
{
    if (stroke->brush != &qvBrushBend || !HasLength(stroke))
        return 0;
    qvRod rod;
    MakeRod(stroke, stroke->strength, stroke->at, &rod);
    for (int i = 0; i <= stroke->segments; i++)
    {
        double share = (double)i / stroke->segments;
        points[i] = qvRod_Carry(&rod, qvMulAdd(stroke->joint, share, qvSub(stroke->at, stroke->joint)));
    }
    points[0] = stroke->joint;
    return stroke->segments + 1;
}

static void Move(const Bending* bending, const float* weights, qvPoints* points)
{
    for (int i = 0; i < points->count; i++)
    {
        double share = bending->shares[i] > 0.0 ? weights[i] / bending->shares[i] : 0.0;
        points->x[i] += share * bending->moves[i].x;
        points->y[i] += share * bending->moves[i].y;
        points->z[i] += share * bending->moves[i].z;
    }
}

static qvResult Bend(const qvStroke* stroke, const qvStrokeTarget* target, double part, const float* weights,
                     qvPoints* points, qvError* error)
{
    size_t n = (size_t)points->count;
    double strength = part * stroke->strength;
    if (n == 0 || !HasLength(stroke))
        return qv_ok;
    Bending bending = { .topology = target->topology,
                        .points = points,
                        .connected = stroke->connected,
                        .onLimb = qvAllocate(n, 1),
                        .queue = qvAllocateRaw(n, sizeof(int32_t)),
                        .moves = qvAllocate(n, sizeof(qvVec3)),
                        .shares = qvAllocate(n, sizeof(double)) };
    qvResult result = qv_ok;
    if (bending.onLimb == NULL || bending.queue == NULL || bending.moves == NULL || bending.shares == NULL)
        result = qvError_OutOfMemory(error, 40.0 * (double)n);
    else
    {
        AddLimbs(&bending, stroke, strength);
        Move(&bending, weights, points);
    }
    free(bending.onLimb);
    free(bending.queue);
    free(bending.moves);
    free(bending.shares);
    return result;
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    { "drag", "Drag", "m", qv_parameterVector, -1e9, 1e9, { 0 }, QV_STROKE_FIELD(drag) },
    { "joint", "Joint", "m", qv_parameterPoint, -1e9, 1e9, { 0 }, QV_STROKE_FIELD(joint) },
    { "segments", "Segments", "", qv_parameterInt, 1.0, qv_maxRodJoints, { 1.0 }, QV_STROKE_FIELD(segments) },
    { "angle",
      "Angle",
      "rad",
      qv_parameterNumber,
      -12.566370614359172,
      12.566370614359172,
      { 0 },
      QV_STROKE_FIELD(angle) },
    { "amount", "Amount", "", qv_parameterNumber, -0.95, 10.0, { 0 }, QV_STROKE_FIELD(amount) },
    QV_PARAMETER_RADIUS,
    QV_PARAMETER_POISSON,
    QV_PARAMETER_STRENGTH,
    QV_PARAMETER_MIRROR,
    QV_PARAMETER_CONNECTED,
    QV_PARAMETER_PINS,
    QV_PARAMETER_GROUND,
};

const qvBrush qvBrushBend = {
    .tag = "bend",
    .label = "Bend",
    .description = "Bends a limb about its joint",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(drag),
    .shape = Bend,
};
