// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that lie come to rest. Modes fade in their own time, but what lies on others swings as a whole, the more
// slowly the more of them there are, and hardly strains them: such a stack would swing for a minute. Bodies that lie on
// an obstacle, on their own or on others, and move by less than SLOW are therefore braked at the rate at which modes
// fade. What is faster, or flies, or meets in the air, is not touched.
#include "bem/system_blocks.h"

#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>

static const double FADED = 3.0; // ln(20): what "settled" means
static const double SLOW = 0.05; // sizes a second

// Bodies that hang together by their contacts and joints, and the obstacles on which they lie.
typedef struct Heap
{
    int32_t parent;  // of a body: the way to its heap's first
    int count;       // contacts with obstacles
    qvVec3 velocity; // of those, in all
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

static double SpeedOf(const qvBemBody* body, const double* own, qvVec3 beside)
{
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvVec3 spin = qvMat3_Apply(&body->inverse, qvMat3_Apply(&back, qvBemGet(own + qv_stateMomentum)));
    double size = body->model->surface->diameter;
    return (qvDistance(qvBemGet(own + qv_stateVelocity), beside) + 0.5 * size * qvLength(spin)) / (SLOW * size);
}

qvResult qvBemStep_BringToRest(qvBemStep* step, qvError* error)
{
    int count = step->system->def.bodyCount;
    Heap* heaps = qvAllocate((size_t)count, sizeof(*heaps));
    if (heaps == NULL)
        return qvError_OutOfMemory(error, 64.0 * count);
    Gather(step, heaps);
    for (int b = 0; b < count; b++)
    {
        const qvBemBody* body = &step->system->bodies[b];
        double* own = step->after + body->start;
        const Heap* heap = &heaps[FirstOf(heaps, b)];
        if (heap->count == 0)
            continue;
        qvVec3 beside = qvScale(1.0 / heap->count, heap->velocity), velocity = qvBemGet(own + qv_stateVelocity);
        double share = fmax(1.0 - SpeedOf(body, own, beside), 0.0);
        double fade = exp(-share * FADED / body->def.settle * step->system->step);
        qvBemPut(own + qv_stateVelocity, qvMulAdd(beside, fade, qvSub(velocity, beside)));
        qvBemPut(own + qv_stateMomentum, qvScale(fade, qvBemGet(own + qv_stateMomentum)));
    }
    free(heaps);
    return qv_ok;
}
