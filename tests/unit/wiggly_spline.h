// SPDX-License-Identifier: GPL-3.0-or-later
// One wiggly spline with its arrays, for tests: up to 16 knots, one mode.
#pragma once

#include "testing.h"

#include "quaver/wiggly.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_KNOTS = 16
};

typedef struct Spline
{
    int count; // knots
    double times[MAX_KNOTS], values[MAX_KNOTS], givenBefore[MAX_KNOTS], givenAfter[MAX_KNOTS], weights[MAX_KNOTS];
    qvWigglySide before[MAX_KNOTS], after[MAX_KNOTS], first, last;
    double period;
    double lambda[MAX_KNOTS], delta[MAX_KNOTS], force[MAX_KNOTS];
    bool perSegment;

    qvWigglyPlan* plan;
    double w[MAX_KNOTS], v0[MAX_KNOTS], v1[MAX_KNOTS]; // values, velocities before and after
} Spline;

/// Random knots and values; end velocities random; one lambda, delta, g.
static inline Spline RandomSpline(uint64_t* random, int count, double lambda, double delta, double g)
{
    Spline s = { .count = count, .first = qv_sideVelocity, .last = qv_sideVelocity };
    double t = -0.5;
    for (int k = 0; k < count; k++)
    {
        s.times[k] = t;
        t += 0.3 + 1.2 * RandomUnit(random);
        s.values[k] = 2.0 * RandomUnit(random) - 1.0;
        s.givenBefore[k] = 2.0 * RandomUnit(random) - 1.0;
        s.givenAfter[k] = 2.0 * RandomUnit(random) - 1.0;
        s.weights[k] = INFINITY;
        s.lambda[k] = lambda;
        s.delta[k] = delta;
        s.force[k] = g;
    }
    return s;
}

static inline qvWigglySolution Solution(Spline* s)
{
    return (qvWigglySolution){ s->w, s->v0, s->v1 };
}

static inline qvWigglyData Data(const Spline* s)
{
    return (qvWigglyData){ s->values, s->givenBefore, s->givenAfter, s->force };
}

static inline void CreateSplinePlan(Spline* s)
{
    qvError error;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = s->count;
    def.times = s->times;
    def.modeCount = 1;
    def.lambda = s->lambda;
    def.delta = s->delta;
    def.segmentStride = s->perSegment ? 1 : 0;
    def.period = s->period;
    def.first = s->first;
    def.last = s->last;
    def.before = s->before;
    def.after = s->after;
    def.weights = s->weights;
    ASSERT_OK(qvCreateWigglyPlan(&def, &s->plan, &error), error);
}

static inline void Solve(Spline* s)
{
    qvError error;
    CreateSplinePlan(s);
    qvWigglyData data = Data(s);
    qvWigglySolution solution = Solution(s);
    ASSERT_OK(qvWigglyPlan_Solve(s->plan, &data, &solution, &error), error);
}

static inline void Evaluate(Spline* s, double t, double out[3])
{
    qvWigglySolution solution = Solution(s);
    qvWigglyPlan_Evaluate(s->plan, &solution, s->force, &t, 1, NULL, &out[0], &out[1], &out[2]);
}

static inline double Energy(Spline* s)
{
    qvWigglySolution solution = Solution(s);
    double energy;
    qvWigglyPlan_Energy(s->plan, &solution, s->force, &energy);
    return energy;
}

static inline void Destroy(Spline* s)
{
    qvDestroyWigglyPlan(s->plan);
    s->plan = NULL;
}

static inline int SegmentCount(const Spline* s)
{
    return s->period > 0.0 ? s->count : s->count - 1;
}

static inline double SegmentEnd(const Spline* s, int segment)
{
    return segment + 1 < s->count ? s->times[segment + 1] : s->times[0] + s->period;
}

/// Index of a segment's lambda, delta and force.
static inline int Row(const Spline* s, int segment)
{
    return s->perSegment ? segment : 0;
}

/// A function to add to a spline: value and two derivatives at t.
typedef void Bump(const void* context, double t, double out[3]);

/// Integrals of L^2, L Lb and Lb^2 over the spline, by Gauss quadrature of `panels` panels per segment, where Lb is the
/// force of the bump (without g). bump may be NULL.
static inline void Integrate(Spline* s, int panels, Bump* bump, const void* context, double sums[3])
{
    static const double node[4] = { 0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                    0.96028985649753623 };
    static const double weight[4] = { 0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                      0.10122853629037626 };
    sums[0] = sums[1] = sums[2] = 0.0;
    for (int k = 0; k < SegmentCount(s); k++)
    {
        double left = s->times[k], half = 0.5 * (SegmentEnd(s, k) - left) / panels;
        double lambda = s->lambda[Row(s, k)], delta = s->delta[Row(s, k)], g = s->force[Row(s, k)];
        for (int i = 0; i < 8 * panels; i++)
        {
            double t = left + half * (2 * (i / 8) + 1 + (i % 2 != 0 ? 1.0 : -1.0) * node[i / 2 % 4]);
            double f[3], b[3] = { 0.0, 0.0, 0.0 };
            Evaluate(s, t, f);
            if (bump != NULL)
                bump(context, t, b);
            double force = f[2] + 2.0 * delta * f[1] + lambda * f[0] + g;
            double other = b[2] + 2.0 * delta * b[1] + lambda * b[0];
            double w = half * weight[i / 2 % 4];
            sums[0] += w * force * force;
            sums[1] += w * force * other;
            sums[2] += w * other * other;
        }
    }
}

/// Materials of every kind.
static const double lambdas[] = { 5.0, 5.0, 0.0, -3.0, 0.0, 60.0, -1.5, 1e-6 };
static const double deltas[] = { 0.3, 4.0, 0.0, 0.8, 0.7, 0.0, 0.0, 1e-4 };

enum
{
    CASES = sizeof(lambdas) / sizeof(lambdas[0])
};

/// L of a segment for a value and its two derivatives.
static inline double Force(const Spline* s, int segment, const double f[3])
{
    int row = Row(s, segment);
    return f[2] + 2.0 * s->delta[row] * f[1] + s->lambda[row] * f[0] + s->force[row];
}
