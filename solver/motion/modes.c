// SPDX-License-Identifier: GPL-3.0-or-later
// Modes of the rest shape in the reduced space, for the mixer, and the directions of the reduced space that move pins.
#include "motion/space.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PROJECTED = 8 // modes between two questions to the job
};

static double LongestArrow(const double* vectors, int pointCount)
{
    double longest = 0.0;
    for (int i = 0; i < pointCount; i++)
    {
        const double* v = vectors + 3 * (size_t)i;
        longest = fmax(longest, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return sqrt(longest);
}

// Modes [first, first + count) of a space that has their coordinates.
static void ExpandModes(const qvMotionSpace* space, int first, int count, double* vectors)
{
    qvBasis_Expand(space->basis, space->modes + (size_t)space->dimension * (size_t)first, count, vectors);
}

// From the coordinates in a previous basis, of which this one knows what became.
static void CarryModes(qvMotionSpace* space, const qvMotionSpace* previous)
{
    qvBasis_Carry(space->basis, previous->modes, space->modeCount, space->modes);
    memcpy(space->reach, previous->reach, (size_t)space->modeCount * sizeof(double));
}

// From the vectors, which are there when they were found for this space, else in the basis of the previous one.
static qvResult ProjectModes(qvMotionSpace* space, const qvMotionSpace* previous, const qvJob* job, qvError* error)
{
    size_t d = (size_t)space->dimension, size = 3 * (size_t)space->pointCount;
    double* expanded = previous != NULL ? qvAllocateRaw(size, PROJECTED * sizeof(double)) : NULL;
    if (previous != NULL && expanded == NULL)
        return qvError_OutOfMemory(error, (double)size * PROJECTED * sizeof(double));
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < space->modeCount; i += PROJECTED)
    {
        int width = space->modeCount - i < PROJECTED ? space->modeCount - i : PROJECTED;
        const double* vectors = expanded;
        if (previous != NULL)
            ExpandModes(previous, i, width, expanded);
        else
            vectors = space->restModes->modes->vectors + size * (size_t)i;
        qvBasis_Project(space->basis, vectors, width, space->modes + d * (size_t)i);
        for (int k = 0; k < width; k++)
            space->reach[i + k] = LongestArrow(vectors + size * (size_t)k, space->pointCount);
        result = qvJob_Ask(job, error);
    }
    free(expanded);
    return result;
}

static qvResult ReduceModes(qvMotionSpace* space, const qvMotionSpace* previous, const qvJob* job, qvError* error)
{
    size_t d = (size_t)space->dimension, count = (size_t)space->modeCount;
    space->modes = qvAllocate((d + 1) * count, sizeof(double));
    if (space->modes == NULL)
        return qvError_OutOfMemory(error, (double)(d + 1) * (double)count * sizeof(double));
    space->reach = space->modes + d * count;
    if (previous != NULL && previous->basis == space->basis)
    {
        memcpy(space->modes, previous->modes, (d + 1) * count * sizeof(double));
        return qv_ok;
    }
    if (!qvBasis_HasFollowed(space->basis))
        return ProjectModes(space, previous, job, error);
    CarryModes(space, previous);
    return qv_ok;
}

// gram = P^T P, where the rows of P are those of the basis that belong to pins.
static void PinGram(const qvMotionSpace* space, const qvMotionSpaceDef* def, double* gram)
{
    int d = space->dimension, size = 3 * space->pointCount;
    const double* u = qvBasis_Vectors(space->basis);
    for (int p = 0; p < def->pinCount; p++)
    {
        const double* rows = u + 3 * (size_t)def->pins[p]; // three rows of U: a matrix (3 x d)
        qvBlas_Multiply(true, false, d, d, 3, 1.0, rows, size, rows, size, 1.0, gram, d);
    }
}

// Usually none: then pins stay whatever the modes do.
static qvResult FindHeld(qvMotionSpace* space, const qvMotionSpaceDef* def, qvError* error)
{
    size_t d = (size_t)space->dimension;
    if (!space->pinned || d == 0)
        return qv_ok;
    double *gram = qvAllocate(d * d + d, sizeof(double)), *values = gram + d * d;
    if (gram == NULL)
        return qvError_OutOfMemory(error, (double)d * (double)(d + 1) * sizeof(double));
    PinGram(space, def, gram);
    qvResult result = qvDense_Eigen(space->dimension, gram, space->dimension, values, gram, error);
    int first = space->dimension;
    double least = fmax(1e-16, 1e-12 * values[first - 1]); // rounding
    while (result == qv_ok && first > 0 && values[first - 1] > least)
        first--;
    space->heldCount = result == qv_ok ? space->dimension - first : 0;
    if (space->heldCount > 0)
    {
        space->held = qvAllocate(d * (size_t)space->heldCount, sizeof(double));
        if (space->held == NULL)
            result = qvError_OutOfMemory(error, (double)d * space->heldCount * sizeof(double));
        else
            memcpy(space->held, gram + d * (size_t)first, d * (size_t)space->heldCount * sizeof(double));
    }
    free(gram);
    return result;
}

static void AddMoment(double mass, const double* arm, const double* x, double* moment)
{
    for (int k = 0; k < 9; k++)
        moment[k] += mass * arm[k / 3] * x[k % 3];
}

typedef struct Moments
{
    qvMotionSpace* space;
    const double* masses;
} Moments;

// Those of the basis vectors [begin, end).
static void AddMoments(void* context, int begin, int end)
{
    const Moments* m = context;
    size_t n = (size_t)m->space->pointCount;
    for (size_t c = (size_t)begin; c < (size_t)end; c++)
    {
        const double* u = qvBasis_Vectors(m->space->basis) + 3 * n * c;
        for (size_t i = 0; i < n; i++)
            AddMoment(m->masses[i] / m->space->scale, m->space->arms + 3 * i, u + 3 * i, m->space->moments + 9 * c);
    }
}

static qvResult SumMoments(qvMotionSpace* space, const double* masses, const qvJob* job, qvError* error)
{
    size_t n = (size_t)space->pointCount, d = (size_t)space->dimension;
    space->masses = qvAllocate(n, sizeof(double));
    space->moments = qvAllocate(9 * d, sizeof(double));
    if (space->masses == NULL || space->moments == NULL)
        return qvError_OutOfMemory(error, (double)(n + 9 * d) * sizeof(double));
    memcpy(space->masses, masses, n * sizeof(double));
    if (space->pinned)
        return qv_ok;
    for (size_t i = 0; i < n; i++)
    {
        space->totalMass += masses[i];
        AddMoment(masses[i], space->arms + 3 * i, space->arms + 3 * i, space->armMoment);
    }
    Moments moments = { space, masses };
    return qvWatchedFor(job, space->dimension, 4, AddMoments, &moments, error);
}

qvResult qvMotionSpace_FillModes(qvMotionSpace* space, const qvMotionSpace* previous, const qvMotionSpaceDef* def,
                                 const double* masses, const qvJob* job, qvError* error)
{
    qvResult result = ReduceModes(space, previous, job, error);
    if (result == qv_ok)
        result = SumMoments(space, masses, job, error);
    if (result == qv_ok)
        result = FindHeld(space, def, error);
    return result;
}

// --- For the mixer's panel ------------------------------------------------------------------------------------------

int qvMotionSpace_ModeCount(const qvMotionSpace* space)
{
    return qvMotionSpace_Main(space)->modeCount;
}

double qvMotionSpace_ModeFrequency(const qvMotionSpace* space, int mode, double frequency)
{
    space = qvMotionSpace_Main(space);
    QV_ASSERT(mode >= 0 && mode < space->modeCount);
    double lambda = fmax(space->restModes->modes->values[mode], 0.0);
    return space->lowest > 0.0 ? frequency * sqrt(lambda / space->lowest) : 0.0;
}

void qvMotionSpace_ModeShape(const qvMotionSpace* space, int mode, double* displacements)
{
    space = qvMotionSpace_Main(space);
    QV_ASSERT(mode >= 0 && mode < space->modeCount);
    ExpandModes(space, mode, 1, displacements);
    double scale = space->reach[mode] > 0.0 ? 1.0 / space->reach[mode] : 0.0;
    for (int i = 0; i < 3 * space->pointCount; i++)
        displacements[i] *= scale;
}
