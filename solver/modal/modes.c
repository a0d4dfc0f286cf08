// SPDX-License-Identifier: GPL-3.0-or-later
// Lowest vibration modes by shift and invert: K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier, "Interactive
// spacetime control of deformable objects" (2012), section 5: K phi_i = lambda_i M phi_i.
//
// A shift is found that makes K + shift M positive definite and suits the wanted eigenvalues; one of the solvers of
// eigen.h finds an orthonormal basis of the wanted space; a last Rayleigh-Ritz step with K itself gives eigenvalues
// that do not suffer from the solves' rounding.
#include "quaver/modal.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/dense_eigen.h"
#include "modal/eigen.h"
#include "modal/factor.h"
#include "modal/tall.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DENSE_SIZE = 300, // below it LAPACK is as fast
    PROBE_STEPS = 2,
    MAX_PROBES = 4,
    MAX_PROBED_PARTS = 10
};

qvModesDef qvDefaultModesDef(void)
{
    return (qvModesDef){ .count = 20, .tolerance = 1e-8, .maxSteps = 500 };
}

void qvDestroyModes(qvModes* modes)
{
    if (modes == NULL)
        return;
    free(modes->values);
    free(modes->vectors);
    free(modes);
}

typedef struct Search
{
    const qvModesDef* def;
    qvFactor* factor;
    const qvJob* job;
    qvSparse matrix;  // K'
    int n, partCount; // free degrees of freedom, parts
    int count;        // modes to find
    double norm;      // of K'
    double typical;   // eigenvalue of K'
    double* y;        // [n x count] eigenvectors of K'
    qvModes* modes;
} Search;

// --- The shift ------------------------------------------------------------------------------------------------------

// The geometric mean of the diagonal of K': unlike the mean it hardly sees the few points of next to no mass that
// degenerate triangles leave, whose entries are huge. 0 without any stiffness.
static double TypicalEigenvalue(const Search* search)
{
    const qvSparsePattern* pattern = search->matrix.pattern;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < search->n; i++)
    {
        double value = fabs(search->matrix.values[pattern->columnStart[i]]);
        sum += value > 0.0 ? log(value) : 0.0;
        count += value > 0.0;
    }
    return count > 0 ? exp(sum / count) : 0.0;
}

// A small fraction of the typical eigenvalue: on shells of n unknowns the lowest elastic eigenvalues lie about there.
static double GuessShift(const Search* search)
{
    double shift = search->typical * fmin(1e-4, 30.0 * pow(search->n, -1.7));
    return shift > 0.0 ? shift : 1.0;
}

// Factorizes with the report's shift, raised as often as needed to be positive definite.
static qvResult FactorizeRaising(Search* search, qvError* error)
{
    qvModesReport* report = &search->modes->report;
    for (;;)
    {
        qvResult result = qvFactor_Shift(search->factor, report->shift, search->job, error);
        report->factorizations++;
        // Beyond the norm of K' nothing is left to raise.
        if (result != qv_notConverged || report->shift > 4.0 * search->norm)
            return result;
        report->shift *= 16.0;
    }
}

// Rayleigh-Ritz of K' in the space of orthonormal columns y: values ascending, y turned to the Ritz vectors. ky [n x
// count] receives K' y.
static qvResult RayleighRitz(const Search* search, double* y, int count, double* values, double* ky, qvError* error)
{
    int n = search->n;
    const qvJob* job = search->job;
    size_t square = (size_t)count * (size_t)count;
    double* small = qvAllocateRaw(square, sizeof(*small));
    if (small == NULL)
        return qvError_OutOfMemory(error, (double)square * sizeof(*small));
    qvResult result = qvSparse_Multiply(&search->matrix, y, count, ky, job, error);
    if (result == qv_ok)
        result = qvTall_Dot(n, count, count, y, ky, small, count, job, error);
    if (result == qv_ok)
        result = qvDense_Eigen(count, small, count, values, small, error);
    if (result == qv_ok)
        result = qvTall_Turn(n, count, y, small, count, job, error);
    if (result == qv_ok)
        result = qvTall_Turn(n, count, ky, small, count, job, error);
    free(small);
    return result;
}

// The first eigenvalue beyond the six zero modes that each part may have, estimated from above by subspace iteration;
// negative when the lowest eigenvalue is.
static qvResult ProbeSpectrum(Search* search, double* scale, qvError* error)
{
    int n = search->n, columns = 6 * search->partCount + 4;
    size_t items = (size_t)n * (size_t)columns;
    double *y = qvAllocateRaw(items, sizeof(*y)), *ky = qvAllocateRaw(items, sizeof(*ky));
    double* values = qvAllocate((size_t)columns * (size_t)(columns + 1), sizeof(*values));
    qvResult result = qv_ok;
    if (y == NULL || ky == NULL || values == NULL)
        result = qvError_OutOfMemory(error, 2.0 * (double)items * sizeof(*y));
    else
        qvFillRandom(y, items, 7);
    for (int i = 0; result == qv_ok && i < PROBE_STEPS; i++)
    {
        result = qvFactor_SolveFree(search->factor, y, columns, y, search->job, error);
        search->modes->report.solves += columns;
        if (result == qv_ok)
            result = qvTall_QR(n, columns, y, values, search->job, error);
    }
    if (result == qv_ok)
        result = RayleighRitz(search, y, columns, values, ky, error);
    if (result == qv_ok)
        *scale = values[0] < -1e-13 * search->typical ? values[0] : values[6 * search->partCount];
    free(y);
    free(ky);
    free(values);
    return result;
}

// A shift far above the wanted eigenvalues makes them look alike, one far below lets the zero modes drown the rest.
static qvResult FindShift(Search* search, qvError* error)
{
    qvModesReport* report = &search->modes->report;
    double guess = GuessShift(search), estimate = search->def->shift;
    // An estimate that is far off was made for another body or another state of it.
    bool isKnown = estimate > 1e-4 * guess && estimate < 1e4 * guess;
    double wanted = report->shift = isKnown ? estimate : guess;
    qvResult result = FactorizeRaising(search, error);
    // A body of many parts is taken as the first guess has it.
    int probes = isKnown || search->partCount > MAX_PROBED_PARTS ? 0 : MAX_PROBES;
    for (int i = 0; result == qv_ok && i < probes; i++)
    {
        double scale = 0.0;
        result = ProbeSpectrum(search, &scale, error);
        // What had to be raised was raised because of negative eigenvalues and stays.
        bool isGood = report->shift > 1e-3 * scale && report->shift < 10.0 * scale;
        if (result != qv_ok || scale <= 1e-13 * search->typical || report->shift > wanted || isGood)
            break;
        wanted = report->shift = 0.3 * scale;
        result = FactorizeRaising(search, error);
    }
    return result;
}

// --- Solvers --------------------------------------------------------------------------------------------------------

static qvResult SolveDense(Search* search, qvError* error)
{
    const qvSparsePattern* pattern = search->matrix.pattern;
    size_t n = (size_t)search->n;
    double* full = qvAllocate(n * n, sizeof(*full));
    double* values = qvAllocate(n, sizeof(*values));
    qvResult result = qv_ok;
    if (full == NULL || values == NULL)
        result = qvError_OutOfMemory(error, (double)n * (double)n * sizeof(*full));
    for (size_t j = 0; result == qv_ok && j < n; j++)
    {
        for (int32_t k = pattern->columnStart[j]; k < pattern->columnStart[j + 1]; k++)
            full[j * n + (size_t)pattern->row[k]] = search->matrix.values[k];
    }
    if (result == qv_ok)
        result = qvDense_Eigen(search->n, full, search->n, values, full, error);
    if (result == qv_ok)
        memcpy(search->y, full, n * (size_t)search->count * sizeof(double));
    free(full);
    free(values);
    return result;
}

static qvResult SolveSparse(Search* search, qvModesMethod method, qvError* error)
{
    qvModesReport* report = &search->modes->report;
    qvEigenProblem problem = { .factor = search->factor,
                               .n = search->n,
                               .count = search->count,
                               .partCount = search->partCount,
                               .tolerance = search->def->tolerance,
                               .maxSteps = search->def->maxSteps,
                               .job = search->job };
    qvEigenResult found = { .vectors = search->y };
    qvResult result = method == qv_modesArpack ? qvSolveEigenArpack(&problem, &found, error)
                                               : qvSolveEigenBlock(&problem, &found, error);
    report->method = method;
    report->steps += found.steps;
    report->solves += found.solves;
    report->residual = found.residual;
    return result;
}

static bool IsDense(const Search* search)
{
    switch (search->def->method)
    {
    case qv_modesDense:
        return true;
    case qv_modesArpack:
        return search->count >= search->n;
    case qv_modesBlock:
        return search->n < qvEigenBlock_Smallest(search->count);
    default:
        return search->n < DENSE_SIZE || search->n < qvEigenBlock_Smallest(search->count) ||
               search->n / 3 < search->count;
    }
}

static qvResult Solve(Search* search, qvError* error)
{
    if (IsDense(search))
    {
        search->modes->report.method = qv_modesDense;
        return SolveDense(search, error);
    }
    qvResult result = FindShift(search, error);
    if (result != qv_ok)
        return result;
    qvModesMethod method = search->def->method;
    result = SolveSparse(search, method == qv_modesAuto ? qv_modesBlock : method, error);
    if (result == qv_notConverged && method == qv_modesAuto)
    {
        qvJob_Log(search->job, qv_logInfo, "block method: %s; trying ARPACK", error != NULL ? error->message : "");
        result = SolveSparse(search, qv_modesArpack, error);
    }
    return result;
}

// --- Result ---------------------------------------------------------------------------------------------------------

// Whether y^T K' y = value is zero to rounding, which is that of the sum of |K'_ij| |y_i| |y_j|. A bound from the norm
// of K' alone would take every mode for zero where few points have next to no mass.
static bool IsZero(const Search* search, double value, const double* y)
{
    double level = 64.0 * DBL_EPSILON;
    if (fabs(value) > level * search->norm)
        return false;
    const qvSparsePattern* pattern = search->matrix.pattern;
    double sum = 0.0;
    for (int j = 0; j < search->n; j++)
    {
        double column = 0.0;
        for (int32_t k = pattern->columnStart[j] + 1; k < pattern->columnStart[j + 1]; k++)
            column += 2.0 * fabs(search->matrix.values[k] * y[pattern->row[k]]);
        sum += (column + fabs(search->matrix.values[pattern->columnStart[j]] * y[j])) * fabs(y[j]);
    }
    return fabs(value) <= level * sum;
}

static qvResult Finish(Search* search, qvError* error)
{
    int n = search->n, count = search->count;
    qvModes* modes = search->modes;
    double* ky = qvAllocateRaw((size_t)n * (size_t)count, sizeof(*ky));
    if (ky == NULL)
        return qvError_OutOfMemory(error, (double)n * count * sizeof(*ky));
    qvResult result = qvJob_Progress(search->job, "modes", 1.0, error);
    if (result == qv_ok)
        result = RayleighRitz(search, search->y, count, modes->values, ky, error);
    for (int k = 0; result == qv_ok && k < count; k++)
    {
        double* rest = ky + (size_t)k * (size_t)n;
        qvBlas_AddScaled(n, -modes->values[k], search->y + (size_t)k * (size_t)n, rest);
        double backward = search->norm > 0.0 ? qvBlas_Norm(n, rest) / search->norm : 0.0;
        modes->report.backwardError = fmax(modes->report.backwardError, backward);
        modes->zeroCount += IsZero(search, modes->values[k], search->y + (size_t)k * (size_t)n);
        result = qvJob_Ask(search->job, error);
    }
    free(ky);
    modes->vectors = qvAllocateRaw((size_t)modes->size * (size_t)count, sizeof(double));
    if (modes->vectors == NULL)
        result = qvError_OutOfMemory(error, (double)modes->size * count * sizeof(double));
    for (int k = 0; result == qv_ok && k < count; k++)
    {
        double* vector = modes->vectors + (size_t)k * (size_t)modes->size;
        qvFactor_Expand(search->factor, search->y + (size_t)k * (size_t)n, 1, vector);
        qvFixSigns(modes->size, 1, vector, modes->size);
        result = qvJob_Ask(search->job, error);
    }
    return result == qv_ok ? qvJob_Progress(search->job, "modes", 1.0, error) : result;
}

static qvResult Run(Search* search, qvError* error)
{
    qvModes* modes = search->modes;
    qvResult result = qvFactor_Load(search->factor, &search->def->matrix, search->def->mass, error);
    if (result != qv_ok)
        return result;
    result = qvJob_Ask(search->job, error);
    if (result != qv_ok)
        return result;
    search->matrix = qvFactor_Scaled(search->factor);
    search->norm = qvSparse_Norm(&search->matrix);
    search->typical = TypicalEigenvalue(search);
    size_t count = (size_t)search->count;
    modes->values = qvAllocate(count, sizeof(double));
    search->y = qvAllocate((size_t)search->n * count, sizeof(double));
    if (modes->values == NULL || search->y == NULL)
        return qvError_OutOfMemory(error, (double)search->n * (double)count * sizeof(double));
    if (count == 0)
        return qv_ok;
    result = qvJob_Progress(search->job, "modes", 0.0, error);
    if (result == qv_ok)
        result = Solve(search, error);
    return result == qv_ok ? Finish(search, error) : result;
}

qvResult qvComputeModes(const qvModesDef* def, qvFactor* factor, const qvJob* job, qvModes** out, qvError* error)
{
    QV_ASSERT(def->count >= 0 && def->tolerance > 0.0 && def->maxSteps > 0 && def->shift >= 0.0);
    *out = NULL;
    double start = qvMilliseconds();
    qvSymbolicStats stats = qvSymbolic_Stats(qvFactor_Symbolic(factor));
    qvModes* modes = qvAllocate(1, sizeof(*modes));
    if (modes == NULL)
        return qvError_OutOfMemory(error, sizeof(*modes));
    modes->size = def->matrix.pattern->size;
    modes->count = def->count < stats.freeCount ? def->count : stats.freeCount;
    Search search = { .def = def,
                      .factor = factor,
                      .job = job,
                      .n = stats.freeCount,
                      .partCount = stats.partCount,
                      .count = modes->count,
                      .modes = modes };
    qvResult result = Run(&search, error);
    free(search.y);
    if (result != qv_ok)
    {
        qvDestroyModes(modes);
        return result;
    }
    modes->report.milliseconds = qvMilliseconds() - start;
    *out = modes;
    return qv_ok;
}
