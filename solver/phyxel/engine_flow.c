// SPDX-License-Identifier: GPL-3.0-or-later
// What flows: metrics that relax (plastic.h), the reference that follows, the velocity filter (cloud.h), pressure
// (pressure.h), and the repulsion of parts that touch.
#include "phyxel/engine_state.h"

#include "base/memory.h"
#include "phyxel/plastic.h"
#include "phyxel/pressure.h"

#include <math.h>
#include <string.h>

static const double LARGEST_STRAIN = 0.3; // |J^T J - I| beyond which the reference is moved
static const double PLASTIC_RATE = 1e3;   // 1/s at which stress above the yield goes: at once
static const double PRESSURE = 6.0;       // of the flow's squared speed
static const double FILTER = 8.33;        // of the flow's speed over the height
static const double CONTACT = 0.9;        // spacings within which parts that were far apart repel each other
static const double STABLE = 0.4;         // spacings that a wave may cross in a step
static const double FLOW_SKIN = 0.35, CONTACT_SKIN = 0.5; // spacings that lists of near pairs reach farther

static qvMat3 GradientOf(const qvPhyxelState* s, int i)
{
    qvMat3 j;
    for (int k = 0; k < 9; k++)
        j.m[k / 3][k % 3] = s->gradients[i][k % 3][k / 3];
    return j;
}

static qvMat3 MetricOf(const qvPhyxelState* s, int i)
{
    const double* g = s->metric[i];
    return (qvMat3){ { { g[0], g[1], g[2] }, { g[1], g[3], g[4] }, { g[2], g[4], g[5] } } };
}

static void SetMetric(qvPhyxelState* s, int i, const qvMat3* g)
{
    memcpy(s->metric[i],
           (double[8]){ g->m[0][0], g->m[0][1], g->m[0][2], g->m[1][1], g->m[1][2], g->m[2][2],
                        sqrt(fmax(qvMat3_Determinant(g), 0.0)), s->metric[i][7] },
           sizeof(*s->metric));
}

// --- The reference ---------------------------------------------------------------------------------------------------

// Where neighbours do not span space, J lacks directions, and the stress that it would make has faded.
static double LargestStrain(const qvPhyxelState* s)
{
    double largest = 0.0;
    for (int i = 0; i < s->count; i++)
    {
        qvMat3 j = GradientOf(s, i), t = qvMat3_Transpose(&j), strain = qvMat3_Product(&t, &j);
        for (int k = 0; k < 3; k++)
            strain.m[k][k] -= 1.0;
        largest = fmax(largest, s->reference->fade[i] * qvMat3_Dot(&strain, &strain));
    }
    return sqrt(largest);
}

// G <- J G J^T, and where neighbourhoods degenerate back towards I. A phyxel that is inverted starts anew.
static qvResult FollowShape(qvPhyxelStep* step, bool forgets, qvError* error)
{
    qvPhyxelState* s = step->state;
    qvMat3 unit = qvMat3_Diagonal(1.0, 1.0, 1.0);
    for (int i = 0; i < s->count; i++)
    {
        qvMat3 j = GradientOf(s, i), g = MetricOf(s, i);
        g = qvPlastic_Rereference(qv_rereferenceMetric, &j, &g);
        bool isSound = qvMat3_Determinant(&j) > 0.0 && qvMat3_Determinant(&g) > 0.0 && !forgets;
        SetMetric(s, i, isSound ? &g : &unit);
    }
    qvResult result = qvPhyxelState_MoveReference(s, step->matter.isLiquid || forgets, error);
    for (int i = 0; result == qv_ok && i < s->count; i++)
    {
        double fade = s->reference->fade[i];
        if (fade < 1.0)
        {
            qvMat3 g = MetricOf(s, i);
            g = qvMat3_Scaled(fade, &g);
            g = qvMat3_MulAdd(&g, 1.0 - fade, &unit);
            SetMetric(s, i, &g);
        }
    }
    if (result == qv_ok)
        qvPhyxelStep_Gradients(step);
    return result;
}

static void FlowOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    double creeping = qvPlastic_Relaxed(step->matter.creep, step->dt);
    double yielding = qvPlastic_Relaxed(PLASTIC_RATE, step->dt);
    for (int i = begin; i < end; i++)
    {
        qvMat3 j = GradientOf(s, i), g = MetricOf(s, i);
        double* flowed = &s->metric[i][7];
        if (creeping > 0.0)
            *flowed += qvPlastic_FlowMetric(&j, &g, 0.0, creeping);
        if (step->matter.yield < INFINITY)
            *flowed += qvPlastic_FlowMetric(&j, &g, step->matter.yield, yielding);
        SetMetric(s, i, &g);
    }
}

qvResult qvPhyxelStep_Flow(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    bool isSetting = *s->wasLiquid != 0.0 && !step->matter.isLiquid;
    bool forgets = isSetting && step->scene->terms->forgetsStress;
    *s->wasLiquid = step->matter.isLiquid ? 1.0 : 0.0;
    if (forgets || (step->matter.flows && LargestStrain(s) > LARGEST_STRAIN))
    {
        qvResult result = FollowShape(step, forgets, error);
        if (result != qv_ok)
            return result;
    }
    if (step->matter.creep > 0.0 || step->matter.yield < INFINITY)
        qvPhyxelStep_ForAll(step, FlowOf);
    return qv_ok;
}

// --- The filter ------------------------------------------------------------------------------------------------------

static void VelocityGradientsOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    const qvPhyxelBody* body = s->body;
    double rate = FILTER * qvPhyxel_FlowSpeed(body, &step->matter) / body->height;
    s->kernel->gradients(&lists, begin, end, (const double(*)[4])s->v, s->columns);
    for (int i = begin; i < end; i++)
    {
        double sum = s->reference->weightSum[i];
        s->coefficients[i] = sum > 0.0 ? fmin(1.0, rate * step->dt) * body->masses[i] / sum : 0.0;
        for (int k = 0; k < 12; k++)
            s->columns[i][k / 4][k % 4] *= s->coefficients[i];
    }
}

static void FilteredOf(void* context, int begin, int end)
{
    qvPhyxelState* s = ((qvPhyxelStep*)context)->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    s->kernel->gather(&lists, begin, end, s->coefficients, (const double(*)[4])s->v, (const double(*)[3][4])s->columns,
                      s->sums);
}

static void AddMomentaOf(void* context, int begin, int end)
{
    qvPhyxelState* s = ((qvPhyxelStep*)context)->state;
    for (int i = begin; i < end; i++)
    {
        for (int k = 0; k < 3; k++)
            s->v[i][k] += s->sums[i][k] / s->body->masses[i];
    }
}

void qvPhyxelStep_FilterVelocities(qvPhyxelStep* step)
{
    qvPhyxelStep_ForAll(step, VelocityGradientsOf);
    qvPhyxelStep_ForAll(step, FilteredOf);
    qvPhyxelStep_ForAll(step, AddMomentaOf);
}

// --- What is near ----------------------------------------------------------------------------------------------------

// The farthest that a phyxel has moved since the pairs were found, beside what all have moved together.
static double LargestMove(const qvPhyxelState* s, const qvVec3* now)
{
    qvVec3 mean = { 0.0, 0.0, 0.0 };
    double largest = 0.0;
    for (int i = 0; i < s->count; i++)
        mean = qvAdd(mean, qvSub(now[i], s->touchingPoints[i]));
    mean = qvScale(1.0 / s->count, mean);
    for (int i = 0; i < s->count; i++)
    {
        qvVec3 d = qvSub(qvSub(now[i], s->touchingPoints[i]), mean);
        largest = fmax(largest, qvDot(d, d));
    }
    return sqrt(largest);
}

// Pairs within reach, found again only when some may have come near that were not before.
static qvResult FindNear(qvPhyxelStep* step, double reach, double skin, qvError* error)
{
    qvPhyxelState* s = step->state;
    qvVec3* now = s->touchingPoints + s->count;
    qvPhyxelState_Points(s, now);
    bool flows = step->matter.flows;
    if (s->touchingRadius == reach + skin && s->isTouchingFlow == flows && LargestMove(s, now) < 0.5 * skin)
        return qv_ok;
    memcpy(s->touchingPoints, now, (size_t)s->count * sizeof(qvVec3));
    s->touchingRadius = reach + skin;
    s->isTouchingFlow = flows;
    qvNearQuery query = { .count = s->count,
                          .points = s->touchingPoints,
                          .radius = reach + skin,
                          .homes = flows ? NULL : s->home,
                          .homeLimit = 2.0 * s->body->radius };
    qvResult result = qvNearLists_Find(&s->touching, &query, error);
    int pairs = result == qv_ok ? s->touching.start[s->count] : 0;
    if (result == qv_ok && flows && !qvReserve(&s->slopes, &s->slopeCapacity, pairs, sizeof(double)))
        result = qvError_OutOfMemory(error, 8.0 * pairs);
    return result;
}

static qvPressure PressureOf(const qvPhyxelStep* step)
{
    const qvPhyxelState* s = step->state;
    double speed = qvPhyxel_FlowSpeed(s->body, &step->matter);
    return (qvPressure){ .lists = &s->touching,
                         .points = s->touchingPoints + s->count,
                         .masses = s->body->masses,
                         .radius = s->body->radius,
                         .restDensity = s->body->restDensity,
                         .stiffness = PRESSURE * speed * speed,
                         .densities = s->densities,
                         .shares = s->pressures,
                         .slopes = s->slopes };
}

static void DensitiesOf(void* context, int begin, int end)
{
    qvPressure pressure = PressureOf(context);
    qvPressure_Densities(&pressure, begin, end);
}

static void AddForce(qvPhyxelState* s, int i, qvVec3 f)
{
    s->sums[i][0] += f.x;
    s->sums[i][1] += f.y;
    s->sums[i][2] += f.z;
}

static void AddPressureOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPressure pressure = PressureOf(step);
    for (int i = begin; i < end; i++)
        AddForce(step->state, i, qvPressure_Force(&pressure, i));
}

// (la + 2 mu) of what touches; in a long step only as much as is stable in it.
static double RepulsionOf(const qvPhyxelStep* step)
{
    const qvPhyxelBody* body = step->state->body;
    double modulus = step->matter.lambda + 2.0 * step->matter.mu, speed = STABLE * body->spacing / step->dt;
    return step->scene->isImplicit ? fmin(modulus, body->density * speed * speed) : modulus;
}

// As stiff as the material: (la + 2 mu) spacing^2 (1 - r / reach).
static void AddRepulsionOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    const qvVec3* now = s->touchingPoints + s->count;
    double reach = CONTACT * s->body->spacing;
    double strength = RepulsionOf(step) * s->body->spacing * s->body->spacing;
    for (int i = begin; i < end; i++)
    {
        for (int n = s->touching.start[i]; n < s->touching.start[i + 1]; n++)
        {
            qvVec3 d = qvSub(now[i], now[s->touching.index[n]]);
            double r = qvLength(d);
            if (r > 0.0 && r < reach)
                AddForce(s, i, qvScale(strength * (1.0 - r / reach) / r, d));
        }
    }
}

qvResult qvPhyxelStep_AddNearForces(qvPhyxelStep* step, qvError* error)
{
    double spacing = step->state->body->spacing;
    bool flows = step->matter.flows;
    qvResult result = flows ? FindNear(step, step->state->body->radius, FLOW_SKIN * spacing, error)
                            : FindNear(step, CONTACT * spacing, CONTACT_SKIN * spacing, error);
    if (result != qv_ok)
        return result;
    if (flows)
        qvPhyxelStep_ForAll(step, DensitiesOf);
    qvPhyxelStep_ForAll(step, flows ? AddPressureOf : AddRepulsionOf);
    return qv_ok;
}
