// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit symplectic step: v += dt (f / m + g), then what changes velocities, then y += dt v. Or velocities are
// solved for: implicit_step.c.
#include "phyxel/engine_state.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

enum
{
    WORTH_A_POOL = 2048, // phyxels
    BLOCK = 64           // phyxels, of which all stays in the nearest cache from one pass to the next
};

static const double ELASTIC_STEP = 0.4, FLOWING_STEP = 0.3; // of spacing over the speed of waves; 0.87 is the limit
static const double LONG_STEP = 1.000001 / 240.0; // s, of what is solved for: two of a frame, whatever rounding says
static const double MOST_STEPS = 2.4e6;           // a second: a clip of 4 s would take hours
static const double SET_SHARE = 0.6;              // of the longest step of a solid that has flowed
static const double KNOT_SHARE = 1e-6;            // of what is advanced, within which a knot counts as its start or end
static const double MOST_STIFFENING = 2.0;   // of neighbourhoods against those at rest; steps are stable to about 8
static const double FAR = 1e4;               // body heights, beyond which a phyxel is lost
static const double FOLLOW_FREQUENCY = 10.0; // Hz of the spring to the motion below, at 1

qvPool* qvPhyxelStep_Pool(const qvPhyxelStep* step)
{
    return step->state->count >= WORTH_A_POOL ? step->pool : NULL;
}

void qvPhyxelStep_ForAll(qvPhyxelStep* step, qvRangeFcn* fcn)
{
    qvParallelFor(qvPhyxelStep_Pool(step), step->state->count, qv_phyxelGrain, fcn, step);
}

double qvPhyxel_FlowSpeed(const qvPhyxelBody* body, const qvPhyxelMatter* matter)
{
    double fall = qvLength(matter->gravity) * body->height;
    return sqrt(fall > 0.0 ? fall : matter->mu / body->density);
}

double qvPhyxelBody_StableStep(const qvPhyxelBody* body, const qvPhyxelMatter* matter)
{
    double square = (matter->lambda + 2.0 * matter->mu) / body->density, factor = ELASTIC_STEP;
    if (matter->flows)
    {
        double speed = qvPhyxel_FlowSpeed(body, matter);
        square += 6.0 * speed * speed;
        factor = FLOWING_STEP;
    }
    return factor * body->stepScale * body->spacing / sqrt(square);
}

// Without what the stiffness of the material asks for.
static double ImplicitStep(const qvPhyxelBody* body, const qvPhyxelMatter* matter)
{
    if (!matter->flows)
        return LONG_STEP;
    double waves = FLOWING_STEP * body->stepScale * body->spacing / (sqrt(6.0) * qvPhyxel_FlowSpeed(body, matter));
    return fmin(LONG_STEP, waves);
}

// --- Forces ----------------------------------------------------------------------------------------------------------

static void GradientsOf(void* context, int begin, int end)
{
    qvPhyxelState* s = ((qvPhyxelStep*)context)->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    s->kernel->gradients(&lists, begin, end, (const double(*)[4])s->y, s->gradients);
}

void qvPhyxelStep_Gradients(qvPhyxelStep* step)
{
    qvPhyxelStep_ForAll(step, GradientsOf);
}

// Where phyxels of what flows have come close, forces would change too fast for the steps that the body at rest allows:
// there its material is softer.
static double SofteningOf(const qvPhyxelState* s, int i)
{
    double stiffness = s->reference->stiffness[i], most = MOST_STIFFENING * s->body->stiffest;
    return s->reference->fade[i] * (stiffness > most ? most / stiffness : 1.0);
}

static void StressesOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    double l2 = step->matter.lambda + step->matter.mu;
    bool isMoved = *s->moved > 0.0; // a body at rest is checked to need no fading
    qvPhyxelStressD stress = { .mu = step->matter.mu,
                               .lambda2 = l2,
                               .rest = 1.0 + step->matter.mu / l2,
                               .penalty = qv_phyxelFit * step->matter.young,
                               .metric = (const double(*)[8])s->metric,
                               .share = (const double(*)[2])s->shares };
    for (int i = begin; i < end; i++)
    {
        s->shares[i][0] = s->body->volumes[i] * (isMoved ? SofteningOf(s, i) : 1.0);
        s->shares[i][1] = s->reference->fitShare[i];
    }
    s->kernel->stresses(&lists, &stress, begin, end, (const double(*)[3][4])s->gradients, s->coefficients, s->columns);
}

// Both for one block after the other: what a solid needs, as nothing changes its metrics in between.
static void StrainsOf(void* context, int begin, int end)
{
    for (int first = begin; first < end; first += BLOCK)
    {
        int last = end - first < BLOCK ? end : first + BLOCK;
        GradientsOf(context, first, last);
        StressesOf(context, first, last);
    }
}

static void ForcesOf(void* context, int begin, int end)
{
    qvPhyxelState* s = ((qvPhyxelStep*)context)->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    s->kernel->gather(&lists, begin, end, s->coefficients, (const double(*)[4])s->y, (const double(*)[3][4])s->columns,
                      s->sums);
}

// --- Velocities ------------------------------------------------------------------------------------------------------

static void AccelerateOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    const double *g = &step->matter.gravity.x, dt = step->dt;
    for (int i = begin; i < end; i++)
    {
        for (int k = 0; k < 3; k++)
            s->v[i][k] += dt * (s->sums[i][k] / s->body->masses[i] + g[k]);
    }
}

static void FallOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    const double* g = &step->matter.gravity.x;
    for (int i = begin; i < end; i++)
    {
        for (int k = 0; k < 3; k++)
            s->v[i][k] += step->dt * g[k];
    }
}

// A critically damped spring, solved for the velocity at the end of the step so that any stiffness is stable.
static void FollowOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    double follow = step->matter.follow, dt = step->dt, rate = QV_TWO_PI * FOLLOW_FREQUENCY * follow * follow;
    double below = 1.0 + 2.0 * rate * dt + rate * rate * dt * dt;
    for (int i = begin; i < end; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            double pull = 2.0 * rate * s->guide[i][4 + k] + rate * rate * (s->guide[i][k] - s->y[i][k]);
            s->v[i][k] = (s->v[i][k] + dt * pull) / below;
        }
    }
}

static void MoveOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    double after = *s->clock + step->dt;
    bool isWhole = step->matter.follow >= 1.0;
    for (int i = begin; i < end; i++)
    {
        bool isHeld = isWhole || s->heldSince[i] < INFINITY;
        // What is left of the way to where it is held after this step.
        double left = isWhole ? 0.0 : s->heldSince[i] + qvPhyxel_HoldRamp - after;
        bool isThere = isHeld && left <= 0.0;
        for (int k = 0; k < 3; k++)
        {
            if (isHeld)
                s->v[i][k] = isThere ? s->guide[i][4 + k] : (s->guide[i][k] - s->y[i][k]) / (left + step->dt);
            s->y[i][k] = isThere ? s->guide[i][k] : s->y[i][k] + step->dt * s->v[i][k];
        }
    }
}

// Which phyxels are held at the end of the step.
static void FindHeld(qvPhyxelStep* step)
{
    qvPhyxelState* s = step->state;
    double time = *s->clock + step->dt;
    for (int i = 0; i < s->count; i++)
        s->heldSince[i] = INFINITY;
    for (int h = 0; h < step->scene->holdCount; h++)
    {
        const qvPhyxelHold* hold = &step->scene->holds[h];
        for (int k = 0; time >= hold->from && time <= hold->to && k < hold->count; k++)
            s->heldSince[hold->phyxels[k]] = fmin(s->heldSince[hold->phyxels[k]], hold->from);
    }
}

// Where the motion below is at the end of the step.
static bool ReadGuide(qvPhyxelStep* step)
{
    qvPhyxelState* s = step->state;
    FindHeld(step);
    if (step->scene->holdCount == 0 && !(step->matter.follow > 0.0))
        return false;
    QV_ASSERT(step->scene->guide != NULL);
    qvVec3 *points = s->touchingPoints + s->count, *velocities = (qvVec3*)s->sums;
    step->scene->guide(step->scene->context, *s->clock + step->dt, points, velocities);
    for (int i = 0; i < s->count; i++)
        memcpy(s->guide[i],
               (double[8]){ points[i].x, points[i].y, points[i].z, 0.0, velocities[i].x, velocities[i].y,
                            velocities[i].z, 0.0 },
               sizeof(*s->guide));
    return true;
}

// The velocities that forces at the start of the step make.
static qvResult Accelerate(qvPhyxelStep* step, bool isGuided, qvError* error)
{
    qvPhyxelStep_ForAll(step, AccelerateOf);
    qvResult result = qvPhyxelStep_Damp(step, error);
    if (result != qv_ok)
        return result;
    if (step->matter.flows)
        qvPhyxelStep_FilterVelocities(step);
    if (isGuided && step->matter.follow > 0.0)
        qvPhyxelStep_ForAll(step, FollowOf);
    return qvPhyxelStep_PlaceObstacles(step, error);
}

// Those that forces at its end make, as the stiffness tells them. (The sums hold the forces until they are solved for.)
static qvResult SolveFor(qvPhyxelStep* step, bool isGuided, qvError* error)
{
    qvPhyxelStep_ForAll(step, FallOf);
    qvResult result = qvPhyxelStep_Damp(step, error);
    if (result == qv_ok && isGuided && step->matter.follow > 0.0)
        qvPhyxelStep_ForAll(step, FollowOf);
    if (result == qv_ok)
        result = qvPhyxelStep_PlaceObstacles(step, error);
    if (result == qv_ok)
        result = qvPhyxelStep_SolveVelocities(step, error);
    if (result == qv_ok && step->matter.flows)
        qvPhyxelStep_FilterVelocities(step);
    return result;
}

static qvResult Step(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    bool isGuided = ReadGuide(step), isSolid = !step->matter.flows && *s->wasLiquid == 0.0;
    qvResult result = qv_ok;
    if (!isSolid)
    {
        qvPhyxelStep_Gradients(step);
        result = qvPhyxelStep_Flow(step, error);
    }
    if (result != qv_ok)
        return result;
    qvPhyxelStep_ForAll(step, isSolid ? StrainsOf : StressesOf);
    qvPhyxelStep_ForAll(step, ForcesOf);
    result = qvPhyxelStep_AddNearForces(step, error);
    if (result != qv_ok)
        return result;
    result = step->scene->isImplicit ? SolveFor(step, isGuided, error) : Accelerate(step, isGuided, error);
    if (result != qv_ok)
        return result;
    qvPhyxelStep_Touch(step);
    qvPhyxelStep_ForAll(step, MoveOf);
    *s->clock += step->dt;
    s->counts.steps++;
    return qv_ok;
}

static qvResult CheckNumbers(const qvPhyxelState* s, qvError* error)
{
    double limit = FAR * s->body->height, far = 0.0;
    for (int i = 0; i < s->count; i++)
    {
        double size = fabs(s->y[i][0]) + fabs(s->y[i][1]) + fabs(s->y[i][2]);
        far = isfinite(size) ? fmax(far, size) : INFINITY;
    }
    if (far <= limit || (isfinite(far) && far <= 1e3 * limit))
        return qv_ok;
    return qvError_Set(error, qv_notConverged,
                       "the simulation came apart at %.3f s: use less gravity, a lower wobble or slower motion",
                       *s->clock);
}

// How much shorter steps of a solid must be that has flowed before: see stable_step.c.
static qvResult FindSetScale(qvPhyxelState* s, const qvPhyxelMatter* matter, double* scale, qvError* error)
{
    *scale = 1.0;
    if (*s->moved == 0.0 || matter->flows)
        return qv_ok;
    double speed = sqrt((matter->lambda + 2.0 * matter->mu) / s->body->density), step;
    qvResult result = qv_ok;
    if (s->longestStep == 0.0)
    {
        result = qvPhyxelState_LongestStep(s, matter, &step, error);
        s->longestStep = result == qv_ok ? step * speed / s->body->spacing : 0.0;
    }
    *scale = fmin(1.0, SET_SHARE * s->longestStep / (ELASTIC_STEP * s->body->stepScale));
    return result;
}

// Steps of equal length, as many as the material at both ends of a time between two knots of its curves needs.
static qvResult AdvanceEvenly(qvPhyxelState* state, const qvPhyxelScene* scene, double end, qvPool* pool,
                              qvError* error)
{
    double start = *state->clock, duration = end - start, middle = start + 0.5 * duration, scale;
    qvPhyxelMatter first = qvPhyxelTerms_At(scene->terms, start), last = qvPhyxelTerms_At(scene->terms, end);
    qvPhyxelMatter between = qvPhyxelTerms_At(scene->terms, middle);
    qvResult result = FindSetScale(state, &between, &scale, error);
    double longest = fmin(qvPhyxelBody_StableStep(state->body, &first), qvPhyxelBody_StableStep(state->body, &last));
    longest *= scale;
    if (scene->isImplicit)
        longest = fmin(ImplicitStep(state->body, &first), ImplicitStep(state->body, &last));
    longest = fmin(longest, scene->largestStep > 0.0 ? scene->largestStep : INFINITY);
    double wanted = ceil(duration / longest);
    if (result == qv_ok && !(wanted < 1.0 + MOST_STEPS * duration))
        return qvError_Set(error, qv_badInput,
                           "%.3g steps would be needed for each second: use a lower wobble, fewer phyxels or a thicker "
                           "body",
                           1.0 / longest);
    int count = (int)fmax(1.0, wanted);
    for (int k = 0; k < count && result == qv_ok; k++)
    {
        *state->clock = start + duration * k / count;
        qvPhyxelStep step = { .state = state, .scene = scene, .dt = duration / count, .pool = pool };
        step.matter = qvPhyxelTerms_At(scene->terms, *state->clock + 0.5 * step.dt);
        result = Step(&step, error);
    }
    *state->clock = end;
    return result;
}

qvResult qvPhyxelState_Advance(qvPhyxelState* state, const qvPhyxelScene* scene, double duration, qvPool* pool,
                               qvError* error)
{
    double end = *state->clock + duration;
    qvResult result = qv_ok;
    while (result == qv_ok && *state->clock < end)
    {
        // A knot that rounding has put beside the start or the end lies there.
        double knot = qvPhyxelTerms_NextKnot(scene->terms, *state->clock + KNOT_SHARE * duration);
        bool isBefore = knot < end - KNOT_SHARE * duration;
        result = AdvanceEvenly(state, scene, isBefore ? knot : end, pool, error);
    }
    return result == qv_ok ? CheckNumbers(state, error) : result;
}
