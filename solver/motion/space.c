// SPDX-License-Identifier: GPL-3.0-or-later
// Poses to a reduced space with linearized elasticity. K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier,
// "Interactive Spacetime Control of Deformable Objects", 2012, sections 3.1 and 5. U is the basis, Phi the modes of the
// reduced body (columns), lambda their eigenvalues, g the internal force.
#include "motion/space.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense.h"
#include "motion/crew.h"
#include "motion/elastic.h"
#include "motion/rotation.h"
#include "motion/store.h"
#include "motion/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DIAGONAL = 10.0;   // of the scaled body
static const double SAME_SHAPE = 1e-6; // largest distance of points, over the diagonal
static const double MAX_BYTES = 4.0e9; // of the vectors that span the space

// Threads find the modes of several shapes at a time as long as they need no more memory than this together; the modes
// of a large body are found one shape after the other, by all threads.
static const double WORK_BYTES = 2.0e8;
enum
{
    MAX_PARTS = 64,
    MAX_VECTORS = 6000,
    MAX_WORKERS = 16
};

qvMotionSpaceDef qvDefaultMotionSpaceDef(void)
{
    return (qvMotionSpaceDef){ .stretch = 1.0, .bend = 1.0, .modes = 20, .model = qv_modelPose };
}

// What the construction works with.
typedef struct Build
{
    const qvMotionSpaceDef* def;
    const qvJob* job;
    qvError* error;
    int size; // 3 pointCount
    qvMotionSpace* space;
    const qvMotionSpace* previous; // of the same body, or NULL
    qvElasticBody* body;           // of an earlier space of the same mesh and pins, or NULL
    double lowest;                 // eigenvalue that the frequency refers to, where it is known; else negative
    int workerLimit;               // threads that may work on shapes at a time
    int workerCount;               // those that there are
    bool isLarge;                  // the modes are found for one shape after the other
    qvElastic* workers[MAX_WORKERS];
    double* rest;         // [size] scaled
    double** local;       // [poseCount] scaled poses in body axes
    double** fields[2];   // [poseCount] scaled velocities before and after in body axes, NULL where zero
    int* known;           // [shapeCount] number of the shape in the previous space, -1 if it is new
    double** arrows;      // [poseCount] vector to the pose and velocities
    qvBasisBlock* blocks; // [2 poseCount + 1]: the rest shape's modes, then two per pose
    int* sameAs;          // [2 poseCount + 1] blocks of the previous basis, -1 for others
} Build;

static bool AllFinite(const double* x, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(x[i]))
            return false;
    }
    return true;
}

static double Diagonal(const double* points, int pointCount)
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < pointCount; i++)
        {
            low = fmin(low, points[3 * i + c]);
            high = fmax(high, points[3 * i + c]);
        }
        sum += (high - low) * (high - low);
    }
    return sqrt(sum);
}

// --- Checks --------------------------------------------------------------------------------------------------------

static qvResult CheckPose(const qvMotionPose* pose, int index, int size, double diagonal, qvError* error)
{
    if (!AllFinite(pose->points, size))
        return qvError_Set(error, qv_badInput, "pose %d: a point is not finite; make the pose again", index);
    if ((pose->before != NULL && !AllFinite(pose->before, size)) ||
        (pose->after != NULL && !AllFinite(pose->after, size)))
        return qvError_Set(error, qv_badInput, "pose %d: a velocity is not finite; set it again", index);
    if (!(Diagonal(pose->points, size / 3) <= 1e6 * diagonal))
        return qvError_Set(error, qv_badInput, "pose %d: a million times larger than the rest shape", index);
    return qv_ok;
}

static qvResult CheckMaterial(const qvMotionSpaceDef* def, qvError* error)
{
    if (!(def->stretch > 0.0 && def->stretch <= 1e9))
        return qvError_Set(error, qv_badInput, "stretch: %g is not between 0 and 1e9", def->stretch);
    if (!(def->bend > 0.0 && def->bend <= 1e9))
        return qvError_Set(error, qv_badInput, "bend: %g is not between 0 and 1e9", def->bend);
    if (def->modes < 1 || def->modes > 200)
        return qvError_Set(error, qv_badInput, "modes: %d is not between 1 and 200", def->modes);
    return qv_ok;
}

static qvResult CheckDef(const qvMotionSpaceDef* def, double* diagonal, qvError* error)
{
    int pointCount = def->topology->pointCount;
    if (pointCount < 1 || def->topology->triangleCount < 1)
        return qvError_Set(error, qv_badInput, "the mesh has no triangles; choose another one");
    if (def->poseCount < 1)
        return qvError_Set(error, qv_badInput, "there is no pose; add a key");
    if (def->topology->partCount > MAX_PARTS)
        return qvError_Set(error, qv_badInput, "the mesh has %d separate parts, more than %d; join some of them",
                           def->topology->partCount, MAX_PARTS);
    if (!AllFinite(def->rest, 3 * pointCount))
        return qvError_Set(error, qv_badInput, "a point of the rest shape is not finite");
    *diagonal = Diagonal(def->rest, pointCount);
    if (!(*diagonal > 1e-100 && *diagonal < 1e100))
        return qvError_Set(error, qv_badInput, "the mesh has no size: its diagonal is %g", *diagonal);
    for (int i = 0; i < def->pinCount; i++)
    {
        if (def->pins[i] < 0 || def->pins[i] >= pointCount)
            return qvError_Set(error, qv_badInput, "pin %d: there is no point %d", i, (int)def->pins[i]);
    }
    qvResult result = CheckMaterial(def, error);
    for (int i = 0; result == qv_ok && i < def->poseCount; i++)
        result = CheckPose(&def->poses[i], i, 3 * pointCount, *diagonal, error);
    return result;
}

// --- Poses in body axes ---------------------------------------------------------------------------------------------

static qvVec3 Point(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

static void Store(double* points, int i, qvVec3 x)
{
    points[3 * i] = x.x, points[3 * i + 1] = x.y, points[3 * i + 2] = x.z;
}

static qvResult LocalPose(Build* b, int index)
{
    qvMotionSpace* space = b->space;
    qvPoseData* data = &space->poses[index];
    const double* points = b->def->poses[index].points;
    data->frame = (qvRigid){ { 0.0, 0.0, 0.0, 1.0 }, space->pivot };
    if (!space->pinned)
        data->frame = qvFitRigid(space->pointCount, qvElasticBody_Masses(b->space->elastic), b->def->rest, points);
    double* local = b->local[index] = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    qvQuat back = qvQuat_Conjugate(data->frame.rotation);
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 arm = qvQuat_Rotate(back, qvSub(Point(points, i), data->frame.position));
        Store(local, i, qvScale(space->scale, qvAdd(arm, space->pivot)));
    }
    return qv_ok;
}

// Mean velocity and angular velocity (world) of a field of velocities, weighted by mass.
static qvResult RigidVelocity(const Build* b, const double* points, const double* field, qvVec3 center, qvVec3 out[2])
{
    int n = b->space->pointCount;
    const double* masses = qvElasticBody_Masses(b->space->elastic);
    qvVec3 mean = qvMassCenter(n, masses, field), moment = { 0.0, 0.0, 0.0 };
    double inertia[9] = { 0.0 };
    for (int i = 0; i < n; i++)
    {
        qvVec3 arm = qvSub(Point(points, i), center);
        moment = qvMulAdd(moment, masses[i], qvCross(arm, qvSub(Point(field, i), mean)));
        const double* a = &arm.x;
        for (int k = 0; k < 9; k++)
            inertia[k] += masses[i] * ((k / 3 == k % 3 ? qvDot(arm, arm) : 0.0) - a[k / 3] * a[k % 3]);
    }
    out[0] = mean;
    qvDenseReport report;
    return qvDense_SolveLeastSquares(3, 3, inertia, &moment.x, 1e-9, &out[1].x, &report, b->error);
}

// What is rigid of a pose's velocities goes to its frame, the rest to the modes.
static qvResult LocalVelocity(Build* b, int index, int side)
{
    qvMotionSpace* space = b->space;
    const qvMotionPose* pose = &b->def->poses[index];
    const double* field = side == 0 ? pose->before : pose->after;
    if (field == NULL)
        return qv_ok;
    double* local = b->fields[side][index] = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    qvPoseData* data = &space->poses[index];
    qvVec3 rigid[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    qvQuat back = qvQuat_Conjugate(data->frame.rotation);
    if (!space->pinned)
    {
        qvResult result = RigidVelocity(b, pose->points, field, data->frame.position, rigid);
        if (result != qv_ok)
            return result;
        qvVec3 spin = qvQuat_Rotate(back, rigid[1]);
        double row[6] = { rigid[0].x, rigid[0].y, rigid[0].z, spin.x, spin.y, spin.z };
        memcpy(data->rigidVelocity[side], row, sizeof(row));
    }
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 arm = qvSub(Point(pose->points, i), data->frame.position);
        qvVec3 rest = qvSub(Point(field, i), qvAdd(rigid[0], qvCross(rigid[1], arm)));
        Store(local, i, qvScale(space->scale, qvQuat_Rotate(back, rest)));
    }
    return qv_ok;
}

static bool SameShape(const double* a, const double* b, int size)
{
    for (int i = 0; i < size; i++)
    {
        if (fabs(a[i] - b[i]) > SAME_SHAPE * DIAGONAL)
            return false;
    }
    return true;
}

static void FindShapes(Build* b)
{
    qvMotionSpace* space = b->space;
    for (int i = 0; i < space->poseCount; i++)
    {
        int shape = 0;
        while (shape < space->shapeCount && !SameShape(b->local[space->shapes[shape].pose], b->local[i], b->size))
            shape++;
        if (shape == space->shapeCount)
            space->shapes[space->shapeCount++].pose = i;
        space->poses[i].shape = shape;
    }
}

static qvResult PlacePoses(Build* b)
{
    qvMotionSpace* space = b->space;
    for (int i = 0; i < space->poseCount; i++)
    {
        qvResult result = qvJob_Ask(b->job, b->error);
        if (result == qv_ok)
            result = LocalPose(b, i);
        for (int side = 0; result == qv_ok && side < 2; side++)
            result = LocalVelocity(b, i, side);
        if (result != qv_ok)
            return result;
    }
    FindShapes(b);
    double vectors = 3.0 * space->poseCount + (double)space->shapeCount * b->def->modes;
    if (vectors > MAX_VECTORS || 3.0 * vectors * b->size * sizeof(double) > MAX_BYTES)
        return qvError_Set(b->error, qv_badInput,
                           "%d poses with %d shapes need too large a space; use fewer poses, modes or points",
                           space->poseCount, space->shapeCount);
    return qv_ok;
}

// --- Basis ----------------------------------------------------------------------------------------------------------

// Takes what moves the mass centre out of a vector, so that the frame alone does, to the last digit.
static void RemoveMean(const Build* b, double* vector)
{
    int n = b->space->pointCount;
    qvVec3 mean = qvMassCenter(n, qvElasticBody_Masses(b->space->elastic), vector);
    for (int i = 0; i < n; i++)
        Store(vector, i, qvSub(Point(vector, i), mean));
}

// What a shape's modes add.
static qvBasisBlock ModesBlock(const qvShapeModes* source)
{
    return source->modes != NULL ? (qvBasisBlock){ source->modes->vectors, source->modes->count } : (qvBasisBlock){ 0 };
}

// Two blocks per pose: the vector to it and its velocities, then its shape's modes if it is the first with that shape.
static qvResult FillBlocks(Build* b, int index)
{
    const qvMotionSpace* space = b->space;
    const qvMotionShape* shape = &space->shapes[space->poses[index].shape];
    size_t size = (size_t)b->size;
    double* arrows = b->arrows[index] = qvAllocateRaw(size, 3 * sizeof(double));
    if (arrows == NULL)
        return qvError_OutOfMemory(b->error, (double)size * 3 * sizeof(double));
    int count = 1;
    for (int i = 0; i < b->size; i++)
        arrows[i] = b->local[index][i] - b->rest[i];
    for (int side = 0; side < 2; side++)
    {
        if (b->fields[side][index] != NULL)
            memcpy(arrows + size * (size_t)count++, b->fields[side][index], size * sizeof(double));
    }
    for (int c = 0; !space->pinned && c < count; c++)
        RemoveMean(b, arrows + size * (size_t)c);
    b->blocks[2 * index + 1] = (qvBasisBlock){ arrows, count };
    if (shape->pose != index || shape->source == space->restModes)
        return qv_ok;
    int known = b->known[space->poses[index].shape];
    b->blocks[2 * index + 2] = ModesBlock(shape->source);
    if (known >= 0 && b->blocks[2 * index + 2].count > 0)
    {
        int same = b->sameAs[2 * index + 2] = 2 * b->previous->shapes[known].pose + 2;
        b->blocks[2 * index + 2].count = qvBasis_VectorCount(b->previous->basis, same);
    }
    return qv_ok;
}

// The basis has what the new shapes' modes span, and their coordinates: of a large body the vectors are as much again.
static void DropVectors(const Build* b)
{
    const qvMotionSpace* space = b->space;
    for (int i = 0; i < space->shapeCount; i++)
    {
        qvShapeModes* source = space->shapes[i].source;
        if (b->known[i] >= 0 || source == space->restModes || source->modes == NULL)
            continue;
        free(source->modes->vectors);
        source->modes->vectors = NULL;
    }
    qvReturnFreeMemory();
}

static qvResult MakeBasis(Build* b)
{
    qvMotionSpace* space = b->space;
    // The mixer needs the modes of the rest shape whether a key is at rest or not.
    b->blocks[0] = ModesBlock(space->restModes);
    space->modeCount = b->blocks[0].count;
    for (int i = 0; i < 2 * space->poseCount + 1; i++)
        b->sameAs[i] = -1;
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < space->poseCount; i++)
        result = FillBlocks(b, i);
    if (result != qv_ok)
        return result;
    qvBasisDef def = qvDefaultBasisDef();
    def.size = b->size, def.mass = qvElasticBody_DofMasses(space->elastic);
    def.blocks = b->blocks, def.blockCount = 2 * space->poseCount + 1, def.sameAs = b->sameAs;
    result = qvCreateBasis(&def, b->previous != NULL ? b->previous->basis : NULL, b->job, &space->basis, b->error);
    if (result != qv_ok)
        return result;
    space->dimension = qvBasis_Dimension(space->basis);
    DropVectors(b);
    return qv_ok;
}

static void ReleaseModes(qvShapeModes* source)
{
    if (source == NULL || atomic_fetch_sub(&source->owners, 1) > 1)
        return;
    qvDestroyModes(source->modes);
    free(source->local);
    free(source);
}

static qvResult MakeModes(Build* b, const double* local, qvShapeModes** out)
{
    qvShapeModes* source = *out = qvAllocate(1, sizeof(*source));
    if (source == NULL)
        return qvError_OutOfMemory(b->error, sizeof(*source));
    atomic_init(&source->owners, 1);
    source->local = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (source->local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    memcpy(source->local, local, (size_t)b->size * sizeof(double));
    return qv_ok;
}

static qvShapeModes* ShareModes(qvShapeModes* source)
{
    atomic_fetch_add(&source->owners, 1);
    return source;
}

static bool IsRest(const Build* b, const double* local)
{
    for (int i = 0; i < b->size; i++)
    {
        if (fabs(local[i] - b->rest[i]) > 1e-12 * DIAGONAL) // rounding of the rigid fit
            return false;
    }
    return true;
}

// The shape's modes from the rest shape or the previous space, or an empty place for them.
static qvResult TakeModes(Build* b, int index)
{
    qvMotionShape* shape = &b->space->shapes[index];
    const double* local = b->local[shape->pose];
    size_t bytes = (size_t)b->size * sizeof(double);
    b->known[index] = -1;
    for (int i = 0; b->previous != NULL && i < b->previous->shapeCount; i++)
    {
        qvShapeModes* source = b->previous->shapes[i].source;
        if (memcmp(source->local, local, bytes) != 0)
            continue;
        shape->source = ShareModes(source);
        b->known[index] = i;
        return qv_ok;
    }
    if (!IsRest(b, local))
        return MakeModes(b, local, &shape->source);
    shape->source = ShareModes(b->space->restModes);
    return qv_ok;
}

// The modes of a free body without those that are zero, and without the rounding by which the others move the mass
// centre.
static void TrimModes(const Build* b, qvModes* modes)
{
    size_t size = (size_t)b->size, zeros = (size_t)modes->zeroCount, count = (size_t)modes->count - zeros;
    memmove(modes->values, modes->values + zeros, count * sizeof(double));
    memmove(modes->vectors, modes->vectors + zeros * size, count * size * sizeof(double));
    double* shorter = realloc(modes->vectors, count * size > 0 ? count * size * sizeof(double) : 1);
    modes->vectors = shorter != NULL ? shorter : modes->vectors;
    modes->count = (int)count, modes->zeroCount = 0;
    for (size_t c = 0; c < count; c++)
        RemoveMean(b, modes->vectors + c * size);
}

static qvResult ComputeModes(const Build* b, qvElastic* worker, qvShapeModes* source, double shift, const qvJob* job,
                             qvError* error)
{
    uint64_t hash = qvHash(source->local, (size_t)b->size * sizeof(double), b->space->body);
    source->modes = qvLoadModes(b->def->store, hash, b->size);
    if (source->modes != NULL)
        return qv_ok;
    qvResult result = qvElastic_Modes(worker, source->local, b->def->modes, shift, job, &source->modes, error);
    if (result == qv_ok && source->modes != NULL && !b->space->pinned)
        TrimModes(b, source->modes);
    if (result == qv_ok)
        qvSaveModes(b->def->store, hash, source->modes);
    return result;
}

// Modes of the rest shape, and the eigenvalue that the frequency refers to.
static qvResult FindRestModes(Build* b, double lowest)
{
    qvMotionSpace* space = b->space;
    if (b->previous != NULL)
    {
        space->lowest = b->previous->lowest;
        space->restModes = ShareModes(b->previous->restModes);
        return qv_ok;
    }
    qvResult result = MakeModes(b, b->rest, &space->restModes);
    if (result == qv_ok)
        result = ComputeModes(b, b->workers[0], space->restModes, 0.0, b->job, b->error);
    if (result != qv_ok)
        return result;
    const qvModes* modes = space->restModes->modes;
    space->lowest = lowest;
    if (!space->pinned)
        space->lowest = modes->count > 0 ? fmax(modes->values[0], 0.0) : 0.0;
    else if (lowest < 0.0)
        result = qvElastic_Lowest(b->workers[0], b->rest, b->job, &space->lowest, b->error);
    return result;
}

// For the crew: the modes of one shape, should it be new.
static qvResult FindShapeModes(void* context, int worker, int item, const qvJob* job, qvError* error)
{
    const Build* b = context;
    const qvMotionSpace* space = b->space;
    qvShapeModes* source = space->shapes[item].source;
    if (b->known[item] >= 0 || source == space->restModes)
        return qv_ok;
    qvResult result = qvJob_Progress(job, "modes", (double)item / space->shapeCount, error);
    double shift = space->restModes->modes != NULL ? space->restModes->modes->report.shift : 0.0;
    if (result == qv_ok)
        result = ComputeModes(b, b->workers[worker], source, shift, job, error);
    if (b->isLarge) // what the search leaves is worth giving back
        qvReturnFreeMemory();
    return result;
}

// Sees to it that there are `count` workers.
static qvResult MakeWorkers(Build* b, int count)
{
    qvResult result = qv_ok;
    while (result == qv_ok && b->workerCount < count)
    {
        result = qvCreateElastic(b->def, b->space->elastic, &b->workers[b->workerCount], b->error);
        b->workerCount += result == qv_ok;
    }
    return result;
}

static qvResult FindModes(Build* b)
{
    qvMotionSpace* space = b->space;
    qvResult result = FindRestModes(b, b->lowest);
    int newCount = 0;
    for (int i = 0; result == qv_ok && i < space->shapeCount; i++)
    {
        result = TakeModes(b, i);
        newCount += b->known[i] < 0 && space->shapes[i].source != space->restModes;
    }
    if (result != qv_ok)
        return result;
    double room = WORK_BYTES / qvElasticBody_BytesForModes(space->elastic, b->def->modes);
    int workers = b->workerLimit < newCount ? b->workerLimit : newCount;
    b->isLarge = room < 2.0;
    workers = room < workers ? (int)room : workers;
    result = MakeWorkers(b, workers);
    if (result == qv_ok)
        result = qvRunCrew(workers, space->shapeCount, FindShapeModes, b, b->job, b->error);
    for (int i = 0; i < b->workerCount; i++)
        qvElastic_DropFactor(b->workers[i]);
    qvReturnFreeMemory();
    return result;
}

// --- Reduced coordinates and linearizations -------------------------------------------------------------------------

static qvResult AllocateNumbers(Build* b)
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

// Reduced coordinates of unit translations: the columns x, y, z.
static qvResult ReduceUniform(Build* b)
{
    size_t size = (size_t)b->size;
    double* vectors = qvAllocate(size, 3 * sizeof(double));
    if (vectors == NULL)
        return qvError_OutOfMemory(b->error, 3.0 * b->size * sizeof(double));
    for (size_t k = 0; k < size; k++)
        vectors[size * (k % 3) + k] = 1.0;
    qvBasis_Project(b->space->basis, vectors, 3, b->space->uniform);
    free(vectors);
    return qv_ok;
}

// Coordinates of the vectors to the poses and of the velocities, which the blocks of the basis hold.
static qvResult ReducePoses(Build* b)
{
    qvMotionSpace* space = b->space;
    size_t d = (size_t)space->dimension;
    double* q = qvAllocate(d, 3 * sizeof(double));
    if (q == NULL)
        return qvError_OutOfMemory(b->error, (double)d * 3 * sizeof(double));
    qvResult result = ReduceUniform(b);
    for (int i = 0; result == qv_ok && i < space->poseCount; i++)
    {
        result = qvJob_Progress(b->job, "basis", 1.0, b->error);
        if (result != qv_ok)
            break;
        qvBasis_Project(space->basis, b->arrows[i], b->blocks[2 * i + 1].count, q);
        memcpy(space->poses[i].center, q, d * sizeof(double));
        int next = 1;
        for (int side = 0; side < 2; side++)
        {
            if (b->fields[side][i] != NULL)
                memcpy(space->poses[i].velocity[side], q + d * (size_t)next++, d * sizeof(double));
        }
    }
    free(q);
    return result;
}

// Phi Lambda Phi^T of a shape of the previous space: its reduced matrix there. NULL when memory runs out.
static double* PreviousReduced(const qvMotionSpace* previous, int index)
{
    int d = previous->dimension;
    size_t items = (size_t)d * (size_t)d;
    const qvMotionShape* shape = &previous->shapes[index];
    double* out = qvAllocateRaw(2 * items, sizeof(double));
    if (out == NULL)
        return NULL;
    double* scaled = out + items;
    for (size_t i = 0; i < items; i++)
        scaled[i] = shape->values[i / (size_t)d] * shape->vectors[i];
    qvBlas_Multiply(false, true, d, d, d, 1.0, scaled, d, shape->vectors, d, 0.0, out, d);
    return out;
}

static qvResult MakeWarp(Build* b)
{
    return qvMotionSpace_MakeWarp(b->space, b->def, b->rest, b->previous, b->job, b->error);
}

// For the crew: one shape.
static qvResult LinearizeShape(void* context, int worker, int item, const qvJob* job, qvError* error)
{
    const Build* b = context;
    qvMotionSpace* space = b->space;
    bool follows = qvBasis_HasFollowed(space->basis) && b->previous->model == space->model && b->known[item] >= 0;
    qvResult result = qvJob_Progress(job, "linearizations", (double)item / space->shapeCount, error);
    if (result != qv_ok)
        return result;
    double* before = follows ? PreviousReduced(b->previous, b->known[item]) : NULL;
    result = qvElastic_Reduce(b->workers[worker], space->shapes[item].source->local, space->model, space->basis, before,
                              space->uniform, &space->shapes[item], job, error);
    free(before);
    return result == qv_ok ? qvMotionSpace_FillShift(space, b->workers[worker], item, job, error) : result;
}

static qvResult Linearize(Build* b)
{
    int workers = b->workerLimit < b->space->shapeCount ? b->workerLimit : b->space->shapeCount;
    qvResult result = MakeWorkers(b, workers);
    if (result == qv_ok)
        result = qvRunCrew(workers, b->space->shapeCount, LinearizeShape, b, b->job, b->error);
    qvBasis_Forget(b->space->basis);
    return result;
}

// --- All together ---------------------------------------------------------------------------------------------------

static qvResult Allocate(Build* b, double diagonal)
{
    const qvMotionSpaceDef* def = b->def;
    size_t poses = (size_t)def->poseCount;
    qvMotionSpace* space = b->space;
    space->pointCount = def->topology->pointCount, space->poseCount = def->poseCount;
    space->pinned = def->pinCount > 0, space->pinCount = def->pinCount;
    space->diagonal = diagonal, space->scale = DIAGONAL / diagonal;
    b->size = 3 * space->pointCount;
    space->poses = qvAllocate(poses, sizeof(*space->poses));
    space->shapes = qvAllocate(poses, sizeof(*space->shapes));
    space->arms = qvAllocate((size_t)b->size, sizeof(double));
    b->rest = qvAllocate((size_t)b->size, sizeof(double));
    b->local = qvAllocate(poses, sizeof(*b->local));
    b->fields[0] = qvAllocate(poses, sizeof(*b->fields[0]));
    b->fields[1] = qvAllocate(poses, sizeof(*b->fields[1]));
    b->known = qvAllocate(poses, sizeof(*b->known));
    b->arrows = qvAllocate(poses, sizeof(*b->arrows));
    b->blocks = qvAllocate(2 * poses + 1, sizeof(*b->blocks));
    b->sameAs = qvAllocate(2 * poses + 1, sizeof(*b->sameAs));
    if (space->poses == NULL || space->shapes == NULL || space->arms == NULL || b->rest == NULL || b->local == NULL ||
        b->fields[0] == NULL || b->fields[1] == NULL || b->known == NULL || b->arrows == NULL || b->blocks == NULL ||
        b->sameAs == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double) * 2.0);
    return qv_ok;
}

static void FreeBuild(Build* b)
{
    for (int i = 0; b->local != NULL && b->fields[0] != NULL && b->fields[1] != NULL && i < b->space->poseCount; i++)
    {
        free(b->local[i]);
        free(b->fields[0][i]);
        free(b->fields[1][i]);
    }
    for (int i = 0; b->arrows != NULL && i < b->space->poseCount; i++)
        free(b->arrows[i]);
    for (int i = 0; i < b->workerCount; i++)
        qvDestroyElastic(b->workers[i]);
    free(b->rest);
    free(b->local);
    free(b->fields[0]);
    free(b->fields[1]);
    free(b->known);
    free(b->arrows);
    free(b->blocks);
    free(b->sameAs);
}

// The body, from an earlier space if that has it, and the workers.
static qvResult MakeElastic(Build* b)
{
    qvMotionSpace* space = b->space;
    qvResult result = qv_ok;
    if (b->body != NULL)
        space->elastic = qvShareElasticBody(b->body);
    else
        result = qvCreateElasticBody(b->def, b->rest, b->job, &space->elastic, b->error);
    int threads = qvPool_ThreadCount(qvJob_Pool(b->job));
    int count = threads < b->def->poseCount ? threads : b->def->poseCount;
    b->workerLimit = count < MAX_WORKERS ? count : MAX_WORKERS;
    return result == qv_ok ? MakeWorkers(b, 1) : result;
}

static qvResult Prepare(Build* b, double diagonal)
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
        Store(space->arms, i, qvSub(Point(b->def->rest, i), space->pivot));
    qvResult (*const steps[])(Build*) = { PlacePoses,  FindModes, MakeBasis, AllocateNumbers,
                                          ReducePoses, MakeWarp,  Linearize };
    for (size_t k = 0; result == qv_ok && k < sizeof(steps) / sizeof(steps[0]); k++)
        result = steps[k](b);
    if (result == qv_ok)
        result = qvMotionSpace_FillModes(space, b->def, qvElasticBody_Masses(space->elastic), b->job, b->error);
    if (result == qv_ok && space->heldCount > 0)
        qvWarp_HoldPaths(space->warp, space->shapes, space->heldCount, space->held);
    if (result == qv_ok)
        result = qvExpander_Init(&space->expander, space->pointCount, space->dimension, space->arms,
                                 qvBasis_Vectors(space->basis), b->job, b->error);
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
    double numbers[] = { def->stretch, def->bend, def->modes };
    return qvHash(numbers, sizeof(numbers), mesh);
}

// What an earlier space, or one of its sets, knows of the mesh with these pins.
static qvElasticBody* FindBody(const qvMotionSpace* previous, uint64_t mesh)
{
    if (previous == NULL || (previous->setCount == 0 && previous->mesh == mesh))
        return previous != NULL ? previous->elastic : NULL;
    qvElasticBody* found = NULL;
    for (int i = 0; found == NULL && i < previous->setCount; i++)
        found = FindBody(previous->sets[i], mesh);
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
    qvResult result = CheckDef(def, &diagonal, error);
    if (result != qv_ok)
        return result;
    qvMotionSpace* space = qvAllocate(1, sizeof(*space));
    if (space == NULL)
        return qvError_OutOfMemory(error, sizeof(*space));
    Build b = { .def = def, .job = job, .error = error, .space = space, .lowest = lowest };
    space->mesh = HashMesh(def), space->body = HashBody(def, space->mesh);
    space->model = def->model;
    b.body = FindBody(previous, space->mesh);
    b.previous = FindPrevious(previous, space->body, def->topology->pointCount);
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

void qvDestroyMotionSpace(qvMotionSpace* space)
{
    if (space == NULL)
        return;
    for (int i = 0; space->shapes != NULL && i < space->shapeCount; i++)
        ReleaseModes(space->shapes[i].source);
    ReleaseModes(space->restModes);
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
