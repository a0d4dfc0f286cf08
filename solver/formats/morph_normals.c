// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/morph_normals.h"

#include "base/memory.h"
#include "formats/gltf.h"
#include "math/blas.h"
#include "math/dense_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FRAMES_AT_ONCE = 16,
    COORDINATES_AT_ONCE = 1024,
};

// --- Groups ------------------------------------------------------------------------------------------------------

qvResult qvCreateNormalGroups(const qvMesh* mesh, qvNormalGroups* groups, qvError* error)
{
    size_t corners = 3 * (size_t)mesh->triangleCount;
    *groups = (qvNormalGroups){ .ofCorner = qvAllocateRaw(corners, sizeof(int32_t)) };
    if (groups->ofCorner == NULL)
        return qvError_OutOfMemory(error, (double)corners * sizeof(int32_t));
    qvResult result = qvGltf_GroupCorners(mesh, groups->ofCorner, &groups->count, error);
    if (result != qv_ok)
        return result;
    groups->vertex = qvAllocateRaw((size_t)groups->count, sizeof(int32_t));
    if (groups->vertex == NULL)
        return qvError_OutOfMemory(error, (double)corners * sizeof(int32_t));
    for (size_t c = 0; c < corners; c++)
        groups->vertex[groups->ofCorner[c]] = mesh->triangles[c / 3].v[c % 3];
    // A mesh whose points are the groups: neighbours are smoothed only within a group then.
    qvMesh view = *mesh;
    view.pointCount = groups->count;
    view.pointTriangles = (qvTriangle*)(void*)groups->ofCorner;
    return qvCreateTopology(&view, &groups->topology, error);
}

void qvNormalGroups_Free(qvNormalGroups* groups)
{
    qvDestroyTopology(groups->topology);
    free(groups->ofCorner);
    free(groups->vertex);
    *groups = (qvNormalGroups){ 0 };
}

// --- Normals of frames -------------------------------------------------------------------------------------------

typedef struct Work
{
    const qvNormalGroups* groups;
    const qvMesh* mesh;
    const qvMorphFrames* frames;
    int first, count; // frames at work
    qvVec3f* normals; // [FRAMES_AT_ONCE][groups], less those of rest
    int deskCount;    // as many as threads, at most FRAMES_AT_ONCE: frames are dealt to them in turn
    qvVec3f* places;  // [deskCount][groups]
    char* scratch;    // [deskCount][scratchSize]
    size_t scratchSize;
    qvVec3f* rest;       // [groups]
    const double* solve; // [targets][frameCount]
    int targetCount;
    float* out; // [targets][3 groups]
} Work;

static qvResult StartWork(Work* work, qvPool* pool, qvError* error)
{
    size_t count = (size_t)work->groups->count, desks = (size_t)qvPool_ThreadCount(pool);
    desks = desks < FRAMES_AT_ONCE ? desks : FRAMES_AT_ONCE;
    work->deskCount = (int)desks;
    work->scratchSize = (qvNormalScratchSize(work->groups->topology, qv_weightByAngle) + 63) / 64 * 64;
    work->places = qvAllocateRaw(desks * count, sizeof(qvVec3f));
    work->normals = qvAllocateRaw(FRAMES_AT_ONCE * count, sizeof(qvVec3f));
    work->rest = qvAllocate(count, sizeof(qvVec3f));
    work->scratch = qvAllocateRaw(desks, work->scratchSize);
    if (work->places == NULL || work->normals == NULL || work->rest == NULL || work->scratch == NULL)
        return qvError_OutOfMemory(error, FRAMES_AT_ONCE * 12.0 * (double)count);
    for (size_t i = 0; i < count; i++)
        work->places[i] = work->mesh->positions[work->groups->vertex[i]];
    qvComputeNormals(work->groups->topology, work->places, qv_weightByAngle, work->scratch, NULL, work->rest);
    return qv_ok;
}

static void FreeWork(Work* work)
{
    free(work->places);
    free(work->normals);
    free(work->rest);
    free(work->scratch);
}

// Of a frame, at a desk.
static void FindNormals(const Work* work, int frame, int desk)
{
    const qvNormalGroups* groups = work->groups;
    qvVec3f* places = work->places + (size_t)desk * (size_t)groups->count;
    qvVec3f* normals = work->normals + (size_t)frame * (size_t)groups->count;
    const float* moved = work->frames->values + (size_t)(work->first + frame) * 3 * (size_t)work->frames->vertexCount;
    for (int i = 0; i < groups->count; i++)
    {
        const float* d = moved + 3 * (size_t)groups->vertex[i];
        qvVec3f p = work->mesh->positions[groups->vertex[i]];
        places[i] = (qvVec3f){ p.x + d[0], p.y + d[1], p.z + d[2] };
    }
    qvComputeNormals(groups->topology, places, qv_weightByAngle, work->scratch + (size_t)desk * work->scratchSize, NULL,
                     normals);
    for (int i = 0; i < groups->count; i++)
    {
        normals[i].x -= work->rest[i].x;
        normals[i].y -= work->rest[i].y;
        normals[i].z -= work->rest[i].z;
    }
}

static void WorkAtDesks(void* context, int begin, int end)
{
    const Work* work = context;
    for (int desk = begin; desk < end; desk++)
    {
        for (int frame = desk; frame < work->count; frame += work->deskCount)
            FindNormals(work, frame, desk);
    }
}

static void Accumulate(void* context, int begin, int end)
{
    const Work* work = context;
    size_t stride = 3 * (size_t)work->groups->count, rows = (size_t)(end - begin);
    for (int t = 0; t < work->targetCount; t++)
    {
        float* sum = work->out + (size_t)t * stride + begin;
        for (int k = 0; k < work->count; k++)
        {
            float factor = (float)work->solve[(size_t)t * (size_t)work->frames->frameCount + (size_t)(work->first + k)];
            const float* normals = &work->normals[0].x + (size_t)k * stride + begin;
            for (size_t i = 0; i < rows; i++)
                sum[i] += factor * normals[i];
        }
    }
}

// --- Least squares -----------------------------------------------------------------------------------------------

// The pseudo-inverse [targets][frames] of the weights, by the eigenvectors of W^T W. Combinations of targets that the
// frames hardly use (below 1e-5 of the most used) say nothing about normals.
static qvResult Invert(const float* weights, int frames, int targets, double* solve, qvError* error)
{
    size_t n = (size_t)targets, rows = (size_t)frames;
    double* w = qvAllocateRaw(rows * n, sizeof(double));
    double* square = qvAllocateRaw(n * n, sizeof(double));
    double* values = qvAllocateRaw(n, sizeof(double));
    double* projected = qvAllocateRaw(n * rows, sizeof(double));
    qvResult result = qv_ok;
    if (w == NULL || square == NULL || values == NULL || projected == NULL)
        result = qvError_OutOfMemory(error, (double)(rows * n * sizeof(double)));
    for (size_t i = 0; i < rows * n && result == qv_ok; i++)
        w[i % n * rows + i / n] = weights[i]; // by columns
    if (result == qv_ok)
    {
        qvBlas_Gram(frames, targets, w, frames, square, targets);
        result = qvDense_Eigen(targets, square, targets, values, square, error);
    }
    if (result == qv_ok)
    {
        qvBlas_Multiply(false, false, frames, targets, targets, 1.0, w, frames, square, targets, 0.0, projected,
                        frames);
        for (size_t i = 0; i < n; i++)
            qvBlas_Scale(frames, values[i] > 1e-10 * values[n - 1] ? 1.0 / values[i] : 0.0, projected + i * rows);
        qvBlas_Multiply(false, true, frames, targets, targets, 1.0, projected, frames, square, targets, 0.0, solve,
                        frames);
    }
    free(w);
    free(square);
    free(values);
    free(projected);
    return result;
}

static qvResult FitFrames(Work* work, const qvJob* job, qvError* error)
{
    int frames = work->frames->frameCount, coordinates = 3 * work->groups->count;
    qvResult result = qv_ok;
    for (work->first = 0; work->first < frames && result == qv_ok; work->first += FRAMES_AT_ONCE)
    {
        work->count = frames - work->first < FRAMES_AT_ONCE ? frames - work->first : FRAMES_AT_ONCE;
        result = qvJob_Progress(job, "normals", 0.6 + 0.3 * work->first / frames, error);
        qvParallelFor(qvJob_Pool(job), work->deskCount, 1, WorkAtDesks, work);
        qvParallelFor(qvJob_Pool(job), coordinates, COORDINATES_AT_ONCE, Accumulate, work);
    }
    return result;
}

qvResult qvFitMorphNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                           const float* weights, int targetCount, const qvJob* job, float* out, qvError* error)
{
    size_t size = (size_t)targetCount * (size_t)frames->frameCount;
    double* solve = qvAllocateRaw(size, sizeof(double));
    Work work = {
        .groups = groups, .mesh = mesh, .frames = frames, .solve = solve, .targetCount = targetCount, .out = out
    };
    memset(out, 0, (size_t)targetCount * 3 * (size_t)groups->count * sizeof(float));
    qvResult result = solve != NULL ? Invert(weights, frames->frameCount, targetCount, solve, error)
                                    : qvError_OutOfMemory(error, (double)size * sizeof(double));
    if (result == qv_ok)
        result = StartWork(&work, qvJob_Pool(job), error);
    if (result == qv_ok)
        result = FitFrames(&work, job, error);
    FreeWork(&work);
    free(solve);
    return result;
}

// relative: less the normals at rest.
static qvResult FindEach(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames, int count,
                         bool relative, const qvJob* job, float* out, qvError* error)
{
    Work work = { .groups = groups, .mesh = mesh, .frames = frames };
    qvResult result = StartWork(&work, qvJob_Pool(job), error);
    if (result == qv_ok && !relative)
        memset(work.rest, 0, (size_t)groups->count * sizeof(qvVec3f));
    for (; work.first < count && result == qv_ok; work.first += FRAMES_AT_ONCE)
    {
        work.count = count - work.first < FRAMES_AT_ONCE ? count - work.first : FRAMES_AT_ONCE;
        result =
            relative ? qvJob_Progress(job, "normals", 0.6 + 0.3 * work.first / count, error) : qvJob_Ask(job, error);
        qvParallelFor(qvJob_Pool(job), work.deskCount, 1, WorkAtDesks, &work);
        memcpy(out + (size_t)work.first * 3 * (size_t)groups->count, work.normals,
               (size_t)work.count * (size_t)groups->count * sizeof(qvVec3f));
    }
    FreeWork(&work);
    return result;
}

qvResult qvFindMorphNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                            int targetCount, const qvJob* job, float* out, qvError* error)
{
    return FindEach(groups, mesh, frames, targetCount, true, job, out, error);
}

qvResult qvFindFrameNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                            int frameCount, const qvJob* job, float* out, qvError* error)
{
    return FindEach(groups, mesh, frames, frameCount, false, job, out, error);
}
