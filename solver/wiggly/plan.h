// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of wiggly/ share: the plan's layout.
#pragma once

#include "quaver/wiggly.h"

#include <stddef.h>

/// One unknown velocity: that of a smooth knot, or of one side of a knot where the spline is split or ends.
typedef struct qvWigglyRow
{
    int knot;
    int left, right; ///< segments that meet here, -1: none (or it belongs to another row)
    qvWigglySide side;
} qvWigglyRow;

struct qvWigglySoft;

/// Arrays over [segment][mode] and [row][mode] unless said otherwise. The map of segment.h is kept in real units.
struct qvWigglyPlan
{
    int knotCount, segmentCount, modeCount;
    int segmentStride; ///< of lambda, delta and the force
    bool circular;
    bool cyclic;   ///< circular without a split: knot 0's velocity is the border of the matrix
    bool freeTail; ///< the last knot is free in value and velocity: the last segment is free vibration, without energy

    double* times; ///< segmentCount + 1 entries
    qvWigglySide* before;
    qvWigglySide* after;
    double* weights; ///< per knot

    double* lambda;
    double* delta;

    double* as;
    double* aa;
    double* ba;
    double* gamma;
    double* gamma1;
    double* startForce; ///< a - 2 delta, without cancellation
    double* endForce;   ///< a + 2 delta, without cancellation

    /// Elimination of the tridiagonal rows: y_r = rhs_r - lower_r y_(r-1), v_r = inverse_r y_r - upper_r v_(r+1).
    int rowCount;
    qvWigglyRow* rows; ///< rowCount entries
    double* lower;
    double* inverse;
    double* upper;
    double* border;        ///< cyclic: solution of the rows for the border's column
    double* borderInverse; ///< [mode]

    struct qvWigglySoft* soft; ///< NULL when every knot that counts is hard

    /// Once settled: rows of knots and, where they have their own, of lambda and delta. NULL: a row per knot.
    const int32_t* rowOf;
};

/// The row of a knot, or of the segment that starts there.
static inline int qvWiggly_Row(const qvWigglyPlan* plan, int knot)
{
    return plan->rowOf != NULL ? plan->rowOf[knot] : knot;
}

/// Segments that store energy: all, or all but a free tail.
static inline int qvWiggly_ActiveSegments(const qvWigglyPlan* plan)
{
    return plan->segmentCount - (plan->freeTail ? 1 : 0);
}

static inline int qvWiggly_RightKnot(const qvWigglyPlan* plan, int segment)
{
    return segment + 1 < plan->knotCount ? segment + 1 : 0;
}

static inline double qvWiggly_Length(const qvWigglyPlan* plan, int segment)
{
    return plan->times[segment + 1] - plan->times[segment];
}

/// True when the terms in delta at the ends of a segment do not cancel those of its neighbour.
static inline bool qvWiggly_HasLeftTerms(const qvWigglyPlan* plan, int segment)
{
    return plan->segmentStride > 0 || plan->after[segment] != qv_sideSmooth;
}

static inline bool qvWiggly_HasRightTerms(const qvWigglyPlan* plan, int segment)
{
    return plan->segmentStride > 0 || plan->before[qvWiggly_RightKnot(plan, segment)] != qv_sideSmooth ||
           (plan->freeTail && segment == qvWiggly_ActiveSegments(plan) - 1);
}

/// What one mode has at the ends of a segment.
typedef struct qvWigglyEnds
{
    double w0, w1, v0, v1, g;
} qvWigglyEnds;

qvWigglyEnds qvWiggly_GetEnds(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                              int segment, int mode);

/// Rows of a solve for count modes from the plan's mode first on. Arrays are shifted so that index 0 is that mode;
/// stride is the distance of knots, forceStride that of segments.
typedef struct qvWigglyView
{
    int first, count;
    int stride, forceStride;
    const double* values;
    const double* givenBefore; ///< may be NULL
    const double* givenAfter;  ///< may be NULL
    const double* force;       ///< may be NULL
    double* before;
    double* after;
} qvWigglyView;

/// Velocities for given values at all knots.
void qvWiggly_SolveRows(const qvWigglyPlan* plan, const qvWigglyView* view);

QV_CHECKED qvResult qvCreateWigglySoft(qvWigglyPlan* plan, qvError* error);
void qvDestroyWigglySoft(struct qvWigglySoft* soft);
QV_CHECKED qvResult qvWiggly_SolveSoft(const qvWigglyPlan* plan, const qvWigglyData* data,
                                       const qvWigglySolution* solution, qvError* error);
