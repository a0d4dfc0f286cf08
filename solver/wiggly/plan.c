// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of wiggly splines: validation, the segment maps of all modes, and the elimination of the tridiagonal system
// for the velocities that continuity of the force L at the knots gives (segment.h names the papers):
//   b_L v_(k-1) + (a_L + a_R + 2 (delta_L - delta_R)) v_k + b_R v_(k+1) = terms in the values and the force
// with a = (as + aa) / 2 and b = (aa - as) / 2 of the segments L and R left and right of the knot. It is half the
// Hessian of the energy in the velocities, so elimination needs no pivoting.
#include "wiggly/plan.h"

#include "base/assert.h"
#include "base/memory.h"
#include "wiggly/map.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

qvWigglyDef qvDefaultWigglyDef(void)
{
    return (qvWigglyDef){ .first = qv_sideVelocity, .last = qv_sideVelocity };
}

// What solving needs and evaluating does not.
static void FreeElimination(qvWigglyPlan* plan)
{
    qvDestroyWigglySoft(plan->soft);
    plan->soft = NULL;
    double** numbers[] = { &plan->weights, &plan->as,         &plan->aa,           &plan->ba,    &plan->gamma,
                           &plan->gamma1,  &plan->startForce, &plan->endForce,     &plan->lower, &plan->inverse,
                           &plan->upper,   &plan->border,     &plan->borderInverse };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        free(*numbers[i]);
        *numbers[i] = NULL;
    }
    free(plan->before);
    free(plan->after);
    free(plan->rows);
    plan->before = plan->after = NULL;
    plan->rows = NULL;
}

void qvDestroyWigglyPlan(qvWigglyPlan* plan)
{
    if (plan == NULL)
        return;
    FreeElimination(plan);
    free(plan->times);
    free(plan->lambda);
    free(plan->delta);
    free(plan);
}

// Moves the rows of segments that are kept to the front, in their order, and gives the rest back.
static void KeepRows(const qvWigglyPlan* plan, const int32_t* rowOf, int rowCount, double** numbers)
{
    size_t modes = (size_t)plan->modeCount;
    for (int k = 0; k < plan->segmentCount; k++)
    {
        if (rowOf[k] >= 0)
            memmove(*numbers + (size_t)rowOf[k] * modes, *numbers + (size_t)k * modes, modes * sizeof(double));
    }
    double* smaller = realloc(*numbers, (size_t)rowCount * modes * sizeof(double));
    if (smaller != NULL)
        *numbers = smaller;
}

void qvWigglyPlan_Settle(qvWigglyPlan* plan, const int32_t* rowOf, int rowCount)
{
    FreeElimination(plan);
    if (rowOf != NULL && plan->segmentStride > 0)
    {
        KeepRows(plan, rowOf, rowCount, &plan->lambda);
        KeepRows(plan, rowOf, rowCount, &plan->delta);
    }
    plan->rowOf = rowOf;
}

// --- Validation ------------------------------------------------------------------------------------------------------

static qvResult CheckTimes(const qvWigglyDef* def, qvError* error)
{
    for (int k = 0; k < def->knotCount; k++)
    {
        if (!isfinite(def->times[k]))
            return qvError_Set(error, qv_badInput, "knot %d: its time is not a finite number", k);
        if (k > 0 && def->times[k] <= def->times[k - 1])
            return qvError_Set(error, qv_badInput, "knots %d and %d: times %g and %g must ascend", k - 1, k,
                               def->times[k - 1], def->times[k]);
    }
    double span = def->times[def->knotCount - 1] - def->times[0];
    if (def->period != 0.0 && !(def->period > span && isfinite(def->period)))
        return qvError_Set(error, qv_badInput,
                           "the period %g must be longer than the %g from the first knot to the last", def->period,
                           span);
    return qv_ok;
}

static qvResult CheckModes(const qvWigglyDef* def, int rows, qvError* error)
{
    for (int k = 0; k < rows; k++)
    {
        for (int i = 0; i < def->modeCount; i++)
        {
            double lambda = def->lambda[k * def->segmentStride + i], delta = def->delta[k * def->segmentStride + i];
            if (!isfinite(lambda) || !isfinite(delta))
                return qvError_Set(error, qv_badInput, "mode %d: lambda and delta must be finite numbers", i);
        }
    }
    return qv_ok;
}

// Fourth powers of the dimensionless numbers and third powers of the lengths must stay in range.
static qvResult CheckRange(const qvWigglyPlan* plan, qvError* error)
{
    for (int k = 0; k < plan->segmentCount; k++)
    {
        double length = qvWiggly_Length(plan, k);
        if (!(length > 1e-60 && length < 1e60))
            return qvError_Set(error, qv_badInput, "segment %d: its length %g is out of range", k, length);
        for (int i = 0; i < plan->modeCount; i++)
        {
            double lambda = plan->lambda[k * plan->segmentStride + i], delta = plan->delta[k * plan->segmentStride + i];
            if (!(fabs(delta) * length < 1e30 && fabs(lambda) * length * length < 1e60))
                return qvError_Set(error, qv_badInput,
                                   "segment %d, mode %d: stiffness %g or damping %g is out of range", k, i, lambda,
                                   delta);
        }
    }
    return qv_ok;
}

static qvResult CheckSides(const qvWigglyPlan* plan, qvError* error)
{
    bool soft = false, acceleration = false;
    for (int k = 0; k < plan->knotCount; k++)
    {
        if (!(plan->weights[k] >= 0.0))
            return qvError_Set(error, qv_badInput, "knot %d: its weight must not be negative", k);
        soft = soft || plan->weights[k] < INFINITY;
        acceleration = acceleration || plan->before[k] == qv_sideAcceleration || plan->after[k] == qv_sideAcceleration;
    }
    if (soft && acceleration)
        return qvError_Set(error, qv_unsupported, "soft knots cannot be combined with given accelerations");
    return qv_ok;
}

// --- Making ----------------------------------------------------------------------------------------------------------

static bool AllocateInput(qvWigglyPlan* plan)
{
    size_t knots = (size_t)plan->knotCount, segments = (size_t)plan->segmentCount, modes = (size_t)plan->modeCount;
    size_t rows = plan->segmentStride > 0 ? segments : 1;
    plan->times = qvAllocate(segments + 1, sizeof(double));
    plan->before = qvAllocate(knots, sizeof(qvWigglySide));
    plan->after = qvAllocate(knots, sizeof(qvWigglySide));
    plan->weights = qvAllocate(knots, sizeof(double));
    plan->lambda = qvAllocate(rows * modes, sizeof(double));
    plan->delta = qvAllocate(rows * modes, sizeof(double));
    return plan->times && plan->before && plan->after && plan->weights && plan->lambda && plan->delta;
}

static bool AllocateMaps(qvWigglyPlan* plan)
{
    size_t count = (size_t)plan->segmentCount * (size_t)plan->modeCount;
    double** arrays[] = { &plan->as,     &plan->aa,         &plan->ba,      &plan->gamma,
                          &plan->gamma1, &plan->startForce, &plan->endForce };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
    {
        if ((*arrays[i] = qvAllocateRaw(count, sizeof(double))) == NULL)
            return false;
    }
    return true;
}

static bool AllocateRows(qvWigglyPlan* plan)
{
    size_t count = (size_t)plan->rowCount * (size_t)plan->modeCount;
    plan->lower = qvAllocate(count, sizeof(double));
    plan->inverse = qvAllocate(count, sizeof(double));
    plan->upper = qvAllocate(count, sizeof(double));
    if (plan->cyclic)
    {
        plan->border = qvAllocate(count, sizeof(double));
        plan->borderInverse = qvAllocate((size_t)plan->modeCount, sizeof(double));
    }
    return plan->lower && plan->inverse && plan->upper && (!plan->cyclic || (plan->border && plan->borderInverse));
}

static void CopyInput(qvWigglyPlan* plan, const qvWigglyDef* def)
{
    int knots = plan->knotCount, rows = plan->segmentStride > 0 ? plan->segmentCount : 1;
    memcpy(plan->times, def->times, (size_t)knots * sizeof(double));
    if (plan->circular)
        plan->times[knots] = def->times[0] + def->period;
    memcpy(plan->lambda, def->lambda, (size_t)rows * (size_t)plan->modeCount * sizeof(double));
    memcpy(plan->delta, def->delta, (size_t)rows * (size_t)plan->modeCount * sizeof(double));
    for (int k = 0; k < knots; k++)
    {
        plan->weights[k] = def->weights != NULL ? def->weights[k] : INFINITY;
        plan->before[k] = def->before != NULL ? def->before[k] : qv_sideSmooth;
        plan->after[k] = def->after != NULL ? def->after[k] : qv_sideSmooth;
        bool isEnd = !plan->circular && (k == 0 || k == knots - 1);
        QV_ASSERT(isEnd || (plan->before[k] == qv_sideSmooth) == (plan->after[k] == qv_sideSmooth));
    }
    if (!plan->circular)
    {
        plan->before[0] = plan->after[0] = def->first;
        plan->before[knots - 1] = plan->after[knots - 1] = def->last;
        plan->freeTail = knots > 2 && def->last == qv_sideForceFree && plan->weights[knots - 1] == 0.0;
    }
}

// Where the elimination starts: at a split of a circular spline, else at knot 0.
static int FindStart(const qvWigglyPlan* plan)
{
    for (int k = 0; plan->circular && k < plan->knotCount; k++)
    {
        if (plan->after[k] != qv_sideSmooth)
            return k;
    }
    return 0;
}

static void AddRow(qvWigglyPlan* plan, int knot, int left, int right, qvWigglySide side)
{
    plan->rows[plan->rowCount++] = (qvWigglyRow){ knot, left, right, side };
}

static bool MakeRows(qvWigglyPlan* plan)
{
    plan->rows = qvAllocate(2 * (size_t)plan->segmentCount, sizeof(qvWigglyRow));
    if (plan->rows == NULL)
        return false;
    int start = FindStart(plan), count = qvWiggly_ActiveSegments(plan);
    plan->cyclic = plan->circular && plan->after[start] == qv_sideSmooth;
    if (!plan->cyclic)
        AddRow(plan, start, -1, start, plan->after[start]);
    for (int j = 0; j < count; j++)
    {
        int segment = (start + j) % plan->segmentCount, knot = qvWiggly_RightKnot(plan, segment);
        bool last = j == count - 1;
        if (last && plan->cyclic)
            break;
        if (plan->before[knot] == qv_sideSmooth && !last)
        {
            AddRow(plan, knot, segment, qvWiggly_RightKnot(plan, segment), qv_sideSmooth);
            continue;
        }
        AddRow(plan, knot, segment, -1, plan->before[knot] == qv_sideSmooth ? qv_sideForceFree : plan->before[knot]);
        if (!last)
            AddRow(plan, knot, -1, knot, plan->after[knot]);
    }
    return true;
}

// Maps of modes [begin, begin + count) of a segment, in real units.
static void FillTile(qvWigglyPlan* plan, int segment, int begin, int count)
{
    qvMapRows rows;
    double length = qvWiggly_Length(plan, segment), inverse = 1.0 / length;
    const double* lambda = plan->lambda + segment * plan->segmentStride + begin;
    const double* delta = plan->delta + segment * plan->segmentStride + begin;
    for (int i = 0; i < count; i++)
    {
        rows.u[i] = fabs(delta[i]) * length;
        rows.kappa[i] = lambda[i] * length * length;
    }
    qvFillMaps(&rows, count);
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)begin;
    for (int i = 0; i < count; i++, at++)
    {
        plan->as[at] = rows.as[i] * inverse;
        plan->aa[at] = rows.aa[i] * inverse;
        plan->ba[at] = rows.ba[i] * inverse * inverse;
        plan->gamma[at] = rows.gamma[i];
        plan->gamma1[at] = rows.gamma1[i];
        double usual = 0.5 * (rows.as[i] + rows.aa[i]) * inverse, strong = usual + 2.0 * fabs(delta[i]);
        // It underflows where damping works against a side free of force over many decay times; the curve of least
        // force would then leave the range of doubles.
        double weak = 0.5 * (rows.asExcess[i] + rows.aaExcess[i]) * inverse, least = 1e-11 * usual;
        weak = weak > least ? weak : least;
        plan->startForce[at] = delta[i] > 0.0 ? weak : strong;
        plan->endForce[at] = delta[i] > 0.0 ? strong : weak;
    }
}

static void CopyMap(qvWigglyPlan* plan, int segment)
{
    double* arrays[] = { plan->as, plan->aa, plan->ba, plan->gamma, plan->gamma1, plan->startForce, plan->endForce };
    size_t modes = (size_t)plan->modeCount, at = (size_t)segment * modes;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        memcpy(arrays[i] + at, arrays[i] + at - modes, modes * sizeof(double));
}

static void FillMaps(qvWigglyPlan* plan)
{
    for (int k = 0; k < plan->segmentCount; k++)
    {
        if (k > 0 && plan->segmentStride == 0 && qvWiggly_Length(plan, k) == qvWiggly_Length(plan, k - 1))
        {
            CopyMap(plan, k);
            continue;
        }
        for (int i = 0; i < plan->modeCount; i += qv_mapBatch)
            FillTile(plan, k, i, plan->modeCount - i < qv_mapBatch ? plan->modeCount - i : qv_mapBatch);
    }
}

// --- Elimination -----------------------------------------------------------------------------------------------------

static double Coupling(const qvWigglyPlan* plan, int segment, int mode)
{
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    return 0.5 * (plan->aa[at] - plan->as[at]);
}

static double HalfSum(const qvWigglyPlan* plan, int segment, int mode)
{
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    return 0.5 * (plan->aa[at] + plan->as[at]);
}

static double SmoothDiagonal(const qvWigglyPlan* plan, int left, int right, int mode)
{
    double before = plan->delta[left * plan->segmentStride + mode];
    double after = plan->delta[right * plan->segmentStride + mode];
    if (before == after)
        return HalfSum(plan, left, mode) + HalfSum(plan, right, mode);
    size_t modes = (size_t)plan->modeCount;
    return plan->endForce[(size_t)left * modes + (size_t)mode] + plan->startForce[(size_t)right * modes + (size_t)mode];
}

static double Diagonal(const qvWigglyPlan* plan, const qvWigglyRow* row, int mode)
{
    int segment = row->left >= 0 ? row->left : row->right;
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    switch (row->side)
    {
    case qv_sideVelocity:
        return 1.0;
    case qv_sideAcceleration:
        return HalfSum(plan, segment, mode);
    case qv_sideForceFree:
        return row->left >= 0 ? plan->endForce[at] : plan->startForce[at];
    default:
        return SmoothDiagonal(plan, row->left, row->right, mode);
    }
}

// Pivots are positive. They vanish where the knots leave a curve undetermined: free of force at both ends, no damping,
// every segment a multiple of half a period. A trace of the usual size then keeps the velocity small.
static double InvertPivot(double pivot, double usual)
{
    double least = 1e-11 * usual;
    return 1.0 / (pivot > least ? pivot : least);
}

// Pivots below this part of their diagonal mean resonance.
static const double RESONANT = 1e-9;

// Returns false when a pivot nearly vanishes.
static bool EliminateRow(qvWigglyPlan* plan, int r, int begin, int end)
{
    const qvWigglyRow* row = &plan->rows[r];
    bool given = row->side == qv_sideVelocity;
    size_t modes = (size_t)plan->modeCount, at = (size_t)r * modes + (size_t)begin;
    bool regular = true;
    for (int i = begin; i < end; i++, at++)
    {
        double diagonal = Diagonal(plan, row, i), pivot = diagonal;
        if (r > 0 && row->left >= 0 && !given)
        {
            double coupling = Coupling(plan, row->left, i);
            plan->lower[at] = coupling * plan->inverse[at - modes];
            // upper is already divided by the pivot above, and zero below a given velocity
            pivot -= coupling * plan->upper[at - modes];
        }
        double usual = HalfSum(plan, row->left >= 0 ? row->left : row->right, i);
        plan->inverse[at] = given ? 1.0 : InvertPivot(pivot, usual);
        regular = regular && pivot > RESONANT * diagonal;
        if (r + 1 < plan->rowCount && row->right >= 0 && !given)
            plan->upper[at] = Coupling(plan, row->right, i) * plan->inverse[at];
    }
    return regular;
}

// The column of knot 0 in the rows, solved by the rows' own elimination, and the pivot that is left for knot 0,
// relative to its diagonal.
static double EliminateBorder(qvWigglyPlan* plan, int i)
{
    int rows = plan->rowCount, last = plan->segmentCount - 1;
    size_t modes = (size_t)plan->modeCount;
    double* z = plan->border + i;
    double first = Coupling(plan, 0, i), final = Coupling(plan, last, i);
    double diagonal = SmoothDiagonal(plan, last, 0, i) + (rows == 0 ? 2.0 * first : 0.0), pivot = diagonal;
    for (int r = 0; r < rows; r++)
    {
        double column = (r == 0 ? first : 0.0) + (r == rows - 1 ? final : 0.0);
        size_t at = (size_t)r * modes;
        z[at] = column - (r > 0 ? plan->lower[at + (size_t)i] * z[at - modes] : 0.0);
    }
    for (int r = rows - 1; r >= 0; r--)
    {
        size_t at = (size_t)r * modes;
        z[at] =
            z[at] * plan->inverse[at + (size_t)i] - (r + 1 < rows ? plan->upper[at + (size_t)i] * z[at + modes] : 0.0);
    }
    if (rows > 0)
        pivot -= first * z[0] + final * z[(size_t)(rows - 1) * modes];
    plan->borderInverse[i] = InvertPivot(pivot, diagonal);
    return pivot > RESONANT * diagonal;
}

static bool EliminateModes(qvWigglyPlan* plan, int begin, int end)
{
    bool regular = true;
    for (int r = 0; r < plan->rowCount; r++)
        regular = EliminateRow(plan, r, begin, end) && regular;
    for (int i = begin; plan->cyclic && i < end; i++)
        regular = EliminateBorder(plan, i) && regular;
    return regular;
}

// Damping of at least 1e-4 over the longest segment. It changes a circular spline by 1e-8, which is also what rounding
// does to the nearly singular system that is left.
static void AddDamping(qvWigglyPlan* plan, int mode)
{
    double longest = 0.0;
    for (int k = 0; k < plan->segmentCount; k++)
        longest = fmax(longest, qvWiggly_Length(plan, k));
    for (int k = 0; k < (plan->segmentStride > 0 ? plan->segmentCount : 1); k++)
    {
        double* delta = &plan->delta[k * plan->segmentStride + mode];
        if (fabs(*delta) * longest < 1e-4)
            *delta = copysign(1e-4 / longest, *delta);
    }
}

// A circular spline is undetermined when it has no damping and all segments are multiples of half a period of the mode:
// a sine that is zero at every knot costs nothing. Its limit for vanishing damping exists.
static void Eliminate(qvWigglyPlan* plan)
{
    if (EliminateModes(plan, 0, plan->modeCount) || !plan->cyclic)
        return;
    for (int i = 0; i < plan->modeCount; i++)
    {
        if (EliminateModes(plan, i, i + 1))
            continue;
        AddDamping(plan, i);
        for (int k = 0; k < plan->segmentCount; k++)
            FillTile(plan, k, i, 1);
        EliminateModes(plan, i, i + 1);
    }
}

static qvResult FillPlan(qvWigglyPlan* plan, const qvWigglyDef* def, qvError* error)
{
    double bytes = 10.0 * plan->segmentCount * plan->modeCount * sizeof(double);
    if (!AllocateInput(plan))
        return qvError_OutOfMemory(error, bytes);
    CopyInput(plan, def);
    qvResult result = CheckSides(plan, error);
    if (result == qv_ok)
        result = CheckRange(plan, error);
    if (result != qv_ok)
        return result;
    if (!MakeRows(plan) || !AllocateMaps(plan) || !AllocateRows(plan))
        return qvError_OutOfMemory(error, bytes);
    FillMaps(plan);
    Eliminate(plan);
    return qvCreateWigglySoft(plan, error);
}

qvResult qvCreateWigglyPlan(const qvWigglyDef* def, qvWigglyPlan** plan, qvError* error)
{
    *plan = NULL;
    QV_ASSERT(def->knotCount >= (def->period > 0.0 ? 1 : 2) && def->modeCount >= 1);
    QV_ASSERT(def->segmentStride == 0 || def->segmentStride == def->modeCount);
    QV_ASSERT(def->period > 0.0 || (def->first != qv_sideSmooth && def->last != qv_sideSmooth));
    qvResult result = CheckTimes(def, error);
    int segments = def->knotCount - (def->period > 0.0 ? 0 : 1);
    if (result == qv_ok && (double)def->knotCount * def->modeCount > INT_MAX / 8)
        result = qvError_Set(error, qv_badInput, "%d knots of %d modes are too many", def->knotCount, def->modeCount);
    if (result == qv_ok)
        result = CheckModes(def, def->segmentStride > 0 ? segments : 1, error);
    if (result != qv_ok)
        return result;
    qvWigglyPlan* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->knotCount = def->knotCount;
    made->segmentCount = segments;
    made->modeCount = def->modeCount;
    made->segmentStride = def->segmentStride;
    made->circular = def->period > 0.0;
    result = FillPlan(made, def, error);
    if (result != qv_ok)
    {
        qvDestroyWigglyPlan(made);
        return result;
    }
    *plan = made;
    return qv_ok;
}
