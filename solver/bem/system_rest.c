// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that lie come to rest. Modes fade in their own time, but what lies on others swings as a whole, the more
// slowly the more of them there are, and hardly strains them: such a stack would swing for a minute. In a heap on an
// obstacle what is not a motion of the whole heap is therefore taken for its wobble: where it is slower than SWING it
// fades as modes do. Bodies that lie on an obstacle, on their own or on others, and move by less than SLOW are braked
// at that rate. What is faster, or flies, or meets in the air, is not touched.
#include "bem/system_blocks.h"

#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>

static const double FADED = 3.0;  // ln(20): what "settled" means
static const double SLOW = 0.05;  // sizes a second
static const double SWING = 0.25; // sizes a second

// Bodies that hang together by their contacts and joints, and the obstacles on which they lie.
typedef struct Heap
{
    int32_t parent;  // of a body: the way to its heap's first
    int count;       // contacts with obstacles
    qvVec3 velocity; // of those, in all
    // Of the first of a heap of several: its motion as a whole.
    int bodies;
    double mass;
    qvVec3 centre, drift, momentum, spin;
    qvMat3 inertia;
} Heap;

static int FirstOf(Heap* heaps, int body)
{
    while (heaps[body].parent != body)
        body = heaps[body].parent = heaps[heaps[body].parent].parent;
    return body;
}

static void Gather(const qvBemStep* step, Heap* heaps)
{
    for (int b = 0; b < step->system->def.bodyCount; b++)
        heaps[b].parent = b;
    for (int i = 0; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        int first = FirstOf(heaps, block->ends[0].body);
        int other = FirstOf(heaps, block->ends[block->endCount - 1].body);
        heaps[first > other ? first : other].parent = first > other ? other : first;
    }
    for (int i = step->fixedCount; i < step->blocks.count; i++)
    {
        const qvBemBlock* block = &step->blocks.items[i];
        if (block->partner != qv_bemObstacle || !(block->lambda[0] > 0.0))
            continue;
        Heap* heap = &heaps[FirstOf(heaps, block->ends[0].body)];
        heap->count++;
        heap->velocity = qvAdd(heap->velocity, block->velocity);
    }
}

static qvVec3 SpinOf(const qvBemBody* body, const double* own)
{
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvVec3 local = qvMat3_Apply(&body->inverse, qvMat3_Apply(&back, qvBemGet(own + qv_stateMomentum)));
    return qvMat3_Apply(&rotation, local);
}

static qvMat3 InertiaOf(const qvBemBody* body, const double* own)
{
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvMat3 turned = qvMat3_Product(&rotation, &body->inertia);
    return qvMat3_Product(&turned, &back);
}

static double SpeedOf(const qvBemBody* body, qvVec3 velocity, qvVec3 spin)
{
    double size = body->model->surface->diameter;
    return (qvLength(velocity) + 0.5 * size * qvLength(spin)) / size;
}

// --- Heaps ----------------------------------------------------------------------------------------------------------

// What moves a heap as a whole has its momenta.
static void AddUp(const qvBemStep* step, Heap* heaps)
{
    int count = step->system->def.bodyCount;
    for (int b = 0; b < count; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        const double* own = step->after + body->start;
        Heap* heap = &heaps[FirstOf(heaps, b)];
        heap->bodies++;
        heap->mass += body->mass;
        heap->centre = qvMulAdd(heap->centre, body->mass, qvBemGet(own + qv_statePlace));
        heap->drift = qvMulAdd(heap->drift, body->mass, qvBemGet(own + qv_stateVelocity));
    }
    for (int b = 0; b < count; b++)
    {
        if (heaps[b].bodies == 0)
            continue;
        heaps[b].centre = qvScale(1.0 / heaps[b].mass, heaps[b].centre);
        heaps[b].drift = qvScale(1.0 / heaps[b].mass, heaps[b].drift);
    }
    for (int b = 0; b < count; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        const double* own = step->after + body->start;
        Heap* heap = &heaps[FirstOf(heaps, b)];
        qvVec3 arm = qvSub(qvBemGet(own + qv_statePlace), heap->centre);
        double square = qvDot(arm, arm);
        qvMat3 turned = InertiaOf(body, own), outer = qvMat3_Outer(arm, arm),
               round = qvMat3_Diagonal(square, square, square);
        heap->inertia = qvMat3_MulAdd(&heap->inertia, 1.0, &turned);
        heap->inertia = qvMat3_MulAdd(&heap->inertia, body->mass, &round);
        heap->inertia = qvMat3_MulAdd(&heap->inertia, -body->mass, &outer);
        heap->momentum = qvAdd(heap->momentum, qvBemGet(own + qv_stateMomentum));
        heap->momentum = qvMulAdd(heap->momentum, body->mass, qvCross(arm, qvBemGet(own + qv_stateVelocity)));
    }
    for (int b = 0; b < count; b++)
    {
        if (heaps[b].bodies == 0)
            continue;
        qvMat3 inverse = qvMat3_Inverse(&heaps[b].inertia);
        heaps[b].spin = qvMat3_Apply(&inverse, heaps[b].momentum);
    }
}

// The wobble of a heap: what its bodies do beside it.
static void FadeWobble(const qvBemBody* body, const Heap* heap, double step, double* own)
{
    qvVec3 arm = qvSub(qvBemGet(own + qv_statePlace), heap->centre);
    qvVec3 whole = qvAdd(heap->drift, qvCross(heap->spin, arm));
    qvVec3 velocity = qvSub(qvBemGet(own + qv_stateVelocity), whole), spin = qvSub(SpinOf(body, own), heap->spin);
    double share = fmax(1.0 - SpeedOf(body, velocity, spin) / SWING, 0.0);
    double fade = exp(-share * 2.0 * FADED / body->def.settle * step); // of velocities: amplitudes fade half as fast
    qvMat3 inertia = InertiaOf(body, own);
    qvBemPut(own + qv_stateVelocity, qvMulAdd(whole, fade, velocity));
    qvBemPut(own + qv_stateMomentum, qvMat3_Apply(&inertia, qvMulAdd(heap->spin, fade, spin)));
}

// --- All ------------------------------------------------------------------------------------------------------------

// How fast what is slow is braked. A heap sways about as slowly as a pendulum of its bodies' size: braked harder it
// would creep.
static double BrakeRate(const qvBemSystem* system, const qvBemBody* body, const Heap* heap)
{
    double rate = FADED / body->def.settle;
    double sway = sqrt(qvLength(system->def.gravity) / body->model->surface->diameter);
    return heap->bodies > 1 ? fmin(rate, 2.0 * sway) : rate;
}

static void Brake(const qvBemBody* body, const Heap* heap, double rate, double step, double* own)
{
    qvVec3 beside = qvScale(1.0 / heap->count, heap->velocity), velocity = qvBemGet(own + qv_stateVelocity);
    double share = fmax(1.0 - SpeedOf(body, qvSub(velocity, beside), SpinOf(body, own)) / SLOW, 0.0);
    double fade = exp(-share * rate * step);
    qvBemPut(own + qv_stateVelocity, qvMulAdd(beside, fade, qvSub(velocity, beside)));
    qvBemPut(own + qv_stateMomentum, qvScale(fade, qvBemGet(own + qv_stateMomentum)));
}

qvResult qvBemStep_BringToRest(qvBemStep* step, qvError* error)
{
    int count = step->system->def.bodyCount;
    Heap* heaps = qvAllocate((size_t)count, sizeof(*heaps));
    if (heaps == NULL)
        return qvError_OutOfMemory(error, 64.0 * count);
    Gather(step, heaps);
    AddUp(step, heaps);
    for (int b = 0; b < count; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        double* own = step->after + body->start;
        const Heap* heap = &heaps[FirstOf(heaps, b)];
        if (heap->count > 0 && heap->bodies > 1)
            FadeWobble(body, heap, step->system->step, own);
        if (heap->count > 0)
            Brake(body, heap, BrakeRate(step->system, body, heap), step->system->step, own);
    }
    free(heaps);
    return qv_ok;
}
