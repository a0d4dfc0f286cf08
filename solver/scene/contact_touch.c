// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/contact_touch.h"
#include "scene/contact.h"

#include "base/memory.h"
#include "math/affine.h"
#include "motion/motion.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRM = 1e9; // the largest weight

// --- Touches -------------------------------------------------------------------------------------------------------

void qvFreeTouches(qvTouches* touches)
{
    for (int i = 0; i < touches->count; i++)
    {
        free(touches->items[i].points);
        free(touches->items[i].targets);
        free(touches->items[i].pose);
    }
    free(touches->items);
    *touches = (qvTouches){ 0 };
}

qvTouch* qvTouches_Find(const qvTouches* touches, const qvTake* take, double time, double near)
{
    qvTouch* nearest = NULL;
    for (int i = 0; i < touches->count; i++)
    {
        double apart = qvTake_Apart(take, touches->items[i].time, time);
        if (apart <= near)
            nearest = &touches->items[i], near = apart;
    }
    return nearest;
}

qvTouch* qvTouches_Add(qvTouches* touches, double time, int round)
{
    if (!QV_PUSH(*touches, ((qvTouch){ .time = time, .born = round })))
        return NULL;
    int place = touches->count - 1;
    qvTouch made = touches->items[place];
    for (; place > 0 && touches->items[place - 1].time > time; place--)
        touches->items[place] = touches->items[place - 1];
    touches->items[place] = made;
    return &touches->items[place];
}

static bool Insert(qvTouch* touch, int place, int point, qvVec3 target)
{
    int capacity = touch->capacity;
    if (touch->count == capacity)
    {
        int other = capacity;
        if (!qvReserve(&touch->points, &other, touch->count + 1, sizeof(*touch->points)) ||
            !qvReserve(&touch->targets, &capacity, touch->count + 1, sizeof(*touch->targets)))
            return false;
        touch->capacity = capacity;
    }
    size_t after = (size_t)(touch->count - place);
    memmove(touch->points + place + 1, touch->points + place, after * sizeof(*touch->points));
    memmove(touch->targets + place + 1, touch->targets + place, after * sizeof(*touch->targets));
    touch->points[place] = point, touch->targets[place] = target;
    touch->count++;
    return true;
}

// What each point lacks, at most, to be outside in a time; the caller frees the list.
static qvVec3* FindLacks(qvTakeView* view, const qvContactDef* def, const double* times, const double* allowed,
                         int count)
{
    int n = qvTake_Body(view->take)->mesh->pointCount;
    qvVec3* lacks = qvAllocate((size_t)n, sizeof(*lacks));
    qvObstaclePlace* places = NULL;
    for (int k = 0; lacks != NULL && k < count; k++)
    {
        if (!qvContactDef_Place(def, times[k], &places))
        {
            free(lacks);
            lacks = NULL;
            break;
        }
        qvTakeView_Evaluate(view, times[k], qv_layersMotion, NULL);
        for (int i = 0; i < n; i++)
        {
            qvVec3 normal;
            double depth = qvContactDef_Depth(def, places, qvVec3_FromFloat(view->points[i]), &normal) - allowed[k];
            if (depth > qvLength(lacks[i]))
                lacks[i] = qvScale(depth, normal);
        }
    }
    free(places);
    return lacks;
}

bool qvTouch_Lift(qvTouch* touch, const qvTake* take)
{
    touch->pose = qvTake_PointsAt(take, touch->time, qv_layersMotion, NULL, NULL);
    touch->frame = qvTake_KeyedFrame(take, touch->time);
    double time = qvTake_Wrap(take, touch->time);
    const qvMotion* motion = qvMotion_SectionAt(take->curves->motion, &time);
    touch->rotation = qvMotion_KeyedPose(motion, time).rotation;
    touch->lifts = true;
    if (touch->pose != NULL)
        qvWorldToKeys(&touch->frame, touch->pose, take->body->mesh->pointCount);
    return touch->pose != NULL;
}

// The largest of the lacks, or what one lacks more each.
static void LearnLift(qvTouch* touch, const qvVec3* lacks, int count)
{
    qvVec3 largest = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; i++)
        largest = qvLength(lacks[i]) > qvLength(largest) ? lacks[i] : largest;
    touch->lift = qvAdd(touch->lift, largest);
}

// What is inside joins the points, at `at` and out; the others go further out.
static bool LearnPoints(qvTouch* touch, const qvVec3* lacks, const qvVec3f* at, int count)
{
    for (int i = 0, next = 0; i < count; i++)
    {
        while (next < touch->count && touch->points[next] < i)
            next++;
        if (qvLength(lacks[i]) <= 0.0)
            continue;
        if (next < touch->count && touch->points[next] == i)
            touch->targets[next] = qvAdd(touch->targets[next], lacks[i]);
        else if (!Insert(touch, next, i, qvAdd(qvVec3_FromFloat(at[i]), lacks[i])))
            return false;
    }
    return true;
}

qvResult qvTouch_Learn(qvTouch* touch, const qvTake* take, const qvContactDef* def, const double* times,
                       const double* allowed, int count, qvError* error)
{
    int n = take->body->mesh->pointCount;
    qvTakeView view = { 0 };
    qvVec3* lacks = NULL;
    bool done = qvTakeView_SetTake(&view, take, error) == qv_ok;
    if (done)
        done = (lacks = FindLacks(&view, def, times, allowed, count)) != NULL;
    if (done && touch->lifts)
        LearnLift(touch, lacks, n);
    else if (done)
    {
        qvTakeView_Evaluate(&view, touch->time, qv_layersMotion, NULL);
        done = LearnPoints(touch, lacks, view.points, n);
    }
    qvTakeView_Free(&view);
    free(lacks);
    return done ? qv_ok : qvError_OutOfMemory(error, (double)n * sizeof(*lacks));
}

qvResult qvFindLack(const qvTake* take, const qvContactDef* def, double time, qvVec3* lack, qvError* error)
{
    qvVec3f* points = qvTake_PointsAt(take, time, qv_layersMotion, NULL, error);
    double deepest = 0.0;
    qvObstaclePlace* places = NULL;
    *lack = qvMakeVec3(0.0, 0.0, 0.0);
    if (points == NULL)
        return qv_outOfMemory;
    if (!qvContactDef_Place(def, time, &places))
    {
        free(points);
        return qvError_OutOfMemory(error, sizeof(*places));
    }
    for (int i = 0; i < take->body->mesh->pointCount; i++)
    {
        qvVec3 normal;
        double depth = qvContactDef_Depth(def, places, qvVec3_FromFloat(points[i]), &normal);
        if (depth > deepest)
            deepest = depth, *lack = qvScale(depth, normal);
    }
    free(points);
    free(places);
    return qv_ok;
}

// --- Keys ----------------------------------------------------------------------------------------------------------

// A key splits the segment that it lies in: the first half is of the same kind and material.
static qvSceneKey LikeSegment(const qvScene* scene, double time)
{
    qvSceneKey like = qvDefaultSceneKey();
    int next = 0;
    while (next < scene->keyCount && scene->keys[next]->time <= time)
        next++;
    if (next == scene->keyCount)
        next = scene->loop ? 0 : -1;
    if (next >= 0)
    {
        const qvSceneKey* key = scene->keys[next];
        like.interp = key->interp, like.frequency = key->frequency, like.settle = key->settle;
    }
    like.time = time;
    return like;
}

bool qvCanKeyFrame(const qvScene* scene, double time)
{
    int first = -1, next = -1;
    for (int i = scene->keyCount - 1; i >= 0; i--)
    {
        if (!scene->keys[i]->hasTransform)
            continue;
        first = i;
        next = scene->keys[i]->time > time ? i : next;
    }
    next = next < 0 && scene->loop ? first : next;
    return next < 0 || scene->keys[next]->turns == 0;
}

// Where a key wants the points, in the coordinates of keys; the caller frees them.
static qvVec3f* MakePose(const qvTouch* touch, const qvTake* take, bool keysFrame, qvError* error)
{
    int n = take->body->mesh->pointCount;
    qvVec3f* points = touch->lifts ? qvAllocateRaw((size_t)n, sizeof(*points))
                                   : qvTake_PointsAt(take, touch->time, qv_layersMotion, NULL, error);
    if (points == NULL)
    {
        qvError_OutOfMemory(error, (double)n * sizeof(*points));
        return NULL;
    }
    if (!touch->lifts)
    {
        qvAffine frame = qvTake_KeyedFrame(take, touch->time);
        for (int i = 0; i < touch->count; i++)
            points[touch->points[i]] = qvVec3_ToFloat(touch->targets[i]);
        qvWorldToKeys(&frame, points, n);
        return points;
    }
    qvVec3 zero = { 0.0, 0.0, 0.0 }, up = keysFrame ? zero : qvAffine_TransposedVector(&touch->frame, touch->lift);
    for (int i = 0; i < n; i++)
        points[i] = qvVec3_ToFloat(qvAdd(qvVec3_FromFloat(touch->pose[i]), up));
    return points;
}

static int32_t* MakeOnly(const qvTouch* touch, const qvMesh* mesh)
{
    int32_t* only = qvAllocateRaw((size_t)touch->count, sizeof(*only));
    for (int i = 0; only != NULL && i < touch->count; i++)
        only[i] = mesh->pointVertex[touch->points[i]];
    return only;
}

static bool IsFree(const qvSceneVelocity* side)
{
    return !side->given;
}

// A body that falls freely from key to key hits the ground: the new key is one of the same kind, with a velocity
// before and another after. Elsewhere a contact is no blow. The deepest moment is where the way in turns, so that the
// least force brings the points there without speed against the obstacle; a broken velocity would be that of the
// whole body, and what does not touch would jerk.
static void SetVelocity(const qvScene* scene, qvSceneKey* like)
{
    const qvSceneKey *before = NULL, *after = NULL;
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        if (key->hasTransform && key->time < like->time)
            before = key;
        if (key->hasTransform && key->time > like->time && after == NULL)
            after = key;
    }
    if (before != NULL && after != NULL && before->velocityMode == qv_velocityBroken &&
        after->velocityMode == qv_velocityBroken && IsFree(&before->after) && IsFree(&after->before))
        like->velocityMode = qv_velocityBroken;
}

static qvResult MakeKey(const qvTouch* touch, const qvTake* take, qvDocument* document, qvError* error)
{
    const qvScene* scene = qvDocument_Scene(document);
    const qvMesh* mesh = take->body->mesh;
    qvSceneKey like = LikeSegment(scene, touch->time);
    bool keysFrame = touch->lifts && qvScene_KeysFrame(scene) && qvCanKeyFrame(scene, touch->time);
    qvVec3f* points = MakePose(touch, take, keysFrame, error);
    qvVec3f* offsets = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(*offsets));
    int32_t* only = MakeOnly(touch, mesh);
    qvResult result = qv_ok;
    if (points == NULL || offsets == NULL || only == NULL)
        result = qvError_OutOfMemory(error, (double)mesh->vertexCount * sizeof(*offsets));
    else
    {
        qvBlob pose = { (size_t)mesh->vertexCount * sizeof(*offsets), offsets };
        qvBody_Offsets(take->body, points, offsets);
        qvBlob list = { (size_t)touch->count * sizeof(*only), only };
        like.base = qv_baseOffsets, like.offsets = &pose;
        like.partial = !touch->lifts;
        if (like.partial)
            like.only.vertices = &list;
        // A hard key ends the waves that run through it; one as firm as can be lets them pass.
        if (scene->keepKeys && qvTake_HasWaves(take))
            like.weight = FIRM;
        if (keysFrame)
        {
            like.hasTransform = true;
            like.translate = qvAdd(touch->frame.offset, touch->lift);
            like.rotate = touch->rotation;
            SetVelocity(scene, &like);
        }
        strcpy(like.name, "contact");
        result = qvDocument_AddKey(document, &like, NULL, error);
    }
    free(points);
    free(offsets);
    free(only);
    return result;
}

qvResult qvTouches_MakeKeys(const qvTouches* touches, const qvTake* take, qvDocument* document, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < touches->count; i++)
        result = MakeKey(&touches->items[i], take, document, error);
    return result;
}
