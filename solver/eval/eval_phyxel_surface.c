// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family H: the surface of a cloud of phyxels, and contact.
#include "eval/eval_phyxel.h"

#include "body/triangle.h"
#include "phyxel/blob.h"
#include "phyxel/contact.h"
#include "phyxel/kernel.h"
#include "phyxel/surfel.h"

#include <math.h>
#include <string.h>

static void RunAdvance(qvEvalCase* c)
{
    qvEvalCloud cloud;
    qvVec3 x = qvEvalCase_Point(c, "x_surfel");
    qvVec3 tangents[2] = { qvEvalCase_Point(c, "t1"), qvEvalCase_Point(c, "t2") };
    double h = qvEvalCase_Number(c, "h_surfel", 1e-30, 1e30);
    if (!qvEvalCase_Cloud(c, &cloud))
        return;
    qvVec3* u = qvEvalCase_Points(c, "u", cloud.count);
    qvMat3* gradients = qvEvalCase_Allocate(c, cloud.count, sizeof(qvMat3));
    if (qvEvalCase_IsOk(c))
    {
        qvCloud_Gradients(&cloud.cloud, u, gradients);
        qvVec3 moved = qvSurfel_Displacement(cloud.count, cloud.x, u, gradients, x, h);
        for (int k = 0; k < 2; k++)
        {
            qvVec3 tip = qvAdd(x, tangents[k]);
            qvVec3 tipMoved = qvSurfel_Displacement(cloud.count, cloud.x, u, gradients, tip, h);
            tangents[k] = qvAdd(tangents[k], qvSub(tipMoved, moved));
        }
        qvEvalCase_AddPoint(c, "x_new", qvAdd(x, moved));
        qvEvalCase_AddPoint(c, "t1_new", tangents[0]);
        qvEvalCase_AddPoint(c, "t2_new", tangents[1]);
        qvEvalCase_AddPoint(c, "normal_new", qvNormalize(qvCross(tangents[0], tangents[1])));
    }
    qvCloud_Free(&cloud.cloud);
}

static void RunTopology(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "x_prev"), near;
    qvVec3 *before = qvEvalCase_Points(c, "x_prev", n), *now = qvEvalCase_Points(c, "x_now", n);
    qvVec3 x = qvEvalCase_Point(c, "x_surfel");
    double h = qvEvalCase_Number(c, "h", 1e-30, 1e30), radius = qvEvalCase_Number(c, "h_surfel", 1e-30, 1e30);
    double weight = qvEvalCase_Number(c, "lam", 0.0, 1e30);
    double* old = qvEvalCase_Allocate(c, n, sizeof(double));
    double* current = qvEvalCase_Allocate(c, n, sizeof(double));
    if (!qvEvalCase_IsOk(c))
        return;
    qvBoundaryProbabilities(before, n, h, old);
    qvBoundaryProbabilities(now, n, h, current);
    qvJson_AddNumbers(c->out, "P_prev", old, n);
    qvJson_AddNumbers(c->out, "P_now", current, n);
    qvJson_AddNumber(c->out, "dGamma", qvTopologyChange(now, n, old, current, x, radius, weight, &near));
    qvJson_AddNumber(c->out, "neighbours_now", near);
}

static void RunDetailBlend(qvEvalCase* c)
{
    double first = qvEvalCase_Number(c, "s0", -1e30, 1e30), previous = qvEvalCase_Number(c, "s_prev", -1e30, 1e30);
    double iso = qvEvalCase_Number(c, "S", -1e30, 1e30), change = qvEvalCase_Number(c, "dGamma_tot", 0.0, 1e30);
    double value, share;
    qvDetailBlend(first, previous, iso, change, &value, &share);
    qvJson_AddNumber(c->out, "s_tilde", value);
    qvJson_AddNumber(c->out, "b_I", share);
}

static void RunRepulsion(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "x");
    qvVec3 *x = qvEvalCase_Points(c, "x", n), *normals = qvEvalCase_Points(c, "normal", n);
    qvVec3* moved = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    double radius = qvEvalCase_Number(c, "radius", 1e-30, 1e30);
    double strength = qvEvalCase_Number(c, "strength", 0.0, 1e30);
    if (!qvEvalCase_IsOk(c))
        return;
    qvRepelSurfels(x, normals, n, radius, strength, moved);
    qvEvalCase_AddPoints(c, "x_new", moved, n);
}

static void RunResample(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "k"), fewest = qvEvalCase_Int(c, "min_nb", 0, 1000000);
    int most = qvEvalCase_Int(c, "max_nb", 1, 1000000), split;
    double *k = qvEvalCase_Numbers(c, "k", n), *splits = qvEvalCase_Allocate(c, n, sizeof(double));
    double* probabilities = qvEvalCase_Allocate(c, n, sizeof(double));
    if (!qvEvalCase_IsOk(c))
        return;
    for (int i = 0; i < n; i++)
    {
        qvResampleRule((int)fmin(fmax(k[i], 0.0), 1e6), fewest, most, &split, &probabilities[i]);
        splits[i] = split;
    }
    qvJson_AddNumbers(c->out, "split", splits, n);
    qvJson_AddNumbers(c->out, "delete_probability", probabilities, n);
}

static void RunBlobProject(qvEvalCase* c)
{
    int n = qvEvalCase_Count(c, "x");
    qvVec3 *x = qvEvalCase_Points(c, "x", n), p = qvEvalCase_Point(c, "p"), gradient, projected;
    double iso = qvEvalCase_Number(c, "S", 1e-30, 1e30), blobiness = qvEvalCase_Number(c, "B", -100.0, 0.0);
    double radius = qvEvalCase_Number(c, "R", 1e-30, 1e30), distance;
    if (!qvEvalCase_IsOk(c))
        return;
    qvBlobs blobs = qvMakeBlobs(x, n, iso, blobiness, radius);
    qvJson_AddNumber(c->out, "F", qvBlobs_Field(&blobs, p, &gradient));
    qvEvalCase_AddPoint(c, "grad", gradient);
    if (!qvBlobs_Project(&blobs, p, &distance, &projected))
    {
        qvEvalCase_Fail(c, "in.p: no surface along the gradient");
        return;
    }
    qvJson_AddNumber(c->out, "distance_along_gradient", distance);
    qvEvalCase_AddPoint(c, "x_projected", projected);
}

// --- Contact ---------------------------------------------------------------------------------------------------------

// Distance and normal of a plane, a ball or the inside of one; reads its fields from the case's member "obstacle".
static double ObstacleDistance(qvEvalCase* c, const char* kind, qvVec3 y, qvVec3* normal)
{
    if (strcmp(kind, "plane") == 0)
    {
        *normal = qvEvalCase_Point(c, "n");
        return qvDot(*normal, y) - qvEvalCase_Number(c, "offset", -1e30, 1e30);
    }
    bool isInside = strcmp(kind, "inside_sphere") == 0;
    if (!isInside && strcmp(kind, "sphere") != 0)
        qvEvalCase_Fail(c, "in.obstacle.kind: must be \"plane\", \"sphere\" or \"inside_sphere\"");
    qvVec3 d = qvSub(y, qvEvalCase_Point(c, "center"));
    double radius = qvEvalCase_Number(c, "radius", 0.0, 1e30);
    *normal = qvScale(isInside ? -1.0 : 1.0, qvNormalize(d));
    return isInside ? radius - qvLength(d) : qvLength(d) - radius;
}

static void RunObstacle(qvEvalCase* c)
{
    qvVec3 y = qvEvalCase_Point(c, "y"), v = qvEvalCase_Point(c, "v"), normal = { 0.0, 0.0, 0.0 };
    double dt = qvEvalCase_Number(c, "dt", 1e-30, 1e30), margin = qvEvalCase_Number(c, "margin", 0.0, 1e30);
    const qvJson* whole = c->in;
    c->in = qvJson_Find(whole, "obstacle");
    double friction = qvEvalCase_Number(c, "friction", 0.0, 1e30);
    double depth = ObstacleDistance(c, qvEvalCase_Text(c, "kind"), qvMulAdd(y, dt, v), &normal) - margin;
    c->in = whole;
    if (!qvEvalCase_IsOk(c))
        return;
    v = qvProjectVelocity(v, depth, normal, friction, dt);
    qvJson_AddNumber(c->out, "phi_predicted", depth);
    qvEvalCase_AddPoint(c, "v_new", v);
    qvEvalCase_AddPoint(c, "y_new", qvMulAdd(y, dt, v));
}

// The solid angle of a triangle (A. Van Oosterom, J. Strackee, "The solid angle of a plane triangle", 1983) over that
// of the whole sphere.
static double Winding(qvVec3 a, qvVec3 b, qvVec3 d)
{
    double la = qvLength(a), lb = qvLength(b), ld = qvLength(d);
    double below = la * lb * ld + qvDot(a, b) * ld + qvDot(b, d) * la + qvDot(d, a) * lb;
    return 2.0 * atan2(qvDot(a, qvCross(b, d)), below) / (4.0 * QV_PI);
}

static void RunMeshDistance(qvEvalCase* c)
{
    int vertexCount = qvEvalCase_Count(c, "vertices"), count = qvEvalCase_Count(c, "triangles");
    int n = qvEvalCase_Count(c, "points");
    qvVec3 *vertices = qvEvalCase_Points(c, "vertices", vertexCount), *points = qvEvalCase_Points(c, "points", n);
    qvVec3 *corners = qvEvalCase_Points(c, "triangles", count), *closest = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    double* winding = qvEvalCase_Allocate(c, n, sizeof(double));
    double* distances = qvEvalCase_Allocate(c, n, sizeof(double));
    for (int i = 0; qvEvalCase_IsOk(c) && i < 3 * count; i++)
    {
        double corner = (&corners[i / 3].x)[i % 3];
        if (!(corner >= 0.0 && corner < vertexCount))
            qvEvalCase_Fail(c, "in.triangles[%d]: must be three numbers of vertices", i / 3);
    }
    for (int i = 0; qvEvalCase_IsOk(c) && i < n; i++)
    {
        distances[i] = INFINITY;
        for (int t = 0; t < count; t++)
        {
            qvVec3 v[3] = { vertices[(int)corners[t].x], vertices[(int)corners[t].y], vertices[(int)corners[t].z] };
            qvVec3 q = qvClosestOnTriangle(points[i], v[0], v[1], v[2]);
            winding[i] += Winding(qvSub(v[0], points[i]), qvSub(v[1], points[i]), qvSub(v[2], points[i]));
            if (qvDistance(q, points[i]) < distances[i])
            {
                distances[i] = qvDistance(q, points[i]);
                closest[i] = q;
            }
        }
        distances[i] = winding[i] > 0.5 ? -distances[i] : distances[i];
    }
    if (!qvEvalCase_IsOk(c))
        return;
    qvJson_AddNumbers(c->out, "signed_distance", distances, n);
    qvEvalCase_AddPoints(c, "closest", closest, n);
    qvJson_AddNumbers(c->out, "winding", winding, n);
}

EVAL_CASE_OP(RunAdvance)
EVAL_CASE_OP(RunTopology)
EVAL_CASE_OP(RunDetailBlend)
EVAL_CASE_OP(RunRepulsion)
EVAL_CASE_OP(RunResample)
EVAL_CASE_OP(RunBlobProject)
EVAL_CASE_OP(RunObstacle)
EVAL_CASE_OP(RunMeshDistance)

static const qvEvalOp ops[] = {
    { "surfel_advance", OpRunAdvance },    { "topology_change", OpRunTopology },   { "detail_blend", OpRunDetailBlend },
    { "repulsion", OpRunRepulsion },       { "resample_rule", OpRunResample },     { "blob_project", OpRunBlobProject },
    { "obstacle_project", OpRunObstacle }, { "mesh_distance", OpRunMeshDistance },
};

const qvEvalTable qvEvalPhyxelSurface = { ops, sizeof(ops) / sizeof(ops[0]) };
