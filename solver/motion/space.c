// SPDX-License-Identifier: GPL-3.0-or-later
// Poses to a reduced space with linearized elasticity. K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier,
// "Interactive Spacetime Control of Deformable Objects", 2012, sections 3.1 and 5. U is the basis, Phi the modes of the
// reduced body (columns), lambda their eigenvalues, g the internal force.
#include "motion/space.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/rotation.h"
#include "modal/basis.h"
#include "motion/space_build.h"
#include "motion/warp.h"

#include <math.h>
#include <stdlib.h>

qvMotionSpaceDef qvDefaultMotionSpaceDef(void)
{
    return (qvMotionSpaceDef){ .material = qvDefaultBodyMaterial(), .model = qv_modelPose, .window = 9 };
}

static qvResult AllocateNumbers(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    size_t d = (size_t)space->dimension;
    size_t count = d * (3 * (size_t)space->poseCount + (d + 8) * (size_t)space->shapeCount + 3);
    double* next = space->numbers = qvAllocate(count, sizeof(double));
    if (next == NULL)
        return qvError_OutOfMemory(b->error, (double)count * sizeof(double));
    for (int i = 0; i < space->poseCount; i++, next += 3 * d)
    {
        space->poses[i].center = next;
        space->poses[i].velocity[0] = next + d;
        space->poses[i].velocity[1] = next + 2 * d;
    }
    for (int i = 0; i < space->shapeCount; i++, next += (d + 8) * d)
    {
        qvMotionShape* shape = &space->shapes[i];
        shape->center = space->poses[shape->pose].center;
        shape->values = next, shape->force = next + d;
        shape->pull = next + 2 * d, shape->wind = next + 5 * d;
        shape->vectors = next + 8 * d;
    }
    space->uniform = next;
    return qv_ok;
}

static qvResult FillModes(qvSpaceBuild* b)
{
    const double* masses = qvElasticBody_Masses(b->space->elastic);
    if (b->previous != NULL) // which has the vectors of the rest shape's modes
        qvSpaceBuild_DropVectors(b);
    qvResult result = qvMotionSpace_FillModes(b->space, b->previous, b->def, masses, b->job, b->error);
    if (result == qv_ok)
        qvSpaceBuild_DropVectors(b);
    if (b->previous != NULL) // its vectors have done their part
        qvMotionSpace_Rest(b->previous);
    return result;
}

// What follows reads the basis piece by piece.
static qvResult ParkBasis(qvSpaceBuild* b)
{
    if (b->def->folder != NULL && !b->keepsBasis)
        qvBasis_Park(b->space->basis, b->def->folder);
    return qv_ok;
}

static qvResult MakeWarp(qvSpaceBuild* b)
{
    return qvMotionSpace_MakeWarp(b->space, b->def, b->rest, b->related, b->job, b->error);
}

static qvResult Allocate(qvSpaceBuild* b, double diagonal)
{
    const qvMotionSpaceDef* def = b->def;
    size_t poses = (size_t)def->poseCount;
    qvMotionSpace* space = b->space;
    space->pointCount = def->topology->pointCount, space->poseCount = def->poseCount;
    space->window = def->window;
    space->pinned = def->pinCount > 0, space->pinCount = def->pinCount;
    space->keepsRigid = space->pinned || def->keepsRigid;
    space->diagonal = diagonal, space->scale = QV_SPACE_DIAGONAL / diagonal;
    b->size = 3 * space->pointCount;
    space->poses = qvAllocate(poses, sizeof(*space->poses));
    space->shapes = qvAllocate(poses, sizeof(*space->shapes));
    space->arms = qvAllocate((size_t)b->size, sizeof(double));
    b->rest = qvAllocate((size_t)b->size, sizeof(double));
    b->local = qvAllocate(poses, sizeof(*b->local));
    b->fields[0] = qvAllocate(poses, sizeof(*b->fields[0]));
    b->fields[1] = qvAllocate(poses, sizeof(*b->fields[1]));
    b->known = qvAllocate(poses, sizeof(*b->known));
    b->isMissing = qvAllocate(poses, sizeof(*b->isMissing));
    b->isChosen = qvAllocate(poses, sizeof(*b->isChosen));
    b->arrows = qvAllocate(poses, sizeof(*b->arrows));
    b->blocks = qvAllocate(2 * poses + 1, sizeof(*b->blocks));
    b->sameAs = qvAllocate(2 * poses + 1, sizeof(*b->sameAs));
    if (space->poses == NULL || space->shapes == NULL || space->arms == NULL || b->rest == NULL || b->local == NULL ||
        b->fields[0] == NULL || b->fields[1] == NULL || b->known == NULL || b->isMissing == NULL ||
        b->isChosen == NULL || b->arrows == NULL || b->blocks == NULL || b->sameAs == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double) * 2.0);
    return qv_ok;
}

static void FreeBuild(qvSpaceBuild* b)
{
    for (int i = 0; b->local != NULL && b->fields[0] != NULL && b->fields[1] != NULL && i < b->space->poseCount; i++)
    {
        free(b->local[i]);
        free(b->fields[0][i]);
        free(b->fields[1][i]);
    }
    for (int i = 0; b->arrows != NULL && i < b->space->poseCount; i++)
        free(b->arrows[i]);
    qvSpaceBuild_DropWorkers(b);
    free(b->rest);
    free(b->local);
    free(b->fields[0]);
    free(b->fields[1]);
    free(b->known);
    free(b->isMissing);
    free(b->isChosen);
    free(b->arrows);
    free(b->blocks);
    free(b->sameAs);
}

// The body, from an earlier space if that has it, and the workers.
static qvResult MakeElastic(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    qvResult result = qv_ok;
    if (b->related != NULL)
        space->elastic = qvShareElasticBody(b->related->elastic);
    else
        result = qvCreateElasticBody(b->def, b->rest, b->job, &space->elastic, b->error);
    int threads = qvPool_ThreadCount(qvJob_Pool(b->job));
    int count = threads < b->def->poseCount ? threads : b->def->poseCount;
    b->workerLimit = count < qv_spaceWorkers ? count : qv_spaceWorkers;
    return result;
}

static qvResult Prepare(qvSpaceBuild* b, double diagonal)
{
    qvMotionSpace* space = b->space;
    qvResult result = Allocate(b, diagonal);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < b->size; i++)
        b->rest[i] = space->scale * b->def->rest[i];
    result = MakeElastic(b);
    if (result != qv_ok)
        return result;
    if (!space->pinned)
        space->pivot = qvMassCenter(space->pointCount, qvElasticBody_Masses(b->space->elastic), b->def->rest);
    for (int i = 0; i < space->pointCount; i++)
        qvSetPoint(space->arms, i, qvSub(qvGetPoint(b->def->rest, i), space->pivot));
    qvResult (*const steps[])(qvSpaceBuild*) = { qvSpaceBuild_PlacePoses,
                                                 qvSpaceBuild_Choose,
                                                 qvSpaceBuild_FindModes,
                                                 qvSpaceBuild_MakeBasis,
                                                 ParkBasis,
                                                 FillModes,
                                                 AllocateNumbers,
                                                 qvSpaceBuild_ReducePoses,
                                                 MakeWarp,
                                                 qvSpaceBuild_Linearize };
    for (size_t k = 0; result == qv_ok && k < sizeof(steps) / sizeof(steps[0]); k++)
    {
        result = qvJob_Ask(b->job, b->error);
        if (result == qv_ok)
            result = steps[k](b);
        qvMotionSpace_Rest(space);
    }
    if (result == qv_ok && space->heldCount > 0)
        qvWarp_HoldPaths(space->warp, space->shapes, space->heldCount, space->held);
    if (result == qv_ok)
        result = qvExpander_Init(&space->expander, b->size, space->dimension, b->error);
    if (result == qv_ok && space->dimension > 0)
        result = qvExpander_SetColumns(&space->expander, qvBasis_Vectors(space->basis), b->job, b->error);
    return result;
}

static uint64_t HashMesh(const qvMotionSpaceDef* def)
{
    const qvTopology* topology = def->topology;
    uint64_t hash = qvHash(def->rest, 3 * (size_t)topology->pointCount * sizeof(double), 1);
    hash = qvHash(topology->triangles, (size_t)topology->triangleCount * sizeof(*topology->triangles), hash);
    if (def->pinCount > 0)
        hash = qvHash(def->pins, (size_t)def->pinCount * sizeof(*def->pins), hash);
    int counts[] = { topology->pointCount, def->pinCount };
    return qvHash(counts, sizeof(counts), hash);
}

// Everything that modes and basis depend on but the poses.
static uint64_t HashBody(const qvMotionSpaceDef* def, uint64_t mesh)
{
    double numbers[] = { def->material.stretch, def->material.bend, def->material.modes };
    uint64_t hash = qvHash(numbers, sizeof(numbers), mesh);
    return def->keepsRigid ? qvHash_Combine(hash, 1) : hash;
}

// The earlier space, or one of its sets, of the mesh with these pins, or NULL.
static const qvMotionSpace* FindRelated(const qvMotionSpace* previous, uint64_t mesh)
{
    if (previous == NULL || (previous->setCount == 0 && previous->mesh == mesh))
        return previous;
    const qvMotionSpace* found = NULL;
    for (int i = 0; found == NULL && i < previous->setCount; i++)
        found = FindRelated(previous->sets[i], mesh);
    return found;
}

// The earlier space of the same body, or NULL.
static const qvMotionSpace* FindPrevious(const qvMotionSpace* previous, uint64_t body, int pointCount)
{
    if (previous == NULL || (previous->setCount == 0 && previous->body == body && previous->pointCount == pointCount))
        return previous;
    const qvMotionSpace* found = NULL;
    for (int i = 0; found == NULL && i < previous->setCount; i++)
        found = FindPrevious(previous->sets[i], body, pointCount);
    return found;
}

qvResult qvCreateSubspace(const qvMotionSpaceDef* def, const qvMotionSpace* previous, double lowest, const qvJob* job,
                          qvMotionSpace** out, qvError* error)
{
    *out = NULL;
    double start = qvMilliseconds(), diagonal = 0.0;
    qvResult result = qvCheckMotionSpaceDef(def, &diagonal, error);
    if (result != qv_ok)
        return result;
    qvMotionSpace* space = qvAllocate(1, sizeof(*space));
    if (space == NULL)
        return qvError_OutOfMemory(error, sizeof(*space));
    qvSpaceBuild b = { .def = def, .job = job, .error = error, .space = space, .lowest = lowest };
    space->mesh = HashMesh(def), space->body = HashBody(def, space->mesh);
    space->model = def->model;
    b.related = FindRelated(previous, space->mesh);
    b.previous = FindPrevious(previous, space->body, def->topology->pointCount);
    result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = Prepare(&b, diagonal);
    FreeBuild(&b);
    qvReturnFreeMemory();
    space->milliseconds = qvMilliseconds() - start;
    if (result == qv_ok)
        *out = space;
    else
        qvDestroyMotionSpace(space);
    return result;
}

double qvMotionSpace_LeastValue(const qvMotionSpace* space)
{
    return space->keepsRigid && !space->pinned ? space->lowest : -INFINITY;
}

void qvMotionSpace_Park(qvMotionSpace* space, const char* folder)
{
    qvExpander_Park(&space->expander, folder);
    qvExpander_Rest(&space->expander);
    for (int i = 0; i < space->setCount; i++)
    {
        if (space->sets[i] != NULL)
            qvMotionSpace_Park(space->sets[i], folder);
    }
}

void qvMotionSpace_Rest(const qvMotionSpace* space)
{
    if (space->basis != NULL)
        qvBasis_Rest(space->basis);
    for (int i = 0; i < space->setCount; i++)
    {
        if (space->sets[i] != NULL)
            qvMotionSpace_Rest(space->sets[i]);
    }
}

double qvMotionSpace_Bytes(const qvMotionSpace* space)
{
    // The basis in double and what frames read of it unless they are in files, and about a third of both for the rest.
    double numbers = 3.0 * space->pointCount * (double)space->dimension, bytes = 0.0;
    if (space->basis != NULL)
        bytes = numbers * (1.3 * (sizeof(double) + sizeof(float)) - (space->basis->isParked ? sizeof(double) : 0.0) -
                           (space->expander.isParked ? sizeof(float) : 0.0));
    // Of hundreds of shapes, what each has of its own is most of it.
    double d = space->dimension, each = 0.0;
    for (int i = 0; space->isBounded && i < space->shapeCount; i++)
        each += (d + 8.0) * d + (space->warp != NULL ? (2.0 * d + 1.0) * space->warp->shapes[i].seenCount : 0.0);
    bytes += each * (double)sizeof(double);
    for (int i = 0; i < space->setCount; i++)
        bytes += space->sets[i] != NULL ? qvMotionSpace_Bytes(space->sets[i]) : 0.0;
    return bytes;
}

void qvDestroyMotionSpace(qvMotionSpace* space)
{
    if (space == NULL)
        return;
    for (int i = 0; space->shapes != NULL && i < space->shapeCount; i++)
        qvReleaseShapeModes(space->shapes[i].source);
    qvReleaseShapeModes(space->restModes);
    for (int i = 0; i < space->setCount; i++)
    {
        qvDestroyMotionSpace(space->sets[i]);
        free(space->poseOf[i]);
    }
    free(space->sets);
    free(space->poseOf);
    free(space->modes);
    free(space->held);
    free(space->masses);
    free(space->moments);
    qvReleaseElasticBody(space->elastic);
    qvDestroyBasis(space->basis);
    qvExpander_Free(&space->expander);
    qvDestroyWarp(space->warp);
    free(space->arms);
    free(space->poses);
    free(space->shapes);
    free(space->numbers);
    free(space);
}
