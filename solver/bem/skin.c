// SPDX-License-Identifier: GPL-3.0-or-later
// The side of a point is that of the normal of the face, edge or vertex on which its foot lies: of an edge the sum of
// both faces' normals, of a vertex that of the faces around by their angles (J. A. Baerentzen, H. Aanaes, "Signed
// distance computation using the angle weighted pseudonormal", 2005).
#include "bem/skin.h"

#include "base/memory.h"
#include "body/distance_grid.h"
#include "body/triangle.h"
#include "math/mat3.h"
#include "mesh/bvh.h"

#include <math.h>
#include <stdlib.h>

static const double CELLS = 48.0;  // of the grid, along the diameter
static const double ON = 1e-9;     // diameters: a point as near lies on the surface
static const double CORNER = 1e-9; // a smaller weight is none
static const double FACING = 0.2;  // cosine of the angle at which a triangle faces a direction

struct qvBemSkin
{
    const qvBemSurface* surface;
    qvDistanceGrid* grid;
    qvBvh* tree;     // its boxes are those at rest and are not used
    qvVec3* normals; // of the vertices at rest
};

void qvDestroyBemSkin(qvBemSkin* skin)
{
    if (skin == NULL)
        return;
    qvDestroyDistanceGrid(skin->grid);
    qvDestroyBvh(skin->tree);
    free(skin->normals);
    free(skin);
}

// --- Normals --------------------------------------------------------------------------------------------------------

static qvVec3 TwiceArea(const qvVec3* x, const qvTriangle* t)
{
    return qvCross(qvSub(x[t->v[1]], x[t->v[0]]), qvSub(x[t->v[2]], x[t->v[0]]));
}

static qvVec3 NormalAt(const qvBemSurface* surface, const qvVec3* x, int vertex)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = surface->fanStart[vertex]; i < surface->fanStart[vertex + 1]; i++)
    {
        const qvTriangle* t = &surface->triangles[surface->fan[i]];
        int k = t->v[0] == vertex ? 0 : t->v[1] == vertex ? 1 : 2;
        qvVec3 a = qvSub(x[t->v[(k + 1) % 3]], x[vertex]), b = qvSub(x[t->v[(k + 2) % 3]], x[vertex]);
        double angle = atan2(qvLength(qvCross(a, b)), qvDot(a, b));
        sum = qvMulAdd(sum, angle, qvNormalize(TwiceArea(x, t)));
    }
    return qvNormalize(sum);
}

// The normal of the edge opposite to a corner of a triangle.
static qvVec3 NormalOfEdge(const qvBemSurface* surface, const qvVec3* x, int triangle, int corner)
{
    const qvTriangle* t = &surface->triangles[triangle];
    int from = t->v[(corner + 1) % 3], to = t->v[(corner + 2) % 3];
    qvVec3 sum = qvNormalize(TwiceArea(x, t));
    for (int i = surface->fanStart[from]; i < surface->fanStart[from + 1]; i++)
    {
        const qvTriangle* other = &surface->triangles[surface->fan[i]];
        if (surface->fan[i] != triangle && (other->v[0] == to || other->v[1] == to || other->v[2] == to))
            sum = qvAdd(sum, qvNormalize(TwiceArea(x, other)));
    }
    return qvNormalize(sum);
}

qvVec3 qvBemSkin_Normal(const qvBemSkin* skin, int vertex)
{
    return skin->normals[vertex];
}

// --- Making ---------------------------------------------------------------------------------------------------------

static qvResult MakeTree(qvBemSkin* skin, qvError* error)
{
    const qvBemSurface* surface = skin->surface;
    qvVec3f* points = qvAllocateRaw((size_t)surface->vertexCount, sizeof(*points));
    if (points == NULL)
        return qvError_OutOfMemory(error, 12.0 * surface->vertexCount);
    for (int v = 0; v < surface->vertexCount; v++)
        points[v] = qvVec3_ToFloat(surface->vertices[v]);
    qvMesh mesh = { .pointCount = surface->vertexCount,
                    .triangleCount = surface->triangleCount,
                    .pointTriangles = surface->triangles };
    qvResult result = qvCreateBvh(&mesh, points, &skin->tree, error);
    free(points);
    return result;
}

static qvResult MakeGrid(qvBemSkin* skin, qvError* error)
{
    const qvBemSurface* surface = skin->surface;
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    def.pointCount = surface->vertexCount;
    def.points = surface->vertices;
    def.triangleCount = surface->triangleCount;
    def.triangles = surface->triangles;
    qvDistanceGridDef_Fit(&def, surface->diameter / CELLS, 2.0);
    return qvCreateDistanceGrid(&def, NULL, &skin->grid, error);
}

qvResult qvCreateBemSkin(const qvBemSurface* surface, qvBemSkin** out, qvError* error)
{
    *out = NULL;
    qvBemSkin* skin = qvAllocate(1, sizeof(*skin));
    if (skin == NULL)
        return qvError_OutOfMemory(error, sizeof(*skin));
    skin->surface = surface;
    skin->normals = qvAllocateRaw((size_t)surface->vertexCount, sizeof(*skin->normals));
    qvResult result = skin->normals != NULL ? qv_ok : qvError_OutOfMemory(error, 24.0 * surface->vertexCount);
    for (int v = 0; result == qv_ok && v < surface->vertexCount; v++)
        skin->normals[v] = NormalAt(surface, surface->vertices, v);
    if (result == qv_ok)
        result = MakeTree(skin, error);
    if (result == qv_ok)
        result = MakeGrid(skin, error);
    if (result == qv_ok)
        *out = skin;
    else
        qvDestroyBemSkin(skin);
    return result;
}

// --- Fitting --------------------------------------------------------------------------------------------------------

int qvBemSkin_BoxCount(const qvBemSkin* skin)
{
    return skin->tree->nodeCount;
}

static const qvBemBox nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void Include(qvBemBox* box, qvVec3 x)
{
    const double at[3] = { x.x, x.y, x.z };
    for (int a = 0; a < 3; a++)
    {
        box->lower[a] = at[a] < box->lower[a] ? at[a] : box->lower[a];
        box->upper[a] = at[a] > box->upper[a] ? at[a] : box->upper[a];
    }
}

void qvBemFit_Update(qvBemFit* fit)
{
    const qvBvh* tree = fit->skin->tree;
    const qvBemSurface* surface = fit->skin->surface;
    for (int n = tree->nodeCount - 1; n >= 0; n--) // children come after their parents
    {
        const qvBvhNode* node = &tree->nodes[n];
        qvBemBox* box = &fit->boxes[n];
        *box = node->count > 0 ? nothing : fit->boxes[n + 1];
        for (int i = 0; i < node->count; i++)
        {
            for (int k = 0; k < 3; k++)
                Include(box, fit->vertices[tree->triangles[node->first + i].v[k]]);
        }
        for (int a = 0; node->count == 0 && a < 3; a++)
        {
            box->lower[a] = fmin(box->lower[a], fit->boxes[node->first].lower[a]);
            box->upper[a] = fmax(box->upper[a], fit->boxes[node->first].upper[a]);
        }
    }
    fit->stretch = 0.0;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvVec3 local = qvMat3_Apply(&fit->back, qvSub(fit->vertices[v], fit->place));
        fit->stretch = fmax(fit->stretch, qvDistance(local, qvSub(surface->vertices[v], surface->centroid)));
    }
}

// --- Feet -----------------------------------------------------------------------------------------------------------

static double SquareToBox(const qvBemBox* box, qvVec3 point)
{
    const double at[3] = { point.x, point.y, point.z };
    double square = 0.0;
    for (int a = 0; a < 3; a++)
    {
        double out = fmax(fmax(box->lower[a] - at[a], at[a] - box->upper[a]), 0.0);
        square += out * out;
    }
    return square;
}

// The nearest triangle within a reach, or -1; of equally near ones that of the lower number. With a direction (else
// NULL) one that faces it.
static int Nearest(const qvBemFit* fit, qvVec3 point, double reach, const qvVec3* outward, qvVec3* foot)
{
    const qvBvh* tree = fit->skin->tree;
    int stack[qv_bvhMaxDepth + 1], depth = 0, found = -1;
    double best = reach * reach;
    stack[depth++] = 0;
    while (depth > 0)
    {
        int n = stack[--depth];
        const qvBvhNode* node = &tree->nodes[n];
        if (SquareToBox(&fit->boxes[n], point) > best)
            continue;
        for (int i = 0; i < node->count; i++)
        {
            const int32_t* v = tree->triangles[node->first + i].v;
            if (outward != NULL &&
                !(qvDot(qvNormalize(TwiceArea(fit->vertices, &tree->triangles[node->first + i])), *outward) < -FACING))
                continue;
            qvVec3 at = qvClosestOnTriangle(point, fit->vertices[v[0]], fit->vertices[v[1]], fit->vertices[v[2]]);
            qvVec3 way = qvSub(point, at);
            double square = qvDot(way, way);
            if (square < best || (square == best && (found < 0 || tree->order[node->first + i] < found)))
            {
                best = square;
                found = tree->order[node->first + i];
                *foot = at;
            }
        }
        if (node->count > 0)
            continue;
        bool leftFirst = SquareToBox(&fit->boxes[n + 1], point) <= SquareToBox(&fit->boxes[node->first], point);
        stack[depth++] = leftFirst ? node->first : n + 1;
        stack[depth++] = leftFirst ? n + 1 : node->first;
    }
    return found;
}

// Weights of the corners at a place on a triangle; those that are as good as none become 0.
static void FindWeights(const qvVec3* x, const qvTriangle* t, qvVec3 at, double weights[3])
{
    qvVec3 normal = TwiceArea(x, t);
    double square = qvDot(normal, normal), sum = 0.0;
    for (int k = 0; k < 3; k++)
    {
        qvVec3 a = qvSub(x[t->v[(k + 1) % 3]], at), b = qvSub(x[t->v[(k + 2) % 3]], at);
        weights[k] = square > 0.0 ? fmax(qvDot(normal, qvCross(a, b)) / square, 0.0) : 1.0 / 3.0;
        weights[k] = weights[k] > CORNER ? weights[k] : 0.0;
        sum += weights[k];
    }
    for (int k = 0; k < 3; k++)
        weights[k] /= sum;
}

// The normal of what a foot lies on.
static qvVec3 NormalOfFoot(const qvBemFit* fit, const qvBemFoot* foot)
{
    const qvBemSurface* surface = fit->skin->surface;
    const qvTriangle* t = &surface->triangles[foot->triangle];
    int none = 0, last = 0, open = 0;
    for (int k = 0; k < 3; k++)
    {
        none += foot->weights[k] == 0.0;
        open = foot->weights[k] == 0.0 ? k : open;
        last = foot->weights[k] > 0.0 ? k : last;
    }
    if (none == 0)
        return qvNormalize(TwiceArea(fit->vertices, t));
    return none == 1 ? NormalOfEdge(surface, fit->vertices, foot->triangle, open)
                     : NormalAt(surface, fit->vertices, t->v[last]);
}

bool qvBemFit_Find(const qvBemFit* fit, qvVec3 point, double margin, qvBemFoot* foot)
{
    const qvBemSurface* surface = fit->skin->surface;
    qvVec3 local = qvMat3_Apply(&fit->back, qvSub(point, fit->place)), at = point;
    double atRest = qvDistanceGrid_Sample(fit->skin->grid, qvAdd(local, surface->centroid), NULL);
    double slack = fit->stretch + fit->skin->grid->cellSize; // of what the grid says
    if (!(atRest < margin + slack))
        return false;
    foot->triangle = Nearest(fit, point, fabs(atRest) + margin + slack, NULL, &at);
    if (foot->triangle < 0)
        return false;
    FindWeights(fit->vertices, &surface->triangles[foot->triangle], at, foot->weights);
    qvVec3 side = NormalOfFoot(fit, foot), way = qvSub(point, at);
    double length = qvLength(way), sign = qvDot(way, side) < 0.0 ? -1.0 : 1.0;
    foot->distance = sign * length;
    foot->normal = length > ON * surface->diameter ? qvScale(sign / length, way) : side;
    return foot->distance < margin;
}

bool qvBemFit_FindFacing(const qvBemFit* fit, qvVec3 point, qvVec3 outward, double reach, qvBemFoot* foot)
{
    qvVec3 at = point;
    foot->triangle = Nearest(fit, point, reach, &outward, &at);
    if (foot->triangle < 0)
        return false;
    const qvTriangle* t = &fit->skin->surface->triangles[foot->triangle];
    FindWeights(fit->vertices, t, at, foot->weights);
    foot->normal = qvNormalize(TwiceArea(fit->vertices, t));
    foot->distance = -fabs(qvDot(qvSub(point, at), foot->normal));
    return true;
}
