// SPDX-License-Identifier: GPL-3.0-or-later
// States: made, saved, loaded, asked.
#include "phyxel/engine.h"

#include "base/memory.h"
#include "phyxel/engine_state.h"
#include "phyxel/material.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The saved numbers: 4 single ones, then per phyxel reference, home (3 each), y, v (4 each), metric (8).
enum
{
    SINGLE_NUMBERS = 4,
    NUMBERS_PER_PHYXEL = 3 + 3 + 4 + 4 + 8
};

static bool Allocate(qvPhyxelState* s)
{
    size_t n = (size_t)s->count;
    s->numberCount = SINGLE_NUMBERS + n * NUMBERS_PER_PHYXEL;
    s->numbers = qvAllocate(s->numberCount, sizeof(double));
    s->gradients = qvAllocate(n, sizeof(*s->gradients));
    s->columns = qvAllocate(n, sizeof(*s->columns));
    s->coefficients = qvAllocate(n, sizeof(double));
    s->shares = qvAllocate(n, sizeof(*s->shares));
    s->sums = qvAllocate(n, sizeof(*s->sums));
    s->guide = qvAllocate(n, sizeof(*s->guide));
    s->heldSince = qvAllocate(n, sizeof(double));
    s->densities = qvAllocate(n, 2 * sizeof(double));
    s->touchingPoints = qvAllocate(n, 2 * sizeof(qvVec3));
    if (s->numbers == NULL || s->gradients == NULL || s->columns == NULL || s->coefficients == NULL ||
        s->shares == NULL || s->sums == NULL || s->guide == NULL || s->heldSince == NULL || s->densities == NULL ||
        s->touchingPoints == NULL)
        return false;
    double* next = s->numbers + SINGLE_NUMBERS;
    s->clock = s->numbers;
    s->moved = s->numbers + 1;
    s->wasLiquid = s->numbers + 2;
    s->isMerged = s->numbers + 3;
    s->points = (qvVec3*)next;
    s->home = s->points + n;
    s->y = (double(*)[4])(next + 6 * n);
    s->v = s->y + n;
    s->metric = (double(*)[8])(s->v + n);
    s->pressures = s->densities + n;
    return true;
}

static void Start(qvPhyxelState* s, const qvVec3* points, const qvVec3* velocities)
{
    const qvPhyxelBody* body = s->body;
    s->reference = &body->reference;
    for (int i = 0; i < s->count; i++)
    {
        const qvVec3* x = points != NULL ? &points[i] : &body->points[i];
        s->points[i] = s->home[i] = body->points[i];
        memcpy(s->y[i], (double[4]){ x->x, x->y, x->z }, sizeof(*s->y));
        if (velocities != NULL)
            memcpy(s->v[i], (double[4]){ velocities[i].x, velocities[i].y, velocities[i].z }, sizeof(*s->v));
        memcpy(s->metric[i], (double[8]){ 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0 }, sizeof(*s->metric));
    }
}

qvResult qvCreatePhyxelState(const qvPhyxelBody* body, const qvVec3* points, const qvVec3* velocities,
                             qvPhyxelState** state, qvError* error)
{
    *state = NULL;
    qvPhyxelState* s = qvAllocate(1, sizeof(*s));
    if (s == NULL)
        return qvError_OutOfMemory(error, sizeof(*s));
    s->body = body;
    s->count = body->count;
    s->kernel = qvGetPhyxelKernelD();
    if (!Allocate(s))
    {
        qvDestroyPhyxelState(s);
        return qvError_OutOfMemory(error, 700.0 * body->count);
    }
    Start(s, points, velocities);
    *state = s;
    return qv_ok;
}

void qvDestroyPhyxelState(qvPhyxelState* state)
{
    if (state == NULL)
        return;
    qvPhyxelReference_Free(&state->own);
    qvNearLists_Free(&state->touching);
    free(state->numbers);
    free(state->gradients);
    free(state->columns);
    free(state->coefficients);
    free(state->shares);
    free(state->sums);
    free(state->guide);
    free(state->heldSince);
    free(state->densities);
    free(state->slopes);
    free(state->touchingPoints);
    free(state->partSums);
    qvDestroyImplicitRoom(state->implicit);
    free(state->places);
    free(state);
}

// --- The reference ---------------------------------------------------------------------------------------------------

qvResult qvPhyxelState_Restore(qvPhyxelState* state, qvError* error)
{
    state->touchingRadius = 0.0;
    state->longestStep = 0.0;
    state->reference = &state->body->reference;
    if (*state->moved == 0.0)
        return qv_ok;
    qvResult result =
        qvPhyxelReference_Build(&state->own, state->count, state->points, *state->isMerged != 0.0 ? NULL : state->home,
                                state->body->radius, state->body->volumes, error);
    if (result == qv_ok)
        state->reference = &state->own;
    return result;
}

qvResult qvPhyxelState_MoveReference(qvPhyxelState* state, bool mayMerge, qvError* error)
{
    for (int i = 0; i < state->count; i++)
    {
        state->points[i] = qvMakeVec3(state->y[i][0], state->y[i][1], state->y[i][2]);
        if (mayMerge)
            state->home[i] = state->points[i];
    }
    *state->moved += 1.0;
    *state->isMerged = mayMerge ? 1.0 : 0.0;
    state->counts.rereferences++;
    return qvPhyxelState_Restore(state, error);
}

qvResult qvPhyxelState_KeepShape(qvPhyxelState* state, qvError* error)
{
    for (int i = 0; i < state->count; i++)
        memcpy(state->metric[i], (double[8]){ 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0 }, sizeof(*state->metric));
    return qvPhyxelState_MoveReference(state, false, error);
}

// --- Saving ----------------------------------------------------------------------------------------------------------

size_t qvPhyxelState_NumberCount(const qvPhyxelState* state)
{
    return state->numberCount;
}

void qvPhyxelState_Save(const qvPhyxelState* state, double* numbers)
{
    memcpy(numbers, state->numbers, state->numberCount * sizeof(double));
}

void qvPhyxelNumbers_SetTime(double* numbers, double time)
{
    numbers[0] = time;
}

qvResult qvPhyxelState_Load(qvPhyxelState* state, const double* numbers, qvError* error)
{
    memcpy(state->numbers, numbers, state->numberCount * sizeof(double));
    state->counts = (qvPhyxelCounts){ 0 };
    return qvPhyxelState_Restore(state, error);
}

// --- Asking ----------------------------------------------------------------------------------------------------------

double qvPhyxelState_Time(const qvPhyxelState* state)
{
    return *state->clock;
}

qvPhyxelCounts qvPhyxelState_Counts(const qvPhyxelState* state)
{
    return state->counts;
}

void qvPhyxelState_Points(const qvPhyxelState* state, qvVec3* points)
{
    for (int i = 0; i < state->count; i++)
        points[i] = qvMakeVec3(state->y[i][0], state->y[i][1], state->y[i][2]);
}

void qvPhyxelState_Velocities(const qvPhyxelState* state, qvVec3* velocities)
{
    for (int i = 0; i < state->count; i++)
        velocities[i] = qvMakeVec3(state->v[i][0], state->v[i][1], state->v[i][2]);
}

const qvVec3* qvPhyxelState_Reference(const qvPhyxelState* state)
{
    return state->points;
}

int qvPhyxelState_ReferenceNumber(const qvPhyxelState* state)
{
    return (int)*state->moved;
}

static void ComputeGradients(const qvPhyxelState* state)
{
    qvPhyxelListsD lists = qvPhyxelReference_Lists(state->reference);
    state->kernel->gradients(&lists, 0, state->count, (const double(*)[4])state->y, state->gradients);
}

static qvMat3 GradientOf(const qvPhyxelState* state, int i)
{
    qvMat3 j;
    for (int k = 0; k < 9; k++)
        j.m[k / 3][k % 3] = state->gradients[i][k % 3][k / 3];
    return j;
}

void qvPhyxelState_Deformation(const qvPhyxelState* state, qvMat3* gradients)
{
    ComputeGradients(state);
    for (int i = 0; i < state->count; i++)
        gradients[i] = GradientOf(state, i);
}

void qvPhyxelState_Flowed(const qvPhyxelState* state, double* strains)
{
    for (int i = 0; i < state->count; i++)
        strains[i] = state->metric[i][7];
}

double qvPhyxelState_Energy(const qvPhyxelState* state, const qvPhyxelMatter* matter)
{
    const qvPhyxelReference* r = state->reference;
    qvPhyxelMaterial material = {
        .law = qv_phyxelSnh, .young = matter->young, .lambda = matter->lambda, .mu = matter->mu
    };
    double energy = 0.0;
    ComputeGradients(state);
    for (int i = 0; i < state->count; i++)
    {
        const double* g = state->metric[i];
        qvMat3 j = GradientOf(state, i),
               metric = { { { g[0], g[1], g[2] }, { g[1], g[3], g[4] }, { g[2], g[4], g[5] } } };
        double fit = 0.0;
        for (int n = r->near.start[i]; n < r->near.start[i + 1]; n++)
        {
            const double *a = state->y[i], *b = state->y[r->near.index[n]], *pair = r->pair[n];
            qvVec3 x = qvScale(1.0 / pair[3], qvMakeVec3(pair[0], pair[1], pair[2]));
            qvVec3 e = qvSub(qvMakeVec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]), qvMat3_Apply(&j, x));
            fit += pair[3] * qvDot(e, e);
        }
        energy += state->body->volumes[i] * qvPhyxelMaterial_Energy(&material, &j, &metric);
        energy += 0.5 * qv_phyxelFit * matter->young * r->fitShare[i] * fit;
    }
    return energy;
}
