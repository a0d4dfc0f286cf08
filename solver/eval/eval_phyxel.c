// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family E: the formulas of point-based elasticity as the paper has them (phyxel/cloud.h), with its
// strain J^T J - I, which makes a material of Young modulus 4 E.
#include "eval/eval_phyxel.h"

#include "phyxel/blob.h"
#include "phyxel/kernel.h"
#include "phyxel/plastic.h"
#include "phyxel/surfel.h"

static const double PAPERS_FACTOR = 4.0;

static void RunKernel(qvEvalCase* c)
{
    double r = qvEvalCase_Number(c, "r", 0.0, 1e30), h = qvEvalCase_Number(c, "h", 1e-30, 1e30);
    qvJson_AddNumber(c->out, "W", qvKernel(r * r, h));
}

static qvMat3 TotalStrain(const qvMat3* j)
{
    qvMat3 t = qvMat3_Transpose(j), strain = qvMat3_Product(&t, j);
    for (int k = 0; k < 3; k++)
        strain.m[k][k] -= 1.0;
    return strain;
}

static void AddCloud(qvEvalCase* c, const qvEvalCloud* cloud, const qvPhyxelMaterial* material, const qvMat3* plastic,
                     const qvVec3* u, const qvVec3* dx)
{
    int n = cloud->count;
    qvMat3* gradients = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    qvMat3* matrices = qvEvalCase_Allocate(c, n, sizeof(qvMat3));
    qvVec3* vectors = qvEvalCase_Allocate(c, n, sizeof(qvVec3));
    double* determinants = qvEvalCase_Allocate(c, n, sizeof(double));
    if (!qvEvalCase_IsOk(c))
        return;
    qvCloud_Deformation(&cloud->cloud, u, gradients);
    for (int i = 0; i < n; i++)
    {
        matrices[i] = TotalStrain(&gradients[i]);
        determinants[i] = qvMat3_Determinant(&gradients[i]);
    }
    qvJson_AddNumbers(c->out, "rho", cloud->cloud.density, n);
    qvJson_AddNumbers(c->out, "v", cloud->cloud.volume, n);
    qvEvalCase_AddMatrices(c, "J", gradients, n);
    qvEvalCase_AddMatrices(c, "strain", matrices, n);
    qvJson_AddNumbers(c->out, "detJ", determinants, n);
    qvJson_AddNumber(c->out, "energy", qvCloud_Forces(&cloud->cloud, material, plastic, u, gradients, vectors));
    qvEvalCase_AddPoints(c, "force", vectors, n);
    qvCloud_StiffnessTimes(&cloud->cloud, material, plastic, gradients, dx, matrices, vectors);
    qvEvalCase_AddPoints(c, "K_times_dx", vectors, n);
}

static void RunCloud(qvEvalCase* c)
{
    qvEvalCloud cloud;
    qvPhyxelMaterial material = qvEvalCase_Material(c, qv_phyxelStvk, PAPERS_FACTOR);
    if (!qvEvalCase_Cloud(c, &cloud))
        return;
    qvMat3* plastic = qvEvalCase_IsNull(c, "plastic") ? NULL : qvEvalCase_Matrices(c, "plastic", cloud.count);
    qvVec3 *u = qvEvalCase_Points(c, "u", cloud.count), *dx = qvEvalCase_Points(c, "dx", cloud.count);
    if (qvEvalCase_IsOk(c))
        AddCloud(c, &cloud, &material, plastic, u, dx);
    qvCloud_Free(&cloud.cloud);
}

static void RunSurfel(qvEvalCase* c)
{
    qvEvalCloud cloud;
    qvVec3 x = qvEvalCase_Point(c, "x_surfel");
    double h = qvEvalCase_Number(c, "h_surfel", 1e-30, 1e30);
    if (!qvEvalCase_Cloud(c, &cloud))
        return;
    qvVec3* u = qvEvalCase_Points(c, "u", cloud.count);
    qvMat3* gradients = qvEvalCase_Allocate(c, cloud.count, sizeof(qvMat3));
    if (qvEvalCase_IsOk(c))
    {
        qvCloud_Gradients(&cloud.cloud, u, gradients);
        qvEvalCase_AddPoint(c, "u_surfel", qvSurfel_Displacement(cloud.count, cloud.x, u, gradients, x, h));
    }
    qvCloud_Free(&cloud.cloud);
}

static void RunBoundary(qvEvalCase* c)
{
    int count = qvEvalCase_Count(c, "points");
    qvVec3* points = qvEvalCase_Points(c, "points", count);
    if (qvEvalCase_IsOk(c))
        qvJson_AddNumber(c->out, "P", qvBoundaryProbability(points, count));
}

// The volume term alone is what is left of the whole without E.
static void RunForce(qvEvalCase* c)
{
    double v = qvEvalCase_Number(c, "v", 0.0, 1e30);
    qvPhyxelMaterial material = qvEvalCase_Material(c, qv_phyxelStvk, PAPERS_FACTOR), elastic = material;
    qvMat3 j = qvEvalCase_Matrix(c, "J"), strain = TotalStrain(&j), block;
    qvVec3 *d = qvEvalCase_Points(c, "d", 4), f[4];
    if (!qvEvalCase_IsOk(c))
        return;
    elastic.volume = 0.0;
    qvMat3 stress = qvMat3_Scaled(2.0 * material.mu / PAPERS_FACTOR, &strain);
    for (int k = 0; k < 3; k++)
        stress.m[k][k] += material.lambda / PAPERS_FACTOR * qvMat3_Trace(&strain);
    qvMat3 p = qvPhyxelMaterial_Stress(&elastic, &j, NULL), whole = qvPhyxelMaterial_Stress(&material, &j, NULL);
    qvMat3 fe = qvMat3_Scaled(-v, &p), fv = qvMat3_MulAdd(&p, -1.0, &whole);
    fv = qvMat3_Scaled(v, &fv);
    whole = qvMat3_Scaled(-v, &whole);
    for (int k = 0; k < 4; k++)
        f[k] = qvMat3_Apply(&whole, d[k]);
    for (int axis = 0; axis < 3; axis++)
    {
        qvVec3 unit = qvMakeVec3(axis == 0, axis == 1, axis == 2);
        qvMat3 change = qvMat3_Outer(unit, d[1]), dp = qvPhyxelMaterial_StressChange(&material, &j, NULL, &change);
        qvVec3 column = qvScale(-v, qvMat3_Apply(&dp, d[0]));
        block.m[0][axis] = column.x;
        block.m[1][axis] = column.y;
        block.m[2][axis] = column.z;
    }
    qvEvalCase_AddMatrix(c, "strain", &strain);
    qvEvalCase_AddMatrix(c, "stress", &stress);
    qvEvalCase_AddMatrix(c, "F_e", &fe);
    qvEvalCase_AddMatrix(c, "F_v", &fv);
    qvEvalCase_AddPoints(c, "f", f, 4);
    qvEvalCase_AddMatrix(c, "K_block_k0_l1", &block);
}

static void RunOBrien(qvEvalCase* c)
{
    qvMat3 strain = qvEvalCase_Matrix(c, "strain"), plastic = qvEvalCase_Matrix(c, "plastic");
    double yield = qvEvalCase_Number(c, "gamma1_yield", 0.0, 1e30);
    double largest = qvEvalCase_Number(c, "gamma2_max", 0.0, 1e30);
    plastic = qvPlastic_OBrien(&strain, &plastic, yield, largest);
    qvEvalCase_AddMatrix(c, "plastic_new", &plastic);
}

static void RunCreep(qvEvalCase* c)
{
    qvMat3 strain = qvEvalCase_Matrix(c, "strain"), plastic = qvEvalCase_Matrix(c, "plastic");
    double yield = qvEvalCase_Number(c, "c_yield", 0.0, 1e30), creep = qvEvalCase_Number(c, "c_creep", 0.0, 1e30);
    double largest = qvEvalCase_Number(c, "c_max", 0.0, 1e30), dt = qvEvalCase_Number(c, "dt", 0.0, 1e30);
    plastic = qvPlastic_Creep(&strain, &plastic, yield, creep, largest, dt);
    qvEvalCase_AddMatrix(c, "plastic_new", &plastic);
}

static void RunBlob(qvEvalCase* c)
{
    qvVec3 origin = { 0.0, 0.0, 0.0 };
    double iso = qvEvalCase_Number(c, "S", 0.0, 1e30), blobiness = qvEvalCase_Number(c, "B", -100.0, 0.0);
    double radius = qvEvalCase_Number(c, "R", 1e-30, 1e30), r = qvEvalCase_Number(c, "r", 0.0, 1e30);
    qvBlobs blobs = qvMakeBlobs(&origin, 1, iso, blobiness, radius);
    qvJson_AddNumber(c->out, "a", blobs.a);
    qvJson_AddNumber(c->out, "b", blobs.b);
    qvJson_AddNumber(c->out, "f", qvBlobs_Field(&blobs, qvMakeVec3(r, 0.0, 0.0), NULL));
    qvJson_AddNumber(c->out, "f_at_R", qvBlobs_Field(&blobs, qvMakeVec3(radius, 0.0, 0.0), NULL));
}

EVAL_CASE_OP(RunKernel)
EVAL_CASE_OP(RunCloud)
EVAL_CASE_OP(RunSurfel)
EVAL_CASE_OP(RunBoundary)
EVAL_CASE_OP(RunForce)
EVAL_CASE_OP(RunOBrien)
EVAL_CASE_OP(RunCreep)
EVAL_CASE_OP(RunBlob)

static const qvEvalOp ops[] = {
    { "kernel", OpRunKernel },       { "cloud", OpRunCloud },
    { "surfel", OpRunSurfel },       { "boundary_probability", OpRunBoundary },
    { "phyxel_force", OpRunForce },  { "plastic_obrien2002", OpRunOBrien },
    { "plastic_creep", OpRunCreep }, { "blob_field", OpRunBlob },
};

const qvEvalTable qvEvalPhyxel = { ops, sizeof(ops) / sizeof(ops[0]) };
