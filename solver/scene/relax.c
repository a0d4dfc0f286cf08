// SPDX-License-Identifier: GPL-3.0-or-later
// Relaxing a pose by its shell energy E (Grinspun et al., "Discrete Shells", 2003): the flow M x' = -dE/dx, in implicit
// steps of 1 / k, each one Newton step of E(x) + k/2 |x - x_n|^2_M with the positive matrix that the shell has about x,
// halved until it goes down. The step in which the energy falls below what is wanted is taken in part.
#include "quaver/relax.h"

#include "base/memory.h"
#include "quaver/modal.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_STEPS = 40,
    MAX_HALVINGS = 12,
    BISECTIONS = 24,
};

static const double FIRST_DROP = 0.2; // of the energy, in the first step, as far as its slope can tell
static const double LEAST_DROP = 1e-4;
static const double LARGER = 2.0; // each step than the one before

typedef struct Relaxing
{
    const qvJob* job;
    qvShellMaterial material;
    qvShell* shell;
    qvSparsePattern* pattern;
    qvSymbolic* symbolic;
    qvFactor* factor;
    int size;       // 3 x points
    double* masses; // [size]
    double* values; // of the matrix
    double *state, *next, *slope, *step;
    const uint8_t* held;
} Relaxing;

static void Free(Relaxing* r)
{
    qvDestroyFactor(r->factor);
    qvDestroySymbolic(r->symbolic);
    qvDestroySparsePattern(r->pattern);
    qvDestroyShell(r->shell);
    free(r->masses);
    free(r->values);
    free(r->state);
}

static double EnergyOf(const Relaxing* r, const double* state)
{
    return qvShell_Energy(r->shell, &r->material, state, qvJob_Pool(r->job)).total;
}

static qvResult MakeSymbolic(Relaxing* r, qvError* error)
{
    int32_t* fixed = qvAllocateRaw((size_t)r->size, sizeof(*fixed));
    int count = 0;
    if (fixed == NULL)
        return qvError_OutOfMemory(error, 4.0 * r->size);
    for (int i = 0; r->held != NULL && i < r->size; i++)
    {
        if (r->held[i / 3] != 0)
            fixed[count++] = i;
    }
    qvResult result = qvCreateSymbolic(r->pattern, fixed, count, r->job, &r->symbolic, error);
    free(fixed);
    return result == qv_ok ? qvCreateFactor(r->symbolic, &r->factor, error) : result;
}

static qvResult Make(Relaxing* r, const qvBody* body, double scale, qvError* error)
{
    int n = body->mesh->pointCount;
    r->size = 3 * n;
    r->state = qvAllocate((size_t)r->size, 4 * sizeof(double));
    r->masses = qvAllocateRaw((size_t)r->size, sizeof(double));
    if (r->state == NULL || r->masses == NULL)
        return qvError_OutOfMemory(error, 40.0 * r->size);
    r->next = r->state + r->size, r->slope = r->next + r->size, r->step = r->slope + r->size;
    for (int i = 0; i < n; i++)
    {
        r->state[3 * i] = scale * (double)body->rest[i].x;
        r->state[3 * i + 1] = scale * (double)body->rest[i].y;
        r->state[3 * i + 2] = scale * (double)body->rest[i].z;
    }
    qvResult result = qvCreateShell(body->topology, r->state, r->job, &r->shell, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < r->size; i++)
        r->masses[i] = qvShell_Masses(r->shell)[i / 3];
    qvShellPattern pattern = qvShell_Pattern(r->shell);
    result = qvWrapSparsePattern(pattern.size, pattern.columnStart, pattern.rows, &r->pattern, error);
    r->values = qvAllocateRaw((size_t)pattern.entryCount, sizeof(double));
    if (result == qv_ok && r->values == NULL)
        result = qvError_OutOfMemory(error, 8.0 * pattern.entryCount);
    return result == qv_ok ? MakeSymbolic(r, error) : result;
}

// slope = dE/dx where points are free.
static void FindSlope(Relaxing* r)
{
    qvShell_Gradient(r->shell, &r->material, r->state, qvJob_Pool(r->job), r->slope);
    for (int i = 0; r->held != NULL && i < r->size; i++)
        r->slope[i] = r->held[i / 3] != 0 ? 0.0 : r->slope[i];
}

static void Move(const Relaxing* r, double part)
{
    for (int i = 0; i < r->size; i++)
        r->next[i] = r->state[i] - part * r->step[i];
}

// How much of the step is taken: as much as goes down, and no further than to the energy that is wanted.
static double FindPart(const Relaxing* r, double energy, double wanted)
{
    double part = 1.0;
    int halvings = 0;
    for (Move(r, part); !(EnergyOf(r, r->next) < energy); Move(r, part))
    {
        part *= 0.5;
        if (++halvings == MAX_HALVINGS)
            return 0.0;
    }
    double low = 0.0, high = part;
    if (EnergyOf(r, r->next) >= wanted)
        return part;
    for (int i = 0; i < BISECTIONS; i++)
    {
        double middle = 0.5 * (low + high);
        Move(r, middle);
        if (EnergyOf(r, r->next) < wanted)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static qvResult Step(Relaxing* r, double k, double energy, double wanted, double* left, qvError* error)
{
    FindSlope(r);
    qvShell_RestHessian(r->shell, &r->material, r->state, qvJob_Pool(r->job), r->values);
    const qvSparse matrix = { r->pattern, r->values };
    qvResult result = qvFactor_Compute(r->factor, &matrix, r->masses, k, r->job, error);
    if (result == qv_ok)
        result = qvFactor_Solve(r->factor, r->slope, 1, r->step, r->job, error);
    if (result != qv_ok)
        return result;
    double part = FindPart(r, energy, wanted);
    Move(r, part);
    if (part > 0.0)
        memcpy(r->state, r->next, (size_t)r->size * sizeof(double));
    *left = part > 0.0 ? EnergyOf(r, r->state) : energy;
    return qv_ok;
}

// The k with which the slope promises the first drop.
static double FirstRate(Relaxing* r, double energy)
{
    double power = 0.0;
    FindSlope(r);
    for (int i = 0; i < r->size; i++)
        power += r->slope[i] * r->slope[i] / r->masses[i];
    return power / (FIRST_DROP * energy);
}

static qvResult Run(Relaxing* r, double share, qvRelaxReport* report, qvError* error)
{
    double energy = EnergyOf(r, r->state), wanted = (1.0 - share) * energy;
    *report = (qvRelaxReport){ .before = energy, .after = energy };
    double k = energy > 0.0 ? FirstRate(r, energy) : 0.0;
    qvResult result = qv_ok;
    bool goesOn = k > 0.0 && isfinite(k) && share > 0.0;
    while (result == qv_ok && goesOn && report->steps < MAX_STEPS)
    {
        double left = energy;
        result = qvJob_Progress(r->job, "relaxing", (double)report->steps / MAX_STEPS, error);
        if (result == qv_ok)
            result = Step(r, k, energy, wanted, &left, error);
        goesOn = left > wanted * (1.0 + 1e-6) && left < (1.0 - LEAST_DROP) * energy;
        energy = left;
        k /= LARGER;
        report->steps++;
    }
    report->after = energy;
    return result;
}

qvResult qvRelaxPose(const qvBody* body, const qvRelaxDef* def, const qvJob* job, qvVec3f* points,
                     qvRelaxReport* report, qvError* error)
{
    int n = body->mesh->pointCount;
    *report = (qvRelaxReport){ 0 };
    if (!(def->share >= 0.0 && def->share <= 1.0))
        return qvError_Set(error, qv_badInput, "share: %g must be in 0 to 1", def->share);
    if (n == 0 || !(body->diagonal > 0.0))
        return qv_ok;
    double scale = 10.0 / body->diagonal, stretch = def->stretch > 0.0 ? def->stretch : 1.0;
    Relaxing relaxing = { .job = job,
                          .material = { stretch, stretch, def->bend > 0.0 ? def->bend : 1.0 },
                          .held = def->held };
    qvResult result = Make(&relaxing, body, scale, error);
    for (int i = 0; result == qv_ok && i < n; i++)
    {
        relaxing.state[3 * i] = scale * (double)points[i].x;
        relaxing.state[3 * i + 1] = scale * (double)points[i].y;
        relaxing.state[3 * i + 2] = scale * (double)points[i].z;
    }
    if (result == qv_ok)
        result = Run(&relaxing, def->share, report, error);
    for (int i = 0; result == qv_ok && i < n; i++)
    {
        const double* at = relaxing.state + 3 * (size_t)i;
        qvVec3f moved = qvVec3_ToFloat(qvScale(1.0 / scale, qvMakeVec3(at[0], at[1], at[2])));
        points[i] = def->held != NULL && def->held[i] != 0 ? points[i] : moved;
    }
    Free(&relaxing);
    return result;
}
