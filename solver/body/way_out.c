// SPDX-License-Identifier: GPL-3.0-or-later
// The shortest way out of the union of all obstacles. It ends on one side of an obstacle, on the curve where two meet
// or at the point where three do, so all of these near the point are tried, nearest sides first, and the nearest that
// is free of every obstacle is taken. A side is a plane (ground, the faces of boxes), a sphere, or whatever its
// distance says (meshes, and boxes with the round edges that a margin gives them). Planes and spheres meet in closed
// form: two spheres meet in a plane. The others are planes at the place found so far, as in Newton's method.
#include "body/obstacle_shape.h"

#include "math/rotation.h"

enum
{
    MOST_SIDES = 24,  // that are tried together; farther ones only alone
    MOST_TOUCHED = 6, // obstacles that a place is on, as far as they are looked at
    TURNS = 24,       // of a step that leads off a place
    ROUNDS = 8,       // of Newton's method
    WALK = 32,        // steps out of a mesh where that does not arrive
    DIRECT = 3,       // first ones: towards the place nearest to the point, later only onto the sides
};

static const double ROUNDING = 1e-12;    // of coordinates and sizes
static const double GRID_SLACK = 1e-5;   // of a grid's cell: distances of meshes bend from cell to cell
static const double STEP_OFF = 4096.0;   // slacks that tell a place on two obstacles from one between them
static const double LEAST_ROOM = 1e-3;   // of a step: how far it leads off everything
static const double OVERTURN = 1.5;      // of what a step is turned, so that it does not creep
static const double NEAR = 1e-4;         // of coordinates: obstacles this near may be touched
static const double LEAST_SLOPE = 0.1;   // of a mesh's distance along the way out
static const double LEAST_SPREAD = 1e-6; // sine of the angle between sides, below which they do not meet

typedef enum SideKind
{
    FLAT,
    ROUND,
    BENT
} SideKind;

// All relative to the point that wants out.
typedef struct Side
{
    int obstacle;
    SideKind kind;
    qvVec3 vector; // a plane's normal, out of the obstacle; a sphere's centre
    double number; // n x of a plane's points; a sphere's radius
    double reach;  // no place on it is nearer
} Side;

typedef struct Search
{
    const qvObstacles* obstacles;
    const qvObstaclePlace* places;
    double margin;
    qvVec3 point;
    double slack;
    Side sides[MOST_SIDES]; // in ascending reach
    int sideCount;
    double best; // the length of the way found so far
    qvVec3 way;
    int obstacle; // that it leaves
} Search;

static qvObstacleTouch TouchAt(const Search* s, int obstacle, qvVec3 way)
{
    return qvObstacles_Touch(s->obstacles, s->places, obstacle, qvAdd(s->point, way));
}

static double SlackOf(const Search* s, int obstacle)
{
    const qvDistanceGrid* grid = s->obstacles->items[obstacle].grid;
    return s->slack + (grid != NULL ? GRID_SLACK * grid->cellSize : 0.0);
}

// What a place is on or in, beyond rounding.
typedef struct Spot
{
    double depth;  // in the obstacle that it is deepest in; not above 0: out of all of them
    qvVec3 normal; // of that one
    qvVec3 normals[MOST_TOUCHED];
    int touched;
} Spot;

static Spot LookAt(const Search* s, qvVec3 way)
{
    Spot spot = { .depth = -INFINITY };
    for (int k = 0; k < s->obstacles->count; k++)
    {
        qvObstacleTouch touch = TouchAt(s, k, way);
        double slack = SlackOf(s, k), depth = s->margin - touch.distance - slack;
        if (!(depth < -2.0 * slack) && spot.touched < MOST_TOUCHED)
            spot.normals[spot.touched++] = touch.normal;
        if (!(depth <= spot.depth))
            spot.depth = depth, spot.normal = touch.normal;
    }
    return spot;
}

// Whether a step leads off a place, in a direction like that one: it is turned out of what it would lead into.
static bool LeadsOff(const Search* s, qvVec3 way, double step, qvVec3 off)
{
    for (int turn = 0; turn < TURNS && qvLength(off) > LEAST_SPREAD; turn++)
    {
        off = qvNormalize(off);
        Spot spot = LookAt(s, qvMulAdd(way, step, off));
        double lack = spot.depth / step + LEAST_ROOM;
        if (lack <= 0.0)
            return true;
        off = qvMulAdd(off, OVERTURN * lack, spot.normal);
    }
    return false;
}

// Where two obstacles lie on each other, as a box on the ground, a place between them is on both, but not out of them:
// from a place that is, some step leads off.
static bool IsFree(const Search* s, qvVec3 way)
{
    Spot spot = LookAt(s, way);
    if (!(spot.depth <= 0.0) || spot.touched < 2)
        return spot.depth <= 0.0;
    double step = 0.0;
    for (int k = 0; k < s->obstacles->count; k++)
        step = fmax(step, STEP_OFF * SlackOf(s, k));
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < spot.touched; i++)
        sum = qvAdd(sum, spot.normals[i]);
    bool isFree = LeadsOff(s, way, step, sum);
    for (int i = 0; i < spot.touched && !isFree; i++)
        isFree = LeadsOff(s, way, step, spot.normals[i]);
    return isFree;
}

// --- Where sides meet ----------------------------------------------------------------------------------------------

// Up to three planes, as orthonormal ones through the same points, and at most one sphere.
typedef struct Meeting
{
    int planeCount;
    qvVec3 normals[3];
    double numbers[3];
    bool hasSphere;
    qvVec3 centre;
    double radius;
} Meeting;

// False: it hardly differs from those before.
static bool AddPlane(Meeting* m, qvVec3 normal, double number)
{
    for (int i = 0; i < m->planeCount; i++)
    {
        double along = qvDot(normal, m->normals[i]);
        normal = qvMulAdd(normal, -along, m->normals[i]);
        number -= along * m->numbers[i];
    }
    double length = qvLength(normal);
    if (!(length > LEAST_SPREAD))
        return false;
    m->normals[m->planeCount] = qvScale(1.0 / length, normal);
    m->numbers[m->planeCount++] = number / length;
    return true;
}

static bool AddSphere(Meeting* m, qvVec3 centre, double radius)
{
    if (!m->hasSphere)
    {
        m->hasSphere = true;
        m->centre = centre;
        m->radius = radius;
        return radius > 0.0;
    }
    // |x - a|^2 - r^2 = |x - b|^2 - s^2
    qvVec3 apart = qvSub(centre, m->centre);
    double length = qvLength(apart);
    if (!(length > LEAST_SPREAD * radius))
        return false;
    double number = qvDot(apart, qvAdd(centre, m->centre)) - radius * radius + m->radius * m->radius;
    return AddPlane(m, qvScale(1.0 / length, apart), 0.5 * number / length);
}

static qvVec3 OntoPlanes(const Meeting* m, qvVec3 x)
{
    for (int i = 0; i < m->planeCount; i++)
        x = qvMulAdd(x, m->numbers[i] - qvDot(m->normals[i], x), m->normals[i]);
    return x;
}

// From the centre of a circle or sphere every direction within its planes is as good; the most upward is taken.
static qvVec3 AnyDirection(const Meeting* m)
{
    const qvVec3 choices[3] = { { 0.0, 1.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    qvVec3 best = choices[0];
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
    {
        qvVec3 v = choices[k];
        for (int i = 0; i < m->planeCount; i++)
            v = qvMulAdd(v, -qvDot(v, m->normals[i]), m->normals[i]);
        if (qvLength(v) > longest + 0.5)
        {
            longest = qvLength(v);
            best = v;
        }
    }
    return qvNormalize(best);
}

// The places nearest to x where all of them meet; how many.
static int Meet(const Meeting* m, qvVec3 x, qvVec3 found[2])
{
    found[0] = OntoPlanes(m, x);
    if (!m->hasSphere)
        return 1;
    qvVec3 middle = OntoPlanes(m, m->centre), off = qvSub(middle, m->centre), towards = qvSub(found[0], middle);
    double square = m->radius * m->radius - qvDot(off, off);
    if (!(square >= 0.0))
        return 0;
    if (m->planeCount == 2)
    {
        qvVec3 line = qvScale(sqrt(square), qvCross(m->normals[0], m->normals[1]));
        found[0] = qvAdd(middle, line);
        found[1] = qvSub(middle, line);
        return 2;
    }
    double length = qvLength(towards);
    towards = length > ROUNDING * m->radius ? qvScale(1.0 / length, towards) : AnyDirection(m);
    found[0] = qvMulAdd(middle, sqrt(square), towards);
    return 1;
}

// --- Trying --------------------------------------------------------------------------------------------------------

static void Keep(Search* s, const Side* const* sides, int count, qvVec3 way)
{
    double length = qvLength(way), most = -INFINITY;
    if (!(length < s->best) || !IsFree(s, way))
        return;
    s->best = length;
    s->way = way;
    for (int i = 0; i < count; i++)
    {
        double along = qvDot(TouchAt(s, sides[i]->obstacle, way).normal, way);
        if (along > most)
            most = along, s->obstacle = sides[i]->obstacle;
    }
}

// Bent sides are planes at a place. Whether all of them meet.
static bool Gather(const Search* s, const Side* const* sides, int count, qvVec3 place, Meeting* m)
{
    *m = (Meeting){ 0 };
    for (int i = 0; i < count; i++)
    {
        const Side* side = sides[i];
        bool isMet;
        if (side->kind == ROUND)
            isMet = AddSphere(m, side->vector, side->number);
        else if (side->kind == FLAT)
            isMet = AddPlane(m, side->vector, side->number);
        else
        {
            qvObstacleTouch touch = TouchAt(s, side->obstacle, place);
            isMet = AddPlane(m, touch.normal, qvDot(touch.normal, place) + s->margin - touch.distance);
        }
        if (!isMet)
            return false;
    }
    return true;
}

static void Try(Search* s, const Side* const* sides, int count)
{
    const qvVec3 here = { 0.0, 0.0, 0.0 };
    qvVec3 found[2] = { here, here };
    Meeting m;
    int foundCount = 1;
    bool isBent = false;
    for (int i = 0; i < count; i++)
        isBent = isBent || sides[i]->kind == BENT;
    for (int round = 0; round < (isBent ? ROUNDS : 1) && foundCount > 0; round++)
    {
        qvVec3 from = round < DIRECT ? here : found[0], last = found[0];
        foundCount = Gather(s, sides, count, found[0], &m) ? Meet(&m, from, found) : 0;
        if (foundCount == 2 && qvDistance(found[1], from) < qvDistance(found[0], from))
        {
            qvVec3 nearer = found[1];
            found[1] = found[0];
            found[0] = nearer;
        }
        if (round > 0 && qvDistance(found[0], last) <= s->slack)
            break;
    }
    for (int i = 0; i < foundCount; i++)
        Keep(s, sides, count, found[i]);
}

// Out along the normals. At inner edges of meshes the distances of a grid are flatter than true ones, and the slope is
// that of the step before.
static void Walk(Search* s, const Side* side)
{
    qvVec3 way = { 0.0, 0.0, 0.0 };
    double slope = 1.0, before = INFINITY;
    for (int n = 0; n < WALK; n++)
    {
        qvObstacleTouch touch = TouchAt(s, side->obstacle, way);
        double left = s->margin - touch.distance, step = before / slope;
        if (!(left > 0.0))
            break;
        slope = n >= DIRECT ? fmin(fmax((before - left) / step, LEAST_SLOPE), 1.0) : 1.0;
        way = qvMulAdd(way, left / slope, touch.normal);
        before = left;
    }
    Keep(s, &side, 1, way);
}

// Alone, and to be tried with others.
static void AddSide(Search* s, Side side)
{
    const Side* alone = &side;
    double best = s->best;
    if (!(side.reach < s->best))
        return;
    Try(s, &alone, 1);
    if (side.kind == BENT && s->best == best)
        Walk(s, &side);
    if (s->sideCount == MOST_SIDES && !(side.reach < s->sides[MOST_SIDES - 1].reach))
        return;
    int at = s->sideCount < MOST_SIDES ? s->sideCount++ : MOST_SIDES - 1;
    for (; at > 0 && s->sides[at - 1].reach > side.reach; at--)
        s->sides[at] = s->sides[at - 1];
    s->sides[at] = side;
}

static void AddFaces(Search* s, int obstacle)
{
    const qvObstacleItem* item = &s->obstacles->items[obstacle];
    const qvObstaclePlace* place = &s->places[obstacle];
    qvVec3 centre = qvSub(place->at, s->point);
    const double halves[3] = { item->half.x, item->half.y, item->half.z };
    for (int face = 0; face < 6; face++)
    {
        double axis[3] = { 0.0, 0.0, 0.0 };
        axis[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
        qvVec3 normal = qvQuat_Rotate(place->rotate, qvMakeVec3(axis[0], axis[1], axis[2]));
        double number = qvDot(normal, centre) + halves[face / 2] + (item->inside ? -s->margin : s->margin);
        AddSide(s, (Side){ obstacle, FLAT, normal, number, fabs(number) });
    }
}

static void AddSides(Search* s, int obstacle)
{
    const qvObstacleItem* item = &s->obstacles->items[obstacle];
    qvVec3 centre = qvSub(s->places[obstacle].at, s->point);
    qvObstacleTouch touch = TouchAt(s, obstacle, qvMakeVec3(0.0, 0.0, 0.0));
    double reach = fabs(s->margin - touch.distance), radius = item->radius + (item->inside ? -s->margin : s->margin);
    if (item->shape == qv_shapeGround)
        AddSide(s, (Side){ obstacle, FLAT, touch.normal, s->margin - touch.distance, reach });
    else if (item->shape == qv_shapeSphere)
        AddSide(s, (Side){ obstacle, ROUND, centre, radius, reach });
    else if (item->shape == qv_shapeBox)
        AddFaces(s, obstacle);
    bool isRounded = item->shape == qv_shapeBox && s->margin > 0.0 && !item->inside;
    if (item->shape == qv_shapeMesh || isRounded)
        AddSide(s, (Side){ .obstacle = obstacle, .kind = BENT, .reach = reach });
}

static void TryTogether(Search* s)
{
    const Side* sides = s->sides;
    for (int i = 0; i < s->sideCount; i++)
    {
        for (int j = 0; j < i && sides[i].reach < s->best; j++)
        {
            Try(s, (const Side* [2]){ &sides[i], &sides[j] }, 2);
            for (int k = 0; k < j && sides[i].reach < s->best; k++)
                Try(s, (const Side* [3]){ &sides[i], &sides[j], &sides[k] }, 3);
        }
    }
}

// --- The answer ----------------------------------------------------------------------------------------------------

// How far coordinates are from 0 at most: of the point and of what the obstacles are made of.
static double Extent(const qvObstacles* obstacles, const qvObstaclePlace* places, qvVec3 point)
{
    double extent = qvLength(point);
    for (int k = 0; k < obstacles->count; k++)
        extent = fmax(extent, qvLength(places[k].at) + obstacles->items[k].radius + qvLength(obstacles->items[k].half));
    return extent;
}

qvObstacleTouch qvObstacles_WayOut(const qvObstacles* obstacles, const qvObstaclePlace* places, double margin,
                                   qvVec3 point)
{
    qvObstacleTouch deepest = { .obstacle = -1, .distance = INFINITY, .normal = { 0.0, 1.0, 0.0 } };
    double second = INFINITY;
    for (int k = 0; k < obstacles->count; k++)
    {
        qvObstacleTouch touch = qvObstacles_Touch(obstacles, places, k, point);
        second = fmin(second, fmax(touch.distance, deepest.distance));
        if (touch.distance < deepest.distance)
            deepest = touch;
    }
    if (deepest.distance >= margin && second - margin > NEAR * (1.0 + qvLength(point)))
        return deepest;
    Search s = { .obstacles = obstacles,
                 .places = places,
                 .margin = margin,
                 .point = point,
                 .slack = ROUNDING * Extent(obstacles, places, point),
                 .best = INFINITY };
    if (deepest.distance >= margin && IsFree(&s, qvMakeVec3(0.0, 0.0, 0.0)))
        return deepest;
    // No way is shorter than that out of the obstacle in which it is deepest.
    if (deepest.distance < margin && IsFree(&s, qvScale(margin - deepest.distance, deepest.normal)))
        return deepest;
    for (int k = 0; k < obstacles->count; k++)
        AddSides(&s, k);
    TryTogether(&s);
    if (!(s.best > 0.0 && s.best < INFINITY))
        return deepest;
    qvObstacleTouch out = TouchAt(&s, s.obstacle, qvMakeVec3(0.0, 0.0, 0.0));
    out.distance = margin - s.best;
    out.normal = qvScale(1.0 / s.best, s.way);
    return out;
}

qvObstacleTouch qvObstacles_Nearest(const qvObstacles* obstacles, const qvObstaclePlace* places, qvVec3 point)
{
    return qvObstacles_WayOut(obstacles, places, 0.0, point);
}
