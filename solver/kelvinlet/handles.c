// SPDX-License-Identifier: GPL-3.0-or-later
// Loads found from what they should do: displacements and gradients at points (formulas.md 7), and displacements at
// points and times. All unknowns and equations are scaled to displacements of the size of a radius, so that the matrix
// is the identity plus what the loads do to each other.
#include "base/assert.h"
#include "base/memory.h"
#include "kelvinlet/field.h"
#include "kelvinlet/held.h"
#include "kelvinlet/load.h"
#include "math/dense.h"
#include "math/dense_lu.h"
#include "math/mat3.h"
#include "quaver/kelvinlet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Two grabs at distance d have a condition of about 3.7 (radius/d)^2: this is reached at a fiftieth of the radius,
// where different displacements would need forces that tear the surface between them.
static const double LARGEST_CONDITION = 1e4;

static int UnknownsOf(const qvHandle* handle)
{
    return (handle->moves ? 3 : 0) + (handle->turns ? 9 : 0);
}

static qvResult ValidateHandles(const qvKelvinlet* like, const qvHandle* handles, int count, qvError* error)
{
    for (int i = 0; i < count; i++)
    {
        qvKelvinlet load = *like;
        load.center = handles[i].at;
        load.force = handles[i].displacement;
        load.affine = handles[i].gradient;
        qvKelvinlet_SetRadius(&load, handles[i].radius, like->scaleCount);
        qvResult result = qvKelvinlet_Validate(&load, error);
        if (result != qv_ok)
        {
            qvError_Prefix(error, "handle %d", i);
            return result;
        }
    }
    return qv_ok;
}

static qvKelvinlet EmptyLoad(const qvKelvinlet* like, const qvHandle* handle)
{
    qvKelvinlet load = *like;
    load.time = qv_kelvinletStatic;
    load.center = handle->at;
    load.force = qvMakeVec3(0.0, 0.0, 0.0);
    load.affine = (qvMat3){ 0 };
    load.dilation = 0.0;
    qvKelvinlet_SetRadius(&load, handle->radius, like->scaleCount);
    return load;
}

// The load of a handle for given unknowns: displacements, then gradients times the radius by rows.
static qvResult MakeLoad(const qvKelvinlet* like, const qvHandle* handle, const double* x, qvKelvinlet* load,
                         qvError* error)
{
    *load = EmptyLoad(like, handle);
    qvResult result = qv_ok;
    if (handle->moves)
    {
        result = qvKelvinlet_SetDisplacement(load, qvMakeVec3(x[0], x[1], x[2]), error);
        x += 3;
    }
    if (result == qv_ok && handle->turns)
    {
        qvMat3 gradient;
        for (int i = 0; i < 9; i++)
            gradient.m[i / 3][i % 3] = x[i] / handle->radius;
        result = qvKelvinlet_SetGradient(load, gradient, error);
    }
    return result;
}

// What a load does at a handle, in the handle's equations.
static void Answer(const qvKelvinlet* load, const qvHandle* handle, double* rows, int stride)
{
    if (handle->moves)
    {
        qvVec3 u = qvKelvinlet_Displacement(load, 0.0, handle->at);
        rows[0] = u.x;
        rows[stride] = u.y;
        rows[2 * stride] = u.z;
        rows += 3 * stride;
    }
    if (handle->turns)
    {
        qvMat3 g = qvKelvinlet_Gradient(load, 0.0, handle->at);
        for (int i = 0; i < 9; i++)
            rows[i * stride] = g.m[i / 3][i % 3] * handle->radius;
    }
}

static qvResult FillMatrix(const qvKelvinlet* like, const qvHandle* handles, int count, int n, double* matrix,
                           qvError* error)
{
    for (int b = 0, column = 0; b < count; b++)
    {
        for (int k = 0; k < UnknownsOf(&handles[b]); k++, column++)
        {
            double unit[12] = { 0 };
            unit[k] = 1.0;
            qvKelvinlet load;
            qvResult result = MakeLoad(like, &handles[b], unit, &load, error);
            if (result != qv_ok)
                return result;
            for (int a = 0, row = 0; a < count; row += UnknownsOf(&handles[a]), a++)
                Answer(&load, &handles[a], matrix + (size_t)row * n + column, n);
        }
    }
    return qv_ok;
}

static void FillTargets(const qvHandle* handles, int count, double* b)
{
    for (int a = 0; a < count; a++)
    {
        const qvHandle* handle = &handles[a];
        if (handle->moves)
        {
            *b++ = handle->displacement.x;
            *b++ = handle->displacement.y;
            *b++ = handle->displacement.z;
        }
        for (int i = 0; handle->turns && i < 9; i++)
            *b++ = handle->gradient.m[i / 3][i % 3] * handle->radius;
    }
}

// Displacements only and one radius: the matrix is symmetric positive definite.
static bool IsPositive(const qvHandle* handles, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (handles[i].turns || handles[i].radius != handles[0].radius)
            return false;
    }
    return true;
}

static void CopyReport(const qvDenseReport* from, int n, bool leastSquares, qvSolveReport* report)
{
    *report = (qvSolveReport){ .unknownCount = n,
                               .rank = from->rank,
                               .condition = from->condition,
                               .residual = from->residual,
                               .leastSquares = leastSquares };
}

static qvResult Solve(int n, const double* matrix, bool positive, double* x, qvSolveReport* report, qvError* error)
{
    qvDenseReport dense;
    double* direct = qvAllocateRaw((size_t)n, sizeof(double));
    if (direct == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(double));
    memcpy(direct, x, (size_t)n * sizeof(double));
    qvResult result = positive ? qvDense_SolvePositive(n, matrix, direct, &dense, error)
                               : qvDense_SolveGeneral(n, matrix, direct, &dense, error);
    bool good = result == qv_ok && dense.condition < LARGEST_CONDITION;
    if (!good && result != qv_outOfMemory)
        result = qvDense_SolveLeastSquares(n, n, matrix, x, 1.0 / LARGEST_CONDITION, direct, &dense, error);
    if (result == qv_ok)
    {
        memcpy(x, direct, (size_t)n * sizeof(double));
        CopyReport(&dense, n, !good, report);
    }
    free(direct);
    return result;
}

static qvResult SolveInto(const qvKelvinlet* like, const qvHandle* handles, int count, int n, double* matrix, double* x,
                          qvKelvinlet* loads, qvSolveReport* report, qvError* error)
{
    qvResult result = FillMatrix(like, handles, count, n, matrix, error);
    FillTargets(handles, count, x);
    if (result == qv_ok && n > 0)
        result = Solve(n, matrix, IsPositive(handles, count), x, report, error);
    for (int i = 0, at = 0; result == qv_ok && i < count; at += UnknownsOf(&handles[i]), i++)
        result = MakeLoad(like, &handles[i], x + at, &loads[i], error);
    return result;
}

qvResult qvSolveHandles(const qvKelvinlet* like, const qvHandle* handles, int count, qvKelvinlet* loads,
                        qvSolveReport* report, qvError* error)
{
    QV_ASSERT(count >= 0 && count < 4096);
    *report = (qvSolveReport){ 0 };
    qvResult result = ValidateHandles(like, handles, count, error);
    if (result != qv_ok)
        return result;
    int n = 0;
    for (int i = 0; i < count; i++)
        n += UnknownsOf(&handles[i]);
    double* matrix = qvAllocate((size_t)n * (size_t)n, sizeof(double));
    double* x = qvAllocate((size_t)n, sizeof(double));
    if (matrix == NULL || x == NULL)
        result = qvError_OutOfMemory(error, (double)n * n * sizeof(double));
    else
        result = SolveInto(like, handles, count, n, matrix, x, loads, report, error);
    free(matrix);
    free(x);
    return result;
}

// --- Around places that are held -------------------------------------------------------------------------------------

static int EquationsOf(const qvHeldPlace* place)
{
    return place->oneWay ? 1 : 3;
}

static qvVec3 DirectionOf(const qvHeldPlace* place, int equation)
{
    if (place->oneWay)
        return place->along;
    return qvMakeVec3(equation == 0 ? 1.0 : 0.0, equation == 1 ? 1.0 : 0.0, equation == 2 ? 1.0 : 0.0);
}

// The load that alone moves a place by that much.
static qvResult MakePlaceLoad(const qvKelvinlet* like, const qvHeldPlace* place, qvVec3 by, qvKelvinlet* load,
                              qvError* error)
{
    const qvHandle handle = { .at = place->at, .radius = place->radius };
    *load = EmptyLoad(like, &handle);
    return qvKelvinlet_SetDisplacement(load, by, error);
}

// How far a load moves the places, along their directions.
static void FillMoves(const qvHeld* held, const qvKelvinlet* load, double* moves)
{
    for (int a = 0; a < held->count; a++)
    {
        qvVec3 u = qvKelvinlet_Displacement(load, 0.0, held->places[a].at);
        for (int e = 0; e < EquationsOf(&held->places[a]); e++)
            *moves++ = qvDot(u, DirectionOf(&held->places[a], e));
    }
}

void qvHeld_Free(qvHeld* held)
{
    free(held->lu);
    free(held->pivots);
    held->lu = NULL;
    held->pivots = NULL;
}

qvResult qvHeld_Factor(qvHeld* held, const qvKelvinlet* like, qvError* error)
{
    int n = 0;
    for (int a = 0; a < held->count; a++)
        n += EquationsOf(&held->places[a]);
    held->like = *like;
    held->equationCount = n;
    held->lu = qvAllocateRaw((size_t)n, (size_t)n * sizeof(double));
    held->pivots = qvAllocateRaw((size_t)n, sizeof(int));
    if (held->lu == NULL || held->pivots == NULL)
        return qvError_OutOfMemory(error, (double)n * n * sizeof(double));
    double* column = held->lu;
    for (int b = 0; b < held->count; b++)
    {
        for (int e = 0; e < EquationsOf(&held->places[b]); e++, column += n)
        {
            qvKelvinlet load;
            qvResult result = MakePlaceLoad(like, &held->places[b], DirectionOf(&held->places[b], e), &load, error);
            if (result != qv_ok)
                return result;
            FillMoves(held, &load, column);
        }
    }
    return qvDense_FactorLu(n, held->lu, n, held->pivots, NULL, error);
}

// Loads of the places from their displacements [equationCount].
static qvResult MakePlaceLoads(const qvHeld* held, const qvKelvinlet* like, const double* x, qvKelvinlet* loads,
                               qvError* error)
{
    qvResult result = qv_ok;
    for (int a = 0; result == qv_ok && a < held->count; a++)
    {
        qvVec3 by = qvMakeVec3(0.0, 0.0, 0.0);
        for (int e = 0; e < EquationsOf(&held->places[a]); e++)
            by = qvMulAdd(by, *x++, DirectionOf(&held->places[a], e));
        result = MakePlaceLoad(like, &held->places[a], by, &loads[a], error);
    }
    return result;
}

qvResult qvHeld_Answer(const qvHeld* held, const qvVec3* moves, qvKelvinlet* loads, qvError* error)
{
    int n = held->equationCount;
    double* x = qvAllocateRaw((size_t)n, sizeof(double));
    if (x == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(double));
    for (int a = 0, at = 0; a < held->count; a++)
    {
        for (int e = 0; e < EquationsOf(&held->places[a]); e++)
            x[at++] = -qvDot(moves[a], DirectionOf(&held->places[a], e));
    }
    qvDense_SolveLu(n, held->lu, n, held->pivots, false, 1, x, n);
    qvResult result = MakePlaceLoads(held, &held->like, x, loads, error);
    free(x);
    return result;
}

// What the unknowns of a solve around places are, and the places' answers to each.
typedef struct Around
{
    const qvHeld* held;
    const qvKelvinlet* like;
    const qvHandle* handles;
    int count, n;
    double* answers; // [equationCount x n], column-major
    double* matrix;  // [n x n] by rows
    double* x;       // [n]
    double* sums;    // [equationCount]
} Around;

// The places' answers to each unknown, so that they stay.
static qvResult FillAnswers(Around* around, qvError* error)
{
    int m = around->held->equationCount;
    double* column = around->answers;
    for (int b = 0; b < around->count; b++)
    {
        for (int k = 0; k < UnknownsOf(&around->handles[b]); k++, column += m)
        {
            double unit[12] = { 0 };
            unit[k] = 1.0;
            qvKelvinlet load;
            qvResult result = MakeLoad(around->like, &around->handles[b], unit, &load, error);
            if (result != qv_ok)
                return result;
            FillMoves(around->held, &load, column);
            for (int i = 0; i < m; i++)
                column[i] = -column[i];
        }
    }
    qvDense_SolveLu(m, around->held->lu, m, around->held->pivots, false, around->n, around->answers, m);
    return qv_ok;
}

// Adds to the matrix what the answers do at the handles.
static qvResult AddAnswers(Around* around, qvError* error)
{
    int m = around->held->equationCount, equation = 0;
    for (int a = 0; a < around->held->count; a++)
    {
        const qvHeldPlace* place = &around->held->places[a];
        for (int e = 0; e < EquationsOf(place); e++, equation++)
        {
            qvKelvinlet load;
            qvResult result = MakePlaceLoad(around->like, place, DirectionOf(place, e), &load, error);
            if (result != qv_ok)
                return result;
            for (int h = 0, row = 0; h < around->count; row += UnknownsOf(&around->handles[h]), h++)
                Answer(&load, &around->handles[h], around->x + row, 1);
            for (int i = 0; i < around->n; i++)
            {
                for (int j = 0; j < around->n; j++)
                    around->matrix[i * around->n + j] += around->x[i] * around->answers[j * m + equation];
            }
        }
    }
    return qv_ok;
}

static qvResult SolveAround(Around* around, qvKelvinlet* loads, qvError* error)
{
    int n = around->n, m = around->held->equationCount;
    qvSolveReport ignored;
    qvResult result = FillAnswers(around, error);
    if (result == qv_ok)
        result = FillMatrix(around->like, around->handles, around->count, n, around->matrix, error);
    if (result == qv_ok)
        result = AddAnswers(around, error);
    FillTargets(around->handles, around->count, around->x);
    if (result == qv_ok && n > 0)
        result = Solve(n, around->matrix, false, around->x, &ignored, error);
    for (int i = 0, at = 0; result == qv_ok && i < around->count; at += UnknownsOf(&around->handles[i]), i++)
        result = MakeLoad(around->like, &around->handles[i], around->x + at, &loads[i], error);
    for (int j = 0; j < n; j++)
    {
        for (int i = 0; i < m; i++)
            around->sums[i] += around->x[j] * around->answers[j * m + i];
    }
    if (result == qv_ok)
        result = MakePlaceLoads(around->held, around->like, around->sums, loads + around->count, error);
    return result;
}

qvResult qvSolveHandlesAround(const qvHeld* held, const qvKelvinlet* like, const qvHandle* handles, int count,
                              qvKelvinlet* loads, qvError* error)
{
    qvResult result = ValidateHandles(like, handles, count, error);
    if (result != qv_ok)
        return result;
    Around around = { .held = held, .like = like, .handles = handles, .count = count };
    for (int i = 0; i < count; i++)
        around.n += UnknownsOf(&handles[i]);
    size_t n = (size_t)around.n, m = (size_t)held->equationCount;
    around.answers = qvAllocate(n * m, sizeof(double));
    around.matrix = qvAllocate(n * n, sizeof(double));
    around.x = qvAllocate(n, sizeof(double));
    around.sums = qvAllocate(m, sizeof(double));
    if (around.answers == NULL || around.matrix == NULL || around.x == NULL || around.sums == NULL)
        result = qvError_OutOfMemory(error, (double)(n * (n + m)) * sizeof(double));
    else
        result = SolveAround(&around, loads, error);
    free(around.answers);
    free(around.matrix);
    free(around.x);
    free(around.sums);
    return result;
}

// --- Waves -----------------------------------------------------------------------------------------------------------

static qvResult ValidateTargets(const qvWave* waves, int waveCount, const qvWaveTarget* targets, int targetCount,
                                qvError* error)
{
    for (int i = 0; i < waveCount; i++)
    {
        qvResult result = qvKelvinlet_Validate(&waves[i].load, error);
        if (result == qv_ok && !isfinite(waves[i].start))
            result = qvError_Set(error, qv_badInput, "time: not a finite number");
        if (result != qv_ok)
        {
            qvError_Prefix(error, "wave %d", i);
            return result;
        }
    }
    for (int i = 0; i < targetCount; i++)
    {
        const qvWaveTarget* target = &targets[i];
        if (!isfinite(qvLength(target->at)) || !isfinite(target->time) || !isfinite(qvLength(target->displacement)))
            return qvError_Set(error, qv_badInput, "target %d: not finite", i);
    }
    return qv_ok;
}

// One column per axis of each wave's force, which is counted in displacements of its centre.
static void FillWaveMatrix(const qvWave* waves, int waveCount, const qvWaveTarget* targets, int targetCount,
                           double* matrix)
{
    int columns = 3 * waveCount;
    for (int column = 0; column < columns; column++)
    {
        const qvWave* wave = &waves[column / 3];
        qvKelvinlet load = wave->load;
        double unit = 1.0 / qvKelvinlet_PeakCenterGain(&load);
        load.affine = (qvMat3){ 0 };
        load.dilation = 0.0;
        load.force =
            qvMakeVec3(column % 3 == 0 ? unit : 0.0, column % 3 == 1 ? unit : 0.0, column % 3 == 2 ? unit : 0.0);
        for (int i = 0; i < targetCount; i++)
        {
            qvVec3 u = qvKelvinlet_Displacement(&load, targets[i].time - wave->start, targets[i].at);
            double* row = matrix + (size_t)3 * i * columns + column;
            row[0] = u.x;
            row[columns] = u.y;
            row[2 * columns] = u.z;
        }
    }
}

static void SetForces(qvWave* waves, int waveCount, const double* x)
{
    for (int i = 0; i < waveCount; i++)
    {
        double unit = 1.0 / qvKelvinlet_PeakCenterGain(&waves[i].load);
        waves[i].load.force = qvScale(unit, qvMakeVec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]));
    }
}

qvResult qvSolveWaves(qvWave* waves, int waveCount, const qvWaveTarget* targets, int targetCount, qvSolveReport* report,
                      qvError* error)
{
    QV_ASSERT(waveCount > 0 && waveCount < 4096 && targetCount > 0 && targetCount < 4096);
    *report = (qvSolveReport){ 0 };
    qvResult result = ValidateTargets(waves, waveCount, targets, targetCount, error);
    if (result != qv_ok)
        return result;
    int rows = 3 * targetCount, columns = 3 * waveCount;
    double* matrix = qvAllocate((size_t)rows * (size_t)columns, sizeof(double));
    double* b = qvAllocate((size_t)rows, sizeof(double));
    double* x = qvAllocate((size_t)columns, sizeof(double));
    qvDenseReport dense;
    if (matrix == NULL || b == NULL || x == NULL)
        result = qvError_OutOfMemory(error, (double)rows * columns * sizeof(double));
    for (int i = 0; result == qv_ok && i < targetCount; i++)
    {
        b[3 * i] = targets[i].displacement.x;
        b[3 * i + 1] = targets[i].displacement.y;
        b[3 * i + 2] = targets[i].displacement.z;
    }
    if (result == qv_ok)
    {
        FillWaveMatrix(waves, waveCount, targets, targetCount, matrix);
        result = qvDense_SolveLeastSquares(rows, columns, matrix, b, 1e-8, x, &dense, error);
    }
    if (result == qv_ok)
    {
        SetForces(waves, waveCount, x);
        CopyReport(&dense, columns, true, report);
    }
    free(matrix);
    free(b);
    free(x);
    return result;
}
