// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4, on the reduced model (bem/system.h): a step with contact, pins and
// joints. The frame turns by more than the compliance says, and a push may bring other points into contact: rounds of
// the whole repair both, which is what keeps pins, joints and contacts exact.
#include "bem/system_blocks.h"

#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_ROUNDS = 6,
};

static const double MARGIN = 2e-3; // diameters: points as near take part from the start

// --- Memory ---------------------------------------------------------------------------------------------------------

static void FreeStep(qvBemStep* step)
{
    for (int b = 0; step->groups != NULL && b < step->system->def.bodyCount; b++)
    {
        free(step->groups[b].blocks);
        free(step->groups[b].a);
    }
    if (step->fits != NULL)
        free(step->fits[0].boxes);
    free(step->after); // one piece
    free(step->start);
    free(step->torques);
    free(step->blockOf);
    free(step->blocks.items);
    free(step->groups);
    free(step->right);
    free(step->fits);
    free(step->isFitted);
    free(step->order);
    free(step->around);
}

// What bodies need that may meet each other.
static bool MakeMeetings(qvBemStep* step)
{
    size_t bodies = (size_t)step->system->def.bodyCount, boxes = 0;
    step->fits = qvAllocate(bodies, sizeof(*step->fits));
    step->isFitted = qvAllocate(bodies, sizeof(*step->isFitted));
    step->order = qvAllocate(bodies, sizeof(*step->order));
    step->around = qvAllocate(bodies, sizeof(*step->around));
    for (size_t b = 0; b < bodies; b++)
        boxes += (size_t)qvBemSkin_BoxCount(step->system->bodies[b].skin);
    qvBemBox* box = qvAllocateRaw(boxes, sizeof(*box));
    if (step->fits == NULL || step->isFitted == NULL || step->order == NULL || step->around == NULL || box == NULL)
    {
        free(box);
        return false;
    }
    for (size_t b = 0; b < bodies; b++)
    {
        step->order[b] = (int32_t)b;
        step->fits[b].boxes = box;
        box += qvBemSkin_BoxCount(step->system->bodies[b].skin);
    }
    return true;
}

static qvResult MakeStep(qvBemStep* step, qvError* error)
{
    size_t state = (size_t)step->system->stateSize, vertices = (size_t)step->system->vertexCount;
    size_t bodies = (size_t)step->system->def.bodyCount;
    step->after = qvAllocate(state + 3 * vertices, sizeof(double));
    step->start = qvAllocate(2 * vertices, sizeof(qvVec3));
    step->torques = qvAllocate(bodies, sizeof(qvVec3));
    step->blockOf = qvAllocate(vertices, sizeof(int32_t));
    step->groups = qvAllocate(bodies, sizeof(*step->groups));
    if (step->after == NULL || step->start == NULL || step->torques == NULL || step->blockOf == NULL ||
        step->groups == NULL || (bodies > 1 && !MakeMeetings(step)))
        return qvError_OutOfMemory(error, 100.0 * (double)vertices);
    step->forces = step->after + state;
    step->end = step->start + vertices;
    for (size_t v = 0; v < vertices; v++)
        step->blockOf[v] = -1;
    for (int b = 0; b < step->system->def.bodyCount; b++)
        step->groups[b].body = b;
    return qv_ok;
}

// --- The free and the loaded motion ---------------------------------------------------------------------------------

// What the caller pushes with.
static void GatherGiven(qvBemStep* step)
{
    size_t size = 3 * (size_t)step->system->vertexCount;
    if (step->def->forces != NULL)
        memcpy(step->forces, step->def->forces, size * sizeof(double));
    else
        memset(step->forces, 0, size * sizeof(double));
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        qvVec3 place = qvBemGet(step->before + body->start + qv_statePlace);
        step->torques[b] = qvMakeVec3(0.0, 0.0, 0.0);
        for (int v = body->firstVertex; step->def->forces != NULL && v < body->firstVertex + body->vertexCount; v++)
            step->torques[b] =
                qvAdd(step->torques[b], qvCross(qvSub(step->start[v], place), qvBemGet(step->forces + 3 * (size_t)v)));
    }
}

static void AddBlocks(qvBemStep* step)
{
    for (int i = 0; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        qvVec3 force = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
            force = qvMulAdd(force, block->lambda[k], block->dir[k]);
        for (int e = 0; e < block->endCount; e++)
        {
            const qvBemEnd* end = &block->ends[e];
            const double* own = step->before + step->system->bodies[end->body].start;
            qvVec3 arm = qvSub(block->place, qvBemGet(own + qv_statePlace));
            double* f = step->forces + 3 * (size_t)qvBemStep_Number(step, end);
            qvBemPut(f, qvMulAdd(qvBemGet(f), end->weight, force));
            step->torques[end->body] = qvMulAdd(step->torques[end->body], end->weight, qvCross(arm, force));
        }
    }
}

static void Advance(qvBemStep* step)
{
    GatherGiven(step);
    AddBlocks(step);
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        qvBemAdvance(step->system, body, step->before + body->start, step->forces + 3 * (size_t)body->firstVertex,
                     step->torques[b], step->after + body->start);
        qvBemSystem_Positions(step->system, step->after, b, step->end + body->firstVertex);
    }
}

// What pushes vertices now is where the next step begins to look.
static void KeepPushes(qvBemStep* step)
{
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        memset(step->after + body->start + qvBemPushAt(body, false), 0, 6 * (size_t)body->vertexCount * sizeof(double));
    }
    for (int i = step->fixedCount; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        const qvBemBody* body = &step->system->bodies[block->ends[0].body];
        double* push = step->after + body->start + qvBemPushAt(body, block->partner != qv_bemObstacle) +
                       3 * (size_t)block->ends[0].vertex;
        qvVec3 sum = qvBemGet(push);
        for (int k = 0; k < 3; k++)
            sum = qvMulAdd(sum, block->lambda[k], block->dir[k]);
        qvBemPut(push, sum);
    }
}

// How far a contact's vertex has moved beside what it is on.
static qvVec3 SlipOf(const qvBemStep* step, const qvBemBlock* block)
{
    qvVec3 slip = qvScale(-step->system->step, block->velocity);
    for (int e = 0; e < block->endCount; e++)
    {
        int number = qvBemStep_Number(step, &block->ends[e]);
        slip = qvMulAdd(slip, block->ends[e].weight, qvSub(step->end[number], step->start[number]));
    }
    return slip;
}

static double GapOf(const qvBemStep* step, const qvBemBlock* block)
{
    if (block->partner == qv_bemObstacle)
    {
        qvBemTouch touch;
        qvVec3 x = step->end[qvBemStep_Number(step, &block->ends[0])];
        return step->def->query(step->def->context, x, step->def->time, &touch) ? touch.distance : INFINITY;
    }
    qvVec3 gap = { 0.0, 0.0, 0.0 };
    for (int e = 0; e < block->endCount; e++)
        gap = qvMulAdd(gap, block->ends[e].weight, step->end[qvBemStep_Number(step, &block->ends[e])]);
    return qvDot(gap, block->dir[0]);
}

// Where the rows stand at the end of the step: gaps and slips, or the misses of pins and joints.
static void Measure(const qvBemStep* step, double* rows)
{
    for (int i = 0; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        qvVec3 miss;
        if (block->isContact)
            miss = SlipOf(step, block);
        else if (block->joint >= 0)
            miss = qvSub(qvBemStep_Anchor(step, block, 0, false), qvBemStep_Anchor(step, block, 1, false));
        else
            miss = qvSub(step->end[qvBemStep_Number(step, &block->ends[0])], block->target);
        for (int k = 0; k < 3; k++)
            rows[3 * i + k] = qvDot(block->dir[k], miss);
        double gap = block->isContact ? GapOf(step, block) - block->allowed : 0.0;
        if (block->isContact && isfinite(gap))
            rows[3 * i] = gap;
    }
}

// --- Rounds ---------------------------------------------------------------------------------------------------------

// right = where the rows are, minus what the forces in use give.
static void SetRight(qvBemStep* step, bool withBlocks)
{
    Measure(step, step->right);
    if (withBlocks)
        qvBemStep_AddCompliance(step, -1.0, step->right);
}

static double LargestMiss(const qvBemStep* step)
{
    double miss = 0.0;
    Measure(step, step->right);
    for (int i = 0; i < 3 * step->blocks.count; i++)
        miss = fmax(miss, fabs(step->right[i] - step->r[i]));
    return miss;
}

// Contacts that joined late have forces from the last step, which the motion so far lacks.
static void ForgetLate(qvBemStep* step, int known)
{
    for (int i = known; i < step->blocks.count; i++)
        memset(step->blocks.items[i].lambda, 0, sizeof(step->blocks.items[i].lambda));
}

static qvResult SolveRounds(qvBemStep* step, qvBemStepReport* report, qvError* error)
{
    double margin = INFINITY, deepest;
    for (int b = 0; b < step->system->def.bodyCount; b++)
        margin = fmin(margin, MARGIN * step->system->bodies[b].model->surface->diameter);
    bool added, loaded = false;
    qvResult result = qvBemStep_FindContacts(step, margin, &added, &deepest, error);
    while (result == qv_ok && step->blocks.count > 0 && report->rounds < MAX_ROUNDS)
    {
        report->rounds++;
        if (added || report->rounds == 1)
            result = qvBemStep_BuildCompliance(step, error);
        if (result != qv_ok)
            break;
        if (added && loaded) // some forces act on other vertices now
            Advance(step);
        SetRight(step, loaded);
        result = qvBemStep_Solve(step, report, error);
        if (result != qv_ok)
            break;
        Advance(step);
        loaded = true;
        int known = step->blocks.count;
        double miss = LargestMiss(step);
        result = qvBemStep_FindContacts(step, -step->system->tolerance, &added, &deepest, error);
        ForgetLate(step, known);
        if (!added && miss <= step->system->tolerance)
            break;
    }
    report->contacts = step->blocks.count - step->fixedCount;
    for (int i = step->fixedCount; i < step->blocks.count; i++)
        report->meetings += step->blocks.items[i].partner >= 0;
    report->penetration = deepest;
    return result;
}

// Displacements of a finite size; *stretch is the largest.
static qvResult CheckResult(const qvBemStep* step, double* stretch, qvError* error)
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
    qvBemStep step = { .system = system, .def = def, .before = state };
    qvResult result = MakeStep(&step, error);
    if (result == qv_ok)
    {
        for (int b = 0; b < system->def.bodyCount; b++)
            qvBemSystem_Positions(system, state, b, step.start + system->bodies[b].firstVertex);
        Advance(&step);
        result = qvBemStep_AddFixed(&step, error);
    }
    if (result == qv_ok)
        result = SolveRounds(&step, report, error);
    if (result == qv_ok)
        result = CheckResult(&step, &report->stretch, error);
    if (result == qv_ok)
        result = qvBemStep_BringToRest(&step, error);
    if (result == qv_ok)
        KeepPushes(&step);
    for (int b = 0; result == qv_ok && b < system->def.bodyCount; b++)
    {
        const qvBemBody* body = &system->bodies[b];
        if (body->def.history != NULL)
            result = qvBemRemember(body, state + body->start, def->pool, step.after + body->start, error);
    }
    if (result == qv_ok)
        memcpy(state, step.after, (size_t)system->stateSize * sizeof(double));
    FreeStep(&step);
    return result;
}
