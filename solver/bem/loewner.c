// SPDX-License-Identifier: GPL-3.0-or-later
// Mayo, Antoulas 2007 (bem/loewner.h).
#include "bem/loewner.h"

#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Work
{
    int size;             // 2 loads
    double *mass, *stiff; // [size x size]; stiff becomes K + metric M, then its eigenvectors
    double *c[2], *dc[2]; // [loads x loads]
    double *values, *basis, *product, *scale;
} Work;

static void FreeWork(Work* work)
{
    free(work->mass); // one piece
}

static qvResult MakeWork(int loads, Work* work, qvError* error)
{
    size_t m = (size_t)loads, size = 2 * m, square = size * size;
    work->size = (int)size;
    work->mass = qvAllocate(4 * square + 4 * m * m + 2 * size, sizeof(double));
    if (work->mass == NULL)
        return qvError_OutOfMemory(error, 40.0 * (double)square);
    work->stiff = work->mass + square;
    work->basis = work->stiff + square;
    work->product = work->basis + square;
    work->c[0] = work->product + square;
    work->c[1] = work->c[0] + m * m;
    work->dc[0] = work->c[1] + m * m;
    work->dc[1] = work->dc[0] + m * m;
    work->values = work->dc[1] + m * m;
    work->scale = work->values + size;
    return qv_ok;
}

// out = sym(force^T answer)
static void Project(const qvLoewnerData* data, const double* answer, double* out)
{
    int m = data->loads;
    qvBlas_Multiply(true, false, m, m, data->rows, 1.0, data->force, data->rows, answer, data->rows, 0.0, out, m);
    for (int i = 0; i < m; i++)
    {
        for (int j = 0; j < i; j++)
        {
            double *a = &out[i * m + j], *b = &out[j * m + i], mean = 0.5 * (*a + *b);
            *a = *b = mean;
        }
    }
}

typedef struct Entry
{
    double complex mass, stiff;
} Entry;

// Of the answers at two different shifts, and of those at one.
static Entry Across(const double complex l[2], double complex c0, double complex c1)
{
    return (Entry){ -(c0 - c1) / (l[0] - l[1]), (l[0] * c0 - l[1] * c1) / (l[0] - l[1]) };
}

static Entry Within(double complex l, double complex c, double complex dc)
{
    return (Entry){ -dc, c + l * dc };
}

static Entry RealEntry(const qvLoewnerData* data, const Work* work, int block, int n)
{
    int a = block / 2, b = block % 2;
    return a != b ? Across(data->lambda, work->c[0][n], work->c[1][n])
                  : Within(data->lambda[a], work->c[a][n], work->dc[a][n]);
}

// For u = r + i q: u^T M u = r^T M r - q^T M q + 2i r^T M q, u^T M conj(u) = r^T M r + q^T M q.
static Entry PairEntry(const qvLoewnerData* data, const Work* work, int block, int n)
{
    double complex c = work->c[0][n] + I * work->c[1][n], dc = work->dc[0][n] + I * work->dc[1][n];
    Entry own = Within(data->lambda[0], c, dc), cross = Across(data->lambda, c, conj(c));
    if (block == 1 || block == 2)
        return (Entry){ 0.5 * cimag(own.mass), 0.5 * cimag(own.stiff) };
    double sign = block == 0 ? 1.0 : -1.0;
    return (Entry){ 0.5 * (creal(cross.mass) + sign * creal(own.mass)),
                    0.5 * (creal(cross.stiff) + sign * creal(own.stiff)) };
}

static void FillPair(const qvLoewnerData* data, Work* work)
{
    size_t m = (size_t)data->loads, size = (size_t)work->size;
    bool isPair = cimag(data->lambda[0]) != 0.0;
    for (int a = 0; a < 2; a++)
    {
        Project(data, data->u[a], work->c[a]);
        Project(data, data->slope[a], work->dc[a]);
    }
    for (size_t n = 0; n < m * m; n++)
    {
        for (size_t block = 0; block < 4; block++)
        {
            size_t at = (block % 2 * m + n / m) * size + block / 2 * m + n % m;
            Entry entry = (isPair ? PairEntry : RealEntry)(data, work, (int)block, (int)n);
            work->mass[at] = creal(entry.mass);
            work->stiff[at] = creal(entry.stiff) + data->metric * work->mass[at];
        }
    }
}

static void ScaleToUnit(Work* work, bool scaled)
{
    size_t size = (size_t)work->size;
    for (size_t i = 0; i < size; i++)
    {
        double diagonal = work->stiff[i * (size + 1)];
        work->scale[i] = scaled && diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    for (size_t i = 0; i < size * size; i++)
    {
        double both = work->scale[i / size] * work->scale[i % size];
        work->mass[i] *= both;
        work->stiff[i] *= both;
    }
}

// modes = [U_1 U_2] y / sqrt(theta), y = scale basis z; z are the columns of work->product, largest theta last.
static void MakeModes(const qvLoewnerData* data, const Work* work, int kept, int count, const double* theta,
                      double* coefficients, double* modes)
{
    int size = work->size, m = data->loads;
    qvBlas_Multiply(false, false, size, kept, kept, 1.0, work->basis, size, work->product, kept, 0.0, coefficients,
                    size);
    for (int n = 0; n < count; n++)
    {
        double* y = coefficients + (size_t)(kept - 1 - n) * (size_t)size;
        for (int i = 0; i < size; i++)
            y[i] *= work->scale[i] / sqrt(theta[kept - 1 - n]);
        for (int a = 0; a < 2; a++)
            qvBlas_Multiply(false, false, data->rows, 1, m, 1.0, data->u[a], data->rows, y + a * m, m,
                            a, // beta 0, then 1
                            modes + (size_t)n * (size_t)data->rows, data->rows);
    }
    qvFixSigns(data->rows, count, modes, data->rows);
}

static qvResult Solve(const qvLoewnerData* data, Work* work, int* count, double* omega, double* modes, qvError* error)
{
    int size = work->size;
    qvResult result = qvDense_Eigen(size, work->stiff, size, work->values, work->stiff, error);
    if (result != qv_ok)
        return result;
    // An orthonormal basis in the metric K + metric M of what stands out of the noise.
    int kept = 0;
    for (int n = 0; n < size; n++)
    {
        if (!(work->values[n] > data->cut * work->values[size - 1]))
            continue;
        for (int i = 0; i < size; i++)
            work->basis[(size_t)kept * (size_t)size + (size_t)i] =
                work->stiff[(size_t)n * (size_t)size + (size_t)i] / sqrt(work->values[n]);
        kept++;
    }
    if (kept == 0)
        return qvError_Set(error, qv_notConverged, "no mode was found; check the shape of the body");
    double *half = work->stiff, *reduced = work->product;
    qvBlas_Multiply(false, false, size, kept, size, 1.0, work->mass, size, work->basis, size, 0.0, half, size);
    qvBlas_Multiply(true, false, kept, kept, size, 1.0, work->basis, size, half, size, 0.0, reduced, kept);
    result = qvDense_Eigen(kept, reduced, kept, work->values, reduced, error);
    if (result != qv_ok)
        return result;
    *count = 0;
    for (int n = kept - 1; n >= 0 && work->values[n] > 0.0; n--)
    {
        double square = 1.0 / work->values[n] - data->metric;
        if (!(square > 0.0))
            return qvError_Set(error, qv_notConverged,
                               "the body is too coarse where it is thin, or its mesh too distorted; raise its detail");
        omega[(*count)++] = sqrt(square);
    }
    if (modes != NULL)
        MakeModes(data, work, kept, *count, work->values, half, modes);
    return qv_ok;
}

qvResult qvLoewnerModes(const qvLoewnerData* data, int* count, double* omega, double* modes, qvError* error)
{
    Work work = { 0 };
    *count = 0;
    qvResult result = MakeWork(data->loads, &work, error);
    if (result != qv_ok)
        return result;
    FillPair(data, &work);
    ScaleToUnit(&work, data->scaled);
    result = Solve(data, &work, count, omega, modes, error);
    FreeWork(&work);
    return result;
}
