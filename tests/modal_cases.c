// SPDX-License-Identifier: GPL-3.0-or-later
#include "modal_cases.h"

#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void AddEntry(Body* body, int row, int column, double value)
{
    int entry = qvSparsePattern_Find(body->pattern, row, column);
    assert_true(entry >= 0);
    body->matrix.values[entry] += value;
}

static Body MakeBody(int size, const int32_t (*springs)[2], int springCount)
{
    qvError error;
    Body body = { .size = size };
    ASSERT_OK(qvCreateSparsePattern(size, 1, springs, (size_t)springCount, &body.pattern, &error), error);
    body.matrix = (qvSparse){ body.pattern, calloc((size_t)body.pattern->entryCount, sizeof(double)) };
    body.mass = calloc((size_t)size, sizeof(double));
    body.known = calloc((size_t)size, sizeof(double));
    for (int i = 0; i < size; i++)
        body.mass[i] = 1.0;
    for (int k = 0; k < springCount; k++)
    {
        int a = springs[k][0], b = springs[k][1];
        AddEntry(&body, a, a, 1.0);
        AddEntry(&body, b, b, 1.0);
        AddEntry(&body, a > b ? a : b, a > b ? b : a, -1.0);
    }
    return body;
}

static int CompareNumbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Eigenvalues of a chain: free, or between walls.
static double ChainValue(int k, int length, bool walls)
{
    double s = walls ? sin((k + 1) * M_PI / (2.0 * (length + 1))) : sin(k * M_PI / (2.0 * length));
    return 4.0 * s * s;
}

Body MakeSpringGrid(int width, int height, bool walls)
{
    int32_t(*springs)[2] = calloc(2 * (size_t)width * (size_t)height, sizeof(*springs));
    int count = 0;
    for (int i = 0; i < width * height; i++)
    {
        if (i % width + 1 < width)
        {
            springs[count][0] = i;
            springs[count++][1] = i + 1;
        }
        if (i / width + 1 < height)
        {
            springs[count][0] = i;
            springs[count++][1] = i + width;
        }
    }
    Body body = MakeBody(width * height, (const int32_t(*)[2])springs, count);
    free(springs);
    for (int i = 0; i < body.size; i++)
    {
        int x = i % width, y = i / width;
        if (walls)
            AddEntry(&body, i, i, (x == 0) + (x == width - 1) + (height > 1) * ((y == 0) + (y == height - 1)));
        body.known[i] = ChainValue(x, width, walls) + (height > 1 ? ChainValue(y, height, walls) : 0.0);
    }
    qsort(body.known, (size_t)body.size, sizeof(double), CompareNumbers);
    return body;
}

Body MakeChains(int length, int copies)
{
    int32_t(*springs)[2] = calloc((size_t)length * (size_t)copies, sizeof(*springs));
    int count = 0;
    for (int i = 0; i < length * copies; i++)
    {
        if (i % length + 1 == length)
            continue;
        springs[count][0] = i;
        springs[count++][1] = i + 1;
    }
    Body body = MakeBody(length * copies, (const int32_t(*)[2])springs, count);
    free(springs);
    for (int i = 0; i < body.size; i++)
        body.known[i] = ChainValue(i % length, length, false);
    qsort(body.known, (size_t)body.size, sizeof(double), CompareNumbers);
    return body;
}

void FreeBody(Body* body)
{
    qvDestroySparsePattern(body->pattern);
    free(body->matrix.values);
    free(body->mass);
    free(body->known);
}

qvResult FindModes(const qvModesDef* def, const int32_t* fixed, int fixedCount, const qvJob* job, qvModes** modes,
                   qvError* error)
{
    qvSymbolic* symbolic;
    qvFactor* factor;
    *modes = NULL;
    qvResult result = qvCreateSymbolic(def->matrix.pattern, fixed, fixedCount, job, &symbolic, error);
    if (result != qv_ok)
        return result;
    result = qvCreateFactor(symbolic, &factor, error);
    if (result == qv_ok)
        result = qvComputeModes(def, factor, job, modes, error);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    return result;
}

qvModesDef DefFor(const Body* body, int count, qvModesMethod method)
{
    qvModesDef def = qvDefaultModesDef();
    def.matrix = body->matrix;
    def.mass = body->mass;
    def.count = count;
    def.method = method;
    return def;
}

static double MassDot(int size, const double* mass, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++)
        sum += mass[i] * a[i] * b[i];
    return sum;
}

double MassOrthonormalError(const qvModes* modes, const double* mass)
{
    double worst = 0.0;
    for (int i = 0; i < modes->count; i++)
    {
        for (int j = 0; j <= i; j++)
        {
            double dot = MassDot(modes->size, mass, modes->vectors + (size_t)i * (size_t)modes->size,
                                 modes->vectors + (size_t)j * (size_t)modes->size);
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    }
    return worst;
}

double SpaceDistance(int size, const double* mass, const double* a, int countA, const double* b, int countB)
{
    double worst = 0.0;
    double* rest = calloc((size_t)size, sizeof(double));
    for (int j = 0; j < countB; j++)
    {
        const double* column = b + (size_t)j * (size_t)size;
        memcpy(rest, column, (size_t)size * sizeof(double));
        for (int i = 0; i < countA; i++)
        {
            const double* axis = a + (size_t)i * (size_t)size;
            double dot = MassDot(size, mass, axis, rest);
            for (int k = 0; k < size; k++)
                rest[k] -= dot * axis[k];
        }
        double length = MassDot(size, mass, column, column);
        worst = fmax(worst, sqrt(MassDot(size, mass, rest, rest) / (length > 0.0 ? length : 1.0)));
    }
    free(rest);
    return worst;
}
