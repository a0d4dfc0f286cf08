// SPDX-License-Identifier: GPL-3.0-or-later
// Where the body is for a key that does not say so, and whether the key may say it without changing the way there.
#include "math/rotation.h"
#include "motion/motion.h"
#include "scene/contact_touch.h"
#include "scene/take.h"

// The nearest key with a transform before (step -1) or after (step 1) a time, in a loop perhaps beyond its ends.
static const qvSceneKey* NeighbourWithPlace(const qvScene* scene, double time, int step)
{
    const qvSceneKey *near = NULL, *around = NULL;
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[step < 0 ? i : scene->keyCount - 1 - i];
        if (!key->hasTransform)
            continue;
        if (step < 0 ? key->time < time : key->time > time)
            near = key;
        else
            around = key;
    }
    return near != NULL || !scene->loop ? near : around;
}

bool qvScene_MayKeyPlace(const qvScene* scene, double time)
{
    const qvSceneKey *before = NeighbourWithPlace(scene, time, -1), *after = NeighbourWithPlace(scene, time, 1);
    bool flies = before != NULL && after != NULL && before->velocityMode == qv_velocityBroken &&
                 after->velocityMode == qv_velocityBroken && !before->after.given && !after->before.given;
    return qvScene_KeysFrame(scene) && !flies && qvCanKeyFrame(scene, time);
}

void qvTake_KeyedPlace(const qvTake* take, double time, qvVec3* translate, qvQuat* rotate)
{
    *translate = qvMakeVec3(0.0, 0.0, 0.0);
    *rotate = qvQuat_Identity();
    if (take->curves == NULL)
        return;
    time = qvTake_Wrap(take, time);
    const qvMotion* motion = qvMotion_SectionAt(take->curves->motion, &time);
    qvRigid pose = qvMotion_KeyedPose(motion, time);
    *translate = qvSub(pose.position, qvQuat_Rotate(pose.rotation, motion->space->pivot));
    *rotate = pose.rotation;
}
