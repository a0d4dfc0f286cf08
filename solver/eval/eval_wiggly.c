// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of family C: wiggly splines ("spline") and single segments of them ("interval").
#include "eval/eval.h"

#include "quaver/wiggly.h"

#include "base/memory.h"
#include "wiggly/segment.h"
#include "wiggly/vibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_KNOTS = 100000,
    SAMPLES = 3 // per segment
};

static const double sampleAt[SAMPLES] = { 0.25, 0.5, 0.8 };

// One spline as the case describes it, and its solution. Arrays have `count` entries, in one block.
typedef struct Case
{
    int count; // knots of the case; of a periodic one the last repeats the first
    bool periodic;
    double lambda, delta, force;
    double* block;
    double* times;
    double* values;
    double* weights;
    double* given; // velocities
    double* outValues;
    double* outBefore;
    double* outAfter;
    double* accelBefore;
    double* accelAfter;
    qvWigglySide* sides;
    qvWigglySide first, last;
} Case;

static qvResult Allocate(Case* c, int count, qvError* error)
{
    size_t n = (size_t)count;
    c->count = count;
    c->block = qvAllocate(n, 9 * sizeof(double));
    c->sides = qvAllocate(n, sizeof(qvWigglySide));
    if (c->block == NULL || c->sides == NULL)
        return qvError_OutOfMemory(error, (double)n * 80.0);
    double** arrays[] = { &c->times,     &c->values,   &c->weights,     &c->given,     &c->outValues,
                          &c->outBefore, &c->outAfter, &c->accelBefore, &c->accelAfter };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        *arrays[i] = c->block + i * n;
    for (int k = 0; k < count; k++)
        c->weights[k] = INFINITY;
    return qv_ok;
}

static qvResult ReadRequired(const qvJson* in, const char* name, double* value, qvError* error)
{
    if (!qvJson_IsNumber(qvJson_Find(in, name)))
        return qvError_Set(error, qv_badInput, "in.%s: must be a number", name);
    return qvJson_ReadNumber(in, "in", name, -1e300, 1e300, value, error);
}

static qvResult ReadMaterial(const qvJson* in, Case* c, qvError* error)
{
    qvResult result = ReadRequired(in, "lambda", &c->lambda, error);
    if (result == qv_ok)
        result = ReadRequired(in, "delta", &c->delta, error);
    if (result == qv_ok)
        result = ReadRequired(in, "g", &c->force, error);
    return result;
}

// An array of count numbers in which null means free: isFree[k] is set and the number is 0.
static qvResult ReadOptional(const qvJson* in, const char* name, int count, double* values, bool* isFree,
                             qvError* error)
{
    const qvJson* array = qvJson_Find(in, name);
    if (!qvJson_IsArray(array) || qvJson_Count(array) != count)
        return qvError_Set(error, qv_badInput, "in.%s: must be a list of %d numbers or nulls", name, count);
    int k = 0;
    for (const qvJson* item = qvJson_First(array); item != NULL; item = qvJson_Next(item), k++)
    {
        if (!qvJson_IsNumber(item) && !qvJson_IsNull(item))
            return qvError_Set(error, qv_badInput, "in.%s[%d]: must be a number or null", name, k);
        isFree[k] = qvJson_IsNull(item);
        values[k] = qvJson_Number(item);
    }
    return qv_ok;
}

static qvResult ReadGeneral(const qvJson* in, Case* c, qvError* error)
{
    bool* isFree = qvAllocate((size_t)c->count, 2 * sizeof(bool));
    if (isFree == NULL)
        return qvError_OutOfMemory(error, c->count);
    bool* freeVelocity = isFree + c->count;
    qvResult result = ReadOptional(in, "values", c->count, c->values, isFree, error);
    if (result == qv_ok)
        result = ReadOptional(in, "velocities", c->count, c->given, freeVelocity, error);
    for (int k = 0; result == qv_ok && k < c->count; k++)
    {
        bool isEnd = k == 0 || k == c->count - 1;
        c->weights[k] = isFree[k] ? 0.0 : INFINITY;
        c->sides[k] = !freeVelocity[k] ? qv_sideVelocity : isEnd ? qv_sideForceFree : qv_sideSmooth;
    }
    c->first = c->sides[0];
    c->last = c->sides[c->count - 1];
    free(isFree);
    return result;
}

static qvResult ReadEndVelocities(const qvJson* in, Case* c, qvError* error)
{
    c->first = c->last = qv_sideVelocity;
    qvResult result = ReadRequired(in, "v0", &c->given[0], error);
    return result == qv_ok ? ReadRequired(in, "vm", &c->given[c->count - 1], error) : result;
}

static qvResult ReadSoft(const qvJson* in, Case* c, qvError* error)
{
    qvResult result = ReadEndVelocities(in, c, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", "soft_weights", c->count, c->weights, error);
    for (int k = 0; result == qv_ok && k < c->count; k++)
        c->weights[k] = c->weights[k] == 0.0 ? INFINITY : c->weights[k];
    return result;
}

static qvResult ReadBoundary(const qvJson* in, Case* c, qvError* error)
{
    const char* kind = qvJson_Text(qvJson_Find(in, "bc"));
    if (strcmp(kind, "general") == 0)
        return ReadGeneral(in, c, error);
    qvResult result = qvJson_ReadNumbers(in, "in", "values", c->count, c->values, error);
    if (result != qv_ok)
        return result;
    c->first = c->last = qv_sideForceFree;
    if (strcmp(kind, "natural") == 0)
        return qv_ok;
    if (strcmp(kind, "clamped") == 0)
        return ReadEndVelocities(in, c, error);
    if (strcmp(kind, "soft") == 0)
        return ReadSoft(in, c, error);
    c->periodic = strcmp(kind, "periodic") == 0;
    if (c->periodic)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "in.bc: \"%s\" is not clamped, natural, periodic, soft or general", kind);
}

static qvResult ReadCase(const qvJson* in, Case* c, qvError* error)
{
    qvResult result = ReadMaterial(in, c, error);
    if (result != qv_ok)
        return result;
    int count = qvJson_Count(qvJson_Find(in, "t"));
    if (count < 2 || count > MAX_KNOTS)
        return qvError_Set(error, qv_badInput, "in.t: must be a list of 2 to %d times", MAX_KNOTS);
    result = Allocate(c, count, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(in, "in", "t", count, c->times, error);
    return result == qv_ok ? ReadBoundary(in, c, error) : result;
}

static qvWigglyDef MakeDef(const Case* c)
{
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = c->periodic ? c->count - 1 : c->count;
    def.times = c->times;
    def.modeCount = 1;
    def.lambda = &c->lambda;
    def.delta = &c->delta;
    def.period = c->periodic ? c->times[c->count - 1] - c->times[0] : 0.0;
    def.first = c->first;
    def.last = c->last;
    def.before = def.after = c->sides;
    def.weights = c->weights;
    return def;
}

static qvWigglySolution Solution(const Case* c)
{
    return (qvWigglySolution){ c->outValues, c->outBefore, c->outAfter };
}

static qvResult SolveCase(Case* c, const qvWigglyPlan* plan, qvError* error)
{
    qvWigglyData data = { c->values, c->given, c->given, &c->force };
    qvWigglySolution solution = Solution(c);
    qvResult result = qvWigglyPlan_Solve(plan, &data, &solution, error);
    if (result != qv_ok)
        return result;
    qvWigglyPlan_KnotAccelerations(plan, &solution, &c->force, c->accelBefore, c->accelAfter);
    if (c->periodic)
    {
        double* arrays[] = { c->outValues, c->outBefore, c->outAfter, c->accelBefore, c->accelAfter };
        for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
            arrays[i][c->count - 1] = arrays[i][0];
    }
    return qv_ok;
}

static void AddKnots(qvJson* out, const Case* c)
{
    qvJson_AddNumbers(out, "knot_values", c->outValues, c->count);
    qvJson_AddNumbers(out, "knot_velocities", c->outAfter, c->count);
    qvJson* left = qvJson_AddArray(out, "knot_accel_left");
    qvJson* right = qvJson_AddArray(out, "knot_accel_right");
    qvJson_AddNull(left, NULL);
    for (int k = 1; k < c->count; k++)
    {
        qvJson_AddNumber(left, NULL, c->accelBefore[k]);
        qvJson_AddNumber(right, NULL, c->accelAfter[k - 1]);
    }
    qvJson_AddNull(right, NULL);
}

static void AddEnergies(qvJson* out, const Case* c, const qvWigglyPlan* plan)
{
    double energy, soft = 0.0;
    qvWigglySolution solution = Solution(c);
    qvWigglyPlan_Energy(plan, &solution, &c->force, &energy);
    for (int k = 0; k < c->count; k++)
    {
        double miss = c->outValues[k] - c->values[k];
        if (c->weights[k] > 0.0 && c->weights[k] < INFINITY)
            soft += c->weights[k] * miss * miss;
    }
    qvJson_AddNumber(out, "energy", energy);
    qvJson_AddNumber(out, "energy_soft", soft);
}

static void AddSamples(qvJson* out, const Case* c, const qvWigglyPlan* plan)
{
    static const char* const names[] = { "t", "w", "w1", "w2", "L" };
    qvWigglySolution solution = Solution(c);
    qvJson* lists[5];
    for (int n = 0; n < 5; n++)
        lists[n] = qvJson_AddArray(out, names[n]);
    for (int i = 0; i < (c->count - 1) * SAMPLES; i++)
    {
        int k = i / SAMPLES;
        double s[5];
        s[0] = c->times[k] + sampleAt[i % SAMPLES] * (c->times[k + 1] - c->times[k]);
        qvWigglyPlan_Evaluate(plan, &solution, &c->force, s, 1, NULL, &s[1], &s[2], &s[3]);
        s[4] = s[3] + 2.0 * c->delta * s[2] + c->lambda * s[1] + c->force;
        for (int n = 0; n < 5; n++)
            qvJson_AddNumber(lists[n], NULL, s[n]);
    }
}

static qvResult RunSpline(const qvJson* in, qvJson* out, qvError* error)
{
    Case c = { 0 };
    qvWigglyPlan* plan = NULL;
    qvResult result = ReadCase(in, &c, error);
    if (result == qv_ok)
    {
        qvWigglyDef def = MakeDef(&c);
        result = qvCreateWigglyPlan(&def, &plan, error);
    }
    if (result == qv_ok)
        result = SolveCase(&c, plan, error);
    if (result == qv_ok)
    {
        AddKnots(out, &c);
        AddEnergies(out, &c, plan);
        AddSamples(out, &c, plan);
    }
    qvDestroyWigglyPlan(plan);
    free(c.block);
    free(c.sides);
    return result;
}

// --- Single segments -------------------------------------------------------------------------------------------------

// Integrals of k^2 and k'^2 over [0, h]: 8-point Gauss rules on panels shorter than the response's own scale.
static void GramMatrix(double lambda, double delta, double h, double* w11, double* w22)
{
    static const double node[4] = { 0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                    0.96028985649753623 };
    static const double weight[4] = { 0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                      0.10122853629037626 };
    double rate = fabs(delta) + sqrt(fabs(delta * delta - lambda));
    int panels = (int)fmin(ceil(rate * h * 2.0) + 1.0, 1e5);
    *w11 = *w22 = 0.0;
    for (int i = 0; i < panels * 8; i++)
    {
        double half = 0.5 * h / panels, sign = i % 2 != 0 ? 1.0 : -1.0, k, k1, step;
        int n = i / 2 % 4;
        qvWiggly_Response(lambda, delta, half * (2 * (i / 8) + 1 + sign * node[n]), &k, &k1, &step);
        *w11 += half * weight[n] * k * k;
        *w22 += half * weight[n] * k1 * k1;
    }
}

static void AddMap(qvJson* out, const Case* c)
{
    double h = c->times[1];
    qvSegmentMap m;
    qvSegmentMap_Init(&m, fabs(c->delta) * h, c->lambda * h * h);
    double kappa = c->lambda * h * h, a = 0.5 * (m.as + m.aa) / h, b = 0.5 * (m.aa - m.as) / h;
    double same = 0.5 * (kappa * m.gamma + m.ba) / (h * h), other = 0.5 * (kappa * m.gamma - m.ba) / (h * h);
    double rows[2][4] = { { same, -a, other, -b }, { other, b, same, a } };
    double perForce[2] = { m.gamma, m.gamma };
    qvJson* map = qvJson_AddArray(out, "accel_map_w0_v0_w1_v1");
    qvJson_AddNumbers(map, NULL, rows[0], 4);
    qvJson_AddNumbers(map, NULL, rows[1], 4);
    qvJson_AddNumbers(out, "accel_per_g", perForce, 2);
}

static qvResult AddInterval(qvJson* out, Case* c, qvError* error)
{
    double h = c->times[1], k, k1, step, w11, w22, energy, middle = 0.5 * h, value;
    qvWigglyDef def = MakeDef(c);
    qvWigglyPlan* plan;
    qvResult result = qvCreateWigglyPlan(&def, &plan, error);
    if (result != qv_ok)
        return result;
    result = SolveCase(c, plan, error);
    qvWigglySolution solution = Solution(c);
    qvWiggly_Response(c->lambda, c->delta, h, &k, &k1, &step);
    GramMatrix(c->lambda, c->delta, h, &w11, &w22);
    qvWigglyPlan_Energy(plan, &solution, &c->force, &energy);
    qvWigglyPlan_Evaluate(plan, &solution, &c->force, &middle, 1, NULL, &value, NULL, NULL);
    qvDestroyWigglyPlan(plan);
    qvJson_AddNumber(out, "k", k);
    qvJson_AddNumber(out, "k1", k1);
    qvJson_AddNumber(out, "int_k", step);
    qvJson_AddNumber(out, "W11", w11);
    qvJson_AddNumber(out, "W12", 0.5 * k * k);
    qvJson_AddNumber(out, "W22", w22);
    AddMap(out, c);
    qvJson_AddNumber(out, "accel0", c->accelAfter[0]);
    qvJson_AddNumber(out, "accel1", c->accelBefore[1]);
    qvJson_AddNumber(out, "energy", energy);
    qvJson_AddNumber(out, "w_mid", value);
    return result;
}

static qvResult RunInterval(const qvJson* in, qvJson* out, qvError* error)
{
    Case c = { .first = qv_sideVelocity, .last = qv_sideVelocity };
    qvResult result = ReadMaterial(in, &c, error);
    if (result == qv_ok)
        result = Allocate(&c, 2, error);
    if (result == qv_ok)
    {
        struct
        {
            const char* name;
            double* value;
        } fields[] = { { "h", &c.times[1] },
                       { "w0", &c.values[0] },
                       { "v0", &c.given[0] },
                       { "w1", &c.values[1] },
                       { "v1", &c.given[1] } };
        for (int i = 0; i < 5 && result == qv_ok; i++)
            result = ReadRequired(in, fields[i].name, fields[i].value, error);
    }
    if (result == qv_ok)
        result = AddInterval(out, &c, error);
    free(c.block);
    free(c.sides);
    return result;
}

static const qvEvalOp ops[] = {
    { "spline", RunSpline },
    { "interval", RunInterval },
};

const qvEvalTable qvEvalWiggly = { ops, sizeof(ops) / sizeof(ops[0]) };
