// SPDX-License-Identifier: GPL-3.0-or-later
// Where a point in rest coordinates goes when the body's points move. On the surface it goes along with its triangle,
// so that a place picked on a posed body is found again exactly. Off the surface it follows a moving least squares fit:
// S. Schaefer, T. McPhail, J. Warren, "Image Deformation Using Moving Least Squares", 2006, with the affine map of
// section 2.1, weights area / distance^4, and a small pull towards no change of shape where the points lie in a plane.
#include "math/affine.h"
#include "math/mat3.h"
#include "scene/body.h"

#include <math.h>
#include <string.h>

static const double STIFFNESS = 1e-6; // of the pull, against the spread of the points

// The nearest place on the rest surface.
typedef struct Foot
{
    int triangle;
    double weights[3]; // barycentric
    qvVec3 at;
    double distance2;
} Foot;

static double Clamp(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

// The nearest point of a segment from a to b, as the share of b.
static double NearestOnSegment(qvVec3 p, qvVec3 a, qvVec3 b)
{
    qvVec3 along = qvSub(b, a);
    double length2 = qvDot(along, along);
    return length2 > 0.0 ? Clamp(qvDot(qvSub(p, a), along) / length2) : 0.0;
}

// Inside the triangle when the foot of the perpendicular is; otherwise on the nearest of its edges.
static void NearestOnTriangle(qvVec3 p, const qvVec3 x[3], double weights[3])
{
    qvVec3 u = qvSub(x[1], x[0]), v = qvSub(x[2], x[0]), w = qvSub(p, x[0]), n = qvCross(u, v);
    double area2 = qvDot(n, n);
    if (area2 > 0.0)
    {
        weights[1] = qvDot(qvCross(w, v), n) / area2;
        weights[2] = qvDot(qvCross(u, w), n) / area2;
        weights[0] = 1.0 - weights[1] - weights[2];
        if (weights[0] >= 0.0 && weights[1] >= 0.0 && weights[2] >= 0.0)
            return;
    }
    double best = INFINITY;
    for (int k = 0; k < 3; k++)
    {
        int next = (k + 1) % 3;
        double share = NearestOnSegment(p, x[k], x[next]);
        double distance = qvDistance(p, qvMulAdd(x[k], share, qvSub(x[next], x[k])));
        if (distance < best)
        {
            best = distance;
            weights[k] = 1.0 - share, weights[next] = share, weights[3 - k - next] = 0.0;
        }
    }
}

static qvVec3 Weighted(const qvVec3f* points, const qvTriangle* triangle, const double weights[3])
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3; k++)
        sum = qvMulAdd(sum, weights[k], qvVec3_FromFloat(points[triangle->v[k]]));
    return sum;
}

static Foot FindFoot(const qvBody* body, qvVec3 at)
{
    const qvTopology* topology = body->topology;
    double longest = ((const qvLoadedBody*)body)->longest;
    Foot best = { .triangle = -1, .distance2 = INFINITY };
    double reach2 = INFINITY; // a triangle with a corner farther than this is out of the question
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const qvTriangle* triangle = &topology->triangles[t];
        qvVec3 first = qvSub(qvVec3_FromFloat(body->rest[triangle->v[0]]), at);
        if (qvDot(first, first) > reach2)
            continue;
        qvVec3 x[3];
        for (int k = 0; k < 3; k++)
            x[k] = qvVec3_FromFloat(body->rest[triangle->v[k]]);
        Foot foot = { .triangle = t };
        NearestOnTriangle(at, x, foot.weights);
        foot.at = Weighted(body->rest, triangle, foot.weights);
        qvVec3 off = qvSub(at, foot.at);
        foot.distance2 = qvDot(off, off);
        if (foot.distance2 < best.distance2)
        {
            best = foot;
            double reach = sqrt(best.distance2) + longest;
            reach2 = reach * reach;
        }
    }
    return best;
}

// linear (C + s I) = B + s I, with C symmetric and positive.
static void SolveLinear(const qvMat3* b, const qvMat3* c, double s, qvMat3* linear)
{
    qvAffine system;
    memcpy(system.linear, c->m, sizeof(c->m));
    for (int k = 0; k < 3; k++)
        system.linear[k][k] += s;
    qvAffine cofactors = qvAffine_Cofactors(&system);
    qvMat3 right = *b, shifted, inverse;
    memcpy(shifted.m, system.linear, sizeof(shifted.m));
    double determinant = qvMat3_Determinant(&shifted);
    for (int k = 0; k < 9; k++)
        inverse.m[k / 3][k % 3] = cofactors.linear[k % 3][k / 3] / determinant;
    for (int k = 0; k < 3; k++)
        right.m[k][k] += s;
    *linear = qvMat3_Product(&right, &inverse);
}

// The affine fit about `at`; at is not on a point.
static void Fit(const qvBody* body, const qvVec3f* points, qvVec3 at, qvVec3* moved, qvMat3* linear)
{
    const double* masses = ((const qvLoadedBody*)body)->masses;
    int n = body->mesh->pointCount;
    double sum = 0.0;
    qvVec3 from = { 0.0, 0.0, 0.0 }, to = from;
    qvMat3 b = { { { 0.0 } } }, c = b;
    for (int i = 0; i < n; i++)
    {
        // Sums about `at` and about the rest position, so that little cancels.
        qvVec3 r = qvSub(qvVec3_FromFloat(body->rest[i]), at), x = qvSub(qvVec3_FromFloat(points[i]), at);
        double d2 = qvDot(r, r), weight = masses[i] / (d2 * d2);
        sum += weight;
        from = qvMulAdd(from, weight, r), to = qvMulAdd(to, weight, x);
        qvMat3 xr = qvMat3_Outer(x, r), rr = qvMat3_Outer(r, r);
        b = qvMat3_MulAdd(&b, weight, &xr), c = qvMat3_MulAdd(&c, weight, &rr);
    }
    from = qvScale(1.0 / sum, from), to = qvScale(1.0 / sum, to);
    qvMat3 xr = qvMat3_Outer(to, from), rr = qvMat3_Outer(from, from);
    b = qvMat3_MulAdd(&b, -sum, &xr), c = qvMat3_MulAdd(&c, -sum, &rr);
    SolveLinear(&b, &c, STIFFNESS * qvMat3_Trace(&c), linear);
    *moved = qvSub(qvAdd(at, to), qvMat3_Apply(linear, from));
}

static bool IsFinite(qvVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

qvVec3 qvBody_Carry(const qvBody* body, const qvVec3f* points, qvVec3 at)
{
    if (memcmp(points, body->rest, (size_t)body->mesh->pointCount * sizeof(*points)) == 0)
        return at;
    Foot foot = FindFoot(body, at);
    const qvTriangle* triangle = &body->topology->triangles[foot.triangle];
    qvVec3 surface = Weighted(points, triangle, foot.weights), off = qvSub(at, foot.at);
    double distance = sqrt(foot.distance2);
    if (distance < 1e-6 * body->diagonal)
        return qvAdd(surface, off);
    qvVec3 smooth;
    qvMat3 linear;
    Fit(body, points, at, &smooth, &linear);
    if (!IsFinite(smooth)) // so far away that its distances overflow
        return qvAdd(surface, off);
    surface = qvAdd(surface, qvMat3_Apply(&linear, off));
    // From the surface to one edge's length away, one way of carrying goes over into the other.
    double edge = 0.0;
    for (int k = 0; k < 3; k++)
        edge = fmax(edge, qvDistance(qvVec3_FromFloat(body->rest[triangle->v[k]]),
                                     qvVec3_FromFloat(body->rest[triangle->v[(k + 1) % 3]])));
    double u = Clamp(distance / edge), share = u * u * (3.0 - 2.0 * u);
    return qvMulAdd(surface, share, qvSub(smooth, surface));
}

// The way of the nearest point, back.
static qvVec3 GuessRest(const qvBody* body, const qvVec3f* points, qvVec3 at)
{
    int nearest = 0;
    double best = INFINITY;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        double distance = qvDistance(qvVec3_FromFloat(points[i]), at);
        nearest = distance < best ? i : nearest;
        best = fmin(distance, best);
    }
    return qvAdd(at, qvSub(qvVec3_FromFloat(body->rest[nearest]), qvVec3_FromFloat(points[nearest])));
}

// How places near one are carried, by differences.
static qvMat3 CarryGradient(const qvBody* body, const qvVec3f* points, qvVec3 at)
{
    double h = 1e-4 * body->diagonal;
    qvMat3 gradient;
    for (int k = 0; k < 3; k++)
    {
        qvVec3 step = qvMakeVec3(k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0);
        qvVec3 to = qvBody_Carry(body, points, qvAdd(at, step)), from = qvBody_Carry(body, points, qvSub(at, step));
        qvVec3 slope = qvScale(0.5 / h, qvSub(to, from));
        gradient.m[0][k] = slope.x, gradient.m[1][k] = slope.y, gradient.m[2][k] = slope.z;
    }
    return gradient;
}

// Newton's method; a step that does not come nearer is halved.
qvVec3 qvBody_CarryBack(const qvBody* body, const qvVec3f* points, qvVec3 at)
{
    qvVec3 rest = GuessRest(body, points, at);
    qvVec3 miss = qvSub(at, qvBody_Carry(body, points, rest));
    for (int round = 0; round < 12 && qvLength(miss) > 1e-7 * body->diagonal; round++)
    {
        qvMat3 gradient = CarryGradient(body, points, rest), inverse = qvMat3_Inverse(&gradient);
        qvVec3 step = qvMat3_Apply(&inverse, miss), next = rest, left = miss;
        if (!IsFinite(step))
            break;
        for (int k = 0; k < 6; k++, step = qvScale(0.5, step))
        {
            next = qvAdd(rest, step);
            left = qvSub(at, qvBody_Carry(body, points, next));
            if (qvLength(left) < qvLength(miss))
                break;
        }
        if (!(qvLength(left) < qvLength(miss)))
            break;
        rest = next;
        miss = left;
    }
    return rest;
}
