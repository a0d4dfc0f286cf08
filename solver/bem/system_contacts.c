// SPDX-License-Identifier: GPL-3.0-or-later
// Pins, joints and contacts of a step. A vertex meets obstacles, and the surfaces of other bodies as they are deformed
// at the end of the step; the force on it acts on the triangle's vertices by the weights of its foot.
#include "bem/system_blocks.h"

#include "base/assert.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

// What starts deep inside comes out slowly, in diameters a second, and not with a bang.
static const double RECOVERY = 0.3;
static const double DEEP = 0.05;  // diameters
static const double BESIDE = 0.4; // between the normals of a corner of a block and of what it stands beside: 0.58

static qvBemBlock AxesBlock(void)
{
    return (qvBemBlock){ .partner = qv_bemHeld,
                         .next = -1,
                         .joint = -1,
                         .endCount = 1,
                         .ends = { { .weight = 1.0 } },
                         .dir = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
}

static qvResult Add(qvBemStep* step, qvBemBlock* block, qvError* error)
{
    int32_t* first = &step->blockOf[qvBemStep_Number(step, &block->ends[0])];
    if (block->joint < 0)
    {
        block->next = *first;
        *first = step->blocks.count;
    }
    return QV_PUSH(step->blocks, *block) ? qv_ok : qvError_OutOfMemory(error, sizeof(*block));
}

// The block of a vertex and what it meets, or -1. What is held needs no contact.
static int Find(const qvBemStep* step, int number, int partner)
{
    int i = step->blockOf[number];
    while (i >= 0 && step->blocks.items[i].partner != partner && step->blocks.items[i].partner != qv_bemHeld)
        i = step->blocks.items[i].next;
    return i;
}

qvVec3 qvBemStep_Anchor(const qvBemStep* step, const qvBemBlock* block, int end, bool atStart)
{
    const qvBemJoint* joint = &step->system->joints[block->joint];
    const double* state = (atStart ? step->before : step->after) + step->system->bodies[joint->body[end]].start;
    qvMat3 rotation = qvBemRotation(state);
    qvVec3 vertex = (atStart ? step->start : step->end)[qvBemStep_Number(step, &block->ends[end])];
    return qvAdd(vertex, qvMat3_Apply(&rotation, joint->offset[end]));
}

qvResult qvBemStep_AddFixed(qvBemStep* step, qvError* error)
{
    const qvBemSystem* system = step->system;
    qvResult result = qv_ok;
    for (int p = 0; result == qv_ok && p < step->def->pinCount; p++)
    {
        const qvBemPin* pin = &step->def->pins[p];
        QV_ASSERT(pin->body >= 0 && pin->body < system->def.bodyCount && pin->vertex >= 0 &&
                  pin->vertex < system->bodies[pin->body].vertexCount);
        qvBemBlock block = AxesBlock();
        block.ends[0].body = pin->body;
        block.ends[0].vertex = pin->vertex;
        block.place = step->start[qvBemStep_Number(step, &block.ends[0])];
        block.target = pin->target;
        result = Add(step, &block, error);
    }
    for (int j = 0; result == qv_ok && j < system->def.jointCount; j++)
    {
        const qvBemJoint* joint = &system->joints[j];
        qvBemBlock block = AxesBlock();
        block.joint = j;
        block.endCount = 2;
        for (int e = 0; e < 2; e++)
            block.ends[e] = (qvBemEnd){ joint->body[e], joint->vertex[e], e == 0 ? 1.0 : -1.0 };
        block.place =
            qvScale(0.5, qvAdd(qvBemStep_Anchor(step, &block, 0, true), qvBemStep_Anchor(step, &block, 1, true)));
        result = Add(step, &block, error);
    }
    step->fixedCount = step->blocks.count;
    return result;
}

// --- Contacts -------------------------------------------------------------------------------------------------------

// A contact of a vertex, without its reaction; gap: at the start of the step.
static qvBemBlock ContactBlock(const qvBemStep* step, int number, int vertex, int partner, qvVec3 normal, double gap)
{
    const qvBemBody* body = &step->system->bodies[number];
    qvVec3 other = fabs(normal.x) < 0.6 ? qvMakeVec3(1, 0, 0) : qvMakeVec3(0, 1, 0);
    double slow = RECOVERY * body->model->surface->diameter * step->system->step;
    qvBemBlock block = { .isContact = true,
                         .partner = partner,
                         .next = -1,
                         .joint = -1,
                         .endCount = 1,
                         .ends = { { number, vertex, 1.0 } },
                         .place = step->start[body->firstVertex + vertex],
                         .allowed = fmin(gap + slow, 0.0) };
    block.dir[0] = normal;
    block.dir[1] = qvNormalize(qvCross(normal, other));
    block.dir[2] = qvCross(normal, block.dir[1]);
    const double* push = step->before + body->start + qvBemPushAt(body, partner != qv_bemObstacle) + 3 * (size_t)vertex;
    for (int k = 0; k < 3; k++)
        block.lambda[k] = qvDot(block.dir[k], qvBemGet(push));
    block.lambda[0] = fmax(block.lambda[0], 0.0);
    return block;
}

static qvResult MeetObstacles(qvBemStep* step, double margin, bool* added, double* deepest, qvError* error)
{
    qvResult result = qv_ok;
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        for (int v = 0; result == qv_ok && v < body->vertexCount; v++)
        {
            int number = body->firstVertex + v;
            qvBemTouch touch, before;
            if (!step->def->query(step->def->context, step->end[number], step->def->time, &touch))
                continue;
            *deepest = fmax(*deepest, -touch.distance);
            if (!(touch.distance < margin) || Find(step, number, qv_bemObstacle) >= 0)
                continue;
            qvVec3 start = qvMulAdd(step->start[number], step->system->step, touch.velocity); // beside where it is now
            double gap = step->def->query(step->def->context, start, step->def->time, &before) ? before.distance : 0.0;
            qvBemBlock block = ContactBlock(step, b, v, qv_bemObstacle, touch.normal, gap);
            block.velocity = touch.velocity;
            block.friction = 0.5 * (touch.friction + body->def.friction);
            result = Add(step, &block, error);
            *added = true;
        }
    }
    return result;
}

// --- Bodies that meet -----------------------------------------------------------------------------------------------

static bool AreJoined(const qvBemSystem* system, int a, int b)
{
    for (int j = 0; j < system->def.jointCount; j++)
    {
        const int* body = system->joints[j].body;
        if ((body[0] == a && body[1] == b) || (body[0] == b && body[1] == a))
            return true;
    }
    return false;
}

static void FitBody(qvBemStep* step, int number)
{
    const qvBemBody* body = &step->system->bodies[number];
    qvBemFit* fit = &step->fits[number];
    qvMat3 rotation = qvBemRotation(step->after + body->start);
    fit->skin = body->skin;
    fit->vertices = step->end + body->firstVertex;
    fit->place = qvBemGet(step->after + body->start + qv_statePlace);
    fit->back = qvMat3_Transpose(&rotation);
    qvBemFit_Update(fit);
    step->isFitted[number] = true;
}

static bool IsInside(const qvBemBox* box, qvVec3 x)
{
    return x.x >= box->lower[0] && x.x <= box->upper[0] && x.y >= box->lower[1] && x.y <= box->upper[1] &&
           x.z >= box->lower[2] && x.z <= box->upper[2];
}

// A surface can only be met from its outside: a vertex beside an edge does not hook on it, and one inside came in where
// the surface faces it, or beside that where edges cross. One that is deep inside and finds no such place goes back
// into its own body. False: it meets nothing.
static bool Face(const qvBemStep* step, const qvBemBody* body, int vertex, const qvBemFit* other, qvBemFoot* foot,
                 bool* isDeep)
{
    qvMat3 rotation = qvBemRotation(step->after + body->start);
    qvVec3 outward = qvMat3_Apply(&rotation, qvBemSkin_Normal(body->skin, vertex));
    double deep = DEEP * body->model->surface->diameter;
    *isDeep = false;
    if (qvDot(outward, foot->normal) < 0.0)
        return true;
    qvBemFoot facing;
    if (foot->distance < 0.0 &&
        qvBemFit_FindFacing(other, step->end[body->firstVertex + vertex], outward, deep, &facing))
    {
        *foot = facing;
        return true;
    }
    if (foot->distance < 0.0 && qvDot(outward, foot->normal) < BESIDE)
        return true;
    *isDeep = foot->distance < -deep;
    if (*isDeep)
        foot->normal = qvScale(-1.0, outward);
    return *isDeep;
}

// The contact of a vertex of one body with its foot on another.
static qvBemBlock MeetingBlock(const qvBemStep* step, int number, int vertex, int other, const qvBemFoot* foot,
                               bool isDeep)
{
    const qvBemBody *body = &step->system->bodies[number], *met = &step->system->bodies[other];
    const int32_t* corners = met->model->surface->triangles[foot->triangle].v;
    qvVec3 start = step->start[body->firstVertex + vertex];
    for (int k = 0; k < 3; k++)
        start = qvMulAdd(start, -foot->weights[k], step->start[met->firstVertex + corners[k]]);
    qvBemBlock block = ContactBlock(step, number, vertex, other, foot->normal, qvDot(start, foot->normal));
    block.friction = 0.5 * (body->def.friction + met->def.friction);
    if (isDeep) // the foot says nothing of how far it is out this way
        block.allowed = qvDot(start, foot->normal) + RECOVERY * body->model->surface->diameter * step->system->step;
    for (int k = 0; k < 3; k++)
    {
        if (foot->weights[k] > 0.0)
            block.ends[block.endCount++] = (qvBemEnd){ other, corners[k], -foot->weights[k] };
    }
    return block;
}

// A vertex that a force has moved beyond where its foot stands for the surface gets another one, with the same force.
static void MoveFoot(const qvBemBlock* from, qvBemBlock* to)
{
    qvVec3 force = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3; k++)
        force = qvMulAdd(force, from->lambda[k], from->dir[k]);
    for (int k = 0; k < 3; k++)
        to->lambda[k] = qvDot(to->dir[k], force);
    to->lambda[0] = fmax(to->lambda[0], 0.0);
    to->allowed = from->allowed;
    to->next = from->next;
}

// Vertices of one body on the surface of another.
static qvResult MeetBody(qvBemStep* step, int number, int other, double margin, bool* added, double* deepest,
                         qvError* error)
{
    const qvBemBody* body = &step->system->bodies[number];
    qvResult result = qv_ok;
    for (int v = 0; result == qv_ok && v < body->vertexCount; v++)
    {
        qvVec3 x = step->end[body->firstVertex + v];
        qvBemFoot foot;
        if (!IsInside(&step->around[other], x))
            continue;
        if (!step->isFitted[other])
            FitBody(step, other);
        bool isDeep;
        if (!qvBemFit_Find(&step->fits[other], x, fmax(margin, 0.0), &foot) ||
            !Face(step, body, v, &step->fits[other], &foot, &isDeep))
            continue;
        *deepest = fmax(*deepest, -foot.distance);
        int known = Find(step, body->firstVertex + v, other);
        qvBemBlock* before = known >= 0 ? &step->blocks.items[known] : NULL;
        if (before != NULL && isDeep)
            continue;
        if (!(foot.distance < margin + (before != NULL ? before->allowed : 0.0)) ||
            (before != NULL && (before->partner == qv_bemHeld || margin > 0.0)))
            continue;
        qvBemBlock block = MeetingBlock(step, number, v, other, &foot, isDeep);
        if (before == NULL)
            result = Add(step, &block, error);
        else
        {
            MoveFoot(before, &block);
            *before = block;
        }
        *added = true;
    }
    return result;
}

static void PutAround(qvBemStep* step, double margin)
{
    for (int b = 0; b < step->system->def.bodyCount; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        qvVec3 low = step->end[body->firstVertex], high = low;
        for (int v = 1; v < body->vertexCount; v++)
        {
            qvVec3 x = step->end[body->firstVertex + v];
            low = qvMakeVec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = qvMakeVec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
        step->around[b] = (qvBemBox){ { low.x - margin, low.y - margin, low.z - margin },
                                      { high.x + margin, high.y + margin, high.z + margin } };
        step->isFitted[b] = false;
    }
}

// Sorts bodies by where they begin along x; they are nearly so already.
static void Sort(qvBemStep* step)
{
    for (int i = 1; i < step->system->def.bodyCount; i++)
    {
        int32_t body = step->order[i];
        int at = i;
        for (; at > 0 && step->around[step->order[at - 1]].lower[0] > step->around[body].lower[0]; at--)
            step->order[at] = step->order[at - 1];
        step->order[at] = body;
    }
}

static qvResult MeetBodies(qvBemStep* step, double margin, bool* added, double* deepest, qvError* error)
{
    int count = step->system->def.bodyCount;
    qvResult result = qv_ok;
    PutAround(step, fmax(margin, 0.0));
    Sort(step);
    for (int i = 0; i < count; i++)
    {
        const qvBemBox* a = &step->around[step->order[i]];
        for (int j = i + 1; j < count && step->around[step->order[j]].lower[0] <= a->upper[0]; j++)
        {
            const qvBemBox* b = &step->around[step->order[j]];
            if (a->lower[1] > b->upper[1] || b->lower[1] > a->upper[1] || a->lower[2] > b->upper[2] ||
                b->lower[2] > a->upper[2] || AreJoined(step->system, step->order[i], step->order[j]))
                continue;
            result = MeetBody(step, step->order[i], step->order[j], margin, added, deepest, error);
            if (result == qv_ok)
                result = MeetBody(step, step->order[j], step->order[i], margin, added, deepest, error);
            if (result != qv_ok)
                return result;
        }
    }
    return result;
}

qvResult qvBemStep_FindContacts(qvBemStep* step, double margin, bool* added, double* deepest, qvError* error)
{
    qvResult result = qv_ok;
    *added = false;
    *deepest = 0.0;
    if (step->def->query != NULL)
        result = MeetObstacles(step, margin, added, deepest, error);
    if (result == qv_ok && step->system->def.bodyCount > 1)
        result = MeetBodies(step, margin, added, deepest, error);
    return result;
}
