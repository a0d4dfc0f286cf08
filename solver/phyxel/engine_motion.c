// SPDX-License-Identifier: GPL-3.0-or-later
// What changes velocities beside forces: damping of the deformation, and contact by projection (contact.h);
// and what is heard of contacts.
#include "phyxel/engine_state.h"

#include "base/memory.h"
#include "math/mat3.h"
#include "phyxel/contact.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_PROJECTIONS = 8
};

static const double TOUCHED = 1e-9;         // spacings that a phyxel may be too deep
static const double RECOVERY = 20.0;        // spacings per second at which one that starts inside comes out
static const double NARROW = 0.1;           // spacings of a way out that is gone within the step
static const double AWAY = 0.05;            // s without a touch, after which the next one is a knock
static const double NEARLY = 0.01;          // spacings within which a phyxel still touches
static const double SMALLEST_TURN = 1e-9;   // of an inertia's trace, added so that rods have an inverse
static const double SMALLEST_SPREAD = 1e-6; // of mass times spacing^2, below which a part is a point

// --- Damping ---------------------------------------------------------------------------------------------------------

// Sums over a part, then its rigid motion.
typedef struct Part
{
    double mass;
    qvVec3 center, velocity, spin; // spin: angular momentum at first
    qvMat3 inertia;
} Part;

static qvVec3 Get(const double x[4])
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

static void SumParts(const qvPhyxelState* s, const double (*v)[4], Part* parts)
{
    for (int i = 0; i < s->count; i++)
    {
        Part* part = &parts[s->reference->part[i]];
        double m = s->body->masses[i];
        part->mass += m;
        part->center = qvMulAdd(part->center, m, Get(s->y[i]));
        part->velocity = qvMulAdd(part->velocity, m, Get(v[i]));
    }
    for (int k = 0; k < s->reference->partCount; k++)
    {
        parts[k].center = qvScale(1.0 / parts[k].mass, parts[k].center);
        parts[k].velocity = qvScale(1.0 / parts[k].mass, parts[k].velocity);
    }
    for (int i = 0; i < s->count; i++)
    {
        Part* part = &parts[s->reference->part[i]];
        double m = s->body->masses[i];
        qvVec3 r = qvSub(Get(s->y[i]), part->center);
        qvMat3 outer = qvMat3_Outer(r, r);
        // Relative velocities: of a drop of one phyxel, r is rounding alone.
        part->spin = qvMulAdd(part->spin, m, qvCross(r, qvSub(Get(v[i]), part->velocity)));
        part->inertia = qvMat3_MulAdd(&part->inertia, -m, &outer);
        for (int k = 0; k < 3; k++)
            part->inertia.m[k][k] += m * qvDot(r, r);
    }
}

static void FindSpin(Part* part, double spacing)
{
    double trace = qvMat3_Trace(&part->inertia);
    for (int k = 0; k < 3; k++)
        part->inertia.m[k][k] += SMALLEST_TURN * trace;
    qvMat3 inverse = qvMat3_Inverse(&part->inertia);
    bool isSpread = trace > SMALLEST_SPREAD * part->mass * spacing * spacing;
    part->spin = isSpread ? qvMat3_Apply(&inverse, part->spin) : qvMakeVec3(0.0, 0.0, 0.0);
}

// The rigid motions of all parts with these velocities.
static qvResult FindParts(qvPhyxelState* s, const double (*v)[4], Part** parts, qvError* error)
{
    int count = s->reference->partCount;
    if (!qvReserve(&s->partSums, &s->partCapacity, count, sizeof(Part)))
        return qvError_OutOfMemory(error, (double)count * sizeof(Part));
    *parts = s->partSums;
    memset(*parts, 0, (size_t)count * sizeof(Part));
    SumParts(s, v, *parts);
    for (int k = 0; k < count; k++)
        FindSpin(&(*parts)[k], s->body->spacing);
    return qv_ok;
}

static qvVec3 RigidVelocity(const qvPhyxelState* s, const Part* parts, int i)
{
    const Part* part = &parts[s->reference->part[i]];
    return qvAdd(part->velocity, qvCross(part->spin, qvSub(Get(s->y[i]), part->center)));
}

qvResult qvPhyxelStep_AddRigid(qvPhyxelStep* step, const double (*from)[4], double (*to)[4], qvError* error)
{
    Part* parts;
    qvResult result = FindParts(step->state, from, &parts, error);
    for (int i = 0; result == qv_ok && i < step->state->count; i++)
    {
        qvVec3 v = qvAdd(Get(to[i]), RigidVelocity(step->state, parts, i));
        memcpy(to[i], (double[4]){ v.x, v.y, v.z }, sizeof(*to));
    }
    return result;
}

qvResult qvPhyxelStep_Damp(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    double kept = 1.0 / (1.0 + step->dt * step->matter.damping);
    if (kept == 1.0)
        return qv_ok;
    Part* parts;
    qvResult result = FindParts(s, (const double(*)[4])s->v, &parts, error);
    for (int i = 0; result == qv_ok && i < s->count; i++)
    {
        qvVec3 rigid = RigidVelocity(s, parts, i);
        qvVec3 v = qvMulAdd(rigid, kept, qvSub(Get(s->v[i]), rigid));
        memcpy(s->v[i], (double[4]){ v.x, v.y, v.z }, sizeof(*s->v));
    }
    return result;
}

// --- Contact ---------------------------------------------------------------------------------------------------------

// The velocity after a touch that takes the phyxel out by margin, but pushes it no faster than limit.
static qvVec3 Answer(const qvPhyxelStep* step, const qvObstacleTouch* touch, double margin, double limit, qvVec3 v)
{
    qvVec3 relative = qvSub(v, touch->velocity);
    double most = fmax(0.0, limit - qvDot(relative, touch->normal)) * step->dt; // of the depth that is taken back
    double depth = fmax(touch->distance - margin, -most);
    double friction = 0.5 * (touch->friction + step->matter.friction); // the mean of body and obstacle
    return qvAdd(touch->velocity, qvProjectVelocity(relative, depth, touch->normal, friction, step->dt));
}

bool qvPhyxelStep_WasInside(const qvPhyxelStep* step, int obstacle, qvVec3 y, double margin)
{
    const qvPhyxelState* s = step->state;
    double distance = qvObstacles_Touch(step->scene->obstacles, s->places, obstacle, y).distance;
    return distance < margin - 1e-3 * s->body->spacing;
}

typedef struct Contact
{
    const qvPhyxelStep* step;
    const qvObstaclePlace* after;
    qvVec3 y;
    double margin;
    bool isInside; // of something since before the step
} Contact;

// With every obstacle in turn that it enters in this step. True: it changed the velocity.
static bool Project(Contact* c, qvVec3* v)
{
    const qvObstacles* obstacles = c->step->scene->obstacles;
    double slack = TOUCHED * c->step->state->body->spacing;
    bool isChanged = false;
    for (int k = 0; k < qvObstacles_Count(obstacles); k++)
    {
        qvObstacleTouch touch = qvObstacles_Touch(obstacles, c->after, k, qvMulAdd(c->y, c->step->dt, *v));
        if (!(touch.distance - c->margin < -slack))
            continue;
        if (qvPhyxelStep_WasInside(c->step, k, c->y, c->margin))
        {
            c->isInside = true;
            continue;
        }
        *v = Answer(c->step, &touch, c->margin, INFINITY, *v);
        isChanged = true;
    }
    return isChanged;
}

// Out of all obstacles at once: gently what was inside before, or has far to go from between two that close.
static void ComeOut(const Contact* c, qvVec3* v)
{
    double spacing = c->step->state->body->spacing;
    qvVec3 next = qvMulAdd(c->y, c->step->dt, *v);
    qvObstacleTouch out = qvObstacles_WayOut(c->step->scene->obstacles, c->after, c->margin, next);
    double way = c->margin - out.distance;
    bool isGentle = c->isInside || way > NARROW * spacing;
    if (way > TOUCHED * spacing)
        *v = Answer(c->step, &out, c->margin, isGentle ? RECOVERY * spacing : INFINITY, *v);
}

// In turn, as each has its own velocity and friction. What this leaves inside goes the way out of all of them.
static void TouchOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    const qvObstaclePlace* after = s->places + qvObstacles_Count(step->scene->obstacles);
    for (int i = begin; i < end; i++)
    {
        Contact c = { step, after, Get(s->y[i]), s->body->depths[i], false };
        qvVec3 v = Get(s->v[i]);
        bool isMoving = true;
        for (int n = 0; n < MOST_PROJECTIONS && isMoving; n++)
            isMoving = Project(&c, &v);
        if (c.isInside || isMoving)
            ComeOut(&c, &v);
        if (c.isInside)
            Project(&c, &v);
        memcpy(s->v[i], (double[4]){ v.x, v.y, v.z }, sizeof(*s->v));
    }
}

// --- Knocks ----------------------------------------------------------------------------------------------------------

// The speed at which a phyxel comes to what it has not touched for a while.
static void HearOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    const qvPhyxelState* s = step->state;
    const qvObstacles* obstacles = step->scene->obstacles;
    const qvObstaclePlace* after = s->places + qvObstacles_Count(obstacles);
    double now = *s->clock + step->dt;
    for (int i = begin; i < end; i++)
    {
        qvPhyxelKnock* knock = &step->scene->knocks[i];
        qvVec3 v = Get(s->v[i]), next = qvMulAdd(Get(s->y[i]), step->dt, v);
        bool wasAway = now - knock->touched > AWAY;
        for (int k = 0; k < qvObstacles_Count(obstacles); k++)
        {
            qvObstacleTouch touch = qvObstacles_Touch(obstacles, after, k, next);
            if (touch.distance > s->body->depths[i] + NEARLY * s->body->spacing)
                continue;
            double speed = -qvDot(qvSub(v, touch.velocity), touch.normal);
            if (wasAway && speed > knock->speed)
                knock->speed = speed, knock->time = now, knock->normal = touch.normal;
            knock->touched = now;
        }
    }
}

qvResult qvPhyxelStep_PlaceObstacles(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    const qvObstacles* obstacles = step->scene->obstacles;
    int count = obstacles != NULL ? qvObstacles_Count(obstacles) : 0;
    if (count == 0)
        return qv_ok;
    if (!qvReserve(&s->places, &s->placeCapacity, 2 * count, sizeof(*s->places)))
        return qvError_OutOfMemory(error, 2.0 * count * sizeof(*s->places));
    double time = step->scene->start + *s->clock;
    qvObstacles_Place(obstacles, time, s->places);
    qvObstacles_Place(obstacles, time + step->dt, s->places + count);
    if (step->scene->knocks != NULL)
        qvPhyxelStep_ForAll(step, HearOf);
    return qv_ok;
}

void qvPhyxelStep_Touch(qvPhyxelStep* step)
{
    const qvObstacles* obstacles = step->scene->obstacles;
    if (obstacles != NULL && qvObstacles_Count(obstacles) > 0)
        qvPhyxelStep_ForAll(step, TouchOf);
}
