// SPDX-License-Identifier: GPL-3.0-or-later
// Soft keys. A key of the whole body with a finite weight adds kappa |q - pose|^2 to the integral of the squared force,
// in every linearization for itself. The linearizations are blended by the keys that are there: a soft key is present
// with the share p = kappa / (kappa + k), where k = 12 / a^3 + 12 / b^3 is what a cubic spline resists with between
// neighbours at distances a and b. Between two keys the blend is the mean over all pairs of a key before and one after,
// each with the probability that both are present and those between them are not. With weight 0 that is the motion
// without the key, with a large one the motion through it; it is C2 in time, since each pair's blend is.
//
// A damped body that starts far out needs no force to be anywhere later, so the first key must not be that free: it
// has at least weight 1, and where its own is small it wants to be where the next key is.
#include "motion/soft.h"

#include "base/memory.h"

#include <math.h>

enum
{
    LONGEST_RUN = 32 // soft keys in a row; then one counts as present, to bound the cost
};

bool qvMotion_IsSoft(const qvMotionKey* key)
{
    return key->onlyCount == 0 && key->weight < INFINITY;
}

double qvMotion_Anchor(const qvMotionDef* def)
{
    double longest = 0.0;
    for (int i = 1; i < def->keyCount; i++)
        longest = fmax(longest, def->keys[i].time - def->keys[i - 1].time);
    if (def->period > 0.0)
        longest = fmax(longest, def->keys[0].time + def->period - def->keys[def->keyCount - 1].time);
    return longest > 0.0 ? 1e-9 / (longest * longest * longest) : 1.0;
}

double qvMotion_SoftWeight(const qvMotionDef* def, double weight, double anchor)
{
    double omega = QV_TWO_PI * fmax(def->material.frequency, 0.1);
    return fmax(weight * omega * omega * omega, anchor);
}

double qvMotion_Softness(const qvMotionDef* def, const qvMotionKey* key, double anchor)
{
    return key->weight < INFINITY ? 1.0 / qvMotion_SoftWeight(def, key->weight, anchor) : 0.0;
}

// --- Presence -------------------------------------------------------------------------------------------------------

// Segments of other kinds meet wiggly ones at one value, that of the smooth curve.
static bool IsShared(const qvMotion* motion, int key)
{
    bool loop = motion->period > 0.0;
    bool before = (loop || key > 0) && motion->knots[key].kind != qv_motionWiggly;
    bool after = (loop || key < motion->keyCount - 1) &&
                 motion->knots[qvSegmentEnd(key, motion->keyCount)].kind != qv_motionWiggly;
    return before || after;
}

static int Before(const qvMotion* motion, int key)
{
    return key > 0 ? key - 1 : motion->keyCount - 1;
}

static double Presence(const qvMotion* motion, int key)
{
    double a = qvSegmentLength(motion->knots, Before(motion, key), motion->keyCount, motion->period);
    double b = qvSegmentLength(motion->knots, key, motion->keyCount, motion->period);
    double resists = 12.0 / (a * a * a) + 12.0 / (b * b * b), kappa = motion->kappa[key];
    double p = kappa / (kappa + resists);
    return p < 1.0 - 1e-12 ? p : 1.0;
}

static void FillPresence(qvMotion* motion)
{
    int n = motion->keyCount, strongest = 0, run = 0;
    for (int i = 0; i < n; i++)
    {
        bool end = motion->period <= 0.0 && (i == 0 || i == n - 1);
        bool sure = end || motion->wigglyKappa[i] == INFINITY || ++run == LONGEST_RUN;
        motion->presence[i] = sure ? 1.0 : Presence(motion, i);
        run = motion->presence[i] == 1.0 ? 0 : run;
        strongest = motion->presence[i] > motion->presence[strongest] ? i : strongest;
    }
    motion->presence[strongest] = 1.0;
}

// How much of its own pose a soft key at an end gets against the next one.
static double EndShare(const qvMotion* motion, int key, int next)
{
    double length = fabs(motion->times[key] - motion->times[next]), kappa = motion->kappa[key];
    return kappa < INFINITY ? kappa / (kappa + 12.0 / (length * length * length)) : 1.0;
}

qvResult qvMotion_BuildSoft(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    size_t keys = (size_t)def->keyCount;
    bool any = false;
    for (size_t i = 0; i < keys; i++)
        any = any || qvMotion_IsSoft(&def->keys[i]);
    motion->startShare = 1.0;
    if (!any)
        return qv_ok;
    motion->kappa = qvAllocate(3 * keys, sizeof(double));
    if (motion->kappa == NULL)
        return qvError_OutOfMemory(error, 3.0 * (double)keys * sizeof(double));
    motion->wigglyKappa = motion->kappa + keys, motion->presence = motion->kappa + 2 * keys;
    double anchor = qvMotion_Anchor(def);
    for (size_t i = 0; i < keys; i++)
    {
        const qvMotionKey* key = &def->keys[i];
        motion->kappa[i] = qvMotion_IsSoft(key) ? qvMotion_SoftWeight(def, key->weight, anchor) : INFINITY;
        motion->wigglyKappa[i] = IsShared(motion, (int)i) ? INFINITY : motion->kappa[i];
    }
    if (motion->period <= 0.0 && keys > 1 && motion->kappa[0] < INFINITY)
    {
        motion->startShare = EndShare(motion, 0, 1);
        motion->kappa[0] = fmax(motion->kappa[0], qvMotion_SoftWeight(def, 1.0, anchor));
        motion->wigglyKappa[0] = motion->wigglyKappa[0] < INFINITY ? motion->kappa[0] : INFINITY;
    }
    FillPresence(motion);
    return qv_ok;
}

// --- Shares ---------------------------------------------------------------------------------------------------------

void qvSpan_Ease(double since, double length, double part, double out[3])
{
    double rate = 1.0 / (part * length), u = rate * (since - 0.5 * (1.0 - part) * length);
    u = fmin(fmax(u, 0.0), 1.0);
    out[0] = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    out[1] = rate * 30.0 * u * u * (1.0 - u) * (1.0 - u);
    out[2] = rate * rate * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
}

// A key at one side of a segment, and how far it is from the segment's start or end.
typedef struct Walk
{
    int key;
    double distance; // seconds
    double absent;   // probability that the keys nearer than it are not present
} Walk;

static Walk StartWalk(const qvMotion* motion, int segment, int side)
{
    return (Walk){ side == 0 ? segment : qvSegmentEnd(segment, motion->keyCount), 0.0, 1.0 };
}

static void WalkOn(const qvMotion* motion, int side, Walk* walk)
{
    int n = motion->keyCount, next = side == 0 ? Before(motion, walk->key) : qvSegmentEnd(walk->key, n);
    walk->absent *= 1.0 - motion->presence[walk->key];
    walk->distance += qvSegmentLength(motion->knots, side == 0 ? next : walk->key, n, motion->period);
    walk->key = next;
}

qvSpan qvMotion_Span(const qvMotion* motion, int segment, double since)
{
    Walk walks[2];
    for (int side = 0; side < 2; side++)
    {
        walks[side] = StartWalk(motion, segment, side);
        while (motion->presence != NULL && motion->presence[walks[side].key] < 0.5)
            WalkOn(motion, side, &walks[side]);
    }
    double length = qvSegmentLength(motion->knots, segment, motion->keyCount, motion->period);
    return (qvSpan){ walks[0].key, walks[1].key, since + walks[0].distance,
                     length + walks[0].distance + walks[1].distance };
}

bool qvMotion_IsMixed(const qvMotion* motion, int segment)
{
    return motion->presence != NULL &&
           (motion->presence[segment] < 1.0 || motion->presence[qvSegmentEnd(segment, motion->keyCount)] < 1.0);
}

int qvMotion_ShareCount(const qvMotion* motion, int segment, int side)
{
    Walk walk = StartWalk(motion, segment, side);
    int count = 1;
    for (; motion->presence != NULL && motion->presence[walk.key] < 1.0; count++)
        WalkOn(motion, side, &walk);
    return count;
}

static double PresentAt(const qvMotion* motion, const Walk* walk)
{
    return motion->presence != NULL ? walk->absent * motion->presence[walk->key] : 1.0;
}

qvKeyShare qvMotion_Share(const qvMotion* motion, int segment, double since, double ease, int side, int number)
{
    double length = qvSegmentLength(motion->knots, segment, motion->keyCount, motion->period);
    Walk own = StartWalk(motion, segment, side), other = StartWalk(motion, segment, 1 - side);
    for (int i = 0; i < number; i++)
        WalkOn(motion, side, &own);
    qvKeyShare out = { own.key, { 0.0, 0.0, 0.0 } };
    for (int left = qvMotion_ShareCount(motion, segment, 1 - side); left > 0; left--)
    {
        double s[3], both = PresentAt(motion, &own) * PresentAt(motion, &other);
        double before = side == 0 ? own.distance : other.distance;
        qvSpan_Ease(since + before, length + own.distance + other.distance, ease, s);
        for (int k = 0; k < 3; k++)
            out.share[k] += both * (side == 1 ? s[k] : (k == 0 ? 1.0 : 0.0) - s[k]);
        if (left > 1)
            WalkOn(motion, 1 - side, &other);
    }
    return out;
}

// --- Pins that poses move -------------------------------------------------------------------------------------------

static void SeePins(const qvMotion* motion, const double* q, double* out)
{
    const qvMotionSpace* space = motion->space;
    for (int h = 0; h < space->heldCount; h++)
    {
        out[h] = 0.0;
        for (int i = 0; i < space->dimension; i++)
            out[h] += space->held[(size_t)h * (size_t)space->dimension + (size_t)i] * q[i];
    }
}

// A soft key at an end is present whatever its weight, but its pins are not quite where its pose has them.
static void PullEnd(qvMotion* motion, int key, int next)
{
    int held = motion->space->heldCount;
    double p = motion->wigglyKappa[key] == INFINITY ? 1.0 : key == 0 ? motion->startShare : EndShare(motion, key, next);
    for (int h = 0; h < held; h++)
    {
        double* own = motion->heldAt + (size_t)key * (size_t)held + h;
        *own += (1.0 - p) * (motion->heldAt[(size_t)next * (size_t)held + (size_t)h] - *own);
    }
}

qvResult qvMotion_BuildHeld(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    const qvMotionSpace* space = motion->space;
    size_t keys = (size_t)motion->keyCount, held = (size_t)space->heldCount, d = (size_t)space->dimension;
    if (held == 0)
        return qv_ok;
    motion->heldAt = qvAllocate(keys * held, sizeof(double));
    if (motion->heldAt == NULL)
        return qvError_OutOfMemory(error, (double)(keys * held) * sizeof(double));
    for (size_t i = 0; i < keys; i++)
    {
        bool soft = motion->kappa != NULL && motion->wigglyKappa[i] < INFINITY;
        SeePins(motion, soft ? space->poses[def->keys[i].pose].center : motion->values + i * d,
                motion->heldAt + i * held);
    }
    if (motion->kappa != NULL && motion->period <= 0.0 && keys > 1)
    {
        PullEnd(motion, 0, 1);
        PullEnd(motion, (int)keys - 1, (int)keys - 2);
    }
    return qv_ok;
}
