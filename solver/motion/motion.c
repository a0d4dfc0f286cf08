// SPDX-License-Identifier: GPL-3.0-or-later
// Keys to curves: checks, and what a motion is made of.
#include "motion/partial.h"
#include "motion/soft.h"

#include "base/assert.h"
#include "base/label.h"
#include "base/memory.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

qvMotionKey qvDefaultMotionKey(void)
{
    return (qvMotionKey){ .rotation = { 0.0, 0.0, 0.0, 1.0 }, .frequency = -1.0, .settle = -1.0, .weight = INFINITY };
}

qvBodyMaterial qvDefaultBodyMaterial(void)
{
    return (
        qvBodyMaterial){ .frequency = 2.0, .settle = 1.0, .maxWobble = 12.0, .stretch = 1.0, .bend = 1.0, .modes = 20 };
}

qvMotionDef qvDefaultMotionDef(void)
{
    return (qvMotionDef){ .material = qvDefaultBodyMaterial(), .warp = true };
}

static const double MAX_NUMBERS = 1e8; // of the curves

// --- Checks --------------------------------------------------------------------------------------------------------

static bool FiniteVector(qvVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static qvResult CheckMaterial(const qvMotionDef* def, qvError* error)
{
    if (!(def->material.frequency >= 0.0 && def->material.frequency <= 60.0))
        return qvError_Set(error, qv_badInput, "frequency: %g Hz is not between 0 and 60", def->material.frequency);
    if (!(def->material.settle >= 0.01))
        return qvError_Set(error, qv_badInput, "settle: %g s is below 0.01", def->material.settle);
    if (!(def->material.stiffDamping >= 0.0 && def->material.stiffDamping <= 1.0))
        return qvError_Set(error, qv_badInput, "stiff damping: %g s is not between 0 and 1",
                           def->material.stiffDamping);
    if (!(def->material.maxWobble > 0.0))
        return qvError_Set(error, qv_badInput, "fastest wobble: %g Hz is not above 0", def->material.maxWobble);
    if (!FiniteVector(def->material.gravity) || !FiniteVector(def->material.wind))
        return qvError_Set(error, qv_badInput, "gravity or wind is not finite");
    return qv_ok;
}

static qvLabel LabelOf(const qvMotionDef* def, int key)
{
    return qvMakeLabel(def->keys[key].label, "key", key);
}

// Weight and listed points.
static qvResult CheckConstraint(const qvMotionKey* key, const qvMotionSpace* space, qvError* error)
{
    if (!(key->weight >= 0.0))
        return qvError_Set(error, qv_badInput, "weight %g is below 0", key->weight);
    for (int k = 0; k < key->onlyCount; k++)
    {
        if (key->only[k] < 0 || key->only[k] >= space->pointCount)
            return qvError_Set(error, qv_badInput, "there is no point %d", (int)key->only[k]);
        const double* target = key->targets != NULL ? key->targets + 3 * (size_t)k : NULL;
        if (target != NULL && !(isfinite(target[0]) && isfinite(target[1]) && isfinite(target[2])))
            return qvError_Set(error, qv_badInput, "a target is not finite");
    }
    return qv_ok;
}

static qvResult CheckKey(const qvMotionKey* key, const qvMotionSpace* space, qvError* error)
{
    if (!isfinite(key->time) || fabs(key->time) > 1e9)
        return qvError_Set(error, qv_badInput, "its time is not a number of seconds below 1e9");
    if (key->pose < 0 || key->pose >= space->poseCount)
        return qvError_Set(error, qv_badInput, "there is no pose %d", key->pose);
    if (!FiniteVector(key->before) || !FiniteVector(key->after) || !FiniteVector(key->translation))
        return qvError_Set(error, qv_badInput, "a velocity or translation is not finite");
    double length = qvQuat_Dot(key->rotation, key->rotation);
    if (key->hasTransform && !(length > 1e-200 && length < 1e200))
        return qvError_Set(error, qv_badInput, "its rotation is not a quaternion");
    if (abs(key->turns) > 10000)
        return qvError_Set(error, qv_badInput, "%d turns are more than 10000", key->turns);
    if (key->frequency > 60.0)
        return qvError_Set(error, qv_badInput, "a frequency of %g Hz is above 60", key->frequency);
    if (key->settle >= 0.0 && key->settle < 0.01)
        return qvError_Set(error, qv_badInput, "settle: %g s is below 0.01", key->settle);
    if (space->setCount == 0 && key->pinSet != 0)
        return qvError_Set(error, qv_badInput, "there is no set of pins %d", key->pinSet);
    return CheckConstraint(key, space, error);
}

// Of a key after the first.
static qvResult CheckOrder(const qvMotionDef* def, int i, qvError* error)
{
    double before = def->keys[i - 1].time, time = def->keys[i].time;
    qvLabel a = LabelOf(def, i - 1), b = LabelOf(def, i);
    if (time == before)
        return qvError_Set(error, qv_badInput, "%s and %s are both at %g s; move one of them", a.text, b.text, time);
    if (!(time > before))
        return qvError_Set(error, qv_badInput, "%s is at %g s and comes after %s at %g s; sort them by time", b.text,
                           time, a.text, before);
    if (time - before < 1e-9)
        return qvError_Set(error, qv_badInput, "%s and %s are less than 1e-9 s apart; move one of them", a.text,
                           b.text);
    return qv_ok;
}

static qvResult CheckKeys(const qvMotionDef* def, const qvMotionSpace* space, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < def->keyCount; i++)
    {
        result = CheckKey(&def->keys[i], space, error);
        if (result != qv_ok)
            qvError_Prefix(error, "%s", LabelOf(def, i).text);
        else if (i > 0)
            result = CheckOrder(def, i, error);
    }
    return result;
}

static qvResult CheckMotionDef(const qvMotionDef* def, const qvMotionSpace* space, qvError* error)
{
    if (def->keyCount < 1)
        return qvError_Set(error, qv_badInput, "there is no key; add one");
    if (!(def->period >= 0.0 && def->period < 1e9))
        return qvError_Set(error, qv_badInput, "the period of %g s is not between 0 and 1e9", def->period);
    qvResult result = CheckMaterial(def, error);
    if (result == qv_ok)
        result = CheckKeys(def, space, error);
    if (result != qv_ok)
        return result;
    int last = def->keyCount - 1;
    if (def->period > 0.0 && def->keys[last].time - def->keys[0].time >= def->period)
        return qvError_Set(error, qv_badInput, "%s lies beyond the loop, which ends %g s after the first key",
                           LabelOf(def, last).text, def->period);
    int partials = 0;
    for (int i = 0; i < def->keyCount; i++)
        partials += def->keys[i].onlyCount > 0 ? 1 : 0;
    // Where tracks are solved near their own keys alone, they grow with the keys only (tracks.c).
    const qvMotionSpace* main = qvMotionSpace_Main(space);
    bool isWindowed = main->isBounded && partials == 0;
    int tracks = space->shapeCount + partials, most = 4 * main->window;
    double numbers = (double)(isWindowed && tracks > most ? most : tracks) * space->dimension;
    if (def->keyCount * numbers > MAX_NUMBERS)
        return qvError_Set(
            error, qv_badInput,
            "%d keys, times %d shapes (%d of them of partial keys), times %d coordinates, are %.3g numbers "
            "and more than %.3g; use at most %.0f keys, or give more of them the same pose",
            def->keyCount, space->shapeCount + partials, partials, space->dimension, def->keyCount * numbers,
            MAX_NUMBERS, fmax(floor(MAX_NUMBERS / numbers), 1.0));
    return qv_ok;
}

// --- Create and destroy --------------------------------------------------------------------------------------------

static qvResult CopyWeights(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    if (def->weights == NULL)
        return qv_ok;
    int n = motion->space->pointCount;
    motion->weights = qvAllocateRaw((size_t)n, sizeof(float));
    if (motion->weights == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(float));
    for (int i = 0; i < n; i++)
    {
        if (!(def->weights[i] >= 0.0f && def->weights[i] <= 1.0f))
            return qvError_Set(error, qv_badInput, "weight of point %d: %g is not between 0 and 1", i,
                               (double)def->weights[i]);
        motion->weights[i] = def->weights[i];
    }
    return qv_ok;
}

// Curves, frame and reports from the keys.
static qvResult BuildMotion(qvMotion* motion, const qvMotionDef* def, qvPartials* partials, qvPool* pool,
                            qvError* error)
{
    motion->trackCount = motion->space->shapeCount + partials->count;
    motion->tracks = qvAllocate((size_t)motion->trackCount, sizeof(*motion->tracks));
    if (motion->tracks == NULL)
        return qvError_OutOfMemory(error, (double)motion->trackCount * sizeof(*motion->tracks));
    for (int i = 0; i < partials->count; i++)
        motion->trackOf[partials->items[i].key] = motion->space->shapeCount + i;
    qvResult result = qvMotion_BuildSoft(motion, def, error);
    if (result == qv_ok)
        result = qvMotion_BuildFrames(motion, def, partials, error);
    if (result == qv_ok)
        result = qvObservePartials(motion, def, partials, error);
    motion->warped = (def->warp || motion->space->isBounded) && motion->space->warp != NULL;
    if (result == qv_ok)
        result = qvMotion_BuildCarrier(motion, def, error);
    if (result == qv_ok && motion->space->dimension > 0)
        result = qvMotion_BuildTracks(motion, def, partials, pool, error);
    if (result == qv_ok)
        result = CopyWeights(motion, def, error);
    if (result == qv_ok)
        result = qvMotion_BuildResiduals(motion, pool, error);
    if (result == qv_ok)
        result = qvMotion_FillReports(motion, def, partials, pool, error);
    return result;
}

// At a key where the shape may not go too far it arrives by the cubic spline, see tracks.c.
static qvKnot TurningKnot(const qvMotionDef* def, int index)
{
    qvKnot knot = qvMotion_Knot(&def->keys[index]);
    if (def->period <= 0.0 && (index == 0 || index == def->keyCount - 1))
        return knot;
    knot.mode = qv_velocityTurn;
    knot.kind = knot.kind == qv_motionWiggly ? qv_motionSmooth : knot.kind;
    return knot;
}

// The modes at a key that breaks the frame alone are those of a free key, also where pins come or go (sections.c).
static qvKnot ModalKnot(const qvMotion* motion, const qvMotionDef* def, int index)
{
    const qvMotionKey* key = &def->keys[index];
    const qvCarried* carried = &motion->carried;
    qvKnot knot = qvMotion_Knot(key);
    if (key->mode == qv_velocityTurn)
        return TurningKnot(def, index);
    if (key->mode != qv_velocityBroken || !key->breaksFrame)
        return knot;
    bool isCut = (index == 0 && carried->cut[0]) || (index == def->keyCount - 1 && carried->cut[1]);
    knot.mode = isCut ? qv_velocityBroken : qv_velocityFree;
    knot.given[0] = index > 0 && carried->last != NULL;
    knot.given[1] = index == 0 && carried->first != NULL;
    return knot;
}

static qvResult FillMotion(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error)
{
    size_t n = (size_t)def->keyCount;
    motion->times = qvAllocate(n, sizeof(*motion->times));
    motion->knots = qvAllocate(n, sizeof(*motion->knots));
    motion->poses = qvAllocate(n, sizeof(*motion->poses));
    motion->trackOf = qvAllocate(n, sizeof(*motion->trackOf));
    motion->end = qvAllocate(3 * (size_t)motion->space->dimension, sizeof(double));
    if (motion->times == NULL || motion->knots == NULL || motion->poses == NULL || motion->end == NULL ||
        motion->trackOf == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(qvKnot));
    for (int i = 0; i < def->keyCount; i++)
    {
        const qvMotionKey* key = &def->keys[i];
        motion->times[i] = key->time, motion->poses[i] = key->pose;
        motion->trackOf[i] = motion->space->poses[key->pose].shape;
        if (key->frequency >= 0.0 || key->settle >= 0.0)
            motion->stride = motion->space->dimension;
        motion->knots[i] = ModalKnot(motion, def, i);
    }
    qvResult result = qvMotion_BuildMixer(motion, def, error);
    qvPartials partials = { 0 };
    if (result == qv_ok)
        result = qvCreatePartials(motion, def, &partials, error);
    if (result == qv_ok)
        result = BuildMotion(motion, def, &partials, pool, error);
    qvDestroyPartials(&partials);
    return result;
}

static qvResult MakeMotion(const qvMotionDef* def, const qvMotionSpace* space, const qvCarried* carried, qvPool* pool,
                           qvMotion** out, qvError* error)
{
    qvMotion* motion = qvAllocate(1, sizeof(*motion));
    if (motion == NULL)
        return qvError_OutOfMemory(error, sizeof(*motion));
    motion->space = space, motion->carried = *carried;
    motion->keyCount = def->keyCount, motion->period = def->period, motion->frequency = def->material.frequency;
    qvResult result =
        space->setCount > 0 ? qvMotion_BuildSections(motion, def, pool, error) : FillMotion(motion, def, pool, error);
    motion->carried = (qvCarried){ 0 };
    if (result == qv_ok)
        *out = motion;
    else
        qvDestroyMotion(motion);
    return result;
}

qvResult qvCreateSection(const qvMotionDef* def, const qvMotionSpace* space, const qvCarried* carried, qvPool* pool,
                         qvMotion** out, qvError* error)
{
    *out = NULL;
    return MakeMotion(def, space, carried, pool, out, error);
}

qvResult qvCreateMotion(const qvMotionDef* def, const qvMotionSpace* space, qvPool* pool, qvMotion** out,
                        qvError* error)
{
    QV_ASSERT(def->keys != NULL || def->keyCount < 1);
    *out = NULL;
    qvResult result = CheckMotionDef(def, space, error);
    if (result != qv_ok)
        return result;
    qvCarried none = { 0 };
    return MakeMotion(def, space, &none, pool, out, error);
}

void qvDestroyMotion(qvMotion* motion)
{
    if (motion == NULL)
        return;
    qvDestroyFramePath(motion->outer);
    qvDestroyFramePath(motion->inner);
    free(motion->flights);
    qvTrack_Free(&motion->smooth);
    qvTrack_Free(&motion->carrier);
    for (int i = 0; motion->ways != NULL && i < motion->trackCount; i++)
        qvTrack_Free(&motion->ways[i]);
    for (int i = 0; motion->residuals != NULL && i < motion->keyCount; i++)
        free(motion->residuals[i]);
    for (int i = 0; motion->softPoses != NULL && i < motion->keyCount; i++)
        free(motion->softPoses[i]);
    free(motion->softPoses);
    free(motion->values);
    free(motion->kappa);
    free(motion->heldAt);
    free(motion->ways);
    free(motion->residuals);
    free(motion->weights);
    for (int i = 0; motion->tracks != NULL && i < motion->trackCount; i++)
        qvTrack_Free(&motion->tracks[i]);
    free(motion->tracks);
    free(motion->times);
    free(motion->knots);
    free(motion->poses);
    free(motion->trackOf);
    free(motion->mixer.gain);
    free(motion->reports);
    for (int i = 0; i < motion->sectionCount; i++)
        qvDestroyMotion(motion->sections[i]);
    free(motion->sections);
    free(motion->starts);
    free(motion->places);
    free(motion->end);
    free(motion);
}
