// SPDX-License-Identifier: GPL-3.0-or-later
// Picking.
//
// Woop, Benthin, Wald: Watertight ray/triangle intersection, JCGT 2(1), 2013. The points are moved and sheared so that
// the ray becomes the z axis; a triangle is hit when the origin lies in its projection. Three edge functions decide:
// U, V, W. Rounding is monotone, so that a difference of products never gets the wrong sign, at worst zero; and zero
// counts as inside. The neighbour sees the same value with the opposite sign. So no ray slips through an edge or a
// vertex.
//
// Boxes are tested with a slack above all rounding errors (after Ize: Robust BVH ray traversal, JCGT 2(2), 2013). A
// triangle's distance is clamped to the interval of its own box, which lies in the intervals of all boxes above it:
// skipping boxes behind the best hit can then never change the result.
#include "base/assert.h"
#include "mesh/bvh.h"

bool qvMakePickRay(qvRay ray, double extent, qvPickRay* pick)
{
    double direction[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
    double origin[3] = { ray.origin.x, ray.origin.y, ray.origin.z };
    double largest = 0.0, farthest = extent;
    pick->axisZ = 0;
    for (int a = 0; a < 3; a++)
    {
        if (!isfinite(direction[a]) || !isfinite(origin[a]))
            return false;
        if (fabs(direction[a]) > largest)
        {
            largest = fabs(direction[a]);
            pick->axisZ = a;
        }
        farthest = fmax(farthest, fabs(origin[a]));
    }
    // Points are floats; from an origin beyond them by this much, nothing of their shape is left.
    if (largest == 0.0 || farthest > 1e60)
        return false;
    frexp(largest, &pick->exponent);
    const double slack = 0x1p-48 * farthest;
    for (int a = 0; a < 3; a++)
    {
        direction[a] = ldexp(direction[a], -pick->exponent);
        pick->origin[a] = origin[a];
        pick->above[a] = origin[a] + slack;
        pick->below[a] = origin[a] - slack;
        // A component this small moves the ray by less than the slack.
        pick->parallel[a] = fabs(direction[a]) < 1e-200;
        pick->inverse[a] = pick->parallel[a] ? 0.0 : 1.0 / direction[a];
    }
    pick->axisX = (pick->axisZ + 1) % 3;
    pick->axisY = (pick->axisZ + 2) % 3;
    pick->shearX = direction[pick->axisX] / direction[pick->axisZ];
    pick->shearY = direction[pick->axisY] / direction[pick->axisZ];
    return true;
}

// Where the ray is inside a box, from distance 0 on: [*near, *far], a little more than exact. False: nowhere.
static bool HitBox(const qvPickRay* ray, const qvBvhBox* box, double* near, double* far)
{
    double first = 0.0, last = INFINITY;
    for (int a = 0; a < 3; a++)
    {
        double toLower = (double)box->lower[a] - ray->above[a], toUpper = (double)box->upper[a] - ray->below[a];
        if (ray->parallel[a])
        {
            if (toLower > 0.0 || toUpper < 0.0)
                return false;
            continue;
        }
        double inverse = ray->inverse[a];
        double enter = (inverse > 0.0 ? toLower : toUpper) * inverse;
        double leave = (inverse > 0.0 ? toUpper : toLower) * inverse;
        first = enter > first ? enter : first;
        last = leave < last ? leave : last;
    }
    *near = first;
    *far = last;
    return first <= last;
}

typedef struct Sheared
{
    double x, y, z;
} Sheared;

static Sheared Shear(const qvPickRay* ray, qvVec3f point)
{
    const float p[3] = { point.x, point.y, point.z };
    double z = p[ray->axisZ] - ray->origin[ray->axisZ];
    return (Sheared){ p[ray->axisX] - ray->origin[ray->axisX] - ray->shearX * z,
                      p[ray->axisY] - ray->origin[ray->axisY] - ray->shearY * z, z };
}

bool qvPickRay_HitTriangle(const qvPickRay* ray, const qvVec3f* points, qvTriangle triangle, double maxDistance,
                           qvTriangleHit* hit)
{
    qvBvhBox box = qvBvh_TriangleBox(points, triangle);
    double near, far;
    if (!HitBox(ray, &box, &near, &far) || near > maxDistance)
        return false;
    Sheared a = Shear(ray, points[triangle.v[0]]), b = Shear(ray, points[triangle.v[1]]);
    Sheared c = Shear(ray, points[triangle.v[2]]);
    double u = c.x * b.y - c.y * b.x;
    double v = a.x * c.y - a.y * c.x;
    double w = b.x * a.y - b.y * a.x;
    bool positive = u >= 0.0 && v >= 0.0 && w >= 0.0, negative = u <= 0.0 && v <= 0.0 && w <= 0.0;
    double sum = u + v + w;
    if ((!positive && !negative) || sum == 0.0)
        return false;
    hit->u = v / sum;
    hit->v = w / sum;
    // Exact where the triangle faces the ray's axis, so that such triangles tie.
    double z = a.z + hit->u * (b.z - a.z) + hit->v * (c.z - a.z);
    double distance = z * ray->inverse[ray->axisZ];
    if (!(distance >= 0.0))
        return false;
    distance = distance < near ? near : distance > far ? far : distance;
    hit->distance = distance;
    return distance <= maxDistance;
}

typedef struct Search
{
    qvPickRay ray;
    double best; // scaled; at first the farthest that counts
    int triangle;
    qvTriangle corners;
    qvTriangleHit hit;
} Search;

static void TestLeaf(const qvBvh* bvh, const qvBvhNode* leaf, Search* search)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++)
    {
        qvTriangleHit hit;
        if (!qvPickRay_HitTriangle(&search->ray, bvh->points, bvh->triangles[i], search->best, &hit))
            continue;
        if (search->triangle >= 0 && hit.distance == search->best && bvh->order[i] > search->triangle)
            continue;
        search->best = hit.distance;
        search->triangle = bvh->order[i];
        search->corners = bvh->triangles[i];
        search->hit = hit;
    }
}

typedef struct Pending
{
    int node;
    double near;
} Pending;

static void Traverse(const qvBvh* bvh, Search* search)
{
    Pending stack[qv_bvhMaxDepth];
    int count = 0;
    double near, far;
    if (HitBox(&search->ray, &bvh->nodes[0].box, &near, &far))
        stack[count++] = (Pending){ 0, near };
    while (count > 0)
    {
        Pending next = stack[--count];
        if (next.near > search->best)
            continue;
        const qvBvhNode* node = &bvh->nodes[next.node];
        if (node->count > 0)
        {
            TestLeaf(bvh, node, search);
            continue;
        }
        Pending left = { next.node + 1, 0.0 }, right = { node->first, 0.0 };
        bool hitLeft = HitBox(&search->ray, &bvh->nodes[left.node].box, &left.near, &far);
        bool hitRight = HitBox(&search->ray, &bvh->nodes[right.node].box, &right.near, &far);
        bool leftFirst = left.near <= right.near;
        if (hitLeft && !leftFirst)
            stack[count++] = left;
        if (hitRight)
            stack[count++] = right;
        if (hitLeft && leftFirst)
            stack[count++] = left;
    }
}

static qvHit MakeHit(const qvBvh* bvh, const Search* search)
{
    qvVec3 a = qvVec3_FromFloat(bvh->points[search->corners.v[0]]);
    qvVec3 ab = qvSub(qvVec3_FromFloat(bvh->points[search->corners.v[1]]), a);
    qvVec3 ac = qvSub(qvVec3_FromFloat(bvh->points[search->corners.v[2]]), a);
    qvHit hit = { .triangle = search->triangle, .u = search->hit.u, .v = search->hit.v };
    hit.distance = ldexp(search->best, -search->ray.exponent);
    hit.position = qvMulAdd(qvMulAdd(a, hit.u, ab), hit.v, ac);
    hit.normal = qvNormalize(qvCross(ab, ac));
    return hit;
}

qvHit qvBvh_Pick(const qvBvh* bvh, qvRay ray, double maxDistance)
{
    QV_ASSERT(bvh != NULL);
    qvHit nothing = { .triangle = -1 };
    Search search = { .triangle = -1 };
    if (!qvMakePickRay(ray, bvh->extent, &search.ray) || !(maxDistance >= 0.0))
        return nothing;
    search.best = ldexp(maxDistance, search.ray.exponent);
    Traverse(bvh, &search);
    return search.triangle < 0 ? nothing : MakeHit(bvh, &search);
}
