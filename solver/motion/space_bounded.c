// SPDX-License-Identifier: GPL-3.0-or-later
// A basis that does not grow with the number of poses. Up to QV_BASIS_BOUND vectors all that the poses bring is in it
// (space_basis.c); beyond, matrices of every pose would take memory and time with the square and the cube of their
// number. Then it holds, in this order,
//   - the modes of the rest shape and the given velocities as they are, which mixer and keys need to the last digit;
//   - of the ways to all poses and of the modes of a few poses that lie farthest from each other, the directions with
//     the largest singular values, in the mass inner product.
// Keys stay exact: shapes are blended at full resolution (warp.h), and what is in the basis is the vibration about
// them.
// The modes of a pose count by how far the same force moves them, 1 / lambda, so that slow ones are held first.
// Measured on a sack of 1,326 points with 50 random poses, against all 1,070 vectors of 20 modes: 2.4 % of the diagonal
// at most and 0.93 % in the mean of the frames' largest, where 10 modes instead of 20 make 1.9 and 0.75 %.
#include "motion/space_build.h"

#include "base/memory.h"
#include "math/dense_eigen.h"
#include "modal/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QV_BASIS_BOUND 320

enum
{
    ROOMY = 15,           // poses whose modes all have room, however many modes they have
    REPRESENTATIVES = 24, // poses whose modes are found
    PROJECTED = 16,       // vectors at a time
    DOTTED = 64
};

static const double MUCH_MORE = 1.5;  // than a basis left out when it was made: another one is due
static const double NOT_MUCH = 0.01;  // of the longest way
static const double SAME_SPAN = 1e-9; // of a velocity's length

int qvSpaceBuild_Bound(int modes)
{
    int roomy = ROOMY * (modes + 1);
    return roomy > QV_BASIS_BOUND ? roomy : QV_BASIS_BOUND;
}

bool qvMotionSpace_IsTooMuch(int shapes, int modes)
{
    return (double)shapes * (modes + 1.0) + modes > qvSpaceBuild_Bound(modes);
}

static double Square(const qvSpaceBuild* b, const double* x)
{
    const double* mass = qvElasticBody_DofMasses(b->space->elastic);
    double sum = 0.0;
    for (int i = 0; i < b->size; i++)
        sum += mass[i] * x[i] * x[i];
    return sum;
}

static int VelocityCount(const qvSpaceBuild* b, int pose)
{
    return (b->fields[0][pose] != NULL) + (b->fields[1][pose] != NULL);
}

// --- Whether the previous basis does --------------------------------------------------------------------------------

static bool IsKnown(const qvSpaceBuild* b, int shape)
{
    const double* local = b->local[b->space->shapes[shape].pose];
    for (int i = 0; i < b->previous->shapeCount; i++)
    {
        if (memcmp(b->previous->shapes[i].source->local, local, (size_t)b->size * sizeof(double)) == 0)
            return true;
    }
    return false;
}

// The share of a vector's square that is outside of the previous basis.
static double SquareOutside(const qvSpaceBuild* b, const double* x, double* q)
{
    double inside = 0.0;
    qvBasis_Project(b->previous->basis, x, 1, q);
    for (int i = 0; i < b->previous->dimension; i++)
        inside += q[i] * q[i];
    return fmax(Square(b, x) - inside, 0.0);
}

// Poses may lie outside about as far as those did that the basis was made for; velocities may not.
static bool DoesForPose(const qvSpaceBuild* b, int pose, double longest, double* q)
{
    const double* arrow = b->arrows[pose];
    double most = fmax(MUCH_MORE * b->previous->leftOut, NOT_MUCH);
    for (int side = 0; side < VelocityCount(b, pose); side++)
    {
        const double* field = arrow + (size_t)(side + 1) * (size_t)b->size;
        if (SquareOutside(b, field, q) > SAME_SPAN * Square(b, field))
            return false;
    }
    int shape = b->space->poses[pose].shape;
    return b->space->shapes[shape].pose != pose || IsKnown(b, shape) ||
           SquareOutside(b, arrow, q) <= most * most * longest * longest;
}

static qvResult SeeWhetherItDoes(qvSpaceBuild* b)
{
    double longest = 0.0, *q = qvAllocateRaw((size_t)b->previous->dimension + 1, sizeof(double));
    if (q == NULL)
        return qvError_OutOfMemory(b->error, (double)b->previous->dimension * sizeof(double));
    for (int i = 0; i < b->space->poseCount; i++)
        longest = fmax(longest, sqrt(Square(b, b->arrows[i])));
    qvResult result = qv_ok;
    b->keepsBasis = true;
    for (int i = 0; result == qv_ok && b->keepsBasis && i < b->space->poseCount; i++)
    {
        b->keepsBasis = DoesForPose(b, i, longest, q);
        result = qvJob_Ask(b->job, b->error);
    }
    free(q);
    return result;
}

// --- Representatives ------------------------------------------------------------------------------------------------

static double SquareDistance(const qvSpaceBuild* b, const double* x, const double* y)
{
    const double* mass = qvElasticBody_DofMasses(b->space->elastic);
    double sum = 0.0;
    for (int i = 0; i < b->size; i++)
        sum += mass[i] * (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

// Always the shape that is farthest from the rest shape and from those that are chosen.
static qvResult ChooseFarthest(qvSpaceBuild* b)
{
    const qvMotionSpace* space = b->space;
    double* nearest = qvAllocateRaw((size_t)space->shapeCount, sizeof(double));
    if (nearest == NULL)
        return qvError_OutOfMemory(b->error, (double)space->shapeCount * sizeof(double));
    for (int s = 0; s < space->shapeCount; s++)
        nearest[s] = SquareDistance(b, b->local[space->shapes[s].pose], b->rest);
    qvResult result = qv_ok;
    for (int k = 0; result == qv_ok && k < REPRESENTATIVES && k < space->shapeCount; k++)
    {
        int farthest = 0;
        for (int s = 1; s < space->shapeCount; s++)
            farthest = nearest[s] > nearest[farthest] ? s : farthest;
        b->isChosen[farthest] = true;
        const double* chosen = b->local[space->shapes[farthest].pose];
        for (int s = 0; s < space->shapeCount; s++)
            nearest[s] = fmin(nearest[s], SquareDistance(b, b->local[space->shapes[s].pose], chosen));
        result = qvJob_Ask(b->job, b->error);
    }
    free(nearest);
    return result;
}

qvResult qvSpaceBuild_Choose(qvSpaceBuild* b)
{
    qvResult result = qv_ok;
    if (!b->space->isBounded)
        return qv_ok;
    for (int i = 0; result == qv_ok && i < b->space->poseCount; i++)
    {
        int count;
        result = qvSpaceBuild_MakeArrows(b, i, &count);
        if (result == qv_ok)
            result = qvJob_Ask(b->job, b->error);
    }
    if (result == qv_ok && b->previous != NULL && b->previous->isBounded)
        result = SeeWhetherItDoes(b);
    return result == qv_ok && !b->keepsBasis ? ChooseFarthest(b) : result;
}

// --- The basis ------------------------------------------------------------------------------------------------------

// Vectors of which the most important directions are wanted.
typedef struct Heap
{
    int count;
    double* vectors; // [size x count]
} Heap;

static double LongestWay(const qvSpaceBuild* b)
{
    double longest = 0.0;
    for (int s = 0; s < b->space->shapeCount; s++)
        longest = fmax(longest, Square(b, b->arrows[b->space->shapes[s].pose]));
    return sqrt(longest);
}

static int ModesOf(const qvSpaceBuild* b, int shape)
{
    const qvModes* modes = b->isChosen[shape] ? b->space->shapes[shape].source->modes : NULL;
    return modes != NULL && b->space->shapes[shape].source != b->space->restModes ? modes->count : 0;
}

static void AddScaled(const qvSpaceBuild* b, double scale, const double* vector, Heap* heap)
{
    double* to = heap->vectors + (size_t)b->size * (size_t)heap->count++;
    for (int i = 0; i < b->size; i++)
        to[i] = scale * vector[i];
}

static qvResult FillHeap(const qvSpaceBuild* b, Heap* heap)
{
    const qvMotionSpace* space = b->space;
    size_t size = (size_t)b->size, count = (size_t)space->shapeCount;
    double longest = LongestWay(b), scale = longest > 0.0 ? 1.0 / longest : 0.0;
    for (int s = 0; s < space->shapeCount; s++)
        count += (size_t)ModesOf(b, s);
    heap->vectors = qvAllocateRaw(size * count, sizeof(double));
    if (heap->vectors == NULL)
        return qvError_OutOfMemory(b->error, (double)(size * count) * sizeof(double));
    for (int s = 0; s < space->shapeCount; s++)
    {
        const qvModes* modes = space->shapes[s].source->modes;
        AddScaled(b, scale, b->arrows[space->shapes[s].pose], heap);
        for (int k = 0; k < ModesOf(b, s); k++)
        {
            double slowest = fmax(modes->values[0], 1e-3 * space->lowest), own = fmax(modes->values[k], slowest);
            AddScaled(b, own > 0.0 ? slowest / own : 1.0, modes->vectors + size * (size_t)k, heap);
        }
    }
    return qv_ok;
}

// Takes out what a basis holds, and multiplies what is left with the roots of the masses.
static qvResult Purge(const qvSpaceBuild* b, const qvBasis* basis, const Heap* heap)
{
    size_t size = (size_t)b->size, d = (size_t)qvBasis_Dimension(basis);
    double* q = qvAllocateRaw(d + 1, PROJECTED * sizeof(double));
    if (q == NULL)
        return qvError_OutOfMemory(b->error, (double)d * PROJECTED * sizeof(double));
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < heap->count; first += PROJECTED)
    {
        int width = heap->count - first < PROJECTED ? heap->count - first : PROJECTED;
        double* vectors = heap->vectors + size * (size_t)first;
        qvBasis_Project(basis, vectors, width, q);
        if (d > 0)
            result = qvTall_MultiplyColumns(b->size, qvBasis_Columns(basis, 0), width, -1.0, q, (int)d, 1.0, vectors,
                                            b->job, b->error);
        for (size_t i = 0; i < size * (size_t)width; i++)
            vectors[i] *= basis->root[i % size];
    }
    free(q);
    return result;
}

// Eigenvectors of the vectors' products with each other; values ascend.
static qvResult Decompose(const qvSpaceBuild* b, const Heap* heap, double* gram, double* values)
{
    size_t count = (size_t)heap->count;
    qvResult result = qv_ok;
    for (int first = 0; result == qv_ok && first < heap->count; first += DOTTED)
    {
        int width = heap->count - first < DOTTED ? heap->count - first : DOTTED;
        result = qvTall_Dot(b->size, heap->count, width, heap->vectors, heap->vectors + (size_t)b->size * (size_t)first,
                            gram + count * (size_t)first, heap->count, b->job, b->error);
    }
    return result == qv_ok ? qvDense_Eigen(heap->count, gram, heap->count, values, gram, b->error) : result;
}

// The `most` directions with the largest singular values, or all that are more than rounding.
static qvResult FindDirections(const qvSpaceBuild* b, const qvBasis* basis, const Heap* heap, int most, Heap* out)
{
    size_t size = (size_t)b->size, count = (size_t)heap->count;
    double *gram = qvAllocateRaw(count * (count + 1), sizeof(double)), *values = gram + count * count;
    if (gram == NULL)
        return qvError_OutOfMemory(b->error, (double)count * (double)count * sizeof(double));
    qvResult result = Decompose(b, heap, gram, values);
    while (result == qv_ok && out->count < most && out->count < heap->count &&
           values[count - 1 - (size_t)out->count] > 1e-12 * values[count - 1])
        out->count++;
    out->vectors = qvAllocateRaw(size * (size_t)out->count, sizeof(double));
    if (result == qv_ok && out->vectors == NULL)
        result = qvError_OutOfMemory(b->error, (double)size * out->count * sizeof(double));
    if (result == qv_ok && out->count > 0)
        result = qvTall_Multiply(b->size, heap->count, out->count, 1.0, heap->vectors,
                                 gram + count * (count - (size_t)out->count), heap->count, 0.0, out->vectors, b->job,
                                 b->error);
    for (size_t i = 0; result == qv_ok && i < size * (size_t)out->count; i++)
        out->vectors[i] *= basis->inverseRoot[i % size];
    free(gram);
    return result;
}

// The modes of the rest shape and the velocities: the blocks of the basis that it holds whole.
static qvResult FillWhole(qvSpaceBuild* b, Heap* velocities)
{
    qvMotionSpace* space = b->space;
    size_t size = (size_t)b->size;
    int count = 0;
    for (int i = 0; i < space->poseCount; i++)
        count += VelocityCount(b, i);
    velocities->vectors = qvAllocateRaw(size * (size_t)count, sizeof(double));
    if (velocities->vectors == NULL)
        return qvError_OutOfMemory(b->error, (double)size * count * sizeof(double));
    for (int i = 0; i < space->poseCount; i++)
    {
        for (int side = 0; side < VelocityCount(b, i); side++)
            AddScaled(b, 1.0, b->arrows[i] + size * (size_t)(side + 1), velocities);
    }
    const qvModes* rest = space->restModes->modes;
    b->blocks[0] = rest != NULL ? (qvBasisBlock){ rest->vectors, rest->count } : (qvBasisBlock){ 0 };
    b->blocks[1] = (qvBasisBlock){ velocities->vectors, velocities->count };
    b->sameAs[0] = b->sameAs[1] = b->sameAs[2] = -1;
    space->modeCount = b->blocks[0].count;
    if (b->previous != NULL && space->modeCount > 0)
        b->sameAs[0] = 0, b->blocks[0].count = qvBasis_VectorCount(b->previous->basis, 0);
    return qv_ok;
}

static qvResult MakeOf(qvSpaceBuild* b, int blockCount, qvBasis** basis)
{
    qvBasisDef def = qvDefaultBasisDef();
    def.size = b->size, def.mass = qvElasticBody_DofMasses(b->space->elastic);
    def.blocks = b->blocks, def.blockCount = blockCount, def.sameAs = b->sameAs;
    return qvCreateBasis(&def, b->previous != NULL ? b->previous->basis : NULL, b->job, basis, b->error);
}

static qvResult MakeNew(qvSpaceBuild* b, Heap* velocities, Heap* heap, Heap* directions)
{
    qvBasis* whole = NULL;
    qvResult result = FillWhole(b, velocities);
    if (result == qv_ok)
        result = FillHeap(b, heap);
    if (result == qv_ok)
        result = MakeOf(b, 2, &whole);
    if (result == qv_ok)
        result = Purge(b, whole, heap);
    int first, restCount = 0; // velocities come on top
    if (result == qv_ok)
        qvBasis_BlockRange(whole, 0, &first, &restCount);
    int room = qvSpaceBuild_Bound(b->def->material.modes) - restCount;
    if (result == qv_ok)
        result = FindDirections(b, whole, heap, room > 0 ? room : 0, directions);
    qvDestroyBasis(whole);
    b->blocks[2] = (qvBasisBlock){ directions->vectors, directions->count };
    return result == qv_ok ? MakeOf(b, 3, &b->space->basis) : result;
}

qvResult qvSpaceBuild_MakeBoundedBasis(qvSpaceBuild* b)
{
    Heap velocities = { 0 }, heap = { 0 }, directions = { 0 };
    qvResult result = qv_ok;
    if (b->keepsBasis)
    {
        b->space->basis = qvShareBasis(b->previous->basis);
        b->space->modeCount = b->previous->modeCount, b->space->leftOut = b->previous->leftOut;
    }
    else
        result = MakeNew(b, &velocities, &heap, &directions);
    free(velocities.vectors);
    free(heap.vectors);
    free(directions.vectors);
    if (result == qv_ok)
        b->space->dimension = qvBasis_Dimension(b->space->basis);
    return result;
}

void qvSpaceBuild_MeasureLeft(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    double longest = 0.0, largest = 0.0;
    for (int i = 0; i < space->poseCount; i++)
    {
        double all = Square(b, b->arrows[i]), inside = 0.0;
        for (int k = 0; k < space->dimension; k++)
            inside += space->poses[i].center[k] * space->poses[i].center[k];
        longest = fmax(longest, all), largest = fmax(largest, all - inside);
    }
    space->leftOut = longest > 0.0 ? sqrt(largest / longest) : 0.0;
}
