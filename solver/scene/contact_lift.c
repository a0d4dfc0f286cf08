// SPDX-License-Identifier: GPL-3.0-or-later
// Keys whose own pose is inside an obstacle are moved out by their transform, so that their strokes stay.
#include "scene/contact_touch.h"

#include "base/memory.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>

qvResult qvSetKeyTransform(qvDocument* document, qvId key, qvVec3 translate, qvQuat rotate, qvError* error)
{
    const double place[3] = { translate.x, translate.y, translate.z };
    const double turn[4] = { rotate.x, rotate.y, rotate.z, rotate.w };
    qvRef object = { qv_objectKey, key };
    qvResult result = qvDocument_SetNumbers(document, object, "transform.translate", place, 3, error);
    if (result == qv_ok)
        result = qvDocument_SetNumbers(document, object, "transform.rotate", turn, 4, error);
    return result;
}

qvResult qvKeyFrames(qvDocument* document, qvError* error)
{
    const qvScene* scene = qvRetainScene(qvDocument_Scene(document));
    const qvVec3 zero = { 0.0, 0.0, 0.0 };
    const qvQuat still = { 0.0, 0.0, 0.0, 1.0 };
    bool any = qvScene_KeysFrame(scene);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && !any && i < scene->keyCount; i++)
    {
        if (!scene->keys[i]->partial)
            result = qvSetKeyTransform(document, scene->keys[i]->id, zero, still, error);
    }
    qvReleaseScene(scene);
    return result;
}

qvResult qvMoveKey(const qvTake* take, const qvSceneKey* key, qvVec3 by, qvDocument* document, qvError* error)
{
    if (key->hasTransform)
        return qvSetKeyTransform(document, key->id, qvAdd(key->translate, by), key->rotate, error);
    qvVec3 translate;
    qvQuat rotate;
    qvTake_KeyedPlace(take, key->time, &translate, &rotate);
    return qvSetKeyTransform(document, key->id, qvAdd(translate, by), rotate, error);
}

qvResult qvLiftKeys(const qvTake* take, const qvContactDef* def, qvDocument* document, bool* moved, qvError* error)
{
    const qvScene* scene = qvTake_Scene(take);
    qvResult result = qv_ok;
    *moved = false;
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        qvVec3 lack;
        bool can = key->hasTransform || qvCanKeyFrame(scene, key->time);
        if (key->partial || key->weight < INFINITY || !can)
            continue;
        result = qvFindLack(take, def, key->time, &lack, error);
        if (result != qv_ok || qvLength(lack) <= def->tolerance * take->body->diagonal)
            continue;
        if (!*moved)
            result = qvKeyFrames(document, error);
        *moved = true;
        if (result == qv_ok)
            result = qvMoveKey(take, key, lack, document, error);
    }
    return result;
}
