// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4, on the reduced model (bem/system.h): the compliance of a step's blocks
// and its solution.
//   A_b          of the blocks on body b: Y Y^T + residual compliance
//   Y            [3 blocks x 6 rigid motions and modes]
//   lambda       forces of the blocks along their rows
// Pins and joints are eliminated exactly; contacts are solved by projected Gauss-Seidel on what is left.
#include "bem/system_blocks.h"

#include "bem/pgs.h"
#include "math/blas.h"
#include "math/dense_lu.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Compliance -----------------------------------------------------------------------------------------------------

// A lower triangle l with l l^T = m.
static qvMat3 RootOf(const qvMat3* m)
{
    qvMat3 l = { { { 0.0 } } };
    for (int j = 0; j < 3; j++)
    {
        for (int i = j; i < 3; i++)
        {
            double sum = m->m[i][j];
            for (int k = 0; k < j; k++)
                sum -= l.m[i][k] * l.m[j][k];
            l.m[i][j] = i == j ? sqrt(sum) : sum / l.m[j][j];
        }
    }
    return l;
}

// Which blocks are on which body.
static qvResult FillGroups(qvBemStep* step, qvError* error)
{
    int bodies = step->system->def.bodyCount;
    for (int b = 0; b < bodies; b++)
        step->groups[b].count = 0;
    for (int i = 0; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        for (int e = 0; e < block->endCount; e++)
        {
            qvBemGroup* group = &step->groups[block->ends[e].body];
            if (group->count > 0 && group->blocks[group->count - 1] == i)
                continue;
            if (group->count == group->capacity)
            {
                if (!qvReserve(&group->blocks, &group->capacity, group->count + 1, sizeof(int32_t)))
                    return qvError_OutOfMemory(error, 4.0 * group->count);
                free(group->a);
                group->a = NULL;
            }
            group->blocks[group->count++] = i;
        }
    }
    return qv_ok;
}

// Adds what one end of a block gives to its three rows of Y.
static void AddEnd(const qvBemStep* step, const qvBemBlock* block, const qvBemEnd* end, int rows, double* y)
{
    const qvBemBody* body = &step->system->bodies[end->body];
    const double* own = step->before + body->start;
    double h = step->system->step;
    size_t tall = 3 * (size_t)body->vertexCount;
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation), root = RootOf(&body->inverse);
    qvMat3 turn = qvMat3_Product(&rotation, &root); // I_w^-1 = (R l)(R l)^T
    qvVec3 arm = qvSub(block->place, qvBemGet(own + qv_statePlace));
    for (int k = 0; k < 3; k++)
    {
        double *row = y + k, w = end->weight;
        qvVec3 d = block->dir[k], local = qvMat3_Apply(&back, d), moment = qvCross(arm, d);
        const double axis[3] = { d.x, d.y, d.z }, m[3] = { moment.x, moment.y, moment.z };
        for (int c = 0; c < 3; c++)
        {
            row[(size_t)c * (size_t)rows] += w * h / sqrt(body->mass) * axis[c];
            row[(size_t)(3 + c) * (size_t)rows] +=
                w * h * (m[0] * turn.m[0][c] + m[1] * turn.m[1][c] + m[2] * turn.m[2][c]);
        }
        for (int c = 0; c < body->answering; c++)
        {
            const double* phi = body->model->modes + (size_t)c * tall + 3 * (size_t)end->vertex;
            double gain = sqrt(fmax(h * body->oscillators[c].a12, 0.0) / body->def.density);
            row[(size_t)(6 + c) * (size_t)rows] += w * gain * (phi[0] * local.x + phi[1] * local.y + phi[2] * local.z);
        }
    }
}

// Adds what the frame and the modes of a body give.
static qvResult AddModes(const qvBemStep* step, qvBemGroup* group, qvError* error)
{
    int rows = 3 * group->count, columns = step->system->bodies[group->body].answering + 6;
    double* y = qvAllocate((size_t)rows * (size_t)columns, sizeof(double)); // column-major
    if (y == NULL)
        return qvError_OutOfMemory(error, 8.0 * rows * columns);
    for (int i = 0; i < group->count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[group->blocks[i]];
        for (int e = 0; e < block->endCount; e++)
        {
            if (block->ends[e].body == group->body)
                AddEnd(step, block, &block->ends[e], rows, y + 3 * i);
        }
    }
    qvBlas_Multiply(false, true, rows, rows, columns, 1.0, y, rows, y, rows, 1.0, group->a, rows);
    free(y);
    return qv_ok;
}

// Adds the residual compliance between two blocks of a group; local: their rows in the body's axes.
static void AddResidual(const qvBemStep* step, qvBemGroup* group, int i, int j, const qvVec3* local)
{
    const qvBemBlock *bi = &step->blocks.items[group->blocks[i]], *bj = &step->blocks.items[group->blocks[j]];
    const qvBemBody* body = &step->system->bodies[group->body];
    size_t tall = 3 * (size_t)body->vertexCount, rows = 3 * (size_t)group->count;
    double c[9] = { 0.0 }; // of the two vertices, or of the mixtures that the ends are
    for (int ei = 0; ei < bi->endCount; ei++)
    {
        for (int ej = 0; ej < bj->endCount; ej++)
        {
            if (bi->ends[ei].body != group->body || bj->ends[ej].body != group->body)
                continue;
            double scale = bi->ends[ei].weight * bj->ends[ej].weight / body->shear;
            const float* from =
                body->residual + 3 * (size_t)bi->ends[ei].vertex * tall + 3 * (size_t)bj->ends[ej].vertex;
            for (int k = 0; k < 9; k++)
                c[k] += scale * from[(size_t)(k / 3) * tall + (size_t)(k % 3)];
        }
    }
    for (int k = 0; k < 3; k++)
    {
        qvVec3 right = local[3 * j + k];
        qvVec3 u = qvMakeVec3(c[0] * right.x + c[1] * right.y + c[2] * right.z,
                              c[3] * right.x + c[4] * right.y + c[5] * right.z,
                              c[6] * right.x + c[7] * right.y + c[8] * right.z);
        for (int l = 0; l < 3; l++)
        {
            double value = qvDot(local[3 * i + l], u);
            group->a[(3 * (size_t)i + (size_t)l) * rows + 3 * (size_t)j + (size_t)k] += value;
            if (i != j)
                group->a[(3 * (size_t)j + (size_t)k) * rows + 3 * (size_t)i + (size_t)l] += value;
        }
    }
}

static qvResult BuildGroup(const qvBemStep* step, qvBemGroup* group, qvError* error)
{
    size_t rows = 3 * (size_t)group->count;
    const qvBemBody* body = &step->system->bodies[group->body];
    qvMat3 rotation = qvBemRotation(step->after + body->start), back = qvMat3_Transpose(&rotation);
    qvVec3* local = qvAllocateRaw(rows, sizeof(*local));
    if (group->a == NULL)
        group->a = qvAllocateRaw(9 * (size_t)group->capacity * (size_t)group->capacity, sizeof(double));
    qvResult result =
        local != NULL && group->a != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * (double)(rows * rows));
    if (result == qv_ok)
    {
        memset(group->a, 0, rows * rows * sizeof(double));
        result = AddModes(step, group, error);
    }
    for (int i = 0; result == qv_ok && i < group->count; i++)
    {
        for (int k = 0; k < 3; k++)
            local[3 * i + k] = qvMat3_Apply(&back, step->blocks.items[group->blocks[i]].dir[k]);
        for (int j = 0; j <= i; j++)
            AddResidual(step, group, i, j, local);
    }
    free(local);
    return result;
}

qvResult qvBemStep_BuildCompliance(qvBemStep* step, qvError* error)
{
    size_t rows = 3 * (size_t)step->blocks.count;
    free(step->right);
    step->right = qvAllocate(3 * rows, sizeof(double));
    if (step->right == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)rows);
    step->r = step->right + rows;
    step->friction = step->r + rows;
    qvResult result = FillGroups(step, error);
    for (int b = 0; result == qv_ok && b < step->system->def.bodyCount; b++)
    {
        if (step->groups[b].count > 0)
            result = BuildGroup(step, &step->groups[b], error);
    }
    return result;
}

void qvBemStep_AddCompliance(const qvBemStep* step, double sign, double* r)
{
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemGroup* group = &step->groups[b];
        int rows = 3 * group->count;
        for (int j = 0; j < rows; j++)
        {
            double force = sign * step->blocks.items[group->blocks[j / 3]].lambda[j % 3];
            const double* column = group->a + (size_t)j * (size_t)rows;
            for (int i = 0; force != 0.0 && i < rows; i++)
                r[3 * group->blocks[i / 3] + i % 3] += force * column[i];
        }
    }
}

// --- Pins and joints ------------------------------------------------------------------------------------------------

// What is left for the contacts once pins and joints are taken out.
typedef struct Reduced
{
    double* all;    // A [3 blocks][3 blocks]
    double* factor; // of its part for pins and joints
    double* solved; // A_bb^-1 [A_bc | r_b]
    double* open;   // A_cc - A_cb A_bb^-1 A_bc
} Reduced;

static bool MakeReduced(const qvBemStep* step, Reduced* reduced)
{
    size_t rows = 3 * (size_t)step->blocks.count, fixed = 3 * (size_t)step->fixedCount, open = rows - fixed;
    reduced->all = qvAllocate(rows * rows + fixed * fixed + fixed * (open + 1) + open * open, sizeof(double));
    if (reduced->all == NULL)
        return false;
    reduced->factor = reduced->all + rows * rows;
    reduced->solved = reduced->factor + fixed * fixed;
    reduced->open = reduced->solved + fixed * (open + 1);
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemGroup* group = &step->groups[b];
        for (int j = 0; j < 3 * group->count; j++)
        {
            double* column = reduced->all + (3 * (size_t)group->blocks[j / 3] + (size_t)(j % 3)) * rows;
            for (int i = 0; i < 3 * group->count; i++)
                column[3 * group->blocks[i / 3] + i % 3] += group->a[(size_t)j * 3 * (size_t)group->count + (size_t)i];
        }
    }
    return true;
}

static qvResult Eliminate(qvBemStep* step, Reduced* reduced, qvError* error)
{
    if (!MakeReduced(step, reduced))
        return qvError_OutOfMemory(error, 144.0 * step->blocks.count * (double)step->blocks.count);
    int rows = 3 * step->blocks.count, fixed = 3 * step->fixedCount, open = rows - fixed;
    double *factor = reduced->factor, *solved = reduced->solved;
    const double* across = reduced->all + (size_t)fixed * (size_t)rows; // [fixed x open], column-major
    for (int j = 0; j < fixed; j++)
        memcpy(factor + (size_t)j * (size_t)fixed, reduced->all + (size_t)j * (size_t)rows,
               (size_t)fixed * sizeof(double));
    if (qvBlas_Cholesky(fixed, factor, fixed) >= 0)
        return qvError_Set(error, qv_notConverged, "pins or joints hold the same point twice; remove one of them");
    for (int j = 0; j < open; j++)
    {
        memcpy(solved + (size_t)j * (size_t)fixed, across + (size_t)j * (size_t)rows, (size_t)fixed * sizeof(double));
        memcpy(reduced->open + (size_t)j * (size_t)open, across + (size_t)j * (size_t)rows + fixed,
               (size_t)open * sizeof(double));
    }
    memcpy(solved + (size_t)open * (size_t)fixed, step->right, (size_t)fixed * sizeof(double));
    qvDense_SolveCholesky(fixed, factor, fixed, open + 1, solved, fixed);
    if (open > 0)
    {
        qvBlas_Multiply(true, false, open, open, fixed, -1.0, across, rows, solved, fixed, 1.0, reduced->open, open);
        qvBlas_Multiply(true, false, open, 1, fixed, -1.0, across, rows, solved + (size_t)open * (size_t)fixed, fixed,
                        1.0, step->right + fixed, open);
    }
    return qv_ok;
}

// Forces of pins and joints under those of the contacts.
static void SolveFixed(const qvBemStep* step, const Reduced* reduced, double* lambda)
{
    int fixed = 3 * step->fixedCount, open = 3 * step->blocks.count - fixed;
    memcpy(lambda, reduced->solved + (size_t)open * (size_t)fixed, (size_t)fixed * sizeof(double));
    if (open > 0)
        qvBlas_Multiply(false, false, fixed, 1, open, 1.0, reduced->solved, fixed, lambda + fixed, open, 1.0, lambda,
                        fixed);
    qvBlas_Scale(fixed, -1.0, lambda);
    memset(step->r, 0, (size_t)fixed * sizeof(double));
}

// --- Contacts -------------------------------------------------------------------------------------------------------

// The groups as the contacts' solver wants them.
typedef struct Groups
{
    qvContactGroup* groups;
    int32_t *first, *all;
    qvContactPlace* places;
} Groups;

static void FreeGroups(Groups* groups)
{
    free(groups->groups);
    free(groups->first);
    free(groups->all);
    free(groups->places);
}

// Of the bodies, or one of all contacts when pins and joints, once taken out, connect everything.
static bool MakeGroups(const qvBemStep* step, const double* open, Groups* made, qvContactProblem* problem)
{
    int count = step->blocks.count - step->fixedCount;
    int bodies = open == NULL ? step->system->def.bodyCount : 1, total = 0;
    made->groups = qvAllocate((size_t)bodies, sizeof(*made->groups));
    made->first = qvAllocate((size_t)count + 2, sizeof(int32_t));
    made->all = qvAllocate((size_t)count, sizeof(int32_t));
    made->places = qvAllocate(2 * (size_t)count, sizeof(*made->places));
    if (made->groups == NULL || made->first == NULL || made->all == NULL || made->places == NULL)
        return false;
    for (int i = 0; i < count; i++)
        made->all[i] = i;
    for (int b = 0; b < bodies; b++)
    {
        const qvBemGroup* group = &step->groups[b];
        made->groups[b] = open == NULL ? (qvContactGroup){ group->count, group->blocks, group->a }
                                       : (qvContactGroup){ count, made->all, open };
        for (int i = 0; i < made->groups[b].count; i++)
            made->first[made->groups[b].contacts[i] + 2]++;
    }
    for (int i = 0; i <= count; i++)
        made->first[i + 1] = total += made->first[i + 1];
    for (int b = 0; b < bodies; b++)
    {
        for (int i = 0; i < made->groups[b].count; i++)
            made->places[made->first[made->groups[b].contacts[i] + 1]++] = (qvContactPlace){ b, i };
    }
    problem->groupCount = bodies;
    problem->groups = made->groups;
    problem->firstPlace = made->first;
    problem->places = made->places;
    return true;
}

static qvResult SolveContacts(qvBemStep* step, const double* open, double* lambda, qvBemStepReport* report,
                              qvError* error)
{
    int count = step->blocks.count - step->fixedCount;
    qvContactProblem problem = { .count = count,
                                 .free = step->right + 3 * step->fixedCount,
                                 .friction = step->friction + step->fixedCount,
                                 .tolerance = step->system->tolerance,
                                 .maxIterations = step->system->def.maxIterations };
    Groups groups = { 0 };
    double* work = qvAllocateRaw(6 * (size_t)count + 1, sizeof(double));
    qvResult result =
        work != NULL && MakeGroups(step, open, &groups, &problem) ? qv_ok : qvError_OutOfMemory(error, 100.0 * count);
    if (result == qv_ok)
    {
        qvContactReport contact =
            qvSolveContact(&problem, work, lambda + 3 * step->fixedCount, step->r + 3 * step->fixedCount);
        report->iterations += contact.iterations;
        report->residual = contact.residual;
    }
    FreeGroups(&groups);
    free(work);
    return result;
}

qvResult qvBemStep_Solve(qvBemStep* step, qvBemStepReport* report, qvError* error)
{
    Reduced reduced = { 0 };
    double* lambda = qvAllocate(3 * (size_t)step->blocks.count, sizeof(double));
    if (lambda == NULL)
        return qvError_OutOfMemory(error, 24.0 * step->blocks.count);
    for (int i = 0; i < step->blocks.count; i++)
    {
        memcpy(lambda + 3 * i, step->blocks.items[i].lambda, sizeof(step->blocks.items[i].lambda));
        step->friction[i] = step->blocks.items[i].friction;
    }
    qvResult result = step->fixedCount > 0 ? Eliminate(step, &reduced, error) : qv_ok;
    if (result == qv_ok)
        result = SolveContacts(step, reduced.open, lambda, report, error);
    if (result == qv_ok && step->fixedCount > 0)
        SolveFixed(step, &reduced, lambda);
    for (int i = 0; result == qv_ok && i < step->blocks.count; i++)
        memcpy(step->blocks.items[i].lambda, lambda + 3 * i, sizeof(step->blocks.items[i].lambda));
    free(lambda);
    free(reduced.all);
    return result;
}
