// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that keep a motion out of an obstacle. In each round the scene is solved with the keys found so far. Where it is
// still inside, the key there learns how much its points lack, over all of the contact and not at its own moment only:
// so one key often does for a contact, however its points take turns. What it cannot reach in a few rounds gets a key
// of its own. Where much of the body is inside at once, the key lifts all of it: squashing it flat is what a key of its
// points would do, since a body's frame hardly follows a small part.
#include "scene/contact.h"
#include "scene/contact_touch.h"

#include "base/memory.h"
#include "math/affine.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_ROUNDS = 16,
    PATIENCE = 4, // rounds without a better result
    CHANCES = 3,  // rounds before a contact that a key cannot reach gets another one
    LIFT_ROUNDS = 4
};

static const double REACH = 0.2;        // s from a key to the contacts that it may take care of
static const double GAIN = 0.03;        // less is no better result
static const double WILD = 4.0;         // of what is inside at first
static const double WHOLE = 0.05;       // of the points: with more of them inside, the body is lifted
static const double OWN_FRAMES = 0.8;   // a contact so near to a key is that key's
static const double APART_FRAMES = 0.4; // from keys of the scene

struct qvContactPlan
{
    const qvScene* scene;  // as it is
    const qvScene* better; // with the keys
    qvContactReport* report;
};

typedef struct Planning
{
    const qvContactDef* def;
    qvPipeline* pipeline;
    qvJob job; // reports to `outer`
    const qvJob* outer;
    double shown;        // of the progress
    const qvTake* first; // with keys moved out, if they are to be
    qvTouches touches;
    int contactCount; // of the first take
    int round, best;  // rounds: this one, and the last that was clearly better
    double excess;    // of the best result, units
    double worst;     // beyond it keys fight each other, and more of them make it worse
    qvContactPlan* plan;
} Planning;

// Rounds take about the same time each, and there may be few or many.
static bool Relay(void* context, const char* stage, double fraction)
{
    Planning* p = context;
    const qvJob* outer = p->outer;
    if (outer == NULL || outer->progress == NULL)
        return true;
    if (fraction >= 0.0)
        p->shown = fmax(p->shown, 1.0 - pow(0.8, p->round));
    return outer->progress(outer->context, fraction >= 0.0 ? "contact keys" : stage, fraction >= 0.0 ? p->shown : -1.0);
}

static qvResult SolveScene(const Planning* p, const qvScene* scene, qvTake** take, qvError* error)
{
    return qvPipeline_Solve(p->pipeline, scene, p->first->folder, &p->job, take, error);
}

static qvResult Solve(const Planning* p, const qvTake* last, qvTake** take, qvError* error)
{
    qvDocument* document;
    qvResult result = qvCreateDocument(qvTake_Scene(p->first), &document, error);
    if (result != qv_ok)
        return result;
    result = qvTouches_MakeKeys(&p->touches, last, document, error);
    if (result == qv_ok)
        result = SolveScene(p, qvDocument_Scene(document), take, error);
    qvCloseDocument(document);
    return result;
}

// --- Where to add keys ---------------------------------------------------------------------------------------------

static bool IsKeyNear(const qvTake* take, double time)
{
    const qvScene* scene = qvTake_Scene(take);
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (qvTake_Apart(take, scene->keys[i]->time, time) < APART_FRAMES / scene->fps)
            return true;
    }
    return false;
}

// Whether a moment of the scan belongs to a contact, which may go on over the seam of a loop.
static bool Covers(const qvContactScan* scan, const qvContact* contact, int moment)
{
    double time = scan->times[moment], later = time + scan->period;
    return (time >= contact->begin && time <= contact->end) ||
           (scan->loop && later >= contact->begin && later <= contact->end);
}

// The deepest moment of a contact with room for a key, on a frame where that is nearly as deep; -1: none.
static int BestMoment(const Planning* p, const qvContactScan* scan, const qvContact* contact)
{
    double most = 0.0;
    int best = -1;
    for (int i = 0; i < scan->count; i++)
    {
        double depth = scan->motion.depths[i] - scan->allowed[i];
        double worth = i % qv_momentsPerFrame == 0 ? depth : 0.9 * depth;
        if (worth > most && Covers(scan, contact, i) && !IsKeyNear(p->first, scan->times[i]))
            best = i, most = worth;
    }
    return best;
}

// Pins hold a body without a keyed frame where it is; and after the last key a body that is lifted would stay so.
static bool CanLift(const Planning* p, double time)
{
    const qvScene* scene = qvTake_Scene(p->first);
    return (scene->pinCount == 0 || qvScene_KeysFrame(scene)) &&
           (scene->loop || time < scene->keys[scene->keyCount - 1]->time);
}

// The touch that takes care of a contact: one near that has not had its chance yet, or a new one.
static qvResult FindTouch(Planning* p, const qvTake* take, const qvContactScan* scan, const qvContact* contact,
                          qvTouch** touch, qvError* error)
{
    double near = OWN_FRAMES / qvTake_Scene(take)->fps;
    *touch = qvTouches_Find(&p->touches, take, contact->time, REACH);
    bool own = *touch != NULL && qvTake_Apart(take, (*touch)->time, contact->time) < near;
    if (*touch != NULL && (own || p->round - (*touch)->born < CHANCES))
        return qv_ok;
    int moment = BestMoment(p, scan, contact);
    if (moment < 0 || p->touches.count >= p->def->keysPerContact * p->contactCount ||
        qvTouches_Find(&p->touches, take, scan->times[moment], near) != NULL)
        return qv_ok;
    *touch = qvTouches_Add(&p->touches, scan->times[moment], p->round);
    bool many = contact->pointCount > WHOLE * take->body->mesh->pointCount;
    if (*touch == NULL || (many && CanLift(p, (*touch)->time) && !qvTouch_Lift(*touch, take)))
        return qvError_OutOfMemory(error, (double)take->body->mesh->pointCount * sizeof(qvVec3f));
    return qv_ok;
}

static qvResult Learn(Planning* p, const qvTake* take, const qvContactScan* scan, const qvContact* contact,
                      qvError* error)
{
    qvTouch* touch;
    double* times = qvAllocateRaw(2 * (size_t)scan->count, sizeof(*times));
    if (times == NULL)
        return qvError_OutOfMemory(error, 2.0 * scan->count * sizeof(*times));
    double* allowed = times + scan->count;
    int count = 0;
    for (int i = 0; i < scan->count; i++)
    {
        if (Covers(scan, contact, i))
            times[count] = scan->times[i], allowed[count++] = scan->allowed[i];
    }
    qvResult result = FindTouch(p, take, scan, contact, &touch, error);
    if (result == qv_ok && touch != NULL)
        result = qvTouch_Learn(touch, take, p->def, times, allowed, count, error);
    free(times);
    return result;
}

// --- Rounds --------------------------------------------------------------------------------------------------------

static double Excess(const qvContactScan* scan)
{
    double largest = 0.0;
    for (int i = 0; i < scan->count; i++)
        largest = fmax(largest, scan->motion.depths[i] - scan->allowed[i]);
    return largest;
}

static qvResult Keep(Planning* p, const qvTake* take, const qvContactScan* scan, qvError* error)
{
    double excess = Excess(scan);
    if (p->round > 0 && excess >= p->excess)
        return qv_ok;
    qvContactPlan* plan = p->plan;
    qvDestroyContactReport(plan->report);
    plan->report = NULL;
    qvReleaseScene(plan->better);
    plan->better = qvRetainScene(qvTake_Scene(take));
    if (p->round == 0 || excess < (1.0 - GAIN) * p->excess)
        p->best = p->round;
    p->excess = excess;
    return qvContactScan_Report(scan, take->body->diagonal, &plan->report, error);
}

static qvResult Round(Planning* p, const qvTake* take, bool* done, qvError* error)
{
    qvContactScan scan;
    qvContact* contacts = NULL;
    int count = 0;
    qvResult result = qvScanContacts(take, qvTake_Scene(p->first), p->def, &p->job, &scan, error);
    if (result == qv_ok)
        result = Keep(p, take, &scan, error);
    if (result == qv_ok)
        result = qvContactScan_Intervals(&scan, &scan.motion, &contacts, &count, error);
    if (p->round == 0)
        p->contactCount = count, p->worst = WILD * p->excess;
    bool wild = result == qv_ok && Excess(&scan) > p->worst;
    *done = count == 0 || wild || p->round >= MAX_ROUNDS || p->round - p->best >= PATIENCE;
    for (int i = 0; result == qv_ok && !*done && i < count; i++)
        result = Learn(p, take, &scan, &contacts[i], error);
    *done = *done || p->touches.count == 0;
    free(contacts);
    qvFreeContactScan(&scan);
    return result;
}

static qvResult RunRounds(Planning* p, qvError* error)
{
    const qvTake* take = qvRetainTake(p->first);
    bool done = false;
    qvResult result = Round(p, take, &done, error);
    while (result == qv_ok && !done)
    {
        qvTake* next = NULL;
        result = Solve(p, take, &next, error);
        qvReleaseTake(take);
        take = next;
        p->round++;
        if (result == qv_ok)
            result = Round(p, take, &done, error);
    }
    qvReleaseTake(take);
    return result;
}

// --- Keys that are inside themselves -------------------------------------------------------------------------------

// On a sphere another point may be the deepest once the first is out.
static qvResult LiftKeys(Planning* p, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < LIFT_ROUNDS; i++)
    {
        qvDocument* document;
        bool moved = false;
        result = qvCreateDocument(qvTake_Scene(p->first), &document, error);
        if (result != qv_ok)
            return result;
        result = qvLiftKeys(p->first, p->def, document, &moved, error);
        qvTake* next = NULL;
        if (result == qv_ok && moved)
            result = SolveScene(p, qvDocument_Scene(document), &next, error);
        qvCloseDocument(document);
        if (next == NULL)
            return result;
        qvReleaseTake(p->first);
        p->first = next;
    }
    return result;
}

// --- Plans ---------------------------------------------------------------------------------------------------------

qvResult qvPlanContacts(const qvTake* take, const qvContactDef* def, qvPipeline* pipeline, const qvJob* job,
                        qvContactPlan** plan, qvError* error)
{
    qvResult result = qvContactDef_Check(def, error);
    if (result != qv_ok)
        return result;
    if (take->curves == NULL)
        return qvError_Set(error, qv_unsupported,
                           "contact keys go between keys, and this body has none; pose it at two moments first");
    qvContactDef complete;
    qvObstacles* obstacles;
    result = qvContactDef_Complete(def, take, job, &complete, &obstacles, error);
    if (result != qv_ok)
        return result;
    Planning planning = { .def = &complete, .pipeline = pipeline, .outer = job, .first = qvRetainTake(take) };
    planning.job = (qvJob){ .pool = qvJob_Pool(job), .progress = Relay, .context = &planning };
    qvContactPlan* made = planning.plan = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        result = qvError_OutOfMemory(error, sizeof(*made));
    else
        made->scene = qvRetainScene(qvTake_Scene(take));
    if (result == qv_ok && def->lift)
        result = LiftKeys(&planning, error);
    if (result == qv_ok)
        result = RunRounds(&planning, error);
    qvFreeTouches(&planning.touches);
    qvReleaseTake(planning.first);
    qvDestroyObstacles(obstacles);
    if (result == qv_ok)
        *plan = made;
    else
        qvDestroyContactPlan(made);
    return result;
}

void qvDestroyContactPlan(qvContactPlan* plan)
{
    if (plan == NULL)
        return;
    qvReleaseScene(plan->scene);
    qvReleaseScene(plan->better);
    qvDestroyContactReport(plan->report);
    free(plan);
}

int qvContactPlan_KeyCount(const qvContactPlan* plan)
{
    return plan->better->keyCount - plan->scene->keyCount;
}

static bool IsMoved(const qvSceneKey* before, const qvSceneKey* after)
{
    return after->hasTransform &&
           (!before->hasTransform || memcmp(&before->translate, &after->translate, sizeof(after->translate)) != 0);
}

int qvContactPlan_LiftedCount(const qvContactPlan* plan)
{
    int count = 0;
    const qvVec3 zero = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < plan->scene->keyCount; i++)
    {
        const qvSceneKey *before = plan->scene->keys[i], *after = qvScene_FindKey(plan->better, before->id, NULL);
        // Keys that got the transform that they have had anyway are not moved.
        count += IsMoved(before, after) && memcmp(&after->translate, &zero, sizeof(zero)) != 0 ? 1 : 0;
    }
    return count;
}

const qvContactReport* qvContactPlan_Report(const qvContactPlan* plan)
{
    return plan->report;
}

qvResult qvContactPlan_Apply(const qvContactPlan* plan, qvDocument* document, qvError* error)
{
    qvResult result = qv_ok;
    if (qvScene_Hash(qvDocument_Scene(document)) != qvScene_Hash(plan->scene))
        return qvError_Set(error, qv_badInput, "the scene has changed since the contacts were looked for; try again");
    qvDocument_Begin(document, "Contact keys", 0);
    for (int i = 0; result == qv_ok && i < plan->better->keyCount; i++)
    {
        const qvSceneKey *key = plan->better->keys[i], *before = qvScene_FindKey(plan->scene, key->id, NULL);
        if (before == NULL)
            result = qvDocument_AddKey(document, key, NULL, error);
        else if (IsMoved(before, key))
            result = qvSetKeyTransform(document, key->id, key->translate, key->rotate, error);
    }
    if (result == qv_ok)
        qvDocument_End(document);
    else
        qvDocument_Abort(document);
    return result;
}
