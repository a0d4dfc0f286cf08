// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons to triangles by ear clipping. G. H. Meisters, Polygons have ears, 1975; the test of a corner looks only at
// corners that are not convex.
//
// The polygon is projected along the axis in which its normal is largest. Doubles of the file's floats then give the
// sign of nearly every test exactly. A corner where the outline turns back is clipped at once. One on a straight line
// is no ear, and blocks ears whose new edge would run through it, so that collinear corners do not end in triangles
// without area. Corners at the place of an ear's own corners do not block it: outlines with bridges to holes have such.
//
// What is left of a polygon without ears (it intersects itself, or has no area) is clipped by the shape of its corners
// alone. A grid over the corners keeps large polygons fast. All polygons of a mesh share a stock of work, so that no
// input hangs: each may take half of what is left. One that needs more is then clipped by shape alone too.
#include "mesh/build.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    // Tests that each polygon has for itself.
    WORK_PER_CORNER = 16,
    // The stock: enough for thousands of corners in comb-like outlines, more for large meshes.
    BASE_STOCK = 30000000,
    STOCK_PER_CORNER = 300,
    MAX_STOCK = 300000000,
    CORNERS_PER_CELL = 4,
    // How far to look for a convex corner once the work is spent.
    MAX_SKIP = 16,
    // Ears are rare when so many convex corners in a row are none.
    MAX_BLOCKED = 32,
};

typedef struct Point2
{
    double x, y;
} Point2;

typedef struct Clipper
{
    int capacity; // corners that the arrays hold
    Point2* at;
    int32_t *previous, *next; // ring of the corners that are left
    uint8_t* isBlocking;      // corner is left and not convex

    // Corners by cell of a grid.
    int side; // cells per axis
    Point2 lower, scale;
    int32_t* cellStart; // side * side + 1 entries
    int32_t* cellItems;

    int64_t work, maxWork; // of this polygon
    int64_t stock;         // of work, for all polygons
} Clipper;

static void FreeClipper(Clipper* clipper)
{
    free(clipper->at);
    free(clipper->previous);
    free(clipper->next);
    free(clipper->isBlocking);
    free(clipper->cellStart);
    free(clipper->cellItems);
}

static bool ReserveClipper(Clipper* clipper, int count)
{
    if (count <= clipper->capacity)
        return true;
    FreeClipper(clipper);
    *clipper = (Clipper){ .capacity = count, .stock = clipper->stock };
    clipper->at = qvAllocateRaw((size_t)count, sizeof(*clipper->at));
    clipper->previous = qvAllocateRaw((size_t)count, sizeof(*clipper->previous));
    clipper->next = qvAllocateRaw((size_t)count, sizeof(*clipper->next));
    clipper->isBlocking = qvAllocateRaw((size_t)count, 1);
    clipper->cellStart = qvAllocateRaw((size_t)count + 2, sizeof(*clipper->cellStart));
    clipper->cellItems = qvAllocateRaw((size_t)count, sizeof(*clipper->cellItems));
    return clipper->at != NULL && clipper->previous != NULL && clipper->next != NULL && clipper->isBlocking != NULL &&
           clipper->cellStart != NULL && clipper->cellItems != NULL;
}

static qvVec3 CornerPosition(const qvMeshDef* def, int corner)
{
    return qvVec3_FromFloat(def->positions[def->corners[corner]]);
}

// M. E. Newell's normal: twice the area vector, of any polygon.
static qvVec3 PolygonNormal(const qvMeshDef* def, int first, int count)
{
    qvVec3 origin = CornerPosition(def, first), normal = { 0.0, 0.0, 0.0 };
    qvVec3 a = qvSub(CornerPosition(def, first + 1), origin);
    for (int i = 2; i < count; i++)
    {
        qvVec3 b = qvSub(CornerPosition(def, first + i), origin);
        normal = qvAdd(normal, qvCross(a, b));
        a = b;
    }
    return normal;
}

// Projects so that the polygon runs counter-clockwise.
static void Project(Clipper* clipper, const qvMeshDef* def, int first, int count)
{
    qvVec3 n = PolygonNormal(def, first, count);
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    for (int i = 0; i < count; i++)
    {
        qvVec3 p = CornerPosition(def, first + i);
        Point2 q;
        bool isTurned;
        if (z >= x && z >= y)
        {
            q = (Point2){ p.x, p.y };
            isTurned = n.z < 0.0;
        }
        else if (y >= x)
        {
            q = (Point2){ p.z, p.x };
            isTurned = n.y < 0.0;
        }
        else
        {
            q = (Point2){ p.y, p.z };
            isTurned = n.x < 0.0;
        }
        clipper->at[i] = isTurned ? (Point2){ q.y, q.x } : q;
    }
}

// Twice the signed area of a, b, c.
static double Area(Point2 a, Point2 b, Point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double CornerArea(const Clipper* clipper, int i)
{
    return Area(clipper->at[clipper->previous[i]], clipper->at[i], clipper->at[clipper->next[i]]);
}

static int CellColumn(const Clipper* clipper, double x)
{
    int column = (int)((x - clipper->lower.x) * clipper->scale.x);
    return column < clipper->side ? column : clipper->side - 1;
}

static int CellRow(const Clipper* clipper, double y)
{
    int row = (int)((y - clipper->lower.y) * clipper->scale.y);
    return row < clipper->side ? row : clipper->side - 1;
}

static void FitGrid(Clipper* clipper, int count)
{
    Point2 lower = clipper->at[0], upper = lower;
    for (int i = 1; i < count; i++)
    {
        Point2 p = clipper->at[i];
        lower = (Point2){ fmin(lower.x, p.x), fmin(lower.y, p.y) };
        upper = (Point2){ fmax(upper.x, p.x), fmax(upper.y, p.y) };
    }
    clipper->side = (int)sqrt((double)count / CORNERS_PER_CELL);
    clipper->side = clipper->side < 1 ? 1 : clipper->side;
    clipper->lower = lower;
    clipper->scale.x = upper.x > lower.x ? clipper->side / (upper.x - lower.x) : 0.0;
    clipper->scale.y = upper.y > lower.y ? clipper->side / (upper.y - lower.y) : 0.0;
}

static void FillGrid(Clipper* clipper, int count)
{
    FitGrid(clipper, count);
    int cellCount = clipper->side * clipper->side;
    int32_t* start = clipper->cellStart;
    memset(start, 0, ((size_t)cellCount + 1) * sizeof(*start));
    for (int i = 0; i < count; i++)
        start[CellRow(clipper, clipper->at[i].y) * clipper->side + CellColumn(clipper, clipper->at[i].x)]++;
    for (int c = 1; c <= cellCount; c++)
        start[c] += start[c - 1];
    for (int i = count - 1; i >= 0; i--)
    {
        int cell = CellRow(clipper, clipper->at[i].y) * clipper->side + CellColumn(clipper, clipper->at[i].x);
        clipper->cellItems[--start[cell]] = i;
    }
}

static void Begin(Clipper* clipper, const qvMeshDef* def, int first, int count)
{
    Project(clipper, def, first, count);
    for (int i = 0; i < count; i++)
    {
        clipper->previous[i] = i > 0 ? i - 1 : count - 1;
        clipper->next[i] = i + 1 < count ? i + 1 : 0;
    }
    for (int i = 0; i < count; i++)
        clipper->isBlocking[i] = CornerArea(clipper, i) <= 0.0;
    FillGrid(clipper, count);
    clipper->work = 0;
    clipper->maxWork = (int64_t)WORK_PER_CORNER * count + clipper->stock / 2;
}

static bool IsSamePlace(Point2 a, Point2 b)
{
    return a.x == b.x && a.y == b.y;
}

static bool IsBlockedBy(Point2 a, Point2 b, Point2 c, Point2 p)
{
    if (IsSamePlace(p, a) || IsSamePlace(p, b) || IsSamePlace(p, c))
        return false;
    return Area(a, b, p) >= 0.0 && Area(b, c, p) >= 0.0 && Area(c, a, p) >= 0.0;
}

static bool IsBlockedInCell(Clipper* clipper, int cell, Point2 a, Point2 b, Point2 c)
{
    int begin = clipper->cellStart[cell], end = clipper->cellStart[cell + 1];
    clipper->work += end - begin + 1;
    for (int k = begin; k < end; k++)
    {
        int i = clipper->cellItems[k];
        if (clipper->isBlocking[i] && IsBlockedBy(a, b, c, clipper->at[i]))
            return true;
    }
    return false;
}

// Whether the triangle of a convex corner holds no other corner.
static bool IsEar(Clipper* clipper, int i)
{
    Point2 a = clipper->at[clipper->previous[i]], b = clipper->at[i], c = clipper->at[clipper->next[i]];
    int lastColumn = CellColumn(clipper, fmax(fmax(a.x, b.x), c.x));
    int firstColumn = CellColumn(clipper, fmin(fmin(a.x, b.x), c.x));
    int lastRow = CellRow(clipper, fmax(fmax(a.y, b.y), c.y));
    for (int row = CellRow(clipper, fmin(fmin(a.y, b.y), c.y)); row <= lastRow; row++)
    {
        for (int column = firstColumn; column <= lastColumn; column++)
        {
            if (IsBlockedInCell(clipper, row * clipper->side + column, a, b, c))
                return false;
        }
        if (clipper->work > clipper->maxWork)
            break;
    }
    return true;
}

// The corner to clip when none is an ear: convex if there is one, else one that is not straight.
static int PickAnyCorner(Clipper* clipper, int start, int count)
{
    int best = start;
    double bestArea = 0.0;
    for (int k = 0, i = start; k < count; k++, i = clipper->next[i])
    {
        double area = CornerArea(clipper, i);
        if (area > 0.0)
            return i;
        if (area < bestArea)
        {
            best = i;
            bestArea = area;
        }
    }
    clipper->work += count;
    return best;
}

static void Clip(Clipper* clipper, int i, int first, qvTriangle* triangle)
{
    int a = clipper->previous[i], c = clipper->next[i];
    *triangle = (qvTriangle){ { first + a, first + i, first + c } };
    clipper->isBlocking[i] = 0;
    clipper->next[a] = c;
    clipper->previous[c] = a;
    clipper->isBlocking[a] = CornerArea(clipper, a) <= 0.0;
    clipper->isBlocking[c] = CornerArea(clipper, c) <= 0.0;
}

// A corner where the outline turns back on itself, or stands still. Its triangle has no area and is removed later.
static bool IsSpike(const Clipper* clipper, int i)
{
    Point2 a = clipper->at[clipper->previous[i]], b = clipper->at[i], c = clipper->at[clipper->next[i]];
    return Area(a, b, c) == 0.0 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) <= 0.0;
}

// Writes count - 2 triangles.
static void ClipPolygon(Clipper* clipper, const qvMeshDef* def, int first, int count, qvTriangle* triangles)
{
    Begin(clipper, def, first, count);
    int i = 0, misses = 0, blocked = 0, left = count;
    bool areEarsRare = false;
    while (left > 2)
    {
        bool isSpent = ++clipper->work > clipper->maxWork;
        bool isConvex = CornerArea(clipper, i) > 0.0;
        bool isClipped = isSpent ? isConvex || misses > MAX_SKIP
                                 : (isConvex && IsEar(clipper, i)) || (!isConvex && IsSpike(clipper, i));
        if (!isClipped && misses >= left)
        {
            i = PickAnyCorner(clipper, i, left);
            isClipped = true;
        }
        if (!isClipped)
        {
            misses++;
            blocked += isConvex;
            i = clipper->next[i];
            continue;
        }
        Clip(clipper, i, first, triangles++);
        left--;
        areEarsRare = areEarsRare || blocked > MAX_BLOCKED;
        misses = blocked = 0;
        // Going on after the neighbour spreads the ears and makes fewer slivers. Where ears are rare (at the ends of
        // a long strip), the next one is a neighbour of the last.
        i = areEarsRare ? clipper->previous[i] : clipper->next[clipper->next[i]];
    }
    int64_t used = clipper->work < clipper->maxWork ? clipper->work : clipper->maxWork;
    int64_t own = (int64_t)WORK_PER_CORNER * count;
    clipper->stock -= used > own ? used - own : 0;
}

static bool IsBefore(qvVec3 a, qvVec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Whether the second diagonal holds the corner that comes first by its coordinates.
static bool HasSecondLowest(const qvVec3 p[4])
{
    int lowest = 0;
    for (int i = 1; i < 4; i++)
        lowest = IsBefore(p[i], p[lowest]) ? i : lowest;
    return lowest % 2 == 1;
}

// A quadrilateral is split by the diagonal that lies inside; by the clearly shorter one when both do, else by a rule
// that knows neither winding nor first corner, so that the two sides of a card become the same triangles.
static void SplitQuad(const qvMeshDef* def, int first, qvTriangle* triangles)
{
    qvVec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = CornerPosition(def, first + i);
    qvVec3 diagonal0 = qvSub(p[2], p[0]), diagonal1 = qvSub(p[3], p[1]), normal = qvCross(diagonal0, diagonal1);
    double corner[4]; // area at each corner, along the normal
    for (int i = 0; i < 4; i++)
        corner[i] = qvDot(qvCross(qvSub(p[(i + 1) % 4], p[i]), qvSub(p[(i + 3) % 4], p[i])), normal);
    bool isInside0 = corner[1] > 0.0 && corner[3] > 0.0, isInside1 = corner[0] > 0.0 && corner[2] > 0.0;
    double length0 = qvDot(diagonal0, diagonal0), length1 = qvDot(diagonal1, diagonal1);
    bool isBetter1 = length1 < 0.999 * length0 || (length0 >= 0.999 * length1 && HasSecondLowest(p));
    int k = isInside1 && (isBetter1 || !isInside0) ? 1 : 0;
    triangles[0] = (qvTriangle){ { first + k, first + k + 1, first + k + 2 } };
    triangles[1] = (qvTriangle){ { first + k, first + k + 2, first + (k + 3) % 4 } };
}

static qvResult TriangulateFace(Clipper* clipper, const qvMeshDef* def, int first, int count, qvTriangle* triangles,
                                qvError* error)
{
    if (count == 3)
        triangles[0] = (qvTriangle){ { first, first + 1, first + 2 } };
    else if (count == 4)
        SplitQuad(def, first, triangles);
    else if (ReserveClipper(clipper, count))
        ClipPolygon(clipper, def, first, count, triangles);
    else
        return qvError_OutOfMemory(error, 33.0 * count);
    return qv_ok;
}

qvResult qvMeshBuild_Triangulate(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    build->corners = qvAllocateRaw((size_t)build->triangleCount, sizeof(*build->corners));
    build->faces = qvAllocateRaw((size_t)build->triangleCount, sizeof(*build->faces));
    if (build->corners == NULL || build->faces == NULL)
        return qvError_OutOfMemory(error, 16.0 * build->triangleCount);
    Clipper clipper = { .stock = BASE_STOCK + (int64_t)STOCK_PER_CORNER * build->cornerCount };
    clipper.stock = clipper.stock < MAX_STOCK ? clipper.stock : MAX_STOCK;
    qvResult result = qv_ok;
    for (int face = 0, triangle = 0, first = 0; face < def->faceCount && result == qv_ok; face++)
    {
        int count = def->faceSizes != NULL ? def->faceSizes[face] : 3;
        build->report.polygonCount += count > 3;
        result = TriangulateFace(&clipper, def, first, count, build->corners + triangle, error);
        for (int k = 0; k < count - 2; k++)
            build->faces[triangle++] = face;
        first += count;
    }
    FreeClipper(&clipper);
    return result;
}
