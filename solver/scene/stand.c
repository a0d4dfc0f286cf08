// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that stand on the ground: the body is moved as a whole, so that its pose stays as it is.
#include "scene/contact_touch.h"
#include "scene/labels.h"
#include "scene/take.h"

#include <math.h>

// Of the diagonal: a key this near stands already.
static const double TOUCHES = 1e-6;

static double LowestOf(const qvVec3f* points, int count)
{
    double lowest = INFINITY;
    for (int i = 0; i < count; i++)
        lowest = fmin(lowest, (double)points[i].y);
    return lowest;
}

qvResult qvFindClearance(const qvTake* take, double time, double* clearance, qvError* error)
{
    int n = take->body->mesh->pointCount;
    double rest = LowestOf(take->body->rest, n), lowest = rest;
    qvTakeView view = { 0 };
    qvResult result = qvTakeView_SetTake(&view, take, error);
    if (result == qv_ok && n > 0)
    {
        qvTakeView_Evaluate(&view, time, qv_layersMotion, NULL);
        lowest = LowestOf(view.points, n);
    }
    qvTakeView_Free(&view);
    *clearance = lowest - qvScene_GroundHeight(take->scene, rest);
    return result;
}

static qvResult CheckKey(const qvScene* scene, const qvSceneKey* key, qvError* error)
{
    qvLabel label = qvSceneKey_Label(key);
    if (key->partial || key->weight < INFINITY)
        return qvError_Set(error, qv_unsupported,
                           "%s: it holds the body only in part, so that it cannot move all of it; make it whole and "
                           "hard",
                           label.text);
    if (!key->hasTransform && !qvCanKeyFrame(scene, key->time))
        return qvError_Set(error, qv_unsupported, "%s: the body turns over on its way here; key its place first",
                           label.text);
    return qv_ok;
}

// Moves one key if it is to be. *moved: whether it was.
static qvResult StandKey(const qvTake* take, const qvSceneKey* key, qvStandMode mode, qvDocument* document, bool* moved,
                         qvError* error)
{
    double clearance;
    qvResult result = CheckKey(take->scene, key, error);
    if (result == qv_ok)
        result = qvFindClearance(take, key->time, &clearance, error);
    *moved = result == qv_ok && fabs(clearance) > TOUCHES * take->body->diagonal &&
             (mode == qv_standDrop || clearance < 0.0);
    if (!*moved)
        return result;
    result = qvKeyFrames(document, error);
    if (result == qv_ok)
        result = qvMoveKey(take, key, qvMakeVec3(0.0, -clearance, 0.0), document, error);
    return result;
}

qvResult qvStandKeys(const qvTake* take, const qvId* keys, int count, qvStandMode mode, qvDocument* document,
                     int* moved, qvError* error)
{
    qvResult result = qv_ok;
    int made = 0;
    qvDocument_Begin(document, mode == qv_standDrop ? "Stand on the ground" : "Lift out of the ground", 0);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        const qvSceneKey* key = qvScene_FindKey(take->scene, keys[i], NULL);
        bool did = false;
        if (key != NULL)
            result = StandKey(take, key, mode, document, &did, error);
        made += did ? 1 : 0;
    }
    if (result == qv_ok)
        qvDocument_End(document);
    else
        qvDocument_Abort(document);
    if (moved != NULL)
        *moved = result == qv_ok ? made : 0;
    return result;
}
