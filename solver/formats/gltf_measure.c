// SPDX-License-Identifier: GPL-3.0-or-later
// How far what is written is from what was baked: every vertex of every frame, from the numbers as a reader decodes
// them.
#include "formats/gltf_body.h"

#include "base/memory.h"
#include "math/affine.h"
#include "math/blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 64, // vertices
};

typedef struct Sum
{
    double largest, squares;
    bool failed; // memory ran out
} Sum;

typedef struct Measuring
{
    const qvGltfBody* body;
    const qvMorphTargets* targets;
    const qvAffine* rigid; // [frameCount]
    const double* weights; // [frameCount][targetCount]
    bool isBind;
    Sum* sums; // per block
} Measuring;

// Shapes of a block, as columns of 3 count rows.
static void GetShapes(const qvGltfBody* body, int first, int count, double* out)
{
    for (int t = 0; t < body->targetCount; t++)
    {
        const float* shape = body->shapes + ((size_t)t * (size_t)body->vertexCount + (size_t)first) * 3;
        for (int i = 0; i < 3 * count; i++)
            *out++ = shape[i];
    }
}

// What rounding did to the base.
static qvVec3 BaseShift(const qvGltfBody* body, int vertex)
{
    return qvSub(qvVec3_FromFloat(qvGltfBody_Base(body, vertex)), qvVec3_FromFloat(body->base[vertex]));
}

static void AddVertex(const Measuring* measuring, int vertex, int frame, qvVec3 local, qvVec3 shift, Sum* sum)
{
    const qvGltfBody* body = measuring->body;
    const qvExportTask* task = measuring->targets->task;
    const qvAffine* map = &body->maps[body->mapCount > 1 ? vertex : 0];
    int source = body->source[vertex];
    qvVec3 rest = qvVec3_FromFloat(task->mesh->positions[source]);
    qvVec3 moved = qvAffine_Vector(map, qvAdd(local, shift));
    double distance;
    if (measuring->isBind)
    {
        const float* d =
            measuring->targets->displacements + ((size_t)frame * (size_t)task->mesh->vertexCount + (size_t)source) * 3;
        distance = qvDistance(moved, qvMakeVec3(d[0], d[1], d[2]));
    }
    else
        distance = qvDistance(qvAffine_Point(&measuring->rigid[frame], qvAdd(rest, moved)),
                              qvVec3_FromFloat(qvExportTask_Frame(task, frame)[source]));
    sum->largest = fmax(sum->largest, distance);
    sum->squares += distance * distance;
}

static void MeasureBlocks(void* context, int begin, int end)
{
    const Measuring* measuring = context;
    const qvGltfBody* body = measuring->body;
    int frames = measuring->targets->frames.frameCount, count = end - begin, targets = body->targetCount;
    Sum* sum = &measuring->sums[begin / BLOCK];
    double* shapes = qvAllocateRaw(3 * (size_t)count * (size_t)targets, sizeof(double));
    double* moved = qvAllocate(3 * (size_t)count * (size_t)frames, sizeof(double));
    sum->failed = shapes == NULL || moved == NULL;
    if (!sum->failed)
    {
        GetShapes(body, begin, count, shapes);
        qvBlas_Multiply(false, false, 3 * count, frames, targets, 1.0, shapes, 3 * count, measuring->weights, targets,
                        0.0, moved, 3 * count);
        for (int v = 0; v < count; v++)
        {
            qvVec3 shift = BaseShift(body, begin + v);
            for (int k = 0; k < frames; k++)
            {
                const double* d = moved + ((size_t)k * (size_t)count + (size_t)v) * 3;
                AddVertex(measuring, begin + v, k, qvMakeVec3(d[0], d[1], d[2]), shift, sum);
            }
        }
    }
    free(shapes);
    free(moved);
}

static qvResult MeasureBody(Measuring* measuring, double* largest, double* squares, qvError* error)
{
    const qvGltfBody* body = measuring->body;
    size_t blocks = ((size_t)body->vertexCount + BLOCK - 1) / BLOCK;
    measuring->sums = qvAllocate(blocks, sizeof(Sum));
    if (measuring->sums == NULL)
        return qvError_OutOfMemory(error, (double)blocks * sizeof(Sum));
    qvParallelFor(qvJob_Pool(measuring->targets->task->options.job), body->vertexCount, BLOCK, MeasureBlocks,
                  measuring);
    bool failed = false;
    for (size_t i = 0; i < blocks; i++)
    {
        *largest = fmax(*largest, measuring->sums[i].largest);
        *squares += measuring->sums[i].squares;
        failed |= measuring->sums[i].failed;
    }
    free(measuring->sums);
    return failed ? qvError_OutOfMemory(error, 24.0 * BLOCK * measuring->targets->frames.frameCount) : qv_ok;
}

qvResult qvGltfBodies_Measure(const qvGltfBodies* bodies, const qvMorphTargets* targets, double* largest, double* rms,
                              qvError* error)
{
    size_t frames = (size_t)targets->frames.frameCount, count = frames * (size_t)targets->targetCount;
    qvAffine* rigid = qvAllocateRaw(frames, sizeof(qvAffine));
    double* weights = qvAllocateRaw(count, sizeof(double));
    qvResult result = qv_ok;
    if (rigid == NULL || weights == NULL)
        result = qvError_OutOfMemory(error, (double)count * sizeof(double));
    for (size_t k = 0; k < frames && result == qv_ok; k++)
        rigid[k] = qvMorphTargets_Rigid(targets, (int)k);
    for (size_t i = 0; i < count && result == qv_ok; i++)
        weights[i] = targets->weights[i];
    double squares = 0.0, vertices = 0.0;
    *largest = 0.0;
    for (int i = 0; i < bodies->count && result == qv_ok; i++)
    {
        Measuring measuring = { .body = &bodies->items[i],
                                .targets = targets,
                                .rigid = rigid,
                                .weights = weights,
                                .isBind = targets->task->animation->space == qv_framesBind };
        result = MeasureBody(&measuring, largest, &squares, error);
        vertices += bodies->items[i].vertexCount;
    }
    *rms = vertices > 0.0 ? sqrt(squares / (vertices * (double)frames)) : 0.0;
    free(rigid);
    free(weights);
    return result;
}
