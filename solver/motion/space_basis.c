// SPDX-License-Identifier: GPL-3.0-or-later
// What poses and modes span, and the forces in it. The paper named in space.c, sections 3.1 and 5: U is the basis, Phi
// the modes of the reduced body (columns), lambda their eigenvalues.
#include "motion/space_build.h"

#include "base/memory.h"
#include "math/blas.h"
#include "modal/basis.h"
#include "motion/crew.h"
#include "motion/warp.h"

#include <stdlib.h>
#include <string.h>

// Shapes are linearized side by side as long as one takes no more memory than this.
static const double WORK_BYTES = 2.0e7;
enum
{
    LINEARIZATION_BYTES = 600, // per coordinate, about: the matrix, 32 columns and their products
    PROJECTED = 16             // vectors at a time: the basis is read once for all of them
};

// Takes what moves the mass centre out of a vector, so that the frame alone does, to the last digit.
void qvSpaceBuild_RemoveMean(const qvSpaceBuild* b, double* vector)
{
    int n = b->space->pointCount;
    qvVec3 mean = qvMassCenter(n, qvElasticBody_Masses(b->space->elastic), vector);
    for (int i = 0; i < n; i++)
        qvSetPoint(vector, i, qvSub(qvGetPoint(vector, i), mean));
}

// What a shape's modes add.
static qvBasisBlock ModesBlock(const qvShapeModes* source)
{
    return source->modes != NULL ? (qvBasisBlock){ source->modes->vectors, source->modes->count } : (qvBasisBlock){ 0 };
}

qvResult qvSpaceBuild_MakeArrows(qvSpaceBuild* b, int index, int* found)
{
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
    for (int c = 0; !b->space->keepsRigid && c < count; c++)
        qvSpaceBuild_RemoveMean(b, arrows + size * (size_t)c);
    *found = count;
    return qv_ok;
}

// Two blocks per pose: the vector to it and its velocities, then its shape's modes if it is the first with that shape.
static qvResult FillBlocks(qvSpaceBuild* b, int index)
{
    const qvMotionSpace* space = b->space;
    const qvMotionShape* shape = &space->shapes[space->poses[index].shape];
    int count;
    qvResult result = qvSpaceBuild_MakeArrows(b, index, &count);
    if (result != qv_ok)
        return result;
    b->blocks[2 * index + 1] = (qvBasisBlock){ b->arrows[index], count };
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

qvResult qvSpaceBuild_MakeBasis(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    if (space->isBounded)
        return qvSpaceBuild_MakeBoundedBasis(b);
    for (int i = 0; i < 2 * space->poseCount + 1; i++)
        b->sameAs[i] = -1;
    // The mixer needs the modes of the rest shape whether a key is at rest or not.
    b->blocks[0] = ModesBlock(space->restModes);
    space->modeCount = b->blocks[0].count;
    if (b->previous != NULL && space->modeCount > 0)
        b->sameAs[0] = 0, b->blocks[0].count = qvBasis_VectorCount(b->previous->basis, 0);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < space->poseCount; i++)
        result = FillBlocks(b, i);
    if (result != qv_ok)
        return result;
    qvBasisDef def = qvDefaultBasisDef();
    def.size = b->size, def.mass = qvElasticBody_DofMasses(space->elastic);
    def.blocks = b->blocks, def.blockCount = 2 * space->poseCount + 1, def.sameAs = b->sameAs;
    result = qvCreateBasis(&def, b->previous != NULL ? b->previous->basis : NULL, b->job, &space->basis, b->error);
    if (result == qv_ok)
        space->dimension = qvBasis_Dimension(space->basis);
    return result;
}

// --- Reduced coordinates and linearizations -------------------------------------------------------------------------

// Vectors whose coordinates are asked for.
typedef struct Asked
{
    const double* vectors[PROJECTED]; // NULL: a unit translation
    double* places[PROJECTED];        // [d] each
    int count;
} Asked;

static qvResult Answer(qvSpaceBuild* b, Asked* asked, double* massX, double* q)
{
    size_t size = (size_t)b->size, d = (size_t)b->space->dimension;
    const double* mass = qvElasticBody_DofMasses(b->space->elastic);
    for (int c = 0; c < asked->count; c++)
    {
        double* column = massX + size * (size_t)c;
        for (size_t i = 0; i < size; i++)
            column[i] = asked->vectors[c] != NULL ? mass[i] * asked->vectors[c][i] : i % 3 == (size_t)c ? mass[i] : 0.0;
    }
    qvResult result = qvTall_DotColumns(b->size, qvBasis_Columns(b->space->basis, 0), asked->count, massX, q, (int)d,
                                        b->job, b->error);
    for (int c = 0; result == qv_ok && c < asked->count; c++)
        memcpy(asked->places[c], q + d * (size_t)c, d * sizeof(double));
    asked->count = 0;
    return result;
}

// The unit translations, the vectors to the poses and the velocities, which the blocks of the basis hold.
static qvResult AskAll(qvSpaceBuild* b, double* massX, double* q)
{
    qvMotionSpace* space = b->space;
    size_t d = (size_t)space->dimension;
    Asked asked = { .places = { space->uniform, space->uniform + d, space->uniform + 2 * d }, .count = 3 };
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < space->poseCount; i++)
    {
        const double* next = b->arrows[i];
        for (int k = 0; k < 3; k++) // the pose, and its velocities on both sides
        {
            if (k > 0 && b->fields[k - 1][i] == NULL)
                continue;
            asked.vectors[asked.count] = next;
            asked.places[asked.count++] = k == 0 ? space->poses[i].center : space->poses[i].velocity[k - 1];
            next += b->size;
        }
        if (asked.count + 3 > PROJECTED || i == space->poseCount - 1)
            result = Answer(b, &asked, massX, q);
    }
    return result;
}

qvResult qvSpaceBuild_ReducePoses(qvSpaceBuild* b)
{
    size_t d = (size_t)b->space->dimension;
    qvResult result = qvJob_Progress(b->job, "basis", 1.0, b->error);
    double* massX = qvAllocateRaw((size_t)b->size, PROJECTED * sizeof(double));
    double* q = qvAllocateRaw(d, PROJECTED * sizeof(double));
    if (massX == NULL || q == NULL)
        result = qvError_OutOfMemory(b->error, (double)b->size * PROJECTED * sizeof(double));
    if (result == qv_ok)
        result = AskAll(b, massX, q);
    if (b->space->keepsRigid && !b->space->pinned)
        memset(b->space->uniform, 0, 3 * d * sizeof(double)); // gravity moves the frame of a free body
    if (result == qv_ok && b->space->isBounded && !b->keepsBasis)
        qvSpaceBuild_MeasureLeft(b);
    free(massX);
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

// What the previous space knows in the same basis: the forces about a shape, and how that sees shapes near it. The
// shapes are listed that it did not see there.
static int TakeForces(const qvSpaceBuild* b, int item, int32_t* missing)
{
    const qvMotionSpace *space = b->space, *previous = b->previous;
    const qvMotionShape* known = &previous->shapes[b->known[item]];
    const qvWarpShape *from = &previous->warp->shapes[b->known[item]], *to = &space->warp->shapes[item];
    size_t d = (size_t)space->dimension;
    int count = 0;
    memcpy(space->shapes[item].values, known->values, (d + 8) * d * sizeof(double)); // and all that follows them
    for (int i = 0; i < to->seenCount; i++)
    {
        int there = b->known[to->seen[i]], column = there >= 0 ? qvWarpShape_Column(from, there) : -1;
        if (column < 0)
        {
            missing[count++] = to->seen[i];
            continue;
        }
        memcpy(to->shift + d * (size_t)i, from->shift + d * (size_t)column, d * sizeof(double));
        memcpy(to->paths + d * (size_t)i, from->paths + d * (size_t)column, d * sizeof(double));
        to->stiffness[i] = from->stiffness[column];
    }
    return count;
}

static qvResult FollowShape(const qvSpaceBuild* b, qvElastic* worker, int item, const qvJob* job, qvError* error)
{
    qvMotionSpace* space = b->space;
    int32_t* missing = qvAllocateRaw((size_t)space->shapeCount, sizeof(*missing));
    if (missing == NULL)
        return qvError_OutOfMemory(error, (double)space->shapeCount * sizeof(*missing));
    int count = TakeForces(b, item, missing);
    qvResult result = qvJob_Ask(job, error);
    if (result == qv_ok && count > 0)
        result = qvElastic_MoveTo(worker, space->shapes[item].source->local, space->model, job, error);
    if (result == qv_ok && count > 0)
        result = qvMotionSpace_FillSome(space, worker, item, missing, count, job, error);
    free(missing);
    return result;
}

// For the crew: one shape.
static qvResult LinearizeShape(void* context, int worker, int item, const qvJob* job, qvError* error)
{
    const qvSpaceBuild* b = context;
    qvMotionSpace* space = b->space;
    bool follows = qvBasis_HasFollowed(space->basis) && b->previous->model == space->model && b->known[item] >= 0;
    qvResult result = qvJob_Progress(job, "linearizations", (double)item / space->shapeCount, error);
    if (result != qv_ok)
        return result;
    if (b->keepsBasis && b->previous->model == space->model && b->known[item] >= 0)
        return FollowShape(b, b->workers[worker], item, job, error);
    double* before = follows ? PreviousReduced(b->previous, b->known[item]) : NULL;
    result = qvElastic_Reduce(b->workers[worker], space->shapes[item].source->local, space->model, space->basis, before,
                              space->uniform, &space->shapes[item], job, error);
    free(before);
    result = qvSpaceBuild_BlameShape(b, item, result, error);
    return result == qv_ok ? qvMotionSpace_FillShift(space, b->workers[worker], item, job, error) : result;
}

qvResult qvSpaceBuild_Linearize(qvSpaceBuild* b)
{
    if (qvSpaceBuild_LoadForces(b))
    {
        qvSpaceBuild_DropWorkers(b);
        qvBasis_Forget(b->space->basis);
        return qv_ok;
    }
    int workers = b->workerLimit < b->space->shapeCount ? b->workerLimit : b->space->shapeCount;
    if ((double)b->size * LINEARIZATION_BYTES > WORK_BYTES)
        workers = 1; // with all threads
    qvResult result = qvSpaceBuild_MakeWorkers(b, workers);
    if (result == qv_ok)
        result = qvRunCrew(workers, b->space->shapeCount, LinearizeShape, b, b->job, b->error);
    if (result == qv_ok)
        qvSpaceBuild_SaveForces(b);
    qvSpaceBuild_DropWorkers(b); // there is nothing more for them to do
    if (!b->keepsBasis)
        qvBasis_Forget(b->space->basis);
    return result;
}
