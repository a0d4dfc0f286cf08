// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4, on the reduced model (bem/system.h): contact, pins and joints in a
// step.
//   block        three rows of the system: a pin or a joint (three axes), or a contact (normal, tangent, tangent)
//   Y            [3 blocks x modes and 6 rigid motions] of one body, so that A = sum of Y Y^T + residual compliance
//   lambda       forces of the blocks along their rows
// Pins and joints are eliminated exactly; contacts are solved by projected Gauss-Seidel on what is left. The frame
// turns by more than A says, and a push may bring other points into contact: rounds of the whole repair both, which is
// what keeps pins, joints and contacts of jointed bodies exact.
#include "bem/system_build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "bem/pgs.h"
#include "math/blas.h"
#include "math/dense_lu.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_ROUNDS = 6,
};

static const double MARGIN = 2e-3; // diameters: points as near take part from the start

typedef struct Block
{
    bool isContact;
    int ends; // 1 or 2
    int body[2], vertex[2];
    double sign[2];
    qvVec3 dir[3];   // world
    qvVec3 target;   // of a pin
    qvVec3 velocity; // of what is touched
    double friction;
    double lambda[3];
} Block;

typedef struct Step
{
    const qvBemSystem* system;
    const qvBemStepDef* def;
    const double* before;
    double *after, *forces;           // the new state; forces [3 vertices] of all bodies
    qvVec3 *start, *end, *arms;       // of all vertices
    int32_t* blockOf;                 // contact or pin of each vertex, or -1
    QV_ARRAY(Block) blocks;           // pins and joints first
    int fixedCount;                   // of those
    double *a, *right, *r, *friction; // of all rows
    int capacity;                     // blocks that a has room for
} Step;

static void FreeStep(Step* step)
{
    free(step->after); // one piece
    free(step->start);
    free(step->blockOf);
    free(step->blocks.items);
    free(step->a);
}

static qvResult MakeStep(Step* step, qvError* error)
{
    size_t state = (size_t)step->system->stateSize, vertices = (size_t)step->system->vertexCount;
    step->after = qvAllocate(state + 3 * vertices, sizeof(double));
    step->start = qvAllocate(3 * vertices, sizeof(qvVec3));
    step->blockOf = qvAllocate(vertices, sizeof(int32_t));
    if (step->after == NULL || step->start == NULL || step->blockOf == NULL)
        return qvError_OutOfMemory(error, 100.0 * (double)vertices);
    step->forces = step->after + state;
    step->end = step->start + vertices;
    step->arms = step->end + vertices;
    for (size_t v = 0; v < vertices; v++)
        step->blockOf[v] = -1;
    return qv_ok;
}

// --- Blocks ---------------------------------------------------------------------------------------------------------

static int Number(const Step* step, const Block* block, int end)
{
    return step->system->bodies[block->body[end]].firstVertex + block->vertex[end];
}

static Block AxesBlock(void)
{
    return (
        Block){ .ends = 1, .sign = { 1.0, -1.0 }, .dir = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
}

static qvResult AddFixed(Step* step, qvError* error)
{
    const qvBemSystem* system = step->system;
    for (int p = 0; p < step->def->pinCount; p++)
    {
        const qvBemPin* pin = &step->def->pins[p];
        QV_ASSERT(pin->body >= 0 && pin->body < system->def.bodyCount && pin->vertex >= 0 &&
                  pin->vertex < system->bodies[pin->body].vertexCount);
        Block block = AxesBlock();
        block.body[0] = pin->body;
        block.vertex[0] = pin->vertex;
        block.target = pin->target;
        step->blockOf[Number(step, &block, 0)] = step->blocks.count; // what is held needs no contact
        if (!QV_PUSH(step->blocks, block))
            return qvError_OutOfMemory(error, sizeof(block));
    }
    for (int j = 0; j < system->def.jointCount; j++)
    {
        Block block = AxesBlock();
        block.ends = 2;
        memcpy(block.body, system->joints[j].body, sizeof(block.body));
        memcpy(block.vertex, system->joints[j].vertex, sizeof(block.vertex));
        if (!QV_PUSH(step->blocks, block))
            return qvError_OutOfMemory(error, sizeof(block));
    }
    step->fixedCount = step->blocks.count;
    return qv_ok;
}

// Two tangents of a normal.
static void MakeTangents(Block* block)
{
    qvVec3 n = block->dir[0], other = fabs(n.x) < 0.6 ? qvMakeVec3(1, 0, 0) : qvMakeVec3(0, 1, 0);
    block->dir[1] = qvNormalize(qvCross(n, other));
    block->dir[2] = qvCross(n, block->dir[1]);
}

// Adds the points nearer than margin that are not in contact yet; *deepest is how far any is inside.
static qvResult FindContacts(Step* step, double margin, bool* added, double* deepest, qvError* error)
{
    *added = false;
    *deepest = 0.0;
    for (int b = 0; step->def->query != NULL && b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        const double* warm = step->before + body->start + qv_stateModes + 2 * body->modeCount;
        for (int v = 0; v < body->vertexCount; v++)
        {
            int number = body->firstVertex + v;
            qvBemTouch touch;
            if (!step->def->query(step->def->context, step->end[number], step->def->time, &touch))
                continue;
            *deepest = fmax(*deepest, -touch.distance);
            if (!(touch.distance < margin) || step->blockOf[number] >= 0)
                continue;
            Block block = { .isContact = true,
                            .ends = 1,
                            .body = { b, 0 },
                            .vertex = { v, 0 },
                            .sign = { 1.0, -1.0 },
                            .velocity = touch.velocity,
                            .friction = 0.5 * (touch.friction + body->def.friction) };
            block.dir[0] = touch.normal;
            MakeTangents(&block);
            for (int k = 0; k < 3; k++)
                block.lambda[k] = qvDot(block.dir[k], qvBemGet(warm + 3 * v));
            block.lambda[0] = fmax(block.lambda[0], 0.0);
            step->blockOf[number] = step->blocks.count;
            if (!QV_PUSH(step->blocks, block))
                return qvError_OutOfMemory(error, sizeof(block));
            *added = true;
        }
    }
    return qv_ok;
}

// --- The free and the loaded motion ---------------------------------------------------------------------------------

static void GatherForces(Step* step, bool withBlocks)
{
    size_t size = 3 * (size_t)step->system->vertexCount;
    if (step->def->forces != NULL)
        memcpy(step->forces, step->def->forces, size * sizeof(double));
    else
        memset(step->forces, 0, size * sizeof(double));
    for (int i = 0; withBlocks && i < step->blocks.count; i++)
    {
        const Block* block = &step->blocks.items[i];
        for (int e = 0; e < block->ends; e++)
        {
            double* f = step->forces + 3 * (size_t)Number(step, block, e);
            qvVec3 sum = qvBemGet(f);
            for (int k = 0; k < 3; k++)
                sum = qvMulAdd(sum, block->sign[e] * block->lambda[k], block->dir[k]);
            qvBemPut(f, sum);
        }
    }
}

static void Advance(Step* step, bool withBlocks)
{
    GatherForces(step, withBlocks);
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        qvBemAdvance(step->system, body, step->before + body->start, step->forces + 3 * (size_t)body->firstVertex,
                     step->arms + body->firstVertex, step->after + body->start);
        qvBemSystem_Positions(step->system, step->after, b, step->end + body->firstVertex);
    }
}

static void StartPositions(Step* step)
{
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        qvVec3 place = qvBemGet(step->before + body->start + qv_statePlace);
        qvBemSystem_Positions(step->system, step->before, b, step->start + body->firstVertex);
        for (int v = body->firstVertex; v < body->firstVertex + body->vertexCount; v++)
            step->arms[v] = qvSub(step->start[v], place);
    }
}

// Where the rows stand at the end of the step: gaps and slips, or the misses of pins and joints.
static void Measure(const Step* step, double* rows)
{
    for (int i = 0; i < step->blocks.count; i++)
    {
        const Block* block = &step->blocks.items[i];
        int number = Number(step, block, 0);
        qvVec3 miss = qvSub(step->end[number], block->target);
        if (block->ends == 2)
            miss = qvSub(step->end[number], step->end[Number(step, block, 1)]);
        if (block->isContact)
            miss = qvMulAdd(qvSub(step->end[number], step->start[number]), -step->system->step, block->velocity);
        for (int k = 0; k < 3; k++)
            rows[3 * i + k] = qvDot(block->dir[k], miss);
        qvBemTouch touch;
        if (block->isContact && step->def->query(step->def->context, step->end[number], step->def->time, &touch))
            rows[3 * i] = touch.distance;
    }
}

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

// Adds what the frame and the modes of a body give.
static qvResult AddModes(Step* step, int number, qvError* error)
{
    const qvBemBody* body = &step->system->bodies[number];
    const double* own = step->before + body->start;
    double h = step->system->step;
    int rows = 3 * step->blocks.count, columns = body->modeCount + 6;
    size_t tall = 3 * (size_t)body->vertexCount;
    double* y = qvAllocate((size_t)rows * (size_t)columns, sizeof(double)); // column-major
    if (y == NULL)
        return qvError_OutOfMemory(error, 8.0 * rows * columns);
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation), root = RootOf(&body->inverse);
    qvMat3 turn = qvMat3_Product(&rotation, &root); // I_w^-1 = (R l)(R l)^T
    for (int i = 0; i < step->blocks.count; i++)
    {
        const Block* block = &step->blocks.items[i];
        for (int e = 0; e < block->ends; e++)
        {
            if (block->body[e] != number)
                continue;
            qvVec3 arm = step->arms[Number(step, block, e)];
            for (int k = 0; k < 3; k++)
            {
                double *row = y + 3 * i + k, sign = block->sign[e];
                qvVec3 d = block->dir[k], local = qvMat3_Apply(&back, d), moment = qvCross(arm, d);
                const double axis[3] = { d.x, d.y, d.z }, m[3] = { moment.x, moment.y, moment.z };
                for (int c = 0; c < 3; c++)
                {
                    row[(size_t)c * (size_t)rows] = sign * h / sqrt(body->mass) * axis[c];
                    row[(size_t)(3 + c) * (size_t)rows] =
                        sign * h * (m[0] * turn.m[0][c] + m[1] * turn.m[1][c] + m[2] * turn.m[2][c]);
                }
                for (int c = 0; c < body->modeCount; c++)
                {
                    const double* phi = body->model->modes + (size_t)c * tall + 3 * (size_t)block->vertex[e];
                    double gain = sqrt(fmax(h * body->oscillators[c].a12, 0.0) / body->def.density);
                    row[(size_t)(6 + c) * (size_t)rows] =
                        sign * gain * (phi[0] * local.x + phi[1] * local.y + phi[2] * local.z);
                }
            }
        }
    }
    qvBlas_Multiply(false, true, rows, rows, columns, 1.0, y, rows, y, rows, 1.0, step->a, rows);
    free(y);
    return qv_ok;
}

// Adds the residual compliance between two ends on the same body.
static void AddResidual(Step* step, int i, int j, const qvMat3* back, const qvBemBody* body, int ei, int ej)
{
    const Block *bi = &step->blocks.items[i], *bj = &step->blocks.items[j];
    size_t rows = 3 * (size_t)step->blocks.count, tall = 3 * (size_t)body->vertexCount;
    double scale = bi->sign[ei] * bj->sign[ej] / body->shear;
    const float* c = body->model->residual + 3 * (size_t)bi->vertex[ei] * tall + 3 * (size_t)bj->vertex[ej];
    for (int k = 0; k < 3; k++)
    {
        qvVec3 right = qvMat3_Apply(back, bj->dir[k]);
        qvVec3 u = qvMakeVec3(c[0] * right.x + c[1] * right.y + c[2] * right.z,
                              c[tall] * right.x + c[tall + 1] * right.y + c[tall + 2] * right.z,
                              c[2 * tall] * right.x + c[2 * tall + 1] * right.y + c[2 * tall + 2] * right.z);
        for (int l = 0; l < 3; l++)
        {
            double value = scale * qvDot(qvMat3_Apply(back, bi->dir[l]), u);
            step->a[(3 * (size_t)i + (size_t)l) * rows + 3 * (size_t)j + (size_t)k] += value;
            if (i != j)
                step->a[(3 * (size_t)j + (size_t)k) * rows + 3 * (size_t)i + (size_t)l] += value;
        }
    }
}

static qvResult BuildCompliance(Step* step, qvError* error)
{
    size_t rows = 3 * (size_t)step->blocks.count;
    if (step->blocks.count > step->capacity)
    {
        free(step->a);
        step->capacity = 0;
        step->a = qvAllocate(rows * (rows + 3), sizeof(double));
        if (step->a == NULL)
            return qvError_OutOfMemory(error, 8.0 * (double)(rows * rows));
        step->capacity = step->blocks.count;
    }
    memset(step->a, 0, rows * (rows + 3) * sizeof(double));
    step->right = step->a + rows * rows;
    step->r = step->right + rows;
    step->friction = step->r + rows;
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        qvResult result = AddModes(step, b, error);
        if (result != qv_ok)
            return result;
        const qvBemBody* body = &step->system->bodies[b];
        qvMat3 rotation = qvBemRotation(step->after + body->start), back = qvMat3_Transpose(&rotation);
        for (int i = 0; i < step->blocks.count; i++)
        {
            for (int j = 0; j <= i; j++)
            {
                for (int pair = 0; pair < 4; pair++)
                {
                    const Block *bi = &step->blocks.items[i], *bj = &step->blocks.items[j];
                    int ei = pair / 2, ej = pair % 2;
                    if (ei < bi->ends && ej < bj->ends && bi->body[ei] == b && bj->body[ej] == b)
                        AddResidual(step, i, j, &back, body, ei, ej);
                }
            }
        }
    }
    return qv_ok;
}

// --- The solve ------------------------------------------------------------------------------------------------------

// Takes pins and joints out: A_cc - A_cb A_bb^-1 A_bc for the contacts. solved receives A_bb^-1 [A_bc | r_b].
static qvResult Eliminate(Step* step, double* factor, double* solved, double* reduced, qvError* error)
{
    int rows = 3 * step->blocks.count, fixed = 3 * step->fixedCount, open = rows - fixed;
    for (int j = 0; j < fixed; j++)
        memcpy(factor + (size_t)j * (size_t)fixed, step->a + (size_t)j * (size_t)rows, (size_t)fixed * sizeof(double));
    if (fixed > 0 && qvBlas_Cholesky(fixed, factor, fixed) >= 0)
        return qvError_Set(error, qv_notConverged, "pins or joints hold the same point twice; remove one of them");
    for (int j = 0; j < open; j++)
        memcpy(solved + (size_t)j * (size_t)fixed, step->a + (size_t)(fixed + j) * (size_t)rows,
               (size_t)fixed * sizeof(double));
    memcpy(solved + (size_t)open * (size_t)fixed, step->right, (size_t)fixed * sizeof(double));
    if (fixed > 0)
        qvDense_SolveCholesky(fixed, factor, fixed, open + 1, solved, fixed);
    for (int j = 0; j < open; j++)
        memcpy(reduced + (size_t)j * (size_t)open, step->a + (size_t)(fixed + j) * (size_t)rows + fixed,
               (size_t)open * sizeof(double));
    if (fixed > 0 && open > 0)
    {
        const double* across = step->a + (size_t)fixed * (size_t)rows; // [fixed x open], column-major
        qvBlas_Multiply(true, false, open, open, fixed, -1.0, across, rows, solved, fixed, 1.0, reduced, open);
        qvBlas_Multiply(true, false, open, 1, fixed, -1.0, across, rows, solved + (size_t)open * (size_t)fixed, fixed,
                        1.0, step->right + fixed, open);
    }
    return qv_ok;
}

// lambda for right (rows without forces); step->r receives where the rows end.
static qvResult SolveBlocks(Step* step, qvBemStepReport* report, qvError* error)
{
    int rows = 3 * step->blocks.count, fixed = 3 * step->fixedCount, open = rows - fixed;
    size_t size = (size_t)fixed * (size_t)fixed + (size_t)fixed * (size_t)(open + 1) + (size_t)open * (size_t)open;
    double* factor = qvAllocate(size + (size_t)rows, sizeof(double));
    if (factor == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)size);
    double *solved = factor + (size_t)fixed * (size_t)fixed, *reduced = solved + (size_t)fixed * (size_t)(open + 1);
    double* lambda = reduced + (size_t)open * (size_t)open;
    qvResult result = Eliminate(step, factor, solved, reduced, error);
    for (int i = 0; i < step->blocks.count; i++)
    {
        memcpy(lambda + 3 * i, step->blocks.items[i].lambda, 3 * sizeof(double));
        step->friction[i] = step->blocks.items[i].friction;
    }
    if (result == qv_ok)
    {
        qvContactProblem problem = { .count = open / 3,
                                     .a = reduced,
                                     .free = step->right + fixed,
                                     .friction = step->friction + step->fixedCount,
                                     .tolerance = step->system->tolerance,
                                     .maxIterations = step->system->def.maxIterations };
        qvContactReport contact = qvSolveContact(&problem, lambda + fixed, step->r + fixed);
        report->iterations += contact.iterations;
        report->residual = contact.residual;
        memcpy(lambda, solved + (size_t)open * (size_t)fixed, (size_t)fixed * sizeof(double));
        if (open > 0 && fixed > 0)
            qvBlas_Multiply(false, false, fixed, 1, open, 1.0, solved, fixed, lambda + fixed, open, 1.0, lambda, fixed);
        qvBlas_Scale(fixed, -1.0, lambda);
        memset(step->r, 0, (size_t)fixed * sizeof(double));
        for (int i = 0; i < step->blocks.count; i++)
            memcpy(step->blocks.items[i].lambda, lambda + 3 * i, 3 * sizeof(double));
    }
    free(factor);
    return result;
}

// right = where the rows are, minus what the forces in use give.
static void SetRight(Step* step, bool withBlocks)
{
    int rows = 3 * step->blocks.count;
    Measure(step, step->right);
    for (int i = 0; withBlocks && i < rows; i++)
    {
        double force = step->blocks.items[i / 3].lambda[i % 3];
        for (int j = 0; force != 0.0 && j < rows; j++)
            step->right[j] -= force * step->a[(size_t)i * (size_t)rows + (size_t)j];
    }
}

static double LargestMiss(Step* step)
{
    double miss = 0.0;
    Measure(step, step->right);
    for (int i = 0; i < 3 * step->blocks.count; i++)
        miss = fmax(miss, fabs(step->right[i] - step->r[i]));
    return miss;
}

// Contacts that joined late have forces from the last step, which the motion so far lacks.
static void ForgetLate(Step* step, int known)
{
    for (int i = known; i < step->blocks.count; i++)
        memset(step->blocks.items[i].lambda, 0, sizeof(step->blocks.items[i].lambda));
}

static qvResult SolveRounds(Step* step, qvBemStepReport* report, qvError* error)
{
    double margin = INFINITY, deepest;
    for (int b = 0; b < step->system->def.bodyCount; b++)
        margin = fmin(margin, MARGIN * step->system->bodies[b].model->surface->diameter);
    bool added, loaded = false;
    qvResult result = FindContacts(step, margin, &added, &deepest, error);
    while (result == qv_ok && step->blocks.count > 0 && report->rounds < MAX_ROUNDS)
    {
        report->rounds++;
        if (added || report->rounds == 1)
            result = BuildCompliance(step, error);
        if (result != qv_ok)
            break;
        SetRight(step, loaded);
        result = SolveBlocks(step, report, error);
        if (result != qv_ok)
            break;
        Advance(step, true);
        loaded = true;
        int known = step->blocks.count;
        double miss = LargestMiss(step);
        result = FindContacts(step, -step->system->tolerance, &added, &deepest, error);
        ForgetLate(step, known);
        if (!added && miss <= step->system->tolerance)
            break;
    }
    report->contacts = step->blocks.count - step->fixedCount;
    report->penetration = deepest;
    return result;
}

// Displacements of a finite size; *stretch is the largest.
static qvResult CheckResult(const Step* step, double* stretch, qvError* error)
{
    *stretch = 0.0;
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        const qvBemSurface* surface = body->model->surface;
        const double* own = step->after + body->start;
        qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
        for (int v = 0; v < body->vertexCount; v++)
        {
            qvVec3 local = qvSub(step->end[body->firstVertex + v], qvBemGet(own + qv_statePlace));
            qvVec3 u = qvSub(qvMat3_Apply(&back, local), qvSub(surface->vertices[v], surface->centroid));
            double size = qvLength(u) / surface->diameter;
            if (!(size < 1.0))
                return qvError_Set(error, qv_notConverged,
                                   "body %d is pulled apart at point %d; make it stiffer or what holds it gentler", b,
                                   v);
            *stretch = fmax(*stretch, size);
        }
    }
    return qv_ok;
}

qvResult qvBemSystem_Step(const qvBemSystem* system, const qvBemStepDef* def, double* state, qvBemStepReport* report,
                          qvError* error)
{
    *report = (qvBemStepReport){ 0 };
    Step step = { .system = system, .def = def, .before = state };
    qvResult result = MakeStep(&step, error);
    if (result == qv_ok)
    {
        StartPositions(&step);
        Advance(&step, false);
        result = AddFixed(&step, error);
    }
    if (result == qv_ok)
        result = SolveRounds(&step, report, error);
    if (result == qv_ok)
        result = CheckResult(&step, &report->stretch, error);
    if (result == qv_ok)
        memcpy(state, step.after, (size_t)system->stateSize * sizeof(double));
    FreeStep(&step);
    return result;
}
